"""How time and memory of commands grow: with corpus, texts, tokenizers, implementations, parts, inputs that differ.

    python benchmarks/growth_runs.py BOOK.txt… [--record FILE] [-k PART] [--steps N] [--patience SECONDS]

Each of :data:`LINES` is a command whose size grows. The record gets a line for each run: processor seconds of all its
processes, seconds on the clock, the most memory that all had together (looked at ten times a second), how much they
read, and how large the file is that the command writes. All this comes from /proc, so Linux. First each command is run
with next to no work: that is its start. A line ends where a run takes PATIENCE seconds of the processor. What was ended
goes on where it was. ``tools/scale_report.py`` makes the page and the plots.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from metrics_stream import processes_of, status_of
from scale_corpus import texts, write_lines

from tokenizer_conformance.inputs.bundled import bundled_file

sys.path.append(str(Path(__file__).resolve().parents[1] / "tools"))

from published import machine

if TYPE_CHECKING:
    from collections.abc import Callable

    from published.measuring import Measuring

KB = 1000

TOLD = "{command}, {grows}: {size:,}: {processor:.2f} s, memory {memory:,}, read {read:,}, written {written:,}"

IMPLEMENTATIONS = """
import tokenizers


class Right:
    adds_special_tokens = False

    def __init__(self, file):
        self.tokenizer = tokenizers.Tokenizer.from_file(file)

    def encode(self, text):
        return self.tokenizer.encode(text, add_special_tokens=False).ids


class Wrong(Right):
    def encode(self, text):
        return [id + 1 for id in super().encode(text)]


for number in range(256):
    globals()[f"Right{number}"] = type(f"Right{number}", (Right,), {})
"""
"""Many implementations that are right, and one that is wrong about every text."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where runs take place: a ``folder``, with texts made of ``books``. What has a size of 0 is next to no work."""

    folder: Path
    books: tuple[Path, ...]

    def corpus(self, size: int, lengths: tuple[int, int] = (1, 20_000)) -> str:
        """Return a file with texts of ``size`` bytes, and at least one text."""
        if size == 0:
            lengths = (1, 100)
        file = self.folder / f"corpus-{size}-{lengths[1]}.txt"
        if not file.exists():
            write_lines(file, texts(list(self.books), max(size, 1), 0, lengths))
        return str(file)

    def tokenizers(self, count: int) -> list[str]:
        """Return so many folders with the same tokenizer, and at least one."""
        folders = [self.folder / f"tokenizer-{number}" for number in range(max(count, 1))]
        for folder in folders:
            folder.mkdir(exist_ok=True)
            (folder / "tokenizer.json").write_bytes(bundled_file("gpt2-mini").read_bytes())
        return list(map(str, folders))

    def different(self, count: int) -> str:
        """Return a file with so many texts, no two alike, and at least one."""
        file = self.folder / f"different-{count}.txt"
        write_lines(file, (f"text {number} of {number * 7919 % 10007}" for number in range(max(count, 1))))
        return str(file)


# What is measured ----------------------------------------------------------------------------------------------------

Words = list[str]

WRITTEN = "written.jsonl"
"""What a command writes."""

ONE = ["gpt2-mini"]
BOTH = ["tokenizers", "reference"]


def measure(inputs: str, tokenizers: Words = ONE, implementations: Words = BOTH[:1]) -> Words:
    """Return the command that measures tokenizers on a file."""
    return ["metrics", *tokenizers, "-i", *implementations, *WHERE, "--inputs", inputs]


def compare(inputs: str, tokenizers: Words = ONE, implementations: Words = BOTH) -> Words:
    """Return the command that compares implementations on a file."""
    return ["run", *tokenizers, "-i", *implementations, *WHERE, *CORPUS_ALONE, "--inputs", inputs]


def save(inputs: str) -> Words:
    """Return the command that saves all answers on a file."""
    return ["snapshot", *ONE, "--no-builtin", "--inputs", inputs, "--output", WRITTEN]


WHERE = ["--in-process", "all", "--json", WRITTEN]
CORPUS_ALONE = ["--stage", "model", "--no-builtin", "--no-known", "--cause-time", "0"]


def rights(count: int) -> Words:
    """Return the names of so many implementations that are right, and at least one."""
    return [f"implementations:Right{number}" for number in range(max(count, 1))]


@dataclass(frozen=True, slots=True)
class Line:
    """A command that grows: with what, what a size counts, the smallest, how many times that the next is, its words.

    ``exponent`` is that of work which is linear in the texts: 0 where there are as many whatever the size. ``most`` is
    how many sizes there are at most.
    """

    grows: str
    command: str
    unit: str
    first: int
    times: int
    words: Callable[[Place, int], Words]
    exponent: int = 1
    most: int = sys.maxsize

    def sizes(self, steps: int) -> list[int]:
        """Return no size, for the start, and then so many that grow."""
        return [0, *(self.first * self.times**step for step in range(min(steps, self.most)))]


def some(size: int, corpus: int) -> int:
    """Return the size of a ``corpus`` that does not grow; there is none at the start."""
    return corpus if size else 0


LENGTHS = 4
"""How many lengths of texts there are: longer ones would not be within 1 MB."""

