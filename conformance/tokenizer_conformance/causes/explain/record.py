"""The lines of the record of an explanation: header, each text, its tokens, the way back, answers, footer."""

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
from tokenizer_conformance.comparison.record_forms import (
    LONGEST_TEXT,
    difference_record,
    outcome_record,
    question_record,
)
from tokenizer_conformance.escape import code_point
from tokenizer_conformance.results.records import explanation as lines
from tokenizer_conformance.results.records.making import footer_of, header_of, implementation_of, made, refusal_of

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


def lines_of(event: ExplanationEvent) -> Iterator[Value]:
    """Yield the lines of the record for ``event``."""
    match event:
        case ExplanationStarted():
            yield _header(event)
        case ImplementationMissing():
            yield refusal_of(event)
        case TextTraced(trace):
            yield from (_text(number, way) for number, way in enumerate(trace.texts))
            yield _tokens(trace)
            steps = [made(lines.DecodingStep, step, **_member(step.member)) for step in trace.decoding]
            yield made(lines.Decoding, trace, steps=steps, text=trace.decoded)
        case ImplementationAnswered():
            yield _answers(event)
        case ExplanationFinished():
            yield made(lines.Footer, event, **footer_of(event))


def _header(event: ExplanationStarted) -> lines.Header:
    return lines.Header(
        **header_of(lines.FORMAT, event.environment),
        baseline=implementation_of(event.tracer),
        compared=tuple(map(implementation_of, event.others)),
        tokenizer=event.source.name,
        add_special_tokens=event.question.add_special_tokens,
    )


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


def _text(number: int, way: TextWay) -> lines.TextLine:
    befores: list[Sequence[Piece]] = [(), *(step.pieces for step in way.steps)]
    return made(
        lines.TextLine,
        way,
        number=number,
        odd_characters=[
            made(lines.Character, odd, code_point=code_point(odd.character)) for odd in odd_characters(way.text)
        ],
        steps=[
            made(
                lines.Step,
                step,
                **_member(step.member),
                changes=changes_between(before, step.pieces) if before else [],
                added_tokens=step.occurrences,
            )
            for step, before in zip(way.steps, befores, strict=False)
        ],
        words=list(map(_word, way.words)),
    )


def _word(word: Word) -> lines.Word:
    steps = None if word.steps is None else {"kind": KINDS[type(word.steps)], **_steps(word.steps)}
    return made(lines.Word, word, steps=steps)


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


def _tokens(trace: Trace) -> lines.Tokens:
    stopped = trace.stopped
    return made(
        lines.Tokens,
        trace,
        steps=[made(lines.TokensStep, step, **_member(step.member)) for step in trace.tokens],
        encoding=trace.encoded,
        stopped=None if stopped is None else made(lines.Stopped, stopped, **_member(stopped.member)),
    )


# Answers -------------------------------------------------------------------------------------------------------------


def _answers(event: ImplementationAnswered) -> lines.Answers:
    return made(
        lines.Answers,
        event,
        implementation=event.info.name,
        answers=list(map(_asked, event.asked)),
        blame=None if event.blame is None else _blame(event.blame),
    )


def _asked(asked: Asked) -> dict[str, Any]:
    return {
        "question": question_record(asked.question),
        "verdict": asked.comparison.verdict,
        **outcome_record(asked.outcome),
        "differences": list(map(difference_record, asked.comparison.differences)),
    }


def _blame(blame: Blame) -> lines.Blame:
    return made(
        lines.Blame,
        blame,
        stage=blame.witness.stage,
        question=question_record(blame.witness.question),
        difference=difference_record(blame.witness.difference),
    )
