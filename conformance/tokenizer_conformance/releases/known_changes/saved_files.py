"""Two forms in which two releases write one tokenizer, place by place."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.releases.known_changes.components import ADDED_TOKENS

if TYPE_CHECKING:
    from collections.abc import Iterator

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
