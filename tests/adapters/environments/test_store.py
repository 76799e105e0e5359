"""Environments are made once, whole or not at all, whoever wants them; and each thing that goes wrong has its words."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.environments import store
from tokenizer_adapters.environments.faults import (
    CannotImportError,
    ConflictError,
    DiskFullError,
    EnvironmentFaultError,
    NotWritableError,
)
from tokenizer_adapters.environments.store import DESCRIPTION, Environment, kept, remove

if TYPE_CHECKING:
    from pathlib import Path

    from wheel_registry import Registry

MAKE = (
    "from tokenizer_adapters.environments.store import Environment; Environment(('tokie==1.0',), 'tokie').ensure(print)"
)


@pytest.fixture(scope="module")
def aside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The place of a copy of the environment that was made first."""
    return tmp_path_factory.mktemp("aside") / "environments"


@pytest.fixture
def made(tokie: Environment, cache: Path, aside: Path) -> Environment:
    """The environment of a release, complete; a copy after the first time, since to make one takes a second."""
    if aside.exists():
        shutil.copytree(aside, cache, symlinks=True)
    else:
        tokie.ensure()
        shutil.copytree(cache, aside, symlinks=True)
    assert tokie.is_complete
    return tokie


def version_in(environment: Environment) -> str:
    command = [environment.python, "-I", "-c", "import tokie; print(tokie.VERSION)"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.long
def test_an_environment_is_made_once_and_found_again(tokie: Environment) -> None:
    told: list[str] = []
    assert not tokie.is_complete
    tokie.ensure(told.append)
    assert told == [
        "making the environment of tokie==1.0 with pip",
        "making the environment of tokie==1.0: importing tokie",
    ]
    assert tokie.is_complete
    assert version_in(tokie) == "1.0"
    tokie.ensure(told.append)
    assert len(told) == 2


@pytest.mark.long
@pytest.mark.usefixtures("made")
def test_its_description_says_what_is_in_it() -> None:
    (found,) = kept()
    assert found.complete
    assert found.requirements == ("tokie==1.0",)
    assert dict(found.installed)["tokie"] == "1.0"
    assert found.by == "pip"
    assert found.size > 0
    assert found.made is not None
    assert found.last_used is not None


def test_another_release_or_another_requirement_is_another_environment(tokie: Environment) -> None:
    others = [Environment(("tokie==1.1",)), Environment(("tokie==1.0", "numpy"))]
    assert len({each.key for each in (tokie, *others)}) == 3
    assert Environment(tokie.requirements).key == tokie.key


@pytest.mark.long
def test_one_whose_description_cannot_be_read_is_made_again(made: Environment) -> None:
    (made.folder / "stray").write_text("left")
    whole = json.loads((made.folder / DESCRIPTION).read_text("utf-8"))
    contents = [
        *("", "{", "[]", "null", "\ud800", "[" * 100_000),
        *(json.dumps({**whole, key: value}) for key in whole.keys() - {"size", "seconds"} for value in (None, 99, [])),
        *(json.dumps({name: value for name, value in whole.items() if name != key}) for key in ("format", "installed")),
    ]
    for content in contents:
        (made.folder / DESCRIPTION).write_bytes(content.encode("utf-8", "surrogatepass"))
        assert not made.is_complete, content
        assert [each.complete for each in kept()] == [False]
    made.ensure()
    assert version_in(made) == "1.0"
    assert not (made.folder / "stray").exists()


@pytest.mark.long
def test_one_whose_python_has_gone_is_made_again(made: Environment) -> None:
    made.python.unlink()
    assert [each.complete for each in kept()] == [False]
    made.ensure()
    assert version_in(made) == "1.0"


@pytest.mark.long
def test_one_that_was_killed_half_way_is_made_again(tokie: Environment) -> None:
    making = subprocess.Popen([sys.executable, "-c", MAKE], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (tokie.folder / "venv").exists():
        assert making.poll() is None
        time.sleep(0.005)
    making.send_signal(signal.SIGKILL)
    making.wait()
    assert [each.complete for each in kept()] == [False]
    tokie.ensure()
    assert version_in(tokie) == "1.0"


@pytest.mark.long
def test_two_processes_that_want_the_same_one_make_it_once_and_the_other_says_that_it_waits(tokie: Environment) -> None:
    both = [
        subprocess.Popen(
            [sys.executable, "-u", "-c", MAKE], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        for _ in range(2)
    ]
    said = sorted(process.communicate()[0].splitlines() for process in both)
    assert [process.returncode for process in both] == [0, 0]
    made = [lines for lines in said if lines and lines[0].startswith("making")]
    assert len(made) == 1
    others = [lines for lines in said if lines not in made]
    # The slower one waits, unless it came when all was done.
    assert others in ([["waiting for another process that makes the environment of tokie==1.0"]], [[]])
    assert version_in(tokie) == "1.0"


@pytest.mark.long
def test_who_waits_for_a_process_that_is_killed_makes_it(tokie: Environment) -> None:
    making = subprocess.Popen([sys.executable, "-c", MAKE], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not tokie.folder.exists():
        assert making.poll() is None
        time.sleep(0.005)
    told: list[str] = []

    def tell(words: str) -> None:
        told.append(words)
        if words.startswith("waiting"):
            making.send_signal(signal.SIGKILL)

    tokie.ensure(tell)
    making.wait()
    assert told[0] == "waiting for another process that makes the environment of tokie==1.0"
    assert told[1] == "making the environment of tokie==1.0 with pip"
    assert version_in(tokie) == "1.0"


@pytest.mark.long
def test_what_cannot_be_imported_is_said_and_not_kept(registry: Registry) -> None:
    registry.add("tokie", "3.0", content="raise ImportError('libfast.so.3: cannot open shared object file')")
    environment = Environment(("tokie==3.0",), "tokie")
    words = (
        r"tokie==3.0 can be installed .* and cannot be imported: ImportError: libfast.so.3: cannot open shared object"
    )
    with pytest.raises(CannotImportError, match=words):
        environment.ensure()
    assert kept() == []


@pytest.mark.long
def test_what_a_release_needs_and_is_not_there_is_no_missing_release(registry: Registry) -> None:
    registry.add("tokie", "4.0", needs="nowhere>=1")
    with pytest.raises(ConflictError, match=r"what tokie==4.0 needs has no file for this Python .*nowhere"):
        Environment(("tokie==4.0",), "tokie").ensure()


def full_disk(folder: Path, *_: object) -> None:
    (folder / "half").mkdir(parents=True)
    raise DiskFullError("no space is left")


def test_what_is_half_made_on_a_full_disk_is_taken_away(tokie: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "make", full_disk)
    with pytest.raises(DiskFullError):
        tokie.ensure()
    assert kept() == []


@pytest.mark.parametrize(
    ("number", "error", "words"),
    [
        (28, DiskFullError, "no space is left for the environment of tokie==1.0 in .* TOKCONF_CACHE"),
        (30, NotWritableError, "cannot be written in .* \\(read-only file system\\); have TOKCONF_CACHE name"),
        (13, NotWritableError, "cannot be written in .* \\(permission denied\\); have TOKCONF_CACHE name"),
    ],
)
def test_a_folder_that_cannot_be_written_is_said(
    tokie: Environment, monkeypatch: pytest.MonkeyPatch, number: int, error: type[Exception], words: str
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("pathlib.Path.mkdir", refused)
    with pytest.raises(error, match=words):
        tokie.ensure()


def test_a_file_in_the_place_of_the_cache_is_said(tokie: Environment, cache: Path) -> None:
    cache.parent.write_text("a file")
    with pytest.raises(NotWritableError, match="TOKCONF_CACHE name a folder that can"):
        tokie.ensure()


def test_a_cache_that_can_only_be_read_serves_what_is_there(made: Environment, monkeypatch: pytest.MonkeyPatch) -> None:

    def refused(*_: object, **__: object) -> None:
        raise OSError(30, os.strerror(30))

    monkeypatch.setattr("pathlib.Path.mkdir", refused)
    monkeypatch.setattr("pathlib.Path.touch", refused)
    made.ensure()


@pytest.mark.long
def test_what_is_removed_is_gone_and_can_be_made_again(made: Environment) -> None:
    (found,) = kept()
    remove(found.folder)
    assert kept() == []
    made.ensure()
    assert made.is_complete


@pytest.mark.long
def test_what_is_being_made_is_not_removed(tokie: Environment) -> None:
    refused: list[str] = []

    def tell(_words: str) -> None:
        if not refused:
            with pytest.raises(
                EnvironmentFaultError, match="is being made by another process; try again later"
            ) as error:
                remove(tokie.folder)
            refused.append(str(error.value))

    tokie.ensure(tell)
    assert refused
    assert tokie.is_complete


def test_nothing_is_kept_where_there_is_no_folder(cache: Path) -> None:
    assert not cache.exists()
    assert kept() == []


@pytest.mark.long
def test_settings_for_other_installations_do_not_reach_these(
    tokie: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "constraints.txt").write_text("tokie==1.1\n")
    monkeypatch.setenv("PIP_CONSTRAINT", str(tmp_path / "constraints.txt"))
    monkeypatch.setenv("PIP_TARGET", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "tokie.py").write_text("VERSION = 'not installed'")
    tokie.ensure()
    assert version_in(tokie) == "1.0"


def test_the_description_is_json_for_others_too(made: Environment) -> None:
    read = json.loads((made.folder / DESCRIPTION).read_text("utf-8"))
    assert read["format"] == store.FORMAT
    assert read["requirements"] == ["tokie==1.0"]
