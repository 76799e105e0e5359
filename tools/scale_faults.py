"""Do to runs over a corpus what happens to long ones, and say how each ended and what is in its record.

    python tools/scale_faults.py BOOK.txt… [-k WORD] [--record FILE] [--size MB] [--line MB] [--findings N]

A worker, a whole command, a node and the head of a Ray cluster are killed; the disk is full; a row group of Parquet and
a text are broken; a line is of 50 MB; the corpus changes meanwhile; a store answers late, with errors, or not to the
end; a part is merged twice; very many inputs differ. Each is done to ``run`` and to ``metrics``. What was cut short is
continued with ``--resume``, and its record compared with that of a run that nobody disturbed, times apart. Printed is
what came of each, and the record gets it; what was ended goes on where it was. The exit status is 1 where anything was
counted twice or lost, or a traceback was printed. Needs ``/proc``, so Linux; a disk of its own is made by ``mount``
where that is allowed, else files are limited in size. Without Ray nothing is done to it.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import pyarrow.parquet

sys.path.append(str(Path(__file__).resolve().parents[1] / "benchmarks"))

from metrics_stream import MB, processes_of
from published import machine
from scale_corpus import texts, write_lines, write_parquet
from small_cluster import SmallCluster

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Words = list[str]

COMMANDS: dict[str, Words] = {
    "run": [
        *("run", "gpt2-mini", "-i", "tokenizers", "reference", "--stage", "model", "--no-builtin", "--no-known"),
        *("--cause-time", "0"),
    ],
    "metrics": ["metrics", "gpt2-mini", "--checkpoint-every", "0"],
}

MEMORY = 8_000 * MB
"""How much memory a process may have; a machine without such a limit would kill it."""

DISK = 4096
"""How large the full disk is: less than any record."""

ON_RAY = ("--engine", "ray")

LONGEST_SHOWN = 400

ANOTHER = "continued: another record than that of the whole"

NOT_COMPARED = frozenset({"environment", "seconds", "baseline_seconds", "sha256", "lines", "merged", "shard"})
TOLD_AS_IT_GOES = frozenset({"failing", "checkpoint", "resumed", "loaded"})
"""Lines that come as a run goes on; what they say stands in later ones, too, but for when."""

WRONG = """
import tokenizers


class Wrong:
    adds_special_tokens = False

    def __init__(self, file):
        self.tokenizer = tokenizers.Tokenizer.from_file(file)

    def encode(self, text):
        return [id + 1 for id in self.tokenizer.encode(text, add_special_tokens=False).ids]
"""


# Running -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended, and what it said."""

    status: int
    said: str

    def told(self, folder: Path) -> str:
        """Return what it said, in one line, without the folder in which all takes place."""
        said = re.sub(
            rf"{re.escape(str(folder))}/(?:tmp\w+/)?", "", " / ".join(dict.fromkeys(self.said.strip().splitlines()))
        )
        return said if len(said) <= LONGEST_SHOWN else f"{said[:LONGEST_SHOWN]}…"


@dataclass(frozen=True, slots=True)
class Run:
    """A command on a corpus, with its record in ``folder``."""

    folder: Path
    words: Words

    @property
    def record(self) -> Path:
        """Where its record is."""
        return self.folder / "record.jsonl"

    def start(self, *more: str, largest_file: int | None = None) -> subprocess.Popen[bytes]:
        """Start the command."""

        def limited() -> None:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            if largest_file is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))

        command = [sys.executable, "-m", "tokenizer_conformance", *self.words, "--json", str(self.record), *more]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join([".", os.environ.get("PYTHONPATH", "")])}
        return subprocess.Popen(
            [*command, "--quiet"],
            cwd=self.folder.parent,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            preexec_fn=limited,  # noqa: PLW1509 - no threads that hold locks
        )

    def ended(self, *more: str, largest_file: int | None = None) -> Ended:
        """Run the command to its end."""
        return told_by(self.start(*more, largest_file=largest_file))


def told_by(process: subprocess.Popen[bytes]) -> Ended:
    """Wait for a process, and return how it ended."""
    _, said = process.communicate()
    return Ended(process.returncode, said.decode("utf-8", "replace"))


# What is in a record -------------------------------------------------------------------------------------------------


def counted(record: Path) -> int:
    """Return how much a record counts: inputs of a run, bytes of texts that were measured."""
    for line in reversed(_lines(record)):
        for name in ("bytes", "inputs"):
            if isinstance(line.get(name), int):
                return int(line[name])
    return 0


