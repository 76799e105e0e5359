"""Appending what a run finds to a ledger: an entry for each new difference, for people to say why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.environments.words import known_as
from tokenizer_conformance.command_io.ledger_update import NOWHERE, append_entries
from tokenizer_conformance.comparison.findings import MOST_IDS
from tokenizer_conformance.comparison.wording import describe, example_headline, subject_lines
from tokenizer_conformance.ledger.entry import Entry
from tokenizer_conformance.ledger.names import pattern_of
from tokenizer_conformance.ledger.versions import range_of
from tokenizer_conformance.plural import counted
from tokenizer_conformance.validation.running.events import Replayed, RunFinished, RunStarted, TokenizerFinished

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from tokenizer_conformance.comparison.findings import Finding
    from tokenizer_conformance.validation.running.events import Event


class LedgerUpdate:
    """Appends an entry without a reason to the ledger at ``path`` for each new difference of a run, when it is over.

    What follows from a new difference has no entry: it is known once that difference is.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._run: RunStarted | None = None
        self._new: list[tuple[Entry, str]] = []

    def add(self, entries: Iterable[tuple[Entry, str]]) -> None:
        """Add ``entries``, each with a comment, to those that are written in the end."""
        self._new += entries

    def handle(self, event: Event) -> None:
        """Take in ``event``; at the end, write. Raises ``OSError`` where that cannot be done."""
        match event:
            case RunStarted():
                self._run = event
            case Replayed(recorded):
                self.handle(recorded)
            case TokenizerFinished() if self._run is not None:
                self._new += new_entries(event, self._run)
            case RunFinished():
                append_entries(self._path, self._new)
            case _:
                pass


def new_entries(finished: TokenizerFinished, run: RunStarted) -> Iterator[tuple[Entry, str]]:
    """Yield an entry for each new difference on a tokenizer, with a comment that shows it.

    Fields that differ in one manner, at one stage and on the same inputs, have one entry.
    """
    groups: dict[object, list[Finding]] = {}
    for finding in finished.findings:
        if not finding.is_consequence:
            signature = finding.signature
            key = (signature.implementation, signature.stage, signature.kind, finding.own_inputs)
            groups.setdefault((*key, signature.field is None), []).append(finding)
    for findings in groups.values():
        yield _entry(findings, finished.tokenizer, run), _comment(findings)


def _entry(findings: list[Finding], tokenizer: str, run: RunStarted) -> Entry:
    signature = findings[0].signature
    inputs = findings[0].own_inputs
    return Entry(
        implementation=known_as(signature.implementation),
        version=range_of(run.info(signature.implementation).version),
        baselines=(known_as(run.baseline),),
        tokenizers=(pattern_of(tokenizer),),
        stages=(signature.stage,),
        fields=_unique(finding.signature.field for finding in findings),
        classes=(signature.kind,),
        inputs=tuple(map(pattern_of, inputs)) if len(inputs) < MOST_IDS else (),
        reason="",
        place=NOWHERE,
    )


def _unique(fields: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(field for field in fields if field is not None))


def _comment(findings: list[Finding]) -> str:
    finding = max(findings, key=lambda each: each.inputs)
    example = finding.smallest
    subject = ", ".join(" ".join(line.split(None, 1)) for line in subject_lines(example.question, example.near))
    of_input = example_headline(example).split(", ", 1)[0]
    return f"{counted(finding.inputs, 'input')}; {of_input}: {describe(example.question)}: {subject}"
