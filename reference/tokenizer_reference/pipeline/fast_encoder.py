"""FastEncoder: the same encodings as the plain path gives, from a cache of words.

The plain path (``Tokenizer._encode_text``) is the definition. It takes a text through the components as they are
described, an object for each piece. This one does the same only where the components say that they work locally:

1. A text that the normalizer's locality covers (:mod:`~tokenizer_reference.normalizers.locality`) is normalized by
   a table of characters, in which those that stay as they are are not even looked up. Another one is normalized as a
   whole, by the normalizer itself.
2. The normalized text is cut into words, each of which the pre-tokenizer treats as if it were the whole text
   (:class:`~tokenizer_reference.pre_tokenizers.base.Locality`). Blanks belong to the word after them.
3. An :class:`_Entry` is what the plain path makes of a word, with offsets from the word's start. It is made by the very
   components, once for each distinct word.

Whatever is not so goes the plain way: added tokens in the text, components that vouch for nothing, models that draw at
random, tokens whose bytes fit no character. That both ways give the same is tested over all code points, real texts
and random pipelines (``test_fast_encoder.py``, ``test_fast_way.py`` in ``tests/reference/pipeline``).
"""

from __future__ import annotations

import re
from itertools import accumulate, chain
from typing import TYPE_CHECKING, NamedTuple

from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.normalizers.locality import NO_CHANGE, unknown
from tokenizer_reference.text.characters import WHITE_SPACE
from tokenizer_reference.text.normalized_string import NormalizedString
from tokenizer_reference.values.encoding import Encoding

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokenizer_reference.added_vocabulary import AddedVocabulary
    from tokenizer_reference.models.base import Model
    from tokenizer_reference.normalizers.base import Normalizer
    from tokenizer_reference.normalizers.locality import Answer
    from tokenizer_reference.pre_tokenizers.base import Piece, PreTokenizer, Words

_CACHED_SIZE = 1_000_000
"""How much the cache holds: characters of words and tokens of entries together. It is emptied when full."""

_LONG_TEXT = 2000
"""From how many characters on a text is normalized line by line."""

_WORTH_A_PATTERN: float = 64
"""How many characters are looked up, for each that is known to stay as it is, before a pattern is made of these."""

_LAST_OF_SETS = "\uffff"
"""The last character for which a set of ``re`` is a table; it goes through those after it one by one."""

_LONGEST_CACHED = 4096
"""How long a word may be, in characters, to be remembered."""


_Spans = tuple[tuple[int, int], ...]
"""Where tokens begin and end, in characters of their word."""

_Single = tuple[None, int, int, str, int, int]
"""The one token of a word, as nearly all words have it: ``None``, how many characters the word has, the token's id and
text, and its span.
"""

_Several = tuple[tuple[tuple[int, ...], int], int, tuple[int, ...], tuple[str, ...], _Spans]
"""The tokens of a word, none or several: which of the word's pieces each token is part of, and how many pieces there
are; how many characters the word has; ids, texts and spans of the tokens.
"""

_Entry = _Single | _Several
"""What the plain path makes of a word. A plain tuple: the garbage collector soon passes those by."""

_Columns = tuple[tuple[int, ...], tuple[str, ...], _Spans]


class _Entries(dict[str, _Entry]):
    """Word -> entry, made when it is first asked for."""

    def __init__(self, new_entry: Callable[[str], _Entry]) -> None:
        super().__init__()
        self._new_entry = new_entry

    def __missing__(self, word: str) -> _Entry:
        return self._new_entry(word)


class _PlainPathNeededError(Exception):
    """The text is none that can be encoded word by word."""


class _WidthChangesError(Exception):
    """A character becomes none, or several."""


