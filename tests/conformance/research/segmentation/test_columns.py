"""Columns that an implementation gives are those that its answers to texts one by one make."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_adapters.contract import ColumnsSubject, EncodedColumns
from tokenizer_adapters.reference import ReferenceImplementation
from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer
from tokenizer_conformance.research.segmentation.columns import CutTexts, cut_texts
from tokenizer_conformance.research.segmentation.segmenter import Segmenter, segmenter

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMES = ("bert-mini", "gpt2-mini", "t5-mini", "options-mini")
LOADED: dict[tuple[type, str], Segmenter] = {}


def loaded(implementation: type, name: str) -> Segmenter:
    if (implementation, name) not in LOADED:
        LOADED[implementation, name] = segmenter(implementation(), find_tokenizer(name)).__enter__()
    return LOADED[implementation, name]


def as_lists(cut: CutTexts) -> list[Any]:
    arrays = (cut.counts, cut.ids, cut.starts, cut.ends, cut.is_shown)
    return [*(each.tolist() for each in arrays), list(cut.decoded), cut.failures]


def plainly(of: Segmenter, texts: Sequence[str], *, spans: bool, decoded: bool) -> CutTexts:
    """Cut ``texts`` as by an implementation that gives no columns."""
    quick, of.asked._columns = of.asked._columns, None
    try:
        return cut_texts(of, texts, spans=spans, decoded=decoded)
    finally:
        of.asked._columns = quick


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("implementation", [TokenizersImplementation, ReferenceImplementation])
@given(
    texts=st.lists(st.sampled_from([each.text for each in builtin_inputs() if len(each.text) < 200]), max_size=4),
    spans=st.booleans(),
    decoded=st.booleans(),
)
def test_columns_are_the_answers_one_by_one(
    implementation: type, name: str, texts: list[str], spans: bool, decoded: bool
) -> None:
    of = loaded(implementation, name)
    assert isinstance(of.asked.subject, ColumnsSubject)
    quickly = of.asked.columns(texts, offsets=spans, decoded=decoded)
    assert isinstance(quickly, EncodedColumns)
    assert (quickly.offsets is not None, quickly.texts is not None) == (spans, decoded)
    ours = cut_texts(of, texts, spans=spans, decoded=decoded)
    assert as_lists(ours) == as_lists(plainly(of, texts, spans=spans, decoded=decoded))


def test_where_one_text_fails_all_are_asked_one_by_one() -> None:
    of = loaded(TokenizersImplementation, "bert-mini")
    texts = ["a word", "half \ud800", "more"]
    assert of.asked.columns(texts, offsets=True, decoded=True) is None
    cut = cut_texts(of, texts, spans=True, decoded=True)
    assert list(cut.failures) == [1]
    assert cut.counts.tolist()[1] == 0
    assert cut.decoded[0] == "a word"


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        (([1], [5, 6], [0, 1]), "an id too many"),
        (([1], [5], [0]), "half an offset"),
        (([1], [5], [0, 9]), "an end behind the text"),
        (([1], [5], [1, 0]), "an end before its start"),
        (([1, 0], [5], [0, 1]), "a text too many"),
        (None, "an error"),
    ],
)
def test_columns_that_do_not_fit_are_not_taken(
    columns: tuple[list[int], ...] | None, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = loaded(TokenizersImplementation, "bert-mini")

    def given_back(*_: Any, **__: Any) -> EncodedColumns:
        if columns is None:
            raise OSError(why)
        return EncodedColumns(*(array("q", each) for each in columns))

    expected = plainly(of, ["ab"], spans=True, decoded=False)
    monkeypatch.setattr(of.asked.subject, "encode_columns", given_back)
    assert as_lists(cut_texts(of, ["ab"], spans=True, decoded=False)) == as_lists(expected), why
