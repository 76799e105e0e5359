"""The option ``--shard``: which part of a run this machine does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tokenizer_conformance.command_io.shard import shard_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.command_io.shard import Shard


def shard_option(what: str) -> Callable[[Callable[..., object]], Callable[..., object]]:
    """Return the decorator for ``--shard``; ``what`` says what falls into one part."""
    return click.option(
        "--shard",
        callback=_read,
        metavar="I/N",
        help=f"Do only part I of N, as one of N machines; {what} is in exactly one part. Give each part its own "
        '--json: "tokconf merge" makes the record of the whole run, and judges what only the whole shows: whether '
        "enough was compared, and which ledger entries are stale.",
    )


def _read(_context: click.Context, parameter: click.Parameter, word: str | None) -> Shard | None:
    try:
        return None if word is None else shard_in(word)
    except ValueError as error:
        raise click.BadParameter(str(error), param=parameter) from error
