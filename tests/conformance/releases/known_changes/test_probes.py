"""Every probe, in real environments of the releases around its change."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tokenizer_conformance.releases.known_changes.change import KnownChange, Probe
from tokenizer_conformance.releases.known_changes.probing import ProbeError, answer_of
from tokenizer_conformance.releases.known_changes.reader import ChangesError, known_changes

if TYPE_CHECKING:
    from types import ModuleType

TOOLS = Path(__file__).parents[4] / "tools"


def tool(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(TOOLS))
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_probe_answers_with_its_value_or_its_error() -> None:
    python = Path(sys.executable)
    assert answer_of(Probe(program="answer = [1, None]", old=0, new=1), python) == [1, None]
    assert (
        answer_of(Probe(program="answer = open('a/b').read()", old=0, new=1, files={"a/b": "text"}), python) == "text"
    )
    assert answer_of(Probe(program="answer = 1 / 0", old=0, new=1), python) == {
        "error": "ZeroDivisionError: division by zero"
    }
    assert answer_of(Probe(program="answer = {1}", old=0, new=1), python) == {
        "error": "TypeError: Object of type set is not JSON serializable"
    }
    with pytest.raises(ProbeError, match="status 3"):
        answer_of(Probe(program="import os; os._exit(3); answer = 1", old=0, new=1), python)


@pytest.mark.slow
@pytest.mark.parametrize("change", known_changes().changes, ids=lambda change: change.id)
def test_each_probe_gives_both_answers(change: KnownChange, monkeypatch: pytest.MonkeyPatch) -> None:
    probes = tool("change_probes", monkeypatch)
    assert list(probes.faults_of(change, probes.releases_around(change))) == []


def test_what_cannot_be_asked_is_told_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    probes = tool("change_probes", monkeypatch)
    for arguments, message in [
        (["--id", "no-such-change"], "no known change has the id no-such-change; `tokconf changes` lists them"),
        (["tokenizer"], "no such package: tokenizer; choose from tokenizers, transformers"),
    ]:
        with pytest.raises(SystemExit) as caught:
            probes.main(arguments)
        assert caught.value.code == 2
        assert message in capsys.readouterr().err

    def broken() -> None:
        raise ChangesError(["tokenizers.toml: entry 1 (a): Object missing required field `title`"])

    monkeypatch.setattr(probes, "known_changes", broken)
    assert probes.main([]) == 2
    assert capsys.readouterr().err == (
        "change_probes: tokenizers.toml: entry 1 (a): Object missing required field `title`\n"
    )


def test_a_release_that_cannot_be_installed_is_named_with_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    probes = tool("change_probes", monkeypatch)
    releases = sys.modules["releases"]

    def fail(*command: str) -> None:
        raise subprocess.CalledProcessError(1, command)

    monkeypatch.setattr(releases, "_run", fail)
    monkeypatch.setattr(releases, "FOLDER", tmp_path)
    assert probes.main(["--id", "parity-bpe-trainer"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("change_probes: tokenizers 0.23.1 cannot be installed: exit status 1 of ")
    assert told.endswith("; TOKCONF_RELEASES names a folder that has it\n")
