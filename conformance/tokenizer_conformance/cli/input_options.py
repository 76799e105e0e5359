"""The options that say which inputs a command asks about: files of texts, how they are read, and which are taken."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from tokenizer_conformance.cli.options import SpreadOption, comma_list
from tokenizer_conformance.inputs.corpus import Selection
from tokenizer_conformance.inputs.text import Split
from tokenizer_conformance.lazy import lazy

if TYPE_CHECKING:
    from collections.abc import Callable

    Command = Callable[..., object]

_given_inputs = lazy("tokenizer_conformance.cli.given_inputs:InputOptions")


def inputs_option(told: str) -> Callable[[Command], Command]:
    """Return the decorator for ``--inputs``, which reaches the command as ``files``; ``told`` is its help."""
    return click.option("--inputs", "files", cls=SpreadOption, metavar="FILE...", help=told)


def column_option(more: str = "") -> Callable[[Command], Command]:
    """Return the decorator for ``--column``; ``more`` goes on after the first words of its help."""
    return click.option(
        "--column", metavar="NAME", help=f"The column with the texts, in JSON Lines, Parquet and datasets{more}."
    )


def split_option(command: Command) -> Command:
    """Give ``command`` the option ``--split``, which reaches it as ``splits``."""
    return click.option(
        "--split",
        "splits",
        multiple=True,
        default=["line"],
        show_default=True,
        callback=comma_list(Split),
        metavar="HOW",
        help="How to split plain text into inputs: line, paragraph, file, several separated by commas, or all. An "
        "input and all answers to it are held in memory, so use 'file' only for files of a few megabytes.",
    )(command)


def input_options(command: Command) -> Command:
    """Give ``command`` the options of its inputs; they reach it as ``inputs``, all in one."""

    @functools.wraps(command)
    def with_inputs(
        *arguments: Any,
        files: tuple[str, ...],
        column: str | None,
        no_builtin: bool,
        splits: tuple[Split, ...],
        **others: Any,
    ) -> object:
        return command(*arguments, inputs=_given_inputs(files, column, not no_builtin, splits), **others)

    decorated: Command = with_inputs
    for option in reversed(_INPUT_OPTIONS):
        decorated = option(decorated)
    return decorated


_INPUT_OPTIONS = (
    inputs_option(
        "Files of texts, in addition to the built-in inputs: JSON Lines (.jsonl, .ndjson), Parquet (.parquet), and any "
        "other as plain text in UTF-8. datasets:NAME:SPLIT or datasets:NAME:CONFIG:SPLIT is a split of a Hugging Face "
        "dataset, streamed; NAME may be a local folder."
    ),
    column_option(
        ", each of them an input; outer.inner for one inside another. Without it, 'text', or the only one of strings"
    ),
    click.option("--no-builtin", is_flag=True, help="Leave out the built-in inputs."),
    split_option,
)


def selection_options(command: Command) -> Command:
    """Give ``command`` the options that select inputs by name; they reach it as ``selection``, all in one."""

    @functools.wraps(command)
    def with_selection(*arguments: Any, substring: str, ids: tuple[str, ...], **others: Any) -> object:
        return command(*arguments, selection=Selection(substring, frozenset(ids)), **others)

    decorated: Command = with_selection
    for option in reversed(_SELECTION_OPTIONS):
        decorated = option(decorated)
    return decorated


def substring_option(command: Command) -> Command:
    """Give ``command`` the option ``-k``, which reaches it as ``substring``."""
    return click.option(
        "-k", "substring", default="", metavar="SUBSTRING", help="Only inputs with this in their id or category."
    )(command)


_SELECTION_OPTIONS = (
    substring_option,
    click.option("--only", "ids", multiple=True, metavar="ID", help="Only the input with this id; repeatable."),
)


def sample_option(command: Command) -> Command:
    """Give ``command`` the option ``--sample``, which reaches it as ``most``."""
    return click.option(
        "--sample",
        "most",
        type=click.IntRange(min=1),
        metavar="N",
        help="Use at most N inputs, spread evenly over all: for a first look.",
    )(command)
