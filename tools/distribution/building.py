"""Building the wheel and the source distribution from a copy of the sources, and what has to be in them.

The same commit gives the same bytes, wherever it is built with the same Python and the same builder: times are those
of the commit, modes are set, and the order is fixed. The wheel is built from what is in the source distribution.
"""

from __future__ import annotations

import email
import hashlib
import os
import stat
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

ROOT = Path(__file__).resolve().parents[2]

LEFT_BEHIND = (
    "adapters/tokenizer_adapters/peers/tokenizers_js/node_modules/somebody/index.js",
    "conformance/tokenizer_conformance/__pycache__/cli.cpython-311.pyc",
    "dist/tokenizer_conformance-0.0.0-py3-none-any.whl",
    ".venv/bin/python",
)
"""Files of a tree in which somebody has worked; none of them is handed out."""

NEVER = frozenset({"tests", "node_modules", "reports", "__pycache__"})
"""Folders that no wheel has, at any depth."""

OF_THE_WHEEL = ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE")
"""What stands beside the packages, in the folder of the wheel's own data."""


@dataclass(frozen=True, slots=True)
class Built:
    """The two files of a release."""

    wheel: Path
    source: Path

    def digests(self) -> dict[str, str]:
        """Return the SHA-256 of each file, by its name."""
        return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in (self.wheel, self.source)}


@dataclass(frozen=True, slots=True)
class Part:
    """A folder at the top of a wheel: how many files it has, their bytes, and how many they take when compressed."""

    name: str
    files: int
    bytes: int
    compressed: int


def project(root: Path = ROOT) -> dict[str, Any]:
    """Return what pyproject.toml says."""
    return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))


def sources(root: Path = ROOT) -> frozenset[str]:
    """Return the paths of all files that git knows and that are there."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True).stdout.decode()
    return frozenset(path for path in listed.split("\0") if path and (root / path).is_file())


def time_of_commit(root: Path = ROOT) -> str:
    """Return when the last commit was made, in seconds since 1970: the time of all files that are built."""
    told = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=root, capture_output=True, text=True, check=True)
    return told.stdout.strip()


def copy_sources(target: Path, *, umask: int = 0o022, left_behind: Collection[str] = (), root: Path = ROOT) -> None:
    """Copy the sources into ``target``, with the modes that ``umask`` leaves; add files that are to be left out."""
    for path in (*sources(root), *left_behind):
        copy = target / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((root / path).read_bytes() if path not in left_behind else b"left behind\n")
        is_program = path not in left_behind and (root / path).stat().st_mode & stat.S_IXUSR
        copy.chmod((0o777 if is_program else 0o666) & ~umask)


def build(tree: Path, output: Path, epoch: str, *, umask: int = 0o022) -> Built:
    """Build both files of the sources in ``tree`` into the folder ``output``, with the builder of this environment.

    Raises :class:`subprocess.CalledProcessError`.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(output), str(tree)],
        env=environment | {"SOURCE_DATE_EPOCH": epoch},
        umask=umask,
        capture_output=True,
        text=True,
        check=True,
    )
    return built_in(output)


def built_in(folder: Path) -> Built:
    """Return the files of the release in ``folder``. Raises ``ValueError`` where there is not one of each."""
    wheels, archives = sorted(folder.glob("*.whl")), sorted(folder.glob("*.tar.gz"))
    if len(wheels) != 1 or len(archives) != 1:
        raise ValueError(
            f"{folder} has {len(wheels)} wheels and {len(archives)} source distributions, and not one of each"
        )
    return Built(wheels[0], archives[0])


# What is in them -----------------------------------------------------------------------------------------------------


def parts_of(wheel: Path) -> list[Part]:
    """Return the folders of a wheel, the largest first."""
    files: Counter[str] = Counter()
    plain: Counter[str] = Counter()
    packed: Counter[str] = Counter()
    with zipfile.ZipFile(wheel) as archive:
        for each in archive.infolist():
            name = each.filename.partition("/")[0]
            files[name] += 1
            plain[name] += each.file_size
            packed[name] += each.compress_size
    return [Part(name, files[name], size, packed[name]) for name, size in plain.most_common()]


def problems_of_wheel(wheel: Path, root: Path = ROOT) -> Iterator[str]:
    """Yield what is in a wheel and should not be, and what is not and should be."""
    said = project(root)
    roots = [Path(package) for package in said["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]]
    data = f"{said['project']['name'].replace('-', '_')}-{said['project']['version']}.dist-info"
    expected = {f"{data}/{name}" for name in OF_THE_WHEEL}
    for path in sources(root):
        expected |= {
            Path(path).relative_to(package.parent).as_posix() for package in roots if Path(path).is_relative_to(package)
        }
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = archive.read(f"{data}/METADATA").decode() if f"{data}/METADATA" in names else ""
    yield from _compared(wheel.name, names, expected)
    yield from (f"{wheel.name} has {name}" for name in sorted(names) if NEVER & set(name.split("/")[:-1]))
    yield from (
        f"{wheel.name} does not say that {package.name} has types (py.typed)"
        for package in roots
        if f"{package.name}/py.typed" not in names
    )
    message = email.message_from_string(metadata)
    for member, value in (("Version", said["project"]["version"]), ("License-Expression", said["project"]["license"])):
        if message[member] != value:
            yield f"{wheel.name} has {member} {message[member]}, and pyproject.toml {value}"


def problems_of_source(archive: Path, root: Path = ROOT) -> Iterator[str]:
    """Yield what is in a source distribution and should not be, and what is not and should be."""
    with tarfile.open(archive) as opened:
        names = {member.name.partition("/")[2] for member in opened if member.isfile()}
    yield from _compared(archive.name, names, sources(root) | {"PKG-INFO"})


def _compared(file: str, names: set[str], expected: Collection[str]) -> Iterator[str]:
    yield from (f"{file} lacks {name}" for name in sorted(set(expected) - names))
    yield from (f"{file} has {name}, which is not among the sources" for name in sorted(names - set(expected)))
