"""tiktoken's rank files are read, and give the tokens that tiktoken gives."""

from __future__ import annotations

import base64
import json
import random
import tempfile
import warnings
from pathlib import Path
from typing import Any

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenizer_reference.errors import TokenizerFileError
from tokenizer_reference.formats import read_tiktoken_ranks, read_vocab_merges, tokenizer_from_tiktoken
from tokenizer_reference.text.byte_level import BYTE_TO_CHAR, CHAR_TO_BYTE

GPT2_PATTERN = r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""
BYTES = {bytes([byte]): byte for byte in range(256)}

READ = [
    (b"YQ== 0\nYg== 1\n", {b"a": 0, b"b": 1}),
    (b"YQ== 0\r\nYg== 5", {b"a": 0, b"b": 5}),
    (b"\nYQ==\t7\n\n", {b"a": 7}),
    (b"/w== 4294967295\n", {b"\xff": 4294967295}),
    (b"YQ== 007\n", {b"a": 7}),
]

MALFORMED = [
    (b"", r"x\.tiktoken: is empty"),
    (b"\n\n", r"x\.tiktoken: has no token"),
    (b"YQ== 0\nYg==\n", r"x\.tiktoken, line 2: expected a token in base64, a space and its rank, found b'Yg=='"),
    (b"YQ== 0 1\n", r"x\.tiktoken, line 1: expected a token in base64"),
    (b"YQ= 0\n", r"x\.tiktoken, line 1: b'YQ=' is not base64"),
    (b"Y*== 0\n", r"x\.tiktoken, line 1: b'Y\*==' is not base64"),
    (b"YR== 0\n", r"x\.tiktoken, line 1: b'YR==' is not base64: the bits after its end are not zero"),
    (b"\xff\xfe 0\n", r"x\.tiktoken, line 1: b'\\xff\\xfe' is not base64"),
    (b"YQ== x\n", r"x\.tiktoken, line 1: expected a rank from 0 to 4294967295, found b'x'"),
    (b"YQ== -1\n", r"x\.tiktoken, line 1: expected a rank from 0"),
    (b"YQ== 1.0\n", r"x\.tiktoken, line 1: expected a rank from 0"),
    (b"YQ== 4294967296\n", r"x\.tiktoken, line 1: expected a rank from 0"),
    (b"YQ== " + b"9" * 10000, r"line 1: expected a rank from 0 to 4294967295, found b'9{40}'… \(10000 long\)"),
    (b"YQ== 0\nYQ== 1\n", r"x\.tiktoken, line 2: the token b'a' stands there again, as in line 1"),
    (b"YQ== 0\n\nYg== 0\n", r"x\.tiktoken, line 3: the rank 0 stands there again, as in line 1"),
]


def write(folder: Path, ranks: dict[bytes, int] | bytes) -> Path:
    path = folder / "x.tiktoken"
    if isinstance(ranks, dict):
        ranks = b"".join(base64.b64encode(token) + b" %d\n" % rank for token, rank in ranks.items())
    path.write_bytes(ranks)
    return path


@pytest.fixture(scope="module")
def tiktoken() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what it says when it is imported is its own business
        return pytest.importorskip("tiktoken")


@pytest.mark.parametrize(("content", "ranks"), READ)
def test_lines_are_tokens_and_ranks(tmp_path: Path, content: bytes, ranks: dict[bytes, int]) -> None:
    assert read_tiktoken_ranks(write(tmp_path, content)) == ranks


@pytest.mark.parametrize(("content", "message"), MALFORMED)
def test_a_malformed_file_gives_one_line_that_names_file_and_place(
    tmp_path: Path, content: bytes, message: str
) -> None:
    with pytest.raises(TokenizerFileError, match=message) as caught:
        read_tiktoken_ranks(write(tmp_path, content))
    assert len(str(caught.value).splitlines()) == 1


@given(st.dictionaries(st.binary(min_size=1), st.integers(0, 2**32 - 1), min_size=1))
def test_what_is_written_is_read(ranks: dict[bytes, int]) -> None:
    unique = {token: rank for rank, token in {rank: token for token, rank in ranks.items()}.items()}
    with tempfile.TemporaryDirectory() as folder:
        assert read_tiktoken_ranks(write(Path(folder), unique)) == unique


# The tokenizer -------------------------------------------------------------------------------------------------------


def trained() -> dict[bytes, int]:
    """Return ranks as a trainer gives them, learned by `tokenizers` from made-up words."""
    rng = random.Random(5)
    texts = ["".join(rng.choice("abé '1 \n") for _ in range(40)) for _ in range(60)]
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=400, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    return {bytes(map(CHAR_TO_BYTE.__getitem__, token)): id_ for token, id_ in tokenizer.get_vocab().items()}


def test_special_tokens_keep_ids_that_do_not_follow_the_ranks(tmp_path: Path) -> None:
    tokenizer = tokenizer_from_tiktoken(write(tmp_path, trained()), GPT2_PATTERN, {"<|end|>": 500, "<|fim|>": 450})
    encoding = tokenizer.encode("<|fim|>ab<|end|>")
    assert (encoding.ids[0], encoding.ids[-1]) == (450, 500)
    assert tokenizer.decode(encoding.ids, skip_special_tokens=False) == "<|fim|>ab<|end|>"


