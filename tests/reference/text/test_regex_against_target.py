"""Every construct of a pattern matches what it matches in `tokenizers`, or is refused where that refuses it.

Random patterns are in ``test_random_regexes.py``, classes on all characters in ``test_regex_characters.py``.
"""

from __future__ import annotations

import pytest
from in_one_test import in_one_test
from published_regexes import PROSE, PUBLISHED
from regex_patterns import CONSTRUCTS, REFUSED, TEXTS
from regex_sides import differing_texts, is_accepted_by_target, shown_by, shown_by_target

from tokenizer_reference.text.regex import InvalidRegexError, Regex


def test_the_table_has_every_theme_and_hundreds_of_patterns() -> None:
    assert len(CONSTRUCTS) == 12
    assert len({pattern for patterns in CONSTRUCTS.values() for pattern in patterns}) > 600


@pytest.mark.long_but(2)
@pytest.mark.parametrize("theme", CONSTRUCTS)
def test_a_construct_matches_what_it_matches_in_the_target(theme: str) -> None:
    different = {pattern: differing_texts(pattern, TEXTS) for pattern in CONSTRUCTS[theme]}
    assert {pattern: texts for pattern, texts in different.items() if texts} == {}


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_pattern_matches_what_it_matches_in_the_target(name: str, shared_prose: str) -> None:
    compiled = Regex(PUBLISHED[name])
    for text in (PROSE, "".join(char for char in PROSE if char.isascii()), *TEXTS, shared_prose):
        assert shown_by(compiled.spans(text), text) == shown_by_target(PUBLISHED[name], text)


@in_one_test("name", PUBLISHED)
def test_a_published_pattern_is_translated(name: str) -> None:
    assert Regex(PUBLISHED[name])._is_translatable


@pytest.fixture(scope="session")
def shared_prose() -> str:
    """Words of many scripts, blanks and symbols, some thousand characters."""
    return " ".join(PROSE[start:] + PROSE[:start] for start in range(0, len(PROSE), 41))


def test_what_the_target_refuses_is_refused() -> None:
    assert [pattern for pattern in REFUSED if is_accepted_by_target(pattern)] == []
    accepted = []
    for pattern in REFUSED:
        try:
            Regex(pattern)
        except InvalidRegexError:
            continue
        accepted.append(pattern)
    assert accepted == []
