"""Changing the functions of modules that are imported: the code of each that differs is put in its place.

That takes milliseconds, where importing the modules anew takes seconds. It is possible where only functions differ:
what is done as a module is imported has been done.
"""

from __future__ import annotations

import gc
import inspect
from collections import defaultdict
from types import CodeType, FunctionType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Place = tuple[str, str, int]
"""The file of a function, its name with those of what it stands in, and the line it begins in."""


class NotLiveError(Exception):
    """The change cannot be made in what is imported."""


def changed_functions(before: CodeType, after: CodeType) -> list[tuple[CodeType, CodeType]]:
    """Return the functions in the code ``before`` of a module that differ, with what they are in ``after``.

    Raises :class:`NotLiveError` where something else differs.
    """
    found: list[tuple[CodeType, CodeType]] = []
    _compare(before, after, found)
    return found


def _compare(before: CodeType, after: CodeType, found: list[tuple[CodeType, CodeType]]) -> bool:
    """Put the functions that differ into ``found`` and return whether there are any."""
    inner = list(zip(_inner(before), _inner(after), strict=False))
    differs = [_compare(*pair, found) for pair in inner]
    own = _own(before) != _own(after)
    if not before.co_flags & inspect.CO_OPTIMIZED:
        if own:
            raise NotLiveError("what is done as the module is imported differs")
        return any(differs)
    if own or any(differs):
        found.append((before, after))
    return own or any(differs)


def _inner(code: CodeType) -> list[CodeType]:
    return [each for each in code.co_consts if isinstance(each, CodeType)]


def _own(code: CodeType) -> tuple[object, ...]:
    """Return what ``code`` does itself, without what is defined in it, and wherever its lines stand."""
    return (
        code.co_code,
        code.co_exceptiontable,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        code.co_flags,
        (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount),
        [code_or_value(each) for each in code.co_consts],
    )


def code_or_value(constant: object) -> str:
    """Return a constant as a text that differs where it does; ``1`` and ``True`` differ, two pieces of code do not."""
    return "code" if isinstance(constant, CodeType) else f"{type(constant).__name__} {constant!r}"


def live_functions(folders: Iterable[str]) -> Mapping[Place, list[FunctionType]]:
    """Return every function there is now whose file is below one of ``folders``."""
    prefixes = tuple(f"{folder}/" for folder in folders)
    found: dict[Place, list[FunctionType]] = defaultdict(list)
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and each.__code__.co_filename.startswith(prefixes):
            found[place_of(each.__code__)].append(each)
    return found


def place_of(code: CodeType) -> Place:
    """Return where the function of ``code`` stands."""
    return code.co_filename, code.co_qualname, code.co_firstlineno


def change(before: CodeType, after: CodeType, functions: Mapping[Place, list[FunctionType]]) -> None:
    """Have those of ``functions`` that differ do as in ``after``. Raises :class:`NotLiveError`; some may be changed."""
    pairs = changed_functions(before, after)
    live = [(each, new) for old, new in pairs for each in functions.get(place_of(old), [])]
    if not live:
        raise NotLiveError("there is no such function")
    for each, new in live:
        try:
            each.__code__ = new
        except ValueError as error:
            raise NotLiveError(str(error)) from error
