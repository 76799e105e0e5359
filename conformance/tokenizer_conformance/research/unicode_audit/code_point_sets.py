"""Sets of code points as one number each: bit *n* stands for U+n, so that sets are compared at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LAST: Final = 0x10FFFF
SURROGATES: Final = range(0xD800, 0xE000)

Range = tuple[int, int]
"""The first and the last code point of a run."""


@dataclass(frozen=True, slots=True, repr=False)
class CodePoints:
    """A set of code points."""

    mask: int = 0

    def __repr__(self) -> str:
        return f"CodePoints({self})"

    def __str__(self) -> str:
        ranges = self.ranges()
        return " ".join(f"{first:04X}" if first == last else f"{first:04X}..{last:04X}" for first, last in ranges)

    @classmethod
    def written_as(cls, text: str) -> CodePoints:
        """Return the set that is written so.

        >>> CodePoints.written_as("0041..0043 20AC")
        CodePoints(0041..0043 20AC)
        """
        ends = (part.partition("..") for part in text.split())
        return cls.of_ranges((int(first, 16), int(last or first, 16)) for first, _, last in ends)

    @classmethod
    def of(cls, code_points: Iterable[int]) -> CodePoints:
        """Return the set of ``code_points``.

        >>> CodePoints.of([0x41, 0x43]).ranges()
        [(65, 65), (67, 67)]
        """
        bits = bytearray(LAST // 8 + 1)
        for at in code_points:
            bits[at >> 3] |= 1 << (at & 7)
        return cls(int.from_bytes(bits, "little"))

    @classmethod
    def of_ranges(cls, ranges: Iterable[Range]) -> CodePoints:
        """Return the set of all code points in ``ranges``, whose ends are inclusive."""
        bits = bytearray(LAST // 8 + 1)
        for first, last in ranges:
            head, tail = first >> 3, last >> 3
            since, until = 0xFF << (first & 7) & 0xFF, 0xFF >> (7 - (last & 7))
            if head == tail:
                bits[head] |= since & until
                continue
            bits[head] |= since
            bits[head + 1 : tail] = b"\xff" * (tail - head - 1)
            bits[tail] |= until
        return cls(int.from_bytes(bits, "little"))

    def ranges(self) -> list[Range]:
        """Return the runs of the set, in order."""
        digits = f"{self.mask:b}"
        top = len(digits) - 1
        found: list[Range] = []
        end = digits.find("1")
        while end != -1:
            after = digits.find("0", end)
            after = top + 1 if after == -1 else after
            found.append((top - after + 1, top - end))
            end = digits.find("1", after)
        return found[::-1]

    def __iter__(self) -> Iterator[int]:
        for first, last in self.ranges():
            yield from range(first, last + 1)

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __bool__(self) -> bool:
        return bool(self.mask)

    def __contains__(self, code_point: object) -> bool:
        return isinstance(code_point, int) and bool(self.mask >> code_point & 1)

    def __or__(self, other: CodePoints) -> CodePoints:
        return CodePoints(self.mask | other.mask)

    def __and__(self, other: CodePoints) -> CodePoints:
        return CodePoints(self.mask & other.mask)

    def __sub__(self, other: CodePoints) -> CodePoints:
        return CodePoints(self.mask & ~other.mask)

    def __xor__(self, other: CodePoints) -> CodePoints:
        return CodePoints(self.mask ^ other.mask)


NOTHING: Final = CodePoints()

SCALARS: Final = CodePoints(((1 << (LAST + 1)) - 1) & ~(((1 << len(SURROGATES)) - 1) << SURROGATES.start))
"""All 1,112,064 code points that a text may have."""


def union(sets: Iterable[CodePoints]) -> CodePoints:
    """Return what is in any of ``sets``."""
    return CodePoints(reduce(or_, (each.mask for each in sets), 0))
