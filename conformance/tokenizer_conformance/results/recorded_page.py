"""The page of a record: what makes it of typed lines, and what the pages of all records have in common."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from tokenizer_conformance.results.page import Fact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tokenizer_conformance.results.page import Page
    from tokenizer_conformance.results.records.ending import Ended
    from tokenizer_conformance.results.records.format import Format
    from tokenizer_conformance.results.records.headers import Environment, NamedEntry
    from tokenizer_conformance.results.records.value import Value


class PageReader(Protocol):
    """Makes a page of the lines of one record. ``complaints`` say, as lines come, what cannot be used."""

    complaints: list[str]

    def take(self, line: Value) -> None:
        """Take in a ``line``. Raises ``ValueError`` where a value is none that this release knows."""

    def page(self, ended: Ended) -> Page:
        """Return the page of all lines that are in; ``ended`` is how the command came to its end. Raises the same."""


@dataclass(frozen=True, slots=True)
class RecordedPage:
    """A kind of record: ``noun`` is what it is the record of, ``title`` what its page in Markdown is called.

    ``reader`` makes what reads a record called so, with that header.
    """

    noun: str
    title: str
    format: Format
    reader: Callable[[str, Any], PageReader]


def entry_words(entry: NamedEntry) -> str:
    """Return an entry of a ledger with its reason."""
    return f"{entry.entry}: {entry.reason}"


def stale_words(entries: Iterable[NamedEntry]) -> Iterator[str]:
    """Say which entries are stale."""
    return (f"Stale: {entry_words(each)}" for each in entries)


def environment_facts(environment: Environment) -> Iterator[Fact]:
    """Yield the command of a record, and where and when it ran."""
    yield Fact("command", shlex.join(environment.command), is_detail=True)
    made_by = f"tokconf {environment.tokconf}, {environment.python}, {environment.platform}"
    yield Fact("made by", made_by, is_detail=True)
    yield Fact("started", environment.started, is_detail=True)
