"""An exported folder is enough: a program that has nothing of ours comes to the verdicts that the harness comes to."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.peers import tokenizers_js
from tokenizer_adapters.peers.tokenizers_js import TokenizersJsImplementation
from tokenizer_conformance.validation.suite.export import Form, exported, write_folder
from tokenizer_conformance.validation.suite.reader import read_files, read_register, read_suite
from tokenizer_conformance.validation.suite.running import results_of
from tokenizer_conformance.validation.suite.selection import Wanted, chosen_cases

if TYPE_CHECKING:
    from collections.abc import Mapping

RUNNER = Path(__file__).parents[4] / "examples" / "suite" / "run_suite.mjs"
MODULES = Path(tokenizers_js.__file__).parent / "node_modules"

pytestmark = [
    pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed"),
    pytest.mark.skipif(not MODULES.is_dir(), reason="make peers installs @huggingface/tokenizers"),
]

SAMPLE = Wanted("bertnorm or wordpiece or padding or bytelevel or save")
"""Areas with every kind of step."""


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program where a user would have it: beside the packages that are installed."""
    folder = tmp_path_factory.mktemp("user")
    (folder / "node_modules").symlink_to(MODULES)
    return Path(shutil.copy(RUNNER, folder))


def run(runner: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["node", str(runner), *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, check=False)


def verdicts_of_the_adapter() -> Mapping[str, str]:
    with TokenizersJsImplementation() as implementation:
        return {
            result.judged.id: result.verdict
            for result in results_of(chosen_cases(read_suite(), SAMPLE), implementation)
        }


def test_the_runner_comes_to_the_verdicts_of_the_harness(runner: Path, tmp_path: Path) -> None:
    write_folder(str(tmp_path / "suite"), exported(read_files(), read_register(), SAMPLE, Form.JSON), force=False)
    lines = run(runner, str(tmp_path / "suite"), "--json").stdout.splitlines()
    theirs = {found["case"]: found["verdict"] for found in map(json.loads, lines)}
    assert theirs == verdicts_of_the_adapter()


def test_what_the_runner_prints_and_its_exit_status(runner: Path, tmp_path: Path) -> None:
    folder = tmp_path / "suite"
    files = exported(read_files(), read_register(), Wanted("bertnorm-strip-accents-default"), Form.JSON)
    write_folder(str(folder), files, force=False)
    right = run(runner, str(folder))
    assert (right.returncode, right.stderr) == (0, "")
    count = sum(1 for case in read_suite().cases() if case.requirement.id == "BERTNORM-STRIP-ACCENTS-DEFAULT")
    assert right.stdout == f"normalizers.BertNormalizer: {count} passed\n"
    file = folder / "normalizers.BertNormalizer.json"
    file.write_text(file.read_text("ascii").replace('"expected": {"text": "', '"expected": {"text": "x'), "ascii")
    wrong = run(runner, str(folder))
    assert (wrong.returncode, " failed" in wrong.stdout) == (1, True)


def test_the_runner_says_what_it_cannot_read(runner: Path, tmp_path: Path) -> None:
    assert run(runner).returncode == 2
    files = exported(read_files(), read_register(), Wanted("bertnorm"), Form.JSON_LINES)
    write_folder(str(tmp_path / "lines"), files, force=False)
    refused = run(runner, str(tmp_path / "lines"))
    assert (refused.returncode, "export it with --format json" in refused.stderr) == (2, True)


def test_the_runner_has_nothing_of_ours() -> None:
    imports = [line.rpartition(" ")[2] for line in RUNNER.read_text("utf-8").splitlines() if line.startswith("import")]
    assert all(each.startswith('"node:') or each == '"@huggingface/tokenizers";' for each in imports)
