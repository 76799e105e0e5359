"""Which differences between two sides are known: those that an entry of a ledger is about.

Every command that compares two sides asks here. Texts that are made at random have no ids by which a ledger could
name them; whether an entry is stale is judged only where all that it is about was compared.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import stage_of
from tokenizer_conformance.comparison.questions import text_and_pair
from tokenizer_conformance.ledger.entry import VOCABULARY
from tokenizer_conformance.ledger.entry import Difference as LedgerDifference
from tokenizer_conformance.ledger.matching import Ledger

if TYPE_CHECKING:
    from tokenizer_adapters.contract import ImplementationInfo, Observation
    from tokenizer_conformance.comparison.differences import Difference
    from tokenizer_conformance.ledger.answers import Answered
    from tokenizer_conformance.ledger.entry import Entry


@dataclass(frozen=True, slots=True)
class KnownOnes:
    """What a ``ledger`` says of an ``implementation`` on a ``tokenizer``, against a ``baseline``.

    The tokenizer may be ``also_called`` otherwise.
    """

    tokenizer: str
    baseline: ImplementationInfo
    implementation: ImplementationInfo
    ledger: Ledger = field(default_factory=Ledger)
    also_called: tuple[str, ...] = ()

    def entry_for(self, question: Observation, difference: Difference) -> Entry | None:
        """Return the first entry that is about ``difference``, ``None`` where it is new."""
        return next(iter(self.entries_for(question, difference)), None)

    def entries_for(
        self,
        question: Observation,
        difference: Difference,
        input_id: str | None = None,
        answered: Answered | None = None,
    ) -> tuple[Entry, ...]:
        """Return all entries that are about ``difference`` in the answers to ``question``, which were ``answered``."""
        text, pair = text_and_pair(question)
        fields = () if difference.field is None else (difference.field,)
        stage, kind, verdict = stage_of(question), difference.kind, difference.verdict
        return self.ledger.entries_for(self._seen(stage, kind, verdict, fields, input_id, text, pair, answered))

    def entries_by_answers(self) -> dict[str, Entry]:
        """Return the entries that say what was answered, each by all of that, wherever it was."""
        return self.ledger.by_answers(self._seen("", "", ""))

    def entry_for_tokenizer(self, stage: str, kind: str, verdict: str, fields: tuple[str, ...] = ()) -> Entry | None:
        """Return the first entry that is about a difference that is seen without a text, when a tokenizer is loaded."""
        return self.ledger.entry_for(self._seen(stage, kind, verdict, fields))

    def entries_for_vocabulary(self, name: str) -> tuple[Entry, ...]:
        """Return all entries that are about the entry of the vocabulary that has this ``name``, or these entries."""
        return self.ledger.entries_for(self._seen(VOCABULARY, "other values", "differ", ("document",), name))

    def _seen(
        self,
        stage: str,
        kind: str,
        verdict: str,
        fields: tuple[str, ...] = (),
        input_id: str | None = None,
        text: str | None = None,
        pair: str | None = None,
        answered: Answered | None = None,
    ) -> LedgerDifference:
        return LedgerDifference(
            implementation=self.implementation.name,
            version=self.implementation.version,
            tokenizer=self.tokenizer,
            stage=stage,
            fields=fields,
            requirement=None,
            kind=kind,
            input=input_id,
            verdict=verdict,
            text=text,
            pair=pair,
            baseline=self.baseline.name,
            baseline_version=self.baseline.version,
            also_called=self.also_called,
            answered=answered,
        )
