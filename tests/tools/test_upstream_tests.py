"""The command that runs upstream's own tests: a tiny folder of tests in place of these, and no network."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types import ModuleType

TOOLS = Path(__file__).resolve().parents[2] / "tools"

HEAD = """
import os
import pytest
from huggingface_hub import hf_hub_download
from tokenizers import Tokenizer, models
from tokenizers.normalizers import Lowercase

def given(filename):
    return hf_hub_download(repo_id="hf-internal-testing/tokenizers-test-data", filename=filename, repo_type="dataset")
"""

GOOD = """
def test_it_meets_the_package_that_was_named():
    assert Lowercase.__module__.startswith("tokenizer_reference")
    assert os.path.basename(os.getcwd()) == "python"

async def test_a_coroutine():
    assert Tokenizer(models.BPE()).encode("").ids == []

def test_data_that_is_there():
    assert open(given("here.txt")).read() == "here"

def test_a_repository_that_is_there():
    with pytest.raises(ValueError, match="tokenizer"):
        Tokenizer.from_pretrained("someone/broken")

def test_data_that_is_not_there():
    given("elsewhere.txt")

@pytest.mark.skip(reason="for another day")
def test_that_upstream_skips():
    pass

def test_multiprocessing_with_parallelism():
    assert "no threads" == "hangs"
"""

BAD = """
def test_that_fails():
    assert Lowercase().normalize_str("A") == "A"

@pytest.fixture
def broken():
    raise RuntimeError("the fixture is broken")

def test_without_its_fixture(broken):
    pass

def test_at_whose_end_something_is_wrong(request):
    request.addfinalizer(lambda: 1 / 0)
"""


def upstream(module: str) -> ModuleType:
    return importlib.import_module(f"upstream.{module}")


def written(folder: Path, **files: str) -> Path:
    tests = folder / "source" / "bindings" / "python" / "tests"
    tests.mkdir(parents=True)
    for name, text in files.items():
        (tests / f"{name}.py").write_text(text, "utf-8")
    return folder / "source"


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(TOOLS / "upstream_tests.py"), *map(str, arguments)]
    environment = os.environ | {"TOKCONF_SHARED": "no such folder"}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.long
def test_what_can_run_is_run_on_the_reference_and_the_rest_told_with_its_reason(tmp_path: Path) -> None:
    source = written(tmp_path, test_some=HEAD + GOOD, test_other="import no_such_module\ndef test_it(): pass\n")
    data = tmp_path / "data"
    (data / "someone" / "broken").mkdir(parents=True)
    (data / "someone" / "broken" / "tokenizer.json").write_text("[]")
    (data / "here.txt").write_text("here")
    done = run(source, "--data", data)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines() == [
        "cannot run: for another day",
        "       tests/test_some.py::test_that_upstream_skips",
        "cannot run: it asks that a forked process hangs, as threads were at work before: the reference has none",
        "       tests/test_some.py::test_multiprocessing_with_parallelism",
        "cannot run: no data: elsewhere.txt of hf-internal-testing/tokenizers-test-data",
        "       tests/test_some.py::test_data_that_is_not_there",
        "cannot run: no module no_such_module",
        "       tests/test_other.py",
        "tokenizer_reference: 4 of 4 tests that can run passed, 0 failed; 4 cannot run",
    ]


@pytest.mark.long
def test_failures_are_told_and_fail(tmp_path: Path) -> None:
    source = written(
        tmp_path,
        test_some=HEAD + BAD,
        test_name="from tokenizers import NoSuchName",
        test_module="import tokenizers.no",
    )
    done = run(source)
    assert done.returncode == 1
    assert [line.split()[1] for line in done.stdout.splitlines() if line.startswith("FAILED")] == [
        "tests/test_module.py",
        "tests/test_name.py",
        "tests/test_some.py::test_at_whose_end_something_is_wrong",
        "tests/test_some.py::test_that_fails",
        "tests/test_some.py::test_without_its_fixture",
    ]
    assert "0 of 5 tests that can run passed, 5 failed" in done.stdout


@pytest.mark.long
def test_nothing_that_ran_is_no_success(tmp_path: Path) -> None:
    done = run(written(tmp_path, test_some=HEAD + GOOD), "-k", "upstream_skips")
    assert done.returncode == 3
    assert "nothing ran" in done.stderr


@pytest.mark.long
def test_a_run_that_is_cut_short_is_no_success(tmp_path: Path) -> None:
    source = written(
        tmp_path, test_some="import os\ndef test_a(): pass\ndef test_b(): os._exit(0)\ndef test_c(): pass\n"
    )
    done = run(source)
    assert done.returncode == 3
    assert "before their end, after 1 of them" in done.stderr


def test_where_there_are_no_tests(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "text.txt").write_text("text")
    for source in (tmp_path, tmp_path / "text.txt", tmp_path / "missing"):
        assert importlib.import_module("upstream_tests").main([str(source)]) == 2
        assert str(source) in capsys.readouterr().err


def test_tests_are_found_in_folders_and_archives(tmp_path: Path) -> None:
    source = written(tmp_path, test_some="", utils="")
    (source / "tests").mkdir()
    (source / "tests" / "some.rs").write_text("")
    with tarfile.open(tmp_path / "source.tar.gz", "w:gz") as tar:
        tar.add(source, "tokenizers-1.0")
    with zipfile.ZipFile(tmp_path / "source.whl", "w") as wheel:
        for path in source.rglob("*.py"):
            wheel.write(path, path.relative_to(source))
    forms = [source, source / "bindings" / "python" / "tests", tmp_path / "source.tar.gz", tmp_path / "source.whl"]
    for number, form in enumerate(forms):
        folder = upstream("sources").copied_tests(form, tmp_path / str(number))
        assert folder.name == "python"
        assert {path.name for path in (folder / "tests").iterdir()} == {"test_some.py", "utils.py"}


def test_the_version_is_the_one_that_is_pinned() -> None:
    assert f"\ntokenizers=={upstream('sources').pinned_version()}\n" in (TOOLS.parent / "constraints.txt").read_text()


def test_the_stand_in_of_the_build_backend_gives_metadata(tmp_path: Path) -> None:
    names: dict[str, object] = {}
    exec(upstream("sources").BACKEND.format(name="a", version="1.2"), names)
    folder = names["prepare_metadata_for_build_wheel"](str(tmp_path))  # type: ignore[operator]
    assert (tmp_path / folder / "METADATA").read_text().splitlines()[1:] == ["Name: a", "Version: 1.2"]


def test_tests_that_met_another_package_do_not_count(tmp_path: Path) -> None:
    outcomes = upstream("outcomes")
    file = tmp_path / "results"
    file.write_text('{"place": "", "outcome": "finished", "reason": "tokenizers"}\n')
    assert outcomes.read_results(file, "tokenizers", {}).passed == frozenset()
    with pytest.raises(outcomes.NotFinishedError, match="met tokenizers where"):
        outcomes.read_results(file, "tokenizer_reference", {})
