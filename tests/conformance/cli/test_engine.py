"""The option ``--engine``."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

import pytest

from tokenizer_conformance.cli.engine_option import ENGINES
from tokenizer_conformance.command_io.pools import Engine

if TYPE_CHECKING:
    from conftest import Tokconf


@pytest.mark.parametrize(
    "command",
    [
        ("run", "gpt2-mini"),
        ("metrics", "gpt2-mini", "--inputs", "texts.txt"),
        ("snapshot", "gpt2-mini", "-o", "file"),
        ("compare", "gpt2-mini", "bert-mini", "a text"),
    ],
)
def test_where_ray_is_not_installed_it_is_said_how_to(
    cli: Tokconf, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    result = cli(*command, "--engine", "ray")
    assert result.exit_code == 2
    assert "--engine ray needs Ray, which is not installed" in result.stderr
    assert "pip install 'tokenizer-conformance[ray]'" in result.stderr


def test_the_engines_of_the_option_are_those_that_there_are() -> None:
    assert list(Engine) == list(ENGINES)
