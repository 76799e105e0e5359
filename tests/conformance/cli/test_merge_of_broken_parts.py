"""Parts of commands, merged: what one of them came to is not lost, whichever it is.

Those of the suite and of searches, which take longer, are merged in tests of their own, without commands.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from tokenizer_conformance.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Tokconf

FILES = ("a.txt", "b.txt")
TEXTS = ("--inputs", *FILES, "--no-builtin")

COMMANDS = {
    "run": ("run", "bert-mini", "-i", "tokenizers", "sound", *TEXTS),
    "metrics": ("metrics", "bert-mini", "--inputs", *FILES, "--replicates", "2"),
    "compare": ("compare", "bert-mini", "gpt2-mini", "--inputs", *FILES),
    "offsets": ("audit", "offsets", "bert-mini", "-i", "tokenizers", *TEXTS),
}
"""Commands that have parts, in which nothing is wrong."""

STOPPING = ("run", "metrics", "offsets")
"""Those of which a part may stop before its end; of so few texts every part has some, too."""

OF = 2


@pytest.fixture(scope="module")
def parts_of(plugin: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], list[list[dict[str, Any]]]]:
    """A function that returns the lines of the records of the parts of a command of that kind, made once."""
    folder = tmp_path_factory.mktemp("parts of every kind")
    for name in FILES:
        (folder / name).write_text(f"The text\nof {name}\n")

    @cache
    def made(kind: str) -> list[list[dict[str, Any]]]:
        with pytest.MonkeyPatch.context() as patch:
            patch.syspath_prepend(str(plugin))
            patch.setenv("TOKCONF_IN_PROCESS", "all")
            patch.chdir(folder)
            for number in range(1, OF + 1):
                words = [*COMMANDS[kind], "--shard", f"{number}/{OF}", "--json", f"{kind}{number}.jsonl"]
                patch.setattr(sys, "argv", ["tokconf", *words])
                done = CliRunner().invoke(main, words)
                assert done.exit_code == 0, done.output
        records = [(folder / f"{kind}{number}.jsonl").read_text() for number in range(1, OF + 1)]
        return [list(map(json.loads, record.splitlines())) for record in records]

    return made


def ended(lines: list[dict[str, Any]], **end: Any) -> list[dict[str, Any]]:
    """Return the record of a part that has ended otherwise."""
    footer = {key: value for key, value in lines[-1].items() if key not in {"lines", "sha256"}}
    reason = {"reason": "planted"} if "reason" in footer else {}
    return [*lines[:-1], {**footer, **reason, **end}]


BROKEN = {"conclusion": "internal error", "finished": False, "exit_status": 3}
STOPPED = {"finished": False}


@pytest.fixture
def merged(
    cli: Tokconf, tmp_path: Path, parts_of: Callable[[str], list[list[dict[str, Any]]]]
) -> Callable[..., tuple[int, dict[str, Any]]]:
    """A function that merges parts of a kind, given as changes by their numbers; and returns the status and the end."""

    def run(kind: str, changed: dict[int, dict[str, Any] | None], *options: str) -> tuple[int, dict[str, Any]]:
        names = []
        for number, lines in enumerate(parts_of(kind)):
            if (end := changed.get(number, {})) is not None:
                names.append(f"{number}.jsonl")
                written = ended(lines, **end) if end else lines
                (tmp_path / names[-1]).write_text("".join(json.dumps(line) + "\n" for line in written))
        status = cli("merge", *names, "-o", "merged.jsonl", *options).exit_code
        return status, json.loads((tmp_path / "merged.jsonl").read_text().splitlines()[-1])

    return run


@pytest.mark.parametrize("kind", COMMANDS)
def test_an_internal_error_of_one_part_is_one_of_the_whole(
    merged: Callable[..., tuple[int, dict[str, Any]]], kind: str
) -> None:
    status, end = merged(kind, {})
    assert (status, end["conclusion"], end["finished"]) == (0, "conform", True)
    for number in range(OF):
        status, end = merged(kind, {number: BROKEN})
        assert (status, end["conclusion"], end["finished"]) == (3, "internal error", False), f"part {number + 1}"


@pytest.mark.parametrize("kind", STOPPING)
def test_the_whole_has_not_finished_where_one_part_has_not(
    merged: Callable[..., tuple[int, dict[str, Any]]], kind: str
) -> None:
    for number in range(OF):
        status, end = merged(kind, {number: STOPPED})
        assert (status, end["finished"]) == (0, False), f"part {number + 1}"


@pytest.mark.parametrize("kind", STOPPING)
def test_the_conclusion_is_that_of_what_is_there_where_that_is_wanted(
    merged: Callable[..., tuple[int, dict[str, Any]]], kind: str
) -> None:
    for number in range(OF):
        status, end = merged(kind, {number: None})
        assert (status, end["conclusion"], end["finished"]) == (3, "parts are missing", False), f"part {number + 1}"
        status, end = merged(kind, {number: None}, "--partial")
        assert (status, end["conclusion"], end["finished"]) == (0, "conform", False), f"part {number + 1}"
        status, end = merged(kind, {number: None, 1 - number: BROKEN}, "--partial")
        assert (status, end["conclusion"]) == (3, "internal error")
