"""Tokenizers that differ in one thing from a bundled one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_conformance.inputs.bundled import bundled_file

if TYPE_CHECKING:
    from collections.abc import Callable

    Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def changed(tmp_path: Path) -> Callable[[str, Change], str]:
    """A function that writes a bundled tokenizer with one change, and returns its path."""

    def write(name: str, change: Change) -> str:
        document = json.loads(Path(bundled_file(name)).read_text("utf-8"))
        change(document)
        folder = tmp_path / f"{name}-changed"
        folder.mkdir(exist_ok=True)
        (folder / "tokenizer.json").write_text(json.dumps(document), "utf-8")
        return str(folder)

    return write
