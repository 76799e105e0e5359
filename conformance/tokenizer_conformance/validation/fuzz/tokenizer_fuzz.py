"""Comparing two implementations on random tokenizers and random hostile texts.

Tokenizer *n* of a seed is always the same, with the same texts and questions, whatever ran before it and in however
many processes (with one release of this package and one of Python): a difference is named by seed and number.

Where neither side gives a value there is nothing to compare. What each of them did then is counted by itself
(:mod:`tokenizer_conformance.comparison.no_value`), so that nothing of that kind passes for agreement. Where one side
gives a value, it is a difference.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Protocol

from tokenizer_adapters.contract import (
    CannotLoadError,
    Crashed,
    Failed,
    Implementation,
    ImplementationInfo,
    Normalize,
    Observation,
    Outcome,
    TimedOut,
    TokenizerSource,
    Unsupported,
    stage_of,
)
from tokenizer_adapters.selection import Isolation, select
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.comparison.blame import BUILDS_ON
from tokenizer_conformance.comparison.differences import (
    Comparison,
    Difference,
    OutcomeInUnit,
    Party,
    compare,
    confirmed,
)
from tokenizer_conformance.comparison.no_value import NoValue, Refusal, manner, without_value
from tokenizer_conformance.comparison.question_options import drawn_questions
from tokenizer_conformance.comparison.questions import about_text
from tokenizer_conformance.comparison.reduction import Case
from tokenizer_conformance.comparison.verdicts import NO_ANSWER, Verdict
from tokenizer_conformance.defaults import TEXTS_PER_TOKENIZER
from tokenizer_conformance.inputs.random_tokenizers import Document, random_document, random_text
from tokenizer_conformance.validation.fuzz.known import (
    entry_for_answer,
    entry_for_loading,
    entry_for_vocabulary,
    texts_in,
)
from tokenizer_conformance.validation.fuzz.results import (
    LOADING,
    AnswerDifference,
    Found,
    FuzzDifference,
    FuzzResult,
    LoadDifference,
    VocabularyDifference,
)

if TYPE_CHECKING:
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.validation.fuzz.plan import ImplementationPlan


class LoadedSide(Protocol):
    """One of the two implementations, with a tokenizer that it has loaded."""

    @property
    def info(self) -> ImplementationInfo:
        """The description of the implementation."""

    def ask(self, question: Observation) -> Outcome:
        """Return the answer to ``question``."""

    def vocabulary(self) -> dict[str, int] | Unsupported:
        """Return every token with its id."""


Sides = tuple[LoadedSide, LoadedSide]
"""The baseline and the implementation, with one tokenizer."""

Load = Callable[[str, str], LoadedSide | Refusal]
"""Gives the implementation of a name with a tokenizer.json, which is given as text; or its refusal of that."""


# What is asked -------------------------------------------------------------------------------------------------------


def generate(seed: int, number: int, texts: int = TEXTS_PER_TOKENIZER) -> tuple[Document, list[str], Random]:
    """Return tokenizer ``number`` of ``seed``, its texts, and the generator for what else is drawn."""
    rng = Random(f"{seed}:{number}")  # noqa: S311 - repeatable on purpose
    document = random_document(rng)
    return document, [random_text(rng, document.strings) for _ in range(texts)], rng


# One tokenizer -------------------------------------------------------------------------------------------------------


def compare_tokenizer(plan: ImplementationPlan, number: int, load: Load, result: FuzzResult) -> None:
    """Compare on tokenizer ``number`` of ``plan``; counts and the first difference go into ``result`` as they come."""
    document, texts, rng = generate(plan.seed, number, plan.texts)
    result.tokenizers += 1
    loaded_sides = _load_both(plan, document.json, load)
    if isinstance(loaded_sides, NoValue):
        result.no_value[loaded_sides] += 1
        return
    if isinstance(loaded_sides, LoadDifference):
        entry = entry_for_loading(plan, document.json)
        if entry is None:
            result.differences.append(FuzzDifference(number, Case(document.json, None), loaded_sides))
        else:
            result.known[entry] += 1
        return
    if _is_ambiguous(document.json, loaded_sides[0]):
        result.ambiguous += 1
        return
    vocabulary_difference = _vocabulary_difference(loaded_sides)
    if vocabulary_difference is not None:
        entry = entry_for_vocabulary(plan, document.json)
        if entry is None:
            result.differences.append(FuzzDifference(number, Case(document.json, None), vocabulary_difference))
        else:
            result.known[entry] += 1
    vocabulary = loaded_sides[0].vocabulary()
    known_ids = [] if isinstance(vocabulary, Unsupported) else sorted(vocabulary.values())
    for index, text in enumerate(texts):
        result.cases += 1
        for question in drawn_questions(text, texts[index - 1], known_ids, loaded_sides[0].ask, rng):
            found = _answer_difference(plan, document.json, loaded_sides, question, result)
            if found is not None and not result.differences:
                result.differences.append(FuzzDifference(number, Case(document.json, question), found))


def find_difference(plan: ImplementationPlan, case: Case, load: Load) -> Found | None:
    """Return the new difference that ``case`` shows, ``None`` where there is none."""
    sides = _load_both(plan, case.document, load)
    if isinstance(sides, NoValue):
        return None
    if isinstance(sides, LoadDifference):
        return sides if entry_for_loading(plan, case.document) is None else None
    if _is_ambiguous(case.document, sides[0]):
        return None
    if case.question is None:
        return _vocabulary_difference(sides) if entry_for_vocabulary(plan, case.document) is None else None
    return _answer_difference(plan, case.document, sides, case.question, FuzzResult())


def _load_both(plan: ImplementationPlan, document: Json, load: Load) -> Sides | LoadDifference | NoValue:
    text = json.dumps(document, ensure_ascii=False)
    baseline, implementation = (load(word, text) for word in plan.sides)
    if not isinstance(baseline, Refusal):
        if isinstance(implementation, Refusal):
            return LoadDifference(Party.IMPLEMENTATION, manner(implementation))
        return baseline, implementation
    if not isinstance(implementation, Refusal):
        return LoadDifference(Party.BASELINE, manner(baseline))
    no_value = without_value(LOADING, baseline, implementation)
    return no_value if isinstance(no_value, NoValue) else LoadDifference(Party.BOTH, manner(implementation))


def _is_ambiguous(document: Json, baseline: LoadedSide) -> bool:
    """Whether two added tokens have one normalized form: the target then picks one of them at random (observed)."""
    is_normalized = {token["content"]: token["normalized"] for token in document.get("added_tokens", ())}
    forms = [baseline.ask(Normalize(content)) for content, normalized in is_normalized.items() if normalized]
    return len(set(forms)) < len(forms)


def _vocabulary_difference(sides: Sides) -> VocabularyDifference | None:
    expected, actual = (side.vocabulary() for side in sides)
    if isinstance(expected, Unsupported) or isinstance(actual, Unsupported) or expected == actual:
        return None
    token = min(token for token in expected.keys() | actual.keys() if expected.get(token) != actual.get(token))
    return VocabularyDifference(token, expected.get(token), actual.get(token))


def _answer_difference(
    plan: ImplementationPlan, document: Json, sides: Sides, question: Observation, result: FuzzResult
) -> AnswerDifference | None:
    """Count the result of the answers to ``question``, and return the first new difference, ``None`` where none is."""
    stage = stage_of(question)
    compared = _compared(sides, question)
    if isinstance(compared, NoValue):
        result.no_value[compared] += 1
        result.answers[stage, Verdict.BOTH_ERROR] += 1
        return None
    new = _new_differences(plan, document, sides, question, compared, result)
    result.unstable += bool(compared.unstable)
    result.values += len(compared.agreed)
    is_known = bool(compared.differences) and not new
    result.answers[stage, Verdict.KNOWN if is_known else compared.verdict] += 1
    return AnswerDifference(question, new[0]) if new else None


def _compared(sides: Sides, question: Observation) -> Comparison | NoValue:
    """Return the outcome of the answers to ``question``, differences confirmed."""
    expected, actual = (OutcomeInUnit(side.ask(question), side.info.offset_unit) for side in sides)
    match without_value(stage_of(question), expected.outcome, actual.outcome):
        case NoValue() as no_value:
            return no_value
        case Difference() as internal_error:
            return Comparison(differences=(internal_error,))
    comparison = compare(question, expected, actual)
    if comparison.differences and comparison.verdict not in NO_ANSWER:
        first, second = (OutcomeInUnit(side.ask(question), side.info.offset_unit) for side in sides)
        comparison = confirmed(comparison, compare(question, first, second))
    return comparison


def _new_differences(
    plan: ImplementationPlan,
    document: Json,
    sides: Sides,
    question: Observation,
    comparison: Comparison,
    result: FuzzResult,
) -> list[Difference]:
    """Return the differences of ``comparison`` that are new, and count the others."""
    if not plan.ledger.entries or not comparison.differences:
        return list(comparison.differences)
    entries = [entry_for_answer(plan, document, question, each) for each in comparison.differences]
    if None in entries:
        cause = _cause(plan, document, sides, question)
        entries = [entry or cause for entry in entries]
    result.known.update(entry for entry in entries if entry is not None)
    return [each for each, entry in zip(comparison.differences, entries, strict=True) if entry is None]


def _cause(plan: ImplementationPlan, document: Json, sides: Sides, question: Observation) -> Entry | None:
    """Return the entry of the differences that explain one on ``question``: known ones of its texts, at earlier stages.

    ``None`` where there are none, or where any of them is new.
    """
    earlier = BUILDS_ON[stage_of(question)]
    entries: list[Entry | None] = []
    for text in texts_in(question) if earlier else ():
        for each in about_text(text, earlier, sides[0].ask):
            compared = _compared(sides, each)
            if isinstance(compared, Comparison):
                found = [entry_for_answer(plan, document, each, difference) for difference in compared.differences]
                if None in found:
                    cause = _cause(plan, document, sides, each)
                    found = [entry or cause for entry in found]
                entries += found
    return None if None in entries else next(iter(entries), None)


# Loading -------------------------------------------------------------------------------------------------------------


@lru_cache
def built(word: str, isolation: Isolation) -> Implementation:
    """Return the implementation that ``word`` selects; it stays built."""
    return select(word, isolation).build()


def load_here(folder: str, word: str, document: str, isolation: Isolation | None = None) -> LoadedSide | Refusal:
    """Return the implementation that ``word`` selects with a tokenizer.json, or its refusal; it stays built."""
    return load_into(built(word, isolation or Isolation()), folder, document)


def load_into(implementation: Implementation, folder: str, document: str) -> LoadedSide | Refusal:
    """Return ``implementation`` with a tokenizer.json, which goes through ``folder``; or its refusal."""
    file = Path(folder) / f"{os.getpid()}.json"
    file.write_text(document, encoding="utf-8")
    try:
        return loaded(implementation, TokenizerSource("the tokenizer", str(file)))
    except CannotLoadError as error:
        return _refusal(error, str(error).replace(f" the tokenizer ({file})", ""))


def _refusal(error: CannotLoadError, message: str) -> Refusal:
    match error.fault:
        case None:
            # The cause is the error of the implementation itself; a panic leaves none.
            return Failed(type(error.__cause__ or error).__name__, message)
        case TimedOut():
            return error.fault
        case _:
            return Crashed(message)
