"""Every region is of the first kind that fits; what is judged by an experiment is in test_planted.py."""

from __future__ import annotations

import pytest

from tokenizer_conformance.research.cuts.experiments import context_of
from tokenizer_conformance.research.cuts.kinds import KINDS, Look
from tokenizer_conformance.research.cuts.regions import PlacedText, placed, regions_between
from tokenizer_conformance.research.cuts.sides import Facts
from tokenizer_conformance.research.segmentation.segmented import Segmented
from tokenizer_conformance.results.records.cuts import Context

Tokens = list[tuple[str, int, int]]

UNKNOWN = "[UNK]"


def cut(text: str, tokens: Tokens) -> PlacedText:
    ids = tuple(0 if token == UNKNOWN else 1 for token, _, _ in tokens)
    spans = tuple((start, end) for _, start, end in tokens)
    found = placed(Segmented(text, ids, tuple(token for token, _, _ in tokens), spans), unknown=0)
    assert found is not None
    return found


def kinds_of(text: str, first: Tokens, second: Tokens) -> list[str]:
    """Return the kinds of the regions, none of which is judged by an experiment."""
    return [
        next(kind.name for kind in KINDS if kind.fits(Look(text, region, Facts(), Facts())))
        for region in regions_between(cut(text, first), cut(text, second))
    ]


CASES: list[tuple[str, str, Tokens, Tokens]] = [
    ("offsets", "a  b", [("a", 0, 1), ("Ġ", 1, 2), ("Ġb", 2, 4)], [("a", 0, 1), ("Ġ", 2, 2), ("Ġb", 3, 4)]),
    ("offsets", "ab", [("a", 0, 1), ("b", 1, 2)], [("a", 0, 2), ("b", 0, 2)]),
    ("unknown", "☃", [("â", 0, 1), ("ĺ", 0, 1)], [(UNKNOWN, 0, 1)]),
    ("unknown", "☃", [("☃", 0, 1)], [(UNKNOWN, 0, 1)]),
    ("dropped", "\x00", [("Ā", 0, 1)], []),
    ("dropped", "a\u200bb", [("a", 0, 1), ("x", 1, 2), ("b", 2, 3)], [("a", 0, 1), ("b", 2, 3)]),
    ("word-start mark", "aunt", [("▁aunt", 0, 4)], [("▁", 0, 1), ("aunt", 0, 4)]),
    ("word-start mark", "an aunt", [("an", 0, 2), ("Ġaunt", 2, 7)], [("an", 0, 2), ("Ġ", 2, 3), ("aunt", 3, 7)]),
    ("white space", "a  b", [("a", 0, 1), ("Ġ", 1, 2), ("Ġb", 2, 4)], [("a", 0, 1), ("b", 3, 4)]),
    ("white space", "a\n", [("a", 0, 1), ("Ċ", 1, 2)], [("a", 0, 1)]),
    ("emoji", "😀😀", [("😀😀", 0, 2)], [("😀", 0, 1), ("😀", 1, 2)]),
    ("split characters", "語", [("èª", 0, 1), ("ŀ", 0, 1)], [("語", 0, 1)]),
    ("digits", "1984", [("1984", 0, 4)], [("19", 0, 2), ("84", 2, 4)]),
    ("digits", " 3", [("Ġ3", 0, 2)], [("Ġ", 0, 1), ("3", 1, 2)]),
    ("digits", "3rd", [("3rd", 0, 3)], [("3", 0, 1), ("rd", 1, 3)]),
    ("addresses", "www.ab.", [("www", 0, 3), (".", 3, 4), ("ab", 4, 6), (".", 6, 7)], [("www.ab", 0, 6), (".", 6, 7)]),
    ("punctuation", "it's", [("it", 0, 2), ("'s", 2, 4)], [("it", 0, 2), ("'", 2, 3), ("s", 3, 4)]),
    ("punctuation", '."', [('."', 0, 2)], [(".", 0, 1), ('"', 1, 2)]),
    ("other scripts", "дом", [("дом", 0, 3)], [("до", 0, 2), ("м", 2, 3)]),
    ("mixed scripts", "aд", [("aд", 0, 2)], [("a", 0, 1), ("д", 1, 2)]),
    ("rare words", "undo", [("undo", 0, 4)], [("un", 0, 2), ("do", 2, 4)]),
    ("long words", "recollections", [("recol", 0, 5), ("lections", 5, 13)], [("re", 0, 2), ("collections", 2, 13)]),
    ("word pieces", "Bennet", [("Benn", 0, 4), ("et", 4, 6)], [("ben", 0, 3), ("##net", 3, 6)]),
    ("other", "\ue000\ue000", [("x", 0, 2)], [("y", 0, 1), ("y", 1, 2)]),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "first", "second"), CASES)
def test_a_region_is_of_its_kind_whichever_comes_first(kind: str, text: str, first: Tokens, second: Tokens) -> None:
    assert kinds_of(text, first, second) == [kind]
    assert kinds_of(text, second, first) == [kind]


def test_every_kind_has_a_case_or_an_experiment_that_decides() -> None:
    cases = {case[0] for case in CASES}
    assert {kind.name for kind in KINDS} - cases == {kind.name for kind in KINDS if kind.decides}
    assert all(kind.experiments for kind in KINDS if kind.decides)


def test_kinds_have_names_of_their_own_and_the_last_one_takes_what_is_left() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS)
    assert KINDS[-1].name == "other"


@pytest.mark.parametrize(
    ("text", "span", "context"),
    [
        ("the HTTPserver, it", (8, 14), Context(text=" HTTPserver,", start=5, end=11)),
        ("word", (0, 4), Context(text="word", start=0, end=4)),
        ("a\n\nb", (1, 3), Context(text="a\n\nb", start=1, end=3)),
        ("a" * 1000, (0, 1000), None),
        ("", (0, 0), Context(text="", start=0, end=0)),
    ],
)
def test_a_context_goes_as_far_as_white_space(text: str, span: tuple[int, int], context: Context | None) -> None:
    assert context_of(text, *span) == context


def test_of_a_text_without_spaces_the_context_is_a_part() -> None:
    found = context_of("日" * 5000, 2500, 2501)
    assert found is not None
    assert len(found.text) == 49
    assert found.text[found.start : found.end] == "日"
