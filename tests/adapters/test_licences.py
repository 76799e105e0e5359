"""The licences of implementations are those that their packages declare; each implementation of ours has one."""

from __future__ import annotations

import importlib.metadata

import pytest

from tokenizer_adapters.environments.packages import OWN, TABLE
from tokenizer_adapters.licences import LICENCES
from tokenizer_adapters.registry import RENDERERS, registered

OF_THIS_PROJECT = {"classical-stream", "word-stream"}
"""Its own, beside the reference."""

SHORT = {"MIT License": "MIT", "Apache 2.0 License": "Apache-2.0"}
"""What packages write in place of an SPDX expression."""


def test_each_implementation_has_a_licence() -> None:
    every = {**registered(), **registered(RENDERERS)}
    ours = {name for name, entry in every.items() if entry.value.startswith(OWN)}
    assert len(ours) > 30
    assert ours - OF_THIS_PROJECT == set(LICENCES)


@pytest.mark.parametrize("name", sorted(LICENCES.keys() & TABLE.keys()))
def test_the_licence_is_that_of_the_package(name: str) -> None:
    try:
        declared = importlib.metadata.metadata(TABLE[name].distribution)
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"{name} is not installed")
    said = declared.get("License-Expression") or declared.get("License") or ""
    if not said or said == "UNKNOWN" or "\n" in said or len(said) > 30:
        pytest.skip("the package declares none in short")
    assert SHORT.get(said, said) == LICENCES[name]
