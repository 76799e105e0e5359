"""What is measured of implementations in turns, with clocks that tests set: which texts, which rows, and why none."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest

from tokenizer_adapters.contract import (
    CannotLoadError,
    Clocked,
    Crashed,
    Encode,
    Encoded,
    Failed,
    Field,
    Measured,
    Spent,
    UnavailableError,
    Unsupported,
)
from tokenizer_adapters.protocol import measuring
from tokenizer_adapters.protocol.launch import CannotStartError
from tokenizer_adapters.protocol.measuring import Clocks
from tokenizer_conformance import Input, RunPlan, read_corpus
from tokenizer_conformance.results.records import run as lines
from tokenizer_conformance.validation.running import speed
from tokenizer_conformance.validation.running.events import RunFinished
from tokenizer_conformance.validation.running.plan import SpeedPlan
from tokenizer_conformance.validation.running.speed import ROUNDS, bytes_of, processors, speeds, texts_to_measure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokenizer_adapters.contract import Observation, Outcome, TokenizerSource
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

TEXTS = ("abc", "d", "é", "!", "f" * 10)
EVERY_TURN = ROUNDS * 2
OWN = "encode"


class Slow:
    """An implementation that takes ``seconds`` for each byte, and does not encode texts with one of ``refused``.

    By the clock it takes twice as long, since others are at work; only that is known where it does not ``count``.
    """

    def __init__(
        self, seconds: float = 1e-4, refused: str = "", call: str | None = OWN, *, counts: bool = True
    ) -> None:
        self.seconds, self.refused, self.call, self.counts = seconds, refused, call, counts
        self.measured_texts: list[tuple[tuple[str, ...], bool]] = []
        self.starts = self.ends = 0
        self.info: Any = None

    def start(self) -> Slow:
        self.starts += 1
        return self

    def load(self, _source: TokenizerSource) -> Slow:
        return self

    def close(self) -> None:
        self.ends += 1

    def vocabulary(self) -> Unsupported:
        return Unsupported("none")

    def observe(self, observation: Observation) -> Outcome:
        assert isinstance(observation, Encode)
        assert not observation.add_special_tokens
        refuses = any(character in observation.text for character in self.refused)
        return Failed("ValueError", "no") if refuses else Encoded((1,), tokens=("a",))

    def measured(
        self, texts: Sequence[str], seconds: float, *, batch: bool
    ) -> Measured | Failed | Crashed | Unsupported:
        del seconds
        if self.call is None:
            return Unsupported("what is it to measure?")
        self.measured_texts.append((tuple(texts), batch))
        taken = self.seconds * sum(map(bytes_of, texts))
        call, fields = (f"{self.call}_batch", [Field.IDS]) if batch else (self.call, [Field.IDS, Field.TOKENS])
        first, later = (Spent(2 * each, each if self.counts else None) for each in (taken, 2 * taken))
        return Measured(call, frozenset(fields), Clocked.CALL, first, later, 2)


class Breaking(Slow):
    """Breaks down over its measurement number ``at``."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self._left = at

    def measured(
        self, texts: Sequence[str], seconds: float, *, batch: bool
    ) -> Measured | Failed | Crashed | Unsupported:
        self._left -= 1
        return super().measured(texts, seconds, batch=batch) if self._left else Crashed("killed by signal 9")


class Unloadable(Slow):
    def load(self, source: TokenizerSource) -> Slow:
        raise CannotLoadError(f"other cannot load {source.name} ({source.file}): it reads WordPiece alone")


def unavailable(error: Exception) -> Callable[[], Slow]:
    def start() -> Slow:
        raise error

    return start


def clocks() -> Clocks:
    wall = count()
    return Clocks(lambda: float(next(wall)), lambda: 0.0)


