"""The text of a JSON document, read as the target's parser reads it.

:func:`parse_json` hands a document to :mod:`json` first. Where that fails, or finds something on which the two parsers
may differ, a parser that follows the target's rules decides, and says in which place the text is no JSON. These rules
are RFC 8259, and besides (observed, tokenizers 0.23.3):

- at most 127 arrays and objects in each other;
- a number beyond the largest float is an error; one that does not fit 64 bits is a float, and so is ``-0``;
- an escape of half a surrogate pair is an error, as no UTF-8 text can hold it;
- of a key that is given twice the last value counts, except where a :class:`Layout` says that the target refuses it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from tokenizer_reference.errors import TokenizerFileError, shown
from tokenizer_reference.json_text.number import read_float, read_integer
from tokenizer_reference.json_text.value import RepeatedMembers, member_path

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import NoReturn

DEEPEST: Final = 127
"""How many arrays and objects a document may hold in each other."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What the target reads straight from the text of a document, and not by way of a tree; this shows in odd files.

    Under the top-level keys ``refuse_repetition``, and at the top and at the next level of any document with a layout,
    a key that is given twice is kept as such (:class:`RepeatedMembers`). ``known_fields`` names top-level keys whose
    object has certain fields: the value of any other is passed over, and may be nested without limit there, hold
    numbers out of range and halves of surrogate pairs.
    """

    refuse_repetition: Collection[str] = ()
    known_fields: Mapping[str, Collection[str]] = field(default_factory=dict)


def parse_json(text: str, layout: Layout | None = None) -> Any:
    """Return the document in ``text``.

    Raises :class:`TokenizerFileError`, with the JSON path that was reached, line and column, where ``text`` is not JSON
    as the target has it.
    """
    try:
        text.encode()
        document = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return _Parser(text, layout).document()
    if _is_too_deep(document) or (_SURROGATE_ESCAPE.search(text) and _has_lone_surrogate(document)):
        return _Parser(text, layout).document()
    return document


# The fast way --------------------------------------------------------------------------------------------------------

_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _distinct_members(members: list[tuple[str, Any]]) -> dict[str, Any]:
    distinct = dict(members)
    if len(distinct) != len(members):
        raise ValueError("a key is given twice")
    return distinct


_DECODER = json.JSONDecoder(
    object_pairs_hook=_distinct_members,
    parse_constant=_refuse_constant,
    parse_float=read_float,
    parse_int=read_integer,
)


_CONTAINERS: Final = frozenset((dict, list))


def _is_too_deep(document: Any) -> bool:
    nested = [document] if type(document) in _CONTAINERS else []
    for _ in range(DEEPEST + 1):
        if not nested:
            return False
        inner = chain.from_iterable(value.values() if type(value) is dict else value for value in nested)
        nested = [value for value in inner if type(value) in _CONTAINERS]
    return True


def _has_lone_surrogate(document: Any) -> bool:
    return _SURROGATE.search(json.dumps(document, ensure_ascii=False)) is not None


# The target's way ----------------------------------------------------------------------------------------------------

_BLANKS = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_PLAIN_CHARACTERS = re.compile(r'[^"\\\x00-\x1f]*')
_FOUR_HEX_DIGITS = re.compile("[0-9a-fA-F]{4}")
_NAMES: Final = {"true": True, "false": False, "null": None}
_ESCAPES: Final = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_CLOSING: Final = {"[": "]", "{": "}"}
_OPENED: Final = object()
"""In the place of a value: an array or object has been opened, and its first value follows."""


@dataclass(slots=True)
class _Container:
    """An array or object that is being read: ``place`` is the key or index of its value that is being read."""

    closing: str
    is_skipped: bool
    place: str | int | None = None
    values: list[Any] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)


class _Parser:
    """A parser without recursion, so that a document may be as deep as the target allows."""

    def __init__(self, text: str, layout: Layout | None) -> None:
        self._text = text
        self._layout = layout
        self._at = 0
        self._containers: list[_Container] = []

    def document(self) -> Any:
        """Return the whole document. Raises :class:`TokenizerFileError`."""
        if (surrogate := _SURROGATE.search(self._text)) is not None:
            self._at = surrogate.start()
            raise self._error("a character that is half of a surrogate pair")
        while True:
            value = self._value()
            while value is not _OPENED and self._containers:
                value = self._put(value)
            if value is not _OPENED:
                self._pass_blanks()
                if self._at < len(self._text):
                    raise self._expected("the end of the text")
                return value

    def _put(self, value: Any) -> Any:
        """Put ``value`` into the innermost container, and return that if it ends here."""
        container = self._containers[-1]
        container.values.append(value)
        found = self._next_character(f"`,` or `{container.closing}`")
        if found == container.closing:
            self._at += 1
            return self._closed()
        if found != ",":
            raise self._expected(f"`,` or `{container.closing}`")
        self._at += 1
        self._prepare_next(container)
        return _OPENED

    def _prepare_next(self, container: _Container) -> None:
        """Read what stands before the next value of ``container``: in an object, a key and a colon."""
        if container.closing == "]":
            container.place = len(container.values)
            return
        container.place = None
        if self._next_character("a key in quotes") != '"':
            raise self._expected("a key in quotes")
        key = self._string(is_skipped=container.is_skipped)
        if self._next_character("`:`") != ":":
            raise self._expected(f"`:` after the key {shown(key)}")
        self._at += 1
        container.place = key
        container.keys.append(key)

    def _closed(self) -> Any:
        """Return the innermost container, which has ended."""
        container = self._containers.pop()
        if container.closing == "]":
            return container.values
        return self._object(list(zip(container.keys, container.values, strict=True)))

    def _object(self, members: list[tuple[str, Any]]) -> dict[str, Any]:
        last = dict(members)
        if len(last) == len(members) or self._layout is None:
            return last
        refused = len(self._containers) <= 1 or self._containers[0].place in self._layout.refuse_repetition
        return RepeatedMembers(members) if refused else last

    # Values ----------------------------------------------------------------------------------------------------------

    def _value(self) -> Any:
        """Return a value, or :data:`_OPENED`."""
        first = self._next_character("a value")
        is_skipped = self._is_skipped()
        if first in _CLOSING:
            return self._open(_CLOSING[first], is_skipped=is_skipped)
        if first == '"':
            return self._string(is_skipped=is_skipped)
        if first in "-0123456789":
            return self._number(is_skipped=is_skipped)
        for name, value in _NAMES.items():
            if self._text.startswith(name, self._at):
                self._at += len(name)
                return value
        raise self._expected("a value")

    def _is_skipped(self) -> bool:
        """Whether the value that comes next is passed over by the target."""
        if not self._containers or self._layout is None:
            return False
        fields = self._layout.known_fields.get(str(self._containers[0].place))
        innermost = self._containers[-1]
        is_field = len(self._containers) == 2 and innermost.closing == "}"
        return innermost.is_skipped or (is_field and fields is not None and innermost.place not in fields)

    def _open(self, closing: str, *, is_skipped: bool) -> Any:
        if not is_skipped and len(self._containers) >= DEEPEST:
            raise self._error(f"more than {DEEPEST} arrays and objects in each other")
        self._at += 1
        container = _Container(closing, is_skipped)
        self._containers.append(container)
        if self._next_character(f"a value or `{closing}`") == closing:
            self._at += 1
            return self._closed()
        self._prepare_next(container)
        return _OPENED

    def _number(self, *, is_skipped: bool) -> float:
        match = _NUMBER.match(self._text, self._at)
        if match is None:
            self._at += 1
            raise self._expected("a digit")
        read = read_integer if match.group(1, 2) == (None, None) else read_float
        try:
            number = 0 if is_skipped else read(match[0])
        except ValueError as error:
            raise self._error(str(error)) from None
        self._at = match.end()
        return number

    def _string(self, *, is_skipped: bool) -> str:
        parts: list[str] = []
        self._at += 1
        while True:
            plain = _PLAIN_CHARACTERS.match(self._text, self._at)
            if plain is not None:  # it matches everywhere, if only the empty text
                parts.append(plain[0])
                self._at = plain.end()
            match self._text[self._at : self._at + 1]:
                case '"':
                    self._at += 1
                    return "".join(parts)
                case "\\":
                    parts.append(self._escape(is_skipped=is_skipped))
                case "":
                    raise self._expected("the closing quote of a string")
                case control:
                    raise self._error(
                        f"the control character {control!r} in a string, where only an escape may stand for it"
                    )

    def _escape(self, *, is_skipped: bool) -> str:
        letter = self._text[self._at + 1 : self._at + 2]
        if letter != "u":
            if letter not in _ESCAPES:
                raise self._error(f"the escape {self._text[self._at : self._at + 2]!r}, which there is not")
            self._at += 2
            return _ESCAPES[letter]
        unit = self._unit()
        if is_skipped or not 0xD800 <= unit < 0xE000:
            self._at += 6
            return chr(unit)
        start = self._at
        self._at += 6
        low = self._unit() if self._text.startswith("\\u", self._at) else 0
        if unit >= 0xDC00 or not 0xDC00 <= low < 0xE000:
            self._at = start
            raise self._error("a \\u escape that is half of a surrogate pair")
        self._at += 6
        return chr(0x10000 + ((unit - 0xD800) << 10 | (low - 0xDC00)))

    def _unit(self) -> int:
        r"""Return the number in the escape ``\uXXXX`` that stands here."""
        digits = _FOUR_HEX_DIGITS.match(self._text, self._at + 2)
        if digits is None:
            raise self._error("a \\u escape without four hexadecimal digits")
        return int(digits[0], 16)

    # Places ----------------------------------------------------------------------------------------------------------

    def _pass_blanks(self) -> None:
        blanks = _BLANKS.match(self._text, self._at)
        if blanks is not None:  # it matches everywhere, if only the empty text
            self._at = blanks.end()

    def _next_character(self, wanted: str) -> str:
        """Pass over white space and return the character that follows. Raises where there is none but ``wanted``."""
        self._pass_blanks()
        if self._at == len(self._text):
            raise self._expected(wanted)
        return self._text[self._at]

    def _expected(self, wanted: str) -> TokenizerFileError:
        found = repr(self._text[self._at]) if self._at < len(self._text) else "the end of the text"
        return self._error(f"expected {wanted}, found {found}")

    def _error(self, what: str) -> TokenizerFileError:
        """Return the error to raise for what stands here."""
        path = "$"
        for container in self._containers:
            match container.place:
                case int(index):
                    path = f"{path}[{index}]"
                case str(key):
                    path = member_path(path, key)
        line = self._text.count("\n", 0, self._at) + 1
        column = self._at - self._text.rfind("\n", 0, self._at)
        return TokenizerFileError(path, f"not JSON: {what} at line {line}, column {column}")
