"""What every adapter of this package keeps of the contract, and what each one shows."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable
from dataclasses import fields
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import (
    PIPELINE_STAGES,
    CannotLoadError,
    Crashed,
    Decode,
    Encode,
    Encoded,
    Failed,
    Field,
    Implementation,
    Normalize,
    Observation,
    OffsetUnit,
    Pieces,
    PreTokenize,
    Stage,
    Subject,
    Text,
    TokenizerSource,
    observe_all,
)
from tokenizer_adapters.pipeline import PipelineSubject

if TYPE_CHECKING:
    from pathlib import Path

Toy = dict[str, Any]
Write = Callable[[Toy], TokenizerSource]

NAMES = ["reference", "tokenizers", "transformers"]
PIPELINES = ["reference", "tokenizers"]


@pytest.fixture(params=NAMES)
def implementation(request: pytest.FixtureRequest) -> Implementation:
    return load_implementation(request.param)


@pytest.fixture(params=PIPELINES)
def pipeline(request: pytest.FixtureRequest) -> Implementation:
    return load_implementation(request.param)


# How they describe themselves -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "distribution", "language"),
    [
        ("reference", "tokenizer-conformance", "Python"),
        ("tokenizers", "tokenizers", "Rust"),
        ("transformers", "transformers", "Python"),
    ],
)
def test_info_tells_version_language_and_how_to_install(name: str, distribution: str, language: str) -> None:
    info = load_implementation(name).info
    assert info.version == importlib.metadata.version(distribution)
    assert info.language == language
    assert distribution in info.install
    assert info.stages == set(PIPELINE_STAGES) | ({Stage.CHAT} if name != "tokenizers" else set())
    assert info.fields == set(Field)
    assert info.offset_unit is OffsetUnit.CODE_POINTS


# Answers --------------------------------------------------------------------------------------------------------------


def test_every_observation_of_a_toy_is_answered_in_full(implementation: Implementation, write: Write, toy: Toy) -> None:
    subject = implementation.load(write(toy))
    assert isinstance(subject, Subject)
    assert observe_all(
        subject,
        [
            Normalize("UnKnown É"),
            PreTokenize("a  é!"),
            Encode("É unknown"),
            Encode("é", pair="a", add_special_tokens=True),
            Encode("é", pair="a", add_special_tokens=False),
            Encode(("a b", "É"), add_special_tokens=False),
            Decode((1, 3, 4, 5, 2)),
            Decode((1, 3, 4, 5, 2), skip_special_tokens=False),
        ],
    ) == [
        Text("unknown é"),
        Pieces((("a", (0, 1)), ("é", (3, 4)), ("!", (4, 5)))),
        Encoded(
            ids=(1, 5, 3, 4, 2),
            tokens=("[CLS]", "é", "un", "##known", "[SEP]"),
            offsets=((0, 0), (0, 1), (2, 4), (4, 9), (0, 0)),
            word_ids=(None, 0, 1, 1, None),
            type_ids=(0, 0, 0, 0, 0),
            attention_mask=(1, 1, 1, 1, 1),
            special_tokens_mask=(1, 0, 0, 0, 1),
            sequence_ids=(None, 0, 0, 0, None),
            overflowing=(),
        ),
        Encoded(
            ids=(1, 5, 2, 6, 2),
            tokens=("[CLS]", "é", "[SEP]", "a", "[SEP]"),
            offsets=((0, 0), (0, 1), (0, 0), (0, 1), (0, 0)),
            word_ids=(None, 0, None, 0, None),
            type_ids=(0, 0, 0, 1, 1),
            attention_mask=(1, 1, 1, 1, 1),
            special_tokens_mask=(1, 0, 1, 0, 1),
            sequence_ids=(None, 0, None, 1, None),
            overflowing=(),
        ),
        Encoded(
            ids=(5, 6),
            tokens=("é", "a"),
            offsets=((0, 1), (0, 1)),
            word_ids=(0, 0),
            type_ids=(0, 1),
            attention_mask=(1, 1),
            special_tokens_mask=(0, 0),
            sequence_ids=(0, 1),
            overflowing=(),
        ),
        Encoded(
            ids=(6, 7, 5),
            tokens=("a", "b", "é"),
            offsets=((0, 1), (2, 3), (0, 1)),
            word_ids=(0, 0, 1),
            type_ids=(0, 0, 0),
            attention_mask=(1, 1, 1),
            special_tokens_mask=(0, 0, 0),
            sequence_ids=(0, 0, 0),
            overflowing=(),
        ),
        Text("unknown é"),
        Text("[CLS] unknown é [SEP]"),
    ]


def test_the_vocabulary_has_the_added_tokens(implementation: Implementation, write: Write, toy: Toy) -> None:
    toy["added_tokens"].append({**toy["added_tokens"][0], "id": 8, "content": "<added>"})
    vocabulary = implementation.load(write(toy)).vocabulary()
    assert vocabulary == {**toy["model"]["vocab"], "<added>": 8}


def test_without_normalizer_and_pre_tokenizer_the_text_is_one_piece_as_it_stands(
    implementation: Implementation, write: Write, toy: Toy
) -> None:
    toy["normalizer"] = toy["pre_tokenizer"] = None
    subject = implementation.load(write(toy))
    assert subject.observe(Normalize("A é")) == Text("A é")
    assert subject.observe(PreTokenize("A é")) == Pieces((("A é", (0, 3)),))
    assert subject.observe(PreTokenize("")) == Pieces(())


@pytest.mark.parametrize("name", NAMES)
@given(text=st.text(max_size=20), pair=st.none() | st.text(max_size=5), special=st.booleans())
def test_all_fields_of_an_encoding_have_one_entry_per_token(
    toy_subjects: dict[str, Subject], name: str, text: str, pair: str | None, special: bool
) -> None:
    answer = toy_subjects[name].observe(Encode(text, pair, add_special_tokens=special))
    assert isinstance(answer, Encoded)
    lengths = {field.name: len(getattr(answer, field.name)) for field in fields(answer) if field.name != "overflowing"}
    assert set(lengths.values()) == {len(answer.ids)}
    assert all(0 <= start <= end <= max(len(text), len(pair or "")) for start, end in answer.offsets)


@pytest.fixture(scope="module")
def toy_subjects(toy_source: TokenizerSource) -> dict[str, Subject]:
    """The toy pipeline, loaded once by every implementation."""
    return {name: load_implementation(name).load(toy_source) for name in NAMES}


# Errors are outcomes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "observation",
    [
        Normalize("\ud800"),
        PreTokenize("\ud800"),
        Encode("a\udc00"),
        Encode("a", pair="\udc00"),
        Encode(("a", "\ud800")),
        Encode("a", pair=("b",)),
        Encode(("a",), pair="b"),
        Decode((-1,)),
        Decode((2**40,)),
    ],
    ids=repr,
)
def test_impossible_input_is_a_failure_and_leaves_the_subject_usable(
    implementation: Implementation, write: Write, toy: Toy, observation: Observation
) -> None:
    subject = implementation.load(write(toy))
    answer = subject.observe(observation)
    assert isinstance(answer, Failed)
    assert answer.kind.isidentifier()
    assert subject.observe(Normalize("A")) == Text("a")


def test_a_panic_is_a_crash(write: Write, toy: Toy) -> None:
    # FixedLength of nothing loads and then divides a text into chunks of no length (observed, tokenizers 0.23.3).
    toy["pre_tokenizer"] = {"type": "FixedLength", "length": 0}
    answer = load_implementation("tokenizers").load(write(toy)).observe(PreTokenize("abc"))
    assert isinstance(answer, Crashed)
    assert "chunk" in answer.detail


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_what_stops_the_program_is_not_swallowed(stop: type[BaseException]) -> None:
    from tokenizer_adapters.pipeline import outcome_of

    def answer(_: object) -> Text:
        raise stop

    with pytest.raises(stop):
        outcome_of(answer, Normalize("a"))


@pytest.mark.parametrize("content", ["", "{", '{"version": "1.0"}', "[]", "\N{PILE OF POO}"], ids=repr)
def test_a_file_that_cannot_be_read_is_a_load_error_of_one_line(
    implementation: Implementation, tmp_path: Path, content: str
) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(CannotLoadError, match="cannot load broken") as caught:
        implementation.load(TokenizerSource("broken", str(file)))
    assert str(file) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_a_load_error(implementation: Implementation, tmp_path: Path) -> None:
    with pytest.raises(CannotLoadError, match="cannot load missing"):
        implementation.load(TokenizerSource("missing", str(tmp_path / "tokenizer.json")))


@pytest.mark.parametrize("name", ["tokenizers", "transformers"])
def test_a_panic_while_loading_is_a_load_error(name: str, write: Write, toy: Toy) -> None:
    toy["normalizer"] = {"type": "Precompiled", "precompiled_charsmap": "AAAA"}
    with pytest.raises(CannotLoadError, match=f"{name} panics while it loads toy .*precompiled_charsmap"):
        load_implementation(name).load(write(toy))


# Truncation -----------------------------------------------------------------------------------------------------------


def test_truncation_of_the_file_gives_overflowing_encodings(pipeline: Implementation, write: Write, toy: Toy) -> None:
    toy["truncation"] = {"direction": "Right", "max_length": 3, "strategy": "LongestFirst", "stride": 0}
    answer = pipeline.load(write(toy)).observe(Encode("a b é"))
    assert isinstance(answer, Encoded)
    assert answer.tokens == ("[CLS]", "a", "[SEP]")
    assert [part.tokens for part in answer.overflowing] == [("[CLS]", "b", "[SEP]"), ("[CLS]", "é", "[SEP]")]
    assert [part.offsets[1] for part in answer.overflowing] == [(2, 3), (4, 5)]


# Speed ----------------------------------------------------------------------------------------------------------------

TIMED = {
    "reference": ("encode", "encode_batch_fast"),
    "tokenizers": ("encode", "encode_batch_fast"),
    "transformers": ("__call__", "__call__"),
}


@pytest.mark.parametrize("name", NAMES)
def test_the_calls_that_are_timed_give_the_ids_of_the_answers(toy_source: TokenizerSource, name: str) -> None:
    subject: Any = load_implementation(name).load(toy_source)
    own = subject.own_calls()
    texts = ["unknown a é", "", "a"]
    ids = [list(subject.observe(Encode(text, add_special_tokens=False)).ids) for text in texts]
    assert [own.one.run(text) for text in texts] == own.many.run(texts) == ids
    assert (own.one.name, own.many.name) == TIMED[name]
    assert (Field.OFFSETS in own.one.fields) is (name != "transformers")
    assert Field.OFFSETS not in own.many.fields


def test_a_release_without_the_faster_call_for_many_texts_is_timed_with_the_other_one() -> None:
    class Older:
        def encode(self, text: str, *, add_special_tokens: bool) -> Any:
            raise NotImplementedError

        def encode_batch(self, texts: list[str], *, add_special_tokens: bool) -> list[Any]:
            return [SimpleNamespace(ids=[len(text), add_special_tokens]) for text in texts]

    own = PipelineSubject(Older(), None, "").own_calls()
    assert own.many is not None
    assert (own.many.name, own.many.run(["ab"])) == ("encode_batch", [[2, False]])
    assert Field.OFFSETS in own.many.fields
