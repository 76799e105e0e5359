"""Objects of a program are asked by what they have, and are afterwards as they were."""

from __future__ import annotations

import copy
import json
import re
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pytest
import tokenizers
import transformers
from in_one_test import in_one_test
from peer_questions import kept, plain

import tokenizer_reference
from tokenizer_adapters.contract import (
    AddTokens,
    After,
    CannotLoadError,
    Chat,
    Chunks,
    Decode,
    DecodeStream,
    Encode,
    Encoded,
    Failed,
    Field,
    NewToken,
    Normalize,
    OffsetUnit,
    Pieces,
    PreTokenize,
    Rendered,
    Stage,
    Text,
    TokenizerSource,
    Unsupported,
)
from tokenizer_adapters.objects import CallsSubject, Manner, _kept, read_encoding, saved_text, without_effect, wrapped
from tokenizer_adapters.pipeline import ALL_FIELDS, ALL_STAGES
from tokenizer_conformance.inputs.bundled import bundled_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

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
    answer = subject.observe(plain("hello"))
    assert answer == found.loading.load(SOURCE).observe(plain("hello"))
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


def test_functions_are_timed_as_they_are_but_for_special_tokens() -> None:
    def encode(text: str, add_special_tokens: bool = True) -> list[int]:
        return [len(text), add_special_tokens]

    def encode_batch(texts: list[str]) -> list[list[int]]:
        return [[len(text)] for text in texts]

    one = CallsSubject({"encode": encode}, Manner()).own_calls()
    assert (one.one.run("abc"), one.one.fields, one.many) == ([3, False], {Field.IDS}, None)
    both = CallsSubject({"encode": encode, "encode_batch": encode_batch}, Manner()).own_calls()
    assert both.many is not None
    assert both.many.run(["ab"]) == [[2]]


def test_what_functions_have_no_argument_for_is_not_asked() -> None:
    subject = CallsSubject({"encode": lambda text: [len(text)], "decode": str}, Manner())
    assert subject.stages == {Stage.POST_PROCESS, Stage.DECODE}
    assert subject.fields == {Field.IDS, Field.TEXT}
    assert subject.observe(Encode("ab")) == Encoded((2,))
    assert subject.observe(Decode((1,))) == Text("[1]")
    for question in (plain("ab"), Encode("a", "b"), Encode(("a",)), kept((1,)), Normalize("a")):
        assert isinstance(subject.observe(question), Unsupported)
        assert not subject.takes(question)


@pytest.mark.parametrize("error", [ValueError("not this text"), SystemExit(2)])
def test_functions_that_answer_the_first_text_with_an_error_are_asked_for_ids(error: BaseException) -> None:
    def encode(_text: str) -> list[int]:
        raise error

    assert CallsSubject({"encode": encode}, Manner()).fields == {Field.IDS}
    assert CallsSubject({"encode": encode, "decode": str}, Manner()).fields == {Field.IDS, Field.TEXT}


def test_functions_that_add_no_special_tokens_show_the_model() -> None:
    manner = Manner(adds_special_tokens=False, skips_special_tokens=False)
    subject = CallsSubject({"encode": lambda text: [len(text)], "decode": str}, manner)
    assert subject.stages == {Stage.MODEL, Stage.DECODE}
    assert subject.takes(plain("a"))
    assert not subject.takes(Encode("a"))
    assert subject.takes(kept((1,)))


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


def test_a_stream_is_told_its_prompt_and_steps_where_it_has_arguments_for_them() -> None:
    seen: list[Any] = []

    def decode_stream(ids: Any, skip_special_tokens: Any = True, **others: Any) -> Any:
        seen.append((ids, skip_special_tokens, others))
        return iter(["a", None])

    subject = CallsSubject({"encode": len, "decode_stream": decode_stream}, Manner())
    stream = DecodeStream((1, 2, 3), skip_special_tokens=False, prompt=(7,), chunks=(2,))
    assert subject.observe(stream) == Chunks(("a", None))
    assert seen == [([1, 2, 3], False, {"prompt": [7], "chunks": [2]})]
    assert subject.observe(DecodeStream((1,))) == Chunks(("a", None))
    assert seen[1:] == [([1], True, {})]
    plain_stream = CallsSubject({"encode": len, "decode_stream": lambda ids: map(str, ids)}, Manner())
    assert plain_stream.observe(DecodeStream((1, 2))) == Chunks(("1", "2"))
    for each in (DecodeStream((1,), prompt=(2,)), DecodeStream((1, 2), chunks=(2,)), DecodeStream((1,), False)):
        assert isinstance(plain_stream.observe(each), Unsupported)
    assert isinstance(CallsSubject({"encode": len}, Manner()).observe(DecodeStream((1,))), Unsupported)


