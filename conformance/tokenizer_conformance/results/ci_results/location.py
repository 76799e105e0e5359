"""Where in files checks and problems are, as CI systems name files: from the top of what they have checked out."""

from __future__ import annotations

import os
import re
from importlib.resources import files
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Stage
from tokenizer_conformance.inputs.tokenizer_files import FILE_NAME
from tokenizer_conformance.results.ci_results.check import Location

if TYPE_CHECKING:
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

PACKAGE = "tokenizer_conformance"

SECTIONS: dict[Stage, str] = {
    Stage.NORMALIZE: "normalizer",
    Stage.PRE_TOKENIZE: "pre_tokenizer",
    Stage.MODEL: "model",
    Stage.POST_PROCESS: "post_processor",
    Stage.DECODE: "decoder",
}
"""The member of a tokenizer.json that a stage is made from."""


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


def tokenizer_location(tokenizer: TokenizerFile, stage: Stage | None = None) -> Location:
    """Return where the file of ``tokenizer`` is, and what makes the ``stage`` in it; of the hub, its repository."""
    return section_location(tokenizer, None if stage is None else SECTIONS[stage])


def section_location(tokenizer: TokenizerFile, section: str | None) -> Location:
    """Return where the file of ``tokenizer`` is, and its member ``section`` in it; of the hub, its repository."""
    if tokenizer.snapshot is not None:
        return Location(f"{tokenizer.snapshot.repository}/{FILE_NAME}")
    path = Path(tokenizer.source.file)
    return located(path, None if section is None else _line_of(path, section))


def _line_of(path: Path, section: str) -> int | None:
    """Return the line of the member ``section`` in the file at ``path``, as tokenizers are written for people."""
    begins = re.compile(rb'(?:  |\t|\{?)"%s"\s*:' % section.encode())
    try:
        with path.open("rb") as file:
            return next((number for number, line in enumerate(file, 1) if begins.match(line)), None)
    except OSError:
        return None
