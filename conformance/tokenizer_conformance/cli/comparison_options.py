"""The options that say what of the answers is compared, for how long, and when it is enough."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from tokenizer_adapters.contract import PIPELINE_STAGES, Field
from tokenizer_conformance.cli.options import comma_list

if TYPE_CHECKING:
    from collections.abc import Callable

    Command = Callable[..., object]


def stage_option(verb: str = "Compare") -> Callable[[Command], Command]:
    """Return the decorator for ``--stage``, which reaches the command as ``stages``; empty means all."""
    return click.option(
        "--stage",
        "stages",
        multiple=True,
        callback=comma_list(PIPELINE_STAGES),
        metavar="STAGE",
        help=f"{verb} only these stages: {', '.join(PIPELINE_STAGES)}.",
    )


def field_option(command: Command) -> Command:
    """Give ``command`` the option ``--field``, which reaches it as ``fields``; empty means all."""
    return click.option(
        "--field",
        "fields",
        multiple=True,
        callback=comma_list(Field),
        metavar="FIELD",
        help=f"Compare only these fields: {', '.join(Field)}.",
    )(command)


def max_fail_options(what: str) -> Callable[[Command], Command]:
    """Return the decorator for ``-x`` and ``--max-fail``: after how many of ``what`` a command stops.

    They reach it as ``max_failing``, ``None`` for never.
    """
    one = click.option("-x", "--exitfirst", is_flag=True, help=f"Stop after the first {what}.")
    many = click.option("--max-fail", type=click.IntRange(min=1), metavar="N", help=f"Stop after the Nth {what}.")

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def with_limit(*arguments: Any, exitfirst: bool, max_fail: int | None, **others: Any) -> object:
            return command(*arguments, max_failing=1 if exitfirst else max_fail, **others)

        return one(many(with_limit))

    return decorate


def cause_time_option(where: str, default: float) -> Callable[[Command], Command]:
    """Return the decorator for ``--cause-time``, which reaches the command as ``cause_seconds``.

    ``where`` says for what that time is meant.
    """
    return click.option(
        "--cause-time",
        "cause_seconds",
        type=click.FloatRange(min=0),
        default=default,
        show_default=True,
        metavar="SECONDS",
        help=f"Processor time to look for causes of differences, {where}; 0 to look for none.",
    )
