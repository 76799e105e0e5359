"""@huggingface/tokenizers: what it says of itself, what it does alone, and which options it is given."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from node_workers import DECODE, ENCODE, laid_out, read

from tokenizer_adapters.contract import PIPELINE_STAGES, Encode, Field, OffsetUnit
from tokenizer_adapters.peers.tokenizers_js import TokenizersJsImplementation

if TYPE_CHECKING:
    from pathlib import Path

    from node_workers import Answers
    from peer_questions import Document, Peer, Source

NAME = "tokenizers-js"


def test_it_says_what_it_is(peer: Peer) -> None:
    info = peer(NAME).info
    manifest = json.loads((TokenizersJsImplementation.folder() / "package.json").read_text(encoding="utf-8"))
    assert info.version == manifest["dependencies"]["@huggingface/tokenizers"]
    assert (info.language, info.install) == ("JavaScript", TokenizersJsImplementation.install())
    assert info.stages == frozenset(PIPELINE_STAGES)
    assert info.fields == {Field.TEXT, Field.PIECES, Field.IDS, Field.TOKENS, Field.TYPE_IDS, Field.ATTENTION_MASK}
    assert info.offset_unit is OffsetUnit.UTF16_UNITS


def test_an_empty_second_text_counts_as_none(peer: Peer, bundled: Source) -> None:
    assert peer(NAME).load(bundled("bert-mini")).observe(Encode("a", "")).ids == (2, 43, 3)


# What the library is told, shown by one that stands in its place ------------------------------------------------------

LIBRARY = """
console.log("imported");
export class Tokenizer {
  constructor(document, configuration) {
    console.log("read");
    if (document.refused) throw new TypeError("it is refused");
    this.given = [document, configuration];
  }
  encode(text, options) {
    console.info("encoded");
    return { ids: [1], tokens: [JSON.stringify([text, options])], attention_mask: [1] };
  }
  decode(ids, options) {
    console.debug("decoded");
    return JSON.stringify([ids, options, ...this.given]);
  }
}
"""
FILES: dict[str, Document] = {
    "good/tokenizer.json": {"is": "good"},
    "tidy/tokenizer.json": {"is": "tidy"},
    "tidy/tokenizer_config.json": {"clean_up_tokenization_spaces": True, "more": 1},
    "bad/tokenizer.json": {"refused": True},
}


@pytest.fixture
def worker(tmp_path: Path) -> Answers:
    """A function that runs the program with :data:`LIBRARY`: see :func:`laid_out`."""
    return laid_out(tmp_path, TokenizersJsImplementation.folder(), "@huggingface/tokenizers", LIBRARY, FILES)


@pytest.mark.parametrize(
    ("question", "pair", "special"),
    [
        ({}, None, True),
        ({"pair": ""}, "", True),
        ({"pair": "b"}, "b", True),
        ({"add_special_tokens": False}, None, False),
    ],
)
def test_the_library_is_given_the_question_as_it_is(
    worker: Answers, tmp_path: Path, question: Document, pair: str | None, special: bool
) -> None:
    _, answer = worker(read(tmp_path, "good"), ENCODE | question)
    options = {"text_pair": pair, "add_special_tokens": special, "return_token_type_ids": True}
    assert json.loads(answer["value"]["tokens"][0]) == ["a", options]


@pytest.mark.parametrize("skips", [True, False])
def test_the_library_is_given_the_configuration_of_its_own_tokenizer(
    worker: Answers, tmp_path: Path, skips: bool
) -> None:
    ask = DECODE | {"skip_special_tokens": skips}
    requests = (read(tmp_path, "tidy"), ask, read(tmp_path, "good"), ask, read(tmp_path, "tidy", folder=False), ask)
    tidy, good, lone = (json.loads(answer["value"]["text"]) for answer in worker(*requests)[1::2])
    assert tidy == [
        [1, 2],
        {"skip_special_tokens": skips, "clean_up_tokenization_spaces": True},
        {"is": "tidy"},
        {"clean_up_tokenization_spaces": True, "more": 1},
    ]
    plain = {"skip_special_tokens": skips, "clean_up_tokenization_spaces": False}
    assert good == [[1, 2], plain, {"is": "good"}, {}]
    assert lone == [[1, 2], plain, {"is": "tidy"}, {}]


def test_what_the_library_prints_stands_among_no_answers(
    worker: Answers, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = worker({"do": "start", "protocol": 1}, read(tmp_path, "good"), ENCODE, DECODE, {"do": "stop"})
    assert [answer["id"] for answer in answers] == [0, 1, 2, 3, 4]
    assert answers[0]["value"]["version"] == "7.8.9"
    assert capsys.readouterr().out.split() == ["imported", "read", "encoded", "encoded", "decoded"]


def test_after_a_load_that_failed_no_tokenizer_answers(worker: Answers, tmp_path: Path) -> None:
    _, before, refused, after = worker(read(tmp_path, "good"), ENCODE, read(tmp_path, "bad"), ENCODE)
    assert "value" in before
    assert refused == {"id": 2, "error": {"kind": "TypeError", "message": "it is refused"}}
    assert after == {"id": 3, "error": {"kind": "Error", "message": "no tokenizer is loaded"}}
