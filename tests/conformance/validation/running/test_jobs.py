"""A run in several processes comes to what it comes to in one, also where it is ended early."""

from __future__ import annotations

import json
import signal
import time
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_adapters.contract import PIPELINE_STAGES, Decode, Encode, Field, Normalize
from tokenizer_adapters.selection import ALL, Isolation, select
from tokenizer_conformance import BadInputError, Conclusion, Input, RunPlan, read_corpus, run
from tokenizer_conformance.command_io.events import InputRefused
from tokenizer_conformance.command_io.internal_error import InternalError
from tokenizer_conformance.comparison.differences import Comparison
from tokenizer_conformance.validation.running import tally, tokenizer_run, workers
from tokenizer_conformance.validation.running.events import InputCompared, RunFinished, TokenizerFinished
from tokenizer_conformance.validation.running.record import record_of
from tokenizer_conformance.validation.running.tally import Tally, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from conftest import CommandLine
    from tokenizer_conformance import Event
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

TEXTS = ("abc", "aBc d", "x", "a-b", "zebra crossing", "éa 🎉b", "d") * 30

FAULTY = ("toy", "shifted-offset", "swapped-merge", "raising", "mute", "utf8", "cannot-load", "wrong-special-token")

LEDGER = """
format = 1

[[known]]
implementation = "swapped-merge"
baseline = "toy"
stage = "model"
field = "ids"
reason = "a known bug"
"""


@pytest.fixture
def plan_of(plugin: Path, monkeypatch: pytest.MonkeyPatch, toy_file: TokenizerFile) -> Callable[..., RunPlan]:
    """A function that makes a plan of fakes, which can be built in other processes as well."""
    monkeypatch.syspath_prepend(str(plugin))
    corpus, _ = read_corpus([("test", [Input(f"text {place}", "test", text) for place, text in enumerate(TEXTS)])])

    def plan(*names: str, **options: Any) -> RunPlan:
        selected = tuple(select(name, Isolation(in_process=frozenset({ALL}))) for name in ("toy", *names))
        implementations = tuple(each.build() for each in selected)
        given = {
            "tokenizers": (toy_file,),
            "baseline": "toy",
            "corpus": corpus,
            "jobs": 2,
            "cause_seconds": 0,
        } | options
        return RunPlan(implementations=implementations, selected=selected, **given)

    return plan


def without_times(value: Any) -> Any:
    """Return a line of a record without what tells the time or the command, or depends on lines that do."""
    if isinstance(value, dict):
        times = {"seconds", "baseline_seconds", "started", "command"}
        times |= {"lines", "sha256"} if value.get("type") == "footer" else set()
        return {name: without_times(each) for name, each in value.items() if name not in times}
    return [without_times(each) for each in value] if isinstance(value, list) else value


def record(events: list[Event | InternalError]) -> list[str]:
    """Return the record of a run, but for its checkpoints, which come with time."""
    lines = (record_of(event) for event in events if not isinstance(event, InternalError))
    return [json.dumps(without_times(line)) for line in lines if line and line["type"] != "checkpoint"]


def of_type(events: list[Any], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


# The same ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "seconds", [pytest.param("0", marks=pytest.mark.long), pytest.param("600", marks=pytest.mark.slow)]
)
def test_the_command_writes_the_same_record_and_report(
    tokconf: CommandLine, toy_tokenizer: Path, tmp_path: Path, seconds: str
) -> None:
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS[:50]), encoding="utf-8")
    (tmp_path / "known.toml").write_text(LEDGER)
    reports = ("--json", "record.jsonl", "--markdown", "report.md", "--force")
    given = ("run", str(toy_tokenizer), "-i", *FAULTY, "--every-id", "--no-builtin", "--inputs", "texts.txt")
    seen = []
    for jobs in "13":
        done = tokconf.run(*given, "--ledger", "known.toml", "--cause-time", seconds, "--jobs", jobs, *reports)
        assert done.err == ""
        lines = map(json.loads, (tmp_path / "record.jsonl").read_text().splitlines())
        report = (tmp_path / "report.md").read_text().replace(f"--jobs {jobs}", "")
        report = "\n".join(line for line in report.splitlines() if " s" not in line and "T" not in line)
        record = [json.dumps(without_times(line)) for line in lines if line["type"] != "checkpoint"]
        seen.append((done.status, record, report))
    assert seen[0][0] != 0
    assert len(seen[0][1]) > 100
    assert seen[0] == seen[1]


