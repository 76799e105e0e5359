"""The reports on training: what they say, that nothing in them is markup or moves the cursor, and their schema."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import fake_trainers
import pytest
from line_schema import validator_of
from rich.cells import cell_len
from rich.console import Console

from tokenizer_adapters.contract import Crashed, Failed, TimedOut, Unsupported
from tokenizer_adapters.training import Algorithm, PreTokenizer, TrainedModel, TrainingOptions
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.sinks import WholeFile
from tokenizer_conformance.research.training.comparison import JudgedModel, compare
from tokenizer_conformance.research.training.engine import TrainingEvent, answer_of, no_answer, summary_of
from tokenizer_conformance.research.training.page import TRAININGS
from tokenizer_conformance.research.training.wording import divergence_lines, listed_tokens, options_line
from tokenizer_conformance.results.page_reports import PageMarkdown, PageOf
from tokenizer_conformance.results.records import training as lines
from tokenizer_conformance.results.records.making import header_of, last_line, lines_of, made
from tokenizer_conformance.results.records.schema import schema_of
from tokenizer_conformance.results.records.training import FORMAT
from tokenizer_conformance.results.terminal import PageTerminal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tokenizer_adapters.contract import WithoutValue
    from tokenizer_conformance.research.training.task import TrainingTask

HOSTILE = "\x1b[31m|`<b>\u202e\n"
"""Characters that move the cursor, end a table's cell or a code span, begin HTML, and turn the reading direction."""


def answer(model: TrainedModel, task: TrainingTask, run: int, first: TrainedModel | None = None) -> lines.Answer:
    return answer_of(JudgedModel(model, task), (run,), None if first is None else JudgedModel(first, task), task)


def events_of(task: TrainingTask, models: dict[str, list[TrainedModel]]) -> list[TrainingEvent]:
    """Return the events of a training in which each trainer learned ``models``."""
    names = list(models)
    algorithm = task.algorithm.value
    infos = [replace(fake_trainers.Honest().info, name=name) for name in (*names, "other", "broken", "late")]
    events: list[TrainingEvent] = [
        made(
            lines.Header,
            task,
            **header_of(FORMAT, current_environment(["tokconf", "train", HOSTILE])),
            baseline=names[0],
            trainers=[made(lines.TrainerInfo, each, algorithms=sorted(each.algorithms)) for each in infos],
            corpus=[lines.CorpusFile(name=f"../texts/{HOSTILE}.txt", bytes=1234, sha256="0" * 64)],
            pre_tokenizer=PreTokenizer.WHITESPACE,
            words=lines.CountedWords(
                counter=names[0], total=sum(task.words.values()), kinds=len(task.words), characters=7
            ),
            options={algorithm: task.options},
            repeat=2,
        ),
        lines.ImplementationMissing(name="missing", reason=f"pip install {HOSTILE}"),
        lines.Words(
            trainer="other",
            kinds=5,
            differing=1,
            example=lines.WordsExample(word=HOSTILE, first=3, second=4),
            no_answer=None,
        ),
        lines.Words(
            trainer="broken", kinds=0, differing=0, example=None, no_answer=no_answer(Failed("ValueError", HOSTILE))
        ),
    ]
    first = models[names[0]][0]
    for name, learned in models.items():
        summary = summary_of(learned[0])
        events.append(lines.Run(algorithm=algorithm, trainer=name, run=1, learned=summary, no_answer=None))
        answers = [answer(model, task, run, learned[0] if run > 1 else None) for run, model in enumerate(learned, 1)]
        events.append(trainer(algorithm, name, answers, {len(learned) + 1: Crashed(HOSTILE)}))
        if name != names[0]:
            comparison = compare(JudgedModel(first, task), JudgedModel(learned[0], task), task)
            events.append(made(lines.Comparison, comparison, algorithm=algorithm, first=names[0], second=name))
    late = no_answer(TimedOut(3.0))
    overlaps = [lines.Overlap(first="a", second=name, shared=3, only_first=1, only_second=0) for name in ("b", HOSTILE)]
    counts = {"runs": 3, "comparisons": 1, "ties": 0, "differences": 1}
    events += [
        lines.Run(algorithm=algorithm, trainer="late", run=1, learned=None, no_answer=late),
        trainer(algorithm, "late", [], {1: TimedOut(3.0), 2: Unsupported(HOSTILE)}),
        lines.AlgorithmLine(algorithm=algorithm, complete=True, overlaps=tuple(overlaps), seconds=2.0),
        last_line(lines.Footer, Conclusion.DIFFERENCES, 2.5, finished=True, **counts),
    ]
    return events


