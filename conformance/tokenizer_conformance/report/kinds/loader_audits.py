"""Records of ``tokconf audit loader`` as pages: what a loader replaces of a tokenizer.json, and what that does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.comparison.blame import STAGE_ORDER
from tokenizer_conformance.comparison.record_forms import difference_of, question_of
from tokenizer_conformance.comparison.wording import describe, window
from tokenizer_conformance.plural import counted
from tokenizer_conformance.releases.loader_audit.components import STAGES
from tokenizer_conformance.releases.loader_audit.witness import Confirmation
from tokenizer_conformance.releases.loader_audit.wording import CONFIRMED
from tokenizer_conformance.report.kinds.ledgers import named_entry, stale_named_entries
from tokenizer_conformance.results.answers import answer_of, marked, pipeline_of, sides_of, subjects_of
from tokenizer_conformance.results.headlines import headlines_of
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
    Token,
)
from tokenizer_conformance.results.page_kind import (
    CUT_SHORT,
    STATES,
    PageKind,
    conclusion_in,
    ending_complaints,
    environment_facts,
)
from tokenizer_conformance.results.records.loader_audit import FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.results.records.lines import Ending, Opening
    from tokenizer_conformance.results.records.node import Node

Json = dict[str, Any]

RAW = "the file"
"""What the side is called that reads the tokenizer.json as it stands."""

CHANGED = "the file so changed"
"""What is called so that has this one component as the loader has it, and all others as in the file."""

DEFAULTS, ANSWERS = "defaults", "answers"
"""The columns beside those of components."""

Place = tuple[str, str]
"""A tokenizer, and who has loaded it."""


class LoaderAuditReader:
    """Reads the record of an audit of loaders."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        header = opening.header
        self._baseline = header.node("baseline")
        self._loaders = header.nodes("loaders")
        self._tokenizers = [each.text("name") for each in header.nodes("tokenizers")]
        self._not_loaded: dict[Place, Node] = {}
        self._loaded: dict[Place, Node] = {}
        self._answers: dict[Place, Node] = {}
        self._differences: list[Finding] = []
        self._found: list[Finding] = []
        self._complaints: list[str] = []

    def take(self, kind: str, line: Node) -> None:
        """Take in a ``line`` of that ``kind``."""
        match kind:
            case "implementation_missing" | "refused":
                self._complaints.append(line.text("reason"))
            case "not_loaded":
                line.text("reason"), line.flag("unsupported")
                self._not_loaded[_place(line)] = line
            case "loaded":
                self._loaded[_place(line)] = line
            case "difference":
                self._differences.append(_difference(line, len(self._differences) + 1))
            case "answers":
                self._answers[_place(line)] = line
                for each in line.nodes("findings"):
                    self._found.append(self._finding(line, each, len(self._found) + 1))

    def _finding(self, line: Node, found: Node, number: int) -> Finding:
        """Return answers that differ otherwise than the pipeline that was loaded makes them differ."""
        loader, inputs = line.text("loader"), found.count("inputs")
        question, difference = question_of(found.value["question"]), difference_of(found.value["difference"])
        what = str(difference.kind) if difference.field is None else f"{difference.field} {difference.kind}"
        return Finding(
            id=f"answers-{number}",
            group="answers",
            headline=f"{found.text('stage')}: {what} that no replaced component explains; {describe(question)}",
            implementation=loader,
            tokenizer=line.text("tokenizer"),
            stage=found.text("stage"),
            reason=ANSWERS,
            count=inputs,
            impact=f"{counted(inputs, 'input')} of {line.count('inputs'):,}",
            subjects=subjects_of(question),
            answers=sides_of((RAW, loader), (found.value["raw"], found.value["loaded"])),
            lines=tuple(window(difference, RAW, loader)),
            pipeline=pipeline_of(found.text("stage")),
        )

    def page(self, ending: Ending) -> Page:
        """Return the page of the audit."""
        header, conclusion = self._opening.header, conclusion_in(ending)
        findings = (*self._differences, *self._found)
        return Page(
            name=self._opening.path.name,
            kind="audit of loaders",
            state=STATES[conclusion],
            conclusion=conclusion.value,
            summary=_summary(ending),
            sentences=(*self._sentences(), *stale_named_entries(ending.footer)),
            facts=(*environment_facts(header), *self._facts()),
            compared=(
                Compared(self._baseline.text("name"), self._baseline.text("version"), f"baseline, reads {RAW}"),
                *(Compared(each.text("name"), each.text("version"), "loader") for each in self._loaders),
            ),
            complaints=(*ending_complaints(ending), *self._complaints),
            matrices=tuple(self._matrices()),
            headlines=headlines_of(findings),
            findings=findings,
            sections=tuple(self._sections()),
        )

    def _sentences(self) -> Iterator[str]:
        """Say of each tokenizer whether it is loaded as its file says, and what differs where it is not."""
        for (tokenizer, loader), line in self._not_loaded.items():
            yield f"{tokenizer}, by {loader}: not loaded: {line.text('reason')}"
        for place, line in self._loaded.items():
            news = [each for each in self._differences if _of(each) == place]
            said = (
                f"differs in {', '.join(each.reason for each in news)}" if news else "every component is as in the file"
            )
            if line.text("no_structure"):
                said = f"its components cannot be compared: {line.text('no_structure')}"
            yield f"{place[0]}, by {place[1]}: {said}. {self._answered(place)}"

    def _answered(self, place: Place) -> str:
        line = self._answers.get(place)
        if line is None or not line.count("values"):
            return "No answers were compared."
        differing, explained = line.count("differing"), line.count("explained")
        said = f"Answers to {differing:,} of {counted(line.count('inputs'), 'input')} differ"
        if differing and not self._loaded[place].text("no_structure"):
            return f"{said}, {explained:,} of them as the pipeline that was loaded gives them."
        return f"{said}."

    def _facts(self) -> Iterator[Fact]:
        header = self._opening.header
        yield Fact("inputs", f"{header.count('inputs'):,}, {header.count('given'):,} of them given")
        yield Fact("search", f"{header.count('cases'):,} inputs or {header.number('seconds'):g} s a component")
        for each in header.nodes("tokenizers"):
            yield Fact("file", f"{each.text('name')}: {each.text('file')} (SHA-256 {each.text('sha256')[:16]}…)")

    # Matrices

    def _matrices(self) -> Iterator[Matrix]:
        components = [each.value for each in STAGES]
        columns = (*components, *([DEFAULTS] if DEFAULTS not in components else []), ANSWERS)
        for loader in self._loaders:
            name = loader.text("name")
            rows = tuple(
                (tokenizer, tuple(self._cell((tokenizer, name), column) for column in columns))
                for tokenizer in self._tokenizers
            )
            yield Matrix(f"Loaded by {name} {loader.text('version')}", "tokenizer", columns, rows)

    def _cell(self, place: Place, column: str) -> Cell:
        refused, loaded = self._not_loaded.get(place), self._loaded.get(place)
        if refused is not None:
            state = State.UNSUPPORTED if refused.flag("unsupported") else State.ERROR
            return Cell(state, "not loaded", refused.text("reason"))
        if loaded is None:
            return Cell(State.NOT_COMPARED, "not reached")
        if column == ANSWERS:
            return self._answers_cell(place)
        of = {"tokenizer": place[0], "implementation": place[1], "reason": column}
        found = [each for each in self._differences if _of(each) == place and each.reason == column]
        if found:
            is_new = any(each.standing is Novelty.NEW for each in found)
            words = "; ".join(each.headline for each in found)
            return Cell(State.DIFFER if is_new else State.KNOWN, counted(len(found), "difference"), words, of)
        if column == DEFAULTS:
            if not loaded.holds("defaults"):
                return Cell(State.UNSUPPORTED, "not shown")
        elif loaded.text("no_structure"):
            return Cell(State.UNSUPPORTED, "not shown", loaded.text("no_structure"))
        return Cell(State.AGREE, "as in the file")

    def _answers_cell(self, place: Place) -> Cell:
        line = self._answers.get(place)
        if line is None or not line.count("values"):
            return Cell(State.NOT_COMPARED, "nothing compared")
        differing, inputs = line.count("differing"), line.count("inputs")
        if not differing:
            return Cell(State.AGREE, counted(inputs, "input"))
        found = [each for each in self._found if _of(each) == place]
        replaced = [each for each in self._differences if _of(each) == place]
        of = {"tokenizer": place[0], "implementation": place[1]} if found or replaced else {}
        of |= {"reason": ANSWERS} if found else {}
        # What the replaced components explain is known where a ledger knows all of these.
        is_known = bool(replaced) and not found and all(each.standing is Novelty.KNOWN for each in replaced)
        text = f"{differing:,} of {counted(inputs, 'input')}"
        return Cell(State.KNOWN if is_known else State.DIFFER, text, f"{line.count('explained'):,} explained", of)

    # Sections

    def _sections(self) -> Iterator[Section]:
        rows = tuple(
            (tokenizer, loader, line.node("defaults").text("loader"), role, content, number)
            for (tokenizer, loader), line in self._loaded.items()
            if line.holds("defaults")
            for role, content, number in _special_tokens(line.node("defaults"))
        )
        settings = tuple(
            (tokenizer, loader, name, _shown(value.value))
            for (tokenizer, loader), line in self._loaded.items()
            if line.holds("defaults")
            for name, value in line.node("defaults").node("settings").members()
        )
        tables = (
            Table("Special tokens", ("tokenizer", "loader", "class", "role", "content", "id"), rows),
            Table("Settings", ("tokenizer", "loader", "setting", "value"), settings),
        )
        if rows or settings:
            yield Section("What loaders keep beside the pipeline", tables=tuple(each for each in tables if each.rows))


