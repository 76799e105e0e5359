"""The words that name releases."""

from __future__ import annotations

import pytest
from packaging.specifiers import SpecifierSet

from tokenizer_adapters.environments.faults import WordError
from tokenizer_adapters.environments.words import (
    Elsewhere,
    ModelFile,
    Pin,
    Range,
    is_range,
    is_release,
    known_as,
    name_of,
    read,
)


@pytest.mark.parametrize(
    ("word", "given", "name"),
    [
        ("tokenizers==0.19.1", Pin("tokenizers", "0.19.1"), "tokenizers==0.19.1"),
        ("tokenizers===0.19.1", Pin("tokenizers", "0.19.1"), "tokenizers===0.19.1"),
        ("tokenizers == 0.19.1", Pin("tokenizers", "0.19.1"), "tokenizers == 0.19.1"),
        ("tokenizers==1.0.0rc1", Pin("tokenizers", "1.0.0rc1"), "tokenizers==1.0.0rc1"),
        ("old=tokenizers==0.19.1", Pin("tokenizers", "0.19.1", "old"), "old"),
        ("my own=splintr-rs==0.1", Pin("splintr-rs", "0.1", "my own"), "my own"),
        ("mistral_common==1.5", Pin("mistral_common", "1.5"), "mistral_common==1.5"),
        ("tokenizers@.venv-old", Elsewhere("tokenizers", ".venv-old"), None),
        ("tokenizers@/a b/bin/python", Elsewhere("tokenizers", "/a b/bin/python"), None),
        ("tokenizers@/a==b", Elsewhere("tokenizers", "/a==b"), None),
        ("old=tokenizers@.venv-old", Elsewhere("tokenizers", ".venv-old", "old"), "old"),
        ("transformers-4-slow@x@y", Elsewhere("transformers-4-slow", "x@y"), None),
        ("llama.cpp@a/model.gguf", ModelFile("llama.cpp", "a/model.gguf"), "llama-cpp@model.gguf"),
        ("xllamacpp@model.GGUF", ModelFile("xllamacpp", "model.GGUF"), "llama-cpp@model.GGUF"),
        ("my own=llama-cpp@model.gguf", ModelFile("llama-cpp", "model.gguf", "my own"), "my own"),
    ],
)
def test_a_word_names_one_release(word: str, given: Pin | Elsewhere | ModelFile, name: str | None) -> None:
    assert read(word) == given
    assert name_of(word) == name
    assert is_release(word)
    assert not is_range(word)


@pytest.mark.parametrize(
    ("word", "specifiers"),
    [
        ("tokenizers>=0.20,<0.22", ">=0.20,<0.22"),
        ("tokenizers==0.20.*", "==0.20.*"),
        ("tokenizers~=0.20.1", "~=0.20.1"),
        ("tokenizers!=0.21.0", "!=0.21.0"),
        ("tokenizers==0.20.1,!=0.21.0", "==0.20.1,!=0.21.0"),
    ],
)
def test_a_word_names_a_range(word: str, specifiers: str) -> None:
    assert read(word) == Range("tokenizers", SpecifierSet(specifiers))
    assert is_range(word)
    assert is_release(word)


@pytest.mark.parametrize(
    "word",
    [
        "tokenizers",
        "command:a==1",
        "new=command:./a>=1",
        "./a==1",
        "a.b:C",
        "user@host",
        "",
        "==1",
        "-x==1",
        "@",
        "hub:a@b",
    ],
)
def test_other_words_name_no_release(word: str) -> None:
    assert not is_release(word)
    assert not is_range(word)
    assert name_of(word) is None or "@" in word


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("tokenizers==nine", "'nine' is no version; versions look like 0.19.1 or 1.0rc2"),
        ("tokenizers>=nine", "'>=nine' is no version specifier; write PACKAGE==VERSION, or a range"),
        ("old=tokenizers>=0.19", "a range of releases, which cannot share the name 'old'; leave it out"),
        ("tokenizers", "names no release; write PACKAGE==VERSION, or IMPLEMENTATION@path/to/python"),
    ],
)
def test_a_word_that_names_nothing_is_refused_with_what_to_write(word: str, words: str) -> None:
    with pytest.raises(WordError, match=words):
        read(word)


@pytest.mark.parametrize(
    ("name", "implementation"),
    [
        ("tokenizers==0.19.1", "tokenizers"),
        ("tokenizers@0.19.1", "tokenizers"),
        ("Mistral_Common==1.5", "mistral-common"),
        ("transformers-4-slow==4.57.1", "transformers-4-slow"),
        ("tokenizers", "tokenizers"),
        ("old", "old"),
        ("somebody's==1", "somebody's==1"),
        ("unknown==1", "unknown==1"),
    ],
)
def test_a_release_is_known_as_its_implementation(name: str, implementation: str) -> None:
    assert known_as(name) == implementation
