"""Paths as users write them: where they lead to, and whether there is a file that can be read as often as needed."""

from __future__ import annotations

import stat
from pathlib import Path

IRREGULAR = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}
"""What stands in a file system and is neither a file nor a folder."""


def expanded(written: str) -> Path:
    """Return the path that a user has ``written``; a ``~`` that no shell has replaced is the user's home."""
    path = Path(written)
    if not written.startswith("~") or path.exists():
        return path
    try:
        return path.expanduser()
    except RuntimeError:  # no such user
        return path


def irregularity(path: Path) -> str | None:
    """Say what ``path`` is, and what to do, where it is no file that can be read again.

    Returns ``None`` where it is one, or a folder. Opening anything else may wait for ever. Raises ``OSError``,
    also where there is nothing.
    """
    kind = IRREGULAR.get(stat.S_IFMT(path.stat().st_mode))
    if kind is None:
        return None
    return (
        f"is {kind} and no file, and would have to be read more than once: write what it gives into a file, "
        "and give that"
    )


def why_missing(path: Path) -> str:
    """Say what is known of ``path``, where there is nothing, to follow ``no such file or folder``; may be empty."""
    if str(path) == "-":
        return " (standard input cannot be read more than once: write it into a file, and give that)"
    if path.is_symlink():
        return f" (it is a symbolic link to {str(path.readlink())!r}, where nothing is)"
    if any(character in str(path) for character in "*?["):
        return " (as a pattern it matches nothing here)"
    return ""