def test_the_pipeline_is_that_of_transformers_with_fewer_merges(tmp_path: Path) -> None:
    converters = pytest.importorskip("transformers.convert_slow_tokenizer")
    pytest.importorskip("tiktoken")
    ranks = trained()
    path = write(tmp_path, ranks)
    ours = tokenizer_from_tiktoken(path, GPT2_PATTERN, {"<|end|>": len(ranks)})
    theirs = converters.TikTokenConverter(str(path), GPT2_PATTERN, extra_special_tokens=["<|end|>"]).converted()
    document, other = json.loads(ours.to_str()), json.loads(theirs.to_str())
    merges, more = document["model"].pop("merges"), other["model"].pop("merges")
    del document["model"]["vocab"]["<|end|>"]
    assert document == other
    assert len(merges) == len(ranks) - 256
    assert [pair for pair in more if pair in merges] == merges
    rng = random.Random(7)
    for _ in range(200):
        text = "".join(rng.choice("abé '1 \n") for _ in range(30))
        assert ours.encode(text).ids == theirs.encode(text).ids


tokens = st.binary(min_size=2, max_size=5).map(lambda token: bytes(b"ab \xc3\xa9"[byte % 5] for byte in token))


@settings(deadline=None)
@given(st.data())
def test_any_ranks_give_what_tiktoken_gives(tiktoken: Any, data: st.DataObject) -> None:
    chosen = data.draw(st.lists(tokens, unique=True, max_size=30))
    order = data.draw(st.permutations([*BYTES, *chosen])) if data.draw(st.booleans()) else [*BYTES, *chosen]
    ranks = {token: rank for rank, token in enumerate(order)}
    special = {"<b>": len(ranks) + 3}
    with tempfile.TemporaryDirectory() as folder:
        ours = tokenizer_from_tiktoken(write(Path(folder), ranks), GPT2_PATTERN, special)
    theirs = tiktoken.Encoding("toy", pat_str=GPT2_PATTERN, mergeable_ranks=ranks, special_tokens=special)
    for text in data.draw(st.lists(st.text("ab é<>", max_size=30), max_size=20)):
        assert ours.encode(text).ids == theirs.encode(text, allowed_special="all")


@pytest.mark.parametrize(
    ("special", "message"),
    [
        ({"<|end|>": 97}, r"the special token '<\|end\|>' cannot have the id 97: it is that of 'a'"),
        ({"a": 300}, r"the special token 'a' cannot have the id 300: the text is a token already, with the id 97"),
        ({"<x>": 300, "<y>": 300}, r"the special token '<y>' cannot have the id 300: it is that of '<x>'"),
        ({"<x>": -1}, r"the special token '<x>' cannot have the id -1: an id is from 0 to"),
        ({"": 300}, r"the special token '' cannot have the id 300: it has no text"),
        ({"Ġa": 300}, r"the special token 'Ġa' cannot have the id 300: the model would take the text for characters"),
    ],
)
def test_a_special_token_needs_an_id_and_a_text_of_its_own(
    tmp_path: Path, special: dict[str, int], message: str
) -> None:
    with pytest.raises(TokenizerFileError, match=message):
        tokenizer_from_tiktoken(write(tmp_path, BYTES), GPT2_PATTERN, special)


def test_every_byte_needs_a_rank(tmp_path: Path) -> None:
    with pytest.raises(TokenizerFileError, match=r"has no token for the byte 0x62"):
        tokenizer_from_tiktoken(
            write(tmp_path, {token: rank for token, rank in BYTES.items() if token != b"b"}), GPT2_PATTERN, {}
        )


def test_a_pattern_that_oniguruma_reads_otherwise_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, BYTES)
    with pytest.raises(ValueError, match=r"'\{1,3\}\+' at 5 is possessive in tiktoken"):
        tokenizer_from_tiktoken(path, r"\p{N}{1,3}+|\s", {})
    pieces = tokenizer_from_tiktoken(path, r"(?>\p{N}{1,3})|\{+|[^\d{]", {}).pre_tokenizer
    assert pieces is not None
    assert [piece for piece, _ in pieces.pre_tokenize_str("12345{{")] == ["123", "45", "{{"]


def test_gpt2s_ranks_give_its_merges_and_tiktokens_tokens(shared: Path, tmp_path: Path, tiktoken: Any) -> None:
    folder = shared / "tokenizers" / "gpt2"
    vocab, merges = read_vocab_merges(folder / "vocab.json", folder / "merges.txt")
    end = vocab.pop("<|endoftext|>")
    ranks = {bytes(map(CHAR_TO_BYTE.__getitem__, token)): id_ for token, id_ in vocab.items()}
    ours = tokenizer_from_tiktoken(write(tmp_path, ranks), GPT2_PATTERN, {"<|endoftext|>": end})
    assert [tuple(pair) for pair in json.loads(ours.to_str())["model"]["merges"]] == merges
    theirs = tiktoken.Encoding(
        "gpt2", pat_str=GPT2_PATTERN, mergeable_ranks=ranks, special_tokens={"<|endoftext|>": end}
    )
    texts = [(shared / "texts" / name).read_text("utf-8") for name in ("botchan.txt", "wagahai.txt")]
    for text in [text[start : start + 10000] for text in texts for start in (0, 100000)]:
        assert ours.encode(text).ids == theirs.encode(text)


def test_characters_of_bytes_are_those_of_the_model(tmp_path: Path) -> None:
    vocab = tokenizer_from_tiktoken(write(tmp_path, BYTES), GPT2_PATTERN, {}).get_vocab()
    assert vocab == {BYTE_TO_CHAR[byte]: byte for byte in range(256)}
