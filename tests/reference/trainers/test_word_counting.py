"""Cutting by patterns gives the pieces that the pipeline gives."""

from __future__ import annotations

from typing import Any

import pytest
from hostile_texts import CHARACTERS
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_reference import AddedToken, Tokenizer, models, normalizers, pre_tokenizers
from tokenizer_reference.trainers.progress import silent
from tokenizer_reference.trainers.word_counting import WordCutter, count_words, fast_cut

TEXTS = st.lists(st.sampled_from(CHARACTERS) | st.characters(codec="utf-8"), max_size=15).map("".join)
PRE_TOKENIZERS = [
    None,
    pre_tokenizers.Whitespace(),
    pre_tokenizers.WhitespaceSplit(),
    pre_tokenizers.BertPreTokenizer(),
    pre_tokenizers.ByteLevel(add_prefix_space=False),
    pre_tokenizers.ByteLevel(add_prefix_space=True),
    pre_tokenizers.ByteLevel(use_regex=False),
    pre_tokenizers.Metaspace(),
    pre_tokenizers.Metaspace(prepend_scheme="first"),
    pre_tokenizers.Metaspace(prepend_scheme="never"),
    pre_tokenizers.Metaspace(split=False),
    pre_tokenizers.Digits(),
]


def cutter_of(pre_tokenizer: Any, normalizer: Any = None, added: list[Any] | None = None) -> WordCutter:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizer
    tokenizer.normalizer = normalizer
    tokenizer.add_tokens(added or [])
    return tokenizer._word_cutter()


@given(text=TEXTS, pre_tokenizer=st.sampled_from(PRE_TOKENIZERS))
def test_a_plain_text(text: str, pre_tokenizer: Any) -> None:
    cutter = cutter_of(pre_tokenizer)
    assert list(cutter.words(text)) == cutter.by_definition(text)


@given(
    text=TEXTS,
    pre_tokenizer=st.sampled_from(PRE_TOKENIZERS),
    normalizer=st.sampled_from([None, normalizers.NFKD(), normalizers.Replace("c", ""), normalizers.Strip()]),
)
def test_a_text_with_added_tokens_that_is_normalized(text: str, pre_tokenizer: Any, normalizer: Any) -> None:
    cutter = cutter_of(pre_tokenizer, normalizer, ["a", AddedToken("é", lstrip=True), "b "])
    assert list(cutter.words(text)) == cutter.by_definition(text)


@pytest.mark.parametrize("pre_tokenizer", PRE_TOKENIZERS[:-1])
def test_there_is_a_fast_way(pre_tokenizer: Any) -> None:
    assert fast_cut(pre_tokenizer, is_whole_text=True) is not None


def test_other_pre_tokenizers_have_none() -> None:
    assert fast_cut(PRE_TOKENIZERS[-1], is_whole_text=True) is None


class Lines(list[str]):
    """Texts whose reading goes well."""

    stage = "Read"
    total = None
    done = 0


def test_words_are_counted_in_the_order_in_which_they_are_met() -> None:
    counts: Any = count_words(Lines(["b a", "a c"]), cutter_of(pre_tokenizers.Whitespace()), silent)  # type: ignore[arg-type]
    assert list(counts.items()) == [("b", 1), ("a", 2), ("c", 1)]
