"""Many cases in one test: all are run, and those that fail are named."""

from __future__ import annotations

from inspect import signature

import pytest
from in_one_test import in_one_test, run_all


def test_every_case_is_run_and_those_that_fail_are_named() -> None:
    tried = []

    @in_one_test("first, second", [(1, 1), (1, 2), (2, 2), (3, 4)])
    def equal(fixture: list[int], first: int, second: int) -> None:
        fixture.append(first)
        assert first == second, "they differ"

    assert list(signature(equal).parameters) == ["fixture"]
    with pytest.raises(pytest.fail.Exception, match=r"2 of 4 .*\n\n\(1, 2\): AssertionError: they differ") as told:
        equal(fixture=tried)
    assert "(3, 4)" in str(told.value)
    assert tried == [1, 1, 2, 3]


def test_panics_and_failures_are_named_too() -> None:
    class Panic(BaseException):
        pass

    def check(case: int) -> None:
        if case == 1:
            raise Panic("at 1")
        if case == 2:
            pytest.fail("at 2")

    with pytest.raises(pytest.fail.Exception, match=r"2 of 3 .*\n\n1: Panic: at 1\n\n2: Failed: at 2"):
        run_all(check, [0, 1, 2])


def test_cases_may_be_skipped_but_not_all_and_there_has_to_be_one() -> None:
    def check(case: int) -> None:
        if case:
            pytest.skip("it is not 0")

    run_all(check, [0, 1])
    with pytest.raises(pytest.skip.Exception, match="it is not 0"):
        run_all(check, [1, 2])
    with pytest.raises(AssertionError, match="there are no cases"):
        run_all(check, [])


def test_an_interrupt_ends_the_test() -> None:
    def check(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_all(check, [0, 1])
