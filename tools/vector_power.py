"""Measures how much vectors see: those of four checkpoints are asked of the reference with mistakes in it.

    python tools/vector_power.py ../shared/tokenizers

``make vectors`` does this, and writes reports/vectors.md from the record. A measurement that was ended goes on where it
was.

The faults are those of ``power/faults``, written by hand into the source of the reference for another purpose; the
inputs of vectors are chosen without them. Of these faults, those in modules are planted that the four checkpoints run
when they are loaded and asked. For each, a process of its own answers with the changed reference

- twenty plain texts on the four checkpoints, in all fields and, as such files often have it, in ids alone,
- the vectors of the four (made where their files are missing),
- where these see nothing, all built-in inputs on the four, expected as ``tokenizers`` answers them.

The suite need not be asked: it catches every fault of ``power/faults``, which ``suite_power.py faults`` demands; and a
checkpoint that does not run the function in which a fault is need not be asked either.

Exit status 1 where the vectors catch less than :data:`ENOUGH` of what they and the built-in inputs show there.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from power.changed_reference import import_changed, reference
from power.children import Died, HangError, each_in_child, limited
from power.faults import read_faults
from power.mutants import function_lines
from power.tracing import calls
from published.measuring import Measuring, read_measured
from published.records import RecordError

from tokenizer_adapters.contract import After, CannotLoadError, Encode, Encoded, TokenizerSource
from tokenizer_adapters.selection import Isolation, select
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.comparison.differences import OutcomeInUnit, compare
from tokenizer_conformance.comparison.questions import about_pair, about_text
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer, read_tokenizer
from tokenizer_conformance.validation.suite.requirement import Place
from tokenizer_conformance.validation.vectors.candidates import PLAIN
from tokenizer_conformance.validation.vectors.making import Order, made_vectors
from tokenizer_conformance.validation.vectors.vector_file import read_vectors, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from power.faults import Fault
    from power.tracing import Function

    from tokenizer_adapters.contract import Implementation, Observation, Outcome
    from tokenizer_conformance.comparison.asking import Asked

RECORD = Path(".venv/records/vectors.jsonl")
VECTORS = Path(".venv/vectors")

TOOL = "vector_power"

NAMES = ("gpt2", "bert-base-uncased", "xlnet-base-cased", "t5-small")
COUNT = 200
ENOUGH = Fraction(9, 10)

SECONDS = 300.0
"""How much processor time a fault may take with all that is asked."""

SECONDS_PER_TOKENIZER = 40.0

PAIRED = 10
"""Every so many built-in inputs are asked about as pairs too."""

TRACED = 31
"""Every so many questions about built-in inputs tell which functions are run; to trace is slow."""

Question = tuple["Observation", "Outcome"]
"""What is asked, and what is expected."""


@dataclass(frozen=True, slots=True)
class Exam:
    """One checkpoint with all that is asked about it."""

    source: TokenizerSource
    vectors: tuple[Question, ...]
    builtin: tuple[Question, ...]
    plain: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Caught:
    """What caught a fault.

    ``by`` are the checkpoints whose vectors did, ``builtin_by`` those whose built-in inputs did.
    """

    plain: bool = False
    plain_ids: bool = False
    by: tuple[str, ...] = ()
    builtin_by: tuple[str, ...] = ()

    @property
    def vectors(self) -> bool:
        """Whether the vectors caught it."""
        return bool(self.by)

    @property
    def builtin_alone(self) -> bool:
        """Whether the built-in inputs caught it, and the vectors did not."""
        return bool(self.builtin_by) and not self.by


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a ``fault``; ``is_run``: the four checkpoints run the function that it is in."""

    fault: Fault
    caught: Caught
    is_run: bool


# Asking ---------------------------------------------------------------------------------------------------------------


