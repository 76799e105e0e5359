"""What a search makes of planted faults is measured, and told as it is, from its record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import search_power

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.long
def test_faults_that_are_found_and_one_that_is_not(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
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
    page = search_power.page([record])
    assert "searched on the bundled tokenizers" in page
    assert "- 2 of 3 faults found within 48 texts (1 of 2 on one character)\n" in page

    *begun, _footer = record.read_text(encoding="utf-8").splitlines(keepends=True)
    record.write_text("".join(begun), encoding="utf-8")
    monkeypatch.setattr(search_power, "found", None)  # what was searched for is not searched for again
    assert search_power.main(command) == 1
    assert capsys.readouterr().out == printed
    assert search_power.page([record]) == page
    record.write_text("".join(begun), encoding="utf-8")
    assert search_power.main([*command[:-1]]) == 2
    assert "is the beginning of another measurement" in capsys.readouterr().err


def test_a_fault_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert search_power.main(["no-such-fault"]) == 2
    assert "no such fault" in capsys.readouterr().err
