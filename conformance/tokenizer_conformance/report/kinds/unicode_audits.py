"""Records of ``tokconf audit unicode`` as pages: which tables of Unicode explain what an implementation does."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tokenizer_conformance.plural import counted
from tokenizer_conformance.report.kinds.headlines import headlines_of
from tokenizer_conformance.research.unicode_audit.explaining import version_ranges
from tokenizer_conformance.research.unicode_audit.properties import TRIED
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
from tokenizer_conformance.results.records.unicode_audit import FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.results.records.lines import Ending, Opening
    from tokenizer_conformance.results.records.node import Node

MOST_RANGES = 12
"""How many ranges of code points are shown; the record has all."""

MOST_TEXTS = 8

NO_EFFECT = "it is loaded, and has no effect on any character"


class UnicodeAuditReader:
    """Reads the record of an audit of Unicode behaviour."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        named = opening.header.nodes("implementations")
        self._names = [_called(each.text("name"), each.text("version")) for each in named]
        self._seen: dict[tuple[str, str], Node] = {}
        self._not_asked: dict[tuple[str, str], Node] = {}
        self._unexplained: list[Finding] = []
        self._disagreements: list[Finding] = []
        self._differences: list[Finding] = []
        self._complaints: list[str] = []

    def take(self, kind: str, line: Node) -> None:
        """Take in a ``line`` of that ``kind``."""
        match kind:
            case "implementation_missing":
                self._complaints.append(line.text("reason"))
            case "behaviour":
                self._seen[_key(line)] = line
                if not _is_explained(line):
                    self._unexplained.append(_unexplained(line, len(self._unexplained) + 1))
            case "not_asked":
                line.text("reason")
                self._not_asked[_key(line)] = line
            case "disagreement":
                self._disagreements.append(_disagreement(line, len(self._disagreements) + 1))
            case "difference":
                self._differences.append(_difference(line, len(self._differences) + 1))

    def page(self, ending: Ending) -> Page:
        """Return the page of the audit."""
        header, conclusion = self._opening.header, conclusion_in(ending)
        findings = (*self._unexplained, *self._differences, *self._disagreements)
        return Page(
            name=self._opening.path.name,
            kind="audit of Unicode behaviour",
            state=STATES[conclusion],
            conclusion=conclusion.value,
            summary=_summary(ending),
            sentences=tuple(self._sentences()),
            facts=(
                *environment_facts(header),
                Fact("behaviours", f"{header.count('behaviours'):,}"),
                Fact("tables", f"Unicode {header.text('oldest')} to {header.text('newest')}"),
            ),
            compared=tuple(
                Compared(each.text("name"), each.text("version"), "audited", each.text("language"))
                for each in header.nodes("implementations")
            ),
            complaints=(*ending_complaints(ending), *self._complaints),
            matrices=tuple(self._matrices()),
            headlines=headlines_of(findings),
            findings=findings,
            counted="characters or texts",
            sections=(self._rules(),),
        )

    def _sentences(self) -> Iterator[str]:
        """Say of each implementation how much of what it does some version of Unicode explains."""
        for name in self._names:
            seen = [line for (implementation, _), line in self._seen.items() if implementation == name]
            explained = sum(map(_is_explained, seen))
            not_asked = sum(implementation == name for implementation, _ in self._not_asked)
            disagreeing = sum(each.implementation == name for each in self._disagreements)
            yield (
                f"{name}: {explained:,} of {counted(len(seen), 'behaviour')} explained exactly"
                + (f", {not_asked:,} cannot be asked" if not_asked else "")
                + (f"; its own parts disagree on {counted(disagreeing, 'question')}" if disagreeing else "")
                + "."
            )

    def _matrices(self) -> Iterator[Matrix]:
        behaviours = dict.fromkeys(behaviour for _, behaviour in (*self._seen, *self._not_asked))
        rows = tuple((each, tuple(self._cell(name, each) for name in self._names)) for each in behaviours)
        if rows:
            yield Matrix("The version of Unicode that explains each behaviour", "behaviour", tuple(self._names), rows)

    def _cell(self, name: str, behaviour: str) -> Cell:
        line, not_asked = self._seen.get((name, behaviour)), self._not_asked.get((name, behaviour))
        of = {"implementation": name, "reason": behaviour}
        if line is not None:
            is_found = any((each.implementation, each.reason) == (name, behaviour) for each in self._differences)
            rule = f"{line.text('rule')}; {line.text('about')}"
            if _is_explained(line):
                return Cell(State.AGREE, _versions(line), rule, of if is_found else {})
            text = "no effect" if not line.count("members") else f"nearest {_versions(line)}"
            return Cell(State.DIFFER, text, rule, of)
        if not_asked is not None:
            return Cell(State.UNSUPPORTED, "cannot be asked", not_asked.text("reason"))
        return Cell(State.NOT_COMPARED, "not reached")

    def _rules(self) -> Section:
        rows = tuple(
            (
                name,
                behaviour,
                line.text("question"),
                line.text("rule"),
                _versions(line),
                "yes" if _is_explained(line) else "no",
                line.count("members"),
                line.node("residual").count("count"),
            )
            for (name, behaviour), line in self._seen.items()
        )
        columns = (
            "implementation", "behaviour", "question", "rule", "Unicode", "explained", "characters", "left unexplained",
        )  # fmt: skip
        counts = Counter(name for (name, _), line in self._seen.items() if _is_explained(line))
        note = ", ".join(f"{name}: {count:,} explained" for name, count in counts.items())
        return Section("Rules", tables=(Table("What each behaviour follows", columns, rows, note),))


# Lines ---------------------------------------------------------------------------------------------------------------


