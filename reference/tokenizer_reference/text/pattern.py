"""Patterns, a literal string or a :class:`~tokenizer_reference.text.regex.Regex`, and how matches tile a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_reference.arguments import is_text, string
from tokenizer_reference.errors import UpstreamPanicError
from tokenizer_reference.text.regex import Regex

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from tokenizer_reference.text.split_behavior import Match

Pattern = str | Regex


def check_pattern(name: str, pattern: Any) -> Pattern:
    """Return a literal or a regular expression. Raises :class:`TypeError`."""
    if isinstance(pattern, Regex):
        return pattern
    if not is_text(pattern):
        raise TypeError(f"{name}: expected a str without lone surrogates or a Regex, got {pattern!r}")
    return string(name, pattern)


def tile(spans: Iterable[tuple[int, int]], size: int) -> list[Match]:
    """Return matches and gaps in order, so that together they cover ``0`` to ``size``; empty gaps are left out.

    >>> tile([(1, 2)], 3)
    [(0, 1, False), (1, 2, True), (2, 3, False)]
    """
    tiles: list[Match] = []
    last = 0
    for start, end in spans:
        if last != start:
            tiles.append((last, start, False))
        tiles.append((start, end, True))
        last = end
    if last != size:
        tiles.append((last, size, False))
    return tiles


def literal_spans(pattern: str, text: str) -> list[tuple[int, int]]:
    """Return where the non-empty ``pattern`` occurs in ``text``, from the left, without overlaps."""
    spans: list[tuple[int, int]] = []
    width = len(pattern)
    at = text.find(pattern)
    while at >= 0:
        spans.append((at, at + width))
        at = text.find(pattern, at + width)
    return spans


def match_spans(pattern: Pattern, text: str) -> list[tuple[int, int]]:
    """Return where ``pattern`` matches ``text``, from the left, without overlaps. An empty text has no match."""
    if not text or pattern == "":
        return []
    return pattern.spans(text) if isinstance(pattern, Regex) else literal_spans(pattern, text)


def as_component_pattern(pattern: Pattern) -> Pattern:
    """Return the pattern of `Replace` and `Split`: theirs are always regular expressions, so an empty one matches."""
    return Regex("") if pattern == "" else pattern


def matches(pattern: Pattern, text: str) -> list[Match]:
    """Return the tiling of ``text`` by the matches of ``pattern``.

    Of an empty text: one empty range, which is no match.

    An empty literal matches nothing; its one tile is as many *bytes* long as the text has characters (observed,
    tokenizers
    0.23.3), so of a text beyond ASCII it covers only the start. Raises :class:`UpstreamPanicError` where the tile ends
    inside a character.

    >>> matches("", "abc"), matches("", "éa")
    ([(0, 3, False)], [(0, 1, False)])
    """
    if not text:
        return [(0, 0, False)]
    if pattern == "":
        return [_tile_of_empty_literal(text)]
    return tile(match_spans(pattern, text), len(text))


def _tile_of_empty_literal(text: str) -> Match:
    width = len(text)
    start = text.encode()[:width]
    try:
        return 0, len(start.decode()), False
    except UnicodeDecodeError:
        raise UpstreamPanicError(
            f"splitting at an empty string cuts {text!r} after {width} bytes, which is inside a character: "
            "`tokenizers` panics here (NormalizedString bad split)"
        ) from None
