"""Installing a wheel into fresh environments, and the jobs that it has to do there.

An environment has an interpreter, and the newest or the oldest dependencies that the wheel allows. The oldest are those
that need no compiler: of a dependency that has no file for a Python in its oldest version, the first that has one.
Nothing of the sources can be imported: the jobs run in a folder of their own, without ``PYTHONPATH``.
"""

from __future__ import annotations

import email
import os
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from packaging.requirements import Requirement

if TYPE_CHECKING:
    from collections.abc import Sequence

RESOLUTIONS = {"newest": "highest", "oldest": "lowest-direct"}
"""Which dependencies an environment has, and what uv calls that."""

EXTRAS = ("pytest", "frame", "parquet", "plots", "zstd")
"""The extras that are installed too: those whose packages every supported Python has."""

INSTALL_SECONDS, JOB_SECONDS = 1800, 600

OWN_CLASS = '''"""A class of a user, as README's section for authors has it."""

from tokenizers import Tokenizer


class Mine:
    def __init__(self, path):
        self.tokenizer = Tokenizer.from_file(path)

    @classmethod
    def from_file(cls, path):
        return cls(path)

    def encode(self, text, add_special_tokens=True):
        return self.tokenizer.encode(text, add_special_tokens=add_special_tokens).ids

    def decode(self, ids, skip_special_tokens=True):
        return self.tokenizer.decode(ids, skip_special_tokens=skip_special_tokens)
'''

OWN_TEST = """def test_mine(conforms):
    conforms("reference", "bert-mini", ["Hello, how are you?"])
"""

PLACE = "import tokenizer_adapters, tokenizer_conformance, tokenizer_reference as r; print(r.__file__)"
VERSION = "import sys; print('.'.join(map(str, sys.version_info[:3])))"


@dataclass(frozen=True, slots=True)
class Job:
    """A command that has to end with status 0, and to write files."""

    name: str
    command: tuple[str, ...]
    writes: tuple[str, ...]


JOBS = (
    Job(
        "run",
        (
            *("tokconf", "run", "bert-mini", "-i", "reference", "tokenizers", "transformers", "--sample", "20"),
            *("--json", "run.jsonl", "--html", "run.html"),
        ),
        ("run.jsonl", "run.html"),
    ),
    Job("pages", ("tokconf", "report", "run.jsonl", "--html", "again.html", "--site", "site"), ("again.html", "site")),
    Job("suite as files", ("tokconf", "suite", "export", "suite"), ("suite/README.md",)),
    Job("pytest", ("pytest", "--tokenizer-conformance=mine:Mine", "-k", "WORDLEVEL or test_mine", "."), ()),
    Job(
        "tables and plots",
        ("tokconf", "metrics", "bert-mini", "--inputs", "texts.txt", "--parquet", "table.parquet", "--plots", "plots"),
        ("table.parquet", "plots"),
    ),
)


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of an environment: its Python, which dependencies it has, and for each job "ok" or why not.

    ``versions`` are those of the direct dependencies. Without ``jobs`` the environment could not be made: ``missing``.
    """

    python: str
    dependencies: str
    jobs: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    missing: str = ""
    is_skipped: bool = False

    @property
    def is_good(self) -> bool:
        """Whether every job was done; true also where there is no such Python here."""
        return self.is_skipped or (not self.missing and all(job == "ok" for job in self.jobs))


def interpreter(version: str) -> Path | None:
    """Return an interpreter of ``version`` (such as 3.12) of this machine: this one, of the path, or of pyenv."""
    kept = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    on_path = shutil.which(f"python{version}")
    found = [Path(sys.executable), *([Path(on_path)] if on_path else []), *sorted(kept.glob(f"{version}.*/bin/python"))]
    return next((each for each in found if _version_of(each).rpartition(".")[0] == version), None)


def _version_of(python: Path) -> str:
    try:
        asked = subprocess.run([python, "-I", "-c", VERSION], capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return ""
    return asked.stdout.strip()


def uv_of(work: Path, constraints: Path) -> str:
    """Return uv: the one on the path, or one that is installed into ``work``, in the version of ``constraints``."""
    if there := shutil.which("uv"):
        return there
    folder = work / "uv"
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--constraint", str(constraints), "uv"]
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, timeout=INSTALL_SECONDS)
    subprocess.run(pip, check=True, timeout=INSTALL_SECONDS)
    return str(folder / "bin" / "uv")


def requirements_of(wheel: Path, extras: Sequence[str] = EXTRAS) -> list[Requirement]:
    """Return what a wheel requires by itself and with ``extras``."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(each for each in archive.namelist() if each.endswith(".dist-info/METADATA"))
        metadata = email.message_from_bytes(archive.read(name))
    found: dict[str, Requirement] = {}
    for line in metadata.get_all("Requires-Dist", []):
        requirement = Requirement(line)
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            requirement.marker = None
            found[str(requirement)] = requirement
    return list(found.values())


