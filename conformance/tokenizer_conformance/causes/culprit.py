"""The culprit of a witness: what in its texts or ids the difference hangs on, as a pattern of classes.

A pattern of one class for each place of a text is found in other texts. Where the difference goes when every place that
fits is made harmless, the other text differs for the same cause: that experiment is made for each text that is counted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    After,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Normalize,
    Observation,
    PreTokenize,
    plain_of,
)
from tokenizer_conformance.causes.character_classes import ANY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_conformance.causes.character_classes import CharacterClass
    from tokenizer_conformance.causes.token_classes import TokenClass

HARMLESS = ("a", "", " ", "1")
"""What is put in the place of a culprit, one after the other: a difference need go with one of them only."""


@dataclass(frozen=True, slots=True)
class CharacterCulprit:
    """A run of characters, each of its class. ``is_whole``: it makes up the whole text, be it empty."""

    classes: tuple[CharacterClass, ...]
    is_whole: bool = False

    @property
    def is_general(self) -> bool:
        """Whether any text at all shows the difference."""
        return all(each.name == ANY for each in self.classes) and not (self.is_whole and not self.classes)

    @property
    def words(self) -> str:
        """The classes, in words."""
        if not self.classes:
            return "the empty text"
        return " + ".join(each.name for each in self.classes)

    def places(self, text: str) -> list[int]:
        """Return where in ``text`` (code points) the culprit begins."""
        length = len(self.classes)
        return [
            start
            for start in range(len(text) - length + 1)
            if all(each.holds(text[start + at]) for at, each in enumerate(self.classes))
        ]

    def harmless(self, text: str, instead: str) -> str:
        """Return ``text`` with ``instead`` in the place of the telling character of every culprit."""
        telling = self._telling()
        places = {start + telling for start in self.places(text)}
        return "".join(instead if at in places else character for at, character in enumerate(text))

    def _telling(self) -> int:
        """Return the place of the class that says most: the narrowest."""
        return min(
            range(len(self.classes)), key=lambda at: (not self.classes[at].is_alone, self.classes[at].name == ANY)
        )


def _generality(each: CharacterClass) -> int:
    """Return how much a class holds, as a rank."""
    return 2 if each.name == ANY else int(not each.is_alone)


@dataclass(frozen=True, slots=True)
class TokenCulprit:
    """A run of ids, each of its class."""

    classes: tuple[TokenClass, ...]

    @property
    def is_general(self) -> bool:
        """Whether any ids at all show the difference."""
        return all(each.name == "any token" for each in self.classes)

    @property
    def words(self) -> str:
        """The classes, in words."""
        return " + ".join(each.name for each in self.classes) or "no ids"

    def places(self, ids: tuple[int, ...]) -> list[int]:
        """Return where in ``ids`` the culprit begins."""
        length = len(self.classes)
        return [
            start
            for start in range(len(ids) - length + 1)
            if all(each.holds(ids[start + at]) for at, each in enumerate(self.classes))
        ]

    def harmless(self, ids: tuple[int, ...]) -> tuple[int, ...]:
        """Return ``ids`` without the telling id of every culprit."""
        telling = min(range(len(self.classes)), key=lambda at: not self.classes[at].is_alone)
        places = {start + telling for start in self.places(ids)}
        return tuple(number for at, number in enumerate(ids) if at not in places)


Culprit = CharacterCulprit | TokenCulprit


def is_in(culprit: Culprit, question: Observation) -> bool:
    """Tell whether ``question`` has the culprit anywhere."""
    match culprit, plain_of(question):
        case TokenCulprit(), Decode(ids) | DecodeStream(ids):
            return bool(culprit.places(ids))
        case CharacterCulprit(classes, is_whole), plain:
            texts = texts_in(plain)
            if is_whole and not classes:
                return "" in texts
            return any(culprit.places(text) for text in texts)
    return False


def without(culprit: Culprit, question: Observation) -> Iterator[Observation]:
    """Yield ``question`` with the culprit made harmless, in one way after the other."""
    match culprit:
        case TokenCulprit():
            yield with_ids(question, culprit.harmless)
        case CharacterCulprit(()):
            yield with_texts(question, lambda text: text or "a")
        case CharacterCulprit():
            for instead in HARMLESS:
                yield with_texts(question, lambda text, instead=instead: culprit.harmless(text, instead))  # type: ignore[misc]


# Questions -----------------------------------------------------------------------------------------------------------


def texts_in(question: Observation) -> tuple[str, ...]:
    """Return all texts of ``question``, words too; none where it is about ids.

    >>> texts_in(Encode(("a", "b"), "c"))
    ('a', 'b', 'c')
    """
    match plain_of(question):
        case Normalize(text) | PreTokenize(text):
            return (text,)
        case Encode(text, pair):
            return tuple(part for side in (text, pair) for part in ((side,) if isinstance(side, str) else side or ()))
        case EncodeBatch(inputs):
            return tuple(text for each in inputs for text in texts_in(each))
    return ()


def with_texts(question: Observation, change: Callable[[str], str]) -> Observation:
    """Return ``question`` with every text of it changed.

    >>> with_texts(Encode(("a", "b"), "c"), str.upper)
    Encode(text=('A', 'B'), pair='C', add_special_tokens=True)
    """
    match question:
        case After(changes, observation):
            changed = with_texts(observation, change)
            return question if isinstance(changed, After) else After(changes, changed)
        case Normalize(text) | PreTokenize(text):
            return replace(question, text=change(text))
        case Encode(text, pair):
            return replace(question, text=_side(text, change), pair=None if pair is None else _side(pair, change))
        case EncodeBatch(inputs):
            each = (with_texts(one, change) for one in inputs)
            return EncodeBatch(tuple(one for one in each if isinstance(one, Encode)))
    return question


def _side(side: str | tuple[str, ...], change: Callable[[str], str]) -> str | tuple[str, ...]:
    return change(side) if isinstance(side, str) else tuple(map(change, side))


def with_ids(question: Observation, change: Callable[[tuple[int, ...]], tuple[int, ...]]) -> Observation:
    """Return ``question`` with its ids changed, where it is about ids.

    >>> with_ids(Decode((1, 2)), lambda ids: ids[1:])
    Decode(ids=(2,), skip_special_tokens=True)
    """
    match question:
        case After(changes, observation):
            changed = with_ids(observation, change)
            return question if isinstance(changed, After) else After(changes, changed)
        case Decode(ids) | DecodeStream(ids):
            return replace(question, ids=change(ids))
    return question


def shape_of_question(question: Observation) -> str:
    """Return what kind of question it is, in words.

    >>> shape_of_question(Encode("a", "b")), shape_of_question(Encode("a", add_special_tokens=False))
    ('a pair', 'a text without special tokens')
    """
    match question:
        case After(changes, observation):
            return f"{shape_of_question(observation)}, after {', '.join(type(change).__name__ for change in changes)}"
        case Normalize():
            return "a text to normalize"
        case PreTokenize():
            return "a text to pre-tokenize"
        case Decode():
            return "ids"
        case DecodeStream():
            return "ids one by one"
        case EncodeBatch():
            return "a batch"
        case Encode(text, pair, special):
            of = "words" if not isinstance(text, str) else "a text"
            kind = of if pair is None else ("a pair" if of == "a text" else "a pair of words")
            return kind if special else f"{kind} without special tokens"
