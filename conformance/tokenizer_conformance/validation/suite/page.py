"""The page of a run of the suite: a finding is a requirement that an implementation fails."""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from tokenizer_adapters.contract import Stage
from tokenizer_conformance.comparison.record_forms import difference_of
from tokenizer_conformance.comparison.verdicts import ENOUGH
from tokenizer_conformance.comparison.wording import describe, window
from tokenizer_conformance.plural import counted, few
from tokenizer_conformance.results.answers import answer_of, excerpt_of, marked, pipeline_of, subjects_of
from tokenizer_conformance.results.figures import NONE
from tokenizer_conformance.results.headlines import MOST_HEADLINES
from tokenizer_conformance.results.outcomes import Outcome, Outcomes, Result, Wording
from tokenizer_conformance.results.page import (
    Answer,
    Cell,
    Drawing,
    Fact,
    Matrix,
    Novelty,
    Page,
    Section,
    ShownFinding,
    Subject,
    Table,
)
from tokenizer_conformance.results.plots.plot import HeatMap
from tokenizer_conformance.results.recorded_page import (
    CUT_SHORT,
    PageReader,
    RecordedPage,
    compared_side,
    environment_facts,
    hidden_stages,
    page_state,
    part_facts,
    without_reports,
)
from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records import suite_run as lines
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.sentences import plain, said_once
from tokenizer_conformance.validation.suite.alike import WRONG, JudgedRequirement, groups_of, is_not_loaded, rank_of
from tokenizer_conformance.validation.suite.bars import requirement_bars
from tokenizer_conformance.validation.suite.cells import WORDS, cell_of, state_of
from tokenizer_conformance.validation.suite.judging import CaseVerdict
from tokenizer_conformance.validation.suite.reader import read_suite, suite_identity
from tokenizer_conformance.validation.suite.requirement import (
    FileRefused,
    FileWritten,
    Importance,
    Observed,
    Place,
    RaisesError,
    TextWritten,
    VocabularyShown,
)
from tokenizer_conformance.validation.suite.results import GRAVITY
from tokenizer_conformance.validation.suite.wording import asking_again, releases_told, shown_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tokenizer_conformance.results.page import Row
    from tokenizer_conformance.results.page import Step as Station
    from tokenizer_conformance.results.records.ending import Ended
    from tokenizer_conformance.results.records.value import Value
    from tokenizer_conformance.validation.suite.alike import Alike
    from tokenizer_conformance.validation.suite.requirement import Requirement, Step

RESULTS: dict[CaseVerdict, Result] = {
    CaseVerdict.ERROR: Result.NO_ANSWER,
    CaseVerdict.FAILED: Result.DIFFERS,
    CaseVerdict.KNOWN: Result.KNOWN,
    CaseVerdict.PASSED: Result.CONFORMS,
    CaseVerdict.UNSUPPORTED: Result.NOT_SHOWN,
}
"""What an implementation came to on a requirement with this verdict."""

REQUIREMENTS = Wording(
    ("requirement", "requirements"),
    {
        Result.NO_ANSWER: ("crashes or gives no answer in {}", "crash or give no answer in {}"),
        Result.DIFFERS: ("fails {}", "fail {}"),
        Result.UNSTABLE: ("is unstable in {}", "are unstable in {}"),
        Result.NOT_LOADED: ("does not load the tokenizers of {}", "do not load the tokenizers of {}"),
        Result.UNAVAILABLE: ("cannot be used", "cannot be used"),
        Result.TOO_LITTLE: ("answers too little of {}", "answer too little of {}"),
        Result.NOT_SHOWN: ("does not answer {}", "do not answer {}"),
        Result.NOTHING: ("was not asked {}", "were not asked {}"),
        Result.KNOWN: ("fails, as is known, {}", "fail, as is known, {}"),
        Result.CONFORMS: ("passes {}", "pass {}"),
    },
)
"""What is said of implementations that are asked the suite."""

EXPECTED = "expected"
"""What the side of the suite is called."""

