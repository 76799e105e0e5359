"""BertProcessing and RobertaProcessing."""

from __future__ import annotations

from typing import Any

import pytest

SEP, CLS = ("[SEP]", 9), ("[CLS]", 8)


def _two(library: Any) -> tuple[Any, Any]:
    return library.encoding(tokens=["a", "b"]), library.encoding(tokens=["c"])


RESULTS = [
    # processor, is a pair, tokens, type ids, sequence ids
    ("BertProcessing", False, "[CLS] a b [SEP]", [0, 0, 0, 0], [None, 0, 0, None]),
    ("BertProcessing", True, "[CLS] a b [SEP] c [SEP]", [0, 0, 0, 0, 1, 1], [None, 0, 0, None, 1, None]),
    ("RobertaProcessing", False, "[CLS] a b [SEP]", [0, 0, 0, 0], [None, 0, 0, None]),
    (
        "RobertaProcessing",
        True,
        "[CLS] a b [SEP] [SEP] c [SEP]",
        [0, 0, 0, 0, 0, 0, 0],
        [None, 0, 0, None, None, 1, None],
    ),
]


@pytest.mark.parametrize(("name", "is_pair", "tokens", "type_ids", "sequence_ids"), RESULTS)
def test_special_tokens_stand_around_sequences(
    library: Any, name: Any, is_pair: Any, tokens: Any, type_ids: Any, sequence_ids: Any
) -> None:
    processor = getattr(library.processors, name)(SEP, CLS)
    first, second = _two(library)
    encoding = processor.process(first, second if is_pair else None)
    assert encoding.tokens == tokens.split()
    assert (encoding.type_ids, encoding.sequence_ids) == (type_ids, sequence_ids)
    assert encoding.special_tokens_mask == [int(token.startswith("[")) for token in encoding.tokens]
    assert processor.num_special_tokens_to_add(is_pair) == sum(encoding.special_tokens_mask)
    assert [id_ for id_, token in zip(encoding.ids, encoding.tokens, strict=True) if token == "[SEP]"] == (
        [9] * tokens.count("[SEP]")
    )


@pytest.mark.parametrize("name", ["BertProcessing", "RobertaProcessing"])
def test_without_special_tokens_only_sequence_ids_are_set(library: Any, name: Any) -> None:
    encoding = getattr(library.processors, name)(SEP, CLS).process(*_two(library), add_special_tokens=False)
    assert encoding.tokens == ["a", "b", "c"]
    assert encoding.sequence_ids == [0, 0, 1]
    assert encoding.type_ids == ([0, 0, 1] if name == "BertProcessing" else [0, 0, 0])


@pytest.mark.parametrize("name", ["BertProcessing", "RobertaProcessing"])
def test_masks_of_the_tokens_that_were_there_are_reset(library: Any, name: Any) -> None:
    encoding = library.encoding(tokens=["a"], special_tokens_mask=[1], attention_mask=[0])
    processed = getattr(library.processors, name)(SEP, CLS).process(encoding)
    assert (processed.special_tokens_mask, processed.attention_mask) == ([1, 0, 1], [1, 1, 1])


@pytest.mark.parametrize("name", ["BertProcessing", "RobertaProcessing"])
def test_overflow_is_surrounded_too_and_loses_its_own_overflow(library: Any, name: Any) -> None:
    encoding = library.encoding(tokens=["a"], overflowing=[{"tokens": ["b"], "overflowing": [{"tokens": ["c"]}]}])
    (part,) = getattr(library.processors, name)(SEP, CLS).process(encoding).overflowing
    assert (part.tokens, part.overflowing) == (["[CLS]", "b", "[SEP]"], [])
    assert part.sequence_ids == [None, 0, None]


def test_type_ids_of_overflow_stay_for_bert_and_become_0_for_roberta(library: Any) -> None:
    encoding = library.encoding(tokens=["a"], type_ids=[4], overflowing=[{"tokens": ["b"], "type_ids": [5]}])
    types = {
        name: getattr(library.processors, name)(SEP, CLS).process(encoding).overflowing[0].type_ids
        for name in ("BertProcessing", "RobertaProcessing")
    }
    assert types == {"BertProcessing": [0, 5, 0], "RobertaProcessing": [0, 0, 0]}


def test_roberta_trims_offsets_without_special_tokens_too(library: Any) -> None:
    encoding = library.encoding(tokens=["a", "Ġb"], offsets=[(0, 1), (1, 3)])
    processed = library.processors.RobertaProcessing(SEP, CLS).process(encoding, add_special_tokens=False)
    assert processed.offsets == [(0, 1), (2, 3)]
    untrimmed = library.processors.RobertaProcessing(SEP, CLS, trim_offsets=False).process(encoding)
    assert untrimmed.offsets == [(0, 0), (0, 1), (1, 3), (0, 0)]


def test_the_arguments_stay_as_they_are(library: Any, shows: Any) -> None:
    first, second = _two(library)
    before = shows(first), shows(second)
    library.processors.BertProcessing(SEP, CLS).process(first, second)
    assert (shows(first), shows(second)) == before


def test_an_empty_encoding_still_gets_special_tokens(library: Any) -> None:
    processed = library.processors.BertProcessing(SEP, CLS).process(library.Encoding())
    assert processed.tokens == ["[CLS]", "[SEP]"]


@pytest.mark.parametrize("name", ["BertProcessing", "RobertaProcessing"])
def test_tokens_can_be_read_and_set(library: Any, name: Any) -> None:
    processor = getattr(library.processors, name)(SEP, cls_token=CLS)
    assert (processor.sep, processor.cls) == (SEP, CLS)
    processor.sep = ("x", 3)
    processor.cls = ("y", 4)
    assert processor.process(library.Encoding()).tokens == ["y", "x"]


@pytest.mark.parametrize(
    ("token", "error"),
    [(["x", 3], TypeError), (("x", 3, 4), ValueError), (("x", -3), OverflowError), ((3, "x"), TypeError)],
)
def test_a_special_token_is_a_tuple_of_text_and_id(library: Any, token: Any, error: Any) -> None:
    processor = library.processors.BertProcessing(SEP, CLS)
    with pytest.raises(error):
        processor.sep = token
    with pytest.raises(error):
        processor.cls = token
