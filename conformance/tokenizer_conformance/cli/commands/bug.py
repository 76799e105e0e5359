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
    help="How long to look for a smaller tokenizer.json.",
)
@click.option("--no-check", is_flag=True, help="Print the report without running its snippet first.")
@click.option("-o", "--output", metavar="FILE.md", help="Write the report here, in place of standard output.")
@click.pass_context
@carried_out_by("tokenizer_conformance.cli.bug:execute")
def bug_command() -> None:
    """Print finding N of RECORD as a report that the maintainers of the implementation can use, in Markdown.

    RECORD is what 'tokconf run' or 'tokconf fuzz TOKENIZER' has written with --json RECORD. The report has the
    versions, the smallest text, both answers and where they part, the reason as far as it is proven, and a snippet that
    shows the difference: it needs the two packages and nothing of tokconf, and has a small tokenizer.json in it where
    one shows the same; else it takes the path of the checkpoint's.

    Both sides are asked again first, and the snippet is run in a fresh interpreter. Where it does not print the same
    answers there is no report, and the exit status is 3. It is 1 with a report, and 0 where the answers do not differ
    any more. For an implementation that no snippet can ask, the report has its answer as a value.

    \b
    Examples:
      tokconf run gpt2/ -i tokenizers tokie --json run.jsonl
      tokconf bug run.jsonl --finding 1 -o bug.md
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
