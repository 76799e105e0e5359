"""Options that take several values read a command line as a shell writes it."""

from __future__ import annotations

import click
import pytest

from tokenizer_adapters.registry import RENDERERS, registered
from tokenizer_conformance.cli.choosing import is_meant_as_implementation
from tokenizer_conformance.cli.options import spread
from tokenizer_conformance.cli.registered import names_of_all


def anything(_word: str) -> bool:
    return True


FLAGS = {"--inputs": anything, "-i": lambda word: word in {"a", "b"}}

CASES: list[tuple[str, str]] = [
    ("tok --inputs x y z", "tok --inputs x --inputs y --inputs z"),
    ("tok --inputs x y -k z", "tok --inputs x --inputs y -k z"),
    ("--inputs x y --inputs z -x", "--inputs x --inputs y --inputs z -x"),
    ("--inputs=x y", "--inputs=x y"),
    ("--inputs x -- y", "--inputs x -- y"),
    ("--inputs x -", "--inputs x --inputs -"),
    ("-i a b tok", "-i a -i b tok"),
    ("-i unknown tok", "-i unknown tok"),
    ("-i a -i b tok", "-i a -i b tok"),
    ("-- --inputs x", "-- --inputs x"),
    ("", ""),
]


@pytest.mark.parametrize(("given", "read"), CASES)
def test_each_value_gets_the_flag_of_its_own(given: str, read: str) -> None:
    assert spread(given.split(), FLAGS) == read.split()


@pytest.mark.parametrize("given", ["--inputs", "--inputs --json x", "-i -x", "--inputs --"])
def test_a_flag_without_value_is_an_error(given: str) -> None:
    with pytest.raises(click.BadOptionUsage, match="requires at least one value"):
        spread(given.split(), FLAGS)


def test_renderers_may_follow_an_option_like_any_implementation_and_are_not_meant_by_all() -> None:
    renderers = list(registered(RENDERERS))
    given = ["-i", "reference", "transformers==4.57.1", *renderers, "reference-checkpoint"]
    read = spread(given, {"-i": is_meant_as_implementation})
    assert read == [*(word for each in given[1:-1] for word in ("-i", each)), given[-1]]
    assert not set(renderers) & set(names_of_all())
