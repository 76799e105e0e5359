"""Which verdict decides, and which are comparisons."""

from __future__ import annotations

from itertools import combinations

from tokenizer_conformance.comparison.verdicts import NO_ANSWER, Verdict, graver


def test_what_failed_outweighs_what_agreed() -> None:
    order = [
        *(Verdict.CRASH, Verdict.TIMEOUT, Verdict.PROTOCOL, Verdict.ERROR, Verdict.DIFFER),
        *(Verdict.UNSTABLE, Verdict.KNOWN, Verdict.BOTH_ERROR, Verdict.AGREE, Verdict.UNSUPPORTED),
    ]
    assert set(order) == set(Verdict)
    for first, second in combinations(order, 2):
        assert graver(first, second) is graver(second, first) is first


def test_values_stood_side_by_side_where_they_agree_or_differ() -> None:
    assert {verdict for verdict in Verdict if verdict.is_compared} == {Verdict.AGREE, Verdict.DIFFER}
    assert {Verdict.CRASH, Verdict.TIMEOUT, Verdict.PROTOCOL} == NO_ANSWER
