"""Releases beside one another: on how many inputs each two of them differ, at each stage.

Snapshots of the same inputs are read line by line, side by side. Lines of answers that are the same bytes are the same
answers, so that only others are looked into; one input of each release is in memory at a time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import chain, combinations, groupby, pairwise
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import PIPELINE_STAGES, Field, OffsetUnit, Stage, stage_of
from tokenizer_conformance.command_io.status import STATUS, Place
from tokenizer_conformance.comparison.differences import OutcomeInUnit, compare
from tokenizer_conformance.inputs.corpus import paired
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.releases.snapshot_file.lines import answers_in
from tokenizer_conformance.releases.snapshot_file.replay import answers_by_question
from tokenizer_conformance.results.records.versions import Changed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.comparison.differences import Difference
    from tokenizer_conformance.inputs.corpus import PairedInput
    from tokenizer_conformance.releases.snapshot_file.reader import Line, Snapshot

TOLD_EVERY = 500

MOST_IDS = 2000
"""Of the inputs on which a release and the next one differ so many are looked into, of each tokenizer."""

Pair = tuple[int, int]
"""Two releases, by their numbers (from 0), the earlier one first."""

ENCODING = frozenset({Stage.MODEL, Stage.POST_PROCESS})

Changes = dict[Stage, set[Changed]]
"""What changes on one input, by the stages at which it does."""


@dataclass(frozen=True, slots=True)
class TokenizerMatrix:
    """How releases answer about one tokenizer.

    ``loaded`` are the numbers of the releases that load it. ``differing`` counts the inputs on which two differ at a
    stage, ``inputs`` those on which they differ at any, and ``changed`` these by source and by what of them changes;
    ``ids`` are the first :data:`MOST_IDS` of these inputs, of each release and the next one that loads the tokenizer;
    ``encoded`` are the ids of those whose encodings differ.
    """

    tokenizer: str
    loaded: tuple[int, ...]
    inputs: Mapping[Pair, int]
    differing: Mapping[tuple[Pair, Stage], int]
    ids: Mapping[Pair, frozenset[str]] = field(default_factory=dict)
    changed: Mapping[Pair, Mapping[tuple[int, Changed], int]] = field(default_factory=dict)
    encoded: Mapping[Pair, Collection[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Compared:
    """What of two answers is compared: those at ``stages``, in ``fields``."""

    stages: frozenset[Stage] = frozenset(PIPELINE_STAGES)
    fields: frozenset[Field] = frozenset(Field)


def matrices(
    snapshots: Sequence[Snapshot],
    tokenizers: Sequence[str],
    inputs: int,
    what: Compared,
    copies: Mapping[str, str] | None = None,
) -> Iterator[TokenizerMatrix]:
    """Yield the matrix of each of ``tokenizers``, in the order in which all ``snapshots`` have them.

    They are of the same inputs, so many. ``copies`` are copies of tokenizers before them, by name: of these, inputs are
    left out where the tokenizer itself encodes a text of them otherwise, so that a change is told once. Raises
    :class:`BadInputError` where a file is not what it was.
    """
    readers = [_Reader(snapshot) for snapshot in snapshots]
    encoded: dict[str, Mapping[Pair, Collection[str]]] = {}
    for name in tokenizers:
        STATUS.begin(name, "comparing releases")
        of = (copies or {}).get(name)
        matrix = _matrix(name, readers, inputs, what, {} if of is None else encoded[of])
        encoded[name] = matrix.encoded
        yield matrix


class _Reader:
    """Reads a snapshot from tokenizer to tokenizer."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.unit = snapshot.header.info.offset_unit
        self._lines: Iterator[Line] = snapshot.between()
        self._tokenizers = iter(snapshot.tokenizers)

    def begin(self, name: str) -> bool:
        """Go to the tokenizer called ``name``; tell whether the release has loaded it."""
        begun = (next(self._tokenizers) for line in self._lines if line.kind == "tokenizer")
        found = next((each for each in begun if each.name == name), None)
        return found is not None and found.error is None

    def answers(self) -> Iterator[Line]:
        """Yield the lines of answers about the tokenizer."""
        for line in self._lines:
            if line.kind != "answers":
                self._lines = chain((line,), self._lines)
                return
            yield line

    def read(self, line: Line, each: PairedInput) -> dict[Observation, Outcome]:
        """Return what ``line`` has of an input, by question. Raises :class:`BadInputError`."""
        outcomes = self.snapshot.read(line, answers_in).outcomes
        return answers_by_question(each.input.text, each.following.text, outcomes)


