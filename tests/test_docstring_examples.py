"""The examples in docstrings say what happens."""

from __future__ import annotations

import doctest
from importlib import import_module
from pkgutil import walk_packages

import pytest

import tokenizer_adapters
import tokenizer_conformance
import tokenizer_reference

PACKAGES = (tokenizer_reference, tokenizer_adapters, tokenizer_conformance)
MODULES = [module.name for package in PACKAGES for module in walk_packages(package.__path__, f"{package.__name__}.")]


@pytest.mark.parametrize("name", [package.__name__ for package in PACKAGES] + MODULES)
def test_examples_of(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder()
    examples = sum(len(test.examples) for name in MODULES for test in finder.find(import_module(name)))
    assert examples >= 100
