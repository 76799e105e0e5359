"""The folder that an export goes to: nothing of the user's is replaced, and no half of an export is taken for a whole.

All files are written beside their places first; where that fails, the folder is as it was. Then they are moved, the
index last. It has the digests of the others, so an export that was broken off can be told from a whole one.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.output import BadInput, ReportLost
from tokenizer_conformance.command_io.standard_streams import reason_of
from tokenizer_conformance.validation.suite.export import EXPORT, INDEX

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def write_folder(name: str, files: Mapping[str, bytes], *, force: bool) -> None:
    """Write ``files``, the names and contents of an export, into the folder called ``name``.

    The folder is made where it is missing, with those above it. Of what is there already, an earlier export is
    replaced, as far as it was not changed; anything else only where ``force`` allows it, and only what has the name of
    one of the files. Raises :class:`BadInput` where the folder cannot be used, and :class:`ReportLost` where the files
    cannot be written.
    """
    folder = _folder(name)
    earlier = _refuse_what_is_there(name, folder, files, force=force)
    with _made(name, folder), _staged(name, folder, files) as staged:
        _move(name, folder, staged, files, earlier - files.keys())


def _folder(name: str) -> Path:
    if not name:
        raise BadInput("DIR names no folder: its value is empty")
    folder = Path(os.path.realpath(name))
    try:
        is_other = folder.exists() and not folder.is_dir()
    except OSError as error:
        raise BadInput(f"cannot export to {name!r}: {reason_of(error)}") from error
    if is_other:
        raise BadInput(f"cannot export to {name!r}: it is not a folder")
    return folder


def _refuse_what_is_there(name: str, folder: Path, files: Mapping[str, bytes], *, force: bool) -> frozenset[str]:
    """Return the names of the files of an earlier export that is to be replaced."""
    try:
        present = {entry.name: entry.is_dir(follow_symlinks=False) for entry in os.scandir(folder)}
    except FileNotFoundError:
        return frozenset()
    except OSError as error:
        raise BadInput(f"cannot export to {name!r}: {reason_of(error)}") from error
    earlier = files_of_export(folder)
    others = sorted(present.keys() - earlier)
    if others and not force:
        raise BadInput(
            f"cannot export to {name!r}: {others[0]!r} there is no part of an earlier export, or was changed since; "
            "give another folder, or --force to replace files of the same names"
        )
    for file in files:
        if present.get(file):
            raise BadInput(f"cannot export to {name!r}: {file!r} there is a folder")
    return earlier


def files_of_export(folder: Path) -> frozenset[str]:
    """Return the names of the files in ``folder`` that are as they were exported; none where it is no export."""
    try:
        index = json.loads((folder / INDEX).read_bytes())
    except (OSError, ValueError, RecursionError):
        return frozenset()
    if not isinstance(index, dict) or index.get("export") != EXPORT or not isinstance(index.get("files"), dict):
        return frozenset()
    same = (name for name, digest in index["files"].items() if Path(name).name == name and _is(folder / name, digest))
    return frozenset({INDEX, *same})


def _is(file: Path, digest: object) -> bool:
    try:
        return file.is_file() and hashlib.sha256(file.read_bytes()).hexdigest() == digest
    except OSError:
        return False


@contextmanager
def _made(name: str, folder: Path) -> Iterator[None]:
    """Make ``folder`` and those above it; where the work within fails, remove again what was made and is empty."""
    made: list[Path] = []
    try:
        for each in reversed((folder, *folder.parents)):
            if not each.exists():
                each.mkdir()
                made.append(each)
    except OSError as error:
        _remove(made)
        raise BadInput(f"cannot export to {name!r}: {reason_of(error)}") from error
    try:
        yield
    except BaseException:
        _remove(made)
        raise


def _remove(made: list[Path]) -> None:
    with contextlib.suppress(OSError):
        for each in reversed(made):
            each.rmdir()


@contextmanager
def _staged(name: str, folder: Path, files: Mapping[str, bytes]) -> Iterator[Path]:
    """Write ``files`` into a folder of their own within ``folder``, which is gone at the end."""
    try:
        staged = Path(tempfile.mkdtemp(prefix=".tokconf-", dir=folder))
    except OSError as error:
        raise BadInput(f"cannot export to {name!r}: {reason_of(error)}") from error
    try:
        for file, data in files.items():
            (staged / file).write_bytes(data)
    except OSError as error:
        shutil.rmtree(staged, ignore_errors=True)
        raise ReportLost(f"cannot export to {name!r}: {reason_of(error)}; nothing was changed there") from error
    except BaseException:
        shutil.rmtree(staged, ignore_errors=True)
        raise
    try:
        yield staged
    finally:
        shutil.rmtree(staged, ignore_errors=True)


def _move(name: str, folder: Path, staged: Path, files: Mapping[str, bytes], old: frozenset[str]) -> None:
    """Move ``files`` to their places, the last one last, and remove ``old`` ones."""
    try:
        for file in old:
            (folder / file).unlink(missing_ok=True)
        for file in files:
            (staged / file).replace(folder / file)
    except OSError as error:
        raise ReportLost(
            f"cannot export to {name!r}: {reason_of(error)}; what is there now is not whole: export it again"
        ) from error
