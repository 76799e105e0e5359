"""Where the tests come from: a folder, an archive of the source, or the source that the package index has."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

CONSTRAINTS = Path(__file__).resolve().parents[2] / "constraints.txt"
DISTRIBUTION = "tokenizers"

BACKEND = '''\
"""Stands in for the build backend of the source: the archive is wanted, and nothing is built."""

from pathlib import Path


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder = Path(metadata_directory, "{name}-{version}.dist-info")
    folder.mkdir()
    folder.joinpath("METADATA").write_text("Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n")
    return folder.name
'''


class NoTestsError(Exception):
    """There are no tests to be had from where they should come."""


def pinned_version() -> str:
    """Return the version of `tokenizers` in constraints.txt."""
    found = re.search(rf"^{DISTRIBUTION}==(\S+)$", CONSTRAINTS.read_text("utf-8"), re.MULTILINE)
    if found is None:
        raise NoTestsError(f"{CONSTRAINTS} has no version of {DISTRIBUTION}")
    return found[1]


def downloaded(version: str, folder: Path) -> Path:
    """Return the archive of the source of `tokenizers`, got into ``folder`` from the index that pip is set up for.

    pip asks the source for its metadata, for which it would install the compiler's tools; a backend of ours answers.
    """
    backend = folder / "backend"
    backend.mkdir()
    (backend / "maturin.py").write_text(BACKEND.format(name=DISTRIBUTION, version=version), "utf-8")
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-build-isolation", "--no-binary", ":all:"]
    done = subprocess.run(
        [*command, "--quiet", "--dest", str(folder / "archive"), f"{DISTRIBUTION}=={version}"],
        env=os.environ | {"PYTHONPATH": str(backend)},
        capture_output=True,
        text=True,
        check=False,
    )
    archives = sorted((folder / "archive").glob("*"))
    if done.returncode or not archives:
        last = (done.stderr.strip().splitlines() or ["nothing was said"])[-1]
        raise NoTestsError(f"pip could not get the source of {DISTRIBUTION} {version}: {last}")
    return archives[0]


def unpacked(archive: Path, folder: Path) -> Path:
    """Unpack ``archive``, of any form of a source or a wheel, into ``folder``, and return that."""
    folder.mkdir()
    if tarfile.is_tarfile(archive):
        with tarfile.open(archive) as tar:
            tar.extractall(folder, filter="data")
    elif zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as file:
            file.extractall(folder)
    else:
        raise NoTestsError(f"{archive} is neither a folder nor an archive of a source")
    return folder


def tests_in(folder: Path) -> Path:
    """Return the folder of Python tests in ``folder``: itself, or the topmost one that is called so."""
    if any(folder.glob("test_*.py")):
        return folder
    for found in sorted(folder.rglob("tests"), key=lambda path: (len(path.parts), path)):
        if any(found.rglob("test_*.py")):
            return found
    raise NoTestsError(f"{folder} has no Python tests: no folder `tests` with files test_*.py")


def copied_tests(source: Path | None, folder: Path) -> Path:
    """Copy the tests of ``source`` (of the pinned version where it is ``None``) to ``folder``/python/tests.

    Returns the folder that they are to be run in: they insist on one that is called "python".
    """
    with tempfile.TemporaryDirectory() as name:
        where = source or downloaded(pinned_version(), Path(name))
        if not where.exists():
            raise NoTestsError(f"{where} does not exist")
        tests = tests_in(where if where.is_dir() else unpacked(where, Path(name, "unpacked")))
        shutil.copytree(tests, folder / "python" / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    return folder / "python"
