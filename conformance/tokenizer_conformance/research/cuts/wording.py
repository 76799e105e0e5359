"""The words in which a comparison of tokenizers is told. All that comes from texts and tokenizers is escaped here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import UNSET

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.visible import SPACE, visible_run
from tokenizer_conformance.command_io.wrapping import cut
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.plural import counted, few
from tokenizer_conformance.research.cuts.grid import LEGEND, GridRow, grid
from tokenizer_conformance.research.cuts.kinds import KINDS, Group
from tokenizer_conformance.research.cuts.regions import placed_again
from tokenizer_conformance.results.carriers import carrier_lines
from tokenizer_conformance.results.titles import text_in_title

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_conformance.results.records import cuts as lines

LONGEST_CHARACTERS = 40
LONGEST_TOKENS = 60
"""How many cells the characters, and the tokens of one side, of an example take at most."""

BETWEEN_TOKENS = " | "

MOST_SCRIPTS = 8
"""How many scripts are told of a pair; the record has all."""

MOST_PAIRS = 3
"""So many pairs are named in a headline."""

WIDTH = 100
"""For how many cells a text is laid out where nothing says how wide lines may be, as in a file or a pipe."""

KIND_HEADERS = ("kind", "regions", "more", "fewer", "difference", "share")
"""The columns of the table of kinds."""

NUMBERS = frozenset(range(1, len(KIND_HEADERS)))

EVIDENCE_WORDS: dict[lines.Evidence, str] = {
    "the difference stays": "differs still {changed}",
    "proven": "alike {changed}",
    "not seen out of its text": "not seen out of its text",
    "seen in the tokens": "",
    "not tried": "not tried",
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


def title(header: lines.Header, text: lines.Text | None) -> str:
    """Say what is compared: one text, or how many of them, and who cuts it."""
    tokenizers = few([each.name for each in header.tokenizers], "tokenizer")
    if text is None:
        return f"{counted(header.inputs.count, 'text')} cut by {tokenizers}"
    return f"{text_in_title(text.text)} cut by {tokenizers}"


def headline(pairs: Sequence[lines.Pair]) -> str:
    """Say who cuts how much otherwise than whom; of many pairs how many of them differ."""
    differing = [each for each in pairs if each.cut_regions]
    if not pairs:
        return "nothing was compared"
    if len(differing) > MOST_PAIRS:
        return f"{len(differing):,} of {len(pairs):,} pairs of tokenizers cut the texts differently"
    told = [
        f"{each.second} cuts {share(each.cut_characters, each.characters)} of the characters otherwise "
        f"than {each.first}"
        for each in differing
    ]
    alike = len(pairs) - len(differing)
    if alike:
        told.append(f"{counted(alike, 'pair')} of tokenizers {'cuts' if alike == 1 else 'cut'} the texts alike")
    return "; ".join(told)


# Tokenizers ----------------------------------------------------------------------------------------------------------


def facts_words(line: lines.Tokenizer) -> str:
    """Say what a tokenizer ignores, as was tried, and which id its unknown token has."""
    ignored = [name for name, is_ignored in line.ignores.items() if is_ignored]
    unknown = "no unknown token" if line.unknown is None else f"unknown token {line.unknown}"
    return f"ignores {', '.join(ignored) or 'nothing that was tried'}; {unknown}"


def failure_line(line: lines.Failures) -> str:
    """Say which tokenizer does not cut how many texts, and why."""
    first = f"{counted(line.texts, 'text')} not cut, the first of them {one_line(line.input)}"
    return f"{one_line(line.name)}: {first}: {one_line(line.reason)}"


# One text ------------------------------------------------------------------------------------------------------------


def grid_lines(line: lines.Text, width: int) -> Iterator[list[str]]:
    """Yield the blocks of the text with the tokens of all under it, at most ``width`` cells wide."""
    rows = [
        GridRow(each.tokenizer, placed_again(line.text, each.tokens), each.differing or ())
        for each in line.cuts
        if each.tokens is not UNSET
    ]
    if rows and line.text:
        for block in grid(line.text, rows, width):
            yield [row.rstrip() for row in block]


def legend_lines(blocks: Sequence[Sequence[str]]) -> list[str]:
    """Return what the signs mean that the blocks have."""
    shown = "\n".join(line for block in blocks for line in block)
    return [f"{sign} {words}" for sign, look, words in LEGEND if re.search(look, shown)]


def count_rows(line: lines.Text) -> list[list[str]]:
    """Return for each tokenizer how many tokens the text has, and how many more than with the first."""
    return [[one_line(each.tokenizer), *_count(each, line.cuts[0])] for each in line.cuts]


def _count(cut_text: lines.CutText, first: lines.CutText) -> tuple[str, str]:
    tokens = cut_text.tokens
    if tokens is UNSET:
        return "no tokens", one_line(cut_text.reason or "")
    more = "" if first.tokens is UNSET or cut_text is first else signed(len(tokens) - len(first.tokens))
    unknown = sum(token.unknown for token in tokens)
    differing = cut_text.differing or ()
    notes = (
        more,
        f"{unknown:,} unknown" if unknown else "",
        f"{counted(len(differing), 'region')} cut otherwise than by the first" if differing else "",
    )
    return counted(len(tokens), "token"), "; ".join(filter(None, notes))


# Pairs ---------------------------------------------------------------------------------------------------------------


def pair_title(pair: lines.Pair) -> str:
    """Name the two tokenizers of a pair."""
    return f"{one_line(pair.second)} beside {one_line(pair.first)}"


def pair_lines(pair: lines.Pair) -> Iterator[str]:
    """Yield the outcome of a pair in sentences."""
    more = pair.difference
    much = f" ({100 * more / pair.first_tokens:+.1f} %)" if pair.first_tokens and more else ""
    words = f"{counted(abs(more), 'token')} {'more' if more > 0 else 'fewer'}{much}" if more else "as many tokens"
    yield (
        f"{words}: {pair.second_tokens:,} beside {pair.first_tokens:,}, on "
        f"{counted(pair.characters, 'character')} of {counted(pair.texts, 'text')}"
    )
    if pair.cut_regions:
        gained, lost = _gained_and_lost(pair)
        yield (
            f"cut differently: {counted(pair.cut_regions, 'region')} with "
            f"{share(pair.cut_characters, pair.characters)} of the characters; "
            f"{counted(gained, 'token')} more in some, {lost:,} fewer in others"
        )
    else:
        yield "they cut every text alike"
    if pair.exchanged is not None:
        yield from carrier_lines(pair.exchanged, pair.first, pair.second)
    of_offsets = pair.regions - pair.cut_regions
    if of_offsets:
        yield f"the same tokens with other offsets: {counted(of_offsets, 'region')}"


def _gained_and_lost(pair: lines.Pair) -> tuple[int, int]:
    return sum(each.gained for each in pair.kinds), sum(each.lost for each in pair.kinds)


def ordered(pair: lines.Pair) -> list[lines.Kind]:
    """Return the kinds of a pair, those of most tokens gained or lost before others."""
    return sorted(pair.kinds, key=lambda each: (-each.moved, -each.regions))


def kind_rows(pair: lines.Pair) -> Iterator[list[str]]:
    """Yield the rows of the table of kinds: the kinds, and what they sum to."""
    total = pair.moved
    sums = [(each.kind, each.regions, each.gained, each.lost, each.difference, each.moved) for each in ordered(pair)]
    for name, regions, gained, lost, difference, moved in (
        *sums,
        ("all", pair.regions, *_gained_and_lost(pair), pair.difference, total),
    ):
        yield [name, f"{regions:,}", f"{gained:,}", f"{lost:,}", signed(difference), share(moved, total)]


def group_words(pair: lines.Pair) -> str:
    """Say which part of the tokenizers how much of the difference comes from, by the look of the places.

    Empty where parts of the files were exchanged, and carry it: then that is known.
    """
    if not pair.moved or (pair.exchanged is not None and pair.exchanged.is_all):
        return ""
    moved = {group: sum(each.moved for each in pair.kinds if each.part == group.value) for group in Group}
    groups = sorted(filter(moved.get, Group), key=lambda each: -moved[each])
    return ", ".join(f"{group} {share(moved[group], pair.moved)}" for group in groups)


def script_words(pair: lines.Pair) -> str:
    """Say how much each script has of the tokens gained and lost; empty where there is but one."""
    if len(pair.scripts) < 2:
        return ""
    of_scripts = sorted(pair.scripts, key=lambda each: -each.moved)[:MOST_SCRIPTS]
    return ", ".join(
        f"{each.script.lower()} {signed(each.difference)} ({share(each.moved, pair.moved)} of gains and losses)"
        for each in of_scripts
    )


def kind_heading(each: lines.Kind) -> str:
    """Say what a kind is, and how many of its examples an experiment proves."""
    tried = [example.evidence for example in each.examples if example.evidence in ("proven", "the difference stays")]
    proof = f"; proven for {tried.count('proven')} of {counted(len(tried), 'example')} tried" if tried else ""
    return f"{each.kind}: {each.rule}{proof}"


def example_headline(example: lines.Example) -> str:
    """Say how often an example was met, its characters, and what stands behind its kind."""
    evidence = EVIDENCE_WORDS[example.evidence].format(changed=example.experiment or "")
    length = f" ({example.length:,} characters)" if example.length > LONGEST_CHARACTERS else ""
    shown = f"{example.count:,} × {_characters(example)}{length}"
    return "; ".join(filter(None, (f"{shown}, {signed(example.difference)}", evidence)))


def example_rows(example: lines.Example, pair: lines.Pair) -> list[list[str]]:
    """Return the tokens of an example, a row for each tokenizer."""
    return [
        [one_line(pair.first), tokens_words(example.first)],
        [one_line(pair.second), tokens_words(example.second)],
    ]


def region_rows(pair: lines.Pair) -> list[list[str]]:
    """Return a row for each region of one text: its kind, its characters with the difference, the tokens of both."""
    return [_region_row(each, example) for each in ordered(pair) for example in each.examples]


def _region_row(each: lines.Kind, example: lines.Example) -> list[str]:
    times = f", {example.count:,} times" if example.count > 1 else ""
    return [
        each.kind,
        f"{_characters(example)} {signed(example.difference)}{times}",
        f"{tokens_words(example.first)} -> {tokens_words(example.second)}",
    ]


def _characters(example: lines.Example) -> str:
    return cut(in_quotes(example.characters), LONGEST_CHARACTERS)


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


def missed_words(each: lines.Kind) -> str:
    """Say by how much the counts of examples may be too low; empty where they are exact."""
    return f"counts of examples may be too low by up to {each.missed:,}" if each.missed else ""


# The end -------------------------------------------------------------------------------------------------------------


def inputs_words(header: lines.Header) -> str:
    """Say how many texts there are, and which part of them was compared."""
    part = header.part
    if part is None:
        return f"{header.inputs.count:,}"
    return f"part {part.part} of {part.of} of {header.inputs.count:,}; 'tokconf merge' shows the result of all parts"


def merged_words(header: lines.Header) -> str:
    """Say of how many parts a comparison was merged; empty where it was of none."""
    return f"{len(header.merged)} parts of {header.merged[0].shard.of}" if header.merged else ""


def unfinished_words(header: lines.Header) -> str:
    """Say of which texts a pair tells that is not finished."""
    return "on the parts that are there" if header.merged else "on what was read before the interrupt"


def summary(footer: lines.Footer) -> str:
    """Say how much was compared, and how many pairs cut texts differently."""
    pairs = f"{counted(footer.pairs, 'pair')} compared, {footer.differing:,} cut differently"
    return f"{counted(footer.texts, 'text')}; {pairs}"


def ending(footer: lines.Footer) -> str:
    """Sum up the comparison; that it is done says no more: tokenizers need not be alike."""
    conclusion = "done" if footer.conclusion is Conclusion.CONFORM else str(footer.conclusion)
    failed = f"; {counted(footer.failed, 'failure')}" if footer.failed else ""
    return f"{conclusion}; {summary(footer)}{failed}"
