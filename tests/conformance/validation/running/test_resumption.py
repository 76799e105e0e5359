"""A run that is killed and resumed comes to what it would have come to without that.

The default run cuts runs at every fourth of the places at which the slow one does.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from msgspec import structs

from tokenizer_adapters.contract import PIPELINE_STAGES, Encoded, Field, Stage
from tokenizer_conformance import Corpus, Input, RunPlan, read_corpus, run
from tokenizer_conformance.causes.collecting import CauseCollector
from tokenizer_conformance.command_io.environment import version
from tokenizer_conformance.command_io.record import rounded
from tokenizer_conformance.comparison.findings import length_of
from tokenizer_conformance.comparison.record_forms import LONGEST_TEXT
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.hub import HubSnapshot
from tokenizer_conformance.results.records.run import LoadFailed
from tokenizer_conformance.validation.running import shrinking, tokenizer_run
from tokenizer_conformance.validation.running.engine import run_started
from tokenizer_conformance.validation.running.events import (
    CausesSought,
    Checkpoint,
    InputCompared,
    InputsFailed,
    Replayed,
    Resumption,
    RunFinished,
    RunStarted,
    TokenizerFinished,
)
from tokenizer_conformance.validation.running.record import JsonLinesReport, record_of
from tokenizer_conformance.validation.running.record_changes import changes
from tokenizer_conformance.validation.running.recorded_run import read_record, refuse_another_run

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance import Event
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

FAULTY = (fakes.ShiftedOffset, fakes.SwappedMerge, fakes.Raising, fakes.Utf8)

TEXTS = ("abc", "aBc d", "x", "a-b", "zebra crossing", "éa 🎉b", "long " * 401)


CUTS_APART = 31

APART = pytest.mark.parametrize("apart", [4 * CUTS_APART, pytest.param(CUTS_APART, marks=pytest.mark.slow)])
"""How many events of a run lie between two cuts: the slow run has four times as many cuts."""


def corpus_of(texts: tuple[str, ...] = TEXTS) -> Corpus:
    return read_corpus([("test", [Input(f"text {number}", "test", text) for number, text in enumerate(texts)])])[0]


def plan_of(tokenizers: tuple[TokenizerFile, ...], **options: Any) -> RunPlan:
    implementations = (fakes.Toy(), *(fake() for fake in FAULTY))
    plan = RunPlan(
        tokenizers=tokenizers,
        implementations=implementations,
        baseline=implementations[0].info.name,
        corpus=corpus_of(),
        every_id=True,
        checkpoint_seconds=0,
        cause_seconds=0,  # that has a test of its own
    )
    return replace(plan, **options)


def results(events: list[Event]) -> list[Any]:
    """Return what a run came to, but for the time it took; causes as they are in the end."""
    found = [event.event if isinstance(event, Replayed) else event for event in events]
    return [
        replace(
            event,
            seconds=0,
            baseline_seconds=0,
            results=tuple(structs.replace(result, seconds=0) for result in event.results),
            causes=(),
        )
        if isinstance(event, TokenizerFinished)
        else replace(event, seconds=0)
        for event in found
        if isinstance(event, TokenizerFinished | RunFinished)
    ]


@pytest.fixture
def two(toy_file: TokenizerFile) -> tuple[TokenizerFile, ...]:
    return toy_file, replace(toy_file, source=replace(toy_file.source, name="again"))


def record(events: list[Event], path: Path, size: int = 0) -> None:
    with JsonLinesReport(path, size) as report:
        for event in events:
            report.handle(event)


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0.0, "lossy-decode z, 1, 2, raising x, 3, lossy-decode az, 4, 5"),
        (2.0, "lossy-decode z, 2, lossy-decode az, raising x, 4"),
        (4.0, "lossy-decode z, lossy-decode az, raising x, 4"),
        (6.0, "lossy-decode z, lossy-decode az, raising x"),
    ],
)
def test_a_checkpoint_comes_when_it_is_due_and_has_what_failed_since_the_last(
    toy_file: TokenizerFile, monkeypatch: pytest.MonkeyPatch, seconds: float, told: str
) -> None:
    """Each input takes a second; a number is how many were compared at a checkpoint."""
    monkeypatch.setattr(tokenizer_run, "time", SimpleNamespace(perf_counter=lambda: now))
    texts = ("z", "b", "x", "az", "a")
    plan = plan_of(
        (toy_file,),
        implementations=(fakes.Toy(), fakes.LossyDecode(), fakes.Raising()),
        corpus=corpus_of(texts),
        every_id=False,
        checkpoint_seconds=seconds,
    )
    now = 0
    found: list[str] = []
    for event in run(plan):
        if isinstance(event, InputCompared):
            now += 1
        elif isinstance(event, InputsFailed):
            found += [f"{event.implementation} {texts[int(each.removeprefix('text '))]}" for each in event.ids]
        elif isinstance(event, Checkpoint):
            found.append(str(event.so_far.inputs))
    assert ", ".join(found) == told


@pytest.mark.long_but(1)
@APART
def test_a_run_that_is_cut_anywhere_and_resumed_loses_nothing(
    two: tuple[TokenizerFile, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, apart: int
) -> None:
    monkeypatch.setattr(shrinking, "MOST_SHRUNK", 0)  # that has a test of its own
    plan = plan_of(two)
    whole = list(run(plan))
    assert sum(isinstance(event, Checkpoint) for event in whole) > 2 * len(TEXTS)
    assert any(event.findings for event in whole if isinstance(event, TokenizerFinished))
    path = tmp_path / "run.jsonl"
    for cut in range(1, len(whole), apart):
        record(whole[:cut], path)
        left = read_record(path, plan.corpus)
        rest = list(run(plan, left.resumption))
        assert results(rest) == results(whole), f"cut after {cut} events"


@pytest.mark.parametrize(
    "cut",
    [
        5,
        *(pytest.param(cut, marks=pytest.mark.long) for cut in (1, 11)),
        *(pytest.param(cut, marks=pytest.mark.slow) for cut in (3, 7, 9)),
    ],
)
def test_a_run_that_is_interrupted_while_it_looks_for_causes_and_resumed_loses_none(
    two: tuple[TokenizerFile, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut: int
) -> None:
    monkeypatch.setattr(shrinking, "MOST_SHRUNK", 0)
    plan = plan_of(two, corpus=corpus_of(TEXTS[:-1]), every_id=False, cause_seconds=60)
    whole = list(run(plan))
    taken = 0
    take = CauseCollector.take

    def interrupted(self: CauseCollector, *arguments: Any) -> Any:
        nonlocal taken
        taken += 1
        cause = take(self, *arguments)
        if taken == cut:
            raise KeyboardInterrupt
        return cause

    monkeypatch.setattr(CauseCollector, "take", interrupted)
    path = tmp_path / "run.jsonl"
    record(list(run(plan)), path)
    monkeypatch.setattr(CauseCollector, "take", take)
    rest = list(run(plan, read_record(path, plan.corpus).resumption))
    assert taken >= cut
    assert results(rest) == results(whole)
    assert whole[-1].causes
    assert not rest[-1].unexamined


def test_a_resumed_run_finds_the_same_smaller_examples(two: tuple[TokenizerFile, ...], tmp_path: Path) -> None:
    plan = plan_of(two, corpus=corpus_of(("zebra crossing", "Bees abc")), every_id=False)
    whole = list(run(plan))
    path = tmp_path / "run.jsonl"
    for cut in (len(whole) // 4, len(whole) // 2, len(whole) - 2):
        record(whole[:cut], path)
        assert results(list(run(plan, read_record(path, plan.corpus).resumption))) == results(whole)
    examples = [finding.smallest for event in results(whole) for finding in getattr(event, "findings", ())]
    assert any(example.reduced_from for example in examples)


# All that a run counts ------------------------------------------------------------------------------------------------


@pytest.fixture
def as_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave examples as they were found: to make them smaller takes most of the time, and has a test of its own."""
    monkeypatch.setattr(shrinking, "MOST_SHRUNK", 0)


