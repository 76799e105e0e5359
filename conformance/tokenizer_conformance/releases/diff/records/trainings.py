"""Records of ``tokconf train``: whether training answers, keeps the rules, repeats itself, and agrees at each level."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from tokenizer_conformance.escape import one_line, quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.releases.diff.records.changes import Aspect, Key, Outcome, State
from tokenizer_conformance.releases.diff.records.read_record import ReadRecord, parties_in, value_remarks
from tokenizer_conformance.results.records import training
from tokenizer_conformance.results.records.format import json_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokenizer_conformance.releases.diff.records.matching import Party
    from tokenizer_conformance.results.records.value import Value

STATES: Mapping[str, State] = {
    "agree": State.SOUND,
    "tie": State.SOUND,
    "differ": State.FAILS,
    "not shown": State.NOT_COMPARED,
}
"""What an agreement is to a comparison; a tie is allowed by the algorithm."""

LISTED_TOKENS = 8
"""How many tokens of one side only are shown."""


class ReadTraining(ReadRecord[training.Header]):
    """A record of training."""

    noun = "training"
    format = training.FORMAT
    options: ClassVar = {
        "pre_tokenizer": "pre-tokenizer",
        "repeat": "--repeat",
        "tolerance": "--tolerance",
    }

    def _begin(self) -> None:
        self._corpus = [(each.sha256, each.bytes) for each in self.header.corpus]
        self._ended: set[str] = set()

    @staticmethod
    def parties(header: training.Header) -> list[Party]:
        """Return whose training was compared."""
        return parties_in(header.trainers, header.baseline)

    def _further_remarks(self, then: ReadTraining) -> Iterator[str]:
        if then._corpus != self._corpus:
            yield "another corpus: no model is compared with that of the other record"
        olds, news = then.header.options, self.header.options
        for names, others, when in ((olds, news, "now"), (news, olds, "then")):
            yield from (f"{one_line(name)} was not trained {when}" for name in names if name not in others)
        for name in olds:
            if name in news:
                keys = {key: key for key in json_of(olds[name])}
                yield from (f"{one_line(name)}: {told}" for told in value_remarks(olds[name], news[name], keys))

    def _take(self, line: Value) -> None:
        match line:
            case training.ImplementationMissing():
                self.refuse(line.name, line.reason)
            case training.Words():
                self._words(line)
            case training.Trainer():
                self._trainer(line)
            case training.Comparison():
                self._comparison(line)
            case training.AlgorithmLine():
                if line.complete:
                    self._ended.add(line.algorithm)
                self.figure("seconds", line.seconds, subject=line.algorithm)

    def _words(self, line: training.Words) -> None:
        name = self.name(line.trainer)
        key = Key(Aspect.WORDS, name, "", against=self.baseline)
        title = f"{one_line(name)}: how its own pre-tokenizer cuts the corpus into words"
        if line.no_answer is not None:
            self.add(_without_answer(key, title, line.no_answer))
            return
        differing, example = line.differing, line.example
        lines: tuple[str, ...] = ()
        if example is not None:
            lines = (f"{quoted(example.word)}: {example.first:,} times in the baseline, {example.second:,} here",)
        state, verdict = (State.FAILS, "differ") if differing else (State.SOUND, "agree")
        self.add(Outcome(key, state, title, verdict, {"kinds of words": differing}, lines=lines))

    # One trainer

    def _trainer(self, line: training.Trainer) -> None:
        name, algorithm = self.name(line.trainer), line.algorithm
        who = f"{one_line(name)}: {one_line(algorithm)}"
        key = Key(Aspect.TRAINING, name, algorithm)
        self.add(_training(key, f"{who}: training", line.no_answers))
        if not line.answers:
            return
        self.add(_rules(replace(key, aspect=Aspect.RULES), who, line.answers))
        self.add(_repeated(replace(key, aspect=Aspect.REPEATED), who, line.answers))
        self.add(_model(replace(key, aspect=Aspect.MODEL), who, line.answers[0].learned))
        learned, coverage = line.answers[0].learned, line.answers[0].coverage
        figures = {
            "tokens of the model": learned.tokens,
            "merges": learned.merges,
            "tokens of the corpus": coverage.tokens,
            "unknown tokens of the corpus": coverage.unknown,
            "seconds": line.seconds,
            "peak memory": line.peak_memory,
        }
        for what, value in figures.items():
            if value is not None:
                self.figure(what, value, name, algorithm)

    # Two trainers

    def _comparison(self, line: training.Comparison) -> None:
        first, second, algorithm = self.name(line.first), self.name(line.second), line.algorithm
        for level in line.levels:
            what, agreement = level.level, level.agreement
            state = STATES[agreement]
            self.add(
                Outcome(
                    Key(Aspect.LEVEL, second, algorithm, (what,), first),
                    state,
                    f"{one_line(second)} beside {one_line(first)}: {one_line(algorithm)}, {one_line(what)}",
                    agreement,
                    {"entries": level.differing},
                    manner=agreement,
                    lines=tuple(_level_lines(line, what)),
                    why="it was not shown" if state is State.NOT_COMPARED else "",
                )
            )
        self.figure("words split differently", line.effect.differing_words, second, algorithm)

    # What was not compared

    def _lacks(self, other: ReadTraining, outcome: Outcome) -> str:
        key = outcome.key
        own, others = self.header, other.header
        if self._corpus != other._corpus or own.pre_tokenizer != others.pre_tokenizer:
            return "the words to learn from are others"
        if key.aspect is Aspect.WORDS:
            return "" if key in self.outcomes else "its words were not compared"
        options, other_options = _options(own), _options(others)
        if key.subject not in options:
            return f"{one_line(key.subject)} was not trained"
        if options[key.subject] != other_options.get(key.subject, options[key.subject]):
            return f"{one_line(key.subject)} was trained with other options"
        if key.aspect is Aspect.LEVEL and own.tolerance != others.tolerance:
            return "the tolerance is another one"
        if key in self.outcomes:
            return ""
        if key.subject not in self._ended:
            return f"training ended before {one_line(key.implementation)} had reached that"
        return "there was no model to look at"


def _options(header: training.Header) -> dict[str, training.Options]:
    return {str(algorithm): options for algorithm, options in header.options.items()}


def _without_answer(key: Key, title: str, no_answer: training.NoAnswer) -> Outcome:
    verdict, told = no_answer.verdict, one_line(no_answer.detail, 160)
    if verdict == "unsupported":
        return Outcome(key, State.NOT_COMPARED, title, verdict, why=f"it was not shown (unsupported): {told}")
    return Outcome(key, State.FAILS, f"{title}: {one_line(verdict)}", verdict, manner=verdict, lines=(told,))


def _training(key: Key, title: str, failures: Sequence[training.FailedRun]) -> Outcome:
    if not failures:
        return Outcome(key, State.SOUND, title, "answered")
    outcome = _without_answer(key, title, failures[0])
    return outcome if outcome.state is State.NOT_COMPARED else replace(outcome, counts={"runs": len(failures)})


def _rules(key: Key, who: str, answers: Sequence[training.Answer]) -> Outcome:
    is_legal = all(each.judgement.is_legal for each in answers)
    title = f"{who}: what was learned does {'' if is_legal else 'not '}follow the rules of the algorithm"
    state, verdict = (State.SOUND, "by the rules") if is_legal else (State.FAILS, "against the rules")
    return Outcome(key, state, title, verdict)


def _repeated(key: Key, who: str, answers: Sequence[training.Answer]) -> Outcome:
    runs = sum(len(each.runs) for each in answers)
    title = f"{who}: models of {counted(runs, 'training')}"
    if len(answers) > 1:
        return Outcome(key, State.FAILS, title, "not the same", {"models": len(answers)})
    why = "" if runs > 1 else "it was trained once"
    return Outcome(key, State.NOT_COMPARED if why else State.SOUND, title, "the same", why=why)


def _model(key: Key, who: str, learned: training.Learned) -> Outcome:
    merges = "" if learned.merges is None else f", {learned.merges:,} merges"
    told = f"{learned.tokens:,} tokens{merges}, SHA-256 {learned.sha256[:12]}"
    return Outcome(key, State.SOUND, f"{who}: the model", "learned", manner=learned.sha256, lines=(told,))


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
