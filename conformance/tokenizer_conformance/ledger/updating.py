r"""Appending entries to a ledger: what stands there stays as it is, comments, order and all.

Text in TOML is Unicode without control characters; whatever is not plainly visible is written as an escape.
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import HIDDEN_RANGES, one_line
from tokenizer_conformance.ledger.answers import written
from tokenizer_conformance.ledger.entry import TARGET
from tokenizer_conformance.ledger.names import in_rows
from tokenizer_conformance.ledger.reader import FORMAT, TABLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenizer_conformance.ledger.entry import Entry

HEAD = f"""\
# Known differences: a ledger for `tokconf --ledger`. Say why each is known in `reason`: without that it is refused.
format = {FORMAT}
"""
"""How a new ledger begins."""

WIDTH = 110
"""How long a line of a list is."""

_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def appended(content: str, entries: Iterable[tuple[Entry, str]]) -> str:
    """Return ``content``, a ledger or nothing, followed by ``entries``, each with a comment, which is put on one line.

    Raises :class:`BadInputError` where ``content`` is written in a way that nothing can be appended to.
    """
    text = content or HEAD
    if not text.endswith("\n"):
        text += "\n"
    added = list(entries)
    text += "".join(f"\n{entry_text(entry, comment)}" for entry, comment in added)
    before = len(tomllib.loads(content).get(TABLE, ()))
    try:
        count = len(tomllib.loads(text)[TABLE]) if added else before
    except tomllib.TOMLDecodeError as error:
        raise BadInputError(f"nothing can be appended: write each entry under [[{TABLE}]] of its own") from error
    if count != before + len(added):
        raise AssertionError(f"{len(added)} entries were to be appended to {before}, and there are {count}")
    return text


def entry_text(entry: Entry, comment: str = "") -> str:
    """Return ``entry`` as it stands in a ledger. Its ``baseline`` is written where it is not the usual one."""
    lines = [f"# {one_line(comment)}"] if comment else []
    lines += [f"[[{TABLE}]]", *(f"{key} = {value}" for key, value in _rows(entry))]
    return "\n".join(lines) + "\n"


def _rows(entry: Entry) -> Iterator[tuple[str, str]]:
    yield "implementation", toml_string(entry.implementation)
    if entry.version is not None:
        yield "version", toml_string(entry.version)
    if entry.baselines != (TARGET,):
        yield "baseline", _list(entry.baselines)
    for key, names in (
        ("tokenizer", entry.tokenizers),
        ("stage", entry.stages),
        ("field", entry.fields),
        ("requirement", entry.requirements),
        ("class", entry.classes),
        ("input", entry.inputs),
        ("section", entry.sections),
        ("fact", entry.facts),
    ):
        if names:
            yield key, _list(in_rows(names) if key == "input" else names)
    for key, text in (
        ("since", entry.since),
        ("until", entry.until),
        ("text", entry.text),
        ("pair", entry.pair),
        ("cause", entry.cause),
        ("component", entry.component),
        ("link", entry.link),
        ("finding", entry.finding),
        ("reason", entry.reason),
    ):
        if text is not None:
            yield key, toml_string(text)
    if entry.answers:
        yield "answers", _list(tuple(written(entry.answers)))


def _list(names: tuple[str, ...]) -> str:
    if len(names) == 1:
        return toml_string(names[0])
    strings = [f"{toml_string(name)}," for name in names]
    together = " ".join(strings).removesuffix(",")
    if len(together) <= WIDTH:
        return f"[{together}]"
    return "\n".join(["[", *(f"    {line}" for line in _lines(strings)), "]"])


def _lines(strings: Iterable[str]) -> Iterator[str]:
    """Yield ``strings`` on lines of at most ``WIDTH`` characters, where each of them fits."""
    line = ""
    for each in strings:
        if line and len(line) + len(each) >= WIDTH:
            yield line
            line = each
        else:
            line = f"{line} {each}" if line else each
    yield line


def toml_string(text: str) -> str:
    r"""Return ``text`` as a string of TOML on one line; U+FFFD stands for a lone surrogate, which it cannot hold.

    >>> print(toml_string('a "quote"\n\x1b[0m'))
    "a \"quote\"\n\u001b[0m"
    """
    return f'"{"".join(map(_character, text))}"'


def _character(character: str) -> str:
    number = ord(character)
    if character in _SHORT:
        return _SHORT[character]
    if 0xD800 <= number <= 0xDFFF:
        return "\\ufffd"
    if any(first <= number <= last for first, last in HIDDEN_RANGES):
        return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"
    return character