class OnlySecondThought(fakes.Toy):
    """Answers the first time that it is asked in another way than ever after."""

    name = "only-second-thought"

    class subject(fakes.ToySubject):  # noqa: N801
        def __init__(self) -> None:
            self.asked: set[Observation] = set()

        def observe(self, observation: Observation) -> Outcome:
            outcome = super().observe(observation)
            if isinstance(outcome, Encoded) and outcome.ids and observation not in self.asked:
                self.asked.add(observation)
                return fakes.cut_short(outcome)
            return outcome


class GivenAnotherFile(fakes.Toy):
    """Is given a file in place of the ``tokenizer.json``."""

    name = "given-another-file"

    class subject(fakes.ToySubject):  # noqa: N801
        files = ("folder/vocab.txt",)


OF_ALL_KINDS = (
    *FAULTY,
    fakes.IdsOnly,
    fakes.Boasting,
    fakes.Modest,
    fakes.CannotLoad,
    OnlySecondThought,
    GivenAnotherFile,
)


def plan_of_all_kinds(tokenizers: tuple[TokenizerFile, ...], **options: Any) -> RunPlan:
    return plan_of(tokenizers, implementations=(fakes.Toy(), *(fake() for fake in OF_ALL_KINDS)), **options)


def recorded(finished: TokenizerFinished) -> TokenizerFinished:
    """Return ``finished`` with its times as a record has them."""
    return replace(
        finished,
        seconds=rounded(finished.seconds),
        baseline_seconds=rounded(finished.baseline_seconds),
    )


