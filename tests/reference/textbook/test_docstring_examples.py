from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

from tokenizer_reference import textbook

MODULES = [
    textbook.__name__,
    *(f"{textbook.__name__}.{module.name}" for module in pkgutil.iter_modules(textbook.__path__)),
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_docstrings_are_right(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0
    assert result.failed == 0
