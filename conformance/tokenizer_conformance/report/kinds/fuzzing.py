"""Records of ``tokconf fuzz`` on random tokenizers as pages: a finding is a small case of one kind of difference."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Stage, stage_of
from tokenizer_conformance.comparison.blame import STAGE_ORDER
from tokenizer_conformance.comparison.differences import Party
from tokenizer_conformance.comparison.record_forms import difference_of, question_of
from tokenizer_conformance.comparison.verdicts import SEVERITY, Verdict
from tokenizer_conformance.comparison.wording import describe, subject_lines, window
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.report.kinds.snippets import published, snippets_of
from tokenizer_conformance.report.kinds.verdicts import STATE_OF, state_of
from tokenizer_conformance.results.answers import excerpt_of, marked, pipeline_of, subjects_of
from tokenizer_conformance.results.headlines import headlines_of
from tokenizer_conformance.results.page import (
    Answer,
    Cell,
    Drawing,
    Fact,
    Finding,
    Matrix,
    Page,
    Section,
    State,
    Subject,
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
from tokenizer_conformance.results.records.fuzz import FORMAT
from tokenizer_conformance.results.records.node import ShapeError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.results.page import Row
    from tokenizer_conformance.results.records.lines import Ending, Opening
    from tokenizer_conformance.results.records.node import Node

LONGEST_DOCUMENT = 20_000
"""A tokenizer.json of more characters than these is left out of a page; the record has it."""

MOST_DIFFERENCES = 200
"""Of how many tokenizers the differences are shown for an implementation of which there are no small cases."""

LOAD, VOCABULARY = "load", "vocabulary"
"""Where sides differ that differ at no stage."""


class FuzzReader:
    """Reads the record of fuzzing."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        header = opening.header
        self._baseline = header.node("baseline").text("name")
        self._implementations = header.nodes("implementations")
        self._names = [each.text("name") for each in self._implementations]
        self._hidden = {each.text("name"): hidden_stages(each) for each in self._implementations}
        self._versions = published(header, [header.node("baseline"), *self._implementations])
        self._findings: dict[str, list[Finding]] = {name: [] for name in self._names}
        self._differences: dict[str, list[Finding]] = {name: [] for name in self._names}
        self._differing: Counter[str] = Counter()
        self._results: dict[str, Node] = {}
        self._complaints: list[str] = []

    def take(self, kind: str, line: Node) -> None:
        """Take in a ``line`` of that ``kind``."""
        match kind:
            case "implementation_missing":
                self._complaints.append(line.text("reason"))
            case "difference":
                name = self._name(line)
                self._differing[name] += 1
                found = self._differences[name]
                if len(found) < MOST_DIFFERENCES:
                    found.append(self._finding(name, line, f"difference-{len(found) + 1}", {"count": 1}))
            case "finding":
                name = self._name(line)
                found = self._findings[name]
                told = {
                    "count": line.count("tokenizers"),
                    "repeat": line.text("repeat"),
                    "signature": ", ".join(filter(None, line.texts("signature"))),
                }
                found.append(self._finding(name, line.node("smallest"), f"finding-{len(found) + 1}", told))
            case "result":
                self._results[self._name(line)] = line

    def _name(self, line: Node) -> str:
        name = line.text("implementation")
        if name not in self._names:
            raise ShapeError(f"{name!r} is no implementation of the header")
        return name

    def page(self, ending: Ending) -> Page:
        """Return the page of the fuzzing."""
        header, conclusion = self._opening.header, conclusion_in(ending)
        findings = tuple(each for name in self._names for each in self._shown(name))
        return Page(
            name=self._opening.path.name,
            kind="fuzzing with random tokenizers",
            state=STATES[conclusion],
            conclusion=conclusion.value,
            summary=_summary(ending),
            sentences=tuple(map(self._verdict, self._names)),
            facts=(
                *environment_facts(header),
                Fact("seed", str(header.count("seed"))),
                Fact("tokenizers", f"{header.count('tokenizers'):,}, from number {header.count('start'):,} on"),
                Fact("texts", f"{header.count('texts'):,} for each tokenizer"),
            ),
            compared=(compared_baseline(header), *compared_implementations(header)),
            complaints=(*ending_complaints(ending), *self._complaints, *self._left_out()),
            matrices=tuple(self._matrices()),
            headlines=headlines_of(findings),
            findings=findings,
            counted="tokenizers",
            sections=tuple(self._sections()),
        )

    def _shown(self, name: str) -> list[Finding]:
        """Return the small cases; where fuzzing ended before there were any, the differences of which they are made."""
        return self._findings[name] or self._differences[name]

    def _left_out(self) -> Iterator[str]:
        for name in self._names:
            more = self._differing[name] - len(self._differences[name])
            if not self._findings[name] and more:
                yield f"{name}: {counted(more, 'further difference')} stand in the record alone."

    # What is said first

    def _verdict(self, name: str) -> str:
        result = self._results.get(name)
        if result is None:
            return f"{name}: the record ends before it was compared to the end."
        asked = f"on {counted(result.count('tokenizers'), 'tokenizer')} and {counted(result.count('cases'), 'case')}"
        known = _known(result)
        beside = f"; {counted(known, 'difference')} known" if known else ""
        cut = "" if result.flag("complete") else " Not all was asked."
        if not result.count("differences"):
            return f"{name}: no new difference {asked}{beside}.{cut}"
        kinds = f" of {counted(len(self._findings[name]), 'kind')}" if self._findings[name] else ""
        return f"{name}: {counted(result.count('differences'), 'difference')}{kinds} {asked}{beside}.{cut}"

    # Findings

    def _finding(self, name: str, case: Node, id_: str, told: dict[str, Any]) -> Finding:
        found, sides = case.node("found"), (self._baseline, name)
        document = json.dumps(case.node("tokenizer_json").value, ensure_ascii=False)
        number, count = case.count("number"), told["count"]
        facts = [Fact("tokenizer", f"number {number:,} of seed {self._opening.header.count('seed')}")]
        if len(document) <= LONGEST_DOCUMENT:
            facts.append(Fact("tokenizer.json", document))
        shown = _what_differs(case, found, sides)
        signature = told.get("signature", "")
        return Finding(
            id=f"{name}/{id_}",
            group="findings",
            headline=f"{shown.headline} ({signature})" if signature else shown.headline,
            implementation=name,
            tokenizer=f"number {number}",
            stage=shown.stage,
            reason=signature or shown.stage,
            count=count,
            impact=f"{counted(count, 'tokenizer')} of {self._opening.header.count('tokenizers'):,}",
            subjects=shown.subjects,
            answers=shown.answers,
            lines=shown.lines,
            pipeline=pipeline_of(shown.stage, (), self._hidden[name]) if shown.stage in set(Stage) else (),
            repeat=told.get("repeat", ""),
            snippets=snippets_of(
                case.value["tokenizer_json"],
                case.value["question"],
                found.value["difference"],
                sides,
                self._versions,
            )
            if found.has("difference")
            else (),
            facts=(*facts, *shown.facts),
        )

    # Matrices

    def _matrices(self) -> Iterator[Matrix]:
        rows = tuple(
            (name, tuple(self._cell(name, stage) for stage in (LOAD, VOCABULARY, *STAGE_ORDER))) for name in self._names
        )
        columns = (LOAD, VOCABULARY, *map(str, STAGE_ORDER))
        yield Matrix("Implementations, stage by stage", f"against {self._baseline}", columns, rows)

    def _cell(self, name: str, stage: str) -> Cell:
        result = self._results.get(name)
        of = {"implementation": name, "stage": str(stage)}
        kinds = sum(each.stage == stage for each in self._shown(name))
        leads = of if kinds else {}
        if stage in (LOAD, VOCABULARY):
            if kinds:
                return Cell(State.DIFFER, counted(kinds, "finding"), of=leads)
            return Cell(
                State.NOT_COMPARED if result is None else State.AGREE, "nothing" if result is None else "no finding"
            )
        answers = _answers(result).get(stage, {}) if result is not None else {}
        if not answers:
            return (
                Cell(State.DIFFER, counted(kinds, "finding"), of=leads)
                if kinds
                else Cell(State.NOT_COMPARED, "nothing")
            )
        state = state_of(answers)
        number = sum(count for verdict, count in answers.items() if STATE_OF[verdict] is state)
        total = sum(answers.values())
        detail = ", ".join(f"{answers[each]:,} {each.replace('_', ' ')}" for each in SEVERITY if each in answers)
        return Cell(state, f"{number:,}" if number == total else f"{number:,} of {total:,}", detail, leads)

    # Sections

    def _sections(self) -> Iterator[Section]:
        drawings = tuple(self._drawings())
        if drawings:
            yield Section("In pictures", drawings=drawings)
        yield Section("What was asked", tables=(self._coverage(), self._answers_table()))
        refused: tuple[Row, ...] = tuple(
            (name, *(each.text(key) for key in ("where", "baseline", "implementation")), each.count("count"))
            for name, result in self._results.items()
            for each in result.nodes("no_value")
        )
        if refused:
            columns = ("implementation", "where", "the baseline", "the implementation", "times")
            note = "Messages are not compared, so that these are neither differences nor agreement."
            yield Section("Where both sides refuse", tables=(Table("No value on either side", columns, refused, note),))
        known: tuple[Row, ...] = tuple(
            (name, f"{each.text('ledger')}, entry {each.count('entry')}", each.text("reason"), each.count("count"))
            for name, result in self._results.items()
            for each in (result.nodes("known") if result.has("known") else [])
        )
        if known:
            headers = ("implementation", "where", "reason", "differences")
            yield Section("Known differences", tables=(Table("What ledgers expect", headers, known),))

    def _coverage(self) -> Table:
        keys = ("tokenizers", "cases", "values", "differences", "ambiguous", "given_up", "unstable")
        rows: tuple[Row, ...] = tuple(
            (name, *(result.count(key) for key in keys), _known(result), result.number("seconds"))
            for name, result in self._results.items()
        )
        columns = ("implementation", *(key.replace("_", " ") for key in keys), "known", "seconds")
        return Table("Coverage", columns, rows, "Values are the single fields that agree.")

    def _answers_table(self) -> Table:
        rows: tuple[Row, ...] = tuple(
            (name, str(stage), *(counts.get(verdict, 0) for verdict in SEVERITY))
            for name, result in self._results.items()
            for stage, counts in _answers(result).items()
        )
        columns = ("implementation", "stage", *(verdict.replace("_", " ") for verdict in SEVERITY))
        return Table("Answers by verdict", columns, rows)

    def _drawings(self) -> Iterator[Drawing]:
        places = (LOAD, VOCABULARY, *map(str, STAGE_ORDER))
        counts = Counter((name, each.stage) for name in self._names for each in self._shown(name))
        if counts:
            series = {
                name: tuple(Bar(float(counts[name, place])) for place in places)
                for name in self._names
                if self._shown(name)
            }
            yield Drawing(
                Bars("Findings, by the place where sides differ", "findings", places, series),
                "How many kinds of differences were found where a tokenizer is loaded, in its vocabulary, and at each "
                "stage, for each implementation.",
            )


