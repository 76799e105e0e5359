"""Records of ``tokconf diff`` of two records as pages: what is new since then, what was mended, what is as it was."""

from __future__ import annotations

import shlex
from collections import Counter
from typing import TYPE_CHECKING

from tokenizer_conformance.plural import counted
from tokenizer_conformance.releases.diff.records.changes import NOT_COMPARED, Change
from tokenizer_conformance.releases.diff.records.outcome import State as OutcomeState
from tokenizer_conformance.results.headlines import MOST_HEADLINES
from tokenizer_conformance.results.page import (
    Answer,
    Cell,
    Compared,
    Fact,
    Finding,
    Matrix,
    Novelty,
    Page,
    Section,
    State,
    Table,
)
from tokenizer_conformance.results.page_kind import (
    CUT_SHORT,
    STATES,
    PageKind,
    conclusion_in,
    ending_complaints,
    environment_facts,
)
from tokenizer_conformance.results.records.record_diff import FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.results.records.lines import Ending, Opening
    from tokenizer_conformance.results.records.node import Node

NEWS, BETTER, STILL, UNKNOWN = "new or worse", "fixed or better", "still there", "not compared"

GROUP_OF: dict[Change, tuple[str, Novelty, State]] = {
    Change.NEW: (NEWS, Novelty.NEW, State.DIFFER),
    Change.WORSE: (NEWS, Novelty.NEW, State.DIFFER),
    Change.NO_LONGER_KNOWN: (NEWS, Novelty.NEW, State.DIFFER),
    Change.CHANGED: (STILL, Novelty.KNOWN, State.KNOWN),
    Change.NEW_AND_KNOWN: (STILL, Novelty.KNOWN, State.KNOWN),
    Change.NOW_KNOWN: (STILL, Novelty.KNOWN, State.KNOWN),
    Change.SAME: (STILL, Novelty.KNOWN, State.KNOWN),
    Change.FIXED: (BETTER, Novelty.ACCEPTABLE, State.AGREE),
    Change.BETTER: (BETTER, Novelty.ACCEPTABLE, State.ACCEPTABLE),
    Change.FIXED_AND_KNOWN: (BETTER, Novelty.ACCEPTABLE, State.AGREE),
    Change.NOT_COMPARED_NOW: (UNKNOWN, Novelty.ACCEPTABLE, State.NOT_COMPARED),
    Change.NOT_COMPARED_THEN: (UNKNOWN, Novelty.ACCEPTABLE, State.NOT_COMPARED),
    Change.NOT_COMPARABLE: (UNKNOWN, Novelty.ACCEPTABLE, State.NOT_COMPARED),
}
"""The list in which each change stands, whether it is news, and what a cell comes to for it; the gravest first."""

KNOWN_AS: dict[Change, str] = {
    Change.CHANGED: "it was there then, in another way",
    Change.SAME: "it was there then, and is as it was",
}
"""Why a change is no news that no ledger knows."""

GROUPS = (NEWS, UNKNOWN, STILL, BETTER)
"""The lists in the order in which they are shown."""


