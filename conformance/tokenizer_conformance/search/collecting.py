"""Who gathers mismatches into causes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from tokenizer_adapters.contract import Stage
from tokenizer_conformance.causes.cause import Cause, CauseSignature
from tokenizer_conformance.causes.minimizing import minimized_question
from tokenizer_conformance.causes.reasons import reason_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.causes.bench import Bench, Trial
    from tokenizer_conformance.causes.witness import Manner, Witness

MOST_EXAMPLES = 5

PLACES: dict[Stage, str] = {
    Stage.NORMALIZE: "normalizer",
    Stage.PRE_TOKENIZE: "pre_tokenizer",
    Stage.MODEL: "model",
    Stage.POST_PROCESS: "post_processor",
    Stage.DECODE: "decoder",
}
"""Where in a tokenizer.json the component of a stage stands."""


class Collector(Protocol):
    """Gathers mismatches into causes."""

    def take(self, trial: Trial, question: Observation, input_id: str) -> Cause | None:
        """Return the cause that ``question``, whose answers differ, is counted for, new or known.

        ``None``: nothing differs when it is asked again, or an earlier stage explains it.
        """

    def causes(self) -> tuple[Cause, ...]:
        """Return the causes so far."""


class MannerCollector:
    """Gathers mismatches by how the answers differ: what differs in one manner counts for one cause."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._causes: dict[Manner, Cause] = {}
        self._last: dict[Manner, str] = {}

    def take(self, trial: Trial, question: Observation, input_id: str) -> Cause | None:
        """Return the cause that ``question`` is counted for."""
        witness = trial.witness(question)
        if witness is None:
            return None
        manner = witness.manner
        known = self._causes.get(manner) or self._new(trial, minimized_question(trial, witness))
        self._causes[manner] = self._counted(known, witness, input_id)
        self._last[manner] = input_id
        return self._causes[manner]

    def causes(self) -> tuple[Cause, ...]:
        """Return the causes so far, in the order in which they were found."""
        return tuple(self._causes.values())

    def _new(self, trial: Trial, witness: Witness) -> Cause:
        return Cause(
            implementation=trial.implementation.info.name,
            signature=CauseSignature(witness.manner, _component(trial, witness.stage), "", ""),
            witness=witness,
            reason=reason_of(self._bench, witness),
            differences=0,
            inputs=0,
        )

    def _counted(self, cause: Cause, witness: Witness, input_id: str) -> Cause:
        is_new_input = self._last.get(witness.manner) != input_id
        name = witness.source.name
        return replace(
            cause,
            differences=cause.differences + 1,
            inputs=cause.inputs + is_new_input,
            tokenizers={**cause.tokenizers, name: cause.tokenizers.get(name, 0) + is_new_input},
            examples=tuple(dict.fromkeys((*cause.examples, input_id)))[:MOST_EXAMPLES],
        )


def _component(trial: Trial, stage: Stage) -> str:
    """Return the component of ``stage`` with its place, as far as the tokenizer.json names one."""
    place = PLACES[stage]
    component = trial.read().get(place)
    kind = component.get("type") if isinstance(component, dict) else None
    return f"{place}: {kind}" if kind else place


COLLECTOR: Callable[[Bench], Collector] = MannerCollector
"""What gathers the mismatches of a search: the one place to change where another collector is wanted."""
