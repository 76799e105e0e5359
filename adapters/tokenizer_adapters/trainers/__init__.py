"""The trainers that are installed: one module per implementation that learns vocabularies.

A trainer registers under the entry-point group ``tokenizer_trainers``: the entry's name is the trainer's name, its
value the class, see :class:`tokenizer_adapters.training.Trainer`.
"""

from __future__ import annotations

import difflib
import importlib.metadata
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import UnavailableError
from tokenizer_adapters.registry import BrokenImplementationError, UnknownImplementationError, registered
from tokenizer_adapters.training import Trainer
from tokenizer_adapters.user_code import found_at

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "tokenizer_trainers"


def registered_trainers() -> dict[str, EntryPoint]:
    """Return the entry point of every registered trainer; none is imported.

    Raises :class:`tokenizer_adapters.registry.DuplicateImplementationError`.
    """
    return registered(GROUP)


def load_trainer(name: str) -> Trainer:
    """Build the trainer that is registered as ``name``.

    Raises :class:`UnavailableError` where the library it needs is not installed, and errors of
    :mod:`tokenizer_adapters.registry` where there is no such trainer or it is broken.
    """
    entries = registered_trainers()
    if name not in entries:
        raise unknown_trainer(name)
    return build_trainer(entries[name])


def unknown_trainer(name: str) -> UnknownImplementationError:
    """Return the error that no trainer is called ``name``, with the known names and the nearest one."""
    known = sorted(registered_trainers())
    close = difflib.get_close_matches(name, known, n=1)
    suggestion = f"; did you mean {close[0]!r}?" if close else ""
    return UnknownImplementationError(
        f"no trainer is called {name!r}{suggestion} (known: {', '.join(known) or 'none'})"
    )


def build_named_trainer(path: str) -> Trainer:
    """Build the trainer of the class that ``path`` names, ``package.module:Class``; the current folder comes first.

    Raises as :func:`build_trainer` does, and :class:`tokenizer_adapters.registry.WrongImplementationError` where it is
    not there.
    """
    found_at(path)
    return build_trainer(importlib.metadata.EntryPoint(path, path, GROUP))


def build_trainer(entry: EntryPoint) -> Trainer:
    """Build the trainer of ``entry``.

    Raises :class:`UnavailableError` where the library it needs is not installed, and
    :class:`tokenizer_adapters.registry.BrokenImplementationError` where it cannot be imported or built, or is none.
    """
    try:
        trainer = entry.load()()
    except UnavailableError:
        raise
    except Exception as error:
        cause = " ".join(f"{type(error).__name__}: {error}".split())
        raise BrokenImplementationError(
            f"trainer {entry.name!r} ({entry.value}) is broken: {cause}; repair or uninstall that package"
        ) from error
    if not isinstance(trainer, Trainer):
        raise BrokenImplementationError(
            f"trainer {entry.name!r} ({entry.value}) gives a {type(trainer).__name__}, which lacks `info`, "
            "`count_words` or `train`: see tokenizer_adapters.training.Trainer"
        )
    return trainer
