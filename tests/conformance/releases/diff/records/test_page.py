"""Comparisons of two records as pages: what is new stands first, and each change once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from record_pages import check_hostile, check_killed, check_malformed, check_page, lines_of, standing, write
from record_pairs import TEXTS, LossierDecode, called, corpus_of

from tokenizer_conformance import RunPlan, run
from tokenizer_conformance.releases.diff.records.changes import FAILING, Change
from tokenizer_conformance.releases.diff.records.engine import lines_of as typed_lines
from tokenizer_conformance.releases.diff.records.engine import record_diff
from tokenizer_conformance.releases.diff.records.page import GROUP_OF, GROUPS, RECORD_DIFFS
from tokenizer_conformance.releases.diff.records.plan import record_diff_plan
from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.results.page import Novelty, State
from tokenizer_conformance.results.page_reports import PageOf
from tokenizer_conformance.validation.running.record import JsonLinesReport

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

    Compared = Callable[..., Path]


@pytest.fixture
def compared(toy_file: TokenizerFile, tmp_path: Path) -> Compared:
    """A function that writes the record of what became of a fake called ``mine`` that was another one then."""

    def record(name: str, fake: type[Any]) -> Path:
        path = tmp_path / name
        plan = RunPlan(
            tokenizers=(toy_file,),
            implementations=(called(fakes.Toy, "toy"), called(fake)),
            baseline="toy",
            corpus=corpus_of(TEXTS),
        )
        with JsonLinesReport(path) as report:
            for event in run(plan):
                report.handle(event)  # type: ignore[arg-type]  # no internal error
        return path

    def write_diff(then: type[Any], now: type[Any]) -> Path:
        plan = record_diff_plan(record("then.jsonl", then), record("now.jsonl", now), (), ())
        path = tmp_path / "diff.jsonl"
        with PageOf(RECORD_DIFFS, typed_lines).record(path) as report:
            for event in record_diff(plan):
                report.handle(event)
        return path

    return write_diff


def changes_of(path: Path) -> list[str]:
    return [line["change"] for line in lines_of(path) if line["type"] == "change"]


PAIRS = {
    "new": (fakes.Toy, fakes.LossyDecode),
    "fixed": (fakes.LossyDecode, fakes.Toy),
    "worse": (fakes.LossyDecode, LossierDecode),
    "another": (fakes.LossyDecode, fakes.SwappedMerge),
    "same": (fakes.LossyDecode, fakes.LossyDecode),
    "lost": (fakes.LossyDecode, fakes.CannotLoad),
}


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_each_change_stands_there_once(compared: Compared, pair: tuple[type, type]) -> None:
    path = compared(*pair)
    page, changes = check_page(path), changes_of(path)
    assert len(page.findings) == len(changes)
    assert len(standing(page, Novelty.NEW)) == sum(change in FAILING for change in changes)
    order = [GROUPS.index(each.group) for each in page.findings]
    assert order == sorted(order), "what is new stands first"
    footer = lines_of(path)[-1]
    assert page.conclusion == footer["conclusion"]
    assert all(f"{count:,} {change}" in page.summary for change, count in footer["counts"].items() if count)


def test_what_is_new_stands_first_with_both_sides(compared: Compared) -> None:
    page = check_page(compared(fakes.Toy, fakes.LossyDecode))
    assert page.state is State.DIFFER
    assert page.headlines
    first = page.findings[0]
    assert (first.group, first.standing) == ("new or worse", Novelty.NEW)
    assert [each.side for each in first.answers] == ["then", "now"]
    assert first.answers[1].text is not None
    assert first.answers[1].text.startswith("fails")
    cells = [cell for _, row in page.matrices[0].rows for cell in row]
    assert State.DIFFER in {cell.state for cell in cells}
    assert page.said[0].split(",")[0].endswith("new or worse")


def test_what_was_mended_is_no_news(compared: Compared) -> None:
    page = check_page(compared(fakes.LossyDecode, fakes.Toy))
    assert page.state is State.AGREE
    assert not page.headlines
    assert {each.standing for each in page.findings} == {Novelty.ACCEPTABLE}
    assert {cell.state for _, row in page.matrices[0].rows for cell in row} == {State.AGREE}


@pytest.mark.parametrize(("count", "told"), [(1, "1 is fixed or better"), (2, "2 are fixed or better")])
def test_what_is_better_is_counted_in_the_headline(compared: Compared, count: int, told: str) -> None:
    path = compared(fakes.LossyDecode, fakes.Toy)
    lines = lines_of(path)
    (fixed, *_) = (line for line in lines if line["type"] == "change" and line["change"] == "fixed")
    page = read_page(write(path, [lines[0], *[fixed] * count, lines[-1]]))
    assert page.headline == f"nothing is new or worse than then; {told}"


def test_what_was_not_compared_is_told(compared: Compared) -> None:
    page = check_page(compared(fakes.LossyDecode, fakes.CannotLoad))
    unknown = [each for each in page.findings if each.group == "not compared"]
    assert unknown
    assert all(each.explanation for each in unknown)
    assert any("cannot be told" in each for each in page.said)


def test_every_change_has_a_list() -> None:
    assert {*GROUP_OF} == {*Change}
    assert {change for change, (_, which, _) in GROUP_OF.items() if which is Novelty.NEW} == {*FAILING}


def test_a_record_that_was_not_whole_is_named(compared: Compared) -> None:
    path = compared(fakes.Toy, fakes.LossyDecode)
    lines = lines_of(path)
    lines[0]["old"]["is_whole"] = False
    assert any("then.jsonl" in each for each in read_page(write(path, lines)).complaints)


def test_a_killed_comparison_gives_a_page_that_says_so(compared: Compared) -> None:
    check_killed(compared(fakes.Toy, fakes.LossyDecode))


@pytest.mark.long
def test_altered_lines_are_refused(compared: Compared) -> None:
    check_malformed(compared(fakes.LossyDecode, fakes.SwappedMerge))


def test_hostile_names_pass_through(compared: Compared) -> None:
    check_hostile(compared(fakes.Toy, fakes.LossyDecode), "mine", "toy-tokenizer")
