"""Peers that are installed, and small tokenizers for them, built in code."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest

import tokenizer_conformance.inputs.bundled
from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import Implementation, TokenizerSource, UnavailableError
from tokenizer_adapters.peers import configuration
from tokenizer_adapters.peers.byte_level import byte_characters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what tests save out of the user's cache, and what the user has chosen out of tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.delenv(configuration.VARIABLE, raising=False)
        yield


@pytest.fixture(scope="session")
def peer() -> Callable[[str], Implementation]:
    """A function that builds a peer's implementation; skips with the reason where the package is missing."""

    def build(name: str) -> Implementation:
        try:
            return load_implementation(name)
        except UnavailableError as error:
            pytest.skip(str(error))

    return build


@pytest.fixture(scope="session")
def bundled() -> Callable[[str], TokenizerSource]:
    """A function that returns the source of a bundled tokenizer."""
    return lambda name: TokenizerSource(name, str(tokenizer_conformance.inputs.bundled.bundled_file(name)))


@pytest.fixture(scope="session")
def checkpoint(shared: Path) -> Callable[[str], TokenizerSource]:
    """A function that returns the source of a published checkpoint."""

    def source(name: str) -> TokenizerSource:
        folder = shared / "tokenizers" / name
        return TokenizerSource(name, str(folder / "tokenizer.json"), str(folder))

    return source


def written(folder: Path, document: dict[str, Any], name: str = "toy") -> TokenizerSource:
    """Write ``document`` as the tokenizer.json of a checkpoint in ``folder``."""
    file = folder / "tokenizer.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    return TokenizerSource(name, str(file), str(folder))


@pytest.fixture
def lay(tmp_path: Path) -> Callable[[dict[str, Any]], TokenizerSource]:
    """A function that writes a tokenizer.json into a folder of the test's own."""
    return lambda document: written(tmp_path, document)


@pytest.fixture
def byte_level() -> dict[str, Any]:
    """A byte-level BPE of five merges, with ids that follow neither bytes nor merges, and a special token."""
    merges = [["a", "b"], ["ab", "ab"], ["Ġ", "ab"], ["Ã", "©"], ["c", "d"]]
    tokens = ["<end>", *("".join(merge) for merge in reversed(merges)), *reversed(byte_characters())]
    special = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": 0, "content": "<end>", **special}],
        "normalizer": None,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
        "post_processor": None,
        "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "vocab": {token: id_ for id_, token in enumerate(tokens)},
            "merges": merges,
        },
    }


@pytest.fixture(scope="session")
def sentencepiece_toy(tmp_path_factory: pytest.TempPathFactory) -> TokenizerSource:
    """A SentencePiece Unigram model, trained on a few sentences, with the tokenizer.json that says the same."""
    sentencepiece = pytest.importorskip("sentencepiece", reason="sentencepiece is not installed")
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["the quick brown fox", "jumps over the lazy dog", "é, 京 and é again"] * 5),
        model_writer=model,
        vocab_size=40,
        hard_vocab_limit=False,
        normalization_rule_name="identity",
        minloglevel=2,
    )
    folder = tmp_path_factory.mktemp("sentencepiece")
    (folder / "spiece.model").write_bytes(model.getvalue())
    processor = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    size = processor.get_piece_size()
    metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    return written(
        folder,
        {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": [],
            "normalizer": None,
            "pre_tokenizer": metaspace,
            "post_processor": None,
            "decoder": metaspace,
            "model": {
                "type": "Unigram",
                "unk_id": processor.unk_id(),
                "vocab": [[processor.id_to_piece(id_), processor.get_score(id_)] for id_ in range(size)],
                "byte_fallback": False,
            },
        },
    )


@pytest.fixture
def end_of_word() -> dict[str, Any]:
    """A BPE that marks the ends of words, as the first implementation does."""
    pieces = ["<unk>", "l", "o", "w", "w</w>", "e", "r</w>", "lo", "low", "low</w>", "e r</w>".replace(" ", "")]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": None,
        "decoder": {"type": "BPEDecoder", "suffix": "</w>"},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": "<unk>",
            "continuing_subword_prefix": None,
            "end_of_word_suffix": "</w>",
            "fuse_unk": False,
            "byte_fallback": False,
            "vocab": {piece: id_ for id_, piece in enumerate(pieces)},
            "merges": [["l", "o"], ["lo", "w"], ["lo", "w</w>"], ["e", "r</w>"]],
        },
    }
