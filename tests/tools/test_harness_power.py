"""What shows the power of the default tests: which tests a mutant gets, how it is made, and what is told of it."""

from __future__ import annotations

import fnmatch
import gc
import importlib
import json
import os
import re
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path, PurePosixPath
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from published.measuring import Measuring, read_measured
from published.renderers import RENDERERS

if TYPE_CHECKING:
    from types import ModuleType

TOOLS = Path(__file__).resolve().parents[2] / "tools"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="mutants run in forked processes with limits")


def power(module: str) -> ModuleType:
    return importlib.import_module(f"power.{module}")


# Changing what is imported --------------------------------------------------------------------------------------------

SOURCE = """\
LIMIT = 3

def add(a, b=1):
    def inner():
        return a + b
    return inner

class Counter:
    step = 2

    def next(self, value):
        total = value
        total += self.step
        return total
"""


@pytest.fixture
def namespace(tmp_path: Path) -> dict[str, Any]:
    found: dict[str, Any] = {"__name__": "changed"}
    exec(compile(SOURCE, str(tmp_path / "changed.py"), "exec", dont_inherit=True), found)
    return found


def changed(folder: Path, old: str, new: str) -> None:
    live = power("live_change")
    gc.collect()
    before, after = (
        compile(source, str(folder / "changed.py"), "exec", dont_inherit=True)
        for source in (SOURCE, SOURCE.replace(old, new))
    )
    live.change(before, after, live.live_functions([str(folder)]))


def test_a_function_that_is_imported_does_as_in_the_changed_source(tmp_path: Path, namespace: dict[str, Any]) -> None:
    method = namespace["Counter"]().next
    changed(tmp_path, "        total += self.step\n", "        pass\n")
    assert method(1) == 1


def test_functions_in_functions_are_changed_with_them(tmp_path: Path, namespace: dict[str, Any]) -> None:
    add = namespace["add"]
    changed(tmp_path, "a + b", "a - b")
    assert add(5)() == 4


def test_lines_that_move_are_no_change(tmp_path: Path, namespace: dict[str, Any]) -> None:
    live = power("live_change")
    assert namespace["LIMIT"] == 3
    with pytest.raises(live.NotLiveError, match="there is no such function"):
        changed(tmp_path, "LIMIT = 3\n", "LIMIT = 3\n\n")


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    ("old", "new"), [("LIMIT = 3", "LIMIT = 4"), ("step = 2", "step = 3"), ("b=1", "b=2"), ("step = 2", "step = True")]
)
def test_what_is_done_at_import_cannot_be_changed_later(
    tmp_path: Path, namespace: dict[str, Any], old: str, new: str
) -> None:
    live = power("live_change")
    assert namespace
    with pytest.raises(live.NotLiveError, match="as the module is imported"):
        changed(tmp_path, old, new)


def test_one_and_true_differ() -> None:
    code_or_value = power("live_change").code_or_value
    assert len({code_or_value(value) for value in (1, True, 1.0, "1")}) == 4


# Which tests ----------------------------------------------------------------------------------------------------------

STATEMENTS = """\
LIMIT = (
    3
)

@cache
def f(x,
      y=2):
    if x and \\
            y:
        return (x +
                y)
    return 0

class C:
    a: int = 1

    def g(self):
        try:
            h()
        except ValueError:
            raise
"""


@pytest.mark.parametrize(
    ("line", "lines", "definition", "in_function"),
    [
        (2, (1, 3), None, False),
        (5, (5, 7), (5, 12), False),
        (7, (5, 7), (5, 12), False),
        (9, (8, 9), (5, 12), True),
        (11, (10, 11), (5, 12), True),
        (15, (15, 15), (14, 21), False),
        (17, (17, 17), (17, 21), False),
        (20, (20, 20), (17, 21), True),
        (13, (13, 13), None, False),
    ],
)
def test_a_line_has_the_statement_around_it(
    line: int, lines: tuple[int, int], definition: tuple[int, int] | None, in_function: bool
) -> None:
    found = power("statements").statement_at(STATEMENTS, line)
    assert (found.lines[0], found.lines[-1]) == lines
    assert (found.definition and (found.definition[0], found.definition[-1])) == definition
    assert found.in_function == in_function


