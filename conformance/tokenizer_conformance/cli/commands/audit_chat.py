"""``tokconf audit chat``: what the chat template of a checkpoint does to conversations."""

from __future__ import annotations

from functools import partial

import click

from tokenizer_conformance.cli.commands.audit_file import asking_options, defect_options
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.lazy import carried_out_by


@click.command("chat", cls=LongCommand, short_help="Find what a chat template does to conversations.")
@click.argument("tokenizers", metavar="TOKENIZER...", nargs=-1, required=True)
@partial(defect_options, of="chat_")
@asking_options
@carried_out_by("tokenizer_conformance.cli.audit_file:execute_chat")
def chat_command() -> None:
    """Check the chat template of each TOKENIZER: a folder, a bundled name, or a name of the hub.

    The template of chat_template.jinja or tokenizer_config.json is rendered, in a sandbox, for conversations that
    clients send: special tokens twice or written by a user, messages and tools that are refused, lost or printed
    wrong, white space that is trimmed, a next turn that changes earlier ones, a generation prompt that training does
    not know. Each finding has the conversation that shows it, what came of it, and what to do. The baseline makes ids
    of prompts.

    An error means that there is no template that can be used; a warning, that whoever relies on it is surprised; a
    note may be intended. The exit status is 1 if there is a finding as severe as --fail-on, 2 if a file cannot be read.

    \b
    Examples:
      tokconf audit chat ./my-checkpoint
      tokconf audit chat ./my-checkpoint --fail-on warning --ignore chat-injection
      tokconf audit chat llama-mini --json chat.jsonl
      tokconf audit chat --list
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
