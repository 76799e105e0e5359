"""Records of ``tokconf metrics`` as pages: who needs how many tokens, in sentences, pictures and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.plural import counted
from tokenizer_conformance.report.kinds.kind import (
    CUT_SHORT,
    STATES,
    PageKind,
    compared_implementations,
    conclusion_in,
    ending_complaints,
    environment_facts,
)
from tokenizer_conformance.report.kinds.recorded_results import RecordedResults
from tokenizer_conformance.research.metrics.figures import figure, interval_of, signed
from tokenizer_conformance.research.metrics.groups import ALL_TEXTS
from tokenizer_conformance.research.metrics.plots import plots_of, plots_of_all_texts
from tokenizer_conformance.research.metrics.sheets import BY_GROUP, MAIN, OF_TWO
from tokenizer_conformance.research.metrics.wording import failures, flattered, not_shown
from tokenizer_conformance.results.page import Compared, Drawing, Fact, Page, Section, Table
from tokenizer_conformance.results.records.metrics import FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.releases.diff.records.lines import Ending, Opening
    from tokenizer_conformance.releases.diff.records.node import Node
    from tokenizer_conformance.research.metrics.measures.measure import Measure
    from tokenizer_conformance.research.metrics.results import Measurement, Results

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

SIGNIFICANT_DIGITS = 5


class MetricsReader:
    """Reads the record of measurements."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        header = opening.header
        versions = {each.text("name"): each.text("version") for each in header.nodes("implementations")}
        self._recorded = RecordedResults(versions)
        self._confidence = header.number("confidence")
        self._complaints: list[str] = []

    def take(self, kind: str, line: Node) -> None:
        """Take in a ``line`` of that ``kind``."""
        match kind:
            case "refused" | "implementation_missing":
                self._complaints.append(line.text("reason"))
            case "not_loaded":
                self._complaints.append(f"{line.text('row')} cannot be loaded: {line.text('reason')}")
            case _:
                self._recorded.take(kind, line)

    def page(self, ending: Ending) -> Page:
        """Return the page of the measurements."""
        header, conclusion = self._opening.header, conclusion_in(ending)
        results = self._recorded.results(partial=ending.footer is not None and not ending.footer.flag("finished"))
        return Page(
            name=self._opening.path.name,
            kind="metrics",
            tokenizers=tuple(each.name for each in _tokenizers(header)),
            state=STATES[conclusion],
            conclusion=conclusion.value,
            summary=_summary(ending, results),
            sentences=(*_extremes(results), *self._differences(results)),
            facts=(*environment_facts(header), *self._facts()),
            compared=(*_tokenizers(header), *compared_implementations(header)),
            complaints=(*ending_complaints(ending), *self._complaints, *failures(results)),
            sections=tuple(_sections(results)),
        )

    def _facts(self) -> Iterator[Fact]:
        header = self._opening.header
        inputs = header.node("inputs")
        for each in inputs.nodes("sources"):
            yield Fact("texts", f"{each.count('count'):,} of {each.text('name')} ({each.text('language')})")
        yield Fact("SHA-256 of the texts", inputs.text("sha256"))
        yield from (Fact("note", note) for note in inputs.texts("notes"))
        yield Fact("words", header.text("words"))
        if header.holds("base"):
            yield Fact("base", header.text("base"))
        if header.holds("base_language"):
            yield Fact("base language", header.text("base_language"))
        yield Fact(
            "intervals",
            f"{self._confidence:.0%}, of {header.count('replicates'):,} resamplings of texts, seed "
            f"{header.count('seed')}",
        )

    def _differences(self, results: Results) -> Iterator[str]:
        """Yield how the length of each tokenizer stands to that of the base, and how sure that is."""
        for each in results.differences:
            if each.measure != "fertility" or each.group != ALL_TEXTS or each.value is None:
                continue
            if each.low is None or each.high is None:
                yield f"{each.row} needs {signed(each.value)} tokens a word beside {each.other}; how sure is not known."
                continue
            interval = f"{self._confidence:.0%} interval {signed(each.low)}…{signed(each.high)}"
            sure = f"needs {'more' if each.value > 0 else 'fewer'} tokens a word than {each.other}"
            said = sure if is_clear(each) else f"and {each.other} cannot be told apart by their tokens a word"
            yield f"{each.row} {said}: {signed(each.value)} ({interval})."


def is_clear(difference: Measurement) -> bool:
    """Tell whether all the interval of ``difference`` is on one side of zero."""
    low, high = difference.low, difference.high
    return low is not None and high is not None and (low > 0 or high < 0)


def _summary(ending: Ending, results: Results) -> str:
    if ending.footer is None:
        return CUT_SHORT
    read = f"{counted(ending.footer.count('texts'), 'text')}, {ending.footer.count('bytes') / 1e6:,.1f} MB"
    partial = "PARTIAL: " if results.partial else ""
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
    interval = interval_of(each)
    return f"{figure(each.value or 0.0)}{f' ({interval})' if interval else ''}"