@pytest.mark.usefixtures("as_found")
def test_a_record_is_read_back_with_all_that_was_counted(two: tuple[TokenizerFile, ...], tmp_path: Path) -> None:
    plan = plan_of_all_kinds(two, corpus=corpus_of(TEXTS[3:]))
    whole = list(run(plan))
    path = tmp_path / "run.jsonl"
    record(whole, path)
    done = [event for event in whole if isinstance(event, TokenizerFinished)]
    for each in done:  # there is something to lose
        assert each.unstable
        assert each.seconds > each.baseline_seconds > 0
        by_name = {result.implementation: result for result in each.results}
        assert by_name["cannot-load"].load_error is not None
        assert by_name["given-another-file"].files == ("vocab.txt",)
        assert by_name["modest"].shows == dict.fromkeys(
            PIPELINE_STAGES, tuple(sorted(fakes.Toy.fields - {Field.OFFSETS}))
        )
        assert by_name["boasting"].shows is None
        assert by_name["ids-only"].stages[Stage.MODEL].unsupported_fields[Field.OFFSETS]
        assert by_name["boasting"].stages[Stage.MODEL].unanswered_fields[Field.OFFSETS]
    resumption = read_record(path, plan.corpus).resumption
    assert resumption.finished == {each.tokenizer: recorded(each) for each in done}
    assert resumption.load_failures == tuple(event for event in whole if isinstance(event, LoadFailed))
    assert len(resumption.load_failures) == len(two)
    for at in [at for at, event in enumerate(whole) if isinstance(event, Checkpoint)][:: 2 * CUTS_APART]:
        record(whole[: at + 1], path)
        so_far = whole[at].so_far
        assert read_record(path, plan.corpus).resumption.begun[so_far.tokenizer] == recorded(so_far)


def test_a_baseline_that_could_not_load_is_read_back(toy_file: TokenizerFile, tmp_path: Path) -> None:
    plan = plan_of((toy_file,), implementations=(fakes.CannotLoad(), fakes.Toy()), baseline="cannot-load")
    path = tmp_path / "run.jsonl"
    whole = list(run(plan))
    record(whole, path)
    (finished,) = read_record(path, plan.corpus).resumption.finished.values()
    assert finished.baseline_load_error == "cannot-load cannot load toy-tokenizer: it never does"
    assert results(list(run(plan, read_record(path, plan.corpus).resumption))) == results(whole)


