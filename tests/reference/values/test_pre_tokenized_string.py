"""PreTokenizedString: the offsets of tokens that a function of the user gives, on the reference and on the target."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
import tokenizers
import tokenizers.normalizers
import tokenizers.pre_tokenizers
from in_one_test import in_one_test

import tokenizer_reference

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