def tried(wheel: Path, version: str, dependencies: str, uv: str, work: Path) -> Trial:
    """Install ``wheel`` for Python ``version`` with the newest or the oldest ``dependencies``, and do the jobs."""
    place = work / f"{version}-{dependencies}"
    shutil.rmtree(place, ignore_errors=True)
    environment, folder = place / "environment", place / "work"
    folder.mkdir(parents=True)
    wanted = requirements_of(wheel)
    python = interpreter(version)
    if python is None:
        return _chosen(wanted, version, dependencies, uv, folder)
    own = environment / "bin" / "python"
    installed = [uv, "pip", "install", "--quiet", "--python", str(own), "--only-binary", ":all:"]
    installed += ["--resolution", RESOLUTIONS[dependencies], str(wheel), *map(str, wanted)]
    for command in ([uv, "venv", "--quiet", "--python", str(python), str(environment)], installed):
        if failure := _done(command, folder, place / "install.txt", INSTALL_SECONDS):
            return Trial(_version_of(python), dependencies, missing=f"cannot be installed: {failure}")
    listed = _output([uv, "pip", "freeze", "--python", str(own)], folder)
    versions = _direct(listed, wanted)
    if not Path(_output([str(own), "-I", "-c", PLACE], folder).strip()).is_relative_to(environment):
        return Trial(
            _version_of(own), dependencies, versions=versions, missing="other packages than the wheel's are read"
        )
    (folder / "mine.py").write_text(OWN_CLASS)
    (folder / "test_own.py").write_text(OWN_TEST)
    (folder / "texts.txt").write_text("Hello, how are you?\nFine, thanks.\n")
    results = tuple(_result(job, environment, folder) for job in JOBS)
    return Trial(_version_of(own), dependencies, results, versions)


def _chosen(wanted: Sequence[Requirement], version: str, dependencies: str, uv: str, folder: Path) -> Trial:
    """Return what can be told of a Python that is not on this machine: whether there are files to install for it."""
    listed, found = folder / "requirements.txt", folder / "chosen.txt"
    listed.write_text("".join(f"{each}\n" for each in wanted))
    command = [uv, "pip", "compile", "--quiet", "--python-version", version, "--only-binary", ":all:", "--no-header"]
    command += ["--no-annotate", "--resolution", RESOLUTIONS[dependencies], "--output-file", str(found), str(listed)]
    if failure := _done(command, folder, folder.parent / "install.txt", INSTALL_SECONDS):
        return Trial(version, dependencies, missing=f"no such Python here, and no dependencies for it: {failure}")
    said = "no such Python on this machine; there are dependencies for it"
    return Trial(version, dependencies, versions=_direct(found.read_text(), wanted), missing=said, is_skipped=True)


def _direct(listed: str, wanted: Sequence[Requirement]) -> tuple[str, ...]:
    names = {_plain(requirement.name) for requirement in wanted}
    return tuple(line for line in listed.splitlines() if _plain(line.partition("==")[0]) in names)


def _result(job: Job, environment: Path, folder: Path) -> str:
    command = [str(environment / "bin" / job.command[0]), *job.command[1:]]
    if failure := _done(command, folder, folder.parent / f"{job.name.replace(' ', '-')}.txt", JOB_SECONDS):
        return failure
    missing = [name for name in job.writes if not (folder / name).exists()]
    return f"{', '.join(missing)} not written" if missing else "ok"


def _done(command: Sequence[str], folder: Path, log: Path, seconds: int) -> str:
    """Return why ``command`` failed; nothing where it did not. What it printed is kept in the file ``log``."""
    try:
        ended = subprocess.run(
            command,
            cwd=folder,
            env=_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        return f"no end after {seconds} s"
    log.write_text(ended.stdout)
    if ended.returncode == 0:
        return ""
    lines = [line.strip() for line in ended.stdout.splitlines() if line.strip()]
    return f"status {ended.returncode}: {lines[-1] if lines else 'nothing was printed'}"


def _output(command: Sequence[str], folder: Path) -> str:
    return subprocess.run(
        command, cwd=folder, env=_environment(), capture_output=True, text=True, check=True, timeout=INSTALL_SECONDS
    ).stdout


def _environment() -> dict[str, str]:
    """Return this process' variables without those that lead to other packages; the hub is not asked for anything."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST", "TOKCONF"))}
    kept.pop("VIRTUAL_ENV", None)
    return kept | {"HF_HUB_OFFLINE": "1", "UV_PYTHON_DOWNLOADS": "never", "COLUMNS": "120"}


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
