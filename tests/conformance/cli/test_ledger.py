"""Ledgers on the command line: what they change, what is said of them, and how a command ends."""

from __future__ import annotations

import json
import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from line_schema import validator_of

from tokenizer_conformance.comparison.findings import MOST_IDS
from tokenizer_conformance.ledger.reader import KEYS, read_ledgers
from tokenizer_conformance.results.records.fuzz import FORMAT
from tokenizer_conformance.results.records.schema import schema_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Tokconf


MERGES = """\
# ours
format = 1

[[known]]
implementation = "swapped-merge"
version = "==1.0"
baseline = "toy"
tokenizer = "toy-tokenizer"
stage = "model"
input = "texts.txt:1"
reason = "It merges b and c first. \\u001b[2J"
link = "https://example.org/1"
"""

EMPTY = "`reason` is empty; say why the difference is known in `reason`"


@pytest.fixture
def compare(cli: Tokconf, toy_tokenizer: Path, tmp_path: Path) -> Tokconf:
    """Compares ``swapped-merge`` and more with the toy on two texts."""
    (tmp_path / "texts.txt").write_text("abc\nd\n", encoding="utf-8")
    given = ("run", toy_tokenizer, "-i", "toy", "swapped-merge", "--no-builtin", "--inputs", "texts.txt")
    given += ("--cause-time", 0)
    return lambda *arguments: cli(*given, *arguments)


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    path = tmp_path / "ledger.toml"
    path.write_text(MERGES, encoding="utf-8")
    return path


def test_what_is_known_does_not_fail_and_is_said(compare: Tokconf, ledger: Path, tmp_path: Path) -> None:
    assert compare().exit_code == 1
    result = compare("--ledger", "ledger.toml", "--markdown", "report.md")
    assert result.exit_code == 0
    assert re.search(r"^swapped-merge +✓ 2 +✓ 2 +≈ 1 of 2 +≈ 2", result.stdout, re.MULTILINE)
    assert "known: It merges b and c first. \\x1b[2J https://example.org/1" in result.stdout
    assert (
        "conform; 1 tokenizer, 2 inputs, 82 values compared, 0 new differences, 16 known for 1 reason;" in result.stdout
    )
    assert "It merges b and c first" in (tmp_path / "report.md").read_text(encoding="utf-8")
    assert ledger.read_text(encoding="utf-8") == MERGES


def test_what_is_new_fails_beside_what_is_known(compare: Tokconf, ledger: Path) -> None:
    result = compare("-i", "lossy-decode", "--inputs", "texts.txt", "zebra.txt", "--ledger", ledger)
    assert result.exit_code == 2
    Path("zebra.txt").write_text("zz")
    result = compare("-i", "lossy-decode", "--inputs", "texts.txt", "zebra.txt", "--ledger", ledger)
    assert result.exit_code == 1
    assert "1. lossy-decode at decode: other values of text" in result.stdout
    assert "1 finding, 1 failing input, 16 known for 1 reason" in result.stdout


def test_a_stale_entry_fails_and_is_said(compare: Tokconf, ledger: Path, tmp_path: Path) -> None:
    (tmp_path / "texts.txt").write_text("bc\nd\n", encoding="utf-8")
    result = compare("--ledger", ledger, "--markdown", "report.md")
    assert result.exit_code == 1
    said = f"Stale: the entry at {ledger.name}:4 is about differences that are not there any more."
    assert said in result.stdout
    assert "a ledger is stale; 1 tokenizer" in result.stdout
    assert said in (tmp_path / "report.md").read_text(encoding="utf-8")
    for options in (("--only", "texts.txt:2"), ("-k", "xt:2"), ("--stage", "decode"), ("--field", "ids")):
        assert compare("--ledger", ledger, *options).exit_code == 0


def test_a_ledger_that_cannot_be_used_is_refused_with_all_that_is_wrong(
    compare: Tokconf, ledger: Path, tmp_path: Path
) -> None:
    ledger.write_text(MERGES.replace("stage", "stege") + '\n[[known]]\nimplementation = "x"\nreason = ""\n')
    result = compare("--ledger", ledger, "--ledger", "none.toml", "--json", "record.jsonl")
    assert result.exit_code == 2
    unknown = f"unknown key 'stege' (did you mean 'stage'?); known are {', '.join(KEYS)}"
    assert [line.replace(str(tmp_path) + "/", "") for line in result.stderr.splitlines()] == [
        f"tokconf: ledger 'ledger.toml' entry 1 (line 4): {unknown}",
        "tokconf: ledger 'ledger.toml' entry 2 (line 14): " + EMPTY,
        "tokconf: ledger 'none.toml': No such file or directory",
    ]
    assert not Path("record.jsonl").exists()


