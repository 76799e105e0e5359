"""What one probe sees of an implementation: in this process, or in several that look at different probes."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tokenizer_adapters.protocol.process import Limits
from tokenizer_conformance.command_io.internal_error import in_short
from tokenizer_conformance.command_io.worker_pool import WorkerPool, answer_of
from tokenizer_conformance.command_io.worker_process import program
from tokenizer_conformance.research.unicode_audit.asking import Asking
from tokenizer_conformance.research.unicode_audit.behaviours import PROBES
from tokenizer_conformance.research.unicode_audit.documents import CannotAskError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from tokenizer_adapters.contract import Implementation
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


class BrokenLookError(Exception):
    """A process met a bug, here or in an adapter. The message says which."""


def look(asking: Asking, probe: Probe) -> Found | CannotAskError:
    """Return what ``probe`` sees of the implementation that ``asking`` asks, or why it cannot be asked."""
    began = time.monotonic()
    try:
        return Found(probe.look(asking), time.monotonic() - began)
    except CannotAskError as error:
        return error


def looked(implementation: Implementation, probes: Iterable[Probe]) -> Iterator[Found | CannotAskError]:
    """Yield what each of ``probes`` sees of ``implementation``, which is asked in this process."""
    with Asking(implementation) as asking:
        for probe in probes:
            yield look(asking, probe)


def looked_by_processes(selected: Selected, probes: Iterable[Probe], jobs: int) -> Iterator[Found | CannotAskError]:
    """Yield what ``probes`` see, in their order; ``jobs`` processes look.

    Each builds the implementation that is ``selected`` for itself. Raises :class:`BrokenLookError`, and
    :class:`~tokenizer_conformance.command_io.worker_pool.LostProcessError` where a process ends over a probe.
    """
    looks = program("a process that looks at characters")
    pool = WorkerPool[int, Found | CannotAskError | BrokenLookError](
        looks, partial(begin, selected), jobs, Limits(), PATIENCE
    )
    with pool:
        for _, future in pool.in_order(map(PROBES.index, probes)):
            found = answer_of(future)
            if isinstance(found, BrokenLookError):
                raise found
            yield found


def begin(selected: Selected) -> Callable[[int], object]:
    """Return what looks, in a process of a pool, at the probe of a number."""
    # The folder that documents are written to stays until the process ends.
    asking = ExitStack().enter_context(Asking(selected.build()))
    return lambda number: safely(asking, PROBES[number])


def safely(asking: Asking, probe: Probe) -> Found | CannotAskError | BrokenLookError:
    """Return what :func:`look` does, or what was wrong: an error that nobody expected must not end a process."""
    try:
        return look(asking, probe)
    except Exception as error:  # noqa: BLE001 - it ends the command in good order
        return BrokenLookError(in_short(error))
