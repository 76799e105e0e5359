"""Two tokenizer.json side by side, a file and what a loader writes or two revisions: which components are others.

Both were written by one implementation, which has read them before: so nothing differs by the order of JSON, by what
was left out where it has a default, or by older forms. Each :class:`Replacement` has the user's document with that one
component as the loader has it: what another answer of it shows is shown by that component, and by no other.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.comparison.document_parts import path_text
from tokenizer_conformance.escape import quoted

if TYPE_CHECKING:
    from tokenizer_conformance.comparison.document_parts import Path
    from tokenizer_conformance.comparison.reduction import Json


class Component(StrEnum):
    """A part of a tokenizer.json that is replaced as one, or what stands beside it (the last two)."""

    NORMALIZER = "normalizer"
    PRE_TOKENIZER = "pre_tokenizer"
    MODEL = "model"
    VOCABULARY = "vocabulary"
    MERGES = "merges"
    ADDED_TOKENS = "added_tokens"
    POST_PROCESSOR = "post_processor"
    DECODER = "decoder"
    TRUNCATION = "truncation"
    PADDING = "padding"
    DEFAULTS = "defaults"
    CHAT_TEMPLATE = "chat_template"


MOST_CHANGES = 8
"""How many places of a replacement are kept; all are counted."""

MOST_HINTS = 64
"""How many tokens of a replacement texts are made from."""

MOST_NAMED = 3
"""How many added tokens are named in words."""

MEMBERS = ("normalizers", "pretokenizers", "processors", "decoders")
"""What the members of a sequence are called."""

FLAGS = ("special", "single_word", "lstrip", "rstrip", "normalized")
"""What an added token has beside its content and its id."""


class Absent(Enum):
    """What stands for a value that is not there; ``null`` is one."""

    ABSENT = "absent"


ABSENT = Absent.ABSENT


@dataclass(frozen=True, slots=True)
class Change:
    """One place of a tokenizer.json, by its JSON path, with the value in the file and the one that was loaded."""

    path: str
    raw: Any
    loaded: Any


@dataclass(frozen=True, slots=True)
class Replacement:
    """One component that the loader has otherwise.

    ``name`` is that of the component, with the option or flag where only that is another: ``added_tokens.normalized``.
    ``words`` say what is in the place of what. ``changes`` are the first of ``count`` places. ``document`` is that of
    the user with nothing but this replaced; where it cannot be loaded, ``wider`` has more of the model replaced, too.
    ``base`` is what stands beside ``document`` where that is not the user's own. ``hints`` are tokens that it is about.
    """

    component: Component
    name: str
    words: str
    changes: tuple[Change, ...]
    count: int
    document: Json = field(compare=False, repr=False)
    wider: Json | None = field(default=None, compare=False, repr=False)
    hints: tuple[str, ...] = ()
    base: Json | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Words:
    """What is said of either side: where something is (``first``, ``second``), and what has one of them alone."""

    first: str = "in the file"
    second: str = "as loaded"
    missing: str = "of the file missing"
    further: str = "that the file has not"


OF_LOADERS = Words()
OF_REVISIONS = Words("before", "now", "gone", "new")
OF_CONVERSIONS = Words("in the file", "in the conversion", "of the file missing", "that the file has not")


def replacements(raw: Json, loaded: Json, words: Words = OF_LOADERS) -> Iterator[Replacement]:
    """Yield how ``loaded`` differs from ``raw``, in the order of the pipeline."""
    yield from _AddedTokens(raw, loaded, words).replacements()
    yield from _section(Component.NORMALIZER, raw, loaded, words)
    yield from _section(Component.PRE_TOKENIZER, raw, loaded, words)
    yield from _model(raw, loaded, words)
    for component in (Component.POST_PROCESSOR, Component.DECODER, Component.TRUNCATION, Component.PADDING):
        yield from _section(component, raw, loaded, words)


# Sections ------------------------------------------------------------------------------------------------------------


def _section(component: Component, raw: Json, loaded: Json, sides: Words) -> Iterator[Replacement]:
    ours, theirs = raw.get(component), loaded.get(component)
    if ours == theirs:
        return
    changes = list(changes_between(ours, theirs, component))
    first, second = summary(ours), summary(theirs)
    words = f"{first} {sides.first}, {second} {sides.second}" if first != second else f"{first} with other options"
    document = {**raw, component: theirs}
    yield Replacement(component, component, words, tuple(changes[:MOST_CHANGES]), len(changes), document)


def summary(component: Any) -> str:
    """Return the type of a component, and those of its members.

    >>> summary({"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Lowercase"}]})
    'Sequence[NFC, Lowercase]'
    >>> summary(None)
    'none'
    """
    if not isinstance(component, dict):
        return "none" if component is None else str(component)
    if "max_length" in component:
        return f"to {component['max_length']} tokens"
    if "pad_id" in component:
        return f"padding by {json.dumps(component.get('strategy'))}"
    members = next((component[name] for name in MEMBERS if isinstance(component.get(name), list)), None)
    named = str(component.get("type", "set"))
    return named if members is None else f"{named}[{', '.join(map(summary, members))}]"


def changes_between(raw: Any, loaded: Any, path: str) -> Iterator[Change]:
    """Yield the places below ``path``, a member of a document, at which two JSON values differ."""
    for keys, ours, theirs in places_between(raw, loaded, (path,)):
        yield Change(path_text(keys).removeprefix("$."), ours, theirs)


def places_between(raw: Any, loaded: Any, path: Path) -> Iterator[tuple[Path, Any, Any]]:
    """Yield the places from ``path`` on at which two JSON values differ; a component of another type is one place."""
    if raw == loaded and type(raw) is type(loaded):
        return
    match raw, loaded:
        case dict(), dict() if raw.get("type") == loaded.get("type"):
            for name in dict.fromkeys([*raw, *loaded]):
                yield from places_between(raw.get(name, ABSENT), loaded.get(name, ABSENT), (*path, name))
        case list(), list() if len(raw) == len(loaded):
            for index, (ours, theirs) in enumerate(zip(raw, loaded, strict=True)):
                yield from places_between(ours, theirs, (*path, index))
        case _:
            yield path, raw, loaded


# The model -----------------------------------------------------------------------------------------------------------


def _model(raw: Json, loaded: Json, sides: Words) -> Iterator[Replacement]:
    ours, theirs = raw["model"], loaded["model"]
    whole = {**raw, "model": theirs}
    if ours.get("type") != theirs.get("type"):
        change = Change("model.type", ours.get("type"), theirs.get("type"))
        words = f"{change.raw} {sides.first}, {change.loaded} {sides.second}"
        yield Replacement(Component.MODEL, "model", words, (change,), 1, whole)
        return
    for option in dict.fromkeys([*ours, *theirs]):
        if option not in ("vocab", "merges"):
            yield from _option(option, raw, loaded)
    for component, key, compared in (
        (Component.VOCABULARY, "vocab", _vocabulary),
        (Component.MERGES, "merges", _merges),
    ):
        first, second = ours.get(key), theirs.get(key)
        if first != second:
            document = {**raw, "model": {**ours, key: second}}
            yield _listed(component, f"model.{key}", compared(first, second, sides), document, whole)


def _option(option: str, raw: Json, loaded: Json) -> Iterator[Replacement]:
    ours, theirs = raw["model"], loaded["model"]
    change = Change(f"model.{option}", ours.get(option, ABSENT), theirs.get(option, ABSENT))
    if change.raw == change.loaded:
        return
    model = {name: value for name, value in ours.items() if name != option}
    model |= {option: theirs[option]} if option in theirs else {}
    documents = ({**raw, "model": model}, {**raw, "model": theirs})
    yield Replacement(Component.MODEL, change.path, f"another {option}", (change,), 1, *documents)


@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry of a list that is another: in which ``way``, of which token, where, and what."""

    way: str
    token: str
    change: Change


