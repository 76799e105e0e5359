"""``tokconf minimize``: the smallest text and the smallest tokenizer.json that show a finding of a run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_conformance.causes.minimize.minimization import Gone, minimize
from tokenizer_conformance.causes.minimize.wording import command_lines, lines_of, record_of, written
from tokenizer_conformance.causes.minimizing import Budget
from tokenizer_conformance.cli.asking_again import MOST_CHECKS, AskedAgain, asked_again
from tokenizer_conformance.cli.output_file import write_to
from tokenizer_conformance.command_io.conclusion import EXIT_STATUS, Conclusion
from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.command_io.standard_streams import complain
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.comparison.loading_errors import why_not_loaded
from tokenizer_conformance.escape import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tokenizer_conformance.causes.minimize.minimization import SmallFinding
    from tokenizer_conformance.cli.recorded_findings import RecordedFinding


GONE = "the answers do not differ any more, or only as an earlier stage makes them differ"


def execute(
    context: click.Context,
    *,
    record: str,
    number: int,
    wanted: tuple[str, ...],
    elsewhere: str | None,
    seconds: float,
    as_json: bool,
    output: str | None,
    force: bool,
) -> None:
    """Carry out ``tokconf minimize``."""
    with asked_again(record, number, wanted, elsewhere, output, force=force) as again:
        for note in again.notes:
            complain(note)
        finding, target = again.finding, again.target
        found = _minimized(again, seconds)
    if found is None:
        click.echo(json.dumps(_named(finding) | {"gone": True}) if as_json else f"{finding.title}\n{GONE}")
        context.exit(EXIT_STATUS[Conclusion.CONFORM])
    if target is not None and found.after.document is not None:
        write_to(target, written(found.after.document))
    file = finding.sides.word if target is None or found.after.document is None else str(target)
    commands = command_lines(found, file, again.words) if target is not None or found.after.document is None else []
    if as_json:
        click.echo(json.dumps(_named(finding) | record_of(found, finding.length, commands)))
    else:
        for line in _lines(finding, found, target, commands):
            click.echo(line)
    context.exit(EXIT_STATUS[Conclusion.DIFFERENCES])


def _minimized(again: AskedAgain, seconds: float) -> SmallFinding | None:
    """Return the outcome of the finding; ``None`` where it does not show any more."""
    finding, budget = again.finding, Budget(seconds, MOST_CHECKS)
    STATUS.begin("making it small", finding.sides.tokenizer)
    try:
        found = minimize(again.bench, again.source, finding.question, finding.manners, budget, finding.document)
    except CannotLoadError as error:
        raise BadInput(one_line(why_not_loaded(error))) from error
    return None if isinstance(found, Gone) else found


def _named(finding: RecordedFinding) -> dict[str, object]:
    """Return as JSON which finding it is."""
    baseline, implementation = finding.sides.names
    which = {"tokenizer": finding.sides.tokenizer, "sha256": finding.sides.sha256, "finding": finding.number}
    return {**which, "baseline": baseline, "implementation": implementation}


def _lines(finding: RecordedFinding, found: SmallFinding, target: Path | None, commands: list[str]) -> Iterator[str]:
    yield finding.title
    if found.is_another:
        yield "the answers differ, but in another way than in the record"
    yield from lines_of(found, finding.length, *finding.sides.names)
    if target is not None and found.after.document is not None:
        yield f"wrote {str(target)!r}"
    elif target is not None:
        yield f"{str(target)!r} is not written: there is no smaller tokenizer.json"
    if commands:
        yield "to see it:"
        yield from (f"  {line}" for line in commands)
    elif found.after.document is not None and target is None:
        yield "-o FILE.json writes that tokenizer.json, and gives the command to see it"
