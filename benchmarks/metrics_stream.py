"""How fast `tokconf metrics` goes through a large corpus, and how much memory all its processes take meanwhile.

    python benchmarks/metrics_stream.py BOOK.txt… --tokenizers gpt2-mini bert-mini --size 1000 --jobs 2
    python benchmarks/metrics_stream.py BOOK.txt… --tokenizers gpt2 --size 100 --beside

The corpus is made of the lines of the books, again and again until there are SIZE million bytes, each time with other
words in it: a number is put behind every word that begins with a letter drawn for that round. It is written to a
temporary folder and removed at the end. Memory is the sum of the resident sets of the command and of all processes that
it starts, looked at five times a second in /proc, so Linux; shared pages count in each. The peak of each process alone
(VmHWM) is printed, too. With `--one-line` the corpus is a single line of SIZE million bytes.

With `--beside` a bare loop over `tokenizers`, which reads what the measures need (ids and offsets, and decodes), the
command with one job and the command with two are run one after the other, and printed beside each other: seconds,
seconds of processor time, and what both are beyond those for one line, which is the start and the end of the command.

With `--kill SECONDS` the run is killed (SIGKILL, all its processes) after so long, as soon as there is a checkpoint,
and resumed from that; another one is left alone. The exit status is 1 where the records of the two do not say the same,
times apart, and 2 where the run had ended before it was killed.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MB = 1_000_000

ANOTHER_EACH_TIME = frozenset({"environment", "seconds", "sha256"})
"""The members of a record's lines that say when and how it was made: the last is the digest of all lines."""


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


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run took: seconds, those of processors, bytes of memory of all processes together, and of each.

    ``status`` is how it ended.
    """

    status: int
    seconds: float
    processor: float
    peak: int
    peaks: tuple[int, ...]

    def told(self, size: int) -> str:
        """Return this in words, for a corpus of ``size`` bytes."""
        speed = f"{size / MB / self.seconds:.2f} MB/s" if self.status == 0 else "not to its end"
        each = ", ".join(f"{peak / MB:,.0f} MB" for peak in sorted(self.peaks, reverse=True))
        return (
            f"{self.seconds:.1f} s in all, {speed}, {self.processor:.1f} s of processors; exit status {self.status}\n"
            f"peak of memory, all processes together: {self.peak / MB:,.0f} MB\n"
            f"peak of each: {each}"
        )


def processor_seconds() -> float:
    """Return how long all processes that this one has started, and waited for, used processors."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measured(command: list[str], is_over: Callable[[float], bool] = lambda _: False, output: int | None = None) -> Cost:
    """Run ``command``, which writes to ``output``, and return what that took.

    It is killed, and its processes with it, when ``is_over`` says so of the seconds that it has run.
    """
    began, before = time.monotonic(), processor_seconds()
    running = subprocess.Popen(command, env=os.environ, stdout=output, stderr=output)  # noqa: S603 - our own command
    peak, peaks = 0, dict[int, int]()
    while running.poll() is None:
        processes = processes_of(running.pid)
        found = {each: status_of(each) for each in processes}
        peak = max(peak, sum(each.get("VmRSS", 0) for each in found.values()))
        peaks |= {each: status.get("VmHWM", 0) for each, status in found.items() if status.get("VmHWM")}
        if is_over(time.monotonic() - began):
            for each in processes:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(each, signal.SIGKILL)
            running.wait()
            break
        time.sleep(0.2)
    seconds, processor = time.monotonic() - began, processor_seconds() - before
    return Cost(running.returncode, seconds, processor, peak, tuple(peaks.values()))


BARE = """
import sys
from tokenizers import Tokenizer
for name in sys.argv[2:]:
    tokenizer = Tokenizer.from_file(name)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    batch = []
    def read(batch):
        for encoding in tokenizer.encode_batch(batch, add_special_tokens=False):
            encoding.offsets
            tokenizer.decode(encoding.ids, skip_special_tokens=False)
    with open(sys.argv[1], encoding="utf-8", newline="\\n") as file:
        for line in file:
            batch.append(line.removesuffix("\\n"))
            if len(batch) == 64:
                read(batch)
                batch = []
        read(batch)
"""
"""The bare loop: for each tokenizer, what has to be asked of `tokenizers` for the usual measures, and nothing else."""


