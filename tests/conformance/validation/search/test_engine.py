"""A search finds what differs, says so at once, and ends in good order whatever ends it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar

import fake_implementations as fakes
import pytest
from searching import here, side_of

from tokenizer_adapters.contract import CannotLoadError, Normalize, Stage, TokenizerSource
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.inputs.text_generators.generator import Generator, Produced
from tokenizer_conformance.validation.search import engine, pairing_search
from tokenizer_conformance.validation.search.cases import Case
from tokenizer_conformance.validation.search.engine import search
from tokenizer_conformance.validation.search.events import (
    BatchTaken,
    CauseFound,
    PairingRefused,
    PairingSearched,
    SearchFinished,
    Started,
)
from tokenizer_conformance.validation.search.plan import Begun, Pairing

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

    Searched = Callable[..., list[Any]]

# The experiments that look for reasons leave it to Python to remove their folders.

E = TypeVar("E")


def only(kind: type[E], events: list[Any]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def test_what_differs_is_found_made_small_and_counted(searched: Searched) -> None:
    events = searched(fakes.WrongNormalization)
    (found,) = only(CauseFound, events)
    assert found.cause.witness.question == Normalize("B")
    assert found.cause.witness.stage is Stage.NORMALIZE
    assert (found.number, found.generator, found.case.number) == (1, "words", 0)
    (done,) = only(PairingSearched, events)
    assert done.line.cases == 400
    (last,) = only(SearchFinished, events)
    assert last.conclusion is Conclusion.DIFFERENCES
    assert last.exit_status == 1
    assert last.causes[0].cause.inputs >= 6
    assert isinstance(events[0], Started)
    assert events[-1] is last


def test_an_answer_that_differs_once_is_counted_as_unstable_and_is_no_finding(searched: Searched) -> None:
    class DiffersOnce(fakes.Toy):
        name = "differs-once"

        class subject(fakes.ToySubject):  # noqa: N801 - stands for the attribute
            def __init__(self) -> None:
                self._asked: set[str] = set()

            def normalize(self, text: str) -> str:
                is_first, _ = text not in self._asked, self._asked.add(text)
                return super().normalize(text) + ("?" if is_first and "B" in text else "")

    events = searched(DiffersOnce, cases=40)
    (done,) = only(PairingSearched, events)
    assert done.line.unstable
    assert not only(CauseFound, events)


@pytest.mark.long
def test_a_finding_is_told_before_the_search_is_over(searched: Searched) -> None:
    events = searched(fakes.WrongNormalization)
    first = next(place for place, event in enumerate(events) if isinstance(event, CauseFound))
    assert len(only(BatchTaken, events[first:])) > 10


def test_generators_are_counted(searched: Searched) -> None:
    (done,) = only(PairingSearched, searched(fakes.LossyDecode))
    counts = {count.name: count for count in done.line.generators}
    assert counts["words"].findings == 1
    assert counts["words"].differing >= 1
    assert sum(count.cases for count in done.line.generators) == done.line.cases


def test_where_all_agree_the_search_comes_to_its_end(searched: Searched) -> None:
    events = searched(type("Twin", (fakes.Toy,), {"name": "twin"}))
    (done,) = only(PairingSearched, events)
    assert done.line.cases == 300
    assert done.line.exhausted
    assert events[-1].conclusion is Conclusion.CONFORM
    assert events[-1].exit_status == 0


@pytest.mark.parametrize(
    ("fake", "options"), [(fakes.Mute, {}), (fakes.Toy, {"generators": ()}), (fakes.Toy, {"pairings": ()})]
)
def test_a_search_that_compares_nothing_is_no_success(searched: Searched, fake: Any, options: Any) -> None:
    last = searched(fake, **options)[-1]
    assert last.values == 0
    assert last.conclusion in (Conclusion.NOTHING_COMPARED, Conclusion.IMPLEMENTATION_FAILED)
    assert last.exit_status == 3


def test_a_seed_gives_the_same_again(searched: Searched) -> None:
    def told(events: list[Any]) -> list[object]:
        causes = [(found.number, found.input_id, found.case, found.cases) for found in only(CauseFound, events)]
        return [*causes, *only(PairingSearched, events)[0].line.generators]

    odd = Generator("drawn", "", lambda m: Produced(None, lambda n: f"B{m.random('drawn', n).random()} z"))
    one, again, other = (
        told(searched(fakes.LossyDecode, generators=(odd,), seed=seed, cases=64)) for seed in (3, 3, 4)
    )
    assert one == again
    assert one != other


def test_an_interrupt_loses_no_finding(plan_of: Any) -> None:
    engine = search(plan_of(fakes.WrongNormalization), here)
    for event in engine:
        if isinstance(event, CauseFound):
            break
    rest = [engine.throw(KeyboardInterrupt()), *engine]
    (done, last) = rest
    assert isinstance(done, PairingSearched)
    assert not done.line.complete
    assert isinstance(last, SearchFinished)
    assert last.conclusion is Conclusion.INTERRUPTED
    assert [each.number for each in last.causes] == [1]


def test_when_the_time_is_over_what_was_not_looked_at_is_said(
    searched: Searched, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = iter([False] * 3)
    monkeypatch.setattr(pairing_search.PairingSearch, "_time_is_over", lambda _: next(over, True))
    events = searched(fakes.WrongNormalization, cases=None, seconds=100.0)
    (done,) = only(PairingSearched, events)
    assert done.line.complete
    assert done.line.unexamined == 0 or done.waiting
    assert done.line.cases < 300


def test_time_ends_a_search(searched: Searched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairing_search, "WINDOW", 1)  # or all the time may go before the first batch is taken
    endless = Generator("endless", "", lambda _: Produced(None, lambda n: f"a{n}"))
    events = searched(type("Twin", (fakes.Toy,), {"name": "twin"}), cases=None, seconds=0.3, generators=(endless,))
    (done,) = only(PairingSearched, events)
    assert done.line.cases > 0
    assert not done.line.exhausted


def test_a_tokenizer_that_one_side_refuses_costs_the_others_nothing(plan_of: Any, toy_file: TokenizerFile) -> None:
    class Picky(fakes.Toy):
        name = "picky"

        def load(self, source: TokenizerSource) -> Any:
            raise CannotLoadError(f"picky cannot load {source.name}")

    pairings = (Pairing(toy_file, side_of(fakes.LossyDecode)), Pairing(toy_file, side_of(fakes.Toy)))
    picky = Pairing(toy_file, type(pairings[0].implementation)(Picky(), pairings[0].implementation.selected))
    events = list(search(plan_of(pairings=(picky, pairings[0])), here))
    assert [event.reason for event in only(PairingRefused, events)] == ["picky cannot load toy-tokenizer"]
    assert len(only(PairingSearched, events)) == 1
    assert events[-1].conclusion is Conclusion.IMPLEMENTATION_FAILED


def test_kept_cases_are_asked_word_for_word_and_those_that_are_gone_are_counted(
    searched: Searched, toy_file: TokenizerFile
) -> None:
    kept = (Case(0, "no fault here", "other"), Case(1, "plain", "other", (Normalize("aB"),)))
    pairing = Pairing(toy_file, side_of(fakes.WrongNormalization), Begun(kept=kept))
    events = searched(pairings=(pairing,), generators=())
    (found,) = only(CauseFound, events)
    assert found.generator == "kept"
    (done,) = only(PairingSearched, events)
    assert (done.line.kept, done.line.gone) == (2, 1)


def test_the_time_of_a_search_is_told_in_parts_of_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: Any = SimpleNamespace(_began=10.25)
    monkeypatch.setattr(engine, "time", SimpleNamespace(monotonic=lambda: 13.0))
    assert engine.Search._seconds(begun) == 2.75
