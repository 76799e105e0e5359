"""Findings: the differences of one tokenizer, gathered by signature.

Of each finding its counts are kept and two examples, however many differences belong to it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Self

from tokenizer_adapters.contract import (
    Chat,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    Field,
    Normalize,
    Observation,
    Pieces,
    PreTokenize,
    Stage,
    Text,
    plain_of,
)
from tokenizer_conformance.comparison.blame import STAGE_ORDER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import Outcome
    from tokenizer_conformance.comparison.differences import Difference, DifferenceKind, Party
    from tokenizer_conformance.comparison.verdicts import Verdict
    from tokenizer_conformance.comparison.whole_answers import WholeAnswers
    from tokenizer_conformance.inputs.text import Input
    from tokenizer_conformance.ledger.entry import Entry

MOST_IDS = 20
"""How many inputs a finding names."""

MOST_INPUTS = 10_000
"""How many inputs are known of a finding, or of a cause, while a command is at work; an entry of a ledger names all."""


@dataclass(frozen=True, slots=True)
class Signature:
    """What the differences of one finding have in common. ``detail`` is the class of an error, else empty.

    ``entry`` is that of the ledger by which they are known, ``None`` where they are new.
    """

    tokenizer: str
    implementation: str
    stage: Stage
    field: Field | None
    verdict: Verdict
    kind: DifferenceKind
    party: Party | None
    detail: str
    entry: Entry | None = None


def signature_of(
    tokenizer: str, implementation: str, stage: Stage, difference: Difference, entry: Entry | None = None
) -> Signature:
    """Return the signature of the finding that ``difference`` belongs to; ``entry`` is that by which it is known."""
    return Signature(
        tokenizer=tokenizer,
        implementation=implementation,
        stage=stage,
        field=difference.field,
        verdict=difference.verdict,
        kind=difference.kind,
        party=difference.party,
        detail=difference.detail,
        entry=entry,
    )


@dataclass(frozen=True, slots=True)
class Near:
    """A place in a question: ``position`` in code points of its text, or of its pair."""

    position: int
    in_pair: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    """One difference, where it was seen.

    ``differs_at`` is the first stage at which the implementation differs on this input; ``consequence_of`` the earlier
    stage that explains this difference, ``None`` where the difference is its own. ``near`` is where in the question it
    is seen, ``None`` where that is not known. ``reduced_from`` is the length of the question that was asked about the
    input, where ``question`` is a shorter one that shows the same. ``answers`` are both whole answers to ``question``,
    ``None`` where they were not kept; they make no other example.
    """

    input: Input
    question: Observation
    difference: Difference
    differs_at: Stage
    consequence_of: Stage | None
    near: Near | None = None
    reduced_from: int | None = None
    answers: WholeAnswers | None = field(default=None, compare=False)

    @property
    def length_at_first(self) -> int:
        """How long the question was before it was made smaller: code points of its texts, or ids."""
        return length_of(self.question) if self.reduced_from is None else self.reduced_from


@dataclass(frozen=True, slots=True)
class RecordedExample(Example):
    """An example from a record: of a long text the question has the beginning only, and ``recorded`` is how it stands.

    Where it is recorded again, it so stands as it did.
    """

    recorded: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finding:
    """All differences with one signature.

    ``differences`` counts them, ``inputs`` the inputs that show them; ``consequences`` are those of the differences
    that an earlier stage explains. ``first`` is the first example in the order of the inputs, ``smallest`` the one with
    the shortest text, among differences that are their own where there are any. ``repeat`` is the command that shows
    the latter. ``own_inputs`` are the ids of the inputs that show it as a difference of its own, the first
    ``MOST_IDS`` of them, and ``every_input`` all of them up to ``MOST_INPUTS``: no record has these.
    """

    signature: Signature
    differences: int
    inputs: int
    consequences: int
    first: Example
    smallest: Example
    repeat: str = ""
    own_inputs: tuple[str, ...] = ()
    every_input: tuple[str, ...] = field(default=(), compare=False)

    @property
    def is_consequence(self) -> bool:
        """Whether every difference of this finding is explained by an earlier stage."""
        return self.consequences == self.differences


class FindingCollector:
    """Gathers the differences of one tokenizer into findings."""

    def __init__(self, tokenizer: str, kept: Callable[[str, Example], Example] | None = None) -> None:
        """Begin; ``kept`` makes of an example that becomes the smallest of an implementation what is kept as such."""
        self._tokenizer = tokenizer
        self._kept = kept
        self._gathered: dict[Signature, _Gathered] = {}

    def restore(self, findings: Iterable[Finding]) -> None:
        """Take over the findings of an earlier run on the inputs before."""
        for finding in findings:
            self._gathered[finding.signature] = _Gathered.restored(finding)

    def complete(self, whole: Callable[[Example], Example]) -> None:
        """Put what ``whole`` makes of an example in the place of every example."""
        for gathered in self._gathered.values():
            gathered.complete(whole)

    def add(
        self, implementation: str, stage: Stage, example: Example, *, new_input: int, entry: Entry | None = None
    ) -> int:
        """Take in one difference and return how many of its finding there are now.

        ``new_input`` numbers the input: differences of one input arrive together and count it once. ``entry`` is that
        by which the difference is known.
        """
        signature = signature_of(self._tokenizer, implementation, stage, example.difference, entry)
        gathered = self._gathered.get(signature)
        if gathered is None:
            gathered = self._gathered[signature] = _Gathered(example)
        gathered.add(example, new_input)
        if self._kept is not None and gathered.smallest is example:
            gathered.smallest = self._kept(implementation, example)
        return gathered.differences

    def smallest(self) -> Iterator[tuple[Signature, Example]]:
        """Yield the smallest example of each finding; it may be replaced meanwhile."""
        for signature, gathered in self._gathered.items():
            yield signature, gathered.smallest

    def own_groups(self) -> list[tuple[list[Signature], Example]]:
        """Return signatures of differences that no earlier stage explains, those with one smallest example together."""
        groups: dict[object, tuple[list[Signature], Example]] = {}
        for signature, gathered in self._gathered.items():
            example = gathered.smallest
            if example.consequence_of is None:
                key = (signature.implementation, signature.stage, signature.party, example.input.id, example.question)
                groups.setdefault(key, ([], example))[0].append(signature)
        return list(groups.values())

    def replace_smallest(self, signature: Signature, example: Example) -> None:
        """Put ``example``, a smaller one, in the place of the smallest one with ``signature``."""
        self._gathered[signature].smallest = example

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
        self._own_inputs: dict[str, None] = {}
        self._first = example
        self.smallest = example

    @classmethod
    def restored(cls, finding: Finding) -> Self:
        """Return what was gathered for ``finding``."""
        gathered = cls(finding.first)
        gathered.smallest = finding.smallest
        gathered.differences = finding.differences
        gathered._inputs = finding.inputs
        gathered._consequences = finding.consequences
        gathered._own_inputs = dict.fromkeys(finding.own_inputs)
        return gathered

    def complete(self, whole: Callable[[Example], Example]) -> None:
        self._first, self.smallest = whole(self._first), whole(self.smallest)

    def add(self, example: Example, number: int) -> None:
        self.differences += 1
        self._consequences += example.consequence_of is not None
        self._inputs += number != self._last_input
        self._last_input = number
        if example.consequence_of is None and len(self._own_inputs) < MOST_INPUTS:
            self._own_inputs[example.input.id] = None
        if _size(example) < _size(self.smallest):
            self.smallest = example

    def finding(self, signature: Signature) -> Finding:
        return Finding(
            signature,
            self.differences,
            self._inputs,
            self._consequences,
            self._first,
            self.smallest,
            own_inputs=tuple(self._own_inputs)[:MOST_IDS],
            every_input=tuple(self._own_inputs),
        )


def joined(parts: Iterable[Sequence[Finding]]) -> tuple[Finding, ...]:
    """Return the findings of several parts of a run on one tokenizer, those with one signature as one.

    The parts are in the order of their inputs, and no input is in two of them.
    """
    found: dict[Signature, Finding] = {}
    for finding in (finding for part in parts for finding in part):
        earlier = found.get(finding.signature)
        found[finding.signature] = finding if earlier is None else _joined(earlier, finding)
    implementations = list(dict.fromkeys(signature.implementation for signature in found))
    return tuple(sorted(found.values(), key=lambda finding: _place(finding, implementations)))


def _joined(one: Finding, other: Finding) -> Finding:
    small = min(one, other, key=lambda each: _size(each.smallest))
    return replace(
        small,
        differences=one.differences + other.differences,
        inputs=one.inputs + other.inputs,
        consequences=one.consequences + other.consequences,
        first=one.first,
        own_inputs=(*one.own_inputs, *other.own_inputs)[:MOST_IDS],
    )


def _size(example: Example) -> tuple[bool, int]:
    """Return what the smallest example has least of: a part that made its own smaller is not preferred for that."""
    return example.consequence_of is not None, example.length_at_first


def near(question: Observation, position: int | None, baseline: Outcome) -> Near | None:
    """Return where in ``question`` the entry at ``position`` of the baseline's answer comes from.

    >>> near(Encode("ab cd"), 1, Encoded((7, 8), offsets=((0, 2), (3, 5))))
    Near(position=3, in_pair=False)
    """
    if position is None:
        return None
    match plain_of(question), baseline:
        case Encode(str(), pair), Encoded(offsets=tuple() as offsets) if offsets:
            at = min(position, len(offsets) - 1)
            sequences = baseline.sequence_ids or ()  # an answer may have fewer of them than offsets
            in_pair = pair is not None and at < len(sequences) and sequences[at] == 1
            return _near_to(offsets[at][0], in_pair=in_pair)
        case PreTokenize(), Pieces(pieces) if pieces:
            span = pieces[min(position, len(pieces) - 1)][1]
            return None if span is None else _near_to(span[0])
        case Normalize(text), Text():
            return Near(min(position, len(text)))
    return None


def _near_to(position: int, *, in_pair: bool = False) -> Near | None:
    """Return the place at ``position``; ``None`` before the text, where an implementation may have it, or a record."""
    return None if position < 0 else Near(position, in_pair)


def length_of(question: Observation) -> int:
    """Return how much ``question`` asks about: code points of its texts, or ids.

    >>> length_of(Encode("ab", "c")), length_of(Encode(("ab", "cd")))
    (3, 4)
    """
    match plain_of(question):
        case Encode(text, pair):
            return sum(map(len, text)) + sum(map(len, pair or ()))
        case EncodeBatch(inputs):
            return sum(map(length_of, inputs))
        case Normalize(text) | PreTokenize(text):
            return len(text)
        case DecodeStream() as stream:
            return len(stream.all_ids)
        case Decode(ids):
            return len(ids)
        case Chat(messages, tools):
            return len(messages) + len(tools or "")


def _place(finding: Finding, implementations: list[str]) -> tuple[int, bool, int, int]:
    signature = finding.signature
    fields = list(Field)
    return (
        implementations.index(signature.implementation),
        finding.is_consequence,
        STAGE_ORDER.index(signature.stage),
        -1 if signature.field is None else fields.index(signature.field),
    )
