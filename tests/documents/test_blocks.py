"""Every block of code in ``docs/`` is run, read or, with its reason in ``not_run.toml``, at least checked.

The commands of a page are run one after the other in a folder that has what the pages speak of: a checkpoint, a class,
a program, texts. What ``tokconf`` is given is also held against the options that its command has, whether it is run or
not; that takes no time. A block whose first line begins with ``$`` shows output. Where it is of the language
``console``, its lines have to be printed, in their order, but for those that an ellipsis leaves out; others are held by
``tools/check_figures.py``. The pages of the tutorial go on in one folder.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pytest
import yaml
from in_one_test import in_one_test

from tokenizer_conformance.cli import main
from tokenizer_conformance.cli.options import SpreadOption, spread
from tokenizer_conformance.inputs.bundled import bundled_file

if TYPE_CHECKING:
    from collections.abc import Iterator

PROJECT = Path(__file__).resolve().parents[2]
DOCS = PROJECT / "docs"
PAGES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
GENERATED = ("reference/command-line.md", "reference/metrics.md")
"""Pages that tools write; their blocks are signatures and formulas."""

AROUND = ("../README.md", "../CONTRIBUTING.md", "../examples/protocol/README.md")
"""Documents beside the pages, whose commands are checked, and shown in other ways."""

TUTORIAL = ("tutorial/first-report.md", "tutorial/first-finding.md", "tutorial/first-bug-report.md")

QUICK = ("how-to/known-differences.md",)
"""Pages whose commands the default tests run; those of the others are run by the long ones."""

FENCE = re.compile(r"^```(\w*)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHELL = ("sh", "bash", "console")
ELLIPSES = ("...", "…")
SECONDS = re.compile(r"\d+\.\d s\b")
WIDTH = "125"

MACHINE = re.compile(r"^tokconf \S+, \S+ \S+, .*$")
OWN_VERSION = re.compile(r"(?<=reference )\S+(?= \(Python\))")
"""What of a line says on which machine, and with which release of this project, it was printed."""

COMMAND = re.compile(r"""(?m)sh '(tokconf [^']*)'|--wrap "(tokconf [^"]*)"|^\s*(?:\$ )?(tokconf (?!\d).*)$""")

SMALL = """\
[tool.tokconf]
sample = 12
cause-time = 2
speed-time = "0.1s"
"""
"""Makes commands of pages small; the tutorial, whose output is compared, goes without."""

SMALL_SUITE = """
[tool.tokconf.suite]
k = "BERTNORM"
"""

OF_THE_WHOLE_SUITE = ("reference/suite.md",)
"""Pages that make a badge, which only a run of the whole suite gives."""


@dataclass(frozen=True)
class Block:
    """A block of a page: its language, the file that its title names, and its text."""

    page: str
    language: str
    title: str
    text: str

    @property
    def first(self) -> str:
        return self.text.splitlines()[0] if self.text.strip() else ""

    @property
    def is_shown(self) -> bool:
        """Whether it shows a command with its output."""
        return self.first.startswith("$ ")

    def commands(self) -> list[tuple[str, list[str]]]:
        """Return the commands, each with the lines that it is said to print (none where nothing is said)."""
        joined = re.sub(r" \\\n\s*", " ", self.text) if not self.is_shown else self.text
        found: list[tuple[str, list[str]]] = []
        for line in joined.splitlines():
            if self.is_shown and not line.startswith("$ "):
                found[-1][1].append(line)
            elif line.strip() and not line.startswith("#"):
                found.append((re.sub(r"\s+# .*", "", line.removeprefix("$ ")), []))
        return found


@dataclass(frozen=True)
class NotRun:
    """A command of a page that is not run, or a ``whole`` block, by its first line."""

    page: str
    line: str
    reason: str
    whole: bool = False


TABLE = Path(__file__).with_name("not_run.toml")
NOT_RUN = [NotRun(**row) for row in tomllib.loads(TABLE.read_text("utf-8"))["not_run"]]


def blocks_of(text: str, page: str = "") -> list[Block]:
    """Return the blocks of a page."""
    return [Block(page, *found) for found in FENCE.findall(text)]


@cache
def blocks(page: str) -> list[Block]:
    return blocks_of((DOCS / page).read_text("utf-8"), page)


