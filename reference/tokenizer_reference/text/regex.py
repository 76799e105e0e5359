r"""Regular expressions of `Split`, `Replace` and `ByteLevel`: Oniguruma's, with all of their oddities.

What patterns mean is told in :mod:`~tokenizer_reference.text.oniguruma`. What is not supported, and raises
:class:`UnsupportedRegexError`, is in :data:`UNSUPPORTED`; none of it is known from a published tokenizer.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache, partial
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Final

from tokenizer_reference.arguments import string
from tokenizer_reference.text.character_pattern import BASIC_PLANE, highest_code_point
from tokenizer_reference.text.oniguruma.alphabets import Ascii, BasicPlane, TooManyStandInsError
from tokenizer_reference.text.oniguruma.errors import InvalidRegexError, RegexError, UnsupportedRegexError
from tokenizer_reference.text.oniguruma.matcher import Matcher
from tokenizer_reference.text.oniguruma.resolution import resolve
from tokenizer_reference.text.oniguruma.starts import Starts
from tokenizer_reference.text.oniguruma.syntax_tree import length
from tokenizer_reference.text.oniguruma.translation import (
    is_translatable,
    is_translatable_for_basic_plane,
    sets,
    translated,
)
from tokenizer_reference.uncopyable import Uncopyable

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_reference.text.oniguruma.starts import Attempt
    from tokenizer_reference.text.oniguruma.syntax_tree import Node

__all__ = ["InvalidRegexError", "Regex", "RegexError", "UnsupportedRegexError"]

Span = tuple[int, int]

UNSUPPORTED: Final[dict[str, str]] = {
    "(?~…)": "absent functions",
    "(?{…})": "callouts of contents: they call into the program that matches",
    "(*name)": "callouts of names, also as a condition",
    "\\g<…>": "recursion: a call to a capture around it, or to the whole pattern",
    "\\k<name+1>": "backreferences to a level of recursion",
    "(?y{w})": "segmentation into words, with \\X, \\y and \\Y",
    "(?L)": "the longest match",
    "(?<=\\K…)": "\\K in a look-behind: the target finds the same match for ever",
    "(?(a)b)c": "a condition without another side, and something after: the target's search misses matches",
    "\\xC1\\x81": "bytes that have the form of UTF-8 and are no character",
    "((((…))))": "groups in each other, more than about a hundred: there Python's stack ends (the target takes 2,047)",
}
"""Constructs that `tokenizers` takes and the reference does not, and what they are."""


class Regex(Uncopyable):
    r"""A regular expression.

    :raises InvalidRegexError: `tokenizers` refuses the pattern too.
    :raises UnsupportedRegexError: the pattern has a construct that the reference has not.

    >>> Regex(r" ?\p{L}+").spans("to be")
    [(0, 2), (2, 5)]
    """

    def __init__(self, s: str) -> None:
        self.pattern = string("s", s)
        self._tree = _resolved(s)
        self._is_translatable = is_translatable(self._tree)
        self._is_translatable_for_basic_plane = is_translatable_for_basic_plane(self._tree)
        self._starts = Starts(self._tree)
        self._takes_long = self._starts.save_time
        self.can_match_nothing = length(self._tree)[0] == 0

    def __repr__(self) -> str:
        return f"Regex({self.pattern!r})"

    def spans(self, text: str) -> list[Span]:
        """Return all matches in ``text``, from the left, as code points of it.

        A match starts where the one before it ended or later. An empty match where a match ended is none, and the
        search goes on one character later: what else could match there is not tried.

        >>> Regex("x*").spans("axb"), Regex("|a").spans("a")
        ([(0, 0), (1, 2), (3, 3)], [(0, 0), (1, 1)])
        """
        if not self._is_translatable:
            return _all_spans(self._starts.search(text, self._attempt(text)), len(text))
        compiled, prepared = self.prepared(text)
        if self._takes_long:
            return _all_spans(self._starts.search(text, partial(_match, compiled, prepared)), len(text))
        if not self.can_match_nothing:
            return [match.span() for match in compiled.finditer(prepared)]
        return _all_spans(partial(_search, compiled, prepared), len(text))

    def _attempt(self, text: str) -> Attempt:
        """Return what tries the pattern at places of ``text``, where it is not translatable for all texts."""
        if self._is_translatable_for_basic_plane and highest_code_point(text) <= BASIC_PLANE:
            return partial(_match, self._compiled_for_basic_plane, text)
        return partial(self._matcher.match, text)

    def cut(self, text: str) -> list[str]:
        """Return the matches in ``text``, as :meth:`spans` finds them."""
        if self._is_plain:
            compiled, prepared = self.prepared(text)
            if prepared is text:
                return compiled.findall(text)
        return [text[start:end] for start, end in self.spans(text)]

    def _cut_out(self, text: str) -> list[str]:
        """Return the matches in ``text`` and what stands between them, in order, without empty ones.

        >>> Regex("[0-9]")._cut_out("a12b")
        ['a', '1', '2', 'b']
        """
        if self._is_plain:
            compiled, prepared = self.prepared(text)
            if prepared is text:
                words: list[str] = compiled.findall(text) if self._starts.are_anywhere else []
                if len("".join(words)) != len(text):  # there is something between them
                    words = list(filter(None, _capturing(compiled).split(text)))
                return words
        bounds = pairwise([0, *chain.from_iterable(self.spans(text)), len(text)])
        return [text[start:end] for start, end in bounds if start < end]

    @cached_property
    def _is_plain(self) -> bool:
        """Whether what `re` finds at once can be taken as it is, if it is found in the text itself."""
        is_direct = self._is_translatable and not (self._takes_long or self.can_match_nothing)
        return is_direct and not self._compiled_for_ascii.groups

    def prepared(self, text: str) -> tuple[re.Pattern[str], str]:
        """Return a pattern of `re`, and a text of the same length in which it matches where this matches in ``text``.

        So ``finditer`` finds :meth:`spans`, unless the pattern :attr:`can_match_nothing`; it can take longer.

        :raises UnsupportedRegexError: `re` has nothing equal; :meth:`spans` works all the same.
        """
        if not self._is_translatable:
            raise UnsupportedRegexError(self.pattern, 0, "`re` has nothing equal to a construct")
        if text.isascii():
            return self._compiled_for_ascii, text
        return self._compiled_for_basic_plane, self._basic_plane.replaced(text)

    @cached_property
    def _compiled_for_ascii(self) -> re.Pattern[str]:
        return re.compile(translated(self._tree, Ascii()))

    @cached_property
    def _compiled_for_basic_plane(self) -> re.Pattern[str]:
        return re.compile(translated(self._tree, self._basic_plane))

    @cached_property
    def _basic_plane(self) -> BasicPlane:
        try:
            return BasicPlane(sets(self._tree))
        except TooManyStandInsError:
            raise UnsupportedRegexError(
                self.pattern, 0, "more characters beyond U+FFFF than can be told apart are not supported"
            ) from None

    @cached_property
    def _matcher(self) -> Matcher:
        return Matcher.for_tree(self._tree)


def _resolved(pattern: str) -> Node:
    try:
        return resolve(pattern)
    except RecursionError:
        raise UnsupportedRegexError(pattern, 0, "groups nested too deeply are not supported") from None


@lru_cache(maxsize=256)
def _capturing(compiled: re.Pattern[str]) -> re.Pattern[str]:
    """Return the pattern as a group: its ``split`` then gives what it matches, too."""
    return re.compile(f"({compiled.pattern})", compiled.flags)


def _match(compiled: re.Pattern[str], text: str, _start: int, at: int) -> Span | None:
    match = compiled.match(text, at)
    return None if match is None else match.span()


def _search(compiled: re.Pattern[str], text: str, start: int) -> Span | None:
    match = compiled.search(text, start)
    return None if match is None else match.span()


def _all_spans(search: Callable[[int], Span | None], size: int) -> list[Span]:
    """Return all matches in a text of ``size``, by a function that returns the first match at a place or later."""
    spans: list[Span] = []
    at = 0
    last_end = None
    while at <= size and (found := search(at)) is not None:
        start, end = found
        if start == end == last_end:
            at += 1
        else:
            spans.append(found)
            at = last_end = end
    return spans
