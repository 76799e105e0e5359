"""What was proven once is tried first, and each experiment is made once."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from tokenizer_adapters.contract import Encode, Normalize
from tokenizer_conformance.causes.cause import NO_REASON, UNEXPLAINED, Reason
from tokenizer_conformance.causes.classes.hypothesis import Candidate
from tokenizer_conformance.causes.reasons import Explainer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.causes.bench import Bench
    from tokenizer_conformance.causes.witness import Witness

BENCH = cast("Bench", SimpleNamespace(check_time=lambda: None))
OTHER, TRUE, DOUBTED = Reason("other"), Reason("true", "one"), Reason("true", "two")


class Experiments:
    """Experiments that give what they are told to, and count how often they were made; the first candidate wins."""

    def __init__(self, *groups: Sequence[str]) -> None:
        self.given: dict[str, list[Candidate]] = {name: [] for group in groups for name in group}
        self.made: list[str] = []
        made = [[self._experiment(name) for name in group] for group in groups]
        self.explainer = Explainer(made)
        self.explainer.__dict__["_chosen"] = lambda _bench, _witness, candidates: candidates[0].reason

    def _experiment(self, name: str) -> Callable[[Bench, Witness], list[Candidate]]:
        def experiment(_bench: Bench, _witness: Witness) -> list[Candidate]:
            self.made.append(name)
            return self.given[name]

        return experiment

    def reason(self, question: Observation = Encode("a")) -> Reason:  # noqa: B008 - a value
        self.made.clear()
        return self.explainer(BENCH, cast("Witness", SimpleNamespace(question=question)))


def test_groups_are_tried_until_one_has_a_candidate() -> None:
    tried = Experiments("ab", "c", "d")
    assert tried.reason() == NO_REASON
    assert tried.made == ["a", "b", "c", "d"]
    tried.given["c"] = [Candidate(TRUE)]
    assert tried.reason() == TRUE
    assert tried.made == ["a", "b", "c"]


def test_what_was_proven_is_tried_first() -> None:
    tried = Experiments("a", "b")
    tried.given["b"] = [Candidate(OTHER), Candidate(TRUE)]
    assert tried.reason() == OTHER
    tried.given["a"] = [Candidate(DOUBTED)]
    assert tried.reason() == OTHER
    assert tried.made == ["b"]
    # Neither what leaves a doubt, nor what was not proven before.
    tried.given["b"] = [Candidate(OTHER, doubt=1), Candidate(TRUE)]
    assert tried.reason(Normalize("a")) == DOUBTED
    assert tried.made == ["b", "a"]


def test_what_is_not_proven_is_not_tried_first() -> None:
    tried = Experiments("a", "b")
    tried.given["b"] = [Candidate(Reason(UNEXPLAINED, "either"))]
    assert tried.reason().parameter == "either"
    assert tried.reason().parameter == "either"
    assert tried.made == ["a", "b"]


def test_a_reason_that_is_no_candidate_itself_is_not_tried_first() -> None:
    """It says of several candidates of which class they are."""
    tried = Experiments("a")
    tried.given["a"] = [Candidate(TRUE), Candidate(DOUBTED)]
    of_both = Reason("true", "either one; or two")
    tried.explainer.__dict__["_chosen"] = lambda *_arguments: of_both
    assert [tried.reason(), tried.reason()] == [of_both, of_both]
    assert tried.made == ["a"]
