"""``tokconf diff`` of two tokenizer.json: what changed, which texts that touches, and which part carries it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from line_schema import validator_of

from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_conformance.results.records.loader_audit import FORMAT
from tokenizer_conformance.results.records.schema import schema_of

if TYPE_CHECKING:
    from conftest import Tokconf


def revision(name: str, pattern: str) -> dict[str, Any]:
    """Write gpt2-mini with a Split by ``pattern`` into the folder ``name``, and return the document."""
    document: dict[str, Any] = json.loads(bundled_file("gpt2-mini").read_text("utf-8"))
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    document["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [split, level]}
    write(name, document)
    return document


def write(name: str, document: dict[str, Any]) -> None:
    Path(name).mkdir(exist_ok=True)
    (Path(name) / "tokenizer.json").write_text(json.dumps(document), "utf-8")


def words(text: str) -> str:
    return " ".join(text.split())


def lines_in(path: str) -> list[dict[str, Any]]:
    validator = validator_of(schema_of(FORMAT))
    lines = [json.loads(line) for line in Path(path).read_text("ascii").splitlines()]
    for line in lines:
        validator.validate(line)
    return lines


@pytest.mark.long
def test_what_changed_is_told_part_by_part_with_the_texts_it_touches(cli: Tokconf) -> None:
    revision("old", r" ?\p{L}+")
    document = revision("new", r" ?\p{L}")
    document["added_tokens"].append({**document["added_tokens"][0], "id": 2000, "content": "<new>"})
    write("new", document)
    Path("texts.txt").write_text("the and\n1 2\n", "utf-8")
    result = cli("diff", "old", "new/tokenizer.json", "--inputs", "texts.txt", "--json", "r.jsonl", "--junit", "r.xml")
    output = words(result.output)
    assert result.exit_code == 1
    assert "old -> new: changed: added_tokens, pre_tokenizer." in output
    assert 'added_tokens.further: "<new>" new' in output
    assert r'pre_tokenizer.pretokenizers[0].pattern.Regex: " ?\\p{L}+" -> " ?\\p{L}"' in output
    assert "The pre-tokenizer's Split pattern carries all" in output
    assert 'Encoded differently: "the and"' in output
    assert "as loaded" not in output
    assert "loader" not in output
    lines = lines_in("r.jsonl")
    assert (lines[0]["audit"], lines[0]["new"]["name"]) == ("files", "new")
    (texts,) = [line for line in lines if line["type"] == "texts"]
    assert texts["exchanged"]["is_all"]
    assert [each["parts"][0]["path"] for each in texts["exchanged"]["carriers"]] == [
        "$.pre_tokenizer.pretokenizers[0].pattern.Regex"
    ]
    assert "new" in Path("r.xml").read_text("utf-8")


@pytest.mark.long
def test_entries_of_the_vocabulary_are_counted_with_examples(cli: Tokconf) -> None:
    document = revision("old", r" ?\p{L}+")
    vocabulary = document["model"]["vocab"]
    one, other = list(vocabulary)[-2:]
    vocabulary[one], vocabulary[other] = vocabulary[other], vocabulary[one]
    vocabulary["qqqq"] = 2001
    write("new", document)
    output = words(cli("diff", "old", "new").output)
    assert "model.vocab: 2 tokens with another id, 1 token new" in output
    assert 'model.vocab["qqqq"]: nothing -> 2001' in output
    assert "The vocabulary carries" in output


@pytest.mark.long
def test_every_way_in_which_texts_differ_is_asked_about(cli: Tokconf) -> None:
    """Thousands of texts of one change must not hide the few of another: both parts are named."""
    document = revision("old", r" ?\p{L}+")
    document = revision("new", r" ?\p{L}")
    document["decoder"] = None
    write("new", document)
    output = words(cli("diff", "old", "new").output)
    assert "The pre-tokenizer's Split pattern and the decoder together carry all" in output


def test_two_files_that_say_the_same_conform(cli: Tokconf) -> None:
    document = revision("old", r" ?\p{L}+")
    write("new", {key: document[key] for key in sorted(document)})
    result = cli("diff", "old", "new")
    assert result.exit_code == 0
    assert "old -> new: every part is the same. All answers to" in words(result.output)


def test_a_new_file_that_does_not_load_is_told_with_the_place(cli: Tokconf) -> None:
    document = revision("old", r" ?\p{L}+")
    document["model"]["type"] = None
    write("new", document)
    result = cli("diff", "old", "new")
    assert result.exit_code == 3
    assert "old -> new: not loaded" in words(result.output)
    assert "$.model.type (in the model)" in words(result.output)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("bert-mini", "gpt2-mini", "--stage", "model"), "--stage means nothing between two tokenizers"),
        (("bert-mini", "gpt2-mini", "--jobs", "2"), "--jobs means nothing between two tokenizers"),
        (("bert-mini", "gpt2-mini", "--shard", "1/2"), "--shard means nothing between two tokenizers"),
        (("old",), "'old' is a tokenizer: give the other one, too (tokconf diff OLD NEW)"),
        (("bert-mini", "bert-mini"), "'bert-mini' and 'bert-mini' are one file"),
        (("old", "nowhere.json"), "tokenizer 'nowhere.json': no such file or folder"),
        (("absent.jsonl", "--inputs", "texts.txt"), "--inputs and --column are of two tokenizers"),
    ],
)
def test_what_cannot_be_compared_is_refused(cli: Tokconf, arguments: tuple[str, ...], message: str) -> None:
    revision("old", r" ?\p{L}+")
    result = cli("diff", *arguments)
    assert result.exit_code == 2
    assert message in words(result.stderr)