MESSAGES = '[{"role": "user", "content": "Hi"}]'


def test_a_chat_is_told_what_it_has_arguments_for() -> None:
    seen: list[Any] = []

    def apply_chat_template(messages: Any, tools: Any = None, *, add_generation_prompt: bool, tokenize: bool) -> Any:
        seen.append((messages, tools, add_generation_prompt))
        return {"input_ids": [5]} if tokenize else "Hi"

    subject = CallsSubject({"encode": len, "apply_chat_template": apply_chat_template}, Manner())
    assert Stage.CHAT in subject.stages
    assert Field.TEXT in subject.fields
    assert subject.observe(Chat(MESSAGES, "[]", add_generation_prompt=True)) == Rendered("Hi", (5,))
    assert seen == 2 * [([{"role": "user", "content": "Hi"}], [], True)]
    for each in (Chat(MESSAGES, continue_final_message=True), Chat(MESSAGES, template="rag")):
        assert isinstance(subject.observe(each), Unsupported)


def test_a_chat_without_tokenize_has_no_ids_and_without_tools_is_not_asked_about_them() -> None:
    subject = CallsSubject({"encode": len, "apply_chat_template": lambda messages: messages[0]["content"]}, Manner())
    assert subject.observe(Chat(MESSAGES)) == Rendered("Hi")
    assert isinstance(subject.observe(Chat(MESSAGES, '[{"type": "function"}]')), Unsupported)
    wrong = CallsSubject({"encode": len, "apply_chat_template": lambda _: [1]}, Manner())
    assert isinstance(wrong.observe(Chat(MESSAGES)), Failed)


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


def test_an_object_is_described_as_its_user_says() -> None:
    manner = Manner(name="it", offset_unit=OffsetUnit.UTF8_BYTES)
    for mine in (tokenizers.Tokenizer.from_file(FILE), {"encode": lambda _: [1]}):
        info = wrapped(mine, manner).implementation.info
        assert (info.name, info.offset_unit) == ("it", OffsetUnit.UTF8_BYTES)
    assert wrapped(fast(), manner).implementation.info.version == transformers.__version__
    assert wrapped({"encode": lambda _: [1]}, manner).implementation.info.version == "unversioned"


@pytest.mark.parametrize("adds", [True, False])
@pytest.mark.parametrize("words", [True, False])
def test_arguments_are_given_under_the_names_of_either_library(adds: bool, words: bool) -> None:
    seen: list[Any] = []

    def like_tokenizers(
        text: Any, pair: Any = None, is_pretokenized: Any = None, add_special_tokens: Any = None
    ) -> Any:
        seen.append((text, pair, is_pretokenized, add_special_tokens))
        return [1]

    def like_transformers(
        text: Any, text_pair: Any = None, is_split_into_words: Any = None, add_special_tokens: Any = None
    ) -> Any:
        seen.append((text, text_pair, is_split_into_words, add_special_tokens))
        return [1]

    for encode in (like_tokenizers, like_transformers):
        subject = subject_of({"encode": encode})
        seen.clear()
        assert subject.observe(Encode(("a",) if words else "a", ("b",) if words else "b", adds)) == Encoded((1,))
        assert seen == [(["a"] if words else "a", ["b"] if words else "b", True if words else None, adds)]


@pytest.mark.parametrize("skips", [True, False])
def test_decoding_is_told_what_to_skip(skips: bool) -> None:
    def decode(ids: list[int], *, skip_special_tokens: bool) -> str:
        return f"{ids} {skip_special_tokens}"

    subject = subject_of({"encode": lambda _: [1], "decode": decode})
    assert subject.observe(Decode((2, 1), skip_special_tokens=skips)) == Text(f"[2, 1] {skips}")


@pytest.mark.parametrize(("adds", "skips"), [(True, False), (False, True)])
def test_what_cannot_be_told_is_as_its_user_says(adds: bool, skips: bool) -> None:
    manner = Manner(adds_special_tokens=adds, skips_special_tokens=skips)
    subject = CallsSubject({"encode": lambda _: [1], "decode": str}, manner)
    assert subject.stages == {Stage.POST_PROCESS if adds else Stage.MODEL, Stage.DECODE}
    for value in (True, False):
        assert subject.takes(Encode("a", add_special_tokens=value)) is (value is adds)
        assert subject.takes(Decode((1,), skip_special_tokens=value)) is (value is skips)
    assert subject.observe(Encode("a", add_special_tokens=not adds)) == Unsupported(
        f"encode has no argument add_special_tokens, and is taken to do as with {adds}"
    )
    assert subject.observe(Encode("a", "b", add_special_tokens=adds)) == Unsupported(
        "encode has no argument for a second text (pair)"
    )
    telling = CallsSubject({"encode": lambda _, add_special_tokens: [int(add_special_tokens)]}, manner)
    assert telling.stages == {Stage.MODEL, Stage.POST_PROCESS}
    assert [telling.observe(Encode("a", add_special_tokens=value)) for value in (True, False)] == [
        Encoded((1,)),
        Encoded((0,)),
    ]


