"""SentencePiece's .model files are read, and the tokenizers segment as SentencePiece does."""

from __future__ import annotations

import io
import random
import struct
import tempfile
import warnings
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenizer_reference.errors import TokenizerFileError
from tokenizer_reference.formats import (
    ModelType,
    NormalizerSpec,
    PieceType,
    SentencePiece,
    SentencePieceModel,
    TrainerSpec,
    read_sentencepiece_model,
    tokenizer_from_sentencepiece,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tokenizer_reference.pipeline.tokenizer import Tokenizer

# A writer of protobuf messages ---------------------------------------------------------------------------------------

Scalar = bool | int | float | str | bytes
Piece = tuple[str, float, PieceType]

TRAINER_FIELDS = {
    "model_type": 3,
    "vocab_size": 4,
    "treat_whitespace_as_suffix": 24,
    "byte_fallback": 35,
    "unk_id": 40,
    "bos_id": 41,
    "eos_id": 42,
    "pad_id": 43,
    "unk_surface": 44,
    "unk_piece": 45,
    "bos_piece": 46,
    "eos_piece": 47,
    "pad_piece": 48,
}
NORMALIZER_FIELDS = {
    "name": 1,
    "precompiled_charsmap": 2,
    "add_dummy_prefix": 3,
    "remove_extra_whitespaces": 4,
    "escape_whitespaces": 5,
}
FIELDS = TRAINER_FIELDS | NORMALIZER_FIELDS


def varint(number: int) -> bytes:
    number %= 2**64
    written = b""
    while number >= 0x80:
        written += bytes([number & 0x7F | 0x80])
        number >>= 7
    return written + bytes([number])


def field(number: int, value: Scalar) -> bytes:
    match value:
        case bool() | int():
            return varint(number << 3) + varint(value)
        case float():
            return varint(number << 3 | 5) + struct.pack("<f", value)
        case _:
            data = value.encode() if isinstance(value, str) else value
            return varint(number << 3 | 2) + varint(len(data)) + data


def piece(text: str, score: float = 0.0, type_: int = PieceType.NORMAL) -> bytes:
    return field(1, field(1, text) + field(2, float(score)) + field(3, int(type_)))


def spec(number: int, **values: Scalar) -> bytes:
    return field(number, b"".join(field(FIELDS[name], value) for name, value in values.items()))


def model(pieces: Iterable[Piece | tuple[str, float]], **values: Scalar) -> bytes:
    """Return a .model file with an unknown piece, a space and ``pieces``, whose specs have ``values``."""
    trainer = {name: value for name, value in values.items() if name in TRAINER_FIELDS}
    normalizer = {name: value for name, value in values.items() if name in NORMALIZER_FIELDS}
    all_pieces = [UNKNOWN, SPACE, *pieces]
    return b"".join(piece(*each) for each in all_pieces) + spec(2, **trainer) + spec(3, **normalizer)


UNKNOWN: Piece = ("<unk>", 0.0, PieceType.UNKNOWN)
SPACE: Piece = ("▁", -3.0, PieceType.NORMAL)
BYTES: list[Piece] = [(f"<0x{byte:02X}>", 0.0, PieceType.BYTE) for byte in range(256)]


def write(folder: Path, content: bytes) -> Path:
    path = folder / "toy.model"
    path.write_bytes(content)
    return path


def tokens(tokenizer: Tokenizer, text: str) -> list[str | None]:
    return [tokenizer.id_to_token(id_) for id_ in tokenizer.encode(text).ids]


@pytest.fixture(scope="module")
def sentencepiece() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what it says when it is imported is its own business
        return pytest.importorskip("sentencepiece")


# Reading -------------------------------------------------------------------------------------------------------------


def test_a_file_holds_pieces_and_two_specs(tmp_path: Path) -> None:
    content = model(
        [("a", -1.5), ("<s>", 0.0, PieceType.CONTROL)],
        model_type=ModelType.BPE,
        vocab_size=4,
        pad_id=-1,
        unk_surface="?",
        name="nmt",
        precompiled_charsmap=b"\xff\x00",
        add_dummy_prefix=False,
    )
    assert read_sentencepiece_model(write(tmp_path, content)) == SentencePieceModel(
        (
            SentencePiece("<unk>", 0.0, PieceType.UNKNOWN),
            SentencePiece("▁", -3.0, PieceType.NORMAL),
            SentencePiece("a", -1.5, PieceType.NORMAL),
            SentencePiece("<s>", 0.0, PieceType.CONTROL),
        ),
        TrainerSpec(ModelType.BPE, vocab_size=4, pad_id=-1, unk_surface="?"),
        NormalizerSpec("nmt", b"\xff\x00", add_dummy_prefix=False),
    )


def test_what_a_file_does_not_say_has_the_defaults_of_its_schema(tmp_path: Path) -> None:
    content = field(1, field(1, "a")) + field(1, field(1, "?") + field(3, 2))
    read = read_sentencepiece_model(write(tmp_path, content))
    assert read == SentencePieceModel((SentencePiece("a"), SentencePiece("?", 0.0, PieceType.UNKNOWN)))
    assert (read.unk_id, read.trainer_spec.model_type, read.trainer_spec.pad_id) == (1, ModelType.UNIGRAM, -1)
    assert read.normalizer_spec.add_dummy_prefix


def test_fields_of_no_concern_are_passed_over(tmp_path: Path) -> None:
    other = field(4, b"\xff\xff") + field(1000, 1.0) + varint(9 << 3 | 1) + bytes(8)
    content = field(1, field(1, "?") + other + field(3, 2)) + other + field(2, field(1, "corpus.txt") + field(10, 0.5))
    assert read_sentencepiece_model(write(tmp_path, content)).pieces == (SentencePiece("?", 0.0, PieceType.UNKNOWN),)


def test_a_spec_in_parts_is_put_together(tmp_path: Path) -> None:
    content = model([], unk_id=5, bos_id=6) + spec(2, bos_id=7, model_type=3)
    assert read_sentencepiece_model(write(tmp_path, content)).trainer_spec == TrainerSpec(
        ModelType.WORD, unk_id=5, bos_id=7
    )


MALFORMED = [
    (b"", r"toy\.model: is empty"),
    (
        b"version https://example",
        r"toy\.model, byte 0: not a protobuf message that can be read: a field has wire type 6",
    ),
    (piece("<unk>", 0, 2)[:-1], r"toy\.model, byte 0: truncated: a field of 14 bytes begins, and 13 are left"),
    (field(1, 5), r"toy\.model, byte 0: pieces: expected wire type 2, for a message, found 0"),
    (field(1, field(1, 5)), r"toy\.model, byte 2: piece: expected wire type 2, for a string, found 0"),
    (field(1, field(1, b"a\xff")), r"toy\.model, byte 5: piece: not UTF-8: invalid start byte"),
    (
        field(1, field(1, "a") + field(3, 7)),
        r"toy\.model, byte 5: type: 7 is unsupported; the known ones are 1 \(normal\)",
    ),
    (
        model([], model_type=9),
        r"model_type: 9 is unsupported; the known ones are 1 \(unigram\), 2 \(bpe\), 3 \(word\), 4",
    ),
    (spec(2, unk_id=1), r"toy\.model: is no SentencePiece model: it has no pieces"),
    (piece("a"), r"toy\.model: has 0 pieces of type unknown; expected one"),
    (model([("?", 0.0, PieceType.UNKNOWN)]), r"toy\.model: has 2 pieces of type unknown; expected one"),
    (model([("", 0.0)]), r"toy\.model, byte 30: piece 2: has no text"),
    (model([("a", 0.0), ("a", 1.0)]), r"toy\.model, byte 42: piece 3: 'a' is there already"),
    (model([("\n" * 99, 0.0)] * 2), r"piece 3: '(\\n){40}'… \(99 long\) is there already"),
    (model([("a", float("nan"))]), r"toy\.model, byte 30: piece 2: 'a' has the score nan; expected a finite number"),
    (model([("a", float("-inf"))]), r"'a' has the score -inf"),
    (model([("<0x1>", 0.0, PieceType.BYTE)], byte_fallback=True), r"piece 2: '<0x1>' stands for no byte"),
    (model(BYTES), r"toy\.model: has 256 pieces of type byte; byte_fallback is off, so expected 0"),
    (
        model(BYTES[1:], byte_fallback=True),
        r"toy\.model: has 255 pieces of type byte; byte_fallback is on, so expected 256",
    ),
]


@pytest.mark.parametrize(("content", "message"), MALFORMED)
def test_a_malformed_file_gives_one_line_that_names_file_and_place(
    tmp_path: Path, content: bytes, message: str
) -> None:
    with pytest.raises(TokenizerFileError, match=message) as caught:
        read_sentencepiece_model(write(tmp_path, content))
    assert len(str(caught.value).splitlines()) == 1


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(TokenizerFileError, match=r"nothing\.model: cannot be read: No such file"):
        read_sentencepiece_model(tmp_path / "nothing.model")


LEADS_ASTRAY = struct.pack("<II", 4, 0x3FFFFF << 10) + b"\x00"
"""A character map whose trie has one unit, which refers to units beyond its end."""


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (model([], escape_whitespaces=False), r"toy\.model: escape_whitespaces is off"),
        (
            model(BYTES, model_type=ModelType.WORD, byte_fallback=True),
            r"toy\.model: is a word model with byte fallback",
        ),
        (
            model([], precompiled_charsmap=b"\x00\x00"),
            r"toy\.model: precompiled_charsmap: a precompiled charsmap starts",
        ),
        (
            model([("<a>", 0.0, PieceType.USER_DEFINED)], model_type=2, precompiled_charsmap=LEADS_ASTRAY),
            r"toy\.model: precompiled_charsmap: the precompiled charsmap is broken",
        ),
    ],
)
def test_a_model_without_a_pipeline_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(TokenizerFileError, match=message):
        tokenizer_from_sentencepiece(write(tmp_path, content))


