"""What happens in an audit of Unicode behaviour, as a stream of values.

It begins with :class:`UnicodeAuditStarted` and ends with :class:`UnicodeAuditFinished`, also when it is interrupted.
For each implementation it tells each behaviour when it was explained, or why it cannot be asked; then which parts of
the implementation disagree. Where there are several, what they do differently comes last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import Finished, ImplementationMissing
from tokenizer_conformance.command_io.status import Place

if TYPE_CHECKING:
    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.command_io.environment import Environment
    from tokenizer_conformance.research.unicode_audit.behaviours import Behaviour
    from tokenizer_conformance.research.unicode_audit.code_point_sets import CodePoints
    from tokenizer_conformance.research.unicode_audit.disagreements import Disagreement
    from tokenizer_conformance.research.unicode_audit.explaining import Explanation


@dataclass(frozen=True, slots=True)
class UnicodeAuditStarted:
    """An audit begins, of so many ``behaviours`` of each implementation."""

    environment: Environment
    implementations: tuple[ImplementationInfo, ...]
    behaviours: int
    oldest: str
    newest: str


@dataclass(frozen=True, slots=True)
class BehaviourExplained:
    """A behaviour was seen over all code points, in a ``way``, and explained as far as that goes.

    ``members`` counts the characters or texts that are treated so, ``digest`` is the same for two implementations that
    do the same. Over the ``unanswered`` characters there was no answer; of the ``alone`` ones that were asked about
    once more, alone, the ``contradicted`` answered otherwise.
    """

    implementation: ImplementationInfo
    behaviour: Behaviour
    way: str
    members: int
    digest: str
    explanation: Explanation
    unanswered: CodePoints
    contradicted: CodePoints
    alone: int
    seconds: float

    @property
    def has_effect(self) -> bool:
        """Whether anything at all is treated so. What is loaded and does nothing follows no version of Unicode."""
        return self.members > 0

    @property
    def is_explained(self) -> bool:
        """Whether the tables of a version explain all that was seen."""
        return self.explanation.is_exact and self.has_effect and not self.unanswered and not self.contradicted


@dataclass(frozen=True, slots=True)
class BehaviourNotAsked:
    """An implementation cannot be asked about a behaviour."""

    implementation: ImplementationInfo
    behaviour: Behaviour
    reason: str


@dataclass(frozen=True, slots=True)
class PartsDisagree:
    """Two parts of one implementation that decide the same question do it differently."""

    implementation: ImplementationInfo
    disagreement: Disagreement


@dataclass(frozen=True, slots=True)
class BehaviourDiffers:
    """Two implementations do the same behaviour differently: on so many characters or texts, the first of which follow.

    An implementation is held against the one before it.
    """

    one: ImplementationInfo
    other: ImplementationInfo
    behaviour: Behaviour
    count: int
    code_points: CodePoints
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AuditReached:
    """So many behaviours have been asked about."""

    done: int
    total: int
    name: str

    @property
    def place(self) -> Place:
        """How far the audit has come."""
        return Place(self.name, self.done, self.total, "probes")


@dataclass(frozen=True, slots=True)
class UnicodeAuditFinished(Finished):
    """The audit is over; ``finished`` is false where it was interrupted.

    ``explained`` counts the behaviours that a version explains exactly, ``unexplained`` those that none does,
    ``not_asked`` those that could not be asked, ``disagreeing`` the pairs of parts and ``differing`` the behaviours
    that two implementations do differently.
    """

    explained: int
    unexplained: int
    not_asked: int
    disagreeing: int
    differing: int


UnicodeAuditEvent = (
    UnicodeAuditStarted
    | ImplementationMissing
    | BehaviourExplained
    | BehaviourNotAsked
    | PartsDisagree
    | BehaviourDiffers
    | AuditReached
    | UnicodeAuditFinished
)
