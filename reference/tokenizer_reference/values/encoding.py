"""Encoding: what a tokenizer makes of its input, tokens in columns with what goes with each.

The lists inside an encoding are never changed in place, only replaced: encodings that come out of one another can share
them, and a copy costs nothing. All rules observed, tokenizers 0.23.3.
"""

from __future__ import annotations

import json
import warnings
from bisect import bisect_right
from functools import reduce
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from tokenizer_reference.arguments import boolean, ignore_unknown, instance, items, string, unsigned_32, unsigned_64
from tokenizer_reference.errors import TokenizerReferenceError, UpstreamPanicError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

T = TypeVar("T")

Direction = Literal["left", "right"]
Offsets = tuple[int, int]
Range = tuple[int, int]


class Encoding:
    """Tokens in columns of equal length, the parts that truncation cut off, and which tokens belong to which input.

    ``offsets`` count code points of the original text, end exclusive.

    A *sequence range* says which tokens belong to input 0, 1, … . An encoding may have none: it is then all one input.
    """

    __slots__ = (
        "__dict__",
        "_attention_mask",
        "_ids",
        "_indices",
        "_offsets",
        "_overflowing",
        "_sequence_ranges",
        "_special_tokens_mask",
        "_tokens",
        "_type_ids",
        "_words",
    )

    def __init__(self) -> None:
        self._ids: list[int] = []
        self._type_ids: list[int] = []
        self._tokens: list[str] = []
        self._words: list[int | None] = []
        self._offsets: list[Offsets] = []
        self._special_tokens_mask: list[int] = []
        self._attention_mask: list[int] = []
        self._overflowing: list[Encoding] = []
        self._sequence_ranges: dict[int, Range] = {}

    @classmethod
    def _of(
        cls,
        *,
        ids: list[int],
        tokens: list[str],
        offsets: list[Offsets],
        words: list[int | None] | None = None,
        type_ids: list[int] | None = None,
        special_tokens_mask: list[int] | None = None,
        attention_mask: list[int] | None = None,
        overflowing: list[Encoding] | None = None,
        sequence_ranges: dict[int, Range] | None = None,
    ) -> Encoding:
        """Return an encoding that keeps these very lists.

        Left out: words are all ``None``, types and special mask 0, attention 1, no overflow, no ranges.
        """
        encoding = cls.__new__(cls)
        size = len(ids)
        encoding._ids = ids
        encoding._type_ids = [0] * size if type_ids is None else type_ids
        encoding._tokens = tokens
        encoding._words = [None] * size if words is None else words
        encoding._offsets = offsets
        encoding._special_tokens_mask = [0] * size if special_tokens_mask is None else special_tokens_mask
        encoding._attention_mask = [1] * size if attention_mask is None else attention_mask
        encoding._overflowing = [] if overflowing is None else overflowing
        encoding._sequence_ranges = {} if sequence_ranges is None else sequence_ranges
        return encoding

    # Columns ---------------------------------------------------------------------------------------------------------

    @property
    def ids(self) -> list[int]:
        """The id of each token."""
        return self._ids.copy()

    @property
    def type_ids(self) -> list[int]:
        """The type (segment) of each token."""
        return self._type_ids.copy()

    @property
    def tokens(self) -> list[str]:
        """The text of each token, as the vocabulary writes it."""
        return self._tokens.copy()

    @property
    def word_ids(self) -> list[int | None]:
        """The number of the word that each token is part of, counted within its input; ``None`` for added tokens."""
        return self._words.copy()

    @property
    def words(self) -> list[int | None]:
        """The same as :attr:`word_ids`, by its old name: gives a :class:`DeprecationWarning`."""
        warnings.warn("`Encoding.words` is now called `word_ids`", DeprecationWarning, stacklevel=2)
        return self._words.copy()

    @property
    def offsets(self) -> list[Offsets]:
        """The code points of the original text that each token stands for, end exclusive."""
        return self._offsets.copy()

    @property
    def special_tokens_mask(self) -> list[int]:
        """1 for tokens put there by a post-processor or by padding, else 0 (special tokens in the text have 0)."""
        return self._special_tokens_mask.copy()

    @property
    def attention_mask(self) -> list[int]:
        """0 for padding, else 1."""
        return self._attention_mask.copy()

    @property
    def overflowing(self) -> list[Encoding]:
        """The parts that truncation cut off."""
        return [part._copy() for part in self._overflowing]

    @property
    def n_sequences(self) -> int:
        """How many inputs the encoding stands for: the number of ranges, or 1 where there are none."""
        return len(self._sequence_ranges) or 1

    @property
    def sequence_ids(self) -> list[int | None]:
        """The number of the input that each token belongs to, ``None`` for tokens of no input.

        Inputs are numbered from 0 to :attr:`n_sequences`; a number without a range stands for the whole encoding, and
        later numbers overwrite earlier ones. Raises :class:`UpstreamPanicError` for a range past the end.
        """
        size = len(self._ids)
        sequence_ids: list[int | None] = [None] * size
        for sequence in range(self.n_sequences):
            start, end = self._sequence_range(sequence)
            if not start <= end <= size:
                raise UpstreamPanicError(f"range {start}..{end} of sequence {sequence} is not within {size} tokens")
            sequence_ids[start:end] = [sequence] * (end - start)
        return sequence_ids

    def _sequence_range(self, sequence_index: int) -> Range:
        """Return the range of an input: the whole encoding where there is none of that number."""
        return self._sequence_ranges.get(sequence_index, (0, len(self._ids)))

    def __len__(self) -> int:
        return len(self._ids)

    def __repr__(self) -> str:
        return (
            f"Encoding(num_tokens={len(self)}, attributes=[ids, type_ids, tokens, offsets, attention_mask, "
            "special_tokens_mask, overflowing])"
        )

    # Look-ups --------------------------------------------------------------------------------------------------------

    def token_to_sequence(self, token_index: int) -> int | None:
        """Return the number of the input that a token belongs to.

        Without ranges it is 0 up to and including ``len(self)``. Where ranges overlap (a post-processor after a
        template) the target answers with any of them; this is the lowest.
        """
        token_index = unsigned_64("token_index", token_index)
        if token_index > len(self):
            return None
        if not self._sequence_ranges:
            return 0
        found = (n for n, (start, end) in self._sequence_ranges.items() if start <= token_index < end)
        return min(found, default=None)

    def token_to_chars(self, token_index: int) -> Offsets | None:
        """Return the offsets of a token (code points, end exclusive); ``None`` if it belongs to no input."""
        token_index = unsigned_64("token_index", token_index)
        if self.token_to_sequence(token_index) is None or token_index >= len(self):
            return None
        return self._offsets[token_index]

    def token_to_word(self, token_index: int) -> int | None:
        """Return the number of the word, within its input, that a token is part of."""
        token_index = unsigned_64("token_index", token_index)
        if self.token_to_sequence(token_index) is None or token_index >= len(self):
            return None
        return self._words[token_index]

    def char_to_token(self, char_pos: int, sequence_index: int = 0) -> int | None:
        """Return the index of the first token of an input whose offsets hold the code point ``char_pos``."""
        char_pos = unsigned_64("char_pos", char_pos)
        sequence_index = unsigned_64("sequence_index", sequence_index)
        return self._index(_CharacterIndex, self._offsets, sequence_index).token(char_pos)

    def char_to_word(self, char_pos: int, sequence_index: int = 0) -> int | None:
        """Return the number of the word of the token that holds the code point ``char_pos`` of an input."""
        token = self.char_to_token(char_pos, sequence_index)
        return None if token is None else self.token_to_word(token)

    def word_to_tokens(self, word_index: int, sequence_index: int = 0) -> Range | None:
        """Return the tokens of a word of an input, from its first to its last, end exclusive.

        The search ends at the first token of a later word, so it relies on words that do not decrease.
        """
        word_index = unsigned_32("word_index", word_index)
        sequence_index = unsigned_64("sequence_index", sequence_index)
        return self._index(_tokens_of_words, self._words, sequence_index).get(word_index)

    def word_to_chars(self, word_index: int, sequence_index: int = 0) -> Offsets | None:
        """Return the offsets of a word of an input: from the start of its first token to the end of its last."""
        tokens = self.word_to_tokens(word_index, sequence_index)
        if tokens is None:
            return None
        first, end = tokens
        return self._offsets[first][0], self._offsets[end - 1][1]

    def _index(self, made_of: Callable[[Sequence[Any], int], T], column: Sequence[Any], sequence_index: int) -> T:
        """Return what ``made_of`` makes of an input's part of ``column`` and the number of its first token.

        It is made when it is first asked for, and again once the encoding has another column or range in that place.
        """
        first, last = self._sequence_range(sequence_index)
        indices = self._indices = getattr(self, "_indices", {})
        of_column, index = indices.get((made_of, first, last), (None, None))
        if of_column is not column:
            index = made_of(column[first:last], first)
            indices[made_of, first, last] = column, index
        made: T = index
        return made

    # Changes ---------------------------------------------------------------------------------------------------------

    def set_sequence_id(self, sequence_id: int) -> None:
        """Say that all tokens belong to input ``sequence_id``. Ranges of other inputs stay."""
        sequence_id = unsigned_64("sequence_id", sequence_id)
        self._sequence_ranges = {**self._sequence_ranges, sequence_id: (0, len(self._ids))}

    def _set_type_ids(self, type_id: int) -> None:
        """Give all tokens one type; overflow keeps its own."""
        self._type_ids = [type_id] * len(self._ids)

    def _mark_sequence(self, index: int) -> None:
        """Do what happens to an input before a post-processor sees it: range and type ids become its number.

        Overflow gets the range, but keeps the type ids that it was tokenized with.
        """
        self.set_sequence_id(index)
        for part in self._overflowing:
            part.set_sequence_id(index)
        self._set_type_ids(index)

    def _copy(self) -> Encoding:
        """Return an independent encoding (which shares the columns: they are never changed in place)."""
        return Encoding._of(
            ids=self._ids,
            type_ids=self._type_ids,
            tokens=self._tokens,
            words=self._words,
            offsets=self._offsets,
            special_tokens_mask=self._special_tokens_mask,
            attention_mask=self._attention_mask,
            overflowing=[part._copy() for part in self._overflowing],
            sequence_ranges=self._sequence_ranges,
        )

    def _window(self, start: int, end: int) -> Encoding:
        """Return the tokens from ``start`` to ``end`` alone, without overflow and ranges."""
        return Encoding._of(
            ids=self._ids[start:end],
            type_ids=self._type_ids[start:end],
            tokens=self._tokens[start:end],
            words=self._words[start:end],
            offsets=self._offsets[start:end],
            special_tokens_mask=self._special_tokens_mask[start:end],
            attention_mask=self._attention_mask[start:end],
        )

    def _become(self, other: Encoding) -> None:
        for slot in _COLUMNS:
            setattr(self, slot, getattr(other, slot))

    def truncate(self, max_length: int, stride: int = 0, direction: str = "right") -> None:
        """Keep ``max_length`` tokens; the rest becomes :attr:`overflowing`, in windows that share ``stride`` tokens.

        ``direction`` is the end at which tokens are cut off. An encoding that fits stays as it is; one that does not
        loses its ranges and its former overflow. With ``max_length`` 0 everything becomes one overflow part, whole.

        Raises :class:`ValueError` for an unknown direction, and :class:`UpstreamPanicError` if ``stride`` is not less
        than ``max_length``.
        """
        max_length = unsigned_64("max_length", max_length)
        stride = unsigned_64("stride", stride)
        if string("direction", direction) not in ("left", "right"):
            raise ValueError(f"Invalid truncation direction value : {direction}")
        size = len(self)
        if max_length >= size:
            return
        if max_length == 0:
            whole = self._copy()
            self._become(Encoding())
            self._overflowing = [whole]
            return
        if stride >= max_length:
            raise UpstreamPanicError(
                f"the stride ({stride}) must be less than the length to truncate to ({max_length}); "
                "choose a smaller stride or a greater max_length"
            )
        first, *others = (self._window(*window) for window in _windows(size, max_length, stride, direction))
        self._become(first)
        self._overflowing = others

    def pad(
        self,
        length: int,
        *,
        direction: str = "right",
        pad_id: int = 0,
        pad_type_id: int = 0,
        pad_token: str = "[PAD]",  # noqa: S107 - not a password
        **unknown: object,
    ) -> None:
        """Add padding at the end that ``direction`` names, up to ``length`` tokens; the same for overflow.

        Padding has attention 0, special mask 1, offsets (0, 0) and no word. Raises :class:`ValueError` for an unknown
        direction.
        """
        ignore_unknown(unknown)
        if string("direction", direction) not in ("left", "right"):
            raise ValueError(f"Unknown `direction`: `{direction}`. Use one of `left` or `right`")
        length = unsigned_64("length", length)
        pad_id = unsigned_32("pad_id", pad_id)
        pad_type_id = unsigned_32("pad_type_id", pad_type_id)
        pad_token = string("pad_token", pad_token)
        for part in self._overflowing:
            part.pad(length, direction=direction, pad_id=pad_id, pad_type_id=pad_type_id, pad_token=pad_token)
        missing = length - len(self)
        if missing <= 0:
            return
        padding = Encoding._of(
            ids=[pad_id] * missing,
            type_ids=[pad_type_id] * missing,
            tokens=[pad_token] * missing,
            offsets=[(0, 0)] * missing,
            special_tokens_mask=[1] * missing,
            attention_mask=[0] * missing,
        )
        first, second = (padding, self) if direction == "left" else (self, padding)
        joined = _join_columns(first, second, growing_offsets=False)
        joined._overflowing = self._overflowing
        self._become(joined)

    @staticmethod
    def merge(encodings: Sequence[Encoding], growing_offsets: bool = True) -> Encoding:
        """Return the encodings one after the other, with every combination of their overflow parts as overflow.

        With ``growing_offsets`` the offsets of each go on from the end of the last token before it.

        >>> a = Encoding._of(ids=[1], tokens=["a"], offsets=[(0, 1)])
        >>> Encoding.merge([a, a]).offsets, Encoding.merge([a, a], growing_offsets=False).offsets
        ([(0, 1), (1, 2)], [(0, 1), (0, 1)])
        """
        encodings = [instance("encodings", each, Encoding) for each in items("encodings", encodings)]
        boolean("growing_offsets", growing_offsets)
        if not any(encoding._overflowing for encoding in encodings):
            return _join_all_columns(encodings, growing_offsets)
        return reduce(lambda first, second: _join(first, second, growing_offsets), encodings, Encoding())

    # State -----------------------------------------------------------------------------------------------------------

    def __getstate__(self) -> bytes:
        """Return the whole encoding as JSON (UTF-8), for pickle."""
        return json.dumps(self._to_state(), ensure_ascii=False, separators=(",", ":")).encode()

    def __setstate__(self, state: bytes) -> None:
        """Become the encoding that ``state`` describes.

        Raises :class:`TokenizerReferenceError` where it describes none.
        """
        instance("state", state, bytes)
        try:
            described = Encoding._from_state(json.loads(state))
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise TokenizerReferenceError(f"this is not the state of an encoding ({error!r}): {state[:80]!r}") from None
        self._become(described)

    def _to_state(self) -> dict[str, Any]:
        return {
            "ids": self._ids,
            "type_ids": self._type_ids,
            "tokens": self._tokens,
            "words": self._words,
            "offsets": self._offsets,
            "special_tokens_mask": self._special_tokens_mask,
            "attention_mask": self._attention_mask,
            "overflowing": [part._to_state() for part in self._overflowing],
            "sequence_ranges": {
                str(number): {"start": start, "end": end}
                for number, (start, end) in sorted(self._sequence_ranges.items())
            },
        }

    @classmethod
    def _from_state(cls, state: dict[str, Any]) -> Encoding:
        return cls._of(
            ids=state["ids"],
            type_ids=state["type_ids"],
            tokens=state["tokens"],
            words=state["words"],
            offsets=[(start, end) for start, end in state["offsets"]],
            special_tokens_mask=state["special_tokens_mask"],
            attention_mask=state["attention_mask"],
            overflowing=[cls._from_state(part) for part in state["overflowing"]],
            sequence_ranges={
                int(number): (bounds["start"], bounds["end"]) for number, bounds in state["sequence_ranges"].items()
            },
        )


