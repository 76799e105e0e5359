"""Copies of the project in which its sources are changed, and ending what runs in them.

A *workshop* is a folder that looks like the project's: some of it are copies, the rest are links. Its packages come
first in ``PYTHONPATH``, and stand where the tests look for them by path; processes that ignore that variable are
started by the path of a file in a package, and so from the copy too. The working tree is never changed.
"""

from __future__ import annotations

import os
import shutil
import signal
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess

TOOLS = Path(__file__).resolve().parents[1]
SOURCE_ROOTS = ("adapters", "conformance", "reference")
NOT_COPIED = ("__pycache__",)
LINKED = ("node_modules",)
"""Folders that are large and that nothing changes."""

NOT_LINKED = {".git", ".hypothesis", ".pytest_cache", ".ruff_cache", ".mypy_cache", ".import_linter_cache"}


def lay_out(project: Path, folder: Path, copied: tuple[str, ...]) -> None:
    """Have ``folder`` look like ``project``, with copies of those of its entries that are ``copied``, else links.

    What a copy has already is kept, its compiled code as well. Packages of Node are links everywhere.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for entry in sorted(project.resolve().iterdir()):
        if entry.name in copied:
            copy_again(entry, folder / entry.name)
        elif entry.name not in NOT_LINKED and not (folder / entry.name).is_symlink():
            (folder / entry.name).symlink_to(entry, target_is_directory=entry.is_dir())


def copy_again(source: Path, target: Path) -> None:
    """Have ``target`` be a copy of ``source``; what has the same time and size is left as it is."""
    if source.is_symlink():
        target.unlink(missing_ok=True)
        target.symlink_to(source.readlink())
    elif source.is_dir():
        target.mkdir(exist_ok=True)
        entries = {entry.name: entry for entry in source.iterdir() if not _is_left_out(entry)}
        for left in [entry for entry in target.iterdir() if entry.name not in entries and not _is_left_out(entry)]:
            shutil.rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink()
        for name, entry in entries.items():
            copy_again(entry, target / name)
        for link, entry in ((target / name, source / name) for name in LINKED):
            if entry.is_dir() and not link.is_symlink():
                link.symlink_to(entry, target_is_directory=True)
    elif not target.is_file() or _written(source) != _written(target):
        shutil.copy2(source, target)


def _is_left_out(entry: Path) -> bool:
    return entry.name in NOT_COPIED + LINKED or entry.name.endswith("_cache")


def _written(file: Path) -> tuple[int, int]:
    status = file.stat()
    return status.st_mtime_ns, status.st_size


def environment_in(folder: Path, project: Path) -> dict[str, str]:
    """Return the environment of programs in the workshop ``folder`` of ``project``."""
    given = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COVERAGE"))}
    shared = given.get("TOKCONF_SHARED") or str(project.parent / "shared")
    roots = [*(folder / name for name in SOURCE_ROOTS), TOOLS, *filter(None, [given.get("PYTHONPATH")])]
    return given | {"PYTHONPATH": os.pathsep.join(map(str, roots)), "TOKCONF_SHARED": shared}


def end_all(process: subprocess.Popen[bytes], variable: str, value: str) -> None:
    """End ``process`` with its group, and what else has been started with ``variable`` in its environment (Linux)."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    end_marked(variable, value)


def end_marked(variable: str, value: str) -> None:
    """End every process whose environment has the ``value`` for the ``variable`` (Linux)."""
    entry = f"{variable}={value}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if entry in (folder / "environ").read_bytes().split(b"\0"):
                os.kill(int(folder.name), signal.SIGKILL)
