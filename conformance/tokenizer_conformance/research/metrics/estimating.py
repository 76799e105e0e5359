"""From counts to results: every measure of every row, in every group, with its interval."""

from __future__ import annotations

from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.research.metrics.counts import Failures
from tokenizer_conformance.research.metrics.groups import ALL_TEXTS, By, Group
from tokenizer_conformance.research.metrics.measures import estimates
from tokenizer_conformance.research.metrics.measures.catalogue import MEASURE_BY_ID
from tokenizer_conformance.research.metrics.measures.measure import Needs, Scope
from tokenizer_conformance.research.metrics.measures.subjects import Distribution
from tokenizer_conformance.research.metrics.measures.sums import Sums
from tokenizer_conformance.research.metrics.measures.tally import Totals
from tokenizer_conformance.research.metrics.results import Measurement, Results, RowResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tokenizer_conformance.research.metrics.counts import Counts
    from tokenizer_conformance.research.metrics.gold import GoldCut
    from tokenizer_conformance.research.metrics.measures.estimates import Estimate
    from tokenizer_conformance.research.metrics.measures.tally import Tally
    from tokenizer_conformance.research.metrics.plan import ToEstimate

MOST_RANKS = 200
"""How many points a curve of ranks and frequencies has at most, evenly spread over the logarithms of ranks."""

LONGEST_TOKEN = 20
"""Longer tokens are counted together with those of so many characters."""


def estimated(plan: ToEstimate, counts: Counts, gold: Mapping[int, GoldCut], *, partial: bool) -> Results:
    """Return the outcome of ``counts``, and the words with morphemes that are ``gold``, by row."""
    return _Estimation(plan, counts, gold).results(partial=partial)