@pytest.fixture(autouse=True)
def _nothing_is_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a pass the garbage of the whole process is collected, and a process that runs tests has a lot."""
    monkeypatch.setattr(measuring.gc, "collect", lambda: 0)


@pytest.fixture
def measure(toy_file: TokenizerFile) -> Callable[..., lines.Speed]:
    """A function that measures implementations, or what starts them, by name."""

    def measured(texts: Sequence[str] = TEXTS, seconds: float = 10.0, **starts: Any) -> lines.Speed:
        inputs = [Input(f"text {place}", "test", text) for place, text in enumerate(texts)]
        corpus, _ = read_corpus([("test", inputs)])
        plan = RunPlan(tokenizers=(toy_file,), implementations=(), baseline="a", corpus=corpus)
        given = SpeedPlan(
            seconds=seconds,
            starts={name: each.start if isinstance(each, Slow) else each for name, each in starts.items()},
        )
        (line,) = speeds(plan, given, clocks())
        return line

    return measured


def test_all_measure_the_same_texts_in_turns_with_one_thread_and_with_all(measure: Callable[..., lines.Speed]) -> None:
    one, other = Slow(), Slow(seconds=1e-3, refused="!")
    line = measure(one=one, other=other)
    measured = [(row.implementation, row.threads, row.call, row.fields) for row in line.rows]
    assert measured == [
        ("one", "one", "encode", (Field.IDS, Field.TOKENS)),
        ("one", "all", "encode_batch", (Field.IDS,)),
        ("other", "one", "encode", (Field.IDS, Field.TOKENS)),
        ("other", "all", "encode_batch", (Field.IDS,)),
    ]
    assert (line.tokenizer, line.left_out, line.missing) == ("toy-tokenizer", 1, {})
    assert (line.texts, line.new_texts, line.bytes + line.new_bytes) == (2, 2, 16)
    first, later, new = (
        lines.Spent(wall=round(2e-4 * size, 9), processor=round(1e-4 * size, 9))
        for size in (line.bytes, 2 * line.bytes, line.new_bytes)
    )
    assert line.rows[0].rounds == (lines.SpeedRound(first=first, later=later, passes=2, new=new),) * ROUNDS
    for each in (one, other):
        assert each.starts == each.ends == 1 + EVERY_TURN  # the first one tries the texts
        tried, (seen, _), (new, _), *_ = each.measured_texts
        assert len(set(each.measured_texts[1:])) == 4  # both halves of the texts, one by one and all at once
        assert sorted(seen + new) == sorted(text for text in TEXTS if text != "!")
        assert set(tried[0]) == set(TEXTS) - set(each.refused)
    assert one.measured_texts[1:] == other.measured_texts[1:]


def test_each_round_is_begun_with_another_implementation(
    measure: Callable[..., lines.Speed], monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []

    class Telling(Slow):
        def measured(self, texts: Sequence[str], seconds: float, *, batch: bool) -> Any:
            order.append(self.refused if batch else "")
            return super().measured(texts, seconds, batch=batch)

    monkeypatch.setattr(speed, "ROUNDS", 3)
    measure(a=Telling(refused="1"), b=Telling(refused="2"))
    assert [each for each in order if each][::2] == ["1", "2", "2", "1", "1", "2"]


@pytest.mark.parametrize(
    ("seconds", "slowest", "number"),
    [
        (10.0, Slow(1e-4), 60),
        (0.95, Slow(1e-4), 10),
        (0.95, Slow(1e-4, counts=False), 5),
        (1.0, Slow(1e-3), 1),
        (1.0, Slow(1e-2), 1),
        (1e-9, Slow(1), 1),
        (1.95, Slow(call=None), 12),
    ],
)
def test_there_are_so_many_texts_that_the_slowest_takes_half_of_a_round_for_them(
    measure: Callable[..., lines.Speed], seconds: float, slowest: Slow, number: int
) -> None:
    """Of 60 texts of 100 bytes; a pass takes a tenth of ``seconds``. The one seen from outside takes 1 s for all 60."""
    texts = [f"{place:0100}" for place in range(60)]
    line = measure(texts, seconds, fast=Slow(1e-9), slow=slowest)
    assert (line.texts + line.new_texts, line.bytes + line.new_bytes) == (number, 100 * number)
    assert line.texts - line.new_texts == number % 2


CANNOT = {
    "one that does not load": (Unloadable(), "it reads WordPiece alone"),
    "one that is not there": (unavailable(UnavailableError("pip install it")), "pip install it"),
    "one that does not start": (unavailable(CannotStartError("no such file")), "no such file"),
    "one that encodes nothing": (Slow(refused="".join(TEXTS)), "it encodes none of the texts: ValueError: no"),
    "one that breaks down at once": (Breaking(1), "killed by signal 9"),
    "one that breaks down in a later round": (Breaking(2 + ROUNDS), "killed by signal 9"),
    "one that breaks down over new texts": (Breaking(3), "killed by signal 9"),
    "one that is timed from outside, and can be": (Slow(call=None, refused="f"), None),
}


@pytest.mark.parametrize("name", CANNOT)
def test_who_cannot_be_measured_has_a_reason_and_no_rows_and_costs_the_others_nothing(
    measure: Callable[..., lines.Speed], name: str
) -> None:
    given, reason = CANNOT[name]
    line = measure(other=given, good=Slow())
    assert line.missing == ({} if reason is None else {"other": reason})
    expected = {"good"} if reason else {"good", "other"}
    assert {row.implementation for row in line.rows} == expected
    assert all(len(row.rounds) == ROUNDS for row in line.rows)


def test_a_program_that_does_not_measure_is_timed_from_outside(
    measure: Callable[..., lines.Speed], monkeypatch: pytest.MonkeyPatch
) -> None:
    for system, processor in (("linux", 0.0), ("darwin", None)):
        monkeypatch.setattr(speed.sys, "platform", system)
        (row, _) = measure(program=Slow(call=None)).rows
        assert (row.clocked, row.call, row.fields) == (Clocked.PROTOCOL, "", (Field.IDS, Field.TOKENS))
        spent = lines.Spent(wall=1.0, processor=processor)
        assert row.rounds[0] == lines.SpeedRound(first=spent, later=spent, passes=1, new=spent)


@pytest.mark.parametrize(
    ("texts", "one", "other"),
    [((), "", ""), (("",), "", ""), (("a", "b"), "a", "b")],
    ids=["none", "empty", "disjoint"],
)
def test_without_a_text_that_all_encode_nothing_is_measured(
    measure: Callable[..., lines.Speed], texts: tuple[str, ...], one: str, other: str
) -> None:
    line = measure(texts, one=Slow(refused=one), other=Slow(refused=other))
    assert (line.rows, line.texts) == ((), 0)
    reason = "there is no text that all implementations encode" if texts and texts[0] else "there are no texts"
    assert line.missing == {"one": reason, "other": reason}


# Texts ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("most", "kept"), [(100, "abcdefgh"), (8, "abcdefgh"), (7, "aceg"), (4, "aceg"), (3, "ae"), (1, "a"), (0, "a")]
)
def test_of_too_many_texts_some_are_kept_that_are_spread_over_all(most: int, kept: str) -> None:
    texts = texts_to_measure((Input(each, "test", each) for each in "abcdefgh"), most)
    assert "".join(sorted(texts)) == kept
    assert texts == texts_to_measure((Input(each, "test", each) for each in "abcdefgh"), most)


def test_the_order_is_not_that_of_the_inputs() -> None:
    texts = [str(number) for number in range(100)]
    assert texts_to_measure(Input(each, "test", each) for each in texts) != texts


def test_of_the_inputs_those_of_the_given_sources_are_measured_with(toy_file: TokenizerFile) -> None:
    corpus, _ = read_corpus([("mine", [Input("1", "mine", "aa")]), ("built in", [Input("2", "emoji", "bbbb")])])
    plan = RunPlan(tokenizers=(toy_file,), implementations=(), baseline="a", corpus=corpus)
    for sources, size in ((frozenset({"mine"}), 2), (frozenset(), 6)):
        (line,) = speeds(plan, SpeedPlan(seconds=9, starts={"a": Slow().start}, sources=sources), clocks())
        assert line.bytes + line.new_bytes == size


def test_a_single_text_leaves_no_new_ones(measure: Callable[..., lines.Speed]) -> None:
    line = measure(("abc", "abc"), one=Slow())
    assert (line.texts, line.new_texts, line.new_bytes) == (1, 0, 0)
    assert {each.new for row in line.rows for each in row.rounds} == {None}


# Processors -----------------------------------------------------------------------------------------------------------

SAYS = """
import os
print(*(os.environ.get(each, "-") for each in ("RAYON_NUM_THREADS", "OMP_NUM_THREADS", "TOKENIZERS_PARALLELISM")))
print(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else "-")
"""


@pytest.mark.parametrize(("threads", "told"), [("one", ["1", "1", "false"]), ("all", ["-", "-", "-"])])
def test_programs_that_are_started_meanwhile_have_so_many_processors(
    monkeypatch: pytest.MonkeyPatch, threads: lines.Threads, told: list[str]
) -> None:
    monkeypatch.setenv("RAYON_NUM_THREADS", "7")
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    before = dict(os.environ)
    processors_before = speed.processor_count()
    with processors(threads):
        said = subprocess.run([sys.executable, "-S", "-c", SAYS], check=True, capture_output=True, text=True).stdout
    *variables, allowed = said.split()
    assert variables == told
    assert allowed == (("1" if threads == "one" else str(processors_before)) if speed.PINS else "-")
    assert dict(os.environ) == before
    assert speed.processor_count() == processors_before


# In a run -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fake", [fakes.Utf8, fakes.LossyDecode, fakes.CannotLoad, fakes.Raising])
def test_a_measurement_changes_nothing_that_a_run_comes_to(
    events_of: Callable[..., list[Any]], fake: type[fakes.Toy]
) -> None:
    starts = {"slow": Slow().start, "broken": Breaking(1).start}
    plain, measured = events_of(fake), events_of(fake, speed=SpeedPlan(seconds=1.0, starts=starts))
    (*_, line, ending), (*_, plain_ending) = measured, plain
    assert isinstance(line, lines.Speed)
    assert isinstance(ending, RunFinished)
    assert replace(ending, seconds=0) == replace(plain_ending, seconds=0)
    assert len(measured) == len(plain) + 1
