"""The key-value pairs of a GGUF file, written byte by byte here, and by the package ``gguf`` where it is installed."""

from __future__ import annotations

import struct
from array import array
from typing import TYPE_CHECKING

import pytest
from gguf_bytes import (
    BOOL,
    FLOAT32,
    INT32,
    LIST,
    STRING,
    UINT8,
    UINT32,
    UINT64,
    Pair,
    file_of,
    listed,
    number,
    string,
    text,
)

from tokenizer_adapters.gguf.metadata import GgufError, read_metadata
from tokenizer_adapters.gguf.vocabulary import GgufVocabulary, read_vocabulary

if TYPE_CHECKING:
    from pathlib import Path


def vocabulary_pairs(order: str = "<") -> list[Pair]:
    """The pairs of a small SentencePiece-like vocabulary, with one of each kind of value."""
    floats = [struct.pack(f"{order}f", each) for each in (0.0, -0.5, -1.25)]
    return [
        ("general.architecture", string("llama", order)),
        ("general.tags", listed(STRING, [text("no", order), text("vocabulary", order)], order)),
        ("llama.rope", listed(FLOAT32, floats, order)),
        ("tokenizer.ggml.model", string("t5", order)),
        ("tokenizer.ggml.tokens", listed(STRING, [text(each, order) for each in ("<unk>", "▁a", b"\xff")], order)),
        ("tokenizer.ggml.scores", listed(FLOAT32, floats, order)),
        ("tokenizer.ggml.token_type", listed(INT32, [struct.pack(f"{order}i", each) for each in (2, 1, 6)], order)),
        ("tokenizer.ggml.unknown_token_id", number(UINT32, "I", 0, order)),
        ("tokenizer.ggml.add_bos_token", number(BOOL, "?", 1, order)),
        ("tokenizer.ggml.precompiled_charsmap", listed(UINT8, [b"\x00", b"\xfe"], order)),
        ("tokenizer.ggml.token_type_count", number(UINT32, "I", 2, order)),
        ("tokenizer.chat_template", string("{{ 1 }}", order)),
        ("tokenizer.chat_template.tool_use", string("{{ 2 }}", order)),
        ("tokenizer.chat_templates", listed(STRING, [text("tool_use", order)], order)),
    ]


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("version", [2, 3])
def test_all_that_is_said_is_read_in_both_byte_orders(tmp_path: Path, version: int, order: str) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(file_of(*vocabulary_pairs(order), version=version, order=order) + bytes(64))
    assert read_vocabulary(file) == GgufVocabulary(
        model="t5",
        tokens=("<unk>", "▁a", "\udcff"),
        types=(2, 1, 6),
        scores=(0.0, -0.5, -1.25),
        special_ids={"unknown": 0},
        flags={"add_bos_token": True},
        charsmap=b"\x00\xfe",
        templates={"default": "{{ 1 }}", "tool_use": "{{ 2 }}"},
        others={"token_type_count": 2},
        architecture="llama",
    )
    found = read_metadata(file)
    assert (found.version, found.tensors) == (version, 2)
    assert not {"general.tags", "llama.rope"} & set(found.values)  # lists of others are passed over


def test_lists_and_numbers_of_every_type_are_read(tmp_path: Path) -> None:
    kinds = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 10: "Q", 11: "q", 12: "d"}
    pairs = [(f"tokenizer.{code}", listed(kind, [struct.pack(f"<{code}", 7)] * 2)) for kind, code in kinds.items()]
    pairs += [(f"one.{code}", number(kind, code, 7)) for kind, code in kinds.items()]
    pairs += [("tokenizer.bools", listed(BOOL, [b"\x01", b"\x00"]))]
    file = tmp_path / "model.gguf"
    file.write_bytes(file_of(*pairs))
    assert read_metadata(file).values == {
        **{f"tokenizer.{code}": array(code, [7, 7]) for code in kinds.values()},
        **{f"one.{code}": 7 for code in kinds.values()},
        "tokenizer.bools": (True, False),
    }


