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

from tokenizer_conformance.research.metrics.checkpoint import ReadBack

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine, CommandLines, Tokconf

LINES = 250
"""So many texts are three tasks, as these are made small."""

SMALL_TASKS = """
from tokenizer_conformance.research.metrics import tasks
tasks.PARTITION_BYTES = 1_300
"""

COMMAND = ("metrics", "words.json", "characters.json", "--inputs", "long.txt", "--by", "file", "--measure")
MEASURES = "fertility,shannon_entropy,boundary_f1,lossless"
SLOWLY = f"""{SMALL_TASKS}
import time
from tokenizer_conformance.research.metrics import measuring
measure = measuring.Measurer.measure
def slowly(self, texts):
    time.sleep(0.5)
    return measure(self, texts)
measuring.Measurer.measure = slowly
"""
"""Planted, so that a run can be killed between two of its tasks."""


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
    assert command_lines(folder).run(*COMMAND, MEASURES, "--json", "r.jsonl", bug=SMALL_TASKS).status == 0
    return Recorded.at(folder / "r.jsonl").lasting()


def killed(
    tokconf: CommandLine, corpus: Path, by: signal.Signals, command: tuple[str, ...] = (*COMMAND, MEASURES)
) -> None:
    """Start the command, and kill it when its checkpoint has been written."""
    running = tokconf.start(
        *command, "--json", "r.jsonl", "--checkpoint-every", "0", bug=SLOWLY, TOKCONF_PROGRESS="off"
    )
    checkpoint = corpus / "r.jsonl.checkpoint"
    until = time.monotonic() + 60
    while not checkpoint.exists() and running.poll() is None:
        assert time.monotonic() < until
        time.sleep(0.02)
    running.send_signal(by)
    running.communicate(timeout=60)


def done_in(checkpoint: Path) -> int:
    with gzip.open(checkpoint) as file:
        file.readline()
        done: int = json.loads(file.readline())["done"]
    return done


@pytest.mark.long
@pytest.mark.parametrize("by", [signal.SIGTERM, pytest.param(signal.SIGKILL, marks=pytest.mark.long)])
def test_a_killed_run_is_resumed(
    tokconf: CommandLine, corpus: Path, by: signal.Signals, undisturbed: list[dict[str, Any]]
) -> None:
    killed(tokconf, corpus, by)
    assert 1 <= done_in(corpus / "r.jsonl.checkpoint") < 3
    if by == signal.SIGTERM:
        partial = Recorded.at(corpus / "r.jsonl")
        assert (partial.footer["finished"], partial.footer["exit_status"]) == (False, 130)
        assert 0 < partial.footer["texts"] < LINES
        assert partial.value("fertility", "words") is not None
    else:
        assert len((corpus / "r.jsonl").read_text().splitlines()) == 1  # the header
    done = tokconf.run(*COMMAND, MEASURES, "--json", "r.jsonl", "--resume", "--jobs", "2", bug=SMALL_TASKS)
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
    done = tokconf.run(*COMMAND, MEASURES, *resume, "--words", "unicode", bug=SMALL_TASKS)
    assert done.status == 2
    assert "is the checkpoint of another run: other --words" in " ".join(done.err.split())
    content = checkpoint.read_bytes()
    checkpoint.write_bytes(content[: len(content) // 2])
    done = tokconf.run(*COMMAND, MEASURES, *resume, bug=SMALL_TASKS)
    assert done.status == 2
    assert "is no checkpoint that can be gone on from" in " ".join(done.err.split())
    checkpoint.write_text("my notes")
    done = tokconf.run(*COMMAND, MEASURES, "--json", "r.jsonl")
    assert done.status == 2
    assert "is some other file" in " ".join(done.err.split())
    assert checkpoint.read_text() == "my notes"


def test_a_finished_run_is_not_resumed(cli: Tokconf, folder: Path) -> None:
    command = ("metrics", "words.json", "--inputs", "texts.txt", "--json", "r.jsonl", "--resume")
    done = cli(*command)
    assert done.exit_code == 0
    assert "there is no checkpoint" in done.stderr
    before = (folder / "r.jsonl").read_bytes()
    done = cli(*command)
    assert done.exit_code == 0
    assert "is finished" in done.stderr
    assert (folder / "r.jsonl").read_bytes() == before
    done = cli(*command, "--by", "script")
    assert done.exit_code == 2
    assert "is the record of another run (by: none there, script here)" in " ".join(done.stderr.split())
    assert (folder / "r.jsonl").read_bytes() == before


@pytest.mark.long
def test_a_process_that_is_killed_costs_nothing(tokconf: CommandLine, corpus: Path) -> None:
    records = []
    for name in ("killed", "undisturbed"):
        done = tokconf.run(
            *("metrics", "words.json", "-i", "small_tokenizers:KilledOnce", "--inputs", "long.txt", "--by", "file"),
            *("--jobs", "2", "--json", f"{name}.jsonl"),
            bug=SMALL_TASKS,
        )
        assert done.status == 0, done.err
        assert (corpus / "killed").exists()
        records.append(Recorded.at(corpus / f"{name}.jsonl").lasting())
    assert records[0] == records[1]
    assert records[0][-1]["texts"] == LINES


@pytest.mark.long
def test_a_source_that_was_bad_before_a_run_was_killed_is_told_again(tokconf: CommandLine, corpus: Path) -> None:
    (corpus / "bad.jsonl").write_text('{"text": "ab"}\n' * 5 + "{\n")
    command = ("metrics", "words.json", "-i", "small_tokenizers:RaisingOnC", "--column", "text", "--inputs")
    command += ("bad.jsonl", "long.txt")
    killed(tokconf, corpus, signal.SIGKILL, command)
    assert done_in(corpus / "r.jsonl.checkpoint") == 1
    records = []
    for name, resume in (("r", ["--resume"]), ("undisturbed", [])):
        done = tokconf.run(*command, "--json", f"{name}.jsonl", *resume, bug=SMALL_TASKS)
        assert done.status == 2, done.err
        assert "line 6 is not JSON" in " ".join(done.err.split())
        records.append(Recorded.at(corpus / f"{name}.jsonl").lasting())
    assert records[0] == records[1]
    assert records[0][-1]["texts"] == LINES


FULL_DISK = f"""{SMALL_TASKS}
import errno, os
from tokenizer_conformance.research.metrics import checkpoint
written = []
def full(path, content):
    if written:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    path.write_bytes(content)
    written.append(path)
checkpoint.write_atomically = full
"""
"""Planted: the disk is full once there is a checkpoint."""


@pytest.mark.long
def test_a_full_disk_costs_the_checkpoint_and_nothing_that_was_counted(
    tokconf: CommandLine, corpus: Path, undisturbed: list[dict[str, Any]]
) -> None:
    command = (*COMMAND, MEASURES, "--json", "r.jsonl", "--checkpoint-every", "0")
    done = tokconf.run(*command, bug=FULL_DISK)
    assert done.status == 0, done.err
    assert done.err.count("cannot write the checkpoint") == 1
    assert "r.jsonl.checkpoint': No space left on device" in " ".join(done.err.split())
    assert Recorded.at(corpus / "r.jsonl").lasting() == undisturbed
    assert not (corpus / "r.jsonl.checkpoint").exists()


def test_a_line_of_another_type_is_no_part_of_a_checkpoint() -> None:
    with pytest.raises(ValueError, match=r"^a line of type 'other'$"):
        ReadBack([]).take({"type": "other"})
