"""The four normalization forms: text and alignment are the target's, and the short cut is the definition."""

from __future__ import annotations

import functools
from itertools import product
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from tokenizer_reference.text import normalization
from tokenizer_reference.text.normalization import Change, Form, changes, normalize

FORMS: tuple[Form, ...] = get_args(Form)

MARKS = sorted(normalization._combining_classes())
DECOMPOSABLE = sorted(normalization._decompositions(compatibility=True))
COMPOSITIONS = normalization._compositions()
JAMO = [chr(code_point) for code_point in (*range(0x10FF, 0x1115), *range(0x1160, 0x1178), *range(0x11A6, 0x11C5))]
ASSIGNED_LATER = [chr(code_point) for code_point in (0x1AC0, 0x32FF, 0xA7F2, 0x11930, 0x11935, 0x11938, 0x1E4EC)]
LETTERS = list("aeoux ")

interesting = st.one_of(
    *map(st.sampled_from, (MARKS, DECOMPOSABLE, [pair[1] for pair in COMPOSITIONS], JAMO, ASSIGNED_LATER, LETTERS)),
    st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3),
    st.characters(exclude_categories=["Cs"]),
)
texts = st.text(alphabet=interesting, max_size=12)


@functools.cache
def target(form: Form) -> Tokenizer:
    """Return a tokenizer whose tokens are the characters of the normalized text."""
    tokenizer = Tokenizer(models.WordLevel({"?": 0}, unk_token="?"))
    tokenizer.normalizer = getattr(normalizers, form)()
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    return tokenizer


def spans(result: list[Change]) -> list[tuple[int, int]]:
    """Return the range of old characters that each new one stands for, by the contract of `changes`."""
    found = []
    cursor = 0
    for _, number in result:
        if number > 0:
            found.append((cursor - 1, cursor) if cursor else (0, 0))
        else:
            found.append((cursor, cursor + 1))
            cursor += 1 - number
    return found


def assert_as_target(text: str, form: Form) -> None:
    definition = normalization._plain_changes(text, form)
    found = changes(text, form)
    assert (found or [(char, 0) for char in text]) == definition, f"{form} of {text!a}"
    assert normalize(text, form) == "".join(char for char, _ in definition)
    assert normalize(text, form) == target(form).normalizer.normalize_str(text), f"{form} of {text!a}"
    assert spans(definition) == target(form).encode(text).offsets, f"{form} of {text!a}"


@pytest.mark.parametrize("form", FORMS)
@given(texts)
def test_text_and_alignment_are_those_of_the_target(form: Form, text: str) -> None:
    assert_as_target(text, form)


@pytest.mark.long_but(1)
@pytest.mark.parametrize("form", FORMS)
def test_every_pair_of_first_and_second_part_composes_as_in_the_target(form: Form) -> None:
    firsts = sorted({pair[0] for pair in COMPOSITIONS})
    seconds = sorted({pair[1] for pair in COMPOSITIONS})
    assert len(firsts) > 300
    assert len(seconds) > 50
    for first in firsts:
        assert_as_target("x".join(first + second for second in seconds), form)


@pytest.mark.long_but(1)
@pytest.mark.parametrize("form", FORMS)
def test_jamo_and_syllables_compose_as_in_the_target(form: Form) -> None:
    leading, vowels, trailing = JAMO[:22], JAMO[22:46], JAMO[46:]
    for first in leading:
        assert_as_target("".join(map("".join, product([first], vowels, trailing))), form)
    syllables = [chr(code_point) for code_point in range(0xAC00, 0xD7B0, 29)]
    assert_as_target("".join(first + second for first in syllables for second in trailing[:4]), form)


@pytest.mark.parametrize("form", FORMS)
def test_a_long_run_of_marks_is_put_in_order(form: Form) -> None:
    assert_as_target("a" + "\u0301\u0323\u0327\u00e0\u0334" * 1000 + "b", form)


@pytest.mark.long_but(1)
@pytest.mark.parametrize("form", FORMS)
def test_characters_alone_and_between_marks(form: Form, every_character: str) -> None:
    block = 256
    for start in range(0, len(every_character), block):
        part = every_character[start : start + block]
        assert_as_target("a".join(part), form)
        assert_as_target("\u0301".join(char + "\u0323" for char in part), form)


@pytest.mark.parametrize("char", ASSIGNED_LATER)
@pytest.mark.parametrize("form", FORMS)
def test_what_was_assigned_after_9_stays_where_it_is(form: Form, char: str) -> None:
    assert normalize(f"a\u0301{char}\u0323", form) == normalize("a\u0301", form) + f"{char}\u0323"


@pytest.mark.parametrize("form", FORMS)
def test_no_change_is_told_from_a_change(form: Form) -> None:
    assert changes("plain \u4eac \U0001f600", form) is None
    assert changes("plain \u4eac \u2126", form) == [*((char, 0) for char in "plain \u4eac "), ("\u03a9", 0)]


def test_no_composite_starts_with_a_character_that_composes_backwards() -> None:
    backwards = {pair[1] for pair in COMPOSITIONS} | set(MARKS)
    decompositions = normalization._decompositions(compatibility=False)
    assert [composite for composite in COMPOSITIONS.values() if decompositions[composite][0] in backwards] == []


@given(texts)
def test_normalizing_twice_changes_nothing(text: str) -> None:
    for form in FORMS:
        once = normalize(text, form)
        assert normalize(once, form) == once


@given(texts)
def test_forms_agree_on_what_is_equivalent(text: str) -> None:
    assert normalize(normalize(text, "NFD"), "NFC") == normalize(text, "NFC")
    assert normalize(normalize(text, "NFC"), "NFD") == normalize(text, "NFD")
    assert normalize(normalize(text, "NFC"), "NFKD") == normalize(text, "NFKD")
