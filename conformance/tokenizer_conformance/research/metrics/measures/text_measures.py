"""Measures of a tokenizer on texts: functions of sums over texts."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from tokenizer_conformance.research.metrics.measures.measure import Measure, Needs, Scope, ratio

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.research.metrics.measures.measure import Better
    from tokenizer_conformance.research.metrics.measures.tally import Totals

WORDS = frozenset({Needs.WORDS})
SPANS = frozenset({Needs.SPANS})
WORDS_AND_SPANS = WORDS | SPANS
DECODED = frozenset({Needs.DECODED})
VOCABULARY = frozenset({Needs.VOCABULARY})


def _ratio(numerator: str, denominator: str) -> Callable[[Totals], float | None]:
    """Return what divides one sum by another."""
    above, below = attrgetter(numerator), attrgetter(denominator)
    return lambda totals: ratio(above(totals), below(totals))


def _measure(
    id: str,
    title: str,
    definition: str,
    formula: str,
    unit: str,
    better: Better,
    source: str,
    limits: str,
    compute: Callable[[Totals], float | None],
    needs: frozenset[Needs] = frozenset(),
) -> Measure[Totals]:
    return Measure(id, title, definition, formula, unit, better, source, limits, Scope.TEXTS, compute, needs)


_UNKNOWN = (
    " One unknown token may stand for a whole sentence, so that a tokenizer which does not know the script looks best: "
    "look at the share of unknown characters."
)
_ROUND_TRIP = "Usual; what is undone before comparing is stated by this suite."
_ROUND_TRIP_LIMITS = (
    "A text counts as changed whether one character is lost or all of them. Long texts are changed more often than "
    "short ones, so shares compare only on the same texts."
)


def _count(
    id: str,
    title: str,
    definition: str,
    formula: str,
    count: Callable[[Totals], float],
    better: Better = "none",
    needs: frozenset[Needs] = frozenset(),
) -> Measure[Totals]:
    limits = "It counts what was given, and says nothing about a tokenizer by itself."
    return Measure(id, title, definition, formula, title, better, "Usual.", limits, Scope.TEXTS, count, needs, False)


COUNTS: tuple[Measure[Totals], ...] = (
    _count("texts", "texts", "How many texts that are not blank were cut.", "N", attrgetter("written_texts")),
    _count(
        "blank_texts",
        "blank texts",
        "How many texts were cut that are empty or white space alone. They are in no share of texts; their tokens, "
        "characters and bytes are counted.",
        "N_blank",
        lambda totals: totals.texts - totals.written_texts,
    ),
    _count(
        "words",
        "words",
        "How many words, by the definition in the report, the texts have.",
        "W",
        attrgetter("words"),
        needs=WORDS,
    ),
    _count(
        "characters",
        "characters",
        "How many characters (code points, white space included) the texts have.",
        "C",
        attrgetter("characters"),
    ),
    _count("bytes", "bytes", "How many bytes in UTF-8 the texts have.", "B", attrgetter("bytes")),
    _count(
        "tokens",
        "tokens",
        "How many tokens, without special ones, the texts are cut into.",
        "T",
        attrgetter("tokens"),
        "lower",
    ),
)
"""How much was counted: what other measures are shares of."""

TEXT_MEASURES: tuple[Measure[Totals], ...] = (
    *COUNTS,
    _measure(
        "tokens_per_text",
        "tokens per text",
        "The number of tokens, without special ones, of the texts that are not blank, divided by their number.",
        "T_N / N",
        "tokens",
        "lower",
        "Usual.",
        "It depends on how long the texts are: it compares tokenizers on the same texts, and nothing else." + _UNKNOWN,
        _ratio("written_tokens", "written_texts"),
    ),
    _measure(
        "fertility",
        "fertility",
        "The number of all tokens divided by the number of words. Each token counts once, also one of white space or "
        "punctuation alone, and one that stands for several words.",
        "T / W",
        "tokens per word",
        "lower",
        "Ács (2019); Rust et al. (2021), there over words given one by one.",
        "It follows from what counts as a word: by white space punctuation adds tokens and no words. Languages with "
        "long words have high values with any tokenizer. A low value is no proof of good pieces: a larger vocabulary "
        "lowers it." + _UNKNOWN,
        _ratio("tokens", "words"),
        WORDS,
    ),
    _measure(
        "word_fertility",
        "tokens of a word",
        "How many tokens stand for at least one character of a word, on average over words. A token that stands for "
        "several words counts for each of them; tokens outside words, of white space or punctuation, do not count.",
        "Σ_w t(w) / W",
        "tokens per word",
        "lower",
        "Rust et al. (2021), for words in their texts.",
        "As fertility, but what stands between words does not matter; an unknown token counts like others.",
        _ratio("word_tokens", "cut_words"),
        WORDS_AND_SPANS,
    ),
    _measure(
        "kept_words",
        "words kept whole",
        "The share of words for which exactly one token stands, which is not an unknown one (single-word retention).",
        "|{w : t(w) = 1, known}| / W",
        "1",
        "higher",
        "Single token retention rate of Nayeem et al. (2025), there of words given one by one, unknown ones included.",
        "A word within a token that stands for more than it, such as its punctuation, is kept as well.",
        _ratio("kept_words", "cut_words"),
        WORDS_AND_SPANS,
    ),
    _measure(
        "continued_words",
        "continued words",
        "The share of words for which two or more tokens stand.",
        "|{w : t(w) ≥ 2}| / W",
        "1",
        "lower",
        "Rust et al. (2021), proportion of continued words.",
        "It does not say into how many pieces words go, nor whether these are sensible.",
        _ratio("continued_words", "cut_words"),
        WORDS_AND_SPANS,
    ),
    _measure(
        "lost_words",
        "dropped words",
        "The share of words for which no token stands at all.",
        "|{w : t(w) = 0}| / W",
        "1",
        "lower",
        "This suite.",
        "A word that lost some of its characters is not counted.",
        _ratio("lost_words", "cut_words"),
        WORDS_AND_SPANS,
    ),
    _measure(
        "characters_per_token",
        "characters per token",
        "The number of characters (code points, white space included) divided by the number of tokens.",
        "C / T",
        "characters",
        "higher",
        "Usual; also called compression.",
        "Characters carry different amounts of text in different scripts: it compares tokenizers on the same texts."
        + _UNKNOWN,
        _ratio("characters", "tokens"),
    ),
    _measure(
        "bytes_per_token",
        "bytes per token",
        "The number of bytes of the texts in UTF-8 divided by the number of tokens.",
        "B / T",
        "bytes",
        "higher",
        "Usual; also called compression.",
        "UTF-8 takes one to four bytes a character, depending on the script: languages cannot be compared by it."
        + _UNKNOWN,
        _ratio("bytes", "tokens"),
    ),
    _measure(
        "unknown_tokens",
        "unknown tokens",
        "The share of tokens that are the unknown token of the model.",
        "T_unk / T",
        "1",
        "lower",
        "Usual; Petrov et al. (2023) leave out languages with more than a tenth.",
        "One unknown token may stand for a character, a word or a run of either. A tokenizer with bytes in its "
        "vocabulary has none by construction.",
        _ratio("unknown_tokens", "tokens"),
        VOCABULARY,
    ),
    _measure(
        "unknown_characters",
        "unknown characters",
        "The share of characters other than white space for which an unknown token stands.",
        "C_unk / C_visible",
        "1",
        "lower",
        "This suite.",
        "A word that is unknown for one of its characters counts with all of them: so the model sees it.",
        _ratio("unknown_characters", "cut_visible"),
        SPANS | VOCABULARY,
    ),
    _measure(
        "lossless",
        "round trip",
        "The share of the texts that come back from their tokens as they were. Blank texts do not count: an empty line "
        "comes back from any tokenizer.",
        "|{x : decode(encode(x)) = x}| / N",
        "1",
        "higher",
        _ROUND_TRIP,
        _ROUND_TRIP_LIMITS,
        _ratio("same_texts", "decoded_texts"),
        DECODED,
    ),
    *(
        _measure(
            f"lossless_{id}",
            f"round trip, {title}",
            f"The share of the texts, blank ones left out, that come back from their tokens the same after {what} of "
            "both.",
            f"|{{x : f(decode(encode(x))) = f(x)}}| / N, f = {formula}",
            "1",
            "higher",
            _ROUND_TRIP,
            _ROUND_TRIP_LIMITS,
            _ratio(field, "decoded_texts"),
            DECODED,
        )
        for id, title, what, formula, field in (
            ("nfc", "after NFC", "Unicode's normalization form C", "NFC", "same_after_nfc"),
            ("nfkc", "after NFKC", "Unicode's normalization form KC", "NFKC", "same_after_nfkc"),
            (
                "white_space",
                "but for white space",
                "normalization form KC and leaving out all white space",
                "NFKC without white space",
                "same_without_white_space",
            ),
            (
                "case",
                "but for white space and case",
                "normalization form KC, case folding and leaving out all white space",
                "NFKC, folded, without white space",
                "same_without_case",
            ),
        )
    ),
)
"""The measures of a tokenizer on texts."""
