"""The page of a search: a finding is a cause, as it stands when the search is over."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeVar

from tokenizer_adapters.contract import PIPELINE_STAGES
from tokenizer_conformance.causes.bug.page_snippets import published
from tokenizer_conformance.causes.page import cause_finding, minimizing
from tokenizer_conformance.causes.record_forms import cause_of
from tokenizer_conformance.causes.wording import what_differs
from tokenizer_conformance.plural import counted, few
from tokenizer_conformance.results.headlines import headlines_of
from tokenizer_conformance.results.outcomes import Outcome, Outcomes, Result
from tokenizer_conformance.results.page import Cell, Drawing, Fact, Matrix, Page, Section, State, Table
from tokenizer_conformance.results.plots.plot import Bar, Bars
from tokenizer_conformance.results.recorded_page import (
    CUT_SHORT,
    PageReader,
    RecordedPage,
    compared_side,
    environment_facts,
    hidden_stages,
    outcomes_in,
    page_state,
)
from tokenizer_conformance.results.records import fuzz
from tokenizer_conformance.results.records import search as lines
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.headers import ImplementationMissing
from tokenizer_conformance.results.sentences import said_once
from tokenizer_conformance.results.verdict_states import state_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tokenizer_conformance.comparison.verdicts import Verdict
    from tokenizer_conformance.results.page import Row, ShownFinding
    from tokenizer_conformance.results.records.causes import SearchedCause
    from tokenizer_conformance.results.records.ending import Ended
    from tokenizer_conformance.results.records.headers import Known
    from tokenizer_conformance.results.records.value import Value

FoundCause = lines.Finding | lines.FinalCause
C = TypeVar("C", lines.Finding, lines.FinalCause)
H = TypeVar("H", bound=fuzz.Header | lines.Header)

Findings = tuple["ShownFinding", ...]

COUNTS = ("cases", "questions", "values", "differing", "unstable", "skipped", "lost", "unexamined")
"""What is counted of each pairing, in the order of a table."""

MOST_GENERATORS = 15
"""How many generators a plot shows."""


class FoundReader(PageReader[H]):
    """Reads the record of any search."""

    def __init__(self, name: str, header: H) -> None:
        super().__init__(name, header)
        self._baseline = header.baseline.name
        self._names = [each.name for each in header.implementations]
        self._hidden = {each.name: hidden_stages(each) for each in header.implementations}
        self._versions = published(
            header.environment.command,
            {each.name: each.version for each in (header.baseline, *header.implementations)},
        )

    def _bars(
        self, title: str, unit: str, description: str, places: Sequence[str], findings: Findings
    ) -> Iterator[Drawing]:
        """Yield a plot of how many ``findings`` each implementation has at each of the ``places``, where it has any."""
        counts = Counter((each.implementation, each.stage) for each in findings)
        series = {
            name: tuple(Bar(float(counts[name, place])) for place in places)
            for name in self._names
            if any(counts[name, place] for place in places)
        }
        if series:
            yield Drawing(Bars(title, unit, tuple(places), series), description)


def pictures(drawings: Iterable[Drawing]) -> Iterator[Section]:
    """Yield the section of ``drawings``, where there are any."""
    found = tuple(drawings)
    if found:
        yield Section("In pictures", drawings=found)


def beside_known(entries: Iterable[Known]) -> str:
    """Say how many differences are known, where there are any."""
    known = known_in(entries)
    return f"; {counted(known, 'difference')} known" if known else ""


def known_in(entries: Iterable[Known]) -> int:
    """Return how many differences are known."""
    return sum(each.count for each in entries)


def known_section(
    columns: tuple[str, ...], found: Iterable[tuple[tuple[str, ...], Sequence[Known]]]
) -> Iterator[Section]:
    """Yield what ledgers expect, where there is any: each with what it was ``found`` on, in ``columns``."""
    rows: tuple[Row, ...] = tuple(
        (*place, f"{each.ledger}, entry {each.entry}", each.reason, each.count)
        for place, known in found
        for each in known
    )
    if rows:
        headers = (*columns, "where", "reason", "differences")
        yield Section("Known differences", tables=(Table("What ledgers expect", headers, rows),))


class SearchReader(FoundReader[lines.Header]):
    """Reads the record of a search. What is known of a pairing is what its last line says."""

    def __init__(self, name: str, header: lines.Header) -> None:
        super().__init__(name, header)
        self._tokenizers = [each.name for each in header.tokenizers]
        self._pairings: dict[tuple[str, str], lines.Checkpoint | lines.Result] = {}
        self._refused: dict[tuple[str, str], str] = {}
        self._missing: list[str] = []
        self._found: dict[int, lines.Finding] = {}
        self._causes: dict[int, lines.FinalCause] = {}
        self._footer: lines.Footer | None = None

    def take(self, line: Value) -> None:
        """Take in a ``line``."""
        match line:
            case ImplementationMissing():
                self._missing.append(line.name)
                self.complaints.append(line.reason)
            case lines.InputRefused():
                self.complaints.append(line.reason)
            case lines.PairingRefused():
                self._refused[self._pairing(line)] = line.reason
                self.complaints.append(f"{line.implementation} on {line.tokenizer}: {line.reason}")
            case lines.Finding():
                self._take_cause(self._found, line)
                self.news.append(_news(line))
            case lines.FinalCause():
                self._take_cause(self._causes, line)
            case lines.Checkpoint() | lines.Result():
                self._pairings[self._pairing(line)] = line
            case lines.Footer():
                self._footer = line

    def _pairing(self, line: lines.PairingRefused | lines.Counts | SearchedCause) -> tuple[str, str]:
        name, tokenizer = line.implementation, line.tokenizer
        if name not in self._names or tokenizer not in self._tokenizers:
            raise ValueError(f"{name!r} on {tokenizer!r} is no pairing of the header")
        return name, tokenizer

    def _take_cause(self, causes: dict[int, C], line: C) -> None:
        self._pairing(line)
        number = line.number
        if number in causes:
            raise ValueError(f"cause {number:,} stands there twice")
        causes[number] = line

    def page(self, ended: Ended) -> Page:
        """Return the page of the search."""
        header = self._header
        # Causes stand at the end, with all that was seen of them; a search that was killed has only what it found.
        causes: Mapping[int, FoundCause] = self._found if self._footer is None else self._causes
        findings = tuple(self._finding(number, line) for number, line in causes.items())
        matrix = self._matrix(causes, findings)
        outcomes = Outcomes((*outcomes_in(matrix), *(Outcome(name, "", Result.UNAVAILABLE) for name in self._missing)))
        return Page(
            name=self._name,
            kind="search for differences",
            title=f"Search: {few(self._names, 'implementation')} on {few(self._tokenizers, 'tokenizer')}",
            state=page_state(ended, outcomes=outcomes),
            conclusion=ended.conclusion.value,
            summary=_summary(self._footer),
            headline=outcomes.headline(ended),
            outcomes=outcomes,
            sentences=tuple(said_once((name, self._verdict(name, findings)) for name in self._names)),
            facts=(*environment_facts(header.environment), *self._facts()),
            compared=(compared_side(header.baseline, "baseline"), *map(compared_side, header.implementations)),
            complaints=(*ended.complaints, *self.complaints),
            matrices=(matrix,),
            headlines=headlines_of(findings),
            findings=findings,
            sections=(*pictures(self._drawings(findings)), *self._sections()),
        )

    # What is said first

    def _verdict(self, name: str, findings: Findings) -> str:
        own = [each for each in findings if each.implementation == name]
        lines = [line for (implementation, _), line in self._pairings.items() if implementation == name]
        if not lines:
            return "nothing was asked."
        asked = f"on {counted(len(lines), 'tokenizer')} and {counted(sum(each.cases for each in lines), 'case')}"
        beside = beside_known(each for line in lines for each in line.known)
        if not own:
            return f"no new difference {asked}{beside}."
        stages = Counter(each.stage for each in own)
        told = ", ".join(f"{stages[stage]:,} at {stage}" for stage in PIPELINE_STAGES if stages[stage])
        return f"{counted(len(own), 'cause')} of differences {asked} ({told}){beside}."

    def _facts(self) -> Iterator[Fact]:
        header = self._header
        yield Fact("seed", str(header.seed))
        limit = header.limit
        if limit.cases is not None:
            yield Fact("limit", f"{counted(limit.cases, 'case')} for each pairing")
        if limit.seconds is not None:
            yield Fact("limit", f"{limit.seconds:g} s")
        for each in header.tokenizers:
            yield Fact("tokenizer", f"{each.name} (SHA-256 {each.sha256[:16]}…)")

    # Findings

    def _finding(self, number: int, line: FoundCause) -> ShownFinding:
        first = self._found.get(number)
        return cause_finding(
            json_of(line),
            number=number,
            baseline=self._baseline,
            repeat=minimizing(self._name, number) if self._name else "",
            seen=((), self._hidden[line.implementation]),
            versions=self._versions,
            facts=() if first is None else (Fact("found by", first.generator),),
        )

    # The matrix

    def _matrix(self, causes: Mapping[int, FoundCause], findings: Findings) -> Matrix:
        verdicts: dict[tuple[str, str], list[Verdict]] = {}
        for line in causes.values():
            verdict = line.difference.verdict
            for tokenizer in line.tokenizers:
                verdicts.setdefault((line.implementation, tokenizer), []).append(verdict)
        shown = {(each.implementation, each.tokenizer) for each in findings}
        rows = tuple(
            (name, tuple(self._cell(name, each, verdicts.get((name, each), []), shown) for each in self._tokenizers))
            for name in self._names
        )
        return Matrix("Implementations and tokenizers", f"against {self._baseline}", tuple(self._tokenizers), rows)

    def _cell(self, name: str, tokenizer: str, verdicts: list[Verdict], shown: set[tuple[str, str]]) -> Cell:
        """Return the cell of a pairing; a cause may have been shown on another tokenizer."""
        line, refused = self._pairings.get((name, tokenizer)), self._refused.get((name, tokenizer))
        if refused is not None:
            return Cell(State.ERROR, "not loaded", refused)
        if line is None:
            return Cell(State.NOT_COMPARED, "nothing")
        detail = f"{counted(line.cases, 'case')}, {counted(line.values, 'value')} agree"
        of = {"implementation": name} | ({"tokenizer": tokenizer} if (name, tokenizer) in shown else {})
        if verdicts:
            return Cell(state_of(verdicts), counted(len(verdicts), "cause"), detail, of)
        if line.unstable or line.unexamined:
            return Cell(State.UNSTABLE, "unclear", f"{detail}; differences that nobody could look at")
        known = known_in(line.known)
        if known:
            return Cell(State.KNOWN, f"{known:,} known", detail)
        values = line.values
        return Cell(State.AGREE if values else State.NOT_COMPARED, counted(values, "value"), detail)

    # Sections

    def _sections(self) -> Iterator[Section]:
        generators = self._generators()
        yield Section("What was asked", tables=(self._coverage(),))
        if generators.rows:
            yield Section("What generators have found", tables=(generators,), is_detail=True)
        found = (((tokenizer, name), line.known) for (name, tokenizer), line in self._pairings.items())
        yield from known_section(("tokenizer", "implementation"), found)

    def _coverage(self) -> Table:
        rows: tuple[Row, ...] = tuple(
            (tokenizer, name, *(getattr(line, each) for each in COUNTS), line.seconds, self._end(line))
            for (name, tokenizer), line in self._pairings.items()
        )
        return Table(
            "Coverage",
            ("tokenizer", "implementation", *COUNTS, "seconds", "ended"),
            rows,
            "Cases are texts, questions what was asked about them, values the single fields that agree. Unstable "
            "answers were others when asked for again; skipped texts had been asked about before; lost are batches "
            "over which a process was lost; nobody has looked at unexamined cases.",
        )

    def _end(self, line: lines.Checkpoint | lines.Result) -> str:
        if isinstance(line, lines.Checkpoint) or not line.complete:
            return "cut short"
        return "no text is left" if line.exhausted else "at its limit"

    def _generators(self) -> Table:
        counts = ("name", "count", "used", "cases", "differing", "findings")
        rows: tuple[Row, ...] = tuple(
            (tokenizer, name, *(getattr(each, key) for key in counts))
            for name, tokenizer, each in self._used_generators()
        )
        columns = ("tokenizer", "implementation", "generator", "texts", "taken", "cases", "differing", "findings")
        note = "Who had nothing to ask is left out. Where the number of texts is missing, there is no end of them."
        return Table("Generators", columns, rows, note)

    def _used_generators(self) -> Iterator[tuple[str, str, lines.Generator]]:
        for (name, tokenizer), line in self._pairings.items():
            for each in line.generators if isinstance(line, lines.Result) else ():
                if each.used:
                    yield name, tokenizer, each

    def _drawings(self, findings: Findings) -> Iterator[Drawing]:
        told = "How many causes of differences were found at each stage, for each implementation."
        yield from self._bars("Causes, by stage", "causes", told, PIPELINE_STAGES, findings)
        found: Counter[tuple[str, str]] = Counter()
        for name, _, each in self._used_generators():
            found[each.name, name] += each.findings
        total: Counter[str] = Counter()
        for (generator, _), count in found.items():
            total[generator] += count
        most = [generator for generator, count in total.most_common(MOST_GENERATORS) if count]
        if most:
            series = {name: tuple(Bar(float(found[each, name])) for each in most) for name in self._names}
            yield Drawing(
                Bars("Causes, by the generator that found them", "causes", tuple(most), series),
                "How many causes each generator of texts was the first to find.",
            )


def _news(found: lines.Finding) -> str:
    """Say what was found, at once: the search goes on."""
    where = f"on {found.tokenizer}, by {found.generator}, after {counted(found.cases, 'case')}"
    cause = cause_of(json_of(found))
    return f"{found.number}. {found.implementation}: {what_differs(cause)} ({where}, {found.seconds:.1f} s)"


def _summary(footer: lines.Footer | None) -> str:
    if footer is None:
        return CUT_SHORT
    return (
        f"{counted(footer.pairings, 'pairing')}, {counted(footer.cases, 'case')}, "
        f"{counted(footer.values, 'value')} agree, {counted(footer.findings, 'cause')} of differences"
        + (f", {footer.known:,} known" if footer.known else "")
        + (f", {counted(footer.unexamined, 'text')} that differ not looked at" if footer.unexamined else "")
    )


SEARCHES = RecordedPage("a search", lines.FORMAT, SearchReader)
