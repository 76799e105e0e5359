"""An audit as checks: of each loader on each tokenizer its loading, every component, and its answers.

A component that is another than in the file fails, with a witness or without: what no text shows today may show
tomorrow. A ledger may know it.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass, field
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.ledger.audit_entries import stale_line
from tokenizer_conformance.releases.loader_audit.components import ANSWERS, Component
from tokenizer_conformance.releases.loader_audit.events import (
    DifferenceJudged,
    LoaderAudited,
    LoaderAuditFinished,
    LoaderAuditStarted,
    LoaderRefused,
    TokenizerLoaded,
)
from tokenizer_conformance.releases.loader_audit.witness import NoWitness
from tokenizer_conformance.releases.loader_audit.wording import (
    behaviour_line,
    change_lines,
    ending,
    finding_headline,
    finding_lines,
    headline,
    impact_line,
    witness_lines,
)
from tokenizer_conformance.results.ci_results.check import Check, CheckedRun, CheckOutcome, Problem, plain_rule
from tokenizer_conformance.results.ci_results.location import section_location, tokenizer_location
from tokenizer_conformance.results.ci_results.rules import (
    LOAD,
    NO_ANSWER,
    UNAVAILABLE,
    group_of,
    load_check,
    stale_check,
    unusable_check,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.releases.loader_audit.events import LoaderAuditEvent

TITLE = "tokconf audit loader"

REPLACED = plain_rule(
    "component-replaced",
    "A loader has replaced a component of the tokenizer.json",
    "What the loader uses is not what the file says. The witness is the smallest text, pair or ids on which that alone "
    "gives another answer.",
)
REPLACED_UNSEEN = plain_rule(
    "component-replaced-unseen",
    "A loader has replaced a component of the tokenizer.json, and no text was found that shows it",
    "What the loader uses is not what the file says. More texts may show it (--cases, --time, --inputs).",
)
OTHER_ANSWERS = plain_rule(
    "loader-answers-otherwise",
    "A loader answers otherwise than the file, and no replaced component explains it",
    "The document that the loader writes gives other answers than the loader itself, or it writes none.",
)

SECTIONS = {
    Component.VOCABULARY: "model",
    Component.MERGES: "model",
    Component.DEFAULTS: None,
}
"""Where a component stands that is no section of a tokenizer.json itself."""


@dataclass(slots=True)
class _Audited:
    """A loader on a tokenizer, as far as the audit has come."""

    loaded: TokenizerLoaded | None = None
    refused: LoaderRefused | None = None
    differences: list[DifferenceJudged] = field(default_factory=list)
    done: LoaderAudited | None = None


class LoaderAuditChecks:
    """Tells ``write`` in the end what an audit of loaders has checked."""

    def __init__(self, write: Callable[[CheckedRun], None]) -> None:
        self._write = write
        self._started: LoaderAuditStarted | None = None
        self._given: list[Check] = []
        self._audited: dict[tuple[str, str], _Audited] = {}

    def handle(self, event: LoaderAuditEvent) -> None:
        """Take in ``event``; at the end, tell. Raises ``OSError`` where that cannot be written."""
        match event:
            case LoaderAuditStarted():
                self._started = event
            case InputRefused(refusal):
                self._given.append(unusable_check(refusal))
            case ImplementationMissing(refusal, asked):
                self._given.append(unusable_check(refusal, rule=UNAVAILABLE, is_asked=asked))
            case LoaderRefused():
                self._of(event).refused = event
            case TokenizerLoaded():
                self._of(event).loaded = event
            case DifferenceJudged():
                self._of(event).differences.append(event)
            case LoaderAudited():
                self._of(event).done = event
            case LoaderAuditFinished():
                if self._started is not None:
                    self._write(self._checked(self._started, event))

    def _of(self, event: LoaderRefused | TokenizerLoaded | DifferenceJudged | LoaderAudited) -> _Audited:
        return self._audited.setdefault((event.tokenizer.source.name, event.loader.name), _Audited())

    def _checked(self, started: LoaderAuditStarted, finished: LoaderAuditFinished) -> CheckedRun:
        checks = [*self._given]
        for tokenizer in started.tokenizers:
            raw = self._audited.get((tokenizer.source.name, started.baseline.name))
            refused = None if raw is None else raw.refused
            if refused is not None:
                checks.append(load_check(started.baseline, started.baseline, tokenizer, refused.reason))
            for loader in started.loaders:
                checks += self._of_loader(started, tokenizer, loader, is_readable=refused is None)
        checks += (stale_check(entry, stale_line(entry)) for entry in finished.stale)
        return CheckedRun.of(
            finished, title=TITLE, environment=started.environment, checks=checks, conclusion=ending(finished)
        )

    def _of_loader(
        self, started: LoaderAuditStarted, tokenizer: TokenizerFile, loader: ImplementationInfo, *, is_readable: bool
    ) -> Iterator[Check]:
        audited = self._audited.get((tokenizer.source.name, loader.name))
        if audited is None:
            why = "not reached: the audit was cut short before"
            yield Check(
                group=group_of(loader.name, tokenizer.source.name),
                name=LOAD,
                outcome=CheckOutcome.SKIPPED,
                message=why if is_readable else f"{started.baseline.name} does not load the tokenizer",
            )
            return
        refused = audited.refused
        yield load_check(
            loader,
            started.baseline,
            tokenizer,
            None if refused is None else refused.reason,
            is_needed=refused is None or not refused.unsupported,
        )
        if audited.loaded is not None:
            yield from (_component(audited.loaded, component, audited) for component in Component)
            yield _answers(started, audited.loaded, audited.done)


def _component(loaded: TokenizerLoaded, component: Component, audited: _Audited) -> Check:
    found = [each for each in audited.differences if each.difference.component is component]
    section = SECTIONS.get(component, component)
    location = tokenizer_location(loaded.tokenizer)
    if section is not None and found:
        location = section_location(loaded.tokenizer, section)
    problems = tuple(_replaced(each) for each in found if each.known is None)
    known = tuple(line for each in found if each.known is not None for line in _known(each))
    outcome, message = CheckOutcome.PASSED, ""
    if problems:
        outcome = CheckOutcome.FAILED
    elif known:
        outcome, message, known = CheckOutcome.KNOWN, known[0], known[1:]
    elif loaded.no_structure and component is not Component.DEFAULTS:
        outcome, message = CheckOutcome.SKIPPED, f"components cannot be compared: {loaded.no_structure}"
    elif audited.done is None:
        outcome, message = CheckOutcome.SKIPPED, "not finished"
    return Check(
        group=group_of(loaded.loader.name, loaded.tokenizer.source.name),
        name=component,
        outcome=outcome,
        message=message,
        details=known,
        problems=problems,
        location=location,
    )


def _replaced(event: DifferenceJudged) -> Problem:
    witness = witness_lines(event)
    is_unseen = isinstance(event.witness, NoWitness)
    touched = () if event.impact is None else (impact_line(event.impact),)
    return Problem(
        rule=REPLACED_UNSEEN if is_unseen else REPLACED,
        message=f"{headline(event)}{f'; {witness[0]}' if is_unseen else ''}",
        details=(*change_lines(event.difference), *witness, *touched),
        identity=f"{event.difference.name}; {'; '.join(change.path for change in event.difference.changes)}",
    )


def _known(event: DifferenceJudged) -> tuple[str, ...]:
    reason = "" if event.known is None else event.known.reason
    return (f"{headline(event)}: {reason}", *change_lines(event.difference))


def _answers(started: LoaderAuditStarted, loaded: TokenizerLoaded, done: LoaderAudited | None) -> Check:
    """Return the check of the answers that no replaced component explains."""
    outcome, message = CheckOutcome.SKIPPED, "not finished"
    details: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    if done is not None:
        outcome = CheckOutcome.PASSED
        message = behaviour_line(done.behaviour, has_structure=not loaded.no_structure)
        pairs = list(zip(done.behaviour.findings, done.entries, strict=True))
        known = [(finding, entry) for finding, entry in pairs if entry is not None]
        details = tuple(f"{finding_headline(finding)} (known: {entry.reason})" for finding, entry in known)
        problems = tuple(
            Problem(
                rule=OTHER_ANSWERS,
                message=finding_headline(finding),
                details=tuple(finding_lines(finding, started.baseline.name, loaded.loader.name)),
                identity="; ".join(map(str, astuple(finding.manner))),
            )
            for finding, entry in pairs
            if entry is None
        )
        if not done.behaviour.values:
            problems = (*problems, Problem(rule=NO_ANSWER, message=message))
        if problems:
            outcome = CheckOutcome.FAILED if done.behaviour.values else CheckOutcome.ERROR
        elif known:
            outcome = CheckOutcome.KNOWN
    return Check(
        group=group_of(loaded.loader.name, loaded.tokenizer.source.name),
        name=ANSWERS,
        outcome=outcome,
        message=message,
        details=details,
        problems=problems,
        location=tokenizer_location(loaded.tokenizer),
    )
