"""Records of ``tokconf audit file`` as pages: what is wrong with a tokenizer.json, where, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.file_audit.finding import Severity
from tokenizer_conformance.research.file_audit.wording import severity_counts
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
    Subject,
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
from tokenizer_conformance.results.records.file_audit import FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.results.records.lines import Ending, Opening
    from tokenizer_conformance.results.records.node import Node

OTHERS = "other defects"
"""The group of a defect that no check says it looks for."""


class FileAuditReader:
    """Reads the record of an audit of files."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        header = opening.header
        self._baseline = header.node("baseline")
        self._defects = {each.text("id"): each for each in header.nodes("defects")}
        self._fail_on = header.text_or_none("fail_on")
        self._files: dict[str, Node] = {}
        self._audited: dict[str, Node] = {}
        self._findings: list[Finding] = []
        self._mended: list[Section] = []
        self._complaints: list[str] = []

    def take(self, kind: str, line: Node) -> None:
        """Take in a ``line`` of that ``kind``."""
        match kind:
            case "refused":
                self._complaints.append(line.text("reason"))
            case "file":
                self._files[line.text("tokenizer")] = line
            case "finding":
                self._findings.append(self._finding(line, len(self._findings) + 1))
            case "audited":
                self._take_audited(line)
            case "fixed":
                self._mended.append(_mended(line))

    def _take_audited(self, line: Node) -> None:
        name = line.text("tokenizer")
        self._audited[name] = line
        for _, defects in line.node("checks").members():
            for each in defects.entries():
                each.as_text()
        self._complaints += [f"{name}: not looked at within the time: {each}" for each in line.texts("cut_short")]
        if not line.flag("loaded"):
            self._complaints.append(
                f"{name}: {self._baseline.text('name')} does not load it, so checks that need answers say nothing"
            )

    def _finding(self, line: Node, number: int) -> Finding:
        tokenizer, defect = line.text("tokenizer"), line.text("defect")
        about = self._defects.get(defect)
        title = defect if about is None else about.text("title")
        place = line.text("path")
        if line.holds("line"):
            place = f"{place}, line {line.count('line'):,}"
        severity, fails = Severity(line.text("severity")), line.flag("fails")
        witness = line.node("witness") if line.holds("witness") else None
        return Finding(
            id=f"finding-{number}",
            group=f"{severity}s",
            headline=f"{title}: {line.text('message')}",
            implementation=self._baseline.text("name"),
            tokenizer=tokenizer,
            reason=defect,
            standing=Novelty.NEW if fails else Novelty.ACCEPTABLE,
            count=line.count("count"),
            impact=counted(line.count("count"), "place"),
            subjects=() if witness is None else tuple(_subjects(witness)),
            answers=() if witness is None else (_witnessed(self._baseline.text("name"), witness),),
            lines=(*_examples(line), *line.texts("details")),
            explanation="" if about is None else about.text("explanation"),
            facts=(
                Fact("severity", severity.value),
                Fact("at", place),
                *(Fact("file", self._files[each].text("file")) for each in (tokenizer,) if each in self._files),
                Fact("certainty", line.text("certainty")),
                Fact("remedy", line.text("remedy") or ("" if about is None else about.text("remedy"))),
            ),
        )

    def page(self, ending: Ending) -> Page:
        """Return the page of the audit."""
        header, conclusion = self._opening.header, conclusion_in(ending)
        order = [f"{severity}s" for severity in Severity]
        findings = tuple(sorted(self._findings, key=lambda each: order.index(each.group)))
        return Page(
            name=self._opening.path.name,
            kind="audit of files",
            tokenizers=header.texts("tokenizers"),
            state=STATES[conclusion],
            conclusion=conclusion.value,
            summary=_summary(ending),
            sentences=tuple(self._sentences()),
            facts=(*environment_facts(header), *self._facts()),
            compared=(
                Compared(self._baseline.text("name"), self._baseline.text("version"), "baseline"),
                *(Compared(each, role="tokenizer") for each in header.texts("tokenizers")),
            ),
            complaints=(*ending_complaints(ending), *self._complaints),
            matrices=tuple(self._matrices()),
            headlines=tuple(each.id for each in findings if each.standing is Novelty.NEW)[:MOST_HEADLINES],
            findings=findings,
            counted="places",
            sections=(*self._mended, self._looked_for()),
        )

    def _sentences(self) -> Iterator[str]:
        """Say of each file whether it is sound, and what is the matter where it is not."""
        for name, line in self._audited.items():
            found = severity_counts({Severity(each): count for each, count in line.counts("counts").items()})
            fails = sum(each.standing is Novelty.NEW for each in self._findings if each.tokenizer == name)
            verdict = f"{counted(fails, 'finding')} to fail for" if fails else "nothing to fail for"
            yield f"{name}: {verdict} ({found})."
        for name in self._files.keys() - self._audited.keys():
            yield f"{name}: the audit of this file did not come to its end."

    def _facts(self) -> Iterator[Fact]:
        yield Fact("fails for", "nothing" if self._fail_on is None else f"{self._fail_on} and worse")
        yield Fact("defects looked for", f"{len(self._defects):,} kinds")
        for name, line in self._files.items():
            yield Fact("file", f"{name}: {line.text('file')} (SHA-256 {line.text('sha256')[:16]}…)")

    # Matrix

    def _matrices(self) -> Iterator[Matrix]:
        groups: dict[str, set[str]] = {}
        for line in self._audited.values():
            for name, defects in line.node("checks").members():
                groups.setdefault(name, set()).update(each.as_text() for each in defects.entries())
        known = {defect for defects in groups.values() for defect in defects}
        others = {each.reason for each in self._findings} - known
        columns = {**groups, **({OTHERS: others} if others else {})}
        rows = tuple(
            (name, tuple(self._cell(name, group, defects) for group, defects in columns.items()))
            for name in self._files
        )
        if rows and columns:
            yield Matrix("Files and checks", "file", tuple(columns), rows)

    def _cell(self, tokenizer: str, group: str, defects: set[str]) -> Cell:
        found = [each for each in self._findings if each.tokenizer == tokenizer and each.reason in defects]
        if found:
            fails = any(each.standing is Novelty.NEW for each in found)
            text = severity_counts({each: sum(one.group == f"{each}s" for one in found) for each in Severity})
            of = {"tokenizer": tokenizer} | ({"reason": found[0].reason} if len({e.reason for e in found}) == 1 else {})
            return Cell(State.DIFFER if fails else State.ACCEPTABLE, text, "; ".join(e.headline for e in found), of)
        audited = self._audited.get(tokenizer)
        if group == OTHERS:
            return Cell(State.AGREE, "nothing found")
        if audited is None or not audited.node("checks").has(group):
            return Cell(State.NOT_COMPARED, "not looked at")
        return Cell(State.AGREE, "nothing found", f"looked for {counted(len(defects), 'kind')} of defects")

    def _looked_for(self) -> Section:
        rows = tuple(
            (name, each.text("severity"), each.text("title"), sum(one.reason == name for one in self._findings))
            for name, each in self._defects.items()
        )
        table = Table("Kinds of defects", ("defect", "severity", "title", "findings"), rows)
        return Section("What was looked for", tables=(table,))


