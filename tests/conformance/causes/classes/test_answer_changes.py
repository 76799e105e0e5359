"""What is predicted where an implementation says the baseline's answer otherwise: exact answers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from tokenizer_adapters.contract import (
    Decode,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Failed,
    Field,
    Normalize,
    Pieces,
    PreTokenize,
    Text,
)
from tokenizer_conformance.causes.classes.answer_changes import (
    ALONE,
    ENCODING_CHANGES,
    LATE_ENCODING_CHANGES,
    LATE_TEXT_CHANGES,
    PIECE_CHANGES,
    TEXT_CHANGES,
    answers_of_other_tokenizers,
    answers_told_otherwise,
)

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.causes.classes.experiment import Ground
    from tokenizer_conformance.causes.witness import Witness

SPACE_BEFORE_WORDS = "a space before each word in decoding, the first too, and none before special tokens"

CHANGES = {
    each.parameter: each
    for each in (ALONE, *ENCODING_CHANGES, *LATE_ENCODING_CHANGES, *TEXT_CHANGES, *LATE_TEXT_CHANGES)
}

VOCABULARY = {"<unk>": 0, "<s>": 1, "</s>": 2, "\u2581": 3, "a": 4, "##b": 5, "c": 6}
SPECIAL = [{"id": id_, "content": token, "special": True} for token, id_ in VOCABULARY.items() if id_ < 3]
DOCUMENT = {
    "added_tokens": [*SPECIAL, {"id": 6, "content": "c", "special": False}],
    "model": {"unk_id": 0, "continuing_subword_prefix": "##"},
    "decoder": {"prefix": "##"},
}
WORDS = {0: "?", 1: "<s>", 2: "</s>", 3: " ", 4: "a", 5: "##b", 6: "c"}


@dataclass(eq=False)
class Baseline:
    """What the baseline has: answers to some questions; ids are decoded to their words, joined by spaces."""

    answers: dict[Observation, Outcome] = field(default_factory=dict)
    document: dict[str, Any] = field(default_factory=lambda: DOCUMENT)

    def expected(self, question: Observation) -> Outcome:
        if question in self.answers:
            return self.answers[question]
        if isinstance(question, Decode):
            kept = [id_ for id_ in question.ids if not (question.skip_special_tokens and id_ in {0, 1, 2})]
            return Text(" ".join(WORDS[id_] for id_ in kept))
        return Failed("ValueError", "not asked")

    def vocabulary(self) -> dict[str, int]:
        return VOCABULARY

    @property
    def names(self) -> dict[int, str]:
        return {id_: token for token, id_ in VOCABULARY.items()}


def predicted(parameter: str, question: Observation, answers: dict[Observation, Outcome], **document: Any) -> Any:
    ground = Baseline(answers, DOCUMENT | document)
    return CHANGES[parameter].predict(cast("Ground", ground), question)


PLAIN = Encode("a b", add_special_tokens=False)
PAIR = Encode("a b", " c")
SPACED = Encoded((4, 5), ("a", "\u0120b"), ((0, 1), (2, 3)))
AROUND = Encoded(
    (1, 4, 2, 6, 2),
    ("<s>", "a", "</s>", "c", "</s>"),
    ((0, 0), (0, 1), (0, 0), (1, 2), (0, 0)),
    (None, 0, None, 0, None),
    (0, 0, 0, 1, 1),
    (1,) * 5,
    (1, 0, 1, 0, 1),
    (None, 0, None, 1, None),
    (),
)

FIRST_BEHIND_SPACES = "each token ends where the next begins, and the first begins behind spaces"

OFFSETS: list[tuple[str, Encode, Encoded, tuple[tuple[int, int], ...] | None]] = [
    ("UTF-8 bytes", Encode("\u00e9\U0001f600a"), Encoded((4, 4), offsets=((0, 1), (1, 3))), ((0, 2), (2, 7))),
    ("UTF-16 units", Encode("\u00e9\U0001f600a"), Encoded((4, 4), offsets=((0, 1), (1, 3))), ((0, 1), (1, 4))),
    ("UTF-8 bytes", Encode("\u00e9", "\u00e9\u00e9"), replace(AROUND, ids=(1, 4, 2, 6, 2)),
     ((0, 0), (0, 2), (0, 0), (2, 4), (0, 0))),
    ("UTF-8 bytes", Encode("\u00e9", "b"), Encoded((4,), offsets=((0, 1),)), None),
    ("UTF-8 bytes", Encode(("a", "b")), Encoded((4,), offsets=((0, 1),)), None),
    ("UTF-8 bytes", Encode("ab"), Encoded((4,)), None),
    ("UTF-8 bytes", Encode("ab"), Encoded((4,), offsets=((0, 3),)), None),
    ("UTF-8 bytes", Encode("ab"), Encoded((4,), offsets=((1, 0),)), None),
    ("UTF-8 bytes", Encode("ab"), Encoded((4, 5), offsets=((0, 2),)), None),
    ("last character", PLAIN, SPACED, ((0, 0), (2, 2))),
    ("length", PLAIN, SPACED, ((0, 1), (2, 1))),
    ("relative to the word", PLAIN, replace(SPACED, word_ids=(0, 1)), ((0, 1), (0, 1))),
    ("relative to the word", Encode("x ab"),
     Encoded((4, 4, 4), offsets=((0, 1), (2, 3), (3, 4)), word_ids=(0, 1, 1)), ((0, 1), (0, 1), (1, 2))),
    ("relative to the word", PLAIN, SPACED, None),
    ("relative to the word", PLAIN, Encoded((4,), word_ids=(0,)), None),
    ("with the space before", PLAIN, SPACED, ((0, 1), (1, 3))),
    ("with the space before", PLAIN, replace(SPACED, tokens=("a", "b")), ((0, 1), (2, 3))),
    ("with the space before", PLAIN, replace(SPACED, tokens=("a", "\u2581b")), ((0, 1), (1, 3))),
    ("with the space before", PLAIN, replace(SPACED, tokens=("a", " b")), ((0, 1), (1, 3))),
    ("with the space before", PLAIN, replace(SPACED, tokens=None), ((0, 1), (1, 3))),
    ("with the space before", Encode(" a"), Encoded((4,), ("\u2581a",), ((1, 2),)), ((1, 2),)),
    ("with the space before", PLAIN, Encoded((4,), ("\u2581",), ((2, 2),)), ((2, 2),)),
    ("with the space before", Encode("ab"), Encoded((4,), ("\u2581b",), ((1, 2),)), ((1, 2),)),
    ("without the space before", PLAIN, replace(SPACED, offsets=((0, 1), (1, 3))), ((0, 1), (2, 3))),
    ("without the space before", Encode("a  "), Encoded((4, 4), ("a", " "), ((0, 1), (1, 3))), ((0, 1), (1, 3))),
    ("empty prefix", Encode("ab"), Encoded((3, 4), ("\u2581", "a"), ((0, 1), (0, 1))), ((0, 0), (0, 1))),
    ("empty prefix", Encode(" b"), Encoded((3, 4), ("\u2581", "a"), ((0, 1), (1, 2))), ((0, 1), (1, 2))),
    ("empty prefix", Encode("\u2581b"), Encoded((3, 4), ("\u2581", "a"), ((0, 1), (1, 2))), ((0, 1), (1, 2))),
    ("each U+2581 has the space that it stands for", Encode(" a  b c"),
     Encoded((4, 3, 4, 6), ("\u2581a", "\u2581", "b", "\u2581c"), ((1, 2), (4, 5), (4, 5), (6, 7))),
     ((0, 2), (2, 3), (4, 5), (5, 7))),
    ("each U+2581 has the space that it stands for", Encode("  b"),
     Encoded((3, 4), ("\u2581", "b"), ((2, 3), (2, 3))), ((0, 0), (2, 3))),
    ("each U+2581 has the space that it stands for", Encode("a\u2581b"),
     Encoded((4, 3, 4), ("\u2581a", "\u2581", "b"), ((0, 1), (1, 2), (2, 3))), ((0, 1), (1, 2), (2, 3))),
    ("each U+2581 has the space that it stands for", Encode("a\0b"),
     Encoded((4, 4), ("\u2581a", "\u2581b"), ((0, 1), (2, 3))), ((0, 1), (2, 3))),
    ("each U+2581 has the space that it stands for", PAIR, AROUND, None),
    ("each U+2581 has the space that it stands for", PLAIN, replace(SPACED, tokens=None), None),
    ("each token ends where the next begins", Encode("a  b c"),
     Encoded((4, 3, 4, 6), ("a", "\u2581", "b", "c"), ((0, 1), (1, 2), (3, 4), (5, 6))),
     ((0, 1), (1, 3), (3, 5), (5, 6))),
    ("each token ends where the next begins", Encode("a\0 \0b\0 "),
     Encoded((4, 4), ("\u2581a", "\u2581b"), ((0, 1), (4, 5))), ((0, 2), (2, 6))),
    ("each token ends where the next begins", Encode("\ufdfaa"),
     Encoded((4, 3, 4, 4), ("\u0635", "\u2581", "\u0644", "a"), ((0, 1), (0, 1), (0, 1), (1, 2))),
     ((0, 0), (0, 0), (0, 1), (1, 2))),
    ("each token ends where the next begins", Encode(" a "),
     Encoded((4, 4, 3), ("a", " ", "\u2581"), ((1, 2), (0, 1), (2, 3))), ((1, 1), (1, 2), (2, 3))),
    ("each token ends where the next begins", Encode("\x7f\x80"),
     Encoded((3, 0), ("\u2581", "\x80"), ((0, 1), (0, 1))), None),
    ("each token ends where the next begins", Encode("\x7f"),
     Encoded((3, 0), ("\u2581", "<0x7F>"), ((0, 1), (0, 1))), ((0, 0), (0, 1))),
    ("each token ends where the next begins", Encode("\u00c9a"),
     Encoded((4, 4), ("\u2581e", "a"), ((0, 1), (1, 2))), ((0, 1), (1, 2))),
    ("each token ends where the next begins", Encode("\v \f a"),
     Encoded((4,), ("\u2581a",), ((3, 4),)), None),
    ("each token ends where the next begins", Encode(""), Encoded((), (), ()), None),
    (FIRST_BEHIND_SPACES, Encode("  bc"),
     Encoded((4, 6), ("\u2581b", "c"), ((0, 3), (3, 4))), ((2, 3), (3, 4))),
    (FIRST_BEHIND_SPACES, Encode(" b"), Encoded((3, 4), ("\u2581", "b"), ((0, 2), (1, 2))), ((1, 1), (1, 2))),
    (FIRST_BEHIND_SPACES, Encode(" "), Encoded((3,), ("\u2581",), ((0, 1),)), ((1, 1),)),
    (FIRST_BEHIND_SPACES, Encode("\xafb"), Encoded((4,), ("\u2581\u0304b",), ((0, 2),)), ((0, 2),)),
    (FIRST_BEHIND_SPACES, Encode("b c"), Encoded((4, 6), ("\u2581b", "\u2581c"), ((0, 1), (2, 3))), ((0, 1), (1, 3))),
    (FIRST_BEHIND_SPACES, Encode("\x7f b"), Encoded((4,), ("\u2581b",), ((0, 3),)), None),
    ("each token ends where the next begins", PAIR, AROUND, None),
    ("each token ends where the next begins", Encode(("a",)), SPACED, None),
    ("each token ends where the next begins", PLAIN, replace(SPACED, tokens=None), None),
    ("each token ends where the next begins", PLAIN, replace(SPACED, offsets=None), None),
]  # fmt: skip


@pytest.mark.parametrize(("parameter", "question", "answer", "offsets"), OFFSETS)
def test_other_offsets(
    parameter: str, question: Encode, answer: Encoded, offsets: tuple[tuple[int, int], ...] | None
) -> None:
    found = predicted(
        parameter,
        question,
        {
            question: answer,
            Normalize("a a"): Text("a a"),
            Normalize("a\0a"): Text("aa"),
            Normalize("a\xafa"): Text("a \u0304a"),
        },
    )
    assert found == (None if offsets is None else replace(answer, offsets=offsets))


def test_offsets_in_the_normalized_text_are_those_of_its_encoding() -> None:
    question, normalized = Encode("\u1e9e", "B"), Encode("ss", "b")
    answers: dict[Observation, Outcome] = {
        question: Encoded((4, 6), ("ss", "c"), ((0, 1), (0, 1))),
        Normalize("\u1e9e"): Text("ss"),
        Normalize("B"): Text("b"),
        normalized: Encoded((4, 6), ("ss", "c"), ((0, 2), (0, 1))),
    }
    name = "in the normalized text"
    assert predicted(name, question, answers) == Encoded((4, 6), ("ss", "c"), ((0, 2), (0, 1)))
    assert predicted(name, question, answers | {normalized: Encoded((5, 6), None, ((0, 2), (0, 1)))}) is None
    assert predicted(name, question, answers | {normalized: Failed("ValueError", "")}) is None
    assert predicted(name, question, answers | {Normalize("B"): Failed("ValueError", "")}) is None


def test_offsets_in_bytes_of_the_normalized_text_are_those_of_its_characters() -> None:
    question = Encode("\u00c9\u0301 \u6f22B")
    of_characters: dict[Observation, Outcome] = {
        Normalize("\u00c9"): Text("e"), Normalize("\u0301"): Text(""), Normalize(" "): Text(" "),
        Normalize("\u6f22"): Text(" \u6f22 "), Normalize("B"): Text("b"), Normalize("\x01"): Text(""),
    }  # fmt: skip
    name = "in bytes of the normalized text"

    def offsets(asked: Encode, *spans: tuple[int, int]) -> Any:
        answer = Encoded((4,) * len(spans), offsets=spans)
        found = predicted(name, asked, of_characters | {asked: answer})
        return None if found is None else found.offsets

    assert offsets(question, (0, 2), (3, 4), (4, 5), (0, 0)) == ((0, 1), (2, 5), (5, 6), (0, 0))
    assert offsets(question, (0, 2), (1, 4)) is None  # two tokens of one character
    assert offsets(question, (0, 9)) is None
    assert offsets(Encode("\x01"), (0, 1)) is None
    assert offsets(Encode("?"), (0, 1)) is None
    assert offsets(Encode(("B",)), (0, 1)) is None
    assert predicted(name, question, of_characters | {question: Encoded((4,))}) is None
    kept = {Normalize("\u0301"): Text("\u0301"), question: Encoded((4, 4), offsets=((0, 2), (3, 5)))}
    assert predicted(name, question, of_characters | kept) is None  # a mark that stays
    for most, spans in ((2, None), (3, ((0, 1), (2, 5)))):
        answer = Encoded((4, 4), offsets=((0, 2), (3, 4)))
        limit = {"max_input_chars_per_word": most}
        found = predicted(name, question, of_characters | {question: answer}, model=limit)
        assert (found and found.offsets) == spans
    roman = Encode("\u2160B")
    answer = Encoded((4, 4), offsets=((0, 1), (1, 2)))
    folded = predicted(
        f"{name}, NFKC_Casefold first", roman, {Normalize("i"): Text("i"), Normalize("b"): Text("b"), roman: answer}
    )
    assert folded.offsets == ((0, 1), (1, 2))


KEPT = replace(
    AROUND, ids=(4, 6), tokens=("a", "c"), offsets=((0, 1), (1, 2)), word_ids=(0, 0), type_ids=(0, 1),
    attention_mask=(1, 1), special_tokens_mask=(0, 0), sequence_ids=(0, 1),
)  # fmt: skip

FIELDS: list[tuple[str, Encode, Encoded, Encoded | None]] = [
    ("entries of the vocabulary", PLAIN, Encoded((4, 9), ("A", "B")), Encoded((4, 9), ("a", ""))),
    ("without the prefix of continuing pieces", PLAIN, Encoded((4, 5), ("a", "##b")), Encoded((4, 5), ("a", "b"))),
    ("without the prefix of continuing pieces", PLAIN, Encoded((4, 5)), None),
    ("byte tokens by their bytes", PLAIN, Encoded((4, 5, 6), ("<0x41>", "<0xE1>", "<0xe1>")),
     Encoded((4, 5, 6), ("A", "\ufffd", "<0xe1>"))),
    ("byte tokens by their bytes", PLAIN, Encoded((4, 5)), None),
    ("mask by ids", PLAIN, Encoded((1, 6, 0, 4)), Encoded((1, 6, 0, 4), special_tokens_mask=(1, 0, 1, 0))),
    ("special tokens removed", PAIR, AROUND, KEPT),
    ("none put behind a text that ends with it", Encode("a</s>"), Encoded((4, 2, 2)), Encoded((4, 2))),
    ("none put behind a text that ends with it", Encode("</s>"), Encoded((2, 2)), Encoded((2,))),
    ("none put behind a text that ends with it", Encode("a"), Encoded((4, 2)), Encoded((4, 2))),
    ("none put behind a text that ends with it", Encode("a"), Encoded((2,)), Encoded((2,))),
    ("none put behind a text that ends with it", PLAIN, Encoded((4, 2, 2)), Encoded((4, 2, 2))),
    ("none put behind a text that ends with it", Encode("</s>"),
     Encoded((2, 2), special_tokens_mask=(0, 1)), Encoded((2,))),
    ("none put behind a text that ends with it", Encode("a</s>"),
     Encoded((1, 4, 2, 2), special_tokens_mask=(1, 0, 0, 1)), Encoded((1, 4, 2))),
    ("none put behind a text that ends with it", Encode("</s>"),
     Encoded((1, 2, 2), special_tokens_mask=(1, 0, 1)), Encoded((1, 2))),
    ("none put behind a text that ends with it", Encode("a", ""),
     Encoded((4, 2, 2), special_tokens_mask=(0, 1, 1)), Encoded((4, 2, 2), special_tokens_mask=(0, 1, 1))),
    ("none put behind a text that ends with it", Encode("", ""),
     Encoded((2, 2), special_tokens_mask=(1, 1)), Encoded((2, 2), special_tokens_mask=(1, 1))),
    ("dropped", PLAIN, Encoded((0, 4, 0, 0)), Encoded((4,))),
    ("fused", PLAIN, Encoded((0, 0, 4, 4, 0, 0, 0)), Encoded((0, 4, 4, 0))),
    ("fused", PLAIN, Encoded((4, 0), ("a", "?")), Encoded((4, 0))),
    ("U+2581 where nothing is left of a text", Encode("\x00"), Encoded(()), Encoded((3,), ("\u2581",))),
    ("U+2581 where nothing is left of a text", Encode("\x00"), Encoded((4,)), Encoded((4,))),
    ("U+2581 where nothing is left of a text", Encode(""), Encoded(()), Encoded(())),
    ("U+2581 where nothing is left of a text", Encode("a", ""), Encoded(()), Encoded(())),
    ("nothing where U+2581 is all that is left of a text", PLAIN, Encoded((3,), ("\u2581",)), Encoded((), ())),
    ("nothing where U+2581 is all that is left of a text", PLAIN, Encoded((3, 4)), Encoded((3, 4))),
    ("no overflowing parts", PLAIN, Encoded((4,), overflowing=(Encoded((5,)),)), Encoded((4,), overflowing=())),
    ("no overflowing parts", PLAIN, Encoded((4,)), None),
    ("type ids by text", PAIR, AROUND, replace(AROUND, type_ids=(0, 0, 0, 1, 0))),
    ("type ids by text", PAIR, Encoded((4,)), None),
    ("type 1 from the special token before the second text on", PAIR, AROUND,
     replace(AROUND, type_ids=(0, 0, 1, 1, 1))),
    ("type 1 from the special token before the second text on", Encode("a", "b", add_special_tokens=False),
     Encoded((4, 6), type_ids=(0, 0), sequence_ids=(0, 1)), Encoded((4, 6), type_ids=(0, 1), sequence_ids=(0, 1))),
    ("type 1 from the special token before the second text on", PLAIN, Encoded((4,), sequence_ids=(0,)),
     Encoded((4,), sequence_ids=(0,))),
    ("type 1 from the special token before the second text on", PAIR, Encoded((4,)), Encoded((4,))),
    ("type 1 from the special token before the second text on", Encode("a", ""),
     Encoded((1, 4, 2, 2), sequence_ids=(None, 0, None, None)), None),
    ("type ids all 0", PAIR, AROUND, replace(AROUND, type_ids=(0,) * 5)),
    ("no token is marked special", PAIR, AROUND, replace(AROUND, special_tokens_mask=(0,) * 5)),
]  # fmt: skip


@pytest.mark.parametrize(("parameter", "question", "answer", "made"), FIELDS)
def test_other_fields(parameter: str, question: Encode, answer: Encoded, made: Encoded | None) -> None:
    assert predicted(parameter, question, {question: answer}) == made


def test_an_empty_second_text_begins_where_another_one_would() -> None:
    empty = Encoded((1, 4, 2, 2), sequence_ids=(None, 0, None, None))
    answers: dict[Observation, Outcome] = {Encode("a b", ""): empty, Encode("a", "a"): AROUND}
    found = predicted("type 1 from the special token before the second text on", Encode("a b", ""), answers)
    assert found == replace(empty, type_ids=(0, 0, 1, 1))


def test_the_mask_of_the_template_is_of_the_ids_around_an_empty_text() -> None:
    answers: dict[Observation, Outcome] = {PAIR: AROUND, Encode(""): Encoded((1, 6))}
    found = predicted("mask by ids of the template", PAIR, answers)
    assert found == replace(AROUND, special_tokens_mask=(1, 0, 0, 1, 0))
    found = predicted("mask by ids of the template", PAIR, {PAIR: AROUND})
    assert found == replace(AROUND, special_tokens_mask=(0,) * 5)


@pytest.mark.parametrize(
    ("model", "made"),
    [({"unk_id": 4}, (5, 6)), ({"unk_token": "c"}, (4, 5)), ({}, (4, 5, 6)), ({"unk_token": "none"}, (4, 5, 6))],
)
def test_the_unknown_token_has_an_id_or_a_name(model: dict[str, Any], made: tuple[int, ...]) -> None:
    assert predicted("dropped", PLAIN, {PLAIN: Encoded((4, 5, 6))}, model=model) == Encoded(made)


def test_an_unknown_token_stands_for_each_byte_of_the_normalized_text() -> None:
    question = Encode("a\u0130 \u0378\u0378<unk>", add_special_tokens=False)
    unknown = Encoded((4, 0, 0, 0), offsets=((0, 1), (1, 2), (3, 5), (5, 10)))
    answers: dict[Observation, Outcome] = {Normalize(f"a{each}a"): Text(f"a{each}a") for each in "\u0378<unk>"}
    answers |= {question: unknown, Normalize("a\u0130a"): Text("a\u0131\u0307\u0307a")}
    assert predicted("one for each byte", question, answers) == Encoded((4, *(0,) * 6, *(0,) * 4, 0))
    assert predicted("one for each byte", question, answers | {question: Encoded((4,))}) is None
    shared = replace(unknown, offsets=((1, 2), *unknown.offsets[1:]), tokens=("a", "", "", ""))
    assert predicted("one for each byte", question, answers | {question: shared}) is None
    prefix = replace(shared, ids=(3, 0, 0, 0), tokens=("\u2581", "", "", ""))
    found = predicted("one for each byte", question, answers | {question: prefix})
    assert found == Encoded((3, *(0,) * 6, *(0,) * 4, 0))
    composing = Encode("\u1100\u1161", add_special_tokens=False)
    assert predicted("one for each byte", composing, {composing: Encoded((0,), offsets=((0, 2),))}) is None
    gone = answers | {Normalize("a\u0130a"): Text("aa")}
    assert predicted("one for each byte", question, gone) == Encoded((4, 0, *(0,) * 4, 0))


def test_batches_are_told_otherwise_input_by_input() -> None:
    batch = EncodeBatch((PLAIN, Encode("c", add_special_tokens=False)))
    answer = EncodedBatch((Encoded((4, 0)), Encoded((0,))))
    assert predicted("dropped", batch, {batch: answer}) == EncodedBatch((Encoded((4,)), Encoded(())))
    half = EncodedBatch((Encoded((4,), overflowing=()), Encoded((0,))))
    assert predicted("no overflowing parts", batch, {batch: half}) is None
    assert predicted("dropped", Decode((0,)), {}) is None
    assert predicted("dropped", PLAIN, {}) is None
    name = "a batch is not padded to its longest"
    alone: dict[Observation, Outcome] = {each: Encoded((len(each.text),)) for each in batch.inputs}
    assert predicted(name, batch, alone) == EncodedBatch((Encoded((3,)), Encoded((1,))))
    assert predicted(name, batch, {PLAIN: Encoded((4,))}) is None
    assert predicted(name, PLAIN, alone) is None


def test_offsets_of_pieces_are_counted_in_other_units() -> None:
    question = PreTokenize("\u00e9\U0001f600")
    answer = Pieces((("\u00e9", (0, 1)), ("\U0001f600", (1, 2))))
    of_pieces = [each.predict(cast("Ground", Baseline({question: answer})), question) for each in PIECE_CHANGES]
    assert of_pieces == [
        Pieces((("\u00e9", (0, 2)), ("\U0001f600", (2, 6)))),
        Pieces((("\u00e9", (0, 1)), ("\U0001f600", (1, 3)))),
    ]
    outside = Baseline({question: Pieces((("\u00e9", (0, 3)),))})
    assert [each.predict(cast("Ground", outside), question) for each in PIECE_CHANGES] == [None, None]
    assert [each.predict(cast("Ground", Baseline()), PLAIN) for each in PIECE_CHANGES] == [None, None]


TEXTS: list[tuple[str, str, str]] = [
    ("of the whole text", "a , b do not ' c 's .", "a, b don't'c's."),
    ("ends stripped", " a\t ", "a\t"),
    ("head stripped", "  a ", "a "),
    ("end stripped", " a  ", " a"),
    ("white space at the ends stripped", "\t a\n", "a"),
    ("white space at the head stripped", "\t a\n", "a\n"),
    ("white space at the end stripped", "\t a\n", "\t a"),
    ("of the whole text, ends stripped", " a .\n", "a."),
    ("spaces made one", "a   b\t\tc ", "a b\t\tc "),
    ("two spaces made one", "a   b    c", "a  b  c"),
    ("white space made one", "\ta \n b", " a b"),
    ("spaces made one, ends stripped", "  a   b\t ", "a b\t"),
    ("white space made one, ends stripped", "\ta \n b ", "a b"),
    ("spaces removed", " a b\t", "ab\t"),
    ("in decoding", "a\x00b", "a"),
    ("in decoding, and nothing becomes U+FFFD", "\x00b", "\ufffd"),
    ("in decoding, and nothing becomes U+FFFD", "a\x00b", "a"),
    ("a decoded text ends with the first of them", "a\ufffdb\ufffd", "a\ufffd"),
    ("a decoded text ends with the first of them", "ab", "ab"),
    ("dropped in decoding, as U+FFFD", "a\ufffdb\ufffd", "ab"),
    ("the first token loses its prefix in decoding", "##b ##c", "b ##c"),
    ("decoded text lower-cased", "A\u0130", "ai\u0307"),
    ("one space at the head is left out in decoding", "  a", " a"),
    ("a space is put at the head in decoding", "a", " a"),
    ("a space is put at the head in decoding", "", ""),
]


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("", "\ufffd"),
        ("a", "a"),
        ("a\0b", "a"),
        ("\0b", "\ufffd"),
        ("a\ufffd\ufffdb", "a\ufffd"),
        ("\uffffb", "\ufffd"),
    ],
)
def test_special_tokens_are_left_out_and_what_is_no_text_is_one_u_fffd(text: str, made: str) -> None:
    name = "are always left out in decoding, and U+FFFD for nothing and from no UTF-8 on"
    kept, skipped = Decode((1, 4), False), Decode((1, 4))
    answers: dict[Observation, Outcome] = {kept: Text(f"<s>{text}"), skipped: Text(text)}
    assert predicted(name, kept, answers) == predicted(name, skipped, answers) == Text(made)
    assert predicted(name, kept, answers | {skipped: Failed("ValueError", "")}) is None


@pytest.mark.parametrize(("parameter", "text", "made"), TEXTS)
def test_other_decoded_texts(parameter: str, text: str, made: str) -> None:
    question = Decode((4,))
    assert predicted(parameter, question, {question: Text(text)}) == Text(made)
    assert predicted(parameter, question, {question: Failed("ValueError", "")}) is None
    assert predicted(parameter, PLAIN, {PLAIN: Text(text)}) is None


def test_a_decoder_without_a_prefix_loses_none() -> None:
    question = Decode((4,))
    name = "the first token loses its prefix in decoding"
    for decoder in (None, {"type": "Fuse"}):
        assert predicted(name, question, {question: Text("##b")}, decoder=decoder) == Text("##b")


ONE_SPACE_CUT = "those left out in decoding leave their spaces, head and one at the end stripped"
OF_IDS: list[tuple[str, Decode, str]] = [
    ("decoded as U+2047 between spaces", Decode((0, 4, 6, 0, 0, 6), False), " \u2047 a c \u2047  \u2047 c"),
    ("decoded as U+2047 between spaces", Decode((4, 6), False), "a c"),
    ("added tokens are left out in decoding as special ones are", Decode((1, 4, 6, 2)), "a"),
    ("added tokens are left out in decoding as special ones are", Decode((4, 6), False), "a c"),
    ("those left out in decoding leave their spaces", Decode((1, 4, 2, 6)), " a  c"),
    ("those left out in decoding leave their spaces", Decode((1, 4), False), "<s> a"),
    ("those left out in decoding leave their spaces, ends stripped", Decode((1, 4, 2, 6, 2)), "a  c"),
    ("those left out in decoding leave their spaces, ends stripped", Decode((3, 4), False), "  a"),
    (ONE_SPACE_CUT, Decode((1, 2, 4, 2, 6, 1, 2)), "a  c "),
    (ONE_SPACE_CUT, Decode((4, 2)), "a"),
    (ONE_SPACE_CUT, Decode((3, 4), False), "  a"),
    ("a space before text that one follows in decoding", Decode((4, 1, 6, 2, 1), False), "a<s> c</s><s>"),
    ("a space before text that one follows in decoding", Decode((1, 4, 6), False), "<s>a c"),
    ("a space before text that one follows in decoding", Decode((1, 4, 2)), "a"),
    ("ends of each text between special tokens stripped", Decode((3, 4, 1, 3, 6, 3, 2), False), "a<s>c</s>"),
    ("ends of each text between special tokens stripped", Decode((1, 3, 4, 2, 3)), "a"),
    ("ends of each text between special tokens stripped", Decode((3, 4, 3), False), "a"),
    ("the decoder, and tokens joined as they are", Decode((1, 4, 5, 9), False), "<s>a##b"),
    ("the decoder, and tokens joined as they are", Decode((1, 4, 5)), "a##b"),
    (SPACE_BEFORE_WORDS, Decode((4, 5, 6)), " ab c"),
    (SPACE_BEFORE_WORDS, Decode((5, 4)), "b a"),
    (SPACE_BEFORE_WORDS, Decode((1, 4, 2), False), "<s> a</s>"),
    (SPACE_BEFORE_WORDS, Decode((1, 4, 2)), " a"),
]


def test_words_of_a_file_without_prefix_are_not_said_to_have_a_space() -> None:
    question = Decode((4, 6))
    assert predicted(SPACE_BEFORE_WORDS, question, {question: Text("a c")}, model={}) is None


@pytest.mark.parametrize(
    ("names", "made"),
    [
        (("it", "'", "s"), " it's"),
        (("o", "'", "clock", "."), " o'clock."),
        (("we", "'", "re", "?"), " we're?"),
        (("do", "not"), " do not"),
    ],
)
def test_a_text_of_words_with_spaces_is_cleaned_up(
    monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...], made: str
) -> None:
    question = Decode(tuple(range(10, 10 + len(names))))
    monkeypatch.setattr(Baseline, "names", dict(enumerate(names, 10)))
    assert predicted(SPACE_BEFORE_WORDS, question, {question: Text("?")}) == Text(made)


@pytest.mark.parametrize(("parameter", "question", "made"), OF_IDS)
def test_decoded_texts_of_other_ids(parameter: str, question: Decode, made: str) -> None:
    answers: dict[Observation, Outcome] = {} if set(question.ids) <= WORDS.keys() else {question: Text("?")}
    assert predicted(parameter, question, answers) == Text(made)


@pytest.mark.parametrize(
    ("parameter", "part"),
    [
        ("decoded as U+2047 between spaces", Decode((4,), False)),
        ("a space before text that one follows in decoding", Decode((4,), False)),
        ("ends of each text between special tokens stripped", Decode((4,), False)),
    ],
)
def test_nothing_is_said_of_parts_without_a_text(parameter: str, part: Decode) -> None:
    question = Decode((0, 4), False)
    assert predicted(parameter, question, {part: Failed("ValueError", "")}) is None


def test_special_tokens_are_not_taken_out_of_what_has_no_text() -> None:
    question, whole = Decode((1, 4)), Decode((1, 4), False)
    name = "those left out in decoding leave their spaces"
    for parameter in (name, f"{name}, ends stripped"):
        assert predicted(parameter, question, {whole: Failed("ValueError", "")}) is None


def test_without_an_unknown_token_none_is_written_otherwise() -> None:
    assert predicted("decoded as U+2047 between spaces", Decode((4,), False), {}, model={}) is None


# What a witness tells ------------------------------------------------------------------------------------------------


def witness_of(question: Observation, expected: Outcome, actual: Outcome) -> Witness:
    difference = SimpleNamespace(field=Field.IDS)
    return cast("Witness", SimpleNamespace(question=question, expected=expected, actual=actual, difference=difference))


def test_a_limit_is_supposed_of_long_answers() -> None:
    for count, limits in ((15, []), (16, ["16 tokens"])):
        seen = witness_of(PLAIN, Encoded((4,) * 20), Encoded((4,) * count))
        found = list(answers_told_otherwise(cast("Ground", Baseline({PLAIN: Encoded((4,) * 20)})), seen))
        assert [
            each.parameter for each in found if each.name == "length-limit" and "tokens" in each.parameter
        ] == limits
        if limits:
            made = [each.predict(PLAIN) for each in found if each.parameter == "16 tokens"]
            assert made == [Encoded((4,) * 16)]
    assert [each.parameter for each in found][-1] == ALONE.parameter


@pytest.mark.parametrize(
    ("expected", "actual", "parameters"),
    [
        ((4, 5, 4), (6, 5, 6), ['"a" has the id 6']),
        ((4, 9), (4, 6), ['"9" has the id 6']),
        ((4, 4), (4, 6), []),
        ((4, 5), (6, 6), []),
        ((4, 5), (6,), []),
        ((4, 5), (0, 5), []),
        ((4,), (4,), []),
    ],
)
def test_one_id_for_another(expected: tuple[int, ...], actual: tuple[int, ...], parameters: list[str]) -> None:
    ground = cast("Ground", Baseline({PLAIN: Encoded(expected), PAIR: Encoded((5,), ("b",))}))
    found = answers_of_other_tokenizers(ground, witness_of(PLAIN, Encoded(expected), Encoded(actual)))
    entries = [each for each in found if each.name == "model-entry"]
    assert [each.parameter for each in entries] == parameters
    for each in entries:
        assert each.predict(PLAIN) == Encoded(actual)
        assert each.predict(PAIR) == Encoded((5,), ("b",))


def test_ids_are_unknown_in_decoding_one_by_one() -> None:
    question = Decode((1, 4, 5, 9, 5, 6, 3), False)
    ground = cast("Ground", Baseline({question: Text("?")}))
    found = list(answers_of_other_tokenizers(ground, witness_of(question, Text("?"), Text("!"))))
    entries = [each for each in found if each.name == "model-entry"]
    names = ["<s>", "a", "##b", "c"]
    assert [each.parameter for each in entries] == [f'"{name}" is unknown in decoding' for name in names]
    assert entries[1].predict(Decode((1, 4, 6))) == Text("? c")
    assert entries[1].predict(Decode((1, 4, 6), False)) == Text("<s> ? c")
    assert entries[1].predict(Decode((1, 6))) == Text("c")
    assert entries[0].predict(Decode((1, 2, 6))) == Text("? c")


def test_special_tokens_that_are_lower_cased_alone_are_so_in_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {0: "[UNK]", 1: "[CLS]", 2: "<s>", 4: "a"}
    monkeypatch.setattr(Baseline, "names", names)
    monkeypatch.setattr(
        Baseline, "actual", lambda _, question: Text("[cls]" if question.ids == (1,) else "?"), raising=False
    )
    question = Decode((1, 4, 0), False)
    ground = cast("Ground", Baseline({question: Text("[CLS] [Cls] a [UNK]")}))
    found = list(answers_of_other_tokenizers(ground, witness_of(question, Text("?"), Text("!"))))
    (lowered,) = [each for each in found if each.name == "case-folding"]
    assert lowered.parameter == 'special tokens lower-cased in decoding: "[CLS]"'
    assert lowered.predict(question) == Text("[cls] [Cls] a [UNK]")
    monkeypatch.setattr(Baseline, "actual", lambda _, question: Text(names[question.ids[0]]))
    found = list(answers_of_other_tokenizers(ground, witness_of(question, Text("?"), Text("!"))))
    assert not [each for each in found if each.name == "case-folding"]


def test_what_a_clean_up_includes_is_a_clean_up_of_the_table() -> None:
    keys = {(each.name, each.parameter) for each in TEXT_CHANGES}
    included = {each.parameter: each.includes for each in TEXT_CHANGES if each.includes}
    assert included.keys() >= {"of the whole text, ends stripped", "white space made one, ends stripped"}
    assert all(parts < keys for parts in included.values())


SHAPED = {
    "\ud800": 8,
    "<unk>": 0,
    "'": 1,
    "s": 2,
    "\u258127,": 3,
    "\u258173:": 4,
    "\u2581a7,": 5,
    "<0x0A>": 6,
    "\u258127;": 7,
    "\u2581ABC": 9,
}


@pytest.mark.parametrize(
    ("question", "made"),
    [
        (Decode((5, 0)), "a7,?"),
        (Decode((1, 2)), "??"),
        (Decode((7, 1, 4), False), "<'>?<s>"),
        (Decode((3,)), "?"),
        (Decode((6, 5)), None),
        (Decode((9, 5)), None),
    ],
)
def test_tokens_that_are_shaped_as_bytes_are_decoded_as_bytes(
    monkeypatch: pytest.MonkeyPatch, question: Decode, made: str | None
) -> None:
    monkeypatch.setattr(Baseline, "vocabulary", lambda _: SHAPED)
    monkeypatch.setattr(Baseline, "names", {id_: name for name, id_ in SHAPED.items()})
    words = {0: "?", 1: "<'>", 2: "<s>", 3: "27,", 4: "73:", 5: "a7,", 6: "0A", 7: "27;", 9: "ABC"}
    monkeypatch.setattr(Baseline, "expected", lambda _, each: Text("".join(words[id_] for id_ in each.ids)))
    (change,) = [each for each in LATE_TEXT_CHANGES if each.name == "byte-fallback"]
    document = DOCUMENT | {"added_tokens": []}
    of_bytes = DOCUMENT | {"added_tokens": [], "model": {"unk_id": 0, "byte_fallback": True}}
    told = None if made is None else Text(made)
    assert change.predict(cast("Ground", Baseline(document=document)), question) == told
    as_it_is = Text("".join(words[id_] for id_ in question.ids))
    assert change.predict(cast("Ground", Baseline(document=of_bytes)), question) == as_it_is
