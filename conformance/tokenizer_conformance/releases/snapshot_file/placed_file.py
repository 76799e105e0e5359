"""A file that takes its place when it is whole: until then it grows beside it, and what was there stays."""

from __future__ import annotations

from pathlib import Path

from tokenizer_conformance.command_io.sinks import GrowingFile

PARTIAL = ".partial"
"""What the name of a file ends in that is not whole."""


def partial_of(path: Path) -> Path:
    """Return where the file for ``path`` is until it is whole.

    >>> partial_of(Path("before.jsonl.gz")).name
    'before.jsonl.gz.partial'
    """
    return Path(f"{path}{PARTIAL}")


class PlacedFile:
    """A file for ``path`` that is written beside it, under a name that ends in :data:`PARTIAL`.

    Opening raises ``OSError``, ``LockedError`` where another process writes it. :meth:`place` puts it there; one that
    was never placed stays beside it, and says so by its name.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.beside = partial_of(path)
        self._file = GrowingFile(self.beside)

    def keep(self, size: int) -> None:
        """Go on after the first ``size`` bytes of what is there."""
        self._file.keep(size)

    def write(self, data: bytes) -> None:
        """Add ``data``, or nothing. Raises ``OSError``."""
        self._file.write(data)

    def place(self) -> None:
        """Put the file in its place. Raises ``OSError``."""
        self.beside.replace(self.path)

    def discard(self) -> None:
        """Remove what was not placed, once nothing more is written. Raises ``OSError``."""
        self.beside.unlink(missing_ok=True)

    def close(self) -> None:
        """Write no more. Raises ``OSError``."""
        self._file.close()
