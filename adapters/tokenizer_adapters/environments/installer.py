"""Making an environment and installing packages into it: with uv where it is installed, else with venv and pip.

Only files that are built are installed: a release that would have to be built here fails at once, and no compiler of
Rust or C++ is looked for.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import platform
import shutil
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.environments.commands import Done, carried_out
from tokenizer_adapters.environments.faults import (
    ConflictError,
    DiskFullError,
    EnvironmentFaultError,
    InstallerError,
    NoFileError,
    NoSuchVersionError,
    NotWritableError,
    UnreachableError,
)
from tokenizer_adapters.environments.settings import (
    NEITHER,
    is_offline,
    options_for_uv,
    pip_settings,
    variables_for_uv,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

INSTALL_SECONDS = 1800.0
"""How long an installation may take: large packages come over slow lines."""

VARIABLE = "TOKCONF_INSTALLER"
"""The environment variable that chooses between ``uv`` and ``pip``; where it says nothing, uv goes first."""

DISK_FULL = ("no space left on device", "errno 28", "os error 28", "disk quota exceeded", "os error 122", "errno 122")
NOT_WRITABLE = ("permission denied", "read-only file system", "os error 13", "os error 30", "errno 13", "errno 30")
UNREACHABLE = (
    "network connectivity is disabled",
    "network was disabled",
    "index lookups were disabled",
    "failed to fetch",
    "error sending request",
    "dns error",
    "connection refused",
    "connection broken",
    "newconnectionerror",
    "connecttimeouterror",
    "readtimeouterror",
    "read timed out",
    "timed out",
    "max retries exceeded",
    "could not fetch url",
    "proxyerror",
    "name resolution",
    "name or service not known",
    "certificate verify failed",
    "401 error",
    "403 error",
    "401 unauthorized",
    "403 forbidden",
)
NOT_FOUND = (
    "no matching distribution found",
    "there is no version of",
    "not found in the package registry",
    "not found in the provided package locations",
    "no usable wheels",
    "no wheels with a matching",
    "no matching wheel",
)
CONFLICT = ("resolutionimpossible", "conflicting dependencies", "requirements are unsatisfiable", "no solution found")


@dataclass(frozen=True, slots=True)
class Tool:
    """What makes environments: its ``name``, and the words that run it (none for pip, which is in the environment)."""

    name: str
    words: tuple[str, ...] = ()


def tool() -> Tool:
    """Return uv where it is on the PATH or beside this Python, else pip; :data:`VARIABLE` chooses one.

    Raises :class:`InstallerError` where uv is chosen and not installed.
    """
    wanted = os.environ.get(VARIABLE, "").strip()
    if wanted not in {"", "uv", "pip"}:
        raise InstallerError(f"{VARIABLE} is {wanted!r}; it can be 'uv' or 'pip'")
    program = None if wanted == "pip" else _uv()
    if program is not None:
        return Tool("uv", (program,))
    if wanted == "uv":
        raise InstallerError(f"{VARIABLE} asks for uv, which is neither on the PATH nor beside {sys.executable!r}")
    return Tool("pip")


def _uv() -> str | None:
    beside = shutil.which("uv", path=str(Path(sys.executable).parent))
    return beside or shutil.which("uv")


def python_in(folder: Path) -> Path:
    """Return the path of the Python of the environment in ``folder``."""
    return folder / "Scripts" / "python.exe" if os.name == "nt" else folder / "bin" / "python"


def this_python() -> str:
    """Return what people call this Python: ``CPython 3.11.7, linux-x86_64``."""
    return f"{platform.python_implementation()} {platform.python_version()}, {sysconfig.get_platform()}"


def make(folder: Path, requirements: Sequence[str], using: Tool) -> None:
    """Make an environment of this Python in ``folder``, which is not there, and install ``requirements``.

    Raises :class:`EnvironmentFaultError`.
    """
    label = requirements[0] if requirements else "pip"
    if using.name == "uv":
        _make_with_uv(folder, requirements, using, label)
    else:
        _make_with_pip(folder, requirements, label)


def _make_with_uv(folder: Path, requirements: Sequence[str], using: Tool, label: str) -> None:
    made = carried_out(
        [*using.words, "venv", "--quiet", "--no-project", "--no-config", "--python", sys.executable, str(folder)],
        INSTALL_SECONDS,
    )
    _judge(made, label, "making the environment")
    settings = pip_settings([sys.executable])
    done = carried_out(
        [
            *using.words,
            *("pip", "install", "--no-progress", "--no-build", "--python", str(python_in(folder))),
            *options_for_uv(settings, os.environ),
            *requirements,
        ],
        INSTALL_SECONDS,
        variables_for_uv(settings, os.environ),
    )
    _judge(done, label, "uv")


def _make_with_pip(folder: Path, requirements: Sequence[str], label: str) -> None:
    alone = not has_pip()
    made = carried_out(
        [sys.executable, "-I", "-m", "venv", *([] if alone else ["--without-pip"]), str(folder)], INSTALL_SECONDS
    )
    if made.status != 0 and "ensurepip" in made.said:
        raise InstallerError(
            "no environment can be made: this Python has neither pip nor ensurepip; install uv, or the package of your "
            "system that brings venv (python3-venv)"
        )
    _judge(made, label, "making the environment")
    pip = [str(python_in(folder)), "-I", "-m", "pip"]
    if not alone:
        pip = [sys.executable, "-I", "-m", "pip", "--python", str(python_in(folder))]
    done = carried_out(
        [
            *pip,
            *("--disable-pip-version-check", "--no-input", "install", "--quiet", "--only-binary", ":all:"),
            *requirements,
        ],
        INSTALL_SECONDS,
        {name: "" for name in NEITHER if name in os.environ},
    )
    _judge(done, label, "pip")


@functools.cache
def has_pip() -> bool:
    """Return whether this Python has a pip that can install into other environments (22.3 or later)."""
    if importlib.util.find_spec("pip") is None:
        return False
    done = carried_out([sys.executable, "-I", "-m", "pip", "--help"], INSTALL_SECONDS)
    return done.status == 0 and "--python" in done.output


def _judge(done: Done, label: str, by: str) -> None:
    if done.status != 0:
        raise fault_of(done, label, by)


def fault_of(done: Done, label: str, by: str) -> EnvironmentFaultError:
    """Return the error that ``done``, a command of the installer ``by``, means for the requirement ``label``."""
    said = done.said.lower()

    def says(signs: Sequence[str]) -> bool:
        return any(sign in said for sign in signs)

    if says(DISK_FULL):
        return DiskFullError(
            f"no space is left for the environment of {label}: free some, remove some with 'tokconf environments "
            "remove', or have TOKCONF_CACHE name a folder on another disk"
        )
    if says(UNREACHABLE) or (is_offline() and says(NOT_FOUND)):
        return UnreachableError(_unreachable(label, done))
    if says(NOT_FOUND):
        return _not_found(label, done, said)
    if says(NOT_WRITABLE):
        return NotWritableError(f"the environment of {label} cannot be written: {done.last_words}")
    if says(CONFLICT):
        return ConflictError(f"{label} cannot be installed for {this_python()}: {done.last_words}")
    return InstallerError(f"the environment of {label} could not be made; {by} says: {done.last_words}")


def _unreachable(label: str, done: Done) -> str:
    if is_offline():
        return (
            f"{label} could not be found: the settings of the installer (PIP_NO_INDEX, UV_NO_INDEX, UV_OFFLINE) keep "
            "it from asking any registry of packages; unset them, or make the environment while there is a network"
        )
    return (
        f"{label} could not be fetched: the registry of packages does not answer; try again when there is a network, "
        f"or correct the settings of pip or uv ({done.last_words})"
    )


def _not_found(label: str, done: Done, said: str) -> EnvironmentFaultError:
    """Tell no release from one without a file for this Python, and either from what a release needs.

    pip says the same of the first two: who calls asks it which releases there are.
    """
    package, _, version = label.partition("==")
    if not version:
        return NoSuchVersionError(f"the registries of packages that pip is configured for know no package {package}")
    names_it = package.lower() in said
    if names_it and ("no usable wheels" in said or "no wheels with" in said or "no matching wheel" in said):
        return NoFileError(
            f"{label} has no file for this Python ({this_python()}) that need not be built; use a Python that it has "
            "files for, or build it into an environment of your own and select that: "
            f"'{package}@path/to/environment'"
        )
    if (
        f"{package.lower()}=={version.lower()}" in said
        or f"no matching distribution found for {package.lower()}" in said
    ):
        return NoSuchVersionError(f"there is no release {label}: {done.last_words}")
    return ConflictError(f"what {label} needs has no file for this Python ({this_python()}): {done.last_words}")
