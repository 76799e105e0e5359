"""Asking a model of the reference and the same model of `tokenizers` the same question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_reference.errors import TokenizerReferenceError, UpstreamPanicError

if TYPE_CHECKING:
    from collections.abc import Callable

Outcome = Any


def outcome(ask: Callable[[], Any]) -> Outcome:
    """Return what `ask` gives, or "error" or "panic": how a failure is worded is each side's own business."""
    try:
        return ask()
    except UpstreamPanicError:
        return "panic"
    except TokenizerReferenceError:
        return "error"
    except BaseException as error:
        # The target raises errors as Exception itself, and its panics are no Exception.
        kind = {"Exception": "error", "PanicException": "panic"}.get(type(error).__name__)
        if kind is None:
            raise
        return kind


@pytest.fixture(scope="session")
def outcome_of() -> Callable[[Callable[[], Any]], Outcome]:
    return outcome


@pytest.fixture(scope="session")
def tokens_of() -> Callable[[Any, str], Outcome]:
    """Return the tokens, as tuples, that a model of either side gives for a text, or "error" or "panic"."""

    def tokens(model: Any, text: str) -> Outcome:
        return outcome(lambda: [token.as_tuple() for token in model.tokenize(text)])

    return tokens
