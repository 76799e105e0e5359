"""``tokconf metrics``: measure tokenizers on a corpus, and compare them."""

from __future__ import annotations

import sys
from collections import deque
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tokenizer_conformance.cli.choosing import chosen
from tokenizer_conformance.cli.options import comma_list
from tokenizer_conformance.cli.read_files import given_files, input_files, program_files, tokenizer_files
from tokenizer_conformance.cli.registered import ImplementationError
from tokenizer_conformance.cli.shard_option import refuse_without_record
from tokenizer_conformance.command_io.output import BadInput, Report
from tokenizer_conformance.command_io.outputs import CSV, LATEX, PARQUET, open_reports
from tokenizer_conformance.command_io.parts import changes_of_headers
from tokenizer_conformance.command_io.pools import Engine
from tokenizer_conformance.command_io.record import is_record
from tokenizer_conformance.command_io.recorded_lines import read_lines
from tokenizer_conformance.command_io.screen import width_of
from tokenizer_conformance.command_io.shell import carry_out
from tokenizer_conformance.command_io.standard_streams import complain
from tokenizer_conformance.command_io.table_files import require_pyarrow
from tokenizer_conformance.defaults import DEFAULT_BASELINE, MEASUREMENT_TABLES
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.inputs.corpus import EVERYTHING
from tokenizer_conformance.inputs.partitions import Partitioned
from tokenizer_conformance.inputs.text import Input, Split
from tokenizer_conformance.research.metrics.checkpoint import SUFFIX, fingerprint, is_checkpoint, read_checkpoint
from tokenizer_conformance.research.metrics.engine import measure
from tokenizer_conformance.research.metrics.events import is_ending
from tokenizer_conformance.research.metrics.flat_table import CsvReport, ParquetReport
from tokenizer_conformance.research.metrics.gold import words_of
from tokenizer_conformance.research.metrics.groups import By, language_of_file
from tokenizer_conformance.research.metrics.latex import LatexReport
from tokenizer_conformance.research.metrics.measures.catalogue import MEASURES, definition_lines
from tokenizer_conformance.research.metrics.measures.intervals import Resampling
from tokenizer_conformance.research.metrics.page import METRICS
from tokenizer_conformance.research.metrics.plan import Estimating, MetricsPlan, counting_for
from tokenizer_conformance.research.metrics.plot_folder import PlotFolder
from tokenizer_conformance.research.metrics.record import header
from tokenizer_conformance.research.metrics.results import rows_of
from tokenizer_conformance.research.metrics.tasks import corpus_of, partition_size, partitioned
from tokenizer_conformance.research.metrics.texts import SourceTexts
from tokenizer_conformance.results.page_reports import PageOf
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.making import lines_of
from tokenizer_conformance.validation.running.preparation import gather, given_sources, word_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokenizer_conformance.cli.choosing import Chosen
    from tokenizer_conformance.command_io.outputs import OpenReports, ReportOptions
    from tokenizer_conformance.inputs.sources import NamedSource
    from tokenizer_conformance.research.metrics.counts import Counted
    from tokenizer_conformance.research.metrics.events import MetricsEvent
    from tokenizer_conformance.research.metrics.measures.morphemes import SegmentedWord
    from tokenizer_conformance.research.metrics.results import Row
    from tokenizer_conformance.validation.running.preparation import Given

T = TypeVar("T")

HINT = "; TOKENIZERs stand before the options"
NO_TEXTS = (
    "no texts to measure on: give files with --inputs, as in --inputs corpus/*.txt (the built-in inputs are hostile to "
    "tokenizers on purpose, and no corpus)"
)


read_groups = comma_list(By)
"""Reads what tells groups of texts apart."""


