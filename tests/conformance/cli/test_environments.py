"""Releases on the command line: as implementations of a run, and ``tokconf environments``.

The releases of ``tokenizers`` here are packages that give the one that is installed, of which 9.1 has a fault planted:
it decodes with an exclamation mark.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import shlex
import sys
import time
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import tokenizers
from click.testing import CliRunner

from tokenizer_adapters.environments import store
from tokenizer_adapters.environments.faults import EnvironmentFaultError, UnreachableError
from tokenizer_adapters.environments.packages import HEAVY, Heavy
from tokenizer_conformance.cli import environments, main

if TYPE_CHECKING:
    from wheel_registry import Registry

    from conftest import Tokconf


INSTALLED = importlib.metadata.version("tokenizers")

RELEASE = """
import importlib.util, sys
place = {place!r}
spec = importlib.util.spec_from_file_location("tokenizers", place + "/__init__.py", submodule_search_locations=[place])
module = importlib.util.module_from_spec(spec)
sys.modules["tokenizers"] = module
spec.loader.exec_module(module)
"""

FAULT = """
class Tokenizer:
    def __init__(self, real):
        self.real = real
    def __getattr__(self, name):
        return getattr(self.real, name)
    def decode(self, ids, **options):
        return self.real.decode(ids, **options) + "!"
    from_file = staticmethod(lambda file, real=module.Tokenizer: Tokenizer(real.from_file(file)))

module.Tokenizer = Tokenizer
del module.decoders.DecodeStream
"""


@pytest.fixture
def releases(registry: Registry) -> Registry:
    """Releases 9.0, 9.1 (faulty) and 9.2 (cannot be imported) of ``tokenizers``."""
    good = RELEASE.format(place=str(Path(tokenizers.__file__).parent))
    registry.add("numpy", "1.0", content="")
    registry.add("tokenizers", "9.0", content=good)
    registry.add("tokenizers", "9.1", content=good + FAULT)
    registry.add("tokenizers", "9.2", content="raise ImportError('no libfast')")
    return registry


@pytest.fixture
def cli(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tokconf:  # noqa: ARG001
    """Runs a command in this process, in a folder with two texts."""
    (tmp_path / "texts.txt").write_text("hello\nunknown words\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["tokconf", "run"])
    return lambda *arguments: CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for environments that several tests need."""
    return tmp_path_factory.mktemp("lasting")


@pytest.fixture
def compare(cli: Tokconf, releases: Registry, lasting: Path, monkeypatch: pytest.MonkeyPatch) -> Tokconf:  # noqa: ARG001
    """Compares implementations on the two texts, as the baseline decodes them."""
    monkeypatch.setenv("TOKCONF_CACHE", str(lasting))
    given = ("run", "bert-mini", "--no-builtin", "--inputs", "texts.txt", "--stage", "decode")
    return lambda *arguments: cli(*given, *arguments)


# In a run ------------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_releases_are_compared_in_one_command_and_a_planted_fault_is_found(compare: Tokconf) -> None:
    done = compare("-i", "tokenizers", "tokenizers==9.0", "tokenizers==9.1", "--json", "run.jsonl")
    assert done.exit_code == 1, done.output
    assert "tokenizers==9.0 (Rust)" in done.output
    assert "1. tokenizers==9.1 at decode: other values of text" in done.output
    assert "tokenizers==9.0 at" not in done.output
    repeat = re.search(r"repeat: (.*)", done.output)
    assert repeat is not None
    assert "tokenizers==9.1" in shlex.split(repeat[1])


@pytest.mark.long
def test_a_record_of_somebody_else_installs_nothing_and_runs_no_python_that_it_names(
    cli: Tokconf, compare: Tokconf, cache: Path
) -> None:
    assert compare("-i", "tokenizers", "tokenizers==9.1", "--json", "run.jsonl").exit_code == 1
    done = cli("minimize", "run.jsonl", "--finding", "1")
    assert done.exit_code == 2, done.output
    assert "the record names 'tokenizers==9.1', which is run only if you say so" in " ".join(done.output.split())
    assert not cache.exists()
    again = cli("minimize", "run.jsonl", "--finding", "1", "-i", "tokenizers", "tokenizers==9.1")
    assert again.exit_code == 1, again.output


