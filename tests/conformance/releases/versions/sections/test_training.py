from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import pytest
from faulty_releases import changes

from tokenizer_adapters.contract import Crashed
from tokenizer_adapters.training import Algorithm, PreTokenizer, TrainedModel, TrainerInfo
from tokenizer_conformance.releases.versions.facts import NoFactsError, Release
from tokenizer_conformance.releases.versions.sections import training
from tokenizer_conformance.releases.versions.sections.training import ASPECTS, COURSES, Training

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.training import TrainingOutcome, TrainingRequest

COURSE = next(course for course in COURSES if course.algorithm is Algorithm.BPE)
MODEL = TrainedModel({"a": 0, "b": 1, "ab": 2}, (("a", "b"),), seconds=1.0, peak_memory=5)


@dataclass
class Says:
    """A trainer that gives what it is told to, one answer after the other, and the last one for ever."""

    outcomes: list[TrainingOutcome]
    info: ClassVar[TrainerInfo] = TrainerInfo("toy", "1", "", "", frozenset(Algorithm), takes_words=False, install="")

    def start(self, _limits: object) -> Says:
        return self

    def train(self, request: TrainingRequest) -> TrainingOutcome:
        assert request.options is COURSE.options
        return self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]


@pytest.fixture
def says(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def told(*outcomes: TrainingOutcome) -> None:
        trainer = Says(list(outcomes))
        monkeypatch.setattr(training, "select_trainer", lambda _word: trainer)

    return told


def test_another_merge_is_a_change_that_is_told(says: Callable[..., None], installed: Release) -> None:
    other = TrainedModel({"a": 0, "b": 1, "ba": 2}, (("b", "a"),), seconds=2.0)
    says(MODEL, MODEL, other, other)
    section = Training([COURSE])
    old = section.facts(replace(installed, version="0.1"), [])
    found = changes("training", old, section.facts(installed, []))
    assert set(found) == {COURSE.name, f"{COURSE.name}: merges", f"{COURSE.name}: ids"}
    assert found[f"{COURSE.name}: merges"].new.told.endswith('after 0.1, place 0 has "b" "a", no longer "a" "b"')


def test_what_is_not_learned_again_is_noise(says: Callable[..., None], installed: Release) -> None:
    shuffled = replace(MODEL, tokens={"b": 0, "a": 1, "ab": 2})
    other = TrainedModel({"a": 0, "b": 1, "ba": 2}, (("b", "a"),))
    says(MODEL, shuffled, MODEL, other)
    first, second = (Training([COURSE]).facts(installed, []) for _ in range(2))
    assert [fact.is_stable for fact in first.values()] == [True, True, False]
    assert [fact.is_stable for fact in second.values()] == [False, False, False]
    assert changes("training", first, second) == {}
    assert "trained again, place 0 has" in second[f"{COURSE.name}: merges"].told


def test_a_tie_that_falls_the_same_way_twice_is_no_change(says: Callable[..., None], installed: Release) -> None:
    other = TrainedModel({"a": 0, "b": 1, "ba": 2}, (("b", "a"),))
    says(MODEL, MODEL, other, other, other, MODEL, other)
    section = Training([COURSE])
    old, new = section.facts(installed, []), section.facts(installed, [])
    assert changes("training", old, new) == {}
    assert not any(fact.is_stable for fact in new.values())


def test_a_trainer_that_crashes_is_a_fact(says: Callable[..., None], installed: Release) -> None:
    says(MODEL, MODEL, Crashed("it is gone"), Crashed("it is gone"))
    section = Training([COURSE])
    found = changes("training", section.facts(installed, []), section.facts(installed, []))
    assert found[COURSE.name].new.told == "does not train: it is gone"


def test_time_and_memory_are_no_facts() -> None:
    other = replace(MODEL, seconds=9.0, peak_memory=None)
    assert all(lines_of(MODEL) == lines_of(other) for lines_of in ASPECTS.values())


def test_scores_are_compared_apart(says: Callable[..., None], installed: Release) -> None:
    one, other = (TrainedModel({"a": 0}, None, {"a": score}) for score in (-1.0, -2.0))
    says(one, one, other, other)
    section = Training([COURSE])
    found = changes("training", section.facts(installed, []), section.facts(installed, []))
    assert set(found) == {f"{COURSE.name}: scores"}
    assert found[f"{COURSE.name}: scores"].new.told.endswith('place 0 has "a" -2.0, no longer "a" -1.0')


def test_a_release_without_trainers_has_no_facts(installed: Release) -> None:
    with pytest.raises(NoFactsError, match="cannot be asked"):
        Training([COURSE]).facts(replace(installed, word="tiktoken"), [])


@pytest.mark.long
def test_what_is_installed_learns_something_in_every_course(installed: Release) -> None:
    # A course with too small a vocabulary teaches nothing, and would differ between no two releases.
    facts = Training().facts(installed, [])
    assert {course.name for course in COURSES} <= set(facts)
    assert not any("does not train" in fact.told for fact in facts.values())
    merges = {name.partition(": ")[0] for name in facts if name.endswith(": merges")}
    assert merges == {course.name for course in COURSES if course.algorithm is Algorithm.BPE}
    stable = {name for name, fact in facts.items() if fact.is_stable}
    assert {course.name for course in COURSES if course.pre_tokenizer is not PreTokenizer.WHITESPACE} <= stable
