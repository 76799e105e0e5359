"""``tokconf suite``: what every tokenizer must do, asked of implementations, shown, and handed on."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokenizer_adapters.registry import RegistryError
from tokenizer_adapters.selection import Isolation, select
from tokenizer_conformance.cli.choosing import chosen
from tokenizer_conformance.cli.given_options import process_options
from tokenizer_conformance.cli.read_files import program_files
from tokenizer_conformance.command_io.conclusion import EXIT_STATUS, Conclusion
from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.command_io.outputs import open_reports
from tokenizer_conformance.command_io.screen import width_of
from tokenizer_conformance.command_io.shell import carry_out
from tokenizer_conformance.command_io.standard_streams import complain
from tokenizer_conformance.command_io.tables import laid_out
from tokenizer_conformance.command_io.tables import table as as_table
from tokenizer_conformance.command_io.wrapping import wrapped
from tokenizer_conformance.defaults import SUITE_IMPLEMENTATIONS
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.inputs.bundled import bundled_file, bundled_names
from tokenizer_conformance.inputs.corpus import Selection
from tokenizer_conformance.inputs.hub import PREFIX
from tokenizer_conformance.inputs.text import text_files
from tokenizer_conformance.inputs.tokenizer_files import locate, read_tokenizer
from tokenizer_conformance.ledger.names import names_in
from tokenizer_conformance.plural import counted
from tokenizer_conformance.results.ci_results.reports import check_reports
from tokenizer_conformance.results.page_reports import PageOf
from tokenizer_conformance.validation.suite.checking import Checked, check_suite
from tokenizer_conformance.validation.suite.checks import SuiteChecks
from tokenizer_conformance.validation.suite.coverage import coverage, wanted_cells
from tokenizer_conformance.validation.suite.engine import run_suite
from tokenizer_conformance.validation.suite.events import is_ending
from tokenizer_conformance.validation.suite.export import Form, exported, write_folder
from tokenizer_conformance.validation.suite.known import SuiteLedgerUpdate
from tokenizer_conformance.validation.suite.merging import sharded
from tokenizer_conformance.validation.suite.page import SUITES
from tokenizer_conformance.validation.suite.plan import SuitePlan
from tokenizer_conformance.validation.suite.reader import read_files, read_register, read_suite, suite_identity
from tokenizer_conformance.validation.suite.record import lines_of
from tokenizer_conformance.validation.suite.selection import Wanted, chosen_cases
from tokenizer_conformance.validation.suite.specification import pages_by_file, suite_of, whole_document, write_page
from tokenizer_conformance.validation.suite.wording import requirement_lines, shown_document, step_lines
from tokenizer_conformance.validation.suite.writing import written_test

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenizer_adapters.contract import Field
    from tokenizer_conformance.cli.given_ledgers import LedgerOptions
    from tokenizer_conformance.cli.last_failed import LastFailedOptions
    from tokenizer_conformance.command_io.outputs import ReportOptions
    from tokenizer_conformance.command_io.shard import Shard
    from tokenizer_conformance.inputs.text import Input
    from tokenizer_conformance.ledger.matching import Ledger
    from tokenizer_conformance.validation.suite.requirement import Area, Feature, Importance, Requirement, Suite


@contextmanager
def _bad_input() -> Iterator[None]:
    """Say in one line what is wrong with what was given, and end with the status for that."""
    try:
        yield
    except BadInputError as error:
        raise BadInput(str(error)) from error


# Running -------------------------------------------------------------------------------------------------------------


def execute_run(
    context: click.Context,
    *,
    wanted: tuple[str, ...],
    expression: str,
    features: tuple[Feature, ...],
    importances: tuple[Importance, ...],
    fields: tuple[Field, ...],
    jobs: int,
    shard: Shard | None,
    last_failed: LastFailedOptions,
    max_failing: int | None,
    isolation: Isolation,
    ledgers: LedgerOptions,
    reports: ReportOptions,
) -> int:
    """Carry out ``tokconf suite run``."""
    asked = Wanted(expression, frozenset(features), frozenset(importances))
    suite = read_suite()
    with _bad_input():
        cases = chosen_cases(suite, asked)
    words = wanted or SUITE_IMPLEMENTATIONS
    with (
        open_reports(reports, [*program_files(words), *ledgers.read_files(), *last_failed.read_files()]) as opened,
        chosen(words, None, isolation, alone=True) as choice,
    ):
        ledger = ledgers.ledger()
        _refuse_unknown_requirements(ledger, suite)
        for refusal in choice.absent:
            complain(refusal.reason)
        cases, is_repetition = last_failed.cases(cases, [each.info.name for each in choice.implementations])
        plan = SuitePlan(
            implementations=choice.implementations,
            words=choice.words,
            unavailable=choice.unavailable,
            cases=cases if shard is None else sharded(cases, shard),
            wanted=asked,
            fields=frozenset(fields) or None,
            max_fail=max_failing or 0,
            ledger=ledger,
            every_requirement=asked == Wanted() and not (fields or shard or is_repetition),
            not_asked=sum(1 for area, each in suite.requirements() if not each.cases and asked.takes(area, each)),
            repeated=_repeated(fields, ledgers),
            command=("tokconf", *sys.argv[1:]),
            suite=suite_identity(),
            shard=shard,
            is_repetition=is_repetition,
            selected=choice.selected,
            jobs=jobs,
            options=process_options(context) | {"max-fail": max_failing},
        )
        page = PageOf(SUITES, lines_of)
        outputs = [*page.reports(opened), *check_reports(opened, SuiteChecks)]
        outputs += ledgers.reports(SuiteLedgerUpdate)
        return carry_out(run_suite(plan), outputs, page.terminal, ends=is_ending)


def _refuse_unknown_requirements(ledger: Ledger, suite: Suite) -> None:
    """Raise :class:`BadInput` where an entry names a requirement that the suite does not have."""
    known = [requirement.id for _, requirement in suite.requirements()]
    for entry in ledger.entries:
        for name in sorted(names_in(entry.requirements)[0].difference(known)):
            raise BadInput(f"ledger {entry.place}: there is no requirement {name!r}{_guess(name, known)}")


def _guess(name: str, known: Iterable[str]) -> str:
    """Say which requirement may be meant by ``name``."""
    close = get_close_matches(name, list(known), 1)
    return f"; did you mean {close[0]}?" if close else "; 'tokconf suite list' names them all"


def _repeated(fields: tuple[Field, ...], ledgers: LedgerOptions) -> tuple[str, ...]:
    """Return the options with which a failed requirement fails again."""
    words = [word for field in fields for word in ("--field", field.value)]
    words += [word for file in ledgers.files for word in ("--ledger", str(file))]
    return (*words, *([] if ledgers.known else ["--no-known"]))


# Showing -------------------------------------------------------------------------------------------------------------


def execute_show(*, ids: tuple[str, ...], cases: int) -> None:
    """Carry out ``tokconf suite show``."""
    known = {requirement.id: (area, requirement) for area, requirement in read_suite().requirements()}
    for id_ in ids:
        if id_.upper() not in known:
            raise BadInput(f"no requirement is called {id_!r}{_guess(id_.upper(), known)}")
    width = width_of(sys.stdout)
    for id_ in ids:
        for line in _shown(*known[id_.upper()], cases):
            for part in wrapped(line, width, 4):
                click.echo(part)


def _shown(area: Area, requirement: Requirement, cases: int) -> Iterator[str]:
    yield from requirement_lines(requirement)
    for case in requirement.cases[:cases]:
        yield ""
        releases = f", holds in tokenizers {', '.join(case.releases)}" if case.releases else ""
        yield f"  case {case.name}{releases}"
        yield f"    tokenizer {shown_document(area.tokenizers[case.tokenizer])}"
        if case.tokenizer in area.configurations:
            yield f"    tokenizer_config.json {shown_document(area.configurations[case.tokenizer])}"
        for step in case.steps:
            yield from (f"    {line}" for line in step_lines(step))
    left = len(requirement.cases) - cases
    if left > 0:
        yield ""
        yield f"  … {left:,} further cases; --cases {len(requirement.cases)} shows all"


def execute_list(*, expression: str) -> None:
    """Carry out ``tokconf suite list``."""
    wanted = Wanted(expression)
    width = width_of(sys.stdout)
    with _bad_input():
        found = [
            (area, [requirement for requirement in area.requirements if wanted.takes(area, requirement)])
            for area in read_suite().areas
        ]
    for area, listed in found:
        if listed:
            click.echo(f"{area.name} ({area.stage})")
        for requirement in listed:
            line = (
                f"  {requirement.id} ({requirement.importance}, {len(requirement.cases):,} cases): {requirement.title}"
            )
            for part in wrapped(line, width, 4):
                click.echo(part)
    asked = [requirement for _, listed in found for requirement in listed]
    having = sum(bool(requirement.cases) for requirement in asked)
    if having < len(asked):
        click.echo(
            f"{counted(len(asked), 'requirement')}, of which {having:,} have cases, which 'tokconf suite run' asks"
        )


def execute_spec(*, output: Path | None, areas: tuple[str, ...]) -> None:
    """Carry out ``tokconf suite spec``."""
    with _bad_input():
        suite = suite_of(read_suite(), areas)
        if output is None:
            click.echo(whole_document(suite, overview=not areas), nl=False)
        elif output.suffix == ".md":
            write_page(output, whole_document(suite, overview=not areas))
        else:
            for file, text in pages_by_file(suite).items():
                write_page(output / file, text)


# Exporting -----------------------------------------------------------------------------------------------------------


def execute_export(*, folder: str, form: str, expression: str, force: bool) -> None:
    """Carry out ``tokconf suite export``."""
    with _bad_input():
        files = exported(read_files(), read_register(), Wanted(expression), Form(form))
    write_folder(folder, files, force=force)
    click.echo(f"wrote {counted(len(files), 'file')} to {folder!r}")


# Writing -------------------------------------------------------------------------------------------------------------


def execute_write(
    *, implementation: str, against: str, tokenizer: str, files: tuple[Path, ...], substring: str
) -> None:
    """Carry out ``tokconf suite write``."""
    for word in (implementation, against):
        try:
            select(word, Isolation())
        except RegistryError as error:
            raise BadInput(str(error)) from error
    texts = [
        text for source in (text_files(files) or [builtin_inputs()]) for text in _texts(source, Selection(substring))
    ]
    if not texts:
        raise BadInput(f"no input matches -k {substring!r}")
    click.echo(written_test(implementation, against, _lasting(tokenizer), texts), nl=False)


def _texts(source: Iterable[Input], selection: Selection) -> Iterator[str]:
    """Yield the texts of ``source`` that are selected."""
    try:
        yield from (each.text for each in source if selection.takes(each))
    except BadInputError as error:
        raise BadInput(str(error)) from error


def _lasting(tokenizer: str) -> str:
    """Return what names ``tokenizer`` from every folder: a path is made whole, and one of the hub has its commit."""
    try:
        found = locate(tokenizer)
        read_tokenizer(found.source, found.snapshot)
    except BadInputError as error:
        raise BadInput(str(error)) from error
    if found.snapshot is not None:
        return f"{PREFIX}{found.snapshot.repository}@{found.snapshot.commit}"
    if found.source.name in bundled_names() and found.source.file == str(bundled_file(found.source.name)):
        return found.source.name
    return str(Path(found.source.folder or found.source.file).resolve())


# Checking ------------------------------------------------------------------------------------------------------------


def execute_check(context: click.Context, *, table: bool) -> None:
    """Carry out ``tokconf suite check``."""
    suite = read_suite()
    if table:
        _coverage_table(suite)
    problems = list(check_suite(Checked(suite, read_register(), read_files())))
    width = width_of(sys.stdout)
    for problem in problems:
        for line in wrapped(f"{one_line(problem.place)}: {one_line(problem.what)}", width, 4):
            click.echo(line)
    areas = counted(len(suite.areas), "area")
    having = sum(bool(requirement.cases) for _, requirement in suite.requirements())
    requirements = counted(sum(1 for _ in suite.requirements()), "requirement")
    cases = counted(sum(1 for _ in suite.cases()), "case")
    cells = counted(len(wanted_cells()), "cell")
    asked = f"{requirements} ({having:,} with cases)"
    click.echo(f"{areas}, {asked}, {cases}; coverage: {cells}; {counted(len(problems), 'problem')}")
    context.exit(EXIT_STATUS[Conclusion.DIFFERENCES if problems else Conclusion.CONFORM])


def _coverage_table(suite: Suite) -> None:
    counts = coverage(suite)
    rows = [[cell.component, cell.option, cell.value, f"{counts[cell]:,}"] for cell in wanted_cells()]
    drawn = as_table(["component", "option", "value", "cases"], rows, right=frozenset({3}))
    for line in laid_out(drawn, width_of(sys.stdout)):
        click.echo(line)
