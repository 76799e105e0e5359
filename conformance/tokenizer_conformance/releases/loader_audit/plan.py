"""What is to be audited."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_conformance.ledger.matching import Ledger
from tokenizer_conformance.releases.loader_audit.witness import Budget

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.component_differences import Component, Replacement
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.rejected import Rejected
    from tokenizer_conformance.releases.loader_audit.witness import Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """What is known of a conversion beside the document that it amounts to.

    ``notes`` are the words of its file, by component; ``losses`` are differences that no file of its format is free of,
    each with the reason: they are told, and are no fault of this file. ``further`` are differences in what no
    tokenizer.json says, each with what shows it. Of the file only what it says of these components was ``compared``;
    ``unsaid`` is what more was not. ``engine`` runs the
    file itself and has loaded it, where that is installed: it is asked about every witness.
    """

    notes: Mapping[Component, tuple[str, ...]] = field(default_factory=dict)
    losses: Mapping[str, str] = field(default_factory=dict)
    further: tuple[tuple[Replacement, Shown], ...] = ()
    compared: tuple[Component, ...] = ()
    unsaid: tuple[str, ...] = ()
    engine: Asked | None = None


@dataclass(frozen=True, slots=True)
class LoaderAuditPlan:
    """Each of ``loaders`` is compared with the files of ``tokenizers``, as ``baseline`` reads and writes these.

    Witnesses are looked for within ``budget``. ``given`` are the user's texts, ``inputs`` those on which answers are
    compared and what is touched is counted. ``refusals`` and ``unavailable`` were asked for and cannot be used;
    ``command`` is the command line.

    With ``new`` two files are compared: the loader loads that one, whatever tokenizer it is beside. With a
    ``conversion``, too, the second file is the conversion of the first.
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
    conversion: Conversion | None = None
    refusals: tuple[Rejected, ...] = ()
    unavailable: tuple[Rejected, ...] = ()
    command: tuple[str, ...] = ()
