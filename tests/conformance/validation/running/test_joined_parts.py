"""What one part of a run alone knows is in the merged run, whichever part that is."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import msgspec
import pytest
from msgspec import structs

from tokenizer_adapters.contract import Failed, Field, Stage
from tokenizer_conformance import Input, RunPlan, read_corpus, run
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.recorded_lines import read_lines
from tokenizer_conformance.command_io.shard import Shard
from tokenizer_conformance.comparison.differences import Difference, DifferenceKind, Excerpt, Party
from tokenizer_conformance.comparison.findings import Example, Finding, Signature
from tokenizer_conformance.comparison.findings import joined as joined_findings
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.inputs.text import Input as Asked
from tokenizer_conformance.ledger.entry import Entry, Place
from tokenizer_conformance.ledger.matching import Ledger, LedgerFile
from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records import run as lines
from tokenizer_conformance.validation.running import merging, tokenizer_run
from tokenizer_conformance.validation.running.events import (
    CausesSought,
    RunStarted,
    TokenizerFinished,
    Unexamined,
    WhyNot,
)
from tokenizer_conformance.validation.running.merging import joined, merged_run
from tokenizer_conformance.validation.running.plan import portions_of_shard
from tokenizer_conformance.validation.running.record import JsonLinesReport
from tokenizer_conformance.validation.running.recorded_run import run_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.validation.running.events import RunFinished
    from tokenizer_conformance.validation.running.recorded_run import RecordedRun

SIGNATURE = Signature("a", "b", Stage.DECODE, Field.TEXT, Verdict.DIFFER, DifferenceKind.VALUES, None, "")
OTHERS = {
    "implementation": replace(SIGNATURE, implementation="c"),
    "stage": replace(SIGNATURE, stage=Stage.NORMALIZE),
    "party": replace(SIGNATURE, party=Party.BASELINE),
    "detail": replace(SIGNATURE, detail="ValueError"),
    "entry": replace(SIGNATURE, entry=Entry(implementation="b", reason="it is so", place=Place("ledger.toml", 1))),
}


def example(id: str, length: int, consequence_of: Stage | None = None) -> Example:
    shown = Excerpt(0, 1, ("a",), is_text=True)
    difference = Difference(Verdict.DIFFER, DifferenceKind.VALUES, Field.TEXT, shown, shown)
    question = fakes.Decode((1,) * length, skip_special_tokens=False)
    return Example(Asked(id, "test", "a" * length), question, difference, Stage.DECODE, consequence_of)


def finding(id: str, length: int, signature: Signature = SIGNATURE, *, follows: bool = False, **given: Any) -> Finding:
    one = example(id, length, Stage.NORMALIZE if follows else None)
    counts = {"differences": 3, "inputs": 2, "consequences": 3 * follows, **given}
    return Finding(signature, first=one, smallest=one, own_inputs=(id,), **counts)


def finished(**given: Any) -> TokenizerFinished:
    nothing = {"results": (), "findings": (), "inputs": 1, "ids": 0, "baseline_seconds": 1.0, "seconds": 2.0}
    return TokenizerFinished(**{"tokenizer": "a", "complete": True, **nothing, **given})


# Findings ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["findings", "known", "unstable"])
def test_findings_of_each_part_are_those_of_the_whole(kind: str) -> None:
    of_parts = [(finding("1", 5),), (finding("2", 3), finding("3", 9, OTHERS["detail"])), (finding("4", 4),), ()]
    whole = joined([finished(**{kind: each}) for each in of_parts], is_whole=True)
    one, other = getattr(whole, kind)
    assert (one.differences, one.inputs, one.own_inputs) == (9, 6, ("1", "2", "4"))
    assert (one.first.input.id, one.smallest.input.id) == ("1", "2")
    assert (other.differences, other.own_inputs, other.signature) == (3, ("3",), OTHERS["detail"])


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS.keys())
def test_findings_with_other_signatures_stay_apart(other: Signature) -> None:
    assert len(joined_findings([(finding("1", 5),), (finding("2", 5, other),)])) == 2


@pytest.mark.parametrize(
    ("first", "second", "smallest"),
    [
        (finding("1", 5), finding("2", 4), "2"),
        (finding("1", 4), finding("2", 5), "1"),
        (finding("1", 5), finding("2", 5), "1"),
        (finding("1", 5), finding("2", 1, follows=True), "1"),
        (finding("1", 1, follows=True), finding("2", 5), "2"),
    ],
)
def test_the_smallest_example_is_one_of_its_own_where_there_is_any(
    first: Finding, second: Finding, smallest: str
) -> None:
    (whole,) = joined_findings([(first,), (second,)])
    assert (whole.first.input.id, whole.smallest.input.id) == ("1", smallest)
    assert whole.consequences == first.consequences + second.consequences
    assert not whole.is_consequence


def test_a_finding_of_consequences_alone_is_one_and_comes_last() -> None:
    follows = finding("1", 1, follows=True)
    (whole,) = joined_findings([(follows,), (replace(follows, signature=SIGNATURE),)])
    assert whole.is_consequence
    own = finding("2", 5, replace(SIGNATURE, stage=Stage.CHAT))
    assert joined_findings([(follows, own)]) == (own, follows)


def test_twenty_inputs_are_named_as_of_one_run() -> None:
    names = [tuple(f"{part} {number}" for number in range(19)) for part in (1, 2)]
    parts = [(replace(finding(each[0], 5), own_inputs=each),) for each in names]
    (whole,) = joined_findings(parts)
    assert whole.own_inputs == (*names[0], names[1][0])


# What else a part has to say of a tokenizer --------------------------------------------------------------------------


def share(changed: int, total: int) -> lines.Share:
    return lines.Share(changed=changed, total=total)


IMPACT = lines.Impact(
    documents=share(1, 2),
    words=share(3, 4),
    tokens_before=5,
    tokens=6,
    longer=1,
    shorter=0,
    scripts={"Latin": 3},
    sources={"test": share(1, 2)},
)
TWICE = lines.Impact(
    documents=share(2, 4),
    words=share(6, 8),
    tokens_before=10,
    tokens=12,
    longer=2,
    shorter=0,
    scripts={"Latin": 6},
    sources={"test": share(2, 4)},
)


SHOWN = lines.Vocabulary(baseline=3, implementation=3, differing=2, known=2)
OTHERS_SHOWN = structs.replace(SHOWN, differing=3)
UNSTABLE_SHOWN = structs.replace(SHOWN, unstable=True)
NOT_SHOWN = lines.Vocabulary(baseline=3, implementation=None, not_shown="it shows none")


def row(**given: Any) -> lines.Result:
    nothing = {"load_error": None, "failing_inputs": 0, "blamed": {}, "seconds": 0.0, "stages": {}}
    return lines.Result(**{"implementation": "b", **nothing, **given})


@pytest.mark.parametrize(
    ("name", "values", "whole"),
    [
        ("load_error", (None, "no", None), "no"),
        ("files", (("a",), ("b",), ("a", "c")), ("a", "b", "c")),
        ("shows", (None, {Stage.MODEL: (Field.IDS,)}, None), {Stage.MODEL: (Field.IDS,)}),
        ("failing_inputs", (1, 2, 4), 7),
        ("blamed", ({Stage.MODEL: 1}, {Stage.DECODE: 2}, {Stage.MODEL: 4}), {Stage.MODEL: 5, Stage.DECODE: 2}),
        ("seconds", (1.0, 2.0, 4.0), 7.0),
        ("vocabulary", (SHOWN, None, OTHERS_SHOWN, SHOWN), OTHERS_SHOWN),
        ("vocabulary", (NOT_SHOWN, SHOWN), SHOWN),
        ("vocabulary", (OTHERS_SHOWN, UNSTABLE_SHOWN, SHOWN), UNSTABLE_SHOWN),
        ("vocabulary", (None, None), None),
        ("impact", (None, IMPACT, None), IMPACT),
        ("impact", (IMPACT, None, IMPACT), TWICE),
        ("impact", (None, None, None), None),
    ],
)
def test_the_results_of_parts_are_added(name: str, values: Sequence[object], whole: object) -> None:
    (result,) = joined([finished(results=(row(**{name: value}),)) for value in values], is_whole=True).results
    assert getattr(result, name) == whole


def entry(number: int) -> Entry:
    return Entry(implementation="b", reason="it is so", place=Place("ledger.toml", number))


@pytest.mark.parametrize(
    ("name", "values", "whole"),
    [
        ("baseline_load_error", (None, "no", None), "no"),
        ("matched", ((entry(1),), (entry(2),), (entry(1), entry(3))), (entry(1), entry(2), entry(3))),
        ("baseline_seconds", (1.0, 2.0, 4.0), 7.0),
        ("seconds", (1.0, 2.0, 4.0), 7.0),
        ("inputs", (1, 2, 4), 7),
        ("ids", (1, 2, 4), 7),
        ("complete", (True, False, True), False),
        ("uncounted", (1, 2, 4), 7),
    ],
)
def test_what_parts_say_of_a_tokenizer_is_added(name: str, values: Sequence[object], whole: object) -> None:
    assert getattr(joined([finished(**{name: value}) for value in values], is_whole=True), name) == whole


# Records -------------------------------------------------------------------------------------------------------------


class RaisingInTurn(fakes.Toy):
    """Raises two kinds of errors, and one of them about texts of which the baseline raises it, too."""

    name = "raising-in-turn"

    class subject(fakes.ToySubject):  # noqa: N801
        letters = "xy"
        kinds = ("ValueError", "KeyError")

        def observe(self, observation: Observation) -> Outcome:
            text = str(getattr(observation, "text", ""))
            kind = next((kind for kind, letter in zip(self.kinds, self.letters, strict=True) if letter in text), "")
            return Failed(kind, "no") if kind else super().observe(observation)


class RaisingBaseline(RaisingInTurn):
    name = "raising-baseline"

    class subject(RaisingInTurn.subject):  # noqa: N801
        letters = "z"
        kinds = ("ValueError",)


@pytest.fixture
def parts_of(tmp_path: Path) -> Callable[..., list[RecordedRun]]:
    """A function that runs a plan in three parts, and returns what their records say."""

    def parts(plan: RunPlan) -> list[RecordedRun]:
        found = []
        for number in (1, 2, 3):
            names = [each.source.name for each in plan.tokenizers]
            shard = Shard(number, 3)
            part = replace(plan, shard=shard, portions=portions_of_shard(shard, names, plan.corpus))
            with JsonLinesReport(tmp_path / f"{number}.jsonl") as report:
                for event in run(part):
                    report.handle(event)
            found.append(run_of(read_lines(tmp_path / f"{number}.jsonl")))
        return found

    return parts


def plan_of(file: TokenizerFile, *fakes_: type[fakes.Toy], texts: Sequence[str] = ("abc", "a-b", "aBc d")) -> RunPlan:
    corpus, _ = read_corpus([("test", [Input(f"text {number}", "test", text) for number, text in enumerate(texts)])])
    built = tuple(fake() for fake in fakes_)
    return RunPlan(
        tokenizers=(file,),
        implementations=built,
        baseline=built[0].info.name,
        corpus=corpus,
        cause_seconds=0,
        command=("tokconf", "run"),
    )


def test_of_each_manner_as_many_examples_are_told_as_in_one_run(
    toy_file: TokenizerFile, parts_of: Callable[..., list[RecordedRun]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (merging, tokenizer_run):
        monkeypatch.setattr(module, "EXAMPLES_PER_FINDING", 2)
    plan = plan_of(toy_file, RaisingBaseline, RaisingInTurn, texts=[letter * n for n in (1, 2, 3) for letter in "xyz"])

    def told(events: Sequence[object]) -> list[tuple[object, ...]]:
        found = [event for event in events if isinstance(event, lines.Difference)]
        return sorted((each.stage, each.difference.detail, str(each.difference.party), each.input.id) for each in found)

    whole = told(list(run(plan)))
    manners = {each[:3] for each in whole}
    assert {len([each for each in whole if each[:3] == manner]) for manner in manners} == {2}
    assert len({manner[1:] for manner in manners}) == 3
    assert told(list(merged_run(parts_of(plan), partial=False))) == whole


def ended(part: RecordedRun, **end: Any) -> RecordedRun:
    """Return ``part`` with another end."""
    return replace(part, lines=(*part.lines[:-1], structs.replace(part.lines[-1], **end)))


def beginning(part: RecordedRun, line: object) -> RecordedRun:
    """Return ``part`` with a line more."""
    return replace(part, lines=(line, *part.lines))


def missing_one(*, asked: bool | msgspec.UnsetType = msgspec.UNSET) -> lines.ImplementationMissing:
    return lines.ImplementationMissing(name="absent", reason="it is not there", asked=asked)


BROKEN = {"conclusion": Conclusion.INTERNAL_ERROR, "finished": False, "reason": "TypeError: planted", "exit_status": 3}
REFUSED = headers.Refused(what="inputs file", name="a.txt", reason="it is not there")

OF_ONE_PART: dict[str, tuple[Callable[[RecordedRun], RecordedRun], Conclusion, str | None]] = {
    "nothing": (lambda part: part, Conclusion.CONFORM, None),
    "a bug": (lambda part: ended(part, **BROKEN), Conclusion.INTERNAL_ERROR, "TypeError: planted"),
    "a limit": (lambda part: ended(part, finished=False, reason="--max-fail 1"), Conclusion.CONFORM, "--max-fail 1"),
    "a refusal": (lambda part: beginning(part, REFUSED), Conclusion.BAD_INPUT, None),
    "an absent one": (lambda part: beginning(part, missing_one(asked=True)), Conclusion.IMPLEMENTATION_FAILED, None),
    "one of which no more is said": (
        lambda part: beginning(part, missing_one()),
        Conclusion.IMPLEMENTATION_FAILED,
        None,
    ),
    "one that nobody asked for": (lambda part: beginning(part, missing_one(asked=False)), Conclusion.CONFORM, None),
}


@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize("name", OF_ONE_PART)
def test_what_one_part_says_decides_the_whole(
    toy_file: TokenizerFile, parts_of: Callable[..., list[RecordedRun]], name: str, number: int
) -> None:
    changed, conclusion, reason = OF_ONE_PART[name]
    parts = parts_of(plan_of(toy_file, fakes.Toy, fakes.Narrowed))
    parts[number] = changed(parts[number])
    *_, end = merged_run(parts, partial=False)
    assert (end.conclusion, end.reason, end.finished) == (conclusion, reason, reason is None)


def test_an_entry_is_stale_where_no_part_has_stopped(
    toy_file: TokenizerFile, parts_of: Callable[..., list[RecordedRun]]
) -> None:
    unmet = Entry(
        implementation="narrowed",
        reason="it is so",
        place=Place("ledger.toml", 1),
        baselines=("toy",),
        tokenizers=("toy-tokenizer",),
        stages=("decode",),
        fields=("text",),
        inputs=("text 0",),
    )
    ledger = Ledger((unmet,), (LedgerFile("ledger.toml", "0" * 64),))
    parts = parts_of(replace(plan_of(toy_file, fakes.Toy, fakes.Narrowed), ledger=ledger))
    *_, end = merged_run(parts, partial=False)
    assert (end.conclusion, len(end.stale)) == (Conclusion.STALE, 1)
    *_, end = merged_run([ended(parts[0], finished=False, reason="--max-fail 1"), *parts[1:]], partial=False)
    assert (end.conclusion, end.stale) == (Conclusion.CONFORM, ())


def test_all_refusals_and_what_is_absent_are_told_once(
    toy_file: TokenizerFile, parts_of: Callable[..., list[RecordedRun]]
) -> None:
    parts = [beginning(part, REFUSED) for part in parts_of(plan_of(toy_file, fakes.Toy, fakes.Narrowed))]
    other = structs.replace(REFUSED, name="b.txt")
    parts[2] = beginning(beginning(parts[2], other), missing_one(asked=True))
    told = list(merged_run(parts, partial=False))
    assert [each for each in told if isinstance(each, headers.Refused)] == [REFUSED, other]
    assert [each for each in told if isinstance(each, lines.ImplementationMissing)] == [missing_one(asked=True)]


def test_the_time_of_a_part_without_an_end_is_that_of_its_tokenizers(
    toy_file: TokenizerFile, parts_of: Callable[..., list[RecordedRun]]
) -> None:
    parts = [ended(part, seconds=100.0) for part in parts_of(plan_of(toy_file, fakes.Toy, fakes.Narrowed))]
    name = toy_file.source.name
    killed = replace(parts[1], lines=parts[1].lines[:-1], finished={name: replace(parts[1].finished[name], seconds=7)})
    end: RunFinished
    *_, end = merged_run([parts[0], killed, parts[2]], partial=False)
    assert end.seconds == 207


def test_causes_come_behind_all_tokenizers(toy_file: TokenizerFile, parts_of: Callable[..., list[RecordedRun]]) -> None:
    again = replace(toy_file, source=replace(toy_file.source, name="again"))
    plan = plan_of(toy_file, fakes.Toy, fakes.Narrowed)
    parts = parts_of(replace(plan, tokenizers=(toy_file, again)))
    left = (Unexamined(SIGNATURE, 1, WhyNot.MANY),)
    parts = [
        replace(part, finished={name: replace(each, unexamined=left) for name, each in part.finished.items()})
        for part in parts
    ]
    told = list(merged_run(parts, partial=False))
    assert [each.tokenizer for each in told if isinstance(each, CausesSought)] == [toy_file.source.name, "again"]
    finished = [each for each in told if isinstance(each, TokenizerFinished)]
    assert [(each.causes, each.uncounted, each.unexamined) for each in finished] == [((), 0, ())] * 2
    cause: Any = SimpleNamespace(implementation="narrowed", inputs=1)
    parts = [
        replace(part, finished={name: replace(each, unexamined=()) for name, each in part.finished.items()})
        for part in parts
    ]
    parts[0].finished[toy_file.source.name] = replace(parts[0].finished[toy_file.source.name], causes=(cause,))
    told = list(merged_run(parts, partial=False))
    assert [each for each in told if isinstance(each, CausesSought)] == [CausesSought(toy_file.source.name, (cause,))]


def test_a_run_is_begun_as_the_first_part_says(
    toy_file: TokenizerFile, parts_of: Callable[..., list[RecordedRun]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["tokconf", "merge", "1.jsonl"])
    parts = parts_of(plan_of(toy_file, fakes.Toy, fakes.Narrowed))
    first, *others = parts
    told = list(
        merged_run([first, *(replace(each, started=replace(each.started, seed=9)) for each in others)], partial=False)
    )
    started = told[0]
    assert isinstance(started, RunStarted)
    assert started.environment.command == ("tokconf", "merge", "1.jsonl")
    assert [each.shard for each in started.merged] == [Shard(number, 3) for number in (1, 2, 3)]
    assert started == replace(first.started, environment=started.environment, merged=started.merged, shard=None)
    loaded = [line for line in first.lines if isinstance(line, lines.Loaded)]
    assert [each for each in told if isinstance(each, lines.Loaded)] == loaded
    assert [each.implementation for each in loaded] == ["toy", "narrowed"]


@pytest.mark.parametrize(
    ("there", "reason"),
    [
        ((1, 2), "missing: part 1 of 3"),
        ((0, 2), "missing: part 2 of 3"),
        ((0, 1), "missing: part 3 of 3"),
        ((1,), "missing: part 1, 3 of 3"),
    ],
)
def test_parts_that_are_missing_are_named(
    toy_file: TokenizerFile, parts_of: Callable[..., list[RecordedRun]], there: tuple[int, ...], reason: str
) -> None:
    again = replace(toy_file, source=replace(toy_file.source, name="again"))
    plan = replace(plan_of(toy_file, fakes.Toy, fakes.Narrowed), tokenizers=(toy_file, again))
    parts = parts_of(plan)
    *events, end = merged_run([parts[number] for number in there], partial=True)
    assert (end.reason, end.finished) == (reason, False)
    complete = {each.tokenizer: each.complete for each in events if isinstance(each, TokenizerFinished)}
    assert complete.get(toy_file.source.name, False) is (2 not in there and len(there) == 2)
    assert complete.get("again", False) is (0 not in there and len(there) == 2)
    if len(there) == 2:
        killed = replace(parts[there[1]], read=replace(parts[there[1]].read, cut="line 9"))
        *_, end = merged_run([parts[there[0]], killed], partial=True)
        assert end.reason == f"{reason.removesuffix(' of 3')} and cut short: part {there[1] + 1} of 3"
