"""Known differences are told apart, what follows from them too; new ones fail as ever, and stale entries fail."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar

import fake_implementations as fakes
import pytest
from line_schema import validator_of

from tokenizer_adapters.contract import PIPELINE_STAGES, Encode, Failed, Field, Stage, Text
from tokenizer_conformance import Input, RunPlan, read_corpus, run
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.inputs.builtin import builtin_categories, builtin_inputs
from tokenizer_conformance.inputs.corpus import Selection
from tokenizer_conformance.ledger.entry import Entry, Place
from tokenizer_conformance.ledger.matching import Ledger, LedgerFile
from tokenizer_conformance.ledger.names import pattern_of
from tokenizer_conformance.ledger.reader import read_ledgers
from tokenizer_conformance.results.records.run import FORMAT, Difference
from tokenizer_conformance.results.records.schema import schema_of
from tokenizer_conformance.validation.running.events import Checkpoint, RunFinished, TokenizerFinished
from tokenizer_conformance.validation.running.known import KnownDifferences
from tokenizer_conformance.validation.running.ledger_update import LedgerUpdate, _patterns
from tokenizer_conformance.validation.running.record import JsonLinesReport
from tokenizer_conformance.validation.running.recorded_run import read_record, refuse_another_run
from tokenizer_conformance.validation.running.stale import stale_entries

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tokenizer_adapters.contract import Outcome
    from tokenizer_conformance import Event
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

    EventsOf = Callable[..., list[Event]]

FILES = (LedgerFile("a ledger", "0" * 64),)


def entry(fake: type[fakes.Toy], number: int = 1, **selectors: Any) -> Entry:
    values = {"baselines": ("toy",), "tokenizers": ("toy-tokenizer",), "reason": "it is so"}
    return Entry(**{"implementation": fake.name, "place": Place("a ledger", number), **values, **selectors})


def ledger(*entries: Entry) -> Ledger:
    return Ledger(entries, FILES)


def finished(events: list[Event]) -> TokenizerFinished:
    (only,) = (event for event in events if isinstance(event, TokenizerFinished))
    return only


def end(events: list[Event]) -> RunFinished:
    event = events[-1]
    assert isinstance(event, RunFinished)
    return event


FAULTS: tuple[tuple[type[fakes.Toy], Stage, str], ...] = (
    (fakes.WrongNormalization, Stage.NORMALIZE, "aBc d"),
    (fakes.WrongPieces, Stage.PRE_TOKENIZE, "a-b"),
    (fakes.SwappedMerge, Stage.MODEL, "abc"),
    (fakes.WrongSpecialToken, Stage.POST_PROCESS, "abc"),
    (fakes.LossyDecode, Stage.DECODE, "zebra crossing"),
)
"""Fakes with the stage at which each differs, and a text that shows it."""


@pytest.mark.parametrize(("fake", "stage", "text"), FAULTS, ids=[str(stage) for _, stage, _ in FAULTS])
def test_a_known_difference_does_not_fail_and_nor_does_what_follows_from_it(
    events_of: EventsOf, fake: type[fakes.Toy], stage: Stage, text: str
) -> None:
    new = events_of(fake, texts=(text, "d"))
    known = events_of(fake, texts=(text, "d"), ledger=ledger(entry(fake, stages=(stage,))))
    assert end(new).conclusion is Conclusion.DIFFERENCES
    assert end(known).conclusion is Conclusion.CONFORM
    assert end(known).exit_status == 0
    assert not finished(known).findings
    assert not any(isinstance(event, Difference) for event in known)
    (then,), (now,) = finished(new).results, finished(known).results
    assert (now.failing_inputs, dict(now.blamed)) == (0, {})
    for each in PIPELINE_STAGES:
        assert now.stages[each].inputs.get(Verdict.KNOWN, 0) == then.stages[each].inputs.get(Verdict.DIFFER, 0)
        assert now.stages[each].values.get(Verdict.KNOWN, 0) == then.stages[each].values.get(Verdict.DIFFER, 0)
        assert now.stages[each].compared == then.stages[each].compared
    assert end(known).known == end(new).differences > 0
    assert end(known).differences == 0


@pytest.mark.parametrize(("fake", "stage", "text"), FAULTS, ids=[str(stage) for _, stage, _ in FAULTS])
def test_an_entry_about_a_later_stage_does_not_excuse_the_earlier_one(
    events_of: EventsOf, fake: type[fakes.Toy], stage: Stage, text: str
) -> None:
    others = tuple(each for each in PIPELINE_STAGES if each is not stage)
    events = events_of(fake, texts=(text, "d"), ledger=ledger(entry(fake, stages=others)))
    assert end(events).conclusion is Conclusion.DIFFERENCES
    assert {finding.signature.stage for finding in finished(events).findings} == {stage}


def test_findings_say_by_which_entry_they_are_known_and_what_follows(events_of: EventsOf) -> None:
    which = entry(fakes.WrongNormalization, stages=("normalize",))
    done = finished(events_of(fakes.WrongNormalization, texts=("aBc",), ledger=ledger(which)))
    own = [finding for finding in done.known if not finding.is_consequence]
    follow = [finding for finding in done.known if finding.is_consequence]
    assert {finding.signature.stage for finding in own} == {Stage.NORMALIZE}
    assert {finding.signature.stage for finding in follow} == {Stage.MODEL, Stage.POST_PROCESS}
    assert {finding.smallest.consequence_of for finding in follow} == {Stage.NORMALIZE}
    assert {finding.signature.entry for finding in done.known} == {which}
    assert done.matched == (which,)


def test_a_pair_with_a_text_that_differs_as_expected_is_known(events_of: EventsOf) -> None:
    which = entry(fakes.SwappedMerge, stages=("model",), inputs=("text 1",))
    events = events_of(fakes.SwappedMerge, texts=("d", "abc"), ledger=ledger(which))
    assert end(events).conclusion is Conclusion.CONFORM
    (row,) = finished(events).results
    assert row.stages[Stage.POST_PROCESS].inputs == {Verdict.KNOWN: 2}
    assert row.stages[Stage.MODEL].inputs == {Verdict.AGREE: 1, Verdict.KNOWN: 1}


def test_a_pair_of_a_known_and_a_new_difference_is_new(events_of: EventsOf) -> None:
    which = entry(fakes.SwappedMerge, stages=("model",), inputs=("text 1",))
    events = events_of(fakes.SwappedMerge, texts=("abc", "xabc"), ledger=ledger(which))
    assert end(events).conclusion is Conclusion.DIFFERENCES
    (row,) = finished(events).results
    assert row.stages[Stage.POST_PROCESS].inputs == {Verdict.DIFFER: 2}
    assert row.blamed == {Stage.MODEL: 1}, "text 1 fails in its pair alone"
    assert row.failing_inputs == 2


class TwoFaults(fakes.Toy):
    """Leaves a capital B as it is, and splits at hyphens."""

    name = "two-faults"

    class subject(fakes.WrongPieces.subject):  # noqa: N801 - stands for the attribute
        def normalize(self, text: str) -> str:
            return fakes.WrongNormalization.subject().normalize(text)


def test_what_follows_from_a_known_and_a_new_difference_is_new(events_of: EventsOf) -> None:
    which = entry(TwoFaults, stages=("normalize",))
    events = events_of(TwoFaults, texts=("B-a",), ledger=ledger(which))
    findings = finished(events).findings
    assert {finding.signature.stage for finding in findings} == {
        Stage.PRE_TOKENIZE,
        Stage.MODEL,
        Stage.POST_PROCESS,
    }
    later = [finding for finding in findings if finding.signature.stage is not Stage.PRE_TOKENIZE]
    assert {finding.smallest.consequence_of for finding in later} == {Stage.PRE_TOKENIZE}
    assert finished(events).results[0].blamed == {Stage.PRE_TOKENIZE: 1}
    both = ledger(which, entry(TwoFaults, 2, stages=("pre_tokenize",)))
    assert end(events_of(TwoFaults, texts=("B-a",), ledger=both)).conclusion is Conclusion.CONFORM


def test_a_field_that_is_not_expected_is_new(events_of: EventsOf) -> None:
    which = entry(fakes.SwappedMerge, fields=("tokens", "offsets"))
    events = events_of(fakes.SwappedMerge, texts=("abc",), ledger=ledger(which))
    fields = {finding.signature.field for finding in finished(events).findings}
    assert fields
    assert fields.isdisjoint({Field.TOKENS, Field.OFFSETS})
    assert {finding.signature.field for finding in finished(events).known} == {Field.TOKENS, Field.OFFSETS}
    assert end(events).conclusion is Conclusion.DIFFERENCES


@pytest.mark.parametrize("version", ["<1", ">=1.1", "==2.*"])
def test_another_version_has_new_differences_and_the_entry_is_not_judged(events_of: EventsOf, version: str) -> None:
    texts = ("abc",)
    which = entry(fakes.SwappedMerge, inputs=("text 0",), version=version)
    assert end(events_of(fakes.SwappedMerge, texts=texts, ledger=ledger(which))).conclusion is Conclusion.DIFFERENCES
    other = entry(fakes.Utf8, inputs=("text 0",), version=version)
    assert end(events_of(fakes.Utf8, texts=texts, ledger=ledger(other))).stale == ()
    fitting = replace(other, version=">=1,<1.1")
    assert end(events_of(fakes.Utf8, texts=texts, ledger=ledger(fitting))).stale == (fitting,)


NO_VALUES: tuple[tuple[type[fakes.Toy], str], ...] = (
    (fakes.Raising, "error"),
    (fakes.Crashing, "crash"),
    (fakes.Hanging, "timeout"),
    (fakes.Garbling, "protocol"),
)


@pytest.mark.parametrize(("fake", "verdict"), NO_VALUES, ids=[verdict for _, verdict in NO_VALUES])
def test_errors_and_missing_answers_can_be_known(events_of: EventsOf, fake: type[fakes.Toy], verdict: str) -> None:
    which = entry(fake, classes=(verdict,))
    events = events_of(fake, texts=("abc", "x"), ledger=ledger(which))
    assert end(events).exit_status == 0
    (row,) = finished(events).results
    (new,) = finished(events_of(fake, texts=("abc", "x"))).results
    assert row.compared == new.compared > 0, "what gave no value was not compared"
    assert row.stages[Stage.NORMALIZE].known_without_value == 1
    others = tuple(other for _, other in NO_VALUES if other != verdict)
    status = end(events_of(fake, texts=("abc", "x"), ledger=ledger(replace(which, classes=others)))).exit_status
    assert status == (1 if verdict == "error" else 3)


def test_an_implementation_of_which_only_crashes_are_known_has_not_conformed(events_of: EventsOf) -> None:
    events = events_of(fakes.Crashing, texts=("x",), stages=(Stage.NORMALIZE,), ledger=ledger(entry(fakes.Crashing)))
    assert finished(events).results[0].stages[Stage.NORMALIZE].inputs == {Verdict.KNOWN: 1}
    assert end(events).conclusion is Conclusion.NOTHING_COMPARED


def test_what_is_unstable_cannot_be_known(events_of: EventsOf) -> None:
    events = events_of(fakes.Flaky, ledger=ledger(entry(fakes.Flaky)))
    assert end(events).conclusion is Conclusion.IMPLEMENTATION_FAILED


def test_known_differences_do_not_stop_a_run(events_of: EventsOf) -> None:
    texts = ("abc", "abc d", "abc e")
    stopped = events_of(fakes.SwappedMerge, texts=texts, max_failing=1)
    assert finished(stopped).inputs == 1
    whole = events_of(fakes.SwappedMerge, texts=texts, max_failing=1, ledger=ledger(entry(fakes.SwappedMerge)))
    assert finished(whole).inputs == 3
    assert end(whole).exit_status == 0


def test_what_is_known_is_no_smaller_example_of_what_is_new(events_of: EventsOf) -> None:
    def smallest(*entries: Entry) -> set[str]:
        events = events_of(
            fakes.WrongSpecialToken, texts=("abc",), stages=(Stage.POST_PROCESS,), ledger=ledger(*entries)
        )
        assert end(events).stale == ()
        questions = [finding.smallest.question for finding in finished(events).findings]
        return {f"{question.text}{question.pair or ''}" for question in questions if isinstance(question, Encode)}

    assert smallest() == {""}
    which = entry(fakes.WrongSpecialToken, text="")
    assert {len(text) for text in smallest(which)} == {1}


# Stale entries -------------------------------------------------------------------------------------------------------


def plan_of(toy_file: TokenizerFile, which: Entry, inputs: tuple[Input, ...], **options: Any) -> RunPlan:
    built = (fakes.Toy(), fakes.Utf8())
    corpus, _ = read_corpus([("test", inputs)])
    plan = RunPlan(
        tokenizers=(toy_file,),
        implementations=built,
        baseline="toy",
        corpus=corpus,
        ledger=ledger(which),
        cause_seconds=0,
    )
    return replace(plan, **options)


TWO = (Input("text 0", "test", "abc"), Input("text 1", "test", "d"))


def test_an_entry_without_a_difference_is_stale(toy_file: TokenizerFile) -> None:
    which = entry(fakes.Utf8, inputs=("text 0",))
    events = list(run(plan_of(toy_file, which, TWO)))
    assert end(events).stale == (which,)
    assert (end(events).conclusion, end(events).exit_status) == (Conclusion.STALE, 1)


def test_an_entry_that_names_no_inputs_needs_all_built_in_ones(toy_file: TokenizerFile) -> None:
    which = entry(fakes.Utf8, stages=("normalize",), fields=("text",))
    part = tuple(builtin_inputs())[:40]
    normalize = (Stage.NORMALIZE,)
    assert end(list(run(plan_of(toy_file, which, part, stages=normalize)))).stale == ()
    assert end(list(run(plan_of(toy_file, which, tuple(builtin_inputs()), stages=normalize)))).stale == (which,)


NOT_A_FULL_CHANCE: dict[str, dict[str, Any]] = {
    "another stage": {"stages": (Stage.DECODE,)},
    "a field left out": {"fields": frozenset({Field.TEXT})},
    "stopped": {"implementations": (fakes.Toy(), fakes.Utf8(), fakes.WrongSpecialToken()), "max_failing": 1},
    "not there": {"implementations": (fakes.Toy(), fakes.Mute())},
    "interrupted": {"implementations": (fakes.Toy(), fakes.Utf8(), fakes.Interrupted())},
    "another baseline": {"implementations": (fakes.WrongPieces(), fakes.Utf8()), "baseline": "wrong-pieces"},
}


@pytest.mark.parametrize("options", NOT_A_FULL_CHANCE.values(), ids=NOT_A_FULL_CHANCE.keys())
def test_an_entry_that_had_no_full_chance_is_not_stale(toy_file: TokenizerFile, options: dict[str, Any]) -> None:
    which = entry(fakes.Utf8, stages=("model",), fields=("ids",), inputs=("text 0",))
    three = (*TWO, Input("text 2", "test", "e"))
    assert end(list(run(plan_of(toy_file, which, three)))).stale == (which,)
    assert end(list(run(plan_of(toy_file, which, three, **options)))).stale == ()


def test_what_is_not_shown_is_not_judged(events_of: EventsOf) -> None:
    model = {"stages": ("model",), "inputs": ("text 0",)}
    for fake, fields, stale in ((fakes.IdsOnly, ("ids",), True), (fakes.IdsOnly, ("tokens",), False)):
        which = entry(fake, fields=fields, **model)
        assert bool(end(events_of(fake, texts=("abc",), ledger=ledger(which))).stale) is stale
    assert not end(events_of(fakes.Mute, texts=("abc",), ledger=ledger(entry(fakes.Mute, **model)))).stale


def test_an_unstable_implementation_is_not_judged(events_of: EventsOf) -> None:
    which = entry(fakes.Flaky, stages=("decode",), fields=("text",), inputs=("text 0",))
    events = events_of(fakes.Flaky, ledger=ledger(which))
    assert finished(events).unstable
    assert not end(events).stale


def test_an_entry_that_another_one_goes_before_is_not_stale(events_of: EventsOf) -> None:
    broad = entry(fakes.SwappedMerge)
    narrow = entry(fakes.SwappedMerge, 2, stages=("model",), fields=("ids",), inputs=("text 0",))
    events = events_of(fakes.SwappedMerge, texts=("abc",), ledger=ledger(broad, narrow))
    assert end(events).stale == ()
    assert {finding.signature.entry for finding in finished(events).known} == {broad}


def test_differences_and_failures_outweigh_stale_entries(events_of: EventsOf) -> None:
    which = entry(fakes.Utf8, inputs=("text 0",))
    for fakes_, conclusion in (
        ((fakes.Utf8, fakes.SwappedMerge), Conclusion.DIFFERENCES),
        ((fakes.Utf8, fakes.Crashing), Conclusion.IMPLEMENTATION_FAILED),
        ((fakes.Utf8, fakes.Mute), Conclusion.NOTHING_COMPARED),
    ):
        events = events_of(*fakes_, ledger=ledger(which))
        assert end(events).conclusion is conclusion
        assert end(events).stale == (which,)


# Records -------------------------------------------------------------------------------------------------------------


def test_the_record_is_valid_and_has_what_is_known(events_of: EventsOf, tmp_path: Path) -> None:
    first = entry(fakes.WrongNormalization, 3, link="https://example.org", place=Place("folder/a ledger", 3, 12))
    second = entry(fakes.Utf8, 4, inputs=("text 0",))
    events = events_of(fakes.WrongNormalization, fakes.Utf8, ledger=ledger(first, second))
    with JsonLinesReport(tmp_path / "record.jsonl") as report:
        for event in events:
            report.handle(event)
    lines = [json.loads(line) for line in (tmp_path / "record.jsonl").read_text().splitlines()]
    validator = validator_of(schema_of(FORMAT))
    for line in lines:
        validator.validate(line)
    header, done, footer = lines[0], lines[-2], lines[-1]
    assert header["ledgers"] == [{"name": "a ledger", "sha256": "0" * 64}]
    reference = {"ledger": 0, "entry": 3, "line": 12}
    assert done["matched"] == [reference]
    known = {"reason": "it is so", "link": "https://example.org", "finding": None, **reference}
    assert [finding["known"] for finding in done["known"]] == [known] * len(done["known"])
    assert done["findings"] == []
    assert (footer["conclusion"], footer["exit_status"]) == ("a ledger is stale", 1)
    assert footer["stale"] == [{"ledger": 0, "entry": 4, "line": None}]
    assert footer["known"] == sum(finding["differences"] for finding in done["known"]) > 0


def test_a_resumed_run_knows_what_was_matched_before(toy_file: TokenizerFile, tmp_path: Path) -> None:
    broad = entry(fakes.SwappedMerge)
    narrow = entry(fakes.SwappedMerge, 2, inputs=("text 0",), stages=("model",))
    plan = plan_of(
        toy_file,
        broad,
        (*TWO, Input("text 2", "test", "zz")),
        implementations=(fakes.Toy(), fakes.SwappedMerge()),
        checkpoint_seconds=0,
        ledger=ledger(broad, narrow),
    )
    whole = list(run(plan))
    path = tmp_path / "record.jsonl"
    until = next(number for number, event in enumerate(whole) if isinstance(event, Checkpoint))
    with JsonLinesReport(path) as report:
        for event in whole[: until + 1]:
            report.handle(event)
    record = read_record(path, plan.corpus, plan.ledger)
    assert record is not None
    resumed = list(run(plan, record.resumption))
    assert finished(resumed).known == finished(whole).known
    assert set(finished(resumed).matched) == {broad, narrow}
    assert end(resumed).stale == ()
    assert end(resumed).known == end(whole).known
    assert stale_entries(plan, [replace(finished(resumed), matched=())]) == (narrow,), "and this is why"


def test_a_run_does_not_go_on_with_the_record_of_another_ledger(toy_file: TokenizerFile, tmp_path: Path) -> None:
    plan = plan_of(toy_file, entry(fakes.Utf8), TWO)
    events = list(run(plan))
    with JsonLinesReport(tmp_path / "record.jsonl") as report:
        report.handle(events[0])
    record = read_record(tmp_path / "record.jsonl", plan.corpus)
    assert record is not None
    for files, said in (
        ((LedgerFile("a ledger", "1" * 64),), "ledger a ledger: its file has changed"),
        ((), "ledgers: a ledger then, none now"),
    ):
        changed = next(run(replace(plan, ledger=Ledger(plan.ledger.entries, files))))
        with pytest.raises(Exception, match=said):
            refuse_another_run(tmp_path / "record.jsonl", record, changed)  # type: ignore[arg-type]
    header = {key: value for key, value in record.header.items() if key != "ledgers"}
    refuse_another_run(
        tmp_path / "record.jsonl",
        replace(record, header=header),
        next(run(replace(plan, ledger=Ledger()))),  # type: ignore[arg-type]
    )


def test_a_resumed_run_has_known_examples_of_long_texts_whole_again(toy_file: TokenizerFile, tmp_path: Path) -> None:
    corpus, _ = read_corpus([("test", [Input(each, "test", "zebra crossing " * 401) for each in ("one", "two")])])
    plan = RunPlan(
        tokenizers=(toy_file,),
        implementations=(fakes.Toy(), fakes.LossyDecode()),
        baseline="toy",
        corpus=corpus,
        ledger=ledger(entry(fakes.LossyDecode)),
        checkpoint_seconds=0,
    )
    whole = list(run(plan))
    path = tmp_path / "run.jsonl"
    with JsonLinesReport(path) as report:
        for event in whole[: next(at for at, event in enumerate(whole) if isinstance(event, Checkpoint)) + 1]:
            report.handle(event)
    record = read_record(path, plan.corpus, plan.ledger)
    assert record is not None
    assert finished(whole).known
    assert finished(list(run(plan, record.resumption))).known == finished(whole).known


# What an update writes ------------------------------------------------------------------------------------------------


class LosesX(fakes.LossyDecode):
    """Another fault of the same stage and field: loses every x as well."""

    class subject(fakes.LossyDecode.subject):  # noqa: N801 - stands for the attribute
        def decode(self, ids: Sequence[int], skip_special_tokens: bool) -> Outcome:
            outcome = super().decode(ids, skip_special_tokens)
            return Text(outcome.text.replace("x", "")) if isinstance(outcome, Text) else outcome


NEW = Ledger(takes_new=True)

MANY = tuple(f"z{'a' * number}" for number in range(30))


def updated(events: list[Event], path: Path) -> Ledger:
    """Return the ledger that a run writes, once people have said why."""
    update = LedgerUpdate(path)
    for event in events:
        update.handle(event)
    path.write_text(path.read_text(encoding="utf-8").replace('reason = ""', 'reason = "so"'), encoding="utf-8")
    return read_ledgers([str(path)])


def test_what_was_written_for_one_fault_does_not_hide_another_of_the_same_stage_and_field(
    events_of: EventsOf, tmp_path: Path
) -> None:
    texts = (*MANY, "ax", "b")
    first = events_of(fakes.LossyDecode, texts=texts, cause_seconds=30.0, ledger=NEW)
    known = updated(first, tmp_path / "known.toml")
    assert {name for each in known.entries for name in each.inputs} == {f"text {number}" for number in range(30)}
    again = events_of(fakes.LossyDecode, texts=texts, ledger=known)
    assert (end(again).exit_status, end(again).stale, finished(again).findings) == (0, (), ())
    other = events_of(LosesX, texts=texts, ledger=known)
    (finding,) = finished(other).findings
    assert (finding.signature.stage, finding.signature.field, finding.own_inputs) == (
        Stage.DECODE,
        Field.TEXT,
        ("text 30",),
    )


def test_each_cause_has_an_entry_that_names_it(events_of: EventsOf, tmp_path: Path) -> None:
    events = events_of(LosesX, texts=("za", "zb", "xa", "b"), cause_seconds=30.0, ledger=NEW)
    known = updated(events, tmp_path / "known.toml")
    assert {each.inputs for each in known.entries} == {("text 0", "text 1"), ("text 2",)}
    comments = [line for line in (tmp_path / "known.toml").read_text(encoding="utf-8").splitlines() if "input" in line]
    assert sum("text differs for" in line for line in comments) == len(known.entries) == 2
    again = events_of(LosesX, texts=("za", "zb", "xa", "b"), ledger=known)
    assert (end(again).exit_status, end(again).stale) == (0, ())


class BesideB(fakes.WrongNormalization):
    """Leaves a capital B as it is, and has a further fault in just the texts that have one."""

    stage: ClassVar[Stage]

    class subject(fakes.WrongNormalization.subject):  # noqa: N801
        stage: ClassVar[Stage]

        def normalize(self, text: str) -> str:
            found = super().normalize(text)
            return found.replace("c", "d") if "B" in text and self.stage is Stage.NORMALIZE else found

        def pieces(self, text: str) -> list[tuple[int, str]]:
            found = super().pieces(text)
            return found[:1] if "B" in text and self.stage is Stage.PRE_TOKENIZE else found

        def encode(self, text: str, pair: str | None, add_special_tokens: bool) -> Outcome:
            outcome = super().encode(text, pair, add_special_tokens)
            is_wrong = "B" in text and self.stage is Stage.POST_PROCESS and add_special_tokens
            return replace(outcome, type_ids=(1,) * len(outcome.ids)) if is_wrong else outcome  # type: ignore[type-var]


def beside(stage: Stage) -> type[fakes.Toy]:
    """Return :class:`BesideB` with its further fault at ``stage``."""
    subject = type("subject", (BesideB.subject,), {"stage": stage})
    return type("Beside", (BesideB,), {"subject": subject})


WITH_B = ("aBc d", "abc", "Bc ac", "d", "xB c")
OF_B = tuple(Input(f"text {number}", "test", text) for number, text in enumerate(WITH_B))


@pytest.mark.parametrize("seconds", [0.0, 30.0])
@pytest.mark.parametrize("stage", [Stage.NORMALIZE, Stage.PRE_TOKENIZE, Stage.POST_PROCESS])
def test_a_further_fault_on_inputs_that_an_entry_names_is_new_at_its_stage_and_at_those_that_follow(
    events_of: EventsOf, tmp_path: Path, stage: Stage, seconds: float
) -> None:
    first = events_of(fakes.WrongNormalization, texts=WITH_B, ledger=NEW, cause_seconds=seconds)
    known = updated(first, tmp_path / "known.toml")
    assert {each.stages for each in known.entries} == {("normalize",)}, "what follows needs no entry"
    same = events_of(fakes.WrongNormalization, texts=WITH_B, ledger=known)
    assert (end(same).exit_status, end(same).stale, finished(same).findings) == (0, (), ())
    other = events_of(beside(stage), texts=WITH_B, ledger=known)
    findings = finished(other).findings
    assert stage in {each.signature.stage for each in findings}
    assert {name for each in findings for name in each.own_inputs} <= {"text 0", "text 2", "text 4"}
    both = updated(events_of(beside(stage), texts=WITH_B, ledger=NEW), tmp_path / "both.toml")
    assert finished(events_of(beside(stage), texts=WITH_B, ledger=both)).findings == ()


@pytest.mark.parametrize(
    "options",
    [
        {"fields": frozenset({Field.IDS, Field.TEXT})},
        {"stages": (Stage.MODEL, Stage.POST_PROCESS, Stage.NORMALIZE)},
        {"corpus": read_corpus([("test", OF_B)], Selection(ids=frozenset({"text 2", "text 3"})))[0]},
    ],
)
def test_answers_are_known_whatever_else_is_asked(events_of: EventsOf, tmp_path: Path, options: dict[str, Any]) -> None:
    known = updated(events_of(fakes.WrongNormalization, texts=WITH_B, ledger=NEW), tmp_path / "known.toml")
    again = events_of(fakes.WrongNormalization, texts=WITH_B, ledger=known, **options)
    assert (finished(again).findings, end(again).stale) == ((), ())
    assert finished(again).known
    new = finished(events_of(beside(Stage.NORMALIZE), texts=WITH_B, ledger=known, **options))
    assert {each.signature.stage for each in new.findings if not each.is_consequence} == {Stage.NORMALIZE}


def test_an_entry_is_stale_where_every_answer_is_another(events_of: EventsOf, tmp_path: Path) -> None:
    known = updated(events_of(fakes.WrongNormalization, texts=("Bc",), ledger=NEW), tmp_path / "known.toml")
    events = events_of(beside(Stage.NORMALIZE), texts=("Bc",), ledger=known)
    assert end(events).stale == known.entries
    assert end(events).conclusion is Conclusion.DIFFERENCES


def test_another_error_is_new_and_the_same_one_with_another_address_is_not(events_of: EventsOf, tmp_path: Path) -> None:
    known = updated(events_of(failing_with("KeyError", "'a' at 0x7f"), texts=("x",), ledger=NEW), tmp_path / "k.toml")
    for kind, message, is_known in (
        ("KeyError", "'a' at 0x8e", True),
        ("KeyError", "'b' at 0x7f", False),
        ("ValueError", "'a' at 0x7f", False),
    ):
        events = events_of(failing_with(kind, message), texts=("x",), ledger=known)
        stages = {each.signature.stage for each in finished(events).findings}
        new = {Stage.NORMALIZE, Stage.PRE_TOKENIZE, Stage.MODEL, Stage.POST_PROCESS}
        assert stages == (set() if is_known else new)


def failing_with(kind: str, message: str) -> type[fakes.Toy]:
    subject = type("subject", (fakes.Raising.subject,), {"outcome": Failed(kind, message)})
    return type("Failing", (fakes.Raising,), {"subject": subject})


@pytest.mark.parametrize("seconds", [0.0, 30.0])
@pytest.mark.parametrize("ends_after", [Checkpoint, TokenizerFinished])
def test_a_resumed_run_writes_of_all_that_the_whole_run_would_have(
    toy_file: TokenizerFile, tmp_path: Path, ends_after: type[object], seconds: float
) -> None:
    corpus, _ = read_corpus([("test", [Input(f"text {n}", "test", f"{n % 7 * 'a'}Bc") for n in range(30)])])
    plan = RunPlan(
        tokenizers=(toy_file,),
        implementations=(fakes.Toy(), fakes.WrongNormalization()),
        baseline="toy",
        corpus=corpus,
        ledger=NEW,
        checkpoint_seconds=0,
        cause_seconds=seconds,
    )
    whole = list(run(plan))
    path = tmp_path / "record.jsonl"
    until = max(number for number, event in enumerate(whole) if isinstance(event, ends_after))
    with JsonLinesReport(path) as report:
        for event in whole[: until + 1]:
            report.handle(event)
    record = read_record(path, plan.corpus, plan.ledger)
    assert record is not None
    resumed = list(run(plan, record.resumption))
    of_whole, of_both = (updated(events, tmp_path / f"{n}.toml") for n, events in enumerate((whole, resumed)))
    assert {each.selector for each in of_both.entries} == {each.selector for each in of_whole.entries}
    assert {name for each in of_both.entries for name in each.inputs} == {f"text {n}" for n in range(30)}


def test_inputs_of_a_whole_category_are_one_pattern() -> None:
    first, second = builtin_categories()[:2]
    names, other = [each.id for each in first.inputs], second.inputs[0].id
    assert len(second.inputs) > 1
    assert list(_patterns([other, *names])) == [f"{first.name}/*", pattern_of(other)]
    assert list(_patterns(names[:-1])) == list(map(pattern_of, names[:-1]))
    assert list(_patterns([])) == []


def test_an_answer_that_an_entry_of_an_earlier_stage_tells_follows_from_it() -> None:
    earlier = entry(fakes.Toy, stages=(Stage.PRE_TOKENIZE, Stage.MODEL))
    ones = SimpleNamespace(entries_by_answers=lambda: {"n:e": earlier})
    asked: Any = SimpleNamespace(_answers={}, _ledger=ledger(earlier), _known=lambda *_: ones)
    told, other = (SimpleNamespace(letters=lambda letters=letters: letters) for letters in ("n:e", "n:x"))
    expected: list[tuple[Stage, Any, Any]] = [
        (Stage.MODEL, told, (Stage.PRE_TOKENIZE, earlier)),
        (Stage.NORMALIZE, told, None),
        (Stage.MODEL, other, None),
        (Stage.MODEL, None, None),
    ]
    for stage, answered, before in expected:
        assert KnownDifferences._answer_before(asked, "toy", stage, answered) == before
    assert asked._answers == {"toy": {"n:e": earlier}}
