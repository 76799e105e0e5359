"""The same calls on `tokenizer_reference` and on `tokenizers`: same results, same kinds of errors.

The calls are data: ``api_calls/*.txt``, one paragraph each. A paragraph is run with the names of either package; the
value of its last line, an expression, is what is compared. A first line that begins with ``#`` says what is shown. The
paragraph ``prelude.txt`` is run before each.

Where the two differ on purpose there is no call, but a requirement of importance quirk, and a case in ``quirk_cases``.
"""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass
from fnmatch import fnmatchcase
from types import FunctionType
from typing import TYPE_CHECKING, Any

import pytest
import tokenizers
from api_parity import public_members, public_names
from call_outcomes import CALLS, PRELUDE, agree, names_of, plain
from in_one_test import run_all

import tokenizer_reference
from tokenizer_reference.errors import UpstreamPanicError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import ModuleType

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
CALLS_OF = {path.stem: list(_calls_of(path)) for path in FILES}
ALL_CALLS = [call for calls in CALLS_OF.values() for call in calls]


# Running
# -----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """What the last line of a call gives in its plain form, or the exception that it raises.

    And the call's warnings.
    """

    value: object
    warned: tuple[str, ...]
    is_raised: bool


COMPILED_PRELUDE = compile(PRELUDE, "<prelude>", "exec")


def run(package: ModuleType, code: str) -> Outcome:
    """Return what becomes of ``code``. Only its last line may raise an exception."""
    *statements, last = ast.parse(code).body
    assert isinstance(last, ast.Expr), "the last line of a call must be an expression"
    names = names_of(package)
    is_raised = False
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        exec(COMPILED_PRELUDE, names)
        exec(compile(ast.Module(statements, []), "<call>", "exec"), names)
        try:
            value = plain(eval(compile(ast.Expression(last.value), "<call>", "eval"), names))
        except BaseException as error:
            value, is_raised = error, True
    return Outcome(value, tuple(warning.category.__name__ for warning in caught), is_raised)


# Tests ---------------------------------------------------------------------------------------------------------------


def check(call: Call) -> None:
    ours = run(tokenizer_reference, call.code)
    theirs = run(tokenizers, call.code)
    shown = f"{call.title}\n{call.code}\nreference:  {ours!r}\ntokenizers: {theirs!r}"
    has_several = call.code.rstrip().splitlines()[-1].startswith(("[", "asyncio.run"))
    assert not (theirs.is_raised and has_several), f"an exception hides what is beside it, use exception_of: {shown}"
    assert "NameError(" not in repr(theirs), f"the call itself is wrong: {shown}"
    assert agree(ours.value, theirs.value), shown
    assert ours.warned == theirs.warned, shown


@pytest.mark.parametrize("file", CALLS_OF)
def test_calls_have_the_same_outcome_in_both_packages(file: str) -> None:
    run_all(check, CALLS_OF[file], lambda call: call.place)


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
