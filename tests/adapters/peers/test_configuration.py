"""The configuration that peers are given: as it is, or as `transformers` saves it, made once and kept."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.contract import TokenizerSource
from tokenizer_adapters.peers import configuration
from tokenizer_adapters.peers.configuration import (
    DECIDING,
    GIVEN,
    KEPT,
    SAVED,
    VARIABLE,
    Choice,
    cache_folder,
    choices,
    first_loaded,
    saved,
)
from tokenizer_adapters.pipeline import UnfitTokenizerError

if TYPE_CHECKING:
    from peer_questions import Source

Lay = Callable[..., TokenizerSource]

STUB = '{"model_max_length": 7}'
WRITTEN = '{"tokenizer_class": "BertTokenizer", "cls_token": "[CLS]"}'
VOCABULARY = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\n"


@pytest.fixture
def stub(tmp_path: Path, bundled: Source, monkeypatch: pytest.MonkeyPatch) -> TokenizerSource:
    """A checkpoint of BERT with a stub of a configuration, and a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "checkpoint"
    folder.mkdir()
    content = Path(bundled("bert-mini").file).read_text(encoding="utf-8")
    (folder / "tokenizer.json").write_text(json.dumps(json.loads(content), indent=7), encoding="utf-8")
    (folder / "config.json").write_text('{"model_type": "bert"}', encoding="utf-8")
    (folder / "tokenizer_config.json").write_text(STUB, encoding="utf-8")
    (folder / "vocab.txt").write_text(VOCABULARY, encoding="utf-8")
    (folder / "model.safetensors").write_bytes(b"weights")
    return TokenizerSource("stub", str(folder / "tokenizer.json"), str(folder))


@pytest.fixture
def writes(monkeypatch: pytest.MonkeyPatch) -> list[TokenizerSource]:
    """What was saved, by a function that writes two files in place of `transformers`."""
    sources: list[TokenizerSource] = []

    def save(source: TokenizerSource, target: Path) -> bool:
        sources.append(source)
        write_whole(target)
        return True

    monkeypatch.setattr(configuration, "_save", save)
    monkeypatch.setattr(configuration, "_transformers_version", lambda: "5.0")
    return sources


def write_whole(folder: Path, written: str = WRITTEN) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tokenizer.json").write_text("{}", encoding="utf-8")
    (folder / "tokenizer_config.json").write_text(written, encoding="utf-8")


def rewrite(source: TokenizerSource, name: str, content: str) -> None:
    Path(source.file).with_name(name).write_text(content, encoding="utf-8")


# As transformers saves it ---------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_stub_becomes_what_save_pretrained_writes_beside_the_files_as_they_are(stub: TokenizerSource) -> None:
    pytest.importorskip("transformers", reason="transformers is not installed")
    choice = saved(stub)
    assert choice is not None
    assert choice.remark == f"as save_pretrained of transformers {importlib.metadata.version('transformers')} writes it"
    folder = Path(choice.source.folder or "")
    assert (choice.source.name, choice.source.file) == ("stub", str(folder / "tokenizer.json"))
    assert folder.parent == cache_folder()
    assert sorted(file.name for file in folder.iterdir()) == [
        "config.json",
        "tokenizer.json",
        "tokenizer_config.json",
        "vocab.txt",
    ]
    for name in ("config.json", "tokenizer.json", "vocab.txt"):
        assert (folder / name).read_bytes() == Path(stub.file).with_name(name).read_bytes()
    written = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
    assert written["tokenizer_class"] == "BertTokenizer"
    assert written["model_max_length"] == 7
    tokens = {name: written[f"{name}_token"] for name in ("cls", "sep", "pad", "unk", "mask")}
    assert tokens == {"cls": "[CLS]", "sep": "[SEP]", "pad": "[PAD]", "unk": "[UNK]", "mask": "[MASK]"}


@pytest.mark.long
def test_what_transformers_cannot_read_is_not_saved(stub: TokenizerSource) -> None:
    pytest.importorskip("transformers", reason="transformers is not installed")
    rewrite(stub, "tokenizer.json", '{"no": "tokenizer"}')
    assert saved(stub) is None
    assert list(cache_folder().iterdir()) == []


