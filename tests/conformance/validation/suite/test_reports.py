"""The record of a run is in the form of its schema, and the terminal shows everything within its width."""

from __future__ import annotations

import io
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import jsonschema
import pytest
from rich.cells import cell_len
from rich.console import Console
from small_suites import TOY_FILES, Scripted, area, case, files_of, plan_of, requirement, step, toy_suite

from tokenizer_adapters.contract import CannotLoadError, Failed, Field, Normalize
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.ledger.entry import Entry, Place
from tokenizer_conformance.ledger.matching import Ledger
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.results.page_reports import PageOf
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.schema import schema_of
from tokenizer_conformance.results.records.suite_run import FORMAT
from tokenizer_conformance.results.terminal import PageTerminal
from tokenizer_conformance.validation.suite.engine import run_suite
from tokenizer_conformance.validation.suite.events import SuiteFinished
from tokenizer_conformance.validation.suite.page import SUITES
from tokenizer_conformance.validation.suite.reader import SuiteIdentity, suite_of
from tokenizer_conformance.validation.suite.record import lines_of
from tokenizer_conformance.validation.suite.selection import Wanted

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_conformance.validation.suite.events import SuiteEvent

EVIL = "\x1b[2J\u202e\ud800\n"

FAULTY = (
    fakes.Toy,
    fakes.WrongNormalization,
    fakes.WrongPieces,
    fakes.ShiftedOffset,
    fakes.SwappedMerge,
    fakes.WrongSpecialToken,
    fakes.Raising,
    fakes.Crashing,
    fakes.Hanging,
    fakes.Garbling,
    fakes.Mute,
    fakes.CannotLoad,
    fakes.Hostile,
    fakes.InsideCharacter,
)

HOSTILE_FILES = {
    **TOY_FILES,
    **files_of(
        area(
            requirement("EVIL-TEXT", case(step(Normalize(EVIL), {"text": EVIL * 20}))),
            requirement(
                "EVIL-FILES",
                case(
                    {"ask": "vocabulary", "expected": {"vocabulary": {EVIL: 0}}},
                    {"ask": "load", "tokenizer": {"bad": EVIL, "model": {"type": EVIL}}, "expected": {"refused": True}},
                    {"ask": "save", "expected": {"document": {EVIL: EVIL}}},
                ),
            ),
            name="normalizers.Evil",
        )
    ),
}


def evil() -> Scripted:
    return Scripted({Normalize(EVIL): Failed(EVIL, EVIL)}, tokens={EVIL: 7}, file=json.dumps({EVIL: 1}), refusal=None)


def everything() -> list[SuiteEvent]:
    """A run in which everything happens that can."""
    known = Entry(implementation="swapped-merge", reason=f"It is known.{EVIL}", place=Place(f"a{EVIL}.toml", 1, 3))
    stale = Entry(implementation="toy", requirements=("TOY-MERGES",), reason="It is gone.", place=Place("a.toml", 2, 9))
    plan = plan_of(
        suite_of(HOSTILE_FILES),
        *(each() for each in FAULTY),
        evil(),
        Scripted({}, refusal=CannotLoadError(EVIL), refuses_all=True, name="refusing"),
        unavailable=(Rejected("implementation", "gone", f"gone is not installed{EVIL}"),),
        ledger=Ledger([known, stale]),
    )
    return list(run_suite(plan))


def records_of(event: SuiteEvent) -> list[dict[str, Any]]:
    return list(map(json_of, lines_of(event)))


@pytest.fixture(scope="module")
def eventful() -> list[SuiteEvent]:
    return everything()


def test_every_line_of_a_record_is_in_the_form_of_the_schema(eventful: list[SuiteEvent], tmp_path: Path) -> None:
    report = PageOf(SUITES, lines_of).record(tmp_path / "record.jsonl")
    with report:
        for event in eventful:
            report.handle(event)
    lines = [json.loads(line) for line in (tmp_path / "record.jsonl").read_text("ascii").splitlines()]
    jsonschema.Draft202012Validator.check_schema(schema_of(FORMAT))
    validator = jsonschema.Draft202012Validator(schema_of(FORMAT))
    for line in lines:
        validator.validate(line)
    assert {line["type"] for line in lines} == {
        "header",
        "implementation_missing",
        "ledger_entries",
        "requirement",
        "implementation",
        "footer",
    }
    assert lines[0]["type"] == "header"
    assert lines[-1]["type"] == "footer"
    assert {line["verdict"] for line in lines if line["type"] == "requirement"} == {
        "passed",
        "known",
        "failed",
        "unsupported",
        "error",
    }
    assert any(line["stale"] for line in lines if line["type"] == "footer")


