"""Messages survive the wire, and what is wrong with one is said by field; codec and published schema agree."""

from __future__ import annotations

import copy
import json
from itertools import combinations
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tokenizer_adapters.contract import (
    AddTokens,
    After,
    Called,
    Chat,
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
    Rendered,
    SpecialToken,
    Spent,
    Stage,
    Text,
    TokenizerSource,
    Unsupported,
)
from tokenizer_adapters.protocol.answer_lines import read_answer, write_answer
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
    Vocabulary,
    name_of,
    schema,
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

if TYPE_CHECKING:
    from collections.abc import Callable

SCHEMA = schema()
REQUESTS = jsonschema.Draft202012Validator({**SCHEMA, "anyOf": [{"$ref": "#/$defs/request"}]})
ANSWERS = {
    name.removeprefix("answer_to_"): jsonschema.Draft202012Validator({**SCHEMA, "anyOf": [{"$ref": f"#/$defs/{name}"}]})
    for name in SCHEMA["$defs"]
    if name.startswith("answer_to_")
}

# Messages -------------------------------------------------------------------------------------------------------------

TEXTS = st.text(st.characters(), max_size=8) | st.sampled_from(["", "\0", "\u2028\r\n", "\ud800", "\udfff\U0010ffff"])
WORDS = st.lists(TEXTS, max_size=3).map(tuple)
NUMBERS = st.integers(-(2**70), 2**70)
SPANS = st.tuples(NUMBERS, NUMBERS)


def tuples(entries: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(entries, max_size=3).map(tuple)


def batch(add_special_tokens: bool, inputs: tuple[tuple[Any, Any], ...]) -> EncodeBatch:
    return EncodeBatch(tuple(Encode(text, pair, add_special_tokens) for text, pair in inputs))


SECOND = st.none() | TEXTS | WORDS
PLAIN_OBSERVATIONS = st.one_of(
    st.builds(Normalize, TEXTS),
    st.builds(PreTokenize, TEXTS),
    st.builds(Encode, TEXTS | WORDS, SECOND, st.booleans()),
    st.builds(Decode, tuples(NUMBERS), st.booleans()),
    st.builds(batch, st.booleans(), tuples(st.tuples(TEXTS, SECOND)) | tuples(st.tuples(WORDS, SECOND))),
    st.builds(DecodeStream, tuples(NUMBERS), st.booleans(), tuples(NUMBERS), tuples(st.integers(1, 2**70))),
    st.builds(Chat, TEXTS, st.none() | TEXTS, st.booleans(), st.booleans(), st.none() | TEXTS),
)
FLAG = st.booleans()
NEW_TOKENS = st.builds(NewToken, TEXTS, FLAG, FLAG, FLAG, st.none() | FLAG, FLAG)
CHANGES = st.builds(AddTokens, tuples(NEW_TOKENS), FLAG) | st.builds(EncodeSpecialTokens, FLAG)
OBSERVATIONS = PLAIN_OBSERVATIONS | st.builds(After, tuples(CHANGES), PLAIN_OBSERVATIONS)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS, lambda inner: st.lists(inner, max_size=2), max_leaves=3
)
SOURCES = st.builds(TokenizerSource, TEXTS, TEXTS, st.none() | TEXTS)
COUNTED = st.builds(CountedWords, st.dictionaries(TEXTS, st.integers(1, 2**70), max_size=3))
REALS = st.floats(allow_nan=False, allow_infinity=False) | NUMBERS
OPTIONS = st.builds(
    TrainingOptions,
    vocab_size=NUMBERS,
    min_frequency=NUMBERS,
    special_tokens=WORDS,
    limit_alphabet=st.none() | NUMBERS,
    initial_alphabet=WORDS,
    max_token_length=st.none() | NUMBERS,
    continuing_subword_prefix=TEXTS,
    end_of_word_suffix=TEXTS,
    unk_token=st.none() | TEXTS,
    max_piece_length=NUMBERS,
    shrinking_factor=REALS,
    n_sub_iterations=NUMBERS,
)
TRAININGS = st.builds(
    TrainingRequest,
    algorithm=st.sampled_from(Algorithm),
    pre_tokenizer=st.sampled_from(PreTokenizer),
    corpus=st.builds(TextFiles, WORDS) | COUNTED,
    options=OPTIONS,
)
ENCODED = st.recursive(
    st.builds(
        Encoded,
        ids=tuples(NUMBERS),
        tokens=st.none() | WORDS,
        offsets=st.none() | tuples(SPANS),
        word_ids=st.none() | tuples(st.none() | NUMBERS),
        type_ids=st.none() | tuples(NUMBERS),
        attention_mask=st.none() | tuples(NUMBERS),
        special_tokens_mask=st.none() | tuples(NUMBERS),
        sequence_ids=st.none() | tuples(st.none() | NUMBERS),
    ),
    lambda inner: st.builds(Encoded, ids=tuples(NUMBERS), overflowing=tuples(inner)),
    max_leaves=3,
)
COMMON = st.fixed_dictionaries(
    {"name": TEXTS.filter(str.strip), "version": TEXTS, "language": TEXTS, "home_page": TEXTS, "install": TEXTS}
)
IMPLEMENTATIONS = st.fixed_dictionaries(
    {
        "stages": st.frozensets(st.sampled_from(Stage)),
        "fields": st.frozensets(st.sampled_from(Field)),
        "offset_unit": st.sampled_from(OffsetUnit),
    }
)
TRAINERS = st.fixed_dictionaries(
    {"algorithms": st.frozensets(st.sampled_from(Algorithm)), "takes_words": st.booleans()}
)


