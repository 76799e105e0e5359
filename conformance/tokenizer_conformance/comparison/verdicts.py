"""The verdicts on a comparison of two answers. They are counted side by side and never lumped together."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

ENOUGH = Fraction(99, 100)
"""Which part of the questions about what it says it shows an implementation has to answer."""


class Verdict(StrEnum):
    """The result of a comparison of an answer with the baseline's answer.

    ``ERROR``: one side raised an error and the other did not. ``BOTH_ERROR``: both raised one; messages are not
    compared, so this is no agreement. ``CRASH``, ``TIMEOUT`` and ``PROTOCOL`` (a program broke the line protocol): at
    least one side gave no answer at all.
    ``KNOWN``: the answers differ in a way that a ledger expects, or as a consequence of that, whatever the verdict
    would be otherwise.
    ``UNSTABLE``: the answer differed, and was another one when the question was put again; it is no difference to rely
    on. ``UNSUPPORTED``: at least one side has no way to show the value, so nothing was compared.
    """

    CRASH = "crash"
    TIMEOUT = "timeout"
    PROTOCOL = "protocol"
    ERROR = "error"
    DIFFER = "differ"
    UNSTABLE = "unstable"
    KNOWN = "known"
    BOTH_ERROR = "both_error"
    AGREE = "agree"
    UNSUPPORTED = "unsupported"

    @property
    def is_compared(self) -> bool:
        """Whether two values stood side by side."""
        return self in _COMPARED


NO_ANSWER = frozenset({Verdict.CRASH, Verdict.TIMEOUT, Verdict.PROTOCOL})
"""The verdicts of an implementation that gave no answer at all."""

_COMPARED = frozenset({Verdict.AGREE, Verdict.DIFFER})

SEVERITY: tuple[Verdict, ...] = tuple(Verdict)
"""All verdicts, the one that decides about an input first: what failed outweighs what agreed, and an input of which
anything was compared is not called unsupported."""


def graver(first: Verdict, second: Verdict) -> Verdict:
    """Return the verdict that decides where both were reached on one input.

    >>> graver(Verdict.AGREE, Verdict.DIFFER)
    <Verdict.DIFFER: 'differ'>
    >>> graver(Verdict.UNSUPPORTED, Verdict.AGREE)
    <Verdict.AGREE: 'agree'>
    """
    return min(first, second, key=SEVERITY.index)