@pytest.mark.long
@pytest.mark.usefixtures("as_found")
def test_who_could_not_load_is_said_again(two: tuple[TokenizerFile, ...], tmp_path: Path) -> None:
    plan = plan_of_all_kinds(two, every_id=False)
    path = tmp_path / "run.jsonl"
    whole = list(run(plan))
    first_done = next(at for at, event in enumerate(whole) if isinstance(event, TokenizerFinished))
    for events in (whole, whole[: first_done + 1]):
        record(events, path)
        rest = list(run(plan, read_record(path, plan.corpus).resumption))
        told = [event.event if isinstance(event, Replayed) else event for event in rest]
        failures = [event for event in told if isinstance(event, LoadFailed)]
        assert failures == [event for event in whole if isinstance(event, LoadFailed)]
        assert failures[0] == LoadFailed(
            tokenizer="toy-tokenizer",
            implementation="cannot-load",
            reason="cannot-load cannot load toy-tokenizer: it never does",
        )


@pytest.mark.long
@APART
@pytest.mark.usefixtures("as_found")
def test_what_is_unsupported_or_unstable_is_counted_on(
    two: tuple[TokenizerFile, ...], tmp_path: Path, apart: int
) -> None:
    others = tuple(
        fake for fake in OF_ALL_KINDS if not issubclass(fake, fakes.Boasting)
    )  # these count what they are asked
    plan = plan_of(two, implementations=(fakes.Toy(), *(fake() for fake in others)), every_id=False)
    whole = list(run(plan))
    path = tmp_path / "run.jsonl"
    for cut in range(1, len(whole), 3 * apart):
        record(whole[:cut], path)
        rest = list(run(plan, read_record(path, plan.corpus).resumption))
        assert results(rest) == results(whole), f"cut after {cut} events"


@pytest.mark.usefixtures("as_found")
def test_a_resumed_run_has_taken_the_time_of_both(toy_file: TokenizerFile) -> None:
    plan = plan_of((toy_file,))
    so_far = next(event.so_far for event in run(plan) if isinstance(event, Checkpoint))
    long = replace(
        so_far,
        seconds=1000.0,
        baseline_seconds=400.0,
        results=tuple(structs.replace(result, seconds=1000.0 * (at + 1)) for at, result in enumerate(so_far.results)),
    )
    events = list(run(plan, Resumption(begun={so_far.tokenizer: long})))
    (finished,) = (event for event in events if isinstance(event, TokenizerFinished))
    assert 1000 < finished.seconds < 2000
    assert 400 < finished.baseline_seconds < 1400
    for at, result in enumerate(finished.results):
        assert 1000 * (at + 1) < result.seconds < 1000 * (at + 2)


# Long texts -----------------------------------------------------------------------------------------------------------


class WrongPair(fakes.Toy):
    """Gives the tokens of a pair a type of their own."""

    name = "wrong-pair"

    class subject(fakes.ToySubject):  # noqa: N801
        def encode(self, text: str, pair: str | None, add_special_tokens: bool) -> Outcome:
            outcome = super().encode(text, pair, add_special_tokens)
            if pair is None or not isinstance(outcome, Encoded):
                return outcome
            return replace(outcome, type_ids=(7,) * len(outcome.ids))


