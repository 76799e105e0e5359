"""Which engine does the tasks of a command: processes on this machine, or on the nodes of a Ray cluster."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.ray_pool import RayPool
from tokenizer_conformance.command_io.worker_pool import WorkerPool

if TYPE_CHECKING:
    from tokenizer_adapters.protocol.launch import Program
    from tokenizer_adapters.protocol.process import Limits
    from tokenizer_conformance.command_io.worker_pool import Pool


class Engine(StrEnum):
    """Who does the tasks of a command."""

    LOCAL = "local"
    RAY = "ray"


def is_done_here(engine: Engine, jobs: int) -> bool:
    """Return whether no other processes than this one do the tasks."""
    return engine is Engine.LOCAL and jobs == 1


def pool_of(
    engine: Engine, program: Program, setup: object, jobs: int, limits: Limits, patience: float
) -> Pool[Any, Any]:
    """Return ``jobs`` processes of ``engine``; of Ray 0 are as many as there are processors."""
    kind = RayPool if engine is Engine.RAY else WorkerPool
    return kind(program, setup, jobs, limits, patience)