@pytest.mark.long
def test_a_range_stands_for_all_its_releases_and_one_that_is_broken_costs_no_other(compare: Tokconf) -> None:
    done = compare("-i", "tokenizers", "tokenizers>=9")
    assert done.exit_code == 3, done.output
    assert "tokenizers==9.0" in done.output
    assert "1. tokenizers==9.1 at decode: other values of text" in done.output
    assert re.search(r"tokenizers==9\.2.*cannot be imported:\s+ImportError:\s+no\s+libfast", done.output, re.DOTALL)


@pytest.mark.long
def test_a_release_that_is_not_there_is_said_and_the_rest_is_compared(compare: Tokconf) -> None:
    done = compare("-i", "tokenizers", "tokenizers==9.0", "tokenizers==8.0")
    assert done.exit_code == 3, done.output
    assert re.search(r"tokenizers\s+has\s+no\s+release\s+8\.0;\s+the\s+nearest\s+are\s+9\.0,\s+9\.1", done.output)
    assert "\nconform; " not in done.output
    assert "tokenizers==8.0 cannot be used; tokenizers==9.0 conforms on bert-mini\n" in done.output
    assert re.search(r"tokenizers==9\.0 +✓ 2", done.output)


@pytest.mark.long
def test_a_release_can_be_the_baseline_and_have_a_name(compare: Tokconf) -> None:
    done = compare("-i", "new=tokenizers==9.1", "old=tokenizers==9.0", "--baseline", "old")
    assert done.exit_code == 1, done.output
    assert "baseline  old 9.0 (Rust)" in done.output
    assert "1. new at decode: other values of text" in done.output


@pytest.mark.long
def test_releases_run_in_several_processes(compare: Tokconf) -> None:
    alone = compare("-i", "tokenizers", "tokenizers==9.1", "--markdown", "alone.md")
    several = compare("-i", "tokenizers", "tokenizers==9.1", "--jobs", "2")
    assert [done.exit_code for done in (alone, several)] == [1, 1]
    assert re.findall("^ .*", alone.output, re.MULTILINE) == re.findall("^ .*", several.output, re.MULTILINE)


@pytest.mark.long
def test_an_environment_that_exists_is_named_after_what_it_has(compare: Tokconf) -> None:
    done = compare("-i", "tokenizers", f"tokenizers@{Path(sys.executable).parents[1]}", "tokenizers@nowhere")
    assert done.exit_code == 3, done.output
    assert f"tokenizers@{INSTALLED} {INSTALLED} (Rust)" in done.output
    assert "there is no Python at" in done.output


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("tokenizers>=10", "allows none of the releases of tokenizers"),
        ("tokenizers==nine", "'nine' is no version"),
        ("reference==1.0", "a part of this project, and has no releases of its own"),
        ("nothing==1.0", "no implementation is called 'nothing'"),
        ("old=tokenizers>=9", "cannot share the name 'old'"),
    ],
)
def test_a_word_that_selects_nothing_is_bad_input(compare: Tokconf, word: str, words: str) -> None:
    done = compare("-i", "tokenizers", word)
    assert done.exit_code == 2, done.output
    assert words in " ".join(done.output.split())


# To a ledger ---------------------------------------------------------------------------------------------------------


LEDGER = """\
format = 1
[[known]]
implementation = "tokenizers"
version = "{version}"
stage = "decode"
tokenizer = "bert-mini"
input = ["texts.txt:1", "texts.txt:2"]
field = "text"
reason = "It shouts."
"""


@pytest.mark.parametrize(
    ("version", "status"),
    [("==9.1", 0), pytest.param(">=9", 0, marks=pytest.mark.slow), pytest.param("==9.0", 1, marks=pytest.mark.long)],
)
def test_a_release_is_its_implementation_in_a_version(
    compare: Tokconf, tmp_path: Path, version: str, status: int
) -> None:
    (tmp_path / "ledger.toml").write_text(LEDGER.format(version=version))
    done = compare("-i", "tokenizers", "tokenizers==9.1", "--ledger", "ledger.toml")
    assert done.exit_code == status, done.output
    assert ("It shouts." in done.output) == (status == 0)


@pytest.mark.long
def test_an_entry_that_a_release_does_not_need_is_stale(compare: Tokconf, tmp_path: Path) -> None:
    (tmp_path / "ledger.toml").write_text(LEDGER.format(version="==9.0"))
    done = compare("-i", "tokenizers", "tokenizers==9.0", "--ledger", "ledger.toml")
    assert done.exit_code == 1, done.output
    assert "Stale: the entry at ledger.toml:2 is about differences that are not there any more." in done.output


