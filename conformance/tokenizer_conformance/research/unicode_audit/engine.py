"""An audit from beginning to end: one implementation after the other, one probe after the other."""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.command_io.stopping import Stop
from tokenizer_conformance.research.unicode_audit.behaviours import PROBES
from tokenizer_conformance.research.unicode_audit.code_point_sets import CodePoints, written
from tokenizer_conformance.research.unicode_audit.disagreements import disagreements
from tokenizer_conformance.research.unicode_audit.events import (
    AuditReached,
    BehaviourDiffers,
    BehaviourExplained,
    BehaviourNotAsked,
    PartsDisagree,
    UnicodeAuditFinished,
    UnicodeAuditStarted,
)
from tokenizer_conformance.research.unicode_audit.explaining import explained
from tokenizer_conformance.research.unicode_audit.looking import CannotTell, looked, looked_by_processes
from tokenizer_conformance.research.unicode_audit.properties import TRIED
from tokenizer_conformance.research.unicode_audit.sightings import (
    ClassesSeen,
    MappingSeen,
    SetSeen,
    TextsSeen,
    differing,
)
from tokenizer_conformance.research.unicode_audit.worker import program

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping

    from tokenizer_adapters.contract import Implementation, ImplementationInfo
    from tokenizer_conformance.command_io.internal_error import InternalError
    from tokenizer_conformance.research.unicode_audit.behaviours import Behaviour, Probe
    from tokenizer_conformance.research.unicode_audit.events import UnicodeAuditEvent
    from tokenizer_conformance.research.unicode_audit.looking import Found
    from tokenizer_conformance.research.unicode_audit.plan import UnicodeAuditPlan
    from tokenizer_conformance.research.unicode_audit.sightings import Seen, Sighting

NOT_SHOWN = "what it shows of this component tells nothing of this"


def audit(plan: UnicodeAuditPlan) -> Generator[UnicodeAuditEvent | InternalError]:
    """Carry out ``plan`` and yield what happens.

    A ``KeyboardInterrupt`` ends it early; after an error that nobody expected it ends in the same way.
    """
    return _Audit(plan).events()


