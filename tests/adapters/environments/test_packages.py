"""Which package an implementation belongs to."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import pytest
from in_one_test import in_one_test

from tokenizer_adapters.environments import packages
from tokenizer_adapters.environments.faults import WordError
from tokenizer_adapters.environments.packages import REFUSED, TABLE, implementation_of, served, served_trainer
from tokenizer_adapters.peers.package import PeerImplementation
from tokenizer_adapters.registry import selectable

if TYPE_CHECKING:
    from pathlib import Path

OWN = sorted(name for name, entry in selectable().items() if entry.module.startswith("tokenizer_adapters."))


@in_one_test("name", OWN)
def test_every_implementation_has_a_package_or_a_reason(name: str) -> None:
    assert (name in TABLE) != (name in REFUSED)


@in_one_test("name", sorted(TABLE))
def test_the_table_says_what_the_adapters_say(name: str) -> None:
    module, _, attribute = served(name).subject.partition(":")
    adapter = getattr(importlib.import_module(module), attribute)
    if issubclass(adapter, PeerImplementation):
        assert (TABLE[name].distribution, TABLE[name].module) == (adapter.package.distribution, adapter.package.module)


@in_one_test("name", sorted(TABLE))
def test_what_is_served_is_a_class_that_answers_in_its_own_process(name: str) -> None:
    module, _, attribute = served(name).subject.partition(":")
    adapter = getattr(importlib.import_module(module), attribute)
    assert callable(adapter.load)
    assert not hasattr(adapter, "program")  # what stands for a program would look for another environment from there


@pytest.mark.parametrize("name", sorted(REFUSED.keys() & selectable().keys()))
def test_what_has_no_releases_is_refused_with_the_reason(name: str) -> None:
    with pytest.raises(WordError, match=f"'{name}' cannot be had in a version: .*{REFUSED[name][:30]}"):
        served(name)


def test_an_unknown_package_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(WordError, match=r"no implementation is called 'nothing', .* \(known: blingfire, .*tokenizers"):
        served("nothing")


def test_an_implementation_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "selectable", dict)
    with pytest.raises(WordError, match="no implementation is called 'tokenizers'"):
        served("tokenizers")
    monkeypatch.setattr(packages, "implementation_of", lambda _name: "tokenizers")
    with pytest.raises(WordError, match="no implementation is called 'Tokenizers'"):
        served("Tokenizers")


def test_trainers_have_releases_too() -> None:
    assert served_trainer("tokenizers").subject == "tokenizer_adapters.trainers.tokenizers:TokenizersTrainer"
    assert served_trainer("sentencepiece").distribution == "sentencepiece"
    for name in ("reference", "textbook"):
        with pytest.raises(WordError, match="a part of this project, and has no releases of its own"):
            served_trainer(name)
    with pytest.raises(WordError, match="no trainer is called 'tokie'"):
        served_trainer("tokie")


def test_the_implementation_of_a_plugin_belongs_to_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metadata = tmp_path / "a_plugin-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: a-plugin\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[tokenizer_adapters]\nmine = a_module:Mine\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert implementation_of("A_Plugin") == "mine"
    found = served("a-plugin")
    assert (found.implementation, found.distribution, found.subject) == ("mine", "a-plugin", "a_module:Mine")
