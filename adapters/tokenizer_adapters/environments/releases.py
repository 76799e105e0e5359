"""Which releases of a package there are: asked of pip, so that the user's settings say where.

Releases that were withdrawn (yanked) are not among them; previews (``1.0rc1``) are where they are asked for.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from typing import TYPE_CHECKING

from packaging.version import InvalidVersion, Version

from tokenizer_adapters.environments.commands import Done, carried_out
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

LINE = "Available versions:"


def pip_python(tell: Tell = silent) -> str:
    """Return a Python with pip: this one, else that of an environment that is made for it.

    Raises :class:`EnvironmentFaultError`.
    """
    if importlib.util.find_spec("pip") is not None:
        return sys.executable
    environment = Environment(("pip",), "pip")
    environment.ensure(tell)
    return str(environment.python)


def releases(
    package: str, python: str | None = None, *, previews: bool = False, without_file: bool = False
) -> list[Version]:
    """Return the releases of ``package`` that have a file for this Python, the oldest first.

    ``python`` is one with pip, :func:`pip_python` where none is given. ``previews``: those before a
    release too; ``without_file``: those too that would have to be built, or have no file for this Python at all. Raises
    :class:`EnvironmentFaultError`; that there are none is an error.
    """
    options = [*(["--pre"] if previews else []), *([] if without_file else ["--only-binary", ":all:"])]
    done = carried_out(
        [
            python or pip_python(),
            "-I",
            "-m",
            "pip",
            "--disable-pip-version-check",
            "--no-input",
            "index",
            "versions",
            *options,
            package,
        ],
        SECONDS,
        {name: "" for name in NEITHER if name in os.environ},
    )
    found = _versions(done)
    if done.status != 0 or not found:
        raise fault_of(done, package, "pip")
    return sorted(found)


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
    every = releases(package, python, previews=True, without_file=True)
    if Version(version) in every:
        return NoFileError(
            f"{label} has no file for this Python ({this_python()}) that need not be built; use a Python that it has "
            f"files for, or build it into an environment of your own and select that: '{package}@path/to/environment'"
        )
    near = _nearest(Version(version), every)
    return NoSuchVersionError(f"{package} has no release {version}; the nearest are {near}, the newest is {every[-1]}")


def _nearest(version: Version, there: list[Version]) -> str:
    before = [each for each in there if each < version][-2:]
    after = [each for each in there if each > version][:2]
    return ", ".join(map(str, (*before, *after)))


def _versions(done: Done) -> list[Version]:
    lines = [line for line in done.output.splitlines() if line.startswith(LINE)]
    found = []
    for text in lines[0].removeprefix(LINE).split(",") if lines else ():
        try:
            found.append(Version(text.strip()))
        except InvalidVersion:
            continue
    return found
