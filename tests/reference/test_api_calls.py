"""The same calls on `tokenizer_reference` and on `tokenizers`: same results, same kinds of errors.

The calls are data: ``api_calls/*.txt``, one paragraph each. A paragraph is run with the names of either package; the
value of its last line, an expression, is what is compared. A first line that begins with ``#`` says what is shown. The
paragraph ``prelude.txt`` is run before each.

Where the two differ on purpose there is no call, but a requirement of importance quirk, and a case in ``quirk_cases``.
"""

from __future__ import annotations

import ast
import asyncio
import copy
import importlib
import json
import math
import pickle
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from fnmatch import fnmatchcase
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import tokenizers
from api_parity import public_members, public_names

import tokenizer_reference
from tokenizer_reference.errors import TokenizerReferenceError, UpstreamPanicError

if TYPE_CHECKING:
    from types import ModuleType

CALLS = Path(__file__).parent / "api_calls"
PRELUDE = (CALLS / "prelude.txt").read_text(encoding="utf-8")
AT_LEAST = 300


@dataclass(frozen=True)
class Call:
    """One paragraph of a file of calls."""

    place: str
    title: str
    code: str


def _calls_of(path: Path) -> Iterator[Call]:
    line = 1
    for paragraph in path.read_text(encoding="utf-8").split("\n\n"):
        if paragraph.strip():
            first = paragraph.lstrip("\n").splitlines()[0]
            title = first.removeprefix("# ") if first.startswith("#") else ""
            yield Call(f"{path.stem}:{line}", title, paragraph)
        line += paragraph.count("\n") + 2


FILES = sorted(path for path in CALLS.glob("*.txt") if path.stem != "prelude")
ALL_CALLS = [call for path in FILES for call in _calls_of(path)]


# Running
# -----------------------------------------------------------------------------------------------------------------


def _names(package: ModuleType) -> dict[str, Any]:
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


@dataclass(frozen=True)
class Outcome:
    """What the last line of a call gives in its plain form, or the exception that it raises.

    And the call's warnings.
    """

    value: object
    warned: tuple[str, ...]
    is_raised: bool


def run(package: ModuleType, code: str) -> Outcome:
    """Return what becomes of ``code``. Only its last line may raise an exception."""
    *statements, last = ast.parse(code).body
    assert isinstance(last, ast.Expr), "the last line of a call must be an expression"
    names = _names(package)
    is_raised = False
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        exec(PRELUDE, names)
        exec(compile(ast.Module(statements, []), "<call>", "exec"), names)
        try:
            value = plain(eval(compile(ast.Expression(last.value), "<call>", "eval"), names))
        except BaseException as error:
            value, is_raised = error, True
    return Outcome(value, tuple(warning.category.__name__ for warning in caught), is_raised)


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


# Tests ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("call", ALL_CALLS, ids=lambda call: call.place)
def test_a_call_has_the_same_outcome_in_both_packages(call: Call) -> None:
    ours = run(tokenizer_reference, call.code)
    theirs = run(tokenizers, call.code)
    shown = f"{call.title}\n{call.code}\nreference:  {ours!r}\ntokenizers: {theirs!r}"
    has_several = call.code.rstrip().splitlines()[-1].startswith(("[", "asyncio.run"))
    assert not (theirs.is_raised and has_several), f"an exception hides what is beside it, use exception_of: {shown}"
    assert "NameError(" not in repr(theirs), f"the call itself is wrong: {shown}"
    assert agree(ours.value, theirs.value), shown
    assert ours.warned == theirs.warned, shown


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (1, 2),
        (1, True),
        ([1], [1, 2]),
        ([1], (1,)),
        (TypeError("a"), None),
        (None, TypeError("a")),
        (ValueError("a"), TypeError("a")),
        (TypeError("a"), Exception("a")),
        (UpstreamPanicError("a"), TypeError("a")),
        (UpstreamPanicError("a"), Exception("a")),
        ({"a": 1}, {"a": 2}),
    ],
)
def test_a_difference_is_found(ours: Any, theirs: Any) -> None:
    assert agree(plain(theirs), plain(theirs)) or isinstance(theirs, BaseException)
    assert not agree(plain(ours), plain(theirs))


def test_there_are_many_calls() -> None:
    assert len(ALL_CALLS) >= AT_LEAST


NOT_CALLED = (
    *("*trainers.*", "*.get_trainer", "*.train", "*.train_from_iterator"),  # in the tests of trainers
    *("Offsets", "*InputSequence", "*EncodeInput"),  # types for annotations
    *("tools.visualizer.*", "*.consecutive_chars_to_html"),  # what the target's page is made of
    "SplitDelimiterBehavior.*",  # no method takes members, see the quirk
)


def test_every_public_name_of_the_target_is_in_a_call() -> None:
    called = set(re.findall(r"\w+", "\n".join([PRELUDE, *(call.code for call in ALL_CALLS)])))
    places = [
        f"{place}.{member}".rstrip(".")
        for place, value in public_names(tokenizers).items()
        if isinstance(value, type | FunctionType)
        for member in ("", *(public_members(value) if isinstance(value, type) else ()))
    ]
    names = [place for place in places if not any(fnmatchcase(place, pattern) for pattern in NOT_CALLED)]
    assert len(names) > 800
    assert [name for name in names if name.rpartition(".")[2] not in called and "__" not in name] == []
