"""How long training takes, and how much memory."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")
_RESET_PEAK = "5"
"""What sets the recorded peak of a process to its present size (Linux, ``man 5 proc``)."""


@dataclass(frozen=True, slots=True)
class Measured(Generic[T]):
    """A value, the seconds it took, and by how many bytes the process grew at most (``None``: not known)."""

    value: T
    seconds: float
    peak_memory: int | None


def measured(work: Callable[[], T]) -> Measured[T]:
    """Do ``work`` and return what it gives, measured. Memory is known on Linux only.

    >>> measured(lambda: 1).value
    1
    """
    before = _resident("VmRSS") if _reset_peak() else None
    start = time.perf_counter()
    value = work()
    seconds = time.perf_counter() - start
    peak = None if before is None else _resident("VmHWM")
    grown = None if before is None or peak is None else max(0, peak - before)
    return Measured(value, seconds, grown)


def _reset_peak() -> bool:
    try:
        _CLEAR.write_text(_RESET_PEAK, encoding="ascii")
    except OSError:
        return False
    return True


def _resident(entry: str) -> int | None:
    """Return an entry of the process's status, in bytes."""
    try:
        found = re.search(rf"^{entry}:\s+(\d+) kB$", _STATUS.read_text(encoding="ascii"), re.MULTILINE)
    except OSError:
        return None
    return None if found is None else int(found[1]) * 1024
