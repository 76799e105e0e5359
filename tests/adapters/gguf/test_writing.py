"""Files that are made of a vocabulary: what stands in them, and that each is made once."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.gguf.vocabulary import GgufVocabulary, read_vocabulary
from tokenizer_adapters.gguf.writing import cache_folder, kept, write

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("gguf", reason="the package gguf is not installed")

LEAST = GgufVocabulary(model="gpt2", tokens=("a",), architecture="llama")
MOST = GgufVocabulary(
    model="t5",
    tokens=("<unk>", "▁é\n", ""),
    pre="default",
    types=(2, 1, 1),
    scores=(0.0, -1.5, -2.0),
    merges=("a b", "Ġ a"),
    special_ids={"bos": 0, "seperator": 1},
    flags={"add_bos_token": True, "normalizer.lowercase": False},
    charsmap=b"\x00\xff",
    templates={"default": "{{ 1 }}", "rag": "{{ 2 }}"},
    architecture="t5",
    name="toy",
)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "tokenizer-conformance" / "gguf"


@pytest.mark.parametrize("vocabulary", [LEAST, MOST], ids=["least", "most"])
def test_what_is_written_is_read(tmp_path: Path, vocabulary: GgufVocabulary) -> None:
    write(vocabulary, tmp_path / "model.gguf")
    assert read_vocabulary(tmp_path / "model.gguf") == vocabulary


def test_scores_are_floats_of_32_bits(tmp_path: Path) -> None:
    write(GgufVocabulary(model="t5", tokens=("a",), scores=(0.1,), architecture="t5"), tmp_path / "model.gguf")
    assert read_vocabulary(tmp_path / "model.gguf").scores == tuple(array("f", [0.1]))


def test_no_merges_are_one_that_merges_nothing(tmp_path: Path) -> None:
    vocabulary = GgufVocabulary(model="gpt2", tokens=("a",), merges=(), architecture="llama")
    write(vocabulary, tmp_path / "model.gguf")
    assert read_vocabulary(tmp_path / "model.gguf").merges == ("",)


def test_a_file_is_made_once_for_the_same_contents(cache: Path) -> None:
    asked: list[bytes] = []

    def convert(content: bytes) -> GgufVocabulary:
        asked.append(content)
        return LEAST

    files = [kept([content, b"c"], lambda content=content: convert(content)) for content in (b"a", b"b", b"a")]
    assert asked == [b"a", b"b"]
    assert files[0] == files[2] != files[1]
    assert sorted(cache.iterdir()) == sorted({files[0], files[1]})


def test_where_one_content_ends_counts() -> None:
    assert kept([b"ab", b"c"], lambda: LEAST) != kept([b"a", b"bc"], lambda: LEAST)


def test_what_a_conversion_raises_leaves_nothing(cache: Path) -> None:
    def convert() -> GgufVocabulary:
        raise ValueError("no such model")

    with pytest.raises(ValueError, match="no such model"):
        kept([b"a"], convert)
    assert not cache.exists()


def test_without_a_cache_that_can_be_written_the_file_lasts_as_long_as_the_process(cache: Path) -> None:
    cache.parent.parent.mkdir(parents=True)
    cache.parent.write_text("in the way", encoding="utf-8")
    file = kept([b"a"], lambda: LEAST)
    assert cache not in file.parents
    assert read_vocabulary(file) == LEAST


def test_a_relative_cache_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache_folder().is_absolute()
    assert "relative" not in cache_folder().parts
