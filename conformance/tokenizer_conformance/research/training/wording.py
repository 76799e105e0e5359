"""The words in which the reports on training tell results; terminal and Markdown share them.

All text that comes from corpora, trainers and models is escaped here.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import BrokeProtocol, Crashed, Failed, TimedOut, Unsupported
from tokenizer_adapters.training import Algorithm
from tokenizer_conformance.escape import one_line, quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.training.comparison import LEVELS, Agreement
from tokenizer_conformance.research.training.merge_replay import MergeReplay

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokenizer_adapters.contract import WithoutValue
    from tokenizer_adapters.training import TrainingOptions
    from tokenizer_conformance.research.training.comparison import Judgement, LevelResult
    from tokenizer_conformance.research.training.effect import Effect
    from tokenizer_conformance.research.training.events import (
        AlgorithmFinished,
        CorpusWords,
        Overlap,
        TrainerCompared,
        TrainerJudged,
        TrainingFinished,
        WordsCompared,
    )
    from tokenizer_conformance.research.training.merge_replay import Exceptional
    from tokenizer_conformance.research.training.order import OutOfOrder
    from tokenizer_conformance.research.training.pair_counts import Pair

LISTED_TOKENS = 12
MEGABYTE = 10**6

AGREEMENT_WORDS: dict[Agreement, str] = {
    Agreement.AGREE: "agree",
    Agreement.TIE: "tie",
    Agreement.DIFFER: "DIFFER",
    Agreement.NOT_SHOWN: "not shown",
}


# What both parts use --------------------------------------------------------------------------------------------------


def pair_words(pair: Pair) -> str:
    """Return a pair of tokens, quoted."""
    return f"{quoted(pair[0])} + {quoted(pair[1])}"


def times(count: int) -> str:
    """Say how often something occurs."""
    return "once" if count == 1 else f"{count:,} times"


def listed_tokens(tokens: Sequence[str]) -> str:
    """Return the first of ``tokens``, quoted."""
    more = " …" if len(tokens) > LISTED_TOKENS else ""
    return " ".join(map(quoted, tokens[:LISTED_TOKENS])) + more


def effect_line(effect: Effect) -> str:
    """Say how two sides split the words of the corpus."""
    words = max(1, effect.words)
    return (
        f"{effect.differing_words:,} of {counted(effect.words, 'word')} "
        f"({percent(effect.differing_words, effect.words)}) split differently, {effect.differing_kinds:,} of "
        f"{effect.kinds:,} kinds; "
        f"{effect.first_tokens / words:.4f} and {effect.second_tokens / words:.4f} tokens per word"
    )


def percent(part: int, whole: int) -> str:
    """Return a part in percent; what is not nothing does not look like nothing.

    >>> percent(1, 3), percent(0, 3), percent(1, 10**6)
    ('33.33 %', '0 %', 'below 0.01 %')
    """
    share = 100 * part / max(1, whole)
    if 0 < share < 0.01:
        return "below 0.01 %"
    return f"{share:.2f} %" if part else "0 %"


# The head ------------------------------------------------------------------------------------------------------------


def words_line(words: CorpusWords, pre_tokenizer: str) -> str:
    """Say what is learned from."""
    return (
        f"{pre_tokenizer}, counted by {one_line(words.counter)}: "
        f"{counted(words.total, 'word')} of {words.kinds:,} kinds, "
        f"{counted(words.characters, 'character')}"
    )


def options_line(options: TrainingOptions) -> str:
    """Name the options that have another value than the default.

    >>> from tokenizer_adapters.training import TrainingOptions
    >>> options_line(TrainingOptions(vocab_size=1000, special_tokens=("<s>", "</s>")))
    'vocabulary 1,000, special_tokens "<s>" "</s>"'
    """
    changed = options.changed()
    parts = [f"vocabulary {options.vocab_size:,}"]
    for field in fields(options):
        if field.name in changed:
            value = getattr(options, field.name)
            shown = " ".join(map(quoted, value)) if isinstance(value, tuple) else _value(value)
            parts.append(f"{field.name} {shown}")
    return ", ".join(parts)


def _value(value: object) -> str:
    return quoted(value) if isinstance(value, str) else str(value)


def words_compared_line(event: WordsCompared) -> str:
    """Say whether a trainer cuts the corpus into the words that all is compared on."""
    name = one_line(event.trainer)
    if event.no_answer is not None:
        return f"{name}: the words are not known: {no_answer(event.no_answer)}"
    if event.example is None:
        return f"{name}: cuts the corpus into the same words"
    example = event.example
    return (
        f"{name}: DIFFER in words: {event.differing:,} kinds have other counts; "
        f"the most frequent is {quoted(example.word)}, "
        f"{example.first:,} and {example.second:,} times"
    )


def no_answer(outcome: WithoutValue) -> str:
    """Say why there is no answer."""
    match outcome:
        case Unsupported(reason):
            return f"unsupported: {one_line(reason)}"
        case Failed(kind, message):
            return f"ERROR: {one_line(kind, 60)}: {one_line(message)}"
        case Crashed(detail):
            return f"CRASH: {one_line(detail)}"
        case TimedOut(seconds):
            return f"TIMEOUT: no answer within {seconds:g} s"
        case BrokeProtocol(detail):
            return f"PROTOCOL: {one_line(detail)}"


# What was learned ----------------------------------------------------------------------------------------------------


def learned_headers(algorithm: Algorithm) -> list[str]:
    """Return the headers of the table of trainers."""
    judged = "most frequent" if algorithm in (Algorithm.BPE, Algorithm.WORDPIECE) else "in order"
    return ["trainer", "runs", "answers", "tokens", judged, "ties", "tokens/word", "unknown", "seconds", "memory"]


def learned_row(event: TrainerJudged, words: int) -> list[str]:
    """Return the row of a trainer: its first answer, and how many different ones there are."""
    runs = sum(len(answer.runs) for answer in event.answers) + len(event.no_answers)
    if not event.answers:
        return [one_line(event.trainer), str(runs), "0", *[""] * 7]
    first = event.answers[0]
    return [
        one_line(event.trainer),
        str(runs),
        str(len(event.answers)),
        f"{first.summary.tokens:,}",
        *_judgement_cells(first.judgement),
        f"{first.coverage.tokens / max(1, words):.4f}",
        f"{first.coverage.unknown:,}",
        "" if event.seconds is None else f"{event.seconds:.2f}",
        "" if event.peak_memory is None else f"{event.peak_memory / MEGABYTE:.0f} MB",
    ]


def _judgement_cells(judgement: Judgement) -> list[str]:
    if isinstance(judgement, MergeReplay):
        ties = f"{judgement.tied:,}"
        if judgement.tied:
            ties += f" ({judgement.lowest_ids:,} by lowest ids)"
        return [f"{judgement.most_frequent:,} of {judgement.steps:,}", ties]
    return ["yes" if judgement.is_legal else "NO", f"{judgement.tied:,}"]


def learned_notes(event: TrainerJudged) -> list[str]:
    """Return what there is to say about a trainer beside the table: answers that are none, and unexpected merges."""
    name = one_line(event.trainer)
    by_reason: dict[str, list[int]] = {}
    for run, outcome in event.no_answers.items():
        by_reason.setdefault(no_answer(outcome), []).append(run)
    lines = [f"{name}: {reason}" for reason in by_reason]
    if event.answers:
        lines += [f"{name}: {line}" for line in _judgement_notes(event.answers[0].judgement)]
    return lines


def _judgement_notes(judgement: Judgement) -> list[str]:
    if not isinstance(judgement, MergeReplay):
        return [] if judgement.first is None else [_out_of_order(judgement.first)]
    lines = [] if judgement.first is None else [_exceptional(judgement.first)]
    if judgement.left is not None:
        lines.append(
            f"ended with room in the vocabulary, though {pair_words(judgement.left.pair)} "
            f"occurs {times(judgement.left.count)}"
        )
    if judgement.stray:
        lines.append(f"merges and vocabulary do not fit: only one of them has {listed_tokens(judgement.stray)}")
    return lines


def _exceptional(found: Exceptional) -> str:
    what = f"merge {found.number + 1:,}"
    if found.pair is None or found.count == 0:
        return f"{what} gives {quoted(found.token)}, which no pair of the corpus gives at that step"
    taken = f"{what} is of {pair_words(found.pair)}, which occurs {times(found.count)}"
    if found.better is None:
        return f"{taken}, less than what was asked for"
    return f"{taken}, though {pair_words(found.better)} occurs {times(found.better_count)}"


def _out_of_order(found: OutOfOrder) -> str:
    if not found.token:
        return f"{quoted(found.greater)} ({found.greater_number:g}) is left out, though there was room"
    return (
        f"{quoted(found.token)} ({found.number:g}) comes before, or in place of, "
        f"{quoted(found.greater)} ({found.greater_number:g})"
    )


def reproducibility(event: TrainerJudged) -> list[str]:
    """Say whether the runs of a trainer have learned the same, and at which level they differ otherwise."""
    runs = sum(len(answer.runs) for answer in event.answers)
    if runs <= 1:
        return []
    name = one_line(event.trainer)
    others = [answer.against_first for answer in event.answers if answer.against_first is not None]
    if not others:
        return [f"{name}: {runs:,} runs, all the same to the last bit"]
    legal = sum(answer.judgement.is_legal for answer in event.answers)
    agreements = [comparison.agreement for comparison in others]
    parts = [
        f"{agreements.count(each):,} {AGREEMENT_WORDS[each]}"
        for each in (Agreement.AGREE, Agreement.TIE, Agreement.DIFFER)
        if each in agreements
    ]
    answers = f"{runs:,} runs, {len(event.answers):,} answers, {legal:,} of them legal"
    line = f"{name}: {answers}; against that of the first run: {', '.join(parts)}"
    worst = max(others, key=lambda each: (list(Agreement).index(each.agreement), each.effect.differing_words))
    cells = (f"{result.level} {level_cell(result)}" for result in worst.levels)
    return [line, f"  the farthest: {', '.join(cells)}; {effect_line(worst.effect)}"]


# Against the baseline ------------------------------------------------------------------------------------------------


def matrix_headers(algorithm: Algorithm, baseline: str) -> list[str]:
    """Return the headers of the matrix."""
    return [f"against {one_line(baseline)}", *LEVELS[algorithm], "shared tokens", "words split differently"]


def matrix_row(event: TrainerCompared) -> list[str]:
    """Return the row of a comparison."""
    comparison = event.comparison
    tokens = comparison.shared + len(comparison.only_first) + len(comparison.only_second)
    effect = comparison.effect
    return [
        one_line(event.second),
        *map(level_cell, comparison.levels),
        f"{comparison.shared:,} of {tokens:,}",
        f"{effect.differing_words:,} of {effect.words:,} ({percent(effect.differing_words, effect.words)})",
    ]


def level_cell(result: LevelResult) -> str:
    """Return the cell of a level.

    >>> from tokenizer_conformance.research.training.comparison import Level, LevelResult
    >>> level_cell(LevelResult(Level.IDS, Agreement.DIFFER, 1000, 2))
    'DIFFER 2 of 1,000'
    """
    match result.agreement:
        case Agreement.NOT_SHOWN:
            return AGREEMENT_WORDS[result.agreement]
        case Agreement.AGREE:
            return f"{AGREEMENT_WORDS[result.agreement]} {result.compared:,}"
    return f"{AGREEMENT_WORDS[result.agreement]} {result.differing:,} of {result.compared:,}"


# The end -------------------------------------------------------------------------------------------------------------


def overlap_table(event: AlgorithmFinished) -> tuple[list[str], list[list[str]]]:
    """Return headers and rows of the table that says how many tokens each two vocabularies share."""
    names = list(dict.fromkeys(name for overlap in event.overlaps for name in (overlap.first, overlap.second)))
    shares: Mapping[tuple[str, str], str] = {
        (one, other): f"{overlap.shared:,} ({percent(overlap.shared, _all_tokens(overlap))})"
        for overlap in event.overlaps
        for one, other in ((overlap.first, overlap.second), (overlap.second, overlap.first))
    }
    rows = [[one_line(one), *(shares.get((one, other), "") for other in names)] for one in names]
    return ["shared tokens", *map(one_line, names)], rows


def _all_tokens(overlap: Overlap) -> int:
    return overlap.shared + overlap.only_first + overlap.only_second


def training_summary(finished: TrainingFinished) -> str:
    """Return the last word on training, without its duration."""
    counts = (
        f"{counted(finished.runs, 'training')}, {counted(finished.comparisons, 'comparison')}, "
        f"{counted(finished.differences, 'difference')}, {counted(finished.ties, 'tie')}"
    )
    if not finished.finished:
        return f"not finished ({finished.conclusion.value}); {counts}"
    return f"{finished.conclusion.value}; {counts}"
