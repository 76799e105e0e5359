"""Measuring in this process: what becomes of it where something goes wrong, and what stands against the base."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.internal_error import InternalError
from tokenizer_conformance.inputs.sources import sources_of
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer, read_tokenizer
from tokenizer_conformance.research.metrics import engine
from tokenizer_conformance.research.metrics.counts import Counted
from tokenizer_conformance.research.metrics.engine import _Saving, measure
from tokenizer_conformance.research.metrics.events import Measured
from tokenizer_conformance.research.metrics.groups import ALL_TEXTS
from tokenizer_conformance.research.metrics.measures.intervals import Resampling
from tokenizer_conformance.research.metrics.measuring import Counting, Measurer
from tokenizer_conformance.research.metrics.plan import Estimating, MetricsPlan
from tokenizer_conformance.research.metrics.results import rows_of
from tokenizer_conformance.research.metrics.tasks import MeasuredText, corpus_of, partitioned
from tokenizer_conformance.research.metrics.texts import SourceTexts
from tokenizer_conformance.research.segmentation.segmenter import segmenter
from tokenizer_conformance.results.records.making import LastLine
from tokenizer_conformance.results.records.metrics import Footer

if TYPE_CHECKING:
    from pathlib import Path

MEASURES = ("fertility", "normalized_sequence_length")


@pytest.fixture
def plan(folder: Path) -> MetricsPlan:
    implementation = TokenizersImplementation()
    (source,) = sources_of([folder / "texts.txt"])
    texts = SourceTexts(source, "xx")
    tokenizers = tuple(read_tokenizer(find_tokenizer(str(folder / name))) for name in ("words.json", "characters.json"))
    return MetricsPlan(
        rows=rows_of(tokenizers, (implementation.info,)),
        implementations={implementation.info.name: implementation},
        selected={},
        sources=(texts,),
        corpus=corpus_of([texts], [partitioned(texts)], []),
        estimating=Estimating(chosen=MEASURES, base="words", resampling=Resampling(replicates=10)),
        checkpoint_file=folder / "r.checkpoint",
    )


@pytest.mark.parametrize(
    ("base", "against"),
    [("words", {("words", "characters")}), ("characters", {("characters", "words")}), ("", set()), ("other", set())],
)
def test_others_stand_against_the_base_where_it_is_measured(
    plan: MetricsPlan, base: str, against: set[tuple[str, str]]
) -> None:
    plan = replace(plan, estimating=replace(plan.estimating, base=base))
    (results,) = (event.results for event in measure(plan) if isinstance(event, Measured))
    assert {(each.other, each.row) for each in results.differences} == against
    lengths = {(each.row, each.other) for each in results.of("normalized_sequence_length", ALL_TEXTS)}
    assert lengths == ({(name, base) for name in ("words", "characters")} if against else set())


@pytest.mark.parametrize(
    ("error", "conclusion", "reason"),
    [
        (RuntimeError("no such measure"), Conclusion.INTERNAL_ERROR, "no such measure"),
        (KeyboardInterrupt(), Conclusion.INTERRUPTED, "interrupted"),
    ],
)
def test_what_goes_wrong_while_results_are_computed_costs_no_counts(
    plan: MetricsPlan, monkeypatch: pytest.MonkeyPatch, error: BaseException, conclusion: Conclusion, reason: str
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(engine, "estimated", broken)
    events = list(measure(plan))
    last = events[-1]
    assert isinstance(last, LastLine)
    assert (last.conclusion, last.finished) == (conclusion, False)
    assert isinstance(last.line, Footer)
    assert reason in str(last.line.reason)
    assert [event.error for event in events if isinstance(event, InternalError)] == (
        [error] if conclusion is Conclusion.INTERNAL_ERROR else []
    )
    assert plan.checkpoint_file is not None
    assert plan.checkpoint_file.exists() is (conclusion is Conclusion.INTERNAL_ERROR)


def test_a_checkpoint_that_could_not_be_written_is_written_when_it_can_be(
    plan: MetricsPlan, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = folder / "later" / "r.checkpoint"
    saving, counted = _Saving(replace(plan, checkpoint_file=file)), Counted(())
    counted.done = 1
    saving.save(counted)
    saving.save(counted)
    assert capsys.readouterr().err.count("cannot write the checkpoint") == 1, "it is told once"
    file.parent.mkdir()
    saving.save(counted)
    assert file.exists()
    file.unlink()
    saving.save(counted)
    assert not file.exists(), "there is nothing new"
    saving.remove()


def test_what_is_counted_takes_no_more_room_for_more_of_the_same_texts(plan: MetricsPlan) -> None:
    """The counts of a task go from one process to another, without the ids that were counted."""
    row = plan.rows[0]
    sizes = []
    with segmenter(TokenizersImplementation(), row.tokenizer.source) as words:
        measurer = Measurer({0: words}, [row.vocabulary.unknown_ids], Counting())
        for count in (100, 1000):
            texts = [MeasuredText(f"text {number}", "ab ba ab", (ALL_TEXTS,), number % 50) for number in range(count)]
            sizes.append(len(pickle.dumps(measurer.measure(texts))))
    assert sizes[1] < 1.1 * sizes[0]