@pytest.mark.long_but(1)
@pytest.mark.usefixtures("as_found")
@pytest.mark.parametrize(
    "fake",
    [
        fakes.WrongNormalization,
        fakes.WrongPieces,
        fakes.SwappedMerge,
        fakes.WrongSpecialToken,
        WrongPair,
        fakes.LossyDecode,
        fakes.Raising,
    ],
)
def test_examples_of_long_texts_are_whole_again(toy_file: TokenizerFile, tmp_path: Path, fake: type[fakes.Toy]) -> None:
    """A record has the first 2,000 characters of a text and as many ids."""
    texts = tuple("Bees x zebra d-e f" * times for times in (180, 190))
    plan = plan_of((toy_file,), implementations=(fakes.Toy(), fake()), corpus=corpus_of(texts), every_id=False)
    whole = list(run(plan))
    (finished,) = (event for event in whole if isinstance(event, TokenizerFinished))
    assert all(length_of(finding.first.question) > LONGEST_TEXT for finding in finished.findings)
    path = tmp_path / "run.jsonl"
    for at, event in enumerate(whole):
        if isinstance(event, Checkpoint):
            record(whole[: at + 1], path)
            assert results(list(run(plan, read_record(path, plan.corpus).resumption))) == results(whole)


def test_an_id_decoded_alone_is_read_back(toy_file: TokenizerFile, tmp_path: Path) -> None:
    plan = plan_of((toy_file,), implementations=(fakes.Toy(), fakes.LossyDecode()), corpus=corpus_of(("abc",)))
    whole = list(run(plan))
    path = tmp_path / "run.jsonl"
    record(whole[:-2], path)
    assert results(list(run(plan, read_record(path, plan.corpus).resumption))) == results(whole)


# The record -----------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_resumed_run_writes_on_in_its_record(two: tuple[TokenizerFile, ...], tmp_path: Path) -> None:
    plan = plan_of(two)
    whole = list(run(plan))
    path = tmp_path / "run.jsonl"
    record(whole[: len(whole) // 2], path)
    with path.open("a") as file:
        file.write('{"type": "checkp')  # the line at work when the run was killed
    left = read_record(path, plan.corpus)
    record(list(run(plan, left.resumption)), path, left.size)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["type"] for line in lines].count("header") == 1
    assert [line["type"] for line in lines].count("resumed") == 1
    assert [line["tokenizer"] for line in lines if line["type"] == "tokenizer"] == ["toy-tokenizer", "again"]
    assert lines[-1]["type"] == "footer"
    finished = read_record(path, plan.corpus)
    assert results(list(run(plan, finished.resumption))) == results(whole)


def test_what_is_done_is_not_asked_again(toy_file: TokenizerFile, tmp_path: Path) -> None:
    plan = plan_of((toy_file,))
    path = tmp_path / "run.jsonl"
    record([event for event in run(plan) if not isinstance(event, RunFinished)], path)
    rest = list(run(plan, read_record(path, plan.corpus).resumption))
    assert [type(event) for event in rest] == [RunStarted, Replayed, RunFinished]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"corpus": corpus_of(("other",))}, "inputs: 7 then, 1 now"),
        ({"corpus": corpus_of((*TEXTS[:-1], "other"))}, "inputs: 7 then and now, but not the same texts"),
        ({"every_id": False}, "--every-id then, not now"),
        ({"seed": 5}, "seed: 0 then, 5 now"),
        ({"stages": (Stage.DECODE,)}, "stages: normalize, pre_tokenize, model, post_process, decode then, decode now"),
        ({"baseline": "utf8"}, "baseline: toy then, utf8 now"),
        (
            {"implementations": (fakes.Toy(), fakes.Utf8())},
            "implementations: toy, shifted-offset, swapped-merge, raising, utf8 then, toy, utf8 now",
        ),
        (
            {"implementations": (fakes.Toy(), *(fake() for fake in FAULTY)), "every_id": False, "seed": 2},
            "--every-id then, not now; seed: 0 then, 2 now",
        ),
    ],
)
def test_another_run_is_not_gone_on_with(
    toy_file: TokenizerFile, tmp_path: Path, options: dict[str, Any], told: str
) -> None:
    plan = plan_of((toy_file,))
    path = tmp_path / "run.jsonl"
    record(list(islice(run(plan), 20)), path)
    left = read_record(path, plan.corpus)
    refuse_another_run(path, left, run_started(plan))
    with pytest.raises(BadInputError, match=re.escape(f"run.jsonl' is the record of another run ({told}); give what")):
        refuse_another_run(path, left, run_started(replace(plan, **options)))


