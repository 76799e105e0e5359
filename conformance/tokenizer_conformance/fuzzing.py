"""Comparing two implementations on random tokenizers and random hostile texts.

Tokenizer *n* of a seed is always the same, with the same texts and questions, whatever ran before it and in however many
processes (with one release of this package and one of Python): a difference is named by seed and number.

Where both sides give no value there is nothing to compare. What each of them did then is counted under a name of its own
(:class:`NoValue`), so that nothing of that kind passes for agreement. Where one side gives a value, it is a difference.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Protocol

from tokenizer_adapters.contract import (
    CannotLoadError,
    Crashed,
    Decode,
    Encode,
    Encoded,
    Failed,
    Implementation,
    ImplementationInfo,
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
from tokenizer_conformance.asking import loaded
from tokenizer_conformance.comparison import Answer, Difference, Party, compare
from tokenizer_conformance.generation import Document, random_document, random_text
from tokenizer_conformance.reduction import Case
from tokenizer_conformance.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.reduction import Json

TEXTS_PER_TOKENIZER = 10

PATIENCE = 10.0
"""How many seconds an implementation has for an answer."""

LONGEST_PAIR = 24
"""The second text of a pair is cut here: what is truncated off both comes back in all combinations."""

RANDOM_IDS = 60
"""Ids to decode are drawn from these, the unknown ones among them, and now and then from all there can be."""

LARGEST_ID = 2**32 - 1


@dataclass(frozen=True, slots=True)
class FuzzPlan:
    """What to compare: ``tokenizers`` random tokenizers from number ``start`` on, each with ``texts`` random texts.

    ``patience`` is how many seconds an answer may take.
    """

    baseline: str
    implementation: str
    seed: int
    tokenizers: int
    texts: int = TEXTS_PER_TOKENIZER
    start: int = 0
    patience: float = PATIENCE

    @property
    def sides(self) -> tuple[str, str]:
        """The names of the two implementations."""
        return self.baseline, self.implementation


class Side(Protocol):
    """One of the two implementations, with a tokenizer that it has loaded."""

    @property
    def info(self) -> ImplementationInfo:
        """The description of the implementation."""

    def ask(self, question: Observation) -> Outcome:
        """Return the answer to ``question``."""

    def vocabulary(self) -> dict[str, int] | Unsupported:
        """Return every token with its id."""


Sides = tuple[Side, Side]
"""The baseline and the implementation, with one tokenizer."""

Load = Callable[[str, str], Side | str]
"""Gives the implementation of a name with a tokenizer.json, which is given as text; or says why it refuses that."""


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

Kind = tuple[str, ...]
"""What was asked, the field, how the sides part, the side at fault, and the class of an error."""


def kind_of(found: Found) -> Kind:
    """Return what differences of one kind have in common.

    >>> kind_of(LoadDifference(Party.IMPLEMENTATION, "no such component"))
    ('load', <Party.IMPLEMENTATION: 'implementation'>)
    """
    match found:
        case LoadDifference(refused_by):
            return ("load", refused_by)
        case VocabularyDifference():
            return ("vocabulary",)
        case AnswerDifference(question, difference):
            parts = (difference.field, difference.verdict, difference.kind, difference.party, difference.detail)
            return (type(question).__name__, *(str(part) for part in parts if part))


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


LOADING = "load"


@dataclass(frozen=True, slots=True, order=True)
class NoValue:
    """Neither side gave a value: at which stage (or ``load``), and what each of them did."""

    where: str
    baseline: str
    implementation: str


@dataclass(slots=True)
class FuzzResult:
    """What was compared, and the differences found: the first one of each tokenizer that has any.

    ``cases`` counts (tokenizer, text) pairs; ``answers`` counts answers compared, by stage and gravest verdict, and
    ``values`` the single fields that agree. ``no_value`` counts what is known but not compared. ``ambiguous`` counts
    tokenizers that are left out because ``tokenizers`` answers them at random, ``given_up`` those of which not all was
    asked because a side was lost over them again and again.
    """

    tokenizers: int = 0
    cases: int = 0
    values: int = 0
    ambiguous: int = 0
    given_up: int = 0
    answers: Counter[tuple[Stage, Verdict]] = field(default_factory=Counter)
    no_value: Counter[NoValue] = field(default_factory=Counter)
    differences: list[FuzzDifference] = field(default_factory=list)

    def add(self, other: FuzzResult) -> None:
        """Add what ``other`` counts."""
        self.tokenizers += other.tokenizers
        self.cases += other.cases
        self.values += other.values
        self.ambiguous += other.ambiguous
        self.given_up += other.given_up
        self.answers += other.answers
        self.no_value += other.no_value
        self.differences += other.differences


# What is asked -------------------------------------------------------------------------------------------------------


def generate(seed: int, number: int, texts: int = TEXTS_PER_TOKENIZER) -> tuple[Document, list[str], Random]:
    """Return tokenizer ``number`` of ``seed``, its texts, and the generator for what else is drawn."""
    rng = Random(f"{seed}:{number}")  # noqa: S311 - repeatable on purpose
    document = random_document(rng)
    return document, [random_text(rng, document.strings) for _ in range(texts)], rng


def questions(text: str, other: str, baseline: Side, rng: Random) -> Iterator[Observation]:
    """Yield what is asked about ``text``: every stage; alone, in a pair, as words; ids of it and ids at random."""
    yield Normalize(text)
    yield PreTokenize(text)
    normalized = baseline.ask(Normalize(text))
    if isinstance(normalized, Text) and normalized.text != text:
        yield PreTokenize(normalized.text)
    yield Encode(text, add_special_tokens=False)
    encode = Encode(text)
    yield encode
    other = other[:LONGEST_PAIR]
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


# One tokenizer -------------------------------------------------------------------------------------------------------


def compare_tokenizer(plan: FuzzPlan, number: int, load: Load, result: FuzzResult) -> None:
    """Compare on tokenizer ``number`` of ``plan``; the counts and the first difference go into ``result`` as they come."""
    document, texts, rng = generate(plan.seed, number, plan.texts)
    result.tokenizers += 1
    loaded_sides = _load_both(plan, document.json, load)
    if isinstance(loaded_sides, NoValue):
        result.no_value[loaded_sides] += 1
        return
    if isinstance(loaded_sides, LoadDifference):
        result.differences.append(FuzzDifference(number, Case(document.json, None), loaded_sides))
        return
    if _is_ambiguous(document.json, loaded_sides[0]):
        result.ambiguous += 1
        return
    vocabulary_difference = _vocabulary_difference(loaded_sides)
    if vocabulary_difference is not None:
        result.differences.append(FuzzDifference(number, Case(document.json, None), vocabulary_difference))
    for index, text in enumerate(texts):
        result.cases += 1
        for question in questions(text, texts[index - 1], loaded_sides[0], rng):
            found = _answer_difference(loaded_sides, question, result)
            if found is not None and not result.differences:
                result.differences.append(FuzzDifference(number, Case(document.json, question), found))


def find_difference(plan: FuzzPlan, case: Case, load: Load) -> Found | None:
    """Return the difference that ``case`` shows, ``None`` where the sides agree."""
    sides = _load_both(plan, case.document, load)
    if isinstance(sides, NoValue):
        return None
    if isinstance(sides, LoadDifference):
        return sides
    if _is_ambiguous(case.document, sides[0]):
        return None
    if case.question is None:
        return _vocabulary_difference(sides)
    return _answer_difference(sides, case.question, FuzzResult())


def _load_both(plan: FuzzPlan, document: Json, load: Load) -> Sides | LoadDifference | NoValue:
    text = json.dumps(document, ensure_ascii=False)
    baseline, implementation = (load(name, text) for name in plan.sides)
    if isinstance(baseline, str):
        if isinstance(implementation, str):
            return NoValue(LOADING, gist(baseline), "refuses it too")
        return LoadDifference(Party.BASELINE, baseline)
    if isinstance(implementation, str):
        return LoadDifference(Party.IMPLEMENTATION, implementation)
    return baseline, implementation


def _is_ambiguous(document: Json, baseline: Side) -> bool:
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


def _answer_difference(sides: Sides, question: Observation, result: FuzzResult) -> AnswerDifference | None:
    expected, actual = (Answer(side.ask(question), side.info.offset_unit) for side in sides)
    stage = stage_of(question)
    if _is_known(expected.outcome, actual.outcome):
        result.no_value[NoValue(stage, _manner(expected.outcome), _class_of(actual.outcome))] += 1
        result.answers[stage, Verdict.BOTH_ERROR] += 1
        return None
    comparison = compare(question, expected, actual)
    result.values += len(comparison.agreed)
    result.answers[stage, comparison.verdict] += 1
    return AnswerDifference(question, comparison.differences[0]) if comparison.differences else None


# Neither side gives a value ------------------------------------------------------------------------------------------


def _is_known(expected: Outcome, actual: Outcome) -> bool:
    """Whether there is no value to compare, and the implementation does not do worse than the baseline.

    It may raise an error where the baseline crashes or hangs, but not crash where the baseline raises an error.
    """
    match expected, actual:
        case (Failed() | Crashed() | TimedOut(), Failed()) | (Crashed(), Crashed()) | (TimedOut(), TimedOut()):
            return True
    return False


def _manner(outcome: Outcome) -> str:
    match outcome:
        case Failed(kind, message):
            return f"raises {kind}: {gist(message)}"
        case Crashed(detail):
            return f"crashes: {gist(detail)}"
    return "gives no answer in time"


def _class_of(outcome: Outcome) -> str:
    match outcome:
        case Failed(kind):
            return f"raises {kind}"
        case Crashed():
            return "crashes too"
    return "gives no answer either"


_QUOTED = re.compile(r"""`[^`]*`|"[^"]*"|'[^']*'""")
_NUMBER = re.compile(r"\d+")

LONGEST_GIST = 80


def gist(message: str) -> str:
    """Return what messages of one kind have in common: ``message`` without what it quotes and counts, cut where it is long.

    >>> gist("byte index 3 is inside `é`")
    'byte index N is inside …'
    """
    line = _NUMBER.sub("N", _QUOTED.sub("…", " ".join(message.split())))
    return line if len(line) <= LONGEST_GIST else f"{line[:LONGEST_GIST]}…"


# Loading in this process ---------------------------------------------------------------------------------------------

_implementation: Callable[[str], Implementation] = lru_cache(load_implementation)


def load_here(folder: str, name: str, document: str) -> Side | str:
    """Return the implementation called ``name`` with a tokenizer.json, which goes through ``folder``; or why it refuses it."""
    file = Path(folder) / f"{os.getpid()}.json"
    file.write_text(document, encoding="utf-8")
    try:
        return loaded(_implementation(name), TokenizerSource("the tokenizer", str(file)))
    except CannotLoadError as error:
        return str(error).replace(str(file), "tokenizer.json")
