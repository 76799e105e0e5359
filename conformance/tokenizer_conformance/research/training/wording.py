"""The words in which the reports on training tell results; terminal and Markdown share them.

All text that comes from corpora, trainers and models is escaped here.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import BrokeProtocol, Crashed, Failed, TimedOut, Unsupported
from tokenizer_conformance.escape import one_line, quoted
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.training.comparison import Agreement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_adapters.contract import WithoutValue
    from tokenizer_adapters.training import TrainingOptions
    from tokenizer_conformance.research.training.comparison import LevelResult
    from tokenizer_conformance.research.training.effect import Effect
    from tokenizer_conformance.research.training.pair_counts import Pair

LISTED_TOKENS = 12

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


# Against the baseline ------------------------------------------------------------------------------------------------


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
