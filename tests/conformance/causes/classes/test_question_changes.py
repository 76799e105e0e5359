"""What is asked in the place of a question where an implementation is supposed to answer another one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from tokenizer_adapters.contract import (
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    Failed,
    Field,
    Normalize,
    PreTokenize,
    Stage,
    Text,
)
from tokenizer_conformance.causes.classes.question_changes import (
    CHANGES_OF_TEXTS,
    OPTION_CHANGES,
    other_questions,
    places_in,
)

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.causes.classes.experiment import Ground
    from tokenizer_conformance.causes.witness import Witness

CHANGES = {as_asked.parameter: (as_asked, as_changed) for as_asked, as_changed in (*OPTION_CHANGES, *CHANGES_OF_TEXTS)}


class Asked:
    """A ground that gives the question back as its answer, and is asked about nothing but these ``answers``."""

    def __init__(self, answers: dict[Observation, Outcome] | None = None, shows: tuple[Stage, ...] = ()) -> None:
        self.answers = answers
        self.trial = SimpleNamespace(implementation=SimpleNamespace(shows=dict.fromkeys(shows, frozenset())))

    def expected(self, question: Observation) -> Any:
        return question if self.answers is None else self.answers.get(question, Failed("KeyError", ""))

    def vocabulary(self) -> dict[str, int]:
        return {"<t>": 5}

    def agrees(self, question: Observation) -> bool:
        return question == Normalize("alike")


def asked_for(parameter: str, question: Observation) -> Any:
    return CHANGES[parameter][1].predict(cast("Ground", Asked()), question)


def plain(text: str | tuple[str, ...], pair: str | tuple[str, ...] | None = None) -> Encode:
    return Encode(text, pair, add_special_tokens=False)


KEPT, LEFT_OUT = Decode((1,), False), Decode((1,), True)
MIXED = EncodeBatch((Encode(""), Encode("a")))

OPTIONS: list[tuple[str, Observation, Observation | None]] = [
    ("are always kept in decoding", LEFT_OUT, KEPT),
    ("are always kept in decoding", DecodeStream((1,)), DecodeStream((1,), False)),
    ("are always kept in decoding", Encode("a"), None),
    ("are always left out in decoding", KEPT, LEFT_OUT),
    ("are kept in decoding where they are to be left out, and the other way", KEPT, LEFT_OUT),
    ("are kept in decoding where they are to be left out, and the other way", LEFT_OUT, KEPT),
    ("are kept in decoding where they are to be left out, and the other way", Normalize("a"), None),
    ("none put around texts", Encode("a"), plain("a")),
    ("none put around texts", EncodeBatch((Encode("a"),)), EncodeBatch((plain("a"),))),
    ("none put around texts", KEPT, None),
    ("always put around texts", plain("a"), Encode("a")),
    ("put around texts where they are not to be, and the other way", Encode("a"), plain("a")),
    ("put around texts where they are not to be, and the other way", plain("a"), Encode("a")),
    ("none put around an empty text", Encode(""), plain("")),
    ("none put around an empty text", Encode("", "a"), Encode("", "a")),
    ("none put around an empty text", Encode("a"), Encode("a")),
    ("none put around an empty text", MIXED, None),
    ("an empty second text counts as none", Encode("a", ""), Encode("a")),
    ("an empty second text counts as none", Encode("a", "b"), Encode("a", "b")),
    ("the second text is dropped", Encode("a", "b"), Encode("a")),
    ("the two texts are exchanged", Encode("a", "b"), Encode("b", "a")),
    ("the two texts are exchanged", Encode("a"), Encode("a")),
    ("a space is put before each word", plain(("a", "b"), ("c",)), plain((" a", " b"), (" c",))),
    ("a space is put before each word", plain("a b", "c"), plain("a b", "c")),
    ("a space is put before each word that does not begin with white space", plain(("a", "\tb", ""), ("c",)),
     plain((" a", "\tb", ""), (" c",))),
    ("words are joined with spaces", plain(("a", "b"), ("c", "d")), plain("a b", "c d")),
]  # fmt: skip


@pytest.mark.parametrize(("parameter", "question", "asked"), OPTIONS)
def test_other_options(parameter: str, question: Observation, asked: Observation | None) -> None:
    assert asked_for(parameter, question) == asked


TEXTS: list[tuple[str, str, str]] = [
    ("in texts", "a\0b", "a"),
    ("at the head", "\ufeffa\ufeff", "a\ufeff"),
    ("everywhere", "\ufeffa\ufeff", "a"),
    ("U+0000", "\0a\0", "a"),
    ("spaces at the ends", " a\t ", "a\t"),
    ("white space at the ends", "\ta ", "a"),
    ("white space at the end", "\ta ", "\ta"),
    ("white space at the head", "\ta ", "a "),
    ("line breaks at the end", "\na \r\n", "\na "),
    ("runs of spaces become one", "a  b\t\t", "a b\t\t"),
    ("runs of white space become a space", "\ta \n", " a "),
    ("runs of white space become a space, ends stripped", "\ta \n b", "a b"),
    ("runs of ASCII controls and spaces become a space, none at the end", "\x01\ta\x1f b \n", " a b"),
    ("white space becomes spaces", "a\t\nb\x01", "a  b\x01"),
    ("white space and controls become spaces", "a\t\x01b", "a  b"),
    ("CR LF becomes LF", "a\r\nb\r", "a\nb\r"),
    ("CR", "a\r\nb", "a\nb"),
    ("U+007F", "a\x7f", "a"),
    ("controls (Cc) but tabs and line ends", "\x01\t\n\r\xad", "\t\n\r\xad"),
    ("format characters (Cf)", "a\xad\x01", "a\x01"),
    ("format characters become spaces", "a\xadb", "a b"),
    ("controls and format characters", "a\xad\x01\t", "a\t"),
    ("unassigned characters and noncharacters (Cn)", "a\u0378\uffff\x01", "a\x01"),
    ("all of category C", "a\u0378\xad\x01\t\ue000", "a\t"),
    ("marks (Mn)", "a\u0301\u0903", "a\u0903"),
    ("variation selectors (U+FE00 to U+FE0F)", "a\ufe00\ufe0f\ufe10", "a\ufe10"),
    ("beyond U+FFFF", "a\U00010000\uffff\U0010ffff", "a\uffff"),
    ("all but ASCII", "a\x7f\x80\U0001f600", "a\x7f"),
    ("the text is lower-cased first", "A\u00df", "a\u00df"),
    ("the text is case-folded first", "A\u00df", "ass"),
    ("the text is brought to NFKC_Casefold first", "A\u00df\u2160\ufb01", "assifi"),
    ("ASCII letters are lower-cased first", "A\u00c9", "a\u00c9"),
    ("I becomes \u0131 first, and \u0130 i, as in Turkish", "I\u0130", "\u0131i"),
    ("the text is brought to NFD first", "\u00e9", "e\u0301"),
    ("a space is put before each text", "a", " a"),
]


@pytest.mark.parametrize(("parameter", "text", "made"), TEXTS)
def test_other_texts(parameter: str, text: str, made: str) -> None:
    assert asked_for(parameter, PreTokenize(text)) == PreTokenize(made)
    assert [each.instead(PreTokenize(text)) for each in CHANGES[parameter]] == [PreTokenize(made)] * 2
    assert asked_for(parameter, Decode((1,))) is None


def encoded(*offsets: tuple[int, int], special: tuple[int, ...] | None = None) -> Encoded:
    return Encoded(tuple(range(len(offsets))), offsets=offsets, special_tokens_mask=special)


OFFSETS: list[tuple[str, Encode, Encode, Encoded, Encoded | None]] = [
    ("marks (Mn)", plain("e\u0301a"), plain("ea"), encoded((0, 1), (1, 2), (2, 2)), encoded((0, 1), (2, 3), (3, 3))),
    ("marks (Mn)", plain("e\u0301a"), plain("ea"), encoded((0, 2), (1, 1)), encoded((0, 3), (2, 2))),
    ("a space is put before each text", plain("ab"), plain(" ab"), encoded((0, 2), (1, 3)), encoded((0, 1), (0, 2))),
    ("a space is put before each text", plain("ab"), plain(" ab"), encoded((0, 1), (1, 2)), encoded((0, 1), (0, 1))),
    ("ASCII letters are lower-cased first", plain("AB"), plain("ab"), encoded((0, 1), (1, 2)),
     encoded((0, 1), (1, 2))),
    ("CR", Encode("\ra"), Encode("a"), encoded((0, 0), (0, 1), special=(1, 0)),
     encoded((0, 0), (1, 2), special=(1, 0))),
    ("the text is brought to NFD first", plain("\u00e9"), plain("e\u0301"), encoded((0, 1)), None),
    ("CR", plain("\ra", "b"), plain("a", "b"), encoded((0, 1)), None),
    ("words are joined with spaces", plain(("a", "b")), plain("a b"), encoded((0, 1)), None),
    ("none put around texts", Encode("a"), plain("a"), encoded((0, 1)), encoded((0, 1))),
    ("CR", plain("\ra"), plain("a"), Encoded((1,)), Encoded((1,))),
]  # fmt: skip


@pytest.mark.parametrize(("parameter", "question", "asked", "answer", "made"), OFFSETS)
def test_offsets_are_those_in_the_text_that_was_asked_about_or_in_the_changed_one(
    parameter: str, question: Encode, asked: Encode, answer: Encoded, made: Encoded | None
) -> None:
    ground = cast("Ground", Asked({asked: answer}))
    as_asked, as_changed = CHANGES[parameter]
    assert as_changed.predict(ground, question) == answer
    assert as_asked.predict(ground, question) == made
    assert as_changed.how == f"{as_asked.how}, and with offsets in that text"


@pytest.mark.parametrize(
    ("text", "made"),
    [("\u1ea5\uac01b\u0301", "a\u1100b\u0301"), ("ab", "ab"), ("a\u0301", None), ("\u212b", None)],
)
def test_the_first_of_a_decomposition_is_left(text: str, made: str | None) -> None:
    name = "of what a character decomposes into (NFD) the first is left"
    assert asked_for(name, PreTokenize(text)) == (None if made is None else PreTokenize(made))


def test_what_has_no_encoding_is_answered_as_it_is() -> None:
    as_asked, _ = CHANGES["CR"]
    answers: dict[Observation, Outcome] = {Normalize("a"): Text("A"), plain("a"): Failed("ValueError", "")}
    ground = cast("Ground", Asked(answers))
    assert as_asked.predict(ground, Normalize("\ra")) == Text("A")
    assert as_asked.predict(ground, plain("\ra")) == Failed("ValueError", "")


def test_an_added_token_has_no_space_in_its_name_that_the_text_has_not() -> None:
    words, spaced = plain(("<t>",)), plain((" <t>",))
    _, as_changed = CHANGES["a space is put before each word"]
    answer = Encoded((5, 6), (" <t>", " b"), ((0, 4), (0, 2)))
    ground = cast("Ground", Asked({spaced: answer, plain(("  <t>",)): answer}))
    assert as_changed.predict(ground, words) == Encoded((5, 6), ("<t>", " b"), ((0, 4), (0, 2)))
    assert as_changed.predict(ground, spaced) == answer


def test_places_are_told_where_they_are_clear() -> None:
    assert places_in("abc", "xyz") == [0, 1, 2, 3]
    assert places_in("abca", "aa") == [0, 3, 4]
    assert places_in("ab", "abb") is None
    assert places_in("", "") == [0]


def supposed(question: Observation, field: Field = Field.IDS, shows: tuple[Stage, ...] = ()) -> list[Any]:
    witness = SimpleNamespace(question=question, difference=SimpleNamespace(field=field))
    return list(other_questions(cast("Ground", Asked(shows=shows)), cast("Witness", witness)))


def test_what_is_said_of_other_kinds_of_questions() -> None:
    found = supposed(plain("a"))
    asks = [
        "are always kept in decoding",
        "are always left out in decoding",
        "are kept in decoding where they are to be left out, and the other way",
        "none put around texts",
        "always put around texts",
        "put around texts where they are not to be, and the other way",
    ]
    assert [each.parameter for each in found if each.asks_otherwise] == [each for each in asks for _ in range(2)]
    assert [each.parameter for each in found if each.shows_elsewhere] == [
        each.parameter for both in CHANGES_OF_TEXTS for each in both
    ]


def test_fewer_ids_are_supposed_to_be_decoded() -> None:
    *_, last, _ = supposed(Decode((4, 5, 6)))
    assert last.parameter == "2 ids are decoded"
    assert last.predict(Decode((1, 2, 3, 4))) == Decode((1, 2))
    assert last.predict(Normalize("a")) is None
    *_, last, _ = supposed(Decode((4,)))
    assert last.predict(Decode((1, 2))) is None


def test_limits_are_supposed_of_long_texts() -> None:
    assert not [each for each in supposed(plain("a" * 16)) if each.name == "length-limit"]
    text = "\u00e9\U0001f600" + "a" * 15
    found = [each for each in supposed(plain(text)) if each.name == "length-limit"][::2]
    made = {each.parameter: each.predict(Normalize(text)) for each in found}
    assert made == {
        "the first 16 characters": Normalize(text[:16]),
        "the first 16 bytes": Normalize(text[:12]),
        "the first 16 UTF-16 units": Normalize(text[:15]),
    }
    assert found[0].texts == tuple(f"{each} " * 8 + "ab" for each in "a\u00e9\u6f22\U0001f600")
    assert found[1].predict(Normalize("\U0001f600" * 5)) == Normalize("\U0001f600" * 4)
    assert found[2].predict(Normalize("a" + "\U0001f600" * 9)) == Normalize("a" + "\U0001f600" * 7)


def test_odd_characters_are_supposed_to_be_dropped_or_exchanged() -> None:
    found = [each for each in supposed(plain("a1 \u2026\u2026-b!?")) if each.parameter.startswith("U+")][::2]
    told = {each.parameter: each.predict(PreTokenize("x\u2026-!?")).text for each in found}
    shown = {parameter: text for parameter, text in told.items() if text != "x\u2026-!?"}
    assert shown == {
        "U+2026": "x-!?",
        "U+2026 becomes U+0020": "x -!?",
        "U+2026 becomes U+002E and U+002E and U+002E": "x...-!?",
        "U+002D": "x\u2026!?",
        "U+002D becomes U+0020": "x\u2026 !?",
        "U+0021": "x\u2026-?",
        "U+0021 becomes U+0020": "x\u2026- ?",
    }
    first = next(each for each in found if each.parameter == "U+2026")
    assert first.texts == ("\u2026", "a\u2026b", "1\u20262", "x \u2026 y")


@pytest.mark.parametrize(
    ("text", "field", "shows", "is_tried"),
    [
        ("alike", Field.OFFSETS, (Stage.NORMALIZE,), False),
        ("alike", Field.IDS, (Stage.NORMALIZE,), True),
        ("alike", Field.OFFSETS, (Stage.MODEL,), True),
        ("otherwise", Field.OFFSETS, (Stage.NORMALIZE,), True),
    ],
)
def test_no_other_text_is_supposed_where_both_normalize_alike(
    text: str, field: Field, shows: tuple[Stage, ...], is_tried: bool
) -> None:
    found = {each.parameter for each in supposed(plain(text), field, shows)}
    assert ("marks (Mn)" in found) is is_tried
    assert "none put around texts" in found
