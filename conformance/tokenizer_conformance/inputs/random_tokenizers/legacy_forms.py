"""Older and looser forms of a tokenizer.json, which are read as well.

Files of earlier releases have merges as strings, models without a type, and lack the options that came later;
components may also stand without their type, or as the array of their fields (observed, tokenizers 0.23.3).
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

Json = dict[str, Any]

OPTIONAL_AT_TOP = (
    "version",
    "truncation",
    "padding",
    "added_tokens",
    "normalizer",
    "pre_tokenizer",
    "post_processor",
    "decoder",
)

OPTIONAL_IN_COMPONENT: dict[str, tuple[str, ...]] = {
    "BPE": (
        *("dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix"),
        *("fuse_unk", "byte_fallback", "ignore_merges"),
    ),
    "Unigram": ("unk_id", "byte_fallback"),
    "BertNormalizer": ("strip_accents",),
    "ByteLevel": ("use_regex",),
    "Metaspace": ("prepend_scheme", "split"),
}  # fmt: skip
"""Fields that a component may lack, by its type."""

UNTYPED = frozenset(
    {
        "BertNormalizer",
        "Strip",
        "Prepend",
        "BPEDecoder",
        "CTC",
        "BertProcessing",
        "RobertaProcessing",
        "TemplateProcessing",
    }
)
"""Components that are known by their fields where they have no type."""


def in_legacy_form(rng: Random, document: Json) -> Json:
    """Return ``document`` with one or two of its parts in a form that only older or hand-written files have."""
    document = copy.deepcopy(document)
    for change in rng.sample(CHANGES, k=rng.randint(1, 2)):
        change(rng, document)
    return document


def _merges_as_strings(_: Random, document: Json) -> None:
    merges = document["model"].get("merges")
    # A part with a space in it cannot be told from two parts.
    if merges and not any(" " in part for pair in merges for part in pair):
        document["model"]["merges"] = [" ".join(pair) for pair in merges]


def _model_without_type(_: Random, document: Json) -> None:
    document["model"].pop("type", None)


def _without_optional_keys(rng: Random, document: Json) -> None:
    for key in rng.sample(OPTIONAL_AT_TOP, k=rng.randint(1, 4)):
        document.pop(key, None)


def _without_optional_fields(rng: Random, document: Json) -> None:
    for component in list(_components(document)):
        for name in OPTIONAL_IN_COMPONENT.get(component.get("type", ""), ()):
            if rng.random() < 0.5:
                component.pop(name, None)


def _without_direction(_: Random, document: Json) -> None:
    truncation = document.get("truncation")
    if isinstance(truncation, dict):
        truncation.pop("direction", None)


def _components_without_type(rng: Random, document: Json) -> None:
    for component in list(_components(document)):
        if component.get("type") in UNTYPED and rng.random() < 0.7:
            del component["type"]


def _metaspace_of_old(rng: Random, document: Json) -> None:
    for component in _components(document):
        if component.get("type") == "Metaspace":
            is_never = component.get("prepend_scheme") == "never"
            component["add_prefix_space"] = not is_never or rng.random() < 0.5
            component["str_rep"] = component["replacement"]


def _truncation_as_array(_: Random, document: Json) -> None:
    truncation = document.get("truncation")
    if isinstance(truncation, dict) and "direction" in truncation:
        document["truncation"] = list(truncation.values())


CHANGES: tuple[Callable[[Random, Json], None], ...] = (
    _merges_as_strings,
    _model_without_type,
    _without_optional_keys,
    _without_optional_fields,
    _without_direction,
    _components_without_type,
    _metaspace_of_old,
    _truncation_as_array,
)


def _components(value: Any) -> Iterator[Json]:
    """Give the objects in ``value`` that have a type, the outer ones first."""
    if isinstance(value, dict):
        if "type" in value:
            yield value
        for member in list(value.values()):
            yield from _components(member)
    elif isinstance(value, list):
        for item in value:
            yield from _components(item)
