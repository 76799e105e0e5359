"""Reasons: the class that explains a witness, with its proof."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Chat
from tokenizer_conformance.causes.cause import NO_REASON, Reason
from tokenizer_conformance.lazy import imported

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tokenizer_conformance.causes.bench import Bench
    from tokenizer_conformance.causes.classes.hypothesis import Candidate
    from tokenizer_conformance.causes.proving import Experiment
    from tokenizer_conformance.causes.witness import Witness


class Explainer:
    """Finds the reasons of witnesses. What was proven once is tried first, as most differences have few causes.

    Where no ``experiments`` are given, all are made. They are imported with the first witness, since they know the
    whole reference, and most runs find no difference.
    """

    def __init__(self, experiments: Sequence[Sequence[Experiment]] | None = None) -> None:
        self._given = experiments
        self._proved: dict[tuple[str, str], Experiment] = {}

    @cached_property
    def _experiments(self) -> Sequence[Sequence[Experiment]]:
        every: Sequence[Sequence[Experiment]] = imported("tokenizer_conformance.causes.experiments:EXPERIMENTS")
        return every if self._given is None else self._given

    @cached_property
    def _about_chats(self) -> Sequence[Sequence[Experiment]]:
        every: Sequence[Sequence[Experiment]] = imported("tokenizer_conformance.causes.experiments:CHAT_EXPERIMENTS")
        return every

    @cached_property
    def _chosen(self) -> Callable[[Bench, Witness, Sequence[Candidate]], Reason]:
        chosen: Callable[[Bench, Witness, Sequence[Candidate]], Reason] = imported(
            "tokenizer_conformance.causes.rivals:chosen"
        )
        return chosen

    def __call__(self, bench: Bench, witness: Witness) -> Reason:
        """Return the reason of ``witness``: one that was proven before and leaves no doubt, or the best of its rivals.

        Raises :class:`TimeSpentError` where the time of the bench is spent before all experiments of a group were made.
        """
        results: dict[Experiment, list[Candidate]] = {}

        def made(experiment: Experiment) -> Iterable[Candidate]:
            if experiment not in results:
                bench.check_time()
                results[experiment] = list(experiment(bench, witness))
            return results[experiment]

        for experiment in dict.fromkeys(self._proved.values()):
            for each in made(experiment):
                if not each.doubt and (each.reason.name, each.reason.parameter) in self._proved:
                    return each.reason
        for group in self._about_chats if isinstance(witness.question, Chat) else self._experiments:
            found = {each.reason: experiment for experiment in group for each in made(experiment)}
            candidates = [each for experiment in group for each in made(experiment)]
            if candidates:
                reason = self._chosen(bench, witness, candidates)
                if reason in found and reason.is_proven:  # not one that only says of several of which class they are
                    self._proved.setdefault((reason.name, reason.parameter), found[reason])
                return reason
        return NO_REASON


def reason_of(bench: Bench, witness: Witness) -> Reason:
    """Return the reason of ``witness``: the best that experiments bear out."""
    return Explainer()(bench, witness)
