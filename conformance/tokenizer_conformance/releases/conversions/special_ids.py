"""The ids of special tokens that a conversion names, beside those that tokenizer_config.json names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_conformance.comparison.component_differences import Change, Component, Replacement
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.releases.conversions.overlay import ids_of
from tokenizer_conformance.releases.loader_audit.witness import NoWitness

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.releases.loader_audit.witness import Shown

SEEN_ELSEWHERE = "no text shows it: it is what an engine stops at, pads with or puts first, if it is asked to"


def special_id_differences(
    document: Json, configuration: Json, special_ids: Mapping[str, int], tokens: Mapping[int, str]
) -> Iterator[tuple[Replacement, Shown]]:
    """Yield each role of ``configuration`` to which a conversion, whose ``tokens`` these are, gives another one's id.

    A conversion names a padding of its own where the folder has none, so that a role that only it knows is no
    difference.
    """
    ids = {token: id_ for id_, token in ids_of(document).all.items()}
    for role, token in named_roles(document, configuration, special_ids).items():
        id_ = special_ids[role]
        if tokens.get(id_) == token:
            continue
        words = f"the {role} is {quoted(tokens.get(id_, '?'))} ({id_}) in place of {quoted(token)}"
        change = Change(role, ids[token], id_)
        found = Replacement(Component.DEFAULTS, f"defaults.{role}", words, (change,), 1, document)
        yield found, NoWitness(0, SEEN_ELSEWHERE)


def named_roles(document: Json, configuration: Json, roles: Iterable[str]) -> dict[str, str]:
    """Return those of the ``roles`` for which ``configuration`` names a token that ``document`` has, with the token."""
    known = set(ids_of(document).all.values())
    named = {role: content_of(configuration.get(role)) for role in roles}
    return {role: token for role, token in named.items() if token in known and token is not None}


def content_of(token: Any) -> str | None:
    """Return the text of a ``token`` of tokenizer_config.json, which is a text, or an object that holds it."""
    found = token.get("content") if isinstance(token, dict) else token
    return found if isinstance(found, str) else None