@pytest.mark.long
def test_a_run_is_stopped_at_the_same_input(plan_of: Callable[..., RunPlan]) -> None:
    plan = plan_of("swapped-merge", "shifted-offset", max_failing=70)
    one, two = (list(run(replace(plan, jobs=jobs))) for jobs in (1, 2))
    assert record(two) == record(one)
    assert of_type(two, InputCompared) == of_type(one, InputCompared)
    assert "stopped at failing input number" in two[-1].reason


class _Unreadable:
    """A file that cannot be read to its end once the run has begun."""

    def __init__(self) -> None:
        self._readings = 0

    def __iter__(self) -> Iterator[Input]:
        self._readings += 1
        for place, text in enumerate(TEXTS):
            if self._readings > 1 and place == 100:
                raise BadInputError("it is gone")
            yield Input(f"text {place}", "test", text)


@pytest.mark.long
def test_what_stands_before_a_place_that_cannot_be_read_is_compared(plan_of: Callable[..., RunPlan]) -> None:
    one, two = (
        list(run(plan_of("swapped-merge", jobs=jobs, corpus=read_corpus([("test", _Unreadable())])[0])))
        for jobs in (1, 2)
    )
    assert record(two) == record(one)
    assert of_type(two, InputRefused)
    assert of_type(two, TokenizerFinished)[0].inputs == 99


# Ended early ---------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_an_interrupted_run_is_resumed_and_comes_to_the_same(
    tokconf: CommandLine, toy_tokenizer: Path, tmp_path: Path
) -> None:
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS[:5]), encoding="utf-8")
    given = ("run", str(toy_tokenizer), "-i", "toy", "slow", "swapped-merge", "--no-builtin", "--inputs", "texts.txt")
    process = tokconf.start(*given, "--jobs", "2", "--json", "record.jsonl")
    path = tmp_path / "record.jsonl"
    while not path.exists() or '"difference"' not in path.read_text():
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")
    left = json.loads(path.read_text().splitlines()[-2])
    assert (left["type"], left["complete"]) == ("tokenizer", False)
    assert 0 < left["inputs"] < 5
    tokconf.run(*given, "--jobs", "2", "--json", "record.jsonl", "--resume")
    tokconf.run(*given, "--json", "whole.jsonl")
    ends = [
        [without_times(json.loads(line)) for line in (tmp_path / name).read_text().splitlines()[-2:]]
        for name in ("record.jsonl", "whole.jsonl")
    ]
    assert ends[0] == ends[1]