def _place(line: Node) -> Place:
    return line.text("tokenizer"), line.text("loader")


def _of(finding: Finding) -> Place:
    return finding.tokenizer, finding.implementation


def _summary(ending: Ending) -> str:
    if ending.footer is None:
        return CUT_SHORT
    footer = ending.footer
    differences, known = footer.count("differences"), footer.count("known")
    return (
        f"{footer.text('conclusion')}: {counted(footer.count('audited'), 'loaded tokenizer')} audited, "
        f"{footer.count('differing'):,} with differences; {counted(differences, 'difference')}, "
        f"{footer.count('witnessed'):,} of them with a witness" + (f", {known:,} known" if known else "")
    )


def _special_tokens(defaults: Node) -> Iterator[tuple[str, str, int | None]]:
    for each in defaults.nodes("special_tokens"):
        yield each.text("role"), each.text("content"), each.count("id") if each.holds("id") else None


def _shown(value: Any) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return str(value).lower()
        case list():
            return ", ".join(map(str, value))
        case _:
            return str(value)


# Differences ---------------------------------------------------------------------------------------------------------


def _difference(line: Node, number: int) -> Finding:
    """Return a component that the loader has otherwise, with what shows it."""
    tokenizer, loader = _place(line)
    impact = line.node("impact") if line.holds("impact") else None
    known = named_entry(line.node("known")) if line.holds("known") else ""
    stage = line.text("stage")
    plain = Finding(
        id=f"difference-{number}",
        group="differences",
        headline=f"{line.text('name')}: {line.text('words')}",
        implementation=loader,
        tokenizer=tokenizer,
        stage=stage,
        reason=line.text("component"),
        standing=Novelty.KNOWN if known else Novelty.NEW,
        count=0 if impact is None else impact.count("any"),
        impact="" if impact is None else _impact(impact),
        lines=tuple(_changes(line)),
        pipeline=pipeline_of(stage) if stage in map(str, STAGE_ORDER) else (),
        known=known,
    )
    return _with_witness(plain, line.node("witness"))


