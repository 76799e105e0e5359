"""Fake implementations that pretend to be releases of a package, each called after its version."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fake_implementations import Toy
from snapshots import corpus_of, named

from tokenizer_conformance.releases.versions.bisecting import CannotAskError
from tokenizer_conformance.releases.versions.engine import compare_releases
from tokenizer_conformance.releases.versions.events import StepFinished, VersionsFinished
from tokenizer_conformance.releases.versions.facts import Release
from tokenizer_conformance.releases.versions.plan import VersionsPlan

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tokenizer_adapters.contract import ImplementationInfo, Subject, TokenizerSource
    from tokenizer_conformance.inputs.text import Input
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

PACKAGE = "tokenizers"
"""The package whose releases fakes pretend to be: a ledger knows them by the name of what is registered."""


class Released:
    """A ``fake`` as the release ``version``, ``called`` so; it counts how often it was given a tokenizer."""

    def __init__(self, fake: Toy, version: str) -> None:
        self._fake = fake
        self._version = version
        self.called = f"{PACKAGE}=={version}"
        self.loads = 0

    @property
    def info(self) -> ImplementationInfo:
        return replace(self._fake.info, name=self.called, version=self._version)

    def load(self, source: TokenizerSource) -> Subject:
        self.loads += 1
        return self._fake.load(source)


def released(*fakes: type[Toy]) -> tuple[Release, ...]:
    """Return ``fakes`` as the releases 1.0, 2.0, … of one package."""
    found = []
    for number, fake in enumerate(fakes, 1):
        implementation = Released(fake(), f"{number}.0")
        found.append(Release(implementation.info.name, implementation.info.version, implementation))
    return tuple(found)


class Between:
    """Two releases between any two, one of which cannot be had."""

    def words(self, _old: str, _new: str) -> list[str]:
        return ["a==1.1", "a==1.2"]

    @contextmanager
    def opened(self, word: str) -> Iterator[Any]:
        if word == "a==1.1":
            raise CannotAskError("it is not there")
        yield Released(Toy(), "1.2")


TEXTS = ("abc", "aBc d", "x", "a-b", "zebra crossing", "éa 🎉b")


def plan_of(
    releases: Sequence[Release], files: Sequence[TokenizerFile], folder: Path, *sources: Sequence[Input], **options: Any
) -> VersionsPlan:
    """Return the plan of a comparison of ``releases``; causes take time, and are not looked for unasked."""
    given = {
        "releases": tuple(releases),
        "tokenizers": tuple(files),
        "words": {file.source.name: str(file.source.file) for file in files},
        "corpus": corpus_of(*(sources or (named(TEXTS),))),
        "folder": folder,
        "cause_seconds": 0.0,
    }
    return VersionsPlan(**(given | options))


def compared(plan: VersionsPlan) -> list[Any]:
    """Return the events of a comparison."""
    return list(compare_releases(plan))


def steps(events: Sequence[Any]) -> list[StepFinished]:
    return [event for event in events if isinstance(event, StepFinished)]


def last(events: Sequence[Any]) -> VersionsFinished:
    assert isinstance(events[-1], VersionsFinished)
    return events[-1]
