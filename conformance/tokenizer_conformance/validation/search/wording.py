"""A search in words, for reports of checks; all text from tokenizers and implementations is escaped here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.comparison.wording import describe, shown_text, subject_lines, window
from tokenizer_conformance.escape import escape, one_line
from tokenizer_conformance.plural import counted

if TYPE_CHECKING:
    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.validation.search.events import (
        SearchFinished,
        Tally,
    )

SHOWN_UNEXAMINED = 3
"""How many of the texts that nobody has looked at are shown."""


def cause_lines(cause: Cause, baseline: str) -> list[str]:
    """Return the lines that show the smallest witness of ``cause`` on both sides, and its reason."""
    witness = cause.witness
    changed = [] if witness.document is None else ["of a tokenizer.json made smaller: it stands in the record (--json)"]
    part = f", {witness.difference.part}" if witness.difference.part else ""
    return [
        f"{describe(witness.question)}{part}",
        *changed,
        *subject_lines(witness.question),
        *window(witness.difference, escape(baseline), escape(cause.implementation)),
        f"reason: {reason_words(cause)}",
    ]


def reason_words(cause: Cause) -> str:
    """Name the reason of ``cause``."""
    reason = cause.reason
    return one_line(f"{reason.name} ({reason.parameter})" if reason.parameter else reason.name)


def unexamined_lines(tally: Tally) -> list[str]:
    """Say which texts differ and were not looked at any more."""
    if not tally.unexamined:
        return []
    lines = [f"{counted(tally.unexamined, 'text')} with differences not looked at any more, since the search was over:"]
    return lines + [f"  text  {shown_text(case.text)}" for case in tally.unexamined_cases[:SHOWN_UNEXAMINED]]


def summary(finished: SearchFinished) -> str:
    """Return the last word on a search."""
    parts = [
        counted(finished.cases, "case"),
        f"{counted(finished.values, 'value')} agree",
        counted(len(finished.causes), "finding"),
    ]
    if finished.known:
        parts.append(f"{finished.known:,} known")
    if finished.unexamined:
        parts.append(f"{finished.unexamined:,} not looked at")
    return f"{finished.conclusion.value}; {', '.join(parts)}"
