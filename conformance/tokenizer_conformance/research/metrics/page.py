"""The page of a record of ``tokconf metrics``: who needs how many tokens, in sentences, pictures and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.metrics.counts import Failure, Failures, Read
from tokenizer_conformance.research.metrics.groups import ALL_TEXTS, Group
from tokenizer_conformance.research.metrics.measures.catalogue import MEASURE_BY_ID, MEASURES
from tokenizer_conformance.research.metrics.plots import plots_of, plots_of_all_texts
from tokenizer_conformance.research.metrics.results import Measurement, Results, RowResult
from tokenizer_conformance.research.metrics.sheets import OF_TWO, estimate_of, sheets_of
from tokenizer_conformance.research.metrics.wording import cautions, failures, flattered, not_shown
from tokenizer_conformance.results.figures import figure, interval_words, signed
from tokenizer_conformance.results.page import Compared, Drawing, Fact, Page, Section, Table
from tokenizer_conformance.results.recorded_page import (
    CUT_SHORT,
    STATES,
    PageReader,
    RecordedPage,
    environment_facts,
)
from tokenizer_conformance.results.records import metrics as lines
from tokenizer_conformance.results.records.headers import ImplementationMissing, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.research.metrics.measures.measure import Measure
    from tokenizer_conformance.results.records.ending import Ended
    from tokenizer_conformance.results.records.value import Value

DESCRIPTIONS = {
    "agreement": "How far two tokenizers cut the texts at the same places: 1 where they always do.",
    "vocabulary-overlap": "How much of two vocabularies is in both: 1 where they have the same tokens.",
    "rank-frequency": "How often each token is used, the most frequent one first; both axes are logarithmic.",
    "compression": "How many bytes a token stands for, by the size of the vocabulary; with intervals.",
    "token-lengths": "Which share of the tokens used has how many characters.",
    "fertility": "How many tokens a word needs, with intervals; fewer are better.",
    "bytes_per_token": "How many bytes a token stands for, with intervals; more are better.",
    "renyi_efficiency": "How evenly the tokens of the vocabulary are used, with intervals; 1 is the most even use.",
}
"""What plots show, by their names; of those by groups see :func:`_described`."""

MOST_SOURCES = 6
"""So many files of texts are named."""

ABOUT_COLUMNS = "What each column is: tokconf metrics --definitions, and docs/metrics.md"


class MetricsReader(PageReader[lines.Header]):
    """Reads the record of measurements."""

    def __init__(self, name: str, header: lines.Header) -> None:
        super().__init__(name, header)
        self._versions = {each.name: each.version for each in header.implementations}
        self._measures: list[Measure[object]] = []
        self._rows: list[RowResult] = []
        self._groups: list[tuple[Group, Read]] = []
        self._measurements: list[Measurement] = []
        self._differences: list[Measurement] = []
        self._footer: lines.Footer | None = None

    def take(self, line: Value) -> None:
        """Take in a ``line``."""
        match line:
            case Refused() | ImplementationMissing():
                self.complaints.append(line.reason)
            case lines.NotLoaded(row=row, reason=reason):
                self.complaints.append(f"{row} cannot be loaded: {reason}")
            case lines.Measure(id=name):
                known = MEASURE_BY_ID.get(name)
                self._measures += [] if known is None else [known]  # a later release may have more
            case lines.Group():
                self._groups.append((Group(line.by, line.name), Read(line.texts, line.characters, line.bytes)))
            case lines.Row():
                self._rows.append(self._row(line))
            case lines.Measurement():
                self._measurements.append(_measurement(line))
            case lines.Difference():
                self._differences.append(_measurement(line))
            case lines.Footer():
                self._footer = line

    def _row(self, line: lines.Row) -> RowResult:
        return RowResult(
            line.name,
            line.tokenizer,
            line.implementation,
            self._versions.get(line.implementation, ""),
            _failures(line.failures),
            _failures(line.not_decoded),
            _failures(line.gold_failures),
            line.rank_frequency,
            line.token_lengths,
        )

    def page(self, ended: Ended) -> Page:
        """Return the page of the measurements."""
        results = self._results()
        tokenizers = tuple(_tokenizers(self._header))
        return Page(
            name=self._name,
            kind="metrics",
            tokenizers=tuple(each.name for each in tokenizers),
            state=STATES[ended.conclusion],
            conclusion=ended.conclusion.value,
            summary=_summary(self._footer, results),
            sentences=(*_extremes(results), *self._differences_told(results)),
            facts=(*environment_facts(self._header.environment), *self._facts()),
            compared=(*tokenizers, *_cutters(self._header)),
            complaints=(*ended.complaints, *self.complaints),
            sections=tuple(_sections(results)),
        )

    def _results(self) -> Results:
        return Results(
            tuple(self._measures),
            tuple(self._rows),
            tuple(self._groups),
            tuple(self._measurements),
            tuple(self._differences),
            partial=self._footer is not None and not self._footer.finished,
        )

    def _facts(self) -> Iterator[Fact]:
        header = self._header
        names = ", ".join(f"{each.name} ({each.language})" for each in header.inputs.sources[:MOST_SOURCES])
        left = len(header.inputs.sources) - MOST_SOURCES
        yield Fact("texts", f"{header.inputs.count:,} of {names}{f' and {left:,} more files' if left > 0 else ''}")
        yield Fact("SHA-256 of the texts", header.inputs.sha256, is_detail=True)
        yield from (Fact("note", note) for note in header.inputs.notes)
        yield Fact("words", header.words)
        if header.base is not None:
            yield Fact("base", header.base)
        if header.base_language is not None:
            yield Fact("language", f"{header.base_language}, which premiums are against")
        told = f"{header.confidence:.0%}, of {header.replicates:,} resamplings of texts, seed {header.seed}"
        yield Fact("intervals", told)

    def _differences_told(self, results: Results) -> Iterator[str]:
        """Yield how the length of each tokenizer stands to that of the base, and how sure that is."""
        for each in results.differences:
            if each.measure != "fertility" or each.group != ALL_TEXTS or each.value is None:
                continue
            if each.low is None or each.high is None:
                more = f"needs {signed(each.value)} tokens a word compared with {each.other}"
                yield f"{each.row} {more}; there is no interval."
                continue
            interval = f"{self._header.confidence:.0%} interval {signed(each.low)}…{signed(each.high)}"
            sure = f"needs {'more' if each.value > 0 else 'fewer'} tokens a word than {each.other}"
            said = sure if is_clear(each) else f"and {each.other} cannot be told apart by their tokens a word"
            yield f"{each.row} {said}: {signed(each.value)} ({interval})."


def _failures(recorded: lines.Failures) -> Failures:
    examples = [Failure(each.id, each.kind, each.message) for each in recorded.examples]
    return Failures(dict(recorded.kinds), examples)


def _measurement(line: lines.Measurement | lines.Difference) -> Measurement:
    group = Group(line.by, line.group)
    other, missing = line.other or "", line.missing or ""
    return Measurement(line.measure, line.row, other, group, line.value, line.low, line.high, missing)


def is_clear(difference: Measurement) -> bool:
    """Return whether all the interval of ``difference`` is on one side of zero."""
    low, high = difference.low, difference.high
    return low is not None and high is not None and (low > 0 or high < 0)


def _summary(footer: lines.Footer | None, results: Results) -> str:
    if footer is None:
        return CUT_SHORT
    read = f"{counted(footer.texts, 'text')}, {footer.bytes / 1e6:,.1f} MB"
    partial = f"PARTIAL ({footer.reason or 'it was stopped'}): " if results.partial else ""
    return f"{partial}{counted(len(results.rows), 'tokenizer')} measured on {read}"


def _extremes(results: Results) -> Iterator[str]:
    """Say who needs the fewest tokens for all texts, and who the most."""
    found = [(each.value, each) for each in results.of("bytes_per_token", ALL_TEXTS) if each.value is not None]
    if len(found) > 1:
        (most, best), (least, worst) = max(found, key=lambda pair: pair[0]), min(found, key=lambda pair: pair[0])
        if most > least > 0:
            yield (
                f"{best.row} needs the fewest tokens: one for {_with_interval(best)} bytes. {worst.row} needs the "
                f"most, {100 * (most / least - 1):.1f} % more: one for {_with_interval(worst)} bytes."
            )
        else:
            yield "All tokenizers need equally many tokens."
    lost = [each for each in results.of("lossless", ALL_TEXTS) if each.value is not None and each.value < 1]
    for each in lost:
        yield f"{each.row} does not give back every text: {figure(100 * (each.value or 0.0))} % come back as they were."


def _with_interval(each: Measurement) -> str:
    estimate = estimate_of(each)
    if estimate is None:
        return figure(0.0)
    interval = interval_words(estimate)
    return f"{figure(estimate.value)}{f' ({interval})' if interval else ''}"


def _tokenizers(header: lines.Header) -> Iterator[Compared]:
    for each in header.tokenizers:
        note = f"{each.size:,} bytes, SHA-256 {each.sha256[:16]}…"
        yield Compared(each.name, each.model or "", "base" if each.name == header.base else "measured", note)


def _cutters(header: lines.Header) -> Iterator[Compared]:
    return (Compared(each.name, each.version, "cut by", each.language) for each in header.implementations)


# Sections ------------------------------------------------------------------------------------------------------------


def _sections(results: Results) -> Iterator[Section]:
    drawings = tuple(
        Drawing(plot, _described(name)) for name, plot in (*plots_of_all_texts(results), *plots_of(results))
    )
    if drawings:
        yield Section("In pictures", drawings=drawings, is_detail=True)
    chosen = () if len(results.measures) == len(MEASURES) else tuple(each.id for each in results.measures)
    notes = (*failures(results), *not_shown(results), *flattered(results), *cautions(results))
    tables = tuple(sheets_of(results, chosen))
    if tables:
        yield Section("Measures", (*notes, ABOUT_COLUMNS), tables=tables)
        details = (_overview(results), _beside_base(results), _pairs(results), _groups(results))
        yield Section("In detail", tables=tuple(table for table in details if table.rows), is_detail=True)
    definitions = tuple((each.title, each.unit, each.better, each.definition) for each in results.measures)
    if definitions:
        table = Table("Definitions", ("measure", "unit", "better", "definition"), definitions)
        yield Section("What the measures are", tables=(table,), is_detail=True)


def _described(name: str) -> str:
    measure, _, by = name.partition("-by-")
    return f"{DESCRIPTIONS.get(measure, 'A measure.')} Of each {by} apart." if by else DESCRIPTIONS[name]


def _overview(results: Results) -> Table:
    """Return a table of all measures of one tokenizer on all texts."""
    found = {(each.measure, each.row): each for each in results.measurements if each.group == ALL_TEXTS}
    names = [each.name for each in results.rows]
    rows = tuple(
        (measure.title, measure.unit, *(estimate_of(found.get((measure.id, name))) for name in names), measure.better)
        for measure in results.measures
        if measure.scope not in OF_TWO and any((measure.id, name) in found for name in names)
    )
    return Table("All texts", ("measure", "unit", *names, "better"), rows, "Shares and ratios have the unit 1.")


def _beside_base(results: Results) -> Table:
    titles = {each.id: each for each in results.measures}
    rows = tuple(
        (titles[each.measure].title, each.row, each.other, estimate_of(each, is_signed=True), _said(each))
        for each in results.differences
        if each.group == ALL_TEXTS and each.value is not None and each.measure in titles
    )
    note = "Of texts taken in pairs. What is not clear has an interval with zero in it, or none."
    return Table("Differences to the base", ("measure", "tokenizer", "beside", "difference", "is"), rows, note)


def _said(difference: Measurement) -> str:
    if not is_clear(difference):
        return "not clear"
    return "higher" if (difference.value or 0.0) > 0 else "lower"


def _pairs(results: Results) -> Table:
    rows = tuple(
        (measure.title, each.row, each.other, estimate_of(each))
        for measure in results.measures
        if measure.scope in OF_TWO
        for each in results.of(measure.id, ALL_TEXTS)
    )
    return Table("Two tokenizers", ("measure", "one", "other", "value"), rows)


def _groups(results: Results) -> Table:
    rows = tuple((group.name, group.by, read.texts, read.characters, read.bytes) for group, read in results.groups)
    return Table("Groups of texts", ("group", "by", "texts", "characters", "bytes"), rows)


METRICS = RecordedPage("measurements", "Tokenizer metrics", lines.FORMAT, MetricsReader)
