r"""The record of an explanation as JSON Lines: header, a line for each text, its tokens, the way back, answers, footer.

The format has a name and a version of its own, and a JSON Schema that describes one line (:func:`schema`). Only ASCII
is written: other characters stand as ``\u`` escapes. All offsets are code points of the original text, end exclusive.
"""

from __future__ import annotations

import math
from dataclasses import asdict
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.tracing import BpeSteps, NotShown, UnigramPaths, WordLookup, WordPieceMatches
from tokenizer_conformance.causes.explain.changes import changes_between
from tokenizer_conformance.causes.explain.events import (
    ExplanationFinished,
    ExplanationStarted,
    ImplementationAnswered,
    TextTraced,
)
from tokenizer_conformance.causes.explain.odd_characters import odd_characters
from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.record import (
    RecordFile,
    footer_record,
    header_record,
    implementation_record,
    refusal_record,
)
from tokenizer_conformance.comparison.record_forms import (
    LONGEST_TEXT,
    difference_record,
    outcome_record,
    question_record,
)
from tokenizer_conformance.escape import code_point
from tokenizer_conformance.results.records.explanation import FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_adapters.tracing import Member, Piece, TextWay, Trace, Word, WordSteps
    from tokenizer_conformance.causes.explain.events import Asked, Blame, ExplanationEvent
    from tokenizer_conformance.results.records.value import Value


KINDS: dict[type[object], str] = {
    BpeSteps: "bpe",
    UnigramPaths: "unigram",
    WordPieceMatches: "wordpiece",
    WordLookup: "wordlevel",
    NotShown: "not_shown",
}
"""What the steps of the models are called."""


class ExplanationJsonLinesReport(RecordFile):
    """Writes the record to its file, line by line. Opening raises ``OSError``."""

    def handle(self, event: ExplanationEvent) -> None:
        """Write the lines of ``event``. Raises ``OSError``."""
        for record in records_of(event):
            self.write(record)


def lines_of(event: ExplanationEvent) -> Iterator[Value]:
    """Yield the lines of the record for ``event``."""
    return map(FORMAT.read, records_of(event))


def records_of(event: ExplanationEvent) -> list[dict[str, Any]]:
    """Return the lines of the record for ``event``."""
    match event:
        case ExplanationStarted():
            return [_header(event)]
        case ImplementationMissing():
            return [refusal_record(event)]
        case TextTraced(trace):
            texts = [_text(number, way) for number, way in enumerate(trace.texts)]
            return [*texts, _tokens(trace), _decoding(trace)]
        case ImplementationAnswered():
            return [_answers(event)]
        case ExplanationFinished():
            return [_footer(event)]


def _header(event: ExplanationStarted) -> dict[str, Any]:
    return {
        **header_record(FORMAT.name, FORMAT.version, event.environment),
        "baseline": implementation_record(event.tracer),
        "compared": list(map(implementation_record, event.others)),
        "tokenizer": event.source.name,
        "add_special_tokens": event.question.add_special_tokens,
    }


def _member(member: Member) -> dict[str, Any]:
    return {
        "station": member.station,
        "component": member.type,
        "place": member.place,
        "options": {name: _option(value) for name, value in member.options},
    }


def _option(value: Any) -> Any:
    """Return the value of an option; a long text, such as a character map, is cut."""
    return value[:LONGEST_TEXT] if isinstance(value, str) else value


# Texts ---------------------------------------------------------------------------------------------------------------


def _text(number: int, way: TextWay) -> dict[str, Any]:
    befores: list[Sequence[Piece]] = [(), *(step.pieces for step in way.steps)]
    return {
        "type": "text",
        "number": number,
        "text": way.text,
        "odd_characters": [
            {
                "code_point": code_point(odd.character),
                "name": odd.name,
                "kind": odd.kind,
                "positions": list(odd.positions),
            }
            for odd in odd_characters(way.text)
        ],
        "steps": [
            {
                **_member(step.member),
                "pieces": list(map(_piece, step.pieces)),
                "changes": [asdict(change) for change in changes_between(before, step.pieces)] if before else [],
                "added_tokens": [asdict(each) for each in step.occurrences],
            }
            for step, before in zip(way.steps, befores, strict=False)
        ],
        "words": list(map(_word, way.words)),
    }


def _piece(piece: Piece) -> dict[str, Any]:
    return {"text": piece.text, "span": piece.span, "origins": piece.origins, "added": piece.added}


def _word(word: Word) -> dict[str, Any]:
    return {
        "piece": _piece(word.piece),
        "ids": word.ids,
        "tokens": word.tokens,
        "offsets": word.offsets,
        "steps": None if word.steps is None else {"kind": KINDS[type(word.steps)], **_steps(word.steps)},
    }


def _steps(steps: WordSteps) -> dict[str, Any]:
    values = _plain(asdict(steps))
    if isinstance(steps, UnigramPaths):
        values["margin"] = None if steps.margin is None else str(steps.margin)
    made: dict[str, Any] = values
    return made


def _plain(value: Any) -> Any:
    """Return ``value`` as JSON has it: fractions, and numbers that are not finite, as texts."""
    match value:
        case dict():
            return {key: _plain(each) for key, each in value.items()}
        case list() | tuple():
            return list(map(_plain, value))
        case Fraction():
            return str(value)
        case float() if not math.isfinite(value):
            return str(value)
        case _:
            return value


# Tokens --------------------------------------------------------------------------------------------------------------


def _tokens(trace: Trace) -> dict[str, Any]:
    return {
        "type": "tokens",
        "steps": [{**_member(step.member), "parts": list(map(asdict, step.parts))} for step in trace.tokens],
        "encoding": None if trace.encoded is None else asdict(trace.encoded),
        "stopped": None
        if trace.stopped is None
        else {**_member(trace.stopped.member), "kind": trace.stopped.kind, "message": trace.stopped.message},
    }


def _decoding(trace: Trace) -> dict[str, Any]:
    return {
        "type": "decoding",
        "steps": [{**_member(step.member), "strings": step.strings} for step in trace.decoding],
        "text": trace.decoded,
    }


# Answers -------------------------------------------------------------------------------------------------------------


def _answers(event: ImplementationAnswered) -> dict[str, Any]:
    return {
        "type": "answers",
        "implementation": event.info.name,
        "refusal": event.refusal,
        "answers": list(map(_asked, event.asked)),
        "blame": None if event.blame is None else _blame(event.blame),
    }


def _asked(asked: Asked) -> dict[str, Any]:
    return {
        "question": question_record(asked.question),
        "verdict": asked.comparison.verdict,
        **outcome_record(asked.outcome),
        "differences": list(map(difference_record, asked.comparison.differences)),
    }


def _blame(blame: Blame) -> dict[str, Any]:
    return {
        "stage": blame.witness.stage,
        "question": question_record(blame.witness.question),
        "difference": difference_record(blame.witness.difference),
        "place": blame.place,
        "how": blame.how,
        "word": None if blame.word is None else _piece(blame.word),
        "merge": None if blame.merge is None else asdict(blame.merge),
    }


def _footer(event: ExplanationFinished) -> dict[str, Any]:
    return {
        **footer_record(event),
        "differing": list(event.differing),
        "reason": event.reason,
    }