def run_lines(run: dict[str, dict[str, list[int]]], imported: dict[str, list[int]] | None = None) -> Any:
    """Return which tests run which lines; each test takes a tenth of a second."""
    recorded = power("recorded_tests")
    found = recorded.RunLines()
    for path, tests in run.items():
        found.run[path] = [(recorded.DefaultTest(test, 0.1), recorded.mask_of(lines)) for test, lines in tests.items()]
    found.imported = {path: recorded.mask_of(lines) for path, lines in (imported or {}).items()}
    return found


MERGING = "validation.running.merging"
MERGING_PATH = "conformance/tokenizer_conformance/validation/running/merging.py"


def in_a_function() -> Any:
    mutants, harness = power("mutants"), power("rooms").PACKAGES[0]
    return next(
        filter(
            None, map(mutants.mutant_of, (s for s in mutants.sites(MERGING, harness) if s.operator.startswith("own/")))
        )
    )


def test_a_mutant_gets_the_tests_that_run_its_line() -> None:
    harness_run, mutant = power("harness_run"), in_a_function()
    lines = run_lines({MERGING_PATH: {"a.py::runs": [mutant.site.line], "a.py::other": [1]}})
    selection = harness_run.selection_of(mutant, lines)
    assert [test.id for test in selection.tests] == ["a.py::runs"]
    assert not selection.imports


def test_a_line_that_is_run_at_import_gets_all_tests_that_may_see_it() -> None:
    harness_run, mutant = power("harness_run"), in_a_function()
    tests = {"a.py::module": [1], "b.py::runs": [mutant.site.line]}
    importer = harness_run.importers(f"tokenizer_conformance.{MERGING}")[0]
    lines = run_lines(
        {MERGING_PATH: tests, importer: {"c.py::importer": [1]}, "elsewhere.py": {"d.py::other": [1]}},
        {MERGING_PATH: [mutant.site.line]},
    )
    selection = harness_run.selection_of(mutant, lines)
    assert [test.id for test in selection.tests] == ["b.py::runs", "a.py::module", "c.py::importer"]
    assert selection.imports


def test_tests_that_look_at_a_module_and_run_no_line_of_it_come_first_for_what_is_done_at_import() -> None:
    harness_run, mutant = power("harness_run"), in_a_function()
    lines = run_lines({MERGING_PATH: {"a.py::runs": [mutant.site.line]}}, {MERGING_PATH: [mutant.site.line]})
    folder = PurePosixPath(MERGING_PATH).parent.name
    for name in (
        *(f"test_declarations.py::declared[{module}]" for module in (harness_run.name_of(mutant), "another")),
        *(f"{of}/test_merging.py::table" for of in (folder, "another")),
    ):
        lines.named[PurePosixPath(name.partition("::")[0]).name].append(power("recorded_tests").DefaultTest(name, 0.1))
    assert [test.id for test in harness_run.selection_of(mutant, lines).tests] == [
        f"test_declarations.py::declared[{harness_run.name_of(mutant)}]",
        f"{folder}/test_merging.py::table",
        "a.py::runs",
    ]


def test_a_line_that_no_test_is_known_to_run_gets_the_tests_of_its_module_and_is_not_covered() -> None:
    harness_run, recorded, lines = power("harness_run"), power("recorded_tests"), run_lines({})
    lines.named["test_merging.py"] = [recorded.DefaultTest("test_merging.py::merges", 0.1)]
    lines.named["test_other.py"] = [recorded.DefaultTest("test_other.py::other", 0.1)]
    mutant = in_a_function()
    selection = harness_run.selection_of(mutant, lines)
    assert [test.id for test in selection.tests] == ["test_merging.py::merges"]
    ran = power("serving").Ran()
    assert harness_run.result_of(mutant, selection, "not seen", ran, 1).outcome == "not covered"
    assert harness_run.result_of(mutant, selection, "seen", ran, 1).outcome == "seen"
    known = harness_run.Selection(selection.tests, imports=False)
    assert harness_run.result_of(mutant, known, "not seen", ran, 1).outcome == "not seen"


