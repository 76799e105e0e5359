"""Reading the fields of a JSON object strictly: what is wrong is said with the field it is in.

Every reader takes a parsed ``value`` and the ``path`` of the field that it stands in (``value.offsets[3]``), and
returns what it read or raises :class:`FieldError`. Lists are judged as a whole first, since answers are long and mostly
right.
"""

from __future__ import annotations

import json
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    Reader = Callable[[Any, str], "Read"]

Read = TypeVar("Read")

LONGEST_SHOWN = 60
"""How many characters of a wrong value are shown."""


class FieldError(Exception):
    """A message has something wrong in one field. The text says which field, what it needs, and what it has."""


_encoder = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def line_of(message: dict[str, Any]) -> bytes:
    """Return ``message`` as one line of ASCII."""
    return _encoder.encode(message).encode("ascii") + b"\n"


_encoder_of_characters = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def surrogate_in(message: dict[str, Any]) -> str | None:
    """Return the first surrogate in the strings of ``message``, ``None`` where there is none.

    A str may have both halves of a character as two surrogates. JSON in ASCII writes these as it does the character, so
    that the other side would read one, and not see the fault; UTF-8 has no form for them.
    """
    try:
        _encoder_of_characters.encode(message).encode("utf-8")
    except UnicodeEncodeError as error:
        return error.object[error.start]
    return None


def parsed(line: bytes) -> dict[str, Any]:
    """Return the JSON object that ``line`` holds.

    Raises :class:`FieldError`: the line is no UTF-8, no JSON, or no object; or an object has a key twice.
    """
    try:
        found = json.loads(line.decode("utf-8"), object_pairs_hook=_object_without_repetition, parse_constant=_constant)
    except UnicodeDecodeError as error:
        raise FieldError(f"a line that is not UTF-8 (byte {error.start}): {shown_line(line)}") from None
    except (ValueError, RecursionError):
        raise FieldError(f"a line that is not JSON: {shown_line(line)}") from None
    if not isinstance(found, dict):
        raise FieldError(f"a line that is no JSON object: {shown_line(line)}")
    return found


def _object_without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise FieldError(f"the key {shown(twice)} stands twice in one object")
    return found


def _constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def shown(value: object) -> str:
    r"""Return a short form of a JSON value for a message, in ASCII.

    >>> print(shown("a\x1b"), shown([1, None, "b"]))
    "a\u001b" [1, null, "b"]
    """
    text = json.dumps(value, default=repr)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def shown_line(line: bytes) -> str:
    """Return the beginning of ``line`` for a message, in ASCII.

    >>> print(shown_line(b"Loading model"), shown_line(b""))
    "Loading model" (an empty line)
    """
    text = line[: 4 * LONGEST_SHOWN].strip().decode("utf-8", "backslashreplace")
    return shown(text) if text else "(an empty line)"


def _expected(what: str, value: object, path: str) -> FieldError:
    return FieldError(f"{path}: expected {what}, found {shown(value)}")


# Single values -------------------------------------------------------------------------------------------------------


def string(value: Any, path: str) -> str:
    """Read a string."""
    if type(value) is not str:
        raise _expected("a string", value, path)
    return value


def integer(value: Any, path: str) -> int:
    """Read an integer; ``true`` and ``1.0`` are none."""
    if type(value) is not int:
        raise _expected("an integer", value, path)
    return value


def real(value: Any, path: str) -> float:
    """Read a number, with or without a fraction."""
    if type(value) not in (int, float):
        raise _expected("a number", value, path)
    found: float = value
    return found


def size(value: Any, path: str) -> int:
    """Read an integer from 1 on."""
    if integer(value, path) < 1:
        raise _expected("an integer of at least 1", value, path)
    return int(value)


def boolean(value: Any, path: str) -> bool:
    """Read ``true`` or ``false``."""
    if type(value) is not bool:
        raise _expected("true or false", value, path)
    return value


def one_of(allowed: Collection[str]) -> Reader[str]:
    """Return a reader of one of the ``allowed`` strings."""

    def read(value: Any, path: str) -> str:
        if type(value) is not str or value not in allowed:
            raise _expected(f"one of {', '.join(map(shown, allowed))}", value, path)
        return value

    return read


def or_null(read: Reader[Read]) -> Reader[Read | None]:
    """Return a reader of what ``read`` reads, or ``null``."""
    return lambda value, path: None if value is None else read(value, path)


def mapping(value: Any, path: str) -> dict[str, Any]:
    """Read an object with any keys."""
    if type(value) is not dict:
        raise _expected("an object", value, path)
    return value


# Lists ---------------------------------------------------------------------------------------------------------------


def _list(value: Any, path: str) -> list[Any]:
    if type(value) is not list:
        raise _expected("a list", value, path)
    return value


def _list_of(types: frozenset[type], what: str) -> Reader[tuple[Any, ...]]:
    def read(value: Any, path: str) -> tuple[Any, ...]:
        if not types.issuperset(map(type, _list(value, path))):
            index = next(index for index, entry in enumerate(value) if type(entry) not in types)
            raise _expected(what, value[index], f"{path}[{index}]")
        return tuple(value)

    return read


strings: Reader[tuple[str, ...]] = _list_of(frozenset({str}), "a string")
strings_or_nulls: Reader[tuple[str | None, ...]] = _list_of(frozenset({str, type(None)}), "a string or null")
integers: Reader[tuple[int, ...]] = _list_of(frozenset({int}), "an integer")


