"""Records of ``tokconf train`` as pages: findings are models that differ or break rules, and trainings that fail."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.training import Algorithm
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.releases.diff.records.kinds.suites import without_reports
from tokenizer_conformance.research.training.comparison import LEVELS, Agreement
from tokenizer_conformance.research.training.details import TIE_REASONS, divergence_lines
from tokenizer_conformance.research.training.divergence import Divergence, DivergenceKind, Taken
from tokenizer_conformance.research.training.effect import Effect
from tokenizer_conformance.research.training.pair_counts import Top
from tokenizer_conformance.research.training.wording import effect_line, listed_tokens, pair_words, percent, times
from tokenizer_conformance.results.answers import marked
from tokenizer_conformance.results.headlines import headlines_of
from tokenizer_conformance.results.page import (
    Answer,
    Cell,
    Drawing,
    Fact,
    Finding,
    Matrix,
    Novelty,
    Page,
    Section,
    State,
    Subject,
    Table,
    Token,
)
from tokenizer_conformance.results.page_kind import (
    CUT_SHORT,
    STATES,
    PageKind,
    compared_implementations,
    conclusion_in,
    ending_complaints,
    environment_facts,
)
from tokenizer_conformance.results.plots.plot import Bar, Bars, HeatMap
from tokenizer_conformance.results.records.node import ShapeError
from tokenizer_conformance.results.records.training import FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.results.page import Row
    from tokenizer_conformance.results.records.lines import Ending, Opening
    from tokenizer_conformance.results.records.node import Node

Json = dict[str, Any]

UNSUPPORTED = "unsupported"

STATE_OF: dict[Agreement, State] = {
    Agreement.DIFFER: State.DIFFER,
    Agreement.TIE: State.ACCEPTABLE,
    Agreement.AGREE: State.AGREE,
    Agreement.NOT_SHOWN: State.UNSUPPORTED,
}
"""What a level comes to; the algorithm allows both sides of a tie."""

MOST_MOVED = 8
"""How many tokens with another id are told."""


class TrainingReader:
    """Reads the record of training."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        header = opening.header
        self._baseline = header.text("baseline")
        self._trainers = {each.text("name"): each for each in header.nodes("trainers")}
        words = header.node("environment").texts("command")
        self._repeat = shlex.join(without_reports(words)) if words[:2] == ("tokconf", "train") else ""
        self._words: dict[str, Node] = {}
        self._judged: dict[tuple[str, str], Node] = {}
        self._compared: dict[tuple[str, str], Node] = {}
        self._ended: dict[str, Node] = {}
        self._complaints: list[str] = []

    def take(self, kind: str, line: Node) -> None:
        """Take in a ``line`` of that ``kind``."""
        match kind:
            case "implementation_missing":
                self._complaints.append(line.text("reason"))
            case "words":
                self._words[self._name(line, "trainer")] = line
            case "trainer":
                _add(self._judged, (_algorithm(line), self._name(line, "trainer")), line)
            case "comparison":
                self._name(line, "first")
                _add(self._compared, (_algorithm(line), self._name(line, "second")), line)
            case "algorithm":
                self._ended[_algorithm(line)] = line

    def _name(self, line: Node, key: str) -> str:
        name = line.text(key)
        if name not in self._trainers:
            raise ShapeError(f"{name!r} is no trainer of the header")
        return name

    def page(self, ending: Ending) -> Page:
        """Return the page of the training."""
        header, conclusion = self._opening.header, conclusion_in(ending)
        findings = tuple(self._findings())
        return Page(
            name=self._opening.path.name,
            kind="training",
            state=STATES[conclusion],
            conclusion=conclusion.value,
            summary=_summary(ending),
            sentences=tuple(self._sentences()),
            facts=(*environment_facts(header), *self._facts()),
            compared=compared_implementations(header, self._baseline, "trainers"),
            complaints=(*ending_complaints(ending), *self._complaints),
            matrices=tuple(self._matrices()),
            headlines=headlines_of(findings),
            findings=findings,
            counted="words",
            sections=tuple(self._sections()),
        )

    # What is said first

    def _facts(self) -> Iterator[Fact]:
        header = self._opening.header
        for each in header.nodes("corpus"):
            told = f"{each.count('bytes'):,} bytes, SHA-256 {each.text('sha256')[:16]}…"
            yield Fact("corpus", f"{each.text('name')} ({told})")
        words = header.node("words")
        told = f"{counted(words.count('total'), 'word')} of {words.count('kinds'):,} kinds"
        yield Fact("words", f"{told}, cut by {header.text('pre_tokenizer')}, counted by {words.text('counter')}")
        yield Fact("trainings", counted(header.count("repeat"), "run"))
        for name, options in header.node("options").members():
            yield Fact(name, f"vocabulary of {options.count('vocab_size'):,}")

    def _sentences(self) -> Iterator[str]:
        for name in self._trainers:
            told = [
                f"{algorithm}: {each.text('agreement')}"
                for (algorithm, second), each in self._compared.items()
                if second == name
            ]
            failed = [
                algorithm for (algorithm, trainer), each in self._judged.items() if trainer == name and _failures(each)
            ]
            told += [f"{algorithm}: gave no model" for algorithm in failed]
            if told:
                yield f"{name}: {', '.join(told)}."
            elif name != self._baseline:
                yield f"{name}: nothing was compared."
        for algorithm, _ in self._opening.header.node("options").members():
            ended = self._ended.get(algorithm)
            if ended is None or not ended.flag("complete"):
                yield f"Training of {algorithm} did not come to its end."

    # Findings

    def _findings(self) -> Iterator[Finding]:
        for (algorithm, name), line in self._compared.items():
            if line.holds("blamed"):
                yield _difference(algorithm, name, line, self._repeat)
        for (algorithm, name), line in self._judged.items():
            found = (*_failure(algorithm, name, line), *_against_rules(algorithm, name, line))
            yield from (replace(each, repeat=self._repeat) for each in (*found, *_not_repeated(algorithm, name, line)))
        for name, line in self._words.items():
            yield from self._other_words(name, line)

    def _other_words(self, name: str, line: Node) -> Iterator[Finding]:
        if not line.count("differing") or not line.holds("example"):
            return
        example = line.node("example")
        word = example.text("word")
        counts = [example.count(key) for key in ("first", "second")]
        yield Finding(
            id=f"words/{name}",
            group="findings",
            headline="cuts the corpus into other words",
            implementation=name,
            stage="words",
            reason="words",
            count=line.count("differing"),
            impact=f"{line.count('differing'):,} of {line.count('kinds'):,} kinds of words",
            subjects=(Subject("word", word, length=len(word)),),
            answers=tuple(
                Answer(side, text=times(count))
                for side, count in zip((self._opening.header.node("words").text("counter"), name), counts, strict=True)
            ),
        )

    # Matrices

    def _matrices(self) -> Iterator[Matrix]:
        for algorithm, levels in LEVELS.items():
            names = [name for name in self._trainers if (algorithm, name) in self._judged]
            if names:
                rows = tuple((name, tuple(self._cells(algorithm.value, name))) for name in names)
                columns = ("training", "rules", "repeated", *map(str, levels))
                yield Matrix(f"{algorithm}, level by level", f"against {self._baseline}", columns, rows)

    def _cells(self, algorithm: str, name: str) -> Iterator[Cell]:
        line = self._judged[algorithm, name]
        of = {"implementation": name, "reason": algorithm}
        answers, failures = line.nodes("answers"), _failures(line)
        if failures:
            yield Cell(State.ERROR, f"{len(failures):,} failed", failures[0].text("detail"), of | {"stage": "training"})
        elif answers:
            yield Cell(State.AGREE, counted(sum(len(each.nodes("runs")) for each in answers), "run"))
        else:
            reasons = [each.text("detail") for each in line.nodes("no_answers")]
            yield Cell(State.UNSUPPORTED, "unsupported", reasons[0] if reasons else "")
        illegal = [each for each in answers if not each.node("judgement").flag("is_legal")]
        if not answers:
            yield Cell(State.NOT_COMPARED, "nothing")
            yield Cell(State.NOT_COMPARED, "nothing")
        else:
            yield Cell(State.DIFFER, "broken", of=of | {"stage": "rules"}) if illegal else Cell(State.AGREE, "kept")
            yield _repeated_cell(answers, of)
        compared = self._compared.get((algorithm, name))
        found = {} if compared is None else {each.text("level"): each for each in compared.nodes("levels")}
        for level in LEVELS[Algorithm(algorithm)]:
            if name == self._baseline:
                yield Cell(State.NOT_COMPARED, "baseline")
            elif level in found:
                yield _level_cell(found[level], of)
            else:
                yield Cell(State.NOT_COMPARED, "nothing")

    # Sections

    def _sections(self) -> Iterator[Section]:
        drawings = tuple(self._drawings())
        if drawings:
            yield Section("In pictures", drawings=drawings)
        yield Section("What was learned", tables=(self._models(), self._effects()))

    def _models(self) -> Table:
        rows: list[Row] = []
        for (algorithm, name), line in self._judged.items():
            for each in line.nodes("answers"):
                learned, coverage, judgement = (each.node(key) for key in ("learned", "coverage", "judgement"))
                rows.append(
                    (
                        algorithm,
                        name,
                        len(each.nodes("runs")),
                        learned.count("tokens"),
                        learned.count("merges") if learned.holds("merges") else None,
                        "yes" if judgement.flag("is_legal") else "no",
                        judgement.count("tied"),
                        coverage.count("tokens"),
                        coverage.count("unknown"),
                        learned.number("seconds") if learned.holds("seconds") else None,
                        learned.count("peak_memory") if learned.holds("peak_memory") else None,
                        learned.text("sha256")[:12],
                    )
                )
        columns = (
            "algorithm",
            "trainer",
            "runs",
            "tokens",
            "merges",
            "by the rules",
            "ties",
            "tokens of the corpus",
            "unknown",
            "seconds",
            "bytes of memory",
            "SHA-256",
        )
        return Table(
            "Models", columns, tuple(rows), "A row is a model that one or more runs have learned to the last bit."
        )

    def _effects(self) -> Table:
        rows: list[Row] = []
        for (algorithm, name), line in self._compared.items():
            effect = line.node("effect")
            rows.append(
                (
                    algorithm,
                    name,
                    line.text("agreement"),
                    line.text_or_none("blamed"),
                    line.count("shared"),
                    line.node("only_first").count("count"),
                    line.node("only_second").count("count"),
                    line.node("moved").count("count"),
                    effect.count("differing_words"),
                    effect.count("words"),
                )
            )
        columns = (
            "algorithm",
            "trainer",
            "agreement",
            "first level that differs",
            "shared tokens",
            "only in the baseline",
            "only here",
            "other ids",
            "words split differently",
            "of",
        )
        return Table(f"Beside {self._baseline}", columns, tuple(rows))

    def _drawings(self) -> Iterator[Drawing]:
        for algorithm, line in self._ended.items():
            overlaps = line.nodes("overlaps")
            names = tuple(dict.fromkeys(each.text(key) for each in overlaps for key in ("first", "second")))
            if len(names) > 1:
                known = {(each.text("first"), each.text("second")): _share(each) for each in overlaps}
                shares = tuple(
                    tuple(1.0 if one == other else known.get((one, other), known.get((other, one))) for other in names)
                    for one in names
                )
                yield Drawing(
                    HeatMap(f"{algorithm}: shared tokens", names, shares),
                    "Share of the tokens of two vocabularies, taken together, that both have.",
                )
        algorithms = tuple(dict.fromkeys(algorithm for algorithm, _ in self._compared))
        touched = {key: line.node("effect").count("differing_words") for key, line in self._compared.items()}
        if any(touched.values()):
            series = {
                name: tuple(Bar(float(touched[each, name]) if (each, name) in touched else None) for each in algorithms)
                for name in self._trainers
                if any(touched.get((each, name)) for each in algorithms)
            }
            yield Drawing(
                Bars("Words split differently", "words", tuple(map(str, algorithms)), series),
                f"How many words of the corpus are split otherwise than by the model of {self._baseline}.",
            )


