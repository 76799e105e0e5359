"""Typed reading of parsed JSON: every complaint names the JSON path and what was expected there."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokenizer_reference.errors import TokenizerFileError, shown
from tokenizer_reference.json_text.number import read_float

if TYPE_CHECKING:
    from collections.abc import Iterator

_MISSING = object()
_U32 = 2**32
_U64 = 2**64


def kind(value: object) -> str:
    """Return what JSON calls the kind of ``value``, for messages."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int():
            return "an integer"
        case float():
            return "a number"
        case str():
            return "a string"
        case list():
            return "an array"
        case dict():
            return "an object"
        case _:
            return "nothing"


_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_LONGEST_KEY = 40


def member_path(path: str, key: str) -> str:
    r"""Return the path of the member ``key`` of what stands at ``path``; a key that is no name is put in brackets.

    >>> member_path("$.model", "vocab"), member_path("$.model.vocab", "a\n")
    ('$.model.vocab', '$.model.vocab["a\\n"]')
    """
    if _PLAIN_KEY.fullmatch(key) and len(key) <= _LONGEST_KEY:
        return f"{path}.{key}"
    shown = json.dumps(key[:_LONGEST_KEY], ensure_ascii=not key.isprintable())
    return f"{path}[{shown}{'…' if len(key) > _LONGEST_KEY else ''}]"


class RepeatedMembers(dict[str, Any]):
    """The members of an object in which a key is given more than once; the last value of a key counts.

    ``written`` are all members in the order of the document, ``earlier`` those of them that do not count.
    """

    def __init__(self, members: list[tuple[str, Any]]) -> None:
        super().__init__(members)
        self.written = members
        last = {key: index for index, (key, _) in enumerate(members)}
        self.earlier = [member for index, member in enumerate(members) if last[member[0]] != index]


@dataclass(frozen=True, slots=True)
class JsonValue:
    """A value of a JSON document and the path at which it stands (``$.model.vocab``)."""

    value: Any
    path: str = "$"
    array_of: tuple[str, ...] = ()
    """Where the members stand in an array (see :meth:`struct`), their names in order."""

    def fail(self, message: str) -> TokenizerFileError:
        """Return the error to raise for this value."""
        return TokenizerFileError(self.path, message)

    def _expected(self, what: str) -> TokenizerFileError:
        return self.fail(f"expected {what}, found {kind(self.value)}")

    # Members ---------------------------------------------------------------------------------------------------------

    def has(self, key: str) -> bool:
        """Whether this is an object with a member ``key``."""
        return isinstance(self.value, dict) and key in self.value

    def __getitem__(self, key: str) -> JsonValue:
        """Return the member ``key``. Raises :class:`TokenizerFileError` where it is missing."""
        value = self.members().get(key, _MISSING)
        if value is _MISSING:
            raise self.fail(f"missing field `{key}`")
        return self._member(key, value)

    def get(self, key: str, default: object = None) -> JsonValue:
        """Return the member ``key``, or ``default`` in its place."""
        return self._member(key, self.members().get(key, default))

    def _member(self, key: str, value: object) -> JsonValue:
        if key in self.array_of:
            return JsonValue(value, f"{self.path}[{self.array_of.index(key)}]")
        return JsonValue(value, member_path(self.path, key))

    def members(self) -> dict[str, Any]:
        """Return the members of an object."""
        if not isinstance(self.value, dict):
            raise self._expected("an object")
        return self.value

    def all_members(self) -> Iterator[tuple[str, JsonValue]]:
        """Yield the keys and members of an object in the order of the document, also all members of a repeated key."""
        members = self.members()
        for key, value in members.written if isinstance(members, RepeatedMembers) else members.items():
            yield key, self._member(key, value)

    def fields(self, *fields: str) -> JsonValue:
        """Return an object of ``fields``, each of which may be given only once."""
        if isinstance(self.value, RepeatedMembers):
            for key, _ in self.value.earlier:
                if key in fields:
                    raise self.fail(f"the field `{key}` is given twice; expected it once")
        self.members()
        return self

    def struct(self, *fields: str) -> JsonValue:
        """Return an object of ``fields``: the target also reads an array that has exactly these fields, in order.

        >>> JsonValue([1, 2]).struct("a", "b").value
        {'a': 1, 'b': 2}
        """
        if not isinstance(self.value, list):
            return self.fields(*fields)
        if len(self.value) != len(fields):
            expected = f"an object, or an array of {len(fields)} ({', '.join(fields)})"
            raise self.fail(f"expected {expected}, found an array of {len(self.value)}")
        return JsonValue(dict(zip(fields, self.value, strict=True)), self.path, array_of=fields)

    def items(self, count: int | None = None) -> Iterator[JsonValue]:
        """Yield the items of an array, which must be ``count`` if that is given."""
        if count is not None and len(self.array()) != count:
            raise self.fail(f"expected an array of {count}, found {len(self.array())}")
        for index, item in enumerate(self.array()):
            yield JsonValue(item, f"{self.path}[{index}]")

    # Kinds -----------------------------------------------------------------------------------------------------------

    def array(self) -> list[Any]:
        """Return an array's items."""
        if not isinstance(self.value, list):
            raise self._expected("an array")
        return self.value

    def string(self) -> str:
        """Return a string."""
        if not isinstance(self.value, str):
            raise self._expected("a string")
        return self.value

    def char(self) -> str:
        """Return a string of exactly one code point."""
        if not isinstance(self.value, str) or len(self.value) != 1:
            raise self._expected("a string of one character")
        return self.value

    def boolean(self) -> bool:
        """Return a boolean."""
        if not isinstance(self.value, bool):
            raise self._expected("a boolean")
        return self.value

    def unsigned(self, limit: int = _U64) -> int:
        """Return a whole number from 0 to ``limit`` (exclusive)."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self._expected("a whole number")
        if not 0 <= self.value < limit:
            raise self.fail(f"expected a whole number from 0 to {limit - 1}, found {self.value}")
        return self.value

    def token_id(self) -> int:
        """Return a token id: an unsigned 32-bit number."""
        return self.unsigned(_U32)

    def number(self) -> float:
        """Return a number."""
        if not isinstance(self.value, int | float) or isinstance(self.value, bool):
            raise self._expected("a number")
        if isinstance(self.value, float) or abs(self.value) < _U64:
            return float(self.value)
        return read_float(str(self.value))

    def optional_string(self) -> str | None:
        """Return a string, or ``None`` for null."""
        return None if self.value is None else self.string()

    def optional_number(self) -> float | None:
        """Return a number, or ``None`` for null."""
        return None if self.value is None else self.number()

    def optional_boolean(self) -> bool | None:
        """Return a boolean, or ``None`` for null."""
        return None if self.value is None else self.boolean()

    def one_of(self, names: dict[str, str]) -> str:
        """Return what ``names`` gives for this string, which must be one of its keys.

        The target also reads a name as the only member of an object, beside null.

        >>> JsonValue({"Left": None}).one_of({"Left": "left", "Right": "right"})
        'left'
        """
        match self.value:
            case {**members} if list(members.values()) == [None] and not isinstance(self.value, RepeatedMembers):
                (name,) = map(str, members)
            case _:
                name = self.string()
        if name not in names:
            raise self.fail(f"expected one of {', '.join(names)}, found {shown(name)}")
        return names[name]
