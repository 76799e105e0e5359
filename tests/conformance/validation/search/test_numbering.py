"""Causes keep the numbers by which they were told."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import fake_implementations as fakes

from tokenizer_conformance.validation.search.events import Checkpoint
from tokenizer_conformance.validation.search.pairing_search import Numbering


def cause(implementation: str, signature: str = "s") -> Any:
    """Return what a number is given for: of whom it is, what it looks like, and which input showed it first."""
    return SimpleNamespace(
        implementation=implementation, signature=signature, tokenizers=("t",), examples=(f"{implementation}/1",)
    )


def test_a_cause_that_was_told_keeps_its_number() -> None:
    numbering = Numbering()
    assert [numbering.tell(cause("a")), numbering.tell(cause("b")), numbering.tell(cause("a", "other"))] == [1, 2, 3]
    found = [cause("c"), cause("b", "better known"), cause("a", "other"), cause("a")]
    numbers: dict[tuple[str, Any], int] = {
        (each.implementation, each.signature): number for number, each in numbering.numbered(found)
    }
    assert numbers == {("a", "s"): 1, ("b", "better known"): 2, ("a", "other"): 3, ("c", "s"): 4}
    assert [number for number, _ in numbering.numbered([cause("c")])] == [4]


def test_each_number_is_given_once() -> None:
    """Two causes that one input has shown may both be known better in the end."""
    numbering = Numbering()
    assert [numbering.tell(cause("a")), numbering.tell(cause("a", "other"))] == [1, 2]
    found = [cause("a", "better known"), cause("a"), cause("a", "new")]
    numbered: list[tuple[int, Any]] = list(numbering.numbered(found))
    assert [(number, each.signature) for number, each in numbered] == [(1, "s"), (2, "better known"), (3, "new")]


def test_what_was_asked_so_far_is_told_when_it_is_time(searched: Any) -> None:
    options: dict[str, Any] = {"cases": 20}
    told, untold = (
        [each for each in searched(fakes.Mute, checkpoint_seconds=seconds, **options) if type(each) is Checkpoint]
        for seconds in (0.0, 3600.0)
    )
    assert told
    assert not untold
