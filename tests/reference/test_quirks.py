"""The requirements of importance quirk that no file shows, asked of the target and of the reference through Python.

What a tokenizer.json shows is asked with the cases of the suite (``test_suite.py``). Which error it is where there is
no answer, the suite leaves free: it is said here.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import tokenizers
from in_one_test import run_all
from quirk_cases import CASES, GROUPS
from quirk_cases.case import Aborts, Case, Hangs, Left, Panics, Refuses, Shows, Varies

import tokenizer_reference
from tokenizer_conformance.validation.suite.reader import read_rules
from tokenizer_conformance.validation.suite.requirement import Importance
from tokenizer_reference.errors import TokenizerReferenceError, UpstreamPanicError

MATERIAL = Path(__file__).parent / "material"

TRIES = 64
"""How often a random answer is asked for: one of two answers is missed with a probability of two to the minus 63."""

HANGING_SECONDS = 0.5
"""After how long a question is taken for one without an end; others take a thousandth of that."""


# What a case shows ---------------------------------------------------------------------------------------------------


def check(case: Case, id_: str) -> None:
    match case:
        case Shows():
            check_shown(case)
        case Refuses():
            check_refused(case)
        case Panics():
            check_panic(case)
        case Aborts():
            check_abort(case, id_)
        case Hangs():
            check_hanging(case, id_)
        case Varies():
            check_varying(case)
        case _:
            pytest.fail(f"a case of no known sort: {case}")


def check_shown(case: Shows) -> None:
    assert case.ask(tokenizers) == case.odd
    assert case.ask(tokenizer_reference) == (case.odd if case.reference is Left.OUT else case.reference)
    assert case.naive != case.odd


def check_refused(case: Refuses) -> None:
    with pytest.raises(Exception, match=case.message) as refusal:
        case.ask(tokenizers)
    # The bindings raise a bare Exception, or one of these: so a mistake in the case itself is not taken for a refusal.
    assert refusal.type in (Exception, ValueError, TypeError)
    with pytest.raises((TokenizerReferenceError, ValueError, TypeError)):
        case.ask(tokenizer_reference)


def check_panic(case: Panics) -> None:
    with pytest.raises(BaseException, match=case.message) as panic:
        case.ask(tokenizers)
    assert panic.type.__name__ == "PanicException"
    assert not issubclass(panic.type, Exception)
    if case.reference is not Left.OUT:
        assert case.ask(tokenizer_reference) == case.reference
        return
    with pytest.raises(case.error):
        case.ask(tokenizer_reference)


def lone_question(id_: str) -> tuple[list[str], dict[str, str]]:
    """Return the command that asks the target in a process of its own, and its environment."""
    environment = {**os.environ, "PYTHONPATH": str(MATERIAL), "RUST_BACKTRACE": "0"}
    return [sys.executable, "-m", "quirk_cases", id_], environment


def check_abort(case: Aborts, id_: str) -> None:
    command, environment = lone_question(id_)
    process = subprocess.run(command, capture_output=True, check=False, env=environment)
    assert process.returncode == -signal.SIGABRT, process.stderr.decode(errors="replace")[-2000:]
    with pytest.raises(UpstreamPanicError):
        case.ask(tokenizer_reference)


def check_hanging(case: Hangs, id_: str) -> None:
    command, environment = lone_question(id_)
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == b"asked\n"
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(HANGING_SECONDS)
        finally:
            process.kill()
    assert case.ask(tokenizer_reference) == case.reference


def check_varying(case: Varies) -> None:
    answers = {case.ask(tokenizers) for _ in range(TRIES)}
    assert len(answers) > 1
    assert answers <= case.answers
    assert {case.ask(tokenizer_reference) for _ in range(TRIES)} == {case.reference}
    assert case.reference in case.answers


ALONE = [id_ for id_, case in CASES.items() if isinstance(case, Aborts | Hangs)]
"""These have a process of their own."""


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: next(iter(group)))
def test_quirks(group: dict[str, Case]) -> None:
    run_all(lambda id_: check(group[id_], id_), [id_ for id_ in group if id_ not in ALONE])


@pytest.mark.long_but(1)
@pytest.mark.parametrize("id_", ALONE)
def test_quirk_that_ends_or_hangs_the_target(id_: str) -> None:
    check(CASES[id_], id_)


# The requirements ----------------------------------------------------------------------------------------------------


def test_every_case_has_a_requirement_and_what_the_suite_cannot_ask_a_case() -> None:
    quirks = {found.id: found for _, found in read_rules().requirements() if found.importance is Importance.QUIRK}
    assert CASES.keys() - quirks.keys() == set()
    assert {id_ for id_, found in quirks.items() if found.not_asked} - CASES.keys() == set()
    shown_twice = {id_ for id_, case in CASES.items() if isinstance(case, Shows) and not quirks[id_].not_asked}
    assert shown_twice == set()


def test_cases_are_of_different_quirks() -> None:
    assert sum(map(len, GROUPS)) == len(CASES)


def is_same(case: Case) -> bool:
    """Tell whether the reference does the same, or raises an error for a panic."""
    match case:
        case Shows():
            return case.reference is Left.OUT
        case Panics():
            return case.reference is Left.OUT and case.error is UpstreamPanicError
        case Refuses() | Aborts():
            return True
    return False


def test_a_case_says_what_the_reference_does_where_it_is_not_the_same() -> None:
    assert [id_ for id_, case in CASES.items() if is_same(case) == bool(case.instead)] == []


# A check that cannot fail shows nothing ------------------------------------------------------------------------------

FALSE_CASES: dict[str, Case] = {
    "another answer": Shows(ask=lambda package: package.normalizers.NFC().normalize_str("a"), odd="b"),
    "the naive answer": Shows(ask=lambda package: package.normalizers.NFC().normalize_str("a"), odd="a", naive="a"),
    "another answer of the reference": Shows(
        ask=lambda package: package.normalizers.NFC().normalize_str("a"), odd="a", reference="b"
    ),
    "no refusal": Refuses(ask=lambda package: package.normalizers.NFC(), message="."),
    "a mistake in the case": Refuses(ask=lambda package: package.normalizers.nothing, message="."),
    "no panic": Panics(ask=lambda package: package.normalizers.NFC(), message="."),
    "a mistake instead of a panic": Panics(ask=lambda package: package.normalizers.nothing, message="."),
    "one answer only": Varies(ask=lambda _: 1, answers=frozenset({1, 2}), reference=1),
}


@pytest.mark.parametrize("name", FALSE_CASES)
def test_a_false_case_is_found_out(name: str) -> None:
    with pytest.raises((AssertionError, AttributeError, pytest.fail.Exception)):
        check(FALSE_CASES[name], name)


def test_a_process_that_lives_is_no_abort() -> None:
    id_ = "SLICE-IGNORES-ITS-STEP"
    with pytest.raises(AssertionError):
        check(Aborts(ask=CASES[id_].ask), id_)


def test_a_process_that_ends_does_not_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.HANGING_SECONDS", 60)  # it ends at once, but not on a busy machine
    id_ = "SLICE-IGNORES-ITS-STEP"
    with pytest.raises(pytest.fail.Exception):
        check(Hangs(ask=CASES[id_].ask, reference=None), id_)


def test_panics_of_the_target_are_not_taken_for_errors_of_the_case() -> None:
    def panicking(package: Any) -> object:
        return package.pre_tokenizers.FixedLength(0).pre_tokenize_str("a")

    with pytest.raises(BaseException, match="chunk size") as panic:
        check_refused(Refuses(ask=panicking, message="chunk size"))
    assert panic.type.__name__ == "PanicException"
