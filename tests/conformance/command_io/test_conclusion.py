"""Exit statuses: each one of the table, provoked through the real command; and no other one, whatever goes wrong."""

from __future__ import annotations

import json
import re
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from line_schema import validator_of

from tokenizer_conformance.command_io.conclusion import EXIT_STATUS, EXIT_STATUSES, Conclusion
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.results.records.run import FORMAT
from tokenizer_conformance.results.records.schema import schema_of

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine

ONE_TEXT = ("-k", "contractions/curly")
REPORTS = ("--json", "record.jsonl", "--markdown", "report.md")


@dataclass(frozen=True)
class Provoked:
    """A way to a conclusion: options of ``tokconf run TOY``, the bug to plant, and what is said on standard error."""

    conclusion: Conclusion
    options: tuple[str, ...]
    bug: str = ""
    said: str = ""


STALE = """
format = 1
[[known]]
implementation = "utf8"
baseline = "toy"
tokenizer = "toy-tokenizer"
input = "contractions/curly"
reason = "it was so"
"""


def planted(module: str, name: str, error: str) -> str:
    """Return the Python that has the function or method ``name`` of ``module`` raise ``error``."""
    return "\n".join(
        (
            "from importlib import import_module",
            f"module = import_module({module!r})",
            f"def planted(*_, **__): raise {error}",
            f"module.{name} = planted",
        )
    )


WAYS = {
    "conform": Provoked(Conclusion.CONFORM, ("-i", "toy", "utf8", *ONE_TEXT)),
    "differences": Provoked(Conclusion.DIFFERENCES, ("-i", "toy", "wrong-special-token", *ONE_TEXT)),
    "bad input": Provoked(Conclusion.BAD_INPUT, ("-i", "toy", "utf8", *ONE_TEXT, "--inputs", "no-such-file.txt")),
    "failed": Provoked(Conclusion.IMPLEMENTATION_FAILED, ("-i", "toy", "crashing")),
    "nothing": Provoked(Conclusion.NOTHING_COMPARED, ("-i", "toy", "mute", *ONE_TEXT)),
    "stale": Provoked(Conclusion.STALE, ("-i", "toy", "utf8", *ONE_TEXT, "--ledger", "stale.toml")),
    "too little": Provoked(Conclusion.TOO_LITTLE, ("-i", "toy", "ids-only", *ONE_TEXT, "--require", "model:offsets")),
    "interrupted": Provoked(Conclusion.INTERRUPTED, ("-i", "toy", "interrupted")),
    "engine": Provoked(
        Conclusion.INTERNAL_ERROR,
        ("-i", "toy", "utf8"),
        planted("tokenizer_conformance.validation.running.tally", "Tally.count_alike", "TypeError('a\\nbug \\x1b[2J')"),
        r"TypeError: a bug \\x1b\[2J \(tokenizer_conformance\.validation\.running\.tokenizer_run:\d+\)",
    ),
    "memory": Provoked(
        Conclusion.INTERNAL_ERROR,
        ("-i", "toy", "utf8"),
        planted("tokenizer_conformance.validation.running.tally", "Tally.count_alike", "MemoryError"),
        r"MemoryError \(tokenizer_conformance\.validation\.running\.tokenizer_run:\d+\)",
    ),
    "recursion": Provoked(
        Conclusion.INTERNAL_ERROR,
        ("-i", "toy", "utf8"),
        "from tokenizer_conformance.validation.running import tally as module\n"
        "def planted(*_): planted()\n"
        "module.Tally.count_alike = planted",
        r"RecursionError: maximum recursion depth exceeded.* \(tokenizer_conformance\.validation\.running\.\w+:\d+\)",
    ),
}


@pytest.mark.long_but(1)
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
def test_each_status_is_that_of_its_conclusion(tokconf: CommandLine, toy_tokenizer: Path, way: Provoked) -> None:
    (tokconf.folder / "stale.toml").write_text(STALE)
    done = tokconf.run("run", str(toy_tokenizer), *way.options, *REPORTS, bug=way.bug)
    assert done.status == EXIT_STATUS[way.conclusion]
    assert "Traceback" not in done.err
    if way.said:
        assert re.fullmatch(f"tokconf: internal error: {way.said}; to report it, .*TOKCONF_TRACEBACK=1.*\n", done.err)
    validator = validator_of(schema_of(FORMAT))
    lines = [json.loads(line) for line in (tokconf.folder / "record.jsonl").read_text().splitlines()]
    for line in lines:
        validator.validate(line)
    assert (lines[-1]["conclusion"], lines[-1]["exit_status"]) == (way.conclusion, done.status)
    assert lines[-1]["finished"] is (way.conclusion not in {Conclusion.INTERNAL_ERROR, Conclusion.INTERRUPTED})
    assert f"exit status {done.status}" in done.out
    assert (tokconf.folder / "report.md").exists()


def test_every_conclusion_is_provoked_and_has_a_status() -> None:
    # Parts of a run are told to be missing by the command that merges them (cli/test_merge.py).
    assert {way.conclusion for way in WAYS.values()} == set(Conclusion) - {Conclusion.INCOMPLETE}
    assert [row.status for row in EXIT_STATUSES] == [0, 1, 2, 3, 130]
    assert set(EXIT_STATUS) == set(Conclusion)


