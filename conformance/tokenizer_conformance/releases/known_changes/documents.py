"""The components of a tokenizer.json, as selectors ask for them, and where two saved forms of one tokenizer differ."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import AddTokens, After
from tokenizer_conformance.comparison.document_parts import type_of_model

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.releases.known_changes.change import Having

MEMBERS_OF_SEQUENCE: dict[str, str] = {
    "normalizer": "normalizers",
    "pre_tokenizer": "pretokenizers",
    "post_processor": "processors",
    "decoder": "decoders",
}
"""The member of a ``Sequence`` that lists its components, by the part of tokenizer.json."""

ADDED_TOKENS, ADDED_TOKEN = "added_tokens", "AddedToken"

SIZES: tuple[str, ...] = ("truncation", "padding")

PARTS: tuple[str, ...] = (*MEMBERS_OF_SEQUENCE, "model", ADDED_TOKENS, *SIZES)
"""The parts of tokenizer.json that a selector can ask for."""

Component = tuple[str, str, "Mapping[str, Any]"]
"""A part of tokenizer.json, the type of a component in it, and its members."""


def components_of(document: Mapping[str, Any], question: Observation | None = None) -> Iterator[Component]:
    """Yield the components of ``document``, a tokenizer.json, and the tokens that ``question`` adds before it asks.

    What is no object is passed over: a file that is refused may hold anything.
    """
    for part in MEMBERS_OF_SEQUENCE:
        yield from _flat(part, document.get(part))
    model = document.get("model")
    if isinstance(model, dict):
        yield "model", type_of_model(model), model
    for part in SIZES:
        if isinstance(document.get(part), dict):
            yield part, part, document[part]
    tokens = document.get(ADDED_TOKENS)
    for token in tokens if isinstance(tokens, list) else ():
        if isinstance(token, dict):
            yield ADDED_TOKENS, ADDED_TOKEN, token
    if isinstance(question, After):
        for change in question.changes:
            if isinstance(change, AddTokens):
                yield from _new_tokens(change)


def has_any(wanted: Iterable[Having], components: Iterable[Component]) -> bool:
    """Return whether any of ``components`` is one that is ``wanted``."""
    found = tuple(components)
    return any(
        part == each.part
        and type_ == each.type
        and all(members.get(key) == value for key, value in each.members.items())
        for each in wanted
        for part, type_, members in found
    )


def _flat(part: str, component: object) -> Iterator[Component]:
    if not isinstance(component, dict):
        return
    yield part, str(component.get("type")), component
    inner = component.get(MEMBERS_OF_SEQUENCE[part])
    for each in inner if isinstance(inner, list) else ():
        yield from _flat(part, each)


def _new_tokens(change: AddTokens) -> Iterator[Component]:
    for token in change.tokens:
        special = change.special or token.special
        normalized = (not special) if token.normalized is None else token.normalized
        yield ADDED_TOKENS, ADDED_TOKEN, {"content": token.content, "special": special, "normalized": normalized}


# Saved forms ---------------------------------------------------------------------------------------------------------

ABSENT = object()
"""What stands where a file has no such member."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place where two files differ: the object's ``part`` and ``type``, its member, and both values.

    An added token has its content for a type.
    """

    part: str
    type: str
    member: str
    old: Any
    new: Any


SavedRelation = Callable[[Place], bool]


def places(old: str, new: str) -> tuple[Place, ...] | None:
    """Return where the files with the texts ``old`` and ``new`` differ; ``None`` where one is no JSON object."""
    try:
        first, second = json.loads(old), json.loads(new)
    except ValueError:
        return None
    if not isinstance(first, dict) or not isinstance(second, dict):
        return None
    return tuple(_differing(first, second))


def _differing(old: dict[str, Any], new: dict[str, Any]) -> Iterator[Place]:
    for part in dict.fromkeys((*old, *new)):
        yield from _of(part, "", part, old.get(part, ABSENT), new.get(part, ABSENT))


def _of(part: str, type_: str, member: str, old: Any, new: Any) -> Iterator[Place]:
    if old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict) and old.get("type") == new.get("type"):
        inner = str(new.get("content" if part == ADDED_TOKENS else "type", type_))
        for each in dict.fromkeys((*old, *new)):
            yield from _of(part, inner, each, old.get(each, ABSENT), new.get(each, ABSENT))
    elif _are_components(old) and _are_components(new) and len(old) == len(new):
        for before, after in zip(old, new, strict=True):
            yield from _of(part, type_, member, before, after)
    else:
        yield Place(part, type_, member, old, new)


def _are_components(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


# What is of one change ------------------------------------------------------------------------------------------------


def _is_new(type_: str, member: str, *values: Any) -> SavedRelation:
    def rule(place: Place) -> bool:
        return (place.type, place.member) == (type_, member) and place.old is ABSENT and place.new in values

    return rule


def _merges_are_pairs(place: Place) -> bool:
    """Return whether the same merges are written as pairs.

    A snapshot says of many merges their digest, which is the same in both forms, and the form.
    """
    if (place.part, place.type, place.member) == ("model", "BPE", "form"):
        return (place.old, place.new) == ("strings", "pairs")
    if place.part != "model" or place.member != "merges" or not isinstance(place.new, list):
        return False
    if not isinstance(place.old, list) or not all(isinstance(merge, str) for merge in place.old):
        return False
    return [merge.split(" ") for merge in place.old] == place.new


def _mask_is_normalized(place: Place) -> bool:
    named = (place.part, place.type, place.member) == ("added_tokens", "<mask>", "normalized")
    return named and place.old is False and place.new is True


def _prefix_space_is_gone(place: Place) -> bool:
    if place.type != "Metaspace":
        return False
    if place.member == "split":
        return place.old is ABSENT and place.new is True
    return place.member == "add_prefix_space" and place.old is True and place.new is ABSENT


SAVED_RELATIONS: Mapping[str, SavedRelation] = {
    "saves-byte-fallback": _is_new("Unigram", "byte_fallback", False),
    "saves-prepend-scheme": _is_new("Metaspace", "prepend_scheme", "always"),
    "saves-split": _prefix_space_is_gone,
    "saves-ignore-merges": _is_new("BPE", "ignore_merges", False, True),
    "saves-merges-as-pairs": _merges_are_pairs,
    "saves-mask-normalized": _mask_is_normalized,
}
"""What ``relation`` can name at the stage ``save``: each says of a place in the file whether it is of that change."""
