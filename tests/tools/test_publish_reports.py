"""Records are published without a path of the machine; the manifest changes for what is taken, and for nothing else."""

from __future__ import annotations

import json
import lzma
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import publish_reports
import pytest
from figures.table import read_table
from published import manifest, records
from published import table as tables
from published.renderers import RENDERERS, rendered

from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.report.site.documents import parsed

ROOT = Path(__file__).parents[2]

HEADER = {
    "type": "header",
    "schema": "tokenizer-conformance-x",
    "environment": {"command": ["tokconf", "run", "a.json"]},
}

NO_MANIFEST: dict[str, Any] = {"records": {}, "seconds": {}, "pages": {}}


@pytest.fixture
def manifests(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Return the module of manifests, for the pages and records of an empty project."""
    (tmp_path / "records").mkdir()
    for name, folder in (("REPORTS", tmp_path), ("RECORDS", tmp_path / "records")):
        monkeypatch.setattr(manifest, name, folder)
    return manifest


def write(path: Path, *lines: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


# Records -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("footer", "left"),
    [
        ({"type": "footer", "finished": True}, ["header", "tokenizer", "footer"]),
        ({"type": "footer", "lines": 3, "sha256": "0"}, ["header", "checkpoint", "tokenizer", "footer"]),
        (None, ["header", "checkpoint", "tokenizer"]),
    ],
    ids=["finished", "sealed", "interrupted"],
)
def test_a_finished_record_loses_its_checkpoints(
    tmp_path: Path, footer: dict[str, object] | None, left: list[str]
) -> None:
    lines = [HEADER, {"type": "checkpoint", "tokenizer": "a"}, {"type": "tokenizer"}, *([footer] if footer else [])]
    published = records.publish(write(tmp_path / "run.jsonl", *lines), tmp_path)
    assert [line["type"] for line in records.lines_of(published)] == left


def test_a_record_is_published_as_it_is(tmp_path: Path) -> None:
    source = write(tmp_path / "run.jsonl", HEADER, {"type": "footer", "finished": True})
    published = records.publish(source, tmp_path)
    assert published.name == "run.jsonl.xz"
    assert lzma.decompress(published.read_bytes()) == source.read_bytes()
    assert records.digest_of(published) == records.digest_of(source)
    assert records.lines_of(published) == records.lines_of(source)


@pytest.mark.parametrize(
    "line",
    [
        {"file": "/srv/project/tokenizer.json"},
        {"files": ["a.json", "/home/me/b.json"]},
        {"environment": {"command": ["tokconf", "run", "--json=/srv/run.jsonl"]}},
        {"command": "tokconf run C:\\Users\\me"},
        {"sides": [{"python": "/opt/python/bin/python3"}]},
    ],
)
def test_a_record_with_a_path_of_this_machine_is_refused(tmp_path: Path, line: dict[str, Any]) -> None:
    source = write(tmp_path / "run.jsonl", HEADER, line)
    with pytest.raises(records.RecordError, match=r"run\.jsonl has a path of this machine"):
        records.publish(source, tmp_path)
    assert not (tmp_path / "run.jsonl.xz").exists()


@pytest.mark.parametrize(
    "line",
    [
        {"text": "#!/usr/bin/env python"},
        {"file": "../shared/tokenizers/gpt2/tokenizer.json"},
        {"path": "$.model.merges[3]"},
        {"command": ["a/b/c", "/"]},
    ],
)
def test_texts_and_relative_paths_are_none_of_a_machine(line: dict[str, Any]) -> None:
    assert list(records.paths_in(json.dumps(line))) == []


def test_of_files_in_temporary_folders_the_names_are_left(tmp_path: Path) -> None:
    source = write(
        tmp_path / "run.jsonl", HEADER, {"reason": "cannot load gpt2 (/tmp/tmpab3_xy9z/1/tokenizer.json): no"}
    )
    published = records.publish(source, tmp_path)
    assert records.lines_of(published)[1]["reason"] == "cannot load gpt2 (tokenizer.json): no"


def test_what_has_a_digest_of_its_own_is_not_stripped(tmp_path: Path) -> None:
    footer = {"type": "footer", "finished": True, "sha256": "0"}
    source = write(tmp_path / "run.jsonl", HEADER, {"reason": "/var/tmp/tmpab3_xy9z/x.json"}, footer)
    with pytest.raises(records.RecordError, match="a digest of its own"):
        records.publish(source, tmp_path)


@pytest.mark.parametrize("content", [b"\xfd7zXZ\x00cut", b"\xff\xfe", b"no json\n"])
def test_what_is_no_record_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(content)
    with pytest.raises(records.RecordError, match=r"run\.jsonl (cannot be read|is no record)"):
        records.lines_of(path)


# The manifest --------------------------------------------------------------------------------------------------------


def test_only_what_is_taken_gets_another_digest(manifests: Any, tmp_path: Path) -> None:
    page = tables.Page("a.md", "A", "make a", records=("a.jsonl",), renderer="page", plots=("*.svg",))
    (tmp_path / "a.svg").write_text("A", encoding="utf-8")
    records.publish(write(tmp_path / "a.jsonl", HEADER), tmp_path / "records")
    first = manifests.manifest_of([page], [], NO_MANIFEST, ())
    (tmp_path / "a.svg").write_text("B", encoding="utf-8")
    records.publish(write(tmp_path / "a.jsonl", HEADER, {"type": "footer", "seconds": 2.5}), tmp_path / "records")
    assert manifests.manifest_of([page], [], first, ()) == first
    taken = manifests.manifest_of([page], [], first, {"a.md"})
    assert taken["records"] != first["records"]
    assert (first["seconds"], taken["seconds"]) == ({"a.jsonl.xz": None}, {"a.jsonl.xz": 2.5})
    assert taken["pages"]["a.md"]["sha256"] != first["pages"]["a.md"]["sha256"]


def test_a_page_that_nothing_writes_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "pages.toml"
    table.write_text('[[page]]\nname = "a.md"\nshows = "A"\ncommand = "make a"\n', encoding="utf-8")
    with pytest.raises(tables.TableError, match=r"^a\.md: name its renderer, or say that it is on the site alone"):
        tables.read_pages(table)


@pytest.mark.parametrize(
    ("given", "held"),
    [
        ({"renderer": "run", "records": ("a.jsonl",)}, "RENDERED"),
        ({"renderer": "changes"}, "OF_TREE"),
        ({"records": ("a.jsonl",), "on_site": True}, "SITE"),
    ],
)
def test_a_page_is_held_by_what_it_is_made_of(given: dict[str, Any], held: str) -> None:
    assert tables.Page("a.md", "A", "make a", **given).held is tables.Held[held]


def test_a_page_whose_record_is_not_published_cannot_be_written(tmp_path: Path) -> None:
    page = tables.Page("lint.md", "A", "make a", records=("a.jsonl",), renderer="lint")
    with pytest.raises(records.RecordError, match=r"a\.jsonl\.xz"):
        rendered(page, tmp_path)


def test_every_row_has_a_renderer_that_is_there() -> None:
    renderers = RENDERERS
    named = {page.renderer for page in tables.read_pages() if page.renderer is not None}
    assert named == set(renderers)


def test_the_command_of_every_page_is_there() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert targets
    commands = {page.command for page in tables.read_pages() if page.command.startswith("make ")}
    assert {command for command in commands if command.split()[1] not in targets} == set()


def test_a_record_that_was_not_measured_is_named_with_the_command_that_makes_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(publish_reports, "RECORDS", tmp_path / "records")
    page = tables.Page("a.md", "A", "make a", records=("a.jsonl",), renderer="a")
    with pytest.raises(records.RecordError, match=r"a\.jsonl is not there: `make a` makes it, and then a\.md$"):
        publish_reports.take(page, tmp_path)


def test_a_renderer_that_is_not_there_is_named_with_its_page() -> None:
    page = tables.Page("a.md", "A", "make a", records=("a.jsonl",), renderer="b")
    with pytest.raises(records.RecordError, match=r"^a\.md: tools/published/renderers\.py has no 'b'$"):
        rendered(page)


def test_every_page_begins_with_what_it_shows() -> None:
    pages = [page for page in tables.read_pages() if page.renderer is not None]
    texts = {page: parsed((tables.REPORTS / page.name).read_text("utf-8")) for page in pages}
    opened = {page.name: text.opening for page, text in texts.items()}
    assert opened == {page.name: page.shows.replace("`", "") for page in pages}


def test_the_records_of_all_examples_are_taken() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    target = re.search(r"^examples:.*\n(?:\t.*\n)*?\t\$\(TAKE\) (.*)$", makefile, re.MULTILINE)
    assert target is not None
    assert set(target[1].split()) == {each.document for each in read_table().examples if each.record is not None}


@pytest.fixture(scope="module")
def command_of_the_site() -> list[str]:
    """The words of the command that `make site` gives."""
    told = subprocess.run(["make", "-n", "site"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    (line,) = (line for line in told.replace("\\\n", " ").splitlines() if " report " in line and "--site" in line)
    return shlex.split(line)


def test_the_site_has_the_pages_about_peers(command_of_the_site: list[str]) -> None:
    pages = {path.relative_to(ROOT).as_posix() for path in (ROOT / "reports" / "peers").glob("*.md")}
    assert len(pages) > 10
    assert pages <= set(command_of_the_site)


@pytest.mark.long
def test_the_site_is_given_records_of_commands(command_of_the_site: list[str]) -> None:
    assert "--on-site)" in command_of_the_site
    found = publish_reports.on_site(tables.read_pages(), read_table().examples)
    assert len(found) > 20
    for word in found:
        read_page(ROOT / word)


def test_what_is_of_tools_or_off_the_site_is_not_shown_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publish_reports, "RECORDS", tmp_path)
    monkeypatch.setattr(publish_reports, "ROOT", tmp_path)
    run = {**HEADER, "schema": "tokenizer-conformance-record"}
    lines = {"a": run, "b": run, "c": HEADER, "d": {"name": "tokenizers"}}
    for name, line in lines.items():
        records.publish(write(tmp_path / f"{name}.jsonl", line), tmp_path)
    pages = [
        tables.Page("one.md", "1", "make one", records=("a.jsonl", "c.jsonl", "d.jsonl"), renderer="page"),
        tables.Page("two.md", "2", "make two", records=("a.jsonl", "b.jsonl"), renderer="page", off_site=True),
    ]
    assert publish_reports.on_site(pages, []) == ["a.jsonl.xz"]