def sizes(value: Any, path: str) -> tuple[int, ...]:
    """Read a list of integers from 1 on."""
    return tuple(size(entry, f"{path}[{index}]") for index, entry in enumerate(integers(value, path)))


integers_or_nulls: Reader[tuple[int | None, ...]] = _list_of(frozenset({int, type(None)}), "an integer or null")


def span(value: Any, path: str) -> tuple[int, int]:
    """Read a pair of integers, start and end."""
    if type(value) is not list or list(map(type, value)) != [int, int]:
        raise _expected("a pair of integers [start, end]", value, path)
    return value[0], value[1]


def spans(value: Any, path: str) -> tuple[tuple[int, int], ...]:
    """Read a list of pairs of integers."""
    entries = _list(value, path)
    if _are_spans(entries):
        return tuple(map(tuple, entries))
    return tuple(span(entry, f"{path}[{index}]") for index, entry in enumerate(entries))


def _are_spans(entries: list[Any]) -> bool:
    return (
        {list}.issuperset(map(type, entries))
        and {2}.issuperset(map(len, entries))
        and {int}.issuperset(map(type, chain.from_iterable(entries)))
    )


def strings_with_spans(value: Any, path: str) -> tuple[tuple[str, tuple[int, int] | None], ...]:
    """Read a list of pairs of a string and a pair of integers or ``null``."""
    entries = _list(value, path)
    if {list}.issuperset(map(type, entries)) and {2}.issuperset(map(len, entries)):
        texts, places = [entry[0] for entry in entries], [entry[1] for entry in entries]
        if {str}.issuperset(map(type, texts)) and _are_spans([place for place in places if place is not None]):
            return tuple(zip(texts, (None if place is None else tuple(place) for place in places), strict=True))
    return tuple(_piece(entry, f"{path}[{index}]") for index, entry in enumerate(entries))


def _piece(value: Any, path: str) -> tuple[str, tuple[int, int] | None]:
    if type(value) is not list or len(value) != 2:
        raise FieldError(f"{path}: expected a pair [piece, span], found {shown(value)}")
    return string(value[0], f"{path}[0]"), None if value[1] is None else span(value[1], f"{path}[1]")


def duration_pair(value: Any, path: str) -> tuple[float, float | None]:
    """Read a pair of numbers of seconds, of which the second may be ``null``."""
    if type(value) is not list or len(value) != 2:
        raise _expected("a pair of seconds [by the clock, of processor time]", value, path)
    wall, processor = (or_null(real)(entry, f"{path}[{index}]") for index, entry in enumerate(value))
    if wall is None or min(wall, processor or 0) < 0:
        raise _expected("seconds of at least 0, or null for the second", value, path)
    return wall, processor


def each(read: Reader[Read]) -> Reader[tuple[Read, ...]]:
    """Return a reader of a list whose entries ``read`` reads."""

    def read_all(value: Any, path: str) -> tuple[Read, ...]:
        return tuple(read(entry, f"{path}[{index}]") for index, entry in enumerate(_list(value, path)))

    return read_all


def string_pair(value: Any, path: str) -> tuple[str, str]:
    """Read a pair of strings."""
    if type(value) is not list or list(map(type, value)) != [str, str]:
        raise _expected("a pair of strings", value, path)
    return value[0], value[1]


def counts(value: Any, path: str) -> dict[str, int]:
    """Read a list of pairs ``[word, count]``, in which each word stands once and counts from 1 on; order is kept."""
    found: dict[str, int] = {}
    for index, entry in enumerate(_list(value, path)):
        place = f"{path}[{index}]"
        if type(entry) is not list or list(map(type, entry)) != [str, int] or entry[1] < 1:
            raise _expected("a pair [word, count] with a count of at least 1", entry, place)
        if entry[0] in found:
            raise FieldError(f"{place}: the word {shown(entry[0])} stands twice in the list")
        found[entry[0]] = entry[1]
    return found


# Objects -------------------------------------------------------------------------------------------------------------


def _mapping_to(types: frozenset[type], what: str) -> Reader[dict[str, Any]]:
    def read(value: Any, path: str) -> dict[str, Any]:
        if not types.issuperset(map(type, mapping(value, path).values())):
            name = next(name for name, entry in value.items() if type(entry) not in types)
            raise _expected(what, value[name], f"{path}[{shown(name)}]")
        return dict(value)

    return read


to_integers: Reader[dict[str, int]] = _mapping_to(frozenset({int}), "an integer")
to_reals: Reader[dict[str, float]] = _mapping_to(frozenset({int, float}), "a number")


def fields(
    value: Any,
    path: str,
    required: dict[str, Reader[Any]],
    optional: dict[str, Reader[Any]] | None = None,
) -> dict[str, Any]:
    """Read an object that has all ``required`` fields, any of the ``optional`` ones, and no others."""
    found = mapping(value, path)
    readers = required | (optional or {})
    place = path or "the message"
    for name in required:
        if name not in found:
            raise FieldError(f"{place}: the field {shown(name)} is missing")
    for name in found:
        if name not in readers:
            known = ", ".join(map(shown, readers)) or "none"
            raise FieldError(f"{place}: {shown(name)} is no field of it (its fields: {known})")
    prefix = f"{path}." if path else ""
    return {name: readers[name](entry, prefix + name) for name, entry in found.items()}
