"""The command line: what it accepts, what it says, what it writes, and how it ends."""

from __future__ import annotations

import json
import re
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

import fake_implementations as fakes
import planted_chats
import pytest
from line_schema import valid_lines
from planted_chats import FaultyChats, FaultySubject, PlantedChat

from tokenizer_conformance.cli import choosing
from tokenizer_conformance.command_io.environment import version
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.inputs.bundled import FIRST, bundled_names
from tokenizer_conformance.results.records.run import FORMAT
from tokenizer_conformance.validation.running import preparation
from tokenizer_conformance.validation.running.record import JsonLinesReport

if TYPE_CHECKING:
    from conftest import CommandLine, Tokconf
    from tokenizer_adapters.contract import TokenizerSource


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    path = tmp_path / "texts.txt"
    path.write_text("abc\nd zebra\nx\n", encoding="utf-8")
    return path


def lines_of(path: Path) -> list[dict[str, object]]:
    """Return the lines of a record, each checked against the schema."""
    return valid_lines(path, FORMAT)


# Good runs -----------------------------------------------------------------------------------------------------------


def test_the_version_is_that_of_the_package(cli: Tokconf) -> None:
    assert cli("--version").output == f"tokconf, version {version()}\n"


def test_conforming_implementations(cli: Tokconf, toy_tokenizer: Path) -> None:
    result = cli("run", toy_tokenizer, "-i", "toy", "utf8", "--stage", "normalize")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert f"inputs    {len(builtin_inputs()):,} for each tokenizer" in result.stdout
    assert "toy-tokenizer: " in result.stdout


def test_differences(cli: Tokconf, toy_tokenizer: Path, texts: Path) -> None:
    result = cli("run", toy_tokenizer.parent, "-i", "toy", "-i", "lossy-decode", "--no-builtin", "--inputs", texts)
    assert result.exit_code == 1
    assert "smallest: texts.txt:2 (texts.txt), decode, keeping special tokens" in result.stdout


@pytest.mark.parametrize("chat", [True, False])
def test_renderers_are_told_the_folder_of_a_tokenizer_whatever_its_name(
    cli: Tokconf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chat: bool
) -> None:
    file, asked = tmp_path / "own.json", tmp_path / "asked.jsonl"
    file.write_text('{"model": {"type": "WordLevel", "vocab": {"[UNK]": 0}, "unk_token": "[UNK]"}}')
    (tmp_path / "chat_template.jinja").write_text("{{ messages[0].content }}")
    asked.write_text('{"text": "Hi", "messages": [{"role": "user", "content": "Hi"}]}\n')
    told: list[str | None] = []

    class Watching(FaultyChats):
        def __init__(self) -> None:
            super().__init__(PlantedChat("none", ("", "")))

        def load(self, source: TokenizerSource) -> FaultySubject:
            told.append(source.folder)
            return super().load(source)

    monkeypatch.setattr(planted_chats, "Watching", Watching, raising=False)
    given = ("-i", "reference", "planted_chats:Watching", "--no-builtin", "--inputs", asked)
    result = cli("run", file, *given, *(["--chat"] if chat else []))
    assert result.exit_code == 0, result.output
    assert set(told) == {str(tmp_path) if chat else None}


def test_values_may_follow_each_other_and_tokenizers_the_implementations(
    cli: Tokconf, toy_tokenizer: Path, texts: Path
) -> None:
    other = texts.with_name("other.txt")
    other.write_text("one\ntwo")
    result = cli("run", "-i", "toy", "utf8", toy_tokenizer, "--no-builtin", "--inputs", texts, other, "--jobs", 1)
    assert result.exit_code == 0
    assert "inputs    5 for each tokenizer" in result.stdout


@pytest.mark.parametrize(("split", "count"), [("line", 3), ("file", 1), ("line,file", 4), ("all", 5), ("paragraph", 1)])
def test_files_are_split_as_asked(cli: Tokconf, toy_tokenizer: Path, texts: Path, split: str, count: int) -> None:
    result = cli("run", toy_tokenizer, "-i", "toy", "utf8", "--no-builtin", "--split", split, "--inputs", texts)
    assert f"inputs    {count} for each" in result.stdout


