"""What `transformers` is told when a checkpoint is read and a tokenizer is changed, and what is put back afterwards."""

from __future__ import annotations

import importlib
import logging
import os
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import (
    AddTokens,
    Encode,
    EncodeBatch,
    EncodeSpecialTokens,
    NewToken,
    TokenizerSource,
    Unsupported,
)
from tokenizer_adapters.transformers import (
    TransformersImplementation,
    TransformersSubject,
    _change,
    _encode_batch,
    _import_transformers,
    _offline,
    _silence,
    is_configured,
)

if TYPE_CHECKING:
    from pathlib import Path

ADVICE = "TRANSFORMERS_NO_ADVISORY_WARNINGS"


class Library:
    """Notes how a tokenizer was read."""

    def __init__(self) -> None:
        self.notes: list[tuple[Any, ...]] = []
        self.AutoTokenizer = SimpleNamespace(from_pretrained=self._from_pretrained)

    def _from_pretrained(self, folder: str, **options: Any) -> str:
        self.notes.append(("AutoTokenizer", folder, options))
        return "tokenizer"

    def PreTrainedTokenizerFast(self, **options: Any) -> str:  # noqa: N802 - a class there
        self.notes.append(("PreTrainedTokenizerFast", options))
        return "tokenizer"


@pytest.mark.parametrize("name", ["config.json", "tokenizer_config.json"])
def test_a_configuration_chooses_the_class_and_nothing_is_fetched_or_run(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("{}")
    source = TokenizerSource("toy", str(tmp_path / "tokenizer.json"), str(tmp_path))
    library = Library()
    assert TransformersImplementation().read(library, source) == ("tokenizer", (source.file,))
    assert library.notes == [
        ("AutoTokenizer", str(tmp_path), {"local_files_only": True, "trust_remote_code": False}),
    ]


@pytest.mark.parametrize("with_folder", [True, False])
def test_a_lone_file_is_read_as_it_is(tmp_path: Path, with_folder: bool) -> None:
    (tmp_path / "vocab.json").write_text("{}")
    if not with_folder:
        (tmp_path / "config.json").write_text("{}")
    source = TokenizerSource("toy", str(tmp_path / "tokenizer.json"), str(tmp_path) if with_folder else None)
    library = Library()
    assert not is_configured(source)
    assert TransformersImplementation().read(library, source) == ("tokenizer", (source.file,))
    assert library.notes == [("PreTrainedTokenizerFast", {"tokenizer_file": source.file})]


@pytest.mark.parametrize("special", [True, False])
def test_new_tokens_are_added_as_they_are_asked_for(special: bool) -> None:
    notes: list[tuple[Any, bool]] = []
    tokenizer = SimpleNamespace(add_tokens=lambda tokens, special_tokens: notes.append((tokens, special_tokens)))
    _change(tokenizer, AddTokens((NewToken("a", lstrip=True), NewToken("b", normalized=False)), special))
    ((tokens, as_special),) = notes
    assert as_special is special
    assert [(token.content, token.lstrip, token.rstrip, token.normalized) for token in tokens] == [
        ("a", True, False, True),
        ("b", False, False, False),
    ]


@pytest.mark.parametrize("value", [True, False])
def test_special_tokens_are_text_where_that_is_asked_for(value: bool) -> None:
    tokenizer = SimpleNamespace(split_special_tokens=None)
    _change(tokenizer, EncodeSpecialTokens(value))
    assert tokenizer.split_special_tokens is value


def test_the_level_of_its_logger_is_put_back() -> None:
    logger = logging.getLogger("transformers")
    before = logger.level
    logger.setLevel(17)
    try:
        with _silence():
            assert logger.level > logging.CRITICAL
        assert logger.level == 17
    finally:
        logger.setLevel(before)


@pytest.mark.parametrize("value", [True, False])
def test_whether_the_program_is_offline_is_put_back(value: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    constants = importlib.import_module("huggingface_hub.constants")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", value)
    with _offline():
        assert constants.HF_HUB_OFFLINE is True
    assert constants.HF_HUB_OFFLINE is value


@pytest.mark.parametrize("value", [None, "0"])
def test_the_environment_is_put_back_after_the_import(value: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str | None] = []

    def imported(name: str) -> str:
        seen.append(os.environ.get(ADVICE))
        return name

    if value is None:
        monkeypatch.delenv(ADVICE, raising=False)
    else:
        monkeypatch.setenv(ADVICE, value)
    monkeypatch.setattr("tokenizer_adapters.transformers.importlib", SimpleNamespace(import_module=imported))
    assert _import_transformers() == "transformers"
    assert seen == ["1"]
    assert os.environ.get(ADVICE) == value


def test_what_is_saved_is_loaded_again() -> None:
    """A call of the one that is asked sets its truncation and padding, which would be saved, too."""
    asked, again = (
        SimpleNamespace(is_fast=True, backend_tokenizer=SimpleNamespace(to_str=lambda name=name: name))
        for name in ("asked", "loaded again")
    )
    assert TransformersSubject(asked, (), lambda: again).saved() == "loaded again"


NEEDS_SPACE = "You need to instantiate GPT2TokenizerFast with add_prefix_space=True to use it with pretokenized inputs."


class GPT2TokenizerFast:
    """A class that refuses every call with ``message``."""

    def __init__(self, message: str) -> None:
        self.message = message

    def __call__(self, *_: Any, **__: Any) -> None:
        raise AssertionError(self.message)


def test_a_class_that_takes_words_only_with_a_space_before_each_text_says_so() -> None:
    words = EncodeBatch((Encode(("a", "b")),))
    assert _encode_batch(GPT2TokenizerFast(NEEDS_SPACE), words, {}) == Unsupported(
        "GPT2TokenizerFast takes words where it is made with add_prefix_space=True"
    )
    for message, question in (("add_prefix_space=False", words), (NEEDS_SPACE, EncodeBatch((Encode("a b"),)))):
        with pytest.raises(AssertionError, match=message):
            _encode_batch(GPT2TokenizerFast(message), question, {})
