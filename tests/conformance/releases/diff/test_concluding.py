"""What a diff comes to: the run of both sides, and what the comparison of loading adds to it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import fake_implementations as fakes
import pytest

from tokenizer_adapters.contract import Field, Stage, TokenizerSource
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.comparison.differences import Difference, DifferenceKind, Excerpt
from tokenizer_conformance.comparison.findings import Example, Finding, Signature
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
from tokenizer_conformance.ledger.entry import Entry, Place
from tokenizer_conformance.releases.diff.concluding import DiffCourse, concluded
from tokenizer_conformance.releases.diff.events import LoadingChanged, LoadingCompared
from tokenizer_conformance.releases.diff.loading_changes import LoadingChange
from tokenizer_conformance.results.records.run import Result, ResultStage, Shortfall
from tokenizer_conformance.validation.running.events import RunFinished, TokenizerFinished

OLD, NEW = (
    replace(fakes.Toy().info, name="toy==1", version="1"),
    replace(fakes.Toy().info, name="toy==2", version="2"),
)
OTHER = replace(NEW, name="another")

SHOWN = Excerpt(0, 1, ("a",), is_text=True)
CHANGED = Difference(Verdict.UNSTABLE, DifferenceKind.VALUES, Field.TEXT, SHOWN, SHOWN)
SIGNATURE = Signature("t", "toy==2", Stage.DECODE, Field.TEXT, Verdict.UNSTABLE, DifferenceKind.VALUES, None, "")
EXAMPLE = Example(Input("1", "test", "a"), fakes.Decode((1,)), CHANGED, Stage.DECODE, None)
UNSTABLE = Finding(SIGNATURE, 1, 1, 0, EXAMPLE, EXAMPLE)

ENTRY = Entry(implementation="toy", reason="so", place=Place("ledger.toml", 1))
CHANGE = LoadingChange("t", "vocabulary", "", "a", "b")


def stage(unanswered: int = 0, **given: int) -> ResultStage:
    nothing: dict[str, Any] = {"inputs": {}, "values": {}, "unsupported_fields": {}, **given}
    lacking = {Field.IDS: unanswered} if unanswered else {}
    return ResultStage(**nothing, questions=100, answerable=100, unanswered_fields=lacking)


def row(unanswered: int = 0, **given: int) -> Result:
    nothing: dict[str, Any] = {"load_error": None, "failing_inputs": 0, "blamed": {}, "seconds": 0.0}
    return Result(implementation="toy==2", stages={Stage.MODEL: stage(unanswered, **given)}, **nothing)


def done(*rows: Result, **given: Any) -> TokenizerFinished:
    nothing = {"findings": (), "inputs": 1, "ids": 0, "baseline_seconds": 1.0, "seconds": 2.0, "complete": True}
    return TokenizerFinished(**{"tokenizer": "t", "results": rows, **nothing, **given})


GOOD = done(row())
SHORT = Shortfall(
    tokenizer="t",
    implementation="toy==2",
    stage=Stage.MODEL,
    field=Field.IDS,
    answered=90,
    asked=100,
    required=False,
)


def end(conclusion: Conclusion = Conclusion.CONFORM, **given: Any) -> RunFinished:
    counts = {"tokenizers": 1, "inputs": 1, "compared": 1, "differences": 0, "seconds": 1.0, "reason": None}
    return RunFinished(**{"finished": True, "conclusion": conclusion, **counts, **given})


def ended(last: RunFinished, *finished: TokenizerFinished, **given: Any) -> RunFinished:
    nothing: dict[str, Any] = {"old": OLD, "new": NEW, "fields": frozenset({Field.IDS}), "entries": ()}
    return concluded(last, DiffCourse(**{**nothing, "done": finished, "changes": (), "compared": (), **given}))


NEW_CHANGE, KNOWN_CHANGE = LoadingChanged(CHANGE), LoadingChanged(CHANGE, ENTRY)


@pytest.mark.parametrize(
    ("last", "finished", "given", "conclusion"),
    [
        (end(), [GOOD, GOOD], {}, Conclusion.CONFORM),
        (end(), [GOOD, done(row(), unstable=(UNSTABLE,))], {}, Conclusion.IMPLEMENTATION_FAILED),
        (end(), [done(row(), unstable=(UNSTABLE,)), GOOD], {}, Conclusion.IMPLEMENTATION_FAILED),
        (end(Conclusion.DIFFERENCES, differences=3), [GOOD], {}, Conclusion.DIFFERENCES),
        (end(Conclusion.STALE), [GOOD], {}, Conclusion.STALE),
        (end(Conclusion.INTERRUPTED), [done(unstable=(UNSTABLE,))], {}, Conclusion.INTERRUPTED),
        (end(), [GOOD], {"changes": (KNOWN_CHANGE, NEW_CHANGE)}, Conclusion.DIFFERENCES),
        (end(), [GOOD], {"changes": (KNOWN_CHANGE,)}, Conclusion.CONFORM),
        (end(Conclusion.NOTHING_COMPARED), [GOOD], {}, Conclusion.NOTHING_COMPARED),
        (end(Conclusion.NOTHING_COMPARED), [GOOD], {"changes": (KNOWN_CHANGE,)}, Conclusion.CONFORM),
        (end(Conclusion.NOTHING_COMPARED), [GOOD], {"changes": (NEW_CHANGE,)}, Conclusion.DIFFERENCES),
        (end(), [GOOD, done(row(1))], {}, Conclusion.DIFFERENCES),
        (end(), [done(row(1)), GOOD], {}, Conclusion.DIFFERENCES),
        (end(), [done(row(1))], {"new": OTHER}, Conclusion.CONFORM),
        (end(), [done(row(1))], {"old": OTHER}, Conclusion.CONFORM),
        (
            end(Conclusion.INTERRUPTED, shortfalls=(SHORT,)),
            [done(row(10))],
            {"changes": (KNOWN_CHANGE,)},
            Conclusion.INTERRUPTED,
        ),
        (
            end(Conclusion.TOO_LITTLE, shortfalls=(SHORT,)),
            [done(row(extra_answerable=9, extra_unanswered=1))],
            {},
            Conclusion.TOO_LITTLE,
        ),
        (end(Conclusion.TOO_LITTLE, shortfalls=(SHORT,)), [done(row(10))], {}, Conclusion.DIFFERENCES),
        (end(Conclusion.TOO_LITTLE, shortfalls=(SHORT,)), [done(row(10))], {"new": OTHER}, Conclusion.TOO_LITTLE),
        (end(Conclusion.TOO_LITTLE), [GOOD], {}, Conclusion.TOO_LITTLE),
    ],
)
def test_one_of_several_decides(
    last: RunFinished, finished: list[TokenizerFinished], given: dict[str, Any], conclusion: Conclusion
) -> None:
    assert ended(last, *finished, **given).conclusion is conclusion


def test_what_is_lost_is_told_once_and_known_changes_are_counted() -> None:
    other = Shortfall(**{name: getattr(SHORT, name) for name in SHORT.__struct_fields__} | {"stage": Stage.DECODE})
    last = end(Conclusion.TOO_LITTLE, shortfalls=(SHORT, other), known=3)
    found = ended(last, done(row(10)), changes=(KNOWN_CHANGE, NEW_CHANGE, KNOWN_CHANGE))
    assert [(each.stage, each.lost) for each in found.shortfalls] == [(Stage.DECODE, ""), (Stage.MODEL, "answers")]
    assert found.known == 5
    assert found.conclusion is Conclusion.TOO_LITTLE


# Entries of a ledger that are stale ----------------------------------------------------------------------------------

OF_RELEASES: dict[str, Any] = {
    "old": replace(OLD, name="tokenizers==1"),
    "new": replace(NEW, name="tokenizers==2"),
    "compared": (
        LoadingCompared(TokenizerFile(TokenizerSource("t", "t.json"), ""), {}, ("load", "save"), loaded=True),
    ),
}
ABOUT = replace(ENTRY, implementation="".join("tokenizers"), tokenizers=("t",), stages=("save",), version="==2")


@pytest.mark.parametrize(
    ("entry", "given", "last", "stale"),
    [
        ({}, {}, {}, True),
        ({"stages": ("load", "save")}, {}, {}, True),
        ({"stages": ("vocabulary", "save")}, {}, {}, False),
        ({"stages": ()}, {}, {}, False),
        ({"inputs": ("a",)}, {}, {}, False),
        ({"implementation": "a"}, {}, {}, False),
        ({"implementation": "z"}, {}, {}, False),
        ({"version": "==1"}, {}, {}, False),
        ({"baselines": ("another",)}, {}, {}, False),
        ({"since": "1.1"}, {}, {}, False),
        ({"tokenizers": ()}, {}, {}, False),
        ({"tokenizers": ("t", "u")}, {}, {}, False),
        ({"tokenizers": ("t", "u*")}, {}, {}, False),
        ({}, {"changes": (LoadingChanged(CHANGE, ABOUT),)}, {}, False),
        ({}, {"is_part": True}, {}, False),
        ({}, {}, {"finished": False}, False),
    ],
)
def test_an_entry_about_loading_is_stale_where_all_that_it_names_was_compared(
    entry: dict[str, Any], given: dict[str, Any], last: dict[str, Any], stale: bool
) -> None:
    about = replace(ABOUT, **entry)
    found = ended(end(stale=(ENTRY,), **last), GOOD, **{**OF_RELEASES, "entries": (about,), **given})
    assert found.stale == ((ENTRY, about) if stale else (ENTRY,))
    assert (found.conclusion is Conclusion.STALE) is stale
