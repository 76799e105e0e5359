"""The tests that ``tokconf suite write`` prints stand alone: they pass for equals, and fail for a fault."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tokenizer_conformance.validation.suite.writing import written_test

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine

HOSTILE = ["\u202eabc", "'quotes' \"and\" \\", "\x1b[31m\n", '"""', "e\u0301 \U0001f600", "{braces}", ""]


def test_texts_are_what_they_were() -> None:
    code = written_test('command:./it\'s "mine"\\', "tokenizers", "bert-mini", HOSTILE)
    assert code.isascii()
    values = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in ast.parse(code).body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    assert values == {
        "IMPLEMENTATION": 'command:./it\'s "mine"\\',
        "AGAINST": "tokenizers",
        "TOKENIZER": "bert-mini",
        "TEXTS": HOSTILE,
    }


@pytest.mark.long
@pytest.mark.parametrize(("name", "status"), [("sound", 0), ("short-decode", 1)])
def test_the_printed_file_runs(tokconf: CommandLine, tmp_path: Path, name: str, status: int) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("plain\n\ufffd\n", encoding="utf-8")
    written = tokconf.run("suite", "write", name, "tokenizers", "--tokenizer", "gpt2-mini", "--inputs", str(texts))
    assert written.status == 0, written.err
    file = tmp_path / "test_written.py"
    file.write_text(written.out, encoding="ascii")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(file)],
        cwd=tmp_path,
        env=os.environ | tokconf.environment(),
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert done.returncode == status, done.stdout
    if status:
        assert "ConformanceError: short-decode against tokenizers on gpt2-mini" in done.stdout
        assert "short-decode at decode: other values of text" in done.stdout
        assert "check.py" not in done.stdout


@pytest.mark.long_but(2)
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["no-such", "tokenizers", "--tokenizer", "bert-mini"], "no implementation is called 'no-such'"),
        (["reference", "tokenizers", "--tokenizer", "./no.json"], "no such file"),
        (["reference", "tokenizers", "--tokenizer", "bert-mini", "-k", "no-such-input"], "no input matches"),
        (["reference", "tokenizers", "--tokenizer", "bert-mini", "--inputs", "no.txt"], "no.txt"),
    ],
)
def test_what_cannot_be_used_is_said(tokconf: CommandLine, arguments: list[str], words: str) -> None:
    done = tokconf.run("suite", "write", *arguments)
    assert (done.status, done.out) == (2, "")
    assert words in done.err


def test_a_path_is_written_whole(tokconf: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text('{"model": {"type": "BPE", "vocab": {}, "merges": []}}')
    written = tokconf.run("suite", "write", "reference", "tokenizers", "--tokenizer", "tokenizer.json", "-k", "emoji")
    assert str(tmp_path.resolve()) in written.out
