"""Errors that nobody expected: one line for people, and the whole traceback for those who ask for it.

What is shown comes from a bug of this package, or of an adapter that broke its contract where nobody looks after it.
"""

from __future__ import annotations

import os
import sys
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.escape import one_line

if TYPE_CHECKING:
    from types import TracebackType

VARIABLE = "TOKCONF_TRACEBACK"
"""The environment variable that asks for tracebacks; ``--traceback`` sets it."""

OFF = frozenset({"", "0", "no", "off", "false"})
"""Values of an environment variable that do not switch anything on."""

HOW_TO_REPORT = f"to report it, run this again with {VARIABLE}=1, and send what it prints with the record (--json)"

OUR_PACKAGES = ("tokenizer_conformance", "tokenizer_adapters", "tokenizer_reference")


@dataclass(frozen=True, slots=True)
class InternalError:
    """An event: something went wrong that is no fault of what was given.

    The run is ended, and reported as far as it came.
    """

    error: BaseException


def in_short(error: BaseException) -> str:
    """Return what ``error`` is and where it was raised, made safe, on one line.

    >>> in_short(KeyError("no such key"))
    "KeyError: 'no such key'"
    """
    try:
        words = str(error)
    except Exception:  # noqa: BLE001 - an error of other people's code may be broken itself
        words = ""
    kind = type(error).__name__
    place = _place(error.__traceback__)
    return one_line(f"{kind}: {words}" if words else kind) + (f" ({place})" if place else "")


def _place(trace: TracebackType | None) -> str | None:
    """Return the module and line of the last frame that is ours; of the last one where none is."""
    frames = []
    while trace is not None:
        module = str(trace.tb_frame.f_globals.get("__name__", "?"))
        frames.append((module, trace.tb_lineno))
        trace = trace.tb_next
    ours = [frame for frame in frames if frame[0].partition(".")[0] in OUR_PACKAGES]
    return ":".join(map(str, (ours or frames)[-1])) if frames else None


def tell(error: BaseException, where: str = "") -> None:
    """Print ``error`` on standard error, in one line; its traceback before that where one was asked for.

    ``where`` says what cannot go on because of it.
    """
    try:
        trace = "".join(traceback.format_exception(error)) if wants_traceback() else ""
        line = f"tokconf: internal error{where}: {in_short(error)}; {HOW_TO_REPORT}\n"
    except MemoryError:
        trace, line = "", "tokconf: internal error: MemoryError\n"
    try:
        sys.stderr.write(trace + line)
        sys.stderr.flush()
    except (OSError, ValueError):  # nobody reads it
        return


def wants_traceback() -> bool:
    """Return whether whole tracebacks were asked for."""
    return os.environ.get(VARIABLE, "").strip().lower() not in OFF
