"""FastEncoder: the same encodings as the plain path gives, from a cache of words.

The plain path (``Tokenizer._encode_text``) is the definition. It takes a text through the components as they are
described, an object for each piece. This one does the same only where the components say that they work locally:

1. A text that the normalizer's locality covers (:mod:`~tokenizer_reference.normalizers.locality`) is normalized by
   a table of characters, in which those that stay as they are are not even looked up. Another one is normalized as a
   whole, by the normalizer itself.
2. The normalized text is cut into words, each of which the pre-tokenizer treats as if it were the whole text
   (:class:`~tokenizer_reference.pre_tokenizers.base.Locality`). Blanks belong to the word after them.
   Where all of the text is one piece, it is cut into runs, which the model treats as if each were a word
   (:meth:`~tokenizer_reference.models.base.Model._runs`).
3. An :class:`_Entry` is what the plain path makes of a word, with offsets from the word's start. It is made by the very
   components, once for each distinct word. That of a word which is spelled in bytes is put together from those of its
   runs (:class:`~tokenizer_reference.models.runs.ByteRuns`).

Added tokens are searched for as the plain path does, and what stands between them is taken so, one part after another.

Whatever is not so goes the plain way: components that vouch for nothing, models that draw at random, tokens whose bytes
fit no character. That both ways give the same is tested over all code points, real texts
and random pipelines (``test_fast_encoder.py``, ``test_fast_way.py`` in ``tests/reference/pipeline``).
"""

from __future__ import annotations

import re
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from tokenizer_reference.component import CHANGES
from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.normalizers.locality import NO_CHANGE, Locality
from tokenizer_reference.pre_tokenizers.base import UNCUT
from tokenizer_reference.text.characters import WHITE_SPACE
from tokenizer_reference.text.normalized_string import NormalizedString
from tokenizer_reference.text.remembered import Remembered
from tokenizer_reference.values.encoding import Encoding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tokenizer_reference.added_vocabulary import AddedVocabulary, Tile
    from tokenizer_reference.models.base import Model
    from tokenizer_reference.normalizers.base import Normalizer
    from tokenizer_reference.normalizers.locality import Answer
    from tokenizer_reference.pre_tokenizers.base import Piece, PreTokenizer, Words
    from tokenizer_reference.values.tokenization import Tokenization

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

T = TypeVar("T")

_Places = tuple[int, ...]
"""Where tokens begin, or end, in characters of their word. A tuple of pairs would keep the garbage collector busy."""

_Single = tuple[None, int, int, str, int, int]
"""The one token of a word, as nearly all words have it: ``None``, how many characters the word has, the token's id and
text, and its span.
"""

_Several = tuple[tuple[tuple[int, ...], int], int, tuple[int, ...], tuple[str, ...], _Places, _Places]
"""The tokens of a word, none or several: which of the word's pieces each token is part of, and how many pieces there
are; how many characters the word has; ids, texts, and places of the tokens.
"""

_Entry = _Single | _Several
"""What the plain path makes of a word. A plain tuple: the garbage collector soon passes those by."""

_ONE_PIECE: Final = ((), 1)
"""What is said of several tokens of one piece."""

