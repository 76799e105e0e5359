"""What a command shows in the end, and its exit status."""

from __future__ import annotations

from enum import StrEnum


class Conclusion(StrEnum):
    """What a whole run shows."""

    CONFORM = "conform"
    DIFFERENCES = "differences"
    BAD_INPUT = "bad input"
    IMPLEMENTATION_FAILED = "an implementation failed"
    NOTHING_COMPARED = "nothing was compared"
    TOO_LITTLE = "too little was answered"
    INTERRUPTED = "interrupted"


EXIT_STATUS: dict[Conclusion, int] = {
    Conclusion.CONFORM: 0,
    Conclusion.DIFFERENCES: 1,
    Conclusion.BAD_INPUT: 2,
    Conclusion.IMPLEMENTATION_FAILED: 3,
    Conclusion.NOTHING_COMPARED: 3,
    Conclusion.TOO_LITTLE: 3,
    Conclusion.INTERRUPTED: 130,
}
"""The exit status of the command line for each conclusion."""
