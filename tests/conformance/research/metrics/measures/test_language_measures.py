"""Tokens against a base, and over languages: worked examples, published values, and what holds of any languages."""

from __future__ import annotations

from dataclasses import astuple, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from segmentations import cut, values

from tokenizer_conformance.research.metrics.measures import estimates
from tokenizer_conformance.research.metrics.measures.language_measures import gini
from tokenizer_conformance.research.metrics.measures.tally import Tally


def tally_of(*lengths: int) -> Tally:
    """Return the tally of texts of as many tokens as ``lengths`` say."""
    tally = Tally()
    for number, length in enumerate(lengths):
        tally.add(cut("a" * length, "|".join("a" * length), number))
    return tally


@pytest.mark.parametrize(
    ("ours", "base", "expected"),
    [
        ((3, 5), (4, 4), 8 / 8),
        # The ratio of sums, not the average of the ratios 2/1 and 1/4.
        ((2, 1), (1, 4), 3 / 5),
        ((), (), None),
        ((2,), (0,), None),
    ],
)
def test_tokens_against_a_base(ours: tuple[int, ...], base: tuple[int, ...], expected: float | None) -> None:
    found = [
        *estimates.of_base(tally_of(*ours), tally_of(*base), None),
        *estimates.of_reference_language(tally_of(*ours), tally_of(*base), None),
    ]
    assert values(found) == {"normalized_sequence_length": expected, "premium": expected}


# The tokens of FLORES-200 in a language and in English as Petrov et al. (2023) published them
# (tokenization_lengths.csv), and the premium in table 1 of the paper, rounded to two places there.
PUBLISHED = [
    ("GPT-2", "French", 104971, 52567, 2.00),
    ("GPT-2", "German", 112600, 52567, 2.14),
    ("GPT-2", "Italian", 105594, 52567, 2.01),
    ("GPT-2", "Japanese", 157858, 52567, 3.00),
    ("GPT-2", "Standard Arabic", 231316, 52567, 4.40),
    ("GPT-2", "Bulgarian", 289393, 52567, 5.51),
    ("GPT-2", "Dzongkha", 860070, 52567, 16.36),
    ("GPT-4", "French", 84407, 52835, 1.60),
    ("GPT-4", "German", 83450, 52835, 1.58),
    ("GPT-4", "Bulgarian", 139501, 52835, 2.64),
    ("GPT-4", "Dzongkha", 651364, 52835, 12.33),
    ("FlanT5", "French", 92423, 57876, 1.60),
    ("FlanT5", "German", 79288, 57876, 1.37),
    ("FlanT5", "Italian", 125884, 57876, 2.18),
]


def test_blank_texts_make_no_language_cheap() -> None:
    texts = [tally_of(4, 0, 2), tally_of(6, 0, 3)]
    assert estimates.of_languages(texts, None)[1].value == (9 / 2) / (6 / 2)
    half = [tally_of(4, 2), tally_of(6, 0)]  # one of its lines is not translated
    assert estimates.of_languages(half, None)[1].value == 6 / (6 / 2)


@pytest.mark.parametrize(("tokenizer", "language", "tokens", "english", "premium"), PUBLISHED)
def test_premiums_from_published_counts_are_the_published_ones(
    tokenizer: str, language: str, tokens: int, english: int, premium: float
) -> None:
    tallies = []
    for count in (tokens, english):
        tally = Tally()
        row = replace(tally.totals, texts=1, written_texts=1, tokens=count, written_tokens=count)
        tally.sums.add(0, astuple(row))
        tallies.append(tally)
    (found,) = estimates.of_reference_language(tallies[0], tallies[1], None)
    assert found.value is not None
    assert round(found.value, 2) == premium, f"{tokenizer} in {language}"


@pytest.mark.parametrize(
    ("costs", "expected"),
    [
        ([5.0], 0.0),
        ([2, 2, 2], 0.0),
        ([0, 1], (1 + 1) / (2 * 2 * 1)),
        # Differences 1, 2 and 1, each both ways: 8; 2 · 3 · 6 = 36.
        ([1, 2, 3], 8 / 36),
        ([3, 1, 2], 8 / 36),
        ([0, 0, 0, 10], 3 / 4),
        ([], None),
        ([0, 0], None),
    ],
)
def test_gini(costs: list[float], expected: float | None) -> None:
    assert gini(costs) == (None if expected is None else pytest.approx(expected))


COSTS = st.lists(st.integers(1, 10**6), min_size=1, max_size=20)


@given(COSTS)
def test_gini_is_its_definition_and_below_one(costs: list[int]) -> None:
    value = gini(costs)
    differences = sum(abs(one - other) for one in costs for other in costs)
    assert value == pytest.approx(differences / (2 * len(costs) * sum(costs)))
    assert 0 <= value <= (len(costs) - 1) / len(costs)


@given(COSTS, st.integers(2, 9))
def test_gini_does_not_depend_on_order_nor_scale_nor_copies(costs: list[int], factor: int) -> None:
    value = gini(costs)
    assert gini(costs[::-1]) == value
    assert gini([factor * cost for cost in costs]) == pytest.approx(value)
    assert gini(costs * factor) == pytest.approx(value)


def test_over_languages() -> None:
    languages = [tally_of(1, 3), tally_of(2, 2), tally_of(6, 6)]  # 2, 2 and 6 tokens a text
    found = values(estimates.of_languages(languages, None))
    assert found == {"gini": pytest.approx((4 + 4) * 2 / (2 * 3 * 10)), "premium_spread": 6 / 2}


@pytest.mark.parametrize("languages", [[], [tally_of(1, 2)], [tally_of(1), tally_of()]])
def test_without_two_languages_with_texts_there_is_no_inequality(languages: list[Tally]) -> None:
    assert set(values(estimates.of_languages(languages)).values()) == {None}
