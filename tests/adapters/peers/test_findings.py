"""The page of differences looked into by hand: complete, made of what the tool found, and still true."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import UnavailableError
from tokenizer_adapters.registry import registered

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[3]
LEAST = 3


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    name = "peer_findings"
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


def test_every_peer_on_the_page_is_registered_and_has_three_findings_at_least(tool: ModuleType) -> None:
    counts = Counter(finding.peer for finding in tool.findings())
    assert counts.keys() <= registered().keys()
    assert min(counts.values()) >= LEAST


def test_no_two_findings_ask_one_peer_the_same(tool: ModuleType) -> None:
    asked = Counter((each.peer, each.checkpoint, each.ask, each.subject) for each in tool.findings())
    assert set(asked.values()) == {1}


def test_the_page_has_every_finding_with_its_script(tool: ModuleType) -> None:
    text = tool.PAGE.read_text(encoding="utf-8")
    for finding in tool.findings():
        assert f"\n## {finding.peer}\n" in text
        assert f"{finding.why}\n" in text, "run `python tools/peer_findings.py`"
        assert finding.script.strip() in text, "run `python tools/peer_findings.py`"


def test_words_in_capitals_are_all_put_in(tool: ModuleType) -> None:
    for finding in tool.findings():
        assert not set(finding.script.replace("\n", " ").split()) & {"TEXT", "PAIR", "IDS", "FOLDER", "MODEL"}


def test_a_script_that_fails_answers_with_its_error(tool: ModuleType) -> None:
    assert tool._printed(tool.PYTHON, "[][1]").words == "raises IndexError: list index out of range"
    assert tool._printed(tool.PYTHON, "print('noise'); print(ascii(['é']))").words == "['\\xe9']"


@pytest.mark.slow
def test_every_finding_still_holds(tool: ModuleType, shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKCONF_SHARED", os.path.relpath(shared, ROOT))
    page: dict[str, Any] = {}
    for finding in tool.findings():
        try:
            load_implementation(finding.peer)
        except UnavailableError as error:
            pytest.skip(str(error))
        page[finding] = tool.answers_of(finding)
        ours, theirs = page[finding]
        assert ours != theirs, finding
    assert tool.page(page.items()) == tool.PAGE.read_text(encoding="utf-8")
