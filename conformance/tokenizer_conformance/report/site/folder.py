"""The files of a site in a folder: what an earlier site left there is replaced, and nothing else.

A manifest lists the files. It is written before the first of them, with what an earlier site has there, and once more
when all of them are there: whenever the writing is cut short it lists all that the folder has of a site.
"""

from __future__ import annotations

import contextlib
import json
import re
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.output import BadInput, ReportLost
from tokenizer_conformance.command_io.sinks import write_atomically
from tokenizer_conformance.command_io.standard_streams import reason_of
from tokenizer_conformance.command_io.status import STATUS, Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

MANIFEST = "site.json"
"""The file of a site that says what it is, and lists all files of it."""

SCHEMA, VERSION = "tokenizer-conformance-site", "1.0"

FILE_OF_A_SITE = re.compile(
    r"[a-z]+\.(?:html|json)|"
    r"(?:assets|badges|documents|implementations|pictures|records|requirements|tokenizers)/"
    r"[A-Za-z0-9_=-][A-Za-z0-9._=-]*\.(?:html|css|js|json|svg|png)"
)
"""What files of a site are called. A manifest may have been altered: whatever else it lists is left alone."""


def manifest_of(names: Iterable[str]) -> bytes:
    """Return the manifest of a site of files with these ``names``."""
    return (json.dumps({"schema": SCHEMA, "version": VERSION, "files": sorted(names)}, indent=1) + "\n").encode()


def refuse_other_folders(folder: Path, *, force: bool) -> frozenset[str]:
    """Return the files of the site that is in ``folder`` already, none where it is empty or missing.

    Raises :class:`BadInput` where it holds anything that is no site, unless ``force``, and where it is no folder.
    """
    shown = repr(str(folder))
    try:
        if folder.is_symlink():
            raise BadInput(f"--site {shown} is a link; give the folder that it leads to")
        if folder.exists() and not folder.is_dir():
            raise BadInput(f"--site {shown} is no folder")
        if not folder.exists() or not any(folder.iterdir()):
            return frozenset()
        earlier = _earlier(folder)
    except OSError as error:
        raise BadInput(f"cannot write into {shown}: {reason_of(error)}") from error
    if earlier is None and not force:
        raise BadInput(
            f"--site {shown} has files in it and is no site of tokconf; give an empty folder, or --force to write into "
            "this one"
        )
    return earlier or frozenset()


def _earlier(folder: Path) -> frozenset[str] | None:
    """Return the files that the manifest in ``folder`` lists; ``None`` where there is none of ours."""
    try:
        found = json.loads((folder / MANIFEST).read_bytes())
    except (FileNotFoundError, ValueError, RecursionError):
        return None
    names = _names_in(found)
    return None if names is None else frozenset(filter(FILE_OF_A_SITE.fullmatch, names))


def _names_in(manifest: Any) -> list[str] | None:
    if not isinstance(manifest, dict) or manifest.get("schema") != SCHEMA:
        return None
    version, names = manifest.get("version"), manifest.get("files")
    if not isinstance(version, str) or version.partition(".")[0] != VERSION.partition(".")[0]:
        return None
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else None


def write_site(folder: Path, files: Mapping[str, bytes], earlier: frozenset[str]) -> None:
    """Write ``files`` into ``folder``, and take away those of ``earlier`` that the site has no more.

    A file that is there already with the same content is not written anew. Raises :class:`ReportLost` where writing
    fails, and where a part of the folder is a link, which would lead out of it.
    """
    STATUS.begin(str(folder), "writing")
    now = frozenset({*files, MANIFEST})
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _refuse_links(folder, now | earlier)
        _write(folder / MANIFEST, manifest_of(now | earlier))
        for done, (name, content) in enumerate(files.items()):
            STATUS.reach(Place(str(folder), done, len(files), "files"))
            _write(folder / name, content)
        for name in sorted(earlier - now):
            (folder / name).unlink(missing_ok=True)
        for name in _folders(earlier - now):
            with contextlib.suppress(OSError):  # it has other files
                (folder / name).rmdir()
        _write(folder / MANIFEST, manifest_of(now))
    except OSError as error:
        raise ReportLost(f"cannot write the site into {str(folder)!r}: {reason_of(error)}") from error


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(exist_ok=True)
    if not (path.is_file() and not path.is_symlink() and path.read_bytes() == content):
        write_atomically(path, content)


def _refuse_links(folder: Path, names: Iterable[str]) -> None:
    for name in _folders(names):
        if (folder / name).is_symlink():
            raise ReportLost(f"cannot write the site into {str(folder)!r}: {name!r} in it is a link")


def _folders(names: Iterable[str]) -> Iterator[str]:
    """Yield the folders of a site that files with these ``names`` stand in."""
    yield from sorted({name.partition("/")[0] for name in names if "/" in name})
