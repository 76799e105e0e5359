"""What shows the power of the suite: its data can be used, and on a small suite it tells what it should."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from types import ModuleType

TOOLS = Path(__file__).resolve().parents[2] / "tools"
TOOL = TOOLS / "suite_power.py"

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="changed references run in forked processes with limits"),
    # Later Pythons warn of a fork where the process has threads, as those of pytest-xdist have.
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
]

BLANKS = "\x1c \u3000a b\u3000 \x1c"
SHARP_STEPS = [
    {"ask": "normalize", "text": "  a ", "expected": {"text": "a "}},
    {"ask": "normalize", "text": BLANKS, "expected": {"text": BLANKS}},
    {"ask": "encode", "text": " \x1c", "add_special_tokens": False},
]
BLUNT_STEPS = [{"ask": "normalize", "text": "a", "expected": {"text": "a"}}]

ENCODED = {
    "ids": [0],
    "tokens": ["?"],
    "offsets": [[1, 2]],
    "word_ids": [0],
    "type_ids": [0],
    "attention_mask": [1],
    "special_tokens_mask": [0],
    "sequence_ids": [0],
    "overflowing": [],
}


def power(module: str) -> ModuleType:
    return importlib.import_module(f"power.{module}")


def tokenizer(left: bool, right: bool) -> dict[str, Any]:
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "Strip", "strip_left": left, "strip_right": right},
        "pre_tokenizer": None,
        "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": {"?": 0, "a": 1}, "unk_token": "?"},
    }


def write_suite(folder: Path, steps: list[dict[str, Any]]) -> Path:
    steps = [{"expected": ENCODED, **step} for step in steps]
    requirement = {
        "id": "STRIP-LEFT",
        "title": "Strip on the left",
        "rule": "White space at the start is removed.",
        "why": "",
        "links": [],
        "features": ["normalize"],
        "importance": "core",
        "since": None,
        "until": None,
        "covers": [],
        "cases": [{"name": "1", "tokenizer": "left", "releases": [], "steps": steps}],
    }
    area = {
        "format": 1,
        "area": "normalizers.Strip",
        "title": "Strip",
        "stage": "normalize",
        "about": "Removes white space.",
        "tokenizers": {"left": tokenizer(left=True, right=False)},
        "requirements": [requirement],
    }
    (folder / "areas.json").write_text(json.dumps({"format": 1, "areas": ["strip"]}))
    (folder / "strip.json").write_text(json.dumps(area))
    return folder


@pytest.fixture
def sharp(tmp_path: Path) -> Path:
    return write_suite(tmp_path, SHARP_STEPS)


@pytest.fixture
def blunt(tmp_path: Path) -> Path:
    return write_suite(tmp_path, BLUNT_STEPS)


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(TOOL), *map(str, arguments), "--jobs", "1"]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


# Faults --------------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_every_fault_can_be_applied_and_they_are_spread_over_the_stages() -> None:
    faults = power("faults").read_faults()
    assert len(faults) >= 150
    assert min(Counter(fault.stage for fault in faults).values()) >= 5
    assert {fault.stage.value for fault in faults} == {
        "load",
        "vocabulary",
        "normalize",
        "pre_tokenize",
        "model",
        "post_process",
        "decode",
        "save",
    }
    for fault in faults:
        compile(fault.change().source, fault.module, "exec")


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("old", "there is no such text", "stale: `old` does not stand in the module normalizers.strip"),
        ("old", "self", "stale: `old` stands "),
        ("module", "normalizers.none", "there is no module 'normalizers.none'"),
        ("stage", "normalise", "the stage 'normalise' is none of"),
        ("what", 1, "expected the texts"),
    ],
)
def test_a_fault_that_cannot_be_applied_is_refused(tmp_path: Path, field: str, value: object, message: str) -> None:
    fault = {"id": "f", "stage": "normalize", "what": "w", "module": "normalizers.strip", "old": "lstrip()", "new": ""}
    lines = [f"{name} = {json.dumps(value_)}" for name, value_ in {**fault, field: value}.items()]
    (tmp_path / "faults.toml").write_text("\n".join(["[[fault]]", *lines]))
    faults = power("faults")
    with pytest.raises(faults.FaultDataError, match="f") as raised:
        faults.read_faults(tmp_path)
    assert message in str(raised.value)


def test_a_fault_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    file = next((TOOLS / "power" / "faults").glob("save.toml"))
    (tmp_path / "a.toml").write_text(file.read_text())
    (tmp_path / "b.toml").write_text(file.read_text())
    faults = power("faults")
    with pytest.raises(faults.FaultDataError, match="is there twice"):
        faults.read_faults(tmp_path)


@pytest.mark.long
def test_faults_are_caught_and_the_stage_is_blamed(sharp: Path) -> None:
    done = run("faults", "--only", "strip-*left*", "--suite", sharp)
    assert done.returncode == 0, done.stderr
    assert "strip-host-white-space-left" in done.stdout
    assert "normalize" in done.stdout.splitlines()[0]
    assert done.stdout.splitlines()[-1].split() == ["all", "1", "1", "1"]


@pytest.mark.long
def test_a_fault_that_no_case_sees_is_said_and_fails(blunt: Path) -> None:
    done = run("faults", "--only", "strip-host-white-space-left", "--suite", blunt)
    assert done.returncode == 1
    assert "NOT CAUGHT: The language's own white space is stripped at the start" in done.stdout
    assert done.stdout.splitlines()[-1].split() == ["all", "1", "0", "0"]


@pytest.mark.long
def test_a_fault_that_is_blamed_on_another_stage_fails(sharp: Path) -> None:
    # The normalizer of the suite's tokenizer cannot be read any more.
    done = run("faults", "--only", "save-strip-names", "--suite", sharp)
    assert done.returncode == 1
    done = run("faults", "--only", "load-null-booleans", "--suite", sharp)
    assert done.returncode == 1


@pytest.mark.long
def test_a_fault_is_real_where_an_answer_changes(blunt: Path) -> None:
    few = ("--only", "decode-without-decoder-joins", "--tokenizers", "20", "--no-bundled")
    done = run("faults", "--real", *few, "--suite", blunt)
    assert done.returncode == 0, done.stdout
    assert "random tokenizer" in done.stdout
    assert done.stdout.endswith("1 of 1 faults change an answer\n")


@pytest.mark.long
def test_a_suite_that_the_reference_does_not_pass_is_refused(tmp_path: Path) -> None:
    folder = write_suite(tmp_path, [{"ask": "normalize", "text": "a", "expected": {"text": "b"}}])
    done = run("faults", "--only", "strip-options-ignored", "--suite", folder)
    assert done.returncode == 2
    assert done.stderr.startswith("STRIP-LEFT")
    assert done.stderr.endswith(": the unchanged reference has failed\n")


# Mutants -------------------------------------------------------------------------------------------------------------


def mutants_of_strip(suite: Path, count: int, tokenizers: int, *more: str | Path) -> subprocess.CompletedProcess[str]:
    few = ("--count", str(count), "--module", "normalizers.strip", "--tokenizers", str(tokenizers), "--no-bundled")
    return run("mutants", *few, "--suite", suite, *more)


def row_of_all(printed: str) -> list[int]:
    (row,) = (line for line in printed.splitlines() if line.startswith("all "))
    return list(map(int, row.split()[1:7]))


@pytest.mark.slow
def test_mutants_that_change_answers_and_live_are_shown_with_what_shows_it(blunt: Path, tmp_path: Path) -> None:
    survivors = tmp_path / "survivors.jsonl"
    done = mutants_of_strip(blunt, 3, 100, "--survivors", survivors)
    assert done.returncode == 1, done.stderr
    mutants, killed, unchanged, does_not_load, survive, explained = row_of_all(done.stdout)
    assert mutants == killed + unchanged + does_not_load + survive == 3
    assert (survive > 0, explained) == (True, 0)
    assert done.stdout.count("SURVIVES  normalizers.strip:") == survive
    shown = [json.loads(line) for line in survivors.read_text().splitlines()]
    assert len(shown) == survive
    assert all(json.loads(each["tokenizer"]) and each["question"] and each["diff"] for each in shown)


def test_a_survivor_is_reported_with_what_shows_it() -> None:
    mutant_run, witness = power("mutant_run"), power("answers").Witness("random tokenizer 7", "{}", "normalize ' a'")
    (mutant,) = power("mutants").sample(1, 1, "normalizers.strip")
    results = mutant_run.MutantResults()
    results.of(mutant).mutants = 1
    results.of(mutant).survivors.append(mutant_run.Survivor(mutant, witness, explanation=None))
    printed = mutant_run.report(results)
    assert row_of_all(printed) == [1, 0, 0, 0, 1, 0]
    assert f"SURVIVES  {mutant.name}" in printed
    assert "shown by  random tokenizer 7\n  question  normalize ' a'" in printed
    assert not results.whole.is_enough


@pytest.mark.long
def test_a_sharper_suite_kills_more(tmp_path: Path) -> None:
    folders = [tmp_path / "blunt", tmp_path / "sharp"]
    for folder, steps in zip(folders, (BLUNT_STEPS, SHARP_STEPS), strict=True):
        folder.mkdir()
        write_suite(folder, steps)
    blunt, sharp = (row_of_all(mutants_of_strip(folder, 6, 0).stdout) for folder in folders)
    assert sharp[0] == blunt[0] == 6
    assert sharp[1] > blunt[1]


def test_the_same_seed_draws_the_same_mutants() -> None:
    mutants = power("mutants")
    first = mutants.sample(5, 7, "normalizers.s*")
    assert first == mutants.sample(5, 7, "normalizers.s*")
    assert first != mutants.sample(5, 8, "normalizers.s*")
    assert len({mutant.site.module for mutant in first}) > 1


def test_what_only_a_type_checker_sees_is_not_mutated() -> None:
    mutants = power("mutants")
    bitwise_or = [site for site in mutants.sites("decoders.fuse") if "BitOr" in site.operator]
    assert bitwise_or == []  # no annotation of a union here
    sites = [site for site in mutants.sites("processors.byte_level") if "BitOr" in site.operator]
    assert sites
    assert [site for site in sites if mutants.mutant_of(site) is not None] == []


def test_a_mutant_knows_the_function_around_it() -> None:
    mutants = power("mutants")
    source = power("changed_reference").source_of("decoders.fuse").splitlines()
    line = source.index('        return ["".join(tokens)]') + 1
    assert mutants.function_lines("decoders.fuse", line) == range(line - 1, line + 1)
    assert len(mutants.function_lines("decoders.fuse", 1)) > len(source)


def test_statements_are_deleted() -> None:
    mutants = power("mutants")
    (example,) = mutants.DeleteStatement.examples()
    mutate_code = importlib.import_module("cosmic_ray.mutating").mutate_code
    operator = mutants.DeleteStatement()
    assert mutate_code(example.pre_mutation_code, operator, 0) == example.post_mutation_code
    assert mutate_code('"""Text."""\n\nx = 1\n\ndef f():\n    """Text."""\n    pass\n', operator, 0) is None


def test_shares_are_in_proportion_and_no_more_than_there_is() -> None:
    shares = power("mutants")._shares
    assert shares({"a": 3, "b": 1}, 8) == {"a": 6, "b": 2}
    assert shares({"a": 2, "b": 1, "c": 1}, 2) == {"a": 1, "b": 1, "c": 0}
    assert shares({}, 5) == {}


def test_explanations_are_of_lines_that_there_are(tmp_path: Path) -> None:
    explanations = power("explanations")
    assert isinstance(explanations.read_explanations(), list)
    file = tmp_path / "explained.toml"
    line = 'module = "decoders.fuse"\nline = "no such line"\noperator = "*"\nreason = "r"\n'
    file.write_text(f"[[mutant]]\n{line}")
    with pytest.raises(explanations.ExplanationError, match="has no line 'no such line' any more"):
        explanations.read_explanations(file)
    (site, *_) = power("mutants").sites("decoders.fuse")
    mutant = power("mutants").mutant_of(site)
    explanation = explanations.Explanation("decoders.fuse", mutant.line_text, "*", "r")
    assert explanation.explains(mutant)
    assert not explanations.Explanation("decoders.fuse", mutant.line_text, "core/AddNot", "r").explains(mutant)
    assert tomllib.loads(file.read_text())["mutant"][0]["reason"] == "r"


def test_too_little_power_or_an_unexplained_survivor_is_not_enough() -> None:
    mutant_run = power("mutant_run")
    explained = mutant_run.Survivor(None, None, explanation=object())
    unexplained = mutant_run.Survivor(None, None, explanation=None)
    assert mutant_run.Tally(killed=19, survivors=[explained]).is_enough
    assert not mutant_run.Tally(killed=18, survivors=[explained]).is_enough
    assert not mutant_run.Tally(killed=99, survivors=[unexplained]).is_enough


# Children ------------------------------------------------------------------------------------------------------------


def misbehave(how: str) -> str:
    match how:
        case "hang":
            while True:
                pass
        case "memory":
            return str(len(bytes(2**33)))
        case "exit":
            sys.exit(3)
    return how


@pytest.mark.long
def test_a_call_that_hangs_or_dies_costs_itself_alone() -> None:
    children = power("children")
    ends = dict(children.each_in_child(misbehave, ["fine", "hang", "memory", "exit", "fine"], 2, 1.0))
    assert ends[0] == ends[4] == "fine"
    assert ends[1] == children.Died("SIGXCPU")
    assert ends[2] == children.Died("exit status 1")
    assert ends[3] == children.Died("exit status 3")


def test_what_takes_too_long_is_interrupted_and_is_no_error_of_what_runs() -> None:
    children = power("children")

    def hang_with_handler() -> None:
        with children.limited(0.05):
            try:
                misbehave("hang")
            except Exception:
                pytest.fail("the handler saw it")

    with pytest.raises(children.HangError):
        hang_with_handler()
    with children.limited(5):
        assert misbehave("fine") == "fine"
