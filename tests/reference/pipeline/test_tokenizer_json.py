"""Reading tokenizer.json: what is accepted, and how a refusal names the place."""

from __future__ import annotations

import contextlib
import gc
import json
from typing import TYPE_CHECKING, Any

import pytest
import tokenizers
from in_one_test import in_one_test

import tokenizer_reference
from tokenizer_reference.errors import TokenizerFileError, UnsupportedComponentError
from tokenizer_reference.pipeline.tokenizer_json import read_tokenizer_json

if TYPE_CHECKING:
    from pathlib import Path

MODEL: dict[str, Any] = {"type": "WordLevel", "vocab": {"a": 0, "[U]": 1}, "unk_token": "[U]"}


def document(**parts: Any) -> str:
    return json.dumps({"version": "1.0", "model": MODEL} | parts)


# What stands in the file, and what the message must name. The target refuses each of these too.
REFUSED: dict[str, tuple[str, str]] = {
    "empty": ("", r"\$: not JSON: .* line 1, column 1"),
    "not-json": ("{'a': 1}", r"\$: not JSON: .* line 1, column 2"),
    "nan": ('{"model": NaN}', r"\$\.model: not JSON: expected a value, found 'N' at line 1, column 11"),
    "lone-surrogate": ('{"version": "\\ud800"}', r"\$\.version: not JSON: .*surrogate pair at line 1, column 14"),
    "too-deep": (
        "[" * 100_000,
        r"\$(\[0\])+.*…\S*: not JSON: more than 127 arrays and objects in each other at line 1, column 128",
    ),
    "array": ("[]", r"\$: expected an object, found an array"),
    "no-model": ("{}", r"\$: missing field `model`"),
    "unknown-key": (document(foo=1), r"\$: unknown key 'foo'"),
    "version": (document(version="2.0"), r"\$\.version: unknown tokenizer version '2\.0'"),
    "model-null": (document(model=None), r"\$\.model: expected a model: an object with a `type`; found null"),
    "model-unknown": (document(model={"type": "Foo"}), r"\$\.model\.type: there is no model 'Foo'.*BPE, WordPiece"),
    "vocab-missing": (document(model={"type": "WordLevel", "unk_token": "u"}), r"\$\.model: missing field `vocab`"),
    "negative-id": (document(model=MODEL | {"vocab": {"a": -1}}), r"\$\.model\.vocab.*-1"),
    "fractional-id": (document(model=MODEL | {"vocab": {"a": 1.0}}), r"\$\.model\.vocab.*a number"),
    "merge-out-of-vocabulary": (
        document(model={"type": "BPE", "vocab": {"a": 0, "ab": 1}, "merges": [["a", "b"]]}),
        r"\$\.model\.merges\[0\].*'b'",
    ),
    "normalizer-unknown": (
        document(normalizer={"type": "Nope"}),
        r"\$\.normalizer\.type: there is no normalizer 'Nope'",
    ),
    "nested-unknown": (
        document(pre_tokenizer={"type": "Sequence", "pretokenizers": [{"type": "Whitespace"}, {"type": "Nope"}]}),
        r"\$\.pre_tokenizer\.pretokenizers\[1\]\.type: there is no pre-tokenizer 'Nope'",
    ),
    "added-tokens-null": (document(added_tokens=None), r"\$\.added_tokens: expected an array, found null"),
    "added-token-field": (document(added_tokens=[{"id": 0, "content": "x"}]), r"\$\.added_tokens\[0\]: missing field"),
    "truncation-field": (document(truncation={"max_length": 3}), r"\$\.truncation: missing field"),
}


@in_one_test("name", REFUSED)
def test_refusal_names_the_place_and_what_was_expected(name: str) -> None:
    text, message = REFUSED[name]
    with pytest.raises(TokenizerFileError, match=message):
        tokenizer_reference.Tokenizer.from_str(text)
    with pytest.raises(Exception):  # noqa: B017, PT011 - the target raises bare Exception
        tokenizers.Tokenizer.from_str(text)


def test_unknown_component_has_an_error_of_its_own() -> None:
    with pytest.raises(UnsupportedComponentError) as caught:
        tokenizer_reference.Tokenizer.from_str(document(decoder={"type": "Nope"}))
    assert caught.value.path == "$.decoder.type"


@pytest.mark.parametrize(
    "text",
    [
        document(),
        json.dumps({"model": MODEL}),
        document(normalizer=None, pre_tokenizer=None, truncation=None, padding=None),
        '{"model": {"vocab": {"a": 5}, "unk_token": "u"}, "model": ' + json.dumps(MODEL) + "}",
        document(normalizer={"type": "Lowercase", "surplus": 1}),
        document(
            added_tokens=[
                {
                    "id": 77,
                    "content": "zz",
                    "single_word": False,
                    "lstrip": False,
                    "rstrip": False,
                    "normalized": True,
                    "special": False,
                },
            ]
        ),
    ],
    ids=["minimal", "no-version", "nulls", "duplicate-key", "surplus-field", "added-id-ignored"],
)
def test_accepted_files_are_written_as_by_the_target(text: str) -> None:
    ours = tokenizer_reference.Tokenizer.from_str(text)
    theirs = tokenizers.Tokenizer.from_str(text)
    assert ours.to_str() == theirs.to_str()
    assert ours.to_str(pretty=True) == theirs.to_str(pretty=True)


def test_file_that_is_not_utf8_is_refused_with_the_byte(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_bytes(b'{"version": "\xff"}')
    with pytest.raises(TokenizerFileError, match=r"not UTF-8: .* at byte 13"):
        tokenizer_reference.Tokenizer.from_file(str(path))


def test_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        tokenizer_reference.Tokenizer.from_file(str(tmp_path / "none.json"))


@pytest.mark.parametrize("was_enabled", [True, False])
@pytest.mark.parametrize("text", ['{"model": {"type": "BPE", "vocab": {}, "merges": []}}', "{"])
def test_the_collector_of_cycles_is_left_as_it_was(text: str, was_enabled: bool) -> None:
    if not was_enabled:
        gc.disable()
    try:
        with contextlib.suppress(TokenizerFileError):
            read_tokenizer_json(text)
        assert gc.isenabled() is was_enabled
    finally:
        gc.enable()
