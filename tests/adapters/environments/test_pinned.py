"""What a word of a release selects, and what is said where it cannot be had."""

from __future__ import annotations

import importlib.metadata
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from tokenizer_adapters.contract import Crashed, Failed, UnavailableError
from tokenizer_adapters.environments import pinned as pinned_module
from tokenizer_adapters.environments.faults import (
    NoFileError,
    NoSuchPythonError,
    NoSuchVersionError,
    WordError,
)
from tokenizer_adapters.environments.pinned import environment_of, pinned
from tokenizer_adapters.environments.store import Environment
from tokenizer_adapters.pipeline import lacks_numpy
from tokenizer_adapters.protocol.client import ProcessImplementation
from tokenizer_adapters.protocol.process import Limits
from tokenizer_adapters.registry import UnknownImplementationError
from tokenizer_adapters.selection import ALL, Isolation, name_in, select, select_trainer

HERE = Path(sys.executable).parents[1]


VERSION = importlib.metadata.version("tokenizers")


def test_nothing_is_made_until_it_is_built(cache: Path) -> None:
    selected = select("old=tokie==1.0", Isolation(in_process=frozenset({ALL})))
    assert selected.name == name_in(selected.word) == "old"
    assert selected.program is not None
    assert selected.program.command[0] == str(environment_of("tokie==1.0").python)
    assert not cache.exists()


def test_a_release_answers_by_the_adapter_in_its_own_environment(registry: Any) -> None:  # noqa: ARG001
    told: list[str] = []
    selected = select("tokie==1.0", Isolation())
    selected.prepare(told.append)
    assert told[0] == "making the environment of tokie==1.0 with pip"
    with selected.build() as implementation:
        assert isinstance(implementation, ProcessImplementation)
        assert (implementation.info.name, implementation.info.version) == ("tokie==1.0", "1.0")
        assert implementation.info.install == "tokconf environments create 'tokie==1.0'"


@pytest.mark.parametrize("is_told", [True, False])
def test_a_release_that_there_is_not_is_refused_with_those_that_there_are(
    cache: Path, monkeypatch: pytest.MonkeyPatch, is_told: bool
) -> None:
    assert not cache.exists()
    plain, better = NoSuchVersionError("there is no release tokie==9"), NoSuchVersionError("the nearest are 1.0")
    asked: list[tuple[str, str]] = []

    def fail(*_: object) -> None:
        raise plain

    def why(package: str, version: str, _python: object) -> NoSuchVersionError:
        asked.append((package, version))
        if not is_told:
            raise NoFileError("pip says nothing")
        return better

    monkeypatch.setattr(Environment, "ensure", fail)
    monkeypatch.setattr(pinned_module, "why_missing", why)
    with pytest.raises(NoSuchVersionError) as refused:
        pinned("tokie==9").ensure()
    assert refused.value is (better if is_told else plain)
    assert asked == [("tokie", "9")]


@pytest.mark.long
def test_two_releases_answer_side_by_side(registry: Any) -> None:  # noqa: ARG001
    with select("old=tokie==1.0", Isolation()).build() as old, select("tokie==1.1", Isolation()).build() as new:
        assert (old.info.name, old.info.version) == ("old", "1.0")
        assert (new.info.name, new.info.version) == ("tokie==1.1", "1.1")


