"""What shows the power of the suite: its data can be used, and on a small suite it tells what it should."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from published.measuring import Measuring, read_measured
from published.renderers import RENDERERS

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
        "added_tokens",
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


def mutants_of_strip(suite: Path, results: Path, count: int, tokenizers: int) -> subprocess.CompletedProcess[str]:
    few = ("--count", str(count), "--module", "normalizers.strip", "--tokenizers", str(tokenizers), "--no-bundled")
    kept = ("--results", results, "--record", results.with_name("record.jsonl"))
    return run("mutants", *few, "--suite", suite, *kept)


def row_of_all(printed: str) -> dict[str, int]:
    """Return the counts of the table's last row by their columns."""
    (row,) = (line for line in printed.splitlines() if line.startswith("all "))
    cells = dict(zip(power("mutant_results").COLUMNS, re.split(r"\s{2,}", row.strip()), strict=True))
    return {column: int(cell) for column, cell in cells.items() if cell.isdecimal()}


def result(
    outcome: Any, module: str = "normalizers.strip", function: str = "_normalize", suite: str = "", occurrence: int = 0
) -> Any:
    site = {"operator": "core/AddNot", "occurrence": occurrence, "line": 1, "text": "x", "diff": "-x\n+y", "source": ""}
    return power("mutant_results").Result(module=module, function=function, suite=suite, outcome=outcome, **site)


def record_of(file: Path, *found: Any) -> Path:
    """Return the record of results, and of what is shown in a minute."""
    record = Measuring(file, "suite_power", {"seed": 3, "cases": 7})
    for each in found:
        record.add(power("mutant_results").line_of(each))
    record.finish()
    return file


def mutant_in_a_function(module: str) -> Any:
    mutants = power("mutants")
    return next(each for each in mutants.sample(20, 1, module) if mutants.function_name(module, each.site.line))


