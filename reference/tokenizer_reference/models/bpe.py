"""BPE: byte-pair encoding (Sennrich et al. 2016, after Gage 1994).

A word starts as its characters. Then, again and again, of all neighbours for which there is a merge, the two whose
merge ranks lowest become one token; of equal ranks the leftmost. *One* occurrence is merged at a time, and the new
token can merge with its neighbours before the next occurrence has its turn
(:func:`~tokenizer_reference.models.merges.merge_by_definition`).
"""

from __future__ import annotations

import math
import random
import struct
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, ClassVar, cast

from tokenizer_reference.arguments import (
    NOT_GIVEN,
    boolean,
    ignore_unknown,
    is_text,
    items,
    number,
    optional,
    string,
    text_or_not_given,
    unsigned_64,
)
from tokenizer_reference.errors import ModelError, OptionError, with_note
from tokenizer_reference.json_text.writer import SinglePrecision
from tokenizer_reference.models.base import MODEL, Model
from tokenizer_reference.models.merges import (
    Merges,
    merge,
    merge_table,
    merge_with_heap,
    merges_from_json,
    merges_of_lines,
    place_in_json,
)
from tokenizer_reference.models.runs import ByteRuns, run_pattern
from tokenizer_reference.models.vocabulary import (
    read_lines,
    read_vocab_json,
    tokens_by_id,
    vocabulary_from_json,
    vocabulary_or_file,
    vocabulary_to_json,
    write_text,
    write_vocab_json,
)
from tokenizer_reference.stage import Form
from tokenizer_reference.text.byte_level import BYTE_TO_CHAR
from tokenizer_reference.text.utf8 import byte_positions
from tokenizer_reference.values.tokenization import Tokenization

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Sequence
    from typing import Self

    from tokenizer_reference.json_text.value import JsonValue

_CACHE_CAPACITY = 10_000
"""The target's default."""


