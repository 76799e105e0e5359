"""A run says why answers differ: in its events, in the record, at the terminal and in Markdown."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest

from tokenizer_adapters.contract import Normalize, Stage, Text
from tokenizer_conformance.causes.cause_time import CauseTime, TimeSpentError
from tokenizer_conformance.causes.collecting import CauseCollector
from tokenizer_conformance.causes.record_forms import cause_record
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.internal_error import InternalError
from tokenizer_conformance.inputs.corpus import read_corpus
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.results.records.run import Difference
from tokenizer_conformance.validation.running import causes, gathered
from tokenizer_conformance.validation.running.engine import run
from tokenizer_conformance.validation.running.events import (
    CausesSought,
    RunFinished,
    TokenizerFinished,
    WhyNot,
    is_ending,
)
from tokenizer_conformance.validation.running.plan import RunPlan
from tokenizer_conformance.validation.running.record import JsonLinesReport
from tokenizer_conformance.validation.running.recorded_run import read_record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conftest import CommandLine
    from tokenizer_conformance.comparison.findings import Signature
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

    EventsOf = Callable[..., list[Any]]


TEXTS = ("aBc", "xyz", "BBB d")


def test_a_fault_is_one_cause_over_all_stages(events_of: EventsOf) -> None:
    events = events_of(fakes.WrongNormalization, texts=("aBc", "xyz", "BBB d"), cause_seconds=60.0)
    (cause,) = events[-1].causes
    assert cause.signature.manner.stage is Stage.NORMALIZE
    assert cause.witness.question == Normalize("B")
    assert cause.inputs == len(cause.examples) == 2
    (sought,) = (event for event in events if isinstance(event, CausesSought))
    assert sought.causes == events[-1].causes
    assert not sought.unexamined


def test_without_time_no_causes_are_looked_for(events_of: EventsOf) -> None:
    events = events_of(fakes.WrongNormalization, texts=("aBc",), cause_seconds=0.0)
    assert events[-1].causes == ()
    assert events[-1].conclusion is Conclusion.DIFFERENCES


def test_a_bug_in_an_experiment_costs_the_causes_and_not_the_run(
    events_of: EventsOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr(CauseCollector, "take", fail)
    events = events_of(fakes.WrongNormalization, texts=("aBc", "xyz", "BBB d"), cause_seconds=60.0)
    assert sum(isinstance(event, InternalError) for event in events) == 1
    (finished,) = (event for event in events if isinstance(event, TokenizerFinished))
    assert finished.complete
    assert finished.results[0].failing_inputs == 3
    assert sum(isinstance(event, Difference) for event in events) > 2
    assert isinstance(events[-1], RunFinished)
    assert events[-1].conclusion is Conclusion.INTERNAL_ERROR
    assert {each.why for each in events[-1].unexamined} == {WhyNot.ERROR}


def test_everything_is_told_before_causes_are_looked_for(
    toy_file: TokenizerFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[list[Any]] = []
    take = CauseCollector.take

    def noted(self: CauseCollector, *arguments: Any) -> Any:
        told.append(list(events))
        return take(self, *arguments)

    monkeypatch.setattr(CauseCollector, "take", noted)
    other = replace(toy_file, source=replace(toy_file.source, name="other"))
    sides = (fakes.Toy(), fakes.WrongNormalization())
    corpus, _ = read_corpus([("test", [Input(text, "test", text) for text in TEXTS])])
    plan = RunPlan(tokenizers=(toy_file, other), implementations=sides, baseline="toy", corpus=corpus)
    events: list[Any] = []
    for event in run(plan):
        events.append(event)  # noqa: PERF402 - what is there already is looked at meanwhile
    finished = [event for event in events if isinstance(event, TokenizerFinished)]
    assert [each.tokenizer for each in finished] == [toy_file.source.name, "other"]
    assert all(event in told[0] for event in finished)
    assert {each.tokenizer for each in events if isinstance(each, CausesSought)} == {toy_file.source.name, "other"}


@pytest.mark.parametrize("larger", [0, 1])
def test_the_largest_tokenizer_has_what_the_others_leave_of_the_time(
    toy_file: TokenizerFile, tmp_path: Path, larger: int
) -> None:
    files = []
    for number, name in enumerate(("one", "two")):
        file = tmp_path / f"{name}.json"
        file.write_text(Path(toy_file.source.file).read_text() + " " * 100 * (number == larger))
        files.append(replace(toy_file, source=replace(toy_file.source, name=name, file=str(file))))
    gone = replace(toy_file, source=replace(toy_file.source, name="gone", file=str(tmp_path / "gone.json")))
    subjects = [gathered.Subject(each.source, gathered.Gathered(each.source.name)) for each in (*files, gone)]
    plan: Any = SimpleNamespace(implementations=(), cause_seconds=1.0)
    sought = [each.tokenizer for each, _ in causes.CauseSearch(plan).found(subjects)]
    assert sought == ["gone", *(("two", "one") if larger == 0 else ("one", "two"))]


@pytest.fixture
def stepping(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the time to look for causes pass by how often it is read."""
    monkeypatch.setattr(causes, "CauseTime", lambda seconds: CauseTime(seconds, count().__next__))


