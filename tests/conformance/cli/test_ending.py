"""How a command ends: a status of the table for whatever is raised in it, and a line that says it."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

import click
import pytest

from tokenizer_conformance.cli.ending import status_of

if TYPE_CHECKING:
    from collections.abc import Callable

FULL = OSError(errno.ENOSPC, "No space left on device")
OF_A_FILE = OSError(errno.ENOSPC, "No space left on device", "mine.txt")

ENDINGS: dict[str, tuple[BaseException, int, str]] = {
    "an exit": (click.exceptions.Exit(4), 4, ""),
    "a wrong call": (click.UsageError("no such thing"), 2, "Error: no such thing\n"),
    "an error of click without a status": (click.ClickException("bad"), 2, "Error: bad\n"),
    "Ctrl-C": (KeyboardInterrupt(), 130, "tokconf: interrupted before anything was compared\n"),
    "Ctrl-C at a prompt": (click.Abort(), 130, "tokconf: interrupted before anything was compared\n"),
    "nobody reads": (OSError(errno.EPIPE, "Broken pipe"), 0, ""),
    "a full disk": (FULL, 3, "tokconf: cannot write standard output: No space left on device\n"),
    "a file on a full disk": (OF_A_FILE, 3, "OSError"),
    "an error of the system": (OSError(errno.ENOMEM, "Cannot allocate memory"), 3, "OSError"),
    "a bug": (ValueError("a bug"), 3, "ValueError: a bug"),
    "an exit of other people's code": (SystemExit(0), 3, "SystemExit"),
}


def raising(error: BaseException) -> Callable[[], object]:
    def command() -> object:
        raise error

    return command


@pytest.mark.parametrize("name", ENDINGS)
def test_whatever_is_raised_has_a_status_and_is_said(
    name: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tokenizer_conformance.cli.ending.discard", lambda _stream: None)
    error, status, said = ENDINGS[name]
    assert status_of(raising(error)) == status
    told = capfd.readouterr()
    assert told.out == ""
    assert said in told.err if said else told.err == ""


def test_the_status_of_a_command_is_what_it_gives() -> None:
    assert [status_of(lambda: 4), status_of(lambda: None)] == [4, 0]


def test_a_generator_that_is_closed_is_no_error() -> None:
    with pytest.raises(GeneratorExit):
        status_of(raising(GeneratorExit()))
