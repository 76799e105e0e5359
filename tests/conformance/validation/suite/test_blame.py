"""Which place is blamed for an encoding that is wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tokenizer_adapters.contract import Encode, Encoded, Normalize, Outcome, Pieces, PreTokenize, Text
from tokenizer_conformance.validation.suite.judging import CaseVerdict, judge
from tokenizer_conformance.validation.suite.requirement import (
    Area,
    Case,
    CaseInPlace,
    Importance,
    Observed,
    Place,
    Requirement,
)

ENCODED = Encoded(ids=(1,), tokens=("é",), offsets=((0, 1),))
IN_BYTES = replace(ENCODED, offsets=((0, 2),))
OTHER_TOKEN = replace(IN_BYTES, ids=(2,), tokens=("e",))
PIECES = Pieces((("é", (0, 1)),))
NORMALIZED = Text("é")

RIGHT: tuple[tuple[Normalize | PreTokenize, Text | Pieces], ...] = (
    (Normalize("é"), NORMALIZED),
    (PreTokenize("é"), PIECES),
)


def blame(stage: Place, asked: tuple[type, ...], encoded: Outcome, document: dict[str, object]) -> Place | None:
    """Return the blame in an area of ``stage`` for an encoding, after right answers to the kinds ``asked``."""
    before = [pair for pair in RIGHT if isinstance(pair[0], asked)]
    steps = (*(Observed(*pair) for pair in before), Observed(Encode("é", add_special_tokens=False), ENCODED))
    case = Case(name="1", tokenizer="t", steps=steps, releases=())
    requirement = Requirement("ID", "", "", "", (), frozenset(), Importance.CORE, None, None, (case,))
    area = Area("area", "", stage, "", {"t": document}, (requirement,))
    result = judge(CaseInPlace(area, requirement, case), [*(answer for _, answer in before), encoded])
    assert result.verdict is CaseVerdict.FAILED
    return result.blame


@pytest.mark.parametrize(
    ("stage", "asked", "encoded", "blamed"),
    [
        (Place.NORMALIZE, (Normalize,), IN_BYTES, Place.NORMALIZE),
        (Place.NORMALIZE, (Normalize, PreTokenize), IN_BYTES, Place.NORMALIZE),
        (Place.PRE_TOKENIZE, (), IN_BYTES, Place.PRE_TOKENIZE),
        (Place.PRE_TOKENIZE, (Normalize,), IN_BYTES, Place.PRE_TOKENIZE),
        # The pieces have the right offsets, so the pre-tokenizer counts rightly.
        (Place.PRE_TOKENIZE, (PreTokenize,), IN_BYTES, Place.MODEL),
        (Place.POST_PROCESS, (), IN_BYTES, Place.MODEL),
        (Place.NORMALIZE, (Normalize,), OTHER_TOKEN, Place.MODEL),
        (Place.PRE_TOKENIZE, (), OTHER_TOKEN, Place.MODEL),
    ],
)
def test_offsets_alone_blame_the_stage_of_the_area_unless_it_showed_right_ones(
    stage: Place, asked: tuple[type, ...], encoded: Outcome, blamed: Place
) -> None:
    assert blame(stage, asked, encoded, {}) is blamed


@pytest.mark.parametrize(
    ("stage", "document", "blamed"),
    [
        (Place.POST_PROCESS, {"truncation": {"max_length": 3}, "padding": None}, Place.POST_PROCESS),
        (Place.POST_PROCESS, {"padding": {"pad_id": 3}}, Place.POST_PROCESS),
        (Place.POST_PROCESS, {"post_processor": {"type": "BertProcessing"}}, Place.POST_PROCESS),
        (Place.POST_PROCESS, {"truncation": None, "padding": None, "post_processor": None}, Place.MODEL),
        (Place.MODEL, {"truncation": {"max_length": 3}}, Place.MODEL),
        (Place.NORMALIZE, {"truncation": {"max_length": 3}}, Place.MODEL),
    ],
)
@pytest.mark.parametrize("encoded", [OTHER_TOKEN, replace(ENCODED, ids=(2,), tokens=("e",))])
def test_what_follows_the_model_is_blamed_in_its_own_areas(
    stage: Place, document: dict[str, object], blamed: Place, encoded: Outcome
) -> None:
    assert blame(stage, (Normalize,), encoded, document) is blamed
