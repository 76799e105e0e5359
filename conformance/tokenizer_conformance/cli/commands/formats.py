"""``tokconf formats``: the formats that are written and read, and their JSON Schemas."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.options import SpreadCommand
from tokenizer_conformance.lazy import carried_out_by


@click.command("formats", cls=SpreadCommand, short_help="List the file formats, or print a JSON Schema.")
@click.argument("name", metavar="[NAME]", required=False)
@carried_out_by("tokenizer_conformance.cli.formats:execute")
def formats_command() -> None:
    """List the file formats of tokconf, or print the JSON Schema called NAME.

    A record has one JSON object per line; its schema describes one line. docs/reference/formats.md explains the
    versions.

    \b
    Examples:
      tokconf formats
      tokconf formats record-1.json > record-1.json
    """  # noqa: D301 - "\\b" is click's mark for a paragraph that is not to be wrapped