def started(common: dict[str, Any], implementation: dict[str, Any] | None, trainer: dict[str, Any] | None) -> Started:
    return Started(
        None if implementation is None else ImplementationInfo(**common, **implementation),
        None if trainer is None else TrainerInfo(**common, **trainer),
    )


STARTED = st.builds(started, COMMON, IMPLEMENTATIONS, st.none() | TRAINERS) | st.builds(
    started, COMMON, st.none(), TRAINERS
)
SECONDS = st.floats(0, allow_infinity=False)
SPENT = st.builds(Spent, SECONDS, st.none() | SECONDS)
VALUES: dict[str, st.SearchStrategy[Answer]] = {
    "start": STARTED,
    "load": st.builds(
        Loaded,
        st.none() | WORDS,
        st.none() | st.dictionaries(st.sampled_from(Stage), st.frozensets(st.sampled_from(Field))),
    ),
    "normalize": st.builds(Text, TEXTS),
    "pre_tokenize": st.builds(Pieces, tuples(st.tuples(TEXTS, st.none() | SPANS))),
    "encode": ENCODED,
    "decode": st.builds(Text, TEXTS),
    "encode_batch": st.builds(EncodedBatch, tuples(ENCODED)),
    "decode_stream": st.builds(Chunks, tuples(st.none() | TEXTS)),
    "chat": st.builds(Rendered, TEXTS, st.none() | tuples(NUMBERS)),
    "decode_steps": st.builds(Chunks, tuples(st.none() | TEXTS)),
    "save": st.builds(Saved, TEXTS),
    "defaults": st.builds(
        LoaderDefaults,
        TEXTS,
        tuples(st.builds(SpecialToken, TEXTS, TEXTS, st.none() | NUMBERS)),
        st.dictionaries(TEXTS, st.none() | st.booleans() | NUMBERS | TEXTS | WORDS, max_size=3),
    ),
    "call": st.builds(Called, st.dictionaries(TEXTS, tuples(NUMBERS), max_size=3)),
    "measure": st.builds(
        Measured,
        TEXTS,
        st.frozensets(st.sampled_from(Field)),
        st.sampled_from((Clocked.CALL, Clocked.ADAPTER)),
        SPENT,
        SPENT,
        st.integers(1, 2**70),
    ),
    "vocabulary": st.builds(Vocabulary, st.dictionaries(TEXTS, NUMBERS, max_size=3)),
    "count": COUNTED,
    "train": st.builds(
        TrainedModel,
        tokens=st.dictionaries(TEXTS, NUMBERS, max_size=3),
        merges=st.none() | tuples(st.tuples(TEXTS, TEXTS)),
        scores=st.none() | st.dictionaries(TEXTS, REALS, max_size=3),
        seconds=st.none() | REALS,
        peak_memory=st.none() | NUMBERS,
    ),
    "stop": st.just(Stopped()),
}
NO_VALUE = st.builds(Unsupported, TEXTS) | st.builds(Failed, TEXTS, TEXTS) | st.builds(Crashed, TEXTS)
PLAIN: dict[str, Request] = {
    "start": Start(),
    "load": Load(TokenizerSource("toy", "/tmp/tokenizer.json")),
    "normalize": Observe(Normalize("a")),
    "pre_tokenize": Observe(PreTokenize("a")),
    "encode": Observe(Encode("a")),
    "decode": Observe(Decode((1,))),
    "encode_batch": Observe(EncodeBatch((Encode("a"),))),
    "decode_stream": Observe(DecodeStream((1,))),
    "chat": Observe(Chat("[]")),
    "decode_steps": Observe(DecodeStream((1, 2), chunks=(2,))),
    "save": Save(),
    "defaults": ShowDefaults(),
    "call": Call("a"),
    "measure": Measure(("a",), 0.5),
    "vocabulary": ShowVocabulary(),
    "count": CountWords(PreTokenizer.WHITESPACE, ("a.txt",)),
    "train": Train(
        TrainingRequest(
            algorithm=Algorithm.BPE,
            pre_tokenizer=PreTokenizer.WHITESPACE,
            corpus=TextFiles(("a.txt",)),
            options=TrainingOptions(vocab_size=300),
        )
    ),
    "stop": Stop(),
}
REQUEST = st.one_of(
    st.builds(Start, NUMBERS),
    st.builds(Load, SOURCES),
    st.builds(Observe, OBSERVATIONS),
    st.just(ShowVocabulary()),
    st.just(Save()),
    st.just(ShowDefaults()),
    st.builds(Call, TEXTS, st.none() | TEXTS),
    st.builds(Measure, WORDS, REALS, FLAG),
    st.builds(CountWords, st.sampled_from(PreTokenizer), WORDS),
    st.builds(Train, TRAININGS),
    st.just(Stop()),
)
ANSWER = st.sampled_from(sorted(PLAIN)).flatmap(lambda name: st.tuples(st.just(name), VALUES[name] | NO_VALUE))