_COLUMNS = tuple(slot for slot in Encoding.__slots__ if slot not in ("__dict__", "_indices"))

# Indices of look-ups ---------------------------------------------------------------------------------------------


_NOWHERE = 2**64
"""Where no character is."""


class _CharacterIndex:
    """Finds the first token whose offsets hold a character, by what the tokens before and after it reach at most.

    >>> [_CharacterIndex([(0, 2), (1, 3), (0, 0), (4, 5)], first=7).token(position) for position in range(6)]
    [7, 7, 8, None, 10, None]
    """

    def __init__(self, offsets: Sequence[Offsets], first: int) -> None:
        self._first = first
        # Empty offsets hold nothing: those of special tokens and padding do not count, as they are out of order.
        self._starts = [start if start < end else _NOWHERE for start, end in offsets]
        self._ends = [end if start < end else 0 for start, end in offsets]
        self._greatest_ends = list(accumulate(self._ends, max))
        """Of the tokens up to each."""
        self._least_starts = list(accumulate(reversed(self._starts), min))[::-1]
        """Of the tokens from each on."""

    def token(self, position: int) -> int | None:
        """Return the first token that holds ``position``."""
        # No token before this one ends after the position. Where offsets only grow, it is this one or none.
        nearest = bisect_right(self._greatest_ends, position)
        while nearest < len(self._starts) and self._least_starts[nearest] <= position:
            if self._starts[nearest] <= position < self._ends[nearest]:
                return self._first + nearest
            nearest += 1
        return None


