"""Which differences are told beside the one that is blamed: those that are no consequence of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import Chat, Decode, Encode, Normalize, PreTokenize, Stage, stage_of
from tokenizer_conformance.causes.explain.answer_lines import _follows

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation

ASKED: list[Observation] = [
    Normalize("a"),
    PreTokenize("a"),
    Encode("a", add_special_tokens=False),
    Encode("a"),
    Decode((1,)),
    Chat("[]"),
]

BEFORE_THE_MODEL = {Stage.NORMALIZE, Stage.PRE_TOKENIZE}

FOLLOWS: dict[Stage, set[Stage]] = {
    # The stage of a question, and those of a blamed difference that may be why it differs.
    Stage.NORMALIZE: {Stage.NORMALIZE},
    Stage.PRE_TOKENIZE: {Stage.PRE_TOKENIZE},
    Stage.MODEL: {*BEFORE_THE_MODEL, Stage.MODEL},
    Stage.POST_PROCESS: {*BEFORE_THE_MODEL, Stage.MODEL, Stage.POST_PROCESS},
    Stage.DECODE: {Stage.DECODE},
    Stage.CHAT: {Stage.CHAT},
}


def blame(stage: Stage, question: Observation) -> Any:
    return SimpleNamespace(witness=SimpleNamespace(stage=stage, question=question))


@pytest.mark.parametrize("question", ASKED, ids=lambda question: str(stage_of(question)))
def test_a_difference_follows_from_one_of_its_own_stage_or_of_those_before(question: Observation) -> None:
    another = Normalize("another")
    found = {stage for stage in Stage if _follows(question, blame(stage, another))}
    assert found == FOLLOWS[stage_of(question)]
    assert not _follows(question, None)
    assert not any(_follows(question, blame(stage, question)) for stage in Stage)