WHOLE = Encoded(
    ids=(1, 2),
    tokens=("a", "b"),
    offsets=((0, 1), (2, 5)),
    word_ids=(None, 3),
    type_ids=(4, 5),
    attention_mask=(6, 7),
    special_tokens_mask=(8, 9),
    sequence_ids=(0, None),
    overflowing=(Encoded((3,)),),
)
OF_TOKENIZERS = {
    "ids": [1, 2],
    "tokens": ["a", "b"],
    "offsets": [(0, 1), (2, 5)],
    "word_ids": [None, 3],
    "type_ids": [4, 5],
    "attention_mask": [6, 7],
    "special_tokens_mask": [8, 9],
    "sequence_ids": [0, None],
    "overflowing": [[3]],
}
OF_TRANSFORMERS = {
    **{name: value for name, value in OF_TOKENIZERS.items() if name not in {"ids", "offsets", "type_ids"}},
    "input_ids": np.array([1, 2]),
    "offset_mapping": np.array([[0, 1], [2, 5]]),
    "token_type_ids": np.array([4, 5]),
    "attention_mask": np.array([6, 7]),
    "special_tokens_mask": np.array([8, 9]),
}


@pytest.mark.parametrize("given", [OF_TOKENIZERS, OF_TRANSFORMERS], ids=["tokenizers", "transformers"])
def test_each_field_is_read_under_its_name_in_either_library(given: dict[str, Any]) -> None:
    assert read_encoding(given) == read_encoding(SimpleNamespace(**given)) == WHOLE
    assert read_encoding(given | {"word_ids": np.array([1, 3]), "sequence_ids": np.array([0, 1])}).word_ids == (1, 3)


@pytest.mark.parametrize("given", [{"type_ids": b"a"}, {"attention_mask": "1"}, {"tokens": "ab"}])
def test_texts_and_bytes_are_no_lists(given: Any) -> None:
    with pytest.raises(
        TypeError, match=rf"^encode gave {next(iter(given))} as one (str|bytes), .*: a list is expected$"
    ):
        read_encoding({"ids": [1], **given})


@in_one_test(
    "given, words",
    [
        ({"ids": [1.0]}, "encode gave an object of dict: ids, or a mapping"),
        ([1.0], "encode gave a list of float: ids, or a mapping"),
        ({"ids": [1], "offsets": [("0", "1")]}, "encode gave offsets that cannot be read: 'str' object cannot be"),
        ({"ids": [1], "offsets": [(0, 1, 2)]}, "encode gave offsets that cannot be read: too many values"),
        ({"ids": [1], "tokens": [1]}, "encode gave tokens that cannot be read: a token of encode gave an"),
    ],
)
def test_what_cannot_be_read_is_named(given: Any, words: str) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(words)}"):
        read_encoding(given)


@pytest.mark.parametrize("mine", [(len,), (len, len, len), []])
def test_only_two_functions_are_a_pair(mine: Any) -> None:
    with pytest.raises(TypeError, match="a pair of functions, encode and decode, is expected"):
        wrapped(mine, Manner())


def test_what_a_call_sets_in_a_pipeline_is_put_back_whatever_that_had_before() -> None:
    for truncates in (True, False):
        mine = fast()
        mine.truncation_side = mine.padding_side = "left"
        backend = mine.backend_tokenizer
        backend.no_truncation()
        backend.no_padding()
        if truncates:
            backend.enable_truncation(3, stride=1, strategy="only_first")
            backend.enable_padding(length=7, pad_token="[PAD]", direction="left")
        backend.encode_special_tokens = truncates
        before = (backend.truncation, backend.padding, backend.encode_special_tokens)
        subject = subject_of(mine)
        subject.observe(Encode("hello there my friend [SEP]"))
        assert (backend.truncation, backend.padding, backend.encode_special_tokens) == before
        text = saved_text(mine)
        assert text is not None
        assert (json.loads(text)["truncation"], json.loads(text)["padding"]) == (None, None)


