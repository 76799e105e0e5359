"""The reports of all commands in the hands of a shell: redirected, piped, cut off, on a full disk, under odd names."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result
from long_cases import long_but

from tokenizer_conformance.cli import main
from tokenizer_conformance.command_io.outputs import ReportOptions, open_reports
from tokenizer_conformance.inputs.bundled import bundled_file

if TYPE_CHECKING:
    from conftest import CommandLine

TOKCONF = (sys.executable, "-c", "from tokenizer_conformance.cli import main; main(prog_name='tokconf')")

RUN = ("run", "gpt2-mini", "-i", "tokenizers", "reference", "-k", "contractions/")
FUZZ = ("fuzz", "--seed", "1", "--tokenizers", "1", "--texts", "1")
TRAIN = ("train", "--algorithm", "bpe", "--corpus", "corpus.txt", "--vocab-size", "40")
COMMANDS = {"run": RUN, "fuzz": FUZZ, "train": TRAIN}
LAST_WORD = {"run": "values compared", "fuzz": "values agree", "train": "2 trainings"}

EVERY = pytest.mark.parametrize("command", long_but(1, COMMANDS))
MARKDOWN = pytest.mark.parametrize("command", long_but(1, ["run", "train"]))

NARROW = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
ODD = os.fsdecode(b"x\xff")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the commands run."""
    monkeypatch.chdir(tmp_path)
    Path("corpus.txt").write_text("low lower lowest newer wider\n" * 3)
    return tmp_path


