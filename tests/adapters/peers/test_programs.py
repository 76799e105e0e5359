"""Peers that run as programs: what they say where they are missing; and `transformers` through a named class."""

from __future__ import annotations

import json
import os
import re
import runpy
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import (
    CannotLoadError,
    Encode,
    Encoded,
    Implementation,
    PreTokenize,
    TokenizerSource,
    UnavailableError,
)
from tokenizer_adapters.peers import transformers4, transformers_class
from tokenizer_adapters.peers.tokenizers_js import TokenizersJsImplementation
from tokenizer_adapters.peers.transformers_js import TransformersJsImplementation
from tokenizer_adapters.peers.transformers_js3 import TransformersJs3Implementation
from tokenizer_adapters.registry import build, selectable
from tokenizer_conformance.cli import main

if TYPE_CHECKING:
    from peer_questions import Document, Lay, Peer, Source

    from tokenizer_adapters.peers.node import NodeImplementation

BUNDLED = ("gpt2-mini", "bert-mini", "xlnet-mini")
PLAIN_TEXT = "Hello world, naïve cafés."
ON_NODE: tuple[type[NodeImplementation], ...] = (
    TokenizersJsImplementation,
    TransformersJsImplementation,
    TransformersJs3Implementation,
)
on_node = pytest.mark.parametrize("each", ON_NODE, ids=lambda each: each.name)
VERSION_4 = ("transformers-4-fast", "transformers-4-slow")
PROGRAMS_OF_VERSION_4 = {
    "transformers-4-fast": transformers4.Transformers4FastImplementation,
    "transformers-4-slow": transformers4.Transformers4SlowImplementation,
}


def same_ids(peer: Implementation, source: TokenizerSource) -> bool:
    given = Encode(PLAIN_TEXT)
    answers = [each.load(source).observe(given) for each in (peer, load_implementation("tokenizers"))]
    assert all(isinstance(answer, Encoded) for answer in answers)
    return answers[0].ids == answers[1].ids


# Without them ---------------------------------------------------------------------------------------------------------


@on_node
def test_without_node_or_the_package_the_command_that_installs_it_is_told(
    monkeypatch: pytest.MonkeyPatch, each: type[NodeImplementation]
) -> None:
    command = re.escape(f'npm install --prefix "$(python -m {each.__module__})"')
    assert re.escape(each.install()) == command
    monkeypatch.setattr(each, "package", "none")
    monkeypatch.setattr(shutil, "which", lambda _: "/bin/node")
    with pytest.raises(UnavailableError, match=f"^{each.name} is not installed; install it with: {command}$"):
        build(selectable()[each.name])
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(UnavailableError, match=f"^{each.name} is not installed: it runs on Node; .* {command}$"):
        build(selectable()[each.name])


@on_node
def test_the_folder_of_a_package_of_npm_is_printed(
    each: type[NodeImplementation], capsys: pytest.CaptureFixture[str]
) -> None:
    runpy.run_module(each.__module__, run_name="__main__")
    assert Path(capsys.readouterr().out.rstrip("\n")) == each.folder()


@pytest.mark.parametrize("name", VERSION_4)
def test_without_an_environment_with_version_4_the_commands_that_make_one_are_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    monkeypatch.setenv(transformers4.VARIABLE, str(tmp_path))
    with pytest.raises(UnavailableError, match=f"^{name} is not installed; install it with: python -m venv .*<5'"):
        load_implementation(name)


@on_node
def test_the_package_manifest_pins_the_version(each: type[NodeImplementation]) -> None:
    manifest = json.loads((each.folder() / "package.json").read_text(encoding="utf-8"))
    version = manifest["dependencies"][each.package]
    assert version.replace(".", "").isdigit()


@on_node
def test_what_stands_in_for_a_package_comes_before_the_links_to_it(each: type[NodeImplementation]) -> None:
    manifest = json.loads((each.folder() / "package.json").read_text(encoding="utf-8"))
    named = {**manifest["dependencies"], **manifest.get("overrides", {})}.values()
    for place in (place.removeprefix("file:") for place in named if place.startswith("file:")):
        folder = Path(os.path.normpath(each.folder() / place))
        assert (folder / "package.json").is_file()
        assert folder.parts < (each.folder() / "node_modules").parts