def not_run(page: str, line: str, *, whole: bool) -> bool:
    """Whether the table says why ``line`` of ``page``, or the ``whole`` block that it begins, is not run."""
    return any(row.page == page and row.whole == whole and fnmatchcase(line, row.line) for row in NOT_RUN)


# Options -------------------------------------------------------------------------------------------------------------


def command_lines(block: Block) -> Iterator[list[str]]:
    """Yield the words of every command of tokconf in a block, whatever its language is."""
    if block.language == "yaml":
        for key, value in _strings(yaml.safe_load(block.text)):
            yield from _commands_in(f"tokconf {value}" if key == "args" and value[:1].islower() else value)
    else:
        yield from _commands_in(block.text)


def _commands_in(text: str) -> Iterator[list[str]]:
    for found in COMMAND.finditer(re.sub(r" \\\n\s*", " ", text)):
        lexer = shlex.shlex(next(filter(None, found.groups())), posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        yield list(takewhile(lambda word: not set(word) <= set("|&;<>()"), lexer))[1:]


def _strings(value: object, key: str = "") -> Iterator[tuple[str, str]]:
    match value:
        case dict():
            for name, each in value.items():
                yield from _strings(each, str(name))
        case list():
            for each in value:
                yield from _strings(each, "")
        case str():
            yield key, value


def problem_of(words: list[str]) -> str | None:
    """Return what is wrong with ``words`` behind ``tokconf``, ``None`` where its command takes them."""
    line = shlex.join(["tokconf", *words])
    context = click.Context(main, info_name="tokconf", **main.context_settings)
    command: click.Command = main
    try:
        while isinstance(command, click.Group) and words and not words[0].startswith("-"):
            known = command.list_commands(context)
            if words[0] not in known and command.name == "vectors":
                words = ["make", *words]
            name, found, words = command.resolve_command(context, words)
            assert found is not None
            command = found
            context = click.Context(command, info_name=name, parent=context)
        if {flag for each in command.get_params(context) if each.is_eager for flag in each.opts} & set(words):
            return None
        flags = {flag: each.takes for each in command.params if isinstance(each, SpreadOption) for flag in each.opts}
        values, rest, _ = command.make_parser(context).parse_args(spread(words, flags) if flags else words)
        if rest:
            return f"{line}: {rest} are too many words"
        for each in command.params:
            _check(each, values.get(str(each.name)), context)
    except click.ClickException as error:
        return f"{line}: {error.format_message()}"
    return None


def _check(parameter: click.Parameter, value: Any, context: click.Context) -> None:
    """Raise an error of click where a choice is not one of those that there are, or a word is missing."""
    given = [each for each in (value if isinstance(value, (list, tuple)) else [value]) if isinstance(each, (str, bool))]
    if parameter.required and isinstance(parameter, click.Argument) and not given:
        raise click.MissingParameter(ctx=context, param=parameter)
    if isinstance(parameter.type, (click.Choice, click.types.IntParamType)):
        for each in given:
            if isinstance(each, str) and "$" not in each:
                parameter.type.convert(each, parameter, context)


@in_one_test("page", [*AROUND, *(page for page in PAGES if page not in GENERATED)])
def test_commands_have_the_options_that_they_are_given(page: str) -> None:
    problems = [problem for block in blocks(page) for line in command_lines(block) if (problem := problem_of(line))]
    assert problems == []


def test_there_are_commands_and_those_that_are_wrong_are_seen() -> None:
    assert sum(1 for page in PAGES if page not in GENERATED for each in blocks(page) for _ in command_lines(each)) > 100
    for line in (
        "tokconf run my-checkpoint/ --no-such-option",
        "tokconf run my-checkpoint/ --jobs many",
        "tokconf rum my-checkpoint/",
        "tokconf bug run.jsonl --find 1 2",
        "tokconf minimize --finding 1",
        "tokconf audit gguf model.gguf a b c",
        "tokconf fuzz bert-mini --engine slurm",
    ):
        assert problem_of(shlex.split(line)[1:]), line


# Files ---------------------------------------------------------------------------------------------------------------


@in_one_test("page", [page for page in PAGES if page not in GENERATED])
def test_every_block_is_run_or_read_or_in_the_table(page: str) -> None:
    fences = re.findall(r"^\s*(?:```|~~~)", (DOCS / page).read_text("utf-8"), re.MULTILINE)
    assert len(fences) == 2 * len(blocks(page)), "a fence is indented, or has words that nothing here knows"
    for block in blocks(page):
        assert block.text.strip(), "it is empty"
        match block.language:
            case "toml":
                tomllib.loads(block.text)
            case "json":
                json.loads(block.text)
            case "yaml":
                yaml.safe_load(block.text)
            case "python":
                compile(block.text, page, "exec")
            case "sh" | "bash" | "console" | "text":
                pass  # run, or compared with what a program before it prints
            case "" if block.is_shown:
                assert not_run(page, block.first, whole=True) or _is_traced(block), f"nothing runs {block.first!r}"
            case _:
                assert not_run(page, block.first, whole=True) or not block.language, f"nothing reads {block.language!r}"


def _is_traced(block: Block) -> bool:
    """Whether ``tools/check_figures.py`` holds the example to a record or a run."""
    table = tomllib.loads((PROJECT / "tools" / "figures" / "figures.toml").read_text("utf-8"))
    command = block.first.removeprefix("$ ")
    return any(row["document"] == f"docs/{block.page}" and row["command"] == command for row in table["example"])


def test_every_reason_is_needed() -> None:
    unneeded = list(NOT_RUN)
    for block in (each for page in PAGES for each in blocks(page)):
        lines = [block.first] if block.language not in SHELL else [line for line, _ in block.commands()]
        unneeded = [
            row
            for row in unneeded
            if row.page != block.page
            or not any(fnmatchcase(line, row.line) for line in ([block.first] if row.whole else lines))
        ]
    assert unneeded == []
    assert all(row.reason for row in NOT_RUN)


# Running -------------------------------------------------------------------------------------------------------------


def prepare(folder: Path) -> None:
    """Put into ``folder`` what the pages speak of."""
    checkpoints = {"my-checkpoint": "bert-mini", "other-checkpoint": "wordlevel-mini", "old": "bert-mini"}
    checkpoints |= {"new": "bert-mini", "changed": "bert-mini", "A": "gpt2-mini", "B": "bert-mini", "C": "t5-mini"}
    for name, bundled in checkpoints.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "tokenizer.json").write_bytes(bundled_file(bundled).read_bytes())
    (folder / "tokenizer.json").write_bytes(bundled_file("bert-mini").read_bytes())
    for name in ("tokenizer_config.json", "chat_template.jinja"):
        (folder / "my-checkpoint" / name).write_bytes(bundled_file("gpt2-mini").parent.joinpath(name).read_bytes())
    changed = json.loads((folder / "changed" / "tokenizer.json").read_text("utf-8"))
    changed["normalizer"]["lowercase"] = False
    for name in ("changed", "new"):
        (folder / name / "tokenizer.json").write_text(json.dumps(changed), "utf-8")
    (folder / "my_package").mkdir()
    (file,) = (each for each in blocks("tutorial/first-finding.md") if each.title == "service.py")
    (folder / "my_package" / "mine.py").write_text(file.text.replace("class Service", "class Mine"))
    for name in ("words.py", "train_words.py"):
        shutil.copyfile(PROJECT / "examples" / "protocol" / name, folder / name)
    program = folder / "my-tokenizer"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{folder}/words.py"\n')
    program.chmod(0o755)
    texts = [
        "Hello, how are you?",
        "Crème brûlée, s’il vous plaît!",
        "The café is closed.",
        "naïve 東京 123",
        "one two",
    ]
    for name in ("texts/a.txt", "texts/chats.txt", "corpus/a.txt", "corpus/b.txt", "eng.txt", "fra.txt", "tam.txt"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("\n".join(texts) + "\n", "utf-8")
    (folder / "book.txt").write_text("\n".join(texts * 40) + "\n", "utf-8")
    talk = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}]
    (folder / "conversations.jsonl").write_text(json.dumps({"messages": talk}) + "\n", "utf-8")
    (folder / "models.txt").write_text("my-checkpoint\nother-checkpoint\n")
    (folder / "notes.md").write_text("# Notes\n")
    (folder / "docs").mkdir()


