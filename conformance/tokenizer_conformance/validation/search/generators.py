"""The generators of a search: those of all inputs, short texts for other options, changes of what showed a cause."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.text import lone_surrogate
from tokenizer_conformance.inputs.text_generators.generator import Generator, Material, Produced
from tokenizer_conformance.inputs.text_generators.table import GENERATORS

if TYPE_CHECKING:
    from collections.abc import Iterable

VARIED = "truncation-padding"
"""The generator whose texts are asked about copies of the tokenizer with another truncation or padding."""

PIECES = ("a", "be", "tea", "abate", "eat-tab", "é", "中", "😀", "1", ",", "...", "  ", 20 * "t")
"""What its texts are made of: words of one token and of several, in few letters, so that a small vocabulary does."""

MOST_ADDED = 8
"""How many added tokens of the file are among them."""

COUNTS = (0, 1, 2, 3, 5, 8, 13)
"""How many of them a text has: truncations are short, too."""


def _short(material: Material) -> Produced:
    added = [str(each["content"]) for each in material.document.get("added_tokens") or ()]
    pieces = (*PIECES, *added[:MOST_ADDED])

    def text(number: int) -> str:
        random = material.random(VARIED, number)
        return random.choice((" ", " ", "")).join(random.choices(pieces, k=random.choice(COUNTS)))

    return Produced(None, text)


VARIED_TEXTS = Generator(VARIED, "short texts, of the tokenizer with another truncation or padding", _short)

SEARCH_GENERATORS: tuple[Generator, ...] = (*GENERATORS, VARIED_TEXTS)
"""All of them, in the order in which they are tried first."""


# Changes: around a fault there are often others ----------------------------------------------------------------------

MOST_TEXTS = 256
"""How many texts are kept to be changed, the last ones."""

LONGEST_TEXT = 400
"""How many code points of a text are kept."""

MOST_STEPS = 4
"""How many changes are made to one text at most."""

INSERTED = (" ", "  ", "\n", "\t", "\u00a0", "\u0301", "\u200d", "\ufe0f", "\u3000", "a", "A", "0", "'", "-", "é", "ß")
"""What is put into a text beside what other texts have: spaces, marks, joiners, a letter, a digit, punctuation."""

LAST = 0x10FFFF

Change = Callable[[str, str, Random], str]
"""Makes another text of a text, with a second one to take from."""


def _without_a_part(text: str, _other: str, random: Random) -> str:
    start = random.randrange(len(text))
    return text[:start] + text[start + random.randint(1, 3) :]


def _with_a_part_of(text: str, other: str, random: Random) -> str:
    start, place = random.randrange(len(other)), random.randint(0, len(text))
    return text[:place] + other[start : start + random.randint(1, 8)] + text[place:]


def _with_something(text: str, _other: str, random: Random) -> str:
    place = random.randint(0, len(text))
    return text[:place] + random.choice(INSERTED) + text[place:]


def _with_a_neighbour(text: str, _other: str, random: Random) -> str:
    """Put a character in the place of another one whose code point is near."""
    place = random.randrange(len(text))
    near = ord(text[place]) + random.choice((-2, -1, 1, 2, 0x20, -0x20))
    return f"{text[:place]}{chr(max(0, min(near, LAST)))}{text[place + 1 :]}"


def _in_another_case(text: str, _other: str, random: Random) -> str:
    place = random.randrange(len(text))
    return text[:place] + text[place].swapcase() + text[place + 1 :]


def _repeated(text: str, _other: str, random: Random) -> str:
    start = random.randrange(len(text))
    end = start + random.randint(1, 4)
    return text[:end] + text[start:end] * random.randint(1, 4) + text[end:]


def _joined(text: str, other: str, random: Random) -> str:
    return f"{text}{random.choice(('', ' '))}{other}"


CHANGES: tuple[Change, ...] = (
    _without_a_part,
    _with_a_part_of,
    _with_something,
    _with_a_neighbour,
    _in_another_case,
    _repeated,
    _joined,
)


class ChangedTexts:
    """Changes of texts that were put in, drawn from a ``seed``."""

    def __init__(self, seed: int, texts: Iterable[str] = ()) -> None:
        self._seed = seed
        self._texts: deque[str] = deque(maxlen=MOST_TEXTS)
        for text in texts:
            self.put(text)

    def __bool__(self) -> bool:
        return bool(self._texts)

    def put(self, text: str) -> None:
        """Take in a text that has shown a cause."""
        kept = text[:LONGEST_TEXT]
        if kept and kept not in self._texts:
            self._texts.append(kept)

    def text(self, number: int) -> str:
        """Return text ``number``, made of what has been put in so far: the same again where that is the same."""
        random = Random(f"{self._seed}:changes:{number}")  # noqa: S311 - repeatable on purpose
        text = random.choice(self._texts)
        for _ in range(random.randint(1, MOST_STEPS)):
            changed = random.choice(CHANGES)(text, random.choice(self._texts), random) if text else ""
            text = changed if lone_surrogate(changed) is None else text
        return text[: 2 * LONGEST_TEXT]
