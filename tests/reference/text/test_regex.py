"""The laws of `Regex`: its interface, its errors, what it does not support, and its two engines that agree."""

from __future__ import annotations

import doctest
import importlib
import json
import pkgutil
from functools import partial
from itertools import product
from random import Random

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st
from in_one_test import in_one_test
from published_regexes import PROSE, PUBLISHED

from tokenizer_reference import Tokenizer
from tokenizer_reference.errors import TokenizerFileError
from tokenizer_reference.text import oniguruma, regex
from tokenizer_reference.text.code_point_sets import characters, contains, from_characters
from tokenizer_reference.text.oniguruma import matcher
from tokenizer_reference.text.oniguruma.alphabets import BasicPlane, TooManyStandInsError
from tokenizer_reference.text.oniguruma.resolution import resolve
from tokenizer_reference.text.oniguruma.starts import needs
from tokenizer_reference.text.oniguruma.syntax_tree import CharacterSet, Text
from tokenizer_reference.text.pattern import tile
from tokenizer_reference.text.regex import (
    UNSUPPORTED,
    InvalidRegexError,
    Regex,
    RegexError,
    UnsupportedRegexError,
    _all_spans,
)

MODULES = [
    regex,
    *(importlib.import_module(f"{oniguruma.__name__}.{m.name}") for m in pkgutil.iter_modules(oniguruma.__path__)),
]


@in_one_test("module", MODULES)
def test_examples_in_docstrings_are_true(module: object) -> None:
    assert doctest.testmod(module).failed == 0


# Spans ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "text", "spans"),
    [
        ("", "ab", [(0, 0), (1, 1), (2, 2)]),
        ("", "", [(0, 0)]),
        ("x*", "axb", [(0, 0), (1, 2), (3, 3)]),
        ("|a", "a", [(0, 0), (1, 1)]),
        ("a|", "aab", [(0, 1), (1, 2), (3, 3)]),
        ("(?=a)|a", "aa", [(0, 0), (1, 1)]),
        ("a??", "aa", [(0, 0), (1, 1), (2, 2)]),
        (r"\b", "ab", [(0, 0), (2, 2)]),
        ("é", "aéé", [(1, 2), (2, 3)]),
        ("😀+", "a😀😀b", [(1, 3)]),
        (r"\Ga", "aaba", [(0, 1), (1, 2)]),
        (r"a\Kb", "abab", [(1, 2), (3, 4)]),
        (r"(?=ab\K)", "ab", [(0, 0)]),
    ],
)
def test_an_empty_match_after_a_match_is_skipped_with_its_place(
    pattern: str, text: str, spans: list[tuple[int, int]]
) -> None:
    assert Regex(pattern).spans(text) == spans


def test_a_regex_shows_its_pattern() -> None:
    assert Regex("a+").pattern == "a+"
    assert repr(Regex("a+")) == "Regex('a+')"


@pytest.mark.parametrize(
    ("pattern", "expected"), [("a", False), ("a*", True), ("a|", True), (r"\b", True), ("a+b?", False)]
)
def test_a_regex_knows_whether_it_can_match_nothing(pattern: str, expected: bool) -> None:
    assert Regex(pattern).can_match_nothing is expected


@pytest.mark.parametrize("text", ["it's 12 ok", "l'été 二十", "ok 😀👍 12 𝒳𐐀"])
def test_a_prepared_text_has_the_spans_of_the_text(text: str) -> None:
    gpt2 = Regex(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")
    compiled, prepared = gpt2.prepared(text)
    assert len(prepared) == len(text)
    assert [match.span() for match in compiled.finditer(prepared)] == gpt2.spans(text)


def test_a_pattern_that_re_has_no_equal_of_cannot_be_prepared() -> None:
    with pytest.raises(UnsupportedRegexError, match="`re` has nothing equal"):
        Regex(r"(a)\1").prepared("aa")


# Errors ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "position", "message"),
    [
        ("ab(c", 4, "a group is not closed"),
        ("ab)c", 2, "a closing parenthesis has no opening one"),
        ("ab|*", 3, "a quantifier has nothing to repeat"),
        ("a(?:^|b)+", 1, "a quantifier repeats what cannot be repeated"),
        (r"a\p{Nonsense}", 4, "there is no property 'Nonsense'"),
        ("ab[c", 2, "a bracket expression is not closed"),
        (r"a\k<b>", 4, "no capture before here is named 'b'"),
        ("a{200000}", 2, "a repetition has more than 100000 rounds"),
    ],
)
def test_an_error_tells_what_is_wrong_and_where(pattern: str, position: int, message: str) -> None:
    with pytest.raises(
        InvalidRegexError, match=f"^{message}, at position {position} of the regular expression"
    ) as caught:
        Regex(pattern)
    assert (caught.value.pattern, caught.value.position) == (pattern, position)


