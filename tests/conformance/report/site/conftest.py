"""A site of records of commands that have really run, with hostile names among them, made once."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from tokenizer_conformance.cli import main
from tokenizer_conformance.report.site import building
from tokenizer_conformance.report.site.building import site_of
from tokenizer_conformance.validation.suite.reader import read_suite

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.validation.suite.requirement import Suite

    Renamed = Callable[[Path, str, str], None]

HOSTILE = "<script>alert(1)</script>../../x\x1b[31m\u202e\"'&"
"""What an implementation and a tokenizer of a record are called."""

PROJECT = Path(__file__).parents[4]

FAKES = ("toy", "wrong-normalization", "swapped-merge", "lossy-decode", "raising", "ids-only")

AREAS = 3
"""How many areas of the suite the site has pages of: all of them take seconds."""


def command(*arguments: str) -> None:
    """Run the command in this process."""
    sys.argv = ["tokconf", *arguments]
    result = CliRunner().invoke(main, list(arguments))
    assert result.exit_code in (0, 1, 3), result.output


def renamed(record: Path, name: str, to: str) -> None:
    """Have a record call ``name`` as ``to`` wherever it does so."""
    text = record.read_text("utf-8")
    for each in (name, f"{name}: "):
        text = text.replace(json.dumps(each)[:-1], json.dumps(to)[:-1])
    record.write_text(text, "utf-8")


@dataclass(frozen=True)
class Built:
    """A site in a folder, and what it was made of."""

    folder: Path
    records: list[Path]
    documents: list[Path]
    files: dict[str, bytes]


@pytest.fixture(scope="session")
def small_suite() -> Suite:
    """The suite with a few of its areas."""
    suite = read_suite()
    return replace(suite, areas=suite.areas[:AREAS])


@pytest.fixture(scope="session")
def records(plugin: Path, toy_tokenizer: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Records of runs and of the suite; they are not to be changed."""
    folder = tmp_path_factory.mktemp("records of a site")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(plugin))
        patch.setenv("TOKCONF_IN_PROCESS", "all")
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setattr(sys, "argv", sys.argv)
        patch.chdir(folder)
        for name in ("one", "another"):
            Path(name).mkdir()
            (Path(name) / "tokenizer.json").write_bytes(toy_tokenizer.read_bytes())
        Path("texts.txt").write_text("abc\naBc d\nx\na-b\nzebra crossing\néa 🎉b\n", encoding="utf-8")
        texts = ("--no-builtin", "--inputs", "texts.txt", "--cause-time", "0.5", "--quiet", "--no-known")
        command("run", "one", "another", "-i", *FAKES, *texts, "--json", "run.jsonl")
        Path("nightly").mkdir()
        command("run", "one", "-i", "toy", "swapped-merge", *texts, "--json", "nightly/run.jsonl")
        renamed(Path("nightly/run.jsonl"), "swapped-merge", HOSTILE)
        renamed(Path("nightly/run.jsonl"), "one", HOSTILE)
        for name, selected in (("suite", "BERTNORM"), ("suite-of-little", "STRIP-ENDS")):
            command("suite", "run", "-i", "wrong-type", "sound", "-k", selected, "--json", f"{name}.jsonl", "--quiet")
        killed = Path("run.jsonl").read_bytes()
        Path("killed <b>.jsonl").write_bytes(killed[: len(killed) // 2])
    return sorted(folder.rglob("*.jsonl"))


@pytest.fixture(scope="session")
def documents(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Documents, those of this project and a hostile one."""
    hostile = tmp_path_factory.mktemp("documents") / "index.md"
    hostile.write_text(f"# {HOSTILE}\n\n[x](javascript:alert(1)) <img src=x onerror=alert(1)>\n\n## Theme\n")
    published = ("study.md", "peers.md", "peers/tokie.md")
    return [hostile, PROJECT / "reference" / "TEXTBOOK.md", *(PROJECT / "reports" / name for name in published)]


@pytest.fixture(scope="session")
def site(
    records: list[Path], documents: list[Path], small_suite: Suite, tmp_path_factory: pytest.TempPathFactory
) -> Built:
    """The site of these records and documents."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "read_suite", lambda: small_suite)
        files = site_of(records, documents)
    folder = tmp_path_factory.mktemp("site")
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    return Built(folder, records, documents, files)
