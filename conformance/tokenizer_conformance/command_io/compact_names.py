"""Names in few bytes: many are a file and a number, and many of these follow each other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MOST_IN_A_ROW = 1 << 30
"""How many names one entry may stand for: more of them would be no inputs, and no memory would hold them."""

_NUMBERED = re.compile(r"(?P<prefix>.*?)(?P<number>0|[1-9][0-9]{0,17})", re.DOTALL)


def compact(names: Iterable[str]) -> list[Any]:
    """Return ``names`` in their order: where numbers follow each other, the prefix, the first and the last of them.

    >>> compact(["a.txt:7", "a.txt:8", "a.txt:9", "emoji", "a.txt:11"])
    [['a.txt:', 7, 9], 'emoji', 'a.txt:11']
    """
    result: list[Any] = []
    for name in names:
        numbered = _NUMBERED.fullmatch(name)
        before = result[-1] if result else None
        if numbered is None:
            result.append(name)
        elif isinstance(before, list) and before[0] == numbered["prefix"] and before[2] + 1 == int(numbered["number"]):
            before[2] += 1
        else:
            result.append([numbered["prefix"], int(numbered["number"]), int(numbered["number"])])
    return [f"{each[0]}{each[1]}" if isinstance(each, list) and each[1] == each[2] else each for each in result]


def spelled_out(entries: Iterable[Any]) -> Iterator[str]:
    """Yield the names that :func:`compact` made ``entries`` of.

    >>> list(spelled_out([["a.txt:", 7, 9], "emoji"]))
    ['a.txt:7', 'a.txt:8', 'a.txt:9', 'emoji']

    Raises ``TypeError`` or ``ValueError`` for what it did not make.
    """
    for entry in entries:
        if isinstance(entry, str):
            yield entry
        else:
            prefix, first, last = entry
            if last - first > MOST_IN_A_ROW:
                raise ValueError(f"{entry!r} stands for more names than a record can have")
            yield from (f"{prefix}{number}" for number in range(first, last + 1))
