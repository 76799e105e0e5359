"""``tokconf classes``: the classes of reasons for differences, and what proves that a difference is in one."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.options import SpreadCommand
from tokenizer_conformance.lazy import carried_out_by


@click.command("classes", cls=SpreadCommand, short_help="List the classes of reasons for differences.")
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@carried_out_by("tokenizer_conformance.cli.classes:execute")
def classes_command() -> None:
    """List the classes of reasons that a difference can have, or describe the class NAME.

    A difference is assigned to a class only if that is proven; all others are "unexplained". If both answers are
    right, the class is acceptable.

    \b
    Examples:
      tokconf classes
      tokconf classes prefix-space-policy
      tokconf classes --json
    """  # noqa: D301 - "\\b" is click's mark for a paragraph that is not to be wrapped
