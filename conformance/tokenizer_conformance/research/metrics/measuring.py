"""Counting a chunk of texts: each text is cut by every tokenizer, and its result is added to the tallies."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    BrokeProtocol,
    Crashed,
    Decode,
    Failed,
    Pieces,
    PreTokenize,
    Text,
    TimedOut,
    Unsupported,
)
from tokenizer_conformance.command_io.internal_error import in_short
from tokenizer_conformance.comparison.offset_units import MisplacedSpan, spans_to_code_points
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.research.metrics.counts import Counts, Failure
from tokenizer_conformance.research.metrics.measures.sample import Cut, Sample
from tokenizer_conformance.research.metrics.measures.words import DEFINITION_BY_ID, WORD_DEFINITIONS
from tokenizer_conformance.research.segmentation.segmented import Segmented
from tokenizer_conformance.research.segmentation.segmenter import segmenter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import Observation, Outcome, Span, TokenizerSource, WithoutValue
    from tokenizer_adapters.selection import Selected
    from tokenizer_conformance.research.metrics.chunks import Chunk, MeasuredText
    from tokenizer_conformance.research.segmentation.segmenter import Segmenter

TEXTS_AT_ONCE = 64
CHARACTERS_AT_ONCE = 10_000
"""With so many texts or characters a batch is complete: all answers about it are in memory."""

KINDS: dict[type, str] = {
    Failed: "error",
    Crashed: "crash",
    TimedOut: "timeout",
    BrokeProtocol: "protocol",
    Unsupported: "unsupported",
}
"""What is counted that is no answer."""


@dataclass(frozen=True, slots=True)
class Counting:
    """How texts are counted: what a word is, and whether texts are decoded again."""

    words: str = WORD_DEFINITIONS[0].id
    round_trip: bool = True


class Measurer:
    """Measures chunks with ``segmenters``, by the numbers of their rows; ``unknown_ids`` are those of all rows."""

    def __init__(
        self, segmenters: Mapping[int, Segmenter], unknown_ids: Sequence[frozenset[int]], counting: Counting
    ) -> None:
        self._segmenters = dict(segmenters)
        self._unknown_ids = tuple(unknown_ids)
        self._counting = counting
        definition = DEFINITION_BY_ID[counting.words]
        self._own_words = definition.find is None
        # Two tokenizers are compared on the same words, whatever each one's own are.
        self._find = definition.find or WORD_DEFINITIONS[0].find

    def measure(self, chunk: Chunk) -> Counts:
        """Return the outcome of the texts of ``chunk``."""
        counts = Counts(self._unknown_ids)
        for batch in _batches(chunk.texts):
            self._add(batch, counts)
        for tally in counts.tallies.values():
            tally.ids.counts  # noqa: B018 - ids that wait are counted now, which makes the tally small
        return counts

    def _add(self, batch: Sequence[MeasuredText], counts: Counts) -> None:
        samples = [Sample(each.number, each.text, self._words(each.text)) for each in batch]
        for each in batch:
            for group in each.groups:
                counts.read_of(group).add(each.text)
        cuts = {row: self._cuts(row, batch, samples, counts) for row in self._segmenters}
        for first, second in combinations(cuts, 2):
            for each, one, other in zip(batch, cuts[first], cuts[second], strict=True):
                if one is not None and other is not None:
                    for group in each.groups:
                        counts.pair(first, second, group).add(one, other)

    def _words(self, text: str) -> tuple[Span, ...]:
        return () if self._find is None else self._find(text)

    # One row

    def _cuts(
        self, row: int, batch: Sequence[MeasuredText], samples: Sequence[Sample], counts: Counts
    ) -> list[Cut | None]:
        """Return how ``row`` cuts the ``batch``, and count it; ``None`` for each text that it does not cut."""
        segmenter = self._segmenters[row]
        segmented = [checked(each) for each in segmenter.segment([each.text for each in batch])]
        decoded = self._decoded(segmenter, segmented)
        own = self._own(segmenter, batch, segmented)
        cuts: list[Cut | None] = []
        for index, (text, sample, answer) in enumerate(zip(batch, samples, segmented, strict=True)):
            words = own[index]
            failure = answer if not isinstance(answer, Segmented) else words if not isinstance(words, tuple) else None
            if failure is not None or not isinstance(answer, Segmented):
                counts.failures[row].add(failure_of(text.id, failure))
                cuts.append(None)
                continue
            back = decoded[index]
            if back is not None and not isinstance(back, str):
                counts.decoding[row].add(failure_of(text.id, back))
            cut = Cut(sample, answer, back if isinstance(back, str) else None)
            counted = cut if not self._own_words else Cut(_with_words(sample, words), answer, cut.decoded)
            for group in text.groups:
                counts.tally(row, group).add(counted)
            cuts.append(cut)
        return cuts

    def _decoded(
        self, segmenter: Segmenter, segmented: Sequence[Segmented | WithoutValue]
    ) -> list[str | WithoutValue | None]:
        """Return what becomes of the ids of each text that was cut, ``None`` where that is not asked."""
        if not self._counting.round_trip:
            return [None] * len(segmented)
        # Special tokens that stand in a text belong to it; who cannot but leave them out is asked for the rest.
        ids = [each.ids if isinstance(each, Segmented) else None for each in segmented]
        outcomes = list(_answers(segmenter, [_decode(each, skip=False) for each in ids]))
        if any(isinstance(outcome, Unsupported) for outcome in outcomes):
            outcomes = list(_answers(segmenter, [_decode(each, skip=True) for each in ids]))
        return [outcome.text if isinstance(outcome, Text) else outcome for outcome in outcomes]  # type: ignore[misc]

    def _own(
        self, segmenter: Segmenter, batch: Sequence[MeasuredText], segmented: Sequence[Segmented | WithoutValue]
    ) -> list[tuple[Span, ...] | WithoutValue]:
        """Return the pre-tokens of each text that was cut, where these are the words."""
        if not self._own_words:
            return [()] * len(batch)
        asked = [
            PreTokenize(text.text) if isinstance(each, Segmented) else None
            for text, each in zip(batch, segmented, strict=True)
        ]
        return [
            () if outcome is None else _pre_tokens(outcome, text.text, segmenter)
            for text, outcome in zip(batch, _answers(segmenter, asked), strict=True)
        ]


def _decode(ids: tuple[int, ...] | None, *, skip: bool) -> Decode | None:
    return None if ids is None else Decode(ids, skip_special_tokens=skip)


def _answers(segmenter: Segmenter, questions: Sequence[Observation | None]) -> Iterator[Outcome | None]:
    if segmenter.asked.takes_batches:
        segmenter.asked.ask_ahead([question for question in questions if question is not None])
    return (None if question is None else segmenter.asked.ask(question) for question in questions)


def checked(answer: Segmented | WithoutValue) -> Segmented | WithoutValue:
    """Return ``answer``, or a failure where it has not one token or span for each id."""
    if not isinstance(answer, Segmented):
        return answer
    for what, column in (("tokens", answer.tokens), ("offsets", answer.spans)):
        if column is not None and len(column) != len(answer.ids):
            return Failed("WrongLength", f"{len(column)} {what} for {len(answer.ids)} ids")
    return answer


def _pre_tokens(outcome: Outcome, text: str, segmenter: Segmenter) -> tuple[Span, ...] | WithoutValue:
    """Return the spans of pre-tokens, or what came in place of them."""
    if not isinstance(outcome, Pieces):
        return outcome  # type: ignore[return-value]  # no other value answers PreTokenize
    spans = [span for _, span in outcome.pieces]
    if any(span is None for span in spans):
        return Unsupported("the places of pre-tokens are not shown")
    converted = spans_to_code_points(
        ((span, text) for span in spans if span is not None), segmenter.asked.info.offset_unit
    )
    if isinstance(converted, MisplacedSpan):
        return Failed("MisplacedSpan", f"the offsets of pre-token {converted.index} are no place in the text")
    return tuple(sorted(span for span in converted.spans if 0 <= span[0] < span[1] <= len(text)))


def _with_words(sample: Sample, words: tuple[Span, ...] | WithoutValue) -> Sample:
    return Sample(sample.number, sample.text, words if isinstance(words, tuple) else ())


def failure_of(id_: str, outcome: object) -> Failure:
    """Return the failure that ``outcome``, which is no segmentation, is of the text ``id_``."""
    return Failure(id_, KINDS.get(type(outcome), "error"), one_line(_in_words(outcome), 200))


def _in_words(outcome: object) -> str:
    match outcome:
        case Failed(kind, message):
            return f"{kind}: {message}"
        case Crashed(detail) | BrokeProtocol(detail):
            return detail
        case TimedOut(seconds):
            return f"no answer within {seconds:g} s"
        case Unsupported(reason):
            return reason
    return f"the adapter answered with {type(outcome).__name__}"


def _batches(texts: Sequence[MeasuredText]) -> Iterator[list[MeasuredText]]:
    batch: list[MeasuredText] = []
    characters = 0
    for each in texts:
        batch.append(each)
        characters += len(each.text)
        if len(batch) >= TEXTS_AT_ONCE or characters >= CHARACTERS_AT_ONCE:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


@dataclass(frozen=True, slots=True)
class Setup:
    """What a process measures: ``rows`` by their numbers, each a tokenizer with who cuts by it.

    ``unknown_ids`` are those of all rows.
    """

    rows: Mapping[int, tuple[Selected, TokenizerSource]]
    unknown_ids: tuple[frozenset[int], ...]
    counting: Counting


@dataclass(frozen=True, slots=True)
class Broken:
    """A chunk was not measured, for a bug here or in an adapter."""

    reason: str


def begin(setup: Setup) -> Callable[[Chunk], Counts | Broken]:
    """Return what measures chunks."""
    # What a tokenizer needs of a temporary folder stays until this process ends.
    stack = ExitStack()
    built = {selected.word: selected.build() for selected, _ in setup.rows.values()}
    segmenters = {
        number: stack.enter_context(segmenter(built[selected.word], source))
        for number, (selected, source) in setup.rows.items()
    }
    measurer = Measurer(segmenters, setup.unknown_ids, setup.counting)

    def measured(chunk: Chunk) -> Counts | Broken:
        try:
            return measurer.measure(chunk)
        except Exception as error:  # noqa: BLE001 - it ends the command in good order
            return Broken(in_short(error))

    return measured