MOST_FAILURES = 8
"""How many failures of a case are told in words."""

MOST_LINES = 40
"""How many lines a finding has."""

MOST_TOLD = 3
"""How many findings are told in full at a terminal, and"""

MOST_GROUPS = 10
"""how many groups of failures, so that it is one screen."""

MOST_AREAS = 20
"""How many areas a plot shows."""


class SuiteReader(PageReader[lines.Header]):
    """Reads the record of a run of the suite."""

    def __init__(self, name: str, header: lines.Header) -> None:
        super().__init__(name, header)
        self._names = [each.name for each in header.implementations]
        self._hidden = {each.name: hidden_stages(each) for each in header.implementations}
        # Since version 1.2; older records do not say by which words the implementations were selected.
        self._words = header.words
        self._repeated = header.repeated
        self._judged: dict[tuple[str, str], JudgedRequirement] = {}
        self._footer: lines.Footer | None = None
        self._shown: Counter[tuple[str, Stage]] = Counter()
        self._hidden_in: Counter[tuple[str, Stage]] = Counter()
        self._ended: dict[str, lines.ImplementationJudged] = {}
        self._reasons: dict[str, str] = {}
        self._missing: list[str] = []
        self._refused: Counter[str] = Counter()
        self._suite: _SuiteAsked | None = None

    def take(self, line: Value) -> None:
        """Take in a ``line``."""
        match line:
            case lines.Requirement():
                self._take_requirement(line)
            case lines.ImplementationJudged():
                self._ended[self._known_name(line.implementation)] = line
            case lines.Footer():
                self._footer = line
            case lines.ImplementationMissing():
                self._missing.append(line.name)
                self.complaints.append(line.reason)
            case headers.LedgerEntries():
                self._reasons |= {each["called"]: each["reason"] for each in line.entries}

    def _known_name(self, name: str) -> str:
        if name not in self._names:
            raise ValueError(f"{name!r} is no implementation of the header")
        return name

    def _take_requirement(self, line: lines.Requirement) -> None:
        name, id_ = self._known_name(line.implementation), line.requirement
        if (name, id_) in self._judged:
            raise ValueError(f"requirement {id_!r} of {name!r} stands there twice")
        cases = line.cases
        wrong = [each for each in cases if CaseVerdict(each.verdict) in WRONG]
        known = tuple(dict.fromkeys(place for each in wrong for place in each.known))
        reasons = (each.reason for each in cases)
        told = self._told(line, wrong)
        self._shown.update((name, stage) for each in cases for stage in each.asked)
        self._hidden_in.update((name, stage) for each in cases for stage in each.unanswered)
        self._refused[name] += sum(is_not_loaded([each]) for each in wrong)
        self._judged[name, id_] = JudgedRequirement(
            implementation=name,
            area=line.area,
            requirement=id_,
            importance=Importance(line.importance),
            verdict=CaseVerdict(line.verdict),
            blame=(told.blame if told else None) or line.blame or "",
            cases=len(cases),
            wrong=len(wrong),
            known=known,
            reason=next(filter(None, reasons), ""),
            case=told,
            is_not_loaded=is_not_loaded(wrong),
        )

    def _told(self, line: lines.Requirement, wrong: list[lines.Case]) -> lines.Case | None:
        """Return the case to show of a requirement: of those that rank first, one about little."""
        id_, blame = line.requirement, line.blame
        return min(wrong, key=lambda each: (rank_of(each, blame), self._asked.size(id_, each)), default=None)

    @property
    def _asked(self) -> _SuiteAsked:
        """What was asked. It is read where something is wrong, for that takes seconds."""
        if self._suite is None:
            self._suite = _SuiteAsked(self._header)
        return self._suite

    def page(self, ended: Ended) -> Page:
        """Return the page of the run."""
        header = self._header
        groups, outcomes = groups_of(self._judged.values()), self._outcomes()
        ordered = [each.first for each in groups]
        ordered += [each for group in groups for each in group.requirements if each is not group.first]
        findings = tuple(map(self._finding, ordered))
        news = [each for each in findings[: len(groups)] if each.standing is Novelty.NEW]
        return Page(
            name=self._name,
            kind="run of the suite",
            title=self._title(),
            state=page_state(ended, outcomes=outcomes),
            conclusion=ended.conclusion.value,
            summary=self._summary(),
            headline=outcomes.headline(ended),
            outcomes=outcomes,
            sentences=(
                *said_once((name, self._verdict(name)) for name in self._names),
                *plain((*self._shortfalls(), *self._stale())),
            ),
            facts=(*environment_facts(header.environment), *self._facts()),
            compared=tuple(compared_side(each, "asked") for each in header.implementations),
            complaints=(*ended.complaints, *self.complaints),
            matrices=tuple(self._matrices()),
            headlines=tuple(each.id for each in news[:MOST_HEADLINES]),
            findings=findings,
            told=MOST_TOLD,
            counted="cases",
            sections=(
                *self._pictures(),
                *_alike_section(groups, is_named=len(self._names) > 1),
                *self._sections(),
            ),
        )

    def _title(self) -> str:
        header = self._header
        is_part = any((header.selection, header.features, header.importances))
        part = f"{counted(header.requirements, 'requirement')} of the suite" if is_part else "The suite"
        return f"{part}: {few(self._names, 'implementation')}"

    # What is said first

    def _outcomes(self) -> Outcomes:
        """Return how many requirements each implementation came to what in, and who could not be asked at all."""
        counts = Counter(
            (each.implementation, Result.NOT_LOADED if each.is_not_loaded else RESULTS[each.verdict])
            for each in self._judged.values()
        )
        ids = {(each.implementation, each.verdict): each.requirement for each in self._judged.values()}
        single = next(iter(ids.values()), "") if self._header.requirements == 1 else ""
        found = [Outcome(name, single, result, count) for (name, result), count in counts.items()]
        missing = [Outcome(name, "", Result.UNAVAILABLE) for name in self._missing]
        return Outcomes((*found, *missing), REQUIREMENTS)

    def _summary(self) -> str:
        if self._footer is None:
            return CUT_SHORT
        header = self._header
        not_loaded = sum(each.is_not_loaded for each in self._judged.values())
        failures = sum(each.wrong > 0 for each in self._judged.values()) - not_loaded
        return (
            f"{counted(header.requirements, 'requirement')}, "
            f"{counted(header.cases, 'case')}, {counted(len(self._names), 'implementation')}, "
            f"{counted(failures, 'failure')}{f', {not_loaded:,} not loaded' if not_loaded else ''}"
        )

    def _verdict(self, name: str) -> str:
        """Say how many requirements an implementation passes of those that it answers, and what the others are."""
        own = self._of(name)
        if not own:
            return "no requirement was judged."
        compared = [each for each in own if each.is_compared]
        shares = []
        for importance in Importance:
            alike = [each for each in compared if each.importance is importance]
            passed = sum(each.verdict is CaseVerdict.PASSED for each in alike)
            if alike:
                shares.append(f"{passed:,} of {len(alike):,} {importance}")
        verdicts = Counter(each.verdict for each in compared)
        told = [f"{verdicts[each]:,} {each}" for each in WRONG if verdicts[each]]
        left = ", ".join(_left_out(own))
        said = f"{', '.join(shares)} requirements passed" if shares else f"none of {len(own):,} requirements answered"
        of = f" of the {len(compared):,} answered" if shares and left else ""
        others = (f"; {', '.join(told)}" if told else "") + (f"; not counted: {left}" if left else "")
        ended = self._ended.get(name)
        cut = "" if ended is not None and ended.complete else " Not all cases were asked."
        cases = "" if ended is None else f" (cases: {_in_words(ended.cases, self._refused[name])})"
        return f"{said}{of}{others}{cases}.{cut}"

    def _of(self, name: str) -> list[JudgedRequirement]:
        return [each for each in self._judged.values() if each.implementation == name]

    def _shortfalls(self) -> Iterator[str]:
        """Say what an implementation declares and does not show."""
        for info in self._header.implementations:
            for stage in info.stages:
                asked, hidden = self._shown[info.name, stage], self._hidden_in[info.name, stage]
                if asked - hidden < ENOUGH * asked:
                    yield (
                        f"{info.name} says that it shows {stage}, and did not in {hidden:,} of {asked:,} cases (99 % "
                        "have to be answered)."
                    )

    def _stale(self) -> Iterator[str]:
        if self._footer is not None:
            for place in self._footer.stale:
                yield f"Stale: the entry at {place} is about failures that are not there any more."

    def _facts(self) -> Iterator[Fact]:
        header = self._header
        without = "" if header.not_asked is UNSET else _without_cases(header.not_asked)
        yield Fact("cases", f"{counted(header.requirements, 'requirement')}, {header.cases:,} cases{without}")
        yield from part_facts(header)
        if header.suite is not None:
            suite = header.suite
            sha256 = suite.sha256[:16]
            yield Fact("suite", f"{suite.version}, for tokenizers {suite.target} (SHA-256 {sha256}…)")
        chosen = [header.selection, *header.features, *header.importances]
        if any(chosen):
            yield Fact("selection", " ".join(filter(None, chosen)))
        if header.fields is not None:
            yield Fact("fields judged", ", ".join(header.fields))

    # Findings

    def _finding(self, judged: JudgedRequirement) -> ShownFinding:
        name, case, asked = judged.implementation, judged.case, self._asked
        if case is None:
            raise ValueError("a finding has a case")
        requirement = asked.requirement(judged.requirement)
        failures = case.failures
        step = asked.step(judged.requirement, case, failures[0]) if failures else None
        is_known = judged.verdict is CaseVerdict.KNOWN
        return ShownFinding(
            id=f"{name}/{judged.requirement}",
            group="requirements",
            headline=f"{judged.requirement}: {requirement.title}" if requirement else judged.requirement,
            implementation=name,
            stage=judged.blame,
            reason=judged.area,
            standing=Novelty.KNOWN if is_known else Novelty.NEW,
            count=judged.wrong,
            impact=f"{judged.wrong:,} of {counted(judged.cases, 'case')}",
            subjects=() if step is None else _subjects(step),
            answers=_answers(failures, name, step),
            lines=tuple(_failure_lines(failures, name))[:MOST_LINES],
            pipeline=self._pipeline(judged, case),
            explanation="" if requirement is None else requirement.rule,
            known="; ".join(self._known(place) for place in judged.known),
            agreeing=tuple(
                other
                for other in self._names
                if (found := self._judged.get((other, judged.requirement))) and found.verdict is CaseVerdict.PASSED
            ),
            repeat=self._repeat(judged),
            facts=tuple(_requirement_facts(judged, requirement, step)),
        )

    def _known(self, place: str) -> str:
        reason = self._reasons.get(place)
        return place if reason is None else f"{reason} ({place})"

    def _repeat(self, judged: JudgedRequirement) -> str:
        """Return the command for the requirement; of an older record, that of the record with this one selected."""
        word = self._words.get(judged.implementation)
        if word is not None:
            return asking_again(word, judged.requirement, self._repeated)
        words = self._header.environment.command
        if words[:3] != ("tokconf", "suite", "run"):
            return ""
        return shlex.join([*without_reports(words), "-k", judged.requirement])

    def _pipeline(self, judged: JudgedRequirement, case: lines.Case) -> tuple[Station, ...]:
        if judged.blame not in set(map(str, Stage)):
            return ()
        wrong = {each.place for each in case.failures}
        return pipeline_of(
            judged.blame, [each for each in case.asked if each.value not in wrong], self._hidden[judged.implementation]
        )

    # Matrices

    def _matrices(self) -> Iterator[Matrix]:
        importances = [each for each in Importance if any(one.importance is each for one in self._judged.values())]
        rows = tuple(
            (
                name,
                tuple(
                    _cell([each for each in self._of(name) if each.importance is wanted], {"implementation": name})
                    for wanted in importances
                ),
            )
            for name in self._names
        )
        if importances:
            columns = tuple(map(str, importances))
            yield Matrix("Implementations, by importance", "implementation", columns, rows, words=WORDS)
        by_place: dict[tuple[str, str], list[JudgedRequirement]] = {}
        for each in self._judged.values():
            by_place.setdefault((each.area, each.implementation), []).append(each)
        areas = tuple(dict.fromkeys(area for area, _ in by_place))
        if areas:
            yield Matrix(
                "Areas and implementations",
                "area",
                tuple(self._names),
                tuple(
                    (
                        area,
                        tuple(
                            _cell(by_place.get((area, name), []), {"implementation": name, "reason": area})
                            for name in self._names
                        ),
                    )
                    for area in areas
                ),
                is_detail=True,
                words=WORDS,
            )

    # Sections

    def _pictures(self) -> Iterator[Section]:
        drawings = tuple(self._drawings())
        if drawings:
            yield Section("In pictures", drawings=drawings, is_first=True)

    def _sections(self) -> Iterator[Section]:
        yield Section("Counts", tables=(self._counts_table(), self._places_table()), is_detail=True)
        unsaid = [each for each in self._judged.values() if each.verdict is CaseVerdict.UNSUPPORTED]
        if unsaid:
            rows = tuple((each.implementation, each.area, each.requirement, each.reason) for each in unsaid)
            table = Table("Requirements not judged", ("implementation", "area", "requirement", "why"), rows)
            said = ("What is not shown is neither passed nor failed.",)
            yield Section("Not shown", said, tables=(table,), is_detail=True)

    def _counts_table(self) -> Table:
        rows: list[Row] = []
        for name in self._names:
            own = Counter(each.verdict for each in self._of(name))
            ended = self._ended.get(name)
            cases = {str(verdict): count for verdict, count in ended.cases.items()} if ended is not None else {}
            seconds = ended.seconds if ended is not None else None
            rows.append((name, "requirements", *(own[each] for each in GRAVITY), seconds))
            rows.append((name, "cases", *(cases.get(each, 0) if ended else None for each in GRAVITY), seconds))
        columns = ("implementation", "of", *map(str, GRAVITY), "seconds")
        return Table("What was judged", columns, tuple(rows), "What is not loaded is among the failed here.")

    def _places_table(self) -> Table:
        rows: list[Row] = []
        for name in self._names:
            own = Counter(each.blame for each in self._of(name) if each.wrong)
            rows.append((name, *(own[place] for place in Place)))
        return Table(
            "Failed requirements, by the place to blame",
            ("implementation", *map(str, Place)),
            tuple(rows),
            "The first place at which most of the wrong cases are wrong.",
        )

    def _drawings(self) -> Iterator[Drawing]:
        if self._judged:
            yield requirement_bars(
                {
                    name: Counter(state_of(each.verdict, is_not_loaded=each.is_not_loaded) for each in self._of(name))
                    for name in self._names
                }
            )
        if len(self._names) > 1 and self._judged:
            shares = tuple(tuple(self._agreement(one, other) for other in self._names) for one in self._names)
            yield Drawing(
                HeatMap("Requirements that both pass, or both fail", tuple(self._names), shares, judges=True),
                "Share of the requirements, of those that both were judged by, which both pass or both fail. Both may "
                "fail one in different ways.",
            )
        failing = Counter(each.area for each in self._judged.values() if each.wrong)
        areas = [area for area, _ in failing.most_common(MOST_AREAS)]
        if areas:
            judged = [each for each in self._judged.values() if each.verdict is not CaseVerdict.UNSUPPORTED]
            wrong = Counter((each.area, each.implementation) for each in judged if each.wrong)
            asked = Counter((each.area, each.implementation) for each in judged)
            cells = [[(area, name) for name in self._names] for area in areas]
            yield Drawing(
                HeatMap(
                    "Failed requirements, by area",
                    tuple(areas),
                    tuple(tuple(1 - wrong[at] / asked[at] if asked[at] else None for at in row) for row in cells),
                    tuple(self._names),
                    judges=True,
                    texts=tuple(tuple(f"{wrong[at]:,}" if asked[at] else NONE for at in row) for row in cells),
                ),
                "How many requirements each implementation fails, or does not load, in the areas where these are most; "
                "the greener a cell, the more of those that it was judged by it passes.",
            )

    def _agreement(self, one: str, other: str) -> float | None:
        alike = total = 0
        for each in self._of(one):
            beside = self._judged.get((other, each.requirement))
            if beside is None or CaseVerdict.UNSUPPORTED in (each.verdict, beside.verdict):
                continue
            total += 1
            alike += (each.wrong > 0) == (beside.wrong > 0)
        return alike / total if total else None


