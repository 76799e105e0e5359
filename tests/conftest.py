"""Fixtures of the whole suite."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

sys.path.append(str(Path(__file__).parent / "packages"))  # test folders are not packages
sys.path.append(str(Path(__file__).resolve().parents[1] / "tools"))  # nor is that of the tools
sys.path.append(str(Path(__file__).resolve().parents[1] / "benchmarks"))

from wheel_registry import Registry

if TYPE_CHECKING:
    from collections.abc import Generator

# What is printed depends on it, and pytest-xdist sets it in its workers.
os.environ.pop("COLUMNS", None)

PROJECT = Path(__file__).resolve().parent.parent

BYTECODE = PROJECT / ".pytest_cache" / "bytecode"
"""Where compiled code is kept if Python is told to write none beside the sources."""


def _keep_bytecode() -> None:
    """Have Python keep what it compiles, here and in processes of tests, but not beside the sources if told so.

    Tests start hundreds of processes. Where ``PYTHONDONTWRITEBYTECODE`` is set each would compile the packages anew,
    which takes longer than most of what it is started for; and each worker would rewrite all tests anew.
    """
    if sys.dont_write_bytecode:
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(BYTECODE)
        sys.dont_write_bytecode = False


_keep_bytecode()


# A first call may build tables and other programs may have the processor: time says nothing about a test.
settings.register_profile("thorough", deadline=None)
settings.register_profile("quick", deadline=None, max_examples=40)
settings.load_profile("thorough")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage while tests are collected, nor among them later: each worker has all of them to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_configure(config: pytest.Config) -> None:
    """Draw fewer examples of each property where slow tests are left out: who runs these has the time for more."""
    if "not slow" in config.option.markexpr and not config.getoption("--hypothesis-profile", None):
        settings.load_profile("quick")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the cases of a test as long, all but the first so many that its mark ``long_but`` names.

    Those that the file ``TOKCONF_LONG`` names are long, too: they were skipped before what they need was there.
    """
    file = os.environ.get("TOKCONF_LONG")
    named = frozenset(Path(file).read_text(encoding="utf-8").splitlines() if file else ())
    cases: Counter[str] = Counter()
    for item in items:
        test = item.nodeid.partition("[")[0]
        mark = item.get_closest_marker("long_but")
        if mark is not None:
            cases[test] += 1
        if test in named or (mark is not None and cases[test] > mark.args[0]):
            item.add_marker(pytest.mark.long)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Write the names of the tests that were skipped to the file that ``TOKCONF_SKIPPED`` names: see ``TOKCONF_LONG``.

    Without their cases: which these are may depend on what is installed.
    """
    file = os.environ.get("TOKCONF_SKIPPED")
    if file:
        names = sorted({report.nodeid.partition("[")[0] for report in terminalreporter.stats.get("skipped", [])})
        Path(file).write_text("".join(f"{each}\n" for each in names), encoding="utf-8")


def pytest_sessionfinish() -> None:
    """Forget the compiled code of modules that tests have written to temporary folders."""
    folder = Path(tempfile.gettempdir())
    for left in (BYTECODE / folder.relative_to(folder.anchor)).glob("pytest-of-*"):
        shutil.rmtree(left, ignore_errors=True)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of published checkpoints and texts, which is no part of the project; skips where there is none."""
    named = os.environ.get("TOKCONF_SHARED")
    candidates = [*([Path(named)] if named else []), PROJECT.parent / "shared"]
    for candidate in candidates:
        if (candidate / "tokenizers").is_dir():
            return candidate
    pytest.skip(f"no published checkpoints: none of {', '.join(map(str, candidates))} has a folder `tokenizers`")


@pytest.fixture(scope="session")
def models() -> Path:
    """The folder of the tokenizers that packages carry: that of ``make models``, or what TOKCONF_MODELS names."""
    return Path(os.environ.get("TOKCONF_MODELS") or PROJECT / ".venv" / "models")


# Environments of releases ---------------------------------------------------------------------------------------------


@pytest.fixture
def installer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have pip make environments, since uv need not be there."""
    monkeypatch.setenv("TOKCONF_INSTALLER", "pip")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which environments are kept."""
    monkeypatch.setenv("TOKCONF_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "environments"


@pytest.fixture
def registry(
    tmp_path: Path,
    cache: Path,  # noqa: ARG001 - environments are kept there
    installer: None,  # noqa: ARG001 - it makes them
    monkeypatch: pytest.MonkeyPatch,
) -> Registry:
    """A registry with three releases of ``tokie``; no other can be asked."""
    for name in list(os.environ):
        if name.startswith(("PIP_", "UV_")):
            monkeypatch.delenv(name)
    (tmp_path / "wheels").mkdir()
    (tmp_path / "pip.conf").write_text(f"[global]\nno-index = true\nfind-links = {tmp_path / 'wheels'}\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    made = Registry(tmp_path / "wheels")
    for version in ("1.0", "1.1", "2.0rc1"):
        made.add("tokie", version)
    return made
