"""Groups of commands: a mistyped command is told the nearest one, and options are shown in groups."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

import click

from tokenizer_conformance.cli.option_groups import GroupedCommand
from tokenizer_conformance.cli.options import SpreadCommand


class CommandGroup(click.Group, GroupedCommand):
    """A group of commands."""

    command_class = SpreadCommand

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, then the options."""
        self.format_commands(ctx, formatter)
        GroupedCommand.format_options(self, ctx, formatter)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[Any, Any, list[str]]:
        """Return the command that ``args`` name. Raises :class:`click.UsageError`, with the nearest one."""
        name, known = args[0], self.list_commands(ctx)
        if name not in known and not name.startswith("-"):
            close = get_close_matches(name, known, 1)
            guess = f" Did you mean {close[0]!r}?" if close else ""
            raise click.UsageError(f"No such command {name!r}.{guess}", ctx)
        return super().resolve_command(ctx, args)
