"""Lines that fit a terminal: sentences wrapped with a hanging indent, and aligned lines whose columns are stacked.

Widths are counted in the cells that characters take on a terminal: two for an East Asian wide character, none for a
combining mark. Where a width is ``None``, everything fits. Texts must be escaped already: their only white space is
U+0020.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from rich.cells import cell_len, chop_cells

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

NARROWEST = 40
"""The smallest width that is laid out for; a narrower terminal breaks the lines itself."""

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_UNIT = re.compile(rf"( *)((?:{_QUOTED}|[^ ])+)")
_WORD = re.compile(r"( *)([^ ]+)")
_CHARACTER = re.compile(r"\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|.)|.")
_SHELL_WORD = re.compile(r"""(?:'[^']*'|"[^"]*"|[^ ])+""")
_JSON_TOKEN = re.compile(rf" *(?:{_QUOTED}|[\[\]{{}}]|[^ \[\]{{}},:\"]+)[,:]?")


def wrapped(text: str, width: int | None, hanging: int = 0) -> list[str]:
    """Return ``text`` as lines of at most ``width`` cells, all but the first indented by ``hanging``.

    A quoted text stands on one line, as long as it fits one: nothing is left out, so a longer one is broken at its
    spaces, and a word without any where the line ends.

    >>> wrapped('tokens differ: "a b" and "c"', 16, hanging=2)
    ['tokens differ:', '  "a b" and "c"']
    >>> wrapped('raised "a very long message"', 16, hanging=2)
    ['raised "a very', '  long message"']
    """
    if fits(text, width):
        return [text]
    limit = width or 0
    margin = " " * min(hanging, limit // 2)
    units = (part for gap, unit in _UNIT.findall(text) for part in _at_spaces(gap, unit, limit - len(margin)))
    return _filled(units, limit, margin)


def _at_spaces(gap: str, unit: str, width: int) -> Sequence[tuple[str, str]]:
    """Return ``unit`` with the gap before it, broken at its spaces where it is wider than a line."""
    return [(gap, unit)] if cell_len(unit) <= width else _WORD.findall(gap + unit)


def _filled(units: Iterable[tuple[str, str]], width: int, margin: str) -> list[str]:
    """Return lines of ``units``, each a gap and what follows it; ``margin`` begins every line but the first."""
    lines: list[str] = []
    line: str | None = None
    for gap, unit in units:
        start = (gap if len(gap) <= width // 2 else "") if line is None and not lines else margin
        if line is not None:
            if cell_len(f"{line}{gap}{unit}") <= width:
                line = f"{line}{gap}{unit}"
                continue
            lines.append(line)
            start = margin
        *whole, last = [unit] if cell_len(unit) <= width - len(start) else chop_cells(unit, width - len(start))
        for piece in whole:
            lines.append(start + piece)
            start = margin
        line = start + last
    return lines if line is None else [*lines, line]


def cut(text: str, width: int) -> str:
    r"""Return the beginning of ``text`` that fits ``width`` cells with an "…" behind; no escape is cut in two.

    A quotation mark that is left open is closed.

    >>> cut(r'"ab\u202ecd"', 9), cut(r'"ab\u202ecd"', 11)
    ('"ab"…', '"ab\\u202e"…')
    """
    if cell_len(text) <= width:
        return text
    shown = ""
    closing = ""
    for match in _CHARACTER.finditer(text):
        after = shown + match[0]
        still_open = "" if (after.count('"') - after.count('\\"')) % 2 == 0 else '"'
        if cell_len(f"{after}{still_open}…") > width:
            break
        shown, closing = after, still_open
    return f"{shown}{closing}…"


def fits(text: str, width: int | None) -> bool:
    """Return whether ``text`` is at most ``width`` cells wide."""
    return width is None or cell_len(text) <= width


# Aligned lines -------------------------------------------------------------------------------------------------------


def stacked(lines: Sequence[str], width: int | None, indent: int = 0, *, cuts: bool = True) -> list[str]:
    """Return ``lines`` indented, such that they fit ``width``.

    Of neighbouring lines whose columns (told apart by two spaces or more) begin at one place, all keep these columns,
    or none does: they then stand one below the other. A quoted text that does not fit one line even so is cut, with
    "…", where ``cuts`` says so, and broken elsewhere.

    >>> stacked(["  toy    [1, 2, 3]  3 ids", "  other  [1]        1 id"], 20)
    ['  toy    [1, 2, 3]', '         3 ids', '  other  [1]', '         1 id']
    """
    fill = _wrapped_cut if cuts else wrapped
    margin = " " * indent
    shown: list[str] = []
    for place, neighbours in groupby(lines, _second_column):
        block = [margin + line for line in neighbours]
        if place is None:
            shown += [each for line in block for each in fill(line, width, indent + 4)]
        elif all(fits(line, width) for line in block):
            shown += block
        else:
            shown += [each for line in block for each in _stack(line, width or 0, indent + place, fill)]
    return shown


def _second_column(line: str) -> int | None:
    """Return the place in cells at which the second column of ``line`` begins, ``None`` for a line without columns."""
    columns = _columns(line)
    return None if len(columns) < 2 else columns[0][0] + cell_len(columns[0][1]) + columns[1][0]


def _columns(line: str) -> list[tuple[int, str]]:
    """Return the columns of ``line``, each with the number of spaces before it."""
    columns: list[tuple[int, str]] = []
    for gap, unit in _UNIT.findall(line):
        if columns and len(gap) < 2:
            spaces, words = columns[-1]
            columns[-1] = (spaces, f"{words}{gap}{unit}")
        else:
            columns.append((len(gap), unit))
    return columns


def _stack(line: str, width: int, place: int, fill: Callable[[str, int | None, int], list[str]]) -> list[str]:
    """Return the columns of ``line``, but for the first, one below the other from ``place`` on."""
    (lead, label), *others = _columns(line)
    place = min(place, lead + 4 if place > width // 2 else place)
    lines = fill(f"{' ' * lead}{label}", width, lead + 2)
    first, *rest = others
    if len(lines) == 1 and cell_len(lines[0]) + 2 <= place:
        lines = fill(f"{lines[0]}{' ' * (place - cell_len(lines[0]))}{first[1]}", width, place)
        others = rest
    for _, words in others:
        lines += fill(f"{' ' * place}{words}", width, place)
    return lines


def _wrapped_cut(line: str, width: int | None, hanging: int) -> list[str]:
    """Return ``line`` wrapped, but for quoted texts too long for a line, which are cut."""
    if width is None or fits(line, width):
        return [line]
    room = width - min(hanging, width // 2)
    short = _UNIT.sub(lambda match: match[1] + (cut(match[2], room) if '"' in match[2] else match[2]), line)
    return wrapped(short, width, hanging)


# What is copied ------------------------------------------------------------------------------------------------------


def wrapped_command(label: str, command: str, width: int | None, hanging: int) -> list[str]:
    r"""Return a command line of a shell behind ``label``, broken between words such that it can be copied.

    ``command`` is quoted as :func:`shlex.join` does. A word is never broken: one that is longer than a line makes a
    longer line.

    >>> print("\n".join(wrapped_command("repeat:", "tokconf fuzz --seed 1", 24, 2)))
    repeat: tokconf fuzz \
      --seed 1
    """
    return _broken(label, [f" {word}" for word in _SHELL_WORD.findall(command)], width, hanging, " \\")


def wrapped_json(label: str, document: str, width: int | None, hanging: int) -> list[str]:
    """Return a JSON document behind ``label``, broken only where that changes nothing, so that it can be copied.

    >>> wrapped_json("file ", '{"a b": [1, 2], "c": null}', 20, 2)
    ['file {"a b": [1, 2],', '  "c": null}']
    """
    return _broken(label, _JSON_TOKEN.findall(document), width, hanging, "")


def _broken(label: str, units: Iterable[str], width: int | None, hanging: int, mark: str) -> list[str]:
    """Return ``units``, each with the space before it, in lines that end with ``mark`` where another one follows."""
    lines = [label]
    for unit in units:
        longer = lines[-1] + unit
        if fits(longer + mark, width) or not lines[-1].strip():
            lines[-1] = longer
        else:
            lines[-1] += mark
            lines.append(" " * hanging + unit.lstrip())
    return lines
