"""Records of ``tokconf train``: whether training answers, keeps the rules, repeats itself, and agrees at each level."""

from __future__ import annotations

from dataclasses import dataclass, field
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
from tokenizer_conformance.results.records.lines import Ending, Opening, read_lines
from tokenizer_conformance.results.records.node import ShapeError
from tokenizer_conformance.results.records.training import FORMAT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_conformance.releases.diff.records.matching import Matching, Party
    from tokenizer_conformance.results.records.node import Node

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


def parties(header: Node) -> list[Party]:
    """Return whose training was compared."""
    return parties_in(header, "trainers", header.text("baseline"))


def remarks(then: Node, now: Node, matching: Matching) -> list[str]:
    """Say what two headers do not have in common."""
    found = environment_remarks(then, now)
    if matching.name(then.text("baseline")) != now.text("baseline"):
        found.append(f"another baseline: {shown(then.text('baseline'))} then, {shown(now.text('baseline'))} now")
    if _corpus(then) != _corpus(now):
        found.append("another corpus: no model is compared with that of the other record")
    olds, news = (dict(each.node("options").members()) for each in (then, now))
    found += [f"{one_line(name)} was not trained now" for name in olds if name not in news]
    found += [f"{one_line(name)} was not trained then" for name in news if name not in olds]
    for name in olds:
        if name in news and olds[name].value != news[name].value:
            keys = {key: key for key in {**_object(olds[name]), **_object(news[name])}}
            found += [f"{one_line(name)}: {told}" for told in value_remarks(olds[name], news[name], keys)]
    return found + value_remarks(then, now, OPTIONS)


def _object(node: Node) -> dict[str, object]:
    return {key: each.value for key, each in node.members()}


def _corpus(header: Node) -> list[tuple[str, int]]:
    return [(each.text("sha256"), each.count("bytes")) for each in header.nodes("corpus")]


def read(opening: Opening, ending: Ending, matching: Matching) -> TrainingSide:
    """Read the record. Raises :class:`BadInputError`."""
    header = opening.header
    side = TrainingSide(
        baseline=matching.name(header.text("baseline")),
        names={each.name: matching.name(each.name) for each in parties(header)},
        corpus=_corpus(header),
        pre_tokenizer=header.node("pre_tokenizer").value,
        options=_object(header.node("options")),
        tolerance=header.number("tolerance"),
        repeat=header.count("repeat"),
    )
    read_lines(opening, ending, _Reading(side).take)
    return side


