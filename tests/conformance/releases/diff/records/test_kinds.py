"""The records of which commands can be compared: those that the help promises, and no others."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from altered_records import put, read, texts, written
from click.testing import CliRunner, Result
from record_pairs import Compared
from written_checks import FILES, agreeing

from tokenizer_conformance.cli import main
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.releases.diff.records.plan import KINDS, OTHERS
from tokenizer_conformance.results.records.cuts import FORMAT as CUTS
from tokenizer_conformance.results.records.explanation import FORMAT as EXPLANATION
from tokenizer_conformance.results.records.file_audit import FORMAT as FILE_AUDIT
from tokenizer_conformance.results.records.loader_audit import FORMAT as LOADER_AUDIT
from tokenizer_conformance.results.records.metrics import FORMAT as METRICS
from tokenizer_conformance.results.records.offsets_audit import FORMAT as OFFSETS_AUDIT
from tokenizer_conformance.results.records.record_diff import FORMAT as RECORD_DIFF
from tokenizer_conformance.results.records.unicode_audit import FORMAT as UNICODE_AUDIT
from tokenizer_conformance.results.records.versions import FORMAT as VERSIONS
from tokenizer_conformance.validation.vectors.wording import SCHEMA as VECTORS_CHECK

if TYPE_CHECKING:
    from collections.abc import Callable

    Recording = Callable[..., Path]

HOSTILE_TEXT = "\x1b\u202e\ud800\n"

TEXTS = "abc\naBc d\nx\na-b\nzebra crossing\n\ufffd\n"


def call(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def recording(plugin: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Recording:
    """A function that carries out a command, and returns the record that it writes."""
    monkeypatch.syspath_prepend(str(plugin))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOKCONF_IN_PROCESS", "all")
    Path("texts.txt").write_text(TEXTS, encoding="utf-8")
    numbers = iter(range(100))

    def write(*arguments: object) -> Path:
        path = Path(f"record-{next(numbers)}.jsonl")
        words = [*map(str, arguments), "--json", str(path)]
        monkeypatch.setattr(sys, "argv", ["tokconf", *words])
        done = call(*words)
        assert path.is_file(), done.output
        return path

    return write


def snapshot(tokenizer: Path, who: str, name: str) -> None:
    done = call("snapshot", tokenizer, "-i", who, "-o", name, "--no-builtin", "--inputs", "texts.txt")
    assert done.exit_code == 0, done.output


def header_of(path: Path) -> dict[str, Any]:
    header: dict[str, Any] = json.loads(path.read_text("ascii").split("\n", 1)[0])
    return header


def test_the_help_promises_as_many_kinds_as_there_are() -> None:
    told = " ".join(call("diff", "--help").stdout.split())
    assert 'two records of one command (--json of "run", "fuzz", "suite run", "train", or of "diff" between' in told
    assert [kind.noun for kind in KINDS.values()] == ["run", "run of the suite", "training", "fuzzing", "search"]


COMMANDS = {
    "run": ("run", "gpt2-mini", "--no-builtin", "--inputs", "texts.txt", "--baseline", "tokenizers", "-i"),
    "suite run": ("suite", "run", "-k", "TRUNCATION-STRIDE", "-i"),
    "a search": ("fuzz", "bert-mini", "--cases", "6", "--seed", "1", "--baseline", "tokenizers", "-i"),
    "fuzz": ("fuzz", "--tokenizers", "6", "--texts", "3", "--seed", "1", "--baseline", "tokenizers", "-i"),
}
FAULTY = {"run": "short-decode", "suite run": "no-overflow", "a search": "wrong-type", "fuzz": "short-decode"}


@pytest.mark.long_but(1)
@pytest.mark.parametrize("command", [*COMMANDS])
def test_a_record_and_itself_are_the_same_and_a_fault_is_new(
    recording: Recording, tmp_path: Path, command: str
) -> None:
    fault = FAULTY[command]
    sound, faulty = (recording(*COMMANDS[command], who) for who in ("sound", fault))
    for each in (faulty, sound):
        done = call("diff", each, each, *FILES)
        assert done.exit_code == 0, done.output
        assert agreeing(tmp_path, 0).results == []
    done = call("diff", sound, faulty, "--match", f"sound={fault}", *FILES)
    assert done.exit_code == 1, done.output
    assert agreeing(tmp_path, 1).rules() == {"new-since-record"}
    assert call("diff", faulty, sound, "--match", f"{fault}=sound", *FILES).exit_code == 0


@pytest.mark.long_but(1)
@pytest.mark.parametrize("command", [*COMMANDS])
def test_hostile_text_anywhere_in_a_record_is_refused_or_told_made_safe(recording: Recording, command: str) -> None:
    path = recording(*COMMANDS[command], FAULTY[command])
    lines = read(path)
    compared = 0
    for place in texts(lines):
        altered = written(path.with_name("altered.jsonl"), put(lines, place, HOSTILE_TEXT))
        for old, new in ((path, altered), (altered, path)):
            try:
                outcomes = [(each.outcome.title, each.why, *each.outcome.lines) for each in Compared(old, new).found]
            except BadInputError as error:
                outcomes = [(str(error),)]
            else:
                compared += 1
            assert not any(unsafe in line for told in outcomes for line in told for unsafe in HOSTILE_TEXT), place
    assert compared


def test_records_of_diffs_of_snapshots(recording: Recording, toy_tokenizer: Path, tmp_path: Path) -> None:
    names = {"changed_loading:Saving": "a", "changed_loading:SavesOtherwise": "b", "lossy-decode": "c"}
    for who, name in names.items():
        made = call(
            "snapshot", toy_tokenizer, "-i", who, "-o", f"{name}.jsonl.gz", "--no-builtin", "--inputs", "texts.txt"
        )
        assert made.exit_code == 0, made.output
    same, saved, lossy = (recording("diff", "a.jsonl.gz", f"{name}.jsonl.gz", "--no-live") for name in "abc")
    assert header_of(saved)["schema"] == header_of(same)["schema"] == "tokenizer-conformance-record"
    for each in (same, saved, lossy):
        assert call("diff", each, each, *FILES).exit_code == 0
        agreeing(tmp_path, 0)
    done = call("diff", same, saved, *FILES)
    assert done.exit_code == 1, done.output
    found = agreeing(tmp_path, 1)
    assert {name for _, name in found.wrong()} == {"save"}
    assert call("diff", saved, same).exit_code == 0
    done = call("diff", same, lossy, "--match", f"{new_side(same)}={new_side(lossy)}", *FILES)
    assert done.exit_code == 1, done.output
    assert {name for _, name in agreeing(tmp_path, 1).wrong()} >= {"decode"}


def new_side(path: Path) -> str:
    header = header_of(path)
    return next(each["name"] for each in header["implementations"] if each["name"] != header["baseline"])


@pytest.mark.parametrize("schema", [*OTHERS, EXPLANATION.name])
def test_other_records_are_refused_with_what_to_do(tmp_path: Path, schema: str) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(json.dumps({"type": "header", "schema": schema, "version": "1.0"}) + "\n", "ascii")
    done = call("diff", path, path)
    assert done.exit_code == 2
    assert done.stdout == ""
    told = OTHERS.get(schema, f"of another kind ({schema})")
    assert f"is the record {told}; records that can be compared are those of a run, " in done.stderr


def test_every_other_record_that_is_named_is_one(recording: Recording) -> None:
    del recording
    audits = {LOADER_AUDIT.name, FILE_AUDIT.name, OFFSETS_AUDIT.name, UNICODE_AUDIT.name}
    assert set(OTHERS) == {VERSIONS.name, RECORD_DIFF.name, VECTORS_CHECK, CUTS.name, METRICS.name, *audits}
    assert not set(OTHERS) & set(KINDS)


@pytest.mark.parametrize("is_first", [True, False])
def test_a_record_and_a_snapshot_are_refused(recording: Recording, toy_tokenizer: Path, is_first: bool) -> None:
    record = recording("run", toy_tokenizer, "-i", "toy", "ids-only", "--no-builtin", "--inputs", "texts.txt")
    snapshot(toy_tokenizer, "toy", "a.jsonl.gz")
    done = call("diff", *(("a.jsonl.gz", record) if is_first else (record, "a.jsonl.gz")))
    assert done.exit_code == 2
    assert "'a.jsonl.gz' is a snapshot, and the other file is a record: give two of one" in done.stderr
