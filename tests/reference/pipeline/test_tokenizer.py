"""The whole pipeline beside the target, on toy tokenizers."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
import tokenizers
import tokenizers.decoders
import tokenizers.models
import tokenizers.normalizers
import tokenizers.pre_tokenizers
import tokenizers.processors

import tokenizer_reference

if TYPE_CHECKING:
    from pathlib import Path

FIELDS = (
    "ids", "tokens", "offsets", "word_ids", "type_ids", "attention_mask", "special_tokens_mask", "sequence_ids",
    "n_sequences",
)  # fmt: skip
PACKAGES: tuple[Any, ...] = (tokenizer_reference, tokenizers)


def fields(encoding: Any) -> dict[str, Any]:
    return {name: getattr(encoding, name) for name in FIELDS} | {
        "overflowing": [fields(e) for e in encoding.overflowing]
    }


def bert(package: Any) -> Any:
    words = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        "he",
        "##ll",
        "##o",
        "wor",
        "##ld",
        "e",
        "cafe",
        ",",
        "京",
        "h",
    ]
    tokenizer = package.Tokenizer(package.models.WordPiece({w: i for i, w in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.normalizer = package.normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = package.pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = package.processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.decoder = package.decoders.WordPiece()
    tokenizer.add_special_tokens(words[:5])
    return tokenizer


def byte_level(package: Any) -> Any:
    alphabet = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    merges = [("h", "e"), ("l", "l"), ("he", "ll"), ("Ġ", "w"), ("Ã", "©"), ("o", "r")]
    vocabulary = {token: id for id, token in enumerate([*alphabet, *(a + b for a, b in merges)])}
    tokenizer = package.Tokenizer(package.models.BPE(vocabulary, merges))
    tokenizer.pre_tokenizer = package.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.post_processor = package.processors.ByteLevel(trim_offsets=False)
    tokenizer.decoder = package.decoders.ByteLevel()
    tokenizer.add_special_tokens(["<|endoftext|>"])
    return tokenizer


def sentence_piece(package: Any) -> Any:
    pieces = [
        ("<unk>", 0.0),
        ("▁", -2.0),
        ("▁he", -3.0),
        ("l", -4.0),
        ("ll", -5.0),
        ("o", -4.5),
        ("e", -4.2),
        ("h", -4.1),
    ]
    tokenizer = package.Tokenizer(package.models.Unigram(pieces, 0))
    tokenizer.normalizer = package.normalizers.Sequence(
        [package.normalizers.Replace("``", '"'), package.normalizers.NFKD(), package.normalizers.StripAccents()]
    )
    tokenizer.pre_tokenizer = package.pre_tokenizers.Sequence(
        [package.pre_tokenizers.WhitespaceSplit(), package.pre_tokenizers.Metaspace()]
    )
    tokenizer.post_processor = package.processors.TemplateProcessing(
        single="$A:0 <sep>:0 <cls>:2",
        pair="$A:0 <sep>:0 $B:1 <sep>:1 <cls>:2",
        special_tokens=[("<sep>", 8), ("<cls>", 9)],
    )
    tokenizer.decoder = package.decoders.Metaspace()
    tokenizer.add_special_tokens(["<sep>", "<cls>"])
    return tokenizer


def truncated(package: Any) -> Any:
    tokenizer = bert(package)
    tokenizer.enable_truncation(8, stride=1)
    tokenizer.enable_padding(pad_id=0, pad_token="[PAD]", pad_to_multiple_of=4)
    return tokenizer


BUILDERS = {"bert": bert, "byte-level": byte_level, "sentence-piece": sentence_piece, "truncated": truncated}

WORDS = [
    "hello", "HELLO", "world", "café", "cafe\u0301", "京都", "``", "''", "\n", "  ", "\t", "\u3000", "[MASK]", "<sep>",
    "<|endoftext|>", "é", "ﬁ", "①", "한", "\u1112\u1161", "\u0301", "😀", "👩\u200d👩", "\ufeff", "\x00", "\u200b",
    "...", "don't", "12",
]  # fmt: skip


@pytest.mark.parametrize("name", BUILDERS)
def test_random_texts_are_as_in_target(name: str) -> None:
    ours, theirs = (BUILDERS[name](package) for package in PACKAGES)
    assert ours.to_str() == theirs.to_str()
    rng = random.Random(name)
    for _ in range(120):
        text, pair = (rng.choice([" ", ""]).join(rng.choices(WORDS, k=rng.randint(0, 9))) for _ in range(2))
        for special in (True, False):
            assert fields(ours.encode(text, None, False, special)) == fields(theirs.encode(text, None, False, special))
            assert fields(ours.encode(text, pair, False, special)) == fields(theirs.encode(text, pair, False, special))
        words = text.split(" ")
        assert fields(ours.encode(words, is_pretokenized=True)) == fields(theirs.encode(words, is_pretokenized=True))
        ids = theirs.encode(text, pair).ids
        for skip in (True, False):
            assert ours.decode(ids, skip) == theirs.decode(ids, skip)


@pytest.mark.parametrize("name", BUILDERS)
def test_batches_are_as_in_target(name: str) -> None:
    ours, theirs = (BUILDERS[name](package) for package in PACKAGES)
    batch = ["hello", ("hello world", "café"), ["a", "b"], ""]
    assert [fields(e) for e in ours.encode_batch(batch)] == [fields(e) for e in theirs.encode_batch(batch)]
    words = [["hello", "world"], (["a"], ["b", "c"]), []]
    assert [fields(e) for e in ours.encode_batch(words, is_pretokenized=True)] == [
        fields(e) for e in theirs.encode_batch(words, is_pretokenized=True)
    ]
    ids = [e.ids for e in theirs.encode_batch(batch)]
    assert ours.decode_batch(ids) == theirs.decode_batch(ids)


@pytest.mark.parametrize("name", BUILDERS)
def test_saved_file_is_the_targets_and_a_fixed_point(name: str, tmp_path: Path) -> None:
    ours, theirs = (BUILDERS[name](package) for package in PACKAGES)
    for index, tokenizer in enumerate((ours, theirs)):
        tokenizer.save(str(tmp_path / f"{index}.json"))
    written = (tmp_path / "0.json").read_bytes()
    assert written == (tmp_path / "1.json").read_bytes()
    assert tokenizer_reference.Tokenizer.from_buffer(written).to_str(pretty=True).encode() == written


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((1,), TypeError),
        (("\ud800",), TypeError),
        ((["a"],), TypeError),
        (("a", None, True), TypeError),
        ((["a", 1], None, True), TypeError),
    ],
)
def test_wrong_input_is_refused_as_in_target(arguments: tuple[Any, ...], error: type[Exception]) -> None:
    for package in PACKAGES:
        with pytest.raises(error):
            bert(package).encode(*arguments)


@pytest.mark.parametrize("ids", [[-1], [2**32]])
def test_id_out_of_range_is_refused(ids: list[int]) -> None:
    for package in PACKAGES:
        with pytest.raises(OverflowError):
            bert(package).decode(ids)


def test_component_of_another_kind_is_refused() -> None:
    for package in PACKAGES:
        with pytest.raises(TypeError, match="Normalizer"):
            bert(package).normalizer = package.pre_tokenizers.Whitespace()


@pytest.mark.parametrize("name", ["truncation", "padding"])
def test_parameters_read_back_as_in_target(name: str) -> None:
    ours, theirs = (truncated(package) for package in PACKAGES)
    assert getattr(ours, name) == getattr(theirs, name)


def test_unknown_characters_dropped_by_bpe_let_offsets_slide() -> None:
    for package in PACKAGES:
        tokenizer = package.Tokenizer(package.models.BPE({"a": 0}, []))
        assert tokenizer.encode("xay").offsets == [(0, 1)]
        assert (
            tokenizer.encode("éaé").offsets
            == tokenizers.Tokenizer(tokenizers.models.BPE({"a": 0}, [])).encode("éaé").offsets
        )