def test_the_schema_is_one_and_describes_an_answer_to_every_request() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert ANSWERS.keys() == PLAIN.keys()


# The wire -------------------------------------------------------------------------------------------------------------


@given(st.integers(), REQUEST)
def test_a_request_survives_the_wire_as_one_line_of_ascii(number: int, request: Request) -> None:
    line = write_request(number, request)
    assert line.isascii()
    assert line.index(b"\n") == len(line) - 1
    assert read_request(line) == (number, request)
    REQUESTS.validate(json.loads(line))


@given(st.integers(), ANSWER)
def test_an_answer_survives_the_wire_as_one_line_of_ascii(number: int, named: tuple[str, Answer]) -> None:
    name, answer = named
    line = write_answer(number, answer)
    assert line.isascii()
    assert line.index(b"\n") == len(line) - 1
    assert read_answer(line, number, PLAIN[name]) == answer
    ANSWERS[name].validate(json.loads(line))


def test_raw_utf_8_null_for_a_field_not_shown_and_a_carriage_return_are_read() -> None:
    line = '{"id": 1, "value": {"ids": [1], "tokens": ["é\u2028"], "offsets": null}}\r\n'.encode()
    assert read_answer(line, 1, PLAIN["encode"]) == Encoded(ids=(1,), tokens=("é\u2028",))


def mutated(message: Any, data: st.DataObject) -> Any:
    """Return ``message`` with one place of it changed: a value replaced, or an entry dropped or added."""
    message = copy.deepcopy(message)
    place, key = message, data.draw(st.sampled_from(sorted(message)))
    while isinstance(place[key], dict | list) and place[key] and data.draw(st.booleans()):
        place = place[key]
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
    match data.draw(st.sampled_from(["replace", "drop", "add"])):
        case "replace":
            place[key] = data.draw(JSON | st.just({}) | st.just(0.5))
        case "drop":
            del place[key]
        case _ if isinstance(place, dict):
            place[data.draw(st.sampled_from(["other", "value", "error", "pair", "text", "words", "tokens"]))] = 1
        case _:
            place.append(data.draw(JSON))
    return message