TOKENS = ("tokenizer.ggml.tokens", listed(STRING, [text("a"), text("b")]))
MODEL = ("tokenizer.ggml.model", string("gpt2"))
DAMAGED = {
    b"": "begins with b''",
    b"PK\x03\x04 and so on": r"begins with b'PK",
    b"GGUF\x03": "cut off after its first bytes",
    file_of(MODEL, TOKENS, version=1): "version 1 of the format, and 2 and 3 can be read",
    file_of(MODEL, TOKENS, version=9): "version 9",
    file_of(MODEL, TOKENS)[:-1]: "cut off at the key 'tokenizer.ggml.tokens'",
    file_of(MODEL, TOKENS, count=1 << 60): "pairs are announced",
    file_of(MODEL, TOKENS, count=3): "cut off at a key",
    file_of(MODEL, MODEL): "'tokenizer.ggml.model' stands in it twice",
    file_of(MODEL, ("key", struct.pack("<I", 13))): "'key' has a value of type 13",
    file_of(MODEL, ("key", struct.pack("<IIQ", LIST, LIST, 1) + bytes(32))): "a list of values of type 9",
    file_of(("tokenizer.x", struct.pack("<IIQ", LIST, UINT64, 1 << 61))): "values are announced",
    file_of(("other.x", struct.pack("<IIQ", LIST, UINT64, 1 << 61))): "values are announced",
    file_of(("x", struct.pack("<IIQ", LIST, STRING, 1 << 61))): "texts are announced",
    file_of(("x", struct.pack("<IQ", STRING, 1 << 61))): "bytes are announced",
    file_of()[:-8] + struct.pack("<Q", 1) + struct.pack("<Q", 70000) + bytes(80000): "a key in it is 70000 bytes long",
    file_of(MODEL): "holds no vocabulary",
    file_of(("tokenizer.ggml.model", string("no_vocab")), TOKENS): "holds no tokenizer",
    file_of(TOKENS): "holds no tokenizer",
    file_of(MODEL, ("tokenizer.ggml.tokens", string("a"))): "tokens is no list of texts",
    file_of(MODEL, TOKENS, ("tokenizer.ggml.scores", string("a"))): "scores is no list of numbers",
    file_of(MODEL, TOKENS, ("tokenizer.ggml.token_type", listed(INT32, [bytes(4)]))): "has 1 entries for 2 tokens",
}


@pytest.mark.parametrize(("content", "message"), DAMAGED.items(), ids=DAMAGED.values())
def test_what_is_no_tokenizer_is_refused_in_words(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(content)
    with pytest.raises(GgufError, match=message):
        read_vocabulary(file)


def test_no_weights_are_read(tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(file_of(MODEL, TOKENS))
    with file.open("r+b") as opened:
        opened.truncate(1 << 40)  # a sparse file: nothing reads a terabyte in the time of a test
    assert read_vocabulary(file).tokens == ("a", "b")


def test_what_the_package_gguf_writes_is_read(tmp_path: Path) -> None:
    gguf = pytest.importorskip("gguf")
    file = tmp_path / "model.gguf"
    writer = gguf.GGUFWriter(str(file), "bert")
    writer.add_name("a small one")
    writer.add_tokenizer_model("bert")
    writer.add_tokenizer_pre("jina-v2-en")
    writer.add_token_list(["[PAD]", "▁a", "b"])
    writer.add_token_types([3, 1, 1])
    writer.add_token_scores([0.0, -1.0, -1000.0])
    writer.add_token_merges(["a b", "ab c"])
    writer.add_sep_token_id(2)
    writer.add_add_eos_token(value=False)
    writer.add_remove_extra_whitespaces(value=True)
    writer.add_precompiled_charsmap(b"\x00\xff")
    writer.add_chat_template([{"name": "default", "template": "{{ 1 }}"}, {"name": "rag", "template": "{{ 2 }}"}])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    assert read_vocabulary(file) == GgufVocabulary(
        model="bert",
        pre="jina-v2-en",
        tokens=("[PAD]", "▁a", "b"),
        types=(3, 1, 1),
        scores=(0.0, -1.0, -1000.0),
        merges=("a b", "ab c"),
        special_ids={"seperator": 2},
        flags={"add_eos_token": False, "remove_extra_whitespaces": True},
        charsmap=b"\x00\xff",
        templates={"default": "{{ 1 }}", "rag": "{{ 2 }}"},
        architecture="bert",
        name="a small one",
    )
