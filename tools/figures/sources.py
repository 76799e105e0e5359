"""What figures have to be equal to: counts of what the tree has, and values of published records."""

from __future__ import annotations

import re
import sys
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from declaration_texts import LANGUAGES
from planted.faults import FAULTS
from power.faults import read_faults
from published.records import RecordError, lines_of
from published.table import RECORDS, ROOT

from tokenizer_conformance.inputs.builtin import builtin_categories, builtin_inputs
from tokenizer_conformance.research.file_audit.checks_table import CHECKS, ON_READING
from tokenizer_conformance.validation.suite.reader import read_files

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

Json = dict[str, Any]

SURROGATES: Final = 0xE000 - 0xD800


class SourceError(Exception):
    """A source that says no number, or is not there."""


@cache
def _numbers_of_cases() -> list[int]:
    """Return how many cases each requirement of the suite has; they are counted unread, which takes less long."""
    return [len(each["cases"]) for area in read_files().values() for each in area["requirements"]]


def _rows_of_peers() -> list[list[str]]:
    """Return the shares that stand for each peer in the first table of ``reports/peers.md``, those it loads alone."""
    text = (ROOT / "reports" / "peers.md").read_text(encoding="utf-8").partition("\n## Decoding")[0]
    rows = (
        line.strip("| ").split(" | ")[2:] for line in text.splitlines() if line.startswith("| [") and "(peers/" in line
    )
    return [[cell for cell in row if cell != "–"] for row in rows]


def _has_all_lines(row: list[str]) -> bool:
    """Say whether the first share of every cell, that of lines of books, is all."""
    return all(cell.startswith("100 %") for cell in row)


TREE: Final[Mapping[str, Callable[[], int]]] = {
    "requirements of the suite": lambda: len(_numbers_of_cases()),
    "cases of the suite": lambda: sum(_numbers_of_cases()),
    "built-in inputs": lambda: len(builtin_inputs()),
    "categories of inputs": lambda: len(builtin_categories()),
    "kinds of defects": lambda: len(ON_READING) + sum(len(check.defects) for check in CHECKS),
    "faults planted in the reference": lambda: len(read_faults()),
    "faults planted in answers": lambda: len(FAULTS),
    "languages of the declaration": lambda: len(LANGUAGES),
    "peers that load a checkpoint": lambda: len(_rows_of_peers()),
    "peers with the ids of all lines of books": lambda: sum(map(_has_all_lines, _rows_of_peers())),
    "code points": lambda: sys.maxunicode + 1 - SURROGATES,
}
"""What can be counted in the tree."""


def value_of(source: Json, root: Path = ROOT) -> float:
    """Return the number that ``source`` says, as many ``times`` as it asks for (100 for a share in percent).

    ``{tree = NAME}`` is a count of :data:`TREE`; ``{file = PATH, pattern = REGEX}`` what the one group of the pattern
    finds in a file of the tree below ``root``; ``{record = NAME, at = PATH}`` a number in the header or footer of a
    record, or how many members a list there has; ``{record = NAME, count = {KEY = VALUE}}`` how many of its lines have
    this, and with ``distinct = KEY`` how many different values of that key these have. Raises :class:`SourceError`.
    """
    return float(source.get("times", 1)) * _said(source, root)


def _said(source: Json, root: Path) -> float:
    try:
        match source:
            case {"tree": name}:
                return TREE[name]()
            case {"file": file, "pattern": pattern}:
                return _number_in(root / file, pattern)
            case {"record": name, "at": path}:
                return _at(_lines(str(name), root), path)
            case {"record": name, "count": wanted}:
                found = [line for line in _lines(str(name), root) if wanted.items() <= line.items()]
                distinct = source.get("distinct")
                return len(found) if distinct is None else len({str(line[distinct]) for line in found})
            case _:
                raise SourceError(f"{source} is no source")
    except (LookupError, TypeError, OSError, RecordError) as error:
        raise SourceError(f"{source}: {type(error).__name__}: {error}") from error


def _lines(name: str, root: Path) -> list[Json]:
    return lines_of(root / RECORDS.relative_to(ROOT) / f"{name}.xz")


def _number_in(file: Path, pattern: str) -> float:
    found = re.findall(pattern, file.read_text(encoding="utf-8"))
    if len(found) != 1:
        raise SourceError(f"{file.name} has {len(found)} places that match {pattern!r}")
    return float(str(found[0]).replace(",", ""))


def _at(lines: list[Json], path: str) -> float:
    first, *rest = path.split(".")
    value: Any = {"header": lines[0], "footer": lines[-1]}[first]
    for key in rest:
        value = value[key]
    return float(len(value)) if isinstance(value, (list, dict)) else float(value)