@given(st.binary(max_size=60), st.data())
def test_a_damaged_file_is_read_or_refused(damage: bytes, data: st.DataObject) -> None:
    content = model([("ab", -1.0), ("<s>", 0.0, PieceType.CONTROL)], model_type=1, name="nmt")
    at = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(at, len(content)))
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder), content[:at] + damage + content[end:])
        try:
            read_sentencepiece_model(path)
        except TokenizerFileError as error:
            refusal = str(error)
        else:
            refusal = str(path)
        assert refusal.startswith(str(path))
        assert len(refusal.splitlines()) == 1


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
scores = st.floats(width=32, allow_nan=False, allow_infinity=False)
plain_types = st.sampled_from([PieceType.NORMAL, PieceType.CONTROL, PieceType.USER_DEFINED, PieceType.UNUSED])
pieces_ = st.lists(
    st.builds(SentencePiece, texts.filter(lambda text: text != "<unk>"), scores, plain_types),
    unique_by=lambda each: each.piece,
)
ids = st.integers(-(2**31), 2**31 - 1)
trainer_specs = st.builds(
    TrainerSpec,
    st.sampled_from(ModelType),
    ids,
    st.booleans(),
    st.just(value=False),
    *[ids] * 4,
    *[st.text(st.characters(exclude_categories=["Cs"]))] * 5,
)
normalizer_specs = st.builds(NormalizerSpec, texts, st.binary(), st.booleans(), st.booleans(), st.booleans())


