"""What is said of characters that no span covers, one at a time: trimmed, shifted, left out, or lost."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import Encode, Encoded, OffsetUnit
from tokenizer_conformance.research.offsets_audit import coverage as module
from tokenizer_conformance.research.offsets_audit.case import CannotCheckError, SeenEncoding, Violation
from tokenizer_conformance.research.offsets_audit.coverage import _is_allowed, _is_shifted, _is_trimmed, coverage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.contract import Span


def view_of(*, by: int = 0, trims: bool = False, ids: Mapping[str, int] | None = None) -> Any:
    """Return a view of a tokenizer that removes "r", normalizes "n" with its neighbours, and takes ``by`` out."""
    given = ids or {}
    return SimpleNamespace(
        rules=SimpleNamespace(trims=trims),
        can_normalize=True,
        ids=lambda text: given.get(text, text),
        is_removed=lambda character: character == "r",
        is_one_by_one=lambda _before, character, _after: character != "n",
        removed_at_beginning=lambda _text: by,
    )


@pytest.mark.parametrize(
    ("span", "spaces", "trimmed"),
    [
        ((4, 6), (True, False), True),
        ((4, 6), (False, True), False),
        ((3, 6), (True, False), False),
        ((5, 6), (True, False), False),
        ((3, 4), (True, False), False),
        ((0, 2), (False, True), True),
        ((0, 2), (True, False), False),
        ((0, 1), (False, True), False),
        ((0, 3), (False, True), False),
        ((2, 2), (False, False), True),
        ((3, 3), (False, False), True),
        ((4, 4), (False, False), True),
        ((1, 1), (False, False), False),
        ((5, 5), (False, False), False),
        ((2, 3), (False, False), False),
        ((4, 6), (False, False), False),
        ((3, 2), (False, False), False),
    ],
)
@pytest.mark.parametrize("far", [0, 1000])
def test_a_run_is_trimmed_where_a_token_beside_it_stands_for_its_white_space(
    span: Span, spaces: tuple[bool, bool], trimmed: bool, far: int
) -> None:
    spaced = [((90 + far, 99 + far), (True, True)), ((span[0] + far, span[1] + far), spaces)]
    assert _is_trimmed((2 + far, 4 + far), spaced) is trimmed
    assert _is_trimmed((2 + far, 4 + far), spaced[:1]) is False


@pytest.mark.parametrize(
    ("by", "special", "shifted"),
    [(2, 3, False), (2, 4, True), (2, 8, True), (2, 9, False), (2, 40, False), (0, 4, False), (1, 7, True)],
)
@pytest.mark.parametrize("character", " rn")
def test_a_span_is_shifted_by_what_is_taken_out_before(by: int, special: int, shifted: bool, character: str) -> None:
    text = "x" * special + character + "x" * 30
    assert _is_shifted(text, 3, view_of(by=by)) is shifted


def test_a_span_is_shifted_beyond_the_end() -> None:
    assert [_is_shifted("x" * length, 3, view_of(by=2)) for length in (8, 9)] == [True, False]


@pytest.mark.parametrize(
    ("text", "at", "trims", "ids", "allowed"),
    [
        ("arb", 1, False, {}, True),
        ("a b", 1, True, {}, True),
        ("a b", 1, False, {}, False),
        ("axb", 1, True, {}, False),
        ("a  b", 1, False, {}, True),
        ("a  b", 2, False, {}, True),
        ("  b", 0, False, {}, True),
        ("  b", 1, False, {}, True),
        (" a b", 2, False, {}, False),
        ("a b ", 1, False, {}, False),
        ("a x b", 2, False, {}, False),
        ("axb", 1, False, {"axb": 1, "ab": 1}, True),
        ("anb", 1, False, {"anb": 1, "ab": 1}, False),
    ],
)
def test_what_may_be_left_out(text: str, at: int, trims: bool, ids: dict[str, int], allowed: bool) -> None:
    spaced = [((at + 1, len(text)), (True, False))]
    assert _is_allowed(text, at, (at, at + 1), view_of(trims=trims, ids=ids), spaced) is allowed
    apart = [((at + 2, len(text)), (True, False))]
    assert _is_allowed(text, at, (at, at + 1), view_of(trims=trims, ids=ids), apart) is (allowed and not trims)


@pytest.mark.parametrize(
    ("at", "asked"), [(4, ("cd", "e", "fg")), (1, ("a", "b", "cd")), (0, ("", "a", "bc")), (7, ("fg", "h", ""))]
)
def test_a_character_is_normalized_with_two_on_either_side(at: int, asked: tuple[str, ...]) -> None:
    view, seen = view_of(), []
    view.is_one_by_one = lambda *parts: bool(seen.append(parts))
    assert not _is_allowed("abcdefgh", at, (at, at + 1), view, [])
    assert seen == [asked]


# Whole encodings -----------------------------------------------------------------------------------------------------


def seen_of(question: Encode, spans: tuple[Span, ...], words: tuple[int, ...] | None = None, **given: Any) -> Any:
    encoded = Encoded(tuple(range(len(spans))), None, spans, word_ids=words)
    return SeenEncoding(question, encoded, OffsetUnit.CODE_POINTS, (0,) * len(spans), **given)


@pytest.fixture
def trimmed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The tokens of which it was asked whether they are trimmed too far; none begins with white space."""
    asked: list[int] = []
    monkeypatch.setattr(module, "contents_of", lambda *_: [b"a"])
    monkeypatch.setattr(module, "is_trimmed_too_far", lambda _seen, _view, index: bool(asked.append(index)))
    return asked


