"""Whether a change changes any answer: the changed reference beside what the unchanged one answered.

This is independent of the suite. The questions are about random tokenizers and texts, as ``tokconf fuzz`` draws them,
and about the bundled tokenizers and the built-in inputs; besides what a run asks, they are about batches, ids that come
one by one, changed tokenizers, the vocabulary, saving, and documents that are no longer tokenizers.
"""

from __future__ import annotations

import copy
import json
import tempfile
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from power.changed_reference import Change, import_changed, reference
from power.children import Died, HangError, each_in_child, limited
from power.tracing import Function, calls, closeness, forget_results
from tokenizer_adapters.contract import (
    AddTokens,
    After,
    CannotLoadError,
    Crashed,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodeSpecialTokens,
    Failed,
    NewToken,
    Observation,
    SavingSubject,
    TokenizerSource,
)
from tokenizer_conformance.comparison.question_options import drawn_questions
from tokenizer_conformance.comparison.questions import about_text
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.inputs.bundled import bundled_file, bundled_names
from tokenizer_conformance.validation.search.random_tokenizers import generate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from random import Random

    from tokenizer_adapters.contract import Implementation, Outcome, Subject
    from tokenizer_conformance.validation.search.random_tokenizers import LoadedSide

P = TypeVar("P")

SECONDS_PER_TOKENIZER = 20.0
SECONDS_PER_PART = 600.0
TOKENIZERS_PER_PART = 100
TEXTS_PER_TOKENIZER = 5
SPOILED_PER_TOKENIZER = 6
"""How many documents are made of each that are mostly no tokenizers any more."""

INPUTS_PER_PART = 200
"""How many built-in inputs are asked about a bundled tokenizer at once."""

VOCABULARY, SAVED, LOADED = "the vocabulary", "the file that it writes", "whether it is loaded"

Question = Observation | str
"""An observation, or one of the three others."""


class NoAnswersError(Exception):
    """The unchanged reference gives no answers, so nothing can be compared with them."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A tokenizer, the questions about it, what the unchanged reference answered, and the functions it called.

    ``name`` tells where it comes from. An answer is kept as a digest.
    """

    name: str
    document: str
    questions: tuple[Question, ...]
    digests: tuple[bytes, ...]
    called: frozenset[Function]


@dataclass(frozen=True, slots=True)
class Witness:
    """What shows that a change changes an answer: a tokenizer (its name and file) and a question about it."""

    name: str
    document: str
    question: str


@dataclass(frozen=True, slots=True)
class NothingChanged:
    """The changed reference gave every answer of the unchanged one, on ``tokenizers`` tokenizers."""

    tokenizers: int


# Asking --------------------------------------------------------------------------------------------------------------


def load(implementation: Implementation, document: str, folder: str) -> Subject | None:
    """Return ``implementation`` with the tokenizer.json ``document``, ``None`` where it refuses it."""
    file = Path(folder) / "tokenizer.json"
    file.write_text(document, encoding="utf-8")
    try:
        return implementation.load(TokenizerSource("a tokenizer", str(file)))
    except CannotLoadError:
        return None


def _answer(subject: Subject | None, question: Question) -> object:
    """Return an answer that can be compared. Errors are all alike: which one it is, is nobody's rule."""
    if subject is None or question == LOADED:
        return subject is not None
    if isinstance(question, str):
        try:
            if question == VOCABULARY:
                return sorted(subject.vocabulary().items())  # type: ignore[union-attr]
            return _file(subject)
        except Exception:  # noqa: BLE001 - any error is an error
            return "error"
    outcome = subject.observe(question)
    return "error" if isinstance(outcome, Failed | Crashed) else outcome


def _file(subject: Subject) -> str:
    """Return the file that ``subject`` writes, its members sorted: their order is free."""
    assert isinstance(subject, SavingSubject)
    saved = subject.saved()
    assert isinstance(saved, str)
    return json.dumps(json.loads(saved), sort_keys=True)