@given(pieces_, trainer_specs, normalizer_specs)
def test_what_is_written_is_read(pieces: list[SentencePiece], trainer: TrainerSpec, normalizer: NormalizerSpec) -> None:
    whole = SentencePieceModel((SentencePiece(*UNKNOWN), *pieces), trainer, normalizer)
    written = b"".join(piece(each.piece, each.score, each.type) for each in whole.pieces)
    written += spec(3, **{name: getattr(normalizer, name) for name in NORMALIZER_FIELDS})
    written += spec(2, **{name: getattr(trainer, name) for name in TRAINER_FIELDS})
    with tempfile.TemporaryDirectory() as folder:
        assert read_sentencepiece_model(write(Path(folder), written)) == whole


# Pipelines -----------------------------------------------------------------------------------------------------------

NORMAL, CONTROL, USER, UNUSED = PieceType.NORMAL, PieceType.CONTROL, PieceType.USER_DEFINED, PieceType.UNUSED
LETTERS = [("a", -2.0), ("b", -2.5), ("c", -3.1)]
WORDS = [*LETTERS, ("ab", -1.0), ("▁a", -1.2), ("▁ab", -0.5), ("bc", -4.0), ("abc", -3.5)]
SYMBOLS: list[Any] = [
    ("<s>", 0.0, CONTROL),
    ("[x]", 0.0, USER),
    ("!", 0.0, USER),
    ("[", -5.0),
    ("]", -5.5),
    ("x", -6.0),
]
RESERVED = [*WORDS, *[(char, -2.0) for char in "<unk0x41>s"]]

