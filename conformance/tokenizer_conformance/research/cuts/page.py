"""The page of a comparison of tokenizers: the kinds of places that they cut differently."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from msgspec import UNSET

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.cuts import wording
from tokenizer_conformance.results.outcomes import BEFORE
from tokenizer_conformance.results.page import (
    Answer,
    Cell,
    Compared,
    Drawing,
    Fact,
    Matrix,
    Novelty,
    Page,
    Section,
    Sentence,
    ShownFinding,
    State,
    Subject,
    Table,
    Token,
)
from tokenizer_conformance.results.plots.plot import Bar, Bars, HeatMap
from tokenizer_conformance.results.recorded_page import (
    CUT_SHORT,
    STATES,
    PageReader,
    RecordedPage,
    environment_facts,
)
from tokenizer_conformance.results.records import cuts as lines
from tokenizer_conformance.results.records.headers import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokenizer_conformance.results.records.ending import Ended
    from tokenizer_conformance.results.records.value import Value

MOST_HEADLINES = 6
"""How many findings are shown first: those of most tokens gained or lost."""

MOST_SCRIPTS = 12


CUT_WORDS = {
    State.AGREE: ("", "all texts are cut alike"),
    State.ACCEPTABLE: ("", "all texts are cut alike, and some tokens have other offsets"),
    State.DIFFER: ("", "some texts are cut differently"),
    State.NOT_COMPARED: ("", "the two were not compared"),
}
"""What the signs mean where tokenizers are compared; the cells say how much is cut alike."""


class ComparisonReader(PageReader[lines.Header]):
    """Reads the record of a comparison of tokenizers."""

    def __init__(self, name: str, header: lines.Header) -> None:
        super().__init__(name, header)
        self._names = tuple(each.name for each in header.tokenizers)
        self._ready: dict[str, lines.Tokenizer] = {}
        self._pairs: list[lines.Pair] = []
        self._text: lines.Text | None = None
        self._footer: lines.Footer | None = None

    def take(self, line: Value) -> None:
        """Take in a ``line``."""
        match line:
            case lines.Tokenizer():
                self._ready[line.name] = line
            case lines.Text():
                self._text = line
            case lines.Pair():
                self._pairs.append(line)
            case lines.Failures():
                self.complaints.append(
                    f"{line.name} has not cut {counted(line.texts, 'text')}, the first of them "
                    f"{line.input}: {line.reason}"
                )
            case Refused():
                self.complaints.append(line.reason)
            case lines.Footer():
                self._footer = line

    def page(self, ended: Ended) -> Page:
        """Return the page of the comparison."""
        header = self._header
        state = _state(ended.conclusion, self._pairs, is_part=header.part is not None)
        unfinished = tuple(
            f"{_title(each)}: {wording.unfinished_words(header)}" for each in self._pairs if not each.finished
        )
        return Page(
            name=self._name,
            kind="comparison of tokenizers",
            title=wording.title(header, self._text),
            tokenizers=tuple(each.name for each in self._compared()),
            state=state,
            conclusion=(Conclusion.DIFFERENCES if state is State.DIFFER else ended.conclusion).value,
            summary=CUT_SHORT if self._footer is None else wording.summary(self._footer),
            headline=f"{BEFORE.get(ended.conclusion, '')}{self._headline()}",
            sentences=tuple(self._sentences()),
            facts=(*environment_facts(header.environment), *self._facts()),
            compared=tuple(self._compared()),
            complaints=(*ended.complaints, *unfinished, *self.complaints),
            matrices=tuple(self._matrices()),
            headlines=_headlines(self._pairs),
            findings=tuple(self._findings()),
            counted="regions",
            sections=tuple(self._sections()),
            subjects=() if self._text is None else (_text_subject(self._text),),
            answers=() if self._text is None else tuple(map(_cut_answer, self._text.cuts)),
        )

    def _headline(self) -> str:
        if self._header.part is None:
            return wording.headline(self._pairs)
        return f"a part of a comparison: {wording.inputs_words(self._header)}"

    def _facts(self) -> Iterator[Fact]:
        header = self._header
        implementation = header.implementation
        yield Fact("cut by", f"{implementation.name} {implementation.version}")
        inputs = header.inputs
        yield Fact("texts", f"{inputs.count:,} (SHA-256 {inputs.sha256[:16]}…)")
        if merged := wording.merged_words(header):
            yield Fact("merged", merged)

    def _compared(self) -> Iterator[Compared]:
        for each in self._header.tokenizers:
            name = each.name
            role = "compared" if name in self._ready else "not compared"
            yield Compared(name, "", role, f"SHA-256 {each.sha256[:16]}…")

    def _sentences(self) -> Iterator[Sentence]:
        """Say how one pair differs; of several a table does."""
        for pair in self._pairs if len(self._pairs) == 1 else ():
            names = (pair.first, pair.second)
            first, *others = wording.pair_lines(pair)
            yield Sentence(f"{_title(pair)}: {first}.", names)
            yield from (Sentence(f"{each[:1].upper()}{each[1:]}.", names) for each in others)
            if groups := wording.group_words(pair):
                yield Sentence(f"By the look of the places, not proven: {groups}.", names)
            if scripts := wording.script_words(pair):
                yield Sentence(f"By script: {scripts}.", names)

    # Findings

    def _findings(self) -> Iterator[ShownFinding]:
        for pair in self._pairs:
            for each in wording.ordered(pair):
                yield _finding(pair, each)
        if self._text is not None:
            yield _text_finding(self._text)

    # Matrix and plots

    def _matrices(self) -> Iterator[Matrix]:
        pairs = self._both_ways()
        names = [name for name in self._names if name in self._ready]
        if pairs:
            rows = tuple((row, tuple(_cell(row, column, pairs) for column in names)) for row in names)
            title = "Characters that two tokenizers cut alike"
            yield Matrix(title, "tokenizer", tuple(names), rows, words=CUT_WORDS)

    def _both_ways(self) -> dict[tuple[str, str], lines.Pair]:
        return {names: pair for pair in self._pairs for names in ((pair.first, pair.second), (pair.second, pair.first))}

    def _sections(self) -> Iterator[Section]:
        if len(self._pairs) > 1:
            yield Section("Pair by pair", tables=(self._pairs_table(),), is_first=True)
        drawings = tuple(self._drawings())
        if drawings:
            yield Section("In pictures", drawings=drawings)
        tables = (*map(_kinds_table, self._pairs), self._tokenizers_table())
        yield Section("Kinds of differences", tables=tuple(each for each in tables if each.rows))

    def _drawings(self) -> Iterator[Drawing]:
        pairs = self._both_ways()
        names = tuple(name for name in self._names if name in self._ready)
        if len(names) > 2 and pairs:
            shares = tuple(tuple(_share_alike(row, column, pairs) for column in names) for row in names)
            yield Drawing(
                HeatMap("Characters that two tokenizers cut alike", names, shares),
                "Share of the characters of all texts that stand in no place which two tokenizers cut differently.",
            )
        for pair in self._pairs:
            if pair.moved:
                kinds = [(each.kind, each) for each in wording.ordered(pair) if each.moved]
                yield Drawing(
                    _bars(f"{_title(pair)}, by kind", kinds),
                    "How many tokens more and how many fewer the second tokenizer needs in places of each kind.",
                )
                scripts = [(each.script, each) for each in pair.scripts[:MOST_SCRIPTS] if each.moved]
                yield Drawing(
                    _bars(f"{_title(pair)}, by script", scripts),
                    "The same by the script of the letters in these places.",
                )

    def _pairs_table(self) -> Table:
        rows = tuple(
            (
                each.second,
                each.first,
                each.second_tokens,
                _percent(each.difference, each.first_tokens),
                each.cut_regions,
                _percent(each.cut_characters, each.characters),
                wording.group_words(each),
                wording.script_words(each),
            )
            for each in self._pairs
        )
        columns = (
            "tokenizer", "beside", "its tokens", "% more", "regions cut differently", "% of the characters",
            "by the look of the places, not proven", "tokens more or fewer, by script",
        )  # fmt: skip
        return Table("Pairs of tokenizers", columns, rows)

    def _tokenizers_table(self) -> Table:
        rows = tuple(
            (
                name,
                line.unknown,
                ", ".join(trait for trait, is_ignored in line.ignores.items() if is_ignored) or "nothing",
            )
            for name, line in self._ready.items()
        )
        return Table("Tokenizers, as they were tried", ("tokenizer", "unknown token", "ignores"), rows)


def _state(conclusion: Conclusion, pairs: Sequence[lines.Pair], *, is_part: bool) -> State:
    """Return the outcome of the page: tokenizers may differ, and the command does not call that a difference.

    What a part has counted is no result yet.
    """
    state = STATES[conclusion]
    if is_part and state is State.AGREE:
        return State.NOT_COMPARED
    return State.DIFFER if state is State.AGREE and any(pair.cut_regions for pair in pairs) else state


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 1) if whole else None


def _title(pair: lines.Pair) -> str:
    return f"{pair.second} beside {pair.first}"


# Cells and bars ------------------------------------------------------------------------------------------------------


def _share_alike(row: str, column: str, pairs: Mapping[tuple[str, str], lines.Pair]) -> float | None:
    if row == column:
        return 1.0
    pair = pairs.get((row, column))
    return None if pair is None or not pair.characters else 1 - pair.cut_characters / pair.characters


def _cell(row: str, column: str, pairs: Mapping[tuple[str, str], lines.Pair]) -> Cell:
    if row == column:
        return Cell(State.AGREE, "itself")
    pair = pairs.get((row, column))
    if pair is None:
        return Cell(State.NOT_COMPARED, "not compared")
    detail = f"{_title(pair)}: {'; '.join(wording.pair_lines(pair))}"
    of = {"tokenizer": _title(pair)} if pair.regions else {}
    if not pair.cut_regions:
        return Cell(State.ACCEPTABLE if pair.regions else State.AGREE, "100 % alike", detail, of)
    # Rounded down: only what is all alike has 100 %.
    alike = math.floor(1000 * (pair.characters - pair.cut_characters) / pair.characters) / 10 if pair.characters else 0
    return Cell(State.DIFFER, f"{alike:.1f} % alike", detail, of)


def _bars(title: str, sums: Sequence[tuple[str, lines.Kind | lines.Script]]) -> Bars:
    more = tuple(Bar(float(each.gained)) for _, each in sums)
    fewer = tuple(Bar(float(each.lost)) for _, each in sums)
    return Bars(title, "tokens", tuple(name for name, _ in sums), {"more": more, "fewer": fewer})


# Findings ------------------------------------------------------------------------------------------------------------


def _headlines(pairs: Sequence[lines.Pair]) -> tuple[str, ...]:
    """Return the ids of the findings of most tokens gained or lost."""
    ranked = [(each.moved, each.regions, _id(pair, each)) for pair in pairs for each in wording.ordered(pair)]
    return tuple(id_ for _, _, id_ in sorted(ranked, key=lambda entry: (-entry[0], -entry[1]))[:MOST_HEADLINES])


def _id(pair: lines.Pair, each: lines.Kind) -> str:
    return f"{pair.second}/{pair.first}/{each.kind}"


def _finding(pair: lines.Pair, each: lines.Kind) -> ShownFinding:
    answers = (
        _cuts(pair.first, [example.first for example in each.examples], differ=not each.is_of_offsets),
        _cuts(pair.second, [example.second for example in each.examples], differ=not each.is_of_offsets),
    )
    amount = f"{counted(each.regions, 'region')}, {wording.share(each.moved, pair.moved)} of the difference in tokens"
    return ShownFinding(
        id=_id(pair, each),
        group="kinds",
        headline=f"{each.kind}: {wording.signed(each.difference)} tokens",
        tokenizer=_title(pair),
        stage=each.part,
        reason=each.kind,
        standing=Novelty.NEW if each.part == "other" else Novelty.EXPLAINED,
        count=each.regions,
        impact=(
            f"{amount}; {each.gained:,} tokens more in some, {each.lost:,} fewer in others; "
            f"{counted(each.characters, 'character')}"
        ),
        subjects=tuple(map(_subject, each.examples)),
        answers=answers if each.examples else (),
        lines=tuple(map(wording.example_headline, each.examples)),
        explanation=wording.kind_heading(each),
        facts=tuple(Fact("counts", missed) for missed in (wording.missed_words(each),) if missed),
    )


def _cuts(side: str, examples: Sequence[tuple[str, ...]], *, differ: bool) -> Answer:
    """Return how one side cuts all examples of a kind; each is a subject, and all its tokens ``differ`` or none."""
    tokens = tuple(
        Token(token, subject=number, differs=differ) for number, tokens in enumerate(examples) for token in tokens
    )
    return Answer(side, tokens, total=len(tokens))


def _subject(example: lines.Example) -> Subject:
    return Subject(f"seen {counted(example.count, 'time')}", example.characters, length=example.length)


def _text_finding(line: lines.Text) -> ShownFinding:
    """Return the one text of a record as all tokenizers cut it; what differs from the first of them is marked."""
    answers = tuple(map(_cut_answer, line.cuts))
    return ShownFinding(
        id="text",
        group="text",
        headline="The text, as each tokenizer cuts it",
        standing=Novelty.EXPLAINED,
        subjects=(_text_subject(line),),
        answers=answers,
        lines=tuple(f"{each.side}: {each.trouble or counted(each.total, 'token')}" for each in answers),
    )


def _text_subject(line: lines.Text) -> Subject:
    return Subject("text", line.text, length=len(line.text))


def _cut_answer(cut: lines.CutText) -> Answer:
    if cut.tokens is UNSET:
        return Answer(cut.tokenizer, trouble=cut.reason or "")
    differing = [] if cut.differing is UNSET else list(cut.differing)
    tokens = tuple(_token(each, differing) for each in cut.tokens)
    return Answer(cut.tokenizer, tokens, total=len(tokens))


def _token(each: lines.Token, differing: list[tuple[int, int]]) -> Token:
    start, end = each.span
    is_in = any((start < last and first < end) or first <= start == end < last for first, last in differing)
    return Token(each.token or "", each.id, start, end, differs=is_in)


def _kinds_table(pair: lines.Pair) -> Table:
    rows = tuple(
        (each.kind, each.part, each.regions, each.gained, each.lost, each.difference) for each in wording.ordered(pair)
    )
    columns = ("kind", "part of the tokenizer", "regions", "more", "fewer", "difference")
    return Table(_title(pair), columns, rows, f"Tokens that {pair.second} needs more or fewer than {pair.first}.")


COMPARISONS = RecordedPage("a comparison of tokenizers", lines.FORMAT, ComparisonReader)
