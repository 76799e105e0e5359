"""Releases to collect facts of: ones with a fault planted, and packages that are made up in environments."""

from __future__ import annotations

import sys
import venv
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_conformance.releases.versions.facts import Fact, Release, section_result

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokenizer_adapters.contract import Implementation, Subject, TokenizerSource
    from tokenizer_conformance.results.records.versions import SectionChange


@dataclass(frozen=True)
class Faulty:
    """An implementation in whose place another one answers, but for what it loads: ``changed`` may refuse or change."""

    implementation: Implementation
    changed: Callable[[TokenizerSource, Subject], Subject]

    @property
    def info(self) -> Any:
        return self.implementation.info

    def load(self, source: TokenizerSource) -> Subject:
        return self.changed(source, self.implementation.load(source))


def faulty(release: Release, changed: Callable[[TokenizerSource, Subject], Subject]) -> Release:
    """Return ``release`` with a fault planted."""
    return Release(release.word, "99", Faulty(release.implementation, changed))


def refusing(word: str) -> Callable[[TokenizerSource, Subject], Subject]:
    """Return a fault: files with ``word`` in them are refused."""

    def changed(source: TokenizerSource, subject: Subject) -> Subject:
        if word in Path(source.file).read_text("ascii"):
            raise CannotLoadError(f"tokenizers cannot load {source.name} ({source.file}): no {word} today at 0x7f00aa")
        return subject

    return changed


def changes(section: str, old: Mapping[str, Fact], new: Mapping[str, Fact]) -> dict[str, SectionChange]:
    """Return what a section reports between two releases, by name."""
    return {change.name: change for change in section_result(section, {"1": old, "2": new}).changes}


@dataclass(frozen=True)
class MadeUp:
    """Makes environments of this Python with a package ``tokenizers`` that is made up."""

    folder: Path

    def __call__(self, version: str, files: Mapping[str, str]) -> str:
        """Make one, with ``files`` of the package by name, and return the word that selects it."""
        folder = self.folder / version
        venv.EnvBuilder(with_pip=False, symlinks=True).create(folder)
        site = (
            next(folder.glob("lib/python*/site-packages")) if sys.platform != "win32" else folder / "Lib/site-packages"
        )
        for name, text in files.items():
            place = site / "tokenizers" / name
            place.parent.mkdir(exist_ok=True)
            place.write_text(text, encoding="utf-8")
        information = site / f"tokenizers-{version}.dist-info"
        information.mkdir()
        (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: tokenizers\nVersion: {version}\n")
        return f"tokenizers@{folder}"