def shell(redirection: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run ``tokconf`` in a shell, with its streams redirected."""
    files, bar, pipe = redirection.partition("|")
    script = f'{{ "$@" {files}; echo $? > status; }} {bar} {pipe}'
    return subprocess.run(
        ["sh", "-c", script, "sh", *TOKCONF, *arguments],
        env=os.environ | environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def here(*arguments: str) -> Result:
    """Run ``tokconf`` in this process, which is faster."""
    result = CliRunner().invoke(main, arguments, prog_name="tokconf")
    Path("status").write_text(str(result.exit_code))
    return result


def status() -> int:
    """Return the status of the command that :func:`shell` or :func:`here` ran."""
    return int(Path("status").read_text())


def kinds(text: str) -> list[str]:
    return [json.loads(line)["type"] for line in text.splitlines()]


# Standard output -----------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(("command", "name"), [("run", "-"), ("fuzz", "-"), ("train", "-"), ("run", "/dev/stdout")])
def test_a_record_on_standard_output_is_all_there_is(command: str, name: str) -> None:
    done = shell("2> err", *COMMANDS[command], "--json", name)
    assert status() == 0
    assert (kinds(done.stdout)[0], kinds(done.stdout)[-1]) == ("header", "footer")
    assert LAST_WORD[command] in Path("err").read_text()


@pytest.mark.long
@MARKDOWN
def test_a_report_on_standard_output_is_all_there_is(command: str) -> None:
    done = shell("> out", *COMMANDS[command], "--markdown", "-", "--json", "record.jsonl")
    assert status() == 0
    with open_reports(ReportOptions(markdown="out"), ()):
        pass  # it is a report from its first byte on, or it would be refused
    assert Path("out").read_text().rstrip().splitlines()[-1] not in done.stderr
    assert LAST_WORD[command] in done.stderr
    assert kinds(Path("record.jsonl").read_text())[-1] == "footer"


@pytest.mark.long
@EVERY
def test_a_reader_that_goes_away_is_not_told_so(command: str) -> None:
    done = shell("| head -n 1", *COMMANDS[command], "--json", "record.jsonl")
    assert (status(), done.stderr) == (0, "")
    assert kinds(Path("record.jsonl").read_text())[-1] == "footer"


@pytest.mark.long
def test_where_nobody_reads_what_was_asked_for_it_is_not_reported() -> None:
    done = shell("| head -n 1", *RUN)
    assert (status(), done.stderr) == (3, "")
    done = shell("| head -c 9", *RUN, "--json", "-")
    assert (status(), done.stdout) == (3, '{"type": ')
    assert "annot write" not in done.stderr
    assert "Exception ignored" not in done.stderr


@pytest.mark.long
def test_a_difference_is_a_difference_where_the_summary_alone_is_cut_off(tokconf: CommandLine) -> None:
    Path("texts.txt").write_text("abc\nd zebra\n")
    Path("tokenizer.json").write_text('{"model": {"type": "Toy"}}')
    arguments = ("run", "tokenizer.json", "-i", "toy", "lossy-decode", "--no-builtin", "--inputs", "texts.txt")
    environment = {"PYTHONPATH": os.pathsep.join([str(tokconf.plugin), str(Path(__file__).parent.parent / "fakes")])}
    for redirection, expected in (("| head -n 1", 1), (">&-", 1), ("> /dev/full", 3)):
        shell(redirection, *arguments, "--json", "record.jsonl", TOKCONF_IN_PROCESS="all", **environment)
        assert status() == expected, redirection
        assert json.loads(Path("record.jsonl").read_text().splitlines()[-1])["exit_status"] == 1


@pytest.mark.long
def test_standard_output_may_be_closed_or_full() -> None:
    done = shell(">&-", *RUN)
    told = "tokconf: standard output is closed, and no report was asked for: there is nobody to tell\n"
    assert (status(), done.stderr) == (3, told)
    done = shell(">&-", *RUN, "--json", "-")
    assert (status(), done.stderr) == (2, "tokconf: cannot write standard output: it is closed\n")
    done = shell("> /dev/full", *RUN, "--json", "record.jsonl")
    assert (status(), done.stderr) == (3, "tokconf: cannot write standard output: No space left on device\n")
    assert kinds(Path("record.jsonl").read_text())[-1] == "footer"


@pytest.mark.long
def test_nothing_but_the_record_gets_into_a_record_whose_number_was_that_of_standard_output() -> None:
    done = shell(">&- 2>&-", *RUN, "--json", "record.jsonl", "--markdown", "report.md")
    assert (status(), done.stdout, done.stderr) == (0, "", "")
    assert kinds(Path("record.jsonl").read_text()) == ["header", "loaded", "loaded", "tokenizer", "footer"]


@pytest.mark.long_but(1)
@pytest.mark.parametrize("redirection", ["2>&-", "2> /dev/full", "2>&1 > out | head -c 0"])
def test_complaints_that_cannot_be_made_change_nothing(redirection: str) -> None:
    done = shell(redirection if "|" in redirection else f"> out {redirection}", *RUN, "missing.json")
    assert status() == 2
    assert "exit status 2" in Path("out").read_text()
    assert done.stderr == ""


@pytest.mark.long_but(1)
@pytest.mark.parametrize("redirection", ["2>&-", "2> /dev/full", "2>&1 | head -c 0"])
def test_a_refusal_that_cannot_be_said_has_its_status(redirection: str) -> None:
    for arguments in (("run", "--wrong"), ("run", "missing.json")):
        assert "Exception" not in shell(redirection, *arguments).stderr
        assert status() == 2


@pytest.mark.long_but(1)
@pytest.mark.parametrize("arguments", [("run", "--help"), ("implementations", "--json")])
def test_what_is_printed_and_cannot_be_written_is_no_difference(arguments: tuple[str, ...]) -> None:
    done = shell("> /dev/full", *arguments)
    assert (status(), done.stderr) == (3, "tokconf: cannot write standard output: No space left on device\n")
    done = shell("| head -c 0", *arguments)
    assert (status(), done.stderr) == (0, "")  # whoever reads has seen enough
    done = shell("> out", *arguments, **NARROW)
    assert (status(), done.stderr) == (0, "")


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("suite", "list"), 0),
        (("suite", "spec"), 0),
        (("changes",), 0),
        (("classes", "--json"), 0),
        (("suite", "check"), 3),  # its status says whether the suite holds
    ],
)
def test_a_list_that_nobody_reads_to_its_end_is_no_failure(
    arguments: tuple[str, ...], expected: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tokenizer_conformance.cli.suite.check_suite", lambda _: iter(()))  # takes most of a minute
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w", encoding="utf-8") as nobody:  # noqa: PTH123 - a pipe
        monkeypatch.setattr(sys, "stdout", nobody)
        with pytest.raises(SystemExit) as end:
            main.main([*arguments], prog_name="tokconf")
        monkeypatch.undo()
    assert (end.value.code, capfd.readouterr().err) == (expected, "")


# Files ---------------------------------------------------------------------------------------------------------------


ANOTHER_STATUS = "tokconf: exit status 3: not every report could be written\n"


@EVERY
def test_a_report_that_cannot_be_written_costs_the_others_nothing(command: str) -> None:
    markdown = () if command == "fuzz" else ("--markdown", "report.md")
    done = here(*COMMANDS[command], "--json", "/dev/full", *markdown)
    assert (status(), done.stderr) == (
        3,
        f"tokconf: cannot write '/dev/full': No space left on device\n{ANOTHER_STATUS}",
    )
    assert LAST_WORD[command] in done.stdout
    assert Path("report.md").exists() == bool(markdown)


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
sys.argv[1:] = sys.argv[2:]
from tokenizer_conformance.cli import main
main(prog_name='tokconf')
"""


@pytest.mark.long
@pytest.mark.parametrize("size", [2000, 0, 3500])
def test_a_record_that_is_too_large_has_whole_lines_and_is_resumed(size: int) -> None:
    run = ("run", "xlnet-mini", *RUN[1:], "--json", "record.jsonl")
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(size), *run], capture_output=True, encoding="utf-8", check=False
    )
    told = f"tokconf: cannot write 'record.jsonl': File too large\n{ANOTHER_STATUS}"
    assert (done.returncode, done.stderr) == (3, told)
    assert "exit status 0" in done.stdout
    left = Path("record.jsonl").read_bytes()
    assert len(left) <= size
    assert left == b"" or left.endswith(b"\n")
    here(*run, "--resume")
    assert status() == 0
    lines = Path("record.jsonl").read_bytes()
    assert lines.startswith(left)
    found = kinds(lines.decode("ascii"))
    assert (found[0], found.count("header"), found.count("tokenizer"), found[-1]) == ("header", 1, 2, "footer")


