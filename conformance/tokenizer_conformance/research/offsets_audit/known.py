"""Which violations a ledger knows, and which of its entries are stale.

An audit calls a violation an *input*: ``input = "coverage.text: white space in no span"`` is about that invariant,
violated in that manner, and ``input = "coverage.text: *"`` about all manners. ``stage`` is that of the question. Known
oddities of released implementations stand in ``known_oddities.toml``, a ledger that comes with the project.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import stage_of
from tokenizer_conformance.ledger.audit_entries import KnownFindings
from tokenizer_conformance.ledger.entry import Difference
from tokenizer_conformance.ledger.reader import together

if TYPE_CHECKING:
    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.ledger.matching import Ledger
    from tokenizer_conformance.research.offsets_audit.findings import Finding

ODDITIES = "known_oddities.toml"

KIND = "other values"
"""How a violation differs from what must hold, in the words of a ledger."""


def known_oddities() -> Ledger:
    """Return the known oddities of released implementations."""
    content = (files("tokenizer_conformance.research.offsets_audit") / ODDITIES).read_bytes()
    return together([(ODDITIES, content)])


class KnownViolations(KnownFindings):
    """What ``ledger`` says of violations, and which of its entries were met."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger, ":")

    def of(self, tokenizer: str, implementation: ImplementationInfo, finding: Finding) -> Entry | None:
        """Return the entry that is about ``finding``, ``None`` where it is new."""
        return self.entry_for(
            Difference(
                implementation=implementation.name,
                version=implementation.version,
                tokenizer=tokenizer,
                stage=stage_of(finding.asking.question),
                fields=(),
                requirement=None,
                kind=KIND,
                input=finding.name,
            )
        )
