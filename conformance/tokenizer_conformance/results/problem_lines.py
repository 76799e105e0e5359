"""A finding of a page in lines, as a terminal and Markdown have it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.comparison.wording import aligned, shown_text
from tokenizer_conformance.escape import escape, quoted
from tokenizer_conformance.results.page import Novelty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.results.page import Answer, Finding, Subject

MOST_TOKENS = 12
"""So many tokens of an answer are shown."""


def heading(finding: Finding) -> str:
    """Return what a finding is, and of whom."""
    of = " · ".join(filter(None, (finding.implementation, finding.tokenizer, finding.stage)))
    known = "" if finding.standing is Novelty.NEW else f"; {finding.standing.value}"
    told = f"{finding.headline} ({of}{known})" if of else finding.headline
    return escape(told)


def lines_of(finding: Finding) -> Iterator[str]:
    """Yield the lines that show ``finding``: what was asked, what each side answered, how to see it again."""
    yield from aligned([*map(_subject, finding.subjects), *map(_answer, finding.answers)])
    yield from map(escape, finding.lines)
    yield from (f"proof: {escape(each)}" for each in finding.proof)
    if finding.known:
        yield f"known: {escape(finding.known)}"
    if finding.repeat:
        yield f"repeat: {escape(finding.repeat)}"


def _subject(subject: Subject) -> list[str]:
    if subject.text is not None:
        return [escape(subject.label), shown_text(subject.text)]
    more = ", …" if subject.length > len(subject.ids) else ""
    return [escape(subject.label), f"{', '.join(map(str, subject.ids))}{more}"]


def _answer(answer: Answer) -> list[str]:
    side = f"  {escape(answer.side)}"
    if answer.trouble:
        return [side, escape(answer.trouble)]
    if answer.tokens is None:
        return [side, quoted(answer.text or "")]
    shown = " | ".join(quoted(token.text) for token in answer.tokens[:MOST_TOKENS])
    more = " | …" if answer.total > MOST_TOKENS else ""
    return [side, f"{shown}{more}" or "no token"]
