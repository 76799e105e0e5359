"""Appending entries to a ledger that people write too: what stands there stays as it is."""

from __future__ import annotations

import os
import tomllib
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.standard_streams import complain
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.ledger.entry import Place
from tokenizer_conformance.ledger.updating import appended
from tokenizer_conformance.plural import counted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tokenizer_conformance.ledger.entry import Entry

NOWHERE = Place("", 0)
"""The place of an entry that is not written yet."""


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
