"""The tables that rules read, held against those of this Python, which come from elsewhere."""

from __future__ import annotations

import unicodedata

import pytest

from tokenizer_conformance.research.unicode_audit.code_point_sets import SCALARS, CodePoints
from tokenizer_conformance.research.unicode_audit.properties import (
    FORMS,
    TRIED,
    combining_classes,
    composed_pairs,
    jamo_pairs,
    named,
    pairs,
    single_characters,
)
from tokenizer_conformance.research.unicode_audit.rules import RULES, lowercase
from tokenizer_conformance.research.unicode_audit.sightings import SetSeen, size_of

HOST = unicodedata.unidata_version.removesuffix(".0")

pytestmark = pytest.mark.skipif(HOST not in TRIED, reason=f"no tables of Unicode {HOST}")


def of_host(category: str) -> CodePoints:
    return CodePoints.of(at for at in SCALARS if unicodedata.category(chr(at)).startswith(category))


@pytest.mark.long_but(1)
@pytest.mark.parametrize("name", ["L", "P", "C", "Cn", "Nd", "Mn"])
def test_categories_are_those_of_the_host(name: str) -> None:
    assert named(name, HOST) == of_host(name)


def test_a_code_point_has_one_category() -> None:
    assert sum(len(named(name, HOST)) for name in "LMNPSZC") == len(SCALARS)
    assert 0x1734 in named("Mn", "13.0")
    assert 0x1734 in named("Mc", "14.0")
    assert 0x1144B not in named("Cn", "9.0")
    assert len(named("Cn", "9.0")) > len(named("Cn", "10.0"))


@pytest.mark.long_but(2)
@pytest.mark.parametrize("form", FORMS)
def test_single_characters_are_normalized_as_by_the_host(form: str) -> None:
    told = single_characters(form, HOST)
    assert told == {
        at: text
        for at in SCALARS
        if (text := unicodedata.normalize(form, chr(at))) != chr(at)  # type: ignore[arg-type]
    }


def test_pairs_are_composed_as_by_the_host() -> None:
    texts = (*pairs(), *jamo_pairs())
    assert composed_pairs(HOST) == {
        text: done for text in texts if (done := unicodedata.normalize("NFC", text)) != text
    }


def test_combining_classes_are_those_of_the_host() -> None:
    told = combining_classes(HOST)
    assert told == {at: value for at in SCALARS if (value := unicodedata.combining(chr(at)))}


def test_lowercase_is_that_of_the_host() -> None:
    told = lowercase(HOST)
    assert told == {at: text for at in SCALARS if (text := chr(at).lower()) != chr(at)}


def test_rules_have_words_of_their_own() -> None:
    for rules in RULES.values():
        words = [rule.words for rule in rules]
        assert len(set(words)) == len(words)
    assert all(size_of(rule.in_version(TRIED[-1])) for rule in RULES[SetSeen][1:])
