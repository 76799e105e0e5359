"""The texts that a witness is looked for among: those made from what was replaced, then those of the generators."""

from __future__ import annotations

from itertools import chain, count, islice, zip_longest
from typing import TYPE_CHECKING

from tokenizer_conformance.comparison.component_differences import Component
from tokenizer_conformance.comparison.document_parts import pair_of
from tokenizer_conformance.inputs.text import lone_surrogate
from tokenizer_conformance.inputs.text_generators.document_parts import parts_of
from tokenizer_conformance.inputs.text_generators.entries import entries_of
from tokenizer_conformance.inputs.text_generators.generator import Material, Produced
from tokenizer_conformance.inputs.text_generators.table import GENERATORS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_conformance.comparison.component_differences import Replacement
    from tokenizer_conformance.comparison.reduction import Json

FIRST_TEXTS = (
    "a",
    "Hello, world!",
    " a",
    "a ",
    "a  b",
    "a\tb",
    "a\nb\n",
    "É e\u0301 ß",
    "don't . do n't , we 've !",
    "A 1 2.5 中文 日本語 😀",
    "``x'' \u2581 Ġ ##a",
    "\u00a0a\u3000b\u200b\u00ad",
    "ＡＢ ﬁ ① \u0130",
    "",
)
"""What is asked about first: short texts on which most components show themselves."""

CONTEXTS: tuple[Callable[[str], str], ...] = (
    lambda token: token,
    lambda token: f"a{token}b",
    lambda token: f" {token} ",
    lambda token: f"a {token} b",
    lambda token: f"a{token}",
    lambda token: f"{token}b",
    lambda token: token.swapcase(),
    lambda token: f"a\n{token}\nb",
    lambda token: token + token,
    lambda token: f"É{token}\u0301",
    lambda token: f"{token},",
)
"""Where a token that is cut out, or is a part of a word, shows how."""

LONG_WORDS = ("a ", "the ", "1, ")
"""What long texts are made of, by which truncation shows."""

LONGEST_TEXT = 5000
"""Longer texts are left out: what a component does shows on shorter ones, and many of these can be asked about."""

LONGEST_WORD = "max_input_chars_per_word"
"""The option of a model that shows on longer words alone."""

MOST_MOVED, MOST_OVERLAPPING = 200, 300
"""Of so many merges with another rank overlapping ones are looked for, and so many texts are made of these."""

LONGEST = 20_000
"""No text of so many words is made to be truncated."""


def texts_for(replacement: Replacement, raw: Json, given: tuple[str, ...], seed: int) -> Iterator[str]:
    """Yield texts by which ``replacement`` may show, each once.

    First come those made of its tokens and lengths, then those of the generators: made in turns of the document as the
    user has it (``raw``) and as it is replaced, of ``given`` texts, and by the ``seed``.
    """
    seen: set[int] = set()
    dealt = (_dealt(document, given, seed) for document in (raw, replacement.document))
    found = chain(_directed(replacement, raw), FIRST_TEXTS, chain.from_iterable(zip_longest(*dealt, fillvalue="")))
    for text in found:
        mark = hash(text)
        if mark not in seen and lone_surrogate(text) is None:
            seen.add(mark)
            yield text


def _directed(replacement: Replacement, raw: Json) -> Iterator[str]:
    match replacement.component:
        case Component.ADDED_TOKENS:
            yield from (context(token) for token in replacement.hints for context in CONTEXTS)
        case Component.VOCABULARY | Component.MERGES:
            for document in (raw, replacement.document):
                entries = entries_of(parts_of(document))
                for token in (*_overlapping(raw, replacement.document), *filter(None, replacement.hints)):
                    entry = entries.entry(token)
                    yield entries.placed(entry)
                    yield from (context(entry.text) for context in CONTEXTS[:6])
        case Component.MODEL:
            limits = (document["model"].get(LONGEST_WORD) for document in (raw, replacement.document))
            yield from ("a" * (limit + 1) for limit in limits if isinstance(limit, int) and limit < LONGEST_TEXT)
        case Component.TRUNCATION | Component.PADDING | Component.DEFAULTS:
            for length in _lengths(raw, replacement.document):
                yield from (word * length for word in LONG_WORDS)
        case _:
            return


def _overlapping(raw: Json, other: Json) -> Iterator[str]:
    """Yield strings of three tokens of which two merges want the one in the middle, where another one goes first now.

    That a merge has another rank shows nowhere else: ``a b`` before ``b c`` makes ``ab c`` of them, and else ``a bc``.
    """
    before, after = (_ranks(document) for document in (raw, other))
    both = [merge for merge in before if merge in after]
    order = {merge: place for place, merge in enumerate(sorted(both, key=after.__getitem__))}
    by_first: dict[str, list[tuple[str, ...]]] = {}
    by_last: dict[str, list[tuple[str, ...]]] = {}
    for merge in both:
        by_first.setdefault(merge[0], []).append(merge)
        by_last.setdefault(merge[-1], []).append(merge)
    moved = [merge for place, merge in enumerate(both) if order[merge] != place]
    places = {merge: place for place, merge in enumerate(both)}
    found = (
        (one, two)
        for merge in islice(moved, MOST_MOVED)
        for one, two in chain(
            ((merge, next_) for next_ in by_first.get(merge[-1], ())),
            ((before_, merge) for before_ in by_last.get(merge[0], ())),
        )
        if (places[one] < places[two]) != (order[one] < order[two])
    )
    for one, two in islice(found, MOST_OVERLAPPING):
        yield one[0] + two[0] + two[-1]


def _ranks(document: Json) -> dict[tuple[str, ...], int]:
    return {pair_of(merge): rank for rank, merge in enumerate(document["model"].get("merges") or ())}


def _lengths(*documents: Json) -> list[int]:
    """Return numbers of words around the lengths to which ``documents`` truncate and pad."""
    lengths = {1, 2}
    for document in documents:
        truncation, padding = document.get("truncation"), document.get("padding")
        if isinstance(truncation, dict):
            lengths |= {truncation["max_length"] + more for more in (-2, 0, 1, 8)}
        if isinstance(padding, dict) and isinstance(padding.get("strategy"), dict):
            lengths |= {padding["strategy"]["Fixed"] + more for more in (-4, 1)}
    return sorted((length for length in lengths if 0 < length <= LONGEST), reverse=True)


def _dealt(document: Json, given: tuple[str, ...], seed: int) -> Iterator[str]:
    """Yield the ``given`` texts and those of all generators in turns: the first of each, then the second of each."""
    material = Material(document, given, seed)
    produced = [generator.make(material) for generator in GENERATORS]
    if given:
        produced.insert(0, Produced(len(given), given.__getitem__))
    for number in count():
        left = [each for each in produced if each.count is None or number < each.count]
        if not left:
            return
        for each in left:
            text = each.text(number)
            if len(text) <= LONGEST_TEXT:
                yield text
