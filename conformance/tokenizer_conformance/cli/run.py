"""``tokconf run``: compare implementations on tokenizers and texts."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tokenizer_adapters.contract import PIPELINE_STAGES, Chat, Field, Stage
from tokenizer_conformance.cli.choosing import chosen
from tokenizer_conformance.cli.given_options import given_options, process_options
from tokenizer_conformance.cli.read_files import program_files, tokenizer_files
from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.command_io.outputs import open_reports
from tokenizer_conformance.command_io.pools import Engine
from tokenizer_conformance.command_io.shell import carry_out
from tokenizer_conformance.command_io.standard_streams import complain, reason_of
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.comparison.differences import compared_fields
from tokenizer_conformance.defaults import CHAT_BASELINE, CHAT_IMPLEMENTATIONS, RUN_IMPLEMENTATIONS
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.asked import AskedQuestions
from tokenizer_conformance.inputs.bundled import named, names_with_chat_template
from tokenizer_conformance.inputs.conversations.files import all_conversations, conversation_files
from tokenizer_conformance.inputs.corpus import EVERYTHING, Sample
from tokenizer_conformance.inputs.tokenizer_files import with_folder
from tokenizer_conformance.lazy import lazy
from tokenizer_conformance.results.page_reports import PageOf
from tokenizer_conformance.validation.running.engine import run, run_started
from tokenizer_conformance.validation.running.events import is_ending
from tokenizer_conformance.validation.running.page import RUNS
from tokenizer_conformance.validation.running.plan import Call, Requirement, RunPlan, SpeedPlan, portions_of_shard
from tokenizer_conformance.validation.running.preparation import all_sources, gather, word_for
from tokenizer_conformance.validation.running.record import JsonLinesReport, lines_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokenizer_adapters.selection import Isolation
    from tokenizer_conformance.cli.given_inputs import InputOptions
    from tokenizer_conformance.cli.given_ledgers import LedgerOptions
    from tokenizer_conformance.cli.last_failed import LastFailedOptions
    from tokenizer_conformance.command_io.outputs import OpenReports, ReportOptions
    from tokenizer_conformance.command_io.shard import Shard
    from tokenizer_conformance.inputs.asked import Question
    from tokenizer_conformance.inputs.conversations.files import ConversationFile
    from tokenizer_conformance.inputs.corpus import Corpus, Inputs, Selection
    from tokenizer_conformance.inputs.sources import NamedSource
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.validation.running.plan import Portion
    from tokenizer_conformance.validation.running.recorded_run import Record


RunChecks = lazy("tokenizer_conformance.validation.running.checks:RunChecks")
LedgerUpdate = lazy("tokenizer_conformance.validation.running.ledger_update:LedgerUpdate")
check_reports = lazy("tokenizer_conformance.results.ci_results.reports:check_reports")
"""Reports that not every run is asked for."""

compression_of = lazy("tokenizer_conformance.compression:compression_of")
is_interrupted_run = lazy("tokenizer_conformance.validation.running.recorded_run:is_interrupted_run")
read_record = lazy("tokenizer_conformance.validation.running.recorded_run:read_record")
refuse_another_run = lazy("tokenizer_conformance.validation.running.recorded_run:refuse_another_run")


def requirement_in(word: str) -> Requirement | None:
    """Return the requirement that ``word`` states, ``STAGE`` or ``STAGE:FIELD``; ``None`` where it states none."""
    stage, _, field = word.partition(":")
    if stage not in PIPELINE_STAGES or (":" in word and field not in compared_fields(Stage(stage))):
        return None
    return Requirement(Stage(stage), Field(field) if field else None)


def is_requirement(word: str) -> bool:
    """Return whether ``word`` states a requirement."""
    return requirement_in(word) is not None


def read_requirements(_context: click.Context, _parameter: click.Parameter, words: tuple[str, ...]) -> Any:
    """Return the requirements that ``words`` state. Raises :class:`click.BadParameter`."""
    requirements = [(word, requirement_in(word)) for word in words]
    for word, requirement in requirements:
        if requirement is None:
            known = "; ".join(f"{stage}: {', '.join(compared_fields(stage))}" for stage in PIPELINE_STAGES)
            raise click.BadParameter(f"{word!r} is no STAGE or STAGE:FIELD; choose from {known}")
    return tuple(requirement for _, requirement in requirements)


def execute(
    context: click.Context,
    *,
    tokenizers: tuple[str, ...],
    wanted: tuple[str, ...],
    baseline: str | None,
    isolation: Isolation,
    inputs: InputOptions,
    chat: bool,
    count: int,
    seed: int,
    stages: tuple[Stage, ...],
    fields: tuple[Field, ...],
    selection: Selection,
    sampled: Callable[[Corpus], Inputs],
    questions: tuple[Question, ...],
    required: tuple[Requirement, ...],
    shard: Shard | None,
    last_failed: LastFailedOptions,
    every_id: bool,
    max_failing: int | None,
    jobs: int,
    engine: str,
    cause_seconds: float,
    speed: bool,
    speed_seconds: float,
    ledgers: LedgerOptions,
    reports: ReportOptions,
) -> int:
    """Carry out ``tokconf run``."""
    if questions:
        _refuse_other_inputs(context)
    _refuse_mixed_inputs(context, chat=chat)
    if speed:
        _refuse_parts(context)
    if chat:
        tokenizers = tokenizers or names_with_chat_template()
    if reports.resume and reports.json is None:
        raise click.UsageError("--resume needs --json FILE, the record of the run to go on with")
    with (
        open_reports(
            reports,
            [
                *tokenizer_files(named(tokenizers)),
                *inputs.read_files(),
                *program_files((*wanted, *filter(None, (baseline,)))),
                *ledgers.read_files(),
                *last_failed.read_files(),
            ],
        ) as opened,
        chosen(*_words(wanted, baseline, chat=chat), isolation, "; TOKENIZERs stand before the options") as choice,
    ):
        ledger = ledgers.ledger()
        sources: Sequence[NamedSource | ConversationFile]
        if chat:
            sources = files = conversation_files(inputs.files)
            every = [] if questions else all_conversations(files, count, seed, builtin=inputs.builtin)
        else:
            sources = texts = inputs.given_sources()
            every = [] if questions else all_sources(texts, builtin=inputs.builtin)
        wants_ids = every_id and any(word.startswith("id ") for word in selection.ids)
        given = gather(
            tokenizers,
            every,
            selection,
            choice.limit,
            may_be_empty=wants_ids or bool(questions),
        )
        corpus = AskedQuestions(questions) if questions else sampled(given.corpus)
        portions, repeats = last_failed.portions(
            [each.source.name for each in given.tokenizers],
            corpus,
            [each.info.name for each in choice.implementations],
            with_ids=every_id,
        )
        tokenizers_given = tuple(map(with_folder, given.tokenizers)) if chat else given.tokenizers
        plan = RunPlan(
            tokenizers=tokenizers_given,
            implementations=choice.implementations,
            baseline=choice.baseline,
            corpus=corpus,
            refusals=given.refusals,
            unavailable=choice.unavailable,
            optional=choice.optional,
            absent=choice.absent,
            stages=stages or _stages(questions, chat=chat),
            fields=frozenset(fields or Field),
            every_id=every_id,
            max_failing=max_failing,
            asks_further=inputs.builtin and not chat,
            command=("tokconf", *sys.argv[1:]),
            required=required,
            ledger=ledger,
            jobs=jobs,
            engine=Engine(engine),
            cause_seconds=cause_seconds,
            selected=choice.selected,
            speed=SpeedPlan(
                seconds=speed_seconds,
                starts={name: partial(each.start, each.limits) for name, each in choice.by_name()},
                sources=frozenset(source.name for source in sources),
            )
            if speed
            else None,
            vocabulary=not chat and _asks_for_vocabulary(corpus, stages, fields),
            seed=seed,
            portions=portions or _portions(shard, given.tokenizers, corpus),
            shard=shard,
            repeats=repeats,
            options={
                **process_options(context),
                "max-fail": max_failing,
                "cause-time": cause_seconds,
                "sample": corpus.most if isinstance(corpus, Sample) else None,
                "sample-seed": corpus.seed if isinstance(corpus, Sample) else None,
            },
            call=Call(
                tokenizers={each.source.name: word_for(each) for each in given.tokenizers},
                implementations=choice.words,
                sources={source.name: source.options for source in sources},
                options=given_options(context, REPEATED_OPTIONS),
            ),
        )
        _refuse_requirements_elsewhere(plan)
        if not plan.observed_stages():
            raise click.UsageError(
                "no stage of those asked for has a field of those asked for; nothing would be compared"
            )
        if not reports.resume and opened.record is not None and is_interrupted_run(opened.record):
            complain(f"replacing the record of an interrupted run, {reports.json!r}; --resume goes on with it")
        record = _record_to_resume(plan, Path(reports.json)) if reports.resume and reports.json else None
        return _carry_out(plan, opened, record, ledgers)


def _asks_for_vocabulary(corpus: Inputs, stages: tuple[Stage, ...], fields: tuple[Field, ...]) -> bool:
    """Return whether vocabularies are compared: where that is asked, or no input, stage or field is chosen without."""
    if isinstance(corpus, AskedQuestions):
        return corpus.ask_for_vocabulary
    return corpus.selection == EVERYTHING and Stage.MODEL in (stages or Stage) and Field.IDS in (fields or Field)


def _words(wanted: tuple[str, ...], baseline: str | None, *, chat: bool) -> tuple[tuple[str, ...], str | None]:
    """Return the implementations to compare, and the baseline where one is meant: of prompts, the reference."""
    if not chat:
        return wanted or RUN_IMPLEMENTATIONS, baseline
    words = wanted or CHAT_IMPLEMENTATIONS
    is_meant = baseline is None and (CHAT_BASELINE in words or words[1:] == ())
    return words, CHAT_BASELINE if is_meant else baseline


def _stages(questions: Sequence[Question], *, chat: bool) -> tuple[Stage, ...]:
    """Return the stages that are compared where none is chosen: that of conversations where these are asked about."""
    if chat:
        return (Stage.CHAT,)
    return tuple(Stage) if any(isinstance(each, Chat) for each in questions) else PIPELINE_STAGES


BESIDE_QUESTIONS = ("files", "substring", "ids", "most", "sample_seed", "every_id", "shard", "speed")
"""The options by name that ask for inputs, which are not asked about beside questions."""


def _refuse_other_inputs(context: click.Context) -> None:
    given = given_options(context, BESIDE_QUESTIONS)
    if given:
        raise click.UsageError(f"--ask asks just the questions that it states; leave {given[0]} out")


ABOUT_TEXTS = ("column", "splits", "stages", "every_id", "speed")
"""The options by name that are about texts, and not about conversations."""

ABOUT_CONVERSATIONS = ("count", "seed")


def _refuse_mixed_inputs(context: click.Context, *, chat: bool) -> None:
    given = given_options(context, ABOUT_TEXTS if chat else ABOUT_CONVERSATIONS)
    if given:
        about = "is not about conversations; leave it out with --chat" if chat else "needs --chat"
        raise click.UsageError(f"{given[0]} {about}")


PARTS = ("shard", "last_failed_record", "resume")
"""The options by name with which a run is a part of one, or goes on with one: speed is measured at once and whole."""


def _refuse_parts(context: click.Context) -> None:
    given = given_options(context, PARTS)
    if given:
        raise click.UsageError(f"--speed measures a whole run, all implementations in turns; leave {given[0]} out")


def _portions(shard: Shard | None, tokenizers: Sequence[TokenizerFile], corpus: Inputs) -> dict[str, Portion]:
    """Return what of the inputs is compared on each tokenizer, where that is not all."""
    if shard is None:
        return {}
    STATUS.begin("sharing the inputs out", str(shard))
    try:
        return portions_of_shard(shard, [each.source.name for each in tokenizers], corpus)
    except BadInputError as error:
        raise BadInput(str(error)) from error


REPEATED_OPTIONS = (
    "chat",
    "count",
    "seed",
    "isolate",
    "in_process",
    "memory",
    "timeout",
    "splits",
    "stages",
    "fields",
    "ledger_files",
    "no_known",
)
"""The options by name that matter for a single input too."""


def _refuse_requirements_elsewhere(plan: RunPlan) -> None:
    for requirement in plan.required:
        if requirement.stage not in plan.observed_stages() or not plan.fields.intersection(requirement.fields()):
            raise click.UsageError(f"--require {requirement}: --stage or --field leaves that out of the comparison")


# The run -------------------------------------------------------------------------------------------------------------


def _record_to_resume(plan: RunPlan, path: Path) -> Record | None:
    """Return the record that an earlier run has left at ``path``; none where it has not reached its first line."""
    STATUS.begin("reading the record", str(path))
    try:
        if path.stat().st_size == 0:  # that of a run that was killed before it began
            return None
        content = path.read_bytes()
        _refuse_compressed(path, content)
        record: Record | None = read_record(path, plan.corpus, plan.ledger, content)
        if record is not None:
            refuse_another_run(path, record, run_started(plan))
    except OSError as error:
        raise BadInput(f"cannot read {str(path)!r}: {reason_of(error)}") from error
    except BadInputError as error:
        raise BadInput(str(error)) from error
    return record


def _refuse_compressed(path: Path, content: bytes) -> None:
    """Raise :class:`BadInputError` for a record to which nothing can be added."""
    if compression_of(content) is not None:
        raise BadInputError(
            f"{str(path)!r} is compressed, and a run goes on with a plain record only; decompress it first"
        )


def _carry_out(plan: RunPlan, opened: OpenReports, record: Record | None, ledgers: LedgerOptions) -> int:
    """Run, report, and return the exit status; ``record`` is that of the run to go on with.

    New differences are appended to the one of ``ledgers`` that is to be updated.
    """
    size, resumption = (0, None) if record is None else (record.size, record.resumption)
    page = PageOf(RUNS, lines_of)
    reports = page.reports(opened, lambda sink: JsonLinesReport(sink, size))
    if opened.junit or opened.sarif or opened.github:
        reports += check_reports(opened, partial(RunChecks, optional=plan.optional))
    reports += ledgers.reports(LedgerUpdate)
    return carry_out(
        run(plan, resumption),
        reports,
        page.terminal,
        ends=is_ending,
    )
