"""Where in files checks and problems are, as CI systems name files: from the top of what they have checked out."""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path, PurePath

from tokenizer_conformance.checks.check import Location

PACKAGE = "tokenizer_conformance"


def located(path: str | PurePath, line: int | None = None) -> Location:
    """Return the place ``line`` (from 1) of the file at ``path``, with forward slashes.

    It is named from the folder that GitHub has checked out (``GITHUB_WORKSPACE``) where it lies in there, else from the
    current folder; what comes with this package from the package's name on, whatever machine it is installed on. What
    lies elsewhere is named in full.
    """
    whole = Path(os.path.abspath(path))  # noqa: PTH100 - links are kept: the name is what was checked out
    package = Path(str(files(PACKAGE)))
    if whole.is_relative_to(package):
        return Location((PurePath(PACKAGE) / whole.relative_to(package)).as_posix(), line)
    for top in filter(None, (os.environ.get("GITHUB_WORKSPACE"), os.getcwd())):  # noqa: PTH109 - as os.path has it
        if whole.is_relative_to(os.path.abspath(top)):  # noqa: PTH100
            return Location(whole.relative_to(os.path.abspath(top)).as_posix(), line)  # noqa: PTH100
    return Location(whole.as_posix(), line)


def packaged(*parts: str, line: int | None = None) -> Location:
    """Return the place of a file that comes with this package, named by its ``parts`` from the package on."""
    return Location("/".join((PACKAGE, *parts)), line)
