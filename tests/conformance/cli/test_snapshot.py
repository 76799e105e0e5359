"""``tokconf snapshot`` and ``tokconf diff`` from the outside: files, refusals, interrupts, ledgers, records."""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from line_schema import validator_of

from tokenizer_conformance.releases.snapshot_file.reader import read_snapshot
from tokenizer_conformance.results.records.run import FORMAT
from tokenizer_conformance.results.records.schema import schema_of

if TYPE_CHECKING:
    from conftest import CommandLine, Finished, Tokconf

TEXTS = "abc\naBc d\nx y\na-b\nzebra crossing\n"


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    path = tmp_path / "texts.txt"
    path.write_text(TEXTS, encoding="utf-8")
    return path


def snapshot(
    tokconf: CommandLine, tokenizer: Path, output: str, implementation: str = "toy", *options: str, bug: str = ""
) -> Finished:
    wanted = (str(tokenizer), "-i", implementation, "--no-builtin", "--inputs", "texts.txt", "-o", output)
    return tokconf.run("snapshot", *wanted, *options, bug=bug)


def words(done: Finished) -> str:
    """Return the one line of a refusal."""
    (line,) = done.err.splitlines()
    assert "Traceback" not in done.err
    return line


# Writing --------------------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.usefixtures("texts")
def test_a_snapshot_is_written_and_nothing_changed_since(tokconf: CommandLine, toy_tokenizer: Path) -> None:
    done = snapshot(tokconf, toy_tokenizer, "a.jsonl.gz")
    assert done.status == 0, done.err
    assert '"a.jsonl.gz": 1 tokenizer, ' in done.out
    assert not (tokconf.folder / "a.jsonl.gz.partial").exists()
    assert read_snapshot(tokconf.folder / "a.jsonl.gz").is_whole
    first = gzip.decompress((tokconf.folder / "a.jsonl.gz").read_bytes()).splitlines()[1:-1]
    assert snapshot(tokconf, toy_tokenizer, "a.jsonl.gz").status == 0  # a snapshot may take the place of one
    assert gzip.decompress((tokconf.folder / "a.jsonl.gz").read_bytes()).splitlines()[1:-1] == first
    same = tokconf.run("diff", "a.jsonl.gz")
    assert (same.status, "0 differences" in same.out) == (0, True), same.err
    assert tokconf.run("diff", "a.jsonl.gz", "a.jsonl.gz").status == 0


@pytest.mark.long
@pytest.mark.usefixtures("texts")
def test_a_name_that_ends_in_xz_makes_the_same_snapshot_smaller(tokconf: CommandLine, toy_tokenizer: Path) -> None:
    (tokconf.folder / "texts.txt").write_text("".join(f"{number} {TEXTS}" for number in range(100)))
    by_gzip, by_xz = (tokconf.folder / name for name in ("a.jsonl.gz", "a.jsonl.xz"))
    for path in (by_gzip, by_xz, by_xz):  # a snapshot may take the place of one
        assert snapshot(tokconf, toy_tokenizer, path.name).status == 0
    lines = [
        decompress(path.read_bytes()) for decompress, path in ((gzip.decompress, by_gzip), (lzma.decompress, by_xz))
    ]
    assert lines[0].splitlines()[1:-1] == lines[1].splitlines()[1:-1]
    assert by_xz.stat().st_size < by_gzip.stat().st_size / 2
    for new in ((), (by_xz.name,), (by_gzip.name,)):
        same = tokconf.run("diff", by_xz.name, *new)
        assert (same.status, "0 differences" in same.out) == (0, True), same.err


