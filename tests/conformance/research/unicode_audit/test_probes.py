"""Probes that are asked of fakes: which names are accepted, which class a mark has, and who is asked by blocks."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unicodedata import combining, normalize

import pytest

from tokenizer_adapters.contract import OffsetUnit
from tokenizer_conformance.research.unicode_audit import probes
from tokenizer_conformance.research.unicode_audit.asking import _spans
from tokenizer_conformance.research.unicode_audit.behaviours import BEHAVIOURS
from tokenizer_conformance.research.unicode_audit.code_point_sets import NOTHING, CodePoints
from tokenizer_conformance.research.unicode_audit.documents import Added, CannotAskError, document_of_words
from tokenizer_conformance.research.unicode_audit.probes import (
    MOST_REFUSED,
    _accepted,
    _classes_of_marks,
    regex_clusters,
)
from tokenizer_conformance.research.unicode_audit.sightings import ClassesSeen
from tokenizer_conformance.research.unicode_audit.sweeps import checked_alone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_adapters.contract import Span

NAMES = [f"name {number}" for number in range(30)]


def accepting(*names: str) -> tuple[Any, list[str]]:
    """Return an implementation whose regexes may have these properties, and the list of those it is asked about."""
    asked: list[str] = []

    def kept(split: Any) -> None:
        asked.append(split["pattern"]["Regex"].removeprefix("\\p{").removesuffix("}"))
        if asked[-1] not in names:
            raise CannotAskError("no such property")

    return SimpleNamespace(kept=kept), asked


def test_names_that_are_refused_are_left_out() -> None:
    asking, asked = accepting(*NAMES[1:3], NAMES[-1])
    assert _accepted(asking, NAMES) == [*NAMES[1:3], NAMES[-1]]
    assert asked == NAMES


@pytest.mark.parametrize(("names", "asked"), [(NAMES, MOST_REFUSED + 1), (NAMES[:5], 5)])
def test_where_no_name_is_accepted_the_refusal_is_told(names: list[str], asked: int) -> None:
    asking, told = accepting()
    with pytest.raises(CannotAskError, match="no such property"):
        _accepted(asking, names)
    assert len(told) == asked


def test_the_class_of_a_mark_is_that_of_those_it_stays_in_its_place_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = {1: (0x334,), 202: (0x327,), 220: (0x316,), 230: (0x300, 0x301), 240: (0x345,)}
    monkeypatch.setattr(probes, "_known_marks", lambda: known)

    def ask(texts: Sequence[str]) -> list[str | None]:
        return [normalize("NFD", text) for text in texts]

    marks = [0x301, 0x307, 0x316, 0x327, 0x334, 0x345]
    assert _classes_of_marks(ask, marks) == {at: str(combining(chr(at))) for at in marks}


@pytest.mark.parametrize(
    ("shows_pieces", "leaves_out", "asked"),
    [
        (False, True, [("a", ["Split \\X extending", "Split \\X prepending"])]),
        (
            True,
            False,
            [
                ("a", ["Split \\X extending", "Split \\X prepending"]),
                ("\u1100", ["Split \\X after a leading jamo"]),
                ("\uac00", ["Split \\X after an open syllable"]),
                ("\uac01", ["Split \\X after a closed syllable"]),
            ],
        ),
        (True, True, []),
    ],
)
def test_clusters_are_asked_about_by_blocks_where_they_must(
    shows_pieces: bool, leaves_out: bool, asked: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Any] = []

    def standing(_asking: Any, *, sentinels: Any, wanted: Any, **_: Any) -> dict[str, str]:
        told.append((sentinels.left, list(wanted)))
        return dict.fromkeys(wanted, "by blocks")

    def spans(_: Any) -> str:
        if not leaves_out:
            raise CannotAskError("clusters of one character cannot be left out")
        return "spans"

    monkeypatch.setattr(probes, "standing", standing)
    monkeypatch.setattr(probes, "_clusters", lambda _ask, _long, _sentinels, names: dict.fromkeys(names, "by pieces"))
    asking: Any = SimpleNamespace(cuts=lambda *_: None, spans=spans, shows_pieces=shows_pieces)
    found: dict[str, Any] = {**regex_clusters(asking)}
    assert told == asked
    assert set(found.values()) == {"by blocks" if asked else "by pieces"}
    assert len(found) == (2 if not shows_pieces else 5)


def test_an_added_token_asks_about_what_bounds_it() -> None:
    asked = {name: each.question for name, each in BEHAVIOURS.items() if name.startswith("added token")}
    assert asked == {
        "added token lstrip": "white space",
        "added token rstrip": "white space",
        "added token single_word": "word characters",
        "added token single_word (after)": "word characters",
    }


@pytest.mark.parametrize(
    ("unit", "spans", "found"),
    [
        (OffsetUnit.CODE_POINTS, ((0, 2), (3, 4)), [(0, 2), (3, 4)]),
        (OffsetUnit.CODE_POINTS, (None, None), [(0, 1), (2, 3)]),
        (OffsetUnit.UTF8_BYTES, ((0, 2), (3, 4)), [(0, 1), (2, 3)]),
        (OffsetUnit.UTF8_BYTES, (None, None), [(0, 1), (2, 3)]),
    ],
)
def test_pieces_are_found_by_their_texts_where_offsets_are_not_in_code_points(
    unit: OffsetUnit, spans: tuple[Span | None, ...], found: list[Span]
) -> None:
    pieces = list(zip("éb", spans, strict=True))
    assert list(_spans("é b", pieces, unit, spells_bytes=False)) == found
    spelled = list(zip(("Ã©", "b"), (None, None), strict=True))
    assert list(_spans("é b", spelled, unit, spells_bytes=True)) == [(0, 1), (2, 3)]


# Regexes --------------------------------------------------------------------------------------------------------------

CLASSES = {"L": CodePoints.of(range(65, 91)), "N": CodePoints.of(range(48, 58)), "P": CodePoints.of([46])}


def removing(gone: CodePoints, lost: str = "", kept: str = "") -> Any:
    """Return what removes the characters ``gone``, but for those ``kept`` alone, and answers nothing over ``lost``."""

    def ask(texts: Sequence[str]) -> list[str | None]:
        return [None if each in lost else "" if each not in kept and ord(each) in set(gone) else each for each in texts]

    return ask


def test_what_is_answered_otherwise_about_a_character_alone_is_told() -> None:
    gone = CodePoints.of([65, 66])
    chosen = checked_alone([gone])
    assert probes._matched_alone(removing(gone), gone) == (len(chosen), NOTHING)
    assert probes._matched_alone(removing(gone, lost="C", kept="B"), gone) == (len(chosen), CodePoints.of([66]))
    assert probes._matched_alone(removing(gone | CodePoints.of([67])), gone) == (len(chosen), CodePoints.of([67]))


def test_a_character_is_of_the_class_whose_name_every_regex_has_that_removes_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def kept(split: Any) -> Any:
        asked.append(split["pattern"]["Regex"])
        gone = NOTHING
        for name, of in CLASSES.items():
            gone |= of if f"\\p{{{name}}}" in asked[-1] else NOTHING
        return SimpleNamespace(gone=gone, ask=removing(gone, kept="9"))

    matched_alone = probes._matched_alone
    monkeypatch.setattr(probes, "removed", lambda ask: (ask.gone, ask.gone & CodePoints.of([90])))
    monkeypatch.setattr(probes, "_matched_alone", lambda ask, gone: matched_alone(ask.ask, gone))
    asking: Any = SimpleNamespace(kept=kept, way="a way")
    sighting = probes._classes(asking, list(CLASSES))
    assert asked[3:] == [r"[\p{L}\p{P}]", r"[\p{N}]", r"[\p{L}\p{N}]", r"[\p{P}]"]
    most = max(len(checked_alone([CLASSES["L"] | CLASSES[other]])) for other in "NP")
    expected = (ClassesSeen(CLASSES), "a way", CodePoints.of([90]), CodePoints.of([57]), most)
    assert (sighting.seen, sighting.way, sighting.unanswered, sighting.contradicted, sighting.alone) == expected


def test_a_document_of_words_has_them_behind_the_unknown_one_and_before_those_that_are_added() -> None:
    made, tokens = document_of_words({"type": "NFC"}, ["a", "b"], [Added("<x>"), Added("<y>", lstrip=True)])
    assert tokens == ["[UNK]", "a", "b", "<x>", "<y>"]
    assert made["model"] == {"type": "WordLevel", "vocab": {"[UNK]": 0, "a": 1, "b": 2}, "unk_token": "[UNK]"}
    assert (made["normalizer"], made["pre_tokenizer"], made["decoder"]) == ({"type": "NFC"}, None, None)
    assert [(each["id"], each["content"], each["lstrip"]) for each in made["added_tokens"]] == [
        (3, "<x>", False),
        (4, "<y>", True),
    ]