def test_inputs_are_selected_by_id_or_category(cli: Tokconf, toy_tokenizer: Path, texts: Path) -> None:
    result = cli("run", toy_tokenizer, "-i", "toy", "utf8", "--inputs", texts, "-k", "TEXTS.txt:2")
    assert "inputs    1 for each" in result.stdout


def test_a_sample_is_told_and_recorded(cli: Tokconf, toy_tokenizer: Path, texts: Path) -> None:
    run = (
        "run",
        toy_tokenizer,
        "-i",
        "toy",
        "utf8",
        "--no-builtin",
        "--inputs",
        texts,
        "--json",
        "run.jsonl",
        "--force",
        "--html",
        "run.html",
    )
    assert "inputs    2 for each tokenizer, a sample spread over all" in cli(*run, "--sample", 2).stdout
    header, *_ = lines_of(Path("run.jsonl"))
    assert header["options"]["sample"] == 2
    assert header["inputs"]["count"] == 2
    assert "2 inputs (a sample)" in Path("run.html").read_text("utf-8")
    assert "inputs    3 for each tokenizer\n" in cli(*run, "--sample", 3).stdout  # which is all there are
    drawn = cli(*run, "--sample", 1, "--sample-seed", 5)
    assert "inputs    1 for each tokenizer, a sample spread over all, drawn with seed 5\n" in drawn.stdout
    assert lines_of(Path("run.jsonl"))[0]["options"]["sample-seed"] == 5
    assert "--sample-seed is about --sample N" in cli(*run, "--sample-seed", 5).stderr


def test_the_baseline_is_tokenizers_or_the_first_or_the_one_asked_for(cli: Tokconf, toy_tokenizer: Path) -> None:
    run = ("run", toy_tokenizer, "-k", "contractions", "-i", "utf8", "toy")
    assert "baseline  utf8" in cli(*run).stdout
    assert "baseline  toy" in cli(*run, "--baseline", "toy").stdout
    assert "baseline  lossy-decode" in cli(*run, "--baseline", "lossy-decode").stdout
    assert "baseline  tokenizers" in cli("run", "gpt2-mini", "-k", "contractions", "-i", "toy", "tokenizers").stdout


def test_stages_and_fields_are_chosen(cli: Tokconf, toy_tokenizer: Path) -> None:
    chosen = ("--stage", "model,decode", "--field", "ids", "-k", "contractions")
    result = cli("run", toy_tokenizer, "-i", "toy", "shifted-offset", *chosen)
    assert re.search(r"^against toy +model$", result.stdout, re.MULTILINE)
    assert result.exit_code == 0


@pytest.mark.parametrize(("option", "count"), [(("-x",), 1), (("--max-fail", "2"), 2)])
def test_a_run_stops_when_enough_has_failed(
    cli: Tokconf, toy_tokenizer: Path, option: tuple[str, ...], count: int
) -> None:
    result = cli("run", toy_tokenizer, "-i", "toy", "wrong-special-token", *option)
    assert result.exit_code == 1
    assert f"toy-tokenizer: {count} input{'s' if count > 1 else ''}, INCOMPLETE" in result.stdout


def test_every_id(cli: Tokconf, toy_tokenizer: Path) -> None:
    result = cli("run", toy_tokenizer, "-i", "toy", "utf8", "-k", "contractions", "--every-id")
    assert f"{len(fakes.VOCABULARY)} ids decoded alone" in result.stdout


def test_reports_are_written(cli: Tokconf, toy_tokenizer: Path, texts: Path) -> None:
    result = cli(
        *("run", toy_tokenizer, "-i", "toy", "lossy-decode", "--no-builtin", "--inputs", texts),
        *("--json", "record.jsonl", "--markdown", "report.md"),
    )
    assert result.exit_code == 1
    lines = lines_of(Path("record.jsonl"))
    assert lines[0]["seed"] == 0
    assert lines[-1]["finished"] is True
    assert lines[-1]["exit_status"] == 1
    assert "\n1. lossy-decode at decode" in Path("report.md").read_text(encoding="utf-8")


