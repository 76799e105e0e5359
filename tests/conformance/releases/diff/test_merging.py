"""The parts of a diff, merged: how tokenizers are loaded, the run of both sides, and what was asked again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from msgspec import structs

from tokenizer_adapters.contract import Field, Stage, TokenizerSource
from tokenizer_conformance.causes.cause import ExplainedBy
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.recorded_lines import RecordedLines
from tokenizer_conformance.command_io.shard import Shard
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
from tokenizer_conformance.ledger.entry import Entry, Place
from tokenizer_conformance.ledger.record_forms import entries_in_play_record
from tokenizer_conformance.releases.diff.events import LoadingChanged, LoadingCompared
from tokenizer_conformance.releases.diff.loading_changes import LoadingChange
from tokenizer_conformance.releases.diff.merging import is_of_diff, merged_diff
from tokenizer_conformance.results.records import run as lines
from tokenizer_conformance.results.records.causes import KnownChange
from tokenizer_conformance.results.records.headers import EntryReference
from tokenizer_conformance.results.records.run import AskedAgain, LedgerEntries, Loaded, Result, ResultStage, Sides
from tokenizer_conformance.validation.running.events import RunFinished, RunStarted, TokenizerFinished
from tokenizer_conformance.validation.running.recorded_run import RecordedRun

if TYPE_CHECKING:
    from tokenizer_adapters.contract import ImplementationInfo


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([], False),
        ([{"type": "sides"}], False),
        ([{"type": "header"}, {"type": "sides"}], True),
        ([{"type": "header"}, {"type": "started"}], False),
        ([{"type": "header"}, {"type": "tokenizer"}], False),
        ([{"type": "header"}, {"type": "started"}, {"type": "sides"}], False),
        ([{"type": "header"}, {"type": "sides"}, {"type": "started"}], True),
        ([{"type": "header"}, {}], False),
    ],
)
def test_a_diff_says_its_sides_after_its_header(lines: list[dict[str, Any]], told: bool) -> None:
    assert is_of_diff(RecordedLines(Path("record.jsonl"), lines, None, "")) is told


OLD, NEW = (replace(fakes.Toy().info, name=f"tokenizers=={version}", version=version) for version in ("1", "2"))

SIDES = Sides(old="the old one", new="the new one", only_old=1, only_new=2, other_files=("last",))


def file_of(name: str, sha256: str = "0" * 64) -> TokenizerFile:
    return TokenizerFile(TokenizerSource(name, name), sha256)


FILES = {name: file_of(name) for name in ("first", "refused", "last")}

STARTED = RunStarted(
    environment=current_environment(("tokconf", "diff")),
    baseline=OLD.name,
    implementations=(OLD, NEW),
    tokenizers=tuple(FILES.values()),
    inputs=4,
    inputs_sha256="0" * 64,
    stages=tuple(Stage),
    fields=(Field.IDS,),
    every_id=False,
    seed=0,
)


def row(unanswered: int = 0) -> Result:
    lacking = {Field.IDS: unanswered} if unanswered else {}
    stage = ResultStage(
        inputs={},
        values={Verdict.AGREE: 10},
        unsupported_fields={},
        questions=10,
        answerable=10,
        unanswered_fields=lacking,
    )
    nothing: dict[str, Any] = {"load_error": None, "failing_inputs": 0, "blamed": {}, "seconds": 0.0}
    return Result(implementation=NEW.name, stages={Stage.MODEL: stage}, **nothing)


def finished(name: str, **given: Any) -> TokenizerFinished:
    nothing = {"findings": (), "inputs": 2, "ids": 0, "baseline_seconds": 1.0, "seconds": 2.0, "complete": True}
    return TokenizerFinished(**{"tokenizer": name, "results": (row(),), **nothing, **given})


def part(number: int, *told: Any, done: tuple[TokenizerFinished, ...] = (), **started: Any) -> RecordedRun:
    """Return part ``number`` of 2 of a diff, which has ``told`` this after its sides."""
    header = {"type": "header", "shard": {"part": number, "of": 2}}
    return RecordedRun(
        RecordedLines(Path(f"{number}.jsonl"), [header], None, ""),
        replace(STARTED, **{"shard": Shard(number, 2), **started}),
        (structs.replace(SIDES), *told),
        {each.tokenizer: each for each in done},
    )


def events_of(*parts: RecordedRun) -> list[Any]:
    return list(merged_diff(parts, partial=False))


def as_read(name: str) -> str:
    """Return ``name`` as a line has it that was read: an equal text, and another object."""
    return "".join(name)


def compared(name: str, **given: Any) -> lines.LoadingCompared:
    nothing = {"left_out": {}, "shown": ("load", "save"), "loaded": True}
    return lines.LoadingCompared(**{"tokenizer": as_read(name), **nothing, **given})


def changed(name: str, **given: Any) -> lines.LoadingChange:
    saved = {"what": "save", "path": "$.a", "old": "1", "new": "2"}
    return lines.LoadingChange(**{"tokenizer": as_read(name), **saved, **given})


def again(name: str, implementation: str, asked: int, others: int, left: int = 0, reason: str = "") -> AskedAgain:
    return AskedAgain(
        tokenizer=name, implementation=implementation, asked=asked, others=others, left=left, reason=reason
    )


OF_LOADING = ("4 changes of loading (loading, saved tokenizer.json)",)


def test_the_whole_diff_is_told_in_its_order() -> None:
    cause: Any = SimpleNamespace(implementation=NEW.name, inputs=1)
    refusal = changed("refused", what="load", path="", old="loads", new="refuses", faults=("it has no model",))
    refused = compared("refused", left_out={"save": "not loaded by both sides"}, shown=("load",), loaded=False)
    loaded = Loaded(tokenizer="last", implementation=NEW.name, seconds=1.0)
    first, *others, end = events_of(
        part(1, compared("last"), changed("first"), compared("first"), refusal, refused, done=(finished("first"),)),
        part(
            2,
            changed("last", path="$.b"),
            changed("last"),
            compared("last"),
            compared("first"),
            refusal,
            refused,
            again("last", NEW.name, 3, 1),
            again("first", OLD.name, 2, 1),
            loaded,
            done=(finished("first"), finished("last", causes=(cause,))),
        ),
    )
    words = ("refused", "load", "", "loads", "refuses")
    assert first == SIDES
    assert others[:6] == [
        LoadingChanged(LoadingChange("first", "save", "$.a", "1", "2")),
        LoadingCompared(FILES["first"], {}, ("load", "save"), loaded=True),
        LoadingChanged(LoadingChange(*words), faults=("it has no model",)),
        LoadingCompared(FILES["refused"], {"save": "not loaded by both sides"}, ("load",), loaded=False),
        LoadingChanged(LoadingChange("last", "save", "$.b", "1", "2")),
        LoadingChanged(LoadingChange("last", "save", "$.a", "1", "2")),
    ]
    assert others[6] == LoadingCompared(FILES["last"], {}, ("load", "save"), loaded=True)
    started = others[7]
    assert isinstance(started, RunStarted)
    assert started.tokenizers == (FILES["first"], FILES["last"])
    assert [each.shard for each in started.merged] == [Shard(1, 2), Shard(2, 2)]
    assert others[8:] == [
        loaded,
        again("first", OLD.name, 2, 1),
        again("last", NEW.name, 3, 1),
        finished("first", results=others[-2].results, inputs=4, baseline_seconds=2.0, seconds=4.0),
        finished("last", causes=(cause,)),
    ]
    assert isinstance(end, RunFinished)
    assert (end.tokenizers, end.inputs, end.causes, end.further) == (2, 6, (cause,), OF_LOADING)
    assert (end.conclusion, end.finished) == (Conclusion.DIFFERENCES, True)


def test_the_tokenizers_and_their_files_are_those_of_the_first_part() -> None:
    others = tuple(file_of(name, "1" * 64) for name in ("last", "first"))
    told = events_of(part(1, compared("first")), part(2, compared("last"), tokenizers=others))
    assert [each.tokenizer for each in told if isinstance(each, LoadingCompared)] == [FILES["first"], FILES["last"]]


ENTRIES = tuple(
    Entry(
        implementation="tokenizers",
        baselines=("tokenizers",),
        tokenizers=("first",),
        stages=(stage,),
        reason="it is so",
        place=Place("ledger.toml", number, ledger=ledger),
    )
    for stage, number, ledger in (("save", 1, 0), ("save", 2, 0), ("save", 1, 1))
)


@pytest.mark.parametrize(
    ("known", "entry", "stale"),
    [
        (None, None, ENTRIES),
        ((0, 1), ENTRIES[0], ENTRIES[1:]),
        ((0, 2), ENTRIES[1], (ENTRIES[0], ENTRIES[2])),
        ((1, 1), ENTRIES[2], ENTRIES[:2]),
        ((1, 2), None, ENTRIES),
    ],
)
@pytest.mark.parametrize("number", [0, 1])
def test_a_change_that_is_known_has_its_entry(
    known: tuple[int, int] | None, entry: Entry | None, stale: tuple[Entry, ...], number: int
) -> None:
    reference = None if known is None else EntryReference(ledger=known[0], entry=known[1], line=None)
    parts = [part(1), part(2, changed("first", known=reference), compared("first"))]
    parts[number] = replace(
        parts[number],
        lines=(*parts[number].lines, LedgerEntries(entries=tuple(entries_in_play_record(ENTRIES, ENTRIES)))),
    )
    *told, end = events_of(*parts)
    assert [each.entry for each in told if isinstance(each, LoadingChanged)] == [entry]
    assert isinstance(end, RunFinished)
    assert (end.stale, end.known) == (stale, int(entry is not None))


KNOWN = {"id": "a-change", "since": "2", "title": "it is saved", "undone": "since 3"}


@pytest.mark.parametrize(
    ("given", "explained"), [(None, None), ((), ()), ((KnownChange(**KNOWN),), (ExplainedBy(**KNOWN),))]
)
def test_a_change_has_what_explains_it(
    given: tuple[KnownChange, ...] | None, explained: tuple[ExplainedBy, ...] | None
) -> None:
    told = events_of(part(1, changed("first", explained_by=given)), part(2))
    assert [each.explained_by for each in told if isinstance(each, LoadingChanged)] == [explained]


def test_what_parts_have_asked_again_is_added_by_tokenizer_and_implementation() -> None:
    told = events_of(
        part(1, again("first", OLD.name, 2, 1), again("first", NEW.name, 5, 0), done=(finished("first"),)),
        part(
            2,
            again("first", OLD.name, 4, 2, 7, "no time"),
            again("first", NEW.name, 6, 0),
            again("last", OLD.name, 1, 0, 1, "no time"),
            again("refused", OLD.name, 1, 1),
            done=(finished("last"),),
        ),
    )
    assert [each for each in told if isinstance(each, AskedAgain)] == [
        again("first", OLD.name, 6, 3, 7, "no time"),
        again("last", OLD.name, 1, 0, 1, "no time"),
    ]


@pytest.mark.parametrize(
    ("new", "fields", "lost"),
    [
        (NEW, (Field.IDS,), [("first", Stage.MODEL, 15, 20)]),
        (replace(NEW, name="another==2"), (Field.IDS,), []),
        (NEW, (Field.TEXT,), []),
    ],
)
def test_answers_that_one_implementation_has_lost_are_told_of_the_whole(
    new: ImplementationInfo, fields: tuple[Field, ...], lost: list[tuple[str, Stage, int, int]]
) -> None:
    rows = [structs.replace(row(unanswered), implementation=new.name) for unanswered in (5, 0)]
    parts = [
        part(number, done=(finished("first", results=(each,)),), implementations=(OLD, new), fields=fields)
        for number, each in enumerate(rows, 1)
    ]
    *_, end = events_of(*parts)
    assert isinstance(end, RunFinished)
    found = [each for each in end.shortfalls if each.lost]
    assert [(each.tokenizer, each.stage, each.answered, each.asked) for each in found] == lost


@pytest.mark.parametrize("old", ["an older one", "yet another one"])
def test_parts_of_other_diffs_are_refused_at_once(old: str) -> None:
    other = Sides(old=old, new="the newest", only_old=1, only_new=2, other_files=("last",))
    parts = [part(1), replace(part(2), lines=(other,))]
    with pytest.raises(BadInputError) as caught:
        merged_diff(parts, partial=True)
    assert str(caught.value) == (
        f"'2.jsonl' is a part of another diff than '1.jsonl' (from {old} to the newest here, from the old one to "
        "the new one there); merge the parts of one diff"
    )


def test_a_part_that_is_missing_is_one_where_nobody_wants_the_rest() -> None:
    for partial, conclusion in ((False, Conclusion.INCOMPLETE), (True, Conclusion.DIFFERENCES)):
        *_, end = merged_diff([part(2, changed("first"))], partial=partial)
        assert isinstance(end, RunFinished)
        assert (end.conclusion, end.reason) == (conclusion, "missing: part 1 of 2")
