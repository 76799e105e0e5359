"""How each behaviour is seen: which component is asked, with which texts, and how its answers are read."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final

from tokenizer_conformance.inputs.random_tokenizers.charsmaps import charsmap
from tokenizer_conformance.research.unicode_audit.asking import Way
from tokenizer_conformance.research.unicode_audit.code_point_sets import NOTHING, SCALARS, CodePoints, union
from tokenizer_conformance.research.unicode_audit.documents import CannotAskError, Sentinels, charsmap_of, model_file
from tokenizer_conformance.research.unicode_audit.properties import (
    SCRIPT,
    TRIED,
    categories,
    combining_classes,
    single_characters,
    values_in,
)
from tokenizer_conformance.research.unicode_audit.rules import ANY_SCRIPT, FINAL_SIGMA, grouped, kana_as_han
from tokenizer_conformance.research.unicode_audit.sightings import (
    ClassesSeen,
    MappingSeen,
    SetSeen,
    Sighting,
    TextsSeen,
)
from tokenizer_conformance.research.unicode_audit.sweeps import (
    NO_ANSWER,
    Frame,
    Stand,
    checked_alone,
    held_together,
    mapping,
    removed,
    segments,
    stands,
    stands_alone,
    texts_changed,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tokenizer_adapters.contract import Span
    from tokenizer_conformance.research.unicode_audit.asking import Asker, Asking, Cuts
    from tokenizer_conformance.research.unicode_audit.documents import Added, Json
    from tokenizer_conformance.research.unicode_audit.sightings import Seen

ALONE: Final = Frame("|")


# Mappings -------------------------------------------------------------------------------------------------------------


def mapped(asking: Asking, *, normalizer: Json) -> Sighting:
    """See what a normalizer makes of each character between two bars."""
    return _mapped(asking, asking.normalized(normalizer))


def _mapped(asking: Asking, ask: Asker[str]) -> Sighting:
    values = mapping(ask, ALONE)
    seen = MappingSeen({at: value for at, value in values.items() if value != NO_ANSWER})
    return _checked(asking, seen, values, lambda alone: mapping(ask, Frame(""), alone, size=1))


def mapped_by_rule(asking: Asking, *, rule: str) -> Sighting:
    """See what the character map of a rule of SentencePiece makes of each character."""
    packed = charsmap_of(rule)
    normalizer = {"type": "Precompiled", "precompiled_charsmap": b64encode(packed).decode()}
    return _mapped(asking, asking.normalized(normalizer, model_file(packed)))


def _checked(
    asking: Asking, seen: Seen, values: Mapping[int, object], alone: Callable[[Sequence[int]], Mapping[int, object]]
) -> Sighting:
    """Return what was ``seen``, with what was answered otherwise when a sample and all edges were asked about alone."""
    chosen = checked_alone([CodePoints.of(values)])
    again = alone(chosen)
    return Sighting(
        seen,
        asking.way,
        CodePoints.of(at for at, value in values.items() if value in (NO_ANSWER, (NO_ANSWER,))),
        CodePoints.of(at for at in chosen if values.get(at) != again.get(at)),
        len(chosen),
    )


def _values_of(sighting: Sighting) -> Mapping[int, str]:
    return sighting.seen.values if isinstance(sighting.seen, MappingSeen) else {}


def becoming(
    asking: Asking, *, normalizer: Json, wanted: Mapping[str, Callable[[int, str], bool]]
) -> dict[str, Sighting]:
    """See which characters become what is ``wanted`` of each behaviour; a space becomes one, where it is left as it is.

    What becomes another character counts as answered otherwise.
    """
    seen = mapped(asking, normalizer=normalizer)
    values = {ord(" "): " ", **_values_of(seen)}
    return {
        name: replace(seen, seen=SetSeen(CodePoints.of(at for at, value in values.items() if is_wanted(at, value))))
        for name, is_wanted in wanted.items()
    }


def accents_stripped(asking: Asking, *, normalizer: Json) -> dict[str, Sighting]:
    """See which characters are deleted after decomposition, and what becomes of the others.

    Of a character that decomposes into deleted ones only, the parts tell what is deleted.
    """
    seen = mapped(asking, normalizer=normalizer)
    values = _values_of(seen)
    gone = CodePoints.of(at for at, value in values.items() if value == "")
    newest = single_characters("NFD", TRIED[-1])
    parts = CodePoints.of(at for at in gone if at in newest)
    # What is left of each character is judged as a decomposition: what is gone is put back where all versions have it.
    told = {at: _restored(at, value, newest, gone) for at, value in values.items() if at not in gone - parts}
    return {
        "BertNormalizer strip_accents": replace(seen, seen=SetSeen(gone)),
        "BertNormalizer strip_accents decomposition": replace(seen, seen=MappingSeen(told)),
    }


def _restored(at: int, value: str, newest: Mapping[int, str], gone: CodePoints) -> str:
    """Return the decomposition of a character where ``value`` is that without what is ``gone``; else ``value``."""
    full = newest.get(at)
    if full is not None and value == "".join(char for char in full if ord(char) not in gone):
        return full
    return value


# Between and beside added tokens --------------------------------------------------------------------------------------


def between_tokens(
    asking: Asking, *, normalizer: Json | None, frame: Frame, added: tuple[Added, ...], usual: tuple[str, ...]
) -> Sighting:
    """See with which characters a text between added tokens has other tokens than the ``usual`` ones.

    A bar is a word that the vocabulary has, and a bar with another character is unknown.
    """
    ask = asking.words(normalizer, ("|",), added)
    values = segments(ask, frame, usual)
    seen = SetSeen(CodePoints.of(at for at, value in values.items() if value != (NO_ANSWER,)))
    return _checked(asking, seen, values, lambda alone: segments(ask, frame, usual, alone, size=1))


# Pieces ---------------------------------------------------------------------------------------------------------------


def standing(
    asking: Asking,
    *,
    pre_tokenizer: Json,
    sentinels: Sentinels,
    wanted: Mapping[str, tuple[Stand, ...]],
    in_runs: bool = True,
) -> dict[str, Sighting]:
    """See which characters stand as each of ``wanted`` between two letters.

    Where characters stay together for other reasons than that they are alike, they are not asked about ``in_runs``.
    """
    ask = asking.cuts(pre_tokenizer, sentinels)
    found = stands(ask, sentinels, accepted=frozenset(Stand if in_runs else ()), sharing=asking.shows_pieces)
    # Where neighbours share a sentinel, it is the right one, too; which it is decides about jamo.
    alone_between = replace(sentinels, right=sentinels.left) if asking.shows_pieces else sentinels
    alone, contradicted = _standing_alone(ask, alone_between, found)
    return {
        name: Sighting(
            SetSeen(union(found[stand] for stand in members)),
            asking.way,
            found[Stand.UNKNOWN],
            contradicted,
            alone,
        )
        for name, members in wanted.items()
    }


def _standing_alone(
    ask: Asker[Cuts], sentinels: Sentinels, found: Mapping[Stand, CodePoints]
) -> tuple[int, CodePoints]:
    """Return how many characters were asked about alone, and which of them stand otherwise then."""
    chosen = checked_alone(found.values())
    alone, asked = stands_alone(ask, sentinels, chosen), CodePoints.of(chosen)
    return len(chosen), union(alone[stand] ^ (found[stand] & asked) for stand in Stand)


def byte_level(asking: Asking, *, letters: Sentinels, digits: Sentinels, symbols: Sentinels) -> dict[str, Sighting]:
    """See what the regex of ByteLevel takes for letters, numbers and white space."""
    pre_tokenizer = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": True}
    wanted = {"ByteLevel letters": letters, "ByteLevel numbers": digits, "ByteLevel white space": symbols}
    sights = {
        name: standing(asking, pre_tokenizer=pre_tokenizer, sentinels=sentinels, wanted={name: (Stand.JOINED,)})[name]
        for name, sentinels in wanted.items()
    }
    joined = union(sight.seen.members for sight in sights.values() if isinstance(sight.seen, SetSeen))
    sights["ByteLevel white space"] = replace(
        sights["ByteLevel white space"],
        seen=SetSeen(SCALARS - joined),
        contradicted=union(sight.contradicted for sight in sights.values()),
    )
    return sights


# Regexes --------------------------------------------------------------------------------------------------------------


def _split(regex: str) -> Json:
    return {"type": "Split", "pattern": {"Regex": regex}, "behavior": "Removed", "invert": False}


def _property(name: str) -> str:
    return f"\\p{{{name}}}"


def matched(asking: Asking, *, split: Json) -> Sighting:
    """See which characters the regex of a Split matches, which removes them."""
    ask = asking.kept(split)
    gone, lost = removed(ask)
    alone, contradicted = _matched_alone(ask, gone)
    return Sighting(SetSeen(gone), asking.way, lost, contradicted, alone)


def _matched_alone(ask: Asker[str], gone: CodePoints) -> tuple[int, CodePoints]:
    """Return how many characters were asked about alone, and over which of them the answer is another one then."""
    chosen = checked_alone([gone])
    again = CodePoints.of(
        at for at, answer in zip(chosen, ask(list(map(chr, chosen))), strict=True) if answer is not None and not answer
    )
    return len(chosen), again ^ (gone & CodePoints.of(chosen))


def regex_categories(asking: Asking) -> Sighting:
    """See the general category of each character."""
    return _classes(asking, sorted(categories(TRIED[-1])))


def regex_scripts(asking: Asking) -> Sighting:
    """See the script of each character, by the scripts whose names a regex may have."""
    return _classes(asking, sorted(script for script, found in values_in(SCRIPT, TRIED[-1]).items() if found))


def _accepted(asking: Asking, names: Sequence[str]) -> list[str]:
    """Return which of ``names`` a regex may have. Raises :class:`CannotAskError` where it may have none."""
    accepted: list[str] = []
    for number, name in enumerate(names):
        try:
            asking.kept(_split(_property(name)))
        except CannotAskError:
            if not accepted and number in (MOST_REFUSED, len(names) - 1):
                raise
        else:
            accepted.append(name)
    return accepted


MOST_REFUSED: Final = 20
"""After so many names that are refused, with none accepted, no further one is tried."""


def _classes(asking: Asking, known: Sequence[str]) -> Sighting:
    """See which of the properties with a ``known`` name each character has, in few sweeps.

    Each name has a number, and for each bit of it two regexes are asked, of the names that have it and of those that
    have it not: a character of one class answers to one of the two each time, one of no class to neither, and one of
    two classes somewhere to both.
    """
    names = _accepted(asking, known)
    found = dict.fromkeys(names, SCALARS)
    lost, contradicted, asked_alone = NOTHING, NOTHING, 0
    for bit in range(max(len(names) - 1, 1).bit_length()):
        for wanted in (0, 1):
            chosen = [name for number, name in enumerate(names) if number >> bit & 1 == wanted]
            if not chosen:
                continue
            ask = asking.kept(_split(f"[{''.join(map(_property, chosen))}]"))
            gone, unanswered = removed(ask)
            alone, otherwise = _matched_alone(ask, gone)
            lost, contradicted, asked_alone = lost | unanswered, contradicted | otherwise, max(alone, asked_alone)
            found |= {name: found[name] & gone for name in chosen}
    return Sighting(ClassesSeen(found), asking.way, lost, contradicted, asked_alone)


# Normal forms of marks and pairs --------------------------------------------------------------------------------------

HIGHEST: Final = 0x345
"""The mark of the highest combining class, 240."""

LOWEST: Final = 0x334
"""A mark of the lowest combining class, 1."""

MOST_OF_A_CLASS: Final = 3
"""How many marks of a class others are held against: should one of them be wrong, it is outvoted."""


def classes_of_marks(asking: Asking) -> Sighting:
    """See the combining class of each character that NFD leaves as it is, by the marks that it changes places with."""
    ask = asking.normalized({"type": "NFD"})
    asked = SCALARS - CodePoints.of(mapping(ask, ALONE))
    everyone = list(asked)
    moving = mapping(ask, replace(ALONE, before=chr(HIGHEST)), everyone)
    moving |= mapping(ask, replace(ALONE, after=chr(LOWEST)), everyone)
    marks = sorted(moving)
    return Sighting(ClassesSeen(grouped(_classes_of_marks(ask, marks)), asked), asking.way)


def _classes_of_marks(ask: Asker[str], marks: Sequence[int]) -> dict[int, str]:
    """Return the class of each of ``marks``: that of the known marks with which it never changes places."""
    # A mark that changes places with nothing tells nothing of others.
    moving = set(marks)
    known = {value: [at for at in found if at in moving] for value, found in _known_marks().items()}
    pairs = [(value, chr(other), at) for value, others in known.items() for other in others for at in marks]
    texts = [text for _, other, at in pairs for text in (other + chr(at), chr(at) + other)]
    changed = texts_changed(ask, texts, ALONE.between)
    alike: dict[int, dict[int, int]] = {at: {} for at in marks}
    for value, other, at in pairs:
        if other + chr(at) not in changed and chr(at) + other not in changed:
            alike[at][value] = alike[at].get(value, 0) + 1
    return {
        at: _voted({value: count for value, count in votes.items() if 2 * count > len(known[value])})
        for at, votes in alike.items()
    }


def _voted(votes: Mapping[int, int]) -> str:
    return " or ".join(map(str, sorted(votes))) or "another one"


@cache
def _known_marks() -> Mapping[int, tuple[int, ...]]:
    """Return the first marks of each combining class that are not decomposed, the longest known ones."""
    found: dict[int, list[int]] = {}
    decomposed = single_characters("NFD", TRIED[-1])
    for version in (TRIED[0], TRIED[-1]):
        for at, value in combining_classes(version).items():
            members = found.setdefault(value, [])
            if len(members) < MOST_OF_A_CLASS and at not in members and at not in decomposed:
                members.append(at)
    return {value: tuple(members) for value, members in found.items() if members}


def pairs_changed(asking: Asking, *, texts: Callable[[], tuple[str, ...]]) -> Sighting:
    """See which of pairs of characters NFC changes."""
    ask = asking.normalized({"type": "NFC"})
    return Sighting(TextsSeen(texts(), texts_changed(ask, texts(), ALONE.between)), asking.way)


def final_sigma(asking: Asking) -> Sighting:
    """See what becomes of texts with a capital sigma, each alone."""
    ask = asking.normalized({"type": "Lowercase"})
    texts = tuple(FINAL_SIGMA)
    values = {
        text: NO_ANSWER if answer is None else answer
        for text, answer in zip(texts, ask(texts), strict=True)
        if answer != text
    }
    return Sighting(TextsSeen(texts, values), asking.way)


# Scripts --------------------------------------------------------------------------------------------------------------

_LATIN: Final = Sentinels("a", "b", "|")
_GREEK: Final = Sentinels("\u03b1", "\u03b2", "|")
_MOST_REPRESENTATIVES: Final = 5


def unicode_scripts(asking: Asking) -> Sighting:
    """See the class of each character by the letters that it stays with in one piece.

    What stays with Latin and with Greek goes with every script. The others are held against letters of each script that
    any version gives them, and, where that fits none, against letters of all scripts.
    """
    ask = asking.cuts({"type": "UnicodeScripts"}, _LATIN)
    if not asking.shows_pieces:
        raise CannotAskError("shows no pieces, and the ids of bytes tell scripts apart for ASCII sentinels only")
    joined = frozenset({Stand.JOINED})
    latin = stands(ask, _LATIN, accepted=joined)[Stand.JOINED]
    every = stands(ask, _GREEK, list(latin), accepted=joined)[Stand.JOINED]
    members = {ANY_SCRIPT: every, "Latin": latin - every}
    left = SCALARS - latin
    letters = _letters(ask)
    for script, sentinels in letters.items():
        if script == "Latin":
            continue
        candidates = union(kana_as_han(version).get(script, NOTHING) for version in TRIED) & left
        members[script] = stands(ask, sentinels, list(candidates), accepted=joined)[Stand.JOINED]
    left -= union(members.values())
    for script, sentinels in letters.items():
        more = stands(ask, sentinels, list(left), accepted=frozenset())[Stand.JOINED]
        members[script] = members.get(script, NOTHING) | more
        left -= more
    members["another one"] = left
    return Sighting(ClassesSeen(members), asking.way)


def _letters(ask: Asker[Cuts]) -> dict[str, Sentinels]:
    """Return two characters of each script that stay in one piece, with what is between two blocks.

    Of the first members of a script those two are taken that stay with most of the others.
    """
    told = {}
    for script in kana_as_han(TRIED[-1]):
        if script == ANY_SCRIPT:
            continue
        versions = (kana_as_han(version).get(script, NOTHING) for version in TRIED)
        members = next((found for found in versions if found), NOTHING)
        first = [at for at, _ in zip(members, range(_MOST_REPRESENTATIVES), strict=False)]
        between = "a" if script == "Common" else "|"
        friends = {
            at: len(stands_alone(ask, Sentinels(chr(at), chr(at), between), first)[Stand.JOINED]) for at in first
        }
        left, *others = sorted(first, key=lambda at: -friends[at])
        told[script] = Sentinels(chr(left), chr(others[0] if others else left), between)
    return told


# Grapheme clusters ----------------------------------------------------------------------------------------------------


def precompiled(asking: Asking) -> dict[str, Sighting]:
    """See which characters share a cluster with a letter, by a character map that replaces that letter alone.

    A cluster that begins with a key is replaced as a whole, with the mark after it; of one that begins with something
    else each character is looked up, and the mark stays.
    """
    packed = b64encode(charsmap({"a": "Z"})).decode()
    ask = asking.normalized({"type": "Precompiled", "precompiled_charsmap": packed})
    after = Frame("|", before="a", becomes=("Z", ""))
    before = Frame("|", after="a\u0301", becomes=("", "Z"))
    return {
        "Precompiled extending": _seen_by(asking, ask, after, lambda _at, value: value == "Z"),
        "Precompiled prepending": _seen_by(asking, ask, before, lambda at, value: value == f"{chr(at)}Z\u0301"),
    }


def _seen_by(asking: Asking, ask: Asker[str], frame: Frame, is_member: Callable[[int, str], bool]) -> Sighting:
    values = mapping(ask, frame)
    members = CodePoints.of(at for at, value in values.items() if value != NO_ANSWER and is_member(at, value))
    return _checked(asking, SetSeen(members), values, lambda alone: mapping(ask, frame, alone, size=1))


CLUSTER: Final = {"type": "Split", "pattern": {"Regex": "\\X"}, "behavior": "Isolated", "invert": False}

LONG_CLUSTERS: Final = {"type": "Sequence", "pretokenizers": [CLUSTER, _split(r"\A[\s\S]\z")]}
"""Cuts the same clusters, and leaves out those of one character, which are nearly all of them."""

_BLANK: Final = "\n"
"""What no cluster goes over."""

_LETTER: Final = Sentinels("a", "b", _BLANK)

_JAMO: Final = {
    "Split \\X after a leading jamo": "\u1100",
    "Split \\X after an open syllable": "\uac00",
    "Split \\X after a closed syllable": "\uac01",
}


def regex_clusters(asking: Asking) -> dict[str, Sighting]:
    """See which characters share a cluster of a regex with letters, and with Hangul jamo and syllables."""
    ask = asking.cuts(CLUSTER, _LETTER)
    if not asking.shows_pieces:
        return _clusters_by_blocks(asking)
    try:
        ask_long = asking.spans(LONG_CLUSTERS)
    except CannotAskError:
        return _clusters_by_blocks(asking)
    told = _clusters(ask, ask_long, _LETTER, ("Split \\X extending", "Split \\X prepending"))
    for name, left in _JAMO.items():
        told |= _clusters(ask, ask_long, Sentinels(left, "b", _BLANK), (name,))
    return told


def _clusters(
    ask: Asker[Cuts], ask_long: Asker[list[Span]], sentinels: Sentinels, names: tuple[str, ...]
) -> dict[str, Sighting]:
    """See which characters share a cluster with a letter before them, and with one after them.

    Those of a sample and the edges are asked about alone, by all clusters.
    """
    *found, lost = held_together(ask_long, sentinels.left)
    chosen = checked_alone(found)
    alone, asked = stands_alone(ask, replace(sentinels, right=sentinels.left), chosen), CodePoints.of(chosen)
    wanted = zip(names, found, (Stand.LEFT, Stand.RIGHT), strict=False)
    return {
        name: Sighting(
            SetSeen(members),
            Way.STAGE,
            lost,
            ((alone[Stand.JOINED] | alone[stand]) ^ (members & asked)) | (alone[Stand.UNKNOWN] - lost),
            len(chosen),
        )
        for name, members, stand in wanted
    }


def _clusters_by_blocks(asking: Asking) -> dict[str, Sighting]:
    """See the same by all clusters: where those of one character cannot be left out, or no pieces are shown."""
    wanted = {
        "Split \\X extending": (Stand.JOINED, Stand.LEFT),
        "Split \\X prepending": (Stand.JOINED, Stand.RIGHT),
    }
    told = standing(asking, pre_tokenizer=CLUSTER, sentinels=_LETTER, wanted=wanted, in_runs=False)
    if asking.shows_pieces:
        for name, left in _JAMO.items():
            sentinels = Sentinels(left, "b", _BLANK)
            members = {name: (Stand.JOINED, Stand.LEFT)}
            told |= standing(asking, pre_tokenizer=CLUSTER, sentinels=sentinels, wanted=members, in_runs=False)
    return told