class _Estimation:
    """The computing of one set of counts."""

    def __init__(self, plan: ToEstimate, counts: Counts, gold: Mapping[int, GoldCut]) -> None:
        self._plan = plan
        self._how = plan.estimating
        self._counts = counts
        self._gold = gold
        self._wanted = {each.id for each in self._how.measures}
        self._groups = sorted(counts.read, key=_place_of_group)
        self._rows = sorted({row for row, _ in counts.tallies})

    def results(self, *, partial: bool) -> Results:
        """Return all that is computed."""
        counts = self._counts
        return Results(
            measures=self._how.measures,
            rows=tuple(map(self._row, range(len(self._plan.rows)))),
            groups=tuple((group, counts.read[group]) for group in self._groups),
            measurements=tuple(self._measurements()),
            differences=tuple(self._differences()),
            partial=partial,
        )

    def _row(self, number: int) -> RowResult:
        gold, row = self._gold.get(number), self._plan.rows[number]
        return RowResult(
            row.name,
            row.tokenizer.source.name,
            row.info.name,
            row.info.version,
            self._counts.failures[number],
            self._counts.decoding[number],
            Failures() if gold is None else gold.failures,
            *self._curves(number),
        )

    def _measurements(self) -> Iterator[Measurement]:
        for scope, compute in self._scopes.items():
            if scope in self._how.scopes:
                STATUS.at(scope.value)
                yield from compute()

    @property
    def _scopes(self) -> dict[Scope, Callable[[], Iterator[Measurement]]]:
        return {
            Scope.TEXTS: self._of_texts,
            Scope.IDS: self._of_ids,
            Scope.BASE: self._of_base,
            Scope.REFERENCE_LANGUAGE: self._of_reference_language,
            Scope.LANGUAGES: self._of_languages,
            Scope.PAIR: self._of_pairs,
            Scope.MORPHEMES: self._of_morphemes,
            Scope.VOCABULARY: self._of_vocabulary,
            Scope.VOCABULARIES: self._of_vocabularies,
        }

    # One scope each

    def _tallies(self) -> Iterator[tuple[int, Group, Tally]]:
        """Yield the tallies, group by group."""
        for group in self._groups:
            for row in self._rows:
                if (row, group) in self._counts.tallies:
                    yield row, group, self._counts.tallies[row, group]

    def _of_texts(self) -> Iterator[Measurement]:
        for row, group, tally in self._tallies():
            yield from self._told(estimates.of_texts(tally, self._how.resampling), row, group, tally=tally)

    def _of_ids(self) -> Iterator[Measurement]:
        for row, group, tally in self._tallies():
            if tally.totals.tokens:
                found = estimates.of_ids(
                    tally, self._plan.rows[row].vocabulary, alpha=self._how.alpha, resampling=self._how.resampling
                )
                yield from self._told(found, row, group)

    def _of_base(self) -> Iterator[Measurement]:
        for row, group, tally, against in self._beside_base():
            found = estimates.of_base(tally, against, self._how.resampling)
            yield from self._told(
                found, row, group, other=self._how.base, missing=self._uneven((row, group), (self._base, group))
            )

    def _differences(self) -> Iterator[Measurement]:
        """Yield by how much measures of texts are higher for each row than for the base."""
        if Scope.TEXTS not in self._how.scopes:
            return
        for row, group, tally, against in self._beside_base():
            if row == self._base:
                continue
            found = estimates.differences_of_texts(tally, against, self._how.resampling)
            uneven = self._uneven((row, group), (self._base, group))
            for each in found:
                # What the base does not show is the reason for which there is no difference to it.
                missing = uneven or self._reason(each, self._base, against)
                yield from self._told([each], row, group, other=self._how.base, missing=missing, tally=tally)

    @cached_property
    def _base(self) -> int:
        """The number of the row that the others stand against; -1 where it is not measured."""
        names = [row.name for row in self._plan.rows]
        return names.index(self._how.base) if self._how.base in names else -1

    def _beside_base(self) -> Iterator[tuple[int, Group, Tally, Tally]]:
        """Yield the tallies, group by group, each with that of the base."""
        for row, group, tally in self._tallies():
            against = self._counts.tallies.get((self._base, group))
            if against is not None:
                yield row, group, tally, against

    def _of_reference_language(self) -> Iterator[Measurement]:
        reference = Group(By.LANGUAGE, self._how.base_language)
        for row, group, tally in self._tallies():
            against = self._counts.tallies.get((row, reference))
            if self._plan.parallel and group.by == By.LANGUAGE and against is not None:
                found = estimates.of_reference_language(tally, against, self._how.resampling)
                missing = self._uneven((row, group), (row, reference))
                yield from self._told(found, row, group, other=reference.name, missing=missing)

    def _of_languages(self) -> Iterator[Measurement]:
        languages = [group for group in self._groups if group.by == By.LANGUAGE]
        if not self._plan.parallel or len(languages) < 2:
            return
        for row in self._rows:
            tallies = [self._counts.tallies.get((row, group)) for group in languages]
            missing = next(filter(None, (self._uneven((row, group), (row, languages[0])) for group in languages)), "")
            given = [tally for tally in tallies if tally is not None]
            if len(given) == len(tallies):
                found = estimates.of_languages(given, self._how.resampling)
                yield from self._told(found, row, ALL_TEXTS, missing=missing)

    def _of_pairs(self) -> Iterator[Measurement]:
        for group in self._groups:
            for first, second in combinations(self._rows, 2):
                pair = self._counts.pairs.get((first, second, group))
                if pair is None:
                    continue
                found = estimates.of_pair(pair, self._how.resampling)
                missing = "" if pair.totals.texts else "not shown: no text has offsets of both"
                other = self._plan.rows[second].name
                yield from self._told(found, first, group, other=other, missing=missing)

    def _of_morphemes(self) -> Iterator[Measurement]:
        for row, cut in self._gold.items():
            missing = "" if cut.tally.totals.words else _without_words(cut)
            found = estimates.of_morphemes(cut.tally, self._how.resampling)
            yield from self._told(found, row, ALL_TEXTS, missing=missing)

    def _of_vocabulary(self) -> Iterator[Measurement]:
        for row in self._rows:
            yield from self._told(estimates.of_vocabulary(self._plan.rows[row].vocabulary), row, ALL_TEXTS)

    def _of_vocabularies(self) -> Iterator[Measurement]:
        for first, second in combinations(self._rows, 2):
            one, other = self._plan.rows[first], self._plan.rows[second]
            found = estimates.of_vocabularies(one.vocabulary, other.vocabulary)
            yield from self._told(found, first, ALL_TEXTS, other=other.name)

    # What all have in common

    def _told(
        self,
        found: Iterable[Estimate],
        row: int,
        group: Group,
        *,
        other: str = "",
        missing: str = "",
        tally: Tally | None = None,
    ) -> Iterator[Measurement]:
        """Yield those of the estimates that are wanted, with the reason where one has no value."""
        for each in found:
            if each.measure not in self._wanted:
                continue
            reason = missing or self._reason(each, row, tally)
            value = None if reason else each.value
            interval = None if reason else each.interval
            yield Measurement(
                each.measure,
                self._plan.rows[row].name,
                other,
                group,
                value,
                None if interval is None else interval.low,
                None if interval is None else interval.high,
                reason,
            )

    def _reason(self, estimate: Estimate, row: int, tally: Tally | None) -> str:
        """Return why there is no value, or none that means anything; empty where there is one."""
        needs = MEASURE_BY_ID[estimate.measure].needs
        if tally is not None:
            totals = tally.totals
            if Needs.SPANS in needs and totals.texts and not totals.cut_texts:
                return f"not shown: {self._plan.rows[row].info.name} gives no offsets"
            if Needs.DECODED in needs and totals.written_texts and not totals.decoded_texts:
                return self._not_decoded(row)
            if estimate.value is None and totals.texts and not totals.written_texts:
                return "all texts are blank"
        return "" if estimate.value is not None else "there is nothing to divide by"

    def _not_decoded(self, row: int) -> str:
        if not self._plan.round_trip:
            return "not asked"
        examples = self._counts.decoding[row].examples
        return f"not shown: {examples[0].message if examples else 'no text was decoded'}"

    def _uneven(self, first: tuple[int, Group], second: tuple[int, Group]) -> str:
        """Return why two tallies are not of the same texts, empty where they are: one text was not cut by both."""
        tallies = self._counts.tallies
        sums = [tallies[each].sums if each in tallies else Sums(Totals) for each in (first, second)]
        if sums[0].total.texts != sums[1].total.texts:
            return "some texts were cut on one side only"
        if (sums[0].units != sums[1].units).any():
            return "some texts are blank on one side only: take their lines out of all files"
        return ""

    # Curves

    def _curves(self, row: int) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, float], ...]]:
        tally = self._counts.tallies.get((row, ALL_TEXTS))
        if tally is None or not tally.totals.tokens:
            return (), ()
        distribution = Distribution.of(tally.ids, self._plan.rows[row].vocabulary, self._how.alpha)
        return _ranks(distribution), _lengths(distribution)


