"""A process that measures tells of a bug, and goes on; what it does not see is sent to it."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.protocol.process import Limits
from tokenizer_conformance.command_io.worker_pool import WorkerPool
from tokenizer_conformance.command_io.worker_process import program
from tokenizer_conformance.inputs.places import Partition, Whole
from tokenizer_conformance.inputs.sources import sources_of
from tokenizer_conformance.research.metrics import engine, measuring, pools, tasks
from tokenizer_conformance.research.metrics.counts import Bad, Counts
from tokenizer_conformance.research.metrics.groups import ALL_TEXTS
from tokenizer_conformance.research.metrics.measuring import Broken, Counting, Measurer, Setup, begin
from tokenizer_conformance.research.metrics.tasks import MeasuredText, Task, Texts, corpus_of, partitioned
from tokenizer_conformance.research.metrics.texts import SourceTexts

if TYPE_CHECKING:
    import pytest

    from conftest import Tokconf
    from tokenizer_conformance.command_io.pools import Engine


def task(text: Any) -> Task:
    return Task(Partition(0, 0, 1, Whole()), texts=(MeasuredText("only", text, (ALL_TEXTS,), 0),))


def test_a_bug_in_a_process_is_told_by_its_reason_and_the_next_task_is_measured() -> None:
    setup = Setup({}, (), Counting(), Texts((), ()))
    with WorkerPool[Task, Any](program("a process that measures"), partial(begin, setup), 1, Limits(), 60.0) as pool:
        broken, whole = (pool.submit(task(text)).result() for text in (None, "a text"))
    assert isinstance(broken, Broken)
    assert "NoneType" in broken.reason
    assert isinstance(whole, Counts)
    assert whole.read_of(ALL_TEXTS).texts == 1


def test_texts_that_a_process_does_not_see_are_sent_to_it(
    cli: Tokconf, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "PARTITION_BYTES", 64)
    (folder / "many.txt").write_text("".join(f"the text of number {number}\n" for number in range(40)))

    def elsewhere(engine: Engine, setup: Setup, jobs: int, patience: float) -> pools.TaskPool:
        """Return processes that do not see the files of this one, as on other machines."""
        (source,) = setup.texts.sources
        unseen = replace(source.source, texts=replace(source.source.texts, path=Path("/no/such/file")))
        there = replace(setup.texts, sources=(replace(source, source=unseen),))
        return pools.pool_for(engine, replace(setup, texts=there), jobs, patience)

    records = []
    for jobs in ("1", "2"):
        done = cli("metrics", "gpt2-mini", "--inputs", "many.txt", "--jobs", jobs, "--json", f"{jobs}.jsonl")
        assert done.exit_code == 0, done.output
        lines = map(json.loads, (folder / f"{jobs}.jsonl").read_text().splitlines())
        records.append([line for line in lines if line["type"] not in ("header", "footer")])
        monkeypatch.setattr(engine, "pool_for", elsewhere)
    assert "its texts are sent from here" in done.stderr
    assert done.stderr.count("\n") == 1
    assert records[0] == records[1]


def test_a_source_that_has_changed_since_it_was_cut_is_bad(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("one\ntwo\n")
    source = SourceTexts(sources_of([file])[0], "xx")
    corpus = corpus_of([source], [partitioned(source)], [])
    (only,) = corpus.tasks()
    measurer = Measurer({}, (), Counting())
    assert isinstance(measurer.answer(only, corpus.texts), Counts)
    file.write_text("one\nsix\n")
    bad = measurer.answer(only, corpus.texts)
    assert isinstance(bad, Bad)
    assert "has changed while it was used" in bad.reason


def test_a_line_of_many_tasks_tells_how_far_it_has_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "PARTITION_BYTES", 100_000)
    file = tmp_path / "a.txt"
    file.write_text("word " * 100_000)
    source = SourceTexts(sources_of([file])[0], "xx")
    corpus = corpus_of([source], [partitioned(source)], [])
    told: list[str] = []
    monkeypatch.setattr(measuring.STATUS, "at", told.append)
    (only,) = corpus.tasks()
    Measurer({}, (), Counting()).answer(only, corpus.texts)
    assert len(told) > 2
    assert told[-1] == "0.5 MB of a long line"
