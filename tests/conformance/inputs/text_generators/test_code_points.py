"""Sets of code points that regexes name are those that regexes take them for."""

from __future__ import annotations

import unicodedata
from collections import defaultdict

import pytest
import regex
from in_one_test import in_one_test

from tokenizer_conformance.inputs.text_generators.code_points import (
    EVERYTHING,
    SCRIPTS,
    SURROGATES,
    category,
    complement,
    ends,
    intersection,
    named,
    union,
)

EVERY = "".join(chr(number) for number in range(0x110000) if not 0xD800 <= number < 0xE000)


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("White_Space", r"\p{White_Space}"),
        ("space", "[[:space:]]"),
        ("blank", r"[[:blank:]]"),
        ("xdigit", "[0-9A-Fa-f]"),
        ("ascii", r"\p{ASCII}"),
        ("any", r"(?s:.)"),
    ],
)
def test_a_set_that_does_not_grow_is_what_others_take_it_for(name: str, pattern: str) -> None:
    ranges = named(name)
    assert ranges is not None
    found = tuple((ord(match[0][0]), ord(match[0][-1])) for match in regex.finditer(f"{pattern}+", EVERY))
    assert union(ranges, (SURROGATES,)) == union(found, (SURROGATES,))


GO_ON = set(map(chr, (0x89F, 0x250, 0xA7CB, 0x323B0)))
"""Characters beyond an end that are of the same script: of the next block, or assigned later."""


@in_one_test("script", SCRIPTS)
def test_blocks_of_a_script_begin_and_end_with_it(script: str) -> None:
    edges = {chr(edge) for block in SCRIPTS[script] for edge in block} - {"\u139f"}  # not assigned
    beyond = {chr(edge) for first, last in SCRIPTS[script] for edge in (first - 1, last + 1)} - GO_ON
    assert [hex(ord(edge)) for edge in edges if not regex.match(rf"\p{{Script={script}}}", edge)] == []
    assert [hex(ord(edge)) for edge in beyond if regex.match(rf"\p{{Script={script}}}", edge)] == []
    assert named(script) == SCRIPTS[script]


def test_categories_are_those_of_unicode_3_2() -> None:
    expected: dict[str, list[int]] = defaultdict(list)
    for number in range(0x110000):
        expected[unicodedata.ucd_3_2_0.category(chr(number))].append(number)
    for name in expected.keys() - {"Cn", "Co", "Cs"}:
        assert [each for first, last in category(name) for each in range(first, last + 1)] == expected[name], name


def test_sets_of_code_points() -> None:
    assert union(((5, 9),), ((1, 2), (3, 6)), ((20, 21),)) == ((1, 9), (20, 21))
    assert complement(complement(((0, 4), (7, 9)))) == ((0, 4), (7, 9))
    assert complement(EVERYTHING) == ()
    assert intersection(((1, 5), (8, 9)), ((4, 8),)) == ((4, 5), (8, 8))
    assert ends(((0x61, 0x63),)) == ["a", "c", "`", "d"]
    assert ends(((0xD700, 0xDFFF), (0x10FFF0, 0x10FFFF))) == [
        "\ud700",
        "\ud6ff",
        "\ue000",
        "\U0010fff0",
        "\U0010ffff",
        "\U0010ffef",
    ]
