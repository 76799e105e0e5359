"""Names, and patterns of names as :mod:`fnmatch` has them, with ``*``, ``?`` and ``[…]``."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SIGN = re.compile(r"[*?\[]")
_SIGN_ALONE = re.compile(r"\[([*?\[{])\]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NUMBERED = re.compile(r"(?P<before>.*:)(?P<number>[1-9][0-9]{0,8})", re.DOTALL)
_ROW = re.compile(r"(?P<before>.*:)\{(?P<first>[1-9][0-9]{0,8})\.\.(?P<last>[1-9][0-9]{0,8})\}", re.DOTALL)
_LONGEST_ROW = 1_000_000


def pattern_of(name: str) -> str:
    """Return the pattern that fits ``name``, and nothing else where that can be written.

    TOML has no lone surrogates, which names of files may hold: ``?`` stands for each. What looks like a row of names
    (:func:`in_rows`) is none.

    >>> pattern_of("a[1].txt:2")
    'a[[]1].txt:2'
    """
    pattern = _SURROGATE.sub("?", _SIGN.sub(lambda sign: f"[{sign[0]}]", name))
    return pattern.replace("{", "[{]") if _ROW.fullmatch(pattern) else pattern


@lru_cache(maxsize=4096)
def name_in(pattern: str) -> str | None:
    """Return the name that ``pattern`` stands for, ``None`` where it may stand for several.

    >>> name_in("bert-mini"), name_in("a[[]1].txt:2"), name_in("bert-*")
    ('bert-mini', 'a[1].txt:2', None)
    """
    return None if _SIGN.search(_SIGN_ALONE.sub("", pattern)) else _SIGN_ALONE.sub(r"\1", pattern)


def in_rows(names: Iterable[str]) -> tuple[str, ...]:
    """Return ``names`` in their order, where lines of a file follow each other as one.

    >>> in_rows(["a.txt:7", "a.txt:8", "a.txt:9", "emoji/flag", "a.txt:11"])
    ('a.txt:{7..9}', 'emoji/flag', 'a.txt:11')
    """
    rows: list[tuple[str, int, int]] = []
    for name in names:
        found = _NUMBERED.fullmatch(name)
        before, number = (found["before"], int(found["number"])) if found else (name, 0)
        if found and rows and rows[-1][1] and rows[-1][::2] == (before, number - 1):
            rows[-1] = (before, rows[-1][1], number)
        else:
            rows.append((before, number, number))
    return tuple(_row(*each) for each in rows)


def _row(before: str, first: int, last: int) -> str:
    return before + (f"{{{first}..{last}}}" if first < last else str(last or ""))


def spelled_out(names: Iterable[str]) -> Iterator[str]:
    """Yield the names of which :func:`in_rows` made ``names``.

    >>> list(spelled_out(["a.txt:{7..9}", "emoji/flag"]))
    ['a.txt:7', 'a.txt:8', 'a.txt:9', 'emoji/flag']
    """
    for name in names:
        row = _ROW.fullmatch(name)
        numbers = range(int(row["first"]), int(row["last"]) + 1) if row else range(0)
        if row and 0 < len(numbers) <= _LONGEST_ROW:
            yield from (f"{row['before']}{number}" for number in numbers)
        else:
            yield name


def names_in(patterns: Iterable[str]) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the names that ``patterns`` stand for, and the patterns that may stand for several."""
    given = [(pattern, name_in(pattern)) for pattern in patterns]
    return (
        frozenset(name for _, name in given if name is not None),
        tuple(pattern for pattern, name in given if name is None),
    )


def fits(name: str | None, patterns: Iterable[str]) -> bool:
    """Return whether ``name`` fits any of the ``patterns``; where there is none, no pattern fits.

    >>> fits("bert-mini", ("gpt2", "bert-*")), fits(None, ("*",))
    (True, False)
    """
    if name is None:
        return False
    names, several = _told_apart(tuple(patterns))
    return name in names or any(fnmatchcase(name, pattern) for pattern in several)


@lru_cache(maxsize=256)
def _told_apart(patterns: tuple[str, ...]) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return what :func:`names_in` does: entries name thousands of inputs, and are tried at each difference."""
    return names_in(patterns)
