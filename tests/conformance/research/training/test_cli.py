"""``tokconf train``: what it accepts, what it says, what it writes, and how it ends."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result
from line_schema import valid_lines

from tokenizer_adapters.protocol.process import Limits
from tokenizer_conformance.cli import main
from tokenizer_conformance.cli.choosing_trainers import choose_trainers
from tokenizer_conformance.results.records.training import FORMAT

if TYPE_CHECKING:
    from collections.abc import Callable

    Tokconf = Callable[..., Result]

FAKES = Path(__file__).parents[2] / "fakes"


@pytest.fixture
def cli(trainers_plugin: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Tokconf:
    """Runs ``tokconf train`` in this process, in an empty folder."""
    monkeypatch.syspath_prepend(str(trainers_plugin))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["tokconf", "train", "--corpus", "corpus.txt"])
    return lambda *arguments: CliRunner().invoke(main, ["train", *map(str, arguments)])


BPE = ("--algorithm", "bpe", "--vocab-size", "14")


# Good runs -----------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_tie_conforms(cli: Tokconf, corpus: Path) -> None:
    result = cli("--corpus", corpus.name, *BPE, "-i", "honest", "other-equals", "--repeat", 2)
    assert result.exit_code == 0, result.output
    assert "baseline  honest 1.0 (Python)" in result.stdout
    assert ", all of it ties (" in result.stdout
    told = "beside honest, other-equals learns the same but for ties; 4 trainings, 1 comparison, 0 differences, 1 tie"
    assert told in " ".join(result.stdout.split())
    assert re.search(r"^honest .*✓ 2 the same", result.stdout, re.MULTILINE)


@pytest.mark.long
def test_a_difference_is_reported_everywhere(cli: Tokconf, corpus: Path) -> None:
    result = cli(
        *("--corpus", corpus.name, *BPE, "-i", "last-dropped", "--baseline", "honest"),
        *("--json", "made/record.jsonl", "--markdown", "made/report.md", "--special-tokens", "<s>", "</s>"),
    )
    assert result.exit_code == 1, result.output
    assert "bpe: 1 of 14 tokens are others than those of honest (last-dropped)" in result.stdout
    lines = valid_lines(Path("made/record.jsonl"), FORMAT)
    assert (lines[0]["type"], lines[-1]["type"]) == ("header", "footer")
    assert (lines[-1]["finished"], lines[-1]["exit_status"]) == (True, 1)
    page = Path("made/report.md").read_text(encoding="utf-8")
    assert "- command: `tokconf train --corpus corpus.txt`" in page
    assert "- corpus: corpus.txt (" in page
    assert str(Path.cwd()) not in page
    assert 'special\\_tokens "\\<s\\>" "\\</s\\>"' in page


@pytest.mark.long
def test_each_algorithm_gets_the_options_that_it_has(cli: Tokconf, corpus: Path) -> None:
    result = cli(
        *("--corpus", corpus.name, "--algorithm", "wordpiece,unigram", "--vocab-size", 25, "-i", "honest", "only-bpe"),
        *("--min-frequency", 1),
    )
    assert 'wordpiece vocabulary 25, min_frequency 1, continuing_subword_prefix "##"' in result.stdout
    assert "unigram   vocabulary 25\n" in result.stdout
    assert "unigram   vocabulary 25, min_frequency" not in result.stdout
    assert "unigram: unsupported: only-bpe has no trainer for unigram" in result.stdout
    assert "nothing was compared; 4 trainings" in result.stdout
    assert result.exit_code == 3


def test_a_trainer_that_was_compared_on_nothing_does_not_conform(cli: Tokconf, corpus: Path) -> None:
    wordlevel = ("--corpus", corpus.name, "--algorithm", "wordlevel", "--vocab-size", 9, "-i", "honest", "other-equals")
    assert cli(*wordlevel).exit_code == 0
    result = cli(*wordlevel, "only-bpe")
    assert result.exit_code == 3, result.output
    assert "wordlevel: unsupported: only-bpe has no trainer for wordlevel" in result.stdout
    assert "too little was answered; 3 trainings, 1 comparison" in result.stdout


@pytest.mark.long
def test_the_real_trainers_agree_on_bpe(cli: Tokconf, corpus: Path) -> None:
    result = cli("--corpus", corpus.name, *BPE, "-i", "tokenizers", "reference")
    assert result.exit_code == 0, result.output
    assert "reference: the same words of the corpus" in result.stdout
    told = "beside tokenizers, reference learns the same; 2 trainings, 1 comparison, 0 differences, 0 ties"
    assert told in " ".join(result.stdout.split())


# Programs ------------------------------------------------------------------------------------------------------------

EXAMPLE = Path(__file__).parents[4] / "examples" / "protocol" / "train_words.py"
WORDLEVEL = ("--algorithm", "wordlevel", "--vocab-size", "9")


def program(*words: object) -> str:
    return f"command:{shlex.join(map(str, (sys.executable, '-I', '-S', *words)))}"


@pytest.mark.long
def test_a_program_is_compared_under_its_own_name_or_another(cli: Tokconf, corpus: Path) -> None:
    result = cli("--corpus", corpus.name, *WORDLEVEL, "-i", "tokenizers", program(EXAMPLE), f"mine={program(EXAMPLE)}")
    assert result.exit_code == 0, result.output
    assert "train-words 1.0 (Python)" in result.stdout
    assert "mine 1.0 (Python)" in result.stdout
    told = "beside tokenizers, train-words and mine learn the same; 3 trainings, 2 comparisons, 0 differences, 0 ties"
    assert told in " ".join(result.stdout.split())


@pytest.mark.long
def test_a_program_can_be_the_baseline_and_tells_no_time(cli: Tokconf, corpus: Path) -> None:
    result = cli(
        *("--corpus", corpus.name, *WORDLEVEL, "-i", f"mine={program(EXAMPLE)}", "honest", "--baseline", "mine"),
        *("--json", "record.jsonl", "--markdown", "report.md"),
    )
    assert result.exit_code == 0, result.output
    assert "baseline  mine 1.0 (Python)" in result.stdout
    learned = [line["learned"] for line in valid_lines(Path("record.jsonl"), FORMAT) if line["type"] == "run"]
    assert [isinstance(each, dict) and each["seconds"] for each in learned] == [None, 0.5]


@pytest.mark.long
def test_what_breaks_the_protocol_is_the_outcome_of_its_trainings(cli: Tokconf, corpus: Path, tmp_path: Path) -> None:
    garbage = tmp_path / "garbage.py"
    garbage.write_text(EXAMPLE.read_text("utf-8").replace('return {"tokens": ', 'return {"token": '), "utf-8")
    result = cli(
        *("--corpus", corpus.name, *WORDLEVEL, "-i", "honest", program(garbage), "--json", "record.jsonl"),
        *("--timeout", 20, "--memory", 1000),
    )
    assert result.exit_code == 3, result.output
    assert 'protocol: answer to train: value: the field "tokens" is missing' in result.stdout
    (lost,) = (
        line["no_answer"]
        for line in valid_lines(Path("record.jsonl"), FORMAT)
        if line["type"] == "run" and line["no_answer"]
    )
    assert isinstance(lost, dict)
    assert lost["verdict"] == "protocol"


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    ("word", "status", "message"),
    [
        ("command:", 2, "gives no command"),
        ("command:./no-such-program", 3, "cannot start './no-such-program': no such file"),
        (
            program("-c", "import time; time.sleep(60)"),
            3,
            "does not start: it gave no answer within 4 s; if it needs",
        ),
        (program(EXAMPLE.with_name("words.py")), 3, "is no trainer: its answer to start announces no algorithms"),
    ],
)
def test_a_program_that_is_no_trainer_is_said(cli: Tokconf, corpus: Path, word: str, status: int, message: str) -> None:
    result = cli("--corpus", corpus.name, *WORDLEVEL, "-i", "textbook", word, "--timeout", 4)
    assert result.exit_code == status
    assert message in result.stderr


def test_two_of_one_name_are_refused(cli: Tokconf, corpus: Path) -> None:
    result = cli("--corpus", corpus.name, *WORDLEVEL, "-i", program(EXAMPLE), f"train-words={program(EXAMPLE)}")
    assert result.exit_code == 2
    assert "two trainers are called 'train-words'; give a program another name" in result.stderr


# What cannot be used -------------------------------------------------------------------------------------------------


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        (b"", BPE, "the corpus has no words to learn from ('corpus.txt')"),
        (b"ab \xff\n", BPE, "corpus file 'corpus.txt' is not UTF-8: byte 0xFF at offset 3 (line 1)"),
        (None, BPE, "corpus file 'corpus.txt' cannot be read: No such file"),
        (b"hug pug", ("--algorithm", "bpe", "--vocab-size", 3), "a vocabulary of 3 is smaller than the alphabet"),
        (b"hug pug", (*BPE, "--special-tokens", "<s>", "<s>"), "special token '<s>' is given twice"),
    ],
)
def test_bad_input_is_one_clear_line_and_leaves_no_file(
    cli: Tokconf, tmp_path: Path, content: bytes | None, arguments: tuple[object, ...], message: str
) -> None:
    if content is not None:
        (tmp_path / "corpus.txt").write_bytes(content)
    before = sorted(tmp_path.iterdir())
    result = cli(
        "--corpus", "corpus.txt", *arguments, "-i", "honest", "only-bpe", "--json", "o.jsonl", "--markdown", "o.md"
    )
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("tokconf: ")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.long_but(5)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*BPE, "-i", "honset", "honest"), "no trainer is called 'honset'"),
        ((*BPE, "-i", "honest"), "nothing to compare honest with"),
        ((*BPE, "-i", "honest", "only-bpe", "--n-sub-iterations", 3), "is an option for unigram, not for bpe"),
        (("--algorithm", "bpx", "--vocab-size", 9), "'bpx' is not a valid Algorithm"),
        ((*BPE, "-i", "honest", "only-bpe", "--json", "x", "--markdown", "x"), "both name 'x'"),
        ((*BPE, "-i", "honest", "only-bpe", "--json", "corpus.txt/x"), "cannot write"),
    ],
)
def test_usage_errors(cli: Tokconf, corpus: Path, arguments: tuple[object, ...], message: str) -> None:
    result = cli("--corpus", corpus.name, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.long
def test_what_is_not_installed_fails_the_rest_and_as_baseline_everything(cli: Tokconf, corpus: Path) -> None:
    result = cli("--corpus", corpus.name, *BPE, "-i", "honest", "only-bpe", "missing")
    assert result.exit_code == 3
    assert "pip install missing" in result.stderr
    assert "2 trainings, 1 comparison" in result.stdout
    result = cli("--corpus", corpus.name, *BPE, "-i", "honest", "--baseline", "missing")
    assert result.exit_code == 3
    assert "the baseline cannot be used: missing is not installed" in result.stderr


@pytest.mark.long
def test_all_are_those_that_are_installed(trainers_plugin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(trainers_plugin))
    chosen = choose_trainers(("all",), None, Limits())
    names = [trainer.info.name for trainer in chosen.trainers]
    assert names[0] == "tokenizers"
    assert {"reference", "textbook", "honest", "only-bpe"} <= set(names)
    assert "missing" not in names
    assert chosen.unavailable == ()
    assert [refusal.name for refusal in choose_trainers(("all", "missing"), "honest", Limits()).unavailable] == [
        "missing"
    ]


@pytest.mark.long
def test_a_counter_that_fails_is_said(cli: Tokconf, corpus: Path) -> None:
    result = cli("--corpus", corpus.name, *BPE, "-i", "uncounting", "only-bpe")
    assert result.exit_code == 3
    assert "uncounting cannot count the words of the corpus: ValueError: cannot count" in result.stderr


# Ctrl-C --------------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_ctrl_c_reports_what_was_done_and_leaves_no_half_written_file(
    trainers_plugin: Path, corpus: Path, tmp_path: Path
) -> None:
    record = tmp_path / "record.jsonl"
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "tokenizer_conformance"),
            *("train", "--corpus", corpus.name, *BPE, "-i", "honest", "hanging"),
            *("--json", record.name, "--markdown", "report.md"),
        ],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(trainers_plugin), str(FAKES)])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    deadline = time.monotonic() + 100
    while not (record.exists() and '"type": "trainer"' in record.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=100)
    assert process.returncode == 130
    assert "Training of bpe did not finish." in out
    assert "interrupted; 1 training, 0 comparisons" in out
    lines = valid_lines(record, FORMAT)
    assert (lines[-1]["type"], lines[-1]["finished"], lines[-1]["exit_status"]) == ("footer", False, 130)
    assert "did not finish" in (tmp_path / "report.md").read_text(encoding="utf-8")
    assert {path.name for path in tmp_path.iterdir()} == {corpus.name, record.name, "report.md"}
