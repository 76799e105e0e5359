"""Heavy implementations: what is said where nobody has added one, and what runs where somebody has."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.contract import UnavailableError
from tokenizer_adapters.environments.asking import python_of
from tokenizer_adapters.environments.packages import HEAVY, TABLE, Heavy
from tokenizer_adapters.environments.pinned import environment_of, pinned
from tokenizer_adapters.peers.heavy import HeavyImplementation
from tokenizer_adapters.registry import registered
from tokenizer_adapters.selection import Isolation, select

if TYPE_CHECKING:
    from wheel_registry import Registry

LACKING = "tokie is not installed; 2.3 GB, MIT; this makes it: tokconf environments add tokie"


class Tokie(HeavyImplementation):
    """Stands for a heavy implementation: its package is one of a few lines."""

    registered = "tokie"


@pytest.fixture
def heavy(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Has ``tokie`` be a heavy implementation, and returns the folder of environments."""
    row = Heavy(version="1.0", requires=("numpy==1.0",), size=2_345_000_000, licence="MIT")
    monkeypatch.setitem(HEAVY, "tokie", row)
    return cache


@pytest.fixture
def added(heavy: Path, registry: Registry) -> Path:
    """The folder of environments, with the heavy implementation in it."""
    registry.add("numpy", "1.0", content="")
    environment_of("tokie").ensure()
    return heavy


@pytest.mark.parametrize(
    ("size", "words"),
    [(458_290_882, "458 MB, MIT"), (999_400_000, "999 MB, MIT"), (1_000_000_000, "1.0 GB, MIT")],
)
def test_what_it_costs_is_said_in_few_words(size: int, words: str) -> None:
    assert Heavy(version="1", requires=(), size=size, licence="MIT").costs == words


@pytest.mark.parametrize("name", sorted(HEAVY))
def test_every_row_is_one_release_that_is_served_by_a_class_here(name: str) -> None:
    assert all("==" in package for package in HEAVY[name].requires)
    adapter = registered()[name].load()
    assert issubclass(adapter, HeavyImplementation)
    assert adapter.registered == name
    assert TABLE[name].subject is not None
    assert pinned(name).install == f"tokconf environments add {name}"


def test_where_nobody_has_added_it_the_reason_says_what_it_costs_and_nothing_is_made(heavy: Path) -> None:
    for ask in (Tokie, Tokie.program):
        with pytest.raises(UnavailableError) as refused:
            ask()
        assert str(refused.value) == LACKING
    assert not heavy.exists()


def test_the_release_that_is_run_has_its_pins_and_other_releases_have_none(heavy: Path) -> None:
    environment = environment_of("tokie")
    assert environment.requirements == ("tokie==1.0", "numpy==1.0")
    assert environment == environment_of("tokie==1.0") == environment_of("old=tokie==1.0")
    assert environment_of("tokie==1.1").requirements == ("tokie==1.1",)
    assert heavy in environment.folder.parents
    assert pinned("tokie==1.0").install == "tokconf environments create 'tokie==1.0'"


def test_its_own_python_is_asked_about_its_interface(heavy: Path) -> None:
    assert heavy in python_of("tokie").parents
    assert python_of("kitoken") == Path(sys.executable)


@pytest.mark.long
def test_where_it_was_added_its_python_serves_it(added: Path) -> None:
    used = environment_of("tokie").folder / "last-used"
    used.unlink()
    with Tokie() as implementation:
        info = implementation.info
        assert (info.name, info.version, info.install) == ("tokie", "1.0", "tokconf environments add tokie")
    assert used.is_file()
    assert added in used.parents
    assert Tokie.program().command[0] == str(environment_of("tokie").python)
    with Tokie(name="mine") as implementation:
        assert implementation.info.name == "mine"


@pytest.mark.long
def test_one_that_lost_its_package_is_said_with_what_to_do(added: Path) -> None:
    for path in added.glob("*/venv/**/site-packages/tokie*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    with pytest.raises(UnavailableError) as refused:
        Tokie()
    assert str(refused.value) == (
        "the environment of tokie==1.0 is damaged: tokie is not installed; remove it with 'tokconf environments remove "
        "tokie==1.0', and make it anew with 'tokconf environments add tokie'"
    )


def test_a_heavy_implementation_is_selected_by_its_name_and_nothing_is_made_for_it(cache: Path) -> None:
    selected = select("openvino", Isolation())
    selected.prepare()
    assert selected.pinned is None
    with pytest.raises(UnavailableError, match=r"^openvino is not installed; 458 MB, Apache-2\.0; this makes it: "):
        selected.build()
    assert not cache.exists()
