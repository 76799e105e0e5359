"""The inputs that the options of a command name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.cli.read_files import input_files
from tokenizer_conformance.inputs.text import Split
from tokenizer_conformance.validation.running.preparation import all_sources, given_sources

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.command_io.outputs import ReadFile
    from tokenizer_conformance.inputs.sources import NamedSource
    from tokenizer_conformance.validation.running.preparation import Sources


@dataclass(frozen=True, slots=True)
class InputOptions:
    """The ``files`` of inputs with the ``column`` of tables and the ``splits`` of text, beside the ``builtin`` ones."""

    files: tuple[str, ...] = ()
    column: str | None = None
    builtin: bool = True
    splits: tuple[Split, ...] = (Split.LINE,)

    def read_files(self) -> Iterator[ReadFile]:
        """Yield the files that are read: no report may replace one."""
        return input_files(self.files)

    def given_sources(self) -> list[NamedSource]:
        """Return the sources that the files name. Raises :class:`click.UsageError` where none has the column."""
        return given_sources(self.files, self.column, self.splits)

    def sources(self) -> Sources:
        """Return where inputs come from. Raises :class:`click.UsageError` where there is nothing."""
        return all_sources(self.given_sources(), builtin=self.builtin)
