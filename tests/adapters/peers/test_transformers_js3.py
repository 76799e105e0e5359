"""@huggingface/transformers 3: what it says of itself, what it does alone, and which options it is given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from node_workers import DECODE, ENCODE, laid_out, read
from peer_questions import plain

from tokenizer_adapters.contract import (
    PIPELINE_STAGES,
    Decode,
    Encode,
    Field,
    OffsetUnit,
    Stage,
    Text,
    TokenizerSource,
    shows_of,
)
from tokenizer_adapters.peers.transformers_js3 import TransformersJs3Implementation

if TYPE_CHECKING:
    from node_workers import Answers
    from peer_questions import Document, Peer, Source

NAME = "transformers-js-3"


def test_it_says_what_it_is(peer: Peer) -> None:
    info = peer(NAME).info
    manifest = json.loads((TransformersJs3Implementation.folder() / "package.json").read_text(encoding="utf-8"))
    assert info.version == manifest["dependencies"]["@huggingface/transformers"]
    assert (info.language, info.install) == ("JavaScript", TransformersJs3Implementation.install())
    assert info.stages == {*PIPELINE_STAGES, Stage.CHAT}
    assert info.fields == {Field.TEXT, Field.PIECES, Field.IDS, Field.TOKENS, Field.TYPE_IDS, Field.ATTENTION_MASK}
    assert info.offset_unit is OffsetUnit.UTF16_UNITS


def test_prompts_are_shown_beside_the_stages(peer: Peer, bundled: Source) -> None:
    implementation = peer(NAME)
    shows = shows_of(implementation.load(bundled("gpt2-mini")), implementation.info)
    assert shows == {
        Stage.NORMALIZE: {Field.TEXT},
        Stage.PRE_TOKENIZE: {Field.PIECES},
        Stage.MODEL: {Field.IDS, Field.TOKENS, Field.ATTENTION_MASK},
        Stage.POST_PROCESS: {Field.IDS, Field.TOKENS, Field.ATTENTION_MASK},
        Stage.DECODE: {Field.TEXT},
        Stage.CHAT: {Field.TEXT, Field.IDS},
    }


def test_an_empty_second_text_is_one(peer: Peer, bundled: Source) -> None:
    assert peer(NAME).load(bundled("bert-mini")).observe(Encode("a", "")).ids == (2, 43, 3, 3)


def test_byte_level_joins_the_texts(peer: Peer, bundled: Source) -> None:
    assert peer(NAME).load(bundled("gpt2-mini")).observe(Encode("a", "b")).ids == (64, 65)


# The class ------------------------------------------------------------------------------------------------------------

LLAMA = {"tokenizer_class": "LlamaTokenizer", "legacy": False, "unk_token": "[UNK]"}


def beside(folder: Path, source: TokenizerSource, configuration: Document, name: str = "tokenizer.json") -> Path:
    """Copy the file of ``source`` into ``folder`` as ``name``, with ``configuration`` beside it."""
    file = folder / name
    file.write_bytes(Path(source.file).read_bytes())
    (folder / "tokenizer_config.json").write_text(json.dumps(configuration), encoding="utf-8")
    return file


@pytest.mark.parametrize(("class_", "text"), [("VitsTokenizer", "##b"), ("NoSuchTokenizer", "ab")])
def test_the_class_is_the_one_that_the_configuration_names(
    peer: Peer, bundled: Source, tmp_path: Path, class_: str, text: str
) -> None:
    file = beside(tmp_path, bundled("bert-mini"), {"tokenizer_class": class_})
    subject = peer(NAME).load(TokenizerSource("named", str(file), str(tmp_path)))
    ids = [subject.vocabulary()[token] for token in ("a", "##b")]
    assert subject.observe(Decode(tuple(ids))) == Text(text)


def test_beside_a_file_of_another_name_the_class_is_the_one_for_all(
    peer: Peer, bundled: Source, tmp_path: Path
) -> None:
    configuration = {"tokenizer_class": "VitsTokenizer", "do_lowercase_and_remove_accent": True}
    file = beside(tmp_path, bundled("gpt2-mini"), configuration, "other.json")
    subject = peer(NAME).load(TokenizerSource("other", str(file), str(tmp_path)))
    assert subject.observe(plain("A\u0301")).tokens == ("a",)
    assert subject.observe(Decode((220, 64))) == Text(" a")


def test_the_normalizer_and_the_pre_tokenizer_are_those_of_the_file(
    peer: Peer, bundled: Source, tmp_path: Path
) -> None:
    """The class of Llama replaces both, unless it is told to do as it did before."""
    file = beside(tmp_path, bundled("bert-mini"), LLAMA)
    subject = peer(NAME).load(TokenizerSource("llama", str(file), str(tmp_path)))
    assert subject.observe(plain("É b")).tokens == ("e", "b")


def test_a_folder_is_named_from_the_working_directory(
    peer: Peer, bundled: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And is not taken for the name of a model."""
    beside(tmp_path, bundled("bert-mini"), LLAMA)
    monkeypatch.chdir(tmp_path.parent)
    subject = peer(NAME).load(TokenizerSource("relative", f"{tmp_path.name}/tokenizer.json", tmp_path.name))
    assert subject.observe(plain("a")).ids == (43,)


