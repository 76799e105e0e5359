"""The text of a tokenizer.json: where each of its values stands, and which members an object has twice.

Values are skipped by the standard library's own scanner; an object or array is gone through once, when something in it
is first asked for.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.comparison.document_parts import Path

WHITE_SPACE = " \t\n\r"


@dataclass(frozen=True, slots=True)
class _Member:
    """A member of an object, or an item of an array: its key, and the offsets of its beginning and of its value."""

    key: str | int
    begin: int
    value: int


class JsonText:
    """The ``text`` of a JSON document, which the standard library reads without an error.

    Offsets are code points, lines count from 1.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._decode = json.JSONDecoder().raw_decode
        self._lines = [0, *(at + 1 for at, character in enumerate(text) if character == "\n")]
        self._values: dict[int, dict[str | int, _Member]] = {}
        self._repeated: dict[int, list[_Member]] = {}

    def line_of(self, path: Path) -> int | None:
        """Return the line of what is at ``path``, or of the nearest part of the document that it would be in."""
        return self._line(self._offset(path))

    def repeated(self, path: Path) -> list[tuple[str, int]]:
        """Return the keys that the object at ``path`` has already had before, each time with its line."""
        begin = self._begin_of_value(path)
        if begin is None:
            return []
        self._members(begin)
        return [(str(member.key), self._line(member.begin)) for member in self._repeated[begin]]

    def _line(self, offset: int) -> int:
        return bisect_right(self._lines, offset)

    def _offset(self, path: Path) -> int:
        begin = value = self._skip(0)
        for key in path:
            member = self._members(value).get(key)
            if member is None:
                break
            begin, value = member.begin, member.value
        return begin

    def _begin_of_value(self, path: Path) -> int | None:
        value = self._skip(0)
        for key in path:
            member = self._members(value).get(key)
            if member is None:
                return None
            value = member.value
        return value

    def _skip(self, at: int) -> int:
        text = self._text
        while at < len(text) and text[at] in WHITE_SPACE:
            at += 1
        return at

    def _members(self, begin: int) -> dict[str | int, _Member]:
        """Return the members of the object or array that begins there; a later one goes before one of its key."""
        found = self._values.get(begin)
        if found is None:
            members, repeated = {}, []
            for member in self._scan(begin):
                if member.key in members:
                    repeated.append(member)
                members[member.key] = member
            self._values[begin], self._repeated[begin] = found, _ = members, repeated
        return found

    def _scan(self, begin: int) -> Iterator[_Member]:
        text, index = self._text, 0
        if text[begin] not in "{[":
            return
        is_object = text[begin] == "{"
        at = self._skip(begin + 1)
        while text[at] not in "}]":
            start, key = at, index
            if is_object:
                key, at = self._decode(text, at)
                at = self._skip(self._skip(at) + 1)
            yield _Member(key, start, at)
            _, at = self._decode(text, at)
            at = self._skip(at)
            if text[at] == ",":
                at = self._skip(at + 1)
            index += 1
