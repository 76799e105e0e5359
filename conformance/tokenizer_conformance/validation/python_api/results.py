"""The result of a check, as plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.conclusion import Conclusion

if TYPE_CHECKING:
    from tokenizer_conformance.comparison.findings import Finding
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.validation.running.events import TokenizerFinished
    from tokenizer_conformance.validation.suite.results import RequirementResult


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Results:
    """The result of a check of ``implementation``, compared with ``against`` on ``tokenizer``.

    ``findings`` are the differences on texts, gathered; ``known`` those that a ledger expects, ``unstable`` those that
    were others when they were asked about again. ``requirements`` are the results of the suite, empty where
    ``not_asked`` says why it was not asked. ``texts`` counts the texts, ``compared`` the values that stood side by
    side. ``problems`` are what else keeps the check from passing, a line each, and ``stale`` the entries of ledgers
    that nothing matched. ``conclusion`` is that of the texts, ``suite_conclusion`` that of the suite.
    """

    implementation: str
    against: str
    tokenizer: str
    conclusion: Conclusion
    findings: tuple[Finding, ...]
    known: tuple[Finding, ...]
    unstable: tuple[Finding, ...]
    requirements: tuple[RequirementResult, ...]
    suite_conclusion: Conclusion | None
    not_asked: str
    texts: int
    compared: int
    problems: tuple[str, ...]
    stale: tuple[Entry, ...]
    finished: tuple[TokenizerFinished, ...] = field(default=(), compare=False)

    @property
    def conforms(self) -> bool:
        """Whether nothing differs that no ledger expects, and enough was compared to say so."""
        return self.conclusion is Conclusion.CONFORM and self.suite_conclusion in (None, Conclusion.CONFORM)