def beside(command: list[str], tokenizers: list[str], file: Path, size: int) -> int:
    """Run a bare loop and the ``command`` with one job and with two, and print what each took."""
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    line = file.with_name("line.txt")
    line.write_text("one line\n", encoding="utf-8")
    files = [find_tokenizer(name).file for name in tokenizers]
    ways = {
        "bare loop": ([sys.executable, "-c", BARE], files),
        "1 job": ([*command, "--inputs"], []),
        "2 jobs": ([*command, "--jobs", "2", "--inputs"], []),
    }
    print(
        f"{'':10} {'s':>8} {'cpu s':>8} {'s beyond start':>15} {'cpu s':>8} {'MB per cpu s':>13} {'MB of memory':>13}"
    )
    found: dict[str, tuple[Cost, float, float]] = {}
    for name, (before, after) in ways.items():
        start, whole = (measured([*before, str(of), *after], output=subprocess.DEVNULL) for of in (line, file))
        if start.status or whole.status:
            print(f"{name} ended with {start.status} and {whole.status}")
            return 1
        found[name] = whole, whole.seconds - start.seconds, whole.processor - start.processor
        seconds, processor = found[name][1:]
        told = f"{whole.seconds:8.1f} {whole.processor:8.1f} {seconds:15.1f} {processor:8.1f}"
        print(f"{name:10} {told} {size / MB / processor:13.2f} {whole.peak / MB:13,.0f}", flush=True)
    (_, _, bare), (_, one, of_one), (_, two, of_two) = found.values()
    print(f"1 job is {bare / of_one:.2f} times as fast as the bare loop (processor time beyond the start)")
    print(f"2 jobs are {one / two:.2f} times as fast as 1 (beyond the start), and take {of_two / of_one:.2f} times the")
    print("processor time: where nobody else uses two processors, they are twice as fast but for that")
    return 0


def lasting(record: Path) -> list[dict[str, Any]]:
    """Return the lines of ``record`` without what is another at each run: the command, the times, and their digest."""
    lines = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    return [{key: value for key, value in line.items() if key not in ANOTHER_EACH_TIME} for line in lines]


def killed_and_resumed(command: list[str], folder: Path, size: int, seconds: float) -> int:
    """Kill a run of ``command``, resume it, and compare it with one that nothing disturbed.

    It is killed after ``seconds``, but not before there is a checkpoint.
    Return 0 where both come to the same, 1 where they do not, and 2 where the run had ended before it was killed.
    """
    record, whole = folder / "record.jsonl", folder / "whole.jsonl"
    checkpoint = Path(f"{record}.checkpoint")
    begun = [*command, "--json", str(record), "--checkpoint-every", "0"]
    killed = measured(begun, lambda passed: passed >= seconds and checkpoint.exists())
    if killed.status != -signal.SIGKILL:
        print(f"the run ended by itself within {killed.seconds:.1f} s, exit status {killed.status}")
        return 2
    print(f"killed after {killed.seconds:.1f} s; checkpoint of {checkpoint.stat().st_size / MB:.2f} MB", flush=True)
    resumed = measured([*command, "--json", str(record), "--resume"])
    print(f"resumed: {resumed.told(size)}", flush=True)
    undisturbed = measured([*command, "--json", str(whole)])
    print(f"undisturbed: {undisturbed.told(size)}")
    if resumed.status or undisturbed.status:
        return 1
    ours, theirs = lasting(record), lasting(whole)
    differing = sum(one != other for one, other in zip_longest(ours, theirs))
    print(f"{len(theirs):,} lines of the record compared: {differing:,} differ")
    return int(differing > 0)


def main() -> int:
    """Make the corpus, measure, and print what that took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("books", nargs="+", type=Path)
    parser.add_argument("--tokenizers", nargs="+", default=["gpt2-mini", "bert-mini"])
    parser.add_argument("--size", type=int, default=1000, help="millions of bytes")
    parser.add_argument("--one-line", action="store_true", help="no line ends: a single line of that size")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--kill", type=float, metavar="SECONDS", help="kill the run after so long, and resume it")
    parser.add_argument("--beside", action="store_true", help="a bare loop, one job and two, side by side")
    parser.add_argument("options", nargs="*", help="further options of the command, behind --")
    separator = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    given = parser.parse_args(sys.argv[1:separator])
    with tempfile.TemporaryDirectory(prefix="tokconf-metrics-") as name:
        folder = Path(name)
        file = folder / "corpus.txt"
        write_corpus(file, given.books, given.size * MB, " " if given.one_line else "\n")
        size = file.stat().st_size
        command = [sys.executable, "-m", "tokenizer_conformance", "metrics", *given.tokenizers]
        command += sys.argv[separator + 1 :]
        print(f"corpus: {size / MB:,.1f} MB", flush=True)
        if given.beside:
            return beside([*command, "--json", str(folder / "record.jsonl"), "--force"], given.tokenizers, file, size)
        command += ["--inputs", str(file), "--jobs", str(given.jobs)]
        if given.kill is not None:
            return killed_and_resumed(command, folder, size, given.kill)
        cost = measured([*command, "--json", str(folder / "record.jsonl")])
        print(cost.told(size))
        return cost.status


if __name__ == "__main__":
    sys.exit(main())
