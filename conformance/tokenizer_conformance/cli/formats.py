"""``tokconf formats``: the formats that are written and read, and their JSON Schemas."""

from __future__ import annotations

import difflib
import json
import sys
from importlib.resources import files
from typing import Any

import click

from tokenizer_conformance.command_io.screen import width_of
from tokenizer_conformance.command_io.tables import laid_out, table
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.results.records.schema import FORMATS, schema_of

OTHERS = {
    "vectors-1.json": ("tokenizer_conformance", "a golden file of one tokenizer"),
    "ledger-1.json": ("tokenizer_conformance", "a ledger of known differences"),
    "suite-1.json": ("tokenizer_conformance", "a file of the suite"),
    "tokenizer-json.schema.json": ("tokenizer_conformance", "tokenizer.json, the file of tokenizers"),
    "protocol-1.json": ("tokenizer_adapters.protocol", "a line between tokconf and a program"),
}
"""What is no record: the package whose folder ``schemas`` has it, and what it describes."""


def execute(*, name: str | None) -> None:
    """Carry out ``tokconf formats``."""
    if name is None:
        click.echo("\n".join(laid_out(table(["schema", "describes", "version"], _rows()), width_of(sys.stdout))))
        return
    click.echo(json.dumps(schema_called(name), indent=2))


def schema_called(name: str) -> dict[str, Any]:
    """Return the JSON Schema in the file called ``name``. Raises ``click.UsageError`` where there is none."""
    if name in FORMATS:
        return schema_of(FORMATS[name])
    if name in OTHERS:
        read: dict[str, Any] = json.loads((files(OTHERS[name][0]) / "schemas" / name).read_text(encoding="utf-8"))
        return read
    close = difflib.get_close_matches(name, [*FORMATS, *OTHERS], n=1, cutoff=0.4)
    suggestion = f"; did you mean {close[0]}?" if close else "; tokconf formats lists them"
    raise click.UsageError(f"no schema is called {one_line(name)!r}{suggestion}")


def _rows() -> list[list[str]]:
    records = [[file, f"a line of a {each.name}", each.version] for file, each in FORMATS.items()]
    return [*records, *([file, what, ""] for file, (_, what) in OTHERS.items())]
