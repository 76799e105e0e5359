"""@huggingface/tokenizers, asked by exact values: every stage, which option does what, and which files it was given."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from peer_questions import Document, Lay, Peer, Source, kept

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import (
    PIPELINE_STAGES,
    After,
    CannotLoadError,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    Failed,
    Field,
    Normalize,
    Observation,
    OffsetUnit,
    Pieces,
    PreTokenize,
    SavingSubject,
    Text,
    TokenizerSource,
    Unsupported,
)
from tokenizer_adapters.peers import tokenizers_js
from tokenizer_adapters.peers.configuration import VARIABLE
from tokenizer_adapters.selection import Isolation, select

NAME = "tokenizers-js"


def encoded(ids: tuple[int, ...], tokens: str, types: str | None = None) -> Encoded:
    """An answer with these ``tokens``, parted by spaces, and ``types``, one digit each."""
    return Encoded(
        ids=ids,
        tokens=tuple(tokens.split()),
        type_ids=None if types is None else tuple(map(int, types)),
        attention_mask=(1,) * len(ids),
    )


def bert(bundled: Source, **changes: Any) -> Document:
    document: Document = json.loads(Path(bundled("bert-mini").file).read_text(encoding="utf-8"))
    return document | changes


def test_it_says_what_it_is(peer: Peer) -> None:
    info = peer(NAME).info
    manifest = json.loads((tokenizers_js.FOLDER / "package.json").read_text(encoding="utf-8"))
    assert info.version == manifest["dependencies"]["@huggingface/tokenizers"]
    assert (info.language, info.install) == ("JavaScript", tokenizers_js.INSTALL)
    assert info.stages == frozenset(PIPELINE_STAGES)
    assert info.fields == {Field.TEXT, Field.PIECES, Field.IDS, Field.TOKENS, Field.TYPE_IDS, Field.ATTENTION_MASK}
    assert info.offset_unit is OffsetUnit.UTF16_UNITS


# What is asked, and what is answered ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("observation", "answer"),
    [
        (Normalize("É A\tb"), Text("e a b")),
        (PreTokenize("a b.É"), Pieces((("a", None), ("b", None), (".", None), ("É", None)))),
        (PreTokenize(""), Pieces(())),
        (Encode("a[SEP]É"), encoded((2, 43, 3, 47, 3), "[CLS] a [SEP] e [SEP]", "00000")),
        (Encode("a[SEP]É", add_special_tokens=False), encoded((43, 3, 47), "a [SEP] e", "000")),
        (Encode("a", "b"), encoded((2, 43, 3, 44, 3), "[CLS] a [SEP] b [SEP]", "00011")),
        (Encode("a", "b", add_special_tokens=False), encoded((43, 44), "a b", "01")),
        (Encode(""), encoded((2, 3), "[CLS] [SEP]", "00")),
        (Encode("", add_special_tokens=False), encoded((), "", "")),
        (Encode(("a", "b")), Unsupported(f"{NAME} takes no pre-split input")),
        (Encode("a", ("b",)), Unsupported(f"{NAME} takes no pre-split input")),
        (Decode((2, 43, 3, 47)), Text("a e")),
        (kept((2, 43, 3, 47)), Text("[CLS] a [SEP] e")),
        (Decode(()), Unsupported(f"{NAME} decodes one id at least")),
        (DecodeStream((43,)), Unsupported(f"{NAME} is asked to decode all ids at once, not one by one")),
        (After((), Encode("a")), Unsupported(f"{NAME} is asked about a tokenizer as its file has it, without changes")),
        (
            EncodeBatch((Encode("a"),)),
            Unsupported(f"{NAME} is asked about one input at a time, so it pads nothing to the longest of several"),
        ),
    ],
    ids=repr,
)
def test_each_question_has_its_answer(peer: Peer, bundled: Source, observation: Observation, answer: object) -> None:
    assert peer(NAME).load(bundled("bert-mini")).observe(observation) == answer


@pytest.mark.parametrize("tokenizer", ["gpt2-mini", "bert-mini", "xlnet-mini"])
def test_plain_texts_have_the_ids_tokens_and_vocabulary_of_tokenizers(
    peer: Peer, bundled: Source, tokenizer: str
) -> None:
    source = bundled(tokenizer)
    subject, expected = peer(NAME).load(source), load_implementation("tokenizers").load(source)
    assert subject.vocabulary() == expected.vocabulary()
    answer, theirs = (each.observe(Encode("Hello world, naïve cafés.")) for each in (subject, expected))
    assert (answer.ids, answer.tokens) == (theirs.ids, theirs.tokens)
    assert subject.observe(Decode(answer.ids)) == expected.observe(Decode(answer.ids))


def test_types_that_a_post_processor_does_not_give_are_not_shown(peer: Peer, bundled: Source) -> None:
    answer = peer(NAME).load(bundled("gpt2-mini")).observe(Encode("a"))
    assert (answer.ids, answer.type_ids) == ((64,), None)


def test_a_stage_that_the_file_has_not_leaves_the_text_as_it_is(peer: Peer, lay: Lay, bundled: Source) -> None:
    subject = peer(NAME).load(lay(bert(bundled, normalizer=None, pre_tokenizer=None)))
    assert subject.observe(Normalize("É A")) == Text("É A")
    assert subject.observe(PreTokenize("a b")) == Pieces((("a b", None),))
    assert subject.observe(PreTokenize("")) == Pieces(())


def test_the_first_piece_of_a_text_is_known_as_such(peer: Peer, lay: Lay, bundled: Source) -> None:
    """Metaspace puts its mark before the first section of a text alone, where its scheme is "first"."""
    first = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": True}
    subject = peer(NAME).load(lay(bert(bundled, pre_tokenizer=first)))
    assert subject.observe(PreTokenize("a")) == Pieces((("▁a", None),))


def test_there_is_an_error_and_no_null_where_a_token_has_no_id(peer: Peer, lay: Lay, bundled: Source) -> None:
    document = bert(bundled, added_tokens=[])
    document["model"]["unk_token"] = "<none>"
    answer = peer(NAME).load(lay(document)).observe(Encode("a \u4e02", add_special_tokens=False))
    assert answer == Failed("Error", 'no id for the token "<none>"')


def test_ids_without_a_token_are_none_of_the_vocabulary(peer: Peer, lay: Lay, bundled: Source) -> None:
    document = bert(bundled)
    last = len(document["model"]["vocab"])
    document["model"]["vocab"]["far"] = last + 3
    vocabulary = peer(NAME).load(lay(document)).vocabulary()
    assert isinstance(vocabulary, dict)
    assert vocabulary == document["model"]["vocab"]
    assert "undefined" not in vocabulary


def test_it_saves_nothing(peer: Peer, bundled: Source) -> None:
    subject = peer(NAME).load(bundled("bert-mini"))
    assert isinstance(subject, SavingSubject)
    assert subject.saved() == Unsupported(f"{NAME} writes no tokenizer.json")


# The configuration ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clean_up", "text"), [({"clean_up_tokenization_spaces": True}, "a, b"), ({}, "a , b"), (None, "a , b")]
)
def test_spaces_are_cleaned_up_where_the_configuration_says_so(
    peer: Peer, lay: Lay, byte_level: Document, clean_up: dict[str, bool] | None, text: str
) -> None:
    source = lay(byte_level)
    configuration = Path(source.file).with_name("tokenizer_config.json")
    if clean_up is not None:
        configuration.write_text(json.dumps(clean_up), encoding="utf-8")
    ids = load_implementation("tokenizers").load(source).observe(Encode("a , b")).ids
    subject = peer(NAME).load(source)
    assert subject.files == ((source.file,) if clean_up is None else (source.file, str(configuration)))
    assert subject.observe(Decode(ids)) == Text(text)
    assert subject.observe(kept(ids)) == Text(text)


def test_a_configuration_counts_for_its_own_tokenizer_alone(peer: Peer, bundled: Source, tmp_path: Path) -> None:
    content = Path(bundled("gpt2-mini").file).read_text(encoding="utf-8")
    subjects = []
    for name, configuration in [("tidy", {"clean_up_tokenization_spaces": True}), ("plain", {})]:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "tokenizer.json").write_text(content, encoding="utf-8")
        (folder / "tokenizer_config.json").write_text(json.dumps(configuration), encoding="utf-8")
        subjects.append(peer(NAME).load(TokenizerSource(name, str(folder / "tokenizer.json"), str(folder))))
    ids = subjects[0].observe(Encode("a , b")).ids
    assert [subject.observe(Decode(ids)) for subject in (*subjects, subjects[0])] == [
        Text("a, b"),
        Text("a , b"),
        Text("a, b"),
    ]


@pytest.mark.parametrize("selected", [False, True])
@pytest.mark.parametrize("wanted", [None, "given"])
def test_a_stub_is_given_as_transformers_saves_it(
    peer: Peer, checkpoint: Source, monkeypatch: pytest.MonkeyPatch, selected: bool, wanted: str | None
) -> None:
    version = pytest.importorskip("transformers", reason="transformers is not installed").__version__
    if wanted is not None:
        monkeypatch.setenv(VARIABLE, wanted)
    source = checkpoint("bert-base-uncased")
    implementation = peer(NAME)
    if selected:
        implementation = select(NAME, Isolation()).build()
    subject = implementation.load(source)
    said = f" (as save_pretrained of transformers {version} writes it)" if wanted is None else ""
    assert [Path(file).name for file in subject.files] == ["tokenizer.json", f"tokenizer_config.json{said}"]
    assert subject.observe(Encode("a[SEP]")).ids == (101, 1037, 102, 102)


def test_another_choice_of_configuration_is_refused(
    peer: Peer, bundled: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "other")
    with pytest.raises(CannotLoadError, match=rf"^{NAME} cannot load bert-mini \(.*\): the environment .* is 'other'"):
        peer(NAME).load(bundled("bert-mini"))


@pytest.mark.parametrize("content", ["", "{", "[]", "{}"])
def test_what_is_no_tokenizer_is_refused_in_one_line(peer: Peer, tmp_path: Path, content: str) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(CannotLoadError, match="tokenizers-js cannot load broken") as caught:
        peer(NAME).load(TokenizerSource("broken", str(file)))
    assert "\n" not in str(caught.value)


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

Answers = Callable[..., list[Document]]


@pytest.fixture
def worker(tmp_path: Path) -> Answers:
    """A function that runs the program with :data:`LIBRARY`, returns its answers and prints its standard error."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    package = tmp_path / "node_modules" / "@huggingface" / "tokenizers"
    (package / "dist").mkdir(parents=True)
    manifest = {"name": "@huggingface/tokenizers", "version": "7.8.9", "main": "./dist/tokenizers.mjs"}
    (package / "package.json").write_text(json.dumps(manifest), encoding="utf-8")
    (package / "dist" / "tokenizers.mjs").write_text(LIBRARY, encoding="utf-8")
    program = tmp_path / "worker.mjs"
    shutil.copyfile(tokenizers_js.FOLDER / "worker.mjs", program)
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")

    def answers(*requests: Document) -> list[Document]:
        lines = "".join(json.dumps({"id": id_, **request}) + "\n" for id_, request in enumerate(requests))
        done = subprocess.run([node, str(program)], input=lines, capture_output=True, text=True, check=True, timeout=60)
        print(done.stderr, end="")
        return [json.loads(line) for line in done.stdout.splitlines()]

    return answers


def read(tmp_path: Path, name: str, *, folder: bool = True) -> Document:
    """A request to load the tokenizer ``name``."""
    place = tmp_path / name
    return {"do": "load", "file": str(place / "tokenizer.json")} | ({"folder": str(place)} if folder else {})


ENCODE = {"do": "observe", "ask": "encode", "text": "a", "add_special_tokens": True}
DECODE = {"do": "observe", "ask": "decode", "ids": [1, 2], "skip_special_tokens": True}


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
