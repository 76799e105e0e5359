"""Vocabulary files: what is read from them, and what is written to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import tokenizers.models

import tokenizer_reference.models as reference
from tokenizer_reference.errors import TokenizerFileError

if TYPE_CHECKING:
    from pathlib import Path

VOCAB = b'{"a":0,"b":1,"ab":2,"q":"x","c":7}'


def write(folder: Path, name: str, content: bytes) -> str:
    (folder / name).write_bytes(content)
    return str(folder / name)


@pytest.mark.parametrize(
    "content",
    [
        b"", b"a", b"a\nb\n", b"a\nb\na\n", b"\n\n", b"a \t\nb\r\n c\r", b"\xe3\x80\x80a\xe3\x80\x80\xc2\xa0\n",
        b"a\x1c\nb\x85\n",
        b"a\rb\n", b"a\xe2\x80\xa8b\n\x0bc\x0b\n", b"\xef\xbb\xbfa\n", b"a\n\xff\n",
    ],
)  # fmt: skip
def test_vocab_txt_is_read_as_by_the_target(content: bytes, tmp_path: Path, outcome_of: Any) -> None:
    file = write(tmp_path, "vocab.txt", content)
    expected = outcome_of(lambda: tokenizers.models.WordPiece.read_file(file))
    assert outcome_of(lambda: reference.WordPiece.read_file(file)) == expected


@pytest.mark.parametrize(
    "content",
    [
        VOCAB, b"{}", b'{"a":0,"a":1}', b'{"a":null,"b":[1],"c":true,"d":{}}', b'{"a":1.5}', b'{"a":1.0}',
        b'{"a":-1}', b'{"a":4294967297}',
        b'{"a":18446744073709551615}', b'{"a":18446744073709551616}', b"[1]", b"x", b"", b'{"\xc3\xa9":1}',
        b'{"\\u00e9":1}', b'{"\xff":1}',
        b'\xef\xbb\xbf{"a":0}', b'{"a":NaN}',
    ],
)  # fmt: skip
def test_vocab_json_is_read_as_by_the_target(content: bytes, tmp_path: Path, outcome_of: Any) -> None:
    file = write(tmp_path, "vocab.json", content)
    expected = outcome_of(lambda: tokenizers.models.WordLevel.read_file(file))
    assert outcome_of(lambda: reference.WordLevel.read_file(file)) == expected


@pytest.mark.parametrize(
    "content",
    [
        b"", b"a b", b"#version: 0.2\na b\n", b"#version\r\na b\r\n", b"a b\n\n", b"a b \n", b"a  b",
        b"a b\n#version x\nb a", b"a b\nx",
        b"# foo\na b", b"a\tb", b" a b", b" a", b"a ", b"a b\r", b"\xef\xbb\xbf#version\na b", b"a b\n\xff a",
        b"a\xe2\x80\xa8 b\n",
    ],
)  # fmt: skip
def test_merges_txt_is_read_as_by_the_target(content: bytes, tmp_path: Path, outcome_of: Any) -> None:
    files = write(tmp_path, "vocab.json", VOCAB), write(tmp_path, "merges.txt", content)
    expected = outcome_of(lambda: tokenizers.models.BPE.read_file(*files))
    assert outcome_of(lambda: reference.BPE.read_file(*files)) == expected


def test_models_are_built_from_files(tmp_path: Path) -> None:
    vocab, merges = write(tmp_path, "vocab.json", VOCAB), write(tmp_path, "merges.txt", b"#version: 0.2\na b\n")
    for bpe in (reference.BPE.from_file(vocab, merges, unk_token="c"), reference.BPE(vocab, merges, unk_token="c")):
        assert [token.value for token in bpe.tokenize("abx")] == ["ab", "c"]
    for wordlevel in (reference.WordLevel.from_file(vocab, "c"), reference.WordLevel(vocab, "c")):
        assert [token.value for token in wordlevel.tokenize("abx")] == ["c"]
    words = write(tmp_path, "vocab.txt", b"ab\n##c\nU\n")
    for wordpiece in (reference.WordPiece.from_file(words, unk_token="U"), reference.WordPiece(words, unk_token="U")):
        assert [token.value for token in wordpiece.tokenize("abc")] == ["ab", "##c"]


MODELS: dict[str, list[Any]] = {
    "BPE": [{"b": 5, "a": 0, 'é\n"\x01': 7, "é": 9, "aé": 10, "ab": 3}, [("a", "é"), ("a", "b"), ("a", "é")]],
    "WordPiece": [{"b": 5, "a": 0, "é": 9, "##ü": 7}],
    "WordLevel": [{"b": 5, "a": 0, 'é\n"\x01': 7}],
    "Unigram": [[("a", -1.0), ("é", -1e-7), ("a", 1e22)], 0],
}


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("prefix", [None, "x", ""])
def test_files_are_written_as_by_the_target(kind: str, prefix: str | None, tmp_path: Path) -> None:
    written = []
    for models, folder in ((reference, tmp_path / "ours"), (tokenizers.models, tmp_path / "target")):
        folder.mkdir()
        paths = getattr(models, kind)(*MODELS[kind]).save(str(folder), prefix)
        assert paths == [str(folder / path.rsplit("/", 1)[-1]) for path in paths]
        written.append({file.name: file.read_bytes() for file in folder.iterdir()})
        assert len(paths) == len(written[-1])
    assert written[0] == written[1]


def test_paths_are_named_as_by_the_target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in (".", "", "./", str(tmp_path) + "/"):
        ours = reference.WordPiece({"a": 0}).save(folder)
        assert ours == tokenizers.models.WordPiece({"a": 0}).save(folder)


def test_the_older_name_of_the_prefix_is_deprecated(tmp_path: Path) -> None:
    with pytest.warns(DeprecationWarning, match="prefix"):
        assert reference.WordPiece().save(str(tmp_path), name="old") == [str(tmp_path / "old-vocab.txt")]
    with pytest.warns(DeprecationWarning, match="prefix"):
        assert reference.WordPiece().save(str(tmp_path), "new", "old") == [str(tmp_path / "new-vocab.txt")]


def test_a_saved_model_is_read_back(tmp_path: Path) -> None:
    model = reference.BPE({"a": 0, "b": 2, "ab": 1}, [("a", "b")])
    assert reference.BPE.from_file(*model.save(str(tmp_path)))._to_json() == model._to_json()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a b\nab\n", r"merges\.txt, line 2: expected two tokens and one space between them, found 'ab'"),
        (b"a \xff\n", r"merges\.txt: is not UTF-8: invalid start byte at byte 2"),
    ],
)
def test_errors_name_the_file_and_line(content: bytes, message: str, tmp_path: Path) -> None:
    vocab, merges = write(tmp_path, "vocab.json", VOCAB), write(tmp_path, "merges.txt", content)
    with pytest.raises(TokenizerFileError, match=message):
        reference.BPE.from_file(vocab, merges)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[]", r"vocab\.json: is no vocabulary: expected a JSON object"),
        (b'{"a":-1}', r"vocab\.json: the id of 'a' is -1; expected a whole number"),
        (b"{", r"vocab\.json: .*not JSON"),
    ],
)
def test_errors_in_a_vocabulary_name_the_file(content: bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(TokenizerFileError, match=message):
        reference.WordLevel.from_file(write(tmp_path, "vocab.json", content))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(TokenizerFileError, match=r"none\.txt: cannot be read: No such file or directory"):
        reference.WordPiece.from_file(str(tmp_path / "none.txt"))
