"""What a site says first of an implementation: its bar in the suite, and how many tokenizers get the same ids."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokenizer_conformance.report.site.agreements import Standing
from tokenizer_conformance.report.site.described import Described, bar_of, pieces_of
from tokenizer_conformance.report.site.results import RequirementResult, SuiteResults
from tokenizer_conformance.results.agreement import Agreement, SameIds, Texts
from tokenizer_conformance.results.outcomes import Result
from tokenizer_conformance.results.page import State
from tokenizer_conformance.validation.suite.judging import CaseVerdict

VERDICTS = (CaseVerdict.PASSED, CaseVerdict.PASSED, CaseVerdict.FAILED, CaseVerdict.ERROR, CaseVerdict.UNSUPPORTED)


def results(*verdicts: CaseVerdict) -> SuiteResults:
    of_area = {str(number): RequirementResult(each, False, "", "") for number, each in enumerate(verdicts)}
    return SuiteResults("mine", "1", Path("r.jsonl"), {"area": of_area})


def test_the_pieces_of_a_bar_follow_each_other_and_fill_it() -> None:
    bar = bar_of(results(*VERDICTS), "mine.html")
    assert (bar.title, bar.address, bar.passed) == ("mine 1", "mine.html", 2)
    assert [(piece.state, piece.count) for piece in bar.pieces] == [
        (State.AGREE, 2),
        (State.DIFFER, 1),
        (State.ERROR, 1),
        (State.UNSUPPORTED, 1),
    ]
    assert [(piece.start, piece.width) for piece in bar.pieces] == [(0, 40), (40, 20), (60, 20), (80, 20)]
    assert bar.words == "2 passed, 1 failed, 1 no answer, 1 not shown"


@pytest.mark.parametrize("count", [3, 7, 910])
def test_pieces_leave_no_gap(count: int) -> None:
    bar = bar_of(results(*[CaseVerdict.PASSED] * (count - 2), CaseVerdict.FAILED, CaseVerdict.ERROR), "")
    ends = [0.0, *(piece.start + piece.width for piece in bar.pieces)]
    starts = [piece.start for piece in bar.pieces]
    assert all(abs(start - end) < 0.002 for start, end in zip([*starts, 100], ends, strict=True))


def test_who_passes_nothing_has_no_passed_piece() -> None:
    assert bar_of(results(CaseVerdict.FAILED), "").passed == 0


def test_the_legend_has_the_states_of_all_bars_in_their_order() -> None:
    bars = [bar_of(results(CaseVerdict.UNSUPPORTED), ""), bar_of(results(CaseVerdict.PASSED), "")]
    assert pieces_of(bars) == [(State.AGREE, "passed"), (State.UNSUPPORTED, "not shown")]


def test_tokenizers_are_those_with_the_same_ids_with_others_or_not_loaded() -> None:
    states = dict(zip("abcdef", STANDS, strict=True))
    agreement = Agreement("mine", "t", Result.CONFORMS, Texts(SameIds(1, 1), SameIds(1, 1)))
    standings = {name: Standing(agreement, state, "") for name, state in states.items()}
    about = Described("mine", "mine.html", "1", "Rust", "MIT", "", "", standings, ())
    assert about.asked == 6
    assert (about.same, about.other, about.not_loaded) == (["a", "b", "c"], ["d"], ["e", "f"])
    assert (about.same_plain, about.failing) == ([], ["c"])


def test_who_was_compared_without_special_tokens_only_is_told_apart_and_other_ids_with_them_are_other_ids() -> None:
    texts = {"a": Texts(SameIds(9, 9)), "b": Texts(SameIds(9, 9), SameIds(0, 9)), "c": Texts(SameIds(8, 9))}
    states = {"a": State.AGREE, "b": State.DIFFER, "c": State.DIFFER}
    standings = {
        name: Standing(Agreement("mine", name, Result.DIFFERS, each), states[name], "") for name, each in texts.items()
    }
    about = Described("mine", "mine.html", "1", "Rust", "MIT", "", "", standings, ())
    assert (about.same, about.same_plain, about.other) == ([], ["a"], ["b", "c"])
    assert (about.other_plain, about.other_special) == (["c"], ["b (9 of 9 texts)"])


STANDS = (State.AGREE, State.ACCEPTABLE, State.ERROR, State.DIFFER, State.NOT_COMPARED, State.UNSUPPORTED)
