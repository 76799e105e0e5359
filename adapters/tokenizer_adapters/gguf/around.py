"""What a conversion says of special tokens: their ids, and which are put around a text.

This follows ``SpecialVocab`` of llama.cpp's ``gguf-py/gguf/vocab.py``, which reads tokenizer_config.json and the
post-processor of tokenizer.json, then config.json. It does only one thing more: where none of these gives an id, the
template does. (A checkpoint whose config.json gives none would not be converted as it stands, and llama.cpp would take
the ids of its first models for it.)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.documents import model_kind, token_ids, unknown_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

KEYS = {
    "bos": "bos",
    "eos": "eos",
    "unk": "unknown",
    "sep": "seperator",
    "pad": "padding",
    "cls": "cls",
    "mask": "mask",
    "eot": "eot",
    "eom": "eom",
}
"""What each role is called in tokenizer_config.json, and in the key of its id (which have this spelling)."""

ADDING = ("bos", "eos", "sep")
"""The roles whose tokens a file can say to add."""


@dataclass(slots=True)
class Around:
    """The special ``tokens`` by role, and which roles are ``added`` around a text."""

    tokens: dict[str, str] = field(default_factory=dict)
    added: dict[str, bool] = field(default_factory=dict)
    first: str | None = None
    last: str | None = None


def around_of(document: dict[str, Any], configuration: Mapping[str, Any]) -> Around:
    """Return what ``document`` and ``configuration``, parsed tokenizer.json and tokenizer_config.json, say."""
    around = Around({role: text for role in KEYS if (text := _content(configuration.get(f"{role}_token"))) is not None})
    for role, other in (("bos", "cls"), ("eos", "sep")):
        if role not in around.tokens and other in around.tokens:
            around.tokens[role] = around.tokens[other]
    for processor in _processors(document.get("post_processor")):
        _read(processor, around)
    for role in ADDING:
        said = configuration.get(f"add_{role}_token")
        if isinstance(said, bool):
            around.added.setdefault(role, said)
    return around


def ids_of(around: Around, document: dict[str, Any], model: Mapping[str, Any]) -> dict[str, int]:
    """Return the ids of the special tokens by the names of their keys; ``model`` is the parsed config.json."""
    added = {token["content"]: token["id"] for token in document.get("added_tokens") or ()}
    found = {role: added[text] for role, text in around.tokens.items() if text in added}
    for role in KEYS:
        given = model.get(f"{role}_token_id")
        if isinstance(given, int) and not isinstance(given, bool) and given >= 0:
            found.setdefault(role, given)
    known = token_ids(document)
    roles = (("bos", "cls"), ("eos", "sep")) if model_kind(document) == "WordPiece" else (("bos",), ("eos",))
    for end, token in zip(roles, (around.first, around.last), strict=True):
        if token is not None and token in known:
            found.update({role: found.get(role, known[token]) for role in end})
    unknown = unknown_id(document)
    if unknown is not None:
        found.setdefault("unk", unknown)
    return {KEYS[role]: id_ for role, id_ in found.items()}


def _content(token: Any) -> str | None:
    found = token.get("content") if isinstance(token, dict) else token
    return found if isinstance(found, str) else None


def _processors(processor: Any) -> Iterator[dict[str, Any]]:
    if isinstance(processor, dict):
        yield from processor.get("processors") or [processor]


def _read(processor: dict[str, Any], around: Around) -> None:
    match processor:
        case {"type": "ByteLevel"}:
            around.added.setdefault("bos", False)
            around.added.setdefault("eos", False)
        case {"type": "RobertaProcessing", "cls": [str(first), _], "sep": [str(last), _]}:
            around.added.update(bos=True, eos=True, sep=True)
            around.tokens.setdefault("cls", first)
            around.tokens.setdefault("sep", last)
            around.first, around.last = first, last
        case {"type": "BertProcessing", "cls": [str(first), _], "sep": [str(last), _]}:
            around.first, around.last = first, last
        case {"type": "TemplateProcessing"}:
            _read_template(processor, around)


def _read_template(processor: dict[str, Any], around: Around) -> None:
    """Read a template as ``SpecialVocab`` does: its first and its last piece, where these are special tokens."""
    single = processor.get("single") or []
    first, last = (_special(single[0]), _special(single[-1])) if len(single) > 1 else (None, None)
    tokens, added = around.tokens, around.added
    if first is not None:
        around.first = first
        if first not in {tokens.get("bos"), tokens.get("cls")}:
            tokens.setdefault("bos", first)
            tokens.setdefault("cls", first)
        added["bos"] = first in {tokens["bos"], tokens.get("cls")}
    if last is not None:
        around.last = last
        if tokens.get("eos", last) != last:
            tokens["eot"] = tokens["eos"]  # what ended a text until now ends a turn
        tokens["eos"] = last
        added["eos"] = True
    separated = _separates(processor.get("pair") or [], first, last, {tokens.get("sep"), tokens.get("eos")})
    if separated is not None:
        added["sep"] = separated


def _separates(pair: list[dict[str, Any]], first: str | None, last: str | None, known: set[str | None]) -> bool | None:
    """Return whether one separator more than the end stands between two texts; ``None`` where that is not told."""
    start = 1 if first is not None and pair and _special(pair[0]) == first else 0
    stop = len(pair) - 1 if last is not None and pair and _special(pair[-1]) == last else len(pair)
    inner = pair[start:stop]
    if len(inner) < 3 or _sequence(inner[0]) != "A" or _sequence(inner[-1]) != "B":
        return None
    between = [_special(piece) for piece in inner[1:-1]]
    one = between[0] in known and last is None
    two = len(between) == 2 and between[1] is not None and between[1] in known
    return one or two


def _special(piece: dict[str, Any]) -> str | None:
    found = piece.get("SpecialToken", {}).get("id")
    return found if isinstance(found, str) else None


def _sequence(piece: dict[str, Any]) -> Any:
    return piece.get("Sequence", {}).get("id")
