"""Texts in columns: JSON Lines, Parquet and datasets are read by rows, and what is wrong is told with the place."""

from __future__ import annotations

import importlib
import json
import tracemalloc
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_conformance import BadInputError, Split
from tokenizer_conformance.inputs.partitions import partitions_of
from tokenizer_conformance.inputs.rows import value_at
from tokenizer_conformance.inputs.sources import NamedSource, sources_of
from tokenizer_conformance.inputs.text import TextFile

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS: list[dict[str, Any]] = [
    {"id": 1, "text": "Hello wörld", "meta": {"lang": "en", "note": "a b"}},
    {"id": 2, "text": None, "meta": {"lang": "de", "note": "c"}},
    {"id": 3, "text": "", "meta": {"lang": "ja", "note": None}},
    {"id": 4, "text": "two\nlines\r\n👍\x00", "meta": {"lang": "x", "note": "d"}},
]


def only(path: Path | str, column: str | None = None) -> NamedSource:
    (source,) = sources_of([path], column)
    return source


def inputs(path: Path | str, column: str | None = None) -> list[tuple[str, str]]:
    return [(each.id, each.text) for each in only(path, column)]


def refusal_of(path: Path | str, column: str | None = None) -> str:
    with pytest.raises(BadInputError) as caught:
        inputs(path, column)
    return str(caught.value).replace(repr(str(path)), "FILE")