EXAMPLES_OF_UNSUPPORTED = {
    "(?~…)": [("a(?~b)", 1, r"an absent function, \(\?~…\),"), ("(?~|b|a)", 0, "an absent function")],
    "(?{…})": [("a(?{x})", 1, r"a callout, \(\?{…}\),")],
    "(*name)": [("b(*FAIL)", 1, r"a callout, \(\*name\),"), ("(?(*FAIL)a|b)", 0, "a callout as a condition")],
    r"\g<…>": [
        (r"(?<a>b\g<a>?)", 6, "a recursive call"),
        (r"a\g<0>?", 1, "a recursive call"),
        (r"x(?:\g<-1>|)y", 4, "a recursive call"),
    ],
    r"\k<name+1>": [(r"(a)\k<1+0>", 6, "a reference to a level of recursion")],
    "(?y{w})": [(rf"(?y{{w}})a\{letter}", 8, rf"\\{letter} for words") for letter in "XyY"],
    "(?L)": [("(?L)a|ab", 0, "the search for the longest match")],
    r"(?<=\K…)": [(r"a(?<=\Ka)b", 1, r"\\K in a look-behind")],
    "(?(a)b)c": [("x(?(a)b)c", 1, "a conditional without another side")],
    r"\xC1\x81": [(r"a\xc1\x81", 1, "a sequence of bytes that has the form of UTF-8")],
    "((((…))))": [("(" * 1000 + ")" * 1000, 0, "groups nested too deeply")],
}


@pytest.mark.parametrize("construct", UNSUPPORTED)
def test_an_unsupported_construct_is_named_with_its_position(construct: str) -> None:
    for pattern, position, named in EXAMPLES_OF_UNSUPPORTED[construct]:
        assert tokenizers.Regex(pattern) is not None  # the target takes it
        said = rf"^{named}.* (is|are) not supported, at position {position} of the regular expression"
        with pytest.raises(UnsupportedRegexError, match=said) as caught:
            Regex(pattern)
        assert caught.value.position == position


def test_every_example_is_of_an_unsupported_construct() -> None:
    assert EXAMPLES_OF_UNSUPPORTED.keys() == UNSUPPORTED.keys()


def test_a_file_with_an_unsupported_construct_is_refused_with_its_path() -> None:
    document = {
        "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "a(?~b)"}, "behavior": "Removed", "invert": False},
        "model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"},
    }
    with pytest.raises(TokenizerFileError, match=r"^\$\.pre_tokenizer.*\(\?~…\), is not supported, at position 1 of"):
        Tokenizer.from_str(json.dumps(document))


def test_errors_of_patterns_have_a_common_base() -> None:
    assert issubclass(InvalidRegexError, RegexError)
    assert issubclass(UnsupportedRegexError, RegexError)


# Stand-ins ------------------------------------------------------------------------------------------------------------

BEYOND = "\U00010000\U00010001𐐀𐐨😀𝒳\U0010ffff"


@given(
    st.lists(st.frozensets(st.sampled_from("ab\ud7ff\ue000\uffff" + BEYOND))), st.text(st.sampled_from("aé" + BEYOND))
)
def test_stand_ins_are_members_of_what_they_stand_for_members_of(sets: list[frozenset[str]], text: str) -> None:
    all_members = [from_characters(members) for members in sets]
    alphabet = BasicPlane(all_members)
    replaced = alphabet.replaced(text)
    assert len(replaced) == len(text)
    assert max(replaced, default="") <= "\uffff"
    for members in all_members:
        stand_ins = alphabet.restricted(members)
        for original, stand_in in zip(text, replaced, strict=True):
            assert contains(stand_ins, ord(stand_in)) is contains(members, ord(original))


def test_a_surrogate_in_a_pattern_matches_nothing() -> None:
    assert Regex(r"\x{D800}|[\x{D800}-\x{DFFF}]").spans("a😀") == []


def test_stand_ins_run_out() -> None:
    with pytest.raises(TooManyStandInsError):
        BasicPlane(from_characters(chr(0x10000 + number)) for number in range(3000))
    many = Regex("|".join(chr(0x10000 + number) for number in range(3000)))
    assert many.spans("a") == []
    with pytest.raises(UnsupportedRegexError, match="more characters beyond"):
        many.spans("é")


