"""``tokconf minimize``: the smallest text and the smallest tokenizer.json that show a finding of a run."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_adapters.selection import is_class, is_command
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.causes.minimizing import Budget
from tokenizer_conformance.causes.witness import Manner
from tokenizer_conformance.cli.choosing import chosen, is_implementation, isolation_of
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.options import NumberRange, SpreadOption
from tokenizer_conformance.cli.recorded_findings import (
    SIDES,
    found_tokenizer,
    recorded_finding,
    refuse_cut_questions,
)
from tokenizer_conformance.comparing.findings import length_of
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.minimize.minimization import Gone, minimize
from tokenizer_conformance.minimize.wording import command_lines, lines_of, record_of, written
from tokenizer_conformance.session.conclusion import EXIT_STATUS, Conclusion
from tokenizer_conformance.session.output import BadInput, ReportLost
from tokenizer_conformance.session.progress import STATUS
from tokenizer_conformance.session.sinks import write_atomically
from tokenizer_conformance.session.standard_streams import complain, reason_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import Implementation, TokenizerSource
    from tokenizer_conformance.cli.recorded_findings import RecordedFinding
    from tokenizer_conformance.minimize.minimization import SmallFinding

DEFAULT_SECONDS = 20.0

MOST_CHECKS = 20_000

GONE = "the answers do not differ any more, or only as an earlier stage makes them differ"


@click.command("minimize", cls=LongCommand, short_help="Make a finding of a run as small as it gets.")
@click.argument("record", metavar="RECORD")
@click.option("--finding", "number", type=int, required=True, metavar="N", help="Its number, as 'tokconf run' has it.")
@click.option(
    "-i",
    "--implementation",
    "wanted",
    cls=SpreadOption,
    takes=is_implementation,
    metavar="IMPL IMPL",
    help="The baseline and the implementation, if they are to be others than the words in RECORD; needed where these "
    "are programs or classes of somebody's, which are run only for who names them here.",
)
@click.option("--tokenizer", metavar="NAME", help="The tokenizer whose finding it is, where several have findings.")
@click.option("--from", "elsewhere", metavar="TOKENIZER", help="Where the tokenizer is now, if no more where it was.")
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
@click.option(
    "--force", is_flag=True, help="Replace the file of --output, if it is there; never what the command reads."
)
@click.pass_context
def minimize_command(
    context: click.Context,
    *,
    record: str,
    number: int,
    wanted: tuple[str, ...],
    tokenizer: str | None,
    elsewhere: str | None,
    seconds: float,
    as_json: bool,
    output: str | None,
    force: bool,
) -> None:
    """Print the smallest text and the smallest tokenizer.json that show finding N of RECORD.

    RECORD is what 'tokconf run --json RECORD' has written. The tokenizer and the implementations are found again as
    that run named them, so relative paths are taken from the folder in which it was started; the tokenizer must be the
    same file still. The question is asked again first; the exit status is 1 where the answers differ still, and 0 where
    they do not any more.

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
    finding = recorded_finding(path, number, tokenizer)
    refuse_cut_questions(path, finding)
    STATUS.begin("reading tokenizers", finding.tokenizer)
    source = found_tokenizer(finding, elsewhere)
    target = None if output is None else _target(output, (path, Path(source.file)), force=force)
    options = finding.options
    isolation = isolation_of(options["isolate"], options["in_process"], options["timeout"], options["memory"])
    words = _words(finding, wanted)
    with chosen(words, words[0], isolation) as choice:
        if choice.unavailable:
            raise BadInput(one_line(choice.unavailable[0].reason))
        baseline, implementation = _sides(choice.implementations, choice.baseline)
        for note in _other_versions(finding, (baseline, implementation)):
            complain(note)
        with Bench(baseline, implementation, finding.fields) as bench:
            found = _minimized(bench, source, finding, seconds)
    if found is None:
        click.echo(json.dumps(_named(finding) | {"gone": True}) if as_json else f"{_title(finding)}\n{GONE}")
        context.exit(EXIT_STATUS[Conclusion.CONFORM])
    if target is not None:
        _write(target, found)
    file = finding.word if target is None or found.after.document is None else str(target)
    commands = command_lines(found, file, words) if target is not None or found.after.document is None else []
    if as_json:
        click.echo(json.dumps(_named(finding) | record_of(found, _length(finding), commands)))
    else:
        for line in _lines(finding, found, target, commands):
            click.echo(line)
    context.exit(EXIT_STATUS[Conclusion.DIFFERENCES])


