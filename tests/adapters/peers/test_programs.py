"""Peers that run as programs, and `transformers` through a named class: what they show, or say without it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import (
    CannotLoadError,
    Decode,
    Encode,
    Encoded,
    Failed,
    Field,
    Implementation,
    Normalize,
    Pieces,
    PreTokenize,
    Stage,
    Text,
    TokenizerSource,
    UnavailableError,
    Unsupported,
)
from tokenizer_adapters.peers import tokenizers_js, transformers4, transformers_class
from tokenizer_conformance.cli import main

Document = dict[str, Any]
Lay = Callable[[Document], TokenizerSource]
Peer = Callable[[str], Implementation]
Source = Callable[[str], TokenizerSource]

BUNDLED = ("gpt2-mini", "bert-mini", "xlnet-mini")
PLAIN_TEXT = "Hello world, naïve cafés."
VERSION_4 = ("transformers-4-fast", "transformers-4-slow")


def same_ids(peer: Implementation, source: TokenizerSource) -> bool:
    given = Encode(PLAIN_TEXT)
    answers = [each.load(source).observe(given) for each in (peer, load_implementation("tokenizers"))]
    assert all(isinstance(answer, Encoded) for answer in answers)
    return answers[0].ids == answers[1].ids


# Without them ---------------------------------------------------------------------------------------------------------


def test_without_node_or_the_package_the_command_that_installs_it_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tokenizers_js, "PACKAGE", tmp_path / "none")
    monkeypatch.setattr(shutil, "which", lambda _: "/bin/node")
    with pytest.raises(
        UnavailableError, match=r"^tokenizers-js is not installed; install it with: npm install --prefix"
    ):
        load_implementation("tokenizers-js")
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(UnavailableError, match=r"^tokenizers-js is not installed: it runs on Node; .*npm install"):
        load_implementation("tokenizers-js")


@pytest.mark.parametrize("name", VERSION_4)
def test_without_an_environment_with_version_4_the_commands_that_make_one_are_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    monkeypatch.setenv(transformers4.VARIABLE, str(tmp_path))
    with pytest.raises(UnavailableError, match=f"^{name} is not installed; install it with: python -m venv .*<5'"):
        load_implementation(name)


def test_the_package_manifest_pins_the_version() -> None:
    manifest = json.loads((tokenizers_js.FOLDER / "package.json").read_text(encoding="utf-8"))
    (version,) = manifest["dependencies"].values()
    assert version.replace(".", "").isdigit()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tokenizers-js", "transformers-4-fast"])
def test_it_speaks_the_protocol(peer: Peer, name: str) -> None:
    peer(name)
    result = CliRunner().invoke(main, ["implementations", "check", name, "--timeout", "100"])
    assert result.exit_code == 0, result.output
    assert "observe decode" in result.output


# JavaScript -----------------------------------------------------------------------------------------------------------


def test_javascript_says_what_it_is(peer: Peer) -> None:
    info = peer("tokenizers-js").info
    manifest = json.loads((tokenizers_js.FOLDER / "package.json").read_text(encoding="utf-8"))
    assert info.version == manifest["dependencies"]["@huggingface/tokenizers"]
    assert (info.language, info.install) == ("JavaScript", tokenizers_js.INSTALL)
    assert info.stages == frozenset(Stage)
    assert Field.OFFSETS not in info.fields


@pytest.mark.parametrize("tokenizer", BUNDLED)
def test_javascript_gives_the_ids_of_tokenizers_for_a_plain_text(peer: Peer, bundled: Source, tokenizer: str) -> None:
    assert same_ids(peer("tokenizers-js"), bundled(tokenizer))


def test_javascript_shows_every_stage(peer: Peer, bundled: Source) -> None:
    source = bundled("bert-mini")
    subject = peer("tokenizers-js").load(source)
    expected = load_implementation("tokenizers").load(source)
    assert subject.files == (source.file,)
    assert subject.observe(Normalize("É a")) == Text("e a")
    assert subject.observe(PreTokenize("a b.")) == Pieces((("a", None), ("b", None), (".", None)))
    pair = subject.observe(Encode("a", "b"))
    theirs = expected.observe(Encode("a", "b"))
    assert (pair.ids, pair.tokens, pair.type_ids) == (theirs.ids, theirs.tokens, theirs.type_ids)
    assert (pair.offsets, pair.word_ids, pair.overflowing) == (None, None, None)
    assert subject.observe(Decode(pair.ids)) == expected.observe(Decode(pair.ids))
    assert subject.vocabulary() == expected.vocabulary()
    assert subject.observe(Encode(("a", "b"))) == Unsupported("tokenizers-js takes no pre-split input")
    assert subject.observe(Encode("a", ("b",))) == Unsupported("tokenizers-js takes no pre-split input")


def test_javascript_is_given_the_configuration_beside_the_file(peer: Peer, lay: Lay, byte_level: Document) -> None:
    source = lay(byte_level)
    configuration = Path(source.file).with_name("tokenizer_config.json")
    ids = load_implementation("tokenizers").load(source).observe(Encode("a , b")).ids
    answers = []
    for clean_up in (True, False):
        configuration.write_text(json.dumps({"clean_up_tokenization_spaces": clean_up}), encoding="utf-8")
        subject = peer("tokenizers-js").load(source)
        assert subject.files == (source.file, str(configuration))
        answers.append(subject.observe(Decode(ids)))
    assert answers == [Text("a, b"), Text("a , b")]


def test_javascript_has_an_error_and_no_null_where_a_token_has_no_id(peer: Peer, lay: Lay, bundled: Source) -> None:
    document = json.loads(Path(bundled("bert-mini").file).read_text(encoding="utf-8"))
    document["added_tokens"] = []
    document["model"]["unk_token"] = "<none>"
    answer = peer("tokenizers-js").load(lay(document)).observe(Encode("a \u4e02", add_special_tokens=False))
    assert answer == Failed("Error", 'no id for the token "<none>"')


@pytest.mark.parametrize("content", ["", "{", "[]", "{}"])
def test_javascript_refuses_what_is_no_tokenizer_in_one_line(peer: Peer, tmp_path: Path, content: str) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(CannotLoadError, match="tokenizers-js cannot load broken") as caught:
        peer("tokenizers-js").load(TokenizerSource("broken", str(file)))
    assert "\n" not in str(caught.value)


# transformers 4 -------------------------------------------------------------------------------------------------------


def test_version_4_is_another_one_than_here(peer: Peer) -> None:
    versions = [peer(name).info.version for name in VERSION_4]
    assert {version.partition(".")[0] for version in versions} == {"4"}
    assert load_implementation("transformers").info.version.startswith("5.")


@pytest.mark.parametrize("tokenizer", BUNDLED)
def test_a_fast_class_reads_a_lone_file(peer: Peer, bundled: Source, tokenizer: str) -> None:
    source = bundled(tokenizer)
    fast = peer("transformers-4-fast")
    assert same_ids(fast, source)
    assert fast.load(source).files == (source.file,)


def test_a_slow_class_needs_a_checkpoint(peer: Peer, bundled: Source) -> None:
    with pytest.raises(CannotLoadError, match="a slow class reads the vocabulary files of a checkpoint"):
        peer("transformers-4-slow").load(bundled("bert-mini"))


@pytest.mark.parametrize(
    ("name", "files"),
    [("gpt2", ["vocab.json", "merges.txt"]), ("bert-base-cased", ["vocab.txt"]), ("t5-small", ["spiece.model"])],
)
def test_a_slow_class_is_given_the_vocabulary_files(
    peer: Peer, checkpoint: Source, name: str, files: list[str]
) -> None:
    source = checkpoint(name)
    slow = peer("transformers-4-slow")
    subject = slow.load(source)
    assert [Path(file).name for file in subject.files] == files
    assert same_ids(slow, source)
    answer = subject.observe(Encode("a"))
    assert {field for field in Field if getattr(answer, field, None) is not None} == slow.info.fields - {Field.TEXT}
    assert subject.observe(Encode("a", add_special_tokens=False)).type_ids is None
    assert isinstance(subject.observe(Normalize("a")), Unsupported)
    assert isinstance(subject.observe(Decode(answer.ids)), Text)


# transformers, through a named class ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "content", "named"),
    [
        ("tokenizer_config.json", {"tokenizer_class": "BertTokenizerFast"}, True),
        ("config.json", {"model_type": "bert"}, True),
        ("tokenizer_config.json", {"tokenizer_class": "PreTrainedTokenizerFast"}, False),
        ("config.json", {"model_type": "no such type"}, False),
    ],
)
def test_the_class_is_the_one_that_the_checkpoint_names(
    lay: Lay, bundled: Source, file: str, content: Document, named: bool
) -> None:
    source = lay(json.loads(Path(bundled("bert-mini").file).read_text(encoding="utf-8")))
    Path(source.file).with_name(file).write_text(json.dumps(content), encoding="utf-8")
    by_class = load_implementation("transformers-class")
    if named:
        assert same_ids(by_class, source)
    else:
        with pytest.raises(CannotLoadError, match="no model class is named"):
            by_class.load(source)


def test_the_class_can_be_chosen_and_builds_its_own_pipeline(
    monkeypatch: pytest.MonkeyPatch, lay: Lay, bundled: Source
) -> None:
    """BertTokenizer keeps the vocabulary and drops the file's pre-tokenizer (observed, transformers 5.23)."""
    monkeypatch.setenv(transformers_class.VARIABLE, "BertTokenizer")
    document = json.loads(Path(bundled("bert-mini").file).read_text(encoding="utf-8"))
    source = lay(document | {"pre_tokenizer": {"type": "WhitespaceSplit"}})
    for given in (source, TokenizerSource("lone", source.file)):
        pieces = load_implementation("transformers-class").load(given).observe(PreTokenize("a_b"))
        assert [piece for piece, _ in pieces.pieces] == ["a", "_", "b"]
    monkeypatch.setenv(transformers_class.VARIABLE, "NoSuchTokenizer")
    with pytest.raises(CannotLoadError, match=r"transformers 5\..* has no class NoSuchTokenizer"):
        load_implementation("transformers-class").load(source)
