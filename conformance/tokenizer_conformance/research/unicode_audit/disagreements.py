"""Where two parts of one implementation decide the same question differently, and a text that shows it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

from tokenizer_conformance.research.unicode_audit.code_point_sets import LAST, SCALARS, CodePoints
from tokenizer_conformance.research.unicode_audit.sightings import ClassesSeen, MappingSeen, SetSeen, differing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenizer_conformance.research.unicode_audit.sightings import Seen, Sighting


@dataclass(frozen=True, slots=True)
class Group:
    """Behaviours that decide one ``question``, so that a user expects them to agree on the characters of ``among``."""

    question: str
    behaviours: tuple[str, ...]
    among: CodePoints = SCALARS


NOT_ASCII: Final = CodePoints.of_ranges([(0x80, LAST)]) & SCALARS

GROUPS: Final[tuple[Group, ...]] = (
    Group("what becomes of capitals", ("Lowercase", "BertNormalizer lowercase")),
    Group(
        "what is punctuation, ASCII apart",
        ("BertPreTokenizer punctuation", "Punctuation", "Split \\p{P}"),
        NOT_ASCII,
    ),
    Group("what is a mark", ("StripAccents", "Split \\p{M}")),
    Group("what is a number", ("Digits", "ByteLevel numbers", "Split \\p{N}")),
    Group("what is a letter", ("ByteLevel letters", "Split \\p{L}")),
    Group(
        "what is part of a word",
        (
            "Whitespace \\w",
            "added token single_word",
            "added token single_word (after)",
            "Split \\w",
            "Split [\\w]",
        ),
    ),
    Group(
        "what is white space",
        (
            "Strip left",
            "Strip right",
            "added token lstrip",
            "added token rstrip",
            "WhitespaceSplit",
            "BertPreTokenizer white space",
            "Whitespace \\s",
            "ByteLevel white space",
            "Split \\s",
            "Split \\p{White_Space}",
        ),
    ),
    Group(
        "what continues a grapheme cluster",
        ("Precompiled extending", "Split \\X extending"),
    ),
    Group("what begins a grapheme cluster", ("Precompiled prepending", "Split \\X prepending")),
)
"""Which behaviours are held against one another."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """The ``code_points`` on which the behaviours ``one`` and ``other`` decide a question differently.

    ``example`` is a text with the first of them, ``told`` what each does with that.
    """

    question: str
    one: str
    other: str
    code_points: CodePoints
    example: str
    told: tuple[str, str]


def disagreements(seen: Mapping[str, Sighting]) -> Iterator[Disagreement]:
    """Yield the pairs of behaviours of one group that disagree; of parts that agree, the first stands for all."""
    for group in GROUPS:
        kinds: list[str] = []
        for name in group.behaviours:
            if name in seen and not any(_on(group, seen[name].seen, seen[kind].seen) == CodePoints() for kind in kinds):
                kinds.append(name)
        for one, other in combinations(kinds, 2):
            found = _on(group, seen[one].seen, seen[other].seen)
            first = chr(next(iter(found)))
            told = tuple(_told(seen[name].seen, ord(first)) for name in (one, other))
            yield Disagreement(group.question, one, other, found, f"a{first}b", (told[0], told[1]))


def _on(group: Group, one: Seen, other: Seen) -> CodePoints:
    found = differing(one, other)
    return found & group.among if isinstance(found, CodePoints) else CodePoints()


def _told(seen: Seen, at: int) -> str:
    match seen:
        case SetSeen(members):
            return "yes" if at in members else "no"
        case MappingSeen(values):
            return f"becomes {values[at]}" if at in values else "stays"
        case ClassesSeen(members):
            return " ".join(name for name, found in members.items() if at in found) or "none"
    return ""
