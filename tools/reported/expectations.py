"""Whether a record has what a case says: lines of which the members named have the values named.

An expected object has members of the actual one, be they named one by one or by a dotted path; a list of objects has
each of them somewhere in the actual list, any other list is the actual one. In a text, ``*`` stands for anything, and
``">2"`` for a number above two.

>>> matches({"finding.path": "$.normalizer*"}, {"finding": {"path": "$.normalizer.lowercase", "line": 3}})
True
>>> matches({"steps": [{"ids": [1, 2]}]}, {"steps": [{"ids": [1, 2, 3]}, {"ids": [1, 2]}]})
True
>>> matches({"ids": [1, 2]}, {"ids": [1, 2, 3]})
False
>>> matches({"count": ">2"}, {"count": 3}), matches({"count": ">2"}, {"count": 2})
(True, False)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reported.table import Case, Json


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a record does not have of what a case says: lines, and an exit status that is another one."""

    not_shown: tuple[Json, ...]
    not_explained: tuple[Json, ...]
    wrong: tuple[Json, ...]
    status: str | None

    @property
    def is_shown(self) -> bool:
        """Whether the bug is seen."""
        return not self.not_shown and self.status is None

    @property
    def is_explained(self) -> bool:
        """Whether nothing is missing of the reason, and no other reason is given."""
        return self.is_shown and not self.not_explained and not self.wrong


def judge(case: Case, record: Sequence[Json], status: int) -> Judgement:
    """Judge the ``record`` and the exit ``status`` of the command of ``case``."""
    return Judgement(
        not_shown=tuple(line for line in case.shown if not has(record, line)),
        not_explained=tuple(line for line in case.explained if not has(record, line)),
        wrong=tuple(line for line in case.never if has(record, line)),
        status=None if status == case.status else f"exit status {status}, not {case.status}",
    )


def has(record: Sequence[Json], expected: Json) -> bool:
    """Return whether any line of ``record`` is as ``expected``."""
    return any(matches(expected, line) for line in record)


def matches(expected: Any, actual: Any) -> bool:
    """Return whether ``actual`` is as ``expected``."""
    if isinstance(expected, dict):
        return all(_has_member(actual, key, value) for key, value in expected.items())
    if isinstance(expected, list):
        return isinstance(actual, list) and _matches_list(expected, actual)
    if isinstance(expected, str):
        return _matches_text(expected, actual)
    return type(expected) is type(actual) and bool(expected == actual)


def _has_member(actual: Any, key: str, value: Any) -> bool:
    if isinstance(actual, dict) and key in actual:
        return matches(value, actual[key])
    first, dot, rest = key.partition(".")
    return bool(dot) and isinstance(actual, dict) and first in actual and matches({rest: value}, actual[first])


def _matches_list(expected: list[Any], actual: list[Any]) -> bool:
    if expected and all(isinstance(each, dict) for each in expected):
        return all(any(matches(each, other) for other in actual) for each in expected)
    return len(expected) == len(actual) and all(map(matches, expected, actual))


def _matches_text(expected: str, actual: Any) -> bool:
    if isinstance(actual, str):
        pattern = ".*".join(map(re.escape, expected.split("*")))
        return re.fullmatch(pattern, actual, re.DOTALL) is not None
    limit = re.fullmatch(r">(-?\d+)", expected)
    return limit is not None and type(actual) in {int, float} and actual > int(limit[1])
