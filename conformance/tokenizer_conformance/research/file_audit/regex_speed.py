"""Regexes that take long, or give up, on texts that are made for that.

For each part of a regex that repeats without end there are texts with many of what it takes and something that cannot
follow. The baseline cuts them in a process of its own, with nothing but this regex. Oniguruma ends a search after ten
million steps, which `tokenizers` turns into a panic: a short text that does so shows exponential growth, and needs no
clock. A longer text whose double takes about four times as long shows quadratic growth.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import CannotLoadError, Crashed, Pieces, PreTokenize, TimedOut
from tokenizer_conformance.escape import one_line, quoted
from tokenizer_conformance.inputs.text_generators.regexes import (
    Alternation,
    Characters,
    Literal,
    Node,
    Repeat,
    Sequence,
    UnknownRegexError,
    read_regex,
)
from tokenizer_conformance.research.file_audit.finding import Defect, Finding, Severity, Witness, path_text
from tokenizer_conformance.research.file_audit.patterns import written_regexes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import Outcome
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.research.file_audit.audited import AuditedFile
    from tokenizer_conformance.research.file_audit.patterns import WrittenRegex

GIVES_UP = Defect(
    "regex-gives-up",
    "A regex gives up on a short text",
    Severity.ERROR,
    "It has so many ways to fail that the search is ended after ten million steps, and encoding ends in a panic. "
    "Anybody who may send a text can bring that about.",
    "Leave no repeat directly inside a repeat, or make the inner one possessive.",
)
SLOW = Defect(
    "regex-slow",
    "A regex takes time with the square of a text's length",
    Severity.WARNING,
    "From each place of a long run of characters it looks to the end of the run, and fails there. A text of some "
    "hundred thousand characters, which is no long document, keeps an encoder busy for minutes.",
    "Make the repeat possessive, bound it, or have what follows it be able to follow anything.",
)

DEFECTS = (GIVES_UP, SLOW)

SHORT = 64
"""How often a part is repeated in a text that is to be given up on."""

LENGTHS = (2_000, 4_000, 8_000, 16_000, 32_000, 64_000)
"""How often it is repeated in a text that is to take long."""

NOTICEABLE = 0.5
"""Seconds; what takes less is not taken for slow, whatever its growth."""

GROWTH = 3.0
"""How many times longer a text of twice the length takes that takes quadratic time: four, but for noise."""

MOST_REPEATS = 12
"""Of how many parts of a regex texts are made."""

ENDINGS = ("", "!", "\u2603", "\n", "a", " ")
"""What may not be able to follow."""

PLAIN = "a 0_A\n\t-."
"""Characters that are preferred in texts."""


def check_regex_speed(audited: AuditedFile) -> Iterator[Finding]:
    """Yield the regexes that a text was found for that takes long, or ends in a panic."""
    if audited.measured is None:
        return
    until = time.monotonic() + audited.seconds
    for written in written_regexes(audited):
        try:
            node = read_regex(written.pattern)
            asked = audited.measured.loaded(_cutting(written.pattern), "a regex alone")
        except (UnknownRegexError, RecursionError, CannotLoadError):
            continue  # One that Oniguruma does not know either keeps the file from being loaded.
        if time.monotonic() > until:
            audited.cut_short.append(f"speed of the regex at {path_text(written.path)}")
            continue
        yield from _measured(audited, written, node, asked, until)


def _cutting(pattern: str) -> Json:
    """Return a tokenizer that does nothing but to cut texts with ``pattern``."""
    return {
        "version": "1.0",
        "pre_tokenizer": {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False},
        "model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"},
    }


def _measured(audited: AuditedFile, written: WrittenRegex, node: Node, asked: Asked, until: float) -> Iterator[Finding]:
    pumps = list(dict.fromkeys(_pumps(node)))[:MOST_REPEATS]
    texts = [(before, unit, after) for before, unit in pumps for after in ENDINGS]
    for before, unit, after in texts:
        text = before + unit * SHORT + after
        answer, _ = _timed(asked, text)
        if isinstance(answer, Crashed | TimedOut):
            yield _gives_up(written, asked, (before, unit, after), answer)
            return
    for before, unit, after in texts:
        if time.monotonic() > until:
            audited.cut_short.append(f"speed of the regex at {path_text(written.path)}")
            return
        found = _slow(written, asked, (before, unit, after))
        if found is not None:
            yield found
            return


def _timed(asked: Asked, text: str) -> tuple[Outcome, float]:
    began = time.perf_counter()
    answer = asked.ask(PreTokenize(text))
    return answer, time.perf_counter() - began


def _gives_up(written: WrittenRegex, asked: Asked, parts: tuple[str, str, str], answer: Crashed | TimedOut) -> Finding:
    """Return the finding, with the shortest text of its kind that ends so."""
    before, unit, after = parts
    fewest, times = 1, SHORT
    while fewest < times:
        middle = (fewest + times) // 2
        if isinstance(_timed(asked, before + unit * middle + after)[0], Pieces):
            fewest = middle + 1
        else:
            times = middle
    text = before + unit * times + after
    said = answer.detail if isinstance(answer, Crashed) else f"there is no answer in {answer.seconds:g} s"
    result = f"{quoted(text)}, {len(text)} characters: {one_line(said, 160)}"
    message = f"{quoted(written.pattern[:120])} gives up on {quoted(unit)} repeated"
    return Finding(GIVES_UP, written.path, message, witness=Witness(result, text))


def _slow(written: WrittenRegex, asked: Asked, parts: tuple[str, str, str]) -> Finding | None:
    before, unit, after = parts
    earlier = 0.0
    for times in LENGTHS:
        text = before + unit * times + after
        answer, seconds = _timed(asked, text)
        is_lost = isinstance(answer, Crashed | TimedOut)
        if seconds < NOTICEABLE and not is_lost:
            earlier = seconds
            continue
        # What took long once may have waited for the machine: the shorter of two times counts.
        seconds = seconds if is_lost else min(seconds, _timed(asked, text)[1])
        earlier = min(earlier, _timed(asked, before + unit * (times // 2) + after)[1])
        if seconds < NOTICEABLE or seconds < GROWTH * earlier:
            return None
        took = "has no answer" if is_lost else f"takes {seconds:.1f} s"
        result = f"{quoted(unit)} {times:,} times, then {quoted(after)}, {took}; half of that takes {earlier:.1f} s"
        message = f"{quoted(written.pattern[:120])} is slow on {quoted(unit)} repeated"
        return Finding(SLOW, written.path, message, witness=Witness(result, text))
    return None


# Texts ---------------------------------------------------------------------------------------------------------------


def _pumps(node: Node, before: str = "") -> Iterator[tuple[str, str]]:
    """Yield, for each part that is repeated without end, a text that leads to it and one that it takes."""
    match node:
        case Sequence(parts):
            for part in parts:
                yield from _pumps(part, before)
                before += _sample(part)
        case Alternation(branches):
            for branch in branches:
                yield from _pumps(branch, before)
        case Repeat(part, _, most):
            if most is None:
                for unit in _units(part):
                    yield "", unit
                    if before:
                        yield before, unit
            yield from _pumps(part, before)


def _units(node: Node) -> Iterator[str]:
    """Yield texts that ``node`` takes: of each branch the first."""
    match node:
        case Alternation(branches):
            for branch in branches:
                yield from _units(branch)
        case _:
            sample = _sample(node, optional=False)
            if sample:
                yield sample


def _sample(node: Node, *, optional: bool = True) -> str:
    """Return a text that ``node`` takes; what need not be there is left out, unless ``optional`` is false."""
    match node:
        case Literal(character):
            return character
        case Characters(ranges):
            return _character(ranges)
        case Sequence(parts):
            whole = "".join(map(_sample, parts))
            return whole or ("" if optional else "".join(_sample(part, optional=False) for part in parts))
        case Alternation(branches):
            return _sample(branches[0])
        case Repeat(part, least):
            return _sample(part) * min(least, 3) or ("" if optional else _sample(part, optional=False))


def _character(ranges: tuple[tuple[int, int], ...]) -> str:
    for character in PLAIN:
        if any(first <= ord(character) <= last for first, last in ranges):
            return character
    return chr(ranges[0][0]) if ranges else ""
