"""Which functions of the reference something calls: so that what can tell of a change is asked first."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from power.changed_reference import PACKAGE, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, FrameType

Function = tuple[str, int]
"""A function: the module below the package of the reference, and the line that it begins in."""

_PREFIX = f"{ROOT / 'reference' / PACKAGE}/"


@contextmanager
def calls(into: set[Function]) -> Iterator[None]:
    """Put every function of the reference that is called into ``into``."""
    # By number, since code objects are slow to compare; they are kept, so that no number is given twice.
    seen: dict[int, CodeType] = {}

    def trace(frame: FrameType, _event: str, _argument: object) -> None:
        code = frame.f_code
        seen[id(code)] = code

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)
        into.update(function for function in map(_function, seen.values()) if function is not None)


@cache
def _module(file: str) -> str | None:
    if not file.startswith(_PREFIX):
        return None
    return file.removeprefix(_PREFIX).removesuffix(".py").replace("/", ".")


def _function(code: CodeType) -> Function | None:
    module = _module(code.co_filename)
    return None if module is None else (module, code.co_firstlineno)


def closeness(called: frozenset[Function], module: str, lines: range) -> int:
    """Return 0 where a function that begins in ``lines`` of ``module`` is called, 1 where the module is, else 2."""
    in_module = [line for name, line in called if name == module]
    return 0 if any(line in lines for line in in_module) else 1 if in_module else 2
