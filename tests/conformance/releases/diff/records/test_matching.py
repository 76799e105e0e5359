"""Who is who in two records."""

from __future__ import annotations

import pytest

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.releases.diff.records.matching import Party, matched

A, B = Party("tokenizers", "0.22"), Party("tokenizers", "0.23")
PINNED = [Party("tokenizers==0.19.1", "0.19.1", is_baseline=True), Party("tokenizers==0.22", "0.22")]


@pytest.mark.parametrize(
    ("then", "now", "given", "names", "said"),
    [
        ([A], [A], (), {"tokenizers": "tokenizers"}, ()),
        ([A], [B], (), {"tokenizers": "tokenizers"}, ("tokenizers: 0.22 then, 0.23 now",)),
        (
            [Party("tokenizers==0.19.1", "0.19.1")],
            [Party("tokenizers==0.23.3", "0.23.3")],
            (),
            {"tokenizers==0.19.1": "tokenizers==0.23.3"},
            ("tokenizers==0.19.1 0.19.1 then is taken for tokenizers==0.23.3 0.23.3 now",),
        ),
        (
            PINNED,
            [PINNED[0], Party("tokenizers==0.23", "0.23")],
            (),
            {"tokenizers==0.19.1": "tokenizers==0.19.1", "tokenizers==0.22": "tokenizers==0.23"},
            ("tokenizers==0.22 0.22 then is taken for tokenizers==0.23 0.23 now",),
        ),
        (
            [Party("mine", "1")],
            [Party("yours", "1")],
            ("mine=yours",),
            {"mine": "yours"},
            ("mine 1 then is taken for yours 1 now",),
        ),
        (
            [Party("a==1", "1")],
            [Party("b==2", "2")],
            ("a==1=b==2",),
            {"a==1": "b==2"},
            ("a==1 1 then is taken for b==2 2 now",),
        ),
        (
            [Party("mine", "1")],
            [Party("yours", "1")],
            (),
            {},
            (
                "mine 1 is in the old record alone: say who it is now with --match mine=NAME",
                "yours 1 is in the new record alone: it was not asked then",
            ),
        ),
    ],
)
def test_who_is_who(
    then: list[Party], now: list[Party], given: tuple[str, ...], names: dict[str, str], said: tuple[str, ...]
) -> None:
    matching = matched(then, now, given)
    assert dict(matching.names) == names
    assert matching.said == said


def test_two_versions_that_could_be_one_now_are_not_guessed() -> None:
    then = [Party("x==1", "1"), Party("x==2", "2")]
    assert dict(matched(then, [Party("x==3", "3")]).names) == {}


@pytest.mark.parametrize("word", ["mine", "mine=", "nobody=yours", "mine=nobody"])
def test_a_word_that_names_nobody_is_refused(word: str) -> None:
    with pytest.raises(BadInputError, match="--match"):
        matched([Party("mine", "1")], [Party("yours", "1")], [word])


def test_nobody_is_matched_twice() -> None:
    with pytest.raises(BadInputError, match="matched already"):
        matched([Party("a", "1"), Party("b", "1")], [Party("c", "1")], ["a=c", "b=c"])
