"""Classes of characters and of tokens: what each holds, at its bounds, and which members stand for it."""

from __future__ import annotations

import pytest

from tokenizer_conformance.causes.character_classes import PROPERTIES, classes_of
from tokenizer_conformance.causes.token_classes import Vocabulary

HELD: dict[str, tuple[str, str]] = {
    # what it holds, and what not
    "characters outside ASCII": ("\x80\u00e9\U0001f600", "\x7fa\x00"),
    "characters of three bytes and more": ("\u0800\U00010000", "\u07ff\u00e9a"),
    "characters outside the Basic Multilingual Plane": ("\U00010000\U0010ffff", "\uffffa"),
    "characters whose lowercase is several characters": ("\u0130", "A\u00df"),
    "characters that case folding changes, and lowercasing otherwise": ("\u00df\u03c2", "Aa\u00c9"),
    "characters that lowercasing changes": ("A\u00c9\u0130", "a\u00df1"),
    "characters that uppercasing changes": ("a\u00e9\u00df", "A1"),
    "characters that NFC changes": ("\u212b\u0958", "\u00e9a"),
    "characters that NFD changes": ("\u00e9\uac00", "ea\ufb01"),
    "characters that NFKC changes": ("\ufb01\u00b2", "\u00e9a"),
    "characters with a combining class": ("\u0301\u3099", "a\u0903"),
    "white space": (" \t\x1c\u00a0\u3000", "a\u200b"),
    "wide characters": ("\u4e2d\uff21", "a\u00e9"),
    "digits outside ASCII": ("\u0663\u00b2", "3a\u00bd"),
    "right-to-left characters": ("\u05d0\u0627", "a1"),
    "ASCII letters": ("azAZ", "@[`{\u00e91"),
    "ASCII uppercase letters": ("AZ", "a@[\u00c9"),
    "ASCII digits": ("09", "/:\u0663"),
    "ASCII punctuation and symbols": ("!/:@[`{~ ", "a0\x7f\x1f\u2026"),
    "ASCII controls": ("\x00\x1f\x7f", " ~a\x80"),
}


def test_each_property_has_its_characters() -> None:
    assert list(HELD) == [name for name, _ in PROPERTIES]


@pytest.mark.parametrize(("name", "holds"), PROPERTIES, ids=list(HELD))
def test_properties_hold_what_they_say(name: str, holds: object) -> None:
    inside, outside = HELD[name]
    assert callable(holds)
    assert [each for each in inside + outside if holds(each)] == list(inside)


def names_of(character: str) -> list[str]:
    return [each.name for each in classes_of(character)]


def test_all_classes_of_characters() -> None:
    assert names_of("a") == [
        "any character",
        "letters",
        "characters that uppercasing changes",
        "ASCII letters",
        "lowercase letters (Ll)",
        "characters named LATIN \u2026",
        "U+0061 LATIN SMALL LETTER A",
    ]
    assert names_of("\u00e9")[-4:] == [
        "characters named LATIN \u2026",
        "characters with the byte 0xC3 in UTF-8",
        "characters with the byte 0xA9 in UTF-8",
        "U+00E9 LATIN SMALL LETTER E WITH ACUTE",
    ]
    assert names_of("\uff21")[-4:-1] == [
        f"characters with the byte 0x{byte:02X} in UTF-8" for byte in (0xEF, 0xBC, 0xA1)
    ]
    assert not any("the byte 0x" in name for name in names_of("\udfff"))
    assert names_of("\ud800")[1:] == [
        "controls, formats, surrogates, private use and unassigned",
        "characters outside ASCII",
        "characters of three bytes and more",
        "U+D800",
    ]
    # The only one of its class: that is the character itself.
    assert "line separators (Zl)" not in names_of("\u2028")


def test_a_class_has_members_beside_the_character_itself() -> None:
    for character in "a\u00e9\u4e2d":
        for each in list(classes_of(character))[1:-1]:
            assert len(set(each.members)) == len(each.members) == 8
            assert character not in each.members
    (digits,) = [each for each in classes_of("3") if each.name == "ASCII digits"]
    assert set(digits.members) < set("012456789")
    assert "characters whose lowercase is several characters" not in names_of("\u0130")  # it is the only one


# Tokens --------------------------------------------------------------------------------------------------------------


def vocabulary(*tokens: str, added: frozenset[int] = frozenset(), special: frozenset[int] = frozenset()) -> Vocabulary:
    return Vocabulary({token: number for number, token in enumerate(tokens)}, added, special)


WORDS = vocabulary(
    *("a", "b", "\u2581c", "\u0120d", "##e", "##f", "<0x41>", "<0x42>", "\u00e9", "\u00e8", "-", "!!"),
    *("<s>", "</s>", "<t>", "<0x4>"),
    added=frozenset({12, 13, 14}),
    special=frozenset({12, 13}),
)


@pytest.mark.parametrize(
    ("number", "names"),
    [
        (0, ["any token", "'a' (0)"]),
        (2, ["any token", "tokens that begin a word", "tokens outside ASCII", "'\u2581c' (2)"]),
        (3, ["any token", "tokens that begin a word", "tokens outside ASCII", "'\u0120d' (3)"]),
        (4, ["any token", "tokens that continue a word (##)", "'##e' (4)"]),
        (6, ["any token", "byte tokens", "'<0x41>' (6)"]),
        (15, ["any token", "'<0x4>' (15)"]),
        (8, ["any token", "tokens outside ASCII", "'\u00e9' (8)"]),
        (10, ["any token", "tokens without letters and digits", "'-' (10)"]),
        (12, ["any token", "added tokens", "special tokens", "'<s>' (12)"]),
        (14, ["any token", "added tokens", "'<t>' (14)"]),
        (99, ["any token", "ids that no token has", "id 99"]),
    ],
)
def test_classes_of_tokens(number: int, names: list[str]) -> None:
    assert [each.name for each in WORDS.classes_of(number)] == names


@pytest.mark.parametrize(
    ("count", "members"),
    [(2, 2), (7, 7), (8, 8), (9, 8), (20, 8)],
)
def test_as_many_tokens_stand_for_a_class_as_there_are(count: int, members: int) -> None:
    found = vocabulary("a", *(f"##{number}" for number in range(count)))
    (continuing,) = [each for each in found.classes_of(1) if each.name == "tokens that continue a word (##)"]
    assert len(set(continuing.members)) == len(continuing.members) == members
    assert all(map(continuing.holds, continuing.members))
    assert (1 in continuing.members) is (count <= 8)


def test_ids_that_no_token_has_come_behind_the_last() -> None:
    (beyond,) = [each for each in vocabulary("a", "b").classes_of(5) if each.name == "ids that no token has"]
    assert set(beyond.members) == set(range(2, 11)) - {5}
    assert [each.name for each in Vocabulary({}, frozenset(), frozenset()).classes_of(1)][:2] == [
        "any token",
        "ids that no token has",
    ]