PIPELINES: list[tuple[Sequence[Any], dict[str, Scalar], str, list[str]]] = [
    (WORDS, {}, "ab  abc ", ["▁ab", "▁ab", "c"]),
    (WORDS, {}, "  ab", ["▁ab"]),
    (WORDS, {}, "▁ab", ["▁", "▁ab"]),
    (WORDS, {}, "ab▁ ▁", ["▁ab"]),
    (WORDS, {}, "   ", []),
    (WORDS, {}, "aéüb", ["▁a", "<unk>", "b"]),
    (WORDS, {"add_dummy_prefix": False}, " ab ab", ["ab", "▁ab"]),
    (WORDS, {"remove_extra_whitespaces": False}, " ab  b ", ["▁", "▁ab", "▁", "▁", "b", "▁"]),
    (WORDS, {"treat_whitespace_as_suffix": True}, " ab c ", ["ab", "▁", "c", "▁"]),
    ([*WORDS, ("b▁a", 2.0)], {}, "ab abc", ["▁a", "b▁a", "bc"]),
    (WORDS, {"model_type": ModelType.BPE}, "abc ab bc", ["▁ab", "c", "▁ab", "▁", "bc"]),
    (WORDS, {"model_type": ModelType.BPE}, "aéüb", ["▁a", "<unk>", "b"]),
    (WORDS, {"model_type": ModelType.CHAR}, "ab éü", ["▁", "a", "b", "▁", "<unk>"]),
    (WORDS, {"model_type": ModelType.WORD}, "ab a abc", ["▁ab", "▁a", "<unk>"]),
    ([*WORDS, *BYTES], {"byte_fallback": True}, "aé", ["▁a", "<0xC3>", "<0xA9>"]),
    ([*WORDS, *BYTES], {"byte_fallback": True, "model_type": ModelType.BPE}, "aéb", ["▁a", "<0xC3>", "<0xA9>", "b"]),
    ([*WORDS, *BYTES], {"byte_fallback": True, "model_type": ModelType.CHAR}, "é", ["▁", "<0xC3>", "<0xA9>"]),
    ([*WORDS, *SYMBOLS], {}, "[x]a!b", ["▁", "[x]", "a", "!", "b"]),
    ([*WORDS, *SYMBOLS], {"model_type": ModelType.BPE}, "a [x] b!", ["▁a", "▁", "[x]", "▁", "b", "!"]),
    ([*WORDS, *SYMBOLS], {"model_type": ModelType.BPE}, "!a", ["▁", "!", "a"]),
    ([*WORDS, *SYMBOLS], {"model_type": ModelType.BPE}, " [x]  a", ["▁", "[x]", "▁a"]),
    ([*WORDS, *SYMBOLS], {"model_type": ModelType.CHAR, "remove_extra_whitespaces": False}, " [x]", ["▁", "▁", "[x]"]),
    (
        [*WORDS, ("▁▁", 0.0, USER)],
        {"model_type": 2, "remove_extra_whitespaces": False},
        "a   b",
        ["▁a", "▁▁", "▁", "b"],
    ),
    ([*WORDS, ("▁bc", 0.0, USER)], {"model_type": ModelType.BPE}, "bca bc bcab", ["▁bc", "a", "▁bc", "▁bc", "ab"]),
    ([*WORDS, ("b b", 0.0, USER)], {"model_type": ModelType.BPE}, "b b", ["▁", "b", "▁", "b"]),
    ([*RESERVED, *BYTES], {"byte_fallback": True}, "<unk>", ["▁", "<", "u", "n", "k", ">"]),
    ([*RESERVED, *BYTES], {"byte_fallback": True}, "<0x41>", ["▁", "<", "0", "x", "4", "1", ">"]),
    ([*LETTERS, ("ab", 0.0, UNUSED)], {}, "ab", ["▁", "a", "b"]),
]
"""Pieces, values of the specs, a text, and what SentencePiece makes of it."""


