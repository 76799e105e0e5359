"""A witness: one difference between two implementations, with all that shows it again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_conformance.comparison.findings import length_of

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Field, Observation, Outcome, Stage, TokenizerSource
    from tokenizer_conformance.comparison.differences import Difference, DifferenceKind, Party
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.comparison.verdicts import Verdict
    from tokenizer_conformance.comparison.whole_answers import WholeAnswers


@dataclass(frozen=True, slots=True)
class Manner:
    """How two answers differ, whatever they are: what must stay while a witness is made smaller.

    ``stage`` is the one to blame; ``field`` is ``None`` where there were no values; ``detail`` is the class
    of an error.
    """

    stage: Stage
    field: Field | None
    verdict: Verdict
    kind: DifferenceKind
    party: Party | None
    detail: str


@dataclass(frozen=True, slots=True)
class Witness:
    """One difference, with all that shows it again.

    ``source`` is the tokenizer of the user; ``document`` the changed tokenizer.json that both sides were given in its
    place, ``None`` where they were given the file as it stands. ``expected`` is the whole answer of the baseline to
    ``question``, ``actual`` that of the implementation. ``difference`` is the first of their differences, in the order
    of the fields; ``stage`` is the stage to blame: no earlier one differs on the texts of the question.

    ``answers`` are both answers in the form that records keep, bounded and with offsets in code points; ``None`` where
    a record has none. The outcomes themselves are in no record.

    Where the file lies and what was answered beside the difference makes no other witness.
    """

    source: TokenizerSource = field(compare=False)
    document: Json | None
    question: Observation
    stage: Stage
    difference: Difference
    expected: Outcome = field(compare=False)
    actual: Outcome = field(compare=False)
    answers: WholeAnswers | None = field(default=None, compare=False)

    @property
    def manner(self) -> Manner:
        """How the answers differ."""
        difference = self.difference
        return Manner(
            self.stage, difference.field, difference.verdict, difference.kind, difference.party, difference.detail
        )

    @property
    def size(self) -> int:
        """How much is asked about: code points of the texts, or ids."""
        return length_of(self.question)
