"""``tokconf minimize``: a finding of a record is found again, asked again and made small; what is wrong is said."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Tokconf


SIDES = ("-i", "toy", "wrong-normalization", "--baseline", "toy", "--no-builtin", "--inputs", "texts.txt")
TOY = {"model": {"type": "Toy"}, "decoder": {"type": "Fuse"}, "added_tokens": [{"content": "<x>", "id": 7}]}


@pytest.fixture
def recorded(cli: Tokconf, tmp_path: Path) -> Callable[..., Path]:
    """A function that runs a fake on texts, and gives the record."""

    def run(fake: str, *texts: str, tokenizers: tuple[str, ...] = ("toy",), causes: int = 10) -> Path:
        for name in tokenizers:
            (tmp_path / f"{name}.json").write_text(json.dumps(TOY), "utf-8")
        (tmp_path / "texts.txt").write_text("\n".join(texts), "utf-8")
        sides = ("-i", "toy", fake, "--baseline", "toy", "--no-builtin", "--inputs", "texts.txt")
        sides += ("--cause-time", str(causes), "--json", "run.jsonl", "--force")
        result = cli("run", *(f"{name}.json" for name in tokenizers), *sides)
        assert result.exit_code == 1, result.output
        return tmp_path / "run.jsonl"

    return run


def test_text_and_tokenizer_are_made_small(cli: Tokconf, recorded: Callable[..., Path], tmp_path: Path) -> None:
    record = recorded("wrong-normalization", "some text with a B in it", causes=0)
    result = cli("minimize", record, "--finding", 1, "-o", "small.json")
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[0] == "finding 1: toy, wrong-normalization at normalize: text (1 input)"
    assert "asked: normalize (1 character of 24)" in lines
    assert '  text  "B"' in lines
    assert '  "B"  U+0042  LATIN CAPITAL LETTER B' in lines
    assert any(line.startswith("tokenizer.json: ") for line in lines)
    assert "wrote 'small.json'" in lines
    assert "  printf 'B' > witness.txt" in lines
    assert json.loads((tmp_path / "small.json").read_text("utf-8")) == TOY | {"decoder": None, "added_tokens": []}


def test_the_command_that_is_printed_shows_it(cli: Tokconf, recorded: Callable[..., Path], tmp_path: Path) -> None:
    record = recorded("wrong-normalization", "some text with a B in it")
    said = json.loads(cli("minimize", record, "--finding", 1, "-o", "small.json", "--json").output)
    first, second = said["commands"]
    assert first == "printf 'B' > witness.txt"
    (tmp_path / "witness.txt").write_text("B", "utf-8")
    result = cli(*second.split()[1:])
    assert result.exit_code == 1
    assert "wrong-normalization at normalize" in result.output


def test_json(cli: Tokconf, recorded: Callable[..., Path]) -> None:
    record = recorded("wrong-normalization", "some text with a B in it", causes=0)
    said: dict[str, Any] = json.loads(cli("minimize", record, "--finding", 1, "--json").output)
    assert (said["tokenizer"], said["finding"]) == ("toy", 1)
    assert (said["baseline"], said["implementation"]) == ("toy", "wrong-normalization")
    assert said["question"] == {"ask": "normalize", "text": {"value": "B", "length": 1}}
    assert said["size"] == {"before": 24, "after": 1}
    assert said["bytes"]["after"] < said["bytes"]["before"]
    assert said["checks"] > 0
    assert said["characters"] == [{"code_point": "U+0042", "name": "LATIN CAPITAL LETTER B"}]


def test_a_finding_that_is_gone_is_said(cli: Tokconf, recorded: Callable[..., Path]) -> None:
    record = recorded("wrong-normalization", "a B")
    record.write_text(record.read_text("utf-8").replace("wrong-normalization", "wrong-pieces"), "utf-8")
    result = cli("minimize", record, "--finding", 1)
    assert result.exit_code == 0
    assert "the answers do not differ any more" in result.output
    assert json.loads(cli("minimize", record, "--finding", 1, "--json").output)["gone"] is True


def test_findings_are_numbered_over_all_tokenizers(cli: Tokconf, recorded: Callable[..., Path]) -> None:
    record = recorded("wrong-normalization", "a B", tokenizers=("one", "two"))
    result = cli("minimize", record, "--finding", 1)
    assert result.exit_code == 1
    assert result.output.startswith("finding 1: wrong-normalization at normalize")
    second = cli("minimize", record, "--finding", 2)  # it has the same cause, which is told at the first
    assert second.exit_code == 1
    assert second.output.startswith("finding 2: two, wrong-normalization at normalize: text (1 input): same cause as 1")
    assert "its findings are 1 to 2" in cli("minimize", record, "--finding", 3).output


@pytest.mark.parametrize("number", [1, 2])
def test_the_number_of_the_terminal_is_that_of_the_finding(
    cli: Tokconf, recorded: Callable[..., Path], number: int
) -> None:
    record = recorded("wrong-normalization", "a B", tokenizers=("one", "two"))
    told = cli("run", "one.json", "two.json", *SIDES).output
    (line,) = (line for line in told.splitlines() if line.startswith(f"  {number}. wrong-normalization at normalize"))
    assert line.endswith(f"({('one', 'two')[number - 1]})")
    said = json.loads(cli("minimize", record, "--finding", number, "--json").output)
    assert (said["finding"], said["tokenizer"]) == (number, ("one", "two")[number - 1])


def test_a_cause_is_found_by_its_number(cli: Tokconf, recorded: Callable[..., Path]) -> None:
    record = recorded("wrong-normalization", "some text with a B in it")
    said = json.loads(cli("minimize", record, "--finding", 1, "--json").output)
    assert said["question"] == {"ask": "normalize", "text": {"value": "B", "length": 1}}
    missing = cli("minimize", record, "--finding", 2)
    assert missing.exit_code == 2
    assert "no finding 2; its findings are 1" in missing.output


def test_causes_of_a_run_that_was_killed(cli: Tokconf, recorded: Callable[..., Path]) -> None:
    record = recorded("wrong-normalization", "a B")
    whole = record.read_text("utf-8").splitlines(keepends=True)
    record.write_text("".join(whole[:-1]) + whole[-1][:20], "utf-8")
    result = cli("minimize", record, "--finding", 1)
    assert result.exit_code == 1
    assert "stopped before its end" in result.output


def test_a_tokenizer_that_was_moved_is_named(cli: Tokconf, recorded: Callable[..., Path], tmp_path: Path) -> None:
    record = recorded("wrong-normalization", "a B")
    (tmp_path / "toy.json").rename(tmp_path / "moved.json")
    result = cli("minimize", record, "--finding", 1)
    assert result.exit_code == 2
    assert "--from TOKENIZER says where it is now" in result.output
    assert cli("minimize", record, "--finding", 1, "--from", "moved.json").exit_code == 1


def test_another_tokenizer_is_refused(cli: Tokconf, recorded: Callable[..., Path], tmp_path: Path) -> None:
    record = recorded("wrong-normalization", "a B")
    (tmp_path / "toy.json").write_text(json.dumps(TOY | {"decoder": None}), "utf-8")
    result = cli("minimize", record, "--finding", 1)
    assert result.exit_code == 2
    assert "is not the tokenizer of the record" in result.output


@pytest.mark.parametrize("number", [0, -1, 2, 99])
def test_a_number_that_there_is_not_is_refused(cli: Tokconf, recorded: Callable[..., Path], number: int) -> None:
    result = cli("minimize", recorded("wrong-normalization", "a B"), "--finding", number)
    assert result.exit_code == 2
    assert f"no finding {number}; its findings are 1" in result.output


@pytest.mark.parametrize("name", ["toy.json", "run.jsonl", "there.json", "missing/small.json", ".", ""])
def test_nothing_is_replaced(cli: Tokconf, recorded: Callable[..., Path], tmp_path: Path, name: str) -> None:
    record = recorded("wrong-normalization", "a B")
    (tmp_path / "there.json").write_text("mine", "utf-8")
    before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    result = cli("minimize", record, "--finding", 1, "-o", name)
    assert result.exit_code == 2
    assert f"cannot write {name!r}" in result.output
    if name != "there.json":
        assert cli("minimize", record, "--finding", 1, "-o", name, "--force").exit_code == 2
    assert {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


def test_force_replaces_a_file_that_is_not_read(cli: Tokconf, recorded: Callable[..., Path], tmp_path: Path) -> None:
    record = recorded("wrong-normalization", "a B")
    (tmp_path / "there.json").write_text("mine", "utf-8")
    assert cli("minimize", record, "--finding", 1, "-o", "there.json", "--force").exit_code == 1
    assert json.loads((tmp_path / "there.json").read_text("utf-8"))["model"] == {"type": "Toy"}


NO_RECORDS = {
    "missing": (None, "cannot read"),
    "empty": ("", "is empty"),
    "text": ("hello\n", "is not JSON"),
    "another": ('{"type": "header", "schema": "tokenizer-conformance-suite-record"}\n', "is no record of a run"),
}


@pytest.mark.parametrize("name", NO_RECORDS)
def test_what_is_no_record_is_refused(cli: Tokconf, tmp_path: Path, name: str) -> None:
    content, reason = NO_RECORDS[name]
    if content is not None:
        (tmp_path / "run.jsonl").write_text(content, "utf-8")
    result = cli("minimize", "run.jsonl", "--finding", 1)
    assert result.exit_code == 2
    assert reason in result.output
    assert "Traceback" not in result.output


def test_a_command_in_the_record_that_cannot_be_read_is_said(cli: Tokconf, recorded: Callable[..., Path]) -> None:
    record = recorded("wrong-normalization", "a B")
    record.write_text(record.read_text("utf-8").replace('"repeat": "tokconf run ', '"repeat": "rm '), "utf-8")
    result = cli("minimize", record, "--finding", 1)
    assert result.exit_code == 2
    assert "cannot be read" in result.output


def test_an_implementation_that_is_not_there_is_said(cli: Tokconf, recorded: Callable[..., Path]) -> None:
    record = recorded("wrong-normalization", "a B")
    record.write_text(record.read_text("utf-8").replace("-i toy wrong-normalization", "-i toy unavailable"), "utf-8")
    result = cli("minimize", record, "--finding", 1)
    assert result.exit_code == 2
    assert "unavailable is not installed" in result.output


@pytest.mark.parametrize("word", ["command:touch run-it", "fake_implementations:WrongNormalization"])
def test_a_program_in_the_record_is_not_run_unless_named(
    cli: Tokconf, recorded: Callable[..., Path], tmp_path: Path, word: str
) -> None:
    record = recorded("wrong-normalization", "a B")
    command = f"-i toy '{word}'"
    record.write_text(record.read_text("utf-8").replace("-i toy wrong-normalization", command), "utf-8")
    result = cli("minimize", record, "--finding", 1)
    assert result.exit_code == 2
    assert "is run only if you say so" in result.output
    assert not (tmp_path / "run-it").exists()
    assert cli("minimize", record, "--finding", 1, "-i", "toy", "wrong-normalization").exit_code == 1
    assert cli("minimize", record, "--finding", 1, "-i", "toy").exit_code == 2


def test_hostile_text_is_escaped(cli: Tokconf, recorded: Callable[..., Path]) -> None:
    record = recorded("hostile", "ab")
    for number in (1, 2):
        result = cli("minimize", record, "--finding", number)
        assert result.exit_code in {0, 1, 2}
        assert "\x1b" not in result.output
        assert "\u202e" not in result.output