def _without_words(cut: GoldCut) -> str:
    """Return why no word of a gold segmentation is counted."""
    return "no word was cut" if cut.failures.total else "not shown: no word has offsets"


def _place_of_group(group: Group) -> tuple[str, str]:
    return group.by, group.name


def _ranks(distribution: Distribution) -> tuple[tuple[int, int], ...]:
    """Return points of the curve of ranks and frequencies, the first and the last among them."""
    counts: Sequence[float] = sorted(distribution.counts.tolist(), reverse=True)
    last = len(counts)
    steps = {round(last ** (step / (MOST_RANKS - 1))) for step in range(MOST_RANKS)}
    return tuple((rank, int(counts[rank - 1])) for rank in sorted(steps | {1, last}))


def _lengths(distribution: Distribution) -> tuple[tuple[int, float], ...]:
    """Return the share of tokens of each length in characters; those without bytes in the vocabulary count for none."""
    _, lengths = distribution.lengths
    shares: dict[int, float] = {}
    for length, count in zip(lengths.tolist(), distribution.counts.tolist(), strict=True):
        if length >= 0:
            shares[min(length, LONGEST_TOKEN)] = shares.get(min(length, LONGEST_TOKEN), 0.0) + count
    total = sum(shares.values())
    return tuple((length, shares[length] / total) for length in sorted(shares)) if total else ()
