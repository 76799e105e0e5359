"""Partitions of a source, read one after the other, are the source; each is read without the others."""

from __future__ import annotations

import hashlib
import importlib
import pickle
import tracemalloc
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_conformance import BadInputError, Split
from tokenizer_conformance.inputs import columnar, parquet, partitions
from tokenizer_conformance.inputs.opening import decoded_pieces
from tokenizer_conformance.inputs.partitions import part_of, partitions_of, read_partition
from tokenizer_conformance.inputs.places import Bytes, Whole
from tokenizer_conformance.inputs.rows import LeftOut, RowTexts
from tokenizer_conformance.inputs.sources import NamedSource, sources_of

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_conformance.inputs.text import Input

sizes = st.integers(1, 60)
characters = st.sampled_from(["a", " ", "\r", "\ufeff", "é", "あ", "👍", "\x85", "\u2028"])
lines = st.lists(st.tuples(st.text(characters, max_size=20), st.sampled_from(["\n", "\r\n"])), min_size=1, max_size=12)
rows = st.lists(
    st.sampled_from(["", "  ", '"a"', "3", '{"text": "é\\n"}', '{"text": null, "b": 1}', '{"b": 2}', "[1]"]),
    max_size=12,
)


def only(path: Path, column: str | None = None, splits: tuple[Split, ...] = (Split.LINE,)) -> NamedSource:
    (source,) = sources_of([path], column, splits)
    return source


def joined(source: NamedSource, size: int) -> list[Input]:
    """Return the inputs of all partitions, each read as a process would that knows nothing of the others."""
    found = []
    for partition in partitions_of(source, 7, size).partitions:
        assert partition.source == 7
        inputs = list(read_partition(*pickle.loads(pickle.dumps((source, partition)))))
        assert len(inputs) <= partition.count
        found += inputs
    return found


def written(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("partitions")


@given(lines=lines, ends=st.booleans(), size=sizes, block=st.integers(1, 9))
def test_partitions_of_lines_are_the_file(
    folder: Path, lines: list[tuple[str, str]], ends: bool, size: int, block: int
) -> None:
    text = "".join(line + end for line, end in lines)
    content = (text if ends else text.rstrip("\r\n") or "x").encode()
    source = only(written(folder, "a.txt", content))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partitions, "BLOCK", block)
        found = partitions_of(source, size=size)
        assert joined(source, size) == list(source)
    assert found.rows == len(list(source))
    assert found.sha256 == hashlib.sha256(content).hexdigest()
    places = [each.place for each in found.partitions if isinstance(each.place, Bytes)]
    assert [place.start for place in places] == [0, *(place.end for place in places[:-1])]
    assert places[-1].end == len(content)
    beginnings = [at for at in range(len(content)) if at == 0 or content[at - 1 : at] == b"\n"]
    assert [place.start for place in places] == [
        at
        for before, at in zip([-1, *beginnings], beginnings, strict=False)
        if before < 0 or before // size < at // size
    ], "a partition has the lines that begin in so many bytes"


@given(lines=lines, size=sizes, longest=st.integers(1, 7))
def test_pieces_of_partitions_are_the_pieces_of_the_file(
    folder: Path, lines: list[tuple[str, str]], size: int, longest: int
) -> None:
    path = written(folder, "b.txt", "".join(line + end for line, end in lines).encode())
    found = partitions_of(only(path), size=size).partitions
    pieces = [piece for each in found for piece in decoded_pieces(path, longest, each)]
    assert pieces == list(decoded_pieces(path, longest))


@given(rows=rows, bom=st.booleans(), size=sizes)
def test_partitions_of_json_lines_are_the_file(folder: Path, rows: list[str], bom: bool, size: int) -> None:
    lines = ['{"text": "first"}', *rows]
    source = only(written(folder, "c.jsonl", ("\ufeff" * bom + "\n".join(lines)).encode()))
    assert joined(source, size) == list(source)
    left_out = LeftOut()
    for partition in partitions_of(source, size=size).partitions:
        part = part_of(source, partition)
        list(part)
        assert isinstance(part.texts, RowTexts)
        left_out.add(part.texts.left_out)
    assert isinstance(source.texts, RowTexts)
    assert left_out == source.texts.left_out


@given(
    texts=st.lists(st.none() | st.text(max_size=30), min_size=1, max_size=60).filter(any),
    group=st.integers(1, 70),
    size=st.integers(1, 400),
    at_a_time=st.integers(1, 20),
)
def test_partitions_of_parquet_are_the_file(
    folder: Path, texts: list[str | None], group: int, size: int, at_a_time: int
) -> None:
    arrow, library = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    path = folder / "d.parquet"
    library.write_table(arrow.table({"n": list(range(len(texts))), "text": texts}), path, row_group_size=group)
    source = only(path, "text")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet, "ROWS_AT_A_TIME", at_a_time)
        assert joined(source, size) == list(source)
    assert partitions_of(source, size=size).rows == len(texts)


