"""The page of fuzzing with random tokenizers: a finding is a small case of one kind of difference."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec import UNSET

from tokenizer_adapters.contract import PIPELINE_STAGES, Stage, stage_of
from tokenizer_conformance.causes.bug.page_snippets import snippets_of
from tokenizer_conformance.comparison.differences import Party
from tokenizer_conformance.comparison.record_forms import difference_of, question_of
from tokenizer_conformance.comparison.verdicts import SEVERITY
from tokenizer_conformance.comparison.wording import describe, window
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.ledger.entry import LOAD, VOCABULARY
from tokenizer_conformance.plural import counted, few
from tokenizer_conformance.results.answers import excerpt_of, marked, pipeline_of, subjects_of
from tokenizer_conformance.results.headlines import headlines_of
from tokenizer_conformance.results.outcomes import ON_TOKENIZERS, Outcome, Outcomes, Result, Wording
from tokenizer_conformance.results.page import (
    Answer,
    Cell,
    Drawing,
    Fact,
    Matrix,
    Page,
    Section,
    ShownFinding,
    State,
    Subject,
    Table,
)
from tokenizer_conformance.results.recorded_page import (
    CUT_SHORT,
    RecordedPage,
    compared_side,
    environment_facts,
    page_state,
    part_facts,
)
from tokenizer_conformance.results.records import fuzz as lines
from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.sentences import said_once
from tokenizer_conformance.results.verdict_states import STATE_OF, state_of
from tokenizer_conformance.validation.search.page import FoundReader, beside_known, known_in, known_section, pictures

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.results.page import Row, Snippet
    from tokenizer_conformance.results.records.ending import Ended
    from tokenizer_conformance.results.records.value import Value
    from tokenizer_conformance.validation.search.page import Findings

LONGEST_DOCUMENT = 20_000
"""A tokenizer.json of more characters than these is left out of a page; the record has it."""

MOST_DIFFERENCES = 200
"""Of how many tokenizers the differences are shown for an implementation of which there are no small cases."""

PLACES = (LOAD, VOCABULARY, *map(str, PIPELINE_STAGES))
"""Where sides differ: when a tokenizer is loaded, in its vocabulary, or at a stage."""


RANDOM = Wording(("random tokenizer", "random tokenizers"), ON_TOKENIZERS.verbs)
"""What is said of implementations that are compared on random tokenizers."""


class FuzzReader(FoundReader[lines.Header]):
    """Reads the record of fuzzing."""

    def __init__(self, name: str, header: lines.Header) -> None:
        super().__init__(name, header)
        self._reduced: dict[str, list[ShownFinding]] = {name: [] for name in self._names}
        self._differences: dict[str, list[ShownFinding]] = {name: [] for name in self._names}
        self._differing: Counter[str] = Counter()
        self._missing: list[str] = []
        self._results: dict[str, lines.Result] = {}
        self._footer: lines.Footer | None = None

    def take(self, line: Value) -> None:
        """Take in a ``line``."""
        match line:
            case lines.ImplementationMissing() | headers.ImplementationMissing():
                if getattr(line, "asked", UNSET) is not False:
                    self._missing.append(line.name)
                self.complaints.append(line.reason)
            case lines.Difference():
                name = self._name_of(line)
                self._differing[name] += 1
                found = self._differences[name]
                if len(found) < MOST_DIFFERENCES:
                    found.append(self._finding(name, line, f"difference-{len(found) + 1}"))
            case lines.Finding():
                name = self._name_of(line)
                found = self._reduced[name]
                found.append(self._finding(name, line.smallest, f"finding-{len(found) + 1}", line))
            case lines.Result():
                self._results[self._name_of(line)] = line
            case lines.Footer():
                self._footer = line

    def _name_of(self, line: lines.Difference | lines.Finding | lines.Result) -> str:
        if line.implementation not in self._names:
            raise ValueError(f"{line.implementation!r} is no implementation of the header")
        return line.implementation

    def _shown(self, name: str) -> list[ShownFinding]:
        """Return the small cases; where fuzzing ended before there were any, the differences of which they are made."""
        return self._reduced[name] or self._differences[name]

    def page(self, ended: Ended) -> Page:
        """Return the page of the fuzzing."""
        header = self._header
        findings = tuple(each for name in self._names for each in self._shown(name))
        outcomes = Outcomes(tuple(self._outcomes()), RANDOM)
        return Page(
            name=self._name,
            kind="fuzzing with random tokenizers",
            title=f"Fuzzing: {few(self._names, 'implementation')} on {counted(header.tokenizers, 'random tokenizer')}",
            state=page_state(ended, outcomes=outcomes),
            conclusion=ended.conclusion.value,
            summary=_summary(self._footer),
            headline=outcomes.headline(ended),
            outcomes=outcomes,
            sentences=tuple(said_once((name, self._verdict(name)) for name in self._names)),
            facts=(*environment_facts(header.environment), Fact("seed", _seed_words(header)), *part_facts(header)),
            compared=(compared_side(header.baseline, "baseline"), *map(compared_side, header.implementations)),
            complaints=(*ended.complaints, *self.complaints, *self._left_out()),
            matrices=(self._matrix(findings),),
            headlines=headlines_of(findings),
            findings=findings,
            counted="tokenizers",
            sections=(*pictures(self._drawings(findings)), *self._sections()),
        )

    def _left_out(self) -> Iterator[str]:
        for name in self._names:
            more = self._differing[name] - len(self._differences[name])
            if not self._reduced[name] and more:
                yield f"{name}: {counted(more, 'further difference')} stand in the record alone."

    # What is said first

    def _outcomes(self) -> Iterator[Outcome]:
        """Yield on how many tokenizers each implementation came to what."""
        for name in self._names:
            result, differing = self._results.get(name), self._differing[name]
            yield Outcome(name, "", Result.DIFFERS, differing)
            if result is not None:
                alike = Result.CONFORMS if result.values else Result.NOTHING
                yield Outcome(name, "", alike, max(0, result.tokenizers - differing))
        yield from (Outcome(name, "", Result.UNAVAILABLE) for name in self._missing)

    def _verdict(self, name: str) -> str:
        result = self._results.get(name)
        if result is None:
            return "the record ends before it was compared to the end."
        asked = f"on {counted(result.tokenizers, 'tokenizer')} and {counted(result.cases, 'case')}"
        beside = beside_known(result.known)
        cut = "" if result.complete else " Not all was asked."
        if not result.differences:
            return f"no new difference {asked}{beside}.{cut}"
        kinds = f" of {counted(len(self._reduced[name]), 'kind')}" if self._reduced[name] else ""
        return f"{counted(result.differences, 'difference')}{kinds} {asked}{beside}.{cut}"

    # Findings

    def _finding(
        self, name: str, case: lines.Difference | lines.Case, id_: str, kind: lines.Finding | None = None
    ) -> ShownFinding:
        """Return a ``case`` as a finding; a small one is that of a ``kind`` of differences."""
        sides = (self._baseline, name)
        document = json.dumps(case.tokenizer_json, ensure_ascii=False)
        count = 1 if kind is None else kind.tokenizers
        facts = [Fact("tokenizer", f"number {case.number:,} of seed {self._header.seed}")]
        if len(document) <= LONGEST_DOCUMENT:
            facts.append(Fact("tokenizer.json", document, is_document=True))
        shown = _what_differs(case, sides)
        signature = "" if kind is None else ": ".join(filter(None, kind.signature))
        return ShownFinding(
            id=f"{name}/{id_}",
            group="findings",
            headline=f"{shown.headline} ({signature})" if signature else shown.headline,
            implementation=name,
            tokenizer=f"number {case.number}",
            stage=shown.stage,
            reason=signature or shown.stage,
            count=count,
            impact=f"{counted(count, 'tokenizer')} of {self._header.tokenizers:,}",
            subjects=shown.subjects,
            answers=shown.answers,
            window=shown.window,
            lines=(*(() if kind is None or kind.is_reduced else ("the case is not made smaller",)), *shown.lines),
            pipeline=pipeline_of(shown.stage, (), self._hidden[name]) if shown.stage in set(Stage) else (),
            repeat="" if kind is None else kind.repeat,
            snippets=self._snippets(case, sides),
            facts=(*facts, *shown.facts),
        )

    def _snippets(self, case: lines.Difference | lines.Case, sides: tuple[str, str]) -> tuple[Snippet, ...]:
        difference = case.found.difference
        if difference is UNSET or case.question is None:
            return ()
        return snippets_of(case.tokenizer_json, json_of(case.question), json_of(difference), sides, self._versions)

    # The matrix

    def _matrix(self, findings: Findings) -> Matrix:
        kinds = Counter((each.implementation, each.stage) for each in findings)
        rows = tuple(
            (name, tuple(self._cell(name, place, kinds[name, place]) for place in PLACES)) for name in self._names
        )
        return Matrix("Implementations, stage by stage", f"against {self._baseline}", PLACES, rows)

    def _cell(self, name: str, place: str, kinds: int) -> Cell:
        result = self._results.get(name)
        leads = {"implementation": name, "stage": place} if kinds else {}
        answers = result.answers.get(Stage(place), {}) if result is not None and place in PIPELINE_STAGES else {}
        if answers:
            state = state_of(answers)
            number = sum(count for verdict, count in answers.items() if STATE_OF[verdict] is state)
            total = sum(answers.values())
            detail = ", ".join(f"{answers[each]:,} {each.replace('_', ' ')}" for each in SEVERITY if each in answers)
            return Cell(state, f"{number:,}" if number == total else f"{number:,} of {total:,}", detail, leads)
        if kinds:
            return Cell(State.DIFFER, counted(kinds, "finding"), of=leads)
        if result is None or place in PIPELINE_STAGES:
            return Cell(State.NOT_COMPARED, "nothing")
        return Cell(State.AGREE, "no finding")

    # Sections

    def _sections(self) -> Iterator[Section]:
        yield Section("What was asked", tables=(self._coverage(), self._answers_table()))
        refused: tuple[Row, ...] = tuple(
            (name, each.where, each.baseline, each.implementation, each.count)
            for name, result in self._results.items()
            for each in result.no_value
        )
        if refused:
            columns = ("implementation", "where", "the baseline", "the implementation", "times")
            note = "Messages are not compared, so that these are neither differences nor agreement."
            yield Section("Where both sides refuse", tables=(Table("No value on either side", columns, refused, note),))
        found = (((name,), result.known) for name, result in self._results.items())
        yield from known_section(("implementation",), found)

    def _coverage(self) -> Table:
        keys = ("tokenizers", "cases", "values", "differences", "ambiguous", "given_up", "unstable")
        rows: tuple[Row, ...] = tuple(
            (name, *(getattr(result, key) for key in keys), known_in(result.known), result.seconds)
            for name, result in self._results.items()
        )
        columns = ("implementation", *(key.replace("_", " ") for key in keys), "known", "seconds")
        return Table("Coverage", columns, rows, "Values are the single fields that agree.")

    def _answers_table(self) -> Table:
        rows: tuple[Row, ...] = tuple(
            (name, str(stage), *(counts.get(verdict, 0) for verdict in SEVERITY))
            for name, result in self._results.items()
            for stage, counts in result.answers.items()
        )
        columns = ("implementation", "stage", *(verdict.replace("_", " ") for verdict in SEVERITY))
        return Table("Answers by verdict", columns, rows)

    def _drawings(self, findings: Findings) -> Iterator[Drawing]:
        told = (
            "How many kinds of differences were found where a tokenizer is loaded, in its vocabulary, and at each "
            "stage, for each implementation."
        )
        yield from self._bars("Findings, by the place where sides differ", "findings", told, PLACES, findings)


# What differs --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seen:
    """How two sides differ: at which place, in what, asked about what, with both answers."""

    headline: str
    stage: str
    answers: tuple[Answer, ...]
    subjects: tuple[Subject, ...] = ()
    window: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()


def _what_differs(case: lines.Difference | lines.Case, sides: tuple[str, str]) -> Seen:
    """Return what a finding shows of how the ``sides`` differ: where, what was asked, both answers."""
    found = case.found
    if found.refused_by is not UNSET:
        who, other = sides if found.refused_by == Party.BASELINE else sides[::-1]
        reason = found.reason
        return Seen(
            headline=f"{who} refuses a tokenizer",
            stage=LOAD,
            answers=(Answer(who, trouble=f"refuses it: {reason}"),),
            lines=(f"{who}: {reason}", f"{other} loads it, or refuses it in another way"),
        )
    if found.token is not UNSET:
        token = found.token
        told = [
            f"id {each}" if isinstance(each, int) else "no id" for each in (found.baseline_id, found.implementation_id)
        ]
        return Seen(
            headline=f"the vocabulary has {told[1]} for {quoted(token)}, not {told[0]}",
            stage=VOCABULARY,
            subjects=(Subject("token", token, length=len(token)),),
            answers=tuple(Answer(side, text=each, total=len(each)) for side, each in zip(sides, told, strict=True)),
        )
    if case.question is None or found.difference is UNSET:
        raise ValueError("a difference of answers has no question")
    question, difference = question_of(json_of(case.question)), json_of(found.difference)
    seen = difference_of(difference)
    what = " ".join(filter(None, (seen.part or seen.field, str(seen.kind))))
    return Seen(
        headline=what,
        stage=str(stage_of(question)),
        subjects=subjects_of(question),
        answers=marked(
            excerpt_of(sides[0], difference["baseline"]),
            excerpt_of(sides[1], difference["implementation"]),
        ),
        window=tuple(window(seen, *sides)),
        facts=(Fact("question", describe(question)),),
    )


def _seed_words(header: lines.Header) -> str:
    last = header.start + header.tokenizers - 1
    return f"{header.seed}: tokenizers {header.start:,} to {last:,}, {counted(header.texts, 'text')} each"


def _summary(footer: lines.Footer | None) -> str:
    if footer is None:
        return CUT_SHORT
    return (
        f"{counted(footer.tokenizers, 'tokenizer')}, {counted(footer.cases, 'case')}, "
        f"{counted(footer.values, 'value')} agree, {counted(footer.differences, 'difference')}"
        + (f", {footer.known:,} known" if footer.known else "")
    )


FUZZING = RecordedPage("fuzzing", lines.FORMAT, FuzzReader)
