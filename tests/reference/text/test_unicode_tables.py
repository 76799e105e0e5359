"""The generated tables: well formed, of the versions they claim, and consistent with each other."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import pytest

from tokenizer_reference.text import unicode_tables as tables
from tokenizer_reference.text.code_point_sets import (
    EMPTY,
    MAX_CODE_POINT,
    Ranges,
    contains,
    decode_mapping,
    decode_ranges,
    intersection,
    size,
    union,
)

FAMILIES = {
    name: value
    for name, value in vars(tables).items()
    if name.isupper() and isinstance(value, Mapping) and name != "PROPERTY_ALIAS"
}
MAPPINGS = {
    name: value
    for name, value in vars(tables).items()
    if name.startswith(("CANONICAL", "COMPATIBILITY", "CASE", "LOWERCASE", "UPPERCASE"))
}
SETS = {
    name: value
    for name, value in vars(tables).items()
    if name.isupper() and isinstance(value, str) and name not in MAPPINGS
} | {f"{family}[{name}]": table for family, values in FAMILIES.items() for name, table in values.items()}


def test_all_tables_are_found() -> None:
    assert (len(FAMILIES), len(MAPPINGS)) == (8, 7)
    assert len(SETS) > 800


def test_the_header_names_generator_sources_and_versions() -> None:
    assert tables.__doc__ is not None
    assert "tools/generate_unicode_tables.py" in tables.__doc__
    for version in ("8.0.0", "9.0.0", "16.0.0", "17.0.0"):
        assert f"@unicode/unicode-{version} " in tables.__doc__


def is_canonical(ranges: Ranges) -> bool:
    apart = all(left[1] + 1 < right[0] for left, right in pairwise(ranges))
    return bool(ranges) and apart and all(first <= last for first, last in ranges) and ranges[-1][1] <= MAX_CODE_POINT


def test_a_set_is_in_order_without_adjacent_ranges() -> None:
    assert [name for name, table in SETS.items() if not is_canonical(decode_ranges(table))] == []


@pytest.mark.parametrize("name", MAPPINGS)
def test_a_mapping_changes_every_character_it_has(name: str) -> None:
    mapping = decode_mapping(MAPPINGS[name])
    assert mapping
    assert list(mapping) == sorted(mapping)
    assert all(value and value != chr(key) for key, value in mapping.items())


@pytest.mark.parametrize(
    "family",
    sorted(FAMILIES.keys() - {"BINARY_PROPERTY_16_0"}),
)
def test_the_values_of_a_property_exclude_each_other(family: str) -> None:
    sets = [decode_ranges(table) for table in FAMILIES[family].values()]
    assert size(union(*sets)) == sum(map(size, sets))


# Totals from DerivedGeneralCategory.txt, DerivedCoreProperties.txt and emoji-data.txt of each version.
@pytest.mark.parametrize(
    ("table", "total"),
    [
        (tables.PUNCTUATION_8_0, 717),
        (tables.CONTROL_8_0, 65),
        (tables.FORMAT_8_0, 150),
        (tables.PRIVATE_USE_8_0, 137_468),
        (tables.NONSPACING_MARK_8_0, 1567),
        (tables.MARK_9_0, 2097),
        (tables.GENERAL_CATEGORY_16_0["Lo"], 136_477),
        (tables.GENERAL_CATEGORY_16_0["Lu"], 1858),
        (tables.GENERAL_CATEGORY_16_0["Nd"], 760),
        (tables.BINARY_PROPERTY_16_0["Alphabetic"], 142_759),
        (tables.BINARY_PROPERTY_16_0["White_Space"], 25),
        (tables.NUMBER_17_0, 1924),
        (tables.BINARY_PROPERTY_16_0["Extended_Pictographic"], 3537),
        (tables.EXTENDED_PICTOGRAPHIC_17_0, 2848),
    ],
)
def test_a_set_has_as_many_members_as_in_its_version(table: str, total: int) -> None:
    assert size(decode_ranges(table)) == total


def test_decompositions_are_of_characters_assigned_in_9() -> None:
    assigned = decode_ranges(tables.ASSIGNED_9_0)
    for name in ("CANONICAL_DECOMPOSITION_9_0", "COMPATIBILITY_DECOMPOSITION_9_0"):
        assert all(contains(assigned, code_point) for code_point in decode_mapping(MAPPINGS[name]))
    assert all(
        intersection(decode_ranges(table), assigned) == decode_ranges(table)
        for table in tables.COMBINING_CLASS_9_0.values()
    )


def subset(left: Ranges, right: Ranges) -> bool:
    return intersection(left, right) == left


def test_conjunct_classes_refine_grapheme_breaks_as_the_cluster_rules_assume() -> None:
    breaks = {name: decode_ranges(table) for name, table in tables.GRAPHEME_CLUSTER_BREAK_17_0.items()}
    conjuncts = {name: decode_ranges(table) for name, table in tables.INDIC_CONJUNCT_BREAK_17_0.items()}
    every_break = union(*breaks.values())
    assert subset(conjuncts["Linker"], breaks["Extend"])
    assert subset(conjuncts["Extend"], union(breaks["Extend"], breaks["ZWJ"]))
    assert intersection(conjuncts["Consonant"], every_break) == EMPTY
    assert intersection(decode_ranges(tables.EXTENDED_PICTOGRAPHIC_17_0), every_break) == EMPTY
