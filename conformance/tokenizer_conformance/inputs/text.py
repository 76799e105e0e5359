"""What is tokenized: single texts, and files of texts cut into lines, paragraphs or not at all."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.opening import decoded_lines
from tokenizer_conformance.inputs.paths import expanded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from tokenizer_conformance.inputs.places import Partition
    from tokenizer_conformance.inputs.remote import Location


@dataclass(frozen=True, slots=True)
class Input:
    r"""One text to tokenize, with an ``id`` that names it in every report and the ``category`` it stands for.

    Raises :class:`BadInputError` where ``text`` holds a lone surrogate: no encoding of Unicode can carry it, so it is
    not a text that implementations can be asked about.

    >>> Input("half an emoji", "emoji", "ab\ud83d")
    Traceback (most recent call last):
    tokenizer_conformance.errors.BadInputError: input 'half an emoji': character 2 is the lone surrogate U+D83D
    """

    id: str
    category: str
    text: str

    def __post_init__(self) -> None:
        position = lone_surrogate(self.text)
        if position is not None:
            code_point = ord(self.text[position])
            raise BadInputError(f"input {self.id!r}: character {position} is the lone surrogate U+{code_point:04X}")


def lone_surrogate(text: str) -> int | None:
    """Return the position (in code points) of the first surrogate in ``text``, ``None`` where there is none."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return error.start
    return None


class Split(StrEnum):
    """How a file of texts is cut into inputs."""

    LINE = "line"
    PARAGRAPH = "paragraph"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class TextFile:
    r"""A UTF-8 file of texts. Iterating reads it anew and yields its inputs, one line in memory at a time.

    A line ends at ``\n`` or ``\r\n``, which are not part of it; empty lines count and are inputs too. A paragraph is a
    run of lines that are not blank (a blank line holds nothing but spaces and tabs), joined by ``\n``. Ids are
    ``name:12`` for a line, ``name:12-15`` for a paragraph and ``name`` for the whole file; the category is ``name``. An
    input is in memory whole, whatever the size of the file: so ``FILE`` takes the whole file, and a line without end
    too. With a ``part``, only its lines are read.

    Iterating raises :class:`BadInputError` where the file cannot be read again and again, is empty, or is not UTF-8.
    """

    path: Location
    name: str
    splits: tuple[Split, ...] = (Split.LINE,)
    part: Partition | None = None

    def __iter__(self) -> Iterator[Input]:
        for split in self.splits:
            match split:
                case Split.LINE:
                    yield from self._as_lines()
                case Split.PARAGRAPH:
                    yield from self._as_paragraphs()
                case Split.FILE:
                    yield Input(self.name, self.name, "".join(decoded_lines(self.path)))

    def _as_lines(self) -> Iterator[Input]:
        first = 1 if self.part is None else self.part.first + 1
        for number, line in enumerate(decoded_lines(self.path, self.part), first):
            yield Input(f"{self.name}:{number}", self.name, _without_terminator(line))

    def _as_paragraphs(self) -> Iterator[Input]:
        lines: list[str] = []
        number = 0
        for number, line in enumerate(decoded_lines(self.path), 1):
            text = _without_terminator(line)
            if text.strip(" \t"):
                lines.append(text)
            elif lines:
                yield self._paragraph(lines, number - 1)
                lines = []
        if lines:
            yield self._paragraph(lines, number)

    def _paragraph(self, lines: Sequence[str], last: int) -> Input:
        return Input(f"{self.name}:{last - len(lines) + 1}-{last}", self.name, "\n".join(lines))


def _without_terminator(line: str) -> str:
    return line.removesuffix("\n").removesuffix("\r") if line.endswith("\n") else line


def text_files(paths: Iterable[Path], splits: Sequence[Split] = (Split.LINE,)) -> tuple[TextFile, ...]:
    """Return the files at ``paths`` once each, named by their file names, or by their paths where names collide."""
    unique = tuple(dict.fromkeys(expanded(str(path)) for path in paths))
    names = Counter(path.name for path in unique)
    return tuple(
        TextFile(path, path.name if names[path.name] == 1 else path.as_posix(), tuple(splits)) for path in unique
    )
