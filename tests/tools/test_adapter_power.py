"""What shows the power of the adapters' tests: its data can be used, and it tells each outcome."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import adapter_power
import pytest
from published.measuring import Measuring
from published.renderers import RENDERERS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

PROJECT = Path(__file__).resolve().parents[2]
TOOLS = PROJECT / "tools"
TEST = "tests/adapters/test_registry.py::test_the_same_registration_seen_twice_counts_once"

CAUGHT = (
    "seen",
    "A repetition is refused.",
    "        if other.value != entry.value:",
    "        if other is not entry:",
)
MISSED = ("missed", "Nothing is suggested.", 'if close else ""', 'if not close else ""')
STALE = ("stale", "It was there once.", "no such text", "")
MANY = ("many", "It is there too often.", "entry", "")
NO_PYTHON = ("no-python", "It cannot be read.", "import difflib", "import difflib(")
NO_IMPORT = ("no-import", "It cannot be imported.", "import difflib", "import no_such_module")

pytestmark = pytest.mark.skipif(os.name != "posix", reason="tests that hang are ended with their group")


def power(module: str) -> ModuleType:
    return importlib.import_module(f"power.{module}")


def written(folder: Path, *faults: tuple[str, ...], tests: str = TEST) -> Path:
    """Write ``faults`` of the registry to a file in ``folder``, and return that."""
    lines = ['module = "registry.py"', f"tests = [{json.dumps(tests)}]"]
    for fault in faults:
        lines += ["[[fault]]", *(f"{name} = {json.dumps(text)}" for name, text in zip(FIELDS, fault, strict=True))]
    (folder / "registry.toml").write_text("\n".join(lines), encoding="utf-8")
    return folder


FIELDS = ("id", "what", "old", "new")


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(TOOLS / "adapter_power.py"), "--faults", str(folder), *arguments]
    command += ["--record", str(folder / "record.jsonl")]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)


# The data -------------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_every_fault_can_be_planted_and_has_tests() -> None:
    faults = power("adapter_faults").read_adapter_faults()
    assert len(faults) >= 90
    stale = []
    for fault in faults:
        try:
            fault.changed()
        except power("faults").FaultDataError as error:
            stale.append(str(error))
    assert stale == []
    assert {
        path for fault in faults for path in fault.checks.paths if not (PROJECT / path.partition("::")[0]).is_file()
    } == set()


def test_faults_are_of_what_no_machine_changes() -> None:
    left_out = [each for each, _ in power("rooms").LEFT_OUT_MODULES]
    assert "tokenizer_adapters.peers.*" in left_out
    assert {fault.module.partition("/")[0] for fault in power("adapter_faults").read_adapter_faults()} == {"peers"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('module = "registry.py"', "expected the text `module` and the list of texts `tests`"),
        ('tests = ["a"]', "expected the text `module` and the list of texts `tests`"),
        ('module = "registry.py"\ntests = []', "expected the text `module` and the list of texts `tests`"),
        ('module = "registry.py"\ntests = ["a"]\ntest = 1', "test is not known there"),
        (
            'module = "registry.py"\ntests = ["a"]\n[[fault]]\nid = "f"',
            "fault 'f': expected the texts id, what, old, new",
        ),
    ],
)
def test_data_of_another_form_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.toml").write_text(text)
    with pytest.raises(power("faults").FaultDataError, match=r"^a\.toml: ") as caught:
        power("adapter_faults").read_adapter_faults(tmp_path)
    assert message in str(caught.value)


def test_a_fault_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    written(tmp_path, CAUGHT, CAUGHT)
    with pytest.raises(power("faults").FaultDataError, match="the fault seen is there twice"):
        power("adapter_faults").read_adapter_faults(tmp_path)


# The record -----------------------------------------------------------------------------------------------------------


def test_the_page_has_each_fault_of_its_record_with_what_came_of_it(tmp_path: Path) -> None:
    adapter_run, record = power("adapter_run"), Measuring(tmp_path / "a.jsonl", adapter_power.TOOL)
    (tmp_path / "faults").mkdir()
    faults = power("adapter_faults").read_adapter_faults(written(tmp_path / "faults", CAUGHT, MISSED, STALE))
    by = "tests/adapters/test_registry.py::test_it[a|b]"
    outcomes = [adapter_run.Caught(by, "hangs"), adapter_run.NotCaught(), adapter_run.Rejected("it is stale")]
    for fault, outcome in zip(faults, outcomes, strict=True):
        record.add(adapter_power.told(fault, outcome))
    record.finish()
    assert [adapter_power.in_words(line).split(maxsplit=2)[2] for line in record.lines[1:]] == [
        "NOT CAUGHT: registry.py: Nothing is suggested.",
        "BAD FAULT: it is stale",
    ]
    page = str(RENDERERS["adapter-power"]([tmp_path / "a.jsonl"]))
    assert "\n1 of 3 faults in 1 modules were caught.\n\n## registry.py: 1 of 3\n" in page
    assert [line.split(" | ")[-1].rstrip(" |") for line in page.splitlines() if line.startswith("| ")] == [
        "caught by",
        "`test_registry.py::test_it[a\\|b]` (hangs)",
        "**not caught**",
        "**cannot be planted**",
    ]


def test_a_command_that_was_ended_goes_on_until_the_tests_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []

    def ask(faults: list[Any], *_: object) -> Iterator[tuple[Any, Any]]:
        for fault in faults:
            if asked == ["seen"]:
                asked.clear()
                raise KeyboardInterrupt
            asked.append(fault.id)
            yield fault, power("adapter_run").Caught("a_test")

    monkeypatch.setattr(adapter_power, "run_adapter_faults", ask)
    folder = written(tmp_path, CAUGHT, MISSED)
    arguments = ["--faults", str(folder), "--record", str(tmp_path / "a.jsonl")]
    with pytest.raises(KeyboardInterrupt):
        adapter_power.main(arguments)
    assert adapter_power.main([*arguments, "-k", "seen"]) == adapter_power.NO_RUN
    assert "is the beginning of another measurement" in capsys.readouterr().err
    assert adapter_power.main(arguments) == 0
    assert asked == ["missed"]
    assert capsys.readouterr().out.endswith("\n2 of 2 faults are caught\n")


def test_a_part_is_recorded_nowhere_but_in_a_file_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask(faults: list[Any], *_: object) -> Iterator[tuple[Any, Any]]:
        for fault in faults:
            yield fault, power("adapter_run").Caught("a_test")

    whole = tmp_path / "whole.jsonl"
    whole.write_text("the record of all", encoding="utf-8")
    monkeypatch.setattr(adapter_power, "RECORD", whole)
    monkeypatch.setattr(adapter_power, "run_adapter_faults", ask)
    assert adapter_power.main(["-k", "tokie"]) == 0
    assert adapter_power.main(["--faults", str(written(tmp_path, CAUGHT))]) == 0
    assert {file.name for file in tmp_path.iterdir()} == {"whole.jsonl", "registry.toml"}
    assert whole.read_text("utf-8") == "the record of all"
    assert adapter_power.main(["-k", "tokie", "--record", str(tmp_path / "part.jsonl")]) == 0
    assert (tmp_path / "part.jsonl").is_file()


# Runs -----------------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_fault_that_a_test_sees_is_caught_by_that_test(tmp_path: Path) -> None:
    before = (PROJECT / "adapters" / "tokenizer_adapters" / "registry.py").read_bytes()
    done = run(written(tmp_path, CAUGHT))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0].split() == ["seen", "caught", "by", TEST]
    assert done.stdout.endswith("\n1 of 1 faults are caught\n")
    assert "1 of 1 faults in 1 modules were caught" in str(RENDERERS["adapter-power"]([tmp_path / "record.jsonl"]))
    assert (PROJECT / "adapters" / "tokenizer_adapters" / "registry.py").read_bytes() == before


@pytest.mark.long
def test_a_fault_that_no_test_sees_is_named_and_fails(tmp_path: Path) -> None:
    done = run(written(tmp_path, CAUGHT, MISSED), "--jobs", "1")
    assert done.returncode == 1
    assert done.stdout.splitlines()[1].startswith("! missed ")
    assert done.stdout.splitlines()[1].endswith(" NOT CAUGHT: registry.py: Nothing is suggested.")
    assert done.stdout.endswith("\n1 of 2 faults are caught\n")


@pytest.mark.long
def test_a_fault_that_cannot_be_planted_is_not_caught_and_the_others_are_run(tmp_path: Path) -> None:
    done = run(written(tmp_path, STALE, MANY, NO_PYTHON, NO_IMPORT, CAUGHT), "-k", "n", "-k", "stale")
    assert done.returncode == 3
    assert [line.split()[1] for line in done.stdout.splitlines()[:4]] == ["stale", "many", "no-python", "no-import"]
    stale, many, no_python, no_import, seen = done.stdout.splitlines()[:5]
    assert "BAD FAULT: fault stale is stale: `old` does not stand in the module registry.py" in stale
    assert "BAD FAULT: fault many is stale: `old` stands " in many
    assert "BAD FAULT: fault no-python makes registry.py no Python: " in no_python
    assert "BAD FAULT: fault no-import: " in no_import
    assert no_import.endswith("ModuleNotFoundError: No module named 'no_such_module'")
    assert seen.split()[:2] == ["seen", "caught"]
    assert done.stdout.endswith("\n1 of 5 faults are caught\n")


@pytest.mark.long
def test_tests_that_do_not_pass_without_a_fault_show_nothing(tmp_path: Path) -> None:
    done = run(written(tmp_path, CAUGHT, tests="tests/adapters/test_registry.py::test_of_old"))
    assert done.returncode == 2
    assert done.stdout == ""
    assert "without a fault, tests/adapters/test_registry.py::test_of_old does not pass" in done.stderr