def _left_out(own: Sequence[JudgedRequirement]) -> Iterator[str]:
    """Say how many requirements of an implementation are not in what it was compared in."""
    not_loaded = sum(each.is_not_loaded for each in own)
    not_shown = sum(each.verdict is CaseVerdict.UNSUPPORTED for each in own)
    if not_loaded:
        yield f"{not_loaded:,} whose tokenizers are not loaded"
    if not_shown:
        yield f"{not_shown:,} unsupported"


def _without_cases(count: int) -> str:
    return f"; {counted(count, 'further requirement')}, which only Python shows, without cases" if count else ""


def _alike_section(groups: Sequence[Alike], *, is_named: bool) -> Iterator[Section]:
    """Yield what fails, each thing that failures have in common once, with whose it is where that ``is_named``."""
    if len(groups) < 2:
        return
    title = "What fails, by what it has in common"
    told = [f"{f'{each.implementation}, ' if is_named else ''}{_alike_words(each)}" for each in groups[:MOST_GROUPS]]
    left = groups[MOST_GROUPS:]
    if left:
        requirements = counted(sum(len(each.requirements) for each in left), "requirement")
        told.append(f"{counted(len(left), 'further group')} of {requirements}: on the page (--html) and in --markdown")
    yield Section(title, tuple(told), is_first=True)
    rows = tuple(
        (each.implementation, each.place, each.what, len(each.requirements), each.core, each.first.requirement)
        for each in groups
    )
    columns = ("implementation", "at", "what is wrong", "requirements", "of them core", "the first")
    yield Section("Groups of failures", tables=(Table(title, columns, rows),), is_detail=True)


