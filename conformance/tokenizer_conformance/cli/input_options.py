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
_sampled = lazy("tokenizer_conformance.inputs.corpus:sampled")
_sampling = lazy("tokenizer_conformance.inputs.corpus:Sampling")


def inputs_option(told: str) -> Callable[[Command], Command]:
    """Return the decorator for ``--inputs``, which reaches the command as ``files``; ``told`` is its help."""
    return click.option("--inputs", "files", cls=SpreadOption, metavar="FILE...", help=told)


def column_option(more: str = "") -> Callable[[Command], Command]:
    """Return the decorator for ``--column``; ``more`` goes on after the first words of its help."""
    return click.option(
        "--column", metavar="NAME", help=f"The column with the texts, in JSON Lines, Parquet, Arrow and datasets{more}."
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
        "Texts, in addition to the built-in inputs: files of JSON Lines (.jsonl, .ndjson), Parquet (.parquet), Arrow "
        "(.arrow, .feather), and any other as plain text in UTF-8; lines may be compressed (.gz, .xz, .zst). Also a "
        "folder of such files, a pattern in quotes ('corpus/**/*.txt'), and s3://, gs://, hf:// or https:// of any of "
        "these. datasets:NAME:SPLIT or datasets:NAME:CONFIG:SPLIT is a split of a Hugging Face dataset, streamed; NAME "
        "may be a local folder."
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


def sample_options(command: Command) -> Command:
    """Give ``command`` the options of a sample; they reach it as ``sampled``, which makes a sample of inputs."""

    @functools.wraps(command)
    def with_sample(*arguments: Any, most: int | None, sample_seed: int | None, **others: Any) -> object:
        _refuse_seed_alone(most, sample_seed)
        return command(*arguments, sampled=functools.partial(_sampled, most=most, seed=sample_seed), **others)

    return _with_options(with_sample)


def row_sample_options(command: Command) -> Command:
    """Give ``command`` the options of a sample of lines and rows; they reach it as ``sampling``."""

    @functools.wraps(command)
    def with_sample(*arguments: Any, most: int | None, sample_seed: int | None, **others: Any) -> object:
        _refuse_seed_alone(most, sample_seed)
        return command(*arguments, sampling=_sampling(most, sample_seed), **others)

    return _with_options(with_sample)


def _refuse_seed_alone(most: int | None, seed: int | None) -> None:
    if most is None and seed is not None:
        raise click.UsageError("--sample-seed is about --sample N, which is not given")


def _with_options(decorated: Command) -> Command:
    for option in reversed(_SAMPLE_OPTIONS):
        decorated = option(decorated)
    return decorated


_SAMPLE_OPTIONS = (
    click.option(
        "--sample",
        "most",
        type=click.IntRange(min=1),
        metavar="N",
        help="Use at most N inputs, spread evenly over all: for a first look.",
    ),
    click.option(
        "--sample-seed",
        type=int,
        metavar="S",
        help="Draw the N inputs of --sample at random, one of each N-th of all: another seed gives others.",
    ),
)