# What differs --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seen:
    """How two sides differ: at which place, in what, asked about what, with both answers."""

    headline: str
    stage: str
    answers: tuple[Answer, ...]
    subjects: tuple[Subject, ...] = ()
    lines: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()


def _what_differs(case: Node, found: Node, sides: tuple[str, str]) -> Seen:
    """Return what a finding shows of how the ``sides`` differ: where, what was asked, both answers."""
    if found.has("refused_by"):
        who, other = sides if found.text("refused_by") == Party.BASELINE else sides[::-1]
        reason = found.text("reason")
        return Seen(
            headline=f"{who} refuses a tokenizer",
            stage=LOAD,
            answers=(Answer(who, trouble=f"refuses it: {reason}"),),
            lines=(f"{who}: {reason}", f"{other} loads it, or refuses it in another way"),
        )
    if found.has("token"):
        token = found.text("token")
        ids = [found.node(key).value for key in ("baseline_id", "implementation_id")]
        told = ["no id" if each is None else f"id {each}" for each in ids]
        return Seen(
            headline=f"the vocabulary has {told[1]} for {quoted(token)}, not {told[0]}",
            stage=VOCABULARY,
            subjects=(Subject("token", token, length=len(token)),),
            answers=tuple(Answer(side, text=each, total=len(each)) for side, each in zip(sides, told, strict=True)),
        )
    question = question_of(case.node("question").value)
    difference = found.node("difference")
    seen = difference_of(difference.value)
    what = " ".join(filter(None, (seen.part or seen.field, str(seen.kind))))
    return Seen(
        headline=what,
        stage=str(stage_of(question)),
        subjects=subjects_of(question),
        answers=marked(
            excerpt_of(sides[0], difference.node("baseline").value),
            excerpt_of(sides[1], difference.node("implementation").value),
        ),
        lines=(*subject_lines(question), *window(seen, *sides)),
        facts=(Fact("question", describe(question)),),
    )


def _answers(result: Node) -> dict[str, dict[Verdict, int]]:
    return {
        stage: {Verdict(name): each.as_count() for name, each in counts.members()}
        for stage, counts in result.node("answers").members()
    }


def _known(result: Node) -> int:
    return sum(each.count("count") for each in result.nodes("known")) if result.has("known") else 0


def _summary(ending: Ending) -> str:
    if ending.footer is None:
        return CUT_SHORT
    footer = ending.footer
    return (
        f"{footer.text('conclusion')}: {counted(footer.count('tokenizers'), 'tokenizer')}, "
        f"{counted(footer.count('cases'), 'case')}, {counted(footer.count('values'), 'value')} agree, "
        f"{counted(footer.count('differences'), 'difference')}"
    )


FUZZING = PageKind("fuzzing", FORMAT, FuzzReader)
