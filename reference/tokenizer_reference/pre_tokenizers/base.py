"""What every pre-tokenizer has in common, their stage, and the pre-tokenizer that a user writes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn, Protocol

from tokenizer_reference.arguments import instance
from tokenizer_reference.component import Component
from tokenizer_reference.errors import CallbackError, TokenizerReferenceError
from tokenizer_reference.stage import Stage
from tokenizer_reference.text.characters import WHITE_SPACE
from tokenizer_reference.text.remembered import Remembered
from tokenizer_reference.uncopyable import Uncopyable
from tokenizer_reference.values.lent_splits import PreTokenizedStringRefMut
from tokenizer_reference.values.pre_tokenized_string import PreTokenizedString

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.text.normalized_string import NormalizedString


PRE_TOKENIZER: Final[Stage[PreTokenizer]] = Stage(
    "pre-tokenizer",
    "BertPreTokenizer",
    "ByteLevel",
    "CharDelimiterSplit",
    "Metaspace",
    "Whitespace",
    "Sequence",
    "Split",
    "Punctuation",
    "WhitespaceSplit",
    "Digits",
    "UnicodeScripts",
    "FixedLength",
)
"""The stage, its classes in the order of the target's variants."""


class CustomPreTokenizer(Protocol):
    """An object with a method ``pre_tokenize``, of which :meth:`PreTokenizer.custom` makes a pre-tokenizer."""

    def pre_tokenize(self, pretok: PreTokenizedStringRefMut) -> object:
        """Cut the splits of ``pretok`` in place."""


class Piece(NamedTuple):
    """A piece of a word: its text, and what its characters stand for.

    Character i stands for the characters ``starts[i]`` to ``ends[i]`` of the word; without these, for ``begin + i``,
    where the first may have been ``inserted`` before the others: they stand for the same as the one after them.
    """

    text: str
    begin: int
    starts: Sequence[int] | None = None
    ends: Sequence[int] | None = None
    inserted: int = 0

    def alignment(self) -> tuple[Sequence[int], Sequence[int]]:
        """Return for each character where what it stands for begins and ends in the word."""
        if self.starts is not None and self.ends is not None:
            return self.starts, self.ends
        others = range(self.begin, self.begin + len(self.text) - self.inserted)
        starts = [self.begin] * self.inserted + list(others)
        return starts, [at + 1 for at in starts]

    def around(self, pieces: Iterable[Piece]) -> Iterator[Piece]:
        """Yield ``pieces`` of this piece as pieces of the word."""
        outer: tuple[Sequence[int], Sequence[int]] | None = None
        for inner in pieces:
            if self.starts is None and inner.starts is None and not self.inserted:
                yield Piece(inner.text, self.begin + inner.begin, None, None, inner.inserted)
                continue
            outer = outer or self.alignment()  # once for all pieces, which may be many
            starts, ends = inner.alignment()
            yield Piece(inner.text, 0, [outer[0][at] for at in starts], [outer[1][at - 1] for at in ends])


@dataclass(frozen=True, slots=True)
class Words:
    """A way to cut a text into words that a pre-tokenizer treats as if each were the whole text.

    - ``cut`` gives words that, one after the other, are the text; white space may be part of a word or be one. Raises
      :class:`NoWordsError` for a text of which that cannot be said.
    - ``pieces_of`` gives the pieces of one of these words. The pieces of a text are those of its words.
    - ``drops_white_space``: no piece has any white space, and the pieces stay the same if the text is cut where it has
      some, and that is left out.
    - ``are_pieces``: the words are the pieces, as they stand.
    - ``are_bytes``: each word is one piece, in which its bytes are spelled by GPT-2's byte alphabet.
    - ``written``: not the text is cut, but what this makes of one that is not empty, told whether it begins where the
      original does. Each character stands for the one in its place, counted from the end; those before for the first.
    """

    cut: Callable[[str], list[str]]
    pieces_of: Callable[[str], Iterable[Piece]]
    drops_white_space: bool = False
    are_pieces: bool = False
    are_bytes: bool = False
    written: Callable[[str, bool], str] | None = None


class NoWordsError(TokenizerReferenceError):
    """A text is not all of it in words."""


def whole(text: str) -> list[str]:
    """Return the text as its only word."""
    return [text] if text else []


def as_it_stands(word: str) -> list[Piece]:
    """Return a word as its only piece."""
    return [Piece(word, 0)]


UNCUT: Final = Words(whole, as_it_stands, are_pieces=True)
"""A text is one piece, as it stands."""


@dataclass(frozen=True, slots=True)
class Locality:
    """What a pre-tokenizer vouches for, so that its work can be done split by split, or word by word.

    The definition is ``PreTokenizer._pre_tokenize``. A pre-tokenizer that vouches for nothing (its ``_locality`` gives
    ``None``, which is the default) is never called but by the plain way.

    - ``pieces_of_split`` gives the pieces of one split that is not empty. Each split is cut by itself: neither the
      others nor its place in the text matter, and what it is aligned with stays aligned through :meth:`Piece.around`.
    - ``words`` says how a whole text can be cut; ``None`` where there is no way, or none is known.
    - ``asks_for_begin``: the place in the text does matter. So only ``words`` can be used, of what was not cut before.

    :func:`in_order` alone puts localities together, those of nested sequences included.
    """

    pieces_of_split: Callable[[str], Iterable[Piece]]
    words: Words | None = None
    asks_for_begin: bool = False


