"""Reading the files of known changes; all that is wrong with one is said with its file, its entry and its key."""

from __future__ import annotations

import importlib.resources
import re
import tomllib
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from packaging.version import Version

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.ledger.entry import FIELDS, KINDS, LOAD, SAVE, STAGES
from tokenizer_conformance.releases.known_changes.change import Answer, Characters, Having, KnownChange, Probe, Selector
from tokenizer_conformance.releases.known_changes.components import PARTS
from tokenizer_conformance.releases.known_changes.explaining import ASKS, KnownChanges
from tokenizer_conformance.releases.known_changes.relations import RELATIONS, SAVED_RELATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

FORMAT = 1

PACKAGES: tuple[str, ...] = ("tokenizers", "transformers")
"""The packages whose changes are known, one file each."""

BUNDLED = "bundled:"
"""How the content of a probe's file says that it is the tokenizer.json of a bundled tokenizer."""

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LINK = re.compile(r"[\w.-]+/[\w.-]+(#\d+|@[\w.-]+)")
_CODE_POINTS = re.compile(r"U\+([0-9A-F]{4,6})(?:-U\+([0-9A-F]{4,6}))?")

_REQUIRED = ("id", "since", "component", "title", "description", "probe")
_OPTIONAL = ("until", "links", "requirements", "selector")
_PROBE = ("program", "files", "old", "new")
_SELECTOR = ("stages", "fields", "kinds", "asks", "having", "characters", "text", "old", "new", "relation")
_WORDS: Mapping[str, tuple[str, ...]] = {
    "stages": STAGES,
    "fields": FIELDS,
    "kinds": KINDS,
    "asks": (*ASKS.values(), LOAD, SAVE),
}


class ChangesError(BadInputError):
    """A file of known changes cannot be used. ``problems`` are all that is wrong with it, a line each."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(problems))


@cache
def known_changes() -> KnownChanges:
    """Return the changes that come with the project."""
    folder = importlib.resources.files("tokenizer_conformance.releases.known_changes") / "known"
    changes: list[KnownChange] = []
    for package in PACKAGES:
        changes += read_changes(package, (folder / f"{package}.toml").read_text("utf-8"), f"{package}.toml")
    return KnownChanges(tuple(changes))


@cache
def releases_of(package: str) -> tuple[str, ...]:
    """Return the releases of ``package`` that were looked at, the oldest first; none of one without known changes."""
    if package not in PACKAGES:
        return ()
    folder = importlib.resources.files("tokenizer_conformance.releases.known_changes") / "known"
    found: list[str] = tomllib.loads((folder / f"{package}.toml").read_text("utf-8"))["releases"]
    return tuple(found)


def read_changes(package: str, text: str, name: str) -> list[KnownChange]:
    """Return the changes of ``package`` that ``text``, the content of the file ``name``, says, in its releases' order.

    Raises :class:`ChangesError` with all that is wrong.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ChangesError([f"{name}: is not TOML: {one_line(str(error))}"]) from error
    releases = _releases(document, name)
    problems: list[str] = []
    changes: list[KnownChange] = []
    for number, table in enumerate(document.get("change", []), 1):
        place = f"{name}: entry {number} ({one_line(str(table.get('id', 'without id')))})"
        try:
            changes.append(_change(package, table, releases))
        except _WrongError as error:
            problems += [f"{place}: {problem}" for problem in error.problems]
    ids = [change.id for change in changes]
    problems += [
        f"{name}: id {id!r} is given to several entries" for id in sorted({x for x in ids if ids.count(x) > 1})
    ]
    if problems:
        raise ChangesError(problems)
    return sorted(changes, key=lambda change: releases.index(change.since))


class _WrongError(ValueError):
    def __init__(self, *problems: str) -> None:
        self.problems = problems
        super().__init__("; ".join(problems))