@MARKDOWN
def test_the_same_command_again_replaces_its_reports(command: str) -> None:
    reports = ("--json", "record.jsonl", "--markdown", "report.md")
    for _ in range(2):
        done = here(*COMMANDS[command], *reports)
        assert (status(), done.stderr) == (0, "")


INPUTS: list[tuple[tuple[str, ...], str]] = [
    (("run", "mine", "--json", "mine/tokenizer.json"), "the file of a tokenizer"),
    (("run", "mine/tokenizer.json", "--markdown", "mine/README.md"), "a file of a tokenizer's folder"),
    (("run", "mine", "--json", "mine/../mine/vocab.txt"), "a file of a tokenizer's folder"),
    (("run", "mine.json", "--json", "mine.json"), "the file of a tokenizer"),
    (("run", "--json", str(bundled_file("gpt2-mini"))), "the file of a bundled tokenizer"),
    (("run", "--inputs", "corpus.txt", "--json", "corpus.txt"), "a file of inputs"),
    (("run", "--inputs", "corpus.txt", "record.jsonl", "--json", "record.jsonl", "--resume"), "a file of inputs"),
    (("run", "-i", "tokenizers", "command:./program", "--json", "program"), "a file of an implementation's program"),
    (("fuzz", "-i", "mine=command:sh program --x", "--json", "program"), "a file of an implementation's program"),
    (("fuzz", "--baseline", "command:./program", "--json", "program"), "a file of an implementation's program"),
    ((*TRAIN, "--json", "corpus.txt"), "a file of the corpus"),
    ((*TRAIN, "--markdown", "link"), "a file of the corpus"),
]