@pytest.mark.long
def test_what_a_process_is_lost_over_is_asked_of_another_one(
    plan_of: Callable[..., RunPlan], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    expected = [without_times(record_of(event)) for event in run(plan_of("swapped-merge"))]
    once = f"open({str(tmp_path / 'died')!r}, 'x').close(); os.kill(os.getpid(), 9)"
    death = f"exec({once!r}) if not os.path.exists({str(tmp_path / 'died')!r}) else None"
    monkeypatch.setattr(workers, "program", lambda: replace(program(), command=dying_over("a-b", death)))
    assert [without_times(record_of(event)) for event in run(plan_of("swapped-merge"))] == expected
    assert (tmp_path / "died").exists()


@pytest.mark.long
def test_a_process_that_is_lost_again_ends_the_run_in_good_order(
    plan_of: Callable[..., RunPlan], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "program", lambda: replace(program(), command=dying_over("a-b")))
    events = list(run(plan_of("swapped-merge")))
    (error,) = of_type(events, InternalError)
    assert str(error.error) == "a process that compares is lost: killed by signal 9 (SIGKILL)"
    last = events[-1]
    assert isinstance(last, RunFinished)
    assert (last.conclusion, last.inputs) == (Conclusion.INTERNAL_ERROR, 3)


@pytest.mark.long
def test_a_bug_in_a_process_is_one_of_the_run(plan_of: Callable[..., RunPlan], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        workers, "program", lambda: replace(program(), command=dying_over("x", "raise TypeError('a bug')"))
    )
    events = list(run(plan_of("swapped-merge")))
    (error,) = of_type(events, InternalError)
    assert str(error.error).startswith("in a process that compares: TypeError: a bug (")
    assert events[-1].inputs == 2


def test_a_process_that_does_not_start_is_said(
    plan_of: Callable[..., RunPlan], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "program", lambda: replace(program(), command=("false",)))
    events = list(run(plan_of("swapped-merge", jobs=3)))
    (error,) = of_type(events, InternalError)
    assert str(error.error) == "a process that compares is lost: ended with exit status 1"


program = workers.program


def dying_over(text: str, death: str = "os.kill(os.getpid(), 9)") -> tuple[str, ...]:
    """Return the command of a process that compares, and dies over ``text``."""
    begun = f"""
import os
from tokenizer_conformance.validation.running.compared import HereComparer
from tokenizer_conformance.validation.running.worker import Comparing, serve
whole = HereComparer.text
def text(self, each):
    if each.input.text == {text!r}:
        {death}
    return whole(self, each)
HereComparer.text = text
serve(lambda setup: Comparing(setup).done)
"""
    return (program().command[0], "-P", "-c", begun)


def test_a_plan_without_words_for_its_implementations_has_one_job(plan_of: Callable[..., RunPlan]) -> None:
    with pytest.raises(ValueError, match="a plan has to say how they were selected"):
        replace(plan_of("utf8"), selected=())


# What makes it fast ---------------------------------------------------------------------------------------------------

QUESTIONS = (Normalize("a"), Encode("a"), Encode("a", "b"), Encode(("a", "b")), Encode("a", None, False), Decode((1,)))

COMPARISONS = [
    Comparison(agreed=tuple(Field)[:1]),
    Comparison(agreed=tuple(Field)[2:], finer=2),
    Comparison(unsupported=(Field.IDS,)),
    Comparison(agreed=(Field.IDS,), unsupported=(Field.TOKENS,), unanswered=(Field.TOKENS,)),
    Comparison(both_failed=True),
]

KINDS = [*product(map(kind_of, QUESTIONS), COMPARISONS)]


@given(st.lists(st.lists(st.sampled_from(KINDS), max_size=4).map(tuple), max_size=30), st.integers(1, 5))
def test_inputs_of_one_shape_are_counted_as_if_one_by_one(shapes: list[tally.Shape], most: int) -> None:
    before, tally.MOST_SHAPES = tally.MOST_SHAPES, most
    try:
        alike, plain = Tally(PIPELINE_STAGES), Tally(PIPELINE_STAGES)
        for shape in shapes:
            alike.count_alike(shape)
            plain.count(shape)
        assert alike.stage_counts() == plain.stage_counts()
        assert repr(alike.stage_counts()) == repr(plain.stage_counts())
    finally:
        tally.MOST_SHAPES = before


def test_the_baseline_is_asked_each_question_of_an_input_once(
    plan_of: Callable[..., RunPlan], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokenizer_run, "MOST_AGAIN", 0)  # in the end
    plan = plan_of("utf8", jobs=1)
    asked: list[Any] = []
    load = type(plan.implementations[0]).load

    def watched(self: Any, source: Any) -> Any:
        subject = load(self, source)
        if self is plan.implementations[0]:
            observe = subject.observe
            subject.observe = lambda question: asked.append(question) or observe(question)
        return subject

    monkeypatch.setattr(type(plan.implementations[0]), "load", watched)
    corpus, _ = read_corpus([("test", [Input(text, "test", text) for text in ("abc d", "x", "a-b", "zebra")])])
    events = list(run(replace(plan, corpus=corpus)))
    assert events[-1].conclusion is Conclusion.CONFORM
    again = {question for question in asked if asked.count(question) > 1}
    # The last text is paired with the first one, which is forgotten by then.
    assert [question for question in again if not isinstance(question, Decode)] == [Encode("abc d")]
