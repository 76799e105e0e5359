"""The lines of the record of training: a header, words, runs, trainers, comparisons, overlaps, a footer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import BrokeProtocol, Crashed, Failed, TimedOut, Unsupported
from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.record import rounded
from tokenizer_conformance.research.training.events import (
    AlgorithmFinished,
    ModelSummary,
    RunEnded,
    TrainerCompared,
    TrainerJudged,
    TrainingFinished,
    TrainingStarted,
    WordsCompared,
)
from tokenizer_conformance.research.training.merge_replay import MergeReplay
from tokenizer_conformance.results.records import training as lines
from tokenizer_conformance.results.records.making import footer_of, header_of, made

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_adapters.contract import WithoutValue
    from tokenizer_conformance.research.training.comparison import Judgement, ModelComparison
    from tokenizer_conformance.research.training.divergence import Divergence, Taken
    from tokenizer_conformance.research.training.events import TrainingEvent
    from tokenizer_conformance.results.records.value import Value


LISTED = 1000
"""How many tokens are listed that only one side has, or that have another id; how many there are stands beside them."""


def lines_of(event: TrainingEvent) -> Iterator[Value]:
    """Yield the line of the record for ``event``."""
    match event:
        case TrainingStarted():
            trainers = [made(lines.TrainerInfo, each, algorithms=sorted(each.algorithms)) for each in event.trainers]
            yield made(lines.Header, event, **header_of(lines.FORMAT, event.environment), trainers=trainers)
        case ImplementationMissing(refusal):
            yield made(lines.ImplementationMissing, refusal)
        case WordsCompared():
            no_answer = None if event.no_answer is None else _no_answer(event.no_answer)
            yield made(lines.Words, event, no_answer=no_answer)
        case RunEnded():
            yield _run(event)
        case TrainerJudged():
            yield _trainer(event)
        case TrainerCompared():
            yield made(
                lines.Comparison,
                event.comparison,
                algorithm=event.algorithm,
                first=event.first,
                second=event.second,
                **_listings(event.comparison),
            )
        case AlgorithmFinished():
            yield made(lines.AlgorithmLine, event, seconds=rounded(event.seconds))
        case TrainingFinished():
            yield made(lines.Footer, event, **footer_of(event))


def _run(event: RunEnded) -> lines.Run:
    if isinstance(event.outcome, ModelSummary):
        return made(lines.Run, event, learned=_summary(event.outcome), no_answer=None)
    return made(lines.Run, event, learned=None, no_answer=_no_answer(event.outcome))


def _summary(summary: ModelSummary) -> lines.Learned:
    return made(lines.Learned, summary, seconds=_seconds(summary.seconds))


def _seconds(seconds: float | None) -> float | None:
    return None if seconds is None else rounded(seconds)


def _no_answer(outcome: WithoutValue) -> dict[str, str]:
    match outcome:
        case Unsupported(reason):
            return {"verdict": "unsupported", "detail": reason}
        case Failed(kind, message):
            return {"verdict": "error", "detail": f"{kind}: {message}"}
        case Crashed(detail):
            return {"verdict": "crash", "detail": detail}
        case TimedOut(seconds):
            return {"verdict": "timeout", "detail": f"no answer within {seconds:g} s"}
        case BrokeProtocol(detail):
            return {"verdict": "protocol", "detail": detail}


def _trainer(event: TrainerJudged) -> lines.Trainer:
    return made(
        lines.Trainer,
        event,
        answers=[
            made(
                lines.Answer,
                answer,
                learned=_summary(answer.summary),
                judgement=_judgement(answer.judgement),
                against_first=None if answer.against_first is None else _comparison(answer.against_first),
            )
            for answer in event.answers
        ],
        no_answers=[{"run": run, **_no_answer(outcome)} for run, outcome in event.no_answers.items()],
        seconds=_seconds(event.seconds),
    )


def _judgement(judgement: Judgement) -> lines.Judgement:
    if isinstance(judgement, MergeReplay):
        return made(lines.Judgement, judgement, stray=_listed(judgement.stray))
    return made(lines.Judgement, judgement)


def _comparison(comparison: ModelComparison) -> lines.ComparisonBody:
    return made(lines.ComparisonBody, comparison, **_listings(comparison))


def _listings(comparison: ModelComparison) -> dict[str, Any]:
    """Return the members of ``comparison`` that a record has in another form."""
    return {
        "only_first": _listed(comparison.only_first),
        "only_second": _listed(comparison.only_second),
        "moved": _listed(comparison.moved),
        "divergence": None if comparison.divergence is None else _divergence(comparison.divergence),
    }


def _listed(entries: Sequence[object]) -> dict[str, Any]:
    return {"count": len(entries), "entries": entries[:LISTED]}


def _divergence(divergence: Divergence) -> lines.Divergence:
    first, second = map(_taken, (divergence.first, divergence.second), divergence.elsewhere)
    return made(lines.Divergence, divergence, kind=divergence.kind.name.lower(), first=first, second=second)


def _taken(taken: Taken | None, elsewhere: int) -> lines.Taken | None:
    return None if taken is None else made(lines.Taken, taken, count_on_other_side=elsewhere)
