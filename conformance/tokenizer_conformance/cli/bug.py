"""``tokconf bug``: a finding of a record as a report for the maintainers of the implementation."""

from __future__ import annotations

import importlib.metadata
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from tokenizer_adapters.contract import CannotLoadError, UnavailableError
from tokenizer_adapters.registry import RegistryError
from tokenizer_adapters.selection import is_class, is_command
from tokenizer_conformance.causes.bug.checking import objections
from tokenizer_conformance.causes.bug.own_recipes import own_recipe
from tokenizer_conformance.causes.bug.recipes import SPEAKS_FOR, recipe_of
from tokenizer_conformance.causes.bug.report import Report, rendered
from tokenizer_conformance.causes.bug.sides import ReportedSide, is_value, plain_value, shown_field
from tokenizer_conformance.causes.bug.snippet import Subject, document_text, ways
from tokenizer_conformance.causes.bug.violations import Rule, area_of, violated
from tokenizer_conformance.causes.components import component_of
from tokenizer_conformance.causes.minimizing import Budget, minimized_document, minimized_question
from tokenizer_conformance.causes.reasons import reason_of
from tokenizer_conformance.cli.asking_again import MOST_CHECKS, AskedAgain, asked_again
from tokenizer_conformance.cli.output_file import write_to
from tokenizer_conformance.command_io.conclusion import EXIT_STATUS, Conclusion
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.output import BadInput, ReportLost
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.comparison.loading_errors import why_not_loaded
from tokenizer_conformance.comparison.verdicts import NO_ANSWER
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.plural import counted
from tokenizer_conformance.validation.suite.reader import read_suite
from tokenizer_conformance.validation.suite.requirement import Observed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenizer_adapters.contract import Implementation, Outcome
    from tokenizer_adapters.protocol.launch import Program
    from tokenizer_conformance.causes.bench import Bench, Trial
    from tokenizer_conformance.causes.bug.snippet import Snippet
    from tokenizer_conformance.causes.witness import Witness
    from tokenizer_conformance.cli.choosing import Chosen
    from tokenizer_conformance.cli.recorded_findings import RecordedFinding


SNIPPET_SECONDS = 120.0


SMALL_DOCUMENT = 1_500
"""A tokenizer.json of more characters than these is cut down further, if that can be."""

LARGEST_DOCUMENT = 30_000
"""One of more characters than these is not put into a snippet; a page for maintainers holds about 65,000."""

GONE = "the answers do not differ any more, or only as an earlier stage makes them differ: there is nothing to report"


def execute(
    context: click.Context,
    *,
    record: str,
    number: int,
    wanted: tuple[str, ...],
    elsewhere: str | None,
    seconds: float,
    no_check: bool,
    output: str | None,
    force: bool,
) -> None:
    """Carry out ``tokconf bug``."""
    with asked_again(record, number, wanted, elsewhere, output, force=force) as again:
        finding, target = again.finding, again.target
        report = _report(again, seconds)
    if report is None:
        click.echo(f"{finding.title}\n{GONE}")
        context.exit(EXIT_STATUS[Conclusion.CONFORM])
    text = rendered(_with_snippets(report, checks=not no_check))
    if target is None:
        click.echo(text, nl=False)
    else:
        write_to(target, text)
        click.echo(f"wrote {str(target)!r}")
    context.exit(EXIT_STATUS[Conclusion.DIFFERENCES])


# What is reported ----------------------------------------------------------------------------------------------------


def _report(again: AskedAgain, seconds: float) -> Report | None:
    """Return what is to be reported, without snippets; ``None`` where the answers do not differ any more."""
    bench, choice, finding, source = again.bench, again.choice, again.finding, again.source
    STATUS.begin("asking again", finding.sides.tokenizer)
    try:
        trial = bench.trial(source) if finding.document is None else bench.trial_of(source, finding.document)
    except CannotLoadError as error:
        raise BadInput(one_line(why_not_loaded(error))) from error
    seen = None if trial is None else trial.witness(finding.question)
    if trial is None or seen is None:
        return None
    witness = _small(bench, trial, replace(seen, source=source, document=finding.document), finding, seconds)
    # What is told is what both sides say now, about just what the snippet asks.
    last = bench.trial_for(witness)
    said = None if last is None else last.witness(witness.question)
    if last is None or said is None:
        return None
    witness = replace(said, source=source, document=witness.document)
    component = finding.cause.signature.component if finding.cause else component_of(bench, last, witness)
    field = shown_field(witness.difference.field, witness.expected if is_value(witness.expected) else witness.actual)
    environment = current_environment()
    return Report(
        expected=_side(bench.baseline, choice, witness.expected, last.baseline.files, is_expected=True),
        actual=_side(bench.implementation, choice, witness.actual, last.implementation.files, is_expected=False),
        unit=bench.implementation.info.offset_unit,
        witness=witness,
        subject=Subject(source, finding.sides.sha256, witness.document, witness.question, field),
        snippets=(),
        is_checked=False,
        component=component,
        characters=finding.cause.signature.characters if finding.cause else "this input",
        inputs=_inputs(finding),
        reason=finding.cause.reason if finding.cause else reason_of(bench, witness),
        rules=violated(bench, witness, _rules(component)),
        python=environment.python,
        platform=environment.platform,
        notes=again.notes,
    )


