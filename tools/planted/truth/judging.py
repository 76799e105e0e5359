"""Running a case on one tokenizer as ``tokconf run`` does, and judging what the run says of it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import TYPE_CHECKING

from planted.fakes import Faulty
from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_conformance.causes.cause_time import TimeSpentError
from tokenizer_conformance.command_io.internal_error import InternalError
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.comparison.differences import OutcomeInUnit, compare
from tokenizer_conformance.comparison.questions import EVERY_STAGE, about_text
from tokenizer_conformance.inputs.builtin import builtin_categories, builtin_inputs
from tokenizer_conformance.inputs.corpus import Selection
from tokenizer_conformance.validation.running.engine import run
from tokenizer_conformance.validation.running.events import RunFinished
from tokenizer_conformance.validation.running.plan import RunPlan
from tokenizer_conformance.validation.running.preparation import MemoryLimit, all_sources, gather

if TYPE_CHECKING:
    from pathlib import Path

    from planted.truth.case import Case
    from tokenizer_conformance.causes.cause import Cause, Reason

PORT = "port"
"""What every implementation with a fault is called."""

WHOLE_CATEGORIES = ("special-tokens-in-place", "added-tokens-in-place", "control", "bom", "greek", "contractions")
"""Categories of which every input is asked: a sample would miss what many faults need to be seen."""


FRESH_TEXTS = 80
"""How many texts are asked about that no run has seen."""

LEFT_OUT = frozenset({"long-runs"})
"""Categories of which no input is asked: pairs of them have half a million overflowing parts where texts are cut."""


class Verdict(StrEnum):
    """What a run says of a fault."""

    RIGHT = "right"
    """A proven cause names the fault, or each of two."""
    UNEXPLAINED = "unexplained"
    """No proven cause names it, and none says anything that is not true."""
    WRONG = "wrong"
    """A proven cause says what is not the fault."""
    ALIKE = "no difference"
    """The fault changes no answer to these inputs."""
    NOT_RUN = "not run"
    """The tokenizer is not here, or was not loaded, or a bug ended the search."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much a run may do: inputs of a category, which the ``seed`` draws, and seconds to look for causes."""

    of_category: int = 2
    cause_seconds: float = 20.0
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Fresh:
    """Answers to texts that the run did not ask about: so many ``differ``, and so many of these as a cause predicts."""

    differ: int = 0
    predicted: int = 0


@dataclass(frozen=True, slots=True)
class Judged:
    """What a run of a case on a tokenizer said: its ``causes``, and what these predict of ``fresh`` texts.

    So many differences were not looked at (``uncounted``); ``why`` there was no run, where there was none.
    """

    verdict: Verdict
    causes: tuple[Cause, ...] = ()
    uncounted: int = 0
    why: str = ""
    fresh: Fresh = Fresh()

    @property
    def reasons(self) -> list[Reason]:
        """The proven reasons, the one that most inputs show first."""
        return [cause.reason for cause in self.causes if cause.reason.is_proven]

    @property
    def share(self) -> float:
        """The share of the differences that have a proven cause."""
        proven = sum(cause.differences for cause in self.causes if cause.reason.is_proven)
        return proven / (sum(cause.differences for cause in self.causes) + self.uncounted or 1)


def verdict_of(case: Case, tokenizer: str, reasons: list[Reason]) -> Verdict:
    """Return what the proven ``reasons`` are to the fault of ``case`` on ``tokenizer``."""
    if not all(case.is_true(each, tokenizer) for each in reasons):
        return Verdict.WRONG
    return Verdict.RIGHT if case.can_be_said and case.is_named(reasons, tokenizer) else Verdict.UNEXPLAINED


def judged(case: Case, file: Path, effort: Effort) -> Judged:
    """Run ``case`` on the tokenizer of ``file``, and return what is said."""
    finished: RunFinished | None = None
    errors: list[InternalError] = []
    plan = plan_of(case, file, effort)
    for event in run(plan):
        match event:
            case InternalError():
                errors.append(event)
            case RunFinished():
                finished = event
    if errors or finished is None or not finished.compared:
        return Judged(Verdict.NOT_RUN, why=str(errors[0].error) if errors else "the tokenizer was not loaded")
    causes = finished.causes
    if not causes and not finished.unexamined:  # at most the text that follows in a pair shows it
        return Judged(Verdict.ALIKE)
    reasons = [cause.reason for cause in causes if cause.reason.is_proven]
    return Judged(
        verdict_of(case, file.parent.name, reasons), causes, finished.uncounted, fresh=predicted(plan, reasons, effort)
    )


def plan_of(case: Case, file: Path, effort: Effort) -> RunPlan:
    """Return what a run of ``case`` on the tokenizer of ``file`` is to do."""
    baseline = TokenizersImplementation()
    given = gather((_word(file),), all_sources((), builtin=True), Selection(ids=drawn(effort)), MemoryLimit())
    return RunPlan(
        tokenizers=given.tokenizers,
        implementations=(baseline, Faulty(PORT, case.fault, ids_only=case.ids_only, saves=case.saves)),
        baseline=baseline.info.name,
        corpus=given.corpus,
        cause_seconds=effort.cause_seconds,
    )


def predicted(plan: RunPlan, reasons: list[Reason], effort: Effort) -> Fresh:
    """Ask both sides of ``plan`` about texts that are new to it, and whether ``reasons`` predict what differs."""
    asked = {each.input.id for each in plan.corpus}
    waiting = [each for each in builtin_inputs() if each.id not in asked and each.category not in LEFT_OUT]
    baseline, port = (loaded(each, plan.tokenizers[0].source) for each in plan.implementations)
    differ = found = 0
    with suppress(TimeSpentError):  # what is left of them is not asked about
        for each in Random(f"fresh {effort.seed}").sample(waiting, min(FRESH_TEXTS, len(waiting))):
            for question in about_text(each.text, EVERY_STAGE, baseline.ask):
                if compare(
                    question, *(OutcomeInUnit(side.ask(question), side.info.offset_unit) for side in (baseline, port))
                ).differences:
                    found += any(reason.explains is not None and reason.explains(question) for reason in reasons)
                    differ += 1
    return Fresh(differ, found)


def _word(file: Path) -> str:
    return str(file.parent)


def drawn(effort: Effort) -> frozenset[str]:
    """Return the ids of the inputs that are asked: some of each category."""
    found: set[str] = set()
    for category in (each for each in builtin_categories() if each.name not in LEFT_OUT):
        ids = [each.id for each in category.inputs]
        most = len(ids) if category.name in WHOLE_CATEGORIES else effort.of_category
        found.update(Random(f"{effort.seed} {category.name}").sample(ids, min(most, len(ids))))
    return frozenset(found)
