"""What a change of a tokenizer.json is, and the simplest changes of a component."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tokenizer_adapters.variants.change import Rule

Json = dict[str, Any]

LEFT_OUT = "component-left-out"


def any_text(text: str) -> bool:
    """Return that a change can matter to any text."""
    del text
    return True


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A change: the class ``name``, ``parameter``, and the new values of ``members`` of the document.

    ``part`` is the member that it is about. It can matter only for texts of which ``matters`` holds. Where it is more
    than one change, ``of`` are their keys. ``only_encodes``: it is supposed of texts, and nothing is said of ids;
    ``without_added_tokens``: nor of texts with added tokens. ``texts`` are such as show it or its bounds. ``rules`` of
    the reference are replaced as well.
    """

    name: str
    parameter: str
    part: str
    members: dict[str, Any]
    matters: Callable[[str], bool] = any_text
    of: tuple[tuple[str, str], ...] = ()
    only_encodes: bool = False
    without_added_tokens: bool = False
    texts: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()

    @property
    def keys(self) -> tuple[tuple[str, str], ...]:
        """What each of its changes goes by."""
        return self.of or (self.key,)

    @property
    def key(self) -> tuple[str, str]:
        """What the change goes by on any tokenizer."""
        return self.name, self.parameter


def put(document: Json, change: DocumentChange) -> Json:
    """Return ``document`` with ``change`` made."""
    return {**document, **change.members}


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen of an implementation, and tells values of options.

    That is a ``text``, how many tokens it makes of it, and ``ids`` in its answer that are not in the baseline's. It may
    make only so many tokens of a long text (``longest``), where the baseline makes another number of it. ``added`` are
    the added tokens that were asked about. Of all special tokens only those ``skipped`` are left out in decoding, each
    asked about alone; ``None`` where that was not asked.
    """

    text: str = ""
    tokens: int = 0
    ids: tuple[int, ...] = ()
    longest: int = 0
    added: tuple[str, ...] = ()
    skipped: frozenset[str] | None = None


NOTHING_SEEN = Seen()


Change = tuple[str, str, Any]
"""A class, a parameter, and what stands in the place of a component; ``None``: nothing."""

Changes = Callable[[Json], Iterator[Change]]
"""Gives the changes of one component that is no sequence."""


def flag(name: str, key: str, *values: Any) -> Changes:
    """Return the changes that give the option ``key`` of a component each of the other ``values``."""

    def changes(component: Json) -> Iterator[Change]:
        for value in values:
            if key in component and component[key] != value:
                yield name, f"{component['type']} {key} {said(value)}", {**component, key: value}

    return changes


NEVER_MET = "\U0010fffd"
"""A prefix or suffix that no token has."""


def said(value: Any) -> str:
    """Return a value of JSON in few words.

    >>> said(None), said(True), said("first")
    ('null', 'true', 'first')
    """
    if value == NEVER_MET:
        return "one that no token has"
    return json.dumps(value) if value is None or isinstance(value, bool) or value == "" else str(value)


def instead(name: str, *others: tuple[str, Json]) -> Changes:
    """Return the changes that put each of the ``others`` in the place of a component."""

    def changes(component: Json) -> Iterator[Change]:
        for words, other in others:
            if other != component:
                yield name, f"{component['type']} -> {words}", other

    return changes