def trainer(algorithm: Any, name: str, answers: list[lines.Answer], failed: dict[int, WithoutValue]) -> lines.Trainer:
    return lines.Trainer(
        algorithm=algorithm,
        trainer=name,
        answers=tuple(answers),
        no_answers=tuple(made(lines.FailedRun, no_answer(each), run=run) for run, each in failed.items()),
        seconds=1.25 if answers else None,
        peak_memory=12_345_678 if answers else None,
    )


@pytest.fixture
def hostile_events(task: Callable[..., TrainingTask]) -> list[TrainingEvent]:
    words = {HOSTILE: 3, f"a{HOSTILE}": 2, "ab": 2, "cb": 2}
    on = task(words=words, vocab_size=30, special_tokens=(f"<{HOSTILE}>",))
    honest = fake_trainers.learn_merges(words, 16, "")
    other = fake_trainers.learn_merges(words, 14, "", last_of_equals=True)
    return events_of(on, {"honest": [honest, other], f"other {HOSTILE}": [other]})


def terminal(events: list[TrainingEvent], width: int = 200) -> str:
    out, complaints = io.StringIO(), io.StringIO()
    report = PageTerminal(
        TRAININGS,
        lines_of,
        Console(file=out, highlight=False, width=width),
        Console(file=complaints, highlight=False, width=width),
    )
    for event in events:
        report.handle(event)
    return complaints.getvalue() + out.getvalue()


def markdown(events: list[TrainingEvent], path: Path) -> str:
    report = PageMarkdown(TRAININGS, lines_of, WholeFile(path))
    for event in events:
        report.handle(event)
    return path.read_text(encoding="utf-8")


def test_nothing_hostile_reaches_the_terminal(hostile_events: list[TrainingEvent]) -> None:
    shown = terminal(hostile_events)
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "\\x1b[31m" in shown
    assert "crash" in shown
    assert "timeout: no answer within 3 s" in shown


@pytest.mark.parametrize("width", [*range(40, 80, 5), 80, 100, 120, 160, 200])
def test_no_line_is_wider_than_the_terminal(hostile_events: list[TrainingEvent], width: int) -> None:
    shown = terminal(hostile_events, width).splitlines()
    assert [line for line in shown if cell_len(line) > width] == []
    assert any("tokens" in line for line in shown)


def test_nothing_hostile_is_markdown(hostile_events: list[TrainingEvent], tmp_path: Path) -> None:
    page = markdown(hostile_events, tmp_path / "report.md")
    assert "\x1b" not in page
    assert "\u202e" not in page
    blocks = re.sub(r"^(`{3,})text\n.*?^\1$", "", page, flags=re.DOTALL | re.MULTILINE)
    spans = re.sub(r"(`+)[^`].*?(?<!`)\1(?!`)", "", blocks)
    assert not re.search(r"(?<!\\)<b>", spans)
    rows = [line for line in blocks.splitlines() if line.startswith("| bpe | honest")]
    assert rows
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 13 for line in rows)