def _digest(answer: object) -> bytes:
    return blake2b(repr(answer).encode("utf-8", "surrogatepass"), digest_size=8).digest()


# Recording -----------------------------------------------------------------------------------------------------------


class _Reference:
    """The unchanged reference with a tokenizer, as the fuzzer wants a side."""

    def __init__(self, subject: Subject) -> None:
        self.info = reference().info
        self.ask = subject.observe
        self.vocabulary = subject.vocabulary


def recorded(seed: int, tokenizers: int, jobs: int, *, bundled: bool = True) -> list[Recorded]:
    """Return ``tokenizers`` random tokenizers of ``seed``, and the bundled ones, with what the reference answers.

    Raises :class:`NoAnswersError`.
    """
    parts: list[range | str] = [
        range(start, min(start + TOKENIZERS_PER_PART, tokenizers))
        for start in range(0, tokenizers, TOKENIZERS_PER_PART)
    ]
    if bundled:
        parts += bundled_names()

    def asked(part: range | str, folder: str) -> Iterator[Asked]:
        if isinstance(part, str):
            return _bundled(reference(), part, folder)
        return _random_tokenizers(reference(), seed, part, folder)

    return recorded_parts(asked, parts, jobs)


Asked = tuple[str, str, tuple[Question, ...]]
"""The name of a tokenizer, its file, and the questions about it."""


def recorded_parts(asked: Callable[[P, str], Iterable[Asked]], parts: Sequence[P], jobs: int) -> list[Recorded]:
    """Return what the reference answers to what ``asked`` gives for each of ``parts``, in processes of their own.

    ``asked`` is also given a folder to put files in. Raises :class:`NoAnswersError`.
    """

    def recorded_part(part: P) -> list[Recorded]:
        with tempfile.TemporaryDirectory() as folder:
            return list(_recorded_all(reference(), asked(part, folder), folder))

    found: dict[int, list[Recorded]] = {}
    for index, records in each_in_child(recorded_part, parts, jobs, SECONDS_PER_PART):
        if isinstance(records, Died):
            raise NoAnswersError(f"the unchanged reference does not answer: {records.how}")
        found[index] = records
    return [record for index in sorted(found) for record in found[index]]


def _recorded_all(implementation: Implementation, asked: Iterable[Asked], folder: str) -> Iterator[Recorded]:
    for name, document, questions_ in asked:
        called: set[Function] = set()
        forget_results()
        with calls(called):
            subject = load(implementation, document, folder)
            digests = tuple(_digest(_answer(subject, question)) for question in questions_)
        yield Recorded(name, document, questions_, digests, frozenset(called))


def _random_tokenizers(implementation: Implementation, seed: int, numbers: range, folder: str) -> Iterator[Asked]:
    for number in numbers:
        document, texts, rng = generate(seed, number, TEXTS_PER_TOKENIZER)
        text = json.dumps(document.json, ensure_ascii=False)
        subject = load(implementation, text, folder)
        name = f"random tokenizer {number} of seed {seed}"
        yield name, text, tuple(_about_tokenizer(subject, texts, rng) if subject else (LOADED,))
        for spoiled in _spoiled(document.json, rng):
            yield f"{name}, spoiled", json.dumps(spoiled, ensure_ascii=False), (LOADED, SAVED)


