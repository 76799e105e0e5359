"""Records of ``tokconf explain`` as pages: the way of one text, and where each implementation leaves it first."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Decode, Encode, Normalize, PreTokenize, Stage
from tokenizer_conformance.causes.page import answers_in
from tokenizer_conformance.comparison.record_forms import difference_of, question_of
from tokenizer_conformance.comparison.verdicts import SEVERITY, Verdict
from tokenizer_conformance.comparison.wording import describe, window
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.report.kinds.words import word_lines
from tokenizer_conformance.results.answers import answer_of, pipeline_of, sides_of, subjects_of
from tokenizer_conformance.results.headlines import headlines_of
from tokenizer_conformance.results.page import (
    Answer,
    Cell,
    Compared,
    Fact,
    Finding,
    Matrix,
    Page,
    Section,
    State,
    Station,
    Subject,
    Table,
    Token,
)
from tokenizer_conformance.results.page_kind import (
    CUT_SHORT,
    STATES,
    PageKind,
    conclusion_in,
    ending_complaints,
    environment_facts,
)
from tokenizer_conformance.results.records.explanation import FORMAT
from tokenizer_conformance.results.verdict_states import STATE_OF

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.comparison.differences import Difference
    from tokenizer_conformance.results.records.lines import Ending, Opening
    from tokenizer_conformance.results.records.node import Node

Json = dict[str, Any]

LONGEST_OPTION = 80
"""How many characters the value of an option takes at most."""

DIFFERING = frozenset(verdict for verdict, state in STATE_OF.items() if state in (State.DIFFER, State.ERROR))

MODEL = "model"
"""The station that gives tokens for each text alone."""

COLUMNS = ("ids", "tokens", "offsets", "word_ids", "type_ids", "special_tokens_mask", "attention_mask", "sequence_ids")
"""The columns of an encoding, in the order in which they are shown."""


class ExplanationReader:
    """Reads the record of an explanation."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        header = opening.header
        self._baseline = header.node("baseline").text("name")
        self._compared = [each.text("name") for each in header.nodes("compared")]
        self._adds_special_tokens = header.flag("add_special_tokens")
        self._texts: list[str] = []
        self._odd: list[tuple[str | int | float | None, ...]] = []
        self._stations: list[Station] = []
        self._encoding: Node | None = None
        self._decoded: str | None = None
        self._answers: dict[str, Node] = {}
        self._complaints: list[str] = []

    def take(self, kind: str, line: Node) -> None:
        """Take in a ``line`` of that ``kind``."""
        match kind:
            case "implementation_missing":
                self._complaints.append(line.text("reason"))
            case "text":
                self._take_text(line)
            case "tokens":
                self._take_tokens(line)
            case "decoding":
                self._decoded = line.text_or_none("text")
                self._stations += _decoding(line)
            case "answers":
                self._answers[line.text("implementation")] = line
                self._finding(line)  # what is of another shape is told with the number of the line

    def _take_text(self, line: Node) -> None:
        number = len(self._texts)
        self._texts.append(line.text("text"))
        for odd in line.nodes("odd_characters"):
            places = ", ".join(str(each.as_count()) for each in odd.nodes("positions"))
            self._odd.append((_text_name(number), odd.text("code_point"), odd.text("name"), odd.text("kind"), places))
        self._stations += _text_stations(line, number)

    def _take_tokens(self, line: Node) -> None:
        for step in line.nodes("steps"):
            parts = [answer_of("", {"outcome": "Encoded", "answer": each.value}) for each in step.nodes("parts")]
            # The model is asked about each text alone, so that its answers say nothing of a second one.
            is_model = step.text("station") == MODEL
            tokens = tuple(
                replace(token, subject=number) if is_model else token
                for number, part in enumerate(parts)
                for token in part.tokens or ()
            )
            self._stations.append(_station("tokens", step, tokens))
        if line.holds("encoding"):
            self._encoding = line.node("encoding")
        if line.holds("stopped"):
            stopped = line.node("stopped")
            trouble = f"fails: {stopped.text('kind')}: {stopped.text('message')}"
            answer = Answer("", trouble=trouble)
            self._stations.append(Station("tokens", stopped.text("station"), _component(stopped), answer))

    def page(self, ending: Ending) -> Page:
        """Return the page of the explanation."""
        header, conclusion = self._opening.header, conclusion_in(ending)
        findings = tuple(found for line in self._answers.values() for found in self._finding(line))
        return Page(
            name=self._opening.path.name,
            kind="explanation",
            state=STATES[conclusion],
            conclusion=conclusion.value,
            summary=self._summary(ending),
            sentences=tuple(self._sentences()),
            facts=(
                *environment_facts(header),
                Fact("tokenizer", header.text("tokenizer")),
                Fact("special tokens", "added" if self._adds_special_tokens else "not added"),
            ),
            compared=(
                Compared(self._baseline, header.node("baseline").text("version"), "baseline"),
                *(Compared(each.text("name"), each.text("version"), "compared") for each in header.nodes("compared")),
            ),
            complaints=(*ending_complaints(ending), *self._complaints),
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

    def _summary(self, ending: Ending) -> str:
        if ending.footer is None:
            return CUT_SHORT
        differing = ending.footer.texts("differing")
        reason = ending.footer.text_or_none("reason")
        said = f"the way is left by {', '.join(differing)}" if differing else "nobody leaves the way"
        said = said if self._compared else "nobody was compared"
        return f"{ending.footer.text('conclusion')}: {said}{f' ({reason})' if reason else ''}"

    def _sentences(self) -> Iterator[str]:
        """Say whether the text comes back, and of each implementation where it leaves the way."""
        yield f"The way of the text is that of {self._baseline} with {self._opening.header.text('tokenizer')}."
        if self._decoded is not None:
            same = self._texts == [self._decoded]
            yield f"The ids decode to {'the text as it was given' if same else 'another text than was given'}."
        for name, line in self._answers.items():
            if line.holds("refusal"):
                yield f"{name} does not load the tokenizer: {line.text('refusal')}"
                continue
            found = self._finding(line)
            said = f"leaves the way at {found[0].stage}" if found else "answers as the baseline does"
            hidden = sum(each.text("verdict") == Verdict.UNSUPPORTED for each in line.nodes("answers"))
            cannot = f"; {counted(hidden, 'question')} it cannot be asked" if hidden else ""
            yield f"{name} {said}{cannot}."

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

    def _finding(self, line: Node) -> tuple[Finding, ...]:
        """Return where an implementation leaves the way first; nothing where it does not."""
        name, others = line.text("implementation"), _differing(line)
        if line.holds("blame"):
            blame = line.node("blame")
            asked, recorded, stage = blame.value["question"], blame.value["difference"], blame.text("stage")
        elif others:
            blame, first = None, others[0]
            asked, recorded = first.value["question"], first.value["differences"][0]
            stage = str(_stage(question_of(asked)))
        else:
            return ()
        question, difference = question_of(asked), difference_of(recorded)
        sides = (self._baseline, name)
        return (
            Finding(
                id=f"departure-{list(self._answers).index(name) + 1}",
                group="departures",
                headline=f"{name} leaves the way at {stage}: {_place(blame) or describe(question)}",
                implementation=name,
                tokenizer=self._opening.header.text("tokenizer"),
                stage=stage,
                reason=str(difference.kind.value),
                count=len(others),
                impact=f"{counted(len(others), 'question')} of {len(line.nodes('answers')):,} answered otherwise",
                subjects=subjects_of(question),
                answers=self._both(sides, asked, line) or answers_in({"difference": recorded}, sides),
                window=tuple(window(difference, *sides)),
                lines=(*_blame_lines(blame), *_also(others, asked)),
                pipeline=pipeline_of(stage, *_stages(line)),
                explanation="" if blame is None else ": ".join(filter(None, [_place(blame), blame.text("how")])),
                facts=(Fact("question", describe(question)), *_field_fact(difference)),
            ),
        )

    def _both(self, sides: tuple[str, str], asked: Json, line: Node) -> tuple[Answer, ...]:
        """Return both answers whole, where the way has that of the baseline."""
        own = next((each.value for each in line.nodes("answers") if each.value["question"] == asked), None)
        is_whole = asked.get("ask") == "encode" and asked.get("add_special_tokens") == self._adds_special_tokens
        if own is None or self._encoding is None or not is_whole:
            return ()
        return sides_of(sides, ({"outcome": "Encoded", "answer": self._encoding.value}, own))

    # Sections

    def _sections(self) -> Iterator[Section]:
        if self._odd:
            columns = ("in", "code point", "name", "kind", "positions")
            yield Section("Characters to look at", tables=(Table("Characters", columns, tuple(self._odd)),))
        if self._encoding is not None:
            shown = [name for name in COLUMNS if self._encoding.holds(name)]
            lists = [[_shown(each.value) for each in self._encoding.nodes(name)] for name in shown]
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
            raise ValueError(f"{value!r} is no value of an encoding")


# Stations ------------------------------------------------------------------------------------------------------------


def _station(way: str, step: Node, tokens: tuple[Token, ...], changes: Iterable[str] = ()) -> Station:
    return Station(way, step.text("station"), _component(step), Answer("", tokens, total=len(tokens)), tuple(changes))


def _component(step: Node) -> str:
    """Return the component of a station with its options, those that are off left out."""
    options = [
        f"{name}={_option(value.value)}" for name, value in step.node("options").members() if _is_on(value.value)
    ]
    return " ".join(filter(None, [step.text("component"), *options]))


def _option(value: Any) -> str:
    if isinstance(value, str) and len(value) > LONGEST_OPTION:
        return f"({counted(len(value), 'character')})"
    told = json.dumps(value, ensure_ascii=False)
    return told if len(told) <= LONGEST_OPTION else f"{told[:LONGEST_OPTION]}…"


def _is_on(value: Any) -> bool:
    return value is not None and value not in ("", [], {})


def _text_stations(line: Node, number: int) -> Iterator[Station]:
    """Yield the stations of one text as far as its pieces, and the model word by word."""
    way = _text_name(number)
    for step in line.nodes("steps"):
        tokens = tuple(_piece(each, number) for each in step.nodes("pieces"))
        changes = (*map(_change, step.nodes("changes")), *map(_added_token, step.nodes("added_tokens")))
        yield _station(way, step, tokens, changes)
    words = line.nodes("words")
    tokens = tuple(token for word in words for token in _word_tokens(word, number))
    lines = tuple(told for word in words if word.holds("steps") for told in word_lines(word))
    yield Station(way, "words", "", Answer("", tokens, total=len(tokens)), lines)


def _piece(piece: Node, number: int) -> Token:
    start, end = (each.as_count() for each in piece.nodes("span"))
    return Token(piece.text("text"), piece.count("added") if piece.holds("added") else None, start, end, number)


def _word_tokens(word: Node, number: int) -> Iterator[Token]:
    places = (each.value or (None, None) for each in word.nodes("offsets"))
    ids = (each.as_count() for each in word.nodes("ids"))
    for text, id_, (start, end) in zip(word.texts("tokens"), ids, places, strict=True):
        yield Token(text, id_, start, end, number)


def _change(change: Node) -> str:
    start, end = (each.as_count() for each in change.nodes("span"))
    return f"{start}–{end} {quoted(change.text('before'))} -> {quoted(change.text('after'))}"


def _added_token(token: Node) -> str:
    start, end = (each.as_count() for each in token.nodes("span"))
    told = f"{quoted(token.text('content'))} ({token.count('id')}) at {start}–{end}"
    if token.holds("taken"):
        first, last = (each.as_count() for each in token.nodes("taken"))
        return f"{told}: taken out, {first}–{last}"
    return f"{told}: left, {token.text_or_none('why_not') or 'for a reason that is not known'}"


def _decoding(line: Node) -> Iterator[Station]:
    for step in line.nodes("steps"):
        tokens = tuple(map(Token, step.texts("strings")))
        yield _station("decoding", step, tokens)
    text = line.text_or_none("text")
    if text is not None:
        yield Station("decoding", "text", "", Answer("", text=text, total=len(text)))


# Answers -------------------------------------------------------------------------------------------------------------


def _asked(line: Node) -> Iterator[str]:
    """Yield the questions in words, each with a number where the same words stand there before."""
    seen: dict[str, int] = {}
    for each in line.nodes("answers"):
        words = describe(question_of(each.value["question"]))
        seen[words] = seen.get(words, 0) + 1
        yield words if seen[words] == 1 else f"{words} ({seen[words]})"


def _cell(line: Node, question: str) -> Cell:
    of = {"implementation": line.text("implementation")}
    if line.holds("refusal"):
        return Cell(State.ERROR, "not loaded", line.text("refusal"))
    found = dict(zip(_asked(line), line.nodes("answers"), strict=True)).get(question)
    if found is None:
        return Cell(State.NOT_COMPARED, "not asked")
    verdict = Verdict(found.text("verdict"))
    fields = ", ".join(str(each.value["field"]) for each in found.nodes("differences") if each.value["field"])
    return Cell(STATE_OF[verdict], verdict.replace("_", " "), fields, of if verdict in DIFFERING else {})


def _differing(line: Node) -> list[Node]:
    found = [each for each in line.nodes("answers") if Verdict(each.text("verdict")) in DIFFERING]
    return [each for each in found if each.nodes("differences")]


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


def _stages(line: Node) -> tuple[list[Stage], list[Stage]]:
    """Return the stages at which an implementation agrees, and those that it does not show."""
    verdicts: dict[Stage, set[Verdict]] = {}
    for each in line.nodes("answers"):
        stage = _stage(question_of(each.value["question"]))
        verdicts.setdefault(stage, set()).add(Verdict(each.text("verdict")))
    gravest = {stage: min(found, key=SEVERITY.index) for stage, found in verdicts.items()}
    agree = [stage for stage, verdict in gravest.items() if verdict is Verdict.AGREE]
    unseen = [stage for stage, found in verdicts.items() if found == {Verdict.UNSUPPORTED}]
    return agree, unseen


def _place(blame: Node | None) -> str:
    return "" if blame is None else blame.text_or_none("place") or ""


def _blame_lines(blame: Node | None) -> Iterator[str]:
    if blame is None:
        return
    if blame.holds("word"):
        word = blame.node("word")
        start, end = (each.as_count() for each in word.nodes("span"))
        yield f"in the word {quoted(word.text('text'))} at {start}–{end}"
    if blame.holds("merge"):
        merge = blame.node("merge")
        if merge.holds("rank"):
            pair = " + ".join(map(quoted, merge.texts("pair")))
            yield f"they part at the merge {pair}, rank {merge.count('rank'):,} of {merge.count('total'):,}"
        else:
            yield f"of {counted(merge.count('total'), 'merge')} none is to blame: both differ without any"
        for key, words in (("expected", "expected"), ("actual", "is")):
            yield f"{words}: {'  '.join(map(quoted, merge.texts(key)))}"


def _also(others: list[Node], asked: Json) -> Iterator[str]:
    for each in others:
        if each.value["question"] != asked:
            yield f"also answered otherwise: {describe(question_of(each.value['question']))}"


def _field_fact(difference: Difference) -> Iterator[Fact]:
    if difference.field is not None:
        yield Fact("field", str(difference.field))


EXPLANATIONS = PageKind("an explanation", FORMAT, ExplanationReader)
