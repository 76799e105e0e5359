"""PreTokenizedString: a text cut into splits, which the model then fills with tokens."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING, Literal, TypeVar

from tokenizer_reference.arguments import function, instance, items, list_of, one_of, optional, unsigned_32
from tokenizer_reference.errors import CallbackError, TokenizerReferenceError
from tokenizer_reference.text.lent_string import NormalizedStringRefMut
from tokenizer_reference.text.normalized_string import NormalizedString
from tokenizer_reference.text.utf8 import byte_positions
from tokenizer_reference.uncopyable import Uncopyable
from tokenizer_reference.values.encoding import Encoding
from tokenizer_reference.values.token import Token
from tokenizer_reference.values.tokenization import Span, Tokenization

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    OffsetKind = Literal["char", "byte"]
    Detail = Literal["char", "byte", "none"]
    """What an encoding holds beside the ids: tokens, words, types and offsets of a kind, or none of them."""

    Positions = Callable[[str], list[int]]
    """What gives the bytes of the characters of a text, found once for each text."""

T = TypeVar("T")

_REFERENTIALS = one_of(("original", "normalized"))
_KINDS = one_of(("char", "byte"))


class Split:
    """A piece of the text, and its tokens once it has any (an added token has them from the start)."""

    __slots__ = ("normalized", "tokens")

    def __init__(self, normalized: NormalizedString, tokens: Tokenization | None = None) -> None:
        self.normalized = normalized
        self.tokens = tokens


class PreTokenizedString(Uncopyable):
    """The splits of one text, in order. Empty splits are dropped whenever the text is cut.

    What a function given to one of the methods raises comes out as :class:`CallbackError`.

    >>> text = PreTokenizedString("a b")
    >>> text.split(lambda index, split: split.split(" ", "removed"))
    >>> text.get_splits()
    [('a', (0, 1), None), ('b', (2, 3), None)]
    """

    __slots__ = ("original", "splits")

    def __init__(self, s: str) -> None:
        self.original = s
        self.splits = [Split(NormalizedString(s))]

    # What users call -------------------------------------------------------------------------------------------------

    def split(self, func: Callable[[int, NormalizedString], Iterable[NormalizedString]]) -> None:
        """Replace every split that has no tokens by the sequence of pieces that ``func(index, split)`` gives for it.

        The pieces are copied. Where ``func`` raises an error or gives anything else, no split is left.
        """
        function("func", func)

        def pieces(index: int, text: NormalizedString) -> list[NormalizedString]:
            given = items("the result of func", func(index, text))
            return [instance("a piece", piece, NormalizedString).duplicate() for piece in given]

        self._replace_splits(lambda index, text: _of_callback(lambda: pieces(index, text)))

    def normalize(self, func: Callable[[NormalizedStringRefMut], object]) -> None:
        """Let ``func`` change every split that has no tokens. A split is lent to it, for as long as the call lasts."""
        function("func", func)
        for split in self.splits:
            if split.tokens is None:
                with NormalizedStringRefMut.of(split.normalized) as lent:
                    _of_callback(lambda: func(lent))

    def tokenize(self, func: Callable[[str], list[Token]]) -> None:
        """Give every split that has no tokens those that ``func`` makes of its text (offsets in its UTF-8 bytes)."""
        function("func", func)
        for split in self.splits:
            if split.tokens is None:
                text = split.normalized.normalized
                tokens = _of_callback(lambda: list_of("the result of func", func(text), Token))  # noqa: B023
                split.tokens = Tokenization.of_tokens(text, tokens)

    def get_splits(
        self,
        offset_referential: Literal["original", "normalized"] = "original",
        offset_type: OffsetKind = "char",
    ) -> list[tuple[str, tuple[int, int], list[Token] | None]]:
        """Return (text, offsets, tokens) of every split.

        Offsets are over the original text, or over the concatenated normalized splits, in code points or UTF-8 bytes.
        Those of normalized splits in code points are right only where normalization has not moved any byte: the target
        takes bytes of the normalized text for bytes of the original one (observed, tokenizers 0.23.3).
        """
        _REFERENTIALS("offset_referential", offset_referential)
        _KINDS("offset_type", offset_type)
        positions_of = cache(byte_positions)
        positions = positions_of(self.original)
        spans: list[Span] = []
        if offset_referential == "original":
            for split in self.splits:
                text = split.normalized
                begin, size = text.begin, len(text.original)
                spans.append(self._offsets(text, (begin, begin + size), positions_of, offset_type))
        else:
            end = 0
            for split in self.splits:
                start, end = end, end + len(split.normalized.normalized.encode())
                spans.append((start, end) if offset_type == "byte" else characters_of_bytes((start, end), positions))
        return [
            (split.normalized.normalized, span, None if split.tokens is None else split.tokens.tokens())
            for split, span in zip(self.splits, spans, strict=True)
        ]

    def to_encoding(self, type_id: int = 0, word_idx: int | None = None) -> Encoding:
        """Return the encoding of splits that all have tokens.

        Word ids number the splits, added tokens included, unless ``word_idx`` is given. Offsets are code points of the
        original text. Raises :class:`TokenizerReferenceError` where a split has no tokens.
        """
        type_id = unsigned_32("type_id", type_id)
        word_idx = optional(unsigned_32)("word_idx", word_idx)
        if any(split.tokens is None for split in self.splits):
            raise TokenizerReferenceError("Split has not been tokenized, call `PreTokenizedString.tokenize` first")
        return self._encoding(type_id, word_idx, "char")

    # What the pipeline calls -----------------------------------------------------------------------------------------

    def _replace_splits(self, func: Callable[[int, NormalizedString], Iterable[NormalizedString | Split]]) -> None:
        """Replace every split that has no tokens by what ``func(index, split)`` gives for it.

        While it works, and after an error, there are no splits.
        """
        old, self.splits = self.splits, []
        splits: list[Split] = []
        for index, split in enumerate(old):
            if split.tokens is not None:
                splits.append(split)
                continue
            for piece in func(index, split.normalized):
                new = Split(piece) if isinstance(piece, NormalizedString) else piece
                if new.normalized.normalized:
                    splits.append(new)
        self.splits = splits

    def _offsets(self, text: NormalizedString, span: Span, positions_of: Positions, offset_type: OffsetKind) -> Span:
        """Return the offsets for a range of characters of the source of ``text``.

        The source of a piece that a function of the user has made is another text. The target takes its bytes for bytes
        of this one (observed, tokenizers 0.23.3).
        """
        if text.source == self.original:
            return span if offset_type == "char" else _picked(positions_of(self.original), span)
        in_bytes = _picked(positions_of(text.source), span)
        return in_bytes if offset_type == "byte" else characters_of_bytes(in_bytes, positions_of(self.original))

    def _encoding(self, type_id: int, word: int | None, detail: Detail) -> Encoding:
        """Return the encoding of splits that all have tokens, in as much detail as is asked for."""
        if detail != "none":
            return self._full_encoding(type_id, word, detail)
        ids = [id for split in self.splits if split.tokens is not None for id in split.tokens.ids]
        size = len(ids)
        return Encoding._of(ids=ids, tokens=[""] * size, offsets=[(0, 0)] * size)

    def _full_encoding(self, type_id: int, word: int | None, offset_type: OffsetKind) -> Encoding:
        """Return the encoding with tokens, words and offsets.

        A token's byte range in its split is taken to the characters it lies in, and these through the alignment to the
        original text.
        """
        ids: list[int] = []
        tokens: list[str] = []
        words: list[int | None] = []
        offsets: list[Span] = []
        own = self.original
        positions_of = cache(byte_positions)
        positions = positions_of(own) if offset_type == "byte" else None
        for index, split in enumerate(self.splits):
            made = split.tokens
            if made is None:
                continue
            ids += made.ids
            tokens += made.values
            text = split.normalized
            number = index if word is None else word
            is_foreign = text.source != own
            for at, char_span in enumerate(made.char_spans):
                words.append(number)
                if char_span is None:
                    in_bytes = _irregular_bytes(text, made.spans[at], positions_of)
                    is_in_bytes = offset_type == "byte"
                    offsets.append(in_bytes if is_in_bytes else characters_of_bytes(in_bytes, positions_of(own)))
                elif is_foreign:
                    offsets.append(self._offsets(text, text.original_range(*char_span), positions_of, offset_type))
                elif positions is None:
                    offsets.append(text.original_range(*char_span))
                else:
                    offsets.append(_picked(positions, text.original_range(*char_span)))
        return Encoding._of(ids=ids, tokens=tokens, offsets=offsets, words=words, type_ids=[type_id] * len(ids))


def _of_callback(call: Callable[[], T]) -> T:
    """Return what a function of the user gives. Raises :class:`CallbackError` for what it raises, or gives wrongly."""
    try:
        return call()
    except TokenizerReferenceError:
        raise
    except Exception as error:
        raise CallbackError(error) from error


def _picked(positions: list[int], span: Span) -> Span:
    start, end = span
    return positions[start], positions[end]


def _irregular_bytes(text: NormalizedString, span: Span, positions_of: Positions) -> Span:
    """Return the bytes of the original text for a token whose byte range is empty or leaves its split, ``text``.

    The target takes an empty range as a position in the original text, counted from the split's start, and a range that
    leaves the split as one counted from the start of the whole text (observed).
    """
    start, end = span
    if start != end:
        return span
    shift = positions_of(text.source)[text.begin]
    return start + shift, end + shift


def characters_of_bytes(span: Span, positions: list[int]) -> Span:
    """Return the characters for a range of bytes of a text, of which ``positions`` are the characters' bytes.

    In the target's table every byte of a character stands for that character. Where it has no entry for the start, the
    range stays as it is; where it has none for the end, that is one more than what it has for the byte before, or else
    two more than the start's (observed).

    >>> positions = byte_positions("éa")
    >>> [characters_of_bytes(span, positions) for span in ((0, 2), (2, 3), (1, 9))]
    [(0, 1), (1, 2), (0, 2)]
    >>> characters_of_bytes((3, 4), positions)
    (3, 4)
    """
    first, last = (_character_of_byte(byte, positions) for byte in span)
    if first is None:
        return span
    if last is not None:
        return first, last
    before = _character_of_byte(span[1] - 1, positions)
    return first, (first + 1 if before is None else before) + 1


def _character_of_byte(byte: int, positions: list[int]) -> int | None:
    """Return the character that a byte is of; ``None`` where the text has no such byte."""
    return bisect_right(positions, byte) - 1 if 0 <= byte < positions[-1] else None
