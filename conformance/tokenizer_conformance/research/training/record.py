r"""The record of training as JSON Lines: a header, words, runs, trainers, comparisons, overlaps, a footer.

The format has a name and a version of its own, and a JSON Schema that describes one line (:func:`schema`). A record
without a footer is that of a command that was killed. Only ASCII is written: other characters stand as ``\u`` escapes.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import BrokeProtocol, Crashed, Failed, TimedOut, Unsupported
from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.record import (
    RecordFile,
    footer_record,
    header_record,
    refusal_record,
    rounded,
)
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
from tokenizer_conformance.results.records.training import FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_adapters.contract import WithoutValue
    from tokenizer_adapters.training import TrainerInfo
    from tokenizer_conformance.research.training.comparison import Judgement, ModelComparison
    from tokenizer_conformance.research.training.divergence import Divergence, Taken
    from tokenizer_conformance.research.training.events import DistinctModel, TrainingEvent
    from tokenizer_conformance.research.training.pair_counts import Top
    from tokenizer_conformance.results.records.value import Value


LISTED = 1000
"""How many tokens are listed that only one side has, or that have another id; how many there are stands beside them."""


class TrainingJsonLinesReport(RecordFile):
    """Writes the record to its file, line by line. Opening raises ``OSError``."""

    def handle(self, event: TrainingEvent) -> None:
        """Write the line of ``event``. Raises ``OSError``."""
        self.write(record_of(event))


def lines_of(event: TrainingEvent) -> Iterator[Value]:
    """Yield the line of the record for ``event``."""
    yield FORMAT.read(record_of(event))


def record_of(event: TrainingEvent) -> dict[str, Any]:
    """Return the line of the record for ``event``."""
    match event:
        case TrainingStarted():
            return _header(event)
        case ImplementationMissing():
            return refusal_record(event)
        case WordsCompared():
            return _words(event)
        case RunEnded():
            return _run(event)
        case TrainerJudged():
            return _trainer(event)
        case TrainerCompared():
            return {
                "type": "comparison",
                "algorithm": event.algorithm,
                "first": event.first,
                "second": event.second,
                **_comparison(event.comparison),
            }
        case AlgorithmFinished():
            return {
                "type": "algorithm",
                "algorithm": event.algorithm,
                "complete": event.complete,
                "overlaps": [asdict(overlap) for overlap in event.overlaps],
                "seconds": rounded(event.seconds),
            }
        case TrainingFinished():
            return _footer(event)


def _header(event: TrainingStarted) -> dict[str, Any]:
    return {
        **header_record(FORMAT.name, FORMAT.version, event.environment),
        "baseline": event.baseline,
        "trainers": list(map(_info, event.trainers)),
        "corpus": [asdict(file) for file in event.corpus],
        "pre_tokenizer": event.pre_tokenizer,
        "words": asdict(event.words),
        "options": {algorithm: asdict(options) for algorithm, options in event.options.items()},
        "repeat": event.repeat,
        "tolerance": event.tolerance,
    }


def _info(info: TrainerInfo) -> dict[str, Any]:
    return {
        "name": info.name,
        "version": info.version,
        "language": info.language,
        "home_page": info.home_page,
        "algorithms": sorted(info.algorithms),
    }


def _words(event: WordsCompared) -> dict[str, Any]:
    return {
        "type": "words",
        "trainer": event.trainer,
        "kinds": event.kinds,
        "differing": event.differing,
        "example": None if event.example is None else asdict(event.example),
        "no_answer": None if event.no_answer is None else _no_answer(event.no_answer),
    }


def _run(event: RunEnded) -> dict[str, Any]:
    is_model = isinstance(event.outcome, ModelSummary)
    return {
        "type": "run",
        "algorithm": event.algorithm,
        "trainer": event.trainer,
        "run": event.run,
        "learned": _summary(event.outcome) if isinstance(event.outcome, ModelSummary) else None,
        "no_answer": None if is_model else _no_answer(event.outcome),  # type: ignore[arg-type]  # what is no model
    }


def _summary(summary: ModelSummary) -> dict[str, Any]:
    return asdict(summary) | {"seconds": _seconds(summary.seconds)}


def _seconds(seconds: float | None) -> float | None:
    return None if seconds is None else rounded(seconds)


def _no_answer(outcome: WithoutValue) -> dict[str, Any]:
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


def _trainer(event: TrainerJudged) -> dict[str, Any]:
    return {
        "type": "trainer",
        "algorithm": event.algorithm,
        "trainer": event.trainer,
        "answers": list(map(_answer, event.answers)),
        "no_answers": [{"run": run, **_no_answer(outcome)} for run, outcome in event.no_answers.items()],
        "seconds": _seconds(event.seconds),
        "peak_memory": event.peak_memory,
    }


def _answer(answer: DistinctModel) -> dict[str, Any]:
    return {
        "runs": list(answer.runs),
        "learned": _summary(answer.summary),
        "judgement": _judgement(answer.judgement),
        "coverage": asdict(answer.coverage),
        "against_first": None if answer.against_first is None else _comparison(answer.against_first),
    }


def _judgement(judgement: Judgement) -> dict[str, Any]:
    if not isinstance(judgement, MergeReplay):
        return {"is_legal": judgement.is_legal, **asdict(judgement)}
    return {
        "is_legal": judgement.is_legal,
        "steps": judgement.steps,
        "most_frequent": judgement.most_frequent,
        "tied": judgement.tied,
        "lowest_ids": judgement.lowest_ids,
        "first": None if judgement.first is None else asdict(judgement.first),
        "left": _top(judgement.left),
        "stray": _listed(judgement.stray),
    }


def _comparison(comparison: ModelComparison) -> dict[str, Any]:
    return {
        "agreement": comparison.agreement,
        "blamed": comparison.blamed,
        "levels": [asdict(result) for result in comparison.levels],
        "shared": comparison.shared,
        "only_first": _listed(comparison.only_first),
        "only_second": _listed(comparison.only_second),
        "in_one_word": None if comparison.in_one_word is None else list(comparison.in_one_word),
        "divergence": None if comparison.divergence is None else _divergence(comparison.divergence),
        "scores": None if comparison.scores is None else asdict(comparison.scores),
        "moved": _listed([asdict(moved) for moved in comparison.moved]),
        "layouts": [list(layout) for layout in comparison.layouts],
        "effect": asdict(comparison.effect),
    }


def _listed(entries: Sequence[object]) -> dict[str, Any]:
    return {"count": len(entries), "entries": list(entries[:LISTED])}


def _divergence(divergence: Divergence) -> dict[str, Any]:
    return {
        "number": divergence.number,
        "kind": divergence.kind.name.lower(),
        "is_shown": divergence.is_shown,
        "first": _taken(divergence.first, divergence.elsewhere[0]),
        "second": _taken(divergence.second, divergence.elsewhere[1]),
        "tops": [_top(top) for top in divergence.tops],
    }


def _taken(taken: Taken | None, elsewhere: int) -> dict[str, Any] | None:
    return None if taken is None else {**asdict(taken), "count_on_other_side": elsewhere}


def _top(top: Top | None) -> dict[str, Any] | None:
    return None if top is None else asdict(top)


def _footer(event: TrainingFinished) -> dict[str, Any]:
    return {
        **footer_record(event),
        "runs": event.runs,
        "comparisons": event.comparisons,
        "ties": event.ties,
        "differences": event.differences,
    }
