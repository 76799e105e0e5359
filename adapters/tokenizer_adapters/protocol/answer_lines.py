"""Answers as lines of JSON, written and read.

This side writes ASCII only. Reading is strict: a field that is missing, unknown or of another type is refused, with
its name. An answer is read as one to its request, since the request decides which value it may have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import (
    Called,
    Chunks,
    Clocked,
    Crashed,
    Encoded,
    EncodedBatch,
    Failed,
    Field,
    ImplementationInfo,
    LoaderDefaults,
    Measured,
    OffsetUnit,
    Pieces,
    Rendered,
    SpecialToken,
    Spent,
    Stage,
    Text,
    Unsupported,
)
from tokenizer_adapters.protocol.json_fields import (
    FieldError,
    boolean,
    counts,
    duration_pair,
    each,
    fields,
    integer,
    integers,
    integers_or_nulls,
    line_of,
    mapping,
    one_of,
    or_null,
    parsed,
    real,
    shown,
    size,
    spans,
    string,
    string_pair,
    strings,
    strings_or_nulls,
    strings_with_spans,
    surrogate_in,
    to_integers,
    to_reals,
)
from tokenizer_adapters.protocol.messages import (
    VERSION,
    Loaded,
    MessageError,
    Observe,
    Saved,
    Started,
    Stopped,
    Vocabulary,
    name_of,
    value_name_of,
)
from tokenizer_adapters.training import Algorithm, CountedWords, TrainedModel, TrainerInfo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tokenizer_adapters.contract import Observation, Setting, Shows, Value
    from tokenizer_adapters.protocol.messages import Answer, AnswerValue, Request


# Writing --------------------------------------------------------------------------------------------------------------


def write_answer(number: int, answer: Answer) -> bytes:
    r"""Return the line of ``answer`` to the request called ``number``.

    >>> write_answer(3, Text("a")), write_answer(4, Unsupported("no decoder"))
    (b'{"id":3,"value":{"text":"a"}}\n', b'{"id":4,"unsupported":"no decoder"}\n')
    """
    return line_of(_message(number, answer))


def surrogate_in_value(answer: AnswerValue) -> str | None:
    """Return the first surrogate in the strings of ``answer``, ``None`` where there is none."""
    return surrogate_in(_fields_of(answer))


def _message(number: int, answer: Answer) -> dict[str, Any]:
    match answer:
        case Unsupported(reason):
            return {"id": number, "unsupported": reason}
        case Failed(kind, message):
            return {"id": number, "error": {"kind": kind, "message": message}}
        case Crashed(detail):
            return {"id": number, "error": {"kind": "panic", "message": detail, "panic": True}}
        case _:
            return {"id": number, "value": _fields_of(answer)}


def value_fields(value: Value) -> dict[str, Any]:
    """Return what stands under ``value`` in the answer to an observation.

    >>> value_fields(Chunks(("a", None)))
    {'chunks': ('a', None)}
    """
    match value:
        case Text(text):
            return {"text": text}
        case Pieces(pieces):
            return {"pieces": pieces}
        case Encoded():
            return _encoded_fields(value)
        case EncodedBatch(encodings):
            return {"encodings": list(map(_encoded_fields, encodings))}
        case Chunks(chunks):
            return {"chunks": chunks}
        case Rendered(text, ids):
            return {"text": text, **({} if ids is None else {"ids": ids})}


def _fields_of(value: AnswerValue) -> dict[str, Any]:
    match value:
        case Text() | Pieces() | Encoded() | EncodedBatch() | Chunks() | Rendered():
            return value_fields(value)
        case Vocabulary(tokens):
            return {"vocabulary": tokens}
        case Saved(document):
            return {"document": document}
        case LoaderDefaults() | Called():
            return _loader_fields(value)
        case Loaded(files, shows):
            return {**({} if files is None else {"files": files}), **({} if shows is None else _shows_fields(shows))}
        case Measured():
            return _measured_fields(value)
        case CountedWords() | TrainedModel():
            return _trained_fields(value)
        case Started(implementation, trainer):
            return {"protocol": VERSION, **_implementation_fields(implementation), **_trainer_fields(trainer)}
        case Stopped():
            return {}


def _loader_fields(value: LoaderDefaults | Called) -> dict[str, Any]:
    if isinstance(value, Called):
        return {"fields": dict(value.fields)}
    tokens = [{"role": each.role, "content": each.content, "id": each.id} for each in value.special_tokens]
    return {"loader": value.loader, "special_tokens": tokens, "settings": dict(value.settings)}


def _trained_fields(value: CountedWords | TrainedModel) -> dict[str, Any]:
    if isinstance(value, CountedWords):
        return {"words": list(value.counts.items())}
    return {name: found for name in _TRAINED if (found := getattr(value, name)) is not None}


def _measured_fields(value: Measured) -> dict[str, Any]:
    return {
        "call": value.call,
        "fields": [field for field in Field if field in value.fields],
        "clocked": value.clocked,
        "first": [value.first.wall, value.first.processor],
        "later": [value.later.wall, value.later.processor],
        "passes": value.passes,
    }


def _shows_fields(shows: Shows) -> dict[str, Any]:
    stages = {stage: shows[stage] for stage in Stage if stage in shows}
    return {"shows": {stage: [field for field in Field if field in fields] for stage, fields in stages.items()}}


def _encoded_fields(encoded: Encoded) -> dict[str, Any]:
    found = {name: getattr(encoded, name) for name in (*_ENCODED, *_ENCODED_OPTIONAL)}
    if encoded.overflowing is not None:
        found["overflowing"] = [_encoded_fields(part) for part in encoded.overflowing]
    return {name: value for name, value in found.items() if value is not None}


def _implementation_fields(info: ImplementationInfo | None) -> dict[str, Any]:
    if info is None:
        return {}
    return {
        **_common_fields(info),
        "stages": [stage for stage in Stage if stage in info.stages],
        "fields": [field for field in Field if field in info.fields],
        "offset_unit": info.offset_unit,
        **({"note": info.note} if info.note else {}),
    }


def _trainer_fields(info: TrainerInfo | None) -> dict[str, Any]:
    if info is None:
        return {}
    return {
        **_common_fields(info),
        "algorithms": [algorithm for algorithm in Algorithm if algorithm in info.algorithms],
        "takes_words": info.takes_words,
    }


def _common_fields(info: ImplementationInfo | TrainerInfo) -> dict[str, str]:
    return {name: getattr(info, name) for name in ("name", "version", "language", "home_page", "install")}


# Reading --------------------------------------------------------------------------------------------------------------


def read_answer(line: bytes, number: int, request: Request) -> Answer:
    """Return the answer that ``line`` holds to ``request``, which was sent as ``number``.

    Raises :class:`MessageError`.
    """
    try:
        return _read_answer(parsed(line), number, request)
    except FieldError as error:
        raise MessageError(f"answer to {name_of(request)}: {error}") from None
    except RecursionError:
        raise MessageError(
            f"answer to {name_of(request)}: overflowing encodings within each other without end"
        ) from None


_OUTCOMES = ("value", "unsupported", "error")


def _read_answer(message: dict[str, Any], number: int, request: Request) -> Answer:
    outcomes = [name for name in _OUTCOMES if name in message]
    if len(outcomes) != 1:
        present = " and ".join(map(shown, outcomes)) or "none"
        raise FieldError(f'the message: expected one of "value", "unsupported" and "error", found {present}')
    (outcome,) = outcomes
    readers: dict[str, Callable[[Any, str], Answer]] = {
        "value": _READ_VALUE[value_name_of(request)],
        "unsupported": lambda value, path: Unsupported(string(value, path)),
        "error": _read_error,
    }
    found = fields(message, "", {"id": integer, outcome: readers[outcome]})
    if found["id"] != number:
        raise FieldError(
            f"id: expected {number}, found {shown(found['id'])}; answers come in the order of the requests"
        )
    answer: Answer = found[outcome]
    return answer


def read_value(observation: Observation, value: Any, path: str) -> Value:
    """Return the ``value`` that answers ``observation``, as it stands in an answer at ``path``.

    Raises :class:`FieldError`.

    >>> from tokenizer_adapters.contract import Normalize
    >>> read_value(Normalize("A"), {"text": "a"}, "value")
    Text(text='a')
    """
    found: Value = _READ_VALUE[value_name_of(Observe(observation))](value, path)  # type: ignore[assignment]
    return found


def _read_error(value: Any, path: str) -> Failed | Crashed:
    found = fields(value, path, {"kind": string, "message": string}, {"panic": boolean})
    return Crashed(found["message"]) if found.get("panic", False) else Failed(found["kind"], found["message"])


def _read_started(value: Any, path: str) -> Started:
    protocol = mapping(value, path).get("protocol")
    if protocol is not None and integer(protocol, f"{path}.protocol") != VERSION:
        raise FieldError(f"{path}.protocol: version {shown(protocol)} is spoken there, and version {VERSION} here")
    found = fields(value, path, _STARTED, _OF_STARTED | _IMPLEMENTATION | _TRAINER)
    common = {name: found.get(name, "") for name in ("name", "version", "language", "home_page", "install")}
    implementation = trainer = None
    if _has_all(_IMPLEMENTATION, found, path):
        implementation = ImplementationInfo(
            stages=frozenset(map(Stage, found["stages"])),
            fields=frozenset(map(Field, found["fields"])),
            offset_unit=OffsetUnit(found["offset_unit"]),
            note=found.get("note", ""),
            **common,
        )
    if _has_all(_TRAINER, found, path):
        algorithms = frozenset(map(Algorithm, found["algorithms"]))
        trainer = TrainerInfo(algorithms=algorithms, takes_words=found["takes_words"], **common)
    if implementation is None and trainer is None:
        raise FieldError(f'{path}: expected "stages" of an implementation or "algorithms" of a trainer, found neither')
    return Started(implementation, trainer)


def _has_all(names: Iterable[str], found: Mapping[str, Any], path: str) -> bool:
    """Return whether ``found`` has the fields called ``names``: all, or none."""
    missing = [name for name in names if name not in found]
    present = [name for name in names if name in found]
    if missing and present:
        raise FieldError(f"{path}: the field {shown(missing[0])} is missing, which goes with {shown(present[0])}")
    return bool(present)


def _name(value: Any, path: str) -> str:
    """Read what stands for the implementation in tables and options."""
    if not string(value, path).strip():
        raise FieldError(f"{path}: expected a name, found {shown(value)}")
    return string(value, path)


_STARTED: dict[str, Callable[[Any, str], Any]] = {
    "protocol": integer,
    "name": _name,
    "version": string,
    "language": string,
}

_OF_STARTED: dict[str, Callable[[Any, str], Any]] = {"home_page": string, "install": string, "note": string}
"""What need not be there."""

_IMPLEMENTATION: dict[str, Callable[[Any, str], Any]] = {
    "stages": each(one_of(tuple(Stage))),
    "fields": each(one_of(tuple(Field))),
    "offset_unit": one_of(tuple(OffsetUnit)),
}

_TRAINER: dict[str, Callable[[Any, str], Any]] = {
    "algorithms": each(one_of(tuple(Algorithm))),
    "takes_words": boolean,
}


def _read_loaded(value: Any, path: str) -> Loaded:
    return Loaded(**fields(value, path, {}, {"files": strings, "shows": _read_shows}))


def _read_shows(value: Any, path: str) -> Shows:
    found = fields(value, path, {}, dict.fromkeys(Stage, each(one_of(tuple(Field)))))
    return {Stage(stage): frozenset(map(Field, names)) for stage, names in found.items()}


def _read_text(value: Any, path: str) -> Text:
    return Text(**fields(value, path, {"text": string}))


def _read_pieces(value: Any, path: str) -> Pieces:
    return Pieces(**fields(value, path, {"pieces": strings_with_spans}))


def _read_encoded(value: Any, path: str) -> Encoded:
    return Encoded(**fields(value, path, _ENCODED, _ENCODED_OPTIONAL))


_ENCODED: dict[str, Callable[[Any, str], Any]] = {"ids": integers}

_ENCODED_OPTIONAL: dict[str, Callable[[Any, str], Any]] = {
    "tokens": or_null(strings),
    "offsets": or_null(spans),
    "word_ids": or_null(integers_or_nulls),
    "type_ids": or_null(integers),
    "attention_mask": or_null(integers),
    "special_tokens_mask": or_null(integers),
    "sequence_ids": or_null(integers_or_nulls),
    "overflowing": or_null(each(_read_encoded)),
}


def _read_encoded_batch(value: Any, path: str) -> EncodedBatch:
    return EncodedBatch(**fields(value, path, {"encodings": each(_read_encoded)}))


def _read_chunks(value: Any, path: str) -> Chunks:
    return Chunks(**fields(value, path, {"chunks": strings_or_nulls}))


def _read_rendered(value: Any, path: str) -> Rendered:
    return Rendered(**fields(value, path, {"text": string}, {"ids": or_null(integers)}))


def _read_vocabulary_shown(value: Any, path: str) -> Vocabulary:
    return Vocabulary(fields(value, path, {"vocabulary": to_integers})["vocabulary"])


def _read_saved(value: Any, path: str) -> Saved:
    return Saved(**fields(value, path, {"document": string}))


def _read_defaults(value: Any, path: str) -> LoaderDefaults:
    return LoaderDefaults(
        **fields(value, path, {"loader": string, "special_tokens": each(_special_token), "settings": _settings})
    )


def _special_token(value: Any, path: str) -> SpecialToken:
    return SpecialToken(**fields(value, path, {"role": string, "content": string, "id": or_null(integer)}))


def _settings(value: Any, path: str) -> dict[str, Setting]:
    return {name: _setting(entry, f"{path}[{shown(name)}]") for name, entry in mapping(value, path).items()}


def _setting(value: Any, path: str) -> Setting:
    if type(value) is list:
        return strings(value, path)
    if value is not None and type(value) not in (bool, int, str):
        raise FieldError(
            f"{path}: expected a string, an integer, a list of strings, true, false or null, found {shown(value)}"
        )
    found: Setting = value
    return found


def _read_called(value: Any, path: str) -> Called:
    return Called(**fields(value, path, {"fields": _lists}))


def _lists(value: Any, path: str) -> dict[str, tuple[int, ...]]:
    return {name: integers(entry, f"{path}[{shown(name)}]") for name, entry in mapping(value, path).items()}


def _read_measured(value: Any, path: str) -> Measured:
    found = fields(value, path, _MEASURED)
    return Measured(**found | {"fields": frozenset(map(Field, found["fields"])), "clocked": Clocked(found["clocked"])})


def _spent(value: Any, path: str) -> Spent:
    return Spent(*duration_pair(value, path))


_MEASURED: dict[str, Callable[[Any, str], Any]] = {
    "call": string,
    "fields": each(one_of(tuple(Field))),
    "clocked": one_of((Clocked.CALL, Clocked.ADAPTER)),
    "first": _spent,
    "later": _spent,
    "passes": size,
}


def _read_counted(value: Any, path: str) -> CountedWords:
    return CountedWords(fields(value, path, {"words": counts})["words"])


def _read_trained(value: Any, path: str) -> TrainedModel:
    return TrainedModel(**fields(value, path, {"tokens": _TRAINED["tokens"]}, _TRAINED))


_TRAINED: dict[str, Callable[[Any, str], Any]] = {
    "tokens": to_integers,
    "merges": or_null(each(string_pair)),
    "scores": or_null(to_reals),
    "seconds": or_null(real),
    "peak_memory": or_null(integer),
}


def _read_stopped(value: Any, path: str) -> Stopped:
    return Stopped(**fields(value, path, {}))


_READ_VALUE: dict[str, Callable[[Any, str], AnswerValue]] = {
    "start": _read_started,
    "load": _read_loaded,
    "normalize": _read_text,
    "pre_tokenize": _read_pieces,
    "encode": _read_encoded,
    "decode": _read_text,
    "encode_batch": _read_encoded_batch,
    "decode_stream": _read_chunks,
    "chat": _read_rendered,
    "decode_steps": _read_chunks,
    "vocabulary": _read_vocabulary_shown,
    "save": _read_saved,
    "defaults": _read_defaults,
    "call": _read_called,
    "measure": _read_measured,
    "count": _read_counted,
    "train": _read_trained,
    "stop": _read_stopped,
}
