"""Implementations in processes of their own: whatever they do over one input, a run goes on and loses nothing."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from msgspec import structs

from tokenizer_adapters.contract import Stage
from tokenizer_adapters.protocol.client import ProcessImplementation
from tokenizer_adapters.protocol.launch import Program
from tokenizer_adapters.protocol.process import Limits
from tokenizer_conformance import Input, RunPlan, read_corpus, run
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.validation.running.events import Checkpoint, Replayed, RunFinished, TokenizerFinished
from tokenizer_conformance.validation.running.record import JsonLinesReport
from tokenizer_conformance.validation.running.recorded_run import read_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conftest import CommandLine
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

FAULTY = Path(__file__).parents[3] / "adapters" / "protocol" / "programs" / "faulty.py"

SECONDS = 3.0

FAULTS: dict[str, Verdict] = {
    "crash": Verdict.CRASH,
    "abort": Verdict.CRASH,
    "panic": Verdict.CRASH,
    "leave": Verdict.CRASH,
    "memory": Verdict.CRASH,
    "survive-a-panic": Verdict.CRASH,
    "half-then-abort": Verdict.CRASH,
    "hang": Verdict.TIMEOUT,
    "garbage": Verdict.PROTOCOL,
    "not-utf-8": Verdict.PROTOCOL,
    "half-then-end": Verdict.PROTOCOL,
    "half-then-hang": Verdict.PROTOCOL,
    "wrong-number": Verdict.PROTOCOL,
    "wrong-type": Verdict.PROTOCOL,
    "close-output": Verdict.PROTOCOL,
    "flood": Verdict.PROTOCOL,
    "noise": Verdict.AGREE,
    "none": Verdict.AGREE,
}
"""What each fault of the faulty program comes to on the input that it happens over."""

BEFORE, AFTER = 70, 75
"""How many other inputs come before and after it: more than are asked about at once."""


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    lines = [f"text {number}" for number in range(BEFORE + AFTER)]
    path = tmp_path / "texts.txt"
    path.write_text("\n".join([*lines[:BEFORE], "boom", *lines[BEFORE:]]))
    return path


def command(fault: str, notes: Path) -> tuple[str, ...]:
    return (sys.executable, "-I", "-S", str(FAULTY), fault, str(notes))


def rows(record: Path) -> list[dict[str, Any]]:
    """Return a row per tokenizer and implementation, but for the time it took."""
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    return [result | {"seconds": 0} for line in lines if line["type"] == "tokenizer" for result in line["results"]]


def arguments(tmp_path: Path, tokenizers: list[Path], texts: Path, faults: Iterable[str]) -> list[str]:
    """Return a command that compares a program for each of ``faults`` with the one that has none."""
    programs = [f"{fault}=command:{shlex.join(command(fault, tmp_path / fault))}" for fault in faults]
    right = f"right=command:{shlex.join(command('none', tmp_path / 'right'))}"
    return [
        *("run", *map(str, tokenizers), "-i", *programs, "--baseline", right, "--stage", "normalize"),
        *("--no-builtin", "--inputs", str(texts), "--timeout", str(SECONDS), "--memory", "100"),
    ]


def test_every_fault_is_an_outcome_of_its_own_and_the_run_goes_on(
    tokconf: CommandLine, toy_tokenizer: Path, texts: Path, tmp_path: Path
) -> None:
    done = tokconf.run(*arguments(tmp_path, [toy_tokenizer], texts, FAULTS), "--json", "run.jsonl")
    assert done.status == 3, done.err
    found = {row["implementation"]: row["stages"]["normalize"]["inputs"] for row in rows(tmp_path / "run.jsonl")}
    others = BEFORE + AFTER
    assert found == {
        fault: {"agree": others + 1} if verdict is Verdict.AGREE else {"agree": others, verdict.value: 1}
        for fault, verdict in FAULTS.items()
    }
    started = {fault: (tmp_path / fault).read_text().splitlines() for fault in FAULTS}
    restarted = {fault for fault, processes in started.items() if len(processes) == 2}
    assert restarted == FAULTS.keys() - {"none", "noise", "survive-a-panic"}


@pytest.mark.long
def test_a_killed_run_is_resumed_and_loses_nothing(
    tokconf: CommandLine, toy_tokenizer: Path, texts: Path, tmp_path: Path
) -> None:
    again = tmp_path / "again" / "tokenizer.json"
    again.parent.mkdir()
    again.write_text(toy_tokenizer.read_text())
    faults = ("crash", "hang", "garbage", "none")
    words = arguments(tmp_path, [toy_tokenizer, again], texts, faults)
    assert tokconf.run(*words, "--json", "whole.jsonl").status == 3
    cut = tmp_path / "cut.jsonl"
    killed = tokconf.start(*words, "--json", str(cut))
    while not (cut.exists() and b'"type": "tokenizer"' in cut.read_bytes()) and killed.poll() is None:
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    before = len(rows(cut))
    resumed = tokconf.run(*words, "--json", str(cut), "--resume")
    assert resumed.status == 3, resumed.err
    assert before >= len(faults)
    assert rows(cut) == rows(tmp_path / "whole.jsonl")


@pytest.mark.long
def test_a_run_that_is_cut_anywhere_and_resumed_comes_to_the_same(toy_file: TokenizerFile, tmp_path: Path) -> None:
    texts = ["a", "b", "boom", "c", "boom", "d", "e"]
    inputs = [Input(f"text {number}", "test", text) for number, text in enumerate(texts)]

    def plan() -> RunPlan:
        programs = [
            ProcessImplementation(Program(command(fault, tmp_path / fault), fault), Limits(seconds=SECONDS), fault)
            for fault in ("none", "crash", "garbage")
        ]
        return RunPlan(
            tokenizers=(toy_file,),
            implementations=tuple(programs),
            baseline="none",
            corpus=read_corpus([("test", inputs)])[0],
            stages=(Stage.NORMALIZE,),
            checkpoint_seconds=0,
        )

    whole = list(run(plan()))
    assert sum(isinstance(event, Checkpoint) for event in whole) >= len(texts)
    path = tmp_path / "run.jsonl"
    for cut in range(2, len(whole), 5):
        with JsonLinesReport(path, 0) as report:
            for event in whole[:cut]:
                report.handle(event)
        resumed = plan()
        assert list(results(run(resumed, read_record(path, resumed.corpus).resumption))) == list(results(iter(whole)))


def results(events: Iterator[Any]) -> Iterator[Any]:
    """Yield what a run came to, but for the time it took."""
    for event in events:
        found = event.event if isinstance(event, Replayed) else event
        if isinstance(found, TokenizerFinished):
            rows_ = tuple(structs.replace(row, seconds=0) for row in found.results)
            yield replace(found, seconds=0, baseline_seconds=0, results=rows_)
        elif isinstance(found, RunFinished):
            yield replace(found, seconds=0)


# Who runs where ------------------------------------------------------------------------------------------------------


@pytest.mark.long_but(1)
@pytest.mark.parametrize("where", ["--in-process", "--isolate"])
def test_an_unruly_implementation_is_survived_in_either_process(
    tokconf: CommandLine, toy_tokenizer: Path, where: str
) -> None:
    words = ("run", str(toy_tokenizer), "-i", "toy", "unruly", where, "unruly", "-k", "bom/")
    assert tokconf.run(*words, "--json", "run.jsonl", TOKCONF_IN_PROCESS="toy").status == 3
    (row,) = rows(tokconf.folder / "run.jsonl")
    (inputs,) = row["stages"]["normalize"]["inputs"].values()
    assert 1 < inputs < 20
    assert row["stages"]["normalize"]["inputs"] == {"crash": inputs}
    assert row["stages"]["model"]["inputs"] == {"agree": inputs}


@pytest.mark.long
def test_a_plugin_in_a_process_of_its_own_comes_to_the_same(
    tokconf: CommandLine, toy_tokenizer: Path, tmp_path: Path
) -> None:
    faults = [fakes.ShiftedOffset.name, fakes.Utf8.name, fakes.Raising.name, fakes.Mute.name]
    found = []
    for where in ("--in-process", "--isolate"):
        words = ("run", str(toy_tokenizer), "-i", "toy", *faults, where, *faults, "-k", "bom/")
        assert tokconf.run(*words, "--json", f"{where}.jsonl").status == 3  # Mute answers nothing
        found.append(rows(tmp_path / f"{where}.jsonl"))
    assert found[0] == found[1]


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("-i", "toy", "command:"), "'command:' gives no command"),
        (("-i", "toy", "x=command:no-such-program"), "cannot start 'no-such-program': no such program in PATH"),
        (("-i", "toy", "utf8", "--isolate", "tikken"), "no implementation is called 'tikken'"),
        (("-i", "toy", "utf8", "--isolate", "toy", "--in-process", "toy"), "'toy' is asked to run in this process and"),
        (("-i", "toy", "utf8", "--timeout", "0"), "0"),
        (("-i", "toy", "x=command:sleep 600", "--timeout", "1"), "it gave no answer within 1 s; if it needs longer"),
    ],
)
def test_what_cannot_be_run_is_said_in_one_line(
    tokconf: CommandLine, toy_tokenizer: Path, options: tuple[str, ...], words: str
) -> None:
    done = tokconf.run("run", str(toy_tokenizer), *options, "-k", "contractions")
    assert done.status in {2, 3}
    assert words in done.err
    assert "Traceback" not in done.err


def test_two_of_one_name_are_refused(tokconf: CommandLine, toy_tokenizer: Path, tmp_path: Path) -> None:
    program = f"command:{shlex.join(command('none', tmp_path / 'notes'))}"
    done = tokconf.run("run", str(toy_tokenizer), "-i", "toy", program, f"toy={program}")
    assert done.status == 2
    assert "two implementations are called 'toy'; give a program another name: 'other=command:…'" in done.err


@pytest.mark.long
def test_an_interrupt_ends_a_run_that_waits_for_a_process(
    tokconf: CommandLine, toy_tokenizer: Path, tmp_path: Path
) -> None:
    texts = tmp_path / "boom.txt"
    texts.write_text("boom")
    programs = [f"{name}=command:{shlex.join(command('hang', tmp_path / name))}" for name in ("first", "second")]
    words = ("run", str(toy_tokenizer), "-i", *programs, "--no-builtin", "--inputs", str(texts), "--stage", "normalize")
    running = tokconf.start(*words, "--json", "run.jsonl")
    notes = [tmp_path / name for name in ("first", "second")]
    record = tmp_path / "run.jsonl"
    while not (all(map(Path.exists, notes)) and record.exists() and b"header" in record.read_bytes()):
        time.sleep(0.01)
    time.sleep(0.3)
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=20)  # far less than the minute that an answer may take
    assert running.returncode == 130
    assert json.loads(record.read_text().splitlines()[-1])["reason"] == "interrupted"
    for note in notes:
        for process in map(int, note.read_text().split()):
            with pytest.raises(ProcessLookupError):
                os.kill(process, 0)
