"""Appending entries to a ledger that people write too: what stands there stays as it is."""

from __future__ import annotations

import os
import tomllib
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tokenizer_adapters.environments.words import known_as
from tokenizer_conformance.command_io.events import Finished
from tokenizer_conformance.command_io.standard_streams import complain
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.ledger.entry import Entry, Place
from tokenizer_conformance.ledger.updating import appended
from tokenizer_conformance.ledger.versions import range_of
from tokenizer_conformance.plural import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from tokenizer_adapters.contract import ImplementationInfo

E = TypeVar("E")

NOWHERE = Place("", 0)
"""The place of an entry that is not written yet."""


class LedgerUpdate(ABC, Generic[E]):
    """Appends an entry without a reason to the ledger at ``path`` for each new difference, when a command is over.

    What one entry says of several differences stands there once.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._new: dict[Entry, str] = {}

    @abstractmethod
    def entries_of(self, event: E) -> Iterable[tuple[Entry, str]]:
        """Return an entry for each new difference in ``event``, with a comment."""

    def add(self, entries: Iterable[tuple[Entry, str]]) -> None:
        """Add ``entries``, each with a comment, to those that are written in the end."""
        for entry, comment in entries:
            self._new.setdefault(entry, comment)

    def handle(self, event: E) -> None:
        """Take in ``event``; at the end, write. Raises ``OSError`` where that cannot be done."""
        self.add(self.entries_of(event))
        if isinstance(event, Finished):
            append_entries(self._path, list(self._new.items()))


def new_entry(info: ImplementationInfo, **selectors: Any) -> Entry:
    """Return an entry about the implementation ``info``, in its version, that says no reason yet."""
    return Entry(
        implementation=known_as(info.name), version=range_of(info.version), reason="", place=NOWHERE, **selectors
    )


def append_entries(path: Path, entries: Sequence[tuple[Entry, str]]) -> None:
    """Append ``entries``, each with a comment, to the ledger at ``path``, and say that their reasons are missing.

    Raises ``OSError`` where that cannot be done.
    """
    try:
        content = path.read_text(encoding="utf-8") if path.exists() else ""
        text = appended(content, entries)
    except (BadInputError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise OSError(f"it is no longer a ledger that can be added to: {error}") from error
    if text != content:
        _append(path, text[len(content) :])
    if entries:
        complain(
            f"{counted(len(entries), 'new difference')} written to {str(path)!r}: say in `reason` why each is known; "
            "until then the ledger is refused"
        )


def _append(path: Path, text: str) -> None:
    """Append ``text`` to the file at ``path``, whole or not at all."""
    with path.open("ab") as file:
        size = file.tell()
        try:
            file.write(text.encode("utf-8"))
            file.flush()
        except OSError:
            os.truncate(path, size)
            raise
