"""Generators of texts: every text by its number, all of Unicode in the sweeps, rare characters before common ones."""

from __future__ import annotations

import unicodedata
from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import pytest
from in_one_test import in_one_test

from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.inputs.text import lone_surrogate
from tokenizer_conformance.inputs.text_generators import mutations
from tokenizer_conformance.inputs.text_generators.characters import (
    CODE_POINTS,
    CURATED,
    in_order,
    representatives,
)
from tokenizer_conformance.inputs.text_generators.clusters import KINDS
from tokenizer_conformance.inputs.text_generators.generator import Generator, Material, Produced
from tokenizer_conformance.inputs.text_generators.pairs import count, pair
from tokenizer_conformance.inputs.text_generators.sweeps import FORMS, PACKED
from tokenizer_conformance.inputs.text_generators.table import TEXT_GENERATORS
from tokenizer_conformance.inputs.text_generators.unicode_ranges import ASSIGNED_IN, blocks, recently_assigned

if TYPE_CHECKING:
    from collections.abc import Callable

BY_NAME = {generator.name: generator for generator in TEXT_GENERATORS}
NOTHING = Material({})
LONGEST = 70_000


def made(name: str, material: Material = NOTHING) -> Produced:
    return BY_NAME[name].make(material)


def sample(produced: Produced, size: int) -> list[int]:
    """Return numbers of texts, the first and the last among them."""
    last = 10_000 if produced.count is None else produced.count - 1
    return sorted({last * index // (size - 1) for index in range(size)})


@in_one_test("generator", TEXT_GENERATORS)
def test_a_text_is_named_by_its_number(generator: Generator) -> None:
    once, again = generator.make(NOTHING), generator.make(Material({"model": {}}))
    numbers = sample(once, 60)
    texts = {number: once.text(number) for number in numbers}
    assert {number: again.text(number) for number in reversed(numbers)} == texts, "whatever was made before"
    assert len(set(texts.values())) > len(texts) * 0.6
    assert all(lone_surrogate(text) is None and len(text) <= LONGEST for text in texts.values())
    assert generator.note


def test_names_are_unique() -> None:
    assert len(BY_NAME) == len(TEXT_GENERATORS)


@in_one_test("generator", TEXT_GENERATORS)
def test_what_is_drawn_depends_on_the_seed_and_what_is_counted_does_not(generator: Generator) -> None:
    first, second = (generator.make(Material({}, seed=seed)) for seed in (0, 1))
    texts = [[produced.text(number) for number in range(20)] for produced in (first, second)]
    assert (texts[0] == texts[1]) == (first.count is not None)


@pytest.mark.parametrize("form", FORMS)
def test_a_sweep_has_every_code_point_in_its_place(form: str) -> None:
    produced = made(f"sweep, {form}")
    assert produced.count == CODE_POINTS
    first = in_order()[0]
    assert produced.text(0) == FORMS[form].replace("{}", chr(first))
    with pytest.raises(IndexError):
        produced.text(CODE_POINTS)


@pytest.mark.long
def test_packed_texts_have_all_code_points_between_them() -> None:
    produced = made("packed sweep, between letters")
    assert produced.count is not None
    assert produced.count == -(-CODE_POINTS // PACKED)
    found: set[str] = set()
    for number in range(produced.count):
        found.update(produced.text(number)[1::4])
    assert len(found) == CODE_POINTS


def test_u_0000_stands_where_it_hides_no_other_character() -> None:
    packed = made("packed sweep, alone")
    assert packed.count is not None
    assert packed.text(packed.count - 1).endswith("\x00")
    pairs = made("packed pairs")
    assert pairs.count is not None
    assert not any("\x00" in pairs.text(number) for number in range(0, pairs.count, 7))
    assert any("\x00" in made("ends of texts").text(number) for number in range(50))


def test_every_ordered_pair_of_representatives_comes_once() -> None:
    pairs = {pair(number) for number in range(count())}
    characters = representatives()
    assert len(pairs) == len(characters) ** 2
    assert set(CURATED) <= set(characters)
    assert len({unicodedata.category(character) for character in characters}) == 29


def test_pairs_of_many_characters_come_early() -> None:
    early = "".join(pair(number) for number in range(2000))
    assert len(set(early)) > 0.9 * len(representatives())


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_kind_of_cluster_is_not_one_text(kind: object) -> None:
    assert callable(kind)
    texts = {kind(Random(seed)) for seed in range(40)}
    assert len(texts) > 5
    assert "" not in texts


def test_clusters_are_cut_too() -> None:
    produced = made("grapheme clusters")
    texts = [produced.text(number) for number in range(600)]
    assert any(text.endswith("\u200d") for text in texts)
    assert any(text.startswith("\u200d") for text in texts)
    assert any(sum(map(bool, map(unicodedata.combining, text))) > 20 for text in texts)


@pytest.mark.parametrize("change", dict.fromkeys(mutations.CHANGES), ids=lambda change: change.__name__)
def test_a_change_changes_most_texts_and_takes_every_text(change: object) -> None:
    assert callable(change)
    text = "Straße, Cafe\u0301 ﬁné क्ष 👩\u200d💻 go ﬃ"
    changed = [change(Random(seed), text, "another text") for seed in range(40)]
    assert sum(each != text for each in changed) > 10
    for short in ("", "a", "\u0301"):
        assert isinstance(change(Random(1), short, ""), str)


def test_real_texts_are_changed_where_there_are_any() -> None:
    material = Material({}, ("zebra crossing " * 100, "quokka"))
    texts = [made("changed real text", material).text(number) for number in range(60)]
    assert sum("zebra" in text.casefold() or "quokka" in text.casefold() for text in texts) > 30
    assert max(map(len, texts)) < 800
    assert not any("zebra" in made("changed real text").text(number) for number in range(60))


@pytest.mark.parametrize(
    ("name", "property_"),
    [
        ("random, by block", lambda character: ord(character) >> 8),
        ("random, by category", unicodedata.category),
        ("random, by script", lambda character: unicodedata.name(character, "").partition(" ")[0]),
    ],
)
def test_a_random_text_is_mostly_of_one_group_and_the_groups_go_round(
    name: str, property_: Callable[[str], object]
) -> None:
    produced = made(name)
    commonest = []
    for number in range(150):
        found = Counter(property_(each) for each in produced.text(number) if each not in " a.0\n")
        commonest += [group for group, times in found.most_common(1) if times > 0.6 * found.total()]
    assert len(commonest) > 75
    assert len(set(commonest)) > 25


def test_built_in_inputs_are_all_there() -> None:
    produced = made("built-in inputs")
    assert produced.count == len(builtin_inputs())
    assert produced.text(3) == builtin_inputs()[3].text


def test_blocks_have_every_code_point_but_surrogates() -> None:
    assert sum(map(len, blocks())) == CODE_POINTS
    assert all(len(block) % 16 == 0 for block in blocks())


def test_what_is_recently_assigned_is_what_this_python_knows_of_it() -> None:
    host = tuple(map(int, unicodedata.unidata_version.split(".")[:2]))
    known = [version for version in ASSIGNED_IN if tuple(map(int, version.split("."))) <= host]
    runs = [range(int(run[0], 16), int(run[-1], 16) + 1) for of in known for run in map(_ends, ASSIGNED_IN[of].split())]
    assert all(unicodedata.category(chr(each)) != "Cn" for run in runs for each in run)
    later = {each for run in recently_assigned() for each in run}.difference(*runs)
    assert all(unicodedata.category(chr(each)) == "Cn" for each in later)


def _ends(written: str) -> list[str]:
    return written.split("-")
