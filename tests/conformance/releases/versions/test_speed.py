from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.contract import TokenizerSource
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer
from tokenizer_conformance.releases.versions.facts import NoFactsError
from tokenizer_conformance.releases.versions.speed import MEASURES, measure, rows, sample
from tokenizer_conformance.results.records.versions import Row

if TYPE_CHECKING:
    from faulty_releases import MadeUp

SOURCE = TokenizerSource("toy", "toy.json")


def test_releases_take_turns_and_each_begins_once() -> None:
    asked: list[str] = []

    def ask(word: str, _question: str) -> dict[str, float]:
        asked.append(word)
        return {"load": 1.0}

    measure(["a", "b", "c"], SOURCE, ["text"], 3, ask)
    assert asked == ["a", "b", "c", "b", "c", "a", "c", "a", "b"]


def test_a_ratio_is_of_one_round() -> None:
    # Round two is ten times slower for both: the release is twice as slow in each.
    measured = {"a": [{"load": 1.0}, {"load": 10.0}], "b": [{"load": 2.0}, {"load": 20.0}]}
    assert rows(measured)[1] == Row(release="b", measure="load", median=11.0, ratio=2.0, spread=(2.0, 2.0))


def test_a_release_that_fails_has_no_rows_and_is_not_asked_again() -> None:
    asked: list[str] = []

    def ask(word: str, _question: str) -> dict[str, float]:
        asked.append(word)
        if word == "b":
            raise NoFactsError("it crashed")
        return {"load": 1.0}

    speeds = measure(["a", "b"], SOURCE, ["text"], 3, ask)
    assert speeds.missing == {"b": "it crashed"}
    assert {row.release for row in speeds.rows} == {"a"}
    assert asked.count("b") == 1


def test_without_any_measure_there_are_no_rows() -> None:
    assert rows({}) == ()


def test_what_is_installed_is_measured() -> None:
    speeds = measure(["tokenizers"], find_tokenizer("bert-mini"), sample()[:20], 1)
    assert speeds.missing == {}
    assert [row.measure for row in speeds.rows] == list(MEASURES)
    assert all(row.median > 0 and row.ratio == 1 for row in speeds.rows)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import os; os._exit(7)", "ended with exit status 7"),
        ("raise RuntimeError('no luck')", "RuntimeError: no luck"),
    ],
)
def test_a_release_that_does_not_run_says_how(made_up: MadeUp, code: str, words: str) -> None:
    word = made_up("1.0", {"__init__.py": code})
    speeds = measure([word], find_tokenizer("bert-mini"), ["text"], 1)
    assert words in speeds.missing[word]


def test_other_packages_are_not_measured() -> None:
    assert "is not measured" in measure(["tiktoken"], SOURCE, ["text"], 1).missing["tiktoken"]
    assert "no release of a package" in measure(["command:x"], SOURCE, ["text"], 1).missing["command:x"]


def test_memory_is_that_of_the_release(made_up: MadeUp) -> None:
    # A release that takes 100 MB more shows them.
    tokenizer = """
class Encoding:
    ids = [1]
class Tokenizer:
    ballast = bytearray({size})
    @staticmethod
    def from_file(file): return Tokenizer()
    def encode(self, text): return Encoding()
    def encode_batch(self, texts): return [Encoding() for _ in texts]
    def decode(self, ids): return ""
"""
    ballast = "bytes(b'x') * (100 << 20)"
    small = made_up("1.0", {"__init__.py": tokenizer.replace("{size}", "1")})
    large = made_up("2.0", {"__init__.py": tokenizer.replace("bytearray({size})", ballast)})
    speeds = measure([small, large], find_tokenizer("bert-mini"), ["text"], 1)
    memory = {row.release: row.median for row in speeds.rows if row.measure == "peak memory"}
    assert memory[large] - memory[small] > 90 << 20