def test_the_default_run_compares_three_implementations_on_the_bundled_tokenizers(cli: Tokconf) -> None:
    result = cli("run", "-k", "contractions/")
    assert [name for name in bundled_names() if f"\n{name}: " in result.stdout] == list(FIRST)
    assert "baseline  tokenizers" in result.stdout
    assert re.search(r"^against tokenizers +reference +transformers$", result.stdout, re.MULTILINE)
    for name in FIRST:
        assert re.search(rf"^{name} +[✓≈] 23 +[✓≈] 23$", result.stdout, re.MULTILINE)
    assert result.exit_code == 0


def test_published_texts_on_a_published_tokenizer(cli: Tokconf, shared: Path) -> None:
    files = sorted((shared / "texts").glob("*.txt"))
    assert files
    result = cli(
        *("run", shared / "tokenizers" / "gpt2", "--inputs", *files),
        *("-i", "tokenizers", "transformers", "-k", ".txt:10"),
    )
    assert "gpt2: " in result.stdout
    assert re.search(r"^transformers( +✓ [\d,]+){5} *$", result.stdout, re.MULTILINE)


# Bad input -----------------------------------------------------------------------------------------------------------


def test_bad_tokenizers_are_each_one_line_and_cost_the_others_nothing(
    cli: Tokconf, toy_tokenizer: Path, hub_cache: Path
) -> None:
    Path("list.json").write_text("[]")
    Path("broken.json").write_text("{")
    Path("empty.json").touch()
    Path("folder").mkdir()
    Path("merge.json").write_text('{"model": {"type": "BPE"}}')
    result = cli(
        *("run", "missing.json", "list.json", "broken.json", "empty.json", "folder", "org/name", "merge.json"),
        *(toy_tokenizer, "-i", "toy", "utf8", "-k", "contractions", "--json", "record.jsonl"),
    )
    assert result.exit_code == 2
    nowhere = f"HF_HUB_OFFLINE is set, and the cache {str(hub_cache)!r} does not hold it"
    instead = "unset HF_HUB_OFFLINE, or give a folder with a tokenizer.json"
    assert result.stderr.splitlines() == [
        f"tokconf: {complaint}"
        for complaint in (
            "tokenizer 'missing.json': no such file or folder",
            "folder 'folder' holds no tokenizer.json; it is empty",
            f"tokenizer 'org/name' of the hub: {nowhere}; {instead}; and here is no file or folder of that name",
            "tokenizer file 'list.json' is JSON but no tokenizer: an object is expected at the top, and it is an array",
            (
                "tokenizer file 'broken.json' is not JSON: "
                "Expecting property name enclosed in double quotes at line 1 column 2"
                " (it does not end with the } of an object: it is cut off; get the file again)"
            ),
            "tokenizer file 'empty.json' is empty",
            "toy cannot load merge (merge.json): merge names the unknown `zz` (refused by utf8 too)",
        )
    ]
    assert re.search(r"^utf8( +✓ \d+){5} *$", result.stdout, re.MULTILINE)
    lines = lines_of(Path("record.jsonl"))
    assert [line["type"] for line in lines].count("refused") == 7
    assert lines[-1]["conclusion"] == "bad input"


