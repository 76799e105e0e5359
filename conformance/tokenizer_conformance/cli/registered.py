"""The names of the implementations that a command line may name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tokenizer_adapters.registry import RegistryError, registered, selectable
from tokenizer_conformance.command_io.conclusion import EXIT_STATUS, Conclusion
from tokenizer_conformance.escape import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class ImplementationError(click.ClickException):
    """Nothing can be done because of an implementation."""

    exit_code = EXIT_STATUS[Conclusion.IMPLEMENTATION_FAILED]


STREAMS = frozenset({"classical-stream", "word-stream", "transformers-streamer"})
"""Implementations that decode streams by rules of their own, and do nothing else: ``all`` leaves them out."""


def names_of_all() -> list[str]:
    """Return the names that the word ``all`` stands for: of what answers about texts, and not about streams alone."""
    return sorted(_registered(registered) - STREAMS)


def implementation_names() -> list[str]:
    """Return all registered names, those of renderers too; whether they can be used is not tried."""
    return sorted(_registered(selectable))


def is_registered(word: str) -> bool:
    """Return whether ``word`` names what is registered, or a release of it: no program, class or folder."""
    return word.partition("==")[0] in implementation_names()


def _registered(find: Callable[[], Mapping[str, object]]) -> frozenset[str]:
    try:
        return frozenset(find())
    except RegistryError as error:
        raise ImplementationError(one_line(str(error))) from error
