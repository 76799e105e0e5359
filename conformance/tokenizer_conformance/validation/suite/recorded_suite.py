"""The record of a run of the suite, or of a part of one, read back: the result of each requirement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Field, OffsetUnit, Stage
from tokenizer_conformance.command_io.recorded_header import environment_of, info_of
from tokenizer_conformance.command_io.shard import Shard
from tokenizer_conformance.comparison.record_forms import difference_of
from tokenizer_conformance.comparison.whole_answers import answers_of
from tokenizer_conformance.errors import BadInputError, form_words
from tokenizer_conformance.ledger.record_forms import entry_of
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.results.records.lines import MALFORMED, wrong_line
from tokenizer_conformance.results.records.suite_run import FORMAT
from tokenizer_conformance.validation.suite.judging import WRONG, CaseResult, CaseVerdict, Failure
from tokenizer_conformance.validation.suite.reader import read_suite, suite_identity
from tokenizer_conformance.validation.suite.requirement import Feature, Importance, Place
from tokenizer_conformance.validation.suite.selection import Wanted

if TYPE_CHECKING:
    from collections.abc import Collection

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.command_io.environment import Environment
    from tokenizer_conformance.command_io.recorded_lines import RecordedLines
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.validation.suite.requirement import CaseInPlace

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RecordedImplementation:
    """What a record says of an implementation: the results of its cases, and whether all were asked, in how long."""

    results: tuple[CaseResult, ...]
    complete: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class RecordedSuiteRun:
    """What a record says of a run of the suite; ``found`` is the result of the implementations, by name."""

    read: RecordedLines
    environment: Environment
    shard: Shard | None
    implementations: tuple[ImplementationInfo, ...]
    wanted: Wanted
    fields: frozenset[Field] | None
    entries: tuple[Entry, ...]
    missing: tuple[Rejected, ...]
    found: dict[str, RecordedImplementation]


def suite_run_of(read: RecordedLines) -> RecordedSuiteRun:
    """Return the run of the suite of which the lines were ``read``.

    Raises :class:`BadInputError`, with the line at fault; and where the record is of another suite than the one that
    comes with this package, by which it is understood.
    """
    refuse_others(read)
    header = read.header
    reader = _Reader()
    for number, line in enumerate(read.lines, 1):
        try:
            reader.take(line)
        except MALFORMED as error:
            raise wrong_line(read.path, number, error) from error
    try:
        return RecordedSuiteRun(
            read=read,
            environment=environment_of(header["environment"]),
            shard=Shard(**header["shard"]) if header.get("shard") else None,
            implementations=tuple(map(info_of, header["implementations"])),
            wanted=Wanted(
                header["selection"],
                frozenset(map(Feature, header["features"])),
                frozenset(map(Importance, header["importances"])),
            ),
            fields=None if header["fields"] is None else frozenset(map(Field, header["fields"])),
            entries=tuple(reader.entries.values()),
            missing=tuple(reader.missing),
            found=reader.found,
        )
    except MALFORMED as error:
        raise wrong_line(read.path, 1, error) from error


def refuse_others(read: RecordedLines) -> None:
    """Raise :class:`BadInputError` where ``read`` is no record of this release's suite."""
    header, path = read.header, str(read.path)
    if header.get("schema") != FORMAT.name:
        raise BadInputError(
            f"{path!r} is no record of 'tokconf suite run', which begins with the header of a {FORMAT.name}"
        )
    version = str(header.get("version"))
    if version.split(".", maxsplit=1)[0] != FORMAT.version.split(".", maxsplit=1)[0]:
        raise BadInputError(f"{path!r} is a record of version {version}; this release reads version {FORMAT.version}")
    suite = header.get("suite")
    own = suite_identity()
    if not isinstance(suite, dict) or suite.get("sha256") != own.sha256:
        told = "none that was published" if not isinstance(suite, dict) else f"that of tokconf {suite.get('version')}"
        raise BadInputError(
            f"{path!r} is of another suite, {told}; this is tokconf {own.version}: use the one that made the record"
        )


class _Reader:
    """Takes in lines one after the other."""

    def __init__(self) -> None:
        self.entries: dict[str, Entry] = {}
        self.missing: list[Rejected] = []
        self.found: dict[str, RecordedImplementation] = {}
        self._results: dict[str, list[CaseResult]] = {}
        self._cases: dict[tuple[str, str], CaseInPlace] = {
            (case.requirement.id, case.case.name): case for case in read_suite().cases()
        }

    def take(self, line: Json) -> None:
        """Take in a line. Raises one of ``MALFORMED``."""
        match line["type"]:
            case "ledger_entries":
                self.entries |= {each["called"]: entry_of(each) for each in line["entries"]}
            case "implementation_missing":
                self.missing.append(Rejected("implementation", line["name"], line["reason"]))
            case "requirement":
                results = self._results.setdefault(line["implementation"], [])
                results += [self._case(line["requirement"], case) for case in line["cases"]]
            case "implementation":
                name = line["implementation"]
                results = self._results.pop(name, [])
                self.found[name] = RecordedImplementation(tuple(results), line["complete"], line["seconds"])
            case "header" | "footer":
                pass
            case other:
                raise ValueError(f"there is no line of type {other!r}")

    def _case(self, requirement: str, case: Json) -> CaseResult:
        return CaseResult(
            judged=self._cases[requirement, case["case"]],
            verdict=CaseVerdict(case["verdict"]),
            failures=tuple(map(failure_of, case["failures"])),
            blame=None if case["blame"] is None else Place(case["blame"]),
            reason=case["reason"],
            entries=tuple(self.entries[called] for called in case["known"]),
            asked=frozenset(map(Stage, case.get("asked", ()))),
            unanswered=frozenset(map(Stage, case.get("unanswered", ()))),
        )


def failure_of(record: Json) -> Failure:
    """Return the failure that a record has. Raises one of ``MALFORMED`` for what is none."""
    return Failure(
        step=record["step"],
        place=Place(record["place"]),
        wrong=record["wrong"],
        difference=None if record["difference"] is None else difference_of(record["difference"]),
        unit=OffsetUnit(record["unit"]) if "unit" in record else None,
        answers=answers_of(record),
    )


def failed_requirements(read: RecordedLines, implementations: Collection[str]) -> list[str]:
    """Return the ids of the requirements that one of ``implementations`` failed. Raises :class:`BadInputError`."""
    if read.header.get("schema") != FORMAT.name:
        raise BadInputError(f"{str(read.path)!r} is no record of 'tokconf suite run'")
    try:
        return list(
            dict.fromkeys(
                line["requirement"]
                for line in read.lines
                if line["type"] == "requirement"
                and line["verdict"] in WRONG
                and line["implementation"] in implementations
            )
        )
    except (KeyError, TypeError) as error:
        raise BadInputError(
            f"{str(read.path)!r} has a line that is not that of a record: {form_words(error)}"
        ) from error
