"""``tokconf audit loader --models``: a list of tokenizers, or a cache of the hub, told in one table."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_conformance.inputs.model_lists import Listed, read_models

if TYPE_CHECKING:
    from conftest import Tokconf

QUICKLY = ("-i", "reference", "--cases", "1", "--time", "1s")


def cached(cache: Path, name: str, commits: dict[str, str], main: str | None) -> None:
    """Put a model with a tokenizer for each of ``commits`` into ``cache``; ``main`` names the commit of its branch."""
    folder = cache / f"models--{name.replace('/', '--')}"
    for commit, tokenizer in commits.items():
        (folder / "snapshots" / commit).mkdir(parents=True)
        shutil.copy(bundled_file(tokenizer), folder / "snapshots" / commit / "tokenizer.json")
    if main is not None:
        (folder / "refs").mkdir()
        (folder / "refs" / "main").write_text(main, "utf-8")


@pytest.mark.long
def test_a_list_is_one_table_with_a_line_for_each(cli: Tokconf) -> None:
    document = json.loads(bundled_file("gpt2-mini").read_text("utf-8"))
    document["model"]["type"] = None
    Path("wrong.json").write_text(json.dumps(document), "utf-8")
    Path("models.txt").write_text("bert-mini\n# of ours\ngpt2-mini  # small\n\nwordlevel-mini\nwrong.json\n", "utf-8")
    result = cli("audit", "loader", "--models", "models.txt", *QUICKLY)
    assert result.exit_code == 3
    table = [line.split("  ")[0] for line in result.stdout.splitlines() if re.search(r"  [✓✗!·] ", line)]
    assert table == ["bert-mini", "gpt2-mini", "wordlevel-mini", "wrong"]
    (row,) = [line for line in result.stdout.splitlines() if line.startswith("bert-mini ")]
    assert re.fullmatch(r"bert-mini +✓ loaded +✓ nothing +✓ 1,301 inputs *", row)
    (row,) = [line for line in result.stdout.splitlines() if line.startswith("wrong ") and "!" in line]
    assert row.count("file not loaded") == 3
    assert "reference answers otherwise than the file for 0 of 3 tokenizers that it loads." in result.stdout
    assert "$.model.type" in " ".join(result.stdout.split())


@pytest.mark.long
def test_a_few_are_told_component_by_component(cli: Tokconf) -> None:
    Path("models.txt").write_text("bert-mini\n", "utf-8")
    result = cli("audit", "loader", "gpt2-mini", "--models", "models.txt", *QUICKLY)
    assert result.exit_code == 0
    assert "post_processor" in result.stdout
    assert "bert-mini, by reference: every component is as in the file." in " ".join(result.stdout.split())


@pytest.mark.long
def test_models_of_a_cache_have_their_names_and_their_newest_commit(cli: Tokconf) -> None:
    cache = Path("cache/hub")
    cached(cache, "one/model", {"aaa": "bert-mini", "bbb": "gpt2-mini"}, main="bbb")
    cached(cache, "two/model", {"ccc": "bert-mini"}, main=None)
    (cache / "models--three--model" / "snapshots" / "ddd").mkdir(parents=True)
    (cache / "models--three--model" / "snapshots" / "ddd" / "vocab.txt").write_text("a", "utf-8")
    result = cli("audit", "loader", "--models", "cache", *QUICKLY, "--json", "r.jsonl")
    assert result.exit_code == 0
    assert "without a tokenizer.json, and left out: three/model" in result.stderr
    header = json.loads(Path("r.jsonl").read_text("utf-8").splitlines()[0])
    assert [each["name"] for each in header["tokenizers"]] == ["one/model", "two/model"]
    assert [Path(each["file"]).parent.name for each in header["tokenizers"]] == ["bbb", "ccc"]


def test_models_of_a_cache_are_those_with_a_tokenizer(tmp_path: Path) -> None:
    cached(tmp_path / "hub", "b/model--two", {"aaa": "wordlevel-mini", "bbb": "wordlevel-mini"}, main="aaa")
    cached(tmp_path / "hub", "a/model", {"ccc": "wordlevel-mini"}, main="gone")
    cached(tmp_path / "hub", "none", {}, main=None)
    for name, file in (("slow", "vocab.txt"), ("no-tokenizer", "config.json")):
        folder = tmp_path / "hub" / f"models--{name}" / "snapshots" / "ddd"
        folder.mkdir(parents=True)
        (folder / file).write_text("{}", "utf-8")
    found = read_models(str(tmp_path))
    places = {"a/model": "models--a--model/snapshots/ccc", "b/model--two": "models--b--model--two/snapshots/aaa"}
    assert found.models == tuple(Listed(name, str(tmp_path / "hub" / place)) for name, place in places.items())
    assert found.left_out == ("slow",)
    assert read_models(str(tmp_path / "hub")) == found


def test_a_list_is_read_once_each(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("b\na # x\n#c\n b \n", "utf-8")
    assert read_models(str(tmp_path / "list")).models == (Listed("b", "b"), Listed("a", "a"))


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "No such file"), (b"# nothing\n", "is empty: write a name or a path a line"), (b"\xff", "it is not UTF-8")],
)
def test_what_is_no_list_is_refused(tmp_path: Path, content: bytes | None, message: str) -> None:
    if content is not None:
        (tmp_path / "list").write_bytes(content)
    with pytest.raises(BadInputError, match=message):
        read_models(str(tmp_path / "list"))


def test_a_folder_that_is_no_cache_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="no cache of the hub"):
        read_models(str(tmp_path))
    (tmp_path / "models--a--b" / "snapshots" / "c").mkdir(parents=True)
    with pytest.raises(BadInputError, match=r"no model in this cache has a tokenizer\.json"):
        read_models(str(tmp_path))


def test_nothing_to_audit_is_a_wrong_command(cli: Tokconf) -> None:
    result = cli("audit", "loader")
    assert result.exit_code == 2
    assert "give a FOLDER, or with --models" in " ".join(result.stderr.split())
