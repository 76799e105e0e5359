"""What a report is written to: a file that grows by whole lines, a file that is replaced whole, or a stream.

A record is never left with half a line in it unless it was killed over its last one: what cannot be written to the end
is taken back. While a file grows it is locked, so that no second command writes to it. The lock is the system's
(``flock``) and ends with the process, however that ends. Where there is no ``flock`` (on Windows, on some network file
systems) two commands that are given one file are not kept apart.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from typing import BinaryIO

with contextlib.suppress(ImportError):  # only on POSIX systems
    import fcntl

END = 1 << 16
"""How many bytes at either end of a file tell what report it is, if it is one."""


class Sink(Protocol):
    """Where a report is written."""

    def keep(self, size: int) -> None:
        """Go on after the first ``size`` bytes of what is there. Raises ``OSError`` where nothing can be kept."""

    def write(self, data: bytes) -> None:
        """Write ``data``. Raises ``OSError``."""

    def close(self) -> None:
        """Write no more. Raises ``OSError``."""


class LockedError(OSError):
    """Another process is writing to the file."""


class GrowingFile:
    """A regular file at ``path`` that is written piece by piece; each ``write`` adds all of its data, or nothing.

    What was there stays until the first ``write``. A file that was made here and never written to is removed at the
    end. Opening raises ``OSError``, :class:`LockedError` where another process writes to the file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor, self._is_new = _locked(path)
        self._size = 0
        self._is_begun = False

    def head(self) -> bytes:
        """Return how the file begins: its first :data:`END` bytes. Raises ``OSError``."""
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        return os.read(self._descriptor, END)

    def beginning(self, size: int) -> bytes:
        """Return the first ``size`` bytes of the file. Raises ``OSError``."""
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        parts: list[bytes] = []
        while size > 0 and (part := os.read(self._descriptor, min(size, END))):
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def last_line(self) -> bytes:
        """Return the last line with the end of it that it has, whatever its length. Raises ``OSError``."""
        end = os.fstat(self._descriptor).st_size
        parts: list[bytes] = []
        for begin in range((end - 1) // END * END, -1, -END):
            os.lseek(self._descriptor, begin, os.SEEK_SET)
            part = os.read(self._descriptor, min(END, end - begin))
            # The last byte of the file ends the line, if it is a line end.
            place = part.rfind(b"\n", 0, None if parts else len(part) - 1)
            parts.append(part[place + 1 :])
            if place >= 0:
                break
        return b"".join(reversed(parts))

    def keep(self, size: int) -> None:
        """Go on after the first ``size`` bytes of what is there."""
        self._size = size

    def write(self, data: bytes) -> None:
        """Add ``data``, or nothing. Raises ``OSError``."""
        if not self._is_begun:
            self._cut()
            self._is_begun = True
        try:
            _write_all(self._descriptor, data)
        except BaseException:
            # Making a file smaller needs no space; where even that fails, half a line is left at the end, and no more.
            with contextlib.suppress(OSError):
                self._cut()
            raise
        self._size += len(data)

    def _cut(self) -> None:
        """Take away what is there after the bytes that count, and go on from there."""
        os.ftruncate(self._descriptor, self._size)
        os.lseek(self._descriptor, self._size, os.SEEK_SET)

    def close(self) -> None:
        """Let another process have the file. Raises ``OSError``."""
        if self._is_new and not self._is_begun and _is_at(self._path, self._descriptor):
            # On Windows an open file cannot be removed; an empty one does no harm.
            with contextlib.suppress(OSError):
                self._path.unlink()
        os.close(self._descriptor)


class WholeFile:
    """A regular file at ``path`` that is replaced by what is written, whole or not at all.

    Building raises ``OSError`` where no file can be put there.
    """

    def __init__(self, path: Path) -> None:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
        with contextlib.suppress(FileNotFoundError):
            os.close(os.open(path, os.O_WRONLY))
        self._path = path

    def head(self) -> bytes:
        """Return how the file begins: its first :data:`END` bytes. Raises ``OSError``."""
        try:
            with self._path.open("rb") as file:
                return file.read(END)
        except FileNotFoundError:
            return b""

    def keep(self, size: int) -> None:
        """Raise ``OSError``: nothing is kept of a file that is replaced whole."""
        raise OSError(errno.EINVAL, f"the first {size} bytes cannot be kept")

    def write(self, data: bytes) -> None:
        """Have the file hold ``data`` and nothing else. Raises ``OSError``."""
        write_atomically(self._path, data)

    def close(self) -> None:
        """Do nothing: the file is open only while it is written."""


class Stream:
    """A device, a pipe, or whatever else is open already: what is written goes on from where it is."""

    def __init__(self, file: BinaryIO, *, closes: bool = True) -> None:
        self._file = file
        self._closes = closes

    def keep(self, size: int) -> None:
        """Raise ``OSError``: what went through a stream cannot be had again."""
        raise OSError(errno.ESPIPE, f"the first {size} bytes cannot be kept")

    def write(self, data: bytes) -> None:
        """Write ``data``. Raises ``OSError``."""
        rest = memoryview(data)
        while rest:
            rest = rest[self._file.write(rest) or 0 :]
        self._file.flush()

    def close(self) -> None:
        """Close what was opened for this stream. Raises ``OSError``."""
        if self._closes:
            self._file.close()


# Regular files -------------------------------------------------------------------------------------------------------


def _locked(path: Path) -> tuple[int, bool]:
    """Open ``path`` for this process alone, and say whether it was made by that; nothing of it is lost."""
    while True:
        descriptor, is_new = _opened(path)
        try:
            _lock(descriptor)
        except BaseException:
            os.close(descriptor)
            raise
        if _is_at(path, descriptor):
            return descriptor, is_new
        os.close(descriptor)  # whoever had the file before has just removed it


def _is_at(path: Path, descriptor: int) -> bool:
    """Return whether the file that is open as ``descriptor`` is the one at ``path``."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _opened(path: Path) -> tuple[int, bool]:
    """Open ``path`` to read and write, and say whether it was made by that; nothing of it is lost."""
    flags = os.O_RDWR | getattr(os, "O_BINARY", 0)
    try:
        return os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o666), True
    except FileExistsError:
        return os.open(path, flags), False


def _lock(descriptor: int) -> None:
    """Lock the file that is open as ``descriptor`` where the system can. Raises :class:`LockedError`."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except NameError:  # a system without such locks
        return
    except BlockingIOError as error:
        raise LockedError(error.errno, "another run is writing to it") from error
    except OSError:  # a file system without locks
        return


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def write_atomically(path: Path, data: bytes) -> None:
    """Write ``data`` to ``path`` such that it is there whole or not at all; mode and owner of a file stay as they are.

    Raises ``OSError``.
    """
    try:
        former: os.stat_result | None = path.stat()
    except FileNotFoundError:
        former = None
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".tokconf-")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(handle)
        if former is not None:
            _give(temporary, former)
        temporary.chmod(0o666 & ~_umask() if former is None else stat.S_IMODE(former.st_mode))
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _give(path: Path, former: os.stat_result) -> None:
    """Give ``path`` to the owner and the group of ``former``, as far as this process may."""
    if sys.platform == "win32":
        return
    for owner, group in ((former.st_uid, -1), (-1, former.st_gid)):
        with contextlib.suppress(PermissionError):
            os.chown(path, owner, group)


def _umask() -> int:
    """Return the process's file mode mask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