@pytest.mark.parametrize(("pieces", "values", "text", "expected"), PIPELINES)
def test_a_pipeline_segments_as_its_model_says(
    tmp_path: Path, pieces: list[Piece], values: dict[str, Scalar], text: str, expected: list[str]
) -> None:
    assert tokens(tokenizer_from_sentencepiece(write(tmp_path, model(pieces, **values))), text) == expected


@pytest.mark.parametrize(("pieces", "values", "text", "expected"), PIPELINES)
def test_that_is_what_sentencepiece_makes_of_it(
    sentencepiece: Any, pieces: list[Piece], values: dict[str, Scalar], text: str, expected: list[str]
) -> None:
    processor = sentencepiece.SentencePieceProcessor(model_proto=model(pieces, **values))
    assert [processor.id_to_piece(id_) for id_ in processor.encode(text)] == expected


DIFFERENCES: list[tuple[str, Sequence[Any], dict[str, Scalar], str, list[str], list[str]]] = [
    ("control", [*RESERVED, ("<s>", 0.0, CONTROL)], {}, "a<s>", ["▁a", "<s>"], ["▁a", "<", "s", ">"]),
    (
        "bytes",
        [("u", 0.0), ("n", 0.0), ("k", 0.0)],
        {},
        "a<unk>",
        ["▁", "<unk>"],
        ["▁", "<unk>", "u", "n", "k", "<unk>"],
    ),
    ("symbol", [*WORDS, *SYMBOLS], {"model_type": 2}, "[x]", ["[x]"], ["▁", "[x]"]),
    (
        "suffix",
        [*WORDS, *SYMBOLS],
        {"model_type": 2, "treat_whitespace_as_suffix": True},
        "a[x]",
        ["a", "▁", "[x]"],
        ["a", "[x]", "▁"],
    ),
    ("word", WORDS, {"model_type": 3}, "c b ab", ["<unk>", "<unk>", "▁ab"], ["<unk>", "▁ab"]),
    ("unused", [("a", 0.0), ("b", -2.0), ("ab", 0.0, UNUSED)], {"model_type": 2}, "ab", ["▁", "ab"], ["▁", "a", "b"]),
    ("no piece", [("a", -5.0), ("qa", -1.0)], {"model_type": 2}, "qa", ["▁", "<unk>", "a"], ["▁", "qa"]),
    ("equal", [*LETTERS, ("bc", 0.0), ("ab", 0.0)], {"model_type": 2}, "abc", ["▁", "a", "bc"], ["▁", "ab", "c"]),
]


