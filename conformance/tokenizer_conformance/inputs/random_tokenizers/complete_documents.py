"""Small tokenizer.json documents that hold, taken together, every component with every option.

Each document has one component beside a model, so that what a change of it does is told apart. Token ids and lengths
are chosen so that no single change of one makes two tokens share an id: which of them is then written is random in the
target.
"""

from __future__ import annotations

from base64 import b64encode
from typing import Any, Final

from tokenizer_conformance.inputs.random_tokenizers.charsmaps import charsmap

Json = dict[str, Any]

MODEL: Final[Json] = {"type": "WordLevel", "vocab": {"[UNK]": 7, "a": 3, "ab": 9}, "unk_token": "[UNK]"}
"""The model of documents that are about something else."""

BYTE_LEVEL: Final[Json] = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": False}
METASPACE: Final[Json] = {"type": "Metaspace", "replacement": "_", "prepend_scheme": "first", "split": False}
METASPACE_OF_OLD: Final[Json] = {
    "type": "Metaspace",
    "replacement": "▁",
    "str_rep": "▁",
    "add_prefix_space": False,
    "prepend_scheme": "never",
}
LITERAL: Final[Json] = {"type": "Replace", "pattern": {"String": "a"}, "content": "b"}
REGEX: Final[Json] = {"type": "Replace", "pattern": {"Regex": "a+"}, "content": ""}

NORMALIZERS: Final[tuple[Json, ...]] = (
    {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": False,
        "strip_accents": None,
        "lowercase": True,
    },
    {"type": "Strip", "strip_left": True, "strip_right": False},
    *({"type": name} for name in ("StripAccents", "NFC", "NFD", "NFKC", "NFKD", "Lowercase", "Nmt", "ByteLevel")),
    {"type": "Precompiled", "precompiled_charsmap": b64encode(charsmap({"b": "a"})).decode()},
    LITERAL,
    REGEX,
    {"type": "Prepend", "prepend": "a"},
    {"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "Prepend", "prepend": "a"}, LITERAL]},
)

PRE_TOKENIZERS: Final[tuple[Json, ...]] = (
    BYTE_LEVEL,
    METASPACE,
    METASPACE_OF_OLD,
    *({"type": name} for name in ("BertPreTokenizer", "Whitespace", "WhitespaceSplit", "UnicodeScripts")),
    {"type": "CharDelimiterSplit", "delimiter": "-"},
    {"type": "Digits", "individual_digits": True},
    {"type": "FixedLength", "length": 2},
    {"type": "Punctuation", "behavior": "MergedWithNext"},
    {"type": "Split", "pattern": {"String": "a"}, "behavior": "Contiguous", "invert": True},
    {"type": "Split", "pattern": {"Regex": "a+"}, "behavior": "MergedWithPrevious", "invert": False},
    {"type": "Sequence", "pretokenizers": [{"type": "Whitespace"}, {"type": "Digits", "individual_digits": False}]},
)

BERT: Final[Json] = {"type": "BertProcessing", "sep": ["[SEP]", 22], "cls": ["[CLS]", 21]}
TEMPLATE: Final[Json] = {
    "type": "TemplateProcessing",
    "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
    "pair": [
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
        {"Sequence": {"id": "B", "type_id": 2}},
    ],
    "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [21, 22], "tokens": ["[CLS]", "[SEP]"]}},
}

PROCESSORS: Final[tuple[Json, ...]] = (
    BERT,
    {**BERT, "type": "RobertaProcessing", "trim_offsets": True, "add_prefix_space": False},
    BYTE_LEVEL,
    TEMPLATE,
    {"type": "Sequence", "processors": [BYTE_LEVEL, BERT]},
)

DECODERS: Final[tuple[Json, ...]] = (
    {"type": "BPEDecoder", "suffix": "</w>"},
    BYTE_LEVEL,
    {"type": "WordPiece", "prefix": "##", "cleanup": True},
    METASPACE,
    METASPACE_OF_OLD,
    {"type": "CTC", "pad_token": "a", "word_delimiter_token": "|", "cleanup": False},
    {"type": "Fuse"},
    {"type": "ByteFallback"},
    {"type": "Strip", "content": "a", "start": 1, "stop": 0},
    LITERAL,
    REGEX,
    {"type": "Sequence", "decoders": [{"type": "Fuse"}, {"type": "BPEDecoder", "suffix": "b"}]},
)

BPE: Final[Json] = {
    "type": "BPE",
    "dropout": None,
    "unk_token": "[UNK]",
    "continuing_subword_prefix": None,
    "end_of_word_suffix": None,
    "fuse_unk": True,
    "byte_fallback": True,
    "ignore_merges": False,
    "vocab": {"[UNK]": 7, "a": 3, "b": 4, "ab": 9, "aba": 8},
    "merges": [["a", "b"], ["ab", "a"]],
}

MODELS: Final[tuple[Json, ...]] = (
    MODEL,
    {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "vocab": {"[UNK]": 7, "a": 3, "##b": 4},
    },
    BPE,
    {**BPE, "merges": ["#version: 0.2", "a b", "ab a"]},
    {
        **BPE,
        "dropout": 0.0,
        "continuing_subword_prefix": "##",
        "end_of_word_suffix": "</w>",
        "vocab": {"[UNK]": 7, "a": 3, "##b": 4, "##b</w>": 5, "ab": 6, "ab</w>": 9},
        "merges": [["a", "##b"], ["a", "##b</w>"]],
    },
    {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], ["a", -1.5], ["ab", -2.0]], "byte_fallback": True},
    {"type": "Unigram", "unk_id": None, "vocab": [["a", -1], ["b", -1e-7]], "byte_fallback": False},
)

