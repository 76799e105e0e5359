"""Counting texts: each text is cut by every tokenizer, and its result is added to the tallies."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from tokenizer_adapters.contract import BrokeProtocol, Crashed, Failed, Pieces, PreTokenize, TimedOut, Unsupported
from tokenizer_conformance.command_io.internal_error import in_short
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.comparison.offset_units import MisplacedSpan, spans_to_code_points
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.research.metrics.counts import Bad, Counts, Failure
from tokenizer_conformance.research.metrics.groups import ALL_TEXTS
from tokenizer_conformance.research.metrics.measures.columns import Texts, Tokens, pair_rows
from tokenizer_conformance.research.metrics.measures.words import DEFINITION_BY_ID, WORD_DEFINITIONS
from tokenizer_conformance.research.metrics.tasks import PARTITION_BYTES
from tokenizer_conformance.research.metrics.texts import Reading
from tokenizer_conformance.research.segmentation.columns import answers, cut_texts
from tokenizer_conformance.research.segmentation.segmenter import segmenter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from tokenizer_adapters.contract import Outcome, Span, TokenizerSource, WithoutValue
    from tokenizer_adapters.selection import Selected
    from tokenizer_conformance.research.metrics.counts import Answer
    from tokenizer_conformance.research.metrics.groups import Group
    from tokenizer_conformance.research.metrics.measures.columns import Words
    from tokenizer_conformance.research.metrics.tasks import MeasuredText, Task
    from tokenizer_conformance.research.metrics.tasks import Texts as CorpusTexts
    from tokenizer_conformance.research.segmentation.segmenter import Segmenter

TEXTS_AT_ONCE = 1_024
CHARACTERS_AT_ONCE = 100_000
"""With so many texts or characters a batch is complete: its columns are in memory."""

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
    """How texts are counted: what a word is, whether texts are decoded again, and what else is looked at."""

    words: str = WORD_DEFINITIONS[0].id
    round_trip: bool = True
    spans: bool = True
    pairs: bool = True


class Measurer:
    """Measures texts with ``segmenters``, by the numbers of their rows; ``unknown_ids`` are those of all rows."""

    def __init__(
        self, segmenters: Mapping[int, Segmenter], unknown_ids: Sequence[frozenset[int]], counting: Counting
    ) -> None:
        self._segmenters = dict(segmenters)
        self._unknown_ids = tuple(unknown_ids)
        self._counting = counting
        definition = DEFINITION_BY_ID[counting.words]
        self._own_words = definition.find is None
        # Two tokenizers are compared on the same words, whatever each one's own are.
        self._definition = WORD_DEFINITIONS[0] if self._own_words else definition

    def measure(self, texts: Iterable[MeasuredText]) -> Counts:
        """Return the outcome of ``texts``."""
        counts = Counts(self._unknown_ids)
        for batch in _batches(texts):
            self._add(batch, counts)
            read = counts.read_of(ALL_TEXTS).bytes
            if read > 2 * PARTITION_BYTES:
                STATUS.at(f"{read / 1e6:,.1f} MB of a long line")
        for tally in counts.tallies.values():
            tally.ids.counts  # noqa: B018 - ids that wait are counted now, which makes the tally small
        return counts

    def answer(self, task: Task, texts: CorpusTexts) -> Answer:
        """Return the outcome of ``task``, whose texts are read from ``texts``."""
        if task.bad:
            return Bad(task.source, task.bad)
        reading = Reading()
        try:
            counts = self.measure(texts.of(task, reading))
        except BadInputError as error:
            return Bad(task.source, str(error))
        if reading != Reading():
            counts.readings[task.source] = reading
        return counts

    def _add(self, batch: Sequence[MeasuredText], counts: Counts) -> None:
        texts = Texts([each.number for each in batch], [each.text for each in batch])
        words = self._words(texts)
        groups = _groups(batch)
        for group, which in groups.items():
            counts.read_of(group).add_texts(texts, which)
        tokens = {row: self._tokens(row, batch, texts, words, groups, counts) for row in self._segmenters}
        if not (self._counting.pairs and self._counting.spans):
            return
        for first, second in combinations(tokens, 2):
            counted, rows = pair_rows(words, tokens[first], tokens[second])
            both = tokens[first].is_cut & tokens[second].is_cut
            for group, which in groups.items():
                if both[which].any():
                    counts.pair(first, second, group).add_texts(texts, rows, which[counted[which]])

    def _words(self, texts: Texts) -> Words:
        if self._definition is WORD_DEFINITIONS[0]:
            return texts.words_by_white_space()
        return texts.words_at(map(self._definition.find or _no_words, texts.texts))

    # One row

    def _tokens(
        self,
        row: int,
        batch: Sequence[MeasuredText],
        texts: Texts,
        words: Words,
        groups: Mapping[Group, NDArray[np.int64]],
        counts: Counts,
    ) -> Tokens:
        """Return how ``row`` cuts the ``batch``, and count it."""
        segmenter = self._segmenters[row]
        cut = cut_texts(segmenter, texts.texts, spans=self._counting.spans, decoded=self._counting.round_trip)
        failures = dict(cut.failures)
        if self._own_words:
            own = self._own(segmenter, texts, failures)
            failures |= {index: each for index, each in enumerate(own) if not isinstance(each, tuple)}
            words = texts.words_at(each if isinstance(each, tuple) else () for each in own)
        is_cut = np.ones(len(texts), np.bool_)
        is_cut[list(failures)] = False
        for index in sorted(failures):
            counts.failures[row].add(failure_of(batch[index].id, failures[index]))
        for index, back in enumerate(cut.decoded):
            if back is not None and not isinstance(back, str) and is_cut[index]:
                counts.decoding[row].add(failure_of(batch[index].id, back))
        decoded = [back if isinstance(back, str) else None for back in cut.decoded]
        spans = (cut.starts, cut.ends)
        tokens = Tokens(texts, cut.counts, cut.ids, spans, is_cut, is_cut & cut.is_shown, decoded)
        rows = tokens.rows(words, self._unknown_ids[row])
        for group, which in groups.items():
            counted = which[is_cut[which]]
            if len(counted):
                counts.tally(row, group).add_texts(tokens, rows, counted)
        return tokens

    def _own(
        self, segmenter: Segmenter, texts: Texts, failures: Mapping[int, WithoutValue]
    ) -> list[tuple[Span, ...] | WithoutValue]:
        """Return the pre-tokens of each text that was cut."""
        asked = [None if index in failures else PreTokenize(text) for index, text in enumerate(texts.texts)]
        return [
            () if outcome is None else _pre_tokens(outcome, text, segmenter)
            for text, outcome in zip(texts.texts, answers(segmenter, asked), strict=True)
        ]


def _no_words(_text: str) -> tuple[Span, ...]:
    return ()


def _groups(batch: Sequence[MeasuredText]) -> dict[Group, NDArray[np.int64]]:
    """Return the indices of the texts of each group."""
    found: dict[Group, list[int]] = {}
    for index, each in enumerate(batch):
        for group in each.groups:
            found.setdefault(group, []).append(index)
    return {group: np.array(which) for group, which in found.items()}


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


def _batches(texts: Iterable[MeasuredText]) -> Iterator[list[MeasuredText]]:
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
    """What a process measures: ``rows`` by their numbers, each a tokenizer with who cuts by it, on these ``texts``.

    ``unknown_ids`` are those of all rows.
    """

    rows: Mapping[int, tuple[Selected, TokenizerSource]]
    unknown_ids: tuple[frozenset[int], ...]
    counting: Counting
    texts: CorpusTexts


@dataclass(frozen=True, slots=True)
class Broken:
    """A task was not measured, for a bug here or in an adapter."""

    reason: str


def begin(setup: Setup) -> Callable[[Task], Answer | Broken]:
    """Return what measures tasks, in a process of its own: tokenizers are loaded once."""
    # What a tokenizer needs of a temporary folder stays until this process ends.
    stack = ExitStack()
    built = {selected.word: selected.build() for selected, _ in setup.rows.values()}
    segmenters = {
        number: stack.enter_context(segmenter(built[selected.word], source))
        for number, (selected, source) in setup.rows.items()
    }
    measurer = Measurer(segmenters, setup.unknown_ids, setup.counting)

    def measured(task: Task) -> Answer | Broken:
        try:
            return measurer.answer(task, setup.texts)
        except Exception as error:  # noqa: BLE001 - it ends the command in good order
            return Broken(in_short(error))

    return measured
