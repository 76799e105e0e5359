"""A record of a tool: what is measured stands in it at once, and a tool that was ended goes on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from published.measuring import Measuring, read_measured, record_file, seconds_of
from published.records import RecordError, lines_of

if TYPE_CHECKING:
    from pathlib import Path


def measured(file: Path, *lines: dict[str, Any], **parameters: object) -> Measuring:
    record = Measuring(file, "a_tool", parameters)
    for line in lines:
        record.add(line)
    return record


def test_what_was_measured_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    measured(file, {"fault": "a", "seen": True}, {"fault": "\ud800 é"}, count=2).finish()
    read = read_measured(file, "a_tool")
    assert read.lines == ({"fault": "a", "seen": True}, {"fault": "\ud800 é"})
    assert read.parameters == {"count": 2}
    assert read.environment["python"].startswith("CPython")


def test_an_unfinished_record_goes_on_without_the_line_that_was_cut_off(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    measured(file, {"fault": "a"})
    first = lines_of(file)
    header, line = first[0], {**first[1], "clock": 100.0}
    header["environment"]["started"] = "long ago"
    file.write_text(f'{json.dumps(header)}\n{json.dumps(line)}\n{{"fault": "b', encoding="utf-8")
    again = measured(file)
    assert [each["fault"] for each in again.lines] == ["a"]
    again.add({"fault": "b"})
    again.finish()
    assert read_measured(file, "a_tool").lines == ({"fault": "a"}, {"fault": "b"})
    assert read_measured(file, "a_tool").environment["started"] == "long ago"
    assert (seconds_of(file) or 0) >= 100


def test_a_finished_record_is_made_anew_and_kept_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    measured(file, {"fault": "a"}, count=1).finish()
    measured(file, {"fault": "b"}, count=2).finish(seconds=7200.04)
    assert read_measured(file, "a_tool").lines == ({"fault": "b"},)
    assert seconds_of(file) == 7200.0
    assert read_measured(tmp_path / "a.jsonl.before", "a_tool").lines == ({"fault": "a"},)


def test_going_on_writes_nothing_that_is_there_again(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    measured(file, {"fault": "a"})
    before = file.stat().st_ino, file.read_bytes()
    measured(file)
    assert (file.stat().st_ino, file.read_bytes()) == before


@pytest.mark.parametrize("text", ["# A page\n", "[1]\n2\n", '{"type": "header"}\n\xff\n'])
def test_a_file_that_is_no_record_is_left_alone(tmp_path: Path, text: str) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(RecordError, match=r"a\.jsonl is no record: delete it, or name another file"):
        measured(file)
    assert file.read_bytes() == text.encode("latin-1")


def test_the_name_of_the_time_of_a_line_is_taken(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'clock' says when a line was there"):
        measured(tmp_path / "a.jsonl", {"clock": 1})


def test_a_part_goes_where_it_is_named_and_never_into_the_place_of_all(tmp_path: Path) -> None:
    whole, named = tmp_path / "all.jsonl", tmp_path / "part.jsonl"
    for given, is_part, file in [(None, [], whole), (named, [], named), (named, ["a"], named)]:
        with record_file(given, whole, is_part=is_part) as found:
            assert found == file
    with record_file(None, whole, is_part=["a"]) as found:
        measured(found, {"fault": "a"}).finish()
    assert not found.exists()
    assert list(tmp_path.iterdir()) == []


def test_a_part_is_no_whole(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    measured(file, {"fault": "a"}, words=["a"]).finish()
    assert read_measured(file, "a_tool", {"words": ["a"]}).lines
    with pytest.raises(RecordError, match=r'a\.jsonl is of a part alone \(words \["a"\]\)'):
        read_measured(file, "a_tool", {"words": []})


@pytest.mark.parametrize(
    ("file_has", "told"),
    [
        ({"count": 1}, r'parameters \{"count": 1\}, and not \{"count": 2\}\): delete it, or name another file'),
        (None, "a.jsonl: nothing was measured"),
    ],
)
def test_what_cannot_go_on_or_end_says_why(tmp_path: Path, file_has: dict[str, Any] | None, told: str) -> None:
    file = tmp_path / "a.jsonl"
    if file_has is not None:
        measured(file, {"fault": "a"}, **file_has)
    with pytest.raises(RecordError, match=told):
        measured(file, count=2).finish()


def test_a_record_of_another_tool_and_an_unfinished_one_are_refused(tmp_path: Path) -> None:
    measured(tmp_path / "a.jsonl", {"fault": "a"}).finish()
    with pytest.raises(RecordError, match="is not a record of another_tool"):
        read_measured(tmp_path / "a.jsonl", "another_tool")
    measured(tmp_path / "b.jsonl", {"fault": "a"})
    with pytest.raises(RecordError, match="was not finished: give the command again, and it goes on"):
        read_measured(tmp_path / "b.jsonl", "a_tool")
    assert seconds_of(tmp_path / "b.jsonl") is None
