"""Time of the reference over time of ``tokenizers``, both reading the same text with all fields, in one run.

    python benchmarks/encode_speed.py CHECKPOINT… --text FILE [--size BYTES] [--rounds N]

Each round times both on the same input, one after the other, in seconds of the processor, so that other work on the
machine counts little; the ratio printed is that of the best times. Two readings of the text are measured: line by line,
and in one piece. Long words without spaces show that no step is quadratic: the time for twice the size over the time
for the size should be near 2.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tokenizers
from rich.console import Console
from rich.progress import track as progress_of
from tabulate import tabulate

import tokenizer_reference

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

FIELDS = (
    "ids",
    "tokens",
    "offsets",
    "word_ids",
    "type_ids",
    "attention_mask",
    "special_tokens_mask",
    "sequence_ids",
    "overflowing",
)


def read_all(tokenizer: Any, texts: Sequence[str]) -> int:
    """Encode every text, read every field, and return the number of tokens."""
    count = 0
    for text in texts:
        encoding = tokenizer.encode(text)
        fields = [getattr(encoding, field) for field in FIELDS]
        count += len(fields[0])
    return count


def seconds(tokenizer: Any, texts: Sequence[str]) -> float:
    """Return how long the processor is busy with reading ``texts``."""
    start = time.process_time()
    read_all(tokenizer, texts)
    return time.process_time() - start


def compare(path: Path, readings: dict[str, list[str]], rounds: int) -> Iterator[list[object]]:
    """Yield a row (tokenizer, reading, tokens, seconds of both, ratio) for each reading."""
    target = tokenizers.Tokenizer.from_file(str(path))
    reference = tokenizer_reference.Tokenizer.from_file(str(path))
    for reading, texts in readings.items():
        tokens = read_all(target, texts)
        if read_all(reference, texts) != tokens:
            raise SystemExit(f"{path}: the two disagree on the number of tokens; times would mean nothing")
        times = [(seconds(target, texts), seconds(reference, texts)) for _ in range(rounds)]
        theirs, ours = map(min, zip(*times, strict=True))
        yield [path.parent.name, reading, tokens, theirs, ours, ours / theirs]


def growth(path: Path) -> list[object]:
    """Return a row (tokenizer, seconds for a word of 50 KB, of 100 KB, ratio of the two)."""
    times = []
    for size in (50_000, 100_000):
        word = ("pneumonoultramicroscopicsilicovolcanoconiosis" * (size // 40))[:size]
        reference = tokenizer_reference.Tokenizer.from_file(str(path))
        times.append(seconds(reference, [word]))
    return [path.parent.name, *times, times[1] / times[0]]


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoints", nargs="+", type=Path, help="folders with a tokenizer.json")
    parser.add_argument("--text", type=Path, required=True, help="a UTF-8 text")
    parser.add_argument("--size", type=int, default=1_000_000, help="how much text to read, in characters")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()

    text = arguments.text.read_text(encoding="utf-8")
    text = (text * (arguments.size // len(text) + 1))[: arguments.size]
    readings = {"lines": text.splitlines(), "one piece": [text]}
    paths = [folder / "tokenizer.json" for folder in arguments.checkpoints]

    headers = ["tokenizer", "reading", "tokens", "tokenizers (s)", "reference (s)", "ratio"]
    rows = (row for path in paths for row in compare(path, readings, arguments.rounds))
    print(tabulate(track(rows, len(paths) * len(readings)), headers, floatfmt=".2f"))
    print()
    headers = ["tokenizer", "word of 50 KB (s)", "word of 100 KB (s)", "growth"]
    print(tabulate(track(map(growth, paths), len(paths)), headers, floatfmt=".2f"))


def track(rows: Iterable[list[object]], count: int) -> list[list[object]]:
    """Return all ``rows``, with a progress bar meanwhile where there is a terminal."""
    console = Console(stderr=True)
    return list(
        progress_of(rows, "measuring", total=count, console=console, transient=True, disable=not console.is_terminal)
    )


if __name__ == "__main__":
    main()
