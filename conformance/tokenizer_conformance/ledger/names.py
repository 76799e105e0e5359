"""Names, and patterns of names as :mod:`fnmatch` has them, with ``*``, ``?`` and ``[…]``."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_SIGN = re.compile(r"[*?\[]")
_SIGN_ALONE = re.compile(r"\[([*?\[])\]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def pattern_of(name: str) -> str:
    """Return the pattern that fits ``name``, and nothing else where that can be written.

    TOML has no lone surrogates, which names of files may hold: ``?`` stands for each.

    >>> pattern_of("a[1].txt:2")
    'a[[]1].txt:2'
    """
    return _SURROGATE.sub("?", _SIGN.sub(lambda sign: f"[{sign[0]}]", name))


@lru_cache(maxsize=4096)
def name_in(pattern: str) -> str | None:
    """Return the name that ``pattern`` stands for, ``None`` where it may stand for several.

    >>> name_in("bert-mini"), name_in("a[[]1].txt:2"), name_in("bert-*")
    ('bert-mini', 'a[1].txt:2', None)
    """
    return None if _SIGN.search(_SIGN_ALONE.sub("", pattern)) else _SIGN_ALONE.sub(r"\1", pattern)


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
