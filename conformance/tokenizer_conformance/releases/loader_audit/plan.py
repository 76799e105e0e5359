"""What is to be audited."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_conformance.ledger.matching import Ledger
from tokenizer_conformance.releases.loader_audit.witness import Budget

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.rejected import Rejected


@dataclass(frozen=True, slots=True)
class LoaderAuditPlan:
    """Each of ``loaders`` is compared with the files of ``tokenizers``, as ``baseline`` reads and writes these.

    Witnesses are looked for within ``budget``. ``given`` are the user's texts, ``inputs`` those on which answers are
    compared and what is touched is counted. ``refusals`` and ``unavailable`` were asked for and cannot be used;
    ``command`` is the command line.

    With ``new`` two files are compared: the loader loads that one, whatever tokenizer it is beside.
    """

    tokenizers: tuple[TokenizerFile, ...]
    baseline: Implementation
    loaders: tuple[Implementation, ...]
    inputs: tuple[str, ...]
    given: tuple[str, ...] = ()
    budget: Budget = field(default_factory=Budget)
    seed: int = 0
    ledger: Ledger = field(default_factory=Ledger)
    new: TokenizerFile | None = None
    refusals: tuple[Rejected, ...] = ()
    unavailable: tuple[Rejected, ...] = ()
    command: tuple[str, ...] = ()
