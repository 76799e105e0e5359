"""Which entries of a ledger a run shows to be stale (:mod:`tokenizer_conformance.ledger.standing` has the rule)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Field
from tokenizer_conformance.comparing.blame import STAGE_ORDER
from tokenizer_conformance.comparing.comparison import compared_fields
from tokenizer_conformance.comparing.verdicts import Verdict
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.ledger.standing import Compared, Scope, Texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.run.events import TokenizerFinished
    from tokenizer_conformance.run.plan import RunPlan
    from tokenizer_conformance.run.results import StageCount


def stale_entries(plan: RunPlan, done: Sequence[TokenizerFinished]) -> tuple[Entry, ...]:
    """Return the entries of the plan's ledger that had a full chance on the tokenizers ``done``, and were not met.

    The run came to its own end. Raises :class:`~tokenizer_conformance.errors.BadInputError` where a file of inputs can
    no longer be read.
    """
    matched = frozenset(entry for each in done for entry in each.matched)
    compared = tuple(_compared(plan, done))
    names = {each.implementation for each in compared}
    unmet = [entry for entry in plan.ledger.entries if entry not in matched and entry.implementation in names]
    if not unmet:
        return ()
    whole = plan.observed_stages() == STAGE_ORDER and plan.fields == frozenset(Field)
    return plan.ledger.stale(Scope(matched, compared, whole, _texts(plan, unmet)))


def _compared(plan: RunPlan, done: Iterable[TokenizerFinished]) -> Iterator[Compared]:
    versions = {each.info.name: each.info.version for each in plan.implementations}
    asked = {stage: compared_fields(stage, plan.fields) for stage in plan.observed_stages()}
    for each in done:
        for row in each.results:
            is_compared = each.complete and each.baseline_load_error is None and row.load_error is None
            if is_compared and not row.has(Verdict.UNSTABLE):
                yield Compared(
                    implementation=row.implementation,
                    version=versions[row.implementation],
                    tokenizer=each.tokenizer,
                    asked={stage: frozenset(fields) for stage, fields in asked.items()},
                    shown={stage: _shown(fields, row.stages[stage]) for stage, fields in asked.items()},
                    baseline=plan.baseline,
                    baseline_version=versions[plan.baseline],
                )


def _shown(fields: Iterable[Field], count: StageCount) -> frozenset[str]:
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
