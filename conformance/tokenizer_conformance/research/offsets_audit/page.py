"""The page of an audit of offsets: which invariants hold for whom, and what violates them."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from tokenizer_conformance.comparison.record_forms import question_of
from tokenizer_conformance.comparison.wording import describe
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.plural import counted, few, together
from tokenizer_conformance.results.answers import subjects_of
from tokenizer_conformance.results.headlines import headlines_of
from tokenizer_conformance.results.outcomes import ON_TOKENIZERS, Outcome, Outcomes, Result, Wording
from tokenizer_conformance.results.page import (
    Cell,
    Compared,
    Fact,
    Matrix,
    Novelty,
    Page,
    Section,
    Sentence,
    ShownFinding,
    State,
    Table,
)
from tokenizer_conformance.results.recorded_page import (
    CUT_SHORT,
    PageReader,
    RecordedPage,
    entry_words,
    environment_facts,
    outcome_of,
    page_state,
    part_facts,
    stale_words,
)
from tokenizer_conformance.results.records import offsets_audit as lines
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.headers import ImplementationMissing, Refused
from tokenizer_conformance.results.sentences import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.results.records.ending import Ended
    from tokenizer_conformance.results.records.value import Value

Place = tuple[str, str]
"""A tokenizer, and an implementation."""

NOT_SHOWN = "it shows no"
"""How the reason begins for which an invariant cannot be checked on what an implementation never shows."""


INVARIANTS = Wording(
    ON_TOKENIZERS.noun,
    {
        **ON_TOKENIZERS.verbs,
        Result.DIFFERS: ("breaks invariants on {}", "break invariants on {}"),
        Result.KNOWN: ("breaks invariants only as is known on {}", "break invariants only as is known on {}"),
        Result.NOT_SHOWN: ("cannot be checked on {}", "cannot be checked on {}"),
        Result.CONFORMS: ("keeps all invariants on {}", "keep all invariants on {}"),
    },
)
"""What is said of implementations whose offsets are checked."""


class OffsetsAuditReader(PageReader[lines.Header]):
    """Reads the record of an audit of offsets."""

    def __init__(self, name: str, header: lines.Header) -> None:
        super().__init__(name, header)
        self._invariants = {each.id: each for each in header.invariants}
        self._implementations = [each.name for each in header.implementations]
        self._tokenizers = [each.name for each in header.tokenizers]
        self._not_loaded: dict[Place, lines.NotLoaded] = {}
        self._audited: dict[Place, lines.Audited] = {}
        self._tallies: dict[Place, dict[str, lines.AuditedInvariant]] = {}
        self._findings: list[ShownFinding] = []
        self._found: defaultdict[tuple[str, ...], list[ShownFinding]] = defaultdict(list)
        self._missing: list[str] = []
        self._footer: lines.Footer | None = None

    def take(self, line: Value) -> None:
        """Take in a ``line``."""
        match line:
            case ImplementationMissing():
                self._missing.append(line.name)
                self.complaints.append(line.reason)
            case Refused():
                self.complaints.append(line.reason)
            case lines.NotLoaded():
                self._not_loaded[_place(line)] = line
            case lines.Audited():
                self._take_audited(line)
            case lines.Footer():
                self._footer = line

    def _take_audited(self, line: lines.Audited) -> None:
        place = _place(line)
        self._audited[place] = line
        self._tallies[place] = {each.id: each for each in line.invariants}
        found = [
            self._finding(place, each, len(self._findings) + number) for number, each in enumerate(line.findings, 1)
        ]
        self._findings += found
        for each in found:
            self._found[place].append(each)
            self._found[*place, each.reason].append(each)
        name = f"{place[0]}, by {place[1]}"
        self.complaints += [f"{name}: it said: {each}" for each in line.trouble]
        if line.lost:
            self.complaints.append(f"{name}: {counted(line.lost, 'question')} without any answer")

    def _finding(self, place: Place, found: lines.Finding, number: int) -> ShownFinding:
        about = self._invariants.get(found.invariant)
        question, answers = question_of(json_of(found.question)), found.answers
        known = entry_words(found.known) if found.known is not None else ""
        reduced = found.reduced_from
        return ShownFinding(
            id=f"violation-{number}",
            group="violations",
            headline=f"{found.invariant}: {found.manner}",
            implementation=place[1],
            tokenizer=place[0],
            stage="" if about is None else about.topic,
            reason=found.invariant,
            standing=Novelty.KNOWN if known else Novelty.NEW,
            count=answers,
            impact=_counts(found),
            subjects=subjects_of(question),
            lines=(found.detail,),
            explanation="" if about is None else about.sentence,
            known=known,
            repeat=found.repeat,
            facts=(
                *(() if about is None else (Fact("severity", about.severity),)),
                Fact("question", f"{describe(question)}, {found.setting}"),
                Fact("first seen on", found.input),
                *(() if reduced is None else (Fact("made smaller from", counted(reduced, "character")),)),
            ),
        )

    def page(self, ended: Ended) -> Page:
        """Return the page of the audit."""
        header = self._header
        stale = () if self._footer is None else self._footer.stale
        findings = tuple(self._findings)
        outcomes = Outcomes(tuple(self._outcomes()), INVARIANTS)
        return Page(
            name=self._name,
            kind="audit of offsets",
            title=f"Offsets of {few(self._implementations, 'implementation')} on {few(self._tokenizers, 'tokenizer')}",
            state=page_state(ended, outcomes=outcomes),
            conclusion=ended.conclusion.value,
            summary=_summary(self._footer),
            headline=outcomes.headline(ended),
            outcomes=outcomes,
            sentences=(*self._sentences(), *plain(stale_words(stale))),
            facts=(*environment_facts(header.environment), *self._facts()),
            compared=tuple(_compared(header)),
            complaints=(*ended.complaints, *self.complaints),
            matrices=tuple(self._matrices()),
            headlines=headlines_of(findings),
            findings=findings,
            counted="answers",
            sections=tuple(self._sections()),
        )

    def _outcomes(self) -> Iterator[Outcome]:
        for name in self._implementations:
            for each in self._tokenizers:
                yield outcome_of(name, each, [self._overview((each, name))])
        yield from (Outcome(name, "", Result.UNAVAILABLE) for name in self._missing)

    def _sentences(self) -> Iterator[Sentence]:
        """Say for whom the invariants hold on which tokenizer, and how many could not be checked."""
        for (tokenizer, implementation), refused in self._not_loaded.items():
            text = f"{tokenizer}, by {implementation}: not loaded: {refused.reason}"
            yield Sentence(text, (tokenizer, implementation))
        tokenizers_of: dict[tuple[str, str], list[str]] = {}
        for (tokenizer, implementation), words in self._held():
            tokenizers_of.setdefault((implementation, words), []).append(tokenizer)
        for (implementation, words), tokenizers in tokenizers_of.items():
            yield Sentence(f"{together(tokenizers)}, by {implementation}: {words}", (*tokenizers, implementation))

    def _held(self) -> Iterator[tuple[Place, str]]:
        """Yield of each place how many invariants hold there."""
        for place, line in self._audited.items():
            checked = [each for each in self._tallies[place].values() if each.things]
            holding = sum(not each.violated for each in checked)
            left = len(self._tallies[place]) - len(checked)
            without = "" if line.has_spans else "; it shows no spans: nothing is said of offsets"
            cut_short = "" if line.finished else ", and the audit of it did not finish"
            yield (
                place,
                (
                    f"{holding} of {len(checked)} invariants hold, {left} could not be checked"
                    f"{cut_short}; {counted(line.answers, 'answer')} to {counted(line.inputs, 'input')}{without}."
                ),
            )

    def _facts(self) -> Iterator[Fact]:
        header = self._header
        inputs = header.inputs
        yield from part_facts(header)
        yield Fact("inputs", f"{inputs.count:,} (SHA-256 {inputs.sha256[:16]}…)")
        for each in header.tokenizers:
            told = f"{each.name}: {each.file} (SHA-256 {each.sha256[:16]}…)"
            yield Fact("file", told, is_detail=True)

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
            state = State.UNSUPPORTED if refused.unsupported else State.ERROR
            return Cell(state, "not loaded", refused.reason)
        return Cell(State.NOT_COMPARED, "not reached") if place not in self._audited else None

    def _overview(self, place: Place) -> Cell:
        cell = self._unaudited(place)
        if cell is not None:
            return cell
        line, tallies = self._audited[place], self._tallies[place].values()
        checked = [each for each in tallies if each.things]
        found = self._found[place]
        text = f"{sum(not each.violated for each in checked)} of {len(checked)}"
        if line.lost:
            return Cell(State.ERROR, text, f"{counted(line.lost, 'question')} without any answer", _of(place))
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
        found = self._found[*place, invariant]
        if found or tally.violated:
            text = f"{tally.violated:,} of {counted(tally.answers, 'answer')}"
            state = _state(found) if found else State.DIFFER
            return Cell(state, text, "; ".join(each.headline for each in found), _of(place) | {"reason": invariant})
        if tally.things:
            return Cell(State.AGREE, counted(tally.answers, "answer"), f"{tally.things:,} things")
        reasons = [each.reason for each in tally.unchecked]
        if any(each.startswith(NOT_SHOWN) for each in reasons):
            return Cell(State.UNSUPPORTED, "not shown", "; ".join(reasons))
        return Cell(State.NOT_COMPARED, "not checked", "; ".join(reasons) or "no such question was answered")

    # Sections

    def _sections(self) -> Iterator[Section]:
        violated = Counter(each.reason for each in self._findings)
        rows = tuple(
            (id_, each.topic, each.severity, each.sentence, violated[id_]) for id_, each in self._invariants.items()
        )
        columns = ("invariant", "topic", "severity", "what it says", "findings")
        left_out = tuple(
            f"{tokenizer}, by {implementation}: not asked {each.setting}: {each.reason}"
            for (tokenizer, implementation), line in self._audited.items()
            for each in line.left_out
        )
        yield Section("Invariants", left_out, tables=(Table("What was checked", columns, rows),), is_detail=True)


def headline(found: lines.Finding) -> str:
    """Return what is violated, in what manner, and how often."""
    told = f"{found.invariant}: {one_line(found.manner)} ({_counts(found)})"
    return told if found.known is None else f"{told}, known"


def _counts(found: lines.Finding) -> str:
    return f"{counted(found.answers, 'answer')}, {counted(found.places, 'place')}"


def _place(line: lines.NotLoaded | lines.Audited) -> Place:
    return line.tokenizer, line.implementation


def _of(place: Place) -> dict[str, str]:
    return {"tokenizer": place[0], "implementation": place[1]}


def _state(findings: list[ShownFinding]) -> State:
    if not findings:
        return State.AGREE
    return State.DIFFER if any(each.standing is Novelty.NEW for each in findings) else State.KNOWN


def _compared(header: lines.Header) -> Iterator[Compared]:
    for each in header.implementations:
        yield Compared(each.name, each.version, "audited", f"{each.language}, offsets in {each.offset_unit}")


def _summary(footer: lines.Footer | None) -> str:
    if footer is None:
        return CUT_SHORT
    pairs = f"{counted(footer.audited, 'pair')} of implementation and tokenizer"
    known = f", {footer.known:,} of them known" if footer.known else ""
    return f"{pairs}, {counted(footer.things, 'thing')} checked, {counted(footer.findings, 'finding')}{known}"


OFFSETS_AUDITS = RecordedPage("an audit of offsets", lines.FORMAT, OffsetsAuditReader)
