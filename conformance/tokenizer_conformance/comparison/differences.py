"""Two answers to one question, compared field by field.

The answers are compared whole first; only where they are not equal does anybody look for the place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    ENCODING_FIELDS,
    BrokeProtocol,
    Chat,
    Chunks,
    Crashed,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Failed,
    Fault,
    Field,
    Normalize,
    Observation,
    OffsetUnit,
    Outcome,
    Pieces,
    PlainObservation,
    PreTokenize,
    Rendered,
    Span,
    Stage,
    Text,
    TimedOut,
    Unsupported,
    Value,
    plain_of,
    stage_of,
)
from tokenizer_conformance.comparison.offset_units import (
    ConvertedSpans,
    MisplacedSpan,
    OffsetFault,
    spans_to_code_points,
)
from tokenizer_conformance.comparison.verdicts import Verdict, graver

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_conformance.ledger.answers import Answered
    from tokenizer_conformance.ledger.entry import Entry as LedgerEntry

STAGE_FIELDS: dict[Stage, tuple[Field, ...]] = {
    Stage.NORMALIZE: (Field.TEXT,),
    Stage.PRE_TOKENIZE: (Field.PIECES, Field.OFFSETS),
    Stage.MODEL: ENCODING_FIELDS,
    Stage.POST_PROCESS: ENCODING_FIELDS,
    Stage.DECODE: (Field.TEXT,),
    Stage.CHAT: (Field.TEXT, Field.IDS),
}
"""The fields that an answer at each stage has."""

Spans = ConvertedSpans | MisplacedSpan
"""The offsets of an answer in code points, or the first of them that has no place there."""

Entry = int | str | Span | None
"""One entry of a compared sequence: an id, a token, a character, an offset pair."""


class Party(StrEnum):
    """One of the two sides of a comparison."""

    BASELINE = "baseline"
    IMPLEMENTATION = "implementation"
    BOTH = "both"


class DifferenceKind(StrEnum):
    """How two answers differ."""

    LENGTH = "other length"
    VALUES = "other values"
    OFFSET_INSIDE_CHARACTER = "offset inside a character"
    OFFSET_OUTSIDE_TEXT = "offset outside the text"
    RAISED = "raised an error"
    CRASHED = "crashed"
    TIMED_OUT = "timed out"
    BROKE_PROTOCOL = "broke the protocol"


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A window on one side of a difference.

    ``entries`` are those from index ``start`` of a sequence of ``total``; ``tokens``, where they are known, are the
    tokens at the same indexes. ``is_text``: the sequence is a text, and the entries are its characters.
    """

    start: int
    total: int
    entries: tuple[Entry, ...]
    tokens: tuple[str, ...] | None = None
    is_text: bool = False

    @property
    def text(self) -> str:
        """The entries of a text, joined."""
        return "".join(map(str, self.entries))


Side = Excerpt | Failed | Fault
"""What is seen on one side of a difference."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference between two answers.

    ``field`` is ``None`` where there were no values to compare; ``position`` is the index of the first entry that
    differs (for a text, a code point index). ``part`` leads to a nested encoding (``overflowing[1].ids``,
    ``encodings[0].ids``) and is ``None`` elsewhere. ``party`` is the side at fault where the difference itself shows
    which one it is.
    """

    verdict: Verdict
    kind: DifferenceKind
    field: Field | None
    baseline: Side
    implementation: Side
    position: int | None = None
    party: Party | None = None
    detail: str = ""
    part: str | None = None


