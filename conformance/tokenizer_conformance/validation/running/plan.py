"""What a run is to do: which tokenizers, implementations and inputs, which stages and fields, and when to stop."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Field, Stage
from tokenizer_conformance.comparison.blame import STAGE_ORDER
from tokenizer_conformance.comparison.differences import compared_fields
from tokenizer_conformance.defaults import CAUSE_SECONDS
from tokenizer_conformance.ledger.matching import Ledger
from tokenizer_conformance.validation.running.portions import Portion
from tokenizer_conformance.validation.running.repeating import Call, Repeats

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokenizer_adapters.contract import Implementation, Observation
    from tokenizer_adapters.selection import Selected
    from tokenizer_conformance.command_io.shard import Shard
    from tokenizer_conformance.inputs.corpus import Inputs
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.rejected import Rejected
    from tokenizer_conformance.validation.running.coverage import Requirement

EXAMPLES_PER_FINDING = 100
"""How many differences of one finding are reported one by one; all are counted."""


CHECKPOINT_SECONDS = 10.0
"""How much work a run that is killed can lose at most, in seconds; nothing that was found is lost."""


def everything(_question: Observation) -> bool:
    """Leave no question out."""
    return True


@dataclass(frozen=True, slots=True)
class LastFailed:
    """The record of which the failed inputs are repeated: the ``name`` of its file, and its SHA-256."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan:
    """One run.

    ``implementations`` include the one named ``baseline``, with which all others are compared. ``refusals`` are those
    of things that the user asked for and that cannot be used, to be reported with the run. ``optional`` implementations
    were not asked for one by one: they may be ``absent`` and need not read every tokenizer. ``max_failing`` is the
    number of failing inputs (per tokenizer and implementation) after which the run ends. ``seed`` is recorded; nothing
    in a run is drawn at random yet. ``checkpoint_seconds`` pass between two checkpoints of a tokenizer at work.
    ``required`` is what has to be compared, ``call`` how the command was called. ``ledger`` says which differences are
    known. ``asks`` tells of a question whether it is compared at all. With more than one of ``jobs``, so many processes
    compare; they build the implementations that were ``selected``, those of this plan, each for itself. Causes of
    differences are looked for during ``cause_seconds`` of processor time in all; 0: not at all.
    ``portions`` say what of the corpus is compared on each tokenizer, where that is not all: in the ``shard`` of a run
    that several machines share, or where the run repeats what failed in the record called ``repeats``. ``options`` are
    further ones on which what is found hangs, for the record.
    """

    tokenizers: tuple[TokenizerFile, ...]
    implementations: tuple[Implementation, ...]
    baseline: str
    corpus: Inputs
    refusals: tuple[Rejected, ...] = ()
    unavailable: tuple[Rejected, ...] = ()
    optional: frozenset[str] = frozenset()
    absent: tuple[Rejected, ...] = ()
    stages: tuple[Stage, ...] = STAGE_ORDER
    fields: frozenset[Field] = field(default_factory=lambda: frozenset(Field))
    every_id: bool = False
    max_failing: int | None = None
    seed: int = 0
    checkpoint_seconds: float = CHECKPOINT_SECONDS
    required: tuple[Requirement, ...] = ()
    call: Repeats = field(default_factory=Call)
    ledger: Ledger = field(default_factory=Ledger)
    asks: Callable[[Observation], bool] = everything
    command: tuple[str, ...] = ()
    jobs: int = 1
    cause_seconds: float = CAUSE_SECONDS
    selected: tuple[Selected, ...] = ()
    portions: Mapping[str, Portion] = field(default_factory=dict)
    shard: Shard | None = None
    repeats: LastFailed | None = None
    options: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.jobs > 1 and len(self.selected) != len(self.implementations):
            raise ValueError("several jobs build the implementations again: a plan has to say how they were selected")

    def portion_of(self, tokenizer: str) -> Portion:
        """Return which inputs are compared on the tokenizer of that name."""
        return self.portions.get(tokenizer) or Portion(self.corpus.count)

    def decodes_ids(self) -> bool:
        """Return whether single ids are decoded too."""
        return self.every_id and Stage.DECODE in self.observed_stages()

    def observed_stages(self) -> tuple[Stage, ...]:
        """Return the wanted stages that have any wanted field, in pipeline order."""
        return tuple(stage for stage in STAGE_ORDER if stage in self.stages and compared_fields(stage, self.fields))
