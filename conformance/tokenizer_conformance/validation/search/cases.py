"""What is asked about in a search, and what came of it: values that pass between the search and its processes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.ledger.entry import Entry

EFFORT_OF_A_CASE = 40
"""What a text costs beside its characters, in characters: the price of asking at all."""

EFFORT_OF_A_VARIANT = 200
"""What a text of a variant costs beyond that: both sides load that for a few texts."""


@dataclass(frozen=True, slots=True)
class Case:
    """One text to ask about: text ``number`` of its generator, with the ``other`` one of its pair.

    ``questions`` are asked before all else, word for word. Where it is not ``thorough``, only the questions are put
    that every implementation has to answer about a text alone. ``variant`` is the number of the copy of the
    tokenizer.json with another truncation or padding that is asked about, ``None``: the file as it stands.
    """

    number: int
    text: str
    other: str = ""
    questions: tuple[Observation, ...] = ()
    thorough: bool = True
    variant: int | None = None

    @property
    def effort(self) -> int:
        """What it costs to ask, in characters: a stand-in for time, which no two machines share."""
        loading = 0 if self.variant is None else EFFORT_OF_A_VARIANT
        return EFFORT_OF_A_CASE + len(self.text) + sum(len(repr(question)) for question in self.questions) + loading


@dataclass(frozen=True, slots=True)
class Batch:
    """Cases of one ``generator``, asked about together; batches are numbered in the order in which they are dealt."""

    number: int
    generator: str
    cases: tuple[Case, ...]

    @property
    def effort(self) -> int:
        """What it costs to ask all."""
        return sum(case.effort for case in self.cases)

    def input_id(self, case: Case) -> str:
        """Return what the text of ``case`` is called in reports."""
        return f"{self.generator} {case.number}"


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The result of a case.

    ``mismatches`` are questions whose answers differ for their own sake, as far as the text alone can tell: of each
    manner the first; ``differing`` counts them all. ``questions`` were asked, and ``values`` fields agreed.
    ``unstable`` counts answers that differed, and were others when the question was put again. ``known`` counts the
    differences that a ledger expects, by entry. ``is_lost``: a side has lost its process, or its time, over the case.
    """

    questions: int
    values: int
    mismatches: tuple[Observation, ...] = ()
    differing: int = 0
    unstable: int = 0
    known: Counter[Entry] = field(default_factory=Counter)
    is_lost: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """The result of the cases of a batch, in their order; where ``error`` is set, a bug has ended the batch."""

    results: tuple[CaseResult, ...] = ()
    error: str | None = None
