"""The lines of a snapshot, written and read; ``results/records/snapshot.py`` has their types.

Answers stand as in the line protocol (``value_fields``), and are read as strictly; what came in the place of a value
has a key of its own. Lines may have further keys, and answers further names: a later minor version may add some.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from tokenizer_adapters.contract import (
    BrokeProtocol,
    Crashed,
    Encoded,
    Failed,
    Text,
    TimedOut,
    Unsupported,
)
from tokenizer_adapters.protocol.answer_lines import read_value, value_fields
from tokenizer_adapters.protocol.json_fields import FieldError, fields, mapping, real, shown, string
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.text import Input as InputText
from tokenizer_conformance.releases.snapshot_file.parts import LONGEST_LINE, Answers, LoadedTokenizer
from tokenizer_conformance.releases.snapshot_file.questions import QUESTIONS
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.snapshot import Footer, Header, Input, Tokenizer, Vocabulary
from tokenizer_conformance.results.records.value import Count, Line

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Outcome
    from tokenizer_conformance.releases.snapshot_file.parts import Part

Json = dict[str, Any]

L = TypeVar("L", bound=Line)


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


_VALUES = {
    name: question
    for name, asks in QUESTIONS.items()
    if (question := asks("", "", {"normalize": Text(""), "encode": Encoded(())})) is not None
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


# Lines ----------------------------------------------------------------------------------------------------------------


def part_line(part: Part) -> Json:
    """Return the line of ``part``."""
    match part:
        case Input():
            return json_of(part)
        case LoadedTokenizer():
            shows, vocabulary = part.shows, part.vocabulary
            return json_of(
                Tokenizer(
                    name=part.name,
                    error=part.error,
                    files=part.files,
                    shows=None if shows is None else {stage: tuple(sorted(shows[stage])) for stage in shows},
                    saved=part.saved,
                    vocabulary=None if vocabulary is None else Vocabulary(size=vocabulary[0], sha256=vocabulary[1]),
                )
            )
        case Answers(number, outcomes):
            forms = {name: outcome_form(outcome) for name, outcome in outcomes.items()}
            return {"type": "answers", "input": number, "answers": forms}


@dataclass(frozen=True, slots=True)
class Written:
    """A line as it stands in a snapshot, with its end."""

    line: bytes


_encoder = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def line_written(line: Json) -> bytes:
    """Return ``line`` as it stands in a snapshot."""
    return _encoder.encode(line).encode("ascii") + b"\n"


def written(part: Part) -> Written:
    """Return the line of ``part``; answers that are too long for a line are left out of it, and it says so."""
    line = line_written(part_line(part))
    if len(line) <= LONGEST_LINE or not isinstance(part, Answers):
        return Written(line)
    most = f"{LONGEST_LINE >> 20} MB are the most in a snapshot"
    left_out = Unsupported(f"the answers about this input take {len(line) >> 20} MB, and {most}")
    return Written(line_written(part_line(Answers(part.number, dict.fromkeys(part.outcomes, left_out)))))


class _Answers(Line, frozen=True, kw_only=True, tag="answers"):
    """A line of answers, which are read by :func:`outcome_in`."""

    input: Count
    answers: Json


def _read(line: Any, type_: type[L]) -> L:
    try:
        return msgspec.convert(line, type_)
    except msgspec.ValidationError as error:
        raise FieldError(str(error)) from error


def header_in(line: Any) -> Header:
    """Return the header that stands in ``line``; raises :class:`FieldError`."""
    found = _read(line, Header)
    if len({each.name for each in found.tokenizers}) < len(found.tokenizers):
        raise FieldError("tokenizers: two tokenizers have one name")
    return found


def input_in(line: Any) -> Input:
    """Return the input that stands in ``line``; raises :class:`FieldError`."""
    found = _read(line, Input)
    try:
        InputText(found.id, found.category, found.text)
    except BadInputError as error:
        raise FieldError(str(error)) from error
    return found


def tokenizer_in(line: Any) -> LoadedTokenizer:
    """Return how the tokenizer of ``line`` was loaded; raises :class:`FieldError`."""
    found = _read(line, Tokenizer)
    shows, vocabulary = found.shows, found.vocabulary
    return LoadedTokenizer(
        found.name,
        found.error,
        found.files,
        None if shows is None else {stage: frozenset(names) for stage, names in shows.items()},
        found.saved,
        None if vocabulary is None else (vocabulary.size, vocabulary.sha256),
    )


def answers_in(line: Any) -> Answers:
    """Return the answers that stand in ``line``; raises :class:`FieldError`."""
    found = _read(line, _Answers)
    known = {name: form for name, form in found.answers.items() if name in _VALUES}
    return Answers(found.input, {name: outcome_in(name, form, f"answers.{name}") for name, form in known.items()})


def footer_in(line: Any) -> Footer:
    """Return the footer that stands in ``line``; raises :class:`FieldError`."""
    return _read(line, Footer)
