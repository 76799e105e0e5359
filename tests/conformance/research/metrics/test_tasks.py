"""The tasks of a corpus, and of a sample of its rows."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from tokenizer_conformance.inputs.corpus import Draw, Sampling
from tokenizer_conformance.inputs.sources import sources_of
from tokenizer_conformance.research.metrics import tasks
from tokenizer_conformance.research.metrics.tasks import MeasuredText, corpus_of, partitioned
from tokenizer_conformance.research.metrics.texts import Reading, SourceTexts

if TYPE_CHECKING:
    from pathlib import Path

ROWS = 40


def texts_of(folder: Path, sampling: Sampling, *, parallel: bool = False) -> list[MeasuredText]:
    """Return the texts of all tasks of two files of :data:`ROWS` lines."""
    paths = [folder / name for name in ("a.txt", "b.jsonl")]
    paths[0].write_text("".join(f"{number} of a\n" for number in range(ROWS)))
    paths[1].write_text("".join(f'{{"text": "{number} of b"}}\n' for number in range(ROWS)))
    sources = [SourceTexts(each, "xx") for each in sources_of(paths)]
    corpus = corpus_of(sources, [partitioned(each) for each in sources], [], parallel=parallel, sampling=sampling)
    return [text for task in corpus.tasks() for text in corpus.texts.of(task, Reading())]


@pytest.mark.parametrize("size", [16, 100, 1 << 20])
@pytest.mark.parametrize("seed", [None, 3])
def test_a_sample_has_the_rows_that_are_drawn_wherever_partitions_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, seed: int | None
) -> None:
    monkeypatch.setattr(tasks, "PARTITION_BYTES", size)
    found = texts_of(tmp_path, Sampling(7, seed))
    draw = Draw(2 * ROWS, 7, seed)
    assert [each.number for each in found] == [number for number in range(2 * ROWS) if draw.takes(number)]
    assert [each.text for each in found] == [f"{each.number % ROWS} of {'ab'[each.number // ROWS]}" for each in found]


def test_a_sample_of_parallel_texts_has_the_same_rows_of_each(tmp_path: Path) -> None:
    found = [each.text.split(" of ") for each in texts_of(tmp_path, Sampling(7, 3), parallel=True)]
    rows = [[row for row, name in found if name == wanted] for wanted in "ab"]
    assert rows[0] == rows[1]
    assert len(rows[0]) == 7


def test_a_sample_of_more_than_there_is_has_all(tmp_path: Path) -> None:
    assert len(texts_of(tmp_path, Sampling(1000, 3))) == 2 * ROWS


def test_a_larger_corpus_has_larger_partitions_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "PARTITION_BYTES", 16)
    monkeypatch.setattr(tasks, "MOST_PARTITIONS", 8)
    file = tmp_path / "a.txt"
    file.write_text("eight ch\n" * 1000)
    source = SourceTexts(sources_of([file])[0], "xx")
    size = tasks.partition_size([source])
    assert size == 9000 // 8
    assert 8 <= len(partitioned(source, size).partitions) <= 9
    file.write_text("eight ch\n")
    assert tasks.partition_size([source]) == 16


@pytest.mark.parametrize("each", [1, 2, 3])
def test_what_is_noticed_is_told_where_texts_are_dealt_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, each: int
) -> None:
    """Also where the last text ends a task, and rows without a text follow it."""
    monkeypatch.setattr(tasks, "TEXTS", each)
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"text": "a"}\n' * 6 + b'{"text": null}\n' * 2))
    (source,) = (SourceTexts(named, "xx") for named in sources_of([path]))
    corpus = corpus_of([source], [partitioned(source)], [])
    reading = Reading()
    assert [text.text for task in corpus.tasks() for text in corpus.texts.of(task, reading)] == ["a"] * 6
    assert (reading.inputs, reading.left_out.rows, dict(reading.left_out.kinds)) == (6, 8, {"null": 2})


def test_another_column_or_language_makes_another_corpus(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "a", "other": "a", "lang": "b", "tongue": "c"}\n')
    wanted = [("text", "lang"), ("text", "tongue"), ("text", None), ("other", "lang")]
    sources = [SourceTexts(sources_of([path], column)[0], "xx", language_column=told) for column, told in wanted]
    assert len({corpus_of([each], [partitioned(each)], []).sha256 for each in sources}) == len(wanted)