@pytest.mark.usefixtures("texts")
def test_what_must_not_be_replaced_is_not(tokconf: CommandLine, toy_tokenizer: Path) -> None:
    (tokconf.folder / "other").write_text("mine")
    (tokconf.folder / "b.gz.partial").write_text("mine")
    for output, said in (
        ("-", "a snapshot is written to a file, and not to standard output"),
        ("b.gz", "cannot write 'b.gz.partial': it is there already; --force replaces it"),
        (str(toy_tokenizer), "the command reads it"),
        ("texts.txt", "the command reads it"),
        ("other", "it is there already; --force replaces it"),
        ("nowhere/a.gz", "it is no file in a folder that is there"),
        (".", "it is no file in a folder that is there"),
        ("/dev/null", "it is no regular file"),
    ):
        done = snapshot(tokconf, toy_tokenizer, output)
        assert done.status == 2, (output, done.err)
        assert said in words(done)
    assert (tokconf.folder / "texts.txt").read_text() == TEXTS
    assert (tokconf.folder / "other").read_text() == "mine"
    assert (tokconf.folder / "b.gz.partial").read_text() == "mine"
    assert not (tokconf.folder / "-").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.usefixtures("texts")
def test_a_pipe_is_refused_and_not_waited_for(tokconf: CommandLine, toy_tokenizer: Path) -> None:
    os.mkfifo(tokconf.folder / "pipe")
    assert "it is no regular file" in words(snapshot(tokconf, toy_tokenizer, "pipe"))
    assert "is a pipe and no file" in words(tokconf.run("diff", "pipe", "toy"))
    assert "is a pipe and no file" in words(tokconf.run("diff", "pipe", "pipe"))


@pytest.mark.usefixtures("texts")
def test_nothing_that_is_read_is_replaced_by_force(tokconf: CommandLine, toy_tokenizer: Path) -> None:
    beside = toy_tokenizer.with_name("tokenizer_config.json")
    beside.write_text("{}")
    (tokconf.folder / "texts.gz.partial").write_text("a text\n")
    for output in (str(beside), "texts.txt", "texts.gz"):
        done = snapshot(tokconf, toy_tokenizer, output, "toy", "--force", "--inputs", "texts.gz.partial")
        assert (done.status, "the command reads it" in words(done)) == (2, True), (output, done.err)
    assert beside.read_text() == "{}"
    assert (tokconf.folder / "texts.gz.partial").read_text() == "a text\n"


@pytest.mark.long_but(2)
@pytest.mark.usefixtures("texts")
@pytest.mark.parametrize("option", ["--json", "--markdown", "--junit", "--sarif"])
def test_no_report_of_a_diff_replaces_the_tokenizer_that_the_snapshot_names(
    tokconf: CommandLine, toy_tokenizer: Path, option: str
) -> None:
    assert snapshot(tokconf, toy_tokenizer, "a.jsonl.gz").status == 0
    before = toy_tokenizer.read_bytes()
    done = tokconf.run("diff", "a.jsonl.gz", option, str(toy_tokenizer), "--force")
    assert (done.status, "is the file of a tokenizer" in words(done)) == (2, True), done.err
    assert toy_tokenizer.read_bytes() == before
    assert snapshot(tokconf, toy_tokenizer, "other", "toy", "--force").status == 0


FULL = """
import errno, os
from tokenizer_conformance.command_io import sinks
def full(descriptor, data, write=os.write):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
sinks.os.write = full
"""
KILLED = """
import os, signal
from tokenizer_conformance.releases.snapshot_file import placed_file
def killed(self):
    os.kill(os.getpid(), signal.SIGKILL)
placed_file.PlacedFile.place = killed
"""


@pytest.mark.usefixtures("texts")
@pytest.mark.parametrize(("bug", "status"), [(FULL, 3), (KILLED, -signal.SIGKILL)], ids=["disk full", "killed"])
def test_what_was_there_stays_until_the_new_one_is_whole(
    tokconf: CommandLine, toy_tokenizer: Path, bug: str, status: int
) -> None:
    assert snapshot(tokconf, toy_tokenizer, "a.gz").status == 0
    before = (tokconf.folder / "a.gz").read_bytes()
    done = snapshot(tokconf, toy_tokenizer, "a.gz", "wrong-pieces", bug=bug)
    assert done.status == status, done.err
    assert (tokconf.folder / "a.gz").read_bytes() == before
    if status == 3:
        assert "cannot write 'a.gz': No space left on device" in done.err
        assert "Traceback" not in done.err
    else:
        assert read_snapshot(tokconf.folder / "a.gz.partial").header.selected_by == "wrong-pieces"
    assert snapshot(tokconf, toy_tokenizer, "a.gz").status == 0  # what was left does not stand in the way
    assert not (tokconf.folder / "a.gz.partial").exists()