def _small(bench: Bench, trial: Trial, witness: Witness, finding: RecordedFinding, seconds: float) -> Witness:
    """Return ``witness`` with a small tokenizer.json, where one can be found that is small enough to be shown."""
    STATUS.begin("making it small", finding.sides.tokenizer)
    if witness.difference.verdict in NO_ANSWER or not seconds:
        return witness
    if finding.cause is None:
        witness = minimized_question(trial, witness, Budget(seconds / 2, MOST_CHECKS))
    if not trial.takes_documents or _size(witness) <= SMALL_DOCUMENT:
        return witness
    small = minimized_document(bench, witness, Budget(seconds, MOST_CHECKS))
    if small.document is None or _size(small) <= LARGEST_DOCUMENT:
        return small
    whole = replace(small, document=None)
    return whole if bench.witness_again(whole) is not None else small


def _size(witness: Witness) -> int:
    return LARGEST_DOCUMENT if witness.document is None else len(document_text(witness.document))


def _side(
    implementation: Implementation, choice: Chosen, outcome: Outcome, files: tuple[str, ...], *, is_expected: bool
) -> ReportedSide:
    """Return one side; what maintainers do not have is spoken for by the package that it follows."""
    info = implementation.info
    label, version = info.name, info.version
    other = next(each.info.name for each in choice.implementations if each.info.name != info.name)
    stands_in = SPEAKS_FOR.get(info.name) if is_expected else None
    if stands_in not in {None, other}:
        with suppress(importlib.metadata.PackageNotFoundError):
            label, version = str(stands_in), importlib.metadata.version(str(stands_in))
    word = choice.words[info.name]
    is_own = is_command(word) or is_class(word)
    recipe = own_recipe(word, label) if is_own else recipe_of(label)
    return ReportedSide(
        name=info.name,
        label=recipe.label if recipe else label,
        version=version,
        outcome=outcome,
        recipe=recipe,
        files=files,
        program=None if is_own else _program(choice, word),
    )


def _program(choice: Chosen, word: str) -> Program | None:
    """Return what runs the implementation in a process of its own."""
    try:
        return next(each.runs() for each in choice.selected if each.word == word)
    except (UnavailableError, RegistryError):
        return None


def _inputs(finding: RecordedFinding) -> str:
    if finding.cause is None:
        return "one finding of a run"
    names = ", ".join(map(one_line, finding.cause.tokenizers))
    return f"{counted(finding.cause.inputs, 'input')} of {names}"


def _rules(component: str) -> Iterator[Rule]:
    """Yield the requirements about ``component``, with what their cases ask."""
    name = area_of(component)
    for area, requirement in read_suite().requirements() if name else ():
        if area.name == name:
            questions = [
                (area.tokenizers[case.tokenizer], step.observation)
                for case in requirement.cases
                for step in case.steps
                if isinstance(step, Observed)
            ]
            yield Rule(requirement.id, requirement.title, requirement.rule, tuple(questions))


# Snippets ------------------------------------------------------------------------------------------------------------


def _without_own(sides: Iterable[ReportedSide], subject: Subject) -> Iterator[tuple[Snippet, ...]]:
    """Yield the ways to ask the others, where a class or program of the user cannot be asked in any way."""
    others = [side for side in sides if side.recipe is not None and not side.recipe.here]
    return ways(others, subject) if any(side.recipe and side.recipe.here for side in sides) else iter(())


def _with_snippets(report: Report, *, checks: bool) -> Report:
    """Return ``report`` with the snippets that show it, where there is a way to ask; raises where none shows it."""
    sides, field = (report.expected, report.actual), report.subject.field
    if all(is_value(side.outcome) for side in sides) and len({str(plain_value(s.outcome, field)) for s in sides}) < 2:
        return report  # they differ in what a snippet does not print
    said: list[str] = []
    for snippets in (*ways(sides, report.subject), *_without_own(sides, report.subject)):
        STATUS.begin("running the snippet", report.actual.name)
        found = objections(snippets, field, SNIPPET_SECONDS) if checks else []
        if not found:
            return replace(report, snippets=snippets, is_checked=checks)
        said = said or found
    if said:
        raise ReportLost(
            f"there is no report, for its snippet does not show the difference: {'; '.join(map(one_line, said))}; "
            "--no-check prints it all the same"
        )
    return report
