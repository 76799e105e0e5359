"""What is listed of every registered implementation, and where each is asked."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint, version
from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters import inventory as module
from tokenizer_adapters import load_implementation
from tokenizer_adapters.inventory import Listed, State, inventory
from tokenizer_adapters.registry import GROUP, registered
from tokenizer_adapters.selection import select

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_adapters.protocol.client import ProcessImplementation
    from tokenizer_adapters.protocol.process import Limits
    from tokenizer_adapters.selection import Isolation, Selected

PLUGIN = """
from tokenizer_adapters.contract import UnavailableError
from tokenizer_adapters.tokenizers import TokenizersImplementation

class Renamed(TokenizersImplementation):
    pass

class Missing:
    def __init__(self):
        raise UnavailableError("missing is not installed; install it with: pip install missing")
"""
PLUGGED_IN = {
    "a-renamed": "plugin_of_inventory:Renamed",
    "missing": "plugin_of_inventory:Missing",
    "broken": "plugin_of_inventory:Nothing",
    "deadly": "deadly_plugin_of_inventory:Anything",
}
OURS = ("reference", "tokenizers")


class Asked:
    """What was started apart, with how much time."""

    def __init__(self) -> None:
        self.started: list[tuple[str, float]] = []

    def select(self, word: str, isolation: Isolation) -> Noted:
        return Noted(self, select(word, isolation))


class Noted:
    def __init__(self, asked: Asked, selected: Selected) -> None:
        self._asked = asked
        self._selected = selected

    def start(self, limits: Limits) -> ProcessImplementation:
        self._asked.started.append((self._selected.word, limits.start_seconds))
        return self._selected.start(limits)


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Has two implementations of this package and four of a plugin registered, and notes what is started."""
    (tmp_path / "plugin_of_inventory.py").write_text(PLUGIN)
    (tmp_path / "deadly_plugin_of_inventory.py").write_text("import os; os._exit(7)")
    metadata = tmp_path / "inventory_plugin-1.5.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: inventory-plugin\nVersion: 1.5\n")
    lines = [f"{name} = {value}\n" for name, value in PLUGGED_IN.items()]
    (metadata / "entry_points.txt").write_text(f"[{GROUP}]\n{''.join(lines)}")
    monkeypatch.syspath_prepend(str(tmp_path))
    entries = {name: entry for name, entry in registered().items() if name in {*PLUGGED_IN, *OURS}}
    asked = Asked()
    monkeypatch.setattr(module, "selectable", lambda: dict(sorted(entries.items(), reverse=True)))
    monkeypatch.setattr(module, "select", asked.select)
    return asked


@pytest.mark.long
def test_everything_is_listed_with_what_it_says_or_why_not(asked: Asked) -> None:
    listed = {each.name: each for each in inventory()}
    assert list(listed) == ["a-renamed", "broken", "deadly", "missing", "reference", "tokenizers"]
    plugin, ours = "inventory-plugin 1.5", f"tokenizer-conformance {version('tokenizer-conformance')}"
    target = load_implementation("tokenizers").info
    assert listed["tokenizers"] == Listed("tokenizers", State.INSTALLED, ours, isolated=False, info=target)
    reference = load_implementation("reference").info
    assert listed["reference"] == Listed("reference", State.INSTALLED, ours, isolated=False, info=reference)
    renamed = listed["a-renamed"]
    assert (renamed.state, renamed.package, renamed.isolated, renamed.reason) == (State.INSTALLED, plugin, True, None)
    assert renamed.info is not None
    assert (renamed.info.name, renamed.info.version) == ("a-renamed", target.version)
    assert listed["missing"] == Listed(
        "missing",
        State.NOT_INSTALLED,
        plugin,
        isolated=True,
        reason="missing is not installed; install it with: pip install missing",
    )
    assert listed["deadly"] == Listed(
        "deadly",
        State.BROKEN,
        plugin,
        isolated=True,
        reason="deadly does not start: ended with exit status 7",
    )
    broken = listed["broken"]
    assert (broken.state, broken.package, broken.isolated, broken.info) == (State.BROKEN, plugin, True, None)
    assert broken.reason is not None
    assert broken.reason.startswith(
        "implementation 'broken' (plugin_of_inventory:Nothing of inventory-plugin 1.5) is broken: AttributeError"
    )
    assert asked.started == [(name, 20.0) for name in ("a-renamed", "broken", "deadly", "missing")]
    assert "plugin_of_inventory" not in sys.modules


def test_an_entry_of_no_distribution_has_no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("tokenizers", "tokenizer_adapters.tokenizers:TokenizersImplementation", GROUP)
    monkeypatch.setattr(module, "selectable", lambda: {"tokenizers": entry})
    (listed,) = inventory()
    assert (listed.state, listed.package) == (State.INSTALLED, "")
