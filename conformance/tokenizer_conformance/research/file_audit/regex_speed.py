"""Regexes that take long, or give up, on texts that are made for that.

For each part of a regex that repeats without end there are texts with many of what it takes and something that cannot
follow. The baseline cuts them in a process of its own, with nothing but this regex. Oniguruma ends a search after ten
million steps, which `tokenizers` turns into a panic: a short text that does so shows exponential growth, and needs no
clock. A longer text whose double takes about four times as long shows quadratic growth.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import CannotLoadError, Crashed, Pieces, PreTokenize, TimedOut
from tokenizer_conformance.comparison.document_parts import path_text
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
from tokenizer_conformance.research.file_audit.audited import CutShort
from tokenizer_conformance.research.file_audit.finding import Defect, FoundDefect, Severity, Witness
from tokenizer_conformance.research.file_audit.vocabulary.components import document_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenizer_adapters.contract import Outcome
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.research.file_audit.audited import AuditedFile

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


def check_regex_speed(audited: AuditedFile) -> Iterator[FoundDefect]:
    """Yield the regexes that a text was found for that takes long, or ends in a panic."""
    if audited.measured is None:
        return
    for path, pattern in audited.regexes():
        try:
            pumps = _pumps(read_regex(pattern))
            split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
            asked = audited.measured.loaded(document_of(pre_tokenizer=split), "a regex alone")
        except (UnknownRegexError, RecursionError, CannotLoadError):
            continue  # One that Oniguruma does not know either keeps the file from being loaded.
        try:
            found = _found(pumps, asked, audited.until)
        except TimeoutError:
            audited.cut_short.append(CutShort(f"speed of the regex at {path_text(path)}"))
            continue
        if found is not None:
            defect, does, witness = found
            yield FoundDefect(defect, path, f"{quoted(pattern[:120])} {does} repeated", witness=witness)


_Found = tuple[Defect, str, Witness]
"""What was found about a regex, and what it does on which texts."""


@dataclass(frozen=True, slots=True)
class _Texts:
    """Texts with ``unit`` again and again between ``before`` and ``after``, which are asked about."""

    asked: Asked
    before: str
    unit: str
    after: str

    def text(self, times: int) -> str:
        return self.before + self.unit * times + self.after

    def answer(self, times: int) -> Outcome:
        return self.asked.ask(PreTokenize(self.text(times)))

    def seconds(self, times: int) -> float:
        began = time.perf_counter()
        self.answer(times)
        return time.perf_counter() - began


def _found(pumps: Iterable[tuple[str, str]], asked: Asked, until: float) -> _Found | None:
    """Return what takes long or ends in a panic. Raises ``TimeoutError`` where the time was over before."""
    _go_on(until)
    few = list(dict.fromkeys(pumps))[:MOST_REPEATS]
    texts = [_Texts(asked, before, unit, after) for before, unit in few for after in ENDINGS]
    for each in texts:
        answer = each.answer(SHORT)
        if isinstance(answer, Crashed | TimedOut):
            return _gives_up(each, answer)
    for each in texts:
        _go_on(until)
        if (found := _slow(each)) is not None:
            return found
    return None


def _go_on(until: float) -> None:
    if time.monotonic() > until:
        raise TimeoutError


def _gives_up(texts: _Texts, answer: Crashed | TimedOut) -> _Found:
    """Return the finding, with the shortest text of its kind that ends so."""
    times = 1 + bisect_left(range(1, SHORT), True, key=lambda each: not isinstance(texts.answer(each), Pieces))
    text = texts.text(times)
    said = answer.detail if isinstance(answer, Crashed) else f"there is no answer in {answer.seconds:g} s"
    result = f"{quoted(text)}, {len(text)} characters: {one_line(said, 160)}"
    return GIVES_UP, f"gives up on {quoted(texts.unit)}", Witness(result, text)


def _slow(texts: _Texts) -> _Found | None:
    earlier = 0.0
    for times in LENGTHS:
        began = time.perf_counter()
        is_lost = isinstance(texts.answer(times), Crashed | TimedOut)
        seconds = time.perf_counter() - began
        if seconds < NOTICEABLE and not is_lost:
            earlier = seconds
            continue
        # What took long once may have waited for the machine: the shorter of two times counts.
        seconds = seconds if is_lost else min(seconds, texts.seconds(times))
        earlier = min(earlier, texts.seconds(times // 2))
        if seconds < NOTICEABLE or seconds < GROWTH * earlier:
            return None
        took = "has no answer" if is_lost else f"takes {seconds:.1f} s"
        unit, after = quoted(texts.unit), quoted(texts.after)
        result = f"{unit} {times:,} times, then {after}, {took}; half of that takes {earlier:.1f} s"
        return SLOW, f"is slow on {unit}", Witness(result, texts.text(times))
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