def test_a_merge_that_names_an_unknown_token_is_refused_by_the_libraries(cli: Tokconf) -> None:
    model = {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": [["a", "zz"]]}
    Path("merge.json").write_text(json.dumps({"model": model}))
    result = cli("run", "merge.json", "-i", "tokenizers", "reference", "-k", "contractions")
    assert result.exit_code == 2
    (complaint,) = result.stderr.splitlines()
    assert "merge.json" in complaint
    assert "zz" in complaint


def test_bad_files_of_inputs_are_each_one_line_and_cost_the_others_nothing(
    cli: Tokconf, toy_tokenizer: Path, texts: Path
) -> None:
    Path("latin.txt").write_bytes("ok\ncafé\n".encode("latin-1"))
    Path("empty.txt").touch()
    Path("folder").mkdir()
    result = cli(
        *("run", toy_tokenizer, "--inputs", "latin.txt", "missing.txt", "empty.txt", "folder", texts),
        *("--no-builtin", "-i", "toy", "utf8"),
    )
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        "tokconf: inputs file 'latin.txt' is not UTF-8: byte 0xE9 at offset 6 (line 2): invalid continuation byte",
        "tokconf: inputs file 'missing.txt': No such file or directory",
        "tokconf: inputs file 'empty.txt' is empty: there is no text in it",
        "tokconf: inputs file 'folder': Is a directory; give the files in it, as in --inputs folder/*.txt",
    ]
    assert "toy-tokenizer: 3 inputs" in result.stdout


def test_a_tokenizer_among_the_inputs_is_told_where_it_belongs(cli: Tokconf, texts: Path) -> None:
    result = cli("run", "-i", "toy", "utf8", "--inputs", texts, "gpt2-mini")
    assert result.exit_code == 2
    assert result.stderr.splitlines()[0] == (
        "tokconf: inputs file 'gpt2-mini': No such file or directory; "
        "if a TOKENIZER is meant, it stands before the options"
    )


def test_where_nothing_can_be_used_all_complaints_are_made(cli: Tokconf) -> None:
    result = cli("run", "a.json", "b.json", "-i", "toy", "utf8", "--inputs", "c.txt")
    assert result.exit_code == 2
    assert [line.split("'")[1] for line in result.stderr.splitlines()] == ["a.json", "b.json", "c.txt"]
    assert result.stdout == ""


USAGE: list[tuple[str, str]] = [
    ("run -k nothingmatches", "no input matches -k 'nothingmatches'"),
    ("run --no-builtin", "no inputs: --no-builtin leaves none, and no file is given with --inputs"),
    ("run -i toy", "nothing to compare toy with: give a second implementation with -i"),
    (
        "run gpt2-mini bert-mini -i tokenizers",
        "as in '-i tokenizers reference'; implementations are compared with each other",
    ),
    (
        "run gpt2-mini bert-mini -i reference",
        "as in '-i reference tokenizers'; implementations are compared with each other",
    ),
    ("run -i toy some-tokenizer", "give a second implementation with -i, as in '-i toy tokenizers'"),
    ("run -i toy refrence", "no implementation is called 'refrence'; did you mean 'reference'"),
    ("run -i refrence", "no implementation is called 'refrence'"),
    ("run -i toy command:./nope", "cannot start './nope': no such file"),
    ("run -i toy no_such_module:Mine", "there is no module 'no_such_module': looked in the current folder ("),
    ("run --baseline refrence", "no implementation is called 'refrence'"),
    ("run --stage middle", "'middle' is not a valid Stage; choose from normalize, pre_tokenize"),
    ("run --field idz", "'idz' is not a valid Field; choose from text, pieces, ids"),
    ("run --split word", "'word' is not a valid Split; choose from line, paragraph, file"),
    ("run --stage normalize --field ids", "nothing would be compared"),
    ("run --inputs", "Option '--inputs' requires at least one value"),
    ("run --inputs --json x", "Option '--inputs' requires at least one value"),
    ("run --max-fail 0", "0 is not in the range x>=1"),
    ("run --timeout nan", "nan is not in the range x>0"),
    ("run --json /dev/null/r.json", "cannot write '/dev/null/r.json': Not a directory"),
    ("run --markdown /dev/null/folder/r.md", "cannot write '/dev/null/folder': Not a directory"),
    ("run --json . ", "is a directory"),
    ("run --json same --markdown same", "--json and --markdown both name 'same'"),
    ("run --wrong", "No such option"),
    ("wrong", "No such command"),
]


@pytest.mark.parametrize(("command", "message"), USAGE)
def test_wrong_usage(cli: Tokconf, command: str, message: str) -> None:
    result = cli(*command.split())
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr


