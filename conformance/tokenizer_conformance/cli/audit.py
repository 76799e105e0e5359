"""``tokconf audit``: what stands between a text, a tokenizer.json and its user, looked into."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.listed import Listed, ListedGroup

AUDITS = {
    "file": Listed(
        "tokenizer_conformance.cli.commands.audit_file:file_command", "Find what is wrong or dead in a tokenizer.json."
    ),
    "loader": Listed(
        "tokenizer_conformance.cli.commands.audit_loader:loader_command",
        "Compare a tokenizer.json with what a loader makes of it.",
    ),
    "offsets": Listed(
        "tokenizer_conformance.cli.commands.audit_offsets:offsets_command",
        "Check what must hold for any encoding, whoever made it.",
    ),
    "unicode": Listed(
        "tokenizer_conformance.cli.commands.audit_unicode:unicode_command",
        "Say which version of Unicode explains each behaviour.",
    ),
}


@click.group(
    "audit",
    cls=ListedGroup,
    listed=AUDITS,
    short_help="Check a tokenizer file, a loader, offsets, Unicode versions.",
)
def audit_command() -> None:
    """Check a tokenizer.json, what a loader makes of it, offsets, or Unicode versions."""
