"""Words name files: compressed ones, those in folders, those that a pattern matches; each kind has the same texts."""

from __future__ import annotations

import gzip
import importlib
import json
import lzma
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_conformance import BadInputError
from tokenizer_conformance.inputs.conversations.files import conversation_files
from tokenizer_conformance.inputs.opening import decoded_pieces
from tokenizer_conformance.inputs.partitions import partitions_of, read_partition
from tokenizer_conformance.inputs.places import Whole
from tokenizer_conformance.inputs.sources import sources_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tokenizer_conformance.inputs.sources import NamedSource

TEXTS = ["Hello wörld", "", "two\nlines\r\n👍\x00", "あいう " * 50]
ROWS: list[dict[str, Any]] = [{"id": at, "meta": {"text": each}, "text": each} for at, each in enumerate(TEXTS)]


def zstd(content: bytes) -> bytes:
    library = pytest.importorskip("zstandard", reason="zstd is read by zstandard, of the extra 'zstd'")
    packed: bytes = library.compress(content)
    return packed


COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "xz": lzma.compress, "zst": zstd}


def only(word: Path | str, column: str | None = None) -> NamedSource:
    (source,) = sources_of([word], column)
    return source


def texts(source: NamedSource) -> list[str]:
    return [each.text for each in source]


def ids_after_the_name(source: NamedSource) -> list[tuple[str, str]]:
    return [(each.id.removeprefix(source.name), each.text) for each in source]


# Compressed files ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", COMPRESSIONS)
def test_compressed_files_are_read_as_what_is_in_them(tmp_path: Path, suffix: str) -> None:
    lines = b"".join(f"{line}\n".encode() for line in ("a", "", "\u3042", "b" * 300_000))
    rows = "".join(f"{json.dumps(row)}\n" for row in ROWS).encode()
    for name, content in (("a.txt", lines), ("b.jsonl", rows)):
        (tmp_path / name).write_bytes(content)
        packed = COMPRESSIONS[suffix]
        half = len(content) // 2
        (tmp_path / f"{name}.{suffix}").write_bytes(packed(content[:half]) + packed(content[half:]))
        plain, compressed = only(tmp_path / name), only(tmp_path / f"{name}.{suffix}")
        assert compressed.name == f"{name}.{suffix}"
        assert compressed.has_columns == plain.has_columns
        assert ids_after_the_name(compressed) == ids_after_the_name(plain)
        found = partitions_of(compressed, size=10)
        (whole,) = found.partitions
        assert whole.place == Whole()
        assert list(read_partition(compressed, whole)) == list(compressed)
        assert found.sha256 == partitions_of(plain).sha256, "the digest is that of the texts"
    pieces = decoded_pieces(tmp_path / f"a.txt.{suffix}", 1000)
    assert list(pieces) == list(decoded_pieces(tmp_path / "a.txt", 1000))


def test_how_a_file_is_compressed_is_seen_by_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.xz"
    path.write_bytes(gzip.compress(b'{"text": "a"}\n'))
    assert texts(only(path)) == ["a"]


@pytest.mark.parametrize("suffix", COMPRESSIONS)
def test_damaged_files_are_refused(tmp_path: Path, suffix: str) -> None:
    packed = COMPRESSIONS[suffix](b"".join(b"%d\n" % number for number in range(30_000)))
    path = tmp_path / f"a.txt.{suffix}"
    middle = len(packed) // 2
    for content, words in (
        (packed[:middle], "damaged or cut off: its end is missing"),
        (packed[:middle] + bytes(40) + packed[middle + 40 :], "damaged or cut off: "),
        (packed + b"something else", "damaged or cut off: "),
    ):
        path.write_bytes(content)
        for read in (list, partitions_of):
            with pytest.raises(BadInputError, match=f"{path.name}' is compressed with .*{words}"):
                read(only(path))


def test_what_is_no_utf8_in_a_compressed_file_has_its_place(tmp_path: Path) -> None:
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"ab\nc\xff\n"))
    for read in (list, partitions_of):
        with pytest.raises(BadInputError, match=r"is not UTF-8: byte 0xFF at offset 4 \(line 2\)"):
            read(only(tmp_path / "a.txt.gz"))


def test_the_extra_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokenizer_conformance.compression.HAS_ZSTD", False)
    (tmp_path / "a.txt.zst").write_bytes(b"\x28\xb5\x2f\xfd")
    with pytest.raises(BadInputError, match=r"pip install 'tokenizer-conformance\[zstd\]'"):
        list(only(tmp_path / "a.txt.zst"))


# Arrow ---------------------------------------------------------------------------------------------------------------


def write_arrow(path: Path, rows: list[dict[str, Any]], kind: str, rows_in_batch: int) -> Path:
    arrow, ipc = pytest.importorskip("pyarrow"), importlib.import_module("pyarrow.ipc")
    table = arrow.Table.from_pylist(rows)
    with {"file": ipc.new_file, "stream": ipc.new_stream}[kind](path, table.schema) as writer:
        writer.write_table(table, max_chunksize=rows_in_batch)
    return path


