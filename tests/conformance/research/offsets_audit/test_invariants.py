"""Invariants other than of spans and content, each on an answer that keeps it and on one that does not."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import (
    PIPELINE_STAGES,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    ImplementationInfo,
    OffsetUnit,
    Pieces,
    PreTokenize,
    Stage,
    Unsupported,
)
from tokenizer_conformance.research.offsets_audit.case import Case, Violation, first_difference
from tokenizer_conformance.research.offsets_audit.loading import (
    BARE,
    CUT_RIGHT,
    PADDED_RIGHT,
    PadToken,
    Setting,
    Truncation,
)
from tokenizer_conformance.research.offsets_audit.padding import pads
from tokenizer_conformance.research.offsets_audit.special_tokens import mask, type_ids
from tokenizer_conformance.research.offsets_audit.table import (
    BARE_ONES,
    BATCHES,
    ENCODINGS,
    PADDED,
    PIECES,
    SINGLE,
    UNPADDED,
    WORDS,
    judged,
)
from tokenizer_conformance.research.offsets_audit.tokenizer_rules import rules_of
from tokenizer_conformance.research.offsets_audit.tokenizer_view import TokenizerView

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tokenizer_adapters.contract import Observation, Outcome

INFO = ImplementationInfo("toy", "1", "", "", frozenset(PIPELINE_STAGES), frozenset(), OffsetUnit.CODE_POINTS, "")
VOCABULARY = {"a": 10, "b": 11, "c": 12, "d": 13, "Ġa": 14, "Ġb": 15}
MODEL = {"type": "BPE", "vocab": VOCABULARY, "merges": []}


@dataclass
class Asked:
    """What a view asks: it has the answers that are written down."""

    answers: Mapping[Observation, Outcome] = field(default_factory=dict)
    info: ImplementationInfo = INFO
    shows: Mapping[Stage, frozenset[Any]] = field(default_factory=dict)

    def ask(self, question: Observation) -> Outcome:
        return self.answers.get(question, Unsupported("it is a toy"))

    def vocabulary(self) -> Unsupported:
        return Unsupported("it is a toy")

    def ask_ahead(self, questions: Iterable[Observation]) -> None: ...

    def forget(self) -> None: ...


def case(
    question: Observation,
    answer: Any,
    setting: Setting = BARE,
    answers: Mapping[Observation, Outcome] | None = None,
    **members: Any,
) -> Case:
    view = TokenizerView(Asked(answers or {}), rules_of({"model": MODEL, **members}))  # type: ignore[arg-type]
    return Case(question, answer, setting, view, PadToken(0, "[PAD]", 0))


def verdict(invariant: str, of: Case) -> tuple[int, list[str], str]:
    """Return on how many things it has looked, the manners of violations, and why it could not be checked."""
    (found,) = judged(of, invariant)
    return found.things, [each.manner for each in found.violations], found.why_not


def encoded(text: str, **changes: Any) -> Encoded:
    """Return the encoding of ``text``, each character a token."""
    plain = Encoded(
        tuple(map(VOCABULARY.__getitem__, text)),
        tuple(text),
        tuple((at, at + 1) for at in range(len(text))),
        word_ids=(0,) * len(text),
    )
    return replace(plain, **changes)


@pytest.mark.parametrize(
    ("ours", "theirs", "at"), [((1, 2, 3), (1, 5, 3), 1), ((4, 2), (1, 2), 0), ((1,), (1, 2), 1), ((1, 2), (1,), 1)]
)
def test_where_two_lists_begin_to_differ(ours: Sequence[int], theirs: Sequence[int], at: int) -> None:
    assert first_difference(ours, theirs) == at


# Lists ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "things", "wrong"),
    [
        ({}, 3, []),
        ({"offsets": ((0, 1),)}, 3, ["offsets has another length"]),
        ({"tokens": ("a", "b", "c")}, 3, ["tokens has another length"]),
        (
            {"attention_mask": (1,), "word_ids": ()},
            4,
            ["attention_mask has another length", "word_ids has another length"],
        ),
    ],
)
def test_lists_are_of_one_length(changes: dict[str, Any], things: int, wrong: list[str]) -> None:
    found, manners, why_not = verdict("lists.one-length", case(Encode("ab"), encoded("ab", **changes)))
    assert (found, sorted(manners), why_not) == (things, sorted(wrong), "")


def test_ids_alone_have_no_lists_to_compare() -> None:
    assert verdict("lists.one-length", case(Encode("ab"), Encoded((10, 11)))) == (0, [], "it shows nothing but ids")


def test_each_encoding_of_a_batch_is_looked_at() -> None:
    batch = EncodeBatch((Encode("ab"), Encode("c")))
    answer = EncodedBatch((encoded("ab"), encoded("c", offsets=())))
    assert verdict("lists.one-length", case(batch, answer)) == (6, ["offsets has another length"], "")


def test_what_the_answer_lacks_is_told() -> None:
    ids = Encoded((10, 11))
    lacking = [verdict(name, case(Encode("ab"), ids))[2] for name in ("spans.in-text", "ids.one-token")]
    assert lacking == ["it shows no offsets", "it shows no tokens"]
    random = {**MODEL, "dropout": 0.5}
    (found,) = judged(case(Encode("ab"), encoded("ab"), model=random), "special.template")
    assert found.why_not == "its model cuts words at random (dropout)"


# Pieces --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("invariant", "pieces", "verdict_is"),
    [
        ("pieces.in-order", (("ab", (0, 2)), ("c", (2, 3))), (2, [], "")),
        ("pieces.in-order", (("ab", (0, 2)), ("c", (1, 3))), (2, ["pieces overlap or go back"], "")),
        ("pieces.in-order", (("ab", (0, 2)), ("c", (2, 4))), (2, ["outside the text"], "")),
        ("pieces.in-order", (("ab", (0, 2)), ("c", None)), (0, [], "it shows pieces without spans")),
        ("pieces.content", (("ab", (0, 2)), ("c", (2, 3))), (2, [], "")),
        ("pieces.content", (("ab", (0, 2)), ("d", (2, 3))), (2, ["another content than the span"], "")),
        ("pieces.content", (("ab", None), ("c", (2, 3))), (0, [], "it shows pieces without spans")),
    ],
)
def test_pieces(invariant: str, pieces: Any, verdict_is: tuple[int, list[str], str]) -> None:
    assert verdict(invariant, case(PreTokenize("abc"), Pieces(pieces))) == verdict_is


# Words and sequences -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "mask", "wrong"),
    [
        ((None, 0, 1), (1, 0, 0), []),
        ((None, None, 1), (1, 0, 0), ["a token of the text without a word"]),
        ((0, 0, 1), (1, 0, 0), ["a special token with a word"]),
        ((None, 1, 0), (1, 0, 0), ["word ids go back"]),
        ((None, None, 0), (1, 1, 0), []),
    ],
)
def test_word_ids_are_in_order(words: Any, mask: Any, wrong: list[str]) -> None:
    answer = encoded("cab", word_ids=words, special_tokens_mask=mask)
    assert verdict("words.in-order", case(Encode("ab"), answer)) == (3, wrong, "")


@pytest.mark.parametrize(
    ("sequences", "wrong"),
    [
        ((None, 0, 0), []),
        ((None, 0, 1), ["another sequence than that of the token"]),
        ((0, None, 0), ["an added token with a sequence", "another sequence than that of the token"]),
    ],
)
def test_sequence_ids_are_those_of_the_texts(sequences: Any, wrong: list[str]) -> None:
    answer = encoded("cab", sequence_ids=sequences, special_tokens_mask=(1, 0, 0))
    assert verdict("special.sequence-ids", case(Encode("ab"), answer)) == (3, wrong, "")


# Truncation ----------------------------------------------------------------------------------------------------------

RIGHT = Setting("cut right", truncation=Truncation(2, 1, "Right"))
WHOLE: dict[Observation, Outcome] = {Encode("abcd", add_special_tokens=False): encoded("abcd")}


def windows(*tokens: str) -> Encoded:
    """Return the windows of ``abcd`` that have these tokens, at their places."""
    made = [
        encoded(each, offsets=tuple(("abcd".index(token), "abcd".index(token) + 1) for token in each))
        for each in tokens
    ]
    return replace(made[0], overflowing=tuple(made[1:]))


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        (windows("ab", "bc", "cd"), []),
        (windows("ab", "cd"), ["other ids in what windows share"]),
        (windows("a", "ab", "bc"), ["a window is shorter than it may be"]),
    ],
)
def test_windows_share_what_the_stride_says(answer: Encoded, wrong: list[str]) -> None:
    _, manners, why_not = verdict(
        "truncation.stride", case(Encode("abcd", add_special_tokens=False), answer, RIGHT, WHOLE)
    )
    assert (manners, why_not) == (wrong, "")


BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
FIRST_TRIMMED = "the first token of a window is trimmed as if the text began there"


@pytest.mark.parametrize(
    ("shared", "processor", "wrong"),
    [
        ((1, 3), BYTE_LEVEL, []),
        ((2, 3), BYTE_LEVEL, [FIRST_TRIMMED]),
        ((2, 3), {**BYTE_LEVEL, "trim_offsets": False}, ["other offsets in what windows share"]),
    ],
)
def test_the_first_token_of_a_window_may_be_trimmed(shared: Any, processor: Any, wrong: list[str]) -> None:
    """The text is "a b b", and the first window's last token is the second's first one."""
    first = Encoded((10, 15), ("a", "Ġb"), ((0, 1), (1, 3)))
    second = Encoded((15, 15), ("Ġb", "Ġb"), (shared, (3, 5)))
    question = Encode("a b b", add_special_tokens=False)
    answer = replace(first, overflowing=(second,))
    level = {"pre_tokenizer": BYTE_LEVEL, "post_processor": processor}
    _, manners, why_not = verdict("truncation.stride", case(question, answer, RIGHT, **level))
    assert (manners, why_not) == (wrong, "")


# Padding and special tokens ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("offsets", "told"),
    [
        (((0, 1), (0, 0), (0, 0)), [2]),
        (((0, 1), (0, 0), (2, 3)), [2, Violation("padding with a span", "input 1: 2..3")]),
        (((0, 1), (0, 1), (2, 3)), [2, Violation("padding with a span", "input 1: 0..1")]),
    ],
)
def test_padding_has_no_span(offsets: Any, told: list[Any]) -> None:
    padded = encoded("a", ids=(10, 0, 0), tokens=("a", "[PAD]", "[PAD]"), offsets=offsets, word_ids=(0, None, None))
    batch = EncodeBatch((Encode("a"),))
    of = case(batch, EncodedBatch((padded,)), PADDED_RIGHT, {Encode("a"): encoded("a")})
    assert list(pads(of)) == told


def test_each_type_id_and_each_bit_of_the_mask_is_looked_at() -> None:
    question = Encode("ab", add_special_tokens=False)
    alone: dict[Observation, Outcome] = {question: encoded("ab")}
    sound = case(question, encoded("ab", type_ids=(0, 0), special_tokens_mask=(0, 0)), answers=alone)
    wrong = case(question, encoded("ab", type_ids=(0, 1), special_tokens_mask=(0, 1)), answers=alone)
    shown = sound.seen[0].shown(1)
    assert list(type_ids(sound)) == list(mask(sound)) == [1, 1]
    assert list(type_ids(wrong)) == [
        1,
        1,
        Violation("another type id than the template has", f"{shown} has 1, not 0"),
    ]
    assert list(mask(wrong)) == [1, 1, Violation("1 on a token of the text", f"{shown} has 1")]


def test_which_answers_an_invariant_is_about() -> None:
    questions: dict[str, Observation] = {
        "text": Encode("ab"),
        "pair": Encode("a", "b"),
        "words": Encode(("a", "b")),
        "batch": EncodeBatch((Encode("a"),)),
        "pieces": PreTokenize("ab"),
    }
    cases = {
        f"{name}{sign}": case(question, encoded("ab"), setting)
        for name, question in questions.items()
        for sign, setting in (("", BARE), (" padded", PADDED_RIGHT), (" cut", CUT_RIGHT))
    }
    selected = {
        name: {each for each, of in cases.items() if answers.about(of)}
        for name, answers in (
            ("encodings", ENCODINGS),
            ("unpadded", UNPADDED),
            ("padded", PADDED),
            ("batches", BATCHES),
            ("pieces", PIECES),
            ("bare", BARE_ONES),
            ("single", SINGLE),
            ("words", WORDS),
        )
    }
    of_encodings = {name for name in cases if not name.startswith("pieces")}
    padded = {name for name in of_encodings if name.endswith("padded")}
    assert selected == {
        "encodings": of_encodings,
        "unpadded": of_encodings - padded,
        "padded": padded,
        "batches": {"batch"},
        "pieces": {"pieces", "pieces padded", "pieces cut"},
        "bare": {"text", "pair", "words"},
        "single": {"text", "words"},
        "words": {"words"},
    }
