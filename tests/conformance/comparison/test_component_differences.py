"""At which places two documents differ, and how they are told."""

from __future__ import annotations

from typing import Any

import pytest

from tokenizer_conformance.comparison.component_differences import Change, Component, Replacement, changes_between
from tokenizer_conformance.releases.loader_audit.defaults import left_out_by_calls
from tokenizer_conformance.releases.loader_audit.wording import change_lines


@pytest.mark.parametrize(
    ("raw", "loaded", "changes"),
    [
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, [Change("x.b", 2, 3)]),
        ([1, 2, 3], [1, 5, 3], [Change("x[1]", 2, 5)]),
        ([1, 2], [1, 2, 3], [Change("x", [1, 2], [1, 2, 3])]),
        ({"type": "A", "a": 1}, {"type": "B", "a": 2}, [Change("x", {"type": "A", "a": 1}, {"type": "B", "a": 2})]),
        ({"a": 1}, {"a": 1}, []),
        (1, True, [Change("x", 1, True)]),
        (1, 2, [Change("x", 1, 2)]),
    ],
)
def test_places_that_differ_are_told_each(raw: Any, loaded: Any, changes: list[Change]) -> None:
    assert list(changes_between(raw, loaded, "x")) == changes


@pytest.mark.parametrize(("count", "told"), [(1, []), (2, ["and 1 place more"]), (9, ["and 8 places more"])])
def test_places_that_are_not_kept_are_counted(count: int, told: list[str]) -> None:
    replacement = Replacement(Component.NORMALIZER, "normalizer", "is another", (Change("x", 1, 2),), count, {})
    assert change_lines(replacement) == ["x: 1 -> 2", *told]


def test_what_calls_leave_out_is_one_place_each() -> None:
    raw = {"truncation": {"max_length": 3}, "padding": {"pad_id": 0}}
    left_out = list(left_out_by_calls(raw, frozenset()))
    assert [each.count for each in left_out] == [len(each.changes) for each in left_out] == [1, 1]
