"""Several records on one page: whose each finding is stays known, ids are unique, cells lead to their own record."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from report_pages import many, page_of

from tokenizer_conformance.report.combining import combined
from tokenizer_conformance.report.findings_table import csv_of
from tokenizer_conformance.results.html.writing import html_of
from tokenizer_conformance.results.page import State

NAMES = ("run.jsonl", "a, b.jsonl", "suite.jsonl")
PAGES = [page_of(*many(6 + at), name=name) for at, name in enumerate(NAMES)]


def test_one_page_stays_as_it_is() -> None:
    assert combined(PAGES[:1]) is PAGES[0]


def test_findings_are_all_there_each_with_its_record() -> None:
    page = combined(PAGES)
    assert len(page.findings) == sum(len(each.findings) for each in PAGES)
    assert len({each.id for each in page.findings}) == len(page.findings)
    for name, own in zip(NAMES, PAGES, strict=True):
        found = [each for each in page.findings if each.record == name]
        assert [each.id.removeprefix(f"{name}/") for each in found] == [each.id for each in own.findings]
        assert [each.group for each in found] == [each.group for each in own.findings]
    assert set(page.headlines) <= {each.id for each in page.findings}
    assert all(any(id_.startswith(f"{name}/") for id_ in page.headlines) for name in NAMES)


def test_a_name_with_a_comma_is_one_record_in_tables() -> None:
    rows = list(csv.DictReader(io.StringIO(csv_of(combined(PAGES)).decode("utf-8-sig"))))
    assert {row["record"] for row in rows} == set(NAMES)
    assert {row["record"] for row in csv.DictReader(io.StringIO(csv_of(PAGES[1]).decode("utf-8-sig")))} == {NAMES[1]}


def test_cells_lead_to_findings_of_their_own_record() -> None:
    page = combined(PAGES)
    cells = [(matrix.title, cell) for matrix in page.matrices for _, row in matrix.rows for cell in row]
    assert cells
    for title, cell in cells:
        assert title.startswith(f"{cell.of['record']}: ")
        assert cell.of["tokenizer"] == "a"


def test_a_cell_that_leads_nowhere_still_does_not() -> None:
    matrix = PAGES[0].matrices[0]
    name, row = matrix.rows[0]
    nowhere = replace(matrix, rows=((name, (replace(row[0], of={}),)),), columns=matrix.columns[:1])
    found = combined([replace(PAGES[0], matrices=(nowhere,)), PAGES[1]])
    assert found.matrices[0].rows[0][1][0].of == {}


def test_at_first_no_record_is_hidden() -> None:
    other = page_of(*(replace(each, group="requirements") for each in many(3)), name="suite.jsonl")
    assert 'data-group=""' in html_of(combined([PAGES[0], other]))
    assert f'data-group="{PAGES[0].findings[0].group}"' in html_of(combined(PAGES))


def test_the_headline_says_in_which_records_something_is_wrong() -> None:
    def headline(*states: State) -> str:
        return combined([replace(page, state=state) for page, state in zip(PAGES, states, strict=False)]).headline

    wrong, right = State.DIFFER, State.AGREE
    assert headline(wrong, right) == "run.jsonl shows differences or failures; a, b.jsonl shows none that is new"
    assert headline(State.ERROR, State.UNSTABLE, right) == (
        "run.jsonl and a, b.jsonl show differences or failures; suite.jsonl shows none that is new"
    )
    assert headline(right, wrong, State.UNSUPPORTED) == (
        "a, b.jsonl shows differences or failures; run.jsonl and suite.jsonl show none that is new"
    )
    assert headline(wrong, wrong) == "run.jsonl and a, b.jsonl show differences or failures"
    assert headline(right, right) == "run.jsonl and a, b.jsonl show no new differences or failures"
    assert headline(State.NOT_COMPARED, right) == (
        "a, b.jsonl shows no new differences or failures; run.jsonl compared nothing, or not all"
    )


def test_the_gravest_state_decides() -> None:
    agree, unknown = replace(PAGES[0], state=State.AGREE), replace(PAGES[1], state=State.UNSUPPORTED)
    assert combined([agree, replace(PAGES[1], state=State.ERROR), PAGES[2]]).state is State.ERROR
    assert combined([agree, unknown]).state is State.AGREE


@given(st.lists(st.sampled_from(["a", "a (2)", "a (3)", "b", ""]), min_size=2, max_size=6))
def test_names_that_are_alike_are_told_apart(names: list[str]) -> None:
    page = combined([page_of(*many(2), name=name) for name in names])
    assert len({each.record for each in page.findings}) == len(names)
    assert len({each.id for each in page.findings}) == 2 * len(names)