class _Audit:
    def __init__(self, plan: UnicodeAuditPlan) -> None:
        self._plan = plan
        self._began = time.monotonic()
        self._explained = self._unexplained = self._not_asked = self._disagreeing = self._differing = 0
        self._mute: list[str] = []
        self._seen: list[tuple[ImplementationInfo, dict[str, Sighting]]] = []

    def events(self) -> Generator[UnicodeAuditEvent | InternalError]:
        plan, stop = self._plan, Stop()
        yield UnicodeAuditStarted(
            environment=current_environment(plan.command),
            implementations=tuple(each.info for each in plan.implementations),
            behaviours=sum(plan.wants(each.name) for probe in plan.probes for each in probe.behaviours),
            oldest=TRIED[0],
            newest=TRIED[-1],
        )
        yield from stop.guard(self._work())
        yield UnicodeAuditFinished(
            finished=stop.conclusion is None,
            conclusion=stop.conclusion or self._conclusion(),
            explained=self._explained,
            unexplained=self._unexplained,
            not_asked=self._not_asked,
            disagreeing=self._disagreeing,
            differing=self._differing,
            seconds=time.monotonic() - self._began,
        )

    def _work(self) -> Iterator[UnicodeAuditEvent]:
        plan = self._plan
        yield from map(ImplementationMissing, plan.unavailable)
        for implementation in plan.implementations:
            yield from self._of_implementation(implementation)
            if len(self._seen) > 1:
                yield from self._differences()

    def _conclusion(self) -> Conclusion:
        return conclusion_from(
            {
                Conclusion.IMPLEMENTATION_FAILED: self._plan.unavailable,
                Conclusion.NOTHING_COMPARED: not self._explained + self._unexplained or self._mute,
                Conclusion.DIFFERENCES: self._unexplained or self._differing,
            }
        )

    # One implementation

    def _of_implementation(self, implementation: Implementation) -> Iterator[UnicodeAuditEvent]:
        info = implementation.info
        told: dict[str, Sighting] = {}
        STATUS.begin(info.name, "asking about all code points")
        probes = self._plan.probes
        found = self._looked(implementation)
        for number, probe in enumerate(probes):
            yield AuditReached(number, len(probes), f"{info.name} {info.version}")
            STATUS.at(probe.behaviours[0].name)
            yield from self._of_probe(next(found), info, probe, told)
        self._seen.append((info, told))
        if not told:
            self._mute.append(info.name)
        for disagreement in disagreements(told):
            self._disagreeing += 1
            yield PartsDisagree(info, disagreement)

    def _looked(self, implementation: Implementation) -> Iterator[Found | CannotTell]:
        """Yield what each probe sees of ``implementation``, in the order of the plan."""
        plan = self._plan
        selected = plan.selected.get(implementation.info.name)
        if plan.jobs == 1 or selected is None:
            return looked(implementation, plan.probes)
        return looked_by_processes(program(), selected, map(PROBES.index, plan.probes), plan.jobs)

    def _of_probe(
        self, found: Found | CannotTell, info: ImplementationInfo, probe: Probe, told: dict[str, Sighting]
    ) -> Iterator[UnicodeAuditEvent]:
        wanted = [behaviour for behaviour in probe.behaviours if self._plan.wants(behaviour.name)]
        if isinstance(found, CannotTell):
            self._not_asked += len(wanted)
            yield from (BehaviourNotAsked(info, behaviour, found.reason) for behaviour in wanted)
            return
        seconds = found.seconds / len(probe.behaviours)
        for behaviour in wanted:
            sighting = found.sightings.get(behaviour.name)
            if sighting is None:
                self._not_asked += 1
                yield BehaviourNotAsked(info, behaviour, NOT_SHOWN)
                continue
            told[behaviour.name] = sighting
            yield self._explanation(info, behaviour, sighting, seconds)

    def _explanation(
        self, info: ImplementationInfo, behaviour: Behaviour, sighting: Sighting, seconds: float
    ) -> BehaviourExplained:
        explanation = explained(sighting)
        event = BehaviourExplained(
            implementation=info,
            behaviour=behaviour,
            way=sighting.way,
            members=_size(sighting.seen),
            digest=_digest(sighting.seen),
            explanation=explanation,
            unanswered=sighting.unanswered,
            contradicted=sighting.contradicted,
            alone=sighting.alone,
            seconds=seconds,
        )
        self._explained += event.is_explained
        self._unexplained += not event.is_explained
        return event

    # Two implementations

    def _differences(self) -> Iterator[BehaviourDiffers]:
        (one, before), (other, after) = self._seen[-2:]
        self._seen[-2] = (one, {})  # it is needed no more, and is large
        for probe in self._plan.probes:
            for behaviour in probe.behaviours:
                if behaviour.name in before and behaviour.name in after:
                    found = differing(before[behaviour.name].seen, after[behaviour.name].seen)
                    if found:
                        self._differing += 1
                        yield _differs(one, other, behaviour, found)


def _differs(
    one: ImplementationInfo, other: ImplementationInfo, behaviour: Behaviour, found: CodePoints | tuple[str, ...]
) -> BehaviourDiffers:
    is_set = isinstance(found, CodePoints)
    return BehaviourDiffers(
        one=one,
        other=other,
        behaviour=behaviour,
        count=len(found),
        code_points=found if isinstance(found, CodePoints) else CodePoints(),
        texts=() if is_set or isinstance(found, CodePoints) else found,
    )


def _size(seen: Seen) -> int:
    match seen:
        case SetSeen(members):
            return len(members)
        case MappingSeen(values) | TextsSeen(_, values):
            return len(values)
        case ClassesSeen(classes):
            return sum(map(len, classes.values()))


def _digest(seen: Seen) -> str:
    """Return the SHA-256 of what was seen, written in one way."""
    match seen:
        case SetSeen(members):
            text = written(members.ranges())
        case MappingSeen(values):
            text = _lines({f"{at:04X}": value for at, value in values.items()})
        case TextsSeen(_, values):
            text = _lines(values)
        case ClassesSeen(classes):
            text = _lines({name: written(found.ranges()) for name, found in classes.items() if found})
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _lines(values: Mapping[str, str]) -> str:
    return "\n".join(f"{key} {values[key]}" for key in sorted(values))
