"""Which releases there are, and which of them a range stands for."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest
from packaging.version import Version

from tokenizer_adapters.environments import releases as module
from tokenizer_adapters.environments.commands import Done
from tokenizer_adapters.environments.faults import NoFileError, NoSuchVersionError, UnreachableError, WordError
from tokenizer_adapters.environments.releases import expanded, releases, why_missing
from tokenizer_adapters.environments.store import Environment

if TYPE_CHECKING:
    from collections.abc import Callable

NONE_MEETS = (
    "ERROR: Ignored the following yanked versions: 1.2, 1.3\n"
    "ERROR: Ignored the following versions that require a different python version: 3.0 Requires-Python >=3.99; 3.1 "
    "Requires-Python >=3.99\n"
    "ERROR: Could not find a version that satisfies the requirement a===none (from versions: 1.0rc1, 1.0, 1.1, odd, "
    "1.2)\n"
    "ERROR: No matching distribution found for a===none"
)
INDEX = "a (1.4)\nAvailable versions: 1.4, 1.1, 1.0, 1.0rc1, 0.9\n"


@pytest.fixture
def pip(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Done], None]:
    """Have pip say what is given."""

    def says(none_meets: str, index: Done) -> None:
        def carried_out(words: list[str], *_: Any) -> Done:
            return index if "index" in words else Done(1, "", none_meets)

        monkeypatch.setattr(module, "carried_out", carried_out)

    return says


def test_releases_have_a_file_and_were_not_withdrawn(pip: Callable[[str, Done], None]) -> None:
    pip(NONE_MEETS, Done(0, INDEX, ""))
    assert list(map(str, releases("a", sys.executable))) == ["1.0", "1.1"]
    assert list(map(str, releases("a", sys.executable, previews=True))) == ["1.0rc1", "1.0", "1.1"]


def test_a_pip_without_an_index_command_is_good_enough(pip: Callable[[str, Done], None]) -> None:
    pip(NONE_MEETS, Done(1, "", "ERROR: unknown command 'index'"))
    assert list(map(str, releases("a", sys.executable))) == ["1.0", "1.1"]


def test_what_was_withdrawn_and_is_only_left_out_of_the_list_is_left_out(pip: Callable[[str, Done], None]) -> None:
    pip(NONE_MEETS.partition("\n")[2], Done(0, INDEX, ""))
    assert list(map(str, releases("a", sys.executable))) == ["1.0", "1.1"]


@pytest.mark.parametrize(
    ("version", "error", "words"),
    [
        ("1.1", NoFileError, "a==1.1 has no file for this Python"),
        ("3.1", NoFileError, "a==3.1 is for another version of Python than this one"),
        (
            "1.0.5",
            NoSuchVersionError,
            "a has no release 1.0.5; the nearest are 1.0rc1, 1.0, 1.1, 1.2, the newest is 1.2",
        ),
        ("9", NoSuchVersionError, "a has no release 9; the nearest are 1.1, 1.2, the newest is 1.2"),
    ],
)
def test_it_is_said_why_a_release_is_missing(
    pip: Callable[[str, Done], None], version: str, error: type[Exception], words: str
) -> None:
    pip(NONE_MEETS, Done(0, INDEX, ""))
    found = why_missing("a", version, sys.executable)
    assert type(found) is error
    assert words in str(found)


def test_a_package_that_no_registry_knows_is_said(pip: Callable[[str, Done], None], monkeypatch: Any) -> None:
    monkeypatch.delenv("PIP_NO_INDEX", raising=False)
    nothing = (
        "ERROR: Could not find a version that satisfies the requirement a===none (from versions: none)\n"
        "ERROR: No matching distribution found for a===none"
    )
    pip(nothing, Done(1, "", ""))
    with pytest.raises(NoSuchVersionError, match="know no package a"):
        releases("a", sys.executable)


def test_a_range_stands_for_its_releases_the_oldest_first() -> None:
    there = [Version(version) for version in ("0.19.1", "0.20.0", "0.20.3", "0.21.0", "0.22.0rc1", "0.22.0")]

    def listed(package: str, *, previews: bool) -> list[Version]:
        assert package == "tokenizers"
        return [each for each in there if previews or not each.is_prerelease]

    assert expanded("tokenizers>=0.20,<0.22", listed) == [
        "tokenizers==0.20.0",
        "tokenizers==0.20.3",
        "tokenizers==0.21.0",
    ]
    assert expanded("tokenizers==0.20.*", listed) == ["tokenizers==0.20.0", "tokenizers==0.20.3"]
    assert expanded("tokenizers>=0.22.0rc1", listed) == ["tokenizers==0.22.0rc1", "tokenizers==0.22.0"]
    with pytest.raises(WordError, match=r"allows none of the releases .* the oldest is 0\.19\.1, the newest 0\.22\.0"):
        expanded("tokenizers>1", listed)
    with pytest.raises(WordError, match="is no range of releases"):
        expanded("tokenizers==0.20.0", listed)


@pytest.mark.long
def test_pip_itself_lists_the_releases_of_a_registry(registry: Any) -> None:
    registry.add("tokie", "1.5", tag="cp39-cp39-win_amd64")
    registry.add_source("tokie", "1.6")
    assert expanded("tokie>=1") == ["tokie==1.0", "tokie==1.1"]
    assert expanded("tokie>=2.0rc0") == ["tokie==2.0rc1"]
    assert isinstance(why_missing("tokie", "1.6", sys.executable), NoFileError)
    assert isinstance(why_missing("tokie", "1.7", sys.executable), NoSuchVersionError)


@pytest.mark.long
def test_without_a_network_it_is_said_which_settings_forbid_to_ask(registry: Any, monkeypatch: Any) -> None:
    for file in registry.folder.iterdir():
        file.unlink()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(UnreachableError, match="PIP_NO_INDEX"):
        Environment(("tokie==1.0",), "tokie").ensure()
    with pytest.raises(UnreachableError, match="PIP_NO_INDEX"):
        releases("tokie")