def _tokens_of_words(words: Sequence[int | None], first: int) -> dict[int, Range]:
    """Return for each word its first to its last token, of those that stand before all tokens of later words.

    >>> _tokens_of_words([None, 0, 0, 2, 1, 2], first=7)
    {0: (8, 10), 2: (10, 13)}
    """
    ranges: dict[int, Range] = {}
    latest = 0
    for index, word in enumerate(words, first):
        if word is not None and word >= latest:
            latest = word
            ranges[word] = (ranges[word][0] if word in ranges else index, index + 1)
    return ranges


# Joining ---------------------------------------------------------------------------------------------------------


def _join(first: Encoding, second: Encoding, growing_offsets: bool) -> Encoding:
    """Return ``second`` after ``first``.

    Overflow, in this order: each part of the first with the second, then with each part of the second; last the first
    with each part of the second. Each of these is a merge of its own, so that overflow can have overflow.
    """
    joined = _join_columns(first, second, growing_offsets)
    joined._overflowing = [
        *(
            _join(part, other, growing_offsets)
            for part in first._overflowing
            for other in (second, *second._overflowing)
        ),
        *(_join(first, other, growing_offsets) for other in second._overflowing),
    ]
    return joined


def _join_columns(first: Encoding, second: Encoding, growing_offsets: bool) -> Encoding:
    """Return the columns of ``second`` after those of ``first``, without overflow."""
    shift = first._offsets[-1][1] if growing_offsets and first._offsets else 0
    return Encoding._of(
        ids=first._ids + second._ids,
        type_ids=first._type_ids + second._type_ids,
        tokens=first._tokens + second._tokens,
        words=first._words + second._words,
        offsets=first._offsets + _shifted_offsets(second, shift),
        special_tokens_mask=first._special_tokens_mask + second._special_tokens_mask,
        attention_mask=first._attention_mask + second._attention_mask,
        sequence_ranges={**first._sequence_ranges, **dict(_shifted_ranges(second, len(first)))},
    )


