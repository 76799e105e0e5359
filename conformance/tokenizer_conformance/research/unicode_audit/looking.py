"""What one probe sees of an implementation: in this process, or in several that look at different probes."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.protocol.process import Limits
from tokenizer_conformance.command_io.internal_error import in_short
from tokenizer_conformance.command_io.worker_pool import WorkerPool, answer_of
from tokenizer_conformance.research.unicode_audit.asking import Asking, CannotAskError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tokenizer_adapters.contract import Implementation
    from tokenizer_adapters.protocol.launch import Program
    from tokenizer_adapters.selection import Selected
    from tokenizer_conformance.research.unicode_audit.behaviours import Probe
    from tokenizer_conformance.research.unicode_audit.sightings import Sighting

PATIENCE = 1800.0
"""Seconds: a process that takes longer over a probe counts as lost. Answers have their own, shorter limit."""


@dataclass(frozen=True, slots=True)
class Found:
    """What was seen of each behaviour of a probe, by its name, and how many ``seconds`` that took."""

    sightings: Mapping[str, Sighting]
    seconds: float


@dataclass(frozen=True, slots=True)
class CannotTell:
    """The implementation cannot be asked; ``reason`` says why."""

    reason: str


@dataclass(frozen=True, slots=True)
class Broken:
    """There is a bug, here or in an adapter."""

    reason: str


class BrokenLookError(Exception):
    """A process met a bug. The message says which."""


def look(asking: Asking, probe: Probe) -> Found | CannotTell:
    """Return what ``probe`` sees of the implementation that ``asking`` asks."""
    began = time.monotonic()
    try:
        return Found(probe.look(asking), time.monotonic() - began)
    except CannotAskError as error:
        return CannotTell(str(error))


def looked(implementation: Implementation, probes: Iterable[Probe]) -> Iterator[Found | CannotTell]:
    """Yield what each of ``probes`` sees of ``implementation``, which is asked in this process."""
    with Asking(implementation) as asking:
        for probe in probes:
            yield look(asking, probe)


def looked_by_processes(
    program: Program, selected: Selected, numbers: Iterable[int], jobs: int
) -> Iterator[Found | CannotTell]:
    """Yield what the probes with these ``numbers`` see, in their order; ``jobs`` processes of ``program`` look.

    Each builds the implementation that is ``selected`` for itself. Raises :class:`BrokenLookError`, and
    :class:`~tokenizer_conformance.command_io.worker_pool.LostProcessError` where a process ends over a probe.
    """
    with WorkerPool[int, Found | CannotTell | Broken](program, selected, jobs, Limits(), PATIENCE) as pool:
        for _, future in pool.in_order(iter(numbers)):
            found = answer_of(future)
            if isinstance(found, Broken):
                raise BrokenLookError(found.reason)
            yield found


def safely(asking: Asking, probe: Probe) -> Found | CannotTell | Broken:
    """Return what :func:`look` does, or what was wrong: an error that nobody expected must not end a process."""
    try:
        return look(asking, probe)
    except Exception as error:  # noqa: BLE001 - it ends the command in good order
        return Broken(in_short(error))
