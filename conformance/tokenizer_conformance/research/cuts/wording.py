"""The words in which a comparison of tokenizers is told. All that comes from texts and tokenizers is escaped here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.visible import SPACE, visible_run
from tokenizer_conformance.command_io.wrapping import cut
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.plural import counted
from tokenizer_conformance.research.cuts.experiments import Evidence
from tokenizer_conformance.research.cuts.grid import LEGEND, GridRow, grid
from tokenizer_conformance.research.cuts.kinds import KINDS, Group
from tokenizer_conformance.research.cuts.sides import TRAITS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_conformance.research.cuts.events import ComparisonFinished, CutText, TextCut, TextsFailed
    from tokenizer_conformance.research.cuts.sides import Facts
    from tokenizer_conformance.research.cuts.tally import CountedExample, KindResult, PairResult, Sum

LONGEST_CHARACTERS = 40
LONGEST_TOKENS = 60
"""How many cells the characters, and the tokens of one side, of an example take at most."""

BETWEEN_TOKENS = " | "

MOST_SCRIPTS = 8
"""How many scripts are told of a pair; the record has all."""

KIND_HEADERS = ("kind", "regions", "more", "fewer", "difference", "share")
"""The columns of the table of kinds."""

NUMBERS = frozenset(range(1, len(KIND_HEADERS)))

EVIDENCE_WORDS = {
    Evidence.STAYS: "differs still {changed}",
    Evidence.PROVEN: "alike {changed}",
    Evidence.NOT_ALONE: "not seen out of its text",
    Evidence.SEEN: "",
    Evidence.NOT_TRIED: "not tried",
}


def signed(number: int) -> str:
    """Return ``number`` with its sign.

    >>> signed(1200), signed(-3), signed(0)
    ('+1,200', '-3', '0')
    """
    return f"{number:+,}" if number else "0"


def share(part: int, whole: int) -> str:
    """Return which part of ``whole`` this is, in percent.

    >>> share(1, 8), share(0, 0)
    ('12.5 %', '–')
    """
    return f"{100 * part / whole:.1f} %" if whole else "–"


# Tokenizers ----------------------------------------------------------------------------------------------------------


def facts_words(facts: Facts) -> str:
    """Say what a tokenizer ignores, as was tried, and which id its unknown token has."""
    ignored = [trait.name for trait in TRAITS if trait.name in facts.ignored]
    unknown = "no unknown token" if facts.unknown is None else f"unknown token {facts.unknown}"
    return f"ignores {', '.join(ignored) or 'nothing that was tried'}; {unknown}"


def failure_line(event: TextsFailed) -> str:
    """Say which tokenizer does not cut how many texts, and why."""
    first = f"{counted(event.texts, 'text')} not cut, the first of them {one_line(event.input)}"
    return f"{one_line(event.name)}: {first}: {one_line(event.reason)}"


# One text ------------------------------------------------------------------------------------------------------------


def grid_lines(event: TextCut, width: int) -> Iterator[list[str]]:
    """Yield the blocks of the text with the tokens of all under it, at most ``width`` cells wide."""
    rows = [GridRow(row.name, row.placed, row.differing) for row in event.rows if row.placed is not None]
    if rows and event.text:
        for block in grid(event.text, rows, width):
            yield [line.rstrip() for line in block]


def legend_lines(blocks: Sequence[Sequence[str]]) -> list[str]:
    """Return what the signs mean that the blocks have."""
    shown = "\n".join(line for block in blocks for line in block)
    return [f"{sign} {words}" for sign, look, words in LEGEND if re.search(look, shown)]


def count_rows(event: TextCut) -> list[list[str]]:
    """Return for each tokenizer how many tokens the text has, and how many more than with the first."""
    first = event.rows[0].placed
    rows = []
    for row in event.rows:
        if row.placed is None:
            rows.append([one_line(row.name), "no tokens", one_line(row.reason)])
            continue
        tokens = len(row.placed.tokens)
        more = "" if first is None or row is event.rows[0] else signed(tokens - len(first.tokens))
        rows.append([one_line(row.name), counted(tokens, "token"), "; ".join(filter(None, (more, *_notes(row))))])
    return rows


def _notes(row: CutText) -> Iterator[str]:
    if row.placed is None:
        return
    unknown = sum(token.is_unknown for token in row.placed.tokens)
    if unknown:
        yield f"{unknown:,} unknown"
    if row.differing:
        yield f"{counted(len(row.differing), 'region')} cut otherwise than by the first"


# Pairs ---------------------------------------------------------------------------------------------------------------


def pair_title(result: PairResult) -> str:
    """Name the two tokenizers of a pair."""
    return f"{one_line(result.second)} beside {one_line(result.first)}"


def pair_lines(result: PairResult) -> Iterator[str]:
    """Yield the outcome of a pair in sentences."""
    more = result.difference
    much = f" ({100 * more / result.first_tokens:+.1f} %)" if result.first_tokens and more else ""
    words = f"{counted(abs(more), 'token')} {'more' if more > 0 else 'fewer'}{much}" if more else "as many tokens"
    yield (
        f"{words}: {result.second_tokens:,} beside {result.first_tokens:,}, on "
        f"{counted(result.characters, 'character')} of {counted(result.texts, 'text')}"
    )
    if result.cut_regions:
        gained, lost = (sum(getattr(each.sum, name) for each in result.kinds) for name in ("gained", "lost"))
        inside = sum(each.sum.characters for each in result.kinds if each.kind.group is not Group.OFFSETS)
        yield (
            f"cut differently: {counted(result.cut_regions, 'region')} with {share(inside, result.characters)} of the "
            f"characters; {counted(gained, 'token')} more in some, {lost:,} fewer in others"
        )
    else:
        yield "they cut every text alike"
    of_offsets = result.regions - result.cut_regions
    if of_offsets:
        yield f"the same tokens with other offsets: {counted(of_offsets, 'region')}"


def ordered(result: PairResult) -> list[KindResult]:
    """Return the kinds of a pair, those of most tokens gained or lost before others."""
    return sorted(result.kinds, key=lambda each: (-each.sum.moved, -each.sum.regions))


def kind_rows(result: PairResult) -> Iterator[list[str]]:
    """Yield the rows of the table of kinds: the kinds, and what they sum to."""
    total = result.moved
    for each in ordered(result):
        yield [each.kind.name, *_sum_cells(each.sum, total)]
    gained, lost = (sum(getattr(each.sum, name) for each in result.kinds) for name in ("gained", "lost"))
    yield ["all", f"{result.regions:,}", f"{gained:,}", f"{lost:,}", signed(result.difference), share(total, total)]


def _sum_cells(each: Sum, total: int) -> list[str]:
    return [
        f"{each.regions:,}",
        f"{each.gained:,}",
        f"{each.lost:,}",
        signed(each.difference),
        share(each.moved, total),
    ]


def group_words(result: PairResult) -> str:
    """Say which part of the tokenizers how much of the difference comes from."""
    moved = {group: sum(each.sum.moved for each in result.kinds if each.kind.group is group) for group in Group}
    groups = sorted(filter(moved.get, Group), key=lambda each: -moved[each])
    return ", ".join(f"{group} {share(moved[group], result.moved)}" for group in groups)


def script_words(result: PairResult) -> str:
    """Say how much each script has of the tokens gained and lost; empty where there is but one."""
    if len(result.scripts) < 2:
        return ""
    of_scripts = sorted(result.scripts, key=lambda item: -item[1].moved)[:MOST_SCRIPTS]
    return ", ".join(
        f"{name.lower()} {signed(each.difference)} ({share(each.moved, result.moved)} of gains and losses)"
        for name, each in of_scripts
    )


def kind_heading(each: KindResult) -> str:
    """Say what a kind is, and how many of its examples an experiment proves."""
    tried = [example.evidence for example in each.examples if example.evidence in (Evidence.PROVEN, Evidence.STAYS)]
    proof = f"; proven for {tried.count(Evidence.PROVEN)} of {counted(len(tried), 'example')} tried" if tried else ""
    return f"{each.kind.name}: {each.kind.words}{proof}"


def example_headline(counted_example: CountedExample) -> str:
    """Say how often an example was met, its characters, and what stands behind its kind."""
    example = counted_example.example
    changed = "" if counted_example.experiment is None else counted_example.experiment.words
    evidence = EVIDENCE_WORDS[counted_example.evidence].format(changed=changed)
    length = f" ({example.length:,} characters)" if example.length > LONGEST_CHARACTERS else ""
    shown = f"{counted_example.count:,} × {cut(in_quotes(example.characters), LONGEST_CHARACTERS)}{length}"
    return "; ".join(filter(None, (f"{shown}, {signed(example.difference)}", evidence)))


def example_rows(counted_example: CountedExample, result: PairResult) -> list[list[str]]:
    """Return the tokens of an example, a row for each tokenizer."""
    example = counted_example.example
    return [
        [one_line(result.first), tokens_words(example.first)],
        [one_line(result.second), tokens_words(example.second)],
    ]


def region_rows(result: PairResult) -> list[list[str]]:
    """Return a row for each region of one text: its kind, its characters with the difference, the tokens of both."""
    return [_region_row(each, example) for each in ordered(result) for example in each.examples]


def _region_row(each: KindResult, counted_example: CountedExample) -> list[str]:
    example = counted_example.example
    characters = cut(in_quotes(example.characters), LONGEST_CHARACTERS)
    return [
        each.kind.name,
        f"{characters} {signed(example.difference)}{_times(counted_example.count)}",
        f"{tokens_words(example.first)} -> {tokens_words(example.second)}",
    ]


def _times(count: int) -> str:
    return f", {count:,} times" if count > 1 else ""


def rule_lines() -> list[str]:
    """Return the rules of all kinds, in the order in which they are tried."""
    return [f"{kind.name} ({kind.group}): {kind.words}" for kind in KINDS]


def in_quotes(characters: str) -> str:
    r"""Return ``characters`` between quotes, with an escape for all that would change the order of a line.

    >>> print(in_quotes('a "b"\n\u05d0'))
    "a \"b\"\n\u05d0"
    """
    shown = visible_run(characters).replace('"', '\\"').replace(SPACE, " ")
    return f'"{shown}"'


def tokens_words(tokens: Sequence[str]) -> str:
    """Return tokens in a row.

    >>> tokens_words(("Ġun", "do")), tokens_words(())
    ('Ġun | do', 'no token')
    """
    return cut(BETWEEN_TOKENS.join(map(visible_run, tokens)), LONGEST_TOKENS) if tokens else "no token"


def missed_words(each: KindResult) -> str:
    """Say by how much the counts of examples may be too low; empty where they are exact."""
    return f"counts of examples may be too low by up to {each.missed:,}" if each.missed else ""


# The end -------------------------------------------------------------------------------------------------------------


def ending(event: ComparisonFinished) -> str:
    """Sum up the comparison."""
    parts = [
        _CONCLUSIONS.get(event.conclusion, str(event.conclusion)),
        counted(event.texts, "text"),
        f"{counted(event.pairs, 'pair')} compared, {event.differing:,} cut differently",
    ]
    if event.failed:
        parts.append(counted(event.failed, "failure"))
    return "; ".join(parts)


_CONCLUSIONS = {Conclusion.CONFORM: "done"}
"""What a conclusion is called where that of other commands would mislead: tokenizers need not be alike."""
