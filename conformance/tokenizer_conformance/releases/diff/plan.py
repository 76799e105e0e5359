"""What a diff is to compare."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.inputs.corpus import Inputs, Selection
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.releases.diff.asking_again import ReplayedAndAsked
    from tokenizer_conformance.releases.snapshot_file.parts import LoadedTokenizer
    from tokenizer_conformance.validation.running.plan import RunPlan


@dataclass(frozen=True, slots=True)
class LiveSides:
    """Both sides as implementations that can be asked anew: causes are looked for and examples made small with them.

    ``tokenizers`` are the files to load. ``inputs`` gives the inputs that a selection takes.
    """

    old: Implementation
    new: Implementation
    tokenizers: Mapping[str, TokenizerFile]
    inputs: Callable[[Selection], Inputs]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffPlan:
    """One diff.

    ``run`` compares both sides on what both were asked; its baseline is the old one. ``old`` and ``new`` say how each
    tokenizer was loaded, by its name, ``sides`` in words what the two are. ``only_old`` and ``only_new`` count inputs
    that one of them has alone, ``other_files`` are the names of tokenizers whose file is another one on the new side.
    ``live`` are sides that can be asked anew, where there are any, and ``asked_again`` the snapshots among the sides of
    ``run`` whose differences they confirm.
    """

    run: RunPlan
    old: Mapping[str, LoadedTokenizer]
    new: Callable[[TokenizerFile], LoadedTokenizer]
    sides: tuple[str, str]
    only_old: int = 0
    only_new: int = 0
    other_files: tuple[str, ...] = ()
    live: LiveSides | None = None
    asked_again: tuple[ReplayedAndAsked, ...] = ()
    cause_seconds: float = 0.0
    loading: bool = True
    words: Mapping[str, str] = field(default_factory=dict)
