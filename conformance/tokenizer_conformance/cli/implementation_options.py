"""The options that say who is compared, in which processes, and for how long."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tokenizer_conformance.cli.options import ALL, NumberRange, SpreadOption
from tokenizer_conformance.lazy import lazy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Command = Callable[..., object]

C = TypeVar("C", bound="Callable[..., object]")

DEFAULT_MEMORY = 4096
"""How much memory a process of its own may take, in MB: as :data:`tokenizer_adapters.selection.MEMORY` has it."""

ANSWER_TIMEOUT = "The most time for an answer of a process, and for its start if this option is given."

TRUSTED = ("reference", "tokenizers", "transformers")
"""Who answers in this process where nothing is said: as :data:`tokenizer_adapters.selection.TRUSTED` has it."""

_is_meant_as_implementation = lazy("tokenizer_conformance.cli.choosing:is_meant_as_implementation")
_is_name = lazy("tokenizer_conformance.cli.choosing:is_name")
_isolation_of = lazy("tokenizer_conformance.cli.choosing:isolation_of")


def implementation_option(defaults: Sequence[str], verb: str = "compare") -> Callable[[C], C]:
    """Return the option ``-i``, whose values reach the command as ``wanted``; ``verb`` says what it does with them."""
    return click.option(
        "-i",
        "--implementation",
        "wanted",
        cls=SpreadOption,
        takes=_is_meant_as_implementation,
        metavar="IMPL...",
        help=f"Implementations to {verb}; by default {', '.join(defaults)}. {ALL!r}: every installed one. "
        '"command:PROGRAM ARGUMENT…" or "NAME=command:…": a program that speaks the line protocol. '
        '"package.module:Class": a class that is not registered. "PACKAGE==VERSION": a release, in its own '
        'environment; "PACKAGE>=1,<2": all of a range. "IMPL@FOLDER": one in your own environment.',
    )


def isolation_options(seconds: float, *, at_once: bool = True) -> Callable[[Command], Command]:
    """Return a decorator that gives a command the options that say what runs in which process, and how long.

    They reach it as ``isolation``, all in one; ``seconds`` is the most time for an answer where nothing is said. A
    command that does not always need them gets them by their names (not ``at_once``), and reads them where it does.
    """
    options = (
        click.option(
            "--isolate",
            cls=SpreadOption,
            takes=_is_name,
            envvar="TOKCONF_ISOLATE",
            metavar="IMPL...",
            help=f"Run these in a process of their own; {ALL!r} means every one.",
        ),
        click.option(
            "--in-process",
            cls=SpreadOption,
            takes=_is_name,
            envvar="TOKCONF_IN_PROCESS",
            metavar="IMPL...",
            help=f"Run these in this process, which they can crash; {ALL!r} means every one. By default "
            f"{', '.join(TRUSTED)} run here, and all others in processes of their own.",
        ),
        memory_option(DEFAULT_MEMORY),
        timeout_option(seconds),
    )

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def with_isolation(
            *arguments: Any,
            isolate: tuple[str, ...],
            in_process: tuple[str, ...],
            memory: int,
            timeout: float,
            **others: Any,
        ) -> object:
            return command(*arguments, isolation=_isolation_of(isolate, in_process, timeout, memory), **others)

        decorated: Command = with_isolation if at_once else command
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate


def timeout_option(default: float, words: str = ANSWER_TIMEOUT) -> Callable[[C], C]:
    """Return the option ``--timeout``; ``words`` say what it limits."""
    return click.option(
        "--timeout",
        type=NumberRange(min=0, min_open=True),
        default=default,
        show_default=True,
        metavar="SECONDS",
        help=words,
    )


def memory_option(default: int) -> Callable[[C], C]:
    """Return the option ``--memory``."""
    return click.option(
        "--memory",
        type=click.IntRange(min=0),
        default=default,
        show_default=True,
        metavar="MB",
        help="Memory limit of such a process, if the system supports it; 0 for none. Implementations in this "
        "process refuse tokenizers that would need more.",
    )
