"""The names of the implementations that a command line may name."""

from __future__ import annotations

import click

from tokenizer_adapters.registry import RegistryError, registered
from tokenizer_conformance.command_io.conclusion import EXIT_STATUS, Conclusion
from tokenizer_conformance.escape import one_line


class ImplementationError(click.ClickException):
    """Nothing can be done because of an implementation."""

    exit_code = EXIT_STATUS[Conclusion.IMPLEMENTATION_FAILED]


STREAMS = frozenset({"classical-stream", "word-stream", "transformers-streamer"})
"""Implementations that decode streams by rules of their own, and do nothing else: ``all`` leaves them out."""


def names_of_all() -> list[str]:
    """Return the names that the word ``all`` stands for."""
    return [name for name in implementation_names() if name not in STREAMS]


def implementation_names() -> list[str]:
    """Return the names of all registered implementations; whether they can be used is not tried."""
    try:
        return sorted(registered())
    except RegistryError as error:
        raise ImplementationError(one_line(str(error))) from error
