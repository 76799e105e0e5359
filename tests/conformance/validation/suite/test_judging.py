"""What a case comes to: every verdict, from every kind of answer, and the place to blame."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import permutations
from typing import TYPE_CHECKING, Any

import pytest
from small_suites import WHOLE, Scripted, case, requirement, step, suite_with

from tokenizer_adapters.contract import (
    ENCODING_FIELDS,
    BrokeProtocol,
    CannotLoadError,
    Crashed,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    Failed,
    Field,
    Normalize,
    OffsetUnit,
    Pieces,
    PreTokenize,
    Stage,
    Text,
    TimedOut,
    Unsupported,
)
from tokenizer_conformance.validation.suite.judging import (
    CaseVerdict,
    FileAnswer,
    FileLoaded,
    NotLoaded,
    VocabularyAnswer,
    first_parting,
    judge,
)
from tokenizer_conformance.validation.suite.reader import value_form
from tokenizer_conformance.validation.suite.record import failure_record
from tokenizer_conformance.validation.suite.recorded_suite import failure_of
from tokenizer_conformance.validation.suite.requirement import FileRefused, Place
from tokenizer_conformance.validation.suite.running import Documents, answers_of, results_of

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_conformance.validation.suite.judging import CaseResult, StepAnswer

ENCODE = Encode("ab", None, add_special_tokens=False)
NORMALIZE = Normalize("A")
LOWER = step(NORMALIZE, {"text": "a"})
ENCODED = step(ENCODE, value_form(WHOLE))
ERROR = {"error": True}
LOAD_BAD = {"ask": "load", "tokenizer": {"bad": 1}, "expected": {"refused": True}}
WRITTEN = {"ask": "save", "expected": {"text": '{"b":[1.0,"\u00e9"],"a":{}}'}}
SAVED = {"ask": "save", "expected": {"document": {"a": [1, {"b": None}]}}}
TOKENS = {"ask": "vocabulary", "expected": {"vocabulary": {"a": 1000, "b": 1}}}

OTHERS: dict[Field, Any] = {
    Field.IDS: (1, 3),
    Field.TOKENS: ("a", "c"),
    Field.OFFSETS: ((0, 1), (0, 2)),
    Field.WORD_IDS: (0, 0),
    Field.TYPE_IDS: (0, 1),
    Field.ATTENTION_MASK: (1, 0),
    Field.SPECIAL_TOKENS_MASK: (0, 1),
    Field.SEQUENCE_IDS: (0, 1),
    Field.OVERFLOWING: (WHOLE,),
}
"""Another value of each field."""


def judged(
    *steps: dict[str, Any],
    by: Scripted,
    features: tuple[str, ...] = (),
    stage: str = "normalize",
    wanted: frozenset[Field] | None = None,
) -> CaseResult:
    suite = suite_with(requirement("R", case(*steps), features=list(features)), stage=stage)
    (result,) = results_of(suite.cases(), by, wanted)
    return result


def judged_as(asked: dict[str, Any], answer: StepAnswer, stage: str = "normalize", **parts: Any) -> CaseResult:
    """Return what comes of ``answer`` to one step, for a tokenizer that has ``parts`` beside its model."""
    (alone,) = suite_with(requirement("R", case(asked)), stage=stage).cases()
    tokenizers = {name: {**document, **parts} for name, document in alone.area.tokenizers.items()}
    return judge(replace(alone, area=replace(alone.area, tokenizers=tokenizers)), [answer])


def read_again(asked: dict[str, Any]) -> dict[str, Any]:
    """Return a step that is equal to ``asked``, and has values of its own."""
    again: dict[str, Any] = json.loads(json.dumps(asked))
    return again


def test_right_answers_pass() -> None:
    result = judged(LOWER, ENCODED, by=Scripted({NORMALIZE: Text("a"), ENCODE: WHOLE}))
    assert (result.verdict, result.failures, result.blame) == (CaseVerdict.PASSED, (), None)


@pytest.mark.parametrize("field", ENCODING_FIELDS)
def test_every_field_can_fail_alone(field: Field) -> None:
    by = Scripted({ENCODE: replace(WHOLE, **{field: OTHERS[field]})})
    result = judged(ENCODED, by=by, stage="model")
    assert (result.verdict, result.blame) == (CaseVerdict.FAILED, Place.MODEL)
    assert {failure.field for failure in result.failures} == {field}


@pytest.mark.parametrize("field", [field for field in ENCODING_FIELDS if field is not Field.IDS])
def test_a_field_that_is_not_shown_is_not_compared(field: Field) -> None:
    by = Scripted({ENCODE: replace(WHOLE, **{field: None})})
    assert judged(ENCODED, by=by).verdict is CaseVerdict.PASSED
    full = step(ENCODE, value_form(replace(WHOLE, overflowing=(WHOLE,))))
    more = Scripted({ENCODE: replace(WHOLE, **{"overflowing": (WHOLE,), field: None})})
    result = judged(full, by=more, features=(field,))
    assert (result.verdict, result.reason) == (CaseVerdict.UNSUPPORTED, f"does not show {field}")


def test_a_case_does_not_need_what_it_has_nothing_of() -> None:
    by = Scripted({ENCODE: replace(WHOLE, overflowing=None)})
    assert judged(ENCODED, by=by, features=("overflowing", "pair")).verdict is CaseVerdict.PASSED


def test_only_wanted_fields_are_compared() -> None:
    by = Scripted({ENCODE: replace(WHOLE, tokens=("x", "y"))})
    assert judged(ENCODED, by=by, wanted=frozenset({Field.IDS})).verdict is CaseVerdict.PASSED


@pytest.mark.parametrize(
    ("question", "expected", "answer"),
    [
        (NORMALIZE, {"text": "a"}, Text("A")),
        (PreTokenize("a b"), {"pieces": [["a", [0, 1]]]}, Pieces((("a", (0, 2)),))),
        (PreTokenize("a b"), {"pieces": [["a", [0, 1]]]}, Pieces((("a b", None),))),
        (Decode((1,)), {"text": "a"}, Text("")),
        (DecodeStream((1,)), {"chunks": ["a"]}, Text("a")),
        (EncodeBatch((ENCODE,)), {"encodings": [value_form(WHOLE)]}, WHOLE),
        (NORMALIZE, {"text": "a"}, Failed("ValueError", "no")),
        (NORMALIZE, ERROR, Text("A")),
    ],
)
def test_wrong_answers_of_every_kind_fail(question: Any, expected: dict[str, Any], answer: Any) -> None:
    assert judged(step(question, expected), by=Scripted({question: answer})).verdict is CaseVerdict.FAILED


@pytest.mark.parametrize("answer", [Failed("ValueError", "no"), Crashed("panicked")])
def test_an_error_that_is_expected_passes_whatever_it_says(answer: Failed | Crashed) -> None:
    result = judged(step(NORMALIZE, ERROR), by=Scripted({NORMALIZE: answer}), features=("normalize",))
    assert result.verdict is CaseVerdict.PASSED


@pytest.mark.parametrize("answer", [Crashed("gone"), TimedOut(2.0), BrokeProtocol("no JSON")])
def test_no_answer_at_all_is_an_error(answer: Crashed) -> None:
    result = judged(LOWER, ENCODED, by=Scripted({NORMALIZE: answer, ENCODE: WHOLE}))
    assert (result.verdict, result.blame) == (CaseVerdict.ERROR, Place.NORMALIZE)


@pytest.mark.parametrize(
    ("asked", "answer", "wrong"),
    [
        (LOWER, Failed("E", "no"), "raises E: no"),
        (LOWER, Pieces(()), "gives Pieces, where Text is expected"),
        (LOWER, Text("A"), "other values"),
        (step(NORMALIZE, ERROR), Text("A"), "gives a value, where an error is expected"),
        (LOWER, Crashed("gone"), "crashes: gone"),
        (LOWER, TimedOut(2.5), "gives no answer within 2.5 s"),
        (LOWER, BrokeProtocol("no JSON"), "breaks the line protocol: no JSON"),
        (TOKENS, Failed("E", "no"), "raises E: no"),
        (TOKENS, FileLoaded(), "answers with FileLoaded"),
        (SAVED, Failed("E", "no"), "raises E: no"),
        (SAVED, FileLoaded(), "answers with FileLoaded"),
        (LOAD_BAD, FileLoaded(), "is loaded, where a refusal is expected"),
    ],
)
def test_a_failure_says_what_came_instead(asked: dict[str, Any], answer: StepAnswer, wrong: str) -> None:
    assert [(failure.step, failure.wrong) for failure in judged_as(asked, answer).failures] == [(0, wrong)]


@pytest.mark.parametrize("answer", [TimedOut(2.0), BrokeProtocol("no JSON")])
def test_to_hang_is_no_way_to_raise_an_error(answer: TimedOut) -> None:
    assert judged(step(NORMALIZE, ERROR), by=Scripted({NORMALIZE: answer})).verdict is CaseVerdict.ERROR


def test_what_is_not_answered_is_unsupported_and_what_is_answered_still_counts() -> None:
    result = judged(LOWER, ENCODED, by=Scripted({}))
    assert (result.verdict, result.reason) == (CaseVerdict.UNSUPPORTED, "is not scripted")
    assert judged(LOWER, ENCODED, by=Scripted({NORMALIZE: Text("a")})).verdict is CaseVerdict.PASSED
    assert judged(LOWER, ENCODED, by=Scripted({NORMALIZE: Text("")})).verdict is CaseVerdict.FAILED


@pytest.mark.parametrize(
    ("question", "feature"),
    [
        (Encode("a", "b"), "pair"),
        (Encode(("a",), None), "pre_split"),
        (Encode("a"), "special_tokens"),
        (Encode("a"), "post_process"),
        (Encode("a", None, add_special_tokens=False), "model"),
        (Encode("a"), "offsets"),
    ],
)
def test_a_case_passes_only_where_what_it_needs_was_shown(question: Encode, feature: str) -> None:
    steps = (LOWER, step(question, value_form(WHOLE)))
    both = Scripted({NORMALIZE: Text("a"), question: WHOLE})
    assert judged(*steps, by=both, features=(feature,)).verdict is CaseVerdict.PASSED
    one = Scripted({NORMALIZE: Text("a")})
    assert judged(*steps, by=one, features=(feature,)).verdict is CaseVerdict.UNSUPPORTED


# Offsets -------------------------------------------------------------------------------------------------------------

ASTRAL = Encode("é🎉b", None, add_special_tokens=False)
SPANS = {
    OffsetUnit.CODE_POINTS: ((0, 1), (1, 2), (2, 3)),
    OffsetUnit.UTF8_BYTES: ((0, 2), (2, 6), (6, 7)),
    OffsetUnit.UTF16_UNITS: ((0, 1), (1, 3), (3, 4)),
}


@pytest.mark.parametrize("unit", OffsetUnit)
@pytest.mark.parametrize("counted", OffsetUnit)
def test_offsets_are_compared_in_the_unit_that_the_implementation_states(unit: OffsetUnit, counted: OffsetUnit) -> None:
    expected = {"ids": [1, 2, 3], "offsets": [[0, 1], [1, 2], [2, 3]]}
    by = Scripted({ASTRAL: Encoded((1, 2, 3), offsets=SPANS[counted])}, unit=unit)
    verdict = judged(step(ASTRAL, expected), by=by).verdict
    assert verdict is (CaseVerdict.PASSED if unit is counted else CaseVerdict.FAILED)


@pytest.mark.parametrize(("unit", "counted"), tuple(permutations(OffsetUnit, 2)))
def test_offsets_that_count_something_else_say_what(unit: OffsetUnit, counted: OffsetUnit) -> None:
    expected = {"ids": [1, 2, 3], "offsets": [[0, 1], [1, 2], [2, 3]]}
    by = Scripted({ASTRAL: Encoded((1, 2, 3), offsets=SPANS[counted])}, unit=unit)
    (failure,) = judged(step(ASTRAL, expected), by=by).failures
    assert (failure.field, failure.unit) == (Field.OFFSETS, counted)


def test_offsets_that_are_right_in_no_unit_or_are_not_all_that_is_wrong_say_nothing() -> None:
    expected = {"ids": [1, 2, 3], "offsets": [[0, 1], [1, 2], [2, 3]]}
    cut_off = Encoded((2,), offsets=((0, 1),))
    whole = step(ASTRAL, value_form(Encoded((1,), overflowing=(cut_off,))))
    in_bytes = Encoded((1,), overflowing=(replace(cut_off, offsets=((0, 2),)),))
    (failure,) = judged(whole, by=Scripted({ASTRAL: in_bytes})).failures
    assert (failure.field, failure.unit) == (Field.OVERFLOWING, None)
    shifted = Encoded((1, 2, 3), offsets=((0, 1), (1, 3), (2, 3)))
    (failure,) = judged(step(ASTRAL, expected), by=Scripted({ASTRAL: shifted})).failures
    assert failure.unit is None


def test_the_first_failure_of_a_step_has_what_is_expected_and_what_was_answered() -> None:
    expected = {"ids": [1, 2, 3], "tokens": ["a", "b", "c"], "offsets": [[0, 1], [1, 2], [2, 3]]}
    answer = Encoded((1, 2, 4), ("a", "b", "d"), ((0, 2), (2, 6), (0, 6)))
    first, *others = judged(step(ASTRAL, expected), by=Scripted({ASTRAL: answer}, unit=OffsetUnit.UTF8_BYTES)).failures
    assert first.answers is not None
    assert first.answers.baseline["answer"]["tokens"] == ["a", "b", "c"]
    assert first.answers.implementation["answer"]["tokens"] == ["a", "b", "d"]
    assert first.answers.implementation["answer"]["offsets"] == [[0, 1], [1, 2], [0, 2]]
    assert [failure.answers for failure in others] == [None, None]
    assert replace(first, answers=None) == first
    assert failure_of(json.loads(json.dumps(failure_record(first)))).answers == first.answers


@pytest.mark.parametrize("answer", [Failed("E", "no"), Crashed("signal 11"), Pieces(())])
def test_what_came_in_place_of_a_value_stands_beside_it(answer: Any) -> None:
    (failure,) = judged(LOWER, by=Scripted({NORMALIZE: answer})).failures
    assert failure.answers is not None
    assert failure.answers.baseline == {"outcome": "Text", "answer": {"text": "a"}}
    assert failure.answers.implementation["outcome"] == type(answer).__name__


@pytest.mark.parametrize("answer", [NotLoaded("no"), FileLoaded(), VocabularyAnswer({}), FileAnswer("{}")])
def test_what_answers_no_question_does_not_stand_beside_a_value(answer: StepAnswer) -> None:
    (failure,) = judged_as(LOWER, answer).failures
    assert failure.answers is None


def test_where_an_error_is_expected_there_are_no_answers() -> None:
    (failure,) = judged(step(NORMALIZE, ERROR), by=Scripted({NORMALIZE: Text("a")})).failures
    assert failure.answers is None


def test_plain_questions_that_are_not_answered_are_counted_by_stage() -> None:
    result = judged(LOWER, ENCODED, by=Scripted({NORMALIZE: Text("a")}))
    assert (result.asked, result.unanswered) == ({Stage.NORMALIZE, Stage.MODEL}, {Stage.MODEL})


@pytest.mark.parametrize(
    "question", [Encode("a", "b"), Encode(("a",), None), EncodeBatch((ENCODE,)), DecodeStream((1,))]
)
def test_other_questions_are_not_counted(question: Any) -> None:
    result = judged(LOWER, step(question, ERROR), by=Scripted({NORMALIZE: Text("a")}))
    assert (result.asked, result.unanswered) == ({Stage.NORMALIZE}, frozenset())


def test_offsets_alone_are_blamed_on_the_area_and_anything_else_on_the_first_place() -> None:
    shifted = replace(WHOLE, offsets=((0, 0), (0, 0)))
    for offsets in (shifted, replace(shifted, word_ids=(0, 0))):
        assert judged(LOWER, ENCODED, by=Scripted({NORMALIZE: Text("a"), ENCODE: offsets})).blame is Place.NORMALIZE
    both = replace(shifted, ids=(7, 7))
    assert judged(LOWER, ENCODED, by=Scripted({NORMALIZE: Text("a"), ENCODE: both})).blame is Place.MODEL
    assert judged(LOWER, ENCODED, by=Scripted({NORMALIZE: Text("x"), ENCODE: both})).blame is Place.NORMALIZE
    later = judged(ENCODED, by=Scripted({ENCODE: shifted}), stage="decode")
    assert later.blame is Place.MODEL


@pytest.mark.parametrize(
    ("stage", "pieces", "blame"),
    [
        ("pre_tokenize", Pieces((("a", (0, 1)),)), Place.MODEL),
        ("pre_tokenize", Unsupported("shows no pieces"), Place.PRE_TOKENIZE),
        ("normalize", Pieces((("a", (0, 1)),)), Place.NORMALIZE),
        ("vocabulary", Pieces((("a", (0, 1)),)), Place.VOCABULARY),
    ],
)
def test_a_pre_tokenizer_is_not_to_blame_where_it_shows_the_right_pieces(stage: str, pieces: Any, blame: Place) -> None:
    cut = PreTokenize("a")
    by = Scripted({cut: pieces, ENCODE: replace(WHOLE, offsets=((0, 0), (0, 0)))})
    assert judged(step(cut, {"pieces": [["a", [0, 1]]]}), ENCODED, by=by, stage=stage).blame is blame


@pytest.mark.parametrize(
    ("stage", "asked", "answer", "blame"),
    [
        ("post_process", ENCODED, replace(WHOLE, ids=(7, 7)), Place.POST_PROCESS),
        ("model", ENCODED, replace(WHOLE, ids=(7, 7)), Place.MODEL),
        ("pre_tokenize", ENCODED, replace(WHOLE, ids=(7, 7)), Place.MODEL),
        ("post_process", LOWER, Text("x"), Place.NORMALIZE),
        ("post_process", step(Decode((1,)), {"text": "a"}), Text("x"), Place.DECODE),
    ],
)
def test_truncation_is_blamed_in_its_area_for_what_the_model_shows(
    stage: str, asked: dict[str, Any], answer: Any, blame: Place
) -> None:
    assert judged_as(asked, answer, stage, truncation={"max_length": 3}).blame is blame


# Files and vocabularies ----------------------------------------------------------------------------------------------


def test_a_file_that_is_to_be_refused() -> None:
    answers = {NORMALIZE: Text("a")}
    refusal = CannotLoadError("no model")
    assert judged(LOWER, LOAD_BAD, by=Scripted(answers, refusal=refusal)).verdict is CaseVerdict.PASSED
    loads = judged(LOWER, LOAD_BAD, by=Scripted(answers))
    assert (loads.verdict, loads.blame) == (CaseVerdict.FAILED, Place.LOAD)
    crash = CannotLoadError("gone", Crashed("gone"))
    assert judged(LOWER, LOAD_BAD, by=Scripted(answers, refusal=crash)).verdict is CaseVerdict.ERROR
    unable = Scripted(answers, refusal=CannotLoadError("no such models", unsupported=True))
    assert judged(LOWER, LOAD_BAD, by=unable, features=("load",)).verdict is CaseVerdict.UNSUPPORTED


@pytest.mark.parametrize(
    ("refusal", "answer"),
    [
        (None, FileLoaded()),
        (CannotLoadError("no model"), NotLoaded("no model")),
        (CannotLoadError("gone", Crashed("gone")), Crashed("gone")),
        (CannotLoadError("no such models", unsupported=True), Unsupported("no such models")),
    ],
)
def test_what_becomes_of_a_file_is_a_value(refusal: CannotLoadError | None, answer: StepAnswer, tmp_path: Path) -> None:
    by = Scripted({}, refusal=refusal)
    assert answers_of(by, [FileRefused({"bad": 1})], Documents(by, tmp_path)) == [answer]


@pytest.mark.parametrize(
    ("refusal", "verdict"),
    [
        (CannotLoadError("no"), CaseVerdict.FAILED),
        (CannotLoadError("no", Crashed("gone")), CaseVerdict.ERROR),
        (CannotLoadError("no such models", unsupported=True), CaseVerdict.UNSUPPORTED),
    ],
)
def test_a_tokenizer_that_is_not_loaded(refusal: CannotLoadError, verdict: CaseVerdict) -> None:
    result = judged(LOWER, by=Scripted({NORMALIZE: Text("a")}, refusal=refusal, refuses_all=True))
    assert result.verdict is verdict
    assert [failure.step for failure in result.failures] == ([] if verdict is CaseVerdict.UNSUPPORTED else [None])


@pytest.mark.parametrize(
    ("tokens", "verdict", "wrong"),
    [
        ({"b": 1, "a": 1000}, CaseVerdict.PASSED, []),
        ({"a": 1000}, CaseVerdict.FAILED, ["the id of 'b' is None, where 1 is expected"]),
        ({"a": 1000, "b": 1, "c": 2}, CaseVerdict.FAILED, ["the id of 'c' is 2, where None is expected"]),
        ({"a": 1000, "b": 0}, CaseVerdict.FAILED, ["the id of 'b' is 0, where 1 is expected"]),
        ({"a": 1000, "b": 2}, CaseVerdict.FAILED, ["the id of 'b' is 2, where 1 is expected"]),
        ({"a": 1, "b": 1000}, CaseVerdict.FAILED, ["the id of 'a' is 1, where 1000 is expected"]),
        (Unsupported("shows none"), CaseVerdict.UNSUPPORTED, []),
    ],
)
def test_vocabularies(tokens: Any, verdict: CaseVerdict, wrong: list[str]) -> None:
    result = judged(read_again(TOKENS), by=Scripted({}, tokens=tokens))
    assert (result.verdict, [failure.wrong for failure in result.failures]) == (verdict, wrong)


@pytest.mark.parametrize(
    ("file", "verdict"),
    [
        ('{ "a": [1, {"b": null}] }', CaseVerdict.PASSED),
        ('{"a": [1, {"b": false}]}', CaseVerdict.FAILED),
        ('{"a": [1], "c": 1}', CaseVerdict.FAILED),
        ("{", CaseVerdict.FAILED),
        ("[" * 100_000, CaseVerdict.FAILED),
        (Failed("IOError", "no"), CaseVerdict.FAILED),
        (Crashed("gone"), CaseVerdict.ERROR),
        (Unsupported("saves nothing"), CaseVerdict.UNSUPPORTED),
    ],
)
def test_saved_files(file: Any, verdict: CaseVerdict) -> None:
    assert judged(SAVED, by=Scripted({}, file=file)).verdict is verdict


RIGHT_VALUE = "the value is right, and its text is not: "


@pytest.mark.parametrize(
    "file",
    [
        '{"a":{},"b":[1.0,"\u00e9"]}',
        '{"b":[1.0,"\\u00e9"],"a":{}}',
        '{"b":[1,"\u00e9"],"a":{}}',
        '{"b":[1.0, "\u00e9"],"a":{}}',
        '{"b":[1.0,"\u00e9"],"a":{}}\n',
    ],
)
def test_another_text_of_the_value_is_told_as_that(file: str) -> None:
    result = judged(WRITTEN, by=Scripted({}, file=file))
    assert (result.verdict, result.blame) == (CaseVerdict.FAILED, Place.SAVE)
    expected = ascii(WRITTEN["expected"]["text"])
    assert [failure.wrong for failure in result.failures] == [
        f"{RIGHT_VALUE}from character 0 on it is {file!a}, where {expected} is expected"
    ]


def test_another_value_is_told_before_its_text() -> None:
    (failure,) = judged(WRITTEN, by=Scripted({}, file='{"a":{},"b":[2.0,"\u00e9"]}')).failures
    assert failure.wrong == "$.b[0] is 2.0, where 1.0 is expected"


@pytest.mark.parametrize(("number", "found"), [("1", "1.0"), ("1.0", "1")])
def test_only_the_surroundings_of_the_first_other_character_are_told(number: str, found: str) -> None:
    def text(one: str) -> str:
        return f'["{"α" * 200}",{one},"{"y" * 200}"]'

    step = {"ask": "save", "expected": {"text": text(number)}}
    (failure,) = judged(step, by=Scripted({}, file=text(found))).failures
    theirs, ours = (ascii(text(one)[175:235]) for one in (found, number))
    assert failure.wrong == f"{RIGHT_VALUE}from character 175 on it is {theirs}, where {ours} is expected"


@pytest.mark.parametrize(
    ("file", "verdict"),
    [
        ('{"b":[1.0,"\u00e9"],"a":{}}', CaseVerdict.PASSED),
        ("{", CaseVerdict.FAILED),
        (Failed("IOError", "no"), CaseVerdict.FAILED),
        (Crashed("gone"), CaseVerdict.ERROR),
        (Unsupported("saves nothing"), CaseVerdict.UNSUPPORTED),
    ],
)
def test_written_texts(file: Any, verdict: CaseVerdict) -> None:
    assert judged(read_again(WRITTEN), by=Scripted({}, file=file)).verdict is verdict


@pytest.mark.parametrize(
    ("expected", "found", "parting"),
    [
        ({"a": {"b": 1}}, {"a": {"b": 1}}, None),
        ([1, 2], [1], "$ is [1], where [1, 2] is expected"),
        ([1], [1, 2], "$ is [1, 2], where [1] is expected"),
        ([0] * 300 + [1], [0] * 300 + [2], "$[300] is 2, where 1 is expected"),
        ({"a": True}, {"a": 1}, "$.a is 1, where true is expected"),
        ({"a": 1}, {"a": True}, "$.a is true, where 1 is expected"),
        ({"a": 1}, {}, "$.a is missing"),
        ({}, {"a": 1}, "$.a is not expected"),
        ({"a": 1}, [1], '$ is [1], where {"a": 1} is expected'),
        ([1], {"a": 1}, '$ is {"a": 1}, where [1] is expected'),
        ({"a": [None]}, {"a": [0]}, "$.a[0] is 0, where null is expected"),
        ("x" * 78, "", f'$ is "", where "{"x" * 78}" is expected'),
        ("x" * 200, "", f'$ is "", where "{"x" * 79}… is expected'),
    ],
)
def test_where_two_values_part(expected: Any, found: Any, parting: str | None) -> None:
    assert first_parting(json.loads(json.dumps(expected)), found) == parting
