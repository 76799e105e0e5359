"""Where two tokenizers cut one text differently.

A token of ``" world"`` and one of ``"world"`` behind a dropped space are the same cut of the text to a reader. So each
token has a *core*: its characters without the white space at their ends. A place where no core of either tokenizer
goes on is a common boundary, and every token of both is in exactly one stretch between two neighbouring ones: whatever
is counted by stretches therefore sums to the counts of the whole text.

A *region* is a stretch in which the cores differ, widened to the ends of the word, number or run that it is in, as far
as these are common boundaries; stretches that meet inside such a run are one region. Where one space before a word is
a token of its own in one cut alone, it is a region together with that word.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tokenizer_conformance.research.cuts.characters import is_inside_run

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenizer_adapters.contract import Span
    from tokenizer_conformance.research.segmentation.segmented import Segmented
    from tokenizer_conformance.results.records import cuts as lines

MARKS = "▁Ġ "
"""What vocabularies write for the space before a word."""


@dataclass(frozen=True, slots=True)
class PlacedToken:
    """A token: its ``id``, its entry of the vocabulary where that is shown, and its place.

    ``span`` are the characters of the text that it stands for (code points, end exclusive), ``core`` those of them
    without white space at their ends; a token of nothing but white space is all core. ``is_unknown``: it is the unknown
    token, whatever stands there.
    """

    id: int
    token: str | None
    span: Span
    core: Span
    is_unknown: bool = False

    @property
    def is_mark(self) -> bool:
        """Whether it is the mark of a space alone, whatever it stands for."""
        return self.token is not None and bool(self.token) and not self.token.strip(MARKS)


@dataclass(frozen=True)
class PlacedText:
    """A text with the tokens of one tokenizer, in the order in which it gives them."""

    text: str
    tokens: tuple[PlacedToken, ...]

    @cached_property
    def crossed(self) -> bytes:
        """For each place from 0 to the length of the text, 1 where a core goes on there and 0 where none does."""
        crossed = bytearray(len(self.text) + 1)
        for token in self.tokens:
            start, end = token.core
            if end - start > 1:
                crossed[start + 1 : end] = b"\x01" * (end - start - 1)
        return bytes(crossed)

    def is_cut_at(self, place: int) -> bool:
        """Return whether no core goes on at ``place``."""
        return not self.crossed[place]


@dataclass(frozen=True, slots=True)
class Region:
    """The characters ``start`` to ``end`` of a text with the tokens of two tokenizers on them."""

    start: int
    end: int
    first: tuple[PlacedToken, ...]
    second: tuple[PlacedToken, ...]

    @property
    def difference(self) -> int:
        """How many tokens the second tokenizer needs more than the first."""
        return len(self.second) - len(self.first)

    @property
    def has_same_tokens(self) -> bool:
        """Whether both have the same known tokens in the same order, and differ in where these are said to stand."""
        ours, theirs = ([each.token for each in tokens] for tokens in (self.first, self.second))
        return ours == theirs and not any(each.token is None or each.is_unknown for each in (*self.first, *self.second))


def placed(segmented: Segmented, unknown: int | None = None) -> PlacedText | None:
    """Return ``segmented`` with the cores of its tokens; ``None`` where no spans are shown.

    ``unknown`` is the id of the unknown token.
    """
    if segmented.spans is None:
        return None
    tokens: Sequence[str | None] = segmented.tokens or (None,) * len(segmented.ids)
    given = zip(segmented.ids, tokens, segmented.spans, strict=True)
    return _placed(segmented.text, ((id_, token, span, id_ == unknown) for id_, token, span in given))


def placed_again(text: str, tokens: Iterable[lines.Token]) -> PlacedText:
    """Return ``text`` with the ``tokens`` that a record has of it."""
    return _placed(text, ((each.id, each.token, each.span, each.unknown) for each in tokens))


def _placed(text: str, tokens: Iterable[tuple[int, str | None, Span, bool]]) -> PlacedText:
    return PlacedText(
        text,
        tuple(PlacedToken(id_, token, span, _core(text, span), is_unknown) for id_, token, span, is_unknown in tokens),
    )


def _core(text: str, span: Span) -> Span:
    r"""Return ``span`` without the white space at its ends, where it has anything else.

    >>> _core(" a b\n", (0, 5)), _core("  ", (0, 2))
    ((1, 4), (0, 2))
    """
    start, end = span
    while start < end and text[start].isspace():
        start += 1
    if start == end:
        return span
    while text[end - 1].isspace():
        end -= 1
    return start, end


def regions_between(first: PlacedText, second: PlacedText) -> Iterator[Region]:
    """Yield the regions in which two tokenizers cut one text differently, in their order."""
    edges = _common_boundaries(first, second)
    ours, theirs = _by_stretch(first, edges), _by_stretch(second, edges)
    differing = [
        stretch
        for stretch in sorted(ours.keys() | theirs.keys())
        if not _are_alike(ours.get(stretch, ()), theirs.get(stretch, ()))
    ]
    done = -1
    for stretch in differing:
        if stretch <= done:
            continue
        begin, end = stretch, stretch + 1
        while begin > done + 1 and is_inside_run(first.text, edges[begin]):
            begin -= 1
        while end < len(edges) - 1 and (
            is_inside_run(first.text, edges[end]) or _begins_word(first.text, *edges[end - 1 : end + 1])
        ):
            end += 1
        done = end - 1
        inside = range(begin, end)
        yield Region(
            edges[begin],
            edges[end] if end < len(edges) else len(first.text),
            tuple(token for each in inside for token in ours.get(each, ())),
            tuple(token for each in inside for token in theirs.get(each, ())),
        )


def _begins_word(text: str, start: int, end: int) -> bool:
    """Return whether the characters ``start`` to ``end`` are one space before a word, and not one of a run."""
    return text[start:end] == " " and not text[start - 1 : start].isspace() and not text[end : end + 1].isspace()


def _common_boundaries(first: PlacedText, second: PlacedText) -> list[int]:
    """Return the ends of cores, and of the text, at which no core of either goes on."""
    ends = {0, len(first.text)}
    for each in (first, second):
        for token in each.tokens:
            ends.update(token.core)
    return [place for place in sorted(ends) if not (first.crossed[place] or second.crossed[place])]


def _by_stretch(text: PlacedText, edges: Sequence[int]) -> dict[int, list[PlacedToken]]:
    """Return the tokens by the number of the stretch they are in; those of no characters are in the one after them."""
    found: dict[int, list[PlacedToken]] = {}
    last = max(len(edges) - 2, 0)
    for token in text.tokens:
        found.setdefault(min(bisect_right(edges, token.core[0]) - 1, last), []).append(token)
    return found


def _are_alike(first: Sequence[PlacedToken], second: Sequence[PlacedToken]) -> bool:
    """Say whether both have tokens on the same characters; the unknown token, and marks alone, are no others' like."""
    return len(first) == len(second) and all(
        (a.core, a.is_unknown, a.is_mark) == (b.core, b.is_unknown, b.is_mark)
        for a, b in zip(first, second, strict=True)
    )
