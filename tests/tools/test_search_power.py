"""What a search makes of planted faults is measured, and told as it is, from its record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import search_power
from published.records import RecordError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.long
def test_faults_that_are_found_and_one_that_is_not(
    here: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    as_of_all: Callable[..., Path],
) -> None:
    record = here / "a.jsonl"
    command = ["--cases", "48", "--record", str(record), "sharp-s", "prefix-space", "last-unified-ideograph"]
    assert search_power.main(command) == 1
    printed = capsys.readouterr().out
    lines = printed.splitlines()
    assert "sharp-s | bert | normalize | 16 | 1 | normalizer: BertNormalizer | unexplained | 1 | '\\xdf'" in lines[0]
    assert "last-unified-ideograph | bert | normalize | no" in lines[1]
    assert "prefix-space | gpt2 | pre_tokenize" in lines[2]
    assert "prefix-space-policy | 1 |" in lines[2]
    assert lines[3] == "2 of 3 faults found within 48 texts (1 of 2 on one character)"
    page = search_power.page([as_of_all(record, faults=[])])
    assert "searched on the bundled tokenizers" in page
    assert "- 2 of 3 faults found within 48 texts (1 of 2 on one character)\n" in page

    *begun, _footer = record.read_text(encoding="utf-8").splitlines(keepends=True)
    record.write_text("".join(begun), encoding="utf-8")
    monkeypatch.setattr(search_power, "found", None)  # what was searched for is not searched for again
    assert search_power.main(command) == 1
    assert capsys.readouterr().out == printed
    assert search_power.page([as_of_all(record, faults=[])]) == page
    with pytest.raises(RecordError, match="is of a part alone"):
        search_power.page([record])
    record.write_text("".join(begun), encoding="utf-8")
    assert search_power.main([*command[:-1]]) == 2
    assert "is the beginning of another measurement" in capsys.readouterr().err


def test_a_fault_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert search_power.main(["no-such-fault"]) == 2
    assert "no such fault" in capsys.readouterr().err


def test_some_faults_leave_the_record_of_all_alone(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = here / "all.jsonl"
    whole.write_text("the record of all", encoding="utf-8")
    monkeypatch.setattr(search_power, "RECORD", whole)
    search_power.main(["--cases", "1", "sharp-s"])
    assert whole.read_text("utf-8") == "the record of all"
