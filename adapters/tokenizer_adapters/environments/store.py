"""Where environments are kept, and how one is made once, whoever wants it at the same time.

An environment is a folder named after the first of its requirements and a digest of all that decides what is in it:
the interpreter, the platform, the requirements and :data:`FORMAT`. It is made under a lock; its description
(:data:`DESCRIPTION`) is written last, by renaming: so one without a readable description is half made, and is made
again. A lock is a file beside the folder, which is left: taking it away would let two processes hold it.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import platform
import re
import shutil
import sys
import sysconfig
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.environments.commands import carried_out
from tokenizer_adapters.environments.faults import (
    CannotImportError,
    DiskFullError,
    EnvironmentFaultError,
    InstallerError,
    NotWritableError,
)
from tokenizer_adapters.environments.installer import make, python_in, this_python, tool

if TYPE_CHECKING:
    from collections.abc import Iterator

Tell = Callable[[str], object]
"""Takes in what is being done, for people who wait."""

VARIABLE = "TOKCONF_CACHE"
"""The environment variable that names the folder for what is kept; without it, the user's folder for caches."""

FOLDER = "environments"
FORMAT = 1
DESCRIPTION = "environment.json"
LAST_USED = "last-used"
LOCK = ".lock"
IMPORT_SECONDS = 300.0
POLL_SECONDS = 0.2

LIST_INSTALLED = (
    "import importlib.metadata as m, json;"
    "print(json.dumps({d.metadata['Name']: d.version for d in m.distributions() if d.metadata['Name']}))"
)


def silent(_words: str) -> None:
    """Take in what is being done, and tell nobody."""


def cache_folder() -> Path:
    """Return the folder in which environments are kept; it need not be there."""
    import platformdirs  # noqa: PLC0415 - only those wait for it who ask for a folder

    given = os.environ.get(VARIABLE)
    base = Path(given).expanduser().absolute() if given else platformdirs.user_cache_path("tokenizer-conformance")
    return base / FOLDER


@dataclass(frozen=True, slots=True)
class Environment:
    """An environment of this Python that has, or is to have, ``requirements``, the first of which names it.

    ``module`` is imported once it is made, to see that it can be; ``None``: nothing is.
    """

    requirements: tuple[str, ...]
    module: str | None = None

    @property
    def label(self) -> str:
        """What people call it."""
        return self.requirements[0]

    @property
    def key(self) -> str:
        """The name of its folder."""
        deciding = json.dumps(
            [
                FORMAT,
                platform.python_implementation(),
                platform.python_version(),
                getattr(sys, "abiflags", ""),
                sysconfig.get_platform(),
                *self.requirements,
            ]
        )
        digest = hashlib.sha256(deciding.encode()).hexdigest()[:16]
        return f"{re.sub(r'[^A-Za-z0-9.]+', '-', self.label)}-{digest}"

    @property
    def folder(self) -> Path:
        """Where it is, or will be."""
        return cache_folder() / self.key

    @property
    def python(self) -> Path:
        """Its Python."""
        return python_in(self.folder / "venv")

    @property
    def is_complete(self) -> bool:
        """Whether it is there, made to its end."""
        description = read_description(self.folder)
        return (
            description is not None
            and description.get("requirements") == list(self.requirements)
            and self.python.is_file()  # through a link: the interpreter it was made of may have been removed
        )

    def ensure(self, tell: Tell = silent) -> None:
        """Make the environment, unless it is there; wait where another process makes it.

        Raises :class:`EnvironmentFaultError`.
        """
        if not self.is_complete:
            with _locked(self.folder, self.label, tell):
                if not self.is_complete:
                    self._make(tell)
        with contextlib.suppress(OSError):  # a cache that can only be read serves as well
            (self.folder / LAST_USED).touch()

    def _make(self, tell: Tell) -> None:
        using = tool()
        tell(f"making the environment of {self.label} with {using.name}")
        began = time.monotonic()
        try:
            with _written(self.label):
                _cleared(self.folder)
                self.folder.mkdir()
            make(self.folder / "venv", self.requirements, using)
            self._try_import(tell)
            with _written(self.label):
                self._describe(using.name, time.monotonic() - began)
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    def _try_import(self, tell: Tell) -> None:
        if self.module is None:
            return
        tell(f"making the environment of {self.label}: importing {self.module}")
        done = carried_out([str(self.python), "-I", "-c", f"import {self.module}"], IMPORT_SECONDS)
        if done.status != 0:
            last = (done.errors.strip().splitlines() or ["it says nothing"])[-1]
            raise CannotImportError(
                f"{self.label} can be installed for this Python ({this_python()}), and cannot be imported: "
                f"{last.strip()}"
            )

    def _describe(self, by: str, seconds: float) -> None:
        listed = carried_out([str(self.python), "-I", "-c", LIST_INSTALLED], IMPORT_SECONDS)
        if listed.status != 0:
            raise InstallerError(f"the environment of {self.label} does not say what is in it: {listed.last_words}")
        description = {
            "format": FORMAT,
            "requirements": list(self.requirements),
            "installed": dict(sorted(json.loads(listed.output).items())),
            "python": this_python(),
            "size": size_of(self.folder),
            "made": _now(),
            "seconds": round(seconds, 1),
            "by": by,
        }
        place = self.folder / DESCRIPTION
        unfinished = place.with_suffix(".unfinished")
        unfinished.write_text(json.dumps(description, indent=1), encoding="utf-8")
        unfinished.replace(place)


