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
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
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
from tokenizer_conformance.comparison.known import KnownOnes
from tokenizer_conformance.comparison.no_value import NoValue, Refusal, manner, without_value
from tokenizer_conformance.comparison.question_options import drawn_questions
from tokenizer_conformance.comparison.questions import about_text, texts_in
from tokenizer_conformance.comparison.reduction import Case
from tokenizer_conformance.comparison.verdicts import NO_ANSWER, Verdict
from tokenizer_conformance.defaults import TEXTS_PER_TOKENIZER
from tokenizer_conformance.inputs.random_tokenizers import Document, random_document, random_text
from tokenizer_conformance.ledger.entry import LOAD, VOCABULARY
from tokenizer_conformance.validation.search.random_results import (
    LOADING,
    AnswerDifference,
    Found,
    FuzzDifference,
    FuzzResult,
    LoadDifference,
    VocabularyDifference,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.validation.search.plan import FuzzPlan


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


# What is known -------------------------------------------------------------------------------------------------------

NAME = "fuzz"
"""The name of every random tokenizer in a ledger; it is also called ``fuzz:TYPE`` after each of its components."""

STAGES_OF_A_DOCUMENT = ("normalizer", "pre_tokenizer", "model", "post_processor", "decoder")


def names_of(document: Json) -> tuple[str, ...]:
    """Return what the tokenizer of ``document`` is called beside ``fuzz``.

    >>> names_of({"model": {"type": "BPE"}, "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}]}})
    ('fuzz:BPE', 'fuzz:NFC', 'fuzz:Sequence')
    """
    types = {name for stage in STAGES_OF_A_DOCUMENT for name in _types(document.get(stage))}
    return tuple(f"{NAME}:{name}" for name in sorted(types))


def _types(component: object) -> Iterator[str]:
    if not isinstance(component, Mapping):
        return
    if isinstance(component.get("type"), str):
        yield component["type"]
    for value in component.values():
        if isinstance(value, list):
            for each in value:
                yield from _types(each)


# One tokenizer -------------------------------------------------------------------------------------------------------


def compare_tokenizer(plan: FuzzPlan, number: int, load: Load, result: FuzzResult) -> None:
    """Compare on tokenizer ``number`` of ``plan``; counts and the first difference go into ``result`` as they come."""
    document, texts, rng = generate(plan.seed, number, plan.texts)

    def take(found: Found | None, question: Observation | None = None) -> None:
        if found is not None and not result.differences:
            result.differences.append(FuzzDifference(number, Case(document.json, question), found))

    result.tokenizers += 1
    asker = _asker(plan, document.json, load, result)
    if not isinstance(asker, TokenizerAsker):
        take(asker)
    elif asker.is_ambiguous():
        result.ambiguous += 1
    else:
        take(asker.vocabulary_difference())
        ids = asker.ids()
        for index, text in enumerate(texts):
            result.cases += 1
            for question in drawn_questions(text, texts[index - 1], ids, asker.baseline.ask, rng):
                take(asker.answer_difference(question), question)


def find_difference(plan: FuzzPlan, case: Case, load: Load) -> Found | None:
    """Return the new difference that ``case`` shows, ``None`` where there is none."""
    asker = _asker(plan, case.document, load, FuzzResult())
    if not isinstance(asker, TokenizerAsker):
        return asker
    if asker.is_ambiguous():
        return None
    return asker.vocabulary_difference() if case.question is None else asker.answer_difference(case.question)


def _asker(plan: FuzzPlan, document: Json, load: Load, result: FuzzResult) -> TokenizerAsker | LoadDifference | None:
    """Return what asks both sides about the tokenizer of ``document``; a new difference, or none, where one refuses it.

    What is found goes into ``result``, where it is not returned.
    """
    text = json.dumps(document, ensure_ascii=False)
    baseline, implementation = (load(word, text) for word in plan.sides)
    known = KnownOnes(NAME, plan.baseline_info, plan.implementations[0], plan.ledger, names_of(document))
    if not isinstance(baseline, Refusal):
        if not isinstance(implementation, Refusal):
            return TokenizerAsker(document, (baseline, implementation), known, result)
        difference = LoadDifference(Party.IMPLEMENTATION, manner(implementation))
    elif not isinstance(implementation, Refusal):
        difference = LoadDifference(Party.BASELINE, manner(baseline))
    else:
        no_value = without_value(LOADING, baseline, implementation)
        if isinstance(no_value, NoValue):
            result.no_value[no_value] += 1
            return None
        difference = LoadDifference(Party.BOTH, manner(implementation))
    entry = known.entry_for_tokenizer(LOAD, "refused", "error")
    return difference if _is_new(entry, result) else None


def _is_new(entry: Entry | None, result: FuzzResult) -> bool:
    """Return whether no ``entry`` is about a difference, and count one that is known."""
    if entry is not None:
        result.known[entry] += 1
    return entry is None


class TokenizerAsker:
    """Asks both ``sides`` about the tokenizer of ``document``; ``result`` counts what comes of it."""

    def __init__(self, document: Json, sides: Sides, known: KnownOnes, result: FuzzResult) -> None:
        self.baseline = sides[0]
        self._document = document
        self._sides = sides
        self._known = known
        self._result = result

    def ids(self) -> list[int]:
        """Return all ids that the baseline shows."""
        vocabulary = self.baseline.vocabulary()
        return [] if isinstance(vocabulary, Unsupported) else sorted(vocabulary.values())

    def is_ambiguous(self) -> bool:
        """Whether two added tokens have one normalized form: the target then picks one of them at random (observed)."""
        is_normalized = {token["content"]: token["normalized"] for token in self._document.get("added_tokens", ())}
        forms = [self.baseline.ask(Normalize(content)) for content, normalized in is_normalized.items() if normalized]
        return len(set(forms)) < len(forms)

    def vocabulary_difference(self) -> VocabularyDifference | None:
        """Return how the vocabularies differ, ``None`` where nothing is new."""
        expected, actual = (side.vocabulary() for side in self._sides)
        if isinstance(expected, Unsupported) or isinstance(actual, Unsupported) or expected == actual:
            return None
        if not _is_new(self._known.entry_for_tokenizer(VOCABULARY, "other values", "differ"), self._result):
            return None
        token = min(token for token in expected.keys() | actual.keys() if expected.get(token) != actual.get(token))
        return VocabularyDifference(token, expected.get(token), actual.get(token))

    def answer_difference(self, question: Observation) -> AnswerDifference | None:
        """Count the outcome of the answers to ``question``, and return the first new difference, if there is one."""
        result, stage = self._result, stage_of(question)
        compared = self._compared(question)
        if isinstance(compared, NoValue):
            result.no_value[compared] += 1
            result.answers[stage, Verdict.BOTH_ERROR] += 1
            return None
        entries = self._entries(question, compared)
        new = [each for each, entry in zip(compared.differences, entries, strict=True) if entry is None]
        result.known.update(entry for entry in entries if entry is not None)
        result.unstable += bool(compared.unstable)
        result.values += len(compared.agreed)
        is_known = bool(compared.differences) and not new
        result.answers[stage, Verdict.KNOWN if is_known else compared.verdict] += 1
        return AnswerDifference(question, new[0]) if new else None

    def _compared(self, question: Observation) -> Comparison | NoValue:
        """Return the outcome of the answers to ``question``, differences confirmed."""
        expected, actual = self._answers(question)
        match without_value(stage_of(question), expected.outcome, actual.outcome):
            case NoValue() as no_value:
                return no_value
            case Difference() as internal_error:
                return Comparison(differences=(internal_error,))
        comparison = compare(question, expected, actual)
        if comparison.differences and comparison.verdict not in NO_ANSWER:
            first, second = self._answers(question)
            comparison = confirmed(comparison, compare(question, first, second))
        return comparison

    def _answers(self, question: Observation) -> Iterator[OutcomeInUnit]:
        return (OutcomeInUnit(side.ask(question), side.info.offset_unit) for side in self._sides)

    def _entries(self, question: Observation, comparison: Comparison) -> list[Entry | None]:
        """Return the entries of the differences of ``comparison``, in their order; ``None`` for one that is new."""
        if not self._known.ledger.entries:
            return [None] * len(comparison.differences)
        entries = [self._known.entry_for(question, each) for each in comparison.differences]
        if None not in entries:
            return entries
        cause = self._cause(question)
        return [entry or cause for entry in entries]

    def _cause(self, question: Observation) -> Entry | None:
        """Return the entry of what explains a difference on ``question``: known ones of its texts, at earlier stages.

        ``None`` where there are none, or where any of them is new.
        """
        earlier = BUILDS_ON[stage_of(question)]
        entries: list[Entry | None] = []
        for text in texts_in(question) if earlier else ():
            for each in about_text(text, earlier, self.baseline.ask):
                compared = self._compared(each)
                if isinstance(compared, Comparison):
                    entries += self._entries(each, compared)
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


def in_worker(plan: FuzzPlan, folder: str) -> Callable[[int], FuzzResult]:
    """Return what compares on a tokenizer, by its number, as ``plan`` says; ``folder`` takes its file."""
    for word in plan.sides:
        built(word, plan.isolation)

    def compared(number: int) -> FuzzResult:
        result = FuzzResult()
        compare_tokenizer(plan, number, partial(load_here, folder, isolation=plan.isolation), result)
        return result

    return compared