def test_tests_that_failed_before_come_first() -> None:
    harness_run, recorded = power("harness_run"), power("recorded_tests")
    selection = harness_run.Selection(tuple(recorded.DefaultTest(name, 0.1) for name in "abc"), imports=False)
    recent = harness_run.Recent()
    for test in ("b", "c", None):
        recent.note("module", test)
    assert [test.id for test in recent.first("module", selection).tests] == ["c", "b", "a"]
    assert recent.first("another", selection) == selection
    assert recent.first("module", selection).basis == selection.basis


def test_a_mutant_gets_no_more_tests_than_there_is_time_for() -> None:
    harness_run, recorded = power("harness_run"), power("recorded_tests")
    tests = tuple(recorded.DefaultTest(f"{name}.py::{number}", 0.5) for name in "ab" for number in range(2))

    def chosen(*, imports: bool) -> list[int]:
        selection = harness_run.Selection(tests, imports)
        assert harness_run.within(selection, 9.0) == selection
        return [len(harness_run.within(selection, seconds).tests) for seconds in (0.1, 1.0, 1.5, 2.0, 3.0)]

    assert chosen(imports=False) == [1, 2, 3, 4, 4]
    assert chosen(imports=True) == [1, 1, 1, 2, 2]


def test_stages_have_more_and_more_files_and_each_test_once() -> None:
    harness_run, recorded = power("harness_run"), power("recorded_tests")
    tests = [recorded.DefaultTest(f"{number % 20}.py::{number}", 0.1) for number in range(40)]
    stages = harness_run.stages_of(tests)
    assert [len({test.file for test in stage}) for stage in stages] == [3, 12, 5]
    assert sorted(test.id for stage in stages for test in stage) == sorted(test.id for test in tests)
    assert harness_run.stages_of([]) == []


@pytest.mark.parametrize(
    ("ended", "unfinished", "status", "outcome"),
    [
        ({"a": False}, None, 0, "not seen"),
        ({"a": True}, None, 0, "seen"),
        ({"a": False}, "b", -24, "seen"),
        ({"a": False}, None, 1, "seen"),
    ],
)
def test_a_mutant_is_seen_where_a_test_fails_or_hangs_or_ends_the_run(
    ended: dict[str, bool], unfinished: str | None, status: int, outcome: str
) -> None:
    serving, harness_run = power("serving"), power("harness_run")
    tests = {test: serving.Ended(0.1, failed, skipped=False) for test, failed in ended.items()}
    assert harness_run.outcome_of(serving.Ran(tests, unfinished, status)) == outcome


def test_a_test_that_fails_without_the_mutant_too_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness_run, serving, recorded = power("harness_run"), power("serving"), power("recorded_tests")
    asked: list[list[str]] = []

    class Served:
        costly = frozenset({"slow.py::flaky"})
        collected = ("slow.py::flaky", "a.py::passes", "b.py::passes", "b.py::sees")

        def __init__(self, *arguments: object) -> None: ...

        def close(self) -> None: ...

        def run(self, tests: list[str], _expected: dict[str, float], **change: str) -> Any:
            asked.append(tests)
            fails = {"slow.py::flaky"} | ({"b.py::sees"} if "after" in change and seeing else set())
            ended = {}
            for test in tests:
                ended[test] = serving.Ended(0.1, test in fails, skipped=False)
                if test in fails:
                    break
            return serving.Ran(ended)

    monkeypatch.setattr(harness_run, "Server", Served)
    monkeypatch.setattr(harness_run, "COPIED", ("conformance",))
    mutant, trials = in_a_function(), harness_run.Trials()
    bench = harness_run.Bench(tmp_path, [], trials)
    selection = harness_run.Selection(
        tuple(recorded.DefaultTest(test, 0.1) for test in Served.collected), imports=False
    )
    seeing = True
    for outcome, by in (("seen", "b.py::sees"), ("not seen", None)):
        found, ran = bench.run(mutant, selection)
        assert (found, ran.failed) == (outcome, by)
        seeing = False
    everything = ["a.py::passes", "b.py::passes", "b.py::sees", "slow.py::flaky"]
    assert (
        asked
        == [
            everything,
            ["b.py::passes", "b.py::sees"],  # those of its own file alone, without the mutant
            everything,
            ["slow.py::flaky"],
            everything[:-1],
        ]
    )
    assert (trials.passed, trials.failed) == ({"b.py::sees"}, {"slow.py::flaky"})
    changed_file = tmp_path / "project" / MERGING_PATH
    assert changed_file.read_text() == mutant.before