@pytest.mark.long
def test_what_is_appended_names_the_implementation_and_the_version_and_is_known_then(
    compare: Tokconf, tmp_path: Path
) -> None:
    given = ("-i", "tokenizers==9.0", "tokenizers==9.1", "--baseline", "tokenizers==9.0")
    assert compare(*given, "--update-ledger", "ledger.toml").exit_code == 1
    (entry,) = tomllib.loads((tmp_path / "ledger.toml").read_text())["known"]
    assert (entry["implementation"], entry["version"]) == ("tokenizers", "==9.1")
    assert "baseline" not in entry
    text = (tmp_path / "ledger.toml").read_text().replace('reason = ""', 'reason = "known"')
    (tmp_path / "ledger.toml").write_text(text)
    done = compare(*given, "--ledger", "ledger.toml")
    assert done.exit_code == 0, done.output


def test_an_entry_that_names_a_word_of_the_command_line_is_refused(compare: Tokconf, tmp_path: Path) -> None:
    (tmp_path / "ledger.toml").write_text(
        'format = 1\n[[known]]\nimplementation = "tokenizers==9.1"\nreason = "r"\nbaseline = "tokenizers==9.0"\n'
    )
    done = compare("-i", "tokenizers", "tokenizers==9.1", "--ledger", "ledger.toml")
    assert done.exit_code == 2, done.output
    said = " ".join(done.output.split())
    assert "write 'tokenizers', and in `version` which versions are meant" in said
    assert "write 'tokenizers', and in `since` and `until` which versions are meant" in said


# Heavy implementations -----------------------------------------------------------------------------------------------


