"""Making a witness smaller while it shows the same."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.comparing.reduction import reduced_question

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.causes.bench import Trial
    from tokenizer_conformance.causes.witness import Witness


@dataclass(frozen=True, slots=True)
class Budget:
    """What making one witness smaller may cost."""

    seconds: float = 10.0
    checks: int = 3000


ENOUGH = Budget()


def minimized_question(trial: Trial, witness: Witness, budget: Budget = ENOUGH) -> Witness:
    """Return ``witness`` with the smallest question that was found to show the same on its tokenizer."""
    best = witness
    until = time.monotonic() + budget.seconds

    def shows_the_same(question: Observation) -> bool:
        nonlocal best
        if time.monotonic() > until:
            return False
        found = trial.witness(question)
        if found is None or found.manner != witness.manner:
            return False
        best = found
        return True

    reduced_question(witness.question, shows_the_same, budget.checks)
    return best
