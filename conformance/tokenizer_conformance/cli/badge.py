"""``tokconf badge``: badges from the record of a run of the suite."""

from __future__ import annotations

from pathlib import Path

import click

from tokenizer_conformance.badge.badge import Badge, badge_of
from tokenizer_conformance.badge.drawing import Format
from tokenizer_conformance.badge.reading import Judged, SuiteRecord, read_suite_record
from tokenizer_conformance.badge.writing import files_of_badges, write_badges
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.session.output import BadInput

BOTH = "both"


@click.command("badge", cls=LongCommand, short_help="Write badges from a record of what the suite came to.")
@click.argument("record", metavar="RECORD")
@click.option(
    "-i",
    "--implementation",
    "wanted",
    multiple=True,
    metavar="NAME",
    help="Write the badge of this one, by its name in the record, in place of all; repeatable.",
)
@click.option(
    "--output", metavar="DIR", help="Write into this folder, which is made where it is missing; else beside RECORD."
)
@click.option(
    "--format",
    "form",
    type=click.Choice([*(form.value for form in Format), BOTH]),
    default=BOTH,
    show_default=True,
    help="A picture (NAME-badge.svg), or the JSON that badge services read (NAME-badge.json): schemaVersion, label, "
    "message, color.",
)
@click.option("--partial", is_flag=True, help="Take a record of a part of the suite too; the badge says so.")
@click.option("--force", is_flag=True, help="Replace files of the same names that are no badges.")
def badge_command(
    *, record: str, wanted: tuple[str, ...], output: str | None, form: str, partial: bool, force: bool
) -> None:
    """Write a badge for each implementation in RECORD, which 'tokconf suite run --json RECORD' has written.

    The label says which release of tokenizers the suite is about, and which suite it is: the version of the package
    that it comes with, and the beginning of the digest of its files. The message says how many requirements of
    importance core, and how many of all, passed, of how many that were asked. All of these count, those too that the
    implementation does not show ("not shown"): these are no failures, and are not passed either. "Failed" are those
    with a wrong answer or none, or a tokenizer that was not loaded, whether a ledger knows of it or not. As in 'tokconf
    suite run', a requirement has passed if all its cases have that say anything about what the implementation shows.

    \b
    The colour, by the first line that fits:
      red          a requirement of importance core has failed
      orange       another one has failed
      lightgrey    less than half have passed, or only a part of the
                   suite was asked
      brightgreen  all have passed
      green        nine tenths or more have passed
      yellowgreen  half or more have passed

    A record that is cut short gives no badge, and neither does one of a part of the suite (-k, --features, --importance
    or --field), unless --partial is given. Files that are no badges are not replaced.

    \b
    Examples:
      tokconf suite run -i tokie --json run.jsonl; tokconf badge run.jsonl
      tokconf badge run.jsonl -i tokie --format svg --output docs
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
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
    forms = tuple(Format) if form == BOTH else (Format(form),)
    files = files_of_badges(path.parent if output is None else Path(output), badges, forms)
    write_badges(files, path, force=force)
    for _, badge in badges:
        click.echo(badge.title)
    for file in files:
        click.echo(f"wrote {str(file.path)!r}")


def _badge(found: SuiteRecord, judged: Judged, record: str) -> Badge:
    if not judged.complete:
        raise BadInput(
            f"{record!r}: {one_line(judged.name)!r} was not asked everything (-x or --max-fail); run it again, or "
            "choose others with -i"
        )
    return badge_of(judged, found.suite, is_partial=found.is_partial)


def _chosen(found: SuiteRecord, wanted: tuple[str, ...], record: str) -> list[Judged]:
    by_name = {judged.name: judged for judged in found.judged}
    for name in wanted:
        if name not in by_name:
            known = ", ".join(map(one_line, by_name))
            raise BadInput(f"{record!r} has no implementation {one_line(name)!r}; it has {known}")
    return [by_name[name] for name in dict.fromkeys(wanted)] if wanted else list(found.judged)