SLOW = """
import time
from tokenizer_conformance.releases.snapshot.asking import Asking
real = Asking._answers_about
def slow(self, each):
    if each.input.text.startswith("x"):
        print("waiting", flush=True)
        time.sleep(60)
    return real(self, each)
Asking._answers_about = slow
"""


@pytest.mark.long
@pytest.mark.usefixtures("texts")
def test_one_that_is_interrupted_says_what_is_there_and_can_be_read(tokconf: CommandLine, toy_tokenizer: Path) -> None:
    wanted = (str(toy_tokenizer), "-i", "toy", "--no-builtin", "--inputs", "texts.txt", "-o", "a.gz")
    process = tokconf.start("snapshot", *wanted, bug=SLOW)
    assert process.stdout is not None
    while "waiting" not in process.stdout.readline():
        time.sleep(0.01)
    second = tokconf.run("snapshot", *wanted)
    assert second.status == 2
    assert "another run is writing to 'a.gz'" in words(second)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert 'INCOMPLETE (interrupted): "a.gz.partial"' in out
    assert not (tokconf.folder / "a.gz").exists()
    done = tokconf.run("diff", "a.gz.partial", "wrong-pieces", "--partial", "--no-live")
    assert done.status == 0, done.err  # the text with the hyphen was not reached
    assert "is not whole: only what it holds is compared" in done.err
    assert tokconf.run("diff", "a.gz.partial").status == 0


@pytest.mark.usefixtures("texts")
@pytest.mark.parametrize(("name", "status"), [("raising", 0), ("crashing", 3), ("hanging", 3), ("mute", 3)])
def test_an_implementation_that_gives_no_value_is_written_down_as_it_is(
    tokconf: CommandLine, toy_tokenizer: Path, name: str, status: int
) -> None:
    done = snapshot(tokconf, toy_tokenizer, "a.gz", name)
    assert done.status == status, done.err
    assert read_snapshot(tokconf.folder / "a.gz").is_whole


def test_one_that_was_cut_off_is_compared_only_if_wanted_and_it_is_said(
    cli: Tokconf, texts: Path, toy_tokenizer: Path
) -> None:
    assert texts.is_file()
    wanted = (toy_tokenizer, "-i", "toy", "--no-builtin", "--inputs", texts, "-o", "a.jsonl.gz")
    assert cli("snapshot", *wanted).exit_code == 0
    whole = gzip.decompress(Path("a.jsonl.gz").read_bytes()).splitlines(keepends=True)
    Path("cut.jsonl.gz").write_bytes(gzip.compress(b"".join(whole[:-1])))
    said = "'cut.jsonl.gz' is not whole: only what it holds is compared"
    partial = cli("diff", "cut.jsonl.gz", "a.jsonl.gz", "--partial")
    assert (partial.exit_code, said in partial.stderr) == (0, True), partial.output
    assert said not in cli("diff", "a.jsonl.gz", "a.jsonl.gz", "--partial").stderr
    assert cli("diff", "cut.jsonl.gz", "a.jsonl.gz").exit_code == 2


