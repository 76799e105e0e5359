"""A slow implementation loses little where a run is interrupted, and no input is counted in part."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import fake_implementations as fakes
import pytest

from tokenizer_conformance import Input
from tokenizer_conformance.command_io.interrupts import Interrupts
from tokenizer_conformance.comparison import batching
from tokenizer_conformance.comparison.batching import CHARACTERS_AT_ONCE, INPUTS_AT_ONCE, Pace, batches, batches_of_ids
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.corpus import PairedInput
from tokenizer_conformance.validation.running.events import Checkpoint, InputCompared, RunFinished, TokenizerFinished

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance import Event

    EventsOf = Callable[..., list[Event]]


def test_a_batch_grows_while_it_is_answered_soon_and_shrinks_when_it_is_late() -> None:
    now = [0.0]
    pace = Pace(lambda: now[0])
    sizes = []
    for seconds in (0.1,) * 8 + (1.0, 3.0, 3.0, 0.1) + (9.0,) * 9:
        sizes.append(pace.inputs)
        pace.begin()
        now[0] += seconds
        pace.end()
    assert sizes[:9] == [1, 2, 4, 8, 16, 32, 64, INPUTS_AT_ONCE, INPUTS_AT_ONCE]
    assert sizes[9:13] == [64, 32, 16, 32]
    assert sizes[-1] == 1


@pytest.mark.parametrize(("seconds", "size"), [(0.49, 8), (0.5, 4), (2.0, 4), (2.01, 2)])
def test_a_batch_that_takes_neither_long_nor_little_stays_as_large(seconds: float, size: int) -> None:
    pace = Pace(most=8)
    pace.inputs = 4
    pace.took(seconds)
    assert pace.inputs == size
    pace.inputs = 8
    pace.took(0)
    assert pace.inputs == 8


def test_what_was_read_before_a_place_that_cannot_be_read_is_a_batch() -> None:
    short = Input("short", "test", "a")

    def inputs() -> Iterator[PairedInput]:
        yield PairedInput(short, short)
        raise BadInputError("line 2")

    pace = Pace()
    pace.inputs = 2
    found = batches(inputs(), pace)
    assert [each.input for each in next(found)] == [short]
    with pytest.raises(BadInputError, match="line 2"):
        next(found)


@pytest.mark.parametrize(
    ("count", "sizes"), [(0, []), (1, [1]), (1000, [1000]), (1001, [1000, 1]), (2000, [1000, 1000])]
)
def test_ids_come_in_batches_in_their_order(count: int, sizes: list[int]) -> None:
    found = list(batches_of_ids(range(count)))
    assert [len(each) for each in found] == sizes
    assert [id_ for each in found for id_ in each] == list(range(count))


def test_a_batch_is_complete_with_so_many_characters_and_not_before() -> None:
    pace = Pace()
    pace.inputs = 9
    given = [Input(text[:1], "test", text) for text in ("a" * (CHARACTERS_AT_ONCE - 1), "b", "c")]
    assert [len(batch) for batch in batches((PairedInput(each, each) for each in given), pace)] == [2, 1]


def test_a_batch_of_long_texts_is_small_however_many_were_before() -> None:
    pace = Pace()
    pace.inputs = 4
    long = Input("long", "test", "a" * (CHARACTERS_AT_ONCE // 2))
    short = Input("short", "test", "a")
    inputs = [PairedInput(each, each) for each in (long, long, long, short, long, short, short, short, short)]
    assert [len(batch) for batch in batches(inputs, pace)] == [2, 3, 4]


class SlowInBatches(fakes.Toy):
    name = "slow-in-batches"

    class subject(fakes.ToySubject):  # noqa: N801
        asked: list[int] = []  # noqa: RUF012 - the test reads it

        def observe_all(self, observations: Sequence[Observation]) -> list[Outcome]:
            self.asked.append(len(observations))
            return [self.observe(observation) for observation in observations]


def test_of_a_slow_implementation_one_input_at_a_time_is_asked(
    events_of: EventsOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batching, "SOON", -1.0)
    SlowInBatches.subject.asked.clear()
    events = events_of(SlowInBatches)
    (done,) = (event for event in events if isinstance(event, TokenizerFinished))
    assert done.inputs == 6
    assert max(SlowInBatches.subject.asked) <= 9, "the questions about one input"


class InterruptedAtTheNeighbour(fakes.ShiftedOffset):
    name = "interrupted-at-the-neighbour"

    class subject(fakes.ShiftedOffset.subject):  # noqa: N801
        asked = 0

        def observe(self, observation: Observation) -> Outcome:
            type(self).asked += 1
            if self.asked == InterruptedAtTheNeighbour.at:
                raise KeyboardInterrupt
            return super().observe(observation)

    at = 0


def test_an_interrupt_leaves_no_input_counted_in_part(events_of: EventsOf) -> None:
    for at in range(1, 60):
        InterruptedAtTheNeighbour.at = at
        InterruptedAtTheNeighbour.subject.asked = 0
        events = events_of(InterruptedAtTheNeighbour)
        (done,) = (event for event in events if isinstance(event, TokenizerFinished))
        assert all(sum(count.inputs.values()) == done.inputs for count in done.results[0].stages.values()), (
            f"interrupted at question {at}"
        )
        assert isinstance(events[-1], RunFinished)
        assert not any(isinstance(event, Checkpoint) for event in events)
        assert sum(isinstance(event, InputCompared) for event in events) in {done.inputs, done.inputs - 1}


def test_a_signal_is_answered_after_what_is_done_whole() -> None:
    interrupts = Interrupts()
    with interrupts.heard():
        with interrupts.held():
            signal.raise_signal(signal.SIGINT)
            done = True
        assert done
        with pytest.raises(KeyboardInterrupt):
            interrupts.answer()
