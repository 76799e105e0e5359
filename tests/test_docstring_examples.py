"""The examples in docstrings say what happens."""

from __future__ import annotations

import doctest
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules, walk_packages

import pytest

import tokenizer_adapters
import tokenizer_conformance
import tokenizer_reference

PACKAGES = (tokenizer_reference, tokenizer_adapters, tokenizer_conformance)
PARTS = [part.name for package in PACKAGES for part in iter_modules(package.__path__, f"{package.__name__}.")]


def modules_of(part: str) -> list[str]:
    """Return the names of the module or package ``part`` and of all that is in it."""
    paths = getattr(import_module(part), "__path__", ())
    return [part, *(module.name for module in walk_packages(paths, f"{part}."))]


def has_examples(name: str) -> bool:
    """Return whether the source of the module has an example; it may need what is not installed, such as Ray."""
    spec = find_spec(name)
    return spec is not None and spec.origin is not None and ">>> " in Path(spec.origin).read_text(encoding="utf-8")


@pytest.mark.long_but(8)
@pytest.mark.parametrize("part", PARTS)
def test_examples_of(part: str) -> None:
    failed = [name for name in modules_of(part) if has_examples(name) and doctest.testmod(import_module(name)).failed]
    assert failed == []


@pytest.mark.parametrize("package", [package.__name__ for package in PACKAGES])
def test_examples_of_a_package_itself(package: str) -> None:
    assert doctest.testmod(import_module(package)).failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder()
    names = [name for part in PARTS for name in modules_of(part) if has_examples(name)]
    assert sum(len(test.examples) for name in names for test in finder.find(import_module(name))) >= 500