def _add(lines: dict[tuple[str, str], Node], key: tuple[str, str], line: Node) -> None:
    if key in lines:
        raise ShapeError(f"{key[1]!r} stands there twice for {key[0]}")
    lines[key] = line


def _algorithm(line: Node) -> str:
    return Algorithm(line.text("algorithm")).value


def _failures(line: Node) -> list[Node]:
    """Return the runs without a model that are failures; a trainer may well not have an algorithm."""
    return [each for each in line.nodes("no_answers") if each.text("verdict") != UNSUPPORTED]


def _share(overlap: Node) -> float | None:
    total = sum(overlap.count(key) for key in ("shared", "only_first", "only_second"))
    return overlap.count("shared") / total if total else None


# Cells ---------------------------------------------------------------------------------------------------------------


def _level_cell(level: Node, of: dict[str, str]) -> Cell:
    agreement = Agreement(level.text("agreement"))
    state, differing, compared = STATE_OF[agreement], level.count("differing"), level.count("compared")
    if agreement is Agreement.NOT_SHOWN:
        return Cell(state, str(agreement))
    if agreement is Agreement.AGREE:
        return Cell(state, f"{compared:,}")
    return Cell(state, f"{differing:,} of {compared:,}", str(agreement), of)


def _repeated_cell(answers: list[Node], of: dict[str, str]) -> Cell:
    runs = sum(len(each.nodes("runs")) for each in answers)
    if len(answers) > 1:
        state = State.ACCEPTABLE if _are_ties(answers) else State.UNSTABLE
        return Cell(state, counted(len(answers), "model"), f"of {runs:,} runs", of | {"stage": "repeated"})
    return Cell(State.AGREE, f"{runs:,} the same") if runs > 1 else Cell(State.NOT_COMPARED, "once")


