"""What the harness costs: beside the implementations, in several processes, at its start, and in memory.

    python benchmarks/harness_cost.py CHECKPOINT/tokenizer.json --text FILE [--goal NAME]… [--inputs N] [--rounds N]
                                      [--record FILE]

A row for each figure, with its goal and whether it is met. The exit status is 1 where one is not. A benchmark that was
ended goes on where it was. Goals by name:

====== ===============================================================================================================
cost   processor time of a run, in one process, over that of the implementations alone: at most 1.1
jobs   time on the clock of a run with one job over that with two: at least 1.8, and both write the same record
help   time on the clock of ``tokconf --help``: less than 0.15 s
memory the most memory that a run over 80 MB of text takes: less than 300 MB
====== ===============================================================================================================

*The implementations alone*: each question of the run is put to each library once, by its public API, in the same
process and in the same order, and all that is compared is read into Python lists: the nine fields of an encoding and
those of its overflowing ones, the pieces with their spans, the texts. A text is encoded in several questions (without
special tokens and with them, in pairs, as words, in a batch); none of the answers follows from another. The tokenizers
are loaded in that time as in that of the run. The questions are those of ``comparison/questions.py``; they are known
before the clock starts. All else that a run spends is the harness: reading inputs, making questions, values, comparing,
counting.

Times are the best of the rounds; the two sides of a ratio are measured in turn.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tokenizers
from tabulate import tabulate

import tokenizer_reference
from tokenizer_adapters.contract import Decode, DecodeStream, Encode, EncodeBatch, Normalize, PreTokenize
from tokenizer_adapters.registry import load_implementation
from tokenizer_conformance import RunFinished, RunPlan, find_tokenizer, read_corpus, read_tokenizer, run, text_files
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.comparison.questions import about_pair, about_text
from tokenizer_conformance.inputs.builtin import builtin_inputs

sys.path.append(str(Path(__file__).resolve().parents[1] / "tools"))

from published import machine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance import Corpus

TOOL = "harness_cost"

LIBRARIES: dict[str, Any] = {"tokenizers": tokenizers, "reference": tokenizer_reference}
"""The libraries with the API of ``tokenizers``: what they cost alone can be measured by one piece of code."""

PAIRS = (("tokenizers", "reference"), ("reference", "tokenizers"))
"""The baseline and the implementation of a run."""

MOST_COST = 1.1
LEAST_SPEED = 1.8
MOST_HELP_SECONDS = 0.15
MOST_MEMORY = 300
TEXT_MEGABYTES = 80

MB = 1_000_000

GOALS = ("cost", "jobs", "help", "memory")


@dataclass(frozen=True)
class Row:
    """A figure: what was measured, in words, and whether it meets the goal."""

    what: str
    measured: str
    goal: str
    is_met: bool


# The implementations alone -------------------------------------------------------------------------------------------

FIELDS = (
    "ids",
    "tokens",
    "offsets",
    "word_ids",
    "type_ids",
    "attention_mask",
    "special_tokens_mask",
    "sequence_ids",
)

Call = tuple["Callable[..., Any]", tuple[Any, ...]]
"""What a question is to a library: a function that takes the tokenizer, and its further arguments."""


def read(encoding: Any) -> None:
    """Read all fields of an encoding."""
    for field in FIELDS:
        getattr(encoding, field)
    for part in encoding.overflowing:
        read(part)


def encode(tokenizer: Any, text: Any, pair: Any, is_pretokenized: bool, add_special_tokens: bool) -> None:
    """Encode a text, or a pair."""
    read(tokenizer.encode(text, pair, is_pretokenized=is_pretokenized, add_special_tokens=add_special_tokens))


def encode_batch(tokenizer: Any, texts: list[Any], is_pretokenized: bool, add_special_tokens: bool) -> None:
    """Encode several texts at once."""
    for encoding in tokenizer.encode_batch(
        texts, is_pretokenized=is_pretokenized, add_special_tokens=add_special_tokens
    ):
        read(encoding)


def decode(tokenizer: Any, ids: list[int], skip_special_tokens: bool) -> None:
    """Decode ids."""
    tokenizer.decode(ids, skip_special_tokens=skip_special_tokens)


def decode_stream(tokenizer: Any, library: Any, ids: list[int], skip_special_tokens: bool) -> None:
    """Decode ids one by one."""
    stream = library.decoders.DecodeStream(skip_special_tokens=skip_special_tokens)
    for id_ in ids:
        stream.step(tokenizer, id_)


def normalize(tokenizer: Any, text: str) -> None:
    """Normalize a text."""
    normalizer = tokenizer.normalizer
    if normalizer is not None:
        normalizer.normalize_str(text)


def pre_tokenize(tokenizer: Any, text: str) -> None:
    """Pre-tokenize a text."""
    pre_tokenizer = tokenizer.pre_tokenizer
    if pre_tokenizer is not None:
        pre_tokenizer.pre_tokenize_str(text)


def given(text: str | tuple[str, ...] | None) -> Any:
    """Return a text as a library takes it."""
    return list(text) if isinstance(text, tuple) else text


def call_of(question: Observation, library: Any) -> Call:
    """Return what ``question`` is to ``library``."""
    match question:
        case Encode(text, pair, add_special_tokens):
            return encode, (given(text), given(pair), question.is_pretokenized, add_special_tokens)
        case EncodeBatch(inputs):
            texts = [given(each.text) for each in inputs]
            return encode_batch, (texts, question.is_pretokenized, question.add_special_tokens)
        case Decode(ids, skip_special_tokens):
            return decode, (list(ids), skip_special_tokens)
        case DecodeStream(ids, skip_special_tokens):
            return decode_stream, (library, list(ids), skip_special_tokens)
        case Normalize(text):
            return normalize, (text,)
        case PreTokenize(text):
            return pre_tokenize, (text,)
        case _:
            raise TypeError(f"a run asks no such question: {question!r}")


def calls_of(names: Sequence[str], file: Path, corpus: Corpus) -> list[tuple[str, Call]]:
    """Return every call that a run on ``corpus`` needs, in its order, with the name of the implementation."""
    baseline = loaded(load_implementation(names[0]), find_tokenizer(str(file)))
    return [
        (name, call_of(question, LIBRARIES[name]))
        for each in corpus
        for questions in (
            list(about_text(each.input.text, baseline=baseline.ask)),
            list(about_pair(each.input.text, each.following.text, baseline=baseline.ask)),
        )
        for name in names
        for question in questions
    ]


def seconds_alone(names: Sequence[str], file: Path, calls: list[tuple[str, Call]]) -> float:
    """Return the processor time of the implementations alone."""
    gc.collect()
    start = time.process_time()
    subjects = {name: LIBRARIES[name].Tokenizer.from_file(str(file)) for name in names}
    for name, (call, arguments) in calls:
        call(subjects[name], *arguments)
    del subjects  # a run ends with them, too
    return time.process_time() - start


def seconds_of_run(plan: RunPlan) -> float:
    """Return the processor time of a run, which has to end well."""
    gc.collect()
    start = time.process_time()
    for event in run(plan):
        if isinstance(event, RunFinished) and not event.finished:
            raise RuntimeError(event.reason)
    return time.process_time() - start


def corpora(text: Path, inputs: int) -> Iterator[tuple[str, Corpus]]:
    """Yield kinds of inputs, some of each."""
    lines, paragraphs = (text_files([text], [split])[0] for split in ("line", "paragraph"))
    for name, source, count in (
        ("built-in inputs", builtin_inputs(), inputs),
        ("lines", lines, inputs),
        ("paragraphs", paragraphs, inputs // 20),
    ):
        corpus, refusals = read_corpus([(name, tuple(itertools.islice(source, count)))])
        if refusals:
            raise RuntimeError(refusals[0].reason)
        yield name, corpus


def cost(file: Path, text: Path, inputs: int, rounds: int) -> Iterator[Row]:
    """Yield the cost of runs in one process, for each pair of implementations and kind of inputs."""
    tokenizer = read_tokenizer(find_tokenizer(str(file)))
    for kind, corpus in corpora(text, inputs):
        for names in PAIRS:
            plan = RunPlan(
                tokenizers=(tokenizer,),
                implementations=tuple(map(load_implementation, names)),
                baseline=names[0],
                corpus=corpus,
            )
            calls = calls_of(names, file, corpus)
            times = [(seconds_of_run(plan), seconds_alone(names, file, calls)) for _ in range(rounds)]
            whole, alone = (min(each) for each in zip(*times, strict=True))
            ratio = whole / alone
            what = f"cost: {names[1]} against {names[0]}, {corpus.count:,} {kind}, {tokenizer.source.name}"
            measured = f"{ratio:.3f} ({whole:.2f} s, alone {alone:.2f} s)"
            yield Row(what, measured, f"at most {MOST_COST}", ratio <= MOST_COST)


# Several processes ---------------------------------------------------------------------------------------------------

TIMES = {"seconds", "baseline_seconds", "started", "command"}
SUMS = {"lines", "sha256"}
"""What a footer says of all lines, checkpoints included."""


def tokconf(*arguments: str) -> list[str]:
    """Return the words that run the command in a process of its own."""
    return [sys.executable, "-m", "tokenizer_conformance", *arguments]


def on_the_clock(command: Sequence[str]) -> float:
    """Return how long ``command`` takes on the clock."""
    environment = os.environ | {"TOKCONF_PROGRESS": "off"}
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)  # noqa: S603 - our own command
    return time.perf_counter() - start


def without_times(value: Any) -> Any:
    """Return a line of a record without what tells times."""
    if isinstance(value, dict):
        return {name: without_times(each) for name, each in value.items() if name not in TIMES}
    return [without_times(each) for each in value] if isinstance(value, list) else value


def recorded(path: Path) -> list[Any]:
    """Return the lines of a record without times, nor the checkpoints, which come with time, nor sums of these."""
    *lines, footer = map(json.loads, path.read_text(encoding="ascii").splitlines())
    without_sums = {name: value for name, value in footer.items() if name not in SUMS}
    return [without_times(line) for line in (*lines, without_sums) if line["type"] != "checkpoint"]


def jobs(file: Path, text: Path, lines: int, rounds: int) -> Iterator[Row]:
    """Yield how much faster two jobs are than one, and whether they write the same record."""
    with tempfile.TemporaryDirectory() as folder:
        some = Path(folder, "lines.txt")
        whole = text.read_text(encoding="utf-8").splitlines(keepends=True)
        some.write_text("".join(itertools.islice(itertools.cycle(whole), lines)), encoding="utf-8")
        given = ("run", str(file), "-i", *PAIRS[0], "--no-builtin", "--inputs", str(some), "--force")
        records = {count: Path(folder, f"{count}.jsonl") for count in (1, 2)}
        commands = {
            count: tokconf(*given, "--jobs", str(count), "--json", str(path)) for count, path in records.items()
        }
        times = [(on_the_clock(commands[1]), on_the_clock(commands[2])) for _ in range(rounds)]
        one, two = (min(each) for each in zip(*times, strict=True))
        is_same = recorded(records[1]) == recorded(records[2])
    what = f"jobs: {lines:,} lines, {file.parent.name}, {os.cpu_count()} processors"
    yield Row(what, f"{one / two:.2f} ({one:.1f} s, {two:.1f} s)", f"at least {LEAST_SPEED}", one / two >= LEAST_SPEED)
    yield Row("jobs: the record of two is that of one", "yes" if is_same else "no", "yes", is_same)


# The start, and memory -----------------------------------------------------------------------------------------------

MOST_ROUNDS_OF_HELP = 10


def help_page() -> Iterator[Row]:
    """Yield how long the help takes."""
    seconds = min(on_the_clock(tokconf("--help")) for _ in range(MOST_ROUNDS_OF_HELP))
    goal = f"less than {MOST_HELP_SECONDS} s"
    yield Row("help: tokconf --help", f"{seconds:.3f} s", goal, seconds < MOST_HELP_SECONDS)


def memory(file: Path, text: Path, megabytes: float, stages: str) -> Iterator[Row]:
    """Yield the most memory that a run over much text takes, compared at ``stages``."""
    with tempfile.TemporaryDirectory() as folder:
        much = Path(folder, "much.txt")
        whole = text.read_bytes()
        with much.open("wb") as sink:
            for _ in range(math.ceil(megabytes * MB / len(whole))):
                sink.write(whole)
        words = ("run", str(file), "-i", *PAIRS[0], "--no-builtin", "--inputs", str(much), "--stage", stages)
        process = subprocess.Popen(tokconf(*words), stdout=subprocess.DEVNULL)  # noqa: S603 - our own command
        _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError("the run has not ended well")
    used = usage.ru_maxrss * 1024 / MB
    what = f"memory: {megabytes:g} MB of text, {stages}, {file.parent.name}"
    yield Row(what, f"{used:.0f} MB", f"less than {MOST_MEMORY} MB", used < MOST_MEMORY)


def table(lines: Sequence[Mapping[str, Any]], style: str) -> str:
    """Return the table of the ``lines`` of a record."""
    rows = [Row(**row) for line in lines for row in line["rows"]]
    cells = [[row.what, row.measured, row.goal, "yes" if row.is_met else "NO"] for row in rows]
    return tabulate(cells, ["what", "measured", "goal", "met"], tablefmt=style, disable_numparse=True)


def main() -> int:
    """Measure, print the table of the record, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tokenizer", type=Path, metavar="CHECKPOINT/tokenizer.json")
    parser.add_argument("--text", type=Path, required=True, metavar="FILE")
    parser.add_argument("--goal", action="append", choices=GOALS, dest="goals", help="this one; all if not given")
    parser.add_argument("--inputs", type=int, default=400, metavar="N", help="how many inputs show the cost")
    parser.add_argument("--lines", type=int, default=3000, metavar="N", help="how many lines two jobs compare")
    parser.add_argument("--megabytes", type=float, default=TEXT_MEGABYTES, metavar="MB", help="of text, for the memory")
    parser.add_argument("--stages", default="normalize,pre_tokenize", help="what is compared of it: all takes hours")
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    machine.add_options(parser, "speed-harness")
    given = parser.parse_args()
    # On all processors at once one batch costs more processor time than on one, on either side and by chance.
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    measures: dict[str, Callable[[], Iterator[Row]]] = {
        "cost": partial(cost, given.tokenizer, given.text, given.inputs, given.rounds),
        "jobs": partial(jobs, given.tokenizer, given.text, given.lines, given.rounds),
        "help": help_page,
        "memory": partial(memory, given.tokenizer, given.text, given.megabytes, given.stages),
    }
    record = machine.begun(given, TOOL)
    done = {line["measure"] for line in record.lines}
    for name in given.goals or GOALS:
        if name not in done:
            record.add({"measure": name, "rows": [asdict(row) for row in measures[name]()]})
    record.finish()
    print(table(record.lines, "simple"))
    return 0 if all(row["is_met"] for line in record.lines for row in line["rows"]) else 1


if __name__ == "__main__":
    sys.exit(main())
