"""Cases of a test of which the first stand for all in the default run; the others are run with the long tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from _pytest.mark import ParameterSet


def long_but(first: int, cases: Iterable[Any]) -> list[ParameterSet]:
    """Return ``cases`` for ``parametrize``, all but the ``first`` so many of them marked as long."""
    return [_case(case) if number < first else _long(case) for number, case in enumerate(cases)]


def _case(case: Any) -> ParameterSet:
    return case if hasattr(case, "marks") else pytest.param(*case) if isinstance(case, tuple) else pytest.param(case)


def _long(case: Any) -> ParameterSet:
    values, marks, name = _case(case)
    return pytest.param(*values, marks=[*marks, pytest.mark.long], id=name)
