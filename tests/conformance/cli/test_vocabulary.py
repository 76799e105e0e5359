"""``tokconf run`` compares vocabularies: what it shows of them, the command that shows it again, what is repeated."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Tokconf

PORTS = """\
from tokenizers import Tokenizer


class OneWrong:
    def __init__(self, tokenizer):
        self.tokenizer = tokenizer

    @classmethod
    def from_file(cls, path):
        return cls(Tokenizer.from_file(path))

    def encode(self, text, add_special_tokens=True):
        return self.tokenizer.encode(text, add_special_tokens=add_special_tokens)

    def decode(self, ids, skip_special_tokens=True):
        return self.tokenizer.decode(ids, skip_special_tokens=skip_special_tokens)

    def get_vocab(self):
        return self.tokenizer.get_vocab() | {"the": 7}
"""

RUN = ("run", "bert-mini", "-i", "tokenizers", "ports:OneWrong", "--inputs", "texts.txt", "--no-builtin")

HEADLINE = "OneWrong differs on bert-mini"

LINE = "OneWrong, vocabulary: 1 entry differs"


@pytest.fixture
def cli(cli: Tokconf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tokconf:
    monkeypatch.delenv("TOKCONF_IN_PROCESS")  # the module is another one each time
    (tmp_path / "ports.py").write_text(PORTS, encoding="utf-8")
    (tmp_path / "texts.txt").write_text("hello world\nthe end\n", encoding="utf-8")
    return cli


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_the_command_to_copy_shows_just_the_vocabulary(cli: Tokconf, tmp_path: Path) -> None:
    done = cli(*RUN, "--html", "page.html", "--junit", "junit.xml", "--sarif", "run.sarif")
    assert (done.exit_code, HEADLINE in done.stdout, LINE in done.stdout) == (1, True, True)
    assert "1 vocabulary differs (1 entry)" in done.stdout
    repeat = next(line for line in done.stdout.splitlines() if "repeat: " in line).partition("repeat: ")[2]
    again = cli(*shlex.split(repeat)[1:])
    assert (again.exit_code, HEADLINE in again.stdout, LINE in again.stdout) == (1, True, True)
    assert "0 values compared" in again.stdout
    files = [(tmp_path / name).read_text("utf-8") for name in ("page.html", "junit.xml", "run.sarif")]
    assert all("1 entry differs" in each for each in files)


def test_a_record_tells_it_years_later(cli: Tokconf, tmp_path: Path) -> None:
    cli(*RUN, "--json", "run.jsonl")
    told = cli("report", "run.jsonl", "--html", "page.html")
    assert told.exit_code == 0
    assert LINE in (tmp_path / "page.html").read_text("utf-8")


def test_it_is_not_asked_for_beside_chosen_inputs_or_stages(cli: Tokconf) -> None:
    assert cli(*RUN, "--only", "texts.txt:1").exit_code == 0
    assert cli(*RUN, "--stage", "decode").exit_code == 0


def test_what_failed_is_repeated_and_nothing_else(cli: Tokconf, tmp_path: Path) -> None:
    cli(*RUN, "--json", "run.jsonl")
    again = cli(*RUN, "--last-failed", "run.jsonl", "--json", "again.jsonl")
    assert (again.exit_code, LINE in again.stdout) == (1, True)
    assert lines(tmp_path / "again.jsonl")[-1]["inputs"] == 0
    (tmp_path / "ports.py").write_text(PORTS.replace(' | {"the": 7}', ""), encoding="utf-8")
    mended = cli(*RUN, "--last-failed", "run.jsonl")
    assert (mended.exit_code, "OneWrong conforms" in mended.stdout) == (0, True)


def test_parts_are_merged(cli: Tokconf, tmp_path: Path) -> None:
    for number in (1, 2):
        assert cli(*RUN, "--shard", f"{number}/2", "--json", f"{number}.jsonl").exit_code == 1
    merged = cli("merge", "1.jsonl", "2.jsonl", "--junit", "junit.xml")
    assert (merged.exit_code, HEADLINE in merged.stdout) == (1, True)
    assert merged.stdout.count(LINE) == cli(*RUN).stdout.count(LINE)
    assert LINE in (tmp_path / "junit.xml").read_text("utf-8")


@pytest.mark.parametrize("word", ['{"ask": "vocabulary", "text": "a"}', '{"ask": "vocabularies"}'])
def test_another_question_is_refused(cli: Tokconf, word: str) -> None:
    done = cli("run", "bert-mini", "--ask", word)
    assert (done.exit_code, "vocabular" in done.stderr) == (2, True)
