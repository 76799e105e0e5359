"""What the headers of all records say, read back."""

from __future__ import annotations

from typing import Any

from tokenizer_adapters.contract import Field, ImplementationInfo, OffsetUnit, Stage
from tokenizer_conformance.command_io.configuration import Configuration
from tokenizer_conformance.command_io.environment import Environment

Json = dict[str, Any]


def environment_of(record: Json) -> Environment:
    """Return the environment that a header names. Raises ``KeyError`` or ``TypeError`` for what is none."""
    configuration = Configuration(**record["configuration"]) if "configuration" in record else None
    return Environment(**{**record, "command": tuple(record["command"]), "configuration": configuration})


def info_of(record: Json) -> ImplementationInfo:
    """Return the description of an implementation that a header has; how it is installed is not in it.

    Raises ``KeyError``, ``TypeError`` or ``ValueError`` for what is none.
    """
    return ImplementationInfo(
        name=record["name"],
        version=record["version"],
        language=record["language"],
        home_page=record["home_page"],
        stages=frozenset(map(Stage, record["stages"])),
        fields=frozenset(map(Field, record["fields"])),
        offset_unit=OffsetUnit(record["offset_unit"]),
        install="",
    )
