"""The report as Markdown: what a maintainer wants to get, in which nothing from a tokenizer can become markup."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Field, OffsetUnit
from tokenizer_conformance.causes.bug.recipes import Runs
from tokenizer_conformance.causes.bug.sides import in_words
from tokenizer_conformance.causes.bug.snippet import document_text
from tokenizer_conformance.causes.cause import UNEXPLAINED
from tokenizer_conformance.causes.classes.table import CLASSES
from tokenizer_conformance.command_io.markdown import Markdown
from tokenizer_conformance.command_io.markdown_templates import markdown_environment
from tokenizer_conformance.comparison.character_names import name_of
from tokenizer_conformance.comparison.document_parts import names_of_ids
from tokenizer_conformance.comparison.question_reduction import slots_of
from tokenizer_conformance.comparison.questions import texts_in
from tokenizer_conformance.comparison.wording import aligned, describe, subject_lines, window
from tokenizer_conformance.escape import code_point, one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_conformance.causes.bug.sides import ReportedSide
    from tokenizer_conformance.causes.bug.snippet import Snippet, Subject
    from tokenizer_conformance.causes.bug.violations import Rule
    from tokenizer_conformance.causes.cause import Reason
    from tokenizer_conformance.causes.witness import Witness

LANGUAGES = {Runs.PYTHON: "python", Runs.OWN_PYTHON: "python", Runs.NODE: "js"}

WORDS = {
    Field.TEXT: "the text differs from that of",
    Field.ATTENTION_MASK: "the attention mask differs from that of",
    Field.SPECIAL_TOKENS_MASK: "the mask of special tokens differs from that of",
    Field.OVERFLOWING: "the overflowing parts differ from those of",
    Field.TYPE_IDS: "the type ids differ from those of",
    Field.WORD_IDS: "the word ids differ from those of",
    Field.SEQUENCE_IDS: "the sequence ids differ from those of",
}
"""What a title says of a field that differs, where its name alone is not how people say it."""

MOST_CHARACTERS = 24

LONGEST_ANSWER = 2000
"""How many characters of an answer are quoted."""

TITLES = {each.name: each.title for each in CLASSES}
MEANINGS = {each.name: each for each in CLASSES}


@dataclass(frozen=True, slots=True)
class Report:
    """All that a report says.

    ``expected`` and ``actual`` are the sides. ``witness`` is the difference as it was seen just now; ``subject`` what
    the ``snippets`` ask about, of which there may be none. ``component``, ``characters`` and ``inputs`` say where it
    was found; ``is_checked``: the snippets were run, and show it. ``notes`` say what else is to be known.
    """

    expected: ReportedSide
    actual: ReportedSide
    unit: OffsetUnit
    witness: Witness
    subject: Subject
    snippets: tuple[Snippet, ...]
    is_checked: bool
    component: str
    characters: str
    inputs: str
    reason: Reason
    rules: Sequence[Rule]
    python: str
    platform: str
    notes: tuple[str, ...]


def rendered(report: Report) -> str:
    """Return the report as Markdown."""
    found = MEANINGS.get(report.reason.name)
    template = markdown_environment("tokenizer_conformance.causes.bug").get_template("bug.md.jinja")
    return template.render(
        report=report,
        title=title(report),
        asked=_asked(report),
        characters=_characters(report),
        answers=_answers(report),
        window=window(report.witness.difference, one_line(report.expected.label), one_line(report.actual.label)),
        asked_sides=" and ".join(_labels(report, are_asked=True)),
        not_asked_sides=" and ".join(_labels(report, are_asked=False)),
        snippets=[(_how_to_run(each), _code(each.code, LANGUAGES[each.runs])) for each in report.snippets],
        meaning=None if found is None else found.meaning,
        whose=None if found is None else found.whose.value,
        is_acceptable=found is not None and found.is_acceptable,
        document=_document(report),
        unit=_unit(report),
    )


def _labels(report: Report, *, are_asked: bool) -> list[str]:
    """Return what the sides are called that the snippets ask, or those that they do not."""
    asked = {side.name for snippet in report.snippets for side in snippet.sides}
    return [side.label for side in (report.expected, report.actual) if (side.name in asked) is are_asked]


def title(report: Report) -> str:
    """Return the title, in words that maintainers know."""
    reason, witness = report.reason, report.witness
    field = witness.difference.field
    what = WORDS.get(field, f"{field} differ from those of") if field else f"{witness.difference.kind}, unlike"
    if reason.name == UNEXPLAINED:
        return f"{report.actual.label}: {what} {report.expected.label} for {report.characters}"
    of_what = f" ({reason.parameter})" if reason.parameter else ""
    why = f"{TITLES.get(reason.name, reason.name)}{of_what}"
    return f"{report.actual.label}: {why}; {what} {report.expected.label}"


def _asked(report: Report) -> list[str]:
    return [describe(report.witness.question), *subject_lines(report.witness.question, None), *_ids(report)]


def _ids(report: Report) -> list[str]:
    """Return what the ids are called that are decoded, as far as the small tokenizer.json says it."""
    names = names_of_ids(report.subject.document) if report.subject.document is not None else {}
    ids = [number for slot in slots_of(report.witness.question) if not isinstance(slot, str) for number in slot]
    return [f"id {number} is {quoted(names[number])}" for number in dict.fromkeys(ids) if number in names]


def _characters(report: Report) -> list[str]:
    """Return a line for each distinct character of what is asked about."""
    found = list(dict.fromkeys("".join(texts_in(report.witness.question))))
    lines = aligned([[quoted(each), code_point(each), name_of(each)] for each in found[:MOST_CHARACTERS]])
    return [*lines, *([f"and {len(found) - MOST_CHARACTERS:,} more"] if len(found) > MOST_CHARACTERS else [])]


def _answers(report: Report) -> list[str]:
    rows = []
    for side in (report.expected, report.actual):
        words = in_words(side.outcome, report.subject.field)
        cut = words if len(words) <= LONGEST_ANSWER else f"{words[:LONGEST_ANSWER]}..."
        rows.append([f"{one_line(side.label)} {one_line(side.version)}", cut])
    return aligned(rows)


def _unit(report: Report) -> str | None:
    if report.subject.field.value != "offsets" or report.unit is OffsetUnit.CODE_POINTS:
        return None
    return f"Offsets of {report.actual.label} count {report.unit}; they were converted before they were compared."


def _document(report: Report) -> Markdown | None:
    """Return the cut-down tokenizer.json where no snippet has it."""
    if report.snippets or not report.subject.is_embedded or report.subject.document is None:
        return None
    return _code(document_text(report.subject.document), "json")


def _how_to_run(snippet: Snippet) -> str:
    file = "node snippet.mjs" if snippet.runs is Runs.NODE else "python snippet.py"
    return file if snippet.takes is None else f"{file} PATH/TO/tokenizer.json"


def _code(text: str, language: str) -> Markdown:
    """Return ``text``, which is ASCII, as a block of code that nothing in it can end."""
    fence = "`" * max(3, 1 + max(map(len, re.findall(r"`+", text)), default=0))
    return Markdown(f"{fence}{language}\n{text.rstrip()}\n{fence}")