def header_of(plan: RunPlan) -> dict[str, Any]:
    return json.loads(json.dumps(record_of(run_started(plan))))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda header: header["implementations"][1].update(version="0.9"), "shifted-offset 0.9 then, 1.0 now"),
        (lambda header: header["implementations"][0].update(stages=["decode"]), "toy: it shows other stages now"),
        (
            lambda header: header["tokenizers"][0].update(sha256="0" * 64),
            "tokenizer toy-tokenizer: its file has changed",
        ),
        (lambda header: header["tokenizers"].clear(), "tokenizers: none then, toy-tokenizer now"),
        (lambda header: header["environment"].update(tokconf="0.0.1"), f"tokconf 0.0.1 then, {version()} now"),
    ],
)
def test_what_has_changed_since_a_record_is_told_in_words(
    toy_file: TokenizerFile, change: Callable[[dict[str, Any]], None], told: str
) -> None:
    plan = plan_of((toy_file,))
    then = header_of(plan)
    change(then)
    assert changes(then, header_of(plan)) == [told]


def test_nothing_has_changed_between_equal_headers(toy_file: TokenizerFile) -> None:
    plan = plan_of((toy_file,))
    assert changes(header_of(plan), header_of(plan)) == []


@pytest.mark.parametrize("part", ["environment", "implementations", "tokenizers", "inputs"])
def test_a_header_that_lacks_something_is_none(toy_file: TokenizerFile, tmp_path: Path, part: str) -> None:
    plan = plan_of((toy_file,))
    path = tmp_path / "run.jsonl"
    for without in ({}, {part: None}, {part: [1]}):
        header = {key: value for key, value in header_of(plan).items() if key != part} | without
        path.write_text(json.dumps(header) + "\n")
        with pytest.raises(BadInputError, match="line 1 is not that of a record"):
            read_record(path, plan.corpus)


def from_hub(file: TokenizerFile, commit: str) -> TokenizerFile:
    return replace(file, snapshot=HubSnapshot("org/name", commit, Path("cache")))


def test_a_tokenizer_is_the_same_while_its_file_is_whatever_its_commit(toy_file: TokenizerFile, tmp_path: Path) -> None:
    plan = plan_of((from_hub(toy_file, "1" * 40),))
    path = tmp_path / "run.jsonl"
    record(list(islice(run(plan), 20)), path)
    left = read_record(path, plan.corpus)
    for same in (from_hub(toy_file, "1" * 40), from_hub(toy_file, "2" * 40), toy_file):
        refuse_another_run(path, left, run_started(replace(plan, tokenizers=(same,))))
    for other in (replace(toy_file, sha256="0" * 64), replace(toy_file, source=replace(toy_file.source, name="other"))):
        with pytest.raises(BadInputError, match="is the record of another run"):
            refuse_another_run(path, left, run_started(replace(plan, tokenizers=(other,))))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("no record", "is no record of a run"),
        ("\n", "line 1 is not JSON"),
        ("no record\n", "line 1 is not JSON"),
        ("[" * 100_000 + "\n", "line 1 is not JSON: it is nested too deeply"),
        ('{"type": "header"}\n', "is no record of a run"),
        ("[]\n", "line 1 is not that of a record"),
        ('{"type": "header", "schema": "tokenizer-conformance-record", "version": "2.0"}\n', "of version 2.0"),
        (
            '{"type": "header", "schema": "tokenizer-conformance-record", "version": "1.1"}\n{"type": "checkpoint"}\n',
            "line 1 is not that of a record",
        ),
    ],
)
def test_a_file_that_is_no_record_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(content)
    with pytest.raises(BadInputError, match=message):
        read_record(path, ())