# Parts ----------------------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.usefixtures("texts")
def test_parts_are_merged_and_a_part_is_not_compared(tokconf: CommandLine, toy_tokenizer: Path) -> None:
    names = [f"{part}.gz" for part in (1, 2, 3)]
    for part, name in enumerate(names, 1):
        done = snapshot(tokconf, toy_tokenizer, name, "toy", "--shard", f"{part}/3", "--jobs", "2")
        assert (done.status, f"part {part} of 3 of 5 for each of 1 tokenizer" in done.out) == (0, True), done.err
    refused = tokconf.run("diff", "1.gz", "toy")
    assert (refused.status, "part 1 of 3 of a snapshot; 'tokconf merge' makes the whole" in words(refused)) == (2, True)
    lacking = tokconf.run("merge", "3.gz", "1.gz", "-o", "whole.gz")
    assert (lacking.status, "part 2 of 3 is missing" in lacking.err) == (3, True)
    assert "nothing was written" in lacking.err
    for options, said in (
        ((), "give its name with -o"),
        (("-o", "whole.gz", "--markdown", "m.md"), "give its name with -o"),
        (("-o", "whole.gz", "--partial"), "a snapshot is merged of all its parts"),
        (("-o", "1.gz"), "'1.gz'"),
    ):
        wrong = tokconf.run("merge", *names, *options)
        assert (wrong.status, said in wrong.err) == (2, True), wrong.err
    lost = tokconf.run("merge", *names, "-o", "whole.gz", bug=FULL)
    assert (lost.status, "cannot write 'whole.gz': No space left on device" in lost.err) == (3, True)
    assert not (tokconf.folder / "whole.gz").exists()
    merged = tokconf.run("merge", *names, "-o", "whole.gz")
    assert (merged.status, "3 parts of 3" in merged.out) == (0, True), merged.err
    assert snapshot(tokconf, toy_tokenizer, "one.gz").status == 0
    for given in (("whole.gz", "one.gz"), ("one.gz", "whole.gz"), ("whole.gz", "toy")):
        same = tokconf.run("diff", *given)
        assert (same.status, "0 differences" in same.out) == (0, True), same.err


# Comparing ------------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("texts")
def test_a_change_is_found_known_and_fixed(tokconf: CommandLine, toy_tokenizer: Path) -> None:
    assert snapshot(tokconf, toy_tokenizer, "old.gz").status == 0
    assert snapshot(tokconf, toy_tokenizer, "new.gz", "swapped-merge").status == 0
    compared = ("diff", "old.gz", "new.gz")
    found = tokconf.run(*compared, "--json", "diff.jsonl", "--markdown", "diff.md")
    assert found.status == 1, found.err
    lines = [json.loads(line) for line in (tokconf.folder / "diff.jsonl").read_text().splitlines()]
    validator = validator_of(schema_of(FORMAT))
    for line in lines:
        validator.validate(line)
    assert [line["type"] for line in lines][:2] == ["header", "sides"]
    assert "tokconf diff old.gz new.gz --only" in (tokconf.folder / "diff.md").read_text()
    (repeat,) = {finding["repeat"] for line in lines if line["type"] == "tokenizer" for finding in line["findings"][:1]}
    assert tokconf.run(*repeat.split(" ", 4)[1:4], "--only", repeat.split("--only ")[1].strip("'")).status == 1

    written = tokconf.run(*compared, "--update-ledger", "known.toml")
    assert "2 new differences written to 'known.toml'" in written.err
    ledger = tokconf.folder / "known.toml"
    ledger.write_text(ledger.read_text().replace('reason = ""', 'reason = "merges"'))
    assert tokconf.run(*compared, "--ledger", "known.toml").status == 0
    assert snapshot(tokconf, toy_tokenizer, "new.gz", "raising").status == 0
    assert tokconf.run(*compared, "--ledger", "known.toml").status == 1

    resumed = tokconf.run("run", str(toy_tokenizer), "-i", "toy", "swapped-merge", "--json", "diff.jsonl", "--resume")
    assert resumed.status == 2
    assert "Traceback" not in resumed.err


@pytest.mark.long_but(1)
@pytest.mark.usefixtures("texts")
@pytest.mark.parametrize("command", [("minimize",), ("bug",)])
def test_the_findings_of_a_diff_are_read_by_what_reads_records(
    tokconf: CommandLine, toy_tokenizer: Path, command: tuple[str, ...]
) -> None:
    assert snapshot(tokconf, toy_tokenizer, "old.gz").status == 0
    assert tokconf.run("diff", "old.gz", "swapped-merge", "--json", "diff.jsonl", "--no-live").status == 1
    done = tokconf.run(*command, "diff.jsonl", "--finding", "1")
    assert done.status == 2
    assert "is the record of a diff" in words(done)


