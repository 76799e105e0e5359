"""The Python side of the pre-tokenizers: the same code runs on the reference and on `tokenizers`."""

from __future__ import annotations

from typing import Any

import pytest
import tokenizers
import tokenizers.pre_tokenizers

import tokenizer_reference
import tokenizer_reference.pre_tokenizers
from tokenizer_reference.errors import TokenizerReferenceError


@pytest.fixture
def pre_tokenizers(package: Any) -> Any:
    return package.pre_tokenizers


class AtCommas:
    def pre_tokenize(self, pretok: Any) -> None:
        pretok.split(lambda _, text: text.split(",", "removed"))


def texts(pieces: list[tuple[str, tuple[int, int]]]) -> list[str]:
    return [text for text, _ in pieces]


def test_properties_can_be_set(pre_tokenizers: Any) -> None:
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, unknown=1)
    byte_level.use_regex = False
    byte_level.trim_offsets = False
    assert texts(byte_level.pre_tokenize_str("a b")) == ["aĠb"]
    delimiter = pre_tokenizers.CharDelimiterSplit("a")
    delimiter.delimiter = "b"
    assert texts(delimiter.pre_tokenize_str("abc")) == ["a", "c"]
    digits = pre_tokenizers.Digits()
    digits.individual_digits = True
    assert texts(digits.pre_tokenize_str("12")) == ["1", "2"]
    fixed = pre_tokenizers.FixedLength()
    assert fixed.length == 5
    fixed.length = 2
    assert texts(fixed.pre_tokenize_str("abc")) == ["ab", "c"]


def test_properties_of_metaspace(pre_tokenizers: Any) -> None:
    metaspace = pre_tokenizers.Metaspace()
    assert (metaspace.replacement, metaspace.prepend_scheme, metaspace.split) == ("▁", "always", True)
    metaspace.replacement = "é"
    metaspace.prepend_scheme = "never"
    metaspace.split = False
    assert texts(metaspace.pre_tokenize_str("a b")) == ["aéb"]
    with pytest.raises(ValueError, match="string of length 1"):
        metaspace.replacement = "ab"
    with pytest.raises(ValueError, match="is an unknown"):
        metaspace.prepend_scheme = "Never"


def test_behaviors_read_without_underscores(pre_tokenizers: Any) -> None:
    punctuation = pre_tokenizers.Punctuation("merged_with_next")
    assert punctuation.behavior == "mergedwithnext"
    punctuation.behavior = "removed"
    assert texts(punctuation.pre_tokenize_str("a,b")) == ["a", "b"]
    split = pre_tokenizers.Split("a", "merged_with_previous")
    assert (split.behavior, split.invert) == ("mergedwithprevious", False)
    split.behavior = "isolated"
    split.invert = True
    assert texts(split.pre_tokenize_str("abc")) == ["a", "bc"]


@pytest.mark.parametrize("behavior", ["Removed", "mergedwithnext", ""])
def test_other_behaviors_are_refused(pre_tokenizers: Any, behavior: str) -> None:
    with pytest.raises(ValueError, match="removed, isolated, merged_with_previous, merged_with_next, contiguous"):
        pre_tokenizers.Punctuation(behavior)
    with pytest.raises(ValueError, match="removed, isolated, merged_with_previous, merged_with_next, contiguous"):
        pre_tokenizers.Split("a", behavior)


@pytest.mark.parametrize("text", ["", "ab"])
def test_a_delimiter_is_one_character(pre_tokenizers: Any, text: str) -> None:
    with pytest.raises(ValueError, match="string of length 1"):
        pre_tokenizers.CharDelimiterSplit(text)


def test_a_length_is_not_negative(pre_tokenizers: Any) -> None:
    with pytest.raises(OverflowError):
        pre_tokenizers.FixedLength(-1)


def test_a_pattern_cannot_be_read(pre_tokenizers: Any) -> None:
    with pytest.raises(Exception, match="Cannot get pattern"):
        _ = pre_tokenizers.Split("a", "removed").pattern


def test_the_alphabet_has_a_character_for_every_byte(pre_tokenizers: Any) -> None:
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    assert len(alphabet) == len(set(alphabet)) == 256
    assert set(alphabet) == set(tokenizer_reference.pre_tokenizers.ByteLevel.alphabet())


def test_sequences(pre_tokenizers: Any) -> None:
    digits = pre_tokenizers.Digits()
    sequence = pre_tokenizers.Sequence([pre_tokenizers.Whitespace(), pre_tokenizers.Sequence([digits])])
    digits.individual_digits = True
    assert texts(sequence.pre_tokenize_str("a 12")) == ["a", "1", "2"]
    sequence[0] = pre_tokenizers.Punctuation()
    assert texts(sequence.pre_tokenize_str("a 1")) == ["a ", "1"]
    with pytest.raises(TypeError):
        len(sequence)


@pytest.mark.parametrize(("index", "error"), [(1, IndexError), (-1, OverflowError)])
def test_indices_of_sequences(pre_tokenizers: Any, index: int, error: type[Exception]) -> None:
    sequence = pre_tokenizers.Sequence([pre_tokenizers.Digits()])
    with pytest.raises(error):
        _ = sequence[index]
    with pytest.raises(error):
        sequence[index] = pre_tokenizers.Digits()


def test_members_of_sequences_are_pre_tokenizers_and_no_sequences(pre_tokenizers: Any) -> None:
    sequence = pre_tokenizers.Sequence([pre_tokenizers.Digits()])
    with pytest.raises(Exception, match="pre tokenizer should not be a sequence"):
        sequence[0] = pre_tokenizers.Sequence([])
    with pytest.raises(TypeError, match="'int' object is not an instance of 'PreTokenizer'"):
        sequence[0] = 3
    with pytest.raises(TypeError, match="'int' object is not an instance of 'PreTokenizer'"):
        pre_tokenizers.Sequence([3])


def test_the_base_class_cannot_be_made(pre_tokenizers: Any) -> None:
    with pytest.raises(TypeError):
        pre_tokenizers.PreTokenizer()


def test_custom_pre_tokenizers(pre_tokenizers: Any) -> None:
    custom = pre_tokenizers.PreTokenizer.custom(AtCommas())
    assert custom.pre_tokenize_str("a,b") == [("a", (0, 1)), ("b", (2, 3))]
    sequence = pre_tokenizers.Sequence([custom, pre_tokenizers.Digits()])
    assert texts(sequence.pre_tokenize_str("a1,b")) == ["a", "1", "b"]


def test_custom_pre_tokenizers_cannot_be_written(package: Any) -> None:
    tokenizer = package.Tokenizer(package.models.WordLevel({"a": 0}, unk_token="a"))
    tokenizer.pre_tokenizer = package.pre_tokenizers.PreTokenizer.custom(AtCommas())
    with pytest.raises(Exception, match="Custom PreTokenizer cannot be serialized") as caught:
        tokenizer.to_str()
    assert package is tokenizers or isinstance(caught.value, TokenizerReferenceError)


def test_splits_with_tokens_are_left_alone(package: Any) -> None:
    pretok = package.PreTokenizedString("a b")
    pretok.tokenize(lambda text: [package.Token(0, text, (0, len(text)))])
    package.pre_tokenizers.Whitespace().pre_tokenize(pretok)
    assert texts([(text, offsets) for text, offsets, _ in pretok.get_splits()]) == ["a b"]
