"""``tokconf badge``: badges from the record of a run of the suite."""

from __future__ import annotations

from pathlib import Path

import click

from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.defaults import BOTH_FORMATS
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.validation.badge.badge import Badge, badge_of
from tokenizer_conformance.validation.badge.drawing import Format
from tokenizer_conformance.validation.badge.reading import ImplementationScore, SuiteRecord, read_suite_record
from tokenizer_conformance.validation.badge.writing import files_of_badges, write_badges


def execute(*, record: str, wanted: tuple[str, ...], output: str | None, form: str, partial: bool, force: bool) -> None:
    """Carry out ``tokconf badge``."""
    if output == "":
        raise BadInput("--output names no folder: its value is empty")
    path = Path(record)
    try:
        found = read_suite_record(path)
    except BadInputError as error:
        raise BadInput(str(error)) from error
    if found.is_partial and not partial:
        raise BadInput(
            f"{record!r} is about a part of the suite (-k, --features, --importance or --field); give the record of a "
            "whole run, or --partial for a badge that says so"
        )
    badges = [(judged.name, _badge(found, judged, record)) for judged in _chosen(found, wanted, record)]
    forms = tuple(Format) if form == BOTH_FORMATS else (Format(form),)
    files = files_of_badges(path.parent if output is None else Path(output), badges, forms)
    write_badges(files, path, force=force)
    for _, badge in badges:
        click.echo(badge.title)
    for file in files:
        click.echo(f"wrote {str(file.path)!r}")


def _badge(found: SuiteRecord, judged: ImplementationScore, record: str) -> Badge:
    if not judged.complete:
        raise BadInput(
            f"{record!r}: {one_line(judged.name)!r} was not asked everything (-x or --max-fail); run it again, or "
            "choose others with -i"
        )
    return badge_of(judged, found.suite, is_partial=found.is_partial)


def _chosen(found: SuiteRecord, wanted: tuple[str, ...], record: str) -> list[ImplementationScore]:
    by_name = {judged.name: judged for judged in found.judged}
    for name in wanted:
        if name not in by_name:
            known = ", ".join(map(one_line, by_name))
            raise BadInput(f"{record!r} has no implementation {one_line(name)!r}; it has {known}")
    return [by_name[name] for name in dict.fromkeys(wanted)] if wanted else list(found.judged)
