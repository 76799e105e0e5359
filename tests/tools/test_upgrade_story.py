"""The page of an upgrade is what its record has, and names nothing of the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import upgrade_story as tool
from published.measuring import Measuring

if TYPE_CHECKING:
    from pathlib import Path

LEDGER = 'stage = "model"\nreason = ""\n'


def test_the_page_has_each_step_and_the_ledger(tmp_path: Path) -> None:
    (tmp_path / "known.toml").write_text(LEDGER)
    record = Measuring(tmp_path / "a.jsonl", tool.TOOL, {"old": "1", "new": "2"})
    record.add({"about": "Before.", "words": ["snapshot", "a b"], "said": "written", "status": 0})
    ledger = tool.with_reasons(tmp_path / "known.toml", "1", "2")
    record.add({"about": "After.", "words": ["diff"], "said": "refused", "status": 2, "ledger": ledger})
    record.finish()
    text = tool.page([tmp_path / "a.jsonl"])
    assert "From `tokenizers` 1 to 2." in text
    assert "## 1. Before.\n\n```\n$ tokconf snapshot 'a b'\nwritten\n```\n\nExit status 0.\n\n## 2. After." in text
    assert text.endswith(
        'Exit status 2.\n\nThe ledger:\n\n```toml\nstage = "model"\nreason = "seen in the upgrade from 1 to 2"\n```\n'
    )
    assert (tmp_path / "known.toml").read_text() == ledger


def test_folders_of_the_machine_and_times_are_masked() -> None:
    assert tool.masked(f"{tool.BUNDLED}/bert-mini: 12.3 s, and 4 inputs\n") == "…/bert-mini: … s, and 4 inputs"