@pytest.mark.usefixtures("stepping")
def test_once_the_time_is_spent_nothing_is_proven_and_what_is_left_is_counted(
    events_of: EventsOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    def spend(*_: object) -> None:
        raise TimeSpentError

    monkeypatch.setattr(CauseCollector, "take", spend)
    events = events_of(fakes.WrongNormalization, texts=TEXTS, cause_seconds=20.0)
    assert events[-1].causes == ()
    assert {each.why for each in events[-1].unexamined} == {WhyNot.TIME}
    assert events[-1].uncounted == sum(each.differences for each in events[-1].unexamined) > 0


class TwoFaults(fakes.WrongPieces):
    """Splits at hyphens too, and loses every z when it decodes."""

    name = "two-faults"

    class subject(fakes.WrongPieces.subject):  # noqa: N801
        def decode(self, ids: Sequence[int], skip_special_tokens: bool) -> Any:
            outcome = super().decode(ids, skip_special_tokens)
            return Text(outcome.text.replace("z", "")) if isinstance(outcome, Text) else outcome


@pytest.mark.usefixtures("stepping")
def test_the_time_is_shared_out_and_not_spent_on_the_first_finding(
    events_of: EventsOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    take = CauseCollector.take
    tried: list[Signature] = []

    def hard(self: CauseCollector, trial: Any, question: Any, input_id: str, finding: Signature, coming: Any) -> Any:
        tried.append(finding)
        if finding == tried[0]:  # the first finding would take all the time
            while True:
                trial.check_time()
        return take(self, trial, question, input_id, finding, coming)

    monkeypatch.setattr(CauseCollector, "take", hard)
    events = events_of(TwoFaults, texts=("a-b", "zebra"), cause_seconds=20_000.0)
    assert len(set(tried)) > 1
    assert {each.signature for each in events[-1].unexamined} == {tried[0]}
    assert events[-1].causes


class Passing(CauseTime):
    """Time that passes when a test says so, with what was lent of it."""

    def __init__(self, seconds: float) -> None:
        self.now = 0.0
        self.lent: list[float] = []
        super().__init__(seconds, lambda: self.now)

    def lend(self, until: float) -> None:
        self.lent.append(until)


def test_most_of_the_time_has_the_finding_of_most_differences(monkeypatch: pytest.MonkeyPatch) -> None:
    plan: Any = SimpleNamespace(ledger=SimpleNamespace(entries=()))
    questions: Any = {name: deque(range(size)) for name, size in (("few", 10), ("most", 60), ("some", 30))}
    passing = Passing(100.0)
    at_work = causes._AtWork(plan, fakes.Toy(), questions, passing)
    tried: list[Any] = []

    def work_off(finding: Any, *_: object) -> None:
        tried.append(finding)
        if finding == "some":  # that has a reason, which takes no time
            passing.now += 4.0
            questions[finding].clear()
        else:
            passing.now = passing.lent[-1]
            raise TimeSpentError

    nothing: Any = None
    monkeypatch.setattr(at_work, "_work_off", work_off)
    at_work._share_out(nothing, nothing, 90.0)
    assert tried[:3] == ["most", "some", "few"]
    assert passing.lent[:3] == [54.0, 81.0, 90.0]
    assert passing.now == 90.0
    tried.clear()
    passing.now, passing.lent[:] = 0.0, []
    at_work._share_out(nothing, nothing, 35.0)
    assert passing.lent[0] == 30.0
    assert tried == ["most", "few"]
    passing.now, passing.lent[:] = 33.5, []
    at_work._share_out(nothing, nothing, 35.0)
    assert passing.lent[0] == 35.0  # the least share


class Waited:
    """A trial that says how long it can be asked, and notes what is asked ahead and what is said to be coming."""

    def __init__(self) -> None:
        self.coming: Callable[[], Any] = tuple
        self.ahead: list[list[str]] = []

    def ask_ahead(self, questions: list[str]) -> None:
        self.ahead.append(questions)
        assert list(self.coming()) == questions


def _explains(*explained: str, until: str = "") -> Callable[[Any], bool]:
    def explains(question: str) -> bool:
        if question == until:
            raise TimeSpentError
        return question in explained

    return explains


def test_what_known_reasons_explain_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(causes, "MOST_COMING", 2)
    trial: Any = Waited()
    questions: Any = deque((each, each.upper()) for each in "abcde")
    causes._put_first(questions, trial, [_explains("c"), _explains("e")])
    assert [each for each, _ in questions] == ["c", "e", "a", "b", "d"]
    assert trial.ahead == [["a", "b"], ["c", "d"], ["e"]]
    assert trial.coming() == ()
    with pytest.raises(TimeSpentError):
        causes._put_first(questions, trial, [_explains("a", "d", until="b")])
    assert [each for each, _ in questions] == ["a", "c", "e", "b", "d"]
    trial.ahead.clear()
    causes._put_first(questions, trial, [])
    assert not trial.ahead


def test_each_known_reason_is_tried_once_on_what_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[list[Any]] = []
    monkeypatch.setattr(causes, "_put_first", lambda _questions, _trial, explaining: tried.append(explaining))
    plan: Any = SimpleNamespace(ledger=SimpleNamespace(entries=()))
    finding: Any = "finding"
    at_work = causes._AtWork(plan, fakes.Toy(), {finding: deque(), "other": deque()}, CauseTime(1.0))  # type: ignore[dict-item]
    one, two = _explains("a"), _explains("b")
    for known, of in (([], finding), ([one], finding), ([one, two], finding), ([one, two], "other"), ([two], finding)):
        collector: Any = SimpleNamespace(explaining=lambda _trial, known=known: known)
        at_work._put_known_first(of, collector, Waited())  # type: ignore[arg-type]
    assert tried == [[], [one], [two], [one, two], []]


def test_an_interrupt_while_causes_are_looked_for_keeps_everything(
    events_of: EventsOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    take = CauseCollector.take
    taken: list[Any] = []

    def interrupted(self: CauseCollector, *arguments: Any) -> Any:
        taken.append(take(self, *arguments))
        if len(taken) == 2:
            raise KeyboardInterrupt
        return taken[-1]

    monkeypatch.setattr(CauseCollector, "take", interrupted)
    events = events_of(fakes.WrongNormalization, texts=TEXTS, cause_seconds=60.0)
    assert events[-1].conclusion is Conclusion.DIFFERENCES
    assert events[-1].finished
    assert events[-1].causes
    assert {each.why for each in events[-1].unexamined} == {WhyNot.INTERRUPTED}
    (sought,) = (event for event in events if isinstance(event, CausesSought))
    assert is_ending(sought)  # so that the interrupt is answered once


def test_only_so_many_questions_of_a_finding_are_kept(events_of: EventsOf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathered, "MOST_QUESTIONS", 2)
    events = events_of(fakes.WrongNormalization, texts=("aBc", "B", "aB", "Bc", "BBB"), cause_seconds=60.0)
    (left,) = (each for each in events[-1].unexamined if each.signature.stage is Stage.NORMALIZE)
    assert left.why is WhyNot.MANY
    assert left.differences == 3
    monkeypatch.setattr(gathered, "MOST_CHARACTERS", 1)
    events = events_of(fakes.WrongNormalization, texts=("aBc", "B", "aB"), cause_seconds=60.0)
    assert events[-1].causes


def test_causes_stand_in_every_report(tokconf: CommandLine, tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("e\u0301\nplain\nMele e\u0301 e\u0301\n", encoding="utf-8")
    record, page = tmp_path / "r.jsonl", tmp_path / "r.md"
    done = tokconf.run(
        "run", "gpt2-mini", "-i", "tokenizers", "planted_faults:KeepsAccent", "--no-known", "--no-builtin",
        "--inputs", str(texts), "--json", str(record), "--markdown", str(page),
    )  # fmt: skip
    assert "1 cause of 2 differences" in done.out
    assert "1. keeps-accent at normalize: other values of text" in " ".join(done.out.split())
    (line,) = (line for line in done.out.splitlines() if line.startswith("  1. "))
    assert line.startswith("  1. keeps-accent at normalize: other values of text")
    assert line.endswith("(gpt2-mini)")
    assert line.strip() in page.read_text(encoding="utf-8")
    assert "cause" in page.read_text(encoding="utf-8").lower()
    footer = json.loads(record.read_text(encoding="utf-8").splitlines()[-1])
    assert [cause["stage"] for cause in footer["causes"]] == ["normalize"]
    assert footer["causes"][0]["inputs"] == 2
    answers = footer["causes"][0]["answers"]
    assert answers["baseline"] == {"outcome": "Text", "answer": {"text": "e\u0301"}}
    assert answers["implementation"] == {"outcome": "Text", "answer": {"text": "\u00e9"}}


def test_a_record_that_is_read_and_written_again_keeps_the_answers_of_its_causes(
    events_of: EventsOf, tmp_path: Path
) -> None:
    path = tmp_path / "r.jsonl"
    with JsonLinesReport(path) as report:
        for event in events_of(fakes.WrongNormalization, texts=("aBc", "xyz"), cause_seconds=60.0):
            report.handle(event)
    (line,) = (line for line in map(json.loads, path.read_text().splitlines()) if line["type"] == "causes")
    assert line["causes"][0]["answers"]["baseline"]["answer"] == {"text": "b"}
    read = read_record(path, ())
    assert read is not None
    (finished,) = read.resumption.finished.values()
    assert list(map(cause_record, finished.causes)) == line["causes"]
