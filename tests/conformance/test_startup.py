"""How the package and its command start: what is imported by then, and under which names."""

from __future__ import annotations

import ast
import importlib
import json
import os
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from in_one_test import in_one_test

import tokenizer_conformance
from tokenizer_conformance.cli import COMMANDS
from tokenizer_conformance.cli.audit import AUDITS
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.command_io.conclusion import EXIT_STATUSES

if TYPE_CHECKING:
    from conftest import CommandLine

HEAVY = ("rich", "jinja2", "jsonschema", "tabulate", "importlib.metadata", "multiprocessing", "concurrent.futures")
"""What takes its time to be imported, and is not needed to print a help."""

NEEDED_BY_ENGINES = ("asyncio", "filelock", "huggingface_hub", "numpy", "packaging", "platformdirs", "regex")
"""What engines take in beside these."""

PACKAGES = ("tokenizers", "transformers", "tokenizer_adapters", "tokenizer_reference")


def imported_by(code: str, *arguments: str) -> set[str]:
    """Return the modules that a Python has imported after ``code``."""
    report = "import atexit, json, sys; atexit.register(lambda: print(json.dumps(list(sys.modules)), file=sys.stderr))"
    done = subprocess.run(
        [sys.executable, "-c", f"{report}\n{code}", *arguments],
        capture_output=True,
        check=True,
        encoding="utf-8",
        env=os.environ | {"TOKCONF_PROGRESS": "off"},
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


MAIN = "from tokenizer_conformance.__main__ import main; sys.exit(main())"


@pytest.mark.parametrize("argument", ["--help", "-h"])
def test_the_help_needs_no_library_but_one(argument: str) -> None:
    imported = imported_by(f"import sys; {MAIN}", argument)
    assert imported & {"click"}
    assert imported & {*HEAVY, *PACKAGES} == set()
    assert {name for name in imported if name.startswith("tokenizer_conformance.cli.")} == {
        "tokenizer_conformance.cli.command_group",
        "tokenizer_conformance.cli.ending",
        "tokenizer_conformance.cli.listed",
        "tokenizer_conformance.cli.option_groups",
        "tokenizer_conformance.cli.options",
        "tokenizer_conformance.cli.traceback_option",
    }


EVERY_HELP = """
import click, json, sys
from tokenizer_conformance.cli import main

def each(command, words):
    yield words
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            yield from each(command.get_command(context, name), [*words, name])

for words in list(each(main, [])):
    try:
        main.main([*words, "--help"], prog_name="tokconf")
    except SystemExit as end:
        assert end.code == 0, words
    assert not set(sys.modules).intersection(json.loads(sys.argv[1])), words
"""


def test_no_help_needs_an_engine_or_a_library() -> None:
    heavy = [*HEAVY, *NEEDED_BY_ENGINES, "tokenizers", "transformers", "tokenizer_reference"]
    imported = imported_by(EVERY_HELP, json.dumps(heavy))
    assert "tokenizer_conformance.cli.commands.audit_offsets" in imported
    own = {name for name in imported if name.startswith("tokenizer_conformance.")}
    assert {name for name in own if name.rpartition(".")[2] in {"engine", "terminal", "record", "markdown"}} == set()
    assert not any(name.startswith("tokenizer_conformance.causes") for name in own)
    assert {name for name in imported if name.startswith("tokenizer_adapters.")} <= {
        "tokenizer_adapters.contract",
        "tokenizer_adapters.training",
    }


def test_signals_are_heard_before_anything_heavy_is_imported() -> None:
    imported = imported_by("import tokenizer_conformance.__main__")
    assert imported & {"click", *HEAVY, *PACKAGES} == set()


def test_python_m_does_what_the_command_does(tokconf: CommandLine) -> None:
    script = Path(sys.executable).with_name("tokconf")
    if not script.exists():
        pytest.skip("this Python has no script tokconf beside it")
    done = subprocess.run([script, "--help"], capture_output=True, check=True, encoding="utf-8")
    assert done.stdout.startswith("Usage: tokconf [OPTIONS] COMMAND [ARGS]...\n")
    assert tokconf.run("--help").out == done.stdout
    assert tokconf.run("rnu").err.startswith("Usage: tokconf [OPTIONS] COMMAND [ARGS]...\n")


def test_arguments_and_names_are_utf8_whatever_the_locale(tokconf: CommandLine) -> None:
    done = tokconf.run_anew("classes", "\u00c9a", LC_ALL="C", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
    assert done.status == 2
    assert "'\u00c9a'" in done.err


# The help ------------------------------------------------------------------------------------------------------------


def test_the_help_lists_the_commands_and_prints_the_table_of_statuses(tokconf: CommandLine) -> None:
    done = tokconf.run("--help", COLUMNS="200")
    words = " ".join(done.out.split())
    for name, listed in COMMANDS.items():
        assert f"{name} {listed.short_help}" in words
    for row in EXIT_STATUSES:
        assert f"{row.status} {row.meaning}" in words


AT_ONCE = {"audit", "changes", "classes", "environments", "formats", "implementations", "suite", "vectors"}
"""Commands that take no time, and groups of commands."""


@in_one_test("name", COMMANDS)
def test_a_command_is_what_the_list_says(name: str) -> None:
    command = COMMANDS[name].imported()
    assert command.name == name
    assert command.short_help == COMMANDS[name].short_help
    assert isinstance(command, LongCommand) == (name not in AT_ONCE)


@pytest.mark.parametrize("name", AUDITS)
def test_an_audit_is_what_the_list_says(name: str) -> None:
    command = AUDITS[name].imported()
    assert (command.name, command.short_help) == (name, AUDITS[name].short_help)
    assert isinstance(command, LongCommand)


def test_an_error_without_a_status_of_its_own_is_one_of_what_was_given(tokconf: CommandLine) -> None:
    bug = """
import click, tokenizer_conformance.cli as module
def imported(_): raise click.ClickException("nothing goes")
module.Listed.imported = imported
"""
    done = tokconf.run("run", bug=bug)
    assert (done.status, done.err) == (2, "Error: nothing goes\n")
    assert click.ClickException.exit_code == 1


# Public names --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", tokenizer_conformance.__all__)
def test_a_public_name_is_that_of_its_module(name: str) -> None:
    value = getattr(tokenizer_conformance, name)
    assert value is getattr(importlib.import_module(tokenizer_conformance._MODULES[name]), name)
    assert name in dir(tokenizer_conformance)


def test_type_checkers_are_told_of_the_same_names_from_the_same_modules() -> None:
    tree = ast.parse(Path(tokenizer_conformance.__file__).read_text())
    block = next(node for node in tree.body if isinstance(node, ast.If))
    told = {alias.name: node.module for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert told == tokenizer_conformance._MODULES
    assert sorted(told) == sorted(tokenizer_conformance.__all__)


def test_the_package_has_no_other_names() -> None:
    with pytest.raises(AttributeError, match="module 'tokenizer_conformance' has no attribute 'walk'"):
        _ = tokenizer_conformance.walk


def test_rooms_and_public_names_do_not_share_a_name() -> None:
    code = """
import tokenizer_conformance.validation.running.engine as engine
from tokenizer_conformance import compare, run
assert run is engine.run
"""
    assert "tokenizer_conformance.validation.running.engine" in imported_by(code)
    rooms = {each.name for each in pkgutil.iter_modules(tokenizer_conformance.__path__)}
    assert rooms & set(tokenizer_conformance.__all__) == set()


def test_importing_the_package_imports_no_other_one() -> None:
    assert imported_by("import tokenizer_conformance") & {"click", *HEAVY, *PACKAGES} == set()


# The template of the tests -------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform != "linux", reason="commands are forked on Linux only")
def test_a_forked_command_imports_nothing_of_the_packages(tokconf: CommandLine, toy_tokenizer: Path) -> None:
    """What a fork imports, every test of a command imports anew: this was once the half of all tests."""
    bug = """
import atexit, sys
there = set(sys.modules)
atexit.register(lambda: print([name for name in sys.modules if name not in there], file=sys.stderr))
"""
    reports = ("--json", "a.jsonl", "--html", "a.html", "--markdown", "a.md", "--junit", "a.xml", "--sarif", "a.sarif")
    (tokconf.folder / "texts.txt").write_text("abc\naBc d\n")
    inputs = ("--no-builtin", "--inputs", "texts.txt")
    done = tokconf.run("run", str(toy_tokenizer), "-i", "toy", "shifted-offset", *inputs, *reports, bug=bug)
    assert done.status == 1, done.err
    imported = ast.literal_eval(done.err.splitlines()[-1])
    assert [name for name in imported if name.startswith("tokenizer_")] == []
