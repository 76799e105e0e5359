"""Which entries of a ledger a run shows to be stale (:mod:`tokenizer_conformance.ledger.staleness` has the rule)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from tokenizer_adapters.contract import PIPELINE_STAGES, Field
from tokenizer_adapters.environments.words import known_as
from tokenizer_conformance.comparison.differences import compared_fields
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.ledger.entry import VOCABULARY
from tokenizer_conformance.ledger.matching import Ledger
from tokenizer_conformance.ledger.staleness import Compared, Scope, Texts
from tokenizer_conformance.validation.running.events import EntriesInPlay

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import Stage
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.results.records.run import Result, ResultStage
    from tokenizer_conformance.validation.running.events import RunStarted, TokenizerFinished
    from tokenizer_conformance.validation.running.plan import RunPlan


def stale_entries(plan: RunPlan, done: Sequence[TokenizerFinished]) -> tuple[Entry, ...]:
    """Return the entries of the plan's ledger that had a full chance on the tokenizers ``done``, and were not met.

    The run came to its own end. Raises :class:`~tokenizer_conformance.errors.BadInputError` where a file of inputs can
    no longer be read.
    """
    started = _Terms.of(plan)
    matched = frozenset(entry for each in done for entry in each.matched)
    compared = tuple(_compared(started, done))
    names = {each.implementation for each in compared}
    unmet = [entry for entry in plan.ledger.entries if entry not in matched and entry.implementation in names]
    if not unmet:
        return ()
    return plan.ledger.stale(Scope(matched, compared, started.is_whole, _texts(plan, unmet)))


def entries_in_play(plan: RunPlan) -> EntriesInPlay:
    """Return the entries of the plan's ledger that the whole run, of which this is a part, may show to be stale."""
    names = {known_as(implementation.info.name) for implementation in plan.implementations}
    entries = tuple(entry for entry in plan.ledger.entries if entry.implementation in names)
    texts = _texts(plan, entries) if entries else Texts()
    return EntriesInPlay(entries, frozenset(entry for entry in entries if texts.gave_a_chance_to(entry)))


def stale_of_parts(started: RunStarted, in_play: EntriesInPlay, done: Sequence[TokenizerFinished]) -> tuple[Entry, ...]:
    """Return what :func:`stale_entries` would have returned for the whole run; ``done`` is the result of its parts."""
    terms = _Terms.told(started)
    scope = Scope(
        matched=frozenset(entry for each in done for entry in each.matched),
        compared=tuple(_compared(terms, done)),
        whole=terms.is_whole,
        texts=None,
    )
    return Ledger([entry for entry in in_play.entries if entry in in_play.reachable]).stale(scope)


@dataclass(frozen=True, slots=True)
class _Terms:
    """What was to be compared: which stages and fields, and with which baseline; ``versions`` by implementation."""

    versions: Mapping[str, str]
    baseline: str
    stages: tuple[Stage, ...]
    fields: frozenset[Field]

    @classmethod
    def of(cls, plan: RunPlan) -> Self:
        versions = {each.info.name: each.info.version for each in plan.implementations}
        return cls(versions, plan.baseline, plan.observed_stages(), plan.fields)

    @classmethod
    def told(cls, started: RunStarted) -> Self:
        versions = {info.name: info.version for info in started.implementations}
        return cls(versions, started.baseline, started.stages, frozenset(started.fields))

    @property
    def is_whole(self) -> bool:
        return self.stages == PIPELINE_STAGES and self.fields == frozenset(Field)


def _compared(terms: _Terms, done: Iterable[TokenizerFinished]) -> Iterator[Compared]:
    versions = terms.versions
    asked = {stage: compared_fields(stage, terms.fields) for stage in terms.stages}
    for each in done:
        for row in each.results:
            is_compared = each.complete and each.baseline_load_error is None and row.load_error is None
            if is_compared and not row.has(Verdict.UNSTABLE):
                yield Compared(
                    implementation=row.implementation,
                    version=versions[row.implementation],
                    tokenizer=each.tokenizer,
                    asked={stage: frozenset(fields) for stage, fields in asked.items()},
                    shown={stage: _shown(fields, row.stages[stage]) for stage, fields in asked.items()}
                    | ({VOCABULARY: frozenset({"document"})} if _is_steady(row) else {}),
                    baseline=terms.baseline,
                    baseline_version=versions[terms.baseline],
                )


def _is_steady(row: Result) -> bool:
    """Return whether the vocabulary was compared, and is the same when asked for again."""
    return row.vocabulary is not None and row.vocabulary.is_told


def _shown(fields: Iterable[Field], count: ResultStage) -> frozenset[str]:
    """Return those of ``fields`` that every answer had; none where nothing was compared."""
    return frozenset(field for field in fields if count.compared and not count.unsupported_fields.get(field))


def _texts(plan: RunPlan, entries: Sequence[Entry]) -> Texts:
    """Return what was asked about; of texts, those that ``entries`` name."""
    wanted = {text for entry in entries for text in (entry.text, entry.pair)}
    ids, texts, pairs = set(), set(), set()
    for each in plan.corpus:
        ids.add(each.input.id)
        texts.update({each.input.text} & wanted)
        pairs.update({each.following.text} & wanted)
    return Texts(frozenset(ids), frozenset(texts), frozenset(pairs), frozenset(each.id for each in builtin_inputs()))
