"""The texts of a training, from files or from an iterator. Rules observed, tokenizers 0.23.3."""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tokenizer_reference.arguments import string
from tokenizer_reference.errors import TokenizerFileError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_READ_AT_ONCE: Final = 256
"""How many items of an iterator the target takes before it looks at them."""


class Texts(ABC):
    """The texts of a corpus, and how far they have been read.

    They end where reading fails: ``error`` is then why. The target trains on what came before, and raises it then.
    """

    stage: str
    """What reading them is called where progress is shown."""

    total: int | None
    """How much there is to read, if that is known."""

    done: int
    """How much has been read."""

    error: Exception | None

    def __iter__(self) -> Iterator[str]:
        self.done = 0
        self.error = None
        try:
            yield from self._texts()
        except Exception as error:  # noqa: BLE001 - it is raised after the training
            self.error = error

    @abstractmethod
    def _texts(self) -> Iterator[str]:
        """Yield the texts."""


class FileTexts(Texts):
    r"""The lines of files, with their ends; only ``\n`` ends a line. ``total`` and ``done`` are bytes.

    Raises :class:`TokenizerFileError` for a file that cannot be opened; a line that is not UTF-8 is an error while
    reading.
    """

    def __init__(self, files: Iterable[str]) -> None:
        self._files = list(files)
        self.total = sum(map(_size_of, self._files))
        self.done = 0
        self.stage = f"Pre-processing files ({self.total // 1_000_000} Mo)"

    def _texts(self) -> Iterator[str]:
        for file in self._files:
            with Path(file).open("rb") as lines:
                for number, line in enumerate(lines, 1):
                    self.done += len(line)
                    try:
                        yield line.decode()
                    except UnicodeDecodeError as error:
                        raise TokenizerFileError(
                            file, f"is not UTF-8: {error.reason} in line {number}, at byte {error.start} of it"
                        ) from None


def _size_of(file: str) -> int:
    try:
        with Path(file).open("rb") as opened:
            return opened.seek(0, 2)
    except OSError as error:
        raise TokenizerFileError(file, f"cannot be read: {error.strerror}") from error
    except ValueError as error:  # a NUL in the name
        raise TokenizerFileError(file, f"cannot be read: {error}") from error


class IteratorTexts(Texts):
    """The texts of an iterator, each item a text or an iterable of texts. ``total`` and ``done`` are texts.

    Items are taken 256 at a time: where the iterator raises an error, those taken since the last 256 are lost. Raises
    :class:`TypeError` for anything that cannot be iterated.
    """

    def __init__(self, items: Iterable[str | Iterable[str]], length: int | None = None) -> None:
        self.stage = "Pre-processing sequences"
        self._iterator = iter(items)
        self.total = length
        self.done = 0

    def _texts(self) -> Iterator[str]:
        while items := list(islice(self._iterator, _READ_AT_ONCE)):
            for item in items:
                for text in (item,) if isinstance(item, str) else item:
                    self.done += 1
                    yield string("a text of the iterator", text)
