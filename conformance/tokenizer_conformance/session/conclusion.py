"""What a command shows in the end, and its exit status."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Conclusion(StrEnum):
    """What a whole run shows."""

    CONFORM = "conform"
    DIFFERENCES = "differences"
    STALE = "a ledger is stale"
    BAD_INPUT = "bad input"
    IMPLEMENTATION_FAILED = "an implementation failed"
    NOTHING_COMPARED = "nothing was compared"
    TOO_LITTLE = "too little was answered"
    INCOMPLETE = "parts are missing"
    INTERNAL_ERROR = "internal error"
    INTERRUPTED = "interrupted"


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
        "differences were found, or an entry of a ledger is stale: what it expects was compared, and does not differ",
        (Conclusion.DIFFERENCES, Conclusion.STALE),
    ),
    ExitStatus(
        2,
        "the command, or something given to it, cannot be used (the rest of the run was done and reported)",
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
        130, "interrupted (Ctrl-C, SIGTERM, SIGHUP); what was done until then is reported", (Conclusion.INTERRUPTED,)
    ),
)
"""Every exit status; ``tokconf --help`` prints this table."""

EXIT_STATUS: dict[Conclusion, int] = {conclusion: row.status for row in EXIT_STATUSES for conclusion in row.conclusions}
"""The exit status of the command line for each conclusion."""
