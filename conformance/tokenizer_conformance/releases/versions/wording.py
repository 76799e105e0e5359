"""The words of a comparison of releases, for terminal and Markdown; all text of others is escaped here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.escape import one_line
from tokenizer_conformance.plural import counted
from tokenizer_conformance.validation.running.wording import stale_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_adapters.contract import Stage
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.releases.versions.alike import AlikeChanges
    from tokenizer_conformance.releases.versions.events import VersionsFinished, VersionsStarted
    from tokenizer_conformance.releases.versions.matrix import TokenizerMatrix
    from tokenizer_conformance.releases.versions.snapshots import SnapshotReady

LONGEST_FACT = 160

SAME = "="
NOTHING = "-"


def release_line(ready: SnapshotReady) -> str:
    """Return one line about a release that was asked."""
    refused = f", {ready.refused:,} refused" if ready.refused else ""
    made = "kept from an earlier run" if ready.is_kept else f"{ready.seconds:.1f} s"
    return (
        f"{one_line(ready.release)}: {counted(ready.loaded, 'tokenizer')} loaded{refused}; "
        f"{ready.size / 1e6:,.1f} MB, {made}"
    )


def _cell(matrices: Sequence[TokenizerMatrix], first: int, second: int, stage: Stage | None) -> str:
    common = [each for each in matrices if first in each.loaded and second in each.loaded]
    if not common:
        return NOTHING
    pair = (first, second)
    total = sum(each.inputs.get(pair, 0) if stage is None else each.differing.get((pair, stage), 0) for each in common)
    return f"{total:,}" if total else SAME


def _missing(each: tuple[str, str]) -> str:
    return f"{one_line(each[0])} ({one_line(each[1], limit=LONGEST_FACT)})"


def fact_line(group: AlikeChanges) -> str:
    """Return one line about facts that changed alike."""
    first = group.first
    others = f" and {len(group.changes) - 1:,} more" if len(group.changes) > 1 else ""
    told = one_line(group.told, limit=LONGEST_FACT)
    known = "" if first.entry is None else f" (known: {one_line(first.entry.reason)})"
    return f"since {one_line(first.since)}: {one_line(first.name, limit=LONGEST_FACT)}{others}: {told}{known}"


def left_out_line(started: VersionsStarted) -> str:
    """Say which sections were not compared, and how to ask for them; nothing where all were."""
    if not started.left_out:
        return ""
    named = ", ".join(f"{name} ({title})" for name, title in started.left_out.items())
    return f"not compared: {named}; --section all compares them too"


def stale_entry_line(entry: Entry) -> str:
    """Say that ``entry`` is stale, and what to do."""
    if not entry.sections:
        return stale_line(entry)
    return (
        f"{one_line(str(entry.place))}: what {one_line(entry.implementation)} shows of {', '.join(entry.sections)} has "
        "not changed in this way, and all that the entry is about was compared; take it out, or narrow its `version` "
        "to what it was true of"
    )


def last_word(finished: VersionsFinished) -> str:
    """Return the last line of the report."""
    state = "" if finished.finished else f"INCOMPLETE ({one_line(finished.reason or '')}): "
    changed = sum(bool(step.inputs or step.loading) for step in finished.steps)
    noisy = sum(step.is_unstable for step in finished.steps)
    unstable = f", {counted(noisy, 'step')} with unstable answers" if noisy else ""
    return (
        f"{state}{finished.conclusion.value}; {counted(finished.releases, 'release')}, "
        f"{counted(finished.tokenizers, 'tokenizer')}, {counted(changed, 'step')} with changes{unstable}"
    )
