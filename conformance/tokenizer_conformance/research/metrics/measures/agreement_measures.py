"""Measures of two segmentations: those of two tokenizers, and those into tokens and into morphemes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.research.metrics.measures.measure import Measure, Needs, Scope, ratio

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.research.metrics.measures.measure import Better
    from tokenizer_conformance.research.metrics.measures.morphemes import MorphemeTotals
    from tokenizer_conformance.research.metrics.measures.pair_tally import PairTotals

SPANS = frozenset({Needs.SPANS})
MORPHEMES = frozenset({Needs.SPANS, Needs.MORPHEMES})


def kappa(totals: PairTotals) -> float | None:
    """Return Cohen's kappa of cutting and not cutting at the places of ``totals``."""
    places = totals.places
    if not places:
        return None
    observed = (places - totals.first - totals.second + 2 * totals.both) / places
    first, second = totals.first / places, totals.second / places
    by_chance = first * second + (1 - first) * (1 - second)
    return ratio(observed - by_chance, 1 - by_chance)


def _pair(
    id: str,
    title: str,
    definition: str,
    formula: str,
    source: str,
    limits: str,
    compute: Callable[[PairTotals], float | None],
    needs: frozenset[Needs] = SPANS,
) -> Measure[PairTotals]:
    return Measure(id, title, definition, formula, "1", "none", source, limits, Scope.PAIR, compute, needs)


_PLACES = (
    "Boundaries are places between two characters that are not white space; those beside a character that one of the "
    "two drops are left out."
)
_CHANCE = "Tokenizers that cut a lot agree often by chance; kappa takes that off."

PAIR_MEASURES: tuple[Measure[PairTotals], ...] = (
    _pair(
        "boundary_precision",
        "boundary precision",
        "The share of the boundaries of the second tokenizer at which the first one cuts as well. " + _PLACES,
        "|A ∩ B| / |B|",
        "Usual for word segmentation.",
        "It is high for a second one that hardly cuts. " + _CHANCE,
        lambda totals: ratio(totals.both, totals.second),
    ),
    _pair(
        "boundary_recall",
        "boundary recall",
        "The share of the boundaries of the first tokenizer at which the second one cuts as well. " + _PLACES,
        "|A ∩ B| / |A|",
        "Usual for word segmentation.",
        "It is high for a second one that cuts everywhere. " + _CHANCE,
        lambda totals: ratio(totals.both, totals.first),
    ),
    _pair(
        "boundary_f1",
        "boundary F1",
        "The harmonic mean of precision and recall of boundaries; the same whichever tokenizer is the first. "
        + _PLACES,
        "2 |A ∩ B| / (|A| + |B|)",
        "Usual for word segmentation; Dice's coefficient.",
        "A boundary that is one character away is as wrong as any. " + _CHANCE,
        lambda totals: ratio(2 * totals.both, totals.first + totals.second),
    ),
    _pair(
        "boundary_kappa",
        "boundary kappa",
        "Cohen's kappa of the decisions to cut or not to, at all places between two characters that are not white "
        "space: the agreement beyond that of two tokenizers which cut as often, but anywhere.",
        "(p_o − p_e) / (1 − p_e)",
        "Cohen (1960).",
        "Chance agrees more often than it assumes where boundaries are likelier at some places than at others, as "
        "behind a punctuation mark.",
        kappa,
    ),
    _pair(
        "same_words",
        "words cut alike",
        "The share of words in which both tokenizers have the same boundaries, or none; words of which one drops a "
        "character are left out.",
        "|{w : A ∩ w = B ∩ w}| / W",
        "Usual for word segmentation.",
        "Words that both keep whole count, and they are most words of text that both were made for.",
        lambda totals: ratio(totals.same_words, totals.words),
        SPANS | {Needs.WORDS},
    ),
)
"""The measures of the agreement of two tokenizers."""