@pytest.fixture
def heavy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has two heavy implementations, of packages of a few lines; of one of them no release is there."""
    for name in list(HEAVY):
        monkeypatch.delitem(HEAVY, name)
    monkeypatch.setitem(HEAVY, "tokie", Heavy(version="1.0", requires=(), size=458_290_882, licence="Apache-2.0"))
    monkeypatch.setitem(HEAVY, "kitoken", Heavy(version="9.9", requires=("tokie==1.0",), size=10**9, licence="MIT"))


@pytest.mark.usefixtures("heavy")
def test_what_can_be_added_is_listed_with_what_it_costs(cli: Tokconf, cache: Path) -> None:
    done = cli("environments", "add")
    assert (done.exit_code, done.stdout.splitlines()) == (
        0,
        [
            "name     release       size and licence    state",
            "-------  ------------  ------------------  ---------",
            "kitoken  kitoken==9.9  1.0 GB, MIT         not added",
            "tokie    tokie==1.0    458 MB, Apache-2.0  not added",
            "",
            "to add one: tokconf environments add NAME",
        ],
    )
    assert not cache.exists()


@pytest.mark.long
@pytest.mark.usefixtures("heavy", "registry")
def test_a_heavy_implementation_is_added_once_and_goes_by_its_name(cli: Tokconf) -> None:
    added = cli("environments", "add", "tokie", "tokie")
    python = cli("environments", "path", "tokie").stdout.strip()
    assert (added.exit_code, added.stdout.splitlines()) == (
        0,
        ["tokie: 458 MB, Apache-2.0 (tokie==1.0)", f"tokie: made, {python}"],
    )
    assert os.access(python, os.X_OK)
    assert cli("environments", "path", "tokie==1.0").stdout.strip() == python
    assert cli("environments", "add", "tokie").stdout == f"tokie: was there, {python}\n"
    assert re.search("^tokie +tokie==1.0 .* there$", cli("environments", "add").stdout, re.MULTILINE)
    assert re.search("^tokie: tokie==1.0 .* complete$", cli("environments", "list").stdout, re.MULTILINE)
    removed = cli("environments", "remove", "tokie")
    assert (removed.exit_code, removed.stdout.splitlines()[-1][:25]) == (0, "1 of 1 environments remov")


@pytest.mark.long
@pytest.mark.usefixtures("heavy", "registry")
def test_one_that_cannot_be_had_costs_no_other_and_its_size_is_said_before(cli: Tokconf) -> None:
    done = cli("environments", "add", "kitoken", "tokie")
    assert done.exit_code == 3
    assert done.stdout.splitlines()[:2] == [
        "kitoken: 1.0 GB, MIT (kitoken==9.9)",
        "tokie: 458 MB, Apache-2.0 (tokie==1.0)",
    ]
    assert "tokie: made, " in done.stdout
    assert "kitoken" in done.stderr


@pytest.mark.usefixtures("heavy")
def test_where_no_registry_may_be_asked_that_is_said(cli: Tokconf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "make", refused_by_the_settings)
    done = cli("environments", "add", "tokie")
    assert (done.exit_code, done.stdout) == (3, "tokie: 458 MB, Apache-2.0 (tokie==1.0)\n")
    assert "tokie==1.0 could not be fetched" in " ".join(done.stderr.split())


def refused_by_the_settings(*_: object) -> None:
    raise UnreachableError("tokie==1.0 could not be fetched: the registry of packages does not answer")


@pytest.mark.usefixtures("heavy")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("add", "tokie", "nothing", "x\x1b"),
            r"no heavy implementation is called 'nothing' or 'x\\x1b'; these can be added: kitoken, tokie",
        ),
        (("create", "tokie"), "'tokie' names no release; to have the one that is run: tokconf environments add tokie"),
        (("remove", "tokie"), "there is no environment of 'tokie'"),
    ],
)
def test_what_is_no_request_for_a_heavy_one_is_refused(cli: Tokconf, arguments: tuple[str, ...], words: str) -> None:
    done = cli("environments", *arguments)
    assert done.exit_code == 2
    assert words in " ".join(done.output.split())


@pytest.mark.usefixtures("heavy")
def test_the_python_of_one_that_is_not_there_is_told_with_how_to_add_it(cli: Tokconf) -> None:
    lacking = cli("environments", "path", "tokie")
    assert (lacking.exit_code, lacking.stdout) == (3, "")
    assert "there is no environment of tokie yet; make it: tokconf environments add tokie" in lacking.stderr


# tokconf environments ------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_environments_are_made_listed_named_and_removed(cli: Tokconf, releases: Registry, cache: Path) -> None:  # noqa: ARG001
    assert cli("environments", "list").output == f"no environment is kept in {cache}\n"
    made = cli("environments", "create", "tokenizers>=9,<9.2", "tokenizers==9.0")
    assert made.exit_code == 0, made.output
    lines = made.output.splitlines()
    assert [line.partition(", ")[0] for line in lines if "making" not in line] == [
        "tokenizers==9.0: made",
        "tokenizers==9.1: made",
        "tokenizers==9.0: was there",
    ]
    listed = cli("environments", "list").output
    assert re.search(r"^tokenizers==9\.0 +\d+\.\d [kM]B +2 +\d{4}-.* +CPython .* +complete$", listed, re.MULTILINE)
    document = json.loads(cli("environments", "list", "--json").output)
    first = document["environments"][0]
    assert (document["schema"], first["word"], first["complete"]) == (
        "tokenizer-conformance-environments",
        "tokenizers==9.0",
        True,
    )
    assert first["installed"] == {"numpy": "1.0", "tokenizers": "9.0"}
    path = cli("environments", "path", "tokenizers==9.0")
    assert path.exit_code == 0
    assert os.access(path.output.strip(), os.X_OK)
    removed = cli("environments", "remove", "tokenizers==9.0")
    assert removed.exit_code == 0, removed.output
    assert "1 of 2 environments removed" in removed.output
    assert cli("environments", "path", "tokenizers==9.0").exit_code == 3
    assert "2 environments" not in cli("environments", "list").output
    assert "0 of 1 environments removed" in cli("environments", "remove", "--unused-for", "1").output
    assert "1 of 1 environments removed" in cli("environments", "remove", "--unused-for", "0").output
    assert "0 of 0 environments removed" in cli("environments", "remove", "--all").output


@pytest.mark.long
def test_one_that_cannot_be_made_costs_no_other_and_is_said(
    cli: Tokconf,
    releases: Registry,  # noqa: ARG001
    lasting: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TOKCONF_CACHE", str(lasting))
    done = cli("environments", "create", "tokenizers==9.2", "tokenizers==8.0", "tokenizers==9.0")
    assert done.exit_code == 3
    assert "cannot be imported: ImportError: no libfast" in done.output
    assert "tokenizers has no release 8.0" in done.output
    assert re.search("tokenizers==9.0: (made|was there), ", done.output)


def test_what_is_half_made_is_listed_and_can_be_removed(cli: Tokconf, cache: Path) -> None:
    (cache / "tokie-1.0-abc").mkdir(parents=True)
    (cache / "tokie-1.0-abc" / "left").write_text("x" * 1000)
    (cache / "\x1b[2J").mkdir()
    listed = cli("environments", "list").output
    assert re.search(r"^tokie-1\.0-abc +1\.0 kB .* not complete$", listed, re.MULTILINE)
    assert "\x1b" not in listed
    removed = cli("environments", "remove", "tokie-1.0-abc")
    assert removed.exit_code == 0, removed.output
    assert not (cache / "tokie-1.0-abc").exists()


def test_those_are_removed_that_were_not_used_for_long(cli: Tokconf, cache: Path) -> None:
    made = {"format": 1, "requirements": ["tokie==1.0"], "installed": {}, "python": "CPython 3.12", "by": "pip"}
    long_ago = time.time() - 9 * 86_400
    moments = {"new": None, "old": None, "made lately": time.time() - 86_400, "made long ago": long_ago}
    for name, moment in moments.items():
        (cache / name).mkdir(parents=True)
        if moment is not None:
            told = made | {"made": datetime.fromtimestamp(moment, UTC).isoformat()}
            (cache / name / "environment.json").write_text(json.dumps(told))
    os.utime(cache / "old", (long_ago, long_ago))
    removed = cli("environments", "remove", "--unused-for", 5)
    assert removed.exit_code == 0, removed.output
    assert removed.output.splitlines()[-1].startswith("2 of 4 environments removed, ")
    assert {each.name for each in cache.iterdir() if each.is_dir()} == {"made lately", "new"}
    (cache / "made lately" / "last-used").touch()
    os.utime(cache / "made lately" / "last-used", (long_ago, long_ago))
    assert "1 of 2 environments removed" in cli("environments", "remove", "--unused-for", 5).output
    assert {each.name for each in cache.iterdir() if each.is_dir()} == {"new"}


def test_one_that_cannot_be_removed_is_said(cli: Tokconf, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        (cache / name).mkdir(parents=True)

    def remove(folder: Path) -> None:
        raise EnvironmentFaultError(f"{folder.name} is\x1b in use")

    monkeypatch.setattr(environments, "remove", remove)
    failed = cli("environments", "remove", "--all")
    assert (failed.exit_code, failed.stdout) == (3, "")
    assert "a is\\x1b in use" in failed.stderr


def test_the_python_of_a_release_is_told_where_there_is_one(cli: Tokconf) -> None:
    lacking = cli("environments", "path", "tokie==1.0")
    assert (lacking.exit_code, lacking.stdout) == (3, "")
    said = " ".join(lacking.stderr.split())
    assert "there is no environment of tokie==1.0 yet; make it: tokconf environments create 'tokie==1.0'" in said
    own = cli("environments", "path", f"tokenizers@{sys.executable}")
    assert (own.exit_code, own.stdout) == (0, f"{sys.executable}\n"), own.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("create", "tokenizers"), "'tokenizers' names no release; write PACKAGE==VERSION"),
        (("create", "reference==1"), "a part of this project"),
        (("create", "tokenizers@.venv"), "names an environment of your own"),
        (("create",), "Missing argument"),
        (("remove",), "say which are to be removed"),
        (("remove", "--all", "tokenizers==1"), "one of these"),
        (("remove", "tokenizers==1"), "there is no environment of 'tokenizers==1'"),
        (("path", "tokenizers>=1"), "is a range of releases"),
    ],
)
def test_what_is_no_request_is_refused_with_what_to_write(cli: Tokconf, arguments: tuple[str, ...], words: str) -> None:
    done = cli("environments", *arguments)
    assert done.exit_code == 2
    assert words in " ".join(done.output.split())


@pytest.mark.long
def test_the_self_check_plays_the_protocol_with_a_release(
    cli: Tokconf,
    releases: Registry,  # noqa: ARG001
    lasting: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TOKCONF_CACHE", str(lasting))
    done = cli("implementations", "check", "tokenizers==9.0")
    assert done.exit_code == 0, done.output
    assert "FAULT" not in done.output
    assert cli("implementations", "check", "tokenizers==8.0").exit_code == 3