def _lines(record: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for line in record.read_bytes().splitlines() if record.exists() else ():
        with suppress(ValueError):  # the last one may be cut
            found.append(json.loads(line))
    return found


def lasting(value: Any) -> Any:
    """Return what a record says, without when and how it came about."""
    match value:
        case dict():
            return {key: lasting(each) for key, each in value.items() if key not in NOT_COMPARED}
        case list():
            return [lasting(each) for each in value]
    return value


def is_same(one: Path, other: Path) -> bool:
    """Return whether two records say the same."""
    return bool(lasting(_told_in_the_end(one)) == lasting(_told_in_the_end(other)))


def _told_in_the_end(record: Path) -> list[dict[str, Any]]:
    """Return what a record says; where it was continued, without the end that it had before."""
    found: list[dict[str, Any]] = []
    for line in _lines(record):
        if line["type"] == "resumed":
            found = [each for each in found if each["type"] != "footer" and each.get("complete", True)]
        elif line["type"] not in TOLD_AS_IT_GOES:
            found.append(line)
    return found


# What is done --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Given:
    """The corpus and its sizes: texts of ``books``; how many MB, how long the long line is, how many inputs differ."""

    folder: Path
    books: tuple[Path, ...]
    size: float
    line: float
    findings: int

    def texts(self) -> list[str]:
        """Return the texts of the corpus."""
        return list(texts(list(self.books), int(self.size * MB), 0, (1, 2000)))

    def amount(self, command: str, *more: str) -> int:
        """Return how much a record of ``command`` counts of the corpus and ``more`` texts."""
        rows = [*self.texts(), *more]
        return len(rows) if command == "run" else sum(len(row.encode()) for row in rows)

    def corpus(self) -> Path:
        """Return the corpus as a file."""
        file = self.folder / "corpus.txt"
        if not file.exists():
            write_lines(file, iter(self.texts()))
        return file

    def run(self, command: str, inputs: str | Path) -> Run:
        """Return a run of a command on inputs, in a folder of its own."""
        return Run(Path(tempfile.mkdtemp(dir=self.folder)), [*COMMANDS[command], "--inputs", str(inputs)])


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a fault: how the command ended, how much of all its record counts, what it was then."""

    ended: Ended
    counted: int
    of: int
    afterwards: str = ""

    @property
    def wrong(self) -> str:
        """What is wrong about it, if anything is."""
        wrong = ["counted twice"] if self.counted > self.of else []
        wrong += ["a traceback"] if "Traceback" in self.ended.said else []
        wrong += ["lost"] if self.afterwards == ANOTHER else []
        return ", ".join(wrong)

    def row(self, done: str, command: str, folder: Path) -> dict[str, str]:
        """Return what is told of it."""
        return {
            "what was done": done,
            "command": f"`{command}`",
            "exit status": str(self.ended.status),
            "what it said": self.ended.told(folder),
            "counted": f"{self.counted:,} of {self.of:,}",
            "afterwards": self.afterwards,
            "wrong": self.wrong,
        }


def continued(run: Run, whole: Path, *more: str) -> str:
    """Continue a run, and say whether its record is that of a ``whole`` one."""
    if is_same(run.record, whole):
        return "the record of the whole"
    ended = run.ended("--resume", *more)
    if ended.status not in (0, 1):
        return f"continued: exit status {ended.status}: {ended.told(run.folder.parent)}"
    return "continued: the record of the whole" if is_same(run.record, whole) else ANOTHER


def killed(choose: Callable[[list[int]], int], jobs: str, given: Given, command: str) -> Result:
    """Kill a process of a run when it is about half done, and continue it."""
    whole = given.run(command, given.corpus())
    work = _ended_after(whole.start("--jobs", jobs))
    run = given.run(command, given.corpus())
    running = half_done(run.start("--jobs", jobs), work)
    os.kill(choose(processes_of(running.pid)), signal.SIGKILL)
    ended = told_by(running)
    found = counted(run.record)
    return Result(ended, found, given.amount(command), continued(run, whole.record, "--jobs", jobs))


def on_ray(lose: Callable[[SmallCluster], None], given: Given, command: str) -> Result:
    """Lose a part of a Ray cluster when a run there is about half done, and continue on another one."""
    whole = given.run(command, given.corpus())
    run = given.run(command, given.corpus())
    with a_cluster() as cluster:
        began = time.monotonic()
        whole.ended(*ON_RAY)
        seconds = time.monotonic() - began
        running = run.start(*ON_RAY)
        time.sleep(seconds / 2)
        lose(cluster)
        ended = told_by(running)
    with a_cluster():
        return Result(ended, counted(run.record), given.amount(command), continued(run, whole.record, *ON_RAY))


@contextmanager
def a_cluster() -> Iterator[SmallCluster]:
    """Have a Ray cluster, which commands join."""
    with SmallCluster() as cluster:
        os.environ["RAY_ADDRESS"] = cluster.address
        yield cluster


def changed(given: Given, command: str) -> Result:
    """Add a line to the corpus when a run over it is about half done."""
    file = given.folder / f"changed-{command}.txt"
    file.write_bytes(given.corpus().read_bytes())
    run = given.run(command, file)
    work = _ended_after(run.start())
    running = half_done(run.start("--force"), work)
    with file.open("ab") as opened:
        opened.write(b"one more\n")
    return Result(told_by(running), counted(run.record), given.amount(command, "one more"))


def half_done(process: subprocess.Popen[bytes], work: int) -> subprocess.Popen[bytes]:
    """Wait until a command has done half of all ``work``, and return it."""
    while _work(process.pid) < work / 2 and process.poll() is None:
        time.sleep(0.05)
    return process


def _ended_after(process: subprocess.Popen[bytes]) -> int:
    """Wait for a command, and return how much it and its processes worked while they lived."""
    work = 0
    waiting = threading.Thread(target=process.communicate)
    waiting.start()
    while waiting.is_alive():
        work = max(work, _work(process.pid))
        waiting.join(0.05)
    return work


def _work(process: int) -> int:
    return sum(map(_ticks, processes_of(process)))


def busiest(processes: list[int]) -> int:
    """Return the process that has worked most, of all but the first."""
    return max(processes[1:], key=_ticks)


def _ticks(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11])
    except OSError:
        return 0


@contextmanager
def small_disk(folder: Path) -> Iterator[Callable[[], object] | None]:
    """Have a disk of :data:`DISK` bytes at ``folder``; yield what makes it larger, ``None`` where it cannot be had."""
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        yield None
        return
    try:
        yield partial(subprocess.check_call, ["mount", "-o", "remount,size=64M", str(folder)])
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def full_disk(given: Given, command: str) -> Result:
    """Have the record's disk fill up, give it room, and continue."""
    whole = given.run(command, given.corpus())
    whole.ended()
    run = given.run(command, given.corpus())
    with small_disk(run.folder) as enlarge:
        ended = run.ended(largest_file=None if enlarge else DISK)
        found = counted(run.record)
        if enlarge:
            enlarge()
        return Result(ended, found, given.amount(command), continued(run, whole.record))


def unreadable(make: Callable[[Given], Path], given: Given, command: str) -> Result:
    """Run on a file that cannot be read to its end."""
    run = given.run(command, make(given))
    return Result(run.ended(), counted(run.record), given.amount(command))


def corrupt_parquet(given: Given) -> Path:
    """Return a file of Parquet in which the data of a row group in the middle are no data."""
    file = given.folder / "corrupt.parquet"
    if not file.exists():
        write_parquet(file, iter(given.texts()), len(given.texts()) // 5)
        metadata = pyarrow.parquet.read_metadata(file)
        column = metadata.row_group(metadata.num_row_groups // 2).column(0)
        with file.open("r+b") as opened:
            opened.seek((column.dictionary_page_offset or column.data_page_offset) + 64)
            opened.write(b"\xff" * (column.total_compressed_size - 128))
    return file


def broken_utf8(given: Given) -> Path:
    """Return a file with a byte in its middle that is no UTF-8."""
    file = given.folder / "broken.txt"
    lines = [text.encode() for text in given.texts()]
    lines[len(lines) // 2] = b"caf\xe9"
    file.write_bytes(b"\n".join(lines))
    return file


def long_line(given: Given, command: str) -> Result:
    """Run on a file with one very long line."""
    file = given.folder / "long.txt"
    rows = given.texts()
    long = " ".join(rows * int(given.line / given.size + 1))[: int(given.line * MB)]
    write_lines(file, iter([*rows, long, *rows]))
    run = given.run(command, file)
    return Result(run.ended(), counted(run.record), given.amount(command, long, *rows))


# A store -------------------------------------------------------------------------------------------------------------


class Store(BaseHTTPRequestHandler):
    """Serves one file, by ranges where that is asked for; ``trouble`` says what is wrong with it."""

    content: ClassVar[bytes] = b""
    trouble: ClassVar[str] = ""
    asked: ClassVar[int] = 0

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_HEAD(self) -> None:
        """Say how large the file is."""
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.content)))
        self.send_header("Accept-Ranges", "bytes")
        self.end_headers()

    def do_GET(self) -> None:
        """Send the file, or a range of it, as the trouble wants."""
        type(self).asked += 1
        if self.trouble == "slow":
            time.sleep(0.5)
        if self.trouble == "errors" and self.asked % 3 == 2:
            self.send_error(503)
            return
        first, last = self._range()
        part = self.content[first : last + 1]
        self.send_response(206 if "Range" in self.headers else 200)
        self.send_header("Content-Length", str(len(part)))
        self.send_header("Content-Range", f"bytes {first}-{first + len(part) - 1}/{len(self.content)}")
        self.end_headers()
        self.wfile.write(part[: len(part) // 2] if self.trouble == "cut short" else part)

    def _range(self) -> tuple[int, int]:
        _, _, asked = self.headers.get("Range", f"bytes=0-{len(self.content)}").partition("=")
        first, _, last = asked.partition("-")
        return int(first), int(last or len(self.content))


def from_store(trouble: str, given: Given, command: str) -> Result:
    """Run on a file of a store that has a trouble."""
    handler = type("Handler", (Store,), {"content": given.corpus().read_bytes(), "trouble": trouble})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        run = given.run(command, f"http://127.0.0.1:{server.server_port}/corpus.txt")
        ended = run.ended()
        server.shutdown()
    return Result(ended, counted(run.record), given.amount(command))


# Parts and findings --------------------------------------------------------------------------------------------------


def merged_twice(given: Given, command: str) -> Result:
    """Merge two parts, one of them twice: as another file with the same content."""
    parts = [given.run(command, given.corpus()) for _ in range(2)]
    for number, part in enumerate(parts, 1):
        ended = part.ended("--shard", f"{number}/2")
        if ended.status not in (0, 1):
            return Result(ended, 0, given.amount(command), "there are no parts")
    copy = parts[0].folder / "copy.jsonl"
    copy.write_bytes(parts[0].record.read_bytes())
    merge = Run(
        Path(tempfile.mkdtemp(dir=given.folder)), ["merge", *map(str, [*(part.record for part in parts), copy])]
    )
    return Result(merge.ended(), counted(merge.record), given.amount(command))


def many_findings(given: Given, command: str) -> Result:
    """Run an implementation that is wrong about every one of very many texts."""
    file = given.folder / "different.txt"
    write_lines(file, (f"text {number} of {number * 7919 % 10007}" for number in range(given.findings)))
    (given.folder / "wrong_ids.py").write_text(WRONG, encoding="utf-8")
    run = given.run(command, file)
    others = {"gpt2-mini": "wordlevel-mini", "reference": "wrong_ids:Wrong"}
    run = replace(run, words=[others.get(word, word) for word in run.words])
    ended = run.ended("--in-process", "all")
    size = run.record.stat().st_size / MB
    return Result(ended, counted(run.record), given.findings, f"record of {size:.1f} MB")


BOTH = ("run", "metrics")

WITH_RAY = BOTH if importlib.util.find_spec("ray") else ()
"""Without Ray nothing of it can be lost."""

FAULTS: dict[str, tuple[Callable[[Given, str], Result], tuple[str, ...]]] = {
    "a worker of two killed": (partial(killed, busiest, "2"), BOTH),
    "the command killed": (partial(killed, itemgetter(0), "1"), BOTH),
    "a Ray node of two killed": (partial(on_ray, SmallCluster.remove), WITH_RAY),
    "the head of a Ray cluster killed": (partial(on_ray, SmallCluster.behead), WITH_RAY),
    "disk full": (full_disk, BOTH),
    "a corrupt row group of Parquet": (partial(unreadable, corrupt_parquet), BOTH),
    "broken UTF-8 in the middle": (partial(unreadable, broken_utf8), BOTH),
    "a very long line": (long_line, BOTH),
    "the corpus changes meanwhile": (changed, BOTH),
    "a store answers late": (partial(from_store, "slow"), BOTH),
    "a store answers with errors now and then": (partial(from_store, "errors"), BOTH),
    "a store does not answer to the end": (partial(from_store, "cut short"), BOTH),
    "a part merged twice": (merged_twice, BOTH),
    "very many inputs differ": (many_findings, ("run",)),
}


def main() -> int:
    """Do all that is wanted, print what came of it, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("books", type=Path, nargs="+")
    parser.add_argument("-k", dest="wanted", default="", help="only faults that have this in their name")
    parser.add_argument("--size", type=float, default=8, help="million bytes of the corpus")
    parser.add_argument("--line", type=float, default=50, help="how long that is, in million characters")
    parser.add_argument("--findings", type=int, default=1_000_000, help="how many inputs differ")
    machine.add_options(parser, "scale-faults")
    asked = parser.parse_args()
    record = machine.begun(asked, "scale_faults")
    before = {(row["what was done"], row["command"]) for row in record.lines}
    with tempfile.TemporaryDirectory() as name:
        given = Given(Path(name), tuple(book.resolve() for book in asked.books), asked.size, asked.line, asked.findings)
        for done, (fault, commands) in FAULTS.items():
            for command in commands if asked.wanted in done else ():
                if (done, f"`{command}`") not in before:
                    row = fault(given, command).row(done, command, given.folder)
                    record.add(row)
                    print("\n".join(f"{key}: {value}" for key, value in row.items()), end="\n\n", flush=True)
    record.finish()
    return int(any(row["wrong"] for row in record.lines))


if __name__ == "__main__":
    sys.exit(main())
