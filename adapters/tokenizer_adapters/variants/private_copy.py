"""A copy of the reference's modules that nobody else imports, to change a rule in.

The modules are executed a second time, under an import of their own, and none of these enters ``sys.modules``: so a
change of a copy is seen by no other tokenizer, of the reference or of another variant, in no thread.
"""

from __future__ import annotations

import builtins
from functools import cache
from importlib import import_module
from importlib.abc import InspectLoader
from types import ModuleType
from typing import TYPE_CHECKING, Any

import tokenizer_reference

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from importlib.machinery import ModuleSpec
    from types import CodeType

    Patch = Callable[[Any], None]
    """Changes a module of the copy right after it was executed, before any other one can have read from it."""

ROOT = tokenizer_reference.__name__


class PrivateCopy:
    """The reference, executed anew; ``patches`` are applied to modules, which are named below its package.

    The modules in ``sources`` have that source in the place of their own.
    """

    def __init__(self, patches: Mapping[str, Sequence[Patch]], sources: Mapping[str, str] | None = None) -> None:
        self._patches = patches
        self._sources = sources or {}
        self._modules: dict[str, ModuleType] = {}
        self._builtins = {**vars(builtins), "__import__": self._import}

    def module(self, name: str = "") -> ModuleType:
        """Return a module of the copy, which is named below the package; without a name, the package."""
        return self._module(f"{ROOT}.{name}" if name else ROOT)

    def _import(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] = (),
        level: int = 0,
    ) -> Any:
        """Do what the ``import`` statement does: modules of the reference are those of this copy."""
        if level or name.partition(".")[0] != ROOT:
            return builtins.__import__(name, globals, locals, fromlist, level)
        module = self._module(name)
        if not fromlist:
            return self._modules[ROOT]
        for attribute in fromlist:
            if not hasattr(module, attribute):
                self._module(f"{name}.{attribute}")
        return module

    def _module(self, name: str) -> ModuleType:
        if name in self._modules:
            return self._modules[name]
        parent, _, own = name.rpartition(".")
        if parent:
            self._module(parent)
        if name in self._modules:  # its package imports it
            return self._modules[name]
        spec, code = _original(name)
        module = self._modules[name] = ModuleType(name)
        vars(module).update(
            __file__=spec.origin, __package__=name if spec.submodule_search_locations else parent, __spec__=spec
        )
        if spec.submodule_search_locations is not None:
            module.__path__ = list(spec.submodule_search_locations)
        vars(module)["__builtins__"] = self._builtins
        own_name = name.removeprefix(f"{ROOT}.")
        if own_name in self._sources:
            code = compile(self._sources[own_name], str(spec.origin), "exec", dont_inherit=True)
        exec(code, vars(module))  # noqa: S102 - the very modules that are installed
        for patch in self._patches.get(own_name, ()):
            patch(module)
        if parent:
            setattr(self._modules[parent], own, module)
        return module


@cache
def _original(name: str) -> tuple[ModuleSpec, CodeType]:
    """Return where a module of the reference is, and its code: read once for all copies.

    The module itself is imported, too, and left as it is: :mod:`dataclasses` looks into ``sys.modules`` for the names
    in the annotations of a class, and finds the same ones there.
    """
    spec = import_module(name).__spec__
    if spec is None or not isinstance(spec.loader, InspectLoader):
        raise ImportError(f"{name} has no code to execute again", name=name)
    code = spec.loader.get_code(name)
    if code is None:
        raise ImportError(f"{name} has no code to execute again", name=name)
    return spec, code