def _morphemes(
    id: str,
    title: str,
    definition: str,
    formula: str,
    source: str,
    limits: str,
    compute: Callable[[MorphemeTotals], float | None],
    better: Better = "higher",
) -> Measure[MorphemeTotals]:
    return Measure(id, title, definition, formula, "1", better, source, limits, Scope.MORPHEMES, compute, MORPHEMES)


_GOLD = (
    "Words are cut alone, out of their sentences. Where morphemes begin is in part a convention of those who wrote the "
    "segmentations down. "
)

MORPHEME_MEASURES: tuple[Measure[MorphemeTotals], ...] = (
    _morphemes(
        "morpheme_precision",
        "morpheme precision",
        "The share of the boundaries between tokens, inside words, that are between morphemes.",
        "Σ |A ∩ G| / Σ |A|",
        "Usual for morphological segmentation (Kurimo et al. 2006).",
        _GOLD + "A tokenizer that cuts nothing has none.",
        lambda totals: ratio(totals.both, totals.cut),
    ),
    _morphemes(
        "morpheme_recall",
        "morpheme recall",
        "The share of the boundaries between morphemes that are between tokens.",
        "Σ |A ∩ G| / Σ |G|",
        "Usual for morphological segmentation (Kurimo et al. 2006).",
        _GOLD + "Cutting everywhere has all of them.",
        lambda totals: ratio(totals.both, totals.gold),
    ),
    _morphemes(
        "morpheme_f1",
        "morpheme F1",
        "The harmonic mean of precision and recall of all boundaries together.",
        "2 Σ |A ∩ G| / (Σ |A| + Σ |G|)",
        "Usual for morphological segmentation (Kurimo et al. 2006).",
        _GOLD,
        lambda totals: ratio(2 * totals.both, totals.cut + totals.gold),
    ),
    _morphemes(
        "morpheme_precision_by_word",
        "morpheme precision by word",
        "The precision of each word with more than one morpheme, 0 if it is not cut, on average over these words.",
        "mean_w |A_w ∩ G_w| / |A_w|",
        "Macro average.",
        _GOLD,
        lambda totals: ratio(totals.precision, totals.complex_words),
    ),
    _morphemes(
        "morpheme_recall_by_word",
        "morpheme recall by word",
        "The recall of each word with more than one morpheme, on average over these words.",
        "mean_w |A_w ∩ G_w| / |G_w|",
        "Macro average.",
        _GOLD,
        lambda totals: ratio(totals.recall, totals.complex_words),
    ),
    _morphemes(
        "morpheme_f1_by_word",
        "morpheme F1 by word",
        "The F1 of each word with more than one morpheme, 0 if it is not cut, on average over these words.",
        "mean_w 2 |A_w ∩ G_w| / (|A_w| + |G_w|)",
        "Macro average.",
        _GOLD,
        lambda totals: ratio(totals.f1, totals.complex_words),
    ),
    _morphemes(
        "exact_words",
        "words cut into morphemes",
        "The share of words whose boundaries between tokens are exactly those between morphemes.",
        "|{w : A_w = G_w}| / W",
        "Usual for morphological segmentation.",
        _GOLD + "A word of one morpheme that is kept whole counts.",
        lambda totals: ratio(totals.exact_words, totals.words),
    ),
    _morphemes(
        "morph_score",
        "MorphScore",
        "The share of the boundaries between morphemes that are between tokens, on average over the words that have "
        "more than one morpheme and are cut at all.",
        "mean_{w : A_w ≠ ∅, G_w ≠ ∅} |A_w ∩ G_w| / |G_w|",
        "Arnett and Bergen (2025), where each word has one boundary; theirs for words of two morphemes.",
        _GOLD + "Words that are kept whole are left out, be that right or wrong; cutting everywhere has the value 1.",
        lambda totals: ratio(totals.score, totals.scored_words),
    ),
)
"""The measures of how far tokens are morphemes."""
