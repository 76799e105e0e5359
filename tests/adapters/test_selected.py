"""With which program, limits and name a selected implementation is built, to the argument."""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from tokenizer_adapters import selection
from tokenizer_adapters.protocol.client import ProgramImplementation
from tokenizer_adapters.protocol.launch import Program
from tokenizer_adapters.protocol.process import Limits
from tokenizer_adapters.selection import ALL, TRUSTED, Isolation, Selected, SelectionError, select, select_trainer

LIMITS = Limits(seconds=1.5, memory=7)
OTHER = Limits(seconds=2.5)
CLASS = "tokenizer_adapters.reference:ReferenceImplementation"
SERVER = (sys.executable, "-P", "-m", "tokenizer_adapters.protocol.server")


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Has processes noted, with their arguments, and none started."""
    notes: list[tuple[Any, ...]] = []

    def note(*arguments: Any) -> Any:
        notes.append(arguments)

    monkeypatch.setattr(selection, "ProcessImplementation", note)
    monkeypatch.setattr(selection, "ProcessTrainer", note)
    return notes


def served(name: str, *arguments: str) -> Program:
    environment = {"PYTHONPATH": os.pathsep.join(sys.path), "RUST_BACKTRACE": "0"}
    return Program((*SERVER, *(arguments or (name,))), name, environment)


def assert_is(program: Program, expected: Program) -> None:
    """Programs are compared without their variables otherwise."""
    assert (program, dict(program.environment)) == (expected, dict(expected.environment))


def test_few_are_trusted() -> None:
    assert {"reference", "tokenizers", "transformers"} == TRUSTED


@pytest.mark.parametrize(
    ("word", "name", "program"),
    [
        # Where Python looks for modules may change between here and the test, so that is written there.
        ("kitoken", "kitoken", None),
        (CLASS, None, None),
        ("command:./mine 'a b'", None, Program(("./mine", "a b"), "./mine 'a b'")),
        ("it=command:./mine x=command:y", "it", Program(("./mine", "x=command:y"), "./mine x=command:y")),
    ],
)
def test_a_process_is_built_with_the_program_the_limits_and_the_name(
    built: list[tuple[Any, ...]], word: str, name: str | None, program: Program | None
) -> None:
    program = served(word) if program is None else program
    selected = select(word, Isolation(limits=LIMITS))
    assert (selected.word, selected.name, selected.limits) == (word, name, LIMITS)
    assert selected.program is not None
    assert_is(selected.program, program)
    selected.build()
    selected.start(OTHER)
    assert built == [(program, LIMITS, name), (program, OTHER, name)]
    assert_is(built[0][0], program)


@pytest.mark.parametrize(("word", "name"), [("reference", "reference"), (CLASS, None)])
def test_what_runs_here_can_be_started_apart(built: list[tuple[Any, ...]], word: str, name: str | None) -> None:
    selected = select(word, Isolation(limits=LIMITS, in_process=frozenset({word})))
    assert (selected.program, selected.name, selected.limits) == (None, name, LIMITS)
    assert selected.build().info.name == "reference"
    assert built == []
    selected.start(OTHER)
    assert built == [(served(word), OTHER, name)]


class Own(ProgramImplementation):
    @classmethod
    def program(cls) -> Program:
        return Program(("own",), "own")


def test_what_is_a_program_of_this_package_is_run_itself_and_nothing_else_is_imported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def loaded_here() -> None:
        raise AssertionError("it was imported")

    entries = {
        "own": SimpleNamespace(module="tokenizer_adapters.own", load=lambda: Own),
        "class": SimpleNamespace(module="tokenizer_adapters.own", load=lambda: SimpleNamespace),
        "plugin": SimpleNamespace(module="tokenizer_adapters_of_others.own", load=loaded_here),
    }
    monkeypatch.setattr(selection, "selectable", lambda: entries)
    for isolation in (Isolation(), Isolation(in_process=frozenset({ALL}))):
        assert select("own", isolation).runs() == Program(("own",), "own")
        assert select("class", isolation).runs() == served("class")
        assert select("plugin", isolation).runs() == served("plugin")
    assert Selected("command:x", None, Program(("x",), "x"), LIMITS).runs() == Program(("x",), "x")


def test_a_trainer_is_built_with_the_program_the_limits_and_the_name(built: list[tuple[Any, ...]]) -> None:
    select_trainer("textbook").start(LIMITS)
    select_trainer("it=command:./mine x").start(OTHER)
    assert built == [
        (served("textbook", "--trainer", "textbook"), LIMITS, "textbook"),
        (Program(("./mine", "x"), "./mine x"), OTHER, "it"),
    ]
    assert_is(built[0][0], served("textbook", "--trainer", "textbook"))


@pytest.mark.parametrize(
    ("isolated", "in_process", "apart"),
    [
        ((), (), [True, False]),
        (("reference",), (), [True, True]),
        ((), ("tokie",), [False, False]),
        ((ALL,), (), [True, True]),
        ((), (ALL,), [False, False]),
        ((ALL,), ("tokie",), [False, True]),
        (("tokie",), (ALL,), [True, False]),
    ],
)
def test_a_name_counts_more_than_all_and_that_more_than_trust(
    isolated: tuple[str, ...], in_process: tuple[str, ...], apart: list[bool]
) -> None:
    isolation = Isolation(isolated=frozenset(isolated), in_process=frozenset(in_process))
    assert [isolation.isolates(name) for name in ("tokie", "reference")] == apart


@pytest.mark.parametrize("name", ["tokie", "reference", ALL])
def test_one_name_is_asked_to_run_in_one_place(name: str) -> None:
    with pytest.raises(SelectionError, match=f"'{name}' is asked to run in this process and in one of its own"):
        Isolation(isolated=frozenset({name}), in_process=frozenset({name, "tokie"}))
