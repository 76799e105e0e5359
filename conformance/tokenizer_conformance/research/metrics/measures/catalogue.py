"""All measures, in the order in which they are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.wrapping import wrapped
from tokenizer_conformance.research.metrics.measures.agreement_measures import MORPHEME_MEASURES, PAIR_MEASURES
from tokenizer_conformance.research.metrics.measures.id_measures import ID_MEASURES
from tokenizer_conformance.research.metrics.measures.language_measures import (
    BASE_MEASURES,
    LANGUAGE_MEASURES,
    REFERENCE_MEASURES,
)
from tokenizer_conformance.research.metrics.measures.text_measures import TEXT_MEASURES
from tokenizer_conformance.research.metrics.measures.vocabulary_measures import OVERLAP_MEASURES, VOCABULARY_MEASURES
from tokenizer_conformance.research.metrics.measures.words import WORD_DEFINITIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenizer_conformance.research.metrics.measures.measure import Measure


MEASURES: tuple[Measure[Any], ...] = (
    *TEXT_MEASURES,
    *ID_MEASURES,
    *BASE_MEASURES,
    *REFERENCE_MEASURES,
    *LANGUAGE_MEASURES,
    *PAIR_MEASURES,
    *MORPHEME_MEASURES,
    *VOCABULARY_MEASURES,
    *OVERLAP_MEASURES,
)
"""All measures."""

MEASURE_BY_ID: dict[str, Measure[Any]] = {measure.id: measure for measure in MEASURES}


DENOMINATORS: dict[str, str] = {
    "tokens_per_text": "texts that are not blank",
    "fertility": "words",
    **dict.fromkeys(("word_fertility", "kept_words", "continued_words", "lost_words"), "words of texts with offsets"),
    **dict.fromkeys(("characters_per_token", "bytes_per_token", "unknown_tokens"), "tokens"),
    "unknown_characters": "characters of texts with offsets that are not white space",
    **dict.fromkeys(
        ("lossless", "lossless_nfc", "lossless_nfkc", "lossless_white_space", "lossless_case"),
        "texts that were decoded and are not blank",
    ),
    "vocabulary_use": "ids of the vocabulary",
    "shannon_efficiency": "log₂ of the number of ids seen",
    "renyi_efficiency": "log₂ of the number of ids seen",
    "renyi_efficiency_vocabulary": "log₂ of the number of ids of the vocabulary",
    **dict.fromkeys(("percentile_frequency", "white_space_tokens", "partial_tokens"), "tokens"),
    **dict.fromkeys(
        ("token_bytes", "token_characters"), "tokens that are entries of the model, added and unknown ones left out"
    ),
    "normalized_sequence_length": "tokens of the base for the same texts",
    "premium": "tokens of the same texts in the reference language",
    "gini": "tokens per text of the languages, added up, times their number",
    "premium_spread": "tokens per text of the language with the fewest",
    "boundary_precision": "boundaries of the second tokenizer",
    "boundary_recall": "boundaries of the first tokenizer",
    "boundary_f1": "boundaries of both tokenizers, halved",
    "boundary_kappa": "the largest agreement beyond chance",
    "same_words": "words of which neither tokenizer drops a character",
    "morpheme_precision": "boundaries between tokens, inside words",
    "morpheme_recall": "boundaries between morphemes",
    "morpheme_f1": "boundaries between tokens and between morphemes, halved",
    **dict.fromkeys(
        ("morpheme_precision_by_word", "morpheme_recall_by_word", "morpheme_f1_by_word"),
        "words with more than one morpheme",
    ),
    "exact_words": "words with their morphemes",
    "morph_score": "words with more than one morpheme that are cut",
    "entry_bytes": "entries of the model, added tokens and the unknown one left out",
    **dict.fromkeys(("vocabulary_overlap", "vocabulary_overlap_unmarked"), "entries that either vocabulary has"),
}
"""What each measure is divided by; those that are no ratio are not here."""

PAGE = "docs/reference/metrics.md"
"""The page that defines all measures, with formulas, sources and limits."""

_BETTER = {"higher": "; higher is better", "lower": "; lower is better", "none": ""}


def definition_lines(measures: Iterable[Measure[object]], width: int | None) -> Iterator[str]:
    """Yield lines that define ``measures`` and what a word is."""
    for each in measures:
        unit = "" if each.unit in ("1", each.title) else f", in {each.unit}"
        divided = f" Divided by: {DENOMINATORS[each.id]}." if each.id in DENOMINATORS else ""
        told = f"{each.id}: {each.definition}{divided} ({each.title}{unit}{_BETTER[each.better]})"
        yield from wrapped(told, width, 4)
    yield ""
    yield "What a word is (--words):"
    for definition in WORD_DEFINITIONS:
        yield from wrapped(f"  {definition.id}: {definition.definition}", width, 6)
    yield ""
    yield from wrapped(f"Formulas, sources and limits: {PAGE}", width, 2)
