"""Reading the record of a run of the suite: the result of each implementation, of which suite."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Stage
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.results.records.ending import Ending
from tokenizer_conformance.results.records.lines import ShapeError, opened, read_lines
from tokenizer_conformance.results.records.suite_run import FORMAT, Header, ImplementationJudged, Requirement
from tokenizer_conformance.validation.suite.alike import WRONG, is_not_loaded
from tokenizer_conformance.validation.suite.judging import CaseVerdict
from tokenizer_conformance.validation.suite.reader import SuiteIdentity
from tokenizer_conformance.validation.suite.requirement import Importance

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tokenizer_conformance.results.records.value import Value

CHATS = Stage.CHAT.value
"""The stage of those that render chat templates, and the area of what is required of them."""


@dataclass(slots=True)
class ImplementationScore:
    """The result of an implementation: how many requirements, by their importance, have which verdict.

    ``renders``: it says that it renders chat templates; where it does not, the requirements of these are in no count
    but ``left_out``. ``not_loaded`` are those of the failed of which no tokenizer is loaded. ``complete`` is false
    where it was left before all was asked, ``None`` where its record is not read to the end.
    """

    name: str
    version: str
    counts: Counter[tuple[Importance, CaseVerdict]] = field(default_factory=Counter)
    not_loaded: int = 0
    left_out: int = 0
    complete: bool | None = None
    renders: bool = True


@dataclass(frozen=True, slots=True)
class SuiteRecord:
    """A record that is whole: which ``suite`` was asked, whether only a part of it was, and who has which result."""

    suite: SuiteIdentity
    is_partial: bool
    judged: tuple[ImplementationScore, ...]


def read_suite_record(path: Path) -> SuiteRecord:
    """Read the record at ``path``.

    Raises :class:`BadInputError`, also where it is another record, or that of a run which did not finish.
    """
    opening = opened(path)
    if opening.schema != FORMAT.name:
        raise BadInputError(
            f"{opening.name} is the record of another command; give the one that 'tokconf suite run --json RECORD' "
            "writes"
        )
    header: Header = opening.header(FORMAT)
    if header.suite is None:
        raise BadInputError(f"{opening.name} does not say which suite was asked; run it again with this release")
    judged = opening.made_of_header(_begun, header)
    ending = Ending()
    ids: set[tuple[str, str]] = set()
    read_lines(opening, FORMAT, ending, lambda line: _take(line, judged, ids))
    fault = _fault(header, judged, ending)
    if fault:
        raise BadInputError(f"{opening.name} {fault}")
    is_partial = bool(header.selection or header.features or header.importances) or header.fields is not None
    suite = SuiteIdentity(header.suite.version, header.suite.target, header.suite.sha256)
    return SuiteRecord(suite, is_partial, tuple(judged.values()))


def _begun(header: Header) -> dict[str, ImplementationScore]:
    found = {
        each.name: ImplementationScore(each.name, each.version, renders=CHATS in each.stages)
        for each in header.implementations
    }
    if len(found) != len(header.implementations):
        raise ShapeError("an implementation is asked twice")
    return found


def _take(line: Value, judged: Mapping[str, ImplementationScore], ids: set[tuple[str, str]]) -> None:
    """Take in a ``line``; ``ids`` are the requirements so far, each with the implementation that was asked."""
    match line:
        case Requirement():
            id_ = line.implementation, line.requirement
            if id_ in ids:
                raise ShapeError(f"requirement {line.requirement!r} stands there twice")
            if line.implementation not in judged:
                raise ShapeError(f"{line.implementation!r} is no implementation of the header")
            ids.add(id_)
            _count(line, judged[line.implementation])
        case ImplementationJudged():
            judged[line.implementation].complete = line.complete
        case _:
            pass


def _count(line: Requirement, score: ImplementationScore) -> None:
    verdict = CaseVerdict(line.verdict)
    if line.area == CHATS and verdict is CaseVerdict.UNSUPPORTED and not score.renders:
        score.left_out += 1
        return
    score.counts[Importance(line.importance), verdict] += 1
    score.not_loaded += is_not_loaded(each for each in line.cases if CaseVerdict(each.verdict) in WRONG)


def _fault(header: Header, judged: Mapping[str, ImplementationScore], ending: Ending) -> str:
    """Say why the record is not whole; empty where it is."""
    if ending.footer is None:
        return "is cut short: it has no footer; run it again"
    if not ending.is_whole:
        return f"is that of a run that did not finish ({ending.footer.conclusion}); run it again"
    if not judged:
        return "has no implementation that was asked"
    for name, each in judged.items():
        total = each.counts.total() + each.left_out
        if each.complete is None or (each.complete and total != header.requirements):
            asked = f"{total:,} of {header.requirements:,} requirements"
            return f"is cut short: of {one_line(name)!r} it has {asked}; run it again"
    return ""
