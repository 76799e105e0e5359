"""Appending what a run finds to a ledger: an entry for each new difference, for people to say why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.environments.words import known_as
from tokenizer_conformance.causes.wording import reason_in_words, what_differs
from tokenizer_conformance.command_io import ledger_update
from tokenizer_conformance.command_io.ledger_update import new_entry
from tokenizer_conformance.comparison.findings import MOST_INPUTS
from tokenizer_conformance.comparison.wording import describe, example_headline, subject_lines
from tokenizer_conformance.ledger.names import pattern_of
from tokenizer_conformance.plural import counted
from tokenizer_conformance.validation.running.events import (
    CausesSought,
    Replayed,
    RunFinished,
    RunStarted,
    TokenizerFinished,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from tokenizer_conformance.causes.cause import Cause
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
        self._finished: dict[str, TokenizerFinished] = {}

    def entries_of(self, event: Event) -> Iterator[tuple[Entry, str]]:
        """Yield in the end an entry for each new difference, with a comment: its causes come late."""
        match event:
            case RunStarted():
                self._run = event
            case Replayed(recorded):
                yield from self.entries_of(recorded)
            case TokenizerFinished():
                self._finished[event.tokenizer] = event
            case CausesSought():
                self._finished[event.tokenizer] = event.of(self._finished[event.tokenizer])
            case RunFinished() if self._run is not None:
                for finished in self._finished.values():
                    yield from new_entries(finished, self._run)
            case _:
                pass


def new_entries(finished: TokenizerFinished, run: RunStarted) -> Iterator[tuple[Entry, str]]:
    """Yield an entry for each cause of the new differences on a tokenizer, with a comment that shows it.

    Fields that differ in one manner, at one stage and on the same inputs, have one entry; it names these inputs.
    """
    groups: dict[object, list[Finding]] = {}
    for finding in finished.findings:
        if not finding.is_consequence:
            signature = finding.signature
            key = (signature.implementation, signature.stage, signature.kind, _inputs_of(finding))
            groups.setdefault((*key, signature.field is None), []).append(finding)
    for findings in groups.values():
        for cause, inputs in _by_cause(findings, finished.causes):
            yield _entry(findings, finished.tokenizer, run, inputs), _comment(findings, cause, inputs)


def _inputs_of(finding: Finding) -> tuple[str, ...]:
    return finding.every_input or finding.own_inputs


def _by_cause(findings: list[Finding], causes: Iterable[Cause]) -> Iterator[tuple[Cause | None, tuple[str, ...]]]:
    """Yield each cause of ``findings`` with the inputs that show it; and the inputs of which no cause is known."""
    left = dict.fromkeys(_inputs_of(findings[0]))
    every = frozenset(left)
    signatures = {each.signature for each in findings}
    for cause in causes:
        inputs = tuple(each for each in cause.every_input or cause.examples if each in every)
        if inputs and not signatures.isdisjoint(cause.findings):
            yield cause, inputs
            for each in inputs:
                left.pop(each, None)
    if left or not every:
        yield None, tuple(left)


def _entry(findings: list[Finding], tokenizer: str, run: RunStarted, inputs: tuple[str, ...]) -> Entry:
    signature = findings[0].signature
    return new_entry(
        run.info(signature.implementation),
        baselines=(known_as(run.baseline),),
        tokenizers=(pattern_of(tokenizer),),
        stages=(signature.stage,),
        fields=_unique(finding.signature.field for finding in findings),
        classes=(signature.kind,),
        inputs=tuple(map(pattern_of, inputs)) if len(inputs) < MOST_INPUTS else (),
    )


def _unique(fields: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(field for field in fields if field is not None))


def _comment(findings: list[Finding], cause: Cause | None, inputs: tuple[str, ...]) -> str:
    finding = max(findings, key=lambda each: each.inputs)
    example = finding.smallest
    subject = ", ".join(" ".join(line.split(None, 1)) for line in subject_lines(example.question, example.near))
    of_input = example_headline(example).split(", ", 1)[0]
    told = f"{of_input}: {describe(example.question)}: {subject}"
    if cause is not None:
        told = f"{reason_in_words(cause)}: {what_differs(cause)}"
    return f"{counted(len(inputs) or finding.inputs, 'input')}; {told}"
