r"""Random patterns from the grammar that the reference supports, and random texts for them.

A pattern has a :data:`LIMIT` of atoms. Each construct of Oniguruma's language turns up: characters and escapes, classes
with all that brackets may hold, anchors, groups of every kind, look-arounds, options, conditionals, captures with
references and calls, and quantifiers of every form. Not every pattern is valid: ``(?<=a*b?)`` is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

LIMIT: Final = 7
"""Atoms of a pattern, at most."""

LETTERS: Final = "aabbsSkßẞſK\u212aIiİıéÉΣσςǆﬁﬀfit\u0301中あ가\u1161😀𐐀𐐨"
OTHERS: Final = "019_²½٣ -.,'#&]}\u00a0\u3000\u200d▁"
TEXT_CHARACTERS: Final = (
    *LETTERS,
    *OTHERS,
    "\n",
    "\r",
    "\r\n",
    "\t",
    "ss",
    "ab",
    "st",
    "👍🏽",
    "🇩🇪",
    "e\u0301",
    "क्ष",
    "\x00",
)

ESCAPES: Final = (
    r"\n", r"\r", r"\t", r"\x61", r"\x{e9}", r"\u4e2d", r"\x{1F600}", r"\141", r"\xc3\xa9", r"\.", r"\-", r"\q", r"\cA",
    r"\w", r"\W", r"\d", r"\D", r"\s", r"\S", r"\h", r"\H", r"\R", r"\X", r"\N", r"\O", ".", ".",
    r"\p{L}", r"\P{L}", r"\p{Lu}", r"\p{^Ll}", r"\p{N}", r"\p{M}", r"\p{Han}", r"\p{Word}", r"\p{P}", r"\p{Emoji}",
)  # fmt: skip
ANCHORS: Final = ("^", "$", r"\A", r"\z", r"\Z", r"\b", r"\B", r"\G", r"\y", r"\Y", r"\K")
IN_BRACKETS: Final = (
    "a", "b", "s", "ß", "é", "ſ", "k", "中", "😀", " ", "1", "_", "a-z", "A-S", "à-ÿ", "0-9", "一-龥", "😀-🙏", r"\w",
    r"\W",
    r"\d", r"\s", r"\S", r"\h", r"\n", r"\x61", r"\x{61-66}", r"\p{L}", r"\P{Lu}", r"\p{^N}", "[:alpha:]", "[:^punct:]",
    "[:upper:]", "[:space:]", "[:word:]", ".", "$", "-", "ﬁ", "İ",
)  # fmt: skip
QUANTIFIERS: Final = (
    "?", "*", "+", "??", "*?", "+?", "?+", "*+", "++", "{2}", "{1,2}", "{1,}", "{,2}", "{0}", "{1}", "{2}?", "{1,2}?",
    "{1,2}+", "{2,}?", "{,1}?", "{2,1}", "{0,3}",
)  # fmt: skip
SIMPLE_QUANTIFIERS: Final = ("?", "*", "+", "??", "*?", "+?")
BOUNDED_QUANTIFIERS: Final = ("?", "??", "?+", "{0}", "{1}", "{2}?", "{,1}?")
MOST_LOOPS: Final = 1
GROUPS: Final = (
    "(", "(", "(?:", "(?:", "(?>", "(?=", "(?!", "(?<=", "(?<!", "(?<n>", "(?'m'", "(?i:", "(?-i:", "(?m:", "(?x:",
    "(?im-x:",
    "(?W:", "(?D:", "(?S:", "(?P:", "(?y{g}:",
)  # fmt: skip
CONDITIONS: Final = ("(?(1)", "(?(a)", "(?(\\w)", "(?((?=s))", "(?(<n>)", "(?(-1)")
REFERENCES: Final = (r"\1", r"\2", r"\k<1>", r"\k<-1>", r"\k<n>", r"\k'm'", r"\g<1>", r"\g<n>", r"\g<-1>", r"\g'm'")
OPTIONS: Final = ("(?i)", "(?-i)", "(?m)", "(?x)", "(?W)", "(?I)", "(?C)")


def random_pattern(source: Random) -> str:
    """Return a pattern. It has no more than two loops in each other, as the reference never gives up."""
    return _alternatives(source, source.randint(1, LIMIT), 0)


def random_text(source: Random, pattern: str) -> str:
    """Return a text of up to eight characters, or clusters of these, in most of which ``pattern`` may well match."""
    chance = source.random()
    some = TEXT_CHARACTERS if chance < 0.2 else source.choices(TEXT_CHARACTERS, k=3)
    if chance > 0.4:
        some = [*(char for char in pattern if char in LETTERS or char in OTHERS), *some]
    return "".join(source.choices(some, k=source.randint(1, 8)))


def _alternatives(source: Random, atoms: int, loops: int) -> str:
    if atoms > 1 and source.random() < 0.25:
        left = source.randint(1, atoms - 1)
        return f"{_alternatives(source, left, loops)}|{_alternatives(source, atoms - left, loops)}"
    return _branch(source, atoms, loops)


def _branch(source: Random, atoms: int, loops: int) -> str:
    parts: list[str] = []
    while atoms > 0:
        size = source.randint(1, atoms)
        parts.append(_repeated(source, size, loops))
        atoms -= size
    return "".join(parts)


def _repeated(source: Random, atoms: int, loops: int) -> str:
    """Return an atom or a group, with ``loops`` around it, and mostly without a quantifier of its own."""
    chance = source.random()
    quantifiers = ""
    if chance < 0.05 and atoms == 1:  # intervals of intervals would take exponential time
        quantifiers = source.choice(SIMPLE_QUANTIFIERS) + source.choice(SIMPLE_QUANTIFIERS)
    elif chance < 0.35:
        quantifiers = source.choice(QUANTIFIERS if loops < MOST_LOOPS or atoms == 1 else BOUNDED_QUANTIFIERS)
    inside = loops + (quantifiers not in ("", *BOUNDED_QUANTIFIERS))
    atom = _group(source, atoms, inside) if atoms > 1 else source.choices(ATOMS, WEIGHTS)[0](source)
    return atom + quantifiers


def _group(source: Random, atoms: int, loops: int) -> str:
    chance = source.random()
    if chance < 0.08:
        sides = [_branch(source, 1, loops), _branch(source, atoms - 1, loops)]
        return f"{source.choice(CONDITIONS)}{'|'.join(sides if chance < 0.06 else sides[:1])})"
    if chance < 0.12:
        return f"{source.choice(OPTIONS)}{_alternatives(source, atoms, loops)}"
    if chance < 0.3:
        return _branch(source, atoms - 1, loops) + source.choices(ATOMS, WEIGHTS)[0](source)
    return f"{source.choice(GROUPS)}{_alternatives(source, atoms, loops)})"


def _bracket(source: Random) -> str:
    parts = source.choices(IN_BRACKETS, k=source.randint(1, 3))
    if source.random() < 0.15:
        parts.append(_bracket(source))
    if source.random() < 0.12:
        parts.append("&&" + "".join(source.choices(IN_BRACKETS, k=source.randint(1, 2))))
    return f"[{'^' if source.random() < 0.25 else ''}{''.join(parts)}]"


ATOMS: Final[tuple[Callable[[Random], str], ...]] = (
    lambda source: source.choice(LETTERS),
    lambda source: source.choice(("a", "b", "s", "1", " ", "_", "ß", "-")),
    lambda source: source.choice(ESCAPES),
    _bracket,
    lambda source: source.choice(ANCHORS),
    lambda source: source.choice(REFERENCES),
    lambda source: source.choice(("", "(?#c)", "()", "(?:)", "#", "{", "]")),
)
WEIGHTS: Final = (20, 25, 25, 15, 6, 2, 3)