class RecordDiffReader:
    """Reads the record of a comparison of two records."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        header = opening.header
        self._then, self._now = header.node("old"), header.node("new")
        self._findings: list[Finding] = []
        self._changes: list[Change] = []
        self._figures: list[tuple[str | int | float | None, ...]] = []

    def take(self, kind: str, line: Node) -> None:
        """Take in a ``line`` of that ``kind``."""
        match kind:
            case "change":
                self._take_change(line)
            case "figure":
                then, now = (line.number(key) if line.holds(key) else None for key in ("then", "now"))
                grown = None if then is None or now is None else now - then
                named = tuple(line.text(key) for key in ("implementation", "subject", "name"))
                self._figures.append((*named, then, now, grown))

    def _take_change(self, line: Node) -> None:
        change = Change(line.text("change"))
        then, now = (line.node(key) if line.holds(key) else None for key in ("then", "now"))
        told = then if now is None or (change is Change.NOT_COMPARED_NOW and then is not None) else now
        if told is None:
            raise line.error("an outcome on one of the sides")
        group, standing, _ = GROUP_OF[change]
        self._changes.append(change)
        self._findings.append(
            Finding(
                id=f"change-{len(self._changes)}",
                group=group,
                headline=f"{change}: {line.text('title')}",
                implementation=line.text("implementation"),
                tokenizer=line.text("subject"),
                stage=line.texts("parts")[0] if line.text("aspect") == "stage" and line.texts("parts") else "",
                reason=line.text("aspect"),
                standing=standing,
                count=next(iter(told.counts("counts").values()), 0),
                impact=_counts(then, now),
                answers=(_side("then", then), _side("now", now)),
                lines=told.texts("lines"),
                explanation=line.text("why"),
                known=KNOWN_AS.get(change, "a ledger knows it") if standing is Novelty.KNOWN else "",
                repeat=told.text("repeat"),
                facts=_facts(line),
            )
        )

    def page(self, ending: Ending) -> Page:
        """Return the page of the comparison."""
        header, conclusion = self._opening.header, conclusion_in(ending)
        findings = tuple(sorted(self._findings, key=lambda each: GROUPS.index(each.group)))
        news = sorted((each for each in findings if each.group == NEWS), key=lambda each: -each.count)
        return Page(
            name=self._opening.path.name,
            kind="diff of two records",
            state=STATES[conclusion],
            conclusion=conclusion.value,
            summary=self._summary(ending),
            sentences=(*self._sentences(ending), *header.texts("matches"), *header.texts("remarks")),
            facts=(*environment_facts(header), Fact("records of", header.text("of")), *self._page_facts()),
            compared=(_compared(self._then, "then"), _compared(self._now, "now")),
            complaints=(*ending_complaints(ending), *self._incomplete()),
            matrices=tuple(self._matrices()),
            headlines=tuple(each.id for each in news[:MOST_HEADLINES]),
            findings=findings,
            counted="of what it counts",
            sections=tuple(self._sections()),
        )

    def _summary(self, ending: Ending) -> str:
        if ending.footer is None:
            return CUT_SHORT
        counts = ending.footer.counts("counts")
        said = ", ".join(f"{counts[change]:,} {change}" for change in Change if counts.get(change))
        return f"{ending.footer.text('conclusion')}: {said or 'nothing was compared'}"

    def _sentences(self, ending: Ending) -> Iterator[str]:
        """Say whether what was recorded now is worse than then."""
        if ending.footer is None:
            return
        news, better = (sum(GROUP_OF[each][0] == group for each in self._changes) for group in (NEWS, BETTER))
        unknown = sum(each in NOT_COMPARED for each in self._changes)
        yield f"{f'{news:,} new or worse' if news else 'Nothing is new or worse'}, {better:,} fixed or better."
        if unknown:
            yield f"Of {unknown:,} it cannot be told, as one side has not compared it."
        sound = ending.footer.count("sound")
        if sound:
            yield f"{counted(sound, 'outcome')} without a difference on both sides."

    def _page_facts(self) -> Iterator[Fact]:
        for name, side in (("then", self._then), ("now", self._now)):
            yield Fact(f"command {name}", shlex.join(side.texts("command")))
            yield Fact(f"ended {name}", side.text("ended"))

    def _incomplete(self) -> Iterator[str]:
        for name, side in (("then", self._then), ("now", self._now)):
            if not side.flag("is_whole"):
                yield f"The record of {name}, {side.text('path')}: {side.text('ended')}"

    def _matrices(self) -> Iterator[Matrix]:
        subjects = tuple(dict.fromkeys(each.tokenizer for each in self._findings))
        implementations = tuple(dict.fromkeys(each.implementation for each in self._findings))
        if subjects:
            rows = tuple((name, tuple(self._cell(name, subject) for subject in subjects)) for name in implementations)
            yield Matrix("What became of it", "now", tuple(each or "all together" for each in subjects), rows)

    def _cell(self, implementation: str, subject: str) -> Cell:
        found = [
            change
            for change, each in zip(self._changes, self._findings, strict=True)
            if (each.implementation, each.tokenizer) == (implementation, subject)
        ]
        if not found:
            return Cell(State.AGREE, "nothing to tell", "What is as it was and shows no difference is only counted.")
        gravest = next(change for change in GROUP_OF if change in found)
        counts = Counter(found)
        text = ", ".join(f"{counts[change]:,} {change}" for change in GROUP_OF if counts[change])
        return Cell(GROUP_OF[gravest][2], text, of={"implementation": implementation, "tokenizer": subject})

    def _sections(self) -> Iterator[Section]:
        if self._figures:
            columns = ("implementation", "subject", "what", "then", "now", "more")
            yield Section("Numbers", tables=(Table("Then and now", columns, tuple(self._figures)),))


def _compared(side: Node, role: str) -> Compared:
    return Compared(side.text("path"), f"tokconf {side.text('tokconf')}", role, f"started {side.text('started')}")


def _side(name: str, outcome: Node | None) -> Answer:
    """Return what was found on one side, in words."""
    if outcome is None:
        return Answer(name, text="nothing", total=len("nothing"))
    state = OutcomeState(outcome.text("state"))
    said = [state.value, outcome.text("verdict"), _counted(outcome)]
    text = ", ".join(dict.fromkeys(filter(None, said)))
    return Answer(name, text=text, total=len(text))


def _counted(outcome: Node) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in outcome.counts("counts").items() if count)


def _counts(then: Node | None, now: Node | None) -> str:
    was, is_ = ("" if side is None else _counted(side) for side in (then, now))
    return was if was == is_ else f"{was or 'nothing'} then, {is_ or 'nothing'} now"


def _facts(line: Node) -> tuple[Fact, ...]:
    return tuple(
        fact
        for fact in (Fact("aspect", line.text("aspect")), Fact("which", ", ".join(filter(None, line.texts("parts")))))
        if fact.value
    )


RECORD_DIFFS = PageKind("a diff of two records", FORMAT, RecordDiffReader)