@MODEL.component(Form(("vocab", "merges"), checks_type=False))
class BPE(Model):
    """A word is split into characters, and these are merged pair by pair.

    ``vocab`` maps tokens to ids, ``merges`` lists pairs of tokens, the lowest rank first; strings are the names of a
    ``vocab.json`` and a ``merges.txt`` to read. Options:

    - ``cache_capacity``: 0 turns the cache of words off; other sizes change nothing here.
    - ``dropout``: the probability, 0 to 1, of passing over a merge that is due; 1 leaves characters.
    - ``unk_token``: the token of unknown characters. Without one they are dropped, and the offsets of what follows
      slide to the left.
    - ``continuing_subword_prefix``: stands before every character but the first when it is looked up; it is cut from
      the right side of a merge.
    - ``end_of_word_suffix``: stands after the last character when it is looked up.
    - ``fuse_unk``: unknown characters in a row make one unknown token.
    - ``byte_fallback``: an unknown character becomes its UTF-8 bytes (``<0x0A>``), if the vocabulary has them all.
    - ``ignore_merges``: a word that the vocabulary has is one token, whatever the merges (not with ``dropout``).

    Options that are not known are ignored with a printed note, as in the target.

    >>> model = BPE({"a": 0, "b": 1, "ab": 2, "aba": 3}, [("ab", "a"), ("a", "b")])
    >>> [(token.value, token.offsets) for token in model.tokenize("abab")]
    [('aba', (0, 3)), ('b', (3, 4))]

    Raises :class:`ValueError` for ``vocab`` without ``merges``, :class:`OptionError` for a ``dropout`` that is no
    probability, :class:`TokenizerFileError` for a merge of unknown tokens, and :class:`UpstreamPanicError` for a merge
    at which the target panics.
    """

    _OPTIONS: ClassVar = {
        "dropout": optional(number),
        "unk_token": optional(string),
        "continuing_subword_prefix": optional(string),
        "end_of_word_suffix": optional(string),
        "fuse_unk": boolean,
        "byte_fallback": boolean,
        "ignore_merges": boolean,
    }

    def __init__(
        self,
        vocab: dict[str, int] | str | None = None,
        merges: Sequence[tuple[str, str]] | str | None = None,
        *,
        cache_capacity: int = _CACHE_CAPACITY,
        dropout: float | None = None,
        unk_token: str | None = None,
        continuing_subword_prefix: str = NOT_GIVEN,
        end_of_word_suffix: str = NOT_GIVEN,
        fuse_unk: bool = False,
        byte_fallback: bool = False,
        ignore_merges: bool = False,
        **unknown: object,
    ) -> None:
        super().__init__()
        given = _vocabulary_and_merges(vocab, merges)
        ignore_unknown(unknown, "kwarg")
        self.dropout = dropout
        self.unk_token = unk_token
        self.continuing_subword_prefix = text_or_not_given("continuing_subword_prefix", continuing_subword_prefix)
        self.end_of_word_suffix = text_or_not_given("end_of_word_suffix", end_of_word_suffix)
        self.fuse_unk = fuse_unk
        self.byte_fallback = byte_fallback
        self.ignore_merges = ignore_merges
        self._cache_capacity = unsigned_64("cache_capacity", cache_capacity)
        if self._dropout is not None and not 0 <= self._dropout <= 1:
            raise OptionError(f"dropout={dropout!r}: expected a probability, from 0 to 1")
        self._random = random.Random()  # noqa: S311 - nothing secret depends on it
        tokens, pairs = given
        if isinstance(tokens, str) or isinstance(pairs, str):
            tokens, pairs = self.read_file(str(tokens), str(pairs))
        self._load(tokens, pairs, "merges[{}]".format)

    def _load(self, vocab: dict[str, int], merges: Merges, place: Callable[[int], str]) -> None:
        self._vocab = vocab
        self._tokens = tokens_by_id(vocab)
        self._merges = merge_table(vocab, merges, self.continuing_subword_prefix or "", place)

    @property
    def dropout(self) -> float | None:
        """The probability of passing over a merge, rounded to single precision as in the target.

        May be set to anything.
        """
        return self._dropout

    @dropout.setter
    def dropout(self, dropout: float | None) -> None:
        self._dropout = None if dropout is None else _single_precision(dropout)

    def _resize_cache(self, capacity: int) -> None:
        """Do as with the option ``cache_capacity``."""
        self._cache_capacity = unsigned_64("capacity", capacity)
        self._clear_cache()

    def _shown(self) -> dict[str, Any]:
        # In single precision, as the property is, where the JSON has the shortest digits.
        return {**self._to_json(), "dropout": self._dropout}

    @property
    def _cacheable(self) -> bool:
        return not self._dropout and self._cache_capacity > 0

    def _clear_cache(self) -> None:
        super()._clear_cache()
        for derived in ("_run_pattern", "_byte_runs"):
            self.__dict__.pop(derived, None)

    # The rule --------------------------------------------------------------------------------------------------------

    def _tokenize(self, text: str) -> Tokenization:
        if not text:
            return Tokenization(text, [], [], [])
        if self.ignore_merges and not self._dropout and text in self._vocab:
            return Tokenization(text, [self._vocab[text]], [text], [(0, len(text.encode()))])
        return self._tokenize_run(text)

    def _tokenize_run(self, text: str) -> Tokenization:
        symbols = self._symbols(text)
        found = list(map(self._vocab.get, symbols))
        if None in found:
            ids, bounds = self._with_unknown(symbols, byte_positions(text))
            self._merge(ids, bounds)
            return Tokenization(text, ids, list(map(self._tokens.__getitem__, ids)), list(pairwise(bounds)))
        ids, bounds = cast("list[int]", found), list(range(len(text) + 1))
        self._merge(ids, bounds)
        return Tokenization.by_bounds(text, ids, map(self._tokens.__getitem__, ids), bounds)

    def _merge(self, ids: list[int], bounds: list[int]) -> None:
        if self._dropout:
            merge_with_heap(self._merges, ids, bounds, self._drops)
        else:
            merge(self._merges, ids, bounds)

    def _drops(self) -> bool:
        return self._random.random() < (self._dropout or 0.0)

    def _symbols(self, text: str) -> Sequence[str]:
        """Return what is looked up for each character of ``text``."""
        if not self.continuing_subword_prefix and not self.end_of_word_suffix:
            return text
        symbols = [(self.continuing_subword_prefix or "") + char for char in text]
        symbols[:1] = text[:1]
        symbols[-1:] = [symbol + (self.end_of_word_suffix or "") for symbol in symbols[-1:]]
        return symbols

    def _with_unknown(self, symbols: Sequence[str], bounds: Sequence[int]) -> tuple[list[int], list[int]]:
        """Return the ids that a word starts as, and the byte positions around them as the target counts them.

        ``bounds`` are the byte positions around the symbols, of which some are not in the vocabulary.
        An unknown token is not put down at once but held back, for others to fuse with it; what puts it down is the
        next symbol of the vocabulary, or the end. Bytes do not, and so they overtake it (observed, tokenizers 0.23.3).
        """
        found: list[tuple[int, int]] = []
        unknown = held = 0
        for symbol, (begin, end) in zip(symbols, pairwise(bounds), strict=True):
            width = end - begin
            id_ = self._vocab.get(symbol)
            if id_ is not None:
                if held:
                    found.append((unknown, held))
                    held = 0
                found.append((id_, width))
            elif self.byte_fallback and (byte_ids := self._byte_ids(symbol)) is not None:
                found += [(byte_id, 1) for byte_id in byte_ids]
            elif self.unk_token is not None:
                unknown = self._unknown_id(symbol)
                if held and not self.fuse_unk:
                    found.append((unknown, held))
                    held = 0
                held += width
        if held:
            found.append((unknown, held))
        return [id_ for id_, _ in found], list(accumulate((width for _, width in found), initial=0))

    def _byte_ids(self, symbol: str) -> list[int] | None:
        """Return the ids of the byte tokens of ``symbol``, or ``None`` where the vocabulary has not all of them."""
        ids = [self._vocab.get(f"<0x{byte:02X}>") for byte in symbol.encode()]
        known = [id_ for id_ in ids if id_ is not None]
        return known if len(known) == len(ids) else None

    def _unknown_id(self, symbol: str) -> int:
        if self.unk_token not in self._vocab:
            raise with_note(
                ModelError(f"Unk token `{self.unk_token}` not found in the vocabulary"),
                f"{symbol!r} is not in the vocabulary, and needs the unknown token",
            )
        return self._vocab[self.unk_token]

    # The same, run by run --------------------------------------------------------------------------------------------

    @property
    def _is_spelled(self) -> bool:
        """Whether the characters that a token stands for spell it, unless they are unknown."""
        affixes = self.continuing_subword_prefix or self.end_of_word_suffix
        return not affixes and not self._dropout and self._merges.unambiguous

    @cached_property
    def _run_pattern(self) -> re.Pattern[str] | None:
        vouches = self._is_spelled and self.byte_fallback and not self.ignore_merges
        return run_pattern(self._vocab) if vouches else None

    def _runs(self, text: str) -> list[str] | None:
        return None if self._run_pattern is None else self._run_pattern.findall(text)

    @cached_property
    def _byte_runs(self) -> ByteRuns | None:
        vouches = self._is_spelled and all(byte in self._vocab for byte in BYTE_TO_CHAR)
        return ByteRuns(self._vocab) if vouches else None

    # Vocabulary and files --------------------------------------------------------------------------------------------

    def _vocabulary(self) -> dict[str, int]:
        return self._vocab

    def _vocabulary_size(self) -> int:
        return len(self._vocab)

    def _token_of(self, id: int) -> str | None:
        return self._tokens.get(id)

    def _merged_tokens(self) -> list[tuple[str, str]]:
        return [(self._tokens[left], self._tokens[right]) for left, right in self._merges.pairs()]

    def _to_json(self) -> dict[str, Any]:
        return {
            "type": "BPE",
            "dropout": None if self._dropout is None else _shortest(self._dropout),
            "unk_token": self.unk_token,
            "continuing_subword_prefix": self.continuing_subword_prefix,
            "end_of_word_suffix": self.end_of_word_suffix,
            "fuse_unk": self.fuse_unk,
            "byte_fallback": self.byte_fallback,
            "ignore_merges": self.ignore_merges,
            "vocab": vocabulary_to_json(self._tokens),
            "merges": [list(pair) for pair in self._merged_tokens()],
        }

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        """Read a model; all but ``vocab`` and ``merges`` may be missing or null."""
        dropout = value.get("dropout")
        probability = dropout.optional_number()
        if probability is not None and not 0 <= _single_precision(probability) <= 1:
            raise dropout.fail(f"expected a probability, from 0 to 1, found {probability}")
        model = cls(
            dropout=probability,
            unk_token=value.get("unk_token").optional_string(),
            fuse_unk=value.get("fuse_unk").optional_boolean() or False,
            byte_fallback=value.get("byte_fallback").optional_boolean() or False,
            ignore_merges=value.get("ignore_merges").optional_boolean() or False,
        )
        model.continuing_subword_prefix = value.get("continuing_subword_prefix").optional_string()
        model.end_of_word_suffix = value.get("end_of_word_suffix").optional_string()
        merges = value["merges"]
        model._load(vocabulary_from_json(value["vocab"]), merges_from_json(merges), place_in_json(merges))
        return model

    @staticmethod
    def read_file(vocab: str, merges: str) -> tuple[dict[str, int], list[tuple[str, str]]]:
        """Return the vocabulary in the file ``vocab`` (``vocab.json``) and the merges in ``merges`` (``merges.txt``).

        Raises :class:`TokenizerFileError`.
        """
        vocab, merges = string("vocab", vocab), string("merges", merges)
        pairs = merges_of_lines(read_lines(merges), lambda index: f"{merges}, line {index + 1}")
        return read_vocab_json(vocab), list(pairs)

    @classmethod
    def from_file(cls, vocab: str, merges: str, **kwargs: Any) -> Self:
        """Return the model of a ``vocab.json`` and a ``merges.txt``, with the constructor's options.

        Raises as :meth:`read_file` and the constructor do.
        """
        return cls(*cls.read_file(vocab, merges), **kwargs)

    def _save(self, folder: str, prefix: str | None) -> list[str]:
        merges = "".join(f"{left} {right}\n" for left, right in self._merged_tokens())
        return [
            write_vocab_json(folder, prefix, self._tokens),
            write_text(folder, prefix, "merges.txt", f"#version: 0.2\n{merges}"),
        ]


