"""Causes without a search: where known changes explain all in which the snapshots of two releases differ.

A copy that truncates differs on many texts for one known change. Both whole answers are in the snapshots, so each
difference is laid beside the known changes, and none is left over that the time to look for causes did not reach.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import stage_of
from tokenizer_conformance.causes.cause import NO_REASON, Cause, CauseSignature
from tokenizer_conformance.causes.culprit import shape_of_question
from tokenizer_conformance.causes.witness import Witness
from tokenizer_conformance.comparison.differences import OutcomeInUnit, compare
from tokenizer_conformance.comparison.whole_answers import whole_answers
from tokenizer_conformance.releases.snapshot_file.answer_order import entries
from tokenizer_conformance.releases.snapshot_file.lines import answers_in
from tokenizer_conformance.releases.snapshot_file.replay import answers_by_question
from tokenizer_conformance.validation.running.plan import Repeated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import Field, Observation, Outcome, TokenizerSource
    from tokenizer_conformance.causes.cause import ExplainedBy
    from tokenizer_conformance.inputs.text import Input
    from tokenizer_conformance.releases.diff.explanations import Explanations
    from tokenizer_conformance.releases.snapshot_file.answer_order import Entry
    from tokenizer_conformance.releases.snapshot_file.reader import Snapshot
    from tokenizer_conformance.validation.running.plan import Repeats

MOST_EXAMPLES = 5


def known_causes(
    sides: tuple[Snapshot, Snapshot],
    source: TokenizerSource,
    ids: frozenset[str],
    fields: frozenset[Field],
    explanations: Explanations,
    call: Repeats,
) -> tuple[Cause, ...] | None:
    """Return the causes of all that differs about the tokenizer of ``source`` on the inputs with ``ids``.

    ``call`` knows the commands that show them. ``None`` where known changes do not explain all of it. Raises
    :class:`BadInputError` where a snapshot cannot be read.
    """
    found: defaultdict[tuple[ExplainedBy, ...], list[tuple[Input, Witness]]] = defaultdict(list)
    for each, witness, explained in explained_differences(sides, source, ids, fields, explanations):
        if not explained:
            return None
        found[explained].append((each, witness))
    causes = []
    for explained, witnesses in found.items():
        first, smallest = min(witnesses, key=lambda each: each[1].size)
        of = (source.name, explanations.old, explanations.new, first.id, first.category, (smallest.question,))
        causes.append(_cause(explanations.new, explained, witnesses, smallest, call.repeat(Repeated(*of))))
    return tuple(causes)


def explained_differences(
    sides: tuple[Snapshot, Snapshot],
    source: TokenizerSource,
    ids: frozenset[str],
    fields: frozenset[Field],
    explanations: Explanations,
) -> Iterator[tuple[Input, Witness, tuple[ExplainedBy, ...]]]:
    """Yield what differs about the tokenizer of ``source`` on the inputs with ``ids``, and what explains it.

    Known changes are of packages whose offsets count code points: of others nothing is explained.
    """
    for entry, other in zip(*(entries(each, source.name) for each in sides), strict=True):
        if entry.each.input.id in ids:
            answers = (_answers(sides[0], entry), _answers(sides[1], other))
            for witness, differing in _witnesses(source, answers, fields):
                yield entry.each.input, witness, explanations.of_witness(witness, differing, is_of_new=True)


def _answers(snapshot: Snapshot, entry: Entry) -> dict[Observation, Outcome]:
    each = entry.each
    return answers_by_question(each.input.text, each.following.text, snapshot.read(entry.line, answers_in).outcomes)


def _witnesses(
    source: TokenizerSource,
    answers: tuple[dict[Observation, Outcome], dict[Observation, Outcome]],
    fields: frozenset[Field],
) -> Iterator[tuple[Witness, tuple[Field, ...]]]:
    """Yield what differs, with all fields in which the two answers do."""
    before, after = answers
    for question, expected in before.items():
        sides = (OutcomeInUnit(expected), OutcomeInUnit(after.get(question, expected)))
        differences = compare(question, *sides, fields).differences
        if differences:
            kept = whole_answers(question, *sides)
            expected_, actual = (each.outcome for each in sides)
            witness = Witness(source, None, question, stage_of(question), differences[0], expected_, actual, kept)
            yield witness, tuple(dict.fromkeys(each.field for each in differences if each.field is not None))


def _cause(
    name: str,
    explained: tuple[ExplainedBy, ...],
    witnesses: list[tuple[Input, Witness]],
    witness: Witness,
    repeat: str,
) -> Cause:
    inputs = dict.fromkeys(each.id for each, _ in witnesses)
    return Cause(
        implementation=name,
        signature=CauseSignature(
            witness.manner, "truncation", "texts that are truncated", shape_of_question(witness.question)
        ),
        witness=witness,
        reason=NO_REASON,
        differences=len(witnesses),
        inputs=len(inputs),
        tokenizers={witness.source.name: len(inputs)},
        examples=tuple(inputs)[:MOST_EXAMPLES],
        explained_by=explained,
        repeat=repeat,
    )