def _alike_words(group: Alike) -> str:
    requirements = counted(len(group.requirements), "requirement")
    core = f" ({group.core:,} core)" if group.core else ""
    return f"{group.place}: {requirements}{core}, {group.what}; the first is {group.first.requirement}."


def _in_words(counts: Mapping[Any, int], not_loaded: int) -> str:
    """Say how many cases have each verdict; of those that failed, those whose tokenizer is not loaded apart."""
    found = {str(verdict): counts.get(verdict, 0) for verdict in CaseVerdict}
    found["not loaded"] = min(not_loaded, found["failed"])
    found["failed"] -= found["not loaded"]
    return ", ".join(f"{count:,} {what}" for what, count in found.items() if count) or "none"


# What was asked ------------------------------------------------------------------------------------------------------


class _SuiteAsked:
    """What the suite that comes with this package says about the cases of a record.

    Titles and rules are those of an id that is still there. Questions are known only where the record is of this very
    suite: cases of another one may have the same names.
    """

    def __init__(self, header: lines.Header) -> None:
        self._requirements = {each.id: each for _, each in read_suite().requirements()}
        sha256 = header.suite.sha256 if header.suite is not None else ""
        self._is_same = sha256 == suite_identity().sha256

    def requirement(self, id_: str) -> Requirement | None:
        """Return the requirement of that id, ``None`` where it is not known."""
        return self._requirements.get(id_)

    def step(self, id_: str, case: lines.Case, failure: lines.Failure) -> Step | None:
        """Return what was asked at the ``failure`` of a case, ``None`` where that is not known."""
        requirement, name = self._requirements.get(id_), case.case
        cases = requirement.cases if requirement is not None and self._is_same else ()
        found = next((each for each in cases if each.name == name), None)
        if found is None or failure.step is None:
            return None
        step = failure.step
        return found.steps[step] if step < len(found.steps) else None

    def size(self, id_: str, case: lines.Case) -> int:
        """Return how much there is to read about a wrong case: characters and ids of the question and of an answer."""
        failures = case.failures
        step = self.step(id_, case, failures[0]) if failures else None
        subjects = () if step is None else _subjects(step)
        return sum(max(each.length, len(each.text or "")) for each in subjects)