@pytest.mark.parametrize(("arguments", "what"), INPUTS)
def test_what_a_command_reads_is_not_replaced(arguments: tuple[str, ...], what: str) -> None:
    Path("mine").mkdir()
    tokenizer = Path(bundled_file("gpt2-mini")).read_bytes()
    for name in ("mine/tokenizer.json", "mine.json"):
        Path(name).write_bytes(tokenizer)
    for name in ("mine/README.md", "mine/vocab.txt", "program"):
        Path(name).write_text("keep me\n")
    Path("record.jsonl").write_text('{"type": "header", "schema": "tokenizer-conformance-record"}\n')
    Path("link").symlink_to("corpus.txt")
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    for force in ((), ("--force",)):
        done = here(*arguments, *force)
        assert status() == 2
        assert done.stderr.startswith("tokconf: --")
        assert f" is {what}" in done.stderr
        assert done.stderr.count("\n") == 1
    Path("status").unlink()
    assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == before


def test_a_report_may_be_written_beside_a_tokenizer_and_replaced() -> None:
    Path("mine").mkdir()
    Path("mine/tokenizer.json").write_bytes(Path(bundled_file("gpt2-mini")).read_bytes())
    for _ in range(2):
        done = here("run", "mine", *RUN[2:], "--json", "mine/run.jsonl", "--markdown", "mine/report.md")
        assert (status(), done.stderr) == (0, "")


def test_other_files_are_replaced_where_that_is_asked_for() -> None:
    Path("notes").write_text("keep me\n")
    done = here(*RUN, "--json", "notes")
    assert (status(), done.stdout) == (2, "")
    assert done.stderr == (
        "tokconf: --json 'notes' is there already and is no record of tokconf; give another file, "
        "or --force to replace it\n"
    )
    here(*RUN, "--json", "notes", "--force")
    assert status() == 0
    assert kinds(Path("notes").read_text())[-1] == "footer"


# Names ---------------------------------------------------------------------------------------------------------------


def as_json(text: str) -> Any:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.long
@pytest.mark.parametrize("environment", [{}, NARROW])
def test_names_that_are_no_text_are_shown_escaped(environment: dict[str, str]) -> None:
    try:
        Path(f"{ODD}.txt").write_text("it's\nzé漢\n", encoding="utf-8")
    except OSError:
        pytest.skip("this file system has no such names")
    reports = ("--json", f"{ODD}.jsonl", "--markdown", f"{ODD}.md")
    inputs = ("--no-builtin", "--inputs", f"{ODD}.txt", f"{ODD}-missing.txt")
    done = shell("", *RUN[:-2], *inputs, *reports, **environment)
    assert status() == 2
    assert done.stderr == "tokconf: inputs file 'x\\udcff-missing.txt': No such file or directory\n"
    lines = as_json(Path(f"{ODD}.jsonl").read_text(encoding="ascii"))
    assert lines[-1]["inputs"] == 2
    assert "x\\udcff-missing.txt" in Path(f"{ODD}.md").read_text(encoding="utf-8")
    done = shell("", *RUN[:-2], *inputs, *reports, "--resume", **environment)
    assert status() == 2
    Path(f"{ODD}.jsonl").write_text("keep me\n")
    done = shell("", *RUN[:-2], *inputs, *reports, **environment)
    assert "tokconf: --json 'x\\udcff.jsonl' is there already" in done.stderr


@pytest.mark.long
def test_a_difference_on_a_text_of_a_file_whose_name_is_no_text_is_shown(tokconf: CommandLine) -> None:
    try:
        Path(f"{ODD}.txt").write_text("zebra\n")
    except OSError:
        pytest.skip("this file system has no such names")
    Path(f"{ODD}.json").write_text('{"model": {"type": "Toy"}}')
    arguments = ("run", f"{ODD}.json", "-i", "toy", "lossy-decode", "--no-builtin", "--inputs", f"{ODD}.txt")
    done = tokconf.run(*arguments, "--json", "record.jsonl", "--markdown", "report.md", **NARROW)
    assert (done.status, done.err) == (1, "")
    assert "smallest: x\\udcff.txt:1 (x\\udcff.txt)" in done.out
    assert "x\\udcff.txt:1" in Path("report.md").read_text(encoding="utf-8")
    lines = as_json(Path("record.jsonl").read_text(encoding="ascii"))
    assert next(line["input"]["id"] for line in lines if line["type"] == "difference") == f"{ODD}.txt:1"


