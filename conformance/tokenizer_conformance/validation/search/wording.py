"""The words in which reports tell a search. All text that comes from tokenizers and implementations is escaped here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.tables import table
from tokenizer_conformance.comparison.wording import describe, shown_text, subject_lines, window
from tokenizer_conformance.escape import escape, one_line
from tokenizer_conformance.plural import counted
from tokenizer_conformance.validation.search.dealing import KEPT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.command_io.tables import Table
    from tokenizer_conformance.validation.search.events import (
        CauseFound,
        PairingSearched,
        SearchFinished,
        SearchStarted,
        Tally,
    )

LONGEST_TITLE = 240
"""How many characters of a title are shown: a cause may be named by many characters."""

SHOWN_UNEXAMINED = 3
"""How many of the texts that nobody has looked at are shown."""


def limit_words(started: SearchStarted) -> str:
    """Say how long a search takes at most, and in how many processes."""
    limits = []
    if started.seconds is not None:
        limits.append(f"{started.seconds:g} s")
    if started.cases is not None:
        limits.append(f"{counted(started.cases, 'text')} for each tokenizer and implementation")
    processes = "1 process" if started.jobs == 1 else f"{started.jobs:,} processes"
    return f"{', '.join(limits)}; {processes}; seed {started.seed}"


def cause_title(cause: Cause) -> str:
    """Say who differs, where, and how."""
    manner = cause.signature.manner
    what = " ".join(filter(None, (manner.field, manner.kind.value, manner.detail)))
    about = ", ".join(filter(None, (cause.signature.characters, cause.signature.context)))
    component = f" ({cause.signature.component})" if ":" in cause.signature.component else ""
    words = f"{cause.implementation}: {manner.stage}{component}: {what}"
    return one_line(f"{words}; {about}" if about else words, LONGEST_TITLE)


def found_words(event: CauseFound) -> str:
    """Say where and when a cause was found."""
    again = ", known from the corpus" if event.generator == KEPT else ""
    name = event.pairing.tokenizer.source.name
    return (
        f'on {one_line(name)} by "{one_line(event.generator)}", text {event.case.number:,}{again}, '
        f"after {counted(event.cases, 'case')} and {event.seconds:.1f} s"
    )


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


def counts_words(cause: Cause) -> str:
    """Say on how much a cause was seen."""
    tokenizers = [f"{one_line(name)} {count:,}" for name, count in cause.tokenizers.items() if count]
    where = f" ({', '.join(tokenizers)})" if len(tokenizers) > 1 else ""
    return f"{counted(cause.inputs, 'input')}{where}"


def searched_title(searched: PairingSearched) -> str:
    """Say what was asked of a pairing."""
    tally = searched.tally
    state = "" if searched.complete else ", INCOMPLETE"
    return (
        f"{one_line(searched.pairing.name)}: {counted(tally.cases, 'case')}{state}, "
        f"{counted(tally.questions, 'question')}, {tally.seconds:.1f} s, {tally.pace:,.0f} cases/s"
    )


def generators_table(searched: PairingSearched) -> Table:
    """Return what the generators that had a turn have come to, in their order."""
    rows = [
        [
            one_line(count.name),
            f"{count.cases:,}",
            "without end" if count.count is None else f"{count.next:,} of {count.count:,}",
            f"{count.hits:,}",
            f"{count.causes:,}",
        ]
        for count in searched.generators
        if count.cases
    ]
    headers = ["generator", "cases", "texts used", "differ", "findings"]
    return table(headers, rows, right=frozenset({1, 2, 3, 4}))


def searched_notes(searched: PairingSearched) -> list[str]:
    """Return what else is to be said of a pairing."""
    tally = searched.tally
    notes = []
    idle = sum(not count.cases and count.count != 0 for count in searched.generators)
    if idle:
        notes.append(f"{counted(idle, 'generator')} more had no turn, or nothing to change yet")
    if searched.exhausted:
        notes.append("no generator has a further text: the search came to its end")
    if searched.kept:
        notes.append(
            f"corpus: {counted(searched.kept, 'kept text')} asked about first, "
            f"of which {searched.gone:,} show no difference any more"
        )
    if tally.unstable:
        notes.append(f"unstable: {counted(tally.unstable, 'answer')} differed, and were others when asked again")
    if tally.lost:
        times = "once" if tally.lost == 1 else f"{tally.lost:,} times"
        notes.append(f"a process was lost {times}; what it was at was asked again, each side in a process for itself")
    for entry, count in tally.known.most_common():
        origin = "; ".join(one_line(each) for each in (str(entry.place), entry.link, entry.finding) if each)
        notes.append(f"known: {counted(count, 'difference')}: {one_line(entry.reason)} [{origin}]")
    return [*notes, *unexamined_lines(tally)]


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


def ranking(finished: SearchFinished) -> Sequence[tuple[int, str]]:
    """Return the number of each finding with a line that tells it, those first that were seen on most inputs."""
    return [
        (each.number, f"{cause_title(each.cause)}: {counts_words(each.cause)}; {reason_words(each.cause)}")
        for each in finished.causes
    ]
