"""The matrix counts what a run of two releases finds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from fake_releases import TEXTS, released
from hypothesis import given
from hypothesis import strategies as st
from snapshots import Making, named, of_type

from tokenizer_adapters.contract import (
    Chunks,
    Crashed,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
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
    stage_of,
)
from tokenizer_conformance.comparison.differences import OutcomeInUnit, compare
from tokenizer_conformance.releases.snapshot_file import replay
from tokenizer_conformance.releases.versions import matrix as matrix_module
from tokenizer_conformance.releases.versions.matrix import (
    MOST_IDS,
    Answers,
    Compared,
    TokenizerMatrix,
    changes_between,
    gravest,
    matrices,
)
from tokenizer_conformance.results.records.versions import Changed
from tokenizer_conformance.validation.running.events import TokenizerFinished

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

INPUTS = named(TEXTS)


def differing_stages(one: Answers, other: Answers, what: Compared) -> frozenset[Stage]:
    return frozenset(changes_between(one, other, what))


def matrix_of(
    folder: Path, file: TokenizerFile, *kinds: type[fakes.Toy], inputs: Any = (INPUTS,), **options: Any
) -> TokenizerMatrix:
    making = Making(folder, (file,))
    snapshots = [
        making.snapshot(str(number), release.implementation, *inputs) for number, release in enumerate(released(*kinds))
    ]
    (matrix,) = matrices(snapshots, [file.source.name], sum(map(len, inputs)), Compared(**options))
    return matrix


# As a run -------------------------------------------------------------------------------------------------------------

FAULTY = [
    fakes.WrongNormalization,
    fakes.WrongPieces,
    fakes.ShiftedOffset,
    fakes.SwappedMerge,
    fakes.WrongSpecialToken,
    fakes.LossyDecode,
    fakes.Raising,
    fakes.Crashing,
    fakes.Hanging,
    fakes.Garbling,
    fakes.Mute,
    fakes.IdsOnly,
    fakes.Modest,
    fakes.ShowsModelOnly,
    fakes.Hostile,
    fakes.Utf8,
    fakes.FinerByteTokens,
    fakes.WrongBatch,
    fakes.Toy,
]


@pytest.mark.long_but(8)
@pytest.mark.parametrize("old", [fakes.Toy, fakes.Generous], ids=lambda fake: fake.name)
@pytest.mark.parametrize("new", FAULTY, ids=lambda fake: fake.name)
def test_it_counts_what_a_run_counts(
    old: type[fakes.Toy], new: type[fakes.Toy], tmp_path: Path, toy_file: TokenizerFile
) -> None:
    matrix = matrix_of(tmp_path, toy_file, old, new)
    one, other = (release.implementation for release in released(old, new))
    (finished,) = of_type(Making(tmp_path, (toy_file,)).compared(one, other, INPUTS), TokenizerFinished)
    (row,) = finished.results
    assert matrix.inputs.get((0, 1), 0) == row.failing_inputs
    first = {stage for (_, stage) in matrix.differing}
    assert set(row.blamed) <= first
    assert bool(first) is bool(row.failing_inputs)


# Any two answers ------------------------------------------------------------------------------------------------------

TEXT = st.text("ab\U0001f389\xe9", max_size=4)
IDS = st.lists(st.integers(0, 3), max_size=3).map(tuple)
SPAN = st.tuples(st.integers(0, 2), st.integers(2, 4))
WORD = "é\U0001f389ab"


@st.composite
def encodings(draw: st.DrawFn) -> Encoded:
    size = draw(st.integers(0, 3))

    def column(values: st.SearchStrategy[Any]) -> Any:
        return draw(st.none() | st.lists(values, min_size=size, max_size=size).map(tuple))

    return Encoded(
        ids=tuple(draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))),
        tokens=column(TEXT),
        offsets=column(SPAN),
        word_ids=column(st.none() | st.integers(0, 2)),
        type_ids=column(st.integers(0, 1)),
        overflowing=draw(st.sampled_from([None, ()])),
    )


NO_VALUE: st.SearchStrategy[Outcome] = st.sampled_from(
    [Unsupported("no"), Failed("ValueError", "a"), Failed("TypeError", "b"), Crashed("signal 11"), TimedOut(2.0)]
)
PIECES = st.lists(st.tuples(TEXT, st.none() | SPAN), max_size=3).map(lambda found: Pieces(tuple(found)))
VALUES: list[tuple[Observation, st.SearchStrategy[Any]]] = [
    (Normalize(WORD), TEXT.map(Text)),
    (PreTokenize(WORD), PIECES),
    (Encode(WORD), encodings()),
    (Encode(WORD, add_special_tokens=False), encodings()),
    (EncodeBatch((Encode(WORD), Encode("a"))), st.tuples(encodings(), encodings()).map(EncodedBatch)),
    (Decode((1, 2), True), TEXT.map(Text)),
    (DecodeStream((1, 2), False), st.lists(st.none() | TEXT, max_size=2).map(lambda found: Chunks(tuple(found)))),
]


@given(
    asked=st.sampled_from(VALUES),
    fields=st.frozensets(st.sampled_from(Field)),
    units=st.tuples(st.sampled_from(OffsetUnit), st.sampled_from(OffsetUnit)),
    data=st.data(),
)
def test_two_answers_differ_where_a_run_says_so(asked: Any, fields: Any, units: Any, data: st.DataObject) -> None:
    question, values = asked
    one, other = (data.draw(values | NO_VALUE) for _ in range(2))
    found = differing_stages(
        Answers({question: one}, units[0]), Answers({question: other}, units[1]), Compared(fields=fields)
    )
    said = compare(question, OutcomeInUnit(one, units[0]), OutcomeInUnit(other, units[1]), fields).differences
    is_same = (one, units[0]) == (other, units[1])
    assert found == (frozenset({stage_of(question)}) if said and not is_same else frozenset())


@pytest.mark.parametrize(
    ("one", "other", "stages"),
    [
        (Text("a"), Unsupported("no"), set()),
        (Failed("ValueError", "a"), Failed("TypeError", "b"), set()),
        (Failed("ValueError", "a"), Text("a"), {Stage.NORMALIZE}),
        (Crashed("signal 11"), Crashed("signal 11"), set()),
        (Crashed("signal 11"), Text("a"), {Stage.NORMALIZE}),
    ],
    ids=str,
)
def test_answers_without_a_value(one: Outcome, other: Outcome, stages: set[Stage]) -> None:
    question = Normalize("a")
    for first, second in ((one, other), (other, one)):
        assert differing_stages(Answers({question: first}), Answers({question: second}), Compared()) == stages


def test_questions_that_follow_from_other_answers_are_not_compared() -> None:
    old = Answers({Normalize("A"): Text("a"), PreTokenize("a"): Pieces((("a", (0, 1)),))})
    new = Answers({Normalize("A"): Text("b"), PreTokenize("b"): Pieces((("b", (0, 1)),))})
    assert differing_stages(old, new, Compared()) == {Stage.NORMALIZE}


def test_a_piece_without_its_place_is_no_difference() -> None:
    question = PreTokenize("a")
    old, new = (Answers({question: Pieces((("a", span),))}) for span in ((0, 1), None))
    assert not differing_stages(old, new, Compared())


# Several releases -----------------------------------------------------------------------------------------------------


def test_each_two_releases_are_compared(tmp_path: Path, toy_file: TokenizerFile) -> None:
    matrix = matrix_of(tmp_path, toy_file, fakes.Toy, fakes.LossyDecode, fakes.WrongSpecialToken)
    assert matrix.loaded == (0, 1, 2)
    assert matrix.inputs == {(0, 1): 1, (0, 2): len(TEXTS), (1, 2): len(TEXTS)}
    assert matrix.differing[(0, 1), Stage.DECODE] == 1
    assert matrix.differing[(0, 2), Stage.POST_PROCESS] == len(TEXTS)
    assert matrix.ids[0, 1] == {"test 4"}
    assert set(matrix.ids) == {(0, 1), (1, 2)}


def test_answers_are_read_only_where_releases_differ_and_equal_ones_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, toy_file: TokenizerFile
) -> None:
    read: list[str] = []

    def answers_by_question(text: str, following: str, outcomes: Any) -> Any:
        read.append(text)
        return replay.answers_by_question(text, following, outcomes)

    monkeypatch.setattr(matrix_module, "answers_by_question", answers_by_question)
    matrix = matrix_of(tmp_path, toy_file, fakes.Toy, fakes.LossyDecode, fakes.Toy)
    assert matrix.inputs == {(0, 1): 1, (1, 2): 1}
    assert read == ["zebra crossing"] * 2


def test_a_tokenizer_that_one_release_refuses(tmp_path: Path, toy_file: TokenizerFile) -> None:
    matrix = matrix_of(tmp_path, toy_file, fakes.Toy, fakes.CannotLoad, fakes.LossyDecode)
    assert matrix.loaded == (0, 2)
    assert matrix.inputs == {(0, 2): 1}
    assert matrix.ids == {(0, 2): frozenset({"test 4"})}


def test_one_that_all_refuse(tmp_path: Path, toy_file: TokenizerFile) -> None:
    matrix = matrix_of(tmp_path, toy_file, fakes.CannotLoad, fakes.CannotLoad)
    assert (matrix.loaded, matrix.inputs, matrix.ids) == ((), {}, {})


def test_only_the_fields_that_were_asked_for_count(tmp_path: Path, toy_file: TokenizerFile) -> None:
    matrix = matrix_of(tmp_path, toy_file, fakes.Toy, fakes.ShiftedOffset, fields=frozenset({Field.IDS}))
    assert not matrix.inputs
    assert matrix_of(tmp_path, toy_file, fakes.Toy, fakes.ShiftedOffset).inputs == {(0, 1): len(TEXTS)}


def test_only_the_stages_that_were_asked_for_count(tmp_path: Path, toy_file: TokenizerFile) -> None:
    matrix = matrix_of(tmp_path, toy_file, fakes.Toy, fakes.WrongSpecialToken, stages=frozenset({Stage.DECODE}))
    assert not matrix.inputs


def test_other_units_of_offsets_are_no_difference(tmp_path: Path, toy_file: TokenizerFile) -> None:
    assert not matrix_of(tmp_path, toy_file, fakes.Toy, fakes.Utf8).inputs


def test_two_tokenizers_one_refused_in_the_middle(tmp_path: Path, toy_file: TokenizerFile) -> None:
    making = Making(tmp_path, (toy_file, _other(toy_file), _other(toy_file, "third")))
    old, new = (release.implementation for release in released(fakes.Toy, fakes.LossyDecode))
    snapshots = [making.snapshot("old", old, INPUTS), making.snapshot("new", new, INPUTS)]
    found = list(matrices(snapshots, [each.source.name for each in making.files], len(INPUTS), Compared()))
    assert [each.inputs for each in found] == [{(0, 1): 1}] * 3
    assert [each.tokenizer for each in found] == [toy_file.source.name, "other", "third"]


def _other(file: TokenizerFile, name: str = "other") -> TokenizerFile:
    return replace(file, source=replace(file.source, name=name))


@pytest.mark.long
def test_of_many_inputs_the_first_are_named(tmp_path: Path, toy_file: TokenizerFile) -> None:
    inputs = named(["z"] * (MOST_IDS + 10))
    matrix = matrix_of(tmp_path, toy_file, fakes.Toy, fakes.LossyDecode, inputs=(inputs,))
    assert matrix.inputs == {(0, 1): MOST_IDS + 10}
    assert matrix.ids[0, 1] == {each.id for each in inputs[:MOST_IDS]}


ENCODED = Encoded((1, 2), ("a", "b"), ((0, 1), (1, 2)), (0, 1), (0, 0), overflowing=())
CHANGES = [
    (Encode("ab"), replace(ENCODED, ids=(1, 3), offsets=((0, 1), (0, 2))), Changed.IDS),
    (Encode("ab"), replace(ENCODED, offsets=((0, 1), (0, 2))), Changed.OFFSETS),
    (Encode("ab"), replace(ENCODED, overflowing=(ENCODED,), type_ids=(0, 1)), Changed.OVERFLOWING),
    (Encode("ab"), replace(ENCODED, type_ids=(0, 1)), Changed.OTHER),
    (Encode("ab"), Failed("Error", "no"), Changed.ANSWER),
]


@pytest.mark.parametrize(("question", "answer", "changed"), CHANGES)
def test_an_input_counts_for_the_gravest_change(question: Encode, answer: Outcome, changed: Changed) -> None:
    normalized, ids = Normalize("ab"), Decode((1, 2))
    one = {question: ENCODED, normalized: Text("ab"), ids: Text("ab")}
    other = {question: answer, normalized: Text("aB"), ids: Text("ab")}
    assert gravest(changes_between(Answers(one), Answers(other), Compared())) is changed
    inside = changes_between(Answers(one), Answers({**other, question: ENCODED}), Compared())
    assert gravest(inside) is Changed.INSIDE
    decoded = changes_between(Answers(one), Answers({**other, question: ENCODED, ids: Text("a b")}), Compared())
    assert gravest(decoded) is Changed.DECODED
