"""The measurements of tokenizers as values, for every report alike."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_conformance.research.metrics.measures.vocabulary import vocabulary_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.research.metrics.counts import Failures, Read
    from tokenizer_conformance.research.metrics.groups import Group
    from tokenizer_conformance.research.metrics.measures.measure import Measure
    from tokenizer_conformance.research.metrics.measures.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Row:
    """A ``tokenizer`` as the implementation described by ``info`` cuts by it, under the ``name`` that reports use.

    The name is that of the tokenizer, with that of the implementation where there are several. ``vocabulary`` is what
    the file says about its ids.
    """

    name: str
    tokenizer: TokenizerFile
    info: ImplementationInfo
    vocabulary: Vocabulary


def rows_of(tokenizers: tuple[TokenizerFile, ...], implementations: tuple[ImplementationInfo, ...]) -> tuple[Row, ...]:
    """Return a row for every tokenizer with every implementation."""
    several = len(implementations) > 1
    rows = []
    for each in tokenizers:
        vocabulary = vocabulary_of(json.loads(Path(each.source.file).read_bytes()))
        rows += [
            Row(f"{each.source.name} by {info.name}" if several else each.source.name, each, info, vocabulary)
            for info in implementations
        ]
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class Measurement:
    """The ``value`` of a ``measure`` (its id) for a ``row`` in a ``group``, with its interval.

    ``other`` is what the row stands against: a second row, the base, or the language of reference. Where there is no
    value, or no interval, it is ``None``; ``missing`` says why there is no value.
    """

    measure: str
    row: str
    other: str
    group: Group
    value: float | None
    low: float | None = None
    high: float | None = None
    missing: str = ""


@dataclass(frozen=True, slots=True)
class RowResult:
    """What the row called ``name`` did not cut, and did not decode; ``gold_failures`` are words of ``--gold`` not cut.

    It is that ``tokenizer``, as that ``implementation``, of that ``version``, cuts by it. ``ranks`` are points of its
    tokens by frequency, (rank from 1, count); ``lengths`` the shares of tokens by their length in characters.
    """

    name: str
    tokenizer: str
    implementation: str
    version: str
    failures: Failures
    decoding: Failures
    gold_failures: Failures
    ranks: tuple[tuple[int, int], ...] = ()
    lengths: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Results:
    """All that was measured, as far as it came: ``partial`` where that is not the whole corpus.

    ``measures`` are those that were asked for, in the order of the catalogue. ``groups`` have how much text each is.
    ``differences`` say by how much a measure of texts is higher for a row than for the base, which is its ``other``.
    """

    measures: tuple[Measure[object], ...]
    rows: tuple[RowResult, ...]
    groups: tuple[tuple[Group, Read], ...]
    measurements: tuple[Measurement, ...]
    differences: tuple[Measurement, ...] = ()
    partial: bool = False

    def of(self, measure: str, group: Group | None = None) -> Iterator[Measurement]:
        """Yield the measurements of ``measure``, in one ``group`` where one is given."""
        return (
            each for each in self.measurements if each.measure == measure and (group is None or each.group == group)
        )

    def groups_by(self, by: str) -> tuple[Group, ...]:
        """Return the groups that are told apart by that, in their order."""
        return tuple(group for group, _ in self.groups if group.by == by)
