"""``tokconf report``: what it writes, what it says of what cannot be used, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from record_pages import lines_of, write

from tokenizer_conformance.cli import main
from tokenizer_conformance.report.site import building
from tokenizer_conformance.validation.suite.reader import read_suite

if TYPE_CHECKING:
    from click.testing import Result

    from conftest import CommandLines


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory, toy_tokenizer: Path, command_lines: CommandLines) -> Path:
    """A record of a run; it is not to be changed."""
    folder = tmp_path_factory.mktemp("record")
    (folder / "texts.txt").write_text("abc\naBc d\n")
    arguments = ("-i", "toy", "swapped-merge", "--no-builtin", "--inputs", "texts.txt", "--cause-time", "0.2")
    done = command_lines(folder).run("run", str(toy_tokenizer), *arguments, "--json", "run.jsonl", "--no-known")
    assert done.status == 1, done.err
    return folder / "run.jsonl"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, record: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the record, in which the command runs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.jsonl").write_bytes(record.read_bytes())
    return tmp_path


def report(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["report", *arguments])


@pytest.fixture
def small_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have sites show one area of the suite: all of them take seconds."""
    suite = read_suite()
    small = type(suite)(**{name: getattr(suite, name) for name in suite.__slots__} | {"areas": suite.areas[:1]})
    monkeypatch.setattr(building, "read_suite", lambda: small)


@pytest.mark.long
def test_files_are_written_and_told_of() -> None:
    result = report("run.jsonl", "--html", "run.html", "--csv", "run.csv", "--parquet", "run.parquet")
    assert result.exit_code == 0, result.output
    told = result.stdout.splitlines()
    assert [line.partition(":")[0] for line in told] == ["'run.html'", "'run.csv'", "'run.parquet'"]
    assert Path("run.html").read_bytes().startswith(b"<!DOCTYPE html>")
    assert Path("run.csv").read_bytes().count(b"\n") > 1
    assert Path("run.parquet").read_bytes().startswith(b"PAR1")


def test_what_goes_to_standard_output_is_alone_there() -> None:
    result = report("run.jsonl", "--html", "-", "--csv", "run.csv")
    assert result.exit_code == 0
    assert result.stdout.startswith("<!DOCTYPE html>")
    assert result.stdout.rstrip().endswith("</html>")
    assert Path("run.csv").exists()


def test_records_of_one_name_are_told_apart_by_their_folders() -> None:
    for name in ("linux", "mac"):
        Path(name).mkdir()
        Path(name, "run.jsonl").write_bytes(Path("run.jsonl").read_bytes())
    assert report("linux/run.jsonl", "mac/run.jsonl", "--html", "both.html", "--csv", "both.csv").exit_code == 0
    text = Path("both.csv").read_text("utf-8")
    assert "linux/run.jsonl" in text
    assert "mac/run.jsonl" in text


@pytest.mark.long
@pytest.mark.usefixtures("small_suite")
def test_a_site_is_written_and_written_again() -> None:
    Path("notes.md").write_text("# Notes\n")
    for _ in range(2):
        result = report("run.jsonl", "--site", "public", "--document", "notes.md")
        assert result.exit_code == 0, result.output
    assert "begin at index.html" in result.stdout
    manifest = json.loads(Path("public/site.json").read_bytes())
    present = {path.relative_to("public").as_posix() for path in Path("public").rglob("*") if path.is_file()}
    assert present == set(manifest["files"])
    assert {"index.html", "records/run.jsonl.html", "documents/notes.html"} <= present


def killed() -> None:
    Path("run.jsonl").write_bytes(Path("run.jsonl").read_bytes()[:-200])


def later() -> None:
    lines = lines_of(Path("run.jsonl"))
    lines[0]["version"] = "99.0"
    write(Path("run.jsonl"), lines)


def test_a_record_that_was_cut_short_makes_a_page_that_says_so() -> None:
    killed()
    result = report("run.jsonl", "--html", "run.html")
    assert result.exit_code == 0
    assert "interrupted" in Path("run.html").read_text("utf-8")


HTML = ("--html", "out.html")

WRONG = {
    "nothing wanted": (("run.jsonl",), "say what to make of the records: --html FILE"),
    "no record": ((*HTML,), "Missing argument 'RECORD...'"),
    "an empty name": (("", *HTML), "RECORD names no file"),
    "a file that is not there": (("none.jsonl", *HTML), "cannot read 'none.jsonl': No such file"),
    "a folder": ((".", *HTML), "is no regular file"),
    "no record of ours": (("other.txt", *HTML), "'other.txt'"),
    "a record given twice": (("run.jsonl", "./run.jsonl", *HTML), "'run.jsonl' is given 2 times"),
    "the record as output": (("run.jsonl", "--html", "run.jsonl"), "--html 'run.jsonl' is a record to report on"),
    "a file of somebody": (("run.jsonl", "--html", "other.txt"), "'other.txt'"),
    "one output for two": (("run.jsonl", "--html", "-", "--csv", "-"), "both name standard output"),
    "a document without a site": (("run.jsonl", "--document", "other.txt", *HTML), "--document is a part of a site"),
    "a site in a file": (("run.jsonl", "--site", "other.txt"), "--site 'other.txt' is no folder"),
    "a site without a name": (("run.jsonl", "--site", ""), "--site names no folder"),
    "a site in a folder of somebody": (("run.jsonl", "--site", "theirs"), "is no site of tokconf"),
    "a site where the record lies": (("run.jsonl", "--site", "."), "'run.jsonl' lies in '.'"),
    "a document that is not there": (("run.jsonl", "--site", "new", "--document", "none.md"), "the document 'none.md'"),
}


@pytest.mark.parametrize(("arguments", "said"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_used_is_named(arguments: tuple[str, ...], said: str) -> None:
    Path("other.txt").write_text("mine\n")
    Path("theirs").mkdir()
    Path("theirs/thesis.tex").write_text("mine")
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    result = report(*arguments)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())
    assert "Traceback" not in result.output
    assert result.stdout == ""
    assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == before


def test_a_record_of_a_later_release_is_refused() -> None:
    later()
    result = report("run.jsonl", "--html", "out.html")
    assert result.exit_code == 2
    assert "version 99.0" in result.stderr
    assert not Path("out.html").exists()


@pytest.mark.usefixtures("small_suite")
def test_a_site_that_cannot_be_written_is_a_lost_report(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_path: Path, _content: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tokenizer_conformance.report.site.folder.write_atomically", full)
    result = report("run.jsonl", "--site", "public")
    assert result.exit_code == 3
    assert "cannot write the site into 'public': No space left on device" in result.stderr


def test_help_has_every_kind_of_output() -> None:
    text = report("--help").stdout
    for option in ("--html FILE", "--csv FILE", "--parquet FILE", "--site DIR", "--document FILE", "--force"):
        assert option in text
