"""What several records say about one implementation on one tokenizer, as one standing."""

from __future__ import annotations

import pytest

from tokenizer_conformance.report.site.about import PlacedPage
from tokenizer_conformance.report.site.agreements import MOST_COLUMNS, joined, standings_of, state_of
from tokenizer_conformance.results.agreement import Agreement, SameIds, Texts
from tokenizer_conformance.results.outcomes import Result
from tokenizer_conformance.results.page import Compared, Page, ShownFinding, State

ALL, MOST, NONE = (Texts(each, each) for each in (SameIds(10, 10), SameIds(9, 10), SameIds()))
WITHOUT = Texts(SameIds(10, 10), SameIds(0, 10))
"""The same ids without special tokens, and none with them."""

STATES = [
    (Result.CONFORMS, ALL, ALL, State.AGREE),
    (Result.CONFORMS, ALL, NONE, State.AGREE),
    (Result.CONFORMS, NONE, ALL, State.AGREE),
    (Result.KNOWN, ALL, ALL, State.AGREE),
    (Result.DIFFERS, ALL, ALL, State.ACCEPTABLE),
    (Result.DIFFERS, ALL, MOST, State.ACCEPTABLE),
    (Result.KNOWN, ALL, MOST, State.ACCEPTABLE),
    (Result.NO_ANSWER, ALL, NONE, State.ERROR),
    (Result.NO_ANSWER, MOST, ALL, State.DIFFER),
    (Result.DIFFERS, MOST, ALL, State.DIFFER),
    (Result.DIFFERS, NONE, MOST, State.DIFFER),
    (Result.DIFFERS, WITHOUT, ALL, State.DIFFER),
    (Result.DIFFERS, NONE, WITHOUT, State.DIFFER),
    (Result.KNOWN, ALL, WITHOUT, State.ACCEPTABLE),
    (Result.NOT_LOADED, NONE, NONE, State.NOT_COMPARED),
    (Result.UNAVAILABLE, NONE, NONE, State.NOT_COMPARED),
    (Result.NOT_SHOWN, NONE, NONE, State.UNSUPPORTED),
    (Result.DIFFERS, NONE, NONE, State.UNSUPPORTED),
]


@pytest.mark.parametrize(("result", "ordinary", "hard", "state"), STATES)
def test_ordinary_texts_count_first(result: Result, ordinary: Texts, hard: Texts, state: State) -> None:
    assert state_of(Agreement("a", "t", result, ordinary, hard)) is state


@pytest.mark.parametrize(("same", "said"), [(0, "0"), (9_994, "99.9"), (9_999, "99.9"), (10_000, "100")])
def test_shares_are_rounded_down_so_that_100_means_all(same: int, said: str) -> None:
    assert SameIds(same, 10_000).percentage == said


def test_of_no_texts_none_are_the_same() -> None:
    assert not SameIds().is_all


def test_the_record_that_asked_most_counts_and_of_these_the_last() -> None:
    last, first = Texts(SameIds(5, 10)), Texts(SameIds(7, 10))
    few = Texts(SameIds(1, 1))
    said = joined([Agreement("a", "t", Result.DIFFERS, each) for each in (few, last, first)])
    assert said.ordinary == last


def test_what_a_larger_record_did_not_ask_is_of_those_that_did() -> None:
    larger = Texts(SameIds(20, 20))
    said = joined([Agreement("a", "t", Result.DIFFERS, each) for each in (larger, WITHOUT)])
    assert (said.ordinary.plain, said.ordinary.special) == (larger.plain, WITHOUT.special)
    assert state_of(said) is State.DIFFER


def test_a_record_that_could_not_load_it_takes_nothing_from_those_that_could() -> None:
    said = joined([Agreement("a", "t", Result.NOT_LOADED), Agreement("a", "t", Result.CONFORMS, ALL)])
    assert (said.result, said.ordinary) == (Result.CONFORMS, ALL)
    assert state_of(joined([Agreement("a", "t", Result.NOT_LOADED)])) is State.NOT_COMPARED


def of(
    address: str,
    *agreements: Agreement,
    findings: tuple[ShownFinding, ...] = (),
    compared: tuple[Compared, ...] = (),
) -> PlacedPage:
    page = Page(
        name=address,
        title=address,
        kind="run",
        state=State.AGREE,
        conclusion="",
        summary="",
        findings=findings,
        compared=compared,
        agreements=agreements,
    )
    return PlacedPage(address, page, lambda _: {})


def test_the_best_stand_first_and_a_cell_leads_to_what_differs_there() -> None:
    found = ShownFinding("1", "findings", "it differs", implementation="b & c", tokenizer="t")
    table = standings_of(
        [
            of(
                "texts.html", Agreement("b & c", "t", Result.CONFORMS, ALL), Agreement("bad", "t", Result.DIFFERS, MOST)
            ),
            of("hard.html", Agreement("b & c", "t", Result.DIFFERS, NONE, MOST), findings=(found,)),
            of("more.html", Agreement("good", "t", Result.CONFORMS, ALL), Agreement("good", "u", Result.CONFORMS, ALL)),
        ]
    )
    assert [name for name, _ in table.rows] == ["good", "b & c", "bad"]
    assert table.tokenizers == ("t", "u")
    standing = table.of("b & c")["t"]
    assert (standing.state, standing.address) == (
        State.ACCEPTABLE,
        "hard.html#findings&implementation=b+%26+c&tokenizer=t",
    )
    assert standing.words == (
        "the same ids in 10 of 10 ordinary texts; the same ids in 9 of 10 hard inputs, with special tokens as without"
    )
    assert table.of("bad")["t"].address == "", "nothing is told there that it could lead to"
    assert [each.agreement.implementation for each in table.on("t")] == ["good", "b & c", "bad"]


