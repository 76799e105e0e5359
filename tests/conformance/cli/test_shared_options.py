"""Options that several commands have are declared once, and mean the same in each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner

from tokenizer_conformance.cli import main
from tokenizer_conformance.cli.comparison_options import max_fail_options
from tokenizer_conformance.cli.given_inputs import InputOptions
from tokenizer_conformance.cli.input_options import input_options, selection_options
from tokenizer_conformance.inputs.corpus import Selection
from tokenizer_conformance.inputs.text import Split

if TYPE_CHECKING:
    from collections.abc import Callable

ALIKE = {
    "--no-builtin": {"run", "snapshot", "versions"},
    "--split": {"run", "snapshot", "versions"},
    "--field": {"run", "diff", "suite run", "versions"},
    "--only": {"run", "diff"},
    "-k": {"run", "diff", "suite write"},
}
"""Options by flag, with commands that must say the same of them."""


def command_called(words: str) -> click.Command:
    command: click.Command = main
    for word in words.split():
        assert isinstance(command, click.Group)
        found = command.get_command(click.Context(command), word)
        assert found is not None
        command = found
    return command


@pytest.mark.parametrize("flag", ALIKE)
def test_commands_say_the_same_of_an_option(flag: str) -> None:
    told = {
        (option.help, str(option.type), str(option.default), option.metavar)
        for words in ALIKE[flag]
        for option in command_called(words).params
        if isinstance(option, click.Option) and flag in option.opts
    }
    assert len(told) == 1
    assert len(ALIKE[flag]) == sum(flag in each.opts for words in ALIKE[flag] for each in command_called(words).params)


def given(options: Callable[..., Callable[..., None]], *words: str) -> dict[str, object]:
    """Return what a command that has ``options`` is called with."""
    seen: dict[str, object] = {}
    command = click.command()(options(lambda **values: seen.update(values)))
    result = CliRunner().invoke(command, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return seen


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((), InputOptions()),
        (("--no-builtin",), InputOptions(builtin=False)),
        (
            ("--inputs", "a", "--inputs", "b", "--column", "c", "--split", "file,line"),
            InputOptions(("a", "b"), "c", builtin=True, splits=(Split.FILE, Split.LINE)),
        ),
    ],
)
def test_inputs_reach_a_command_in_one(words: tuple[str, ...], expected: InputOptions) -> None:
    assert given(input_options, *words) == {"inputs": expected}


def test_selected_inputs_reach_a_command_in_one() -> None:
    expected = Selection("emoji", frozenset({"a", "b"}))
    assert given(selection_options, "-k", "emoji", "--only", "a", "--only", "b") == {"selection": expected}
    assert given(selection_options) == {"selection": Selection()}


@pytest.mark.parametrize(
    ("words", "expected"), [((), None), (("-x",), 1), (("--max-fail", "7"), 7), (("-x", "--max-fail", "7"), 1)]
)
def test_where_to_stop_reaches_a_command_in_one(words: tuple[str, ...], expected: int | None) -> None:
    assert given(max_fail_options("thing"), *words) == {"max_failing": expected}


def test_a_column_needs_a_table_and_no_inputs_are_refused() -> None:
    with pytest.raises(click.UsageError, match="--column is about"):
        InputOptions(("a.txt",), "text").sources()
    with pytest.raises(click.UsageError, match="no inputs"):
        InputOptions(builtin=False).sources()
