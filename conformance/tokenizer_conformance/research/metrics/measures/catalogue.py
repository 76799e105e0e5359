"""All measures, in the order in which they are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_conformance.research.metrics.measures.agreement_measures import MORPHEME_MEASURES, PAIR_MEASURES
from tokenizer_conformance.research.metrics.measures.id_measures import ID_MEASURES
from tokenizer_conformance.research.metrics.measures.language_measures import (
    BASE_MEASURES,
    LANGUAGE_MEASURES,
    REFERENCE_MEASURES,
)
from tokenizer_conformance.research.metrics.measures.text_measures import TEXT_MEASURES
from tokenizer_conformance.research.metrics.measures.vocabulary_measures import OVERLAP_MEASURES, VOCABULARY_MEASURES

if TYPE_CHECKING:
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