@pytest.mark.parametrize("kind", ["file", "stream"])
@pytest.mark.parametrize("column", ["text", "meta.text"])
def test_arrow_is_a_table(tmp_path: Path, kind: str, column: str) -> None:
    source = only(write_arrow(tmp_path / "a.arrow", ROWS, kind, 3), column)
    assert ids_after_the_name(source) == [(f":{at}:{column}", each) for at, each in enumerate(TEXTS, 1)]
    for size in (1, 300, 1 << 20):
        found = partitions_of(source, size=size)
        assert found.rows == len(ROWS)
        assert [each for part in found.partitions for each in read_partition(source, part)] == list(source)
    assert len(partitions_of(source, size=1).partitions) == len(ROWS)


def test_feather_is_arrow(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    importlib.import_module("pyarrow.feather").write_feather(arrow.table({"text": TEXTS}), str(tmp_path / "a.feather"))
    assert texts(only(tmp_path / "a.feather")) == TEXTS


@pytest.mark.parametrize("kind", ["file", "stream"])
def test_damaged_arrow_is_refused(tmp_path: Path, kind: str) -> None:
    path = write_arrow(tmp_path / "a.arrow", [{"text": "x" * 100}] * 50, kind, 10)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(BadInputError, match=r"cannot be read as Arrow|record batch \d \(row \d+ and what follows\)"):
        list(only(path))


# Folders and patterns ------------------------------------------------------------------------------------------------


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    for name in ("b.txt", "en/a.jsonl.gz", "en/a.txt", ".git/x.txt", "en/.hidden.txt", "README.md", "z.parquet.gz"):
        path = tmp_path / "corpus" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(b'{"text": "a"}\n') if "gz" in name else f"{name}\n".encode())
    return tmp_path / "corpus"


def test_a_folder_stands_for_the_files_in_it(corpus: Path) -> None:
    sources = sources_of([str(corpus)])
    assert [source.name for source in sources] == ["b.txt", "en/a.jsonl.gz", "en/a.txt"]
    assert [texts(source) for source in sources] == [["b.txt"], ["a"], ["en/a.txt"]]
    first, *others = (source.said_of_left_out() for source in sources)
    said = "left out 2 files of other kinds than are read in folders: 'README.md', 'z.parquet.gz'"
    assert first == f"inputs folder {str(corpus)!r}: {said}"
    assert others == [None, None]
    assert [source.word for source in sources] == [str(corpus / source.name) for source in sources]
    assert {source.options for source in sources} == {("--inputs", str(corpus))}, "alone it would have another name"
    assert [each.name for each in conversation_files([str(corpus)])] == [source.name for source in sources]


def test_a_pattern_stands_for_the_files_that_it_matches(corpus: Path) -> None:
    sources = sources_of([f"{corpus}/**/*.txt", f"{corpus}/*.md", str(corpus / "b.txt")])
    assert [source.name for source in sources] == ["b.txt", "en/a.txt", "README.md"], "each once"
    assert sources[1].options == ("--inputs", f"{corpus}/**/*.txt")
    (corpus / "a[1].txt").write_text("x\n")
    assert texts(only(corpus / "a[1].txt")) == ["x"], "what is there is no pattern"
    with pytest.raises(BadInputError, match="as a pattern it matches nothing here"):
        list(only(f"{corpus}/*.csv"))


def test_files_of_one_name_in_two_folders_are_told_apart(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "b.txt").write_text("other\n")
    sources = sources_of([str(corpus), str(tmp_path / "other")])
    assert [source.name for source in sources if source.name.endswith("b.txt")] == [
        (corpus / "b.txt").as_posix(),
        (tmp_path / "other" / "b.txt").as_posix(),
    ]
    assert sources[0].options == ("--inputs", str(corpus), str(tmp_path / "other"))


def test_folders_without_texts_and_checkpoints_are_refused(corpus: Path) -> None:
    (corpus / "empty").mkdir()
    (corpus / "empty" / "a.csv").touch()
    (corpus / "tokenizer.json").touch()
    for folder in (corpus, corpus / "empty"):
        with pytest.raises(BadInputError, match="Is a directory; give the files in it"):
            list(only(folder))


@pytest.mark.long
def test_saved_datasets_are_read_with_all_splits_and_without_what_is_cached(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    train = datasets.Dataset.from_list(ROWS)
    splits = datasets.DatasetDict({"train": train, "test": train.select([0])})
    splits.save_to_disk(str(tmp_path / "saved"), num_shards={"train": 2, "test": 1})
    datasets.load_from_disk(str(tmp_path / "saved"))["train"].map(lambda row: {"text": row["text"] + "!"})
    assert list((tmp_path / "saved" / "train").glob("cache-*.arrow"))
    sources = sources_of([str(tmp_path / "saved")], "text")
    assert sources[0].said_of_left_out() is None
    assert [(source.name, texts(source)) for source in sources] == [
        ("test/data-00000-of-00001.arrow", TEXTS[:1]),
        ("train/data-00000-of-00002.arrow", TEXTS[:2]),
        ("train/data-00001-of-00002.arrow", TEXTS[2:]),
    ]
