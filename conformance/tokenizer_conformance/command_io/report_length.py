"""Reports in Markdown that fit the summary of a step of a CI system, cut where they do not.

GitHub drops a summary of more than 1 MiB whole, without a word. What is longer ends early, at the last heading that has
room: its first sections say what the rest is made of. Where a section is so long that half of the room would be left
empty, it is cut between two of its blocks, and where a block is so long, between two of its lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST_SUMMARY = 1 << 20
"""How many bytes the summary of a step may have at GitHub; a larger one is dropped whole."""

_HEADING = re.compile(rb" {0,3}#{1,6}(?:[ \t\r]|$)")
_FENCE = re.compile(rb" {0,3}(?:(?P<backticks>`{3,})[^`]*|(?P<tildes>~{3,}).*)$", re.DOTALL)


class _Between(Enum):
    """What a place in a report is the boundary of, the best place to cut first."""

    SECTIONS = auto()
    BLOCKS = auto()
    LINES = auto()


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a line begins: its offset in bytes, how many headings stand before it, and the code fence that is open."""

    offset: int
    between: _Between
    headings: int
    fence: bytes


def fitting(report: bytes, most: int = LARGEST_SUMMARY) -> bytes:
    """Return a ``report`` in Markdown as it is, or its beginning and a note of what is left out.

    The result has no more than ``most`` bytes, which are to be enough for the note (300). The beginning ends before a
    line; a code block that is cut is closed.
    """
    if len(report) <= most:
        return report
    places = list(_places(report))
    headings = places[-1].headings
    fit = [place for place in places if place.offset + len(_ending(place, headings)) <= most]
    for between in _Between:
        cut = max((place for place in fit if place.between is between), key=lambda place: place.offset, default=None)
        if cut is not None and cut.offset >= most // 2:
            break
    else:
        cut = fit[-1]  # nothing but lines that take more than half of the room
    return report[: cut.offset] + _ending(cut, headings)


def _places(report: bytes) -> Iterator[_Place]:
    """Yield where each line of ``report`` begins, and its end."""
    offset = headings = 0
    fence = b""
    for line in report.split(b"\n"):
        is_heading = not fence and _HEADING.match(line) is not None
        between = _Between.LINES
        if not fence and not line.strip():
            between = _Between.BLOCKS
        yield _Place(offset, _Between.SECTIONS if is_heading else between, headings, fence)
        headings += is_heading
        fence = _fence_after(line, fence)
        offset += len(line) + 1
    yield _Place(len(report), _Between.LINES, headings, fence)


def _fence_after(line: bytes, fence: bytes) -> bytes:
    """Return the code fence that is open after ``line``, where ``fence`` was open before it; nothing where none is."""
    found = _FENCE.match(line)
    marks = (found["backticks"] or found["tildes"]) if found else b""
    if not fence:
        return marks
    return b"" if marks.startswith(fence) and line.strip() == marks else fence


def _ending(place: _Place, headings: int) -> bytes:
    """Return what stands after the last line of a report of so many ``headings`` that is cut at ``place``."""
    closed = place.fence + b"\n" if place.fence else b""
    sections = headings - place.headings
    left_out = [] if place.between is _Between.SECTIONS else ["the rest of this section"]
    if sections:
        left_out.append(f"{sections:,} further section{'' if sections == 1 else 's'}")
    note = (
        f"\n**This report was cut, since the summary of a CI step has room for 1 MiB: {' and '.join(left_out)} "
        f"{'is' if (sections or 1) == 1 and len(left_out) == 1 else 'are'} left out; "
        "the record (`--json`) has all.**\n"
    )
    return closed + note.encode("ascii")
