"""What stops a command early: its events until then are told, and so is the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.internal_error import InternalError
from tokenizer_conformance.command_io.stopping import Stop

if TYPE_CHECKING:
    from collections.abc import Iterator

BUG = ValueError("a bug")


def until(error: BaseException | None) -> Iterator[str]:
    yield "found"
    if error is not None:
        raise error


@pytest.mark.parametrize(
    ("error", "last", "conclusion"),
    [
        (None, [], None),
        (KeyboardInterrupt(), [], Conclusion.INTERRUPTED),
        (BUG, [InternalError(BUG)], Conclusion.INTERNAL_ERROR),
    ],
    ids=["to the end", "interrupted", "bug"],
)
def test_what_came_before_is_told(
    error: BaseException | None, last: list[InternalError], conclusion: Conclusion | None
) -> None:
    stop = Stop()
    assert list(stop.guard(until(error))) == ["found", *last]
    assert stop.conclusion is conclusion


def test_who_stops_listening_stops_nothing() -> None:
    stop = Stop()
    events = stop.guard(until(None))
    next(iter(events))
    del events
    assert stop.conclusion is None
