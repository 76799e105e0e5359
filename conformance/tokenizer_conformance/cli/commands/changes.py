"""``tokconf changes``: what releases of tokenizers and transformers answer otherwise than those before."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.options import SpreadCommand
from tokenizer_conformance.lazy import carried_out_by


@click.command("changes", cls=SpreadCommand, short_help="List the known changes between releases.")
@click.argument("package", metavar="[PACKAGE", required=False)
@click.argument("old", metavar="[FROM", required=False)
@click.argument("new", metavar="TO]]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print a page in Markdown.")
@carried_out_by("tokenizer_conformance.cli.changes:execute")
def changes_command() -> None:
    """List the known changes of PACKAGE (tokenizers or transformers), between the releases FROM and TO if given.

    Each was measured: its probe, a short program, gives the old answer in the release before the one that is named,
    and the new answer in that one. Rules of the suite that older releases of tokenizers do not follow are listed
    too. A change that was reverted is not listed between two releases that both have it, or both do not.

    \b
    Examples:
      tokconf changes tokenizers 0.19.1 0.23.3
      tokconf changes transformers 4.57.6 5.23.0 --json
      tokconf changes --markdown > changes.md
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