def _impact(impact: Node) -> str:
    ids, total, other = impact.count("ids"), impact.count("inputs"), impact.count("any")
    more = f", any field of {other:,}" if other > ids else ""
    return f"touches the ids or text of {ids:,} of {counted(total, 'input')}{more}"


def _changes(line: Node) -> Iterator[str]:
    changes = line.nodes("changes")
    for each in changes:
        raw, loaded = (each.text_or_none(key) or "nothing" for key in ("raw", "loaded"))
        yield f"{each.text('path')}: {raw} -> {loaded}"
    left = line.count("count") - len(changes)
    if left > 0:
        yield f"and {counted(left, 'place')} more"


def _with_witness(finding: Finding, witness: Node) -> Finding:
    """Return ``finding`` with the answers that show it, or with why there are none."""
    if not witness.flag("found"):
        reason = witness.text("reason") or f"none in {counted(witness.count('inputs'), 'input')} shows it"
        return replace(finding, explanation=f"No witness: {reason}")
    question = question_of(witness.value["question"])
    shown = replace(
        finding,
        subjects=subjects_of(question),
        facts=(*finding.facts, Fact("question", describe(question))),
    )
    raw, loader = witness.value["raw"], finding.implementation
    if witness.has("call"):
        return replace(shown, answers=_called(raw, witness.node("call"), loader), lines=(*shown.lines, *_call(witness)))
    confirmation = Confirmation[witness.text("confirmation").upper()]
    difference = difference_of(witness.value["difference"])
    answers = sides_of((RAW, loader), (raw, witness.value["loaded"]))
    if confirmation is not Confirmation.SAME:
        answers = (*answers, answer_of(CHANGED, witness.value["replaced"]))
    return replace(
        shown,
        answers=answers,
        lines=(*shown.lines, *window(difference, RAW, CHANGED)),
        explanation=f"{loader} {CONFIRMED[confirmation]}",
    )


def _called(raw: Json, call: Node, loader: str) -> tuple[Answer, ...]:
    """Return the encoding of the file beside the ids that a call of the loader's object gives."""
    if not call.has("input_ids"):
        return (answer_of(RAW, raw), Answer(loader, text="a call gives no input_ids"))
    ids = tuple(Token("", each.as_count()) for each in call.nodes("input_ids"))
    return marked(answer_of(RAW, raw), Answer(loader, ids, total=len(ids)))


def _call(witness: Node) -> Iterator[str]:
    for name, values in witness.node("call").members():
        yield f"a call gives {name} {', '.join(str(each.value) for each in values.entries()) or 'nothing'}"


LOADER_AUDITS = PageKind("an audit of loaders", FORMAT, LoaderAuditReader)
