"""What a word selects, and in which process it runs."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from in_one_test import in_one_test

from tokenizer_adapters.contract import Encode, UnavailableError
from tokenizer_adapters.protocol.client import ProcessImplementation
from tokenizer_adapters.protocol.launch import CannotStartError
from tokenizer_adapters.protocol.process import Limits
from tokenizer_adapters.registry import BrokenImplementationError, UnknownImplementationError, registered
from tokenizer_adapters.selection import ALL, MEMORY, TRUSTED, Isolation, SelectionError, name_in, select, served

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_adapters.contract import TokenizerSource

PLUGIN = """
from tokenizer_adapters.contract import UnavailableError
from tokenizer_adapters.tokenizers import TokenizersImplementation

class Renamed(TokenizersImplementation):
    pass

class Missing:
    def __init__(self):
        raise UnavailableError("missing is not installed; install it with: pip install missing")
"""


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A plugin on the path with a good implementation, one that is not installed, and broken ones."""
    (tmp_path / "a_plugin.py").write_text(PLUGIN)
    (tmp_path / "a_deadly_plugin.py").write_text("import os; os._exit(7)")
    metadata = tmp_path / "a_plugin-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: a-plugin\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        "[tokenizer_adapters]\n"
        "renamed = a_plugin:Renamed\n"
        "missing = a_plugin:Missing\n"
        "broken = a_plugin:Nothing\n"
        "deadly = a_deadly_plugin:Anything\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@in_one_test("name", sorted(registered()))
def test_all_but_the_trusted_run_in_a_process_of_their_own(name: str) -> None:
    selected = select(name, Isolation())
    assert (selected.word, selected.name) == (name, name)
    assert (selected.program is None) == (name in TRUSTED)


@pytest.mark.parametrize("isolated", [False, True])
def test_either_can_be_asked_for_by_name_or_for_all(isolated: bool) -> None:
    asked = {("isolated" if isolated else "in_process"): frozenset({ALL, "tokie"})}
    other = {("in_process" if isolated else "isolated"): frozenset({"reference"})}
    isolation = Isolation(**asked, **other)
    names = ("tokenizers", "kitoken", "tokie", "reference")
    assert [isolation.isolates(name) for name in names] == [isolated, isolated, isolated, not isolated]


def test_memory_is_limited_where_nothing_is_said_of_it() -> None:
    assert {select(word, Isolation()).limits.memory for word in ("words_class:Words", "command:./mine")} == {MEMORY}


def test_both_cannot_be_asked_for() -> None:
    with pytest.raises(SelectionError, match="'tokie' is asked to run in this process and in one of its own"):
        Isolation(isolated=frozenset({"tokie"}), in_process=frozenset({"tokie"}))


@pytest.mark.parametrize(
    ("word", "command", "name"),
    [
        ("command:./mine", ("./mine",), None),
        ("command: node 'my tokenizer.mjs' --flag", ("node", "my tokenizer.mjs", "--flag"), None),
        ("my own=command:./mine a=command:b", ("./mine", "a=command:b"), "my own"),
    ],
)
def test_a_command_is_split_as_by_a_shell(word: str, command: tuple[str, ...], name: str | None) -> None:
    selected = select(word, Isolation(in_process=frozenset({ALL})))
    assert selected.program is not None
    assert selected.program.command == command
    assert selected.name == name_in(word) == name


@pytest.mark.parametrize(
    ("word", "error", "words"),
    [
        ("command:", SelectionError, "gives no command: write the program and its arguments after 'command:'"),
        ("command:./mine 'x", SelectionError, "gives no command: No closing quotation; quote it as for a shell"),
        (
            "tokeniser",
            UnknownImplementationError,
            "no implementation is called 'tokeniser'; did you mean 'tokenizers'?",
        ),
        ("name command:x", UnknownImplementationError, "no implementation is called 'name command:x'"),
    ],
)
def test_a_word_that_selects_nothing_is_refused(word: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        select(word, Isolation())


def test_the_same_answers_come_from_either_process(toy_source: TokenizerSource) -> None:
    answers = []
    for isolated in (frozenset[str](), frozenset({ALL})):
        implementation = select("tokenizers", Isolation(isolated=isolated)).build()
        assert isinstance(implementation, ProcessImplementation) == bool(isolated)
        answers.append((implementation.info, implementation.load(toy_source).observe(Encode("hello World"))))
    assert answers[0] == answers[1]


@pytest.mark.long
def test_a_program_goes_by_its_own_name_where_it_is_given_none() -> None:
    command = " ".join(served("reference").command)
    for word, name in ((f"command:{command}", "reference"), (f"old=command:{command}", "old")):
        with select(word, Isolation()).start(Limits()) as implementation:
            assert implementation.info.name == name


@pytest.mark.usefixtures("plugin")
def test_what_can_be_imported_here_is_served_there(toy_source: TokenizerSource) -> None:
    with select("renamed", Isolation()).start(Limits()) as implementation:
        assert implementation.info.name == "renamed"
        assert implementation.load(toy_source).vocabulary()


@pytest.mark.long_but(1)
@pytest.mark.usefixtures("plugin")
@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("missing", UnavailableError, "missing is not installed; install it with: pip install missing"),
        (
            "broken",
            BrokenImplementationError,
            r"implementation 'broken' \(a_plugin:Nothing of a-plugin 1.0\) is broken",
        ),
        ("deadly", CannotStartError, "deadly does not start: ended with exit status 7"),
    ],
)
def test_a_plugin_that_is_no_good_is_named_with_the_reason(name: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        select(name, Isolation()).build()


def test_the_plugin_is_not_imported_here(plugin: Path) -> None:
    """A plugin that ends its process ends a process apart."""
    script = (
        "from tokenizer_adapters.selection import Isolation, select\n"
        "from tokenizer_adapters.registry import RegistryError\n"
        "try:\n    select('deadly', Isolation()).build()\nexcept RegistryError as error:\n    print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"PYTHONPATH": str(plugin)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.stdout == "deadly does not start: ended with exit status 7\n"
