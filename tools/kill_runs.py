"""Kills runs of ``tokconf`` at random moments, and looks at what each leaves behind.

    python tools/kill_runs.py 1000 --seed 1

Each run compares two bundled tokenizers in workers, writes a record and a report, and gets SIGTERM, SIGINT or SIGKILL
at a moment drawn from its whole life, its start included. Then nothing of it may be alive two seconds later, it has
printed no traceback and has ended with the right status, and the same command with ``--resume`` gives the result of
a run that nobody disturbed. The counts are printed; the exit status is 1 where anything was wrong. Needs ``/proc``, so
Linux.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMMAND = (
    *(sys.executable, "-m", "tokenizer_conformance", "run", "bert-mini", "gpt2-mini", "-k", "co"),
    *(
        "-i",
        "reference",
        "tokenizers",
        "--isolate",
        "all",
        "--json",
        "record.jsonl",
        "--markdown",
        "report.md",
        "--resume",
    ),
)
MARK = "TOKCONF_KILLED_RUN"
"""The environment variable that marks the processes of a run; they inherit it."""

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGKILL)
INTERRUPTED = 130
SURVIVAL_SECONDS = 2.0
PATIENCE_SECONDS = 60.0
TIMES = frozenset({"seconds", "baseline_seconds"})


@dataclass(frozen=True)
class Undisturbed:
    """A run that nobody disturbed: its status, what it found, and how long it took."""

    status: int
    found: list[Any]
    seconds: float


@dataclass(frozen=True)
class Killed:
    """A run that was killed: by what, after how many seconds, how far it had come, and what was wrong about it."""

    number: int
    signal: signal.Signals
    seconds: float
    stage: str
    wrong: tuple[str, ...]


def undisturbed(folder: Path, jobs: int) -> Undisturbed:
    """Run the command once for its files to be read from the disk, and then ``jobs`` times at once to be measured."""
    _finished(_folder(folder, "first"))
    places = [_folder(folder, f"undisturbed {number}") for number in range(jobs)]
    began = time.monotonic()
    with ThreadPoolExecutor(jobs) as threads:
        status, *_ = threads.map(_finished, places)
    return Undisturbed(status, found_in(places[0] / "record.jsonl"), time.monotonic() - began)


def _folder(parent: Path, name: str) -> Path:
    folder = parent / name
    folder.mkdir()
    return folder


def kill_one(number: int, seed: int, folder: Path, expected: Undisturbed) -> Killed:
    """Start a run, kill it, and look at what it leaves."""
    rng = random.Random(f"{seed}:{number}")
    place = _folder(folder, str(number))
    mark = uuid.uuid4().hex
    chosen, moment = rng.choice(SIGNALS), rng.uniform(0, expected.seconds)
    process = subprocess.Popen(
        COMMAND,
        cwd=place,
        env=os.environ | {MARK: mark},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    time.sleep(moment)
    stage = _stage(process.pid, place)
    process.send_signal(chosen)
    for _ in range(rng.randint(0, 2) if chosen != signal.SIGKILL else 0):  # people are impatient
        time.sleep(rng.uniform(0, 0.05))
        process.send_signal(chosen)
    wrong = []
    try:
        _, err = process.communicate(timeout=PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        _, err = process.communicate()
        wrong.append(f"not ended after {PATIENCE_SECONDS:g} s")
    wrong += _wrong_end(process.returncode, err.decode("utf-8", "replace"), chosen, stage, expected)
    survivors = _survivors(mark)
    wrong += [f"alive {SURVIVAL_SECONDS:g} s later: {survivor}" for survivor in survivors]
    wrong += _wrong_files(place, expected)
    return Killed(number, chosen, moment, stage, tuple(wrong))


def _finished(place: Path) -> int:
    return subprocess.run(
        COMMAND, cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, timeout=600
    ).returncode


# What a run leaves ---------------------------------------------------------------------------------------------------


def _stage(process: int, place: Path) -> str:
    """Say how far a run has come: whether it hears signals, and what stands in its record."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:
        return "over"
    caught = int(next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt:")), 16)
    if not caught >> (signal.SIGTERM - 1) & 1:
        ignored = int(next(line.split()[1] for line in status.splitlines() if line.startswith("SigIgn:")), 16)
        return "over" if ignored >> (signal.SIGTERM - 1) & 1 else "interpreter starts"
    record = place / "record.jsonl"
    return "at work" if record.exists() and record.stat().st_size else "starting"


def _wrong_end(status: int, err: str, chosen: signal.Signals, stage: str, expected: Undisturbed) -> list[str]:
    if stage == "interpreter starts":  # nothing of ours is imported: Python says what it likes
        return []
    wrong = []
    if "Traceback" in err or "Exception ignored" in err:
        wrong.append(f"traceback: {err[-1500:]}")
    allowed = {-signal.SIGKILL} if chosen == signal.SIGKILL else {INTERRUPTED}
    if status not in {*allowed, expected.status}:
        wrong.append(f"status {status}: {err[-500:]}")
    return wrong


def _survivors(mark: str) -> list[str]:
    deadline = time.monotonic() + SURVIVAL_SECONDS
    while (alive := _marked(mark)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return alive


def _marked(mark: str) -> list[str]:
    """Return the commands of the processes that are marked."""
    found = []
    wanted = f"{MARK}={mark}".encode()
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                if wanted in (folder / "environ").read_bytes().split(b"\0"):
                    found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace"))
            except OSError:  # it has ended, or is not ours
                continue
    return found


def _wrong_files(place: Path, expected: Undisturbed) -> list[str]:
    status = _finished(place)
    if status != expected.status:
        return [f"resumed with status {status}"]
    if found_in(place / "record.jsonl") != expected.found:
        return ["resumed, it finds something else"]
    left = sorted(path.name for path in place.iterdir())
    # What a SIGKILL comes upon over the writing of the report is left beside it, and nothing else.
    return [f"left behind: {name}" for name in left if name not in {"record.jsonl", "report.md"}]


def found_in(record: Path) -> list[Any]:
    """Return the last result of each tokenizer in ``record``, without times."""
    lines = map(json.loads, record.read_text(encoding="ascii").splitlines())
    return [*{line["tokenizer"]: _timeless(line) for line in lines if line["type"] == "tokenizer"}.values()]


def _timeless(value: Any) -> Any:
    match value:
        case dict():
            return {key: _timeless(each) for key, each in value.items() if key not in TIMES}
        case list():
            return [_timeless(each) for each in value]
    return value


# The command ---------------------------------------------------------------------------------------------------------


def kill_runs(count: int, seed: int, jobs: int, folder: Path) -> list[Killed]:
    """Kill ``count`` runs, ``jobs`` at a time, and print each that leaves something wrong."""
    # A shell has what it starts in the background ignore SIGINT, and a child inherits that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    expected = undisturbed(folder, jobs)
    print(
        f"a run that nobody disturbs takes {expected.seconds:.2f} s and ends with status {expected.status}", flush=True
    )
    with ThreadPoolExecutor(jobs) as threads:
        done = []
        for killed in threads.map(lambda number: kill_one(number, seed, folder, expected), range(count)):
            done.append(killed)
            for wrong in killed.wrong:
                print(
                    f"{killed.number}: {killed.signal.name} after {killed.seconds:.3f} s, {killed.stage}: {wrong}",
                    flush=True,
                )
            if len(done) % 25 == 0:
                print(f"{len(done)} killed, {sum(bool(each.wrong) for each in done)} left something wrong", flush=True)
    return done


def main() -> int:
    """Kill runs, print the counts, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, nargs="?", default=1000, help="how many runs to kill")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        done = kill_runs(arguments.count, arguments.seed, arguments.jobs, Path(folder))
    for (name, stage), number in sorted(Counter((killed.signal.name, killed.stage) for killed in done).items()):
        print(f"{name:<8} {stage:<18} {number:>5}")
    faulty = [killed for killed in done if killed.wrong]
    print(f"{len(done)} killed, {len(faulty)} left something wrong")
    return 1 if faulty else 0


if __name__ == "__main__":
    sys.exit(main())