@dataclass(frozen=True, slots=True)
class KnownDifference:
    """A ``difference`` that an ``entry`` of a ledger is about; or a consequence of such a one at ``follows_from``."""

    difference: Difference
    entry: LedgerEntry
    follows_from: Stage | None = None

    @property
    def has_values(self) -> bool:
        """Whether two values stood side by side."""
        return self.difference.verdict.is_compared


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcome of comparing two answers: fields that agree, fields that a side does not show, and differences.

    ``unanswered`` are those of the unsupported fields that the baseline shows and the implementation does not.
    ``both_failed``: both sides raised an error, so that there is no field to speak of.
    ``finer`` counts offsets that agree, but begin or end inside characters, where the other side's cannot.
    ``unstable`` are differences that were gone, or were others, when the question was put again, ``known`` those that a
    ledger expects. ``answered`` has the digests of both answers, where a ledger is asked about the differences.
    """

    agreed: tuple[Field, ...] = ()
    unsupported: tuple[Field, ...] = ()
    differences: tuple[Difference, ...] = ()
    both_failed: bool = False
    unanswered: tuple[Field, ...] = ()
    unstable: tuple[Difference, ...] = ()
    known: tuple[KnownDifference, ...] = ()
    finer: int = 0
    answered: Answered | None = None

    @property
    def baseline_answers(self) -> bool:
        """Whether the baseline answered, with a value or an error."""
        differences = self.differences or self.unstable or self.known
        return bool(self.agreed or differences or self.unanswered or self.both_failed)

    @property
    def verdict(self) -> Verdict:
        """The gravest verdict in this comparison."""
        verdict = Verdict.UNSUPPORTED
        if self.agreed:
            verdict = Verdict.AGREE
        elif self.both_failed:
            verdict = Verdict.BOTH_ERROR
        if self.known:
            verdict = graver(verdict, Verdict.KNOWN)
        if self.unstable:
            verdict = graver(verdict, Verdict.UNSTABLE)
        for difference in self.differences:
            verdict = graver(verdict, difference.verdict)
        return verdict


@dataclass(frozen=True, slots=True)
class OutcomeInUnit:
    """An outcome, with the unit that its offsets count."""

    outcome: Outcome
    unit: OffsetUnit = OffsetUnit.CODE_POINTS


@lru_cache(maxsize=256)
def compared_fields(stage: Stage, wanted: frozenset[Field] | None = None) -> tuple[Field, ...]:
    """Return the fields of answers at ``stage``, only the ``wanted`` ones where these are given."""
    return tuple(field for field in STAGE_FIELDS[stage] if wanted is None or field in wanted)


def compare(
    question: Observation,
    baseline: OutcomeInUnit,
    implementation: OutcomeInUnit,
    wanted: frozenset[Field] | None = None,
) -> Comparison:
    """Compare two answers to ``question``, in all fields or in the ``wanted`` ones.

    Offsets are brought to code points of the original text first; those inside a character that several tokens share
    are rounded outward, as ``tokenizers`` gives them.

    >>> from tokenizer_adapters.contract import Normalize
    >>> compare(Normalize("A"), OutcomeInUnit(Text("a")), OutcomeInUnit(Text("a"))).agreed
    (<Field.TEXT: 'text'>,)
    >>> compare(Normalize("A"), OutcomeInUnit(Text("a")), OutcomeInUnit(Unsupported("shows no normalizer"))).verdict
    <Verdict.UNSUPPORTED: 'unsupported'>
    """
    fields = compared_fields(stage_of(question), wanted)
    question = plain_of(question)
    match baseline.outcome, implementation.outcome:
        case Encoded() as expected, Encoded() as actual:
            return _compare_encoded(question, (expected, baseline.unit), (actual, implementation.unit), fields)
        case EncodedBatch() as expected, EncodedBatch() as actual:
            return _compare_batches(question, (expected, baseline.unit), (actual, implementation.unit), fields)
        case Text() as expected, Text() as actual:
            return _compare_texts(expected.text, actual.text, fields)
        case Chunks() as expected, Chunks() as actual:
            return _compare_texts(expected.chunks, actual.chunks, fields)
        case Rendered() as expected, Rendered() as actual:
            return _compare_rendered(expected, actual, fields)
        case Pieces() as expected, Pieces() as actual:
            return _compare_pieces(question, (expected, baseline.unit), (actual, implementation.unit), fields)
        case _:
            return _compare_failures(baseline.outcome, implementation.outcome, fields)


def confirmed(comparison: Comparison, again: Comparison) -> Comparison:
    """Return ``comparison`` with only those differences that ``again``, of fresh answers to the question, has too.

    The others are unstable. What errors say is not compared: it may tell of a time or an address.
    """
    repeated = set(map(_without_words, again.differences))
    differences = tuple(each for each in comparison.differences if _without_words(each) in repeated)
    if len(differences) == len(comparison.differences):
        return comparison
    gone = (each for each in comparison.differences if _without_words(each) not in repeated)
    return replace(comparison, differences=differences, unstable=(*comparison.unstable, *map(_unstable, gone)))


def _without_words(difference: Difference) -> Difference:
    sides = (difference.baseline, difference.implementation)
    first, second = (replace(side, message="") if isinstance(side, Failed) else side for side in sides)
    return replace(difference, baseline=first, implementation=second)


def _unstable(difference: Difference) -> Difference:
    return replace(difference, verdict=Verdict.UNSTABLE)


# No value on one side or on both -------------------------------------------------------------------------------------

_NO_ANSWER: tuple[tuple[type[Fault], Verdict, DifferenceKind], ...] = (
    (Crashed, Verdict.CRASH, DifferenceKind.CRASHED),
    (TimedOut, Verdict.TIMEOUT, DifferenceKind.TIMED_OUT),
    (BrokeProtocol, Verdict.PROTOCOL, DifferenceKind.BROKE_PROTOCOL),
)


def _compare_failures(baseline: Outcome, implementation: Outcome, fields: tuple[Field, ...]) -> Comparison:
    for outcome, verdict, kind in _NO_ANSWER:
        party = _party(isinstance(baseline, outcome), isinstance(implementation, outcome))
        if party is not None:
            return _failure(verdict, kind, party, baseline, implementation)
    if isinstance(baseline, Unsupported):
        return _not_shown(fields, ())
    if isinstance(implementation, Unsupported):
        return _not_shown(fields, fields)
    party = _party(isinstance(baseline, Failed), isinstance(implementation, Failed))
    if party is Party.BOTH:
        return Comparison(both_failed=True)
    if party is None:
        raise TypeError(f"answers of different types to one question: {baseline!r} and {implementation!r}")
    return _failure(Verdict.ERROR, DifferenceKind.RAISED, party, baseline, implementation)


@lru_cache(maxsize=1024)
def _not_shown(fields: tuple[Field, ...], unanswered: tuple[Field, ...]) -> Comparison:
    """Return the comparison of two answers one of which shows nothing."""
    return Comparison(unsupported=fields, unanswered=unanswered)


def _party(baseline: bool, implementation: bool) -> Party | None:
    if baseline and implementation:
        return Party.BOTH
    if baseline:
        return Party.BASELINE
    return Party.IMPLEMENTATION if implementation else None


def _failure(
    verdict: Verdict,
    kind: DifferenceKind,
    party: Party,
    baseline: Outcome,
    implementation: Outcome,
) -> Comparison:
    failed = baseline if party is Party.BASELINE else implementation
    return Comparison(
        differences=(
            Difference(
                verdict=verdict,
                kind=kind,
                field=None,
                baseline=_side(baseline),
                implementation=_side(implementation),
                party=party,
                detail=failed.kind if isinstance(failed, Failed) else "",
            ),
        ),
    )


def _side(outcome: Outcome) -> Side:
    """Return what there is to see of ``outcome``: a failure itself, or the beginning of a value."""
    match outcome:
        case Failed() | Crashed() | TimedOut() | BrokeProtocol():
            return outcome
        case Text(text):
            return excerpt(text, 0)
        case Pieces(pieces):
            return excerpt([piece for piece, _ in pieces], 0)
        case Encoded():
            return excerpt(outcome.ids, 0, outcome.tokens)
        case EncodedBatch(encodings):
            return excerpt(_heads(encodings), 0)
        case Chunks(chunks):
            return excerpt(chunks, 0)
        case Rendered(text):
            return excerpt(text, 0)
        case Unsupported():
            return Excerpt(0, 0, ())


# Values --------------------------------------------------------------------------------------------------------------


def _compare_texts(
    expected: str | tuple[str | None, ...],
    actual: str | tuple[str | None, ...],
    fields: tuple[Field, ...],
) -> Comparison:
    """Compare two texts, or the pieces in which a text came."""
    if not fields or expected == actual:
        return _agreement(fields, (True,) * len(fields))
    return Comparison(differences=(_sequence_difference(Field.TEXT, expected, actual),))


def _compare_rendered(expected: Rendered, actual: Rendered, fields: tuple[Field, ...]) -> Comparison:
    result = _Collected()
    if Field.TEXT in fields:
        result.compare(Field.TEXT, expected.text, actual.text)
    if Field.IDS in fields:
        result.compare(Field.IDS, expected.ids, actual.ids)
    return result.comparison()


def _compare_pieces(
    question: PlainObservation,
    expected: tuple[Pieces, OffsetUnit],
    actual: tuple[Pieces, OffsetUnit],
    fields: tuple[Field, ...],
) -> Comparison:
    if expected[1] is actual[1] is OffsetUnit.CODE_POINTS and expected[0] == actual[0]:
        located = all(span is not None for _, span in expected[0].pieces)
        return _agreement(fields, tuple(located or field is Field.PIECES for field in fields))
    result = _Collected()
    texts = tuple(tuple(piece for piece, _ in side.pieces) for side, _ in (expected, actual))
    if Field.PIECES in fields:
        result.compare(Field.PIECES, texts[0], texts[1])
    if Field.OFFSETS in fields:
        original = getattr(question, "text", "")
        result.compare_offsets(
            *(_piece_spans(side, original, unit) for side, unit in (expected, actual)),
            tokens=texts,
            raw=tuple(tuple(span for _, span in side.pieces) for side, _ in (expected, actual)),
        )
    return result.comparison()


def _piece_spans(pieces: Pieces, original: str, unit: OffsetUnit) -> Spans | None:
    spans = tuple(span for _, span in pieces.pieces if span is not None)
    if len(spans) < len(pieces.pieces):
        return None
    return spans_to_code_points(((span, original) for span in spans), unit)


def _compare_batches(
    question: PlainObservation,
    expected: tuple[EncodedBatch, OffsetUnit],
    actual: tuple[EncodedBatch, OffsetUnit],
    fields: tuple[Field, ...],
) -> Comparison:
    """Compare encoding by encoding. A field agrees where it does in all of them, and differs where it first does."""
    ours, theirs = expected[0].encodings, actual[0].encodings
    inputs = question.inputs if isinstance(question, EncodeBatch) else ()
    if not fields:
        return Comparison()
    if not len(ours) == len(theirs) == len(inputs):
        return Comparison(differences=_other_number(ours, theirs, len(inputs)))
    if expected[1] is actual[1] is OffsetUnit.CODE_POINTS and ours == theirs:
        return _agreement(fields, tuple(_shown_by_all(ours, field) for field in fields))
    parts = [
        _compare_encoded(one, (our, expected[1]), (their, actual[1]), fields)
        for one, our, their in zip(inputs, ours, theirs, strict=True)
    ]
    differing = {
        difference.field: _as_part(f"encodings[{index}]", difference)
        for index, part in reversed(list(enumerate(parts)))
        for difference in part.differences
    }
    unsupported = {field for part in parts for field in part.unsupported} - differing.keys()
    return Comparison(
        agreed=tuple(field for field in fields if field not in unsupported and field not in differing),
        unsupported=tuple(field for field in fields if field in unsupported),
        differences=tuple(differing[field] for field in fields if field in differing),
        unanswered=tuple(
            field for field in fields if field in unsupported and any(field in part.unanswered for part in parts)
        ),
        finer=sum(part.finer for part in parts),
    )


def _shown_by_all(encodings: tuple[Encoded, ...], field: Field) -> bool:
    return all(getattr(each, field) is not None for each in encodings)


def _other_number(ours: tuple[Encoded, ...], theirs: tuple[Encoded, ...], inputs: int) -> tuple[Difference, ...]:
    """Return the difference of answers that do not both have one encoding for each of so many ``inputs``."""
    party = _party(len(ours) != inputs, len(theirs) != inputs)
    difference = _sequence_difference(Field.IDS, _heads(ours), _heads(theirs))
    return (replace(difference, kind=DifferenceKind.LENGTH, party=party, part="encodings"),)


def _compare_encoded(
    question: PlainObservation,
    expected: tuple[Encoded, OffsetUnit],
    actual: tuple[Encoded, OffsetUnit],
    fields: tuple[Field, ...],
) -> Comparison:
    if expected[1] is actual[1] is OffsetUnit.CODE_POINTS and expected[0] == actual[0]:
        return _agreement(fields, tuple([getattr(expected[0], field) is not None for field in fields]))
    result = _Collected()
    tokens = (expected[0].tokens, actual[0].tokens)
    for field in fields:
        if field is Field.OFFSETS:
            result.compare_offsets(
                *(_token_spans(question, side, unit) for side, unit in (expected, actual)),
                tokens=tokens,
                raw=(expected[0].offsets, actual[0].offsets),
            )
        elif field is Field.OVERFLOWING:
            result.compare_overflowing(question, expected, actual)
        else:
            result.compare(field, getattr(expected[0], field), getattr(actual[0], field), tokens)
    return result.comparison()


@lru_cache(maxsize=1024)
def _agreement(fields: tuple[Field, ...], shown: tuple[bool, ...]) -> Comparison:
    """Return the comparison of two equal answers that show the fields marked in ``shown``."""
    marked = list(zip(fields, shown, strict=True))
    return Comparison(
        agreed=tuple(field for field, is_shown in marked if is_shown),
        unsupported=tuple(field for field, is_shown in marked if not is_shown),
    )


def _token_spans(
    question: PlainObservation,
    encoded: Encoded,
    unit: OffsetUnit,
) -> Spans | None:
    """Return the offsets of ``encoded`` in code points, ``None`` where they are not shown or point nowhere."""
    if encoded.offsets is None:
        return None
    if unit is OffsetUnit.CODE_POINTS:
        return ConvertedSpans(encoded.offsets)
    texts = texts_of_tokens(question, encoded)
    return None if texts is None else spans_to_code_points(zip(encoded.offsets, texts, strict=False), unit)


def texts_of_tokens(question: PlainObservation, encoded: Encoded) -> list[str] | None:
    """Return for every token the text that its offsets point into.

    A pair needs sequence ids, and a pre-split input word ids: an answer that lacks them does not say where its offsets
    point. A token that belongs to no sequence or word is a special one, whose offsets are (0, 0) in any unit.
    """
    if not isinstance(question, Encode):
        return None
    count = len(encoded.ids)
    sequences: Sequence[int | None] | None = (0,) * count if question.pair is None else encoded.sequence_ids
    if sequences is None:
        return None
    if isinstance(question.text, str) and isinstance(question.pair, str | None):
        second = question.pair or ""
        return [second if sequence == 1 else question.text for sequence in sequences]
    if encoded.word_ids is None:
        return None
    inputs = (question.text, question.pair or ())
    return [
        inputs[sequence][word] if sequence in (0, 1) and word is not None and word < len(inputs[sequence]) else ""
        for sequence, word in zip(sequences, encoded.word_ids, strict=False)
    ]


class _Collected:
    """Collects the outcomes of the fields of two answers."""

    def __init__(self) -> None:
        self._agreed: list[Field] = []
        self._unsupported: list[Field] = []
        self._unanswered: list[Field] = []
        self._differences: list[Difference] = []
        self._finer = 0

    def comparison(self) -> Comparison:
        return Comparison(
            agreed=tuple(self._agreed),
            unsupported=tuple(self._unsupported),
            differences=tuple(self._differences),
            unanswered=tuple(self._unanswered),
            finer=self._finer,
        )

    def _not_shown(self, field: Field, expected: object, actual: object) -> None:
        """Note that a side does not show ``field``: the side that has ``None`` in place of a value."""
        self._unsupported.append(field)
        if expected is not None and actual is None:
            self._unanswered.append(field)

    def compare(
        self,
        field: Field,
        expected: Sequence[Entry] | None,
        actual: Sequence[Entry] | None,
        tokens: tuple[Sequence[str] | None, Sequence[str] | None] = (None, None),
    ) -> None:
        if expected is None or actual is None:
            self._not_shown(field, expected, actual)
        elif expected == actual:
            self._agreed.append(field)
        else:
            beside = (None, None) if field is Field.TOKENS else tokens
            self._differences.append(_sequence_difference(field, expected, actual, beside))

    def compare_offsets(
        self,
        expected: Spans | None,
        actual: Spans | None,
        *,
        tokens: tuple[Sequence[str] | None, ...],
        raw: tuple[Sequence[Span | None] | None, ...],
    ) -> None:
        """Compare offsets that were brought to code points; ``raw`` are those given, in the declared units."""
        beside = (tokens[0], tokens[1])
        if expected is None or actual is None:
            self._not_shown(Field.OFFSETS, expected, None if _lacks_spans(raw[1]) else raw[1])
        elif isinstance(expected, MisplacedSpan) or isinstance(actual, MisplacedSpan):
            self._differences.append(_offset_fault(expected, actual, beside, raw))
        else:
            self.compare(Field.OFFSETS, expected.spans, actual.spans, beside)
            if expected.spans == actual.spans:
                self._finer += expected.finer + actual.finer

    def compare_overflowing(
        self,
        question: PlainObservation,
        expected: tuple[Encoded, OffsetUnit],
        actual: tuple[Encoded, OffsetUnit],
    ) -> None:
        """Compare what truncation cut off, encoding by encoding, in the fields that both sides show."""
        ours, theirs = expected[0].overflowing, actual[0].overflowing
        if ours is None or theirs is None:
            self._not_shown(Field.OVERFLOWING, ours, theirs)
            return
        if len(ours) != len(theirs):
            self._differences.append(_sequence_difference(Field.OVERFLOWING, _heads(ours), _heads(theirs)))
            return
        for index, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            nested = _compare_encoded(question, (one, expected[1]), (other, actual[1]), ENCODING_FIELDS)
            self._finer += nested.finer
            if nested.differences:
                found = _as_part(f"overflowing[{index}]", nested.differences[0])
                self._differences.append(replace(found, field=Field.OVERFLOWING))
                return
        self._agreed.append(Field.OVERFLOWING)


def _lacks_spans(given: Sequence[Span | None] | None) -> bool:
    return given is None or None in given


def _token_texts(encoded: Encoded) -> tuple[str, ...]:
    return encoded.tokens if encoded.tokens is not None else tuple(map(str, encoded.ids))


def _heads(encodings: Sequence[Encoded]) -> tuple[str, ...]:
    """Return the tokens of each encoding as one text."""
    return tuple(" ".join(_token_texts(each)) for each in encodings)


def _as_part(part: str, nested: Difference) -> Difference:
    """Return the difference of an encoding that stands in an answer at ``part``."""
    return replace(nested, part=f"{part}.{nested.part or nested.field}")


# Places --------------------------------------------------------------------------------------------------------------

CONTEXT_ENTRIES = 3
"""How many entries are shown on either side of the first one that differs."""

CONTEXT_CHARACTERS = 16
"""How many characters of a text are shown on either side of the first one that differs."""


def first_difference(expected: Sequence[Entry], actual: Sequence[Entry]) -> int:
    """Return the first index at which two unequal sequences differ, the shorter length where one begins the other.

    >>> first_difference("abc", "abd"), first_difference("ab", "abc")
    (2, 2)
    """
    for index, (one, other) in enumerate(zip(expected, actual, strict=False)):
        if one != other:
            return index
    return min(len(expected), len(actual))


def excerpt(sequence: Sequence[Entry], position: int, tokens: Sequence[str] | None = None) -> Excerpt:
    """Return the entries of ``sequence`` around ``position``."""
    is_text = isinstance(sequence, str)
    context = CONTEXT_CHARACTERS if is_text else CONTEXT_ENTRIES
    start = max(0, position - context)
    window = slice(start, position + context + 1)
    beside = None if tokens is None else tuple(tokens[window])
    return Excerpt(start, len(sequence), tuple(sequence[window]), beside, is_text)


def _sequence_difference(
    field: Field,
    expected: Sequence[Entry],
    actual: Sequence[Entry],
    tokens: tuple[Sequence[str] | None, Sequence[str] | None] = (None, None),
) -> Difference:
    position = first_difference(expected, actual)
    # A text that differs is one change, whatever it does to the length.
    same_length = field is Field.TEXT or len(expected) == len(actual)
    return Difference(
        verdict=Verdict.DIFFER,
        kind=DifferenceKind.VALUES if same_length else DifferenceKind.LENGTH,
        field=field,
        baseline=excerpt(expected, position, tokens[0]),
        implementation=excerpt(actual, position, tokens[1]),
        position=position,
    )


_FAULT_KINDS: dict[OffsetFault, DifferenceKind] = {
    OffsetFault.INSIDE_CHARACTER: DifferenceKind.OFFSET_INSIDE_CHARACTER,
    OffsetFault.OUTSIDE_TEXT: DifferenceKind.OFFSET_OUTSIDE_TEXT,
}


def _offset_fault(
    expected: Spans,
    actual: Spans,
    tokens: tuple[Sequence[str] | None, Sequence[str] | None],
    raw: tuple[Sequence[Span | None] | None, ...],
) -> Difference:
    """Return the difference of offsets that do not stand at character boundaries; such offsets are shown as given."""
    fault = actual if isinstance(actual, MisplacedSpan) else expected
    if not isinstance(fault, MisplacedSpan):
        raise TypeError("neither side has an offset that cannot be converted")
    sides = [
        excerpt(given or () if isinstance(converted, MisplacedSpan) else converted.spans, fault.index, beside)
        for converted, given, beside in zip((expected, actual), raw, tokens, strict=True)
    ]
    return Difference(
        verdict=Verdict.DIFFER,
        kind=_FAULT_KINDS[fault.offset.fault],
        field=Field.OFFSETS,
        baseline=sides[0],
        implementation=sides[1],
        position=fault.index,
        party=_party(isinstance(expected, MisplacedSpan), isinstance(actual, MisplacedSpan)),
    )


_ANSWER_TYPES: dict[type[PlainObservation], type[Value]] = {
    Normalize: Text,
    PreTokenize: Pieces,
    Encode: Encoded,
    Decode: Text,
    EncodeBatch: EncodedBatch,
    DecodeStream: Chunks,
    Chat: Rendered,
}


def misfit(question: Observation, outcome: Outcome) -> str | None:
    """Return what ``outcome`` is in words where it, or what it holds, cannot answer ``question``; ``None``: it can."""
    expected = _ANSWER_TYPES[type(plain_of(question))]
    if not isinstance(outcome, (expected, Unsupported, Failed, Crashed, TimedOut, BrokeProtocol)):
        return type(outcome).__name__
    for values, held in _contents(outcome):
        if not isinstance(values, tuple):
            return f"{type(outcome).__name__} of {type(values).__name__}"
        wrong = next((each for each in set(map(type, values)) if not issubclass(each, held)), None)
        if wrong is not None:
            return f"{type(outcome).__name__} of {wrong.__name__}"
    return None


def _contents(outcome: Outcome) -> Iterator[tuple[object, tuple[type, ...]]]:
    """Give what an answer holds, with the types that this may have; no type is looked at but those that users meet."""
    match outcome:
        case Text(text):
            yield (text,), (str,)
        case Pieces(pieces):
            yield tuple(text for text, _ in pieces), (str,)
        case Chunks(chunks):
            yield chunks, (str, type(None))
        case Rendered(text, ids):
            yield (text,), (str,)
            yield ids or (), (int,)
        case Encoded(ids=ids, tokens=tokens):
            yield ids, (int,)
            yield tokens or (), (str,)
