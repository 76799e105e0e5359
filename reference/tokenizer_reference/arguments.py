"""Checks of arguments: what the bindings of the target accept, and what they raise for anything else.

Their types are strict where Python's are not: a flag is ``True`` or ``False`` and nothing else, an id is a whole number
of 32 bits, and a text has no lone surrogates. Observed, tokenizers 0.23.3; messages are our own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from operator import index
from typing import Any, Final, TypeVar

T = TypeVar("T")

Check = Callable[[str, Any], Any]
"""Takes the name of an argument and its value, and returns the value to use, or raises."""

NOT_GIVEN: Final[Any] = object()
"""Stands for an argument that is not given, where that means something that no value means."""


def shown_type(value: object) -> str:
    """Return what an error says of a value of the wrong type."""
    return "None" if value is None else f"{type(value).__name__!r} object"


def _expected(name: str, what: str, value: object) -> TypeError:
    return TypeError(f"{name}: expected {what}, got {shown_type(value)}")


def is_text(value: Any) -> bool:
    """Return whether ``value`` is a str without lone surrogates."""
    if not isinstance(value, str):
        return False
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def string(name: str, value: Any) -> str:
    """Return a text, of the class str itself.

    Raises :class:`TypeError`, and :class:`UnicodeEncodeError` for a lone surrogate.
    """
    if not isinstance(value, str):
        raise _expected(name, "a str", value)
    if not value.isascii():
        value.encode()
    return value if type(value) is str else str.__str__(value)


def text_or_not_given(name: str, value: Any) -> str | None:
    """Return a text, and ``None`` where none is given; ``None`` itself is refused. Raises as :func:`string`."""
    return None if value is NOT_GIVEN else string(name, value)


def character(name: str, value: Any) -> str:
    """Return a text of one character. Raises as :func:`string`, and :class:`ValueError` for another length."""
    if len(string(name, value)) != 1:
        raise ValueError(f"{name}: expected a string of length 1, got {value!r}")
    return str(value)


def boolean(name: str, value: Any) -> bool:
    """Return a flag; those of numpy are flags too. Raises :class:`TypeError`."""
    if isinstance(value, bool):
        return value
    kind = type(value)
    if kind.__module__ == "numpy" and kind.__name__ in ("bool", "bool_"):
        return bool(value)
    raise _expected(name, "True or False", value)


def unsigned_32(name: str, value: Any) -> int:
    """Return an id. Raises :class:`TypeError`, and :class:`OverflowError` beyond 32 bits or below 0."""
    return _unsigned(name, value, 2**32)


def unsigned_64(name: str, value: Any) -> int:
    """Return a count. Raises :class:`TypeError`, and :class:`OverflowError` beyond 64 bits or below 0."""
    return _unsigned(name, value, 2**64)


def octets(name: str, value: Any) -> bytes:
    """Return the bytes of a sequence. Raises as :func:`items`, and :class:`OverflowError` beyond 8 bits or below 0."""
    # Files give them as they are; to look at each of a published map takes longer than to read all else.
    if type(value) is bytes:
        return value
    return bytes(_unsigned(name, item, 2**8) for item in items(name, value))


def _unsigned(name: str, value: Any, limit: int) -> int:
    try:
        number = index(value)
    except TypeError:
        raise _expected(name, "a whole number", value) from None
    if not 0 <= number < limit:
        raise OverflowError(f"{name}: expected a whole number from 0 to {limit - 1}, got {number}")
    return number


def number(name: str, value: Any) -> float:
    """Return a number. Raises :class:`TypeError`."""
    if isinstance(value, str | bytes | bytearray):
        raise _expected(name, "a number", value)
    try:
        return float(value)
    except TypeError:
        raise _expected(name, "a number", value) from None


def one_of(choices: Collection[str]) -> Check:
    """Return a check for one of several names, which raises :class:`ValueError` for another."""

    def check(name: str, value: Any) -> str:
        if string(name, value) not in choices:
            raise ValueError(f"{value!r} is an unknown {name}; use one of {', '.join(choices)}")
        return str(value)

    return check


def optional(check: Check) -> Check:
    """Return a check that lets ``None`` pass as well."""
    return lambda name, value: None if value is None else check(name, value)


def function(name: str, value: Any) -> None:
    """Raise :class:`TypeError` for anything that cannot be called."""
    if not callable(value):
        raise _expected(name, "a function", value)


def instance(name: str, value: T, kind: type) -> T:
    """Return a value, which has to be of the class ``kind``. Raises :class:`TypeError`."""
    if not isinstance(value, kind):
        raise TypeError(f"{name}: {shown_type(value)} is not an instance of '{kind.__name__}'")
    return value


def list_of(name: str, value: list[T], kind: type) -> list[T]:
    """Return the items of a list, no other sequence, all of the class ``kind``. Raises :class:`TypeError`."""
    return [instance(f"{name}[{at}]", item, kind) for at, item in enumerate(instance(name, value, list))]


def items(name: str, value: Any) -> Iterator[Any]:
    """Return the items of a sequence: of anything with items by number, but no text. Raises :class:`TypeError`.

    They are taken one by one, since there are classes of endless sequences (`NormalizedString` is one).
    """
    if isinstance(value, str):
        raise TypeError(f"{name}: expected a sequence, got a str; put it into a list")
    if isinstance(value, dict) or not hasattr(type(value), "__getitem__"):
        raise _expected(name, "a sequence", value)
    return iter(value)


def strings(name: str, value: Any) -> list[str]:
    """Return the texts of a sequence. Raises as :func:`items` and :func:`string`."""
    return [string(name, item) for item in items(name, value)]


def ids(name: str, value: Any) -> list[int]:
    """Return the ids of a sequence. Raises as :func:`items` and :func:`unsigned_32`."""
    # A few passes in C for what is almost always given: a list of plain numbers in range.
    if type(value) is list and set(map(type, value)) == {int} and min(value) >= 0 and max(value) < 2**32:
        return value
    return [unsigned_32(name, item) for item in items(name, value)]


def ignore_unknown(options: Iterable[str], word: str = "kwarg") -> None:
    """Print that options are ignored, as the target does with those that it does not know.

    ``word`` is what its message calls them, "kwarg" or "kwargs".
    """
    for option in options:
        print(f"Ignored unknown {word} option {option}")  # noqa: T201 - as the target does


def index_of(size: int, value: Any) -> int:
    """Return the index of an item of a sequence of ``size``.

    Raises :class:`TypeError`, :class:`OverflowError` below 0, and :class:`IndexError` where there is none.
    """
    at = unsigned_64("index", value)
    if at >= size:
        raise IndexError(f"Index not found: there are {size} items, and {at} is not one of 0 to {size - 1}")
    return at
