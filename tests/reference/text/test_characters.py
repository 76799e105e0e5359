"""Every named class and mapping of characters is that of the target, character by character."""

from __future__ import annotations

from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import NormalizedString, normalizers, pre_tokenizers

from tokenizer_reference.text import characters, unicode_tables
from tokenizer_reference.text.code_point_sets import Ranges, contains, decode_mapping, size
from tokenizer_reference.text.code_point_sets import characters as members
from tokenizer_reference.text.normalization import normalize
from tokenizer_reference.text.unicode_properties import unicode_property


def without(text: str, ranges: Ranges) -> str:
    return "".join(char for char in text if not contains(ranges, ord(char)))


def pieces(pre_tokenizer: pre_tokenizers.PreTokenizer, text: str) -> list[str]:
    return [piece for piece, _ in pre_tokenizer.pre_tokenize_str(text)]


def bert(**enabled: bool) -> normalizers.BertNormalizer:
    options = {"clean_text": False, "handle_chinese_chars": False, "strip_accents": False, "lowercase": False}
    return normalizers.BertNormalizer(**(options | enabled))


# Classes -------------------------------------------------------------------------------------------------------------


def test_white_space_is_what_the_target_splits_at(every_character: str) -> None:
    kept = "".join(pieces(pre_tokenizers.WhitespaceSplit(), every_character))
    assert kept == "".join(char for char in every_character if not characters.is_whitespace(char))


def test_white_space_is_what_the_target_strips() -> None:
    assert len(set(characters.WHITE_SPACE)) == 25
    for char in map(chr, range(0x3100)):
        stripped = normalizers.Strip().normalize_str(f"{char}a{char}") == "a"
        assert stripped == characters.is_whitespace(char), f"U+{ord(char):04X}"


def test_punctuation_is_what_the_target_removes(every_character: str) -> None:
    assert size(characters.punctuation()) == 726
    removed = pre_tokenizers.Punctuation("removed")
    assert "".join(pieces(removed, every_character)) == without(every_character, characters.punctuation())


def test_bert_removed_is_what_clean_text_deletes(every_character: str) -> None:
    kept = without(every_character, characters.bert_removed())
    blanks = dict.fromkeys(map(ord, characters.WHITE_SPACE), " ")
    assert bert(clean_text=True).normalize_str(every_character) == kept.translate(blanks)


def test_nonspacing_marks_8_are_what_bert_deletes_after_decomposition(every_character: str) -> None:
    text = "a".join(every_character)  # so that no mark moves past another
    expected = without(normalize(text, "NFD"), characters.nonspacing_marks_8())
    assert bert(strip_accents=True).normalize_str(text) == expected


def test_marks_9_are_what_strip_accents_deletes(every_character: str) -> None:
    assert normalizers.StripAccents().normalize_str(every_character) == without(every_character, characters.marks_9())


def test_numeric_17_is_what_digits_splits_off(every_character: str) -> None:
    text = "a".join(every_character)
    alone = {piece for piece in pieces(pre_tokenizers.Digits(individual_digits=True), text) if len(piece) == 1}
    assert alone - {"a"} == members(characters.numeric_17()) & set(every_character)


def test_word_characters_16_are_what_whitespace_keeps_together(every_character: str) -> None:
    # Between exclamation marks a word character stands alone, and any other joins them.
    found = pieces(pre_tokenizers.Whitespace(), f"!{'!'.join(every_character)}!")
    words = {piece for piece in found if "!" not in piece}
    assert words == members(characters.word_characters_16()) & set(every_character)


def test_letters_and_numbers_16_are_those_of_byte_level(every_character: str) -> None:
    # GPT-2's pattern takes a run of one kind; `-` is of the third kind, and so is what is neither letter nor number.
    text = "".join(char for char in every_character if not characters.is_whitespace(char))
    offsets = [
        span for _, span in pre_tokenizers.ByteLevel(add_prefix_space=False).pre_tokenize_str(f"-{'-'.join(text)}-")
    ]
    alone = {text[start // 2] for start, end in offsets if end - start == 1 and start % 2}
    expected = members(unicode_property("L")) | members(unicode_property("N"))
    assert alone == expected & set(text)


# Case ----------------------------------------------------------------------------------------------------------------


def test_lowercase_is_that_of_the_target(every_character: str) -> None:
    expected = every_character.translate(characters.lowercase_table())
    assert normalizers.Lowercase().normalize_str(every_character) == expected


def test_uppercase_is_that_of_the_target(every_character: str) -> None:
    aligned = NormalizedString(every_character)
    aligned.uppercase()
    assert aligned.normalized == every_character.translate(characters.uppercase_table())


@given(st.text(alphabet=st.sampled_from("aAßẞİıΣσςΑǅ\u0345ﬁŉ\u1c89\ua7dc\U00016ea0 "), max_size=6))
def test_case_of_a_text_is_that_of_its_characters(text: str) -> None:
    assert "".join(map(characters.lowercase, text)) == normalizers.Lowercase().normalize_str(text)
    aligned = NormalizedString(text)
    aligned.uppercase()
    assert "".join(map(characters.uppercase, text)) == aligned.normalized


def simple_case_folding_16() -> dict[int, str]:
    """Return simple case folding of 16.0 (statuses C and S), each value one character."""
    common = decode_mapping(unicode_tables.CASE_FOLDING_COMMON_16_0)
    return common | decode_mapping(unicode_tables.CASE_FOLDING_SIMPLE_16_0)


@pytest.mark.parametrize("char", ["A", "ß", "ẞ", "ﬁ", "ᾳ", "\u1c89"])
def test_a_case_folding_does_not_fold_further(char: str) -> None:
    simple, full = simple_case_folding_16(), characters.full_case_folding_16()
    assert len(char.translate(simple)) == 1
    assert char.translate(simple).translate(simple) == char.translate(simple)
    assert char.translate(full).translate(full) == char.translate(full)


def test_full_case_folding_expands_and_simple_does_not() -> None:
    assert "ẞß".translate(characters.full_case_folding_16()) == "ssss"
    assert "ẞß".translate(simple_case_folding_16()) == "ßß"


# Scripts -------------------------------------------------------------------------------------------------------------


def test_scripts_9_are_those_of_the_target(every_character: str) -> None:
    classes = defaultdict(list)
    for char in every_character:
        script = characters.script_9(char)
        if char == " " or script == "Unknown":
            continue  # belongs to whatever it stands in
        classes["Han" if script in {"Hiragana", "Katakana"} or char == "ー" else script].append(char)
    texts = ["".join(chars) for chars in classes.values()]
    assert len(texts) > 100
    assert pieces(pre_tokenizers.UnicodeScripts(), "".join(texts)) == texts


def test_characters_without_a_script_in_9_start_no_piece(every_character: str) -> None:
    unknown = "".join(char for char in every_character if characters.script_9(char) == "Unknown")
    assert len(unknown) > 100
    assert pieces(pre_tokenizers.UnicodeScripts(), unknown) == []
