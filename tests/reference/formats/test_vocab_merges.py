"""vocab.json and merges.txt are read as the target reads them, and become byte-level BPE tokenizers."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_reference import AddedToken
from tokenizer_reference.errors import TokenizerFileError
from tokenizer_reference.formats import read_vocab_merges, tokenizer_from_vocab_merges

VOCAB = b'{"a":0,"b":1,"ab":2,"#":3,"#a":4}'
TOKENS = {"a": 0, "b": 1, "ab": 2, "#": 3, "#a": 4}

READ = [
    (VOCAB, b"#version: 0.2\na b\n", TOKENS, [("a", "b")]),
    (VOCAB, b"a b", TOKENS, [("a", "b")]),
    (VOCAB, b"a b\r\n# a\r\n", TOKENS, [("a", "b"), ("#", "a")]),
    (VOCAB, b"#versionx y\na b\n#version: 0.2\n# a\n", TOKENS, [("a", "b"), ("#", "a")]),
    (VOCAB, b"", TOKENS, []),
    (b'{"a":0,"none":null,"text":"1","list":[2],"b":1}', b"", {"a": 0, "b": 1}, []),
    (b'{"a":4294967297}', b"", {"a": 1}, []),
]

REFUSED_BY_BOTH = [
    (VOCAB, b"a b\n\n", r"merges\.txt, line 2: expected two tokens and one space between them, found ''"),
    (VOCAB, b"a b \n", r"merges\.txt, line 1: expected two tokens and one space between them, found 'a b '"),
    (VOCAB, b" a b\n", r"merges\.txt, line 1: expected two tokens"),
    (VOCAB, b"a  b\n", r"merges\.txt, line 1: expected two tokens"),
    (VOCAB, b"a\tb\n", r"merges\.txt, line 1: expected two tokens"),
    (VOCAB, "a\u00a0b\n".encode(), r"merges\.txt, line 1: expected two tokens"),
    (VOCAB, b"#version\n#version\nx\n", r"merges\.txt, line 3: expected two tokens"),
    (VOCAB, b"\xff a\n", r"merges\.txt: is not UTF-8: .* at byte 0"),
    (b"", b"", r"vocab\.json: \$: not JSON"),
    (b"{", b"", r"vocab\.json: \$: not JSON"),
    (b"[]", b"", r"vocab\.json: is no vocabulary"),
    (b'{"a":1.5}', b"", r"vocab\.json: the id of 'a' is 1\.5; expected a whole number"),
    (b'{"a":-1}', b"", r"vocab\.json: the id of 'a' is -1"),
    (b"\xef\xbb\xbf{}", b"", r"vocab\.json: \$: not JSON"),
]

REFUSED_HERE = [
    (b"{}", b"", r"vocab\.json: has no token with an id"),
    (b'{"a":0,"b":1,"a":2}', b"", r"vocab\.json: the token 'a' is there twice"),
    (b'{"a":0,"b":0}', b"", r"vocab\.json: the tokens 'a' and 'b' have the same id, 0"),
    (VOCAB, b"a b\na b\n", r"merges\.txt, line 2: the merge 'a b' stands there again, as in line 1"),
    (VOCAB, b"a b\na c\n", r"merges\.txt, line 2: the vocabulary has no token 'c' for the merge 'a c'"),
    (VOCAB, b"b a\n", r"merges\.txt, line 1: the vocabulary has no token 'ba' for the merge 'b a'"),
    (VOCAB, b" \n", r"merges\.txt, line 1: the vocabulary has no token '' for the merge ' '"),
]


def write(folder: Path, vocab: bytes, merges: bytes) -> tuple[Path, Path]:
    paths = folder / "vocab.json", folder / "merges.txt"
    paths[0].write_bytes(vocab)
    paths[1].write_bytes(merges)
    return paths


@pytest.mark.parametrize(("vocab", "merges", "tokens", "pairs"), READ)
def test_files_are_read_as_by_the_target(
    tmp_path: Path, vocab: bytes, merges: bytes, tokens: dict[str, int], pairs: list[tuple[str, str]]
) -> None:
    paths = write(tmp_path, vocab, merges)
    assert read_vocab_merges(*paths) == (tokens, pairs)
    assert tokenizers.models.BPE.read_file(*map(str, paths)) == (tokens, pairs)


@pytest.mark.parametrize(("vocab", "merges", "message"), REFUSED_BY_BOTH)
def test_what_the_target_refuses_gives_one_line_that_names_file_and_place(
    tmp_path: Path, vocab: bytes, merges: bytes, message: str
) -> None:
    paths = write(tmp_path, vocab, merges)
    with pytest.raises(TokenizerFileError, match=message) as caught:
        read_vocab_merges(*paths)
    assert len(str(caught.value).splitlines()) == 1
    with pytest.raises(Exception, match="Error while reading vocab & merges files"):
        tokenizers.models.BPE.read_file(*map(str, paths))


@pytest.mark.parametrize(("vocab", "merges", "message"), REFUSED_HERE)
def test_what_loses_tokens_silently_in_the_target_is_refused(
    tmp_path: Path, vocab: bytes, merges: bytes, message: str
) -> None:
    paths = write(tmp_path, vocab, merges)
    with pytest.raises(TokenizerFileError, match=message) as caught:
        read_vocab_merges(*paths)
    assert len(str(caught.value).splitlines()) == 1
    tokenizers.models.BPE.read_file(*map(str, paths))


parts = st.text(st.characters(exclude_characters=" \n\r", exclude_categories=["Cs"]), min_size=1)
pairs_of_tokens = st.tuples(parts, parts).filter(lambda pair: not pair[0].startswith("#version"))


@given(st.lists(pairs_of_tokens, unique=True), parts)
def test_what_is_written_is_read(pairs: list[tuple[str, str]], token: str) -> None:
    needed = dict.fromkeys([token, *(part for left, right in pairs for part in (left, right, left + right))])
    vocab = {token: id_ for id_, token in enumerate(needed)}
    merges = "#version: 0.2\n" + "".join(f"{left} {right}\n" for left, right in pairs)
    with tempfile.TemporaryDirectory() as folder:
        paths = write(Path(folder), json.dumps(vocab).encode(), merges.encode())
        assert read_vocab_merges(*paths) == (vocab, pairs)


# The tokenizers ------------------------------------------------------------------------------------------------------


def toy(folder: Path) -> tuple[Path, Path]:
    tokens = [
        "<s>",
        "</s>",
        "<|endoftext|>",
        *tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        "he",
        "ll",
        "hell",
        "Ġhell",
    ]
    vocab = {token: id_ for id_, token in enumerate(tokens)}
    return write(folder, json.dumps(vocab).encode(), "#version: 0.2\nh e\nl l\nhe ll\nĠ hell\n".encode())


def test_without_class_and_separator_it_is_gpt2s_pipeline(tmp_path: Path) -> None:
    tokenizer = tokenizer_from_vocab_merges(*toy(tmp_path), special_tokens=["<|endoftext|>"])
    encoding = tokenizer.encode("hell hell<|endoftext|>")
    assert encoding.tokens == ["hell", "Ġhell", "<|endoftext|>"]
    assert encoding.offsets == [(0, 4), (4, 9), (9, 22)]
    assert tokenizer.decode(encoding.ids) == "hell hell"


def test_with_class_and_separator_it_is_robertas_pipeline(tmp_path: Path) -> None:
    tokenizer = tokenizer_from_vocab_merges(
        *toy(tmp_path), cls_token="<s>", sep_token="</s>", special_tokens=["<s>", "</s>"], add_prefix_space=True
    )
    encoding = tokenizer.encode("hell", "hell")
    assert encoding.tokens == ["<s>", "Ġhell", "</s>", "</s>", "Ġhell", "</s>"]
    assert encoding.offsets == [(0, 0), (0, 4), (0, 0), (0, 0), (0, 4), (0, 0)]


@pytest.mark.parametrize(("trim_offsets", "offsets"), [(None, (1, 5)), (True, (1, 5)), (False, (0, 5))])
def test_offsets_are_trimmed_when_asked_for(
    tmp_path: Path, trim_offsets: bool | None, offsets: tuple[int, int]
) -> None:
    tokenizer = tokenizer_from_vocab_merges(
        *toy(tmp_path), cls_token="<s>", sep_token="</s>", trim_offsets=trim_offsets
    )
    assert tokenizer.encode(" hell", add_special_tokens=False).offsets == [offsets]


@pytest.mark.parametrize("add_prefix_space", [False, True])
def test_the_tokenizers_are_those_of_transformers(tmp_path: Path, add_prefix_space: bool) -> None:
    converters = pytest.importorskip("transformers.convert_slow_tokenizer")
    paths = toy(tmp_path)
    vocab, merges = read_vocab_merges(*paths)
    original = SimpleNamespace(encoder=vocab, bpe_ranks=dict.fromkeys(merges), add_prefix_space=add_prefix_space)
    ours = tokenizer_from_vocab_merges(*paths, add_prefix_space=add_prefix_space)
    assert ours.to_str() == converters.GPT2Converter(original).converted().to_str()
    original.cls_token, original.sep_token, original.cls_token_id, original.sep_token_id = "<s>", "</s>", 0, 1
    ours = tokenizer_from_vocab_merges(*paths, cls_token="<s>", sep_token="</s>", add_prefix_space=add_prefix_space)
    assert ours.to_str() == converters.RobertaConverter(original).converted().to_str()


def test_a_class_token_needs_a_separator(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cls_token='<s>', sep_token=None: expected both or neither"):
        tokenizer_from_vocab_merges(*toy(tmp_path), cls_token="<s>")


def test_tokens_around_texts_have_to_be_in_the_vocabulary(tmp_path: Path) -> None:
    with pytest.raises(TokenizerFileError, match=r"vocab\.json: has no token '<x>' to put around texts"):
        tokenizer_from_vocab_merges(*toy(tmp_path), cls_token="<s>", sep_token="<x>")


def test_gpt2s_files_give_the_published_tokenizer(shared: Path) -> None:
    folder = shared / "tokenizers" / "gpt2"
    end = AddedToken("<|endoftext|>", normalized=True, special=True)
    ours = tokenizer_from_vocab_merges(folder / "vocab.json", folder / "merges.txt", special_tokens=[end])
    published = json.loads(tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json")).to_str())
    assert json.loads(ours.to_str()) == published


def test_robertas_files_give_the_published_tokenizer(shared: Path) -> None:
    folder = shared / "tokenizers" / "roberta-base"
    tokens = [AddedToken(name, normalized=True, special=True) for name in ("<s>", "<pad>", "</s>", "<unk>")]
    tokens.append(AddedToken("<mask>", lstrip=True, normalized=True, special=True))
    ours = tokenizer_from_vocab_merges(
        folder / "vocab.json", folder / "merges.txt", cls_token="<s>", sep_token="</s>", special_tokens=tokens
    )
    published = json.loads(tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json")).to_str())
    assert json.loads(ours.to_str()) == published
