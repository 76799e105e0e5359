"""Processor time: of this process, and of the programs that it has started."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.protocol.launch import running

if TYPE_CHECKING:
    from collections.abc import Iterator


def processor_seconds() -> float:
    """Return the processor time, in seconds, that this process and all that it has started have taken.

    Of programs that are still running it is known on Linux only; elsewhere they count once they have ended.
    """
    return time.process_time() + processor_seconds_of_programs()


def processor_seconds_of_programs() -> float:
    """Return the processor time, in seconds, of all that this process has started; known as in the function above."""
    return _of_ended() + sum(map(_of_running, _programs()))


def _of_ended() -> float:
    ended = os.times()
    return ended.children_user + ended.children_system


def _programs() -> Iterator[int]:
    """Yield the process ids of what runs beside this process, guardians and programs."""
    if sys.platform == "linux":
        for pid in running():
            yield from _with_children(pid)


def _with_children(pid: int) -> Iterator[int]:
    yield pid
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:  # it has ended, or the system does not say
        return
    for child in children:
        yield from _with_children(int(child))


def _of_running(pid: int) -> float:
    """Return the processor time of a running process; 0 where it has ended."""
    try:
        return time.clock_gettime((~pid << 3) | 2)  # what clock_getcpuclockid(3) returns on Linux
    except OSError:
        return 0.0