def test_missing_folders_of_reports_are_made(cli: Tokconf, toy_tokenizer: Path, tmp_path: Path) -> None:
    record, report = tmp_path / "new" / "r.json", tmp_path / "other" / "deep" / "r.md"
    cli("run", toy_tokenizer, "-i", "toy", "utf8", "-k", "contractions", "--json", record, "--markdown", report)
    assert record.stat().st_size
    assert report.stat().st_size


# Failures ------------------------------------------------------------------------------------------------------------


def test_an_implementation_that_is_not_installed_costs_the_others_nothing(cli: Tokconf, toy_tokenizer: Path) -> None:
    result = cli("run", toy_tokenizer, "-i", "toy", "unavailable", "utf8", "-k", "contractions")
    assert result.exit_code == 3
    assert result.stderr == "tokconf: unavailable is not installed; install it with: pip install unavailable\n"
    assert re.search(r"^utf8( +✓ \d+){5} *$", result.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    ("registered", "wanted", "status"),
    [
        (["toy", "utf8", "unavailable", "cannot-load"], ["all"], 0),
        (["toy", "utf8", "unavailable", "cannot-load"], ["all", "cannot-load"], 3),
        (["toy", "utf8", "unavailable", "cannot-load"], ["all", "unavailable"], 3),
        (["toy", "unavailable", "cannot-load"], ["all"], 3),
        (["toy", "utf8", "ids-only"], ["all"], 0),
    ],
)
def test_all_is_every_implementation_that_is_installed_and_reads_the_tokenizer(
    cli: Tokconf,
    toy_tokenizer: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    registered: list[str],
    wanted: list[str],
    status: int,
) -> None:
    """Who is asked for by name has to be there and to read every tokenizer; of all, some one has to."""
    for names in ("implementation_names", "names_of_all"):
        monkeypatch.setattr(choosing, names, lambda: registered)
    record, report = tmp_path / "r.json", tmp_path / "r.md"
    arguments = ("--baseline", "toy", "-k", "contractions", "--json", record, "--markdown", report)
    result = cli("run", toy_tokenizer, "-i", *wanted, *arguments)
    assert result.exit_code == status
    missing = [line for line in lines_of(record) if line["type"] == "implementation_missing"]
    assert [(line["name"], line["asked"]) for line in missing] == [
        ("unavailable", "unavailable" in wanted) for name in registered if name == "unavailable"
    ]
    told = "unavailable is not installed; install it with: pip install unavailable"
    assert (told in result.stderr) == (told in report.read_text(encoding="utf-8")) == ("unavailable" in registered)
    if "cannot-load" in registered:
        assert "not loaded: cannot-load: it never does\n" in result.stdout


def test_nothing_can_be_compared_with_a_baseline_that_is_not_installed(cli: Tokconf, toy_tokenizer: Path) -> None:
    result = cli("run", toy_tokenizer, "-i", "toy", "--baseline", "unavailable")
    assert result.exit_code == 3
    assert "the baseline cannot be used: unavailable is not installed" in result.stderr


def test_where_only_the_baseline_is_installed_nothing_is_said_to_agree(cli: Tokconf, toy_tokenizer: Path) -> None:
    result = cli("run", toy_tokenizer, "-i", "toy", "unavailable", "--baseline", "toy")
    assert result.exit_code == 3
    assert "0 inputs, nothing to compare with" in result.stdout
    assert "stage by stage" not in result.stdout
    assert "Signs:" not in result.stdout


@pytest.mark.parametrize(
    ("name", "status"), [("cannot-load", 3), ("crashing", 3), ("hanging", 3), ("mute", 3), ("raising", 1)]
)
def test_failures_have_a_status_of_their_own(
    cli: Tokconf, toy_tokenizer: Path, texts: Path, name: str, status: int
) -> None:
    result = cli("run", toy_tokenizer, "-i", "toy", name, "--no-builtin", "--inputs", texts)
    assert result.exit_code == status
    assert f"exit status {status}" in result.stdout