def test_large_row_groups_are_cut_and_small_ones_are_read_together(folder: Path) -> None:
    arrow, library = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    path = folder / "e.parquet"
    table = arrow.table({"text": [f"{number} ".rjust(1000) for number in range(200)]})
    library.write_table(table, path, row_group_size=200, use_dictionary=False)
    assert len(partitions_of(only(path), size=20_000).partitions) == 11
    assert len(partitions_of(only(path), size=1000).partitions) == columnar.MOST_CUTS
    library.write_table(table, path, row_group_size=2, use_dictionary=False, write_statistics=False)
    assert len(partitions_of(only(path), size=20_000).partitions) == 12


def test_what_is_cut_otherwise_is_read_whole(folder: Path) -> None:
    source = only(written(folder, "f.txt", b"a\nb\n\nc\n"), splits=(Split.PARAGRAPH, Split.FILE))
    (partition,) = partitions_of(source, size=1).partitions
    assert (partition.place, partition.count) == (Whole(), 3)
    assert joined(source, 1) == list(source)


def test_a_dataset_is_read_whole(tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    (tmp_path / "train.jsonl").write_text('{"text": "a"}\n{"text": null}\n')
    (source,) = sources_of([f"datasets:{tmp_path}:train"])
    list(source)
    assert joined(source, 1) == list(source)
    found = partitions_of(source)
    assert found.rows == 2
    (tmp_path / "train.jsonl").write_text('{"text": "b"}\n{"text": null}\n')
    (changed,) = sources_of([f"datasets:{tmp_path}:train"])
    list(changed)
    assert partitions_of(changed).sha256 != found.sha256


def test_parts_without_a_text_are_no_fault_of_the_table(folder: Path) -> None:
    source = only(written(folder, "g.jsonl", b'{"text": "a"}\n{"text": 1}\n{"text": 2}\n'))
    assert [len(list(read_partition(source, each))) for each in partitions_of(source, size=1).partitions] == [1, 0, 0]
    textless = only(written(folder, "h.jsonl", b'{"text": 1}\n'), "text")
    part = part_of(textless, partitions_of(textless).partitions[0])
    assert list(part) == []
    assert isinstance(part.texts, RowTexts)
    with pytest.raises(BadInputError, match="has no string in column 'text': 1 number"):
        part.texts.refuse_without_text()


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.txt", b"a\nb\xffc\nd\n", "is not UTF-8: byte 0xFF at offset 3 (line 2)"),
        ("a.txt", b"a\nb\xc3", "is not UTF-8: byte 0xC3 at offset 3 (line 2)"),
        ("a.txt", b"", "is empty"),
        ("a.jsonl", b'{"text": "\xff"}\n', "is not UTF-8: byte 0xFF at offset 10 (line 1)"),
        ("a.parquet", b"", "is empty"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_before_it_is_read(
    tmp_path: Path, name: str, content: bytes, words: str
) -> None:
    source = only(written(tmp_path, name, content), "text")
    with pytest.raises(BadInputError) as caught:
        [
            list(read_partition(source, each)) for each in partitions_of(source).partitions
        ] and source.texts.refuse_without_text()
    assert words in str(caught.value)


def test_what_is_wrong_with_a_row_is_told_with_its_line_in_the_file(tmp_path: Path) -> None:
    source = only(written(tmp_path, "a.jsonl", b'{"text": "a"}\n\n{"text": "b"}\n{oops}\n'), "text")
    last = partitions_of(source, size=1).partitions[-1]
    with pytest.raises(BadInputError, match="line 4 is not JSON"):
        list(read_partition(source, last))


@pytest.mark.parametrize("content", [b"a\nbcd\n", b"a\n", b"ab\nc\n", b"a\nb\xff"])
def test_a_file_that_has_changed_since_is_refused(tmp_path: Path, content: bytes) -> None:
    path = written(tmp_path, "a.txt", b"a\nb\n")
    source = only(path)
    found = partitions_of(source, size=1).partitions
    path.write_bytes(content)
    with pytest.raises(BadInputError, match=r"has changed while it was used|is not UTF-8"):
        [list(read_partition(source, each)) for each in found]


def test_a_table_that_has_changed_since_is_refused(tmp_path: Path) -> None:
    arrow, library = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    path = tmp_path / "a.parquet"
    library.write_table(arrow.table({"text": ["a", "b", "c"]}), path, row_group_size=1)
    source = only(path)
    found = partitions_of(source, size=1).partitions
    assert [each.text for each in read_partition(source, found[2])] == ["c"]
    library.write_table(arrow.table({"text": ["a", "b", "d"]}), path, row_group_size=1)
    with pytest.raises(BadInputError, match="has changed while it was used"):
        list(read_partition(source, found[2]))


def test_a_partition_is_small_and_a_long_line_is_read_in_pieces(tmp_path: Path) -> None:
    path = written(tmp_path, "a.txt", b"first\n" + b"word " * 1_000_000 + b"\nlast\n")
    source = only(path)
    tracemalloc.start()
    found = partitions_of(source, size=1000).partitions
    assert [(each.first, each.count) for each in found] == [(0, 2), (2, 1)]
    pieces = sum(len(each.text) for each in decoded_pieces(path, 1000, found[0]))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert pieces == 5 + 5_000_000
    assert peak < 4_000_000
    assert len(pickle.dumps((source, found[0]))) < 1000