def _are_ties(answers: list[Node]) -> bool:
    """Tell whether all models of a trainer differ only where the algorithm allows it."""
    others = (each.node("against_first") for each in answers if each.holds("against_first"))
    return all(each.text("agreement") != Agreement.DIFFER for each in others)


# Findings ------------------------------------------------------------------------------------------------------------


def _difference(algorithm: str, name: str, line: Node, repeat: str) -> Finding:
    """Return the finding that a trainer and the baseline have learned something else."""
    first, effect = line.text("first"), line.node("effect")
    is_tie = Agreement(line.text("agreement")) is Agreement.TIE
    levels = {Agreement(each.text("agreement")): each for each in reversed(line.nodes("levels"))}
    # What ties explain is no difference: of the levels that are not the same, the first one that they do not decides.
    level = levels[Agreement.TIE if is_tie else Agreement.DIFFER]
    what = f"{level.count('differing'):,} of {level.count('compared'):,} {level.text('level')}"
    words, differing = effect.count("words"), effect.count("differing_words")
    return Finding(
        id=f"{algorithm}/{name}",
        group="findings",
        headline=f"{algorithm}: {what} are others than those of {first}{', all of it ties' if is_tie else ''}",
        implementation=name,
        stage=level.text("level"),
        reason=algorithm,
        standing=Novelty.ACCEPTABLE if is_tie else Novelty.NEW,
        count=differing,
        impact=f"{differing:,} of {counted(words, 'word')} ({percent(differing, words)}) split differently",
        subjects=_example_word(effect),
        answers=_example_splits(effect, (first, name)),
        lines=tuple(_difference_lines(line, (first, name), algorithm)),
        explanation=TIE_REASONS[Algorithm(algorithm)] if is_tie else "",
        repeat=repeat,
        facts=(Fact("first level that is not the same", line.text("blamed")),),
    )


