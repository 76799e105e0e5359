"""``tokconf implementations``: who can be compared on this machine."""

from __future__ import annotations

import click
from tabulate import tabulate

from tokenizer_adapters.contract import Stage, UnavailableError
from tokenizer_adapters.registry import RegistryError, load_implementation, registered
from tokenizer_conformance.escape import one_line


@click.command("implementations", short_help="List the implementations that can be compared.")
def implementations_command() -> None:
    """List the implementations that are registered, with what each can show."""
    rows = [_row(name) for name in implementation_names()]
    click.echo(tabulate(rows, ["name", "version", "language", "offsets in", "stages", "home page"], tablefmt="simple"))


def implementation_names() -> list[str]:
    """Return the names of all registered implementations; whether they can be used is not tried."""
    try:
        return sorted(registered())
    except RegistryError as error:
        raise click.ClickException(one_line(str(error))) from error


def _row(name: str) -> list[str]:
    try:
        info = load_implementation(name).info
    except (UnavailableError, RegistryError) as error:
        return [one_line(name), "unavailable", "", "", "", one_line(str(error))]
    stages = "all" if info.stages == frozenset(Stage) else ", ".join(stage for stage in Stage if stage in info.stages)
    return [*map(one_line, (info.name, info.version, info.language, info.offset_unit, stages, info.home_page))]
