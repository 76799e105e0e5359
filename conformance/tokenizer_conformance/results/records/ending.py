"""How a record ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.escape import one_line

if TYPE_CHECKING:
    from tokenizer_conformance.results.records.headers import Footer

CUT_SHORT = (Conclusion.INTERRUPTED, Conclusion.INTERNAL_ERROR)
"""The conclusions of commands that did not come to their end."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: whether it came to its end, and its ``conclusion``; ``complaints`` say where it did not.

    A command that was killed, or is still at work, has not ended.
    """

    finished: bool = False
    conclusion: Conclusion = Conclusion.INTERRUPTED
    complaints: tuple[str, ...] = ()


@dataclass(slots=True)
class Ending:
    """How a record ends, known once all its lines were read: the ``footer``, ``None`` where it was killed.

    ``half_line`` is the number of a last line that was cut off.
    """

    footer: Footer | None = None
    half_line: int | None = None

    @property
    def is_whole(self) -> bool:
        """Whether the command came to its end, for all that was to be compared."""
        return self.footer is not None and self.footer.finished and self.footer.conclusion not in CUT_SHORT

    @property
    def words(self) -> str:
        """How the command ended, in words, to stand behind the name of its record."""
        if self.footer is None:
            half = "" if self.half_line is None else f", and line {self.half_line:,} is half a line"
            return f"the command was killed: there is no footer{half}; only what it had recorded is compared"
        conclusion = self.footer.conclusion.value
        if self.is_whole:
            return conclusion
        reason = getattr(self.footer, "reason", None) or conclusion
        return f"it did not finish ({one_line(reason, 200)}); only what it had recorded is compared"

    def ended(self) -> Ended:
        """Return what a page tells of it; a command without a footer was interrupted."""
        complaints = () if self.is_whole else (self.words,)
        if self.footer is None:
            return Ended(complaints=complaints)
        return Ended(finished=True, conclusion=self.footer.conclusion, complaints=complaints)


def ended_by(footer: Footer) -> Ended:
    """Return what a page tells of a command whose last line is ``footer``."""
    return Ending(footer).ended()
