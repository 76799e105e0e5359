"""What is to be searched: which tokenizers, which implementations, by which generators, and for how long."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tokenizer_adapters.protocol.process import Limits
from tokenizer_adapters.selection import Isolation
from tokenizer_conformance.comparison.known import KnownOnes
from tokenizer_conformance.defaults import FUZZ_SECONDS, TEXTS_PER_TOKENIZER
from tokenizer_conformance.ledger.matching import Ledger

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.contract import Implementation, ImplementationInfo
    from tokenizer_adapters.selection import Selected
    from tokenizer_conformance.command_io.shard import Shard
    from tokenizer_conformance.inputs.text_generators.generator import Generator
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.rejected import Rejected
    from tokenizer_conformance.validation.search.cases import Case

DEFAULT_SECONDS = 60.0
"""How long a search takes where nothing is said."""

CHECKPOINT_SECONDS = 5.0
"""How much work a search that is killed can lose at most, in seconds; nothing that was found is lost."""

MEMORY = 2 * 2**30
"""How many bytes of data a process may hold where nothing else is said, and the system limits that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What every search has: a ``seed`` of all that is drawn, and ``jobs`` processes that ask.

    An answer may take ``patience`` seconds. ``refusals`` are those of tokenizers and files that the user asked for and
    that cannot be used, ``unavailable`` such implementations. ``ledger`` says which differences are known.
    """

    seed: int
    patience: float = FUZZ_SECONDS
    jobs: int = 1
    refusals: tuple[Rejected, ...] = ()
    unavailable: tuple[Rejected, ...] = ()
    ledger: Ledger = field(default_factory=Ledger)
    command: tuple[str, ...] = ()


# Given tokenizers ----------------------------------------------------------------------------------------------------


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
class SearchPlan(Plan):
    """One search with given tokenizers.

    All ``pairings`` share ``seconds`` in all, where these are given; ``cases`` is how many texts each of them is asked
    about at most. ``texts`` are real ones to be asked about and changed. ``optional`` implementations need not load
    every tokenizer.
    """

    baseline: SearchedImplementation
    pairings: tuple[Pairing, ...]
    generators: tuple[Generator, ...]
    seconds: float | None = None
    cases: int | None = None
    texts: tuple[str, ...] = ()
    optional: frozenset[str] = frozenset()
    checkpoint_seconds: float = CHECKPOINT_SECONDS

    @property
    def baseline_info(self) -> ImplementationInfo:
        """What the baseline says of itself."""
        return self.baseline.info

    @property
    def implementations(self) -> tuple[ImplementationInfo, ...]:
        """The implementations that are compared with the baseline."""
        infos = {pairing.implementation.info.name: pairing.implementation.info for pairing in self.pairings}
        return tuple(infos.values())

    def known(self, pairing: Pairing) -> KnownOnes:
        """Return what is known of ``pairing``."""
        implementation = pairing.implementation.info
        return KnownOnes(pairing.tokenizer.source.name, self.baseline_info, implementation, self.ledger)


# Random tokenizers ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class FuzzPlan(Plan):
    """A search with random tokenizers: so many ``tokenizers`` from number ``start`` on, each with ``texts`` texts.

    The ``implementations`` and the baseline are called by the words that select them; ``isolation`` says in which
    processes they run. Where several machines share the tokenizers, those in ``shard`` are compared here.
    ``given_options`` are those of a repetition where they are known from a record.
    """

    baseline_info: ImplementationInfo
    implementations: tuple[ImplementationInfo, ...]
    tokenizers: int
    texts: int = TEXTS_PER_TOKENIZER
    start: int = 0
    shard: Shard | None = None
    isolation: Isolation = field(default_factory=lambda: Isolation(Limits(memory=MEMORY)))
    given_options: tuple[str, ...] | None = None

    @property
    def numbers(self) -> range:
        """The numbers of the tokenizers that are compared here."""
        every = range(self.start, self.start + self.tokenizers)
        return every if self.shard is None else every[self.shard.slice_of(self.tokenizers)]

    def for_each_implementation(self) -> list[FuzzPlan]:
        """Return what is to be done, an implementation at a time."""
        return [replace(self, implementations=(info,)) for info in self.implementations]

    @property
    def implementation(self) -> str:
        """The name of the implementation, the first where there are several."""
        return self.implementations[0].name

    @property
    def sides(self) -> tuple[str, str]:
        """The names of the baseline and of the implementation."""
        return self.baseline_info.name, self.implementation

    def repeating(self, number: int) -> str:
        """Return the command that compares on tokenizer ``number`` alone, as it is typed."""
        words = ["tokconf", "fuzz", "--seed", str(self.seed), "--start", str(number), "--tokenizers", "1"]
        sides = ("-i", self.implementation, "--baseline", self.baseline_info.name)
        return shlex.join([*words, *self.repeated, *sides])

    @property
    def repeated(self) -> tuple[str, ...]:
        """The options that a repetition needs beside the numbers and the sides."""
        if self.given_options is not None:
            return self.given_options
        words: list[str] = []
        if self.texts != TEXTS_PER_TOKENIZER:
            words += ["--texts", str(self.texts)]
        if self.patience != FUZZ_SECONDS:
            words += ["--timeout", f"{self.patience:g}"]
        for flag, names in (("--isolate", self.isolation.isolated), ("--in-process", self.isolation.in_process)):
            words += [word for name in sorted(names) for word in (flag, name)]
        return tuple(words)
