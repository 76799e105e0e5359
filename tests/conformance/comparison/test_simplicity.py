"""The order of simplicity is total and the same for everybody; every class has its simplest member first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_conformance.comparison.simplicity import characters_like, simplicity
from tokenizer_conformance.comparison.token_simplicity import SimplerTokens, kind_of


@given(st.characters(), st.characters())
def test_no_two_characters_are_equally_simple(one: str, other: str) -> None:
    assert (simplicity(one) == simplicity(other)) == (one == other)


def test_the_order() -> None:
    ordered = ["a", "z", "A", "0", " ", "!", "Æ", "Ђ", "À", "¡", "一", "€", "😀", "\n", "\u0301", "\u200b", "\ue000"]
    assert sorted(ordered, key=simplicity) == ordered


@pytest.mark.long_but(2)
@pytest.mark.parametrize("character", list("aé\u0301東😀\ue000"))
def test_classes_have_the_character_or_its_like_and_begin_with_the_simplest(character: str) -> None:
    found = list(characters_like(character))
    assert len(found) > 3
    assert len(set(found)) == len(found)
    for members in found:
        assert members[0] == min(members, key=simplicity)
    assert found[0][0] == "a"


def test_a_lone_surrogate_is_in_no_class() -> None:
    assert list(characters_like("\ud800")) == []


def test_tokens_like_another() -> None:
    tokens = SimplerTokens({"##b": 7, "x": 3, "##a": 9, "yy": 4, "<0x0A>": 5})
    found = list(tokens.ids_like(7))
    assert found[0] == (3, 4, 7, 9, 5)
    assert found[1] == (7, 9)
    assert list(tokens.ids_like(99)) == []


@pytest.mark.parametrize(
    ("token", "kind"),
    [
        ("<0xFF>", "byte"),
        ("[CLS]", "special"),
        ("</s>", "special"),
        ("Ġa", "Ġ"),
        ("▁", "▁"),
        ("a</w>", "</w>"),
        ("a", ""),
    ],
)
def test_kinds_of_tokens(token: str, kind: str) -> None:
    assert kind_of(token) == kind
