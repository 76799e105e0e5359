"""The faults of adapters: reading ``adapter_faults/*.toml``, a file for each module.

The head of a file names the ``module``, by its path below the package, and the ``tests`` that belong to it: files or
node ids below the project's folder, the likeliest to see a fault first; ``select``, an expression for ``pytest -k``,
may leave some of them out. Each ``[[fault]]`` is an exact piece of the module's source and what stands in its place::

    module = "registry.py"
    tests = ["tests/adapters/test_registry.py"]

    [[fault]]
    id = "registry-duplicates-pass"
    what = "Two packages may register one name."
    old = "if other.value != entry.value:"
    new = "if False:"
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from power.faults import FaultDataError, replaced

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).parent / "adapter_faults"
PACKAGE = Path("adapters", "tokenizer_adapters")
"""The package of the adapters, below the project's folder."""

_TEXTS = ("id", "what", "old", "new")


@dataclass(frozen=True, slots=True)
class Checks:
    """The tests that belong to a module: ``paths`` below the project's folder, and an expression for ``pytest -k``."""

    paths: tuple[str, ...]
    select: str = ""


@dataclass(frozen=True, slots=True)
class AdapterFault:
    """A mistake in ``module``, a path below the package: ``old`` stands in it once, ``new`` takes its place."""

    id: str
    what: str
    module: str
    old: str
    new: str
    checks: Checks

    @property
    def python_name(self) -> str:
        """The name by which the module is imported, empty where it is not in Python."""
        if not self.module.endswith(".py"):
            return ""
        return ".".join((PACKAGE.name, *Path(self.module).with_suffix("").parts)).removesuffix(".__init__")

    def changed(self, root: Path = ROOT) -> str:
        """Return the source of the module in the project at ``root`` with the fault in it.

        Raises :class:`FaultDataError` where ``old`` does not stand in it once, or the fault is no Python.
        """
        try:
            source = (root / PACKAGE / self.module).read_text(encoding="utf-8")
        except OSError as error:
            raise FaultDataError(f"fault {self.id}: there is no module {self.module!r} in the adapters") from error
        changed = replaced(self.id, self.module, source, self.old, self.new)
        if self.module.endswith(".py"):
            try:
                compile(changed, self.module, "exec")
            except SyntaxError as error:
                raise FaultDataError(f"fault {self.id} makes {self.module} no Python: {error}") from error
        return changed


def read_adapter_faults(folder: Path = FOLDER) -> list[AdapterFault]:
    """Return all faults in ``folder``; whether each can be applied is not looked at.

    Raises :class:`FaultDataError` where a file is not of the form above, or two faults have one id.
    """
    faults: dict[str, AdapterFault] = {}
    for file in sorted(folder.glob("*.toml")):
        for fault in _faults_in(tomllib.loads(file.read_text(encoding="utf-8")), file.name):
            if fault.id in faults:
                raise FaultDataError(f"{file.name}: the fault {fault.id} is there twice")
            faults[fault.id] = fault
    return list(faults.values())


def _faults_in(found: dict[str, Any], file: str) -> list[AdapterFault]:
    module, tests, select = found.get("module"), found.get("tests"), found.get("select", "")
    if not (isinstance(module, str) and _are_texts(tests) and isinstance(select, str)):
        raise FaultDataError(f"{file}: expected the text `module` and the list of texts `tests` at its head")
    if unknown := found.keys() - {"module", "tests", "select", "fault"}:
        raise FaultDataError(f"{file}: {', '.join(sorted(unknown))} is not known there")
    checks = Checks(tuple(tests or ()), select)
    for fault in found.get("fault", []):
        if set(fault) != set(_TEXTS) or not _are_texts(list(fault.values())):
            raise FaultDataError(f"{file}: fault {fault.get('id')!r}: expected the texts {', '.join(_TEXTS)}")
    return [AdapterFault(**fault, module=module, checks=checks) for fault in found.get("fault", [])]


def _are_texts(values: Sequence[object] | None) -> bool:
    return isinstance(values, list) and bool(values) and all(isinstance(value, str) for value in values)