@pytest.mark.parametrize("spoil", ["more", "verdict", "failures"])
def test_the_schema_of_the_record_is_strict(eventful: list[SuiteEvent], spoil: str) -> None:
    line = next(line for event in eventful for line in records_of(event) if line["type"] == "requirement")
    validator = jsonschema.Draft202012Validator(schema_of(FORMAT))
    assert validator.is_valid(line)
    line["cases"][0][spoil] = "nonsense"
    assert not validator.is_valid(line)


@pytest.mark.parametrize("suite", [None, SuiteIdentity("0.1.0", "0.23.3", "0" * 64)])
def test_which_suite_is_asked_stands_in_the_header(suite: SuiteIdentity | None) -> None:
    header, *_ = records_of(next(run_suite(plan_of(toy_suite(), fakes.Toy(), suite=suite))))
    assert header["suite"] == (None if suite is None else asdict(suite))
    validator = jsonschema.Draft202012Validator(schema_of(FORMAT))
    assert validator.is_valid(header)
    assert not validator.is_valid(header | {"suite": {"version": "1", "target": "1", "sha256": "none"}})


@pytest.mark.parametrize("conclusion", [each for each in Conclusion if each is not Conclusion.BAD_INPUT])
def test_every_conclusion_that_the_suite_can_come_to_is_in_the_schema(conclusion: Conclusion) -> None:
    (footer,) = records_of(SuiteFinished(finished=True, conclusion=conclusion, seconds=1.0))
    jsonschema.Draft202012Validator(schema_of(FORMAT)).validate(footer)


def test_a_selection_stands_in_the_header() -> None:
    wanted = Wanted("lower")
    events = run_suite(plan_of(toy_suite(), fakes.Toy(), wanted=wanted, fields=frozenset({Field.IDS})))
    header, *_ = records_of(next(events))
    jsonschema.Draft202012Validator(schema_of(FORMAT)).validate(header)
    assert (header["selection"], header["requirements"], header["cases"]) == ("lower", 1, 2)
    assert header["fields"] == ["ids"]


def on_terminal(events: list[SuiteEvent], *, width: int = 100, colour: bool = False) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    console = Console(file=out, width=width, force_terminal=colour, highlight=False)
    report = PageTerminal(SUITES, lines_of, console, Console(file=err, width=width))
    for event in events:
        report.handle(event)
    return out.getvalue(), err.getvalue()


@pytest.mark.parametrize("width", [40, 47, 60, 80, 99, 120, 160, 200])
def test_no_line_is_wider_than_the_terminal(eventful: list[SuiteEvent], width: int) -> None:
    out, err = on_terminal(eventful, width=width)
    # A command to be copied is not broken within a word.
    wide = [line for line in out.splitlines() if cell_len(line) > width]
    assert wide == []
    assert all(cell_len(line) <= width for line in err.splitlines())


def test_nothing_hostile_reaches_the_terminal(eventful: list[SuiteEvent]) -> None:
    for text in on_terminal(eventful):
        assert not set(text) & {"\x1b", "\u202e", "\ud800"}


def test_what_is_shown(eventful: list[SuiteEvent]) -> None:
    out, err = on_terminal(eventful, width=200)
    assert "gone is not installed" in err
    for said in (
        "\nwrong-normalization, normalize: 2 requirements (2 core), text: other values; the first is TOY-LOWERCASE.",
        "\ncannot-load, load: 6 requirements (5 core), not loaded: it never does; the first is ",
        " further groups of ",
        "     1 of 1 case",
        " more on the page (--html) and in Markdown (--markdown)",
        "  Signs: ✓ so many pass, and none fails; ",
        "✗ so many pass, of those that were compared; ! a crash, ",
        "Stale: the entry at 'a.toml' entry 2 (line 9) is about failures that are not there any more.",
        "\ntoy",
        " requirements passed",
    ):
        assert said in out


def test_an_interrupted_run_says_so() -> None:
    at_work = run_suite(plan_of(toy_suite(), fakes.Toy()))
    events = [next(at_work) for _ in range(3)]
    events += [at_work.throw(KeyboardInterrupt), *at_work]
    assert isinstance(events[-1], SuiteFinished)
    out, _ = on_terminal(events)
    assert "Not all cases were asked." in out
    assert "interrupted; " in out
    for event in events:
        for line in records_of(event):
            jsonschema.Draft202012Validator(schema_of(FORMAT)).validate(line)
