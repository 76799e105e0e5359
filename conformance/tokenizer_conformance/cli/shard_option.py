"""The option ``--shard``: which part of a run this machine does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tokenizer_conformance.command_io.shard import shard_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.command_io.outputs import ReportOptions
    from tokenizer_conformance.command_io.shard import Shard


OF_A_RUN = (
    'Give each part its own --json: "tokconf merge" makes the record of the whole run, and judges what only the whole '
    "shows: whether enough was compared, and which ledger entries are stale."
)


def shard_option(what: str, merged: str = OF_A_RUN) -> Callable[[Callable[..., object]], Callable[..., object]]:
    """Return the decorator for ``--shard``; ``what`` falls into one part, and how parts are ``merged`` is told."""
    return click.option(
        "--shard",
        callback=_read,
        metavar="I/N",
        help=f"Do only part I of N, as one of N machines; {what} is in exactly one part. {merged}",
    )


def refuse_without_record(reports: ReportOptions) -> None:
    """Raise :class:`click.UsageError` where a part that shows nothing but its record has none: its work is lost."""
    if reports.json is None:
        raise click.UsageError("--shard needs --json FILE: a part has counts alone, which 'tokconf merge' adds up")


def _read(_context: click.Context, parameter: click.Parameter, word: str | None) -> Shard | None:
    try:
        return None if word is None else shard_in(word)
    except ValueError as error:
        raise click.BadParameter(str(error), param=parameter) from error
