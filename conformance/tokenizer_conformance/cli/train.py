"""``tokconf train``: compare what trainers learn from one corpus."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.training import Algorithm, PreTokenizer
from tokenizer_conformance.cli.choosing import limits_of
from tokenizer_conformance.cli.choosing_trainers import choose_trainers
from tokenizer_conformance.cli.given_training import options_of
from tokenizer_conformance.cli.read_files import given_files, program_files
from tokenizer_conformance.command_io.conclusion import EXIT_STATUS, Conclusion
from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.command_io.outputs import open_reports
from tokenizer_conformance.command_io.shell import carry_out
from tokenizer_conformance.command_io.standard_streams import complain
from tokenizer_conformance.defaults import COMPARED_TRAINERS
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.research.training.engine import is_ending, train
from tokenizer_conformance.research.training.page import TRAININGS
from tokenizer_conformance.research.training.preparation import CannotCountError, TrainingPlan, prepared
from tokenizer_conformance.results.page_reports import PageOf
from tokenizer_conformance.results.records.making import lines_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_conformance.command_io.outputs import OpenReports, ReadFile, ReportOptions


def execute(
    *,
    algorithms: tuple[Algorithm, ...],
    files: tuple[str, ...],
    vocab_size: int,
    wanted: tuple[str, ...],
    baseline: str | None,
    repeat: int,
    pre_tokenizer: str,
    tolerance: float,
    timeout: float,
    memory: int,
    reports: ReportOptions,
    **given: Any,
) -> int:
    """Carry out ``tokconf train``."""
    try:
        with open_reports(reports, _read_files(files, (*wanted, *filter(None, (baseline,))))) as opened:
            chosen = choose_trainers(wanted or COMPARED_TRAINERS, baseline, limits_of(timeout, memory))
            plan = prepared(
                trainers=chosen.trainers,
                unavailable=chosen.unavailable,
                optional=chosen.optional,
                counters=chosen.counters,
                files=files,
                pre_tokenizer=PreTokenizer(pre_tokenizer),
                options=options_of(algorithms, vocab_size, given),
                repeat=repeat,
                tolerance=tolerance,
                command=("tokconf", *sys.argv[1:]),
            )
            return _carry_out(plan, opened)
    except BadInputError as error:
        raise BadInput(str(error)) from error
    except CannotCountError as error:
        complain(str(error))
        return EXIT_STATUS[Conclusion.IMPLEMENTATION_FAILED]


def _read_files(files: Sequence[str], words: Sequence[str]) -> list[ReadFile]:
    """Return the files that the command reads: those of the corpus, and the programs of trainers."""
    return [*given_files("a file of the corpus", files), *program_files(words)]


def _carry_out(plan: TrainingPlan, opened: OpenReports) -> int:
    """Train, report, and return the exit status."""
    page = PageOf(TRAININGS, lines_of)
    return carry_out(train(plan), page.reports(opened), page.terminal, ends=is_ending)
