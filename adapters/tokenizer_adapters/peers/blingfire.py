"""The adapter of ``blingfire``, which reads no tokenizer of others: it brings compiled models of its own.

A compiled model is chosen by the vocabulary of the ``tokenizer.json``, so that it stands beside the tokenizer whose
ids it claims to give, and beside no other. For XLNet there are two, and the one that normalizes is taken. Its models of
the GPT-2 kind put a space before the text unless told not to; they are told what the ``tokenizer.json`` says.
"""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Encoded, Field, OffsetUnit, OwnCall, OwnCalls
from tokenizer_adapters.peers.files import document_of
from tokenizer_adapters.peers.package import IDS_AND_TEXT, Calls, Package, PeerImplementation, text_of
from tokenizer_adapters.pipeline import UnfitTokenizerError

if TYPE_CHECKING:
    from types import ModuleType

    from tokenizer_adapters.contract import TokenizerSource

MODELS = {
    "e35a33a0b2250c932ffdafc4c3a3552aef0cc7af7a11e9ebfddf1d2a6517371f": ("gpt2", "gpt2"),
    "6e8b8d26dcc24d72cd5094c4b3d6d5e50cfb48e0cfc9bd1db1588620a41e3a91": ("roberta-base", "roberta"),
    "0f052197aac305fe42f378b5c61554b7bacb34b8be4af83fec2cfdcdffbc9973": ("bert-base-uncased", "bert_base_tok"),
    "9dd1dce5943e4cdda015102aa80afbf7df7b09cb6902ea212276a853acae9789": ("bert-base-cased", "bert_base_cased_tok"),
    "8550a78ca2dd304e6a4b45baa9780db8a93cfacc564b4d1c319905db0122f1e4": ("bert-base-chinese", "bert_chinese"),
    "7974e1090ba19a88b6e456195d4aa7f9f13ea8d4876b0a362c425a2444708f5a": (
        "bert-base-multilingual-cased",
        "bert_multi_cased",
    ),
    "1adf56433dcdf283c2bdb3152e0d909b08e14ea218dedca1c095e3fdd376eb69": ("xlnet-base-cased", "xlnet"),
}
"""Digest of a vocabulary (:func:`vocabulary_digest`): the checkpoint that has it, and blingfire's model of it."""

IDS_PER_BYTE = 2
"""Room for ids: a token covers at least a byte of UTF-8, but a prefix of words may be a token too."""

BYTES_PER_ID = 1024
"""Room for text: no token of these models is longer."""


class BlingfireImplementation(PeerImplementation):
    """``blingfire``, through its compiled models; offsets are bytes of the UTF-8 text."""

    package = Package(
        name="blingfire",
        distribution="blingfire",
        module="blingfire",
        language="C++",
        home_page="https://github.com/microsoft/blingfire",
        fields=IDS_AND_TEXT | {Field.OFFSETS},
        offset_unit=OffsetUnit.UTF8_BYTES,
    )

    def calls(self, module: Any, source: TokenizerSource) -> Calls:
        """Choose the compiled model for the vocabulary of ``source``."""
        document = document_of(source)
        if not isinstance(vocab := document.get("model", {}).get("vocab"), dict | list):
            raise UnfitTokenizerError("its compiled models are known by their vocabularies, and this file has none")
        _, name = _model_for(vocab)
        encoder, decoder = (str(Path(module.__file__).with_name(f"{name}.{kind}")) for kind in ("bin", "i2w"))
        model, words = _loaded(module, encoder, _prefix_space(document)), _loaded(module, decoder)
        unknown = _unknown_id(document["model"], vocab)

        def encode(text: str) -> Encoded:
            content = text.encode()
            ids, starts, ends = module.utf8text_to_ids_with_offsets(
                model, content, IDS_PER_BYTE * len(content) + IDS_PER_BYTE, unknown, no_padding=True
            )
            return Encoded(ids=tuple(ids.tolist()), offsets=_spans(starts.tolist(), ends.tolist()))

        def ids_of(text: str) -> object:
            return module.text_to_ids(model, text, IDS_PER_BYTE * len(text.encode()) + IDS_PER_BYTE, unknown, True)

        def decode(ids: list[int], *, skip_special_tokens: bool) -> str:
            array = _numpy().array(ids, dtype="int32")
            text: str = module.ids_to_text(words, array, skip_special_tokens, BYTES_PER_ID * (len(ids) + 1))
            return text

        return Calls(
            files=(encoder, decoder),
            encode=encode,
            decode=text_of(functools.partial(decode, skip_special_tokens=True)),
            decode_special=text_of(functools.partial(decode, skip_special_tokens=False)),
            own=OwnCalls(OwnCall("text_to_ids", ids_of)),
        )


def vocabulary_digest(vocab: dict[str, int] | list[list[Any]]) -> str:
    """Return the SHA-256 of the tokens of ``vocab`` in the order of their ids, one a line."""
    tokens = sorted(vocab, key=vocab.__getitem__) if isinstance(vocab, dict) else [token for token, _ in vocab]
    return hashlib.sha256("\n".join(tokens).encode()).hexdigest()


def _model_for(vocab: dict[str, int] | list[list[Any]]) -> tuple[str, str]:
    known = MODELS.get(vocabulary_digest(vocab))
    if known is None:
        names = ", ".join(checkpoint for checkpoint, _ in MODELS.values())
        raise UnfitTokenizerError(f"it has compiled models for the vocabularies of {names}, and none for this one")
    return known


def _prefix_space(document: dict[str, Any]) -> bool | None:
    """Return whether a space is put before the text; None where the compiled model's own setting holds."""
    pre_tokenizer = document.get("pre_tokenizer") or {}
    return bool(pre_tokenizer.get("add_prefix_space", True)) if pre_tokenizer.get("type") == "ByteLevel" else None


def _unknown_id(model: dict[str, Any], vocab: dict[str, int] | list[list[Any]]) -> int:
    """Return the id of the unknown token, which blingfire asks for; a model without one never needs it."""
    if isinstance(vocab, list):
        return int(model.get("unk_id") or 0)
    return vocab.get(model.get("unk_token") or "", 0)


def _spans(starts: list[int], ends: list[int]) -> tuple[tuple[int, int], ...]:
    """Return half-open spans of the text; ends are last bytes, and -1 is the space put before the text."""
    return tuple((max(start, 0), end + 1) for start, end in zip(starts, ends, strict=True))


@functools.cache
def _loaded(module: ModuleType, file: str, prefix_space: bool | None = None) -> int:
    """Load ``file`` once for each setting: what the library loads stays in memory until it is freed by hand."""
    if not Path(file).is_file():  # the library aborts the process
        raise FileNotFoundError(f"the package lacks its model {Path(file).name}")
    handle: int = module.load_model(file)
    if prefix_space is not None:
        module.change_settings_dummy_prefix(handle, prefix_space)
    return handle


def _numpy() -> Any:
    import numpy as np  # noqa: PLC0415 - blingfire's own requirement, which its package does not state

    return np
