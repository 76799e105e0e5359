"""What is to be measured."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.pools import Engine
from tokenizer_conformance.defaults import RENYI_ALPHA
from tokenizer_conformance.research.metrics.measures.catalogue import MEASURES
from tokenizer_conformance.research.metrics.measures.intervals import Resampling
from tokenizer_conformance.research.metrics.measures.measure import Needs, Scope
from tokenizer_conformance.research.metrics.measures.text_measures import COUNTS
from tokenizer_conformance.research.metrics.measuring import Counting

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tokenizer_adapters.contract import Implementation
    from tokenizer_adapters.selection import Selected
    from tokenizer_conformance.command_io.shard import Shard
    from tokenizer_conformance.rejected import Rejected
    from tokenizer_conformance.research.metrics.counts import Counted
    from tokenizer_conformance.research.metrics.groups import By
    from tokenizer_conformance.research.metrics.measures.measure import Measure
    from tokenizer_conformance.research.metrics.measures.morphemes import SegmentedWord
    from tokenizer_conformance.research.metrics.results import Row
    from tokenizer_conformance.research.metrics.tasks import MeasuredCorpus
    from tokenizer_conformance.research.metrics.texts import SourceTexts


@dataclass(frozen=True, slots=True)
class Estimating:
    """What is computed of counts, and how.

    ``chosen`` are ids of measures, empty for all. ``base`` is the name of the row that the others stand against, and
    ``base_language`` the language that the others do; empty where there is none. ``alpha`` is the order for Rényi.
    """

    chosen: tuple[str, ...] = ()
    base: str = ""
    base_language: str = ""
    alpha: float = RENYI_ALPHA
    resampling: Resampling = field(default_factory=Resampling)

    @property
    def measures(self) -> tuple[Measure[object], ...]:
        """The measures that are computed, in the order of the catalogue: how much was counted is always told."""
        wanted = {*self.chosen, *(each.id for each in COUNTS)}
        return tuple(each for each in MEASURES if not self.chosen or each.id in wanted)

    @property
    def scopes(self) -> frozenset[Scope]:
        """The scopes of these measures."""
        return frozenset(each.scope for each in self.measures)


def counting_for(how: Estimating, words: str, *, round_trip: bool) -> Counting:
    """Return how texts are counted: nothing is asked about them that none of the measures needs."""
    needs = frozenset[Needs]().union(*(each.needs for each in how.measures if each.scope is not Scope.MORPHEMES))
    return Counting(
        words,
        round_trip=round_trip and Needs.DECODED in needs,
        spans=Needs.SPANS in needs,
        pairs=Scope.PAIR in how.scopes,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ToEstimate:
    """What has to be known beside counts for results: see :class:`MetricsPlan`."""

    rows: tuple[Row, ...]
    estimating: Estimating
    parallel: bool = False
    round_trip: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricsPlan:
    """Measuring ``rows`` on ``corpus``, the texts of ``sources``, in groups told apart ``by`` these.

    ``implementations`` and ``selected`` are who cuts texts, by name: the former in this process, the latter in each of
    several ``jobs`` of the ``engine``. With ``parallel`` the n-th texts of all sources say the same. Of a ``shard``,
    the corpus is that part. ``gold`` are words with their morphemes. A checkpoint is written to ``checkpoint_file``
    every ``checkpoint_seconds``; ``resumed`` is what was counted before. ``refusals`` and ``unavailable`` are of what
    cannot be used.
    """

    rows: tuple[Row, ...]
    implementations: Mapping[str, Implementation]
    selected: Mapping[str, Selected]
    sources: tuple[SourceTexts, ...]
    corpus: MeasuredCorpus
    estimating: Estimating
    by: tuple[By, ...] = ()
    parallel: bool = False
    shard: Shard | None = None
    longest: int = 0
    gold: tuple[SegmentedWord, ...] = ()
    counting: Counting = field(default_factory=Counting)
    jobs: int = 1
    engine: Engine = Engine.LOCAL
    checkpoint_file: Path | None = None
    checkpoint_seconds: float = 30.0
    resumed: Counted | None = None
    refusals: tuple[Rejected, ...] = ()
    unavailable: tuple[Rejected, ...] = ()
    command: tuple[str, ...] = ()

    @property
    def to_estimate(self) -> ToEstimate:
        """What results are made of, beside counts."""
        return ToEstimate(
            rows=self.rows, estimating=self.estimating, parallel=self.parallel, round_trip=self.counting.round_trip
        )