@pytest.mark.parametrize(
    ("pieces", "values", "text", "ours", "theirs"),
    [each[1:] for each in DIFFERENCES],
    ids=[each[0] for each in DIFFERENCES],
)
def test_a_known_difference_from_sentencepiece(
    sentencepiece: Any,
    tmp_path: Path,
    pieces: list[Piece],
    values: dict[str, Scalar],
    text: str,
    ours: list[str],
    theirs: list[str],
) -> None:
    content = model(pieces, **values)
    processor = sentencepiece.SentencePieceProcessor(model_proto=content)
    assert tokens(tokenizer_from_sentencepiece(write(tmp_path, content)), text) == ours
    assert [processor.id_to_piece(id_) for id_ in processor.encode(text)] == theirs


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({}, "ab a  b"),
        ({"byte_fallback": True}, "ab é 中"),
        ({"add_dummy_prefix": False}, "ab a"),
        ({"remove_extra_whitespaces": False}, " ab  a "),
        ({"remove_extra_whitespaces": False, "add_dummy_prefix": False}, " ab  a "),
        ({"treat_whitespace_as_suffix": True}, "ab a"),
    ],
)
def test_decoding_is_that_of_sentencepiece(
    sentencepiece: Any, tmp_path: Path, values: dict[str, Scalar], text: str
) -> None:
    content = model([*WORDS, *(BYTES if "byte_fallback" in values else [])], **values)
    processor = sentencepiece.SentencePieceProcessor(model_proto=content)
    tokenizer = tokenizer_from_sentencepiece(write(tmp_path, content))
    assert tokenizer.decode(tokenizer.encode(text).ids) == processor.decode(processor.encode(text))


@pytest.mark.parametrize(("pieces", "values", "text", "expected"), PIPELINES)
def test_the_target_agrees_on_the_tokenizer_as_a_file(
    tmp_path: Path, pieces: list[Piece], values: dict[str, Scalar], text: str, expected: list[str]
) -> None:
    ours = tokenizer_from_sentencepiece(write(tmp_path, model(pieces, **values)))
    target = tokenizers.Tokenizer.from_str(ours.to_str())
    encoding, other = ours.encode(text), target.encode(text)
    assert (encoding.ids, encoding.tokens, encoding.offsets) == (other.ids, other.tokens, other.offsets)
    assert ours.decode(encoding.ids) == target.decode(encoding.ids)
    assert len(encoding.ids) == len(expected)


def test_symbols_may_mean_something_in_a_regular_expression(sentencepiece: Any, tmp_path: Path) -> None:
    symbols = ["(?", "a|b", "[^]", "\\z", "#x", "&&", "\n\n", "{2}", "^$", "é*", "\\E."]
    content = model([*WORDS, *((symbol, 0.0, USER) for symbol in symbols)], model_type=ModelType.BPE)
    processor = sentencepiece.SentencePieceProcessor(model_proto=content)
    ours = tokenizer_from_sentencepiece(write(tmp_path, content))
    target = tokenizers.Tokenizer.from_str(ours.to_str())
    for symbol in symbols:
        for text in (f"{symbol}a", f"b {symbol} ab{symbol}", f"a{symbol}{symbol}c"):
            assert ours.encode(text).ids == processor.encode(text) == target.encode(text).ids


def test_very_many_symbols_are_no_problem(sentencepiece: Any, tmp_path: Path) -> None:
    content = model([*WORDS, *((f"<{index}>", 0.0, USER) for index in range(3000))], model_type=ModelType.BPE)
    processor = sentencepiece.SentencePieceProcessor(model_proto=content)
    text = "ab<2999>ab<1>"
    assert tokenizer_from_sentencepiece(write(tmp_path, content)).encode(text).ids == processor.encode(text)