def accepted(read: Callable[[], object]) -> bool:
    try:
        read()
    except MessageError:
        return False
    return True


def has_a_word_twice(message: Any) -> bool:
    """Tell whether counted words have a word twice, which is refused, and which a schema cannot say."""
    words = message.get("words") if isinstance(message, dict) else None
    pairs = [entry for entry in words if isinstance(entry, list)] if isinstance(words, list) else []
    return any(one[:1] == other[:1] for one, other in combinations(pairs, 2))


@given(REQUEST, st.data())
def test_codec_and_schema_accept_the_same_requests(request: Request, data: st.DataObject) -> None:
    message = mutated(json.loads(write_request(1, request)), data)
    assume(not has_a_word_twice(message))
    assert accepted(lambda: read_request(json.dumps(message).encode())) is REQUESTS.is_valid(message)


@given(ANSWER, st.data())
def test_codec_and_schema_accept_the_same_answers(named: tuple[str, Answer], data: st.DataObject) -> None:
    name, answer = named
    message = mutated(json.loads(write_answer(1, answer)), data)
    assume(not has_a_word_twice(message.get("value")))
    number = message.get("id")  # that it is the right one is not the schema's business
    line = json.dumps(message).encode()
    assert accepted(lambda: read_answer(line, number, PLAIN[name])) is ANSWERS[name].is_valid(message)


# What is wrong, in words ----------------------------------------------------------------------------------------------

