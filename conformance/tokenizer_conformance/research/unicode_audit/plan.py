"""What is to be audited."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_conformance.research.unicode_audit.behaviours import PROBES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.contract import Implementation
    from tokenizer_adapters.selection import Selected
    from tokenizer_conformance.rejected import Rejected
    from tokenizer_conformance.research.unicode_audit.behaviours import Probe


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
        return tuple(probe for probe in PROBES if any(map(self.wants, (each.name for each in probe.behaviours))))

    def wants(self, name: str) -> bool:
        """Return whether the behaviour called ``name`` is asked about."""
        return not self.behaviours or name in self.behaviours
