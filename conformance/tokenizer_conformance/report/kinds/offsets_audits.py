"""Records of ``tokconf audit offsets`` as pages: which invariants hold for whom, and what violates them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tokenizer_conformance.comparison.record_forms import question_of
from tokenizer_conformance.comparison.wording import describe
from tokenizer_conformance.plural import counted
from tokenizer_conformance.report.kinds.answers import subjects_of
from tokenizer_conformance.report.kinds.ledgers import named_entry, stale_named_entries
from tokenizer_conformance.results.headlines import headlines_of
from tokenizer_conformance.results.page import Cell, Fact, Finding, Matrix, Novelty, Page, Section, State, Table
from tokenizer_conformance.results.page_kind import (
    CUT_SHORT,
    STATES,
    PageKind,
    compared_implementations,
    conclusion_in,
    ending_complaints,
    environment_facts,
)
from tokenizer_conformance.results.records.offsets_audit import FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.results.records.lines import Ending, Opening
    from tokenizer_conformance.results.records.node import Node

Place = tuple[str, str]
"""A tokenizer, and an implementation."""

NOT_SHOWN = "it shows no"
"""How the reason begins for which an invariant cannot be checked on what an implementation never shows."""


class OffsetsAuditReader:
    """Reads the record of an audit of offsets."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        header = opening.header
        self._invariants = {each.text("id"): each for each in header.nodes("invariants")}
        self._implementations = [each.text("name") for each in header.nodes("implementations")]
        self._tokenizers = [each.text("name") for each in header.nodes("tokenizers")]
        self._not_loaded: dict[Place, Node] = {}
        self._audited: dict[Place, Node] = {}
        self._tallies: dict[Place, dict[str, Node]] = {}
        self._findings: list[Finding] = []
        self._complaints: list[str] = []

    def take(self, kind: str, line: Node) -> None:
        """Take in a ``line`` of that ``kind``."""
        match kind:
            case "implementation_missing" | "refused":
                self._complaints.append(line.text("reason"))
            case "not_loaded":
                line.text("reason"), line.flag("unsupported")
                self._not_loaded[_place(line)] = line
            case "audited":
                self._take_audited(line)

    def _take_audited(self, line: Node) -> None:
        place = _place(line)
        self._audited[place] = line
        self._tallies[place] = {each.text("id"): each for each in line.nodes("invariants")}
        self._findings += [
            self._finding(place, each, len(self._findings) + number)
            for number, each in enumerate(line.nodes("findings"), 1)
        ]
        name = f"{place[0]}, by {place[1]}"
        self._complaints += [f"{name}: it said: {each}" for each in line.texts("trouble")]
        if line.count("lost"):
            self._complaints.append(f"{name}: {counted(line.count('lost'), 'question')} without any answer")

    def _finding(self, place: Place, found: Node, number: int) -> Finding:
        about = self._invariants.get(found.text("invariant"))
        question, answers = question_of(found.value["question"]), found.count("answers")
        known = named_entry(found.node("known")) if found.holds("known") else ""
        reduced = found.count("reduced_from") if found.holds("reduced_from") else None
        return Finding(
            id=f"violation-{number}",
            group="violations",
            headline=f"{found.text('invariant')}: {found.text('manner')}",
            implementation=place[1],
            tokenizer=place[0],
            stage="" if about is None else about.text("topic"),
            reason=found.text("invariant"),
            standing=Novelty.KNOWN if known else Novelty.NEW,
            count=answers,
            impact=f"{counted(answers, 'answer')}, {counted(found.count('places'), 'place')}",
            subjects=subjects_of(question),
            lines=(found.text("detail"),),
            explanation="" if about is None else about.text("sentence"),
            known=known,
            repeat=found.text("repeat"),
            facts=(
                *(Fact("severity", each.text("severity")) for each in (about,) if each is not None),
                Fact("question", f"{describe(question)}, {found.text('setting')}"),
                Fact("first seen on", found.text("input")),
                *(Fact("made smaller from", counted(each, "character")) for each in (reduced,) if each is not None),
            ),
        )

    def page(self, ending: Ending) -> Page:
        """Return the page of the audit."""
        header, conclusion = self._opening.header, conclusion_in(ending)
        findings = tuple(self._findings)
        return Page(
            name=self._opening.path.name,
            kind="audit of offsets",
            state=STATES[conclusion],
            conclusion=conclusion.value,
            summary=_summary(ending),
            sentences=(*self._sentences(), *stale_named_entries(ending.footer)),
            facts=(*environment_facts(header), *self._facts()),
            compared=compared_implementations(header),
            complaints=(*ending_complaints(ending), *self._complaints),
            matrices=tuple(self._matrices()),
            headlines=headlines_of(findings),
            findings=findings,
            counted="answers",
            sections=tuple(self._sections()),
        )

    def _sentences(self) -> Iterator[str]:
        """Say for whom the invariants hold on which tokenizer, and how many could not be checked."""
        for (tokenizer, implementation), line in self._not_loaded.items():
            yield f"{tokenizer}, by {implementation}: not loaded: {line.text('reason')}"
        for place, line in self._audited.items():
            checked = [each for each in self._tallies[place].values() if each.count("things")]
            holding = sum(not each.count("violated") for each in checked)
            left = len(self._tallies[place]) - len(checked)
            cut_short = "" if line.flag("finished") else ", and the audit of it did not come to its end"
            yield (
                f"{place[0]}, by {place[1]}: {holding} of {len(checked)} invariants hold, {left} could not be checked"
                f"{cut_short}; {counted(line.count('answers'), 'answer')} to {counted(line.count('inputs'), 'input')}."
            )

    def _facts(self) -> Iterator[Fact]:
        header = self._opening.header
        inputs = header.node("inputs")
        yield Fact("inputs", f"{inputs.count('count'):,} (SHA-256 {inputs.text('sha256')[:16]}…)")
        for each in header.nodes("tokenizers"):
            yield Fact("file", f"{each.text('name')}: {each.text('file')} (SHA-256 {each.text('sha256')[:16]}…)")

    # Matrices

    def _matrices(self) -> Iterator[Matrix]:
        if len(self._tokenizers) > 1:
            rows = tuple(
                (name, tuple(self._overview((tokenizer, name)) for tokenizer in self._tokenizers))
                for name in self._implementations
            )
            yield Matrix("Implementations and tokenizers", "invariants that hold", tuple(self._tokenizers), rows)
        for tokenizer in self._tokenizers:
            rows = tuple(
                (id_, tuple(self._cell((tokenizer, name), id_) for name in self._implementations))
                for id_ in self._invariants
            )
            yield Matrix(f"{tokenizer}, invariant by invariant", "invariant", tuple(self._implementations), rows)

    def _unaudited(self, place: Place) -> Cell | None:
        """Return the cell of what was not audited, ``None`` where it was."""
        refused = self._not_loaded.get(place)
        if refused is not None:
            state = State.UNSUPPORTED if refused.flag("unsupported") else State.ERROR
            return Cell(state, "not loaded", refused.text("reason"))
        return Cell(State.NOT_COMPARED, "not reached") if place not in self._audited else None

    def _overview(self, place: Place) -> Cell:
        cell = self._unaudited(place)
        if cell is not None:
            return cell
        line, tallies = self._audited[place], self._tallies[place].values()
        checked = [each for each in tallies if each.count("things")]
        found = [each for each in self._findings if (each.tokenizer, each.implementation) == place]
        text = f"{sum(not each.count('violated') for each in checked)} of {len(checked)}"
        if line.count("lost"):
            return Cell(State.ERROR, text, f"{counted(line.count('lost'), 'question')} without any answer", _of(place))
        if not checked:
            return Cell(State.NOT_COMPARED, text)
        return Cell(_state(found), text, of=_of(place) if found else {})

    def _cell(self, place: Place, invariant: str) -> Cell:
        cell = self._unaudited(place)
        if cell is not None:
            return cell
        tally = self._tallies[place].get(invariant)
        if tally is None:
            return Cell(State.NOT_COMPARED, "not checked")
        found = [
            each for each in self._findings if (each.tokenizer, each.implementation, each.reason) == (*place, invariant)
        ]
        if found or tally.count("violated"):
            text = f"{tally.count('violated'):,} of {counted(tally.count('answers'), 'answer')}"
            state = _state(found) if found else State.DIFFER
            return Cell(state, text, "; ".join(each.headline for each in found), _of(place) | {"reason": invariant})
        if tally.count("things"):
            return Cell(State.AGREE, counted(tally.count("answers"), "answer"), f"{tally.count('things'):,} things")
        reasons = [each.text("reason") for each in tally.nodes("unchecked")]
        if any(each.startswith(NOT_SHOWN) for each in reasons):
            return Cell(State.UNSUPPORTED, "not shown", "; ".join(reasons))
        return Cell(State.NOT_COMPARED, "not checked", "; ".join(reasons) or "no such question was answered")

    # Sections

    def _sections(self) -> Iterator[Section]:
        violated = Counter(each.reason for each in self._findings)
        rows = tuple(
            (id_, each.text("topic"), each.text("severity"), each.text("sentence"), violated[id_])
            for id_, each in self._invariants.items()
        )
        columns = ("invariant", "topic", "severity", "what it says", "findings")
        left_out = tuple(
            f"{tokenizer}, by {implementation}: not asked {each.text('setting')}: {each.text('reason')}"
            for (tokenizer, implementation), line in self._audited.items()
            for each in line.nodes("left_out")
        )
        yield Section("Invariants", left_out, tables=(Table("What was checked", columns, rows),))


def _place(line: Node) -> Place:
    return line.text("tokenizer"), line.text("implementation")


def _of(place: Place) -> dict[str, str]:
    return {"tokenizer": place[0], "implementation": place[1]}


def _state(findings: list[Finding]) -> State:
    if not findings:
        return State.AGREE
    return State.DIFFER if any(each.standing is Novelty.NEW for each in findings) else State.KNOWN


def _summary(ending: Ending) -> str:
    if ending.footer is None:
        return CUT_SHORT
    footer = ending.footer
    pairs = f"{counted(footer.count('audited'), 'pair')} of implementation and tokenizer"
    known = footer.count("known")
    return (
        f"{footer.text('conclusion')}: {pairs}, {counted(footer.count('things'), 'thing')} checked, "
        f"{counted(footer.count('findings'), 'finding')}" + (f", {known:,} of them known" if known else "")
    )


OFFSETS_AUDITS = PageKind("an audit of offsets", FORMAT, OffsetsAuditReader)