def test_a_markdown_report_is_there_whole_or_not_at_all(hostile_events: list[TrainingEvent], tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    report = PageMarkdown(TRAININGS, lines_of, WholeFile(path))
    for event in hostile_events[:-1]:
        report.handle(event)
        assert list(tmp_path.iterdir()) == []
    report.handle(hostile_events[-1])
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("algorithm", list(Algorithm))
def test_every_line_of_a_record_follows_the_schema(
    task: Callable[..., TrainingTask],
    learned: Callable[..., TrainedModel],
    hostile_events: list[TrainingEvent],
    tmp_path: Path,
    algorithm: Algorithm,
) -> None:
    on = task(algorithm)
    model = learned(on)
    other = fake_trainers.without(model, max(model.tokens, key=model.tokens.__getitem__))
    path = tmp_path / "record.jsonl"
    validator = validator_of(schema_of(FORMAT))
    with PageOf(TRAININGS, lines_of).record(path) as report:
        for event in [*events_of(on, {"honest": [model, other], "other": [other]}), *hostile_events]:
            report.handle(event)
    written = path.read_text(encoding="ascii").splitlines()
    assert {json.loads(line)["type"] for line in written} == {
        *("header", "implementation_missing", "words", "run", "trainer", "comparison", "algorithm", "footer")
    }
    for line in written:
        validator.validate(json.loads(line))


def test_the_schema_accepts_nothing_else() -> None:
    validator = validator_of(schema_of(FORMAT))
    assert not validator.is_valid({"type": "footer"})
    assert not validator.is_valid({"type": "implementation_missing", "name": "a", "reason": "b", "more": 1})


def test_the_first_merge_that_differs_is_shown_with_counts_of_both_pairs(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel]
) -> None:
    on = task()
    model = learned(on)
    swapped = fake_trainers.swapped(model, 0, 1)
    divergence = compare(JudgedModel(model, on), JudgedModel(swapped, on), on).divergence
    assert divergence is not None
    assert divergence_lines(divergence, ("honest", "swapped"), Algorithm.BPE) == [
        "merge 1 is the first that differs: only honest takes a most frequent pair",
        "  taken by  pair       count for honest  count for swapped",
        '  honest    "u" + "g"  20                20',
        '  swapped   "u" + "n"  16                16',
    ]


def test_wordpiece_shows_the_score_by_which_it_is_taught(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel]
) -> None:
    on = task(Algorithm.WORDPIECE)
    model = learned(on)
    other = replace(model, merges=(("##g", "##s"), *(model.merges or ())[1:]))
    divergence = compare(JudgedModel(model, on), JudgedModel(other, on), on).divergence
    assert divergence is not None
    told = divergence_lines(divergence, ("honest", "course"), Algorithm.WORDPIECE)
    assert told[1].endswith("count / parts")
    assert told[2].endswith("20 / (36 x 20) = 0.0278")
    assert told[3].endswith("5 / (20 x 5) = 0.05")
    assert told[4].endswith("with which WordPiece is taught, course takes the better pair")


def test_a_side_that_has_ended_is_shown(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel]
) -> None:
    on = task()
    model = learned(on)
    shorter = learned(task(vocab_size=10))
    divergence = compare(JudgedModel(model, on), JudgedModel(shorter, on), on).divergence
    assert divergence is not None
    (line,) = divergence_lines(divergence, ("honest", "shorter"), Algorithm.BPE)
    assert line.startswith("merge 4: shorter has ended; the other takes")


def test_options_are_named_where_they_are_not_the_default() -> None:
    options = TrainingOptions(vocab_size=1000, min_frequency=2, continuing_subword_prefix="\u202e")
    assert options_line(options) == 'vocabulary 1,000, min_frequency 2, continuing_subword_prefix "\\u202e"'


@pytest.mark.parametrize(
    ("count", "shown", "more"), [(0, 0, ""), (1, 1, ""), (12, 12, ""), (13, 12, " …"), (40, 12, " …")]
)
def test_no_more_than_twelve_tokens_are_listed(count: int, shown: int, more: str) -> None:
    tokens = [f"t{number}" for number in range(count)]
    assert listed_tokens(tokens) == " ".join(f'"{token}"' for token in tokens[:shown]) + more
