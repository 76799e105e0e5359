"""What came of the tests: read from the lines that the plugin writes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

DEADLOCK = "it asks that a forked process hangs, as threads were at work before: the reference has none"

CONTRADICTIONS = {"test_multiprocessing_with_parallelism": DEADLOCK}
"""Tests that no other package than `tokenizers` can pass, by name, and why."""


class NotFinishedError(Exception):
    """The tests have not come to their end, or not met what they should."""


@dataclass(frozen=True, slots=True)
class Results:
    """The tests by place: those that passed, those that failed and those that cannot run, with the reason."""

    passed: frozenset[str]
    failed: dict[str, str]
    cannot_run: dict[str, str]

    @property
    def good(self) -> bool:
        """Whether all that can run has passed, and something has."""
        return bool(self.passed) and not self.failed


def read_results(file: Path, package: str, contradictions: dict[str, str]) -> Results:
    """Return the results that are in ``file``, of tests that met ``package``.

    Raises :class:`NotFinishedError`, where they met another one too.
    """
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []
    met = [row["reason"] for row in rows if row["outcome"] == "finished"]
    if not met:
        raise NotFinishedError(f"the tests ended before their end, after {len(rows)} of them")
    if met != [package]:
        raise NotFinishedError(f"the tests met {', '.join(met)} where they should have met {package}")
    failed = {row["place"]: row["reason"] for row in rows if row["outcome"] == "failed"}
    skipped = {row["place"]: row["reason"] for row in rows if row["outcome"] == "skipped"}
    passed = {row["place"] for row in rows if row["outcome"] == "passed"}
    contradicted = {
        place: contradictions[name] for place in failed if (name := place.rpartition("::")[2]) in contradictions
    }
    return Results(
        passed=frozenset(passed - failed.keys() - skipped.keys()),
        failed={place: reason for place, reason in failed.items() if place not in contradicted},
        cannot_run=skipped | contradicted,
    )