def test_the_table_has_the_tokenizers_that_most_were_asked_about() -> None:
    many = [Agreement("a", f"t{number}", Result.CONFORMS, ALL) for number in range(MOST_COLUMNS + 2)]
    table = standings_of([of("r.html", *many, Agreement("b", many[-1].tokenizer, Result.CONFORMS, ALL))])
    assert len(table.tokenizers) == MOST_COLUMNS
    assert table.tokenizers[0] == many[-1].tokenizer
    assert len(table.others) == 2


WORDS = [
    (
        Agreement("a", "t", Result.DIFFERS, NONE, MOST),
        "the same ids in 9 of 10 hard inputs, with special tokens as without",
    ),
    (
        Agreement("a", "t", Result.DIFFERS, ALL),
        "10 of 10 ordinary texts; pre-split texts, offsets, decoded texts or other values differ",
    ),
    (
        Agreement("a", "t", Result.DIFFERS, WITHOUT),
        "the same ids without special tokens in 10 of 10 ordinary texts, with them in 0 of 10",
    ),
    (
        Agreement("a", "t", Result.CONFORMS, Texts(SameIds(10, 10))),
        "the same ids without special tokens in 10 of 10 ordinary texts, with them none were compared",
    ),
    (
        Agreement("a", "t", Result.DIFFERS, Texts(SameIds(10, 10), SameIds(10, 10), SameIds(3, 10, is_least=True))),
        "the same ids in 10 of 10 ordinary texts; the same ids of pairs in at least 3 of 10 ordinary texts",
    ),
    (
        Agreement("a", "t", Result.NO_ANSWER, ALL, unanswered=("decode (10 of 10)",)),
        "10 of 10 ordinary texts; a crash, or no answer in time, at decode (10 of 10)",
    ),
    (Agreement("a", "t", Result.NOT_LOADED), "it does not load this tokenizer"),
]


@pytest.mark.parametrize(("agreement", "said"), WORDS)
def test_a_cell_says_of_no_texts_that_were_not_asked(agreement: Agreement, said: str) -> None:
    standing = standings_of([of("r.html", agreement)]).of("a")["t"]
    assert standing.words.endswith(said)
    assert ("ordinary" in standing.words) is (agreement.ordinary.least.total > 0)


def compared(*names: str, version: str = "1") -> tuple[Compared, ...]:
    baseline, *others = names
    return (Compared(baseline, "1", "baseline"), *(Compared(each, version, "compared") for each in others))


def test_ids_of_another_baseline_are_no_others_to_be_given() -> None:
    told = Agreement("a", "t", Result.DIFFERS, MOST)
    usual = of("usual.html", told, Agreement("b", "t", Result.CONFORMS, ALL), compared=compared("base", "a", "b"))
    other = of(
        "other.html", Agreement("a", "t", Result.CONFORMS, Texts(SameIds(99, 99))), compared=compared("own", "a")
    )
    table = standings_of([other, usual])
    assert table.baseline == "base"
    assert table.of("a")["t"].agreement == told


def test_of_an_implementation_the_version_counts_that_was_compared_last() -> None:
    now = of("now.html", Agreement("a", "t", Result.DIFFERS, MOST), compared=compared("base", "a", version="2"))
    before = of(
        "then.html", Agreement("a", "t", Result.CONFORMS, Texts(SameIds(99, 99))), compared=compared("base", "a")
    )
    assert standings_of([now, before]).of("a")["t"].agreement.ordinary == MOST
    assert standings_of([before, now]).of("a")["t"].agreement.ordinary == Texts(SameIds(99, 99))


def test_of_equally_many_tokenizers_full_agreement_ranks_first_then_hard_inputs() -> None:
    differing = Texts(SameIds(5, 10))
    agreements = (
        Agreement("few hard", "t", Result.DIFFERS, ALL, differing),
        Agreement("most hard", "t", Result.DIFFERS, ALL, MOST),
        Agreement("all", "t", Result.CONFORMS, ALL, NONE),
        Agreement("as many hard", "t", Result.DIFFERS, ALL, MOST),
        *(Agreement("two", tokenizer, Result.CONFORMS, ALL, NONE) for tokenizer in ("t", "u")),
        *(Agreement("one of two", tokenizer, result, ALL, ALL) for tokenizer, result in ONE_OF_TWO),
    )
    names = [name for name, _ in standings_of([of("r.html", *agreements)]).rows]
    assert names == ["two", "one of two", "all", "as many hard", "most hard", "few hard"]


ONE_OF_TWO = (("t", Result.CONFORMS), ("u", Result.DIFFERS))


def test_findings_about_others_are_no_reason() -> None:
    told = ShownFinding("1", "findings", "it differs", implementation="a", tokenizer="u")
    record = of("r.html", Agreement("a", "t", Result.DIFFERS, MOST), findings=(told,))
    assert standings_of([record]).of("a")["t"].address == ""
