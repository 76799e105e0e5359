"""All sections, by name, in the order in which they are collected and shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.releases.versions.sections.defaults import Defaults
from tokenizer_conformance.releases.versions.sections.refusals import Refusals
from tokenizer_conformance.releases.versions.sections.saved import Saved
from tokenizer_conformance.releases.versions.sections.suite import SuiteCases
from tokenizer_conformance.releases.versions.sections.training import Training

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokenizer_conformance.releases.versions.facts import Section

_CLASSES = (Defaults, Refusals, Saved, SuiteCases, Training)

SECTIONS: Mapping[str, Callable[[], Section]] = {section.name: section for section in _CLASSES}
"""What makes a section, by its name. A section is made anew for each comparison: it may remember earlier releases."""

TITLES: Mapping[str, str] = {section.name: section.title for section in _CLASSES}
"""What the facts of each section are about."""