def _summary(ending: Ending) -> str:
    if ending.footer is None:
        return CUT_SHORT
    footer = ending.footer
    found = severity_counts({Severity(each): count for each, count in footer.counts("counts").items()})
    files = counted(footer.count("audited"), "file")
    return f"{footer.text('conclusion')}: {files} looked into, {footer.count('failing'):,} failing; {found}"


def _subjects(witness: Node) -> Iterator[Subject]:
    text = witness.text_or_none("text")
    if text is not None:
        yield Subject("text", text, length=witness.count("length") if witness.holds("length") else len(text))
    if witness.holds("ids"):
        ids = tuple(each.as_count() for each in witness.nodes("ids"))
        yield Subject("ids", ids=ids, length=len(ids))


def _witnessed(baseline: str, witness: Node) -> Answer:
    result = witness.text("result")
    return Answer(baseline, text=result, total=len(result))


def _examples(line: Node) -> Iterator[str]:
    shown = line.nodes("examples")
    yield from (f"{each.text('path')}: {each.text('message')}" for each in shown)
    left = line.count("count") - len(shown)
    if shown and left > 0:
        yield f"and {left:,} more"


def _mended(line: Node) -> Section:
    """Return what became of the findings when the file was to be mended."""
    tokenizer, target = line.text("tokenizer"), line.text_or_none("target")
    if target is None:
        sentence = f"Nothing is written: {line.text_or_none('reason') or 'there is nothing to mend'}."
    else:
        sentence = f"{target} is written; {counted(line.count('questions'), 'answer')} of both files are the same."
    rows = (
        *(("mended", each.text("defect"), each.text("path"), "") for each in line.nodes("fixed")),
        *(("left", each.text("defect"), each.text("path"), each.text("reason")) for each in line.nodes("left")),
    )
    table = Table("Mended and left", ("what", "defect", "path", "why"), rows)
    return Section(f"{tokenizer}, mended", (sentence,), tables=(table,) if rows else ())


FILE_AUDITS = PageKind("an audit of files", FORMAT, FileAuditReader)