def _join_all_columns(encodings: Sequence[Encoding], growing_offsets: bool) -> Encoding:
    """Return what :func:`_join` makes of many encodings without overflow: each column is copied once."""
    joined = Encoding()
    for encoding in encodings:
        shift = joined._offsets[-1][1] if growing_offsets and joined._offsets else 0
        joined._sequence_ranges.update(_shifted_ranges(encoding, len(joined._ids)))
        joined._ids += encoding._ids
        joined._type_ids += encoding._type_ids
        joined._tokens += encoding._tokens
        joined._words += encoding._words
        joined._offsets += _shifted_offsets(encoding, shift)
        joined._special_tokens_mask += encoding._special_tokens_mask
        joined._attention_mask += encoding._attention_mask
    return joined


def _shifted_offsets(encoding: Encoding, shift: int) -> list[Offsets]:
    return [(start + shift, end + shift) for start, end in encoding._offsets] if shift else encoding._offsets


def _shifted_ranges(encoding: Encoding, shift: int) -> Iterator[tuple[int, Range]]:
    for number, (start, end) in encoding._sequence_ranges.items():
        yield number, (start + shift, end + shift)


# Truncation ------------------------------------------------------------------------------------------------------


def _windows(size: int, max_length: int, stride: int, direction: str) -> Iterator[Range]:
    """Yield the windows into which truncation cuts ``size`` tokens: the part that stays first, then the overflow.

    >>> list(_windows(6, 3, 1, "right")), list(_windows(6, 3, 1, "left"))
    ([(0, 3), (2, 5), (4, 6)], [(3, 6), (1, 4), (0, 2)])
    """
    for start in range(0, size, max_length - stride):
        end = min(start + max_length, size)
        yield (start, end) if direction == "right" else (size - end, size - start)
        if end == size:
            return
