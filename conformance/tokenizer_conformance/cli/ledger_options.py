"""The options that say which differences are known."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tokenizer_conformance.lazy import lazy

if TYPE_CHECKING:
    from collections.abc import Callable

LEDGER_FILE = click.Path(path_type=Path)

_given_ledgers = lazy("tokenizer_conformance.cli.given_ledgers:LedgerOptions")


def ledger_options(
    *, update: bool, stale: str, known: bool = True
) -> Callable[[Callable[..., object]], Callable[..., object]]:
    """Return a decorator that gives a command the options of its ledgers; they reach it as ``ledgers``, all in one.

    ``update`` tells whether the command can write to one, ``stale`` what it does about entries that nothing matches,
    ``known`` whether it goes by that of the project.
    """
    options = [
        click.option(
            "--ledger",
            "ledger_files",
            type=LEDGER_FILE,
            multiple=True,
            metavar="FILE",
            help=f"A TOML file of known differences, with reasons: these do not fail. {stale} Repeatable.",
        ),
    ]
    if known:
        options.append(
            click.option(
                "--no-known", is_flag=True, help="Do not read the project's own ledger of released implementations."
            )
        )
    if update:
        options.append(
            click.option(
                "--update-ledger",
                "ledger_update",
                type=LEDGER_FILE,
                metavar="FILE",
                help="A ledger to which an entry is appended for each new difference. Fill in the reason of each: "
                "without reasons the file is refused.",
            )
        )

    def decorate(command: Callable[..., object]) -> Callable[..., object]:
        @functools.wraps(command)
        def with_ledgers(
            *arguments: Any,
            ledger_files: tuple[Path, ...],
            no_known: bool = not known,
            ledger_update: Path | None = None,
            **others: Any,
        ) -> object:
            return command(*arguments, ledgers=_given_ledgers(ledger_files, not no_known, ledger_update), **others)

        decorated: Callable[..., object] = with_ledgers
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate
