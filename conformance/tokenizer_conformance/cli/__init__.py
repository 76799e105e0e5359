"""The command line, ``tokconf``. A command is imported when it is used: this much alone is needed to print the help."""

from __future__ import annotations

import sys
from typing import Any, NoReturn

import click

from tokenizer_conformance.cli.ending import ended_in_order, status_of
from tokenizer_conformance.cli.listed import Listed, ListedGroup
from tokenizer_conformance.cli.traceback_option import traceback_option
from tokenizer_conformance.command_io.conclusion import EXIT_STATUS, EXIT_STATUSES, WHICH_COMES_FIRST, Conclusion
from tokenizer_conformance.command_io.interrupts import INTERRUPTS
from tokenizer_conformance.command_io.standard_streams import (
    be_lenient_about_output,
    flushed,
    hold_standard_descriptors,
)

DISTRIBUTION = "tokenizer-conformance"

CONFORM = EXIT_STATUS[Conclusion.CONFORM]
NOT_REPORTED = EXIT_STATUS[Conclusion.INTERNAL_ERROR]


COMMANDS = {
    "audit": Listed(
        "tokenizer_conformance.cli.audit:audit_command",
        "Check a tokenizer file, a conversion, a chat template, a loader, offsets, streams, Unicode versions.",
    ),
    "badge": Listed(
        "tokenizer_conformance.cli.commands.badge:badge_command",
        "Write badges from a record of a run of the suite.",
    ),
    "bug": Listed("tokenizer_conformance.cli.commands.bug:bug_command", "Write a bug report for the maintainers."),
    "changes": Listed(
        "tokenizer_conformance.cli.commands.changes:changes_command",
        "List the known changes between releases.",
    ),
    "classes": Listed(
        "tokenizer_conformance.cli.commands.classes:classes_command", "List the classes of reasons for differences."
    ),
    "compare": Listed(
        "tokenizer_conformance.cli.commands.compare:compare_command", "Show how several tokenizers split the same text."
    ),
    "diff": Listed(
        "tokenizer_conformance.cli.commands.diff:diff_command",
        "Compare a snapshot with another one, or with the installed version.",
    ),
    "environments": Listed(
        "tokenizer_conformance.cli.commands.environments:environments_command",
        "List, make and remove the environments of releases.",
    ),
    "explain": Listed(
        "tokenizer_conformance.cli.commands.explain:explain_command",
        "Show what each stage of a tokenizer does to one text.",
    ),
    "formats": Listed(
        "tokenizer_conformance.cli.commands.formats:formats_command",
        "List the file formats, or print a JSON Schema.",
    ),
    "fuzz": Listed(
        "tokenizer_conformance.cli.commands.fuzz:fuzz_command",
        "Search for differences, on given or on random tokenizers.",
    ),
    "implementations": Listed(
        "tokenizer_conformance.cli.commands.implementations:implementations_command",
        "List the implementations that can be compared.",
    ),
    "merge": Listed(
        "tokenizer_conformance.cli.commands.merge:merge_command", "Merge the records of the parts of a run."
    ),
    "report": Listed("tokenizer_conformance.cli.commands.report:report_command", "Make pages and tables of records."),
    "metrics": Listed(
        "tokenizer_conformance.cli.commands.metrics:metrics_command",
        "Measure tokenizers on a corpus, and compare them.",
    ),
    "minimize": Listed(
        "tokenizer_conformance.cli.commands.minimize:minimize_command",
        "Reduce a finding of a run to the smallest text and file.",
    ),
    "run": Listed(
        "tokenizer_conformance.cli.commands.run:run_command", "Compare implementations on tokenizers and texts."
    ),
    "snapshot": Listed(
        "tokenizer_conformance.cli.commands.snapshot:snapshot_command",
        "Save all answers of one implementation to a file.",
    ),
    "suite": Listed(
        "tokenizer_conformance.cli.commands.suite:suite_command", "Check implementations against the requirements."
    ),
    "train": Listed(
        "tokenizer_conformance.cli.commands.train:train_command", "Compare what trainers learn from a corpus."
    ),
    "versions": Listed(
        "tokenizer_conformance.cli.commands.versions:versions_command",
        "Compare releases of a package: what changed when, and why.",
    ),
    "vectors": Listed(
        "tokenizer_conformance.cli.commands.vectors:vectors_command", "Make and check a golden file for one tokenizer."
    ),
}


USES = {
    "Validate an implementation": ("run", "suite", "fuzz", "vectors", "explain", "minimize", "bug", "badge"),
    "Compare releases": ("versions", "snapshot", "diff", "changes", "environments"),
    "Research tokenizers": ("metrics", "compare", "train", "audit"),
    "Records and lists": ("report", "merge", "implementations", "classes", "formats"),
}
"""The commands by what they are for, the first to be tried first."""


class Tokconf(ListedGroup):
    """The group of all commands. Whatever happens in one of them, it ends with a status of the table."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the table of exit statuses."""
        with formatter.section("Exit status"):
            formatter.write_dl([(str(row.status), row.meaning) for row in EXIT_STATUSES])
            formatter.write_paragraph()
            formatter.write_text(WHICH_COMES_FIRST)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Read the command line up to the name of the command; ``--help`` is printed here."""
        with ended_in_order():
            return super().make_context(info_name, args, parent, **extra)

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Carry out the command line and end this process, with a status of the table."""
        hold_standard_descriptors()
        be_lenient_about_output()
        status = status_of(lambda: super(Tokconf, self).main(*args, **{**extra, "standalone_mode": False}))
        sys.exit(status if flushed() or status != CONFORM else NOT_REPORTED)

    def invoke(self, ctx: click.Context) -> Any:
        """Carry the command out."""
        with INTERRUPTS.heard(), ended_in_order():
            return super().invoke(ctx)


@click.group(cls=Tokconf, listed=COMMANDS, uses=USES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name=DISTRIBUTION, prog_name="tokconf")
def main() -> None:
    """Say whether implementations of Hugging Face tokenizers agree, and where they differ first."""


main.params.append(traceback_option())