def test_a_run_that_stopped_at_a_failing_input_is_read_back_with_its_causes(
    toy_file: TokenizerFile, tmp_path: Path
) -> None:
    """Its tokenizer is not complete, and a line after that tells the causes."""
    plan = plan_of(
        (toy_file,),
        implementations=(fakes.Toy(), fakes.WrongNormalization()),
        corpus=corpus_of(("aBc", "abc", "abc d")),
        max_failing=1,
        cause_seconds=60,
    )
    path = tmp_path / "run.jsonl"
    whole = list(run(plan))
    record(whole, path)
    (sought,) = (event for event in whole if isinstance(event, CausesSought))
    (begun,) = read_record(path, plan.corpus).resumption.begun.values()
    assert not begun.complete
    assert [each.findings for each in begun.causes] == [each.findings for each in sought.causes]
    assert sought.causes


def of_another_minor(path: Path, minor: str) -> Path:
    """Return a copy of the record at ``path`` with that minor version, a line and values that are not known here."""
    header, *lines = map(json.loads, path.read_text().splitlines())
    header["version"] = f"{header['version'].partition('.')[0]}.{minor}"
    header["implementations"][0]["fields"].append("novelty")
    footer = {**lines.pop(), "conclusion": "a novel end"}
    copy = path.with_name(f"minor-{minor}.jsonl")
    copy.write_text("".join(json.dumps(line) + "\n" for line in (header, {"type": "novelty"}, *lines, footer)))
    return copy


def test_of_a_later_minor_version_what_is_not_known_is_left_out(toy_file: TokenizerFile, tmp_path: Path) -> None:
    plan = plan_of((toy_file,), implementations=(fakes.Toy(), fakes.WrongNormalization()))
    path = tmp_path / "run.jsonl"
    record(list(run(plan)), path)
    later = read_record(of_another_minor(path, "999"), plan.corpus)
    assert later.resumption == read_record(path, plan.corpus).resumption
    assert later.resumption.finished
    with pytest.raises(BadInputError, match="line 1 is not that of a record"):
        read_record(of_another_minor(path, "0"), plan.corpus)


def test_a_checkpoint_that_lacks_something_is_refused_with_its_line(toy_file: TokenizerFile, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps(header_of(plan_of((toy_file,)))) + '\n{"type": "checkpoint"}\n')
    with pytest.raises(BadInputError, match="line 2 is not that of a record"):
        read_record(path, ())


@pytest.mark.parametrize("length", [0, 1, 20, 40, 60, 200])
def test_a_record_that_was_killed_over_its_first_line_is_begun_anew(
    toy_file: TokenizerFile, tmp_path: Path, length: int
) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps(header_of(plan_of((toy_file,))))[:length])
    assert read_record(path, ()) is None


@pytest.mark.long
def test_a_killed_command_is_resumed(tokconf: Any, toy_tokenizer: Path, tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("".join(f"text {number}\n" for number in range(300)))
    run_ = ("run", str(toy_tokenizer), "-i", "toy", "shifted-offset", "--no-builtin", "--inputs", str(texts))
    whole = tokconf.run(*run_, "--json", "whole.jsonl")
    killed = tokconf.start(*run_, "--json", "cut.jsonl")
    killed.kill()
    killed.communicate()
    resumed = tokconf.run(*run_, "--json", "cut.jsonl", "--resume")
    assert resumed.status == whole.status == 1
    assert rows(tmp_path / "cut.jsonl") == rows(tmp_path / "whole.jsonl")
    again = tokconf.run(*run_, "--json", "cut.jsonl", "--resume")
    assert again.status == 1
    other = tokconf.run(*run_, "--json", "cut.jsonl", "--resume", "--stage", "decode")
    assert other.status == 2
    assert "the record of another run" in other.err
    alone = tokconf.run(*run_, "--resume")
    assert alone.status == 2
    assert "--resume needs --json FILE" in alone.err


def rows(path: Path) -> list[Any]:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [[{**result, "seconds": 0} for result in line["results"]] for line in lines if line["type"] == "tokenizer"]