def test_saving_fetches_nothing_and_imports_nothing_from_here(
    stub: TokenizerSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[list[str], dict[str, str]]] = []

    def run(command: list[str], *, env: dict[str, str], **_: object) -> subprocess.CompletedProcess[bytes]:
        started.append((command, env))
        write_whole(Path(command[-1]))
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    monkeypatch.setenv("KEPT_BY_THE_USER", "1")
    monkeypatch.setattr(configuration.subprocess, "run", run)
    monkeypatch.setattr(configuration, "_transformers_version", lambda: "5.0")
    assert saved(stub) is not None
    ((command, environment),) = started
    assert command[:2] == [sys.executable, "-I"]
    assert Path(command[2]).name == "save_checkpoint.py"
    assert environment["HF_HUB_OFFLINE"] == "1"
    assert environment["KEPT_BY_THE_USER"] == "1"


def test_without_transformers_nothing_is_saved(stub: TokenizerSource, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert saved(stub) is None


# Kept -----------------------------------------------------------------------------------------------------------------


def test_it_is_saved_once(stub: TokenizerSource, writes: list[TokenizerSource]) -> None:
    first, second = saved(stub), saved(stub)
    assert first == second
    assert writes == [stub]
    assert first is not None
    assert first.remark == "as save_pretrained of transformers 5.0 writes it"


@pytest.mark.parametrize("name", DECIDING)
def test_it_is_saved_again_where_a_file_that_decides_has_changed(
    stub: TokenizerSource, writes: list[TokenizerSource], name: str
) -> None:
    contents = ['{"model_type": "bert", "x": 1}', '{"model_type": "bert", "x": 2}']  # of one length
    found = [saved(stub)]
    for content in contents:
        rewrite(stub, name, content)
        found.append(saved(stub))
    assert len({choice and choice.source.file for choice in found}) == 3
    assert len(writes) == 3


def test_it_is_saved_again_by_another_version(
    stub: TokenizerSource, writes: list[TokenizerSource], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = saved(stub)
    monkeypatch.setattr(configuration, "_transformers_version", lambda: "5.1")
    assert before != saved(stub)
    assert len(writes) == 2


def test_files_that_decide_nothing_are_not_looked_at(stub: TokenizerSource, writes: list[TokenizerSource]) -> None:
    before = saved(stub)
    rewrite(stub, "model.safetensors", "other weights")
    assert before == saved(stub)
    assert len(writes) == 1


def test_what_is_kept_and_not_whole_is_not_used(stub: TokenizerSource, writes: list[TokenizerSource]) -> None:
    first = saved(stub)
    assert first is not None
    assert first.configuration is not None
    first.configuration.unlink()
    second = saved(stub)
    assert second is not None
    assert second.configuration is not None
    assert second.configuration.read_text(encoding="utf-8") == WRITTEN
    assert len(writes) == 2


@pytest.mark.usefixtures("writes")
def test_a_process_that_is_slower_takes_what_the_faster_one_has_made(
    stub: TokenizerSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    def save(_source: TokenizerSource, target: Path) -> bool:
        place = target.with_name(target.name.partition(".")[0])
        write_whole(place, '{"tokenizer_class": "faster"}')
        write_whole(target, '{"tokenizer_class": "slower"}')
        return True

    monkeypatch.setattr(configuration, "_save", save)
    choice = saved(stub)
    assert choice is not None
    assert choice.configuration is not None
    assert choice.configuration.read_text(encoding="utf-8") == '{"tokenizer_class": "faster"}'
    assert [folder.name for folder in cache_folder().iterdir()] == [Path(choice.source.folder or "").name]


@pytest.mark.usefixtures("writes")
def test_nothing_stands_in_its_place_before_it_is_whole(stub: TokenizerSource, monkeypatch: pytest.MonkeyPatch) -> None:
    def save(_source: TokenizerSource, target: Path) -> bool:
        assert not target.with_name(target.name.partition(".")[0]).exists()
        assert target.parent == cache_folder()
        write_whole(target)
        return True

    monkeypatch.setattr(configuration, "_save", save)
    assert saved(stub) is not None


def test_where_the_cache_cannot_be_written_it_lasts_as_long_as_the_process(
    stub: TokenizerSource, writes: list[TokenizerSource], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rewrite(stub, "vocab.txt", str(tmp_path))  # what another test has left in this process is kept, too
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    first, second = saved(stub), saved(stub)
    assert first == second
    assert len(writes) == 1
    assert first is not None
    assert first.configuration is not None
    assert first.configuration.read_text(encoding="utf-8") == WRITTEN
    assert not first.configuration.is_relative_to(tmp_path)


@pytest.mark.parametrize(("variable", "base"), [("/c", "/c"), ("", "~/.cache"), ("c", "~/.cache"), (None, "~/.cache")])
def test_the_cache_is_that_of_the_user(monkeypatch: pytest.MonkeyPatch, variable: str | None, base: str) -> None:
    if variable is None:
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    else:
        monkeypatch.setenv("XDG_CACHE_HOME", variable)
    assert cache_folder() == Path(base).expanduser() / "tokenizer-conformance" / "configurations"


# Chosen ---------------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("writes")
@pytest.mark.parametrize(
    ("wanted", "remarks"), [(None, ["as save", None]), ("", ["as save", None]), (SAVED, ["as save"]), (GIVEN, [None])]
)
def test_the_saved_configuration_comes_first_where_nothing_else_is_asked_for(
    stub: TokenizerSource, monkeypatch: pytest.MonkeyPatch, wanted: str | None, remarks: list[str | None]
) -> None:
    if wanted is not None:
        monkeypatch.setenv(VARIABLE, wanted)
    found = choices(stub)
    assert [choice.remark and choice.remark[:7] for choice in found] == remarks
    assert [choice.source == stub for choice in found] == [remark is None for remark in remarks]


def test_another_value_is_refused(stub: TokenizerSource, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "Saved")
    with pytest.raises(UnfitTokenizerError) as caught:
        choices(stub)
    assert str(caught.value) == f"the environment variable {VARIABLE} is 'Saved': it takes 'given' or 'saved'"


@pytest.mark.parametrize("wanted", [None, GIVEN, SAVED])
def test_a_configuration_that_names_a_class_is_given_as_it_is(
    stub: TokenizerSource, writes: list[TokenizerSource], monkeypatch: pytest.MonkeyPatch, wanted: str | None
) -> None:
    rewrite(stub, "tokenizer_config.json", '{"tokenizer_class": "BertTokenizer"}')
    if wanted is not None:
        monkeypatch.setenv(VARIABLE, wanted)
    assert choices(stub) == [Choice(stub)]
    assert writes == []


@pytest.mark.parametrize("content", [None, "{}"])
def test_a_checkpoint_of_no_known_model_type_is_given_as_it_is(
    stub: TokenizerSource, writes: list[TokenizerSource], monkeypatch: pytest.MonkeyPatch, content: str | None
) -> None:
    if content is None:
        Path(stub.file).with_name("config.json").unlink()
    else:
        rewrite(stub, "config.json", content)
    assert choices(stub) == [Choice(stub)]
    monkeypatch.setenv(VARIABLE, SAVED)
    with pytest.raises(UnfitTokenizerError, match="transformers cannot save this checkpoint"):
        choices(stub)
    assert writes == []


def test_a_lone_file_is_given_as_it_is(stub: TokenizerSource) -> None:
    lone = TokenizerSource("lone", stub.file)
    assert choices(lone) == [Choice(lone)]
    assert Choice(lone).configuration is None
    assert Choice(lone).files() == (stub.file,)
    guess = "no tokenizer_config.json (a guess of the adapter in its place: with more; and more)"
    assert Choice(lone).files("with more", "and more") == (stub.file, guess)


@pytest.mark.parametrize(
    ("remark", "more", "said"),
    [(None, (), ""), ("one", (), " (one)"), ("one", ("two",), " (one; two)"), (None, ("two",), " (two)")],
)
def test_the_files_say_who_has_written_the_configuration(
    stub: TokenizerSource, remark: str | None, more: tuple[str, ...], said: str
) -> None:
    path = Path(stub.file).with_name("tokenizer_config.json")
    assert Choice(stub, remark).files(*more) == (stub.file, f"{path}{said}")


def test_the_first_that_is_not_refused_is_loaded(stub: TokenizerSource) -> None:
    one, two, three = (Choice(stub, remark) for remark in ("one", "two", "three"))

    def load(choice: Choice) -> str:
        if choice is one:
            raise ValueError("one is refused")
        return str(choice.remark)

    assert first_loaded([one, two, three], load) == "two"


def test_where_all_are_refused_the_first_refusal_counts(stub: TokenizerSource) -> None:
    def refuse(choice: Choice) -> str:
        raise ValueError(f"{choice.remark} is refused")

    with pytest.raises(ValueError, match=r"^one is refused$"):
        first_loaded([Choice(stub, "one"), Choice(stub, "two")], refuse)


def test_whatever_decides_and_is_no_configuration_is_kept() -> None:
    assert set(KEPT) < set(DECIDING)
    assert "tokenizer_config.json" in set(DECIDING) - set(KEPT)
