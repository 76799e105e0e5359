"""A TOKENIZER is found by name, file or folder; what is none is refused with the reason."""

from __future__ import annotations

import hashlib
import json
import tracemalloc
from pathlib import Path

import pytest
from irregular_files import IRREGULAR, irregular

from tokenizer_adapters.contract import TokenizerSource
from tokenizer_conformance import BadInputError, find_tokenizer, read_tokenizer
from tokenizer_conformance.inputs import tokenizer_files
from tokenizer_conformance.inputs.bundled import bundled_file, bundled_names
from tokenizer_conformance.inputs.magic_numbers import HEAD
from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile, with_unique_names

GOOD = b'{"model": {"type": "BPE"}}'


def written(path: Path, content: bytes = GOOD) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("name", bundled_names())
def test_bundled_names_are_tokenizers(name: str) -> None:
    assert find_tokenizer(name) == TokenizerSource(name, str(bundled_file(name)))
    assert read_tokenizer(find_tokenizer(name)).source.name == name


def test_a_folder_is_a_checkpoint_of_its_name(tmp_path: Path) -> None:
    file = written(tmp_path / "my-model" / "tokenizer.json")
    assert find_tokenizer(str(file.parent)) == TokenizerSource("my-model", str(file), str(file.parent))
    assert find_tokenizer(f"{file.parent}/").name == "my-model"


def test_the_current_folder_has_its_real_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path / "my-model" / "tokenizer.json")
    monkeypatch.chdir(tmp_path / "my-model")
    assert find_tokenizer(".").name == "my-model"
    assert find_tokenizer("tokenizer.json").name == "my-model"


def test_a_file_of_another_name_stands_alone(tmp_path: Path) -> None:
    file = written(tmp_path / "small.json")
    assert find_tokenizer(str(file)) == TokenizerSource("small", str(file), None)


