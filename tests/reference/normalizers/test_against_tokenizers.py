"""Every normalizer against `tokenizers`: text and alignment, on random texts of hostile characters."""

from __future__ import annotations

from both_sides import NORMALIZERS, ON_INSERTED_TEXT, Json, NormalizerOnBothSides
from hostile_texts import hostile_texts
from in_one_test import in_one_test


@in_one_test("document", NORMALIZERS.values())
def test_text_and_alignment_are_those_of_tokenizers(document: Json) -> None:
    normalizer = NormalizerOnBothSides(document)
    for text in hostile_texts(seed=1, count=200):
        assert normalizer.reference_answer(text) == normalizer.target_answer(text), repr(text)


@in_one_test("document", ON_INSERTED_TEXT.values())
def test_what_panics_there_after_an_insertion_at_the_start_is_an_error_here(document: Json) -> None:
    normalizer = NormalizerOnBothSides(document)
    for text in hostile_texts(seed=2, count=50):
        assert normalizer.reference_answer(text) == normalizer.target_answer(text), repr(text)
