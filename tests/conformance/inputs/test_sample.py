"""A sample is spread over all inputs, and each input keeps the one that follows it."""

from __future__ import annotations

import pytest

from tokenizer_conformance.inputs.corpus import Sample, read_corpus
from tokenizer_conformance.inputs.text import Input


@pytest.mark.parametrize(("most", "taken"), [(1, ["9"]), (2, ["4", "9"]), (5, ["1", "3", "5", "7", "9"]), (99, None)])
def test_a_sample_is_spread(most: int, taken: list[str] | None) -> None:
    corpus, _ = read_corpus([("ten", [Input(str(number), "test", str(number)) for number in range(10)])])
    sample = Sample(corpus, most)
    found = list(sample)
    assert [each.input.id for each in found] == (taken or list("0123456789"))
    assert sample.count == len(found)
    assert all(int(each.following.id) == (int(each.input.id) + 1) % 10 for each in found)
    assert sample.sha256 != Sample(corpus, most % 10 + 1).sha256 or most == 99
