"""The option ``--traceback``, which every command has."""

from __future__ import annotations

import os

import click

from tokenizer_conformance.command_io import internal_error


def traceback_option() -> click.Option:
    """Return the option ``--traceback``, which reaches no function."""
    return click.Option(
        ["--traceback"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_ask_for_tracebacks,
        help=f"Show the whole traceback of an internal error; {internal_error.VARIABLE}=1 does the same.",
    )


def _ask_for_tracebacks(_context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value:
        os.environ[internal_error.VARIABLE] = "1"