def _subjects(step: Step) -> tuple[Subject, ...]:
    match step:
        case Observed(observation):
            return subjects_of(observation)
        case FileRefused(document):
            text = shown_document(document)
            return (Subject("tokenizer.json", text, length=len(text)),)
        case VocabularyShown() | FileWritten() | TextWritten():
            return ()


def _question(step: Step) -> str:
    match step:
        case Observed(observation):
            return describe(observation)
        case VocabularyShown():
            return "the vocabulary, added tokens included"
        case FileWritten():
            return "the tokenizer as it is written to a file"
        case TextWritten():
            return "the text of the tokenizer as it is written to a file"
        case FileRefused():
            return "the loading of a file that is no tokenizer"


def _requirement_facts(judged: JudgedRequirement, requirement: Requirement | None, step: Step | None) -> Iterator[Fact]:
    yield Fact("requirement", judged.requirement, is_detail=True)
    yield Fact("area", judged.area, is_detail=True)
    yield Fact("importance", str(judged.importance), is_detail=True)
    if judged.case is not None:
        yield Fact("case", f"{judged.requirement}/{judged.case.case}")
    if step is not None:
        yield Fact("question", _question(step))
    if requirement is None:
        return
    yield Fact("why", requirement.why)
    yield from (Fact("source", link) for link in requirement.links)
    yield from (Fact("releases", told) for told in releases_told(requirement))


