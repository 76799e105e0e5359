"""Runs a program that cannot outlive the harness: ``python -I -S guardian.py LIFELINE MEMORY COMMAND ARGUMENT...``.

LIFELINE is the reading end of a pipe whose other end only the harness holds. However the harness ends, that end is
closed, and the guardian kills the program with all of its process group; so it does on SIGTERM, by which the harness
asks for that. When the program ends by itself, what it has left behind in its group is killed, and the guardian ends
as the program did: with its exit status, or by its signal.

MEMORY is how many bytes the program may write to (``RLIMIT_DATA``), 0 for no limit; not the addresses that it sets
aside: engines such as Node's set aside many times what they use, and do not even start under a limit on those. The
children of the program inherit the limit, each for itself. Linux enforces it; macOS accepts it and enforces little.

The program leads a session of its own, out of reach of the terminal's Ctrl-C. One that leaves its process group leaves
the guardian's care. All this happens in a process between harness and program, not between fork and exec in the
harness, where threads make that unsafe. POSIX only; a file of its own, which imports little, since every start of a
program waits for it.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys

try:
    import resource
except ImportError:  # not POSIX: imported there, and never run
    resource = None  # type: ignore[assignment]

CANNOT_START = 127
"""The exit status where the command cannot be run, as a shell has it; standard error says why."""


def main(lifeline: int, memory: int, command: list[str]) -> None:
    """Run ``command`` and end as it does."""
    os.set_inheritable(lifeline, False)
    signals = _signals_as_bytes(signal.SIGTERM, signal.SIGCHLD)
    program = os.fork()
    if program == 0:
        _become(command, memory)
    _let_go_of_standard_streams()
    status = None
    while status is None:
        ready, _, _ = select.select([lifeline, signals], [], [])
        is_over = lifeline in ready or signal.SIGTERM in os.read(signals, 512)
        if is_over:
            _kill(program)
        status = _status(program, 0 if is_over else os.WNOHANG)
    _end_like(status)


def _signals_as_bytes(*numbers: int) -> int:
    """Return a descriptor to read the numbers of signals from, as they come."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    for number in numbers:
        signal.signal(number, lambda _number, _frame: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, numbers)
    return reading


def _become(command: list[str], memory: int) -> None:
    """Become ``command``, the leader of a new session, with all signals as they are by default."""
    try:
        os.setsid()
        for ignored_by_python in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(ignored_by_python, signal.SIG_DFL)
        if memory:
            _, most = resource.getrlimit(resource.RLIMIT_DATA)
            allowed = memory if most == resource.RLIM_INFINITY else min(memory, most)
            resource.setrlimit(resource.RLIMIT_DATA, (allowed, allowed))
        os.execvp(command[0], command)  # noqa: S606 - the user's program, by the user's wish
    except (OSError, ValueError) as error:
        os.write(2, f"cannot start {command[0]!r}: {error}\n".encode("utf-8", "backslashreplace"))
    finally:
        os._exit(CANNOT_START)


def _let_go_of_standard_streams() -> None:
    """Hold no end of the program's pipes: they close when the program closes them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)


def _kill(program: int) -> None:
    """Kill the program and its group; it may not lead one yet."""
    for kill in (os.kill, os.killpg):
        with contextlib.suppress(ProcessLookupError, PermissionError):  # gone; or, on macOS, all of it zombies
            kill(program, signal.SIGKILL)


def _status(program: int, options: int) -> int | None:
    """Return how the program has ended; what is left of its group is killed.

    It is waited for, unless ``options`` have ``WNOHANG``: then ``None`` says that it has not ended.
    """
    if hasattr(os, "waitid"):
        # Its status is not taken yet: until then no other process can have its number.
        if os.waitid(os.P_PID, program, os.WEXITED | os.WNOWAIT | options) is None:
            return None
        _kill(program)
        return os.waitpid(program, 0)[1]
    ended, status = os.waitpid(program, options)  # macOS, before Python 3.13
    if not ended:
        return None
    _kill(program)
    return status


def _end_like(status: int) -> None:
    """End with the exit status or by the signal that ``status`` tells, without a core dump."""
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code & 0xFF)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