def json_lines(folder: Path, *lines: str, name: str = "rows.jsonl") -> Path:
    path = folder / name
    path.write_bytes("".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass"))
    return path


def written_json(folder: Path) -> Path:
    return json_lines(folder, *map(json.dumps, ROWS), name="rows.jsonl")


def written_parquet(folder: Path) -> Path:
    pytest.importorskip("pyarrow", reason="Parquet is read by pyarrow, of the extra 'parquet'")
    arrow, parquet = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    path = folder / "rows.parquet"
    parquet.write_table(arrow.Table.from_pylist(ROWS), path, row_group_size=3)
    return path


def written_dataset(folder: Path) -> str:
    pytest.importorskip("datasets", reason="datasets are read by datasets, of the extra of that name")
    (folder / "data").mkdir()
    json_lines(folder / "data", *map(json.dumps, ROWS), name="train.jsonl")
    return f"datasets:{folder / 'data'}:train"


TABLES: dict[str, Callable[[Path], Path | str]] = {
    "JSON Lines": written_json,
    "Parquet": written_parquet,
    "a dataset": written_dataset,
}


@pytest.mark.long_but(2)
@pytest.mark.parametrize("written", TABLES.values(), ids=TABLES)
def test_each_row_with_a_string_is_an_input(tmp_path: Path, written: Callable[[Path], Path | str]) -> None:
    source = only(written(tmp_path))
    found = [(each.id, each.category, each.text) for each in source]
    name = source.name
    assert found == [
        (f"{name}:1:text", name, "Hello wörld"),
        (f"{name}:3:text", name, ""),
        (f"{name}:4:text", name, "two\nlines\r\n👍\x00"),
    ]
    assert [each.text for each in source] == [text for _, _, text in found], "it can be read again"
    said = source.said_of_left_out()
    assert said is not None
    assert said.endswith("2)")
    assert "1 of 4 rows have no string in column 'text' and are left out: 1 null (the first in " in said


@pytest.mark.parametrize("written", TABLES.values(), ids=TABLES)
def test_a_column_inside_another_is_named_with_a_dot(tmp_path: Path, written: Callable[[Path], Path | str]) -> None:
    path = written(tmp_path)
    assert [text for _, text in inputs(path, "meta.lang")] == ["en", "de", "ja", "x"]
    assert only(path, "meta.lang").said_of_left_out() is None
    assert [id_.partition(only(path).name)[2] for id_, _ in inputs(path, "meta.note")] == [
        ":1:meta.note",
        ":2:meta.note",
        ":4:meta.note",
    ]


@pytest.mark.parametrize("written", TABLES.values(), ids=TABLES)
def test_a_column_that_is_not_there_is_refused_with_those_that_are(
    tmp_path: Path, written: Callable[[Path], Path | str]
) -> None:
    refusal = refusal_of(written(tmp_path), "txt")
    assert " has no column 'txt'; its columns are 'id' (" in refusal
    assert "'text' (string), 'meta.lang' (string), 'meta.note' (string)" in refusal


@pytest.mark.parametrize("written", TABLES.values(), ids=TABLES)
def test_a_column_without_any_string_is_refused(tmp_path: Path, written: Callable[[Path], Path | str]) -> None:
    path = written(tmp_path)
    assert " has no string in column 'id': 4 number; its columns are " in refusal_of(path, "id")
    assert " has no string in column 'meta': 4 object; its columns are " in refusal_of(path, "meta")


# Which column --------------------------------------------------------------------------------------------------------

CHOSEN: list[tuple[str, str | None, list[tuple[str, str]]]] = [
    ('{"id": 1, "prompt": "a"}', None, [("rows.jsonl:1:prompt", "a")]),
    ('{"a": "x", "text": "b"}', None, [("rows.jsonl:1:text", "b")]),
    ('{"m": {"c": "d"}, "n": [1]}', None, [("rows.jsonl:1:m.c", "d")]),
    ('"a string alone"', None, [("rows.jsonl:1", "a string alone")]),
    ('{"a.b": "x", "a": {"b": "y"}}', "a.b", [("rows.jsonl:1:a.b", "x")]),
    ('{"a": {"b.c": "x"}}', "a.b.c", [("rows.jsonl:1:a.b.c", "x")]),
    ('{"a": null}\n{"a": "x"}', None, [("rows.jsonl:2:a", "x")]),
    ('{"text": "\\ud83d\\ude00"}', None, [("rows.jsonl:1:text", "😀")]),
    ('\ufeff{"text": "a"}\n\n  \n{"text": "b"}', None, [("rows.jsonl:1:text", "a"), ("rows.jsonl:4:text", "b")]),
]


@pytest.mark.parametrize(("content", "column", "expected"), CHOSEN)
def test_the_column_that_is_meant(
    tmp_path: Path, content: str, column: str | None, expected: list[tuple[str, str]]
) -> None:
    assert inputs(json_lines(tmp_path, content), column) == expected


REFUSED: list[tuple[str, str | None, str]] = [
    ('{"a": "x", "b": "y"}', None, "inputs file FILE: say which column with --column NAME; strings are in 'a', 'b'"),
    ('{"id": 1}', None, "inputs file FILE has no column of strings; its columns are 'id' (number)"),
    ("[1, 2]", None, "inputs file FILE has no column of strings; its columns are rows that are no objects (list)"),
    (
        '{"a": "x"}\n{"a": oops}',
        "a",
        "FILE is not JSON Lines: line 2 is not JSON: Expecting value at column 7",
    ),
    ("{", None, "JSON: Expecting property name enclosed in double quotes at column 2; it looks like one JSON document"),
    (
        '{"text": "ab\\ud83d"}',
        None,
        "FILE, line 1 in column 'text': character 2 is the lone surrogate U+D83D",
    ),
    ("", None, "inputs file FILE is empty: there is no text in it"),
    ("\n \n", None, "inputs file FILE is empty: there is no text in it"),
    ("\n", "a", "inputs file FILE is empty: there is no text in it"),
    ("[" * 100_000, None, "inputs file FILE is not JSON Lines: line 1 is not JSON: it is nested too deeply"),
    ('{"n": ' + "9" * 5000 + "}", None, "is not JSON: a number has more than 4,300 digits"),
    ('{"text": "\ud800"}', None, "inputs file FILE is not UTF-8: byte 0xED at offset 10 (line 1)"),
    ('{"a": 1, "b": true, "c": 1.5}', "b", "has no string in column 'b': 1 true or false; its columns are"),
    (json.dumps({f"c{n}": n for n in range(40)}), "x", "'c11' (number) and 28 more"),
]


@pytest.mark.parametrize(("content", "column", "words"), REFUSED)
def test_a_bad_file_is_refused_with_the_place(tmp_path: Path, content: str, column: str | None, words: str) -> None:
    assert words in refusal_of(json_lines(tmp_path, *([content] if content else [])), column)


def test_what_was_left_out_is_counted_by_kind(tmp_path: Path) -> None:
    lines = ['{"t": "a"}', '{"t": 1}', "{}", '{"t": 2}', '{"t": []}', '{"t": null}', '"x"']
    source = only(json_lines(tmp_path, *lines), "t")
    assert source.said_of_left_out() is None, "nothing was read yet"
    assert len(list(source)) == 1
    said = source.said_of_left_out()
    assert said is not None
    assert said.partition("': ")[2] == (
        "6 of 7 rows have no string in column 't' and are left out: "
        "2 number, 2 without it, 1 list, 1 null (the first in line 2)"
    )


def test_a_value_is_found_by_the_longest_name() -> None:
    row = {"a": {"b": {"c": 1}, "b.c": 2}, "a.b": {"c": 3}}
    assert value_at(row, "a.b.c") == 3
    assert value_at(row["a"], "b.c") == 2
    assert value_at({"a": 1}, "a.b") is not None


# Files ---------------------------------------------------------------------------------------------------------------


def test_sources_are_told_by_their_names() -> None:
    words = ["a.txt", "b.JSONL", "c.ndjson", "d.parquet", "x/a.txt", "datasets:org/name@main:en:train[:5]", "a.txt"]
    sources = sources_of(words, "c", (Split.FILE,))
    names = ["a.txt", "b.JSONL", "c.ndjson", "d.parquet", "x/a.txt", "org/name@main:en:train[:5]"]
    assert [source.name for source in sources] == names
    assert sources[0].options == ("--inputs", "a.txt", "x/a.txt"), "alone it would have another name"
    assert sources[1].options == ("--inputs", "b.JSONL", "--column", "c")
    assert [source.has_columns for source in sources] == [False, True, True, True, False, True]
    assert sources[0].texts == TextFile(Path("a.txt"), "a.txt", (Split.FILE,))


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    path = json_lines(tmp_path, *(json.dumps({"text": f"{number} {'x' * 2000}"}) for number in range(2000)))
    tracemalloc.start()
    try:
        assert sum(1 for _ in only(path)) == 2000
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_a_file_of_another_kind_is_no_parquet(tmp_path: Path) -> None:
    whole = written_parquet(tmp_path).read_bytes()
    for content, words in (
        (b"", "is empty: there is no text in it"),
        (b"hello", "is not Parquet"),
        (b"\x1f\x8b\x08", "is not Parquet; it is compressed with gzip: decompress it first"),
        (whole[: len(whole) // 2], "cannot be read as Parquet: Parquet magic bytes not found in footer."),
    ):
        path = tmp_path / "other.parquet"
        path.write_bytes(content)
        assert words in refusal_of(path)
        assert "\n" not in refusal_of(path)
    assert "No such file or directory" in refusal_of(tmp_path / "missing.parquet")
    renamed = tmp_path / "rows.txt"
    renamed.write_bytes(b"PAR1\xff")
    assert refusal_of(renamed).endswith("it is Parquet: give it a name that ends in .parquet")


def test_parquet_types_of_strings_are_strings_and_bytes_are_none(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="Parquet is read by pyarrow, of the extra 'parquet'")
    arrow, parquet = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    table = arrow.table(
        {
            "large": arrow.array(["a"], arrow.large_string()),
            "coded": arrow.array(["b"]).dictionary_encode(),
            "bytes": arrow.array([b"\xff"]),
            "list": [["c"]],
        }
    )
    parquet.write_table(table, tmp_path / "t.parquet")
    path = tmp_path / "t.parquet"
    assert inputs(path, "large") == [("t.parquet:1:large", "a")]
    assert inputs(path, "coded") == [("t.parquet:1:coded", "b")]
    assert "has no string in column 'bytes': 1 bytes; its columns are" in refusal_of(path, "bytes")
    assert "has no string in column 'list': 1 list; its columns are" in refusal_of(path, "list")
    assert refusal_of(path).endswith("strings are in 'large', 'coded'")


@pytest.mark.parametrize("name", ["twice.parquet", "twice.arrow"])
def test_columns_of_one_name_are_refused(tmp_path: Path, name: str) -> None:
    pytest.importorskip("pyarrow", reason="Parquet and Arrow are read by pyarrow, of the extra 'parquet'")
    arrow, parquet, ipc = map(importlib.import_module, ("pyarrow", "pyarrow.parquet", "pyarrow.ipc"))
    table = arrow.Table.from_arrays([arrow.array(["a"]), arrow.array(["b"]), arrow.array(["c"])], ["text", "text", "x"])
    path = tmp_path / name
    if path.suffix == ".parquet":
        parquet.write_table(table, path)
    else:
        with ipc.new_file(path, table.schema) as file:
            file.write_table(table)
    assert refusal_of(path) == "inputs file FILE has several columns called 'text': give each a name of its own"
    with pytest.raises(BadInputError, match="several columns called 'text'"):
        partitions_of(only(path))


@pytest.mark.parametrize(
    ("package", "word", "message"),
    [
        ("pyarrow", "rows.parquet", "Parquet needs pyarrow, which is not installed; install it with: pip install "),
        ("datasets", "datasets:a/b:train", "datasets: needs datasets, which is not installed; install it with: pip "),
    ],
)
def test_a_package_that_is_missing_is_named_with_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, word: str, message: str
) -> None:
    def refuse(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", refuse)
    monkeypatch.chdir(tmp_path)
    Path("rows.parquet").write_bytes(b"PAR1")
    refusal = refusal_of(word)
    assert refusal.startswith(message)
    assert refusal.endswith(f"'tokenizer-conformance[{'parquet' if package == 'pyarrow' else package}]'")


def test_a_dataset_that_cannot_be_read_is_refused_in_a_line(tmp_path: Path) -> None:
    word = written_dataset(tmp_path)
    assert "cannot be read: Bad split: test. Available splits: ['train']" in refusal_of(word.replace(":train", ":test"))
    for wrong in ("datasets:x", "datasets:", "datasets::train", "datasets:a:"):
        assert refusal_of(wrong) == (
            f"dataset {wrong!r} is not of the form datasets:NAME:SPLIT or datasets:NAME:CONFIG:SPLIT".replace(
                repr(wrong), "FILE"
            )
        )
    assert "cannot be read: Couldn't reach 'org/name' on the Hub" in refusal_of("datasets:org/name:en:train")


def test_a_dataset_says_nothing_but_errors_as_it_is_read(tmp_path: Path) -> None:
    word = written_dataset(tmp_path)
    datasets = importlib.import_module("datasets")
    datasets.logging.set_verbosity_info()
    datasets.enable_progress_bars()
    assert inputs(word)
    assert datasets.logging.get_verbosity() == datasets.logging.ERROR
    assert datasets.are_progress_bars_disabled()


def test_a_source_is_read_only_as_far_as_it_is_asked_for(tmp_path: Path) -> None:
    path = json_lines(tmp_path, '{"text": "a"}', "oops")
    assert [each.text for each in islice(only(path, "text"), 1)] == ["a"]
