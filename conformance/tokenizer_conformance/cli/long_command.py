"""A command that takes its time: it shows what it is at, unless that is turned off."""

from __future__ import annotations

import os
from typing import Any

import click

from tokenizer_conformance.cli.options import SpreadCommand
from tokenizer_conformance.session import internal_error, progress
from tokenizer_conformance.session.progress import PROGRESS
from tokenizer_conformance.session.standard_streams import standard_error_alone

QUIET = "tokenizer_conformance.quiet"
"""The key of ``click.Context.meta`` that says that no progress is to be shown."""


def traceback_option() -> click.Option:
    """Return the option ``--traceback``, which reaches no function."""
    return click.Option(
        ["--traceback"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_ask_for_tracebacks,
        help=f"Show the whole traceback of an internal error; {internal_error.VARIABLE}=1 does so too.",
    )


def _ask_for_tracebacks(_context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value:
        os.environ[internal_error.VARIABLE] = "1"


def _quiet_option() -> click.Option:
    return click.Option(
        ["-q", "--quiet"],
        is_flag=True,
        expose_value=False,
        callback=_be_quiet,
        help=f"Show no progress on standard error; {progress.VARIABLE}=off does so too.",
    )


def _be_quiet(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    context.meta[QUIET] = value


class LongCommand(SpreadCommand):
    """A command with the options ``--quiet`` and ``--traceback``, whose progress is shown while it works."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += [_quiet_option(), traceback_option()]

    def invoke(self, ctx: click.Context) -> Any:
        """Carry the command out, and show its progress meanwhile; what libraries say on standard error is not shown."""
        with standard_error_alone(), PROGRESS.shown(quiet=ctx.meta.get(QUIET, False)):
            return super().invoke(ctx)
