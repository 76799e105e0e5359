"""Which differences a ledger knows, which of its entries are stale, and what it lacks.

An audit calls a replaced component an *input*: ``input = "added_tokens.normalized"`` is about that flag, and
``input = "defaults.*"`` about all defaults. ``stage`` is that of the component (``load`` for added tokens and
defaults). What answers show beside that has a stage, a field and a class as in a run, and is called ``answers``.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.environments.words import known_as
from tokenizer_conformance.command_io.ledger_update import LedgerUpdate as UpdateOf
from tokenizer_conformance.command_io.ledger_update import new_entry
from tokenizer_conformance.comparison.component_differences import Component
from tokenizer_conformance.ledger.audit_entries import KnownFindings
from tokenizer_conformance.ledger.entry import Difference
from tokenizer_conformance.ledger.names import pattern_of
from tokenizer_conformance.releases.loader_audit.events import DifferenceJudged, LoaderAudited, LoaderAuditEvent
from tokenizer_conformance.releases.loader_audit.stages import ANSWERS, STAGES
from tokenizer_conformance.releases.loader_audit.wording import finding_headline, headline

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.comparison.component_differences import Replacement
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.ledger.matching import Ledger
    from tokenizer_conformance.releases.loader_audit.behaviour import BehaviourFinding


def compared_in(*, has_structure: bool, has_defaults: bool, has_answers: bool) -> frozenset[str]:
    """Return what is compared of a loader that shows its components, its defaults, and values in its answers."""
    shown = {Component.DEFAULTS: has_defaults}
    found = (component.value for component in Component if shown.get(component, has_structure))
    return frozenset((*found, *((ANSWERS,) if has_answers else ())))


class KnownDifferences(KnownFindings):
    """What ``ledger`` says of loaders beside ``baseline``, and which of its entries were met."""

    def __init__(self, ledger: Ledger, baseline: ImplementationInfo) -> None:
        super().__init__(ledger, ".", baseline)
        self._info = baseline

    def of_replacement(self, tokenizer: str, loader: ImplementationInfo, difference: Replacement) -> Entry | None:
        """Return the entry that is about a replaced component, ``None`` where it is new."""
        return self._entry(tokenizer, loader, _replaced(difference))

    def of_finding(self, tokenizer: str, loader: ImplementationInfo, finding: BehaviourFinding) -> Entry | None:
        """Return the entry that is about answers that nothing explains, ``None`` where they are new."""
        return self._entry(tokenizer, loader, _found(finding))

    def _entry(self, tokenizer: str, loader: ImplementationInfo, told: _Told) -> Entry | None:
        difference = Difference(
            implementation=loader.name,
            version=loader.version,
            tokenizer=tokenizer,
            requirement=None,
            baseline=self._info.name,
            baseline_version=self._info.version,
            **asdict(told),
        )
        return self.entry_for(difference)


class LedgerUpdate(UpdateOf[LoaderAuditEvent]):
    """Appends an entry without a reason for each new difference from ``baseline``."""

    def __init__(self, baseline: ImplementationInfo, path: Path) -> None:
        super().__init__(path)
        self._baseline = baseline

    def entries_of(self, event: LoaderAuditEvent) -> Iterator[tuple[Entry, str]]:
        """Yield an entry for each new difference in ``event``, with a comment."""
        match event:
            case DifferenceJudged(tokenizer, loader, difference, known=None):
                yield self._entry(tokenizer, loader, _replaced(difference)), headline(event)
            case LoaderAudited(tokenizer, loader):
                for finding, known in zip(event.behaviour.findings, event.entries, strict=True):
                    if known is None:
                        yield self._entry(tokenizer, loader, _found(finding)), finding_headline(finding)

    def _entry(self, tokenizer: str, loader: ImplementationInfo, told: _Told) -> Entry:
        return new_entry(
            loader,
            baselines=(known_as(self._baseline.name),),
            tokenizers=(pattern_of(tokenizer),),
            stages=(told.stage,),
            fields=told.fields,
            classes=(told.kind,),
            inputs=(pattern_of(told.input),),
        )


@dataclass(frozen=True, slots=True)
class _Told:
    """A difference in the words of a ledger."""

    stage: str
    input: str
    kind: str = "other values"
    fields: tuple[str, ...] = ()
    verdict: str = "differ"


def _replaced(difference: Replacement) -> _Told:
    return _Told(STAGES[difference.component], difference.name)


def _found(finding: BehaviourFinding) -> _Told:
    manner = finding.manner
    fields = () if manner.field is None else (str(manner.field),)
    return _Told(manner.stage, ANSWERS, manner.kind, fields, manner.verdict)
