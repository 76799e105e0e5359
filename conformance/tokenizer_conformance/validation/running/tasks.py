"""What a process that compares is told, and what it answers: values that pass between ``workers`` and ``worker``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokenizer_adapters.contract import Field, Observation, Stage, TokenizerSource
    from tokenizer_adapters.selection import Selected
    from tokenizer_conformance.inputs.corpus import PairedInput
    from tokenizer_conformance.validation.running.compared import Compared


@dataclass(frozen=True, slots=True)
class Setup:
    """What holds for all tasks: the implementations, the one that others are compared with, and what is compared."""

    selected: tuple[Selected, ...]
    baseline: str
    stages: frozenset[Stage]
    fields: frozenset[Field]
    asks: Callable[[Observation], bool]


@dataclass(frozen=True, slots=True)
class Task:
    """Inputs to compare on a tokenizer, or ids; with neither, it is loaded. ``others`` are compared with the baseline.

    A tokenizer is loaded for as long as no task comes with another one.
    """

    source: TokenizerSource
    others: tuple[str, ...] = ()
    texts: tuple[PairedInput, ...] = ()
    ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Done:
    """The outcome of the inputs of a task, in their order, and how many ``seconds`` that took.

    ``waited`` are the seconds that were spent waiting for each implementation. Where ``error`` is set, a bug has ended
    the task: it says which.
    """

    compared: tuple[Mapping[str, Compared], ...] = ()
    seconds: float = 0.0
    waited: Mapping[str, float] = field(default_factory=dict)
    error: str | None = None
