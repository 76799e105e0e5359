"""A browser that opens pages from disk, and fails the test for whatever goes wrong in it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from chromium import MISSING, find_browser, started
from opened_pages import PATIENCE, Opener, Recorded, Records
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from conftest import CommandLines


AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture(scope="session")
def program() -> str:
    """The program of a browser; where there is none, nothing is made that only a browser would show."""
    return find_browser() or (pytest.fail if os.environ.get("CI") else pytest.skip)(MISSING)


@pytest.fixture(scope="module")
def browser(program: str) -> Iterator[Browser]:
    """A browser for the tests of a file: while it runs, no other test of this process could use ``asyncio``."""
    expect.set_options(timeout=PATIENCE)
    with started(program) as browser:
        yield browser


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Opener]:
    """A function that opens a page; what goes wrong in the browser fails the test."""
    opener = Opener(browser, tmp_path)
    yield opener
    opener.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core."""
    if not AXE.exists():
        (pytest.fail if os.environ.get("CI") else pytest.skip)("axe-core is not installed: make .venv/browser")
    return AXE.read_text(encoding="utf-8")


# Records, each made once whatever the number of workers ---------------------------------------------------------------


@pytest.fixture(scope="session")
def records(program: str, tmp_path_factory: pytest.TempPathFactory) -> Records:  # noqa: ARG001
    """What makes each record once."""
    folder = tmp_path_factory.getbasetemp()
    return Records(folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder)


TOYS = (
    *("toy", "wrong-normalization", "shifted-offset", "swapped-merge", "lossy-decode"),
    *("raising", "ids-only", "flaky", "cannot-load", "utf8"),
)
"""Implementations whose run has every state that there is."""

LEDGER = """
format = 1

[[known]]
implementation = "swapped-merge"
baseline = "toy"
stage = "model"
reason = "a <known> bug"
"""

WRITTEN = ("--json", "run.jsonl", "--html", "run.html", "--quiet", "--no-known")


@pytest.fixture(scope="session")
def toys(records: Records, toy_tokenizer: Path, command_lines: CommandLines) -> Recorded:
    """A run of the fakes on two tokenizers."""

    def make(folder: Path) -> None:
        for name in ("one", "another"):
            (folder / name).mkdir()
            (folder / name / "tokenizer.json").write_bytes(toy_tokenizer.read_bytes())
        (folder / "ledger.toml").write_text(LEDGER)
        (folder / "texts.txt").write_text("abc\naBc d\nx\na-b\nzebra crossing\néa 🎉b\n", encoding="utf-8")
        arguments = ("--no-builtin", "--inputs", "texts.txt", "--ledger", "ledger.toml", "--cause-time", "0.5")
        done = command_lines(folder).run("run", "one", "another", "-i", *TOYS, *arguments, *WRITTEN)
        assert (folder / "run.html").exists(), done.err

    return records.once("toys", make)
