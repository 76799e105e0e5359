"""The causes of what differs on one tokenizer, an implementation at a time."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.causes.collecting import CauseCollector, Effort
from tokenizer_conformance.comparing.verdicts import NO_ANSWER
from tokenizer_conformance.session.progress import STATUS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenizer_adapters.contract import Observation, TokenizerSource
    from tokenizer_conformance.causes.bench import Trial
    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.comparing.asking import Asked
    from tokenizer_conformance.comparing.comparison import Difference
    from tokenizer_conformance.run.plan import RunPlan


@dataclass(slots=True)
class Whole:
    """Whether something was done as a whole."""

    is_whole: bool = False


class CausesOfTokenizer:
    """Looks for the causes of differences on the tokenizer of ``source``, which all sides have loaded."""

    def __init__(self, plan: RunPlan, source: TokenizerSource, so_far: Iterable[Cause] = ()) -> None:
        self._plan = plan
        self._source = source
        self._so_far = tuple(so_far)
        self._given_up: set[str] = set()
        self._at_work: dict[str, tuple[Bench, Trial, CauseCollector]] = {}

    def begin(self, baseline: Asked, others: dict[str, Asked]) -> None:
        """Make ready for what the ``others`` do otherwise than the ``baseline``."""
        built = {each.info.name: each for each in self._plan.implementations}
        for name, asked in others.items():
            bench = Bench(
                built[self._plan.baseline], built[name], self._plan.fields, frozenset(self._plan.observed_stages())
            )
            collector = CauseCollector(bench, Effort(self._plan.cause_seconds))
            collector.restore(cause for cause in self._so_far if cause.implementation == name)
            self._at_work[name] = bench, bench.trial_with(self._source, baseline, asked), collector

    def look(self, name: str, found: Iterable[tuple[Observation, Difference]], input_id: str) -> Exception | None:
        """Look for the causes of what was ``found`` about one input, where that is a difference for its own sake.

        Where no answer came at all there is nothing to experiment on: that could cost a process each time. Returns an
        error that nobody expected; no more causes of that implementation are then looked for.
        """
        if name not in self._at_work or not self._plan.cause_seconds or name in self._given_up:
            return None
        _, trial, collector = self._at_work[name]
        try:
            for question in dict.fromkeys(question for question, each in found if each.verdict not in NO_ANSWER):
                STATUS.at(f"looking for the cause of a difference of {name}")
                collector.take(trial, question, input_id)
        except Exception as error:  # noqa: BLE001 - a bug in an experiment costs the causes, and not the run
            self._given_up.add(name)
            return error
        return None

    @contextmanager
    def all_or_nothing(self) -> Iterator[Whole]:
        """Have the causes as they were before, unless what is done inside ``is_whole`` in the end.

        An input whose causes are looked for when the run is interrupted is asked about again when it is resumed.
        """
        put_back = [collector.kept() for _, _, collector in self._at_work.values()]
        whole = Whole()
        try:
            yield whole
        finally:
            if not whole.is_whole:
                for each in put_back:
                    each()

    def uncounted(self) -> int:
        """Return how many differences were left over when the time was spent."""
        return sum(collector.uncounted for _, _, collector in self._at_work.values())

    def causes(self) -> tuple[Cause, ...]:
        """Return the causes so far, of one implementation after the other."""
        if not self._at_work:
            return self._so_far
        return tuple(cause for _, _, collector in self._at_work.values() for cause in collector.causes())

    def close(self) -> None:
        """Let go of what was loaded for experiments."""
        for bench, _, _ in self._at_work.values():
            bench.close()
