"""What every module of the packages declares: values cannot change, and a class without its decorator is noticed."""

from __future__ import annotations

import importlib
import inspect
import re
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, is_typeddict

import pytest
from msgspec import Struct

import tokenizer_adapters
import tokenizer_conformance
from tokenizer_conformance.command_io.worker_pool import Pool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PACKAGES = (tokenizer_adapters, tokenizer_conformance)
OPTIONAL = ("tokenizer_adapters.peers.", "tokenizer_conformance.command_io.ray_")
"""Beginnings of modules that import what need not be installed."""

CLASS = re.compile(r"^class \w+[(:]", re.MULTILINE)

HOOKS = frozenset({"_begin", "_end"})
"""Methods of abstract classes that may do nothing."""


def modules() -> Iterator[str]:
    """Yield the names of the modules that declare classes."""
    for package in PACKAGES:
        root = Path(str(package.__file__)).parent
        for path in sorted(root.rglob("*.py")):
            name = ".".join((package.__name__, *path.relative_to(root).with_suffix("").parts)).removesuffix(".__init__")
            if not name.startswith(OPTIONAL) and CLASS.search(path.read_text(encoding="utf-8")):
                yield name


MODULES = tuple(modules())


def problems(declared: type) -> Iterator[str]:
    """Yield what is wrong with how a class is declared."""
    own = vars(declared)
    if issubclass(declared, Struct):
        if not declared.__struct_config__.frozen:
            yield "a struct is not frozen"
        if any(each.kind is not each.KEYWORD_ONLY for each in inspect.signature(declared).parameters.values()):
            yield "a struct takes values without their names"
    elif "__dataclass_fields__" in own:
        cached = any(isinstance(each, cached_property) for base in declared.__mro__ for each in vars(base).values())
        if "__slots__" not in own and not cached:
            yield "a dataclass has no slots"
    elif _has_fields(declared):
        yield "a class has fields, but neither is it a dataclass nor does it set them"
    if getattr(declared, "__abstractmethods__", ()) and not getattr(declared, "_is_protocol", False):
        idle = {name for name, each in own.items() if inspect.isfunction(each) and _does_nothing(each)}
        for name in sorted(idle - declared.__abstractmethods__ - HOOKS):
            yield f"{name} does nothing, and is not abstract"


def _has_fields(declared: type) -> bool:
    if "__init__" in vars(declared) or getattr(declared, "_is_protocol", False) or is_typeddict(declared):
        return False
    annotated = vars(declared).get("__annotations__", {}).values()
    return not issubclass(declared, tuple | Enum) and any("ClassVar" not in str(each) for each in annotated)


def _does_nothing(method: Callable[..., Any]) -> bool:
    return method.__code__.co_code == _nothing.__code__.co_code


def _nothing() -> None:
    """Nothing."""


@pytest.mark.parametrize("module", MODULES)
def test_values_are_declared_as_values(module: str) -> None:
    members = vars(importlib.import_module(module)).values()
    declared = [each for each in members if inspect.isclass(each) and each.__module__ == module]
    assert declared
    assert [f"{each.__name__}: {what}" for each in declared for what in problems(each)] == []


def test_what_is_declared_wrongly_is_seen() -> None:
    class Loose(Struct):
        a: int

    class Bare:
        a: int

    class Half(Pool[Any, Any]):
        def begin(self) -> None:
            """Begin."""

    assert len(MODULES) > 300
    assert list(problems(Loose)) == ["a struct is not frozen", "a struct takes values without their names"]
    assert list(problems(Bare)) == ["a class has fields, but neither is it a dataclass nor does it set them"]
    assert list(problems(Half)) == ["begin does nothing, and is not abstract"]
