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


PAGE = "docs/metrics.md"
"""The page that defines all measures, with formulas, sources and limits."""

_BETTER = {"higher": "; higher is better", "lower": "; lower is better", "none": ""}


def definition_lines(measures: Iterable[Measure[object]], width: int | None) -> Iterator[str]:
    """Yield lines that define ``measures`` and what a word is."""
    for each in measures:
        unit = "" if each.unit == "1" else f", in {each.unit}"
        yield from wrapped(f"{each.id}: {each.definition} ({each.title}{unit}{_BETTER[each.better]})", width, 4)
    yield ""
    yield "What a word is (--words):"
    for definition in WORD_DEFINITIONS:
        yield from wrapped(f"  {definition.id}: {definition.definition}", width, 6)
    yield ""
    yield from wrapped(f"Formulas, sources and limits: {PAGE}", width, 2)
