"""The adapters of ``examples/protocol`` that are compiled: built as their README says, checked, and compared."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "protocol"
WORDS = shlex.join([sys.executable, "-I", "-S", str(EXAMPLES / "words.py")])
ROW = re.compile(r"^\| [^|]+ \| \[.+\]\((\w+/[\w.]+)\) \| `(.+)` \| `(.+)` \| .+ \| .+ \|$", re.MULTILINE)
"""A row of README's table with a program that is built: its file, and the commands to build and to run it."""

ROWS = {Path(row[0]).parent.name: row for row in ROW.findall((EXAMPLES / "README.md").read_text("utf-8"))}
"""The rows by the folders of their files."""

VOCABULARY = (
    *("[UNK]", "a", "b", "é", "e\u0301", "日本語", "🎉", "👩\u200d🔬", "\0", "\x7f", "\ufeff", "\u200b", "\ufffd"),
    *('"\\/', "İ", "x" * 20_000),
)
"""Words that a program may garble: equal to others for some languages, or longer than a pipe holds."""

TEXTS = (
    "a  b c ",
    "é e\u0301 É",
    "日本語 🎉 👩\u200d🔬 👩🔬",
    "a\0b \0 \x7f \x01",
    "\ufeff a\ufeff \u200b",
    "a\x1cb\x1db\x1eb\x1fb\x85b\xa0b\u1680b\u2000b\u200ab\u2028b\u2029b\u202fb\u205fb\u3000b\u180eb",
    '"\\/ \b\f\n\r\t\v',
    "\U0010ffff \uffff \ufffd",
    "x" * 20_000 + " a",
    "🎉 " * 20_000,
    "é" * 70_000 + " a",
)

ID_OF_LONE_SURROGATE = {"java": 0}
"""What is read for a lone surrogate alone: the unknown token, where the language has it. By default, U+FFFD."""

PANICKING = ("rust", "go")
"""Languages that panic where others raise an error."""

REQUIRED = ("--require", "model:ids", "model:tokens", "model:offsets")

QUESTIONS: list[dict[str, object]] = [
    {"ask": "encode", "add_special_tokens": False, "text": text}
    for text in ("", "a \ud83d\ude00 a", "a\ud83d b", "\ud83d\ud83d\ude00x \ude00a b")
] + [{"ask": "decode", "skip_special_tokens": False, "ids": ids} for ids in ([], [5, 6, 0, 3, 8], [99], [10**12])]


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A program, with the command that runs it from any folder."""

    language: str
    command: str


@pytest.fixture(scope="session", params=ROWS)
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Each of the programs, built once; skips where its compiler is not installed."""
    file, build, run = ROWS[request.param]
    compiler = shlex.split(build)[0]
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    folder = tmp_path_factory.mktemp("built") / "program"
    shutil.copytree((EXAMPLES / file).parent, folder)
    done = subprocess.run(shlex.split(build), check=False, cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    words = (str(folder / word) if (folder / word).exists() else word for word in shlex.split(run))
    return Built(language=request.param, command=shlex.join(words))


@pytest.fixture(scope="session")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a tokenizer.json with the vocabulary."""
    file = tmp_path_factory.mktemp("words") / "tokenizer.json"
    vocabulary = {word: number for number, word in enumerate(VOCABULARY)}
    model = {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"}
    file.write_text(json.dumps({"version": "1.0", "added_tokens": [], "model": model}), encoding="utf-8")
    return str(file)


def test_readme_has_a_row_for_each_program_and_the_programs_say_the_same() -> None:
    assert ROWS.keys() == {path.name for path in EXAMPLES.iterdir() if path.is_dir()}
    for file, build, run in ROWS.values():
        source = (EXAMPLES / file).read_text("utf-8")
        assert re.search(rf"^//!? Build: {re.escape(build)}(   |$)", source, re.MULTILINE), file
        assert f'tokconf run tokenizer.json -i tokenizers "command:{run}"\n' in source, file


@pytest.mark.long
def test_a_program_passes_the_check(built: Built, tokconf: CommandLine) -> None:
    done = tokconf.run("implementations", "check", built.command)
    assert done.status == 0, done.out
    assert all(line.startswith("ok     ") for line in done.out.splitlines())
    assert "ok     observe model: 281 of 282 questions answered with a value\n" in done.out


@pytest.mark.long
def test_a_program_answers_as_the_one_in_python(built: Built, tokconf: CommandLine, tokenizer: str) -> None:
    texts = tokconf.folder / "texts.jsonl"
    texts.write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS), encoding="utf-8")
    sides = ("-i", f"words=command:{WORDS}", f"other=command:{built.command}")
    done = tokconf.run("run", tokenizer, *sides, "--inputs", str(texts), *REQUIRED)
    assert (done.status, done.err) == (0, ""), done.out
    assert "other conforms on" in done.out


@pytest.mark.long
def test_a_program_answers_single_questions_as_the_one_in_python(
    built: Built, tokconf: CommandLine, tokenizer: str
) -> None:
    asks = [word for question in QUESTIONS for word in ("--ask", json.dumps(question))]
    done = tokconf.run("run", tokenizer, "-i", f"words=command:{WORDS}", f"other=command:{built.command}", *asks)
    assert (done.status, done.err) == (0, ""), done.out


@pytest.mark.long
def test_a_program_survives_lines_that_are_no_requests(built: Built, tokenizer: str, tmp_path: Path) -> None:
    empty = tmp_path / "tokenizer.json"
    empty.write_text('{"model": {"vocab": {}}}', encoding="utf-8")
    question = {"do": "observe", "ask": "encode", "add_special_tokens": False}
    requests = [
        {"do": "load", "file": tokenizer},
        question | {"text": "\ud800"},
        question | {"text": 5},
        question | {"text": "a", "pair_words": ["b"]},
        {"do": "observe", "ask": "decode", "ids": ["a"], "skip_special_tokens": True},
        {"do": "load", "name": "empty", "file": str(empty)},
        question | {"text": "a"},
        {"do": "load", "file": str(tmp_path / "none.json")},
        {"do": ["stop"]},
        {"do": "stop"},
    ]
    lines = [json.dumps({"id": number} | request) for number, request in enumerate(requests, 1)]
    lines[1:1] = ["", "no JSON", "[]", "{}", '{"id":', "[" * 100_000, '{"a":"\\u12', '{"a":"\\ud8', '{"do":"stop"}']
    lines.append('{"id": 99, "do": "stop"}')  # is not read any more
    command = shlex.split(built.command)
    done = subprocess.run(command, check=False, input="\n".join(lines), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [*range(1, len(requests) + 1)]
    id_of_lone = ID_OF_LONE_SURROGATE.get(built.language, VOCABULARY.index("\ufffd"))
    assert answers[1]["value"]["ids"] == [id_of_lone]
    assert ["value" in answer for answer in answers] == [number in (1, 2, 6, 10) for number in range(1, 11)]
    assert "unsupported" in answers[3]
    assert answers[6]["error"].get("panic", False) is (built.language in PANICKING)
    assert done.stderr.count("words: a line that is no request\n") == 9
