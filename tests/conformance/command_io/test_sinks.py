"""What reports are written to: whole lines or nothing, whole files or nothing, and one process at a time."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tokenizer_conformance.command_io import sinks
from tokenizer_conformance.command_io.sinks import GrowingFile, LockedError, WholeFile

if TYPE_CHECKING:
    from pathlib import Path

LINES = [b"a" * 10 + b"\n", b"b" * 20 + b"\n", b"c\n", b"d" * 15 + b"\n"]


def disk_of(size: int, monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    """Let ``file`` grow to ``size`` bytes, at most seven at a time."""
    system_write = os.write

    def write(descriptor: int, data: bytes) -> int:
        room = min(7, size - file.stat().st_size)
        if room <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return system_write(descriptor, bytes(data[:room]))

    monkeypatch.setattr(sinks.os, "write", write)


@pytest.mark.parametrize("size", range(0, sum(map(len, LINES)) + 1, 3))
def test_a_full_disk_leaves_whole_lines_which_are_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    path = tmp_path / "record"
    whole = b"".join(LINES)
    sink = GrowingFile(path)
    with monkeypatch.context() as full:
        disk_of(size, full, path)
        written = 0
        while written < len(LINES):
            try:
                sink.write(LINES[written])
            except OSError:
                break
            written += 1
    sink.close()
    left = path.read_bytes()
    assert left == b"".join(LINES[:written])
    assert len(left) <= size < len(left) + len(LINES[written]) if written < len(LINES) else left == whole
    again = GrowingFile(path)
    again.keep(len(left))
    for line in LINES[written:]:
        again.write(line)
    again.close()
    assert path.read_bytes() == whole


def test_half_a_line_at_the_end_is_cut_off_when_the_record_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "record"
    path.write_bytes(b"one\ntwo\nthr")
    sink = GrowingFile(path)
    assert (sink.head(), sink.last_line()) == (b"one\ntwo\nthr", b"thr")
    sink.keep(8)
    sink.write(b"3\n")
    sink.close()
    assert path.read_bytes() == b"one\ntwo\n3\n"


@pytest.mark.parametrize(
    ("content", "last"),
    [
        (b"", b""),
        (b"one", b"one"),
        (b"one\n", b"one\n"),
        (b"one\ntwo\n", b"two\n"),
        (b"one\n\n", b"\n"),
        (b"one\n" + b"x" * (sinks.END - 1) + b"\n", b"x" * (sinks.END - 1) + b"\n"),
        (b"one\n" + b"x" * (3 * sinks.END) + b"\n", b"x" * (3 * sinks.END) + b"\n"),
        (b"one\n" + b"x" * (3 * sinks.END), b"x" * (3 * sinks.END)),
        (b"x" * (sinks.END - 1) + b"\n" + b"y", b"y"),
        (b"x" * (sinks.END - 1) + b"\n\n", b"\n"),
        (b"x" * sinks.END + b"\n", b"x" * sinks.END + b"\n"),
    ],
    ids=[
        "empty",
        "cut off",
        "a line",
        "two lines",
        "an empty line",
        "a block",
        "some blocks",
        "blocks cut off",
        "behind a block",
        "an empty line behind a block",
        "a block and its end",
    ],
)
def test_the_last_line_has_any_length(tmp_path: Path, content: bytes, last: bytes) -> None:
    path = tmp_path / "record"
    path.write_bytes(content)
    sink = GrowingFile(path)
    assert sink.last_line() == last
    sink.close()


def test_a_file_that_cannot_be_replaced_whole_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "report"
    path.write_bytes(b"old")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(sinks.os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        WholeFile(path).write(b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_with_a_long_name_can_be_replaced(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)
    WholeFile(path).write(b"new")
    assert path.read_bytes() == b"new"


def test_a_record_in_the_way_of_another_that_has_just_been_removed_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between opening and locking a file, the run that made it may end and remove it."""
    path = tmp_path / "record"
    lock = sinks._lock
    raced: list[int] = []

    def late(descriptor: int) -> None:
        if not raced:
            path.unlink()
        raced.append(descriptor)
        lock(descriptor)

    path.touch()
    monkeypatch.setattr(sinks, "_lock", late)
    sink = GrowingFile(path)
    sink.write(b"line\n")
    sink.close()
    assert len(raced) == 2
    assert path.read_bytes() == b"line\n"


HOLDER = """
import sys, time
from pathlib import Path
from tokenizer_conformance.command_io.sinks import GrowingFile
sink = GrowingFile(Path(sys.argv[1]))
sink.write(b"line\\n")
print("held", flush=True)
time.sleep(600)
"""


def test_the_lock_ends_with_the_process_that_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "record"
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(LockedError):
            GrowingFile(path)
        holder.send_signal(signal.SIGKILL)
    sink = GrowingFile(path)
    sink.keep(5)
    sink.write(b"next\n")
    sink.close()
    assert path.read_bytes() == b"line\nnext\n"


def test_a_file_system_without_locks_is_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unsupported(*_: object) -> None:
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))

    monkeypatch.setattr(sinks.fcntl, "flock", unsupported)
    sink = GrowingFile(tmp_path / "record")
    sink.write(b"line\n")
    sink.close()
    assert (tmp_path / "record").read_bytes() == b"line\n"


WITHOUT_FCNTL = """
import sys
from pathlib import Path
import tempfile
sys.platform, sys.modules["fcntl"] = "win32", None
from tokenizer_conformance.command_io import sinks
sink = sinks.GrowingFile(Path(sys.argv[1]))
sink.write(b"line\\n")
sink.close()
"""


def test_where_the_system_has_no_such_lock_a_record_is_written_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "record"
    subprocess.run([sys.executable, "-c", WITHOUT_FCNTL, str(path)], check=True)
    assert path.read_bytes() == b"line\n"
