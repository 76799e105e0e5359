"""Changes in how a tokenizer is loaded and saved, as a page shows them; diffs and versions have them in one form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.causes.cause import ExplainedBy
from tokenizer_conformance.causes.page import explained_words, standing_of
from tokenizer_conformance.releases.diff.wording import WHAT
from tokenizer_conformance.report.kinds.ledgers import entry_place
from tokenizer_conformance.results.page import Answer, Finding, Novelty

if TYPE_CHECKING:
    from tokenizer_conformance.results.records.node import Node


def loading_finding(change: Node, header: Node, *, number: int, sides: tuple[str, str]) -> Finding:
    """Return the ``change`` that has this ``number`` in its record, or in its step, as a finding.

    ``sides`` are the names of the old side and the new one. Raises one of ``MALFORMED``.
    """
    tokenizer, path = change.text("tokenizer"), change.text("path")
    what = WHAT[change.text("what")]
    old, new = change.text("old"), change.text("new")
    standing, known = _standing(change, header)
    return Finding(
        id=f"change-{number}",
        group="changes",
        headline=f"{tokenizer}: {what}{f' {path}' if path else ''}: {old} -> {new}",
        implementation=sides[1],
        tokenizer=tokenizer,
        stage="load",
        reason=what,
        standing=standing,
        answers=(Answer(sides[0], text=old, total=len(old)), Answer(sides[1], text=new, total=len(new))),
        known=known,
    )


def _standing(change: Node, header: Node) -> tuple[Novelty, str]:
    """Return whether ``change`` is news, and by what it is known or explained."""
    if change.holds("known"):
        return Novelty.KNOWN, entry_place(header, change.node("known"))
    explained = tuple(ExplainedBy(**each) for each in change.value.get("explained_by") or ())
    return standing_of(explained), explained_words(explained)