def test_an_error_in_between_leaves_a_pipeline_as_it_was() -> None:
    backend = tokenizers.Tokenizer.from_file(FILE)

    def change_and_fail() -> None:
        with _kept(backend):
            backend.enable_truncation(3)
            backend.enable_padding(length=7)
            backend.encode_special_tokens = True
            raise KeyError

    for _ in range(2):
        with pytest.raises(KeyError):
            change_and_fail()
        assert (backend.truncation, backend.padding, backend.encode_special_tokens) == (None, None, False)


def test_changes_of_a_question_do_not_reach_the_object() -> None:
    for make in PIPELINES:
        mine = make()
        subject = subject_of(mine)
        before = subject.observe(Encode("hello there"))
        added = After((AddTokens((NewToken("hello there"),)),), Encode("hello there"))
        assert subject.observe(added) != before
        assert subject.observe(Encode("hello there")) == before
        assert "hello there" not in mine.get_vocab()


class Own:
    """Loads and encodes in its own way, with the API of ``tokenizers``."""

    loaded: ClassVar[list[str]] = []

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    @classmethod
    def from_file(cls, path: str) -> Own:
        cls.loaded.append(path)
        return cls(tokenizers.Tokenizer.from_file(path))


def test_another_tokenizer_is_loaded_by_the_own_class_or_by_the_function_that_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Own, "__module__", "tokenizers")  # as a class of a library that has its API
    monkeypatch.setattr(Own, "loaded", [])
    mine = Own(tokenizers.Tokenizer.from_file(FILE))
    loading = wrapped(mine, Manner()).loading
    assert loading is not None
    answer = loading.load(SOURCE).observe(Encode("hello"))
    assert Own.loaded == [FILE]
    assert answer == subject_of(tokenizers.Tokenizer.from_file(FILE)).observe(Encode("hello"))
    given: list[str] = []

    def load(path: str) -> Any:
        given.append(path)
        return [lambda _: [7], lambda _: ""]

    for each in (mine, fast(), {"encode": lambda _: [1]}):
        own_way = wrapped(each, Manner(), load).loading
        assert own_way is not None
        assert own_way.load(SOURCE).observe(Encode("a")) == Encoded((7,))
    assert given == [FILE] * 3
    assert Own.loaded == [FILE]


# What makes no difference --------------------------------------------------------------------------------------------

BERT = {"type": "BertProcessing"}
TEMPLATE = {"type": "TemplateProcessing"}
EITHER, BOTH = "add_special_tokens", frozenset({"add_special_tokens", "skip_special_tokens"})
WITHOUT_EFFECT: list[tuple[object, frozenset[str]]] = [
    ({}, BOTH),
    ({"post_processor": None, "added_tokens": None}, BOTH),
    ({"post_processor": {"type": "ByteLevel"}}, BOTH),
    ({"post_processor": {"type": "Sequence", "processors": [{"type": "ByteLevel"}]}}, BOTH),
    ({"post_processor": {"type": "Sequence", "processors": [{"type": "ByteLevel"}, BERT]}}, BOTH - {EITHER}),
    ({"post_processor": TEMPLATE}, BOTH - {EITHER}),
    ({"added_tokens": [{"special": False}]}, BOTH),
    ({"added_tokens": [{"special": False}, {"special": True}]}, frozenset({EITHER})),
    ({"added_tokens": [{}]}, frozenset({EITHER})),
    ({"post_processor": BERT, "added_tokens": [{}]}, frozenset()),
    ([], frozenset()),
    ("tokenizer", frozenset()),
    ({"post_processor": "ByteLevel"}, frozenset()),
    ({"post_processor": {"type": "Sequence"}}, frozenset()),
    ({"added_tokens": ["a"]}, frozenset()),
    ({"added_tokens": 1}, frozenset()),
]


@pytest.mark.parametrize(("document", "expected"), WITHOUT_EFFECT)
def test_arguments_that_make_no_difference_with_a_tokenizer(
    tmp_path: Path, document: object, expected: frozenset[str]
) -> None:
    (tmp_path / "tokenizer.json").write_text(json.dumps(document), encoding="utf-8")
    assert without_effect(str(tmp_path / "tokenizer.json")) == expected


@pytest.mark.parametrize("content", [None, b"{", b"\xff", b"[" * 100_000])
def test_of_a_file_that_cannot_be_read_all_arguments_may_make_a_difference(
    tmp_path: Path, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / "tokenizer.json").write_bytes(content)
    assert without_effect(str(tmp_path / "tokenizer.json")) == frozenset()