def in_order(localities: Iterable[Locality | None]) -> Locality | None:
    """Return the locality of pre-tokenizers one after the other; ``None`` where one vouches for nothing."""
    members: list[Locality] = []
    for each in localities:
        if each is None or (members and each.asks_for_begin):
            return None
        members.append(each)

    def pieces_of_split(split: str) -> Iterable[Piece]:
        return _cut_further([Piece(split, 0)], members)

    words: Words | None = UNCUT
    for each in members:
        words = None if words is None else _cut_further_by(each, words)
    return Locality(pieces_of_split, words, asks_for_begin=any(each.asks_for_begin for each in members))


def _cut_further_by(second: Locality, first: Words) -> Words | None:
    """Return how a text is cut by a pre-tokenizer with words, and then by another one."""
    if first is UNCUT:
        return second.words
    if not first.are_pieces or second.words is None or second.words.written is not None:
        return replace(
            first,
            pieces_of=lambda word: _cut_further(first.pieces_of(word), [second]),
            are_pieces=False,
            are_bytes=False,
        )
    cut = _cut_twice(first.cut, second.words.cut)
    return replace(second.words, cut=cut, drops_white_space=False, written=first.written)


def _cut_twice(first: Callable[[str], list[str]], second: Callable[[str], list[str]]) -> Callable[[str], list[str]]:
    if second is whole:
        return first
    cut = Remembered(lambda text: tuple(second(text)))
    return lambda text: [word for each in map(cut.__getitem__, first(text)) for word in each]


def _cut_further(pieces: Iterable[Piece], localities: Iterable[Locality]) -> Iterable[Piece]:
    for each in localities:
        pieces = [inner for piece in pieces for inner in piece.around(each.pieces_of_split(piece.text))]
    return pieces


class PreTokenizer(Component, ABC):
    """Cuts a text into the pieces that the model works on. Splits that already have tokens are left alone."""

    @staticmethod
    def custom(pretok: CustomPreTokenizer) -> PreTokenizer:
        """Return a pre-tokenizer that does what the method ``pre_tokenize`` of ``pretok`` does.

        It cannot be written to a file.
        """
        return Custom(pretok)

    def pre_tokenize(self, pretok: PreTokenizedString) -> None:
        """Cut the splits of ``pretok`` in place."""
        self._pre_tokenize(instance("pretok", pretok, PreTokenizedString))

    @abstractmethod
    def _pre_tokenize(self, pretok: PreTokenizedString) -> None:
        """Cut the splits of ``pretok`` in place."""

    def _locality(self) -> Locality | None:
        """Return what the pre-tokenizer vouches for as its options are now; ``None``, as here, for nothing."""
        return None

    def _pieces_of_split(self, split: str) -> Iterable[Piece]:
        """Return the pieces of one split, by the definition; empty ones are left out."""
        pretok = PreTokenizedString(split)
        self._pre_tokenize(pretok)
        for each in pretok.splits:
            text = each.normalized
            yield Piece(text.normalized, text.begin, *(() if text.is_aligned_one_to_one else text._alignment_lists()))

    def pre_tokenize_str(self, s: str) -> list[tuple[str, tuple[int, int]]]:
        """Return the pieces of ``s`` with their offsets: code points of ``s``, end exclusive."""
        pretok = PreTokenizedString(s)
        self._pre_tokenize(pretok)
        return [(text, offsets) for text, offsets, _ in pretok.get_splits()]

    @staticmethod
    def _read_any(value: JsonValue) -> PreTokenizer:
        return PRE_TOKENIZER.read(value)


class Custom(PreTokenizer, Uncopyable):
    """Hands the text to the method ``pre_tokenize`` of an object. Made by :meth:`PreTokenizer.custom`.

    What the method raises comes out as :class:`CallbackError`. The text is lent to the method, and cannot be used once
    that has returned.
    """

    def __init__(self, pretok: CustomPreTokenizer) -> None:
        self._object = pretok

    def _pre_tokenize(self, pretok: PreTokenizedString) -> None:
        try:
            with PreTokenizedStringRefMut.of(pretok) as lent:
                self._object.pre_tokenize(lent)
        except TokenizerReferenceError:
            raise
        except Exception as error:
            raise CallbackError(error) from error

    def _to_json(self) -> NoReturn:
        raise TokenizerReferenceError("Custom PreTokenizer cannot be serialized")


class Splitter(PreTokenizer):
    """A pre-tokenizer that cuts every split on its own.

    It vouches for that: one whose :meth:`_split` looks at more than the normalized text must say so in ``_locality``.
    """

    @abstractmethod
    def _split(self, text: NormalizedString) -> Iterable[NormalizedString]:
        """Return the pieces of one split; empty ones may be among them and are dropped. May change ``text``."""

    def _pre_tokenize(self, pretok: PreTokenizedString) -> None:
        pretok._replace_splits(lambda _, text: self._split(text))

    def _locality(self) -> Locality | None:
        return Locality(self._pieces_of_split, self._words())

    def _words(self) -> Words | None:
        """Return how a whole text can be cut; ``None``, as here, where there is no way."""
        return None


def without_blanks(word: str) -> list[Piece]:
    """Return what remains of ``word`` without the white space before it: one piece, or none."""
    text = word.lstrip(WHITE_SPACE)
    return [Piece(text, len(word) - len(text))] if text else []
