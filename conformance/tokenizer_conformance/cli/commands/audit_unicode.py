"""``tokconf audit unicode``: which version of Unicode explains what implementations do with characters."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.implementation_options import implementation_option, isolation_options
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.defaults import DEFAULT_BASELINE, DEFAULT_SECONDS
from tokenizer_conformance.lazy import carried_out_by


@click.command("unicode", cls=LongCommand, short_help="Find the Unicode version that explains each behaviour.")
@implementation_option((DEFAULT_BASELINE,), "audit")
@click.option(
    "--behaviour",
    "patterns",
    multiple=True,
    metavar="NAME",
    help="Ask only about this behaviour, by its name in the report; * matches anything, as in 'Split*'. Repeatable.",
)
@click.option(
    "--list", "lists", is_flag=True, help="Print the names of the behaviours with their descriptions, and exit."
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Number of worker processes for each implementation.",
)
@isolation_options(DEFAULT_SECONDS)
@report_options(checks=True)
@carried_out_by("tokenizer_conformance.cli.audit_unicode:execute")
def unicode_command() -> None:
    """Find the Unicode version that explains each behaviour of each implementation.

    Over all 1,112,064 code points, and over pairs of marks, of base and mark, and of jamo: what normalizers do to
    them, and how pre-tokenizers, regexes and added tokens classify them. Each behaviour is explained by a rule over
    properties, such as "P + ASCII symbols", with the tables of a version from 8.0 on. If no version explains it,
    the nearest one is named, with the characters that remain. Parts of one implementation that answer the same
    question differently are listed; with several implementations, also what each does differently from the one
    before it.

    Tokenizers for this are made on the fly; none has to be given. What an implementation does not show, or does not
    load, is reported as "cannot be asked".

    The exit status is 0 if everything that could be asked is explained, and implementations agree. It is 1 if
    characters remain that no version explains, if a component is loaded and has no effect, or if two
    implementations differ. Different versions in parts of one implementation are reported, but are no failure.

    \b
    Examples:
      tokconf audit unicode
      tokconf audit unicode -i tokenizers==0.19.1 tokenizers==0.21.4 tokenizers==0.23.3 --markdown unicode.md
      tokconf audit unicode -i tokenizers reference --behaviour 'Split*' --json unicode.jsonl
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
