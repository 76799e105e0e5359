"""``tokconf classes``: the classes of reasons for differences, and what proves that a difference is in one."""

from __future__ import annotations

import difflib
import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from tokenizer_conformance.causes.cause import UNEXPLAINED
from tokenizer_conformance.causes.classes.table import CLASSES, CLASSES_BY_NAME
from tokenizer_conformance.command_io.screen import width_of
from tokenizer_conformance.command_io.tables import laid_out, table
from tokenizer_conformance.command_io.wrapping import wrapped
from tokenizer_conformance.escape import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_conformance.causes.classes.table import ReasonClass

SCHEMA = "tokenizer-conformance-classes"
SCHEMA_VERSION = "1.0"

LABEL = len("proven by  ")


def execute(*, name: str | None, as_json: bool) -> None:
    """Carry out ``tokconf classes``."""
    if name is not None and name not in CLASSES_BY_NAME:
        raise click.UsageError(_unknown(name))
    chosen = CLASSES if name is None else (CLASSES_BY_NAME[name],)
    if as_json:
        click.echo(as_document(chosen))
        return
    width = width_of(sys.stdout)
    click.echo("\n".join(as_list(chosen, width) if name is None else told(chosen[0], width)))


def as_list(classes: Sequence[ReasonClass], width: int | None) -> list[str]:
    """Return the lines of a table of ``classes``, ``width`` cells wide at most."""
    rows = [[each.name, "acceptable" if each.is_acceptable else "", each.title] for each in classes]
    lines = laid_out(table(["class", "", "what differs"], rows), width)
    rest = f"What no class explains is called {UNEXPLAINED}. What proves a class: tokconf classes NAME"
    return [*lines, "", *wrapped(rest, width, 0)]


def told(reason_class: ReasonClass, width: int | None) -> list[str]:
    """Return the lines that tell all about one class."""
    heading = f"{reason_class.name}: {reason_class.title}"
    acceptable = "acceptable: both answers are right" if reason_class.is_acceptable else "a difference to be mended"
    labelled = [
        ("means", reason_class.meaning),
        ("proven by", reason_class.proven_by),
        ("counts as", acceptable),
        ("whose", reason_class.whose.value),
    ]
    return [heading, *(line for label, text in labelled for line in wrapped(f"{label:<{LABEL}}{text}", width, LABEL))]


def as_document(classes: Sequence[ReasonClass]) -> str:
    """Return ``classes`` as one JSON document."""
    document = {"schema": SCHEMA, "version": SCHEMA_VERSION, "classes": [asdict(each) for each in classes]}
    return json.dumps(document, indent=2)


def _unknown(name: str) -> str:
    close = difflib.get_close_matches(name, CLASSES_BY_NAME, n=1)
    suggestion = f"; did you mean {close[0]}?" if close else "; tokconf classes lists them"
    return f"no class is called {one_line(name)!r}{suggestion}"