def test_a_folder_goes_before_a_bundled_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path / bundled_names()[0] / "tokenizer.json")
    monkeypatch.chdir(tmp_path)
    assert find_tokenizer(bundled_names()[0]).folder == bundled_names()[0]


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("bert-base-uncased", "HF_HUB_OFFLINE is set, and the cache .* does not hold it"),
        ("org/name", "HF_HUB_OFFLINE is set, and the cache .*; and here is no file or folder of that name$"),
        ("gpt2", r"^is the bundled 'gpt2-mini' meant\? "),
        ("gpt2-mini", None),
        ("missing.json", "no such file or folder$"),
        ("./missing", "no such file or folder$"),
        ("missing/", "no such file or folder$"),
        ("~/missing", "no such file or folder$"),
        ("~nobody-of-that-name/missing", "no such file or folder$"),
        ("a/b/missing", "no such file or folder$"),
        ("/no/such/folder", "no such file or folder$"),
        ("merges.txt", "no such file or folder$"),
        ("checkpoints/*", r"no such file or folder \(as a pattern it matches nothing here\)$"),
        ("https://hub.example/org/name", "an address; give a path, or of a repository on the hub the name"),
        ("-", "standard input cannot be read more than once"),
        ("hub:./checkpoint", "no file or folder, no bundled tokenizer .*, and no name of the hub, which is OWNER/NAME"),
        ("two words", "no file or folder, no bundled tokenizer .*, and no name of the hub, which is OWNER/NAME"),
        ("", "an empty word names none"),
        ("x" * 5000, "File name too long"),
    ],
)
def test_a_name_that_is_nothing_is_refused(
    argument: str, message: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if message is None:
        assert find_tokenizer(argument)
        return
    with pytest.raises(BadInputError, match=message):
        find_tokenizer(argument)


LACKING: list[tuple[list[str], str]] = [
    ([], "; it is empty"),
    (["README.md", "model.safetensors"], " but README.md, model.safetensors"),
    (
        ["tokenizer_config.json", "config.json"],
        " but tokenizer_config.json; convert it with transformers, AutoTokenizer",
    ),
    (["vocab.json", "merges.txt"], " but merges.txt, vocab.json; convert it with transformers, AutoTokenizer"),
    (["spiece.model"], " but spiece.model; convert it with transformers, AutoTokenizer"),
    (["a/tokenizer.json", "b/tokenizer.json"], "; folders in it do: {folder}/a, {folder}/b"),
    ([f"{number}/tokenizer.json" for number in range(9)], "{folder}/5 and 3 more"),
]


@pytest.mark.parametrize(("names", "words"), LACKING, ids=[words.strip(" ;")[:30] for _, words in LACKING])
def test_a_folder_without_tokenizer_is_refused(tmp_path: Path, names: list[str], words: str) -> None:
    folder = tmp_path / "checkpoint"
    folder.mkdir()
    for name in names:
        written(folder / name)
    with pytest.raises(BadInputError) as caught:
        find_tokenizer(str(folder))
    assert str(caught.value).startswith(f"folder {str(folder)!r} holds no tokenizer.json")
    assert words.format(folder=folder) in str(caught.value)


def test_a_folder_of_the_hubs_cache_is_told_its_name(tmp_path: Path) -> None:
    (tmp_path / "models--org--na--me" / "snapshots").mkdir(parents=True)
    with pytest.raises(BadInputError, match=r"it is a part of the hub's cache: give the name, org/na--me$"):
        find_tokenizer(str(tmp_path / "models--org--na--me"))


def test_a_link_to_a_file_of_another_name_has_the_name_of_its_folder(tmp_path: Path) -> None:
    written(tmp_path / "blobs" / "0123")
    link = tmp_path / "my-model" / "tokenizer.json"
    link.parent.mkdir()
    link.symlink_to("../blobs/0123")
    assert find_tokenizer(str(link)).name == "my-model"


def test_links_to_nothing_are_refused(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").symlink_to("missing")
    (tmp_path / "lone").symlink_to("missing")
    for argument in (tmp_path, tmp_path / "tokenizer.json", tmp_path / "lone"):
        with pytest.raises(BadInputError, match=r"\(it is a symbolic link to 'missing', where nothing is\)$"):
            find_tokenizer(str(argument))


def test_a_home_that_no_shell_has_put_in_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    written(tmp_path / "my-model" / "tokenizer.json")
    assert find_tokenizer("~/my-model").name == "my-model"


@pytest.mark.parametrize("kind", IRREGULAR)
@pytest.mark.parametrize("in_folder", [True, False])
def test_what_is_no_file_is_refused_and_not_waited_for(tmp_path: Path, kind: str, in_folder: bool) -> None:
    path = tmp_path / "tokenizer.json"
    with irregular(kind, path) as words:
        for refuse in (find_tokenizer, lambda name: read_tokenizer(TokenizerSource("x", name))):
            argument = str(tmp_path if in_folder and refuse is find_tokenizer else path)
            with pytest.raises(BadInputError) as caught:
                refuse(argument)
            assert str(caught.value).startswith(
                f"tokenizer file {str(path)!r} is {words} and no file, and would have to be"
            )


BAD: list[tuple[bytes, str]] = [
    (b"", "is empty"),
    (b"{", "is not JSON: Expecting property name enclosed in double quotes at line 1 column 2"),
    (b"PK\x03\x04", "is not JSON: Expecting value at line 1 column 1"),
    (b'{"a": "\xff"}', "is not UTF-8: byte 0xFF at offset 7"),
    (b"[1, 2]", "is JSON but no tokenizer: an object is expected at the top, and it is an array"),
    (b"\x1f\x8b\x08\x00", "(it is compressed with gzip: decompress it first)"),
    (b"PK\x03\x04", "(it is a zip archive: unpack it first)"),
    ("{}".encode("utf-16"), "(it is UTF-16: convert it to UTF-8)"),
    (b"\xef\xbb\xbf{}", "(it begins with a byte order mark: save it as UTF-8 without one)"),
    (
        b"version https://git-lfs.example/spec/v1\n",
        "(it is a pointer of Git LFS, and not the file: get that with 'git lfs pull')",
    ),
    (b"\n<!DOCTYPE html>", "(it is a web page: download the file itself)"),
    (
        b"\n\x0e\n\x05<unk>\x15\x00\x00",
        "(it looks like a SentencePiece model: give the folder of its checkpoint, with a tokenizer",
    ),
    (b"GGUF\x03\x00", "(it holds weights (GGUF)"),
    (b'\x40\x00\x00\x00\x00\x00\x00\x00{"__metadata__":{}}', "(it holds weights (safetensors)"),
    (b'{"model": {}}\n{"model": {}}\n', "(it looks like JSON Lines: a tokenizer is a single object)"),
    (b'{"model_max_length": 1024}', "(it looks like tokenizer_config.json; give the tokenizer.json beside it)"),
    (b'{"model_type": "bert"}', "(it looks like config.json; give the tokenizer.json beside it)"),
    (b'{"type": "header", "schema": "x"}', "(it looks like a record of tokconf)"),
    (b"null", "is JSON but no tokenizer: an object is expected at the top"),
    (b'{"model": null}', "is JSON but no tokenizer: $.model is null, where an object is expected"),
    (b'{"version": "1.0"}', 'is JSON but no tokenizer: it has no "model" object'),
    (b'{"error": "Repo\\u001b not found"}', '(it says "Repo\\x1b not found": a server\'s answer in place of the file'),
    (b"Entry not found", "(it is a server's message, and not the file: get that again, with access to it)"),
    (b'{"model": {"type": "BPE', "Unterminated string at line 1 column 20 (it does not end with the } of an object"),
    (b'{"tokenizer_class": "X"}', "(it looks like tokenizer_config.json; give the tokenizer.json beside it)"),
    (b'{"a": 0, "b": 1}', "(it looks like vocab.json; give the tokenizer.json beside it)"),
    (b"[" * 100_000, "is nested too deeply to be read"),
    (b'{"model": ' + b"1" * 5000 + b"}", "cannot be read as JSON"),
]


@pytest.mark.parametrize(("content", "message"), BAD, ids=[message[:40] for _, message in BAD])
def test_a_file_that_is_no_tokenizer_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    file = written(tmp_path / "bad.json", content)
    with pytest.raises(BadInputError) as caught:
        read_tokenizer(find_tokenizer(str(file)))
    assert str(caught.value).startswith(f"tokenizer file {str(file)!r}")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("merges.txt", "(it is another file of a checkpoint; give the tokenizer.json beside it)"),
        ("vocab.txt", "(it is another file of a checkpoint; give the tokenizer.json beside it)"),
        ("novel.txt", "(texts are given with --inputs)"),
    ],
)
def test_a_text_in_the_place_of_a_tokenizer_is_told_where_it_belongs(tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(BadInputError) as caught:
        read_tokenizer(find_tokenizer(str(written(tmp_path / name, b"a b\n"))))
    assert str(caught.value).endswith(words)


def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = find_tokenizer(str(written(tmp_path / "secret.json")))

    def refuse(_path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(BadInputError, match="Permission denied"):
        read_tokenizer(source)


LARGE_AND_BAD: list[tuple[bytes, str]] = [
    (b"[" + b" " * 100 + b"]", "is no JSON object"),
    (b"\x1f\x8b" + bytes(100), "is no JSON object (it is compressed with gzip: decompress it first)"),
    (b"\n\x0e\n\x05<unk>" + bytes(100), "give the folder of its checkpoint, with a tokenizer.json)"),
    (b'{"model": {' + b" " * 100, "is not whole: it does not end with the } of a JSON object"),
]


@pytest.mark.parametrize(("content", "message"), LARGE_AND_BAD)
def test_the_ends_of_a_large_file_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, message: str
) -> None:
    monkeypatch.setattr(tokenizer_files, "PARSED", 50)
    with pytest.raises(BadInputError) as caught:
        read_tokenizer(find_tokenizer(str(written(tmp_path / "large.json", content))))
    assert str(caught.value).endswith(message)


@pytest.mark.parametrize("chunk", [1, 7, 1 << 20])
@pytest.mark.parametrize(("kind", "found"), [("Unigram", "Unigram"), ("BPE", None)])
def test_a_large_file_is_not_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int, kind: str, found: str | None
) -> None:
    content = b'{"added_tokens": [], "model": {"type": "%s", "vocab": ...}} \n' % kind.encode()
    source = find_tokenizer(str(written(tmp_path / "large.json", content)))
    with pytest.raises(BadInputError, match="is not JSON"):
        read_tokenizer(source)
    monkeypatch.setattr(tokenizer_files, "PARSED", 50)
    monkeypatch.setattr(tokenizer_files, "CHUNK", chunk)
    expected = TokenizerFile(source, hashlib.sha256(content).hexdigest(), len(content), found)
    assert read_tokenizer(source) == expected


