"""Which releases of a package there are: asked of pip, so that the user's settings say where.

Two commands are asked. ``pip index versions`` leaves out what was withdrawn, and, until late, lists what has no file
for this Python; a requirement that no release meets has pip list those that have one, and, until late, what was
withdrawn too (observed, pip 23.2 and 26.3).

Releases that were withdrawn (yanked) are not among them; previews (``1.0rc1``) are where they are asked for.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from packaging.version import InvalidVersion, Version

from tokenizer_adapters.environments.commands import carried_out
from tokenizer_adapters.environments.faults import NoFileError, NoSuchVersionError, WordError
from tokenizer_adapters.environments.installer import fault_of, this_python
from tokenizer_adapters.environments.packages import served
from tokenizer_adapters.environments.settings import NEITHER
from tokenizer_adapters.environments.store import Environment, Tell, silent
from tokenizer_adapters.environments.words import Range, read

if TYPE_CHECKING:
    from collections.abc import Callable

SECONDS = 600.0
"""How long pip may take to say which releases there are."""

NONE_SUCH = "===none"
"""A requirement that no release meets: pip then names all that there are, and which of them it would never choose."""

THERE = re.compile(r"\(from versions: ([^)]*)\)")
LISTED = re.compile(r"Available versions: (.*)")
WITHDRAWN = re.compile(r"Ignored the following yanked versions: (.*)")
OTHER_PYTHON = re.compile(r"Ignored the following versions that require a different python version: (.*)")


@dataclass(frozen=True, slots=True)
class Known:
    """What pip knows of a package: the releases that are ``there``, ``withdrawn``, or for an ``other_python``."""

    there: frozenset[Version]
    withdrawn: frozenset[Version]
    other_python: frozenset[Version]


def pip_python(tell: Tell = silent) -> str:
    """Return a Python with pip: this one, else that of an environment that is made for it.

    Raises :class:`EnvironmentFaultError`.
    """
    if importlib.util.find_spec("pip") is not None:
        return sys.executable
    environment = Environment(("pip",), "pip")
    environment.ensure(tell)
    return str(environment.python)


def releases(package: str, python: str | None = None, *, previews: bool = False) -> list[Version]:
    """Return the releases of ``package`` that have a file for this Python, the oldest first; none that was withdrawn.

    ``python`` is one with pip, :func:`pip_python` where none is given. ``previews``: those before a release too. Raises
    :class:`EnvironmentFaultError`; that there are none is an error.
    """
    asked = python or pip_python()
    known = _known(package, asked, only_files=True)
    listed = _listed(package, asked)
    found = sorted(
        version
        for version in known.there - known.withdrawn
        if (previews or not version.is_prerelease) and (listed is None or version in listed)
    )
    if not found:
        raise NoFileError(
            f"no release of {package} has a file for this Python ({this_python()}) that need not be built"
        )
    return found


def _known(package: str, python: str, *, only_files: bool) -> Known:
    """Return what pip knows of ``package``; with ``only_files``, of what need not be built.

    Raises :class:`EnvironmentFaultError`, also where it knows of no release.
    """
    done = carried_out(
        [
            *(python, "-I", "-m", "pip", "--disable-pip-version-check", "--no-input"),
            *("install", "--dry-run", "--no-deps", "--ignore-installed"),
            *(["--only-binary", ":all:"] if only_files else []),
            f"{package}{NONE_SUCH}",
        ],
        SECONDS,
        {name: "" for name in NEITHER if name in os.environ},
    )
    known = Known(*(_versions(pattern, done.said) for pattern in (THERE, WITHDRAWN, OTHER_PYTHON)))
    if not any((known.there, known.withdrawn, known.other_python)):
        raise fault_of(done, package, "pip")
    return known


def _listed(package: str, python: str) -> frozenset[Version] | None:
    """Return the releases that ``pip index versions`` lists; ``None`` where this pip has no such command."""
    done = carried_out(
        [python, "-I", "-m", "pip", "--disable-pip-version-check", "--no-input", "index", "versions", "--pre", package],
        SECONDS,
        {name: "" for name in NEITHER if name in os.environ},
    )
    return _versions(LISTED, done.output) or None if done.status == 0 else None


def _versions(pattern: re.Pattern[str], said: str) -> frozenset[Version]:
    """Return the versions that pip lists where ``pattern`` fits; what follows a version there is left out."""
    match = pattern.search(said)
    found = set()
    for each in re.split(r"[,;]", match[1]) if match else ():
        with contextlib.suppress(InvalidVersion, IndexError):
            found.add(Version(each.split()[0]))
    return frozenset(found)


def expanded(word: str, list_releases: Callable[..., list[Version]] = releases) -> list[str]:
    """Return the words of the releases that the range ``word`` stands for, the oldest first.

    Raises :class:`WordError` where it is no range, or allows none of the releases, and what :func:`releases` raises.
    """
    given = read(word)
    if not isinstance(given, Range):
        raise WordError(f"{word!r} is no range of releases")
    distribution = served(given.package).distribution
    there = list_releases(distribution, previews=bool(given.specifiers.prereleases))
    allowed = [version for version in there if given.specifiers.contains(version)]
    if not allowed:
        raise WordError(
            f"{word!r} allows none of the releases of {distribution} with a file for this Python ({this_python()}): "
            f"the oldest is {there[0]}, the newest {there[-1]}"
        )
    return [f"{given.package}=={version}" for version in allowed]


def why_missing(package: str, version: str, python: str) -> NoSuchVersionError | NoFileError:
    """Return why ``package`` in ``version`` cannot be installed: it is not there, or it has no file for this Python.

    Raises :class:`EnvironmentFaultError` where pip cannot say.
    """
    label = f"{package}=={version}"
    wanted = Version(version)
    known = _known(package, python, only_files=False)
    if wanted in known.other_python:
        return NoFileError(f"{label} is for another version of Python than this one ({this_python()})")
    if wanted in known.there:
        return NoFileError(
            f"{label} has no file for this Python ({this_python()}) that need not be built; use a Python that it has "
            f"files for, or build it into an environment of your own and select that: '{package}@path/to/environment'"
        )
    every = sorted(known.there)
    if not every:
        return NoSuchVersionError(f"{package} has no release {version}")
    return NoSuchVersionError(
        f"{package} has no release {version}; the nearest are {_nearest(wanted, every)}, the newest is {every[-1]}"
    )


def _nearest(version: Version, there: list[Version]) -> str:
    before = [each for each in there if each < version][-2:]
    after = [each for each in there if each > version][:2]
    return ", ".join(map(str, (*before, *after)))
