"""The reports that the options of a command ask for."""

from __future__ import annotations

import functools
import importlib
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.environment import is_at_github
from tokenizer_conformance.command_io.outputs import HTML, ReportOptions
from tokenizer_conformance.command_io.reports_from_record import OfRecord

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType


def given_reports(
    *,
    json: str | None,
    html: str | None,
    markdown: str | None,
    force: bool,
    resume: bool,
    junit: str | None,
    sarif: str | None,
    github: bool | None,
) -> ReportOptions:
    """Return the reports that are asked for; ``github`` is ``None`` where nothing is said of it."""
    return ReportOptions(
        json=json,
        markdown=markdown,
        force=force,
        resume=resume,
        junit=junit,
        sarif=sarif,
        github=is_at_github() if github is None else github,
        of_record=of_record({HTML: html}),
    )


def of_record(names: dict[str, str | None]) -> tuple[OfRecord, ...]:
    """Return the reports made of the record that are wanted: the ``names`` of files that were given, by option."""
    return tuple(
        OfRecord(option, name, functools.partial(_make, option), functools.partial(_require, option))
        for option, name in names.items()
        if name is not None
    )


def _files() -> ModuleType:
    """Return what makes these reports; it is imported where one is wanted, since it knows every kind of record."""
    return importlib.import_module("tokenizer_conformance.report.files")


def _make(option: str, record: Path, known_as: str) -> bytes:
    made: bytes = _files().FILES[option].make(record, known_as)
    return made


def _require(option: str) -> None:
    _files().FILES[option].require()
