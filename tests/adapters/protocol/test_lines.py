"""Every message as the line that it is, written and read: a field that is lost or swapped on both ways shows."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tokenizer_adapters.contract import (
    AddTokens,
    After,
    Called,
    Chunks,
    Clocked,
    Crashed,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    EncodeSpecialTokens,
    Failed,
    Field,
    ImplementationInfo,
    LoaderDefaults,
    Measured,
    NewToken,
    Normalize,
    OffsetUnit,
    Pieces,
    PreTokenize,
    SpecialToken,
    Spent,
    Stage,
    Text,
    TokenizerSource,
    Unsupported,
)
from tokenizer_adapters.protocol.answer_lines import read_answer, write_answer
from tokenizer_adapters.protocol.json_fields import (
    FieldError,
    boolean,
    counts,
    duration_pair,
    fields,
    integer,
    integers,
    integers_or_nulls,
    line_of,
    parsed,
    real,
    size,
    span,
    spans,
    string,
    strings,
    strings_or_nulls,
    surrogate_in,
    to_integers,
    to_reals,
)
from tokenizer_adapters.protocol.messages import (
    Answer,
    Call,
    CountWords,
    Load,
    Loaded,
    Measure,
    MessageError,
    Observe,
    Request,
    Save,
    Saved,
    ShowDefaults,
    ShowVocabulary,
    Start,
    Started,
    Stop,
    Stopped,
    Train,
    UnknownRequestError,
    Vocabulary,
)
from tokenizer_adapters.protocol.request_lines import read_request, write_request
from tokenizer_adapters.training import (
    Algorithm,
    CountedWords,
    PreTokenizer,
    TextFiles,
    TrainedModel,
    TrainerInfo,
    TrainingOptions,
    TrainingRequest,
)

OPTIONS = TrainingOptions(
    vocab_size=1,
    min_frequency=2,
    special_tokens=("<s>", "</s>"),
    limit_alphabet=3,
    initial_alphabet=("b", "a"),
    max_token_length=4,
    continuing_subword_prefix="##",
    end_of_word_suffix="</w>",
    unk_token="<unk>",
    max_piece_length=5,
    shrinking_factor=0.5,
    n_sub_iterations=6,
)


def does(name: str, /, **fields: Any) -> dict[str, Any]:
    return {"do": name, **fields}


def asks(name: str, /, **fields: Any) -> dict[str, Any]:
    return {"ask": name, **fields}


REQUESTS: list[tuple[Request, dict[str, Any]]] = [
    (Start(2), does("start", protocol=2)),
    (Load(TokenizerSource("toy", "a.json")), does("load", name="toy", file="a.json")),
    (Load(TokenizerSource("toy", "a.json", "folder")), does("load", name="toy", file="a.json", folder="folder")),
    (ShowVocabulary(), does("vocabulary")),
    (Save(), does("save")),
    (Stop(), does("stop")),
    (CountWords(PreTokenizer.METASPACE, ("b", "a")), does("count", pre_tokenizer="metaspace", files=["b", "a"])),
    (
        Train(
            TrainingRequest(
                algorithm=Algorithm.WORDPIECE,
                pre_tokenizer=PreTokenizer.BYTELEVEL,
                corpus=CountedWords({"b": 2, "a": 1}),
                options=OPTIONS,
            )
        ),
        does(
            "train",
            algorithm="wordpiece",
            pre_tokenizer="bytelevel",
            options={
                "vocab_size": 1,
                "min_frequency": 2,
                "special_tokens": ["<s>", "</s>"],
                "limit_alphabet": 3,
                "initial_alphabet": ["b", "a"],
                "max_token_length": 4,
                "continuing_subword_prefix": "##",
                "end_of_word_suffix": "</w>",
                "unk_token": "<unk>",
                "max_piece_length": 5,
                "shrinking_factor": 0.5,
                "n_sub_iterations": 6,
            },
            words=[["b", 2], ["a", 1]],
        ),
    ),
    (
        Train(
            TrainingRequest(
                algorithm=Algorithm.UNIGRAM,
                pre_tokenizer=PreTokenizer.WHITESPACE,
                corpus=TextFiles(("b", "a")),
                options=TrainingOptions(vocab_size=7),
            )
        ),
        does("train", algorithm="unigram", pre_tokenizer="whitespace", options={"vocab_size": 7}, files=["b", "a"]),
    ),
    (ShowDefaults(), does("defaults")),
    (Call("é"), does("call", text="é")),
    (Call("a", ""), does("call", text="a", pair="")),
    (Measure(("é", ""), 0.5), does("measure", texts=["é", ""], seconds=0.5, batch=False)),
    (Measure((), 2, batch=True), does("measure", texts=[], seconds=2, batch=True)),
]

TOKENS = AddTokens(
    (
        NewToken("a"),
        NewToken("b", single_word=True, lstrip=True, normalized=False),
        NewToken("c", rstrip=True, normalized=True, special=True),
    ),
    special=True,
)
PLAIN_TOKEN = {"single_word": False, "lstrip": False, "rstrip": False, "special": False}

OBSERVATIONS: list[tuple[Any, dict[str, Any]]] = [
    (Normalize("é\ud800"), asks("normalize", text="é\ud800")),
    (PreTokenize(""), asks("pre_tokenize", text="")),
    (Encode("a"), asks("encode", text="a", add_special_tokens=True)),
    (Encode("a", "", add_special_tokens=False), asks("encode", text="a", pair="", add_special_tokens=False)),
    (Encode(("b", "a"), ("d", "c")), asks("encode", words=["b", "a"], pair_words=["d", "c"], add_special_tokens=True)),
    (Encode((), ()), asks("encode", words=[], pair_words=[], add_special_tokens=True)),
    (
        Encode("a", ("b",), add_special_tokens=False),
        asks("encode", text="a", pair_words=["b"], add_special_tokens=False),
    ),
    (
        EncodeBatch((Encode("b", None, False), Encode("a", "c", False))),
        asks("encode_batch", inputs=[{"text": "b"}, {"text": "a", "pair": "c"}], add_special_tokens=False),
    ),
    (
        EncodeBatch((Encode(("b",)), Encode(("a",), ("c",)))),
        asks("encode_batch", inputs=[{"words": ["b"]}, {"words": ["a"], "pair_words": ["c"]}], add_special_tokens=True),
    ),
    (Decode((2, 1), skip_special_tokens=True), asks("decode", ids=[2, 1], skip_special_tokens=True)),
    (Decode((), skip_special_tokens=False), asks("decode", ids=[], skip_special_tokens=False)),
    (DecodeStream((2, 1), skip_special_tokens=False), asks("decode_stream", ids=[2, 1], skip_special_tokens=False)),
    (
        DecodeStream((1, 2, 3), False, (4,), (2,)),
        asks("decode_steps", ids=[1, 2, 3], skip_special_tokens=False, prompt=[4], chunks=[2]),
    ),
    (DecodeStream((1, 2), skip_special_tokens=True), asks("decode_stream", ids=[1, 2], skip_special_tokens=True)),
    (
        After((TOKENS, EncodeSpecialTokens(False), EncodeSpecialTokens(True)), Normalize("a")),
        asks(
            "after",
            changes=[
                {
                    "add_tokens": [
                        {"content": "a", **PLAIN_TOKEN},
                        {"content": "b", **PLAIN_TOKEN, "single_word": True, "lstrip": True, "normalized": False},
                        {"content": "c", **PLAIN_TOKEN, "rstrip": True, "normalized": True, "special": True},
                    ],
                    "special": True,
                },
                {"encode_special_tokens": False},
                {"encode_special_tokens": True},
            ],
            then=asks("normalize", text="a"),
        ),
    ),
    (
        After((AddTokens((), special=False),), Decode((1,), skip_special_tokens=False)),
        asks(
            "after",
            changes=[{"add_tokens": [], "special": False}],
            then=asks("decode", ids=[1], skip_special_tokens=False),
        ),
    ),
]

EVERY_REQUEST = [*REQUESTS, *((Observe(asked), does("observe", **message)) for asked, message in OBSERVATIONS)]


@pytest.mark.parametrize(("request_", "message"), EVERY_REQUEST, ids=[repr(each)[:60] for each, _ in EVERY_REQUEST])
def test_a_request_is_this_line(request_: Request, message: dict[str, Any]) -> None:
    assert json.loads(write_request(7, request_)) == {"id": 7, **message}
    number, read = read_request(json.dumps({"id": 8, **message}).encode())
    assert (number, read) == (8, request_)
    for corpus in (found.training.corpus for found in (read, request_) if isinstance(found, Train)):
        if isinstance(corpus, CountedWords):
            assert list(corpus.counts) == ["b", "a"]


def test_counted_words_keep_their_order() -> None:
    words = {"b": 2, "c": 1, "a": 3}
    written = json.loads(write_answer(1, CountedWords(words)))["value"]["words"]
    assert written == [["b", 2], ["c", 1], ["a", 3]]
    read = read_answer(write_answer(1, CountedWords(words)), 1, CountWords(PreTokenizer.WHITESPACE, ()))
    assert isinstance(read, CountedWords)
    assert list(read.counts) == ["b", "c", "a"]
    corpus = json.loads(write_request(1, REQUESTS[7][0]))["words"]
    assert corpus == [["b", 2], ["a", 1]]


# Answers --------------------------------------------------------------------------------------------------------------

WHOLE = Encoded(
    ids=(1, 2),
    tokens=("a", "é"),
    offsets=((0, 1), (2, 4)),
    word_ids=(None, 3),
    type_ids=(4, 5),
    attention_mask=(1, 0),
    special_tokens_mask=(0, 1),
    sequence_ids=(0, None),
    overflowing=(Encoded(ids=(6,), tokens=("b",)), Encoded(ids=(7,), overflowing=(Encoded(ids=(8,)),))),
)
WHOLE_LINE = {
    "ids": [1, 2],
    "tokens": ["a", "é"],
    "offsets": [[0, 1], [2, 4]],
    "word_ids": [None, 3],
    "type_ids": [4, 5],
    "attention_mask": [1, 0],
    "special_tokens_mask": [0, 1],
    "sequence_ids": [0, None],
    "overflowing": [{"ids": [6], "tokens": ["b"]}, {"ids": [7], "overflowing": [{"ids": [8]}]}],
}
EMPTY = Encoded((), (), (), (), (), (), (), (), ())
EMPTY_LINE = {name: [] for name in WHOLE_LINE}
COMMON = {"name": "it", "version": "1", "language": "C", "home_page": "a page", "install": "make it"}
INFO = ImplementationInfo(
    **COMMON,
    stages=frozenset({Stage.DECODE, Stage.NORMALIZE}),
    fields=frozenset({Field.TEXT, Field.IDS, Field.OFFSETS}),
    offset_unit=OffsetUnit.UTF16_UNITS,
)
INFO_LINE = {"stages": ["normalize", "decode"], "fields": ["text", "ids", "offsets"], "offset_unit": "UTF-16 units"}
TRAINER = TrainerInfo(**COMMON, algorithms=frozenset({Algorithm.UNIGRAM, Algorithm.BPE}), takes_words=True)
TRAINER_LINE = {"algorithms": ["bpe", "unigram"], "takes_words": True}
TRAIN = REQUESTS[7][0]
LOAD = REQUESTS[1][0]

VALUES: list[tuple[Request, Answer, dict[str, Any]]] = [
    (Start(), Started(INFO), {"protocol": 1, **COMMON, **INFO_LINE}),
    (Start(), Started(trainer=TRAINER), {"protocol": 1, **COMMON, **TRAINER_LINE}),
    (Start(), Started(INFO, TRAINER), {"protocol": 1, **COMMON, **INFO_LINE, **TRAINER_LINE}),
    (LOAD, Loaded(), {}),
    (LOAD, Loaded(()), {"files": []}),
    (LOAD, Loaded(("b", "a")), {"files": ["b", "a"]}),
    (Observe(Normalize("")), Text("é\ud800"), {"text": "é\ud800"}),
    (Observe(Decode(())), Text(""), {"text": ""}),
    (
        Observe(PreTokenize("")),
        Pieces((("a", (0, 1)), ("b", None), ("", (3, 2)))),
        {"pieces": [["a", [0, 1]], ["b", None], ["", [3, 2]]]},
    ),
    (Observe(Encode("")), WHOLE, WHOLE_LINE),
    (Observe(Encode("")), EMPTY, EMPTY_LINE),
    (Observe(Encode("")), Encoded((1,)), {"ids": [1]}),
    (Observe(EncodeBatch(())), EncodedBatch((WHOLE, EMPTY)), {"encodings": [WHOLE_LINE, EMPTY_LINE]}),
    (Observe(DecodeStream(())), Chunks(("a", None, "")), {"chunks": ["a", None, ""]}),
    (ShowVocabulary(), Vocabulary({"a": 2, "b": 0}), {"vocabulary": {"a": 2, "b": 0}}),
    (Save(), Saved("{}"), {"document": "{}"}),
    (
        ShowDefaults(),
        LoaderDefaults(
            "Mine",
            (SpecialToken("eos_token", "</s>", 2), SpecialToken("mask_token", "", None)),
            {"limit": 5, "side": "left", "is": True, "names": ("a", "b"), "none": None},
        ),
        {
            "loader": "Mine",
            "special_tokens": [
                {"role": "eos_token", "content": "</s>", "id": 2},
                {"role": "mask_token", "content": "", "id": None},
            ],
            "settings": {"limit": 5, "side": "left", "is": True, "names": ["a", "b"], "none": None},
        },
    ),
    (Call("a"), Called({"input_ids": (1, 2), "none": ()}), {"fields": {"input_ids": [1, 2], "none": []}}),
    (
        Measure((), 1.0),
        Measured("go", frozenset({Field.OFFSETS, Field.IDS}), Clocked.ADAPTER, Spent(1.5, None), Spent(0, 2), 3),
        {
            "call": "go",
            "fields": ["ids", "offsets"],
            "clocked": "adapter",
            "first": [1.5, None],
            "later": [0, 2],
            "passes": 3,
        },
    ),
    (Stop(), Stopped(), {}),
    (TRAIN, TrainedModel({"a": 0}), {"tokens": {"a": 0}}),
    (
        TRAIN,
        TrainedModel({"a": 0}, (), {}, 0.0, 0),
        {"tokens": {"a": 0}, "merges": [], "scores": {}, "seconds": 0.0, "peak_memory": 0},
    ),
    (
        TRAIN,
        TrainedModel({"a": 0}, (("a", "b"), ("b", "a")), {"a": -1.5}, 2.5, 3),
        {
            "tokens": {"a": 0},
            "merges": [["a", "b"], ["b", "a"]],
            "scores": {"a": -1.5},
            "seconds": 2.5,
            "peak_memory": 3,
        },
    ),
]
WITHOUT_VALUE: list[tuple[Answer, dict[str, Any]]] = [
    (Unsupported("no"), {"unsupported": "no"}),
    (Failed("ValueError", "no"), {"error": {"kind": "ValueError", "message": "no"}}),
    (Crashed("panic!"), {"error": {"kind": "panic", "message": "panic!", "panic": True}}),
]
EVERY_ANSWER = [
    *((request, answer, {"value": value}) for request, answer, value in VALUES),
    *((Observe(Normalize("")), answer, message) for answer, message in WITHOUT_VALUE),
]


@pytest.mark.parametrize(
    ("request_", "answer", "message"), EVERY_ANSWER, ids=[type(answer).__name__ for _, answer, _ in EVERY_ANSWER]
)
def test_an_answer_is_this_line(request_: Request, answer: Answer, message: dict[str, Any]) -> None:
    assert json.loads(write_answer(7, answer)) == {"id": 7, **message}
    assert read_answer(json.dumps({"id": 8, **message}).encode(), 8, request_) == answer


@pytest.mark.parametrize("number", [1, 3])
def test_an_answer_to_another_request_is_refused(number: int) -> None:
    with pytest.raises(MessageError, match=f"id: expected 2, found {number}; answers come in the order"):
        read_answer(b'{"id":%d,"value":{}}' % number, 2, Stop())


@pytest.mark.parametrize("version", [0, 2])
def test_another_version_is_refused(version: int) -> None:
    line = json.dumps({"id": 1, "value": {"protocol": version, **COMMON, **INFO_LINE}}).encode()
    with pytest.raises(MessageError, match=f"version {version} is spoken there, and version 1 here"):
        read_answer(line, 1, Start())


@pytest.mark.parametrize(
    ("line", "kind", "number"),
    [
        (b'{"id":3,"do":"sing"}', UnknownRequestError, 3),
        (b'{"id":3,"do":"observe","ask":"think"}', UnknownRequestError, 3),
        (b'{"id":3,"do":"stop","now":true}', MessageError, 3),
        (b'{"id":3,"do":"load","name":"a"}', MessageError, 3),
        (b'{"do":"stop"}', MessageError, None),
        (b"stop", MessageError, None),
    ],
)
def test_a_request_that_is_refused_keeps_its_number(line: bytes, kind: type[MessageError], number: int | None) -> None:
    with pytest.raises(MessageError) as caught:
        read_request(line)
    assert (type(caught.value), caught.value.number) == (kind, number)


# Fields ---------------------------------------------------------------------------------------------------------------


def test_lines_are_ascii_without_blanks_and_hold_no_number_that_is_none() -> None:
    assert line_of({"a": "é\U0001f389\ud800", "b": [1, None]}) == b'{"a":"\\u00e9\\ud83c\\udf89\\ud800","b":[1,null]}\n'
    for number in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="not JSON compliant"):
            line_of({"a": number})


@pytest.mark.parametrize(
    ("read", "value", "message"),
    [
        (string, None, "f: expected a string, found null"),
        (integer, True, "f: expected an integer, found true"),
        (integer, 1.0, "f: expected an integer, found 1.0"),
        (real, True, "f: expected a number, found true"),
        (boolean, 1, "f: expected true or false, found 1"),
        (boolean, None, "f: expected true or false, found null"),
        (strings, ["a", None], "f[1]: expected a string, found null"),
        (strings_or_nulls, ["a", None, 1], "f[2]: expected a string or null, found 1"),
        (integers, [1, True], "f[1]: expected an integer, found true"),
        (integers, [1, None], "f[1]: expected an integer, found null"),
        (integers_or_nulls, [None, False], "f[1]: expected an integer or null, found false"),
        (span, [1], "f: expected a pair of integers [start, end], found [1]"),
        (duration_pair, [1], "f: expected a pair of seconds [by the clock, of processor time], found [1]"),
        (
            duration_pair,
            [None, 1],
            "f: expected seconds of at least 0, or null for the second, found [null, 1]",
        ),
        (duration_pair, [0, -1], "f: expected seconds of at least 0, or null for the second, found [0, -1]"),
        (duration_pair, [0, "a"], 'f[1]: expected a number, found "a"'),
        (size, 0, "f: expected an integer of at least 1, found 0"),
        (spans, [[0, 1], [0, 1, 2]], "f[1]: expected a pair of integers [start, end], found [0, 1, 2]"),
        (spans, [[0, True]], "f[0]: expected a pair of integers [start, end], found [0, true]"),
        (counts, [["a", 0]], 'f[0]: expected a pair [word, count] with a count of at least 1, found ["a", 0]'),
        (counts, [["a", 1], ["a", 1]], 'f[1]: the word "a" stands twice in the list'),
        (to_integers, {"a": True}, 'f["a"]: expected an integer, found true'),
        (to_reals, {"a": 1.5, "b": None}, 'f["b"]: expected a number, found null'),
        (string, list(range(99)), f"f: expected a string, found {str(list(range(99)))[:60]}…"),
    ],
)
def test_a_wrong_value_is_refused_with_its_place(read: Any, value: object, message: str) -> None:
    with pytest.raises(FieldError) as caught:
        read(value, "f")
    assert str(caught.value) == message


def test_right_values_are_read_as_they_are() -> None:
    assert span([3, 2], "f") == (3, 2)
    assert spans([[3, 2], [0, 1]], "f") == ((3, 2), (0, 1))
    assert (real(1, "f"), real(1.5, "f"), boolean(False, "f")) == (1, 1.5, False)
    assert to_reals({"b": 1, "a": 1.5}, "f") == {"b": 1, "a": 1.5}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"a":NaN}', "a line that is not JSON: "),
        (b'{"a":-Infinity}', "a line that is not JSON: "),
        (b'{"a":1,"a":1}', 'the key "a" stands twice in one object'),
        (b'{"a":{"b":1,"b":2}}', 'the key "b" stands twice in one object'),
        (b'{"a":"\xff"}', "a line that is not UTF-8 (byte 6): "),
        (b"1", 'a line that is no JSON object: "1"'),
    ],
)
def test_a_line_that_is_no_message_is_refused(line: bytes, message: str) -> None:
    with pytest.raises(FieldError) as caught:
        parsed(line)
    assert str(caught.value).startswith(message)


def test_an_object_has_the_fields_that_it_must_and_no_others() -> None:
    assert fields({"b": 1, "a": "x"}, "f", {"a": string}, {"b": integer}) == {"b": 1, "a": "x"}
    with pytest.raises(FieldError, match=r'^f: the field "a" is missing$'):
        fields({"b": 1}, "f", {"a": string}, {"b": integer})
    with pytest.raises(FieldError, match=r'^f: "c" is no field of it \(its fields: "a", "b"\)$'):
        fields({"a": "x", "c": 1}, "f", {"a": string}, {"b": integer})
    with pytest.raises(FieldError, match=r'^the message: "c" is no field of it \(its fields: none\)$'):
        fields({"c": 1}, "", {})


@pytest.mark.parametrize(
    ("message", "surrogate"),
    [
        ({"a": ["b", ("c", "\ud800d")]}, "\ud800"),
        ({"\udfff": 1}, "\udfff"),
        ({"halves of a character": "\ud83d\ude00"}, "\ud83d"),
        ({"a character": "\U0001f600", "next to them": "\ud7ff\ue000", "written so": "\\ud800"}, None),
    ],
)
def test_a_surrogate_is_seen_wherever_it_stands(message: dict[str, Any], surrogate: str | None) -> None:
    assert surrogate_in(message) == surrogate
