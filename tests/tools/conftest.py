"""What tests of tools share: an empty project to write pages into, and running a tool as a user does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from tokenizer_conformance.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

FAKES = Path(__file__).resolve().parents[1] / "conformance" / "fakes"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, which has an empty folder for reports; the fakes can be imported."""
    (tmp_path / "reports").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(FAKES))
    return tmp_path


@pytest.fixture
def tokconf(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Return what runs ``tokconf`` with arguments in this process, which takes seconds less than one of its own."""
    monkeypatch.syspath_prepend(str(FAKES))
    return lambda *arguments: CliRunner().invoke(main, arguments)


@pytest.fixture
def as_of_all(tmp_path: Path) -> Callable[..., Path]:
    """Return what copies a record of a part as one of all: with the parameters that are given in place of its own."""

    def copied(record: Path, **whole: object) -> Path:
        first, *lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
        header = json.loads(first)
        header["parameters"] |= whole
        copy = tmp_path / f"all-{record.name}"
        copy.write_text("".join((f"{json.dumps(header)}\n", *lines)), encoding="utf-8")
        return copy

    return copied


@pytest.fixture
def run() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Return what runs Python with arguments, and returns what came of it."""

    def done(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False, timeout=120)

    return done
