"""The page of a diff of two records: what is new since then, what was mended, what is as it was."""

from __future__ import annotations

import shlex
from collections import Counter
from pathlib import PurePath
from typing import TYPE_CHECKING

from tokenizer_conformance.plural import counted
from tokenizer_conformance.releases.diff.records.changes import Change
from tokenizer_conformance.releases.diff.records.changes import State as OutcomeState
from tokenizer_conformance.results.headlines import MOST_HEADLINES
from tokenizer_conformance.results.outcomes import BEFORE, MOST_NAMES
from tokenizer_conformance.results.page import (
    Answer,
    Cell,
    Compared,
    Fact,
    Matrix,
    Novelty,
    Page,
    Section,
    ShownFinding,
    State,
    Table,
)
from tokenizer_conformance.results.recorded_page import (
    CUT_SHORT,
    STATES,
    PageReader,
    RecordedPage,
    environment_facts,
)
from tokenizer_conformance.results.records import record_diff as lines
from tokenizer_conformance.results.sentences import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.results.page import Row
    from tokenizer_conformance.results.records.ending import Ended
    from tokenizer_conformance.results.records.value import Value

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
"""The list in which each change stands, whether it is news, and the result of a cell for it; the gravest first."""

KNOWN_AS: dict[Change, str] = {
    Change.CHANGED: "it was there then, in another way",
    Change.SAME: "it was there then, and is as it was",
}
"""Why a change is no news that no ledger knows."""

GROUPS = (NEWS, UNKNOWN, STILL, BETTER)
"""The lists in the order in which they are shown."""


class RecordDiffReader(PageReader[lines.Header]):
    """Reads the record of a comparison of two records."""

    def __init__(self, name: str, header: lines.Header) -> None:
        super().__init__(name, header)
        self._footer: lines.Footer | None = None
        self._sides = {"then": header.old, "now": header.new}
        self._found: list[tuple[Change, ShownFinding]] = []
        self._figures: list[Row] = []

    def take(self, line: Value) -> None:
        """Take in a ``line``."""
        match line:
            case lines.ChangeFound():
                change = Change(line.change)
                self._found.append((change, _finding(line, change, len(self._found) + 1)))
            case lines.Figure():
                then, now = line.then, line.now
                grown = None if then is None or now is None else now - then
                self._figures.append((line.implementation, line.subject, line.name, then, now, grown))
            case lines.Footer():
                self._footer = line

    def page(self, ended: Ended) -> Page:
        """Return the page of the comparison."""
        header = self._header
        findings = tuple(sorted((each for _, each in self._found), key=lambda each: GROUPS.index(each.group)))
        news = sorted((each for each in findings if each.group == NEWS), key=lambda each: -each.count)
        return Page(
            name=self._name,
            kind="diff of two records",
            title=_title(header),
            state=STATES[ended.conclusion],
            conclusion=ended.conclusion.value,
            summary=self._summary(),
            headline=f"{BEFORE.get(ended.conclusion, '')}{self._headline()}",
            sentences=tuple(plain((*self._sentences(), *header.matches, *header.remarks))),
            facts=(*environment_facts(header.environment), *self._page_facts()),
            compared=tuple(
                Compared(side.path, f"tokconf {side.tokconf}", role, f"started {side.started}")
                for role, side in self._sides.items()
            ),
            complaints=(*ended.complaints, *self._incomplete()),
            matrices=tuple(self._matrices()),
            headlines=tuple(each.id for each in news[:MOST_HEADLINES]),
            findings=findings,
            counted="of what it counts",
            sections=tuple(self._sections()),
        )

    def _headline(self) -> str:
        """Say who is worse now than then, in how much, and what is better."""
        news = Counter(each.implementation for _, each in self._found if each.group == NEWS)
        better = sum(each.group == BETTER for _, each in self._found)
        told = [f"{name or 'the whole'} is new or worse in {count:,}" for name, count in news.most_common(MOST_NAMES)]
        told += [f"{len(news) - MOST_NAMES:,} others are, too"] if len(news) > MOST_NAMES else []
        told += [f"{better:,} {'is' if better == 1 else 'are'} fixed or better"] if better else []
        return "; ".join(told if news else ["nothing is new or worse than then", *told])

    def _summary(self) -> str:
        if self._footer is None:
            return CUT_SHORT
        counts = {str(change): count for change, count in self._footer.counts.items()}
        said = ", ".join(f"{counts[change]:,} {change}" for change in Change if counts.get(change))
        return said or "nothing was compared"

    def _sentences(self) -> Iterator[str]:
        """Say whether what was recorded now is worse than then."""
        if self._footer is None:
            return
        counts = Counter(each.group for _, each in self._found)
        news = f"{counts[NEWS]:,} new or worse" if counts[NEWS] else "Nothing is new or worse"
        yield f"{news}, {counts[BETTER]:,} fixed or better."
        if counts[UNKNOWN]:
            yield f"Of {counts[UNKNOWN]:,} it cannot be told, as one side has not compared it."
        sound = self._footer.sound
        if sound:
            yield f"{counted(sound, 'outcome')} without a difference on both sides."

    def _page_facts(self) -> Iterator[Fact]:
        yield Fact("records of", self._header.of, is_detail=True)
        for name, side in self._sides.items():
            yield Fact(f"command {name}", shlex.join(side.command), is_detail=True)
            yield Fact(f"ended {name}", side.ended)

    def _incomplete(self) -> Iterator[str]:
        for name, side in self._sides.items():
            if not side.is_whole:
                yield f"The record of {name}, {side.path}: {side.ended}"

    def _matrices(self) -> Iterator[Matrix]:
        cells: dict[tuple[str, str], list[Change]] = {}
        for change, each in self._found:
            cells.setdefault((each.implementation, each.tokenizer), []).append(change)
        subjects = tuple(dict.fromkeys(subject for _, subject in cells))
        if subjects:
            rows = tuple(
                (name, tuple(_cell(cells.get((name, subject), []), name, subject) for subject in subjects))
                for name in dict.fromkeys(name for name, _ in cells)
            )
            yield Matrix("What became of it", "now", tuple(each or "all together" for each in subjects), rows)

    def _sections(self) -> Iterator[Section]:
        if self._figures:
            columns = ("implementation", "subject", "what", "then", "now", "more")
            yield Section("Numbers", tables=(Table("Then and now", columns, tuple(self._figures)),))


