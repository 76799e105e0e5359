"""Which parts of two tokenizer.json carry the difference between their answers, found by exchanging parts.

A set of parts carries a text if the first document, with these parts as the second has them, gives the second's answer.
It carries the difference if it carries every text that differs, and changes no text that does not: the controls. Parts
are tried one at a time; where none suffices, all are exchanged, and what can be left out is. So a set that is found has
no part too many.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_conformance.comparison.component_differences import ABSENT, MEMBERS, Component, places_between
from tokenizer_conformance.comparison.document_parts import at, path_text, with_part, without_part

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.comparison.reduction import Json

MOST_TRIES = 80
"""How many documents are loaded at most."""

MOST_OF_A_KIND = 10
MOST_TEXTS = 100
LONGEST_TEXT = 20_000
"""How many texts that differ in one way are asked about, how many texts in all, and how long each is at most."""

MOST_PLACES = 8
"""A component with more places that differ is exchanged whole."""

WHOLE: tuple[tuple[str, str], ...] = (
    ("added_tokens", "the added tokens"),
    ("truncation", "the truncation"),
    ("padding", "the padding"),
)

PIPELINE: tuple[tuple[str, str], ...] = (
    (Component.NORMALIZER, "the normalizer"),
    (Component.PRE_TOKENIZER, "the pre-tokenizer"),
    (Component.POST_PROCESSOR, "the post-processor"),
    (Component.DECODER, "the decoder"),
)

OF_MODEL = {"vocab": "the vocabulary", "merges": "the merges"}


@dataclass(frozen=True, slots=True)
class Part:
    """A part in which two documents differ: what it is called, where it is, and both values."""

    name: str
    path: Path
    first: Any
    second: Any


@dataclass(frozen=True, slots=True)
class Carrier:
    """A set of ``parts``, exchanged: how many texts they carry, how many the other way round, and if controls stayed.

    ``texts`` of those that differ get the second's answer, ``back`` of them the first's where the second document has
    these parts of the first.
    """

    parts: tuple[Part, ...]
    texts: int
    back: int
    keeps_controls: bool


@dataclass(frozen=True, slots=True)
class Exchanged:
    """The outcome for so many ``texts`` that differ and ``controls``, of two documents with so many ``parts`` apart.

    ``carriers`` are single parts that carry all texts, or one set of parts that does and of which none can be left out;
    where none was found, the parts that carry some. ``reason``
    says why nothing could be told, or nothing more.
    """

    texts: int
    controls: int
    parts: int
    carriers: tuple[Carrier, ...]
    is_all: bool
    reason: str = ""


# Parts ---------------------------------------------------------------------------------------------------------------


def parts_between(first: Json, second: Json) -> Iterator[Part]:
    """Yield the parts in which two documents differ, in the order of the pipeline.

    >>> lower, both = {"type": "Lowercase"}, {"type": "Sequence", "normalizers": [{"type": "Lowercase"}]}
    >>> [part.name for part in parts_between({"normalizer": lower, "model": {}}, {"normalizer": both, "model": {}})]
    ['the normalizer']
    """
    for member, name in (WHOLE[0], *PIPELINE[:2]):
        yield from _of_member(first, second, member, name)
    yield from _of_model(first, second)
    for member, name in (*PIPELINE[2:], *WHOLE[1:]):
        yield from _of_member(first, second, member, name)


def _of_member(first: Json, second: Json, member: str, name: str) -> Iterator[Part]:
    ours, theirs = first.get(member), second.get(member)
    if ours == theirs:
        return
    places = list(places_between(ours, theirs, (member,)))
    if member in dict(WHOLE) or len(places) > MOST_PLACES:
        yield Part(name, (member,), ours, theirs)
        return
    for path, one, other in places:
        yield Part(_name(first, name, path), path, one, other)


def _name(document: Json, name: str, path: Path) -> str:
    """Return what the part at ``path`` is called: the component, its type, and the option.

    >>> split = {"type": "Split", "pattern": {"Regex": "a"}}
    >>> _name({"pre_tokenizer": split}, "the pre-tokenizer", ("pre_tokenizer", "pattern", "Regex"))
    "the pre-tokenizer's Split pattern"
    """
    depth = 1
    while len(path) > depth + 1 and path[depth] in MEMBERS:
        depth += 2
    if len(path) <= depth:
        return name if len(path) == 1 else f"{name}'s part {int(path[-1]) + 1}"
    if path[depth] in MEMBERS:
        return f"{name}'s list of parts"
    type_ = at(document, (*path[:depth], "type"))
    return f"{name}'s {type_} {path[depth]}" if isinstance(type_, str) else f"{name}'s {path[depth]}"


def _of_model(first: Json, second: Json) -> Iterator[Part]:
    ours, theirs = first.get("model") or {}, second.get("model") or {}
    if ours.get("type") != theirs.get("type"):
        yield Part("the model", ("model",), ours, theirs)
        return
    for option in dict.fromkeys([*ours, *theirs]):
        one, other = ours.get(option, ABSENT), theirs.get(option, ABSENT)
        if one != other:
            yield Part(OF_MODEL.get(option, f"the model's {option}"), ("model", option), one, other)


def exchanged(document: Json, parts: Sequence[Part], *, back: bool = False) -> Json:
    """Return ``document`` with ``parts`` as the second has them, or with ``back`` as the first has them."""
    for part in parts:
        value = part.first if back else part.second
        document = without_part(document, part.path) if value is ABSENT else with_part(document, part.path, value)
    return document


def place_of(part: Part) -> str:
    """Return the JSON path of ``part``."""
    return path_text(part.path)


@dataclass(frozen=True, slots=True)
class KeptText:
    """A ``text`` that differs in ``ways``, number ``number`` (from 1) of those that differ in just these."""

    ways: frozenset[Hashable]
    number: int
    text: str


class KeptTexts:
    """Some of the texts that differ, of each way in which they do, and some that do not.

    ``counts`` has how many there were of each way, ``texts`` those that may be kept. Which are kept of several parts
    together, one after the other, follows from these.
    """

    def __init__(self) -> None:
        self.texts: list[KeptText] = []
        self.counts: Counter[frozenset[Hashable]] = Counter()

    def take(self, text: str, ways: Iterable[Hashable]) -> None:
        """Take in a ``text`` that differs in ``ways``; in none: it does not differ."""
        key = frozenset(ways)
        self.counts[key] += 1
        self._keep(KeptText(key, self.counts[key], text))

    def _keep(self, each: KeptText) -> None:
        if each.number <= (MOST_OF_A_KIND if each.ways else MOST_TEXTS) and 0 < len(each.text) <= LONGEST_TEXT:
            self.texts.append(each)

    def merge(self, later: KeptTexts) -> None:
        """Take in the texts of ``later``, which come after these."""
        for each in later.texts:
            self._keep(replace(each, number=self.counts[each.ways] + each.number))
        self.counts.update(later.counts)

    @property
    def count(self) -> int:
        """How many texts differ."""
        return sum(count for ways, count in self.counts.items() if ways)

    @property
    def differing(self) -> list[str]:
        """Those that are kept and differ."""
        return [each.text for each in self.texts if each.ways][:MOST_TEXTS]

    @property
    def alike(self) -> list[str]:
        """Those that are kept and do not differ."""
        return [each.text for each in self.texts if not each.ways][:MOST_TEXTS]


# The search ----------------------------------------------------------------------------------------------------------


A = TypeVar("A")


class Exchange(Generic[A]):
    """Exchanges parts of ``first`` and ``second``; ``answers`` gives what is answered with a document to texts.

    Answers are the same where they are ``alike``. ``texts`` are some about which both differ, ``controls`` some about
    which they do not. No document is loaded after ``until``, on the clock of :func:`time.monotonic`.
    """

    def __init__(
        self,
        first: Json,
        second: Json,
        answers: Callable[[Json, Sequence[str]], Sequence[A]],
        alike: Callable[[A, A], bool],
        texts: Sequence[str],
        controls: Sequence[str],
        until: float,
    ) -> None:
        self._first = first
        self._second = second
        self._answers = answers
        self._alike = alike
        self._asked = (*texts, *controls)
        self._texts = len(texts)
        self._until = until
        self._tries = 0

    def outcome(self, ours: Sequence[A], theirs: Sequence[A]) -> Exchanged:
        """Return which parts carry the difference between the answers ``ours`` and ``theirs``, to texts and controls.

        These are given where the files are; the files alone must give the same.
        """
        parts = tuple(parts_between(self._first, self._second))
        self._ours, self._theirs = ours, theirs
        if not parts:
            return self._told(parts, (), is_all=False, reason="both files say the same")
        if not (self._gives(self._first, ours) and self._gives(self._second, theirs)):
            return self._told(parts, (), is_all=False, reason="the files alone do not answer as they do where they are")
        alone = [each for part in parts if self._goes_on and (each := self._carrier((part,))) is not None]
        if found := self._whole(alone):
            return self._told(parts, found, is_all=True)
        least = self._least(parts, alone)
        carrier = None if least is None else self._carrier(least)
        if carrier is None or not self._whole([carrier]):
            return self._told(parts, _some(alone), is_all=False, reason="the time for trying parts was over")
        return self._told(parts, (carrier,), is_all=True)

    def _least(self, parts: Sequence[Part], alone: Sequence[Carrier]) -> tuple[Part, ...] | None:
        """Return parts of which none can be left out; ``None`` where the time was over before that was known.

        Those that carry least alone are left out first.
        """
        texts = {each.parts[0].path: each.texts for each in alone}
        left = list(parts)
        for part in sorted(parts, key=lambda each: texts.get(each.path, 0)):
            if not self._goes_on:
                return None
            without = [each for each in left if each is not part]
            if self._gives(exchanged(self._first, without), self._theirs):
                left = without
        return tuple(left)

    @property
    def _goes_on(self) -> bool:
        return time.monotonic() < self._until and self._tries < MOST_TRIES

    def _gives(self, document: Json, expected: Sequence[A]) -> bool:
        return self._count(self._answered(document), expected) == len(self._asked)

    def _count(self, answers: Sequence[A] | None, expected: Sequence[A]) -> int:
        """Return how many of ``answers`` are as ``expected``."""
        return 0 if answers is None else sum(map(self._alike, answers, expected))

    def _told(self, parts: Sequence[Part], carriers: Sequence[Carrier], *, is_all: bool, reason: str = "") -> Exchanged:
        controls = len(self._asked) - self._texts
        return Exchanged(self._texts, controls, len(parts), tuple(carriers), is_all, reason)

    def _whole(self, carriers: Sequence[Carrier]) -> tuple[Carrier, ...]:
        """Return those that carry all; where some do so in both directions, these."""
        found = [each for each in carriers if each.texts == self._texts and each.keeps_controls]
        both = [each for each in found if each.back == self._texts]
        return tuple(both or found)

    def _carrier(self, parts: tuple[Part, ...]) -> Carrier | None:
        """Return what ``parts`` carry, ``None`` where the document cannot be loaded with them exchanged."""
        there = self._answered(exchanged(self._first, parts))
        if there is None:
            return None
        texts = self._count(there[: self._texts], self._theirs)
        keeps = self._count(there[self._texts :], self._theirs[self._texts :]) == len(self._asked) - self._texts
        back = self._answered(exchanged(self._second, parts, back=True)) if texts and keeps else None
        backs = self._count(None if back is None else back[: self._texts], self._ours)
        return Carrier(parts, texts, backs, keeps)

    def _answered(self, document: Json) -> Sequence[A] | None:
        self._tries += 1
        try:
            return self._answers(document, self._asked)
        except CannotLoadError:
            return None  # no answer


def _some(carriers: Sequence[Carrier]) -> tuple[Carrier, ...]:
    """Return those that carry some texts, and change no control; those that carry most first."""
    found = [each for each in carriers if each.texts and each.keeps_controls]
    return tuple(sorted(found, key=lambda each: -each.texts))