def _example_word(effect: Node) -> tuple[Subject, ...]:
    examples = effect.nodes("examples")[:1]
    return tuple(Subject("word", each.text("word"), length=len(each.text("word"))) for each in examples)


def _example_splits(effect: Node, sides: tuple[str, str]) -> tuple[Answer, ...]:
    """Return how both models split the most frequent word that they split differently."""
    for example in effect.nodes("examples")[:1]:
        one, other = (
            Answer(side, tuple(Token(text) for text in example.texts(key)), total=len(example.texts(key)))
            for side, key in zip(sides, ("first", "second"), strict=True)
        )
        return marked(one, other)
    return ()


def _difference_lines(line: Node, sides: tuple[str, str], algorithm: str) -> Iterator[str]:
    if line.holds("divergence"):
        yield from divergence_lines(_divergence_of(line.node("divergence").value), sides, Algorithm(algorithm))
    for side, key in zip(sides, ("only_first", "only_second"), strict=True):
        only = line.node(key)
        if only.count("count"):
            yield f"only {side} has {counted(only.count('count'), 'token')}: {listed_tokens(only.texts('entries'))}"
    if line.holds("scores"):
        scores = line.node("scores")
        yield f"scores: {scores.count('beyond'):,} of {counted(scores.count('compared'), 'piece')} differ"
        for each in scores.nodes("largest"):
            one, other = (_number(each.node(key)) for key in ("first", "second"))
            yield f"  {quoted(each.text('token'))}: {one:.9g} and {other:.9g}"
    moved = line.node("moved")
    if moved.count("count"):
        yield f"ids: {counted(moved.count('count'), 'token')} of both have another id"
        for each in moved.nodes("entries")[:MOST_MOVED]:
            yield f"  {quoted(each.text('token'))}: {each.count('first'):,} and {each.count('second'):,}"
    yield f"corpus: {effect_line(_effect_of(line.node('effect')))}"


def _number(node: Node) -> float:
    if type(node.value) not in (int, float):
        raise node.error("a number")
    return float(node.value)


def _effect_of(effect: Node) -> Effect:
    keys = ("words", "kinds", "first_tokens", "second_tokens", "differing_words", "differing_kinds")
    return Effect(**{key: effect.count(key) for key in keys}, examples=())