def _vocabulary_and_merges(vocab: Any, merges: Any) -> tuple[dict[str, int] | str, Merges | str]:
    """Return what the constructor's arguments stand for: nothing, vocabulary and merges, or the names of their files.

    Raises :class:`TypeError`, and :class:`ValueError` where the two do not go together.
    """
    tokens = None if vocab is None else vocabulary_or_file("vocab", vocab)
    pairs = None if merges is None else _merges_or_file(merges)
    if tokens is None and pairs is None:
        return {}, []
    if tokens is None or pairs is None:
        raise ValueError("`vocab` and `merges` must be both specified")
    if isinstance(tokens, str) is not isinstance(pairs, str):
        raise ValueError("`vocab` and `merges` must be both from memory or both files")
    return tokens, pairs


def _merges_or_file(merges: Any) -> list[tuple[str, str]] | str:
    """Return the pairs of a sequence, or the name of a file. Raises :class:`TypeError`."""
    if is_text(merges):
        return string("merges", merges)
    pairs: list[tuple[str, str]] = []
    for pair in items("merges", merges):
        if not (isinstance(pair, tuple) and len(pair) == 2 and all(map(is_text, pair))):
            raise TypeError("merges: expected a sequence of tuples of two tokens, such as [('a', 'b')]")
        pairs.append(pair)
    return pairs


# Single precision ----------------------------------------------------------------------------------------------------


def _single_precision(value: float) -> float:
    """Return the 32-bit number that is nearest to ``value``."""
    try:
        nearest: float = struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return nearest


def _shortest(value: float) -> SinglePrecision | None:
    """Return the number of fewest digits that is ``value`` in single precision; JSON has none for what is not finite.

    >>> _shortest(0.30000001192092896)
    0.3
    """
    candidates = (SinglePrecision(f"{value:.{digits}g}") for digits in range(1, 10))
    return next((short for short in candidates if _single_precision(short) == value), None)
