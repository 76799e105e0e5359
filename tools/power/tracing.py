"""Which functions of the reference something calls: so that what can tell of a change is asked first."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from power.changed_reference import PACKAGE, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

Function = tuple[str, int]
"""A function: the module below the package of the reference, and the line that it begins in."""

_PREFIX = f"{ROOT / 'reference' / PACKAGE}/"


@contextmanager
def calls(into: set[Function]) -> Iterator[None]:
    """Put every function of the reference that is called into ``into``."""
    modules: dict[str, str | None] = {}

    def trace(frame: FrameType, event: str, _argument: Any) -> None:
        if event != "call":
            return
        file = frame.f_code.co_filename
        if file not in modules:
            inside = file.startswith(_PREFIX)
            modules[file] = file.removeprefix(_PREFIX).removesuffix(".py").replace("/", ".") if inside else None
        module = modules[file]
        if module is not None:
            into.add((module, frame.f_code.co_firstlineno))

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)


def closeness(called: frozenset[Function], module: str, lines: range) -> int:
    """Return 0 where a function that begins in ``lines`` of ``module`` is called, 1 where the module is, else 2."""
    in_module = [line for name, line in called if name == module]
    return 0 if any(line in lines for line in in_module) else 1 if in_module else 2
