"""The quirk register: every quirk is asked of the target and of the reference."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import tokenizers
from quirk_cases import CASES, GROUPS
from quirk_cases.case import Aborts, Case, Left, Panics, Refuses, Shows, Varies

import tokenizer_reference
from tokenizer_reference.errors import TokenizerReferenceError, UpstreamPanicError
from tokenizer_reference.quirks import QUIRKS, SAME, Kind, quirks_of

MATERIAL = Path(__file__).parent / "material"

TRIES = 64
"""How often a random answer is asked for: one of two answers is missed with a probability of two to the minus 63."""


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


def check_abort(case: Aborts, id_: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(MATERIAL), "RUST_BACKTRACE": "0"}
    process = subprocess.run(
        [sys.executable, "-m", "quirk_cases", id_], capture_output=True, check=False, env=environment
    )
    assert process.returncode == -signal.SIGABRT, process.stderr.decode(errors="replace")[-2000:]
    with pytest.raises(UpstreamPanicError):
        case.ask(tokenizer_reference)


def check_varying(case: Varies) -> None:
    answers = {case.ask(tokenizers) for _ in range(TRIES)}
    assert len(answers) > 1
    assert answers <= case.answers
    assert {case.ask(tokenizer_reference) for _ in range(TRIES)} == {case.reference}
    assert case.reference in case.answers


@pytest.mark.parametrize("id_", CASES)
def test_quirk(id_: str) -> None:
    check(CASES[id_], id_)


# The register --------------------------------------------------------------------------------------------------------


def test_every_quirk_has_a_case_and_every_case_a_quirk_in_the_same_order() -> None:
    assert [quirk.id for quirk in QUIRKS] == list(CASES)
    assert sum(map(len, GROUPS)) == len(CASES)


def test_ids_are_unique_and_in_kebab_case() -> None:
    assert [id_ for id_, count in Counter(quirk.id for quirk in QUIRKS).items() if count > 1] == []
    assert [quirk.id for quirk in QUIRKS if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", quirk.id)] == []


def test_summaries_are_one_sentence_on_one_line_and_unique() -> None:
    summaries = [quirk.summary for quirk in QUIRKS]
    assert [summary for summary in summaries if not re.fullmatch(r"[^\n]{10,130}\.", summary)] == []
    assert len(set(summaries)) == len(summaries)


def test_each_quirk_names_the_test_that_runs_it(request: pytest.FixtureRequest) -> None:
    file = Path(__file__).relative_to(request.config.rootpath).as_posix()
    assert {quirk.test for quirk in QUIRKS} == {f"{file}::test_quirk[{id_}]" for id_ in CASES}


SORTS: dict[Kind, tuple[type[Case], ...]] = {Kind.PANIC: (Panics, Shows), Kind.ABORT: (Aborts,), Kind.RANDOM: (Varies,)}


def test_what_cannot_be_reproduced_says_what_is_done_instead() -> None:
    for quirk in QUIRKS:
        case = CASES[quirk.id]
        assert isinstance(case, SORTS.get(quirk.kind, (Shows, Refuses))), quirk.id
        is_same = isinstance(case, Refuses) or (isinstance(case, Shows) and case.reference is Left.OUT)
        assert (quirk.choice == SAME) == is_same, quirk.id


def test_quirks_are_found_by_component() -> None:
    assert all(quirk in quirks_of(component) for quirk in QUIRKS for component in quirk.components)
    assert quirks_of("normalizers.Nothing") == ()
    assert all(len(set(quirk.components)) == len(quirk.components) > 0 for quirk in QUIRKS)


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
    id_ = "lowercase-has-no-final-sigma"
    with pytest.raises(AssertionError):
        check(Aborts(ask=CASES[id_].ask), id_)


def test_panics_of_the_target_are_not_taken_for_errors_of_the_case() -> None:
    def panicking(package: Any) -> object:
        return package.pre_tokenizers.FixedLength(0).pre_tokenize_str("a")

    with pytest.raises(BaseException, match="chunk size") as panic:
        check_refused(Refuses(ask=panicking, message="chunk size"))
    assert panic.type.__name__ == "PanicException"