def _releases(document: Mapping[str, Any], name: str) -> list[str]:
    problems = [
        f"{name}: unknown key `{key}`; known are `format`, `releases` and `change`"
        for key in document
        if key not in ("format", "releases", "change")
    ]
    if document.get("format") != FORMAT:
        problems.append(f"{name}: `format` is {document.get('format')!r}; this release reads {FORMAT}")
    releases = document.get("releases")
    if not isinstance(releases, list) or not all(isinstance(each, str) for each in releases):
        problems.append(f"{name}: `releases` is no list of versions")
    elif releases != sorted(releases, key=Version):
        problems.append(f"{name}: `releases` are not in their order")
    tables = document.get("change", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        problems.append(f"{name}: `change` is no array of tables; begin each entry with [[change]]")
    if problems:
        raise ChangesError(problems)
    return list(document["releases"])


def _gathered(steps: Mapping[str, Callable[[], Any]]) -> dict[str, Any]:
    """Return what each of ``steps`` gives, by key; raise all that is wrong with any."""
    values: dict[str, Any] = {}
    problems: list[str] = []
    for key, step in steps.items():
        try:
            values[key] = step()
        except _WrongError as error:
            problems += [f"`{key}`: {problem}" for problem in error.problems]
    if problems:
        raise _WrongError(*problems)
    return values


def _known_keys(table: Mapping[str, Any], known: tuple[str, ...], required: tuple[str, ...] = ()) -> None:
    problems = [f"unknown key `{key}`; known are {', '.join(known)}" for key in table if key not in known]
    problems += [f"`{key}` is missing" for key in required if key not in table]
    if problems:
        raise _WrongError(*problems)


# Entries -------------------------------------------------------------------------------------------------------------


def _change(package: str, table: Mapping[str, Any], releases: list[str]) -> KnownChange:
    _known_keys(table, (*_REQUIRED, *_OPTIONAL), _REQUIRED)
    since, until = table["since"], table.get("until")
    values = _gathered(
        {
            "id": lambda: _fitting(table["id"], _ID, "lower-case words with hyphens between them"),
            "before": lambda: _before(since, releases),
            "since": lambda: since,
            "last": lambda: None if until is None else _before(until, releases),
            "until": lambda: _after(since, until, releases),
            "component": lambda: _words(table["component"]),
            "title": lambda: _words(table["title"]),
            "description": lambda: _words(table["description"]),
            "links": lambda: _links(table.get("links", [])),
            "requirements": lambda: tuple(map(_words, _list(table.get("requirements", [])))),
            "selector": lambda: _selector(table["selector"]) if "selector" in table else None,
            "probe": lambda: _probe(table["probe"]),
        }
    )
    return KnownChange(package=package, **values)


def _words(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _WrongError(f"is {value!r}; write a string with words in it")
    return " ".join(value.split())


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise _WrongError(f"is {value!r}; write a list")
    return value


def _table(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _WrongError(f"is {value!r}; write a table")
    return value


def _fitting(value: object, form: re.Pattern[str], told: str) -> str:
    if not isinstance(value, str) or not form.fullmatch(value):
        raise _WrongError(f"is {value!r}; write {told}")
    return value


def _before(release: object, releases: list[str]) -> str:
    if release not in releases:
        raise _WrongError(f"{release!r} is none of the `releases` of the file")
    index = releases.index(str(release))
    if index == 0:
        raise _WrongError(f"{release!r} is the first of the `releases`, so none before it was looked at")
    return releases[index - 1]


def _after(since: object, until: object, releases: list[str]) -> str | None:
    if until is None:
        return None
    if until not in releases or since not in releases or releases.index(str(until)) <= releases.index(str(since)):
        raise _WrongError(f"{until!r} is no release after {since!r}")
    return str(until)


def _links(value: object) -> tuple[str, ...]:
    told = "a pull request or a release, as in huggingface/tokenizers#1234 or huggingface/tokenizers@v0.20.0"
    return tuple(_fitting(each, _LINK, told) for each in _list(value))


def _probe(value: object) -> Probe:
    table = _table(value)
    _known_keys(table, _PROBE, ("program", "old", "new"))
    if not isinstance(table["program"], str) or "answer" not in table["program"]:
        raise _WrongError("`program` does not set `answer`")
    files = _table(table.get("files", {}))
    if not all(isinstance(content, str) for content in files.values()):
        raise _WrongError("`files` has a content that is no string")
    old, new = _answer(table["old"]), _answer(table["new"])
    if old == new and type(old) is type(new):
        raise _WrongError("`old` and `new` are the same answer")
    return Probe(table["program"], files, old, new)


def _answer(value: object) -> Answer:
    """Return ``value``; TOML has no null, which an answer of JSON may hold: ``{ null = true }`` stands for it."""
    if value == {"null": True}:
        return None
    if isinstance(value, list):
        return [_answer(each) for each in value]
    if isinstance(value, dict):
        return {key: _answer(each) for key, each in value.items()}
    return value


# Selectors -----------------------------------------------------------------------------------------------------------


def _selector(value: object) -> Selector:
    table = _table(value)
    _known_keys(table, _SELECTOR)
    steps: dict[str, Callable[[], Any]] = {
        key: partial(_among, table[key], _WORDS[key]) for key in _WORDS if key in table
    }
    steps |= {key: partial(_pattern, table[key]) for key in ("text", "old", "new") if key in table}
    if "having" in table:
        steps["having"] = lambda: tuple(map(_having, _list(table["having"])))
    if "characters" in table:
        steps["characters"] = lambda: _characters(table["characters"])
    if "relation" in table:
        steps["relation"] = lambda: _relation(table["relation"], table.get("stages") == [SAVE])
    selector = Selector(**_gathered(steps))
    if not selector.stages:
        raise _WrongError("`stages` is missing: a change explains differences of stages that it names")
    if not (selector.characters or selector.relation or selector.old or selector.new):
        raise _WrongError("it says nothing of the answers; give `characters`, `relation`, `old` or `new`")
    return selector


def _among(value: object, known: tuple[str, ...]) -> frozenset[str]:
    words = _list(value)
    wrong = [word for word in words if word not in known]
    if wrong or not words:
        raise _WrongError(f"is {value!r}; choose from {', '.join(known)}")
    return frozenset(words)


def _pattern(value: object) -> str:
    try:
        return re.compile(str(value)).pattern
    except re.error as error:
        raise _WrongError(f"is no regular expression ({error}): {value!r}") from error


def _relation(value: object, is_about_files: bool) -> str:
    known = tuple(SAVED_RELATIONS if is_about_files else RELATIONS)
    if value not in known:
        raise _WrongError(f"is {value!r}; choose from {', '.join(known)}")
    return str(value)


def _having(value: object) -> Having:
    table = dict(_table(value))
    part, type_ = table.pop("part", None), table.pop("type", None)
    if part not in PARTS or not isinstance(type_, str):
        raise _WrongError(f"{value!r} does not name a `part` (of {', '.join(PARTS)}) and a `type`")
    return Having(part, type_, table)


def _characters(value: object) -> Characters:
    """Read a list of ranges of code points, or a table of these with the code point that the first of each becomes."""
    if isinstance(value, dict):
        becomes = {
            character: chr(ord(_range(image)[0]) + offset)
            for key, image in value.items()
            for offset, character in enumerate(_range(key))
        }
        return Characters(frozenset(becomes), becomes)
    if isinstance(value, str):
        value = value.split()
    return Characters(frozenset(character for each in _list(value) for character in _range(each)), {})


def _range(value: object) -> str:
    found = _CODE_POINTS.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise _WrongError(f"{value!r} is no code point and no range of these; write U+00E9 or U+00E9-U+00EB")
    first = int(found[1], 16)
    last = int(found[2], 16) if found[2] else first
    if not first <= last <= 0x10FFFF:
        raise _WrongError(f"{value!r} is no range of code points")
    return "".join(map(chr, range(first, last + 1)))
