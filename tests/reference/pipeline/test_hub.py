"""`from_pretrained`: a folder, the cache of the hub, and what is said where there is neither."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import huggingface_hub.constants
import pytest
import tokenizers
from huggingface_hub.errors import LocalEntryNotFoundError

from tokenizer_reference import Tokenizer
from tokenizer_reference.errors import TokenizerFileError

if TYPE_CHECKING:
    from pathlib import Path

COMMIT = "0123456789abcdef0123456789abcdef01234567"
NAME = "some-org/some-tokenizer"


def document(token: str) -> str:
    return json.dumps({"model": {"type": "WordLevel", "vocab": {token: 0}, "unk_token": token}})


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the hub's client of our own, without a network."""
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "hub" / "models--some-org--some-tokenizer"


def put(cache: Path, commit: str, revision: str, content: str) -> None:
    (cache / "snapshots" / commit).mkdir(parents=True)
    (cache / "snapshots" / commit / "tokenizer.json").write_text(content, encoding="utf-8")
    (cache / "refs").mkdir(exist_ok=True)
    (cache / "refs" / revision).write_text(commit, encoding="utf-8")


def test_a_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text(document("here"), encoding="utf-8")
    assert Tokenizer.from_pretrained(str(tmp_path)).get_vocab() == {"here": 0}


def test_a_cached_repository_is_read_as_by_the_target(cache: Path) -> None:
    put(cache, COMMIT, "main", document("cached"))
    put(cache, COMMIT[::-1], "v2", document("newer"))
    for options, token in (({}, "cached"), ({"revision": "v2"}, "newer"), ({"revision": COMMIT}, "cached")):
        ours, theirs = (kind.from_pretrained(NAME, **options) for kind in (Tokenizer, tokenizers.Tokenizer))
        assert ours.to_str() == theirs.to_str()
        assert ours.get_vocab() == {token: 0}


def test_what_is_nowhere_is_an_error_that_says_where_was_looked() -> None:
    with pytest.raises(LocalEntryNotFoundError) as theirs:
        tokenizers.Tokenizer.from_pretrained(NAME)
    with pytest.raises(type(theirs.value), match="cache") as ours:
        Tokenizer.from_pretrained(NAME)
    assert ours.value.__notes__ == [f"{NAME!r} is no folder with a tokenizer.json either."]


def test_a_cached_file_that_cannot_be_read_is_named(cache: Path) -> None:
    put(cache, COMMIT, "main", '{"model": 1}')
    with pytest.raises(TokenizerFileError, match=r"^\$\.model: expected a model") as caught:
        Tokenizer.from_pretrained(NAME)
    assert caught.value.__notes__ == [f"The file is {str(cache / 'snapshots' / COMMIT / 'tokenizer.json')!r}."]


def test_without_the_hubs_client_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(ModuleNotFoundError, match=rf"^'{NAME}' is no folder .+: pip install huggingface_hub$"):
        Tokenizer.from_pretrained(NAME)