@pytest.mark.long
@pytest.mark.parametrize("environment", [{}, NARROW])
def test_a_tokenizer_or_corpus_whose_name_is_no_text_is_refused_in_one_line_or_used(
    environment: dict[str, str],
) -> None:
    try:
        Path(f"{ODD}.json").write_bytes(Path(bundled_file("gpt2-mini")).read_bytes())
    except OSError:
        pytest.skip("this file system has no such names")
    Path(f"{ODD}.txt").write_bytes(Path("corpus.txt").read_bytes())
    for arguments in (
        ("run", f"{ODD}.json", *RUN[2:]),
        ("train", "--algorithm", "bpe", "--corpus", f"{ODD}.txt", "--vocab-size", "40"),
    ):
        done = shell("", *arguments, "--json", "record.jsonl", **environment)
        assert status() != 1
        assert "Traceback" not in done.stderr
        assert done.stderr.count("\n") <= 1
        assert "\\udcff" in done.stdout + done.stderr
        as_json(Path("record.jsonl").read_text(encoding="ascii"))


# A record of a run that was cut short ---------------------------------------------------------------------------------


def cut(name: str, lines: int) -> None:
    """Cut the record down to so many lines, as a run leaves it that is killed."""
    path = Path(name)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:lines]))


def test_an_interrupted_record_is_replaced_with_a_word_about_it() -> None:
    here(*RUN, "--json", "record.jsonl")
    cut("record.jsonl", 3)
    done = here(*RUN, "--json", "record.jsonl")
    assert (status(), done.stderr) == (
        0,
        "tokconf: replacing the record of an interrupted run, 'record.jsonl'; --resume goes on with it\n",
    )
    done = here(*RUN, "--json", "record.jsonl")
    assert (status(), done.stderr) == (0, "")
    content = Path("record.jsonl").read_text()
    Path("record.jsonl").write_text(
        content.replace('"type": "footer",', f'"type": "footer", "later": "{"x" * 100_000}",')
    )
    done = here(*RUN, "--json", "record.jsonl")
    assert (status(), done.stderr) == (0, ""), "a footer has any length"
    Path("record.jsonl").write_text(content.replace('"conclusion": "conform"', '"conclusion": "interrupted"'))
    assert "replacing the record of an interrupted run" in here(*RUN, "--json", "record.jsonl").stderr


@pytest.mark.parametrize("content", ["", '{"type": "hea', '{"type": "header", "schema": "tokenizer-conformance-rec'])
def test_a_record_that_is_hardly_begun_is_resumed_from_the_start(content: str) -> None:
    Path("record.jsonl").write_text(content)
    done = here(*RUN, "--json", "record.jsonl", "--resume")
    assert (status(), done.stderr) == (0, "")
    assert kinds(Path("record.jsonl").read_text()) == ["header", "loaded", "loaded", "tokenizer", "footer"]


def test_what_is_no_record_is_not_resumed_even_by_force() -> None:
    Path("notes").write_text("keep me\n")
    done = here(*RUN, "--json", "notes", "--resume", "--force")
    assert status() == 2
    assert done.stderr.count("\n") == 1
    assert Path("notes").read_text() == "keep me\n"


def test_a_record_of_another_run_is_refused_in_one_line() -> None:
    here(*RUN, "--json", "record.jsonl")
    before = Path("record.jsonl").read_bytes()
    done = here(*RUN[:-1], "contractions/curly", "--json", "record.jsonl", "--resume", "--every-id")
    assert status() == 2
    assert done.stderr.startswith("tokconf: 'record.jsonl' is the record of another run (inputs: ")
    assert "; --every-id now, not then); give what was given then, or another file\n" in done.stderr
    assert Path("record.jsonl").read_bytes() == before


@EVERY
def test_a_record_that_another_run_writes_is_left_alone(command: str) -> None:
    with open_reports(ReportOptions(json="record.jsonl"), ()) as opened:
        assert opened.json is not None
        opened.json.sink.write(b"line\n")
        done = here(*COMMANDS[command], "--json", "record.jsonl")
        assert (status(), done.stdout) == (2, "")
        assert done.stderr == (
            "tokconf: another run is writing to 'record.jsonl'; wait for its end, or give another file\n"
        )
    assert Path("record.jsonl").read_bytes() == b"line\n"
