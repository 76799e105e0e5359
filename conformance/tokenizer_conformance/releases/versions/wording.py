"""The words of a comparison of releases, for terminal and Markdown; all text of others is escaped here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.escape import one_line
from tokenizer_conformance.plural import counted
from tokenizer_conformance.releases.diff.wording import asked_again_line
from tokenizer_conformance.releases.versions.matrix import MOST_IDS
from tokenizer_conformance.validation.running.wording import stale_line, unstable_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_adapters.contract import Stage
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.releases.versions.alike import AlikeChanges
    from tokenizer_conformance.releases.versions.events import Bisected, StepFinished, VersionsFinished, VersionsStarted
    from tokenizer_conformance.releases.versions.facts import SectionFinished
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


def matrix_rows(
    releases: Sequence[str], matrices: Sequence[TokenizerMatrix], stage: Stage | None = None
) -> list[list[str]]:
    """Return the rows of the matrix: on how many inputs each two releases differ, at a ``stage`` or at any.

    Inputs are summed over the tokenizers that both load; ``=`` says that there is none, ``-`` that no tokenizer is
    loaded by both.
    """
    rows = []
    for first, name in enumerate(releases):
        cells = [_cell(matrices, min(first, second), max(first, second), stage) for second in range(len(releases))]
        rows.append([one_line(name), *("" if first == second else cell for second, cell in enumerate(cells))])
    return rows


def _cell(matrices: Sequence[TokenizerMatrix], first: int, second: int, stage: Stage | None) -> str:
    common = [each for each in matrices if first in each.loaded and second in each.loaded]
    if not common:
        return NOTHING
    pair = (first, second)
    total = sum(each.inputs.get(pair, 0) if stage is None else each.differing.get((pair, stage), 0) for each in common)
    return f"{total:,}" if total else SAME


def step_title(step: StepFinished) -> str:
    """Return what a step is about."""
    if not step.inputs and not step.loading and not step.unstable:
        return f"{one_line(step.old)} -> {one_line(step.new)}: nothing changed"
    changing = [each for each in step.tokenizers if each.findings or each.known or not each.unstable]
    tokenizers = counted(len(changing), "tokenizer")
    explained = [*(each.explained_by for each in step.causes), *(each.explained_by for each in step.loading)]
    new = explained.count(())
    parts = [
        f"{counted(step.inputs, 'input')} of {tokenizers} with other answers" if step.inputs else "",
        f"{counted(step.unstable, 'input')} with unstable answers" if step.unstable else "",
        counted(len(step.loading), "change") + " in what is loaded and saved" if step.loading else "",
        counted(len(step.causes), "cause") if step.causes else "",
        f"{new:,} of all that no known change explains" if new else "",
    ]
    return f"{one_line(step.old)} -> {one_line(step.new)}: {', '.join(filter(None, parts))}"


def noise_lines(step: StepFinished) -> list[str]:
    """Say what is no change, since a release did not repeat it, and what was not asked again."""
    return [
        *(line for each in step.tokenizers for line in unstable_lines(each)),
        *map(asked_again_line, step.asked_again),
        *filter(None, [_unconfirmed_line(step)]),
    ]


def _unconfirmed_line(step: StepFinished) -> str:
    if not (step.is_unstable and step.unconfirmed):
        return ""
    return (
        f"{counted(step.unconfirmed, 'further input')} of the {step.inputs:,} with other answers: not asked again "
        f"(at most {MOST_IDS:,} of each tokenizer are), so that it is not known whether they are unstable"
    )


def boundary_line(event: Bisected) -> str:
    """Return one line about the release that brought a change."""
    found = event.boundary
    subject = f"{event.what} {event.number}"
    if found is None:
        return f"{subject}: the two did not show it when they were asked anew"
    parts = [f"{subject}: since {one_line(found.since)}"]
    parts += [f"{one_line(found.until)} is as before" if found.until != event.old else ""]
    if found.skipped:
        parts.append(f"between the two could not be asked: {', '.join(map(_missing, event.missing.items()))}")
    if found.goes_back:
        names = ", ".join(map(one_line, found.goes_back))
        verb = "is" if len(found.goes_back) == 1 else "are"
        parts.append(f"not monotone: {names} {verb} the other way, so it changed more than once")
    if not found.is_final:
        parts.append(f"{one_line(event.new)} is otherwise once more")
    return "; ".join(filter(None, parts))


def _missing(each: tuple[str, str]) -> str:
    return f"{one_line(each[0])} ({one_line(each[1], limit=LONGEST_FACT)})"


def section_title(section: SectionFinished) -> str:
    """Return what a section came to, in one line."""
    facts = max(section.facts.values(), default=0)
    noise = sum(map(len, section.unstable.values()))
    unstable = f", {noise:,} not repeated by their own release, and not compared" if noise else ""
    known = sum(change.entry is not None for change in section.changes)
    of_these = f" ({known:,} known)" if known else ""
    changes = f"{counted(len(section.changes), 'change')}{of_these}"
    return f"{section.section}: {changes} in up to {facts:,} facts a release{unstable}"


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


def going_on_line(started: VersionsStarted, finished: VersionsFinished) -> str:
    """Say of a comparison that was cut short what is kept; nothing of one that came to its end."""
    if finished.finished:
        return ""
    kept = f"{finished.releases:,} of {counted(len(started.releases), 'release')}"
    return f"the snapshots of {kept} are whole: the same command goes on from there"


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
