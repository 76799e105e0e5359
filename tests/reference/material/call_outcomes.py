"""What calls give in either package, in a plain form, and whether both agree."""

from __future__ import annotations

import asyncio
import copy
import importlib
import json
import math
import pickle
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tokenizer_reference.errors import TokenizerReferenceError, UpstreamPanicError

if TYPE_CHECKING:
    from types import ModuleType

CALLS = Path(__file__).parents[1] / "api_calls"

PRELUDE = (CALLS / "prelude.txt").read_text(encoding="utf-8")
"""What is run before each call."""


def names_of(package: ModuleType) -> dict[str, Any]:
    """Return the names that a call may use."""
    public = {name: getattr(package, name) for name in dir(package) if not name.startswith("_")}
    return public | {
        "package": package,
        "implementations": importlib.import_module(f"{package.__name__}.implementations"),
        "tools": importlib.import_module(f"{package.__name__}.tools"),
        "asyncio": asyncio,
        "copy": copy,
        "json": json,
        "numpy": np,
        "pickle": pickle,
        "exception_of": exception_of,
    }


def exception_of(function: Any) -> BaseException | None:
    """Return the exception that ``function`` raises, ``None`` for none."""
    try:
        function()
    except BaseException as error:
        return error
    return None


# Comparing -----------------------------------------------------------------------------------------------------------


def plain(value: Any) -> Any:
    """Return ``value`` in a form in which those of the two libraries can be compared; types of builtins count."""
    match value:
        case None | bool() | int() | float() | str() | bytes():
            return (type(value).__name__, value)
        case list() | tuple() if type(value) in (list, tuple):
            return (type(value).__name__, [plain(item) for item in value])
        case Mapping():
            return ("dict", sorted(((plain(key), plain(item)) for key, item in value.items()), key=repr))
        case set():
            return ("set", sorted(map(plain, value)))
        case Enum():
            return (type(value).__name__, value.name, value.value)
        case type():
            return ("type", value.__name__)
        case BaseException():
            return value
    return _plain_of_library(value)


def _plain_of_library(value: Any) -> Any:
    # What `custom` returns is of the base class there, and of a class without a public name here.
    name = next(kind.__name__ for kind in type(value).__mro__ if kind.__name__ != "Custom")
    match name:
        case "Encoding":
            return (name, json.loads(value.__getstate__()))
        case "Token":
            return (name, plain(value.as_tuple()))
        case "NormalizedString":
            return (name, value.original, value.normalized)
        case "Regex" | "PreTokenizedString" | "DecodeStream":
            return name
    return (name, _shown(value))


def _shown(value: Any) -> Any:
    try:
        return repr(value)
    except Exception as error:
        return error


def agree(ours: Any, theirs: Any) -> bool:
    """Whether two plain values are equal; of exceptions, whether who catches theirs catches ours."""
    if isinstance(theirs, BaseException):
        return _is_caught_as(theirs, ours)
    if isinstance(theirs, list | tuple) and type(theirs) is type(ours):
        return len(ours) == len(theirs) and all(map(agree, ours, theirs))
    return bool(ours == theirs) or (_is_nan(ours) and _is_nan(theirs))


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _is_caught_as(theirs: BaseException, ours: object) -> bool:
    """Panics have a class of their own on both sides.

    A bare `Exception` of theirs is an error that ours means to raise.
    """
    if type(theirs).__name__ == "PanicException":
        return isinstance(ours, UpstreamPanicError)
    if isinstance(ours, UpstreamPanicError):
        return False
    if type(theirs) is Exception:
        return isinstance(ours, TokenizerReferenceError | OSError)
    return isinstance(ours, type(theirs))