def _listed(component: Component, path: str, entries: list[_Entry], document: Json, wider: Json) -> Replacement:
    ways = Counter(entry.way for entry in entries)
    words = ", ".join(_counted(count, way) for way, count in ways.items())
    # The first few of each way: one that comes once must not stand behind a thousand of another.
    kept = [entry for way in ways for entry in [each for each in entries if each.way == way][: MOST_CHANGES // 2]]
    hints = tuple(dict.fromkeys(entry.token for entry in (*kept, *entries[:MOST_HINTS])))
    changes = tuple(entry.change for entry in kept)
    return Replacement(component, path, words, changes, len(entries), document, wider, hints)


def _counted(count: int, way: str) -> str:
    """Return how many entries are others in one way, whose first word is what they are."""
    noun, _, rest = way.partition(" ")
    return f"{count:,} {noun if count == 1 else f'{noun}s'} {rest}"


def _vocabulary(ours: Any, theirs: Any, sides: Words) -> list[_Entry]:
    """Return the entries of a vocabulary that are others: of an object tokens with ids, of a list with scores, too."""
    first, second = _with_places(ours), _with_places(theirs)
    path = "model.vocab"
    found: list[_Entry] = []
    for token in dict.fromkeys([*first, *second]):
        value, other = first.get(token), second.get(token)
        place = f'{path}["{token}"]'
        change = Change(place, _shown(value), _shown(other))
        if other is None:
            found.append(_Entry(f"token {sides.missing}", token, change))
        elif value is None:
            found.append(_Entry(f"token {sides.further}", token, change))
        elif other != value:
            way = "token with another id" if other[0] != value[0] else "token with another score"
            found.append(_Entry(way, token, change))
    return found or [_Entry("list in another order, or with entries twice", "", Change(path, len(ours), len(theirs)))]


def _with_places(vocabulary: Any) -> dict[str, tuple[int, float | None]]:
    if isinstance(vocabulary, Mapping):
        return {token: (id_, None) for token, id_ in vocabulary.items()}
    return {token: (place, score) for place, (token, score) in enumerate(vocabulary or ())}


def _shown(value: tuple[int, float | None] | None) -> Any:
    if value is None:
        return ABSENT
    return value[0] if value[1] is None else {"id": value[0], "score": value[1]}


def _merges(ours: Any, theirs: Any, sides: Words) -> list[_Entry]:
    first, second = ({tuple(merge): rank for rank, merge in enumerate(merges or ())} for merges in (ours, theirs))
    both = [merge for merge in first if merge in second]
    moved = zip(both, sorted(both, key=second.__getitem__), strict=True)
    return [
        *(_merge(f"merge {sides.missing}", first[each], each, ABSENT) for each in first if each not in second),
        *(_merge(f"merge {sides.further}", second[each], ABSENT, each) for each in second if each not in first),
        *(_merge("merge with another rank", first[one], one, other) for one, other in moved if one != other),
    ]


def _merge(way: str, rank: int, raw: Any, loaded: Any) -> _Entry:
    sides = (each if each is ABSENT else list(each) for each in (raw, loaded))
    return _Entry(way, "".join(loaded if raw is ABSENT else raw), Change(f"model.merges[{rank}]", *sides))


# Added tokens --------------------------------------------------------------------------------------------------------


class _AddedTokens:
    """The added tokens of two documents, by their contents."""

    def __init__(self, raw: Json, loaded: Json, sides: Words) -> None:
        self._sides = sides
        self._raw = raw
        self._loaded = loaded
        self._ours: dict[str, Json] = {str(token["content"]): token for token in raw.get("added_tokens") or ()}
        self._theirs: dict[str, Json] = {str(token["content"]): token for token in loaded.get("added_tokens") or ()}
        self._places = {content: place for place, content in enumerate(self._ours)}

    def replacements(self) -> Iterator[Replacement]:
        ours, theirs = self._ours, self._theirs
        missing = [content for content in ours if content not in theirs]
        if missing:
            changes = [Change(self._path(each), ours[each], ABSENT) for each in missing]
            left = {content: token for content, token in ours.items() if content in theirs}
            yield self._replacement("missing", f"{_named(missing)} {self._sides.missing}", changes, missing, left)
        further = [content for content in theirs if content not in ours]
        if further:
            changes = [Change("added_tokens", ABSENT, theirs[each]) for each in further]
            all_ = {**ours, **{each: theirs[each] for each in further}}
            yield self._replacement("further", f"{_named(further)} {self._sides.further}", changes, further, all_)
        for name in (*FLAGS, "id"):
            # Each direction of a flag is a replacement of its own: what one shows, the other does not.
            for value in (None,) if name == "id" else (False, True):
                if differing := self._differing(name, value=value):
                    yield self._changed(name, differing)

    def _differing(self, name: str, *, value: bool | None) -> list[str]:
        """Return the tokens of both whose ``name`` is another; as loaded it is ``value``, where one is given."""
        return [
            content
            for content, token in self._ours.items()
            if content in self._theirs
            and token.get(name) != (loaded := self._theirs[content].get(name))
            and (value is None or loaded == value)
        ]

    def _changed(self, name: str, differing: list[str]) -> Replacement:
        """Return that tokens have another flag or id. Ids come of the vocabulary, which is replaced with them."""
        ours, theirs = self._ours, self._theirs
        changes = [
            Change(f"{self._path(each)}.{name}", ours[each].get(name), theirs[each].get(name)) for each in differing
        ]
        tokens = {**ours, **{each: {**ours[each], name: theirs[each].get(name)} for each in differing}}
        if name == "id":
            found = self._replacement(name, f"another id, of {_named(differing)}", changes, differing, tokens)
            return replace(found, document={**found.document, "model": self._loaded["model"]})
        sides = f"{json.dumps(changes[0].loaded)} in place of {json.dumps(changes[0].raw)}"
        return self._replacement(name, f"{name} {sides}, of {_named(differing)}", changes, differing, tokens)

    def _path(self, content: str) -> str:
        return f"added_tokens[{self._places[content]}]"

    def _replacement(
        self, name: str, words: str, changes: list[Change], contents: list[str], tokens: dict[str, Json]
    ) -> Replacement:
        document = {**self._raw, "added_tokens": sorted(tokens.values(), key=lambda token: int(token["id"]))}
        shown, hints = tuple(changes[:MOST_CHANGES]), tuple(contents[:MOST_HINTS])
        return Replacement(
            Component.ADDED_TOKENS, f"added_tokens.{name}", words, shown, len(changes), document, hints=hints
        )


def _named(contents: list[str]) -> str:
    """Return what tokens are called: the first of them, and how many there are."""
    first = ", ".join(map(quoted, contents[:MOST_NAMED]))
    return first if len(contents) <= MOST_NAMED else f"{len(contents):,} tokens ({first}, …)"
