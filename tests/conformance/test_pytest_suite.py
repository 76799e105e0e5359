"""What is asked for of the suite, on a command line of pytest or in its file."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tokenizer_conformance.pytest_plugin import LEDGER, OPTION
from tokenizer_conformance.pytest_suite import _settled

ARGS, FILE = pytest.Config.ArgsSource.ARGS, pytest.Config.ArgsSource.INVOCATION_DIR


@dataclass
class Given:
    """As much of pytest's configuration as is asked."""

    args: list[str]
    options: dict[str, Any]
    of_file: dict[str, Any]
    args_source: Any = ARGS
    taken: list[str] = field(default_factory=list)

    def getoption(self, name: str) -> Any:
        return self.options.get(name)

    def getini(self, name: str) -> Any:
        return self.of_file.get(name, [])


def settled(args: list[str], ids: list[str], source: Any = ARGS, **given: dict[str, Any]) -> tuple[Any, list[str]]:
    config = Given(args, given.get("options", {}), given.get("of_file", {}), source)
    return _settled(config, ids), config.args  # type: ignore[arg-type]


def test_words_of_the_command_line_go_before_those_of_the_file() -> None:
    of_file = {OPTION: ["mine", "yours", "mine"], LEDGER: [Path.cwd() / "known.toml", Path("/elsewhere/known.toml")]}
    found, args = settled(["tests"], [], FILE, of_file=of_file)
    assert (found.words, found.ledgers, found.ids) == (["mine", "yours"], ["known.toml", "/elsewhere/known.toml"], [])
    assert args == ["tests"]
    options = {OPTION: ["other"], LEDGER: ["a.toml"]}
    found, _ = settled(["tests"], [], ARGS, options=options, of_file=of_file)
    assert (found.words, found.ledgers) == (["other"], ["a.toml"])


def test_who_names_a_path_is_not_asked_about_what_the_file_says_but_who_names_a_requirement_is() -> None:
    of_file = {OPTION: ["mine"]}
    assert settled(["tests/test_a.py"], [], ARGS, of_file=of_file)[0].words == []
    found, args = settled(["suite::A", "tests/test_a.py"], ["suite::A"], ARGS, of_file=of_file)
    assert (found.words, found.ids, args) == (["mine"], ["suite::A"], ["tests/test_a.py"])


def test_a_requirement_without_an_implementation_is_refused() -> None:
    with pytest.raises(pytest.UsageError, match="suite::A: say which implementation is asked"):
        settled(["suite::A"], ["suite::A"])
    assert settled(["suite::A"], ["suite::A"], options={OPTION: ["mine"]})[0].words == ["mine"]
    assert settled([], [])[0].words == []
