"""Starting a program, and ending it with all that it has started.

Where processes can be forked (POSIX), every program runs behind a guardian (``guardian``): a small process of this
package that kills the program when the harness ends, however that goes. It is handed the reading end of a pipe, the
*lifeline*. The pipe is there before the guardian is, and its writing end is not inherited by anybody: so there is no
moment at which the harness could end and the program would not. Elsewhere a program is started as it is: it sees its
standard input end with the harness, and memory is not limited.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import weakref
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.registry import RegistryError, WrongImplementationError

if TYPE_CHECKING:
    from collections.abc import Mapping

GUARDS = hasattr(os, "fork") and hasattr(os, "setsid")
"""Whether a guardian can stand between the harness and a program."""

LIMITS_MEMORY = GUARDS and importlib.util.find_spec("resource") is not None and sys.platform != "darwin"
"""Whether the system keeps a program within a limit on its memory; macOS accepts one and enforces little."""

GUARDIAN = Path(__file__).with_name("guardian.py")

_lifelines: set[int] = set()
"""The writing ends that this process holds."""


def _let_go_of_inherited() -> None:
    """Close the lifelines in a child that was forked from the harness, and did not become another program."""
    while _lifelines:
        os.close(_lifelines.pop())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go_of_inherited)


class CannotStartError(RegistryError):
    """A program cannot be started, or does not answer when it is. The message is one line that says which, and why."""


class NoSuchProgramError(CannotStartError, WrongImplementationError):
    """There is no such program, or it may not be executed."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program to run: the words of its command, what messages call it, and variables added to its environment."""

    command: tuple[str, ...]
    label: str
    environment: Mapping[str, str] = field(default_factory=dict, hash=False)


class Launched:
    """``program``, started with pipes for its standard streams; ``memory`` limits it, in bytes (``None``: no limit).

    Raises :class:`CannotStartError`.
    """

    def __init__(self, program: Program, memory: int | None) -> None:
        assert_is_there(program)
        environment = {**os.environ, **program.environment}
        words = program.command
        self._lifeline: int | None = None
        try:
            self.popen = self._guarded(words, environment, memory) if GUARDS else _unguarded(words, environment)
        except OSError as error:
            self._let_go()
            raise CannotStartError(f"cannot start {words[0]!r}: {error.strerror}") from error
        _started.add(self)

    def _guarded(
        self, words: tuple[str, ...], environment: Mapping[str, str], memory: int | None
    ) -> subprocess.Popen[bytes]:
        theirs, self._lifeline = os.pipe()
        _lifelines.add(self._lifeline)
        try:
            return subprocess.Popen(  # noqa: S603 - the user's program, by the user's wish
                [sys.executable, "-I", "-S", str(GUARDIAN), str(theirs), str(memory or 0), *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env=environment,
                pass_fds=(theirs,),
                start_new_session=True,
            )
        finally:
            os.close(theirs)

    def has_ended(self) -> bool:
        """Return whether the program has ended, and leave its exit status to be taken."""
        if self.popen.returncode is not None:
            return True
        if not hasattr(os, "waitid"):  # Windows; macOS, before Python 3.13
            return self.popen.poll() is not None
        return os.waitid(os.P_PID, self.popen.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def interrupt(self) -> None:
        """Have the program and what it has started end, and do not wait for that; another thread may."""
        if self.popen.returncode is not None:
            return
        if GUARDS:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.popen.pid, signal.SIGTERM)
        else:
            self.popen.kill()

    def end(self) -> int:
        """End the program and what it has started, and return its exit status as ``subprocess`` has it."""
        self.interrupt()
        self._let_go()
        return self.popen.wait()

    def _let_go(self) -> None:
        if self._lifeline in _lifelines:
            _lifelines.remove(self._lifeline)
            os.close(self._lifeline)
        self._lifeline = None


def assert_is_there(program: Program) -> None:
    """Raise :class:`NoSuchProgramError` where there is no such program, or none that may be executed."""
    words = program.command
    path = program.environment.get("PATH", os.environ.get("PATH"))
    if not words or shutil.which(words[0], path=path) is None:
        raise NoSuchProgramError(_why_not(words))


_started: weakref.WeakSet[Launched] = weakref.WeakSet()


def running() -> list[int]:
    """Return the process ids of the programs that were started and whose end was not taken; of guardians, theirs."""
    return [launched.popen.pid for launched in list(_started) if launched.popen.returncode is None]


def _unguarded(words: tuple[str, ...], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - the user's program, by the user's wish
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        env=environment,
        # A group of its own: Windows has the terminal's Ctrl-C pass it by.
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )


def _why_not(words: tuple[str, ...]) -> str:
    if not words:
        return "cannot start a program: the command is empty"
    if Path(words[0]).is_file():
        return f"cannot start {words[0]!r}: it may not be executed; chmod +x it, or name its interpreter before it"
    where = "no such file" if os.sep in words[0] else "no such program in PATH (a file here is ./NAME)"
    return f"cannot start {words[0]!r}: {where}"


def ending(status: int) -> str:
    """Say how a process ended, given its exit status as ``subprocess`` has it.

    >>> ending(-6), ending(3)
    ('killed by signal 6 (SIGABRT)', 'ended with exit status 3')
    """
    if status >= 0:
        return f"ended with exit status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:  # a real-time signal
        name = "unnamed"
    return f"killed by signal {-status} ({name})"
