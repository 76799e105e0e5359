"""The lines of a snapshot, written and read.

Values stand as in the line protocol (``value_fields``), and are read as strictly; what came in the place of a value has
a key of its own. Lines may have further keys, and answers further names: a later minor version may add some.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import (
    BrokeProtocol,
    Crashed,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Failed,
    Field,
    ImplementationInfo,
    Normalize,
    OffsetUnit,
    PreTokenize,
    Stage,
    TimedOut,
    Unsupported,
)
from tokenizer_adapters.protocol.answer_lines import read_value, value_fields
from tokenizer_adapters.protocol.json_fields import (
    FieldError,
    boolean,
    each,
    fields,
    integer,
    mapping,
    one_of,
    or_null,
    real,
    shown,
    string,
    strings,
)
from tokenizer_conformance.command_io.environment import Environment
from tokenizer_conformance.command_io.record import environment_record, implementation_record, rounded
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.releases.snapshot_file.parts import (
    Answers,
    Footer,
    Header,
    LoadedTokenizer,
    SnapshotInput,
    SnapshotInputs,
    SnapshotTokenizer,
)
from tokenizer_conformance.results.records.snapshot import FORMAT

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Observation, Outcome, Shows
    from tokenizer_conformance.releases.snapshot_file.parts import Part

Json = dict[str, Any]


# Outcomes -------------------------------------------------------------------------------------------------------------


def outcome_form(outcome: Outcome) -> Json:
    """Return ``outcome`` as it stands in a line of answers.

    >>> from tokenizer_adapters.contract import Text
    >>> outcome_form(Text("a")), outcome_form(Failed("ValueError", "no"))
    ({'text': 'a'}, {'failed': {'kind': 'ValueError', 'message': 'no'}})
    """
    match outcome:
        case Unsupported(reason):
            return {"unsupported": reason}
        case Failed(kind, message):
            return {"failed": {"kind": kind, "message": message}}
        case Crashed(detail):
            return {"crashed": detail}
        case TimedOut(seconds):
            return {"timed_out": seconds}
        case BrokeProtocol(detail):
            return {"broke_protocol": detail}
        case _:
            return value_fields(outcome)


_VALUES: dict[str, Observation] = {
    "normalize": Normalize(""),
    "pre_tokenize": PreTokenize(""),
    "pre_tokenize_normalized": PreTokenize(""),
    "encode_plain": Encode(""),
    "encode_plain_words": Encode(""),
    "encode": Encode(""),
    "decode_skipping": Decode(()),
    "decode_keeping": Decode(()),
    "stream_skipping": DecodeStream(()),
    "stream_keeping": DecodeStream(()),
    "pair_plain": Encode(""),
    "pair": Encode(""),
    "pair_words": Encode(""),
    "batch": EncodeBatch(()),
}
"""A question that has the same kind of value as the one of each name."""

_READERS: dict[str, Callable[[Any, str], Outcome]] = {
    "unsupported": lambda value, path: Unsupported(string(value, path)),
    "failed": lambda value, path: Failed(**fields(value, path, {"kind": string, "message": string})),
    "crashed": lambda value, path: Crashed(string(value, path)),
    "timed_out": lambda value, path: TimedOut(_seconds(value, path)),
    "broke_protocol": lambda value, path: BrokeProtocol(string(value, path)),
}


def outcome_in(name: str, form: Any, path: str) -> Outcome:
    """Return the outcome that :func:`outcome_form` wrote as ``form``, of the question called ``name``.

    ``path`` is where in the line it stands. Raises :class:`FieldError` where it wrote nothing of the kind.
    """
    found = mapping(form, path)
    if len(found) == 1:
        ((kind, value),) = found.items()
        if kind in _READERS:
            return _READERS[kind](value, f"{path}.{kind}")
    return read_value(_VALUES[name], found, path)


def _seconds(value: Any, path: str) -> float:
    found = real(value, path)
    if not 0 <= found < math.inf:
        raise FieldError(f"{path}: expected a number of seconds, found {shown(value)}")
    return found


def _count(value: Any, path: str) -> int:
    if integer(value, path) < 0:
        raise FieldError(f"{path}: expected a number that is not negative, found {shown(value)}")
    return int(value)


def _known(line: Any, path: str, readers: dict[str, Callable[[Any, str], Any]]) -> Json:
    """Read the fields of ``line`` that have ``readers``, all of which it must have; it may have others."""
    found = mapping(line, path or "the line")
    for name in readers:
        if name not in found:
            raise FieldError(f"{path or 'the line'}: the field {shown(name)} is missing")
    prefix = f"{path}." if path else ""
    return {name: read(found[name], prefix + name) for name, read in readers.items()}


# Parts ----------------------------------------------------------------------------------------------------------------


def part_line(part: Part) -> Json:
    """Return the line of ``part``."""
    match part:
        case SnapshotInput(source, name, category, text):
            return {"type": "input", "source": source, "id": name, "category": category, "text": text}
        case LoadedTokenizer():
            return {
                "type": "tokenizer",
                "name": part.name,
                "error": part.error,
                "files": list(part.files),
                "shows": None if part.shows is None else {stage: sorted(part.shows[stage]) for stage in part.shows},
                "saved": part.saved,
                "vocabulary": None
                if part.vocabulary is None
                else {"size": part.vocabulary[0], "sha256": part.vocabulary[1]},
            }
        case Answers(number, outcomes):
            return {
                "type": "answers",
                "input": number,
                "answers": {name: outcome_form(outcome) for name, outcome in outcomes.items()},
            }


def _vocabulary(value: Any, path: str) -> tuple[int, str]:
    found = _known(value, path, {"size": _count, "sha256": string})
    return found["size"], found["sha256"]


def _shows(value: Any, path: str) -> Shows:
    found = fields(value, path, {}, dict.fromkeys(Stage, each(one_of(tuple(Field)))))
    return {Stage(stage): frozenset(map(Field, names)) for stage, names in found.items()}


def _anything(value: Any, _path: str) -> Any:
    return value


_INPUT: dict[str, Callable[[Any, str], Any]] = {
    "source": _count,
    "id": string,
    "category": string,
    "text": string,
}

_TOKENIZER: dict[str, Callable[[Any, str], Any]] = {
    "name": string,
    "error": or_null(string),
    "files": strings,
    "shows": or_null(_shows),
    "saved": _anything,
    "vocabulary": or_null(_vocabulary),
}


def input_in(line: Any) -> SnapshotInput:
    """Return the input that stands in ``line``; raises :class:`FieldError`."""
    found = SnapshotInput(**_known(line, "", _INPUT))
    try:
        Input(found.id, found.category, found.text)
    except BadInputError as error:
        raise FieldError(str(error)) from error
    return found


def tokenizer_in(line: Any) -> LoadedTokenizer:
    """Return how the tokenizer of ``line`` was loaded; raises :class:`FieldError`."""
    return LoadedTokenizer(**_known(line, "", _TOKENIZER))


def answers_in(line: Any) -> Answers:
    """Return the answers that stand in ``line``; raises :class:`FieldError`."""
    found = _known(line, "", {"input": _count, "answers": mapping})
    return Answers(
        found["input"],
        {name: outcome_in(name, form, f"answers.{name}") for name, form in found["answers"].items() if name in _VALUES},
    )


# Beginning and end ----------------------------------------------------------------------------------------------------


def header_line(header: Header) -> Json:
    """Return the line of ``header``."""
    return {
        "type": "header",
        "schema": FORMAT.name,
        "version": FORMAT.version,
        "environment": environment_record(header.environment),
        "selected_by": header.word,
        "implementation": implementation_record(header.info),
        "tokenizers": [
            {"name": each.name, "word": each.word, "sha256": each.sha256, "size": each.size}
            for each in header.tokenizers
        ],
        "inputs": {
            "count": header.inputs.count,
            "sha256": header.inputs.sha256,
            "sources": list(header.inputs.sources),
        },
        "stages": list(header.stages),
    }


_ENVIRONMENT: dict[str, Callable[[Any, str], Any]] = {
    "tokconf": string,
    "python": string,
    "platform": string,
    "started": string,
    "command": strings,
}

_IMPLEMENTATION: dict[str, Callable[[Any, str], Any]] = {
    "name": string,
    "version": string,
    "language": string,
    "home_page": string,
    "stages": each(one_of(tuple(Stage))),
    "fields": each(one_of(tuple(Field))),
    "offset_unit": one_of(tuple(OffsetUnit)),
}


def _implementation(value: Any, path: str) -> ImplementationInfo:
    found = _known(value, path, _IMPLEMENTATION)
    return ImplementationInfo(
        name=found["name"],
        version=found["version"],
        language=found["language"],
        home_page=found["home_page"],
        stages=frozenset(map(Stage, found["stages"])),
        fields=frozenset(map(Field, found["fields"])),
        offset_unit=OffsetUnit(found["offset_unit"]),
        install="",
    )


def _tokenizers(value: Any, path: str) -> tuple[SnapshotTokenizer, ...]:
    readers: dict[str, Callable[[Any, str], Any]] = {
        "name": string,
        "word": string,
        "sha256": string,
        "size": _count,
    }
    found = each(lambda entry, place: SnapshotTokenizer(**_known(entry, place, readers)))(value, path)
    names = [tokenizer.name for tokenizer in found]
    if len(set(names)) < len(names):
        raise FieldError(f"{path}: two tokenizers have one name")
    return found


_HEADER: dict[str, Callable[[Any, str], Any]] = {
    "environment": lambda value, path: Environment(**_known(value, path, _ENVIRONMENT)),
    "selected_by": string,
    "implementation": _implementation,
    "tokenizers": _tokenizers,
    "inputs": lambda value, path: SnapshotInputs(
        **_known(value, path, {"count": _count, "sha256": string, "sources": strings})
    ),
    "stages": each(one_of(tuple(Stage))),
}


def header_in(line: Any) -> Header:
    """Return the header that stands in ``line``; raises :class:`FieldError`."""
    found = _known(line, "", _HEADER)
    return Header(
        environment=found["environment"],
        word=found["selected_by"],
        info=found["implementation"],
        tokenizers=found["tokenizers"],
        inputs=found["inputs"],
        stages=tuple(map(Stage, found["stages"])),
    )


def footer_line(footer: Footer) -> Json:
    """Return the line of ``footer``."""
    return {
        "type": "footer",
        "lines": footer.lines,
        "sha256": footer.sha256,
        "finished": footer.finished,
        "reason": footer.reason,
        "seconds": rounded(footer.seconds),
        "asking": rounded(footer.asking),
    }


_FOOTER: dict[str, Callable[[Any, str], Any]] = {
    "lines": _count,
    "sha256": string,
    "finished": boolean,
    "reason": or_null(string),
    "seconds": _seconds,
    "asking": _seconds,
}


def footer_in(line: Any) -> Footer:
    """Return the footer that stands in ``line``; raises :class:`FieldError`."""
    return Footer(**_known(line, "", _FOOTER))