def test_no_report_replaces_a_ledger(compare: Tokconf, ledger: Path) -> None:
    for option in ("--ledger", "--update-ledger"):
        result = compare(option, ledger, "--json", ledger, "--force")
        assert result.exit_code == 2
        assert "ledger" in result.stderr
        assert ledger.read_text(encoding="utf-8") == MERGES


# Updating ------------------------------------------------------------------------------------------------------------


def with_reasons(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b'reason = ""', b'reason = "so it is"'))


def test_new_differences_are_appended_and_known_once_a_reason_is_given(compare: Tokconf) -> None:
    path = Path("new.toml")
    result = compare("--update-ledger", path)
    assert result.exit_code == 1
    text = path.read_text(encoding="utf-8")
    count = text.count('reason = ""')
    plural = "new difference" if count == 1 else "new differences"
    assert result.stderr == (
        f"tokconf: {count} {plural} written to 'new.toml': say in `reason` why each is known; until then the ledger is "
        "refused\n"
    )
    assert '\n# 1 input; texts.txt:1 (texts.txt): encode, without special tokens: text "abc"\n[[known]]\n' in text
    for options in (("--ledger", path), ("--update-ledger", path)):
        refused = compare(*options)
        assert refused.exit_code == 2
        assert refused.stderr.count("`reason` is empty; say why") == count
    assert path.read_text(encoding="utf-8") == text
    with_reasons(path)
    entries = read_ledgers([path]).entries
    assert {each.stages for each in entries} == {("model",)}, "what follows needs no entry"
    assert {(each.version, each.baselines, each.inputs) for each in entries} == {("==1.0", ("toy",), ("texts.txt:1",))}
    assert compare("--ledger", path).exit_code == 0
    before = path.read_bytes()
    again = compare("--update-ledger", path)
    assert (again.exit_code, again.stderr) == (0, "")
    assert path.read_bytes() == before


def test_what_people_wrote_is_kept(compare: Tokconf, ledger: Path) -> None:
    assert compare("--update-ledger", ledger).exit_code == 0
    assert ledger.read_text(encoding="utf-8") == MERGES
    assert compare("-i", "wrong-special-token", "--update-ledger", ledger).exit_code == 1
    text = ledger.read_text(encoding="utf-8")
    assert text.startswith(MERGES)
    assert 'implementation = "wrong-special-token"' in text[len(MERGES) :]
    assert "swapped-merge" not in text[len(MERGES) :]


def test_where_many_inputs_show_it_an_entry_names_all(cli: Tokconf, toy_tokenizer: Path) -> None:
    path = Path("new.toml")
    Path("many.txt").write_text("".join(f"text {number}\n" for number in range(MOST_IDS + 1)))
    given = ("run", toy_tokenizer, "-i", "toy", "wrong-special-token", "--no-builtin", "--inputs", "many.txt")
    assert cli(*given, "--update-ledger", path).exit_code == 1
    with_reasons(path)
    named = tuple(f"many.txt:{number}" for number in range(1, MOST_IDS + 2))
    assert {each.inputs for each in read_ledgers([path]).entries} == {named}
    result = cli(*given, "--ledger", path)
    assert result.exit_code == 0, result.stdout


@pytest.mark.long_but(5)
@pytest.mark.skipif(os.name != "posix", reason="such names need a POSIX file system")
@pytest.mark.parametrize("name", ["q\"u'o\\te", "line\nfeed", "\x1b[2J\x7f", "[1]*?", "\u202ertl", "\udce9", "#é漢"])
def test_hostile_names_survive(compare: Tokconf, name: str) -> None:
    Path(name).write_text("abc\nd\n", encoding="utf-8")
    path = Path("new.toml")
    given = ("--inputs", name)
    assert compare(*given, "--update-ledger", path).exit_code == 1
    assert all(line.isprintable() for line in path.read_text(encoding="utf-8").splitlines())
    with_reasons(path)
    result = compare(*given, "--ledger", path)
    assert result.exit_code == 0, result.stdout


