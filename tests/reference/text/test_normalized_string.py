"""The aligned text: worked cases, laws, and random sequences of changes against `tokenizers.NormalizedString`."""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path
from typing import Any

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_reference import NormalizedString, Regex
from tokenizer_reference.errors import UpstreamPanicError
from tokenizer_reference.text import normalization
from tokenizer_reference.text.normalized_string import Region, origins_of

sys.path.insert(0, str(Path(__file__).parents[1] / "material"))  # test folders are not packages

from both_sides import outcome
from hostile_texts import CHARACTERS, hostile_texts

Change = tuple[str, int]

# Worked cases ---------------------------------------------------------------------------------------------------------

CHANGES: list[tuple[str, str, list[tuple[Any, ...]], str, list[tuple[int, int]]]] = [
    ("a composition stands for its first character", "e\u0301x", [("nfc",)], "éx", [(0, 1), (2, 3)]),
    ("a decomposition shares one character", "éx", [("nfd",)], "e\u0301x", [(0, 1), (0, 1), (1, 2)]),
    (
        "reordered marks keep the places, not the ranges",
        "à\u0323x",
        [("nfd",)],
        "a\u0323\u0300x",
        [(0, 1), (1, 2), (1, 2), (2, 3)],
    ),
    (
        "a replacement stands for the last replaced character",
        "abcd",
        [("replace", "ab", "XYZ")],
        "XYZcd",
        [(1, 2), (1, 2), (1, 2), (2, 3), (3, 4)],
    ),
    ("so does one for a run", "a   b", [("replace", Regex(r"\s+"), " ")], "a b", [(0, 1), (3, 4), (4, 5)]),
    (
        "an insertion at the start stands for nothing",
        "Hi",
        [("replace", Regex("^"), "A")],
        "AHi",
        [(0, 0), (0, 1), (1, 2)],
    ),
    (
        "one at the end stands for the last character",
        "Hi",
        [("replace", Regex("$"), "!")],
        "Hi!",
        [(0, 1), (1, 2), (1, 2)],
    ),
    ("prepended text stands for the first character", "ab", [("prepend", "▁")], "▁ab", [(0, 1), (0, 1), (1, 2)]),
    ("appended text stands for the last one", "ab", [("append", "xy")], "abxy", [(0, 1), (1, 2), (1, 2), (1, 2)]),
    ("nothing is prepended to nothing", "", [("prepend", "▁")], "", []),
    ("but something is appended", "", [("append", "x")], "x", [(0, 0)]),
    ("prepending nothing takes the first range away", "ab", [("prepend", "")], "ab", [(0, 0), (1, 2)]),
    (
        "a dotted capital I is two characters in lower case",
        "aİ",
        [("lowercase",)],
        "ai\u0307",
        [(0, 1), (1, 2), (1, 2)],
    ),
    ("no final sigma", "ΑΣ", [("lowercase",)], "ασ", [(0, 1), (1, 2)]),
    ("a sharp s is two characters in upper case", "ßa", [("uppercase",)], "SSA", [(0, 1), (0, 1), (1, 2)]),
    ("stripping keeps the ranges", "\u3000 a ", [("strip",)], "a", [(2, 3)]),
    ("U+001C is no white space", "\x1ca", [("strip",)], "\x1ca", [(0, 1), (1, 2)]),
    ("clearing leaves nothing", "ab", [("clear",)], "", []),
    ("an empty literal matches nothing", "abc", [("replace", "", "-")], "abc", [(0, 1), (1, 2), (2, 3)]),
]


@pytest.mark.parametrize(
    ("text", "changes", "normalized", "alignment"), [case[1:] for case in CHANGES], ids=[c[0] for c in CHANGES]
)
def test_changes(text: str, changes: list[tuple[Any, ...]], normalized: str, alignment: list[tuple[int, int]]) -> None:
    string = NormalizedString(text)
    for name, *arguments in changes:
        getattr(string, name)(*arguments)
    assert (string.normalized, string.alignment()) == (normalized, alignment)
    assert (str(string), string.original) == (normalized, text)


