"""The components of a tokenizer.json, also those inside sequences, as selectors ask for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import AddTokens, After

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


def type_of_model(model: Mapping[str, Any]) -> str:
    """Return the type of ``model``; files of early releases do not say it, and are told by their members."""
    if isinstance(model.get("type"), str):
        return str(model["type"])
    if "merges" in model:
        return "BPE"
    if isinstance(model.get("vocab"), list):
        return "Unigram"
    return "WordPiece" if "continuing_subword_prefix" in model else "WordLevel"


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
