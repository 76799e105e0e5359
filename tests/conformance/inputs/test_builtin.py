"""The built-in inputs are complete, stable, and what their categories promise."""

from __future__ import annotations

import importlib.resources
import re
from collections import Counter

import pytest
from in_one_test import in_one_test

from tokenizer_conformance.inputs.builtin import SUFFIX, Category, builtin_categories, builtin_inputs
from tokenizer_conformance.inputs.text import Input

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
FILES = sorted(
    (
        file
        for file in (importlib.resources.files("tokenizer_conformance.inputs") / "categories").iterdir()
        if file.name.endswith(SUFFIX)
    ),
    key=lambda file: file.name.removesuffix(SUFFIX),
)
BY_ID = {input_.id: input_.text for input_ in builtin_inputs()}


def duplicates(values: list[str]) -> list[str]:
    return [value for value, count in Counter(values).items() if count > 1]


def test_there_are_many_inputs_of_many_categories() -> None:
    assert len(builtin_categories()) >= 60
    assert len(builtin_inputs()) >= 1200


def test_every_input_is_one_input_of_its_category() -> None:
    assert all(isinstance(input_, Input) for input_ in builtin_inputs())
    assert [input_.category for input_ in builtin_inputs()] == [
        category.name for category in builtin_categories() for _ in category.inputs
    ]


def test_categories_come_in_the_order_of_their_names_from_one_file_each() -> None:
    names = [category.name for category in builtin_categories()]
    assert names == sorted(names) == [file.name.removesuffix(SUFFIX) for file in FILES]


@pytest.mark.parametrize("category", builtin_categories(), ids=lambda category: category.name)
def test_a_category_is_named_described_and_not_empty(category: Category) -> None:
    assert SLUG.fullmatch(category.name)
    assert 40 <= len(category.note) <= 300
    assert category.note.endswith(".")
    assert "\n" not in category.note
    assert len(category.inputs) >= 4


def test_ids_are_unique_and_made_of_category_and_name() -> None:
    assert duplicates([input_.id for input_ in builtin_inputs()]) == []
    for input_ in builtin_inputs():
        category, _, name = input_.id.partition("/")
        assert category == input_.category
        assert SLUG.fullmatch(name), input_.id


def test_texts_are_unique() -> None:
    repeated = set(duplicates([input_.text for input_ in builtin_inputs()]))
    assert [input_.id for input_ in builtin_inputs() if input_.text in repeated] == []


@in_one_test("file", FILES)
def test_files_are_printable_ascii_so_that_nothing_can_normalize_a_text(
    file: importlib.resources.abc.Traversable,
) -> None:
    content = file.read_bytes()
    assert set(content) <= {0x0A, *range(0x20, 0x7F)}
    assert content.endswith(b"\n")


def test_every_general_kind_of_code_point_occurs() -> None:
    """All planes with characters, both sides of the surrogates, all White_Space, all C0 and C1 controls."""
    occurring = {ord(character) for text in BY_ID.values() for character in text}
    white_space = {
        *range(0x09, 0x0E),
        0x20,
        0x85,
        0xA0,
        0x1680,
        *range(0x2000, 0x200B),
        0x2028,
        0x2029,
        0x202F,
        0x205F,
        0x3000,
    }
    assert white_space <= occurring
    assert {*range(0x20), *range(0x7F, 0xA0)} <= occurring
    assert {*range(0x20, 0x7F)} <= occurring
    assert {0xD7FF, 0xE000, 0xFFFE, 0xFFFF, 0x10000, 0x10FFFF} <= occurring
    assert {code_point >> 16 for code_point in occurring} >= {0, 1, 2, 3, 14, 15, 16}


@pytest.mark.parametrize(
    ("id_", "text"),
    [
        ("empty/nothing", ""),
        ("whitespace/nbsp", "x\u00a0y \u00a0 z\u00a0\u00a0w\u00a0"),
        ("line-ends/crlf", "one\r\ntwo"),
        ("combining-marks/out-of-order", "a\u0301\u0323"),
        ("hangul-jamo/lvt", "\u1100\u1161\u11a8"),
        ("korean/decomposed", "\u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165"),
        ("quotes/tex-double", "``Quoted'' text"),
        ("emoji/family", "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"),
        ("special-tokens-in-place/mask-glued-both", "a<mask>b"),
        ("long-words/limit-in-a-sentence", "short " + "b" * 100 + " short"),
        ("long-runs/letter", "a" * 3000),
        ("noncharacters-and-boundaries/last", "a\U0010ffffb"),
        ("control/nul", "a\0b \0 c"),
    ],
)
def test_escapes_and_repeats_give_the_text_meant(id_: str, text: str) -> None:
    assert BY_ID[id_] == text


@pytest.mark.parametrize(
    ("name", "characters"), [("ninety-nine", 99), ("one-hundred", 100), ("one-hundred-and-one", 101)]
)
def test_the_words_about_the_wordpiece_limit_have_the_length_they_are_named_for(name: str, characters: int) -> None:
    assert len(BY_ID[f"long-words/{name}"]) == characters
    assert len(BY_ID[f"long-words/{name}-accented"]) == characters
