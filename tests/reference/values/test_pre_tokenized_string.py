"""PreTokenizedString: the offsets of tokens that a function of the user gives, on the reference and on the target."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
import tokenizers
import tokenizers.normalizers
import tokenizers.pre_tokenizers
from hypothesis import example, given
from hypothesis import strategies as st
from in_one_test import in_one_test

import tokenizer_reference
from tokenizer_reference.text.utf8 import byte_positions
from tokenizer_reference.values import pre_tokenized_string
from tokenizer_reference.values.pre_tokenized_string import characters_of_bytes

if TYPE_CHECKING:
    from tokenizer_reference.values.tokenization import Span

LIBRARIES = (tokenizer_reference, tokenizers)


def offsets(library: Any, text: str, spans: list[Span], normalizer: str | None = None) -> list[Span]:
    """Return the offsets of tokens that have ``spans``, in bytes, in every word of ``text``."""
    string = library.PreTokenizedString(text)
    if normalizer is not None:
        string.normalize(getattr(library.normalizers, normalizer)().normalize)
    library.pre_tokenizers.WhitespaceSplit().pre_tokenize(string)
    string.tokenize(lambda _: [library.Token(id, str(id), span) for id, span in enumerate(spans)])
    found: list[Span] = string.to_encoding().offsets
    return found


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.__name__)
@pytest.mark.parametrize(
    ("text", "spans", "expected"),
    [
        ("ab cd", [(0, 0), (1, 1), (0, 2)], [(0, 0), (1, 1), (0, 2), (3, 3), (4, 4), (3, 5)]),
        ("éa éb", [(0, 0), (2, 2)], [(0, 0), (1, 1), (3, 3), (4, 4)]),
        ("ab cd ef", [(2, 2)], [(2, 2), (5, 5), (8, 8)]),
        ("é é", [(9, 9)], [(9, 9), (12, 12)]),  # beyond the text, bytes are not counted in characters
    ],
)
def test_an_empty_token_stands_where_it_is_in_its_own_word(
    library: Any, text: str, spans: list[Span], expected: list[Span]
) -> None:
    assert offsets(library, text, spans) == expected


@in_one_test("seed", range(200))
def test_any_spans_of_tokens_give_the_offsets_of_the_target(seed: int) -> None:
    """Also empty ones, and those that leave their word, or begin inside a character."""
    rng = random.Random(seed)
    text = "".join(rng.choices("ab éが\u0301 ", k=rng.randint(0, 8)))
    starts = [rng.randint(0, 9) for _ in range(rng.randint(1, 4))]
    spans = [(start, start if rng.random() < 0.4 else start + rng.randint(0, 4)) for start in starts]
    normalizer = rng.choice([None, "NFD", "Strip", "Lowercase", "StripAccents"])
    ours, theirs = (offsets(library, text, spans, normalizer) for library in LIBRARIES)
    assert ours == theirs


def by_the_table(start: int, end: int, text: str) -> Span:
    """Return the characters for a range of bytes as the target's table gives them: a row for each byte of the text."""
    table = [char for char, each in enumerate(text) for _ in each.encode()]
    if not 0 <= start < len(table):
        return start, end
    if 0 <= end < len(table):
        return table[start], table[end]
    before = end - 1
    return table[start], (table[before] if 0 <= before < len(table) else table[start] + 1) + 1


@given(st.text(st.sampled_from("aé€😀"), max_size=6), st.integers(-2, 26), st.integers(-2, 26))
@example("éa", 1, 9)
@example("", 0, 0)
def test_characters_of_bytes_are_those_of_the_table(text: str, start: int, end: int) -> None:
    assert characters_of_bytes((start, end), byte_positions(text)) == by_the_table(start, end, text)


@pytest.mark.parametrize("count", [10, 1000])
def test_the_bytes_of_a_text_are_found_once_for_all_its_tokens(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that time grows with the text, and not with its square."""
    asked: list[str] = []

    def noted(text: str) -> list[int]:
        asked.append(text)
        return byte_positions(text)

    monkeypatch.setattr(pre_tokenized_string, "byte_positions", noted)
    text = "éa " * count
    spans = [(0, 0), (2, 9)]
    assert len(offsets(tokenizer_reference, text, spans)) == 2 * count
    string = tokenizer_reference.PreTokenizedString(text)
    string.split(lambda _, __: [tokenizer_reference.NormalizedString("é a")] * count)
    assert len(string.get_splits(offset_type="char")) == count
    assert len(asked) <= 4, "of both texts, and of the one that the pieces are of"