def exam_of(name: str, folder: Path, vectors: Path, target: Implementation) -> tuple[Exam, int]:
    """Return all that is asked about the checkpoint called ``name``, and how many vectors it has."""
    found = read_tokenizer(find_tokenizer(str(folder / name)))
    file = vectors / f"{name}.json"
    if not file.exists():
        say(f"making vectors of {name}")
        file.write_bytes(written(made_vectors(Order(found, target, target, COUNT))))
    read = read_vectors(file.read_bytes(), file.name)
    if read.sha256 != found.sha256:
        raise SystemExit(f"{file} is of another tokenizer; delete it, and it is made anew")
    asked = loaded(target, found.source)
    exam = Exam(
        found.source,
        tuple((each.question, each.outcome) for vector in read.vectors for each in vector.expected),
        tuple(answered(builtin_questions(asked), asked)),
        tuple(answered((Encode(text) for text in PLAIN), asked)),
    )
    return exam, len(read.vectors)


def builtin_questions(asked: Asked) -> Iterator[Observation]:
    """Yield what ``tokconf run`` asks about the built-in inputs."""
    texts = [each.text for each in builtin_inputs()]
    for number, text in enumerate(texts):
        yield from about_text(text, baseline=asked.ask)
        if number % PAIRED == 0:
            yield from about_pair(text, texts[(number + 1) % len(texts)], baseline=asked.ask)


def answered(questions: Iterable[Observation], asked: Asked) -> Iterator[Question]:
    """Yield each of ``questions`` with the answer to it."""
    for question in questions:
        yield question, asked.ask(question)


def differs(asked: Asked, questions: Iterable[Question]) -> bool:
    """Return whether any answer is another one than expected."""
    return any(
        bool(compare(question, OutcomeInUnit(expected), OutcomeInUnit(asked.ask(question))).differences)
        for question, expected in questions
    )


def other_ids(asked: Asked, questions: Iterable[Question]) -> bool:
    """Return whether any answer has other ids than expected."""
    for question, expected in questions:
        outcome = asked.ask(question)
        if isinstance(expected, Encoded) and not (isinstance(outcome, Encoded) and outcome.ids == expected.ids):
            return True
    return False


def caught(fault: Fault, exams: Sequence[Exam]) -> Caught | None:
    """Return what catches ``fault``; ``None`` where the changed module cannot be imported. For a child process."""
    try:
        with limited(SECONDS_PER_TOKENIZER):
            implementation = import_changed(fault.change())
    except (Exception, HangError):  # noqa: BLE001 - whatever a changed module raises
        return None
    found = Caught()
    for exam in exams:
        plain, plain_ids, by = seen_by(implementation, exam)
        found = Caught(
            found.plain or plain, found.plain_ids or plain_ids, (*found.by, exam.source.name) if by else found.by
        )
    if found.by:
        return found
    return replace(found, builtin_by=tuple(exam.source.name for exam in exams if builtin_sees(implementation, exam)))


def seen_by(implementation: Implementation, exam: Exam) -> tuple[bool, bool, bool]:
    """Return whether plain texts, their ids alone and the vectors show that ``implementation`` is wrong."""
    plain = ids = True
    try:
        with limited(SECONDS_PER_TOKENIZER):
            asked = loaded(implementation, exam.source)
            ids = other_ids(asked, exam.plain)
            plain = differs(asked, exam.plain)
            return plain, ids, differs(asked, exam.vectors)
    except (CannotLoadError, HangError):
        return plain, ids, True


def builtin_sees(implementation: Implementation, exam: Exam) -> bool:
    """Return whether the built-in inputs show that ``implementation`` is wrong."""
    try:
        with limited(SECONDS_PER_TOKENIZER):
            return differs(loaded(implementation, exam.source), exam.builtin)
    except (CannotLoadError, HangError):
        return True


def called(exam: Exam) -> set[Function]:
    """Return the functions of the unchanged reference that a checkpoint runs; it must answer all as expected."""
    found: set[Function] = set()
    with calls(found):
        asked = loaded(reference(), exam.source)
        for question, expected in (*once_changed(exam.vectors), *exam.builtin[::TRACED]):
            if compare(question, OutcomeInUnit(expected), OutcomeInUnit(asked.ask(question))).differences:
                raise SystemExit(f"{exam.source.name}: the unchanged reference answers {question!r} otherwise")
    return found