TRUNCATION: Final[Json] = {"direction": "Left", "max_length": 5, "strategy": "OnlyFirst", "stride": 2}

PADDINGS: Final[tuple[Json, ...]] = tuple(
    {
        "strategy": strategy,
        "direction": "Left",
        "pad_to_multiple_of": 4,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "[PAD]",
    }
    for strategy in ("BatchLongest", {"Fixed": 6})
)

ADDED_TOKEN: Final[Json] = {
    "id": 20,
    "content": "b",
    "single_word": False,
    "lstrip": False,
    "rstrip": True,
    "normalized": False,
    "special": False,
}

ADDED_TOKENS: Final[list[Json]] = [ADDED_TOKEN, {**ADDED_TOKEN, "id": 21, "content": "[CLS]", "special": True}]


def _document(**parts: Any) -> Json:
    return {"version": "1.0", "added_tokens": [], "model": MODEL} | parts


def _of_each(key: str, parts: tuple[Json, ...]) -> dict[str, Json]:
    return {
        f"{key} {number} {part.get('type', '')}".rstrip(): _document(**{key: part}) for number, part in enumerate(parts)
    }


def focus(name: str) -> str:
    """Return the top-level key that a document of :data:`COMPLETE_DOCUMENTS` is about.

    >>> focus("normalizer 1 Strip")
    'normalizer'
    """
    return name.split(" ", maxsplit=1)[0]


WHOLE: Final[Json] = {
    "version": "1.0",
    "truncation": TRUNCATION,
    "padding": PADDINGS[1],
    "added_tokens": ADDED_TOKENS,
    "normalizer": NORMALIZERS[0],
    "pre_tokenizer": PRE_TOKENIZERS[0],
    "post_processor": TEMPLATE,
    "decoder": BYTE_LEVEL,
    "model": BPE,
}
"""A document with every key."""

KNOWN_BY_FIELDS: Final = {
    "normalizer": ("BertNormalizer", "Strip", "Precompiled", "Replace", "Prepend", "Sequence"),
    "post_processor": ("BertProcessing", "RobertaProcessing", "TemplateProcessing"),
    "decoder": ("BPEDecoder", "WordPiece", "CTC", "Strip", "Replace"),
    "model": ("BPE", "WordPiece", "WordLevel", "Unigram"),
}
"""The components that a file may hold without their type."""


def _without_type(documents: dict[str, Json]) -> dict[str, Json]:
    """Return those of ``documents`` that can be read without the type of the component they are about, without it."""
    untyped: dict[str, Json] = {}
    for name, document in documents.items():
        part = document.get(key := focus(name))
        if isinstance(part, dict) and part.get("type") in KNOWN_BY_FIELDS.get(key, ()):
            fields = {field: value for field, value in part.items() if field != "type"}
            untyped[f"{name} without type"] = document | {key: fields}
            if key != "model":
                untyped[f"{name} as an array"] = document | {key: list(fields.values())}
    return untyped


_WITH_TYPE: Final[dict[str, Json]] = {
    "truncation": _document(truncation=TRUNCATION),
    **_of_each("padding", PADDINGS),
    "added_tokens": _document(added_tokens=ADDED_TOKENS),
    **_of_each("normalizer", NORMALIZERS),
    **_of_each("pre_tokenizer", PRE_TOKENIZERS),
    **_of_each("post_processor", PROCESSORS),
    **_of_each("decoder", DECODERS),
    **_of_each("model", MODELS),
}

COMPLETE_DOCUMENTS: Final[dict[str, Json]] = _WITH_TYPE | _without_type(_WITH_TYPE)
"""A document for each component, by a name such as ``"normalizer 1 Strip"`` or ``"model 2 BPE without type"``."""
