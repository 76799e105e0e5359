"""The words of a diff, for terminal and Markdown; all text of others is escaped here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.causes.wording import explained_lines
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.validation.running.loading_finding import WHAT
from tokenizer_conformance.validation.running.page import asked_again_sentence

if TYPE_CHECKING:
    from tokenizer_conformance.releases.diff.events import LoadingChanged
    from tokenizer_conformance.results.records.run import Again, Sides

LONGEST_PART = 160
"""How many characters of what stands in a saved document are shown."""


def change_line(changed: LoadingChanged) -> str:
    """Return one line about a change in how a tokenizer is loaded."""
    change = changed.change
    place = f" {one_line(change.path)}" if change.path else ""
    known = "" if changed.entry is None else f" (known: {one_line(changed.entry.reason)})"
    if changed.entry is None and changed.explained_by is not None:
        known = f" ({'; '.join(explained_lines(changed.explained_by))})"
    old, new = (one_line(side, limit=LONGEST_PART) for side in (change.old, change.new))
    return f"{one_line(change.tokenizer)}: {WHAT[change.what]}{place}: {old} -> {new}{known}"


def inputs_line(sides: Sides) -> str | None:
    """Say which inputs only one side has, ``None`` where both have all."""
    parts = [(sides.only_old, "the old side"), (sides.only_new, "the new side")]
    told = [f"{count:,} only on {side}" for count, side in parts if count]
    return f"{' and '.join(told)}: not compared" if told else None


def asked_again_line(asked: Again) -> str:
    """Say on one line what an implementation did not answer as before, and what it was not asked again."""
    return one_line(asked_again_sentence(asked))


def files_line(sides: Sides) -> str | None:
    """Say of which tokenizers the file is another one, ``None`` where there are none."""
    names = ", ".join(map(one_line, sides.other_files))
    return f"the file of {names} is another one than it was: what changed may be due to that" if names else None