def once_changed(questions: Sequence[Question]) -> Iterator[Question]:
    """Yield ``questions``, of those that change the tokenizer first only one: each loads it anew."""
    changed = False
    for question, expected in questions:
        if not (isinstance(question, After) and changed):
            yield question, expected
        changed = changed or isinstance(question, After)


def run(exams: Sequence[Exam], jobs: int, record: Measuring) -> None:
    """Plant all faults, and record what came of each that can be imported; those in the ``record`` are known."""
    say("asking the unchanged reference")
    loaded(reference(), exams[0].source)  # so that no import is taken for a call
    functions = [(exam, called(exam)) for exam in exams]
    modules = {module for _, found in functions for module, _ in found}
    faults = [fault for fault in read_faults() if fault.module in modules]
    known = {line["fault"] for line in record.lines}
    asked = [fault for fault in faults if fault.id not in known]
    running = {fault.id: [exam for exam, found in functions if runs(found, fault)] for fault in asked}
    for fault in asked:
        if not running[fault.id]:
            record.add(line_of(Result(fault, Caught(), is_run=False)))
    asked = [fault for fault in asked if running[fault.id]]
    Random(0).shuffle(asked)  # so that a part that was asked is like the whole
    say(f"{len(faults)} faults in {len(modules)} modules, {len(asked)} to ask about in functions that are run")
    for index, outcome in each_in_child(lambda fault: caught(fault, running[fault.id]), asked, jobs, SECONDS):
        fault = asked[index]
        if isinstance(outcome, Died):
            say(f"{fault.id}: its process died ({outcome.how}), which is seen")
        found = Caught(by=(outcome.how,)) if isinstance(outcome, Died) else outcome
        if found is not None:
            record.add(line_of(Result(fault, found, is_run=True)))
            if not found.by:
                say(f"{fault.id}: not caught{', shown by built-in inputs' if found.builtin_by else ''}")
        if len(record.lines) % 20 == 0:
            say(f"{len(record.lines)} of {len(faults)} faults")
    record.finish()


def runs(functions: set[Function], fault: Fault) -> bool:
    """Return whether one of ``functions`` is the one that ``fault`` is in."""
    lines = function_lines(fault.module, fault.lines()[-1])
    return any(module == fault.module and line in lines for module, line in functions)


BEGAN = time.monotonic()


def say(text: str) -> None:
    """Say ``text`` on standard error, with the seconds that have passed."""
    print(f"{time.monotonic() - BEGAN:.0f} s: {text}", file=sys.stderr, flush=True)


# Telling --------------------------------------------------------------------------------------------------------------


def share(results: Sequence[Result]) -> Fraction:
    """Return which part of the faults the vectors catch."""
    return Fraction(sum(result.caught.vectors for result in results), max(len(results), 1))


def percent(part: Fraction) -> str:
    """Return ``part`` in percent, rounded down."""
    return f"{int(part * 1000) / 10:.1f} %"


HEADERS = ("faults in", "planted", "vectors", "of these", "built-in alone", "20 texts", "20 texts, ids alone")


def row(name: str, results: Sequence[Result]) -> str:
    """Return a row of the table."""

    def count(which: str) -> str:
        return str(sum(getattr(result.caught, which) for result in results))

    others = map(count, ("builtin_alone", "plain", "plain_ids"))
    return f"| {' | '.join((name, str(len(results)), count('vectors'), percent(share(results)), *others))} |"


def table(results: Sequence[Result]) -> list[str]:
    """Return the table of all stages."""
    lines = [f"| {' | '.join(HEADERS)} |", f"| --- {'| ---: ' * (len(HEADERS) - 1)}|"]
    for place in Place:
        own = [result for result in results if result.fault.stage is place]
        if own:
            lines.append(row(place.value, own))
    return [*lines, row("all", results)]


def visible(results: Sequence[Result]) -> list[Result]:
    """Return those of ``results`` whose faults the four checkpoints show at all."""
    return [result for result in results if result.caught.vectors or result.caught.builtin_by]