def _about_tokenizer(subject: Subject, texts: list[str], rng: Random) -> Iterator[Question]:
    side: LoadedSide = _Reference(subject)
    vocabulary = subject.vocabulary()
    assert isinstance(vocabulary, dict)
    known = sorted(vocabulary.values())
    yield from (LOADED, VOCABULARY, SAVED)
    for index, text in enumerate(texts):
        for question in drawn_questions(text, texts[index - 1], known, side.ask, rng):
            yield question
            if isinstance(question, Decode):
                yield DecodeStream(question.ids, question.skip_special_tokens)
        pair = (Encode(text), Encode(texts[index - 1][:24]), Encode(text[:5], text[5:10]))
        yield EncodeBatch(pair)
        new = NewToken(
            rng.choice((text[1:3], *vocabulary)) or "a",
            single_word=rng.random() < 0.4,
            lstrip=rng.random() < 0.4,
            rstrip=rng.random() < 0.4,
            normalized=rng.choice((None, False, True)),
        )
        changes = (AddTokens((new,), special=rng.random() < 0.5), EncodeSpecialTokens(rng.random() < 0.5))
        asked = Encode(text, add_special_tokens=False)
        yield After(changes, asked)
        outcome: Outcome = subject.observe(asked)
        if isinstance(outcome, Encoded):
            yield After(changes, Decode((*outcome.ids, max(known, default=0) + 1), skip_special_tokens=True))


def _spoiled(document: dict[str, Any], rng: Random) -> Iterator[dict[str, Any]]:
    """Yield documents in which a member is missing, has another name, is given another value or has a new neighbour."""
    for _ in range(SPOILED_PER_TOKENIZER):
        spoiled = copy.deepcopy(document)
        members = list(_members(spoiled))
        holder, key = rng.choice(members)
        match rng.randrange(5):
            case 0:
                del holder[key]
            case 1:
                holder[key] = rng.choice((None, 0, 1, -1, 0.5, True, False, "", "a", "ab", [], {}, [["a"]], 2**40))
            case 2 if isinstance(holder, dict):
                holder[f"{key}_"] = holder.pop(key)
            case 3 if isinstance(holder, dict):
                holder["unknown"] = 1
            case _:
                other, other_key = rng.choice(members)
                holder[key] = copy.deepcopy(other[other_key])
        yield spoiled


def _members(value: Any) -> Iterator[tuple[Any, Any]]:
    keys = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    for key in keys[:40]:
        yield value, key
        yield from _members(value[key])


def _bundled(implementation: Implementation, name: str, folder: str) -> Iterator[Asked]:
    texts = [input_.text for input_ in builtin_inputs()]
    document = bundled_file(name).read_text(encoding="utf-8")
    subject = load(implementation, document, folder)
    assert subject is not None
    for start in range(0, len(texts), INPUTS_PER_PART):
        part = texts[start : start + INPUTS_PER_PART]
        asked = (question for text in part for question in about_text(text, baseline=subject.observe))
        yield f"{name}, built-in inputs from {start} on", document, (VOCABULARY, SAVED, *asked)


# Comparing -----------------------------------------------------------------------------------------------------------


def in_order(
    records: Iterable[Recorded], module: str, lines: range, most: int, *, callers_only: bool = False
) -> list[Recorded]:
    """Return ``most`` of ``records``, those first that call a function that begins in ``lines`` of ``module``.

    ``callers_only``: none but these.
    """
    close = [(closeness(record.called, module, lines), record) for record in records]
    ordered = sorted(close, key=lambda pair: pair[0])
    return [record for distance, record in ordered if not (callers_only and distance)][:most]


def first_change(change: Change, records: Iterable[Recorded]) -> Witness | NothingChanged:
    """Return the first answer that is another one with ``change``. For a child process."""
    implementation = import_changed(change)
    asked = 0
    with tempfile.TemporaryDirectory() as folder:
        for record in records:
            asked += 1
            try:
                with limited(SECONDS_PER_TOKENIZER):
                    question = _first_changed(implementation, record, folder)
            except HangError:
                return Witness(record.name, record.document, "it does not come to an end")
            if question is not None:
                return Witness(record.name, record.document, question)
    return NothingChanged(asked)


def _first_changed(implementation: Implementation, record: Recorded, folder: str) -> str | None:
    subject = load(implementation, record.document, folder)
    for question, digest in zip(record.questions, record.digests, strict=True):
        if _digest(_answer(subject, question)) != digest:
            return str(question)
    return None