@pytest.mark.parametrize(("name", "served"), [(VERSION_4[0], "FastClasses"), (VERSION_4[1], "SlowClasses")])
def test_the_python_with_version_4_serves_its_class_and_fetches_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, served: str
) -> None:
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.touch()
    monkeypatch.setenv(transformers4.VARIABLE, str(tmp_path))
    program = PROGRAMS_OF_VERSION_4[name].program()
    script = Path(transformers4.__file__).with_name("other_python.py")
    assert program.command == (str(python), "-I", str(script), f"tokenizer_adapters.peers.transformers4:{served}")
    assert program.label == name
    assert program.environment == {"HF_HUB_OFFLINE": "1"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tokenizers-js", "transformers-js-3", "transformers-4-fast"])
def test_it_speaks_the_protocol(peer: Peer, name: str) -> None:
    peer(name)
    result = CliRunner().invoke(main, ["implementations", "check", name, "--timeout", "100"])
    assert result.exit_code == 0, result.output
    assert "observe decode" in result.output


# transformers, through a named class ----------------------------------------------------------------------------------


@pytest.mark.long_but(2)
@pytest.mark.parametrize(
    ("file", "content", "named"),
    [
        ("tokenizer_config.json", {"tokenizer_class": "BertTokenizerFast"}, True),
        ("config.json", {"model_type": "bert"}, True),
        ("tokenizer_config.json", {"tokenizer_class": "PreTrainedTokenizerFast"}, False),
        ("config.json", {"model_type": "no such type"}, False),
    ],
)
def test_the_class_is_the_one_that_the_checkpoint_names(
    lay: Lay, bundled: Source, file: str, content: Document, named: bool
) -> None:
    source = lay(json.loads(Path(bundled("bert-mini").file).read_text(encoding="utf-8")))
    Path(source.file).with_name(file).write_text(json.dumps(content), encoding="utf-8")
    by_class = load_implementation("transformers-class")
    if named:
        assert same_ids(by_class, source)
    else:
        with pytest.raises(CannotLoadError, match="no model class is named"):
            by_class.load(source)


@pytest.mark.parametrize(
    ("named", "model_type", "name"),
    [
        ("LlamaTokenizer", "bert", "LlamaTokenizer"),
        ("LlamaTokenizerFast", "bert", "LlamaTokenizer"),
        ("PreTrainedTokenizerFast", "bert", "PreTrainedTokenizerFast"),
        (None, "bert", "BertTokenizer"),
        ("NoSuchTokenizerFast", None, "NoSuchTokenizer"),
    ],
)
def test_the_name_of_the_class(lay: Lay, named: str | None, model_type: str | None, name: str) -> None:
    pytest.importorskip("transformers", reason="transformers is not installed")
    source = lay({})
    for file, content in (("tokenizer_config", {"tokenizer_class": named}), ("config", {"model_type": model_type})):
        Path(source.file).with_name(f"{file}.json").write_text(json.dumps(content), encoding="utf-8")
    assert transformers_class._class_name(source) == name


def test_the_class_can_be_chosen_and_builds_its_own_pipeline(
    monkeypatch: pytest.MonkeyPatch, lay: Lay, bundled: Source
) -> None:
    """BertTokenizer keeps the vocabulary and drops the file's pre-tokenizer (observed, transformers 5.23)."""
    monkeypatch.setenv(transformers_class.VARIABLE, "BertTokenizer")
    document = json.loads(Path(bundled("bert-mini").file).read_text(encoding="utf-8"))
    source = lay(document | {"pre_tokenizer": {"type": "WhitespaceSplit"}})
    for given in (source, TokenizerSource("lone", source.file)):
        pieces = load_implementation("transformers-class").load(given).observe(PreTokenize("a_b"))
        assert [piece for piece, _ in pieces.pieces] == ["a", "_", "b"]
    monkeypatch.setenv(transformers_class.VARIABLE, "NoSuchTokenizer")
    with pytest.raises(CannotLoadError, match=r"transformers 5\..* has no class NoSuchTokenizer"):
        load_implementation("transformers-class").load(source)
