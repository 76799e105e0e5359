"""Hugging Face datasets as tables, streamed by ``datasets`` where that is installed.

A split is named ``datasets:NAME:SPLIT`` or ``datasets:NAME:CONFIG:SPLIT``. NAME is that of a repository on the hub,
``OWNER/NAME`` or ``OWNER/NAME@REVISION``, or the path of a local folder, which needs no network.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.hub import quiet_hub
from tokenizer_conformance.inputs.paths import expanded
from tokenizer_conformance.inputs.rows import Column, columns_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PREFIX = "datasets:"
INSTALL = "pip install 'tokenizer-conformance[datasets]'"
FORM = f"{PREFIX}NAME:SPLIT or {PREFIX}NAME:CONFIG:SPLIT"

SAMPLE = 100
"""How many rows tell which columns there are."""


def is_dataset(word: str) -> bool:
    """Return whether ``word`` names a split of a dataset."""
    return word.startswith(PREFIX)


@dataclass(frozen=True)
class DatasetTable:
    """The split that ``word`` names."""

    word: str
    row: str = "row"

    def __reduce__(self) -> tuple[type[DatasetTable], tuple[str]]:
        return DatasetTable, (self.word,)

    @property
    def name(self) -> str:
        """What ids begin with: the word without its prefix."""
        return self.word.removeprefix(PREFIX)

    @property
    def title(self) -> str:
        """What messages call it."""
        return f"dataset {self.word!r}"

    def local_folder(self) -> Path | None:
        """Return the folder that the dataset is in, ``None`` where it is on the hub."""
        path = expanded(self._parts[0])
        return path if path.is_dir() else None

    def columns(self) -> list[Column]:
        """Return the columns of the first rows."""
        return columns_of([row for _, row in islice(self.rows(""), SAMPLE)])

    def rows(self, column: str) -> Iterator[tuple[int, object]]:
        """Yield the rows, as they come."""
        dataset = self._dataset
        outer = column.partition(".")[0]
        if column and dataset.column_names:
            # What is not asked for is not decoded: images and sound take their time.
            names = [name for name in (column, outer) if name in dataset.column_names]
            dataset = dataset.select_columns(names[:1]) if names else dataset
        rows = iter(dataset)
        number = 0
        while True:
            try:
                row = next(rows)
            except StopIteration:
                return
            except Exception as error:  # whatever the reader of the format raises
                raise self._refusal(error) from error
            number += 1
            yield number, row

    @cached_property
    def _parts(self) -> tuple[str, str | None, str]:
        """The name, the configuration and the split."""
        rest, _, split = self.name.rpartition(":")
        name, colon, config = rest.rpartition(":")
        if not colon or expanded(rest).exists():
            name, config = rest, ""
        if not name or not split or (colon and not config and not expanded(rest).exists()):
            raise BadInputError(f"{self.title} is not of the form {FORM}")
        return name, config or None, split

    @cached_property
    def _dataset(self) -> Any:
        name, config, split = self._parts
        library = _library()
        library.disable_progress_bars()
        library.logging.set_verbosity_error()
        folder = self.local_folder()
        revision = None if folder else name.partition("@")[2] or None
        path = str(folder) if folder else name.partition("@")[0]
        try:
            with quiet_hub():
                return library.load_dataset(path, config, split=split, revision=revision, streaming=True)
        except Exception as error:  # whatever the readers and the connection to the hub raise
            raise self._refusal(error) from error

    def _refusal(self, error: BaseException) -> BadInputError:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        return BadInputError(f"{self.title} cannot be read: {' '.join(line.strip() for line in lines)}")


def _library() -> Any:
    try:
        return importlib.import_module("datasets")
    except ImportError as error:
        raise BadInputError(f"{PREFIX} needs datasets, which is not installed; install it with: {INSTALL}") from error