# What the library is told, shown by one that stands in its place ------------------------------------------------------

LIBRARY = """
console.log("imported");
export const env = {};
export function PreTrainedTokenizer(document, configuration) {
  console.info("made");
  const tokenizer = (text, options) => {
    console.debug("encoded");
    return { input_ids: [1], attention_mask: [JSON.stringify([text, options])], token_type_ids: [2] };
  };
  tokenizer.tokenize = (text, options) => [JSON.stringify([text, options])];
  tokenizer.decode = (ids, options) => JSON.stringify([ids, options, document, configuration]);
  tokenizer.model = { tokens_to_ids: new Map([["a", 1]]) };
  return tokenizer;
}
export const AutoTokenizer = {
  from_pretrained: async (folder, options) => new PreTrainedTokenizer(folder, { ...options, env }),
};
"""
CONFIGURATION = {"clean_up_tokenization_spaces": True, "more": 1}
FILES: dict[str, Document] = {
    "lone/tokenizer.json": {"is": "lone"},
    "tidy/tokenizer.json": {"is": "tidy"},
    "tidy/tokenizer_config.json": CONFIGURATION,
}


@pytest.fixture
def worker(tmp_path: Path) -> Answers:
    """A function that runs the program with :data:`LIBRARY`: see :func:`laid_out`."""
    return laid_out(tmp_path, TransformersJs3Implementation.folder(), "@huggingface/transformers", LIBRARY, FILES)


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
    _, answer = worker(read(tmp_path, "lone"), ENCODE | question)
    value = answer["value"]
    assert (value["ids"], value["type_ids"]) == ([1], [2])
    options = {"text_pair": pair, "add_special_tokens": special, "return_tensor": False, "return_token_type_ids": True}
    assert json.loads(value["attention_mask"][0]) == ["a", options]
    assert json.loads(value["tokens"][0]) == ["a", {"pair": pair, "add_special_tokens": special}]


@pytest.mark.parametrize("skips", [True, False])
def test_the_library_reads_the_folder_where_it_has_a_configuration(
    worker: Answers, tmp_path: Path, skips: bool
) -> None:
    ask = DECODE | {"skip_special_tokens": skips}
    requests = (read(tmp_path, "tidy"), ask, read(tmp_path, "lone"), ask, read(tmp_path, "tidy", folder=False), ask)
    tidy, lone, alone = (json.loads(answer["value"]["text"]) for answer in worker(*requests)[1::2])
    cleaned, plainly = ({"skip_special_tokens": skips, "clean_up_tokenization_spaces": each} for each in (True, False))
    environment = {"allowRemoteModels": False, "useFSCache": False}
    options = {"local_files_only": True, "legacy": True, "env": environment}
    assert tidy == [[1, 2], cleaned, str(tmp_path / "tidy"), options]
    assert lone == [[1, 2], plainly, {"is": "lone"}, {}]
    assert alone == [[1, 2], plainly, {"is": "tidy"}, {}]


def test_what_the_library_prints_stands_among_no_answers(
    worker: Answers, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = worker({"do": "start", "protocol": 1}, read(tmp_path, "lone"), ENCODE, {"do": "stop"})
    assert [answer["id"] for answer in answers] == [0, 1, 2, 3]
    assert answers[0]["value"]["version"] == "7.8.9"
    assert capsys.readouterr().out.split() == ["imported", "made", "encoded", "encoded"]
