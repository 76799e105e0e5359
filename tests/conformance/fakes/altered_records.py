"""Records that are altered: the lines of a file, and something else put in the place of a value."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE: list[Any] = [None, True, -1, 10**30, 0.5, "", "\x1b[31m\u202e\ud800", [], {}, [[]], {"a": None}, "0" * 100]


def written(path: Path, lines: list[Any]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "ascii")
    return path


def read(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("ascii").splitlines()]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the way to everything in ``value``."""
    found = [path] if path else []
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [*found, *(place for key, each in members for place in places(each, (*path, key)))]


def texts(lines: list[Any]) -> list[tuple[Any, ...]]:
    """Return the way to a text of each kind: of those that only numbers tell apart, the first."""
    found: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for place in places(lines):
        line = lines[place[0]]
        value: Any = lines
        for key in place:
            value = value[key]
        if isinstance(value, str):
            found.setdefault((line["type"], *(key for key in place[1:] if isinstance(key, str))), place)
    return list(found.values())


def put(lines: list[Any], place: tuple[Any, ...], value: Any) -> list[Any]:
    """Return ``lines`` with ``value`` at ``place``; they are left as they are, and share with them all else."""
    lines = copy.copy(lines)
    at: Any = lines
    for key in place[:-1]:
        at[key] = copy.copy(at[key])
        at = at[key]
    at[place[-1]] = value
    return lines
