"""Comparing two implementations on random tokenizers and random hostile texts.

Tokenizer *n* of a seed is always the same, with the same texts, whatever ran before it (with one release of this package and
one of Python), so a difference is named by seed and number. The work runs in processes of its own: an implementation that
aborts, or never answers, takes one of them with it; the tokenizer at fault is found by halving, and counted as such.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections import Counter, deque
from concurrent.futures import Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    CannotLoadError,
    Crashed,
    Decode,
    Encode,
    Encoded,
    Failed,
    Implementation,
    Normalize,
    Observation,
    Outcome,
    PreTokenize,
    Stage,
    Text,
    TimedOut,
    TokenizerSource,
    Unsupported,
    stage_of,
)
from tokenizer_adapters.registry import load_implementation
from tokenizer_conformance.asking import Asked, loaded
from tokenizer_conformance.comparison import Answer, Difference, Party, compare
from tokenizer_conformance.generation import Document, random_document, random_text
from tokenizer_conformance.reduction import Case, reduced
from tokenizer_conformance.verdicts import Verdict
from tokenizer_conformance.worker_processes import Worker, WorkerLostError, workers

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from tokenizer_conformance.reduction import Json

TEXTS_PER_TOKENIZER = 10

PART = 20
"""How many tokenizers a process is given at once."""

PART_SECONDS = 300.0
"""How long a process may take over them; then they are halved."""

CHECK_SECONDS = 20.0
"""How long one case may take while it is made smaller."""

POLL_SECONDS = 0.1

RANDOM_IDS = 60
"""Ids to decode are drawn from these, the unknown ones among them, and now and then from all there can be."""

LARGEST_ID = 2**32 - 1


@dataclass(frozen=True, slots=True)
class FuzzPlan:
    """What to compare: ``tokenizers`` random tokenizers from number ``start`` on, each with ``texts`` random texts."""

    baseline: str
    implementation: str
    seed: int
    tokenizers: int
    texts: int = TEXTS_PER_TOKENIZER
    start: int = 0


# What is found -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LoadDifference:
    """One side refuses a tokenizer that the other one loads."""

    refused_by: Party
    reason: str


@dataclass(frozen=True, slots=True)
class VocabularyDifference:
    """The vocabularies part: ``token`` has one id on one side and another on the other, or none (``None``)."""

    token: str
    baseline: int | None
    implementation: int | None


@dataclass(frozen=True, slots=True)
class AnswerDifference:
    """The answers to ``question`` part."""

    question: Observation
    difference: Difference


Found = LoadDifference | VocabularyDifference | AnswerDifference


@dataclass(frozen=True, slots=True)
class FuzzDifference:
    """The first difference on tokenizer ``number``, which is that of ``case``."""

    number: int
    case: Case
    found: Found

    @property
    def kind(self) -> Kind:
        """What this difference has in common with others."""
        return kind_of(self.found)


Kind = tuple[str, ...]
"""Type of the difference and of the question, field, how the sides part, and the side at fault."""


def kind_of(found: Found) -> Kind:
    """Return what differences of one kind have in common.

    >>> kind_of(LoadDifference(Party.IMPLEMENTATION, "no such component"))
    ('load', 'implementation')
    """
    match found:
        case LoadDifference(refused_by):
            return ("load", str(refused_by))
        case VocabularyDifference():
            return ("vocabulary",)
        case AnswerDifference(question, difference):
            parts = (difference.field, difference.verdict, difference.kind, difference.party)
            return (type(question).__name__, *(str(part) for part in parts if part is not None))


@dataclass(frozen=True, slots=True)
class Abort:
    """Tokenizer ``number`` took the process with it; ``reason`` says how."""

    number: int
    reason: str


@dataclass(slots=True)
class FuzzResult:
    """What was compared, and the differences found: one for each tokenizer that has any.

    ``cases`` counts (tokenizer, text) pairs. ``answers`` counts answers compared, by stage and gravest verdict; where both
    sides raise an error or crash, the verdict is ``BOTH_ERROR``. ``values`` counts single fields that agree. ``refused``
    counts tokenizers that both sides refuse to load, ``ambiguous`` those on which ``tokenizers`` answers at random.
    """

    tokenizers: int = 0
    cases: int = 0
    values: int = 0
    refused: int = 0
    ambiguous: int = 0
    answers: Counter[tuple[Stage, Verdict]] = field(default_factory=Counter)
    aborts: list[Abort] = field(default_factory=list)
    differences: list[FuzzDifference] = field(default_factory=list)

    def add(self, other: FuzzResult) -> None:
        """Add what ``other`` counts."""
        self.tokenizers += other.tokenizers
        self.cases += other.cases
        self.values += other.values
        self.refused += other.refused
        self.ambiguous += other.ambiguous
        self.answers += other.answers
        self.aborts += other.aborts
        self.differences += other.differences


def generate(seed: int, number: int, texts: int = TEXTS_PER_TOKENIZER) -> tuple[Document, list[str], Random]:
    """Return tokenizer ``number`` of ``seed``, its texts, and the generator for what else is drawn."""
    rng = Random(f"{seed}:{number}")  # noqa: S311 - repeatable on purpose
    document = random_document(rng)
    return document, [random_text(rng, document.strings) for _ in range(texts)], rng


# Distributing the work -----------------------------------------------------------------------------------------------


def fuzz(plan: FuzzPlan, jobs: int = 1, is_stopped: Callable[[], bool] = lambda: False) -> Iterator[FuzzResult]:
    """Carry out ``plan`` in ``jobs`` processes, and yield the results as they come; their sum is the result.

    Ends early, without what is at work then, when ``is_stopped`` says so or nobody asks for more results.
    """
    numbers = range(plan.start, plan.start + plan.tokenizers)
    waiting = deque(numbers[at : at + PART] for at in range(0, len(numbers), PART))
    with tempfile.TemporaryDirectory() as folder:
        while waiting and not is_stopped():
            # A process that dies takes the others' work with it: each part that was at work is done again, alone.
            for suspect in (yield from _together(plan, waiting, jobs, folder, is_stopped)):
                if not is_stopped():
                    yield from _alone(plan, suspect, folder)


def _together(
    plan: FuzzPlan, waiting: deque[range], jobs: int, folder: str, is_stopped: Callable[[], bool]
) -> Generator[FuzzResult, None, list[range]]:
    """Work on ``waiting`` until it is done or a process is lost; return the parts that were at work then."""
    at_work: dict[Future[FuzzResult], range] = {}
    began: dict[range, float] = {}
    with workers(jobs) as pool:
        while (waiting or at_work) and not is_stopped():
            while waiting and len(at_work) < jobs:
                part = waiting.popleft()
                began[part] = time.monotonic()
                try:
                    at_work[pool.submit(fuzz_range, plan, part, folder)] = part
                except BrokenProcessPool:
                    return [part, *at_work.values()]
            done, _ = wait(at_work, POLL_SECONDS, "FIRST_COMPLETED")
            for future in done:
                part = at_work.pop(future)
                try:
                    yield future.result()
                except BrokenProcessPool:
                    return [part, *at_work.values()]
            if any(time.monotonic() - began[part] > PART_SECONDS for part in at_work.values()):
                return list(at_work.values())
    return []


def _alone(plan: FuzzPlan, part: range, folder: str) -> Iterator[FuzzResult]:
    """Do ``part`` in a process of its own; where that is lost, each half; where a single tokenizer does it, say so."""
    try:
        with Worker(PART_SECONDS) as worker:
            yield worker.call(fuzz_range, plan, part, folder)
    except WorkerLostError as error:
        if len(part) == 1:
            yield FuzzResult(tokenizers=1, aborts=[Abort(part.start, str(error))])
            return
        middle = len(part) // 2
        yield from _alone(plan, part[:middle], folder)
        yield from _alone(plan, part[middle:], folder)


def reduced_difference(
    plan: FuzzPlan, difference: FuzzDifference, is_stopped: Callable[[], bool] = lambda: False
) -> FuzzDifference:
    """Return ``difference`` with a smaller case that shows one of its kind. Cases that lose the process show none."""
    found = difference.found
    with tempfile.TemporaryDirectory() as folder, Worker(CHECK_SECONDS) as worker:

        def shows_the_same(case: Case) -> bool:
            nonlocal found
            if is_stopped():
                return False
            try:
                seen = worker.call(find_difference, plan, case, folder)
            except WorkerLostError:
                return False
            if seen is None or kind_of(seen) != difference.kind:
                return False
            found = seen
            return True

        case = reduced(difference.case, shows_the_same)
    return FuzzDifference(difference.number, case, found)


# One tokenizer after the other ---------------------------------------------------------------------------------------


def fuzz_range(plan: FuzzPlan, numbers: Sequence[int], folder: str) -> FuzzResult:
    """Compare on the tokenizers ``numbers``, in this process; ``folder`` takes their files."""
    result = FuzzResult()
    for number in numbers:
        document, texts, rng = generate(plan.seed, number, plan.texts)
        result.tokenizers += 1
        sides = _loaded_sides(plan, document.json, folder)
        if sides is None:
            result.refused += 1
            continue
        if isinstance(sides, LoadDifference):
            result.differences.append(FuzzDifference(number, Case(document.json, None), sides))
            continue
        if _is_ambiguous(document.json, sides[0]):
            result.ambiguous += 1
            continue
        found = _vocabulary_difference(sides) or _compare_texts(sides, texts, rng, result)
        if found is not None:
            question = found.question if isinstance(found, AnswerDifference) else None
            result.differences.append(FuzzDifference(number, Case(document.json, question), found))
    return result


def find_difference(plan: FuzzPlan, case: Case, folder: str) -> Found | None:
    """Return the difference that ``case`` shows, ``None`` where the sides agree; in this process."""
    sides = _loaded_sides(plan, case.document, folder)
    if sides is None or isinstance(sides, LoadDifference):
        return sides
    if _is_ambiguous(case.document, sides[0]):
        return None
    if case.question is None:
        return _vocabulary_difference(sides)
    return _answer_difference(sides, case.question, FuzzResult())


Sides = tuple[Asked, Asked]
"""The baseline and the implementation, with one tokenizer."""

_implementation: Callable[[str], Implementation] = lru_cache(load_implementation)


def _loaded_sides(plan: FuzzPlan, document: Json, folder: str) -> Sides | LoadDifference | None:
    """Return both sides with ``document``; ``None`` where both refuse it."""
    file = Path(folder) / f"{os.getpid()}.json"
    file.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    source = TokenizerSource("random", str(file))
    baseline, implementation = (_load(_implementation(name), source) for name in (plan.baseline, plan.implementation))
    match baseline, implementation:
        case Asked(), Asked():
            return baseline, implementation
        case str(reason), Asked():
            return LoadDifference(Party.BASELINE, reason)
        case Asked(), str(reason):
            return LoadDifference(Party.IMPLEMENTATION, reason)
    return None


def _load(implementation: Implementation, source: TokenizerSource) -> Asked | str:
    try:
        return loaded(implementation, source)
    except CannotLoadError as error:
        return str(error)


def _is_ambiguous(document: Json, baseline: Asked) -> bool:
    """Whether two added tokens have one normalized form: the target then picks one of them at random (observed)."""
    is_normalized = {token["content"]: token["normalized"] for token in document.get("added_tokens", ())}
    forms = [baseline.ask(Normalize(content)) for content, normalized in is_normalized.items() if normalized]
    return len(set(forms)) < len(forms)


def _vocabulary_difference(sides: Sides) -> VocabularyDifference | None:
    expected, actual = (side.vocabulary() for side in sides)
    if isinstance(expected, Unsupported) or isinstance(actual, Unsupported) or expected == actual:
        return None
    differing = (token for token in (*expected, *actual) if expected.get(token) != actual.get(token))
    token = next(differing)
    return VocabularyDifference(token, expected.get(token), actual.get(token))


def _compare_texts(sides: Sides, texts: Sequence[str], rng: Random, result: FuzzResult) -> AnswerDifference | None:
    """Compare the answers about all texts, count them in ``result``, and return the first difference."""
    first = None
    for index, text in enumerate(texts):
        result.cases += 1
        for question in questions(text, texts[index - 1], sides[0], rng):
            found = _answer_difference(sides, question, result)
            first = first or found
    return first


def _answer_difference(sides: Sides, question: Observation, result: FuzzResult) -> AnswerDifference | None:
    expected, actual = (Answer(side.ask(question), side.info.offset_unit) for side in sides)
    if _gave_nothing(expected.outcome) and _gave_nothing(actual.outcome):
        result.answers[stage_of(question), Verdict.BOTH_ERROR] += 1
        return None
    comparison = compare(question, expected, actual)
    result.values += len(comparison.agreed)
    result.answers[stage_of(question), comparison.verdict] += 1
    return AnswerDifference(question, comparison.differences[0]) if comparison.differences else None


def _gave_nothing(outcome: Outcome) -> bool:
    return isinstance(outcome, Failed | Crashed | TimedOut)


# What is asked -------------------------------------------------------------------------------------------------------


def questions(text: str, other: str, baseline: Asked, rng: Random) -> Iterator[Observation]:
    """Yield what is asked about ``text``: every stage; alone, in a pair, as words; ids of it and ids at random."""
    yield Normalize(text)
    yield PreTokenize(text)
    normalized = baseline.ask(Normalize(text))
    if isinstance(normalized, Text) and normalized.text != text:
        yield PreTokenize(normalized.text)
    yield Encode(text, add_special_tokens=False)
    encode = Encode(text)
    yield encode
    yield Encode(text, other, add_special_tokens=rng.random() < 0.7)
    words, other_words = (tuple(each.split(" ")) if each else () for each in (text, other))
    yield Encode(words, add_special_tokens=rng.random() < 0.5)
    yield Encode(words, other_words, add_special_tokens=rng.random() < 0.7)
    encoded = baseline.ask(encode)
    ids = encoded.ids if isinstance(encoded, Encoded) else ()
    for skip_special_tokens in (True, False):
        yield Decode(ids, skip_special_tokens)
        yield Decode(_random_ids(rng), skip_special_tokens)


def _random_ids(rng: Random) -> tuple[int, ...]:
    largest = LARGEST_ID if rng.random() < 0.02 else RANDOM_IDS
    return tuple(rng.randint(0, largest) for _ in range(rng.randint(0, 8)))