def test_errors_and_crashes_are_written_too(cli: Tokconf, toy_tokenizer: Path, tmp_path: Path) -> None:
    (tmp_path / "texts.txt").write_text("abc\nx\n")
    given = ("run", toy_tokenizer, "-i", "toy", "crashing", "raising", "--no-builtin", "--inputs", "texts.txt")
    assert cli(*given, "--update-ledger", "new.toml").exit_code == 3
    with_reasons(tmp_path / "new.toml")
    assert {each.classes for each in read_ledgers(["new.toml"]).entries} == {("crashed",), ("raised an error",)}
    assert cli(*given, "--ledger", "new.toml").exit_code == 0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('format = 1\nknown = [{implementation = "a", reason = "b"}]\n', "write each entry under [[known]] of its own"),
        ("format = 1\nx\n", "is not TOML: Expected '='"),
        ("format = 1\nx = " + "[" * 100_000, "cannot be read: it is nested too deeply"),
    ],
)
def test_a_ledger_that_cannot_be_appended_to_is_refused_before_the_run(
    compare: Tokconf, content: str, said: str
) -> None:
    path = Path("new.toml")
    path.write_text(content)
    result = compare("--update-ledger", path)
    assert result.exit_code == 2
    assert said in result.stderr
    assert path.read_text() == content


def test_there_has_to_be_a_folder_for_a_new_ledger(compare: Tokconf) -> None:
    result = compare("--update-ledger", "no/such/new.toml")
    assert result.exit_code == 2
    assert "there is no folder for it; make the folder first" in result.stderr


PORT = """
import os
from tokenizers import Tokenizer

class Port:
    @classmethod
    def from_file(cls, path):
        port = cls()
        port.tokenizer = Tokenizer.from_file(path)
        return port

    def encode(self, text, pair=None, add_special_tokens=True):
        ids = self.tokenizer.encode(text, pair, add_special_tokens=add_special_tokens).ids
        unknown, mask = map(self.tokenizer.token_to_id, ("[UNK]", "[MASK]"))
        after = [0 if before == unknown else id for before, id in zip([None, *ids], ids)]
        if "Y" in os.environ["FAULTS"]:
            ids = [id if id == unknown else other for id, other in zip(ids, after)]
        return [mask if id == unknown else id for id in ids] if "X" in os.environ["FAULTS"] else ids

    def decode(self, ids, skip_special_tokens=True):
        return self.tokenizer.decode(ids, skip_special_tokens=skip_special_tokens)
"""
"""A port of a tokenizer with two faults: unknown words are masks (X), and what stands after one is padding (Y)."""