def _key(line: Node) -> tuple[str, str]:
    return _implementation(line), line.text("behaviour")


def _implementation(line: Node) -> str:
    return _called(line.text("implementation"), line.text("implementation_version"))


def _called(name: str, version: str) -> str:
    """Return an implementation with its version, where its name does not say that already.

    >>> _called("tokenizers==0.23.3", "0.23.3"), _called("reference", "0.1.0")
    ('tokenizers==0.23.3', 'reference 0.1.0')
    """
    return name if name.endswith(f"=={version}") else f"{name} {version}"


def _is_explained(line: Node) -> bool:
    """Tell whether the tables of some version explain all that was seen; what has no effect follows none."""
    untold = line.text("unanswered") or line.text("contradicted")
    return line.flag("exact") and line.count("members") > 0 and not untold


def _versions(line: Node) -> str:
    versions = line.texts("versions")
    if line.flag("fixed"):
        return "any"
    return version_ranges(versions) if {*versions} <= {*TRIED} else ", ".join(versions)


def _summary(ending: Ending) -> str:
    if ending.footer is None:
        return CUT_SHORT
    footer = ending.footer
    return (
        f"{footer.text('conclusion')}: {counted(footer.count('explained'), 'behaviour')} explained exactly, "
        f"{footer.count('unexplained'):,} that no version explains, "
        f"{footer.count('not_asked'):,} that cannot be asked, "
        f"{counted(footer.count('disagreeing'), 'disagreement')} within implementations, "
        f"{footer.count('differing'):,} that implementations do differently"
    )


def _shortened(ranges: str) -> str:
    """Return the first of ``ranges`` of code points, and how many more there are.

    >>> _shortened("0041 0061..007A")
    '0041 0061..007A'
    """
    each = ranges.split()
    more = f" and {len(each) - MOST_RANGES:,} ranges more" if len(each) > MOST_RANGES else ""
    return " ".join(each[:MOST_RANGES]) + more


# Findings ------------------------------------------------------------------------------------------------------------


def _unexplained(line: Node, number: int) -> Finding:
    """Return what no version of Unicode explains, beside the nearest rule."""
    residual = line.node("residual")
    examples = residual.nodes("examples")
    first = examples[0] if examples else None
    name, members = _implementation(line), line.count("members")
    rule = f"{line.text('rule')} of Unicode {_versions(line)}"
    headline = f"no version of Unicode explains it; nearest is {rule}" if members else NO_EFFECT
    return Finding(
        id=f"unexplained-{number}",
        group="unexplained behaviours",
        headline=f"{line.text('behaviour')}: {headline}",
        implementation=name,
        stage=line.text("question"),
        reason=line.text("behaviour"),
        standing=Novelty.NEW,
        count=residual.count("count"),
        impact=f"{residual.count('count'):,} of {members:,} characters or texts" if members else "no effect",
        subjects=() if first is None else (_subject(first.text("text")),),
        answers=()
        if first is None
        else (_answer("by the rule", first.text("expected")), _answer(name, first.text("seen"))),
        lines=tuple(_residual(line)),
        facts=(
            Fact("about", line.text("about")),
            Fact("nearest rule", rule),
            Fact("how it was asked", line.text("way")),
        ),
    )


def _residual(line: Node) -> Iterator[str]:
    residual = line.node("residual")
    for key, words in (("more", "beyond the rule"), ("fewer", "of the rule missing"), ("other", "otherwise")):
        ranges = residual.text(key)
        if ranges:
            yield f"{words}: {_shortened(ranges)}"
    texts = residual.texts("texts")
    if texts:
        yield f"texts otherwise: {', '.join(texts[:MOST_TEXTS])}{' …' if len(texts) > MOST_TEXTS else ''}"
    for each in residual.nodes("examples")[1:]:
        text, seen, expected = (_points(each.text(key)) for key in ("text", "seen", "expected"))
        yield f"{text}: {seen}, by the rule {expected}"
    for key, words in (("unanswered", "no answer over"), ("contradicted", "alone treated otherwise than among others")):
        if line.text(key):
            yield f"{words}: {_shortened(line.text(key))}"


def _points(text: str) -> str:
    return " ".join(f"U+{ord(each):04X}" for each in text) or "nothing"


def _disagreement(line: Node, number: int) -> Finding:
    """Return a question that two parts of one implementation decide differently; that alone fails nothing."""
    one, other, example = line.text("one"), line.text("other"), line.text("example")
    told = line.texts("told")
    if len(told) != 2:
        raise line.error("what both parts tell")
    count = line.count("count")
    return Finding(
        id=f"disagreement-{number}",
        group="disagreements within an implementation",
        headline=f"{line.text('question')}: {one} and {other} disagree on {counted(count, 'character')}",
        implementation=_implementation(line),
        stage=line.text("question"),
        reason=f"{one}, {other}",
        standing=Novelty.ACCEPTABLE,
        count=count,
        impact=counted(count, "character"),
        subjects=(_subject(example),),
        answers=(_answer(one, told[0]), _answer(other, told[1])),
        lines=(_shortened(line.text("code_points")),),
    )


def _difference(line: Node, number: int) -> Finding:
    """Return a behaviour that two implementations do differently."""
    one, other = (_implementation(line.node(key)) for key in ("one", "other"))
    behaviour, count, texts = line.text("behaviour"), line.count("count"), line.texts("texts")
    what = counted(count, "text" if texts else "character")
    shown = ", ".join(texts[:MOST_TEXTS]) if texts else _shortened(line.text("code_points"))
    return Finding(
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


UNICODE_AUDITS = PageKind("an audit of Unicode behaviour", FORMAT, UnicodeAuditReader)
