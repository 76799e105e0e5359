"""``tokconf run``: compare implementations on tokenizers and texts."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from tokenizer_adapters.contract import Field, Stage
from tokenizer_conformance.cli.choosing import (
    DEFAULT_BASELINE,
    DEFAULT_SECONDS,
    chosen,
    implementation_option,
    isolation_of,
    isolation_options,
    timeout_option,
)
from tokenizer_conformance.cli.options import SpreadCommand, SpreadOption, comma_list
from tokenizer_conformance.comparing.blame import STAGE_ORDER
from tokenizer_conformance.comparing.comparison import compared_fields
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.inputs.bundled import bundled_names
from tokenizer_conformance.inputs.corpus import Selection, read_corpus
from tokenizer_conformance.inputs.text import Split, text_files
from tokenizer_conformance.inputs.tokenizer_files import FILE_NAME, find_tokenizer, read_tokenizer, with_unique_names
from tokenizer_conformance.run.coverage import Requirement
from tokenizer_conformance.run.engine import run, run_started
from tokenizer_conformance.run.events import is_ending
from tokenizer_conformance.run.markdown import MarkdownReport
from tokenizer_conformance.run.plan import RunPlan
from tokenizer_conformance.run.record import JsonLinesReport
from tokenizer_conformance.run.record_reader import read_record, refuse_another_run
from tokenizer_conformance.run.repeating import Call
from tokenizer_conformance.run.terminal import TerminalReport
from tokenizer_conformance.session.conclusion import EXIT_STATUS, Conclusion
from tokenizer_conformance.session.output import BadInput
from tokenizer_conformance.session.shell import carry_out, open_reports
from tokenizer_conformance.unusable import Unusable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tokenizer_adapters.contract import TokenizerSource
    from tokenizer_conformance.inputs.corpus import Corpus
    from tokenizer_conformance.inputs.text import Input
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.run.record_reader import Record

DEFAULT_IMPLEMENTATIONS = ("reference", "tokenizers", "transformers")
BUILT_IN = "built-in inputs"


def requirement_in(word: str) -> Requirement | None:
    """Return the requirement that ``word`` states, ``STAGE`` or ``STAGE:FIELD``; ``None`` where it states none."""
    stage, _, field = word.partition(":")
    if stage not in list(Stage) or (":" in word and field not in compared_fields(Stage(stage))):
        return None
    return Requirement(Stage(stage), Field(field) if field else None)


def _read_requirements(_context: click.Context, _parameter: click.Parameter, words: tuple[str, ...]) -> Any:
    requirements = [(word, requirement_in(word)) for word in words]
    for word, requirement in requirements:
        if requirement is None:
            known = "; ".join(f"{stage}: {', '.join(compared_fields(stage))}" for stage in STAGE_ORDER)
            raise click.BadParameter(f"{word!r} is no STAGE or STAGE:FIELD; choose from {known}")
    return tuple(requirement for _, requirement in requirements)


@click.command("run", cls=SpreadCommand, short_help="Compare implementations on tokenizers and texts.")
@click.argument("tokenizers", nargs=-1, metavar="[TOKENIZER]...")
@implementation_option(DEFAULT_IMPLEMENTATIONS)
@click.option(
    "--baseline",
    metavar="IMPL",
    help=f"The implementation that the others are compared with: {DEFAULT_BASELINE} where it takes part, else the first.",
)
@isolation_options
@timeout_option(DEFAULT_SECONDS)
@click.option(
    "--inputs",
    "files",
    cls=SpreadOption,
    type=click.Path(path_type=Path),
    metavar="FILE...",
    help="UTF-8 files of texts, in addition to the built-in inputs.",
)
@click.option("--no-builtin", is_flag=True, help="Leave the built-in inputs out.")
@click.option(
    "--split",
    "splits",
    multiple=True,
    default=["line"],
    show_default=True,
    callback=comma_list(Split),
    metavar="HOW",
    help="What is one input of a file: line, paragraph or file; several, separated by commas, or all, give each.",
)
@click.option(
    "--stage",
    "stages",
    multiple=True,
    callback=comma_list(Stage),
    metavar="STAGE",
    help=f"Compare these stages only: {', '.join(Stage)}.",
)
@click.option(
    "--field",
    "fields",
    multiple=True,
    callback=comma_list(Field),
    metavar="FIELD",
    help=f"Compare these fields only: {', '.join(Field)}.",
)
@click.option("-k", "selection", default="", metavar="SUBSTRING", help="Use the inputs with this in id or category.")
@click.option("--only", "ids", multiple=True, metavar="ID", help="Use the input with this id; may be given again.")
@click.option(
    "--require",
    "required",
    cls=SpreadOption,
    takes=lambda word: requirement_in(word) is not None,
    callback=_read_requirements,
    metavar="STAGE[:FIELD]...",
    help="Fail where less than 99 % of these values could be compared, whatever an implementation says that it shows.",
)
@click.option("--every-id", is_flag=True, help="Also decode every id of the vocabulary alone.")
@click.option("-x", "--exitfirst", is_flag=True, help="Stop at the first failing input.")
@click.option(
    "--max-fail",
    type=click.IntRange(min=1),
    metavar="N",
    help="Stop after this many failing inputs.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Recorded in reports.")
@click.option(
    "--json",
    "json_path",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the record of the run as JSON Lines.",
)
@click.option(
    "--resume",
    is_flag=True,
    help="Go on with the run whose record --json names, if it was killed or interrupted.",
)
@click.option(
    "--markdown",
    "markdown_path",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a difference report in Markdown.",
)
@click.pass_context
def run_command(
    context: click.Context,
    *,
    tokenizers: tuple[str, ...],
    wanted: tuple[str, ...],
    baseline: str | None,
    isolate: tuple[str, ...],
    in_process: tuple[str, ...],
    memory: int,
    timeout: float,
    files: tuple[Path, ...],
    no_builtin: bool,
    splits: tuple[Split, ...],
    stages: tuple[Stage, ...],
    fields: tuple[Field, ...],
    selection: str,
    ids: tuple[str, ...],
    required: tuple[Requirement, ...],
    every_id: bool,
    exitfirst: bool,
    max_fail: int | None,
    seed: int,
    json_path: Path | None,
    resume: bool,
    markdown_path: Path | None,
) -> None:
    """Ask implementations about every input and compare what they answer, stage by stage.

    A TOKENIZER is a bundled name, a tokenizer.json file, or a folder that holds one; without any, the bundled tokenizers
    are used. TOKENIZERs stand before the options, or after "--".

    \b
    Examples:
      tokconf run
      tokconf run my-checkpoint/ -i reference tokenizers --inputs texts/*.txt
      tokconf run my-checkpoint/ -i tokenizers "command:./my-tokenizer --flag" --timeout 5
      tokconf run gpt2-mini --stage decode --every-id --markdown report.md
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
    isolation = isolation_of(isolate, in_process, timeout, memory)
    try:
        with chosen(
            wanted or DEFAULT_IMPLEMENTATIONS, baseline, isolation, "; TOKENIZERs stand before the options"
        ) as choice:
            sources = _sources(files, splits, builtin=not no_builtin)
            wants_ids = every_id and any(word.startswith("id ") for word in ids)
            given = _gather(tokenizers, sources, Selection(selection, frozenset(ids)), may_be_empty=wants_ids)
            plan = RunPlan(
                tokenizers=given.tokenizers,
                implementations=choice.implementations,
                baseline=choice.baseline,
                corpus=given.corpus,
                refusals=given.refusals,
                unavailable=choice.unavailable,
                optional=choice.optional,
                absent=choice.absent,
                stages=stages or STAGE_ORDER,
                fields=frozenset(fields or Field),
                every_id=every_id,
                max_failing=1 if exitfirst else max_fail,
                seed=seed,
                command=("tokconf", *sys.argv[1:]),
                required=required,
                call=Call(
                    tokenizers={each.source.name: _word_for(each.source) for each in given.tokenizers},
                    implementations=choice.words,
                    files={file.name: str(file.path) for file in text_files(files, splits)},
                    options=_given_options(context, REPEATED_OPTIONS),
                ),
            )
            _refuse_requirements_elsewhere(plan)
            if not plan.observed_stages():
                raise click.UsageError(
                    "no stage of those asked for has a field of those asked for; nothing would be compared"
                )
            record = _record_to_resume(plan, json_path) if resume else None
            status = _carry_out(plan, json_path, record, markdown_path)
    except KeyboardInterrupt:
        click.echo("tokconf: interrupted before anything was compared", err=True)
        status = EXIT_STATUS[Conclusion.INTERRUPTED]
    context.exit(status)


# What the run is given -----------------------------------------------------------------------------------------------


def _sources(
    files: Sequence[Path],
    splits: Sequence[Split],
    *,
    builtin: bool,
) -> list[tuple[str, Iterable[Input]]]:
    sources: list[tuple[str, Iterable[Input]]] = [(BUILT_IN, builtin_inputs())] if builtin else []
    sources += [(str(file.path), file) for file in text_files(files, splits)]
    if not sources:
        raise click.UsageError("no inputs: --no-builtin leaves none, and no file is given with --inputs")
    return sources


@dataclass(frozen=True, slots=True)
class _Given:
    """What can be used of what was given, and what cannot."""

    tokenizers: tuple[TokenizerFile, ...]
    corpus: Corpus
    refusals: tuple[Unusable, ...]


REPEATED_OPTIONS = ("isolate", "in_process", "memory", "timeout", "splits", "stages", "fields")
"""The options by name that matter for a single input too."""


def _given_options(context: click.Context, names: Sequence[str]) -> tuple[str, ...]:
    """Return those of the options called ``names`` that were given, as words of a command line."""
    words: list[str] = []
    flags = {parameter.name: parameter.opts[-1] for parameter in context.command.params}
    for name in names:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            value = context.params[name]
            for each in value if isinstance(value, tuple) else (value,):
                words += [flags[name], str(each)]
    return tuple(words)


def _word_for(source: TokenizerSource) -> str:
    """Return the word that names ``source`` on a command line."""
    return source.name if source.name in bundled_names() else source.folder or source.file


def _refuse_requirements_elsewhere(plan: RunPlan) -> None:
    for requirement in plan.required:
        if requirement.stage not in plan.observed_stages() or not plan.fields.intersection(requirement.fields()):
            raise click.UsageError(f"--require {requirement}: --stage or --field leaves that out of the comparison")


def _gather(
    arguments: Sequence[str],
    sources: Sequence[tuple[str, Iterable[Input]]],
    selection: Selection,
    *,
    may_be_empty: bool,
) -> _Given:
    found, refusals = _find_tokenizers(arguments or bundled_names())
    corpus, bad_files = read_corpus(sources, selection)
    refusals += map(_hinted, bad_files)
    if corpus.count == 0 and not bad_files and not may_be_empty:
        raise click.UsageError(f"no input {_in_words(selection)}")
    if not found or (corpus.count == 0 and not may_be_empty):
        # There is nothing to run; say all that is wrong at once.
        *others, last = refusals
        for refusal in others:
            click.echo(f"tokconf: {one_line(refusal.reason)}", err=True)
        raise BadInput(one_line(last.reason))
    return _Given(tuple(found), corpus, tuple(refusals))


def _in_words(selection: Selection) -> str:
    named = ", ".join(f"--only {name!r}" for name in sorted(selection.ids))
    matching = f"-k {selection.substring!r}" if selection.substring else ""
    return f"matches {' and '.join(filter(None, (matching, named)))}"


def _hinted(refusal: Unusable) -> Unusable:
    """Return the refusal of a file of texts, with what to do where a TOKENIZER was taken for one."""
    if refusal.name in bundled_names() or (Path(refusal.name) / FILE_NAME).exists():
        reason = f"{refusal.reason}; if a TOKENIZER is meant, it stands before the options"
        return Unusable(refusal.what, refusal.name, reason)
    return refusal


def _find_tokenizers(arguments: Sequence[str]) -> tuple[list[TokenizerFile], list[Unusable]]:
    refusals: list[Unusable] = []
    sources = []
    for argument in arguments:
        try:
            sources.append(find_tokenizer(argument))
        except BadInputError as error:
            refusals.append(Unusable("tokenizer", argument, str(error)))
    found = []
    for source in with_unique_names(sources):
        try:
            found.append(read_tokenizer(source))
        except BadInputError as error:
            refusals.append(Unusable("tokenizer", source.name, str(error)))
    return found, refusals


# The run -------------------------------------------------------------------------------------------------------------


def _record_to_resume(plan: RunPlan, path: Path | None) -> Record | None:
    """Return the record that an earlier run has left at ``path``; none where there is no file yet."""
    if path is None:
        raise click.UsageError("--resume needs --json FILE, the record of the run to go on with")
    try:
        record = read_record(path, plan.corpus)
        refuse_another_run(path, record, run_started(plan))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise click.UsageError(f"cannot read {str(path)!r}: {error.strerror}") from error
    except BadInputError as error:
        raise click.UsageError(str(error)) from error
    return record


def _carry_out(plan: RunPlan, json_path: Path | None, record: Record | None, markdown_path: Path | None) -> int:
    """Run, report, and return the exit status; ``record`` is that of the run to go on with."""
    size, resumption = (0, None) if record is None else (record.size, record.resumption)
    return carry_out(
        run(plan, resumption),
        lambda stack: open_reports(
            stack,
            json=None if json_path is None else (json_path, lambda path: JsonLinesReport(path, size)),
            markdown=None if markdown_path is None else (markdown_path, MarkdownReport),
        ),
        TerminalReport,
        ends=is_ending,
    )
