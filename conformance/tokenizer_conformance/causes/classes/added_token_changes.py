"""Changes of the added tokens: their flags, and which of them there are."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.causes.classes.component_changes import LEFT_OUT, DocumentChange, said
from tokenizer_conformance.escape import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.causes.classes.component_changes import Json, Seen

AROUND = ("{0}", "{0}.", ".{0}", "{0}a", "a{0}", " {0} ", "{0}{0}", "-{0}-")
MOST_IN_TEXTS = 16
"""Where added tokens stand in the texts that show what is true of them, and of how many there are such texts."""


def _key(token: Json) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted(token.items()))


FLAGS = ("lstrip", "rstrip", "single_word")


def of_added_tokens(document: Json, seen: Seen) -> Iterator[DocumentChange]:
    """Give the changes of the added tokens of ``document``; one by one of those that were ``seen`` first."""
    tokens = document.get("added_tokens") or []
    asked = frozenset(seen.added)
    alone = sorted(tokens, key=lambda token: token.get("content") not in asked)[:MOST_ONE_BY_ONE]
    for look in (partial(_other_flags, skipped=seen.skipped), _fewer_added_tokens, _not_looked_for) if tokens else ():
        yield from (replace(change, texts=_texts(change, tokens)) for change in look(document, tokens, alone))


def _texts(change: DocumentChange, tokens: list[Json]) -> tuple[str, ...]:
    """Return texts with the tokens that ``change`` is about; where it is of one alone, with the others as well."""
    kept = {_key(each) for each in change.members.get("added_tokens", tokens)}
    changed = [each for each in tokens if _key(each) not in kept]
    told = changed if len(changed) > 1 else [*changed, *(each for each in tokens if each not in changed)]
    return tuple(each.format(token["content"]) for token in told[:MOST_IN_TEXTS] for each in AROUND)


def _other_flags(
    document: Json, tokens: list[Json], alone: list[Json], skipped: frozenset[str] | None
) -> Iterator[DocumentChange]:
    around = json.dumps(document.get("post_processor"))
    of_template = [{**each, "special": json.dumps(each["content"]) in around} for each in tokens]
    before = [{**each, "normalized": False} for each in tokens]
    for words, changed, only_encodes in (
        *((words, changed, False) for words, changed in (*_added(tokens), *_added_one_by_one(tokens, alone))),
        ("special are those of the template", of_template, False),
        *((words, changed, False) for words, changed in _special_as_skipped(tokens, skipped)),
        ("normalized is false, in encoding", before, True),
    ):
        if changed != tokens:
            members: Json = {"added_tokens": changed}
            yield DocumentChange("added-token-flags", words, "added_tokens", members, only_encodes=only_encodes)


def _fewer_added_tokens(_document: Json, tokens: list[Json], alone: list[Json]) -> Iterator[DocumentChange]:
    for words, kept in (
        *((f"added token {quoted(token['content'])} left out", rest) for token, rest in _one_less(tokens, alone)),
        ("added_tokens left out", []),
        ("added_tokens that are not special left out", [each for each in tokens if each.get("special")]),
        ("special added_tokens left out", [each for each in tokens if not each.get("special")]),
    ):
        if kept != tokens:
            yield DocumentChange(LEFT_OUT, words, "added_tokens", {"added_tokens": kept})


def _not_looked_for(document: Json, tokens: list[Json], alone: list[Json]) -> Iterator[DocumentChange]:
    special = "special-token-handling"
    for words, kept in (
        ("special tokens are not looked for in texts", [each for each in tokens if not each.get("special")]),
        (
            "added tokens that are not special are not looked for in texts",
            [each for each in tokens if each.get("special")],
        ),
        (
            "added tokens with normalized are not looked for in texts",
            [each for each in tokens if not each.get("normalized")],
        ),
        ("added tokens are not looked for in texts", []),
        *((f"{quoted(token['content'])} is not looked for in texts", rest) for token, rest in _one_less(tokens, alone)),
    ):
        if kept == tokens:
            continue
        others = _never_found(document["model"], tokens, kept)
        yield DocumentChange(special, words, "added_tokens", {"added_tokens": others}, only_encodes=True)
        model = _without_pieces(document["model"], {each["content"] for each in _others(tokens, kept)})
        if model is not None:
            both = {"added_tokens": others, "model": model}
            yield DocumentChange(special, f"{words}, nor by the model", "added_tokens", both, only_encodes=True)
    model = _without_pieces(document["model"], {each["content"] for each in tokens if each.get("special")})
    if model is not None:
        yield DocumentChange(special, "special tokens are no pieces of the model", "model", {"model": model})


def _never_found(model: Json, tokens: list[Json], kept: list[Json]) -> list[Json]:
    """Return ``tokens`` of which only those that are ``kept`` can be found in texts.

    All keep their ids: one that the model has none for is given the next one, whatever the file says.
    """
    found = set(map(id, kept))
    vocab = model.get("vocab")
    names = {piece for piece, _ in vocab} if isinstance(vocab, list) else vocab or {}
    return [
        token if id(token) in found else {**token, "content": f"{_NO_PIECE}{token['content']}"}
        for token in tokens
        if id(token) in found or token["content"] not in names
    ]


def _others(tokens: list[Json], kept: list[Json]) -> list[Json]:
    """Return those of ``tokens`` that are none of ``kept``, a part of them."""
    found = set(map(id, kept))
    return [each for each in tokens if id(each) not in found]


def _one_less(tokens: list[Json], alone: list[Json]) -> list[tuple[Json, list[Json]]]:
    """Return the tokens that are looked at ``alone``, each with the rest of them."""
    return [(token, [each for each in tokens if each is not token]) for token in alone]


def _added(tokens: list[Json]) -> Iterator[tuple[str, list[Json]]]:
    for key in FLAGS:
        yield f"{key} is false", [{**each, key: False} for each in tokens]
        yield f"{key} is true", [{**each, key: True} for each in tokens]
    yield "lstrip and rstrip are false", [{**each, "lstrip": False, "rstrip": False} for each in tokens]
    for value in (False, True):
        yield f"normalized is {said(value)}", [{**each, "normalized": value} for each in tokens]
        yield f"special is {said(value)}", [{**each, "special": value} for each in tokens]


def _special_as_skipped(tokens: list[Json], skipped: frozenset[str] | None) -> Iterator[tuple[str, list[Json]]]:
    """Give the tokens of which only those are special that are left out in decoding, where these are some of them."""
    if skipped:
        special = [each["content"] for each in tokens if each.get("special")]
        kept = [each for each in special if each not in skipped]
        left_out = [each for each in special if each in skipped]
        changed = [{**each, "special": each["content"] in left_out} for each in tokens]
        few = len(left_out) <= len(kept)
        yield f"special is false but of {_named(left_out)}" if few else f"special of {_named(kept)} is false", changed


MOST_TOLD = 4
"""Of so many tokens the names are told."""


def _named(contents: list[str]) -> str:
    more = f" and {len(contents) - MOST_TOLD} more" if len(contents) > MOST_TOLD else ""
    return ", ".join(map(quoted, contents[:MOST_TOLD])) + more


MOST_ONE_BY_ONE = 16
"""How many added tokens are tried alone."""


def _added_one_by_one(tokens: list[Json], alone: list[Json]) -> Iterator[tuple[str, list[Json]]]:
    for token in alone:
        at = tokens.index(token)
        for key in (*FLAGS, "normalized", "special"):
            changed = {**token, key: not token.get(key, False)}
            words = f"{key} of {quoted(token['content'])} is {said(changed[key])}"
            yield words, [*tokens[:at], changed, *tokens[at + 1 :]]


_NO_PIECE = "\U0010fffd"
"""Stands before the text of a piece that is not to be found."""


def _without_pieces(model: Json, contents: set[str]) -> Json | None:
    """Return a Unigram model in which no text is one of ``contents``; ``None`` where there is nothing to change."""
    vocab = model.get("vocab")
    if not isinstance(vocab, list):
        return None
    changed = [*vocab]  # what is not changed is not copied: this is done for each of many tokens
    for at, (piece, score) in enumerate(vocab):
        if piece in contents:
            changed[at] = [_NO_PIECE + piece, score]
    return None if changed == vocab else {**model, "vocab": changed}
