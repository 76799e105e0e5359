"""What a witness stands for: each place of its text is tried with other characters, on differences that are made up."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from tokenizer_adapters.contract import Chat, Decode, Encode, Field, Normalize
from tokenizer_conformance.causes.character_classes import ANY, classes_of, named
from tokenizer_conformance.causes.culprit import CharacterCulprit, ConversationCulprit, LengthCulprit, TokenCulprit
from tokenizer_conformance.causes.generalizing import culprit_of, is_like
from tokenizer_conformance.causes.token_classes import ANY_TOKEN, Vocabulary
from tokenizer_conformance.comparison.questions import texts_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.causes.bench import Trial
    from tokenizer_conformance.causes.culprit import Culprit
    from tokenizer_conformance.causes.witness import Witness

WORDS = Vocabulary({f"t{number}": number for number in range(20)} | {"##a": 20, "##b": 21}, frozenset(), frozenset())
DIFFERENCE = SimpleNamespace(field=Field.IDS, detail="")


def culprit(question: Observation, differs: Callable[[Observation], bool]) -> Culprit:
    """Return what shows a difference of ``question`` where those differ that ``differs`` tells."""
    trial = SimpleNamespace(
        compared=lambda each: SimpleNamespace(differences=[DIFFERENCE] if differs(each) else []),
    )
    witness = SimpleNamespace(question=question, difference=DIFFERENCE)
    return culprit_of(cast("Trial", trial), cast("Witness", witness), WORDS)


def of_characters(text: str, differs: Callable[[str], bool]) -> CharacterCulprit:
    found = culprit(Normalize(text), lambda each: differs(texts_in(each)[0]))
    assert isinstance(found, CharacterCulprit)
    return found


def names(found: CharacterCulprit | TokenCulprit) -> list[str]:
    return [each.name for each in found.classes]


@pytest.mark.parametrize(
    ("text", "differs", "classes", "is_whole"),
    [
        ("abz", lambda text: text[1:] == "bz" and len(text) == 3, [ANY, named("b"), named("z")], True),
        ("abz", lambda text: text[:1] == "a" and text[2:] == "z", [named("a"), ANY, named("z")], True),
        ("abz", lambda text: "ab" in text, [named("a"), named("b"), ANY], False),
        ("abz", lambda text: text.startswith("ab"), [named("a"), named("b"), ANY], False),
        ("abz", lambda text: text.endswith("bz"), [ANY, named("b"), named("z")], False),
        ("5", lambda text: any(each.isascii() and each.isdigit() for each in text), ["ASCII digits"], False),
        ("", lambda text: text == "", [], True),
    ],
)
def test_each_place_is_tried_with_other_characters(
    text: str, differs: Callable[[str], bool], classes: list[str], is_whole: bool
) -> None:
    found = of_characters(text, differs)
    assert names(found) == classes
    assert found.is_whole is is_whole


@pytest.mark.parametrize(("excepted", "is_class"), [(0, True), (1, True), (2, False)])
def test_one_member_of_a_class_need_not_show_it(excepted: int, is_class: bool) -> None:
    (letters,) = [each for each in classes_of("q") if each.name == "letters"]
    others = letters.members[:excepted]
    found = of_characters("q", lambda text: text[:1].isalpha() and text not in others)
    assert (names(found) == ["letters"]) is is_class


def test_places_may_be_anything_one_by_one_and_not_together() -> None:
    together = of_characters("ab", lambda text: len(text) == 2)
    assert names(together) == [ANY, ANY]
    assert together.is_together
    apart = of_characters("ab", lambda text: len(text) == 2 and ("a" in text[:1] or "b" in text[1:]))
    assert names(apart) == [ANY, ANY]
    assert not apart.is_together


@pytest.mark.parametrize(
    ("differs", "is_long"),
    [
        (lambda text: len(text) > 8, True),
        (lambda _text: True, False),
        (lambda text: text == "abcdefghi", False),
        (lambda text: len(text) > 8 and set(text) == {"b"}, False),
        (lambda text: len(text) > 8 and set(text) <= {"b", "7"}, True),
    ],
)
def test_long_texts_may_differ_for_their_length(differs: Callable[[str], bool], is_long: bool) -> None:
    found = culprit(Normalize("abcdefghi"), lambda each: differs(texts_in(each)[0]))
    if is_long:
        assert found == LengthCulprit(9)
    else:
        assert isinstance(found, CharacterCulprit)
        assert names(found) == list(map(named, "abcdefghi"))


def test_the_longest_text_is_tried_and_the_others_stay() -> None:
    found = culprit(Encode("a", "bcd"), lambda each: texts_in(each)[0] == "a" and texts_in(each)[1][1:] == "cd")
    assert isinstance(found, CharacterCulprit)
    assert names(found) == [ANY, named("c"), named("d")]


def test_ids_are_tried_with_others() -> None:
    found = culprit(Decode((3, 20, 5)), lambda each: isinstance(each, Decode) and each.ids[1:2] in {(20,), (21,)})
    assert isinstance(found, TokenCulprit)
    assert names(found) == [ANY_TOKEN, "tokens that continue a word (##)", ANY_TOKEN]
    found = culprit(Decode((3, 4, 5)), lambda each: isinstance(each, Decode) and each.ids[1:] == (4, 5))
    assert isinstance(found, TokenCulprit)
    assert names(found) == [ANY_TOKEN, "'t4' (4)", "'t5' (5)"]
    many = culprit(Decode(tuple(range(9))), lambda _each: True)
    assert isinstance(many, TokenCulprit)
    assert names(many) == [f"'t{number}' ({number})" for number in range(9)]
    both = culprit(Decode((3, 4)), lambda each: isinstance(each, Decode) and (each.ids[0] == 3 or each.ids[1] == 4))
    assert isinstance(both, TokenCulprit)
    assert (names(both), both.is_together) == ([ANY_TOKEN, ANY_TOKEN], False)


@pytest.mark.parametrize(
    ("chat", "words"),
    [
        (Chat('[{"role": "user"}, {"role": "assistant"}]'), "user, assistant"),
        (Chat('[{"role": "user"}, "odd", {}]', tools="[]"), "user, no object, None, with tools"),
        (Chat("[]", add_generation_prompt=True, continue_final_message=True),
         "nobody, with add_generation_prompt and continue_final_message"),
    ],
)  # fmt: skip
def test_of_a_conversation_the_speakers_are_told(chat: Chat, words: str) -> None:
    assert culprit(chat, lambda _each: True) == ConversationCulprit(words)


def test_differences_are_alike_in_field_and_error() -> None:
    witness = cast("Witness", SimpleNamespace(difference=SimpleNamespace(field=None, detail="KeyError")))
    asked = [(None, "KeyError"), (None, "ValueError"), (Field.IDS, "KeyError")]
    assert [is_like(witness, *each) for each in asked] == [True, False, False]