def _tokenizers(header: Node) -> Iterator[Compared]:
    base = header.text_or_none("base")
    for each in header.nodes("tokenizers"):
        name = each.text("name")
        note = f"{each.count('size'):,} bytes, SHA-256 {each.text('sha256')[:16]}…"
        yield Compared(name, each.text_or_none("model") or "", "base" if name == base else "measured", note)


# Sections ------------------------------------------------------------------------------------------------------------


def _sections(results: Results) -> Iterator[Section]:
    drawings = tuple(
        Drawing(plot, _described(name)) for name, plot in (*plots_of_all_texts(results), *plots_of(results))
    )
    if drawings:
        yield Section("In pictures", drawings=drawings)
    tables = (_overview(results), _intervals(results), _beside_base(results), *_groups(results), _pairs(results))
    yield Section(
        "Measures",
        (*not_shown(results), *flattered(results)),
        tables=tuple(table for table in tables if table.rows),
    )
    definitions = tuple((each.title, each.unit, each.better, each.definition) for each in results.measures)
    if definitions:
        table = Table("Definitions", ("measure", "unit", "better", "definition"), definitions)
        yield Section("What the measures are", tables=(table,))


def _described(name: str) -> str:
    measure, _, by = name.partition("-by-")
    return f"{DESCRIPTIONS.get(measure, 'A measure.')} Of each {by} apart." if by else DESCRIPTIONS[name]


def _rounded(value: float | None) -> float | int | None:
    """Return ``value`` with so many digits as are read; whole numbers whole."""
    if value is None or value == int(value):
        return None if value is None else int(value)
    return float(f"{value:.{SIGNIFICANT_DIGITS}g}")


def _overview(results: Results) -> Table:
    """Return a table of all measures of one tokenizer on all texts."""
    found = {(each.measure, each.row): each for each in results.measurements if each.group == ALL_TEXTS}
    names = [each.name for each in results.rows]
    rows = tuple(
        (measure.title, measure.unit, *(_value(found.get((measure.id, name))) for name in names), measure.better)
        for measure in results.measures
        if measure.scope not in OF_TWO and any((measure.id, name) in found for name in names)
    )
    return Table("All texts", ("measure", "unit", *names, "better"), rows, "Shares and ratios have the unit 1.")


def _value(each: Measurement | None) -> float | int | None:
    return None if each is None else _rounded(each.value)


def _intervals(results: Results) -> Table:
    rows = tuple(
        (measure.title, each.row, *map(_rounded, (each.value, each.low, each.high)))
        for measure in _chosen(results, MAIN)
        for each in results.of(measure.id, ALL_TEXTS)
        if each.low is not None
    )
    return Table("With intervals", ("measure", "tokenizer", "value", "from", "to"), rows)


def _chosen(results: Results, names: tuple[str, ...]) -> list[Measure[object]]:
    return [each for each in results.measures if each.id in names]


def _beside_base(results: Results) -> Table:
    titles = {each.id: each for each in results.measures}
    rows = tuple(
        (
            titles[each.measure].title,
            each.row,
            each.other,
            *map(_rounded, (each.value, each.low, each.high)),
            _said(each),
        )
        for each in results.differences
        if each.group == ALL_TEXTS and each.value is not None and each.measure in titles
    )
    columns = ("measure", "tokenizer", "beside", "difference", "from", "to", "is")
    note = "Of texts taken in pairs. What is not clear has an interval with zero in it, or none."
    return Table("Differences to the base", columns, rows, note)


def _said(difference: Measurement) -> str:
    if not is_clear(difference):
        return "not clear"
    return "higher" if (difference.value or 0.0) > 0 else "lower"


def _groups(results: Results) -> Iterator[Table]:
    names = [each.name for each in results.rows]
    for by in dict.fromkeys(group.by for group, _ in results.groups if group.by):
        for measure in _chosen(results, BY_GROUP):
            found = {(each.group, each.row): each for each in results.of(measure.id)}
            rows = tuple(
                (group.name, read.texts, *(_value(found.get((group, name))) for name in names))
                for group, read in results.groups
                if group.by == by and any((group, name) in found for name in names)
            )
            yield Table(f"{measure.title} by {by}", (by, "texts", *names), rows)


def _pairs(results: Results) -> Table:
    rows = tuple(
        (measure.title, each.row, each.other, _rounded(each.value))
        for measure in results.measures
        if measure.scope in OF_TWO
        for each in results.of(measure.id, ALL_TEXTS)
    )
    return Table("Two tokenizers", ("measure", "one", "other", "value"), rows)


METRICS = PageKind("measurements", FORMAT, MetricsReader)