def page(records: Sequence[Path]) -> str:
    """Return the page that is made of a record. Raises :class:`RecordError`."""
    (record,) = records
    measured = read_measured(record, TOOL)
    results = results_of(measured.lines)
    in_run = [result for result in results if result.is_run]
    missed = [result for result in in_run if not result.caught.vectors]
    made = ", ".join(f"{name} ({count})" for name, count in measured.parameters["vectors"].items())
    lines = [
        "# What vectors catch",
        "",
        HEAD.format(made=made, count=COUNT),
        "",
        NOTE_COLUMNS,
        "",
        "## In functions that these checkpoints run",
        "",
        NOTE_RUN,
        "",
        *table(in_run),
        "",
        "## Of these, what vectors or built-in inputs show",
        "",
        NOTE_VISIBLE,
        "",
        *table(visible(results)),
        "",
        "## In all functions of these modules",
        "",
        NOTE_ALL,
        "",
        *table(results),
        "",
        "## What the vectors miss in functions that are run",
        "",
        *(f"- {result.fault.id}: {result.fault.what}{said(result)}" for result in missed),
        "",
    ]
    return "\n".join(lines)


HEAD = (
    "`tools/vector_power.py` writes this page. Vectors of {made}, as they come from `tokconf vectors TOKENIZER -n "
    "{count}`, are asked of the reference with one mistake in it. The mistakes are those by which the power of the "
    "suite is measured (`tools/power/faults`), and which it catches all; the inputs of vectors were chosen "
    "without them, by other faults; two of these (ties of scores, clean-up of decoded text) were added when a first "
    "exam had shown that they were missing. Planted are all that are in a module which these checkpoints run."
)
NOTE_COLUMNS = (
    '"Built-in alone" are those that all built-in inputs show on the four and the vectors miss. "20 texts" are twenty '
    "plain texts on the four, compared in every field, and in ids alone."
)
NOTE_RUN = (
    "Some of these faults only show with options that none of the four files has, or in refusals of broken files."
)
NOTE_VISIBLE = "Faults that all of this together can show on these four files."
NOTE_ALL = (
    "Also those in functions for options that none of the four files has (byte fallback, dropout, truncation, other "
    "forms of a file): no input can show these there; they were not asked about."
)


def said(result: Result) -> str:
    """Say of a fault that is missed whether the built-in inputs show it."""
    return (
        f" (The built-in inputs show it on {', '.join(result.caught.builtin_by)}.)" if result.caught.builtin_by else ""
    )


def line_of(result: Result) -> dict[str, Any]:
    """Return the line of the record that :func:`results_of` reads."""
    return {"fault": result.fault.id, "is_run": result.is_run, **asdict(result.caught)}


def results_of(lines: Iterable[dict[str, Any]]) -> list[Result]:
    """Return what the ``lines`` of a record say, in the order of the faults."""
    faults = {fault.id: (number, fault) for number, fault in enumerate(read_faults())}
    return [
        Result(
            faults[line["fault"]][1],
            Caught(line["plain"], line["plain_ids"], tuple(line["by"]), tuple(line["builtin_by"])),
            is_run=line["is_run"],
        )
        for line in sorted(lines, key=lambda line: faults[line["fault"]][0])
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the page, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tokenizers", type=Path, help="the folder of the checkpoints")
    parser.add_argument("--vectors", type=Path, default=VECTORS, help="the folder of the vectors; made where missing")
    parser.add_argument("--record", type=Path, default=RECORD, help="where to write the record")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes at a time")
    asked = parser.parse_args(arguments)
    asked.vectors.mkdir(parents=True, exist_ok=True)
    target = select("tokenizers", Isolation()).build()
    exams = {name: exam_of(name, asked.tokenizers, asked.vectors, target) for name in NAMES}
    try:
        record = Measuring(asked.record, TOOL, {"vectors": {name: count for name, (_, count) in exams.items()}})
    except RecordError as error:
        print(f"vector_power: {error}", file=sys.stderr)
        return 2
    run([exam for exam, _ in exams.values()], asked.jobs, record)
    print(page([asked.record]))
    return 0 if share(visible(results_of(record.lines))) >= ENOUGH else 1


if __name__ == "__main__":
    sys.exit(main())