def test_control_symbols_are_special_and_user_defined_ones_are_not(tmp_path: Path) -> None:
    content = model([*WORDS, *SYMBOLS], model_type=ModelType.BPE)
    added = tokenizer_from_sentencepiece(write(tmp_path, content)).get_added_tokens_decoder()
    assert {token.content: (token.special, token.normalized) for token in added.values()} == {
        "<s>": (True, False),
        "[x]": (False, True),
    }


# Against SentencePiece, at random ------------------------------------------------------------------------------------


def segmented_alike(sentencepiece: Any, content: bytes, checked: Iterable[str]) -> None:
    processor = sentencepiece.SentencePieceProcessor(model_proto=content)
    with tempfile.TemporaryDirectory() as folder:
        tokenizer = tokenizer_from_sentencepiece(write(Path(folder), content))
    for text in checked:
        assert tokenizer.encode(text).ids == processor.encode(text), text


options = st.fixed_dictionaries(
    {
        "add_dummy_prefix": st.booleans(),
        "remove_extra_whitespaces": st.booleans(),
        "treat_whitespace_as_suffix": st.booleans(),
    }
)
checked_texts = st.lists(st.text("aaabbbc   ▁é<>", max_size=30), max_size=20)
more_pieces = st.lists(st.text("aabbc▁", min_size=2, max_size=5), unique=True, max_size=25)


@settings(deadline=None)
@given(more_pieces, options, checked_texts, st.randoms(use_true_random=False))
def test_any_bpe_model_segments_as_in_sentencepiece(
    sentencepiece: Any, more: list[str], values: dict[str, Scalar], checked: list[str], rng: random.Random
) -> None:
    vocab = [*"abc", *(text for text in more)]
    ranks = rng.sample(range(len(vocab)), len(vocab))
    content = model([(text, -float(rank)) for text, rank in zip(vocab, ranks, strict=True)], model_type=2, **values)
    segmented_alike(sentencepiece, content, checked)


@settings(deadline=None)
@given(more_pieces, options, checked_texts, st.randoms(use_true_random=False))
def test_any_unigram_model_segments_as_in_sentencepiece(
    sentencepiece: Any, more: list[str], values: dict[str, Scalar], checked: list[str], rng: random.Random
) -> None:
    # Scores at random, so that no two sums are equal: for these SentencePiece decides by rounding.
    vocab = [(text, -rng.uniform(1, 12)) for text in ["a", "b", "c", *more]]
    content = model([*vocab, ("bé", 0.0, USER)], **values)
    segmented_alike(sentencepiece, content, checked)


# Trained and published models ----------------------------------------------------------------------------------------

CORPUS = [
    "the cat sat on the mat and the dog sat on the log",
    "a quick brown fox jumps over the lazy dog; it is 1984!",
    "der schnelle braune Fuchs springt über den faulen Hund",
    "吾輩は猫である。名前はまだ無い。",
]
CHECKED = [
    *CORPUS,
    "  the  mat\tsat ",
    "Ｆｕｌｌ ｗｉｄｔｈ ① ﬁ ㍿",
    "unseen: Ωmega ☃ 猫猫 über-cat",
    "▁▁ the ▁mat▁",
    "<sym>the <sym> cat<sym>",
    "the\u00a0cat\u3000sat",
    "",
    " ",
]
TRAINED = [
    {},
    {"byte_fallback": True},
    {"user_defined_symbols": ["<sym>", ".", "cat"]},
    {"treat_whitespace_as_suffix": True},
    {"add_dummy_prefix": False},
    {"remove_extra_whitespaces": False},
    {"normalization_rule_name": "identity"},
    {"normalization_rule_name": "nmt_nfkc_cf"},
    {"split_by_whitespace": False},
    {"unk_id": 2, "bos_id": 0, "eos_id": -1, "pad_id": 1},
]


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (kind, values)
        for kind in ("unigram", "bpe", "char", "word")
        for values in TRAINED
        if kind != "word" or "byte_fallback" not in values  # such a model has no pipeline
    ],
    ids=str,
)
def test_trained_models_segment_as_in_sentencepiece(sentencepiece: Any, kind: str, values: dict[str, Any]) -> None:
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(CORPUS * 3),
        model_writer=written,
        model_type=kind,
        vocab_size=120 + 256 * ("byte_fallback" in values),
        hard_vocab_limit=False,
        minloglevel=2,
        num_threads=1,
        **values,
    )
    processor = sentencepiece.SentencePieceProcessor(model_proto=written.getvalue())
    with tempfile.TemporaryDirectory() as folder:
        tokenizer = tokenizer_from_sentencepiece(write(Path(folder), written.getvalue()))
    for text in CHECKED:
        ours = tokenizer.encode(text).ids
        if kind == "word":
            ours = without_runs_of(processor.unk_id(), ours)
        assert ours == processor.encode(text), text


