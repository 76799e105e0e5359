"""Fixtures of the whole suite."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# What is printed depends on it, and pytest-xdist sets it in its workers.
os.environ.pop("COLUMNS", None)

# A first call may build tables and other programs may have the processor: time says nothing about a test.
settings.register_profile("without deadlines", deadline=None)
settings.load_profile("without deadlines")

PROJECT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of published checkpoints and texts, which is no part of the project; skips where there is none."""
    named = os.environ.get("TOKCONF_SHARED")
    candidates = [*([Path(named)] if named else []), PROJECT.parent / "shared"]
    for candidate in candidates:
        if (candidate / "tokenizers").is_dir():
            return candidate
    pytest.skip(f"no published checkpoints: none of {', '.join(map(str, candidates))} has a folder `tokenizers`")
