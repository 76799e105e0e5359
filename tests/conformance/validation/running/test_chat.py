"""``tokconf run --chat``: prompts are compared as texts are."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

import planted_chats
import pytest
from planted_chats import FaultyChats, PlantedChat

from tokenizer_conformance.causes.classes.chat_changes import MESSAGES, RENDERER

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Tokconf

RENDERING = PlantedChat("rendering", (RENDERER, ""), ("trim_blocks",))
NO_TOOLS = PlantedChat("no tools", (MESSAGES, ""), reword=planted_chats.messages(lambda given: given[:-1]))


class Rendering(FaultyChats):
    """Keeps line breaks after blocks."""

    def __init__(self) -> None:
        super().__init__(RENDERING)


class Forgetful(FaultyChats):
    """Leaves out the last message."""

    def __init__(self) -> None:
        super().__init__(NO_TOOLS)


class Capital(FaultyChats):
    """Calls the user User, whom most templates do not know."""

    def __init__(self) -> None:
        super().__init__(PlantedChat("capital", (MESSAGES, ""), reword=planted_chats.role("user", "User")))


for each in (Rendering, Forgetful, Capital):
    setattr(planted_chats, each.__name__, each)  # what a command line can name


def test_renderers_that_agree_conform(cli: Tokconf) -> None:
    done = cli("run", "--chat", "--sample", 20)
    assert done.exit_code == 0, done.stdout
    assert "transformers conforms on all 6 tokenizers" in done.stdout


@pytest.mark.long
def test_a_difference_is_told_with_its_reason_and_the_command_that_shows_it(cli: Tokconf, tmp_path: Path) -> None:
    record = tmp_path / "chat.jsonl"
    given = ("run", "gpt2-mini", "--chat", "-i", "reference", "planted_chats:Rendering")
    done = cli(*given, "--json", record)
    assert done.exit_code == 1, done.stdout
    assert "chat-renderer, it keeps the line break after a block" in done.stdout
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    finding = next(each for line in lines if line["type"] == "tokenizer" for each in line["findings"])
    smallest = finding["smallest"]["question"]
    assert (smallest["ask"], json.loads(smallest["messages"])) == ("chat", [{"content": ""}])
    again = cli(*shlex.split(finding["repeat"])[1:])
    assert (again.exit_code, "1 input" in again.stdout) == (1, True), again.stdout


def test_a_side_without_templates_is_not_asked(cli: Tokconf) -> None:
    done = cli("run", "gpt2-mini", "--chat", "-i", "reference", "tokenizers")
    assert done.exit_code == 3, done.stdout
    assert "tokenizers shows nothing that was asked" in done.stdout


def test_a_tokenizer_without_a_template_compares_nothing(cli: Tokconf) -> None:
    done = cli("run", "bert-mini", "--chat", "-i", "reference", "planted_chats:Rendering")
    assert done.exit_code == 3, done.stdout
    assert "nothing was compared" in done.stdout
    some = cli(
        "run", "gpt2-mini", "bert-mini", "--chat", "-k", "one-turn", "-i", "reference", "planted_chats:Rendering"
    )
    assert some.exit_code == 3, some.stdout
    assert "\nnot everything was compared; 2 tokenizers" in some.stdout
    assert "\nnothing was compared; " not in some.stdout


def test_both_sides_may_refuse_in_their_own_words(cli: Tokconf, tmp_path: Path) -> None:
    file = tmp_path / "chats.jsonl"
    file.write_text('[{"role": "narrator", "content": "Hi"}]\n[{"role": "user", "content": "Hi"}]\n')
    done = cli("run", "llama-mini", "--chat", "--no-builtin", "--inputs", file, "-i", "reference", "transformers")
    assert (done.exit_code, "~ 1 of 2" in done.stdout) == (0, True), done.stdout


def test_files_of_conversations_are_asked_about_and_named(cli: Tokconf, tmp_path: Path) -> None:
    file = tmp_path / "chats.jsonl"
    file.write_text('{"conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Ho"}]}\n')
    given = ("run", "gpt2-mini", "--chat", "--no-builtin", "--inputs", file, "-i", "reference")
    done = cli(*given, "planted_chats:Forgetful")
    assert (done.exit_code, "chats.jsonl:1" in done.stdout) == (1, True), done.stdout
    file.write_text('{"conversations": [{"from": "human", "value": "Hi"}]}\n{"text": "Hi"}\n')
    wrong = cli(*given, "planted_chats:Forgetful")
    assert (wrong.exit_code, "line 2 is no conversation" in wrong.stderr) == (2, True), wrong.stderr


def test_drawn_conversations_are_asked_about_too(cli: Tokconf) -> None:
    done = cli(
        "run", "gpt2-mini", "--chat", "--no-builtin", "--random", 7, "--seed", 3, "-i", "reference", "transformers"
    )
    assert (done.exit_code, "7 inputs" in done.stdout) == (0, True), done.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--random", "3"), "--random needs --chat"),
        (("--chat", "--split", "file"), "is not about conversations; leave it out with --chat"),
        (("--chat", "--every-id"), "--every-id is not about conversations"),
    ],
)
def test_options_of_texts_and_of_conversations_are_not_mixed(cli: Tokconf, options: tuple[str, ...], said: str) -> None:
    done = cli("run", "gpt2-mini", *options)
    assert (done.exit_code, said in done.stderr) == (2, True), done.stderr


def test_a_tokenizer_of_which_all_is_refused_differs(cli: Tokconf) -> None:
    given = ("run", "gpt2-mini", "llama-mini", "--chat", "-k", "one-turn", "-i")
    done = cli(*given, "reference", "planted_chats:Capital", "--cause-time", 0)
    assert (done.exit_code, "nothing was compared" in done.stdout) == (1, False), done.stdout
