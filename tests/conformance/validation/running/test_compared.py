"""How far ahead inputs are read."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_conformance.inputs.corpus import PairedInput
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.validation.running.compared import HereComparer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_conformance.validation.running.compared import Compared


class Reading(HereComparer):
    """Asks nobody, and remembers how many inputs are asked about at once."""

    def __init__(self, *, is_batching: bool) -> None:
        sides: Any = SimpleNamespace(batching=is_batching)
        super().__init__(sides, reach=lambda each: self.read.append(each.input.id))
        self.read: list[str] = []
        self.at_once: list[int] = []
        self.told: list[tuple[str, int]] = []

    def ask_ahead(self, batch: Sequence[PairedInput]) -> None:
        self.at_once.append(len(batch))

    def text(self, each: PairedInput) -> dict[str, Compared]:
        self.told.append((each.input.id, len(self.read)))
        return {}


@pytest.mark.parametrize(
    ("is_batching", "at_once", "read"),
    [(False, [1, 1, 1, 1, 1], [1, 2, 3, 4, 5]), (True, [1, 2, 2], [1, 3, 3, 5, 5])],
)
def test_no_input_is_read_ahead_where_that_makes_nobody_faster(
    is_batching: bool, at_once: list[int], read: list[int]
) -> None:
    inputs = [Input(str(number), "test", "a") for number in range(5)]
    comparer = Reading(is_batching=is_batching)
    told = list(comparer.texts([PairedInput(each, each) for each in inputs]))
    assert [pair.input for pair, _ in told] == inputs
    assert comparer.told == [(str(number), count) for number, count in enumerate(read)]
    assert comparer.at_once == at_once
