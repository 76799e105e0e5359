"""Differences with one signature are one finding: its counts, its examples, and its place among the others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tokenizer_adapters.contract import (
    Decode,
    Encode,
    EncodeBatch,
    Encoded,
    Field,
    Normalize,
    Observation,
    Outcome,
    Pieces,
    PreTokenize,
    Stage,
    Text,
)
from tokenizer_conformance.comparison.differences import Difference, DifferenceKind, Excerpt
from tokenizer_conformance.comparison.findings import (
    MOST_INPUTS,
    Example,
    FindingCollector,
    Near,
    joined,
    length_of,
    near,
)
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.inputs.text import Input

SHOWN = Excerpt(0, 1, ("a",), is_text=True)
DIFFERENCE = Difference(Verdict.DIFFER, DifferenceKind.VALUES, Field.TEXT, SHOWN, SHOWN)


def example(id: str, length: int = 5, consequence_of: Stage | None = None, field: Field = Field.TEXT) -> Example:
    return Example(
        Input(id, "test", "a" * length),
        Normalize("a" * length),
        replace(DIFFERENCE, field=field),
        Stage.NORMALIZE,
        consequence_of,
    )


def collected(*examples: Example, names: tuple[str, ...] = ()) -> FindingCollector:
    """Return a collector of ``examples``, an input each."""
    collector = FindingCollector("t")
    for number, each in enumerate(examples):
        collector.add(names[number] if names else "a", Stage.MODEL, each, new_input=number)
    return collector


@pytest.mark.parametrize(
    ("examples", "smallest"),
    [
        ((example("1"), example("2")), "1"),
        ((example("1"), example("2", 4), example("3", 4)), "2"),
        ((example("1", 1, Stage.NORMALIZE), example("2"), example("3")), "2"),
        ((example("1"), example("2", 1, Stage.NORMALIZE)), "1"),
        ((example("1", 3, Stage.NORMALIZE), example("2", 2, Stage.NORMALIZE)), "2"),
    ],
)
def test_of_equal_examples_the_first_is_kept(examples: tuple[Example, ...], smallest: str) -> None:
    (finding,) = collected(*examples).findings()
    assert (finding.first.input.id, finding.smallest.input.id) == ("1", smallest)


def test_an_input_counts_once_however_much_of_it_differs() -> None:
    collector = FindingCollector("t")
    counts = [collector.add("a", Stage.MODEL, example(str(number)), new_input=number) for number in (0, 0, 1, 1, 1, 2)]
    (finding,) = collector.findings()
    assert counts == [1, 2, 3, 4, 5, 6]
    assert (finding.differences, finding.inputs, finding.own_inputs) == (6, 3, ("0", "1", "2"))


def test_what_an_earlier_run_found_is_gone_on_with() -> None:
    before = collected(example("1"), example("2", 3, Stage.NORMALIZE))
    after = FindingCollector("t")
    after.restore(before.findings())
    after.add("a", Stage.MODEL, example("3", 2), new_input=2)
    at_once = collected(example("1"), example("2", 3, Stage.NORMALIZE), example("3", 2))
    assert after.findings() == at_once.findings()


def test_inputs_of_consequences_are_not_its_own() -> None:
    (finding,) = collected(example("1"), example("2", 5, Stage.NORMALIZE), example("3")).findings()
    assert (finding.own_inputs, finding.every_input, finding.consequences) == (("1", "3"), ("1", "3"), 1)
    assert not finding.is_consequence
    (finding,) = collected(example("1", 5, Stage.NORMALIZE)).findings()
    assert finding.is_consequence


def test_so_many_inputs_are_named_and_known() -> None:
    (finding,) = collected(*(example(str(number)) for number in range(MOST_INPUTS + 1))).findings()
    assert (len(finding.own_inputs), len(finding.every_input)) == (20, 10_000)
    assert finding.inputs == MOST_INPUTS + 1


def test_findings_come_by_implementation_then_own_ones_then_by_field() -> None:
    given = (
        example("1", 5, Stage.NORMALIZE, Field.IDS),
        example("2", 5, None, Field.TOKENS),
        example("3", 5, None, Field.OFFSETS),
        example("4", 5, None, Field.IDS),
        example("5", 5, None, Field.IDS),
    )
    found = collected(*given, names=("b", "b", "b", "a", "b")).findings()
    assert [(each.signature.implementation, each.signature.field, each.is_consequence) for each in found] == [
        ("b", Field.IDS, False),
        ("b", Field.TOKENS, False),
        ("b", Field.OFFSETS, False),
        ("a", Field.IDS, False),
    ]
    alone = collected(*given[:3], names=("b", "b", "b")).findings()
    assert [each.signature.field for each in alone] == [Field.TOKENS, Field.OFFSETS, Field.IDS]


def test_signatures_with_one_smallest_example_are_one_group() -> None:
    collector = FindingCollector("t")
    for number, (id, field, follows) in enumerate(
        [("1", Field.IDS, None), ("1", Field.TOKENS, None), ("2", Field.OFFSETS, None), ("1", Field.TEXT, Stage.MODEL)]
    ):
        collector.add("a", Stage.MODEL, example(id, int(id), follows, field), new_input=number)
    groups = collector.own_groups()
    assert [[each.field for each in signatures] for signatures, _ in groups] == [
        [Field.IDS, Field.TOKENS],
        [Field.OFFSETS],
    ]


def test_an_example_that_becomes_the_smallest_is_kept_otherwise() -> None:
    told = []

    def kept(implementation: str, one: Example) -> Example:
        told.append((implementation, one.input.id))
        return replace(one, near=Near(9))

    collector = FindingCollector("t", kept)
    for number, each in enumerate((example("1"), example("2"), example("3", 4))):
        collector.add("a", Stage.MODEL, each, new_input=number)
    (finding,) = collector.findings()
    assert told == [("a", "1"), ("a", "3")]
    assert (finding.first.near, finding.smallest.near) == (None, Near(9))


PAIR = Encoded((7, 8, 9), offsets=((0, 2), (1, 3), (5, 6)), sequence_ids=(0, 1, 1))


@pytest.mark.parametrize(
    ("question", "position", "baseline", "place"),
    [
        (Encode("ab cd"), None, Encoded((7,), offsets=((1, 2),)), None),
        (Encode("ab cd"), 0, Encoded((7, 8), offsets=((1, 2), (3, 5))), Near(1)),
        (Encode("ab cd"), 5, Encoded((7, 8), offsets=((1, 2), (3, 5))), Near(3)),
        (Encode("ab cd"), 0, Encoded((7, 8), offsets=()), None),
        (Encode("ab cd"), 0, Encoded((7, 8)), None),
        (Encode("ab cd"), 1, Encoded((7, 8), offsets=((0, 2), (-1, 5))), None),
        (Encode("ab cd"), 0, Encoded((7, 8), offsets=((0, 2), (-1, 5))), Near(0)),
        (PreTokenize("ab cd"), 0, Pieces((("ab", (-1, 2)),)), None),
        (Encode("ab", "cdefgh"), 0, PAIR, Near(0)),
        (Encode("ab", "cdefgh"), 1, PAIR, Near(1, in_pair=True)),
        (Encode("ab", "cdefgh"), 9, PAIR, Near(5, in_pair=True)),
        (Encode("ab", "cdefgh"), 2, replace(PAIR, sequence_ids=(0, 1)), Near(5)),
        (Encode("ab", "cdefgh"), 2, replace(PAIR, sequence_ids=None), Near(5)),
        (Encode("ab"), 1, PAIR, Near(1)),
        (Encode(("ab", "cd")), 0, PAIR, None),
        (PreTokenize("ab cd"), 0, Pieces((("ab", (1, 2)), ("cd", (3, 5)))), Near(1)),
        (PreTokenize("ab cd"), 9, Pieces((("ab", (1, 2)), ("cd", (3, 5)))), Near(3)),
        (PreTokenize("ab cd"), 0, Pieces((("ab", None), ("cd", (3, 5)))), None),
        (PreTokenize("ab cd"), 1, Pieces((("ab", None), ("cd", (3, 5)))), Near(3)),
        (PreTokenize("ab cd"), 0, Pieces(()), None),
        (Normalize("abc"), 2, Text("ab"), Near(2)),
        (Normalize("abc"), 7, Text("abcdefgh"), Near(3)),
        (Decode((1, 2)), 1, Text("ab"), None),
    ],
)
def test_where_a_difference_is_seen(
    question: Observation, position: int | None, baseline: Outcome, place: Near | None
) -> None:
    assert near(question, position, baseline) == place


@pytest.mark.parametrize(
    ("question", "length"),
    [
        (Encode("abc", "de"), 5),
        (Encode(("abc", "de"), ("f",)), 6),
        (EncodeBatch((Encode("abc", "de"), Encode("f"))), 6),
        (PreTokenize("abc"), 3),
        (Decode((1, 2)), 2),
    ],
)
def test_how_much_a_question_asks_about(question: Observation, length: int) -> None:
    assert length_of(question) == length


def test_the_findings_of_parts_are_those_of_the_whole() -> None:
    first = [example("1", 4), example("2", 3, Stage.NORMALIZE), example("3", 5)]
    second = [example("4", 2), example("5", 3, Stage.NORMALIZE), example("6", field=Field.IDS)]
    parts = [collected(*part).findings() for part in (first, second)]
    whole = collected(*first, *second).findings()
    assert [replace(each, every_input=()) for each in joined(parts)] == [
        replace(each, every_input=()) for each in whole
    ]
    both = joined(parts)[0]
    assert (both.differences, both.inputs, both.consequences) == (5, 5, 2)
    assert (both.first.input.id, both.smallest.input.id, both.own_inputs) == ("1", "4", ("1", "3", "4"))
    assert joined(parts[:1]) == tuple(parts[0])


def test_of_parts_that_made_their_examples_smaller_the_one_that_was_smallest_is_kept() -> None:
    parts = [
        [replace(finding, smallest=replace(finding.smallest, question=Normalize("a" * length), reduced_from=asked))]
        for id, asked, length in (("1", 5, 2), ("2", 8, 1), ("3", 5, 1))
        for finding in collected(example(id, asked)).findings()
    ]
    assert [each.smallest.input.id for each in joined(parts)] == ["1"]


def test_parts_name_as_many_inputs_as_the_whole_does() -> None:
    parts = [collected(*(example(f"{part}{number}") for number in range(15))).findings() for part in "ab"]
    (found,) = joined(parts)
    assert len(found.own_inputs) == 20
    assert found.own_inputs[14:16] == ("a14", "b0")


def test_the_smallest_example_of_an_earlier_run_stays() -> None:
    before = collected(example("1"), example("2", 3)).findings()
    after = FindingCollector("t")
    after.restore(before)
    after.add("a", Stage.MODEL, example("3", 4), new_input=2)
    (finding,) = after.findings()
    assert (finding.first.input.id, finding.smallest.input.id) == ("1", "2")


@pytest.mark.parametrize(
    ("field", "other"), [(None, Field.TEXT), (None, Field.IDS), (Field.TEXT, Field.IDS), (Field.IDS, Field.TOKENS)]
)
def test_what_has_no_field_comes_first_then_fields_in_their_order(field: Field | None, other: Field) -> None:
    of_none = replace(example("1"), difference=replace(DIFFERENCE, field=field))
    expected = sorted((field, other), key=lambda each: -1 if each is None else list(Field).index(each))
    for order in ((of_none, example("2", field=other)), (example("2", field=other), of_none)):
        assert [each.signature.field for each in collected(*order).findings()] == expected


def test_a_piece_that_is_nowhere_is_not_near_anything() -> None:
    pieces = Pieces((("a", None), ("b", (4, 5))))
    assert [near(PreTokenize("a b"), place, pieces) for place in (0, 1, 2)] == [None, Near(4), Near(4)]