# Answers -------------------------------------------------------------------------------------------------------------


def _answers(failures: Sequence[lines.Failure], implementation: str, step: Step | None) -> tuple[Answer, ...]:
    """Return both sides of the first failure with values; where there is none, what is wrong in place of an answer."""
    for each in failures:
        if each.difference is not None:
            difference = json_of(each.difference)
            return marked(
                excerpt_of(EXPECTED, difference["baseline"]), excerpt_of(implementation, difference["implementation"])
            )
    if not failures:
        return ()
    wrong = Answer(implementation, trouble=failures[0].wrong)
    match step:
        case Observed(_, RaisesError()):
            return (Answer(EXPECTED, trouble="an error"), wrong)
        case Observed(_, expected):
            return (answer_of(EXPECTED, {"outcome": type(expected).__name__, "answer": asdict(expected)}), wrong)
        case _:
            return (wrong,)


def _failure_lines(failures: Sequence[lines.Failure], implementation: str) -> Iterator[str]:
    for each in failures[:MOST_FAILURES]:
        where = "loading" if each.step is None else f"step {each.step + 1}"
        place = f"{where}, {each.place}"
        if each.difference is None:
            yield f"{place}: {each.wrong}"
            continue
        found = difference_of(json_of(each.difference))
        yield f"{place}: {' '.join(filter(None, (found.part or found.field, str(found.kind))))}"
        if each.unit is not UNSET:
            yield f"  right as {each.unit}, which is not what was declared"
        yield from (f"  {line}" for line in window(found, EXPECTED, implementation))
    if len(failures) > MOST_FAILURES:
        yield f"and {counted(len(failures) - MOST_FAILURES, 'further failure')}"


# Cells ---------------------------------------------------------------------------------------------------------------


def _cell(judged: Iterable[JudgedRequirement], of: Mapping[str, str]) -> Cell:
    return cell_of(((each.verdict, each.is_not_loaded) for each in judged), of)


SUITES = RecordedPage("a run of the suite", lines.FORMAT, SuiteReader)
