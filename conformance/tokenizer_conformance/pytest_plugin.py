"""The plugin of pytest: ``pytest --tokenizer-conformance=IMPL`` collects the requirements of the suite as items.

Every pytest in an environment with this package imports this module, asked for or not: so it imports nothing but
pytest, and what it does stands in :mod:`tokenizer_conformance.pytest_suite`, which is imported when it is asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

OPTION = "tokenizer_conformance"
LEDGER = "conformance_ledger"

PREFIX = "tokenizer-conformance"
"""What the ids of all items begin with."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, and their names in a file of settings."""
    group = parser.getgroup("tokenizer-conformance", "requirements of a tokenizer")
    group.addoption(
        "--tokenizer-conformance",
        dest=OPTION,
        action="append",
        metavar="IMPL",
        help="Ask IMPL the requirements of the suite, an item each: a name, a class (package.module:Class) or a "
        "program (command:PROGRAM ARGUMENT...). May be given again.",
    )
    group.addoption(
        "--conformance-ledger",
        dest=LEDGER,
        action="append",
        metavar="FILE",
        help="A ledger of known differences, which are expected to fail; what passes all the same fails. May be given "
        "again.",
    )
    parser.addini(
        OPTION, "As --tokenizer-conformance, one a line; not asked where paths are given.", type="linelist", default=[]
    )
    parser.addini(LEDGER, "As --conformance-ledger; relative to this file.", type="paths", default=[])


def pytest_configure(config: pytest.Config) -> None:
    """Have the requirements collected, where that is asked for."""
    config.addinivalue_line("markers", f"{OPTION}: a requirement of the suite of tokenizer-conformance")
    ids = [word for word in config.args if word.partition("::")[0] == PREFIX]
    told = getattr(config, "workerinput", None)
    if (config.getoption(OPTION) or ids or config.getini(OPTION)) if told is None else PREFIX in told:
        config.pluginmanager.register(_module("pytest_suite").plugin_of(config, ids), f"{PREFIX}-suite")


def _module(name: str) -> Any:
    return importlib.import_module(f"tokenizer_conformance.{name}")


@pytest.fixture
def conforms() -> Callable[..., None]:
    """Return ``assert_conforms``, which fails where an implementation differs on a tokenizer and texts."""
    return _module("validation.python_api.check").assert_conforms  # type: ignore[no-any-return]  # imported by its name