BROKEN_ANSWERS: list[tuple[str, str | bytes, str]] = [
    ("normalize", "Loading model", 'a line that is not JSON: "Loading model"'),
    ("normalize", "", "a line that is not JSON: (an empty line)"),
    ("normalize", '{"id":1,"value":{"te', r'a line that is not JSON: "{\"id\":1,\"value\":{\"te"'),
    ("normalize", b'{"id":1,"value":{"text":"\xff"}}', "a line that is not UTF-8 (byte 25): "),
    ("normalize", "[1]", 'a line that is no JSON object: "[1]"'),
    ("normalize", '{"id":1,"value":{"text":NaN}}', "a line that is not JSON: "),
    ("normalize", '{"id":1,"id":2,"value":{"text":""}}', 'the key "id" stands twice in one object'),
    ("normalize", "[" * 100_000, "a line that is not JSON: "),
    ("normalize", '{"value":{"text":"a"}}', 'the message: the field "id" is missing'),
    ("normalize", '{"id":"1","value":{"text":"a"}}', 'id: expected an integer, found "1"'),
    (
        "normalize",
        '{"id":2,"value":{"text":"a"}}',
        "id: expected 1, found 2; answers come in the order of the requests",
    ),
    ("normalize", '{"id":1}', 'the message: expected one of "value", "unsupported" and "error", found none'),
    (
        "normalize",
        '{"id":1,"value":{"text":""},"error":{"kind":"a","message":"b"}}',
        'the message: expected one of "value", "unsupported" and "error", found "value" and "error"',
    ),
    ("normalize", '{"id":1,"value":"a"}', 'value: expected an object, found "a"'),
    ("normalize", '{"id":1,"value":{"ids":[1]}}', 'value: the field "text" is missing'),
    ("normalize", '{"id":1,"value":{"text":null}}', "value.text: expected a string, found null"),
    ("normalize", '{"id":1,"unsupported":true}', "unsupported: expected a string, found true"),
    ("normalize", '{"id":1,"error":"no"}', 'error: expected an object, found "no"'),
    ("normalize", '{"id":1,"error":{"kind":"E"}}', 'error: the field "message" is missing'),
    ("pre_tokenize", '{"id":1,"value":{"pieces":[["a",[0,1]],["b",[1]]]}}', "value.pieces[1][1]: expected a pair of"),
    ("pre_tokenize", '{"id":1,"value":{"pieces":["a"]}}', 'value.pieces[0]: expected a pair [piece, span], found "a"'),
    ("encode", '{"id":1,"value":{"ids":[1,"2"]}}', 'value.ids[1]: expected an integer, found "2"'),
    ("encode", '{"id":1,"value":{"ids":[1,true]}}', "value.ids[1]: expected an integer, found true"),
    ("encode", '{"id":1,"value":{"ids":[1.0]}}', "value.ids[0]: expected an integer, found 1.0"),
    ("encode", '{"id":1,"value":{"ids":{}}}', "value.ids: expected a list, found {}"),
    ("encode", '{"id":1,"value":{"ids":[1],"offsets":[[0,"1"]]}}', "value.offsets[0]: expected a pair of integers"),
    ("encode", '{"id":1,"value":{"ids":[1],"offsets":[0,1]}}', "value.offsets[0]: expected a pair of integers [start"),
    (
        "encode",
        '{"id":1,"value":{"ids":[1],"offset":[]}}',
        'value: "offset" is no field of it (its fields: "ids", "tok',
    ),
    (
        "encode",
        '{"id":1,"value":{"ids":[1],"overflowing":[{"ids":[1],"tokens":[1]}]}}',
        "value.overflowing[0].tokens[0]: expected a string, found 1",
    ),
    (
        "vocabulary",
        '{"id":1,"value":{"vocabulary":{"a":"1"}}}',
        'value.vocabulary["a"]: expected an integer, found "1"',
    ),
    ("encode_batch", '{"id":1,"value":{"ids":[1]}}', 'value: the field "encodings" is missing'),
    (
        "encode_batch",
        '{"id":1,"value":{"encodings":[{"ids":[1]},{"ids":[1],"tokens":[1]}]}}',
        "value.encodings[1].tokens[0]: expected a string, found 1",
    ),
    (
        "decode_stream",
        '{"id":1,"value":{"chunks":["a",null,1]}}',
        "value.chunks[2]: expected a string or null, fou",
    ),
    ("chat", '{"id":1,"value":{"ids":[1]}}', 'value: the field "text" is missing'),
    ("decode_stream", '{"id":1,"value":{"text":"a"}}', 'value: the field "chunks" is missing'),
    ("save", '{"id":1,"value":{"document":{}}}', "value.document: expected a string, found {}"),
    (
        "defaults",
        '{"id":1,"value":{"loader":"A","special_tokens":[],"settings":{"a":1.5}}}',
        'value.settings["a"]: expected a string, an integer, a list of strings, true, false or null, found 1.5',
    ),
    (
        "defaults",
        '{"id":1,"value":{"loader":"A","special_tokens":[{"role":"a","content":"b"}],"settings":{}}}',
        'value.special_tokens[0]: the field "id" is missing',
    ),
    ("call", '{"id":1,"value":{"fields":{"ids":[true]}}}', 'value.fields["ids"][0]: expected an integer, found true'),
    ("count", '{"id":1,"value":{"words":[["a",2],["b",0]]}}', "value.words[1]: expected a pair [word, count] with a"),
    ("count", '{"id":1,"value":{"words":{"a":2}}}', 'value.words: expected a list, found {"a": 2}'),
    ("count", '{"id":1,"value":{"words":[["a",2],["b",1],["a",1]]}}', 'value.words[2]: the word "a" stands twice in'),
    ("train", '{"id":1,"value":{"merges":[]}}', 'value: the field "tokens" is missing'),
    ("train", '{"id":1,"value":{"tokens":{"a":"0"}}}', 'value.tokens["a"]: expected an integer, found "0"'),
    ("train", '{"id":1,"value":{"tokens":{},"merges":["a b"]}}', "value.merges[0]: expected a pair of strings, found"),
    ("train", '{"id":1,"value":{"tokens":{},"scores":{"a":null}}}', 'value.scores["a"]: expected a number, found null'),
    ("load", '{"id":1,"value":{"file":"a"}}', 'value: "file" is no field of it (its fields: "files", "shows")'),
    ("load", '{"id":1,"value":{"shows":["model"]}}', 'value.shows: expected an object, found ["model"]'),
    ("load", '{"id":1,"value":{"shows":{"tokenize":[]}}}', 'value.shows: "tokenize" is no field of it (its fields: "n'),
    ("load", '{"id":1,"value":{"shows":{"model":"ids"}}}', 'value.shows.model: expected a list, found "ids"'),
    ("load", '{"id":1,"value":{"shows":{"model":["id"]}}}', 'value.shows.model[0]: expected one of "text", '),
    ("stop", '{"id":1,"value":{"bye":1}}', 'value: "bye" is no field of it (its fields: none)'),
    ("start", '{"id":1,"value":{"protocol":2}}', "value.protocol: version 2 is spoken there, and version 1 here"),
    ("start", '{"id":1,"value":{"protocol":1,"name":"x"}}', 'value: the field "version" is missing'),
]