def _matrix(
    name: str, readers: Sequence[_Reader], total: int, what: Compared, told: Mapping[Pair, Collection[str]]
) -> TokenizerMatrix:
    """Return the matrix of a tokenizer; what is ``told`` already are ids of inputs of each two releases."""
    loaded = tuple(number for number, reader in enumerate(readers) if reader.begin(name))
    inputs: Counter[Pair] = Counter()
    differing: Counter[tuple[Pair, Stage]] = Counter()
    ids: dict[Pair, set[str]] = {pair: set() for pair in pairwise(loaded)}
    changed: defaultdict[Pair, Counter[tuple[int, Changed]]] = defaultdict(Counter)
    encoded: defaultdict[Pair, set[str]] = defaultdict(set)
    if loaded:
        asked = [readers[number] for number in loaded]
        lines = zip(_inputs(asked[0].snapshot), *(reader.answers() for reader in asked), strict=True)
        for done, ((source, each), *answers) in enumerate(lines, 1):
            if done % TOLD_EVERY == 0:
                STATUS.reach(Place(name, done, total))
            for (first, second), found in _differing(asked, answers, each, what):
                pair = loaded[first], loaded[second]
                if not {each.input.id, each.following.id}.isdisjoint(told.get(pair, ())):
                    continue
                if not ENCODING.isdisjoint(found):
                    encoded[pair].add(each.input.id)
                inputs[pair] += 1
                changed[pair][source, gravest(found)] += 1
                differing.update((pair, stage) for stage in found)
                if pair in ids and len(ids[pair]) < MOST_IDS:
                    ids[pair].add(each.input.id)
    looked_into = {pair: frozenset(found) for pair, found in ids.items()}
    return TokenizerMatrix(name, loaded, dict(inputs), dict(differing), looked_into, changed, encoded)


def _inputs(snapshot: Snapshot) -> Iterator[tuple[int, PairedInput]]:
    """Yield the inputs, each with the number of its source."""
    for source, group in groupby(snapshot.inputs(), key=lambda each: each.source):
        yield from ((source, each) for each in paired(Input(one.id, one.category, one.text) for one in group))


def _differing(
    readers: Sequence[_Reader], lines: Sequence[Line], each: PairedInput, what: Compared
) -> Iterator[tuple[Pair, Changes]]:
    """Yield each two of ``readers`` that differ on one input, with what changes at which stages."""
    kinds = [(reader.unit, line.content) for reader, line in zip(readers, lines, strict=True)]
    if len(set(kinds)) == 1:
        return
    read: dict[tuple[OffsetUnit, bytes], Answers] = {}
    for kind, reader, line in zip(kinds, readers, lines, strict=True):
        if kind not in read:
            read[kind] = Answers(reader.read(line, each), reader.unit)
    known: dict[tuple[tuple[OffsetUnit, bytes], tuple[OffsetUnit, bytes]], Changes] = {}
    for (first, one), (second, other) in combinations(enumerate(kinds), 2):
        if one == other:
            continue
        if (one, other) not in known:
            known[one, other] = changes_between(read[one], read[other], what)
        if known[one, other]:
            yield (first, second), known[one, other]


@dataclass(frozen=True, slots=True)
class Answers:
    """What a release answered about one input, by question; offsets count ``unit``."""

    outcomes: Mapping[Observation, Outcome]
    unit: OffsetUnit = OffsetUnit.CODE_POINTS


def changes_between(one: Answers, other: Answers, what: Compared) -> Changes:
    """Return what changes at which stages, of what both releases were asked, as a run compares it.

    A question that follows from an answer is another one where that is, and is not compared. Both may have failed
    alike, which is no change.

    >>> from tokenizer_adapters.contract import Normalize, Text
    >>> old, new = (Answers({Normalize("A"): Text(text)}) for text in "ab")
    >>> changes_between(old, new, Compared())
    {<Stage.NORMALIZE: 'normalize'>: {<Changed.INSIDE: 'only inside the pipeline'>}}
    """
    found: Changes = {}
    for question, outcome in one.outcomes.items():
        stage = stage_of(question)
        if stage in what.stages and question in other.outcomes:
            for difference in _differences(question, (outcome, one.unit), other, what):
                found.setdefault(stage, set()).add(_changed(stage, difference.field))
    return found


def gravest(changes: Changes) -> Changed:
    """Return the gravest of ``changes``, of which there are some."""
    return min(chain(*changes.values()), key=[*Changed].index)


def _differences(
    question: Observation, one: tuple[Outcome, OffsetUnit], other: Answers, what: Compared
) -> tuple[Difference, ...]:
    outcome = other.outcomes[question]
    if one == (outcome, other.unit):
        return ()
    return compare(question, OutcomeInUnit(*one), OutcomeInUnit(outcome, other.unit), what.fields).differences


def _changed(stage: Stage, field: Field | None) -> Changed:
    """Return what a difference in ``field`` at ``stage`` is to who uses the answers."""
    if field is None:
        return Changed.ANSWER
    return CHANGED_STAGES.get(stage) or CHANGED_FIELDS.get(field, Changed.OTHER)


CHANGED_STAGES = {
    Stage.NORMALIZE: Changed.INSIDE,
    Stage.PRE_TOKENIZE: Changed.INSIDE,
    Stage.DECODE: Changed.DECODED,
}

CHANGED_FIELDS = {
    Field.IDS: Changed.IDS,
    Field.TOKENS: Changed.IDS,
    Field.OVERFLOWING: Changed.OVERFLOWING,
    Field.OFFSETS: Changed.OFFSETS,
}