@pytest.mark.parametrize("chunk", [1, 7, 1 << 20])
def test_blanks_around_a_large_file_are_no_part_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    monkeypatch.setattr(tokenizer_files, "PARSED", 50)
    monkeypatch.setattr(tokenizer_files, "CHUNK", chunk)
    blanks = b"\n" * (2 * HEAD)
    content = blanks + b'{"model": {"type" \t:%s"Unigram"}}' % (b" " * 100) + blanks
    assert read_tokenizer(find_tokenizer(str(written(tmp_path / "large.json", content)))).model == "Unigram"
    source = find_tokenizer(str(written(tmp_path / "blank.json", blanks)))
    with pytest.raises(BadInputError, match="is no JSON object"):
        read_tokenizer(source)


def test_reading_a_large_file_takes_little_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenizer_files, "PARSED", 1 << 20)
    vocab = {f"token {number}": number for number in range(200_000)}
    source = find_tokenizer(str(written(tmp_path / "t.json", json.dumps({"model": {"vocab": vocab}}).encode())))
    tracemalloc.start()
    try:
        file = read_tokenizer(source)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < file.size, "no more than a few chunks of it"


@pytest.mark.parametrize(
    ("model", "kind"),
    [
        ({"type": "BPE"}, "BPE"),
        ({"type": "Unigram", "vocab": []}, "Unigram"),
        ({"vocab": [["a", 0.0]]}, "Unigram"),
        ({"vocab": {}}, None),
        ({"type": 7}, None),
    ],
)
def test_the_type_of_the_model_is_read(tmp_path: Path, model: dict[str, object], kind: str | None) -> None:
    file = read_tokenizer(find_tokenizer(str(written(tmp_path / "t.json", json.dumps({"model": model}).encode()))))
    assert file.model == kind


def test_a_folder_in_the_place_of_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").mkdir()
    with pytest.raises(BadInputError, match="Is a directory"):
        read_tokenizer(find_tokenizer(str(tmp_path)))


def test_names_are_made_unique(tmp_path: Path) -> None:
    files = [written(tmp_path / parent / "same" / "tokenizer.json") for parent in ("a", "b")]
    sources = [find_tokenizer(str(file.parent)) for file in [*files, files[0]]]
    assert [source.name for source in with_unique_names(sources)] == [str(file) for file in files]


def test_the_digest_is_that_of_the_file(tmp_path: Path) -> None:
    file = written(tmp_path / "t.json")
    assert read_tokenizer(find_tokenizer(str(file))).sha256 == hashlib.sha256(GOOD).hexdigest()


def test_a_folder_with_weights_alone_says_where_the_tokenizer_is(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").write_bytes(b"GGUF")
    (tmp_path / "config.json").write_text("{}", "utf-8")
    with pytest.raises(BadInputError, match=r"model\.gguf, which keeps its tokenizer inside; give the tokenizer"):
        find_tokenizer(str(tmp_path))
