"""What is imported is declared: in the dependencies, or of peers in an extra or an environment; and the reverse."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import grimp
import pytest

from tokenizer_adapters.environments.packages import HEAVY, TABLE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PROJECT = Path(__file__).resolve().parent.parent
PACKAGES = ("reference/tokenizer_reference", "adapters/tokenizer_adapters", "conformance/tokenizer_conformance")
OWN = {Path(package).name for package in PACKAGES}
DECLARED = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

OPTIONAL = (
    "tokenizer_adapters/gguf/writing.py",
    "tokenizer_adapters/peers/",
    "tokenizer_adapters/trainers/sentencepiece.py",
    "tokenizer_conformance/research/unicode_audit/documents.py",
    "tokenizer_conformance/command_io/ray_driver.py",
    "tokenizer_conformance/command_io/ray_node.py",
    "tokenizer_conformance/validation/python_api/frame.py",
    "tokenizer_conformance/inputs/dataset_splits.py",
    "tokenizer_conformance/inputs/columnar.py",
    "tokenizer_conformance/compression.py",
    "tokenizer_conformance/pytest_plugin.py",
    "tokenizer_conformance/pytest_suite.py",
)
"""Modules that need what is not always there, and say how to install it."""

ON_DEMAND = {"IPython": "shows a text in a notebook, where it is installed"}
"""What is imported inside a function of the main packages and is declared nowhere."""


def plain(requirement: str) -> str:
    """Return the name in ``requirement``, as packages are compared by name."""
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower().replace("_", "-")


DEPENDENCIES = {plain(requirement) for requirement in DECLARED["dependencies"]}
EXTRAS = {plain(requirement) for extra in DECLARED["optional-dependencies"].values() for requirement in extra}
HEAVIES = {plain(package) for name, heavy in HEAVY.items() for package in (TABLE[name].distribution, *heavy.requires)}
"""What environments of heavy implementations have."""


def modules(*packages: str) -> list[Path]:
    return [file for package in packages or PACKAGES for file in sorted((PROJECT / package).rglob("*.py"))]


def imported(tree: ast.Module) -> Iterator[str]:
    """Yield the top-level packages that a module imports, also by the function ``import_module``."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(name), level=0):
                yield name
            case ast.Call(func=ast.Attribute(attr="import_module"), args=[ast.Constant(str(name)), *_]):
                yield name


@cache
def graph() -> grimp.ImportGraph:
    """Return all imports, those of type checkers and inside functions included. To parse the modules takes longer."""
    return grimp.build_graph(*sorted(OWN), include_external_packages=True, cache_dir=None)


def module_of(file: Path) -> str:
    parts = file.relative_to(PROJECT).with_suffix("").parts[1:]
    return ".".join(part for part in parts if part != "__init__")


@cache
def third_party(file: Path) -> frozenset[str]:
    source = file.read_text(encoding="utf-8")
    is_known = module_of(file) in graph().modules and "import_module" not in source
    found = graph().find_modules_directly_imported_by(module_of(file)) if is_known else imported(ast.parse(source))
    return frozenset(name.partition(".")[0] for name in found) - OWN - sys.stdlib_module_names


@cache
def installed() -> Mapping[str, list[str]]:
    """Return the distributions that have each top-level package: to read them takes as long as to collect tests."""
    return importlib.metadata.packages_distributions()


def distributions(module: str) -> set[str]:
    """Return what a user installs to have ``module``."""
    return {plain(name) for name in installed().get(module, [module])}


def is_optional(file: Path) -> bool:
    return any(part in file.as_posix() for part in OPTIONAL)


def test_the_scan_finds_modules_and_imports() -> None:
    assert len(modules()) > 100
    assert {"click", "rich", "tokenizers", "transformers", "huggingface_hub"} <= set().union(
        *map(third_party, modules())
    )


@pytest.mark.parametrize("package", PACKAGES)
def test_what_the_modules_of_a_package_import_is_declared(package: str) -> None:
    missing: dict[str, set[str]] = {}
    for file in modules(package):
        declared = DEPENDENCIES | EXTRAS | HEAVIES if is_optional(file) else DEPENDENCIES
        names = third_party(file) - ON_DEMAND.keys()
        missing[str(file.relative_to(PROJECT))] = {name for name in names if not distributions(name) & declared}
    assert {file: names for file, names in missing.items() if names} == {}


def test_what_is_a_dependency_is_imported_by_the_main_job() -> None:
    used = set().union(
        *(distributions(name) for file in modules() if not is_optional(file) for name in third_party(file))
    )
    assert used >= DEPENDENCIES, "what only tests, tools or peers need belongs into an extra"


def test_nothing_is_excused_that_is_declared_or_not_imported() -> None:
    used = set().union(*map(third_party, modules()))
    assert used >= ON_DEMAND.keys()
    assert not {plain(name) for name in ON_DEMAND} & (DEPENDENCIES | EXTRAS)


def test_every_dependency_is_pinned() -> None:
    pins = {plain(line) for line in (PROJECT / "constraints.txt").read_text().splitlines() if "==" in line}
    assert pins >= DEPENDENCIES | EXTRAS