class _Reading:
    def __init__(self, side: TrainingSide) -> None:
        self._side = side

    def take(self, kind: str, line: Node) -> None:
        match kind:
            case "implementation_missing":
                name = line.text("name")
                self._side.refused[self._side.names.get(name, name)] = line.text("reason")
            case "words":
                self._words(line)
            case "trainer":
                self._trainer(line)
            case "comparison":
                self._comparison(line)
            case "algorithm":
                if line.flag("complete"):
                    self._side.ended.add(line.text("algorithm"))
                self._side.figures[Figure("", line.text("algorithm"), "seconds")] = line.number("seconds")
            case "footer":
                self._side.figures[Figure("", "", "seconds")] = line.number("seconds")

    def _name(self, name: str) -> str:
        if name not in self._side.names:
            raise ShapeError(f"{one_line(name, 60)!r} is no trainer of the header")
        return self._side.names[name]

    def _add(self, outcome: Outcome) -> None:
        if outcome.key in self._side.outcomes:
            raise ShapeError(f"{outcome.key.aspect} of {one_line(outcome.key.implementation, 60)!r} stands there twice")
        self._side.outcomes[outcome.key] = outcome

    # Words

    def _words(self, line: Node) -> None:
        name = self._name(line.text("trainer"))
        key = Key(Aspect.WORDS, name, "", against=self._side.baseline)
        title = f"{one_line(name)}: how its own pre-tokenizer cuts the corpus into words"
        if line.holds("no_answer"):
            self._add(_without_answer(key, title, line.node("no_answer")))
            return
        differing = line.count("differing")
        lines: tuple[str, ...] = ()
        if line.holds("example"):
            example = line.node("example")
            word = quoted(example.text("word"))
            lines = (f"{word}: {example.count('first'):,} times in the baseline, {example.count('second'):,} here",)
        state = State.FAILS if differing else State.SOUND
        counts = {"kinds of words": differing}
        self._add(Outcome(key, state, title, "differ" if differing else "agree", counts, lines=lines))

    # One trainer

    def _trainer(self, line: Node) -> None:
        name, algorithm = self._name(line.text("trainer")), line.text("algorithm")
        who = f"{one_line(name)}: {one_line(algorithm)}"
        answers, failures = line.nodes("answers"), line.nodes("no_answers")
        key = Key(Aspect.TRAINING, name, algorithm)
        if failures:
            outcome = _without_answer(key, f"{who}: training", failures[0])
            self._add(_counted(outcome, {"runs": len(failures)}))
        else:
            self._add(Outcome(key, State.SOUND, f"{who}: training", "answered"))
        if not answers:
            return
        illegal = [each for each in answers if not each.node("judgement").flag("is_legal")]
        first = answers[0].node("learned")
        rules = Key(Aspect.RULES, name, algorithm)
        state = State.FAILS if illegal else State.SOUND
        title = f"{who}: what was learned does {'not ' if illegal else ''}follow the rules of the algorithm"
        self._add(Outcome(rules, state, title, "against the rules" if illegal else "by the rules"))
        self._add(self._repeated(Key(Aspect.REPEATED, name, algorithm), who, answers))
        model = Key(Aspect.MODEL, name, algorithm)
        merges = "" if not first.holds("merges") else f", {first.count('merges'):,} merges"
        sha256, tokens = first.text("sha256"), first.count("tokens")
        told = (f"{tokens:,} tokens{merges}, SHA-256 {one_line(sha256[:12])}",)
        self._add(Outcome(model, State.SOUND, f"{who}: the model", "learned", manner=sha256, lines=told))
        self._figures(name, algorithm, line, answers[0])

    def _repeated(self, key: Key, who: str, answers: list[Node]) -> Outcome:
        runs = sum(len(each.nodes("runs")) for each in answers)
        title = f"{who}: models of {counted(runs, 'training')}"
        if len(answers) > 1:
            return Outcome(key, State.FAILS, title, "not the same", {"models": len(answers)})
        why = "" if runs > 1 else "it was trained once"
        return Outcome(key, State.NOT_COMPARED if why else State.SOUND, title, "the same", why=why)

    def _figures(self, name: str, algorithm: str, line: Node, answer: Node) -> None:
        learned, coverage = answer.node("learned"), answer.node("coverage")
        figures = self._side.figures
        figures[Figure(name, algorithm, "tokens of the model")] = learned.count("tokens")
        if learned.holds("merges"):
            figures[Figure(name, algorithm, "merges")] = learned.count("merges")
        figures[Figure(name, algorithm, "tokens of the corpus")] = coverage.count("tokens")
        figures[Figure(name, algorithm, "unknown tokens of the corpus")] = coverage.count("unknown")
        if line.holds("seconds"):
            figures[Figure(name, algorithm, "seconds")] = line.number("seconds")
        if line.holds("peak_memory"):
            figures[Figure(name, algorithm, "peak memory")] = line.count("peak_memory")

    # Two trainers

    def _comparison(self, line: Node) -> None:
        first, second = (self._name(line.text(side)) for side in ("first", "second"))
        algorithm = line.text("algorithm")
        blamed = line.text_or_none("blamed")
        for level in line.nodes("levels"):
            what = level.text("level")
            agreement = Agreement(level.text("agreement"))
            level.count("compared")
            self._add(
                Outcome(
                    Key(Aspect.LEVEL, second, algorithm, (what,), first),
                    STATES[agreement],
                    f"{one_line(second)} beside {one_line(first)}: {one_line(algorithm)}, {one_line(what)}",
                    agreement.value,
                    {"entries": level.count("differing")},
                    manner=agreement.value,
                    lines=tuple(_level_lines(line, what, blamed)),
                    why="it was not shown" if agreement is Agreement.NOT_SHOWN else "",
                )
            )
        effect = line.node("effect")
        figure = Figure(second, algorithm, "words split differently")
        self._side.figures[figure] = effect.count("differing_words")


def _level_lines(line: Node, level: str, blamed: str | None) -> list[str]:
    """Return what shows that two sides differ at ``level``."""
    found = []
    if level == "tokens":
        for side, words in (("only_first", "only in the baseline"), ("only_second", "only here")):
            listed = line.node(side)
            tokens = [each.as_text() for each in listed.nodes("entries")[:LISTED_TOKENS]]
            if tokens:
                more = " …" if listed.count("count") > len(tokens) else ""
                found.append(f"{words} ({listed.count('count'):,}): {' '.join(map(quoted, tokens))}{more}")
    if level == "ids":
        for moved in line.node("moved").nodes("entries")[:LISTED_TOKENS]:
            ids = f"{moved.count('first')} in the baseline, {moved.count('second')} here"
            found.append(f"{quoted(moved.text('token'))}: {ids}")
    if level == blamed:
        found.append("the first level that differs")
    return found


def _without_answer(key: Key, title: str, no_answer: Node) -> Outcome:
    verdict, detail = no_answer.text("verdict"), no_answer.text("detail")
    told = one_line(detail, 160)
    if verdict == UNSUPPORTED:
        return Outcome(key, State.NOT_COMPARED, title, verdict, why=f"it was not shown (unsupported): {told}")
    return Outcome(key, State.FAILS, f"{title}: {one_line(verdict)}", verdict, manner=verdict, lines=(told,))


def _counted(outcome: Outcome, counts: dict[str, int]) -> Outcome:
    return outcome if outcome.state is State.NOT_COMPARED else _with_counts(outcome, counts)


def _with_counts(outcome: Outcome, counts: dict[str, int]) -> Outcome:
    return Outcome(
        outcome.key, outcome.state, outcome.title, outcome.verdict, counts, manner=outcome.manner, lines=outcome.lines
    )


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
        return f"training ended before {one_line(key.implementation)} had come to that"
    return "there was no model to look at"


TRAININGS: Kind[TrainingSide] = Kind("training", FORMAT, parties, remarks, read, lacks)
