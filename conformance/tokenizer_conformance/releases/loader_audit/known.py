"""Which differences a ledger knows, and which of its entries are stale.

An audit calls a replaced component an *input*: ``input = "added_tokens.normalized"`` is about that flag, and
``input = "defaults.*"`` about all defaults. ``stage`` is that of the component (``load`` for added tokens and
defaults). What answers show beside that has a stage, a field and a class as in a run, and is called ``answers``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.ledger.audit_entries import KnownFindings
from tokenizer_conformance.ledger.entry import Difference
from tokenizer_conformance.releases.loader_audit.components import ANSWERS, STAGES, Component

if TYPE_CHECKING:
    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.ledger.matching import Ledger
    from tokenizer_conformance.releases.loader_audit.behaviour import BehaviourFinding
    from tokenizer_conformance.releases.loader_audit.structure import Replacement


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
        return self._entry(tokenizer, loader, STAGES[difference.component], (), "other values", difference.name)

    def of_finding(self, tokenizer: str, loader: ImplementationInfo, finding: BehaviourFinding) -> Entry | None:
        """Return the entry that is about answers that nothing explains, ``None`` where they are new."""
        manner = finding.manner
        fields = () if manner.field is None else (str(manner.field),)
        return self._entry(tokenizer, loader, manner.stage, fields, manner.kind, ANSWERS, manner.verdict)

    def _entry(
        self,
        tokenizer: str,
        loader: ImplementationInfo,
        stage: str,
        fields: tuple[str, ...],
        kind: str,
        named: str,
        verdict: str = "differ",
    ) -> Entry | None:
        return self.entry_for(
            Difference(
                implementation=loader.name,
                version=loader.version,
                tokenizer=tokenizer,
                stage=stage,
                fields=fields,
                requirement=None,
                kind=kind,
                input=named,
                verdict=verdict,
                baseline=self._info.name,
                baseline_version=self._info.version,
            )
        )
