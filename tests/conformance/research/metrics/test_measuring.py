"""A process that measures tells of a bug, and goes on."""

from __future__ import annotations

from functools import partial
from typing import Any

from tokenizer_adapters.protocol.process import Limits
from tokenizer_conformance.command_io.worker_pool import WorkerPool
from tokenizer_conformance.command_io.worker_process import program
from tokenizer_conformance.research.metrics.chunks import Chunk, MeasuredText
from tokenizer_conformance.research.metrics.counts import Counts
from tokenizer_conformance.research.metrics.groups import ALL_TEXTS
from tokenizer_conformance.research.metrics.measuring import Broken, Counting, Setup, begin


def chunk(text: Any) -> Chunk:
    return Chunk(0, (MeasuredText("only", text, (ALL_TEXTS,), 0),))


def test_a_bug_in_a_process_is_told_by_its_reason_and_the_next_chunk_is_measured() -> None:
    setup = Setup({}, (), Counting())
    with WorkerPool[Chunk, Any](program("a process that measures"), partial(begin, setup), 1, Limits(), 60.0) as pool:
        broken, whole = (pool.submit(chunk(text)).result() for text in (None, "a text"))
    assert isinstance(broken, Broken)
    assert "NoneType" in broken.reason
    assert isinstance(whole, Counts)
    assert whole.read_of(ALL_TEXTS).texts == 1