# Rooms ----------------------------------------------------------------------------------------------------------------


def test_every_pattern_of_a_room_and_of_what_is_left_out_is_of_a_module() -> None:
    rooms = power("rooms")
    everything = [replace(package, left_out=()) for package in rooms.PACKAGES]
    names = [rooms.whole_name(package, module) for package in everything for module in package.modules()]
    patterns = [pattern for room in rooms.STRICT.values() for pattern in room]
    patterns += [pattern for pattern, _ in rooms.LEFT_OUT_MODULES]
    assert [pattern for pattern in patterns if not fnmatch.filter(names, pattern)] == []
    mutated = {rooms.whole_name(package, module) for package in rooms.PACKAGES for module in package.modules()}
    assert "tokenizer_adapters.variants.unicode_history" in set(names) - mutated
    assert {rooms.room_of(name) for name in mutated} >= set(rooms.STRICT)


def test_what_changes_nothing_that_shows_is_not_made() -> None:
    rooms = power("rooms")

    def made(operator: str, line: str, after: str) -> bool:
        site = SimpleNamespace(operator=operator)
        return bool(rooms.counts(SimpleNamespace(site=site, line_text=line, diff=lambda: f"-{line}\n+{after}")))

    frozen = "@dataclass(frozen=True, slots=True)"
    assert not made("core/ReplaceTrueWithFalse", frozen, "@dataclass(frozen=False, slots=True)")
    assert made("core/ReplaceTrueWithFalse", "keep=True", "keep=False")
    assert made(
        "core/ReplaceTrueWithFalse", "f(zip(a, b, strict=True), last=True)", "f(zip(a, b, strict=True), last=False)"
    )
    assert not made("core/RemoveDecorator", "@cache", "")
    assert made("core/RemoveDecorator", "@cached_property", "")
    assert not made("own/DeleteStatement", "del index", "pass")
    assert made("own/DeleteStatement", "del found[0]", "pass")


# Results --------------------------------------------------------------------------------------------------------------


def result(outcome: str, module: str = MERGING, **more: Any) -> Any:
    fields = {
        "module": f"tokenizer_conformance.{module}",
        "operator": "core/AddNot",
        "occurrence": 0,
        "source": "s",
        "outcome": outcome,
        "line": 7,
        "text": "if known:",
        "diff": "-if known:\n+if not known:",
        "tests": 3,
        "basis": "b",
        "ran": 2,
    }
    return power("harness_report").Result(**(fields | more))


def test_results_are_read_as_they_were_written_but_for_a_line_that_was_cut_off(tmp_path: Path) -> None:
    report, file = power("harness_report"), tmp_path / "results.jsonl"
    assert report.read_results(file) == {}
    first, second, later = result("seen"), result("not seen", occurrence=1), result("seen", occurrence=1)
    for each in (first, second, later):
        report.write_result(file, each)
    file.write_text(file.read_text() + '{"module": "tok')
    assert report.read_results(file) == {first.key: first, later.key: later}


@pytest.mark.parametrize(
    ("outcome", "basis", "again", "holds"),
    [
        ("seen", "another", True, True),
        ("not seen", "b", False, True),
        ("not seen", "another", False, False),
        ("not seen", "b", True, False),
        ("not covered", "another", False, False),
        ("does not load", "another", True, True),
    ],
)
def test_what_was_not_seen_is_asked_again_with_other_tests(outcome: str, basis: str, again: bool, holds: bool) -> None:
    assert power("harness_report").still_holds(result(outcome), basis, again=again) == holds


