"""A diff that several machines or processes share is the diff of one process."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from line_schema import validator_of
from snapshots import Making, diff_of, last, named, of_type
from upgrade import MARK, After, Before, Killed, built

from tokenizer_adapters.contract import Normalize, Stage, Unsupported
from tokenizer_conformance.command_io.compact_names import spelled_out
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.events import InputRefused
from tokenizer_conformance.command_io.internal_error import InternalError
from tokenizer_conformance.command_io.parts import in_order
from tokenizer_conformance.command_io.recorded_lines import read_lines
from tokenizer_conformance.command_io.shard import Shard
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.corpus import Selection
from tokenizer_conformance.ledger.reader import read_ledgers
from tokenizer_conformance.releases.diff.checks import DiffChecks
from tokenizer_conformance.releases.diff.events import LoadingChanged
from tokenizer_conformance.releases.diff.merging import merged_diff
from tokenizer_conformance.releases.diff.record import RecordReport
from tokenizer_conformance.results.records.run import FORMAT, LOST_ANSWERS, AskedAgain, LedgerEntries
from tokenizer_conformance.results.records.schema import schema_of
from tokenizer_conformance.validation.running.events import TokenizerFinished
from tokenizer_conformance.validation.running.record_changes import changes_of_parts
from tokenizer_conformance.validation.running.recorded_run import run_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.releases.snapshot_file.reader import Snapshot
    from tokenizer_conformance.results.ci_results.check import CheckedRun
    from tokenizer_conformance.validation.running.recorded_run import RecordedRun

INPUTS = named(("abc", "aBc d", "x", "a-b", "zebra crossing", "éa 🎉b", "", "bc bc", "abc") * 4)

LEDGER = """format = 1

[[known]]
implementation = "tokenizers"
baseline = "tokenizers"
stage = "save"
tokenizer = "first"
reason = "it is meant so"

[[known]]
implementation = "tokenizers"
baseline = "tokenizers"
stage = "vocabulary"
tokenizer = ["first", "last"]
reason = "is stale: no vocabulary changes"

[[known]]
implementation = "tokenizers"
baseline = "tokenizers"
stage = "save"
tokenizer = "refused"
reason = "cannot be judged: it is not loaded"

[[known]]
implementation = "tokenizers"
baseline = "tokenizers"
stage = "decode"
field = "text"
tokenizer = "last"
input = ["test 4", "test 31"]
reason = "it loses a z"