def _words(finding: RecordedFinding, wanted: tuple[str, ...]) -> tuple[str, str]:
    """Return the words that name the two sides: those that are ``wanted``, else those of the record.

    A record may be somebody else's: what it names is not run unless it is installed here. Raises :class:`BadInput`.
    """
    if wanted:
        if len(wanted) != SIDES:
            raise click.UsageError("-i takes two: the baseline, then the implementation")
        return wanted[0], wanted[1]
    foreign = [word for word in finding.words if is_command(word) or is_class(word)]
    if foreign:
        raise BadInput(
            f"the record names {one_line(foreign[0])!r}, which is run only if you say so: "
            f"give -i {one_line(shlex.join(finding.words))}"
        )
    return finding.words


def _sides(implementations: tuple[Implementation, ...], baseline: str) -> tuple[Implementation, Implementation]:
    """Return the baseline and the other one."""
    (first,) = (each for each in implementations if each.info.name == baseline)
    (second,) = (each for each in implementations if each.info.name != baseline)
    return first, second


def _other_versions(finding: RecordedFinding, sides: tuple[Implementation, ...]) -> Iterator[str]:
    for each in sides:
        version = finding.versions.get(each.info.name)
        if version not in (None, each.info.version):
            now = one_line(each.info.version)
            yield f"{one_line(each.info.name)} is of version {now} now; the record has {one_line(str(version))}"


def _minimized(bench: Bench, source: TokenizerSource, finding: RecordedFinding, seconds: float) -> SmallFinding | None:
    """Return what the finding comes to; ``None`` where it does not show any more."""
    STATUS.begin("making it small", finding.tokenizer)
    signatures = [each.signature for each in finding.group.findings]
    manners = [Manner(each.stage, each.field, each.verdict, each.kind, each.party, each.detail) for each in signatures]
    try:
        found = minimize(bench, source, finding.group.example.question, manners, Budget(seconds, MOST_CHECKS))
    except CannotLoadError as error:
        raise BadInput(one_line(str(error))) from error
    return None if isinstance(found, Gone) else found


def _named(finding: RecordedFinding) -> dict[str, object]:
    """Return as JSON which finding it is."""
    baseline, implementation = finding.names
    which = {"tokenizer": finding.tokenizer, "sha256": finding.sha256, "finding": finding.number}
    return {**which, "baseline": baseline, "implementation": implementation}


def _length(finding: RecordedFinding) -> int:
    """Return the length of the question as the run asked it."""
    example = finding.group.example
    return length_of(example.question) if example.reduced_from is None else example.reduced_from


def _title(finding: RecordedFinding) -> str:
    return f"finding {finding.number} of {one_line(finding.tokenizer)}: {finding.group.headline}"


def _lines(finding: RecordedFinding, found: SmallFinding, target: Path | None, commands: list[str]) -> Iterator[str]:
    yield _title(finding)
    if found.is_another:
        yield "the answers differ, but in another way than in the record"
    yield from lines_of(found, _length(finding), *finding.names)
    if target is not None and found.after.document is not None:
        yield f"wrote {str(target)!r}"
    elif target is not None:
        yield f"{str(target)!r} is not written: there is no smaller tokenizer.json"
    if commands:
        yield "to see it:"
        yield from (f"  {line}" for line in commands)
    elif found.after.document is not None and target is None:
        yield "-o FILE.json writes that tokenizer.json, and gives the command to see it"


# The file ------------------------------------------------------------------------------------------------------------


def _target(output: str, read: tuple[Path, ...], *, force: bool) -> Path:
    """Return where the tokenizer.json is to be written.

    Raises :class:`BadInput` where that cannot be, or something is there.
    """
    path = Path(output)
    try:
        if not output or path.is_dir() or not path.parent.is_dir():
            raise BadInput(f"cannot write {output!r}: it is no file in a folder that is there")
        if path.exists():
            if any(each.exists() and path.samefile(each) for each in read):
                raise BadInput(f"cannot write {output!r}: the command reads it")
            if not path.is_file():
                raise BadInput(f"cannot write {output!r}: it is no regular file")
            if path.stat().st_size and not force:
                raise BadInput(f"cannot write {output!r}: it is there already; --force replaces it")
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else str(error)
        raise BadInput(f"cannot write {output!r}: {reason}") from error
    return path.resolve() if path.is_symlink() else path


def _write(target: Path, found: SmallFinding) -> None:
    if found.after.document is None:
        return
    try:
        write_atomically(target, written(found.after.document).encode())
    except OSError as error:
        raise ReportLost(f"cannot write {str(target)!r}: {reason_of(error)}") from error