@pytest.mark.parametrize(("name", "line", "words"), BROKEN_ANSWERS, ids=[words[:50] for *_, words in BROKEN_ANSWERS])
def test_a_wrong_answer_is_refused_with_its_request_and_the_field(name: str, line: str | bytes, words: str) -> None:
    with pytest.raises(MessageError) as caught:
        read_answer(line.encode() if isinstance(line, str) else line, 1, PLAIN[name])
    assert str(caught.value).startswith(f"answer to {name_of(PLAIN[name])}: {words}")
    assert len(str(caught.value)) < 300


IMPLEMENTATION: dict[str, Any] = {
    "protocol": 1,
    "name": "mine",
    "version": "1",
    "language": "C",
    "stages": ["model"],
    "fields": ["ids"],
    "offset_unit": "UTF-8 bytes",
}


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("name", "  ", 'value.name: expected a name, found "  "'),
        ("stages", ["model", "encode"], 'value.stages[1]: expected one of "normalize", "pre_tokenize", "model", '),
        ("fields", "ids", 'value.fields: expected a list, found "ids"'),
        (
            "offset_unit",
            "bytes",
            'value.offset_unit: expected one of "code points", "UTF-8 bytes", "UTF-16 units", found',
        ),
        ("homepage", "", 'value: "homepage" is no field of it (its fields: "protocol", "name", '),
    ],
)
def test_a_wrong_description_is_refused(field: str, value: object, words: str) -> None:
    line = json.dumps({"id": 1, "value": {**IMPLEMENTATION, field: value}}).encode()
    with pytest.raises(MessageError) as caught:
        read_answer(line, 1, Start())
    assert str(caught.value).startswith(f"answer to start: {words}")


def test_a_description_needs_no_home_page() -> None:
    answer = read_answer(json.dumps({"id": 1, "value": IMPLEMENTATION}).encode(), 1, Start())
    assert isinstance(answer, Started)
    assert answer.implementation is not None
    assert answer.implementation.home_page == answer.implementation.install == ""


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({}, 'value: expected "stages" of an implementation or "algorithms" of a trainer, found neither'),
        ({"stages": []}, 'value: the field "fields" is missing, which goes with "stages"'),
        ({"takes_words": True}, 'value: the field "algorithms" is missing, which goes with "takes_words"'),
        (
            {"algorithms": ["bpe", "bbpe"], "takes_words": True},
            'value.algorithms[1]: expected one of "bpe", "wordpiece"',
        ),
    ],
)
def test_who_answers_is_an_implementation_or_a_trainer(parts: dict[str, Any], words: str) -> None:
    common = {name: IMPLEMENTATION[name] for name in ("protocol", "name", "version", "language")}
    with pytest.raises(MessageError) as caught:
        read_answer(json.dumps({"id": 1, "value": {**common, **parts}}).encode(), 1, Start())
    assert str(caught.value).startswith(f"answer to start: {words}")


