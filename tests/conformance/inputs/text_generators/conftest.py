"""Bundled tokenizers as material for generators."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_conformance.inputs.text_generators.generator import Material, Produced
from tokenizer_conformance.inputs.text_generators.table import TOKENIZER_GENERATORS

if TYPE_CHECKING:
    from collections.abc import Callable

    Document = dict[str, Any]
    Bundled = Callable[[str], Document]
    Made = Callable[..., Produced]

GENERATORS = {generator.name: generator for generator in TOKENIZER_GENERATORS}


@cache
def _document(name: str) -> Document:
    return json.loads(bundled_file(name).read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def bundled() -> Bundled:
    """The parsed tokenizer.json of a bundled tokenizer; it is not to be changed."""
    return _document


@pytest.fixture(scope="session")
def made() -> Made:
    """What the generator of a name makes of a document."""
    return lambda name, document, seed=0: GENERATORS[name].make(Material(document, seed=seed))
