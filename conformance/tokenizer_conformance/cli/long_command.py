"""A command that takes its time: it shows what it is at, unless that is turned off."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tokenizer_conformance.cli.configuration import (
    OWN,
    PYPROJECT,
    TABLE,
    defaults_of,
    found_settings,
    keys_of,
    read_settings,
)
from tokenizer_conformance.cli.options import ConcludingCommand
from tokenizer_conformance.cli.traceback_option import traceback_option
from tokenizer_conformance.command_io import progress
from tokenizer_conformance.command_io.configuration import CONFIGURATION
from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.command_io.progress import PROGRESS
from tokenizer_conformance.command_io.standard_streams import standard_error_alone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_conformance.cli.configuration import Settings

COMMANDS_WITH_TABLES = {
    "run": ("run",),
    "suite": ("suite", "run"),
    "fuzz": ("fuzz",),
    "snapshot": ("snapshot",),
    "diff": ("diff",),
    "versions": ("versions",),
    "metrics": ("metrics",),
}
"""The commands that have a table in the configuration, by its name; they are looked up where there is one."""


def _known_keys(context: click.Context) -> dict[str, set[str]]:
    """Return the keys that each table of a configuration may have."""
    known = {}
    for table, words in COMMANDS_WITH_TABLES.items():
        command: click.Command | None = context.find_root().command
        for word in words:
            command = command.get_command(context, word) if isinstance(command, click.Group) else command
        known[table] = {key for key, _ in keys_of(command)} if command is not None else set()
    return known


QUIET = "tokenizer_conformance.quiet"
"""The key of ``click.Context.meta`` that says that no progress is to be shown."""


def _quiet_option() -> click.Option:
    return click.Option(
        ["-q", "--quiet"],
        is_flag=True,
        expose_value=False,
        callback=_be_quiet,
        help=f"Show no progress on standard error; {progress.VARIABLE}=off does the same.",
    )


def _be_quiet(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    context.meta[QUIET] = value


CONFIG, NO_CONFIG = "--config", "--no-config"


def _configuration_options() -> list[click.Option]:
    return [
        click.Option(
            [CONFIG],
            expose_value=False,
            metavar="FILE",
            help=f"Read options that are not given from this file; by default from [{TABLE}] of {PYPROJECT} or from "
            f"{OWN}, in this folder or the nearest one above it in the project.",
        ),
        click.Option([NO_CONFIG], is_flag=True, expose_value=False, help="Read no options from a file."),
    ]


def _given_file(args: Sequence[str]) -> tuple[str | None, bool]:
    """Return the file that ``args`` name after ``--config``, and whether they say ``--no-config``."""
    options = list(args[: args.index("--")] if "--" in args else args)
    named = [word.removeprefix(f"{CONFIG}=") for word in options if word.startswith(f"{CONFIG}=")]
    named += [after for word, after in pairwise(options) if word == CONFIG]
    return (named[-1] if named else None), NO_CONFIG in options


class LongCommand(ConcludingCommand):
    """A command with the options ``--quiet`` and ``--traceback``, whose progress is shown while it works.

    One with a ``table`` takes options that are not given from the project's configuration
    (:mod:`tokenizer_conformance.cli.configuration`).
    """

    def __init__(self, *args: Any, table: str | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.table = table
        self.params += [_quiet_option(), traceback_option(), *(_configuration_options() if table else [])]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line; what it does not say, the project's configuration may."""
        CONFIGURATION.current = None
        if self.table is not None and not set(ctx.help_option_names).intersection(args):
            settings = self._settings(args)
            if settings is not None:
                ctx.default_map = defaults_of(settings, self.table, ctx, _known_keys(ctx))
                CONFIGURATION.current = settings.configuration
        return super().parse_args(ctx, args)

    def _settings(self, args: Sequence[str]) -> Settings | None:
        named, without = _given_file(args)
        if named is not None and without:
            raise click.UsageError(f"{CONFIG} and {NO_CONFIG} exclude each other")
        if without:
            return None
        return found_settings(Path.cwd()) if named is None else read_settings(Path(named))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Say which configuration the command would use here."""
        super().format_epilog(ctx, formatter)
        try:
            settings = None if self.table is None else found_settings(Path.cwd())
        except BadInput as error:
            formatter.write_paragraph()
            formatter.write_text(f"Configuration: {error.message}")
            return
        if settings is not None:
            formatter.write_paragraph()
            formatter.write(f"Configuration used here: {settings.path}\n")

    def invoke(self, ctx: click.Context) -> Any:
        """Carry the command out, and show its progress meanwhile; what libraries say on standard error is not shown."""
        with standard_error_alone(), PROGRESS.shown(quiet=ctx.meta.get(QUIET, False)):
            return super().invoke(ctx)
