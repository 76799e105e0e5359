"""``tokconf implementations``: who can be compared on this machine, and whether a program speaks the line protocol."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.command_group import CommandGroup
from tokenizer_conformance.cli.options import ConcludingCommand, NumberRange
from tokenizer_conformance.lazy import carried_out_by, lazy

CHECK_SECONDS = 10.0

_list = lazy("tokenizer_conformance.cli.implementations:execute_list")


@click.group(
    "implementations",
    cls=CommandGroup,
    invoke_without_command=True,
    short_help="List the implementations that can be compared.",
)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.pass_context
def implementations_command(context: click.Context, *, as_json: bool) -> None:
    """List the registered implementations, what each can show, and how to install those that are missing.

    A broken one is named and skipped. "fields" are those of an encoding, and the text of normalize and decode.
    """
    if context.invoked_subcommand is None:
        _list(as_json=as_json)


@implementations_command.command(
    "check", cls=ConcludingCommand, short_help="Check that a program speaks the line protocol."
)
@click.argument("command", metavar="COMMAND")
@click.option(
    "--tokenizer",
    "tokenizers",
    multiple=True,
    metavar="TOKENIZER",
    help="A tokenizer that the program can load, if it loads none of the bundled ones.",
)
@click.option(
    "--timeout",
    type=NumberRange(min=0, min_open=True),
    default=CHECK_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="The most time for an answer.",
)
@click.pass_context
@carried_out_by("tokenizer_conformance.cli.implementations:execute_check")
def check_command() -> None:
    """Check that a program speaks the line protocol, and show the first error.

    COMMAND is the program with its arguments, in one word, a class (package.module:Class), or the name of a
    registered implementation or trainer. This tells whether the adapter works, not whether its tokenizer is right:
    "tokconf run" does that. A program that says that it can train is given a small corpus.

    \b
    Examples:
      tokconf implementations check "./my-tokenizer --flag"
      tokconf implementations check "node tokenizer.mjs" --tokenizer my-checkpoint/
      tokconf implementations check tokie

    \b
    Exit status: 0 it speaks the protocol, 2 the command cannot be used, 3 a fault was found.
    """  # noqa: D301 - "\\b" is click's mark for a paragraph that is not to be wrapped
