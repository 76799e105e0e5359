"""Streams of whole words: which context they leave out is told from streams in which it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.contract import Chunks, Decode, DecodeStream, Text
from tokenizer_conformance.causes.classes.stream_rules import WordRule
from tokenizer_conformance.research.streams_audit.law import Texts
from tokenizer_conformance.research.streams_audit.reasons import reasons_of

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation, Outcome

A, LINE, SPACED = range(3)
TOKENS = {A: "a", LINE: "\n", SPACED: "▁d"}


def ask(question: Observation) -> Outcome:
    """Decode as Metaspace does: no space at the beginning."""
    assert isinstance(question, Decode)
    return Text("".join(TOKENS[id_] for id_ in question.ids).replace("▁", " ").removeprefix(" "))


@pytest.mark.parametrize(
    ("prompt", "ids", "reason"),
    [
        ((A,), (SPACED, SPACED), "words without the prompt"),
        ((), (A, LINE, SPACED, SPACED), "words without the line before"),
        ((A,), (SPACED, LINE, SPACED), "words without the prompt and the line before"),
    ],
)
def test_the_context_that_is_left_out_is_named(prompt: tuple[int, ...], ids: tuple[int, ...], reason: str) -> None:
    stream = DecodeStream(ids, prompt=prompt)
    given = Chunks(WordRule().steps(Texts(ask, skip_special_tokens=True), stream))
    first, *_ = reasons_of(stream, given, ask, {"decoder": None, "added_tokens": []}, TOKENS)
    assert first.name == reason
    assert first.proof[-1] == "With that as context, the same rule gives the text of all ids."