_Columns = tuple[tuple[int, ...], tuple[str, ...], _Places, _Places]


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
        self._space = " "
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
        elif char == " " and len(new) == 1 and self._of(new) == new:
            self._space = new
        return new

    def replaced(self, text: str) -> str:
        """Return ``text`` with what becomes of each character, which must be one character.

        A pattern passes those by that are known to stay as they are. What a space becomes, if that is one of these, is
        put in its place before: no other change is as frequent. Raises :class:`_WidthChangesError`.
        """
        if self._space != " ":
            text = text.replace(" ", self._space)
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
    """A part of the text, normalized; or an added token, with the white space that it takes, and its ``id``.

    Character i stands for the characters ``starts[i]`` to ``ends[i]`` of the original text; where these are ``None``,
    for ``begin + i``, and the first ``prefixed`` ones for the same as the one after them.
    """

    text: str
    begin: int
    starts: Sequence[int] | None = None
    ends: Sequence[int] | None = None
    id: int | None = None
    prefixed: int = 0

    def written(self, writing: Callable[[str, bool], str]) -> _Part:
        """Return the part as a pre-tokenizer writes it before it cuts it; see :class:`Words`."""
        if self.id is not None or not self.text:
            return self
        begin = self.begin + self.prefixed if self.starts is None else self.starts[0]
        text = writing(self.text, begin == 0)
        more = len(text) - len(self.text)
        if self.starts is None or self.ends is None:
            return _Part(text, self.begin - more, prefixed=self.prefixed + more)
        return _Part(text, 0, [begin] * more + [*self.starts], [self.ends[0]] * more + [*self.ends])

    def cut(self, tiles: Iterable[Tile]) -> Iterator[_Part]:
        """Yield the parts of this one at ``tiles``."""
        starts, ends = self.starts, self.ends
        if self.prefixed:
            starts = [max(at, self.prefixed) + self.begin for at in range(len(self.text))]
            ends = [at + 1 for at in starts]
        for start, end, id_ in tiles:
            if starts is None or ends is None:
                yield _Part(self.text[start:end], self.begin + start, None, None, id_)
            else:
                yield _Part(self.text[start:end], 0, starts[start:end], ends[start:end], id_)


def _words_of(pre_tokenizer: PreTokenizer | None) -> Words | None:
    """Return how a pre-tokenizer cuts a text into words; ``None`` where it vouches for no way."""
    if pre_tokenizer is None:
        return UNCUT
    locality = pre_tokenizer._locality()
    return None if locality is None else locality.words


def _entry_of(added: int, text: str) -> list[_Entry]:
    """Return the entry of an added token that has ``text``; none where that is empty: then there is no piece."""
    return [(None, len(text), added, text, 0, len(text))] if text else []


def _joined(columns: Iterable[tuple[T, ...]]) -> tuple[T, ...]:
    return tuple(chain.from_iterable(columns))


def _lift(offsets: list[tuple[int, int]], first: int, begin: int) -> None:
    """Let the tokens from ``first`` on that start before ``begin`` stand for the character that begins there."""
    while first < len(offsets) and offsets[first][0] < begin:
        offsets[first] = begin, max(offsets[first][1], begin + 1)
        first += 1