@pytest.mark.long
def test_what_was_compared_before_an_internal_error_is_reported_and_can_be_gone_on_with(
    tokconf: CommandLine, toy_tokenizer: Path
) -> None:
    bug = """
from tokenizer_conformance.validation.running import tally as module
count = module.Tally.count_alike
def planted(self, comparisons):
    planted.left -= 1
    if not planted.left: raise KeyError("planted")
    count(self, comparisons)
planted.left = 40
module.Tally.count_alike = planted
"""
    command = ("run", str(toy_tokenizer), "-i", "toy", "utf8", "--json", "record.jsonl")
    broken = tokconf.run(*command, bug=bug)
    assert broken.status == 3
    assert "toy-tokenizer: 39 inputs, INCOMPLETE" in broken.out
    resumed = tokconf.run(*command, "--resume")
    assert resumed.status == 0
    assert f"1 tokenizer, {len(builtin_inputs()):,} inputs" in resumed.out


ANOTHER_STATUS = "tokconf: exit status 3: not every report could be written"

# Outside of the engine -----------------------------------------------------------------------------------------------

ELSEWHERE = {
    "the command line": planted("tokenizer_conformance.cli.run", "chosen", "TypeError('planted')"),
    "planning": planted("tokenizer_conformance.validation.running.preparation", "read_corpus", "TypeError('planted')"),
    "an adapter's constructor": planted("fake_implementations", "Utf8.__init__", "SystemExit(1)"),
    "an adapter's description": planted("fake_implementations", "x", "0")
    + "\nmodule.Utf8.info = property(lambda self: 1 / 0)",
    "opening a report": planted(
        "tokenizer_conformance.validation.running.record", "JsonLinesReport.__init__", "TypeError('planted')"
    ),
    "a report": planted("tokenizer_conformance.results.markdown", "markdown_of", "TypeError('planted')"),
    "the terminal": planted("tokenizer_conformance.results.terminal", "_matrix", "RecursionError('planted')"),
    "closing": planted("tokenizer_conformance.command_io.sinks", "GrowingFile.close", "RuntimeError('planted')"),
    "the first import": "import sys; sys.modules['click'] = None",
}


@pytest.mark.long_but(1)
@pytest.mark.parametrize("bug", ELSEWHERE.values(), ids=ELSEWHERE.keys())
def test_no_error_passes_for_differences(tokconf: CommandLine, toy_tokenizer: Path, bug: str) -> None:
    run = tokconf.run_anew if bug == ELSEWHERE["the first import"] else tokconf.run
    done = run("run", str(toy_tokenizer), "-i", "toy", "utf8", *ONE_TEXT, *REPORTS, bug=bug)
    assert done.status == 3
    line, *more = done.err.splitlines()
    assert more == ([ANOTHER_STATUS] if bug == ELSEWHERE["a report"] else []), "the summary has told another status"
    assert re.match(r"tokconf: internal error( in the report to [^:]+)?: \w+", line)


def test_an_error_in_one_report_costs_the_others_nothing(tokconf: CommandLine, toy_tokenizer: Path) -> None:
    bug = ELSEWHERE["a report"]
    done = tokconf.run("run", str(toy_tokenizer), "-i", "toy", "utf8", *ONE_TEXT, *REPORTS, bug=bug)
    assert done.err.startswith(
        "tokconf: internal error in the report to 'report.md': TypeError: planted (tokenizer_conformance."
    )
    assert json.loads((tokconf.folder / "record.jsonl").read_text().splitlines()[-1])["conclusion"] == "conform"
    assert "conform; 1 tokenizer" in done.out


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    "command",
    [
        "run {toy} -i toy utf8",
        "fuzz --tokenizers 1 --seed 1",
        "train --algorithm bpe --corpus {toy} --vocab-size 20",
    ],
)
def test_the_engines_of_all_commands_end_in_order(tokconf: CommandLine, toy_tokenizer: Path, command: str) -> None:
    words = command.format(toy=toy_tokenizer).split()
    bug = "\n".join(
        planted(f"tokenizer_conformance.{name}.engine", f"{function}", "ZeroDivisionError")
        for name, function in (
            ("validation.running", "TokenizerRun"),
            ("validation.search", "RandomSearch"),
            ("research.training", "_AlgorithmAtWork"),
        )
    )
    done = tokconf.run(*words, "--json", "record.jsonl", bug=bug)
    assert done.status == 3
    footer = json.loads((tokconf.folder / "record.jsonl").read_text().splitlines()[-1])
    assert (footer["finished"], footer["conclusion"], footer["exit_status"]) == (False, "internal error", 3)


# Tracebacks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "environment"),
    [
        ((), (), {"TOKCONF_TRACEBACK": "1"}),
        (("--traceback",), (), {}),
        ((), ("--traceback",), {}),
    ],
)
def test_a_traceback_is_shown_to_those_who_ask(
    tokconf: CommandLine,
    toy_tokenizer: Path,
    before: tuple[str, ...],
    after: tuple[str, ...],
    environment: dict[str, str],
) -> None:
    words = (*before, "run", str(toy_tokenizer), "-i", "toy", "utf8", *ONE_TEXT, *after)
    done = tokconf.run(*words, bug=WAYS["engine"].bug, **environment)
    assert done.status == 3
    assert done.err.startswith("Traceback (most recent call last):\n")
    assert "in planted" in done.err


# The end of the process ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [("--help",), ("--version",), pytest.param(("implementations",), marks=pytest.mark.slow), ("run", "--help")],
)
def test_output_that_nobody_reads_is_no_failure(tokconf: CommandLine, words: tuple[str, ...]) -> None:
    process = tokconf.start(*words)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    with process:
        err = process.stderr.read()
    assert (process.returncode, err) == (0, "")


def test_the_status_is_not_that_of_a_signal_which_comes_at_the_very_end(tokconf: CommandLine) -> None:
    bug = "import atexit, os, signal; atexit.register(lambda: os.kill(os.getpid(), signal.SIGTERM))"
    assert signal.SIGTERM in signal.valid_signals()
    assert tokconf.run_anew("--help", bug=bug).status == 0
