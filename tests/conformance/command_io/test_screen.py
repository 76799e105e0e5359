"""The width of what is printed: that of the terminal, of COLUMNS, or none."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.events import Finished
from tokenizer_conformance.command_io.screen import Screen, console_settings, width_of

LONG = "a reason of many words, " * 12


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "columns", "width"),
    [
        (io.StringIO(), None, None),
        (io.StringIO(), "60", 60),
        (io.StringIO(), "12", 40),
        (io.StringIO(), "many", None),
        (Terminal(), "132", 132),
    ],
)
def test_columns_limits_lines_and_a_pipe_alone_does_not(
    monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, columns: str | None, width: int | None
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    if columns is not None:
        monkeypatch.setenv("COLUMNS", columns)
    assert width_of(stream) == width


def test_a_terminal_limits_lines() -> None:
    assert width_of(Terminal()) is not None


def test_a_complaint_is_one_line_in_a_pipe_and_wrapped_on_a_terminal() -> None:
    pipe, terminal = io.StringIO(), io.StringIO()
    Screen(Console(), Console(file=pipe, **console_settings(pipe))).complain(LONG)
    Screen(Console(), Console(file=terminal, width=50)).complain(LONG)
    assert pipe.getvalue() == f"tokconf: {LONG.strip()}\n"
    assert max(map(len, terminal.getvalue().splitlines())) <= 50
    assert terminal.getvalue().count("\n  ") == terminal.getvalue().count("\n") - 1 > 2


def test_what_is_to_be_seen_has_a_style_of_its_own_on_a_terminal_and_none_in_a_pipe() -> None:
    shown, piped = io.StringIO(), io.StringIO()
    terminal = Console(file=shown, force_terminal=True, color_system="standard", width=60)
    highlights = (("worse", "red"), ("better", "green"))
    for console in (terminal, Console(file=piped, **console_settings(piped))):
        Screen(console, console).put(["worse, or better"], highlights)
    assert shown.getvalue() == "\x1b[31mworse\x1b[0m, or \x1b[32mbetter\x1b[0m\n"
    assert piped.getvalue() == "worse, or better\n"


@pytest.mark.parametrize(
    ("conclusion", "status"), [(Conclusion.CONFORM, 0), (Conclusion.STALE, 1), (Conclusion.INTERRUPTED, 130)]
)
def test_the_last_line_says_the_exit_status(conclusion: Conclusion, status: int) -> None:
    shown = io.StringIO()
    console = Console(file=shown, **console_settings(shown))
    finished = Finished(finished=conclusion is not Conclusion.INTERRUPTED, conclusion=conclusion, seconds=1.0)
    Screen(console, console).conclude("3 texts", finished.exit_status)
    assert shown.getvalue() == f"\n3 texts; exit status {status}\n"
