"""The tokenizers that packages carry: the table names packages alone, and a package is brought as the table says."""

from __future__ import annotations

import hashlib
import io
import json
import re
import sys
import tarfile
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING

import package_checkpoints as tool
import pytest

if TYPE_CHECKING:
    from pathlib import Path

CONTENT = b'{"model": {}}'
ROWS = tool.packaged_checkpoints()
ROW = tool.PackagedCheckpoint(
    name="small",
    family="Small",
    package="npm:@owner/small==1.0.0",
    folder="package/models",
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    package_licence="MIT",
    licence="MIT",
    shape="none",
)


def test_the_table_has_fifteen_families_and_each_row_is_pinned() -> None:
    assert len({row.family for row in ROWS}) >= 15
    assert len({row.name for row in ROWS}) == len({row.sha256 for row in ROWS}) == len(ROWS)
    for row in ROWS:
        assert re.fullmatch(r"[0-9a-f]{64}", row.sha256)
        assert row.registry in tool.CLIENTS
        assert re.fullmatch(r"[\w.-]*\d", row.pinned[1])
        assert row.package_licence
        assert row.licence


def test_no_address_is_in_the_table() -> None:
    assert re.findall(r"\w+://|\w+\.(?:org|com|io)\b", tool.TABLE.read_text("utf-8")) == []


def packed(folder: Path, name: str, files: dict[str, bytes]) -> Path:
    file = folder / name
    if name.endswith(".whl"):
        with zipfile.ZipFile(file, "w") as wheel:
            for path, content in files.items():
                wheel.writestr(path, content)
    else:
        with tarfile.open(file, "w:gz") as archive:
            for path, content in files.items():
                entry = tarfile.TarInfo(path)
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
    return file


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """Return what the package has that the client of every registry gives."""
    files = {"package/models/tokenizer.json": CONTENT, "package/dist/main.js": b"0", "package/models/other.json": b"1"}

    def command(name: str, version: str) -> list[str]:
        assert (name, version) == ROW.pinned
        archive = packed(tmp_path, "small.tgz", files)
        copied = f"import shutil; shutil.copy({str(archive)!r}, '.')"
        return [sys.executable, "-c", copied]

    monkeypatch.setattr(tool, "CLIENTS", {"npm": (sys.executable, command)})
    return files


def test_a_package_leaves_its_tokenizer_and_nothing_else(tmp_path: Path, client: dict[str, bytes]) -> None:
    client["package/models/tokenizer_config.json"] = b"{}"
    models = tmp_path / "models"
    assert not tool.is_there(ROW, models)
    assert tool.brought_all([ROW], models) == 0
    assert {file.name: file.read_bytes() for file in (models / "small").iterdir()} == {
        "tokenizer.json": CONTENT,
        "tokenizer_config.json": b"{}",
    }
    assert tool.is_there(ROW, models)


def test_what_is_there_is_left_as_it_is(
    tmp_path: Path, client: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client
    assert tool.brought_all([ROW], tmp_path) == 0
    monkeypatch.setattr(tool, "CLIENTS", {})
    assert tool.brought_all([ROW], tmp_path) == 0


def test_another_file_than_the_table_says_is_refused(
    tmp_path: Path, client: dict[str, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    client["package/models/tokenizer.json"] = json.dumps({"model": {"type": "BPE"}}).encode()
    assert tool.brought_all([ROW], tmp_path / "models") == 1
    assert "small is left out: npm:@owner/small==1.0.0 has another tokenizer.json" in capsys.readouterr().err
    assert not (tmp_path / "models").exists()


def test_a_package_without_the_file_is_refused(tmp_path: Path, client: dict[str, bytes]) -> None:
    del client["package/models/tokenizer.json"]
    with pytest.raises(tool.UnavailableError, match=r"has no package/models/tokenizer.json"):
        tool.bring(ROW, tmp_path)


def test_a_client_that_is_missing_or_fails_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool, "CLIENTS", {"npm": ("no-such-client", lambda *_: ["no-such-client"])})
    with pytest.raises(tool.UnavailableError, match="no-such-client is missing, which fetches npm:@owner/small"):
        tool.bring(ROW, tmp_path)
    failing = [sys.executable, "-c", "raise SystemExit('no such package')"]
    monkeypatch.setattr(tool, "CLIENTS", {"npm": (sys.executable, lambda *_: failing)})
    with pytest.raises(tool.UnavailableError, match="no such package"):
        tool.bring(ROW, tmp_path)


def test_a_wheel_is_read_as_well(tmp_path: Path) -> None:
    file = packed(tmp_path, "small-1.0-py3-none-any.whl", {"small/tokenizer.json": CONTENT, "small/model.bin": b"0"})
    assert tool.members(file, ["small/tokenizer.json"]) == {"small/tokenizer.json": CONTENT}


def test_nothing_of_a_package_runs() -> None:
    for row in ROWS:
        command = tool.CLIENTS[row.registry][1](*row.pinned)
        assert "install" not in command
        assert {"--ignore-scripts", "--only-binary"} & set(command)


def test_an_unknown_name_is_an_error_with_the_names_there_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["package_checkpoints.py", "models", "lama-2"])
    with pytest.raises(SystemExit):
        tool.main()
    assert "no checkpoint is called 'lama-2'; there are llama-2, llama-3" in capsys.readouterr().err


def test_a_row_knows_its_registry_and_its_version() -> None:
    assert (ROW.registry, ROW.pinned) == ("npm", ("@owner/small", "1.0.0"))
    assert replace(ROW, package="pypi:small==2").registry == "pypi"