[[known]]
implementation = "tokenizers"
baseline = "tokenizers"
stage = "normalize"
field = "text"
tokenizer = "last"
input = ["test 0", "test 35"]
reason = "is stale: no such text changes"
"""


@pytest.fixture
def making(tmp_path: Path, toy_file: TokenizerFile, monkeypatch: pytest.MonkeyPatch) -> Making:
    def called(name: str) -> TokenizerFile:
        return replace(toy_file, source=replace(toy_file.source, name=name))

    monkeypatch.chdir(tmp_path)
    Path("known.toml").write_text(LEDGER)
    return Making(tmp_path, (called("first"), called("refused"), called("last")))


@pytest.fixture
def sides(making: Making, request: pytest.FixtureRequest) -> tuple[Snapshot, Any]:
    """What is compared: a snapshot with another one, or with an implementation."""
    new = making.snapshot("new", After(), INPUTS) if request.param == "snapshot" else built(After)
    return making.snapshot("old", Before(), INPUTS), new


BOTH = pytest.mark.parametrize(
    "sides", ["snapshot", pytest.param("implementation", marks=pytest.mark.long)], indirect=True
)


def wanted(**further: Any) -> dict[str, Any]:
    return {"ledger": read_ledgers([Path("known.toml")]), "cause_seconds": 0.0, **further}


def recorded(events: Iterable[Any], path: Path) -> Path:
    with RecordReport(path) as report:
        for event in events:
            report.handle(event)
    return path


def lines_of(path: Path) -> tuple[list[dict[str, Any]], set[tuple[str, str]]]:
    """Return the lines of a valid record without what tells when and how it was made, and which inputs failed.

    Parts say in other pieces which these are. How often there is a checkpoint depends on the time.
    """
    validator = validator_of(schema_of(FORMAT))
    lines, failed = [], set()
    for line in map(json.loads, path.read_text().splitlines()):
        validator.validate(line)
        if line["type"] == "failing":
            failed |= {(line["tokenizer"], name) for name in spelled_out(tuple(line["inputs"]))}
        elif line["type"] != "checkpoint":
            lines.append(without_times(line))
    return lines, failed


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        of_one = {"seconds", "baseline_seconds", "started", "command", "merged"}
        of_one |= {"lines", "sha256"} if value.get("type") == "footer" else set()
        return {name: without_times(each) for name, each in value.items() if name not in of_one}
    return [without_times(each) for each in value] if isinstance(value, list) else value


def checks_of(events: Iterable[Any]) -> tuple[Any, ...]:
    """Return what CI systems are told; a merged record does not say where the files of tokenizers lie."""
    told: list[CheckedRun] = []
    checks = DiffChecks(told.append)
    for event in events:
        checks.handle(event)
    (run,) = told
    return run.exit_status, run.notes, [replace(each, location=None) for each in run.checks]


def merge(paths: Sequence[Path], *, partial: bool = False) -> list[Any]:
    read = in_order([read_lines(path) for path in paths], changes_of_parts)
    return list(merged_diff([run_of(each) for each in read], partial=partial))


def parts_of(of: int, *sides: Any, **options: Any) -> list[Path]:
    """Return the records of so many parts of a diff of these ``sides``."""
    return [
        recorded(diff_of(*sides, shard=Shard(part, of), **options), Path(f"part {part}.jsonl"))
        for part in range(1, of + 1)
    ]


# Parts ----------------------------------------------------------------------------------------------------------------


@pytest.mark.long
@BOTH
def test_eight_parts_merged_are_the_whole(sides: tuple[Snapshot, Any]) -> None:
    options = wanted()
    whole = diff_of(*sides, **options)
    assert [each.place.number for each in last(whole).stale] == [5, 2]
    assert last(whole).known
    parts = parts_of(8, *sides, **options)
    merged = merge(parts[::-1])
    assert lines_of(recorded(merged, Path("merged.jsonl"))) == lines_of(recorded(whole, Path("whole.jsonl")))
    assert merged[-1].exit_status == last(whole).exit_status == 1
    assert checks_of(merged) == checks_of(whole)


@pytest.mark.long
@pytest.mark.parametrize(
    "options", [{"loading": False}, {"stages": (Stage.MODEL,)}, {"selection": Selection("test 1")}]
)
@pytest.mark.parametrize("sides", ["snapshot"], indirect=True)
def test_so_are_parts_of_which_less_is_compared(sides: tuple[Snapshot, Any], options: dict[str, Any]) -> None:
    whole = recorded(diff_of(*sides, **wanted(**options)), Path("whole.jsonl"))
    merged = merge(parts_of(3, *sides, **wanted(**options)))
    assert lines_of(recorded(merged, Path("merged.jsonl"))) == lines_of(whole)


def test_a_diff_without_any_difference_is_stale_only_as_a_whole(making: Making) -> None:
    old, new = (making.snapshot(name, Before(), INPUTS) for name in ("old", "new"))
    text = LEDGER.replace('implementation = "tokenizers"', 'implementation = "tokenizers"\nversion = "==0.19.1"')
    Path("known.toml").write_text(text)
    options = wanted()
    parts = parts_of(3, old, new, **options)
    for part in parts:
        footer = json.loads(part.read_text().splitlines()[-1])
        assert (footer["stale"], footer["conclusion"]) == ([], "conform")
    whole, merged = last(diff_of(old, new, **options)), last(merge(parts))
    assert merged.conclusion is whole.conclusion is Conclusion.STALE
    assert [each.place.number for each in merged.stale] == [each.place.number for each in whole.stale]
    assert {1, 2, 3} <= {each.place.number for each in merged.stale}


def test_entries_of_ledgers_are_those_of_any_part_that_has_them(making: Making) -> None:
    sides = making.snapshot("old", Before(), INPUTS), making.snapshot("new", After(), INPUTS)
    parts = [run_of(read_lines(path)) for path in parts_of(2, *sides, **wanted())]

    def told(given: Sequence[RecordedRun]) -> tuple[int, list[int]]:
        events = list(merged_diff(given, partial=True))
        changes = [event for event in events if isinstance(event, LoadingChanged)]
        return last(events).known, [0 if each.entry is None else each.entry.place.number for each in changes]

    whole = told(parts)
    assert any(whole[1])
    for number, part in enumerate(parts):
        lines = tuple(line for line in part.lines if not isinstance(line, LedgerEntries))
        without = [replace(part, lines=lines) if each is part else each for each in parts]
        assert told(without) == whole, f"part {number + 1}"


def test_answers_that_are_lost_are_told_of_the_whole(making: Making) -> None:
    class Losing(Before):
        version = "0.23.3"

        class subject(fakes.ToySubject):  # noqa: N801
            def observe(self, observation: Observation) -> Outcome:
                is_lost = observation == Normalize("zebra crossing")
                return Unsupported("not shown any more") if is_lost else super().observe(observation)

    old, new = making.snapshot("old", Before(), INPUTS), making.snapshot("new", Losing(), INPUTS)
    whole, merged = last(diff_of(old, new, cause_seconds=0.0)), last(merge(parts_of(8, old, new)))
    assert merged.shortfalls == whole.shortfalls
    assert {each.lost for each in merged.shortfalls} == {LOST_ANSWERS}
    assert merged.conclusion is whole.conclusion is Conclusion.DIFFERENCES


@pytest.mark.long
def test_what_was_asked_again_is_added_up(making: Making) -> None:
    """Some parts are answered as before, and count all the same."""

    class Noisy(fakes.Toy):
        class subject(fakes.ShiftedOffset.subject):  # noqa: N801
            def model(self, text: str) -> Any:
                return super().model(text) if "zebra" in text else fakes.ToySubject.model(self, text)

    old, new = making.snapshot("old", Noisy(), INPUTS), making.snapshot("new", fakes.SwappedMerge(), INPUTS)
    options: dict[str, Any] = {"live": (built(fakes.Toy), built(fakes.SwappedMerge)), "cause_seconds": 0.0}
    whole = of_type(diff_of(old, new, **options), AskedAgain)
    assert {(each.tokenizer, each.implementation) for each in whole} >= {("first", "toy"), ("last", "toy")}
    assert all(0 < each.others < each.asked for each in whole)
    assert of_type(merge(parts_of(8, old, new, **options)), AskedAgain) == whole
    assert of_type(diff_of(old, new, **options, jobs=2), AskedAgain) == whole


@pytest.mark.long
def test_causes_are_those_of_the_whole(making: Making) -> None:
    old, new = making.snapshot("old", Before(), INPUTS), making.snapshot("new", After(), INPUTS)

    def causes(events: list[Any]) -> set[tuple[object, ...]]:
        assert last(events).uncounted == 0
        return {(each.reason.name, each.differences, each.inputs, *each.tokenizers) for each in last(events).causes}

    whole = causes(diff_of(old, new, (Before(), After()), cause_seconds=60.0))
    assert whole
    assert causes(merge(parts_of(4, old, new, (Before(), After()), cause_seconds=60.0))) == whole


# Parts that are not there, or of something else -----------------------------------------------------------------------


@pytest.mark.parametrize("sides", ["snapshot"], indirect=True)
def test_a_part_that_is_missing_is_named(sides: tuple[Snapshot, Any]) -> None:
    parts = parts_of(3, *sides, **wanted())
    del parts[0]
    end = last(merge(parts))
    assert (end.conclusion, end.reason, end.stale) == (Conclusion.INCOMPLETE, "missing: part 1 of 3", ())
    assert last(merge(parts, partial=True)).conclusion is Conclusion.DIFFERENCES


@pytest.mark.long
@pytest.mark.parametrize("sides", ["snapshot"], indirect=True)
def test_a_part_that_was_killed_over_loading_is_named(sides: tuple[Snapshot, Any]) -> None:
    parts = parts_of(2, *sides, **wanted())
    lines = parts[0].read_text().splitlines(keepends=True)
    for left in (1, 2, 3):
        parts[0].write_text("".join(lines[:left]))
        merged = merge(parts)
        assert (last(merged).conclusion, last(merged).reason) == (Conclusion.INCOMPLETE, "cut short: part 1 of 2")
        told, _ = lines_of(recorded(merged, Path("merged.jsonl")))
        assert {"save", "load"} == {line["what"] for line in told if line["type"] == "loading_change"}


@pytest.mark.parametrize("sides", ["snapshot"], indirect=True)
def test_where_parts_were_stopped_the_whole_is_not_finished(sides: tuple[Snapshot, Any]) -> None:
    end = last(merge(parts_of(3, *sides, **wanted(max_failing=3))))
    assert end.reason == "stopped at failing input number 3, as asked"
    assert (end.finished, end.conclusion, end.stale) == (False, Conclusion.DIFFERENCES, ())


@pytest.mark.long
def test_parts_of_diffs_of_other_sides_are_refused(making: Making) -> None:
    old, new, later = (
        making.snapshot(name, kind(), INPUTS) for name, kind in (("old", Before), ("new", After), ("later", After))
    )
    one = recorded(diff_of(old, new, shard=Shard(1, 2)), Path("1.jsonl"))
    for told, two in {
        "is a part of another diff": diff_of(old, later, shard=Shard(2, 2)),
        "--no-loading: False then, True now": diff_of(old, new, shard=Shard(2, 2), loading=False),
        "--live: False then, True now": diff_of(old, new, (Before(), After()), shard=Shard(2, 2)),
    }.items():
        with pytest.raises(BadInputError, match=told):
            merge([one, recorded(two, Path("2.jsonl"))])


# Processes ------------------------------------------------------------------------------------------------------------


@pytest.mark.long
@BOTH
def test_two_processes_come_to_what_one_comes_to(sides: tuple[Snapshot, Any]) -> None:
    one, two = (recorded(diff_of(*sides, **wanted(jobs=jobs)), Path(f"{jobs}.jsonl")) for jobs in (1, 2))
    assert lines_of(two) == lines_of(one)


@pytest.mark.long
def test_so_they_do_with_inputs_in_another_order(making: Making) -> None:
    old, new = making.snapshot("old", Before(), INPUTS), making.snapshot("new", After(), INPUTS[:20:-1])
    one, two = (recorded(diff_of(old, new, jobs=jobs), Path(f"{jobs}.jsonl")) for jobs in (1, 2))
    assert lines_of(two) == lines_of(one)
    assert lines_of(recorded(merge(parts_of(3, old, new)), Path("merged.jsonl"))) == lines_of(one)


@pytest.mark.long
@BOTH
def test_a_line_that_cannot_be_read_is_told_as_by_one_process(sides: tuple[Snapshot, Any]) -> None:
    path = sides[0].path
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    of_answers = [number for number, line in enumerate(lines) if line.startswith(b'{"type":"answers"')]
    lines[of_answers[20]] = b'{"type":"answers",broken\n'
    path.write_bytes(gzip.compress(b"".join(lines)))
    one, two = (diff_of(*sides, **wanted(jobs=jobs)) for jobs in (1, 2))
    (refused,) = of_type(two, InputRefused)
    assert "has a line" in refused.refusal.reason
    assert [each.inputs for each in of_type(two, TokenizerFinished)] == [19, len(INPUTS)]
    assert lines_of(recorded(two, Path("2.jsonl"))) == lines_of(recorded(one, Path("1.jsonl")))


@pytest.mark.long
def test_what_a_process_was_lost_over_is_done_by_another_one(making: Making, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MARK, str(making.folder / "killed"))
    inputs = named((*(each.text for each in INPUTS), "kill once", *(each.text for each in INPUTS)))
    old = making.snapshot("old", Before(), inputs)
    two, one = (diff_of(old, built(Killed), jobs=jobs) for jobs in (2, 1))
    assert (making.folder / "killed").exists()
    assert last(two).finished
    assert lines_of(recorded(two, Path("2.jsonl"))) == lines_of(recorded(one, Path("1.jsonl")))


def test_a_process_that_is_lost_twice_ends_it_in_good_order(making: Making, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MARK, str(making.folder / "killed"))
    old = making.snapshot("old", Before(), named((*(each.text for each in INPUTS), "kill")))
    events = diff_of(old, built(Killed), jobs=2)
    (error,) = (event.error for event in events if isinstance(event, InternalError))
    assert str(error) == "a process that compares is lost: killed by signal 9 (SIGKILL)"
    assert (last(events).conclusion, last(events).finished) == (Conclusion.INTERNAL_ERROR, False)
    (finished,) = of_type(events, TokenizerFinished)
    assert not finished.complete
    assert finished.findings