def test_a_report_that_cannot_be_written_on_costs_the_others_nothing(
    cli: Tokconf, toy_tokenizer: Path, texts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(JsonLinesReport, "handle", full)
    result = cli(
        *("run", toy_tokenizer, "-i", "toy", "utf8", "--no-builtin", "--inputs", texts),
        *("--json", "record.jsonl", "--markdown", "report.md"),
    )
    assert result.exit_code == 3
    assert result.stderr == (
        "tokconf: cannot write 'record.jsonl': No space left on device\n"
        "tokconf: exit status 3: not every report could be written\n"
    )
    assert "conform" in result.stdout
    assert Path("report.md").exists()


# Interrupts ----------------------------------------------------------------------------------------------------------


def assert_partial(folder: Path, finished_tokenizers: int) -> None:
    lines = lines_of(folder / "record.jsonl")
    assert lines[-1]["finished"] is False
    assert lines[-1]["reason"] == "interrupted"
    assert lines[-1]["exit_status"] == 130
    assert [line["type"] for line in lines].count("tokenizer") == finished_tokenizers
    assert "interrupted; " in (folder / "report.md").read_text(encoding="utf-8")


def test_ctrl_c_leaves_valid_partial_reports(tokconf: CommandLine, toy_tokenizer: Path) -> None:
    process = tokconf.start(
        *("run", str(toy_tokenizer), "-i", "toy", "slow", "lossy-decode"),
        *("--json", "record.jsonl", "--markdown", "report.md"),
    )
    assert process.stdout is not None
    while not process.stdout.readline().startswith("inputs"):
        assert process.poll() is None
    while not (tokconf.folder / "slow-asked").exists():
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == ""
    assert "toy-tokenizer: " in out
    assert "INCOMPLETE" in out
    assert "interrupted; 1 tokenizer" in out
    assert_partial(tokconf.folder, 1)


@pytest.mark.parametrize("fake", ["interrupted", "swallowing"])
def test_an_interrupt_ends_the_run_whoever_receives_it(
    cli: Tokconf, toy_tokenizer: Path, tmp_path: Path, fake: str
) -> None:
    before = signal.getsignal(signal.SIGINT)
    result = cli(
        *("run", toy_tokenizer, "-i", "toy", fake, "--json", "record.jsonl", "--markdown", "report.md"),
    )
    assert result.exit_code == 130
    assert_partial(tmp_path, 1)
    assert signal.getsignal(signal.SIGINT) is before


def test_an_interrupt_before_the_run(cli: Tokconf, toy_tokenizer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(preparation, "read_corpus", interrupted)
    result = cli("run", toy_tokenizer, "-i", "toy", "utf8", "--json", "record.jsonl")
    assert result.exit_code == 130
    assert result.stderr == "tokconf: interrupted before anything was compared\n"
    assert not Path("record.jsonl").exists()


# The process ---------------------------------------------------------------------------------------------------------


def test_a_reader_that_goes_away_does_not_spoil_the_reports(tokconf: CommandLine, toy_tokenizer: Path) -> None:
    process = tokconf.start(
        "run", str(toy_tokenizer), "-i", "toy", "slow", "-k", "contractions/curly", "--json", "record.jsonl"
    )
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        err = process.stderr.read()
    assert process.returncode == 0
    assert err == ""
    assert lines_of(tokconf.folder / "record.jsonl")[-1]["conclusion"] == "conform"


@pytest.mark.long
def test_output_in_an_encoding_that_lacks_characters_is_escaped(tokconf: CommandLine, toy_tokenizer: Path) -> None:
    (tokconf.folder / "texts.txt").write_text("zé漢\n", encoding="utf-8")
    done = tokconf.run(
        *("run", str(toy_tokenizer), "-i", "toy", "lossy-decode", "--no-builtin", "--inputs", "texts.txt"),
        PYTHONIOENCODING="ascii",
        PYTHONUTF8="0",
    )
    assert done.status == 1
    assert done.err == ""
    assert "smallest: texts.txt:1" in done.out
