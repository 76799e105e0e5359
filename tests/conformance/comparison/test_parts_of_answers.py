"""Answers of several parts: pieces, encodings of a batch, what truncation cut off. One of them decides, whichever."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import (
    Chunks,
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
    Rendered,
    Text,
    Unsupported,
)
from tokenizer_conformance.comparison.differences import (
    Comparison,
    Difference,
    DifferenceKind,
    Excerpt,
    KnownDifference,
    OutcomeInUnit,
    Party,
    compare,
    confirmed,
    misfit,
    texts_of_tokens,
)
from tokenizer_conformance.comparison.offset_units import MisplacedSpan, placed_spans, spans_to_code_points
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.ledger.entry import Entry, Place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_adapters.contract import Outcome

WHOLE = Pieces((("ab", (0, 2)), ("c", (3, 4))))
NO_FIRST = Pieces((("ab", None), ("c", (3, 4))))
NO_LAST = Pieces((("ab", (0, 2)), ("c", None)))
NONE = Pieces((("ab", None), ("c", None)))

IN_BYTES = OffsetUnit.UTF8_BYTES


@pytest.mark.parametrize("units", [(OffsetUnit.CODE_POINTS, OffsetUnit.CODE_POINTS), (IN_BYTES, IN_BYTES)])
@pytest.mark.parametrize(
    ("baseline", "implementation", "is_shown", "is_answered"),
    [
        (WHOLE, WHOLE, True, True),
        (NO_FIRST, NO_FIRST, False, True),
        (NO_LAST, NO_LAST, False, True),
        (NONE, NONE, False, True),
        (WHOLE, NO_FIRST, False, False),
        (WHOLE, NO_LAST, False, False),
        (WHOLE, NONE, False, False),
        (NO_FIRST, WHOLE, False, True),
        (NO_LAST, WHOLE, False, True),
        (NO_FIRST, NO_LAST, False, True),
    ],
)
def test_offsets_of_pieces_are_shown_where_every_piece_has_a_span(
    baseline: Pieces,
    implementation: Pieces,
    is_shown: bool,
    is_answered: bool,
    units: tuple[OffsetUnit, OffsetUnit],
) -> None:
    found = compare(PreTokenize("ab c"), OutcomeInUnit(baseline, units[0]), OutcomeInUnit(implementation, units[1]))
    assert found.agreed == ((Field.PIECES, Field.OFFSETS) if is_shown else (Field.PIECES,))
    assert found.unsupported == (() if is_shown else (Field.OFFSETS,))
    assert found.unanswered == (() if is_answered else (Field.OFFSETS,))
    assert not found.differences


def test_pieces_that_differ_are_a_difference_with_spans_or_without() -> None:
    other = Pieces((("ab", None), ("d", None)))
    found = compare(PreTokenize("ab c"), OutcomeInUnit(NONE), OutcomeInUnit(other))
    assert [(each.field, each.position) for each in found.differences] == [(Field.PIECES, 1)]
    assert (found.agreed, found.unsupported) == ((), (Field.OFFSETS,))


# Batches -------------------------------------------------------------------------------------------------------------

ONE = Encoded((1,), ("a",), ((0, 1),), overflowing=())
BARE = Encoded((1,))


def in_batch(
    ours: Sequence[Encoded], theirs: Sequence[Encoded], unit: OffsetUnit = OffsetUnit.CODE_POINTS
) -> Comparison:
    question = EncodeBatch(tuple(Encode("é") for _ in ours))
    return compare(question, OutcomeInUnit(EncodedBatch(tuple(ours))), OutcomeInUnit(EncodedBatch(tuple(theirs)), unit))


@pytest.mark.parametrize(
    ("ours", "theirs", "agreed", "unanswered"),
    [
        ((ONE, ONE), (ONE, ONE), True, False),
        ((ONE, BARE), (ONE, BARE), False, False),
        ((BARE, ONE), (BARE, ONE), False, False),
        ((ONE, BARE), (BARE, BARE), False, True),
        ((BARE, ONE), (BARE, BARE), False, True),
        ((BARE, BARE), (BARE, ONE), False, False),
    ],
)
def test_a_field_agrees_where_every_encoding_of_a_batch_has_it(
    ours: Sequence[Encoded], theirs: Sequence[Encoded], agreed: bool, unanswered: bool
) -> None:
    found = in_batch(ours, theirs)
    assert (Field.TOKENS in found.agreed, Field.TOKENS in found.unsupported) == (agreed, not agreed)
    assert (Field.TOKENS in found.unanswered) is unanswered


def test_finer_offsets_of_a_batch_are_counted_in_all_of_it() -> None:
    shared = Encoded((1, 2), ("a", "b"), ((0, 1), (0, 1)))
    finer = replace(shared, offsets=((0, 1), (1, 2)))
    found = in_batch((shared, shared, shared), (finer, finer, replace(shared, offsets=((0, 2), (0, 2)))), IN_BYTES)
    assert Field.OFFSETS in found.agreed
    assert found.finer == 4


def test_the_first_encoding_that_differs_is_told_for_each_field() -> None:
    found = in_batch((ONE, ONE, ONE), (ONE, replace(ONE, ids=(2,)), replace(ONE, ids=(3,), tokens=("b",))))
    assert [each.part for each in found.differences] == ["encodings[1].ids", "encodings[2].tokens"]


# What truncation cut off ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ours", "theirs", "part"),
    [
        ((), (), None),
        ((ONE, ONE, ONE), (ONE, ONE, ONE), None),
        ((ONE, ONE), (replace(ONE, ids=(2,)), ONE), "overflowing[0].ids"),
        ((ONE, ONE), (ONE, replace(ONE, ids=(2,))), "overflowing[1].ids"),
        ((ONE, ONE, ONE), (ONE, ONE, replace(ONE, tokens=("b",))), "overflowing[2].tokens"),
        ((ONE, ONE), (ONE, replace(ONE, overflowing=(ONE,))), "overflowing[1].overflowing"),
        ((ONE, ONE), (BARE, replace(BARE, ids=(2,))), "overflowing[1].ids"),
        ((ONE, ONE), (ONE, BARE), None),
    ],
)
def test_every_part_that_was_cut_off_is_compared(
    ours: tuple[Encoded, ...], theirs: tuple[Encoded, ...], part: str | None
) -> None:
    sides = (OutcomeInUnit(replace(ONE, overflowing=each)) for each in (ours, theirs))
    found = compare(Encode("é"), *sides)
    assert [each.part for each in found.differences] == ([] if part is None else [part])
    assert (Field.OVERFLOWING in found.agreed) is (part is None)


@pytest.mark.parametrize(("ours", "theirs"), [(1, 2), (2, 1), (0, 1), (1, 0)])
def test_another_number_of_parts_is_another_length(ours: int, theirs: int) -> None:
    sides = (OutcomeInUnit(replace(ONE, overflowing=(ONE,) * count)) for count in (ours, theirs))
    (difference,) = compare(Encode("é"), *sides).differences
    assert (difference.field, difference.kind) == (Field.OVERFLOWING, DifferenceKind.LENGTH)
    assert difference.position == min(ours, theirs)


# Verdicts ------------------------------------------------------------------------------------------------------------

SHOWN = Excerpt(0, 1, ("a",), is_text=True)


def difference(verdict: Verdict) -> Difference:
    return Difference(verdict, DifferenceKind.VALUES, Field.TEXT, SHOWN, SHOWN)


KNOWN = KnownDifference(
    difference(Verdict.DIFFER), Entry(implementation="a", reason="so", place=Place("ledger.toml", 1))
)


@pytest.mark.parametrize(
    ("members", "verdict"),
    [
        ({}, Verdict.UNSUPPORTED),
        ({"agreed": (Field.IDS,)}, Verdict.AGREE),
        ({"both_failed": True}, Verdict.BOTH_ERROR),
        ({"agreed": (Field.IDS,), "known": (KNOWN,)}, Verdict.KNOWN),
        ({"known": (KNOWN,)}, Verdict.KNOWN),
        ({"agreed": (Field.IDS,), "unstable": (difference(Verdict.UNSTABLE),)}, Verdict.UNSTABLE),
        ({"known": (KNOWN,), "unstable": (difference(Verdict.UNSTABLE),)}, Verdict.UNSTABLE),
        ({"agreed": (Field.IDS,), "differences": (difference(Verdict.DIFFER),)}, Verdict.DIFFER),
        ({"differences": (difference(Verdict.ERROR), difference(Verdict.DIFFER))}, Verdict.ERROR),
        ({"differences": (difference(Verdict.DIFFER), difference(Verdict.CRASH))}, Verdict.CRASH),
        ({"differences": (difference(Verdict.DIFFER),), "unstable": (difference(Verdict.UNSTABLE),)}, Verdict.DIFFER),
    ],
)
def test_the_gravest_verdict_is_that_of_the_comparison(members: dict[str, Any], verdict: Verdict) -> None:
    assert Comparison(**members).verdict is verdict


def test_of_several_differences_those_that_are_gone_are_unstable() -> None:
    typed = replace(ONE, type_ids=(0,))
    first = in_batch((typed,), (replace(typed, ids=(2,), type_ids=(1,)),))
    found = confirmed(first, in_batch((typed,), (replace(typed, ids=(2,)),)))
    assert [each.field for each in found.differences] == [Field.IDS]
    assert [(each.field, each.verdict) for each in found.unstable] == [(Field.TYPE_IDS, Verdict.UNSTABLE)]
    assert confirmed(first, first) is first
    gone = confirmed(first, in_batch((typed,), (typed,)))
    assert [each.field for each in gone.unstable] == [Field.IDS, Field.TYPE_IDS]


@pytest.mark.parametrize(
    ("question", "outcome", "what"),
    [
        (Encode("a"), ONE, None),
        (Encode("a"), Encoded(("1",)), "Encoded of str"),  # type: ignore[arg-type]  # that is what is looked for
        (Encode("a"), Encoded((1,), (2,)), "Encoded of int"),  # type: ignore[arg-type]  # as above
        (Encode("a"), Encoded([1]), "Encoded of list"),  # type: ignore[arg-type]  # as above
        (Encode("a"), Text("a"), "Text"),
        (PreTokenize("a"), Pieces((("a", None), (2, None))), "Pieces of int"),  # type: ignore[arg-type]  # as above
        (DecodeStream((1, 2)), Chunks(("a", None)), None),
        (DecodeStream((1, 2)), Chunks((None, 2)), "Chunks of int"),  # type: ignore[arg-type]  # as above
        (Normalize("a"), Rendered("a", None), "Rendered"),
        (Normalize("a"), Failed("ValueError", "no"), None),
    ],
)
def test_what_an_answer_holds_is_of_its_type(question: Any, outcome: Outcome, what: str | None) -> None:
    assert misfit(question, outcome) == what


@pytest.mark.parametrize(
    ("question", "members", "texts"),
    [
        (Encode("ab"), {}, ["ab", "ab", "ab"]),
        (Encode("ab", "c"), {"sequence_ids": (0, 1, None)}, ["ab", "c", "ab"]),
        (Encode("ab", "c"), {}, None),
        (Encode(("ab", "c")), {}, None),
        (Encode(("ab", "c")), {"word_ids": (0, 1, 2)}, ["ab", "c", ""]),
        (Encode(("ab", "c")), {"word_ids": (1, None, 0)}, ["c", "", "ab"]),
        (
            Encode(("ab",), ("c", "d")),
            {"word_ids": (0, 1, 2), "sequence_ids": (0, 1, 1)},
            ["ab", "d", ""],
        ),
        (Encode(("ab",), ("c", "d")), {"word_ids": (0, 1, 0), "sequence_ids": (None, 1, 0)}, ["", "d", "ab"]),
    ],
)
def test_which_text_each_token_points_into(question: Encode, members: dict[str, Any], texts: list[str] | None) -> None:
    assert texts_of_tokens(question, Encoded((1, 2, 3), **members)) == texts


# No value, and offsets -----------------------------------------------------------------------------------------------

HIDDEN, REFUSED = Unsupported("it does not show it"), Failed("ValueError", "no")


@pytest.mark.parametrize(
    ("baseline", "implementation", "unsupported", "unanswered"),
    [
        (HIDDEN, Text("a"), True, False),
        (Text("a"), HIDDEN, True, True),
        (HIDDEN, HIDDEN, True, False),
        (HIDDEN, REFUSED, True, False),
        (REFUSED, HIDDEN, True, True),
        (REFUSED, REFUSED, False, False),
    ],
)
def test_who_hides_a_value_owes_it_where_the_baseline_answers(
    baseline: Outcome, implementation: Outcome, unsupported: bool, unanswered: bool
) -> None:
    found = compare(Normalize("a"), OutcomeInUnit(baseline), OutcomeInUnit(implementation))
    assert found.unsupported == ((Field.TEXT,) if unsupported else ())
    assert found.unanswered == ((Field.TEXT,) if unanswered else ())
    assert found.both_failed is (baseline == implementation == REFUSED)


def test_what_an_error_says_may_be_another_thing_each_time() -> None:
    def against(message: str, kind: str = "ValueError") -> Comparison:
        return compare(Normalize("a"), OutcomeInUnit(Text("a")), OutcomeInUnit(Failed(kind, message)))

    first = against("at 0x1")
    assert confirmed(first, against("at 0x2")) is first
    assert confirmed(first, against("at 0x1", "OSError")).differences == ()


@pytest.mark.parametrize(
    ("expected", "actual", "kind"),
    [
        ("abc", "abd", DifferenceKind.VALUES),
        ("abc", "ab", DifferenceKind.VALUES),
        ("", "ab", DifferenceKind.VALUES),
    ],
)
def test_a_text_that_differs_is_one_change_whatever_its_length(
    expected: str, actual: str, kind: DifferenceKind
) -> None:
    (found,) = compare(Normalize("a"), OutcomeInUnit(Text(expected)), OutcomeInUnit(Text(actual))).differences
    assert found.kind is kind


def misplaced(ours: Sequence[tuple[int, int]], theirs: Sequence[tuple[int, int]]) -> Difference:
    sides = (Encoded(tuple(range(len(each))), offsets=tuple(each)) for each in (ours, theirs))
    given = (OutcomeInUnit(side, IN_BYTES) for side in sides)
    (found,) = compare(Encode("éab"), *given, frozenset({Field.OFFSETS})).differences
    return found


@pytest.mark.parametrize(
    ("ours", "theirs", "position", "party"),
    [
        (((0, 2), (2, 3)), ((0, 2), (2, 9)), 1, Party.IMPLEMENTATION),
        (((0, 9), (2, 3)), ((0, 2), (2, 3)), 0, Party.BASELINE),
        (((0, 9), (2, 3)), ((0, 2), (2, 9)), 1, Party.BOTH),
        (((0, 2), (2, 9)), ((0, 9), (2, 3)), 0, Party.BOTH),
    ],
)
def test_of_two_misplaced_offsets_that_of_the_implementation_is_told(
    ours: Sequence[tuple[int, int]], theirs: Sequence[tuple[int, int]], position: int, party: Party
) -> None:
    found = misplaced(ours, theirs)
    assert (found.kind, found.position, found.party) == (DifferenceKind.OFFSET_OUTSIDE_TEXT, position, party)


@pytest.mark.parametrize(
    ("text", "spans", "placed"),
    [
        ("éé", ((0, 2), (3, 4)), ((0, 1), None)),  # the one before ends where the character begins: it has none of it
        ("éé", ((0, 1), (2, 4)), (None, (1, 2))),
        ("éé", ((0, 1), (1, 2), (2, 4)), ((0, 1), (0, 1), (1, 2))),
        ("ééé", ((0, 3), (3, 5), (9, 9)), ((0, 2), None, None)),  # its beginning is shared, and its end is not
        ("aé", ((0, 1), (1, 2)), ((0, 1), None)),
        ("aé", ((0, 1), (1, 1), (1, 3)), ((0, 1), (1, 1), (1, 2))),
    ],
)
def test_a_character_is_shared_by_those_that_begin_or_end_with_it(
    text: str, spans: Sequence[tuple[int, int]], placed: tuple[tuple[int, int] | None, ...]
) -> None:
    given = [(span, text) for span in spans]
    assert placed_spans(given, IN_BYTES) == placed
    found = spans_to_code_points(given, IN_BYTES)
    assert isinstance(found, MisplacedSpan) is (None in placed)
