"""Sequence: post-processors in order, beside the target."""

from __future__ import annotations

from typing import Any

import pytest

SEP, CLS = ("[SEP]", 9), ("[CLS]", 8)


def test_a_processor_after_a_template_numbers_its_parts_as_sequences(library: Any) -> None:
    template = library.processors.TemplateProcessing("x $A y", special_tokens=[("x", 7), ("y", 8)])
    sequence = library.processors.Sequence([template, library.processors.ByteLevel()])
    processed = sequence.process(library.encoding(tokens=["a"]))
    assert (processed.tokens, processed.sequence_ids, processed.n_sequences) == (["x", "a", "y"], [None, 1, 2], 3)


def test_a_template_after_a_template_panics_upstream(library: Any) -> None:
    template = library.processors.TemplateProcessing("x $A y", special_tokens=[("x", 7), ("y", 8)])
    with pytest.raises(library.panic):
        library.processors.Sequence([template, template]).process(library.Encoding())


def test_special_tokens_are_put_around_every_part_of_a_template(library: Any) -> None:
    template = library.processors.TemplateProcessing("$A x", special_tokens=[("x", 7)])
    sequence = library.processors.Sequence([template, library.processors.BertProcessing(SEP, CLS)])
    assert sequence.process(library.encoding(tokens=["a"])).tokens == ["[CLS]", "a", "[SEP]", "x", "[SEP]"]
    assert sequence.num_special_tokens_to_add(is_pair=False) == 3


def test_an_empty_template_leaves_nothing_to_surround(library: Any) -> None:
    sequence = library.processors.Sequence(
        [library.processors.TemplateProcessing([]), library.processors.BertProcessing(SEP, CLS)]
    )
    assert sequence.process(library.encoding(tokens=["a"])).tokens == []


def test_an_empty_sequence_merges(library: Any) -> None:
    processed = library.processors.Sequence([]).process(library.encoding(tokens=["a"]), library.encoding(tokens=["b"]))
    assert (processed.tokens, processed.sequence_ids) == (["a", "b"], [0, 1])


def test_sequences_in_the_constructor_dissolve(library: Any) -> None:
    bert, byte_level = library.processors.BertProcessing(SEP, CLS), library.processors.ByteLevel()
    sequence = library.processors.Sequence([library.processors.Sequence([bert, byte_level]), bert])
    assert [type(sequence[index]).__name__ for index in range(3)] == ["BertProcessing", "ByteLevel", "BertProcessing"]
    with pytest.raises(Exception, match="processor should not be a sequence"):
        sequence[0] = library.processors.Sequence([])


def test_members_are_shared_and_can_be_replaced(library: Any) -> None:
    bert = library.processors.BertProcessing(SEP, CLS)
    sequence = library.processors.Sequence([bert])
    bert.sep = ("x", 3)
    assert sequence[0].sep == ("x", 3)
    sequence[0] = library.processors.ByteLevel()
    assert sequence.num_special_tokens_to_add(is_pair=False) == 0


def test_indices_are_checked(library: Any) -> None:
    sequence = library.processors.Sequence([library.processors.ByteLevel()])
    with pytest.raises(IndexError, match="Index not found"):
        sequence[1]
    with pytest.raises(IndexError, match="Index not found"):
        sequence[1] = library.processors.ByteLevel()
    with pytest.raises(OverflowError):
        sequence[-1]


@pytest.mark.parametrize("processors", [(), [3], ["ByteLevel"]])
def test_a_list_of_processors_is_required(library: Any, processors: Any) -> None:
    with pytest.raises(TypeError, match="is not an instance of"):
        library.processors.Sequence(processors)
    with pytest.raises(TypeError, match="'int' object is not an instance of 'PostProcessor'"):
        library.processors.Sequence([library.processors.ByteLevel()])[0] = 3
