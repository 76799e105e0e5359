"""Records of ``tokconf fuzz TOKENIZER`` as pages: a finding is a cause, as it stands when the search is over."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tokenizer_conformance.comparison.blame import STAGE_ORDER
from tokenizer_conformance.comparison.record_forms import difference_of
from tokenizer_conformance.plural import counted
from tokenizer_conformance.releases.diff.records.kinds.kind import minimizing
from tokenizer_conformance.report.kinds.causes import cause_finding
from tokenizer_conformance.report.kinds.snippets import published
from tokenizer_conformance.report.kinds.verdicts import state_of
from tokenizer_conformance.results.headlines import headlines_of
from tokenizer_conformance.results.page import (
    Cell,
    Drawing,
    Fact,
    Finding,
    Matrix,
    Page,
    Section,
    State,
    Table,
)
from tokenizer_conformance.results.page_kind import (
    CUT_SHORT,
    STATES,
    PageKind,
    compared_baseline,
    compared_implementations,
    conclusion_in,
    ending_complaints,
    environment_facts,
    hidden_stages,
)
from tokenizer_conformance.results.plots.plot import Bar, Bars
from tokenizer_conformance.results.records.node import ShapeError
from tokenizer_conformance.results.records.search import FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.comparison.verdicts import Verdict
    from tokenizer_conformance.results.page import Row
    from tokenizer_conformance.results.records.lines import Ending, Opening
    from tokenizer_conformance.results.records.node import Node

COUNTS = ("cases", "questions", "values", "differing", "unstable", "skipped", "lost", "unexamined")
"""What is counted of each pairing, in the order of a table."""

MOST_GENERATORS = 15
"""How many generators a plot shows."""


class SearchReader:
    """Reads the record of a search. What is known of a pairing is what its last line says."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        header = opening.header
        self._baseline = header.node("baseline").text("name")
        self._implementations = header.nodes("implementations")
        self._names = [each.text("name") for each in self._implementations]
        self._tokenizers = [each.text("name") for each in header.nodes("tokenizers")]
        self._versions = published(header, [header.node("baseline"), *self._implementations])
        self._hidden = {each.text("name"): hidden_stages(each) for each in self._implementations}
        self._pairings: dict[tuple[str, str], Node] = {}
        self._refused: dict[tuple[str, str], str] = {}
        self._found: dict[int, Node] = {}
        self._causes: dict[int, Node] = {}
        self._complaints: list[str] = []

    def take(self, kind: str, line: Node) -> None:
        """Take in a ``line`` of that ``kind``."""
        match kind:
            case "implementation_missing" | "input_refused":
                self._complaints.append(line.text("reason"))
            case "pairing_refused":
                self._refused[self._pairing(line)] = line.text("reason")
                self._complaints.append(
                    f"{line.text('implementation')} on {line.text('tokenizer')}: {line.text('reason')}"
                )
            case "finding":
                self._take_cause(self._found, line)
            case "cause":
                self._take_cause(self._causes, line)
            case "checkpoint" | "result":
                self._pairings[self._pairing(line)] = line

    def _pairing(self, line: Node) -> tuple[str, str]:
        name, tokenizer = line.text("implementation"), line.text("tokenizer")
        if name not in self._names or tokenizer not in self._tokenizers:
            raise ShapeError(f"{name!r} on {tokenizer!r} is no pairing of the header")
        return name, tokenizer

    def _take_cause(self, causes: dict[int, Node], line: Node) -> None:
        self._pairing(line)
        number = line.count("number")
        if number in causes:
            raise ShapeError(f"cause {number:,} stands there twice")
        causes[number] = line

    def page(self, ending: Ending) -> Page:
        """Return the page of the search."""
        header, conclusion = self._opening.header, conclusion_in(ending)
        # Causes stand at the end, with all that was seen of them; a search that was killed has only what it found.
        causes = self._causes if ending.footer is not None else self._found
        findings = tuple(self._finding(number, line) for number, line in causes.items())
        return Page(
            name=self._opening.path.name,
            kind="search for differences",
            state=STATES[conclusion],
            conclusion=conclusion.value,
            summary=_summary(ending),
            sentences=tuple(self._verdict(name, findings) for name in self._names),
            facts=(*environment_facts(header), *self._facts()),
            compared=(compared_baseline(header), *compared_implementations(header)),
            complaints=(*ending_complaints(ending), *self._complaints),
            matrices=(self._matrix(causes, findings),),
            headlines=headlines_of(findings),
            findings=findings,
            sections=tuple(self._sections(findings)),
        )

    # What is said first

    def _verdict(self, name: str, findings: tuple[Finding, ...]) -> str:
        own = [each for each in findings if each.implementation == name]
        lines = [line for (implementation, _), line in self._pairings.items() if implementation == name]
        if not lines:
            return f"{name}: nothing was asked."
        asked = (
            f"on {counted(len(lines), 'tokenizer')} and {counted(sum(each.count('cases') for each in lines), 'case')}"
        )
        known = sum(each.count("count") for line in lines for each in line.nodes("known"))
        beside = f"; {counted(known, 'difference')} known" if known else ""
        if not own:
            return f"{name}: no new difference {asked}{beside}."
        stages = Counter(each.stage for each in own)
        told = ", ".join(f"{stages[stage]:,} at {stage}" for stage in STAGE_ORDER if stages[stage])
        return f"{name}: {counted(len(own), 'cause')} of differences {asked} ({told}){beside}."

    def _facts(self) -> Iterator[Fact]:
        header = self._opening.header
        yield Fact("seed", str(header.count("seed")))
        limit = header.node("limit")
        if limit.holds("cases"):
            yield Fact("limit", f"{counted(limit.count('cases'), 'case')} for each pairing")
        if limit.holds("seconds"):
            yield Fact("limit", f"{limit.number('seconds'):g} s")
        for each in header.nodes("tokenizers"):
            yield Fact("tokenizer", f"{each.text('name')} (SHA-256 {each.text('sha256')[:16]}…)")

    # Findings

    def _finding(self, number: int, line: Node) -> Finding:
        first = self._found.get(number)
        return cause_finding(
            line,
            number=number,
            baseline=self._baseline,
            repeat=minimizing(str(self._opening.path), number),
            seen=((), self._hidden[line.text("implementation")]),
            versions=self._versions,
            facts=() if first is None else (Fact("found by", first.text("generator")),),
        )

    # The matrix

    def _matrix(self, causes: dict[int, Node], findings: tuple[Finding, ...]) -> Matrix:
        verdicts: dict[tuple[str, str], list[Verdict]] = {}
        for line in causes.values():
            verdict = difference_of(line.value["difference"]).verdict
            for tokenizer in line.counts("tokenizers"):
                verdicts.setdefault((line.text("implementation"), tokenizer), []).append(verdict)
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
        detail = f"{counted(line.count('cases'), 'case')}, {counted(line.count('values'), 'value')} agree"
        of = {"implementation": name} | ({"tokenizer": tokenizer} if (name, tokenizer) in shown else {})
        if verdicts:
            return Cell(state_of(verdicts), counted(len(verdicts), "cause"), detail, of)
        if line.count("unstable") or line.count("unexamined"):
            return Cell(State.UNSTABLE, "unclear", f"{detail}; differences that nobody could look at")
        known = sum(each.count("count") for each in line.nodes("known"))
        if known:
            return Cell(State.KNOWN, f"{known:,} known", detail)
        values = line.count("values")
        return Cell(State.AGREE if values else State.NOT_COMPARED, counted(values, "value"), detail)

    # Sections

    def _sections(self, findings: tuple[Finding, ...]) -> Iterator[Section]:
        drawings = tuple(self._drawings(findings))
        if drawings:
            yield Section("In pictures", drawings=drawings)
        generators = self._generators()
        yield Section("What was asked", tables=(self._coverage(), *([generators] if generators.rows else [])))
        known = tuple(self._known())
        if known:
            columns = ("tokenizer", "implementation", "where", "reason", "differences")
            yield Section("Known differences", tables=(Table("What ledgers expect", columns, known),))

    def _known(self) -> Iterator[Row]:
        for (name, tokenizer), line in self._pairings.items():
            for each in line.nodes("known"):
                where = f"{each.text('ledger')}, entry {each.count('entry')}"
                yield tokenizer, name, where, each.text("reason"), each.count("count")

    def _coverage(self) -> Table:
        rows: tuple[Row, ...] = tuple(
            (tokenizer, name, *(line.count(each) for each in COUNTS), line.number("seconds"), self._end(line))
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

    def _end(self, line: Node) -> str:
        if line.text("type") == "checkpoint" or not line.flag("complete"):
            return "cut short"
        return "no text is left" if line.flag("exhausted") else "at its limit"

    def _generators(self) -> Table:
        rows: tuple[Row, ...] = tuple(
            (
                tokenizer,
                name,
                each.text("name"),
                each.count("count") if each.holds("count") else None,
                *(each.count(key) for key in ("used", "cases", "differing", "findings")),
            )
            for name, tokenizer, each in self._used_generators()
        )
        columns = ("tokenizer", "implementation", "generator", "texts", "taken", "cases", "differing", "findings")
        note = "Who had nothing to ask is left out. Where the number of texts is missing, there is no end of them."
        return Table("Generators", columns, rows, note)

    def _used_generators(self) -> Iterator[tuple[str, str, Node]]:
        for (name, tokenizer), line in self._pairings.items():
            for each in line.nodes("generators") if line.has("generators") else []:
                if each.count("used"):
                    yield name, tokenizer, each

    def _drawings(self, findings: tuple[Finding, ...]) -> Iterator[Drawing]:
        stages = Counter((each.implementation, each.stage) for each in findings)
        if findings:
            series = {
                name: tuple(Bar(float(stages[name, stage])) for stage in STAGE_ORDER)
                for name in self._names
                if any(stages[name, stage] for stage in STAGE_ORDER)
            }
            yield Drawing(
                Bars("Causes, by stage", "causes", tuple(map(str, STAGE_ORDER)), series),
                "How many causes of differences were found at each stage, for each implementation.",
            )
        found: Counter[tuple[str, str]] = Counter()
        for name, _, each in self._used_generators():
            found[each.text("name"), name] += each.count("findings")
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


def _summary(ending: Ending) -> str:
    if ending.footer is None:
        return CUT_SHORT
    footer = ending.footer
    return (
        f"{footer.text('conclusion')}: {counted(footer.count('pairings'), 'pairing')}, "
        f"{counted(footer.count('cases'), 'case')}, {counted(footer.count('values'), 'value')} agree, "
        f"{counted(footer.count('findings'), 'cause')} of differences"
    )


SEARCHES = PageKind("a search", FORMAT, SearchReader)
