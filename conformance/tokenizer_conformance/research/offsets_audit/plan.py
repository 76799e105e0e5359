"""What is to be audited."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_conformance.ledger.matching import Ledger
from tokenizer_conformance.research.offsets_audit.repeating import Call

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.inputs.corpus import Inputs
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.rejected import Rejected


@dataclass(frozen=True, slots=True)
class OffsetsAuditPlan:
    """Each of ``implementations`` is asked about the inputs of ``corpus`` with each of ``tokenizers``.

    ``optional`` are the names of those that were not asked for one by one: they need not show offsets. ``refusals``,
    ``unavailable`` and ``absent`` were asked for and cannot be used; ``command`` is the command line.
    ``has_small_examples`` tells whether smaller examples are looked for, which takes its time.
    """

    tokenizers: tuple[TokenizerFile, ...]
    implementations: tuple[Implementation, ...]
    corpus: Inputs
    ledger: Ledger = field(default_factory=Ledger)
    call: Call = field(default_factory=Call)
    optional: frozenset[str] = frozenset()
    refusals: tuple[Rejected, ...] = ()
    unavailable: tuple[Rejected, ...] = ()
    absent: tuple[Rejected, ...] = ()
    command: tuple[str, ...] = ()
    has_small_examples: bool = True
