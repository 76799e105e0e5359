"""The lines of a snapshot, written and read.

Values stand as in the line protocol (``value_fields``); what came in the place of a value has a key of its own. What is
read is taken as it stands: the digest of the file says that nobody has changed it, and what is of another form is told
by the reader with its line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import (
    BrokeProtocol,
    Chunks,
    Crashed,
    Encoded,
    EncodedBatch,
    Failed,
    Field,
    ImplementationInfo,
    OffsetUnit,
    Pieces,
    Stage,
    Text,
    TimedOut,
    Unsupported,
)
from tokenizer_adapters.protocol.answer_lines import value_fields
from tokenizer_conformance.session.environment import Environment
from tokenizer_conformance.session.record import environment_record, implementation_record, rounded
from tokenizer_conformance.snapshot_file.parts import (
    SCHEMA,
    VERSION,
    Answers,
    Footer,
    Header,
    LoadedTokenizer,
    SnapshotInput,
    SnapshotInputs,
    SnapshotTokenizer,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Outcome
    from tokenizer_conformance.snapshot_file.parts import Part

Json = dict[str, Any]


# Outcomes -------------------------------------------------------------------------------------------------------------


def outcome_form(outcome: Outcome) -> Json:
    """Return ``outcome`` as it stands in a line of answers.

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


_READERS: dict[str, Callable[[Any], Outcome]] = {
    "text": Text,
    "pieces": lambda pieces: Pieces(tuple((text, None if span is None else tuple(span)) for text, span in pieces)),
    "encodings": lambda encodings: EncodedBatch(tuple(map(_encoded_in, encodings))),
    "chunks": lambda chunks: Chunks(tuple(chunks)),
    "unsupported": Unsupported,
    "failed": lambda failed: Failed(failed["kind"], failed["message"]),
    "crashed": Crashed,
    "timed_out": TimedOut,
    "broke_protocol": BrokeProtocol,
}


def outcome_in(form: Json) -> Outcome:
    """Return the outcome that :func:`outcome_form` wrote as ``form``.

    Raises ``ValueError``, ``TypeError`` or ``KeyError`` where it wrote nothing of the kind.
    """
    if "ids" in form:
        return _encoded_in(form)
    ((name, value),) = form.items()
    return _READERS[name](value)


_PLAIN = ("tokens", "word_ids", "type_ids", "attention_mask", "special_tokens_mask", "sequence_ids")


def _encoded_in(form: Json) -> Encoded:
    found: Json = {name: tuple(form[name]) if name in form else None for name in _PLAIN}
    offsets, parts = form.get("offsets"), form.get("overflowing")
    return Encoded(
        ids=tuple(form["ids"]),
        offsets=None if offsets is None else tuple(map(tuple, offsets)),
        overflowing=None if parts is None else tuple(map(_encoded_in, parts)),
        **found,
    )


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


def part_in(line: Json) -> Part:
    """Return the part that stands in ``line``; raises as :func:`outcome_in` does."""
    match line["type"]:
        case "answers":
            return Answers(line["input"], {name: outcome_in(form) for name, form in line["answers"].items()})
        case "input":
            return SnapshotInput(line["source"], line["id"], line["category"], line["text"])
        case "tokenizer":
            shows, vocabulary = line["shows"], line["vocabulary"]
            return LoadedTokenizer(
                line["name"],
                line["error"],
                tuple(line["files"]),
                None
                if shows is None
                else {Stage(stage): frozenset(map(Field, fields)) for stage, fields in shows.items()},
                line["saved"],
                None if vocabulary is None else (vocabulary["size"], vocabulary["sha256"]),
            )
        case other:
            raise ValueError(f"there is no line of type {other!r}")


# Beginning and end ----------------------------------------------------------------------------------------------------


def header_line(header: Header) -> Json:
    """Return the line of ``header``."""
    return {
        "type": "header",
        "schema": SCHEMA,
        "version": VERSION,
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


def header_in(line: Json) -> Header:
    """Return the header that stands in ``line``; raises as :func:`outcome_in` does."""
    environment, implementation, inputs = line["environment"], line["implementation"], line["inputs"]
    return Header(
        environment=Environment(
            environment["tokconf"],
            environment["python"],
            environment["platform"],
            environment["started"],
            tuple(environment["command"]),
        ),
        word=line["selected_by"],
        info=ImplementationInfo(
            name=implementation["name"],
            version=implementation["version"],
            language=implementation["language"],
            home_page=implementation["home_page"],
            stages=frozenset(map(Stage, implementation["stages"])),
            fields=frozenset(map(Field, implementation["fields"])),
            offset_unit=OffsetUnit(implementation["offset_unit"]),
            install="",
        ),
        tokenizers=tuple(
            SnapshotTokenizer(each["name"], each["word"], each["sha256"], each["size"]) for each in line["tokenizers"]
        ),
        inputs=SnapshotInputs(inputs["count"], inputs["sha256"], tuple(inputs["sources"])),
        stages=tuple(map(Stage, line["stages"])),
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


def footer_in(line: Json) -> Footer:
    """Return the footer that stands in ``line``; raises as :func:`outcome_in` does."""
    return Footer(line["lines"], line["sha256"], line["finished"], line["reason"], line["seconds"], line["asking"])
