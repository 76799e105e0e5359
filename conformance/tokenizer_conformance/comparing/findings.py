"""Findings: the differences of one tokenizer, gathered by signature.

Of each finding its counts are kept and two examples, however many differences belong to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from tokenizer_adapters.contract import Encode, Field, Normalize, Observation, PreTokenize, Stage
from tokenizer_conformance.comparing.blame import STAGE_ORDER

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_conformance.comparing.comparison import Difference, DifferenceKind, Party
    from tokenizer_conformance.comparing.verdicts import Verdict
    from tokenizer_conformance.inputs.text import Input


@dataclass(frozen=True, slots=True)
class Signature:
    """What the differences of one finding have in common. ``detail`` is the class of an error, else empty."""

    tokenizer: str
    implementation: str
    stage: Stage
    field: Field | None
    verdict: Verdict
    kind: DifferenceKind
    party: Party | None
    detail: str


@dataclass(frozen=True, slots=True)
class Example:
    """One difference, where it was seen.

    ``parted_at`` is the first stage at which the implementation parts on this input; ``consequence_of`` the earlier
    stage that explains this difference, ``None`` where the difference is its own.
    """

    input: Input
    question: Observation
    difference: Difference
    parted_at: Stage
    consequence_of: Stage | None


@dataclass(frozen=True, slots=True)
class Finding:
    """All differences with one signature.

    ``differences`` counts them, ``inputs`` the inputs that show them; ``consequences`` are those of the differences that
    an earlier stage explains. ``first`` is the first example in the order of the inputs, ``smallest`` the one with the
    shortest text, among differences that are their own where there are any.
    """

    signature: Signature
    differences: int
    inputs: int
    consequences: int
    first: Example
    smallest: Example

    @property
    def is_consequence(self) -> bool:
        """Whether every difference of this finding is explained by an earlier stage."""
        return self.consequences == self.differences


class FindingCollector:
    """Gathers the differences of one tokenizer into findings."""

    def __init__(self, tokenizer: str) -> None:
        self._tokenizer = tokenizer
        self._gathered: dict[Signature, _Gathered] = {}

    def restore(self, findings: Iterable[Finding]) -> None:
        """Take over the findings of an earlier run on the inputs before."""
        for finding in findings:
            self._gathered[finding.signature] = _Gathered.restored(finding)

    def add(self, implementation: str, stage: Stage, example: Example, *, new_input: int) -> int:
        """Take in one difference and return how many of its finding there are now.

        ``new_input`` numbers the input: differences of one input arrive together and count it once.
        """
        difference = example.difference
        signature = Signature(
            tokenizer=self._tokenizer,
            implementation=implementation,
            stage=stage,
            field=difference.field,
            verdict=difference.verdict,
            kind=difference.kind,
            party=difference.party,
            detail=difference.detail,
        )
        gathered = self._gathered.get(signature)
        if gathered is None:
            gathered = self._gathered[signature] = _Gathered(example)
        gathered.add(example, new_input)
        return gathered.differences

    def findings(self) -> tuple[Finding, ...]:
        """Return the findings so far: by implementation, what is its own first, then in the order of the stages."""
        findings = [gathered.finding(signature) for signature, gathered in self._gathered.items()]
        implementations = list(dict.fromkeys(finding.signature.implementation for finding in findings))
        return tuple(sorted(findings, key=lambda finding: _place(finding, implementations)))


class _Gathered:
    """What is kept of the differences with one signature."""

    def __init__(self, example: Example) -> None:
        self.differences = 0
        self._inputs = 0
        self._consequences = 0
        self._last_input: int | None = None
        self._first = example
        self._smallest = example

    @classmethod
    def restored(cls, finding: Finding) -> Self:
        """Return what was gathered for ``finding``."""
        gathered = cls(finding.first)
        gathered._smallest = finding.smallest
        gathered.differences = finding.differences
        gathered._inputs = finding.inputs
        gathered._consequences = finding.consequences
        return gathered

    def add(self, example: Example, number: int) -> None:
        self.differences += 1
        self._consequences += example.consequence_of is not None
        self._inputs += number != self._last_input
        self._last_input = number
        if _size(example) < _size(self._smallest):
            self._smallest = example

    def finding(self, signature: Signature) -> Finding:
        return Finding(signature, self.differences, self._inputs, self._consequences, self._first, self._smallest)


def _size(example: Example) -> tuple[bool, int]:
    return example.consequence_of is not None, length_of(example.question)


def length_of(question: Observation) -> int:
    """Return how much ``question`` asks about: code points of its texts, or ids.

    >>> length_of(Encode("ab", "c")), length_of(Encode(("ab", "cd")))
    (3, 4)
    """
    match question:
        case Encode(text, pair):
            return sum(map(len, text)) + sum(map(len, pair or ()))
        case Normalize(text) | PreTokenize(text):
            return len(text)
        case _:
            return len(question.ids)


def _place(finding: Finding, implementations: list[str]) -> tuple[int, bool, int, int]:
    signature = finding.signature
    fields = list(Field)
    return (
        implementations.index(signature.implementation),
        finding.is_consequence,
        STAGE_ORDER.index(signature.stage),
        -1 if signature.field is None else fields.index(signature.field),
    )
