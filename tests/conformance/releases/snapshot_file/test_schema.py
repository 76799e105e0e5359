"""The schema of snapshots says exactly what is written."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import jsonschema
import pytest
from snapshots import Making, Saving, named

from tokenizer_adapters import load_implementation
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer, read_tokenizer
from tokenizer_conformance.releases.snapshot_file.questions import QUESTIONS
from tokenizer_conformance.results.records.schema import schema_of
from tokenizer_conformance.results.records.snapshot import FORMAT

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

VALIDATOR = jsonschema.Draft202012Validator(schema_of(FORMAT))
INPUTS = named(["abc", "aBc d", "x", "", "zebra crossing", "éa 🎉b"])


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def test_it_is_a_schema_without_definitions_that_nothing_uses() -> None:
    jsonschema.Draft202012Validator.check_schema(schema_of(FORMAT))
    assert set(schema_of(FORMAT)["$defs"]["NamedAnswers"]["properties"]) == set(QUESTIONS)


FAKES = [
    fakes.Toy(),
    fakes.Raising(),
    fakes.Crashing(),
    fakes.Hanging(),
    fakes.Garbling(),
    fakes.Mute(),
    fakes.IdsOnly(),
    Saving('{"a": [1, null, "b"]}'),
]


@pytest.mark.parametrize("fake", FAKES, ids=lambda fake: fake.name)
def test_every_line_is_valid(fake: Implementation, tmp_path: Path, toy_file: TokenizerFile) -> None:
    making = Making(tmp_path, (toy_file,))
    making.snapshot("a", fake, INPUTS)
    lines = lines_of(tmp_path / "a")
    for line in lines:
        VALIDATOR.validate(line)
    kinds = ["header", *["input"] * len(INPUTS), "tokenizer", *["answers"] * len(INPUTS), "footer"]
    assert [line["type"] for line in lines] == kinds


def test_every_line_about_a_real_tokenizer_is_valid(tmp_path: Path) -> None:
    files = tuple(read_tokenizer(find_tokenizer(name)) for name in ("bert-mini", "options-mini"))
    Making(tmp_path, files).snapshot(
        "a", load_implementation("tokenizers"), named(["Hello  World", "naïve", "a b " * 60])
    )
    lines = lines_of(tmp_path / "a")
    for line in lines:
        VALIDATOR.validate(line)
    assert {name for line in lines if line["type"] == "answers" for name in line["answers"]} == set(QUESTIONS)


BROKEN = [
    ("header", {"version": "2.0"}),
    ("header", {"extra": 1}),
    ("input", {"text": None}),
    ("input", {"source": -1}),
    ("tokenizer", {"vocabulary": {"size": 1}}),
    ("answers", {"answers": {"normalize": {"ids": [1]}}}),
    ("answers", {"answers": {"encode": {"ids": [1], "crashed": "a"}}}),
    ("answers", {"answers": {"other": {"text": "a"}}}),
    ("footer", {"finished": "yes"}),
]


@pytest.mark.parametrize(("kind", "change"), BROKEN)
def test_what_is_no_line_is_refused(kind: str, change: dict[str, Any], tmp_path: Path, toy_file: TokenizerFile) -> None:
    Making(tmp_path, (toy_file,)).snapshot("a", fakes.Toy(), named(["a"]))
    line = next(line for line in lines_of(tmp_path / "a") if line["type"] == kind)
    assert VALIDATOR.is_valid(line)
    assert not VALIDATOR.is_valid(line | change)
