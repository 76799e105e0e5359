"""Files that are wrong before there is a tokenizer: what is said, at which line, and what is still looked into."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import TokenizerSource
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.bundled import bundled_file, bundled_names
from tokenizer_conformance.inputs.tokenizer_files import FoundTokenizer
from tokenizer_conformance.research.file_audit.audited import JsonText
from tokenizer_conformance.research.file_audit.finding import FoundDefect
from tokenizer_conformance.research.file_audit.reading import ReadFile, _without_part, described, read

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_conformance.comparison.loaded_documents import Documents

WRONG: list[tuple[bytes, str, int | None, str]] = [
    (b"", "not-json", 1, "it is empty"),
    (b'{"a": 1,\n "b": }', "not-json", 2, "Expecting value at line 2 column 7"),
    (b'{"a": "b"\n', "not-json", 2, "Expecting ',' delimiter at line 2 column 1"),
    (b'{\n"a": "\xff"}', "not-json", 2, "is not UTF-8: byte 0xFF at offset 8"),
    (b"[" * 100_000, "not-json", None, "nested too deeply"),
    (b'{"a": ' + b"1" * 5_000 + b"}", "not-json", None, "Exceeds the limit"),
    (b"[]", "not-a-tokenizer", 1, "an object is expected at the top, and it is an array"),
    (b'{"vocab": {}}', "not-a-tokenizer", None, 'it has no "model" object'),
    (b'{"model": "BPE"}', "not-a-tokenizer", None, "$.model is a string, where an object is expected"),
    (b"version https://git-lfs.example/spec/v1", "not-json", 1, "get that with 'git lfs pull'"),
]


def read_content(folder: Path, content: bytes) -> ReadFile | FoundDefect:
    file = folder / "tokenizer.json"
    file.write_bytes(content)
    return read(described(FoundTokenizer(TokenizerSource("x", str(file)))))


@pytest.mark.parametrize(("content", "id", "line", "message"), WRONG)
def test_what_is_no_tokenizer_is_a_finding_with_its_line(
    content: bytes, id: str, line: int | None, message: str, tmp_path: Path
) -> None:
    finding = read_content(tmp_path, content)
    assert isinstance(finding, FoundDefect)
    assert (finding.defect.id, finding.line) == (id, line)
    assert message in finding.message


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="Is a directory"):
        described(FoundTokenizer(TokenizerSource("x", str(tmp_path))))


GOOD = {"id": 1, "content": "b", **dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), False)}
BAD = {"id": 2, "content": "c"}
NONE = {"type": "None of these"}
LOADED: dict[str, Any] = {
    "version": "1.0",
    "added_tokens": [],
    "model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"},
}


@pytest.mark.parametrize(
    ("parts", "path"),
    [
        ({"normalizer": NONE}, ("normalizer",)),
        (
            {"normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}, NONE, {"type": "NFD"}]}},
            ("normalizer", "normalizers", 1),
        ),
        (
            {"decoder": {"type": "Sequence", "decoders": [{"type": "Sequence", "decoders": [{"type": "Fuse"}, NONE]}]}},
            ("decoder", "decoders", 0, "decoders", 1),
        ),
        ({"added_tokens": [GOOD, BAD]}, ("added_tokens", 1)),
        ({"added_tokens": [BAD, GOOD]}, ("added_tokens", 0)),
        ({"added_tokens": [BAD, BAD]}, ("added_tokens",)),
        ({"added_tokens": {"b": 1}}, ("added_tokens",)),
        ({"nothing_known": 1}, ("nothing_known",)),
        ({"model": {"type": "WordLevel"}}, ()),
    ],
)
def test_a_file_is_refused_for_the_innermost_part_without_which_it_is_loaded(
    parts: dict[str, Any], path: tuple[str | int, ...], documents: Documents
) -> None:
    assert _without_part(LOADED | parts, "it is refused", documents).path == path


# Lines ---------------------------------------------------------------------------------------------------------------

TEXT = """{
  "a": {"b": [1,
     {"c d": "}{", "é\\n": null}], "a": 2,
  "b": 3},
  "": []
}"""

LINES: list[tuple[tuple[str | int, ...], int]] = [
    ((), 1),
    (("a",), 2),
    (("a", "b"), 4),
    (("a", "a"), 3),
    (("",), 5),
    (("", 0), 5),
    (("missing",), 1),
    (("a", "missing", "more"), 2),
]


@pytest.mark.parametrize(("path", "line"), LINES)
def test_the_line_of_a_path_is_that_of_its_key_or_of_what_it_would_be_in(
    path: tuple[str | int, ...], line: int
) -> None:
    assert JsonText(TEXT).line_of(path) == line


def test_repeated_keys_are_told_with_their_lines() -> None:
    assert JsonText(TEXT).repeated(("a",)) == [("b", 4)]
    assert JsonText(TEXT).repeated(()) == []
    assert JsonText(TEXT).repeated(("missing",)) == []


@pytest.mark.parametrize("name", bundled_names())
def test_every_key_of_a_real_file_is_found_on_its_line(name: str) -> None:
    text = bundled_file(name).read_text("utf-8")
    document, lines, places = json.loads(text), text.splitlines(), JsonText(text)
    paths = [
        *((key,) for key in document),
        *(("model", key) for key in document["model"]),
        *(("added_tokens", index, "content") for index in range(len(document["added_tokens"]))),
    ]
    vocabulary = document["model"]["vocab"]
    paths += [("model", "vocab", key) for key in (vocabulary if isinstance(vocabulary, dict) else ())][::50]
    for path in paths:
        line = places.line_of(path)
        assert line is not None
        assert json.dumps(path[-1], ensure_ascii=False) in lines[line - 1] or json.dumps(path[-1]) in lines[line - 1]
