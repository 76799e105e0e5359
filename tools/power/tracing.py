"""Which functions of the reference something calls: so that what can tell of a change is asked first."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from functools import _lru_cache_wrapper, cache
from typing import TYPE_CHECKING

from power.packages import REFERENCE, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, FrameType

Function = tuple[str, int]
"""A function: the module below the package of the reference, and the line that it begins in."""

_PREFIX = f"{ROOT / REFERENCE.path}/"


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


@cache
def keeps_for_good(module: str) -> bool:
    """Whether what functions of ``module`` give is kept for good, or goes into what is: the tables of characters.

    Such a function is called once, and what calls it first is not all that depends on it.
    """
    return module == _SETS or (module.startswith(_TABLES_IN) and "@cache\n" in REFERENCE.source_of(module))


_TABLES_IN = "text."
_SETS = "text.code_point_sets"


def forget_results() -> None:
    """Empty what the functions of the reference remember, but for tables: the next call is a call again."""
    for name, module in list(sys.modules.items()):
        package, _, own = name.partition(".")
        remembering = [value for value in vars(module).values() if isinstance(value, _lru_cache_wrapper)]
        if package == REFERENCE.name and remembering and not keeps_for_good(own):
            for function in remembering:
                function.cache_clear()


def closeness(called: frozenset[Function], module: str, lines: range) -> int:
    """Return 0 where a function that begins in ``lines`` of ``module`` is called, 1 where the module is, else 2."""
    in_module = [line for name, line in called if name == module]
    return 0 if any(line in lines for line in in_module) else 1 if in_module else 2