@pytest.mark.long
def test_an_environment_that_lost_its_package_is_named_with_what_to_do(registry: Any) -> None:  # noqa: ARG001
    selected = select("tokie==1.0", Isolation())
    selected.prepare()
    for path in environment_of("tokie==1.0").folder.glob("venv/**/site-packages/tokie*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    with pytest.raises(UnavailableError) as caught:
        selected.build()
    assert str(caught.value).startswith("the environment of tokie==1.0 is damaged: ")
    assert "tokconf environments remove tokie==1.0" in str(caught.value)
    assert "pip install" not in str(caught.value)


@pytest.mark.long
def test_a_release_that_is_not_there_is_said_with_those_that_are(registry: Any) -> None:
    with pytest.raises(
        NoSuchVersionError, match=r"tokie has no release 1.7; the nearest are 1.0, 1.1, 2.0rc1, the newest"
    ):
        select("tokie==1.7", Isolation()).build()
    registry.add_source("tokie", "1.6")
    with pytest.raises(NoFileError, match=r"tokie==1.6 has no file for this Python .* 'tokie@path/to/environment'"):
        select("tokie==1.6", Isolation()).build()


def test_a_range_has_to_be_replaced_first() -> None:
    with pytest.raises(WordError, match=r"is a range of releases; name one of them here, as in 'tokie==VERSION'"):
        select("tokie>=1.0", Isolation())


def test_a_name_that_stands_for_nothing_is_refused() -> None:
    with pytest.raises(WordError, match="no implementation is called 'nothing', and none belongs to a package"):
        select("nothing==1.0", Isolation())
    with pytest.raises(UnknownImplementationError, match=r"no implementation is called 'nothing@\.venv'"):
        select("nothing@.venv", Isolation())


# In an environment that exists ---------------------------------------------------------------------------------------


@pytest.mark.long_but(1)
@pytest.mark.parametrize("place", [HERE, sys.executable])
def test_an_environment_that_exists_serves_what_it_has(place: object, toy_source: Any) -> None:
    selected = select(f"tokenizers@{place}", Isolation())
    assert selected.name is None
    with selected.build() as implementation:
        assert (implementation.info.name, implementation.info.version) == (f"tokenizers@{VERSION}", VERSION)
        assert implementation.load(toy_source).vocabulary()["un"] == 3


@pytest.mark.long
def test_a_trainer_of_an_environment_that_exists_is_served() -> None:
    trainer = select_trainer(f"mine=tokenizers@{HERE}").start(Limits())
    assert (trainer.info.name, trainer.info.version) == ("mine", VERSION)


def test_a_path_is_that_of_the_folder_of_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "old").symlink_to(HERE)
    monkeypatch.chdir(tmp_path)
    assert pinned("tokenizers@old").python == tmp_path / "old" / "bin" / "python"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "there is no Python at '.*'; name one, or the folder of its environment"),
        ("#!/bin/sh\necho hello", "does not run as a Python"),
        ("#!/bin/sh\necho '[3, 8, \"1.0\"]'", r"is Python 3\.8; adapters need 3\.11 or later"),
        ("#!/bin/sh\necho '[3, 12, null]'", "has no package tokie; install it with: .* -m pip install tokie"),
    ],
)
def test_a_python_that_cannot_serve_is_said(tmp_path: Path, content: str | None, words: str) -> None:
    file = tmp_path / "python"
    if content is not None:
        file.write_text(content)
        file.chmod(0o755)
    with pytest.raises(NoSuchPythonError, match=words):
        select(f"tokie@{file}", Isolation()).build()


def test_a_python_that_may_not_be_run_is_said(tmp_path: Path) -> None:
    (tmp_path / "python").write_text("")
    with pytest.raises(NoSuchPythonError, match=r"does not run as a Python: .*may not be executed"):
        select(f"tokie@{tmp_path / 'python'}", Isolation()).build()


# Words without numpy -------------------------------------------------------------------------------------------------

CAPSULE = "Failed to access NumPy array API capsule: PyErr {{ value: ModuleNotFoundError(\"No module named '{}'\") }}"


@pytest.mark.parametrize(
    ("outcome", "lacks"),
    [
        (Crashed(CAPSULE.format("numpy")), True),
        (Crashed(CAPSULE.format("numpy.core")), True),
        (Crashed(CAPSULE.format("other")), False),
        (Crashed("No module named 'numpy'"), False),
        (Failed("ModuleNotFoundError", CAPSULE.format("numpy")), False),
    ],
)
def test_a_panic_over_words_in_an_environment_without_numpy_is_no_answer_of_the_release(
    outcome: Crashed | Failed, lacks: bool
) -> None:
    assert lacks_numpy(outcome) == lacks
