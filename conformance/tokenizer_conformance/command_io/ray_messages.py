"""What a command, the program that speaks with Ray for it, and the nodes of a cluster say to each other.

Nothing of Ray is imported here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_conformance.command_io.parcels import Listed


@dataclass(frozen=True, slots=True)
class Setup:
    """What a process on a node is set up with.

    ``pickled`` are the program that it runs, its setup and its limits; they need ``parcels``. ``releases`` are those of
    packages on the machine of the command.
    """

    pickled: bytes
    parcels: tuple[Listed, ...]
    releases: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Job:
    """A task, ``pickled``, which needs ``parcels`` and may take ``seconds``."""

    pickled: bytes
    parcels: tuple[Listed, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Join:
    """Join the cluster at ``address``, or start one here, where that is empty.

    ``jobs`` processes work, 0: as many as there are processors. ``modules`` are files and folders that nodes import.
    """

    address: str
    jobs: int
    modules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Joined:
    """A cluster was joined that has so many ``nodes`` and ``processors``."""

    nodes: int
    processors: int
