"""Which known changes explain a difference between two releases."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import (
    Crashed,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Failed,
    Normalize,
    PreTokenize,
    plain_of,
)
from tokenizer_conformance.ledger.entry import LOAD, SAVE
from tokenizer_conformance.releases.known_changes.change import Characters
from tokenizer_conformance.releases.known_changes.documents import SAVED_RELATIONS, components_of, has_any, places
from tokenizer_conformance.releases.known_changes.locality import is_local
from tokenizer_conformance.releases.known_changes.relations import RELATIONS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_adapters.contract import Observation, Outcome, PlainObservation
    from tokenizer_conformance.releases.known_changes.change import ChangedAnswer, KnownChange, Selector

    Candidates = list[tuple[KnownChange, Selector]]

ASKS: dict[type[PlainObservation], str] = {
    Normalize: "normalize",
    PreTokenize: "pre_tokenize",
    Encode: "encode",
    EncodeBatch: "encode_batch",
    Decode: "decode",
    DecodeStream: "decode_stream",
}
"""What a question is called in ``asks``; loading and saving ask ``load`` and ``save``."""


@dataclass(frozen=True, slots=True)
class KnownChanges:
    """Changes, each package's in the order of the releases."""

    changes: tuple[KnownChange, ...]

    def between(self, package: str, old: str, new: str) -> tuple[KnownChange, ...]:
        """Return the changes of ``package`` by which the releases ``old`` and ``new`` differ, in either direction."""
        return tuple(change for change in self.changes if change.package == package and change.lies_between(old, new))

    def explaining(self, package: str, old: str, new: str, difference: ChangedAnswer) -> tuple[KnownChange, ...]:
        """Return the changes that explain ``difference`` between the releases ``old`` and ``new`` of ``package``.

        None where there is anything in it that they do not explain. Several where each of them could be the cause, or
        where it takes them all: a text with characters of two Unicode versions, a file that is written in another form
        in two places.
        """
        candidates = [
            (change, change.selector)
            for change in self.between(package, old, new)
            if change.selector is not None and _fits(change.selector, difference)
        ]
        forwards = [each for each in candidates if each[0].holds_in(new)]
        backwards = [each for each in candidates if not each[0].holds_in(new)]
        turned = replace(difference, old=difference.new, new=difference.old)
        return _explained(forwards, difference) or _explained(backwards, turned)


def _explained(candidates: Candidates, difference: ChangedAnswer) -> tuple[KnownChange, ...]:
    """Return which of ``candidates`` explain ``difference``, whose old answer is that of the release without them."""
    if difference.stage == SAVE:
        return _of_files(candidates, difference)
    alone = tuple(change for change, selector in candidates if _explains(selector, difference))
    return alone or _together(candidates, difference)


# What must fit in every case -----------------------------------------------------------------------------------------


def _fits(selector: Selector, difference: ChangedAnswer) -> bool:
    question = difference.question
    asked = difference.stage if question is None else ASKS[type(plain_of(question))]
    words = ((difference.stage, selector.stages), (difference.kind, selector.kinds), (asked, selector.asks))
    return (
        all(not wanted or word in wanted for word, wanted in words)
        and (not selector.fields or (bool(difference.fields) and selector.fields.issuperset(difference.fields)))
        and (not selector.having or _has_components(selector, difference))
        and (selector.text is None or any(re.search(selector.text, text) for text in _texts(question)))
    )


def _has_components(selector: Selector, difference: ChangedAnswer) -> bool:
    document = difference.document
    return document is not None and has_any(selector.having, components_of(document, difference.question))


def _texts(question: Observation | None) -> Iterable[str]:
    if question is None:
        return
    match plain_of(question):
        case Normalize(text) | PreTokenize(text):
            yield text
        case Encode() as encode:
            yield from _texts_of(encode)
        case EncodeBatch(inputs):
            for each in inputs:
                yield from _texts_of(each)


def _texts_of(encode: Encode) -> Iterable[str]:
    for text in (encode.text, encode.pair):
        if text is not None:
            yield from (text,) if isinstance(text, str) else text


# What the answers must show ------------------------------------------------------------------------------------------


def _explains(selector: Selector, difference: ChangedAnswer) -> bool:
    without, having = difference.old, difference.new
    if not _refuse(selector, without, having, is_load=difference.stage == LOAD):
        return False
    if selector.relation is not None and not RELATIONS[selector.relation](difference):
        return False
    if selector.characters is None:
        return True
    return is_local(selector.characters, difference.question, without, having)


def _refuse(selector: Selector, without: Outcome | str | None, having: Outcome | str | None, *, is_load: bool) -> bool:
    """Return whether the two refuse as ``selector`` says; where it says nothing of refusals, neither may.

    One that does not refuse has no words: a pattern that fits the empty text leaves it open.
    """
    words = (_refusal(without, is_load=is_load), _refusal(having, is_load=is_load))
    return all(
        found is None if pattern is None else re.fullmatch(pattern, found or "", re.DOTALL) is not None
        for pattern, found in zip((selector.old, selector.new), words, strict=True)
    )


def _refusal(answer: Outcome | str | None, *, is_load: bool) -> str | None:
    match answer:
        case str():
            return answer if is_load else None
        case Failed(kind, message):
            return f"{kind}: {message}"
        case Crashed(detail):
            return detail
    return None


# Several changes in one difference -----------------------------------------------------------------------------------


def _together(candidates: Candidates, difference: ChangedAnswer) -> tuple[KnownChange, ...]:
    """Return all of ``candidates`` that are about characters, where it takes several of them."""
    texts = "".join(_texts(difference.question))
    named = [
        (change, selector.characters)
        for change, selector in candidates
        if selector.characters is not None
        and not selector.characters.all.isdisjoint(texts)
        and (selector.relation is None or RELATIONS[selector.relation](difference))
    ]
    if len(named) < 2:
        return ()
    rewriting = all(each.becomes for _, each in named)
    becomes = {key: value for _, each in named for key, value in each.becomes.items()} if rewriting else {}
    joined = Characters(frozenset[str]().union(*(each.all for _, each in named)), becomes)
    if not is_local(joined, difference.question, difference.old, difference.new):
        return ()
    return tuple(change for change, _ in named)


def _of_files(candidates: Candidates, difference: ChangedAnswer) -> tuple[KnownChange, ...]:
    """Return the changes that the two files show, where every place in which they differ is of one of them."""
    if not isinstance(difference.old, str) or not isinstance(difference.new, str):
        return ()
    found = places(difference.old, difference.new)
    rules = [(change, SAVED_RELATIONS[each.relation]) for change, each in candidates if each.relation is not None]
    if not found or not all(any(rule(place) for _, rule in rules) for place in found):
        return ()
    return tuple(change for change, rule in rules if any(rule(place) for place in found))
