"""The kinds of difference, in the order in which they are tried: a region is of the first that fits, and of no other.

That a difference comes of case, accents, compatibility forms or the beginning of the text is never judged by its look:
where one tokenizer ignores these and the other does not, the region is changed in its context, both cut that again, and
only if they then cut alike is it of that kind. The other kinds are judged by characters and tokens. For some of these
there is an experiment too, which is made on the examples.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

from tokenizer_conformance.research.cuts.characters import (
    LATIN,
    URL,
    CharacterKind,
    apart,
    compatibility_form,
    kind_of,
    scripts_in,
    without_accents,
)
from tokenizer_conformance.research.cuts.sides import ACCENTS, BEGINNING, CASE, COMPATIBILITY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tokenizer_adapters.contract import Span
    from tokenizer_conformance.research.cuts.regions import PlacedToken, Region
    from tokenizer_conformance.research.cuts.sides import Facts, Trait

LONG_WORD = 13
"""From how many letters on a word is a long one."""

URL_REACH = 300
"""How many characters before and after a region are looked at for an address that it is part of."""


class Group(StrEnum):
    """Which part of a tokenizer a difference comes from."""

    NORMALIZATION = "normalization"
    SPACES = "white space"
    SPLITTING = "splitting before the model"
    CHARACTERS = "characters of the vocabulary"
    WORDS = "words of the vocabulary"
    OFFSETS = "offsets of the same tokens"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Look:
    """What a rule sees of a region: its ``text``, and what is known of both tokenizers."""

    text: str
    region: Region
    first: Facts
    second: Facts

    @property
    def characters(self) -> str:
        """The characters of the region."""
        return self.text[self.region.start : self.region.end]

    def is_ignored_by_one(self, trait: Trait) -> bool:
        """Whether one of both tokenizers ignores what the other does not."""
        return (trait.name in self.first.ignored) != (trait.name in self.second.ignored)

    @property
    def sides(self) -> tuple[tuple[PlacedToken, ...], tuple[PlacedToken, ...]]:
        """The tokens of either side."""
        return self.region.first, self.region.second


@dataclass(frozen=True, slots=True)
class Experiment:
    """A ``change`` of the characters of a region, said in ``words``, after which both may cut alike.

    Where it ``adds_spaces``, the tokens that are of spaces and word beginnings alone do not count.
    """

    words: str
    change: Callable[[str], str]
    adds_spaces: bool = False


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of difference: ``words`` state its rule, which ``fits`` tells of a region.

    Of its ``experiments`` the first that changes the characters of a region is made. Where it ``decides``, a region
    that fits is of this kind only if that makes the difference vanish.
    """

    name: str
    group: Group
    words: str
    fits: Callable[[Look], bool]
    experiments: tuple[Experiment, ...] = ()
    decides: bool = False

    def experiment_on(self, characters: str) -> Experiment | None:
        """Return the experiment that is made on a region of these characters; ``None`` where none changes them."""
        return next((each for each in self.experiments if each.change(characters) != characters), None)


# Rules ---------------------------------------------------------------------------------------------------------------


def _has_unknown(look: Look) -> bool:
    ours, theirs = (_covered(token.span for token in tokens if token.is_unknown) for tokens in look.sides)
    return ours != theirs


def _is_dropped(look: Look) -> bool:
    """Return whether the characters without a token differ; white space is left out, and marks, which are accents."""
    left_out = (CharacterKind.SPACE, CharacterKind.MARK)
    places = [place for place in range(look.region.start, look.region.end) if kind_of(look.text[place]) not in left_out]
    ours, theirs = (_covered(token.span for token in tokens) for tokens in look.sides)
    return any((place in ours) != (place in theirs) for place in places)


def _is_mark_alone(look: Look) -> bool:
    """Return whether both cut alike without the tokens that are the mark of a word's beginning and nothing else."""
    ours, theirs = ([token.core for token in tokens if not _marks_word(look.text, token)] for tokens in look.sides)
    return ours == theirs


def _marks_word(text: str, token: PlacedToken) -> bool:
    """Return whether ``token`` is a mark, of one space at most that no other space is beside."""
    if not token.is_mark:
        return False
    start, end = token.span
    if start == end or not text[start:end].isspace():
        return True
    is_run = text[start - 1 : start].isspace() or text[end : end + 1].isspace()
    return text[start:end] == " " and not is_run


def is_of_spaces(look: Look) -> bool:
    """Return whether both cut alike without the tokens that are of spaces and word beginnings alone."""
    ours, theirs = (
        [token.core for token in tokens if not (token.is_mark or look.text[slice(*token.core)].isspace())]
        for tokens in look.sides
    )
    return ours == theirs


def _changes(trait: Trait, change: Callable[[str], str]) -> Callable[[Look], bool]:
    """Return the rule that one ignores ``trait``, and ``change`` makes another text of the region."""
    return lambda look: look.is_ignored_by_one(trait) and change(look.characters) != look.characters


def _has_split_characters(look: Look) -> bool:
    ours, theirs = (_shared([token for token in tokens if not token.is_mark]) for tokens in look.sides)
    return ours != theirs


def _is_in_url(look: Look) -> bool:
    start = max(look.region.start - URL_REACH, 0)
    around = look.text[start : look.region.end + URL_REACH]
    return any(
        start + match.start() <= look.region.start and look.region.end <= start + match.end()
        for match in URL.finditer(around)
    )


def _has(kind: CharacterKind) -> Callable[[Look], bool]:
    """Return the rule that a character of the region is of ``kind``."""
    return lambda look: any(kind_of(each) is kind for each in look.characters)


