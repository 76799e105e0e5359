"""``tokconf bug``: a finding of a record as a report for the maintainers of the implementation."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.finding_options import SMALLER_SECONDS, asks_again
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.options import NumberRange
from tokenizer_conformance.lazy import carried_out_by


@click.command("bug", cls=LongCommand, short_help="Write a bug report for the maintainers.")
@asks_again
@click.option(
    "--time",
    "seconds",
    type=NumberRange(min=0),
    default=SMALLER_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="How long to search for a smaller tokenizer.json.",
)
@click.option("--no-check", is_flag=True, help="Print the report without running its snippet first.")
@click.option("-o", "--output", metavar="FILE.md", help="Write the report to this file instead of standard output.")
@click.pass_context
@carried_out_by("tokenizer_conformance.cli.bug:execute")
def bug_command() -> None:
    """Print finding N of RECORD as a bug report for the maintainers of the implementation, in Markdown.

    RECORD was written by 'tokconf run' or 'tokconf fuzz TOKENIZER' with --json RECORD. The report has the versions,
    the smallest text, both answers and where they differ, the reason as far as it is proven, and a snippet that
    shows the difference. The snippet needs only the two packages, not tokconf. It contains a small tokenizer.json
    if one shows the same; otherwise it takes the path of the checkpoint's.

    Both sides are asked again first, and the snippet is run in a fresh interpreter. If it does not print the same
    answers, no report is written and the exit status is 3. The status is 1 with a report, and 0 if the answers no
    longer differ. For an implementation that no snippet can ask, the report quotes its answer.

    \b
    Examples:
      tokconf run gpt2/ -i tokenizers tokie --json run.jsonl
      tokconf bug run.jsonl --finding 1 -o bug.md
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
