"""A vocabulary that differs, as a page shows it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tokenizer_conformance.results.page import Novelty
from tokenizer_conformance.results.records.run import Known, OtherEntry, Vocabulary
from tokenizer_conformance.validation.running.loading_finding import vocabulary_finding


def entry(token: str, reason: str = "", link: str | None = None) -> OtherEntry:
    known = Known(ledger=0, entry=1, line=None, reason=reason, link=link, finding=None) if reason else None
    return OtherEntry(token=token, baseline=1, implementation=None, known=known)


@pytest.mark.parametrize(
    ("entries", "new", "standing", "known"),
    [
        ([entry("a")], 1, Novelty.NEW, ""),
        ([entry("a"), entry("b", "it is so")], 1, Novelty.NEW, ""),
        ([entry("a", "it is so", "https://x")], 0, Novelty.KNOWN, "it is so https://x"),
        ([entry("a", "it is so"), entry("b", "why"), entry("c", "it is so")], 0, Novelty.KNOWN, "it is so; why"),
        ([entry("a", "it is so"), entry("b")], 0, Novelty.KNOWN, "it is so"),
    ],
)
def test_known_entries_are_told_with_each_reason_once(
    entries: list[OtherEntry], new: int, standing: Novelty, known: str
) -> None:
    row: Any = SimpleNamespace(implementation="mine")
    found = Vocabulary(
        baseline=9, implementation=8, differing=5, known=5 - new, entries=tuple(entries), repeat="tokconf run"
    )
    shown = vocabulary_finding("t", row, found)
    assert (shown.id, shown.count, shown.repeat) == ("t/mine/vocabulary", 5, "tokconf run")
    assert (shown.standing, shown.known) == (standing, known)
    told = [f'"{each.token}": 1 -> not there' for each in entries]
    assert list(shown.lines) == [*told, f"and {5 - len(entries)} more"]
