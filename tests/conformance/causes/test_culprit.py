"""Culprits: found by experiment, found again in other texts, and made harmless there."""

from __future__ import annotations

import pytest

from tokenizer_adapters.contract import After, Decode, Encode, EncodeBatch, EncodeSpecialTokens, Normalize, PreTokenize
from tokenizer_conformance.causes.character_classes import ANY, alone, classes_of
from tokenizer_conformance.causes.culprit import (
    CharacterCulprit,
    LengthCulprit,
    TokenCulprit,
    is_in,
    shape_of_question,
    without,
)
from tokenizer_conformance.causes.token_classes import Vocabulary
from tokenizer_conformance.comparison.questions import texts_in, with_ids, with_texts

LETTER = next(each for each in classes_of("a") if each.name == "letters")
ANYTHING = next(each for each in classes_of("a") if each.name == ANY)


def test_classes_go_from_any_character_to_the_one_alone() -> None:
    for character in "aé\u01f0 \u0301中\U0001f600\x00\u0378":
        found = list(classes_of(character))
        assert found[0].name == ANY
        assert found[-1].is_alone
        assert all(each.holds(character) for each in found)
        assert all(each.holds(member) for each in found[1:] for member in each.members)
        assert all(len(each.members) > 1 for each in found[:-1])


@pytest.mark.parametrize(
    ("classes", "text", "places"),
    [
        ((alone("ß"),), "aßbß", [1, 3]),
        ((LETTER, alone("Σ")), "aΣ Σ1Σ", [0]),
        ((ANYTHING, alone("x")), "xx", [0]),
        ((alone("a"),), "", []),
    ],
)
def test_a_culprit_is_found_where_its_classes_stand(classes: tuple[object, ...], text: str, places: list[int]) -> None:
    culprit = CharacterCulprit(classes)  # type: ignore[arg-type]
    assert culprit.places(text) == places
    assert is_in(culprit, Normalize(text)) == bool(places)


def test_the_telling_character_is_made_harmless() -> None:
    ways = [ways[0] for ways in without(CharacterCulprit((LETTER, alone("Σ"))), Normalize("aΣ bΣ"))]
    assert ways[:2] == [Normalize("aa ba"), Normalize("a b")]


def test_any_characters_that_may_not_be_so_together_tell_nothing() -> None:
    together, apart = CharacterCulprit((ANYTHING, ANYTHING)), CharacterCulprit((ANYTHING, ANYTHING), is_together=False)
    assert together.is_general
    assert together.tells
    assert not apart.is_general
    assert not apart.tells
    assert CharacterCulprit((ANYTHING, alone("x")), is_together=False).tells


def test_a_whole_text_is_no_part_of_another() -> None:
    empty = CharacterCulprit((), is_whole=True)
    assert is_in(empty, Normalize(""))
    assert not is_in(empty, Normalize("a"))
    assert not empty.is_general
    assert CharacterCulprit(()).is_general
    assert CharacterCulprit((ANYTHING,)).is_general
    assert not CharacterCulprit((ANYTHING,), is_whole=True).is_general


def test_long_texts_are_cut_so_that_all_of_them_is_still_asked() -> None:
    question = Encode("abcdefgh" * 4, "xy")
    ((*chunks,),) = without(LengthCulprit(32), question)
    texts = [texts_in(chunk)[0] for chunk in chunks]
    assert "".join(texts) == "abcdefgh" * 4
    assert max(map(len, texts)) < 32
    words = Encode(("ab", "cd", "ef"))
    ((*chunks,),) = without(LengthCulprit(5), words)
    assert [each.text for each in chunks if isinstance(each, Encode)] == [("ab",), ("cd",), ("ef",)]


def test_one_character_among_classes_is_the_core() -> None:
    assert CharacterCulprit((ANYTHING, alone("ß"))).core().words == alone("ß").name
    two = CharacterCulprit((alone("a"), alone("b")))
    assert two.core() == two
    assert two.words == '"ab"'


def test_ids_are_left_out() -> None:
    vocabulary = Vocabulary({"a": 0, "b": 1, "<s>": 2, "</s>": 3}, frozenset({2, 3}), frozenset({2, 3}))
    special = next(each for each in vocabulary.classes_of(2) if each.name == "added tokens")
    culprit = TokenCulprit((special,))
    assert is_in(culprit, Decode((0, 2)))
    assert not is_in(culprit, Decode((0, 1)))
    assert list(without(culprit, Decode((0, 2, 1)))) == [(Decode((0, 1)),)]


def test_texts_and_ids_are_changed_in_every_kind_of_question() -> None:
    batch = EncodeBatch((Encode("a", "b"), Encode("c")))
    assert with_texts(batch, str.upper) == EncodeBatch((Encode("A", "B"), Encode("C")))
    after = After((EncodeSpecialTokens(True),), PreTokenize("a"))
    assert with_texts(after, str.upper) == After((EncodeSpecialTokens(True),), PreTokenize("A"))
    assert with_texts(Decode((1,)), str.upper) == Decode((1,))
    assert with_ids(Encode("a"), lambda _: ()) == Encode("a")
    assert shape_of_question(after) == "a text to pre-tokenize, after EncodeSpecialTokens"
