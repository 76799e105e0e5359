"""``tokconf audit``: what stands between a text, a tokenizer.json and its user, looked into."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.listed import Listed, ListedGroup

AUDITS = {
    "chat": Listed(
        "tokenizer_conformance.cli.commands.audit_chat:chat_command",
        "Find what a chat template does to conversations.",
    ),
    "conversion": Listed(
        "tokenizer_conformance.cli.commands.audit_conversion:conversion_command",
        "Check whether a file of another format says what a tokenizer.json says.",
    ),
    "file": Listed(
        "tokenizer_conformance.cli.commands.audit_file:file_command",
        "Find errors and dead entries in a tokenizer.json.",
    ),
    "gguf": Listed(
        "tokenizer_conformance.cli.commands.audit_conversion:gguf_command",
        "Check whether a GGUF file is faithful to a tokenizer.json.",
    ),
    "loader": Listed(
        "tokenizer_conformance.cli.commands.audit_loader:loader_command",
        "Compare a tokenizer.json with what a loader makes of it.",
    ),
    "offsets": Listed(
        "tokenizer_conformance.cli.commands.audit_offsets:offsets_command",
        "Check invariants that hold for every encoding.",
    ),
    "streams": Listed(
        "tokenizer_conformance.cli.commands.audit_streams:streams_command",
        "Check that streams give the text of decoding at once.",
    ),
    "unicode": Listed(
        "tokenizer_conformance.cli.commands.audit_unicode:unicode_command",
        "Find the Unicode version that explains each behaviour.",
    ),
}


@click.group(
    "audit",
    cls=ListedGroup,
    listed=AUDITS,
    short_help="Check a tokenizer file, a conversion, a chat template, a loader, offsets, streams, Unicode versions.",
)
def audit_command() -> None:
    """Check a tokenizer.json, a conversion, a chat template, a loader, offsets, streams, or Unicode versions."""
