"""What is to be fuzzed: how many random tokenizers, with which seed, on which implementations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_adapters.protocol.process import Limits
from tokenizer_adapters.selection import Isolation
from tokenizer_conformance.defaults import FUZZ_SECONDS, TEXTS_PER_TOKENIZER
from tokenizer_conformance.ledger.matching import Ledger

if TYPE_CHECKING:
    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.rejected import Rejected

MEMORY = 2 * 2**30
"""How many bytes of data a process may hold where nothing else is said, and the system limits that."""


@dataclass(frozen=True, slots=True)
class ImplementationPlan:
    """What to compare: ``tokenizers`` random tokenizers from number ``start`` on, each with ``texts`` random texts.

    ``baseline`` and ``implementation`` are words that select them, ``isolation`` says in which processes they run.
    ``patience`` is how many seconds an answer may take. ``ledger`` says which differences are known, of
    implementations in these ``versions``, the baseline's first.
    """

    baseline: str
    implementation: str
    seed: int
    tokenizers: int
    texts: int = TEXTS_PER_TOKENIZER
    start: int = 0
    patience: float = FUZZ_SECONDS
    isolation: Isolation = field(default_factory=lambda: Isolation(Limits(memory=MEMORY)))
    ledger: Ledger = field(default_factory=Ledger)
    versions: tuple[str, str] = ("", "")

    @property
    def sides(self) -> tuple[str, str]:
        """The two implementations."""
        return self.baseline, self.implementation


@dataclass(frozen=True, slots=True, kw_only=True)
class FuzzPlan:
    """What to fuzz: the ``implementations``, each against the ``baseline``, in ``jobs`` processes.

    They are called by the words that select them; ``isolation`` says in which processes they run, ``ledger`` which
    differences are known.

    ``unavailable`` are implementations that were asked for and cannot be used.
    """

    baseline: ImplementationInfo
    implementations: tuple[ImplementationInfo, ...]
    seed: int
    tokenizers: int
    texts: int = TEXTS_PER_TOKENIZER
    start: int = 0
    patience: float = FUZZ_SECONDS
    isolation: Isolation = field(default_factory=lambda: Isolation(Limits(memory=MEMORY)))
    jobs: int = 1
    unavailable: tuple[Rejected, ...] = ()
    command: tuple[str, ...] = ()
    ledger: Ledger = field(default_factory=Ledger)

    def for_each_implementation(self) -> list[ImplementationPlan]:
        """Return what is to be done, an implementation at a time."""
        return [
            ImplementationPlan(
                baseline=self.baseline.name,
                implementation=info.name,
                seed=self.seed,
                tokenizers=self.tokenizers,
                texts=self.texts,
                start=self.start,
                patience=self.patience,
                isolation=self.isolation,
                ledger=self.ledger,
                versions=(self.baseline.version, info.version),
            )
            for info in self.implementations
        ]