def test_each_run_is_looked_at_with_the_token_behind_it(trimmed: list[int]) -> None:
    text = "a.b.." + "c" * 300 + ".d"
    spans = ((0, 1), (2, 3), (5, 305), (306, 307), (306, 307))
    length, *found = coverage(seen_of(Encode(text), spans), view_of())
    assert length == len(text)
    assert [str(each.detail).partition(",")[0] for each in found if isinstance(each, Violation)] == [
        f"character {at}" for at in (1, 3, 305)
    ]
    assert trimmed == [1, 3, 4]


def test_each_word_is_looked_at_alone(trimmed: list[int]) -> None:
    question = Encode(("ab", "cde"))
    length, other, *found = coverage(seen_of(question, ((0, 2), (0, 1)), (0, 1)), view_of())
    assert (length, other, len(found)) == (2, 3, 1)
    assert isinstance(found[0], Violation)
    assert found[0].detail.startswith('character 1, "d"')
    assert trimmed == []


@pytest.mark.usefixtures("trimmed")
def test_each_character_of_a_run_is_looked_at() -> None:
    _, violation = coverage(seen_of(Encode("arxb"), ((0, 1), (3, 4))), view_of())
    assert isinstance(violation, Violation)
    assert violation.detail.startswith('character 2, "x"')


@pytest.mark.usefixtures("trimmed")
@pytest.mark.parametrize(("at", "shown"), [(20, '"cdefghijABCDEFGHI"'), (3, '"0123456789ab"')])
def test_a_violation_shows_what_is_near(at: int, shown: str) -> None:
    text = "0123456789abcdefghijABCDEFGHIJ"
    _, violation = coverage(seen_of(Encode(text), ((0, at), (at + 1, len(text)))), view_of())
    assert isinstance(violation, Violation)
    assert f" in {shown}, is" in violation.detail


@pytest.mark.parametrize(
    ("text", "by", "is_trimmed", "manner"),
    [
        ("axb", 0, True, module.TRIMMED_TOO_FAR),
        ("anb", 1, False, "what is normalized with its neighbours is in no span"),
        ("axb", 1, False, module.SHIFTED),
        ("axb", 0, False, "a character in no span"),
        ("a b", 0, False, "white space in no span"),
    ],
)
def test_how_a_character_is_lost_is_said(
    text: str, by: int, is_trimmed: bool, manner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "contents_of", lambda *_: [])
    monkeypatch.setattr(module, "is_trimmed_too_far", lambda *_: is_trimmed)
    _, violation = coverage(seen_of(Encode(text), ((0, 1), (2, 3))), view_of(by=by))
    assert isinstance(violation, Violation)
    assert violation.manner == manner


@pytest.mark.usefixtures("trimmed")
@pytest.mark.parametrize(("content", "allowed"), [(b" b", True), (b"b ", False), (b"b", False), (b"", False)])
def test_white_space_before_a_token_that_stands_for_it_is_trimmed(
    content: bytes, allowed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "contents_of", lambda _seen, _view, index: [b"b", content] if index else [])
    _, *found = coverage(seen_of(Encode("a b"), ((0, 1), (2, 3))), view_of(trims=True))
    assert (not found) is allowed
    _, *found = coverage(seen_of(Encode("b a"), ((2, 3), (0, 1))), view_of(trims=True))
    assert (not found) is (content == b"b ")


@pytest.mark.parametrize(
    "seen",
    [
        seen_of(Encode("a", "b"), ((0, 1),)),
        seen_of(Encode("a"), ((0, 1),), part=1),
        SeenEncoding(Encode("é"), Encoded((1,), None, ((0, 1),)), OffsetUnit.UTF8_BYTES, (0,)),
    ],
)
def test_what_cannot_be_looked_at_is_said(seen: SeenEncoding) -> None:
    with pytest.raises(CannotCheckError):
        list(coverage(seen, view_of()))
