"""Faults of components: flags, options, order, exchanges, templates, decoders, added tokens and unknown tokens."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.causes.classes.cut_changes import ASCII_PUNCTUATION, BEHAVIORS, split
from tokenizer_conformance.causes.classes.document_changes import ONE_SPACE
from tokenizer_conformance.comparison.document_parts import PARTS_OF_SEQUENCE
from tokenizer_conformance.inputs.text_generators.patterns import GPT2
from tokenizer_conformance.validation.vectors.faults.components import (
    STAGES,
    components,
    double,
    drop,
    name_of,
    put,
    swap,
)
from tokenizer_conformance.validation.vectors.faults.fault import AddedFault, DocumentFault, FaultStage, Json
from tokenizer_conformance.validation.vectors.faults.patterns import pattern_faults, rewritten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.validation.vectors.candidate import AboutAdded

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
        "behavior": BEHAVIORS,
        "invert": (True, False),
    },
    "Punctuation": {"behavior": BEHAVIORS},
    "Digits": {"individual_digits": (True, False)},
    "Strip": {"strip_left": (True, False), "strip_right": (True, False)},
    "TemplateProcessing": {},
    "RobertaProcessing": {"trim_offsets": (True, False), "add_prefix_space": (True, False)},
    "WordPiece": {"cleanup": (True, False), "prefix": ("", "#")},
    "CTC": {"cleanup": (True, False)},
    "BPE": {},
}
"""Values that options may have by mistake, by the type of the component; also where the file does not say them."""


def _types(*names: str) -> tuple[Json, ...]:
    return tuple({"type": name} for name in names)


EXCHANGES: dict[str, tuple[Json | tuple[Json, ...], ...]] = {
    "NFC": _types("NFD", "NFKC"),
    "NFD": _types("NFC", "NFKD"),
    "NFKC": _types("NFC", "NFKD"),
    "NFKD": _types("NFD", "NFKC"),
    "BertNormalizer": (
        {"type": "Lowercase"},
        _types("NFD", "StripAccents", "Lowercase"),
        _types("NFKD", "StripAccents", "Lowercase"),
    ),
    "Precompiled": (*_types("NFKC", "Nmt"), _types("Nmt", "NFKC"), ({"type": "NFKC"}, ONE_SPACE)),
    "BertPreTokenizer": _types("Whitespace", "WhitespaceSplit", "Punctuation"),
    "Whitespace": _types("WhitespaceSplit", "BertPreTokenizer"),
    "WhitespaceSplit": (
        {"type": "Whitespace"},
        {"type": "CharDelimiterSplit", "delimiter": " "},
        split(r"[ \t\n\r]+", "Removed"),
        split(r"[\s\u200B\uFEFF]+", "Removed"),
    ),
    "Punctuation": (split(ASCII_PUNCTUATION, "Isolated"), split(r"\p{P}", "Isolated")),
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
        rebuilt = (
            other if isinstance(other, dict) else {"type": "Sequence", PARTS_OF_SEQUENCE[str(path[0])]: list(other)}
        )
        words = " + ".join(each["type"] for each in ((other,) if isinstance(other, dict) else other))
        yield DocumentFault(stage, f"{words} in the place of {name}", put(path, rebuilt))
    if component.get("type") == "ByteLevel" and path[0] == "pre_tokenizer" and component.get("use_regex", True):
        yield from _of_byte_level(path, component)


_UNSAID = object()


def _of_byte_level(path: Path, component: Json) -> Iterator[DocumentFault]:
    """Yield faults of the pattern that ByteLevel has and no file shows."""
    for what, pattern in rewritten(GPT2):
        parts = [split(pattern, "Isolated"), {**component, "use_regex": False}]
        rebuilt = {"type": "Sequence", "pretokenizers": parts}
        yield DocumentFault(FaultStage.PRE_TOKENIZER, f"pattern of Split (pre-tokenizer 1): {what}", put(path, rebuilt))


def _of_order(path: Path, component: Json, stage: FaultStage) -> Iterator[DocumentFault]:
    key = PARTS_OF_SEQUENCE[str(path[0])]
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
        yield DocumentFault(
            FaultStage.ADDED_TOKENS, f"{flag} of every added token is exchanged", partial(_exchange_all, flag)
        )


def _exchange_all(flag: str, document: Json) -> None:
    for token in document.get("added_tokens") or ():
        token[flag] = not token.get(flag, False)


LATER_FLAGS: tuple[tuple[str, Json], ...] = (
    ("lstrip", {"lstrip": False}),
    ("rstrip", {"rstrip": False}),
    ("single_word", {"single_word": False}),
    ("normalized, where it is false,", {"normalized": True}),
    ("normalized, where it is true,", {"normalized": False}),
)
"""Flags of tokens that are added to a loaded tokenizer, as they are not kept."""

LATER: tuple[tuple[str, Callable[[AboutAdded], AboutAdded]], ...] = (
    ("tokens that are added later are not cut out", lambda asks: replace(asks, added=())),
    ("tokens that are added later are all special", lambda asks: replace(asks, special=True)),
    ("no token that is added later is special", lambda asks: replace(asks, special=False)),
    ("of tokens that are added later the last one goes first", lambda asks: replace(asks, added=asks.added[::-1])),
    ("of tokens that are added later only the first is kept", lambda asks: replace(asks, added=asks.added[:1])),
)


def later_token_faults() -> Iterator[AddedFault]:
    """Yield faults of tokens that are added to a loaded tokenizer."""
    for flag, values in LATER_FLAGS:
        what = f"{flag} of a token that is added later is lost"
        yield AddedFault(FaultStage.ADDED_TOKENS, what, partial(_with_flags, values))
    for what, change in LATER:
        yield AddedFault(FaultStage.ADDED_TOKENS, what, change)


def _with_flags(values: Json, asks: AboutAdded) -> AboutAdded:
    return replace(asks, added=tuple(replace(token, **values) for token in asks.added))


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
