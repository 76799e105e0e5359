"""The page of an audit of Unicode behaviour: which tables of Unicode explain what an implementation does."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tokenizer_conformance.plural import counted, few
from tokenizer_conformance.research.unicode_audit.explaining import version_ranges
from tokenizer_conformance.research.unicode_audit.properties import FORMS, TRIED
from tokenizer_conformance.results.figures import NONE
from tokenizer_conformance.results.headlines import headlines_of
from tokenizer_conformance.results.outcomes import ON_TOKENIZERS, Outcome, Outcomes, Result, Wording
from tokenizer_conformance.results.page import (
    Answer,
    Cell,
    Compared,
    Drawing,
    Fact,
    Matrix,
    Novelty,
    Page,
    Section,
    ShownFinding,
    State,
    Subject,
    Table,
)
from tokenizer_conformance.results.plots.plot import HeatMap
from tokenizer_conformance.results.recorded_page import (
    CUT_SHORT,
    PageReader,
    RecordedPage,
    environment_facts,
    outcome_of,
    page_state,
)
from tokenizer_conformance.results.records import unicode_audit as lines
from tokenizer_conformance.results.records.headers import ImplementationMissing
from tokenizer_conformance.results.sentences import said_once

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.results.records.ending import Ended
    from tokenizer_conformance.results.records.value import Value

MOST_RANGES = 12
"""How many ranges of code points are shown; the record has all."""

MOST_TEXTS = 8

ABOUT = (
    (
        "A behaviour is explained where a rule with the tables of a version says of every character what is done with "
        "it. Where no version does, the nearest is named, and what it leaves stands with the findings."
    ),
    (
        "The documents that ask are made for this, and are no tokenizers in use: an implementation that knows certain "
        "tokenizers only may load one and take no notice of a component, or take it for another one that it knows."
    ),
)

ABOUT_VERSIONS = (
    "The versions of Unicode whose tables explain what each implementation does; the stronger the colour of a cell, "
    "the newer the last of them. A cell has no colour where all versions that were tried explain it, or none does: "
    "then ≠ stands before the nearest. – stands where the implementation was not asked, or cannot be."
)

NO_EFFECT = "it is loaded, and has no effect on any character"


BEHAVIOURS = Wording(
    ("behaviour", "behaviours"),
    {
        **ON_TOKENIZERS.verbs,
        Result.DIFFERS: ("follows no version of Unicode in {}", "follow no version of Unicode in {}"),
        Result.NOT_SHOWN: ("cannot be asked about {}", "cannot be asked about {}"),
        Result.CONFORMS: ("follows a version of Unicode in {}", "follow a version of Unicode in {}"),
    },
)
"""What is said of implementations whose behaviour is explained."""


class UnicodeAuditReader(PageReader[lines.Header]):
    """Reads the record of an audit of Unicode behaviour."""

    def __init__(self, name: str, header: lines.Header) -> None:
        super().__init__(name, header)
        named = header.implementations
        self._names = [_with_version(each.name, each.version) for each in named]
        self._seen: dict[tuple[str, str], lines.Behaviour] = {}
        self._not_asked: dict[tuple[str, str], lines.NotAsked] = {}
        self._missing: list[str] = []
        self._unexplained: list[ShownFinding] = []
        self._disagreements: list[ShownFinding] = []
        self._differences: list[ShownFinding] = []
        self._footer: lines.Footer | None = None

    def take(self, line: Value) -> None:
        """Take in a ``line``."""
        match line:
            case ImplementationMissing():
                self._missing.append(line.name)
                self.complaints.append(line.reason)
            case lines.Behaviour():
                self._seen[_key(line)] = line
                if not line.is_explained:
                    self._unexplained.append(_unexplained(line, len(self._unexplained) + 1))
            case lines.NotAsked():
                self._not_asked[_key(line)] = line
            case lines.Disagreement():
                self._disagreements.append(_disagreement(line, len(self._disagreements) + 1))
            case lines.Difference():
                self._differences.append(_difference(line, len(self._differences) + 1))
            case lines.Footer():
                self._footer = line

    def page(self, ended: Ended) -> Page:
        """Return the page of the audit."""
        header = self._header
        findings = (*self._unexplained, *self._differences, *self._disagreements)
        matrices = tuple(self._matrices())
        outcomes = Outcomes(tuple(self._outcomes()), BEHAVIOURS)
        return Page(
            name=self._name,
            kind="audit of Unicode behaviour",
            title=f"Unicode behaviour of {few(self._names, 'implementation')}",
            state=page_state(ended, outcomes=outcomes),
            conclusion=ended.conclusion.value,
            summary=_summary(self._footer),
            headline=f"{outcomes.headline(ended)}{_also_failing(self._footer)}",
            outcomes=outcomes,
            sentences=tuple(said_once(self._sentences())),
            facts=(
                *environment_facts(header.environment),
                Fact("behaviours", f"{header.behaviours:,}"),
                Fact("tables", f"Unicode {header.oldest} to {header.newest}"),
            ),
            compared=tuple(
                Compared(each.name, each.version, "audited", each.language) for each in header.implementations
            ),
            complaints=(*ended.complaints, *self.complaints),
            matrices=matrices,
            headlines=headlines_of(findings),
            findings=findings,
            counted="characters or texts",
            sections=(*self._pictures(), self._rules()),
        )

    def _outcomes(self) -> Iterator[Outcome]:
        for implementation, behaviour in (*self._seen, *self._not_asked):
            yield outcome_of(implementation, behaviour, [self._cell(implementation, behaviour)])
        yield from (Outcome(name, "", Result.UNAVAILABLE) for name in self._missing)

    def _sentences(self) -> Iterator[tuple[str, str]]:
        """Say of each implementation how much of what it does some version of Unicode explains."""
        for name in self._names:
            seen = [line for (implementation, _), line in self._seen.items() if implementation == name]
            explained = sum(line.is_explained for line in seen)
            not_asked = sum(implementation == name for implementation, _ in self._not_asked)
            disagreeing = sum(each.implementation == name for each in self._disagreements)
            questions = counted(disagreeing, "question")
            yield (
                name,
                (
                    f"{explained:,} of {counted(len(seen), 'behaviour')} explained exactly"
                    + (f", {not_asked:,} cannot be asked" if not_asked else "")
                    + (f"; components disagree with one another on {questions}" if disagreeing else "")
                    + "."
                ),
            )

    def _matrices(self) -> Iterator[Matrix]:
        behaviours = dict.fromkeys(behaviour for _, behaviour in (*self._seen, *self._not_asked))
        rows = tuple((_asked_as(each), tuple(self._cell(name, each) for name in self._names)) for each in behaviours)
        if rows:
            yield Matrix("The version of Unicode that explains each behaviour", "behaviour", tuple(self._names), rows)

    def _cell(self, name: str, behaviour: str) -> Cell:
        line, not_asked = self._seen.get((name, behaviour)), self._not_asked.get((name, behaviour))
        of = {"implementation": name, "reason": behaviour}
        if line is not None:
            is_found = any((each.implementation, each.reason) == (name, behaviour) for each in self._differences)
            rule = f"{line.rule}; {line.about}"
            if line.is_explained:
                return Cell(State.AGREE, versions_of(line), rule, of if is_found else {})
            text = "no effect" if not line.members else f"nearest {versions_of(line)}"
            return Cell(State.DIFFER, text, rule, of)
        if not_asked is not None:
            return Cell(State.UNSUPPORTED, "cannot be asked", not_asked.reason)
        return Cell(State.NOT_COMPARED, "not reached")

    # Sections

    def _pictures(self) -> Iterator[Section]:
        """Yield a heat map of the versions, of the behaviours that are not the same in all by their definition."""
        told = {
            behaviour: [self._seen.get((name, behaviour)) for name in self._names]
            for behaviour in dict.fromkeys(behaviour for _, behaviour in self._seen)
        }
        shown = {name: row for name, row in told.items() if any(each and not each.fixed for each in row)}
        if shown:
            plot = HeatMap(
                "Unicode version by component and implementation",
                tuple(shown),
                tuple(tuple(_place(each) if each else None for each in row) for row in shown.values()),
                tuple(self._names),
                texts=tuple(tuple(_short(each) if each else NONE for each in row) for row in shown.values()),
            )
            yield Section("In pictures", drawings=(Drawing(plot, ABOUT_VERSIONS),), is_first=True, is_detail=True)

    def _rules(self) -> Section:
        rows = tuple(
            (
                name,
                behaviour,
                line.question,
                line.rule,
                versions_of(line),
                "yes" if line.is_explained else "no",
                line.members,
                line.residual.count,
            )
            for (name, behaviour), line in self._seen.items()
        )
        columns = (
            "implementation", "behaviour", "question", "rule", "Unicode", "explained", "characters", "left unexplained",
        )  # fmt: skip
        counts = Counter(name for (name, _), line in self._seen.items() if line.is_explained)
        note = ", ".join(f"{name}: {count:,} explained" for name, count in counts.items())
        table = Table("What each behaviour follows", columns, rows, note)
        return Section("Rules", ABOUT, tables=(table,), is_detail=True)


# Lines ---------------------------------------------------------------------------------------------------------------


def _key(line: lines.Behaviour | lines.NotAsked) -> tuple[str, str]:
    return called(line), line.behaviour


def called(line: lines.Behaviour | lines.NotAsked | lines.Disagreement | lines.Named) -> str:
    """Return the implementation of a line with its version."""
    return _with_version(line.implementation, line.implementation_version)


def _with_version(name: str, version: str) -> str:
    """Return an implementation with its version, where its name does not say that already.

    >>> _with_version("tokenizers==0.23.3", "0.23.3"), _with_version("reference", "0.1.0")
    ('tokenizers==0.23.3', 'reference 0.1.0')
    """
    return name if name.endswith(f"=={version}") else f"{name} {version}"


def versions_of(line: lines.Behaviour) -> str:
    """Return the versions of a line as people write them."""
    versions = line.versions
    if line.fixed:
        return "any"
    return version_ranges(versions) if {*versions} <= {*TRIED} else ", ".join(versions)


def _place(line: lines.Behaviour) -> float | None:
    """Return where the newest version that explains a behaviour stands among those tried, from 0 to 1.

    It has no place where no version explains the behaviour, or all do.
    """
    versions = {*line.versions}
    if not line.is_explained or line.fixed or versions == {*TRIED} or not versions <= {*TRIED}:
        return None
    return max(map(TRIED.index, versions)) / (len(TRIED) - 1)


def _short(line: lines.Behaviour) -> str:
    """Return the versions of a line so short that they fit into a cell."""
    if not line.members:
        return "no effect"
    first, last = line.versions[0], line.versions[-1]
    told = first if first == last else f"{first.removesuffix('.0')}–{last.removesuffix('.0')}"
    return f"≠ {told}" if not line.is_explained else "any" if line.fixed else told


def _summary(footer: lines.Footer | None) -> str:
    if footer is None:
        return CUT_SHORT
    return (
        f"{counted(footer.explained, 'behaviour')} explained exactly, {footer.unexplained:,} that no version explains, "
        f"{footer.not_asked:,} that cannot be asked, {counted(footer.disagreeing, 'disagreement')} within "
        f"implementations, {footer.differing:,} that implementations do differently"
    )


def _also_failing(footer: lines.Footer | None) -> str:
    """Return what fails beside behaviours that no version explains, empty where nothing does."""
    if footer is None or not footer.differing:
        return ""
    return f"; {counted(footer.differing, 'difference')} between implementations"


def _asked_as(behaviour: str) -> str:
    """Return a behaviour with what its name alone leaves open.

    >>> _asked_as("NFC"), _asked_as("NFC pairs")
    ('NFC, single characters', 'NFC pairs')
    """
    if behaviour in FORMS:
        return f"{behaviour}, single characters"
    return f"{behaviour}, a map that the audit gives" if behaviour.startswith("SentencePiece ") else behaviour


def _shortened(ranges: str) -> str:
    """Return the first of ``ranges`` of code points, and how many more there are.

    >>> _shortened("0041 0061..007A")
    '0041 0061..007A'
    """
    each = ranges.split()
    more = f" and {len(each) - MOST_RANGES:,} ranges more" if len(each) > MOST_RANGES else ""
    return " ".join(each[:MOST_RANGES]) + more


# Findings ------------------------------------------------------------------------------------------------------------


def _unexplained(line: lines.Behaviour, number: int) -> ShownFinding:
    """Return what no version of Unicode explains, beside the nearest rule."""
    residual = line.residual
    examples = residual.examples
    first = examples[0] if examples else None
    name, members = called(line), line.members
    rule = f"{line.rule} of Unicode {versions_of(line)}"
    headline = f"no version of Unicode explains it; nearest is {rule}" if members else NO_EFFECT
    return ShownFinding(
        id=f"unexplained-{number}",
        group="unexplained behaviours",
        headline=f"{line.behaviour}: {headline}",
        implementation=name,
        stage=line.question,
        reason=line.behaviour,
        standing=Novelty.NEW,
        count=residual.count,
        impact=f"{residual.count:,} of {members:,} characters or texts" if members else "no effect",
        subjects=() if first is None else (_subject(first.text),),
        answers=() if first is None else (_answer("by the rule", first.expected), _answer(name, first.seen)),
        lines=tuple(_residual(line)),
        facts=(
            Fact("about", line.about),
            Fact("nearest rule", rule),
            Fact("how it was asked", line.way),
        ),
    )


def _residual(line: lines.Behaviour) -> Iterator[str]:
    residual = line.residual
    for key, words in (("more", "beyond the rule"), ("fewer", "of the rule missing"), ("other", "otherwise")):
        ranges = getattr(residual, key)
        if ranges:
            yield f"{words}: {_shortened(ranges)}"
    texts = residual.texts
    if texts:
        yield f"texts otherwise: {', '.join(texts[:MOST_TEXTS])}{' …' if len(texts) > MOST_TEXTS else ''}"
    for each in residual.examples[1:]:
        text, seen, expected = (points(getattr(each, key)) for key in ("text", "seen", "expected"))
        yield f"{text}: {seen}, by the rule {expected}"
    for key, words in (("unanswered", "no answer over"), ("contradicted", "alone treated otherwise than among others")):
        if getattr(line, key):
            yield f"{words}: {_shortened(getattr(line, key))}"


def points(text: str) -> str:
    """Return the code points of ``text`` as people write them."""
    return " ".join(f"U+{ord(each):04X}" for each in text) or "nothing"


def _disagreement(line: lines.Disagreement, number: int) -> ShownFinding:
    """Return a question that two parts of one implementation decide differently; that alone fails nothing."""
    one, other, example = line.one, line.other, line.example
    told = line.told
    count = line.count
    return ShownFinding(
        id=f"disagreement-{number}",
        group="disagreements within an implementation",
        headline=f"{line.question}: {one} and {other} disagree on {counted(count, 'character')}",
        implementation=called(line),
        stage=line.question,
        reason=f"{one}, {other}",
        standing=Novelty.ACCEPTABLE,
        count=count,
        impact=counted(count, "character"),
        subjects=(_subject(example),),
        answers=(_answer(one, told[0]), _answer(other, told[1])),
        lines=(_shortened(line.code_points),),
    )


def _difference(line: lines.Difference, number: int) -> ShownFinding:
    """Return a behaviour that two implementations do differently."""
    one, other = (called(getattr(line, key)) for key in ("one", "other"))
    behaviour, count, texts = line.behaviour, line.count, line.texts
    what = counted(count, "text" if texts else "character")
    shown = ", ".join(texts[:MOST_TEXTS]) if texts else _shortened(line.code_points)
    return ShownFinding(
        id=f"difference-{number}",
        group="differences between implementations",
        headline=f"{behaviour}: {other} and {one} differ on {what}",
        implementation=other,
        reason=behaviour,
        standing=Novelty.NEW,
        count=count,
        impact=what,
        subjects=(_subject(texts[0]),) if texts else (),
        lines=(shown,),
        facts=(Fact("beside", one),),
    )


def _subject(text: str) -> Subject:
    return Subject("text", text, length=len(text))


def _answer(side: str, text: str) -> Answer:
    return Answer(side, text=text, total=len(text))


UNICODE_AUDITS = RecordedPage("an audit of Unicode behaviour", lines.FORMAT, UnicodeAuditReader)
