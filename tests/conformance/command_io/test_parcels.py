"""What a value names of this machine's files goes along to another machine, and is found there."""

from __future__ import annotations

import pickle
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from tokenizer_adapters.contract import TokenizerSource
from tokenizer_adapters.environments.store import VARIABLE
from tokenizer_adapters.protocol.launch import Program
from tokenizer_adapters.selection import Isolation, select, served
from tokenizer_conformance.command_io import parcels
from tokenizer_conformance.command_io.parcels import is_here, packed, unpack
from tokenizer_conformance.command_io.ray_pool import folders_of


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def source(tmp_path: Path) -> TokenizerSource:
    folder = tmp_path / "checkpoint"
    folder.mkdir()
    for name in ("tokenizer.json", "tokenizer_config.json", "model.safetensors"):
        (folder / name).write_text(name)
    return TokenizerSource("mine", str(folder / "tokenizer.json"), str(folder))


def there(pickled: bytes) -> Any:
    return pickle.loads(pickled)


def test_a_tokenizer_is_unpacked_where_its_files_are_not_seen(source: TokenizerSource) -> None:
    given = packed({"task": [source]})
    (parcel,) = given.parcels
    assert parcel.listed.names == ("tokenizer.json", "tokenizer_config.json")
    shutil.rmtree(Path(source.file).parent)
    assert not is_here(parcel.listed)
    unpack(parcel)
    unpack(parcel)  # as another process may at the same time
    assert is_here(parcel.listed)
    (found,) = there(given.pickled)["task"]
    assert found.name == "mine"
    assert Path(found.file).read_text() == "tokenizer.json"
    assert sorted(path.name for path in Path(found.folder).iterdir()) == ["tokenizer.json", "tokenizer_config.json"]


def test_where_the_very_files_are_seen_they_are_used(source: TokenizerSource, cache: Path) -> None:
    given = packed(source)
    assert is_here(given.parcels[0].listed)
    assert there(given.pickled) == source
    Path(source.file).write_text("another tokenizer")
    assert not is_here(given.parcels[0].listed)
    assert not cache.exists()


def test_a_tokenizer_without_a_file_goes_as_it_is() -> None:
    source = TokenizerSource("mine", "/no/such/tokenizer.json")
    assert packed(source).parcels == ()
    assert there(packed(source).pickled) == source


def test_a_program_of_this_python_is_run_by_the_python_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    programs = (served("tokie"), Program(("./mine", "--flag"), "mine", {"PYTHONPATH": "own"}))
    given = packed(programs).pickled
    monkeypatch.setattr(sys, "executable", "/elsewhere/python")
    monkeypatch.setattr(sys, "path", ["/elsewhere/packages"])
    ours, theirs = there(given)
    assert ours.command == ("/elsewhere/python", *programs[0].command[1:])
    assert ours.environment == {**programs[0].environment, "PYTHONPATH": "/elsewhere/packages"}
    assert theirs == programs[1]


def test_the_modules_of_users_are_told() -> None:
    isolation = Isolation()
    given = packed([select(word, isolation) for word in ("my_package.mine:Mine", "tokenizers", "command:./mine")])
    assert given.modules == ("my_package",)


def test_all_machines_need_the_same_releases() -> None:
    assert parcels.releases()["tokenizers"] != parcels.releases()["transformers"]
    assert set(parcels.releases()) == set(parcels.DISTRIBUTIONS)


def test_modules_go_along_that_are_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine_alone.py").touch()
    (tmp_path / "mine_whole").mkdir()
    (tmp_path / "mine_whole" / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    given = ("mine_alone", "mine_whole", "json", "pytest", "no_such_module")
    assert folders_of(given) == (str(tmp_path / "mine_alone.py"), str(tmp_path / "mine_whole"))
