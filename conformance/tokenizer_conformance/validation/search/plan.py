"""What is to be searched: which tokenizers, which implementations, by which generators, and for how long."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_conformance.ledger.matching import Ledger
from tokenizer_conformance.validation.search.known import KnownOnes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.contract import Implementation, ImplementationInfo
    from tokenizer_adapters.selection import Selected
    from tokenizer_conformance.inputs.text_generators.generator import Generator
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.rejected import Rejected
    from tokenizer_conformance.validation.search.cases import Case

DEFAULT_SECONDS = 60.0
"""How long a search takes where nothing is said."""

CHECKPOINT_SECONDS = 5.0
"""How much work a search that is killed can lose at most, in seconds; nothing that was found is lost."""


@dataclass(frozen=True, slots=True)
class SearchedImplementation:
    """An implementation: ``built`` in this process, and ``selected``, so that another process can build it too."""

    built: Implementation
    selected: Selected

    @property
    def info(self) -> ImplementationInfo:
        """What it says of itself."""
        return self.built.info


@dataclass(frozen=True, slots=True)
class Begun:
    """What an earlier search has left behind of a pairing: where each generator stands, and cases to ask first."""

    positions: Mapping[str, int] = field(default_factory=dict)
    kept: tuple[Case, ...] = ()


NOT_BEGUN = Begun()


@dataclass(frozen=True, slots=True)
class Pairing:
    """One tokenizer and one implementation, which is compared with the baseline on it."""

    tokenizer: TokenizerFile
    implementation: SearchedImplementation
    begun: Begun = NOT_BEGUN

    @property
    def name(self) -> str:
        """How reports call it."""
        return f"{self.tokenizer.source.name}, {self.implementation.info.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPlan:
    """One search.

    All ``pairings`` share ``seconds`` in all, where these are given; ``cases`` is how many texts each of them is asked
    about at most. ``texts`` are real ones to be asked about and changed. ``jobs`` processes ask; an answer may take
    ``patience`` seconds. ``refusals`` are those of tokenizers and files that the user asked for and that cannot be
    used, ``unavailable`` such implementations; ``optional`` ones
    need not load every tokenizer. ``ledger`` says which differences are known.
    """

    baseline: SearchedImplementation
    pairings: tuple[Pairing, ...]
    seed: int
    patience: float
    generators: tuple[Generator, ...]
    seconds: float | None = None
    cases: int | None = None
    jobs: int = 1
    texts: tuple[str, ...] = ()
    refusals: tuple[Rejected, ...] = ()
    unavailable: tuple[Rejected, ...] = ()
    optional: frozenset[str] = frozenset()
    ledger: Ledger = field(default_factory=Ledger)
    command: tuple[str, ...] = ()
    corpus: str | None = None
    checkpoint_seconds: float = CHECKPOINT_SECONDS

    @property
    def implementations(self) -> tuple[ImplementationInfo, ...]:
        """The implementations that are compared with the baseline."""
        infos = {pairing.implementation.info.name: pairing.implementation.info for pairing in self.pairings}
        return tuple(infos.values())

    def known(self, pairing: Pairing) -> KnownOnes:
        """Return what is known of ``pairing``."""
        baseline, implementation = self.baseline.info, pairing.implementation.info
        return KnownOnes(
            pairing.tokenizer.source.name,
            baseline.name,
            implementation.name,
            (baseline.version, implementation.version),
            self.ledger,
        )
