"""How fast `tokconf metrics` goes through a large corpus, and how much memory all its processes take meanwhile.

    python benchmarks/metrics_stream.py BOOK.txt… --tokenizers gpt2-mini bert-mini --size 1000 --jobs 2

The corpus is made of the lines of the books, again and again until there are SIZE million bytes, each time with other
words in it: a number is put behind every word that begins with a letter drawn for that round. It is written to a
temporary folder and removed at the end. Memory is the sum of the resident sets of the command and of all processes that
it starts, looked at five times a second in /proc, so Linux; shared pages count in each. The peak of each process alone
(VmHWM) is printed, too. With `--one-line N` the corpus is a single line of N million bytes.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MB = 1_000_000


def corpus(books: list[Path], size: int, seed: int = 0) -> Iterator[str]:
    """Yield lines, as many as make up ``size`` bytes."""
    lines = [line for book in books for line in book.read_text(encoding="utf-8").splitlines() if line.strip()]
    written = number = 0
    rng = random.Random(seed)  # noqa: S311 - no secret
    while True:
        rng.shuffle(lines)
        letter = rng.choice("abcdefghiklmnoprstuw")
        words = re.compile(rf"\b{letter}\w+")
        for line in lines:
            number += 1
            varied = words.sub(rf"\g<0>{number % 997}", line)
            yield varied
            written += len(varied.encode()) + 1
            if written >= size:
                return


def write_corpus(file: Path, books: list[Path], size: int, end: str) -> None:
    """Write the corpus to ``file``, with ``end`` behind each of its lines."""
    with file.open("w", encoding="utf-8", newline="") as opened:
        for line in corpus(books, size):
            opened.write(line + end)


def processes_of(root: int) -> list[int]:
    """Return the process ``root`` and all that come from it."""
    parents: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # it has ended
                continue
            parents.setdefault(int(fields[1]), []).append(int(folder.name))
    found, waiting = [], [root]
    while waiting:
        each = waiting.pop()
        found.append(each)
        waiting += parents.get(each, [])
    return found


def status_of(process: int) -> dict[str, int]:
    """Return the resident set of ``process`` and its peak, in bytes."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return {}
    return {line.split(":")[0]: int(line.split()[1]) * 1024 for line in lines if line.startswith(("VmRSS:", "VmHWM:"))}


def main() -> int:
    """Make the corpus, measure, and print what that took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("books", nargs="+", type=Path)
    parser.add_argument("--tokenizers", nargs="+", default=["gpt2-mini", "bert-mini"])
    parser.add_argument("--size", type=int, default=1000, help="millions of bytes")
    parser.add_argument("--one-line", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("options", nargs="*", help="further options of the command, behind --")
    separator = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    arguments = parser.parse_args(sys.argv[1:separator])
    more = sys.argv[separator + 1 :]
    with tempfile.TemporaryDirectory(prefix="tokconf-metrics-") as name:
        file = Path(name) / "corpus.txt"
        write_corpus(file, arguments.books, arguments.size * MB, " " if arguments.one_line else "\n")
        command = [sys.executable, "-m", "tokenizer_conformance", "metrics", *arguments.tokenizers]
        command += [
            "--inputs",
            str(file),
            "--jobs",
            str(arguments.jobs),
            "--json",
            str(Path(name) / "record.jsonl"),
            *more,
        ]
        print(f"corpus: {file.stat().st_size / MB:,.1f} MB", flush=True)
        began = time.monotonic()
        running = subprocess.Popen(command, env=os.environ)  # noqa: S603 - our own command
        peak, peaks = 0, dict[int, int]()
        while running.poll() is None:
            found = {each: status_of(each) for each in processes_of(running.pid)}
            peak = max(peak, sum(each.get("VmRSS", 0) for each in found.values()))
            peaks |= {each: status.get("VmHWM", 0) for each, status in found.items() if status.get("VmHWM")}
            time.sleep(0.2)
        seconds = time.monotonic() - began
        speed = f"{file.stat().st_size / MB / seconds:.2f} MB/s" if running.returncode == 0 else "not to its end"
        print(f"{seconds:.1f} s in all, {speed}; exit status {running.returncode}")
        print(f"peak of memory, all processes together: {peak / MB:,.0f} MB")
        print(f"peak of each: {', '.join(f'{each / MB:,.0f} MB' for each in sorted(peaks.values(), reverse=True))}")
        return running.returncode


if __name__ == "__main__":
    sys.exit(main())
