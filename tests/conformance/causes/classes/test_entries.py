"""Which entries of a model are tried, and in which order."""

from __future__ import annotations

from itertools import combinations

from tokenizer_adapters.contract import Encoded
from tokenizer_conformance.causes.classes.entries import entry_changes

WORD = "abcdefg"
PARTS = [WORD[start:end] for start, end in combinations(range(len(WORD) + 1), 2)]


def test_words_are_tried_from_long_to_short_and_those_of_a_length_by_name() -> None:
    document = {"model": {"type": "WordPiece", "vocab": {part: number for number, part in enumerate(PARTS)}}}
    changes = entry_changes(document, Encoded(ids=(0,), tokens=(WORD,)), Encoded(ids=(1,), tokens=()))
    assert [change.token for change in changes] == sorted(PARTS, key=lambda part: (-len(part), part))
