"""What was counted of texts that follow each other is, merged, what is counted of all of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tokenizer_conformance.comparison.exchange import MOST_OF_A_KIND
from tokenizer_conformance.research.cuts.counting import Counted
from tokenizer_conformance.research.cuts.tally import PairCounts
from tokenizer_conformance.results.records.cuts import Failures

TEXTS = st.lists(st.tuples(st.text("ab", max_size=3), st.sets(st.sampled_from(["case", "digits"]))), max_size=60)


def counted(texts: list[tuple[str, set[str]]]) -> PairCounts:
    counts = PairCounts()
    for text, ways in texts:
        counts.kept.take(text, ways)
    return counts


@given(TEXTS, st.integers(0, 60))
def test_the_texts_that_are_kept_are_those_of_all(texts: list[tuple[str, set[str]]], at: int) -> None:
    merged, whole = counted(texts[:at]), counted(texts)
    merged.merge(counted(texts[at:]))
    assert merged.kept.texts == whole.kept.texts
    assert merged.kept.counts == whole.kept.counts


def test_no_more_texts_of_a_way_are_kept_than_of_all() -> None:
    texts: list[tuple[str, set[str]]] = [(f"text {number}", {"case"}) for number in range(3 * MOST_OF_A_KIND)]
    merged = counted(texts[: MOST_OF_A_KIND - 1])
    merged.merge(counted(texts[MOST_OF_A_KIND - 1 :]))
    assert [each.text for each in merged.kept.texts] == [text for text, _ in texts[:MOST_OF_A_KIND]]


def test_failures_are_added_and_the_first_is_told() -> None:
    first, later = (
        Counted(5, [], {"mine": Failures(name="mine", texts=texts, input=name, reason=f"why {name}")})
        for texts, name in ((2, "a:1"), (3, "a:7"))
    )
    later.failures["other"] = Failures(name="other", texts=1, input="a:9", reason="why")
    first.merge(later)
    assert first.texts == 10
    assert first.failures == {
        "mine": Failures(name="mine", texts=5, input="a:1", reason="why a:1"),
        "other": Failures(name="other", texts=1, input="a:9", reason="why"),
    }
