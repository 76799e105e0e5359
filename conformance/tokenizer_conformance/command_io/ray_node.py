"""What a node of a Ray cluster does: it hands jobs to a process of this package, and says what came of them.

The process (``worker_process``) is a child of Ray's: a text that kills it costs its own task, as in a pool of this
machine, and Ray does nothing again for that. It stays with Ray's process from job to job, so that tokenizers are loaded
once.
"""

from __future__ import annotations

import pickle
import platform
from dataclasses import dataclass
from typing import TYPE_CHECKING

import ray

from tokenizer_adapters.protocol.launch import CannotStartError
from tokenizer_conformance.command_io.parcels import is_here, releases, unpack
from tokenizer_conformance.command_io.pickled_lines import line_of, line_of_pickled, pickled_in
from tokenizer_conformance.command_io.worker_pool import HeldProcess, LostPoolError, LostProcessError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tokenizer_conformance.command_io.parcels import Listed, Parcel
    from tokenizer_conformance.command_io.ray_messages import Job, Setup


@dataclass(frozen=True, slots=True)
class Sent:
    """Where in Ray's object store the setup is, and the parcels by their digests."""

    setup: ray.ObjectRef[Setup]
    parcels: Mapping[str, ray.ObjectRef[Parcel]]


_HELD: dict[ray.ObjectRef[Setup], HeldProcess] = {}
"""The process of this one by the setup of it; there is one at most."""

_HERE: set[str] = set()
"""The digests of parcels that this process has looked for."""


def answered(sent: Sent, job: Job) -> bytes | Exception:
    """Return what comes of ``job``, pickled, or why nothing does."""
    try:
        _see_to(job.parcels, sent)
        return pickled_in(_process(sent).answer(line_of_pickled(job.pickled), job.seconds))
    except (LostProcessError, LostPoolError, CannotStartError) as error:
        return error
    except OSError as error:
        return LostPoolError(f"node {platform.node()} has no place for files of tokenizers: {error}")


def _process(sent: Sent) -> HeldProcess:
    if sent.setup not in _HELD:
        while _HELD:
            _HELD.popitem()[1].kill()
        setup = ray.get(sent.setup)
        _refuse_other_releases(setup.releases)
        _see_to(setup.parcels, sent)
        program, value, limits = pickle.loads(setup.pickled)  # noqa: S301 - written by a process of this package
        _HELD[sent.setup] = HeldProcess(program, line_of(value), limits)
    return _HELD[sent.setup]


def _see_to(parcels: Iterable[Listed], sent: Sent) -> None:
    """Have the files of ``parcels`` on this machine."""
    for listed in parcels:
        if listed.digest not in _HERE:
            if not is_here(listed):
                unpack(ray.get(sent.parcels[listed.digest]))
            _HERE.add(listed.digest)


def _refuse_other_releases(wanted: Mapping[str, str]) -> None:
    here = releases()
    for name, release in wanted.items():
        if here[name] != release:
            raise LostPoolError(
                f"node {platform.node()} has {name} {here[name]}, and the machine of the command {release}: install "
                "the same release on all nodes"
            )
