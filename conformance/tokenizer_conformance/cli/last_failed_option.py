"""The option ``--last-failed``."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tokenizer_conformance.lazy import lazy

if TYPE_CHECKING:
    from collections.abc import Callable

    Command = Callable[..., object]

_last_failed = lazy("tokenizer_conformance.cli.last_failed:LastFailedOptions")


def last_failed_option(what: str) -> Callable[[Command], Command]:
    """Return a decorator that gives a command the option; it reaches it as ``last_failed``.

    ``what`` says what is repeated.
    """
    option = click.option(
        "--last-failed",
        "last_failed_record",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="RECORD",
        help=f"Repeat only {what} that failed in this record, an earlier --json FILE; all of them if none failed.",
    )

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def with_last_failed(*arguments: Any, last_failed_record: Path | None, **others: Any) -> object:
            if last_failed_record is not None and others.get("shard") is not None:
                raise click.UsageError("--last-failed and --shard exclude each other: what failed is not shared out")
            return command(*arguments, last_failed=_last_failed(last_failed_record), **others)

        return option(with_last_failed)

    return decorate
