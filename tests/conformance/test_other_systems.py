"""Where there is nothing that only POSIX has, the harness can be imported, and its commands run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

PROJECT = Path(__file__).resolve().parents[2]
HIDDEN = PROJECT / "tests" / "adapters"
"""Where the module is that hides what only POSIX has."""

WORDS = f"words=command:{sys.executable} -I -S {PROJECT / 'examples' / 'protocol' / 'words.py'}"

IMPORT_ALL = """
import importlib, pkgutil, tokenizer_conformance
for module in pkgutil.walk_packages(tokenizer_conformance.__path__, "tokenizer_conformance."):
    if not module.name.endswith(("ray_driver", "ray_node")):  # programs that Ray runs
        importlib.import_module(module.name)
"""
COMMAND = "import sys; from tokenizer_conformance.cli import main; main(sys.argv[1:], prog_name='tokconf')"


def without_posix(program: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``program`` in a Python that lacks what only POSIX has."""
    return subprocess.run(
        [sys.executable, "-c", f"import hidden_posix\n{program}", *arguments],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(HIDDEN), *sys.path])},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.long
def test_every_module_can_be_imported(tmp_path: Path) -> None:
    done = without_posix(IMPORT_ALL, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


RUN = ("run", "bert-mini", "-k", "contractions", "-i", "tokenizers")


def _long(name: str, *values: object) -> ParameterSet:
    return pytest.param(*values, id=name, marks=pytest.mark.long)


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        pytest.param((*RUN, "reference"), 0, "bert-mini: ", id="in-process"),
        _long("isolated", (*RUN, "reference", "--isolate", "all"), 0, "bert-mini: "),
        _long("program", (*RUN, WORDS), 1, "against tokenizers"),
        _long("fuzz", ("fuzz", "--seed", "1", "--tokenizers", "4", "--jobs", "2"), 0, "conform; 4 tokenizers"),
        _long(
            "train",
            ("train", "--algorithm", "bpe", "--corpus", "text", "--vocab-size", "40"),
            0,
            "reference learns the same; 2 trainings",
        ),
    ],
)
def test_a_command_runs(arguments: tuple[str, ...], status: int, words: str, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hug pug hugs bun pun hug", "utf-8")
    done = without_posix(COMMAND, tmp_path, *arguments)
    assert (done.returncode, done.stderr) == (status, "")
    assert words in done.stdout


@pytest.mark.long
def test_a_limit_that_the_system_does_not_enforce_is_said(tmp_path: Path) -> None:
    done = without_posix(COMMAND, tmp_path, *RUN, "reference", "--isolate", "reference", "--memory", "1000")
    assert (done.returncode, done.stderr) == (0, "tokconf: --memory is not enforced on this system\n")
