"""Two answers are compared field by field, in code points, and the place where they differ first is found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_adapters.contract import (
    ENCODING_FIELDS,
    After,
    BrokeProtocol,
    Chat,
    Chunks,
    Crashed,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    EncodeSpecialTokens,
    Failed,
    Field,
    Normalize,
    Observation,
    OffsetUnit,
    Outcome,
    Pieces,
    PreTokenize,
    Rendered,
    Stage,
    Text,
    TimedOut,
    Unsupported,
)
from tokenizer_conformance import DifferenceKind, Excerpt, OutcomeInUnit, Verdict, compare
from tokenizer_conformance.comparison.differences import Comparison, Party, excerpt, first_difference, misfit
from tokenizer_conformance.comparison.verdicts import NO_ANSWER, SEVERITY, graver

VALUE, FAILED, CRASHED = Text("a"), Failed("ValueError", "no"), Crashed("signal 11")
TIMED_OUT, BROKE_PROTOCOL, UNSUPPORTED = TimedOut(1.0), BrokeProtocol("half a line"), Unsupported("cannot")

MATRIX: list[tuple[Outcome, Outcome, Verdict, Party | None]] = [
    (VALUE, VALUE, Verdict.AGREE, None),
    (VALUE, Text("b"), Verdict.DIFFER, None),
    (VALUE, FAILED, Verdict.ERROR, Party.IMPLEMENTATION),
    (FAILED, VALUE, Verdict.ERROR, Party.BASELINE),
    (FAILED, FAILED, Verdict.BOTH_ERROR, None),
    (FAILED, Failed("TypeError", "other"), Verdict.BOTH_ERROR, None),
    (VALUE, CRASHED, Verdict.CRASH, Party.IMPLEMENTATION),
    (CRASHED, VALUE, Verdict.CRASH, Party.BASELINE),
    (CRASHED, CRASHED, Verdict.CRASH, Party.BOTH),
    (CRASHED, FAILED, Verdict.CRASH, Party.BASELINE),
    (UNSUPPORTED, CRASHED, Verdict.CRASH, Party.IMPLEMENTATION),
    (CRASHED, TIMED_OUT, Verdict.CRASH, Party.BASELINE),
    (VALUE, TIMED_OUT, Verdict.TIMEOUT, Party.IMPLEMENTATION),
    (TIMED_OUT, TIMED_OUT, Verdict.TIMEOUT, Party.BOTH),
    (VALUE, BROKE_PROTOCOL, Verdict.PROTOCOL, Party.IMPLEMENTATION),
    (BROKE_PROTOCOL, FAILED, Verdict.PROTOCOL, Party.BASELINE),
    (BROKE_PROTOCOL, CRASHED, Verdict.CRASH, Party.IMPLEMENTATION),
    (UNSUPPORTED, BROKE_PROTOCOL, Verdict.PROTOCOL, Party.IMPLEMENTATION),
    (VALUE, UNSUPPORTED, Verdict.UNSUPPORTED, None),
    (UNSUPPORTED, VALUE, Verdict.UNSUPPORTED, None),
    (UNSUPPORTED, UNSUPPORTED, Verdict.UNSUPPORTED, None),
    (UNSUPPORTED, FAILED, Verdict.UNSUPPORTED, None),
    (FAILED, UNSUPPORTED, Verdict.UNSUPPORTED, None),
]

DIFFERENCES = NO_ANSWER | {Verdict.ERROR, Verdict.DIFFER}


@pytest.mark.parametrize(("baseline", "implementation", "verdict", "party"), MATRIX)
def test_every_combination_of_outcomes_has_its_verdict(
    baseline: Outcome,
    implementation: Outcome,
    verdict: Verdict,
    party: Party | None,
) -> None:
    comparison = compare(Normalize("A"), OutcomeInUnit(baseline), OutcomeInUnit(implementation))
    assert comparison.verdict is verdict
    assert [difference.party for difference in comparison.differences if difference.party] == ([party] if party else [])
    assert bool(comparison.differences) is (verdict in DIFFERENCES)


def test_the_class_of_an_error_is_kept() -> None:
    (difference,) = compare(Normalize("A"), OutcomeInUnit(VALUE), OutcomeInUnit(FAILED)).differences
    assert difference.detail == "ValueError"
    assert difference.implementation is FAILED
    (difference,) = compare(Normalize("A"), OutcomeInUnit(FAILED), OutcomeInUnit(VALUE)).differences
    assert (difference.detail, difference.baseline) == ("ValueError", FAILED)


def test_values_of_two_types_are_a_fault_of_the_caller() -> None:
    with pytest.raises(TypeError):
        compare(Normalize("A"), OutcomeInUnit(VALUE), OutcomeInUnit(Pieces(())))


ENCODED = Encoded(
    ids=(1, 2),
    tokens=("a", "b"),
    offsets=((0, 1), (1, 2)),
    word_ids=(0, None),
    type_ids=(0, 0),
    attention_mask=(1, 1),
    special_tokens_mask=(0, 0),
    sequence_ids=(0, None),
    overflowing=(),
)
OTHERS: dict[Field, object] = {
    Field.IDS: (1, 3),
    Field.TOKENS: ("a", "c"),
    Field.OFFSETS: ((0, 1), (1, 3)),
    Field.WORD_IDS: (0, 0),
    Field.TYPE_IDS: (0, 1),
    Field.ATTENTION_MASK: (1, 0),
    Field.SPECIAL_TOKENS_MASK: (0, 1),
    Field.SEQUENCE_IDS: (0, 0),
    Field.OVERFLOWING: (ENCODED,),
}


def with_field(encoded: Encoded, field: Field, value: object) -> Encoded:
    return Encoded(**{each: getattr(encoded, each) for each in ENCODING_FIELDS} | {field: value})


@pytest.mark.parametrize("field", ENCODING_FIELDS)
def test_each_field_of_an_encoding_is_compared_for_itself(field: Field) -> None:
    question = Encode("ab", add_special_tokens=False)
    changed = with_field(ENCODED, field, OTHERS[field])
    comparison = compare(question, OutcomeInUnit(ENCODED), OutcomeInUnit(changed))
    assert [difference.field for difference in comparison.differences] == [field]
    assert set(comparison.agreed) == set(ENCODING_FIELDS) - {field}
    assert comparison.differences[0].position == (0 if field is Field.OVERFLOWING else 1)

    assert not compare(
        question, OutcomeInUnit(ENCODED), OutcomeInUnit(changed), frozenset(ENCODING_FIELDS) - {field}
    ).differences


@pytest.mark.parametrize("field", [field for field in ENCODING_FIELDS if field is not Field.IDS])
@pytest.mark.parametrize("other", [ENCODED, with_field(ENCODED, Field.IDS, (1, 3))], ids=["equal", "different"])
def test_a_field_that_one_side_lacks_is_unsupported(field: Field, other: Encoded) -> None:
    lacking = with_field(ENCODED, field, None)
    for left, right in ((lacking, other), (other, lacking)):
        comparison = compare(Encode("ab"), OutcomeInUnit(left), OutcomeInUnit(right))
        assert comparison.unsupported == (field,)
        assert field not in comparison.agreed


def test_equal_encodings_that_show_little_do_not_agree_in_what_they_hide() -> None:
    comparison = compare(Encode("ab"), OutcomeInUnit(Encoded((1, 2))), OutcomeInUnit(Encoded((1, 2))))
    assert comparison.agreed == (Field.IDS,)
    assert set(comparison.unsupported) == set(ENCODING_FIELDS) - {Field.IDS}


def test_overflowing_is_compared_all_the_way_down() -> None:
    inner = with_field(ENCODED, Field.OFFSETS, ((0, 1), (1, 9)))
    (difference,) = compare(
        Encode("ab"),
        OutcomeInUnit(with_field(ENCODED, Field.OVERFLOWING, (ENCODED, ENCODED))),
        OutcomeInUnit(with_field(ENCODED, Field.OVERFLOWING, (ENCODED, inner))),
    ).differences
    assert difference.field is Field.OVERFLOWING
    assert difference.part == "overflowing[1].offsets"
    assert difference.position == 1


def test_another_length_is_told_from_other_values() -> None:
    question = Encode("ab")
    fewer = Encoded(ids=(1,), tokens=("a",))
    kinds = {each.kind for each in compare(question, OutcomeInUnit(ENCODED), OutcomeInUnit(fewer)).differences}
    assert kinds == {DifferenceKind.LENGTH}


def test_pieces_and_their_offsets_are_compared_apart() -> None:
    question = PreTokenize("ab c")
    baseline = Pieces((("ab", (0, 2)), ("c", (3, 4))))
    moved = compare(question, OutcomeInUnit(baseline), OutcomeInUnit(Pieces((("ab", (0, 2)), ("c", (2, 3))))))
    assert moved.agreed == (Field.PIECES,)
    assert [difference.field for difference in moved.differences] == [Field.OFFSETS]
    hidden = compare(question, OutcomeInUnit(baseline), OutcomeInUnit(Pieces((("ab", None), ("c", None)))))
    assert (hidden.agreed, hidden.unsupported) == ((Field.PIECES,), (Field.OFFSETS,))


@pytest.mark.parametrize(
    ("spans", "fields", "agreed", "unsupported"),
    [
        (((0, 2), (3, 4)), (Field.PIECES, Field.OFFSETS), (Field.PIECES, Field.OFFSETS), ()),
        (((0, 2), None), (Field.PIECES, Field.OFFSETS), (Field.PIECES,), (Field.OFFSETS,)),
        ((None, (3, 4)), (Field.PIECES, Field.OFFSETS), (Field.PIECES,), (Field.OFFSETS,)),
        (((0, 2), (3, 4)), (Field.OFFSETS,), (Field.OFFSETS,), ()),
        (((0, 2), None), (Field.OFFSETS,), (), (Field.OFFSETS,)),
        (((0, 2), None), (Field.PIECES,), (Field.PIECES,), ()),
    ],
)
def test_equal_pieces_agree_in_offsets_where_all_have_some(
    spans: tuple[tuple[int, int] | None, ...],
    fields: tuple[Field, ...],
    agreed: tuple[Field, ...],
    unsupported: tuple[Field, ...],
) -> None:
    answer = OutcomeInUnit(Pieces(tuple(zip(("ab", "c"), spans, strict=True))))
    comparison = compare(PreTokenize("ab c"), answer, answer, frozenset(fields))
    assert (set(comparison.agreed), comparison.unsupported) == (set(agreed), unsupported)
    assert (comparison.differences, comparison.unanswered) == ((), ())


@pytest.mark.parametrize("units", [(OffsetUnit.UTF8_BYTES, OffsetUnit.CODE_POINTS), tuple(OffsetUnit)[::-1][:2]])
def test_the_same_numbers_in_two_units_are_other_offsets(units: tuple[OffsetUnit, OffsetUnit]) -> None:
    pieces = Pieces((("é", (0, 2)), ("🎉", (2, 6))))
    for ours, theirs in (units, units[::-1]):
        comparison = compare(PreTokenize("é🎉bcde"), OutcomeInUnit(pieces, ours), OutcomeInUnit(pieces, theirs))
        assert ([each.field for each in comparison.differences], comparison.agreed) == (
            [Field.OFFSETS],
            (Field.PIECES,),
        )


@pytest.mark.parametrize(
    ("question", "values"),
    [
        (Normalize("a"), [Text("".join("ab")) for _ in range(2)]),
        (DecodeStream((1,)), [Chunks(("ab" * number, None)) for number in (1, 1)]),
    ],
)
def test_equal_texts_agree_in_whatever_objects_they_are(question: Observation, values: list[Outcome]) -> None:
    comparison = compare(question, *map(OutcomeInUnit, values))
    assert (comparison.agreed, comparison.differences) == ((Field.TEXT,), ())


def test_equal_pieces_at_no_place_of_the_text_are_wrong_on_both_sides() -> None:
    answer = OutcomeInUnit(Pieces((("é", (0, 1)),)), OffsetUnit.UTF8_BYTES)
    comparison = compare(PreTokenize("é"), answer, answer)
    (difference,) = comparison.differences
    assert (difference.field, difference.party) == (Field.OFFSETS, Party.BOTH)
    assert difference.kind is DifferenceKind.OFFSET_INSIDE_CHARACTER
    assert comparison.agreed == (Field.PIECES,)


@pytest.mark.parametrize(
    ("theirs", "wanted", "agreed", "differing", "unsupported"),
    [
        (Rendered("ab", (1, 2)), None, (Field.TEXT, Field.IDS), (), ()),
        (Rendered("aB", (1, 2)), None, (Field.IDS,), (Field.TEXT,), ()),
        (Rendered("ab", (1, 3)), None, (Field.TEXT,), (Field.IDS,), ()),
        (Rendered("ab", None), None, (Field.TEXT,), (), (Field.IDS,)),
        (Rendered("aB", (1, 3)), Field.TEXT, (), (Field.TEXT,), ()),
        (Rendered("aB", (1, 3)), Field.IDS, (), (Field.IDS,), ()),
    ],
)
def test_a_chat_is_compared_as_a_text_and_its_ids(
    theirs: Rendered,
    wanted: Field | None,
    agreed: tuple[Field, ...],
    differing: tuple[Field, ...],
    unsupported: tuple[Field, ...],
) -> None:
    fields = None if wanted is None else frozenset({wanted})
    comparison = compare(Chat("[]"), OutcomeInUnit(Rendered("ab", (1, 2))), OutcomeInUnit(theirs), fields)
    assert comparison.agreed == agreed
    assert tuple(each.field for each in comparison.differences) == differing
    assert {each.position for each in comparison.differences} <= {1}
    assert comparison.unsupported == comparison.unanswered == unsupported


# Batches and streams --------------------------------------------------------------------------------------------------

BATCH = EncodeBatch((Encode("ab"), Encode("ab")))


@pytest.mark.parametrize("field", ENCODING_FIELDS)
def test_each_field_of_a_batch_is_compared_for_itself_and_its_encoding_named(field: Field) -> None:
    changed = with_field(ENCODED, field, OTHERS[field])
    comparison = compare(
        BATCH, OutcomeInUnit(EncodedBatch((ENCODED, ENCODED))), OutcomeInUnit(EncodedBatch((ENCODED, changed)))
    )
    (difference,) = comparison.differences
    assert difference.field is field
    assert difference.part == f"encodings[1].{field}"
    assert set(comparison.agreed) == set(ENCODING_FIELDS) - {field}
    both = compare(
        BATCH, OutcomeInUnit(EncodedBatch((ENCODED, ENCODED))), OutcomeInUnit(EncodedBatch((changed, changed)))
    )
    assert [each.part for each in both.differences] == [f"encodings[0].{field}"]


def test_what_truncation_cut_off_an_encoding_of_a_batch_is_named() -> None:
    inner = with_field(ENCODED, Field.IDS, (1, 9))
    sides = (with_field(ENCODED, Field.OVERFLOWING, (part,)) for part in (ENCODED, inner))
    (difference,) = compare(
        EncodeBatch((Encode("ab"),)), *(OutcomeInUnit(EncodedBatch((side,))) for side in sides)
    ).differences
    assert difference.part == "encodings[0].overflowing[0].ids"


@pytest.mark.parametrize("field", [field for field in ENCODING_FIELDS if field is not Field.IDS])
def test_a_field_that_one_encoding_of_a_batch_lacks_is_unsupported(field: Field) -> None:
    whole, lacking = EncodedBatch((ENCODED, ENCODED)), EncodedBatch((ENCODED, with_field(ENCODED, field, None)))
    comparison = compare(BATCH, OutcomeInUnit(whole), OutcomeInUnit(lacking))
    assert (comparison.unsupported, comparison.unanswered) == ((field,), (field,))
    comparison = compare(BATCH, OutcomeInUnit(lacking), OutcomeInUnit(whole))
    assert (comparison.unsupported, comparison.unanswered) == ((field,), ())


@pytest.mark.parametrize(
    ("ours", "theirs", "party"),
    [(2, 1, Party.IMPLEMENTATION), (3, 2, Party.BASELINE), (1, 3, Party.BOTH), (1, 1, Party.BOTH)],
)
def test_a_batch_has_an_encoding_for_each_input(ours: int, theirs: int, party: Party) -> None:
    sides = (OutcomeInUnit(EncodedBatch((ENCODED,) * count)) for count in (ours, theirs))
    (difference,) = compare(BATCH, *sides).differences
    assert (difference.kind, difference.party, difference.part) == (DifferenceKind.LENGTH, party, "encodings")


def test_offsets_of_a_batch_are_brought_to_code_points_of_their_own_text() -> None:
    question = EncodeBatch((Encode("é"), Encode("🎉b", "é")))
    spans = (((0, 1),), ((0, 1), (1, 2), (0, 1)))
    in_bytes = (((0, 2),), ((0, 4), (4, 5), (0, 2)))
    sequences = ((0,), (0, 0, 1))
    sides = [
        EncodedBatch(
            tuple(
                Encoded(ids=tuple(range(len(each))), offsets=each, sequence_ids=sequence)
                for each, sequence in zip(side, sequences, strict=True)
            )
        )
        for side in (spans, in_bytes)
    ]
    comparison = compare(question, OutcomeInUnit(sides[0]), OutcomeInUnit(sides[1], OffsetUnit.UTF8_BYTES))
    assert Field.OFFSETS in comparison.agreed
    (difference,) = compare(question, OutcomeInUnit(sides[0]), OutcomeInUnit(sides[1])).differences
    assert difference.part == "encodings[0].offsets"


def test_offsets_after_a_change_are_brought_to_code_points_too() -> None:
    question = After((EncodeSpecialTokens(True),), Encode("é"))
    comparison = compare(
        question,
        OutcomeInUnit(Encoded(ids=(1,), offsets=((0, 1),))),
        OutcomeInUnit(Encoded(ids=(1,), offsets=((0, 2),)), OffsetUnit.UTF8_BYTES),
    )
    assert Field.OFFSETS in comparison.agreed


def test_what_ids_add_one_by_one_is_compared_id_by_id() -> None:
    question = DecodeStream((1, 2, 3))
    ours, theirs = Chunks(("a", None, "b")), Chunks(("a", "\ufffd", "b"))
    assert compare(question, OutcomeInUnit(ours), OutcomeInUnit(ours)).agreed == (Field.TEXT,)
    (difference,) = compare(question, OutcomeInUnit(ours), OutcomeInUnit(theirs)).differences
    assert (difference.field, difference.position) == (Field.TEXT, 1)
    assert difference.baseline == Excerpt(0, 3, ("a", None, "b"))
    failed = compare(question, OutcomeInUnit(ours), OutcomeInUnit(FAILED))
    assert failed.verdict is Verdict.ERROR


def test_of_wanted_fields_none_may_be_in_a_batch() -> None:
    sides = (OutcomeInUnit(EncodedBatch((ENCODED,))), OutcomeInUnit(EncodedBatch(())))
    assert not compare(BATCH, *sides, frozenset({Field.TEXT})).differences


# Offset units --------------------------------------------------------------------------------------------------------


def test_offsets_of_a_pair_point_into_their_own_text() -> None:
    question = Encode("é", "🎉b", add_special_tokens=False)
    baseline = Encoded(ids=(1, 2, 3), offsets=((0, 1), (0, 1), (1, 2)), sequence_ids=(0, 1, 1))
    in_bytes = Encoded(ids=(1, 2, 3), offsets=((0, 2), (0, 4), (4, 5)), sequence_ids=(0, 1, 1))
    comparison = compare(question, OutcomeInUnit(baseline), OutcomeInUnit(in_bytes, OffsetUnit.UTF8_BYTES))
    assert Field.OFFSETS in comparison.agreed


def test_offsets_of_a_pair_without_sequence_ids_cannot_be_compared() -> None:
    question = Encode("é", "b", add_special_tokens=False)
    in_bytes = Encoded(ids=(1, 2), offsets=((0, 2), (0, 1)))
    comparison = compare(
        question,
        OutcomeInUnit(Encoded(ids=(1, 2), offsets=((0, 1), (0, 1)))),
        OutcomeInUnit(in_bytes, OffsetUnit.UTF8_BYTES),
    )
    assert Field.OFFSETS in comparison.unsupported


def test_offsets_of_words_point_into_their_own_word() -> None:
    question = Encode(("é", "éb"), add_special_tokens=False)
    baseline = Encoded(ids=(1, 2, 3), offsets=((0, 1), (0, 1), (1, 2)), word_ids=(0, 1, 1))
    in_bytes = Encoded(ids=(1, 2, 3), offsets=((0, 2), (0, 2), (2, 3)), word_ids=(0, 1, 1))
    comparison = compare(question, OutcomeInUnit(baseline), OutcomeInUnit(in_bytes, OffsetUnit.UTF8_BYTES))
    assert Field.OFFSETS in comparison.agreed


@pytest.mark.parametrize(
    ("span", "kind"),
    [((0, 1), DifferenceKind.OFFSET_INSIDE_CHARACTER), ((0, 9), DifferenceKind.OFFSET_OUTSIDE_TEXT)],
)
@pytest.mark.parametrize("party", [Party.BASELINE, Party.IMPLEMENTATION])
def test_an_offset_between_no_two_characters_is_a_difference(
    span: tuple[int, int],
    kind: DifferenceKind,
    party: Party,
) -> None:
    good = OutcomeInUnit(Encoded(ids=(1,), offsets=((0, 1),)))
    bad = OutcomeInUnit(Encoded(ids=(1,), offsets=(span,)), OffsetUnit.UTF8_BYTES)
    sides = (bad, good) if party is Party.BASELINE else (good, bad)
    (difference,) = compare(Encode("é", add_special_tokens=False), *sides).differences
    assert (difference.kind, difference.party, difference.verdict) == (kind, party, Verdict.DIFFER)
    shown = difference.baseline if party is Party.BASELINE else difference.implementation
    assert isinstance(shown, Excerpt)
    assert shown.entries == (span,), "an offset that cannot be converted is shown as it was given"


def test_offsets_inside_a_character_that_tokens_share_agree_and_are_counted_as_finer() -> None:
    question = Encode("é🎉", add_special_tokens=False)
    ours = Encoded(ids=(1, 2, 3), offsets=((0, 1), (1, 2), (1, 2)))
    in_bytes = Encoded(ids=(1, 2, 3), offsets=((0, 2), (2, 4), (4, 6)))
    comparison = compare(question, OutcomeInUnit(ours), OutcomeInUnit(in_bytes, OffsetUnit.UTF8_BYTES))
    assert (comparison.differences, comparison.finer, comparison.verdict) == ((), 2, Verdict.AGREE)
    batch = compare(
        EncodeBatch((question, question)),
        OutcomeInUnit(EncodedBatch((ours, ours))),
        OutcomeInUnit(EncodedBatch((in_bytes, in_bytes)), OffsetUnit.UTF8_BYTES),
    )
    assert (batch.differences, batch.finer) == ((), 4)


def test_offsets_that_differ_when_they_are_rounded_are_a_difference_and_not_finer() -> None:
    question = Encode("é🎉", add_special_tokens=False)
    ours = Encoded(ids=(1, 2, 3), offsets=((0, 1), (0, 1), (1, 2)))
    in_bytes = Encoded(ids=(1, 2, 3), offsets=((0, 2), (2, 4), (4, 6)))
    comparison = compare(question, OutcomeInUnit(ours), OutcomeInUnit(in_bytes, OffsetUnit.UTF8_BYTES))
    (difference,) = comparison.differences
    assert (difference.kind, difference.position, comparison.finer) == (DifferenceKind.VALUES, 1, 0)
    assert difference.implementation.entries == ((0, 1), (1, 2), (1, 2)), "shown in code points, rounded outward"


# Places --------------------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 2)), st.lists(st.integers(0, 2)))
def test_the_first_difference_is_the_first(left: list[int], right: list[int]) -> None:
    position = first_difference(left, right)
    assert left[:position] == right[:position]
    assert left == right or left[position : position + 1] != right[position : position + 1]


@given(st.text(max_size=80), st.integers(0, 90))
def test_an_excerpt_is_the_window_around_its_position(text: str, position: int) -> None:
    window = excerpt(text, position)
    assert window.text == text[window.start : window.start + len(window.entries)]
    assert window.total == len(text)
    assert position >= len(text) or window.start <= position < window.start + len(window.entries)


def test_as_much_is_shown_before_a_place_as_after_it() -> None:
    text, numbers = excerpt("a" * 50 + "b" + "c" * 50, 50), excerpt(range(100), 50)
    assert text.text == "a" * 16 + "b" + "c" * 16
    assert numbers.entries == (47, 48, 49, 50, 51, 52, 53)


@pytest.mark.parametrize(
    ("comparison", "expected"),
    [
        (Comparison(), False),
        (Comparison(unsupported=(Field.TEXT,)), False),
        (Comparison(unsupported=(Field.TEXT,), unanswered=(Field.TEXT,)), True),
        (Comparison(agreed=(Field.TEXT,)), True),
        (Comparison(both_failed=True), True),
        (Comparison(unstable=compare(Normalize("A"), OutcomeInUnit(VALUE), OutcomeInUnit(FAILED)).differences), True),
        (compare(Normalize("A"), OutcomeInUnit(VALUE), OutcomeInUnit(FAILED)), True),
    ],
)
def test_an_error_is_an_answer_and_hiding_is_none(comparison: Comparison, expected: bool) -> None:
    assert comparison.baseline_answers is expected


def test_tokens_stand_beside_other_fields() -> None:
    (difference,) = compare(
        Encode("ab"), OutcomeInUnit(ENCODED), OutcomeInUnit(with_field(ENCODED, Field.TYPE_IDS, (0, 1)))
    ).differences
    assert difference.baseline == Excerpt(0, 2, (0, 0), ("a", "b"))


def test_nothing_is_shown_of_an_answer_that_is_hidden() -> None:
    (difference,) = compare(Normalize("a"), OutcomeInUnit(UNSUPPORTED), OutcomeInUnit(CRASHED)).differences
    assert (difference.baseline, difference.implementation) == (Excerpt(0, 0, ()), CRASHED)


# Verdicts ------------------------------------------------------------------------------------------------------------


@given(st.sampled_from(Verdict), st.sampled_from(Verdict))
def test_the_graver_verdict_is_one_of_the_two_whatever_their_order(one: Verdict, other: Verdict) -> None:
    assert graver(one, other) is graver(other, one)
    assert graver(one, other) in (one, other)
    assert not {one, other} & DIFFERENCES or graver(one, other) in DIFFERENCES


def test_severity_ranks_every_verdict() -> None:
    assert sorted(SEVERITY) == sorted(Verdict)


def test_the_type_of_an_answer_belongs_to_the_question() -> None:
    assert misfit(Normalize("a"), Text("a")) is None
    assert misfit(Decode(()), FAILED) is None
    assert misfit(Decode(()), Pieces(()))
    assert misfit(Encode("a"), Text("a"))
    assert misfit(BATCH, EncodedBatch(())) is None
    assert misfit(BATCH, ENCODED)
    assert misfit(DecodeStream(()), Chunks(())) is None
    assert misfit(DecodeStream(()), Text(""))
    assert misfit(After((), Encode("a")), ENCODED) is None
    assert misfit(After((), Encode("a")), Text("a"))
    assert {stage.value for stage in Stage} == {"normalize", "pre_tokenize", "model", "post_process", "decode", "chat"}


LETTERS = tuple("abcdefg")


@pytest.mark.parametrize(
    ("question", "value", "begins"),
    [
        (Normalize("ab" * 50), Text("ab" * 50), Excerpt(0, 100, tuple("ab" * 8 + "a"), is_text=True)),
        (PreTokenize("a b"), Pieces((("a", (0, 1)), ("b", None))), Excerpt(0, 2, ("a", "b"))),
        (PreTokenize("abcdefg"), Pieces(tuple((each, None) for each in LETTERS)), Excerpt(0, 7, LETTERS[:4])),
        (Encode("ab"), Encoded((1, 2), ("a", "b")), Excerpt(0, 2, (1, 2), ("a", "b"))),
        (Encode("abcdefg"), Encoded(tuple(range(7)), LETTERS), Excerpt(0, 7, (0, 1, 2, 3), LETTERS[:4])),
        (
            EncodeBatch((Encode("a"), Encode("b"))),
            EncodedBatch((Encoded((1, 2), ("a", "b")), *(Encoded((3, each)) for each in range(4)))),
            Excerpt(0, 5, ("a b", "3 0", "3 1", "3 2")),
        ),
        (DecodeStream((1, 2)), Chunks(("a", None, *LETTERS)), Excerpt(0, 9, ("a", None, "a", "b"))),
        (Chat("[]"), Rendered("ab" * 50, (1,)), Excerpt(0, 100, tuple("ab" * 8 + "a"), is_text=True)),
    ],
)
def test_of_a_value_beside_an_error_the_beginning_is_shown(
    question: Observation, value: Outcome, begins: Excerpt
) -> None:
    (difference,) = compare(question, OutcomeInUnit(value), OutcomeInUnit(FAILED)).differences
    assert difference.baseline == begins
    (difference,) = compare(question, OutcomeInUnit(FAILED), OutcomeInUnit(value)).differences
    assert difference.implementation == begins