@pytest.mark.usefixtures("texts")
def test_a_report_never_takes_the_place_of_a_snapshot(tokconf: CommandLine, toy_tokenizer: Path) -> None:
    assert snapshot(tokconf, toy_tokenizer, "old.gz").status == 0
    before = (tokconf.folder / "old.gz").read_bytes()
    for option in ("--json", "--markdown"):
        done = tokconf.run("diff", "old.gz", option, "old.gz")
        assert done.status == 2
        assert "old.gz" in words(done)
    assert (tokconf.folder / "old.gz").read_bytes() == before


PROGRAM = "command:touch started"


@pytest.mark.long
@pytest.mark.usefixtures("texts")
def test_a_file_starts_no_program(tokconf: CommandLine, toy_tokenizer: Path) -> None:
    """A snapshot comes from anywhere; what it says that it was selected by is no command of the user."""
    assert snapshot(tokconf, toy_tokenizer, "old.gz").status == 0
    lines = gzip.decompress((tokconf.folder / "old.gz").read_bytes()).splitlines(keepends=True)
    lines[0] = lines[0].replace(b'"selected_by":"toy"', f'"selected_by":"{PROGRAM}"'.encode())
    (tokconf.folder / "evil.gz").write_bytes(_sealed(lines))
    alone = tokconf.run("diff", "evil.gz")
    assert (alone.status, "no snapshot starts a program" in words(alone)) == (2, True)
    for options in ((), ("--live",), ("--no-live",)):
        tokconf.run("diff", "evil.gz", "evil.gz", *options)
        tokconf.run("diff", "old.gz", "evil.gz", *options)
        tokconf.run("diff", "evil.gz", "toy", *options)
    assert not (tokconf.folder / "started").exists()


def _sealed(lines: list[bytes]) -> bytes:
    footer = json.loads(lines[-1]) | {"sha256": hashlib.sha256(b"".join(lines[:-1])).hexdigest()}
    return gzip.compress(b"".join(lines[:-1]) + json.dumps(footer, separators=(",", ":")).encode() + b"\n")


@pytest.mark.usefixtures("texts")
def test_hostile_words_of_a_file_are_shown_harmless(tokconf: CommandLine, toy_tokenizer: Path) -> None:
    assert snapshot(tokconf, toy_tokenizer, "old.gz").status == 0
    lines = gzip.decompress((tokconf.folder / "old.gz").read_bytes()).splitlines(keepends=True)
    header = json.loads(lines[0])
    hostile = "\u001b[31m\u202e<img src=x>|`*\n\ud800"
    header["implementation"] |= {"name": hostile, "version": hostile}
    header["environment"]["started"] = hostile
    lines[0] = json.dumps(header, separators=(",", ":")).encode() + b"\n"
    (tokconf.folder / "evil.gz").write_bytes(_sealed(lines))
    done = tokconf.run("diff", "evil.gz", "swapped-merge", "--markdown", "m.md", "--json", "r.jsonl")
    assert done.status == 1, done.err
    for text in (done.out, done.err, (tokconf.folder / "m.md").read_text()):
        assert not any(character in text for character in "\u001b\u202e\ud800")
    (told,) = (line for line in (tokconf.folder / "m.md").read_text().splitlines() if "Compared: evil.gz" in line)
    assert "<img" not in told.replace("\\<img", "")


@pytest.mark.long
@pytest.mark.usefixtures("texts")
def test_bad_words_are_refused_in_one_line(tokconf: CommandLine, toy_tokenizer: Path) -> None:
    assert snapshot(tokconf, toy_tokenizer, "old.gz").status == 0
    for arguments, said in (
        (("nowhere.gz",), "cannot be read"),
        (("texts.txt",), "not compressed by gzip"),
        (("old.gz", "texts.txt"), "not compressed by gzip"),
        (("old.gz", "-t", "other=bert-mini"), "has no tokenizer 'other'"),
        (("old.gz", "--only", "nothing"), "no input"),
        (("/dev/stdin",), ""),
    ):
        done = tokconf.run("diff", *arguments)
        assert done.status == 2, (arguments, done.err)
        assert said in words(done)
