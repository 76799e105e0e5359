"""BertNormalizer: the ends of its ranges, and its fast way, which is tied to its definition."""

from __future__ import annotations

from both_sides import NormalizerOnBothSides, bert
from hostile_texts import CHARACTERS
from hypothesis import given
from hypothesis import strategies as st
from in_one_test import in_one_test

from tokenizer_reference import NormalizedString
from tokenizer_reference.normalizers import BertNormalizer

texts = st.lists(st.sampled_from(CHARACTERS) | st.characters(codec="utf-8"), max_size=15).map("".join)
options = st.tuples(st.booleans(), st.booleans(), st.sampled_from([None, True, False]), st.booleans())


@given(texts, options, st.sampled_from(["", "é中"]))
def test_the_fast_way_is_the_definition(
    text: str, arguments: tuple[bool, bool, bool | None, bool], prefix: str
) -> None:
    normalizer = BertNormalizer(*arguments)
    fast, plain = NormalizedString(text), NormalizedString(text)
    for string in (fast, plain):
        if prefix:
            string.prepend(prefix)
    normalizer._normalize_fast(fast)
    normalizer._normalize_plainly(plain)
    assert (fast.normalized, fast.alignment()) == (plain.normalized, plain.alignment())


def test_text_that_keeps_its_length_keeps_its_plain_alignment() -> None:
    """Downstream work is cheapest on text without alignment lists, so accents must not make any."""
    string = NormalizedString("Café\tÀ LA CARTE が")
    BertNormalizer().normalize(string)
    assert string.normalized == "cafe a la carte か"
    assert string._starts is None


CHINESE_ENDS = (
    *(0x3400, 0x4DBF, 0x4E00, 0x9FFF, 0xF900, 0xFAFF, 0x20000, 0x2A6DF, 0x2A700, 0x2B81F, 0x2B920, 0x2CEAF),
    *(0x2F800, 0x2FA1F),
)
"""Where a range of characters that are set apart begins or ends: BERT's own list, but for U+2B820..U+2B91F."""


@in_one_test("end", CHINESE_ENDS)
def test_both_ends_of_a_chinese_range_are_set_apart_and_what_is_outside_is_not(end: int) -> None:
    both = NormalizerOnBothSides(bert(False, True, False, False))
    outside = end - 1 if CHINESE_ENDS.index(end) % 2 == 0 else end + 1
    for code_point, spaced in ((end, True), (outside, False)):
        text = f"a{chr(code_point)}b"
        assert both.reference.normalize_str(text) == (f"a {chr(code_point)} b" if spaced else text)
        assert both.reference_answer(text) == both.target_answer(text)
        plain = NormalizedString(text)
        BertNormalizer(False, True, False, False)._normalize_plainly(plain)
        assert plain.normalized == both.reference.normalize_str(text)
