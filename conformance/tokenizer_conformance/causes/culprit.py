"""The culprit of a witness: what in its texts or ids the difference depends on, as a pattern of classes.

A pattern of one class for each place of a text is found in other texts. Where the difference goes when every place that
fits is made harmless, the other text differs for the same cause: that experiment is made for each text that is counted.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    After,
    Chat,
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
from tokenizer_conformance.causes.token_classes import ANY_TOKEN
from tokenizer_conformance.comparison.questions import texts_in, with_ids, with_sides, with_texts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.causes.character_classes import CharacterClass
    from tokenizer_conformance.causes.token_classes import TokenClass

HARMLESS = ("a", "", " ", "1")
"""What is put in the place of a culprit, one after the other: a difference need go with one of them only."""


@dataclass(frozen=True, slots=True)
class CharacterCulprit:
    """A run of characters, each of its class. ``is_whole``: it must make up the whole text.

    ``is_together``: what each place alone may be, all places may be at once. Of two letters that must not be alike each
    may be any letter, and both together may not.
    """

    classes: tuple[CharacterClass, ...]
    is_whole: bool = False
    is_together: bool = True

    @property
    def is_general(self) -> bool:
        """Whether any text at all shows the difference."""
        return not self.is_whole and self.is_together and all(each.name == ANY for each in self.classes)

    @property
    def tells(self) -> bool:
        """Whether the culprit tells texts that show the difference from others."""
        return self.is_general or self.is_whole or any(each.name != ANY for each in self.classes)

    @property
    def words(self) -> str:
        """The classes, in words; characters that stand for themselves alone are quoted where they can be."""
        if not self.classes:
            return "the empty text" if self.is_whole else "any text"
        return " + ".join(_in_words(self.classes))

    def places(self, text: str) -> list[int]:
        """Return where in ``text`` (code points) the culprit begins."""
        length = len(self.classes)
        if self.is_whole and len(text) != length:
            return []
        return [
            start
            for start in range(len(text) - length + 1)
            if all(each.holds(text[start + at]) for at, each in enumerate(self.classes))
        ]

    def is_in(self, text: str) -> bool:
        """Return whether ``text`` has the culprit anywhere."""
        return bool(self.places(text))

    def harmless(self, text: str) -> Iterator[str]:
        """Yield ``text`` with another character in the place of the telling one of every culprit; or without it."""
        if not self.classes:
            yield text or "a"
            return
        telling = min(range(len(self.classes)), key=lambda at: _generality(self.classes[at]))
        places = {start + telling for start in self.places(text)}
        for instead in HARMLESS:
            yield "".join(instead if at in places else character for at, character in enumerate(text))

    def core(self) -> CharacterCulprit:
        """Return the one character of the culprit that stands for itself, where all others are any of a class."""
        alone = [each for each in self.classes if each.is_alone]
        return CharacterCulprit((alone[0],)) if len(alone) == 1 and not self.is_whole else self


def _in_words(classes: tuple[CharacterClass, ...]) -> Iterator[str]:
    """Yield what to say of ``classes``: runs of printable ASCII as one text."""
    for is_plain, run in groupby(classes, key=_is_plain):
        if is_plain:
            yield json.dumps("".join(each.members[0] for each in run))
        else:
            yield from (each.name for each in run)


def _is_plain(each: CharacterClass) -> bool:
    return each.is_alone and each.members[0].isascii() and each.members[0].isprintable()


@dataclass(frozen=True, slots=True)
class LengthCulprit:
    """Texts of ``length`` code points and more, whatever they are made of."""

    length: int

    is_general = False
    tells = True
    words = "long texts"


def _generality(each: CharacterClass) -> int:
    """Return how much a class holds, as a rank."""
    return 2 if each.name == ANY else int(not each.is_alone)


@dataclass(frozen=True, slots=True)
class TokenCulprit:
    """A run of ids, each of its class. ``is_together``: what each place alone may be, all places may be at once."""

    classes: tuple[TokenClass, ...]
    is_together: bool = True

    @property
    def is_general(self) -> bool:
        """Whether any ids at all show the difference."""
        return self.is_together and all(each.name == ANY_TOKEN for each in self.classes)

    @property
    def tells(self) -> bool:
        """Whether the culprit tells ids that show the difference from others."""
        return self.is_general or any(each.name != ANY_TOKEN for each in self.classes)

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


@dataclass(frozen=True, slots=True)
class ConversationCulprit:
    """A conversation, in ``words``; what in it shows a difference only its reason tells."""

    words: str

    is_general = False
    tells = False


Culprit = CharacterCulprit | LengthCulprit | TokenCulprit | ConversationCulprit


MOST_CHUNKS = 64
"""Texts that are cut into more are taken as they are."""


def is_in(culprit: Culprit, question: Observation) -> bool:
    """Return whether ``question`` has the culprit anywhere."""
    match culprit, plain_of(question):
        case TokenCulprit(), Decode(ids) | DecodeStream(ids):
            return bool(culprit.places(ids))
        case LengthCulprit(length), plain:
            # What is long in one script need not be in another: the experiment tells.
            return 4 * sum(map(len, texts_in(plain))) >= length
        case CharacterCulprit(), plain:
            return any(map(culprit.is_in, texts_in(plain)))
    return False


def without(culprit: Culprit, question: Observation) -> Iterator[tuple[Observation, ...]]:
    """Yield what to ask in the place of ``question`` for the culprit to be gone, in one way after the other.

    It is gone where none of the questions of one way shows a difference. A text that is too long is cut into parts, so
    that whatever else is in it is still asked about.
    """
    match culprit:
        case TokenCulprit():
            yield (with_ids(question, culprit.harmless),)
        case LengthCulprit(length):
            chunks = tuple(_chunks(question, max(4, length // 4)))
            if len(chunks) <= MOST_CHUNKS:
                yield chunks
        case CharacterCulprit():
            ways = {text: list(culprit.harmless(text)) for text in texts_in(question)}
            for number in range(max(map(len, ways.values()), default=0)):
                yield (with_texts(question, lambda text, number=number: ways[text][number] if text in ways else text),)  # type: ignore[misc]


def _chunks(question: Observation, most: int) -> Iterator[Observation]:
    """Yield ``question`` about ``most`` code points of each of its texts at a time; of words, about one at a time."""
    number = max((_count(text, most) for text in texts_in(question)), default=0)
    plain = plain_of(question)
    words = max((len(side) for side in _sides(plain) if isinstance(side, tuple)), default=1)
    for word in range(min(words, MOST_CHUNKS + 1)):
        at_word = with_sides(question, partial(_one_word, word))
        for at in range(min(number, MOST_CHUNKS + 1)):
            yield with_texts(at_word, partial(_chunk, most, at))


def _one_word(at: int, side: str | tuple[str, ...]) -> str | tuple[str, ...]:
    return side[at : at + 1] if isinstance(side, tuple) else side


def _chunk(most: int, at: int, text: str) -> str:
    return text[at * most : (at + 1) * most]


def _count(text: str, most: int) -> int:
    return -(-len(text) // most)


def _sides(question: Observation) -> tuple[str | tuple[str, ...], ...]:
    """Return the texts of an encoding as they are given: each a text, or words."""
    match question:
        case Encode(text, pair):
            return (text,) if pair is None else (text, pair)
        case EncodeBatch(inputs):
            return tuple(side for each in inputs for side in _sides(each))
    return ()


# Questions -----------------------------------------------------------------------------------------------------------


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
        case Chat():
            return "a conversation"
        case EncodeBatch():
            return "a batch"
        case Encode(text, pair, special):
            of = "words" if not isinstance(text, str) else "a text"
            kind = of if pair is None else ("a pair" if of == "a text" else "a pair of words")
            return kind if special else f"{kind} without special tokens"
