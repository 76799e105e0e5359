"""The registry finds implementations, and says clearly which it cannot use."""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import Implementation, UnavailableError
from tokenizer_adapters.registry import (
    GROUP,
    HOW_TO_GIVE,
    BrokenImplementationError,
    DuplicateImplementationError,
    UnknownImplementationError,
    by_name,
    registered,
)

if TYPE_CHECKING:
    from pathlib import Path

Register = Callable[..., None]


class NoImplementation:
    pass


class WithoutItsLibrary:
    def __init__(self) -> None:
        raise UnavailableError("needs a library; install it with: make it")


class BrokenWhenBuilt:
    def __init__(self) -> None:
        raise KeyError("nothing\nhere")


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> Register:
    """A function that registers entry points beside the installed ones."""
    module = ModuleType("plugin_of_this_test")
    for cls in (NoImplementation, WithoutItsLibrary, BrokenWhenBuilt):
        setattr(module, cls.__name__, cls)
    monkeypatch.setitem(sys.modules, "plugin_of_this_test", module)
    installed = list(importlib.metadata.entry_points(group=GROUP))

    def register(*pairs: tuple[str, str]) -> None:
        added = [EntryPoint(name, value, GROUP) for name, value in pairs]
        monkeypatch.setattr(
            importlib.metadata, "entry_points", lambda group: [*installed, *added] if group == GROUP else []
        )

    return register


def test_the_own_implementations_are_registered() -> None:
    assert {"reference", "tokenizers", "transformers"} <= registered().keys()


@pytest.mark.parametrize("name", ["reference", "tokenizers", "transformers"])
def test_an_implementation_loads_by_its_name_and_bears_it(name: str) -> None:
    implementation = load_implementation(name)
    assert isinstance(implementation, Implementation)
    assert implementation.info.name == name


def test_an_unknown_name_suggests_the_nearest_and_lists_none() -> None:
    with pytest.raises(UnknownImplementationError) as caught:
        load_implementation("tokenisers")
    assert str(caught.value).startswith("no implementation is called 'tokenisers'; did you mean 'tokenizers'")
    assert HOW_TO_GIVE in str(caught.value)
    assert "subword-nmt" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "given"), [("mine.py", "mine:Class"), ("./mine.py:Tok", "mine:Tok"), ("folder/mine.py", "mine:Class")]
)
def test_a_file_is_told_how_its_class_is_given(name: str, given: str) -> None:
    with pytest.raises(UnknownImplementationError) as caught:
        load_implementation(name)
    how = f"give a class in a file as '{given}', from the folder of the file"
    assert str(caught.value) == f"no implementation is called {name!r}; {how}"


def test_a_name_near_to_none_gets_no_suggestion() -> None:
    with pytest.raises(UnknownImplementationError, match=r"called 'xyz'; 'tokconf implementations' lists all"):
        load_implementation("xyz")


def test_two_packages_with_one_name_are_rejected_and_both_named(plugins: Register) -> None:
    plugins(("tokenizers", "plugin_of_this_test:NoImplementation"))
    with pytest.raises(DuplicateImplementationError, match="'tokenizers'") as caught:
        registered()
    assert "tokenizer_adapters.tokenizers:TokenizersImplementation" in str(caught.value)
    assert "plugin_of_this_test:NoImplementation" in str(caught.value)
    with pytest.raises(DuplicateImplementationError):
        load_implementation("transformers")


def test_what_is_installed_later_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "later" not in registered()
    metadata = tmp_path / "later-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: later\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[{GROUP}]\nlater = later:Later\n")
    assert registered()["later"].value == "later:Later"


def test_the_same_registration_seen_twice_counts_once() -> None:
    entry = EntryPoint("a", "module:Class", GROUP)
    found = by_name([entry, EntryPoint("a", "module:Class", GROUP)])
    assert found == {"a": entry}
    assert found["a"] is entry  # the first on the path, which is the one that is imported


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("no_such_module_anywhere:Class", "ModuleNotFoundError: No module named 'no_such_module_anywhere'"),
        ("plugin_of_this_test:NoSuchClass", "AttributeError: .*NoSuchClass"),
        ("plugin_of_this_test:BrokenWhenBuilt", r"KeyError: 'nothing\\nhere'"),
        ("plugin_of_this_test:NoImplementation", "lacks `info` or `load`"),
    ],
)
def test_a_broken_plugin_that_is_asked_for_is_an_error(plugins: Register, value: str, message: str) -> None:
    plugins(("mine", value))
    with pytest.raises(BrokenImplementationError, match="implementation 'mine'") as caught:
        load_implementation("mine")
    assert caught.match(message)
    assert "\n" not in str(caught.value)


def test_an_implementation_without_its_library_says_how_to_install_it(plugins: Register) -> None:
    plugins(("mine", "plugin_of_this_test:WithoutItsLibrary"))
    with pytest.raises(UnavailableError, match="install it with: make it"):
        load_implementation("mine")
