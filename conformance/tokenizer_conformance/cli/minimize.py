"""``tokconf minimize``: the smallest text and the smallest tokenizer.json that show a finding of a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.causes.minimizing import Budget
from tokenizer_conformance.cli.asking_again import (
    DEFAULT_SECONDS,
    MOST_CHECKS,
    asks_again,
    both,
    other_versions,
    words_of,
)
from tokenizer_conformance.cli.choosing import chosen, isolation_of
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.options import NumberRange
from tokenizer_conformance.cli.output_file import target_of, write_to
from tokenizer_conformance.cli.recorded_findings import (
    found_tokenizer,
    recorded_finding,
    refuse_cut_questions,
)
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.minimize.minimization import Gone, minimize
from tokenizer_conformance.minimize.wording import command_lines, lines_of, record_of, written
from tokenizer_conformance.session.conclusion import EXIT_STATUS, Conclusion
from tokenizer_conformance.session.output import BadInput
from tokenizer_conformance.session.progress import STATUS
from tokenizer_conformance.session.standard_streams import complain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import TokenizerSource
    from tokenizer_conformance.cli.recorded_findings import RecordedFinding
    from tokenizer_conformance.minimize.minimization import SmallFinding


GONE = "the answers do not differ any more, or only as an earlier stage makes them differ"


@click.command("minimize", cls=LongCommand, short_help="Make a finding of a run as small as it gets.")
@asks_again
@click.option(
    "--time",
    "seconds",
    type=NumberRange(min=0, min_open=True),
    default=DEFAULT_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="How long to look for smaller ones.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON in place of text.")
@click.option("-o", "--output", metavar="FILE.json", help="Write the cut-down tokenizer.json here.")
@click.pass_context
def minimize_command(
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
    """Print the smallest text and the smallest tokenizer.json that show finding N of RECORD.

    RECORD is what 'tokconf run' or 'tokconf fuzz TOKENIZER' has written with --json RECORD. The tokenizer and the
    implementations are found again as that command named them, so relative paths are taken from the folder in which it
    was started; the tokenizer must be the same file still. The question is asked again first; the exit status is 1
    where the answers differ still, and 0 where they do not any more.

    What shows the finding is made smaller as long as the answers differ in the same way, and not as a consequence of an
    earlier stage: texts are cut, and their characters replaced by simpler ones where those of a whole class show the
    same; then the tokenizer.json loses what does not matter. An implementation that reads other files beside it keeps
    the whole one.

    \b
    Examples:
      tokconf run gpt2/ -i reference tokie --json run.jsonl
      tokconf minimize run.jsonl --finding 2 -o small.json
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
    path = Path(record)
    finding = recorded_finding(path, number)
    refuse_cut_questions(path, finding)
    STATUS.begin("reading tokenizers", finding.sides.tokenizer)
    source = found_tokenizer(finding.sides, elsewhere)
    target = None if output is None else target_of(output, (path, Path(source.file)), force=force)
    options = finding.sides.options
    isolation = isolation_of(options["isolate"], options["in_process"], options["timeout"], options["memory"])
    words = words_of(finding.sides, wanted)
    with chosen(words, words[0], isolation) as choice:
        baseline, implementation = both(choice)
        for note in (*finding.notes, *other_versions(finding.sides, (baseline, implementation))):
            complain(note)
        with Bench(baseline, implementation, finding.sides.fields) as bench:
            found = _minimized(bench, source, finding, seconds)
    if found is None:
        click.echo(json.dumps(_named(finding) | {"gone": True}) if as_json else f"{finding.title}\n{GONE}")
        context.exit(EXIT_STATUS[Conclusion.CONFORM])
    if target is not None and found.after.document is not None:
        write_to(target, written(found.after.document))
    file = finding.sides.word if target is None or found.after.document is None else str(target)
    commands = command_lines(found, file, words) if target is not None or found.after.document is None else []
    if as_json:
        click.echo(json.dumps(_named(finding) | record_of(found, finding.length, commands)))
    else:
        for line in _lines(finding, found, target, commands):
            click.echo(line)
    context.exit(EXIT_STATUS[Conclusion.DIFFERENCES])


def _minimized(bench: Bench, source: TokenizerSource, finding: RecordedFinding, seconds: float) -> SmallFinding | None:
    """Return what the finding comes to; ``None`` where it does not show any more."""
    STATUS.begin("making it small", finding.sides.tokenizer)
    budget = Budget(seconds, MOST_CHECKS)
    try:
        found = minimize(bench, source, finding.question, finding.manners, budget, finding.document)
    except CannotLoadError as error:
        raise BadInput(one_line(str(error))) from error
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
