"""The page of an explanation: the way of one text, and where each implementation leaves it first."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Decode, Encode, Normalize, PreTokenize, Stage
from tokenizer_conformance.causes.explain.word_lines import word_lines
from tokenizer_conformance.causes.explain.wording import title_of
from tokenizer_conformance.causes.page import answers_in
from tokenizer_conformance.comparison.record_forms import difference_of, question_of
from tokenizer_conformance.comparison.verdicts import SEVERITY, Verdict
from tokenizer_conformance.comparison.wording import describe, window
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.results.answers import answer_of, pipeline_of, sides_of, subjects_of
from tokenizer_conformance.results.headlines import headlines_of
from tokenizer_conformance.results.outcomes import BEFORE, ON_TOKENIZERS, Outcome, Outcomes, Result, Wording
from tokenizer_conformance.results.page import (
    Answer,
    Cell,
    Compared,
    Fact,
    Matrix,
    Page,
    Section,
    Sentence,
    ShownFinding,
    State,
    Station,
    Subject,
    Table,
    Token,
)
from tokenizer_conformance.results.recorded_page import (
    CUT_SHORT,
    PageReader,
    RecordedPage,
    environment_facts,
    page_state,
)
from tokenizer_conformance.results.records import explanation as lines
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.headers import ImplementationMissing
from tokenizer_conformance.results.verdict_states import STATE_OF

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.comparison.differences import Difference
    from tokenizer_conformance.results.records.ending import Ended
    from tokenizer_conformance.results.records.value import Value

Json = dict[str, Any]

LONGEST_OPTION = 80
"""How many characters the value of an option takes at most."""

DIFFERING = frozenset(verdict for verdict, state in STATE_OF.items() if state in (State.DIFFER, State.ERROR))

MODEL = "model"
"""The station that gives tokens for each text alone."""

COLUMNS = ("ids", "tokens", "offsets", "word_ids", "type_ids", "special_tokens_mask", "attention_mask", "sequence_ids")
"""The columns of an encoding, in the order in which they are shown."""


ON_THE_WAY = Wording(
    ON_TOKENIZERS.noun,
    {
        **ON_TOKENIZERS.verbs,
        Result.DIFFERS: ("leaves the way of the text at {}", "leave the way of the text at {}"),
        Result.NOT_SHOWN: ("shows nothing that was asked", "show nothing that was asked"),
        Result.CONFORMS: ("answers as the baseline does", "answer as the baseline does"),
    },
)
"""What is said of implementations that are asked where they leave the way of a text."""


class ExplanationReader(PageReader[lines.Header]):
    """Reads the record of an explanation."""

    def __init__(self, name: str, header: lines.Header) -> None:
        super().__init__(name, header)
        self._baseline = header.baseline.name
        self._compared = [each.name for each in header.compared]
        self._adds_special_tokens = header.add_special_tokens
        self._missing: list[str] = []
        self._texts: list[str] = []
        self._odd: list[tuple[str | int | float | None, ...]] = []
        self._stations: list[Station] = []
        self._encoding: lines.Encoded | None = None
        self._decoded: str | None = None
        self._answers: dict[str, lines.Answers] = {}
        self._footer: lines.Footer | None = None

    def take(self, line: Value) -> None:
        """Take in a ``line``."""
        match line:
            case ImplementationMissing():
                self._missing.append(line.name)
                self.complaints.append(line.reason)
            case lines.TextLine():
                self._take_text(line)
            case lines.Tokens():
                self._take_tokens(line)
            case lines.Decoding():
                self._decoded = line.text
                self._stations += _decoding(line)
            case lines.Answers():
                self._answers[line.implementation] = line
                self._finding(line)  # what is of another shape is told with the number of the line
            case lines.Footer():
                self._footer = line

    def _take_text(self, line: lines.TextLine) -> None:
        number = len(self._texts)
        self._texts.append(line.text)
        for odd in line.odd_characters:
            places = ", ".join(str(each) for each in odd.positions)
            self._odd.append((_text_name(number), odd.code_point, odd.name, odd.kind, places))
        self._stations += _text_stations(line, number)

    def _take_tokens(self, line: lines.Tokens) -> None:
        for step in line.steps:
            parts = [answer_of("", {"outcome": "Encoded", "answer": json_of(each)}) for each in step.parts]
            # The model is asked about each text alone, so that its answers say nothing of a second one.
            is_model = step.station == MODEL
            tokens = tuple(
                replace(token, subject=number) if is_model else token
                for number, part in enumerate(parts)
                for token in part.tokens or ()
            )
            self._stations.append(_station("tokens", step, tokens))
        if line.encoding is not None:
            self._encoding = line.encoding
        if line.stopped is not None:
            stopped = line.stopped
            trouble = f"fails: {stopped.kind}: {stopped.message}"
            answer = Answer("", trouble=trouble)
            self._stations.append(Station("tokens", stopped.station, _component(stopped), answer))

    def page(self, ended: Ended) -> Page:
        """Return the page of the explanation."""
        header = self._header
        findings = tuple(found for line in self._answers.values() for found in self._finding(line))
        outcomes = Outcomes(tuple(self._outcomes()), ON_THE_WAY)
        return Page(
            name=self._name,
            kind="explanation",
            title=title_of(self._texts, header.tokenizer),
            state=page_state(ended, outcomes=outcomes),
            conclusion=ended.conclusion.value,
            summary=self._summary(),
            headline=outcomes.headline(ended) if outcomes.of else self._alone(ended),
            outcomes=outcomes,
            sentences=tuple(self._sentences()),
            facts=(
                *environment_facts(header.environment),
                Fact("tokenizer", header.tokenizer),
                Fact("special tokens", "added" if self._adds_special_tokens else "not added"),
            ),
            compared=(
                Compared(self._baseline, header.baseline.version, "baseline"),
                *(Compared(each.name, each.version, "compared") for each in header.compared),
            ),
            complaints=(*ended.complaints, *self.complaints),
            matrices=tuple(self._matrices()),
            headlines=headlines_of(findings),
            findings=findings,
            counted="questions",
            sections=tuple(self._sections()),
            subjects=self._subjects(),
            stations=tuple(self._stations),
        )

    def _subjects(self) -> tuple[Subject, ...]:
        return tuple(Subject(_text_name(number), text, length=len(text)) for number, text in enumerate(self._texts))

    def _summary(self) -> str:
        if self._footer is None:
            return CUT_SHORT
        differing, reason = self._footer.differing, self._footer.reason
        said = f"the way is left by {', '.join(differing)}" if differing else "nobody leaves the way"
        said = said if self._compared else "nobody was compared"
        return f"{said}{f' ({reason})' if reason else ''}"

    def _alone(self, ended: Ended) -> str:
        """Say whose way it is, where nobody is compared."""
        return f"{BEFORE.get(ended.conclusion, '')}the way of the text is that of {self._baseline}; nobody was compared"

    def _outcomes(self) -> Iterator[Outcome]:
        """Yield where each implementation leaves the way of the text."""
        for name, line in self._answers.items():
            found = self._finding(line)
            if line.refusal is not None:
                yield Outcome(name, self._header.tokenizer, Result.NOT_LOADED)
            elif found:
                yield Outcome(name, found[0].stage, Result.DIFFERS)
            else:
                verdicts = {each.verdict for each in line.answers}
                silent = verdicts <= {Verdict.UNSUPPORTED, Verdict.BOTH_ERROR}
                yield Outcome(name, self._header.tokenizer, Result.NOT_SHOWN if silent else Result.CONFORMS)
        yield from (Outcome(name, "", Result.UNAVAILABLE) for name in self._missing)

    def _sentences(self) -> Iterator[Sentence]:
        """Say whether the text comes back, and of each implementation where it leaves the way."""
        yield Sentence(f"The way of the text is that of {self._baseline} with {self._header.tokenizer}.")
        if self._decoded is not None:
            same = self._texts == [self._decoded]
            what = "the text as it was given" if same else "another text than was given"
            yield Sentence(f"The ids decode to {what}.")
        for name, line in self._answers.items():
            if line.refusal is not None:
                yield Sentence(f"{name} does not load the tokenizer: {line.refusal}", (name,))
                continue
            found = self._finding(line)
            said = f"leaves the way at {found[0].stage}" if found else "answers as the baseline does"
            hidden = sum(each.verdict == Verdict.UNSUPPORTED for each in line.answers)
            cannot = f"; {counted(hidden, 'question')} it cannot be asked" if hidden else ""
            yield Sentence(f"{name} {said}{cannot}.", (name,))

    # Implementations

    def _matrices(self) -> Iterator[Matrix]:
        questions: dict[str, None] = {}
        for line in self._answers.values():
            questions.update(dict.fromkeys(_asked(line)))
        if questions:
            rows = tuple(
                (name, tuple(_cell(line, question) for question in questions)) for name, line in self._answers.items()
            )
            yield Matrix("Answers to each question", f"against {self._baseline}", tuple(questions), rows)

    def _finding(self, line: lines.Answers) -> tuple[ShownFinding, ...]:
        """Return where an implementation leaves the way first; nothing where it does not."""
        name, others = line.implementation, _differing(line)
        if line.blame is not None:
            blame = line.blame
            asked, recorded, stage = json_of(blame.question), json_of(blame.difference), str(blame.stage)
        elif others:
            blame, first = None, others[0]
            asked, recorded = json_of(first.question), json_of(first.differences[0])
            stage = str(_stage(question_of(asked)))
        else:
            return ()
        question, difference = question_of(asked), difference_of(recorded)
        sides = (self._baseline, name)
        return (
            ShownFinding(
                id=f"departure-{list(self._answers).index(name) + 1}",
                group="departures",
                headline=f"{name} leaves the way at {stage}: {_place(blame) or describe(question)}",
                implementation=name,
                tokenizer=self._header.tokenizer,
                stage=stage,
                reason=str(difference.kind.value),
                count=len(others),
                impact=f"{counted(len(others), 'question')} of {len(line.answers):,} answered otherwise",
                subjects=subjects_of(question),
                answers=self._both(sides, asked, line) or answers_in({"difference": recorded}, sides),
                window=tuple(window(difference, *sides)),
                lines=(*_blame_lines(blame), *_also(others, asked)),
                pipeline=pipeline_of(stage, *_stages(line)),
                explanation="" if blame is None else ": ".join(filter(None, [_place(blame), blame.how])),
                facts=(Fact("question", describe(question)), *_field_fact(difference)),
            ),
        )

    def _both(self, sides: tuple[str, str], asked: Json, line: lines.Answers) -> tuple[Answer, ...]:
        """Return both answers whole, where the way has that of the baseline."""
        own = next((each for each in line.answers if json_of(each.question) == asked), None)
        is_whole = asked.get("ask") == "encode" and asked.get("add_special_tokens") == self._adds_special_tokens
        if own is None or self._encoding is None or not is_whole:
            return ()
        return sides_of(sides, ({"outcome": "Encoded", "answer": json_of(self._encoding)}, json_of(own)))

    # Sections

    def _sections(self) -> Iterator[Section]:
        if self._odd:
            columns = ("in", "code point", "name", "kind", "positions")
            yield Section("Characters to look at", tables=(Table("Characters", columns, tuple(self._odd)),))
        if self._encoding is not None:
            listed = json_of(self._encoding)
            shown = [name for name in COLUMNS if listed[name] is not None]
            lists = [list(map(_shown, listed[name])) for name in shown]
            rows = tuple((index, *values) for index, values in enumerate(zip(*lists, strict=True)))
            yield Section("Encoding", tables=(Table("Every token", ("token", *shown), rows),))


def _text_name(number: int) -> str:
    return "pair" if number else "text"


def _shown(value: Any) -> str | int | None:
    match value:
        case [int(start), int(end)]:
            return f"{start}–{end}"
        case bool():
            return str(value)
        case int() | str() | None:
            return value
        case _:
            return str(value)


# Stations ------------------------------------------------------------------------------------------------------------


def _station(
    way: str,
    step: lines.Step | lines.TokensStep | lines.DecodingStep,
    tokens: tuple[Token, ...],
    changes: Iterable[str] = (),
) -> Station:
    return Station(way, step.station, _component(step), Answer("", tokens, total=len(tokens)), tuple(changes))


def _component(step: lines.Step | lines.TokensStep | lines.DecodingStep | lines.Stopped) -> str:
    """Return the component of a station with its options, those that are off left out."""
    options = [f"{name}={_option(value)}" for name, value in step.options.items() if _is_on(value)]
    return " ".join(filter(None, [step.component, *options]))


def _option(value: Any) -> str:
    if isinstance(value, str) and len(value) > LONGEST_OPTION:
        return f"({counted(len(value), 'character')})"
    told = json.dumps(value, ensure_ascii=False)
    return told if len(told) <= LONGEST_OPTION else f"{told[:LONGEST_OPTION]}…"


def _is_on(value: Any) -> bool:
    return value is not None and value not in ("", [], {})


def _text_stations(line: lines.TextLine, number: int) -> Iterator[Station]:
    """Yield the stations of one text as far as its pieces, and the model word by word."""
    way = _text_name(number)
    for step in line.steps:
        tokens = tuple(_piece(each, number) for each in step.pieces)
        changes = (*map(_change, step.changes), *map(_added_token, step.added_tokens))
        yield _station(way, step, tokens, changes)
    words = line.words
    tokens = tuple(token for word in words for token in _word_tokens(word, number))
    told = tuple(line for word in words if word.steps is not None for line in word_lines(word))
    yield Station(way, "words", "", Answer("", tokens, total=len(tokens)), told)


def _piece(piece: lines.Piece, number: int) -> Token:
    start, end = piece.span
    return Token(piece.text, piece.added, start, end, number)


def _word_tokens(word: lines.Word, number: int) -> Iterator[Token]:
    places = (each or (None, None) for each in word.offsets)
    for text, id_, (start, end) in zip(word.tokens, word.ids, places, strict=True):
        yield Token(text, id_, start, end, number)


def _change(change: lines.TextChange) -> str:
    start, end = change.span
    return f"{start}–{end} {quoted(change.before)} -> {quoted(change.after)}"


def _added_token(token: lines.AddedToken) -> str:
    start, end = token.span
    told = f"{quoted(token.content)} ({token.id}) at {start}–{end}"
    if token.taken is not None:
        first, last = token.taken
        return f"{told}: taken out, {first}–{last}"
    return f"{told}: left, {token.why_not or 'for a reason that is not known'}"


def _decoding(line: lines.Decoding) -> Iterator[Station]:
    for step in line.steps:
        tokens = tuple(map(Token, step.strings))
        yield _station("decoding", step, tokens)
    text = line.text
    if text is not None:
        yield Station("decoding", "text", "", Answer("", text=text, total=len(text)))


# Answers -------------------------------------------------------------------------------------------------------------


def _asked(line: lines.Answers) -> Iterator[str]:
    """Yield the questions in words, each with a number where the same words stand there before."""
    seen: dict[str, int] = {}
    for each in line.answers:
        words = describe(question_of(json_of(each.question)))
        seen[words] = seen.get(words, 0) + 1
        yield words if seen[words] == 1 else f"{words} ({seen[words]})"


def _cell(line: lines.Answers, question: str) -> Cell:
    of = {"implementation": line.implementation}
    if line.refusal is not None:
        return Cell(State.ERROR, "not loaded", line.refusal)
    found = dict(zip(_asked(line), line.answers, strict=True)).get(question)
    if found is None:
        return Cell(State.NOT_COMPARED, "not asked")
    verdict = Verdict(found.verdict)
    fields = ", ".join(str(each.field) for each in found.differences if each.field)
    return Cell(STATE_OF[verdict], verdict.replace("_", " "), fields, of if verdict in DIFFERING else {})


def _differing(line: lines.Answers) -> list[lines.Answer]:
    found = [each for each in line.answers if Verdict(each.verdict) in DIFFERING]
    return [each for each in found if each.differences]


def _stage(question: Observation) -> Stage:
    match question:
        case Normalize():
            return Stage.NORMALIZE
        case PreTokenize():
            return Stage.PRE_TOKENIZE
        case Encode(add_special_tokens=False):
            return Stage.MODEL
        case Decode():
            return Stage.DECODE
        case _:
            return Stage.POST_PROCESS


def _stages(line: lines.Answers) -> tuple[list[Stage], list[Stage]]:
    """Return the stages at which an implementation agrees, and those that it does not show."""
    verdicts: dict[Stage, set[Verdict]] = {}
    for each in line.answers:
        stage = _stage(question_of(json_of(each.question)))
        verdicts.setdefault(stage, set()).add(Verdict(each.verdict))
    gravest = {stage: min(found, key=SEVERITY.index) for stage, found in verdicts.items()}
    agree = [stage for stage, verdict in gravest.items() if verdict is Verdict.AGREE]
    unseen = [stage for stage, found in verdicts.items() if found == {Verdict.UNSUPPORTED}]
    return agree, unseen


def _place(blame: lines.Blame | None) -> str:
    return "" if blame is None else blame.place or ""


def _blame_lines(blame: lines.Blame | None) -> Iterator[str]:
    if blame is None:
        return
    if blame.word is not None:
        word = blame.word
        start, end = word.span
        yield f"in the word {quoted(word.text)} at {start}–{end}"
    if blame.merge is not None:
        merge = blame.merge
        if merge.rank is not None:
            pair = " + ".join(map(quoted, merge.pair))
            yield f"they part at the merge {pair}, rank {merge.rank:,} of {merge.total:,}"
        else:
            yield f"of {counted(merge.total, 'merge')} none is to blame: both differ without any"
        for words, tokens in (("expected", merge.expected), ("is", merge.actual)):
            yield f"{words}: {'  '.join(map(quoted, tokens))}"


def _also(others: list[lines.Answer], asked: Json) -> Iterator[str]:
    for each in others:
        if json_of(each.question) != asked:
            yield f"also answered otherwise: {describe(question_of(json_of(each.question)))}"


def _field_fact(difference: Difference) -> Iterator[Fact]:
    if difference.field is not None:
        yield Fact("field", str(difference.field))


EXPLANATIONS = RecordedPage("an explanation", lines.FORMAT, ExplanationReader)
