"""Where two files that were saved differ: the path in either, and both values as JSON that is safe to show."""

from __future__ import annotations

from typing import Any

import pytest

from tokenizer_conformance.releases.diff.loading_changes import document_changes


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ({"a": "é"}, {"a": "\u202e"}, [("$.a", '"\\u00e9"', '"\\u202e"')]),
        ({"a": "é"}, {}, [("$.a", '"\\u00e9"', "not there")]),
        ({}, {"b c": "\x1b"}, [('$["b c"]', "not there", '"\\u001b"')]),
        ({"é\u202e": 1}, {"é\u202e": 2}, [('$["\\u00e9\\u202e"]', "1", "2")]),
        ([1, [2, 3]], [1, [2, 4]], [("$[1][1]", "3", "4")]),
        ([1], [1, 2], [("$", "[1]", "[1, 2]")]),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, []),
        ({"a": 1}, {"a": True}, [("$.a", "1", "true")]),
        (["é"], None, [("$", '["\\u00e9"]', "null")]),
    ],
)
def test_places_that_differ(old: Any, new: Any, changes: list[tuple[str, str, str]]) -> None:
    assert list(document_changes(old, new)) == changes


def test_what_lies_deeper_is_compared_whole() -> None:
    assert list(document_changes({"a": {"b": [1]}}, {"a": {"b": [2]}}, "x", 1)) == [("x.a", '{"b": [1]}', '{"b": [2]}')]
