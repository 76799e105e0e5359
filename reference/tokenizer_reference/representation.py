"""How a component shows itself: ``Type(field=value, …)``, the fields being those of tokenizer.json without ``type``.

``str()`` leaves out more than ``repr()``: of a list, tuple or map it shows the first 5 (99) elements, and it cuts
strings after 100 bytes. Strings stand between quotes but are not escaped, so that what is shown cannot always be read
back. Observed, tokenizers 0.23.3.

What is shown is made in two steps: the JSON of a component is given back the shapes that JSON does not tell apart (a
map is not a structure, a variant of an enumeration is not a string), and :class:`_Writer` writes these.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from tokenizer_reference.errors import UpstreamPanicError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# Shapes --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Name:
    """A variant of an enumeration, shown without quotes: ``Isolated``."""

    text: str


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant with a value: ``String("a")``."""

    name: str
    value: Any


@dataclass(frozen=True, slots=True)
class Structure:
    """Named fields: ``Strip(strip_left=True, strip_right=True)``."""

    name: str
    fields: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Items:
    """Items between brackets; made one by one, since few of them are shown."""

    items: Iterable[Any]
    brackets: str = "[]"


def component_shape(document: Any) -> Any:
    """Return the shape of a component (or of no component) that is given as JSON."""
    if document is None:
        return None
    fields = {name: _field_shape(name, value) for name, value in document.items() if name != "type"}
    return Structure(document["type"], fields)


def tokenizer_shape(document: dict[str, Any], components: dict[str, Any]) -> Structure:
    """Return the shape of a tokenizer.json.

    ``components`` are its components in the form of :func:`component_shape`.
    """
    fields = {
        "version": document["version"],
        "truncation": _parameters_shape("TruncationParams", document["truncation"]),
        "padding": _parameters_shape("PaddingParams", document["padding"]),
        "added_tokens": Items(document["added_tokens"]),
        **components,
    }
    return Structure("Tokenizer", {name: fields[name] for name in document})


def _parameters_shape(name: str, document: dict[str, Any] | None) -> Structure | None:
    if document is None:
        return None
    return Structure(name, {field: _field_shape(field, value) for field, value in document.items()})


def _field_shape(name: str, value: Any) -> Any:
    shape = _FIELD_SHAPES.get(name)
    return value if shape is None or value is None else shape(value)


def _name_or_variant(value: str | dict[str, Any]) -> Name | Variant:
    if isinstance(value, str):
        return Name(value)
    ((name, content),) = value.items()
    return Variant(name, content)


def _components(documents: list[Any]) -> Items:
    return Items(map(component_shape, documents))


def _pair(values: Iterable[Any]) -> Items:
    return Items(values, "()")


def _pairs(values: Iterable[Iterable[Any]]) -> Items:
    return Items(map(_pair, values))


def _vocabulary(value: Any) -> Any:
    return value if isinstance(value, dict) else _pairs(value)


def _template(pieces: list[dict[str, Any]]) -> Items:
    return Items(map(_piece, pieces))


def _piece(piece: dict[str, Any]) -> Structure:
    ((kind, fields),) = piece.items()
    return Structure(kind, {**fields, "id": Name(fields["id"])} if kind == "Sequence" else fields)


def _special_tokens(tokens: dict[str, dict[str, Any]]) -> dict[str, Structure]:
    return {key: Structure("SpecialToken", fields) for key, fields in tokens.items()}


_FIELD_SHAPES: Final[dict[str, Callable[[Any], Any]]] = {
    "pattern": _name_or_variant,
    "behavior": Name,
    "prepend_scheme": Name,
    "normalizers": _components,
    "pretokenizers": _components,
    "processors": _components,
    "decoders": _components,
    "sep": _pair,
    "cls": _pair,
    "single": _template,
    "pair": _template,
    "special_tokens": _special_tokens,
    "vocab": _vocabulary,
    "merges": _pairs,
    "direction": Name,
    "strategy": _name_or_variant,
}
"""What a field of this name holds, where that is not what its JSON looks like."""


