"""The options that were given, as words of a command line that says the same again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from click.core import ParameterSource

if TYPE_CHECKING:
    from collections.abc import Sequence

    import click


def given_options(context: click.Context, names: Sequence[str]) -> tuple[str, ...]:
    """Return those of the options called ``names`` that were given, as words of a command line."""
    words: list[str] = []
    flags = {parameter.name: parameter.opts[-1] for parameter in context.command.params}
    for name in names:
        if context.get_parameter_source(name) in (ParameterSource.COMMANDLINE, ParameterSource.DEFAULT_MAP):
            value = context.params[name]
            for each in value if isinstance(value, tuple) else (value,):
                words += [flags[name]] if each is True else [flags[name], str(each)]
    return tuple(words)


def process_options(context: click.Context) -> dict[str, Any]:
    """Return what the options of processes are, as a record has them."""
    given = context.params
    return {
        "timeout": given["timeout"],
        "memory": given["memory"],
        "isolate": list(given["isolate"]),
        "in-process": list(given["in_process"]),
    }
