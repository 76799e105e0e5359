"""Parts of a comparison of cuts are added up where all have loaded the same tokenizers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tokenizer_conformance.cli import compare_parts
from tokenizer_conformance.command_io.output import BadInput


class Counts:
    """What a part has counted of so many pairs."""

    def __init__(self, pairs: int) -> None:
        self.pairs = [None] * pairs
        self.merged: list[object] = []

    def merge(self, other: Counts) -> None:
        self.merged.append(other)


def parts_of(*counted: Counts | None) -> list[Any]:
    header = SimpleNamespace(part=None, inputs=None)
    return [SimpleNamespace(header=header, footer=None, counted=each, read=None) for each in counted]


@pytest.mark.parametrize("pairs", [1, 1000])
def test_parts_of_as_many_pairs_are_added_up(pairs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare_parts, "missing", lambda _parts: [])
    first, second, third = (Counts(pairs) for _ in range(3))
    merged = compare_parts._merged(parts_of(None, first, second, None, third), is_partial=True)
    counted: object = merged.counted
    assert counted is first
    assert first.merged == [second, third]
    assert (merged.is_whole, merged.is_broken, merged.is_partial) == (True, False, True)


@pytest.mark.parametrize(
    ("counted", "words"),
    [
        ((None, None), "no part has counted anything"),
        ((Counts(1), None, Counts(2)), "not all parts have loaded the same tokenizers"),
        ((Counts(2), Counts(1)), "not all parts have loaded the same tokenizers"),
    ],
)
def test_parts_that_do_not_fit_are_refused(counted: tuple[Counts | None, ...], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        compare_parts._merged(parts_of(*counted), is_partial=False)
