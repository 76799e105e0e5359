"""The findings of a page as data for its script: an index of all of them, and details in parts that are loaded lazily.

A part is JSON, compressed by gzip, in Base64: a page of ten thousand findings stays small, and what nobody opens is
never unpacked. Base64 has no character that could end an HTML element.
"""

from __future__ import annotations

import base64
import gzip
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.comparison.wording import shown_text
from tokenizer_conformance.escape import visible
from tokenizer_conformance.results.problem_lines import known_label
from tokenizer_conformance.results.strips import lines_of_strips, strips_of, text_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenizer_conformance.results.page import Fact, Page, ShownFinding, Snippet, Subject
    from tokenizer_conformance.results.strips import Block, Strip

Json = dict[str, Any]

PART = 200
"""How many findings have their details in one part."""

LONGEST_HEADLINE = 240
LONGEST_SUBJECT = 120
"""How many characters of a headline and of a text are in the index, and searched."""

WORDS = ("group", "implementation", "tokenizer", "stage", "reason", "standing", "record")
"""The columns of the index that hold few different words: these stand once, and numbers in their place."""


@dataclass(frozen=True, slots=True)
class Packed:
    """The data of a page: the ``index`` and the ``parts`` of details, each as text for a data block."""

    index: str
    parts: tuple[str, ...]


def packed(findings: Sequence[ShownFinding]) -> Packed:
    """Return the data of all ``findings``, in their order."""
    parts = (findings[at : at + PART] for at in range(0, len(findings), PART))
    return Packed(pack(index_of(findings)), tuple(pack([detail_of(each) for each in part]) for part in parts))


def pack(value: object) -> str:
    """Return ``value`` as JSON, compressed, in Base64; the same bytes for the same value."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode("ascii"), compresslevel=6, mtime=0)).decode("ascii")


def index_of(findings: Sequence[ShownFinding]) -> Json:
    """Return what the list of findings shows, is sorted by and is searched in."""
    columns: Json = {"part": PART, "size": len(findings), "words": {}}
    for column in WORDS:
        values = [visible(str(getattr(finding, column))) for finding in findings]
        different = list(dict.fromkeys(values))
        number = {value: at for at, value in enumerate(different)}
        columns["words"][column] = {"values": different, "codes": [number[value] for value in values]}
    columns["id"] = [visible(finding.id) for finding in findings]
    columns["headline"] = [visible(_cut(finding.headline, LONGEST_HEADLINE)) for finding in findings]
    columns["text"] = [_subject(finding) for finding in findings]
    columns["count"] = [finding.count for finding in findings]
    return columns


def _subject(finding: ShownFinding) -> str:
    return _cut(_shown_subject(finding.subjects[0]), LONGEST_SUBJECT) if finding.subjects else ""


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def detail_of(finding: ShownFinding) -> Json:
    """Return what is shown of a finding that is opened; what is empty is left out."""
    strips = strips_of(finding.subjects, finding.answers)
    detail: Json = {
        "subjects": [
            {"label": visible(each.label), "shown": _shown_subject(each), "length": each.length}
            for each in finding.subjects
        ],
        "strips": list(map(_strip, strips)),
        "texts": [[visible(row.side), row.before, row.differing, row.after] for row in text_rows(finding.answers)],
        "troubles": [[visible(each.side), visible(each.trouble)] for each in finding.answers if each.trouble],
        "lines": list(map(visible, (*finding.window, *finding.lines))),
        "pipeline": [[visible(step.name), step.state] for step in finding.pipeline],
        "explanation": visible(finding.explanation),
        "proof": list(map(visible, finding.proof)),
        "known": visible(finding.known),
        "known_is": known_label(finding),
        "whose": _whose(finding),
        "impact": visible(finding.impact),
        "repeat": visible(finding.repeat),
        "repeat_is": visible(finding.repeat_is),
        "snippets": list(map(_snippet, finding.snippets)),
        "facts": list(_facts(finding.facts)),
    }
    return {key: value for key, value in detail.items() if value not in ("", [])}


def picture_of(page: Page) -> Json:
    """Return the tokens of all sides under the text that the page is about, and what went wrong with any."""
    return {
        "strips": [_strip(strip) for each in page.subjects[:1] for strip in lines_of_strips(each, page.answers)],
        "troubles": [[visible(each.side), visible(each.trouble)] for each in page.answers if each.trouble],
    }


def way_of(page: Page) -> list[Json]:
    """Return the stations of the way of one text, each with what leaves it."""
    return [
        {
            "way": station.way,
            "name": visible(station.name),
            "component": visible(station.component),
            "strips": list(map(_strip, strips_of(page.subjects, [station.answer]))),
            "texts": [["", row.before, row.differing, row.after] for row in text_rows([station.answer])],
            "trouble": visible(station.answer.trouble),
            "changes": list(map(visible, station.changes)),
        }
        for station in page.stations
    ]


def _whose(finding: ShownFinding) -> str:
    """Say who stands alone, where others answer as the baseline does."""
    if not finding.agreeing:
        return ""
    others = ", ".join(map(visible, finding.agreeing))
    answer = "answers" if len(finding.agreeing) == 1 else "answer"
    return (
        f"{visible(finding.implementation)} differs, while {others} {answer} every question here as the baseline does"
    )


def _facts(facts: Iterable[Fact]) -> Iterator[list[str]]:
    return ([visible(fact.label), visible(fact.value)] for fact in facts if fact.value)


def _shown_subject(subject: Subject) -> str:
    if subject.text is None:
        shown = ", ".join(map(str, subject.ids[:40]))
        return f"{shown}, … ({subject.length:,} ids)" if subject.length > 40 else shown
    return shown_text(subject.text)


def _snippet(snippet: Snippet) -> Json:
    code = "\n".join(map(visible, snippet.code.split("\n")))
    return {"language": visible(snippet.language), "code": code, "needs": list(map(visible, snippet.needs))}


def _strip(strip: Strip) -> Json:
    return {
        "label": visible(strip.label),
        "start": strip.start,
        "end": strip.end,
        "length": strip.length,
        "characters": [[each.shown, each.name] for each in strip.characters],
        "lanes": [
            {
                "side": visible(lane.side),
                "rows": [list(map(_block, row)) for row in lane.rows],
                "loose": list(map(_block, lane.loose)),
                "left_out": lane.left_out,
            }
            for lane in strip.lanes
        ],
    }


def _block(block: Block) -> list[object]:
    return [block.shown, block.id, block.start, block.end, int(block.differs), block.place]
