"""Appending what a run finds to a ledger: an entry for each new difference, for people to say why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.environments.words import known_as
from tokenizer_conformance.command_io import ledger_update
from tokenizer_conformance.command_io.ledger_update import new_entry
from tokenizer_conformance.comparison.findings import MOST_IDS
from tokenizer_conformance.comparison.wording import describe, example_headline, subject_lines
from tokenizer_conformance.ledger.names import pattern_of
from tokenizer_conformance.plural import counted
from tokenizer_conformance.validation.running.events import Replayed, RunStarted, TokenizerFinished

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from tokenizer_conformance.comparison.findings import Finding
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.validation.running.events import Event


class LedgerUpdate(ledger_update.LedgerUpdate["Event"]):
    """Appends an entry without a reason to a ledger for each new difference of a run, when it is over.

    What follows from a new difference has no entry: it is known once that difference is.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._run: RunStarted | None = None

    def entries_of(self, event: Event) -> Iterator[tuple[Entry, str]]:
        """Yield an entry for each new difference in ``event``, with a comment."""
        match event:
            case RunStarted():
                self._run = event
            case Replayed(recorded):
                yield from self.entries_of(recorded)
            case TokenizerFinished() if self._run is not None:
                yield from new_entries(event, self._run)
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
    return new_entry(
        run.info(signature.implementation),
        baselines=(known_as(run.baseline),),
        tokenizers=(pattern_of(tokenizer),),
        stages=(signature.stage,),
        fields=_unique(finding.signature.field for finding in findings),
        classes=(signature.kind,),
        inputs=tuple(map(pattern_of, inputs)) if len(inputs) < MOST_IDS else (),
    )


def _unique(fields: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(field for field in fields if field is not None))


def _comment(findings: list[Finding]) -> str:
    finding = max(findings, key=lambda each: each.inputs)
    example = finding.smallest
    subject = ", ".join(" ".join(line.split(None, 1)) for line in subject_lines(example.question, example.near))
    of_input = example_headline(example).split(", ", 1)[0]
    return f"{counted(finding.inputs, 'input')}; {of_input}: {describe(example.question)}: {subject}"
