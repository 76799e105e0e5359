"""Entries of ledgers that a record names by their numbers, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.results.records.node import Node


def entry_place(header: Node, entry: Node) -> str:
    """Return the file and the line of the ``entry`` that a record with this ``header`` names.

    Raises :class:`ShapeError` for what names no entry.
    """
    names = [each.text("name") for each in header.nodes("ledgers")] if header.has("ledgers") else []
    number = entry.count("ledger")
    name = names[number] if number < len(names) else "a ledger"
    line = entry.node("line").as_count() if entry.holds("line") else None
    return f"entry {entry.count('entry'):,} of {name}" if line is None else f"{name}:{line}"


def stale_entries(header: Node, footer: Node | None) -> Iterator[str]:
    """Say which entries the ``footer`` calls stale: nothing is as they expect it any more."""
    if footer is not None and footer.has("stale"):
        for each in footer.nodes("stale"):
            yield f"Stale: the entry at {entry_place(header, each)} is about differences that are not there any more."


def named_entry(known: Node) -> str:
    """Return an entry that a record of an audit names whole, with its reason.

    Raises :class:`ShapeError` for what names no entry.
    """
    return f"{known.text('entry')}: {known.text('reason')}"


def stale_named_entries(footer: Node | None) -> Iterator[str]:
    """Say which entries the ``footer`` of an audit calls stale."""
    for each in footer.nodes("stale") if footer is not None else ():
        yield f"Stale: {named_entry(each)}"