def test_a_whole_text_change_after_an_insertion_at_the_start_is_an_error() -> None:
    string = NormalizedString("Hello")
    string.replace(Regex("^"), "A")
    with pytest.raises(UpstreamPanicError, match="index out of bounds"):
        string.lowercase()


def test_a_piece_that_stands_for_nothing_is_doubled() -> None:
    string = NormalizedString("Hello")
    string.replace(Regex("^"), "A")
    piece = string.slice((0, 1))
    assert piece is not None
    piece.lowercase()
    assert (piece.normalized, piece.original) == ("aA", "")


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        (0, "h"),
        (-6, "h"),  # the text has six bytes
        (-1, None),
        (100, None),
        ((1, 3), "él"),
        ((2, 100), "llo"),
        ((3, 1), "lo"),  # as if there were no end
        ((5, 5), None),
        ((4, 4), ""),
        (slice(1, 3), "él"),
        (slice(None, None, 2), "héllo"),  # the step is not looked at
        (slice(-2, None), "o"),
    ],
)
def test_ranges_of_the_public_api(index: Any, expected: str | None) -> None:
    ours, theirs = NormalizedString("héllo")[index], tokenizers.NormalizedString("héllo")[index]
    assert (None if ours is None else ours.normalized) == expected
    assert (None if theirs is None else theirs.normalized) == expected


def test_an_index_below_the_first_byte_is_an_error() -> None:
    with pytest.raises(ValueError, match="7 is bigger than max len"):
        NormalizedString("héllo")[-7]


@pytest.mark.parametrize("index", [(0, 1, 2), "a", (-1, 2), None])
def test_what_is_no_range_is_an_error(index: Any) -> None:
    with pytest.raises(TypeError, match="expected an index"):
        NormalizedString("héllo")[index]


def test_map_takes_one_character_for_one() -> None:
    string = NormalizedString("aé")
    string.map(lambda char: f"{char.upper()}x")
    assert (string.normalized, string.alignment()) == ("AÉ", [(0, 1), (1, 2)])


def test_map_needs_a_character() -> None:
    with pytest.raises(UpstreamPanicError, match="empty string"):
        NormalizedString("ab").map(lambda _: "")


def test_for_each_sees_every_character() -> None:
    seen: list[str] = []
    NormalizedString("aé").for_each(seen.append)
    assert seen == ["a", "é"]


def test_pieces_know_their_place_in_the_whole_text() -> None:
    string = NormalizedString("aéb")
    string.nfd()
    piece = string.cut([(2, 4)])[0]
    assert (piece.normalized, piece.original, piece.source, piece.begin) == ("\u0301b", "éb", "aéb", 1)
    assert piece.original_range(0, 1) == (1, 2)
    assert piece.alignment() == [(1, 2), (2, 3)]


def test_a_change_of_a_piece_leaves_the_others_alone() -> None:
    string = NormalizedString("aé éb")
    string.nfd()
    left, right = string.split(" ", "removed")
    left.prepend("xy")
    assert (right.normalized, right.alignment()) == ("e\u0301b", [(3, 4), (3, 4), (4, 5)])
    assert string.alignment()[:2] == [(0, 1), (1, 2)]


@pytest.mark.parametrize(("text", "pieces"), [("abc", ["abc"]), ("é b", ["é "]), ("", [""])])
def test_splitting_at_an_empty_literal_counts_characters_as_bytes(text: str, pieces: list[str]) -> None:
    assert [piece.normalized for piece in NormalizedString(text).split("", "isolated")] == pieces
    assert [piece.normalized for piece in tokenizers.NormalizedString(text).split("", "isolated")] == pieces


def test_splitting_at_an_empty_literal_inside_a_character_is_an_error() -> None:
    with pytest.raises(UpstreamPanicError, match="inside a character"):
        NormalizedString("ééé").split("", "isolated")


# Random changes against the target ------------------------------------------------------------------------------------

