"""Answers without a value: when both sides may refuse, and what each of them did then.

Where neither side gives a value there is nothing to compare. That passes only where the implementation does no worse
than the baseline: it may raise a clear error where the baseline raises one, crashes or hangs. It may not crash where
the baseline raises an error, nor raise an internal error: an ``IndexError`` is no refusal, whatever the baseline did.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Crashed, Failed, TimedOut
from tokenizer_conformance.comparison.differences import Difference, DifferenceKind, Party
from tokenizer_conformance.comparison.verdicts import Verdict

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Outcome

Refusal = Failed | Crashed | TimedOut
"""What stands in place of a value."""

INTERNAL_ERRORS = frozenset(
    {
        "AssertionError",
        "AttributeError",
        "IndexError",
        "KeyError",
        "NameError",
        "NotImplementedError",
        "RecursionError",
        "StopIteration",
        "TypeError",
        "UnboundLocalError",
        "UnicodeDecodeError",
        "UnicodeEncodeError",
        "ZeroDivisionError",
    },
)
"""Errors that a program raises where its author did not think of a case; no question has a wrong type."""


@dataclass(frozen=True, slots=True, order=True)
class NoValue:
    """Neither side gave a value: at which stage (or ``load``), and what each of them did."""

    where: str
    baseline: str
    implementation: str


def without_value(where: str, baseline: Outcome, implementation: Outcome) -> NoValue | Difference | None:
    """Return what both sides did where neither gives a value, ``None`` where the answers are to be compared.

    An internal error of the implementation, where the baseline refuses in another way, is a difference.
    """
    if not (isinstance(baseline, Refusal) and isinstance(implementation, Refusal)):
        return None
    if isinstance(implementation, Failed):
        if _is_internal_error(baseline, implementation):
            return _internal_error(baseline, implementation)
    elif type(implementation) is not type(baseline):
        return None
    return NoValue(where, manner(baseline), manner(implementation))


def _is_internal_error(baseline: Refusal, implementation: Failed) -> bool:
    if implementation.kind not in INTERNAL_ERRORS:
        return False
    return not (isinstance(baseline, Failed) and baseline.kind == implementation.kind)


def _internal_error(baseline: Refusal, implementation: Failed) -> Difference:
    return Difference(
        verdict=Verdict.ERROR,
        kind=DifferenceKind.RAISED,
        field=None,
        baseline=baseline,
        implementation=implementation,
        party=Party.IMPLEMENTATION,
        detail=implementation.kind,
    )


# In words ------------------------------------------------------------------------------------------------------------


def manner(refusal: Refusal) -> str:
    """Return what refusals of one kind have in common.

    >>> manner(Failed("ModelError", "'x' is not in the vocabulary of 12 tokens"))
    'raises ModelError: … is not in the vocabulary of N tokens'
    """
    match refusal:
        case Failed(kind, message):
            return f"raises {kind}: {message_pattern(message)}"
        case Crashed(detail):
            return f"crashes: {message_pattern(detail)}"
        case TimedOut():
            return "gives no answer in time"


_QUOTED = re.compile(r"""`[^`]*`|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'""")
_NUMBER = re.compile(r"\d+")

LONGEST_PATTERN = 90


def message_pattern(message: str) -> str:
    """Return what messages of one kind have in common: ``message`` without what it quotes and counts, cut if long.

    >>> message_pattern("byte index 3 is inside `é`")
    'byte index N is inside …'
    """
    line = _NUMBER.sub("N", _QUOTED.sub("…", " ".join(message.split())))
    return line if len(line) <= LONGEST_PATTERN else f"{line[:LONGEST_PATTERN]}…"
