"""AddedVocabulary: the added tokens of a tokenizer, which are cut out of the text before, or after, normalization.

Two searches, both leftmost-longest: tokens with ``normalized=False`` in the raw text, then, in each normalized piece
between them, tokens with ``normalized=True`` by the normalized form of their content. Observed, tokenizers 0.23.3.
"""

from __future__ import annotations

import re
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tokenizer_reference.errors import CallbackError, UpstreamPanicError
from tokenizer_reference.text import characters
from tokenizer_reference.text.code_point_sets import contains
from tokenizer_reference.text.utf8 import byte_positions
from tokenizer_reference.values.pre_tokenized_string import PreTokenizedString, Split
from tokenizer_reference.values.tokenization import Tokenization

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenizer_reference.models.base import Model
    from tokenizer_reference.normalizers.base import Normalizer
    from tokenizer_reference.text.normalized_string import NormalizedString
    from tokenizer_reference.values.added_token import AddedToken

Tile = tuple[int, int, int | None]
"""A range of a text, and the id of the added token that it is; ``None`` for what is between two."""


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A text to search for, and the id that it stands for."""

    text: str
    id: int


_MOST_LENGTHS: Final = 16
_MOST_CHARACTERS: Final = 2_000
"""Lengths that a search may try at one place, and characters that they may have together."""


class _Matcher:
    """Finds the leftmost-longest occurrences of many literal patterns.

    A regex of the patterns' first characters finds where a match may start, a look-up by length (longest first) says
    which pattern it is: the time depends on the text and on how many lengths there are, not on how many patterns. Where
    the lengths are many, an :class:`_Automaton` finds the same.

    An empty pattern (a content that the normalizer removes) matches before every byte at which no other does, and at
    the end, but not where one has just ended. Where the text then ends in the beginning of a longer pattern, the target
    finds no end: it gathers matches until its memory is full (both observed).
    """

    def __init__(self, patterns: Iterable[_Pattern]) -> None:
        self._by_text: dict[str, _Pattern] = {}
        for pattern in patterns:
            # Where two tokens have the same normalized form the target picks one at random; here the lowest id wins.
            self._by_text.setdefault(pattern.text, pattern)
        self._empty = self._by_text.pop("", None)
        self._longest = max(map(len, self._by_text), default=0)
        lengths: dict[str, set[int]] = {}
        for text in self._by_text:
            lengths.setdefault(text[0], set()).add(len(text))
        self._lengths = {first: sorted(sizes, reverse=True) for first, sizes in lengths.items()}
        self._starts = re.compile("|".join(map(re.escape, self._lengths))) if self._lengths else None
        self._is_searched_by_length = all(
            len(sizes) <= _MOST_LENGTHS and sum(sizes) <= _MOST_CHARACTERS for sizes in lengths.values()
        )

    @cached_property
    def _automaton(self) -> _Automaton:
        return _Automaton(self._by_text.values())

    def find(self, text: str) -> Iterator[tuple[int, int, _Pattern]]:
        """Yield the matches in ``text`` as (start, end, pattern), from left to right, without overlaps."""
        if self._empty is not None:
            yield from self._find_with_empty(text, self._empty)
        elif not self._is_searched_by_length:
            yield from self._automaton.find(text)
        elif self._starts is not None:
            yield from self._find_by_length(text, self._starts)

    def _find_by_length(self, text: str, starts: re.Pattern[str]) -> Iterator[tuple[int, int, _Pattern]]:
        at = 0
        while (candidate := starts.search(text, at)) is not None:
            start = candidate.start()
            pattern = self._pattern_at(text, start)
            if pattern is None:
                at = start + 1
            else:
                at = start + len(pattern.text)
                yield start, at, pattern

    def _find_with_empty(self, text: str, empty: _Pattern) -> Iterator[tuple[int, int, _Pattern]]:
        at = 0
        match_end = -1
        while at <= len(text):
            pattern = self._pattern_at(text, at) if at < len(text) else None
            if pattern is not None:
                match_end = at + len(pattern.text)
                yield at, match_end, pattern
                at = match_end
            else:
                # Where a match has just ended, the first place is between the bytes of a character that has several.
                if at != match_end or not text[at : at + 1].isascii():
                    yield at, at, empty
                self._check_end(text, at)
                at += 1

    def _check_end(self, text: str, at: int) -> None:
        rest = text[at : at + self._longest]
        if rest and at + len(rest) == len(text) and any(pattern.startswith(rest) for pattern in self._by_text):
            raise UpstreamPanicError(
                f"the normalizer removes an added token, and the text ends in {rest!r}, the beginning of another one: "
                "`tokenizers` then fills its memory until the process dies"
            )

    def _pattern_at(self, text: str, start: int) -> _Pattern | None:
        for length in self._lengths.get(text[start], ()):
            pattern = self._by_text.get(text[start : start + length])
            if pattern is not None:
                return pattern
        return None


class _State:
    """The longest beginning of a pattern that the text read so far ends in."""

    __slots__ = ("depth", "following", "pattern", "shorter")

    def __init__(self, depth: int) -> None:
        self.depth = depth
        """How many characters it has."""
        self.following: dict[str, _State] = {}
        """The beginnings of one character more."""
        self.shorter: _State | None = None
        """The next shorter beginning of a pattern that it ends in; none for the empty one."""
        self.pattern: _Pattern | None = None
        """The longest pattern that it ends in, which may be the whole of it."""


class _Automaton:
    """Finds what :class:`_Matcher` finds, in one step for each character (Aho and Corasick, 1975).

    The steps begin at a character with which a pattern begins. Only what stands behind the start of a longer pattern
    that did not come is read again.
    """

    def __init__(self, patterns: Iterable[_Pattern]) -> None:
        self._start = _State(0)
        for pattern in patterns:
            state = self._start
            for char in pattern.text:
                longer = state.following.get(char)
                if longer is None:
                    longer = state.following[char] = _State(state.depth + 1)
                state = longer
            state.pattern = pattern
        self._starts = re.compile("|".join(map(re.escape, self._start.following)) or "(?!)")
        self._set_shorter()

    def _set_shorter(self) -> None:
        """Link each state to the next shorter one that it ends in, the shorter states before the longer."""
        queue = deque([self._start])
        while queue:
            state = queue.popleft()
            for char, longer in state.following.items():
                shorter = state.shorter
                while shorter is not None and char not in shorter.following:
                    shorter = shorter.shorter
                longer.shorter = self._start if shorter is None else shorter.following[char]
                longer.pattern = longer.pattern or longer.shorter.pattern
                queue.append(longer)

    def find(self, text: str) -> Iterator[tuple[int, int, _Pattern]]:
        """Yield the matches in ``text`` as (start, end, pattern), from left to right, without overlaps."""
        at = 0
        while (found := self._first(text, at)) is not None:
            yield found
            at = found[1]

    def _first(self, text: str, at: int) -> tuple[int, int, _Pattern] | None:
        """Return the leftmost match that starts at ``at`` or later, the longest of those."""
        candidate = self._starts.search(text, at)
        if candidate is None:
            return None
        state = self._start
        best: tuple[int, int, _Pattern] | None = None
        for end in range(candidate.start() + 1, len(text) + 1):
            char = text[end - 1]
            following = state.following.get(char)
            if following is None:
                while following is None and state.shorter is not None:
                    state = state.shorter
                    following = state.following.get(char)
                state = following or self._start
                if best is not None and end - state.depth > best[0]:
                    break  # nothing that goes on starts as far left
            else:
                state = following
            pattern = state.pattern
            if pattern is not None and (best is None or end - len(pattern.text) <= best[0]):
                best = end - len(pattern.text), end, pattern
        return best


class AddedVocabulary:
    """The added tokens of a tokenizer, their ids, and the two searches."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._tokens: dict[int, AddedToken] = {}
        self._special: set[str] = set()
        # Ids whose token's content changes under the normalizer. An entry outlives a token that is added again with
        # normalized=False: `id_to_token` then still gives the normalized form (observed).
        self._normalized_contents: dict[int, str] = {}
        # What is searched for, by id, in the raw text and in the normalized one. It is brought up to date at the end of
        # a change: one that a normalizer breaks off leaves the old search (observed).
        self._raw_patterns: dict[int, str] = {}
        self._normalized_patterns: dict[int, str] = {}
        self._changed: set[int] = set()
        self._matchers: tuple[_Matcher, _Matcher] | None = None
        self.encode_special_tokens = False

    # The vocabulary --------------------------------------------------------------------------------------------------

    def vocabulary(self) -> dict[str, int]:
        """Return the added tokens' contents with their ids."""
        return self._ids

    def decoder(self) -> dict[int, AddedToken]:
        """Return the added tokens by id."""
        return dict(sorted(self._tokens.items()))

    def token_to_id(self, token: str, model: Model) -> int | None:
        """Return the id of an added token or else of a model token."""
        id = self._ids.get(token)
        return model.token_to_id(token) if id is None else id

    def id_to_token(self, id: int) -> str | None:
        """Return the text of the added token with ``id``: its *normalized* form, where it has one, or ``None``."""
        token = self._tokens.get(id)
        return None if token is None else self._normalized_contents.get(id, token.content)

    def is_special(self, token: str) -> bool:
        """Whether ``decode`` skips ``token``. A content once added as special stays special."""
        return token in self._special

    def add(self, tokens: Iterable[AddedToken], model: Model, normalizer: Normalizer | None) -> int:
        """Add ``tokens`` and return how many were new or changed.

        A content that the model or an earlier token has keeps its id; others get the next ids: from the model's size
        on, or after the largest added id where that is not below it. An empty content, and a token added before with
        the same flags, are passed over. Where the normalizer raises an error, the tokens before stay added, but the
        next change is the first after which they are found.
        """
        added = 0
        next_id = self._next_id(model._vocabulary_size())
        for token in tokens:
            known = self._ids.get(token.content)
            if not token.content or (known is not None and self._tokens.get(known) == token):
                continue
            id = self.token_to_id(token.content, model)
            if id is None:
                id = next_id
                next_id += 1
            self._remember_normalized(id, token, normalizer)
            self._ids[token.content] = id
            self._tokens[id] = token._copy()
            if token.special:
                self._special.add(token.content)
            self._changed.add(id)
            added += 1
        self._update_search()
        return added

    def _next_id(self, model_size: int) -> int:
        if not self._tokens:
            return model_size
        return max(max(self._tokens) + 1, model_size)

    def refresh(self, normalizer: Normalizer | None) -> None:
        """Normalize the contents again: to be called when the normalizer is replaced.

        Where it raises an error, the contents from there on have no normalized form, and the search is the old one. The
        target takes the tokens in random order.
        """
        self._normalized_contents.clear()
        self._changed.update(self._tokens)
        for id, token in self._tokens.items():
            self._remember_normalized(id, token, normalizer)
        self._update_search()

    def _remember_normalized(self, id: int, token: AddedToken, normalizer: Normalizer | None) -> None:
        if token.normalized and normalizer is not None:
            content = normalizer.normalize_str(token.content)
            if content != token.content:
                self._normalized_contents[id] = content

    def _update_search(self) -> None:
        for id in self._changed:
            token = self._tokens[id]
            self._raw_patterns.pop(id, None)
            self._normalized_patterns.pop(id, None)
            if token.normalized:
                self._normalized_patterns[id] = self._normalized_contents.get(id, token.content)
            else:
                self._raw_patterns[id] = token.content
        self._changed.clear()
        self._matchers = None

    # The searches ----------------------------------------------------------------------------------------------------

    def extract_and_normalize(self, sequence: str, normalizer: Normalizer | None) -> PreTokenizedString:
        """Return ``sequence`` cut at its added tokens, everything between them normalized."""
        raw, normalized = self._searches
        pretok = PreTokenizedString(sequence)
        pretok._replace_splits(lambda _, text: self._cut(text, raw))

        def normalize_and_cut(_: int, text: NormalizedString) -> Iterable[NormalizedString | Split]:
            if normalizer is not None:
                # What a custom normalizer raises is lost, and the text stays as far as it was changed (observed).
                with suppress(CallbackError):
                    normalizer._normalize(text)
            return self._cut(text, normalized)

        pretok._replace_splits(normalize_and_cut)
        return pretok

    @property
    def _searches(self) -> tuple[_Matcher, _Matcher]:
        """What finds tokens in the raw text, and in the normalized one."""
        return self._matchers or self._build_matchers()

    @property
    def _has_normalized(self) -> bool:
        return bool(self._normalized_patterns)

    def _build_matchers(self) -> tuple[_Matcher, _Matcher]:
        patterns = self._raw_patterns, self._normalized_patterns
        raw, normalized = ([_Pattern(text, id) for id, text in sorted(texts.items())] for texts in patterns)
        self._matchers = _Matcher(raw), _Matcher(normalized)
        return self._matchers

    def _cut(self, text: NormalizedString, matcher: _Matcher) -> Iterable[NormalizedString | Split]:
        spans = self._spans(text.normalized, matcher)
        if not spans:
            # Also the uncut text is a new slice: it covers only what its characters stand for, and a Metaspace with the
            # scheme "first" sees that the text no longer begins at 0 where a normalizer removed its start (observed).
            return [text.slice_range(0, len(text.normalized))]
        pieces: list[NormalizedString | Split] = []
        for start, end, id in spans:
            piece = text.slice_range(start, end)
            if id is None:
                pieces.append(piece)
            else:
                value = piece.normalized
                pieces.append(Split(piece, Tokenization(value, (id,), (value,), ((0, byte_positions(value)[-1]),))))
        return pieces

    def _spans(self, text: str, matcher: _Matcher) -> list[Tile]:
        """Return the tiling of ``text`` by added tokens: (start, end, id), without an id for the text between.

        Empty where there is no added token. A match that its token's flags reject has still consumed its text. A token
        with ``rstrip`` may run into the next one, which then overlaps it (both observed).
        """
        spans: list[Tile] = []
        last = 0
        for match_start, match_end, pattern in matcher.find(text):
            start, end = match_start, match_end
            token = self._tokens[pattern.id]
            if self.encode_special_tokens and token.content in self._special:
                continue
            if not pattern.text and start < len(text) and not text[start].isascii():
                raise UpstreamPanicError(
                    f"the normalizer removes the added token {token.content!r}, and an empty token matches at every "
                    f"byte: `tokenizers` panics inside {text[start]!r} (byte index is not a char boundary)"
                )
            if token.single_word and not _stands_alone(text, start, end):
                continue
            if token.lstrip:
                start = _white_space_before(text, start, last)
            if token.rstrip:
                end = _white_space_after(text, end)
            if start > end:
                raise UpstreamPanicError(
                    f"the added token {token.content!r} lies wholly in white space that an earlier token with rstrip "
                    "took: `tokenizers` panics here (AddedVocabulary bad split)"
                )
            if last < start:
                spans.append((last, start, None))
            spans.append((start, end, pattern.id))
            last = end
        if spans and last != len(text):
            spans.append((last, len(text), None))
        return spans


def _stands_alone(text: str, start: int, end: int) -> bool:
    word = characters.word_characters_16()
    before = start > 0 and contains(word, ord(text[start - 1]))
    after = end < len(text) and contains(word, ord(text[end]))
    return not before and not after


def _white_space_before(text: str, start: int, last: int) -> int:
    """Return where the white space before ``start`` begins, but not before ``last``, where the previous match ended."""
    while start > last and text[start - 1] in characters.WHITE_SPACE:
        start -= 1
    return max(start, last)


def _white_space_after(text: str, end: int) -> int:
    size = len(text)
    while end < size and text[end] in characters.WHITE_SPACE:
        end += 1
    return end
