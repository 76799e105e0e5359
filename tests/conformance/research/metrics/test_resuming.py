"""A run that was killed goes on from its checkpoint, and comes to what an undisturbed one does."""

from __future__ import annotations

import gzip
import json
import signal
import time
from typing import TYPE_CHECKING, Any

import pytest
from metrics_records import Recorded
from small_tokenizers import characters_tokenizer, words_tokenizer

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine, CommandLines

LINES = 250
"""So many texts are three chunks, as these are made small."""

SMALL_CHUNKS = """
from tokenizer_conformance.research.metrics import chunks
chunks.TEXTS = 100
"""

COMMAND = ("metrics", "words.json", "characters.json", "--inputs", "long.txt", "--by", "file", "--measure")
MEASURES = "fertility,shannon_entropy,boundary_f1,lossless"
SLOWLY = f"""{SMALL_CHUNKS}
import time
from tokenizer_conformance.research.metrics import measuring
measure = measuring.Measurer.measure
def slowly(self, chunk):
    time.sleep(0.5)
    return measure(self, chunk)
measuring.Measurer.measure = slowly
"""
"""Planted, so that a run can be killed between two of its chunks."""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return corpus_in(tmp_path)


def corpus_in(folder: Path) -> Path:
    """Write the tokenizers and ``long.txt`` into ``folder``, and return it."""
    words_tokenizer(folder)
    characters_tokenizer(folder)
    (folder / "long.txt").write_text("".join(f"ab {'ba ' * (n % 5)}{'abc' * (n % 3)}\n" for n in range(LINES)))
    return folder


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, command_lines: CommandLines) -> list[dict[str, Any]]:
    """The lines of the record of a run that nothing ended early, without what is of that run alone."""
    folder = corpus_in(tmp_path_factory.mktemp("undisturbed"))
    assert command_lines(folder).run(*COMMAND, MEASURES, "--json", "r.jsonl", bug=SMALL_CHUNKS).status == 0
    return Recorded.at(folder / "r.jsonl").lasting()


def killed(tokconf: CommandLine, corpus: Path, by: signal.Signals) -> None:
    """Start the command, and kill it when its checkpoint has been written."""
    running = tokconf.start(
        *COMMAND, MEASURES, "--json", "r.jsonl", "--checkpoint-every", "0", bug=SLOWLY, TOKCONF_PROGRESS="off"
    )
    checkpoint = corpus / "r.jsonl.checkpoint"
    until = time.monotonic() + 60
    while not checkpoint.exists() and running.poll() is None:
        assert time.monotonic() < until
        time.sleep(0.02)
    running.send_signal(by)
    running.communicate(timeout=60)


def chunks_in(checkpoint: Path) -> int:
    with gzip.open(checkpoint) as file:
        chunks: int = json.loads(file.readline())["chunks"]
    return chunks


@pytest.mark.long_but(1)
@pytest.mark.parametrize("by", [signal.SIGTERM, pytest.param(signal.SIGKILL, marks=pytest.mark.long)])
def test_a_killed_run_is_resumed(
    tokconf: CommandLine, corpus: Path, by: signal.Signals, undisturbed: list[dict[str, Any]]
) -> None:
    killed(tokconf, corpus, by)
    assert 1 <= chunks_in(corpus / "r.jsonl.checkpoint") < 3
    if by == signal.SIGTERM:
        partial = Recorded.at(corpus / "r.jsonl")
        assert (partial.footer["finished"], partial.footer["exit_status"]) == (False, 130)
        assert 0 < partial.footer["texts"] < LINES
        assert partial.value("fertility", "words") is not None
    else:
        assert len((corpus / "r.jsonl").read_text().splitlines()) == 1  # the header
    done = tokconf.run(*COMMAND, MEASURES, "--json", "r.jsonl", "--resume", "--jobs", "2", bug=SMALL_CHUNKS)
    assert done.status == 0, done.err
    assert "texts were counted before" in done.err
    assert not (corpus / "r.jsonl.checkpoint").exists()
    resumed = Recorded.at(corpus / "r.jsonl")
    assert resumed.lasting() == undisturbed
    assert resumed.footer["texts"] == LINES


@pytest.mark.long
def test_a_checkpoint_of_another_run_or_a_damaged_one_is_refused(tokconf: CommandLine, corpus: Path) -> None:
    killed(tokconf, corpus, signal.SIGTERM)
    checkpoint = corpus / "r.jsonl.checkpoint"
    resume = ("--json", "r.jsonl", "--resume")
    done = tokconf.run(*COMMAND, MEASURES, *resume, "--words", "unicode")
    assert done.status == 2
    assert "is the checkpoint of another run: other --words" in " ".join(done.err.split())
    content = checkpoint.read_bytes()
    checkpoint.write_bytes(content[: len(content) // 2])
    done = tokconf.run(*COMMAND, MEASURES, *resume)
    assert done.status == 2
    assert "is no checkpoint that can be gone on from" in " ".join(done.err.split())
    checkpoint.write_text("my notes")
    done = tokconf.run(*COMMAND, MEASURES, "--json", "r.jsonl")
    assert done.status == 2
    assert "is some other file" in " ".join(done.err.split())
    assert checkpoint.read_text() == "my notes"


@pytest.mark.long
def test_a_finished_run_is_not_resumed(tokconf: CommandLine, folder: Path) -> None:
    command = ("metrics", "words.json", "--inputs", "texts.txt", "--json", "r.jsonl", "--resume")
    done = tokconf.run(*command)
    assert done.status == 0
    assert "there is no checkpoint" in done.err
    before = (folder / "r.jsonl").read_bytes()
    done = tokconf.run(*command)
    assert done.status == 2
    assert "is finished" in done.err
    assert (folder / "r.jsonl").read_bytes() == before
