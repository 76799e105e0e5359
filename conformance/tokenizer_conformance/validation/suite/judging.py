"""The answers to the steps of a case, compared with what is expected of them, and the place to blame.

A case *fails* where anything that was answered is wrong, in whichever field. Else it is *unsupported* where what its
requirement needs was not shown, or nothing was; else it has *passed*. An implementation that crashes, hangs or breaks
the line protocol is in *error*: that is no answer, and no way to say "unsupported".
"""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, assert_never

from tokenizer_adapters.contract import (
    PIPELINE_STAGES,
    BrokeProtocol,
    CannotLoadError,
    Crashed,
    Decode,
    Encode,
    Failed,
    Field,
    Normalize,
    Observation,
    OffsetUnit,
    Outcome,
    PreTokenize,
    Stage,
    TimedOut,
    Unsupported,
    stage_of,
)
from tokenizer_conformance.comparison.differences import Comparison, Difference, OutcomeInUnit, compare
from tokenizer_conformance.comparison.verdicts import NO_ANSWER
from tokenizer_conformance.comparison.whole_answers import whole_answers
from tokenizer_conformance.validation.suite.requirement import (
    CaseInPlace,
    Document,
    FileRefused,
    FileWritten,
    Observed,
    Place,
    RaisesError,
    Step,
    TextWritten,
    VocabularyShown,
    asked_features,
    features_of,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from tokenizer_conformance.comparison.whole_answers import WholeAnswers
    from tokenizer_conformance.ledger.entry import Entry


class CaseVerdict(StrEnum):
    """The result of a case. They are counted side by side, never lumped together.

    ``KNOWN``: it failed, and an entry of a ledger says so.
    """

    PASSED = "passed"
    KNOWN = "known"
    FAILED = "failed"
    UNSUPPORTED = "unsupported"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class NotLoaded:
    """The implementation refuses the file, for ``reason``."""

    reason: str


@dataclass(frozen=True, slots=True)
class FileLoaded:
    """The implementation loads the file."""


@dataclass(frozen=True, slots=True)
class VocabularyAnswer:
    """Every token with its id."""

    tokens: dict[str, int]


@dataclass(frozen=True, slots=True)
class FileAnswer:
    """The text of a tokenizer.json."""

    text: str


StepAnswer = Outcome | NotLoaded | FileLoaded | VocabularyAnswer | FileAnswer
"""What an implementation did when a step was asked of it."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What is wrong with an answer.

    ``step`` counts from 0; ``None`` stands for the loading of the tokenizer. ``difference`` has the place, where two
    values could be compared; ``wrong`` says in words what else is wrong. ``unit`` is that of the offsets, where nothing
    is wrong with these but what they count. ``answers`` are what is expected and what was answered, both whole: of the
    failures of one step the first one has them, where a value is expected. They make no other failure.
    """

    step: int | None
    place: Place
    wrong: str
    difference: Difference | None = None
    unit: OffsetUnit | None = None
    answers: WholeAnswers | None = dataclass_field(default=None, compare=False)

    @property
    def field(self) -> Field | None:
        """The field that differs."""
        return None if self.difference is None else self.difference.field


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The result of ``judged``.

    ``blame`` is the first place at which an answer is wrong; ``reason`` says why nothing can be said
    (:attr:`CaseVerdict.UNSUPPORTED`). ``entries`` are those of a ledger that say that the failures are known.
    ``asked`` are the stages that plain questions about one text asked for, of those that the implementation says it
    shows of the tokenizer, ``unanswered`` those of them that were not shown.
    """

    judged: CaseInPlace
    verdict: CaseVerdict
    failures: tuple[Failure, ...] = ()
    blame: Place | None = None
    reason: str = ""
    entries: tuple[Entry, ...] = ()
    asked: frozenset[Stage] = frozenset()
    unanswered: frozenset[Stage] = frozenset()


@dataclass(frozen=True, slots=True)
class _StepResult:
    """The result of one step: what is wrong, whether there was no answer at all, what was shown, and what was not."""

    failures: tuple[Failure, ...] = ()
    no_answer: bool = False
    shown: frozenset[str] = frozenset()
    not_shown: str = ""


WRONG = frozenset({CaseVerdict.FAILED, CaseVerdict.ERROR})
"""The verdicts that no implementation gets away with."""

ORDER = tuple(Place)

OF_PIECES = frozenset({Field.OFFSETS, Field.WORD_IDS})
"""What an encoding has from the pieces that the model was given, or may have."""


def judge(
    judged: CaseInPlace,
    answers: Sequence[StepAnswer],
    unit: OffsetUnit = OffsetUnit.CODE_POINTS,
    wanted: frozenset[Field] | None = None,
    shown: Collection[Stage] = PIPELINE_STAGES,
) -> CaseResult:
    """Judge the ``answers`` to the steps of a case, whose offsets count ``unit``.

    Only ``wanted`` fields are compared, all where these are not given. ``shown`` are the stages that the implementation
    says it shows of this tokenizer.
    """
    result = _judge(judged, answers, unit, wanted)
    plain = [
        (stage_of(step.observation), isinstance(answer, Unsupported))
        for step, answer in zip(judged.case.steps, answers, strict=True)
        if isinstance(step, Observed) and _is_plain(step.observation) and stage_of(step.observation) in shown
    ]
    return replace(
        result,
        asked=frozenset(stage for stage, _ in plain),
        unanswered=frozenset(stage for stage, is_missing in plain if is_missing),
    )


def _is_plain(observation: Observation) -> bool:
    """Return whether ``observation`` asks about one text, or ids all at once, as every implementation is asked."""
    match observation:
        case Encode(text=str(), pair=None) | Normalize() | PreTokenize() | Decode():
            return True
    return False


def _judge(
    judged: CaseInPlace, answers: Sequence[StepAnswer], unit: OffsetUnit, wanted: frozenset[Field] | None
) -> CaseResult:
    results = [
        _with_answers(_judge_step(index, step, answer, unit, wanted), step, answer, unit)
        for index, (step, answer) in enumerate(zip(judged.case.steps, answers, strict=True))
    ]
    failures = tuple(failure for result in results for failure in result.failures)
    if failures:
        broken = any(result.no_answer for result in results)
        verdict = CaseVerdict.ERROR if broken else CaseVerdict.FAILED
        return CaseResult(judged, verdict, failures, _blame(judged, failures, _cut_rightly(judged, results)))
    shown = frozenset[str]().union(*(result.shown for result in results))
    missing = (judged.requirement.features & features_of(judged.case.steps)) - shown
    if not missing and shown:
        return CaseResult(judged, CaseVerdict.PASSED)
    reasons = (result.not_shown for result in results if result.not_shown)
    return CaseResult(
        judged, CaseVerdict.UNSUPPORTED, reason=next(reasons, f"does not show {', '.join(sorted(missing))}")
    )


def judge_not_loaded(judged: CaseInPlace, error: CannotLoadError) -> CaseResult:
    """Judge a case whose tokenizer was not loaded: that is wrong in itself, since every tokenizer of the suite is one.

    An implementation that says that it does not support such a tokenizer is unsupported.
    """
    if error.unsupported:
        return CaseResult(judged, CaseVerdict.UNSUPPORTED, reason=str(error))
    verdict = CaseVerdict.FAILED if error.fault is None else CaseVerdict.ERROR
    return CaseResult(judged, verdict, (Failure(None, Place.LOAD, f"is not loaded: {error}"),), Place.LOAD)


def _cut_rightly(judged: CaseInPlace, results: Sequence[_StepResult]) -> bool:
    """Return whether the pre-tokenizer was asked, and showed the right pieces with the right offsets."""
    asked = [
        result
        for step, result in zip(judged.case.steps, results, strict=True)
        if step.place is Place.PRE_TOKENIZE and Field.PIECES.value in result.shown
    ]
    return bool(asked) and not any(result.failures for result in asked)


def _blame(judged: CaseInPlace, failures: Sequence[Failure], cut_rightly: bool) -> Place:
    """Return the place to blame for ``failures``: the first one that is wrong.

    Normalizers are asked for their text alone, so a mistake in the offsets that they give is first seen in encodings.
    Where nothing but offsets and words is wrong there, the blame is that of the area, if it comes before: its
    tokenizers have nothing else that moves offsets. A pre-tokenizer shows the offsets of its pieces, and where these
    are right it is not to blame (``cut_rightly``).

    Truncation, padding and most post-processors change an encoding without special tokens as well, which is where the
    model is seen. So in their areas it is they that are to blame.
    """
    first = first_place(failure.place for failure in failures)
    fields = {failure.field for failure in failures}
    if first is Place.MODEL and judged.area.stage is Place.POST_PROCESS and _is_post_processed(judged):
        return Place.POST_PROCESS
    if first in (Place.MODEL, Place.POST_PROCESS) and fields <= OF_PIECES:
        if judged.area.stage is Place.PRE_TOKENIZE and cut_rightly:
            return first
        return first_place((first, judged.area.stage))
    return first


def _is_post_processed(judged: CaseInPlace) -> bool:
    document = judged.area.tokenizers[judged.case.tokenizer]
    return any(document.get(part) is not None for part in ("truncation", "padding", "post_processor"))


def first_place(places: Iterable[Place]) -> Place:
    """Return the first of ``places`` in the order of the pipeline."""
    return min(places, key=ORDER.index)


# Steps ---------------------------------------------------------------------------------------------------------------


def _judge_step(
    index: int, step: Step, answer: StepAnswer, unit: OffsetUnit, wanted: frozenset[Field] | None
) -> _StepResult:
    match answer:
        case Unsupported(reason):
            return _StepResult(not_shown=reason)
        case Crashed() | TimedOut() | BrokeProtocol():
            if isinstance(answer, Crashed) and isinstance(step, Observed) and isinstance(step.expected, RaisesError):
                return _StepResult(shown=frozenset(asked_features(step.observation)))
            return _StepResult((Failure(index, step.place, _in_words(answer)),), no_answer=True)
    match step:
        case Observed(observation, RaisesError()):
            return _judge_error(index, step.place, observation, answer)
        case Observed():
            return _judge_value(index, step, answer, unit, wanted)
        case VocabularyShown(expected):
            return _judge_vocabulary(index, expected, answer)
        case FileWritten(expected):
            return _judge_file(index, expected, answer)
        case TextWritten(expected):
            return _judge_text(index, expected, answer)
        case FileRefused():
            return _judge_refusal(index, answer)
        case _:
            assert_never(step)


def _with_answers(result: _StepResult, step: Step, answer: StepAnswer, unit: OffsetUnit) -> _StepResult:
    """Return ``result`` with the whole answers beside its first failure, where a value is expected."""
    if not result.failures or not isinstance(step, Observed) or isinstance(step.expected, RaisesError):
        return result
    if isinstance(answer, NotLoaded | FileLoaded | VocabularyAnswer | FileAnswer):
        return result
    answers = whole_answers(step.observation, OutcomeInUnit(step.expected), OutcomeInUnit(answer, unit))
    first, *others = result.failures
    return replace(result, failures=(replace(first, answers=answers), *others))


def _judge_error(index: int, place: Place, observation: Observation, answer: StepAnswer) -> _StepResult:
    if isinstance(answer, Failed):
        return _StepResult(shown=frozenset(asked_features(observation)))
    return _StepResult((Failure(index, place, "gives a value, where an error is expected"),))


def _judge_value(
    index: int, step: Observed, answer: StepAnswer, unit: OffsetUnit, wanted: frozenset[Field] | None
) -> _StepResult:
    assert not isinstance(step.expected, RaisesError)  # noqa: S101 - _judge_error has that case
    if isinstance(answer, Failed):
        return _StepResult((Failure(index, step.place, f"raises {answer.kind}: {answer.message}"),))
    if type(answer) is not type(step.expected):
        wrong = f"gives {type(answer).__name__}, where {type(step.expected).__name__} is expected"
        return _StepResult((Failure(index, step.place, wrong),))
    comparison = compare(step.observation, OutcomeInUnit(step.expected), OutcomeInUnit(answer, unit), wanted)
    counted_in = _other_unit(step, answer, unit, comparison)
    failures = tuple(
        Failure(index, step.place, difference.kind.value, difference, counted_in)
        for difference in comparison.differences
    )
    return _StepResult(
        failures,
        no_answer=any(difference.verdict in NO_ANSWER for difference in comparison.differences),
        shown=_shown(step.observation, comparison),
    )


def _other_unit(step: Observed, answer: Outcome, unit: OffsetUnit, comparison: Comparison) -> OffsetUnit | None:
    """Return the unit in which the offsets of ``answer`` are right, where that is not the declared ``unit``."""
    assert not isinstance(step.expected, RaisesError)  # noqa: S101 - _judge_error has that case
    if not comparison.differences or any(each.field is not Field.OFFSETS for each in comparison.differences):
        return None
    others = (other for other in OffsetUnit if other is not unit)
    return next(
        (
            other
            for other in others
            if not compare(step.observation, OutcomeInUnit(step.expected), OutcomeInUnit(answer, other)).differences
        ),
        None,
    )


def _judge_vocabulary(index: int, expected: Mapping[str, int], answer: StepAnswer) -> _StepResult:
    if not isinstance(answer, VocabularyAnswer):
        return _StepResult((Failure(index, Place.VOCABULARY, _in_words(answer)),))
    if answer.tokens == expected:
        return _StepResult(shown=frozenset({Place.VOCABULARY.value}))
    token = next(token for token in (*expected, *answer.tokens) if expected.get(token) != answer.tokens.get(token))
    wrong = f"the id of {token!r} is {answer.tokens.get(token)}, where {expected.get(token)} is expected"
    return _StepResult((Failure(index, Place.VOCABULARY, wrong),))


def _judge_file(index: int, expected: Document, answer: StepAnswer) -> _StepResult:
    if not isinstance(answer, FileAnswer):
        return _StepResult((Failure(index, Place.SAVE, _in_words(answer)),))
    try:
        written = json.loads(answer.text)
    except (ValueError, RecursionError) as error:
        return _StepResult((Failure(index, Place.SAVE, f"what is written is no JSON: {error}"),))
    parting = first_parting(expected, written)
    if parting is None:
        return _StepResult(shown=frozenset({Place.SAVE.value}))
    return _StepResult((Failure(index, Place.SAVE, parting),))


def _judge_text(index: int, expected: str, answer: StepAnswer) -> _StepResult:
    """Judge what is written character by character; what is another value is told as that."""
    result = _judge_file(index, json.loads(expected), answer)
    if result.failures or not isinstance(answer, FileAnswer) or answer.text == expected:
        return result
    wrong = f"the value is right, and its text is not: {_first_parting_of_texts(expected, answer.text)}"
    return _StepResult((Failure(index, Place.SAVE, wrong),))


def _first_parting_of_texts(expected: str, found: str) -> str:
    """Return in words where ``found`` first is another text than ``expected``, with what stands before it.

    >>> print(_first_parting_of_texts('{"a":1.0}', '{"a":1}'))
    from character 0 on it is '{"a":1}', where '{"a":1.0}' is expected
    """
    same = itertools.takewhile(lambda both: both[0] == both[1], zip(expected, found, strict=False))
    at = sum(1 for _ in same)
    start = max(0, at - BEFORE)
    theirs, ours = (ascii(text[start : at + BEFORE]) for text in (found, expected))
    return f"from character {start} on it is {theirs}, where {ours} is expected"


def _judge_refusal(index: int, answer: StepAnswer) -> _StepResult:
    if isinstance(answer, NotLoaded):
        return _StepResult(shown=frozenset({Place.LOAD.value}))
    return _StepResult((Failure(index, Place.LOAD, "is loaded, where a refusal is expected"),))


def _in_words(answer: StepAnswer) -> str:
    match answer:
        case Failed(kind, message):
            return f"raises {kind}: {message}"
        case Crashed(detail):
            return f"crashes: {detail}"
        case TimedOut(seconds):
            return f"gives no answer within {seconds:g} s"
        case BrokeProtocol(detail):
            return f"breaks the line protocol: {detail}"
        case _:
            return f"answers with {type(answer).__name__}"


def first_parting(expected: Any, found: Any, path: str = "$") -> str | None:
    """Return in words where ``found`` first is another JSON value than ``expected``; ``None`` where it is the same.

    >>> first_parting({"a": [1, 2]}, {"a": [1, 3]})
    '$.a[1] is 3, where 2 is expected'
    >>> first_parting({"a": 1}, {}), first_parting({}, {"a": 1})
    ('$.a is missing', '$.a is not expected')
    """
    if isinstance(expected, dict) and isinstance(found, dict):
        return _first_parting_of_objects(expected, found, path)
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        partings = (first_parting(*both, f"{path}[{i}]") for i, both in enumerate(zip(expected, found, strict=True)))
        return next(filter(None, partings), None)
    if expected == found and isinstance(expected, bool) is isinstance(found, bool):
        return None
    return f"{path} is {_shortly(found)}, where {_shortly(expected)} is expected"


def _first_parting_of_objects(expected: dict[str, Any], found: dict[str, Any], path: str) -> str | None:
    for name in expected:
        if name not in found:
            return f"{path}.{name} is missing"
    for name in found:
        if name not in expected:
            return f"{path}.{name} is not expected"
    partings = (first_parting(value, found[name], f"{path}.{name}") for name, value in expected.items())
    return next(filter(None, partings), None)


def _shortly(value: Any) -> str:
    written = json.dumps(value)
    return written if len(written) <= SHORT else f"{written[:SHORT]}…"


SHORT = 80
"""How many characters of a JSON value a message has."""

BEFORE = 30
"""How many characters a message has on either side of the place where two texts part."""


# Features ------------------------------------------------------------------------------------------------------------


def _shown(observation: Observation, comparison: Comparison) -> frozenset[str]:
    """Return the features that an answer to ``observation`` shows: what was asked, and the compared fields."""
    compared = {*comparison.agreed, *(each.field for each in comparison.differences if each.field is not None)}
    return frozenset(asked_features(observation)) | {field.value for field in compared} if compared else frozenset()
