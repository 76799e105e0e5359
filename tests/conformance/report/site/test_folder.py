"""The folder of a site: what is not of a site stays as it is, whatever a manifest says, and links lead nowhere."""

from __future__ import annotations

import errno
import json
import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_conformance.command_io.output import BadInput, ReportLost
from tokenizer_conformance.report.site import folder as module
from tokenizer_conformance.report.site.folder import (
    FILE_OF_A_SITE,
    MANIFEST,
    manifest_of,
    refuse_other_folders,
    write_site,
)

if TYPE_CHECKING:
    from pathlib import Path

SITE = {"index.html": b"one", "records/run.jsonl.html": b"two", "assets/site.css": b"three"}


def made(folder: Path, files: dict[str, bytes] | None = None) -> None:
    write_site(folder, SITE if files is None else files, refuse_other_folders(folder, force=False))


def present(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def listed(folder: Path) -> set[str]:
    return set(json.loads((folder / MANIFEST).read_bytes())["files"])


def test_a_site_is_its_files_and_the_list_of_them(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "public"
    made(folder)
    assert present(folder) == SITE | {MANIFEST: manifest_of([*SITE, MANIFEST])}


def test_pages_of_an_earlier_site_go_and_all_else_stays(tmp_path: Path) -> None:
    made(tmp_path)
    (tmp_path / "CNAME").write_text("mine")
    (tmp_path / "records" / "mine.txt").write_text("mine")
    made(tmp_path, {"index.html": b"one"})
    assert set(present(tmp_path)) == {"index.html", MANIFEST, "CNAME", "records/mine.txt"}
    assert not (tmp_path / "assets").exists()
    assert listed(tmp_path) == {"index.html", MANIFEST}


def test_files_that_are_the_same_are_not_written_anew(tmp_path: Path) -> None:
    made(tmp_path)
    for path in tmp_path.rglob("*"):
        os.utime(path, (1, 1))
    made(tmp_path, SITE | {"index.html": b"another"})
    times = {name: (tmp_path / name).stat().st_mtime for name in (*SITE, MANIFEST)}
    assert times.pop("index.html") > 1
    assert set(times.values()) == {1}


@pytest.mark.parametrize("fails_at", range(4))
def test_writing_that_is_cut_short_leaves_a_list_of_what_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails_at: int
) -> None:
    made(tmp_path)
    after = {"index.html": b"1", "suite.html": b"2", "records/other.html": b"3"}
    with monkeypatch.context() as patch:
        calls = iter(range(10))
        write = module.write_atomically

        def until(path: Path, content: bytes) -> None:
            if next(calls) == fails_at:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            write(path, content)

        patch.setattr(module, "write_atomically", until)
        with pytest.raises(ReportLost, match="No space left"):
            made(tmp_path, after)
    assert set(present(tmp_path)) <= listed(tmp_path) | {MANIFEST}
    made(tmp_path, after)
    assert set(present(tmp_path)) == {*after, MANIFEST}


def test_a_first_site_that_is_cut_short_is_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = module.write_atomically

    def only_the_manifest(path: Path, content: bytes) -> None:
        if path.name != MANIFEST:
            raise KeyboardInterrupt
        write(path, content)

    with monkeypatch.context() as patch:
        patch.setattr(module, "write_atomically", only_the_manifest)
        with pytest.raises(KeyboardInterrupt):
            made(tmp_path)
    made(tmp_path)
    assert set(present(tmp_path)) == {*SITE, MANIFEST}


# Folders that are none of a site -------------------------------------------------------------------------------------

OTHER_MANIFESTS = {
    "none": None,
    "no JSON": b"{",
    "deep": b"[" * 100_000,
    "no UTF-8": b"\xff",
    "a list": b"[]",
    "another schema": b'{"schema": "x", "version": "1.0", "files": []}',
    "a later version": b'{"schema": "tokenizer-conformance-site", "version": "2.0", "files": []}',
    "no version": b'{"schema": "tokenizer-conformance-site", "files": []}',
    "no files": b'{"schema": "tokenizer-conformance-site", "version": "1.0"}',
}


@pytest.mark.parametrize("content", OTHER_MANIFESTS.values(), ids=OTHER_MANIFESTS)
def test_a_folder_with_other_files_is_refused(tmp_path: Path, content: bytes | None) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    if content is not None:
        (tmp_path / MANIFEST).write_bytes(content)
    before = present(tmp_path)
    with pytest.raises(BadInput, match="no site of tokconf"):
        refuse_other_folders(tmp_path, force=False)
    assert present(tmp_path) == before
    assert refuse_other_folders(tmp_path, force=True) == frozenset()


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "there")
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    for name, said in (("file", "no folder"), ("link", "is a link"), ("nowhere", "is a link")):
        for force in (False, True):
            with pytest.raises(BadInput, match=said):
                refuse_other_folders(tmp_path / name, force=force)
    with pytest.raises(ReportLost, match="Not a directory"):
        write_site(tmp_path / "file" / "deeper", SITE, frozenset())


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="who may do anything is refused nothing")
def test_a_folder_that_cannot_be_written_to_is_an_error(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(ReportLost, match="Permission denied"):
        made(tmp_path)


def test_a_folder_of_the_site_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    others, folder = tmp_path / "others", tmp_path / "site"
    others.mkdir()
    folder.mkdir()
    (others / "run.jsonl.html").write_text("mine")
    (folder / "records").symlink_to(others)
    (folder / MANIFEST).write_bytes(manifest_of(SITE))
    for files in (SITE, {"index.html": b"one"}):
        with pytest.raises(ReportLost, match="is a link"):
            made(folder, files)
    assert present(others) == {"run.jsonl.html": b"mine"}


def test_a_file_of_the_site_that_is_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    others, folder = tmp_path / "mine", tmp_path / "site"
    made(folder)
    for content in (b"mine", SITE["index.html"]):
        others.write_bytes(content)
        (folder / "index.html").unlink()
        (folder / "index.html").symlink_to(others)
        made(folder)
        assert others.read_bytes() == content
        assert not (folder / "index.html").is_symlink()


LEADING_OUT = (
    *("../mine", "/etc/passwd", "records/../../mine", "records//x.html", "./index.html", "", ".", "C:x.html"),
    *("records\\..\\x.html", "thesis.tex", ".git/config", "records/.html", "records/a/b.html", "records/x.html\n"),
    *("other/x.html", "records", "badges/../x.svg", "records/..html"),
)


def test_a_manifest_names_no_files_but_those_of_sites(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    folder = tmp_path / "site"
    made(folder)
    (folder / "thesis.tex").write_text("mine")
    (folder / MANIFEST).write_bytes(manifest_of([*LEADING_OUT, "records/gone.html"]))
    assert refuse_other_folders(folder, force=False) == {"records/gone.html"}
    made(folder)
    assert (tmp_path / "mine").exists()
    assert (folder / "thesis.tex").exists()


@given(st.text("ab./\\:\n ~-", max_size=12) | st.from_regex(FILE_OF_A_SITE, fullmatch=True))
def test_the_name_of_a_file_of_a_site_stays_in_the_folder(name: str) -> None:
    if FILE_OF_A_SITE.fullmatch(name):
        assert name == os.path.normpath(name)
        assert not os.path.isabs(name)  # noqa: PTH117 - of text
        assert ".." not in name.split("/")