def environment(folder: Path) -> dict[str, str]:
    """Return the environment of a user in ``folder``: ``tokconf`` and ``python`` are those of the tests."""
    tools = folder.parent / "tools"
    if not tools.exists():
        tools.mkdir()
        starts = {"tokconf": "-m tokenizer_conformance ", "python": "", "pytest": "-m pytest "}
        for name, words in starts.items():
            (tools / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {words}"$@"\n')
            (tools / name).chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TOKCONF_", "GITHUB_"))}
    return {
        **kept,
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "TOKCONF_PROGRESS": "off",
        "COLUMNS": WIDTH,
        "HF_HUB_OFFLINE": "1",
    }


def run(command: str, folder: Path) -> tuple[int, str, str]:
    """Run a command of a page, and return its status and what it printed."""
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment(folder), capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def unprinted(shown: list[str], printed: str) -> list[str]:
    """Return the lines of an example that are not printed after those before them; times may be others."""
    lines = iter(_everywhere(line.rstrip()) for line in printed.splitlines())
    wanted = [line.rstrip() for line in shown if line.strip() and line.strip() not in ELLIPSES]
    return [line for line in wanted if _everywhere(line) not in lines]


def _everywhere(line: str) -> str:
    """Return a line as it is with any release of this project, on any machine."""
    return OWN_VERSION.sub("VERSION", MACHINE.sub("tokconf VERSION on MACHINE", SECONDS.sub("N s", line)))


def test_lines_that_are_not_printed_are_seen() -> None:
    assert unprinted(["a", "...", "c; 1.0 s"], "a\nb\nc; 12.5 s\n") == []
    assert unprinted(["c", "a"], "a\nc\n") == ["a"]
    assert unprinted(["a", "b; 2 inputs"], "a\nb; 3 inputs\n") == ["b; 2 inputs"]


def test_a_page_whose_command_fails_or_prints_something_else_fails(tmp_path: Path) -> None:
    _commands_run(blocks_of("```console\n$ echo a; echo b\na\nb\n```\n")[0], tmp_path)
    with pytest.raises(AssertionError, match="status 2 of exit 2"):
        _commands_run(blocks_of("```sh\nexit 2\n```\n")[0], tmp_path)
    with pytest.raises(AssertionError, match="echo b"):
        _commands_run(blocks_of("```console\n$ echo b\na\n```\n")[0], tmp_path)


def follow(page: str, folder: Path) -> int:
    """Do what a page says, in its order, and return how many commands were run."""
    done = 0
    last = ""
    for block in blocks(page):
        if block.title:
            (folder / block.title).write_text(block.text, "utf-8")
        if block.language == "python" and not block.title:
            (folder / "snippet.py").write_text(block.text, "utf-8")
            status, last, error = run("python snippet.py", folder)
            assert status == 0, f"{block.text}\n{last}{error}"
            done += 1
        elif block.language == "text" and last:
            assert unprinted(block.text.splitlines(), last) == []
            last = ""
        elif block.language in SHELL and not not_run(page, block.first, whole=True):
            done += _commands_run(block, folder)
    return done


def _commands_run(block: Block, folder: Path) -> int:
    done = 0
    for command, shown in block.commands():
        if not not_run(block.page, command, whole=False):
            status, printed, error = run(command, folder)
            assert status in {0, 1}, f"status {status} of {command}\n{printed}{error}"
            assert unprinted(shown, printed) == [], f"{command}\n{printed}{error}"
            done += 1
    return done


def _has_commands(page: str) -> bool:
    return any(block.language in {*SHELL, "python"} for block in blocks(page))


RUN = [page for page in PAGES if page not in {*GENERATED, *TUTORIAL} and _has_commands(page)]


@pytest.mark.long_but(1)
@pytest.mark.parametrize("page", sorted(RUN, key=lambda page: page not in QUICK))
def test_a_page_works_as_it_is_written(page: str, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    prepare(folder)
    (folder / "pyproject.toml").write_text(SMALL if page in OF_THE_WHOLE_SUITE else SMALL + SMALL_SUITE)
    follow(page, folder)


@pytest.mark.long
def test_the_tutorial_can_be_followed(tmp_path: Path) -> None:
    folder = tmp_path / "first-steps"
    folder.mkdir()
    assert [follow(page, folder) for page in TUTORIAL] == [4, 5, 5]