REGEXES = ("a+", "b*", "^", "$", "x?", "[ab]", r"\s+", ".")
PLAIN_CHANGES = ("lowercase", "uppercase", "nfc", "nfd", "nfkc", "nfkd", "lstrip", "rstrip", "strip", "clear")
BEHAVIORS = ("removed", "isolated", "contiguous", "merged_with_next", "merged_with_previous")


def random_change(source: random.Random) -> tuple[Any, ...]:
    def text(longest: int) -> str:
        return "".join(source.choices(CHARACTERS, k=source.randint(0, longest)))

    match source.randrange(12):
        case 0:
            return "prepend", text(2)
        case 1:
            return "append", text(2)
        case 2:
            return "replace", source.choice(["a", "b", "ab", "", " ", "é"]), text(3)
        case 3:
            return "replace regex", source.choice(REGEXES), text(2)
        case 4:
            return "filter", "".join(source.choices(CHARACTERS, k=3))
        case 5:
            return "map", source.choice("ab é"), source.choice("xé京")
        case 6:
            return "slice", source.choice([0, 0, 1]), source.randint(1, 8)
        case 7:
            return "split", source.choice([" ", "a", "ab", ""]), source.choice(BEHAVIORS), source.randrange(4)
        case _:
            return (source.choice(PLAIN_CHANGES[: -1 if source.random() < 0.9 else None]),)


def changed(string: Any, change: tuple[Any, ...], regex: Any) -> Any:
    """Apply ``change`` to a string of either side and return what to go on with, or None."""
    match change:
        case "replace regex", pattern, content:
            string.replace(regex(pattern), content)
        case "filter", dropped:
            string.filter(lambda char: char not in dropped)
        case "map", old, new:
            string.map(lambda char: new if char == old else char)
        case "slice", start, end:
            return string[start, end]
        case "split", pattern, behavior, index:
            pieces = string.split(pattern, behavior)
            return pieces[index % len(pieces)] if pieces else None
        case name, *arguments:
            getattr(string, name)(*arguments)
    return string


def everything_visible(string: Any) -> list[tuple[str, str]]:
    """Return the texts, and for each character the original of that character and of all from it on."""
    size = len(string.normalized)
    spans = [(start, end) for start in range(size) for end in (start + 1, size)]
    pieces = [string, *(string[span] for span in spans)]
    return [(piece.original, piece.normalized) for piece in pieces]


def test_random_changes_agree_with_tokenizers() -> None:
    source = random.Random(5)
    panics = 0
    for text in hostile_texts(seed=6, count=500):
        ours: Any = NormalizedString(text)
        theirs: Any = tokenizers.NormalizedString(text)
        made = []
        for _ in range(source.randint(1, 5)):
            change = random_change(source)
            made.append(change)
            ours = outcome(lambda change=change, string=ours: changed(string, change, Regex))
            theirs = outcome(lambda change=change, string=theirs: changed(string, change, tokenizers.Regex))
            if isinstance(ours, str) or isinstance(theirs, str):
                panics += 1
                assert ours == theirs, (text, made)
                break
            assert (ours is None) == (theirs is None), (text, made)
            if ours is None:
                break
            assert everything_visible(ours) == everything_visible(theirs), (text, made)
    assert panics, "no change made the target panic: the comparison of panics is empty"


# Laws -----------------------------------------------------------------------------------------------------------------

texts = st.text(
    st.sampled_from([char for char in CHARACTERS if len(char) == 1]) | st.characters(codec="utf-8"), max_size=12
)
forms = st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"])


def with_an_alignment(text: str, prefix: str) -> NormalizedString:
    """Return ``text`` aligned in another way than one to one, if ``prefix`` is not empty."""
    string = NormalizedString(text)
    if prefix:
        string.prepend(prefix)
    return string


def state(string: NormalizedString) -> tuple[str, list[tuple[int, int]]]:
    return string.normalized, string.alignment()