class _Characters(dict[str, str]):
    """Character -> what becomes of it, asked for when it is first met."""

    def __init__(self, of: Callable[[str], Answer]) -> None:
        super().__init__()
        self._of = of
        self._unchanged: list[str] = []
        self._passed_by = 0
        self._looked_up = 0
        self._others = re.compile(".+", re.DOTALL)

    def __missing__(self, char: str) -> str:
        new = self._of(char)
        if new is None:
            raise _PlainPathNeededError
        self[char] = new
        if new == char and char <= _LAST_OF_SETS:
            self._unchanged.append(char)
        return new

    def replaced(self, text: str) -> str:
        """Return ``text`` with what becomes of each character, which must be one character.

        A pattern passes those by that are known to stay as they are. Raises :class:`_WidthChangesError`.
        """
        if self._looked_up > _WORTH_A_PATTERN * len(self._unchanged) > _WORTH_A_PATTERN * self._passed_by:
            self._others = re.compile(f"[^{re.escape(''.join(self._unchanged))}]+")
            self._passed_by = len(self._unchanged)
            self._looked_up = 0
        return self._others.sub(self._replaced_run, text)

    def _replaced_run(self, match: re.Match[str]) -> str:
        run = match[0]
        made = list(map(self.__getitem__, run))
        new = "".join(made)
        self._looked_up += len(run)
        if len(new) != len(run) or "" in made:
            raise _WidthChangesError
        return new


class _Part(NamedTuple):
    """A part of the text, normalized.

    Character i stands for the characters ``starts[i]`` to ``ends[i]`` of the original text; where these are ``None``,
    for ``begin + i``.
    """

    text: str
    begin: int
    starts: Sequence[int] | None = None
    ends: Sequence[int] | None = None


