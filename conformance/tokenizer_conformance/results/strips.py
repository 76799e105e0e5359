"""Tokens under the text they stand for: which character is in which column, and which token in which row.

A strip has a column for each code point of a text, or of what is around the place where two answers part, and rows for
each side. Tokens that share characters (of one character's bytes, say) stand in rows one under the other. What stands
for no character (special tokens, empty spans, answers without offsets) stands under the rows, in its order.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from tokenizer_conformance.comparison.record_forms import LONGEST_TEXT
from tokenizer_conformance.escape import code_point, escape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_conformance.results.page import Answer, Subject, Token

MOST_COLUMNS = 96
"""How many code points a strip shows."""

LINE_COLUMNS = 48
"""How many code points a line of a whole text has, and"""

MOST_LINES = 40
"""how many lines of it are shown."""

MOST_ROWS = 6
"""How many tokens one under the other a strip shows; further ones stand under these."""

MOST_LOOSE = 200
"""How many tokens stand under the rows of a strip."""

LONGEST_SHOWN = 600
"""How many characters of a text answer are shown around the place where it parts from the other."""


@dataclass(frozen=True, slots=True)
class Character:
    """One column: how a code point is ``shown``, and its ``name``."""

    shown: str
    name: str


@dataclass(frozen=True, slots=True)
class Block:
    """A token as it is drawn: from column ``start`` to ``end`` (exclusive), both 0 where it has no column.

    ``place`` is what it stands for in code points of the text, in words: ``3–5``, ``at 3`` where that is no character.
    """

    shown: str
    id: int | None
    start: int
    end: int
    differs: bool
    place: str = ""


@dataclass(frozen=True, slots=True)
class Lane:
    """What one ``side`` has in a strip: ``rows`` of blocks, ``loose`` ones without a place, and what is left out."""

    side: str
    rows: tuple[tuple[Block, ...], ...]
    loose: tuple[Block, ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Strip:
    """The tokens of all sides under one subject, of which the columns are code points ``start`` to ``end``."""

    label: str
    start: int
    end: int
    length: int
    characters: tuple[Character, ...]
    lanes: tuple[Lane, ...]


@dataclass(frozen=True, slots=True)
class TextRow:
    """A text answer of one ``side`` in three parts: ``differing`` is what the other side has not."""

    side: str
    before: str
    differing: str
    after: str


def strips_of(subjects: Sequence[Subject], answers: Sequence[Answer]) -> tuple[Strip, ...]:
    """Return a strip for each text of ``subjects`` of which the ``answers`` have tokens."""
    tokenized = [answer for answer in answers if answer.tokens is not None]
    if not tokenized:
        return ()
    texts = [
        (at, each)
        for at, each in enumerate(subjects)
        if each.text is not None and each.label.startswith(("text", "pair"))
    ]
    if not texts:
        return (_strip("", "", 0, 0, tokenized, 0),)
    return tuple(_strip(each.label, each.text or "", each.length, at, tokenized, len(texts)) for at, each in texts)


def lines_of_strips(subject: Subject, answers: Sequence[Answer]) -> tuple[Strip, ...]:
    """Return strips of the whole text of ``subject`` one under the other, as the lines of a page are.

    A line ends where no token goes on. What has no place in the text is with the last.
    """
    text = subject.text or ""
    tokenized = [answer for answer in answers if answer.tokens is not None]
    own = [_shown_outside(answer.tokens or (), subject.length) for answer in tokenized]
    lines = _lines(text, own)
    strips = []
    for start, end in lines:
        is_last = (start, end) == lines[-1]
        lanes = tuple(
            _lane(answer, [each for each in tokens if _is_in(each, start, end, is_last)], start, end, last=is_last)
            for answer, tokens in zip(tokenized, own, strict=True)
        )
        characters = tuple(map(character_of, text[start:end]))
        strips.append(Strip(subject.label, start, end, subject.length, characters, lanes))
    return tuple(strips) if tokenized else ()


def _lines(text: str, sides: Sequence[Sequence[Token]]) -> list[tuple[int, int]]:
    """Return where the lines of ``text`` begin and end: behind as many characters as have room, but inside no token."""
    shown = min(len(text), MOST_LINES * LINE_COLUMNS)
    inside = {
        at
        for tokens in sides
        for each in tokens
        for at in range(max(each.start or 0, 0) + 1, min(each.end or 0, shown + 1))
    }
    lines = [(0, 0)] if not text else []
    start = 0
    while start < len(text) and len(lines) < MOST_LINES:
        room = min(start + LINE_COLUMNS, len(text))
        end = next((at for at in range(room, start, -1) if at == len(text) or at not in inside), room)
        lines.append((start, end))
        start = end
    return lines


def _is_in(token: Token, start: int, end: int, is_last: bool) -> bool:
    """Say whether ``token`` is told in that line: it has characters there; in the last one what is left is counted."""
    if token.start is None or token.end is None or token.start >= token.end:
        return is_last
    return start < token.end and (is_last or token.start < end)


def _strip(label: str, text: str, length: int, subject: int, answers: Sequence[Answer], subjects: int) -> Strip:
    # Tokens without a sequence of their own (special ones) stand with the first text.
    own = [
        [each for each in answer.tokens or () if min(each.subject, max(subjects - 1, 0)) == subject]
        for answer in answers
    ]
    start, end = _window(text, own)
    lanes = tuple(
        _lane(answer, _shown_outside(tokens, length), start, end, last=subject == max(subjects - 1, 0))
        for answer, tokens in zip(answers, own, strict=True)
    )
    return Strip(label, start, end, length, tuple(map(character_of, text[start:end])), lanes)


def _shown_outside(tokens: Sequence[Token], length: int) -> list[Token]:
    """Return ``tokens``, those with a place that the text does not have without one, and with that beside their text.

    A text of ``length`` code points that may have been cut has every place.
    """
    if not 0 < length < LONGEST_TEXT:
        return list(tokens)
    return [
        replace(token, text=f"{token.text} [{_place(token)}]", start=None, end=None)
        if _is_outside(token, length)
        else token
        for token in tokens
    ]


def _is_outside(token: Token, length: int) -> bool:
    if token.start is None or token.end is None:
        return False
    return token.end > length or token.start > token.end


def _window(text: str, sides: Sequence[Sequence[Token]]) -> tuple[int, int]:
    """Return which code points are shown: all, or those around the first token that differs."""
    if len(text) <= MOST_COLUMNS:
        return 0, len(text)
    places = [token.start for tokens in sides for token in tokens if token.differs and token.start is not None]
    start = max(0, min(min(places, default=0) - MOST_COLUMNS // 4, len(text) - MOST_COLUMNS))
    return start, start + MOST_COLUMNS


def _lane(answer: Answer, tokens: Sequence[Token], start: int, end: int, *, last: bool) -> Lane:
    rows: list[list[Block]] = []
    loose: list[Block] = []
    outside = 0
    for token in tokens:
        if token.start is None or token.end is None or token.start >= token.end:
            loose.append(_block(token, 0, 0))
        elif token.end <= start or token.start >= end:
            outside += 1
        else:
            block = _block(token, max(token.start, start) - start, min(token.end, end) - start)
            row = next((row for row in rows if row[-1].end <= block.start), None)
            if row is not None:
                row.append(block)
            elif len(rows) < MOST_ROWS:
                rows.append([block])
            else:
                loose.append(block)
    unseen = max(answer.total - answer.first - len(answer.tokens or ()), 0) if last else 0
    left_out = outside + unseen + max(len(loose) - MOST_LOOSE, 0)
    return Lane(answer.side, tuple(map(tuple, rows)), tuple(loose[:MOST_LOOSE]), left_out)


def _block(token: Token, start: int, end: int) -> Block:
    return Block(shown_token(token.text), token.id, start, end, token.differs, _place(token))


def _place(token: Token) -> str:
    if token.start is None or token.end is None:
        return ""
    return f"at {token.start}" if token.start == token.end else f"{token.start}–{token.end}"


def text_rows(answers: Sequence[Answer]) -> tuple[TextRow, ...]:
    """Return the text answers of two sides, or of one, in parts."""
    texts = [(answer.side, answer.text) for answer in answers if answer.text is not None]
    if len(texts) != 2:
        return tuple(TextRow(side, _shown(text[:LONGEST_SHOWN]), "", "") for side, text in texts)
    (_, one), (_, other) = texts
    head = next(
        (at for at, (first, second) in enumerate(zip(one, other, strict=False)) if first != second),
        min(len(one), len(other)),
    )
    room = min(len(one), len(other)) - head
    tail = next((at for at in range(room) if one[-1 - at] != other[-1 - at]), room)
    return tuple(_text_row(side, text, head, tail) for side, text in texts)


def _text_row(side: str, text: str, head: int, tail: int) -> TextRow:
    end = len(text) - tail
    before, differing, after = text[:head], text[head:end], text[end:]
    room = LONGEST_SHOWN // 3
    return TextRow(
        side,
        ("…" if len(before) > room else "") + _shown(before[-room:] if before else ""),
        _shown(differing[:room]) + ("…" if len(differing) > room else ""),
        _shown(after[:room]) + ("…" if len(after) > room else ""),
    )


# How text is shown ---------------------------------------------------------------------------------------------------

SPACE = "␣"
CARRIER = "\u25cc"
"""The dotted circle on which a combining mark is shown that has no character of its own to sit on."""


@lru_cache(4096)
def character_of(character: str) -> Character:
    """Return one code point as a column shows it.

    >>> character_of(" "), character_of("\u0301")
    (Character(shown='␣', name='U+0020 SPACE'), Character(shown='◌́', name='U+0301 COMBINING ACUTE ACCENT'))
    """
    name = unicodedata.name(character, "")
    return Character(shown_token(character), f"{code_point(character)} {name}".strip())


def shown_token(text: str) -> str:
    r"""Return ``text`` with everything visible: spaces as a mark, hidden characters as escapes, no mark without a base.

    >>> print(shown_token("a \n\\"))
    a␣\n\\
    """
    shown = _shown(text)
    return CARRIER + shown if shown and unicodedata.category(shown[0]).startswith("M") else shown


def _shown(text: str) -> str:
    return escape(text).replace('\\"', '"').replace(" ", SPACE)
