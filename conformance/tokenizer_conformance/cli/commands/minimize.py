"""``tokconf minimize``: the smallest text and the smallest tokenizer.json that show a finding of a run."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.finding_options import SMALLER_SECONDS, asks_again
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.options import NumberRange
from tokenizer_conformance.lazy import carried_out_by


@click.command("minimize", cls=LongCommand, short_help="Reduce a finding of a run to the smallest text and file.")
@asks_again
@click.option(
    "--time",
    "seconds",
    type=NumberRange(min=0, min_open=True),
    default=SMALLER_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="How long to search for smaller ones.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
@click.option("-o", "--output", metavar="FILE.json", help="Write the reduced tokenizer.json to this file.")
@click.pass_context
@carried_out_by("tokenizer_conformance.cli.minimize:execute")
def minimize_command() -> None:
    """Print the smallest text and the smallest tokenizer.json that show finding N of RECORD.

    RECORD was written by 'tokconf run' or 'tokconf fuzz TOKENIZER' with --json RECORD. The tokenizer and the
    implementations are found as that command named them, so relative paths start at its working folder; the
    tokenizer.json must be unchanged. The question is asked again first. The exit status is 1 if the answers still
    differ, and 0 if they do not.

    The finding is reduced as long as the answers differ in the same way, and not as a consequence of an earlier
    stage: texts are shortened, and characters replaced by simpler ones if all of their class show the same; then
    parts of the tokenizer.json that do not matter are removed. An implementation that reads other files beside it
    keeps the whole file.

    \b
    Examples:
      tokconf run gpt2/ -i reference tokie --json run.jsonl
      tokconf minimize run.jsonl --finding 2 -o small.json
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
