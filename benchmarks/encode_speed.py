"""Speed of the reference beside ``tokenizers`` in encoding: processor time of the target over ours, with goals.

    python benchmarks/encode_speed.py CHECKPOINT… --english FILE --japanese FILE [--rounds N] [--markdown FILE]

Both encode the same texts and read seven fields of every encoding into Python lists, in turns, in one process. *Cold*
is the first pass of a tokenizer that has just been loaded (and has encoded one short text), *warm* a later one.
English and Japanese are read line by line, a document is the English text in one piece. A speed is the median of the
rounds; the range is that of all of them. ``--plain`` measures the plain way (``Tokenizer.fast = False``), which is the
definition.

Exit status 1 says that a goal was missed.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import tokenizers
from rich.console import Console
from rich.progress import track
from tabulate import tabulate

import tokenizer_reference

if TYPE_CHECKING:
    from collections.abc import Sequence

FIELDS: Final = ("ids", "tokens", "offsets", "word_ids", "type_ids", "attention_mask", "special_tokens_mask")

GOALS: Final = {"English": (1.0, 2.0), "Japanese": (0.45, 2.0), "document": (1.4, 3.0)}
"""What is read, and the least speed wanted, cold and warm."""

WARM_PASSES: Final = 2

HEADERS: Final = ("tokenizer", "text", "pass", "tokenizers (s)", "reference (s)", "speed", "range", "goal", "met")


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of the processor that target and reference took for the same work, one after the other."""

    target: float
    reference: float

    @property
    def speed(self) -> float:
        """The target's time over the reference's."""
        return self.target / self.reference


def seconds(tokenizer: Any, texts: Sequence[str]) -> float:
    """Return how long the processor is busy with encoding ``texts`` and reading all fields."""
    start = time.process_time()
    for text in texts:
        encoding = tokenizer.encode(text)
        for field in FIELDS:
            getattr(encoding, field)
    return time.process_time() - start


def check_agreement(target: Any, reference: Any, texts: Sequence[str], path: Path) -> None:
    """Compare the ids: times of different work would mean nothing. Ends the program where they differ."""
    for text in texts:
        if target.encode(text).ids != reference.encode(text).ids:
            raise SystemExit(f"{path}: the two give different ids for {text[:60]!r}; their times cannot be compared")


def measure(path: Path, texts: Sequence[str], rounds: int, *, plain: bool) -> tuple[list[Times], list[Times]]:
    """Return the times of ``rounds`` cold passes, each by newly loaded tokenizers, and of warm passes after them."""
    cold: list[Times] = []
    warm: list[Times] = []
    for number in range(rounds):
        target = tokenizers.Tokenizer.from_file(str(path))
        reference = tokenizer_reference.Tokenizer.from_file(str(path))
        reference.fast = not plain
        target.encode("a")
        reference.encode("a")
        cold.append(Times(seconds(target, texts), seconds(reference, texts)))
        warm += [Times(seconds(target, texts), seconds(reference, texts)) for _ in range(WARM_PASSES)]
        if number == 0:
            check_agreement(target, reference, texts[:200], path)
    return cold, warm


def row(name: str, text: str, kind: str, times: list[Times], goal: float) -> list[str]:
    """Return the cells of one row of the table."""
    speeds = sorted(each.speed for each in times)
    speed = statistics.median(speeds)
    return [
        name,
        text,
        kind,
        f"{statistics.median(each.target for each in times):.3f}",
        f"{statistics.median(each.reference for each in times):.3f}",
        f"{speed:.2f}",
        f"{speeds[0]:.2f} to {speeds[-1]:.2f}",
        f"{goal:.2f}",
        "yes" if speed >= goal else "NO",
    ]


def main() -> int:
    """Print the table, and write it where asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoints", nargs="+", type=Path, help="folders with a tokenizer.json")
    parser.add_argument("--english", type=Path, required=True, help="a UTF-8 text")
    parser.add_argument("--japanese", type=Path, required=True, help="a UTF-8 text")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--markdown", type=Path, help="a file to write the table to")
    parser.add_argument("--plain", action="store_true", help="measure the plain way")
    arguments = parser.parse_args()

    english = arguments.english.read_text(encoding="utf-8")
    readings = {
        "English": english.splitlines(),
        "Japanese": arguments.japanese.read_text(encoding="utf-8").splitlines(),
        "document": [english],
    }
    console = Console(stderr=True)
    work = [(folder, text) for folder in arguments.checkpoints for text in readings]
    rows: list[list[str]] = []
    for folder, text in track(work, "measuring", console=console, transient=True, disable=not console.is_terminal):
        path = folder / "tokenizer.json"
        cold, warm = measure(path, readings[text], arguments.rounds, plain=arguments.plain)
        for kind, times, goal in zip(("cold", "warm"), (cold, warm), GOALS[text], strict=True):
            rows.append(row(folder.name, text, kind, times, goal))

    missed = sum(cells[-1] == "NO" for cells in rows)
    summary = f"{len(rows) - missed} of {len(rows)} goals met"
    print(tabulate(rows, HEADERS, disable_numparse=True))
    print(f"\n{summary}")
    if arguments.markdown is not None:
        table = tabulate(rows, HEADERS, tablefmt="github", disable_numparse=True)
        arguments.markdown.write_text(f"{table}\n\n{summary}.\n", encoding="utf-8")
    return 1 if missed or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
