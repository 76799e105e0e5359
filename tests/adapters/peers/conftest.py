"""Peers that are installed, and small tokenizers for them, built in code."""

from __future__ import annotations

import io
import json
import struct
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


PIECES = [
    ("<unk>", 0.0, "unknown"),
    ("<s>", 0.0, "control"),
    ("</s>", 0.0, "control"),
    ("<user>", 0.0, "user-defined"),
    ("▁", -5.0, "normal"),
    ("▁a", -1.0, "normal"),
    ("b", -2.0, "normal"),
    ("é", -3.0, "normal"),
    ("▁b", -1.5, "normal"),
    ("f", -4.0, "normal"),
    ("i", -4.0, "normal"),
    ("a", -4.0, "normal"),
]
"""The pieces of a SentencePiece model, with their scores and types."""

PIECE_TYPES = {"normal": 1, "unknown": 2, "control": 3, "user-defined": 4}
MODEL_TYPES = {"Unigram": 1, "BPE": 2}


def protobuf(number: int, value: bytes | str | float) -> bytes:
    """Return a field of a protocol buffer: bytes with their length, a float in four bytes, an int as a varint."""
    if isinstance(value, int):
        return bytes([*_varint(number << 3), *_varint(value)])
    if isinstance(value, float):
        return bytes(_varint(number << 3 | 5)) + struct.pack("<f", value)
    content = value.encode() if isinstance(value, str) else value
    return bytes([*_varint(number << 3 | 2), *_varint(len(content))]) + content


def _varint(value: int) -> list[int]:
    low, rest = value & 0x7F, value >> 7
    return [low | 0x80, *_varint(rest)] if rest else [low]


@pytest.fixture
def lay_pieces(tmp_path: Path) -> Callable[..., TokenizerSource]:
    """A function that writes a SentencePiece model of :data:`PIECES` and a tokenizer.json that moves its ids.

    The model normalizes the ligature U+FB01 to its letters. Ids of the tokenizer.json: "<pad>" is 0 and "<unk>" 3,
    the other pieces follow in the model's order from 4, "[SEP]" is 13 and "<extra>" 14. ``first`` are the tokens of the
    ids 0 to 3, in another order if need be; the model lacks the pieces ``without``. ``changes`` are made to the
    tokenizer.json.
    """
    sentencepiece = pytest.importorskip("sentencepiece", reason="sentencepiece is not installed")

    def lay(
        kind: str = "Unigram",
        first: tuple[str, ...] = ("<pad>", "<s>", "</s>", "<unk>"),
        without: tuple[str, ...] = (),
        **changes: Any,
    ) -> TokenizerSource:
        pieces = [
            protobuf(1, protobuf(1, piece) + protobuf(2, score) + protobuf(3, PIECE_TYPES[type_]))
            for piece, score, type_ in PIECES
            if piece not in without
        ]
        normalizer = sentencepiece.SentencePieceNormalizer(norm_map=[("\ufb01", "fi")]).serialized_normalizer_spec()
        trainer = protobuf(3, MODEL_TYPES[kind]) + protobuf(44, " (?) ")
        (tmp_path / "spiece.model").write_bytes(b"".join(pieces) + protobuf(2, trainer) + protobuf(3, normalizer))
        tokens = [*first, *(piece for piece, _, _ in PIECES[3:]), "[SEP]", "<extra>"]
        model: dict[str, Any] = {"type": "Unigram", "unk_id": 3, "vocab": [[token, -1.0] for token in tokens]}
        if kind == "BPE":
            vocab = {token: id_ for id_, token in enumerate(tokens)}
            model = {"type": "BPE", "unk_token": "<unk>", "fuse_unk": True, "vocab": vocab, "merges": []}
        special = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
        document = {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": [
                {"id": tokens.index(token), "content": token, **special}
                for token in ("<pad>", "<s>", "</s>", "<unk>", "[SEP]", "<extra>")
            ],
            "normalizer": None,
            "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
            "post_processor": None,
            "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
            "model": model,
        }
        return written(tmp_path, document | changes)

    return lay


def template_of(*tokens: str) -> dict[str, Any]:
    """Return a template that puts ``tokens`` around a text, which "A" stands for; ids are those of ``lay_pieces``."""
    ids = {"<s>": 1, "</s>": 2, "[SEP]": 13}
    pieces = [
        {"Sequence": {"id": "A", "type_id": 0}} if token == "A" else {"SpecialToken": {"id": token, "type_id": 0}}
        for token in tokens
    ]
    return {
        "type": "TemplateProcessing",
        "single": pieces,
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {token: {"id": token, "ids": [id_], "tokens": [token]} for token, id_ in ids.items()},
    }


@pytest.fixture(scope="session")
def template() -> Callable[..., dict[str, Any]]:
    """A function that returns a template: see :func:`template_of`."""
    return template_of


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
