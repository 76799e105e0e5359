"""What a page says of measured speed: medians, ratios of one round, and what makes numbers not comparable."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from tokenizer_adapters.contract import ENCODING_FIELDS, Clocked, Field
from tokenizer_conformance.results.page import Estimate, Section
from tokenizer_conformance.results.records.run import Speed, SpeedRound, SpeedRow, Spent, Threads
from tokenizer_conformance.validation.running.speed_page import WHAT, speed_section

TEXTS, BYTES = 100, 2_000_000


def row(
    name: str, threads: Threads, *seconds: float, busy: float | None = 1.0, has_new: bool = True, **changed: Any
) -> SpeedRow:
    """Return a row with a round for each of ``seconds``, those of new texts.

    The first pass takes twice as long, and later ones half as long.
    """

    def spent(wall: float) -> Spent:
        return Spent(wall=wall, processor=None if busy is None else wall * busy)

    rounds = tuple(
        SpeedRound(first=spent(2 * each), later=spent(2 * each), passes=4, new=spent(each) if has_new else None)
        for each in seconds
    )
    members = {"call": "encode", "fields": (Field.IDS,), "clocked": Clocked.CALL} | changed
    return SpeedRow(implementation=name, threads=threads, rounds=rounds, **members)


def speed(*rows: SpeedRow, **changed: Any) -> Speed:
    members = {"tokenizer": "toy", "left_out": 0, "processors": 4, "pinned": True, "missing": {}}
    sizes = {"texts": 3, "bytes": BYTES, "new_texts": TEXTS, "new_bytes": BYTES}
    return Speed(rows=rows, **members | sizes | changed)


def section(*speeds: Speed, other_ids: dict[tuple[str, str], float | None] | None = None) -> Section:
    (only,) = speed_section(speeds, "base", other_ids or {})
    return only


SAME = (
    "toy: all encode the same 3 texts, 2,000 kB, and 100 new ones, 2,000 kB, without special tokens, in 2 rounds by "
    "turns."
)


def test_without_a_measurement_there_is_no_section() -> None:
    assert list(speed_section([], "base", {})) == []


def test_a_row_has_medians_of_the_rounds_and_ratios_of_one_round() -> None:
    rows = (row("base", "one", 1.0, 2.0), row("fast", "one", 0.5, 0.5), row("base", "all", 1, 1, busy=3.5))
    found = section(speed(*rows), other_ids={("toy", "fast"): 12.5, ("other", "base"): 1.0})
    assert found.title == "Speed"
    assert found.sentences == (WHAT, SAME)
    one, many = found.tables
    assert one.title == "toy: one text at a time on one processor, by processor time"
    assert one.columns == (
        "implementation",
        "call",
        "MB/s first",
        "MB/s again",
        "MB/s new",
        "texts/s",
        "times base",
        "% other ids",
    )
    assert one.rows == (
        ("fast", "encode", Estimate(2, 2, 2), Estimate(8, 8, 8), Estimate(4, 4, 4), 200, Estimate(3, 2, 4), 12.5),
        (
            "base",
            "encode",
            Estimate(0.75, 0.5, 1),
            Estimate(3, 2, 4),
            Estimate(1.5, 1, 2),
            75,
            Estimate(1, 1, 1),
            None,
        ),
    )
    assert many.title == "toy: all texts at once, on 4 processors, by the clock"
    assert many.columns == (*one.columns[:-1], "processors busy", "% other ids")
    numbers = (Estimate(1, 1, 1), Estimate(4, 4, 4), Estimate(2, 2, 2), 100, Estimate(1, 1, 1))
    assert many.rows == (("base", "encode", *numbers, 3.5, None),)


def test_without_a_baseline_there_are_no_ratios() -> None:
    (table,) = section(speed(row("fast", "one", 1.0, 1.0))).tables
    assert "times base" not in table.columns
    assert table.rows == (("fast", "encode", Estimate(1, 1, 1), Estimate(4, 4, 4), Estimate(2, 2, 2), 100, None),)


def test_without_new_texts_those_count_that_are_encoded_again() -> None:
    rows = (row("base", "one", 1.0, has_new=False), row("fast", "one", 0.5, has_new=False))
    (table,) = section(speed(*rows, new_texts=0, new_bytes=0)).tables
    assert table.rows[0] == (
        "fast",
        "encode",
        Estimate(2, 2, 2),
        Estimate(8, 8, 8),
        None,
        12,
        Estimate(2, 2, 2),
        None,
    )


@pytest.mark.parametrize("busy", [None, 0.0])
def test_where_processor_time_is_not_known_the_clock_counts(busy: float | None) -> None:
    rows = (row("base", "one", 1.0), row("other", "one", 1.0, busy=busy), row("other", "all", 1.0, busy=busy))
    one, many = section(speed(*rows)).tables
    assert one.title == "toy: one text at a time on one processor, by the clock"
    assert [each[4] for each in one.rows] == [Estimate(2, 2, 2)] * 2
    assert many.rows[0][many.columns.index("processors busy")] is None


def test_a_clock_that_has_not_moved_divides_by_nothing() -> None:
    (table,) = section(speed(row("base", "one", 0.0, busy=None))).tables
    assert table.rows[0][4] == Estimate(2e9, 2e9, 2e9)


MAKES_MORE = row("base", "one", 1, 1, fields=ENCODING_FIELDS[:3]), row("bare", "one", 1, 1)
NOTES: dict[str, tuple[Speed, list[str]]] = {
    "all is well": (speed(row("base", "one", 1, 1)), [SAME]),
    "a text is left out": (
        speed(row("base", "one", 1, 1), left_out=1),
        [f"{SAME[:-1]}; 1 text left out, which not all encode."],
    ),
    "other work": (
        speed(*MAKES_MORE, row("bare", "all", 1, 1), row("words", "one", 1, 1, fields=(Field.TOKENS,), call="")),
        [
            SAME,
            (
                "toy: not the same work, for calls make other things beside ids. base (encode): tokens, offsets; "
                "bare (encode): nothing; words: tokens, and no ids."
            ),
        ],
    ),
    "conversions": (
        speed(row("mine", "one", 1, 1, clocked=Clocked.ADAPTER), row("mine", "all", 1, 1, clocked=Clocked.ADAPTER)),
        [SAME, "toy: timed around the adapter, whose conversion of answers counts: mine."],
    ),
    "lines of the protocol": (
        speed(row("a", "one", 1, 1, clocked=Clocked.PROTOCOL), row("b", "one", 1, 1, clocked=Clocked.PROTOCOL)),
        [
            SAME,
            (
                "toy: timed from outside, so that the lines of the protocol count, which may take longer than the work "
                "itself: a, b."
            ),
        ],
    ),
    "a busy machine": (
        speed(
            row("base", "one", 1, 1, busy=0.5), row("other", "one", 1, 1, busy=0.75), row("base", "all", 1, 1, busy=9)
        ),
        [
            SAME,
            (
                "toy: the machine was busy with other programs (one had 62% of its processor): numbers by the clock "
                "are too low, and not to be trusted."
            ),
        ],
    ),
    "little text": (
        speed(row("base", "one", 1, 1), bytes=25_000, new_bytes=24_999),
        [
            SAME.replace("2,000 kB", "25 kB"),
            "toy: this is little text to rely on: give more (--inputs), more time (--speed-time), or both.",
        ],
    ),
    "enough text": (
        speed(row("base", "one", 1, 1), bytes=25_000, new_bytes=25_000),
        [SAME.replace("2,000 kB", "25 kB")],
    ),
    "a system that pins nothing": (
        speed(row("base", "one", 1, 1), pinned=False),
        [SAME, "toy: this system keeps no process on one processor; libraries were told to use one thread."],
    ),
    "nothing at all": (
        structs.replace(
            speed(texts=0, bytes=0, new_texts=0, new_bytes=0), missing={"a": "it does not load.", "b": "no"}
        ),
        ["toy: a is not measured: it does not load.", "toy: b is not measured: no."],
    ),
}


@pytest.mark.parametrize("name", NOTES)
def test_what_makes_numbers_not_comparable_is_said(name: str) -> None:
    measured, notes = NOTES[name]
    assert section(measured).sentences == (WHAT, *notes)


def test_each_tokenizer_has_tables_of_its_own() -> None:
    both = section(speed(row("base", "one", 1.0)), speed(row("base", "one", 1.0), tokenizer="second"))
    assert [table.title.partition(":")[0] for table in both.tables] == ["toy", "second"]
    assert replace(both.tables[0], title="") == replace(both.tables[1], title="")
