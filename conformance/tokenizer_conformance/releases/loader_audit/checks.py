"""An audit as checks: of each loader on each tokenizer its loading, every component, and its answers.

A component that is another than in the file fails, with a witness or without: what no text shows today may show
tomorrow. A ledger may know it.
"""

from __future__ import annotations

from dataclasses import astuple
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.comparison.component_differences import Component
from tokenizer_conformance.ledger.audit_entries import stale_line
from tokenizer_conformance.releases.loader_audit.events import DifferenceJudged, LoaderAudited, LoaderAuditFinished
from tokenizer_conformance.releases.loader_audit.stages import ANSWERS
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
from tokenizer_conformance.results.ci_results.check import Check, CheckedRun, CheckOutcome, Problem, judged, plain_rule
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
from tokenizer_conformance.results.records import loader_audit as lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.releases.loader_audit.events import LoaderAuditEvent
    from tokenizer_conformance.releases.loader_audit.plan import LoaderAuditPlan

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


Place = tuple[str, str]
"""A tokenizer, and who has loaded it."""


class LoaderAuditChecks:
    """Tells ``write`` in the end what the audit of loaders by ``plan`` has checked."""

    def __init__(self, plan: LoaderAuditPlan, write: Callable[[CheckedRun], None]) -> None:
        self._plan = plan
        self._baseline = plan.baseline.info
        self._write = write
        self._header: lines.Header | None = None
        self._given: list[Check] = []
        self._refused: dict[Place, lines.NotLoaded] = {}
        self._loaded: dict[Place, lines.Loaded] = {}
        self._differences: list[DifferenceJudged] = []
        self._done: dict[Place, LoaderAudited] = {}

    def handle(self, event: LoaderAuditEvent) -> None:
        """Take in ``event``; at the end, tell. Raises ``OSError`` where that cannot be written."""
        match event:
            case lines.Header():
                self._header = event
            case InputRefused(refusal):
                self._given.append(unusable_check(refusal))
            case ImplementationMissing(refusal, asked):
                self._given.append(unusable_check(refusal, rule=UNAVAILABLE, is_asked=asked))
            case lines.NotLoaded():
                self._refused[event.tokenizer, event.loader] = event
            case lines.Loaded():
                self._loaded[event.tokenizer, event.loader] = event
            case DifferenceJudged():
                self._differences.append(event)
            case LoaderAudited():
                self._done[event.tokenizer, event.loader.name] = event
            case LoaderAuditFinished():
                if self._header is not None:
                    self._write(self._checked(self._header, event))

    def _checked(self, header: lines.Header, finished: LoaderAuditFinished) -> CheckedRun:
        checks, baseline = [*self._given], self._baseline
        for tokenizer in self._plan.tokenizers:
            refused = self._refused.get((tokenizer.source.name, baseline.name))
            if refused is not None:
                checks.append(load_check(baseline, baseline, tokenizer, refused.reason))
            for loader in self._plan.loaders:
                checks += self._of_loader(tokenizer, loader.info, is_readable=refused is None)
        checks += (stale_check(entry, stale_line(entry)) for entry in finished.stale)
        return CheckedRun.of(
            finished, title=TITLE, environment=header.environment, checks=checks, conclusion=ending(finished)
        )

    def _of_loader(self, tokenizer: TokenizerFile, loader: ImplementationInfo, *, is_readable: bool) -> Iterator[Check]:
        place = (tokenizer.source.name, loader.name)
        refused, loaded = self._refused.get(place), self._loaded.get(place)
        if refused is None and loaded is None:
            why = "not reached: the audit was cut short before"
            yield Check(
                group=group_of(loader.name, tokenizer.source.name),
                name=LOAD,
                outcome=CheckOutcome.SKIPPED,
                message=why if is_readable else f"{self._baseline.name} does not load the tokenizer",
            )
            return
        reason, is_needed = (None, True) if refused is None else (refused.reason, not refused.unsupported)
        yield load_check(loader, self._baseline, tokenizer, reason, is_needed=is_needed)
        if loaded is not None:
            done = self._done.get(place)
            for component in Component:
                found = [each for each in self._differences if _is_of(each, place, component)]
                yield _component(tokenizer, loaded, component, found, is_done=done is not None)
            yield _answers(tokenizer, self._baseline.name, loaded, done)


def _is_of(event: DifferenceJudged, place: Place, component: Component) -> bool:
    return (event.tokenizer, event.loader.name) == place and event.difference.component is component


def _component(
    tokenizer: TokenizerFile,
    loaded: lines.Loaded,
    component: Component,
    found: list[DifferenceJudged],
    *,
    is_done: bool,
) -> Check:
    section = SECTIONS.get(component, component)
    location = section_location(tokenizer, section if found else None)
    problems = tuple(_replaced(each) for each in found if each.known is None)
    known = tuple(line for each in found if each.known is not None for line in _known(each))
    skipped = "" if is_done else "not finished"
    if loaded.no_structure and component is not Component.DEFAULTS:
        skipped = f"components cannot be compared: {loaded.no_structure}"
    outcome, message, details = judged(problems, known, skipped)
    return Check(
        group=group_of(loaded.loader, loaded.tokenizer),
        name=component,
        outcome=outcome,
        message=message,
        details=details,
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


def _answers(tokenizer: TokenizerFile, baseline: str, loaded: lines.Loaded, done: LoaderAudited | None) -> Check:
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
                details=tuple(finding_lines(finding, baseline, loaded.loader)),
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
        group=group_of(loaded.loader, loaded.tokenizer),
        name=ANSWERS,
        outcome=outcome,
        message=message,
        details=details,
        problems=problems,
        location=tokenizer_location(tokenizer),
    )
