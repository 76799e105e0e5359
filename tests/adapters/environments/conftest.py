"""An environment that can be made without a network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.environments.store import Environment

if TYPE_CHECKING:
    from wheel_registry import Registry


@pytest.fixture
def tokie(registry: Registry) -> Environment:  # noqa: ARG001 - its releases are there
    """The environment of a release, which is not made yet."""
    return Environment(("tokie==1.0",), "tokie")
