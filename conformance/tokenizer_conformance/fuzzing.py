"""Comparing two implementations on random tokenizers and random hostile texts.

Case *n* of a seed is always the same tokenizer with the same texts, whatever ran before it, so a finding is named by its
seed and number. The work runs in processes of its own: an implementation that aborts takes one of them down, the tokenizer it
died on is found by halving, and counted as such.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context
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
    Subject,
    Text,
    TimedOut,
    TokenizerSource,
    stage_of,
)
from tokenizer_adapters.registry import load_implementation
from tokenizer_conformance.comparison import Answer, Difference, compare
from tokenizer_conformance.generation import Document, random_document, random_text
from tokenizer_conformance.verdicts import Verdict

if TYPE_CHECKING:
    from tokenizer_adapters.contract import ImplementationInfo

TEXTS_PER_TOKENIZER = 20
_CHUNK = 100
_DIFFERENCES_PER_TOKENIZER = 1


@dataclass(frozen=True, slots=True)
class FuzzPlan:
    """What to compare: ``tokenizers`` random tokenizers from number ``start`` on, each with ``texts`` random texts."""

    baseline: str
    implementation: str
    seed: int
    tokenizers: int
    texts: int = TEXTS_PER_TOKENIZER
    start: int = 0


@dataclass(frozen=True, slots=True)
class FuzzDifference:
    """One difference: the number of the tokenizer, the question, and what differs.

    ``question`` and ``difference`` are ``None`` where one side loads the tokenizer and the other does not; ``reason`` says
    why then.
    """

    number: int
    document: str
    question: Observation | None
    difference: Difference | None
    reason: str = ""


@dataclass(slots=True)
class FuzzResult:
    """Counts of what was done, and the differences found (one for each tokenizer that has any).

    ``cases`` counts (tokenizer, text) pairs; ``verdicts`` counts answers compared; ``refused`` counts tokenizers that both
    sides refuse to load, ``ambiguous`` those on which the target answers at random, ``aborted`` those that took the
    process down.
    """

    cases: int = 0
    tokenizers: int = 0
    refused: int = 0
    ambiguous: int = 0
    values: int = 0
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    stages: Counter[str] = field(default_factory=Counter)
    aborted: list[int] = field(default_factory=list)
    differences: list[FuzzDifference] = field(default_factory=list)

    def add(self, other: FuzzResult) -> None:
        """Add the counts of ``other``."""
        self.cases += other.cases
        self.tokenizers += other.tokenizers
        self.refused += other.refused
        self.ambiguous += other.ambiguous
        self.values += other.values
        self.verdicts += other.verdicts
        self.stages += other.stages
        self.aborted += other.aborted
        self.differences += other.differences


def generate(seed: int, number: int, texts: int = TEXTS_PER_TOKENIZER) -> tuple[Document, list[str], Random]:
    """Return tokenizer ``number`` of ``seed``, its texts, and the generator for what else is drawn."""
    rng = Random(f"{seed}:{number}")  # noqa: S311 - repeatable on purpose
    document = random_document(rng)
    return document, [random_text(rng, document.strings) for _ in range(texts)], rng


# Distributing the work -----------------------------------------------------------------------------------------------


def fuzz(plan: FuzzPlan, jobs: int = 1) -> Iterator[FuzzResult]:
    """Carry out ``plan`` in ``jobs`` processes, and yield the results as they come; their sum is the result."""
    waiting = _chunks(range(plan.start, plan.start + plan.tokenizers), _CHUNK)
    while waiting:
        broken: list[range] = []
        with _pool(jobs) as pool:
            futures: dict[Future[FuzzResult], range] = {pool.submit(fuzz_range, plan, part): part for part in waiting}
            for future in as_completed(futures):
                try:
                    yield future.result()
                except BrokenProcessPool:
                    broken.append(futures[future])
        # A process that dies takes the others' work with it: each part is done again, alone, in halves where it dies again.
        waiting = []
        for part in broken:
            yield from _alone(plan, part)


def _pool(jobs: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_silence_panics)


def _silence_panics() -> None:
    """Keep what panics print off the terminal (they come by the thousand), and their backtraces from being made."""
    os.environ["RUST_BACKTRACE"] = "0"
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def _alone(plan: FuzzPlan, part: range) -> Iterator[FuzzResult]:
    """Do ``part`` in a process of its own; where that dies, each half; where a single tokenizer does it, say so."""
    try:
        with _pool(1) as pool:
            result = pool.submit(fuzz_range, plan, part).result()
    except BrokenProcessPool:
        if len(part) == 1:
            yield FuzzResult(tokenizers=1, aborted=[part.start])
            return
        middle = len(part) // 2
        yield from _alone(plan, part[:middle])
        yield from _alone(plan, part[middle:])
    else:
        yield result


def _chunks(numbers: range, size: int) -> list[range]:
    return [numbers[at : at + size] for at in range(0, len(numbers), size)]


# One tokenizer after the other ---------------------------------------------------------------------------------------


def fuzz_range(plan: FuzzPlan, numbers: range) -> FuzzResult:
    """Compare on the tokenizers ``numbers``, in this process."""
    baseline, implementation = load_implementation(plan.baseline), load_implementation(plan.implementation)
    result = FuzzResult()
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            _compare_tokenizer(plan, number, (baseline, implementation), Path(folder), result)
    return result


def _compare_tokenizer(
    plan: FuzzPlan, number: int, sides: tuple[Implementation, Implementation], folder: Path, result: FuzzResult
) -> None:
    document, texts, rng = generate(plan.seed, number, plan.texts)
    text = json.dumps(document.json, ensure_ascii=False)
    file = folder / "tokenizer.json"
    file.write_text(text, encoding="utf-8")
    result.tokenizers += 1
    subjects = [_load(side, TokenizerSource(f"random {number}", str(file))) for side in sides]
    match subjects:
        case [str(), str()]:
            result.refused += 1
        case [str(reason), _]:
            result.differences.append(FuzzDifference(number, text, None, None, f"{plan.baseline} refuses it: {reason}"))
        case [_, str(reason)]:
            reason = f"{plan.implementation} refuses it: {reason}"
            result.differences.append(FuzzDifference(number, text, None, None, reason))
        case [baseline, implementation]:
            if _is_ambiguous(document, baseline):
                result.ambiguous += 1
                return
            difference = _compare_texts((baseline, implementation), sides, texts, rng, result)
            if difference is not None:
                result.differences.append(FuzzDifference(number, text, *difference))


def _load(implementation: Implementation, source: TokenizerSource) -> Subject | str:
    try:
        return implementation.load(source)
    except CannotLoadError as error:
        return str(error)


def _is_ambiguous(document: Document, subject: Subject) -> bool:
    """Whether two added tokens have one normalized form: the target then picks one of them at random (observed)."""
    contents = [token["content"] for token in document.json["added_tokens"] if token["normalized"]]
    forms = [subject.observe(Normalize(content)) for content in contents]
    return len(set(forms)) < len(forms)


def _compare_texts(
    subjects: tuple[Subject, Subject],
    sides: tuple[Implementation, Implementation],
    texts: Sequence[str],
    rng: Random,
    result: FuzzResult,
) -> tuple[Observation, Difference] | None:
    """Compare the answers about all texts, and return the first difference with its question."""
    units = [side.info.offset_unit for side in sides]
    found: tuple[Observation, Difference] | None = None
    for index, text in enumerate(texts):
        result.cases += 1
        for question in _questions(text, texts[index - 1], subjects[0], rng):
            answers = [Answer(subject.observe(question), unit) for subject, unit in zip(subjects, units, strict=True)]
            result.stages[stage_of(question)] += 1
            if all(_gave_nothing(answer.outcome) for answer in answers):
                result.verdicts[Verdict.BOTH_ERROR] += 1
                continue
            comparison = compare(question, answers[0], answers[1])
            result.values += len(comparison.agreed)
            result.verdicts[comparison.verdict] += 1
            if comparison.differences and found is None:
                found = question, comparison.differences[0]
    return found


def _gave_nothing(outcome: Outcome) -> bool:
    return isinstance(outcome, Failed | Crashed | TimedOut)


def _questions(text: str, other: str, baseline: Subject, rng: Random) -> Iterator[Observation]:
    """Yield what is asked about ``text``: every stage, single and pair, pre-split, and ids in and out of order."""
    yield Normalize(text)
    yield PreTokenize(text)
    normalized = baseline.observe(Normalize(text))
    if isinstance(normalized, Text) and normalized.text != text:
        yield PreTokenize(normalized.text)
    yield Encode(text, add_special_tokens=False)
    encode = Encode(text)
    yield encode
    yield Encode(text, other)
    yield Encode(tuple(text.split(" ")), add_special_tokens=rng.random() < 0.5)
    yield Encode(tuple(text.split(" ")), tuple(other.split(" ")))
    encoded = baseline.observe(encode)
    ids = encoded.ids if isinstance(encoded, Encoded) else ()
    for skip in (True, False):
        yield Decode(ids, skip)
        yield Decode(tuple(rng.randrange(60) for _ in range(rng.randint(0, 8))), skip)


def describe(info: ImplementationInfo) -> str:
    """Return the name and version of an implementation."""
    return f"{info.name} {info.version}"