def read_measures(_context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of measures in ``values``. Raises :class:`click.BadParameter`."""
    names = tuple(dict.fromkeys(name.strip() for value in values for name in value.split(",")))
    known = [each.id for each in MEASURES]
    for name in names:
        if name not in known:
            raise click.BadParameter(f"no measure is called {name!r}; choose from {', '.join(known)}")
    return names


def read_languages(
    _context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """Return the files with their languages that ``values`` name, FILE=LANGUAGE. Raises :class:`click.BadParameter`."""
    pairs = [value.rpartition("=") for value in values]
    for value, (file, _, language) in zip(values, pairs, strict=True):
        if not file or not language:
            raise click.BadParameter(f"{value!r} is not of the form FILE=LANGUAGE")
    return tuple((file, language) for file, _, language in pairs)


def tell_definitions(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
    """Print what is measured and end, where that is wanted."""
    if not value or context.resilient_parsing:
        return
    for line in definition_lines(MEASURES, width_of(sys.stdout)):
        click.echo(line)
    context.exit()


def execute(*, reports: ReportOptions, **options: Any) -> int:
    """Carry out ``tokconf metrics``."""
    words = options["wanted"] or (DEFAULT_BASELINE,)
    files, gold_file = options["files"], options["gold"]
    if not files:
        raise click.UsageError(NO_TEXTS)
    if reports.resume and reports.json is None:
        raise click.UsageError("--resume needs --json FILE, the record of the run to go on with")
    if options["shard"] is not None:
        _refuse_with_shard(options)
        refuse_without_record(reports)
    tables = tuple((flag, options[name]) for name, flag, _ in MEASUREMENT_TABLES if options[name] is not None)
    read = [
        *tokenizer_files(options["tokenizers"]),
        *input_files(files),
        *program_files(words),
        *given_files("a file of morphemes", [gold_file] if gold_file else []),
    ]
    with (
        open_reports(replace(reports, tables=tables), read) as opened,
        chosen(words, None, options["isolation"], HINT, alone=True) as choice,
    ):
        _refuse_without(choice)
        plots = _plots(options["plot_folder"], reports)
        if PARQUET in opened.tables:
            _translated(require_pyarrow)
        gold = _translated(lambda: words_of(Path(gold_file))) if gold_file else ()
        sources = _sources(given_sources(files, options["column"], (Split.LINE,)), options)
        size = partition_size(sources)
        sized = [_Sized(source, size) for source in sources]
        given = gather(options["tokenizers"], [(each.source.word, each) for each in sized], EVERYTHING, choice.limit)
        used = [each for each in sized if each in given.corpus.sources]
        plan = _plan(given, choice, used, gold, opened, options)
        finished = _finished(plan, reports, opened)
        if finished is not None:
            return finished
        plan = replace(plan, resumed=_resumed(plan, reports, opened))
        page: PageOf[MetricsEvent] = PageOf(METRICS, lines_of)
        return carry_out(
            measure(plan), [*_reports(opened, page, plan.estimating.chosen), *plots], page.terminal, ends=is_ending
        )


def _refuse_with_shard(options: dict[str, Any]) -> None:
    """Raise :class:`click.UsageError` where something is wanted that a part of a run has not."""
    wanted = [flag for name, flag, _ in MEASUREMENT_TABLES if options[name] is not None]
    wanted += ["--plots"] if options["plot_folder"] is not None else []
    if wanted:
        raise click.UsageError(f"{', '.join(wanted)}: a part of a run (--shard) has counts and no values yet")


def _refuse_without(choice: Chosen) -> None:
    """Raise :class:`ImplementationError` where no implementation is left to cut texts."""
    if not choice.implementations:
        reasons = "; ".join(
            f"{one_line(each.name)} cannot be used: {one_line(each.reason)}" for each in choice.unavailable
        )
        raise ImplementationError(reasons)


def _translated(work: Callable[[], T]) -> T:
    """Return what ``work`` gives; what it says is wrong with what was given is a :class:`BadInput`."""
    try:
        return work()
    except BadInputError as error:
        raise BadInput(str(error)) from error


# The texts -----------------------------------------------------------------------------------------------------------


def _sources(given: Sequence[NamedSource], options: dict[str, Any]) -> tuple[SourceTexts, ...]:
    """Return the sources with their languages. Raises :class:`click.UsageError`."""
    column = options["language_column"]
    if column is not None and not any(source.has_columns for source in given):
        raise click.UsageError(
            "--language-column is about tables (JSON Lines, Parquet, Arrow, datasets); --inputs names none"
        )
    if column is not None and options["parallel"]:
        raise click.UsageError("--parallel is about files of one language each; leave --language-column out")
    languages = dict(options["languages"])
    sources = tuple(
        SourceTexts(
            source,
            languages.pop(source.word, None) or languages.pop(source.name, None) or language_of_file(source.name),
            options["longest"],
            column if source.has_columns else None,
        )
        for source in given
    )
    for file in languages:
        known = ", ".join(source.word for source in given)
        raise click.UsageError(f"--language {file}=…: no file of --inputs is called {file!r}; these are {known}")
    return sources


@dataclass(slots=True)
class _Sized:
    """A source that is cut into partitions when it is read the first time; reading gives nothing but one empty text."""

    source: SourceTexts
    size: int
    found: Partitioned = field(default_factory=lambda: Partitioned((), ""))

    def __iter__(self) -> Iterator[Input]:
        self.found = partitioned(self.source, self.size)
        yield Input(self.source.name, "", "")


def _refuse_unparallel(sources: Sequence[SourceTexts]) -> None:
    """Raise :class:`BadInput` where ``sources`` cannot be the same texts in several languages."""
    if len(sources) < 2:
        raise BadInput("--parallel needs the texts in two languages at least, a file each")
    names = [source.language for source in sources]
    for source in sources:
        _translated(lambda source=source: deque(source, 0))  # type: ignore[misc]
        if names.count(source.language) > 1:
            raise BadInput(f"--parallel: two files are of the language {source.language!r}; say which with --language")
        if source.reading.texts:
            raise BadInput(
                f"--parallel: {source.name} has texts of more than {source.longest:,} characters (the first: "
                f"{source.reading.first}), which would be cut; give a larger --longest"
            )
    first = sources[0]
    for source in sources:
        if source.reading.inputs != first.reading.inputs:
            raise BadInput(
                f"--parallel: {source.name} has {source.reading.inputs:,} lines and {first.name} has "
                f"{first.reading.inputs:,}; line n of each file has to say the same"
            )


# The plan ------------------------------------------------------------------------------------------------------------


def _plan(
    given: Given,
    choice: Chosen,
    sized: Sequence[_Sized],
    gold: tuple[SegmentedWord, ...],
    opened: OpenReports,
    options: dict[str, Any],
) -> MetricsPlan:
    used = tuple(each.source for each in sized)
    by, parallel = options["by"], options["parallel"]
    if parallel:
        _refuse_unparallel(used)
        by = tuple(dict.fromkeys((*by, By.LANGUAGE)))
    names = [source.language for source in used]
    base_language = options["base_language"] or (names[0] if names else "")
    if options["base_language"] and (not parallel or base_language not in names):
        known = f"the languages are {', '.join(names)}" if parallel else "it is about --parallel texts"
        raise click.UsageError(f"--base-language {base_language}: {known}")
    rows = _translated(lambda: rows_of(given.tokenizers, tuple(each.info for each in choice.implementations)))
    estimating = Estimating(
        chosen=options["chosen_measures"],
        base=_base(options["base"], rows),
        base_language=base_language if parallel else "",
        alpha=options["alpha"],
        resampling=Resampling(options["replicates"], options["confidence"], options["seed"]),
    )
    corpus = corpus_of(used, [each.found for each in sized], by, parallel=parallel, sampling=options["sampling"])
    shard = options["shard"]
    return MetricsPlan(
        rows=rows,
        implementations={each.info.name: each for each in choice.implementations},
        selected={
            each.info.name: selected for each, selected in zip(choice.implementations, choice.selected, strict=True)
        },
        sources=used,
        corpus=corpus if shard is None else corpus.part(shard),
        shard=shard,
        estimating=estimating,
        by=by,
        parallel=parallel,
        longest=options["longest"],
        gold=gold,
        counting=counting_for(estimating, options["words"], round_trip=not options["no_round_trip"]),
        jobs=options["jobs"],
        engine=Engine(options["engine"]),
        checkpoint_file=_checkpoint_file(opened),
        checkpoint_seconds=options["checkpoint_every"],
        refusals=given.refusals,
        unavailable=choice.unavailable,
        command=("tokconf", *sys.argv[1:]),
    )


def _base(word: str | None, rows: Sequence[Row]) -> str:
    """Return the name of the row that is the base: the first one of the tokenizer that ``word`` names."""
    if word is None:
        return rows[0].name if len(rows) > 1 else ""
    for row in rows:
        source = row.tokenizer.source
        if word in {row.name, source.name, source.file, source.folder, word_for(row.tokenizer)}:
            return row.name
        if Path(word).exists() and Path(word).resolve() in {
            Path(source.file).resolve(),
            Path(source.file).resolve().parent,
        }:
            return row.name
    raise click.UsageError(
        f"--base {word}: it is none of the TOKENIZERs that are measured, {', '.join(row.name for row in rows)}"
    )


# Reports, and going on with an earlier run ---------------------------------------------------------------------------


def _plots(folder: str | None, reports: ReportOptions) -> list[Report[MetricsEvent]]:
    if folder is None:
        return []
    return [Report(repr(folder), _translated(lambda: PlotFolder(Path(folder), force=reports.force)))]


def _reports(opened: OpenReports, page: PageOf[MetricsEvent], chosen: tuple[str, ...]) -> list[Report[MetricsEvent]]:
    """Return the reports, each at its place."""
    made: list[Report[MetricsEvent]] = page.reports(opened)
    made += [opened.tables[CSV].report(CsvReport)] if CSV in opened.tables else []
    made += [opened.tables[PARQUET].report(ParquetReport)] if PARQUET in opened.tables else []
    made += [opened.tables[LATEX].report(partial(LatexReport, chosen=chosen))] if LATEX in opened.tables else []
    return made


def _checkpoint_file(opened: OpenReports) -> Path | None:
    """Return where checkpoints are written: beside the record, where that is a file."""
    if opened.json is None or opened.record is None:
        return None
    path = opened.json.destination.path
    return path.with_name(path.name + SUFFIX)


def _finished(plan: MetricsPlan, reports: ReportOptions, opened: OpenReports) -> int | None:
    """Return the exit status of a run that --resume finds finished, ``None`` where there is anything left to do.

    Raises :class:`BadInput` where the record is that of another run.
    """
    path = plan.checkpoint_file
    head = b"" if opened.record is None else opened.record.head()
    if not (reports.resume and head and is_record(head)) or path is None or path.exists():
        return None
    record = Path(str(reports.json))
    read = _translated(lambda: read_lines(record))
    if read.footer is None or not read.footer.get("finished"):
        return None
    told = json_of(header(plan))
    differ = changes_of_headers(read.header, told)
    if read.header.get("shard") != told.get("shard"):
        differ.append("--shard")
    if differ:
        raise BadInput(
            f"--resume: {str(record)!r} is the record of another run ({'; '.join(differ)}); give another name"
        )
    complain(f"--resume: the run of {str(record)!r} is finished; 'tokconf report' shows it")
    return int(read.footer["exit_status"])


def _resumed(plan: MetricsPlan, reports: ReportOptions, opened: OpenReports) -> Counted | None:
    """Return the checkpoint to go on from; nothing where there is none, or none is wanted. Raises :class:`BadInput`."""
    path = plan.checkpoint_file
    if path is None:
        return None
    unknown_ids = tuple(row.vocabulary.unknown_ids for row in plan.rows)
    if not reports.resume:
        if path.exists() and not reports.force:
            if not is_checkpoint(path):
                raise BadInput(f"{str(path)!r}, the place of the checkpoint, is some other file; --force replaces it")
            complain(f"replacing the checkpoint of an interrupted run, {str(path)!r}; --resume goes on with it")
        return None
    record = Path(str(reports.json))
    if opened.record is not None and opened.record.head() and not is_record(opened.record.head()):
        raise BadInput(f"--resume: {str(record)!r} is no record of tokconf")
    found = _translated(lambda: read_checkpoint(path, fingerprint(plan), unknown_ids))
    if found is not None:
        complain(f"--resume: {found.read.texts:,} texts were counted before")
    else:
        complain(f"--resume: there is no checkpoint {str(path)!r} yet, so this begins at the first text")
    return found
