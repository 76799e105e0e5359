"""Both whole answers to one question, in the form that records keep them in: bounded, offsets in code points.

What is around a difference shows what differs; what the answers are otherwise, tokens beside tokens, only all of them
show. They stand as records have outcomes, but for two things. Offsets are code points of the original text, end
exclusive, whatever the implementation counts; ``null`` is one that has no place there. And an answer that is long is
cut, and then has its full length beside it (``total``).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import (
    Chunks,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    OffsetUnit,
    Pieces,
    PreTokenize,
    Rendered,
    plain_of,
)
from tokenizer_conformance.comparison.differences import texts_of_tokens
from tokenizer_conformance.comparison.offset_units import placed_spans
from tokenizer_conformance.comparison.record_forms import LONGEST_TEXT, outcome_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenizer_adapters.contract import Observation, Outcome, PlainObservation, Span
    from tokenizer_conformance.comparison.differences import OutcomeInUnit

Json = dict[str, Any]

MOST_ENTRIES = 200
"""Answers are cut at this many tokens, pieces or chunks; each text in them at ``LONGEST_TEXT`` code points."""


@dataclass(frozen=True, slots=True)
class WholeAnswers:
    """What the ``baseline`` and the ``implementation`` answered to one question, each as a record has it."""

    baseline: Json
    implementation: Json

    def exchanged(self) -> WholeAnswers:
        """Return the same answers, where each side stands for the other."""
        return WholeAnswers(self.implementation, self.baseline)


def whole_answers(question: Observation, baseline: OutcomeInUnit, implementation: OutcomeInUnit) -> WholeAnswers:
    """Return both answers to ``question`` as records keep them.

    >>> from tokenizer_adapters.contract import Normalize, Text
    >>> from tokenizer_conformance.comparison.differences import OutcomeInUnit
    >>> whole_answers(Normalize("A"), OutcomeInUnit(Text("a")), OutcomeInUnit(Text("A"))).baseline
    {'outcome': 'Text', 'answer': {'text': 'a'}}
    """
    return WholeAnswers(_answer(question, baseline), _answer(question, implementation))


def answers_record(answers: WholeAnswers | None) -> Json:
    """Return the member of a record that has ``answers``; none where there are none."""
    if answers is None:
        return {}
    return {"answers": {"baseline": answers.baseline, "implementation": answers.implementation}}


def answers_of(record: Json) -> WholeAnswers | None:
    """Return the answers in ``record``; ``None`` where it has none, as those of earlier versions.

    Raises ``KeyError`` or ``TypeError`` for what :func:`answers_record` did not write.
    """
    if "answers" not in record:
        return None
    sides = record["answers"]["baseline"], record["answers"]["implementation"]
    for side in sides:
        if not isinstance(side["outcome"], str) or not isinstance(side["answer"], dict):
            raise TypeError(f"no answer: {side!r}")
    return WholeAnswers(*sides)


def _answer(question: Observation, answer: OutcomeInUnit) -> Json:
    outcome, plain = answer.outcome, plain_of(question)
    record = outcome_record(outcome, _content(plain, outcome, answer.unit))
    total = _total(outcome)
    return record if total is None else {**record, "total": total}


def _content(question: PlainObservation, outcome: Outcome, unit: OffsetUnit) -> Json:
    """Return what ``outcome`` says, cut where it is long."""
    match outcome:
        case Encoded():
            return _encoded(question, outcome, unit, MOST_ENTRIES)
        case EncodedBatch(encodings):
            inputs = question.inputs if isinstance(question, EncodeBatch) else ()
            answered = zip(chain(inputs, repeat(question)), encodings, strict=False)
            return {"encodings": _encodings(answered, unit, MOST_ENTRIES)}
        case Pieces(pieces):
            spans = _piece_spans(question, outcome, unit)
            kept = zip(pieces[:MOST_ENTRIES], spans, strict=False)
            return {"pieces": [[piece[:LONGEST_TEXT], _listed(span)] for (piece, _), span in kept]}
        case Chunks(chunks):
            return {"chunks": [chunk and chunk[:LONGEST_TEXT] for chunk in chunks[:MOST_ENTRIES]]}
        case Rendered(text, ids):
            return {"text": text[:LONGEST_TEXT], "ids": None if ids is None else list(ids[:LONGEST_TEXT])}
        case _:
            texts = asdict(outcome)
            return {name: value[:LONGEST_TEXT] if isinstance(value, str) else value for name, value in texts.items()}


def _encodings(answered: Iterable[tuple[PlainObservation, Encoded]], unit: OffsetUnit, room: int) -> list[Json]:
    """Return encodings, of which only the first ``room`` tokens are kept."""
    kept: list[Json] = []
    for question, encoded in answered:
        tokens = _tokens(encoded)
        if tokens and room <= 0:
            break
        kept.append(_encoded(question, encoded, unit, room))
        room -= tokens
    return kept


def _encoded(question: PlainObservation, encoded: Encoded, unit: OffsetUnit, room: int) -> Json:
    """Return an encoding, of which only the first ``room`` tokens are kept, those of what was cut off included."""
    spans = _token_spans(question, encoded, unit)
    rest = ((question, each) for each in encoded.overflowing or ())
    return {
        **{name: None if values is None else list(values[:room]) for name, values in _flat(encoded)},
        "tokens": None if encoded.tokens is None else [token[:LONGEST_TEXT] for token in encoded.tokens[:room]],
        "offsets": None if spans is None else list(map(_listed, spans[:room])),
        "overflowing": None if encoded.overflowing is None else _encodings(rest, unit, room - len(encoded.ids)),
    }


def _flat(encoded: Encoded) -> Iterator[tuple[str, Sequence[Any] | None]]:
    """Yield what is known of each token, by its name."""
    return ((field.name, getattr(encoded, field.name)) for field in fields(encoded) if field.name != "overflowing")


def _listed(span: Span | None) -> list[int] | None:
    return None if span is None else list(span)


# Offsets --------------------------------------------------------------------------------------------------------------


def _token_spans(question: PlainObservation, encoded: Encoded, unit: OffsetUnit) -> Sequence[Span | None] | None:
    """Return the offsets of ``encoded`` in code points, ``None`` where they are not shown."""
    if encoded.offsets is None or unit is OffsetUnit.CODE_POINTS:
        return encoded.offsets
    texts = texts_of_tokens(question, encoded) or []
    placed = placed_spans(zip(encoded.offsets, texts, strict=False), unit)
    return (*placed, *[None] * (len(encoded.offsets) - len(placed)))


def _piece_spans(question: PlainObservation, pieces: Pieces, unit: OffsetUnit) -> list[Span | None]:
    """Return the spans of ``pieces`` in code points."""
    text = question.text if isinstance(question, PreTokenize) else ""
    placed = iter(placed_spans([(span, text) for _, span in pieces.pieces if span is not None], unit))
    return [None if span is None else next(placed) for _, span in pieces.pieces]


# Lengths --------------------------------------------------------------------------------------------------------------


def _total(outcome: Outcome) -> int | None:
    """Return how long ``outcome`` is where some of it is cut, ``None`` where nothing is."""
    texts, length = _texts(outcome), _entries(outcome)
    is_long = length is not None and length > MOST_ENTRIES
    if not is_long and all(len(text) <= LONGEST_TEXT for text in texts):
        return None
    return sum(map(len, texts)) if length is None else length


def _entries(outcome: Outcome) -> int | None:
    """Return how many tokens, pieces or chunks ``outcome`` has; ``None`` where it is no sequence."""
    match outcome:
        case Encoded():
            return _tokens(outcome)
        case EncodedBatch(encodings):
            return sum(map(_tokens, encodings))
        case Pieces(entries) | Chunks(entries):
            return len(entries)
        case _:
            return None


def _texts(outcome: Outcome) -> list[str]:
    """Return the texts in ``outcome``."""
    match outcome:
        case Encoded(tokens=tokens, overflowing=overflowing):
            return [*(tokens or ()), *_texts(EncodedBatch(overflowing or ()))]
        case EncodedBatch(encodings):
            return [text for each in encodings for text in _texts(each)]
        case Pieces(pieces):
            return [piece for piece, _ in pieces]
        case Chunks(chunks):
            return [chunk for chunk in chunks if chunk is not None]
        case _:
            return [value for value in asdict(outcome).values() if isinstance(value, str)]


def _tokens(encoded: Encoded) -> int:
    """Return how many tokens there are, those of what was cut off included."""
    return len(encoded.ids) + sum(map(_tokens, encoded.overflowing or ()))
