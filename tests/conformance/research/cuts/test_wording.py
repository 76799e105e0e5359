"""The words of comparisons: who cuts how much otherwise than whom."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tokenizer_conformance.research.cuts.wording import MOST_PAIRS, headline


def pairs(*cut: int) -> Any:
    """Return pairs of which so many of eight characters are cut otherwise."""
    return [
        SimpleNamespace(first=f"a{at}", second=f"b{at}", cut_regions=bool(each), cut_characters=each, characters=8)
        for at, each in enumerate(cut)
    ]


ONE, TWO = (
    f"b{at} cuts {share} of the characters otherwise than a{at}" for at, share in enumerate(("12.5 %", "25.0 %"))
)
ALL = "; ".join(f"b{at} cuts 100.0 % of the characters otherwise than a{at}" for at in range(MOST_PAIRS))
MANY = f"{MOST_PAIRS + 1} of {MOST_PAIRS + 2} pairs of tokenizers cut the texts differently"


@pytest.mark.parametrize(
    ("cut", "said"),
    [
        ((), "nothing was compared"),
        ((1,), ONE),
        ((1, 0), f"{ONE}; 1 pair of tokenizers cuts the texts alike"),
        ((1, 0, 0), f"{ONE}; 2 pairs of tokenizers cut the texts alike"),
        ((1, 2, 0, 0), f"{ONE}; {TWO}; 2 pairs of tokenizers cut the texts alike"),
        ((0, 0), "2 pairs of tokenizers cut the texts alike"),
        ((8,) * MOST_PAIRS, ALL),
        ((*(8,) * (MOST_PAIRS + 1), 0), MANY),
    ],
)
def test_the_headline_says_who_cuts_otherwise_and_how_many_alike(cut: tuple[int, ...], said: str) -> None:
    assert headline(pairs(*cut)) == said
