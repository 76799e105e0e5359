"""A plugin of ``pytest`` that notes what becomes of each test, for whoever has started it.

The environment variable :data:`VARIABLE` names the file: a JSON object a line, ``{"started": ID}`` for a test that
begins, ``{"passed": ID}`` or ``{"failed": ID}`` for what comes of it, and ``{"finished": ID}`` at its end, by node id.
"""

from __future__ import annotations

import importlib
import json
import os
from pathlib import Path

import pytest

VARIABLE = "TOKCONF_FIRST_FAILURE"
MODULE = "TOKCONF_CHANGED_MODULE"
"""The environment variable that names the module."""

MEMORY = 6 * 2**30
"""How many bytes the tests, and each program that they start, may take: a fault may be the loss of a limit."""


def _note(what: str, node: str) -> None:
    with Path(os.environ[VARIABLE]).open("a", encoding="utf-8") as notes:
        notes.write(json.dumps({what: node}) + "\n")


def pytest_configure() -> None:
    """Import the module that a fault is in, so that no test seems to catch what only keeps it from being imported."""
    limit_memory()
    if name := os.environ.get(MODULE):
        try:
            importlib.import_module(name)
        except Exception as error:  # noqa: BLE001 - whatever it is
            _note("unimportable", f"{type(error).__name__}: {error}")
            pytest.exit("the module cannot be imported")


def limit_memory() -> None:
    """Have this process, and each that it starts, take no more than :data:`MEMORY`."""
    try:
        import resource  # noqa: PLC0415 - POSIX only
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    allowed = MEMORY if most == resource.RLIM_INFINITY else min(MEMORY, most)
    resource.setrlimit(resource.RLIMIT_DATA, (allowed, most))


def pytest_runtest_logstart(nodeid: str) -> None:
    """Note that a test begins."""
    _note("started", nodeid)


def pytest_runtest_logfinish(nodeid: str) -> None:
    """Note that a test has come to its end."""
    _note("finished", nodeid)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note what has failed, be it the test, its set-up or what follows it, and each test that has passed."""
    if report.failed:
        _note("failed", report.nodeid)
    elif report.passed and report.when == "call":
        _note("passed", report.nodeid)
