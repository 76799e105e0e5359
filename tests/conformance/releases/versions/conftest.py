"""The releases that facts are collected of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from faulty_releases import MadeUp

from tokenizer_adapters.selection import Isolation, select
from tokenizer_conformance.releases.versions.facts import Release

if TYPE_CHECKING:
    from pathlib import Path

WORD = "tokenizers"


@pytest.fixture(scope="session")
def installed() -> Release:
    """Return the release of ``tokenizers`` that is installed here."""
    implementation = select(WORD, Isolation()).build()
    return Release(WORD, implementation.info.version, implementation)


@pytest.fixture
def made_up(tmp_path: Path) -> MadeUp:
    return MadeUp(tmp_path)
