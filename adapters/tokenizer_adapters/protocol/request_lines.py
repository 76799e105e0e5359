r"""Requests as lines of JSON, written and read.

This side writes ASCII only: other characters, lone surrogates too, stand as ``\u`` escapes. Reading is strict: a field
that is missing, unknown or of another type is refused, with its name.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from tokenizer_adapters.contract import (
    AddTokens,
    After,
    Chat,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    EncodeSpecialTokens,
    NewToken,
    Normalize,
    PreTokenize,
    TokenizerSource,
)
from tokenizer_adapters.protocol.json_fields import (
    FieldError,
    boolean,
    counts,
    each,
    fields,
    integer,
    integers,
    line_of,
    mapping,
    one_of,
    parsed,
    real,
    shown,
    sizes,
    string,
    strings,
)
from tokenizer_adapters.protocol.messages import (
    DOES,
    STEPS,
    Call,
    CountWords,
    Load,
    Measure,
    MessageError,
    Observe,
    Save,
    ShowDefaults,
    ShowVocabulary,
    Start,
    Stop,
    Train,
    UnknownRequestError,
    ask_of,
)
from tokenizer_adapters.training import (
    Algorithm,
    CountedWords,
    PreTokenizer,
    TextFiles,
    TrainingOptions,
    TrainingRequest,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Change, Observation, PlainObservation
    from tokenizer_adapters.protocol.messages import Request

Read = TypeVar("Read")


# Writing --------------------------------------------------------------------------------------------------------------


def write_request(number: int, request: Request) -> bytes:
    r"""Return the line of ``request``.

    >>> write_request(3, Observe(Normalize("É\ud800")))
    b'{"id":3,"do":"observe","ask":"normalize","text":"\\u00c9\\ud800"}\n'
    """
    return line_of({"id": number, "do": DOES[type(request)], **_request_fields(request)})


def _request_fields(request: Request) -> dict[str, Any]:
    match request:
        case Start(protocol):
            return {"protocol": protocol}
        case Load(source):
            folder = {} if source.folder is None else {"folder": source.folder}
            return {"name": source.name, "file": source.file, **folder}
        case Observe(observation):
            return observation_fields(observation)
        case Call(text, pair):
            return {"text": text, **({} if pair is None else {"pair": pair})}
        case Measure(texts, seconds, batch):
            return {"texts": texts, "seconds": seconds, "batch": batch}
        case CountWords(pre_tokenizer, files):
            return {"pre_tokenizer": pre_tokenizer, "files": files}
        case Train(training):
            return _training_fields(training)
        case _:
            return {}


def observation_fields(observation: Observation) -> dict[str, Any]:
    """Return the field ``ask`` of the request for ``observation``, and those that go with it.

    >>> observation_fields(Encode("a", add_special_tokens=False))
    {'ask': 'encode', 'text': 'a', 'add_special_tokens': False}
    """
    return {"ask": ask_of(observation), **_asked_fields(observation)}


def _asked_fields(observation: Observation) -> dict[str, Any]:
    match observation:
        case Encode():
            return {**_input_fields(observation), "add_special_tokens": observation.add_special_tokens}
        case EncodeBatch(inputs):
            return {
                "inputs": list(map(_input_fields, inputs)),
                "add_special_tokens": observation.add_special_tokens,
            }
        case DecodeStream(ids, skip_special_tokens, prompt, chunks) if prompt or chunks:
            return {"ids": ids, "skip_special_tokens": skip_special_tokens, "prompt": prompt, "chunks": chunks}
        case Decode(ids, skip_special_tokens) | DecodeStream(ids, skip_special_tokens):
            return {"ids": ids, "skip_special_tokens": skip_special_tokens}
        case Normalize(text) | PreTokenize(text):
            return {"text": text}
        case Chat():
            return _chat_fields(observation)
        case After(changes, then):
            return {"changes": list(map(_change_fields, changes)), "then": observation_fields(then)}


def _input_fields(observation: Encode) -> dict[str, Any]:
    text, pair = observation.text, observation.pair
    second = {} if pair is None else {("pair" if isinstance(pair, str) else "pair_words"): pair}
    return {("text" if isinstance(text, str) else "words"): text, **second}


def _chat_fields(chat: Chat) -> dict[str, Any]:
    found = {name: getattr(chat, name) for name in (*_CHAT, *_CHAT_OPTIONAL)}
    return {name: value for name, value in found.items() if value is not None}


def _change_fields(change: Change) -> dict[str, Any]:
    match change:
        case AddTokens(tokens, special):
            return {"add_tokens": list(map(_token_fields, tokens)), "special": special}
        case EncodeSpecialTokens(value):
            return {"encode_special_tokens": value}


def _token_fields(token: NewToken) -> dict[str, Any]:
    found = {name: getattr(token, name) for name in ("content", *_TOKEN)}
    return {name: value for name, value in found.items() if value is not None}


def _training_fields(training: TrainingRequest) -> dict[str, Any]:
    options = training.options
    match training.corpus:
        case CountedWords(words):
            corpus: dict[str, Any] = {"words": list(words.items())}
        case TextFiles(paths):
            corpus = {"files": paths}
    return {
        "algorithm": training.algorithm,
        "pre_tokenizer": training.pre_tokenizer,
        "options": {name: getattr(options, name) for name in ("vocab_size", *options.changed())},
        **corpus,
    }


# Reading --------------------------------------------------------------------------------------------------------------


def read_request(line: bytes) -> tuple[int, Request]:
    """Return the number of the request that ``line`` holds, and the request.

    Raises :class:`MessageError`, and :class:`UnknownRequestError` where only ``do`` or ``ask`` is not known.
    """
    number = None
    try:
        message = parsed(line)
        number = integer(_taken(message, "id"), "id")
        read = _chosen(_READ_REQUEST, message, "do")
        if read is not None:
            return number, read(message)
        return number, Observe(read_observation(message))
    except _UnknownError as error:
        raise UnknownRequestError(f"request: {error}", number) from None
    except FieldError as error:
        raise MessageError(f"request: {error}", number) from None


class _UnknownError(FieldError):
    """What a message asks for is not known here; otherwise it may be in order."""


def read_observation(message: dict[str, Any], path: str = "") -> Observation:
    """Return the observation that ``message`` asks for, with its ``ask`` and what goes with that.

    ``path`` is that of the field that ``message`` stands in. Raises :class:`FieldError`.

    >>> read_observation({"ask": "decode", "ids": [1], "skip_special_tokens": True})
    Decode(ids=(1,), skip_special_tokens=True)
    """
    rest = dict(message)
    return _chosen(_READ_OBSERVATION, rest, "ask", path)(rest, path)


def _taken(message: dict[str, Any], name: str, path: str = "") -> Any:
    """Take the field called ``name``, which every message has, out of ``message``."""
    if name not in message:
        raise FieldError(f"{path or 'the message'}: the field {shown(name)} is missing")
    return message.pop(name)


def _chosen(readers: dict[str, Read], message: dict[str, Any], name: str, path: str = "") -> Read:
    """Take the field called ``name`` out of ``message``, and return the reader that it names."""
    place = f"{path}.{name}" if path else name
    wanted = string(_taken(message, name, path), place)
    if wanted not in readers:
        known = ", ".join(map(shown, readers))
        raise _UnknownError(f"{place}: {shown(wanted)} is not known here (known: {known})")
    return readers[wanted]


def _read_start(message: dict[str, Any]) -> Start:
    return Start(**fields(message, "", {"protocol": integer}))


def _read_load(message: dict[str, Any]) -> Load:
    return Load(TokenizerSource(**fields(message, "", {"name": string, "file": string}, {"folder": string})))


def _read_count(message: dict[str, Any]) -> CountWords:
    found = fields(message, "", {"pre_tokenizer": one_of(tuple(PreTokenizer)), "files": strings})
    return CountWords(PreTokenizer(found["pre_tokenizer"]), found["files"])


def _read_train(message: dict[str, Any]) -> Train:
    corpus: dict[str, Callable[[Any, str], Any]] = {"words": counts} if "words" in message else {"files": strings}
    found = fields(message, "", {**_TRAIN, **corpus})
    training = TrainingRequest(
        algorithm=Algorithm(found["algorithm"]),
        pre_tokenizer=PreTokenizer(found["pre_tokenizer"]),
        corpus=CountedWords(found["words"]) if "words" in found else TextFiles(found["files"]),
        options=found["options"],
    )
    return Train(training)


def _options(value: Any, path: str) -> TrainingOptions:
    return TrainingOptions(**fields(value, path, {"vocab_size": integer}, _OPTIONS))


_TRAIN: dict[str, Callable[[Any, str], Any]] = {
    "algorithm": one_of(tuple(Algorithm)),
    "pre_tokenizer": one_of(tuple(PreTokenizer)),
    "options": _options,
}

_OPTIONS: dict[str, Callable[[Any, str], Any]] = {
    "min_frequency": integer,
    "special_tokens": strings,
    "limit_alphabet": integer,
    "initial_alphabet": strings,
    "max_token_length": integer,
    "continuing_subword_prefix": string,
    "end_of_word_suffix": string,
    "unk_token": string,
    "max_piece_length": integer,
    "shrinking_factor": real,
    "n_sub_iterations": integer,
}


def _read_vocabulary(message: dict[str, Any]) -> ShowVocabulary:
    return ShowVocabulary(**fields(message, "", {}))


def _read_save(message: dict[str, Any]) -> Save:
    return Save(**fields(message, "", {}))


def _read_defaults(message: dict[str, Any]) -> ShowDefaults:
    return ShowDefaults(**fields(message, "", {}))


def _read_call(message: dict[str, Any]) -> Call:
    return Call(**fields(message, "", {"text": string}, {"pair": string}))


def _read_measure(message: dict[str, Any]) -> Measure:
    return Measure(**fields(message, "", {"texts": strings, "seconds": real, "batch": boolean}))


def _read_stop(message: dict[str, Any]) -> Stop:
    return Stop(**fields(message, "", {}))


# Observations


def _read_normalize(message: dict[str, Any], path: str) -> Normalize:
    return Normalize(**fields(message, path, {"text": string}))


def _read_pre_tokenize(message: dict[str, Any], path: str) -> PreTokenize:
    return PreTokenize(**fields(message, path, {"text": string}))


def _read_encode(message: dict[str, Any], path: str) -> Encode:
    return _input(message, path, {"add_special_tokens": boolean})


def _input(message: dict[str, Any], path: str, more: dict[str, Callable[[Any, str], Any]]) -> Encode:
    """Read one or two texts to encode, as they are or pre-split, and the fields in ``more``."""
    text = "words" if "words" in message else "text"
    readers: dict[str, Callable[[Any, str], Any]] = {"text": string, "words": strings}
    pairs: dict[str, Callable[[Any, str], Any]] = {"pair": string, "pair_words": strings}
    if pairs.keys() <= message.keys():
        raise FieldError(f'{path or "the message"}: "pair" and "pair_words" exclude each other')
    found = fields(message, path, {text: readers[text], **more}, pairs)
    return Encode(found[text], found.get("pair", found.get("pair_words")), found.get("add_special_tokens", True))


def _read_encode_batch(message: dict[str, Any], path: str) -> EncodeBatch:
    found = fields(message, path, {"inputs": each(_batch_input), "add_special_tokens": boolean})
    inputs: tuple[Encode, ...] = found["inputs"]
    for number, one in enumerate(inputs):
        if one.is_pretokenized is not inputs[0].is_pretokenized:
            place = f"{path}.inputs" if path else "inputs"
            raise FieldError(f'{place}[{number}]: the inputs of a batch all have "text", or all have "words"')
    return EncodeBatch(tuple(replace(one, add_special_tokens=found["add_special_tokens"]) for one in inputs))


def _batch_input(value: Any, path: str) -> Encode:
    return _input(mapping(value, path), path, {})


def _read_decode(message: dict[str, Any], path: str) -> Decode:
    return Decode(**fields(message, path, {"ids": integers, "skip_special_tokens": boolean}))


def _read_decode_stream(message: dict[str, Any], path: str) -> DecodeStream:
    return DecodeStream(**fields(message, path, {"ids": integers, "skip_special_tokens": boolean}))


def _read_chat(message: dict[str, Any], path: str) -> Chat:
    return Chat(**fields(message, path, _CHAT, _CHAT_OPTIONAL))


_CHAT: dict[str, Callable[[Any, str], Any]] = {
    "messages": string,
    "add_generation_prompt": boolean,
    "continue_final_message": boolean,
}

_CHAT_OPTIONAL: dict[str, Callable[[Any, str], Any]] = {"tools": string, "template": string}


def _read_decode_steps(message: dict[str, Any], path: str) -> DecodeStream:
    needed = {"ids": integers, "skip_special_tokens": boolean, "prompt": integers, "chunks": sizes}
    return DecodeStream(**fields(message, path, needed))


def _read_after(message: dict[str, Any], path: str) -> After:
    found = fields(message, path, {"changes": each(_change), "then": _then})
    return After(found["changes"], found["then"])


def _then(value: Any, path: str) -> PlainObservation:
    rest = dict(mapping(value, path))
    return _chosen(_READ_PLAIN, rest, "ask", path)(rest, path)


def _change(value: Any, path: str) -> Change:
    if "encode_special_tokens" in mapping(value, path):
        return EncodeSpecialTokens(*fields(value, path, {"encode_special_tokens": boolean}).values())
    found = fields(value, path, {"add_tokens": each(_token), "special": boolean})
    return AddTokens(found["add_tokens"], found["special"])


def _token(value: Any, path: str) -> NewToken:
    return NewToken(**fields(value, path, {"content": string}, _TOKEN))


_TOKEN: dict[str, Callable[[Any, str], Any]] = {
    "single_word": boolean,
    "lstrip": boolean,
    "rstrip": boolean,
    "normalized": boolean,
    "special": boolean,
}

_READ_PLAIN: dict[str, Callable[[dict[str, Any], str], PlainObservation]] = {
    "normalize": _read_normalize,
    "pre_tokenize": _read_pre_tokenize,
    "encode": _read_encode,
    "decode": _read_decode,
    "encode_batch": _read_encode_batch,
    "decode_stream": _read_decode_stream,
    "chat": _read_chat,
    STEPS: _read_decode_steps,
}

_READ_OBSERVATION: dict[str, Callable[[dict[str, Any], str], Observation]] = {**_READ_PLAIN, "after": _read_after}

_READ_REQUEST: dict[str, Callable[[dict[str, Any]], Request] | None] = {
    "start": _read_start,
    "load": _read_load,
    "observe": None,  # the field "ask" decides
    "vocabulary": _read_vocabulary,
    "save": _read_save,
    "defaults": _read_defaults,
    "call": _read_call,
    "measure": _read_measure,
    "count": _read_count,
    "train": _read_train,
    "stop": _read_stop,
}
