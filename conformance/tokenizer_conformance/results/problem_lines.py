"""A finding of a page in lines, as a terminal and Markdown have it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tokenizer_conformance.comparison.wording import aligned, shown_text
from tokenizer_conformance.escape import quoted, visible
from tokenizer_conformance.plural import counted
from tokenizer_conformance.results.page import Novelty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.results.page import Answer, ShownFinding, Subject, Token

MOST_LINES = 8
"""So many lines are shown of what differs."""

MOST_TOKENS = 12
"""So many tokens of an answer are shown."""


def heading(finding: ShownFinding) -> str:
    """Return what a finding is, and of whom."""
    whose = (finding.implementation, finding.tokenizer, finding.stage)
    of = " · ".join(each for each in whose if each and each not in finding.headline)
    known = "" if finding.standing is Novelty.NEW else finding.standing.value
    beside = "; ".join(filter(None, (of, known)))
    return visible(f"{finding.headline} ({beside})" if beside else finding.headline)


def lines_of(finding: ShownFinding) -> Iterator[str]:
    """Yield the lines that show ``finding``, but for what is to be copied: what was asked, what each side answered."""
    if finding.explanation and finding.explanation not in finding.headline:
        yield visible(finding.explanation)
    texts = {tuple(token.text for token in each.tokens or ()) for each in finding.answers}
    only_ids_differ = len(texts) < len(finding.answers)
    answers = [_answer(each, with_ids=only_ids_differ) for each in finding.answers]
    yield from aligned([*map(_subject, finding.subjects), *([] if finding.window else answers)])
    yield from (f"  {visible(line)}" for line in finding.window)
    yield from map(visible, finding.lines[:MOST_LINES])
    if len(finding.lines) > MOST_LINES:
        yield f"… and {counted(len(finding.lines) - MOST_LINES, 'line')} more"
    yield from (
        f"{visible(fact.label)}: {visible(fact.value)}"
        for fact in finding.facts
        if not fact.is_detail and not fact.is_document
    )
    if finding.impact:
        yield visible(finding.impact)
    yield from (f"proof: {visible(each)}" for each in finding.proof)
    if finding.known:
        yield f"{known_label(finding)}: {visible(finding.known)}"


def known_label(finding: ShownFinding) -> str:
    """Return what :attr:`ShownFinding.known` is called: a ledger knows, a known change of a release explains."""
    return "explained by" if finding.standing is Novelty.EXPLAINED else "known"


def as_ascii(document: str) -> str:
    """Return a JSON ``document`` in printable ASCII characters, on one line."""
    return json.dumps(json.loads(document)).replace("\x7f", "\\u007f")


def _subject(subject: Subject) -> list[str]:
    if subject.text is not None:
        return [visible(subject.label), shown_text(subject.text)]
    more = ", …" if subject.length > len(subject.ids) else ""
    return [visible(subject.label), f"{', '.join(map(str, subject.ids))}{more}"]


def _answer(answer: Answer, *, with_ids: bool) -> list[str]:
    side = f"  {visible(answer.side)}"
    if answer.trouble:
        return [side, visible(answer.trouble)]
    if answer.tokens is None:
        return [side, quoted(answer.text or "")]
    shown = " | ".join(_token(token, with_id=with_ids) for token in answer.tokens[:MOST_TOKENS])
    more = " | …" if answer.total > MOST_TOKENS else ""
    return [side, f"{shown}{more}" or "no token"]


def _token(token: Token, *, with_id: bool) -> str:
    if token.id is None:
        return quoted(token.text)
    if not token.text:
        return str(token.id)
    return f"{quoted(token.text)} {token.id}" if with_id else quoted(token.text)
