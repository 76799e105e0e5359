"""Reading the files of known changes; what is wrong with entries is said with the file, each entry and the key."""

from __future__ import annotations

import importlib.resources
import re
import tomllib
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
from packaging.version import Version

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.ledger.entry import FIELDS, KINDS, LOAD, SAVE, STAGES
from tokenizer_conformance.releases.known_changes.change import Answer, Characters, Having, KnownChange
from tokenizer_conformance.releases.known_changes.documents import PARTS, SAVED_RELATIONS
from tokenizer_conformance.releases.known_changes.explaining import ASKS, KnownChanges
from tokenizer_conformance.releases.known_changes.relations import RELATIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

PACKAGES: tuple[str, ...] = ("tokenizers", "transformers")
"""The packages whose changes are known, one file each."""

BUNDLED = "bundled:"
"""How the content of a probe's file says that it is the tokenizer.json of a bundled tokenizer."""

_CODE_POINTS = re.compile(r"U\+([0-9A-F]{4,6})(?:-U\+([0-9A-F]{4,6}))?")

_WORDS: Mapping[str, tuple[str, ...]] = {
    "stages": STAGES,
    "fields": FIELDS,
    "kinds": KINDS,
    "asks": (*ASKS.values(), LOAD, SAVE),
}
"""The words that a list of a selector is chosen from."""


class ChangesError(BadInputError):
    """A file of known changes cannot be used. ``problems`` are all that is wrong with it, a line each."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(self.problems))


@cache
def known_changes() -> KnownChanges:
    """Return the changes that come with the project."""
    return KnownChanges(
        tuple(each for package in PACKAGES for each in read_changes(package, _text(package), f"{package}.toml"))
    )


@cache
def releases_of(package: str) -> tuple[str, ...]:
    """Return the releases of ``package`` that were looked at, the oldest first; none of one without known changes."""
    return tuple(tomllib.loads(_text(package))["releases"]) if package in PACKAGES else ()


def _text(package: str) -> str:
    folder = importlib.resources.files("tokenizer_conformance.releases.known_changes") / "known"
    return (folder / f"{package}.toml").read_text("utf-8")


class _File(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file: the number of its format, the releases that were looked at in their order, and the changes."""

    format: int
    releases: list[str]
    change: list[dict[str, Any]] = []

    def __post_init__(self) -> None:
        if self.format != 1:
            raise ValueError(f"`format` is {self.format!r}; this release reads 1")
        if self.releases != sorted(self.releases, key=Version):
            raise ValueError("`releases` are not in their order")


def read_changes(package: str, text: str, name: str) -> list[KnownChange]:
    """Return the changes of ``package`` that ``text``, the content of the file ``name``, says, in its releases' order.

    Raises :class:`ChangesError` with what is wrong with each entry.
    """
    try:
        file = msgspec.convert(tomllib.loads(text), _File)
    except tomllib.TOMLDecodeError as error:
        raise ChangesError([f"{name}: is not TOML: {one_line(str(error))}"]) from error
    except msgspec.ValidationError as error:
        raise ChangesError([f"{name}: {one_line(str(error))}"]) from error
    problems: list[str] = []
    changes: list[KnownChange] = []
    for number, table in enumerate(file.change, 1):
        try:
            changes.append(_change(package, table, file.releases))
        except (msgspec.ValidationError, ValueError, TypeError) as error:
            id_ = one_line(str(table.get("id", "without id")))
            problems.append(f"{name}: entry {number} ({id_}): {one_line(str(error))}")
    ids = [change.id for change in changes]
    problems += [f"{name}: id {each!r} is given to several entries" for each in sorted({*ids}) if ids.count(each) > 1]
    if problems:
        raise ChangesError(problems)
    return sorted(changes, key=lambda change: file.releases.index(change.since))


def _change(package: str, table: dict[str, Any], releases: list[str]) -> KnownChange:
    read = dict(table)
    for key in {"component", "title", "description"} & read.keys():
        read[key] = " ".join(str(read[key]).split())
    if isinstance(read.get("probe"), dict):
        read["probe"] = {key: _answer(value) for key, value in read["probe"].items()}
    if isinstance(read.get("selector"), dict):
        read["selector"] = _selector(read["selector"])
    since, until = read.get("since"), read.get("until")
    read |= {"package": package, "before": _before(since, releases)}
    if until is not None:
        read["last"] = _before(until, releases)
        if releases.index(until) <= releases.index(str(since)):
            raise ValueError(f"`until`: {until!r} is no release after {since!r}")
    return msgspec.convert(read, KnownChange)


def _before(release: object, releases: list[str]) -> str:
    """Return the release before ``release``."""
    if release not in releases[1:]:
        raise ValueError(f"{release!r} is none of the `releases` of the file after the first")
    return releases[releases.index(str(release)) - 1]


def _answer(value: object) -> Answer:
    """Return ``value``; TOML has no null, which an answer of JSON may hold: ``{ null = true }`` stands for it."""
    match value:
        case {"null": True}:
            return None
        case list():
            return list(map(_answer, value))
        case dict():
            return {key: _answer(each) for key, each in value.items()}
    return value


# Selectors -----------------------------------------------------------------------------------------------------------


def _selector(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a selector says, with components and characters as values, where its words are known."""
    read = dict(table)
    for key, known in _WORDS.items():
        if key in read and not (read[key] and set(read[key]) <= set(known)):
            raise ValueError(f"`selector`: `{key}`: is {read[key]!r}; choose from {', '.join(known)}")
    for key in {"text", "old", "new"} & read.keys():
        _check_pattern(key, read[key])
    relations = SAVED_RELATIONS if read.get("stages") == [SAVE] else RELATIONS
    if "relation" in read and read["relation"] not in relations:
        raise ValueError(f"`relation`: is {read['relation']!r}; choose from {', '.join(relations)}")
    if "having" in read:
        read["having"] = list(map(_having, read["having"]))
    if "characters" in read:
        read["characters"] = _characters(read["characters"])
    return read


def _check_pattern(key: str, pattern: str) -> None:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"`{key}`: is no regular expression ({error}): {pattern!r}") from error


def _having(value: Mapping[str, Any]) -> Having:
    table = dict(value)
    part, type_ = table.pop("part", None), table.pop("type", None)
    if part not in PARTS or not isinstance(type_, str):
        raise ValueError(f"{value!r} does not name a `part` (of {', '.join(PARTS)}) and a `type`")
    return Having(part, type_, table)


def _characters(value: dict[str, str] | list[str] | str) -> Characters:
    """Read a list of ranges of code points, or a table of these with the code point that the first of each becomes."""
    if isinstance(value, dict):
        becomes = {
            character: chr(ord(_range(image)[0]) + offset)
            for key, image in value.items()
            for offset, character in enumerate(_range(key))
        }
        return Characters(frozenset(becomes), becomes)
    ranges = value.split() if isinstance(value, str) else value
    return Characters(frozenset(character for each in ranges for character in _range(each)), {})


def _range(value: str) -> str:
    found = _CODE_POINTS.fullmatch(value)
    if found is None:
        raise ValueError(f"{value!r} is no code point and no range of these; write U+00E9 or U+00E9-U+00EB")
    return "".join(map(chr, range(int(found[1], 16), int(found[2] or found[1], 16) + 1)))
