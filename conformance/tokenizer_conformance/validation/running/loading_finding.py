"""Changes in how a tokenizer is loaded and saved, as a page shows them; diffs and versions have them in one form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tokenizer_conformance.causes.cause import ExplainedBy
from tokenizer_conformance.causes.page import explained_words, standing_of
from tokenizer_conformance.plural import counted
from tokenizer_conformance.results.page import Answer, Novelty, ShownFinding
from tokenizer_conformance.results.recorded_page import entry_place
from tokenizer_conformance.validation.running.vocabularies import count_words, entry_words, vocabulary_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokenizer_conformance.results.records.headers import NamedFile
    from tokenizer_conformance.results.records.run import Loading, Result, Shortfall, Vocabulary

WHAT = {"load": "loading", "save": "saved tokenizer.json", "vocabulary": "vocabulary"}
"""What has changed, in words."""


def loading_finding(
    change: Loading, ledgers: Sequence[NamedFile], *, number: int, sides: tuple[str, str]
) -> ShownFinding:
    """Return the ``change`` that has this ``number`` in its record, or in its step, as a finding.

    ``sides`` are the names of the old side and the new one.
    """
    tokenizer, path = change.tokenizer, change.path
    what = WHAT[change.what]
    old, new = change.old, change.new
    standing, known = _standing(change, ledgers)
    return ShownFinding(
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
        lines=change.faults,
    )


def vocabulary_finding(tokenizer: str, row: Result, found: Vocabulary) -> ShownFinding:
    """Return what differs in the vocabulary of an implementation, whose result is ``row``, as a finding."""
    known = dict.fromkeys(each.known for each in found.entries if each.known is not None)
    standing = Novelty.UNSTABLE if found.unstable else Novelty.NEW if found.new else Novelty.KNOWN
    left = found.differing - len(found.entries)
    return ShownFinding(
        id=f"{tokenizer}/{row.implementation}/vocabulary",
        group="changes",
        headline=vocabulary_line(row, found),
        implementation=row.implementation,
        tokenizer=tokenizer,
        stage="vocabulary",
        reason=WHAT["vocabulary"],
        standing=standing,
        count=found.differing,
        impact=count_words(found),
        lines=(*entry_words(found.entries), *([f"and {left:,} more"] if left else [])),
        known="; ".join(f"{each.reason} {each.link or ''}".strip() for each in known)
        if standing is Novelty.KNOWN
        else "",
        repeat=found.repeat,
    )


def _standing(change: Loading, ledgers: Sequence[NamedFile]) -> tuple[Novelty, str]:
    """Return whether ``change`` is news, and by what it is known or explained."""
    if change.known is not None:
        return Novelty.KNOWN, entry_place(ledgers, change.known)
    explained = tuple(ExplainedBy(**msgspec.structs.asdict(each)) for each in change.explained_by or ())
    return standing_of(explained), explained_words(explained)


def further_words(loading: Mapping[str, int], lost: Sequence[Shortfall]) -> Iterator[str]:
    """Yield what changed beside answers: changes of ``loading``, counted by what they are about, and ``lost`` answers.

    >>> list(further_words({"save": 2}, ()))
    ['2 changes of loading (saved tokenizer.json)']
    """
    if loading:
        parts = ", ".join(WHAT[what] for what in WHAT if what in loading)
        yield f"{counted(sum(loading.values()), 'change')} of loading ({parts})"
    stages = dict.fromkeys(each.stage.value for each in lost)
    if stages:
        yield f"not all shown any more at {', '.join(stages)}"