def _has_one_script(look: Look) -> bool:
    scripts = scripts_in(look.characters)
    return len(scripts) == 1 and LATIN not in scripts


def _is_whole_in_one(look: Look) -> bool:
    ours, theirs = ([token for token in tokens if not token.is_mark] for tokens in look.sides)
    return _has(CharacterKind.LETTER)(look) and (len(ours) == 1) != (len(theirs) == 1)


def _is_long(look: Look) -> bool:
    return sum(kind_of(each) is CharacterKind.LETTER for each in look.characters) >= LONG_WORD


def _covered(spans: Iterable[Span]) -> frozenset[int]:
    return frozenset(place for span in spans for place in range(*span))


def _shared(tokens: Iterable[PlacedToken]) -> frozenset[int]:
    """Return the places of the characters that several tokens stand for."""
    seen: set[int] = set()
    shared: set[int] = set()
    for token in tokens:
        places = set(range(*token.core))
        shared |= seen & places
        seen |= places
    return frozenset(shared)


# The table -----------------------------------------------------------------------------------------------------------

IN_ITS_PLACE = Experiment("with a letter in its place", lambda text: " " * text.startswith(" ") + "a")
"""What is made of a region that another experiment leaves as it is: a word that every vocabulary has."""

KINDS: tuple[Kind, ...] = (
    Kind(
        "offsets",
        Group.OFFSETS,
        "the same tokens, cut alike; what differs is which characters they are said to stand for (trim_offsets)",
        lambda look: look.region.has_same_tokens,
    ),
    Kind(
        "unknown",
        Group.CHARACTERS,
        "one has its unknown token on characters where the other has not",
        _has_unknown,
    ),
    Kind(
        "dropped",
        Group.NORMALIZATION,
        "one has no token at all for characters that the other keeps",
        _is_dropped,
    ),
    Kind(
        "white space",
        Group.SPACES,
        "spaces, tabs, ends of lines, and nothing else",
        lambda look: look.characters.isspace(),
        (Experiment("with one space in its place", lambda _text: " "), IN_ITS_PLACE),
    ),
    Kind(
        "beginning of the text",
        Group.SPACES,
        "one cuts the beginning of a text as if a space stood before it, and behind a space both cut alike",
        lambda look: look.region.start == 0 and look.is_ignored_by_one(BEGINNING),
        (Experiment("behind a space", lambda text: f" {text}"),),
        decides=True,
    ),
    Kind(
        "case",
        Group.NORMALIZATION,
        "one ignores case, and in lower case both cut alike",
        _changes(CASE, str.lower),
        (Experiment("in lower case", str.lower),),
        decides=True,
    ),
    Kind(
        "accents",
        Group.NORMALIZATION,
        "one ignores accents, and without them both cut alike",
        _changes(ACCENTS, without_accents),
        (Experiment("without accents", without_accents),),
        decides=True,
    ),
    Kind(
        "case and accents",
        Group.NORMALIZATION,
        "one ignores case and accents, and in lower case without accents both cut alike",
        lambda look: look.is_ignored_by_one(CASE) and _changes(ACCENTS, without_accents)(look),
        (Experiment("in lower case without accents", lambda text: without_accents(text).lower()),),
        decides=True,
    ),
    Kind(
        "compatibility forms",
        Group.NORMALIZATION,
        "one ignores compatibility forms (ligatures, full width), and in NFKC both cut alike",
        _changes(COMPATIBILITY, compatibility_form),
        (Experiment("in NFKC", compatibility_form),),
        decides=True,
    ),
    Kind("emoji", Group.CHARACTERS, "an emoji or a pictograph", _has(CharacterKind.EMOJI)),
    Kind(
        "split characters",
        Group.CHARACTERS,
        "one needs several tokens for a character, its bytes, where the other does not",
        _has_split_characters,
    ),
    Kind(
        "digits",
        Group.SPLITTING,
        "a number, or a word with digits",
        _has(CharacterKind.NUMBER),
        (
            Experiment("with its digits apart", partial(apart, kind=CharacterKind.NUMBER), adds_spaces=True),
            IN_ITS_PLACE,
        ),
    ),
    Kind("addresses", Group.SPLITTING, "part of a URL or a mail address", _is_in_url),
    Kind(
        "punctuation",
        Group.SPLITTING,
        "punctuation or symbols, alone or with what they stand at (it's, co-operate)",
        _has(CharacterKind.PUNCTUATION),
        (
            Experiment("with its punctuation apart", partial(apart, kind=CharacterKind.PUNCTUATION), adds_spaces=True),
            IN_ITS_PLACE,
        ),
    ),
    Kind(
        "word-start mark",
        Group.SPACES,
        "the mark of a word's beginning (▁, Ġ) is a token of its own; without it both cut the word alike",
        _is_mark_alone,
    ),
    Kind("other scripts", Group.CHARACTERS, "letters of one script other than Latin", _has_one_script),
    Kind(
        "mixed scripts",
        Group.CHARACTERS,
        "letters of several scripts",
        lambda look: len(scripts_in(look.characters)) > 1,
    ),
    Kind(
        "rare words",
        Group.WORDS,
        "a word that is one token of one vocabulary and in pieces in the other",
        _is_whole_in_one,
    ),
    Kind("long words", Group.WORDS, f"a word of {LONG_WORD} letters and more, in pieces in both", _is_long),
    Kind("word pieces", Group.WORDS, "any other word, in pieces in both", _has(CharacterKind.LETTER)),
    Kind("other", Group.OTHER, "none of these", lambda _look: True),
)
"""Every kind, in the order in which they are tried."""
