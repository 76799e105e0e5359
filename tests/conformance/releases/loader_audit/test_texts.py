"""The texts by which a replaced length may show: as long as it, and a little more and less."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from planted_loaders import document

from tokenizer_conformance.comparison.component_differences import Component, Replacement
from tokenizer_conformance.releases.loader_audit.texts import FIRST_TEXTS, LONG_WORDS, texts_for


@pytest.mark.parametrize(
    ("raw", "replaced", "lengths"),
    [
        ({}, {}, [2, 1]),
        ({}, {"truncation": {"max_length": 5}}, [13, 6, 5, 3, 2, 1]),
        ({"truncation": {"max_length": 4}}, {"truncation": {"max_length": 2}}, [12, 10, 5, 4, 3, 2, 1]),
        ({"truncation": {"max_length": 0}}, {}, [8, 2, 1]),
        ({"truncation": {"max_length": 20_000}}, {}, [20_000, 19_998, 2, 1]),
        ({"truncation": {"max_length": 10**12}}, {}, [2, 1]),
        ({"padding": {"strategy": {"Fixed": 6}}}, {}, [7, 2, 1]),
        ({"padding": {"strategy": {"Fixed": 4}}}, {}, [5, 2, 1]),
        ({"padding": {"strategy": "BatchLongest"}}, {}, [2, 1]),
    ],
)
def test_texts_are_around_the_lengths_of_both_documents(
    raw: dict[str, Any], replaced: dict[str, Any], lengths: list[int]
) -> None:
    whole = document() | {"truncation": None, "padding": None}
    replacement = Replacement(Component.TRUNCATION, "truncation", "", (), 1, whole | replaced)
    made = texts_for(replacement, whole | raw, (), 0)
    long = [word * length for length in lengths for word in LONG_WORDS]
    further = [text for text in FIRST_TEXTS if text not in long]
    assert list(islice(made, len(long) + len(further))) == [*long, *further]