class FastEncoder:
    """Encodes texts by one normalizer, one pre-tokenizer and one model, as these were when it was made."""

    def __init__(self, normalizer: Normalizer | None, pre_tokenizer: PreTokenizer | None, model: Model) -> None:
        self._normalizer = normalizer
        self._pre_tokenizer = pre_tokenizer
        self._model = model
        self._state = self._current_state()
        locality = NO_CHANGE if normalizer is None else normalizer._locality()
        cutting = None if pre_tokenizer is None else pre_tokenizer._locality()
        self._words = None if locality is None or cutting is None or not model._cacheable else cutting.words
        self._entries = _Entries(self._new_entry)
        self._cached_size = 0
        self._literals = () if locality is None else locality.literals
        self._characters = _Characters(unknown if locality is None else locality.of)

    def _current_state(self) -> tuple[int, int, int]:
        return (
            0 if self._normalizer is None else self._normalizer._last_change(),
            0 if self._pre_tokenizer is None else self._pre_tokenizer._last_change(),
            self._model._last_change(),
        )

    def is_for(self, normalizer: Normalizer | None, pre_tokenizer: PreTokenizer | None, model: Model) -> bool:
        """Whether it was made of these components, and they have not changed since."""
        return (
            normalizer is self._normalizer
            and pre_tokenizer is self._pre_tokenizer
            and model is self._model
            and self._state == self._current_state()
        )

    def encode(self, text: str, added: AddedVocabulary, type_id: int) -> Encoding | None:
        """Return what the plain path gives for ``text``, or ``None`` where only that path can tell."""
        words = self._words
        if words is None or added._occurs_raw(text):
            return None
        try:
            parts = self._parts(text, words, added)
            if any(added._occurs_normalized(part.text) for part in parts):
                return None
            return self._encoding(parts, words, type_id)
        except (_PlainPathNeededError, TokenizerReferenceError):
            return None

    # Normalization ---------------------------------------------------------------------------------------------------

    def _parts(self, text: str, words: Words, added: AddedVocabulary) -> list[_Part]:
        """Return the normalized text, a long one line by line: so that few lines of it need an alignment."""
        if self._normalizer is None:
            return [_Part(text, 0)]
        if any(literal in text for literal in self._literals):
            return [self._normalized_plainly(text)]
        try:
            if len(text) < _LONG_TEXT or added._has_normalized or not self._newlines_part(words):
                return [self._normalized(text, 0)]
            lines = text.split("\n")
            begins = accumulate((len(line) + 1 for line in lines), initial=0)
            return [self._normalized(line, begin) for line, begin in zip(lines, begins, strict=False)]
        except _PlainPathNeededError:
            return [self._normalized_plainly(text)]

    def _newlines_part(self, words: Words) -> bool:
        """Whether lines can be encoded one by one, and what becomes of the newlines between them left out."""
        if not words.drops_white_space:
            return False
        answer = self._characters["\n"]
        return answer != "" and not answer.strip(WHITE_SPACE)

    def _normalized(self, text: str, begin: int) -> _Part:
        """Return a text of characters that stand alone, which is found at ``begin``, normalized."""
        try:
            return _Part(self._characters.replaced(text), begin)
        except _WidthChangesError:
            made = list(map(self._characters.__getitem__, text))
        starts = [at for at, part in enumerate(made, begin) for _ in part]
        return _Part("".join(made), begin, starts, [at + 1 for at in starts])

    def _normalized_plainly(self, text: str) -> _Part:
        """Return what the normalizer makes of the whole text."""
        normalized = NormalizedString(text)
        if self._normalizer is not None:
            self._normalizer._normalize(normalized)
        if not normalized.is_regular:
            raise _PlainPathNeededError
        if normalized.is_aligned_one_to_one:
            return _Part(normalized.normalized, 0)
        return _Part(normalized.normalized, 0, *normalized._alignment_lists())

    # Words -----------------------------------------------------------------------------------------------------------

    def _encoding(self, parts: Sequence[_Part], words: Words, type_id: int) -> Encoding:
        ids: list[int] = []
        tokens: list[str] = []
        offsets: list[tuple[int, int]] = []
        numbers: list[int | None] = []
        add_id, add_token, add_offsets, add_number = ids.append, tokens.append, offsets.append, numbers.append
        number = 0
        for text, begin, starts, ends in parts:
            at = begin if starts is None else 0
            for entry in map(self._entries.__getitem__, words.cut(text)):
                if entry[0] is None:
                    _, width, id_, token, start, end = entry
                    add_id(id_)
                    add_token(token)
                    if starts is None or ends is None:
                        add_offsets((at + start, at + end))
                    else:
                        add_offsets((starts[at + start], ends[at + end - 1]))
                    add_number(number)
                    number += 1
                else:
                    (in_word, count), width, new_ids, new_tokens, spans = entry
                    ids += new_ids
                    tokens += new_tokens
                    if starts is None or ends is None:
                        offsets += [(at + start, at + end) for start, end in spans]
                    else:
                        before = at - 1
                        offsets += [(starts[at + start], ends[before + end]) for start, end in spans]
                    numbers += [number] * len(new_ids) if count == 1 else [number + each for each in in_word]
                    number += count
                at += width
        return Encoding._of(ids=ids, tokens=tokens, offsets=offsets, words=numbers, type_ids=[type_id] * len(ids))

    def _new_entry(self, word: str) -> _Entry:
        """Return what the plain path makes of ``word``."""
        pieces = [] if self._words is None else list(map(self._columns, self._words.pieces_of(word)))
        entry: _Entry
        if len(pieces) == 1:
            ids, tokens, spans = pieces[0]
            if len(ids) == 1:
                entry = (None, len(word), ids[0], tokens[0], *spans[0])
            else:
                entry = (((0,) * len(ids), 1), len(word), ids, tokens, spans)
        else:
            numbers = tuple([number for number, (ids, *_) in enumerate(pieces) for _ in ids])
            ids = tuple(chain.from_iterable([ids for ids, _, _ in pieces]))
            tokens = tuple(chain.from_iterable([tokens for _, tokens, _ in pieces]))
            spans = tuple(chain.from_iterable([spans for _, _, spans in pieces]))
            entry = ((numbers, len(pieces)), len(word), ids, tokens, spans)
        if len(word) <= _LONGEST_CACHED:
            self._remember(word, entry, len(ids))
        return entry

    def _columns(self, piece: Piece) -> _Columns:
        """Return ids, tokens and their spans, in characters of the word that ``piece`` is part of."""
        text, begin, starts, ends, inserted = piece
        made = self._model._tokenize(text)
        bounds = made.bounds
        if bounds is not None:
            from_, to = bounds[:-1], bounds[1:]
        else:
            spans = [span for span in made.char_spans if span is not None]
            if len(spans) != len(made.ids):
                raise _PlainPathNeededError
            from_, to = [start for start, _ in spans], [end for _, end in spans]
        if starts is not None and ends is not None:
            from_, to = [starts[at] for at in from_], [ends[at - 1] for at in to]
        elif inserted:
            from_ = [begin + (at - inserted if at > inserted else 0) for at in from_]
            to = [begin + (at - inserted if at > inserted else 1) for at in to]
        elif begin:
            from_, to = [begin + at for at in from_], [begin + at for at in to]
        return made.ids, made.values, tuple(zip(from_, to, strict=True))

    def _remember(self, word: str, entry: _Entry, tokens: int) -> None:
        self._cached_size += len(word) + tokens
        if self._cached_size > _CACHED_SIZE:
            self._entries.clear()
            self._cached_size = len(word) + tokens
        self._entries[word] = entry
