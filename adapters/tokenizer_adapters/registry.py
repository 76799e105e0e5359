"""The implementations that are installed.

An implementation registers under the entry-point group ``tokenizer_adapters``: the entry's name is the implementation's
name, its value the class. In the ``pyproject.toml`` of a plugin::

    [project.entry-points."tokenizer_adapters"]
    mine = "my_package.adapter:MyImplementation"
"""

from __future__ import annotations

import difflib
import importlib.metadata
import os
import sys
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Implementation, UnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from importlib.metadata import EntryPoint

GROUP = "tokenizer_adapters"
RENDERERS = "tokenizer_renderers"
"""The group of implementations that render chat templates, and answer nothing else."""

HOW_TO_GIVE = (
    "'tokconf implementations' lists all; a program is given as 'command:./PROGRAM', a class as 'package.module:Class'"
)
"""What is said to somebody who gave a name that no implementation has."""


class RegistryError(Exception):
    """An implementation cannot be found or built. The message says which, why, and what to do."""


class UnknownImplementationError(RegistryError):
    """No implementation has this name."""


class DuplicateImplementationError(RegistryError):
    """Two installed packages register different implementations under one name."""


class BrokenImplementationError(RegistryError):
    """An implementation cannot be imported or built, or is not an implementation."""


class WrongImplementationError(RegistryError):
    """What was given as an implementation is not there, or is nothing of the kind: another word is needed."""


def load_implementation(name: str, *arguments: str) -> Implementation:
    """Build the implementation that is registered as ``name``; it gets ``arguments``, which most take none of.

    Raises :class:`UnknownImplementationError`, with the nearest names; :class:`UnavailableError`
    where the library it needs is not installed; :class:`BrokenImplementationError` where the registration is at fault;
    and :class:`DuplicateImplementationError`.
    """
    entries = selectable()
    if name not in entries:
        raise unknown(name)
    return build(entries[name], *arguments)


def build(entry: EntryPoint, *arguments: str) -> Implementation:
    """Build the implementation of ``entry`` with ``arguments``.

    Raises :class:`UnavailableError` where the library it needs is not installed, and :class:`BrokenImplementationError`
    where it cannot be imported or built, or is none.
    """
    try:
        implementation = entry.load()(*arguments)
    except UnavailableError:
        raise
    except Exception as error:
        raise BrokenImplementationError(_broken(entry, error)) from error
    if not isinstance(implementation, Implementation):
        raise BrokenImplementationError(
            f"implementation {entry.name!r} ({_origin(entry)}) gives a {type(implementation).__name__}, "
            "which lacks `info` or `load`: see tokenizer_adapters.contract.Implementation"
        )
    return implementation


def registered(group: str = GROUP) -> dict[str, EntryPoint]:
    """Return the entry point of every name that is registered in ``group``; none is imported.

    Raises :class:`DuplicateImplementationError`.
    """
    return dict(_registered(importlib.metadata.entry_points, group, _places()))


def selectable() -> dict[str, EntryPoint]:
    """Return the entry point of every name that a user can select: of what renders chat templates, too.

    Raises :class:`DuplicateImplementationError`.
    """
    return {**registered(RENDERERS), **registered()}


@lru_cache(maxsize=3)
def _registered(
    entry_points: Callable[..., Iterable[EntryPoint]],
    group: str,
    _places: tuple[tuple[str, float], ...],  # another place, or something new in one: another answer
) -> dict[str, EntryPoint]:
    """Read what every installed package registers, once: it is a tenth of the start of a command, and asked often."""
    return by_name(entry_points(group=group))


def _places() -> tuple[tuple[str, float], ...]:
    """Return where packages are looked for, and when something was installed or removed there last."""
    return tuple((place, _changed(place)) for place in sys.path)


def _changed(place: str) -> float:
    try:
        return os.stat(place or ".").st_mtime  # noqa: PTH116 - a Path of each place takes time
    except OSError:
        return 0.0


def unknown(name: str) -> UnknownImplementationError:
    """Return the error that no implementation is called ``name``, with the nearest names, and how others are given."""
    file, _, class_ = name.partition(":")
    if file.endswith(".py"):
        given = f"{PurePath(file).stem}:{class_ or 'Class'}"
        how = f"give a class in a file as {given!r}, from the folder of the file"
        return UnknownImplementationError(f"no implementation is called {name!r}; {how}")
    close = difflib.get_close_matches(name, sorted(selectable()), n=3)
    suggestion = f"did you mean {' or '.join(map(repr, close))}? " if close else ""
    return UnknownImplementationError(f"no implementation is called {name!r}; {suggestion}{HOW_TO_GIVE}")


def by_name(entries: Iterable[EntryPoint]) -> dict[str, EntryPoint]:
    """Return ``entries`` by name; the same registration seen twice counts once.

    Raises :class:`DuplicateImplementationError` where two entries of one name have different values.
    """
    found: dict[str, EntryPoint] = {}
    for entry in entries:
        other = found.setdefault(entry.name, entry)
        if other.value != entry.value:
            raise DuplicateImplementationError(
                f"two implementations are registered as {entry.name!r}: {_origin(other)} and {_origin(entry)}; "
                "uninstall one of the packages, or have one of them choose another name"
            )
    return found


def _origin(entry: EntryPoint) -> str:
    distribution = entry.dist
    return entry.value if distribution is None else f"{entry.value} of {distribution.name} {distribution.version}"


def _broken(entry: EntryPoint, error: Exception) -> str:
    cause = " ".join(f"{type(error).__name__}: {error}".split())
    return f"implementation {entry.name!r} ({_origin(entry)}) is broken: {cause}; repair or uninstall that package"
