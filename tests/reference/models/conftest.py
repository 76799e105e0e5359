"""Asking a model of the reference and the same model of `tokenizers` the same question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from both_sides import outcome_or_error

if TYPE_CHECKING:
    from collections.abc import Callable

Outcome = Any


@pytest.fixture(scope="session")
def outcome_of() -> Callable[[Callable[[], Any]], Outcome]:
    return outcome_or_error


@pytest.fixture(scope="session")
def tokens_of() -> Callable[[Any, str], Outcome]:
    """Return the tokens, as tuples, that a model of either side gives for a text, or "error" or "panic"."""

    def tokens(model: Any, text: str) -> Outcome:
        return outcome_or_error(lambda: [token.as_tuple() for token in model.tokenize(text)])

    return tokens
