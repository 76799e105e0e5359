"""What comes of questions about inputs: how many were answered, and what the invariants make of the answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Crashed, Failed, Unsupported
from tokenizer_adapters.protocol.client import in_words
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.research.offsets_audit.findings import FindingCollector

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_adapters.contract import Outcome
    from tokenizer_conformance.inputs.corpus import PairedInput
    from tokenizer_conformance.research.offsets_audit.judge import Judge

MOST_TROUBLE = 3
"""How many messages of questions without a value are told of one implementation on one tokenizer."""

ALIKE = 40
"""Messages that begin with the same characters, so many, are told once."""


@dataclass(slots=True)
class Gathered:
    """What came of the questions about some ``inputs``."""

    inputs: int = 0
    answers: int = 0
    unsupported: int = 0
    failed: int = 0
    lost: int = 0
    trouble: tuple[str, ...] = ()
    collector: FindingCollector = field(default_factory=FindingCollector)

    def take(self, batch: Sequence[PairedInput], judge: Judge) -> None:
        """Ask and judge all about the inputs of ``batch``."""
        judge.prepare(batch)
        STATUS.at("judging")
        for each in batch:
            for asking in judge.questions(each):
                judged = judge.judged(asking)
                if isinstance(judged, list):
                    self.answers += 1
                    self.collector.take(judged, asking, each.input.id)
                else:
                    self._count(judged)
            self.inputs += 1

    def add(self, later: Gathered) -> None:
        """Take in what came of ``later`` inputs."""
        self.inputs += later.inputs
        self.answers += later.answers
        self.unsupported += later.unsupported
        self.failed += later.failed
        self.lost += later.lost
        self.trouble = first_troubles((*self.trouble, *later.trouble))
        self.collector.add(later.collector)

    def _count(self, outcome: Outcome) -> None:
        match outcome:
            case Unsupported():
                self.unsupported += 1
                return
            case Failed(kind, message):
                self.failed += 1
                told = f"{kind}: {message}"
            case _:
                self.lost += 1
                told = outcome.detail if isinstance(outcome, Crashed) else in_words(outcome)
        self.trouble = first_troubles((*self.trouble, told))


def first_troubles(messages: Sequence[str]) -> tuple[str, ...]:
    """Return those of ``messages`` that are told: the first ones that are not alike.

    >>> first_troubles(["no a", "no b", "no a", "no c", "no d"])
    ('no a', 'no b', 'no c')
    """
    unlike: dict[str, str] = {}
    for each in messages:
        unlike.setdefault(each[:ALIKE], each)
    return tuple(unlike.values())[:MOST_TROUBLE]
