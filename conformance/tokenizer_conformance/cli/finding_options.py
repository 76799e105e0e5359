"""The options of commands that ask a finding of a record again."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

import click

from tokenizer_conformance.cli.options import SpreadOption
from tokenizer_conformance.lazy import lazy

if TYPE_CHECKING:
    from collections.abc import Callable

NUMBER_HELP = "The number of a problem, as 'tokconf run' and 'tokconf fuzz TOKENIZER' print it."

SMALLER_SECONDS = 20.0
"""How long something smaller is looked for."""

_OPTIONS = (
    click.argument("record", metavar="RECORD"),
    click.option("--finding", "number", type=int, required=True, metavar="N", help=NUMBER_HELP),
    click.option(
        "-i",
        "--implementation",
        "wanted",
        cls=SpreadOption,
        takes=lazy("tokenizer_conformance.cli.choosing:is_meant_as_implementation"),
        metavar="IMPL IMPL",
        help="The baseline and the implementation, if not those of RECORD. Required if these are programs or "
        "classes, which are only run if named here.",
    ),
    click.option(
        "--from", "elsewhere", metavar="TOKENIZER", help="The current location of the tokenizer, if it has moved."
    ),
    click.option(
        "--force",
        is_flag=True,
        help="Overwrite the file of --output; files that the command reads are never overwritten.",
    ),
)
"""What commands take that ask a finding of a record again."""


def asks_again(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give ``command`` the record, the number of the finding, and where its tokenizer and its sides are now."""
    return reduce(lambda made, option: option(made), reversed(_OPTIONS), command)