# What is there -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept in ``folder``: an environment, or what is left of one that was not made to its end.

    ``requirements`` and ``installed`` (versions by package) are empty where nothing says what it is; ``size`` is in
    bytes; ``made`` and ``last_used`` are moments as ISO 8601 has them, ``None`` where they are not known. ``python`` is
    what people call the interpreter, ``by`` what has installed it.
    """

    folder: Path
    complete: bool
    size: int
    requirements: tuple[str, ...] = ()
    installed: tuple[tuple[str, str], ...] = ()
    made: str | None = None
    last_used: str | None = None
    python: str = ""
    by: str = ""

    @property
    def label(self) -> str:
        """What people call it."""
        return self.requirements[0] if self.requirements else self.folder.name


def kept() -> list[Kept]:
    """Return what is kept, by name; nothing, where there is no folder. Raises :class:`NotWritableError`."""
    try:
        folders = sorted(path for path in cache_folder().iterdir() if path.is_dir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise NotWritableError(f"the folder of environments {str(cache_folder())!r} cannot be read: {error}") from error
    return [_kept(folder) for folder in folders]


def _kept(folder: Path) -> Kept:
    description = read_description(folder)
    if description is None:
        return Kept(folder, complete=False, size=size_of(folder))
    return Kept(
        folder=folder,
        complete=python_in(folder / "venv").is_file(),
        requirements=tuple(description["requirements"]),
        installed=tuple(description["installed"].items()),
        size=size_of(folder),
        made=description["made"],
        last_used=_moment(folder / LAST_USED),
        python=description["python"],
        by=description["by"],
    )


def read_description(folder: Path) -> dict[str, Any] | None:
    """Return the description in ``folder``, ``None`` where there is none or it is not what is written here."""
    try:
        read = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(read, dict) or read.get("format") != FORMAT:
        return None
    is_whole = (
        _all_strings(read.get("requirements"))
        and bool(read["requirements"])
        and isinstance(read.get("installed"), dict)
        and _all_strings(list(read["installed"].values()))
        and _all_strings([read.get("made"), read.get("python"), read.get("by")])
    )
    return read if is_whole else None


def remove(folder: Path) -> None:
    """Remove what is kept in ``folder``.

    Raises :class:`EnvironmentFaultError` where another process makes it at this moment, and :class:`NotWritableError`.
    """
    import filelock  # noqa: PLC0415 - it imports asyncio, which only those wait for who have environments

    try:
        with filelock.FileLock(_lock_of(folder), timeout=0), _written(folder.name):
            _cleared(folder)
    except filelock.Timeout as error:
        raise EnvironmentFaultError(f"{folder.name} is being made by another process; try again later") from error
    except OSError as error:
        raise NotWritableError(f"{str(folder)!r} cannot be removed: {error}") from error


def size_of(folder: Path) -> int:
    """Return how many bytes the files in ``folder`` have."""
    size = 0
    for place, _, files in os.walk(folder):
        for name in files:
            with contextlib.suppress(OSError):
                size += (Path(place) / name).lstat().st_size
    return size


def _all_strings(values: object) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _moment(file: Path) -> str | None:
    try:
        return datetime.fromtimestamp(file.stat().st_mtime, UTC).isoformat(timespec="seconds")
    except OSError:
        return None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _cleared(folder: Path) -> None:
    """Remove ``folder``, its description first: what is left, if this is cut short, is not taken for an environment."""
    (folder / DESCRIPTION).unlink(missing_ok=True)
    if folder.exists():
        shutil.rmtree(folder)


def _lock_of(folder: Path) -> Path:
    return folder.with_name(folder.name + LOCK)


@contextlib.contextmanager
def _locked(folder: Path, label: str, tell: Tell) -> Iterator[None]:
    """Hold the lock of ``folder``; say so, where another process has it."""
    import filelock  # noqa: PLC0415 - as above

    with _written(label):
        folder.parent.mkdir(parents=True, exist_ok=True)
        lock = filelock.FileLock(_lock_of(folder))
        try:
            lock.acquire(timeout=0)
        except filelock.Timeout:
            tell(f"waiting for another process that makes the environment of {label}")
            lock.acquire(poll_interval=POLL_SECONDS)
    try:
        yield
    finally:
        lock.release()


@contextlib.contextmanager
def _written(label: str) -> Iterator[None]:
    """Have an error of the system, met while the environment ``label`` is written, said for people."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise DiskFullError(
                f"no space is left for the environment of {label} in {str(cache_folder())!r}: free some, remove "
                "environments with 'tokconf environments remove', or have TOKCONF_CACHE name a folder on another disk"
            ) from error
        raise NotWritableError(
            f"the environment of {label} cannot be written in {str(cache_folder())!r} ({reason}); have {VARIABLE} name "
            "a folder that can"
        ) from error
