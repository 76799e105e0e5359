"""What normalizers vouch for, beside their definition: a covered text becomes the answers for its characters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nested_pipelines import ALWAYS, PIECES, nested_normalizer, replaced_strings, text_of

from tokenizer_conformance.inputs.random_tokenizers.charsmaps import charsmap
from tokenizer_reference import normalizers
from tokenizer_reference.json_text.value import JsonValue
from tokenizer_reference.normalizers.base import NORMALIZER
from tokenizer_reference.normalizers.locality import Locality, in_order, unchanged, unknown
from tokenizer_reference.text.normalized_string import NormalizedString

if TYPE_CHECKING:
    from random import Random

    from tokenizer_reference.normalizers import Normalizer


def covered_part(locality: Locality, text: str) -> str:
    """Return the characters of ``text`` that have an answer, or nothing if they hold a literal."""
    covered = "".join(char for char in text if locality.of(char) is not None)
    return "" if any(literal in covered for literal in locality.literals) else covered


def check(normalizer: Normalizer, text: str) -> None:
    """Compare what is vouched for with the definition."""
    locality = normalizer._locality()
    assert locality is not None
    covered = covered_part(locality, text)
    answers = [locality.of(char) or "" for char in covered]
    normalized = NormalizedString(covered)
    normalizer._normalize(normalized)
    prefix = locality.prefix if covered else ""
    expected = [(0, 1)] * len(prefix) + [(at, at + 1) for at, made in enumerate(answers) for _ in made]
    assert normalized.normalized == prefix + "".join(answers), covered
    assert normalized.alignment() == expected, covered


@settings(max_examples=200)
@given(rng=st.randoms(use_true_random=True))
def test_a_covered_text_becomes_the_answers_for_its_characters(rng: Random) -> None:
    document = nested_normalizer(rng)
    normalizer = NORMALIZER.read(JsonValue(document))
    strings = [*ALWAYS, *rng.sample(PIECES, 8), *replaced_strings(document)]
    for _ in range(20):
        check(normalizer, text_of(rng, strings, 200))


# The composition -----------------------------------------------------------------------------------------------------


def answers(locality: Locality | None, characters: str) -> list[str | None]:
    assert locality is not None
    return [locality.of(char) for char in characters]


def test_a_component_vouches_for_nothing_unless_it_says_so() -> None:
    class Silent:
        def normalize(self, _: object) -> None: ...

    silent = normalizers.Normalizer.custom(Silent())
    assert silent._locality() is None
    assert normalizers.Sequence([normalizers.Lowercase(), silent])._locality() is None
    assert Locality().of is unknown


def test_what_depends_on_others_in_one_has_no_answer_in_the_sequence() -> None:
    made = normalizers.Sequence([normalizers.Lowercase(), normalizers.NFC()])._locality()
    assert answers(made, "A\u0301É\u0130") == ["a", None, "é", None]  # the last one becomes i and a mark


def test_a_charsmap_has_no_answer_for_removals_and_clusters() -> None:
    made = normalizers.Precompiled(charsmap({"a": "", "b": "xy"}))._locality()
    assert answers(made, "abc\u0301\r") == [None, "xy", "c", None, None]


def test_literals_of_the_first_ones_are_looked_for() -> None:
    first, second = Locality(unchanged, literals=("ab",)), Locality(str.upper, literals=("cd", "ef"))
    made = in_order([first, second, Locality(unchanged, literals=("GH",))])
    assert made is not None
    assert made.literals == ("ab", "cd", "ef")
    assert answers(made, "abcgh") == ["A", "B", "C", None, "H"]


def test_a_literal_may_arise_from_several_characters_of_one_answer() -> None:
    doubled = Locality(lambda char: char + "a")
    assert answers(in_order([doubled, Locality(unchanged, literals=("ab",))]), "xy") == [None, None]


def test_a_prefix_is_changed_by_those_after_it() -> None:
    prepend, replace = Locality(unchanged, prefix="a b"), Locality(lambda char: "_" if char == " " else char)
    made = in_order([prepend, Locality(unchanged, prefix=" "), replace])
    assert made is not None
    assert (made.prefix, answers(made, " c")) == ("_a_b", ["_", "c"])


@pytest.mark.parametrize(
    "after",
    [
        Locality(lambda char: None if char == "b" else char),  # has no answer for the prefix
        Locality(unchanged, literals=("bc",)),  # may stand across its end
    ],
)
def test_a_prefix_that_what_follows_may_change_together_with_the_text_is_none(after: Locality) -> None:
    made = in_order([Locality(unchanged, prefix="ab"), after])
    assert made is not None
    assert (made.prefix, answers(made, "c")) == ("", [None])


def test_what_may_remove_a_text_is_followed_by_no_prefix() -> None:
    made = in_order([Locality(lambda _: ""), Locality(unchanged, prefix="a")])
    assert made is not None
    assert (made.prefix, answers(made, "c")) == ("", [None])


def test_nesting_changes_nothing() -> None:
    members = [
        Locality(unchanged, literals=("ab",)),
        Locality(str.lower),
        Locality(unchanged, literals=("bc",)),
        Locality(lambda char: None if char == "d" else char * 2),
    ]
    flat = in_order(members)
    nested = in_order([in_order(members[:1]), in_order([in_order([]), in_order(members[1:])])])
    assert flat is not None
    assert nested is not None
    assert flat.literals == nested.literals == ("ab",)
    assert answers(flat, "aBCDe") == answers(nested, "aBCDe") == ["aa", None, "cc", None, "ee"]
