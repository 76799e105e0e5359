"""The section of a page about how fast implementations are, made of what a record says of each round."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tokenizer_adapters.contract import Clocked, Field
from tokenizer_conformance.plural import counted
from tokenizer_conformance.results.page import Estimate, Section, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_conformance.results.page import TableCell
    from tokenizer_conformance.results.records.run import Speed, SpeedRound, SpeedRow, Spent


Seconds = Callable[["Spent"], float]
"""Takes of what was spent what is to count."""

MB: Final = 1e6

WHAT: Final = (
    "Numbers to choose by; nothing fails for them. MB are millions of bytes of UTF-8. First: of the first pass over "
    "texts in a process that was started for it. Again: of later passes over the same texts, where a library that "
    "keeps what it has seen is at its best. New: of texts that it has not seen by then, as in a program that runs for "
    "long. Medians of all rounds, with the least and the greatest; texts a second and ratios are those of new texts, "
    "a ratio is of two numbers of one round. Other ids are those of the comparison, on all its inputs."
)

OtherIds = Mapping[tuple[str, str], float | None]
"""Which share of the inputs has other ids than with the baseline, in per cent, by tokenizer and implementation."""


def speed_section(speeds: Sequence[Speed], baseline: str, other_ids: OtherIds) -> Iterator[Section]:
    """Yield the section about ``speeds``, one for each tokenizer, beside the ``baseline``; none where none is there."""
    if speeds:
        sentences = (WHAT, *(each for one in speeds for each in _notes(one)))
        tables = tuple(table for one in speeds for table in _tables(_Beside(one, baseline, other_ids)))
        yield Section("Speed", sentences, tables=tables)


# Notes ---------------------------------------------------------------------------------------------------------------


def _notes(speed: Speed) -> Iterator[str]:
    name = speed.tokenizer
    if speed.rows:
        left_out = f"; {counted(speed.left_out, 'text')} left out, which not all encode" if speed.left_out else ""
        rounds = max(len(row.rounds) for row in speed.rows)
        yield (
            f"{name}: all encode the same {counted(speed.texts, 'text')}, {speed.bytes / 1e3:,.0f} kB, and "
            f"{speed.new_texts:,} new ones, {speed.new_bytes / 1e3:,.0f} kB, without special tokens, in "
            f"{counted(rounds, 'round')} by turns{left_out}."
        )
        yield from (f"{name}: {note}" for note in (*_same_work(speed), *_clocked(speed), *_disturbed(speed)))
        if speed.bytes + speed.new_bytes < LITTLE:
            yield f"{name}: this is little text to rely on: give more (--inputs), more time (--speed-time), or both."
        if not speed.pinned:
            yield f"{name}: this system keeps no process on one processor; libraries were told to use one thread."
    yield from (f"{name}: {each} is not measured: {reason.rstrip('.')}." for each, reason in speed.missing.items())


def _same_work(speed: Speed) -> Iterator[str]:
    """Say who makes which fields, where these are not the same for all."""
    makers: dict[tuple[Field, ...], list[str]] = {}
    for row in speed.rows:
        names = makers.setdefault(row.fields, [])
        who = f"{row.implementation} ({row.call})" if row.call else row.implementation
        if who not in names:
            names.append(who)
    if len(makers) > 1:
        told = (f"{', '.join(names)}: {_beside_ids(fields)}" for fields, names in makers.items())
        yield f"not the same work, for calls make other things beside ids. {'; '.join(told)}."


def _beside_ids(fields: Sequence[Field]) -> str:
    """Say what a call makes.

    >>> _beside_ids((Field.IDS,)), _beside_ids((Field.IDS, Field.OFFSETS)), _beside_ids((Field.TOKENS,))
    ('nothing', 'offsets', 'tokens, and no ids')
    """
    others = ", ".join(each for each in fields if each is not Field.IDS) or "nothing"
    return others if Field.IDS in fields else f"{others}, and no ids"


LITTLE: Final = 50_000
"""With fewer bytes than these, passes are so short that what else goes on is seen."""

BUSY: Final = 0.8
"""Where a process gets less of a processor than this, others are at work on the machine."""


def _disturbed(speed: Speed) -> Iterator[str]:
    """Say that the machine was busy with other things, where that is seen."""
    shares = [share for row in speed.rows if row.threads == "one" and (share := _busy(row)) is not None]
    if shares and statistics.median(shares) < BUSY:
        yield (
            f"the machine was busy with other programs (one had {statistics.median(shares):.0%} of its processor): "
            "numbers by the clock are too low, and not to be trusted."
        )


CAUTIONS: Final = {
    Clocked.ADAPTER: "timed around the adapter, whose conversion of answers counts: {}.",
    Clocked.PROTOCOL: "timed from outside, so that the lines of the protocol count, which may take longer than the "
    "work itself: {}.",
}


def _clocked(speed: Speed) -> Iterator[str]:
    for clocked, words in CAUTIONS.items():
        names = dict.fromkeys(row.implementation for row in speed.rows if row.clocked is clocked)
        if names:
            yield words.format(", ".join(names))


# Tables --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Beside:
    """What was measured on one tokenizer, and what it stands beside."""

    speed: Speed
    baseline: str
    other_ids: OtherIds


def _tables(beside: _Beside) -> Iterator[Table]:
    speed = beside.speed
    one, many = ([row for row in speed.rows if row.threads == threads] for threads in ("one", "all"))
    if one:
        by_processor = all(map(_has_processor_time, one))
        clock, seconds = ("by processor time", _processor) if by_processor else ("by the clock", _wall)
        yield _table(f"{speed.tokenizer}: one text at a time on one processor, {clock}", one, beside, seconds)
    if many:
        title = f"{speed.tokenizer}: all texts at once, on {counted(speed.processors, 'processor')}, by the clock"
        yield _table(title, many, beside, _wall, has_shares=True)


def _table(
    title: str, rows: Sequence[SpeedRow], beside: _Beside, seconds: Seconds, *, has_shares: bool = False
) -> Table:
    speed = beside.speed
    base = next((row for row in rows if row.implementation == beside.baseline), None)
    columns: dict[str, Callable[[SpeedRow], TableCell]] = {
        "implementation": lambda row: row.implementation,
        "call": lambda row: row.call,
        "MB/s first": lambda row: _estimate([speed.bytes / MB / seconds(each.first) for each in row.rounds]),
        "MB/s again": lambda row: _estimate([speed.bytes / MB / _again(each, seconds) for each in row.rounds]),
        "MB/s new": lambda row: _estimate(_rates(row, speed.new_bytes / MB, seconds)) if speed.new_texts else None,
        "texts/s": lambda row: round(statistics.median(_rates(row, speed.new_texts or speed.texts, seconds))),
    }
    if base is not None:
        columns[f"times {beside.baseline}"] = lambda row: _estimate(_ratios(row, base, seconds))
    if has_shares:
        columns["processors busy"] = _busy
    columns["% other ids"] = lambda row: beside.other_ids.get((speed.tokenizer, row.implementation))
    fastest_first = sorted(rows, key=lambda row: -statistics.median(_rates(row, 1, seconds)))
    return Table(title, tuple(columns), tuple(tuple(cell(row) for cell in columns.values()) for row in fastest_first))


def _rates(row: SpeedRow, of: float, seconds: Seconds) -> list[float]:
    """Return how much of ``of``, all that a pass has, is done in a second, in each round."""
    return [of / _main(each, seconds) for each in row.rounds]


def _ratios(row: SpeedRow, base: SpeedRow, seconds: Seconds) -> list[float]:
    """Return how many times as fast as ``base`` it is, round by round."""
    return [_main(other, seconds) / _main(own, seconds) for own, other in zip(row.rounds, base.rounds, strict=True)]


def _busy(row: SpeedRow) -> float | None:
    """Return how many processors it kept busy, ``None`` where processor time is not known."""
    if not _has_processor_time(row):
        return None
    return round(statistics.median(_processor(each.later) / _wall(each.later) for each in row.rounds), 2)


def _main(each: SpeedRound, seconds: Seconds) -> float:
    """Return the seconds that count: those of new texts, and where there are none, of a later pass."""
    return _again(each, seconds) if each.new is None else seconds(each.new)


def _again(each: SpeedRound, seconds: Seconds) -> float:
    """Return the seconds of one later pass."""
    return seconds(each.later) / each.passes


LEAST: Final = 1e-9
"""What a clock that has not moved is taken to say, in seconds."""


def _wall(spent: Spent) -> float:
    return max(spent.wall, LEAST)


def _processor(spent: Spent) -> float:
    return max(spent.processor or 0.0, LEAST)


def _has_processor_time(row: SpeedRow) -> bool:
    spent = (one for each in row.rounds for one in (each.first, each.later, each.new) if one is not None)
    return all(each.processor for each in spent)


def _estimate(values: Sequence[float]) -> Estimate:
    """Return the median of ``values`` with the least and the greatest, of three digits each."""
    value, low, high = (float(f"{each:.3g}") for each in (statistics.median(values), min(values), max(values)))
    return Estimate(value, low, high)
