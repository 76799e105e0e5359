"""The snapshot of each release: made once, and taken again by a run that goes on, or asks the same."""

from __future__ import annotations

import hashlib
import importlib.resources
import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.environments.pinned import environment_of
from tokenizer_adapters.environments.store import read_description
from tokenizer_adapters.environments.words import Pin, is_release, read
from tokenizer_adapters.registry import RegistryError
from tokenizer_conformance.command_io.environment import version
from tokenizer_conformance.command_io.internal_error import InternalError
from tokenizer_conformance.command_io.status import Place
from tokenizer_conformance.compression import SMALLEST
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.releases.snapshot.engine import SnapshotPlan, make_snapshot
from tokenizer_conformance.releases.snapshot.events import PartMade, SnapshotFinished
from tokenizer_conformance.releases.snapshot.writing import SnapshotReport
from tokenizer_conformance.releases.snapshot_file.parts import LoadedTokenizer
from tokenizer_conformance.releases.snapshot_file.placed_file import PlacedFile
from tokenizer_conformance.releases.snapshot_file.reader import Snapshot, read_snapshot
from tokenizer_conformance.releases.versions.truncated import shows_truncation

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

    from tokenizer_conformance.releases.versions.facts import Release
    from tokenizer_conformance.releases.versions.plan import VersionsPlan

SUFFIX = f".jsonl{SMALLEST}"

PACKAGES = ("tokenizer_adapters", "tokenizer_conformance")


@dataclass(frozen=True, slots=True)
class SnapshotReady:
    """The snapshot of ``release`` is there; ``is_kept`` tells whether it was there before."""

    release: str
    version: str
    loaded: int
    refused: int
    is_kept: bool
    seconds: float
    asking: float
    size: int


class SnapshotFailedError(Exception):
    """The snapshot of a release cannot be made; the message says why."""


def snapshot_path(plan: VersionsPlan, release: Release) -> Path:
    """Return where the snapshot of ``release`` is kept: under a name that follows from all it depends on."""
    asked = {
        "tokconf": version(),
        "asked by": _digest_of_code(),
        "release": [release.word, release.version, _installed_beside(release.word)],
        "tokenizers": [[each.source.name, each.sha256, plan.words[each.source.name]] for each in plan.asked],
        "inputs": plan.corpus.sha256,
        "stages": list(plan.stages),
    }
    digest = hashlib.sha256(json.dumps(asked).encode("ascii")).hexdigest()[:16]
    name = "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in release.word)
    return plan.folder / f"{name}-{digest}{SUFFIX}"


@cache
def _digest_of_code() -> str:
    """Return the digest of the code that asks and answers: another adapter may give another answer."""
    digest = hashlib.sha256()
    adapters, harness = (Path(str(importlib.resources.files(package))) for package in PACKAGES)
    here = Path(__file__).with_name("truncated.py")
    asking = [
        here,
        harness / "comparison" / "questions.py",
        *sorted((harness / "releases" / "snapshot_file").glob("*.py")),
    ]
    for path in (*sorted(adapters.rglob("*.py")), *asking):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _installed_beside(word: str) -> Mapping[str, str]:
    """Return the packages in the environment of the release that ``word`` selects, with their versions.

    A release of one package depends on releases of others: transformers on tokenizers.
    """
    try:
        description = read_description(environment_of(word).folder)
    except RegistryError:  # a word that selects no release, but an implementation that is here
        return {}
    return {} if description is None else description["installed"]


def kept_snapshot(plan: VersionsPlan, release: Release) -> Snapshot | None:
    """Return the snapshot of ``release`` that an earlier run has made, whole; ``None`` where there is none.

    Only a release of a package stays what it is: a program, a class, or what an environment of the user's holds may
    have changed, and be called the same, so of these none is kept.
    """
    path = snapshot_path(plan, release)
    if not _is_pinned(release.word) or not path.is_file():
        return None
    try:
        found = read_snapshot(path)
    except BadInputError:
        return None
    return found if found.is_whole and _is_of(found, plan, release) else None


def _is_pinned(word: str) -> bool:
    """Return whether ``word`` names one release of a package, in an environment of its own.

    >>> [_is_pinned(word) for word in ("tokenizers==0.23.3", "tokenizers", "mine:Class", "tokenizers@.venv")]
    [True, False, False, False]
    """
    return is_release(word) and isinstance(read(word), Pin)


def _is_of(snapshot: Snapshot, plan: VersionsPlan, release: Release) -> bool:
    """Return whether ``snapshot`` is what its name says: files can be exchanged."""
    header = snapshot.header
    return (
        (header.selected_by, header.info.name, header.info.version)
        == (release.word, release.implementation.info.name, release.version)
        and [(each.name, each.sha256) for each in header.tokenizers]
        == [(each.source.name, each.sha256) for each in plan.asked]
        and header.inputs.sha256 == plan.corpus.sha256
        and header.stages == plan.stages
    )


def made_snapshot(plan: VersionsPlan, release: Release) -> Generator[PartMade, None, Snapshot]:
    """Make the snapshot of ``release``, and return it.

    Raises :class:`SnapshotFailedError`, ``OSError`` where it cannot be written, and ``KeyboardInterrupt``.
    """
    path = snapshot_path(plan, release)
    file = PlacedFile(path)
    try:
        report = SnapshotReport(file)
        order = SnapshotPlan(
            implementation=release.implementation,
            word=release.word,
            tokenizers=plan.asked,
            asks={each.source.name: shows_truncation for each in plan.truncated},
            words=plan.words,
            corpus=plan.corpus,
            stages=plan.stages,
            command=plan.command,
        )
        begun = 0
        for event in make_snapshot(order):
            if isinstance(event, InternalError):
                raise SnapshotFailedError(str(event.error)) from event.error
            report.handle(event)
            if isinstance(event, PartMade):
                begun += isinstance(event.part, LoadedTokenizer)
                yield replace(event, place=_place(plan, release, event.place, begun))
            if isinstance(event, SnapshotFinished) and not event.finished:
                raise SnapshotFailedError(event.reason or "it was not finished")
    finally:
        # What is not whole is made anew by the next run: it would only take the room that is lacking.
        file.close()
        file.discard()
    return read_snapshot(path)


def _place(plan: VersionsPlan, release: Release, place: Place, begun: int) -> Place:
    """Return how far the snapshot of ``release`` is, in inputs of all tokenizers, of which so many are ``begun``.

    Those that are written first come apart.
    """
    name, total = f"{release.word}, {place.name}", plan.corpus.count
    if not begun:
        return Place(name, place.done, place.total)
    return Place(name, (begun - 1) * total + place.done, len(plan.asked) * total)


def ready(plan: VersionsPlan, release: Release, snapshot: Snapshot, *, is_kept: bool) -> SnapshotReady:
    """Return what is told of the ``snapshot`` of ``release``: of the tokenizers as they were given."""
    errors = [each.error for each in snapshot.tokenizers[: len(plan.tokenizers)]]
    footer = snapshot.footer
    return SnapshotReady(
        release=release.word,
        version=release.version,
        loaded=errors.count(None),
        refused=len(errors) - errors.count(None),
        is_kept=is_kept,
        seconds=0.0 if footer is None else footer.seconds,
        asking=0.0 if footer is None else footer.asking,
        size=snapshot.path.stat().st_size,
    )
