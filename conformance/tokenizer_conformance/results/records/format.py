"""A format of records: its name and version, and the types of its lines."""

from __future__ import annotations

import typing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from tokenizer_conformance.results.records.value import Value

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Format:
    """A format of records.

    ``name`` and ``version`` stand in every header; ``file`` names its JSON Schema. ``description`` says which lines
    follow which, ``lines`` is the union of their types.
    """

    name: str
    version: str
    file: str
    description: str
    lines: Any

    @property
    def major(self) -> str:
        """The part of the version that readers insist on."""
        return self.version.partition(".")[0]

    @property
    def types(self) -> tuple[type[Value], ...]:
        """The types of the lines."""
        return typing.get_args(self.lines)

    @property
    def tags(self) -> frozenset[str]:
        """What stands in lines as their type."""
        return frozenset(each.__struct_config__.tag for each in self.types)  # type: ignore[misc]  # str for each line

    @property
    def is_sealed(self) -> bool:
        """Whether the last line says what the lines before it were."""
        return any("sha256" in each.__struct_fields__ for each in self.types if each.__struct_config__.tag == "footer")

    def read(self, line: object) -> Value:
        """Return the ``line`` that was parsed as JSON. Raises ``msgspec.ValidationError``, which says where and why.

        Members that are not known here are left out: a later minor version may have more.
        """
        read: Value = msgspec.convert(line, self.lines)
        return read


def json_of(line: Value) -> Json:
    """Return ``line`` as it is written."""
    written: Json = _with_lists(msgspec.to_builtins(line))
    return written


def _with_lists(value: Any) -> Any:
    match value:
        case dict():
            return {name: _with_lists(each) for name, each in value.items()}
        case list() | tuple():
            return list(map(_with_lists, value))
        case _:
            return value
