"""Which differences of a search are known: those that an entry of the ledger is about.

Texts that generators make have no ids by which a ledger could name them. Whether an entry is stale is not judged:
nobody knows whether a search has given it a chance.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import stage_of
from tokenizer_conformance.comparison.questions import text_and_pair
from tokenizer_conformance.ledger.entry import Difference as LedgerDifference
from tokenizer_conformance.ledger.matching import Ledger

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.comparison.differences import Difference
    from tokenizer_conformance.ledger.entry import Entry


@dataclass(frozen=True, slots=True)
class KnownOnes:
    """What a ``ledger`` says of an ``implementation`` on a ``tokenizer``, against a ``baseline``, all by their names.

    ``versions`` are those of the baseline and of the implementation.
    """

    tokenizer: str
    baseline: str
    implementation: str
    versions: tuple[str, str]
    ledger: Ledger = field(default_factory=Ledger)

    def entry_for(self, question: Observation, difference: Difference) -> Entry | None:
        """Return the entry that is about ``difference``, ``None`` where it is new."""
        text, pair = text_and_pair(question)
        return self.ledger.entry_for(
            LedgerDifference(
                implementation=self.implementation,
                version=self.versions[1],
                tokenizer=self.tokenizer,
                stage=stage_of(question),
                fields=() if difference.field is None else (difference.field,),
                requirement=None,
                kind=difference.kind,
                input=None,
                verdict=difference.verdict,
                text=text,
                pair=pair,
                baseline=self.baseline,
                baseline_version=self.versions[0],
            )
        )