def test_a_room_on_which_verdicts_rest_must_see_all() -> None:
    of = power("harness_report").Report.of
    seen = [result("seen", occurrence=number) for number in range(99)]
    assert of(seen, []).missed == []
    assert of([*seen, result("not seen")], []).missed == ["merging: 99.0 % are seen, 100 % are wanted"]
    assert of([*seen, result("not seen", "ledger.entry")], []).missed == []
    others = [result("not covered", "ledger.entry", occurrence=number) for number in range(6)]
    assert of([*seen, *others], []).missed == ["all rooms: 94.3 % are seen, 95 % are wanted"]


def test_what_is_explained_or_does_not_load_is_in_no_share() -> None:
    explained = power("explanations").Explanation(f"tokenizer_conformance.{MERGING}", "if known:", "*", "r")
    report = power("harness_report").Report.of(
        [result("not seen"), result("does not load"), result("seen")], [explained]
    )
    assert report.missed == []
    assert report.whole.cells() == ["3", "1", "0", "1", "1", "100.0 %"]


def test_the_report_and_the_page_show_what_no_test_sees(tmp_path: Path) -> None:
    missed = [result("not seen", diff="-a | b\n+a & b"), result("not covered", occurrence=1)]
    text = power("harness_report").Report.of(missed, []).text()
    assert "NOT SEEN  tokenizer_conformance.validation.running.merging:7 core/AddNot" in text
    assert "3 tests run the line, 2 were run" in text
    assert "no test is known to run the line" in text
    assert "merging (100 %)" in text
    record = Measuring(tmp_path / "a.jsonl", "harness_power", {"seed": 3, "seconds": 3.0})
    for each in (result("seen"), *missed, result("seen", "ledger.entry", source="of a module that has changed since")):
        record.add({"mutant": asdict(each)})
    record.finish()
    page = re.sub(" +", " ", str(RENDERERS["harness-power"]([tmp_path / "a.jsonl"])))
    assert "`-a \\| b`<br>`+a & b`" in page
    assert page.count("| `tokenizer_conformance.validation.running.merging` | 7 |") == 2
    assert "3 mutants were drawn at random (seed 3)" in page  # what was seen later does not count any more
    assert "**1 of 3 are seen: 33.3 %** (95 % interval: 6.1 to 79.2 %; wanted: 95 %" in page
    assert "no more than 3 seconds of them" in page


# Files ----------------------------------------------------------------------------------------------------------------


def test_a_copy_is_brought_up_to_date(tmp_path: Path) -> None:
    workshops, project, folder = power("workshops"), tmp_path / "project", tmp_path / "copy"
    (project / "tests" / "__pycache__").mkdir(parents=True)
    (project / "tests" / "old.py").write_text("old")
    (project / "tests" / "kept.py").write_text("kept")
    (project / "README").write_text("read me")
    workshops.lay_out(project, folder, ("tests",))
    (project / "tests" / "node_modules").mkdir()
    compiled = folder / "tests" / "__pycache__" / "kept.pyc"
    compiled.parent.mkdir()
    compiled.write_text("compiled")
    (folder / "tests" / "kept.py").write_text("changed in the copy")
    (project / "tests" / "old.py").unlink()
    workshops.lay_out(project, folder, ("tests",))
    assert sorted(each.name for each in (folder / "tests").iterdir()) == ["__pycache__", "kept.py", "node_modules"]
    assert (folder / "tests" / "node_modules").readlink() == project / "tests" / "node_modules"
    assert (folder / "tests" / "kept.py").read_text() == "kept"
    assert compiled.is_file()
    assert (folder / "README").is_symlink()
    assert (project / "tests" / "kept.py").read_text() == "kept"