@pytest.fixture
def port(cli: Tokconf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Compares the port with these faults on the built-in ``inputs``: on few, as a cause is looked for each time."""
    (tmp_path / "port_with_faults.py").write_text(PORT, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))

    def compared(faults: str, *options: object, inputs: str = "cjk-range-ends") -> Any:
        monkeypatch.setenv("FAULTS", faults)
        given = ("bert-mini", "-i", "tokenizers", "port_with_faults:Port", "-k", inputs, "--no-known")
        return cli("run", *given, *options)

    return compared


def lines_of(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


@pytest.mark.long_but(1)
@pytest.mark.parametrize("options", ["", "--cause-time 0", "--sample 10", "--field ids --jobs 2"])
def test_a_fault_beside_a_known_one_is_new_and_is_not_given_the_known_cause(
    port: Callable[..., Any], options: str
) -> None:
    path = Path("new.toml")
    assert port("X", "--update-ledger", path).exit_code == 1
    with_reasons(path)
    (entry,) = read_ledgers([path]).entries
    assert (entry.cause, entry.stages) == ("unknown-token-policy, model unk_token [UNK] -> [MASK]", ("model",))
    same = port("X", "--ledger", path, *options.split())
    assert same.exit_code == 0, same.output
    other = port("XY", "--ledger", path, *options.split())
    assert other.exit_code == 1, other.output
    assert "unknown-token-policy" not in other.stdout
    is_told = "not explained, only the known cause beside it was found" in other.stdout
    assert is_told is ("--cause-time" not in options)
    gone = port("", "--ledger", path, *options.split())
    assert ("Stale: the entry at new.toml:5" in gone.stdout) is ("--sample" not in options)


@pytest.mark.long
def test_parts_of_a_run_know_what_the_whole_run_knows(port: Callable[..., Any], cli: Tokconf) -> None:
    for part in "12":
        assert port("X", "--update-ledger", f"{part}.toml", "--shard", f"{part}/2", inputs="cjk").exit_code == 1
        with_reasons(Path(f"{part}.toml"))
    ledgers = ("--ledger", "1.toml", "--ledger", "2.toml")
    assert port("X", *ledgers, inputs="cjk").exit_code == 0
    for faults, status, is_stale in (("X", 0, False), ("XY", 1, False), ("", 1, True)):
        for part in "12":
            port(faults, *ledgers, "--shard", f"{part}/2", "--json", f"{part}.jsonl", "--force", inputs="cjk")
        merged = cli("merge", "1.jsonl", "2.jsonl", "--json", "merged.jsonl", "--force")
        assert merged.exit_code == status, merged.output
        assert bool(lines_of("merged.jsonl")[-1]["stale"]) is is_stale


@pytest.mark.long
def test_a_run_that_goes_on_writes_what_it_would_have_written_at_once(port: Callable[..., Any]) -> None:
    assert port("X", "--update-ledger", "whole.toml", "--json", "record.jsonl", "--cause-time", 0).exit_code == 1
    *kept, _ = Path("record.jsonl").read_bytes().splitlines(keepends=True)
    Path("record.jsonl").write_bytes(b"".join(kept))
    rest = ("--json", "record.jsonl", "--cause-time", 0, "--resume")
    assert port("X", "--update-ledger", "rest.toml", *rest).exit_code == 1
    assert Path("rest.toml").read_bytes() == Path("whole.toml").read_bytes()


# The ledger of the project, and fuzzing ------------------------------------------------------------------------------


@pytest.mark.long
def test_the_known_difference_of_transformers_is_known_unless_that_is_left_out(cli: Tokconf) -> None:
    given = ("run", "options-mini", "-i", "tokenizers", "transformers", "--only", "emoji/broken-chain")
    known = cli(*given)
    assert known.exit_code == 0, known.output
    for stage in ("model", "post_process"):
        assert f"transformers at {stage}: other values of type_ids (options-mini; known)" in known.stdout
    assert "The pad_type_id of the file is read and not kept" in " ".join(known.stdout.split())
    new = cli(*given, "--no-known")
    assert new.exit_code == 1
    assert "1. transformers at model" in new.stdout
    (command,) = re.findall(r"^     repeat: tokconf (.*)$", new.stdout, re.MULTILINE)
    assert "--baseline tokenizers --no-known --ask " in command
    assert cli(*shlex.split(command)).exit_code == 1


@pytest.mark.long
def test_fuzzing_takes_ledgers_and_judges_none_stale(cli: Tokconf, tmp_path: Path) -> None:
    entry = '[[known]]\nimplementation = "wrong-type"\nfield = "{}"\nreason = "It has one type."\n'
    (tmp_path / "ledger.toml").write_text("format = 1\n" + entry.format("type_ids") + entry.format("tokens"))
    given = ("fuzz", "-i", "wrong-type", "--seed", 3, "--tokenizers", 12, "--texts", 4)
    assert cli(*given).exit_code == 1
    result = cli(*given, "--ledger", "ledger.toml", "--json", "record.jsonl", "--jobs", 2)
    assert result.exit_code == 0, result.output
    lines = [json.loads(line) for line in Path("record.jsonl").read_text().splitlines()]
    count = lines[-1]["known"]
    assert count > 0
    assert "It has one type." in result.stdout
    assert f"0 differences, {count} known;" in result.stdout
    validator = validator_of(schema_of(FORMAT))
    for line in lines:
        validator.validate(line)
    assert lines[1]["known"] == [
        {"ledger": "ledger.toml", "entry": 1, "reason": "It has one type.", "link": None, "count": count}
    ]


def test_fuzzing_refuses_a_ledger_like_any_command(cli: Tokconf) -> None:
    result = cli("fuzz", "--ledger", "none.toml", "--tokenizers", 1)
    assert result.exit_code == 2
    assert result.stderr == "tokconf: ledger 'none.toml': No such file or directory\n"
