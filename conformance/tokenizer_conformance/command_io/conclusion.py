"""What a command shows in the end, and its exit status.

Status 1 says that differences were found and that all else was as it should be, so that a change of it is a change of
the implementation. So whatever keeps a result from being whole comes before a difference: what ended the command, what
of what was given cannot be used, then what was not answered. Nothing is lost by that: all that was found is reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class Conclusion(StrEnum):
    """What a whole run shows. Where several hold, it is the first of them in this order."""

    INTERRUPTED = "interrupted"
    INTERNAL_ERROR = "internal error"
    BAD_INPUT = "bad input"
    INCOMPLETE = "parts are missing"
    IMPLEMENTATION_FAILED = "an implementation failed"
    NOTHING_COMPARED = "nothing was compared"
    TOO_LITTLE = "too little was answered"
    DIFFERENCES = "differences"
    STALE = "a ledger is stale"
    CONFORM = "conform"


def conclusion_from(reasons: Mapping[Conclusion, object]) -> Conclusion:
    """Return the outcome of a command for which those of ``reasons`` hold that are true; conformity where none does.

    >>> conclusion_from({Conclusion.DIFFERENCES: 3, Conclusion.TOO_LITTLE: True, Conclusion.BAD_INPUT: ()}).value
    'too little was answered'
    """
    return next((each for each in Conclusion if reasons.get(each)), Conclusion.CONFORM)


@dataclass(frozen=True, slots=True)
class ExitStatus:
    """One exit status of the command line: its number, what it means to people, and the conclusions that lead to it."""

    status: int
    meaning: str
    conclusions: tuple[Conclusion, ...]


EXIT_STATUSES: tuple[ExitStatus, ...] = (
    ExitStatus(0, "all implementations conform", (Conclusion.CONFORM,)),
    ExitStatus(
        1,
        "differences were found, or a ledger entry is out of date: it no longer occurs",
        (Conclusion.DIFFERENCES, Conclusion.STALE),
    ),
    ExitStatus(
        2,
        "the command, or a file given to it, cannot be used (the rest of the run was done and reported)",
        (Conclusion.BAD_INPUT,),
    ),
    ExitStatus(
        3,
        "an implementation failed or is unstable, nothing was compared, too little was answered, parts of a run are "
        "missing, a report could not be written, or tokconf itself failed (internal error)",
        (
            Conclusion.IMPLEMENTATION_FAILED,
            Conclusion.NOTHING_COMPARED,
            Conclusion.TOO_LITTLE,
            Conclusion.INCOMPLETE,
            Conclusion.INTERNAL_ERROR,
        ),
    ),
    ExitStatus(
        130, "interrupted (Ctrl-C, SIGTERM, SIGHUP); the results so far are reported", (Conclusion.INTERRUPTED,)
    ),
)
"""Every exit status; ``tokconf --help`` prints this table."""

WHICH_COMES_FIRST = (
    "If several apply, an interrupt comes first, then an error of tokconf itself, then a wrong command or file, then "
    "missing answers or reports, and differences last: so status 1 means that the result is complete. Differences are "
    "always reported."
)
"""What is said under the table."""

EXIT_STATUS: dict[Conclusion, int] = {conclusion: row.status for row in EXIT_STATUSES for conclusion in row.conclusions}
"""The exit status of the command line for each conclusion."""
