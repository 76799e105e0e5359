"""The page of a record of ``tokconf metrics``: who needs how many tokens, in sentences, pictures and tables."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING

from msgspec import UNSET

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.plural import counted, few, who
from tokenizer_conformance.research.metrics.counts import Failure, Failures, Read
from tokenizer_conformance.research.metrics.groups import ALL_TEXTS, Group
from tokenizer_conformance.research.metrics.measures.catalogue import MEASURE_BY_ID
from tokenizer_conformance.research.metrics.plots import plots_of, plots_of_all_texts
from tokenizer_conformance.research.metrics.results import Measurement, Results, RowResult
from tokenizer_conformance.research.metrics.sheets import COUNTED, MAIN, OF_TWO, estimate_of, sheets_of
from tokenizer_conformance.research.metrics.wording import (
    MANY_UNKNOWN,
    cautions,
    failures,
    flattered,
    not_shown,
    phrases,
    unreadable,
)
from tokenizer_conformance.results.figures import figure, signed
from tokenizer_conformance.results.page import Compared, Drawing, Fact, Page, Section, Sentence, State, Table
from tokenizer_conformance.results.recorded_page import (
    CUT_SHORT,
    STATES,
    PageReader,
    RecordedPage,
    environment_facts,
)
from tokenizer_conformance.results.records import metrics as lines
from tokenizer_conformance.results.records.headers import ImplementationMissing, Refused
from tokenizer_conformance.results.sentences import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

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
    "premium": "How many times as many tokens a text needs as the same text in the reference language, with intervals.",
    "renyi_efficiency": "How evenly the tokens of the vocabulary are used, with intervals; 1 is the most even use.",
}
"""What plots show, by their names; of those by groups see :func:`_described`."""

MOST_SOURCES = 6
"""So many files of texts are named."""

MOST_ROWS = 8
"""The tokens of so many tokenizers are told in a sentence."""

ABOUT_COLUMNS = "What each column is: tokconf metrics --definitions, and docs/reference/metrics.md"


class MetricsReader(PageReader[lines.Header]):
    """Reads the record of measurements."""

    def __init__(self, name: str, header: lines.Header) -> None:
        super().__init__(name, header)
        self._versions = {each.name: each.version for each in header.implementations}
        self._measures: list[Measure[object]] = []
        self._denominators: dict[str, str] = {}
        self._rows: list[RowResult] = []
        self._not_loaded: list[str] = []
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
                self._not_loaded.append(row)
                self.complaints.append(f"{row} cannot be loaded: {reason}")
            case lines.Measure(id=name, definition=definition, denominator=denominator):
                if name in MEASURE_BY_ID:  # a later release may have more, and an earlier one defines them otherwise
                    self._measures.append(replace(MEASURE_BY_ID[name], definition=definition))
                    self._denominators[name] = denominator
            case lines.Group():
                read = Read(line.texts, line.characters, line.bytes, line.blank, line.unspaced)
                self._groups.append((Group(line.by, line.name), read))
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
        is_whole = ended.conclusion is Conclusion.CONFORM
        return Page(
            name=self._name,
            kind="metrics",
            title=self._title(),
            tokenizers=tuple(each.name for each in tokenizers),
            state=State.MEASURED if is_whole else STATES[ended.conclusion],
            conclusion=self._headline(results) if is_whole else _trouble(ended, results, self._not_loaded),
            summary=self._summary(results),
            sentences=tuple(self._sentences(results)),
            facts=(*environment_facts(self._header.environment), *self._facts()),
            compared=(*tokenizers, *_cutters(self._header)),
            complaints=(*ended.complaints, *self.complaints),
            sections=tuple(_sections(results, self._denominators)),
        )

    def _title(self) -> str:
        """Say what is measured on which texts; where several implementations cut, that is told by their number."""
        header = self._header
        cut = [each.name for each in header.implementations] if len(header.implementations) > 1 else []
        by = f" by {few(cut, 'implementation')}" if cut else ""
        named = few([each.name for each in header.inputs.sources], "file")
        texts = f"{counted(header.inputs.count, 'text')}{f' of {named}' if header.inputs.sources else ''}"
        return f"{few([each.name for each in header.tokenizers], 'tokenizer')}{by} measured on {texts}"

    def _summary(self, results: Results) -> str:
        footer = self._footer
        if footer is None:
            return CUT_SHORT
        rows = len(results.rows) or len(self._header.tokenizers) * len(self._header.implementations)
        read = f"{counted(footer.texts, 'text')}, {footer.bytes / 1e6:,.1f} MB"
        partial = f"PARTIAL ({footer.reason or 'it was stopped'}): " if results.partial else ""
        return f"{partial}{counted(rows, 'tokenizer')} measured on {read}"

    def _headline(self, results: Results) -> str:
        shard = self._header.shard
        if shard is None:
            return headline(results)
        return f"part {shard.part} of {shard.of} is counted; 'tokconf merge' computes the values of all parts"

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
        noticed = () if self._footer is None else self._footer.notes
        yield from (Fact("note", note) for note in (*header.inputs.notes, *noticed))
        if header.shard is not None:
            yield Fact("part", f"{header.shard.part} of {header.shard.of}")
        if header.merged is not UNSET:
            yield Fact("merged", f"{counted(len(header.merged), 'part')} of {header.merged[0].shard.of}")
        yield Fact("words", header.words)
        if header.base is not None:
            yield Fact("base", header.base)
        if header.base_language is not None:
            yield Fact("language", f"{header.base_language}, which premiums are against")
        told = f"{header.confidence:.0%}, of {header.replicates:,} resamplings of texts, seed {header.seed}"
        yield Fact("intervals", told)

    def _sentences(self, results: Results) -> Iterator[Sentence]:
        """Yield what is to be known first: who needs the fewest tokens, what words are none, how much was counted."""
        yield from _extremes(results)
        yield from self._differences_told(results)
        yield from _not_ranked(results)
        yield from _not_given_back(results)
        yield from plain(phrases(results, self._header.words))
        if results.measurements:
            yield Sentence(_counted(results, self._header.words))

    def _differences_told(self, results: Results) -> Iterator[Sentence]:
        """Yield how many tokens each tokenizer needs beside the base, and how sure that is."""
        unread = unreadable(results)
        for each in results.of("normalized_sequence_length", ALL_TEXTS):
            if each.row == each.other or each.value is None or not unread.keys().isdisjoint((each.row, each.other)):
                continue
            if each.low is None or each.high is None:
                text = f"{each.row} needs {_beside(each.value, each.other)}; there is no interval."
                yield Sentence(text, (each.row,))
                continue
            low, high = (signed(100 * (end - 1)) for end in (each.low, each.high))
            interval = f"{self._header.confidence:.0%} interval {low}…{high} %"
            if each.low <= 1 <= each.high:
                text = f"{each.row} and {each.other} cannot be told apart by how many tokens they need ({interval})."
                yield Sentence(text, (each.row, each.other))
            else:
                yield Sentence(f"{each.row} needs {_beside(each.value, each.other)} ({interval}).", (each.row,))


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


def headline(results: Results) -> str:
    """Say in a sentence who needs how many tokens; who does not know the characters is not compared."""
    found = _by_length(results)
    unread = unreadable(results)
    if len(found) > 1:
        best, worst = found[0], found[-1]
        if _longer(best, worst) == 0:
            told = who([each.row for each in found], "", "need equally many tokens")
        else:
            told = f"{best.row} needs the fewest tokens, {worst.row} needs {_longer(best, worst):.1f} % more"
        return told + (f"; many characters are unknown to the other {len(unread)}" if unread else "")
    if unread and len(results.rows) > 1:
        known, others = (f"{found[0].row} alone reads", "the others") if found else ("no tokenizer reads", "each")
        return f"{known} the texts: more than {100 * MANY_UNKNOWN:.0f} % of the characters are unknown to {others}"
    tokens = [each for each in results.of("tokens", ALL_TEXTS) if each.value is not None]
    if len(tokens) == 1:
        return f"{tokens[0].row} needs {counted(int(tokens[0].value or 0), 'token')} for these texts"
    return f"{counted(len(results.rows), 'tokenizer')} measured"


def _by_length(results: Results) -> list[Measurement]:
    """Return the bytes per token of those that know the characters, the most first."""
    unread = unreadable(results)
    found = [each for each in results.of("bytes_per_token", ALL_TEXTS) if each.value and each.row not in unread]
    return sorted(found, key=attrgetter("value"), reverse=True)


def _longer(best: Measurement, worst: Measurement) -> float:
    """Return by how many percent more tokens ``worst`` needs."""
    return 100 * ((best.value or 0.0) / (worst.value or 1.0) - 1)


def _trouble(ended: Ended, results: Results, not_loaded: Sequence[str]) -> str:
    """Say who did not answer, where that is what ended well otherwise; else what ended the command."""
    if ended.conclusion is not Conclusion.IMPLEMENTATION_FAILED:
        return ended.conclusion.value
    told = [f"{row} does not load" for row in not_loaded]
    for each in results.rows:
        failed = (
            ("cut", each.failures, "text"),
            ("decode", each.decoding, "text"),
            ("cut", each.gold_failures, "word"),
        )
        told += [f"{each.name} did not {do} {counted(it.total, what)}" for do, it, what in failed if it.total]
    return "; ".join(told) or ended.conclusion.value


def _counted(results: Results, words: str) -> str:
    """Say how much was counted: texts, words and bytes, then the tokens of each row."""
    read = next((read for group, read in results.groups if group == ALL_TEXTS), Read())
    blank = f" ({read.blank:,} of them blank)" if read.blank else ""
    of_words = {int(each.value) for each in results.of("words", ALL_TEXTS) if each.value is not None}
    told = f", {counted(of_words.pop(), 'word')} ({words})" if len(of_words) == 1 else ""
    tokens = [each for each in results.of("tokens", ALL_TEXTS) if each.value is not None]
    of_rows = ", ".join(f"{each.row} {int(each.value or 0):,}" for each in tokens[:MOST_ROWS])
    more = f" and {len(tokens) - MOST_ROWS} more tokenizers" if len(tokens) > MOST_ROWS else ""
    texts = f"{counted(read.texts, 'text')}{blank}{told}, {read.characters:,} characters, {read.bytes:,} bytes"
    return f"Counted: {texts}. Tokens: {of_rows}{more}." if tokens else f"Counted: {texts}."


def _beside(length: float, other: str) -> str:
    """Say how many tokens are needed by who needs ``length`` times as many as ``other``."""
    if length == 1:
        return f"as many tokens as {other}"
    return f"{figure(round(100 * abs(length - 1), 2))} % {'more' if length > 1 else 'fewer'} tokens than {other}"


def _extremes(results: Results) -> Iterator[Sentence]:
    """Say who needs the fewest tokens for all texts, and who the most; who does not know the characters is left out."""
    found = _by_length(results)
    if len(found) > 1:
        best, worst = found[0], found[-1]
        if _longer(best, worst) > 0:
            text = (
                f"{best.row} needs the fewest tokens: one for {_with_interval(best)} bytes. {worst.row} needs the "
                f"most, {_longer(best, worst):.1f} % more: one for {_with_interval(worst)} bytes."
            )
            yield Sentence(text, (best.row, worst.row))


def _not_ranked(results: Results) -> Iterator[Sentence]:
    """Say who is not ranked by its tokens, since it does not know the characters."""
    unread = unreadable(results) if len(results.rows) > 1 else {}
    if unread:
        shares = {row: f"{figure(100 * share)} %" for row, share in unread.items()}
        verb, whose, whom = ("are", "their", "them") if len(unread) > 1 else ("is", "its", "it")
        reason = f"since characters are unknown to {whom}: {_shares(shares)}"
        yield Sentence(f"{_told_of(shares)} {verb} not ranked by {whose} tokens, {reason}.", tuple(unread))


def _not_given_back(results: Results) -> Iterator[Sentence]:
    """Say who does not give back every text."""
    lost = {
        each.row: f"{figure(100 * each.value)} %" if each.value else "none"
        for each in results.of("lossless", ALL_TEXTS)
        if each.value is not None and each.value < 1
    }
    if lost:
        of = "those that are not blank" if any(results.of("blank_texts")) else "all, blank ones counted"
        verb = "do" if len(lost) > 1 else "does"
        text = (
            f"{_told_of(lost)} {verb} not give back every text; of {of}, these come back as they were: {_shares(lost)}."
        )
        yield Sentence(text, tuple(lost))


def _told_of(shares: Mapping[str, str]) -> str:
    """Return whom ``shares`` are of: the one, or how many they are, who are named with their shares."""
    return few(list(shares), "tokenizer") if len(shares) == 1 else counted(len(shares), "tokenizer")


def _shares(shares: Mapping[str, str]) -> str:
    """Return ``shares`` as a list; the one alone."""
    return next(iter(shares.values())) if len(shares) == 1 else ", ".join(map(" ".join, shares.items()))


def _with_interval(each: Measurement) -> str:
    estimate = estimate_of(each)
    if estimate is None:
        return figure(0.0)
    interval = estimate.interval
    return f"{figure(estimate.value)}{f' ({interval})' if interval else ''}"


def _tokenizers(header: lines.Header) -> Iterator[Compared]:
    for each in header.tokenizers:
        note = f"{each.size:,} bytes, SHA-256 {each.sha256[:16]}…"
        yield Compared(each.name, each.model or "", "base" if each.name == header.base else "measured", note)


def _cutters(header: lines.Header) -> Iterator[Compared]:
    return (Compared(each.name, each.version, "cut by", each.language) for each in header.implementations)


# Sections ------------------------------------------------------------------------------------------------------------


def _sections(results: Results, denominators: Mapping[str, str]) -> Iterator[Section]:
    drawings = tuple(
        Drawing(plot, _described(name)) for name, plot in (*plots_of_all_texts(results), *plots_of(results))
    )
    if drawings:
        yield Section("In pictures", drawings=drawings, is_detail=True)
    found = tuple(each.id for each in results.measures if each.id not in COUNTED)
    chosen = () if {*MAIN} <= {*found} else found
    notes = (*failures(results), *not_shown(results), *flattered(results), *cautions(results))
    tables = tuple(sheets_of(results, chosen))
    if tables:
        yield Section("Measures", (*notes, ABOUT_COLUMNS), tables=(*tables[:1], *_groups(results), *tables[1:]))
        details = (_overview(results), _beside_base(results), _pairs(results))
        yield Section("In detail", tables=tuple(table for table in details if table.rows), is_detail=True)
    definitions = tuple(
        (each.title, each.unit, each.better, each.definition, denominators[each.id]) for each in results.measures
    )
    if definitions:
        table = Table("Definitions", ("measure", "unit", "better", "definition", "divided by"), definitions)
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


def _groups(results: Results) -> Iterator[Table]:
    """Yield a table of how much text each group has, where there are several."""
    rows = tuple(
        (group.name, group.by, read.texts, read.blank, read.characters, read.bytes) for group, read in results.groups
    )
    if len(rows) > 1:
        yield Table("Groups of texts", ("group", "by", "texts", "of them blank", "characters", "bytes"), rows)


METRICS = RecordedPage("measurements", lines.FORMAT, MetricsReader)
