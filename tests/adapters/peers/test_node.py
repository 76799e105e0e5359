"""Tokenizers in JavaScript, asked by exact values: every stage, and which configuration they were given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from peer_questions import kept

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import (
    After,
    CannotLoadError,
    Clocked,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    Failed,
    Field,
    Implementation,
    Normalize,
    Observation,
    Pieces,
    PreTokenize,
    SavingSubject,
    Text,
    TokenizerSource,
    Unsupported,
)
from tokenizer_adapters.peers.configuration import VARIABLE
from tokenizer_adapters.selection import Isolation, select

if TYPE_CHECKING:
    from peer_questions import Document, Lay, Peer, Source

NAMES = ("tokenizers-js", "transformers-js-3")


@pytest.fixture(params=NAMES)
def implementation(request: pytest.FixtureRequest, peer: Peer) -> Implementation:
    """Each of them in turn; skips with the reason where it is missing."""
    return peer(request.param)


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
        (Encode(("a", "b")), Unsupported("takes no pre-split input")),
        (Encode("a", ("b",)), Unsupported("takes no pre-split input")),
        (Decode((2, 43, 3, 47)), Text("a e")),
        (kept((2, 43, 3, 47)), Text("[CLS] a [SEP] e")),
        (Decode(()), Unsupported("decodes one id at least")),
        (DecodeStream((43,)), Unsupported("is asked to decode all ids at once, not one by one")),
        (After((), Encode("a")), Unsupported("is asked about a tokenizer as its file has it, without changes")),
        (
            EncodeBatch((Encode("a"),)),
            Unsupported("is asked about one input at a time, so it pads nothing to the longest of several"),
        ),
    ],
    ids=repr,
)
def test_each_question_has_its_answer(
    implementation: Implementation, bundled: Source, observation: Observation, answer: object
) -> None:
    if isinstance(answer, Unsupported):
        answer = Unsupported(f"{implementation.info.name} {answer.reason}")
    assert implementation.load(bundled("bert-mini")).observe(observation) == answer


@pytest.mark.parametrize("tokenizer", ["gpt2-mini", "bert-mini", "xlnet-mini"])
def test_plain_texts_have_the_ids_tokens_and_vocabulary_of_tokenizers(
    implementation: Implementation, bundled: Source, tokenizer: str
) -> None:
    source = bundled(tokenizer)
    subject, expected = implementation.load(source), load_implementation("tokenizers").load(source)
    assert subject.vocabulary() == expected.vocabulary()
    answer, theirs = (each.observe(Encode("Hello world, naïve cafés.")) for each in (subject, expected))
    assert (answer.ids, answer.tokens) == (theirs.ids, theirs.tokens)
    assert subject.observe(Decode(answer.ids)) == expected.observe(Decode(answer.ids))


def test_types_that_a_post_processor_does_not_give_are_not_shown(
    implementation: Implementation, bundled: Source
) -> None:
    answer = implementation.load(bundled("gpt2-mini")).observe(Encode("a"))
    assert (answer.ids, answer.type_ids) == ((64,), None)


def test_a_stage_that_the_file_has_not_leaves_the_text_as_it_is(
    implementation: Implementation, lay: Lay, bundled: Source
) -> None:
    subject = implementation.load(lay(bert(bundled, normalizer=None, pre_tokenizer=None)))
    assert subject.observe(Normalize("É A")) == Text("É A")
    assert subject.observe(PreTokenize("a b")) == Pieces((("a b", None),))
    assert subject.observe(PreTokenize("")) == Pieces(())


def test_the_first_piece_of_a_text_is_known_as_such(implementation: Implementation, lay: Lay, bundled: Source) -> None:
    """Metaspace puts its mark before the first section of a text alone, where its scheme is "first"."""
    first = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": True}
    subject = implementation.load(lay(bert(bundled, pre_tokenizer=first)))
    assert subject.observe(PreTokenize("a")) == Pieces((("▁a", None),))


def test_there_is_an_error_and_no_null_where_a_token_has_no_id(
    implementation: Implementation, lay: Lay, bundled: Source
) -> None:
    document = bert(bundled, added_tokens=[])
    document["model"]["unk_token"] = "<none>"
    answer = implementation.load(lay(document)).observe(Encode("a \u4e02", add_special_tokens=False))
    assert answer == Failed("Error", 'no id for the token "<none>"')


def test_ids_without_a_token_are_none_of_the_vocabulary(
    implementation: Implementation, lay: Lay, bundled: Source
) -> None:
    document = bert(bundled)
    last = len(document["model"]["vocab"])
    document["model"]["vocab"]["far"] = last + 3
    vocabulary = implementation.load(lay(document)).vocabulary()
    assert isinstance(vocabulary, dict)
    assert vocabulary == document["model"]["vocab"]
    assert "undefined" not in vocabulary


def test_it_saves_nothing(implementation: Implementation, bundled: Source) -> None:
    subject = implementation.load(bundled("bert-mini"))
    assert isinstance(subject, SavingSubject)
    assert subject.saved() == Unsupported(f"{implementation.info.name} writes no tokenizer.json")


# The configuration ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clean_up", "text"), [({"clean_up_tokenization_spaces": True}, "a, b"), ({}, "a , b"), (None, "a , b")]
)
def test_spaces_are_cleaned_up_where_the_configuration_says_so(
    implementation: Implementation, lay: Lay, byte_level: Document, clean_up: dict[str, bool] | None, text: str
) -> None:
    source = lay(byte_level)
    configuration = Path(source.file).with_name("tokenizer_config.json")
    if clean_up is not None:
        configuration.write_text(json.dumps(clean_up), encoding="utf-8")
    ids = load_implementation("tokenizers").load(source).observe(Encode("a , b")).ids
    subject = implementation.load(source)
    assert subject.files == ((source.file,) if clean_up is None else (source.file, str(configuration)))
    assert subject.observe(Decode(ids)) == Text(text)
    assert subject.observe(kept(ids)) == Text(text)


def test_a_configuration_counts_for_its_own_tokenizer_alone(
    implementation: Implementation, bundled: Source, tmp_path: Path
) -> None:
    content = Path(bundled("gpt2-mini").file).read_text(encoding="utf-8")
    subjects = []
    for name, configuration in [("tidy", {"clean_up_tokenization_spaces": True}), ("plain", {})]:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "tokenizer.json").write_text(content, encoding="utf-8")
        (folder / "tokenizer_config.json").write_text(json.dumps(configuration), encoding="utf-8")
        subjects.append(implementation.load(TokenizerSource(name, str(folder / "tokenizer.json"), str(folder))))
    ids = subjects[0].observe(Encode("a , b")).ids
    assert [subject.observe(Decode(ids)) for subject in (*subjects, subjects[0])] == [
        Text("a, b"),
        Text("a , b"),
        Text("a, b"),
    ]


@pytest.mark.parametrize("selected", [False, True])
@pytest.mark.parametrize("wanted", [None, "given"])
def test_a_stub_is_given_as_transformers_saves_it(
    implementation: Implementation,
    checkpoint: Source,
    monkeypatch: pytest.MonkeyPatch,
    selected: bool,
    wanted: str | None,
) -> None:
    version = pytest.importorskip("transformers", reason="transformers is not installed").__version__
    if wanted is not None:
        monkeypatch.setenv(VARIABLE, wanted)
    source = checkpoint("bert-base-uncased")
    if selected:
        implementation = select(implementation.info.name, Isolation()).build()
    subject = implementation.load(source)
    said = f" (as save_pretrained of transformers {version} writes it)" if wanted is None else ""
    assert [Path(file).name for file in subject.files] == ["tokenizer.json", f"tokenizer_config.json{said}"]
    assert subject.observe(Encode("a[SEP]")).ids == (101, 1037, 102, 102)


def test_another_choice_of_configuration_is_refused(
    implementation: Implementation, bundled: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "other")
    with pytest.raises(
        CannotLoadError,
        match=rf"^{implementation.info.name} cannot load bert-mini \(.*\): the environment .* is 'other'",
    ):
        implementation.load(bundled("bert-mini"))


@pytest.mark.parametrize("content", ["", "{", "[]", "{}"])
def test_what_is_no_tokenizer_is_refused_in_one_line(
    implementation: Implementation, tmp_path: Path, content: str
) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(CannotLoadError, match=f"^{implementation.info.name} cannot load broken") as caught:
        implementation.load(TokenizerSource("broken", str(file)))
    assert "\n" not in str(caught.value)


OWN = {
    "tokenizers-js": ("encode", {Field.IDS, Field.TOKENS, Field.ATTENTION_MASK}),
    "transformers-js-3": ("tokenizer(text)", {Field.IDS, Field.ATTENTION_MASK}),
}
"""The call of each library that is measured, and what it makes."""


@pytest.mark.parametrize("batch", [False, True])
def test_it_measures_its_own_call_one_text_after_the_other(
    implementation: Implementation, bundled: Source, batch: bool
) -> None:
    name = implementation.info.name
    subject: Any = implementation.load(bundled("bert-mini"))
    found = subject.measured(["Hello world", ""], 0.01, batch=batch)
    assert (found.call, set(found.fields)) == OWN[name]
    assert found.clocked == Clocked.CALL
    assert found.passes >= 1
    assert found.later.wall >= 0.01
    assert subject.measured([], 0.0, batch=batch) == Unsupported(f"{name} has no text to measure with")
