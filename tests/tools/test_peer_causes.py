"""The page of causes is made of finished records, and keeps what was published of other peers."""

from __future__ import annotations

import json
import lzma
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import peer_causes
import pytest

if TYPE_CHECKING:
    from click.testing import Result

TOOL = Path(__file__).resolve().parents[2] / "tools" / "peer_causes.py"

Run = Callable[..., subprocess.CompletedProcess[str]]


def publish(here: Path, text: str) -> None:
    folder = here / "reports" / "records"
    folder.mkdir()
    (folder / "peer-causes.jsonl.xz").write_bytes(lzma.compress(text.encode()))


def line(peer: str, started: str = "2026-01-02T03:04:05+00:00") -> dict[str, Any]:
    told = {"type": "peer", "peer": peer, "started": started, "checkpoints": ["a", "b"], "loaded": ["b"]}
    return {**told, "uncounted": 0, "causes": []}


def test_the_causes_of_a_record_stand_on_the_page(here: Path, run: Run, tokconf: Callable[..., Result]) -> None:
    options = ("--no-known", "--inputs", "words.txt", "--no-builtin", "--json", "r.jsonl")
    (here / "words.txt").write_text("plain\ncaf\u00e9 caf e\u0301\u2028\n")
    found = tokconf("run", "gpt2-mini", "-i", "tokenizers", "planted_faults:KeepsAccent", *options)
    assert found.exit_code == 1, found.stderr
    made = run(str(TOOL), "r.jsonl", "--output", "first.jsonl")
    assert made.returncode == 0, made.stderr
    assert made.stdout.startswith("1 implementations; 1 cause of ")
    page = peer_causes.page([here / "first.jsonl"])
    assert "on the built-in inputs\nand gpt2-mini: those" in page
    assert re.search("## keeps-accent\n\nAsked 20[0-9-]{8} about 1 of 1 checkpoints: 1 cause of ", page)
    assert "normalize: text" in page
    assert "tokconf run" not in (here / "first.jsonl").read_text()  # commands name files of the machine
    old = {**json.loads((here / "first.jsonl").read_text().splitlines()[1]), "causes": [], "uncounted": 7}
    publish(here, "\n".join(map(json.dumps, ({"type": "header"}, line("another"), line("zz"), old))))
    made = run(str(TOOL), "r.jsonl", "--output", "second.jsonl")
    assert made.stdout.startswith("3 implementations; 1 cause of ")
    header, *peers = map(json.loads, (here / "second.jsonl").read_text().splitlines())
    assert [each["peer"] for each in peers] == ["another", "keeps-accent", "zz"]
    assert peers[0] == line("another")
    assert (peers[1]["uncounted"], len(peers[1]["causes"])) == (0, 1)
    assert header["environment"]["started"] == peers[1]["started"]
    page = peer_causes.page([here / "second.jsonl"])
    assert "and a, b, gpt2-mini: those" in page
    assert "## another\n\nAsked 2026-01-02 about 1 of 2 checkpoints: no difference\n\n## keeps-accent\n" in page


@pytest.mark.parametrize(
    ("loaded", "uncounted", "title"),
    [
        (["b"], 0, "about 1 of 2 checkpoints: no difference"),
        (["a", "b"], 12, "about 2 of 2 checkpoints: 0 causes of 12 differences"),
        ([], 0, "about 0 of 2 checkpoints: it loads none of them"),
    ],
)
def test_what_was_not_looked_into_is_not_said_to_agree(loaded: list[str], uncounted: int, title: str) -> None:
    found = peer_causes.explained({**line("one"), "loaded": loaded, "uncounted": uncounted})
    assert found.title.startswith(f"Asked 2026-01-02 {title}")


INFO = [{"name": "tokenizers"}, {"name": "one"}, {"name": "two"}]


FINISHED = {"type": "footer", "finished": True}


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (['{"type": "header"}'], "r.jsonl is not the record of a finished run"),
        ([], "r.jsonl is not the record of a finished run"),
        (['{"type": "header"}', '{"type": "footer", "finished": false}'], "is not the record of a finished run"),
        (
            [json.dumps({"type": "header", "baseline": "tokenizers", "implementations": INFO}), json.dumps(FINISHED)],
            "r.jsonl compares 2 implementations: one is wanted",
        ),
        (['{"type": "header"}', '{"type": "foo'], "r.jsonl is no record"),
        (None, "r.jsonl cannot be read"),
    ],
    ids=["cut", "empty", "ended", "several", "broken", "missing"],
)
def test_a_record_that_says_too_little_or_too_much_is_refused(
    here: Path, run: Run, lines: list[str] | None, reason: str
) -> None:
    if lines is not None:
        (here / "r.jsonl").write_text("\n".join(lines))
    made = run(str(TOOL), "r.jsonl", "--output", "made.jsonl")
    assert made.returncode == 2
    assert reason in made.stderr
    assert "Traceback" not in made.stderr
    assert not (here / "made.jsonl").exists()
