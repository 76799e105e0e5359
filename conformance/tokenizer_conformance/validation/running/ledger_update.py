"""Appending what a run finds to a ledger: an entry for each new difference, for people to say why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Field
from tokenizer_adapters.environments.words import known_as
from tokenizer_conformance.causes.wording import reason_in_words, what_differs
from tokenizer_conformance.command_io import ledger_update
from tokenizer_conformance.command_io.ledger_update import new_entry
from tokenizer_conformance.comparison.findings import length_of
from tokenizer_conformance.comparison.wording import describe, subject_lines
from tokenizer_conformance.inputs.builtin import builtin_categories
from tokenizer_conformance.ledger.entry import VOCABULARY
from tokenizer_conformance.ledger.names import pattern_of
from tokenizer_conformance.plural import counted
from tokenizer_conformance.validation.running.events import (
    CausesSought,
    Replayed,
    RunFinished,
    RunStarted,
    TokenizerFinished,
)
from tokenizer_conformance.validation.running.seen import DifferencesSeen
from tokenizer_conformance.validation.running.vocabularies import names_for_ledger, vocabulary_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from tokenizer_adapters.contract import Stage
    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.validation.running.events import Event
    from tokenizer_conformance.validation.running.seen import Seen


class LedgerUpdate(ledger_update.LedgerUpdate["Event"]):
    """Appends an entry without a reason to a ledger for each new difference of a run, when it is over."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._run: RunStarted | None = None
        self._finished: dict[str, TokenizerFinished] = {}
        self._seen: dict[str, DifferencesSeen] = {}
        self._causes: dict[str, tuple[Cause, ...]] = {}

    def entries_of(self, event: Event) -> Iterator[tuple[Entry, str]]:
        """Yield in the end an entry for each cause of new differences, with a comment: causes come late."""
        match event:
            case RunStarted():
                self._run = event
            case Replayed(recorded):
                yield from self.entries_of(recorded)
            case TokenizerFinished():
                self._finished[event.tokenizer] = event
                self._causes[event.tokenizer] = event.causes
            case CausesSought():
                self._causes[event.tokenizer] = event.causes
            case DifferencesSeen():
                self._seen[event.tokenizer] = event
            case RunFinished() if self._run is not None:
                for finished in self._finished.values():
                    yield from _of_vocabularies(finished, self._run)
                for tokenizer, found in self._seen.items():
                    yield from new_entries(found, self._causes.get(tokenizer, ()), self._run)
            case _:
                pass


def new_entries(found: DifferencesSeen, causes: Sequence[Cause], run: RunStarted) -> Iterator[tuple[Entry, str]]:
    """Yield an entry for each cause of what was ``found``, stage by stage, with a comment that shows it.

    Where no cause is known, what differs in the same fields in the same manner has one entry. What follows from other
    differences is told by the answers of their entry.
    """
    cause_of = _Causes(causes)
    own: dict[tuple[str, str, Stage | None], Seen] = {
        (each.implementation, each.input.id, each.stage): each for each in found.seen if each.follows_from is None
    }
    groups: dict[object, list[Seen]] = {}
    following: dict[object, set[str]] = {}
    for each in found.seen:
        about = (each.input.id, each.following) if each.follows_from else ()
        before = (own.get((each.implementation, name, each.follows_from)) for name in about)
        first = next(filter(None, before), each)
        if first is each:
            groups.setdefault(_group(each, cause_of(each)), []).append(each)
        else:
            following.setdefault(_group(first, cause_of(first)), set()).add(each.answered.letters())
    for key, group in groups.items():
        cause = cause_of(group[0])
        yield _entry(group, following.get(key, set()), cause, found.tokenizer, run), _comment(group, cause)


class _Causes:
    """The cause of what was seen: of its question, or where that is not known, of its input."""

    def __init__(self, causes: Sequence[Cause]) -> None:
        self._causes = {
            (cause.implementation, each): cause
            for cause in reversed(causes)
            for each in (*cause.every_input, *cause.every_question)
        }

    def __call__(self, seen: Seen) -> Cause | None:
        found = self._causes.get((seen.implementation, seen.question))
        return found or self._causes.get((seen.implementation, seen.input.id))


def _of_vocabularies(finished: TokenizerFinished, run: RunStarted) -> Iterator[tuple[Entry, str]]:
    """Yield an entry for each vocabulary with new differences; it names the entries that differ."""
    for row in finished.results:
        if row.vocabulary is not None and row.vocabulary.new:
            entry = new_entry(
                run.info(row.implementation),
                baselines=(known_as(run.baseline),),
                tokenizers=(pattern_of(finished.tokenizer),),
                stages=(VOCABULARY,),
                classes=("other values",),
                inputs=tuple(map(pattern_of, names_for_ledger(row.vocabulary))),
            )
            yield entry, vocabulary_line(row, row.vocabulary)


def _group(seen: Seen, cause: Cause | None) -> object:
    """Return what the differences of one entry have in common."""
    manners = frozenset((each.field, each.kind) for each in seen.differences)
    has_values = any(each.field for each in seen.differences)
    return seen.implementation, seen.stage, has_values, manners if cause is None else id(cause)


def _entry(group: Sequence[Seen], following: set[str], cause: Cause | None, tokenizer: str, run: RunStarted) -> Entry:
    differences = [difference for each in group for difference in each.differences]
    differing = {difference.field for difference in differences}
    fields = tuple(field for field in Field if field in differing)
    return new_entry(
        run.info(group[0].implementation),
        baselines=(known_as(run.baseline),),
        tokenizers=(pattern_of(tokenizer),),
        stages=(group[0].stage,),
        fields=fields,
        classes=tuple(dict.fromkeys(difference.kind for difference in differences)),
        inputs=tuple(_patterns(each.input.id for each in group)),
        cause=reason_in_words(cause) if cause is not None and cause.reason.is_proven else None,
        component=cause.signature.component if cause is not None else None,
        answers=frozenset(each.answered.letters(fields) for each in group) | following,
    )


def _patterns(names: Iterable[str]) -> Iterator[str]:
    """Yield patterns for ``names``: one for a category of built-in inputs, where all of its inputs are among them."""
    left = dict.fromkeys(names)
    for category in builtin_categories():
        inputs = [each.id for each in category.inputs]
        if left.keys() >= set(inputs):
            yield f"{category.name}/*"
            for each in inputs:
                del left[each]
    yield from map(pattern_of, left)


def _comment(group: Sequence[Seen], cause: Cause | None) -> str:
    shown = min(group, key=lambda each: length_of(each.question))
    subject = ", ".join(" ".join(line.split(None, 1)) for line in subject_lines(shown.question, shown.near))
    inputs = counted(len({each.input.id for each in group}), "input")
    told = f"{shown.input.id} ({shown.input.category}): {describe(shown.question)}: {subject}"
    return f"{inputs}; {told}" if cause is None else f"{inputs}; {what_differs(cause)}; {told}"
