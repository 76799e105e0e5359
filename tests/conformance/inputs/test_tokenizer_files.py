"""A TOKENIZER is found by name, file or folder; what is none is refused with the reason."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tokenizer_adapters.contract import TokenizerSource
from tokenizer_conformance import BadInputError, find_tokenizer, read_tokenizer
from tokenizer_conformance.inputs.bundled import bundled_file, bundled_names
from tokenizer_conformance.inputs.tokenizer_files import with_unique_names

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
        ("bert-base-uncased", "names of the hub are not supported yet"),
        ("org/name", "names of the hub are not supported yet"),
        ("gpt2-mini", None),
        ("missing.json", "no such file or folder"),
        ("./missing", "no such file or folder"),
        ("/no/such/folder", "no such file or folder"),
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


def test_a_folder_without_tokenizer_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"holds no tokenizer\.json"):
        find_tokenizer(str(tmp_path))


BAD: list[tuple[bytes, str]] = [
    (b"", "is empty"),
    (b"{", "is not JSON: Expecting property name enclosed in double quotes at line 1 column 2"),
    (b"PK\x03\x04", "is not JSON: Expecting value at line 1 column 1"),
    (b'{"a": "\xff"}', "is not UTF-8: byte 0xFF at offset 7"),
    (b"[1, 2]", "is JSON but no tokenizer: an object is expected at the top"),
    (b"null", "is JSON but no tokenizer: an object is expected at the top"),
    (b'{"model": null}', 'is JSON but no tokenizer: it has no "model" object'),
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


def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = find_tokenizer(str(written(tmp_path / "secret.json")))

    def refuse(_path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(BadInputError, match="Permission denied"):
        read_tokenizer(source)


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
