"""What a run is to do: which tokenizers, implementations and inputs, which stages and fields, and when to stop."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Field, Stage
from tokenizer_conformance.blame import STAGE_ORDER
from tokenizer_conformance.comparison import compared_fields
from tokenizer_conformance.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.input_text import Input
    from tokenizer_conformance.tokenizer_files import TokenizerFile

EXAMPLES_PER_FINDING = 100
"""How many differences of one finding are reported one by one; all are counted."""


CHECKPOINT_SECONDS = 10.0
"""How much work a run that is killed can lose at most, in seconds; nothing that was found is lost."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The inputs of a run: ``sources`` in order, those whose id or category holds ``selection`` (in any case).

    Iterating reads files anew. ``count`` and ``sha256`` (of the ids and texts) describe what iterating yields.
    """

    sources: tuple[Iterable[Input], ...]
    selection: str
    count: int
    sha256: str

    def __iter__(self) -> Iterator[Input]:
        return _selected(self.sources, self.selection)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something given to the run that cannot be used: ``what`` it is, its ``name``, and why in one line."""

    what: str
    name: str
    reason: str


def read_corpus(sources: Iterable[tuple[str, Iterable[Input]]], selection: str = "") -> tuple[Corpus, list[Refusal]]:
    """Read every named source through once, and return the corpus of those that can be read, with the refusals.

    One bad file does not keep the others from being used.
    """
    good: list[Iterable[Input]] = []
    refusals: list[Refusal] = []
    digest = hashlib.sha256()
    count = 0
    for name, source in sources:
        before, digest_before = count, digest.copy()
        try:
            for each in _selected((source,), selection):
                digest.update(f"{each.id}\0{len(each.text)}\0{each.text}\0".encode())
                count += 1
        except BadInputError as error:
            refusals.append(Refusal("inputs file", name, str(error)))
            count, digest = before, digest_before
        else:
            good.append(source)
    return Corpus(tuple(good), selection, count, digest.hexdigest()), refusals


def _selected(sources: Iterable[Iterable[Input]], selection: str) -> Iterator[Input]:
    wanted = selection.casefold()
    for source in sources:
        for each in source:
            if wanted in each.id.casefold() or wanted in each.category.casefold():
                yield each


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan:
    """One run.

    ``implementations`` include the one named ``baseline``, with which all others are compared. ``refusals`` are those of
    things that the user asked for and that cannot be used, to be reported with the run. ``optional`` implementations were
    not asked for one by one: they may be ``absent`` and need not read every tokenizer. ``max_failing`` is the number of
    failing inputs (per tokenizer and implementation) after which the run ends. ``seed`` is recorded; nothing in a run is
    drawn at random yet. ``checkpoint_seconds`` pass between two checkpoints of a tokenizer at work.
    """

    tokenizers: tuple[TokenizerFile, ...]
    implementations: tuple[Implementation, ...]
    baseline: str
    corpus: Corpus
    refusals: tuple[Refusal, ...] = ()
    unavailable: tuple[Refusal, ...] = ()
    optional: frozenset[str] = frozenset()
    absent: tuple[Refusal, ...] = ()
    stages: tuple[Stage, ...] = STAGE_ORDER
    fields: frozenset[Field] = field(default_factory=lambda: frozenset(Field))
    every_id: bool = False
    max_failing: int | None = None
    seed: int = 0
    checkpoint_seconds: float = CHECKPOINT_SECONDS
    command: tuple[str, ...] = ()

    def observed_stages(self) -> tuple[Stage, ...]:
        """Return the wanted stages that have any wanted field, in pipeline order."""
        return tuple(stage for stage in STAGE_ORDER if stage in self.stages and compared_fields(stage, self.fields))
