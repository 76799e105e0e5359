"""A finding shows what its headline says: a cause shows it in its place only where it is the same difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokenizer_conformance.report.reading import read_page

if TYPE_CHECKING:
    from conftest import CommandLine

LOWERED = """
from tokenizers import Tokenizer

class Mine:
    def __init__(self, path):
        self._tokenizer = Tokenizer.from_file(path)

    def encode(self, text):
        return self._tokenizer.encode(text.lower())
"""

TEXTS = "[MASK]'s\nİa\nΑΣ\nplain\n"


@pytest.mark.long
def test_every_finding_shows_what_its_headline_says(tokconf: CommandLine) -> None:
    (tokconf.folder / "mine.py").write_text(LOWERED, "utf-8")
    (tokconf.folder / "texts.txt").write_text(TEXTS, "utf-8")
    given = ("-i", "tokenizers", "mine:Mine", "--no-builtin", "--inputs", "texts.txt")
    done = tokconf.run("run", "bert-mini", *given, "--json", "run.jsonl")
    assert done.status == 1, done.err
    page = read_page(tokconf.folder / "run.jsonl")
    assert "bert-mini: 3 inputs differ, 50 % of inputs get other ids with special tokens." in page.said[0]
    kinds = {}
    for finding in page.findings:
        lengths = {len(answer.tokens or ()) for answer in finding.answers}
        kinds[finding.headline.rpartition(": ")[2].partition(" of ")[0]] = len(lengths)
    assert kinds == {"other length": 2, "other values": 1}
