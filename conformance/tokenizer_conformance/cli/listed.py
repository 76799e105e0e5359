"""Groups of commands that are imported when they are used: a name and a line are enough to print the help."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.cli.command_group import CommandGroup
from tokenizer_conformance.lazy import imported

if TYPE_CHECKING:
    from collections.abc import Mapping

    import click


@dataclass(frozen=True, slots=True)
class Listed:
    """A command that is not imported yet: its place, ``module:attribute``, and what the list of commands says of it."""

    path: str
    short_help: str

    def imported(self) -> click.Command:
        """Return the command."""
        command: click.Command = imported(self.path)
        return command


class ListedGroup(CommandGroup):
    """A group whose commands stand in a table, ``listed``, by name.

    ``uses`` are the names under the titles that the help lists them by; without these, they are listed in their order.
    """

    def __init__(
        self, *args: Any, listed: Mapping[str, Listed], uses: Mapping[str, tuple[str, ...]] | None = None, **extra: Any
    ) -> None:
        super().__init__(*args, **extra)
        self._listed = listed
        self._uses = {"Commands": tuple(listed)} if uses is None else uses

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of the commands, in the order of the help."""
        return sorted(self._listed)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Return the command called ``cmd_name``, ``None`` where there is none."""
        listed = self._listed.get(cmd_name)
        return None if listed is None else listed.imported()

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands without importing any."""
        width = max(map(len, self._listed))
        for title, names in self._uses.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), self._listed[name].short_help) for name in names])
