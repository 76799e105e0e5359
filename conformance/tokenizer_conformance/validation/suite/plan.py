"""What is to be done when the suite is run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.contract import Field, Implementation
    from tokenizer_adapters.selection import Selected
    from tokenizer_conformance.command_io.shard import Shard
    from tokenizer_conformance.ledger.matching import Ledger
    from tokenizer_conformance.rejected import Rejected
    from tokenizer_conformance.validation.suite.reader import SuiteIdentity
    from tokenizer_conformance.validation.suite.requirement import CaseInPlace
    from tokenizer_conformance.validation.suite.selection import Wanted


@dataclass(frozen=True, slots=True)
class SuitePlan:
    """The ``cases`` that each of ``implementations`` is asked, and what is compared of the answers.

    ``words`` lead from the name of an implementation to the word that selects it. ``fields``: ``None`` for all.
    ``unavailable`` were asked for and cannot be used. ``max_fail`` is the number of failed requirements after which an
    implementation is left, 0 for none. ``ledger`` says which failures are known, ``every_requirement`` that no
    requirement of the suite was left out. ``command`` is the command line. ``not_asked`` is the number of requirements
    without cases that were selected too, ``repeated`` are the options that a repetition needs, ``suite`` says
    which suite the cases are of, where it is one that is published. The cases are those of a ``shard`` where several
    machines share the suite; ``is_repetition`` says that only what failed once is asked again. ``options`` are further
    ones on which what is found hangs, for the record. Where there are several ``jobs``, so many processes ask, and
    build the implementations as they were ``selected``.
    """

    implementations: tuple[Implementation, ...]
    words: Mapping[str, str]
    unavailable: tuple[Rejected, ...]
    cases: tuple[CaseInPlace, ...]
    wanted: Wanted
    fields: frozenset[Field] | None
    max_fail: int
    ledger: Ledger
    every_requirement: bool
    command: tuple[str, ...]
    not_asked: int = 0
    repeated: tuple[str, ...] = ()
    suite: SuiteIdentity | None = None
    shard: Shard | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    is_repetition: bool = False
    selected: tuple[Selected, ...] = ()
    jobs: int = 1
