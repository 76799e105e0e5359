"""An audit from beginning to end: one implementation after the other, one probe after the other.

It yields the lines of its record, and how far it has come.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.record import rounded
from tokenizer_conformance.command_io.status import STATUS, Place, Reached
from tokenizer_conformance.command_io.stopping import Stop
from tokenizer_conformance.research.unicode_audit.behaviours import PROBES
from tokenizer_conformance.research.unicode_audit.code_point_sets import CodePoints
from tokenizer_conformance.research.unicode_audit.documents import CannotAskError
from tokenizer_conformance.research.unicode_audit.explaining import disagreements, explained
from tokenizer_conformance.research.unicode_audit.looking import looked, looked_by_processes
from tokenizer_conformance.research.unicode_audit.properties import TRIED
from tokenizer_conformance.research.unicode_audit.sightings import MOST_TEXTS, differing, size_of, written
from tokenizer_conformance.results.records import unicode_audit as lines
from tokenizer_conformance.results.records.making import LastLine, header_of, implementation_of, last_line

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping

    from tokenizer_adapters.contract import Implementation, ImplementationInfo
    from tokenizer_adapters.selection import Selected
    from tokenizer_conformance.command_io.internal_error import InternalError
    from tokenizer_conformance.rejected import Rejected
    from tokenizer_conformance.research.unicode_audit.behaviours import Behaviour, Probe
    from tokenizer_conformance.research.unicode_audit.looking import Found
    from tokenizer_conformance.research.unicode_audit.sightings import Seen, Sighting

NOT_SHOWN = "what it shows of this component tells nothing of this"


@dataclass(frozen=True, slots=True)
class UnicodeAuditPlan:
    """Each of ``implementations`` is asked about the ``behaviours`` that are named; without names, about all.

    ``unavailable`` were asked for and cannot be used; ``command`` is the command line.
    With more ``jobs`` than one, so many processes ask, each by an implementation of its own, ``selected`` by its name.
    """

    implementations: tuple[Implementation, ...]
    behaviours: frozenset[str] = frozenset()
    unavailable: tuple[Rejected, ...] = ()
    command: tuple[str, ...] = ()
    selected: Mapping[str, Selected] = field(default_factory=dict)
    jobs: int = 1

    @property
    def probes(self) -> tuple[Probe, ...]:
        """The probes that see any of the behaviours."""
        return tuple(probe for probe in PROBES if self.wanted(probe))

    def wanted(self, probe: Probe) -> list[Behaviour]:
        """Return the behaviours that ``probe`` is to see."""
        return [each for each in probe.behaviours if not self.behaviours or each.name in self.behaviours]


UnicodeAuditEvent = lines.Header | lines.Found | ImplementationMissing | Reached | LastLine


def audit(plan: UnicodeAuditPlan) -> Generator[UnicodeAuditEvent | InternalError]:
    """Carry out ``plan`` and yield the lines of its record, and how far it has come.

    A ``KeyboardInterrupt`` ends it early; after an error that nobody expected it ends in the same way.
    """
    return _Audit(plan).events()


class _Audit:
    def __init__(self, plan: UnicodeAuditPlan) -> None:
        self._plan = plan
        self._began = time.monotonic()
        self._explained = self._unexplained = self._not_asked = self._disagreeing = self._differing = 0
        self._is_mute = False
        self._before: tuple[ImplementationInfo, dict[str, Seen]] | None = None

    def events(self) -> Generator[UnicodeAuditEvent | InternalError]:
        plan, stop = self._plan, Stop()
        yield lines.Header(
            **header_of(lines.FORMAT, current_environment(plan.command)),
            implementations=tuple(implementation_of(each.info) for each in plan.implementations),
            behaviours=sum(len(plan.wanted(probe)) for probe in plan.probes),
            oldest=TRIED[0],
            newest=TRIED[-1],
        )
        yield from stop.guard(self._work())
        yield last_line(
            lines.Footer,
            stop.conclusion or self._conclusion(),
            time.monotonic() - self._began,
            finished=stop.conclusion is None,
            explained=self._explained,
            unexplained=self._unexplained,
            not_asked=self._not_asked,
            disagreeing=self._disagreeing,
            differing=self._differing,
        )

    def _work(self) -> Iterator[UnicodeAuditEvent]:
        yield from map(ImplementationMissing, self._plan.unavailable)
        for implementation in self._plan.implementations:
            seen: dict[str, Seen] = {}
            yield from self._of_implementation(implementation, seen)
            self._is_mute |= not seen
            for disagreement in disagreements(implementation.info, seen):
                self._disagreeing += 1
                yield disagreement
            if self._before is not None:
                yield from self._differences(*self._before, implementation.info, seen)
            self._before = implementation.info, seen

    def _conclusion(self) -> Conclusion:
        return conclusion_from(
            {
                Conclusion.IMPLEMENTATION_FAILED: self._plan.unavailable,
                Conclusion.NOTHING_COMPARED: not self._explained + self._unexplained or self._is_mute,
                Conclusion.DIFFERENCES: self._unexplained or self._differing,
            }
        )

    # One implementation

    def _of_implementation(self, implementation: Implementation, seen: dict[str, Seen]) -> Iterator[UnicodeAuditEvent]:
        info, probes = implementation.info, self._plan.probes
        STATUS.begin(info.name, "asking about all code points")
        found = self._looked(implementation)
        for number, probe in enumerate(probes):
            yield Reached(Place(f"{info.name} {info.version}", number, len(probes), "probes"))
            STATUS.at(probe.behaviours[0].name)
            yield from self._of_probe(next(found), info, probe, seen)

    def _looked(self, implementation: Implementation) -> Iterator[Found | CannotAskError]:
        """Yield what each probe sees of ``implementation``, in the order of the plan."""
        plan = self._plan
        selected = plan.selected.get(implementation.info.name)
        if plan.jobs == 1 or selected is None:
            return looked(implementation, plan.probes)
        return looked_by_processes(selected, plan.probes, plan.jobs)

    def _of_probe(
        self, found: Found | CannotAskError, info: ImplementationInfo, probe: Probe, seen: dict[str, Seen]
    ) -> Iterator[UnicodeAuditEvent]:
        for behaviour in self._plan.wanted(probe):
            sighting = None if isinstance(found, CannotAskError) else found.sightings.get(behaviour.name)
            if isinstance(found, CannotAskError) or sighting is None:
                self._not_asked += 1
                yield lines.NotAsked(
                    implementation=info.name,
                    implementation_version=info.version,
                    behaviour=behaviour.name,
                    question=behaviour.question,
                    reason=str(found) if isinstance(found, CannotAskError) else NOT_SHOWN,
                )
                continue
            seen[behaviour.name] = sighting.seen
            line = _explanation(info, behaviour, sighting, found.seconds / len(probe.behaviours))
            self._explained += line.is_explained
            self._unexplained += not line.is_explained
            yield line

    # Two implementations

    def _differences(
        self, one: ImplementationInfo, before: dict[str, Seen], other: ImplementationInfo, after: dict[str, Seen]
    ) -> Iterator[lines.Difference]:
        for name, seen in before.items():
            found = differing(seen, after[name]) if name in after else ()
            if found:
                self._differing += 1
                is_set = isinstance(found, CodePoints)
                yield lines.Difference(
                    one=lines.Named(implementation=one.name, implementation_version=one.version),
                    other=lines.Named(implementation=other.name, implementation_version=other.version),
                    behaviour=name,
                    count=len(found),
                    code_points=str(found) if is_set else "",
                    texts=() if isinstance(found, CodePoints) else found[:MOST_TEXTS],
                )


def _explanation(info: ImplementationInfo, behaviour: Behaviour, sighting: Sighting, seconds: float) -> lines.Behaviour:
    explanation = explained(sighting.seen)
    return lines.Behaviour(
        implementation=info.name,
        implementation_version=info.version,
        behaviour=behaviour.name,
        question=behaviour.question,
        about=behaviour.about,
        way=sighting.way,
        members=size_of(sighting.seen),
        digest=hashlib.sha256(written(sighting.seen).encode("utf-8", "surrogatepass")).hexdigest(),
        rule=explanation.rule.words,
        exact=not explanation.residual.count,
        fixed=explanation.rule.is_fixed,
        versions=explanation.versions,
        residual=explanation.residual,
        unanswered=str(sighting.unanswered),
        alone=sighting.alone,
        contradicted=str(sighting.contradicted),
        seconds=rounded(seconds),
    )
