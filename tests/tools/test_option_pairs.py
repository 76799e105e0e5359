"""Pairs of option values: what is a value, what matters, and whether every pair that can matter has a case."""

from __future__ import annotations

from typing import TYPE_CHECKING

import option_pairs
import pytest
from option_pairs import ASKS, Candidate, can_matter, can_meet, chosen_of, have_a_case, listed, mattering, pairs_of
from published.renderers import RENDERERS
from requirements.option_values import values_of
from requirements.recipe import word_level

from tokenizer_conformance.validation.suite.coverage import OPTIONS, PARTS, Cell, value_class

if TYPE_CHECKING:
    from pathlib import Path

LOWERCASE, UNKNOWN = Cell("normalizers.Lowercase"), Cell("models.WordLevel", "unk_token", "text")

DOCUMENT = {
    "normalizer": {"type": "Lowercase"},
    "pre_tokenizer": {"type": "WhitespaceSplit"},
    "post_processor": None,
    "decoder": None,
    "model": {**word_level(""), "vocab": {}},
    "added_tokens": [],
    "truncation": None,
    "padding": None,
}


@pytest.mark.parametrize(
    ("component", "option", "kind", "kinds"),
    [
        (component, option, kind, kinds)
        for component, options in (
            *((f"{stage}.{name}", options) for stage, named in OPTIONS.items() for name, options in named.items()),
            *PARTS.items(),
        )
        if not component.endswith(".Sequence")
        for option, kinds in options.items()
        for kind in kinds
    ],
)
def test_a_value_is_of_its_kind(component: str, option: str, kind: str, kinds: tuple[str, ...]) -> None:
    values = values_of(component, option, kind)
    assert values
    assert {value_class(value, kinds) for value in values} == {kind}


def test_two_values_of_an_option_or_two_models_do_not_meet() -> None:
    one, other = (Cell("padding", "direction", value) for value in ("Left", "Right"))
    assert not can_meet(one, other)
    assert not can_meet(Cell("models.BPE"), UNKNOWN)
    assert not can_meet(Cell("padding"), one)
    assert can_meet(one, Cell("padding", "pad_id", "0"))
    assert can_meet(one, UNKNOWN)


def test_a_set_of_pairs_lists_them() -> None:
    assert set(listed(pairs_of((LOWERCASE, UNKNOWN)))) == {(LOWERCASE, UNKNOWN)}


def test_only_what_changes_an_answer_matters() -> None:
    found = mattering(DOCUMENT, ASKS[:1])
    assert found is not None
    (pairs,) = found.values()
    seen = {cell for pair in listed(pairs) for cell in pair}
    assert {LOWERCASE, UNKNOWN, Cell("pre_tokenizers.WhitespaceSplit")} <= seen
    assert Cell("calls", "add_special_tokens", "true") not in seen


def test_a_tokenizer_that_is_refused_shows_nothing() -> None:
    assert mattering({**DOCUMENT, "normalizer": {"type": "Nothing"}}, ASKS[:1]) is None


def test_the_fewest_tokenizers_and_questions_are_kept() -> None:
    one, two = ASKS[:2]
    small, great = Candidate({"is": "small"}, {one: 1}), Candidate({"is": "great"}, {one: 3, two: 2})
    assert chosen_of([small, great]) == [Candidate({"is": "great"}, {one: 3})]


def test_the_page_counts_the_pairs_of_its_record_and_names_those_without_a_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "pairs.jsonl"
    can = pairs_of((LOWERCASE, UNKNOWN, Cell("padding")))
    monkeypatch.setattr(option_pairs, "can_matter", lambda: can)
    pages = []
    for have in (pairs_of((LOWERCASE, UNKNOWN)), can):
        monkeypatch.setattr(option_pairs, "have_a_case", lambda have=have: have)
        status = option_pairs.main(["--record", str(file)])
        told, pages = capsys.readouterr(), [*pages, str(RENDERERS["option-pairs"]([file]))]
        assert (status, told.err.count("no case: ")) == ((0, 0) if have == can else (1, 2))
        assert option_pairs.read_measured(file, option_pairs.TOOL).environment["tokconf"]
    one, whole = (
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in (
            next(line for line in pages[0].splitlines() if line.startswith(start))
            for start in ("| normalizers × padding ", "| all ")
        )
    )
    assert one[2:] == ["1", "0"]
    assert whole[2:] == ["3", "1"]
    assert "**1 of 3 pairs that can matter have a case" in pages[0]
    assert "- normalizers.Lowercase × padding\n" in pages[0]
    assert pages[1].endswith("## No case\n\nNone.\n")


@pytest.mark.long
def test_every_pair_that_can_matter_has_a_case() -> None:
    with option_pairs.silent():
        have = have_a_case()
    assert have.bit_count() > 10_000
    assert list(listed(can_matter() & ~have)) == []
