"""A plugin of pytest: the tests of `tokenizers` meet another package under that name, and files instead of a network.

It is given, in the environment: the ``PACKAGE`` that stands for `tokenizers`, the folders of ``DATA``, and the file
for ``RESULTS``, a line of JSON for each test that was run or could not be.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import json
import os
import pkgutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

NAME = "tokenizers"
PACKAGE, DATA, RESULTS = "UPSTREAM_PACKAGE", "UPSTREAM_DATA", "UPSTREAM_RESULTS"

TEST_DATA = "hf-internal-testing/tokenizers-test-data"

SHARED = {
    (TEST_DATA, "bert-base-uncased-vocab.txt"): "tokenizers/bert-base-uncased/vocab.txt",
    (TEST_DATA, "roberta-base-merges.txt"): "tokenizers/roberta-base/merges.txt",
    (TEST_DATA, "roberta-base-vocab.json"): "tokenizers/roberta-base/vocab.json",
    ("bert-base-cased", "tokenizer.json"): "tokenizers/bert-base-cased/tokenizer.json",
    ("gpt2", "tokenizer.json"): "tokenizers/gpt2/tokenizer.json",
    # Of one vocabulary with t5-small.
    ("t5-base", "tokenizer.json"): "tokenizers/t5-small/tokenizer.json",
}
"""Which of the shared files is which file of which repository. (That of ALBERT is another: its [MASK] strips.)"""


# The package ---------------------------------------------------------------------------------------------------------


def substitute(package: str) -> None:
    """Have ``import tokenizers`` and ``import tokenizers.…`` give ``package`` and its modules."""
    whole = importlib.import_module(package)
    sys.modules[NAME] = whole
    for module in pkgutil.walk_packages(whole.__path__, f"{package}."):
        sys.modules[NAME + module.name.removeprefix(package)] = importlib.import_module(module.name)


# The data ------------------------------------------------------------------------------------------------------------


def file_of_repository(repo_id: str, filename: str, revision: str | None = None, **_: object) -> str:
    """Return the path of a file of a repository, in place of `hf_hub_download`. Skips the test where it is not there.

    A folder of data holds it as its name, or as that of the repository and its own, or has the shared files.
    """
    of_branch = revision not in (None, "main")
    wanted = f"{repo_id}@{revision}" if of_branch else repo_id
    names = [f"{wanted}/{filename}", *([filename] if repo_id == TEST_DATA else [])]
    if not of_branch and (repo_id, filename) in SHARED:
        names.append(SHARED[repo_id, filename])
    for folder in filter(None, os.environ[DATA].split(os.pathsep)):
        for name in names:
            if Path(folder, name).is_file():
                return str(Path(folder, name))
    pytest.skip(f"no data: {filename} of {wanted}")


def supply() -> None:
    """Have `huggingface_hub` give files that are here."""
    try:
        hub = importlib.import_module("huggingface_hub")
    except ModuleNotFoundError:
        hub = sys.modules["huggingface_hub"] = ModuleType("huggingface_hub")
    hub.hf_hub_download = file_of_repository


def pytest_configure() -> None:
    """Prepare both before any test is imported."""
    if os.environ[PACKAGE] != NAME:
        substitute(os.environ[PACKAGE])
    supply()


# The results ---------------------------------------------------------------------------------------------------------


def note(place: str, outcome: str, reason: str = "") -> None:
    """Write what came of a test, or of a file of tests."""
    with Path(os.environ[RESULTS]).open("a", encoding="utf-8") as file:
        file.write(json.dumps({"place": place, "outcome": outcome, "reason": reason}) + "\n")


def reason_of(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Return why a test failed or was skipped, on one line."""
    crash = getattr(report.longrepr, "reprcrash", None)
    if isinstance(report.longrepr, tuple):
        return str(report.longrepr[2]).removeprefix("Skipped: ")
    text = crash.message if crash is not None else str(report.longrepr)
    return " ".join(text.split())[:400]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note a test that has run, and one whose beginning or end went wrong or was skipped."""
    if report.outcome != "passed" or report.when == "call":
        note(report.nodeid, report.outcome, reason_of(report))


def pytest_exception_interact(call: pytest.CallInfo[Any], report: Any) -> None:
    """Note a file that cannot be imported: one that needs a module which is not here cannot run."""
    if isinstance(report, pytest.CollectReport):
        cause = call.excinfo and call.excinfo.value.__cause__
        module = cause.name if isinstance(cause, ModuleNotFoundError) and cause.name else NAME
        if module.partition(".")[0] == NAME:
            note(report.nodeid, "failed", reason_of(report))
        else:
            note(report.nodeid, "skipped", f"no module {module}")


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Note a file that skips itself."""
    if report.skipped:
        note(report.nodeid, "skipped", reason_of(report))


def pytest_sessionfinish() -> None:
    """Say at the end which package the tests have met."""
    note("", "finished", importlib.import_module(NAME).__name__)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run tests that are coroutines, for which there may be no other plugin."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in arguments}))
    return True
