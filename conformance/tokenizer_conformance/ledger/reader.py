"""Reading ledgers: what is wrong with one is said with its place, and with what to do; nothing wrong is let pass."""

from __future__ import annotations

import difflib
import hashlib
import importlib.resources
import re
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from packaging.version import Version

from tokenizer_adapters.environments.words import known_as
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.ledger import answers
from tokenizer_conformance.ledger.entry import CLASSES, FIELDS, SECTIONS, STAGES, Entry, Place
from tokenizer_conformance.ledger.matching import Ledger, LedgerFile
from tokenizer_conformance.ledger.names import spelled_out
from tokenizer_conformance.ledger.versions import is_range, is_version

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

FORMAT = 1
"""The version of the format."""

TABLE = "known"
"""The name of the array of tables that the entries are."""

KNOWN = "known.toml"
"""The ledger that comes with the project, and what it is called in reports."""

_HEADER = re.compile(rf"""\s*\[\[\s*(?:{TABLE}|"{TABLE}"|'{TABLE}')\s*\]\]""")


class LedgerError(BadInputError):
    """Ledgers cannot be used. ``problems`` are all that is wrong with them, a line each."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(self.problems))


def read_ledgers(paths: Iterable[Path | str]) -> Ledger:
    """Read the ledgers at ``paths``, as one. Raises :class:`LedgerError` with all that is wrong with any."""
    return together(_bytes_of(Path(path)) for path in dict.fromkeys(map(str, paths)))


def known_ledger() -> Ledger:
    """Return the ledger that comes with the project: known differences of released implementations."""
    content = (importlib.resources.files("tokenizer_conformance") / "ledger" / KNOWN).read_bytes()
    return together([(KNOWN, content)])


def joined(*ledgers: Ledger) -> Ledger:
    """Return ``ledgers`` as one."""
    entries: list[Entry] = []
    files: list[LedgerFile] = []
    for ledger in ledgers:
        entries += (
            replace(entry, place=replace(entry.place, ledger=entry.place.ledger + len(files)))
            for entry in ledger.entries
        )
        files += ledger.files
    return Ledger(entries, files)


def together(contents: Iterable[tuple[str, bytes] | LedgerError]) -> Ledger:
    """Return the ledgers with these names and contents as one. Raises :class:`LedgerError`."""
    entries: list[Entry] = []
    files: list[LedgerFile] = []
    problems: list[str] = []
    for each in contents:
        if isinstance(each, LedgerError):
            problems += each.problems
            continue
        name, content = each
        try:
            entries += _entries(name, content, len(files))
        except LedgerError as error:
            problems += error.problems
        files.append(LedgerFile(name, hashlib.sha256(content).hexdigest()))
    if problems:
        raise LedgerError(problems)
    return Ledger(entries, files)


def _bytes_of(path: Path) -> tuple[str, bytes] | LedgerError:
    name = str(path)
    try:
        if path.exists() and not path.is_file():
            return LedgerError([f"ledger {name!r} is no file; give a file of TOML"])
        return name, path.read_bytes()
    except OSError as error:
        return LedgerError([f"ledger {name!r}: {error.strerror or error}"])


# A file --------------------------------------------------------------------------------------------------------------


def _entries(name: str, content: bytes, ledger: int) -> list[Entry]:
    try:
        text = content.decode("utf-8")
        document = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise LedgerError([f"ledger {name!r} is not UTF-8 (byte {error.start}); write it as UTF-8"]) from error
    except RecursionError as error:
        raise LedgerError([f"ledger {name!r} cannot be read: it is nested too deeply"]) from error
    except ValueError as error:  # also of a number with more digits than Python reads
        raise LedgerError([f"ledger {name!r} is not TOML: {one_line(str(error))}"]) from error
    problems = list(_problems_of_file(document))
    if problems:
        raise LedgerError(f"ledger {name!r}: {problem}" for problem in problems)
    tables = document.get(TABLE, [])
    lines = entry_lines(text, len(tables))
    entries: list[Entry] = []
    problems = []
    for number, table in enumerate(tables, 1):
        place = Place(name, number, lines[number - 1] if lines else None, ledger)
        try:
            entries.append(_entry(table, place))
        except LedgerError as error:
            problems += [f"ledger {place}: {problem}" for problem in error.problems]
    problems += _duplicates(entries)
    if problems:
        raise LedgerError(problems)
    return entries


def _problems_of_file(document: Mapping[str, Any]) -> Iterator[str]:
    known = ("format", TABLE)
    for key in document:
        if key not in known:
            yield f"unknown key {key!r}{_closest(key, known)}; entries begin with [[{TABLE}]]"
    if "format" not in document:
        yield f"it does not say which format it has; write `format = {FORMAT}` before the first entry"
    elif document["format"] != FORMAT or isinstance(document["format"], bool | float):
        yield f"format {document['format']!r} is not one that this release reads; that is {FORMAT}"
    tables = document.get(TABLE, [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        yield f"`{TABLE}` is not an array of tables; begin each entry with [[{TABLE}]]"


def entry_lines(text: str, count: int) -> list[int]:
    """Return the lines (from 1) on which the ``count`` entries of ``text``, a ledger, begin; none where they are not to
    be found.

    What looks like the head of an entry may stand in a string of several lines: what is before it is then no TOML.
    """  # noqa: D205 - one sentence
    lines = text.split("\n")
    heads: list[int] = []
    for number, line in enumerate(lines):
        begin = heads[-1] - 1 if heads else 0
        if _HEADER.match(line) and _is_toml("\n".join(lines[begin:number])):
            heads.append(number + 1)
    return heads if len(heads) == count else []


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def _duplicates(entries: Iterable[Entry]) -> Iterator[str]:
    first: dict[Entry, Entry] = {}
    for entry in entries:
        other = first.setdefault(entry.selector, entry)
        if other is not entry:
            yield f"ledger {entry.place}: it is about the same as entry {other.place.number}; leave one of them out"


# An entry ------------------------------------------------------------------------------------------------------------


class _WrongError(ValueError):
    """A value is not what it has to be; the message says what is expected, and what to do."""


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise _WrongError(f"is {_told(value)}; write a string")
    return value


def _words(value: object) -> str:
    if not _text(value).strip():
        raise _WrongError("is empty; leave it out, or say what it is")
    return _text(value)


def _range(value: object) -> str:
    if not is_range(_text(value)):
        raise _WrongError(f'is no range of versions: {one_line(repr(value))}; write one as in "==5.23.0" or ">=5,<6"')
    return _text(value)


def _version(value: object) -> str:
    if not is_version(_text(value)):
        raise _WrongError(f'is no version: {one_line(repr(value))}; write one as in "0.23.3"')
    return _text(value)


def _names(value: object) -> tuple[str, ...]:
    names = value if isinstance(value, list) else [value]
    if not names:
        raise _WrongError("is an empty list, and selects nothing; leave it out, or name something")
    if not all(isinstance(name, str) for name in names):
        raise _WrongError(f"is {_told(value)}; write a string or a list of strings")
    if not all(names):
        raise _WrongError("has an empty string, which is no name; leave it out, or name something")
    return tuple(dict.fromkeys(names))


def _inputs(value: object) -> tuple[str, ...]:
    return tuple(dict.fromkeys(spelled_out(_names(value))))


def _answers(value: object) -> frozenset[str]:
    for line in _names(value):
        if not answers.are_answers(line):
            raise _WrongError(f"has {one_line(repr(line))}, which --update-ledger does not write; leave the key out")
    return answers.read(_names(value))


def _one_of(known: Collection[str]) -> Callable[[object], tuple[str, ...]]:
    def read(value: object) -> tuple[str, ...]:
        for name in _names(value):
            if name not in known:
                raise _WrongError(f"has {one_line(repr(name))}{_closest(name, known)}; choose from {', '.join(known)}")
        return _names(value)

    return read


@dataclass(frozen=True, slots=True)
class _Key:
    """A key of an entry: the attribute that it gives, and how its value is read."""

    attribute: str
    read: Callable[[object], object]


KEYS: Mapping[str, _Key] = {
    "implementation": _Key("implementation", _words),
    "version": _Key("version", _range),
    "baseline": _Key("baselines", _names),
    "since": _Key("since", _version),
    "until": _Key("until", _version),
    "tokenizer": _Key("tokenizers", _names),
    "stage": _Key("stages", _one_of(STAGES)),
    "field": _Key("fields", _one_of(FIELDS)),
    "requirement": _Key("requirements", _names),
    "class": _Key("classes", _one_of(CLASSES)),
    "input": _Key("inputs", _inputs),
    "text": _Key("text", _text),
    "pair": _Key("pair", _text),
    "section": _Key("sections", _one_of(SECTIONS)),
    "fact": _Key("facts", _names),
    "cause": _Key("cause", _words),
    "component": _Key("component", _words),
    "answers": _Key("answers", _answers),
    "reason": _Key("reason", _text),
    "link": _Key("link", _words),
    "finding": _Key("finding", _words),
}
"""All that an entry can say."""

OF_ANSWERS: tuple[str, ...] = (
    "tokenizer",
    "stage",
    "field",
    "requirement",
    "class",
    "input",
    "text",
    "pair",
    "answers",
)
"""What an entry can say about answers, and not about facts."""


def _entry(table: Mapping[str, Any], place: Place) -> Entry:
    problems: list[str] = []
    values: dict[str, Any] = {}
    for name, value in table.items():
        key = KEYS.get(name)
        if key is None:
            problems.append(f"unknown key {one_line(repr(name))}{_closest(name, KEYS)}; known are {', '.join(KEYS)}")
            continue
        try:
            values[key.attribute] = key.read(value)
        except _WrongError as error:
            problems.append(f"`{name}` {error}")
    if "implementation" not in table:
        problems.append("`implementation` is missing; name the implementation that differs")
    problems += [
        f"`{key}` is {one_line(repr(name))}, which selects a release; write {known_as(name)!r}, and in `{versions}` "
        "which versions are meant"
        for key, versions, names in (
            ("implementation", "version", [values.get("implementation", "")]),
            ("baseline", "since` and `until", values.get("baselines", ())),
        )
        for name in names
        if known_as(name) != name
    ]
    if not str(table.get("reason", "")).strip():
        state = "empty" if "reason" in table else "missing"
        problems.append(f"`reason` is {state}; say why the difference is known in `reason`")
    problems += _mixed(table)
    since, until = values.get("since"), values.get("until")
    if since and until and Version(since) >= Version(until):
        problems.append(f"`until` {until} is not after `since` {since}, so no version is between them; exchange them")
    if problems:
        raise LedgerError(problems)
    return Entry(**values, place=place)


def _mixed(table: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with an entry that is about facts and answers at once."""
    if "section" in table:
        others = ", ".join(f"`{key}`" for key in OF_ANSWERS if key in table)
        if others:
            yield f"`section` makes the entry one about facts, which have no {others}; write two entries"
    elif "fact" in table:
        yield f"`fact` names facts, and `section` is missing; say of which: {', '.join(SECTIONS)}"


def _closest(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, list(map(str, known)), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""


_TYPES: tuple[tuple[type, str], ...] = (
    (bool, "a truth value"),
    (int, "a number"),
    (float, "a number"),
    (list, "a list"),
    (dict, "a table"),
)


def _told(value: object) -> str:
    return next((words for type_, words in _TYPES if isinstance(value, type_)), "a date or a time")
