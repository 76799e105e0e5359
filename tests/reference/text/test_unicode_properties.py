"""Every property name is known exactly where the target knows it, and means the same characters."""

from __future__ import annotations

import pytest
from in_one_test import in_one_test
from tokenizers import Regex, normalizers

from tokenizer_reference.text import unicode_properties, unicode_tables
from tokenizer_reference.text.code_point_sets import (
    MAX_CODE_POINT,
    Ranges,
    characters,
    complement,
    contains,
    difference,
    from_characters,
    intersection,
    size,
    union,
)
from tokenizer_reference.text.unicode_properties import unicode_property

SCALAR_VALUES: Ranges = ((0, 0xD7FF), (0xE000, MAX_CODE_POINT))
ALIASES = list(unicode_tables.PROPERTY_ALIAS)
LONG_NAMES = [name for name in unicode_properties._sets_by_lookup_name() if name not in unicode_tables.PROPERTY_ALIAS]


def matched_by_target(pattern: str, text: str) -> str:
    """Return the characters of ``text`` that ``pattern`` does not delete."""
    return normalizers.Replace(Regex(pattern), "").normalize_str(text)


def boundary_characters(ranges: Ranges) -> str:
    """Return the ends of every range and their neighbours outside."""
    ends = {near for first, last in ranges for near in (first - 1, first, last, last + 1)}
    return "".join(chr(end) for end in sorted(ends | {0x41}) if contains(SCALAR_VALUES, end))


def in_bracket(name: str) -> str:
    return rf"[^\p{{{name}}}]"


def test_all_families_are_there() -> None:
    assert len(unicode_tables.SCRIPT_16_0) == 170
    assert len(unicode_tables.BLOCK_16_0) > 300
    assert len(LONG_NAMES) > 600
    assert len(ALIASES) > 200


def test_every_name_means_what_it_means_to_the_target_where_its_ranges_end() -> None:
    different = []
    for name in [*LONG_NAMES, *ALIASES]:
        ranges = unicode_property(name)
        text = boundary_characters(ranges)
        expected = "".join(char for char in text if contains(ranges, ord(char)))
        if matched_by_target(in_bracket(name), text) != expected:
            different.append(name)
    assert different == []


@pytest.mark.slow
def test_every_name_means_what_it_means_to_the_target_for_all_characters() -> None:
    everything = "".join(chr(code_point) for first, last in SCALAR_VALUES for code_point in range(first, last + 1))
    different = []
    for name in LONG_NAMES:
        matched = from_characters(matched_by_target(in_bracket(name), everything))
        if matched != intersection(unicode_property(name), SCALAR_VALUES):
            different.append(name)
    assert different == []


def test_an_alias_has_the_set_of_the_name_it_stands_for() -> None:
    for alias, name in unicode_tables.PROPERTY_ALIAS.items():
        assert unicode_property(alias) == unicode_property(name)


@pytest.mark.parametrize("spelling", ["Lowercase_Letter", "lowercase letter", "LOWERCASE-LETTER", " L l ", "__ll"])
def test_blanks_underscores_hyphens_and_case_do_not_count(spelling: str) -> None:
    assert unicode_property(spelling) == unicode_property("Ll")
    assert matched_by_target(rf"\P{{{spelling}}}", "aA1") == "a"


@in_one_test(
    "name",
    # Properties with a value, prefixes of other syntaxes, blocks without In_, other versions, other alphabets.
    [
        *("", "L&", "Lx", "Script=Latin", "sc=Latn", "gc=L", "IsL", "Age=3.0", "Basic_Latin", "In_Arabic_PF"),
        *("Beria_Erfe", "Sidetic", "Grapheme_Cluster_Break", "Bidi_Mirrored", "Full_Composition_Exclusion"),
        *("XPosixPunct", "L\tu", "\N{KELVIN SIGN}haroshthi", "L\u00a0u"),
    ],
)
def test_a_name_that_the_target_refuses_is_a_key_error(name: str) -> None:
    with pytest.raises(KeyError) as refused:
        unicode_property(name)
    assert refused.value.args == (name,)
    with pytest.raises(Exception, match=r"invalid character property name"):
        Regex(rf"\p{{{name}}}")


def test_bare_word_has_six_numbers_that_bracketed_word_lacks() -> None:
    low = "".join(map(chr, range(0x250)))
    word = unicode_property("Word")
    bare = union(word, from_characters("²³¹¼½¾"))
    assert size(difference(bare, word)) == 6
    for pattern, ranges in [(r"\W", bare), (r"\P{Word}", bare), (r"[\W]", word), (r"[\P{Word}]", word)]:
        assert matched_by_target(pattern, low) == "".join(char for char in low if contains(ranges, ord(char)))


def test_a_category_and_its_parts_agree() -> None:
    for major in "CLMNPSZ":
        parts = [unicode_property(name) for name in [*unicode_tables.GENERAL_CATEGORY_16_0, "Cn"] if name[0] == major]
        assert unicode_property(major) == union(*parts)
    assert unicode_property("Assigned") == complement(unicode_property("Cn"))
    assert characters(unicode_property("Zl")) == {"\u2028"}
