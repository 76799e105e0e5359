"""Lines of records are made of what is told: by the names of members, and refused where they do not fit."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec
import pytest

from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.making import made
from tokenizer_conformance.results.records.training import AlgorithmLine
from tokenizer_conformance.results.records.value import Count, Line, OneOf, Value


@dataclass(frozen=True)
class Shared:
    first: str
    second: str
    shared: int = 3
    only_first: int = 2
    only_second: int = 1


@dataclass(frozen=True)
class Ended:
    algorithm: str = "bpe"
    complete: bool = True
    overlaps: list[Shared] = field(default_factory=lambda: [Shared("a", "b")])
    seconds: float = 1
    not_recorded: object = object()


def test_members_come_from_attributes_of_the_same_names_however_deep() -> None:
    overlap = {"first": "a", "second": "b", "shared": 3, "only_first": 2, "only_second": 1}
    assert json_of(made(AlgorithmLine, Ended())) == {
        "type": "algorithm",
        "algorithm": "bpe",
        "complete": True,
        "overlaps": [overlap],
        "seconds": 1.0,
    }


def test_what_is_given_goes_before_what_is_told() -> None:
    assert made(AlgorithmLine, Ended(), algorithm="unigram", overlaps=()).overlaps == ()
    assert made(AlgorithmLine, Ended(), algorithm="unigram").algorithm == "unigram"


@pytest.mark.parametrize(
    ("told", "others", "words"),
    [
        (Ended(algorithm="gpt"), {}, r"Invalid enum value 'gpt' - at `\$.algorithm`"),
        (Ended(seconds=-1.0), {}, r">= 0.0 - at `\$.seconds`"),
        (Ended(overlaps=[Shared("a", "b", shared=-1)]), {}, r">= 0 - at `\$.overlaps\[\.\.\.\]\.shared`|>= 0"),
        (Ended(), {"complete": "yes"}, r"Expected `bool`, got `str` - at `\$.complete`"),
        (object(), {}, "missing required field `algorithm`"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(told: object, others: dict[str, object], words: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=words):
        made(AlgorithmLine, told, **others)


class Noted(Line, frozen=True, kw_only=True, tag="noted"):
    count: Count = 0


class Either(OneOf, frozen=True, kw_only=True):
    kinds = ("text", "number")

    text: str | msgspec.UnsetType = msgspec.UNSET
    number: int | msgspec.UnsetType = msgspec.UNSET


class Holder(Value, frozen=True, kw_only=True):
    held: Either


def test_a_member_that_nothing_tells_is_left_to_its_default() -> None:
    assert made(Noted, object()) == Noted()


def test_of_several_kinds_there_has_to_be_one() -> None:
    assert made(Holder, object(), held={"text": "a"}).held.text == "a"
    with pytest.raises(msgspec.ValidationError, match="exactly one of these is expected: text, number"):
        made(Holder, object(), held={})
