"""How the model arrives at its tokens, word by word, for people."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from tokenizer_adapters.tracing import (
    BpeSteps,
    NotShown,
    SymbolKind,
    UnigramPaths,
    WordLookup,
    WordPieceMatches,
)
from tokenizer_conformance.causes.explain.plan import around
from tokenizer_conformance.causes.explain.section import MORE, Section, shortened, span_words, tokens_words
from tokenizer_conformance.command_io.visible import visible
from tokenizer_conformance.command_io.wrapping import cut, wrapped
from tokenizer_conformance.comparison.wording import aligned
from tokenizer_conformance.escape import one_line, quoted
from tokenizer_conformance.plural import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_adapters.tracing import (
        LatticePiece,
        Match,
        MergeStep,
        Neighbours,
        Path,
        Symbol,
        Trace,
        Word,
        WordSteps,
    )
    from tokenizer_conformance.causes.explain.plan import Limits

LONGEST_STATE = 32
"""How many cells the tokens of a word take beside a merge."""

SHOWN_OTHERS = 2
"""How many of the pairs that lost are shown of each step, the best first."""

SHOWN_TRIES = 4
"""How many of the pieces that were tried in vain are shown, from the longest down."""


def model_section(trace: Trace, number: int, focus: int, limits: Limits, width: int) -> Section:
    """Return how the words of text ``number`` become tokens; of many words those around ``focus``."""
    way = trace.texts[number]
    seen: set[str] = set()
    distinct = [word for word in way.words if word.steps is not None and _is_new(word.piece.text, seen)]
    at = next((place for place, word in enumerate(distinct) if focus < word.piece.span[1]), 0)
    start, end = around(at, len(distinct), limits.words)
    lines = [line for word in distinct[start:end] for line in _word_lines(word, limits, width)]
    if (start, end) != (0, len(distinct)):
        lines.append(f"  shown are words {start + 1:,} to {end:,} of {len(distinct):,} different ones {MORE}")
    title = "model of the pair" if number else "model"
    return Section(title, tuple(lines or ["  no word reaches it"]))


def _is_new(word: str, seen: set[str]) -> bool:
    if word in seen:
        return False
    seen.add(word)
    return True


def _word_lines(word: Word, limits: Limits, width: int) -> list[str]:
    head = f"  {span_words(word.piece.span)} {quoted(word.piece.text)} -> {tokens_words(word.tokens) or 'no token'}"
    told = [] if word.steps is None else _steps_lines(word.steps, limits)
    return [*wrapped(head, width, 6), *(line for each in told for line in wrapped(f"    {each}".rstrip(), width, 8))]


def _steps_lines(steps: WordSteps, limits: Limits) -> list[str]:
    match steps:
        case NotShown(reason):
            return [f"not shown step by step: {one_line(reason)} {MORE if 'random' not in reason else ''}"]
        case BpeSteps():
            return _bpe_lines(steps, limits)
        case UnigramPaths():
            return _unigram_lines(steps, limits)
        case WordPieceMatches():
            return _wordpiece_lines(steps)
        case WordLookup(why_unknown=why):
            return ["it is in the vocabulary" if why is None else f"unknown: {why}"]


# BPE -----------------------------------------------------------------------------------------------------------------


def _bpe_lines(steps: BpeSteps, limits: Limits) -> list[str]:
    if steps.is_whole:
        return ["the vocabulary has it whole, and ignore_merges is on: nothing is merged"]
    lines = shortened(
        [_symbol_words(each) for each in steps.symbols if each.kind is not SymbolKind.VOCABULARY],
        limits.entries,
        "characters",
    )
    if not steps.merges:
        return [*lines, "no merge applies"]
    tokens = list(steps.start)
    rows = [["starts as", "", cut(tokens_words(tokens[:LONGEST_STATE]), LONGEST_STATE), ""]]
    for step in steps.merges:
        at = step.won.position
        tokens[at : at + 2] = [step.result]
        rows.append([f"rank {step.won.rank}", _pair(step.won), _state(tokens, at), _lost(step)])
    return [*lines, *shortened(aligned(rows), limits.entries, "steps")]


def _state(tokens: Sequence[str], at: int) -> str:
    """Return the tokens after a merge, those around it where they are many."""
    shown = tokens_words(tokens) if len(tokens) <= LONGEST_STATE else ""
    if shown and len(shown) <= LONGEST_STATE:
        return shown
    start = max(0, at - 3)
    return cut(f"{'… ' if start else ''}{tokens_words(tokens[start : at + 8])}", LONGEST_STATE)


def _pair(pair: Neighbours) -> str:
    return f"{visible(pair.left)}+{visible(pair.right)}"


def _lost(step: MergeStep) -> str:
    if not step.many:
        return ""
    others = ", ".join(f"{_pair(each)} {each.rank}" for each in step.others[:SHOWN_OTHERS])
    more = f", {step.many - SHOWN_OTHERS} more" if step.many > SHOWN_OTHERS else ""
    return f"over {others}{more}"


def _symbol_words(symbol: Symbol) -> str:
    start = f"{visible(symbol.text)} is not in the vocabulary:"
    match symbol.kind:
        case SymbolKind.BYTES:
            return f"{start} its bytes, {tokens_words(symbol.tokens)}"
        case SymbolKind.UNKNOWN:
            return f"{start} the unknown token, {tokens_words(symbol.tokens)}"
        case _:
            return f"{start} dropped, since there is no unknown token"


# Unigram -------------------------------------------------------------------------------------------------------------


def _unigram_lines(paths: UnigramPaths, limits: Limits) -> list[str]:
    starting: dict[int, list[LatticePiece]] = {}
    for piece in paths.lattice:
        starting.setdefault(piece.start, []).append(piece)
    lattice = [
        f"at {start}  {'  '.join(map(_lattice_piece, sorted(pieces, key=lambda each: -each.score)))}"
        for start, pieces in starting.items()
    ]
    return [*shortened(lattice, limits.entries, "positions"), *_paths_lines(paths)]


def _lattice_piece(piece: LatticePiece) -> str:
    return f"{visible(piece.text)} {piece.score:.6g}{' (unknown)' if piece.is_unknown else ''}"


def _paths_lines(paths: UnigramPaths) -> list[str]:
    if paths.best is None:
        return ["a score is not finite: there is no exact sum"]
    lines = [f"best    {_path_words(paths.text, paths.best)}"]
    if paths.second is None or paths.margin is None:
        return [*lines, "there is no other path"]
    lines.append(f"second  {_path_words(paths.text, paths.second)}")
    margin = paths.margin
    if margin == 0:
        return [*lines, "a tie: the exact sums are equal; the path stays that was found first from the left"]
    words = f"margin  {float(margin):.9g} (exact {margin})"
    return [*lines, words if margin > 0 else f"{words}: rounding has decided, the exact sum of the other is higher"]


def _path_words(text: str, path: Path) -> str:
    pieces = " ".join(visible(text[start:end]) for start, end in pairwise(path.cuts))
    return f"{path.rounded:.9g}  {pieces}"


# WordPiece -----------------------------------------------------------------------------------------------------------


def _wordpiece_lines(found: WordPieceMatches) -> list[str]:
    lines = [_match_words(match) for match in found.matches]
    if found.why_unknown is None:
        return lines
    size = f" ({len(found.word):,}, and {found.limit:,} are allowed)" if not found.matches else ""
    return [*lines, f"the whole word is unknown: {found.why_unknown}{size}"]


def _match_words(match: Match) -> str:
    in_vain = match.tried if match.token is None else match.tried[:-1]
    shown = ", ".join(map(visible, in_vain[:SHOWN_TRIES]))
    more = f" and {len(in_vain) - SHOWN_TRIES} shorter" if len(in_vain) > SHOWN_TRIES else ""
    vain = f"; not {shown}{more}" if in_vain else ""
    if match.token is None:
        return f"at {match.start}  nothing fits: {counted(len(in_vain), 'piece')} tried{vain}"
    return f"at {match.start}  {visible(match.token)}{vain}"