# Two engines ----------------------------------------------------------------------------------------------------------

TEXTS = st.text(st.sampled_from("aabBsSß1²_é中😀\U0001d4b3ﬁi- \r\n\u2028"), max_size=8)
ATOMS = st.sampled_from([
    "a", "b", "ab", "s", "ss", "é", "中", "😀", "1", "-", " ", r"\n", r"\R", r"\w", r"\W", r"\d", r"\s", r"\S", r"\h",
    ".",
    "^", "$", r"\b", r"\B", r"\A", r"\z", r"\Z", r"\p{L}", r"\P{Lu}", r"[a-z]", r"[^a\s]", r"[[:punct:]]",
    r"[\w&&[^1]]", r"\1", r"(?:a|b)", "(a)", r"a+b", r"\s*x",
])  # fmt: skip
QUANTIFIERS = st.sampled_from(
    ["*", "+", "?", "*?", "+?", "??", "*+", "++", "?+", "{2}", "{1,2}", "{,2}?", "{2,1}", "{0}"]
)
OPENINGS = st.sampled_from(["(", "(?:", "(?>", "(?=", "(?!", "(?<=", "(?<!", "(?i:", "(?m:"])


def _larger(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.lists(parts, max_size=3).map("".join),
        st.lists(parts, min_size=2, max_size=3).map("|".join),
        st.tuples(OPENINGS, parts).map(lambda group: f"{group[0]}{group[1]})"),
        st.tuples(parts, QUANTIFIERS).map(lambda repeat: f"(?>{repeat[0]}){repeat[1]}"),
        st.tuples(ATOMS, QUANTIFIERS).map("".join),
    )


PATTERNS = st.recursive(ATOMS, _larger, max_leaves=8)


@settings(max_examples=4 * settings.default.max_examples, deadline=None)
@given(PATTERNS, TEXTS)
def test_all_short_cuts_together_match_as_the_definition_does(pattern: str, text: str) -> None:
    try:
        compiled = Regex(pattern)
    except RegexError:
        return
    expected = _all_spans(partial(compiled._matcher.search, text), len(text))
    attempts = partial(compiled._matcher.match, text)
    assert compiled.spans(text) == expected
    assert _all_spans(compiled._starts.search(text, attempts), len(text)) == expected
    check_cuts(compiled, text)


def check_cuts(compiled: Regex, text: str) -> None:
    """Check that what is cut, and cut out, are the tiles between the matches."""
    tiles = tile(compiled.spans(text), len(text))
    assert compiled.cut(text) == [text[start:end] for start, end, is_match in tiles if is_match]
    assert compiled._cut_out(text) == [text[start:end] for start, end, _ in tiles if start < end]


@pytest.mark.parametrize("name", PUBLISHED)
def test_texts_are_cut_at_the_matches_of_published_patterns(name: str) -> None:
    compiled = Regex(PUBLISHED[name])
    rng = Random(name)
    for size in (0, 1, 2, 3, 5, 8, 40, 120) * 4:
        check_cuts(compiled, "".join(rng.choices(PROSE, k=size)))
        start = rng.randrange(len(PROSE))
        check_cuts(compiled, PROSE[start : start + size])
    check_cuts(compiled, PROSE * 3)


PASSING_OVER = [
    "a?b", "a*b", "a+b", "a+?b", "a*?b", "a{2,}b", "a++b", "a*+b", "(?>a+?)b", "(?>a*?)b", "(?>a{2,})b", "(a+)b",
    r"(a+)b\1", r"(a+)\1b", r"(a*)x\1b", "(a)?(?(1)b|x)", "(a+)(?(1)b|x)", "(?:a|b)*x", "(?:ab?)+x|b", "a+x|b+",
    "(?:ab)+x", r"\Ka+b", r"a+\Kb", r"\Ga+b", r"a+\Gb", r"\ba+b", r"a+\b", "(?<=a)a+b", "(?<=b)a*x", "a+(?<=aa)b",
    "a+(?<!aa)b", "a*(?!b)", "a+(?=b)", "a+$", "^a+b", "(?=a)b?x", "(?=.*x)a", "(?!.*x)a+b", "(?(a)b|x)",
    "(?(a+)b|x+)a", "a{0}b+x", "(?:a*b?){2}x", "[ab]+[bx]", "[ab]*x?b", "[^x]+x", "b??a", "(?:|a)b", "(?:a|)(?:b|x)",
]  # fmt: skip


TEXTS_OF_THREE = ["".join(chars) for size in range(6) for chars in product("abx", repeat=size)]
"""All texts of up to five characters of three."""


