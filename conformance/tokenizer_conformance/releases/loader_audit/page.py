"""The page of an audit of loaders: what a loader replaces of a tokenizer.json, and what that does."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from tokenizer_adapters.contract import PIPELINE_STAGES
from tokenizer_conformance.comparison.component_differences import Component
from tokenizer_conformance.comparison.record_forms import difference_of, question_of
from tokenizer_conformance.comparison.wording import describe, window
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.plural import counted, few
from tokenizer_conformance.releases.loader_audit.stages import ANSWERS, STAGES
from tokenizer_conformance.releases.loader_audit.witness import Confirmation
from tokenizer_conformance.releases.loader_audit.wording import CONFIRMED
from tokenizer_conformance.results.answers import answer_of, marked, pipeline_of, sides_of, subjects_of
from tokenizer_conformance.results.carriers import carrier_lines
from tokenizer_conformance.results.headlines import headlines_of
from tokenizer_conformance.results.outcomes import ON_TOKENIZERS, Outcome, Outcomes, Result, Wording
from tokenizer_conformance.results.page import (
    Answer,
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
    Token,
)
from tokenizer_conformance.results.recorded_page import (
    CUT_SHORT,
    PageReader,
    RecordedPage,
    entry_words,
    environment_facts,
    outcome_of,
    page_state,
    stale_words,
)
from tokenizer_conformance.results.records import loader_audit as lines
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.headers import ImplementationMissing, Refused
from tokenizer_conformance.results.sentences import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenizer_conformance.results.records.ending import Ended
    from tokenizer_conformance.results.records.value import Value

Json = dict[str, Any]


LOADING = Wording(
    ON_TOKENIZERS.noun,
    {
        **ON_TOKENIZERS.verbs,
        Result.DIFFERS: ("does not keep to the file of {}", "do not keep to the file of {}"),
        Result.KNOWN: ("leaves the file of {} only as is known", "leave the file of {} only as is known"),
        Result.CONFORMS: ("keeps to the file of {}", "keep to the file of {}"),
    },
)
"""What is said of loaders."""

CHANGED = Wording(
    ON_TOKENIZERS.noun,
    {
        **ON_TOKENIZERS.verbs,
        Result.DIFFERS: ("differs from {}", "differ from {}"),
        Result.CONFORMS: ("is the same as {}", "are the same as {}"),
    },
)
"""What is said of a file that was changed."""


CONVERTED = Wording(
    ON_TOKENIZERS.noun,
    {
        **ON_TOKENIZERS.verbs,
        Result.DIFFERS: ("is not faithful to {}", "are not faithful to {}"),
        Result.KNOWN: (
            "says of {} all that its format can say, which is not all",
            "say of {} all that their format can say, which is not all",
        ),
        Result.CONFORMS: ("is faithful to {}", "are faithful to {}"),
    },
)
"""What is said of a conversion."""

PARTLY_CONVERTED = Wording(
    ON_TOKENIZERS.noun,
    {
        **CONVERTED.verbs,
        Result.CONFORMS: (
            "says the same as {} in all that was compared",
            "say the same as {} in all that was compared",
        ),
    },
)
"""The same of one of which something that it says could not be compared."""


@dataclass(frozen=True, slots=True)
class Says:
    """What a page says of either side.

    ``raw`` reads the tokenizer.json as it stands; ``changed`` has this one component as the other side has it. Then:
    the kind of page, the title of the matrix, what is said where nothing differs, of a component and of all, where
    something does, and of answers that no replaced component explains. What is ``left_out`` is not compared.
    """

    raw: str = "the file"
    changed: str = "the file so changed"
    kind: str = "audit of loaders"
    matrix: str = "Loaded by {loader}"
    same: str = "as in the file"
    all_same: str = "every component is as in the file"
    differs: str = "differs in"
    unexplained: str = " that no replaced component explains"
    confirmed: Mapping[Confirmation, str] = field(default_factory=lambda: CONFIRMED)
    outcome: Wording = LOADING
    left_out: frozenset[Component] = frozenset({Component.CHAT_TEMPLATE})


OF_FILES = Says(
    raw="before",
    changed="before, with this part of now",
    kind="comparison of two tokenizer files",
    matrix="What changed in {loader}",
    same="the same",
    all_same="every part is the same",
    differs="changed:",
    unexplained="",
    outcome=CHANGED,
    left_out=frozenset({Component.DEFAULTS, Component.CHAT_TEMPLATE}),
    confirmed={
        Confirmation.SAME: "answers so: this part alone makes the difference",
        Confirmation.OTHER: "answers in a third way: other parts that changed act on this, too",
        Confirmation.HIDDEN: "answers as before: another part that changed hides this",
        Confirmation.NOT_SHOWN: "does not show this",
    },
)

OF_CONVERSIONS = Says(
    raw="the tokenizer.json",
    changed="the tokenizer.json, with this part of the conversion",
    kind="audit of a conversion",
    matrix="What {loader} says",
    same="the same",
    all_same="all that it says is the same",
    differs="says otherwise:",
    unexplained="",
    outcome=CONVERTED,
    left_out=frozenset({Component.TRUNCATION, Component.PADDING}),
    confirmed={
        Confirmation.SAME: "answers so, too",
        Confirmation.OTHER: "answers in a third way: other parts of the conversion, or the engine, act on this, too",
        Confirmation.HIDDEN: "answers as the tokenizer.json does: another part, or the engine, hides this",
        Confirmation.NOT_SHOWN: "does not show this",
    },
)

SAYS = {"loader": Says(), "files": OF_FILES, "conversion": OF_CONVERSIONS}

FEW = 3
"""Of so many tokenizers each component has a cell; more are told in one line each."""

LOADED_AS, OTHERWISE = "loaded as", "other than in the file"

IN_ONE_LINE = (LOADED_AS, OTHERWISE, ANSWERS)

Place = tuple[str, str]
"""A tokenizer, and who has loaded it."""


class LoaderAuditReader(PageReader[lines.Header]):
    """Reads the record of an audit of loaders."""

    def __init__(self, name: str, header: lines.Header) -> None:
        super().__init__(name, header)
        self._not_loaded: dict[Place, lines.NotLoaded] = {}
        self._loaded: dict[Place, lines.Loaded] = {}
        self._answers: dict[Place, lines.Answers] = {}
        self._footer: lines.Footer | None = None
        self._differences: list[ShownFinding] = []
        self._missing: list[str] = []
        self._found: list[ShownFinding] = []
        self._texts: list[lines.Texts] = []
        self._says = SAYS[header.audit]

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
            case lines.Loaded():
                self._loaded[_place(line)] = line
            case lines.Difference():
                number, engine = len(self._differences) + 1, self._header.engine
                name = None if engine is None else engine.name
                self._differences.append(_difference(line, number, self._says, name))
            case lines.Answers():
                self._answers[_place(line)] = line
                for each in line.findings:
                    self._found.append(self._finding(line, each, len(self._found) + 1))
            case lines.Texts():
                self._texts.append(line)
            case lines.Footer():
                self._footer = line

    def _finding(self, line: lines.Answers, found: lines.Finding, number: int) -> ShownFinding:
        """Return answers that differ otherwise than the pipeline that was loaded makes them differ."""
        loader, known = line.loader, "" if found.known is UNSET else entry_words(found.known)
        question, difference = question_of(json_of(found.question)), difference_of(json_of(found.difference))
        what = str(difference.kind) if difference.field is None else f"{difference.field} {difference.kind}"
        return ShownFinding(
            id=f"answers-{number}",
            group="answers",
            headline=f"{found.stage}: {what}{self._says.unexplained}; {describe(question)}",
            implementation=loader,
            tokenizer=line.tokenizer,
            stage=found.stage,
            reason=ANSWERS,
            standing=Novelty.KNOWN if known else Novelty.NEW,
            known=known,
            count=found.inputs,
            impact=f"{counted(found.inputs, 'input')} of {line.inputs:,}",
            subjects=subjects_of(question),
            answers=sides_of((self._says.raw, loader), (json_of(found.raw), json_of(found.loaded))),
            window=tuple(window(difference, self._says.raw, loader)),
            pipeline=pipeline_of(found.stage),
        )

    def page(self, ended: Ended) -> Page:
        """Return the page of the audit."""
        header = self._header
        findings = (*self._differences, *self._found)
        outcomes = Outcomes(tuple(self._outcomes()), PARTLY_CONVERTED if header.unsaid else self._says.outcome)
        return Page(
            name=self._name,
            kind=self._says.kind,
            title=self._title(),
            state=page_state(ended, outcomes=outcomes),
            conclusion=ended.conclusion.value,
            summary=_summary(self._footer, self._header.audit),
            headline=outcomes.headline(ended),
            outcomes=outcomes,
            sentences=(*self._sentences(), *plain(stale_words(() if self._footer is None else self._footer.stale))),
            facts=(*environment_facts(header.environment), *self._facts()),
            compared=tuple(self._compared()),
            complaints=(*ended.complaints, *self.complaints),
            matrices=tuple(self._matrices()),
            headlines=headlines_of(findings),
            findings=findings,
            sections=tuple(self._sections()),
        )

    def _title(self) -> str:
        header = self._header
        tokenizers = few([each.name for each in header.tokenizers], "tokenizer")
        loaders = few([each.name for each in header.loaders], "loader")
        titles = {
            "loader": f"{tokenizers} as loaded by {loaders}",
            "files": f"What changed from {tokenizers} to {loaders}",
            "conversion": f"{tokenizers} converted: {loaders}",
        }
        return titles[header.audit]

    def _compared(self) -> Iterator[Compared]:
        baseline = self._header.baseline
        yield Compared(baseline.name, baseline.version, "baseline" if self._header.new is None else "asked")
        for each in self._header.loaders if self._header.new is None else ():
            yield Compared(each.name, each.version, "loader")

    def _outcomes(self) -> Iterator[Outcome]:
        for loader in self._header.loaders:
            for each in self._header.tokenizers:
                place = each.name, loader.name
                yield outcome_of(loader.name, each.name, [self._cell(place, column) for column in self._columns])
        yield from (Outcome(name, "", Result.UNAVAILABLE) for name in self._missing)

    def _sentences(self) -> Iterator[Sentence]:
        """Say of each tokenizer whether it is loaded as its file says, and what differs where it is not."""
        if self._is_long:
            yield from self._of_many()
        for (tokenizer, loader), refused in self._not_loaded.items():
            who = f"{tokenizer}, by {loader}" if self._header.new is None else f"{tokenizer} -> {loader}"
            yield Sentence(f"{who}: not loaded: {refused.reason}", (tokenizer, loader))
        for place, line in () if self._is_long else self._loaded.items():
            others = ", ".join(each.reason for each in self._differences if _of(each) == place)
            said = f"{self._says.differs} {others}" if others else self._says.all_same
            if line.no_structure:
                said = f"its components cannot be compared: {line.no_structure}"
            who = f"{place[0]}, by {place[1]}" if self._header.new is None else f"{place[0]} -> {place[1]}"
            yield Sentence(f"{who}: {said}. {self._answered(place)}", place)
        for texts in self._texts:
            yield from plain(_texts_sentences(texts))
        yield from plain(f"Not compared: {each}." for each in self._header.unsaid)

    @property
    def _columns(self) -> tuple[str, ...]:
        """What is compared of a tokenizer that was loaded; two files say all that they say themselves."""
        parts = (each for each in STAGES if each not in self._says.left_out)
        return (*(each.value for each in parts), ANSWERS)

    @property
    def _is_long(self) -> bool:
        """Whether so many tokenizers were audited that each is told in one line of a table, and nowhere else."""
        return len(self._header.tokenizers) > FEW

    def _of_many(self) -> Iterator[Sentence]:
        """Say of each loader how many tokenizers it answers otherwise than their files do, by name."""
        for loader in self._header.loaders:
            answers = {name: line for (name, who), line in self._answers.items() if who == loader.name}
            others = [name for name, line in answers.items() if line.differing]
            named = f": {', '.join(others)}" if others else ""
            text = (
                f"{loader.name} answers otherwise than the file for {len(others):,} of "
                f"{counted(len(answers), 'tokenizer')} that it loads{named}."
            )
            yield Sentence(text, (loader.name, *others))

    def _answered(self, place: Place) -> str:
        line = self._answers.get(place)
        if line is None or not line.values:
            return "No answers were compared."
        if not line.differing:
            return f"All answers to {counted(line.inputs, 'input')} are equal."
        explained = f", {line.explained:,} of them as the pipeline that was loaded gives them"
        more = "" if self._loaded[place].no_structure or self._header.new is not None else explained
        return f"Answers to {line.differing:,} of {counted(line.inputs, 'input')} differ{more}."

    def _facts(self) -> Iterator[Fact]:
        header = self._header
        given = f", {header.given:,} of them given" if header.given else ""
        yield Fact("inputs", f"{header.inputs:,}{given}")
        yield Fact("search", f"{header.cases:,} inputs or {header.seconds:g} s a component")
        for each in header.tokenizers:
            yield Fact("file", f"{each.name}: {each.file} (SHA-256 {each.sha256[:16]}…)")
        if header.audit == "conversion":
            # The facts are printed before it is told that llama.cpp refuses the file.
            none = "none that has loaded the file"
            asked = none if header.engine is None else f"{header.engine.name} {header.engine.version}"
            yield Fact("engine", asked)
        if header.new is not None:
            yield Fact("new file", f"{header.new.name}: {header.new.file} (SHA-256 {header.new.sha256[:16]}…)")

    # Matrices

    def _matrices(self) -> Iterator[Matrix]:
        columns = IN_ONE_LINE if self._is_long else self._columns
        for loader in self._header.loaders:
            rows = tuple(
                (each.name, tuple(self._cell((each.name, loader.name), column) for column in columns))
                for each in self._header.tokenizers
            )
            name = loader.name if self._header.new is not None else f"{loader.name} {loader.version}"
            yield Matrix(self._says.matrix.format(loader=name), "tokenizer", columns, rows)

    def _cell(self, place: Place, column: str) -> Cell:
        loaded = self._loaded.get(place)
        if loaded is None:
            return self._not_loaded_cell(place)
        if column == ANSWERS:
            return self._answers_cell(place)
        if column == LOADED_AS:
            return Cell(State.AGREE, "loaded" if loaded.defaults is None else loaded.defaults.loader)
        if column == OTHERWISE:
            return self._otherwise_cell(place, loaded)
        return self._component_cell(place, loaded, column)

    def _not_loaded_cell(self, place: Place) -> Cell:
        refused, of_file = self._not_loaded.get(place), self._not_loaded.get((place[0], self._header.baseline.name))
        if refused is not None:
            state = State.UNSUPPORTED if refused.unsupported else State.ERROR
            return Cell(state, "not loaded", refused.reason)
        if of_file is not None:
            return Cell(State.ERROR, "file not loaded", of_file.reason)
        return Cell(State.NOT_COMPARED, "not reached")

    def _component_cell(self, place: Place, loaded: lines.Loaded, column: str) -> Cell:
        of = {"tokenizer": place[0], "implementation": place[1], "reason": column}
        found = [each for each in self._differences if _of(each) == place and each.reason == column]
        if found:
            is_new = any(each.standing is Novelty.NEW for each in found)
            words = "; ".join(each.headline for each in found)
            return Cell(State.DIFFER if is_new else State.KNOWN, counted(len(found), "difference"), words, of)
        if self._header.audit == "conversion" and column not in self._header.compared:
            return Cell(State.NOT_COMPARED, "not said")
        if column == Component.DEFAULTS and self._header.new is None:
            if loaded.defaults is None:
                return Cell(State.UNSUPPORTED, "not shown")
        elif loaded.no_structure:
            return Cell(State.UNSUPPORTED, "not shown", loaded.no_structure)
        return Cell(State.AGREE, self._says.same)

    def _otherwise_cell(self, place: Place, loaded: lines.Loaded) -> Cell:
        """Return all parts that differ in one cell."""
        found = [each for each in self._differences if _of(each) == place]
        if not found:
            same = Cell(State.AGREE, "nothing")
            return Cell(State.UNSUPPORTED, "not shown", loaded.no_structure) if loaded.no_structure else same
        is_new = any(each.standing is Novelty.NEW for each in found)
        words = "; ".join(each.headline for each in found)
        named = ", ".join(dict.fromkeys(each.reason for each in found))
        of = {"tokenizer": place[0], "implementation": place[1]}
        return Cell(State.DIFFER if is_new else State.KNOWN, named, words, of)

    def _answers_cell(self, place: Place) -> Cell:
        line = self._answers.get(place)
        if line is None or not line.values:
            return Cell(State.NOT_COMPARED, "nothing compared")
        if not line.differing:
            return Cell(State.AGREE, counted(line.inputs, "input"))
        found = [each for each in self._found if _of(each) == place]
        replaced = [each for each in self._differences if _of(each) == place]
        of = {"tokenizer": place[0], "implementation": place[1]} if found or replaced else {}
        of |= {"reason": ANSWERS} if found else {}
        # What the replaced components explain is known where a ledger knows all of these.
        is_known = bool(replaced) and not found and all(each.standing is Novelty.KNOWN for each in replaced)
        text = f"{line.differing:,} of {counted(line.inputs, 'input')}"
        return Cell(State.KNOWN if is_known else State.DIFFER, text, f"{line.explained:,} explained", of)

    # Sections

    def _sections(self) -> Iterator[Section]:
        kept = [(place, line.defaults) for place, line in self._loaded.items() if line.defaults is not None]
        tokens = tuple(
            (*place, defaults.loader, each.role, each.content, each.id)
            for place, defaults in kept
            for each in defaults.special_tokens
        )
        settings = tuple(
            (*place, name, _shown(value)) for place, defaults in kept for name, value in defaults.settings.items()
        )
        tables = (
            Table("Special tokens", ("tokenizer", "loader", "class", "role", "content", "id"), tokens),
            Table("Settings", ("tokenizer", "loader", "setting", "value"), settings),
        )
        if tokens or settings:
            yield Section("What loaders keep beside the pipeline", tables=tuple(each for each in tables if each.rows))


def _place(line: lines.NotLoaded | lines.Loaded | lines.Difference | lines.Answers) -> Place:
    return line.tokenizer, line.loader


def _of(finding: ShownFinding) -> Place:
    return finding.tokenizer, finding.implementation


def _texts_sentences(line: lines.Texts) -> Iterator[str]:
    """Say which parts of two files carry the difference, and which inputs are encoded differently."""
    if line.exchanged is not None:
        yield from (
            f"{each[:1].upper()}{each[1:]}." for each in carrier_lines(line.exchanged, line.tokenizer, line.loader)
        )
    if line.examples:
        left = line.encoded - len(line.examples)
        more = f", and {left:,} more" if left > 0 else ""
        yield f"Encoded differently: {', '.join(map(quoted, line.examples))}{more}."


def _summary(footer: lines.Footer | None, audit: str) -> str:
    if footer is None:
        return CUT_SHORT
    if audit == "conversion":
        lost = f", {footer.known:,} that no file of its format can say" if footer.known else ""
        return (
            f"{counted(footer.differences, 'difference')}, {footer.witnessed:,} of them with a text that shows it{lost}"
        )
    if audit == "files":
        return f"{counted(footer.differences, 'part')} changed, {footer.witnessed:,} of them with a text that shows it"
    return (
        f"{counted(footer.audited, 'loaded tokenizer')} audited, {footer.differing:,} with differences; "
        f"{counted(footer.differences, 'difference')}, {footer.witnessed:,} of them with a witness"
        + (f", {footer.known:,} known" if footer.known else "")
    )


def _shown(value: Any) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return str(value).lower()
        case tuple():
            return ", ".join(map(str, value))
        case _:
            return str(value)


# Differences ---------------------------------------------------------------------------------------------------------


def _difference(line: lines.Difference, number: int, says: Says, engine: str | None) -> ShownFinding:
    """Return a component that the loader has otherwise, with what shows it; ``engine`` was asked with a conversion."""
    impact, known = line.impact, "" if line.known is None else entry_words(line.known)
    plain = ShownFinding(
        id=f"difference-{number}",
        group="differences",
        headline=f"{line.name}: {line.words}",
        implementation=line.loader,
        tokenizer=line.tokenizer,
        stage=line.stage,
        reason=line.component,
        standing=Novelty.KNOWN if known else Novelty.NEW,
        count=0 if impact is None else impact.any,
        impact="" if impact is None else _impact(impact),
        lines=tuple(_changes(line)),
        pipeline=pipeline_of(line.stage) if line.stage in map(str, PIPELINE_STAGES) else (),
        known=known,
    )
    asked = line.loader if says is not OF_CONVERSIONS else engine
    return _with_witness(plain, line.witness, says, asked)


def _impact(impact: lines.Impact) -> str:
    more = f", any field of {impact.any:,}" if impact.any > impact.ids else ""
    return f"touches the ids or text of {impact.ids:,} of {counted(impact.inputs, 'input')}{more}"


def _changes(line: lines.Difference) -> Iterator[str]:
    for each in line.changes:
        yield f"{each.path}: {each.raw or 'nothing'} -> {each.loaded or 'nothing'}"
    left = line.count - len(line.changes)
    if left > 0:
        yield f"and {counted(left, 'place')} more"


def _with_witness(finding: ShownFinding, witness: lines.Witness, says: Says, asked: str | None) -> ShownFinding:
    """Return ``finding`` with the answers that show it, or with why there are none; ``asked`` was asked last."""
    if witness.question is UNSET or witness.raw is UNSET:
        inputs = 0 if witness.inputs is UNSET else witness.inputs
        reason = f"none in {counted(inputs, 'input')} shows it" if not witness.reason else witness.reason
        return replace(finding, explanation=f"No witness: {reason}")
    question, raw, loader = question_of(json_of(witness.question)), json_of(witness.raw), finding.implementation
    shown = replace(
        finding, subjects=subjects_of(question), facts=(*finding.facts, Fact("question", describe(question)))
    )
    if witness.call is not UNSET:
        given = (
            f"a call gives {name} {', '.join(map(str, values)) or 'nothing'}" for name, values in witness.call.items()
        )
        return replace(shown, answers=_called(raw, witness.call, loader, says.raw), lines=(*shown.lines, *given))
    if witness.confirmation is UNSET or witness.difference is UNSET:
        return shown
    confirmation = Confirmation[witness.confirmation.upper()]
    if asked is None or witness.loaded is UNSET:
        answers: tuple[Answer, ...] = (answer_of(says.raw, raw),)
    else:
        answers = sides_of((says.raw, asked), (raw, json_of(witness.loaded)))
    if (asked is None or confirmation is not Confirmation.SAME) and witness.replaced is not UNSET:
        answers = (*answers, answer_of(says.changed, json_of(witness.replaced)))
    return replace(
        shown,
        answers=answers,
        window=tuple(window(difference_of(json_of(witness.difference)), says.raw, says.changed)),
        explanation="" if asked is None else f"{asked} {says.confirmed[confirmation]}",
    )


def _called(raw: Json, call: dict[str, tuple[int, ...]], loader: str, file: str) -> tuple[Answer, ...]:
    """Return the encoding of the file beside the ids that a call of the loader's object gives."""
    if "input_ids" not in call:
        return (answer_of(file, raw), Answer(loader, text="a call gives no input_ids"))
    ids = tuple(Token("", each) for each in call["input_ids"])
    return marked(answer_of(file, raw), Answer(loader, ids, total=len(ids)))


LOADER_AUDITS = RecordedPage("an audit of loaders", lines.FORMAT, LoaderAuditReader)
