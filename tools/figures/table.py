"""The table of figures, ``figures.toml``: sentences with holes, what fills them, and numbers that are no figures."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

TABLE: Final = Path(__file__).with_name("figures.toml")

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Figure:
    """A ``sentence`` of a ``document`` whose holes, names in braces, have to show what the ``sources`` of them say."""

    document: str
    sentence: str
    sources: dict[str, Json]


@dataclass(frozen=True, slots=True)
class Allowed:
    """Numbers that measure nothing: those inside what ``pattern`` matches in one of ``documents``, and the reason."""

    documents: tuple[str, ...]
    pattern: re.Pattern[str]
    reason: str


@dataclass(frozen=True, slots=True)
class Example:
    """What a block of a ``document`` shows of a ``command``: lines that the run of ``record`` prints, in their order.

    Without a record the command is one of seconds, and is run.
    """

    document: str
    command: str
    record: str | None = None


@dataclass(frozen=True, slots=True)
class FigureTable:
    """Everything that is known of the numbers in ``documents``."""

    documents: tuple[str, ...]
    figures: tuple[Figure, ...]
    allowed: tuple[Allowed, ...]
    examples: tuple[Example, ...]


def read_table(file: Path = TABLE) -> FigureTable:
    """Read the table of figures."""
    read = tomllib.loads(file.read_text(encoding="utf-8"))
    documents = tuple(read["documents"])
    return FigureTable(
        documents=documents,
        figures=tuple(
            Figure(row.pop("document"), " ".join(row.pop("sentence").split()), row) for row in read["figure"]
        ),
        allowed=tuple(
            Allowed(tuple(row.get("documents", documents)), re.compile(row["pattern"], re.MULTILINE), row["reason"])
            for row in read["allow"]
        ),
        examples=tuple(Example(**row) for row in read.get("example", ())),
    )
