"""How a tokenizer cuts many texts, in columns: arrays instead of an object for each token.

Where an implementation gives columns itself they are taken as they are. All others are asked text by text
(:meth:`.Segmenter.segment`), which is the definition; so are texts of which one is not cut.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from tokenizer_adapters.contract import Decode, Failed, OffsetUnit, Text, Unsupported
from tokenizer_conformance.research.segmentation.segmented import Segmented

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from tokenizer_adapters.contract import EncodedColumns, Observation, Outcome, WithoutValue
    from tokenizer_conformance.research.segmentation.segmenter import Segmenter

TEXTS_AT_ONCE = 64
CHARACTERS_AT_ONCE = 10_000
"""With so many texts or characters no more are asked about at once, where there is an object for each token."""


@dataclass(frozen=True, slots=True)
class CutTexts:
    """Texts as they are cut: the ``counts`` of their tokens, and the ``ids`` of all tokens, text after text.

    ``starts`` and ``ends`` say which characters of its text each token stands for; ``is_shown`` says of which texts
    they are known, and for others they are 0. ``failures`` are those of texts that are not cut, by their indices.
    ``decoded`` is what became of the ids of each text, ``None`` where that was not asked for.
    """

    counts: NDArray[np.int64]
    ids: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    is_shown: NDArray[np.bool_]
    decoded: Sequence[str | WithoutValue | None]
    failures: dict[int, WithoutValue]


def cut_texts(segmenter: Segmenter, texts: Sequence[str], *, spans: bool, decoded: bool) -> CutTexts:
    """Return how ``texts`` are cut, with their ``spans``, and ``decoded`` again, where these are wanted."""
    if segmenter.asked.info.offset_unit is OffsetUnit.CODE_POINTS:
        columns = segmenter.asked.columns(texts, offsets=spans, decoded=decoded)
        found = None if columns is None else _taken(columns, texts)
        if found is not None:
            return found
    return _asked(segmenter, texts, spans=spans, decoded=decoded)


def _taken(columns: EncodedColumns, texts: Sequence[str]) -> CutTexts | None:
    """Return the ``columns``, ``None`` where they do not fit together, or an offset is no place in its text."""
    counts, ids = (np.asarray(each, np.int64) for each in (columns.counts, columns.ids))
    if len(counts) != len(texts) or counts.sum() != len(ids):
        return None
    starts = ends = np.zeros(len(ids), np.int64)
    if columns.offsets is not None:
        offsets = np.asarray(columns.offsets, np.int64)
        if len(offsets) != 2 * len(ids):
            return None
        starts, ends = offsets[::2], offsets[1::2]
        lengths = np.repeat(np.fromiter(map(len, texts), np.int64, len(texts)), counts)
        if (starts < 0).any() or (starts > ends).any() or (ends > lengths).any():
            return None
    is_shown = np.full(len(texts), columns.offsets is not None)
    return CutTexts(counts, ids, starts, ends, is_shown, columns.texts or [None] * len(texts), {})


def _asked(segmenter: Segmenter, texts: Sequence[str], *, spans: bool, decoded: bool) -> CutTexts:
    segmented: list[Segmented | WithoutValue] = []
    outcomes: list[str | WithoutValue | None] = []
    for batch in _batches(texts):
        answers = [checked(each) for each in segmenter.segment(batch)]
        segmented += answers
        outcomes += _decoded(segmenter, answers) if decoded else [None] * len(batch)
    cut = [each if isinstance(each, Segmented) else _NOTHING for each in segmented]
    failures = {index: each for index, each in enumerate(segmented) if not isinstance(each, Segmented)}
    given = [each.spans if spans and each.spans is not None else ((0, 0),) * len(each.ids) for each in cut]
    places = np.fromiter(chain.from_iterable(chain.from_iterable(given)), np.int64)
    return CutTexts(
        np.fromiter((len(each.ids) for each in cut), np.int64, len(cut)),
        np.fromiter(chain.from_iterable(each.ids for each in cut), np.int64),
        places[::2],
        places[1::2],
        np.fromiter((spans and each.spans is not None for each in cut), np.bool_, len(cut)),
        outcomes,
        failures,
    )


_NOTHING = Segmented("", ())


def checked(answer: Segmented | WithoutValue) -> Segmented | WithoutValue:
    """Return ``answer``, or a failure where it has not one token or span for each id."""
    if not isinstance(answer, Segmented):
        return answer
    for what, column in (("tokens", answer.tokens), ("offsets", answer.spans)):
        if column is not None and len(column) != len(answer.ids):
            return Failed("WrongLength", f"{len(column)} {what} for {len(answer.ids)} ids")
    return answer


def _decoded(segmenter: Segmenter, segmented: Sequence[Segmented | WithoutValue]) -> list[str | WithoutValue | None]:
    """Return what becomes of the ids of each text that was cut.

    Special tokens that stand in a text belong to it; who cannot but leave them out is asked for the rest.
    """
    questions = [
        Decode(each.ids, skip_special_tokens=False) if isinstance(each, Segmented) else None for each in segmented
    ]
    outcomes = list(answers(segmenter, questions))
    again = [
        replace(question, skip_special_tokens=True)
        if question is not None and isinstance(outcome, Unsupported)
        else None
        for question, outcome in zip(questions, outcomes, strict=True)
    ]
    if any(again):
        outcomes = [second or first for first, second in zip(outcomes, answers(segmenter, again), strict=True)]
    return [outcome.text if isinstance(outcome, Text) else outcome for outcome in outcomes]  # type: ignore[misc]


def answers(segmenter: Segmenter, questions: Sequence[Observation | None]) -> Iterator[Outcome | None]:
    """Yield the answer to each question that there is, all asked at once where that is faster."""
    if segmenter.asked.takes_batches:
        segmenter.asked.ask_ahead([question for question in questions if question is not None])
    return (None if question is None else segmenter.asked.ask(question) for question in questions)


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    characters = 0
    for each in texts:
        batch.append(each)
        characters += len(each)
        if len(batch) >= TEXTS_AT_ONCE or characters >= CHARACTERS_AT_ONCE:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch
