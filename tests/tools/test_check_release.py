"""The files of a release are the same wherever they are built, and whole; jobs are judged by what they leave."""

from __future__ import annotations

import subprocess
import sys
import time
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import check_release as tool
import pytest
from distribution import building, installing
from distribution.installing import Job, Trial

if TYPE_CHECKING:
    from collections.abc import Callable

PYPROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "small-thing"
version = "1.0"
license = "Apache-2.0"
license-files = ["LICENSE"]
dependencies = ["click>=8", "numpy>=1; python_version < '4'"]

[project.optional-dependencies]
pytest = ["pytest>=8"]
other = ["ruff"]

[project.scripts]
small = "small_thing:main"

[tool.hatch.build.targets.wheel]
packages = ["source/small_thing"]
"""
FILES = {
    "pyproject.toml": PYPROJECT,
    "LICENSE": "A licence.\n",
    "Makefile": "all:\n",
    "source/small_thing/__init__.py": "def main():\n    pass\n",
    "source/small_thing/py.typed": "",
    "source/small_thing/data.json": "{}\n",
    "tests/test_it.py": "",
    ".gitignore": "node_modules\ndist/\n__pycache__/\n",
}
LEFT_BEHIND = ("source/small_thing/node_modules/a/index.js", "source/small_thing/__pycache__/b.pyc", "dist/old.whl")
EPOCH = "1700000000"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of a few files, in a repository."""
    root = tmp_path_factory.mktemp("small")
    for name, content in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    subprocess.run(["git", "init", "--quiet", root], check=True)
    subprocess.run(["git", "add", "--all"], cwd=root, check=True)
    (root / "source" / "small_thing" / "unknown.py").touch()
    return root


@pytest.fixture(scope="module")
def built(small: Path, tmp_path_factory: pytest.TempPathFactory) -> building.Built:
    """The files of the small project, built among what work leaves behind."""
    folder = tmp_path_factory.mktemp("built")
    building.copy_sources(folder / "tree", umask=0o077, left_behind=LEFT_BEHIND, root=small)
    assert (folder / "tree" / LEFT_BEHIND[0]).exists()
    return building.build(folder / "tree", folder / "dist", EPOCH, umask=0o077)


def test_the_same_sources_give_the_same_files_elsewhere(small: Path, built: building.Built, tmp_path: Path) -> None:
    building.copy_sources(tmp_path / "other" / "place", root=small)
    again = building.build(tmp_path / "other" / "place", tmp_path / "dist", EPOCH)
    assert again.digests() == built.digests()
    with zipfile.ZipFile(again.wheel) as wheel:
        assert {each.date_time for each in wheel.infolist()} == {time.gmtime(int(EPOCH))[:6]}


def test_a_wheel_has_the_packages_and_nothing_else(small: Path, built: building.Built) -> None:
    assert list(building.problems_of_wheel(built.wheel, small)) == []
    assert list(building.problems_of_source(built.source, small)) == []
    (data,) = [part for part in building.parts_of(built.wheel) if part.name != "small_thing"]
    assert (data.name, data.files) == ("small_thing-1.0.dist-info", len(building.OF_THE_WHEEL))


@pytest.mark.parametrize(
    ("without", "with_", "problem"),
    [
        ("small_thing/data.json", None, "lacks small_thing/data.json"),
        ("small_thing/py.typed", None, "does not say that small_thing has types"),
        ("small_thing-1.0.dist-info/licenses/LICENSE", None, "lacks small_thing-1.0.dist-info/licenses/LICENSE"),
        (None, "small_thing/tests/test_it.py", "has small_thing/tests/test_it.py"),
        (None, "other/__init__.py", "has other/__init__.py, which is not among the sources"),
        ("small_thing-1.0.dist-info/METADATA", None, "has Version None, and pyproject.toml 1.0"),
    ],
)
def test_what_a_wheel_lacks_or_has_too_much_is_told(
    small: Path, built: building.Built, tmp_path: Path, without: str | None, with_: str | None, problem: str
) -> None:
    changed = tmp_path / built.wheel.name
    with zipfile.ZipFile(built.wheel) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            if name != without:
                new.writestr(name, old.read(name))
        if with_:
            new.writestr(with_, "")
    assert any(problem in each for each in building.problems_of_wheel(changed, small))


def test_a_folder_without_one_wheel_and_one_archive_is_refused(tmp_path: Path, built: building.Built) -> None:
    with pytest.raises(ValueError, match="0 wheels and 0 source distributions"):
        building.built_in(tmp_path)
    assert building.built_in(built.wheel.parent) == built


def test_files_that_differ_are_problems(
    small: Path, built: building.Built, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for check in (building.problems_of_wheel, building.problems_of_source):
        monkeypatch.setattr(tool, check.__name__, lambda file, check=check: check(file, small))
    assert list(tool.problems_of_files(built, [built])) == []
    other = tmp_path / built.wheel.name
    other.write_bytes(built.wheel.read_bytes() + b" ")
    (problem,) = tool.problems_of_files(built, [replace(built, wheel=other)])
    assert str(other) in problem


def test_what_a_wheel_requires_is_asked_for_itself_and_with_extras(built: building.Built) -> None:
    assert [str(each) for each in installing.requirements_of(built.wheel)] == ["click>=8", "numpy>=1", "pytest>=8"]
    assert [str(each) for each in installing.requirements_of(built.wheel, ())] == ["click>=8", "numpy>=1"]


# Environments and jobs ------------------------------------------------------------------------------------------------


def test_this_python_is_found_and_one_that_nobody_has_is_not() -> None:
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert installing.interpreter(version) == Path(sys.executable)
    assert installing.interpreter("3.1") is None


def program(folder: Path, name: str, script: str) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!{sys.executable}\n{script}\n")
    file.chmod(0o755)
    return file


VENV = """
import os, pathlib, subprocess, sys
if sys.argv[1] == "venv":
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", sys.argv[-1]], check=True)
elif sys.argv[2] == "install":
    {installing}
else:
    print("click==8.5.1")
    print("Other==1")
"""


@pytest.fixture
def uv(tmp_path: Path) -> Callable[[str], str]:
    """A function that returns a program in the place of uv, which installs by these lines of Python."""
    return lambda installing: str(program(tmp_path, "uv", VENV.format(installing=installing)))


CHOOSING = """
import pathlib, sys
if sys.argv[sys.argv.index("--resolution") + 1] == "highest":
    sys.exit("no solution")
pathlib.Path(sys.argv[sys.argv.index("--output-file") + 1]).write_text("click==8.4.2\\nother==1\\n")
"""


def test_of_a_python_that_is_not_here_it_is_told_whether_there_are_files_for_it(
    built: building.Built, tmp_path: Path
) -> None:
    uv = str(program(tmp_path, "uv", CHOOSING))
    trial = installing.tried(built.wheel, "3.1", "oldest", uv, tmp_path)
    assert trial.is_good
    assert trial.versions == ("click==8.4.2",)
    assert "| 3.1 | oldest | – | – | – | – | – | no such Python on this machine; " in tool.trials_in_words([trial])
    trial = installing.tried(built.wheel, "3.1", "newest", uv, tmp_path)
    assert trial.missing.endswith("no dependencies for it: status 1: no solution")
    assert not trial.is_good


@pytest.fixture
def version() -> str:
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def test_what_cannot_be_installed_is_told(
    uv: Callable[[str], str], built: building.Built, version: str, tmp_path: Path
) -> None:
    trial = installing.tried(built.wheel, version, "newest", uv('sys.exit("no such release")'), tmp_path)
    assert trial.missing == "cannot be installed: status 1: no such release"
    assert not trial.is_good


def test_packages_that_are_not_those_of_the_wheel_are_seen(
    uv: Callable[[str], str], built: building.Built, version: str, tmp_path: Path
) -> None:
    sources = [str(tool.ROOT / name) for name in ("reference", "adapters", "conformance")]
    there = [*sources, *(each for each in sys.path if each.endswith("site-packages"))]
    leak = (
        "site = next(pathlib.Path(sys.argv[sys.argv.index('--python') + 1]).parent.parent.glob('lib/*/site-packages'));"
        f" (site / 'leak.pth').write_text({chr(10).join(there)!r})"
    )
    trial = installing.tried(built.wheel, version, "newest", uv(leak), tmp_path)
    assert trial.missing == "other packages than the wheel's are read"
    assert trial.versions == ("click==8.5.1",)


@pytest.mark.parametrize(
    ("script", "result"),
    [
        ("open('page.html', 'w')", "ok"),
        ("pass", "page.html not written"),
        ("import sys; print('it began'); sys.exit('and broke')", "status 1: and broke"),
        ("import sys; sys.exit(3)", "status 3: nothing was printed"),
        ("import os; open('page.html', 'w'); raise SystemExit('PYTHONPATH' in os.environ)", "ok"),
    ],
)
def test_a_job_has_to_end_well_and_to_write_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, result: str
) -> None:
    monkeypatch.setenv("PYTHONPATH", "somewhere")
    folder = tmp_path / "work"
    folder.mkdir()
    program(tmp_path / "environment" / "bin", "tokconf", script)
    assert (
        installing._result(Job("page", ("tokconf", "run"), ("page.html",)), tmp_path / "environment", folder) == result
    )


def test_the_table_says_what_was_done_where_and_with_what() -> None:
    failing = Trial("3.12.1", "oldest", ("ok", "ok", "a | b", "ok", "ok"), ("click==8.4.2", "rich==13.7"))
    words = tool.trials_in_words([failing])
    assert r"| 3.12.1 | oldest | ok | ok | a \| b | ok | ok |  |" in words
    assert "- Python 3.12.1, oldest: click 8.4.2, rich 13.7" in words
    assert not failing.is_good


def test_the_pythons_are_those_of_the_classifiers() -> None:
    assert tool.supported_pythons()[:2] == ["3.11", "3.12"]


@pytest.mark.long
def test_the_files_of_this_project_are_whole_and_the_same_elsewhere() -> None:
    done = subprocess.run(
        [sys.executable, tool.__file__, "--files-only"], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("\n0 problems\n")
    assert "| tokenizer_reference |" in done.stdout