@pytest.mark.slow
def test_mutants_that_change_answers_and_are_not_seen_are_shown_with_what_shows_it(blunt: Path, tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    done = mutants_of_strip(blunt, results, 3, 100)
    assert done.returncode == 1, done.stderr
    row = row_of_all(done.stdout)
    assert row["mutants"] == sum(row.values()) - row["mutants"] == 3
    assert row["not seen"]
    assert done.stdout.count("UNSEEN  normalizers.strip:") == row["not seen"]
    last = {json.loads(line)["occurrence"]: json.loads(line) for line in results.read_text().splitlines()}
    unseen = [each["outcome"] for each in last.values() if each["outcome"]["type"] == "unseen"]
    assert len(unseen) == row["not seen"]
    assert all(json.loads(each["document"]) and each["question"] for each in unseen)
    assert mutants_of_strip(blunt, results, 3, 100).stdout == done.stdout
    record = results.with_name("record.jsonl")
    assert [line["mutant"]["outcome"]["type"] for line in read_measured(record, "suite_power").lines].count(
        "unseen"
    ) == len(unseen)
    assert f"**{row['seen']} of {row['seen'] + row['not seen']} mutants" in str(RENDERERS["suite-power"]([record]))


def test_an_unseen_mutant_is_reported_with_what_shows_it() -> None:
    mutant_run = power("mutant_results")
    unseen = result(mutant_run.Unseen("random tokenizer 7", "{}", "normalize ' a'"))
    printed = mutant_run.report([unseen], [])
    row = row_of_all(printed)
    assert (row["mutants"], row["seen"], row["not seen"]) == (1, 0, 1)
    assert "UNSEEN  normalizers.strip:1 AddNot\n    -x\n    +y" in printed
    assert "shown by  random tokenizer 7\n  question  normalize ' a'" in printed
    assert "1 unseen ones are not explained" in printed


@pytest.mark.long
def test_a_run_goes_on_and_a_sharper_suite_is_asked_about_what_was_not_seen(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    rows = []
    for name, steps in (("blunt", BLUNT_STEPS), ("sharp", SHARP_STEPS), ("sharp", SHARP_STEPS)):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        rows.append(
            (row_of_all(mutants_of_strip(write_suite(folder, steps), results, 6, 0).stdout), results.read_text())
        )
    (blunt, first), (sharp, second), (again, third) = rows
    assert blunt["mutants"] == sharp["mutants"] == 6
    assert sharp["seen"] > blunt["seen"]
    assert second.startswith(first)
    assert len(second.splitlines()) - len(first.splitlines()) == 6 - blunt["seen"] - blunt["not imported"]
    assert (again, third) == (sharp, second)


def test_what_is_seen_counts_and_the_right_place_is_told_from_others() -> None:
    mutant_run = power("mutant_results")
    seen = [mutant_run.Seen({place: 1}, ("R",)) for place in ("normalize", "model")]
    results = [
        *map(result, seen),
        result(seen[1], "pipeline.fast_encoder"),
        result(mutant_run.Seen({}, (), "its process died: SIGSEGV")),
        result(mutant_run.Unchanged(600)),
        result(mutant_run.Unchanged(0)),
        result(mutant_run.NotImported("SyntaxError")),
        result(mutant_run.Unseen("t", "{}", "q")),
    ]
    printed = mutant_run.report(results, [])
    assert row_of_all(printed) == {
        "mutants": 8,
        "seen": 4,
        "not seen": 1,
        "change nothing": 1,
        "not reached": 1,
        "not imported": 1,
    }
    assert (
        "4 of 5 mutants that change an answer are seen: 80.0 % (95 % interval: 37.6 to 96.4 %; at least 97 %" in printed
    )
    assert "a right place is blamed for 1 of 2: 50.0 %" in printed


def test_the_place_that_fails_most_is_blamed_the_first_of_equal_ones() -> None:
    mutant_run = power("mutant_results")
    assert mutant_run.Seen({"model": 2, "normalize": 2, "decode": 1}, ()).most == "normalize"
    assert mutant_run.Seen({"model": 2, "normalize": 2, "decode": 3}, ()).most == "decode"
    assert mutant_run.Seen({}, ()).most == ""


def test_reading_a_file_is_a_place_of_its_own_and_the_whole_pipeline_has_none() -> None:
    places = power("places")
    of = lambda *names: {place.value for place in places.right_places(*names)}  # noqa: E731
    assert of("normalizers.strip", "_normalize") == {"normalize"}
    assert of("normalizers.strip", "from_json") == of("normalizers.strip", "") == {"normalize", "load", "save"}
    assert of("pipeline.fast_encoder", "encode") == of("pipeline.fast_encoder", "from_json") == set()


def test_every_module_that_is_mutated_has_its_places_or_leads_through_all() -> None:
    places, reference = power("places"), power("packages").REFERENCE
    without = {module for module in reference.modules() if not places.right_places(module, "f")}
    assert without == {
        "arguments",
        "component",
        "lending",
        "pipeline.fast_encoder",
        "pipeline.input_sequences",
        "pipeline.tokenizer",
        "pipeline.way",
        "stage",
        "values.lent_splits",
    }


def test_another_suite_is_asked_about_what_was_not_seen_and_other_judges_about_all() -> None:
    mutant_run = power("mutant_run")
    holds, for_suite = mutant_run._holds, mutant_run._for_suite
    seen, unseen = mutant_run.Seen({}, ()), mutant_run.Unseen("t", "{}", "q")
    assert holds(result(seen, suite="a.j"), "b.j")
    assert not holds(result(seen, suite="a.j"), "a.k")
    assert holds(result(unseen, suite="a.j"), "a.j")
    assert not holds(result(unseen, suite="a.j"), "b.j")
    assert holds(result(mutant_run.NotImported("SyntaxError"), suite="a.j"), "b.k")
    assert for_suite(result(seen, suite="a.j"), "a.k") == result(mutant_run.NotAsked(), suite="a.k")
    assert for_suite(result(unseen, suite="a.j"), "b.j") == result(unseen, suite="b.j")
    assert holds(result(mutant_run.NotAsked(), suite="a"), "a")
    assert not holds(mutant_run._unasked(mutant_in_a_function("normalizers.strip")), "a")


def test_a_result_is_read_again_from_the_file_and_from_the_record(tmp_path: Path) -> None:
    mutant_run, results = power("mutant_run"), power("mutant_results")
    mutant = mutant_in_a_function("normalizers.strip")
    line = mutant_run._unasked(mutant)
    assert (line.key, bool(line.function)) == (mutant_run.key_of(mutant), True)
    file = tmp_path / "results.jsonl"
    file.write_bytes(mutant_run.msgspec.json.encode(line) + b"\n")
    assert mutant_run.read_results(file) == {line.key: line}
    former = results.Result(**{**results.msgspec.structs.asdict(line), "outcome": results.Unchanged(1)})
    shown = results.Shown(*line.key, "q", "")
    read = read_measured(record_of(tmp_path / "record.jsonl", former, shown, line), "suite_power").lines
    assert (results.results_in(read), results.shown_in(read)) == ([line], [shown])
    assert shown.key == line.key


def test_what_is_called_only_when_asked_is_felt_by_its_callers_only() -> None:
    felt = power("mutant_run").is_felt_by_callers_only
    mutant = mutant_in_a_function("normalizers.strip")
    first = mutant.lines().start
    assert felt(mutant, frozenset())
    assert felt(mutant, frozenset({("normalizers.nmt", first)}))
    assert not felt(mutant, frozenset({("normalizers.strip", first)}))
    assert not felt(mutant_in_a_function("text.unicode_properties"), frozenset())


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


def test_an_exception_whose_name_has_a_dot_is_left_as_it_is(tmp_path: Path) -> None:
    mutants, packages = power("mutants"), power("packages")
    source = "import json\ntry:\n    pass\nexcept (json.JSONDecodeError, OSError):\n    pass\n"
    (tmp_path / "some").mkdir()
    (tmp_path / "some" / "module.py").write_text(source)
    package = packages.Package("some", str(tmp_path))
    found = [mutants.mutant_of(site) for site in mutants.sites("module", package) if "Exception" in site.operator]
    assert [each is None for each in found] == [True, False]


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
    shares = power("mutants").shares
    assert shares({"a": 3, "b": 1}, 8) == {"a": 6, "b": 2}
    assert shares({"a": 2, "b": 1, "c": 1}, 2) == {"a": 1, "b": 1, "c": 0}
    assert shares({}, 5) == {}


def test_explanations_are_of_lines_that_there_are(tmp_path: Path) -> None:
    explanations = power("explanations")
    source_of = power("changed_reference").source_of
    assert explanations.read_explanations(explanations.OF_REFERENCE, source_of)
    file = tmp_path / "explained.toml"
    line = 'module = "decoders.fuse"\nline = "no such line"\noperator = "*"\nreason = "r"\n'
    file.write_text(f"[[mutant]]\n{line}")
    with pytest.raises(explanations.ExplanationError, match="has no line 'no such line' any more"):
        explanations.read_explanations(file, source_of)
    assert [each.line for each in explanations.read_explanations(file)] == ["no such line"]  # of a record of then
    of_any = explanations.Explanation("decoders.fuse", "line", "*", "r")
    assert of_any.explains("decoders.fuse", "line", "core/AddNot")
    assert not of_any.explains("decoders.bpe", "line", "core/AddNot")
    assert not of_any.explains("decoders.fuse", "another", "core/AddNot")
    assert not explanations.Explanation("decoders.fuse", "line", "core/Break", "r").explains(
        "decoders.fuse", "line", "x"
    )
    assert tomllib.loads(file.read_text())["mutant"][0]["reason"] == "r"


def test_too_little_power_or_blame_is_not_enough() -> None:
    tally, unseen = power("mutant_results").Tally, [None] * 3
    assert tally(seen=97, unseen=unseen, placed=10, blamed_rightly=9).is_enough
    assert not tally(seen=96, unseen=unseen, placed=10, blamed_rightly=9).is_enough
    assert not tally(seen=97, unseen=unseen, placed=10, blamed_rightly=8).is_enough


def test_what_is_shown_in_a_minute_is_counted_by_part_of_the_reference() -> None:
    first_minute = power("mutant_results")
    shown = [
        first_minute.Shown(module, "o", 0, "", run, fuzz)
        for module, run, fuzz in (
            ("models.bpe", "q", ""),
            ("models.unigram", "", "q"),
            ("text.regex", "q", "q"),
            ("text.regex", "", ""),
        )
    ]
    assert list(first_minute.shares(shown)) == [
        ("models", 2, (50.0, 50.0, 100.0)),
        ("text", 2, (50.0, 50.0, 50.0)),
        ("all", 4, (50.0, 50.0, 75.0)),
    ]
    assert first_minute.report_of_minute(shown).splitlines()[-1].split() == [
        "all",
        "4",
        "50.0",
        "%",
        "50.0",
        "%",
        "75.0",
        "%",
    ]


def test_the_page_tells_what_is_seen_what_is_not_and_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = power("mutant_results")
    results = [
        result(found.Seen({"normalize": 1}, ("R",))),
        result(found.Seen({"model": 1}, ("R",)), occurrence=1),
        result(found.Unseen("bert-mini", "{}", "Encode(text='a`b')"), occurrence=2),
        result(found.Unseen("t", "{}", "q"), "normalizers.nmt"),
    ]
    explained = tmp_path / "explained.toml"
    explained.write_text(
        '[[mutant]]\nmodule = "normalizers.nmt"\nline = "x"\noperator = "*"\nreason = "Nobody can see it."\n'
    )
    monkeypatch.setattr(power("mutant_page"), "OF_REFERENCE", explained)
    page = str(RENDERERS["suite-power"]([record_of(tmp_path / "a.jsonl", *results)]))
    assert "4 mutants were drawn at random (seed 3)" in page
    assert "The suite (7 cases)" in page
    assert "**2 of 4 mutants that change an answer are seen: 50.0 %** (95 % interval: 15.0 to 85.0 %" in page
    assert "a right stage is blamed for 1: 50.0 %" in page
    assert [cell.strip() for cell in page.split("| normalizers.strip ")[1].split("|")[1:4]] == ["3", "2", "1"]
    assert "`normalizers.strip`, line 1:\n\n    -x\n    +y\n\nShown by bert-mini: `Encode(text='a'b')`" in page
    assert "`normalizers.nmt`, line 1:\n\n    -x\n    +y\n\nNobody can see it." in page
    assert "Not measured." in page
    shown = found.Shown("normalizers.strip", "o", 0, "", "q", "")
    measured = str(RENDERERS["suite-power"]([record_of(tmp_path / "b.jsonl", *results, shown)]))
    (row,) = (line for line in measured.splitlines() if "100.0 %" in line and line.startswith("| all "))
    assert [cell.strip() for cell in row.split("|")[1:-1]] == ["all", "1", "100.0 %", "0.0 %", "100.0 %"]
    assert "Not measured." not in measured


@pytest.mark.long
def test_some_of_the_mutants_are_asked_what_two_commands_ask(
    sharp: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool, answers = importlib.import_module("suite_power"), power("answers")
    few = answers.recorded(1, 100, 1, bundled=False)
    monkeypatch.setattr(tool, "asked_by_run", lambda _: few)
    monkeypatch.setattr(tool, "asked_by_fuzz", lambda *_: few[:0])
    record = tmp_path / "record.jsonl"
    options = ["--count", "6", "--module", "normalizers.strip", "--tokenizers", "0", "--no-bundled", "--jobs", "1"]
    options += ["--suite", str(sharp), "--results", str(tmp_path / "results.jsonl"), "--record", str(record)]
    tool.main(["mutants", *options, "--minute", "2"])
    found = power("mutant_results").shown_in(read_measured(record, "suite_power").lines)
    assert len(found) == 2
    assert {each.fuzz for each in found} == {""}
    assert any(each.run.startswith("random tokenizer") for each in found)


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
