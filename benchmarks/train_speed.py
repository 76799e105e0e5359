"""Training time of ``tokenizers`` over that of the reference, on the same texts, beside a goal for each.

    python benchmarks/train_speed.py FILE… [--models BPE …] [--pre-tokenizers ByteLevel …] [--vocab-size N …]
        [--size CHARACTERS] [--rounds N] [--seconds S] [--memory] [--record FILE]

Both train in one process, in turns, with one thread. Times are processor time (of all threads) of the whole call of
``train_from_iterator``, medians of the rounds, so that other work on the machine matters little. The speed is the time
of ``tokenizers`` over that of the reference (1 is as fast, 0.5 takes twice as long): the median of the rounds, and in
brackets the lowest and highest. A goal is met where the median is not below it; the exit status is 1 where one is not.

A benchmark that was ended goes on where it was. Memory (``--memory``) is by how much the largest resident size of a
process of its own grew during one training.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from importlib import import_module
from itertools import product
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import track as progress_of
from tabulate import tabulate

sys.path.append(str(Path(__file__).resolve().parents[1] / "tools"))

from published import machine

if TYPE_CHECKING:
    from collections.abc import Sequence

TOOL = "train_speed"

Json = dict[str, Any]

LIBRARIES = ("tokenizers", "tokenizer_reference")
MODELS = {
    "BPE": "BpeTrainer",
    "WordPiece": "WordPieceTrainer",
    "WordLevel": "WordLevelTrainer",
    "Unigram": "UnigramTrainer",
}
PRE_TOKENIZERS = ("Whitespace", "ByteLevel", "Metaspace")

GOALS = {
    "BPE": (0.6, 0.5),
    "WordPiece": (0.6, 0.5),
    "Unigram": (0.5, 0.8),
}
"""The least speed that is wanted, on a text with spaces between its words and on one without (Japanese)."""

ENOUGH_SPACES = 1 / 20
"""From which share of its characters on a text counts as one with spaces between its words."""

ONE_THREAD = {"RAYON_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """What is trained, and on which text."""

    text: Path
    size: int
    model: str
    pre_tokenizer: str
    vocab_size: int

    @property
    def names(self) -> Json:
        """What the record calls it."""
        return {
            "model": self.model,
            "text": self.text.stem,
            "pre_tokenizer": self.pre_tokenizer,
            "vocab_size": self.vocab_size,
        }

    def lines(self) -> list[str]:
        """Return the lines of the text, repeated until it has ``size`` characters; 0 leaves it as it is."""
        text = self.text.read_text(encoding="utf-8")
        if self.size:
            text = (text * (self.size // len(text) + 1))[: self.size]
        return text.splitlines(keepends=True)

    def goal(self, lines: list[str]) -> float | None:
        """Return the least speed that is wanted, if there is a goal."""
        text = "".join(lines)
        has_spaces = text.count(" ") > len(text) * ENOUGH_SPACES
        return GOALS[self.model][not has_spaces] if self.model in GOALS else None

    def seconds(self, library_name: str, lines: list[str]) -> tuple[float, int] | None:
        """Train once and return seconds and the number of tokens; ``None`` if there are more characters than those."""
        library = import_module(library_name)
        tokenizer = library.Tokenizer(getattr(library.models, self.model)())
        tokenizer.pre_tokenizer = getattr(library.pre_tokenizers, self.pre_tokenizer)()
        # Tables that are built when they are first used are not part of the training.
        tokenizer.pre_tokenizer.pre_tokenize_str("".join(lines[:20]))
        trainer = getattr(library.trainers, MODELS[self.model])(vocab_size=self.vocab_size, show_progress=False)
        start = time.process_time()
        try:
            tokenizer.train_from_iterator(lines, trainer)
        except Exception as error:
            if "characters" in str(error) or "all chars" in str(error):
                return None
            raise
        return time.process_time() - start, tokenizer.get_vocab_size()

    def memory(self, library: str) -> float:
        """Return by how many MiB a process of its own grows when it trains."""
        fields = (str(self.text), str(self.size), self.model, self.pre_tokenizer, str(self.vocab_size))
        command = [sys.executable, __file__, "--alone", library, *fields]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603
        return float(done.stdout)


def speeds_of(line: Json) -> list[float]:
    """Return the speeds of the reference in the rounds of a ``line`` of the record, the lowest first."""
    return sorted(theirs / ours for theirs, ours in line["rounds"])


def is_met(line: Json) -> bool:
    """Return whether the goal is met; what has none, or could not be trained, meets it."""
    return line["goal"] is None or not line["rounds"] or median(speeds_of(line)) >= line["goal"]


def row(line: Json) -> list[object]:
    """Return the row of the table of a ``line`` of the record."""
    cells = [line[key] for key in ("model", "text", "pre_tokenizer", "vocab_size")]
    if not line["rounds"]:
        return [*cells, "-", "-", "more characters than tokens", "-", "-", *line["memory"]]
    theirs, ours = zip(*line["rounds"], strict=True)
    speeds = speeds_of(line)
    speed = f"{median(speeds):.2f} ({speeds[0]:.2f} to {speeds[-1]:.2f})"
    goal = ("-", "-") if line["goal"] is None else (f"{line['goal']:.1f}", "yes" if is_met(line) else "NO")
    return [*cells, f"{median(theirs):.2f}", f"{median(ours):.2f}", speed, *goal, *line["memory"]]


def measure(training: Training, rounds: int, seconds: float, *, with_memory: bool) -> Json:
    """Train with both in turns, up to ``rounds`` times; no round begins when ``seconds`` have passed.

    Return the line of the record: of each round the seconds of ``tokenizers`` and of the reference, and the memory of
    both, in MiB.
    """
    lines = training.lines()
    times: list[tuple[float, float]] = []
    end = time.monotonic() + seconds
    while len(times) < rounds and (not times or time.monotonic() < end):
        results = [training.seconds(library, lines) for library in LIBRARIES]
        (theirs, ours) = results
        if theirs is None or ours is None:
            if theirs is not ours:
                raise SystemExit(f"{training}: only one of the two can be trained")
            break
        if theirs[1] != ours[1]:
            raise SystemExit(f"{training}: the two learn different numbers of tokens; times would mean nothing")
        times.append((theirs[0], ours[0]))
    memory = [training.memory(library) for library in LIBRARIES] if with_memory and times else []
    return {**training.names, "goal": training.goal(lines), "rounds": times, "memory": memory}


def table(lines: Sequence[Json], style: str) -> str:
    """Return the table of the ``lines`` of a record."""
    headers = ["trainer", "text", "pre-tokenizer", "vocab_size", "tokenizers (s)", "reference (s)", "speed"]
    headers += ["goal", "met"]
    headers += ["tokenizers (MiB)", "reference (MiB)"] if any(line["memory"] for line in lines) else []
    return tabulate(list(map(row, lines)), headers, floatfmt=".0f", tablefmt=style, disable_numparse=[4, 5, 6, 7])


def train_alone(library: str, text: str, size: str, model: str, pre_tokenizer: str, vocab_size: str) -> None:
    """Train once and print by how many MiB the largest resident size of this process has grown."""
    training = Training(
        text=Path(text), size=int(size), model=model, pre_tokenizer=pre_tokenizer, vocab_size=int(vocab_size)
    )
    lines = training.lines()
    import_module(library)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    training.seconds(library, lines)
    print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, help="UTF-8 texts")
    parser.add_argument("--size", type=int, default=0, help="how much text to train on, in characters; 0 for all of it")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=120, help="no round of a row begins after so many seconds")
    parser.add_argument("--vocab-size", type=int, nargs="+", default=[8000])
    parser.add_argument("--models", nargs="+", choices=MODELS, default=list(MODELS))
    parser.add_argument("--pre-tokenizers", nargs="+", choices=PRE_TOKENIZERS, default=list(PRE_TOKENIZERS))
    parser.add_argument("--memory", action="store_true", help="measure memory, too")
    machine.add_options(parser, "speed-training")
    return parser.parse_args(arguments)


def main() -> int:
    """Measure, and print the table of the record; return 1 where a goal is not met."""
    os.environ.update(ONE_THREAD)  # before the libraries are imported
    if sys.argv[1:2] == ["--alone"]:
        train_alone(*sys.argv[2:])
        return 0
    options: Any = parsed(sys.argv[1:])
    trainings = [
        Training(text=text, size=options.size, model=model, pre_tokenizer=pre_tokenizer, vocab_size=vocab_size)
        for text, model, pre_tokenizer, vocab_size in product(
            options.files, options.models, options.pre_tokenizers, options.vocab_size
        )
    ]
    record = machine.begun(options, TOOL)
    for training in progress_of(trainings, console=Console(stderr=True), transient=True):
        if not any(training.names.items() <= line.items() for line in record.lines):
            record.add(measure(training, options.rounds, options.seconds, with_memory=options.memory))
    record.finish()
    print(table(record.lines, "simple"))
    return 0 if all(map(is_met, record.lines)) else 1


if __name__ == "__main__":
    sys.exit(main())
