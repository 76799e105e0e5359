"""The texts of a corpus, long ones in pieces."""

from __future__ import annotations

import json
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.opening import decoded_pieces
from tokenizer_conformance.inputs.places import Partition, Whole
from tokenizer_conformance.inputs.sources import sources_of
from tokenizer_conformance.inputs.text import TextFile
from tokenizer_conformance.research.metrics import tasks
from tokenizer_conformance.research.metrics.groups import By
from tokenizer_conformance.research.metrics.tasks import Task, Texts, corpus_of, partitioned
from tokenizer_conformance.research.metrics.texts import Reading, SourceTexts

if TYPE_CHECKING:
    from pathlib import Path


def texts_of(file: Path, longest: int = 100, **options: str) -> SourceTexts:
    (source,) = sources_of([file])
    return SourceTexts(source, "xx", longest, **options)


@pytest.mark.parametrize(
    ("content", "longest", "pieces"),
    [
        (b"one two\n\nthree", 100, [(1, 1, "one two"), (2, 1, ""), (3, 1, "three")]),
        (b"one two\r\nthree\r\n", 100, [(1, 1, "one two"), (2, 1, "three")]),
        (b"one two three\nx\n", 9, [(1, 1, "one two"), (1, 2, " three"), (2, 1, "x")]),
        (b"abcdefgh", 3, [(1, 1, "abc"), (1, 2, "def"), (1, 3, "gh")]),
        ("ああ　ああ".encode(), 3, [(1, 1, "ああ"), (1, 2, "　ああ")]),
    ],
)
def test_lines_are_cut_before_white_space(
    tmp_path: Path, content: bytes, longest: int, pieces: list[tuple[int, int, str]]
) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(content)
    assert [(each.number, each.part, each.text) for each in decoded_pieces(file, longest)] == pieces


def test_short_lines_are_those_of_a_text_file(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes("\ufeffa\r\n\r\nü\r\rb\n\x85\n last".encode())
    assert [each.text for each in decoded_pieces(file, 1000)] == [each.text for each in TextFile(file, "a")]


def test_no_character_is_lost_where_reads_cut_characters_in_two(tmp_path: Path) -> None:
    text = "".join(chr(0x3041 + number % 80) for number in range(100_000))
    file = tmp_path / "a.txt"
    file.write_text(f"x{text}\n{text}", encoding="utf-8")
    pieces = list(decoded_pieces(file, 1000))
    assert "".join(each.text for each in pieces if each.number == 1) == f"x{text}"
    assert "".join(each.text for each in pieces if each.number == 2) == text
    assert max(len(each.text) for each in pieces) == 1000


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"a\nb\xff", "byte 0xFF at offset 3 (line 2)"),
        (b"\xe3\x81\n", "byte 0xE3 at offset 0 (line 1)"),
        (b"a\n" + "あ".encode() * 30_000 + b"\xe3\x81", "byte 0xE3 at offset 90002 (line 2)"),
    ],
)
def test_what_is_no_utf8_is_told_with_its_place(tmp_path: Path, content: bytes, place: str) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(content)
    with pytest.raises(BadInputError, match="is not UTF-8") as caught:
        list(decoded_pieces(file, 1000))
    assert place in str(caught.value)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()
    with pytest.raises(BadInputError, match="is empty"):
        list(decoded_pieces(tmp_path / "a.txt", 1000))