def test_encodings_nested_too_deep_are_refused() -> None:
    inner = '{"ids":[],"overflowing":[' * 400 + "]}" * 400
    with pytest.raises(MessageError, match=r"within each other without end|not JSON"):
        read_answer(f'{{"id":1,"value":{inner}}}'.encode(), 1, PLAIN["encode"])


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"do":"stop"}', 'the message: the field "id" is missing'),
        ('{"id":1}', 'the message: the field "do" is missing'),
        (
            '{"id":1,"do":"sing"}',
            'do: "sing" is not known here (known: "start", "load", "observe", "vocabulary", "save", "defaults", ',
        ),
        ('{"id":1,"do":["stop"]}', 'do: expected a string, found ["stop"]'),
        ('{"id":1,"do":"observe"}', 'the message: the field "ask" is missing'),
        (
            '{"id":1,"do":"observe","ask":"think"}',
            'ask: "think" is not known here (known: "normalize", "pre',
        ),
        ('{"id":1,"do":"observe","ask":"encode","text":"a"}', 'the message: the field "add_special_tokens" is missing'),
        (
            '{"id":1,"do":"observe","ask":"encode","text":"","pair":"","pair_words":[],"add_special_tokens":true}',
            'the message: "pair" and "pair_words" exclude each other',
        ),
        (
            '{"id":1,"do":"observe","ask":"encode_batch","inputs":[{"text":"a"},{"words":[]}],"add_special_tokens":true}',
            'inputs[1]: the inputs of a batch all have "text", or all have "words"',
        ),
        (
            '{"id":1,"do":"observe","ask":"encode_batch","inputs":[{"text":"a","ids":[]}],"add_special_tokens":true}',
            'inputs[0]: "ids" is no field of it (its fields: "text", "pair", "pair_words")',
        ),
        (
            '{"id":1,"do":"observe","ask":"encode_batch","inputs":[]}',
            'the message: the field "add_special_tokens" is',
        ),
        (
            '{"id":1,"do":"observe","ask":"decode_steps","ids":[],"skip_special_tokens":true,"prompt":[],"chunks":[1,0]}',
            "chunks[1]: expected an integer of at least 1, found 0",
        ),
        (
            '{"id":1,"do":"observe","ask":"decode_stream","ids":["1"],"skip_special_tokens":true}',
            'ids[0]: expected an integer, found "1"',
        ),
        ('{"id":1,"do":"observe","ask":"after","changes":[]}', 'the message: the field "then" is missing'),
        (
            '{"id":1,"do":"observe","ask":"after","changes":[{}],"then":{"ask":"normalize","text":""}}',
            'changes[0]: the field "add_tokens" is missing',
        ),
        (
            '{"id":1,"do":"observe","ask":"after","changes":[{"encode_special_tokens":1}],"then":{}}',
            "changes[0].encode_special_tokens: expected true or false, found 1",
        ),
        (
            (
                '{"id":1,"do":"observe","ask":"after","changes":[{"add_tokens":[{"content":"a","strip":true}],'
                '"special":false}],"then":{"ask":"normalize","text":""}}'
            ),
            'changes[0].add_tokens[0]: "strip" is no field of it (its fields: "content", "single_word", ',
        ),
        (
            '{"id":1,"do":"observe","ask":"after","changes":[],"then":{"ask":"normalize"}}',
            'then: the field "text" is missing',
        ),
        (
            '{"id":1,"do":"observe","ask":"after","changes":[],"then":{"ask":"after","changes":[],"then":{}}}',
            'then.ask: "after" is not known here (known: "normalize", ',
        ),
        ('{"id":1,"do":"train"}', 'the message: the field "algorithm" is missing'),
        (
            '{"id":1,"do":"train","algorithm":"bpe","pre_tokenizer":"whitespace","options":{"vocab_size":9}}',
            'the message: the field "files" is missing',
        ),
        (
            '{"id":1,"do":"count","pre_tokenizer":"bert","files":[]}',
            'pre_tokenizer: expected one of "whitespace", "bytelevel", "metaspace", found "bert"',
        ),
        ('{"id":1,"do":"load","name":"a","file":"b","folder":null}', "folder: expected a string, found null"),
        ("{", "a line that is not JSON: "),
    ],
)
def test_a_wrong_request_is_refused_with_the_field(line: str, words: str) -> None:
    with pytest.raises(MessageError) as caught:
        read_request(line.encode())
    assert str(caught.value).startswith(f"request: {words}")
