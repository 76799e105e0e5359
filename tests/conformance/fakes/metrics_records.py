"""Records of ``tokconf metrics``, read back and held against the schema."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from line_schema import validator_of

from tokenizer_conformance.results.records.metrics import FORMAT
from tokenizer_conformance.results.records.schema import schema_of

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Recorded:
    """A record, each line of which is as the schema has it."""

    lines: list[dict[str, Any]]
    header: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "header", self.lines[0])

    @classmethod
    def at(cls, path: Path) -> Recorded:
        validator = validator_of(schema_of(FORMAT))
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        for line in lines:
            validator.validate(line)
        return cls(lines)

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["type"] == kind]

    @property
    def footer(self) -> dict[str, Any]:
        return self.lines[-1]

    def value(self, measure: str, row: str, group: str = "all texts", other: str | None = None) -> float | None:
        (found,) = (
            line["value"]
            for line in self.of("measurement")
            if (line["measure"], line["row"], line["group"]) == (measure, row, group)
            and (other is None or line["other"] == other)
        )
        value: float | None = found
        return value

    def lasting(self) -> list[dict[str, Any]]:
        """All that is the same each time: without times, and what a digest has of them."""
        times = {"environment", "seconds", "sha256"}
        return [{key: value for key, value in line.items() if key not in times} for line in self.lines]
