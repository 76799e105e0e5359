"""The other questions that a hypothesis must not fail on: about a little less or more, and about what was drawn."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.contract import (
    Chat,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Normalize,
    PreTokenize,
)
from tokenizer_conformance.causes.classes import probes as module
from tokenizer_conformance.causes.classes.probes import (
    AT_ONCE,
    PROBES,
    Drawn,
    Material,
    drawn,
    drawn_characters,
    probes,
    spread,
)
from tokenizer_conformance.inputs.text_generators.characters import NOT_ASSIGNED, category, representatives
from tokenizer_conformance.inputs.text_generators.unicode_ranges import blocks

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation

IDS = {"one two": (1, 2), "three": (3,), "": ()}
NEAR_AB = ["b", "a", "aab", "aba", "a ab b", "abab"]
WORDS = (("one", "two"), ("three",), ("",))
OF_TOKEN = ["a<t>b", " <t> ", "<t>b", "a <t>"]


def plain(text: str, pair: str | None = None) -> Encode:
    return Encode(text, pair, add_special_tokens=False)


ASKED: list[tuple[Observation, list[Observation], list[Observation]]] = [
    (Normalize("ab"), [Normalize(each) for each in NEAR_AB], [Normalize(each) for each in ("one two", "three", "")]),
    (PreTokenize("one tw"), [PreTokenize(each) for each in ("ne tw", "oe tw", "on tw", "onetw", "one w", "one t",
     "aone tw", "one twa", "a one tw b", "one twone tw")], [PreTokenize(each) for each in ("one two", "three", "")]),
    (Encode("ab"), [Encode(each) for each in NEAR_AB], [Encode(each) for each in ("one two", "three", "")]),
    (plain("ab", "c"), [plain(each, "c") for each in NEAR_AB],
     [plain("one two", "c"), plain("three", "c"), plain("", "c"), plain("one two", "three"), plain("three", "")]),
    (Encode(("a", "b")), [Encode(("b",)), Encode(("a",))], [Encode(each) for each in WORDS]),
    (Encode(("a",)), [], [Encode(each) for each in WORDS]),
    (EncodeBatch((Encode("ab"), Encode("c"))), [EncodeBatch((Encode(each), Encode("c"))) for each in NEAR_AB],
     [EncodeBatch((Encode(each), Encode("c"))) for each in ("one two", "three", "")]),
    (EncodeBatch((Encode(("a",)),)), [], []),
    (Decode((7, 8), False), [Decode(each, False) for each in ((8,), (7,), (7, 8, 7, 8), (8, 7))],
     [Decode(each, False) for each in ((1, 2), (3,), (1,))]),
    (DecodeStream((7,)), [DecodeStream((7, 7))], [DecodeStream(each) for each in ((1, 2), (3,), (1,))]),
    (Decode((1, 2)), [Decode(each) for each in ((2,), (1,), (1, 2, 1, 2), (2, 1))], [Decode((3,))]),
    (Chat("[]"), [], []),
]  # fmt: skip


def test_ids_are_tried_beside_those_of_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PROBES", ("short", "long"))
    found = probes(Decode((7,), False), (), {"short": (1, 3), "long": (1, 2, 3)}.__getitem__)
    assert found.near == tuple(Decode(each, False) for each in ((2, 7), (7, 2), (2, 7, 2), (7, 7)))


@pytest.mark.parametrize(("question", "near", "others"), ASKED)
def test_questions_of_the_kind_of_another(
    question: Observation, near: list[Observation], others: list[Observation], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PROBES", tuple(IDS))
    found = probes(question, (), IDS.__getitem__)
    assert list(found.near) == near
    assert list(found.others) == others


def test_added_tokens_stand_in_other_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PROBES", ())
    found = probes(Normalize("ab"), ["<t>"], IDS.__getitem__)
    assert list(found.others) == [Normalize(each) for each in OF_TOKEN]
    many = probes(Normalize("ab"), [f"<{number}>" for number in range(9)], IDS.__getitem__)
    assert many.others[-1] == Normalize("a <5>")


def test_only_the_beginning_of_a_text_is_taken_apart() -> None:
    assert Normalize("abcdefg"[:5] + "g") in probes(Normalize("abcdefg"), (), IDS.__getitem__).near
    assert Normalize("abcdef") not in probes(Normalize("abcdefg"), (), IDS.__getitem__).near


def test_some_second_texts_are_tried() -> None:
    found = probes(Encode("ab", "c"), (), IDS.__getitem__).others
    pairs = [(each.text, each.pair) for each in found if isinstance(each, Encode) and each.pair != "c"]
    assert pairs == list(pairwise(PROBES[:10]))


# Drawn ---------------------------------------------------------------------------------------------------------------


def test_things_are_spread_evenly() -> None:
    assert spread(range(10), 5) == (0, 2, 4, 6, 8)
    assert spread(range(10), 4) == (0, 2, 4, 6, 8)
    assert spread(range(3), 5) == (0, 1, 2)
    assert spread((), 5) == ()


def test_ids_are_drawn_in_rows_and_mixed() -> None:
    material = Material(tuple(range(100, 120)), ("entry",), ("<t>",))
    found = list(drawn(DecodeStream((7,), skip_special_tokens=False), material))
    first, second, *mixed = found
    rows = [tuple(range(100, 116)), tuple(range(116, 120))]
    for each, ids in zip((first, second), rows, strict=True):
        assert each.together == DecodeStream(ids, skip_special_tokens=False)
        assert each.singly == tuple(DecodeStream((id_,), skip_special_tokens=False) for id_ in ids)
    assert len(mixed) == 48
    lists = [each.together.ids for each in mixed if isinstance(each.together, DecodeStream)]
    assert all(each.singly == (each.together,) and not each.is_like for each in mixed)
    assert {len(ids) for ids in lists} == {2, 3, 4, 5, 6}
    assert {id_ for ids in lists for id_ in ids} == set(material.ids)
    first_ones = sum(id_ < 108 for ids in lists for id_ in ids)
    assert first_ones > sum(map(len, lists)) / 2
    assert list(drawn(Decode((7,)), Material((), (), ()))) == []


def test_texts_are_drawn_of_the_question_of_parts_and_of_all_of_unicode() -> None:
    question = plain("Q")
    found = list(drawn(question, Material((), ("entry",), ("<t>",))))
    like = [each for each in found if each.is_like]
    assert like == found[:96]
    assert all(isinstance(each.together, Encode) and not each.together.add_special_tokens for each in found)
    assert sum("Q" in texts(each)[0] for each in like) == 96
    assert any("<t>" in texts(each)[0] for each in like)
    others = found[96:]
    assert not any("Q" in texts(each)[0] for each in others[:96])
    characters = others[96:-1]
    assert len(characters) == -(-len(drawn_characters()) // AT_ONCE)
    first = drawn_characters()[:AT_ONCE]
    assert texts(characters[0]) == [" ".join(f"a{each}a" for each in first), *(f"a{each}a" for each in first)]
    assert texts(others[-1]) == ["entry", "entry"]
    together, *singly = texts(like[0])
    assert len(singly) == 18
    assert all(each in together for each in singly)
    assert together.startswith(singly[0])
    assert together.endswith(singly[-1])


def texts(each: Drawn) -> list[str]:
    return [one.text for one in (each.together, *each.singly) if isinstance(one, Encode | Normalize)]  # type: ignore[misc]


def test_entries_are_asked_about_where_ids_are() -> None:
    material = Material((), ("entry",), ())
    assert "entry" not in [texts(each)[0] for each in drawn(Normalize("Q"), material)]
    assert list(drawn(Encode(("a",)), material)) == []


def test_drawn_characters_are_known_to_all_versions() -> None:
    found = drawn_characters()
    assert len(found) == len(set(found))
    of_kinds = set(representatives())
    assert {"a", "A", "\u0378"} <= of_kinds & set(found)
    # What a version of Unicode assigned lately, and what one gave another category.
    assert not {"\u1c89", "\u1c90", "\u00aa", "\u180e"} & set(found)
    some = [each for each in found if each not in of_kinds]
    of_each = [sum(each in block for each in map(ord, some)) for block in blocks()]
    assert set(of_each) == {0, 1}
    assert sum(of_each) == len(some) > 100
    assert not [each for each in some if category(each) in NOT_ASSIGNED]
