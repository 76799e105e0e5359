"""The fast way of BertNormalizer is tied to its definition."""

from __future__ import annotations

from hostile_texts import CHARACTERS
from hypothesis import given
from hypothesis import strategies as st

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