LINES = (
    Line("size of the corpus", "metrics", "bytes", 500 * KB, 2, lambda at, size: measure(at.corpus(size))),
    Line("size of the corpus", "run", "bytes", 250 * KB, 2, lambda at, size: compare(at.corpus(size))),
    Line("size of the corpus", "snapshot", "bytes", 125 * KB, 2, lambda at, size: save(at.corpus(size))),
    Line(
        *("length of texts, 1 MB in all", "metrics", "characters", KB, 8),
        lambda at, size: measure(at.corpus(some(size, 1000 * KB), (size, size))),
        exponent=0,
        most=LENGTHS,
    ),
    Line(
        *("length of texts, 1 MB in all", "run", "characters", KB, 8),
        lambda at, size: compare(at.corpus(some(size, 1000 * KB), (size, size))),
        exponent=0,
        most=LENGTHS,
    ),
    Line(
        *("number of tokenizers, 250 KB each", "metrics", "tokenizers", 2, 2),
        lambda at, size: measure(at.corpus(some(size, 250 * KB)), at.tokenizers(size)),
    ),
    Line(
        *("number of tokenizers, 250 KB each", "run", "tokenizers", 2, 2),
        lambda at, size: compare(at.corpus(some(size, 250 * KB)), at.tokenizers(size)),
    ),
    Line(
        *("number of implementations, 250 KB each", "metrics", "implementations", 2, 2),
        lambda at, size: measure(at.corpus(some(size, 250 * KB)), ONE, rights(size)),
    ),
    Line(
        *("number of implementations, 250 KB each", "run", "implementations", 2, 2),
        lambda at, size: compare(at.corpus(some(size, 250 * KB)), ONE, ["tokenizers", *rights(size)]),
    ),
    Line(
        *("number of inputs that differ", "run", "inputs", 2000, 2),
        lambda at, size: compare(at.different(size), ["wordlevel-mini"], ["tokenizers", "implementations:Wrong"]),
    ),
    Line(
        *("number of parts, one of which is done of 4 MB", "run", "parts", 1, 2),
        lambda at, size: [*compare(at.corpus(some(size, 4000 * KB))), "--shard", f"1/{max(size, 1)}"],
        exponent=0,
    ),
)


# Measuring -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run took: processor seconds, seconds on the clock, bytes of memory, bytes read and written; its status."""

    processor: float
    elapsed: float
    memory: int
    read: int
    written: int
    status: int


def cost_of(words: Words, folder: Path) -> Cost:
    """Run ``tokconf`` with ``words`` in ``folder``, and return what that took."""
    command = [sys.executable, "-m", "tokenizer_conformance", *words, "--quiet", "--force"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])}
    (folder / WRITTEN).unlink(missing_ok=True)
    before, began, memory = _used(), time.monotonic(), 0
    with (folder / "said.txt").open("w") as said:
        running = subprocess.Popen(command, cwd=folder, env=environment, stdout=said, stderr=said)  # noqa: S603 - ours
        while running.poll() is None:
            memory = max(memory, sum(status_of(each).get("VmRSS", 0) for each in processes_of(running.pid)))
            time.sleep(0.1)
    processor, read = (now - then for now, then in zip(_used(), before, strict=True))
    written = (folder / WRITTEN).stat().st_size if running.returncode in (0, 1) else 0
    return Cost(processor, time.monotonic() - began, memory, int(read), written, running.returncode)


def _used() -> tuple[float, int]:
    """Return the processor seconds of all children that have ended, and the bytes that they read."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime, _read("/proc/self/io") - _read("/proc/thread-self/io")


def _read(counters: str) -> int:
    """Return the bytes read by a process and its children that have ended, or by one thread alone."""
    return int(dict(line.split(": ") for line in Path(counters).read_text().splitlines())["rchar"])


def measured(line: Line, at: Place, steps: int, patience: float, record: Measuring) -> bool:
    """Measure a command at its start and at all sizes, and record each; return whether all runs came to their end."""
    about = {"grows": line.grows, "command": line.command, "unit": line.unit, "exponent": line.exponent}
    done = {point["size"]: point for point in record.lines if about.items() <= point.items()}
    for size in line.sizes(steps):
        if size not in done:
            cost = cost_of(line.words(at, size), at.folder)
            if cost.status not in (0, 1):
                print((at.folder / "said.txt").read_text(encoding="utf-8")[-2000:], file=sys.stderr)
                return False
            done[size] = {**about, "size": size, **asdict(cost)}
            record.add(done[size])
            print(TOLD.format(**done[size]), flush=True)
        if done[size]["processor"] > patience:
            break
    return True


def main() -> int:
    """Measure all lines that are wanted; exit status 1 where a run did not come to its end."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("books", type=Path, nargs="+")
    parser.add_argument("-k", dest="wanted", default="", help="only lines that have this in 'COMMAND: what grows'")
    parser.add_argument("--steps", type=int, default=7, help="how many sizes there are")
    parser.add_argument("--patience", type=float, default=60.0, help="seconds of the processor")
    machine.add_options(parser, "scale-growth")
    given = parser.parse_args()
    record = machine.begun(given, "growth_runs")
    with tempfile.TemporaryDirectory() as name:
        at = Place(Path(name), tuple(book.resolve() for book in given.books))
        (at.folder / "implementations.py").write_text(IMPLEMENTATIONS, encoding="utf-8")
        wanted = [line for line in LINES if given.wanted in f"{line.command}: {line.grows}"]
        ended = [measured(line, at, given.steps, given.patience, record) for line in wanted]
    record.finish()
    return int(not all(ended))


if __name__ == "__main__":
    sys.exit(main())
