"""What differs in two headers is said in words, a phrase for each change."""

from __future__ import annotations

from typing import Any

import pytest

from tokenizer_conformance.validation.running.record_changes import changes

A = {"name": "a.jsonl", "sha256": "1"}
B = {"name": "b.jsonl", "sha256": "1"}


@pytest.mark.parametrize(
    ("then", "now", "told"),
    [
        ({"repeats": None}, {"repeats": A}, "--last-failed: none then, a.jsonl now"),
        ({}, {"repeats": A}, "--last-failed: none then, a.jsonl now"),
        ({"repeats": A}, {"repeats": None}, "--last-failed: a.jsonl then, none now"),
        ({"repeats": A}, {"repeats": B}, "--last-failed: a.jsonl then, b.jsonl now"),
        ({"repeats": A}, {"repeats": A | {"sha256": "2"}}, "--last-failed: a.jsonl has changed"),
        ({"shard": None}, {"shard": {"part": 1, "of": 2}}, "all inputs then, part 1 of 2 now"),
        ({"shard": {"part": 1, "of": 2}}, {"shard": {"part": 2, "of": 2}}, "part 1 of 2 then, part 2 of 2 now"),
        ({"ledgers": [A]}, {"ledgers": [B]}, "ledgers: a.jsonl then, b.jsonl now"),
        ({"ledgers": [A]}, {"ledgers": [A | {"sha256": "2"}]}, "ledger a.jsonl: its file has changed"),
        ({"tokenizers": [A]}, {"tokenizers": [A | {"sha256": "2"}]}, "tokenizer a.jsonl: its file has changed"),
        ({"tokenizers": [A]}, {"tokenizers": [A, B]}, "tokenizers: a.jsonl then, a.jsonl, b.jsonl now"),
        ({"baseline": "a"}, {"baseline": "b"}, "baseline: a then, b now"),
        ({"environment": {"tokconf": "1"}}, {"environment": {"tokconf": "2"}}, "tokconf 1 then, 2 now"),
    ],
)
def test_a_change_is_told(then: dict[str, Any], now: dict[str, Any], told: str) -> None:
    assert changes(then, now) == [told]
    assert changes(now, now) == []