def without_runs_of(id_: int, all_ids: list[int]) -> list[int]:
    """Return ``all_ids`` with one ``id_`` in the place of several in a row."""
    return [each for value, run in groupby(all_ids) for each in ([value] if value == id_ else run)]


PUBLISHED = ["xlnet-base-cased", "t5-small", "albert-base-v1", "google-fnet-base"]


@pytest.fixture(scope="module", params=PUBLISHED)
def published(shared: Path, sentencepiece: Any, request: pytest.FixtureRequest) -> tuple[Tokenizer, Any]:
    """Ours and SentencePiece's own of a published model."""
    path = shared / "tokenizers" / request.param / "spiece.model"
    return tokenizer_from_sentencepiece(path), sentencepiece.SentencePieceProcessor(model_file=str(path))


def test_published_models_segment_texts_as_in_sentencepiece(shared: Path, published: tuple[Tokenizer, Any]) -> None:
    tokenizer, processor = published
    lines = [
        line
        for file in ("botchan.txt", "pride_and_prejudice.txt", "wagahai.txt")
        for line in (shared / "texts" / file).read_text("utf-8").splitlines()[::45]
    ]
    different = [line for line in lines if tokenizer.encode(line).ids != processor.encode(line)]
    assert len(lines) > 150
    assert different == []


def test_published_models_differ_in_no_other_way_than_described(published: tuple[Tokenizer, Any]) -> None:
    """Hostile texts: where the ids differ, so does the text after normalization, by the rule of the character map."""
    tokenizer, processor = published
    assert tokenizer.normalizer is not None
    assert tokenizer.pre_tokenizer is not None
    rng = random.Random(11)
    agreed = 0
    for _ in range(600):
        text = "".join(rng.choice(HOSTILE) for _ in range(rng.randint(1, 12)))
        if tokenizer.encode(text).ids == processor.encode(text):
            agreed += 1
            continue
        pieces = tokenizer.pre_tokenizer.pre_tokenize_str(tokenizer.normalizer.normalize_str(text))
        normalized = "".join(piece for piece, _ in pieces)
        assert normalized != processor.normalize(text), text
    assert agreed > 480


HOSTILE = [
    *(
        "the ",
        "Cat",
        "s",
        ".",
        "...",
        "-",
        " ",
        "  ",
        "\t",
        "\n",
        "\r\n",
        "\u00a0",
        "\u3000",
        "▁",
        "é",
        "e\u0301",
        "ａ",
        "①",
    ),
    *(
        "½",
        "ﬁ",
        "㍿",
        "猫",
        "カﾞ",
        "\u200d",
        "\u200b",
        "\ufeff",
        "\x00",
        "\x01",
        "\x7f",
        "\ufffd",
        "👍🏽",
        "❤\ufe0f",
        "ß",
        "İ",
    ),
    *("שלום", "नमस्ते", "กำ", "\u0301", "ö\u0323", "𝒜", "'s", "(x)", '"', "1,", "2024"),
]
