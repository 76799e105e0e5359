"""The small corpora of the documents, and the checkpoints of their examples, each loaded once."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(scope="session")
def load_checkpoint(shared: Path) -> Callable[[Any, str], Any]:
    """Return the tokenizer of a library, the reference or the target, for the name of a checkpoint."""
    return cache(
        lambda library, name: library.Tokenizer.from_file(str(shared / "tokenizers" / name / "tokenizer.json"))
    )


@pytest.fixture
def hug_counts() -> dict[str, int]:
    """The corpus of the course's examples by hand."""
    return {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}


@pytest.fixture
def cat_words() -> list[str]:
    """The toy data set of the notebook."""
    counts = {"cat": 5, "cats": 2, "eat": 10, "eating": 3, "running": 2, "jumping": 1, "food": 6}
    return [word for word, count in counts.items() for _ in range(count)]