def _divergence_of(recorded: Json) -> Divergence:
    """Return the divergence that a record has; what it takes is the opposite of what the record's module writes."""
    sides = [recorded["first"], recorded["second"]]
    first, second = (None if side is None else _taken_of(side) for side in sides)
    tops = [None if top is None else Top(tuple(top["pair"]), top["count"], top["is_tied"]) for top in recorded["tops"]]
    elsewhere = [0 if side is None else side["count_on_other_side"] for side in sides]
    return Divergence(
        number=recorded["number"],
        first=first,
        second=second,
        elsewhere=(elsewhere[0], elsewhere[1]),
        tops=(tops[0], tops[1]),
        kind=DivergenceKind[recorded["kind"].upper()],
        is_shown=recorded["is_shown"],
    )


def _taken_of(side: Json) -> Taken:
    pair = None if side["pair"] is None else (side["pair"][0], side["pair"][1])
    return Taken(side["token"], pair, side["count"], side["left_count"], side["right_count"])


def _failure(algorithm: str, name: str, line: Node) -> Iterator[Finding]:
    failures = _failures(line)
    if failures:
        first = failures[0]
        told = dict.fromkeys(f"{each.text('verdict')}: {each.text('detail')}" for each in failures)
        yield Finding(
            id=f"{algorithm}/{name}/training",
            group="findings",
            headline=f"{algorithm}: gives no model ({first.text('verdict')})",
            implementation=name,
            stage="training",
            reason=algorithm,
            impact=f"{len(failures):,} runs without a model",
            answers=(Answer(name, trouble=f"{first.text('verdict')}: {first.text('detail')}"),),
            lines=tuple(told),
        )


def _against_rules(algorithm: str, name: str, line: Node) -> Iterator[Finding]:
    illegal = [each for each in line.nodes("answers") if not each.node("judgement").flag("is_legal")]
    if illegal:
        yield Finding(
            id=f"{algorithm}/{name}/rules",
            group="findings",
            headline=f"{algorithm}: what was learned does not follow the rules of the algorithm",
            implementation=name,
            stage="rules",
            reason=algorithm,
            impact=counted(len(illegal), "model"),
            lines=tuple(_rule_lines(illegal[0].node("judgement"))),
        )


def _rule_lines(judgement: Node) -> Iterator[str]:
    """Say what is exceptional in a model: a merge or a token, a pair that was left, what does not fit."""
    if judgement.holds("first"):
        first = judgement.node("first")
        yield ", ".join(f"{key.replace('_', ' ')}: {_shown(each.value)}" for key, each in first.members())
    if judgement.holds("left"):
        left = judgement.node("left")
        pair = left.texts("pair")
        yield f"ended with room, though {pair_words((pair[0], pair[1]))} occurs {times(left.count('count'))}"
    if judgement.has("stray") and judgement.node("stray").count("count"):
        listed = listed_tokens(judgement.node("stray").texts("entries"))
        yield f"merges and vocabulary do not fit: only one of them has {listed}"


def _shown(value: object) -> str:
    match value:
        case str():
            return quoted(value)
        case list():
            return " + ".join(map(_shown, value))
        case None:
            return "none"
        case _:
            return str(value)


def _not_repeated(algorithm: str, name: str, line: Node) -> Iterator[Finding]:
    answers = line.nodes("answers")
    if len(answers) > 1:
        runs = sum(len(each.nodes("runs")) for each in answers)
        others = [each.node("against_first") for each in answers if each.holds("against_first")]
        is_tie = _are_ties(answers)
        yield Finding(
            id=f"{algorithm}/{name}/repeated",
            group="findings",
            headline=f"{algorithm}: {counted(runs, 'run')} have learned {counted(len(answers), 'model')}"
            + (", which differ in ties alone" if is_tie else ""),
            implementation=name,
            stage="repeated",
            reason=algorithm,
            standing=Novelty.ACCEPTABLE if is_tie else Novelty.UNSTABLE,
            impact=counted(len(answers), "model"),
            lines=tuple(_difference_lines(others[0], ("the first run", "another run"), algorithm)) if others else (),
        )


def _summary(ending: Ending) -> str:
    if ending.footer is None:
        return CUT_SHORT
    footer = ending.footer
    return (
        f"{footer.text('conclusion')}: {counted(footer.count('runs'), 'training')}, "
        f"{counted(footer.count('comparisons'), 'comparison')}, {counted(footer.count('differences'), 'difference')}, "
        f"{counted(footer.count('ties'), 'tie')}"
    )


TRAININGS = PageKind("training", FORMAT, TrainingReader)
