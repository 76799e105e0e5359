"""``tokconf minimize``: the smallest text and the smallest tokenizer.json that show a finding of a run."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.finding_options import SMALLER_SECONDS, asks_again
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.options import NumberRange
from tokenizer_conformance.lazy import carried_out_by


@click.command("minimize", cls=LongCommand, short_help="Make a finding of a run as small as it gets.")
@asks_again
@click.option(
    "--time",
    "seconds",
    type=NumberRange(min=0, min_open=True),
    default=SMALLER_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="How long to look for smaller ones.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON in place of text.")
@click.option("-o", "--output", metavar="FILE.json", help="Write the cut-down tokenizer.json here.")
@click.pass_context
@carried_out_by("tokenizer_conformance.cli.minimize:execute")
def minimize_command() -> None:
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
