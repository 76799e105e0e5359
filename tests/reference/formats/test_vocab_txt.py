"""vocab.txt is read as the target reads it, and becomes BERT's tokenizer."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_reference.errors import TokenizerFileError
from tokenizer_reference.formats import read_vocab_txt, tokenizer_from_vocab_txt
from tokenizer_reference.text.characters import WHITE_SPACE

TOY = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nhello\nwor\n##ld\n!\n中\ncafe\ncafé\n"

READ = [
    (b"a\nb\n", {"a": 0, "b": 1}),
    (b"a\nb", {"a": 0, "b": 1}),
    (b"a\r\nb\r\n", {"a": 0, "b": 1}),
    (b"a \nb\t\n", {"a": 0, "b": 1}),
    (b" a\n", {" a": 0}),
    (b"a\n\nb\n", {"a": 0, "": 1, "b": 2}),
    (b"a\rb\n", {"a\rb": 0}),
    ("a\u3000\nb\x0b\nc\x1c\n".encode(), {"a": 0, "b": 1, "c\x1c": 2}),
    ("a\u2028b\n".encode(), {"a\u2028b": 0}),
    ("\ufeffa\n".encode(), {"\ufeffa": 0}),
]

MALFORMED = [
    (b"", r"vocab\.txt: is empty"),
    (b"a\n\xff\n", r"vocab\.txt: is not UTF-8: .* at byte 2"),
    (b"a\nb\na\n", r"vocab\.txt, line 3: the token 'a' stands there again, as in line 1"),
    (b"a\n\n \n", r"vocab\.txt, line 3: the token '' stands there again, as in line 2"),
    (b"\x1b]0;title\x07\nb\n\x1b]0;title\x07", r"vocab\.txt, line 3: the token '\\x1b\]0;title\\x07' stands"),
    (b"x" * 5000 + b"\n" + b"x" * 5000, r"line 2: the token 'x{40}'… \(5000 long\) stands there again"),
]


def write(folder: Path, content: bytes | str) -> Path:
    path = folder / "vocab.txt"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(("content", "vocab"), READ)
def test_lines_are_tokens_and_their_numbers_are_ids(tmp_path: Path, content: bytes, vocab: dict[str, int]) -> None:
    path = write(tmp_path, content)
    assert read_vocab_txt(path) == vocab
    assert tokenizers.models.WordPiece.read_file(str(path)) == vocab


@pytest.mark.parametrize(("content", "message"), MALFORMED)
def test_a_malformed_file_gives_one_line_that_names_file_and_place(
    tmp_path: Path, content: bytes, message: str
) -> None:
    with pytest.raises(TokenizerFileError, match=message) as caught:
        read_vocab_txt(write(tmp_path, content))
    assert len(str(caught.value).splitlines()) == 1


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(TokenizerFileError, match=r"nothing\.txt: cannot be read: No such file"):
        read_vocab_txt(tmp_path / "nothing.txt")


tokens = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"])).filter(
    lambda text: text == text.rstrip(WHITE_SPACE)
)


@given(st.lists(tokens, min_size=1, unique=True))
def test_what_is_written_is_read(vocab: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder), "".join(f"{token}\n" for token in vocab))
        assert read_vocab_txt(path) == {token: id_ for id_, token in enumerate(vocab)}


# The tokenizer -------------------------------------------------------------------------------------------------------


def test_the_tokenizer_is_berts(tmp_path: Path) -> None:
    tokenizer = tokenizer_from_vocab_txt(write(tmp_path, TOY))
    encoding = tokenizer.encode("Hello, World! Café 中", "hello")
    assert encoding.tokens == [
        *("[CLS]", "hello", "[UNK]", "wor", "##ld", "!", "cafe", "中", "[SEP]"),
        *("hello", "[SEP]"),
    ]
    assert encoding.type_ids == [0] * 9 + [1] * 2
    assert tokenizer.decode(encoding.ids) == "hello world! cafe 中 hello"


@pytest.mark.parametrize(
    ("options", "tokens"),
    [
        ({}, ["cafe", "中"]),
        ({"lowercase": False}, ["[UNK]", "中"]),
        ({"strip_accents": False}, ["café", "中"]),
        ({"handle_chinese_chars": False}, ["[UNK]"]),
        ({"clean_text": False}, ["[UNK]", "中"]),
    ],
)
def test_options_are_those_of_the_normalizer(tmp_path: Path, options: dict[str, bool], tokens: list[str]) -> None:
    tokenizer = tokenizer_from_vocab_txt(write(tmp_path, TOY), **options)
    text = "Café中" if options != {"clean_text": False} else "Cafe\x00 中"
    assert tokenizer.encode(text, add_special_tokens=False).tokens == tokens


@pytest.mark.parametrize(
    "vocab", [TOY, "[UNK]\n[SEP]\n[CLS]\na\n", "a\n[MASK]\n[CLS]\n[PAD]\n[SEP]\n[UNK]\n"], ids=["toy", "short", "mixed"]
)
@pytest.mark.parametrize("lowercase", [True, False])
def test_the_tokenizer_is_that_of_transformers(tmp_path: Path, vocab: str, lowercase: bool) -> None:
    transformers = pytest.importorskip("transformers")
    path = write(tmp_path, vocab)
    theirs = transformers.BertTokenizer(vocab=read_vocab_txt(path), do_lower_case=lowercase)
    assert tokenizer_from_vocab_txt(path, lowercase=lowercase).to_str() == theirs.backend_tokenizer.to_str()


@pytest.mark.parametrize("token", ["[UNK]", "[CLS]", "[SEP]"])
def test_a_vocabulary_needs_the_tokens_that_texts_need(tmp_path: Path, token: str) -> None:
    with pytest.raises(TokenizerFileError, match=rf"vocab\.txt: has no line '\[{token[1:-1]}\]', which is to be the"):
        tokenizer_from_vocab_txt(write(tmp_path, TOY.replace(token, "other")))


def test_special_tokens_can_have_other_names(tmp_path: Path) -> None:
    path = write(tmp_path, "<unk>\n<s>\n</s>\nhello\n")
    tokenizer = tokenizer_from_vocab_txt(path, unk_token="<unk>", cls_token="<s>", sep_token="</s>")
    assert tokenizer.encode("hello you").tokens == ["<s>", "hello", "<unk>", "</s>"]


@pytest.mark.parametrize("name", ["bert-base-uncased", "bert-base-cased"])
def test_the_published_vocabularies_give_the_published_tokenizers(shared: Path, name: str) -> None:
    folder = shared / "tokenizers" / name
    ours = tokenizer_from_vocab_txt(folder / "vocab.txt", lowercase=name.endswith("uncased"))
    assert ours.to_str() == tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json")).to_str()
