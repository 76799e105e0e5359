"""Batches, ids one by one, changed tokenizers and saved ones, of whatever has the Python API of `tokenizers`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from peer_questions import kept, plain

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import (
    AddTokens,
    After,
    CannotLoadError,
    Change,
    Chunks,
    Crashed,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    EncodeSpecialTokens,
    Failed,
    NewToken,
    Normalize,
    Observation,
    SavingSubject,
    Stage,
    Subject,
    Text,
    TokenizerSource,
    Unsupported,
    plain_of,
    stage_of,
)
from tokenizer_adapters.pipeline import NO_CHUNKS, NO_PROMPT, PipelineSubject, UnfitTokenizerError, loaded

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Implementation

Toy = dict[str, Any]
Write = Callable[[Toy], TokenizerSource]

PIPELINES = ["reference", "tokenizers"]
HOSTILE = ["\0", "\u2028\r\n", "a\x1b[31m", "\U0010ffff", "é" * 300, "[CLS]", " ", "\N{RIGHT-TO-LEFT OVERRIDE}x"]


@pytest.fixture(params=PIPELINES)
def implementation(request: pytest.FixtureRequest) -> Implementation:
    return load_implementation(request.param)


@pytest.fixture(scope="module")
def both(toy_source: TokenizerSource) -> list[Subject]:
    """The toy pipeline, loaded by the reference and by `tokenizers`."""
    return [load_implementation(name).load(toy_source) for name in PIPELINES]


def tokens_of(outcome: object) -> tuple[str, ...] | None:
    assert isinstance(outcome, Encoded), outcome
    return outcome.tokens


# Batches --------------------------------------------------------------------------------------------------------------

PADDING = {
    "strategy": "BatchLongest",
    "direction": "Left",
    "pad_to_multiple_of": None,
    "pad_id": 0,
    "pad_type_id": 3,
    "pad_token": "[PAD]",
}


def test_a_batch_is_padded_to_its_longest_as_the_file_says(
    implementation: Implementation, write: Write, toy: Toy
) -> None:
    toy["padding"] = PADDING
    answer = implementation.load(write(toy)).observe(EncodeBatch((Encode("a"), Encode("é", "a b"))))
    assert isinstance(answer, EncodedBatch)
    first, second = answer.encodings
    assert first.tokens == ("[PAD]", "[PAD]", "[PAD]", "[CLS]", "a", "[SEP]")
    assert first.type_ids == (3, 3, 3, 0, 0, 0)
    assert first.attention_mask == (0, 0, 0, 1, 1, 1)
    assert second.tokens == ("[CLS]", "é", "[SEP]", "a", "b", "[SEP]")
    assert second.sequence_ids == (None, 0, None, 1, 1, None)


def test_without_padding_a_batch_is_what_its_inputs_are_alone(
    implementation: Implementation, toy_source: TokenizerSource
) -> None:
    subject = implementation.load(toy_source)
    for inputs in [
        (),
        (plain("a é"), plain("")),
        (Encode("a", "b"), Encode("", ""), Encode("é")),
        (Encode(("a", "b")), Encode((), ("é",)), Encode(("", "a b"))),
        # Two words, which could be taken for a pair of texts.
        (plain(("a", "b")), Encode(("é",), ("a", "b"), add_special_tokens=False)),
    ]:
        alone = tuple(map(subject.observe, inputs))
        assert subject.observe(EncodeBatch(inputs)) == EncodedBatch(alone)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "inputs", [(Encode("a"), Encode(("a",))), (Encode("a"), plain("a"))], ids=["pre-split", "special tokens"]
)
def test_the_inputs_of_a_batch_are_of_one_kind(inputs: tuple[Encode, ...]) -> None:
    with pytest.raises(ValueError, match="all pre-split or all not, and have one add_special_tokens"):
        EncodeBatch(inputs)


TEXTS = st.text(max_size=8) | st.sampled_from(HOSTILE)
PAIRS = st.none() | TEXTS


@given(st.lists(st.tuples(TEXTS, PAIRS), max_size=4), st.booleans())
def test_both_give_one_batch_of_hostile_texts(
    both: list[Subject], inputs: list[tuple[str, str | None]], special: bool
) -> None:
    question = EncodeBatch(tuple(Encode(text, pair, special) for text, pair in inputs))
    reference, target = (subject.observe(question) for subject in both)
    assert isinstance(target, EncodedBatch)
    assert len(target.encodings) == len(inputs)
    assert reference == target


# Ids one by one -------------------------------------------------------------------------------------------------------


def test_ids_are_decoded_one_by_one(implementation: Implementation, write: Write, toy: Toy) -> None:
    subject = implementation.load(write(toy))
    assert subject.observe(DecodeStream((1, 3, 4, 5, 2))) == Chunks((None, "un", "known", " é", None))
    assert subject.observe(DecodeStream((1, 3), skip_special_tokens=False)) == Chunks(("[CLS]", " un"))
    assert subject.observe(DecodeStream(())) == Chunks(())


def test_half_a_character_adds_nothing_yet(implementation: Implementation, write: Write, toy: Toy) -> None:
    toy["decoder"] = {"type": "ByteFallback"}
    toy["model"]["vocab"] |= {"<0xC3>": 8, "<0xA9>": 9}
    subject = implementation.load(write(toy))
    assert subject.observe(DecodeStream((6, 8, 9, 8))) == Chunks(("a", None, "é", None))


def test_ids_come_in_steps_after_a_prompt(implementation: Implementation, write: Write, toy: Toy) -> None:
    subject = implementation.load(write(toy))
    assert subject.observe(DecodeStream((4, 5, 3), chunks=(2,))) == Chunks(("##known é", " un"))
    assert subject.observe(DecodeStream((4, 5), prompt=(3,))) == Chunks(("known", " é"))
    assert subject.observe(DecodeStream((4, 5), prompt=(3,), chunks=(2,))) == Chunks(("known é",))


class OldStream:
    """A stream of the first release with one."""

    def __init__(self, skip_special_tokens: bool = False) -> None:
        self.skips = skip_special_tokens

    def step(self, _tokenizer: object, id: int) -> str:
        if not isinstance(id, int):
            raise TypeError("'list' object cannot be interpreted as an integer")
        return str(id)


def test_a_release_whose_stream_takes_single_ids_says_so(toy_source: TokenizerSource) -> None:
    tokenizer = tokenizers.Tokenizer.from_file(toy_source.file)
    subject = PipelineSubject(tokenizer, tokenizers, toy_source.file, OldStream)
    assert subject.observe(DecodeStream((3, 4))) == Chunks(("3", "4"))
    assert subject.observe(DecodeStream((3, 4), chunks=(2,))) == NO_CHUNKS
    assert subject.observe(DecodeStream((3, 4), prompt=(5,))) == NO_PROMPT


def test_what_a_stream_gives_at_its_end_belongs_to_the_last_step(toy_source: TokenizerSource) -> None:
    class Ending(OldStream):
        def step(self, _tokenizer: object, id: int) -> str:  # noqa: ARG002
            return ""

        def end(self, _tokenizer: object) -> str:
            return "all"

    subject = PipelineSubject(object(), tokenizers, toy_source.file, Ending)
    assert subject.observe(DecodeStream((3, 4))) == Chunks(("", "all"))
    assert subject.observe(DecodeStream(())) == Chunks(())


def test_a_release_without_streams_says_so(toy_source: TokenizerSource) -> None:
    old = SimpleNamespace(Tokenizer=tokenizers.Tokenizer, AddedToken=tokenizers.AddedToken, decoders=SimpleNamespace())
    subject = PipelineSubject(tokenizers.Tokenizer.from_file(toy_source.file), old, toy_source.file)
    assert subject.observe(DecodeStream((3,))) == Unsupported(
        "this release does not decode id by id (it has no DecodeStream)"
    )
    assert subject.observe(Decode((3,))) == Text("un")


class Old:
    """A tokenizer of a release that has no `encode_special_tokens`."""

    __slots__ = ()

    @classmethod
    def from_file(cls, _file: str) -> Old:
        return cls()


def test_a_release_without_encode_special_tokens_says_so(toy_source: TokenizerSource) -> None:
    subject = PipelineSubject(Old(), SimpleNamespace(Tokenizer=Old), toy_source.file)
    answer = subject.observe(After((EncodeSpecialTokens(True),), Encode("a")))
    assert answer == Unsupported("this release always finds special tokens in a text (no encode_special_tokens)")


# Changed tokenizers ---------------------------------------------------------------------------------------------------

NEW = AddTokens((NewToken("kn", lstrip=True), NewToken("É", normalized=True)))


def test_new_tokens_are_found_in_a_text(implementation: Implementation, write: Write, toy: Toy) -> None:
    subject = implementation.load(write(toy))
    question = plain("a kn é")
    answer = subject.observe(After((NEW,), question))
    assert isinstance(answer, Encoded)
    assert (answer.ids, answer.offsets) == ((6, 8, 9), ((0, 1), (1, 4), (5, 6)))
    special = AddTokens((NewToken("é", special=True, single_word=True),), special=True)
    assert subject.observe(After((special,), Decode((5, 6)))) == Text("a")
    assert tokens_of(subject.observe(After((AddTokens(()),), question))) == ("a", "[UNK]", "é")


def test_special_tokens_can_be_text(implementation: Implementation, write: Write, toy: Toy) -> None:
    toy["model"]["vocab"] |= {"[": 8, "]": 9, "cls": 10}
    toy["pre_tokenizer"] = {"type": "BertPreTokenizer"}
    subject = implementation.load(write(toy))
    question = plain("[CLS]")
    assert tokens_of(subject.observe(question)) == ("[CLS]",)
    assert tokens_of(subject.observe(After((EncodeSpecialTokens(True),), question))) == ("[", "cls", "]")
    back = (EncodeSpecialTokens(True), EncodeSpecialTokens(False))
    assert tokens_of(subject.observe(After(back, question))) == ("[CLS]",)


FLAG = st.booleans()
CHANGES: st.SearchStrategy[Change] = st.builds(EncodeSpecialTokens, FLAG) | st.builds(
    AddTokens,
    st.lists(
        st.builds(
            NewToken,
            st.text(min_size=1, max_size=4) | st.sampled_from(HOSTILE),
            FLAG,
            FLAG,
            FLAG,
            st.none() | FLAG,
            FLAG,
        ),
        max_size=2,
    ).map(tuple),
    FLAG,
)


@given(st.lists(CHANGES, max_size=3).map(tuple), TEXTS)
def test_changes_do_not_reach_the_next_question(both: list[Subject], changes: tuple[Change, ...], text: str) -> None:
    for subject in both:
        before = [subject.observe(Encode(text)), subject.vocabulary(), saved(subject)]
        subject.observe(After(changes, Encode(text)))
        assert [subject.observe(Encode(text)), subject.vocabulary(), saved(subject)] == before


@pytest.mark.parametrize(
    "observation",
    [Normalize("\ud800"), Encode("a\udc00"), EncodeBatch((Encode("a"), Encode("\ud800"))), DecodeStream((-1,))],
    ids=repr,
)
@pytest.mark.parametrize("changes", [None, (NEW,), (AddTokens((NewToken("\ud800"),)),)], ids=["none", "one", "bad"])
def test_a_fault_is_an_outcome_and_leaves_the_subject_usable(
    implementation: Implementation,
    toy_source: TokenizerSource,
    observation: Encode | EncodeBatch,
    changes: tuple[Change, ...] | None,
) -> None:
    subject = implementation.load(toy_source)
    question: Observation = observation if changes is None else After(changes, observation)
    assert isinstance(subject.observe(question), Failed)
    assert subject.observe(After((NEW,), Normalize("A"))) == Text("a")


def test_a_panic_of_a_changed_tokenizer_or_in_a_batch_is_a_crash(write: Write, toy: Toy) -> None:
    # FixedLength of nothing divides a text into chunks of no length (observed, tokenizers 0.23.3).
    toy["pre_tokenizer"] = {"type": "FixedLength", "length": 0}
    subject = load_implementation("tokenizers").load(write(toy))
    for question in (After((NEW,), Encode("abc")), EncodeBatch((Encode("abc"), Encode("abc")))):
        answer = subject.observe(question)
        assert isinstance(answer, Crashed)
        assert "chunk" in answer.detail


def test_a_file_that_is_gone_is_a_failure(implementation: Implementation, write: Write, toy: Toy) -> None:
    source = write(toy)
    subject = implementation.load(source)
    Path(source.file).unlink()
    assert isinstance(subject.observe(After((), Encode("a"))), Failed)
    assert isinstance(subject.observe(Encode("a")), Encoded)


# Saved tokenizers -----------------------------------------------------------------------------------------------------


def saved(subject: Subject) -> object:
    assert isinstance(subject, SavingSubject)
    return subject.saved()


def test_what_was_loaded_is_saved(implementation: Implementation, write: Write, toy: Toy) -> None:
    toy["padding"] = PADDING
    document = saved(implementation.load(write(toy)))
    assert isinstance(document, str)
    assert json.loads(document) == toy


def test_what_cannot_be_saved_is_an_outcome(toy_source: TokenizerSource) -> None:
    class Broken:
        def to_str(self) -> str:
            raise ValueError("no")

    assert PipelineSubject(Broken(), tokenizers, toy_source.file).saved() == Failed("ValueError", "no")


# The questions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "stage"),
    [
        (EncodeBatch(()), Stage.POST_PROCESS),
        (EncodeBatch((plain("a"),)), Stage.MODEL),
        (EncodeBatch((plain("a"), Encode("a", "b", add_special_tokens=False))), Stage.POST_PROCESS),
        (DecodeStream(()), Stage.DECODE),
        (After((NEW,), Normalize("a")), Stage.NORMALIZE),
    ],
    ids=repr,
)
def test_a_question_shows_its_stage(question: Observation, stage: Stage) -> None:
    assert stage_of(question) is stage
    assert plain_of(plain_of(question)) == plain_of(question)


def test_a_tokenizer_that_does_not_fit_is_not_supported_and_any_other_error_is_a_failure() -> None:
    source = TokenizerSource("toy", "toy/tokenizer.json")

    def unfit() -> None:
        raise UnfitTokenizerError("it reads\nBPE")

    with pytest.raises(CannotLoadError) as refused:
        loaded(unfit, "mine", source)
    assert refused.value.unsupported
    assert str(refused.value) == "mine cannot load toy (toy/tokenizer.json): it reads BPE"
    with pytest.raises(CannotLoadError, match=r"^mine cannot load toy") as failed:
        loaded(lambda: int("one"), "mine", source)
    assert not failed.value.unsupported


@pytest.mark.parametrize(
    ("error", "words", "unsupported"),
    [
        (ValueError("it is\n  bad"), "it is bad", False),
        (KeyError(), "KeyError", False),
        (UnfitTokenizerError("it does not fit"), "it does not fit", True),
    ],
    ids=repr,
)
def test_why_a_tokenizer_cannot_be_loaded_is_told_on_a_line(error: Exception, words: str, unsupported: bool) -> None:
    def read() -> None:
        raise error

    with pytest.raises(CannotLoadError) as caught:
        loaded(read, "it", TokenizerSource("toy", "a.json"))
    assert str(caught.value) == f"it cannot load toy (a.json): {words}"
    assert (caught.value.unsupported, caught.value.fault) == (unsupported, None)


class Recorder:
    """A tokenizer that notes what is added to it."""

    def __init__(self) -> None:
        self.notes: list[tuple[str, Any]] = []
        self.encode_special_tokens = None

    def add_tokens(self, tokens: list[Any]) -> None:
        self.notes.append(("add_tokens", tokens))

    def add_special_tokens(self, tokens: list[Any]) -> None:
        self.notes.append(("add_special_tokens", tokens))

    def decode(self, ids: list[int], *, skip_special_tokens: bool) -> str:
        self.notes.append(("decode", (ids, skip_special_tokens, self.encode_special_tokens)))
        return "text"


FLAGS = {"single_word": False, "lstrip": False, "rstrip": False, "special": False}


def test_changes_are_made_in_their_order_with_every_flag() -> None:
    recorder = Recorder()
    library = SimpleNamespace(
        Tokenizer=SimpleNamespace(from_file=lambda file: recorder if file == "a.json" else None),
        AddedToken=lambda content, **flags: (content, flags),
    )
    changes: tuple[Change, ...] = (
        AddTokens((NewToken("a"), NewToken("b", single_word=True, normalized=False))),
        AddTokens(
            (NewToken("c", lstrip=True, normalized=True), NewToken("d", rstrip=True, special=True)), special=True
        ),
        EncodeSpecialTokens(True),
    )
    subject = PipelineSubject(object(), library, "a.json")
    assert subject.observe(After(changes, kept((2, 1)))) == Text("text")
    assert recorder.notes == [
        ("add_tokens", [("a", FLAGS), ("b", FLAGS | {"single_word": True, "normalized": False})]),
        (
            "add_special_tokens",
            [("c", FLAGS | {"lstrip": True, "normalized": True}), ("d", FLAGS | {"rstrip": True, "special": True})],
        ),
        ("decode", ([2, 1], False, True)),
    ]
