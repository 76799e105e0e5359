"""The reference with one of its modules changed, in a process that has imported it unchanged.

A module of the reference that is changed is imported anew, and so is everything above it. What lies below and does not
know it stays: the Unicode tables, which are read slowly, and patterns that have been compiled. So a process that has
asked the unchanged reference much is forked for each change, and the child is ready in a tenth of a second.
"""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from typing import TYPE_CHECKING

import grimp

from power.packages import REFERENCE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from types import CodeType, ModuleType

    from tokenizer_adapters.contract import Implementation

PACKAGE = REFERENCE.name
ADAPTER = "tokenizer_adapters.reference"
LASTING = "text"
"""The part of the reference whose modules are kept where they do not know what is changed, with all below it."""


@dataclass(frozen=True, slots=True)
class Change:
    """``source`` in the place of the source of ``module``, which is named below the package of the reference."""

    module: str
    source: str


def file_of(module: str) -> Path:
    """Return the path of ``module``, named below the package of the reference (``normalizers.bert``)."""
    return REFERENCE.file_of(module)


def source_of(module: str) -> str:
    """Return the source of ``module``. Raises :class:`OSError` where there is none."""
    return REFERENCE.source_of(module)


def reference() -> Implementation:
    """Return the reference as it is imported now: unchanged, or after :func:`import_changed` changed."""
    adapter = importlib.import_module(ADAPTER)
    implementation: Implementation = adapter.ReferenceImplementation()
    return implementation


def import_changed(change: Change) -> Implementation:
    """Import the reference with ``change`` in place of what is imported, and return it.

    Meant for a child process: nothing is ever put back. Raises whatever the changed module raises.
    """
    changed = f"{PACKAGE}.{change.module}"
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE and name not in kept(changed)]:
        _forget(name)
    sys.modules.pop(ADAPTER, None)
    sys.meta_path.insert(0, _Finder(changed, change))
    return reference()


def import_anew() -> None:
    """Import all of the reference anew. For a child process."""
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        _forget(name)
    sys.modules.pop(ADAPTER, None)
    reference()


def _forget(name: str) -> None:
    del sys.modules[name]
    parent, _, own = name.rpartition(".")
    if parent in sys.modules:
        # `from package import module` would still find what the package remembers.
        vars(sys.modules[parent]).pop(own, None)


@cache
def _imports() -> grimp.ImportGraph:
    return grimp.build_graph(PACKAGE, cache_dir=None)


@cache
def _lasting() -> frozenset[str]:
    """Return the modules of :data:`LASTING` and all that these import."""
    graph = _imports()
    own = {name for name in graph.modules if name.startswith(f"{PACKAGE}.{LASTING}")}
    return frozenset(own.union(*map(graph.find_upstream_modules, own)))


@cache
def kept(changed: str) -> frozenset[str]:
    """Return the modules that stay imported where ``changed`` (a whole name) is imported anew."""
    return _lasting() - _imports().find_downstream_modules(changed) - {changed}


class _ChangedSource(SourceFileLoader):
    """Loads a module from another source than that of its file."""

    def __init__(self, name: str, change: Change) -> None:
        self._file = str(file_of(change.module))
        super().__init__(name, self._file)
        self._source = change.source

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 - the loader has one module
        return compile(self._source, self._file, "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    """Finds the changed module."""

    def __init__(self, name: str, change: Change) -> None:
        self._name = name
        self._change = change

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the specification of the changed module, ``None`` for any other."""
        del path, target
        if fullname != self._name:
            return None
        return spec_from_file_location(fullname, loader=_ChangedSource(fullname, self._change))
