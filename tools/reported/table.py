"""The cases, read from ``bugs/*.toml``; a case that says too little or too much is refused."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("bugs")

Json = dict[str, Any]


class CaseError(Exception):
    """A case that cannot be judged as it is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A file that the command is given.

    It has the ``text``, or it is the ``json`` document, or the tokenizer.json of the bundled tokenizer ``source``. Of
    that, ``replace`` has other members and ``append`` more members of lists and objects, by their dotted paths; where
    it is ``older``, its merges are texts, as releases before 0.20 save them. It may have another ``form``, which
    other programs read: ``files`` has them.
    """

    name: str
    text: str | None = None
    json: Any = None
    source: str | None = None
    replace: Json | None = None
    append: Json | None = None
    older: bool = False
    form: str = "tokenizer.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A reported bug.

    ``symptom`` is what people saw and ``cause`` what was found to be the reason, both in words of our own. The record
    of ``command`` shows the bug where it has all lines of ``shown``, and explains it where it has all of ``explained``
    and none of ``never``. ``unexplained`` says what the command does not tell; then there is no ``explained``.
    ``needs`` are the implementations and releases beyond those that are always installed.
    """

    reference: str
    software: str
    symptom: str
    cause: str
    command: str
    files: tuple[Given, ...] = ()
    needs: tuple[str, ...] = ()
    shown: tuple[Json, ...]
    explained: tuple[Json, ...] = ()
    never: tuple[Json, ...] = ()
    unexplained: str | None = None
    status: int = 0

    @property
    def is_offline(self) -> bool:
        """Whether it needs neither peers nor other releases."""
        return not self.needs


def read_cases(folder: Path = FOLDER) -> list[Case]:
    """Read all cases, in the order of their files. Raises :class:`CaseError`."""
    rows = [row for file in sorted(folder.glob("*.toml")) for row in tomllib.loads(file.read_text("utf-8"))["case"]]
    cases = [case_of(row) for row in rows]
    references = [case.reference for case in cases]
    if repeated := sorted({each for each in references if references.count(each) > 1}):
        raise CaseError(f"there twice: {', '.join(repeated)}")
    return cases


def case_of(row: Json) -> Case:
    """Return the case of a row. Raises :class:`CaseError` where it is none."""
    name = row.get("reference", "a case without reference")
    unknown = sorted(row.keys() - {field.name for field in fields(Case)} - {"file"} | row.keys() & {"files"})
    if unknown:
        raise CaseError(f"{name}: no member of a case: {', '.join(unknown)}")
    given = {key: value for key, value in row.items() if key != "file"}
    for key in ("shown", "explained", "never"):
        given[key] = lines_of(given.get(key, ""), f"{name}: {key}")
    files = tuple(given_of(each, name) for each in row.get("file", ()))
    try:
        case = Case(**{**given, "files": files, "needs": tuple(row.get("needs", ()))})
    except TypeError as error:
        raise CaseError(f"{name}: {error}") from None
    if not case.shown or bool(case.explained) == bool(case.unexplained):
        raise CaseError(f"{name}: say what shows it, and either what explains it or what is not explained")
    return case


def given_of(row: Json, case: str) -> Given:
    """Return a file of ``case``."""
    texts = {key: json_of(row[key], f"{case}: {row['name']}") for key in ("json", "replace", "append") if key in row}
    try:
        return Given(**{**row, **texts})
    except TypeError as error:
        raise CaseError(f"{case}: {error}") from None


def lines_of(text: str, where: str) -> tuple[Json, ...]:
    """Return the lines of JSON that ``text`` has."""
    return tuple(json_of(line, where) for line in text.splitlines() if line.strip())


def json_of(text: str, where: str) -> Any:
    """Return what ``text`` says. Raises :class:`CaseError` where it is no JSON."""
    try:
        return json.loads(text)
    except ValueError as error:
        raise CaseError(f"{where}: {error}: {text[:80]}") from None
