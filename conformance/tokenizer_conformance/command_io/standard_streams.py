"""Standard output and standard error, which may be closed, full, a pipe that nobody reads, or of a narrow encoding."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING

from tokenizer_conformance.escape import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

STANDARD_OUTPUT = "standard output"
STANDARD_ERROR = "standard error"


def hold_standard_descriptors() -> None:
    """Open the null device for each standard stream that was closed when this process began.

    A file that is opened later would otherwise get its number, and be written to by whoever prints. What is said on a
    standard error that was closed goes there too.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free, which is this one
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - it is open to the end


def is_standard_output_of_the_system() -> bool:
    """Return whether what is printed goes to descriptor 1: a stream in its place (in tests, in notebooks) need not."""
    return _is_on(sys.stdout, 1)


@contextlib.contextmanager
def standard_output_alone() -> Iterator[int]:
    """Give a descriptor of standard output that nobody else has; what is printed meanwhile goes to standard error.

    Libraries print what they like, and a report is to be nothing but the report.
    """
    own = os.dup(1)
    os.dup2(2, 1)
    try:
        yield own
    finally:
        flushed()
        os.dup2(own, 1)
        os.close(own)


@contextlib.contextmanager
def standard_error_alone() -> Iterator[None]:
    """Have what libraries write to descriptor 2 vanish, while this process still says there what it has to say.

    A panic of a library in Rust is an answer here like any other, and is reported; what the library writes about it,
    thousands of lines for a suite that provokes panics, would bury the report. Where standard error is not that of the
    system (in tests, in notebooks), nothing is done.
    """
    before = sys.stderr
    if not _is_on(before, 2):
        yield
        return
    own = os.fdopen(os.dup(2), "w", buffering=1, encoding=before.encoding, errors=before.errors)
    nothing = os.open(os.devnull, os.O_WRONLY)
    before.flush()
    os.dup2(nothing, 2)
    os.close(nothing)
    sys.stderr = own
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            own.flush()
        os.dup2(own.fileno(), 2)
        sys.stderr = before
        with contextlib.suppress(OSError):
            own.close()


def _is_on(stream: TextIO, descriptor: int) -> bool:
    """Return whether ``stream`` writes to ``descriptor``."""
    with contextlib.suppress(AttributeError, OSError, ValueError):
        return stream.fileno() == descriptor
    return False


def be_lenient_about_output() -> None:
    """Have characters that the encoding of a standard stream lacks shown as escapes, and not end the command."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def discard(stream: TextIO | None) -> None:
    """Let what is still buffered for a standard ``stream`` go nowhere, and what is written there from now on."""
    with contextlib.suppress(AttributeError, OSError, ValueError):  # closed, or no stream of the system
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())  # type: ignore[union-attr]  # None has no number, which is suppressed
        os.close(null)


def flushed() -> bool:
    """Write out what is buffered for the standard streams; tell whether that was possible.

    Where it is not, the interpreter would say so at its end, and end with a status of its own.
    """
    output, complaints = _is_flushed(sys.stdout), _is_flushed(sys.stderr)
    return output and complaints


def _is_flushed(stream: TextIO | None) -> bool:
    try:
        if stream is not None:
            stream.flush()
    except (OSError, ValueError):
        discard(stream)
        return False
    return True


def complain(message: str) -> None:
    """Print ``message`` on one line of standard error; nothing is raised where that cannot be written."""
    try:
        sys.stderr.write(f"tokconf: {one_line(message, limit=2000)}\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        discard(sys.stderr)


def reason_of(error: OSError) -> str:
    """Return why the system refused, without numbers and names."""
    return error.strerror or str(error)
