"""``tokconf versions`` from the outside."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from line_schema import validator_of

from tokenizer_adapters.contract import Stage
from tokenizer_conformance.cli import main
from tokenizer_conformance.cli.versions import _shows_cuts
from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.results.records.schema import schema_of
from tokenizer_conformance.results.records.versions import FORMAT

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine, Finished

EXPANDED = """
import tokenizer_conformance.cli.choosing as choosing
from tokenizer_adapters.environments.faults import WordError
from tokenizer_adapters.registry import RegistryError
def expanded(word):
    if word.startswith("transformers"):
        raise RegistryError("nobody says which releases transformers has")
    if word == "tokenizers>=99":
        raise WordError("'tokenizers>=99' allows none of the releases")
    assert word in ("tokenizers>=0", "tokenizers>=0.1")
    return ["toy", "lossy-decode", "swapped-merge"]
choosing.expanded = expanded
"""
"""Has fakes for the releases of a package."""


FEW_DOCUMENTS = """
from tokenizer_conformance.releases.versions.sections import table
table.all_documents = lambda: table.COMPLETE_DOCUMENTS
"""
"""Has only a few of the thousands of documents tried that may be refused."""


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    path = tmp_path / "texts.txt"
    path.write_text("abc\nbcb\nzebra\n", encoding="utf-8")
    return path


def versions(
    tokconf: CommandLine, toy_tokenizer: Path, texts: Path, *words: str, bug: str = "", **more: str
) -> Finished:
    options = ["-t", str(toy_tokenizer.parent), "--inputs", str(texts), "--no-builtin", "--snapshots", "kept"]
    if "--section" not in words:
        options += ["--section", "none"]
    return tokconf.run("versions", *options, "--cause-time", "60", *words, bug=bug, **more)


def test_what_changed_is_told_written_and_recorded(tokconf: CommandLine, toy_tokenizer: Path, texts: Path) -> None:
    reports = ["--markdown", "v.md", "--json", "v.jsonl"]
    done = versions(tokconf, toy_tokenizer, texts, "toy", "lossy-decode", *reports)
    assert done.status == 1, done.err
    assert "toy -> lossy-decode: 1 input with other answers, 1 cause; " in done.out
    assert "differences; 2 releases, 1 tokenizer, 1 step with other answers or another way of loading" in done.out
    page = (tokconf.folder / "v.md").read_text(encoding="utf-8")
    assert "## What each step changes, by tokenizer" in page
    validator = validator_of(schema_of(FORMAT))
    lines = [json.loads(line) for line in (tokconf.folder / "v.jsonl").read_text(encoding="ascii").splitlines()]
    for line in lines:
        validator.validate(line)
    assert lines[-1]["exit_status"] == 1
    again = versions(tokconf, toy_tokenizer, texts, "toy", "lossy-decode")
    assert "kept from an earlier run" not in again.out, "what is installed may have changed"
    assert again.status == 1


def recorded(tokconf: CommandLine) -> list[dict[str, Any]]:
    """Return the lines of the record that the command has written."""
    return [json.loads(line) for line in (tokconf.folder / "v.jsonl").read_text(encoding="ascii").splitlines()]


@pytest.mark.long_but(1)
def test_every_finding_has_a_command_that_shows_it_again(
    tokconf: CommandLine, toy_tokenizer: Path, texts: Path
) -> None:
    versions(tokconf, toy_tokenizer, texts, "toy", "lossy-decode", "--json", "v.jsonl", "--stage", "decode")
    (step,) = (line for line in recorded(tokconf) if line["type"] == "step")
    (of_tokenizer,) = step["tokenizers"]
    commands = [each["repeat"] for each in (*step["causes"], *of_tokenizer["findings"])]
    assert len(commands) >= 2
    for command in dict.fromkeys(commands):
        program, *words = shlex.split(command)
        assert program == "tokconf"
        again = tokconf.run(*words)
        assert (again.status, again.err) == (1, ""), command
        assert "lossy-decode at decode" in again.out


@pytest.mark.parametrize("is_all_built_in", [True, False])
def test_what_older_records_have_for_a_command_is_made_whole_or_left_out(
    is_all_built_in: bool, tokconf: CommandLine, toy_tokenizer: Path, texts: Path
) -> None:
    versions(tokconf, toy_tokenizer, texts, "toy", "lossy-decode", "--json", "v.jsonl")
    header, *lines = recorded(tokconf)
    if is_all_built_in:
        header["sources"] = [{"name": "", "inputs": 3}]
    for each in lines:
        if each["type"] == "step":
            for cause in (*each["causes"], *each["tokenizers"][0]["causes"], *each["tokenizers"][0]["findings"]):
                cause["repeat"] = "tokconf diff --only african/zulu"
    path = tokconf.folder / "old.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in (header, *lines)), encoding="ascii")
    commands = {each.repeat for each in read_page(path).findings}
    if not is_all_built_in:
        assert commands == {""}
        return
    (command,) = commands
    assert command.endswith("-i toy lossy-decode --baseline toy --only african/zulu")
    again = tokconf.run(*shlex.split(command)[1:])
    assert (again.status, again.err) == (1, "")
    assert "lossy-decode at decode" in again.out


def test_nothing_changed(tokconf: CommandLine, toy_tokenizer: Path, texts: Path) -> None:
    done = versions(tokconf, toy_tokenizer, texts, "toy", "also-generous")
    assert (done.status, done.err) == (0, "")
    assert "toy -> also-generous: nothing changed" in done.out


def test_a_ledger_makes_it_known(tokconf: CommandLine, toy_tokenizer: Path, texts: Path) -> None:
    (tokconf.folder / "known.toml").write_text(
        'format = 1\n[[known]]\nimplementation = "lossy-decode"\nbaseline = "toy"\nreason = "it loses z"\n',
        encoding="utf-8",
    )
    done = versions(tokconf, toy_tokenizer, texts, "toy", "lossy-decode", "--ledger", "known.toml")
    assert done.status == 0, done.out


LAST = {
    ("tokenizers", "--last", "2"): ["lossy-decode", "swapped-merge"],
    ("tokenizers>=0.1", "--last", "2"): ["lossy-decode", "swapped-merge"],
    ("tokenizers>=0.1",): ["toy", "lossy-decode", "swapped-merge"],
    ("tokenizers>=0.1", "tokenizers", "--last", "9"): ["toy", "lossy-decode", "swapped-merge"],
}


@pytest.mark.long_but(1)
@pytest.mark.parametrize(("words", "releases"), LAST.items(), ids=str)
def test_ranges_and_the_last_of_them(
    words: tuple[str, ...], releases: list[str], tokconf: CommandLine, toy_tokenizer: Path, texts: Path
) -> None:
    done = versions(tokconf, toy_tokenizer, texts, *words, "--json", "v.jsonl", bug=EXPANDED)
    assert done.status == 1, done.err
    header = json.loads((tokconf.folder / "v.jsonl").read_text(encoding="ascii").splitlines()[0])
    assert [each["word"] for each in header["releases"]] == releases


WRONG = {
    ("tokenizers>=99",): (2, "'tokenizers>=99' allows none of the releases"),
    ("tokenizers==abc",): (2, "abc"),
    ("no-such-thing", "toy"): (2, "no-such-thing"),
    ("toy", "lossy-decode", "--last", "1"): (2, "--last"),
    ("lossy==1", "swapped==2", "--last", "2"): (2, "there is none among lossy==1, swapped==2"),
    ("toy", "lossy-decode", "--section", "save"): (2, "'save' is no section; choose from defaults,"),
    ("toy", "lossy-decode", "--section", "none,saved"): (2, "'none' stands alone"),
    ("toy", "lossy-decode", "--snapshots", "texts.txt"): (2, "texts.txt"),
    ("toy", "unavailable"): (3, "unavailable is not installed"),
}


@pytest.mark.long_but(5)
@pytest.mark.parametrize(("words", "said"), WRONG.items(), ids=str)
def test_what_is_wrong_is_said(
    words: tuple[str, ...], said: tuple[int, str], tokconf: CommandLine, toy_tokenizer: Path, texts: Path
) -> None:
    done = versions(tokconf, toy_tokenizer, texts, *words, bug=EXPANDED)
    assert (done.status, "Traceback" in done.err) == (said[0], False), done.err
    assert said[1] in " ".join(done.err.split())


@pytest.mark.parametrize("words", [("toy",), ("toy", "toy")], ids=str)
def test_one_release_is_nothing_to_compare(
    words: tuple[str, ...], tokconf: CommandLine, toy_tokenizer: Path, texts: Path
) -> None:
    done = versions(tokconf, toy_tokenizer, texts, *words)
    assert done.status == 3
    assert "nothing was compared; 0 releases" in done.out
    assert "toy is the only release left" in done.err
    assert not [each for each in (tokconf.folder / "kept").iterdir() if not each.name.startswith("truncated-")]


def test_a_narrow_terminal(tokconf: CommandLine, toy_tokenizer: Path, texts: Path) -> None:
    done = versions(tokconf, toy_tokenizer, texts, "toy", "lossy-decode", "swapped-merge", COLUMNS="60")
    assert done.status == 1
    told = re.sub(r"^ +repeat: (.*\\\n)*.*\n", "", done.out, flags=re.MULTILINE)  # words of commands are not broken
    assert told != done.out
    assert max(map(len, told.splitlines())) <= 60


def test_quiet(tokconf: CommandLine, toy_tokenizer: Path, texts: Path) -> None:
    quiet = versions(tokconf, toy_tokenizer, texts, "toy", "also-generous", "--quiet", TOKCONF_PROGRESS="")
    assert (quiet.status, quiet.err) == (0, "")


def test_without_a_release_between_bisect_says_so_and_all_else_is_there(
    tokconf: CommandLine, toy_tokenizer: Path, texts: Path
) -> None:
    done = versions(tokconf, toy_tokenizer, texts, "toy", "lossy-decode", "--bisect")
    assert done.status == 3
    assert "--bisect: toy and lossy-decode are no releases of one package" in " ".join(done.err.split())
    assert re.search(r"^  1\. .* \(lossy-decode · ", done.out, re.MULTILINE)


# What is written, whatever the end ------------------------------------------------------------------------------------

REPORTS = {"v.md": "--markdown", "v.jsonl": "--json", "v.xml": "--junit", "v.sarif": "--sarif"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("transformers>=1",), "nobody says which releases transformers has"),
        (("unavailable", "transformers>=1"), "unavailable is not installed"),
    ],
    ids=str,
)
def test_where_no_release_can_be_had_all_reports_say_so(
    words: tuple[str, ...], said: str, tokconf: CommandLine, toy_tokenizer: Path, texts: Path
) -> None:
    reports = [word for name, option in REPORTS.items() for word in (option, name)]
    done = versions(tokconf, toy_tokenizer, texts, *words, *reports, bug=EXPANDED)
    assert done.status == 3, done.err
    for name in REPORTS:
        content = (tokconf.folder / name).read_text(encoding="utf-8")
        assert said in content.replace("\\", ""), name
    footer = json.loads((tokconf.folder / "v.jsonl").read_text(encoding="ascii").splitlines()[-1])
    assert (footer["type"], footer["releases"], footer["exit_status"]) == ("footer", 0, 3)


def test_a_range_out_of_reach_costs_its_releases_alone(tokconf: CommandLine, toy_tokenizer: Path, texts: Path) -> None:
    done = versions(tokconf, toy_tokenizer, texts, "toy", "lossy-decode", "transformers>=1", bug=EXPANDED)
    assert done.status == 3
    assert "nobody says which releases transformers has" in done.err
    assert "toy -> lossy-decode: 1 input" in done.out


# Sections and ledgers -------------------------------------------------------------------------------------------------

SECTIONS = {
    (): [],
    ("--section", "refusals"): ["refusals"],
    ("--section", "saved", "--section", "defaults"): ["defaults", "saved"],
    ("--stage", "model"): [],
    ("--field", "ids", "--section", "saved"): ["saved"],
}


@pytest.mark.long_but(1)
@pytest.mark.parametrize(("options", "sections"), SECTIONS.items(), ids=str)
def test_which_sections_are_compared_and_that_the_others_are_said(
    options: tuple[str, ...], sections: list[str], tokconf: CommandLine, toy_tokenizer: Path, texts: Path
) -> None:
    words = ["-t", str(toy_tokenizer.parent), "--inputs", str(texts), "--no-builtin", "--snapshots", "kept"]
    reports = ("--json", "v.jsonl", "--markdown", "v.md")
    done = tokconf.run("versions", *words, "toy", "also-generous", *options, *reports, bug=FEW_DOCUMENTS)
    header = json.loads((tokconf.folder / "v.jsonl").read_text(encoding="ascii").splitlines()[0])
    assert header["sections"]["compared"] == sections
    assert sorted([*header["sections"]["left_out"], *sections]) == [
        "defaults",
        "refusals",
        "saved",
        "suite",
        "training",
    ]
    line = "facts not compared:? " + ("" if "defaults" in sections else "defaults, ")
    for text in (done.out, (tokconf.folder / "v.md").read_text(encoding="utf-8")):
        assert re.search(line, text)
        assert "--section NAME compares them, too" in text


@pytest.mark.long
def test_a_new_ledger_makes_what_changed_known_and_is_stale_once_it_is_gone(
    tokconf: CommandLine, toy_tokenizer: Path, texts: Path
) -> None:
    ledger = tokconf.folder / "known.toml"
    first = versions(tokconf, toy_tokenizer, texts, "toy", "lossy-decode", "--update-ledger", str(ledger))
    assert first.status == 1
    assert "1 new difference written" in " ".join(first.err.split())
    filled = ledger.read_text(encoding="utf-8").replace('reason = ""', 'reason = "it loses z"')
    ledger.write_text(filled, encoding="utf-8")
    again = versions(tokconf, toy_tokenizer, texts, "toy", "lossy-decode", "--ledger", str(ledger))
    assert again.status == 0, again.out
    ledger.write_text(filled.replace('decode"', 'normalize"'), encoding="utf-8")
    gone = versions(tokconf, toy_tokenizer, texts, "toy", "lossy-decode", "--ledger", str(ledger))
    assert gone.status == 1
    ledger.write_text(filled.replace('"lossy-decode"', '"also-generous"'), encoding="utf-8")
    stale = versions(tokconf, toy_tokenizer, texts, "toy", "also-generous", "--ledger", str(ledger), "--junit", "v.xml")
    assert stale.status == 1
    assert re.search(r"Stale: the entry at \S+:5 is about differences that are not there", " ".join(stale.out.split()))
    assert "a ledger is stale; 2 releases" in stale.out
    assert "does not differ at decode" in (tokconf.folder / "v.xml").read_text(encoding="utf-8")


def test_a_version_of_no_package_is_refused_with_what_to_write() -> None:
    done = CliRunner().invoke(main, ["versions", "0.21.4", "0.23.3", "-t", "bert-mini"])
    assert done.exit_code == 2
    assert "0.21.4 is a version of no package; write PACKAGE==VERSION, as tokenizers==0.21.4" in done.output


def test_files_are_truncated_where_a_stage_is_asked_that_shows_it() -> None:
    assert _shows_cuts(())
    assert {stage for stage in Stage if _shows_cuts((stage,))} == {Stage.MODEL, Stage.POST_PROCESS}
    assert _shows_cuts((Stage.DECODE, Stage.MODEL))
