"""Running the commands that make environments: under a guardian, so that none outlives the harness and goes on writing.

What they print is read to its end and given back.
"""

from __future__ import annotations

import contextlib
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.environments.faults import InstallerError
from tokenizer_adapters.protocol.launch import CannotStartError, Launched, Program

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Done:
    """How a command has ended: its exit ``status``, and what it has printed on its standard streams."""

    status: int
    output: str
    errors: str

    @property
    def said(self) -> str:
        """All that it has printed."""
        return f"{self.output}\n{self.errors}"

    @property
    def last_words(self) -> str:
        """What it says of its end, on one line: the lines that speak of errors, else the last ones."""
        lines = [line.strip() for line in self.said.splitlines() if line.strip()]
        found = [line for line in lines if line.lower().startswith(("error", "cause:"))] or lines[-3:]
        return " ".join(" ".join(found).split()) or f"it ended with status {self.status}"


def carried_out(words: Sequence[str], seconds: float, environment: Mapping[str, str] | None = None) -> Done:
    """Run the command of ``words``, with variables added to its environment, for ``seconds`` at most.

    Raises :class:`InstallerError` where it cannot be started, or takes longer.
    """
    program = Program(tuple(words), words[0], dict(environment or {}))
    try:
        launched = Launched(program, None)
    except CannotStartError as error:
        raise InstallerError(str(error)) from error
    try:
        output, errors = launched.popen.communicate(timeout=seconds)
    except subprocess.TimeoutExpired as error:
        raise InstallerError(f"{words[0]!r} did not end within {seconds:g} s") from error
    finally:
        status = launched.end()
        for stream in filter(None, (launched.popen.stdin, launched.popen.stdout, launched.popen.stderr)):
            with contextlib.suppress(OSError):  # what could not be written any more
                stream.close()
    return Done(status, output.decode("utf-8", "replace"), errors.decode("utf-8", "replace"))
