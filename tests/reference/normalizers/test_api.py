"""The Python side of the normalizers: the same code runs on the reference and on `tokenizers`."""

from __future__ import annotations

from typing import Any

import pytest
import tokenizers
import tokenizers.normalizers

from tokenizer_reference.errors import TokenizerReferenceError


@pytest.fixture
def normalizers(package: Any) -> Any:
    return package.normalizers


class Shouting:
    def normalize(self, normalized: Any) -> None:
        normalized.uppercase()


def test_properties_can_be_set(normalizers: Any) -> None:
    bert = normalizers.BertNormalizer()
    assert (bert.clean_text, bert.handle_chinese_chars, bert.strip_accents, bert.lowercase) == (True, True, None, True)
    bert.lowercase = False
    bert.strip_accents = True
    assert bert.normalize_str("É") == "E"
    strip = normalizers.Strip(left=False)
    assert (strip.left, strip.right, strip.normalize_str(" a ")) == (False, True, " a")
    prepend = normalizers.Prepend()
    prepend.prepend += "x"
    assert prepend.normalize_str("a") == "▁xa"
    replace = normalizers.Replace("a", "b")
    replace.content = "c"
    assert replace.normalize_str("a") == "c"


def test_a_pattern_cannot_be_read(normalizers: Any) -> None:
    with pytest.raises(Exception, match="Cannot get pattern"):
        _ = normalizers.Replace("a", "b").pattern


def test_normalize_changes_a_string_in_place(package: Any) -> None:
    string = package.NormalizedString("É")
    package.normalizers.NFD().normalize(string)
    assert string.normalized == "E\u0301"


def test_a_replacement_by_a_regex(package: Any) -> None:
    assert package.normalizers.Replace(package.Regex(r"\s+"), " ").normalize_str("a \t b") == "a b"


def test_sequences(normalizers: Any) -> None:
    strip = normalizers.Strip()
    sequence = normalizers.Sequence([normalizers.NFC(), normalizers.Sequence([strip])])
    assert len(sequence) == 2
    strip.left = False
    assert sequence[1].left is False
    sequence[0] = normalizers.Lowercase()
    assert sequence.normalize_str(" A ") == " a"
    assert len(list(sequence)) == 2


@pytest.mark.parametrize(("index", "error"), [(2, IndexError), (-1, OverflowError)])
def test_indices_of_sequences(normalizers: Any, index: int, error: type[Exception]) -> None:
    sequence = normalizers.Sequence([normalizers.NFC(), normalizers.NFD()])
    with pytest.raises(error):
        _ = sequence[index]
    with pytest.raises(error):
        sequence[index] = normalizers.NFC()


def test_members_of_sequences_are_normalizers_and_no_sequences(normalizers: Any) -> None:
    sequence = normalizers.Sequence([normalizers.NFC()])
    with pytest.raises(Exception, match="normalizer should not be a sequence"):
        sequence[0] = normalizers.Sequence([])
    with pytest.raises(TypeError, match="'int' object is not an instance of 'Normalizer'"):
        sequence[0] = 3
    with pytest.raises(TypeError, match="'int' object is not an instance of 'Normalizer'"):
        normalizers.Sequence([3])


@pytest.mark.parametrize(("name", "expected"), [("nfc", "é"), ("nfd", "e\u0301"), ("nfkc", "é"), ("nfkd", "e\u0301")])
def test_unicode_forms_by_name(normalizers: Any, name: str, expected: str) -> None:
    assert normalizers.unicode_normalizer_from_str(name).normalize_str("é") == expected


def test_other_names_are_refused(normalizers: Any) -> None:
    with pytest.raises(ValueError, match="NFC is not a known unicode normalizer"):
        normalizers.unicode_normalizer_from_str("NFC")


def test_the_base_class_cannot_be_made(normalizers: Any) -> None:
    with pytest.raises(TypeError):
        normalizers.Normalizer()


def test_custom_normalizers(normalizers: Any) -> None:
    assert normalizers.Normalizer.custom(Shouting()).normalize_str("aß") == "ASS"
    sequence = normalizers.Sequence([normalizers.Normalizer.custom(Shouting()), normalizers.Prepend("a")])
    assert sequence.normalize_str("b") == "aB"


def test_custom_normalizers_cannot_be_written(package: Any) -> None:
    tokenizer = package.Tokenizer(package.models.WordLevel({"a": 0}, unk_token="a"))
    tokenizer.normalizer = package.normalizers.Normalizer.custom(Shouting())
    with pytest.raises(Exception, match="Custom Normalizer cannot be serialized") as caught:
        tokenizer.to_str()
    assert package is tokenizers or isinstance(caught.value, TokenizerReferenceError)
