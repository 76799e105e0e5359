"""Which rule, with the tables of which version, explains what was seen; and where two behaviours contradict.

Parts of one implementation that decide the same question may follow different versions.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, groupby
from typing import TYPE_CHECKING, Final

from tokenizer_conformance.research.unicode_audit.code_point_sets import LAST, NOTHING, SCALARS, CodePoints
from tokenizer_conformance.research.unicode_audit.properties import TRIED
from tokenizer_conformance.research.unicode_audit.rules import RULES
from tokenizer_conformance.research.unicode_audit.sightings import MappingSeen, differing, residual_of, value_of
from tokenizer_conformance.results.records.unicode_audit import Disagreement

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.research.unicode_audit.rules import Rule
    from tokenizer_conformance.research.unicode_audit.sightings import Seen
    from tokenizer_conformance.results.records.unicode_audit import Residual


@dataclass(frozen=True, slots=True)
class Explanation:
    """The ``rule`` that explains a behaviour best, and the ``versions`` whose tables leave the ``residual``.

    Of a rule that no version explains exactly the versions are those nearest to it.
    """

    rule: Rule
    versions: tuple[str, ...]
    residual: Residual


def version_ranges(versions: tuple[str, ...]) -> str:
    """Return versions, which are in order, as ranges.

    >>> version_ranges(("8.0", "9.0", "10.0", "16.0"))
    '8.0 to 10.0, 16.0'
    """
    places = [(TRIED.index(version) - number, version) for number, version in enumerate(versions)]
    runs = [[version for _, version in run] for _, run in groupby(places, key=lambda each: each[0])]
    newest = TRIED[-1]
    if runs == [[*TRIED]]:
        return f"{TRIED[0]} to {newest}"
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


def explained(seen: Seen) -> Explanation:
    """Return the explanation of what was seen: the first rule that is exact in any version, else the nearest one."""
    best: tuple[int, Rule, list[tuple[str, Seen]]] | None = None
    for rule in RULES[type(seen)]:
        least, versions = _nearest(rule, seen)
        if best is None or least < best[0]:
            best = least, rule, versions
        if not least:
            break
    if best is None:
        raise TypeError(f"there is no rule for {type(seen).__name__}")
    _, rule, versions = best
    return Explanation(rule, tuple(version for version, _ in versions), residual_of(seen, versions[-1][1]))


def _nearest(rule: Rule, seen: Seen) -> tuple[int, list[tuple[str, Seen]]]:
    """Return how much ``rule`` leaves at least, and the versions in which it does, with what it says in them."""
    said = [(version, rule.in_version(version)) for version in (TRIED[-1:] if rule.is_fixed else TRIED)]
    left = [len(differing(seen, expected)) for _, expected in said]
    return min(left), [each for each, count in zip(said, left, strict=True) if count == min(left)]


# Parts that disagree --------------------------------------------------------------------------------------------------


NOT_ASCII: Final = CodePoints.of_ranges([(0x80, LAST)]) & SCALARS
PUNCTUATION: Final = "what is punctuation, ASCII apart"

GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "what becomes of capitals": ("Lowercase", "BertNormalizer lowercase"),
    PUNCTUATION: ("BertPreTokenizer punctuation", "Punctuation", "Split \\p{P}"),
    "what is a mark": ("StripAccents", "Split \\p{M}"),
    "what is a number": ("Digits", "ByteLevel numbers", "Split \\p{N}"),
    "what is a letter": ("ByteLevel letters", "Split \\p{L}"),
    "what is part of a word": (
        *("Whitespace \\w", "added token single_word", "added token single_word (after)"),
        *("Split \\w", "Split [\\w]"),
    ),
    "what is white space": (
        *("Strip left", "Strip right", "added token lstrip", "added token rstrip", "WhitespaceSplit"),
        *("BertPreTokenizer white space", "Whitespace \\s", "ByteLevel white space"),
        *("Split \\s", "Split \\p{White_Space}"),
    ),
    "what continues a grapheme cluster": ("Precompiled extending", "Split \\X extending"),
    "what begins a grapheme cluster": ("Precompiled prepending", "Split \\X prepending"),
}
"""Behaviours that decide one question, so that a user expects them to agree on all characters."""


def disagreements(info: ImplementationInfo, seen: Mapping[str, Seen]) -> Iterator[Disagreement]:
    """Yield the pairs of behaviours of one group that disagree; of parts that agree, the first stands for all."""
    for question, behaviours in GROUPS.items():
        kinds: list[str] = []
        for name in behaviours:
            if name in seen and all(_on(question, seen[name], seen[kind]) for kind in kinds):
                kinds.append(name)
        for one, other in combinations(kinds, 2):
            found = _on(question, seen[one], seen[other])
            first = chr(next(iter(found)))
            yield Disagreement(
                implementation=info.name,
                implementation_version=info.version,
                question=question,
                one=one,
                other=other,
                code_points=str(found),
                count=len(found),
                example=f"a{first}b",
                told=(_told(seen[one], first), _told(seen[other], first)),
            )


def _on(question: str, one: Seen, other: Seen) -> CodePoints:
    found = differing(one, other)
    among = NOT_ASCII if question == PUNCTUATION else SCALARS
    return found & among if isinstance(found, CodePoints) else NOTHING


def _told(seen: Seen, char: str) -> str:
    value = value_of(seen, char)
    if isinstance(seen, MappingSeen):
        return "stays" if value == char else f"becomes {value}"
    return value
