"""What faithful conversions of bundled tokenizers to GGUF say, made by hand."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.gguf.vocabulary import GgufVocabulary
from tokenizer_conformance.inputs.bundled import bundled_file

if TYPE_CHECKING:
    from collections.abc import Callable

Json = dict[str, Any]

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = 1, 2, 3, 4, 5, 6


def document_of(name: str) -> Json:
    document: Json = json.loads(bundled_file(name).read_text("utf-8"))
    return document


def in_order(document: Json) -> list[str]:
    vocabulary = document["model"]["vocab"]
    tokens = dict(enumerate(each[0] for each in vocabulary)) if isinstance(vocabulary, list) else {}
    tokens |= {id_: token for token, id_ in vocabulary.items()} if isinstance(vocabulary, dict) else {}
    tokens |= {each["id"]: each["content"] for each in document["added_tokens"]}
    return [tokens[id_] for id_ in range(len(tokens))]


def types_of(document: Json) -> list[int]:
    special = {each["content"] for each in document["added_tokens"]}
    return [CONTROL if token in special else NORMAL for token in in_order(document)]


def gpt2() -> GgufVocabulary:
    document = document_of("gpt2-mini")
    folder = bundled_file("gpt2-mini").parent
    return GgufVocabulary(
        model="gpt2",
        pre="gpt-2",
        tokens=tuple(in_order(document)),
        types=tuple(types_of(document)),
        merges=tuple(" ".join(each) for each in document["model"]["merges"]),
        special_ids={"bos": 1999, "eos": 1999},
        flags={"add_bos_token": False},
        templates={"default": (folder / "chat_template.jinja").read_text("utf-8")},
    )


def bert() -> GgufVocabulary:
    document = document_of("bert-mini")
    types = types_of(document)
    spelled = (
        token if type_ == CONTROL else token[2:] if token.startswith("##") else f"\u2581{token}"
        for token, type_ in zip(in_order(document), types, strict=True)
    )
    ids = {"padding": 0, "unknown": 1, "bos": 2, "cls": 2, "seperator": 3, "mask": 4}
    return GgufVocabulary(model="bert", tokens=tuple(spelled), types=tuple(types), special_ids=ids)


def t5() -> GgufVocabulary:
    document = document_of("t5-mini")
    scores = [score for _, score in document["model"]["vocab"]]
    (charsmap,) = (
        each["precompiled_charsmap"] for each in document["normalizer"]["normalizers"] if each["type"] == "Precompiled"
    )
    tokens = [*in_order(document), "[PAD905]"]
    types = types_of(document)
    return GgufVocabulary(
        model="t5",
        pre="default",
        tokens=tuple(tokens),
        types=(*types[:2], UNKNOWN, *types[3:], UNUSED),
        scores=(*scores, *[-1000.0] * (len(tokens) - len(scores))),
        special_ids={"eos": 1, "unknown": 2, "padding": 0},
        flags={
            "add_bos_token": False,
            "add_eos_token": True,
            "add_space_prefix": True,
            "remove_extra_whitespaces": True,
        },
        charsmap=base64.b64decode(charsmap),
    )


def llama() -> GgufVocabulary:
    """A BPE of SentencePiece: the pieces that merges make have scores in the order of these."""
    document = document_of("llama-mini")
    tokens = in_order(document)
    rank: dict[str, int] = {}
    for place, (first, second) in enumerate(document["model"]["merges"]):
        rank.setdefault(first + second, place)
    types = [BYTE if len(each) == 6 and each.startswith("<0x") else NORMAL for each in tokens]
    folder = bundled_file("llama-mini").parent
    return GgufVocabulary(
        model="llama",
        pre="default",
        tokens=tuple(tokens),
        types=(UNKNOWN, CONTROL, CONTROL, *types[3:]),
        scores=tuple(-float(rank.get(token, 0)) for token in tokens),
        special_ids={"bos": 1, "eos": 2, "unknown": 0},
        flags={"add_bos_token": True, "add_eos_token": False},
        templates={"default": (folder / "chat_template.jinja").read_text("utf-8")},
    )


FAITHFUL: dict[str, Callable[[], GgufVocabulary]] = {
    "gpt2-mini": gpt2,
    "t5-mini": t5,
    "llama-mini": llama,
    "bert-mini": bert,  # the last, since long words without a limit take the longest
}