# Writing -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a component ``repr`` and ``str`` show."""

    elements: int
    """Of a list, tuple or map; "…" stands for those from here on."""

    string: float
    """UTF-8 bytes of a string."""

    depth: int
    """From here on, nested values share one count of elements."""


STR: Final = Limits(elements=6, string=100, depth=20)
REPR: Final = Limits(elements=100, string=float("inf"), depth=200)


def write(shape: Any, limits: Limits) -> str:
    """Return how ``shape`` is shown.

    Raises :class:`UpstreamPanicError` for a string that would be cut inside a character.

    >>> write(Structure("Split", {"pattern": Variant("String", "a"), "vocab": Items(range(9)), "x": None}), STR)
    'Split(pattern=String("a"), vocab=[0, 1, 2, 3, 4, ...], x=None)'
    """
    writer = _Writer(limits)
    writer.write(shape)
    return "".join(writer.parts)


class _Writer:
    """Writes a shape, and counts elements as the target does: one count for each level of nesting."""

    def __init__(self, limits: Limits) -> None:
        self.parts: list[str] = []
        self._limits = limits
        self._counts = [0] * limits.depth
        self._level = 0

    def write(self, value: Any) -> None:
        match value:
            case None | bool() | int():
                self.parts.append(str(value))
            case float():
                self.parts.append(decimal(value))
            case str():
                self.parts.append(self._string(value))
            case Name():
                self.parts.append(value.text)
            case Variant():
                self.parts.append(f"{value.name}(")
                self.write(value.value)
                self.parts.append(")")
            case Structure():
                self._structure(value)
            case dict():
                self._elements(value.items(), "{}", self._member)
            case Items():
                self._elements(value.items, value.brackets, self.write)
            case _:
                self._elements(value, "[]", self.write)

    def _structure(self, structure: Structure) -> None:
        self._open(f"{structure.name}(")
        for index, (name, value) in enumerate(structure.fields.items()):
            self.parts.append(f"{', ' if index else ''}{name}=")
            self.write(value)
        self._close(")")

    def _member(self, member: tuple[Any, Any]) -> None:
        key, value = member
        self.write(key)
        self.parts.append(":")
        self.write(value)

    def _elements(self, elements: Iterable[Any], brackets: str, write_one: Callable[[Any], None]) -> None:
        self._open(brackets[0])
        separator = ""
        for element in elements:
            self._counts[self._level] += 1
            if self._counts[self._level] >= self._limits.elements:
                self.parts.append(", ...")
                break
            self.parts.append(separator)
            write_one(element)
            separator = ", "
        self._close(brackets[1])

    def _open(self, text: str) -> None:
        self.parts.append(text)
        self._level = min(self._level + 1, self._limits.depth - 1)
        self._counts[self._level] = 0

    def _close(self, text: str) -> None:
        self._counts[self._level] = 0
        self._level = max(self._level - 1, 0)
        self.parts.append(text)

    def _string(self, text: str) -> str:
        encoded = text.encode()
        if len(encoded) <= self._limits.string:
            return f'"{text}"'
        try:
            return f'"{encoded[: int(self._limits.string)].decode()}..."'
        except UnicodeDecodeError:
            raise UpstreamPanicError(
                f"str() shows {self._limits.string} bytes of a string, and these end inside a character of "
                f"{text[:120]!r}: "
                "`tokenizers` panics here; use repr()"
            ) from None


def decimal(value: float) -> str:
    """Return the shortest digits of ``value``, without exponent and without ".0".

    >>> decimal(-1.0), decimal(1e-7), decimal(1e21), decimal(-0.0), decimal(float("nan"))
    ('-1', '0.0000001', '1000000000000000000000', '-0', 'NaN')
    >>> decimal(float("-inf"))
    '-inf'
    """
    if math.isinf(value):
        return repr(value)
    text = f"{Decimal(repr(value)):f}"
    return text.removesuffix(".0")
