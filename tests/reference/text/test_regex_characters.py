"""Classes, word boundaries and case: what a pattern matches is what it matches in `tokenizers`, on all characters."""

from __future__ import annotations

from typing import Final

import pytest
from in_one_test import in_one_test
from regex_patterns import SETS
from regex_sides import differing_texts

from tokenizer_reference.text.characters import full_case_folding_16


@in_one_test("pattern", SETS)
def test_a_set_has_the_characters_that_it_has_in_the_target(pattern: str, every_character: str) -> None:
    assert differing_texts(f"(?:{pattern})+", [every_character]) == []


@pytest.mark.parametrize("pattern", [r"\b", r"\B", r"(?W:\b)"])
def test_a_word_boundary_is_where_it_is_in_the_target(pattern: str, every_character: str) -> None:
    assert differing_texts(pattern, ["!".join(every_character)]) == []


# Case -----------------------------------------------------------------------------------------------------------------

CASED: Final = sorted(
    {chr(code_point) for code_point in full_case_folding_16()} | set("".join(full_case_folding_16().values()))
)
FOLDINGS_TO_SEVERAL: Final = sorted({text for text in full_case_folding_16().values() if len(text) > 1})
CASED_TEXT: Final = "".join(CASED) + " " + " ".join(FOLDINGS_TO_SEVERAL)


def check_case_is_ignored(characters: list[str]) -> None:
    for character in characters:
        for pattern in (f"(?i:{character})", f"(?i:[{character}])", f"(?i:[^{character}]+)"):
            assert differing_texts(pattern, [CASED_TEXT]) == [], pattern


def test_case_is_ignored_as_in_the_target() -> None:
    folded_to_several = [char for char in CASED if len(full_case_folding_16().get(ord(char), "")) > 1]
    check_case_is_ignored(folded_to_several[::8])
    check_case_is_ignored(CASED[::200])


@pytest.mark.slow
def test_case_of_every_character_is_ignored_as_in_the_target() -> None:
    check_case_is_ignored(CASED)


@pytest.mark.slow
def test_every_folding_to_several_characters_is_met_as_in_the_target() -> None:
    for folding in FOLDINGS_TO_SEVERAL:
        assert differing_texts(f"(?i:{folding})", [CASED_TEXT]) == [], folding
