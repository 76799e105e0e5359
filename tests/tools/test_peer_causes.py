"""The page of causes is made of finished records, and says what is not explained."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from click.testing import Result

TOOL = Path(__file__).resolve().parents[2] / "tools" / "peer_causes.py"

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_the_causes_of_a_record_stand_on_the_page(here: Path, run: Run, tokconf: Callable[..., Result]) -> None:
    options = ("--no-known", "--inputs", "words.txt", "--no-builtin", "--json", "r.jsonl")
    (here / "words.txt").write_text("plain\ncaf\u00e9 caf e\u0301\n")
    found = tokconf("run", "gpt2-mini", "-i", "tokenizers", "planted_faults:KeepsAccent", *options)
    assert found.exit_code == 1, found.stderr
    made = run(str(TOOL), "r.jsonl")
    assert made.returncode == 0, made.stderr
    assert made.stdout.startswith("1 implementations; 1 cause of ")
    page = (here / "reports" / "peer-causes.md").read_text()
    assert "on the built-in inputs\nand gpt2-mini: those" in page
    assert "## keeps-accent" in page
    assert "normalize: text" in page


def test_a_record_that_was_cut_is_refused(here: Path, run: Run) -> None:
    (here / "r.jsonl").write_text('{"type": "header", "baseline": "a", "implementations": []}\n')
    made = run(str(TOOL), "r.jsonl")
    assert made.returncode == 2
    assert "not the record of a finished run" in made.stderr