class FastEncoder:
    """Encodes texts by one normalizer, one pre-tokenizer and one model, as these were when it was made."""

    def __init__(self, normalizer: Normalizer | None, pre_tokenizer: PreTokenizer | None, model: Model) -> None:
        self._normalizer = normalizer
        self._pre_tokenizer = pre_tokenizer
        self._model = model
        self._looked_at = CHANGES.count
        self._state = self._current_state()
        locality = NO_CHANGE if normalizer is None else normalizer._locality()
        self._words = None if locality is None or not model._cacheable else _words_of(pre_tokenizer)
        has_runs = self._words is not None and self._words.are_pieces and model._runs("") is not None
        self._runs = model._runs if has_runs else None
        has_byte_runs = self._words is not None and self._words.are_bytes
        self._byte_runs = model._byte_runs if has_byte_runs else None
        self._columns_of_run = Remembered(self._new_columns_of_run)
        self._entries = _Entries(self._new_entry)
        self._cached_size = 0
        self._locality = locality or Locality()
        self._characters = _Characters(self._locality.of)

    def _current_state(self) -> tuple[int, int, int]:
        return (
            0 if self._normalizer is None else self._normalizer._last_change(),
            0 if self._pre_tokenizer is None else self._pre_tokenizer._last_change(),
            self._model._last_change(),
        )

    def is_for(self, normalizer: Normalizer | None, pre_tokenizer: PreTokenizer | None, model: Model) -> bool:
        """Whether it was made of these components, and they have not changed since."""
        if not (normalizer is self._normalizer and pre_tokenizer is self._pre_tokenizer and model is self._model):
            return False
        if self._looked_at != CHANGES.count:  # any component has changed
            if self._state != self._current_state():
                return False
            self._looked_at = CHANGES.count
        return True

    def encode(self, text: str, added: AddedVocabulary, type_id: int) -> Encoding | None:
        """Return what the plain path gives for ``text``, or ``None`` where only that path can tell."""
        words = self._words
        if words is None:
            return None
        try:
            parts = self._parts(text, words, added)
            if words.written is not None:
                parts = [part.written(words.written) for part in parts]
            return self._encoding(parts, words, type_id)
        except (_PlainPathNeededError, TokenizerReferenceError):
            return None

    def _parts(self, text: str, words: Words, added: AddedVocabulary) -> Iterable[_Part]:
        """Return the parts of the text: what stands between added tokens, normalized, and these."""
        raw, _ = added._searches
        spans = added._spans(text, raw)
        if not spans and not added._has_normalized:
            return self._normalized_parts(text, 0, words, added)
        return self._cut_parts(text, spans or [(0, len(text), None)], words, added)

    def _cut_parts(self, text: str, spans: Iterable[Tile], words: Words, added: AddedVocabulary) -> Iterator[_Part]:
        """Yield the parts of a text with added tokens at ``spans``, in which others may stand once it is normalized."""
        _, normalized = added._searches
        for start, end, id_ in spans:
            if id_ is not None:
                yield _Part(text[start:end], start, id=id_)
                continue
            for part in self._normalized_parts(text[start:end], start, words, added):
                found = added._spans(part.text, normalized) if added._has_normalized else []
                yield from part.cut(found) if found else (part,)

    # Normalization ---------------------------------------------------------------------------------------------------

    def _normalized_parts(self, text: str, begin: int, words: Words, added: AddedVocabulary) -> list[_Part]:
        """Return a text that is found at ``begin``, normalized; a long one line by line.

        So few lines of it need an alignment.
        """
        if self._normalizer is None:
            return [_Part(text, begin)]
        if any(literal in text for literal in self._locality.literals):
            return [self._normalized_plainly(text, begin)]
        try:
            if len(text) < _LONG_TEXT or added._has_normalized or not self._newlines_part(words):
                return [self._normalized(text, begin)]
            lines = text.split("\n")
            begins = accumulate((len(line) + 1 for line in lines), initial=begin)
            return [self._normalized(line, begin) for line, begin in zip(lines, begins, strict=False)]
        except _PlainPathNeededError:
            return [self._normalized_plainly(text, begin)]

    def _newlines_part(self, words: Words) -> bool:
        """Whether lines can be encoded one by one, and what becomes of the newlines between them left out."""
        if self._locality.prefix or not words.drops_white_space:
            return False
        answer = self._characters["\n"]
        return answer != "" and not answer.strip(WHITE_SPACE)

    def _normalized(self, text: str, begin: int) -> _Part:
        """Return a text of characters that stand alone, which is found at ``begin``, normalized."""
        prefix = self._locality.prefix if text else ""
        try:
            return _Part(prefix + self._characters.replaced(text), begin - len(prefix), prefixed=len(prefix))
        except _WidthChangesError:
            made = list(map(self._characters.__getitem__, text))
        starts = [begin] * len(prefix) + [at for at, part in enumerate(made, begin) for _ in part]
        return _Part(prefix + "".join(made), begin, starts, [at + 1 for at in starts])

    def _normalized_plainly(self, text: str, begin: int) -> _Part:
        """Return what the normalizer makes of a whole text, which is found at ``begin``."""
        normalized = NormalizedString(text)
        if self._normalizer is not None:
            self._normalizer._normalize(normalized)
        if not normalized.is_regular:
            raise _PlainPathNeededError
        if normalized.is_aligned_one_to_one:
            return _Part(normalized.normalized, begin)
        starts, ends = normalized._alignment_lists()
        if begin:
            starts, ends = [at + begin for at in starts], [at + begin for at in ends]
        return _Part(normalized.normalized, 0, starts, ends)

    # Words -----------------------------------------------------------------------------------------------------------

    def _encoding(self, parts: Iterable[_Part], words: Words, type_id: int) -> Encoding:
        ids: list[int] = []
        tokens: list[str] = []
        offsets: list[tuple[int, int]] = []
        numbers: list[int | None] = []
        add_id, add_token, add_offsets, add_number = ids.append, tokens.append, offsets.append, numbers.append
        number = 0
        for text, begin, starts, ends, added, prefixed in parts:
            at = begin if starts is None else 0
            first, numbered = len(ids), number
            cut, is_one_piece = self._cut(text, words) if added is None else ([], False)
            for entry in map(self._entries.__getitem__, cut) if added is None else _entry_of(added, text):
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
                    (in_word, count), width, new_ids, new_tokens, begins, stops = entry
                    ids += new_ids
                    tokens += new_tokens
                    if starts is None or ends is None:
                        offsets += [(at + start, at + end) for start, end in zip(begins, stops, strict=True)]
                    else:
                        from_, to = [starts[at + start] for start in begins], [ends[at + end - 1] for end in stops]
                        offsets += zip(from_, to, strict=True)
                    numbers += [number] * len(new_ids) if count == 1 else [number + each for each in in_word]
                    number += count
                at += width
            if is_one_piece:
                numbers[first:] = [numbered] * (len(ids) - first)
                number = numbered + 1
            if prefixed:
                _lift(offsets, first, begin + prefixed)
        return Encoding._of(ids=ids, tokens=tokens, offsets=offsets, words=numbers, type_ids=[type_id] * len(ids))

    def _cut(self, text: str, words: Words) -> tuple[list[str], bool]:
        """Return the words of ``text``, or the runs of its only one, and whether these are parts of one piece."""
        cut = words.cut(text)
        runs = self._runs(text) if len(cut) == 1 and self._runs is not None else None
        return (cut, False) if runs is None else (runs, True)

    def _new_entry(self, word: str) -> _Entry:
        """Return what the plain path makes of ``word``."""
        runs = None if self._byte_runs is None else self._byte_runs.of(word)
        if runs is not None:
            pieces = [self._columns_of_runs(runs)]
        else:
            pieces = [] if self._words is None else list(map(self._columns, self._words.pieces_of(word)))
        entry: _Entry
        if len(pieces) == 1:
            ids, tokens, begins, stops = pieces[0]
            if len(ids) == 1:
                entry = (None, len(word), ids[0], tokens[0], begins[0], stops[0])
            else:
                entry = (_ONE_PIECE, len(word), ids, tokens, begins, stops)
        else:
            numbers = tuple([number for number, (ids, *_) in enumerate(pieces) for _ in ids])
            ids, tokens, begins, stops = map(_joined, zip(*pieces, strict=True)) if pieces else ((),) * 4
            entry = ((numbers, len(pieces)), len(word), ids, tokens, begins, stops)
        if len(word) <= _LONGEST_CACHED:
            self._remember(word, entry, len(ids))
        return entry

    def _columns_of_runs(self, runs: list[str]) -> _Columns:
        """Return the columns of a word that is one piece, by its runs."""
        ids, tokens, begins, stops = zip(*map(self._columns_of_run.__getitem__, runs), strict=True)
        places = list(accumulate(map(len, runs), initial=0))
        return (
            tuple(chain.from_iterable(ids)),
            tuple(chain.from_iterable(tokens)),
            tuple([at + start for at, of_run in zip(places, begins, strict=False) for start in of_run]),
            tuple([at + end for at, of_run in zip(places, stops, strict=False) for end in of_run]),
        )

    def _new_columns_of_run(self, run: str) -> _Columns:
        [piece] = [] if self._words is None else self._words.pieces_of(run)
        return self._columns(piece, self._model._tokenize_run)

    def _columns(self, piece: Piece, tokenize: Callable[[str], Tokenization] | None = None) -> _Columns:
        """Return ids, tokens and their spans, in characters of the word that ``piece`` is part of."""
        text, begin, starts, ends, inserted = piece
        made = (tokenize or self._model._tokenize)(text)
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
        return made.ids, made.values, tuple(from_), tuple(to)

    def _remember(self, word: str, entry: _Entry, tokens: int) -> None:
        self._cached_size += len(word) + tokens
        if self._cached_size > _CACHED_SIZE:
            self._entries.clear()
            self._cached_size = len(word) + tokens
        self._entries[word] = entry
