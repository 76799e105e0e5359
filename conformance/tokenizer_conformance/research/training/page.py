"""The page of training: findings are models that differ or break rules, and trainings that fail."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, TypeVar

import msgspec
from msgspec import UNSET

from tokenizer_adapters.training import Algorithm, TrainingOptions
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.plural import counted, few, who
from tokenizer_conformance.research.training.comparison import LEVELS, Agreement
from tokenizer_conformance.research.training.wording import (
    TIE_REASONS,
    divergence_lines,
    effect_line,
    listed_tokens,
    options_line,
    pair_words,
    percent,
    times,
)
from tokenizer_conformance.results.answers import marked
from tokenizer_conformance.results.headlines import headlines_of
from tokenizer_conformance.results.outcomes import DIFFERING, ON_TOKENIZERS, Outcome, Outcomes, Result, Wording
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
    ShownFinding,
    State,
    Subject,
    Table,
    Token,
)
from tokenizer_conformance.results.plots.plot import Bar, Bars, HeatMap
from tokenizer_conformance.results.recorded_page import (
    CELL_RESULTS,
    CUT_SHORT,
    PageReader,
    RecordedPage,
    environment_facts,
    outcome_of,
    page_state,
    without_reports,
)
from tokenizer_conformance.results.records import training as lines
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.sentences import plain, said_once

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_conformance.results.page import Row
    from tokenizer_conformance.results.records.ending import Ended
    from tokenizer_conformance.results.records.value import Value

L = TypeVar("L", lines.Trainer, lines.Comparison)

UNSUPPORTED = "unsupported"

STATE_OF: dict[Agreement, State] = {
    Agreement.DIFFER: State.DIFFER,
    Agreement.TIE: State.ACCEPTABLE,
    Agreement.AGREE: State.AGREE,
    Agreement.NOT_SHOWN: State.UNSUPPORTED,
}
"""The state of a level; the algorithm allows both sides of a tie."""

LEARNT: dict[Agreement, str] = {
    Agreement.DIFFER: "otherwise",
    Agreement.TIE: "the same but for ties",
    Agreement.AGREE: "the same",
}
"""What is said of a trainer, the gravest first."""

MOST_MOVED = 8
"""How many tokens with another id are told."""


ALGORITHMS = Wording(
    ("algorithm", "algorithms"),
    {
        **ON_TOKENIZERS.verbs,
        Result.NO_ANSWER: ("gives no model by {}", "give no model by {}"),
        Result.UNSTABLE: ("learns otherwise when trained again on {}", "learn otherwise when trained again on {}"),
        Result.NOT_SHOWN: ("does not train {}", "do not train {}"),
    },
)
"""What is said of trainers."""


class TrainingReader(PageReader[lines.Header]):
    """Reads the record of training."""

    def __init__(self, name: str, header: lines.Header) -> None:
        super().__init__(name, header)
        self._baseline = header.baseline
        self._trainers = {each.name: each for each in header.trainers}
        words = header.environment.command
        self._repeat = shlex.join(without_reports(words)) if words[:2] == ("tokconf", "train") else ""
        self._missing: list[str] = []
        self._words: dict[str, lines.Words] = {}
        self._judged: dict[tuple[str, str], lines.Trainer] = {}
        self._compared: dict[tuple[str, str], lines.Comparison] = {}
        self._ended: dict[str, lines.AlgorithmLine] = {}
        self._footer: lines.Footer | None = None

    def take(self, line: Value) -> None:
        """Take in a ``line``."""
        match line:
            case lines.ImplementationMissing():
                self._missing.append(line.name)
                self.complaints.append(line.reason)
            case lines.Words():
                self._words[self._known(line.trainer)] = line
            case lines.Trainer():
                _add(self._judged, (line.algorithm, self._known(line.trainer)), line)
            case lines.Comparison():
                self._known(line.first)
                _add(self._compared, (line.algorithm, self._known(line.second)), line)
            case lines.AlgorithmLine():
                self._ended[line.algorithm] = line
            case lines.Footer():
                self._footer = line

    def _known(self, name: str) -> str:
        if name not in self._trainers:
            raise ValueError(f"{name!r} is no trainer of the header")
        return name

    def page(self, ended: Ended) -> Page:
        """Return the page of the training."""
        header = self._header
        findings = tuple(self._findings())
        outcomes = Outcomes(tuple(self._outcomes()), ALGORITHMS)
        return Page(
            name=self._name,
            kind="training",
            title=self._title(),
            state=page_state(ended, outcomes=outcomes),
            conclusion=self._headline(ended.conclusion),
            summary=_summary(self._footer),
            headline=outcomes.headline(ended),
            outcomes=outcomes,
            sentences=(*said_once(self._sentences()), *plain(self._unfinished())),
            facts=(*environment_facts(header.environment), *self._facts()),
            compared=tuple(self._sides()),
            complaints=(*ended.complaints, *self.complaints),
            matrices=tuple(self._matrices()),
            headlines=headlines_of(findings),
            findings=findings,
            counted="words",
            sections=tuple(self._sections()),
        )

    def _title(self) -> str:
        header = self._header
        corpus = few([PurePath(each.name).name for each in header.corpus], "file")
        trainers = few(list(self._trainers), "implementation")
        return f"Training on {corpus} by {few(list(header.options), 'algorithm')}: {trainers}"

    def _outcomes(self) -> Iterator[Outcome]:
        """Yield what each trainer came to in each algorithm; the baseline is compared with the rules alone."""
        for algorithm, name in self._judged:
            cells = list(self._cells(algorithm, name))
            if name != self._baseline or any(CELL_RESULTS[each.state] in DIFFERING for each in cells):
                yield outcome_of(name, algorithm, cells)
        yield from (Outcome(name, "", Result.UNAVAILABLE) for name in self._missing)

    def _sides(self) -> Iterator[Compared]:
        for each in sorted(self._trainers.values(), key=lambda each: each.name != self._baseline):
            role = "baseline" if each.name == self._baseline else "compared"
            yield Compared(each.name, each.version, role, each.language)

    # What is said first

    def _headline(self, conclusion: Conclusion) -> str:
        """Say in a sentence which trainers learn what the baseline learns, where that is what the command came to."""
        if conclusion not in (Conclusion.CONFORM, Conclusion.DIFFERENCES):
            return conclusion.value
        found: dict[Agreement, list[str]] = {}
        for name in self._trainers:
            seen = [Agreement(each.agreement) for (_, second), each in self._compared.items() if second == name]
            if seen:
                found.setdefault(min(seen, key=list(STATE_OF).index), []).append(name)
        told = [
            who(found[agreement], f"learns {how}", f"learn {how}")
            for agreement, how in LEARNT.items()
            if agreement in found
        ]
        other = [name for name, words in self._words.items() if words.differing]
        told += [who(other, "counts other words", "count other words")] if other else []
        return f"beside {self._baseline}, {'; '.join(told)}" if told else conclusion.value

    def _facts(self) -> Iterator[Fact]:
        header = self._header
        for each in header.corpus:
            told = f"{each.bytes:,} bytes, SHA-256 {each.sha256[:16]}…"
            yield Fact("corpus", f"{each.name} ({told})")
        words = header.words
        told = f"{counted(words.total, 'word')} of {words.kinds:,} kinds"
        yield Fact("words", f"{told}, cut by {header.pre_tokenizer}, counted by {words.counter}")
        yield Fact("trainings", counted(header.repeat, "run"))
        for name, options in header.options.items():
            yield Fact(name, options_line(TrainingOptions(**msgspec.structs.asdict(options))))

    def _sentences(self) -> Iterator[tuple[str, str]]:
        for name in self._trainers:
            told = [
                f"{algorithm}: {each.agreement}"
                for (algorithm, second), each in self._compared.items()
                if second == name
            ]
            failed = [
                algorithm for (algorithm, trainer), each in self._judged.items() if trainer == name and _failures(each)
            ]
            told += [f"{algorithm}: gave no model" for algorithm in failed]
            told += [
                f"{algorithm}: unsupported: {each.no_answers[0].detail}"
                for (algorithm, trainer), each in self._judged.items()
                if trainer == name and each.no_answers and not each.answers and not _failures(each)
            ]
            if told:
                yield name, f"{', '.join(told)}."
            elif name != self._baseline:
                yield name, "nothing was compared."
        for name, words in self._words.items():
            if words.no_answer is not None:
                yield name, f"does not show its words: {words.no_answer.verdict}: {words.no_answer.detail}."
            elif not words.differing:
                yield name, "the same words of the corpus."

    def _unfinished(self) -> Iterator[str]:
        for algorithm in self._header.options:
            ended = self._ended.get(algorithm)
            if ended is None or not ended.complete:
                yield f"Training of {algorithm} did not finish."

    # Findings

    def _findings(self) -> Iterator[ShownFinding]:
        for (algorithm, name), line in self._compared.items():
            if line.blamed is not None:
                yield _difference(algorithm, name, line, self._repeat)
        for (algorithm, name), judged in self._judged.items():
            given = (algorithm, name, judged)
            found = (*_failure(*given), *_against_rules(*given), *_not_repeated(*given))
            yield from (replace(each, repeat=self._repeat) for each in found)
        for name, words in self._words.items():
            yield from self._other_words(name, words)

    def _other_words(self, name: str, line: lines.Words) -> Iterator[ShownFinding]:
        if not line.differing or line.example is None:
            return
        example = line.example
        word = example.word
        yield ShownFinding(
            id=f"words/{name}",
            group="findings",
            headline="cuts the corpus into other words",
            implementation=name,
            stage="words",
            reason="words",
            count=line.differing,
            impact=f"{line.differing:,} of {line.kinds:,} kinds of words",
            subjects=(Subject("word", word, length=len(word)),),
            answers=tuple(
                Answer(side, text=times(count))
                for side, count in zip((self._header.words.counter, name), (example.first, example.second), strict=True)
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
        answers, failures = line.answers, _failures(line)
        if failures:
            yield Cell(State.ERROR, f"{len(failures):,} failed", failures[0].detail, of | {"stage": "training"})
        elif answers:
            yield Cell(State.AGREE, counted(sum(len(each.runs) for each in answers), "run"))
        else:
            reasons = [each.detail for each in line.no_answers]
            yield Cell(State.UNSUPPORTED, "unsupported", reasons[0] if reasons else "")
        illegal = [each for each in answers if not each.judgement.is_legal]
        if not answers:
            yield Cell(State.NOT_COMPARED, "nothing")
            yield Cell(State.NOT_COMPARED, "nothing")
        else:
            yield Cell(State.DIFFER, "broken", of=of | {"stage": "rules"}) if illegal else Cell(State.AGREE, "kept")
            yield _repeated_cell(answers, of)
        compared = self._compared.get((algorithm, name))
        found = {} if compared is None else {str(each.level): each for each in compared.levels}
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
            for each in line.answers:
                learned, coverage, judgement = each.learned, each.coverage, each.judgement
                rows.append(
                    (
                        algorithm,
                        name,
                        len(each.runs),
                        learned.tokens,
                        learned.merges,
                        "yes" if judgement.is_legal else "no",
                        judgement.tied,
                        coverage.tokens,
                        coverage.unknown,
                        learned.seconds,
                        learned.peak_memory,
                        learned.sha256[:12],
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
            effect = line.effect
            rows.append(
                (
                    algorithm,
                    name,
                    line.agreement,
                    line.blamed,
                    line.shared,
                    line.only_first.count,
                    line.only_second.count,
                    line.moved.count,
                    effect.differing_words,
                    effect.words,
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
            overlaps = line.overlaps
            names = tuple(dict.fromkeys(name for each in overlaps for name in (each.first, each.second)))
            if len(names) > 1:
                known = {(each.first, each.second): _share(each) for each in overlaps}
                shares = tuple(
                    tuple(1.0 if one == other else known.get((one, other), known.get((other, one))) for other in names)
                    for one in names
                )
                yield Drawing(
                    HeatMap(f"{algorithm}: shared tokens", names, shares),
                    "Share of the tokens of two vocabularies, taken together, that both have.",
                )
        algorithms = tuple(dict.fromkeys(algorithm for algorithm, _ in self._compared))
        touched = {key: line.effect.differing_words for key, line in self._compared.items()}
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


def _add(known: dict[tuple[str, str], L], key: tuple[str, str], line: L) -> None:
    if key in known:
        raise ValueError(f"{key[1]!r} stands there twice for {key[0]}")
    known[key] = line


def _failures(line: lines.Trainer) -> list[lines.FailedRun]:
    """Return the runs without a model that are failures; a trainer may well not have an algorithm."""
    return [each for each in line.no_answers if each.verdict != UNSUPPORTED]


def _share(overlap: lines.Overlap) -> float | None:
    total = overlap.shared + overlap.only_first + overlap.only_second
    return overlap.shared / total if total else None


# Cells ---------------------------------------------------------------------------------------------------------------


def _level_cell(level: lines.LevelOfComparison, of: dict[str, str]) -> Cell:
    agreement = Agreement(level.agreement)
    state, differing, compared = STATE_OF[agreement], level.differing, level.compared
    if agreement is Agreement.NOT_SHOWN:
        return Cell(state, str(agreement))
    if agreement is Agreement.AGREE:
        return Cell(state, f"{compared:,}")
    return Cell(state, f"{differing:,} of {compared:,}", str(agreement), of)


def _repeated_cell(answers: Sequence[lines.Answer], of: dict[str, str]) -> Cell:
    runs = sum(len(each.runs) for each in answers)
    if len(answers) > 1:
        state = State.ACCEPTABLE if _are_ties(answers) else State.UNSTABLE
        return Cell(state, counted(len(answers), "model"), f"of {runs:,} runs", of | {"stage": "repeated"})
    return Cell(State.AGREE, f"{runs:,} the same") if runs > 1 else Cell(State.NOT_COMPARED, "once")


def _are_ties(answers: Sequence[lines.Answer]) -> bool:
    """Return whether all models of a trainer differ only where the algorithm allows it."""
    others = (each.against_first for each in answers if each.against_first is not None)
    return all(each.agreement != "differ" for each in others)


# Findings ------------------------------------------------------------------------------------------------------------


def _difference(algorithm: str, name: str, line: lines.Comparison, repeat: str) -> ShownFinding:
    """Return the finding that a trainer and the baseline have learned something else."""
    first, effect = line.first, line.effect
    is_tie = Agreement(line.agreement) is Agreement.TIE
    levels = {Agreement(each.agreement): each for each in reversed(line.levels)}
    # What ties explain is no difference: of the levels that are not the same, the first one that they do not decides.
    level = levels[Agreement.TIE if is_tie else Agreement.DIFFER]
    what = f"{level.differing:,} of {level.compared:,} {level.level}"
    words, differing = effect.words, effect.differing_words
    return ShownFinding(
        id=f"{algorithm}/{name}",
        group="findings",
        headline=f"{algorithm}: {what} are others than those of {first}{', all of it ties' if is_tie else ''}",
        implementation=name,
        stage=level.level,
        reason=algorithm,
        standing=Novelty.ACCEPTABLE if is_tie else Novelty.NEW,
        count=differing,
        impact=f"{differing:,} of {counted(words, 'word')} ({percent(differing, words)}) split differently",
        subjects=_example_word(effect),
        answers=_example_splits(effect, (first, name)),
        lines=tuple(_difference_lines(line, (first, name), algorithm)),
        explanation=TIE_REASONS[Algorithm(algorithm)] if is_tie else "",
        repeat=repeat,
        facts=(Fact("first level that is not the same", str(line.blamed)),),
    )


def _example_word(effect: lines.Effect) -> tuple[Subject, ...]:
    examples = effect.examples[:1]
    return tuple(Subject("word", each.word, length=len(each.word)) for each in examples)


def _example_splits(effect: lines.Effect, sides: tuple[str, str]) -> tuple[Answer, ...]:
    """Return how both models split the most frequent word that they split differently."""
    for example in effect.examples[:1]:
        one, other = (
            Answer(side, tuple(map(Token, split)), total=len(split))
            for side, split in zip(sides, (example.first, example.second), strict=True)
        )
        return marked(one, other)
    return ()


def _difference_lines(line: lines.ComparisonBody, sides: tuple[str, str], algorithm: str) -> Iterator[str]:
    if line.divergence is not None:
        yield from divergence_lines(line.divergence, sides, Algorithm(algorithm))
    for side, only in zip(sides, (line.only_first, line.only_second), strict=True):
        if only.count:
            yield f"only {side} has {counted(only.count, 'token')}: {listed_tokens(only.entries)}"
    if line.scores is not None:
        scores = line.scores
        yield f"scores: {scores.beyond:,} of {counted(scores.compared, 'piece')} differ"
        for each in scores.largest:
            yield f"  {quoted(each.token)}: {each.first:.9g} and {each.second:.9g}"
    moved = line.moved
    if moved.count:
        yield f"ids: {counted(moved.count, 'token')} of both have another id"
        for token in moved.entries[:MOST_MOVED]:
            yield f"  {quoted(token.token)}: {token.first:,} and {token.second:,}"
    yield f"corpus: {effect_line(line.effect)}"


def _failure(algorithm: str, name: str, line: lines.Trainer) -> Iterator[ShownFinding]:
    failures = _failures(line)
    if failures:
        first = failures[0]
        told = dict.fromkeys(f"{each.verdict}: {each.detail}" for each in failures)
        yield ShownFinding(
            id=f"{algorithm}/{name}/training",
            group="findings",
            headline=f"{algorithm}: gives no model ({first.verdict})",
            implementation=name,
            stage="training",
            reason=algorithm,
            impact=f"{len(failures):,} runs without a model",
            answers=(Answer(name, trouble=f"{first.verdict}: {first.detail}"),),
            lines=tuple(told),
        )


def _against_rules(algorithm: str, name: str, line: lines.Trainer) -> Iterator[ShownFinding]:
    illegal = [each for each in line.answers if not each.judgement.is_legal]
    if illegal:
        yield ShownFinding(
            id=f"{algorithm}/{name}/rules",
            group="findings",
            headline=f"{algorithm}: what was learned does not follow the rules of the algorithm",
            implementation=name,
            stage="rules",
            reason=algorithm,
            impact=counted(len(illegal), "model"),
            lines=tuple(_rule_lines(illegal[0].judgement)),
        )


def _rule_lines(judgement: lines.Judgement) -> Iterator[str]:
    """Say what is exceptional in a model: a merge or a token, a pair that was left, what does not fit."""
    if judgement.first is not None:
        first = judgement.first
        yield ", ".join(f"{key.replace('_', ' ')}: {_shown(each)}" for key, each in json_of(first).items())
    if judgement.left:
        left = judgement.left
        yield f"ended with room, though {pair_words(left.pair)} occurs {times(left.count)}"
    if judgement.stray is not UNSET and judgement.stray.count:
        listed = listed_tokens(judgement.stray.entries)
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


def _not_repeated(algorithm: str, name: str, line: lines.Trainer) -> Iterator[ShownFinding]:
    answers = line.answers
    if len(answers) > 1:
        runs = sum(len(each.runs) for each in answers)
        others = [each.against_first for each in answers if each.against_first is not None]
        is_tie = _are_ties(answers)
        yield ShownFinding(
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


def _summary(footer: lines.Footer | None) -> str:
    if footer is None:
        return CUT_SHORT
    return (
        f"{counted(footer.runs, 'training')}, {counted(footer.comparisons, 'comparison')}, "
        f"{counted(footer.differences, 'difference')}, {counted(footer.ties, 'tie')}"
    )


TRAININGS = RecordedPage("training", lines.FORMAT, TrainingReader)
