"""Odd values for every argument and attribute: both packages accept them, or raise errors that are caught alike.

The calls are data, ``material/odd_arguments.txt``, and are compared as those of ``api_calls``.
"""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import tokenizers
from call_outcomes import PRELUDE, agree, names_of, plain

import tokenizer_reference

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

LINES = Path(__file__).parent / "material" / "odd_arguments.txt"
AT_LEAST = 10_000

HELPERS = """
class Indexed:
    def __init__(self, number):
        self.number = number
    def __index__(self):
        return self.number

class Floating:
    def __float__(self):
        return 0.5

class Text(str):
    pass

class Number(int):
    pass

class Words(list):
    pass

def setting(value, name, given):
    setattr(value, name, given)
    return getattr(value, name)

def item_set(value, at, given):
    value[at] = given
    return value

def tokenized():
    text = PreTokenizedString("ab a")
    text.tokenize(lambda part: [Token(1, part, (0, len(part)))])
    return text

def truncated(*arguments, **options):
    tokenizer = toy()
    tokenizer.enable_truncation(*arguments, **options)
    return tokenizer.truncation

def padded(*arguments, **options):
    tokenizer = toy()
    tokenizer.enable_padding(*arguments, **options)
    return tokenizer.padding
"""

VALUES = {
    "small": (
        *("None", "True", "False", "0", "1", "-1", "1.5", "0.5", "-0.5", "float('nan')", "float('inf')"),
        *("'a'", "''", "'ab'", "'é'", "'left'", "'$A'", "Text('a')", "b''", "b'a'", "bytearray(b'a')"),
        *("[]", "[1]", "['a']", "['']", "[None]", "[[1]]", "[('a', 'b')]", "[('a', 0.0)]", "Words(['a'])"),
        *("()", "(1,)", "('a',)", "('a', 1)", "(1, 2)", "[0, 1]", "(-1, 2)", "(0, 1)", "['a', 1]"),
        *("{}", "{'a': 1}", "{1: 'a'}", "{'a': 'b'}", "{'a'}", "range(2)", "iter(['a'])", "slice(0, 1)"),
        *("object()", "object", "len", "lambda *_: True", "Indexed(1)", "Indexed(-1)", "Floating()", "Number(1)"),
        *("1j", "numpy.int64(1)", "numpy.uint8(1)", "numpy.float32(0.5)", "numpy.bool_(True)", "numpy.str_('a')"),
        *("numpy.array([1])", "numpy.array(['a'], dtype=object)", "numpy.array(1)", "AddedToken('a')", "Regex('a')"),
        *("Token(1, 'a', (0, 1))", "encoding('a')", "models.BPE()", "normalizers.NFC()"),
        *("[AddedToken('a')]", "2**8", "2**16", "3.0", "Indexed(0)"),
    ),
    "several": ("('a', 'b')", "('a', 'b', 'c')"),  # of which a set is in any order there
    "big": ("2**31", "2**32 - 1", "2**32", "2**63 - 1", "2**63", "2**64 - 1", "2**64", "-(2**63)", "Indexed(2**70)"),
    "surrogate": ("'\\ud800'", "['\\ud800']", "('\\ud800', 1)", "{'\\ud800': 1}", "[('\\ud800', 0.0)]"),
}


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some values are names of files, and ``save`` takes the empty one for the current folder."""
    monkeypatch.chdir(tmp_path)


def calls(line: str) -> Iterator[tuple[str, str]]:
    """Yield the calls of a line, with ? for the value, and for each the sorts that it is not asked with."""
    code, _, without = (part.strip() for part in line.partition("!!"))
    if " .= " in code:
        value, _, names = code.partition(" .= ")
        yield from ((f'setting({value}, "{name}", ?)', without) for name in names.split())
    elif " <- " in code:
        call, _, names = code.partition(" <- ")
        yield from ((call.replace("?", f"{name}=?"), without) for name in names.split())
    else:
        yield code, without


CALLS = [
    call for line in LINES.read_text("utf-8").splitlines() if line and not line.startswith("#") for call in calls(line)
]


def codes(calls: list[tuple[str, str]]) -> Iterator[str]:
    """Yield each call with each value that it is asked with."""
    for call, without in calls:
        for sort, values in VALUES.items():
            if sort not in without.split():
                yield from (call.replace("?", value) for value in values)


class Side:
    """One of the packages, and what becomes of calls there."""

    def __init__(self, package: ModuleType) -> None:
        self.names = names_of(package)
        exec(PRELUDE + HELPERS, self.names)

    def outcome(self, code: str) -> Any:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            try:
                return plain(eval(code, self.names)), printed.getvalue()
            except BaseException as error:
                return error


@pytest.fixture(scope="module")
def sides() -> tuple[Side, Side]:
    return Side(tokenizer_reference), Side(tokenizers)


PARTS = 20
"""Into how many tests the calls are put."""


@pytest.mark.long_but(2)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("part", range(PARTS))
def test_odd_values_are_taken_or_refused_alike(part: int, sides: tuple[Side, Side]) -> None:
    ours, theirs = sides
    differences = []
    for code in codes(CALLS[part::PARTS]):
        expected = theirs.outcome(code)
        assert "NameError" not in repr(expected), code
        found = ours.outcome(code)
        if not agree(found, expected):
            differences.append(f"{code}\n    reference:  {found!r}\n    tokenizers: {expected!r}")
    assert not differences, "\n".join(differences)


def test_every_class_and_option_is_asked() -> None:
    assert len(CALLS) * len(VALUES["small"]) > AT_LEAST
    assert all(call.count("?") == 1 for call, _ in CALLS)
