"""The ledgers that the options of a command name."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from tokenizer_conformance.command_io.output import BadInput, Report
from tokenizer_conformance.command_io.outputs import ReadFile
from tokenizer_conformance.command_io.standard_streams import complain, reason_of
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.ledger.entry import Entry, Place
from tokenizer_conformance.ledger.reader import LedgerError, joined, known_ledger, read_ledgers
from tokenizer_conformance.ledger.updating import appended

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_conformance.command_io.output import Consumer
    from tokenizer_conformance.ledger.matching import Ledger

E = TypeVar("E")

LEDGER_FILE = click.Path(path_type=Path)


@dataclass(frozen=True, slots=True)
class LedgerOptions:
    """The ledgers that were asked for: ``files``, that of the project (``known``), and one to ``update``."""

    files: tuple[Path, ...] = ()
    known: bool = True
    update: Path | None = None

    def read_files(self) -> Iterator[ReadFile]:
        """Yield the files that are read: no report may replace one."""
        for path in (*self.files, *filter(None, (self.update,))):
            yield ReadFile("a ledger", path)

    def ledger(self) -> Ledger:
        """Read them all, as one. Raises :class:`BadInput` with the last of what is wrong, once all else is said."""
        paths = [*self.files]
        try:
            if self.update is not None:
                if self.update.exists():
                    paths.append(self.update)
                _refuse_what_cannot_be_appended_to(self.update)
            given = read_ledgers(paths)
        except LedgerError as error:
            *others, last = error.problems
            for problem in others:
                complain(problem)
            raise BadInput(last) from error
        ledger = joined(known_ledger(), given) if self.known else given
        ledger.takes_new = self.update is not None
        return ledger

    def reports(self, make: Callable[[Path], Consumer[E]]) -> list[Report[E]]:
        """Return what writes to the one to update, which ``make`` makes; nothing where none was asked for."""
        return [] if self.update is None else [Report(repr(str(self.update)), make(self.update))]


def _refuse_what_cannot_be_appended_to(path: Path) -> None:
    """Raise :class:`BadInput` where nothing can be written at the end of the ledger at ``path``."""
    name = str(path)
    try:
        is_there = path.exists()
        if not is_there and not path.resolve().parent.is_dir():
            raise BadInput(f"ledger {name!r}: there is no folder for it; make the folder first")
        content = path.read_bytes() if path.is_file() else b""
        if path.is_file():
            with path.open("ab"):
                pass
    except OSError as error:
        raise BadInput(f"ledger {name!r}: {reason_of(error)}") from error
    try:
        appended(content.decode("utf-8"), [(Entry(implementation="x", reason="x", place=Place("", 0)), "")])
    except BadInputError as error:
        raise BadInput(f"ledger {name!r}: {error}") from error
    except (ValueError, RecursionError):
        return  # it is not TOML, not UTF-8, or nested too deeply: that is said when it is read
