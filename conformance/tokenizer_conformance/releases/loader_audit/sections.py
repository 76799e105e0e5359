"""What a page says of one loader on one tokenizer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.markdown import Markdown, as_block, as_words
from tokenizer_conformance.releases.loader_audit.events import LoaderRefused, TokenizerLoaded
from tokenizer_conformance.releases.loader_audit.witness import NoWitness
from tokenizer_conformance.releases.loader_audit.wording import (
    behaviour_line,
    change_lines,
    defaults_lines,
    finding_headline,
    finding_lines,
    headline,
    impact_line,
    witness_lines,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.releases.loader_audit.events import DifferenceJudged, LoaderAudited

MOST_FINDINGS = 8
"""How many findings of answers are shown of one loader; the record has all."""


@dataclass(slots=True)
class Section:
    """What was loaded, or why it was not; the ``differences``, and what the answers come to."""

    loaded: TokenizerLoaded | LoaderRefused
    baseline: str
    differences: list[DifferenceJudged] = field(default_factory=list)
    audited: LoaderAudited | None = None

    @property
    def tokenizer(self) -> str:
        """The name of the tokenizer."""
        return self.loaded.tokenizer.source.name

    @property
    def loader(self) -> str:
        """The name of the loader and its version."""
        return f"{self.loaded.loader.name} {self.loaded.loader.version}"

    @property
    def class_name(self) -> str:
        """The class of the object that was loaded; empty where that is not known."""
        loaded = self.loaded
        return loaded.defaults.loader if isinstance(loaded, TokenizerLoaded) and loaded.defaults else ""

    @property
    def replaced(self) -> str:
        """The names of what is replaced, those without a witness in brackets."""
        if isinstance(self.loaded, LoaderRefused):
            return "not loaded"
        names = [
            f"({each.difference.name})" if isinstance(each.witness, NoWitness) else each.difference.name
            for each in self.differences
        ]
        return ", ".join(names) or ("nothing to compare: it writes none" if self.loaded.no_structure else "nothing")

    @property
    def says_nothing(self) -> bool:
        """Whether all is as in the file: the table has said it."""
        behaviour = None if self.audited is None else self.audited.behaviour
        is_loaded = isinstance(self.loaded, TokenizerLoaded) and behaviour is not None and bool(behaviour.values)
        return is_loaded and not self.differences and behaviour is not None and not behaviour.differing

    @property
    def answers(self) -> str:
        """How many answers differ, in a few words."""
        behaviour = None if self.audited is None else self.audited.behaviour
        if behaviour is None:
            return "–"
        unexplained = behaviour.differing - behaviour.explained
        suffix = f", {unexplained:,} unexplained" if unexplained and not self._has_no_structure else ""
        return f"{behaviour.differing:,} of {behaviour.inputs:,}{suffix}"

    @property
    def _has_no_structure(self) -> bool:
        return isinstance(self.loaded, TokenizerLoaded) and bool(self.loaded.no_structure)

    @property
    def notes(self) -> list[str]:
        """What is to be known of what was loaded."""
        loaded = self.loaded
        if isinstance(loaded, LoaderRefused):
            return [loaded.reason]
        notes = [f"components cannot be compared, only answers: {loaded.no_structure}"] if loaded.no_structure else []
        return notes + ([] if loaded.defaults is None else list(defaults_lines(loaded.defaults)))

    @property
    def items(self) -> Iterator[Markdown]:
        """Each difference: what was replaced, in a block what it is and what shows it."""
        for number, event in enumerate(self.differences, start=1):
            lines = [*change_lines(event.difference), *witness_lines(event)]
            if event.impact is not None:
                lines.append(impact_line(event.impact))
            yield Markdown(f"**{number}. {as_words(headline(event))}**\n\n{as_block(lines)}")

    @property
    def behaviour(self) -> Iterator[Markdown]:
        """What the answers come to, with the findings that nothing explains."""
        if self.audited is None:
            return
        behaviour = self.audited.behaviour
        yield as_words(behaviour_line(behaviour, has_structure=not self._has_no_structure))
        for finding in behaviour.findings[:MOST_FINDINGS]:
            lines = finding_lines(finding, self.baseline, self.loaded.loader.name)
            yield Markdown(f"{as_words(finding_headline(finding))}\n\n{as_block(lines)}")
        if len(behaviour.findings) > MOST_FINDINGS:
            yield as_words(f"and {len(behaviour.findings) - MOST_FINDINGS} findings more, in the record (--json)")
