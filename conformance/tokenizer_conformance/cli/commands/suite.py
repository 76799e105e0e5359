"""``tokconf suite``: what every tokenizer must do, asked of implementations, shown, and handed on."""

from __future__ import annotations

from pathlib import Path

import click

from tokenizer_conformance.cli.command_group import CommandGroup
from tokenizer_conformance.cli.comparison_options import field_option, max_fail_options
from tokenizer_conformance.cli.implementation_options import implementation_option, isolation_options
from tokenizer_conformance.cli.input_options import substring_option
from tokenizer_conformance.cli.jobs_option import jobs_option
from tokenizer_conformance.cli.last_failed_option import last_failed_option
from tokenizer_conformance.cli.ledger_options import ledger_options
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.options import ConcludingCommand, SpreadOption, comma_list
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.cli.shard_option import shard_option
from tokenizer_conformance.defaults import DEFAULT_SECONDS, SUITE_IMPLEMENTATIONS
from tokenizer_conformance.lazy import carried_out_by
from tokenizer_conformance.validation.suite.requirement import Feature, Importance

FORMS = ("json", "jsonl")
"""The forms of an export."""


@click.group("suite", cls=CommandGroup, short_help="Check implementations against the requirements.")
def suite_command() -> None:
    """Check, show and export the requirements of a tokenizer, for any implementation in any language."""


@suite_command.command(
    "run", cls=LongCommand, table="suite", short_help="Check implementations against every requirement."
)
@implementation_option(SUITE_IMPLEMENTATIONS)
@click.option(
    "-k",
    "expression",
    default="",
    metavar="EXPR",
    help="Only requirements that match by id, title or area: words joined by and, or, not and brackets.",
)
@click.option(
    "--features",
    multiple=True,
    callback=comma_list(Feature),
    metavar="FEATURE",
    help=f"Only requirements that need nothing but these features (many need none): {', '.join(Feature)}.",
)
@click.option(
    "--importance",
    "importances",
    multiple=True,
    callback=comma_list(Importance),
    metavar="IMPORTANCE",
    help=f"Only requirements of this importance: {', '.join(Importance)}.",
)
@field_option
@jobs_option
@shard_option("every requirement, with all its cases,")
@last_failed_option("the requirements")
@max_fail_options("requirement that fails")
@isolation_options(DEFAULT_SECONDS)
@ledger_options(update=True, stale="An entry whose requirements all pass is stale, and fails.")
@report_options(checks=True)
@click.pass_context
@carried_out_by("tokenizer_conformance.cli.suite:execute_run")
def run_suite_command() -> None:
    """Check implementations against every requirement of the suite, and say how many each passes.

    A requirement passes if all its cases pass that the implementation shows anything of; what it cannot show is
    unsupported, and no failure. Each failure shows the question, the expected and the actual answer, and the first
    place of the pipeline that is wrong.

    \b
    Examples:
      tokconf suite run
      tokconf suite run -i "command:./my-tokenizer --flag"
      tokconf suite run -i tokie -k "bert and not chinese" --importance core
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped


@suite_command.command("show", short_help="Show requirements with their cases.")
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option(
    "--cases", type=click.IntRange(min=0), default=3, show_default=True, metavar="N", help="Number of cases to show."
)
@carried_out_by("tokenizer_conformance.cli.suite:execute_show")
def show_command() -> None:
    """Show the requirements with these ids: the rule, why it matters, and the cases with their expected answers."""


@suite_command.command("list", short_help="List all requirements.")
@click.option("-k", "expression", default="", metavar="EXPR", help="Only those that match by id, title or area.")
@carried_out_by("tokenizer_conformance.cli.suite:execute_list")
def list_command() -> None:
    """List the ids and titles of all requirements, by area."""


@suite_command.command("spec", short_help="Write the requirements as a document.")
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="A file ending in .md, or a folder for SPECIFICATION.md and specification/*.md. By default the "
    "document is printed.",
)
@click.option("--area", "areas", multiple=True, metavar="AREA", help="Only this area, such as models.BPE; repeatable.")
@carried_out_by("tokenizer_conformance.cli.suite:execute_spec")
def spec_command() -> None:
    """Write the requirements as a specification in Markdown: rules, examples and known mistakes, by stage.

    \b
    Examples:
      tokconf suite spec --area models.BPE
      tokconf suite spec --output specification.md
      tokconf suite spec --output reference
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped


@suite_command.command("export", short_help="Write the suite as plain files, for any language.")
@click.argument("folder", metavar="DIR")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    default=FORMS[0],
    show_default=True,
    help="One JSON file per area, or one file with one line per case.",
)
@click.option("-k", "expression", default="", metavar="EXPR", help="Only those that match by id, title or area.")
@click.option("--force", is_flag=True, help="Overwrite files of the same names that are not an earlier export.")
@carried_out_by("tokenizer_conformance.cli.suite:execute_export")
def export_command() -> None:
    """Write the suite into the folder DIR: requirements, cases, tokenizers, a schema, and instructions.

    The suite can be run from there with nothing else; README.md says how. The folder is created if missing. An
    earlier export is replaced; other files are not touched.
    """


@suite_command.command("write", short_help="Print a test of pytest that compares two implementations.")
@click.argument("implementation", metavar="A")
@click.argument("against", metavar="B")
@click.option(
    "--tokenizer", required=True, metavar="TOKENIZER", help="A file, a folder, a bundled name, or a name of the hub."
)
@click.option(
    "--inputs",
    "files",
    cls=SpreadOption,
    type=click.Path(path_type=Path),
    metavar="FILE...",
    help="UTF-8 files with one text per line; the built-in inputs by default.",
)
@substring_option
@carried_out_by("tokenizer_conformance.cli.suite:execute_write")
def write_command() -> None:
    """Print a Python file with a test that A conforms to B on TOKENIZER, with the texts in the file.

    It needs only pytest and this package, and runs as "pytest FILE".
    """


@suite_command.command("check", cls=ConcludingCommand, short_help="Check the suite itself.")
@click.option("--table", is_flag=True, help="Print the number of cases for each component, option and value.")
@click.pass_context
@carried_out_by("tokenizer_conformance.cli.suite:execute_check")
def check_command() -> None:
    """Check the suite itself.

    Ids are unique and stable; texts follow the style of the project; every component, option and value of
    tokenizer.json and every kind of question has a case; and no case passes for an implementation that answers
    nothing, echoes its input, or refuses everything.
    """
