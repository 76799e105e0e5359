"""Every command as it is declared, and what carries it out: the two know each other by a name only."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pytest
from click.testing import CliRunner
from in_one_test import in_one_test

import tokenizer_conformance.cli.commands as declarations
from tokenizer_adapters.protocol.process import Limits
from tokenizer_adapters.selection import MEMORY, TRUSTED
from tokenizer_conformance import defaults, lazy
from tokenizer_conformance.cli import COMMANDS as LISTED
from tokenizer_conformance.cli import USES, implementation_options, main
from tokenizer_conformance.cli.commands import badge, metrics, suite
from tokenizer_conformance.cli.option_groups import GROUPS, GroupedCommand, grouped, name_of
from tokenizer_conformance.releases.versions.sections.table import SECTIONS
from tokenizer_conformance.research.metrics.measures.words import WORD_DEFINITIONS
from tokenizer_conformance.validation.badge.drawing import Format
from tokenizer_conformance.validation.suite.export import Form

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(declarations.__file__).parent
REFERENCE = re.compile(r'"(tokenizer_\w+(?:\.\w+)+:\w+)"')


def every_command() -> Iterator[tuple[str, click.Command]]:
    """Yield all commands with the words that name them."""

    def each(command: click.Command, words: tuple[str, ...]) -> Iterator[tuple[str, click.Command]]:
        yield " ".join(words), command
        if isinstance(command, click.Group):
            context = click.Context(command)
            for name in command.list_commands(context):
                member = command.get_command(context, name)
                assert member is not None
                yield from each(member, (*words, name))

    return each(main, ("tokconf",))


COMMANDS = dict(every_command())


def test_what_is_named_is_there() -> None:
    sources = [path.read_text("utf-8") for path in FOLDER.parent.rglob("*.py")]
    references = {found for source in sources for found in REFERENCE.findall(source)}
    assert len(references) >= 80
    for reference in references:
        assert callable(lazy.imported(reference)), reference


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_carried_out_with_what_it_declares(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    command = COMMANDS[name]
    called: list[str] = []

    def imported(reference: str) -> Any:
        work = real(reference)
        if not reference.rpartition(":")[2].startswith("execute"):
            return work

        def bind(*arguments: Any, **options: Any) -> None:
            inspect.signature(work).bind(*arguments, **options)
            called.append(reference)

        return bind

    real = lazy.imported
    monkeypatch.setattr(lazy, "imported", imported)
    with command.make_context(name, [], resilient_parsing=True) as context:
        context.invoke(command.callback, **context.params)
    assert len(called) == (not isinstance(command, click.Group) or name == "tokconf implementations")


def test_what_a_help_says_without_its_engine_is_so() -> None:
    assert Limits().seconds == defaults.DEFAULT_SECONDS
    assert Limits().train_seconds == defaults.TRAINING_SECONDS
    assert sorted(TRUSTED) == sorted(implementation_options.TRUSTED)
    assert MEMORY >> 20 == implementation_options.DEFAULT_MEMORY
    assert tuple(SECTIONS) == defaults.SECTIONS
    assert tuple(definition.id for definition in WORD_DEFINITIONS) == metrics.WORDS
    assert tuple(Format) == badge.FORMATS
    assert tuple(Form) == suite.FORMS


# The help ------------------------------------------------------------------------------------------------------------


def test_an_option_stands_in_one_group() -> None:
    names = [name for group in GROUPS.values() for name in group]
    assert len(names) == len(set(names))
    options = {
        name_of(option)
        for command in COMMANDS.values()
        for option in command.get_params(click.Context(command))
        if isinstance(option, click.Option) and not option.hidden
    }
    assert options == set(names)


@in_one_test("name", COMMANDS)
def test_a_help_has_the_same_groups_in_the_same_order(name: str) -> None:
    command = COMMANDS[name]
    assert isinstance(command, GroupedCommand)
    lines = command.get_help(click.Context(command, info_name=name, terminal_width=100, max_content_width=100)).split(
        "\n"
    )
    titles = [line.removesuffix(":") for line in lines if line.removesuffix(":") in GROUPS]
    assert titles == [title for title in GROUPS if title in titles]
    shown = [option for option in command.get_params(click.Context(command)) if isinstance(option, click.Option)]
    assert titles == [title for title, _ in grouped([each for each in shown if not each.hidden])]
    assert "Options:" not in lines


@in_one_test("name", COMMANDS)
def test_a_help_says_the_default_of_every_option_that_has_one(name: str) -> None:
    silent = [
        option.opts
        for option in COMMANDS[name].params
        if isinstance(option, click.Option)
        and not (option.is_flag or option.hidden or option.show_default or callable(option.default))
        and option.to_info_dict()["default"] not in (None, "")
    ]
    assert silent == []


def test_an_option_without_a_group_is_told_by_its_name() -> None:
    command = GroupedCommand("new", params=[click.Option(["--brand-new"])])
    with pytest.raises(KeyError, match="--brand-new"):
        command.get_help(click.Context(command))


def test_a_command_is_for_one_use() -> None:
    listed = [name for names in USES.values() for name in names]
    assert sorted(listed) == sorted(LISTED)


def test_a_mistyped_implementation_is_told_the_nearest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ("run", "bert-mini", "-i", "tokenizers", "refrence"))
    assert (done.exit_code, "no implementation is called 'refrence'; did you mean 'reference'" in done.stderr) == (
        2,
        True,
    )
    (tmp_path / "refrence").mkdir()
    done = CliRunner().invoke(main, ("run", "bert-mini", "-i", "tokenizers", "refrence"))
    assert (done.exit_code, "nothing to compare tokenizers with" in done.stderr) == (2, True)  # it is a tokenizer


@pytest.mark.parametrize(
    ("words", "nearest"),
    [
        (("rnu",), "run"),
        (("audit", "ofsets"), "offsets"),
        (("suite", "lsit"), "list"),
        (("environments", "creat"), "create"),
        (("implementations", "chekc"), "check"),
    ],
)
def test_a_mistyped_command_is_told_the_nearest(words: tuple[str, ...], nearest: str) -> None:
    done = CliRunner().invoke(main, words, prog_name="tokconf")
    assert (done.exit_code, f"No such command {words[-1]!r}. Did you mean {nearest!r}?" in done.stderr) == (2, True)
    assert CliRunner().invoke(main, [*words[:-1], "xyzzy"]).stderr.endswith("No such command 'xyzzy'.\n")


def test_an_option_that_is_gone_is_no_suggestion() -> None:
    gone = CliRunner().invoke(main, ["diff", "--seeds", "1"])
    assert (gone.exit_code, "'--seed'" in gone.stderr, "No such option '--seeds'" in gone.stderr) == (2, False, True)
    assert "'--json'" in CliRunner().invoke(main, ["run", "--jsn", "a"]).stderr
