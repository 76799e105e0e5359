"""Faults of components: flags, options, order, exchanges, templates, decoders, added tokens and unknown tokens."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.validation.vectors.faults.components import (
    SEQUENCES,
    STAGES,
    components,
    double,
    drop,
    name_of,
    put,
    swap,
)
from tokenizer_conformance.validation.vectors.faults.fault import DocumentFault, FaultStage, Json
from tokenizer_conformance.validation.vectors.faults.patterns import GPT2_PATTERN, pattern_faults

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.validation.vectors.faults.components import Path

MOST_ADDED = 6
"""Of how many added tokens the flags are changed: the first ones and the last ones."""

# Tables ---------------------------------------------------------------------------------------------------------------

OPTIONS: dict[str, dict[str, tuple[Any, ...]]] = {
    "BertNormalizer": {"strip_accents": (True, False), "clean_text": (False,), "handle_chinese_chars": (False,)},
    "ByteLevel": {"use_regex": (False,), "add_prefix_space": (True, False), "trim_offsets": (True, False)},
    "Metaspace": {
        "prepend_scheme": ("always", "first", "never"),
        "split": (False,),
        "replacement": ("_",),
        "add_prefix_space": (False,),
    },
    "Split": {
        "behavior": ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"),
        "invert": (True, False),
    },
    "Punctuation": {"behavior": ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")},
    "Digits": {"individual_digits": (True, False)},
    "Strip": {"strip_left": (True, False), "strip_right": (True, False)},
    "TemplateProcessing": {},
    "RobertaProcessing": {"trim_offsets": (True, False), "add_prefix_space": (True, False)},
    "WordPiece": {"cleanup": (True, False), "prefix": ("", "#")},
    "CTC": {"cleanup": (True, False)},
    "BPE": {},
}
"""Values that options may have by mistake, by the type of the component; also where the file does not say them."""

EXCHANGES: dict[str, tuple[Json | tuple[Json, ...], ...]] = {
    "NFC": ({"type": "NFD"}, {"type": "NFKC"}),
    "NFD": ({"type": "NFC"}, {"type": "NFKD"}),
    "NFKC": ({"type": "NFC"}, {"type": "NFKD"}),
    "NFKD": ({"type": "NFD"}, {"type": "NFKC"}),
    "BertNormalizer": (
        {"type": "Lowercase"},
        ({"type": "NFD"}, {"type": "StripAccents"}, {"type": "Lowercase"}),
        ({"type": "NFKD"}, {"type": "StripAccents"}, {"type": "Lowercase"}),
    ),
    "Precompiled": (
        {"type": "NFKC"},
        {"type": "Nmt"},
        ({"type": "Nmt"}, {"type": "NFKC"}),
        ({"type": "NFKC"}, {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}),
    ),
    "BertPreTokenizer": ({"type": "Whitespace"}, {"type": "WhitespaceSplit"}, {"type": "Punctuation"}),
    "Whitespace": ({"type": "WhitespaceSplit"}, {"type": "BertPreTokenizer"}),
    "WhitespaceSplit": (
        {"type": "Whitespace"},
        {"type": "CharDelimiterSplit", "delimiter": " "},
        {"type": "Split", "pattern": {"Regex": "[ \\t\\n\\r]+"}, "behavior": "Removed", "invert": False},
        {"type": "Split", "pattern": {"Regex": "[\\s\\u200B\\uFEFF]+"}, "behavior": "Removed", "invert": False},
    ),
    "Punctuation": (
        {"type": "Split", "pattern": {"Regex": "[!-/:-@\\[-`{-~]"}, "behavior": "Isolated", "invert": False},
        {"type": "Split", "pattern": {"Regex": "\\p{P}"}, "behavior": "Isolated", "invert": False},
    ),
}
"""Components that are taken for one another, or by which ports rebuild one that they do not have."""

MODEL_OPTIONS: dict[str, dict[str, tuple[Any, ...]]] = {
    "BPE": {
        "unk_token": (None,),
        "continuing_subword_prefix": ("##",),
        "end_of_word_suffix": ("</w>",),
        "fuse_unk": (True, False),
        "byte_fallback": (True, False),
        "ignore_merges": (True, False),
    },
    "WordPiece": {
        "continuing_subword_prefix": ("", "#"),
        "max_input_chars_per_word": (99, 101, 10, 200, 1000),
        "unk_token": ("##s",),
    },
    "Unigram": {"byte_fallback": (True, False)},
    "WordLevel": {},
}

TOKEN_FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")


# Components -----------------------------------------------------------------------------------------------------------


def component_faults(document: Json) -> Iterator[DocumentFault]:
    """Yield faults of all components but the model."""
    for member, stage in STAGES:
        for path, component in components(document, member):
            yield from _of_component(path, component, stage)
            yield from _of_order(path, component, stage)
        yield from pattern_faults(document, member, stage)


def _of_component(path: Path, component: Json, stage: FaultStage) -> Iterator[DocumentFault]:
    name = name_of(path, component)
    yield DocumentFault(stage, f"{name} left out", drop(path))
    options = OPTIONS.get(str(component.get("type")), {})
    for key, value in component.items():
        if isinstance(value, bool) and key not in options:
            yield DocumentFault(stage, f"{key} of {name} is {_json(not value)}", put((*path, key), not value))
    for key, values in options.items():
        for value in values:
            if component.get(key, _UNSAID) != value:
                yield DocumentFault(stage, f"{key} of {name} is {_json(value)}", put((*path, key), value))
    for other in EXCHANGES.get(str(component.get("type")), ()):
        rebuilt = other if isinstance(other, dict) else {"type": "Sequence", SEQUENCES[str(path[0])]: list(other)}
        words = " + ".join(each["type"] for each in ((other,) if isinstance(other, dict) else other))
        yield DocumentFault(stage, f"{words} in the place of {name}", put(path, rebuilt))
    if component.get("type") == "ByteLevel" and path[0] == "pre_tokenizer" and component.get("use_regex", True):
        yield from _of_byte_level(path, component)


_UNSAID = object()


def _of_byte_level(path: Path, component: Json) -> Iterator[DocumentFault]:
    """Yield faults of the pattern that ByteLevel has and no file shows."""
    split = {"type": "Split", "pattern": {"Regex": GPT2_PATTERN}, "behavior": "Isolated", "invert": False}
    rebuilt = {"type": "Sequence", "pretokenizers": [split, {**component, "use_regex": False}]}
    whole = {"pre_tokenizer": rebuilt}
    for fault in pattern_faults(whole, "pre_tokenizer", FaultStage.PRE_TOKENIZER):
        fault.change(
            changed := {"pre_tokenizer": {**rebuilt, "pretokenizers": [dict(split), {**component, "use_regex": False}]}}
        )
        yield DocumentFault(fault.stage, fault.what, put(path, changed["pre_tokenizer"]))


def _of_order(path: Path, component: Json, stage: FaultStage) -> Iterator[DocumentFault]:
    key = SEQUENCES[str(path[0])]
    parts = component.get(key) or ()
    for number, (first, second) in enumerate(itertools.pairwise(parts)):
        what = f"{second.get('type')} before {first.get('type')} ({path[0]})"
        yield DocumentFault(stage, what, swap((*path, key, number)))
    for number, part in enumerate(parts):
        yield DocumentFault(stage, f"{name_of((*path, key, number), part)} done twice", double((*path, key, number)))


def _json(value: object) -> str:
    return json.dumps(value)


# Templates ------------------------------------------------------------------------------------------------------------


def template_faults(document: Json) -> Iterator[DocumentFault]:
    """Yield faults of templates, and of the special tokens that older processors name."""
    for path, component in components(document, "post_processor"):
        if component.get("type") == "TemplateProcessing":
            for which in ("single", "pair"):
                yield from _of_template((*path, which), component[which], f"template of {which}s")
        for key in ("cls", "sep"):
            if isinstance(component.get(key), list):
                other = component["sep" if key == "cls" else "cls"]
                yield DocumentFault(
                    FaultStage.POST_PROCESSOR,
                    f"{key} of {component['type']} is the other one",
                    put((*path, key), other),
                )


def _of_template(path: Path, pieces: list[Json], name: str) -> Iterator[DocumentFault]:
    stage = FaultStage.POST_PROCESSOR
    for number, piece in enumerate(pieces):
        ((kind, content),) = piece.items()
        words = f"{content['id']} (place {number + 1} of the {name})"
        if kind == "SpecialToken":
            yield DocumentFault(stage, f"{words} left out", drop((*path, number)))
            yield DocumentFault(stage, f"{words} put twice", double((*path, number)))
        other = 1 - content["type_id"] if content["type_id"] < 2 else 0
        yield DocumentFault(stage, f"type id of {words} is {other}", put((*path, number, kind, "type_id"), other))
        if number + 1 < len(pieces):
            yield DocumentFault(stage, f"{words} exchanged with the next", swap((*path, number)))


# Added tokens ---------------------------------------------------------------------------------------------------------


def added_token_faults(document: Json) -> Iterator[DocumentFault]:
    """Yield faults of the flags of added tokens, and of their loss."""
    tokens = document.get("added_tokens") or []
    half = MOST_ADDED // 2
    numbers = sorted({*range(min(half, len(tokens))), *range(max(len(tokens) - half, 0), len(tokens))})
    for number in numbers:
        content = tokens[number]["content"]
        for flag in TOKEN_FLAGS:
            value = not tokens[number].get(flag, False)
            what = f"added token {content!r} has {flag} {_json(value)}"
            yield DocumentFault(FaultStage.ADDED_TOKENS, what, put(("added_tokens", number, flag), value))
        yield DocumentFault(
            FaultStage.ADDED_TOKENS, f"added token {content!r} is not cut out of texts", drop(("added_tokens", number))
        )
    if tokens:
        yield DocumentFault(FaultStage.ADDED_TOKENS, "no added token is cut out of texts", put(("added_tokens",), []))
    for flag in TOKEN_FLAGS:
        yield DocumentFault(FaultStage.ADDED_TOKENS, f"{flag} of every added token is exchanged", _all_flags(flag))


class _all_flags:  # noqa: N801 - a change like the functions of `components`
    """The change that exchanges one flag of every added token."""

    def __init__(self, flag: str) -> None:
        self.flag = flag

    def __call__(self, document: Json) -> None:
        for token in document.get("added_tokens") or ():
            token[self.flag] = not token.get(self.flag, False)


# Model ----------------------------------------------------------------------------------------------------------------


def model_faults(document: Json) -> Iterator[DocumentFault]:
    """Yield faults of the options of the model."""
    model = document["model"]
    kind = model.get("type") or ("Unigram" if isinstance(model.get("vocab"), list) else "BPE")
    for key, values in MODEL_OPTIONS.get(kind, {}).items():
        for value in values:
            if model.get(key, _UNSAID) != value:
                yield DocumentFault(FaultStage.MODEL, f"{key} of {kind} is {_json(value)}", put(("model", key), value))
    if kind == "Unigram" and model.get("unk_id") is not None:
        yield DocumentFault(
            FaultStage.MODEL, "the unknown token is the next one", put(("model", "unk_id"), model["unk_id"] + 1)
        )