def test_a_record_holds_as_long_as_what_it_was_made_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded, rooms = power("recorded_tests"), power("rooms")
    monkeypatch.setattr(recorded, "ROOT", tmp_path)
    module, test, fixtures = (
        tmp_path / "a" / "m.py",
        tmp_path / "tests" / "test_m.py",
        tmp_path / "tests" / "conftest.py",
    )
    for file in (module, test, fixtures):
        file.parent.mkdir(exist_ok=True)
        file.write_text("1")

    def stale() -> list[str]:
        files = recorded.default_test_files(rooms.PACKAGES, ["*"])
        return list(recorded.Recording(tmp_path / "lines", rooms.PACKAGES, files).stale())

    assert stale() == ["tests/test_m.py"]
    lines = {"a/m.py": f"{recorded.mask_of([1, 5]):x}"}
    told = {"seconds": 0.2, "passed": True, "failed": False, "lines": lines}
    content = {
        "format": recorded.FORMAT,
        "digest": recorded.digest(test),
        "shared": recorded.digest(fixtures),
        "modules": {"a/m.py": recorded.digest(module)},
        "tests": {"tests/test_m.py::passes": told, "tests/test_m.py::fails": told | {"passed": False, "failed": True}},
    }
    recording = recorded.Recording(tmp_path / "lines", rooms.PACKAGES, ["tests/test_m.py"])
    recording._write("tests/test_m.py", content)
    assert stale() == []
    lines = recording.read()
    assert (lines.count, lines.failed) == (1, ["tests/test_m.py::fails"])
    assert [test.id for test in lines.tests("a/m.py", range(5, 6))] == ["tests/test_m.py::passes"]
    assert lines.tests("a/m.py", range(2, 5)) == []
    for file in (module, test, fixtures):
        file.write_text("2")
        assert stale() == ["tests/test_m.py"]
        file.write_text("1")
        assert stale() == []


def test_tests_that_share_what_a_function_remembers_run_the_same_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded, rooms = power("recorded_tests"), power("rooms")
    monkeypatch.setattr(recorded, "ROOT", tmp_path)
    (tmp_path / "plain.py").write_text("def made(): pass\n")
    (tmp_path / "cached.py").write_text("@cache\ndef made(): pass\n")
    recording = recorded.Recording(tmp_path / "lines", rooms.PACKAGES, ["plain.py", "cached.py"])
    told = {"seconds": 0.2, "passed": True, "failed": False}
    for file in ("plain.py", "cached.py"):
        tests = {f"{file}::first": told | {"lines": {"m.py": "2"}}, f"{file}::second": told | {"lines": {"m.py": "4"}}}
        recording._write(file, {"tests": tests})
    found = [test.id for test in recording.read().tests("m.py", range(1, 2))]
    assert found == ["plain.py::first", "cached.py::first", "cached.py::second"]


# A whole run ----------------------------------------------------------------------------------------------------------


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(TOOLS / "harness_power.py"), *map(str, arguments)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(command, capture_output=True, text=True, timeout=900, check=False, env=environment)


@pytest.mark.long
def test_mutants_are_run_and_a_run_that_was_ended_goes_on(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    few = ["--module", "tokenizer_conformance.escape", "--count", "6", "--tests", "tests/conformance/test_escape.py"]
    few += ["--jobs", "1", "--state", str(tmp_path / "state"), "--results", str(results)]
    few += ["--record", str(tmp_path / "record.jsonl")]
    first = run(*few)
    assert first.returncode in (0, 1), first.stderr
    found = [json.loads(line) for line in results.read_text().splitlines()]
    assert len(found) == 6
    assert {each["outcome"] for each in found} & {"seen"}
    assert all(
        each["by"].startswith("tests/conformance/test_escape.py::") for each in found if each["outcome"] == "seen"
    )
    results.write_text("".join(results.read_text().splitlines(keepends=True)[:4]))
    second = run(*few)
    assert second.returncode == first.returncode
    assert second.stdout == first.stdout
    assert "6 mutants of 1 modules, 2 to run" in second.stderr
    assert [json.loads(line)["outcome"] for line in results.read_text().splitlines()] == [
        each["outcome"] for each in found
    ]
    recorded = read_measured(tmp_path / "record.jsonl", "harness_power").lines
    told = ("module", "operator", "occurrence", "line", "diff", "outcome")  # what ran before depends on times
    assert sorted([line["mutant"][key] for key in told] for line in recorded) == sorted(
        [each[key] for key in told] for each in found
    )
