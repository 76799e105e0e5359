"""Records of fuzzing and of searches compared: what is new and fixed only where the same was asked."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from record_pairs import MIRRORED, Compared

from tokenizer_conformance.cli import main
from tokenizer_conformance.releases.diff.records.changes import Change

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Fuzzed = Callable[..., Path]

RANDOM = ("--tokenizers", "4", "--texts", "3", "--seed", "1")
SEARCH = ("bert-mini", "--cases", "12", "--seed", "1")


@pytest.fixture
def fuzzed(plugin: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Fuzzed:
    """A function that writes the record of ``tokconf fuzz`` on a planted fault."""
    monkeypatch.syspath_prepend(str(plugin))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOKCONF_IN_PROCESS", "all")
    numbers = iter(range(100))

    def write(fault: str, *options: str) -> Path:
        path = tmp_path / f"fuzz-{next(numbers)}.jsonl"
        arguments = ["fuzz", *options, "-i", fault, "--baseline", "tokenizers", "--json", str(path)]
        monkeypatch.setattr(sys, "argv", ["tokconf", *arguments])
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code in (0, 1), result.output
        return path

    return write


@pytest.mark.long
@pytest.mark.parametrize(
    ("options", "fault"), [pytest.param(RANDOM, "no-overflow", marks=pytest.mark.slow), (SEARCH, "wrong-type")]
)
def test_faults_that_come_and_go(fuzzed: Fuzzed, options: tuple[str, ...], fault: str) -> None:
    sound, faulty = fuzzed("sound", *options), fuzzed(fault, *options)
    forth, back = Compared(sound, faulty, [f"sound={fault}"]), Compared(faulty, sound, [f"{fault}=sound"])
    assert forth.told("new")
    assert forth.last.exit_status == 1
    assert back.last.exit_status == 0
    assert sorted(MIRRORED[each.change] for each in forth.found) == sorted(each.change for each in back.found)
    assert {each.change for each in Compared(faulty, faulty).found} <= {Change.SAME}


def test_another_seed_asks_something_else(fuzzed: Fuzzed) -> None:
    sound = fuzzed("sound", *RANDOM)
    other = sound.with_name("other.jsonl")
    other.write_text(sound.read_text("ascii").replace('"seed": 1', '"seed": 2', 1), "ascii")
    compared = Compared(sound, other)
    assert compared.plan.remarks == ("--seed: 1 then, 2 now",)
    assert compared.last.exit_status == 3
