"""The parts of a run, merged, come to what the whole run comes to."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from line_schema import validator_of
from msgspec import structs

from tokenizer_adapters.contract import Encoded, Field, Stage, Text
from tokenizer_conformance import Input, RunPlan, read_corpus, run
from tokenizer_conformance.command_io.compact_names import spelled_out
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.parts import in_order, missing
from tokenizer_conformance.command_io.recorded_lines import read_lines
from tokenizer_conformance.command_io.shard import Shard
from tokenizer_conformance.comparison.differences import DifferenceKind
from tokenizer_conformance.comparison.findings import Signature
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.ledger.entry import Entry, Place
from tokenizer_conformance.ledger.matching import Ledger, LedgerFile
from tokenizer_conformance.results.page_reports import PageMarkdown
from tokenizer_conformance.results.records.run import FORMAT, Difference, Failing
from tokenizer_conformance.results.records.schema import schema_of
from tokenizer_conformance.validation.running import shrinking
from tokenizer_conformance.validation.running.events import (
    CausesSought,
    InputCompared,
    InputsFailed,
    RunFinished,
    TokenizerFinished,
    Unexamined,
    WhyNot,
)
from tokenizer_conformance.validation.running.merging import joined, merged_run
from tokenizer_conformance.validation.running.page import RUNS
from tokenizer_conformance.validation.running.plan import portions_of_shard
from tokenizer_conformance.validation.running.record import JsonLinesReport, lines_of
from tokenizer_conformance.validation.running.record_changes import changes_of_parts
from tokenizer_conformance.validation.running.recorded_run import run_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from tokenizer_conformance import Event
    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

TEXTS = ("abc", "aBc d", "x", "a-b", "zebra crossing", "éa 🎉b", "abc abc", "A", "long " * 450)

SLOW = pytest.mark.slow

MANY = 2 * len(TEXTS) + 2
"""More parts than there are inputs with two tokenizers, so that some are empty."""


class NeverOffsets(fakes.Toy):
    """Says that it shows everything, and never shows offsets."""

    name = "never-offsets"

    class subject(fakes.ToySubject):  # noqa: N801
        def encoded(self, rows: Sequence[Any]) -> Encoded:
            return replace(super().encoded(rows), offsets=None)


def entry(fake: type[fakes.Toy], number: int, **selectors: Any) -> Entry:
    values = {"baselines": ("toy",), "tokenizers": ("toy-tokenizer",), "reason": "it is so", **selectors}
    return Entry(implementation=fake.name, place=Place("ledger.toml", number), **values)


LEDGER = Ledger(
    (
        entry(fakes.WrongNormalization, 1, stages=("normalize",), fields=(), inputs=("text 1",)),
        entry(fakes.ShiftedOffset, 2, stages=("decode",), fields=("text",), inputs=("text 0",)),
        entry(fakes.ShiftedOffset, 3, stages=("decode",), fields=("text",), inputs=("text 0", "text 8")),
        entry(fakes.ShiftedOffset, 4, stages=("decode",), fields=("text",), inputs=("nowhere",)),
    ),
    (LedgerFile("ledger.toml", "0" * 64),),
)
"""One entry that is met; two that are stale, one of them over several parts; one that had no chance."""

SETTINGS: dict[str, tuple[tuple[type[fakes.Toy], ...], dict[str, Any]]] = {
    "conform": ((), {}),
    "faulty": ((fakes.WrongNormalization, fakes.ShiftedOffset, fakes.SwappedMerge, fakes.Raising), {}),
    "every id": ((fakes.LossyDecode,), {"every_id": True}),
    "ledger": ((fakes.WrongNormalization, fakes.ShiftedOffset), {"ledger": LEDGER}),
    "only stale": (
        (fakes.ShiftedOffset,),
        {"ledger": LEDGER, "stages": (Stage.DECODE,), "fields": frozenset({Field.TEXT})},
    ),
    "not loaded": ((fakes.CannotLoad, fakes.SwappedMerge), {}),
    "optional": ((fakes.CannotLoad,), {"optional": frozenset({fakes.CannotLoad.name})}),
    "too little": ((NeverOffsets,), {}),
    "nothing": ((fakes.Mute,), {}),
}


IN_MANY = ("faulty", "ledger", "not loaded", "too little")
"""The settings of which the default tests merge empty parts too."""

IN_PARTS = [
    ("faulty", 3),  # the second part has some of both tokenizers
    *((setting, 2) for setting in SETTINGS),
    *((setting, MANY) for setting in IN_MANY),
    *(pytest.param(setting, MANY, marks=SLOW) for setting in SETTINGS if setting not in IN_MANY),
    *(pytest.param(setting, of, marks=SLOW) for setting in SETTINGS for of in (1, 5)),
]


@pytest.fixture
def plan(toy_file: TokenizerFile, request: pytest.FixtureRequest) -> RunPlan:
    return plan_of((toy_file, replace(toy_file, source=replace(toy_file.source, name="again"))), request.param)


def plan_of(tokenizers: tuple[TokenizerFile, ...], setting: str) -> RunPlan:
    faults, options = SETTINGS[setting]
    built = (fakes.Toy(), *(fake() for fake in faults or (fakes.Narrowed,)))
    corpus, _ = read_corpus([("test", [Input(f"text {number}", "test", text) for number, text in enumerate(TEXTS)])])
    return RunPlan(
        tokenizers=tokenizers,
        implementations=built,
        baseline="toy",
        corpus=corpus,
        cause_seconds=0,
        command=("tokconf", "run"),
        **options,
    )


def part_of(plan: RunPlan, shard: Shard) -> RunPlan:
    names = [each.source.name for each in plan.tokenizers]
    return replace(plan, shard=shard, portions=portions_of_shard(shard, names, plan.corpus))


def recorded(events: Iterable[Event], path: Path) -> Path:
    with JsonLinesReport(path) as report:
        for event in events:
            report.handle(event)
    return path


def parts_of(plan: RunPlan, of: int, folder: Path) -> list[Path]:
    return [recorded(run(part_of(plan, Shard(part, of))), folder / f"{part}.jsonl") for part in range(1, of + 1)]


def merge(paths: Sequence[Path], *, partial: bool = False) -> list[Event]:
    read = in_order([read_lines(path) for path in paths], changes_of_parts)
    return list(merged_run([run_of(each) for each in read], partial=partial))


def come_to(events: Sequence[Event]) -> dict[str, Any]:
    """Return all that a run says of itself and is not the time it took, nor which example is shown."""
    done = {event.tokenizer: event for event in events if isinstance(event, TokenizerFinished)}
    end = events[-1]
    assert isinstance(end, RunFinished)
    return {
        "end": {
            **{key: getattr(end, key) for key in ("finished", "reason", "conclusion", "tokenizers", "inputs")},
            **{key: getattr(end, key) for key in ("compared", "differences", "shares", "shortfalls", "known")},
            "stale": [each.place.number for each in end.stale],
        },
        "rows": {name: [structs.replace(row, seconds=0) for row in each.results] for name, each in done.items()},
        "inputs": {name: (each.inputs, each.ids, each.complete) for name, each in done.items()},
        "findings": {
            name: sorted(
                (
                    str(replace(found.signature, entry=None)),
                    found.signature.entry and found.signature.entry.place.number,
                    found.differences,
                    found.inputs,
                    found.consequences,
                    found.own_inputs,
                    found.first.input.id,
                    found.smallest.input.id,
                )
                for found in (*each.findings, *each.known, *each.unstable)
            )
            for name, each in done.items()
        },
        "failed": [
            (event.tokenizer, event.implementation, names_of(event))
            for event in events
            if isinstance(event, InputsFailed | Failing)
        ],
        "told": sorted(
            (event.tokenizer, event.implementation, event.stage, event.input.id, str(event.difference))
            for event in events
            if isinstance(event, Difference)
        ),
    }


def names_of(failed: InputsFailed | Failing) -> list[str]:
    return list(failed.ids if isinstance(failed, InputsFailed) else spelled_out(failed.inputs))


@pytest.mark.long_but(10)
@pytest.mark.parametrize(("plan", "of"), IN_PARTS, indirect=["plan"])
def test_parts_come_to_what_the_whole_run_comes_to(
    plan: RunPlan, of: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shrinking, "MOST_SHRUNK", 0)  # the smallest of a part may be made small, of the whole not
    assert come_to(merge(parts_of(plan, of, tmp_path))) == come_to(list(run(plan)))


def test_what_parts_leave_open_is_added() -> None:
    signature = Signature("a", "b", Stage.MODEL, Field.IDS, Verdict.DIFFER, DifferenceKind.VALUES, None, "")
    parts = [
        TokenizerFinished(
            tokenizer="a",
            results=(),
            findings=(),
            inputs=number,
            ids=10 * number,
            baseline_seconds=0,
            seconds=number,
            complete=True,
            uncounted=2 * number,
            unexamined=(Unexamined(signature, number, WhyNot.MANY),),
        )
        for number in (1, 2, 4)
    ]
    whole = joined(parts, is_whole=True)
    assert (whole.inputs, whole.ids, whole.uncounted, whole.seconds) == (7, 70, 14, 7)
    assert [each.differences for each in whole.unexamined] == [1, 2, 4]
    assert whole.complete
    assert not joined(parts, is_whole=False).complete
    assert not joined([*parts, replace(parts[0], complete=False)], is_whole=True).complete


class SeveralFaults(fakes.Toy):
    """Loses every z when it decodes, and gives the last of several tokens another type."""

    name = "several-faults"

    class subject(fakes.ToySubject):  # noqa: N801
        def decode(self, ids: Sequence[int], skip_special_tokens: bool) -> Any:
            outcome = super().decode(ids, skip_special_tokens)
            return Text(outcome.text.replace("z", "")) if isinstance(outcome, Text) else outcome

        def encoded(self, rows: Sequence[Any]) -> Encoded:
            found = super().encoded(rows)
            types = found.type_ids or ()
            return replace(found, type_ids=(*types[:-1], 1)) if len(types) > 3 else found


def causes_of(events: Sequence[Event]) -> dict[tuple[str, ...], tuple[int, int, dict[str, int]]]:
    """Return the causes in the end of a run, by what they are: differences and inputs, and these by tokenizer."""
    end = events[-1]
    assert isinstance(end, RunFinished)
    assert end.uncounted == 0
    found = {
        (each.implementation, each.reason.name, each.reason.parameter, *map(str, _look(each))): (
            each.differences,
            each.inputs,
            dict(each.tokenizers),
        )
        for each in end.causes
    }
    assert len(found) == len(end.causes), "a cause is told twice"
    return found


def _look(cause: Cause) -> tuple[object, ...]:
    manner = cause.signature.manner
    return () if cause.reason.is_proven else (manner.stage, manner.field, manner.kind, cause.signature.characters)


@pytest.mark.long_but(1)
@pytest.mark.parametrize("of", [2, 3])
def test_the_causes_of_parts_are_those_of_the_whole_run(toy_file: TokenizerFile, of: int, tmp_path: Path) -> None:
    texts = ("abc", "aBc d", "a-b", "zebra crossing", "z", "a z", "A", "abc abc abc", "x")
    inputs = [Input(f"text {number}", "test", text) for number, text in enumerate(texts * 3)]
    corpus, _ = read_corpus([("test", inputs)])
    plan = RunPlan(
        tokenizers=(toy_file,),
        implementations=(fakes.Toy(), SeveralFaults(), fakes.WrongNormalization()),
        baseline="toy",
        corpus=corpus,
        cause_seconds=60,
        command=("tokconf", "run"),
    )
    events = list(run(plan))
    whole = causes_of(events)
    assert {name for name, *_ in whole} == {"several-faults", "wrong-normalization"}
    assert len([name for name, *_ in whole if name == "several-faults"]) > 1
    parts = parts_of(plan, of, tmp_path)
    merged = merge(parts)
    assert causes_of(merged) == whole
    assert causes_of(merge(parts[::-1])) == whole
    for told in (events, merged):
        done = [event for event in told if isinstance(event, TokenizerFinished | CausesSought)]
        assert [type(event) for event in done] == [TokenizerFinished, CausesSought]
        assert [bool(event.causes) for event in done] == [False, True], "causes come when all is compared"


@pytest.mark.parametrize("of", [pytest.param(1, marks=SLOW), 2, pytest.param(5, marks=SLOW), MANY])
@pytest.mark.parametrize("plan", ["conform"], indirect=True)
def test_every_input_is_in_one_part_with_its_pair(plan: RunPlan, of: int) -> None:
    def compared(events: Iterable[Event]) -> list[tuple[str, str]]:
        return [(event.tokenizer, event.id) for event in events if isinstance(event, InputCompared)]

    parts = [compared(run(part_of(plan, Shard(part, of)))) for part in range(1, of + 1)]
    assert [each for part in parts for each in part] == compared(run(plan))


def test_parts_are_of_about_equal_work() -> None:
    texts = [Input(f"text {number}", "test", "a" * (number % 50)) for number in range(1000)]
    corpus, _ = read_corpus([("test", texts)])
    counts = [
        sum(each.count for each in portions_of_shard(Shard(part, 7), ["a", "b", "c"], corpus).values())
        for part in range(1, 8)
    ]
    assert sum(counts) == 3000
    assert max(counts) - min(counts) < 10


@pytest.mark.parametrize("plan", ["ledger", "only stale", "too little"], indirect=True)
def test_a_part_does_not_judge_what_only_the_whole_shows(plan: RunPlan) -> None:
    for part in (1, 2, 3):
        *_, end = run(part_of(plan, Shard(part, 3)))
        assert (end.stale, end.shortfalls) == ((), ())
        assert end.conclusion not in (Conclusion.STALE, Conclusion.TOO_LITTLE, Conclusion.NOTHING_COMPARED)


@pytest.mark.parametrize("plan", ["only stale"], indirect=True)
def test_what_is_stale_is_told_in_the_end(plan: RunPlan, tmp_path: Path) -> None:
    end = merge(parts_of(plan, 4, tmp_path))[-1]
    assert end.conclusion is Conclusion.STALE
    assert [each.place.number for each in end.stale] == [2, 3]


# The record ----------------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("plan", ["ledger"], indirect=True)
def test_the_merged_record_is_valid_and_has_the_examples_as_they_were(plan: RunPlan, tmp_path: Path) -> None:
    parts = parts_of(plan, 3, tmp_path)
    whole = recorded(merge(parts), tmp_path / "whole.jsonl")
    lines = [json.loads(line) for line in whole.read_text().splitlines()]
    validator = validator_of(schema_of(FORMAT))
    for path in (*parts, whole):
        for line in path.read_text().splitlines():
            validator.validate(json.loads(line))
    assert [part["shard"]["part"] for part in lines[0]["merged"]] == [1, 2, 3]
    examples = [line for line in lines if line["type"] == "difference"]
    told = [json.loads(line) for path in parts for line in path.read_text().splitlines() if "differs_at" in line]
    assert examples
    assert all(each in told for each in examples)


@pytest.mark.long
@pytest.mark.parametrize("plan", ["faulty"], indirect=True)
def test_the_merged_run_has_a_report_in_markdown(plan: RunPlan, tmp_path: Path) -> None:
    written = io.BytesIO()
    report = PageMarkdown(RUNS, lines_of, written)
    for event in merge(parts_of(plan, 3, tmp_path)):
        report.handle(event)
    assert b"wrong-normalization" in written.getvalue()


# Parts that are missing or cut ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def parts_to_cut(
    toy_file: TokenizerFile, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, tuple[RunPlan, list[bytes]]]:
    """Return plans by their setting, each with the records of its three parts."""
    made = {}
    for setting in ("faulty", "only stale"):
        plan = replace(plan_of((toy_file,), setting), checkpoint_seconds=0)
        made[setting] = plan, [path.read_bytes() for path in parts_of(plan, 3, tmp_path_factory.mktemp("parts"))]
    return made


@pytest.mark.parametrize(
    ("setting", "partial", "conclusion"),
    [
        ("faulty", False, Conclusion.INCOMPLETE),
        ("faulty", True, Conclusion.DIFFERENCES),
        ("only stale", False, Conclusion.INCOMPLETE),
        ("only stale", True, Conclusion.CONFORM),
    ],
)
@pytest.mark.parametrize("cut", ["missing", "killed", "half a line", "interrupted"])
def test_a_part_that_is_not_whole_is_named_and_fails(
    parts_to_cut: dict[str, tuple[RunPlan, list[bytes]]],
    tmp_path: Path,
    setting: str,
    partial: bool,
    conclusion: Conclusion,
    cut: str,
) -> None:
    plan, contents = parts_to_cut[setting]
    paths = [tmp_path / f"{part}.jsonl" for part in (1, 2, 3)]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    whole = paths[1].read_bytes().splitlines(keepends=True)
    match cut:
        case "missing":
            del paths[1]
        case "killed":
            paths[1].write_bytes(b"".join(whole[:-2]))
        case "half a line":
            paths[1].write_bytes(b"".join(whole[:-1]) + whole[-1][:9])
        case "interrupted":
            recorded(interrupted(plan), paths[1])
    told = missing(in_order([read_lines(path) for path in paths], changes_of_parts))
    assert len(told) == 1
    assert "part 2 of 3" in told[0]
    assert cut == "missing" or "2.jsonl" in told[0]
    end = merge(paths, partial=partial)[-1]
    assert isinstance(end, RunFinished)
    assert (end.conclusion, end.finished) == (conclusion, False)
    assert "part 2" in str(end.reason)


def interrupted(plan: RunPlan) -> Iterable[Event]:
    """Yield the events of part 2, interrupted after its first input."""
    events = run(part_of(plan, Shard(2, 3)))
    for event in events:
        yield event
        if isinstance(event, InputCompared):
            yield events.throw(KeyboardInterrupt)
            yield from events
            return


ALTERED: dict[str, tuple[bytes, bytes, str]] = {
    "a value": (b'"failing_inputs": 0', b'"failing_inputs": 1', "was altered"),
    "no JSON": (b'"type": "tokenizer"', b'"type" "tokenizer"', "is not JSON"),
    "a line's type": (b'"type": "tokenizer"', b'"type": "tokenise!"', "was altered"),
    "a line more": (b'{"type": "footer"', b'{"type": "loaded"}\n{"type": "footer"', "counts"),
    "after the end": (b"\n$", b"\n{}\n", "follows the footer"),
}


@pytest.mark.parametrize("name", ALTERED)
def test_an_altered_record_is_refused(toy_file: TokenizerFile, tmp_path: Path, name: str) -> None:
    old, new, told = ALTERED[name]
    path = recorded(run(part_of(plan_of((toy_file,), "conform"), Shard(1, 3))), tmp_path / "1.jsonl")
    content = path.read_bytes()
    assert name == "after the end" or old in content
    path.write_bytes(content + b"{}\n" if name == "after the end" else content.replace(old, new, 1))
    with pytest.raises(BadInputError, match=told) as caught:
        merge([path])
    assert "1.jsonl" in str(caught.value)
    assert "line" in str(caught.value)


# What does not belong together ---------------------------------------------------------------------------------------


def test_records_that_do_not_belong_together_are_told_apart(toy_file: TokenizerFile, tmp_path: Path) -> None:
    plan = plan_of((toy_file,), "not loaded")
    one = recorded(run(part_of(plan, Shard(1, 2))), tmp_path / "1.jsonl")
    other_inputs, _ = read_corpus([("test", [Input("text 0", "test", "abc")])])
    others: dict[str, RunPlan] = {
        "inputs: 9 then, 1 now": replace(plan, corpus=other_inputs),
        "seed: 0 then, 7 now": replace(plan, seed=7),
        "its file has changed": replace(plan, tokenizers=(replace(toy_file, sha256="0" * 64),)),
        "--timeout: none then, 3 now": replace(plan, options={"timeout": 3}),
        "ledgers: none then, ledger.toml now": replace(plan, ledger=LEDGER),
        "--every-id now": replace(plan, every_id=True),
        "implementations:": replace(plan, implementations=plan.implementations[:-1]),
    }
    for told, other in others.items():
        path = recorded(run(part_of(other, Shard(2, 2))), tmp_path / "2.jsonl")
        with pytest.raises(BadInputError) as caught:
            merge([one, path])
        assert told in str(caught.value)
    two = recorded(run(part_of(plan, Shard(2, 3))), tmp_path / "2.jsonl")
    with pytest.raises(BadInputError, match="2 parts there, 3 here"):
        merge([one, two])
    with pytest.raises(BadInputError, match="there twice"):
        merge([one, one])
    whole = recorded(run(plan), tmp_path / "whole.jsonl")
    with pytest.raises(BadInputError, match="record of a whole run"):
        merge([one, whole])
    again = recorded(merge([one]), tmp_path / "merged.jsonl")
    with pytest.raises(BadInputError, match="merged of 1 parts already"):
        merge([again, one])
