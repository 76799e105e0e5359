"""Programs on pages: they run without this project and print what the record says, or there are none."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from altered_records import read, written

from tokenizer_conformance.causes.bug.page_snippets import LONGEST_SNIPPET, is_whole, published, snippets_of
from tokenizer_conformance.report.reading import read_page

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Recorded = Callable[[str], Path]

DOCUMENT: dict[str, Any] = {
    "version": "1.0",
    "truncation": None,
    "padding": None,
    "added_tokens": [],
    "normalizer": None,
    "pre_tokenizer": None,
    "post_processor": None,
    "decoder": None,
    "model": {"type": "WordLevel", "vocab": {"a": 0, "?": 1, "'''\x1b`\u202e": 2}, "unk_token": "?"},
}
QUESTION = {"ask": "encode", "text": {"value": "a", "length": 1}, "pair": None, "add_special_tokens": False}
VERSIONS = {"tokenizers": "0.23.3", "tokie": "0.1.4"}
SIDE = {"excerpt": {"start": 0, "total": 1, "entries": [0], "tokens": ["a"]}}
DIFFERENCE: dict[str, Any] = {
    "verdict": "differ",
    "kind": "other values",
    "field": "ids",
    "party": None,
    "detail": "",
    "part": None,
    "position": 0,
    "baseline": SIDE,
    "implementation": SIDE,
}


def snippet(**changes: Any) -> tuple[Any, ...]:
    told: dict[str, Any] = {
        "document": DOCUMENT,
        "question": QUESTION,
        "difference": DIFFERENCE,
        "sides": ("tokenizers", "tokie"),
        "versions": VERSIONS,
    }
    return snippets_of(**(told | changes))


def test_a_program_asks_both_sides() -> None:
    (found,) = snippet()
    assert found.language == "python"
    assert found.needs == ("tokenizers==0.23.3", "tokie==0.1.4")
    assert found.code.isascii()
    compile(found.code, "snippet", "exec")


def test_a_program_runs_and_prints_the_answer() -> None:
    (found,) = snippet(sides=("tokie", "tokenizers"), versions={"tokenizers": "0.23.3"})
    done = subprocess.run(
        [sys.executable, "-I", "-"], input=found.code, capture_output=True, encoding="ascii", check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "tokenizers: [0]\n", "")


def test_the_package_speaks_for_its_reference() -> None:
    (found,) = snippet(sides=("reference", "tokie"))
    assert found.needs == ("tokenizers==0.23.3", "tokie==0.1.4")
    (alone,) = snippet(sides=("reference", "tokie"), versions={"reference": "0.1.0", "tokie": "0.1.4"})
    assert alone.needs == ("tokie==0.1.4",)


LONG = DOCUMENT | {"model": {"type": "WordLevel", "vocab": {"a" * LONGEST_SNIPPET: 0}, "unk_token": "?"}}


@pytest.mark.parametrize(
    "changes",
    [
        {"document": None},
        {"document": LONG},
        {"question": QUESTION | {"text": {"value": "a", "length": 2}}},
        {"sides": ("tokenizers", "mine"), "versions": VERSIONS | {"mine": "1.0"}},
        {"versions": {"tokenizers": "0.23.3"}},
        {"difference": DIFFERENCE | {"field": "word_ids"}},
    ],
    ids=["no document", "too long", "cut", "no recipe", "own program", "field not shown"],
)
def test_where_there_is_no_program(changes: dict[str, Any]) -> None:
    assert snippet(**changes) == ()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ({"ids": [1], "ids_length": 1}, True),
        ({"ids": [1], "ids_length": 2}, False),
        ({"ids": [1]}, True),
        ({"then": {"text": [{"value": "a", "length": 1}, {"value": "b", "length": 9}]}}, False),
        ({"text": [{"value": "a", "length": 1}]}, True),
    ],
)
def test_whole_questions(question: dict[str, Any], expected: bool) -> None:
    assert is_whole(question) is expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["run", "bert"], {"tokie", "kitoken"}),
        (["-i", "tokie", "command:./mine"], {"tokie"}),
        (["-i", "package.mine:Mine"], set()),
        (["-i", "tokie=command:./mine"], set()),
        (["-i", "tokie=kitoken"], {"kitoken"}),
    ],
)
def test_only_what_is_its_name_is_published(words: list[str], expected: set[str]) -> None:
    assert set(published(words, {"tokie": "1", "kitoken": "1"})) == expected


def test_causes_of_a_record_have_programs(recorded: Recorded, tmp_path: Path) -> None:
    assert not any(each.snippets for each in read_page(recorded("search")).findings)
    lines = json.loads(json.dumps(read(recorded("search"))).replace('"wrong-type"', '"tokie"'))
    for line in lines:
        if line["type"] == "cause":
            line |= {"question": QUESTION, "difference": DIFFERENCE, "tokenizer_json": DOCUMENT}
    page = read_page(written(tmp_path / "tokie.jsonl", lines))
    assert all(each.snippets for each in page.findings)
