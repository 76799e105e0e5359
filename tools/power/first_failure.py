"""A plugin of ``pytest`` that notes what becomes of each test, for whoever has started it.

The environment variable :data:`VARIABLE` names the file: a JSON object a line, ``{"started": ID}`` for a test that
begins, ``{"passed": ID}`` or ``{"failed": ID}`` for what comes of it, and ``{"finished": ID}`` at its end, by node id.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

VARIABLE = "TOKCONF_FIRST_FAILURE"
MEMORY = 6 * 2**30
"""How many bytes the tests, and each program that they start, may take: a fault may be the loss of a limit."""


def _note(what: str, node: str) -> None:
    with Path(os.environ[VARIABLE]).open("a", encoding="utf-8") as notes:
        notes.write(json.dumps({what: node}) + "\n")


def pytest_configure() -> None:
    """Limit the memory, where that can be done."""
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
