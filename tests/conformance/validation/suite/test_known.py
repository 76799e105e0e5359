"""What a ledger says of the suite: known failures, their consequences, stale entries, and entries that are appended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from small_suites import Scripted, case, plan_of, requirement, step, suite_with, toy_suite

from tokenizer_adapters.contract import CannotLoadError, Normalize, PreTokenize, Text
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.ledger.entry import Entry, Place
from tokenizer_conformance.ledger.matching import Ledger
from tokenizer_conformance.ledger.reader import read_ledgers
from tokenizer_conformance.validation.suite.engine import run_suite
from tokenizer_conformance.validation.suite.events import ImplementationJudged, SuiteFinished
from tokenizer_conformance.validation.suite.judging import CaseVerdict
from tokenizer_conformance.validation.suite.known import SuiteLedgerUpdate

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_conformance.validation.suite.requirement import Suite


def entry(**names: Any) -> Entry:
    return Entry(**{"implementation": "wrong-normalization", "reason": "It is known.", "place": Place("a", 1)} | names)


def ran(*entries: Entry, by: Any = None, suite: Suite | None = None, **changes: Any) -> tuple[Any, SuiteFinished]:
    plan = plan_of(suite or toy_suite(), by or fakes.WrongNormalization(), ledger=Ledger(entries), **changes)
    events = list(run_suite(plan))
    (judged,) = (event for event in events if isinstance(event, ImplementationJudged))
    ending = events[-1]
    assert isinstance(ending, SuiteFinished)
    return {result.requirement.id: result.verdict for result in judged.results}, ending


@pytest.mark.parametrize(
    "names",
    [
        {},
        {"requirements": ("TOY-LOWER*",)},
        {"stages": ("normalize",)},
        {"stages": ("normalize",), "fields": ("text",)},
        {"inputs": ("TOY-LOWERCASE/*",)},
        {"tokenizers": ("normalizers.Toy/t1",)},
        {"version": ">=1"},
        {"classes": ("other values",)},
    ],
)
def test_what_an_entry_is_about_is_known_with_its_consequences(names: dict[str, Any]) -> None:
    verdicts, ending = ran(entry(**names))
    assert verdicts["TOY-LOWERCASE"] is CaseVerdict.KNOWN  # its encoding differs too, since its text does
    assert ending.conclusion is Conclusion.CONFORM
    assert ending.stale == ()


@pytest.mark.parametrize(
    "names",
    [
        {"requirements": ("TOY-MERGES",)},
        {"inputs": ("TOY-LOWERCASE/1",)},
        {"stages": ("model",)},
        {"version": "<1"},
        {"implementation": "another"},
    ],
)
def test_what_no_entry_is_about_fails(names: dict[str, Any]) -> None:
    verdicts, ending = ran(entry(**names))
    assert verdicts["TOY-LOWERCASE"] is CaseVerdict.FAILED
    assert ending.conclusion is Conclusion.DIFFERENCES


@pytest.mark.parametrize("requirement_id", ["TOY-LOWERCASE", "TOY-*"])
def test_an_entry_that_nothing_matches_is_stale(requirement_id: str) -> None:
    stale = entry(implementation="toy", requirements=(requirement_id,))
    verdicts, ending = ran(stale, by=fakes.Toy())
    assert set(verdicts.values()) == {CaseVerdict.PASSED}
    assert (ending.conclusion, ending.stale) == (Conclusion.STALE, (stale,))
    assert ending.exit_status == 1


@pytest.mark.parametrize(
    "names",
    [
        {"requirements": ("TOY-*",)},
        {"requirements": ("TOY-GONE",)},
        {"requirements": ("TOY-LOWERCASE",), "version": "<1"},
        {"tokenizers": ("normalizers.Toy/t1",)},  # about other commands too
    ],
)
def test_an_entry_about_what_was_not_judged_is_not_stale(names: dict[str, Any]) -> None:
    _, ending = ran(entry(implementation="toy", **names), by=fakes.Toy(), every_requirement=False)
    assert (ending.conclusion, ending.stale) == (Conclusion.CONFORM, ())


def test_a_refusal_can_be_known() -> None:
    by = Scripted({}, refusal=CannotLoadError("no"), refuses_all=True)
    verdicts, ending = ran(entry(implementation="scripted", stages=("load",), classes=("refused",)), by=by)
    assert set(verdicts.values()) == {CaseVerdict.KNOWN}
    assert ending.conclusion is Conclusion.CONFORM


def test_something_new_beside_what_is_known_fails() -> None:
    suite = suite_with(requirement("R", case(step(Normalize("A"), {"text": "a"}), step(Normalize("B"), {"text": "b"}))))
    by = Scripted({Normalize("A"): Text("x"), Normalize("B"): Text("y"), PreTokenize("a"): Text("")})
    about_one = entry(implementation="scripted", text="A")
    assert ran(about_one, by=by, suite=suite)[0] == {"R": CaseVerdict.FAILED}
    assert ran(about_one, entry(implementation="scripted", text="B"), by=by, suite=suite)[0] == {"R": CaseVerdict.KNOWN}


@pytest.mark.parametrize("by", [fakes.WrongNormalization, fakes.SwappedMerge, fakes.Crashing, fakes.CannotLoad])
def test_what_fails_is_appended_and_known_from_then_on(by: Any, tmp_path: Path) -> None:
    file = tmp_path / "ledger.toml"
    update = SuiteLedgerUpdate(file)
    for event in run_suite(plan_of(toy_suite(), by())):
        update.handle(event)  # type: ignore[arg-type]
    text = file.read_text("utf-8")
    assert "The title of" in text
    file.write_text(text.replace('reason = ""', 'reason = "It is known."'), "utf-8")
    ledger = read_ledgers([file])
    events = list(run_suite(plan_of(toy_suite(), by(), ledger=ledger)))
    ending = events[-1]
    assert isinstance(ending, SuiteFinished)
    assert (ending.conclusion, ending.stale) == (Conclusion.CONFORM, ())
