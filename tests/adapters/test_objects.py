"""Objects of a program are asked by what they have, and are afterwards as they were."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import tokenizers
import transformers

import tokenizer_reference
from tokenizer_adapters.contract import (
    CannotLoadError,
    Decode,
    Encode,
    Encoded,
    Failed,
    Field,
    Normalize,
    Pieces,
    PreTokenize,
    Stage,
    Text,
    TokenizerSource,
    Unsupported,
)
from tokenizer_adapters.objects import CallsSubject, Manner, read_encoding, saved_text, wrapped
from tokenizer_adapters.pipeline import ALL_FIELDS, ALL_STAGES
from tokenizer_conformance.inputs.bundled import bundled_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Subject

FILE = str(bundled_file("bert-mini"))
SOURCE = TokenizerSource("bert-mini", FILE)


def subject_of(mine: object, **manner: Any) -> Subject:
    return wrapped(mine, Manner(**manner)).implementation.load(SOURCE)


def fast() -> Any:
    return transformers.PreTrainedTokenizerFast(tokenizer_file=FILE)


PIPELINES: list[Callable[[], Any]] = [
    lambda: tokenizers.Tokenizer.from_file(FILE),
    lambda: tokenizer_reference.Tokenizer.from_file(FILE),
    fast,
]


@pytest.mark.parametrize("make", PIPELINES)
def test_a_tokenizer_of_a_known_library_shows_everything(make: Callable[[], Any]) -> None:
    found = wrapped(make(), Manner(name="it"))
    assert found.implementation.info.stages == ALL_STAGES
    assert found.implementation.info.fields == ALL_FIELDS
    assert found.loading is not None
    subject = found.implementation.load(SOURCE)
    answer = subject.observe(Encode("hello", add_special_tokens=False))
    assert answer == found.loading.load(SOURCE).observe(Encode("hello", add_special_tokens=False))
    assert isinstance(answer, Encoded)
    assert answer.offsets is not None


def test_what_transformers_leaves_in_a_pipeline_is_put_back() -> None:
    mine = fast()
    backend = mine.backend_tokenizer
    backend.enable_truncation(3, stride=1)
    backend.enable_padding(length=7, pad_token="[PAD]", direction="left")
    backend.encode_special_tokens = True
    before = (backend.truncation, backend.padding, backend.encode_special_tokens)
    answer = subject_of(mine).observe(Encode("hello there my friend"))
    assert isinstance(answer, Encoded)
    assert len(answer.ids) > 3
    assert (backend.truncation, backend.padding, backend.encode_special_tokens) == before
    saved = saved_text(mine)
    assert saved is not None
    assert tokenizers.Tokenizer.from_str(saved).truncation is None


def test_a_tokenizer_keeps_its_own_truncation() -> None:
    mine = tokenizers.Tokenizer.from_file(FILE)
    mine.enable_truncation(3)
    answer = subject_of(mine).observe(Encode("hello there my friend"))
    assert isinstance(answer, Encoded)
    assert len(answer.ids) == 3
    assert saved_text(mine) == mine.to_str()


def test_functions_are_given_what_they_have_arguments_for() -> None:
    seen: list[Any] = []

    def encode(text: Any, text_pair: Any = None, *, add_special_tokens: bool, is_split_into_words: bool = False) -> Any:
        seen.append((text, text_pair, add_special_tokens, is_split_into_words))
        return [1]

    subject = subject_of({"encode": encode})
    seen.clear()
    subject.observe(Encode("a", "b", add_special_tokens=False))
    subject.observe(Encode(("a", "b")))
    assert seen == [("a", "b", False, False), (["a", "b"], None, True, True)]


def test_what_functions_have_no_argument_for_is_not_asked() -> None:
    subject = CallsSubject({"encode": lambda text: [len(text)], "decode": str}, Manner())
    assert subject.stages == {Stage.POST_PROCESS, Stage.DECODE}
    assert subject.fields == {Field.IDS, Field.TEXT}
    assert subject.observe(Encode("ab")) == Encoded((2,))
    assert subject.observe(Decode((1,))) == Text("[1]")
    for question in (
        Encode("ab", add_special_tokens=False),
        Encode("a", "b"),
        Encode(("a",)),
        Decode((1,), skip_special_tokens=False),
        Normalize("a"),
    ):
        assert isinstance(subject.observe(question), Unsupported)
        assert not subject.takes(question)


def test_functions_that_add_no_special_tokens_show_the_model() -> None:
    manner = Manner(adds_special_tokens=False, skips_special_tokens=False)
    subject = CallsSubject({"encode": lambda text: [len(text)], "decode": str}, manner)
    assert subject.stages == {Stage.MODEL, Stage.DECODE}
    assert subject.takes(Encode("a", add_special_tokens=False))
    assert not subject.takes(Encode("a"))
    assert subject.takes(Decode((1,), skip_special_tokens=False))


def test_stages_have_functions_of_their_own() -> None:
    calls: dict[str, Any] = {
        "encode": lambda _: {"ids": [1], "offsets": [(0, 1)]},
        "normalize": str.lower,
        "pre_tokenize": lambda _: [("a", (0, 1)), "b"],
    }
    subject = CallsSubject(calls, Manner())
    assert subject.fields == {Field.IDS, Field.OFFSETS, Field.TEXT, Field.PIECES}
    assert subject.observe(Normalize("A")) == Text("a")
    assert subject.observe(PreTokenize("ab")) == Pieces((("a", (0, 1)), ("b", None)))


@pytest.mark.parametrize(
    ("given", "ids"),
    [
        ([1, 2], (1, 2)),
        ((), ()),
        (np.array([3]), (3,)),
        ({"input_ids": [1]}, (1,)),
        (tokenizers.Tokenizer.from_file(FILE).encode("", add_special_tokens=False), ()),
    ],
)
def test_encodings_in_many_forms_are_read(given: Any, ids: tuple[int, ...]) -> None:
    assert read_encoding(given).ids == ids


def test_every_field_of_an_encoding_is_read() -> None:
    encoding = tokenizers.Tokenizer.from_file(FILE).encode("hello", "there")
    batch = fast()("hello", "there", return_offsets_mapping=True, return_special_tokens_mask=True)
    for given in (encoding, batch):
        found = read_encoding(given)
        assert found.tokens == tuple(encoding.tokens)
        assert found.offsets == tuple(encoding.offsets)
        assert found.special_tokens_mask == tuple(encoding.special_tokens_mask)
        assert found.sequence_ids == tuple(encoding.sequence_ids)
        assert found.word_ids == tuple(encoding.word_ids)


@pytest.mark.parametrize("given", [None, "ids", 3, [1.5], [[1]], {"ids": ["a"]}, {"ids": [1], "tokens": [2]}])
def test_what_is_no_encoding_is_an_error(given: Any) -> None:
    with pytest.raises(TypeError):
        read_encoding(given)
    answer = subject_of({"encode": lambda _: given}).observe(Encode("a"))
    assert isinstance(answer, Failed)
    assert answer.kind == "TypeError"


@pytest.mark.parametrize("mine", [3, object(), tokenizers.Tokenizer, {}, {"encode": 3}, {"encod": len}, (len,), None])
def test_what_encodes_nothing_is_refused(mine: object) -> None:
    with pytest.raises(TypeError, match=r"expected|no function"):
        wrapped(mine, Manner())


def test_objects_load_by_the_function_that_is_given() -> None:
    def load(path: str) -> Any:
        if path == FILE:
            return (lambda _: [7], lambda _: "")
        raise OSError("no such file")

    mine = {"encode": lambda _: [7]}
    assert wrapped(mine, Manner()).loading is None
    loading = wrapped(mine, Manner(), load).loading
    assert loading is not None
    assert loading.load(SOURCE).observe(Encode("a")) == Encoded((7,))
    with pytest.raises(CannotLoadError, match=r"mine cannot load other .*: no such file"):
        loading.load(TokenizerSource("other", "other.json"))


def test_a_copy_of_a_class_elsewhere_is_asked_by_its_methods() -> None:
    class Own:
        def __init__(self) -> None:
            self.inner = tokenizers.Tokenizer.from_file(FILE)

        def encode(self, text: str, pair: str | None = None, add_special_tokens: bool = True) -> Any:
            return self.inner.encode(text, pair, add_special_tokens=add_special_tokens)

    mine = Own()
    subject = subject_of(mine)
    assert subject.observe(Encode("a", "b")) == subject_of(copy.copy(mine.inner)).observe(Encode("a", "b"))
    assert saved_text(mine) is None
