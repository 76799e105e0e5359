r"""Requests as lines of JSON, written and read.

This side writes ASCII only: other characters, lone surrogates too, stand as ``\u`` escapes. Reading is strict: a field
that is missing, unknown or of another type is refused, with its name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from tokenizer_adapters.contract import Decode, Encode, Normalize, PreTokenize, TokenizerSource
from tokenizer_adapters.protocol.json_fields import (
    FieldError,
    boolean,
    counts,
    fields,
    integer,
    integers,
    line_of,
    one_of,
    parsed,
    real,
    shown,
    string,
    strings,
)
from tokenizer_adapters.protocol.messages import (
    ASKS,
    DOES,
    CountWords,
    Load,
    MessageError,
    Observe,
    ShowVocabulary,
    Start,
    Stop,
    Train,
    UnknownRequestError,
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

    from tokenizer_adapters.contract import Observation
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
            return {"ask": ASKS[type(observation)], **_observation_fields(observation)}
        case CountWords(pre_tokenizer, files):
            return {"pre_tokenizer": pre_tokenizer, "files": files}
        case Train(training):
            return _training_fields(training)
        case _:
            return {}


def _observation_fields(observation: Observation) -> dict[str, Any]:
    match observation:
        case Encode(text, pair, add_special_tokens):
            second = {} if pair is None else {("pair" if isinstance(pair, str) else "pair_words"): pair}
            return {
                ("text" if isinstance(text, str) else "words"): text,
                **second,
                "add_special_tokens": add_special_tokens,
            }
        case Decode(ids, skip_special_tokens):
            return {"ids": ids, "skip_special_tokens": skip_special_tokens}
        case _:
            return {"text": observation.text}


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
        read = _chosen(_READ_REQUEST, message, "do", number)
        if read is not None:
            return number, read(message)
        return number, Observe(_chosen(_READ_OBSERVATION, message, "ask", number)(message))
    except FieldError as error:
        raise MessageError(f"request: {error}", number) from None


def _taken(message: dict[str, Any], name: str) -> Any:
    """Take the field called ``name``, which every message has, out of ``message``."""
    if name not in message:
        raise FieldError(f"the message: the field {shown(name)} is missing")
    return message.pop(name)


def _chosen(readers: dict[str, Read], message: dict[str, Any], name: str, number: int) -> Read:
    """Take the field called ``name`` out of ``message``, and return the reader that it names."""
    wanted = string(_taken(message, name), name)
    if wanted not in readers:
        known = ", ".join(map(shown, readers))
        raise UnknownRequestError(f"request: {name}: {shown(wanted)} is not known here (known: {known})", number)
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


def _read_stop(message: dict[str, Any]) -> Stop:
    return Stop(**fields(message, "", {}))


def _read_normalize(message: dict[str, Any]) -> Normalize:
    return Normalize(**fields(message, "", {"text": string}))


def _read_pre_tokenize(message: dict[str, Any]) -> PreTokenize:
    return PreTokenize(**fields(message, "", {"text": string}))


def _read_encode(message: dict[str, Any]) -> Encode:
    text = "words" if "words" in message else "text"
    readers: dict[str, Callable[[Any, str], Any]] = {"text": string, "words": strings}
    pairs: dict[str, Callable[[Any, str], Any]] = {"pair": string, "pair_words": strings}
    if pairs.keys() <= message.keys():
        raise FieldError('the message: "pair" and "pair_words" exclude each other')
    found = fields(message, "", {text: readers[text], "add_special_tokens": boolean}, pairs)
    return Encode(found[text], found.get("pair", found.get("pair_words")), found["add_special_tokens"])


def _read_decode(message: dict[str, Any]) -> Decode:
    return Decode(**fields(message, "", {"ids": integers, "skip_special_tokens": boolean}))


_READ_OBSERVATION: dict[str, Callable[[dict[str, Any]], Observation]] = {
    "normalize": _read_normalize,
    "pre_tokenize": _read_pre_tokenize,
    "encode": _read_encode,
    "decode": _read_decode,
}

_READ_REQUEST: dict[str, Callable[[dict[str, Any]], Request] | None] = {
    "start": _read_start,
    "load": _read_load,
    "observe": None,  # the field "ask" decides
    "vocabulary": _read_vocabulary,
    "count": _read_count,
    "train": _read_train,
    "stop": _read_stop,
}
