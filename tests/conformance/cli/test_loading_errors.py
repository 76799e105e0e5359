"""Whatever command is given a file that does not load: the place in it, and what to do, are said."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tokenizer_conformance.inputs.bundled import bundled_file

if TYPE_CHECKING:
    from conftest import Tokconf

COMMANDS = {
    "run": ("run", "null.json", "-i", "tokenizers", "reference", "-k", "empty"),
    "fuzz": ("fuzz", "null.json", "--time", "1s"),
    "explain": ("explain", "null.json", "a"),
    "explain beside": ("explain", "null.json", "a", "-i", "tokenizers"),
    "vectors": ("vectors", "make", "null.json", "-o", "vectors.json"),
    "compare": ("compare", "null.json", "bert-mini", "a"),
    "metrics": ("metrics", "null.json", "bert-mini", "--inputs", "texts.txt"),
    "snapshot": ("snapshot", "null.json", "-o", "snapshot.jsonl.gz"),
    "audit loader": ("audit", "loader", "null.json", "-i", "transformers"),
    "audit offsets": ("audit", "offsets", "null.json"),
    "audit streams": ("audit", "streams", "null.json"),
    "audit file": ("audit", "file", "null.json"),
}


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_every_command_says_where_a_file_is_wrong_and_what_to_do(cli: Tokconf, words: tuple[str, ...]) -> None:
    document = json.loads(bundled_file("gpt2-mini").read_text("utf-8"))
    document["model"]["type"] = None
    Path("null.json").write_text(json.dumps(document), "utf-8")
    Path("texts.txt").write_text("a\n", "utf-8")
    result = cli(*words)
    assert result.exit_code != 0
    output = " ".join((result.stdout + result.stderr).split())
    assert "$.model.type" in output
    assert "expected the name of a model, found null" in output
    assert 'rite "BPE" there; so the file loads' in output


def test_a_snapshot_keeps_the_words_of_the_release_alone(cli: Tokconf) -> None:
    """They are compared between releases: what we say of the file must not stand in them."""
    document = json.loads(bundled_file("gpt2-mini").read_text("utf-8"))
    document["model"]["type"] = None
    Path("null.json").write_text(json.dumps(document), "utf-8")
    cli("snapshot", "null.json", "-o", "snapshot.jsonl.gz")
    lines = [json.loads(line) for line in gzip.decompress(Path("snapshot.jsonl.gz").read_bytes()).splitlines()]
    (error,) = [line["error"] for line in lines if line.get("error")]
    assert "untagged enum" in error
    assert "$.model.type" not in error