@given(texts, st.sampled_from(["", "ﬁé"]), forms)
def test_normal_forms_are_the_transform_by_their_changes(text: str, prefix: str, form: normalization.Form) -> None:
    fast, plain = with_an_alignment(text, prefix), with_an_alignment(text, prefix)
    getattr(fast, form.lower())()
    plain.transform(normalization.changes(plain.normalized, form) or [(char, 0) for char in plain.normalized])
    assert state(fast) == state(plain)


@given(texts, st.sampled_from(["", "aa"]), st.sets(st.sampled_from("a\u0301 Zéİ\U0001f600"), min_size=1))
def test_removing_is_filtering(text: str, prefix: str, removed: set[str]) -> None:
    fast, plain = with_an_alignment(text, prefix), with_an_alignment(text, prefix)
    fast.remove(re.compile(f"[{''.join(removed)}]+"))
    plain.filter(lambda char: char not in removed)
    assert state(fast) == state(plain)


@given(texts, st.sampled_from(["", "ßİ"]), st.sampled_from(["lowercase", "uppercase"]))
def test_case_is_mapped_character_by_character(text: str, prefix: str, name: str) -> None:
    from tokenizer_reference.text import characters

    whole, plain = with_an_alignment(text, prefix), with_an_alignment(text, prefix)
    getattr(whole, name)()
    mapping = getattr(characters, name)
    plain.transform([(new, int(index > 0)) for char in plain.normalized for index, new in enumerate(mapping(char))])
    assert state(whole) == state(plain)


@st.composite
def texts_with_regions(draw: st.DrawFn) -> tuple[str, list[tuple[int, int, list[Change]]]]:
    """Draw a text and ranges of it, each with changes that are through with the range at its end."""
    text = draw(st.text("abcé", min_size=1, max_size=10))
    regions = []
    at = 0
    while at < len(text):
        start = draw(st.integers(at, len(text)))
        size = draw(st.integers(0, len(text) - start))
        cuts = sorted(draw(st.sets(st.integers(1, size), max_size=3)) | {size}) if size else []
        changes = [("X", 1)] * draw(st.integers(0, 2))
        last = 0
        for cut in cuts:
            changes += [("Y", last + 1 - cut), *[("Z", 1)] * draw(st.integers(0, 2))]
            last = cut
        regions.append((start, start + size, changes))
        at = start + size + 1
    return text, regions


@given(texts_with_regions(), st.booleans())
def test_rewriting_regions_is_the_transform_of_the_whole(
    drawn: tuple[str, list[tuple[int, int, list[Change]]]], shared: bool
) -> None:
    text, regions = drawn
    prefix = "p" if shared else ""
    fast, plain = with_an_alignment(text, prefix), with_an_alignment(text, prefix)
    shift = len(prefix)
    old = plain.normalized
    local: list[Region] = [(start + shift, end + shift, *origins_of(changes)) for start, end, changes in regions]
    whole: list[Change] = []
    done = 0
    for start, end, changes in regions:
        whole += [(char, 0) for char in old[done : start + shift]]
        whole += changes
        done = end + shift
    whole += [(char, 0) for char in old[done:]]
    fast.rewrite(local)
    plain.transform(whole)
    assert state(fast) == state(plain)


@given(texts, st.sampled_from(["", "xy"]), st.sampled_from(PLAIN_CHANGES[:-1]))
def test_ranges_lie_in_the_text_and_never_go_back(text: str, prefix: str, name: str) -> None:
    string = with_an_alignment(text, prefix)
    getattr(string, name)()
    alignment = string.alignment()
    assert all(0 <= start <= end <= len(text) for start, end in alignment)
    assert alignment == sorted(alignment)


@given(texts, forms)
def test_pieces_of_all_characters_put_together_are_the_text(text: str, form: normalization.Form) -> None:
    string = NormalizedString(text)
    getattr(string, form.lower())()
    pieces = string.cut([(at, at + 1) for at in range(len(string.normalized))])
    assert "".join(piece.normalized for piece in pieces) == string.normalized
    assert [span for piece in pieces for span in piece.alignment()] == string.alignment()
