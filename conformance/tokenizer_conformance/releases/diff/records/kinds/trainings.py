"""Records of ``tokconf train``: whether training answers, keeps the rules, repeats itself, and agrees at each level."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tokenizer_conformance.escape import one_line, quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.releases.diff.records.kinds.kind import (
    Kind,
    environment_remarks,
    parties_in,
    shown,
    value_remarks,
)
from tokenizer_conformance.releases.diff.records.outcome import Aspect, Figure, Key, Outcome, State
from tokenizer_conformance.research.training.comparison import Agreement
from tokenizer_conformance.results.records import training
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.lines import Opening, ShapeError, read_lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokenizer_conformance.releases.diff.records.matching import Matching, Party
    from tokenizer_conformance.results.records.ending import Ending
    from tokenizer_conformance.results.records.value import Value

UNSUPPORTED = "unsupported"

STATES: Mapping[Agreement, State] = {
    Agreement.AGREE: State.SOUND,
    Agreement.TIE: State.SOUND,
    Agreement.DIFFER: State.FAILS,
    Agreement.NOT_SHOWN: State.NOT_COMPARED,
}
"""What an agreement is to a comparison; a tie is allowed by the algorithm."""

OPTIONS = {"pre_tokenizer": "pre-tokenizer", "repeat": "--repeat", "tolerance": "--tolerance"}

LISTED_TOKENS = 8
"""How many tokens of one side only are shown."""

TRAINED_ALONE = (Aspect.TRAINING, Aspect.RULES, Aspect.REPEATED, Aspect.MODEL)
"""The aspects that depend on one trainer, and not on the baseline."""


@dataclass(slots=True)
class TrainingSide:
    """A record of training, read. ``ended`` has the algorithms that were trained to their end."""

    baseline: str
    names: dict[str, str]
    corpus: object
    pre_tokenizer: object
    options: dict[str, object]
    tolerance: object
    repeat: int
    outcomes: dict[Key, Outcome] = field(default_factory=dict)
    figures: dict[Figure, float] = field(default_factory=dict)
    ended: set[str] = field(default_factory=set)
    refused: dict[str, str] = field(default_factory=dict)


def parties(header: training.Header) -> list[Party]:
    """Return whose training was compared."""
    return parties_in(header.trainers, header.baseline)


def remarks(then: training.Header, now: training.Header, matching: Matching) -> list[str]:
    """Say what two headers do not have in common."""
    found = environment_remarks(then, now)
    if matching.name(then.baseline) != now.baseline:
        found.append(f"another baseline: {shown(then.baseline)} then, {shown(now.baseline)} now")
    if _corpus(then) != _corpus(now):
        found.append("another corpus: no model is compared with that of the other record")
    olds, news = then.options, now.options
    found += [f"{one_line(name)} was not trained now" for name in olds if name not in news]
    found += [f"{one_line(name)} was not trained then" for name in news if name not in olds]
    for name in olds:
        if name in news and olds[name] != news[name]:
            keys = {key: key for key in json_of(olds[name])}
            found += [f"{one_line(name)}: {told}" for told in value_remarks(olds[name], news[name], keys)]
    return found + value_remarks(then, now, OPTIONS)


def _corpus(header: training.Header) -> list[tuple[str, int]]:
    return [(each.sha256, each.bytes) for each in header.corpus]


def read(opening: Opening, ending: Ending, matching: Matching) -> TrainingSide:
    """Read the record. Raises :class:`BadInputError`."""
    header: training.Header = opening.header(training.FORMAT)
    side = TrainingSide(
        baseline=matching.name(header.baseline),
        names={each.name: matching.name(each.name) for each in parties(header)},
        corpus=_corpus(header),
        pre_tokenizer=header.pre_tokenizer,
        options=dict(header.options.items()),
        tolerance=header.tolerance,
        repeat=header.repeat,
    )
    read_lines(opening, training.FORMAT, ending, _Reading(side).take)
    return side


class _Reading:
    def __init__(self, side: TrainingSide) -> None:
        self._side = side

    def take(self, line: Value) -> None:
        match line:
            case training.ImplementationMissing():
                self._side.refused[self._side.names.get(line.name, line.name)] = line.reason
            case training.Words():
                self._words(line)
            case training.Trainer():
                self._trainer(line)
            case training.Comparison():
                self._comparison(line)
            case training.AlgorithmLine():
                if line.complete:
                    self._side.ended.add(line.algorithm)
                self._side.figures[Figure("", line.algorithm, "seconds")] = line.seconds
            case training.Footer():
                self._side.figures[Figure("", "", "seconds")] = line.seconds

    def _name(self, name: str) -> str:
        if name not in self._side.names:
            raise ShapeError(f"{one_line(name, 60)!r} is no trainer of the header")
        return self._side.names[name]

    def _add(self, outcome: Outcome) -> None:
        if outcome.key in self._side.outcomes:
            raise ShapeError(f"{outcome.key.aspect} of {one_line(outcome.key.implementation, 60)!r} stands there twice")
        self._side.outcomes[outcome.key] = outcome

    # Words

    def _words(self, line: training.Words) -> None:
        name = self._name(line.trainer)
        key = Key(Aspect.WORDS, name, "", against=self._side.baseline)
        title = f"{one_line(name)}: how its own pre-tokenizer cuts the corpus into words"
        if line.no_answer is not None:
            self._add(_without_answer(key, title, line.no_answer))
            return
        differing, example = line.differing, line.example
        lines: tuple[str, ...] = ()
        if example is not None:
            lines = (f"{quoted(example.word)}: {example.first:,} times in the baseline, {example.second:,} here",)
        state = State.FAILS if differing else State.SOUND
        counts = {"kinds of words": differing}
        self._add(Outcome(key, state, title, "differ" if differing else "agree", counts, lines=lines))

    # One trainer

    def _trainer(self, line: training.Trainer) -> None:
        name, algorithm = self._name(line.trainer), line.algorithm
        who = f"{one_line(name)}: {one_line(algorithm)}"
        answers, failures = line.answers, line.no_answers
        key = Key(Aspect.TRAINING, name, algorithm)
        if failures:
            outcome = _without_answer(key, f"{who}: training", failures[0])
            self._add(_counted(outcome, {"runs": len(failures)}))
        else:
            self._add(Outcome(key, State.SOUND, f"{who}: training", "answered"))
        if not answers:
            return
        illegal = [each for each in answers if not each.judgement.is_legal]
        first = answers[0].learned
        rules = Key(Aspect.RULES, name, algorithm)
        state = State.FAILS if illegal else State.SOUND
        title = f"{who}: what was learned does {'not ' if illegal else ''}follow the rules of the algorithm"
        self._add(Outcome(rules, state, title, "against the rules" if illegal else "by the rules"))
        self._add(self._repeated(Key(Aspect.REPEATED, name, algorithm), who, answers))
        model = Key(Aspect.MODEL, name, algorithm)
        merges = "" if first.merges is None else f", {first.merges:,} merges"
        told = (f"{first.tokens:,} tokens{merges}, SHA-256 {first.sha256[:12]}",)
        self._add(Outcome(model, State.SOUND, f"{who}: the model", "learned", manner=first.sha256, lines=told))
        self._figures(name, algorithm, line, answers[0])

    def _repeated(self, key: Key, who: str, answers: Sequence[training.Answer]) -> Outcome:
        runs = sum(len(each.runs) for each in answers)
        title = f"{who}: models of {counted(runs, 'training')}"
        if len(answers) > 1:
            return Outcome(key, State.FAILS, title, "not the same", {"models": len(answers)})
        why = "" if runs > 1 else "it was trained once"
        return Outcome(key, State.NOT_COMPARED if why else State.SOUND, title, "the same", why=why)

    def _figures(self, name: str, algorithm: str, line: training.Trainer, answer: training.Answer) -> None:
        learned, coverage = answer.learned, answer.coverage
        figures = self._side.figures
        figures[Figure(name, algorithm, "tokens of the model")] = learned.tokens
        if learned.merges is not None:
            figures[Figure(name, algorithm, "merges")] = learned.merges
        figures[Figure(name, algorithm, "tokens of the corpus")] = coverage.tokens
        figures[Figure(name, algorithm, "unknown tokens of the corpus")] = coverage.unknown
        if line.seconds is not None:
            figures[Figure(name, algorithm, "seconds")] = line.seconds
        if line.peak_memory is not None:
            figures[Figure(name, algorithm, "peak memory")] = line.peak_memory

    # Two trainers

    def _comparison(self, line: training.Comparison) -> None:
        first, second, algorithm = self._name(line.first), self._name(line.second), line.algorithm
        for level in line.levels:
            what, agreement = level.level, Agreement(level.agreement)
            self._add(
                Outcome(
                    Key(Aspect.LEVEL, second, algorithm, (what,), first),
                    STATES[agreement],
                    f"{one_line(second)} beside {one_line(first)}: {one_line(algorithm)}, {one_line(what)}",
                    agreement.value,
                    {"entries": level.differing},
                    manner=agreement.value,
                    lines=tuple(_level_lines(line, what)),
                    why="it was not shown" if agreement is Agreement.NOT_SHOWN else "",
                )
            )
        figure = Figure(second, algorithm, "words split differently")
        self._side.figures[figure] = line.effect.differing_words


def _level_lines(line: training.Comparison, level: str) -> list[str]:
    """Return what shows that two sides differ at ``level``."""
    found = []
    if level == "tokens":
        for listed, words in ((line.only_first, "only in the baseline"), (line.only_second, "only here")):
            tokens = listed.entries[:LISTED_TOKENS]
            if tokens:
                more = " …" if listed.count > len(tokens) else ""
                found.append(f"{words} ({listed.count:,}): {' '.join(map(quoted, tokens))}{more}")
    if level == "ids":
        found += [
            f"{quoted(moved.token)}: {moved.first} in the baseline, {moved.second} here"
            for moved in line.moved.entries[:LISTED_TOKENS]
        ]
    if level == line.blamed:
        found.append("the first level that differs")
    return found


def _without_answer(key: Key, title: str, no_answer: training.NoAnswer) -> Outcome:
    verdict, told = no_answer.verdict, one_line(no_answer.detail, 160)
    if verdict == UNSUPPORTED:
        return Outcome(key, State.NOT_COMPARED, title, verdict, why=f"it was not shown (unsupported): {told}")
    return Outcome(key, State.FAILS, f"{title}: {one_line(verdict)}", verdict, manner=verdict, lines=(told,))


def _counted(outcome: Outcome, counts: dict[str, int]) -> Outcome:
    return outcome if outcome.state is State.NOT_COMPARED else replace(outcome, counts=counts)


# What was not compared ------------------------------------------------------------------------------------------------


def lacks(side: TrainingSide, other: TrainingSide, outcome: Outcome) -> str:
    """Say why ``side`` could not have found ``outcome``, which ``other`` may have; empty where it would have."""
    key = outcome.key
    if key.implementation in side.refused:
        return one_line(side.refused[key.implementation])
    if key.implementation not in side.names.values():
        return f"{one_line(key.implementation)} was not asked"
    if key.aspect not in TRAINED_ALONE and side.baseline != other.baseline:
        return "the baseline is another one"
    if side.corpus != other.corpus or side.pre_tokenizer != other.pre_tokenizer:
        return "the words to learn from are others"
    if key in side.outcomes and key.aspect is Aspect.WORDS:
        return ""
    return "its words were not compared" if key.aspect is Aspect.WORDS else _lacks_model(side, other, key)


def _lacks_model(side: TrainingSide, other: TrainingSide, key: Key) -> str:
    if key.subject not in side.options:
        return f"{one_line(key.subject)} was not trained"
    if side.options[key.subject] != other.options.get(key.subject, side.options[key.subject]):
        return f"{one_line(key.subject)} was trained with other options"
    if key.aspect is Aspect.LEVEL and side.tolerance != other.tolerance:
        return "the tolerance is another one"
    if key in side.outcomes:
        return ""
    if key.subject not in side.ended:
        return f"training ended before {one_line(key.implementation)} had reached that"
    return "there was no model to look at"


TRAININGS: Kind[TrainingSide] = Kind("training", training.FORMAT, parties, remarks, read, lacks)