def _title(header: lines.Header) -> str:
    """Name both records, by their files where these are called otherwise."""
    paths = (header.old.path, header.new.path)
    then, now = (PurePath(each).name for each in paths)
    if then == now:
        then, now = paths
    return f"{then} then, {now} now"


def _finding(line: lines.ChangeFound, change: Change, number: int) -> ShownFinding:
    then, now = line.then, line.now
    told = then if now is None or (change is Change.NOT_COMPARED_NOW and then is not None) else now
    if told is None:
        raise ValueError("a change has an outcome on one of the sides")
    group, standing, _ = GROUP_OF[change]
    return ShownFinding(
        id=f"change-{number}",
        group=group,
        headline=f"{change}: {line.title}",
        implementation=line.implementation,
        tokenizer=line.subject,
        stage=line.parts[0] if line.aspect == "stage" and line.parts else "",
        reason=line.aspect,
        standing=standing,
        count=next(iter(told.counts.values()), 0),
        impact=_counts(then, now),
        answers=(_side("then", then), _side("now", now)),
        lines=told.lines,
        explanation=line.why,
        known=KNOWN_AS.get(change, "a ledger knows it") if standing is Novelty.KNOWN else "",
        repeat=told.repeat,
        facts=_facts(line),
    )


def _cell(found: list[Change], implementation: str, subject: str) -> Cell:
    if not found:
        return Cell(State.AGREE, "nothing to tell", "What is as it was and shows no difference is only counted.")
    counts = Counter(found)
    text = ", ".join(f"{counts[change]:,} {change}" for change in GROUP_OF if counts[change])
    gravest = next(change for change in GROUP_OF if counts[change])
    return Cell(GROUP_OF[gravest][2], text, of={"implementation": implementation, "tokenizer": subject})


def _side(name: str, outcome: lines.Outcome | None) -> Answer:
    """Return what was found on one side, in words."""
    said = ["nothing"] if outcome is None else [OutcomeState(outcome.state).value, outcome.verdict, _counted(outcome)]
    text = ", ".join(dict.fromkeys(filter(None, said)))
    return Answer(name, text=text, total=len(text))


def _counted(outcome: lines.Outcome) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in outcome.counts.items() if count)


def _counts(then: lines.Outcome | None, now: lines.Outcome | None) -> str:
    was, is_ = ("" if side is None else _counted(side) for side in (then, now))
    return was if was == is_ else f"{was or 'nothing'} then, {is_ or 'nothing'} now"


def _facts(line: lines.ChangeFound) -> tuple[Fact, ...]:
    told = {"aspect": line.aspect, "which": ", ".join(filter(None, line.parts))}
    return tuple(Fact(label, value, is_detail=True) for label, value in told.items() if value)


RECORD_DIFFS = RecordedPage("a diff of two records", lines.FORMAT, RecordDiffReader)