def test_pieces_are_named_and_told(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("short\n" + "word " * 30 + "\n")
    texts = texts_of(file)
    assert [each.id for each in texts] == ["a.txt:1", "a.txt:2/1", "a.txt:2/2"]
    (note,) = texts.reading.notes(texts.name, 100)
    assert note.startswith("a.txt: 1 text of more than 100 characters (the first: a.txt:2) cut into 2 pieces")


def test_texts_of_tables_are_cut_and_have_a_language_each(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    rows = [{"text": "un", "lang": "fr"}, {"text": "word " * 30, "lang": "en"}, {"text": "?"}, {"lang": "de"}]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    texts = texts_of(file, language_column="lang")
    found = list(texts)
    assert [(each.id, each.category) for each in found] == [
        ("a.jsonl:1:text", "fr"),
        ("a.jsonl:2:text/1", "en"),
        ("a.jsonl:2:text/2", "en"),
        ("a.jsonl:3:text", ""),
    ]
    assert "".join(each.text for each in found[1:3]) == "word " * 30
    assert len(list(texts.reading.notes(texts.name, 100))) == 2
    assert {each.category for each in texts_of(file)} == {"xx"}


def tasks_of(sources: list[SourceTexts], *, parallel: bool = False) -> tuple[Texts, list[Task]]:
    corpus = corpus_of(sources, [partitioned(each) for each in sources], [By.FILE], parallel=parallel)
    return corpus.texts, list(corpus.tasks())


def test_tasks_have_each_text_once_with_the_number_of_its_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "PARTITION_BYTES", 100)
    file, table = tmp_path / "a.txt", tmp_path / "b.jsonl"
    file.write_text("ab\n" * 50 + "word " * 50 + "\ny\n")
    table.write_text("".join(json.dumps({"text": None if n % 3 else f"row {n}"}) + "\n" for n in range(40)))
    sources = [texts_of(file), texts_of(table)]
    texts, found = tasks_of(sources)
    assert len(found) > 8
    reading = {number: Reading() for number in (0, 1)}
    all_of = [(task.source, text) for task in found for text in texts.of(task, reading[task.source])]
    assert [(text.id, text.text) for _, text in all_of] == [(each.id, each.text) for of in sources for each in of]
    assert [text.number for _, text in all_of[50:54]] == [50, 50, 50, 51]
    assert [text.number for source, text in all_of if source] == list(range(52, 92, 3))
    for number, source in enumerate(sources):
        assert reading[number] == source.reading
    parallel, same = tasks_of([texts_of(file), texts_of(file)], parallel=True)
    numbers = [(task.source, text.number) for task in same for text in parallel.of(task, Reading())]
    assert [number for source, number in numbers if source] == [number for source, number in numbers if not source]


def test_halves_of_a_task_are_its_texts_and_what_was_noticed_once(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("ab\n" * 5 + "word " * 50 + "\n")
    texts, (whole,) = tasks_of([texts_of(file)])
    noticed = Reading()
    expected = list(texts.of(whole, noticed))
    (dealt,) = texts.dealt(Partition(0, 0, 6, Whole()))
    for task in (whole, dealt):
        reading = Reading()
        halves = task.halves(len(expected))
        quarters = [part for half in halves for part in half.halves(len(list(texts.of(half, Reading()))))]
        assert [each for part in quarters for each in texts.of(part, reading)] == expected
        assert len(quarters) == 4
        assert reading == noticed


def test_what_can_only_be_streamed_is_dealt_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "TEXTS", 3)
    monkeypatch.setattr(tasks, "CHARACTERS", 10)
    file = tmp_path / "a.txt"
    file.write_text("ab\n" * 4 + "x" * 20 + "\ny\n")
    texts, _ = tasks_of([texts_of(file)])
    dealt = list(texts.dealt(Partition(0, 0, 6, Whole())))
    assert [len(each.texts or ()) for each in dealt] == [3, 2, 1]
    assert [text.number for each in dealt for text in each.texts or ()] == list(range(6))
    assert [each.noticed is None for each in dealt] == [True, True, False]


def test_a_line_of_any_length_takes_no_more_memory(tmp_path: Path) -> None:
    peaks = []
    for size in (1_000_000, 8_000_000):
        file = tmp_path / f"{size}.txt"
        file.write_text("lorem ipsum " * (size // 12))
        tracemalloc.start()
        characters = sum(len(each.text) for each in texts_of(file, 10_000))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert characters == size // 12 * 12
    assert peaks[1] < 1.1 * peaks[0]
