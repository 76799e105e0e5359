"""Many small cases in one test: pytest takes longer to collect and report a test than such a case takes to run."""

from __future__ import annotations

from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

SHOWN = 20
"""How many of the cases that fail are shown."""


def in_one_test(names: str, cases: Collection[Any], shown: Callable[[Any], str] = repr) -> Callable[..., Any]:
    """Run a test for each of ``cases``, as ``pytest.mark.parametrize`` does, but as one test.

    All cases are run; those that fail are named, by ``shown``, with their errors. Cases may be skipped, but not all.
    They share the test's fixtures: use none that a case changes.
    """
    parameters = [name.strip() for name in names.split(",")]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def test_of_all(**fixtures: Any) -> None:
            def check(case: Any) -> None:
                values = case if len(parameters) > 1 else (case,)
                test(**fixtures, **dict(zip(parameters, values, strict=True)))

            run_all(check, cases, shown)

        taken = signature(test).parameters
        test_of_all.__signature__ = signature(test).replace(  # type: ignore[attr-defined]
            parameters=[each for name, each in taken.items() if name not in parameters]
        )
        return test_of_all

    return decorate


def run_all(check: Callable[[Any], None], cases: Collection[Any], shown: Callable[[Any], str] = repr) -> None:
    """Check all ``cases``; fail with the names of those that fail, by ``shown``, and their errors."""
    assert cases, "there are no cases"
    skipped, failed = [], []
    for case in cases:
        try:
            check(case)
        except (KeyboardInterrupt, SystemExit, pytest.exit.Exception):
            raise
        except pytest.skip.Exception as reason:
            skipped.append(str(reason))
        except BaseException as error:
            failed.append(f"{shown(case)}: {type(error).__name__}: {error}")
    if failed:
        pytest.fail("\n\n".join([f"{len(failed)} of {len(cases)} cases fail", *failed[:SHOWN]]), pytrace=False)
    if len(skipped) == len(cases):
        pytest.skip(skipped[0])
