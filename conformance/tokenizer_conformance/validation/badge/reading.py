"""Reading the record of a run of the suite: what each implementation came to, of which suite."""

from __future__ import annotations

import json
import stat
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.record import BEGINNING
from tokenizer_conformance.command_io.standard_streams import reason_of
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.results.records.suite_run import FORMAT
from tokenizer_conformance.validation.suite.judging import CaseVerdict
from tokenizer_conformance.validation.suite.reader import SuiteIdentity
from tokenizer_conformance.validation.suite.requirement import Importance

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Json = dict[str, Any]

FAMILY = "tokenizer-conformance-"
"""How the names of all formats of records begin."""

WHAT_TO_GIVE = "give the one that 'tokconf suite run --json RECORD' writes"

CUT_SHORT = frozenset({Conclusion.INTERRUPTED, Conclusion.INTERNAL_ERROR})
"""The conclusions of runs that did not come to their end."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What an implementation came to: how many requirements, by their importance, came to which verdict.

    ``complete`` is false where it was left before all was asked.
    """

    name: str
    version: str
    counts: Counter[tuple[Importance, CaseVerdict]]
    complete: bool


@dataclass(frozen=True, slots=True)
class SuiteRecord:
    """A record that is whole: which ``suite`` was asked, whether only a part of it was, and who came to what."""

    suite: SuiteIdentity
    is_partial: bool
    judged: tuple[Judged, ...]


class _NoRecordError(Exception):
    """A line is not that of a record; the text says why."""


def read_suite_record(path: Path) -> SuiteRecord:
    """Read the record at ``path``.

    Raises :class:`BadInputError`, also where it is another record, or that of a run which did not finish.
    """
    lines = _lines(path)
    _, header = next(lines, (1, None))
    if header is None:
        raise BadInputError(f"{str(path)!r} is empty; {WHAT_TO_GIVE}")
    _refuse_other_records(path, header)
    reading = _Reading()
    try:
        reading.begin(header)
    except (_NoRecordError, LookupError, TypeError, ValueError) as error:
        raise _wrong_line(path, 1, error) from error
    for number, line in lines:
        try:
            reading.take(line)
        except (_NoRecordError, LookupError, TypeError, ValueError) as error:
            raise _wrong_line(path, number, error) from error
    try:
        return reading.ended()
    except _NoRecordError as error:
        raise BadInputError(f"{str(path)!r} {error}") from error


def _wrong_line(path: Path, number: int, error: Exception) -> BadInputError:
    said = str(error) if isinstance(error, _NoRecordError) else f"{type(error).__name__}: {error}"
    return BadInputError(f"{str(path)!r} line {number} is not that of a record: {one_line(said, 200)}")


def _lines(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield the lines of the file at ``path``, each with its number."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise BadInputError(f"{str(path)!r} is no regular file; {WHAT_TO_GIVE}")
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    yield number, json.loads(line)
                except (ValueError, RecursionError) as error:
                    if not line.endswith(b"\n") and (number > 1 or line.startswith(BEGINNING)):
                        raise BadInputError(f"{str(path)!r} is cut short, in line {number}; run it again") from error
                    raise BadInputError(
                        f"{str(path)!r} line {number} is no JSON, so this is no record; {WHAT_TO_GIVE}"
                    ) from error
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else str(error)
        raise BadInputError(f"cannot read {str(path)!r}: {reason}") from error


def _refuse_other_records(path: Path, header: Any) -> None:
    schema = header.get("schema") if isinstance(header, dict) and header.get("type") == "header" else None
    if schema != FORMAT.name:
        is_other = isinstance(schema, str) and schema.startswith(FAMILY)
        what = "is the record of another command" if is_other else "is no record of tokconf"
        raise BadInputError(f"{str(path)!r} {what}; {WHAT_TO_GIVE}")
    version = header.get("version")
    if not isinstance(version, str) or version.partition(".")[0] != FORMAT.version.partition(".")[0]:
        raise BadInputError(
            f"{str(path)!r} is a record of version {one_line(repr(version), 40)}; this release reads version "
            f"{FORMAT.version}"
        )
    if header.get("suite") is None:
        raise BadInputError(f"{str(path)!r} does not say which suite was asked; run it again with this release")


@dataclass(slots=True)
class _AtWork:
    version: str
    ids: set[str] = field(default_factory=set)
    counts: Counter[tuple[Importance, CaseVerdict]] = field(default_factory=Counter)
    complete: bool | None = None


class _Reading:
    """A record being read."""

    def __init__(self) -> None:
        self._suite = SuiteIdentity("", "", "")
        self._is_partial = False
        self._requirements = 0
        self._judged: dict[str, _AtWork] = {}
        self._conclusion: Conclusion | None = None
        self._is_finished = False

    def begin(self, header: Json) -> None:
        suite = header["suite"]
        self._suite = SuiteIdentity(_text(suite["version"]), _text(suite["target"]), _text(suite["sha256"]))
        selected = [_text(header["selection"]), *(_list(header[name]) for name in ("features", "importances"))]
        self._is_partial = any(selected) or header["fields"] is not None
        self._requirements = _count(header["requirements"])
        for info in _list(header["implementations"]):
            name = _text(info["name"])
            if name in self._judged:
                raise _NoRecordError(f"{name!r} is asked twice")
            self._judged[name] = _AtWork(_text(info["version"]))

    def take(self, line: Json) -> None:
        if not isinstance(line, dict):
            raise _NoRecordError("it is no object")
        if self._conclusion is not None:
            raise _NoRecordError("the footer stands before it")
        match line["type"]:
            case "requirement":
                self._requirement(line)
            case "implementation":
                self._judged[_text(line["implementation"])].complete = _flag(line["complete"])
            case "footer":
                self._is_finished, self._conclusion = _flag(line["finished"]), Conclusion(line["conclusion"])
            case "implementation_missing" | "ledger_entries":
                pass
            case other:
                raise _NoRecordError(f"its type is {other!r}")

    def _requirement(self, line: Json) -> None:
        at_work = self._judged[_text(line["implementation"])]
        id_ = _text(line["requirement"])
        if id_ in at_work.ids:
            raise _NoRecordError(f"requirement {id_!r} stands there twice")
        at_work.ids.add(id_)
        at_work.counts[Importance(line["importance"]), CaseVerdict(line["verdict"])] += 1

    def ended(self) -> SuiteRecord:
        """Return the record, if it is whole."""
        if self._conclusion is None:
            raise _NoRecordError("is cut short: it has no footer; run it again")
        if not self._is_finished or self._conclusion in CUT_SHORT:
            raise _NoRecordError(f"is that of a run that did not finish ({self._conclusion}); run it again")
        if not self._judged:
            raise _NoRecordError("has no implementation that was asked")
        return SuiteRecord(self._suite, self._is_partial, tuple(map(self._of, self._judged)))

    def _of(self, name: str) -> Judged:
        at_work = self._judged[name]
        if at_work.complete is None or (at_work.complete and len(at_work.ids) != self._requirements):
            raise _NoRecordError(
                f"is cut short: of {one_line(name)!r} it has {len(at_work.ids):,} of {self._requirements:,} "
                "requirements; run it again"
            )
        return Judged(name, at_work.version, at_work.counts, at_work.complete)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise _NoRecordError(f"expected a string, found {type(value).__name__}")
    return value


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise _NoRecordError(f"expected a list, found {type(value).__name__}")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise _NoRecordError(f"expected true or false, found {type(value).__name__}")
    return value


def _count(value: object) -> int:
    if type(value) is not int or value < 0:
        raise _NoRecordError(f"expected a count, found {type(value).__name__}")
    return value