@in_one_test("pattern", PASSING_OVER)
def test_no_match_starts_at_a_place_that_is_passed_over(pattern: str) -> None:
    """In all texts of up to four characters of three, and in some of five."""
    compiled = Regex(pattern)
    for text in [*TEXTS_OF_THREE[:-243], *TEXTS_OF_THREE[-243::4]]:
        expected = _all_spans(partial(compiled._matcher.search, text), len(text))
        attempts = partial(compiled._matcher.match, text)
        assert _all_spans(compiled._starts.search(text, attempts), len(text)) == expected, text
        assert compiled.spans(text) == expected, text


LOOKING_FAR_BEHIND = [
    "(?<=ab*)x", "(?<!ab*)x", "(?<=a|bx+)b", "(?<!a.*)b", "(?<=x?a+)b", "(?<=[ab]x*)[ab]", "(?<=(?:ab|b)+)x",
    "(?<=^a+)b", "(?<!(?<=a)b+)x", "(?<=b?x+a*)b",
]  # fmt: skip


@pytest.mark.parametrize("pattern", LOOKING_FAR_BEHIND)
def test_a_look_behind_passes_over_nothing_that_matches(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = list(map(Regex(pattern).spans, TEXTS_OF_THREE))
    monkeypatch.setattr(matcher, "_starts_behind", lambda _: None)
    assert list(map(Regex(pattern).spans, TEXTS_OF_THREE)) == found


HOPELESS = [
    r"(a|a)*b", r"((a*)*)*b", r"(?:a?){40}b", r"(?:\w+\s?)+!", r"(a+)+(?=b)", r"(?:(a)|a)*\1c", r"(?:a|a)+x|(?:a|a)+y",
    r"(.)\1+b", r"(?>(?:a|a)*b)", r"(?i)(?:a|a)*foo",
]  # fmt: skip


@pytest.mark.parametrize("pattern", HOPELESS)
def test_what_every_match_needs_and_the_text_has_not_is_not_searched_for(pattern: str) -> None:
    """A search would take longer than anyone can wait; also in a text where it is not far from the start."""
    hopeless = "a" * 400
    assert Regex(pattern).spans(hopeless) == []
    assert Regex(pattern).spans("b!cxyfoo" + hopeless) == Regex(pattern).spans("b!cxyfoo")


@pytest.mark.parametrize(
    ("pattern", "needed"),
    [
        (r"\S+@\S+", ["@"]),
        (r"\D+\((?=x)", ["(", "x"]),
        ("a+x|b+y", ["xy"]),
        ("ab|cb|db", ["acd"]),
        ("a[bc]|d[bc]", ["bc", "ad"]),
        ("(?:ab)+[cd]?(?>e)", ["ab", "e"]),
        ("a*|x", []),
        ("(?<=x)a", ["a"]),
        ("(?!x)[^a]", []),
        ("(a)?(?(1)b|c)", ["bc"]),
        ("(?(a)b|c)", ["bc"]),
    ],
)
def test_what_a_pattern_needs(pattern: str, needed: list[str]) -> None:
    """Texts are written as they are, sets as their members."""
    assert ["".join(sorted(_written(need))) for need in needs(resolve(pattern))] == needed


@pytest.mark.parametrize(
    ("pattern", "is_worth_while"),
    [
        (r"\S+@\S+", True),
        (r"\d+\.", True),
        ("a+x|b+y", True),
        (r"\O?[cd]+b|a", True),
        (r"\O?[ac]+b|[ac]", False),  # what is repeated is needed: there is none behind the last place
        (PUBLISHED["DeepSeek V3"], False),
        (PUBLISHED["Llama 3"], False),
        ("abc", False),
    ],
)
def test_places_are_passed_over_where_that_saves_time(pattern: str, is_worth_while: bool) -> None:
    assert Regex(pattern)._starts.save_time is is_worth_while


def _written(need: Text | CharacterSet) -> str:
    return need.characters if isinstance(need, Text) else "".join(characters(need.members))


@settings(max_examples=2 * settings.default.max_examples, deadline=None)
@given(PATTERNS, st.text(st.characters(max_codepoint=0x7F), max_size=8))
def test_ascii_texts_need_no_more_than_ascii(pattern: str, text: str) -> None:
    try:
        compiled = Regex(pattern)
    except RegexError:
        return
    if compiled._is_translatable and not compiled.can_match_nothing:
        wider = compiled._compiled_for_basic_plane
        assert compiled.spans(text) == [match.span() for match in wider.finditer(text)]
