"""``tokconf fuzz TOKENIZER…``: what was given is found and read, and the search is carried out."""

from __future__ import annotations

import secrets
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from tokenizer_conformance.cli.choosing import chosen
from tokenizer_conformance.cli.read_files import input_files, program_files, tokenizer_files
from tokenizer_conformance.command_io.output import BadInput, Report
from tokenizer_conformance.command_io.outputs import open_reports
from tokenizer_conformance.command_io.shell import carry_out
from tokenizer_conformance.command_io.standard_streams import complain, reason_of
from tokenizer_conformance.defaults import DEFAULT_BASELINE, FUZZED_IMPLEMENTATIONS
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.corpus import EVERYTHING
from tokenizer_conformance.inputs.text import Split
from tokenizer_conformance.results.ci_results.reports import check_reports
from tokenizer_conformance.results.page_reports import PageOf
from tokenizer_conformance.validation.running.preparation import all_sources, gather, given_sources
from tokenizer_conformance.validation.search.checks import SearchChecks
from tokenizer_conformance.validation.search.engine import search
from tokenizer_conformance.validation.search.events import is_ending
from tokenizer_conformance.validation.search.folder import CorpusFolder
from tokenizer_conformance.validation.search.generators import SEARCH_GENERATORS
from tokenizer_conformance.validation.search.page import SEARCHES
from tokenizer_conformance.validation.search.plan import (
    DEFAULT_SECONDS,
    NOT_BEGUN,
    Pairing,
    SearchedImplementation,
    SearchPlan,
)
from tokenizer_conformance.validation.search.record import lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tokenizer_adapters.selection import Isolation
    from tokenizer_conformance.cli.choosing import Chosen
    from tokenizer_conformance.cli.given_ledgers import LedgerOptions
    from tokenizer_conformance.command_io.outputs import OpenReports, ReadFile, ReportOptions
    from tokenizer_conformance.inputs.corpus import Corpus
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.results.recorded_page import RecordedPage
    from tokenizer_conformance.validation.search.plan import FuzzPlan

SEEDS = 2**32

MOST_TEXTS = 50_000
"""How many texts of the files that are given are used; they are held in memory, to be changed at random."""

HINT = "; TOKENIZERs stand before the options"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """What was asked for on the command line; ``None`` where nothing was said."""

    tokenizers: tuple[str, ...]
    wanted: tuple[str, ...]
    baseline: str | None
    isolation: Isolation
    patience: float
    seconds: float | None
    cases: int | None
    jobs: int
    seed: int | None
    files: tuple[str, ...]
    column: str | None
    corpus: Path | None
    ledgers: LedgerOptions
    reports: ReportOptions

    @property
    def against(self) -> str | None:
        """The baseline that was asked for; where one implementation is given alone, the usual one."""
        return DEFAULT_BASELINE if self.baseline is None and len(self.wanted) < 2 else self.baseline

    def read_files(self) -> Iterator[ReadFile]:
        """Yield every file that the search reads."""
        yield from tokenizer_files(self.tokenizers)
        yield from input_files(self.files)
        yield from program_files((*self.wanted, *filter(None, (self.baseline,))))
        yield from self.ledgers.read_files()


def search_status(options: SearchOptions) -> int:
    """Search as ``options`` say, report, and return the exit status."""
    with ExitStack() as stack:
        opened = stack.enter_context(open_reports(options.reports, options.read_files()))
        choice = stack.enter_context(
            chosen(options.wanted or FUZZED_IMPLEMENTATIONS, options.against, options.isolation, HINT)
        )
        for refusal in choice.absent:
            complain(refusal.reason)
        folder = None if options.corpus is None else stack.enter_context(_folder(options.corpus))
        return carried_out(_plan(options, choice, folder), SEARCHES, opened, folder)


def _folder(path: Path) -> CorpusFolder:
    try:
        return CorpusFolder(path, complain)
    except BadInputError as error:
        raise BadInput(str(error)) from error


def _plan(options: SearchOptions, choice: Chosen, folder: CorpusFolder | None) -> SearchPlan:
    sources = given_sources(options.files, options.column, (Split.LINE,))
    given = gather(
        options.tokenizers,
        all_sources(sources, builtin=False) if sources else [],
        EVERYTHING,
        choice.limit,
        may_be_empty=True,
    )
    seed = _seed(options, folder)
    sides = {
        built.info.name: SearchedImplementation(built, selected)
        for built, selected in zip(choice.implementations, choice.selected, strict=True)
    }
    baseline = sides.pop(choice.baseline)
    pairings = (
        _pairing(tokenizer, side, baseline, folder, seed) for side in sides.values() for tokenizer in given.tokenizers
    )
    return SearchPlan(
        baseline=baseline,
        pairings=tuple(pairings),
        seed=seed,
        patience=options.patience,
        generators=SEARCH_GENERATORS,
        seconds=DEFAULT_SECONDS if options.seconds is None and options.cases is None else options.seconds,
        cases=options.cases,
        jobs=options.jobs,
        texts=_texts(given.corpus),
        refusals=given.refusals,
        unavailable=choice.unavailable,
        optional=choice.optional,
        ledger=options.ledgers.ledger(),
        command=("tokconf", *sys.argv[1:]),
    )


def _seed(options: SearchOptions, folder: CorpusFolder | None) -> int:
    drawn = secrets.randbelow(SEEDS)
    if folder is None:
        return drawn if options.seed is None else options.seed
    try:
        return folder.seed(options.seed, drawn)
    except OSError as error:
        raise BadInput(f"--corpus {str(folder.path)!r}: {reason_of(error)}") from error


def _pairing(
    tokenizer: TokenizerFile,
    side: SearchedImplementation,
    baseline: SearchedImplementation,
    folder: CorpusFolder | None,
    seed: int,
) -> Pairing:
    begun = NOT_BEGUN if folder is None else folder.begun(tokenizer, baseline.info, side.info, seed)
    return Pairing(tokenizer, side, begun)


def _texts(corpus: Corpus) -> tuple[str, ...]:
    if corpus.count > MOST_TEXTS:
        complain(f"of {corpus.count:,} texts in the files of --inputs the first {MOST_TEXTS:,} are used")
    return tuple(each.input.text for each in islice(corpus, MOST_TEXTS))


def carried_out(
    plan: SearchPlan | FuzzPlan, page_kind: RecordedPage, opened: OpenReports, folder: CorpusFolder | None = None
) -> int:
    """Search, report, and return the exit status; ``folder`` keeps what is found."""
    page = PageOf(page_kind, lines_of)
    reports = [*page.reports(opened), *check_reports(opened, SearchChecks)]
    if folder is not None:
        reports.append(Report(repr(str(folder.path)), folder))
    return carry_out(search(plan), reports, page.terminal, ends=is_ending)
