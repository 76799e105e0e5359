"""Making a witness smaller while it shows the same: first its question, then its tokenizer.json.

A witness *shows the same* where its manner is the same: stage, field, verdict, kind, party and class of error; where
that is there again when asked again; and where no earlier stage explains it. A smaller tokenizer.json must also leave
the answers what they are where they part (:func:`contrast`): a file with other tokens could differ for another reason.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    Encode,
    Encoded,
    EncodedBatch,
    Field,
    Normalize,
    Pieces,
    PreTokenize,
    Text,
)
from tokenizer_conformance.comparison.differences import Excerpt
from tokenizer_conformance.comparison.document_parts import document_size, names_of_ids
from tokenizer_conformance.comparison.document_reduction import Used, reduced_document
from tokenizer_conformance.comparison.question_reduction import reduced_question, slots_of
from tokenizer_conformance.comparison.reduction import BudgetSpentError, Case

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.causes.bench import Bench, Trial
    from tokenizer_conformance.causes.witness import Witness
    from tokenizer_conformance.comparison.differences import Side
    from tokenizer_conformance.comparison.reduction import Json


@dataclass(frozen=True, slots=True)
class Budget:
    """What making one witness smaller may cost: ``seconds`` by the ``clock``, and questions."""

    seconds: float = 10.0
    checks: int = 3000
    clock: Callable[[], float] = time.monotonic


ENOUGH = Budget()


def _nobody() -> None:
    """Tell nobody."""


def _none(_question: Observation) -> bool:
    return False


# Questions -----------------------------------------------------------------------------------------------------------


def minimized_question(
    trial: Trial,
    witness: Witness,
    budget: Budget = ENOUGH,
    told: Callable[[], None] = _nobody,
    is_known: Callable[[Observation], bool] = _none,
) -> Witness:
    """Return ``witness`` with the smallest question that was found to show the same on its tokenizer.

    ``trial`` has that tokenizer. Where nothing smaller shows the same, and once the ``budget`` is spent, that is the
    best witness so far; it is never larger than the one that was given. ``told`` is called before each check. Smaller
    questions that are ``is_known`` are passed by: they show the same for a reason that ``witness`` does not have.
    """
    found: dict[Observation, Witness] = {witness.question: witness}
    until = budget.clock() + budget.seconds

    def shows_the_same(question: Observation) -> bool:
        if budget.clock() > until:
            raise BudgetSpentError
        told()
        seen = trial.witness(question)
        if seen is None or seen.manner != witness.manner or is_known(question):
            return False
        found[question] = replace(seen, source=witness.source, document=witness.document)
        return True

    return found[reduced_question(witness.question, shows_the_same, budget.checks, trial.vocabulary)]


def _same(trial: Trial, witness: Witness, question: Observation) -> Witness | None:
    """Return what ``question`` shows, where that is the same as ``witness``."""
    seen = trial.witness(question)
    if seen is None or seen.manner != witness.manner:
        return None
    return replace(seen, source=witness.source, document=witness.document)


def _text_of(question: Observation) -> str | None:
    """Return the text of a question that is about one text as it stands, else ``None``."""
    match question:
        case Normalize(text) | PreTokenize(text) | Encode(str(text), None):
            return text
        case _:
            return None


# Documents -----------------------------------------------------------------------------------------------------------


def minimized_document(
    bench: Bench, witness: Witness, budget: Budget = ENOUGH, told: Callable[[], None] = _nobody
) -> Witness:
    """Return ``witness`` with the smallest tokenizer.json that was found to show the same.

    Its question stays, but for ids that are given other numbers. Where a side reads other files than the
    tokenizer.json, and where no smaller one shows the same, the witness is returned as it is: it never gets larger.
    ``told`` is called before each check. Raises ``OSError`` and ``ValueError`` where the file
    of the witness cannot be read.
    """
    document = bench.document_of(witness)
    wanted = contrast(witness, document)
    found: list[tuple[Case, Witness]] = []
    until = budget.clock() + budget.seconds

    def shows_the_same(case: Case) -> bool:
        if budget.clock() > until or case.question is None:
            raise BudgetSpentError
        told()
        trial = bench.trial_of(witness.source, case.document)
        if trial is None:
            return False
        if not trial.takes_documents:
            raise BudgetSpentError
        seen = trial.witness(case.question)
        if seen is None or seen.manner != witness.manner or contrast(seen, case.document) != wanted:
            return False
        found.append((case, replace(seen, source=witness.source, document=case.document)))
        return True

    case = reduced_document(Case(document, witness.question), shows_the_same, budget.checks, _used(witness, document))
    if document_size(case.document) > document_size(document):
        return witness
    return next((seen for kept, seen in reversed(found) if kept == case), witness)


def contrast(witness: Witness, document: Json) -> tuple[object, ...]:
    """Return what stands on either side where the answers of ``witness`` part, and the tokens that were asked about.

    ``document`` is the tokenizer.json, which says what its ids are called.
    """
    difference = witness.difference
    names = names_of_ids(document)
    of_answers = names if difference.field is Field.IDS else {}
    sides = (_entry(each, difference.position, of_answers) for each in (difference.baseline, difference.implementation))
    ids = (number for slot in slots_of(witness.question) if not isinstance(slot, str) for number in slot)
    return (*sides, *(names.get(number) for number in ids))


def _entry(side: Side, position: int | None, names: Mapping[int, str]) -> object:
    """Return the entry at ``position`` of one side; without a position, of an error, only what it is."""
    if not isinstance(side, Excerpt):
        return type(side)
    if position is None:
        return side.entries
    place = position - side.start
    if not 0 <= place < len(side.entries):
        return None
    entry = side.entries[place]
    if isinstance(entry, int) and names:
        return side.tokens[place] if side.tokens is not None and place < len(side.tokens) else names.get(entry, entry)
    return entry


def _used(witness: Witness, document: Json) -> Used:
    """Return what the answers of ``witness`` are made of."""
    names = names_of_ids(document)
    tokens = [token for outcome in (witness.expected, witness.actual) for token in _tokens(outcome, names)]
    texts = []
    for slot in slots_of(witness.question):
        if isinstance(slot, str):
            texts.append(slot)
        else:
            tokens += [names[number] for number in slot if number in names]
    texts += [text for outcome in (witness.expected, witness.actual) for text in _answer_texts(outcome)]
    return Used(tuple(tokens), tuple(texts))


def _tokens(outcome: Outcome, names: Mapping[int, str]) -> list[str]:
    match outcome:
        case Encoded(ids, tokens):
            return list(tokens) if tokens is not None else [names[number] for number in ids if number in names]
        case EncodedBatch(encodings):
            return [token for each in encodings for token in _tokens(each, names)]
        case _:
            return []


def _answer_texts(outcome: Outcome) -> list[str]:
    match outcome:
        case Text(text):
            return [text]
        case Pieces(pieces):
            return [piece for piece, _ in pieces]
        case _:
            return []
